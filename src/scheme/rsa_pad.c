/* RSA: paddings of signatures and ciphertexts (RFC 8017). */
#include "base/random.h"
#include "hash/hash.h"
#include "scheme/rsa.h"

#define DIGEST LIMBIC_MAX_DIGEST_BYTES

/* Opens a key of enough bits. */
static limbic_status open_key(struct limbic_rsa *x, const void *key, size_t key_len, int is_private,
                              size_t min_bits) {
    limbic_status status = limbic_rsa_open(x, key, key_len, is_private);
    return status ? status : x->bits < min_bits ? LIMBIC_ERR_KEY_SIZE : LIMBIC_OK;
}

/* Puts the hash that stands for LIMBIC_HASH_DEFAULT; 0 if there is no such hash. */
static int resolve(limbic_hash *hash, limbic_hash by_default) {
    if (*hash == LIMBIC_HASH_DEFAULT)
        *hash = by_default;
    return limbic_hash_bytes(*hash) != 0;
}

/* out ^= MGF1(seed) (appendix B.2.1) */
static void mgf_xor(limbic_hash hash, uint8_t *out, size_t n, const uint8_t *seed, size_t seed_len) {
    const size_t h = limbic_hash_bytes(hash);
    limbic_hash_ctx prefix, c;
    uint8_t block[DIGEST];
    limbic_hash_start(&prefix, hash);
    limbic_hash_update(&prefix, seed, seed_len);
    for (size_t at = 0, counter = 0; at < n; at += h, counter++) {
        const uint8_t number[4] = {0, 0, (uint8_t)(counter >> 8), (uint8_t)counter};
        c = prefix;
        limbic_hash_update(&c, number, sizeof number);
        limbic_hash_final(&c, block);
        for (size_t i = 0; i < h && at + i < n; i++)
            out[at + i] ^= block[i];
    }
    limbic_wipe(&prefix, sizeof prefix);
    limbic_wipe(block, sizeof block);
}

/* Signatures. */

/* What all of them check; hash is resolved. */
static limbic_status start_signature(struct limbic_rsa *x, const void *key, size_t key_len, int is_private,
                                     const uint8_t *sig, size_t sig_len, limbic_hash *hash,
                                     const uint8_t *digest, size_t digest_len) {
    if (!sig || !digest)
        return LIMBIC_ERR_NULL;
    limbic_status status = open_key(x, key, key_len, is_private,
                                    is_private ? LIMBIC_RSA_MIN_PRIVATE_BITS : LIMBIC_RSA_MIN_PUBLIC_BITS);
    if (status)
        return status;
    if (!resolve(hash, LIMBIC_SHA256))
        return LIMBIC_ERR_HASH;
    if (sig_len != x->bytes || digest_len != limbic_hash_bytes(*hash))
        return LIMBIC_ERR_LENGTH;
    return LIMBIC_OK;
}

/* em = sig^e, k bytes */
static limbic_status recover(const struct limbic_rsa *x, uint8_t *em, const uint8_t *sig) {
    return limbic_rsa_below_n(x, sig) ? limbic_rsa_public_raw(x, em, sig) : LIMBIC_ERR_SIGNATURE_RANGE;
}

/* EMSA-PKCS1-v1_5 (section 9.2): 00 01 FF ... FF 00 DigestInfo, k bytes; the longest DigestInfo leaves room in the shortest key. */
static void encode_pkcs1(uint8_t *em, size_t k, limbic_hash hash, const uint8_t *digest) {
    static const struct {
        uint8_t len, oid[9];
    } algorithms[] = {
        [LIMBIC_SHA256] = {9,
                           {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02,
                            0x01}}, /* 2.16.840.1.101.3.4.2.1 */
        [LIMBIC_SHA384] = {9, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02}},
        [LIMBIC_SHA512] = {9, {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03}},
        [LIMBIC_SM3] = {8, {0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x11}}, /* 1.2.156.10197.1.401 */
    };
    const uint8_t oid = algorithms[hash].len, h = (uint8_t)limbic_hash_bytes(hash);
    const uint8_t before[6] = {0x30, (uint8_t)(oid + h + 8), 0x30, (uint8_t)(oid + 4), 0x06, oid};
    const uint8_t after[4] = {0x05, 0x00, 0x04, h}; /* NULL, OCTET STRING */
    uint8_t *at = em + k - h;
    memcpy(at, digest, h);
    memcpy(at -= sizeof after, after, sizeof after);
    memcpy(at -= oid, algorithms[hash].oid, oid);
    memcpy(at -= sizeof before, before, sizeof before);
    *--at = 0;
    em[0] = 0;
    em[1] = 1;
    memset(em + 2, 0xff, (size_t)(at - em) - 2);
}

limbic_status limbic_rsa_sign_pkcs1(const void *key, size_t key_len, uint8_t *sig, size_t sig_len,
                                    limbic_hash hash, const uint8_t *digest, size_t digest_len) {
    struct limbic_rsa x;
    limbic_status status = start_signature(&x, key, key_len, 1, sig, sig_len, &hash, digest, digest_len);
    if (!status) {
        uint8_t em[x.bytes];
        encode_pkcs1(em, x.bytes, hash, digest);
        status = limbic_rsa_private_raw(&x, sig, em);
    }
    limbic_wipe(&x, sizeof x);
    return status;
}

limbic_status limbic_rsa_verify_pkcs1(const void *key, size_t key_len, const uint8_t *sig, size_t sig_len,
                                      limbic_hash hash, const uint8_t *digest, size_t digest_len) {
    struct limbic_rsa x;
    limbic_status status = start_signature(&x, key, key_len, 0, sig, sig_len, &hash, digest, digest_len);
    if (status)
        return status;
    uint8_t em[x.bytes], expected[x.bytes];
    status = recover(&x, em, sig);
    if (status)
        return status;
    encode_pkcs1(expected, x.bytes, hash, digest);
    return memcmp(em, expected, x.bytes) ? LIMBIC_ERR_SIGNATURE : LIMBIC_OK;
}

/* EMSA-PSS (section 9.1) has one bit less than the modulus: DB || H || BC in the last bytes of the k, one less than k where that bit had a byte of its own. */
struct pss {
    struct limbic_rsa x;
    limbic_hash hash, mgf_hash;
    size_t hash_bytes;
    size_t skip;     /* bytes before the encoding: 0 or 1 */
    size_t db_bytes; /* zeros, 01, salt */
    uint8_t top;     /* the bits of the first byte that belong to the encoding */
    size_t salt_bytes;
    int any_salt;
};

static limbic_status start_pss(struct pss *s, const void *key, size_t key_len, int is_private,
                               const uint8_t *sig, size_t sig_len, limbic_hash hash, limbic_hash mgf_hash,
                               int salt_len, const uint8_t *digest, size_t digest_len) {
    limbic_status status =
        start_signature(&s->x, key, key_len, is_private, sig, sig_len, &hash, digest, digest_len);
    if (status)
        return status;
    if (!resolve(&mgf_hash, hash))
        return LIMBIC_ERR_HASH;
    const size_t bits = s->x.bits - 1, bytes = (bits + 7) / 8;
    s->hash = hash;
    s->mgf_hash = mgf_hash;
    s->hash_bytes = limbic_hash_bytes(hash);
    s->skip = s->x.bytes - bytes;
    s->db_bytes = bytes - s->hash_bytes - 1;
    s->top = (uint8_t)(0xff >> (8 * bytes - bits));
    s->any_salt = salt_len == LIMBIC_RSA_SALT_ANY && !is_private;
    if (salt_len >= 0)
        s->salt_bytes = (size_t)salt_len;
    else if (salt_len == LIMBIC_RSA_SALT_DIGEST)
        s->salt_bytes = s->hash_bytes;
    else if (salt_len == LIMBIC_RSA_SALT_MAX || s->any_salt)
        s->salt_bytes = s->db_bytes - 1;
    else
        return LIMBIC_ERR_SALT;
    return s->salt_bytes < s->db_bytes ? LIMBIC_OK : LIMBIC_ERR_SALT;
}

/* H = Hash(00 00 00 00 00 00 00 00 || digest || salt) */
static void pss_hash(const struct pss *s, uint8_t *h, const uint8_t *digest, const uint8_t *salt,
                     size_t salt_len) {
    static const uint8_t zeros[8];
    limbic_hash_ctx c;
    limbic_hash_start(&c, s->hash);
    limbic_hash_update(&c, zeros, sizeof zeros);
    limbic_hash_update(&c, digest, s->hash_bytes);
    limbic_hash_update(&c, salt, salt_len);
    limbic_hash_final(&c, h);
}

static limbic_status sign_pss(const struct pss *s, uint8_t *sig, const uint8_t *salt, const uint8_t *digest) {
    uint8_t em[s->x.bytes], *db = em + s->skip, *h = db + s->db_bytes;
    memset(em, 0, sizeof em);
    pss_hash(s, h, digest, salt, s->salt_bytes);
    h[-1 - (ptrdiff_t)s->salt_bytes] = 1;
    if (s->salt_bytes)
        memcpy(h - s->salt_bytes, salt, s->salt_bytes);
    mgf_xor(s->mgf_hash, db, s->db_bytes, h, s->hash_bytes);
    db[0] &= s->top;
    h[s->hash_bytes] = 0xbc;
    return limbic_rsa_private_raw(&s->x, sig, em);
}

limbic_status limbic_rsa_sign_pss_with_salt(const void *key, size_t key_len, uint8_t *sig, size_t sig_len,
                                            limbic_hash hash, limbic_hash mgf_hash, const uint8_t *salt,
                                            size_t salt_len, const uint8_t *digest, size_t digest_len) {
    struct pss s;
    if (!salt && salt_len)
        return LIMBIC_ERR_NULL;
    if (salt_len > LIMBIC_RSA_MAX_BYTES)
        return LIMBIC_ERR_SALT;
    limbic_status status =
        start_pss(&s, key, key_len, 1, sig, sig_len, hash, mgf_hash, (int)salt_len, digest, digest_len);
    if (!status)
        status = sign_pss(&s, sig, salt, digest);
    limbic_wipe(&s, sizeof s);
    return status;
}

limbic_status limbic_rsa_sign_pss(const void *key, size_t key_len, uint8_t *sig, size_t sig_len,
                                  limbic_hash hash, limbic_hash mgf_hash, int salt_len, const uint8_t *digest,
                                  size_t digest_len) {
    struct pss s;
    limbic_status status =
        start_pss(&s, key, key_len, 1, sig, sig_len, hash, mgf_hash, salt_len, digest, digest_len);
    if (!status) {
        uint8_t salt[s.db_bytes];
        status = limbic_random(salt, s.salt_bytes);
        if (!status)
            status = sign_pss(&s, sig, salt, digest);
    }
    limbic_wipe(&s, sizeof s);
    return status;
}

limbic_status limbic_rsa_verify_pss(const void *key, size_t key_len, const uint8_t *sig, size_t sig_len,
                                    limbic_hash hash, limbic_hash mgf_hash, int salt_len,
                                    const uint8_t *digest, size_t digest_len) {
    struct pss s;
    limbic_status status =
        start_pss(&s, key, key_len, 0, sig, sig_len, hash, mgf_hash, salt_len, digest, digest_len);
    if (status)
        return status;
    uint8_t em[s.x.bytes], expected[DIGEST], *db = em + s.skip, *h = db + s.db_bytes;
    status = recover(&s.x, em, sig);
    if (status)
        return status;
    if ((s.skip && em[0]) || db[0] & ~s.top || h[s.hash_bytes] != 0xbc)
        return LIMBIC_ERR_SIGNATURE;
    mgf_xor(s.mgf_hash, db, s.db_bytes, h, s.hash_bytes);
    db[0] &= s.top;
    size_t zeros = 0;
    while (zeros < s.db_bytes && !db[zeros])
        zeros++;
    if (zeros == s.db_bytes || db[zeros] != 1)
        return LIMBIC_ERR_SIGNATURE;
    const size_t salt = s.db_bytes - zeros - 1;
    if (!s.any_salt && salt != s.salt_bytes)
        return LIMBIC_ERR_SIGNATURE;
    pss_hash(&s, expected, digest, h - salt, salt);
    return memcmp(h, expected, s.hash_bytes) ? LIMBIC_ERR_SIGNATURE : LIMBIC_OK;
}

/* Encryption. */

static size_t max_message(size_t k, limbic_rsa_padding padding, limbic_hash hash) {
    const size_t taken = padding == LIMBIC_RSA_PKCS1 ? 11 : 2 + 2 * limbic_hash_bytes(hash);
    return k > taken ? k - taken : 0;
}

size_t limbic_rsa_max_message(const void *key, size_t key_len, limbic_rsa_padding padding, limbic_hash hash) {
    const size_t k = limbic_rsa_bytes(key, key_len);
    if (limbic_rsa_bits(key, key_len) < LIMBIC_RSA_MIN_PRIVATE_BITS ||
        (padding != LIMBIC_RSA_PKCS1 && padding != LIMBIC_RSA_OAEP) || !resolve(&hash, LIMBIC_SHA256))
        return 0;
    return max_message(k, padding, hash);
}

/* What encryption and decryption check: pointers, key, hashes, which are resolved. */
static limbic_status start_cipher(struct limbic_rsa *x, const void *key, size_t key_len, int is_private,
                                  const void *label, size_t label_len, limbic_hash *hash,
                                  limbic_hash *mgf_hash) {
    if (!label && label_len)
        return LIMBIC_ERR_NULL;
    limbic_status status = open_key(x, key, key_len, is_private, LIMBIC_RSA_MIN_PRIVATE_BITS);
    if (status)
        return status;
    return resolve(hash, LIMBIC_SHA256) && resolve(mgf_hash, *hash) ? LIMBIC_OK : LIMBIC_ERR_HASH;
}

static limbic_status start_encrypt(struct limbic_rsa *x, const void *key, size_t key_len, const uint8_t *out,
                                   size_t out_len, limbic_rsa_padding padding, limbic_hash *hash,
                                   limbic_hash *mgf_hash, const void *label, size_t label_len,
                                   const void *msg, size_t msg_len) {
    if (!out || (!msg && msg_len))
        return LIMBIC_ERR_NULL;
    limbic_status status = start_cipher(x, key, key_len, 0, label, label_len, hash, mgf_hash);
    if (status)
        return status;
    if (out_len != x->bytes)
        return LIMBIC_ERR_LENGTH;
    return msg_len > max_message(x->bytes, padding, *hash) ? LIMBIC_ERR_MESSAGE : LIMBIC_OK;
}

/* em: what in decrypts to, x->bytes bytes. */
static limbic_status start_decrypt(struct limbic_rsa *x, const void *key, size_t key_len, const uint8_t *out,
                                   size_t *out_len, limbic_rsa_padding padding, limbic_hash *hash,
                                   limbic_hash *mgf_hash, const void *label, size_t label_len,
                                   const uint8_t *in, size_t in_len) {
    if (!out_len || (!out && *out_len) || !in)
        return LIMBIC_ERR_NULL;
    limbic_status status = start_cipher(x, key, key_len, 1, label, label_len, hash, mgf_hash);
    if (status)
        return status;
    if (in_len != x->bytes)
        return LIMBIC_ERR_LENGTH;
    if (!limbic_rsa_below_n(x, in))
        return LIMBIC_ERR_VALUE;
    const size_t max = max_message(x->bytes, padding, *hash);
    if (*out_len < max) {
        *out_len = max;
        return LIMBIC_ERR_BUFFER;
    }
    return LIMBIC_OK;
}

/* All ones if x < y, both below 2^63. The barrier keeps a counter x - y out of loops over x. */
static uint64_t mask_less(uint64_t x, uint64_t y) {
    return limbic_mask_bit((limbic_barrier(x) - y) >> 63);
}

/* The barrier keeps this form, in which memory checkers see that what is not picked does not count. */
static uint64_t pick(uint64_t mask, uint64_t yes, uint64_t no) {
    return (mask & yes) | (limbic_barrier(~mask) & no);
}

/* The message is the last len of the max bytes of buffer: moved to its start and given out, where len is secret until all is done. */
static void give_message(uint8_t *out, size_t *out_len, uint8_t *buffer, size_t max, uint64_t len) {
    const uint64_t shift = max - len;
    for (size_t step = 1, bit = 0; step <= max; step *= 2, bit++) {
        const uint64_t mask = limbic_mask_bit(shift >> bit);
        for (size_t i = 0; i < max; i++)
            buffer[i] = (uint8_t)pick(mask, i + step < max ? buffer[i + step] : 0, buffer[i]);
    }
    for (size_t i = 0; i < max; i++)
        out[i] = (uint8_t)pick(mask_less(i, len), buffer[i], out[i]);
    LIMBIC_DECLASSIFY(&len, sizeof len);
    *out_len = (size_t)len;
}

/* EME-OAEP (section 7.1.1): 00 || seed || DB, DB = Hash(label) || zeros || 01 || message, in k bytes */
static limbic_status encrypt_oaep(const struct limbic_rsa *x, uint8_t *out, limbic_hash hash,
                                  limbic_hash mgf_hash, const void *label, size_t label_len, const void *msg,
                                  size_t msg_len, const uint8_t *seed_bytes) {
    const size_t h = limbic_hash_bytes(hash), db_bytes = x->bytes - h - 1;
    uint8_t em[x->bytes], *seed = em + 1, *db = seed + h;
    memset(em, 0, sizeof em);
    memcpy(seed, seed_bytes, h);
    limbic_hash_once(hash, db, label, label_len);
    db[db_bytes - msg_len - 1] = 1;
    if (msg_len)
        memcpy(db + db_bytes - msg_len, msg, msg_len);
    mgf_xor(mgf_hash, db, db_bytes, seed, h);
    mgf_xor(mgf_hash, seed, h, db, db_bytes);
    limbic_status status = limbic_rsa_public_raw(x, out, em);
    limbic_wipe(em, sizeof em);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_rsa_encrypt_oaep_with_seed(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                                limbic_hash hash, limbic_hash mgf_hash, const void *label,
                                                size_t label_len, const void *msg, size_t msg_len,
                                                const uint8_t *seed) {
    struct limbic_rsa x;
    if (!seed)
        return LIMBIC_ERR_NULL;
    limbic_status status = start_encrypt(&x, key, key_len, out, out_len, LIMBIC_RSA_OAEP, &hash, &mgf_hash,
                                         label, label_len, msg, msg_len);
    return status ? status : encrypt_oaep(&x, out, hash, mgf_hash, label, label_len, msg, msg_len, seed);
}

limbic_status limbic_rsa_encrypt_oaep(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                      limbic_hash hash, limbic_hash mgf_hash, const void *label,
                                      size_t label_len, const void *msg, size_t msg_len) {
    struct limbic_rsa x;
    uint8_t seed[DIGEST];
    limbic_status status = start_encrypt(&x, key, key_len, out, out_len, LIMBIC_RSA_OAEP, &hash, &mgf_hash,
                                         label, label_len, msg, msg_len);
    if (!status)
        status = limbic_random(seed, limbic_hash_bytes(hash));
    if (!status)
        status = encrypt_oaep(&x, out, hash, mgf_hash, label, label_len, msg, msg_len, seed);
    limbic_wipe(seed, sizeof seed);
    return status;
}

static limbic_status decrypt_oaep(const struct limbic_rsa *x, uint8_t *out, size_t *out_len, limbic_hash hash,
                                  limbic_hash mgf_hash, const void *label, size_t label_len,
                                  const uint8_t *in) {
    const size_t h = limbic_hash_bytes(hash), db_bytes = x->bytes - h - 1;
    uint8_t em[x->bytes], expected[DIGEST], *seed = em + 1, *db = seed + h;
    limbic_hash_once(hash, expected, label, label_len);
    limbic_status status = limbic_rsa_private_raw(x, em, in);
    if (!status) {
        mgf_xor(mgf_hash, seed, h, db, db_bytes);
        mgf_xor(mgf_hash, db, db_bytes, seed, h);
        uint64_t bad = em[0], start = 0, looking = ~UINT64_C(0);
        for (size_t i = 0; i < h; i++)
            bad |= db[i] ^ expected[i];
        for (size_t i = h; i < db_bytes; i++) {
            const uint64_t zero = limbic_mask_zero(db[i]), one = limbic_mask_eq(db[i], 1);
            start |= looking & one & (i + 1);
            bad |= looking & ~zero & ~one;
            looking &= zero;
        }
        uint64_t good = limbic_mask_zero(bad | looking);
        LIMBIC_DECLASSIFY(&good, sizeof good);
        if (good)
            give_message(out, out_len, db + h + 1, db_bytes - h - 1, db_bytes - start);
        else
            status = LIMBIC_ERR_DECRYPT;
    }
    limbic_wipe(em, sizeof em);
    return status;
}

limbic_status limbic_rsa_decrypt_oaep(const void *key, size_t key_len, uint8_t *out, size_t *out_len,
                                      limbic_hash hash, limbic_hash mgf_hash, const void *label,
                                      size_t label_len, const uint8_t *in, size_t in_len) {
    struct limbic_rsa x;
    limbic_status status = start_decrypt(&x, key, key_len, out, out_len, LIMBIC_RSA_OAEP, &hash, &mgf_hash,
                                         label, label_len, in, in_len);
    if (!status)
        status = decrypt_oaep(&x, out, out_len, hash, mgf_hash, label, label_len, in);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_rsa_encrypt_pkcs1(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                       const void *msg, size_t msg_len) {
    struct limbic_rsa x;
    limbic_hash none = LIMBIC_HASH_DEFAULT;
    limbic_status status =
        start_encrypt(&x, key, key_len, out, out_len, LIMBIC_RSA_PKCS1, &none, &none, NULL, 0, msg, msg_len);
    if (status)
        return status;
    /* 00 02 random bytes, none of them 0, 00 message */
    uint8_t em[x.bytes];
    const size_t random_bytes = x.bytes - 3 - msg_len;
    em[0] = 0;
    em[1] = 2;
    status = limbic_random(em + 2, random_bytes);
    for (size_t i = 2; i < 2 + random_bytes && !status; i++)
        for (int tries = 0; !em[i] && !status; tries++)
            status = tries < LIMBIC_RANDOM_TRIES ? limbic_random(em + i, 1) : LIMBIC_ERR_RANDOM;
    em[2 + random_bytes] = 0;
    if (msg_len)
        memcpy(em + 3 + random_bytes, msg, msg_len);
    if (!status)
        status = limbic_rsa_public_raw(&x, out, em);
    limbic_wipe(em, sizeof em);
    limbic_wipe_stack();
    return status;
}

/* Implicit rejection: what draft-irtf-cfrg-rsa-guidance calls IRPRF. out = HMAC(key, 0 || label || bits) || HMAC(key, 1 || ...) || ... cut to n
 * bytes; counter and bits = 8n are two bytes each. */
static void rejection_prf(struct limbic_hmac_ctx *key, uint8_t *out, size_t n, const char *label) {
    uint8_t block[DIGEST];
    const size_t h = limbic_hash_bytes(LIMBIC_SHA256);
    const uint8_t bits[2] = {(uint8_t)(8 * n >> 8), (uint8_t)(8 * n)};
    for (size_t at = 0, counter = 0; at < n; at += h, counter++) {
        const uint8_t number[2] = {(uint8_t)(counter >> 8), (uint8_t)counter};
        limbic_hmac_start(key);
        limbic_hmac_update(key, number, sizeof number);
        limbic_hmac_update(key, label, strlen(label));
        limbic_hmac_update(key, bits, sizeof bits);
        limbic_hmac_final(key, block);
        memcpy(out + at, block, n - at < h ? n - at : h);
    }
    limbic_wipe(block, sizeof block);
}

/* The message that stands for a wrongly padded ciphertext: the last bytes of out, k bytes, as many as it returns: k - 11 or less. */
static uint64_t rejection_message(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    const size_t k = x->bytes;
    struct limbic_hmac_ctx c;
    uint8_t lengths[256], key[DIGEST];
    limbic_words_to_be(out, k, x->d, x->n.limbs);
    limbic_hash_once(LIMBIC_SHA256, key, out, k);
    limbic_hmac_key(&c, LIMBIC_SHA256, key, limbic_hash_bytes(LIMBIC_SHA256));
    limbic_hmac_start(&c);
    limbic_hmac_update(&c, in, k);
    limbic_hmac_final(&c, key);
    limbic_hmac_key(&c, LIMBIC_SHA256, key, limbic_hash_bytes(LIMBIC_SHA256));
    rejection_prf(&c, lengths, sizeof lengths, "length");
    rejection_prf(&c, out, k, "message");

    /* the last candidate, cut to the bits of k - 10, that is below it */
    uint64_t bits = k - 10, len = 0;
    for (size_t i = 1; i < 16; i *= 2)
        bits |= bits >> i;
    for (size_t i = 0; i < sizeof lengths; i += 2) {
        const uint64_t candidate = ((uint64_t)lengths[i] << 8 | lengths[i + 1]) & bits;
        len = pick(mask_less(candidate, k - 10), candidate, len);
    }
    limbic_wipe(&c, sizeof c);
    limbic_wipe(lengths, sizeof lengths);
    limbic_wipe(key, sizeof key);
    return len;
}

static limbic_status decrypt_pkcs1(const struct limbic_rsa *x, uint8_t *out, size_t *out_len,
                                   const uint8_t *in) {
    const size_t k = x->bytes;
    uint8_t em[k], instead[k];
    limbic_status status = limbic_rsa_private_raw(x, em, in);
    if (!status) {
        uint64_t len = rejection_message(x, instead, in);
        uint64_t good = limbic_mask_zero(em[0]) & limbic_mask_eq(em[1], 2);
        uint64_t zero_at = 0, looking = ~UINT64_C(0);
        for (size_t i = 2; i < k; i++) {
            const uint64_t zero = limbic_mask_zero(em[i]);
            zero_at |= looking & zero & i;
            looking &= ~zero;
        }
        good &= ~mask_less(zero_at, 10); /* 0: there is none */
        len = pick(good, k - 1 - zero_at, len);
        for (size_t i = 11; i < k; i++)
            em[i] = (uint8_t)pick(good, em[i], instead[i]);
        give_message(out, out_len, em + 11, k - 11, len);
    }
    limbic_wipe(em, sizeof em);
    limbic_wipe(instead, sizeof instead);
    return status;
}

limbic_status limbic_rsa_decrypt_pkcs1(const void *key, size_t key_len, uint8_t *out, size_t *out_len,
                                       const uint8_t *in, size_t in_len) {
    struct limbic_rsa x;
    limbic_hash none = LIMBIC_HASH_DEFAULT;
    limbic_status status =
        start_decrypt(&x, key, key_len, out, out_len, LIMBIC_RSA_PKCS1, &none, &none, NULL, 0, in, in_len);
    if (!status)
        status = decrypt_pkcs1(&x, out, out_len, in);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack();
    return status;
}
