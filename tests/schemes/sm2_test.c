/*
 * SM2: the examples of the standard (GB/T 32918.5 annexes A to C), libcrypto in both directions, every fault with its status and
 * untouched outputs, all ways in which inputs and outputs can overlap, no heap, no secrets left on the stack.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "base/limb.h"
#include "limbic/ecdsa.h"
#include "limbic/hash.h"
#include "scheme/sm2.h"
#include "tests/check.h"
#define NO_DEEP_JOBS
#include "tests/schemes/harness.h"

enum { BYTES = 32, POINT = 65, SIG = 64, OVERHEAD = LIMBIC_SM2_OVERHEAD_BYTES, ROOM = 256 };

static const limbic_sm2_form forms[] = {LIMBIC_SM2_C1C3C2, LIMBIC_SM2_C1C2C3, LIMBIC_SM2_DER};
enum { FORMS = sizeof forms / sizeof forms[0] };

#define MUST(x)                                                                                              \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #x);                                             \
            (void)fflush(stdout);                                                                            \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

static void hex(uint8_t *out, size_t n, const char *text) {
    MUST(strlen(text) == 2 * n);
    for (size_t i = 0; i < n; i++) {
        char two[3] = {text[2 * i], text[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(two, NULL, 16);
    }
}

static int same(const uint8_t *a, size_t n, const char *text) {
    uint8_t want[512];
    if (strlen(text) != 2 * n || n > sizeof want)
        return 0;
    hex(want, n, text);
    return !memcmp(a, want, n);
}

static void fill(uint8_t *out, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)((i * 167 + seed * 59 + (i >> 8) * 31) ^ (i >> 3));
}

static void *take(size_t n) {
    void *p = malloc(n ? n : 1);
    MUST(p);
    return p;
}

static int all(const uint8_t *p, size_t n, uint8_t value) {
    uint8_t differ = 0;
    for (size_t i = 0; i < n; i++)
        differ |= p[i] ^ value;
    return !differ;
}

struct pair {
    uint8_t d[BYTES], q[POINT];
};

static void make(struct pair *k) {
    MUST(!limbic_ec_keygen(LIMBIC_SM2, k->d, BYTES, k->q, POINT));
}

static uint8_t order[BYTES], prime[BYTES];
static BIGNUM *n_; /* the order */
static BN_CTX *bn;

static BIGNUM *number(const uint8_t *p) {
    BIGNUM *x = BN_bin2bn(p, BYTES, NULL);
    MUST(x);
    return x;
}
static void bytes_of(uint8_t *out, const BIGNUM *x) {
    MUST(BN_bn2binpad(x, out, BYTES) == BYTES);
}
/* r = a op b mod n, op one of + - * / */
static void mod_n(uint8_t *r, const uint8_t *a, char op, const uint8_t *b) {
    BIGNUM *x = number(a), *y = number(b);
    if (op == '/')
        MUST(BN_mod_inverse(y, y, n_, bn));
    if (op == '+')
        MUST(BN_mod_add(x, x, y, n_, bn));
    else if (op == '-')
        MUST(BN_mod_sub(x, x, y, n_, bn));
    else
        MUST(BN_mod_mul(x, x, y, n_, bn));
    bytes_of(r, x);
    BN_free(x);
    BN_free(y);
}
static void small_number(uint8_t *out, unsigned k) {
    memset(out, 0, BYTES);
    out[BYTES - 1] = (uint8_t)k;
    out[BYTES - 2] = (uint8_t)(k >> 8);
    out[BYTES - 3] = (uint8_t)(k >> 16);
}

/* ---- the standard's examples ---- */

static const char id16[] = "1234567812345678";
#define ID(text) (const uint8_t *)(text), strlen(text)

static void standard_signature(void) {
    static const char msg[] = "message digest";
    const uint8_t *m = (const uint8_t *)msg;
    uint8_t d[BYTES], q[POINT], k[BYTES], z[32], e[32], sig[SIG];
    limbic_sm2_signer signer;
    static uint64_t prepared[1 << 16];
    const size_t size = limbic_ec_prepared_bytes(LIMBIC_SM2);

    hex(d, BYTES, "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8");
    hex(k, BYTES, "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21");
    check(!limbic_ec_public_key(LIMBIC_SM2, q, POINT, d, BYTES) &&
              same(q, POINT,
                   "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                   "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13"),
          "public key");
    check(!limbic_sm2_z(z, 32, ID(id16), q, POINT) &&
              same(z, 32, "b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3"),
          "Z");
    check(!limbic_sm2_digest(e, 32, NULL, 0, q, POINT, m, strlen(msg)) &&
              same(e, 32, "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"),
          "e, default ID");
    check(!limbic_sm2_sign_digest_with_nonce(sig, SIG, d, BYTES, e, 32, k, BYTES) &&
              same(sig, SIG,
                   "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                   "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"),
          "signature");
    check(!limbic_sm2_verify(sig, SIG, q, POINT, ID(id16), m, strlen(msg)), "verify");
    check(!limbic_sm2_verify_digest(sig, SIG, q, POINT, e, 32), "verify e");
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, size, q, POINT));
    check(!limbic_sm2_verify_prepared(prepared, size, sig, SIG, NULL, 0, m, strlen(msg)), "verify, prepared");
    check(!limbic_sm2_verify_digest_prepared(prepared, size, sig, SIG, e, 32), "verify e, prepared");
    check(!limbic_sm2_signer_init(&signer, d, BYTES, NULL, 0) && !memcmp(signer.z, z, 32) &&
              !memcmp(signer.public_key, q, POINT),
          "signer");
    check(!limbic_sm2_signer_sign(&signer, sig, SIG, m, strlen(msg)) &&
              !limbic_sm2_verify_digest(sig, SIG, q, POINT, e, 32),
          "signer signs under its Z");
    limbic_sm2_signer_wipe(&signer);
}

static void standard_encryption(void) {
    static const char msg[] = "encryption standard";
    static const char c1[] = "04ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73"
                             "e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0",
                      c3[] = "59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766",
                      c2[] = "21886ca989ca9c7d58087307ca93092d651efa",
                      der[] = "307c022004ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73022100"
                              "e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df00420"
                              "59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd87660413"
                              "21886ca989ca9c7d58087307ca93092d651efa";
    char want[FORMS][512];
    uint8_t d[BYTES], q[POINT], k[BYTES], out[ROOM], text[ROOM], other[ROOM];

    (void)snprintf(want[0], sizeof want[0], "04%s%s%s", c1, c3, c2);
    (void)snprintf(want[1], sizeof want[1], "04%s%s%s", c1, c2, c3);
    (void)snprintf(want[2], sizeof want[2], "%s", der);
    hex(d, BYTES, "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8");
    hex(k, BYTES, "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21");
    MUST(!limbic_ec_public_key(LIMBIC_SM2, q, POINT, d, BYTES));
    for (int i = 0; i < FORMS; i++) {
        size_t n = sizeof out, m = sizeof text;
        check(!limbic_sm2_encrypt_with_nonces(forms[i], out, &n, q, POINT, (const uint8_t *)msg, strlen(msg),
                                              k, BYTES) &&
                  same(out, n, want[i]),
              "encryption, form %d", i);
        check(!limbic_sm2_decrypt(forms[i], text, &m, d, BYTES, out, n) && m == strlen(msg) &&
                  !memcmp(text, msg, m),
              "decryption, form %d", i);
        for (int to = 0; to < FORMS; to++) {
            size_t o = sizeof other;
            check(!limbic_sm2_convert(forms[to], other, &o, forms[i], out, n) && same(other, o, want[to]),
                  "form %d to form %d", i, to);
        }
    }
}

static void standard_exchange(void) {
    uint8_t d[2][BYTES], r[2][BYTES], p[2][POINT], e[2][POINT], key[2][16], s[2][2][32];

    hex(d[0], BYTES, "81eb26e941bb5af16df116495f90695272ae2cd63d6c4ae1678418be48230029");
    hex(d[1], BYTES, "785129917d45a9ea5437a59356b82338eaadda6ceb199088f14ae10defa229b5");
    hex(r[0], BYTES, "d4de15474db74d06491c440d305e012400990f3e390c7e87153c12db2ea60bb3");
    hex(r[1], BYTES, "7e07124814b309489125eaed101113164ebf0f3458c5bd88335c1f9d596243d6");
    for (int i = 0; i < 2; i++)
        MUST(!limbic_ec_public_key(LIMBIC_SM2, p[i], POINT, d[i], BYTES) &&
             !limbic_ec_public_key(LIMBIC_SM2, e[i], POINT, r[i], BYTES));
    check(same(e[1], POINT,
               "04acc27688a6f7b706098bc91ff3ad1bff7dc2802cdb14ccccdb0a90471f9bd707"
               "2fedac0494b2ffc4d6853876c79b8f301c6573ad0aa50f39fc87181e1a1b46fe"),
          "R_B");
    for (int i = 0; i < 2; i++) {
        limbic_sm2_exchange x = {i, d[i], r[i], p[!i], e[!i], POINT, POINT, NULL, (const uint8_t *)id16,
                                 0, 16};
        check(!limbic_sm2_exchange_key(&x, key[i], 16, s[i][0], s[i][1]) &&
                  same(key[i], 16, "6c89347354de2484c60b4ab1fde4c6e5"),
              "key of side %d", i);
    }
    /* S_B = SM3(02 || y || inner) goes from B to A, S_A with 03 from A to B: recomputed from the standard's U */
    uint8_t u[64], z[2][32], inner[32], want[32], block[1 + 32 + 32];
    hex(u, 64,
        "c558b44bee5301d9f52b44d939bb59584d75b9034dd6a9fc826872109a65739f"
        "3252b35b191d8ae01cd122c025204334c5eacf68a0cb4854c6a7d367ecad4de7");
    limbic_hash_ctx c;
    MUST(!limbic_hash_init(&c, LIMBIC_SM3));
    limbic_hash_update(&c, u, 32);
    for (int i = 0; i < 2; i++) {
        MUST(!limbic_sm2_z(z[i], 32, NULL, 0, p[i], POINT));
        limbic_hash_update(&c, z[i], 32);
    }
    for (int i = 0; i < 2; i++)
        limbic_hash_update(&c, e[i] + 1, 64);
    limbic_hash_final(&c, inner);
    memcpy(block + 1, u + 32, 32);
    memcpy(block + 33, inner, 32);
    for (int from = 0; from < 2; from++) {
        block[0] = from ? 2 : 3;
        MUST(!limbic_digest(LIMBIC_SM3, want, 32, block, sizeof block));
        check(!memcmp(s[from][0], want, 32) && !memcmp(s[!from][1], want, 32), "confirmation from side %d",
              from);
    }
}

/* ---- libcrypto ---- */

static EVP_PKEY *peer_of(const struct pair *k) {
    uint8_t d[BYTES]; /* in the machine's order */
    char group[] = "SM2";
    EVP_PKEY *key = NULL;
    BIGNUM *x = number(k->d);
    MUST(BN_bn2nativepad(x, d, BYTES) == BYTES);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)(uintptr_t)k->q, POINT),
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, d, BYTES), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(NULL, "SM2", NULL);
    MUST(c && EVP_PKEY_fromdata_init(c) > 0 && EVP_PKEY_fromdata(c, &key, EVP_PKEY_KEYPAIR, params) > 0);
    EVP_PKEY_CTX_free(c);
    BN_free(x);
    return key;
}

/* A signing or verifying context with an ID of at least one byte. */
static EVP_MD_CTX *peer_context(EVP_PKEY *key, int verify, const uint8_t *id, size_t id_len) {
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    EVP_PKEY_CTX *p = EVP_PKEY_CTX_new(key, NULL);
    MUST(c && p && EVP_PKEY_CTX_set1_id(p, id, (int)id_len) > 0);
    EVP_MD_CTX_set_pkey_ctx(c, p);
    MUST((verify ? EVP_DigestVerifyInit : EVP_DigestSignInit)(c, NULL, EVP_sm3(), NULL, key) > 0);
    return c;
}
static void peer_context_free(EVP_MD_CTX *c) {
    EVP_PKEY_CTX *p = EVP_MD_CTX_get_pkey_ctx(c);
    EVP_MD_CTX_free(c);
    EVP_PKEY_CTX_free(p);
}

static void sign_beside(EVP_PKEY *peer, const struct pair *k, const uint64_t *prepared, const uint8_t *id,
                        size_t id_len, const uint8_t *msg, size_t len) {
    uint8_t sig[3][SIG], e[32], der[80];
    limbic_sm2_signer signer;
    const size_t size = limbic_ec_prepared_bytes(LIMBIC_SM2);

    MUST(!limbic_sm2_signer_init(&signer, k->d, BYTES, id, id_len));
    MUST(!limbic_sm2_digest(e, 32, id, id_len, k->q, POINT, msg, len));
    check(!limbic_sm2_sign(sig[0], SIG, k->d, BYTES, id, id_len, msg, len) &&
              !limbic_sm2_signer_sign(&signer, sig[1], SIG, msg, len) &&
              !limbic_sm2_sign_digest(sig[2], SIG, k->d, BYTES, e, 32),
          "signatures of %zu bytes", len);
    check(memcmp(sig[0], sig[1], SIG) != 0 && memcmp(sig[1], sig[2], SIG) != 0, "every nonce is another");
    for (int i = 0; i < 3; i++) {
        size_t n = sizeof der;
        EVP_MD_CTX *c = peer_context(peer, 1, id, id_len);
        MUST(!limbic_ecdsa_sig_to_der(LIMBIC_SM2, der, &n, sig[i], SIG));
        check(EVP_DigestVerify(c, der, n, msg, len) == 1, "libcrypto verifies %d: %zu bytes, ID of %zu", i,
              len, id_len);
        peer_context_free(c);
    }
    size_t n = sizeof der;
    EVP_MD_CTX *c = peer_context(peer, 0, id, id_len);
    MUST(EVP_DigestSign(c, der, &n, msg, len) > 0);
    peer_context_free(c);
    MUST(!limbic_ecdsa_sig_from_der(LIMBIC_SM2, sig[0], SIG, der, n));
    for (int i = 0; i < 2; i++) { /* as it is, then with a bit changed */
        limbic_status want = i ? LIMBIC_ERR_SIGNATURE : LIMBIC_OK;
        check(limbic_sm2_verify(sig[0], SIG, k->q, POINT, id, id_len, msg, len) == want &&
                  limbic_sm2_verify_digest(sig[0], SIG, k->q, POINT, e, 32) == want &&
                  limbic_sm2_verify_prepared(prepared, size, sig[0], SIG, id, id_len, msg, len) == want &&
                  limbic_sm2_verify_digest_prepared(prepared, size, sig[0], SIG, e, 32) == want,
              "libcrypto's signature of %zu bytes, changed: %d", len, i);
        sig[0][8 + len % 24] ^= (uint8_t)(1 << len % 8);
    }
    limbic_sm2_signer_wipe(&signer);
}

/* Every signature that libcrypto and this library make is valid to the other; IDs of all lengths. */
static void signatures(const size_t *lengths, size_t count) {
    static uint64_t prepared[1 << 16];
    static uint8_t msg[1 << 20], id[LIMBIC_SM2_MAX_ID_BYTES + 1];
    static const size_t ids[] = {1, 16, 31, 32, 8190}; /* libcrypto refuses 8191 */
    struct pair k;
    make(&k);
    EVP_PKEY *peer = peer_of(&k);
    fill(msg, sizeof msg, 1);
    fill(id, sizeof id, 2);
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, limbic_ec_prepared_bytes(LIMBIC_SM2), k.q, POINT));
    for (size_t i = 0; i < count; i++)
        sign_beside(peer, &k, prepared, ID(id16), msg, lengths[i]);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        sign_beside(peer, &k, prepared, id, ids[i], msg, 100);

    /* no ID is the default; the empty ID is another */
    uint8_t z[3][32], sig[SIG], want[32], compressed[33];
    size_t n = sizeof compressed;
    check(!limbic_sm2_z(z[0], 32, NULL, 0, k.q, POINT) && !limbic_sm2_z(z[1], 32, ID(id16), k.q, POINT) &&
              !limbic_sm2_z(z[2], 32, id, 0, k.q, POINT) && !memcmp(z[0], z[1], 32) &&
              memcmp(z[0], z[2], 32) != 0,
          "Z: no ID, the default ID, the empty ID");
    for (size_t i = 0; i < 2; i++) { /* from its parts */
        static uint8_t in[2 + LIMBIC_SM2_MAX_ID_BYTES + 6 * 32];
        const size_t len = i ? LIMBIC_SM2_MAX_ID_BYTES : 0;
        in[0] = i ? 0xff : 0; /* 8 * 8191 = fff8 */
        in[1] = i ? 0xf8 : 0;
        memcpy(in + 2, id, len);
        hex(in + 2 + len, 128,
            "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc"
            "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93"
            "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
            "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0");
        memcpy(in + 2 + len + 128, k.q + 1, 64);
        MUST(!limbic_digest(LIMBIC_SM3, want, 32, in, 2 + len + 192));
        check(!limbic_sm2_z(z[1], 32, id, len, k.q, POINT) && !memcmp(z[1], want, 32),
              "Z of an ID of %zu bytes", len);
    }
    MUST(!limbic_ec_convert(LIMBIC_SM2, LIMBIC_COMPRESSED, compressed, &n, k.q, POINT));
    check(!limbic_sm2_z(want, 32, NULL, 0, compressed, 33) && !memcmp(z[0], want, 32),
          "Z of a compressed key");
    check(!limbic_sm2_sign(sig, SIG, k.d, BYTES, id, 0, msg, 5) &&
              !limbic_sm2_verify(sig, SIG, k.q, POINT, id, 0, msg, 5) &&
              !limbic_sm2_verify(sig, SIG, compressed, 33, id, 0, msg, 5) &&
              limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 0, msg, 5) == LIMBIC_ERR_SIGNATURE,
          "the empty ID is none but itself");
    /* e itself and a message of 32 bytes are not the same */
    MUST(!limbic_sm2_sign_digest(sig, SIG, k.d, BYTES, msg, 32));
    check(!limbic_sm2_verify_digest(sig, SIG, k.q, POINT, msg, 32) &&
              limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 0, msg, 32) == LIMBIC_ERR_SIGNATURE,
          "a signature of e is none of the message e");
    EVP_PKEY_free(peer);
}

/* Encryption for libcrypto and its own, of one length. The text lies at an odd address. */
static void encrypt_beside(EVP_PKEY *peer, const struct pair *k, size_t len) {
    uint8_t *msg = take(len), *out = take(len + ROOM + 1), *text = take(len + ROOM);
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(peer, NULL);
    fill(msg, len, (unsigned)len);
    for (int i = 0; i < FORMS; i++) {
        size_t n = limbic_sm2_ciphertext_bytes(forms[i], len), bound = n, der = len + ROOM, m = len + ROOM;
        check(!limbic_sm2_encrypt(forms[i], out + 1, &n, k->q, POINT, msg, len) && n <= bound &&
                  (forms[i] == LIMBIC_SM2_DER ? n >= bound - 16 : n == bound && n == len + OVERHEAD),
              "encryption of %zu bytes, form %d: %zu bytes", len, i, n);
        if (forms[i] == LIMBIC_SM2_DER) {
            MUST(EVP_PKEY_decrypt_init(c) > 0);
            check(EVP_PKEY_decrypt(c, text, &m, out + 1, n) > 0 && m == len && !memcmp(text, msg, len),
                  "libcrypto decrypts %zu bytes", len);
        }
        m = len; /* no byte more */
        memset(text, 0xa5, len + ROOM);
        check(!limbic_sm2_decrypt(forms[i], text, &m, k->d, BYTES, out + 1, n) && m == len &&
                  !memcmp(text, msg, len) && all(text + len, ROOM, 0xa5),
              "decryption of %zu bytes, form %d", len, i);
        MUST(EVP_PKEY_encrypt_init(c) > 0);
        do { /* until its key stream is not all zero, which it does not look for */
            der = len + ROOM;
            MUST(EVP_PKEY_encrypt(c, text, &der, msg, len) > 0);
        } while (!memcmp(text + der - len, msg, len));
        n = len + ROOM;
        m = len + ROOM;
        check(!limbic_sm2_convert(forms[i], out + 1, &n, LIMBIC_SM2_DER, text, der) &&
                  !limbic_sm2_decrypt(forms[i], text, &m, k->d, BYTES, out + 1, n) && m == len &&
                  !memcmp(text, msg, len),
              "libcrypto's ciphertext of %zu bytes, form %d", len, i);
    }
    EVP_PKEY_CTX_free(c);
    free(msg);
    free(out);
    free(text);
}

static void encryption(const size_t *lengths, size_t count) {
    struct pair k;
    make(&k);
    EVP_PKEY *peer = peer_of(&k);
    for (size_t i = 0; i < count; i++)
        encrypt_beside(peer, &k, lengths[i]);
    EVP_PKEY_free(peer);
}

static void sixteen_mebibytes(void) {
    const size_t len = ((size_t)1 << 24) + 1;
    struct pair k;
    uint8_t *b = take(len + ROOM), *want = take(len);
    size_t n = len + ROOM, m = len + ROOM, o = len;
    make(&k);
    EVP_PKEY *peer = peer_of(&k);
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(peer, NULL);
    fill(want, len, 3);
    memcpy(b, want, len);
    check(!limbic_sm2_encrypt(LIMBIC_SM2_DER, b, &n, k.q, POINT, b, len), "16 MiB + 1, in place");
    uint8_t *text = take(len);
    MUST(EVP_PKEY_decrypt_init(c) > 0);
    check(EVP_PKEY_decrypt(c, text, &o, b, n) > 0 && o == len && !memcmp(text, want, len),
          "16 MiB + 1: libcrypto decrypts");
    free(text);
    check(!limbic_sm2_decrypt(LIMBIC_SM2_DER, b, &m, k.d, BYTES, b, n) && m == len && !memcmp(b, want, len),
          "16 MiB + 1 back, in place");
    EVP_PKEY_CTX_free(c);
    EVP_PKEY_free(peer);
    free(b);
    free(want);
}

/* ---- special values ---- */

static void special_signatures(void) {
    struct pair k;
    uint8_t nonce[BYTES], x1[BYTES], e[BYTES], r[BYTES], s[BYTES], sig[SIG + 8], one[BYTES], t[BYTES],
        zero[BYTES], point[POINT];
    make(&k);
    small_number(zero, 0);
    small_number(one, 1);
    memset(nonce, 0x5a, BYTES);
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, point, POINT, nonce, BYTES));
    memcpy(x1, point + 1, BYTES);
    mod_n(x1, x1, '+', zero);
#define SIGN(nonce_) limbic_sm2_sign_digest_with_nonce(sig, SIG, k.d, BYTES, e, 32, nonce_, BYTES)
    mod_n(e, zero, '-', x1);
    REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, sig, SIGN(nonce)); /* r = 0 */
    mod_n(e, e, '-', nonce);
    REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, sig, SIGN(nonce)); /* r + k = n */
    mod_n(r, nonce, '/', k.d);
    mod_n(e, r, '-', x1);
    REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, sig, SIGN(nonce)); /* s = 0 */
    e[0] ^= 1;
    check(!SIGN(nonce) && !limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 32), "beside the special e");
    /* nonces 1, n - 1 serve, 0, n, all ones do not */
    memset(e, 0x77, BYTES);
    mod_n(nonce, zero, '-', one);
    check(!SIGN(one) && !limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 32), "nonce 1");
    check(!SIGN(nonce) && !limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 32), "nonce n - 1");
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig, SIGN(zero));
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig, SIGN(order));
    memset(nonce, 0xff, BYTES);
    REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig, SIGN(nonce));
    /* every e, below the order or not: 0, n, n + 1, all ones */
    for (int i = 0; i < 4; i++) {
        memcpy(e, i == 0 ? zero : order, BYTES);
        e[BYTES - 1] = (uint8_t)(e[BYTES - 1] + (i == 2));
        if (i == 3)
            memset(e, 0xff, BYTES);
        check(!SIGN(one) && !limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 32), "e number %d", i);
        mod_n(r, e, '+', zero);
        mod_n(t, one, '+', zero);
        MUST(!limbic_ec_base_mul(LIMBIC_SM2, point, POINT, one, BYTES));
        mod_n(t, point + 1, '+', r);
        check(!memcmp(sig, t, BYTES), "r = e + x1 mod n, e number %d", i);
    }
    /* keys: n - 2 signs; 0, n - 1, n do not */
    struct pair last;
    mod_n(last.d, zero, '-', one);
    mod_n(last.d, last.d, '-', one);
    MUST(!limbic_ec_public_key(LIMBIC_SM2, last.q, POINT, last.d, BYTES));
    check(!limbic_sm2_sign(sig, SIG, last.d, BYTES, NULL, 0, e, 3) &&
              !limbic_sm2_verify(sig, SIG, last.q, POINT, NULL, 0, e, 3),
          "key n - 2");
    for (int i = 0; i < 4; i++) {
        uint8_t d[BYTES + 1], out[2 * ROOM];
        limbic_sm2_signer signer;
        size_t room = sizeof out;
        memcpy(d, i == 0 ? zero : order, BYTES);
        d[BYTES - 1] = (uint8_t)(d[BYTES - 1] - (i == 1));
        if (i == 3)
            memset(d, 0xff, BYTES);
        REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig, limbic_sm2_sign(sig, SIG, d, BYTES, NULL, 0, e, 3));
        REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig, limbic_sm2_sign_digest(sig, SIG, d, BYTES, e, 32));
        REFUSED(LIMBIC_ERR_PRIVATE_KEY, sig,
                limbic_sm2_sign_digest_with_nonce(sig, SIG, d, BYTES, e, 32, one, BYTES));
        REFUSED_N(LIMBIC_ERR_PRIVATE_KEY, &signer, sizeof signer,
                  limbic_sm2_signer_init(&signer, d, BYTES, NULL, 0));
        uint8_t c[ROOM];
        size_t n = sizeof c;
        MUST(!limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, c, &n, k.q, POINT, e, 3));
        REFUSED(LIMBIC_ERR_PRIVATE_KEY, out,
                limbic_sm2_decrypt(LIMBIC_SM2_C1C3C2, out, &room, d, BYTES, c, n));
        for (int which = 0; which < 2; which++) {
            limbic_sm2_exchange x = {
                0, which ? k.d : d, which ? d : k.d, k.q, k.q, POINT, POINT, NULL, NULL, 0, 0};
            REFUSED(LIMBIC_ERR_PRIVATE_KEY, out, limbic_sm2_exchange_key(&x, out, 16, out + 100, out + 200));
        }
    }
    /* a signature out of range, and r + s = n */
    static uint64_t prepared[1 << 16];
    const size_t size = limbic_ec_prepared_bytes(LIMBIC_SM2);
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, size, k.q, POINT));
    MUST(!limbic_sm2_sign_digest(sig, SIG, k.d, BYTES, e, 32));
#define VERIFY(want, what, number_)                                                                          \
    check(limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 32) == (want) &&                                 \
              limbic_sm2_verify_digest_prepared(prepared, size, sig, SIG, e, 32) == (want),                  \
          "%s %d", what, number_)
    for (int i = 0; i < 8; i++) {
        uint8_t keep[BYTES], *half = sig + (i & 1 ? BYTES : 0);
        memcpy(keep, half, BYTES);
        memcpy(half, i >> 1 ? order : zero, BYTES);
        if (i >> 1 == 2) /* r + n or s + n is the same number mod n */
            half[BYTES - 1]++;
        if (i >> 1 == 3)
            memset(half, 0xff, BYTES);
        VERIFY(LIMBIC_ERR_SIGNATURE_RANGE, "out of range", i);
        memcpy(half, keep, BYTES);
    }
    VERIFY(LIMBIC_OK, "unchanged", 0);
    memcpy(r, sig, BYTES);
    memcpy(s, sig + BYTES, BYTES);
    mod_n(sig + BYTES, zero, '-', r);
    VERIFY(LIMBIC_ERR_SIGNATURE, "r + s = n", 0);
    /* that with the e for which s G + 0 Q has the right x */
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, point, POINT, sig + BYTES, BYTES));
    mod_n(e, r, '-', point + 1);
    VERIFY(LIMBIC_ERR_SIGNATURE, "r + s = n, x1 right", 0);
    memcpy(sig, s, BYTES);
    memcpy(sig + BYTES, r, BYTES);
    VERIFY(LIMBIC_ERR_SIGNATURE, "r and s exchanged", 0);
}

/* x1 in [n, p - 1]: no nonce meets it by chance. A point with such an x, and the key of a signature that ends there. */
static void large_x(void) {
    static uint64_t prepared[1 << 16];
    const size_t size = limbic_ec_prepared_bytes(LIMBIC_SM2);
    uint8_t p[33], r[BYTES], s[BYTES], t[BYTES], e[BYTES], sig[SIG], q[POINT], a[POINT], full[POINT],
        small[BYTES];
    size_t n = sizeof full;
    unsigned k = 0;
    for (;; k++) { /* x = n + k */
        small_number(small, k);
        p[0] = 2;
        BIGNUM *x = number(small);
        MUST(BN_add(x, x, n_));
        bytes_of(p + 1, x);
        BN_free(x);
        if (!limbic_ec_check_public(LIMBIC_SM2, p, sizeof p))
            break;
    }
    MUST(!limbic_ec_convert(LIMBIC_SM2, LIMBIC_UNCOMPRESSED, full, &n, p, sizeof p));
    memset(s, 0x21, BYTES);
    memset(t, 0x43, BYTES);
    mod_n(r, t, '-', s);
    mod_n(e, r, '-', small); /* r = e + x1 mod n */
    /* Q = (P - s G)/t */
    small_number(a, 0);
    mod_n(a, a, '-', s);
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, q, POINT, a, BYTES) &&
         !limbic_ec_add(LIMBIC_SM2, q, POINT, q, POINT, full, POINT));
    small_number(a, 1);
    mod_n(a, a, '/', t);
    MUST(!limbic_ec_mul(LIMBIC_SM2, q, POINT, a, BYTES, q, POINT));
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, size, q, POINT));
    memcpy(sig, r, BYTES);
    memcpy(sig + BYTES, s, BYTES);
    for (int i = 0; i < 2; i++) {
        limbic_status want = i ? LIMBIC_ERR_SIGNATURE : LIMBIC_OK;
        check(limbic_sm2_verify_digest(sig, SIG, q, POINT, e, 32) == want &&
                  limbic_sm2_verify_digest_prepared(prepared, size, sig, SIG, e, 32) == want,
              "x1 = n + %u, e off by %d", k, i);
        small_number(a, 1);
        mod_n(e, e, '+', a);
    }
    /* P = infinity: s G + t Q with Q = -(s/t) G */
    small_number(a, 0);
    mod_n(a, a, '-', s);
    mod_n(a, a, '/', t);
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, q, POINT, a, BYTES));
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, size, q, POINT));
    memcpy(e, r, BYTES); /* x = 0 */
    check(limbic_sm2_verify_digest(sig, SIG, q, POINT, e, 32) == LIMBIC_ERR_SIGNATURE &&
              limbic_sm2_verify_digest_prepared(prepared, size, sig, SIG, e, 32) == LIMBIC_ERR_SIGNATURE,
          "s G + t Q infinite");
}

/* The first bytes of the key stream of nonce k, and (x2, y2), by other means. */
static void stream_of(uint8_t *stream, uint8_t *xy, const uint8_t *k, const uint8_t *q) {
    uint8_t in[68] = {0}, point[POINT];
    MUST(!limbic_ec_mul(LIMBIC_SM2, point, POINT, k, BYTES, q, POINT));
    memcpy(in, point + 1, 64);
    in[67] = 1;
    memcpy(xy, point + 1, 64);
    MUST(!limbic_digest(LIMBIC_SM3, stream, 32, in, sizeof in));
}

static void zero_streams(void) {
    struct pair k;
    uint8_t list[4 * BYTES], stream[32], xy[64], out[ROOM], want[ROOM], msg[2] = {0xc3, 0x3c}, in[65];
    unsigned i = 0;
    make(&k);
    do {
        small_number(list + BYTES, ++i);
        stream_of(stream, xy, list + BYTES, k.q);
    } while (stream[0] != 0 || stream[1] == 0);
    memset(list, 0,
           BYTES); /* out of range, then a stream of zeros, then out of range, then one that serves */
    memcpy(list + 2 * BYTES, order, BYTES);
    do
        small_number(list + 3 * BYTES, ++i);
    while (stream_of(stream, in, list + 3 * BYTES, k.q), stream[0] == 0);
    for (int f = 0; f < FORMS; f++) {
        size_t n = sizeof out, m = sizeof want;
        check(!limbic_sm2_encrypt_with_nonces(forms[f], out, &n, k.q, POINT, msg, 1, list, sizeof list) &&
                  !limbic_sm2_encrypt_with_nonces(forms[f], want, &m, k.q, POINT, msg, 1, list + 3 * BYTES,
                                                  BYTES) &&
                  n == m && !memcmp(out, want, n),
              "form %d: the fourth nonce is the first that serves", f);
        n = sizeof out;
        REFUSED(LIMBIC_ERR_RANDOM, out,
                limbic_sm2_encrypt_with_nonces(forms[f], out, &n, k.q, POINT, msg, 1, list, 4 * BYTES - 1));
        check(n == sizeof out, "form %d: length untouched", f);
        /* two bytes, of which one is not zero, are no stream of zeros */
        check(!limbic_sm2_encrypt_with_nonces(forms[f], out, &n, k.q, POINT, msg, 2, list + BYTES, BYTES),
              "form %d: a stream that begins with a zero", f);
        m = sizeof want;
        check(!limbic_sm2_decrypt(forms[f], want, &m, k.d, BYTES, out, n) && m == 2 && !memcmp(want, msg, 2),
              "form %d: and back", f);
    }
    /* a ciphertext with a right hash and a stream of zeros */
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, out, POINT, list + BYTES, BYTES));
    memcpy(in, xy, 32);
    in[32] = msg[0];
    memcpy(in + 33, xy + 32, 32);
    MUST(!limbic_digest(LIMBIC_SM3, out + POINT, 32, in, sizeof in));
    out[OVERHEAD] = msg[0];
    for (int f = 0; f < FORMS; f++) {
        size_t n = sizeof want, m = ROOM;
        uint8_t text[ROOM];
        MUST(!limbic_sm2_convert(forms[f], want, &n, LIMBIC_SM2_C1C3C2, out, OVERHEAD + 1));
        REFUSED(LIMBIC_ERR_DECRYPT, text, limbic_sm2_decrypt(forms[f], text, &m, k.d, BYTES, want, n));
        check(m == ROOM, "form %d: length untouched", f);
    }
    /* the system's bytes: refused at once, and drawn again above the order */
    size_t n = sizeof out;
    random_mode = REFUSE;
    REFUSED(LIMBIC_ERR_RANDOM, out, limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, out, &n, k.q, POINT, msg, 2));
    random_mode = ONES;
    check(!limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, out, &n, k.q, POINT, msg, 2) && random_mode == SYSTEM,
          "a nonce above the order is drawn again");
    /* in place: the message is still there when there are no random bytes */
    memcpy(out, msg, 2);
    random_mode = REFUSE;
    n = sizeof out;
    check(limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, out, &n, k.q, POINT, out, 2) == LIMBIC_ERR_RANDOM &&
              !memcmp(out, msg, 2),
          "the message is left in place");
    random_mode = SYSTEM;
}

/* ---- faults ---- */

static void bad_ciphertexts(void) {
    struct pair k, other;
    uint8_t msg[20], c[FORMS][ROOM], bad[ROOM + 8], out[ROOM];
    size_t n[FORMS];
    make(&k);
    make(&other);
    fill(msg, sizeof msg, 9);
    for (int f = 0; f < FORMS; f++) {
        do { /* none whose x1 begins with a form's byte */
            n[f] = ROOM;
            MUST(!limbic_sm2_encrypt(forms[f], c[f], &n[f], k.q, POINT, msg, sizeof msg));
        } while (c[f][1] == 4);
    }
#define DECRYPT(want, form, in, len)                                                                         \
    do {                                                                                                     \
        size_t m_ = sizeof out;                                                                              \
        REFUSED(want, out, limbic_sm2_decrypt(form, out, &m_, k.d, BYTES, in, len));                         \
        check(m_ == sizeof out, "line %d: length untouched", __LINE__);                                      \
    } while (0)
    for (int f = 0; f < FORMS; f++) {
        /* each bit, each shorter length */
        for (size_t i = 0; i < 8 * n[f]; i += i % 8 == 7 || f == 0 ? 1 : 7) {
            size_t m = sizeof out;
            memcpy(bad, c[f], n[f]);
            bad[i / 8] ^= (uint8_t)(1 << i % 8);
            memset(out, 0xa5, sizeof out);
            limbic_status s = limbic_sm2_decrypt(forms[f], out, &m, k.d, BYTES, bad, n[f]);
            check(s && m == sizeof out && all(out, sizeof out, 0xa5), "form %d: bit %zu changed, status %d",
                  f, i, (int)s);
            if (forms[f] != LIMBIC_SM2_DER)
                check(s == (i < 8                        ? LIMBIC_ERR_POINT_FORM
                            : i / 8 >= POINT             ? LIMBIC_ERR_DECRYPT
                            : s == LIMBIC_ERR_COORDINATE ? s
                                                         : LIMBIC_ERR_NOT_ON_CURVE),
                      "form %d: bit %zu changed: status %d", f, i, (int)s);
        }
        for (size_t i = 0; i < n[f]; i++) {
            uint8_t *cut = take(i); /* a read beyond the end is seen by sanitizers */
            memcpy(cut, c[f], i);
            limbic_status want = forms[f] == LIMBIC_SM2_DER ? LIMBIC_ERR_DER
                                 : i <= OVERHEAD            ? LIMBIC_ERR_LENGTH
                                                            : LIMBIC_ERR_DECRYPT;
            DECRYPT(want, forms[f], cut, i);
            free(cut);
        }
        /* the same change in two bytes of the hash, which a sum of differences would not show */
        const size_t hash = forms[f] == LIMBIC_SM2_C1C2C3   ? n[f] - 32
                            : forms[f] == LIMBIC_SM2_C1C3C2 ? POINT
                                                            : n[f] - sizeof msg - 2 - 32;
        memcpy(bad, c[f], n[f]);
        bad[hash] ^= 0x40;
        bad[hash + 31] ^= 0x40;
        DECRYPT(LIMBIC_ERR_DECRYPT, forms[f], bad, n[f]);
        memcpy(bad, c[f], n[f]);
        bad[n[f]] = 0;
        DECRYPT(forms[f] == LIMBIC_SM2_DER ? LIMBIC_ERR_DER : LIMBIC_ERR_DECRYPT, forms[f], bad, n[f] + 1);
        size_t m = sizeof out;
        REFUSED(LIMBIC_ERR_DECRYPT, out, limbic_sm2_decrypt(forms[f], out, &m, other.d, BYTES, c[f], n[f]));
    }
    /* one form for another */
    DECRYPT(LIMBIC_ERR_DECRYPT, LIMBIC_SM2_C1C2C3, c[0], n[0]);
    DECRYPT(LIMBIC_ERR_DECRYPT, LIMBIC_SM2_C1C3C2, c[1], n[1]);
    DECRYPT(LIMBIC_ERR_DER, LIMBIC_SM2_DER, c[0], n[0]);
    DECRYPT(LIMBIC_ERR_POINT_FORM, LIMBIC_SM2_C1C3C2, c[2], n[2]);
    DECRYPT(LIMBIC_ERR_POINT_FORM, LIMBIC_SM2_C1C3C2, c[0] + 1, n[0] - 1); /* no 04 */
    /* C1: infinity, compressed and hybrid forms, (0, 0), x = p, y = p */
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 7; i++) {
            limbic_status want = i < 4    ? LIMBIC_ERR_POINT_FORM
                                 : i == 4 ? LIMBIC_ERR_NOT_ON_CURVE
                                          : LIMBIC_ERR_COORDINATE;
            static const uint8_t first[] = {0, 2, 3, 6};
            memcpy(bad, c[f], n[f]);
            if (i < 4)
                bad[0] = first[i];
            else if (i == 4)
                memset(bad + 1, 0, 64);
            else
                memcpy(bad + (i == 5 ? 1 : 33), prime, BYTES);
            DECRYPT(want, forms[f], bad, n[f]);
            size_t m = sizeof out;
            REFUSED(want, out, limbic_sm2_convert(LIMBIC_SM2_DER, out, &m, forms[f], bad, n[f]));
        }
}

/* A DER ciphertext from parts as they stand: two INTEGERs' contents, hash, text. */
struct der_parts {
    const uint8_t *part[4];
    size_t n[4];
};
static size_t der_of(uint8_t *out, const struct der_parts *p) {
    uint8_t *at = out + 3;
    for (int i = 0; i < 4; i++) {
        *at++ = i < 2 ? 2 : 4;
        MUST(p->n[i] < 0x80);
        *at++ = (uint8_t)p->n[i];
        if (p->n[i])
            memcpy(at, p->part[i], p->n[i]);
        at += p->n[i];
    }
    size_t n = (size_t)(at - out) - 3;
    out[0] = 0x30;
    out[1] = 0x81;
    out[2] = (uint8_t)n;
    if (n < 0x80) {
        out[1] = (uint8_t)n;
        memmove(out + 2, out + 3, n);
    }
    return n + (n < 0x80 ? 2 : 3);
}

static void bad_der(void) {
    struct pair k;
    uint8_t raw[ROOM], number_[2][35] = {{0}}, der[2 * ROOM], out[ROOM], hash[33] = {0}, text[41] = {0};
    size_t n = sizeof raw;
    make(&k);
    fill(out, 40, 4);
    /* C1 with the top bits of x and y set, so that each takes a byte 00 before it */
    do {
        n = sizeof raw;
        MUST(!limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, raw, &n, k.q, POINT, out, 40));
    } while (raw[1] < 0x80 || raw[33] < 0x80);
    memcpy(number_[0] + 2, raw + 1, 32);
    memcpy(number_[1] + 2, raw + 33, 32);
    memcpy(hash, raw + POINT, 32);
    memcpy(text, raw + OVERHEAD, 40);
    const struct der_parts good = {{number_[0] + 1, number_[1] + 1, hash, text}, {33, 33, 32, 40}};
    size_t m = sizeof out, len = der_of(der, &good);
    check(!limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len) && m == 40,
          "DER from its parts");
    static const struct {
        const char *what;
        size_t n[4];
        int back; /* where INTEGERs begin: less zeros than they need, or more */
        limbic_status want;
    } cases[] = {
        {"negative x", {32, 33, 32, 40}, 2, LIMBIC_ERR_DER},
        {"two zeros before x", {34, 33, 32, 40}, 0, LIMBIC_ERR_DER},
        {"no x", {0, 33, 32, 40}, 1, LIMBIC_ERR_DER},
        {"x = 0", {1, 33, 32, 40}, 1, LIMBIC_ERR_NOT_ON_CURVE},
        {"y = 0", {33, 1, 32, 40}, 1, LIMBIC_ERR_NOT_ON_CURVE},
        {"hash of 31 bytes", {33, 33, 31, 40}, 1, LIMBIC_ERR_DER},
        {"hash of 33 bytes", {33, 33, 33, 40}, 1, LIMBIC_ERR_DER},
        {"no hash", {33, 33, 0, 40}, 1, LIMBIC_ERR_DER},
        {"no text", {33, 33, 32, 0}, 1, LIMBIC_ERR_LENGTH},
        {"text of 39 bytes", {33, 33, 32, 39}, 1, LIMBIC_ERR_DECRYPT},
        {"text of 41 bytes", {33, 33, 32, 41}, 1, LIMBIC_ERR_DECRYPT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct der_parts p = good;
        p.part[0] = number_[0] + cases[i].back;
        memcpy(p.n, cases[i].n, sizeof p.n);
        len = der_of(der, &p);
        m = sizeof out;
        memset(out, 0xa5, sizeof out);
        limbic_status s = limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len);
        check(s == cases[i].want && all(out, sizeof out, 0xa5) && m == sizeof out, "DER: %s: status %d",
              cases[i].what, (int)s);
    }
    /* coordinates p, and of 33 bytes */
    for (int i = 0; i < 4; i++) {
        uint8_t large[34] = {0};
        struct der_parts p = good;
        memcpy(large + 1, prime, BYTES);
        if (i >= 2)
            large[0] = 1;
        p.part[i % 2] = large;
        p.n[i % 2] = 33;
        len = der_of(der, &p);
        m = sizeof out;
        REFUSED(LIMBIC_ERR_COORDINATE, out,
                limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len));
    }
    /* an element after the text, inside the SEQUENCE; other tags; a SET */
    len = der_of(der, &good);
    der[len] = 5;
    der[len + 1] = 0;
    der[2] = (uint8_t)(der[2] + 2);
    m = sizeof out;
    REFUSED(LIMBIC_ERR_DER, out, limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len + 2));
    static const size_t tags[] = {0, 3, 3 + 35, 3 + 70, 3 + 70 + 34};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        len = der_of(der, &good);
        der[tags[i]] ^= 1;
        REFUSED(LIMBIC_ERR_DER, out, limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len));
    }
    /* the text's length in a form that is longer than need be, and one beyond the address space */
    static const uint8_t lengths[][9] = {
        {0x81, 40}, {0x82, 0, 40}, {0x80}, {0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0xff}};
    static const size_t sizes[] = {2, 3, 1, 9, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        len = der_of(der, &good);
        size_t at = len - 41;
        memmove(der + at + sizes[i], der + at + 1, 40);
        memcpy(der + at, lengths[i], sizes[i]);
        der[2] = (uint8_t)(der[2] + sizes[i] - 1);
        REFUSED(LIMBIC_ERR_DER, out,
                limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &m, k.d, BYTES, der, len + sizes[i] - 1));
    }
    /* leading zeros of coordinates: a nonce for each of x1 and y1 with a byte less */
    int found[2] = {0, 0};
    for (unsigned i = 1; !found[0] || !found[1]; i++) {
        uint8_t nonce[BYTES], point[POINT], back[ROOM];
        small_number(nonce, i);
        MUST(!limbic_ec_base_mul(LIMBIC_SM2, point, POINT, nonce, BYTES));
        for (int j = 0; j < 2; j++) {
            if (point[1 + 32 * j] || found[j])
                continue;
            found[j] = 1;
            for (int f = 0; f < FORMS; f++) {
                size_t c = sizeof der;
                m = sizeof back;
                check(!limbic_sm2_encrypt_with_nonces(forms[f], der, &c, k.q, POINT, out, 50, nonce, BYTES) &&
                          !limbic_sm2_decrypt(forms[f], back, &m, k.d, BYTES, der, c) && m == 50 &&
                          !memcmp(back, out, 50),
                      "coordinate %d of C1 begins with 00, form %d", j, f);
                if (forms[f] == LIMBIC_SM2_DER)
                    check(c < limbic_sm2_ciphertext_bytes(LIMBIC_SM2_DER, 50), "shorter DER");
            }
        }
    }
}

static void arguments(void) {
    struct pair k;
    uint8_t out[1024], msg[40] = {1}, e[32] = {2}, sig[SIG], ct[ROOM], off[POINT];
    uint8_t long_id[LIMBIC_SM2_MAX_ID_BYTES + 1] = {0};
    static uint64_t prepared[1 << 16], other[1 << 16];
    const size_t size = limbic_ec_prepared_bytes(LIMBIC_SM2), p256 = limbic_ec_prepared_bytes(LIMBIC_P256);
    limbic_sm2_signer signer;
    size_t n = sizeof ct, room = sizeof out;

    make(&k);
    memcpy(off, k.q, POINT);
    off[64] ^= 1;
    MUST(!limbic_ec_prepare(LIMBIC_SM2, prepared, size, k.q, POINT));
    MUST(!limbic_sm2_sign(sig, SIG, k.d, BYTES, NULL, 0, msg, 40));
    MUST(!limbic_sm2_signer_init(&signer, k.d, BYTES, NULL, 0));
    MUST(!limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, ct, &n, k.q, POINT, msg, 40));

    /* Z, e */
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_z(NULL, 32, NULL, 0, k.q, POINT));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_z(out, 32, NULL, 1, k.q, POINT));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_z(out, 32, NULL, 0, NULL, POINT));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_z(out, 31, NULL, 0, k.q, POINT));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_z(out, 33, NULL, 0, k.q, POINT));
    REFUSED(LIMBIC_ERR_ID, out, limbic_sm2_z(out, 32, long_id, 8192, k.q, POINT));
    REFUSED(LIMBIC_ERR_ID, out, limbic_sm2_z(out, 32, long_id, SIZE_MAX, k.q, POINT));
    REFUSED(LIMBIC_ERR_NOT_ON_CURVE, out, limbic_sm2_z(out, 32, NULL, 0, off, POINT));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_z(out, 32, NULL, 0, k.q, POINT - 1));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_digest(NULL, 32, NULL, 0, k.q, POINT, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_digest(out, 32, NULL, 0, k.q, POINT, NULL, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_digest(out, 32, NULL, 0, NULL, POINT, msg, 40));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_digest(out, 64, NULL, 0, k.q, POINT, msg, 40));
    REFUSED(LIMBIC_ERR_ID, out, limbic_sm2_digest(out, 32, long_id, 8192, k.q, POINT, msg, 40));
    check(!limbic_sm2_digest(out, 32, NULL, 0, k.q, POINT, NULL, 0), "e of no message");

    /* signing */
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign(NULL, SIG, k.d, BYTES, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign(out, SIG, NULL, BYTES, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign(out, SIG, k.d, BYTES, NULL, 3, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign(out, SIG, k.d, BYTES, NULL, 0, NULL, 40));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign(out, SIG - 1, k.d, BYTES, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign(out, SIG + 1, k.d, BYTES, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign(out, SIG, k.d, BYTES - 1, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_ID, out, limbic_sm2_sign(out, SIG, k.d, BYTES, long_id, 8192, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign_digest(NULL, SIG, k.d, BYTES, e, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign_digest(out, SIG, NULL, BYTES, e, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_sign_digest(out, SIG, k.d, BYTES, NULL, 32));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign_digest(out, SIG, k.d, BYTES, e, 31));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign_digest(out, SIG, k.d, BYTES + 1, e, 32));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign_digest(out, 63, k.d, BYTES, e, 32));
    REFUSED(LIMBIC_ERR_NULL, out,
            limbic_sm2_sign_digest_with_nonce(out, SIG, k.d, BYTES, e, 32, NULL, BYTES));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_sign_digest_with_nonce(out, SIG, k.d, BYTES, e, 32, e, 31));
    REFUSED_N(LIMBIC_ERR_ID, &signer, sizeof signer,
              limbic_sm2_signer_init(&signer, k.d, BYTES, long_id, 8192));
    REFUSED_N(LIMBIC_ERR_NULL, &signer, sizeof signer, limbic_sm2_signer_init(&signer, NULL, BYTES, NULL, 0));
    REFUSED_N(LIMBIC_ERR_NULL, &signer, sizeof signer, limbic_sm2_signer_init(&signer, k.d, BYTES, NULL, 1));
    REFUSED_N(LIMBIC_ERR_LENGTH, &signer, sizeof signer, limbic_sm2_signer_init(&signer, k.d, 33, NULL, 0));
    check(limbic_sm2_signer_init(NULL, k.d, BYTES, NULL, 0) == LIMBIC_ERR_NULL, "no signer to make");
    REFUSED(LIMBIC_ERR_PREPARED, out, limbic_sm2_signer_sign(&signer, out, SIG, msg, 40)); /* never made */
    REFUSED(LIMBIC_ERR_PREPARED, out, limbic_sm2_signer_sign_digest(&signer, out, SIG, e, 32));
    MUST(!limbic_sm2_signer_init(&signer, k.d, BYTES, NULL, 0));
    limbic_sm2_signer copy = signer;
    check(!limbic_sm2_signer_sign(&copy, out, SIG, NULL, 0) &&
              !limbic_sm2_verify(out, SIG, k.q, POINT, NULL, 0, NULL, 0),
          "a copied signer, an empty message");
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_signer_sign(NULL, out, SIG, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_signer_sign(&signer, NULL, SIG, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_signer_sign(&signer, out, SIG, NULL, 40));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_signer_sign(&signer, out, 65, msg, 40));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_signer_sign_digest(NULL, out, SIG, e, 32));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_signer_sign_digest(&signer, out, SIG, NULL, 32));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_signer_sign_digest(&signer, out, SIG, e, 33));
    limbic_sm2_signer_wipe(&copy);
    limbic_sm2_signer_wipe(NULL);
    check(all((const uint8_t *)&copy, sizeof copy, 0), "a wiped signer has nothing left");
    REFUSED(LIMBIC_ERR_PREPARED, out, limbic_sm2_signer_sign(&copy, out, SIG, msg, 40));
    random_mode = REFUSE;
    REFUSED(LIMBIC_ERR_RANDOM, out, limbic_sm2_sign(out, SIG, k.d, BYTES, NULL, 0, msg, 40));
    REFUSED(LIMBIC_ERR_RANDOM, out, limbic_sm2_sign_digest(out, SIG, k.d, BYTES, e, 32));
    REFUSED(LIMBIC_ERR_RANDOM, out, limbic_sm2_signer_sign(&signer, out, SIG, msg, 40));
    /* a weak generator: two digests and two keys still have nonces of their own, so other r - e */
    uint8_t x1[3][BYTES], r[SIG];
    for (int i = 0; i < 3; i++) {
        struct pair second;
        random_mode = SYSTEM;
        make(&second);
        random_mode = ONES;
        e[0] = (uint8_t)(i == 1);
        MUST(!limbic_sm2_sign_digest(r, SIG, i == 2 ? second.d : k.d, BYTES, e, 32));
        mod_n(x1[i], r, '-', e);
    }
    random_mode = SYSTEM;
    check(memcmp(x1[0], x1[1], BYTES) != 0 && memcmp(x1[0], x1[2], BYTES) != 0,
          "the nonce depends on digest and key");

    /* verification */
#define OFF(want, call) check((call) == (want), "line %d: %s", __LINE__, #call)
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify(NULL, SIG, k.q, POINT, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify(sig, SIG, NULL, POINT, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 9, msg, 40));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 0, NULL, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify(sig, SIG - 1, k.q, POINT, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify(sig, SIG + 1, k.q, POINT, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify(sig, SIG, k.q, POINT - 1, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_NOT_ON_CURVE, limbic_sm2_verify(sig, SIG, off, POINT, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_ID, limbic_sm2_verify(sig, SIG, k.q, POINT, long_id, 8192, msg, 40));
    OFF(LIMBIC_ERR_SIGNATURE, limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 0, msg, 39));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify_digest(sig, SIG, NULL, POINT, e, 32));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify_digest(sig, SIG, k.q, POINT, NULL, 32));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify_digest(sig, SIG, k.q, POINT, e, 31));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify_digest(sig, 65, k.q, POINT, e, 32));
    OFF(LIMBIC_ERR_INFINITY, limbic_sm2_verify_digest(sig, SIG, (const uint8_t *)"", 1, e, 32));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify_prepared(NULL, size, sig, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify_prepared(prepared, size, NULL, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify_prepared(prepared, size - 8, sig, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify_prepared(prepared, size, sig, SIG + 1, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_ALIGNMENT,
        limbic_sm2_verify_prepared((const uint8_t *)prepared + 1, size, sig, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_PREPARED, limbic_sm2_verify_prepared(other, size, sig, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_ID, limbic_sm2_verify_prepared(prepared, size, sig, SIG, long_id, 8192, msg, 40));
    OFF(LIMBIC_ERR_NULL, limbic_sm2_verify_prepared(prepared, size, sig, SIG, NULL, 1, msg, 40));
    OFF(LIMBIC_ERR_LENGTH, limbic_sm2_verify_digest_prepared(prepared, size, sig, SIG, e, 31));
    struct pair nist;
    MUST(!limbic_ec_keygen(LIMBIC_P256, nist.d, BYTES, nist.q, POINT) &&
         !limbic_ec_prepare(LIMBIC_P256, other, p256, nist.q, POINT));
    OFF(LIMBIC_ERR_CURVE, limbic_sm2_verify_prepared(other, p256, sig, SIG, NULL, 0, msg, 40));
    OFF(LIMBIC_ERR_CURVE, limbic_sm2_verify_digest_prepared(other, p256, sig, SIG, e, 32));
    OFF(LIMBIC_ERR_NOT_ON_CURVE, limbic_sm2_verify(sig, SIG, nist.q, POINT, NULL, 0, msg, 40));

    /* encryption */
    const limbic_sm2_form none = (limbic_sm2_form)3;
    for (int f = 0; f < FORMS; f++) {
        limbic_sm2_form form = forms[f];
        const size_t need = limbic_sm2_ciphertext_bytes(form, 40);
        check(need == (form == LIMBIC_SM2_DER ? 3 + 35 + 35 + 34 + 2 + 40U : 40U + OVERHEAD),
              "room for 40 bytes");
        check(limbic_sm2_ciphertext_bytes(form, 0) == 0 && limbic_sm2_ciphertext_bytes(form, SIZE_MAX) == 0 &&
                  limbic_sm2_ciphertext_bytes(form, SIZE_MAX - OVERHEAD) == 0,
              "form %d: no room for an empty or an endless message", f);
#if SIZE_MAX > UINT32_MAX
        const size_t top = (size_t)32 * (UINT32_MAX - 1);
        check(limbic_sm2_ciphertext_bytes(form, top) > top && limbic_sm2_ciphertext_bytes(form, top + 1) == 0,
              "form %d: the longest message", f);
        REFUSED(LIMBIC_ERR_MESSAGE, out, limbic_sm2_encrypt(form, out, &room, k.q, POINT, msg, top + 1));
#endif
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_encrypt(form, NULL, &room, k.q, POINT, msg, 40));
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_encrypt(form, out, NULL, k.q, POINT, msg, 40));
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_encrypt(form, out, &room, NULL, POINT, msg, 40));
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_encrypt(form, out, &room, k.q, POINT, NULL, 40));
        REFUSED(LIMBIC_ERR_MESSAGE, out, limbic_sm2_encrypt(form, out, &room, k.q, POINT, msg, 0));
        REFUSED(LIMBIC_ERR_MESSAGE, out, limbic_sm2_encrypt(form, out, &room, k.q, POINT, NULL, 0));
        REFUSED(LIMBIC_ERR_MESSAGE, out, limbic_sm2_encrypt(form, out, &room, k.q, POINT, msg, SIZE_MAX));
        REFUSED(LIMBIC_ERR_NOT_ON_CURVE, out, limbic_sm2_encrypt(form, out, &room, off, POINT, msg, 40));
        REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_encrypt(form, out, &room, k.q, 0, msg, 40));
        REFUSED(LIMBIC_ERR_NULL, out,
                limbic_sm2_encrypt_with_nonces(form, out, &room, k.q, POINT, msg, 40, NULL, 32));
        check(room == sizeof out, "form %d: length untouched", f);
        size_t less = need - 1, nothing = 0;
        REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_encrypt(form, out, &less, k.q, POINT, msg, 40));
        REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_encrypt(form, NULL, &nothing, k.q, POINT, msg, 40));
        check(less == need && nothing == need, "form %d: the length that is needed", f);
        check(!limbic_sm2_encrypt(form, out, &less, k.q, POINT, msg, 40) && less <= need, "form %d: fits", f);

        less = need - 1;
        nothing = 0;
        REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_convert(form, out, &less, LIMBIC_SM2_C1C3C2, ct, n));
        REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_convert(form, NULL, &nothing, LIMBIC_SM2_C1C3C2, ct, n));
        check(less == need && nothing == need, "form %d: the length that is needed", f);
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_convert(form, NULL, &room, LIMBIC_SM2_C1C3C2, ct, n));
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_convert(form, out, NULL, LIMBIC_SM2_C1C3C2, ct, n));
        REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_convert(form, out, &room, LIMBIC_SM2_C1C3C2, NULL, n));
        REFUSED(LIMBIC_ERR_FORM, out, limbic_sm2_convert(form, out, &room, none, ct, n));
    }
    REFUSED(LIMBIC_ERR_FORM, out, limbic_sm2_convert(none, out, &room, LIMBIC_SM2_C1C3C2, ct, n));
    REFUSED(LIMBIC_ERR_FORM, out, limbic_sm2_encrypt(none, out, &room, k.q, POINT, msg, 40));
    check(limbic_sm2_ciphertext_bytes(none, 40) == 0, "no such form");
    REFUSED(LIMBIC_ERR_FORM, out, limbic_sm2_decrypt(none, out, &room, k.d, BYTES, ct, n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_decrypt(forms[0], NULL, &room, k.d, BYTES, ct, n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_decrypt(forms[0], out, NULL, k.d, BYTES, ct, n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_decrypt(forms[0], out, &room, NULL, BYTES, ct, n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_decrypt(forms[0], out, &room, k.d, BYTES, NULL, n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_decrypt(forms[0], out, &room, k.d, BYTES, NULL, 0));
    REFUSED(LIMBIC_ERR_DER, out, limbic_sm2_decrypt(LIMBIC_SM2_DER, out, &room, k.d, BYTES, NULL, 0));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_decrypt(forms[0], out, &room, k.d, 31, ct, n));
    check(room == sizeof out, "length untouched");
    size_t less = 39, nothing = 0;
    REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_decrypt(forms[0], out, &less, k.d, BYTES, ct, n));
    REFUSED(LIMBIC_ERR_BUFFER, out, limbic_sm2_decrypt(forms[0], NULL, &nothing, k.d, BYTES, ct, n));
    check(less == 40 && nothing == 40, "the length of the message");
    check(!limbic_sm2_decrypt(forms[0], out, &less, k.d, BYTES, ct, n) && !memcmp(out, msg, 40), "fits");
}

/* ---- overlap ---- */

/* Encryption, decryption and conversion with input and output at every distance up to one and a half ciphertexts. */
static void overlap_cipher(size_t len, size_t step) {
    const size_t reach = len + ROOM, size = 3 * reach;
    struct pair k;
    uint8_t *b = take(size), *msg = take(len), *c[FORMS], nonce[BYTES];
    size_t n[FORMS];
    memset(nonce, 0x33, BYTES);
    fill(msg, len, 5);
    c[0] = take(reach);
    do { /* of one byte, the key stream of one nonce is zero for one key in 256 */
        make(&k);
        n[0] = reach;
    } while (limbic_sm2_encrypt_with_nonces(forms[0], c[0], &n[0], k.q, POINT, msg, len, nonce, BYTES));
    for (int f = 1; f < FORMS; f++) {
        c[f] = take(reach);
        n[f] = reach;
        MUST(!limbic_sm2_encrypt_with_nonces(forms[f], c[f], &n[f], k.q, POINT, msg, len, nonce, BYTES));
    }
    for (size_t at = 0; at <= 2 * reach; at += step)
        for (int f = 0; f < FORMS; f++) {
            size_t m = reach;
            memset(b, 0xa5, size);
            memcpy(b + at, msg, len);
            check(!limbic_sm2_encrypt_with_nonces(forms[f], b + reach, &m, k.q, POINT, b + at, len, nonce,
                                                  BYTES) &&
                      m == n[f] && !memcmp(b + reach, c[f], m),
                  "form %d: encryption of %zu bytes, message at %zu of %zu", f, len, at, reach);
            m = reach;
            memset(b, 0xa5, size);
            memcpy(b + at, c[f], n[f]);
            check(!limbic_sm2_decrypt(forms[f], b + reach, &m, k.d, BYTES, b + at, n[f]) && m == len &&
                      !memcmp(b + reach, msg, len),
                  "form %d: decryption of %zu bytes, ciphertext at %zu of %zu", f, len, at, reach);
            for (int to = 0; to < FORMS; to++) {
                m = reach;
                memset(b, 0xa5, size);
                memcpy(b + at, c[f], n[f]);
                check(!limbic_sm2_convert(forms[to], b + reach, &m, forms[f], b + at, n[f]) && m == n[to] &&
                          !memcmp(b + reach, c[to], m),
                      "form %d to %d: %zu bytes, ciphertext at %zu of %zu", f, to, len, at, reach);
            }
            /* a changed ciphertext leaves the buffer as it was */
            memset(b, 0xa5, size);
            memcpy(b + at, c[f], n[f]);
            b[at + n[f] - 1] ^= 1;
            uint8_t *before = take(size);
            memcpy(before, b, size);
            m = reach;
            check(limbic_sm2_decrypt(forms[f], b + reach, &m, k.d, BYTES, b + at, n[f]) ==
                          LIMBIC_ERR_DECRYPT &&
                      !memcmp(before, b, size),
                  "form %d: refused over itself, at %zu", f, at);
            free(before);
        }
    /* the keys in the output's place */
    for (int f = 0; f < FORMS; f++)
        for (size_t at = 0; at < n[f]; at += 13) {
            size_t m = reach;
            memcpy(b + at, k.q, POINT);
            check(!limbic_sm2_encrypt_with_nonces(forms[f], b, &m, b + at, POINT, msg, len, nonce, BYTES) &&
                      !memcmp(b, c[f], m),
                  "form %d: ciphertext over the key at %zu", f, at);
            m = reach;
            memcpy(b + at, k.d, BYTES);
            check(!limbic_sm2_decrypt(forms[f], b, &m, b + at, BYTES, c[f], n[f]) && !memcmp(b, msg, len),
                  "form %d: message over the key at %zu", f, at);
        }
    for (int f = 0; f < FORMS; f++)
        free(c[f]);
    free(msg);
    free(b);
}

static void overlap_signature(void) {
    struct pair k;
    uint8_t b[400], z[32], want[32], msg[100], nonce[BYTES], sig[SIG];
    make(&k);
    fill(msg, sizeof msg, 6);
    memset(nonce, 0x44, BYTES);
    MUST(!limbic_sm2_z(z, 32, msg, 50, k.q, POINT) &&
         !limbic_sm2_digest(want, 32, msg, 50, k.q, POINT, msg, sizeof msg) &&
         !limbic_sm2_sign_digest_with_nonce(sig, SIG, k.d, BYTES, want, 32, nonce, BYTES));
    for (size_t at = 0; at <= 200; at += 3) {
#define OVER(from, len, call, result, result_len)                                                            \
    memset(b, 0, sizeof b);                                                                                  \
    memcpy(b + at, from, len);                                                                               \
    check(!(call) && !memcmp(b + 100, result, result_len), "line %d: overlap at %zu", __LINE__, at)
        OVER(k.q, POINT, limbic_sm2_z(b + 100, 32, msg, 50, b + at, POINT), z, 32);
        OVER(msg, 50, limbic_sm2_z(b + 100, 32, b + at, 50, k.q, POINT), z, 32);
        OVER(k.q, POINT, limbic_sm2_digest(b + 100, 32, msg, 50, b + at, POINT, msg, 100), want, 32);
        OVER(msg, 100, limbic_sm2_digest(b + 100, 32, b + at, 50, k.q, POINT, b + at, 100), want, 32);
        OVER(k.d, BYTES,
             limbic_sm2_sign_digest_with_nonce(b + 100, SIG, b + at, BYTES, want, 32, nonce, BYTES), sig,
             SIG);
        OVER(want, 32, limbic_sm2_sign_digest_with_nonce(b + 100, SIG, k.d, BYTES, b + at, 32, nonce, BYTES),
             sig, SIG);
        memcpy(b + at, msg, 100);
        check(!limbic_sm2_sign(b + 100, SIG, k.d, BYTES, b + at, 50, b + at, 100) &&
                  !limbic_sm2_verify(b + 100, SIG, k.q, POINT, msg, 50, msg, 100),
              "signature over ID and message at %zu", at);
        memcpy(b + at, want, 32);
        check(!limbic_sm2_sign_digest(b + 100, SIG, k.d, BYTES, b + at, 32) &&
                  !limbic_sm2_verify_digest(b + 100, SIG, k.q, POINT, want, 32),
              "signature over e at %zu", at);
    }
    /* a signer over its own key and ID */
    union {
        limbic_sm2_signer signer;
        uint8_t bytes[sizeof(limbic_sm2_signer)];
    } u;
    for (size_t at = 0; at + 50 <= sizeof u; at += 7) {
        memcpy(u.bytes + at, k.d, BYTES);
        check(!limbic_sm2_signer_init(&u.signer, u.bytes + at, BYTES, msg, 50) &&
                  !memcmp(u.signer.z, z, 32) && !memcmp(u.signer.public_key, k.q, POINT),
              "signer over its key at %zu", at);
        memcpy(u.bytes + at, msg, 50);
        check(!limbic_sm2_signer_init(&u.signer, k.d, BYTES, u.bytes + at, 50) && !memcmp(u.signer.z, z, 32),
              "signer over its ID at %zu", at);
    }
}

/* ---- key exchange ---- */

/* x~ of a point */
static void shorten(uint8_t *r, const uint8_t *q) {
    memset(r, 0, BYTES);
    memcpy(r + 16, q + 1 + 16, 16);
    r[16] |= 0x80;
}

struct sides {
    struct pair own[2], once[2];
    uint8_t id[2][20];
};

static limbic_sm2_exchange view(const struct sides *s, int who) {
    limbic_sm2_exchange x = {who,   s->own[who].d, s->once[who].d, s->own[!who].q, s->once[!who].q,
                             POINT, POINT,         s->id[who],     s->id[!who],    20,
                             20};
    return x;
}

static void exchange(void) {
    struct sides s;
    uint8_t key[2][300], proof[2][2][32], longest[300];
    for (int i = 0; i < 2; i++) {
        make(&s.own[i]);
        make(&s.once[i]);
        fill(s.id[i], 20, (unsigned)i);
    }
    limbic_sm2_exchange a = view(&s, 0), b = view(&s, 1);
    MUST(!limbic_sm2_exchange_key(&a, longest, sizeof longest, NULL, NULL));
    for (size_t n = 1; n <= sizeof longest;
         n += n < 100 ? 1 : 37) { /* a shorter key is the beginning of a longer one */
        memset(key, 0xa5, sizeof key);
        check(!limbic_sm2_exchange_key(&a, key[0], n, proof[0][0], proof[0][1]) &&
                  !limbic_sm2_exchange_key(&b, key[1], n, proof[1][0], proof[1][1]) &&
                  !memcmp(key[0], key[1], n) && !memcmp(key[0], longest, n) &&
                  all(key[0] + n, sizeof key[0] - n, 0xa5),
              "a key of %zu bytes", n);
    }
    check(!limbic_sm2_confirm(proof[0][1], proof[1][0], 32) &&
              !limbic_sm2_confirm(proof[1][1], proof[0][0], 32),
          "both sides confirm");
    check(limbic_sm2_confirm(proof[0][0], proof[1][0], 32) == LIMBIC_ERR_CONFIRM, "what goes one way only");
    for (int i = 0; i < 256; i++) {
        uint8_t p[32];
        memcpy(p, proof[1][0], 32);
        p[i / 8] ^= (uint8_t)(1 << i % 8);
        check(limbic_sm2_confirm(proof[0][1], p, 32) == LIMBIC_ERR_CONFIRM, "confirmation, bit %d", i);
        p[(i / 8 + 1) % 32] ^= (uint8_t)(1 << i % 8);
        check(limbic_sm2_confirm(proof[0][1], p, 32) == LIMBIC_ERR_CONFIRM, "confirmation, bit %d twice", i);
    }
    check(limbic_sm2_confirm(proof[0][1], proof[1][0], 31) == LIMBIC_ERR_LENGTH &&
              limbic_sm2_confirm(proof[0][1], proof[1][0], 0) == LIMBIC_ERR_LENGTH &&
              limbic_sm2_confirm(NULL, proof[1][0], 32) == LIMBIC_ERR_NULL &&
              limbic_sm2_confirm(proof[0][1], NULL, 32) == LIMBIC_ERR_NULL,
          "confirmation: arguments");
    /* compressed points are the same; another role, ID, key is not */
    uint8_t c[2][33], out[ROOM];
    size_t n = 33;
    MUST(!limbic_ec_convert(LIMBIC_SM2, LIMBIC_COMPRESSED, c[0], &n, s.own[1].q, POINT) &&
         !limbic_ec_convert(LIMBIC_SM2, LIMBIC_COMPRESSED, c[1], &n, s.once[1].q, POINT));
    limbic_sm2_exchange x = a;
    x.peer_public = c[0];
    x.peer_ephemeral = c[1];
    x.peer_public_len = x.peer_ephemeral_len = 33;
    check(!limbic_sm2_exchange_key(&x, out, 32, NULL, NULL) && !memcmp(out, longest, 32),
          "compressed points");
    for (int i = 0; i < 6; i++) {
        x = a;
        if (i == 0)
            x.responder = 1;
        else if (i == 1)
            x.id_len--;
        else if (i == 2)
            x.peer_id = NULL, x.peer_id_len = 0;
        else if (i == 3)
            x.peer_public = s.once[1].q;
        else if (i == 4)
            x.peer_ephemeral = s.own[1].q;
        else
            x.ephemeral_private = s.own[1].d;
        check(!limbic_sm2_exchange_key(&x, out, 32, NULL, NULL) && memcmp(out, longest, 32) != 0,
              "another key for change %d", i);
    }
    /* P + x~ R = infinity; t = d + x~ r = 0 */
    uint8_t short_x[BYTES], zero[BYTES] = {0}, t[BYTES], point[POINT];
    shorten(short_x, s.once[1].q);
    mod_n(t, short_x, '*', s.once[1].d);
    mod_n(t, zero, '-', t);
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, point, POINT, t, BYTES));
    x = a;
    x.peer_public = point;
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_sm2_exchange_key(&x, out, 32, out + 64, out + 128));
    x = b;
    x.private_key = t;
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_sm2_exchange_key(&x, out, 32, out + 64, out + 128));
    /* arguments */
#define EXCHANGE(want, change)                                                                               \
    x = a;                                                                                                   \
    change;                                                                                                  \
    REFUSED(want, out, limbic_sm2_exchange_key(&x, out, 32, out + 64, out + 128))
    static const uint8_t long_id[LIMBIC_SM2_MAX_ID_BYTES + 1];
    memcpy(point, s.own[1].q, POINT);
    point[64] ^= 1;
    EXCHANGE(LIMBIC_ERR_NULL, x.private_key = NULL);
    EXCHANGE(LIMBIC_ERR_NULL, x.ephemeral_private = NULL);
    EXCHANGE(LIMBIC_ERR_NULL, x.peer_public = NULL);
    EXCHANGE(LIMBIC_ERR_NULL, x.peer_ephemeral = NULL);
    EXCHANGE(LIMBIC_ERR_NULL, x.id = NULL);
    EXCHANGE(LIMBIC_ERR_NULL, x.peer_id = NULL);
    EXCHANGE(LIMBIC_ERR_ID, (x.id = long_id, x.id_len = 8192));
    EXCHANGE(LIMBIC_ERR_ID, (x.peer_id = long_id, x.peer_id_len = 8192));
    EXCHANGE(LIMBIC_ERR_NOT_ON_CURVE, x.peer_public = point);
    EXCHANGE(LIMBIC_ERR_NOT_ON_CURVE, x.peer_ephemeral = point);
    EXCHANGE(LIMBIC_ERR_LENGTH, x.peer_public_len = 64);
    EXCHANGE(LIMBIC_ERR_LENGTH, x.peer_ephemeral_len = 0);
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_exchange_key(NULL, out, 32, NULL, NULL));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_exchange_key(&a, NULL, 32, NULL, NULL));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_exchange_key(&a, out, 32, out + 64, NULL));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_sm2_exchange_key(&a, out, 32, NULL, out + 64));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_sm2_exchange_key(&a, out, 0, NULL, NULL));
#if SIZE_MAX > UINT32_MAX
    REFUSED(LIMBIC_ERR_LENGTH, out,
            limbic_sm2_exchange_key(&a, out, (size_t)32 * (UINT32_MAX - 1) + 1, NULL, NULL));
#endif
    /* the outputs over all inputs */
    struct {
        limbic_sm2_exchange x;
        struct sides s;
    } over;
    uint8_t *bytes = (uint8_t *)&over;
    for (size_t at = 0; at + 164 <= sizeof over; at += 5) {
        over.s = s;
        over.x = view(&over.s, 0);
        check(!limbic_sm2_exchange_key(&over.x, bytes + at, 100, bytes + at + 100, bytes + at + 132) &&
                  !memcmp(bytes + at, longest, 100) && !memcmp(bytes + at + 100, proof[0][0], 32) &&
                  !memcmp(bytes + at + 132, proof[0][1], 32),
              "outputs over inputs at %zu", at);
    }
}

/* ---- memory ---- */

#if COUNTS_HEAP
#define STACK_BYTES (1 << 18)
static uint8_t search_stack[STACK_BYTES] __attribute__((aligned(4096)));
enum { SIGN, SIGN_WITH, SIGNER, ENCRYPT, DECRYPT_SHORT, DECRYPT_LONG, DECRYPT_BAD, EXCHANGE_KEY, LEFT, JOBS };
enum { LONG = 5000, SHORT = 100 };
static struct {
    int what;
    struct pair key, peer;
    uint8_t nonce[BYTES], e[32], sig[SIG], msg[LONG], ct[LONG + ROOM], out[LONG + ROOM], shared[64],
        mask[160];
    size_t n;
    limbic_status status;
} job;

static void *run_job(void *unused) {
    size_t n = sizeof job.out;
    limbic_sm2_exchange x = {0, job.key.d, job.nonce, job.peer.q, job.peer.q, POINT, POINT, NULL, NULL, 0, 0};
    switch (job.what) {
    case SIGN:
        job.status = limbic_sm2_sign(job.sig, SIG, job.key.d, BYTES, NULL, 0, job.e, 32);
        break;
    case SIGN_WITH:
        job.status =
            limbic_sm2_sign_digest_with_nonce(job.sig, SIG, job.key.d, BYTES, job.e, 32, job.nonce, BYTES);
        break;
    case SIGNER:
        job.status = limbic_sm2_signer_init((limbic_sm2_signer *)(void *)job.out, job.key.d, BYTES, NULL, 0);
        break;
    case ENCRYPT:
        job.status = limbic_sm2_encrypt_with_nonces(LIMBIC_SM2_DER, job.out, &n, job.key.q, POINT, job.msg,
                                                    LONG, job.nonce, BYTES);
        break;
    case DECRYPT_SHORT:
    case DECRYPT_LONG:
    case DECRYPT_BAD:
        job.status = limbic_sm2_decrypt(LIMBIC_SM2_DER, job.out, &n, job.key.d, BYTES, job.ct, job.n);
        break;
    case EXCHANGE_KEY:
        job.status = limbic_sm2_exchange_key(&x, job.out, 160, job.out + 160, job.out + 192);
        break;
    default: {                       /* the search itself: a copy that is left on purpose must be found */
        volatile uint8_t left[4096]; /* deep enough that the thread's end does not reach it */
        for (size_t i = 0; i < BYTES; i++)
            left[i] = job.key.d[i];
        for (size_t i = BYTES; i < sizeof left;
             i++) /* a compiler may leave out what is never used of an array */
            left[i] = left[i - BYTES];
        job.status = LIMBIC_OK;
        break;
    }
    }
    return unused;
}

/* Any eight bytes of it, as they stand or as a word. */
static int on_stack(const uint8_t *secret, size_t n) {
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t word[2] = {limbic_load_be64(secret + i), 0};
        memcpy(&word[1], secret + i, 8);
        for (size_t at = 0; at + 8 <= STACK_BYTES; at++)
            if (!memcmp(search_stack + at, &word[0], 8) || !memcmp(search_stack + at, &word[1], 8))
                return 1;
    }
    return 0;
}

/* t and the shared point of the job's key exchange */
static void exchange_secrets(uint8_t *t, uint8_t *u) {
    uint8_t x[BYTES], r[POINT];
    MUST(!limbic_ec_base_mul(LIMBIC_SM2, r, POINT, job.nonce, BYTES));
    shorten(x, r);
    mod_n(t, x, '*', job.nonce);
    mod_n(t, t, '+', job.key.d);
    shorten(x, job.peer.q);
    MUST(!limbic_ec_mul(LIMBIC_SM2, u, POINT, x, BYTES, job.peer.q, POINT) &&
         !limbic_ec_add(LIMBIC_SM2, u, POINT, u, POINT, job.peer.q, POINT) &&
         !limbic_ec_mul(LIMBIC_SM2, u, POINT, t, BYTES, u, POINT));
}

static void stack_residue(void) {
    for (job.what = 0; job.what < JOBS; job.what++) {
        pthread_attr_t attr;
        pthread_t thread;
        size_t len = job.what == DECRYPT_LONG ? LONG : SHORT;
        make(&job.key);
        make(&job.peer);
        fill(job.msg, LONG, 7);
        memcpy(job.nonce, job.peer.d, BYTES);
        make(&job.peer);
        job.n = sizeof job.ct;
        MUST(!limbic_sm2_encrypt_with_nonces(LIMBIC_SM2_DER, job.ct, &job.n, job.key.q, POINT, job.msg, len,
                                             job.nonce, BYTES));
        if (job.what == DECRYPT_BAD)
            job.ct[job.n - 1] ^= 1;
        stream_of(job.mask, job.shared, job.nonce, job.key.q);
        memset(search_stack, 0xa5, sizeof search_stack);
        MUST(!pthread_attr_init(&attr) && !pthread_attr_setstack(&attr, search_stack, sizeof search_stack) &&
             !pthread_create(&thread, &attr, run_job, NULL) && !pthread_join(thread, NULL));
        pthread_attr_destroy(&attr);
        if (job.what == LEFT) {
            check(on_stack(job.key.d, BYTES), "the search finds what is left");
            continue;
        }
        int key = on_stack(job.key.d, BYTES), nonce = on_stack(job.nonce, BYTES),
            shared = on_stack(job.shared, 64), stream = on_stack(job.mask, 32),
            text = on_stack(job.msg, SHORT);
        check(job.status == (job.what == DECRYPT_BAD ? LIMBIC_ERR_DECRYPT : LIMBIC_OK) && !key && !nonce &&
                  !shared && !stream && !text,
              "operation %d (status %d) leaves on the stack:%s%s%s%s%s", job.what, (int)job.status,
              key ? " the key" : "", nonce ? " the nonce" : "", shared ? " the shared point" : "",
              stream ? " the key stream" : "", text ? " the message" : "");
        if (job.what == SIGNER)
            check(!on_stack(job.out + 40, BYTES), "1/(1 + d) is left on the stack");
        if (job.what == EXCHANGE_KEY) {
            uint8_t t[BYTES], u[POINT];
            exchange_secrets(t, u);
            check(!on_stack(job.out, 160), "the exchanged key is left on the stack");
            check(!on_stack(t, BYTES) && !on_stack(u + 1, 64), "t or the shared point is left on the stack");
            limbic_hash_ctx c; /* these are what the key was made of */
            uint8_t first[32], z[32];
            const uint8_t counter[4] = {0, 0, 0, 1};
            MUST(!limbic_hash_init(&c, LIMBIC_SM3));
            limbic_hash_update(&c, u + 1, 64);
            MUST(!limbic_ec_public_key(LIMBIC_SM2, u, POINT, job.key.d, BYTES) &&
                 !limbic_sm2_z(z, 32, NULL, 0, u, POINT));
            limbic_hash_update(&c, z, 32);
            MUST(!limbic_sm2_z(z, 32, NULL, 0, job.peer.q, POINT));
            limbic_hash_update(&c, z, 32);
            limbic_hash_update(&c, counter, 4);
            limbic_hash_final(&c, first);
            check(!memcmp(first, job.out, 32), "the key of that shared point");
        }
    }
}

static void no_heap(void) {
    struct pair k;
    limbic_sm2_signer signer;
    uint8_t sig[SIG], e[32] = {1}, *b = take(LONG + ROOM);
    size_t n = LONG + ROOM, m = LONG + ROOM;
    int bad = 0;
    make(&k);
    limbic_sm2_exchange x = {0, k.d, k.d, k.q, k.q, POINT, POINT, NULL, NULL, 0, 0};
    fill(b, LONG, 8);
    unsigned long before = heap_calls;
    bad |= limbic_sm2_signer_init(&signer, k.d, BYTES, NULL, 0) != LIMBIC_OK;
    bad |= limbic_sm2_signer_sign(&signer, sig, SIG, e, 32) != LIMBIC_OK;
    bad |= limbic_sm2_verify(sig, SIG, k.q, POINT, NULL, 0, e, 32) != LIMBIC_OK;
    bad |= limbic_sm2_encrypt(LIMBIC_SM2_DER, b, &n, k.q, POINT, b, LONG) != LIMBIC_OK;
    bad |= limbic_sm2_decrypt(LIMBIC_SM2_DER, b, &m, k.d, BYTES, b, n) != LIMBIC_OK;
    bad |= limbic_sm2_exchange_key(&x, b, 32, NULL, NULL) != LIMBIC_OK;
    check(!bad && heap_calls == before, "%lu heap calls", heap_calls - before);
    void *volatile probe = malloc(1);
    check(heap_calls == before + 1, "the heap counter counts");
    free(probe);
    free(b);
}
#else
static void stack_residue(void) {
    skipped++;
    (void)printf("stack not searched: a sanitizer owns it\n");
}
static void no_heap(void) {
    skipped++;
    (void)printf("heap calls not counted: a sanitizer, or not glibc, owns malloc\n");
}
#endif

static void each(const char *isa) {
    static const size_t lengths[] = {0, 1, 31, 32, 33, 55, 56, 64, 1000, 4096, 4097};
    (void)isa;
    standard_signature();
    standard_encryption();
    standard_exchange();
    signatures(lengths, sizeof lengths / sizeof lengths[0]);
    encryption(lengths + 1, sizeof lengths / sizeof lengths[0] - 1);
    special_signatures();
    large_x();
    zero_streams();
    exchange();
    stack_residue();
    no_heap();
}

/* Lengths and layouts, which depend on no instruction set of the curve. */
static void once(void) {
    static const size_t more[] = {255,  256,  1023, 1024, 1025,   4095,   4096,
                                  4097, 8191, 8192, 8193, 100000, 1 << 20};
    size_t lengths[200];
    for (size_t i = 0; i < 200; i++)
        lengths[i] = i + 1;
    encryption(lengths, 200);
    signatures(lengths, 130);
    encryption(more, sizeof more / sizeof more[0]);
    signatures(more, sizeof more / sizeof more[0]);
    sixteen_mebibytes();
    bad_ciphertexts();
    bad_der();
    arguments();
    overlap_cipher(1, 1);
    overlap_cipher(33, 3);
    overlap_cipher(4096, 331);
    overlap_cipher(9000, 697);
    overlap_signature();
}

int main(void) {
    hex(order, BYTES, "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123");
    hex(prime, BYTES, "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff");
    n_ = number(order);
    bn = BN_CTX_new();
    MUST(bn);
    each_isa(ENGINES, each);
    once();
    BN_CTX_free(bn);
    BN_free(n_);
    return closing();
}
