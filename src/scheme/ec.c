#include "limbic/ec.h"
#include "scheme/scheme.h"

#define MAX      LIMBIC_MAX_LIMBS
#define FIELD(c) limbic_ops((enum limbic_unit)(c)->unit)

size_t limbic_curve_bytes(limbic_curve curve) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    return c ? c->bytes : 0;
}

const char *limbic_curve_name(limbic_curve curve) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    return c ? c->name : NULL;
}

int limbic_base_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k) {
    uint64_t p[3 * MAX];
    FIELD(c)->curve_base_mul(p, k);
    int finite = (int)FIELD(c)->curve_to_affine(xy, p);
    limbic_wipe(p, sizeof p); /* with x and y, z tells bits of k */
    LIMBIC_DECLASSIFY(&finite, sizeof finite);
    return finite;
}

int limbic_point_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k, const uint64_t *q) {
    uint64_t p[3 * MAX];
    FIELD(c)->curve_point_mul(p, k, q);
    int finite = (int)FIELD(c)->curve_to_affine(xy, p);
    limbic_wipe(p, sizeof p);
    LIMBIC_DECLASSIFY(&finite, sizeof finite);
    return finite;
}

void limbic_x_mod_order(const struct limbic_curve_desc *c, uint64_t *r, const uint64_t *xy) {
    limbic_from_residue(limbic_modulus((enum limbic_unit)c->unit), r, xy);
    /* x < p < 2n on these curves */
    limbic_words_reduce_once(r, r, limbic_modulus((enum limbic_unit)c->order)->m, c->limbs);
}

/* x Z^2 is compared with X: no inversion. */
int limbic_has_x_vartime(const struct limbic_curve_desc *c, const uint64_t *point, const uint64_t *x) {
    const struct limbic_modulus *p = limbic_modulus((enum limbic_unit)c->unit);
    const size_t n = c->limbs;
    uint64_t zz[MAX], t[MAX], carry = 0;

    if (limbic_words_zero_mask(point + 2 * n, n))
        return 0;
    FIELD(c)->field_sqr(zz, point + 2 * n);
    limbic_to_residue(p, t, x);
    FIELD(c)->field_mul(t, t, zz);
    if (limbic_words_eq_mask(t, point, n))
        return 1;
    for (size_t i = 0; i < n; i++)
        t[i] = limbic_adc(x[i], limbic_modulus((enum limbic_unit)c->order)->m[i], &carry);
    if (carry || !limbic_words_less(t, p->m, n))
        return 0;
    limbic_to_residue(p, t, t);
    FIELD(c)->field_mul(t, t, zz);
    return limbic_words_eq_mask(t, point, n) != 0;
}

int limbic_affine_has_x_vartime(const struct limbic_curve_desc *c, const uint64_t *xy, const uint64_t *x) {
    uint64_t t[MAX];
    if (limbic_words_zero_mask(xy, 2 * (size_t)c->limbs))
        return 0;
    limbic_x_mod_order(c, t, xy);
    return limbic_words_eq_mask(t, x, c->limbs) != 0;
}

/* Writes a point, or says that it is infinity. */
static limbic_status give(const struct limbic_curve_desc *c, uint8_t *out, const uint64_t *xy, int finite) {
    if (!finite)
        return LIMBIC_ERR_INFINITY;
    limbic_point_encode(c, out, xy);
    return LIMBIC_OK;
}

limbic_status limbic_ec_public_key(limbic_curve curve, uint8_t *public_key, size_t public_len,
                                   const uint8_t *private_key, size_t private_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t d[MAX], xy[2 * MAX];
    limbic_status status;

    if (!public_key || !private_key)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (public_len != 1 + 2 * (size_t)c->bytes)
        return LIMBIC_ERR_LENGTH;
    status = limbic_private_decode(c, d, private_key, private_len);
    if (status)
        return status;
    status = give(c, public_key, xy, limbic_base_mul(c, xy, d));
    limbic_wipe(d, sizeof d);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ec_keygen_start(const struct limbic_curve_desc *c, const limbic_ec_keygen_item *item) {
    if (!item->public_key || !item->private_key)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    return item->private_len == c->bytes && item->public_len == 1 + 2 * (size_t)c->bytes ? LIMBIC_OK
                                                                                         : LIMBIC_ERR_LENGTH;
}

void limbic_ec_keygen_finish(const struct limbic_curve_desc *c, const limbic_ec_keygen_item *item,
                             const uint64_t *d, const uint64_t *xy) {
    limbic_words_to_be(item->private_key, item->private_len, d, c->limbs);
    limbic_point_encode(c, item->public_key, xy);
}

limbic_status limbic_ec_keygen(limbic_curve curve, uint8_t *private_key, size_t private_len,
                               uint8_t *public_key, size_t public_len) {
    const limbic_ec_keygen_item item = {private_key, public_key, private_len, public_len, LIMBIC_OK};
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t d[MAX], xy[2 * MAX];
    limbic_status status = limbic_ec_keygen_start(c, &item);

    if (!status)
        status = limbic_scalar_random(c, d);
    if (status)
        return status;
    if (limbic_base_mul(c, xy, d)) /* always: 0 < d < n */
        limbic_ec_keygen_finish(c, &item, d, xy);
    else
        status = LIMBIC_ERR_INFINITY;
    limbic_wipe(d, sizeof d);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ec_check_private(limbic_curve curve, const uint8_t *private_key, size_t private_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t d[MAX];
    if (!private_key)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    limbic_status status = limbic_private_decode(c, d, private_key, private_len);
    limbic_wipe(d, sizeof d);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ec_check_public(limbic_curve curve, const uint8_t *point, size_t point_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t xy[2 * MAX];
    if (!point)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    return limbic_point_decode(c, xy, point, point_len);
}

limbic_status limbic_ec_convert(limbic_curve curve, limbic_point_form form, uint8_t *out, size_t *out_len,
                                const uint8_t *point, size_t point_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint8_t full[LIMBIC_MAX_POINT_BYTES];
    uint64_t xy[2 * MAX];
    size_t need;

    if (!out_len || !point || (!out && *out_len))
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (form != LIMBIC_UNCOMPRESSED && form != LIMBIC_COMPRESSED)
        return LIMBIC_ERR_POINT_FORM;
    limbic_status status = limbic_point_decode(c, xy, point, point_len);
    if (status)
        return status;
    need = 1 + (form == LIMBIC_UNCOMPRESSED ? (size_t)2 : 1) * c->bytes;
    if (*out_len < need) {
        *out_len = need;
        return LIMBIC_ERR_BUFFER;
    }
    limbic_point_encode(c, full, xy);
    if (form == LIMBIC_COMPRESSED)
        full[0] = 2 | (full[2 * c->bytes] & 1);
    memcpy(out, full, need);
    *out_len = need;
    return LIMBIC_OK;
}

limbic_status limbic_ec_base_mul(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *k,
                                 size_t k_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t s[MAX], xy[2 * MAX];

    if (!out || !k)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (out_len != 1 + 2 * (size_t)c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_status status = limbic_scalar_decode(c, s, k, k_len);
    if (status)
        return status;
    status = give(c, out, xy, limbic_base_mul(c, xy, s));
    limbic_wipe(s, sizeof s);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ec_mul(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *k, size_t k_len,
                            const uint8_t *point, size_t point_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t s[MAX], xy[2 * MAX];

    if (!out || !k || !point)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (out_len != 1 + 2 * (size_t)c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_status status = limbic_point_decode(c, xy, point, point_len);
    if (!status)
        status = limbic_scalar_decode(c, s, k, k_len);
    if (status)
        return status;
    status = give(c, out, xy, limbic_point_mul(c, xy, s, xy));
    limbic_wipe(s, sizeof s);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_ec_double_mul_vartime(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *u,
                                           size_t u_len, const uint8_t *v, size_t v_len, const uint8_t *point,
                                           size_t point_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t s[MAX], t[MAX], xy[2 * MAX], p[3 * MAX];

    if (!out || !u || !v || !point)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (out_len != 1 + 2 * (size_t)c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_status status = limbic_point_decode(c, xy, point, point_len);
    if (!status)
        status = limbic_scalar_decode(c, s, u, u_len);
    if (!status)
        status = limbic_scalar_decode(c, t, v, v_len);
    if (status)
        return status;
    FIELD(c)->curve_double_mul_vartime(p, s, t, xy);
    return give(c, out, xy, (int)FIELD(c)->curve_to_affine(xy, p));
}

limbic_status limbic_ec_add(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *a, size_t a_len,
                            const uint8_t *b, size_t b_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t p[3 * MAX], q[3 * MAX], xy[2 * MAX];

    if (!out || !a || !b)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (out_len != 1 + 2 * (size_t)c->bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_status status = limbic_point_decode(c, p, a, a_len);
    if (!status)
        status = limbic_point_decode(c, q, b, b_len);
    if (status)
        return status;
    const uint64_t *one = limbic_modulus((enum limbic_unit)c->unit)->one;
    memcpy(p + 2 * c->limbs, one, 8 * (size_t)c->limbs);
    memcpy(q + 2 * c->limbs, one, 8 * (size_t)c->limbs);
    FIELD(c)->curve_point_add(p, p, q);
    return give(c, out, xy, (int)FIELD(c)->curve_to_affine(xy, p));
}

/* A prepared key: a word that tells it from anything else, the curve, the table. */
struct prepared {
    uint64_t magic, curve;
    uint64_t table[];
};
#define PREPARED_MAGIC UINT64_C(0x317965634b62694c) /* the layout's version is part of it */

size_t limbic_ec_prepared_bytes(limbic_curve curve) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    return c ? sizeof(struct prepared) + 8 * c->table_words : 0;
}

limbic_status limbic_ec_prepare(limbic_curve curve, void *prepared, size_t prepared_len, const uint8_t *point,
                                size_t point_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t xy[2 * MAX];

    if (!prepared || !point)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (prepared_len != limbic_ec_prepared_bytes(curve))
        return LIMBIC_ERR_LENGTH;
    if ((uintptr_t)prepared % 8)
        return LIMBIC_ERR_ALIGNMENT;
    limbic_status status = limbic_point_decode(c, xy, point, point_len);
    if (status)
        return status;
    struct prepared *p = prepared;
    LIMBIC_PREPARED_OPS(c)->curve_prepare_vartime(p->table, xy);
    p->magic = PREPARED_MAGIC;
    p->curve = (uint64_t)curve;
    return LIMBIC_OK;
}

limbic_status limbic_prepared_open(const void *prepared, size_t prepared_len, limbic_curve *curve,
                                   const uint64_t **table) {
    const struct prepared *p = prepared;
    if (!p)
        return LIMBIC_ERR_NULL;
    if ((uintptr_t)prepared % 8)
        return LIMBIC_ERR_ALIGNMENT;
    if (prepared_len < sizeof *p)
        return LIMBIC_ERR_LENGTH;
    if (p->magic != PREPARED_MAGIC || p->curve > INT32_MAX || !limbic_curve_desc((limbic_curve)p->curve))
        return LIMBIC_ERR_PREPARED;
    if (prepared_len != limbic_ec_prepared_bytes((limbic_curve)p->curve))
        return LIMBIC_ERR_LENGTH;
    *curve = (limbic_curve)p->curve;
    *table = p->table;
    return LIMBIC_OK;
}
