/* SM2's Montgomery products: src/curve/engine.c has them inline too. */
#ifndef LIMBIC_FIELD_SM2_H
#define LIMBIC_FIELD_SM2_H

#include "consts/sm2.h"
#include "field/modarith.h"

/*
 * SM2: m = 2^256 - 2^224 - 2^96 + 2^64 - 1 = -1 mod 2^64, so that q is the lowest word itself and q m takes it away;
 * q m = q ((2^64 - 2^32) 2^192 - X 2^64 - 1), X = SM2_X = 2^32 - 1. Instead of -q X comes ~q X = (2^64 - 1) X - q X;
 * over the four words the excess is X (2^320 - 2^64): the second part is added at the start, the first stays in the
 * result, as X 2^64.
 */
#define SM2_X 0xffffffff

LIMBIC_INLINE void sm2_column(struct limbic_acc *s, uint64_t *q, size_t k) {
    if (k == 1)
        limbic_acc_add(s, 0, SM2_X);
    if (k >= 1 && k - 1 < 4)
        limbic_acc_mul(s, ~q[k - 1], SM2_X);
    if (k >= 3 && k - 3 < 4)
        limbic_acc_mul(s, q[k - 3], 0xffffffff00000000);
    if (k < 4)
        q[k] = (uint64_t)s->low;
}

/* Where s has the columns of a b as single words: with the carry, at most 2 (2^64 - 1) + (2^64 - 1) (X + 2^64 - 2^32)
 * = 2^128 - 1, or for k = 1 far less. That there is no third word saves the carries into it. */
LIMBIC_INLINE void sm2_column_apart(struct limbic_acc *s, uint64_t *q, size_t k) {
    sm2_column(s, q, k);
    s->high = 0;
}

/* 2^256 - m - X 2^64 = 2^224 + 1: what the columns give and this are the result less m. */
static const uint64_t sm2_less[4] = {1, 0, 0, UINT64_C(1) << 32};

LIMBIC_INLINE void sm2_product(uint64_t *r, const uint64_t *a, const uint64_t *b, int square) {
    uint64_t t[4];
    uint64_t top = limbic_mont_columns(t, a, b, square, 4, square ? sm2_column_apart : sm2_column);
    /* t + top R < 2m + X 2^64 < 2R - 2^224; a top is enough: then the result is above R - X 2^64 > m */
    uint64_t carry = limbic_words_add(t, sm2_less, t, 4, 1);
    limbic_mod_back(r, t, limbic_sm2_m, limbic_barrier((top | carry) - 1), 4);
}

/* r = (a b + c d) / R for a, b, c, d <= m */
LIMBIC_INLINE void sm2_product_sum(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                   const uint64_t *d) {
    uint64_t t[4];
    /* (a b + c d + q m) / R < (2 m^2 + R m) / R < 3m */
    uint64_t top = limbic_mont_columns_sum(t, a, b, c, d, 4, sm2_column);
    limbic_mod_thrice(r, t, top, sm2_less, limbic_sm2_m, 4);
}

#endif
