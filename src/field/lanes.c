/* The products of lanes.h as rows, compiled once per (ENGINE_UNIT, ENGINE_ISA). */
#include "field/lanes.h"
#include "dispatch/dispatch.h"

#define OP_(unit, op, isa) limbic_##unit##op##isa
#define OP(unit, op, isa)  OP_(unit, op, isa)

static inline lfe *out(uint64_t *p) {
    return (lfe *)(void *)p;
}

static inline const lfe *in(const uint64_t *p) {
    return (const lfe *)(const void *)p;
}

void OP(ENGINE_UNIT, _lanes_mul_, ENGINE_ISA)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    lanes_mul_inline(out(r), in(a), in(b), NULL);
}

void OP(ENGINE_UNIT, _lanes_sqr_, ENGINE_ISA)(uint64_t *r, const uint64_t *a) {
    lanes_sqr_inline(out(r), in(a), NULL);
}

void OP(ENGINE_UNIT, _lanes_mul2_, ENGINE_ISA)(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                               const uint64_t *c, const uint64_t *d) {
    lanes_mul2(out(r), in(a), in(b), in(c), in(d));
}
