/* P-384: m = 2^384 - 2^128 - 2^96 + 2^32 - 1. */
#include "consts/p384.h"
#include "field/modarith.h"

/*
 * -1/m = 2^32 + 1 mod 2^64. q m = q (2^384 - 2^128 - 2^96 + (2^32 - 1)). Instead of -q comes ~q = 2^64 - 1 -
 * q; over the six words the excess is (2^128 + 2^96)(2^384 - 1): the second part is added at the start, the
 * first stays in the result, as 2^128 + 2^96.
 */
LIMBIC_INLINE void p384_column(struct limbic_acc *s, uint64_t *q, size_t k) {
    if (k == 1)
        limbic_acc_add(s, 1, UINT64_C(1) << 32);
    if (k >= 1 && k - 1 < 6)
        limbic_acc_add(s, ~q[k - 1] >> 32, ~q[k - 1] << 32);
    if (k >= 2 && k - 2 < 6)
        limbic_acc_add(s, 0, ~q[k - 2]);
    if (k >= 6)
        limbic_acc_add(s, 0, q[k - 6]);
    if (k < 6) {
        q[k] = (uint64_t)s->low + ((uint64_t)s->low << 32);
        limbic_acc_mul(s, q[k], 0xffffffff);
    }
    s->high = 0; /* of the columns of a b come single words, so that the sum is below 2^98 */
}

LIMBIC_INLINE void p384_product(uint64_t *r, const uint64_t *a, const uint64_t *b, int square) {
    /* R - m - 2^128 - 2^96 = 1 - 2^32, and R more: t + this, less R, is the result less m. */
    static const uint64_t c[6] = {0xffffffff00000001, UINT64_MAX, UINT64_MAX,
                                  UINT64_MAX,         UINT64_MAX, UINT64_MAX};
    uint64_t t[6];
    uint64_t top = limbic_mont_columns(t, a, b, square, 6, p384_column);
    /* t + top R < 2m + 2^128 + 2^96 < 2R. The result is not below m if t + top R >= R + 2^32 - 1: a top and a
     * carry. */
    uint64_t carry = limbic_words_add(t, t, c, 6, 0);
    limbic_mod_back(r, t, limbic_p384_m, limbic_barrier((top & carry) - 1), 6);
}

#define FIELD              p384
#define FIELD_MUL(r, a, b) p384_product(r, a, b, 0)
#define FIELD_SQR(r, a)    p384_product(r, a, a, 1)
#include "field/fixed.h"
