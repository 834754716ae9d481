/* The fixed fields: descriptors, what is built from the kernels, and the public functions. */
#include "consts/units.h"
#include "base/limb.h"
#include "base/secret.h"
#include "field/modulus.h"
#include "limbic/field.h"

/* A row for each unit of class field or curve, nothing for the others. */
#define FOR_field(ROW, u) ROW(u)
#define FOR_curve(ROW, u) ROW(u)
#define FOR_mont(ROW, u)
#define FOR_hash(ROW, u)
#define FOR_gcd(ROW, u)

#define DESCRIPTOR(u)                                                                                        \
    [LIMBIC_UNIT_##u] = {.unit = LIMBIC_UNIT_##u,                                                            \
                         .limbs = limbic_##u##_limbs,                                                        \
                         .bytes = limbic_##u##_bytes,                                                        \
                         .twos = limbic_##u##_twos,                                                          \
                         .bits = limbic_##u##_bits,                                                          \
                         .m = limbic_##u##_m,                                                                \
                         .one = limbic_##u##_one,                                                            \
                         .rr = limbic_##u##_rr,                                                              \
                         .sqrt_exp = limbic_##u##_sqrt_exp,                                                  \
                         .root = limbic_##u##_root},

static const struct limbic_modulus descriptors[LIMBIC_UNITS] = {
#define UNIT(name, class, limbs) FOR_##class(DESCRIPTOR, name)
#include "dispatch/ops.def"
};

const struct limbic_modulus *limbic_modulus(enum limbic_unit unit) {
    return &descriptors[unit];
}

void limbic_to_residue(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a) {
    limbic_ops((enum limbic_unit)f->unit)->field_mul(r, a, f->rr);
}

void limbic_from_residue(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a) {
    static const uint64_t plain_one[LIMBIC_MAX_LIMBS] = {1};
    limbic_ops((enum limbic_unit)f->unit)->field_mul(r, a, plain_one);
}

#define WINDOW 4

/* r = a^e for a public e of f->limbs words: sliding windows that end in a one. r is not a. */
static void pow_public(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a, const uint64_t *e) {
    const struct limbic_ops *o = limbic_ops((enum limbic_unit)f->unit);
    uint64_t odd[1 << (WINDOW - 1)][LIMBIC_MAX_LIMBS]; /* a, a^3, a^5, ... */
    memcpy(odd[0], a, 8 * (size_t)f->limbs);
    o->field_sqr(r, a);
    for (size_t i = 1; i < 1 << (WINDOW - 1); i++)
        o->field_mul(odd[i], odd[i - 1], r);
    memcpy(r, f->one, 8 * (size_t)f->limbs);
    for (int i = f->bits - 1; i >= 0;) {
        unsigned digit = 0;
        int len = 0; /* up to the last one among the next bits */
        for (int k = 0; k < WINDOW && k <= i; k++) {
            unsigned bit = (unsigned)(e[(i - k) / 64] >> ((i - k) % 64) & 1);
            if (k == 0 && !bit)
                break;
            if (bit) {
                digit = digit << (k + 1 - len) | 1;
                len = k + 1;
            }
        }
        for (int k = 0; k < (len ? len : 1); k++)
            o->field_sqr(r, r);
        if (len)
            o->field_mul(r, r, odd[digit >> 1]);
        i -= len ? len : 1;
    }
    limbic_wipe(odd, sizeof(odd));
}

/* Tonelli and Shanks with a fixed course (as in RFC 9380, appendix I.4). */
int limbic_sqrt(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a) {
    const struct limbic_ops *o = limbic_ops((enum limbic_unit)f->unit);
    const size_t n = f->limbs;
    uint64_t s[6][LIMBIC_MAX_LIMBS], *z = s[0], *t = s[1], *b = s[2], *c = s[3], *x = s[4];
    pow_public(f, z, a, f->sqrt_exp); /* a^((q-1)/2) */
    o->field_sqr(t, z);
    o->field_mul(t, t, a); /* a^q */
    o->field_mul(z, z, a); /* a^((q+1)/2): z^2 = t a */
    memcpy(b, t, 8 * n);
    memcpy(c, f->root, 8 * n);
    /* t has order dividing 2^(i-1) if a is a square; made 2^(i-2), with z^2 = t a kept */
    for (int i = f->twos; i >= 2; i--) {
        for (int j = 1; j <= i - 2; j++)
            o->field_sqr(b, b);
        uint64_t is_one = limbic_words_eq_mask(b, f->one, n);
        o->field_mul(x, z, c);
        limbic_words_select(z, is_one, x, z, n);
        o->field_sqr(c, c);
        o->field_mul(x, t, c);
        limbic_words_select(t, is_one, x, t, n);
        memcpy(b, t, 8 * n);
    }
    o->field_sqr(x, z);
    uint64_t ok = limbic_words_eq_mask(x, a, n);
    for (size_t i = 0; i < n; i++)
        r[i] = z[i] & ok;
    limbic_wipe(s, sizeof(s));
    return (int)(ok & 1);
}

int limbic_from_bytes(const struct limbic_modulus *f, uint64_t *r, const uint8_t *in) {
    uint64_t t[LIMBIC_MAX_LIMBS];
    limbic_words_from_be(t, f->limbs, in, f->bytes);
    int ok = (int)limbic_words_less(t, f->m, f->limbs);
    LIMBIC_DECLASSIFY(&ok, sizeof(ok));
    if (ok)
        memcpy(r, t, 8 * (size_t)f->limbs);
    limbic_wipe(t, sizeof(t));
    return ok;
}

void limbic_to_bytes(const struct limbic_modulus *f, uint8_t *out, const uint64_t *a) {
    limbic_words_to_be(out, f->bytes, a, f->limbs);
}

#define OPS(u)     limbic_ops(LIMBIC_UNIT_##u)
#define W(u)       limbic_##u##_limbs
#define L(u)       limbic_##u##_bytes
#define MODULUS(u) (&descriptors[LIMBIC_UNIT_##u])
#define PUBLIC(u)                                                                                            \
    void limbic_##u##_add(uint64_t r[W(u)], const uint64_t a[W(u)], const uint64_t b[W(u)]) {                \
        OPS(u)->field_add(r, a, b);                                                                          \
    }                                                                                                        \
    void limbic_##u##_sub(uint64_t r[W(u)], const uint64_t a[W(u)], const uint64_t b[W(u)]) {                \
        OPS(u)->field_sub(r, a, b);                                                                          \
    }                                                                                                        \
    void limbic_##u##_neg(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                        \
        OPS(u)->field_neg(r, a);                                                                             \
    }                                                                                                        \
    void limbic_##u##_mul(uint64_t r[W(u)], const uint64_t a[W(u)], const uint64_t b[W(u)]) {                \
        OPS(u)->field_mul(r, a, b);                                                                          \
    }                                                                                                        \
    void limbic_##u##_sqr(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                        \
        OPS(u)->field_sqr(r, a);                                                                             \
    }                                                                                                        \
    void limbic_##u##_inv(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                        \
        OPS(u)->field_inv(r, a);                                                                             \
    }                                                                                                        \
    void limbic_##u##_inv_vartime(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                \
        OPS(u)->field_inv_vartime(r, a);                                                                     \
    }                                                                                                        \
    int limbic_##u##_sqrt(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                        \
        return limbic_sqrt(MODULUS(u), r, a);                                                                \
    }                                                                                                        \
    void limbic_##u##_to_residue(uint64_t r[W(u)], const uint64_t a[W(u)]) {                                 \
        limbic_to_residue(MODULUS(u), r, a);                                                                 \
    }                                                                                                        \
    void limbic_##u##_from_residue(uint64_t r[W(u)], const uint64_t a[W(u)]) {                               \
        limbic_from_residue(MODULUS(u), r, a);                                                               \
    }                                                                                                        \
    limbic_status limbic_##u##_from_bytes(uint64_t r[W(u)], const uint8_t in[L(u)]) {                        \
        return limbic_from_bytes(MODULUS(u), r, in) ? LIMBIC_OK : LIMBIC_ERR_VALUE;                          \
    }                                                                                                        \
    void limbic_##u##_to_bytes(uint8_t out[L(u)], const uint64_t a[W(u)]) {                                  \
        limbic_to_bytes(MODULUS(u), out, a);                                                                 \
    }                                                                                                        \
    void limbic_##u##_select(uint64_t r[W(u)], uint64_t bit, const uint64_t a[W(u)],                         \
                             const uint64_t b[W(u)]) {                                                       \
        limbic_words_select(r, limbic_mask_bit(bit), a, b, limbic_##u##_limbs);                              \
    }                                                                                                        \
    int limbic_##u##_eq(const uint64_t a[W(u)], const uint64_t b[W(u)]) {                                    \
        return (int)(limbic_words_eq_mask(a, b, limbic_##u##_limbs) & 1);                                    \
    }                                                                                                        \
    int limbic_##u##_is_zero(const uint64_t a[W(u)]) {                                                       \
        return (int)(limbic_words_zero_mask(a, limbic_##u##_limbs) & 1);                                     \
    }                                                                                                        \
    const uint64_t *limbic_##u##_modulus(void) {                                                             \
        return limbic_##u##_m;                                                                               \
    }

#define UNIT(name, class, limbs) FOR_##class(PUBLIC, name)
#include "dispatch/ops.def"
