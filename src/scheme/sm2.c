/* SM2 signatures: GB/T 32918.2. */
#include "scheme/sm2.h"
#include "base/random.h"
#include "hash/hash.h"

enum { W = LIMBIC_SM2_WORDS, BYTES = LIMBIC_SM2_BYTES, POINT_BYTES = 1 + 2 * BYTES };

#define CURVE     limbic_curve_desc(LIMBIC_SM2)
#define PRIME     limbic_modulus(LIMBIC_UNIT_sm2)
#define ORDER     limbic_modulus(LIMBIC_UNIT_sm2n)
#define FIELD_OPS limbic_ops(LIMBIC_UNIT_sm2)
#define ORDER_OPS limbic_ops(LIMBIC_UNIT_sm2n)
#define MAGIC     UINT64_C(0x31726e6769734d53) /* the layout's version is part of it */

_Static_assert(sizeof((limbic_sm2_signer *)0)->d == 8 * W, "a key of W words");

int limbic_sm2_nonce_decode(uint64_t *k, const uint8_t *in) {
    uint64_t bad;
    if (!limbic_from_bytes(ORDER, k, in))
        return 0;
    bad = limbic_words_zero_mask(k, W);
    LIMBIC_DECLASSIFY(&bad, sizeof bad);
    return bad == 0;
}

/* ---- Z and e ---- */

limbic_status limbic_sm2_z_of(uint8_t *z, const void *id, size_t id_len, const uint64_t *xy) {
    static const uint8_t default_id[] = LIMBIC_SM2_DEFAULT_ID;
    uint8_t entl[2], a[BYTES], b[BYTES], point[POINT_BYTES];
    uint64_t words[2 * W];
    limbic_hash_ctx c;

    if (!id && id_len)
        return LIMBIC_ERR_NULL;
    if (id_len > LIMBIC_SM2_MAX_ID_BYTES)
        return LIMBIC_ERR_ID;
    if (!id) {
        id = default_id;
        id_len = sizeof default_id - 1;
    }
    entl[0] = (uint8_t)(id_len >> 5); /* its length in bits */
    entl[1] = (uint8_t)(id_len << 3);
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, entl, sizeof entl);
    limbic_hash_update(&c, id, id_len);
    memcpy(words, PRIME->m, 8 * W);
    words[0] -= 3; /* a = p - 3; no borrow */
    limbic_to_bytes(PRIME, a, words);
    limbic_hash_update(&c, a, sizeof a);
    limbic_from_residue(PRIME, words, CURVE->b);
    limbic_to_bytes(PRIME, b, words);
    limbic_hash_update(&c, b, sizeof b);
    memcpy(words, CURVE->gx, 8 * W);
    memcpy(words + W, CURVE->gy, 8 * W);
    limbic_point_encode(CURVE, point, words);
    limbic_hash_update(&c, point + 1, 2 * BYTES);
    limbic_point_encode(CURVE, point, xy);
    limbic_hash_update(&c, point + 1, 2 * BYTES);
    limbic_hash_final(&c, z);
    return LIMBIC_OK;
}

limbic_status limbic_sm2_z(uint8_t *z, size_t z_len, const void *id, size_t id_len, const uint8_t *public_key,
                           size_t public_len) {
    uint64_t xy[2 * W];
    limbic_status status;
    if (!z || !public_key)
        return LIMBIC_ERR_NULL;
    if (z_len != LIMBIC_SM2_DIGEST_BYTES)
        return LIMBIC_ERR_LENGTH;
    status = limbic_point_decode(CURVE, xy, public_key, public_len);
    return status ? status : limbic_sm2_z_of(z, id, id_len, xy);
}

static void digest_of(uint8_t *e, const uint8_t *z, const void *msg, size_t msg_len) {
    limbic_hash_ctx c;
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, z, LIMBIC_SM2_DIGEST_BYTES);
    limbic_hash_update(&c, msg, msg_len);
    limbic_hash_final(&c, e);
}

limbic_status limbic_sm2_digest(uint8_t *e, size_t e_len, const void *id, size_t id_len,
                                const uint8_t *public_key, size_t public_len, const void *msg,
                                size_t msg_len) {
    uint8_t z[LIMBIC_SM2_DIGEST_BYTES];
    limbic_status status;
    if (!e || (!msg && msg_len))
        return LIMBIC_ERR_NULL;
    if (e_len != LIMBIC_SM2_DIGEST_BYTES)
        return LIMBIC_ERR_LENGTH;
    status = limbic_sm2_z(z, sizeof z, id, id_len, public_key, public_len);
    if (!status)
        digest_of(e, z, msg, msg_len);
    return status;
}

/* e mod n */
static void digest_to_scalar(uint64_t *s, const uint8_t *e) {
    limbic_words_from_be(s, W, e, BYTES);
    limbic_words_reduce_once(s, s, ORDER->m, W); /* e < 2^256 < 2n */
}

/* ---- signing ---- */

/* d and 1/(1 + d) of a signer; the rest of it is not touched. */
static limbic_status open_key(limbic_sm2_signer *key, const uint8_t *private_key, size_t private_len) {
    static const uint64_t one[W] = {1};
    limbic_status status = limbic_private_decode(CURVE, key->d, private_key, private_len);
    if (status)
        return status;
    LIMBIC_SECRET(key->d, sizeof key->d);
    ORDER_OPS->field_add(key->inverse, key->d, one);
    limbic_to_residue(ORDER, key->inverse, key->inverse);
    ORDER_OPS->field_inv(key->inverse, key->inverse);
    return LIMBIC_OK;
}

/*
 * r = e + x1 and s = (k - r d)/(1 + d) = (r + k)/(1 + d) - r mod n; 0 and nothing written where the standard draws another
 * nonce: r = 0, r + k = n, s = 0.
 */
static int sign(uint8_t *sig, const limbic_sm2_signer *key, const uint8_t *e, const uint64_t *k) {
    uint64_t xy[2 * W], r[W], s[W], bad;

    (void)limbic_base_mul(CURVE, xy, k);
    limbic_from_residue(PRIME, r, xy);
    limbic_words_reduce_once(r, r, ORDER->m, W); /* x1 < p < 2n */
    digest_to_scalar(s, e);
    ORDER_OPS->field_add(r, r, s);
    ORDER_OPS->field_add(s, r, k);
    bad = limbic_words_zero_mask(r, W) | limbic_words_zero_mask(s, W);
    ORDER_OPS->field_mul(s, s, key->inverse); /* plain times residue is plain */
    ORDER_OPS->field_sub(s, s, r);
    bad |= limbic_words_zero_mask(s, W);
    LIMBIC_DECLASSIFY(&bad, sizeof bad);
    if (!bad) {
        limbic_to_bytes(ORDER, sig, r);
        limbic_to_bytes(ORDER, sig + BYTES, s);
    }
    limbic_wipe(s, sizeof s);
    return bad == 0;
}

enum { SEED_BYTES = 3 * BYTES + 1 };

/* What nonces are hashes of: d || 32 random bytes || e || counter. */
static void seed_of(uint8_t *seed, const uint64_t *d, const uint8_t *random, const uint8_t *e) {
    limbic_words_to_be(seed, BYTES, d, W);
    memcpy(seed + BYTES, random, BYTES);
    memcpy(seed + 2 * BYTES, e, BYTES);
    seed[3 * BYTES] = 0;
}

void limbic_sm2_nonces(uint8_t *nonces, size_t n, const uint64_t *const *d, const uint8_t *random,
                       const uint8_t *const *e) {
    enum { SOME = 16 };
    uint8_t seeds[SOME][SEED_BYTES];
    const void *in[SOME];
    size_t lengths[SOME], some;
    for (; n; n -= some, nonces += some * BYTES, d += some, random += some * BYTES, e += some) {
        some = n < SOME ? n : SOME;
        for (size_t i = 0; i < some; i++) {
            seed_of(seeds[i], d[i], random + i * BYTES, e[i]);
            in[i] = seeds[i];
            lengths[i] = SEED_BYTES;
        }
        limbic_hash_many(LIMBIC_SM3, nonces, in, lengths, some);
    }
    limbic_wipe(seeds, sizeof seeds);
}

/* With a nonce of limbic_sm2_nonces, and of the next counters where that gives none. */
static limbic_status sign_hedged(uint8_t *sig, const limbic_sm2_signer *key, const uint8_t *e) {
    uint8_t seed[SEED_BYTES], random[BYTES], nonce[BYTES];
    uint64_t k[W];
    limbic_status status = limbic_random(random, BYTES);

    if (status)
        return status;
    LIMBIC_SECRET(random, BYTES);
    seed_of(seed, key->d, random, e);
    do {
        limbic_hash_once(LIMBIC_SM3, nonce, seed, sizeof seed);
        seed[3 * BYTES]++;
    } while (!limbic_sm2_nonce_decode(k, nonce) || !sign(sig, key, seed + 2 * BYTES, k));
    limbic_wipe(seed, sizeof seed);
    limbic_wipe(random, sizeof random);
    limbic_wipe(nonce, sizeof nonce);
    limbic_wipe(k, sizeof k);
    return LIMBIC_OK;
}

static limbic_status check_digest(const uint8_t *sig, size_t sig_len, const uint8_t *e, size_t e_len) {
    if (!sig || !e)
        return LIMBIC_ERR_NULL;
    return sig_len == LIMBIC_SM2_SIGNATURE_BYTES && e_len == LIMBIC_SM2_DIGEST_BYTES ? LIMBIC_OK
                                                                                     : LIMBIC_ERR_LENGTH;
}

static limbic_status check_message(const uint8_t *sig, size_t sig_len, const void *msg, size_t msg_len) {
    if (!sig || (!msg && msg_len))
        return LIMBIC_ERR_NULL;
    return sig_len == LIMBIC_SM2_SIGNATURE_BYTES ? LIMBIC_OK : LIMBIC_ERR_LENGTH;
}

limbic_status limbic_sm2_sign_digest_with_nonce(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                                size_t private_len, const uint8_t *e, size_t e_len,
                                                const uint8_t *nonce, size_t nonce_len) {
    limbic_sm2_signer key;
    uint64_t k[W];
    limbic_status status = check_digest(sig, sig_len, e, e_len);
    if (status)
        return status;
    if (!private_key || !nonce)
        return LIMBIC_ERR_NULL;
    if (nonce_len != BYTES)
        return LIMBIC_ERR_LENGTH;
    status = open_key(&key, private_key, private_len);
    if (!status && !limbic_sm2_nonce_decode(k, nonce))
        status = LIMBIC_ERR_PRIVATE_KEY;
    if (!status && !sign(sig, &key, e, k))
        status = LIMBIC_ERR_SIGNATURE_RANGE;
    limbic_wipe(&key, sizeof key);
    limbic_wipe(k, sizeof k);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_sm2_sign_digest(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                     size_t private_len, const uint8_t *e, size_t e_len) {
    limbic_sm2_signer key;
    limbic_status status = check_digest(sig, sig_len, e, e_len);
    if (status)
        return status;
    if (!private_key)
        return LIMBIC_ERR_NULL;
    status = open_key(&key, private_key, private_len);
    if (!status)
        status = sign_hedged(sig, &key, e);
    limbic_wipe(&key, sizeof key);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_sm2_signer_init(limbic_sm2_signer *signer, const uint8_t *private_key,
                                     size_t private_len, const void *id, size_t id_len) {
    limbic_sm2_signer key;
    uint64_t xy[2 * W];
    limbic_status status;

    if (!signer || !private_key)
        return LIMBIC_ERR_NULL;
    memset(&key, 0, sizeof key); /* padding too */
    status = open_key(&key, private_key, private_len);
    if (!status) {
        (void)limbic_base_mul(CURVE, xy, key.d);
        LIMBIC_DECLASSIFY(xy, sizeof xy);
        status = limbic_sm2_z_of(key.z, id, id_len, xy);
    }
    if (!status) {
        limbic_point_encode(CURVE, key.public_key, xy);
        key.magic = MAGIC;
        memcpy(signer, &key, sizeof key);
    }
    limbic_wipe(&key, sizeof key);
    limbic_wipe_stack();
    return status;
}

void limbic_sm2_signer_wipe(limbic_sm2_signer *signer) {
    if (signer)
        limbic_wipe(signer, sizeof *signer);
}

limbic_status limbic_sm2_signer_sign_digest(const limbic_sm2_signer *signer, uint8_t *sig, size_t sig_len,
                                            const uint8_t *e, size_t e_len) {
    limbic_status status = signer ? check_digest(sig, sig_len, e, e_len) : LIMBIC_ERR_NULL;
    if (!status && signer->magic != MAGIC)
        status = LIMBIC_ERR_PREPARED;
    if (!status)
        status = sign_hedged(sig, signer, e);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_sm2_signer_sign(const limbic_sm2_signer *signer, uint8_t *sig, size_t sig_len,
                                     const void *msg, size_t msg_len) {
    uint8_t e[LIMBIC_SM2_DIGEST_BYTES];
    limbic_status status = signer ? check_message(sig, sig_len, msg, msg_len) : LIMBIC_ERR_NULL;
    if (!status && signer->magic != MAGIC)
        status = LIMBIC_ERR_PREPARED;
    if (status)
        return status;
    digest_of(e, signer->z, msg, msg_len);
    return limbic_sm2_signer_sign_digest(signer, sig, sig_len, e, sizeof e);
}

limbic_status limbic_sm2_sign(uint8_t *sig, size_t sig_len, const uint8_t *private_key, size_t private_len,
                              const void *id, size_t id_len, const void *msg, size_t msg_len) {
    limbic_sm2_signer signer;
    limbic_status status = check_message(sig, sig_len, msg, msg_len);
    if (!status)
        status = limbic_sm2_signer_init(&signer, private_key, private_len, id, id_len);
    if (status)
        return status;
    status = limbic_sm2_signer_sign(&signer, sig, sig_len, msg, msg_len);
    limbic_sm2_signer_wipe(&signer);
    return status;
}

/* ---- verification ---- */

/* s G + t Q with t = r + s has x1 = r - e mod n; Q decoded, or as a prepared key's table. */
static limbic_status verify(const uint8_t *sig, const uint8_t *e, const uint64_t *q, const uint64_t *table) {
    uint64_t r[W], s[W], t[W], x1[W], point[3 * W];

    if (!limbic_from_bytes(ORDER, r, sig) || !limbic_from_bytes(ORDER, s, sig + BYTES) ||
        limbic_words_zero_mask(r, W) || limbic_words_zero_mask(s, W))
        return LIMBIC_ERR_SIGNATURE_RANGE;
    ORDER_OPS->field_add(t, r, s);
    if (limbic_words_zero_mask(t, W))
        return LIMBIC_ERR_SIGNATURE;
    digest_to_scalar(x1, e);
    ORDER_OPS->field_sub(x1, r, x1);
    if (table)
        FIELD_OPS->curve_prepared_mul_vartime(point, s, t, table);
    else
        FIELD_OPS->curve_double_mul_vartime(point, s, t, q);
    return limbic_has_x_vartime(CURVE, point, x1) ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE;
}

limbic_status limbic_sm2_verify_digest(const uint8_t *sig, size_t sig_len, const uint8_t *public_key,
                                       size_t public_len, const uint8_t *e, size_t e_len) {
    uint64_t xy[2 * W];
    limbic_status status = check_digest(sig, sig_len, e, e_len);
    if (status)
        return status;
    if (!public_key)
        return LIMBIC_ERR_NULL;
    status = limbic_point_decode(CURVE, xy, public_key, public_len);
    return status ? status : verify(sig, e, xy, NULL);
}

/* e of the message under the key whose x, y these are, then as verify. */
static limbic_status verify_message(const uint8_t *sig, const uint64_t *xy, const uint64_t *table,
                                    const void *id, size_t id_len, const void *msg, size_t msg_len) {
    uint8_t e[LIMBIC_SM2_DIGEST_BYTES];
    limbic_status status = limbic_sm2_z_of(e, id, id_len, xy);
    if (status)
        return status;
    digest_of(e, e, msg, msg_len);
    return verify(sig, e, xy, table);
}

limbic_status limbic_sm2_verify(const uint8_t *sig, size_t sig_len, const uint8_t *public_key,
                                size_t public_len, const void *id, size_t id_len, const void *msg,
                                size_t msg_len) {
    uint64_t xy[2 * W];
    limbic_status status = check_message(sig, sig_len, msg, msg_len);
    if (status)
        return status;
    if (!public_key)
        return LIMBIC_ERR_NULL;
    status = limbic_point_decode(CURVE, xy, public_key, public_len);
    return status ? status : verify_message(sig, xy, NULL, id, id_len, msg, msg_len);
}

static limbic_status open_prepared(const void *prepared, size_t prepared_len, const uint64_t **table) {
    limbic_curve curve;
    limbic_status status = limbic_prepared_open(prepared, prepared_len, &curve, table);
    return !status && curve != LIMBIC_SM2 ? LIMBIC_ERR_CURVE : status;
}

limbic_status limbic_sm2_verify_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                         size_t sig_len, const void *id, size_t id_len, const void *msg,
                                         size_t msg_len) {
    const uint64_t *table;
    limbic_status status = check_message(sig, sig_len, msg, msg_len);
    if (!status)
        status = open_prepared(prepared, prepared_len, &table);
    return status ? status : verify_message(sig, table, table, id, id_len, msg, msg_len);
}

limbic_status limbic_sm2_verify_digest_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                                size_t sig_len, const uint8_t *e, size_t e_len) {
    const uint64_t *table;
    limbic_status status = check_digest(sig, sig_len, e, e_len);
    if (!status)
        status = open_prepared(prepared, prepared_len, &table);
    return status ? status : verify(sig, e, NULL, table);
}
