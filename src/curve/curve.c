#include "curve/curve.h"
#include "base/limb.h"
#include "base/random.h"
#include "base/secret.h"
#include "consts/tables.h"

#define MAX LIMBIC_MAX_LIMBS

#define CURVE(u, text)                                                                                       \
    {                                                                                                        \
        text, LIMBIC_UNIT_##u, LIMBIC_UNIT_##u##n, limbic_##u##_limbs, limbic_##u##_bytes, limbic_##u##_b,   \
            limbic_##u##_gx, limbic_##u##_gy,                                                                \
            ((size_t)limbic_##u##_prepared_windows << (limbic_##u##_prepared_w - 1)) * 2 *                   \
                limbic_##u##_limbs                                                                           \
    }
static const struct limbic_curve_desc curves[] = {
    [LIMBIC_P256] = CURVE(p256, "P-256"),
    [LIMBIC_P384] = CURVE(p384, "P-384"),
    [LIMBIC_P521] = CURVE(p521, "P-521"),
    [LIMBIC_SM2] = CURVE(sm2, "SM2"),
};

const struct limbic_curve_desc *limbic_curve_desc(enum limbic_curve curve) {
    size_t i = (size_t)curve;
    return i < sizeof curves / sizeof curves[0] && curves[i].name ? &curves[i] : NULL;
}

/* y^2 = x (x^2 - 3) + b */
static void right_side(const struct limbic_curve_desc *c, uint64_t *r, const uint64_t *x) {
    const struct limbic_ops *f = limbic_ops((enum limbic_unit)c->unit);
    const uint64_t *one = limbic_modulus((enum limbic_unit)c->unit)->one;
    uint64_t t[MAX];
    f->field_sqr(t, x);
    for (int i = 0; i < 3; i++)
        f->field_sub(t, t, one);
    f->field_mul(t, t, x);
    f->field_add(r, t, c->b);
}

limbic_status limbic_point_decode(const struct limbic_curve_desc *c, uint64_t *xy, const uint8_t *in,
                                  size_t in_len) {
    const struct limbic_ops *f = limbic_ops((enum limbic_unit)c->unit);
    const struct limbic_modulus *p = limbic_modulus((enum limbic_unit)c->unit);
    const size_t n = c->limbs;
    uint64_t x[MAX], y[MAX], want[MAX], t[MAX];

    if (in_len == 0)
        return LIMBIC_ERR_LENGTH;
    if (in[0] == 0)
        return in_len == 1 ? LIMBIC_ERR_INFINITY : LIMBIC_ERR_POINT_FORM;
    if (in[0] != 4 && in[0] != 2 && in[0] != 3)
        return LIMBIC_ERR_POINT_FORM;
    if (in_len != 1 + (in[0] == 4 ? (size_t)2 : 1) * c->bytes)
        return LIMBIC_ERR_LENGTH;
    if (!limbic_from_bytes(p, x, in + 1))
        return LIMBIC_ERR_COORDINATE;
    limbic_to_residue(p, x, x);
    right_side(c, want, x);
    if (in[0] == 4) {
        if (!limbic_from_bytes(p, y, in + 1 + c->bytes))
            return LIMBIC_ERR_COORDINATE;
        limbic_to_residue(p, y, y);
        f->field_sqr(t, y);
        if (!limbic_words_eq_mask(t, want, n))
            return LIMBIC_ERR_NOT_ON_CURVE;
    } else {
        if (!limbic_sqrt(p, y, want))
            return LIMBIC_ERR_NOT_ON_CURVE;
        limbic_from_residue(p, t, y);
        if ((t[0] & 1) != (in[0] & 1))
            f->field_neg(y, y);
    }
    memcpy(xy, x, 8 * n);
    memcpy(xy + n, y, 8 * n);
    return LIMBIC_OK;
}

void limbic_point_encode(const struct limbic_curve_desc *c, uint8_t *out, const uint64_t *xy) {
    const struct limbic_modulus *p = limbic_modulus((enum limbic_unit)c->unit);
    uint64_t x[MAX], y[MAX];
    limbic_from_residue(p, x, xy);
    limbic_from_residue(p, y, xy + c->limbs);
    out[0] = 4;
    limbic_to_bytes(p, out + 1, x);
    limbic_to_bytes(p, out + 1 + c->bytes, y);
}

/* 1 if 0 < d < n (for SM2 keys: n - 1, since a signature divides by 1 + d) */
static uint64_t private_in_range(const struct limbic_curve_desc *c, const uint64_t *d) {
    uint64_t top[MAX];
    memcpy(top, limbic_modulus((enum limbic_unit)c->order)->m, 8 * (size_t)c->limbs);
    top[0] -= c->unit == LIMBIC_UNIT_sm2; /* n is odd: no borrow */
    return limbic_words_less(d, top, c->limbs) & ~limbic_words_zero_mask(d, c->limbs);
}

limbic_status limbic_private_decode(const struct limbic_curve_desc *c, uint64_t *d, const uint8_t *in,
                                    size_t in_len) {
    if (in_len != c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_words_from_be(d, c->limbs, in, in_len);
    uint64_t ok = private_in_range(c, d);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    if (ok)
        return LIMBIC_OK;
    limbic_wipe(d, 8 * (size_t)c->limbs);
    return LIMBIC_ERR_PRIVATE_KEY;
}

limbic_status limbic_scalar_decode(const struct limbic_curve_desc *c, uint64_t *k, const uint8_t *in,
                                   size_t in_len) {
    const struct limbic_modulus *n = limbic_modulus((enum limbic_unit)c->order);
    if (in_len != c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_words_from_be(k, c->limbs, in, in_len);
    /* k < 2^(8 bytes) < 2^(8 bytes - bits + 1) n: one conditional subtraction for each multiple n 2^i */
    for (unsigned i = 8U * c->bytes - n->bits + 1; i--;) {
        uint64_t t[MAX], below = 0;
        for (size_t j = 0; j < c->limbs; j++) {
            t[j] = n->m[j] << i | (i ? below >> (64 - i) : 0);
            below = n->m[j];
        }
        limbic_words_reduce_once(k, k, t, c->limbs);
    }
    return LIMBIC_OK;
}

limbic_status limbic_scalar_candidate(const struct limbic_curve_desc *c, uint64_t *d, uint8_t *random) {
    const unsigned spare = 8U * c->bytes - limbic_modulus((enum limbic_unit)c->order)->bits;
    LIMBIC_SECRET(random, c->bytes);
    random[0] &= (uint8_t)(0xff >> spare);
    return limbic_private_decode(c, d, random, c->bytes);
}

limbic_status limbic_scalar_random(const struct limbic_curve_desc *c, uint64_t *d) {
    uint8_t bytes[LIMBIC_MAX_BYTES];
    limbic_status status = LIMBIC_ERR_PRIVATE_KEY;
    for (int tries = 0; status; tries++) {
        status = tries < LIMBIC_RANDOM_TRIES ? limbic_random(bytes, c->bytes) : LIMBIC_ERR_RANDOM;
        if (status)
            return status;
        status = limbic_scalar_candidate(c, d, bytes);
    }
    limbic_wipe(bytes, sizeof bytes);
    return LIMBIC_OK;
}
