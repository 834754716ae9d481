/* The .def files as data. */
#include "dispatch/dispatch.h"

/* A row's function; NULL where this build has no object for it. */
#define PICK_1(fn)       (void (*)(void))(fn)
#define PICK_0(fn)       NULL
#define PICK_(built, fn) PICK_##built(fn)
#define PICK(built, fn)  PICK_(built, fn)
#define N(feature)       (UINT64_C(1) << LIMBIC_FEATURE_##feature)

const struct limbic_row limbic_rows[LIMBIC_ROWS] = {
#define KERNEL(unit, class, op, isa, need, rank)                                                             \
    {LIMBIC_UNIT_##unit,                                                                                     \
     LIMBIC_OP_##class##_##op,                                                                               \
     LIMBIC_ISA_##isa,                                                                                       \
     rank,                                                                                                   \
     need,                                                                                                   \
     PICK(LIMBIC_BUILT_##isa, limbic_##unit##_##op##_##isa)},
#include "kernels.def"
};
const size_t limbic_rows_count = LIMBIC_ROWS;

static const struct {
    const char *name;
    uint8_t limbs, class;
} units[] = {
#define UNIT(name, class, limbs) {#name, limbs, LIMBIC_CLASS_##class},
#include "ops.def"
};

static const struct {
    const char *name;
    uint8_t class;
} ops[] = {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    {#name, LIMBIC_CLASS_##class},
#include "ops.def"
};

static const struct {
    const char *name, *text;
} isas[] = {
#define ISA(token, built, text) {#token, text},
#include "features.def"
};

const char *limbic_unit_name(unsigned unit) {
    return unit < LIMBIC_UNITS ? units[unit].name : "?";
}
unsigned limbic_unit_limbs(unsigned unit) {
    return unit < LIMBIC_UNITS ? units[unit].limbs : 0;
}
enum limbic_class limbic_unit_class(unsigned unit) {
    return (enum limbic_class)units[unit].class;
}
const char *limbic_op_name(unsigned op) {
    return op < LIMBIC_OPS ? ops[op].name : "?";
}
enum limbic_class limbic_op_class(unsigned op) {
    return (enum limbic_class)ops[op].class;
}
const char *limbic_isa_name(unsigned isa) {
    return isa < LIMBIC_ISAS ? isas[isa].name : "?";
}
const char *limbic_isa_text(unsigned isa) {
    return isa < LIMBIC_ISAS ? isas[isa].text : "?";
}
