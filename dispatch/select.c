/* Which row runs: read the CPU once, select each unit's rows at its first use, and tell why. */
#define _GNU_SOURCE /* secure_getenv */
#include "dispatch/dispatch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct limbic_cpu cpu;
static char cpu_unknown[64];
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;
static uint64_t assumed;                  /* limbic_cpu_assume */
static unsigned forced = LIMBIC_ISAS;     /* limbic_force_isa */

_Atomic(const struct limbic_ops *) limbic_active[LIMBIC_UNITS];
static struct limbic_ops tables[LIMBIC_UNITS];
static enum limbic_row_state states[LIMBIC_ROWS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

_Static_assert(LIMBIC_FEATURES <= 64, "features are bits of a 64-bit mask");

const struct limbic_row *limbic_select(const struct limbic_row *rows, size_t n, uint64_t mask) {
    const struct limbic_row *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (rows[i].fn && !(rows[i].need & ~mask) && (!best || rows[i].rank > best->rank))
            best = &rows[i];
    return best;
}

/* A fork while another thread selects must not leave the child with a lock that nobody holds. */
static void fork_prepare(void) { pthread_mutex_lock(&lock); }
static void fork_done(void) { pthread_mutex_unlock(&lock); }

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
    (void)pthread_atfork(fork_prepare, fork_done, fork_done);
}

/* At load: a program may clear its environment later. */
__attribute__((constructor)) static void at_load(void) { (void)pthread_once(&cpu_once, cpu_init); }

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
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                            \
    case LIMBIC_OP_##class##_##name:                                                                                   \
        t->class##_##name = (limbic_##signature *)row->fn;                                                             \
        break;
#include "ops.def"
    default:
        break;
    }
}

/* Selects the row of one (unit, op); a row that fails its known answer is left out and the next best taken. */
static void choose(struct limbic_ops *t, unsigned unit, unsigned op) {
    const uint64_t mask = (cpu.enabled | assumed) & ~cpu.off;
    struct limbic_row candidates[LIMBIC_ISAS];
    size_t origin[LIMBIC_ISAS], n = 0;
    const struct limbic_row *best;

    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        if (row->unit != unit || row->op != op)
            continue;
        states[i] = obstacle(row);
        if (n < LIMBIC_ISAS && (forced == LIMBIC_ISAS || row->isa == forced || row->isa == LIMBIC_ISA_c)) {
            candidates[n] = *row;
            origin[n++] = i;
        }
    }
    while ((best = limbic_select(candidates, n, mask)) != NULL) {
        size_t i = origin[best - candidates];
        if (best->isa == LIMBIC_ISA_c || limbic_known_answer(best)) {
            states[i] = LIMBIC_ROW_chosen;
            put(t, best);
            return;
        }
        states[i] = LIMBIC_ROW_failed;
        candidates[best - candidates].fn = NULL;
    }
}

const struct limbic_ops *limbic_ops_build(enum limbic_unit unit) {
    at_load();
    (void)pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&limbic_active[unit], memory_order_relaxed)) {
        memset(&tables[unit], 0, sizeof tables[unit]);
        for (unsigned op = 0; op < LIMBIC_OPS; op++)
            choose(&tables[unit], unit, op);
        atomic_store_explicit(&limbic_active[unit], &tables[unit], memory_order_release);
    }
    (void)pthread_mutex_unlock(&lock);
    return &tables[unit];
}

enum limbic_row_state limbic_row_state(const struct limbic_row *row) {
    (void)limbic_ops((enum limbic_unit)row->unit);
    return states[row - limbic_rows];
}

int limbic_row_usable(const struct limbic_row *row) {
    enum limbic_row_state state = limbic_row_state(row);
    return state == LIMBIC_ROW_chosen || (state == LIMBIC_ROW_outranked && limbic_known_answer(row));
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
    for (unsigned u = 0; u < LIMBIC_UNITS; u++)
        atomic_store_explicit(&limbic_active[u], NULL, memory_order_release);
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
