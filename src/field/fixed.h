/*
 * The operations of one fixed unit, as dispatch/ops.def has them: included once for each unit after its constants, with
 *     FIELD            its name
 *     FIELD_MUL(r, a, b), FIELD_SQR(r, a)   its products; not defined: Montgomery products
 */
#include "field/divsteps.h"
#include "field/modarith.h"
#include "dispatch/dispatch.h"

#ifndef LIMBIC_FIELD_FIXED_H
#define LIMBIC_FIELD_FIXED_H
#define LIMBIC_JOIN_(a, b, c) a##b##c
#define LIMBIC_JOIN(a, b, c) LIMBIC_JOIN_(a, b, c)
#endif

#define K(op) LIMBIC_JOIN(limbic_, FIELD, _##op##_c)
#define P(name) LIMBIC_JOIN(limbic_, FIELD, _##name)

void K(add)(uint64_t *r, const uint64_t *a, const uint64_t *b) { limbic_mod_add(r, a, b, P(m), P(limbs)); }

void K(sub)(uint64_t *r, const uint64_t *a, const uint64_t *b) { limbic_mod_sub(r, a, b, P(m), P(limbs)); }

void K(neg)(uint64_t *r, const uint64_t *a) { limbic_mod_neg(r, a, P(m), P(limbs)); }

void K(mul)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
#ifdef FIELD_MUL
    FIELD_MUL(r, a, b);
#else
    uint64_t t[2 * P(limbs)];
    limbic_product(t, a, b, P(limbs));
    limbic_mont_reduce(r, t, P(m), P(n0), P(limbs));
#endif
}

void K(sqr)(uint64_t *r, const uint64_t *a) {
#ifdef FIELD_SQR
    FIELD_SQR(r, a);
#else
    uint64_t t[2 * P(limbs)];
    limbic_square(t, a, P(limbs));
    limbic_mont_reduce(r, t, P(m), P(n0), P(limbs));
#endif
}

/* The words of a are the inverse's numerator: 1/a of the words, times inv_fix, is the residue of the inverse. */
void K(inv)(uint64_t *r, const uint64_t *a) {
    dv_int scratch[DV_SCRATCH(P(bits))];
    (void)dv_inverse(r, a, P(m), P(n0), P(limbs), P(bits), scratch, 0);
    K(mul)(r, r, P(inv_fix));
}

void K(inv_vartime)(uint64_t *r, const uint64_t *a) {
    dv_int scratch[DV_SCRATCH(P(bits))];
    (void)dv_inverse(r, a, P(m), P(n0), P(limbs), P(bits), scratch, 1);
    K(mul)(r, r, P(inv_fix));
}

#undef K
#undef P
#undef FIELD
#undef FIELD_MUL
#undef FIELD_SQR
