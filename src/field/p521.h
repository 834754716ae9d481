/*
 * P-521, m = 2^521 - 1, on nine limbs of 58 bits: x = sum of x[k] 2^(58 k), 2^522 = 2 mod m. Templates that
 * are inlined, for the kernels and for longer computations that need not be canonical in between. "Tight":
 * limbs below 2^58 + 2^10. Any operands may be the same array. Constant time.
 */
#ifndef LIMBIC_FIELD_P521_H
#define LIMBIC_FIELD_P521_H

#include "consts/p521.h"
#include "field/modarith.h"

enum { limbic_p521_lazy_limbs = 9, limbic_p521_lazy_bits = 58 };

#define L       ((size_t)limbic_p521_lazy_limbs)
#define BITS    ((unsigned)limbic_p521_lazy_bits)
#define LOW(k)  ((k) + 1 < L ? BITS : BITS - 1) /* the bits of limb k of a number below 2^521 */
#define MASK(k) ((UINT64_C(1) << LOW(k)) - 1)

/* r = the limbs of a residue or any a below 2^522 */
LIMBIC_INLINE void limbic_p521_split(uint64_t *r, const uint64_t *a) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        size_t i = k * BITS / 64, s = k * BITS % 64;
        r[k] = (i + 1 < 9 ? limbic_words_shift(a[i + 1], a[i], s) : a[i] >> s) & MASK(0);
    }
}

/* r = x + carry mod m, canonical; x with limbs of LOW(k) bits, carry < 2^64 - 1 */
LIMBIC_INLINE void limbic_p521_canonical(uint64_t *r, const uint64_t *x, uint64_t carry) {
    uint64_t w[9], s[9], s1[9];
    LIMBIC_UNROLL
    for (size_t i = 0; i < 9; i++) {
        size_t k = i * 64 / BITS, n = i * 64 % BITS;
        w[i] = x[k] >> n;
        if (k + 1 < L)
            w[i] |= x[k + 1] << (BITS - n);
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

/* r = the residue of tight x, canonical */
LIMBIC_INLINE void limbic_p521_join(uint64_t *r, const uint64_t *x) {
    uint64_t y[limbic_p521_lazy_limbs], carry = 0;
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        y[k] = x[k] + carry;
        carry = y[k] >> LOW(k);
        y[k] &= MASK(k);
    }
    limbic_p521_canonical(r, y, carry);
}

/*
 * The columns c, c[k] of weight 2^(58 k), as limbs of LOW(k) bits and the returned carry, of weight 2^521
 * = 1. Of products of operands below A 2^58 and B 2^58 in each limb, A B <= 3: c[k] <= 17 A B 2^116 <
 * 2^121.7, c[8] <= 9 A B 2^116 < 2^120.8, so that no carry reaches 2^64 - 1.
 */
LIMBIC_INLINE uint64_t limbic_p521_carry(uint64_t *x, struct limbic_acc *c) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        x[k] = limbic_acc_shift_bits(&c[k], LOW(k));
        if (k + 1 < L)
            limbic_acc_add(&c[k + 1], 0, (uint64_t)c[k].low);
    }
    return (uint64_t)c[L - 1].low;
}

/* c = columns of x y */
LIMBIC_INLINE void limbic_p521_columns(struct limbic_acc *c, const uint64_t *x, const uint64_t *y) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        c[k] = (struct limbic_acc){0};
        LIMBIC_UNROLL
        for (size_t i = 0; i < L; i++)
            limbic_acc_mul(&c[k], x[i], i <= k ? y[k - i] : 2 * y[k + L - i]);
    }
}

/* c = columns of x^2 */
LIMBIC_INLINE void limbic_p521_columns_sqr(struct limbic_acc *c, const uint64_t *x) {
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        c[k] = (struct limbic_acc){0};
        LIMBIC_UNROLL
        for (size_t i = 0; i < L; i++) {
            /* i + j = k or k + L; twice for a pair of different limbs, twice for a wrap */
            size_t j = i <= k ? k - i : k + L - i;
            if (i <= j)
                limbic_acc_mul(&c[k], i <= k ? x[i] : 2 * x[i], i == j ? x[j] : 2 * x[j]);
        }
    }
}

/* r = x with its carries moved up by one limb: tight for limbs below 2^64 */
LIMBIC_INLINE void limbic_p521_lazy_carry(uint64_t *r, const uint64_t *x) {
    uint64_t up = x[L - 1] >> LOW(L - 1);
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++) {
        uint64_t next = x[k] >> LOW(k);
        r[k] = (x[k] & MASK(k)) + up;
        up = next;
    }
}

/* r = the columns, tight */
LIMBIC_INLINE void limbic_p521_lazy_reduce(uint64_t *r, struct limbic_acc *c) {
    uint64_t x[limbic_p521_lazy_limbs], carry = limbic_p521_carry(x, c);
    x[1] += carry >> BITS;
    x[0] += carry & MASK(0);
    x[1] += x[0] >> BITS;
    x[0] &= MASK(0);
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++)
        r[k] = x[k];
}

/* r = x y, tight; for x and y tight, or one of them the plain sum of two tight ones */
LIMBIC_INLINE void limbic_p521_lazy_mul(uint64_t *r, const uint64_t *x, const uint64_t *y) {
    struct limbic_acc c[limbic_p521_lazy_limbs];
    limbic_p521_columns(c, x, y);
    limbic_p521_lazy_reduce(r, c);
}

/* r = x^2, tight, for tight x */
LIMBIC_INLINE void limbic_p521_lazy_sqr(uint64_t *r, const uint64_t *x) {
    struct limbic_acc c[limbic_p521_lazy_limbs];
    limbic_p521_columns_sqr(c, x);
    limbic_p521_lazy_reduce(r, c);
}

/* r = x + y, tight, for limbs below 2^63 */
LIMBIC_INLINE void limbic_p521_lazy_add(uint64_t *r, const uint64_t *x, const uint64_t *y) {
    uint64_t t[limbic_p521_lazy_limbs];
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++)
        t[k] = x[k] + y[k];
    limbic_p521_lazy_carry(r, t);
}

/* r = x - y, tight, for x with limbs below 2^63 and y tight or the sum of two tight ones: 8 m is above that
 * in all limbs */
LIMBIC_INLINE void limbic_p521_lazy_sub(uint64_t *r, const uint64_t *x, const uint64_t *y) {
    uint64_t t[limbic_p521_lazy_limbs];
    LIMBIC_UNROLL
    for (size_t k = 0; k < L; k++)
        t[k] = x[k] + (MASK(k) << 3) - y[k];
    limbic_p521_lazy_carry(r, t);
}

#undef L
#undef BITS
#undef LOW
#undef MASK

#endif
