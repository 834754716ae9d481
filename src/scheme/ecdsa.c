#include "scheme/ecdsa.h"
#include "base/random.h"
#include "hash/hash.h"
#include "scheme/scheme.h"

#define MAX LIMBIC_MAX_LIMBS

/* The curve with the operations and moduli that a signature needs. */
static limbic_status open_curve(struct limbic_ecdsa *x, limbic_curve curve) {
    x->c = limbic_curve_desc(curve);
    if (!x->c || curve == LIMBIC_SM2)
        return LIMBIC_ERR_CURVE;
    x->n = limbic_modulus((enum limbic_unit)x->c->order);
    x->field = limbic_ops((enum limbic_unit)x->c->unit);
    x->order = limbic_ops((enum limbic_unit)x->c->order);
    return LIMBIC_OK;
}

/* The leftmost bits of a digest as a number mod n (FIPS 186-5 section 6.4.1 steps 2 and 3; RFC 6979's bits2octets). */
static void digest_to_scalar(const struct limbic_ecdsa *x, uint64_t *e, const uint8_t *digest,
                             size_t digest_len) {
    const unsigned spare = 8U * x->c->bytes - x->n->bits;
    const size_t n = x->c->limbs;
    size_t take = digest_len < x->c->bytes ? digest_len : x->c->bytes;
    limbic_words_from_be(e, n, digest, take);
    if (take == x->c->bytes && spare)
        for (size_t i = 0; i < n; i++)
            e[i] = e[i] >> spare | (i + 1 < n ? e[i + 1] << (64 - spare) : 0);
    limbic_words_reduce_once(e, e, x->n->m, n); /* e < 2^bits < 2n */
}

limbic_status limbic_ecdsa_sign_start(struct limbic_ecdsa *x, limbic_curve curve, uint64_t *d, uint64_t *e,
                                      const limbic_ecdsa_sign_item *item) {
    limbic_status status;
    if (!item->sig || !item->private_key || (!item->digest && item->digest_len))
        return LIMBIC_ERR_NULL;
    status = open_curve(x, curve);
    if (status)
        return status;
    if (item->sig_len != 2 * (size_t)x->c->bytes)
        return LIMBIC_ERR_LENGTH;
    digest_to_scalar(x, e, item->digest, item->digest_len);
    return limbic_private_decode(x->c, d, item->private_key, item->private_len);
}

int limbic_ecdsa_finish(const struct limbic_ecdsa *x, uint8_t *sig, const uint64_t *d, const uint64_t *e,
                        const uint64_t *xy, const uint64_t *inverse) {
    const size_t n = x->c->limbs;
    uint64_t r[MAX], s[MAX], bad;

    limbic_x_mod_order(x->c, r, xy);
    /* residue times plain is plain */
    limbic_to_residue(x->n, s, d);
    x->order->field_mul(s, r, s);
    x->order->field_add(s, s, e);
    x->order->field_mul(s, s, inverse);
    bad = limbic_words_zero_mask(r, n) | limbic_words_zero_mask(s, n);
    LIMBIC_DECLASSIFY(&bad, sizeof bad);
    if (bad)
        return 0;
    limbic_to_bytes(x->n, sig, r);
    limbic_to_bytes(x->n, sig + x->c->bytes, s);
    return 1;
}

/* With a nonce of plain words; 0 and nothing written if r or s is zero. */
static int sign(const struct limbic_ecdsa *x, uint8_t *sig, const uint64_t *d, const uint64_t *e,
                const uint64_t *k) {
    uint64_t xy[2 * MAX], inverse[MAX];
    (void)limbic_base_mul(x->c, xy, k);
    limbic_to_residue(x->n, inverse, k);
    x->order->field_inv(inverse, inverse);
    int good = limbic_ecdsa_finish(x, sig, d, e, xy, inverse);
    limbic_wipe(inverse, sizeof inverse);
    limbic_wipe(xy, sizeof xy);
    return good;
}

limbic_status limbic_ecdsa_sign_with_nonce(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                           const uint8_t *private_key, size_t private_len,
                                           const uint8_t *digest, size_t digest_len, const uint8_t *nonce,
                                           size_t nonce_len) {
    const limbic_ecdsa_sign_item item = {sig,         private_key, digest,   sig_len,
                                         private_len, digest_len,  LIMBIC_OK};
    struct limbic_ecdsa x;
    uint64_t d[MAX], e[MAX], k[MAX];
    limbic_status status = nonce ? LIMBIC_OK : LIMBIC_ERR_NULL;
    if (!status)
        status = limbic_ecdsa_sign_start(&x, curve, d, e, &item);
    if (!status)
        status = limbic_private_decode(x.c, k, nonce, nonce_len);
    if (!status && !sign(&x, sig, d, e, k))
        status = LIMBIC_ERR_SIGNATURE_RANGE;
    limbic_wipe(d, sizeof d);
    limbic_wipe(k, sizeof k);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ecdsa_nonce_hash(limbic_hash *out, limbic_hash hash, const struct limbic_ecdsa *x) {
    switch (hash) {
    case LIMBIC_HASH_DEFAULT:
        *out = x->c->unit == LIMBIC_UNIT_p256   ? LIMBIC_SHA256
               : x->c->unit == LIMBIC_UNIT_p384 ? LIMBIC_SHA384
                                                : LIMBIC_SHA512;
        return LIMBIC_OK;
    case LIMBIC_SHA256:
    case LIMBIC_SHA384:
    case LIMBIC_SHA512:
        *out = hash;
        return LIMBIC_OK;
    default:
        return LIMBIC_ERR_HASH;
    }
}

void limbic_ecdsa_nonce_init(struct limbic_rfc6979 *g, const struct limbic_ecdsa *x, limbic_hash hash,
                             const uint64_t *d, const uint64_t *e, const uint8_t *extra, size_t extra_len) {
    uint8_t key[LIMBIC_MAX_BYTES], h1[LIMBIC_MAX_BYTES];
    limbic_to_bytes(x->n, key, d);
    limbic_to_bytes(x->n, h1, e);
    limbic_rfc6979_init(g, hash, x->n->bits, key, h1, extra, extra_len);
    limbic_wipe(key, sizeof key);
}

void limbic_ecdsa_nonce_next(struct limbic_rfc6979 *g, const struct limbic_ecdsa *x, uint64_t *k) {
    uint8_t nonce[LIMBIC_MAX_BYTES];
    do
        limbic_rfc6979_next(g, nonce);
    while (limbic_private_decode(x->c, k, nonce, x->c->bytes));
    limbic_wipe(nonce, sizeof nonce);
}

void limbic_ecdsa_sign_rfc6979(const struct limbic_ecdsa *x, uint8_t *sig, limbic_hash hash,
                               const uint64_t *d, const uint64_t *e, const uint8_t *extra, size_t extra_len) {
    struct limbic_rfc6979 g;
    uint64_t k[MAX];
    limbic_ecdsa_nonce_init(&g, x, hash, d, e, extra, extra_len);
    do
        limbic_ecdsa_nonce_next(&g, x, k);
    while (!sign(x, sig, d, e, k));
    limbic_wipe(&g, sizeof g);
    limbic_wipe(k, sizeof k);
}

static limbic_status sign_item(limbic_curve curve, const limbic_ecdsa_sign_item *item, limbic_hash hash,
                               int hedged) {
    struct limbic_ecdsa x;
    uint64_t d[MAX], e[MAX];
    uint8_t extra[LIMBIC_MAX_BYTES / 2];
    limbic_hash id = hash;
    limbic_status status = limbic_ecdsa_sign_start(&x, curve, d, e, item);
    if (status)
        return status;
    const size_t extra_len = hedged ? LIMBIC_ECDSA_EXTRA(&x) : 0;
    status = limbic_ecdsa_nonce_hash(&id, hash, &x);
    if (!status && hedged)
        status = limbic_random(extra, extra_len);
    if (!status)
        limbic_ecdsa_sign_rfc6979(&x, item->sig, id, d, e, extra, extra_len);
    limbic_wipe(extra, sizeof extra);
    limbic_wipe(d, sizeof d);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ecdsa_sign(limbic_curve curve, uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                size_t private_len, const uint8_t *digest, size_t digest_len,
                                limbic_hash hash) {
    const limbic_ecdsa_sign_item item = {sig,         private_key, digest,   sig_len,
                                         private_len, digest_len,  LIMBIC_OK};
    return sign_item(curve, &item, hash, 1);
}

limbic_status limbic_ecdsa_sign_deterministic(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                              const uint8_t *private_key, size_t private_len,
                                              const uint8_t *digest, size_t digest_len, limbic_hash hash) {
    const limbic_ecdsa_sign_item item = {sig,         private_key, digest,   sig_len,
                                         private_len, digest_len,  LIMBIC_OK};
    return sign_item(curve, &item, hash, 0);
}

/* ---- verification ---- */

limbic_status limbic_ecdsa_verify_start(struct limbic_ecdsa *x, const limbic_curve *curve,
                                        struct limbic_ecdsa_claim *claim,
                                        const limbic_ecdsa_verify_item *item) {
    limbic_curve own;
    limbic_status status = LIMBIC_OK;

    if (!item->sig || (!item->digest && item->digest_len))
        return LIMBIC_ERR_NULL;
    claim->table = NULL;
    if (item->prepared || item->prepared_len) {
        status = limbic_prepared_open(item->prepared, item->prepared_len, &own, &claim->table);
        if (!status && curve && own != *curve)
            status = LIMBIC_ERR_CURVE;
        curve = &own;
    } else if (!item->public_key) {
        status = LIMBIC_ERR_NULL;
    }
    if (!status)
        status = open_curve(x, *curve);
    if (!status && item->sig_len != 2 * (size_t)x->c->bytes)
        status = LIMBIC_ERR_LENGTH;
    if (!status && !claim->table)
        status = limbic_point_decode(x->c, claim->q, item->public_key, item->public_len);
    if (status)
        return status;
    if (!limbic_from_bytes(x->n, claim->r, item->sig) ||
        !limbic_from_bytes(x->n, claim->s, item->sig + x->c->bytes) ||
        limbic_words_zero_mask(claim->r, x->c->limbs) || limbic_words_zero_mask(claim->s, x->c->limbs))
        return LIMBIC_ERR_SIGNATURE_RANGE;
    limbic_to_residue(x->n, claim->s, claim->s);
    digest_to_scalar(x, claim->e, item->digest, item->digest_len);
    return LIMBIC_OK;
}

static limbic_status verify_item(const limbic_curve *curve, const limbic_ecdsa_verify_item *item) {
    struct limbic_ecdsa x;
    struct limbic_ecdsa_claim a;
    uint64_t u[MAX], v[MAX], point[3 * MAX];
    limbic_status status = limbic_ecdsa_verify_start(&x, curve, &a, item);
    if (status)
        return status;
    x.order->field_inv_vartime(a.s, a.s);
    x.order->field_mul(u, a.e, a.s); /* plain times residue is plain */
    x.order->field_mul(v, a.r, a.s);
    if (a.table)
        LIMBIC_PREPARED_OPS(x.c)->curve_prepared_mul_vartime(point, u, v, a.table);
    else
        x.field->curve_double_mul_vartime(point, u, v, a.q);
    return limbic_has_x_vartime(x.c, point, a.r) ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE;
}

limbic_status limbic_ecdsa_verify(limbic_curve curve, const uint8_t *sig, size_t sig_len,
                                  const uint8_t *public_key, size_t public_len, const uint8_t *digest,
                                  size_t digest_len) {
    const limbic_ecdsa_verify_item item = {.sig = sig,
                                           .public_key = public_key,
                                           .digest = digest,
                                           .sig_len = sig_len,
                                           .public_len = public_len,
                                           .digest_len = digest_len};
    return verify_item(&curve, &item);
}

limbic_status limbic_ecdsa_verify_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                           size_t sig_len, const uint8_t *digest, size_t digest_len) {
    const limbic_ecdsa_verify_item item = {.sig = sig,
                                           .digest = digest,
                                           .prepared = prepared,
                                           .sig_len = sig_len,
                                           .digest_len = digest_len,
                                           .prepared_len = prepared_len};
    return prepared ? verify_item(NULL, &item) : LIMBIC_ERR_NULL;
}
