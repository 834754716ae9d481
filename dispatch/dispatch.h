/*
 * The table of kernels at run time. Callers take limbic_ops(unit) once per public call and go through its
 * pointers; nothing above this folder knows which instruction set runs.
 */
#ifndef LIMBIC_DISPATCH_H
#define LIMBIC_DISPATCH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef LIMBIC_ASM_X86_64
#define LIMBIC_ASM_X86_64 0
#endif
#ifndef LIMBIC_ASM_AARCH64
#define LIMBIC_ASM_AARCH64 0
#endif

/* Whether this build has the objects of an instruction set. */
#define LIMBIC_BUILT_c      1
#define LIMBIC_BUILT_x64    LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_adx    LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_shani  LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_avx2   LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_avx512 LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_ifma   LIMBIC_ASM_X86_64
#define LIMBIC_BUILT_a64    LIMBIC_ASM_AARCH64
#define LIMBIC_BUILT_crypto LIMBIC_ASM_AARCH64

/* limbs of the longest fixed field (P-521) */
#define LIMBIC_MAX_LIMBS 9
/* words of the longest operand of class lanes (P-521): eight times its limbs of 48 bits */
#define LIMBIC_MAX_LANES_WORDS 88

enum limbic_unit {
#define UNIT(name, class, limbs) LIMBIC_UNIT_##name,
#include "ops.def"
    LIMBIC_UNITS
};

enum limbic_op {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    LIMBIC_OP_##class##_##name,
#include "ops.def"
    LIMBIC_OPS
};

enum limbic_class {
    LIMBIC_CLASS_field,
    LIMBIC_CLASS_lanes,
    LIMBIC_CLASS_curve,
    LIMBIC_CLASS_mont,
    LIMBIC_CLASS_hash,
    LIMBIC_CLASS_gcd
};

enum limbic_feature {
#define FEATURE_X86(name, leaf, subleaf, reg, bit, xcr0) LIMBIC_FEATURE_##name,
#define FEATURE_A64(name, word, bit)                     LIMBIC_FEATURE_##name,
#include "features.def"
    LIMBIC_FEATURES
};

enum limbic_isa {
#define ISA(token, built, text) LIMBIC_ISA_##token,
#include "features.def"
    LIMBIC_ISAS
};

struct limbic_mont; /* include/limbic/field.h */

/* The signatures that ops.def names. */
typedef void limbic_fe2(uint64_t *r, const uint64_t *a);
typedef void limbic_fe3(uint64_t *r, const uint64_t *a, const uint64_t *b);
typedef void limbic_lanes2(uint64_t *r, const uint64_t *a);
typedef void limbic_lanes3(uint64_t *r, const uint64_t *a, const uint64_t *b);
typedef void limbic_lanes5(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                           const uint64_t *d);
typedef void limbic_pt_k(uint64_t *r, const uint64_t *k);
typedef void limbic_pt_k_aff(uint64_t *r, const uint64_t *k, const uint64_t *q);
typedef void limbic_pt_pt(uint64_t *r, const uint64_t *a);
typedef void limbic_pt_pt_pt(uint64_t *r, const uint64_t *a, const uint64_t *b);
typedef void limbic_pt4(uint64_t *r, const uint64_t *a);
typedef void limbic_pt4_aff(uint64_t *r, const uint64_t *a, const uint64_t *b);
typedef uint64_t limbic_aff_pt(uint64_t *r, const uint64_t *a);
typedef void limbic_pt_k_k_aff(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q);
typedef void limbic_tab_aff(uint64_t *t, const uint64_t *q);
typedef void limbic_pt_k_k_tab(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *t);
typedef void limbic_affs_ks(uint64_t *r, const uint64_t *k, size_t n);
typedef void limbic_affs_ks_affs(uint64_t *r, const uint64_t *k, const uint64_t *q, size_t n);
typedef void limbic_affs_ks_ks_affs(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q,
                                    size_t n);
typedef void limbic_affs_ks_ks_tabs(uint64_t *r, const uint64_t *u, const uint64_t *v,
                                    const uint64_t *const *t, size_t n);
typedef void limbic_mont2(uint64_t *r, const uint64_t *a, const struct limbic_mont *x);
typedef void limbic_mont3(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct limbic_mont *x);
typedef void limbic_mont4(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                          const struct limbic_mont *x);
typedef limbic_mont4 limbic_mont_public;
typedef void limbic_mont_many(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                              const struct limbic_mont *const *x, size_t count);
typedef limbic_mont_many limbic_mont_publics;
typedef void limbic_divsteps(uint64_t *r, uint64_t zeta, uint64_t f, uint64_t g);
typedef void limbic_hash_stream(uint8_t *out, const uint32_t *state, uint32_t bits, uint32_t counter,
                                size_t blocks);
typedef void limbic_hash32(uint32_t *state, const uint8_t *in, size_t blocks);
typedef void limbic_hash64(uint64_t *state, const uint8_t *in, size_t blocks);
typedef void limbic_hash32_many(uint32_t *state, const uint8_t *const *in, size_t blocks, size_t n);
typedef void limbic_hash64_many(uint64_t *state, const uint8_t *const *in, size_t blocks, size_t n);

/* One pointer per operation, named <class>_<op>; those that a unit does not have are NULL. */
struct limbic_ops {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    limbic_##signature *class##_##name;
#include "ops.def"
};

/* One row of kernels.def. */
struct limbic_row {
    uint8_t unit, op, isa;
    uint8_t rank;
    uint64_t need;
    void (*fn)(void); /* NULL: this build has no object for it */
};

/* Why a row does not run; LIMBIC_ROW_chosen: it does. */
enum limbic_row_state {
    LIMBIC_ROW_outranked, /* would run, a row of higher rank does */
    LIMBIC_ROW_chosen,
    LIMBIC_ROW_not_built,    /* the build has no object */
    LIMBIC_ROW_no_cpu,       /* the CPU lacks a feature */
    LIMBIC_ROW_no_os,        /* the operating system does not keep the registers */
    LIMBIC_ROW_switched_off, /* cleared by LIMBIC_CPU */
    LIMBIC_ROW_failed        /* wrong known answer */
};

struct limbic_cpu {
    uint64_t has;     /* the CPU says so */
    uint64_t enabled; /* and the operating system keeps its registers */
    uint64_t off;     /* cleared by LIMBIC_CPU */
};

/* The words that x86-64 detection reads: leaves above max_leaf are taken as zero; xcr0 is 0 without OSXSAVE. */
struct limbic_cpuid {
    uint32_t max_leaf;
    uint32_t leaf1[4], leaf7[4], leaf7_1[4]; /* EAX EBX ECX EDX */
    uint64_t xcr0;
};

/* Pure functions: tests feed them synthetic words. */
void limbic_features_x86(struct limbic_cpu *cpu, const struct limbic_cpuid *w);
void limbic_features_a64(struct limbic_cpu *cpu, uint64_t hwcap, uint64_t hwcap2);
/* Parses LIMBIC_CPU ("-ifma,-adx") into bits to clear; returns the number of words it did not know, and the first
 * of them in unknown (cut to size). */
int limbic_parse_off(uint64_t *off, const char *text, char *unknown, size_t size);
/* The row of highest rank among the n rows whose needs the mask has and which has a function; NULL if none. */
const struct limbic_row *limbic_select(const struct limbic_row *rows, size_t n, uint64_t mask);

/* This machine's words, read once. */
void limbic_cpu_read(struct limbic_cpu *cpu);
const struct limbic_cpu *limbic_cpu(void);

/* The table of a unit, in parts, since known answers of multiplications take time and stack: most of what there is, many at once, and what concerns
 * prepared keys. The first call for a part selects its rows and runs their known answers; operations of other parts are portable C in its table. Thread-safe; no
 * lock after that. */
enum limbic_part { LIMBIC_PART_ONE, LIMBIC_PART_MANY, LIMBIC_PART_PREPARED, LIMBIC_PARTS };
enum limbic_part limbic_op_part(unsigned op);
extern _Atomic(const struct limbic_ops *) limbic_active[LIMBIC_PARTS][LIMBIC_UNITS];
const struct limbic_ops *limbic_ops_build(enum limbic_unit unit, enum limbic_part part);
static inline const struct limbic_ops *limbic_ops_of(enum limbic_unit unit, enum limbic_part part) {
    const struct limbic_ops *t = atomic_load_explicit(&limbic_active[part][unit], memory_order_acquire);
    return t ? t : limbic_ops_build(unit, part);
}
static inline const struct limbic_ops *limbic_ops(enum limbic_unit unit) {
    return limbic_ops_of(unit, LIMBIC_PART_ONE);
}

/* The registry: all rows, in the order of kernels.def. */
enum {
    LIMBIC_ROWS = 0
#define KERNEL(unit, class, op, isa, need, rank) +1
#include "kernels.def"
};
extern const struct limbic_row limbic_rows[LIMBIC_ROWS];
extern const size_t limbic_rows_count;
enum limbic_row_state limbic_row_state(const struct limbic_row *row);
/* Whether the row can be called here: built, CPU and OS have what it needs, not switched off, answer right. */
int limbic_row_usable(const struct limbic_row *row);
/* The reason in words, for people. */
void limbic_row_reason(const struct limbic_row *row, char *out, size_t size);
/* Runs the known answer of a row: 1 if it is right, 0 if not, -1 if there was no memory for it. Only for rows whose needs the
 * CPU has. */
int limbic_known_answer(const struct limbic_row *row);
/* The same; prepare's answer leaves its table in *table, and others take it from there, where it is not NULL. limbic_known_answer_end lets go of it. */
int limbic_known_answer_with(const struct limbic_row *row, uint64_t **table);
void limbic_known_answer_end(unsigned unit, uint64_t *table);

const char *limbic_unit_name(unsigned unit);
const char *limbic_op_name(unsigned op);
const char *limbic_isa_name(unsigned isa);
const char *limbic_isa_text(unsigned isa);
const char *limbic_feature_name(unsigned feature);
unsigned limbic_unit_limbs(unsigned unit);
enum limbic_class limbic_unit_class(unsigned unit);
enum limbic_class limbic_op_class(unsigned op);

/* For tests and benchmarks, while no other thread uses the library: from now on only rows of this instruction set
 * and of portable C are chosen (NULL: all again). Returns the number of rows of the set that are chosen: 0 means
 * that it does not run here. */
int limbic_force_isa(const char *isa);

/* For the constant-time tests: takes these feature bits as present although the CPU does not show them (Valgrind hides
 * ADX but executes it). Same conditions as limbic_force_isa. */
void limbic_cpu_assume(uint64_t features);
/* The words of LIMBIC_CPU that no feature has. */
const char *limbic_cpu_unknown(void);

/* All kernels' symbols: never another library's. */
#pragma GCC visibility push(hidden)
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    typedef limbic_##signature limbic_type_##class##_##name;
#include "ops.def"
#define KERNEL(unit, class, op, isa, need, rank) limbic_type_##class##_##op limbic_##unit##_##op##_##isa;
#include "kernels.def"
#pragma GCC visibility pop

#endif
