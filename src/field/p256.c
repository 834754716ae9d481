/* P-256: m = 2^256 - 2^224 + 2^192 + 2^96 - 1. */
#include "consts/p256.h"
#include "field/modarith.h"

/* m = -1 mod 2^64, so that q is the lowest word itself and q m takes it away; q m = q (2^96 + m[3] 2^192 -
 * 1). */
LIMBIC_INLINE void p256_column(struct limbic_acc *s, uint64_t *q, size_t k) {
    if (k >= 1 && k - 1 < 4)
        limbic_acc_add(s, q[k - 1] >> 32, q[k - 1] << 32);
    if (k >= 3 && k - 3 < 4)
        limbic_acc_mul(s, q[k - 3], limbic_p256_m[3]);
    if (k < 4)
        q[k] = (uint64_t)s->low;
}

LIMBIC_INLINE void p256_product(uint64_t *r, const uint64_t *a, const uint64_t *b, int square) {
    uint64_t t[4];
    uint64_t top = limbic_mont_columns(t, a, b, square, 4, p256_column);
    limbic_mod_once(r, t, top, limbic_p256_m, 4);
}

#define FIELD              p256
#define FIELD_MUL(r, a, b) p256_product(r, a, b, 0)
#define FIELD_SQR(r, a)    p256_product(r, a, a, 1)
#include "field/fixed.h"
