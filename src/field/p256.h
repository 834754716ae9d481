/* P-256's Montgomery products: src/curve/engine.c has them inline too. */
#ifndef LIMBIC_FIELD_P256_H
#define LIMBIC_FIELD_P256_H

#include "consts/p256.h"
#include "field/modarith.h"

/* P-256: m = 2^256 - 2^224 + 2^192 + 2^96 - 1 = -1 mod 2^64, so that q is the lowest word itself and q m takes it away; q m
 * = q (2^96 + m[3] 2^192 - 1). */
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

/* r = (a b + c d) / R for a, b, c, d <= m */
LIMBIC_INLINE void p256_product_sum(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                                    const uint64_t *d) {
    uint64_t t[4], less[4];
    /* (a b + c d + q m) / R < (2 m^2 + R m) / R < 3m */
    uint64_t top = limbic_mont_columns_sum(t, a, b, c, d, 4, p256_column);
    limbic_mod_complement(less, limbic_p256_m, 4);
    limbic_mod_thrice(r, t, top, less, limbic_p256_m, 4);
}

#endif
