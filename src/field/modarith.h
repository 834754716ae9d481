/*
 * Modular arithmetic on n words, least significant first: templates that are inlined with a constant n. "residue" and R
 * are those of dispatch/ops.def. Results are canonical. Any operands may be the same array. Constant time.
 */
#ifndef LIMBIC_FIELD_MODARITH_H
#define LIMBIC_FIELD_MODARITH_H

#include "base/limb.h"

/* Unrolls the loop that follows, of a small constant count (clang does so unasked). */
#if defined(__GNUC__) && !defined(__clang__)
#define LIMBIC_UNROLL _Pragma("GCC unroll 32")
#else
#define LIMBIC_UNROLL
#endif

/* The longest n of these templates. */
#define LIMBIC_MODARITH_MAX 9

/* r = t mod m for t + top 2^(64n) < 2m */
LIMBIC_INLINE void limbic_mod_once(uint64_t *r, const uint64_t *t, uint64_t top, const uint64_t *m, size_t n) {
    uint64_t d[LIMBIC_MODARITH_MAX], borrow = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        d[i] = limbic_sbb(t[i], m[i], &borrow);
    /* t below m: borrow and no top. With top = 1, t - m < m < 2^(64n) has to borrow. */
    uint64_t keep = limbic_barrier(top - borrow);
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        r[i] = d[i] ^ (keep & (d[i] ^ t[i]));
}

/* r = a + b mod m */
LIMBIC_INLINE void limbic_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n) {
    uint64_t s[LIMBIC_MODARITH_MAX], carry = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        s[i] = limbic_adc(a[i], b[i], &carry);
    limbic_mod_once(r, s, carry, m, n);
}

/* r = a - b mod m */
LIMBIC_INLINE void limbic_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, size_t n) {
    uint64_t d[LIMBIC_MODARITH_MAX], borrow = 0, carry = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        d[i] = limbic_sbb(a[i], b[i], &borrow);
    uint64_t mask = limbic_mask_bit(borrow);
    /* the last carry cancels the borrow */
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        r[i] = limbic_adc(d[i], m[i] & mask, &carry);
}

/* r = -a mod m */
LIMBIC_INLINE void limbic_mod_neg(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    uint64_t mask = ~limbic_words_zero_mask(a, n), borrow = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        r[i] = limbic_sbb(m[i] & mask, a[i], &borrow);
}

/* r = a / 2 mod m: a, or a + m if a is odd, shifted */
LIMBIC_INLINE void limbic_mod_half(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    uint64_t t[LIMBIC_MODARITH_MAX], mask = limbic_mask_bit(a[0]), carry = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        t[i] = limbic_adc(a[i], m[i] & mask, &carry);
    LIMBIC_UNROLL
    for (size_t i = 0; i + 1 < n; i++)
        r[i] = t[i] >> 1 | t[i + 1] << 63;
    r[n - 1] = t[n - 1] >> 1 | carry << 63;
}

/* t[2n] = a b; t is none of the operands */
LIMBIC_INLINE void limbic_product(uint64_t *t, const uint64_t *a, const uint64_t *b, size_t n) {
    uint64_t carry = 0;
    LIMBIC_UNROLL
    for (size_t j = 0; j < n; j++)
        t[j] = limbic_mac(0, a[j], b[0], &carry);
    t[n] = carry;
    LIMBIC_UNROLL
    for (size_t i = 1; i < n; i++) {
        carry = 0;
        LIMBIC_UNROLL
        for (size_t j = 0; j < n; j++)
            t[i + j] = limbic_mac(t[i + j], a[j], b[i], &carry);
        t[i + n] = carry;
    }
}

/* t[2n] = a^2; t is not a */
LIMBIC_INLINE void limbic_square(uint64_t *t, const uint64_t *a, size_t n) {
    uint64_t carry = 0, c2 = 0;
    /* the products of different words, once each */
    t[0] = 0;
    LIMBIC_UNROLL
    for (size_t j = 1; j < n; j++)
        t[j] = limbic_mac(0, a[j], a[0], &carry);
    t[n] = carry;
    LIMBIC_UNROLL
    for (size_t i = 1; i < n; i++) {
        carry = 0;
        LIMBIC_UNROLL
        for (size_t j = i + 1; j < n; j++)
            t[i + j] = limbic_mac(t[i + j], a[j], a[i], &carry);
        t[i + n] = carry;
    }
    /* doubled, plus the squares: a^2 < 2^(128n), so nothing is carried out */
    carry = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++) {
        uint64_t hi, lo = limbic_mul_wide(&hi, a[i], a[i]);
        uint64_t d0 = t[2 * i] << 1 | c2, d1 = t[2 * i + 1] << 1 | t[2 * i] >> 63;
        c2 = t[2 * i + 1] >> 63;
        t[2 * i] = limbic_adc(d0, lo, &carry);
        t[2 * i + 1] = limbic_adc(d1, hi, &carry);
    }
}

/* r = t / R mod m for t < m R; t is overwritten. n0 = -1/m mod 2^64. */
LIMBIC_INLINE void limbic_mont_reduce(uint64_t *r, uint64_t *t, const uint64_t *m, uint64_t n0, size_t n) {
    uint64_t top = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++) {
        uint64_t q = t[i] * n0, carry = 0;
        LIMBIC_UNROLL
        for (size_t j = 0; j < n; j++)
            t[i + j] = limbic_mac(t[i + j], q, m[j], &carry);
        t[i + n] = limbic_adc(t[i + n], carry, &top);
    }
    /* (t + q m) / R < (m R + R m) / R = 2m */
    limbic_mod_once(r, t + n, top, m, n);
}

#endif
