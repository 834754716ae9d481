#include "scheme/ecdsa.h"
#include "base/random.h"
#include "hash/hash.h"
#include "scheme/scheme.h"

#define MAX LIMBIC_MAX_LIMBS

/* The curve with the operations and moduli that a signature needs. */
struct context {
    const struct limbic_curve_desc *c;
    const struct limbic_modulus *p, *n;
    const struct limbic_ops *field, *order;
};

static limbic_status context(struct context *x, limbic_curve curve) {
    x->c = limbic_curve_desc(curve);
    if (!x->c || curve == LIMBIC_SM2)
        return LIMBIC_ERR_CURVE;
    x->p = limbic_modulus((enum limbic_unit)x->c->unit);
    x->n = limbic_modulus((enum limbic_unit)x->c->order);
    x->field = limbic_ops((enum limbic_unit)x->c->unit);
    x->order = limbic_ops((enum limbic_unit)x->c->order);
    return LIMBIC_OK;
}

/* The leftmost bits of a digest as a number mod n (FIPS 186-5 section 6.4.1 steps 2 and 3; RFC 6979's bits2octets). */
static void digest_to_scalar(const struct context *x, uint64_t *e, const uint8_t *digest, size_t digest_len) {
    const unsigned spare = 8U * x->c->bytes - x->n->bits;
    const size_t n = x->c->limbs;
    size_t take = digest_len < x->c->bytes ? digest_len : x->c->bytes;
    limbic_words_from_be(e, n, digest, take);
    if (take == x->c->bytes && spare)
        for (size_t i = 0; i < n; i++)
            e[i] = e[i] >> spare | (i + 1 < n ? e[i + 1] << (64 - spare) : 0);
    limbic_words_reduce_once(e, e, x->n->m, n); /* e < 2^bits < 2n */
}

/* s = (e + r d)/k with r = x(k G) mod n; returns 0 if r or s is zero. d, e, k: plain words. */
static int sign(const struct context *x, uint64_t *r, uint64_t *s, const uint64_t *d, const uint64_t *e,
                const uint64_t *k) {
    const size_t n = x->c->limbs;
    uint64_t xy[2 * MAX], t[MAX];
    uint64_t bad;

    (void)limbic_base_mul(x->c, xy, k);
    limbic_from_residue(x->p, r, xy);
    limbic_words_reduce_once(r, r, x->n->m, n); /* x < p < 2n on these curves */
    /* residue times plain is plain */
    limbic_to_residue(x->n, t, d);
    x->order->field_mul(s, r, t);
    x->order->field_add(s, s, e);
    limbic_to_residue(x->n, t, k);
    x->order->field_inv(t, t);
    x->order->field_mul(s, s, t);
    limbic_wipe(t, sizeof t);
    bad = limbic_words_zero_mask(r, n) | limbic_words_zero_mask(s, n);
    LIMBIC_DECLASSIFY(&bad, sizeof bad);
    return bad == 0;
}

static void give(const struct context *x, uint8_t *sig, uint64_t *r, uint64_t *s) {
    limbic_to_bytes(x->n, sig, r);
    limbic_to_bytes(x->n, sig + x->c->bytes, s);
}

/* The checks that all forms of signing share: lengths, curve, key. */
static limbic_status start(struct context *x, limbic_curve curve, const uint8_t *sig, size_t sig_len,
                           uint64_t *d, const uint8_t *private_key, size_t private_len, uint64_t *e,
                           const uint8_t *digest, size_t digest_len) {
    limbic_status status;
    if (!sig || !private_key || (!digest && digest_len))
        return LIMBIC_ERR_NULL;
    status = context(x, curve);
    if (status)
        return status;
    if (sig_len != 2 * (size_t)x->c->bytes)
        return LIMBIC_ERR_LENGTH;
    digest_to_scalar(x, e, digest, digest_len);
    return limbic_private_decode(x->c, d, private_key, private_len);
}

limbic_status limbic_ecdsa_sign_with_nonce(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                           const uint8_t *private_key, size_t private_len,
                                           const uint8_t *digest, size_t digest_len, const uint8_t *nonce,
                                           size_t nonce_len) {
    struct context x;
    uint64_t d[MAX], e[MAX], k[MAX], r[MAX], s[MAX];
    limbic_status status = nonce ? LIMBIC_OK : LIMBIC_ERR_NULL;
    if (!status)
        status = start(&x, curve, sig, sig_len, d, private_key, private_len, e, digest, digest_len);
    if (!status)
        status = limbic_private_decode(x.c, k, nonce, nonce_len);
    if (!status && !sign(&x, r, s, d, e, k))
        status = LIMBIC_ERR_SIGNATURE_RANGE;
    if (!status)
        give(&x, sig, r, s);
    limbic_wipe(d, sizeof d);
    limbic_wipe(k, sizeof k);
    limbic_wipe_stack();
    return status;
}

static limbic_status sign_rfc6979(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                  const uint8_t *private_key, size_t private_len, const uint8_t *digest,
                                  size_t digest_len, limbic_hash hash, int hedged) {
    limbic_hash id;
    struct context x;
    struct limbic_rfc6979 g;
    uint64_t d[MAX], e[MAX], k[MAX], r[MAX], s[MAX];
    uint8_t key[LIMBIC_MAX_BYTES], h1[LIMBIC_MAX_BYTES], extra[LIMBIC_MAX_BYTES / 2], nonce[LIMBIC_MAX_BYTES];
    limbic_status status = start(&x, curve, sig, sig_len, d, private_key, private_len, e, digest, digest_len);

    if (status)
        return status;
    if (hash == LIMBIC_HASH_DEFAULT)
        hash = curve == LIMBIC_P256 ? LIMBIC_SHA256 : curve == LIMBIC_P384 ? LIMBIC_SHA384 : LIMBIC_SHA512;
    switch (hash) {
    case LIMBIC_SHA256:
        id = LIMBIC_SHA256;
        break;
    case LIMBIC_SHA384:
        id = LIMBIC_SHA384;
        break;
    case LIMBIC_SHA512:
        id = LIMBIC_SHA512;
        break;
    case LIMBIC_HASH_DEFAULT:
    default:
        status = LIMBIC_ERR_HASH;
        goto out;
    }
    /* as many random bits as the curve has security */
    const size_t extra_len = hedged ? x.c->bytes / 2U : 0;
    if (hedged && (status = limbic_random(extra, extra_len)) != LIMBIC_OK)
        goto out;
    memcpy(key, private_key, x.c->bytes);
    limbic_to_bytes(x.n, h1, e);
    limbic_rfc6979_init(&g, id, x.n->bits, key, h1, extra, extra_len);
    do
        limbic_rfc6979_next(&g, nonce);
    while (limbic_private_decode(x.c, k, nonce, x.c->bytes) || !sign(&x, r, s, d, e, k));
    give(&x, sig, r, s);
    limbic_wipe(&g, sizeof g);
    limbic_wipe(key, sizeof key);
    limbic_wipe(extra, sizeof extra);
    limbic_wipe(nonce, sizeof nonce);
    limbic_wipe(k, sizeof k);
out:
    limbic_wipe(d, sizeof d);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ecdsa_sign(limbic_curve curve, uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                size_t private_len, const uint8_t *digest, size_t digest_len,
                                limbic_hash hash) {
    return sign_rfc6979(curve, sig, sig_len, private_key, private_len, digest, digest_len, hash, 1);
}

limbic_status limbic_ecdsa_sign_deterministic(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                              const uint8_t *private_key, size_t private_len,
                                              const uint8_t *digest, size_t digest_len, limbic_hash hash) {
    return sign_rfc6979(curve, sig, sig_len, private_key, private_len, digest, digest_len, hash, 0);
}

/* u = e/s and v = r/s, plain; r stays for the comparison. */
static limbic_status verify_scalars(const struct context *x, uint64_t *u, uint64_t *v, uint64_t *r,
                                    const uint8_t *sig, const uint8_t *digest, size_t digest_len) {
    const size_t n = x->c->limbs;
    uint64_t s[MAX], e[MAX];

    if (!limbic_from_bytes(x->n, r, sig) || !limbic_from_bytes(x->n, s, sig + x->c->bytes) ||
        limbic_words_zero_mask(r, n) || limbic_words_zero_mask(s, n))
        return LIMBIC_ERR_SIGNATURE_RANGE;
    digest_to_scalar(x, e, digest, digest_len);
    limbic_to_residue(x->n, s, s);
    x->order->field_inv_vartime(s, s);
    x->order->field_mul(u, e, s);
    x->order->field_mul(v, r, s);
    return LIMBIC_OK;
}

limbic_status limbic_ecdsa_verify(limbic_curve curve, const uint8_t *sig, size_t sig_len,
                                  const uint8_t *public_key, size_t public_len, const uint8_t *digest,
                                  size_t digest_len) {
    struct context x;
    uint64_t u[MAX], v[MAX], r[MAX], q[2 * MAX], point[3 * MAX];
    limbic_status status;

    if (!sig || !public_key || (!digest && digest_len))
        return LIMBIC_ERR_NULL;
    status = context(&x, curve);
    if (status)
        return status;
    if (sig_len != 2 * (size_t)x.c->bytes)
        return LIMBIC_ERR_LENGTH;
    status = limbic_point_decode(x.c, q, public_key, public_len);
    if (!status)
        status = verify_scalars(&x, u, v, r, sig, digest, digest_len);
    if (status)
        return status;
    x.field->curve_double_mul_vartime(point, u, v, q);
    return limbic_has_x_vartime(x.c, point, r) ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE;
}

limbic_status limbic_ecdsa_verify_prepared(const void *prepared, size_t prepared_len, const uint8_t *sig,
                                           size_t sig_len, const uint8_t *digest, size_t digest_len) {
    struct context x;
    uint64_t u[MAX], v[MAX], r[MAX], point[3 * MAX];
    const uint64_t *table;
    limbic_curve curve;
    limbic_status status;

    if (!sig || (!digest && digest_len))
        return LIMBIC_ERR_NULL;
    status = limbic_prepared_open(prepared, prepared_len, &curve, &table);
    if (!status)
        status = context(&x, curve);
    if (status)
        return status;
    if (sig_len != 2 * (size_t)x.c->bytes)
        return LIMBIC_ERR_LENGTH;
    status = verify_scalars(&x, u, v, r, sig, digest, digest_len);
    if (status)
        return status;
    x.field->curve_prepared_mul_vartime(point, u, v, table);
    return limbic_has_x_vartime(x.c, point, r) ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE;
}
