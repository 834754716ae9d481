/*
 * P-521, m = 2^521 - 1; residues are plain values. Products on nine limbs of 58 bits: x = sum of x[k] 2^(58 k),
 * 2^522 = 2 mod m, so that what wraps around counts twice, and a column needs no third word.
 */
#include "consts/p521.h"
#include "field/modarith.h"

#define LIMBS     ((size_t)9)
#define LIMB_BITS 58U
#define LOW(k)    ((k) + 1 < LIMBS ? LIMB_BITS : LIMB_BITS - 1) /* the bits of limb k of a number below 2^521 */
#define MASK(k)   ((UINT64_C(1) << LOW(k)) - 1)

/* r = the limbs of a residue or any a below 2^522 */
LIMBIC_INLINE void split(uint64_t *r, const uint64_t *a) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < LIMBS; k++) {
        size_t i = k * LIMB_BITS / 64, s = k * LIMB_BITS % 64;
        r[k] = (i + 1 < 9 ? limbic_words_shift(a[i + 1], a[i], s) : a[i] >> s) & MASK(0);
    }
}

/* r = x + carry mod m, canonical; x with limbs of LOW(k) bits, carry < 2^64 - 1 */
LIMBIC_INLINE void canonical(uint64_t *r, const uint64_t *x, uint64_t carry) {
    uint64_t w[9], s[9], s1[9];
    LIMBIC_UNROLL
    for (size_t i = 0; i < 9; i++) {
        size_t k = i * 64 / LIMB_BITS, n = i * 64 % LIMB_BITS;
        w[i] = x[k] >> n;
        if (k + 1 < LIMBS)
            w[i] |= x[k + 1] << (LIMB_BITS - n);
    }
    /* w <= m. s is not below m, but below 2m, if s + 1 has bit 521; then s - m is s + 1 without it. */
    limbic_words_carry(s, w, carry, 9);
    limbic_words_carry(s1, w, carry + 1, 9);
    uint64_t mask = limbic_mask_bit(s1[8] >> 9);
    LIMBIC_UNROLL
    for (size_t i = 0; i < 9; i++)
        r[i] = s[i] ^ ((s[i] ^ s1[i]) & mask);
    r[8] &= limbic_p521_m[8];
}

/* The columns c, c[k] of weight 2^(58 k), as limbs of LOW(k) bits and the returned carry, of weight 2^521 = 1. c[k] <=
 * (17 - k) 2^116 < 2^120.1, and with what the column below hands up no carry reaches 2^64 - 1. */
LIMBIC_INLINE uint64_t carries(uint64_t *x, struct limbic_acc *c) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < LIMBS; k++) {
        x[k] = limbic_acc_shift_bits(&c[k], LOW(k));
        if (k + 1 < LIMBS)
            limbic_acc_add(&c[k + 1], 0, (uint64_t)c[k].low);
    }
    return (uint64_t)c[LIMBS - 1].low;
}

/* c = columns of x y */
LIMBIC_INLINE void columns(struct limbic_acc *c, const uint64_t *x, const uint64_t *y) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < LIMBS; k++) {
        c[k] = (struct limbic_acc){0};
        LIMBIC_UNROLL
        for (size_t i = 0; i < LIMBS; i++)
            limbic_acc_mul(&c[k], x[i], i <= k ? y[k - i] : 2 * y[k + LIMBS - i]);
    }
}

/* c = columns of x^2 */
LIMBIC_INLINE void columns_sqr(struct limbic_acc *c, const uint64_t *x) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < LIMBS; k++) {
        c[k] = (struct limbic_acc){0};
        LIMBIC_UNROLL
        for (size_t i = 0; i < LIMBS; i++) {
            /* i + j = k or k + LIMBS; twice for a pair of different limbs, twice for a wrap */
            size_t j = i <= k ? k - i : k + LIMBS - i;
            if (i <= j)
                limbic_acc_mul(&c[k], i <= k ? x[i] : 2 * x[i], i == j ? x[j] : 2 * x[j]);
        }
    }
}

LIMBIC_INLINE void reduce(uint64_t *r, struct limbic_acc *c) {
    uint64_t x[LIMBS], top = carries(x, c);
    canonical(r, x, top);
}

LIMBIC_INLINE void mul(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t x[LIMBS], y[LIMBS];
    struct limbic_acc c[LIMBS];
    split(x, a);
    split(y, b);
    columns(c, x, y);
    reduce(r, c);
}

LIMBIC_INLINE void sqr(uint64_t *r, const uint64_t *a) {
    uint64_t x[LIMBS];
    struct limbic_acc c[LIMBS];
    split(x, a);
    columns_sqr(c, x);
    reduce(r, c);
}

#define FIELD              p521
#define FIELD_MUL(r, a, b) mul(r, a, b)
#define FIELD_SQR(r, a)    sqr(r, a)
#include "field/fixed.h"
