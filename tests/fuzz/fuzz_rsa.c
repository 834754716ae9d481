/*
 * RSA against GMP and libcrypto. Input: a byte that picks what is tried.
 *     0: lengths of n and e, then n, e and a number: import of a public key, and the number to the power e.
 *     1: which numbers are given, then edits of the numbers of a private key: import, which must take what belongs together.
 *     2: PKCS #1 signatures: a hash, a digest, edits of the encoding.
 *     3: PSS: hashes, a salt, a digest, edits of DB || H || BC before DB is masked.
 *     4: OAEP: hashes, a label, a seed, a message, edits of DB before it is masked.
 *     5: PKCS #1 encryption: a block, edits.
 *     6: a ciphertext, decrypted in both ways.
 * Edits are pairs of a place and what is added (exclusive or) there. 2 to 6 have one key.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* RSA's paddings by themselves */
#include <gmp.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include "fuzz.h"
#include "scheme/rsa.h"

enum { BITS = 2048, K = BITS / 8 };

static uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(BITS)], other[LIMBIC_RSA_PRIVATE_WORDS(BITS)];
static uint8_t bytes[8][K]; /* its numbers */
static limbic_rsa_number numbers[8];
static RSA *peer;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    uint64_t p[16], q[16], e = 65537;
    (void)argc, (void)argv;
    limbic_rsa_selftest_primes(p, q);
    REQUIRE(!limbic_rsa_build(key, sizeof key, p, 16, q, 16, &e, 1), "the key");
    for (size_t i = 0; i < 8; i++) {
        size_t n = K;
        REQUIRE(!limbic_rsa_export(key, sizeof key, (limbic_rsa_part)(LIMBIC_RSA_N + i), bytes[i], &n),
                "export");
        numbers[i] = (limbic_rsa_number){bytes[i], n};
    }
    peer = RSA_new();
    REQUIRE(peer && RSA_set0_key(peer, BN_bin2bn(bytes[0], (int)numbers[0].len, NULL),
                                 BN_bin2bn(bytes[1], (int)numbers[1].len, NULL), NULL),
            "libcrypto's key");
    return 0;
}

static void edit(struct input *in, uint8_t *p, size_t n) {
    while (in->left) {
        const size_t at = take_byte(in);
        p[at % n] ^= take_byte(in);
    }
}

static limbic_hash take_hash(struct input *in) {
    return (limbic_hash)(LIMBIC_SHA256 + take_byte(in) % 3);
}

static const EVP_MD *md_of(limbic_hash hash) {
    return hash == LIMBIC_SHA256 ? EVP_sha256() : hash == LIMBIC_SHA384 ? EVP_sha384() : EVP_sha512();
}

/* ---- keys ---- */

static void from_bytes(mpz_t z, const uint8_t *p, size_t n) {
    mpz_import(z, n, 1, 1, 0, 0, p);
}

static int public_is_good(const mpz_t n, const mpz_t e, size_t min_bits) {
    if (mpz_sizeinbase(n, 2) < min_bits || mpz_sizeinbase(n, 2) > LIMBIC_RSA_MAX_BITS || mpz_even_p(n) ||
        mpz_even_p(e) || mpz_cmp_ui(e, 3) < 0 || mpz_cmp(e, n) >= 0)
        return 0;
    for (unsigned long f = 3; f < 752; f += 2)
        if (mpz_divisible_ui_p(n, f))
            return 0;
    return 1;
}

static void try_public(struct input *in) {
    uint8_t n[256], e[256], number[256], want[256] = {0};
    const size_t n_len = take_byte(in), e_len = take_byte(in);
    mpz_t zn, ze, z;
    size_t count;
    mpz_inits(zn, ze, z, NULL);
    take(in, n, n_len);
    take(in, e, e_len);
    from_bytes(zn, n, n_len);
    from_bytes(ze, e, e_len);
    const limbic_rsa_numbers x = {.n = {n, n_len}, .e = {e, e_len}};
    const limbic_status status = limbic_rsa_public_import(other, sizeof other, &x);
    REQUIRE((status == LIMBIC_OK) == public_is_good(zn, ze, LIMBIC_RSA_MIN_PUBLIC_BITS), "public_import: %s",
            limbic_status_string(status));
    if (!status) {
        const size_t k = limbic_rsa_bytes(other, sizeof other);
        REQUIRE(limbic_rsa_bits(other, sizeof other) == mpz_sizeinbase(zn, 2), "bits");
        take(in, number, k);
        from_bytes(z, number, k);
        const int below = mpz_cmp(z, zn) < 0;
        const limbic_status done = limbic_rsa_public_op(other, sizeof other, number, k, number, k);
        REQUIRE(done == (below ? LIMBIC_OK : LIMBIC_ERR_VALUE), "public_op: %s", limbic_status_string(done));
        if (below) {
            mpz_powm(z, z, ze, zn);
            count = (mpz_sizeinbase(z, 2) + 7) / 8;
            mpz_export(want + k - count, NULL, 1, 1, 0, 0, z);
            REQUIRE(memcmp(number, want, k) == 0, "public_op: another number");
        }
    }
    mpz_clears(zn, ze, z, NULL);
}

/* Whether a b = 1 mod m for 0 <= a < m. */
static int inverse_is(const mpz_t a, const mpz_t b, const mpz_t m) {
    mpz_t t;
    mpz_init(t);
    mpz_mul(t, a, b);
    mpz_sub_ui(t, t, 1);
    const int good = mpz_cmp(a, m) < 0 && mpz_sgn(a) >= 0 && mpz_divisible_p(t, m);
    mpz_clear(t);
    return good;
}

static int private_is_good(mpz_t *z, unsigned given) {
    mpz_t p1, q1, t;
    mpz_inits(p1, q1, t, NULL);
    enum { N, E, D, P, Q, DP, DQ, QINV };
    int good = public_is_good(z[N], z[E], LIMBIC_RSA_MIN_PRIVATE_BITS) && mpz_cmp_ui(z[P], 1) > 0 &&
               mpz_cmp_ui(z[Q], 1) > 0;
    mpz_mul(t, z[P], z[Q]);
    good = good && mpz_cmp(t, z[N]) == 0;
    if (good) {
        mpz_sub_ui(p1, z[P], 1);
        mpz_sub_ui(q1, z[Q], 1);
        mpz_lcm(t, p1, q1);
        good = mpz_invert(p1, z[E], t) && mpz_invert(q1, z[Q], z[P]);
        good = good && (!(given & 1) || mpz_cmp(z[D], z[N]) < 0);
        if (good && given & 1) {
            mpz_mul(p1, z[D], z[E]);
            mpz_sub_ui(p1, p1, 1);
            good = mpz_divisible_p(p1, t) != 0;
        }
        mpz_sub_ui(p1, z[P], 1);
        mpz_sub_ui(q1, z[Q], 1);
        good = good && (!(given & 2) || inverse_is(z[DP], z[E], p1)) &&
               (!(given & 4) || inverse_is(z[DQ], z[E], q1)) &&
               (!(given & 8) || inverse_is(z[QINV], z[Q], z[P]));
    }
    mpz_clears(p1, q1, t, NULL);
    return good;
}

static void try_private(struct input *in) {
    uint8_t edited[8][K];
    const unsigned given = take_byte(in);
    limbic_rsa_number x[8];
    mpz_t z[8];
    memcpy(edited, bytes, sizeof edited);
    while (in->left) {
        const size_t which = take_byte(in) % 8, at = take_byte(in) % numbers[which].len;
        edited[which][at] ^= take_byte(in);
    }
    for (size_t i = 0; i < 8; i++) {
        x[i] = (limbic_rsa_number){edited[i], numbers[i].len};
        mpz_init(z[i]);
        from_bytes(z[i], edited[i], numbers[i].len);
    }
    static const limbic_rsa_number none = {NULL, 0};
    const limbic_rsa_numbers some = {x[0],
                                     x[1],
                                     given & 1 ? x[2] : none,
                                     x[3],
                                     x[4],
                                     given & 2 ? x[5] : none,
                                     given & 4 ? x[6] : none,
                                     given & 8 ? x[7] : none};
    const limbic_status status = limbic_rsa_private_import(other, sizeof other, &some);
    REQUIRE((status == LIMBIC_OK) == private_is_good(z, given), "private_import: %s",
            limbic_status_string(status));
    for (size_t i = 0; i < 8; i++)
        mpz_clear(z[i]);
}

/* ---- signatures ---- */

/* The block as a signature: block^d; 0 if it is not below n. */
static int sign_block(uint8_t *sig, const uint8_t *block) {
    const limbic_status status = limbic_rsa_private_op(key, sizeof key, sig, K, block, K);
    REQUIRE(!status || status == LIMBIC_ERR_VALUE, "private_op: %s", limbic_status_string(status));
    return !status;
}

static void try_pkcs1_signature(struct input *in) {
    const limbic_hash hash = take_hash(in);
    const size_t h = limbic_hash_bytes(hash);
    uint8_t digest[LIMBIC_MAX_DIGEST_BYTES], block[K], sig[K];
    take(in, digest, h);
    const int edits = in->left != 0;
    REQUIRE(!limbic_rsa_sign_pkcs1(key, sizeof key, sig, K, hash, digest, h), "sign_pkcs1");
    if (edits) {
        REQUIRE(!limbic_rsa_public_op(key, sizeof key, block, K, sig, K), "public_op");
        edit(in, block, K);
        if (!sign_block(sig, block))
            return;
    }
    const int good = RSA_verify(EVP_MD_get_type(md_of(hash)), digest, (unsigned)h, sig, K, peer) == 1;
    const limbic_status status = limbic_rsa_verify_pkcs1(key, sizeof key, sig, K, hash, digest, h);
    REQUIRE(status == (good ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE) && (good || edits),
            "verify_pkcs1: %s, libcrypto: %d", limbic_status_string(status), good);
}

/* p ^= MGF1(seed) */
static void mask(limbic_hash hash, uint8_t *p, size_t n, const uint8_t *seed, size_t seed_len) {
    uint8_t stream[K];
    REQUIRE(PKCS1_MGF1(stream, (long)n, seed, (long)seed_len, md_of(hash)) == 0, "libcrypto's MGF1");
    for (size_t i = 0; i < n; i++)
        p[i] ^= stream[i];
}

static void try_pss(struct input *in) {
    const limbic_hash hash = take_hash(in), mgf_hash = take_hash(in);
    const size_t h = limbic_hash_bytes(hash), db = K - h - 1, salt = take_byte(in) % db;
    static const int expected[] = {LIMBIC_RSA_SALT_ANY, LIMBIC_RSA_SALT_DIGEST, 0, 20, LIMBIC_RSA_SALT_MAX};
    static const int theirs[] = {RSA_PSS_SALTLEN_AUTO, RSA_PSS_SALTLEN_DIGEST, 0, 20, RSA_PSS_SALTLEN_MAX};
    uint8_t block[K] = {0}, sig[K], hashed[8 + LIMBIC_MAX_DIGEST_BYTES + K] = {0};
    take(in, hashed + 8, h);
    take(in, hashed + 8 + h, salt);
    memcpy(block + db - salt, hashed + 8 + h, salt);
    block[db - salt - 1] = 1;
    REQUIRE(!limbic_digest(hash, block + db, h, hashed, 8 + h + salt), "digest");
    block[K - 1] = 0xbc;
    const int edits = in->left != 0;
    edit(in, block, K);
    const uint8_t top = block[0] & 0x80; /* set by an edit alone */
    mask(mgf_hash, block, db, block + db, h);
    block[0] = (block[0] & 0x7f) | top;
    if (!sign_block(sig, block))
        return;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const int good =
            RSA_verify_PKCS1_PSS_mgf1(peer, hashed + 8, md_of(hash), md_of(mgf_hash), block, theirs[i]) == 1;
        const limbic_status status =
            limbic_rsa_verify_pss(key, sizeof key, sig, K, hash, mgf_hash, expected[i], hashed + 8, h);
        REQUIRE(status == (good ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE) && (good || edits || i),
                "verify_pss, salt %d: %s, libcrypto: %d", expected[i], limbic_status_string(status), good);
    }
}

/* ---- decryption ---- */

static int untouched(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != 0xa5)
            return 0;
    return 1;
}

/* What sealed = block^e decrypts to by OAEP. */
static limbic_status open_oaep(const uint8_t *block, const uint8_t *sealed, limbic_hash hash,
                               limbic_hash mgf_hash, const uint8_t *label, size_t label_len) {
    uint8_t out[K], want[K];
    size_t n = sizeof out;
    memset(out, 0xa5, sizeof out);
    const int good = RSA_padding_check_PKCS1_OAEP_mgf1(want, K, block, K, K, label, (int)label_len,
                                                       md_of(hash), md_of(mgf_hash));
    const limbic_status status =
        limbic_rsa_decrypt_oaep(key, sizeof key, out, &n, hash, mgf_hash, label, label_len, sealed, K);
    REQUIRE(status == (good >= 0 ? LIMBIC_OK : LIMBIC_ERR_DECRYPT), "decrypt_oaep: %s, libcrypto: %d",
            limbic_status_string(status), good);
    REQUIRE(good >= 0 ? n == (size_t)good && memcmp(out, want, n) == 0 && untouched(out + n, K - n)
                      : untouched(out, K),
            "decrypt_oaep: the text");
    return status;
}

/* The same by PKCS #1: a block that is none gives some message, and the same each time. */
static void open_pkcs1(const uint8_t *block, const uint8_t *sealed) {
    uint8_t out[K], again[K], want[K];
    size_t n = sizeof out, m = sizeof again;
    memset(out, 0xa5, sizeof out);
    memset(again, 0xa5, sizeof again);
    const int good = RSA_padding_check_PKCS1_type_2(want, K, block, K, K);
    limbic_status status = limbic_rsa_decrypt_pkcs1(key, sizeof key, out, &n, sealed, K);
    REQUIRE(!status && n <= K - 11 && untouched(out + n, K - n), "decrypt_pkcs1: %s",
            limbic_status_string(status));
    if (good >= 0) {
        REQUIRE(n == (size_t)good && memcmp(out, want, n) == 0, "decrypt_pkcs1: another text");
    } else {
        status = limbic_rsa_decrypt_pkcs1(key, sizeof key, again, &m, sealed, K);
        REQUIRE(!status && n == m && memcmp(out, again, K) == 0,
                "decrypt_pkcs1: another text the second time");
    }
}

static int seal(uint8_t *sealed, const uint8_t *block) {
    const limbic_status status = limbic_rsa_public_op(key, sizeof key, sealed, K, block, K);
    REQUIRE(!status || status == LIMBIC_ERR_VALUE, "public_op: %s", limbic_status_string(status));
    return !status;
}

static void try_oaep(struct input *in) {
    const limbic_hash hash = take_hash(in), mgf_hash = take_hash(in);
    const size_t h = limbic_hash_bytes(hash), db = K - h - 1;
    uint8_t block[K] = {0}, sealed[K], label[16];
    const size_t label_len = take_byte(in) % (1 + sizeof label), msg_len = take_byte(in) % (db - h);
    take(in, label, label_len);
    take(in, block + 1, h);
    REQUIRE(!limbic_digest(hash, block + 1 + h, h, label, label_len), "digest");
    take(in, block + K - msg_len, msg_len);
    block[K - msg_len - 1] = 1;
    const int edits = in->left != 0;
    edit(in, block, K);
    mask(mgf_hash, block + 1 + h, db, block + 1, h);
    mask(mgf_hash, block + 1, h, block + 1 + h, db);
    if (seal(sealed, block)) {
        const limbic_status status = open_oaep(block, sealed, hash, mgf_hash, label, label_len);
        REQUIRE(!status || edits, "decrypt_oaep: %s", limbic_status_string(status));
    }
}

static void try_pkcs1_block(struct input *in) {
    uint8_t block[K], sealed[K];
    memset(block, 0x5a, sizeof block);
    block[0] = 0;
    block[1] = 2;
    block[take_byte(in)] ^= 0x5a;
    edit(in, block, K);
    if (seal(sealed, block))
        open_pkcs1(block, sealed);
}

static void try_ciphertext(struct input *in) {
    uint8_t sealed[K], block[K];
    size_t n = sizeof block;
    take(in, sealed, sizeof sealed);
    if (sign_block(block, sealed)) {
        open_pkcs1(block, sealed);
        (void)open_oaep(block, sealed, LIMBIC_SHA256, LIMBIC_SHA256, NULL, 0);
    } else {
        REQUIRE(limbic_rsa_decrypt_pkcs1(key, sizeof key, block, &n, sealed, K) == LIMBIC_ERR_VALUE,
                "decrypt_pkcs1 of n or above");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const tries[])(struct input *) = {try_public, try_private,     try_pkcs1_signature, try_pss,
                                                    try_oaep,   try_pkcs1_block, try_ciphertext};
    struct input in = {data, size};
    tries[take_byte(&in) % (sizeof tries / sizeof tries[0])](&in);
    return 0;
}
