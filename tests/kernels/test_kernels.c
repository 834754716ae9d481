/*
 * Every row of the registry that can run here, called directly, against the oracle of ops.def and against the
 * portable row. Options: --seconds S, --seed N, --filter UNIT[/OP[/ISA]] (shell patterns), -v.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cases.h"
#include "runner.h"
#include "tests/check.h"

enum { FAULTS_SHOWN = 3, GROUP_MAX = LIMBIC_ISAS };

enum state { SKIPPED, TESTED, FAILED };
struct row_result {
    enum state state;
    unsigned faults;
    unsigned long calls;
};

/* The rows of one (unit, op). */
struct group {
    struct cases cases; /* first: emit gets a pointer to it */
    const struct limbic_row *rows[GROUP_MAX];
    struct row_result *results[GROUP_MAX];
    size_t count;
    unsigned long number; /* of cases so far */
    uint64_t seed;
    uint64_t *want, *got, *portable;
    int comparison_tested;
};

static struct {
    double seconds;
    uint64_t seed;
    const char *filter;
    int verbose;
} options = {16, 0, NULL, 0};

static void row_name(const struct limbic_row *row, char *out, size_t size) {
    (void)snprintf(out, size, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                   limbic_isa_name(row->isa));
}

/* ---- one case on all rows of a group ---- */

/* A checker that can't say no is none: any bit of a right result, inverted, must be refused. */
static int comparison_works(struct group *g, const struct unit *u, char kind, uint64_t count) {
    const size_t bytes = operand_bytes(u, kind, count), n = u->limbs;
    const uint64_t ret = kind == 'a' ? g->want[2 * n] : 0;
    if ((kind == 'p' && !g->want[2 * n]) || !bytes)
        return -1; /* infinity: X and Y are arbitrary; or no output */
    for (int i = 0; i < 32; i++) {
        const size_t bit = cases_random(&g->seed) % (8 * bytes);
        uint8_t *byte = (uint8_t *)g->got + bit / 8;
        *byte ^= (uint8_t)(1 << bit % 8);
        const int accepted = same_result(u, kind, count, g->want, g->got, ret);
        *byte ^= (uint8_t)(1 << bit % 8);
        if (accepted || (kind == 'a' && same_result(u, kind, count, g->want, g->got, !ret)))
            return 0;
    }
    return same_result(u, kind, count, g->want, g->got, ret);
}

static void report(struct group *g, const struct run *run, size_t i, const char *why) {
    char name[64];
    g->results[i]->state = FAILED;
    if (g->results[i]->faults++ >= FAULTS_SHOWN)
        return;
    row_name(g->rows[i], name, sizeof name);
    printf("FAIL %s: %s; case %lu of --seed %llu --filter %s\n", name, why, g->number,
           (unsigned long long)options.seed, name);
    run_print(run, g->want, g->got);
}

static int emit(struct cases *c, const struct unit *u, const uint64_t *const *in, int thorough) {
    struct group *g = (struct group *)(void *)c;
    const struct op_info *op = &op_infos[g->rows[0]->op];
    const char kind = op->shape[0];
    const size_t bytes = operand_bytes(u, kind, operand_count(op->shape, in));
    struct run run = {.u = u, .op = op};
    int have_portable = 0;
    char why[128];

    memcpy(run.in, in, sizeof run.in);
    op->oracle(u, g->want, run.in);
    g->number++;
    for (size_t i = 0; i < g->count; i++) {
        const struct limbic_row *row = g->rows[i];
        unsigned combination = thorough ? 0 : (unsigned)(g->number % (ALIASES * PLACES));
        int ok = 1;
        run.fn = row->fn;
        for (int left = thorough ? ALIASES * PLACES : 1; left > 0; left--, combination++) {
            run.alias = (enum alias)(combination / PLACES);
            run.place = (enum place)(combination % PLACES);
            if (!alias_allowed(op, u, in, run.alias)) {
                if (thorough)
                    continue;
                run.alias = ALIAS_NONE;
            }
            run.seed = cases_random(&g->seed);
            g->results[i]->calls++;
            ok = run_row(&run, g->want, g->got, why, sizeof why);
            if (!ok)
                break;
        }
        if (!ok) {
            report(g, &run, i, why);
        } else if (row->isa == LIMBIC_ISA_c) {
            memcpy(g->portable, g->got, bytes);
            have_portable = kind != 'p' && kind != 'l'; /* which have more than one form of a result */
        } else if (have_portable && memcmp(g->portable, g->got, bytes) != 0) {
            report(g, &run, i, "differs from the portable row");
        }
        if (ok && !g->comparison_tested) {
            const int works = comparison_works(g, u, kind, operand_count(op->shape, in));
            g->comparison_tested = works != -1;
            if (works == 0)
                report(g, &run, i, "the comparison accepts wrong results");
        }
        if (g->results[i]->faults > FAULTS_SHOWN)
            return 0;
    }
    return 1;
}

/* ---- the checker, checked: kernels that each break one rule ---- */

static const struct unit *victim; /* any field: the functions below add in it, by the oracle */

static void honest(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t sum[LIMBIC_MAX_LIMBS];
    const uint64_t *in[] = {NULL, a, b};
    op_infos[LIMBIC_OP_field_add].oracle(victim, sum, in);
    memcpy(r, sum, 8 * victim->limbs);
}

static void beyond(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    honest(r, a, b);
    ((volatile uint64_t *)r)[victim->limbs] ^= 1;
}
static void before(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    honest(r, a, b);
    ((volatile uint64_t *)r)[-1] ^= 1;
}
static void reads_beyond(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    (void)((const volatile uint8_t *)a)[8 * victim->limbs + 7];
    honest(r, a, b);
}
static void reads_before(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    (void)((const volatile uint64_t *)b)[-1];
    honest(r, a, b);
}
static void changes_input(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    honest(r, a, b);
    if (r != a)
        ((volatile uint64_t *)(uintptr_t)a)[0] ^= 1;
}
static void unreduced(uint64_t *r, const uint64_t *a,
                      const uint64_t *b) { /* + m where it fits into the words */
    uint64_t carry = 0, m[LIMBIC_MAX_LIMBS], sum[LIMBIC_MAX_LIMBS];
    honest(sum, a, b);
    words_put(m, victim->m, victim->limbs);
    for (size_t i = 0; i < victim->limbs; i++) {
        const uint64_t s = sum[i] + carry, c1 = s < carry;
        r[i] = s + m[i];
        carry = c1 + (r[i] < s);
    }
    if (carry)
        memcpy(r, sum, 8 * victim->limbs);
}
static void alias_unsafe(uint64_t *r, const uint64_t *a,
                         const uint64_t *b) { /* stores before it has read all */
    const uint64_t first = r[0];
    r[0] = ~first;
    if (r != a && r != b)
        r[0] = first;
    honest(r, a, b);
}
static void half_written(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t sum[LIMBIC_MAX_LIMBS];
    honest(sum, a, b);
    memcpy(r, sum, 8 * victim->limbs - 1);
}
static void rarely_wrong(uint64_t *r, const uint64_t *a, const uint64_t *b) { /* a lost carry into word 1 */
    honest(r, a, b);
    if (a[0] + b[0] == 0 && a[0])
        r[1]--;
}
static void illegal(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    honest(r, a, b);
    __builtin_trap();
}

typedef void kernel(uint64_t *r, const uint64_t *a, const uint64_t *b);
static const struct {
    kernel *fn;
    const char *name;
} corruptions[] = {
    {beyond, "writes beyond r"},
    {before, "writes before r"},
    {reads_beyond, "reads beyond a"},
    {reads_before, "reads before b"},
    {changes_input, "changes a"},
    {unreduced, "gives m or above"},
    {alias_unsafe, "is wrong when r is an input"},
    {half_written, "leaves a byte of r"},
    {rarely_wrong, "loses a carry"},
    {illegal, "executes an illegal instruction"},
};

/* Cases of addition in the field of p256 on fn: 1 if a fault is found. */
static int caught(void (*fn)(void), char *what, size_t size) {
    const struct op_info *op = &op_infos[LIMBIC_OP_field_add];
    uint64_t rng = 1, want[LIMBIC_MAX_LIMBS], *got = malloc(operand_max()), a[LIMBIC_MAX_LIMBS],
             b[LIMBIC_MAX_LIMBS];
    int found = 0;
    for (int i = 0; i < 600 && !found && got; i++) {
        struct run run = {.u = victim, .op = op, .fn = fn, .in = {NULL, a, b, NULL}};
        mpz_t z;
        mpz_init(z);
        for (size_t j = 0; j < victim->limbs; j++)
            a[j] = cases_random(&rng);
        words_get(z, a, victim->limbs);
        mpz_mod(z, z, victim->m);
        words_put(a, z, victim->limbs);
        mpz_sub(z, victim->m, z);
        mpz_add_ui(z, z, i % 2 ? cases_random(&rng) : (uint64_t)i);
        if (i % 5 == 0)
            mpz_set_ui(z, 0 - a[0]); /* low words add up to 2^64 */
        mpz_mod(z, z, victim->m);
        words_put(b, z, victim->limbs);
        op->oracle(victim, want, run.in);
        run.alias = (enum alias)(i / PLACES % ALIAS_AB);
        run.place = (enum place)(i % PLACES);
        run.seed = cases_random(&rng);
        found = !run_row(&run, want, got, what, size);
        mpz_clear(z);
    }
    free(got);
    return found;
}

static int self_test(void) {
    char why[128] = "";
    unsigned bad = 0, count = 0;
    victim = unit_get(0);
    abi_honest = (void (*)(void))honest;
    if (caught(abi_honest, why, sizeof why)) {
        printf("FAIL self-test: a right kernel is refused: %s\n", why);
        return 0;
    }
    for (size_t i = 0; i < sizeof corruptions / sizeof corruptions[0]; i++, count++) {
        const int found = caught((void (*)(void))corruptions[i].fn, why, sizeof why);
        bad += !found;
        if (!found || options.verbose)
            printf("%s self-test: a kernel that %s: %s\n", found ? "ok  " : "FAIL", corruptions[i].name,
                   found ? why : "not caught");
    }
    for (const struct abi_fault *f = abi_faults; f->name; f++, count++) {
        const int found = caught(f->fn, why, sizeof why);
        bad += !found;
        if (!found || options.verbose)
            printf("%s self-test: a kernel that breaks %s: %s\n", found ? "ok  " : "FAIL", f->name,
                   found ? why : "not caught");
    }
    printf("self-test: %u of %u corrupt kernels caught\n", count - bad, count);
    return bad == 0;
}

/* ---- rows ---- */

static int selected(const struct limbic_row *row) {
    char name[64], pattern[80];
    if (!options.filter)
        return 1;
    row_name(row, name, sizeof name);
    (void)snprintf(pattern, sizeof pattern, "%s/*", options.filter);
    return fnmatch(options.filter, name, 0) == 0 || fnmatch(pattern, name, 0) == 0;
}

/* Required sets that no row of this registry has: a mistyped name must not pass. */
static void check_required_words(void) {
    const char *p = getenv("LIMBIC_REQUIRE");
    while (p && *p) {
        const size_t n = strcspn(p, ", ");
        int known = n == 0;
        for (size_t i = 0; i < limbic_rows_count; i++) {
            const char *isa = limbic_isa_name(limbic_rows[i].isa);
            known |= n == strlen(isa) && memcmp(p, isa, n) == 0;
        }
        if (!known)
            check(0, "LIMBIC_REQUIRE: no row is of '%.*s'", (int)n, p);
        p += n + (p[n] != 0);
    }
}

static void skip(const struct limbic_row *row, struct row_result *result) {
    char reason[128] = "left out by --filter", name[64];
    row_name(row, name, sizeof name);
    if (selected(row)) {
        limbic_row_reason(row, reason, sizeof reason);
        /* a wrong known answer is a defect, not a property of the machine */
        const int defect =
            limbic_row_state(row) == LIMBIC_ROW_failed || limbic_row_state(row) == LIMBIC_ROW_outranked;
        if (defect || required(limbic_isa_name(row->isa))) {
            printf("FAIL %s: %s: %s\n", name, defect ? "can't run" : "required by LIMBIC_REQUIRE, but",
                   reason);
            result->state = FAILED;
            return;
        }
        printf("skip %s: %s\n", name, reason);
    }
    skipped++;
}

static void test_group(struct group *g, double seconds, uint64_t seed) {
    g->cases = (struct cases){.rng = seed, .deadline = now() + seconds, .emit = emit};
    g->seed = ~seed;
    g->number = 0;
    g->comparison_tested = 0;
    cases_generate(&g->cases, g->rows[0]->unit, g->rows[0]->op);
    for (size_t i = 0; i < g->count; i++) {
        char name[64];
        if (g->results[i]->state == SKIPPED)
            g->results[i]->state = TESTED;
        if (!g->comparison_tested && g->results[i]->state == TESTED) {
            printf("FAIL %s: no result on which to test the comparison\n", limbic_op_name(g->rows[i]->op));
            g->results[i]->state = FAILED;
        }
        row_name(g->rows[i], name, sizeof name);
        if (options.verbose)
            printf("%s %-34s %8lu cases %9lu calls\n", g->results[i]->state == TESTED ? "ok  " : "FAIL", name,
                   g->number, g->results[i]->calls);
    }
}

static void summary(const struct row_result *results) {
    for (unsigned unit = 0; unit < LIMBIC_UNITS; unit++)
        for (unsigned isa = 0; isa < LIMBIC_ISAS; isa++) {
            unsigned rows = 0, bad = 0, left = 0;
            unsigned long calls = 0;
            for (size_t i = 0; i < limbic_rows_count; i++)
                if (limbic_rows[i].unit == unit && limbic_rows[i].isa == isa) {
                    rows++;
                    bad += results[i].state == FAILED;
                    left += results[i].state == SKIPPED;
                    calls += results[i].calls;
                }
            if (rows)
                printf("%-6s %-8s %2u rows: %2u right, %u wrong, %2u skipped; %9lu calls\n",
                       limbic_unit_name(unit), limbic_isa_name(isa), rows, rows - bad - left, bad, left,
                       calls);
        }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            options.verbose = 1;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            options.seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            options.seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc)
            options.filter = argv[++i];
        else {
            fprintf(stderr, "usage: %s [--seconds S] [--seed N] [--filter UNIT[/OP[/ISA]]] [-v]\n", argv[0]);
            return 2;
        }
    }
    if (!options.seed)
        options.seed = (uint64_t)(now() * 1e9) % 1000000007 + 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("calling convention checked: %s\n", runner_init());
    printf("seed %llu, %g s\n", (unsigned long long)options.seed, options.seconds);
    check_required_words();
    if (!self_test())
        failed++;

    struct row_result *results = calloc(limbic_rows_count, sizeof *results);
    uint64_t *memory = malloc(3 * operand_max() + 64);
    if (!results || !memory)
        return 1;
    size_t usable = 0;
    for (size_t i = 0; i < limbic_rows_count; i++)
        usable += selected(&limbic_rows[i]) && limbic_row_usable(&limbic_rows[i]);
    for (unsigned unit = 0; unit < LIMBIC_UNITS; unit++)
        for (unsigned op = 0; op < LIMBIC_OPS; op++) {
            struct group g = {
                .want = memory, .got = memory + operand_max() / 8, .portable = memory + operand_max() / 4};
            for (size_t i = 0; i < limbic_rows_count; i++) {
                const struct limbic_row *row = &limbic_rows[i];
                if (row->unit != unit || row->op != op)
                    continue;
                if (!selected(row) || !limbic_row_usable(row)) {
                    skip(row, &results[i]);
                } else if (g.count < GROUP_MAX) {
                    g.rows[g.count] = row;
                    g.results[g.count++] = &results[i];
                }
            }
            if (g.count) /* each group has its own sequence, so that --filter does not change it */
                test_group(&g, options.seconds * (double)g.count / (double)usable,
                           options.seed * 1000003 + unit * LIMBIC_OPS + op);
        }
    summary(results);

    size_t tested = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        tested += results[i].state == TESTED || results[i].state == FAILED;
        passed += results[i].state == TESTED;
        failed += results[i].state == FAILED;
    }
    printf("rows: %zu tested + %lu skipped == %zu in the registry\n", tested, skipped, limbic_rows_count);
    if (tested + skipped != limbic_rows_count || !usable)
        check(0, "rows were lost, or none selected");
    free(results);
    free(memory);
    return closing();
}
