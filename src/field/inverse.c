/* Inverses modulo the fixed units: compiled once per ENGINE_ISA, whose divsteps they call directly. */
#include "dispatch/dispatch.h"
#include "dispatch/engine.h"
#include "field/divsteps.h"
#include "consts/units.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define ROW(name)   JOIN(limbic_##name##_, ENGINE_ISA)

/* The inverse of the words of a, times inv_fix, is the residue of the inverse. */
#define INVERSE(u, name, vartime)                                                                            \
    void ROW(u##_##name)(uint64_t * r, const uint64_t *a) {                                                  \
        dv_int scratch[DV_SCRATCH(limbic_##u##_bits)];                                                       \
        (void)dv_inverse(r, a, limbic_##u##_m, limbic_##u##_n0, limbic_##u##_limbs, limbic_##u##_bits,       \
                         scratch, vartime);                                                                  \
        limbic_##u##_mul_c(r, r, limbic_##u##_inv_fix);                                                      \
    }
#define INVERSES_field(u) INVERSE(u, inv, 0) INVERSE(u, inv_vartime, 1)
#define INVERSES_curve(u) INVERSES_field(u)
#define INVERSES_mont(u)
#define INVERSES_hash(u)
#define INVERSES_gcd(u)
#define UNIT(name, class, limbs) INVERSES_##class(name)
#include "dispatch/ops.def"

#ifdef ENGINE_c
/* The steps as they are defined; the portable inverses have their own way to the same matrix. */
void limbic_gcd_divsteps_c(uint64_t *r, uint64_t zeta, uint64_t f, uint64_t g) {
    uint64_t t[4] = {1, 0, 0, 1};
    for (int i = 0; i < 60; i++) {
        const uint64_t odd = limbic_mask_bit(g), negative = limbic_mask_bit(zeta >> 63),
                       swap = odd & negative;
        const uint64_t old_f = f;
        f ^= (f ^ g) & swap;
        g = (g + (((old_f ^ negative) - negative) & odd)) >> 1;
        for (int j = 0; j < 2; j++) {
            const uint64_t a = t[j], b = t[2 + j];
            t[j] = (a ^ ((a ^ b) & swap)) << 1;
            t[2 + j] = b + (((a ^ negative) - negative) & odd);
        }
        zeta = (zeta ^ swap) - 1;
    }
    memcpy(r, t, sizeof t);
    r[4] = zeta;
}
#endif
