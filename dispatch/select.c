/* Which row runs: read the CPU once, select each unit's rows at its first use, and tell why. */
#define _GNU_SOURCE /* secure_getenv */
#include "dispatch/dispatch.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct limbic_cpu cpu;
static char cpu_unknown[64];
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;
static uint64_t assumed;              /* limbic_cpu_assume */
static unsigned forced = LIMBIC_ISAS; /* limbic_force_isa */

_Atomic(const struct limbic_ops *) limbic_active[LIMBIC_PARTS][LIMBIC_UNITS];
static struct limbic_ops tables[LIMBIC_PARTS][LIMBIC_UNITS];
static atomic_flag claimed[LIMBIC_PARTS][LIMBIC_UNITS]; /* whose table is being filled, or is */
static enum limbic_row_state states[LIMBIC_ROWS];

/* The rows of portable C, which need no selection. */
#define PORTABLE_ISA_c              ~, 1
#define SECOND_(a, b, ...)          b
#define SECOND(...)                 SECOND_(__VA_ARGS__)
#define PORTABLE_1(unit, class, op) [LIMBIC_UNIT_##unit].class##_##op = limbic_##unit##_##op##_c,
#define PORTABLE_0(unit, class, op)
#define PORTABLE__(is, unit, class, op) PORTABLE_##is(unit, class, op)
#define PORTABLE_(is, unit, class, op)  PORTABLE__(is, unit, class, op)
static const struct limbic_ops portable[LIMBIC_UNITS] = {
#define KERNEL(unit, class, op, isa, need, rank) PORTABLE_(SECOND(PORTABLE_ISA_##isa, 0, ), unit, class, op)
#include "kernels.def"
};

_Static_assert(LIMBIC_FEATURES <= 64, "features are bits of a 64-bit mask");

const struct limbic_row *limbic_select(const struct limbic_row *rows, size_t n, uint64_t mask) {
    const struct limbic_row *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (rows[i].fn && !(rows[i].need & ~mask) && (!best || rows[i].rank > best->rank))
            best = &rows[i];
    return best;
}

static void cpu_init(void) {
    const char *words;
    limbic_cpu_read(&cpu);
#if defined(__GLIBC__)
    words = secure_getenv("LIMBIC_CPU");
#else
    words = getenv("LIMBIC_CPU");
#endif
    if (words)
        (void)limbic_parse_off(&cpu.off, words, cpu_unknown, sizeof cpu_unknown);
}

/* At load: a program may clear its environment later. */
__attribute__((constructor)) static void at_load(void) {
    (void)pthread_once(&cpu_once, cpu_init);
}

const struct limbic_cpu *limbic_cpu(void) {
    at_load();
    return &cpu;
}

const char *limbic_cpu_unknown(void) {
    at_load();
    return cpu_unknown;
}

/* What is wrong with a row before its known answer is asked. */
static enum limbic_row_state obstacle(const struct limbic_row *row) {
    const struct limbic_cpu *c = limbic_cpu();
    if (!row->fn)
        return LIMBIC_ROW_not_built;
    if (row->need & ~(c->has | assumed))
        return LIMBIC_ROW_no_cpu;
    if (row->need & ~(c->enabled | assumed))
        return LIMBIC_ROW_no_os;
    if (row->need & c->off)
        return LIMBIC_ROW_switched_off;
    return LIMBIC_ROW_outranked;
}

static void put(struct limbic_ops *t, const struct limbic_row *row) {
    switch (row->op) {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    case LIMBIC_OP_##class##_##name:                                                                         \
        t->class##_##name = (limbic_##signature *)row->fn;                                                   \
        break;
#include "ops.def"
    default:
        break;
    }
}

enum limbic_part limbic_op_part(unsigned op) {
    switch (op) {
    case LIMBIC_OP_curve_prepare_vartime:
    case LIMBIC_OP_curve_prepared_mul_vartime:
    case LIMBIC_OP_curve_prepared_mul_many_vartime:
        return LIMBIC_PART_PREPARED;
    case LIMBIC_OP_curve_base_mul_many:
    case LIMBIC_OP_curve_point_mul_many:
    case LIMBIC_OP_curve_double_mul_many_vartime:
        return LIMBIC_PART_MANY;
    default:
        return LIMBIC_PART_ONE;
    }
}

/* A unit's table while it is being selected. */
struct selection {
    struct limbic_ops ops;
    enum limbic_row_state states[LIMBIC_ROWS];
    int failed;      /* a row of this unit has a wrong known answer */
    int gcd_failed;  /* or one of what inverses are made of */
    uint64_t *table; /* of known answers */
};

/* Whether a row's known answer is right already: prepare's goes through the prepared_mul of its instruction set, and making a
 * table is most of what the answers of a curve cost. */
static int answered(const struct selection *s, const struct limbic_row *row) {
    _Static_assert(LIMBIC_OP_curve_prepare_vartime < LIMBIC_OP_curve_prepared_mul_vartime,
                   "prepare is asked first");
    for (size_t i = 0; row->op == LIMBIC_OP_curve_prepared_mul_vartime && i < limbic_rows_count; i++)
        if (limbic_rows[i].unit == row->unit && limbic_rows[i].op == LIMBIC_OP_curve_prepare_vartime &&
            limbic_rows[i].isa == row->isa && s->states[i] == LIMBIC_ROW_chosen)
            return 1;
    return 0;
}

/* Rows that call kernels directly, some of them for some lengths or counts alone, which their own answers do not ask for: such a row is
 * left out with any kernel of its unit. ops.def has the kernels first. */
static int made_of_failed(const struct selection *s, unsigned op) {
    switch (limbic_op_class(op)) {
    case LIMBIC_CLASS_curve:
    case LIMBIC_CLASS_mont:
    case LIMBIC_CLASS_hash:
        return s->failed;
    default:
        return s->gcd_failed && (op == LIMBIC_OP_field_inv || op == LIMBIC_OP_field_inv_vartime);
    }
}

/* Selects the row of one (unit, op); a row that fails its known answer, or is made of one that does, is left out and the next best
 * taken. Returns 0 if there was no memory to ask. */
static int choose(struct selection *s, unsigned unit, unsigned op) {
    const uint64_t mask = (cpu.enabled | assumed) & ~cpu.off;
    struct limbic_row candidates[LIMBIC_ISAS];
    size_t origin[LIMBIC_ISAS], n = 0;
    const struct limbic_row *best;

    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        if (row->unit != unit || row->op != op)
            continue;
        s->states[i] = obstacle(row);
        if (n < LIMBIC_ISAS && (forced == LIMBIC_ISAS || row->isa == forced || row->isa == LIMBIC_ISA_c)) {
            candidates[n] = *row;
            origin[n++] = i;
        }
    }
    while ((best = limbic_select(candidates, n, mask)) != NULL) {
        size_t i = origin[best - candidates];
        int answer = best->isa == LIMBIC_ISA_c || answered(s, best) ? 1
                     : made_of_failed(s, op)                        ? 0
                                             : limbic_known_answer_with(best, &s->table);
        if (answer < 0)
            return 0;
        if (answer) {
            s->states[i] = LIMBIC_ROW_chosen;
            put(&s->ops, best);
            return 1;
        }
        s->states[i] = LIMBIC_ROW_failed;
        s->failed = 1;
        candidates[best - candidates].fn = NULL;
    }
    return 1;
}

/* Whether a row of the unit's first part has a wrong known answer. */
static int any_failed(enum limbic_unit unit) {
    int failed = 0;
    (void)limbic_ops(unit);
    for (size_t i = 0; i < limbic_rows_count; i++)
        failed |= limbic_rows[i].unit == unit && limbic_op_part(limbic_rows[i].op) == LIMBIC_PART_ONE &&
                  states[i] == LIMBIC_ROW_failed;
    return failed;
}

/* No lock, which a fork could leave taken: each thread that comes before the table is there selects for itself, all alike,
 * and the first to be done publishes. One that is done while another copies waits a moment; if that one is gone (it was in the
 * parent of a fork), it goes on with portable C. */
const struct limbic_ops *limbic_ops_build(enum limbic_unit unit, enum limbic_part part) {
    struct selection s;
    int answered_all = 1;

    at_load();
    memset(&s, 0, sizeof s);
    s.ops = portable[unit];
    if (part != LIMBIC_PART_ONE) { /* whose rows these are made of */
        if (limbic_ops(unit) == &portable[unit])
            return &portable[unit];
        s.failed = any_failed(unit);
    } else if (unit != LIMBIC_UNIT_gcd) {
        s.gcd_failed = any_failed(LIMBIC_UNIT_gcd);
    }
    for (unsigned op = 0; op < LIMBIC_OPS && answered_all; op++)
        if (limbic_op_part(op) == part)
            answered_all = choose(&s, unit, op);
    limbic_known_answer_end(unit, s.table);
    if (!answered_all)
        return &portable[unit];
    if (!atomic_flag_test_and_set_explicit(&claimed[part][unit], memory_order_acq_rel)) {
        for (size_t i = 0; i < limbic_rows_count; i++)
            if (limbic_rows[i].unit == unit && limbic_op_part(limbic_rows[i].op) == part)
                states[i] = s.states[i];
        tables[part][unit] = s.ops;
        atomic_store_explicit(&limbic_active[part][unit], &tables[part][unit], memory_order_release);
    }
    for (int i = 0; i < 10000; i++) {
        const struct limbic_ops *t = atomic_load_explicit(&limbic_active[part][unit], memory_order_acquire);
        if (t)
            return t;
        (void)sched_yield();
    }
    return &portable[unit];
}

enum limbic_row_state limbic_row_state(const struct limbic_row *row) {
    (void)limbic_ops_of((enum limbic_unit)row->unit, limbic_op_part(row->op));
    return states[row - limbic_rows];
}

int limbic_row_usable(const struct limbic_row *row) {
    enum limbic_row_state state = limbic_row_state(row);
    return state == LIMBIC_ROW_chosen || (state == LIMBIC_ROW_outranked && limbic_known_answer(row) > 0);
}

void limbic_row_reason(const struct limbic_row *row, char *out, size_t size) {
    static const char *const texts[] = {
        [LIMBIC_ROW_chosen] = "",
        [LIMBIC_ROW_outranked] = "a row of higher rank runs",
        [LIMBIC_ROW_not_built] = "not in this build (other architecture, or no assembler)",
        [LIMBIC_ROW_no_cpu] = "the CPU lacks",
        [LIMBIC_ROW_no_os] = "the system does not keep the registers of",
        [LIMBIC_ROW_switched_off] = "switched off by LIMBIC_CPU:",
        [LIMBIC_ROW_failed] = "wrong known answer",
    };
    enum limbic_row_state state = limbic_row_state(row);
    uint64_t of = state == LIMBIC_ROW_no_cpu         ? row->need & ~(cpu.has | assumed)
                  : state == LIMBIC_ROW_no_os        ? row->need & ~(cpu.enabled | assumed)
                  : state == LIMBIC_ROW_switched_off ? row->need & cpu.off
                                                     : 0;
    size_t used;

    if (state == LIMBIC_ROW_outranked && forced != LIMBIC_ISAS && row->isa != forced) {
        (void)snprintf(out, size, "%s is forced", limbic_isa_name(forced));
        return;
    }
    (void)snprintf(out, size, "%s", texts[state]);
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
        if (of >> i & 1 && (used = strlen(out)) + 1 < size)
            (void)snprintf(out + used, size - used, " %s", limbic_feature_name(i));
}

static void forget(void) {
    for (unsigned part = 0; part < LIMBIC_PARTS; part++)
        for (unsigned u = 0; u < LIMBIC_UNITS; u++) {
            atomic_store_explicit(&limbic_active[part][u], NULL, memory_order_release);
            atomic_flag_clear(&claimed[part][u]);
        }
}

int limbic_force_isa(const char *isa) {
    int chosen = 0;

    forced = LIMBIC_ISAS;
    for (unsigned i = 0; isa && i < LIMBIC_ISAS; i++)
        if (strcmp(limbic_isa_name(i), isa) == 0)
            forced = i;
    forget();
    if (isa && forced == LIMBIC_ISAS)
        return 0;
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_row_state(&limbic_rows[i]) == LIMBIC_ROW_chosen && (!isa || limbic_rows[i].isa == forced))
            chosen++;
    return chosen;
}

void limbic_cpu_assume(uint64_t features) {
    assumed = features;
    forget();
}
