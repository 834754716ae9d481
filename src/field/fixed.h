/*
 * The operations of one fixed unit but its inverses, as dispatch/ops.def has them: included once for each unit after its
 * constants, with FIELD           its name FIELD_MUL(r, a, b), FIELD_SQR(r, a)   its products; not defined:
 * Montgomery products
 */
#include "field/modarith.h"
#include "dispatch/dispatch.h"

#ifndef LIMBIC_FIELD_FIXED_H
#define LIMBIC_FIELD_FIXED_H
#define LIMBIC_JOIN_(a, b, c) a##b##c
#define LIMBIC_JOIN(a, b, c)  LIMBIC_JOIN_(a, b, c)
#endif

#define K(op)   LIMBIC_JOIN(limbic_, FIELD, _##op##_c)
#define P(name) LIMBIC_JOIN(limbic_, FIELD, _##name)

void K(add)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    limbic_mod_add(r, a, b, P(m), P(limbs));
}

void K(sub)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    limbic_mod_sub(r, a, b, P(m), P(limbs));
}

void K(neg)(uint64_t *r, const uint64_t *a) {
    limbic_mod_neg(r, a, P(m), P(limbs));
}

#ifndef FIELD_MUL
LIMBIC_INLINE void P(column)(struct limbic_acc *s, uint64_t *q, size_t k) {
    limbic_mont_column_of(s, q, k, P(m), P(n0), P(limbs));
}

LIMBIC_INLINE void P(product)(uint64_t *r, const uint64_t *a, const uint64_t *b, int square) {
    uint64_t t[P(limbs)];
    /* (a b + q m) / R < (m^2 + R m) / R < 2m */
    uint64_t top = limbic_mont_columns(t, a, b, square, P(limbs), P(column));
    limbic_mod_once(r, t, top, P(m), P(limbs));
}
#define FIELD_MUL(r, a, b) P(product)(r, a, b, 0)
#define FIELD_SQR(r, a)    P(product)(r, a, a, 1)
#endif

void K(mul)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    FIELD_MUL(r, a, b);
}

void K(sqr)(uint64_t *r, const uint64_t *a) {
    FIELD_SQR(r, a);
}

#undef K
#undef P
#undef FIELD
#undef FIELD_MUL
#undef FIELD_SQR
