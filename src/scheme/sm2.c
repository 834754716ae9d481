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

static limbic_status check_id(const void *id, size_t id_len) {
    if (!id && id_len)
        return LIMBIC_ERR_NULL;
    return id_len > LIMBIC_SM2_MAX_ID_BYTES ? LIMBIC_ERR_ID : LIMBIC_OK;
}

void limbic_sm2_z_id(uint8_t *entl, const void **id, size_t *id_len) {
    static const uint8_t default_id[] = LIMBIC_SM2_DEFAULT_ID;
    if (!*id) {
        *id = default_id;
        *id_len = sizeof default_id - 1;
    }
    entl[0] = (uint8_t)(*id_len >> 5); /* its length in bits */
    entl[1] = (uint8_t)(*id_len << 3);
}

/* a || b || G || the key */
void limbic_sm2_z_text(uint8_t *text, const uint64_t *xy) {
    uint8_t point[POINT_BYTES];
    uint64_t words[2 * W];

    memcpy(words, PRIME->m, 8 * W);
    words[0] -= 3; /* a = p - 3; no borrow */
    limbic_to_bytes(PRIME, text, words);
    limbic_from_residue(PRIME, words, CURVE->b);
    limbic_to_bytes(PRIME, text + BYTES, words);
    memcpy(words, CURVE->gx, 8 * W);
    memcpy(words + W, CURVE->gy, 8 * W);
    limbic_point_encode(CURVE, point, words);
    memcpy(text + 2 * BYTES, point + 1, 2 * BYTES);
    limbic_point_encode(CURVE, point, xy);
    memcpy(text + 4 * BYTES, point + 1, 2 * BYTES);
}

limbic_status limbic_sm2_z_of(uint8_t *z, const void *id, size_t id_len, const uint64_t *xy) {
    uint8_t entl[2], text[LIMBIC_SM2_Z_BYTES];
    limbic_hash_ctx c;
    limbic_status status = check_id(id, id_len);

    if (status)
        return status;
    limbic_sm2_z_id(entl, &id, &id_len);
    limbic_sm2_z_text(text, xy);
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, entl, sizeof entl);
    limbic_hash_update(&c, id, id_len);
    limbic_hash_update(&c, text, sizeof text);
    limbic_hash_final(&c, z);
    limbic_wipe(text, sizeof text);
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

void limbic_sm2_digest_of(uint8_t *e, const uint8_t *z, const void *msg, size_t msg_len) {
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
        limbic_sm2_digest_of(e, z, msg, msg_len);
    return status;
}

/* e mod n */
static void digest_to_scalar(uint64_t *s, const uint8_t *e) {
    limbic_words_from_be(s, W, e, BYTES);
    limbic_words_reduce_once(s, s, ORDER->m, W); /* e < 2^256 < 2n */
}

/* ---- signing ---- */

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

limbic_status limbic_sm2_sign_start(const limbic_sm2_sign_item *item, uint64_t *d) {
    limbic_status status = LIMBIC_SM2_HAS_DIGEST(item)
                               ? check_digest(item->sig, item->sig_len, item->e, item->e_len)
                               : check_message(item->sig, item->sig_len, item->msg, item->msg_len);
    if (status)
        return status;
    if (item->signer) {
        if (item->signer->magic != MAGIC)
            return LIMBIC_ERR_PREPARED;
        memcpy(d, item->signer->d, 8 * W);
        return LIMBIC_OK;
    }
    if (!item->private_key)
        return LIMBIC_ERR_NULL;
    status = limbic_private_decode(CURVE, d, item->private_key, item->private_len);
    if (!status && !LIMBIC_SM2_HAS_DIGEST(item))
        status = check_id(item->id, item->id_len);
    return status;
}

void limbic_sm2_divisor(uint64_t *r, const uint64_t *d) {
    static const uint64_t one[W] = {1};
    ORDER_OPS->field_add(r, d, one);
    limbic_to_residue(ORDER, r, r);
}

/* d and 1/(1 + d) of a signer; the rest of it is not touched. */
static limbic_status open_key(limbic_sm2_signer *key, const uint8_t *private_key, size_t private_len) {
    limbic_status status = limbic_private_decode(CURVE, key->d, private_key, private_len);
    if (status)
        return status;
    LIMBIC_SECRET(key->d, sizeof key->d);
    limbic_sm2_divisor(key->inverse, key->d);
    ORDER_OPS->field_inv(key->inverse, key->inverse);
    return LIMBIC_OK;
}

int limbic_sm2_finish(uint8_t *sig, const uint64_t *inverse, const uint8_t *e, const uint64_t *k,
                      const uint64_t *xy) {
    uint64_t r[W], s[W], bad;

    limbic_x_mod_order(CURVE, r, xy);
    digest_to_scalar(s, e);
    ORDER_OPS->field_add(r, r, s);
    ORDER_OPS->field_add(s, r, k);
    bad = limbic_words_zero_mask(r, W) | limbic_words_zero_mask(s, W);
    ORDER_OPS->field_mul(s, s, inverse); /* plain times residue is plain */
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

static int sign(uint8_t *sig, const uint64_t *inverse, const uint8_t *e, const uint64_t *k) {
    uint64_t xy[2 * W];
    (void)limbic_base_mul(CURVE, xy, k);
    const int good = limbic_sm2_finish(sig, inverse, e, k, xy);
    limbic_wipe(xy, sizeof xy);
    return good;
}

void limbic_sm2_seed(uint8_t *seed, const uint64_t *d, const uint8_t *random, const uint8_t *e) {
    limbic_words_to_be(seed, BYTES, d, W);
    memcpy(seed + BYTES, random, BYTES);
    LIMBIC_SECRET(seed + BYTES, BYTES);
    memcpy(seed + 2 * BYTES, e, BYTES);
    seed[3 * BYTES] = 0;
}

int limbic_sm2_seed_nonce(uint64_t *k, uint8_t *seed) {
    uint8_t nonce[BYTES];
    limbic_hash_once(LIMBIC_SM3, nonce, seed, LIMBIC_SM2_SEED_BYTES);
    seed[3 * BYTES]++;
    int good = limbic_sm2_nonce_decode(k, nonce);
    limbic_wipe(nonce, sizeof nonce);
    return good;
}

void limbic_sm2_sign_seeded(uint8_t *sig, const uint64_t *inverse, uint8_t *seed) {
    uint64_t k[W];
    while (!limbic_sm2_seed_nonce(k, seed) || !sign(sig, inverse, seed + 2 * BYTES, k))
        ;
    limbic_wipe(k, sizeof k);
}

static limbic_status sign_hedged(uint8_t *sig, const limbic_sm2_signer *key, const uint8_t *e) {
    uint8_t seed[LIMBIC_SM2_SEED_BYTES], random[BYTES];
    limbic_status status = limbic_random(random, sizeof random);
    if (status)
        return status;
    limbic_sm2_seed(seed, key->d, random, e);
    limbic_sm2_sign_seeded(sig, key->inverse, seed);
    limbic_wipe(seed, sizeof seed);
    limbic_wipe(random, sizeof random);
    return LIMBIC_OK;
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
    if (!status && !sign(sig, key.inverse, e, k))
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
    limbic_wipe(xy, sizeof xy);
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
    limbic_sm2_digest_of(e, signer->z, msg, msg_len);
    status = limbic_sm2_signer_sign_digest(signer, sig, sig_len, e, sizeof e);
    limbic_wipe(e, sizeof e);
    return status;
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

limbic_status limbic_sm2_verify_start(const limbic_sm2_verify_item *item, uint64_t *q,
                                      const uint64_t **table) {
    const int digest = LIMBIC_SM2_HAS_DIGEST(item);
    limbic_curve curve;
    limbic_status status = digest ? check_digest(item->sig, item->sig_len, item->e, item->e_len)
                                  : check_message(item->sig, item->sig_len, item->msg, item->msg_len);
    *table = NULL;
    if (status)
        return status;
    if (item->prepared || item->prepared_len) {
        status = limbic_prepared_open(item->prepared, item->prepared_len, &curve, table);
        if (!status && curve != LIMBIC_SM2)
            status = LIMBIC_ERR_CURVE;
    } else {
        status = item->public_key ? limbic_point_decode(CURVE, q, item->public_key, item->public_len)
                                  : LIMBIC_ERR_NULL;
    }
    if (!status && !digest)
        status = check_id(item->id, item->id_len);
    return status;
}

limbic_status limbic_sm2_verify_numbers(struct limbic_sm2_claim *claim, const limbic_sm2_verify_item *item,
                                        const uint8_t *e) {
    uint64_t r[W];

    if (!limbic_from_bytes(ORDER, r, item->sig) || !limbic_from_bytes(ORDER, claim->s, item->sig + BYTES) ||
        limbic_words_zero_mask(r, W) || limbic_words_zero_mask(claim->s, W))
        return LIMBIC_ERR_SIGNATURE_RANGE;
    ORDER_OPS->field_add(claim->t, r, claim->s);
    if (limbic_words_zero_mask(claim->t, W))
        return LIMBIC_ERR_SIGNATURE;
    digest_to_scalar(claim->x1, e);
    ORDER_OPS->field_sub(claim->x1, r, claim->x1);
    return LIMBIC_OK;
}

static limbic_status verify(const limbic_sm2_verify_item *item) {
    struct limbic_sm2_claim a;
    uint64_t q[2 * W], point[3 * W];
    const uint64_t *table;
    uint8_t e[LIMBIC_SM2_DIGEST_BYTES];
    limbic_status status = limbic_sm2_verify_start(item, q, &table);
    if (status)
        return status;
    if (LIMBIC_SM2_HAS_DIGEST(item)) {
        memcpy(e, item->e, sizeof e);
    } else { /* a table begins with the key */
        (void)limbic_sm2_z_of(e, item->id, item->id_len, table ? table : q);
        limbic_sm2_digest_of(e, e, item->msg, item->msg_len);
    }
    status = limbic_sm2_verify_numbers(&a, item, e);
    if (status)
        return status;
    if (table)
        LIMBIC_PREPARED_OPS(CURVE)->curve_prepared_mul_vartime(point, a.s, a.t, table);
    else
        FIELD_OPS->curve_double_mul_vartime(point, a.s, a.t, q);
    return limbic_has_x_vartime(CURVE, point, a.x1) ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE;
}

limbic_status limbic_sm2_verify_digest(const uint8_t *sig, size_t sig_len, const uint8_t *public_key,
                                       size_t public_len, const uint8_t *e, size_t e_len) {
    const limbic_sm2_verify_item item = {.sig = sig,
                                         .public_key = public_key,
                                         .e = e,
                                         .sig_len = sig_len,
                                         .public_len = public_len,
                                         .e_len = e_len};
    return e ? verify(&item) : LIMBIC_ERR_NULL;
}

limbic_status limbic_sm2_verify(const uint8_t *sig, size_t sig_len, const uint8_t *public_key,
                                size_t public_len, const void *id, size_t id_len, const void *msg,
                                size_t msg_len) {
    const limbic_sm2_verify_item item = {.sig = sig,
                                         .public_key = public_key,
                                         .id = id,
                                         .msg = msg,
                                         .sig_len = sig_len,
                                         .public_len = public_len,
                                         .id_len = id_len,
                                         .msg_len = msg_len};
    return verify(&item);
}

limbic_status limbic_sm2_verify_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                         size_t sig_len, const void *id, size_t id_len, const void *msg,
                                         size_t msg_len) {
    const limbic_sm2_verify_item item = {.sig = sig,
                                         .prepared = prepared,
                                         .id = id,
                                         .msg = msg,
                                         .sig_len = sig_len,
                                         .prepared_len = prepared_len,
                                         .id_len = id_len,
                                         .msg_len = msg_len};
    return verify(&item); /* without any key: LIMBIC_ERR_NULL */
}

limbic_status limbic_sm2_verify_digest_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                                size_t sig_len, const uint8_t *e, size_t e_len) {
    const limbic_sm2_verify_item item = {.sig = sig,
                                         .e = e,
                                         .prepared = prepared,
                                         .sig_len = sig_len,
                                         .e_len = e_len,
                                         .prepared_len = prepared_len};
    return e ? verify(&item) : LIMBIC_ERR_NULL;
}
