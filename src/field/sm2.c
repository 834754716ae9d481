/* SM2: m = 2^256 - 2^224 - 2^96 + 2^64 - 1. */
#include "consts/sm2.h"
#include "field/modarith.h"

/*
 * m = -1 mod 2^64, so that q is the lowest word itself and q m takes it away; q m = q ((2^64 - 2^32) 2^192 -
 * X 2^64 - 1), X = 2^32 - 1. Instead of -q X comes ~q X = (2^64 - 1) X - q X; over the four words the excess
 * is X (2^320 - 2^64): the second part is added at the start, the first stays in the result, as X 2^64.
 */
#define X 0xffffffff

LIMBIC_INLINE void sm2_column(struct limbic_acc *s, uint64_t *q, size_t k) {
    if (k == 1)
        limbic_acc_add(s, 0, X);
    if (k >= 1 && k - 1 < 4)
        limbic_acc_mul(s, ~q[k - 1], X);
    if (k >= 3 && k - 3 < 4)
        limbic_acc_mul(s, q[k - 3], 0xffffffff00000000);
    if (k < 4)
        q[k] = (uint64_t)s->low;
}

LIMBIC_INLINE void sm2_product(uint64_t *r, const uint64_t *a, const uint64_t *b, int square) {
    /* 2^256 - m - X 2^64 = 2^224 + 1: t + this is the result less m. */
    static const uint64_t c[4] = {1, 0, 0, UINT64_C(1) << 32};
    uint64_t t[4];
    uint64_t top = limbic_mont_columns(t, a, b, square, 4, sm2_column);
    /* t + top R < 2m + X 2^64 < 2R - 2^224; a top is enough: then the result is above R - X 2^64 > m */
    uint64_t carry = limbic_words_add(t, c, t, 4, 1);
    limbic_mod_back(r, t, limbic_sm2_m, limbic_barrier((top | carry) - 1), 4);
}

#define FIELD              sm2
#define FIELD_MUL(r, a, b) sm2_product(r, a, b, 0)
#define FIELD_SQR(r, a)    sm2_product(r, a, a, 1)
#include "field/fixed.h"
