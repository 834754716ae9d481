/* P-521: residues are plain values. */
#include "field/p521.h"

LIMBIC_INLINE void p521_reduce(uint64_t *r, struct limbic_acc *c) {
    uint64_t x[limbic_p521_lazy_limbs], carry = limbic_p521_carry(x, c);
    limbic_p521_canonical(r, x, carry);
}

LIMBIC_INLINE void p521_mul(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t x[limbic_p521_lazy_limbs], y[limbic_p521_lazy_limbs];
    struct limbic_acc c[limbic_p521_lazy_limbs];
    limbic_p521_split(x, a);
    limbic_p521_split(y, b);
    limbic_p521_columns(c, x, y);
    p521_reduce(r, c);
}

LIMBIC_INLINE void p521_sqr(uint64_t *r, const uint64_t *a) {
    uint64_t x[limbic_p521_lazy_limbs];
    struct limbic_acc c[limbic_p521_lazy_limbs];
    limbic_p521_split(x, a);
    limbic_p521_columns_sqr(c, x);
    p521_reduce(r, c);
}

#define FIELD              p521
#define FIELD_MUL(r, a, b) p521_mul(r, a, b)
#define FIELD_SQR(r, a)    p521_sqr(r, a)
#include "field/fixed.h"
