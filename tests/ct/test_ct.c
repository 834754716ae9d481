/*
 * Constant time, under Valgrind's memcheck: what is secret counts as undefined, and memcheck reports every
 * branch and every address that is made from it. Kernels: all operands of every ct row. Schemes: private keys,
 * nonces, and what is encrypted or decrypted; only what the library itself declassifies, and outputs, may be
 * looked at. Variable-latency instructions are not seen.
 *
 * Without Valgrind, the rows that it can't execute are timed: see test_times.
 *
 * Valgrind does not show every feature of the CPU to programs, but may execute its instructions all the same:
 * rows that only lack such a feature are tried in a child process and assumed if that lives.
 */
#define _GNU_SOURCE /* fork, waitpid */
#include <math.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/secret.h"
#include "curve/curve.h"
#include "field/gcd.h"
#include "hash/hash.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/key.h"
#include "limbic/limbic.h"
#include "limbic/mpn.h"
#include "scheme/rsa.h"
#include "scheme/sm2.h"
#include "tests/check.h"
#include "tests/kernels/oracle.h"

static uint64_t state = 1;
static uint64_t next(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned long errors(void) {
    return VALGRIND_COUNT_ERRORS;
}

/* ---- rows ---- */

typedef uint64_t function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

enum { ROUNDS = 4, BLOCKS = 9, STREAMS = 20, EXPONENT_BITS = 131 }; /* more blocks than lanes */
enum { MODULI = 8, MOST_LIMBS = 24 };

/* Of bits, streams or blocks. */
static size_t number_of(char kind) {
    return kind == 'v' ? EXPONENT_BITS : strchr("SW", kind) ? STREAMS : BLOCKS;
}
_Static_assert(STREAM_MEMORY % 64 == 0 && STREAM_MEMORY >= 8 * LIMBIC_MAX_LANES_WORDS &&
                   STREAM_MEMORY >= 8 * (3 * LIMBIC_MAX_LIMBS + 16 * BLOCKS),
               "operands fit and are aligned");

/* Operand i of kind: round 0 zero or infinity, 1 the largest, else random. */
static void operand(const struct unit *u, char kind, int round, uint64_t *out) {
    mpz_t z;
    struct point p;
    mpz_init(z);
    point_init(&p);
    for (size_t i = 0; i < u->limbs; i++) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, next());
    }
    switch (kind) {
    case 'e':
    case 'k':
        mpz_mod(z, z, kind == 'e' ? u->m : u->n);
        if (round == 0)
            mpz_set_ui(z, 0);
        else if (round == 1)
            mpz_sub_ui(z, kind == 'e' ? u->m : u->n, kind == 'e');
        words_put(out, z, u->limbs);
        break;
    case 'E':
        for (size_t i = 0; i < u->moduli; i++)
            operand(u, 'e', round, out + i * u->limbs);
        break;
    case 'a':
    case 'p':
        mpz_mod(z, z, u->m);
        while (!point_lift(u, &p, z, 0))
            mpz_add_ui(z, z, 1);
        if (round == 1)
            point_base(u, &p);
        p.infinite = kind == 'p' && round == 0;
        mpz_set(z, u->m);
        mpz_sub_ui(z, z, 2);
        if (kind == 'a')
            point_put_affine(u, out, &p);
        else
            point_put_jacobian(u, out, &p, z);
        break;
    case 'K':
    case 'A':
        for (size_t i = 0; i < BLOCKS; i++)
            operand(u, kind == 'K' ? 'k' : 'a', round, out + (kind == 'K' ? 1 : 2) * u->limbs * i);
        break;
    default:
        for (size_t i = 0;
             i < operand_bytes(u, kind, is_exponent(kind) ? EXPONENT_BITS : number_of(kind)) / 8; i++)
            out[i] = next();
        break;
    }
    point_clear(&p);
    mpz_clear(z);
}

/* A call, its operands secret: it points into itself. */
struct call {
    _Alignas(64) uint64_t words[MAX_ARGS][STREAM_MEMORY / 8]; /* the longest operand */
    uint64_t arrays[3][MOST_LIMBS];
    uintptr_t args[MAX_ARGS];
    struct limbic_mont x;
    const struct limbic_mont *same[MODULI];
};

static void prepare(struct call *c, const struct unit *u, const char *shape, int round) {
    const int count = (int)strlen(shape);

    for (size_t i = 0; i < MODULI; i++)
        c->same[i] = &c->x;
    for (int i = 0; i < count; i++) {
        uint64_t *const words = c->words[i];
        c->args[i] = (uintptr_t)words;
        if (shape[0] == 'g' && i > 0) { /* zeta, f, g; f is odd */
            words[0] = i == 1 ? (uint64_t)(round - 2) : i == 2 ? next() | 1 : round ? next() : 0;
            LIMBIC_SECRET(words, sizeof c->words[i]);
            c->args[i] = words[0];
        } else if (shape[i] == 'n') {
            c->args[i] = is_exponent(shape[2]) ? EXPONENT_BITS : is_state(shape) && i > 2 ? STREAMS : BLOCKS;
        } else if (shape[i] == 'd') {
            c->args[i] = 7;
        } else if (shape[i] == 'N') {
            c->args[i] = u->moduli;
        } else if (shape[i] == 'x' || shape[i] == 'X') { /* all secret but the length */
            c->x = u->x;
            for (size_t j = 0; j < 3; j++)
                memcpy(c->arrays[j], u->storage + j * u->limbs, 8 * u->limbs);
            c->x.m = c->arrays[0];
            c->x.one = c->arrays[1];
            c->x.rr = c->arrays[2];
            LIMBIC_SECRET(c->arrays, sizeof c->arrays);
            LIMBIC_SECRET(&c->x.n0, sizeof c->x.n0);
            c->args[i] = shape[i] == 'x' ? (uintptr_t)&c->x : (uintptr_t)c->same;
        } else if (strchr("PQ", shape[i])) {
            for (size_t j = 0; j < STREAMS; j++)
                words[j] = (uintptr_t)(c->words[4] + j);
        } else if (shape[i] == 'o') { /* public, so the same each time */
            for (size_t j = 0; j < operand_bytes(u, 'o', EXPONENT_BITS) / 8; j++)
                words[j] = j * UINT64_C(0x9e3779b97f4a7c15) + 1;
        } else {
            operand(u, shape[i], round, words);
            LIMBIC_SECRET(words, sizeof c->words[i]);
        }
    }
}

static void run(function *fn, const struct call *c) {
    (void)fn(c->args[0], c->args[1], c->args[2], c->args[3], c->args[4], c->args[5]);
}

/* Errors that memcheck reports while fn runs on undefined operands. */
static unsigned long run_marked(function *fn, const struct unit *u, const char *shape, int round) {
    static struct call c;
    prepare(&c, u, shape, round);
    const unsigned long before = errors();
    run(fn, &c);
    return errors() - before;
}

static int marked_row(const struct limbic_row *row) {
    const char *shape = op_infos[row->op].shape;
    unsigned long found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct unit mont;
        const struct unit *u = unit_get(row->unit);
        if (row->unit == LIMBIC_UNIT_mont) {
            mpz_t m;
            mpz_init_set(m, unit_get(LIMBIC_UNIT_p521n)->m);
            mpz_fdiv_q_2exp(m, m, 64 * (unsigned)round); /* lengths 9 to 6 */
            mpz_setbit(m, 0);
            unit_mont(&mont, m, (mpz_sizeinbase(m, 2) + 63) / 64);
            mpz_clear(m);
            mont.moduli = 2; /* the same twice */
            u = &mont;
        }
        found += run_marked((function *)row->fn, u, shape, round);
        if (u == &mont)
            unit_mont_clear(&mont);
    }
    return found == 0;
}

/* Rows that lack nothing but features which this process is not shown: whether it can execute them. */
static void assume_what_runs(void) {
    uint64_t assumed = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        int status;
        const uint64_t missing = row->need & ~(limbic_cpu()->enabled | assumed);
        if (!row->fn || !missing || row->need & limbic_cpu()->off)
            continue;
        (void)fflush(stdout);
        const pid_t pid = fork();
        if (pid == 0)
            _exit(!limbic_known_answer(row));
        if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
            assumed |= missing;
    }
    limbic_cpu_assume(assumed);
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
        if (assumed >> i & 1)
            (void)printf("assumed, for Valgrind executes it without showing it: %s\n",
                         limbic_feature_name(i));
}

/* src/curve/lanes.c with portable vectors: as tests/ct/CMakeLists.txt compiles it. */
#define LANES(unit)                                                                                          \
    limbic_pt_k limbic_##unit##_base_mul_portable;                                                           \
    limbic_affs_ks limbic_##unit##_base_mul_many_portable;                                                   \
    limbic_affs_ks_affs limbic_##unit##_point_mul_many_portable;
LANES(p256)
LANES(p384)
LANES(p521)
LANES(sm2)
#undef LANES
#define LANES(unit)                                                                                          \
    {LIMBIC_UNIT_##unit, LIMBIC_OP_curve_base_mul,                                                           \
     (function *)(void (*)(void))limbic_##unit##_base_mul_portable},                                         \
        {LIMBIC_UNIT_##unit, LIMBIC_OP_curve_base_mul_many,                                                  \
         (function *)(void (*)(void))limbic_##unit##_base_mul_many_portable},                                \
        {LIMBIC_UNIT_##unit, LIMBIC_OP_curve_point_mul_many,                                                 \
         (function *)(void (*)(void))limbic_##unit##_point_mul_many_portable},
static void test_lanes(void) {
    static const struct {
        unsigned unit, op;
        function *fn;
    } rows[] = {LANES(p256) LANES(p384) LANES(p521) LANES(sm2)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *unit = limbic_unit_name(rows[i].unit), *op = limbic_op_name(rows[i].op);
        unsigned long found = 0;
        for (int round = 0; round < ROUNDS; round++)
            found += run_marked(rows[i].fn, unit_get(rows[i].unit), op_infos[rows[i].op].shape, round);
        if (check(found == 0, "%s/%s in lanes branches on its operands, or makes addresses from them", unit,
                  op))
            (void)printf("%s/%s: memcheck, all operands secret, the source of the rows in lanes with "
                         "portable vectors\n",
                         unit, op);
    }
}

static void test_rows(void) {
    unsigned long tested = 0, vartime = 0, others = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        char name[64], reason[128];
        (void)snprintf(name, sizeof name, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                       limbic_isa_name(row->isa));
        if (op_infos[row->op].vartime) {
            vartime++;
            (void)printf("%-28s variable time by contract: no evidence needed\n", name);
        } else if (!limbic_row_usable(row)) {
            others++;
            limbic_row_reason(row, reason, sizeof reason);
            (void)printf("skip %-23s no evidence here: %s\n", name, reason);
            if (required(limbic_isa_name(row->isa)))
                check(0, "%s: required by LIMBIC_REQUIRE", name);
            else
                skipped++;
        } else {
            tested++;
            if (check(marked_row(row), "%s branches on its operands, or makes addresses from them", name))
                (void)printf("%-28s memcheck, all operands secret\n", name);
        }
    }
    (void)printf("rows: %lu under memcheck + %lu variable time + %lu not run == %zu\n", tested, vartime,
                 others, limbic_rows_count);
    check(tested + vartime + others == limbic_rows_count, "rows were lost");
}

/* ---- the test's own test: leaks that must be seen ---- */

static volatile uint64_t sink;
static const uint8_t table[256] = {1, 2, 3};

static uint64_t branches(uint64_t *r, const uint64_t *a) {
    if (a[0] & 1)
        sink++;
    r[0] = a[0];
    return 0;
}
static uint64_t indexes(uint64_t *r, const uint64_t *a) {
    r[0] = ((const volatile uint8_t *)table)[a[0] & 255];
    return 0;
}
#if defined(__x86_64__)
/* The same of a whole operand with the highest of its kind; many times over, to be seen on any machine. */
static uint64_t compares_all(uint64_t *r, const uint64_t *a) {
    const uint64_t *m = limbic_modulus(LIMBIC_UNIT_p521)->m;
    for (int times = 0; times < 32; times++) {
        uint64_t i = LIMBIC_MAX_LIMBS;
        while (i > 1 && ((const volatile uint64_t *)a)[i - 1] == m[i - 1])
            i--;
        r[0] = i;
    }
    return 0;
}
/* Of the highest of its kind, the inverse of 0, which takes no steps: how many others take differs, but not from all of them. */
static uint64_t inverts_next(uint64_t *r, const uint64_t *a) {
    static const uint64_t one[LIMBIC_MAX_LIMBS] = {1};
    uint64_t t[LIMBIC_MAX_LIMBS];
    limbic_p256_add_c(t, a, one);
    limbic_p256_inv_vartime_c(r, t);
    return 0;
}
#endif
static uint64_t compares(uint64_t *r, const uint64_t *a) {
    uint64_t i = 0;
    while (i < 4 && ((const volatile uint64_t *)a)[i] == i) /* as memcmp does */
        i++;
    r[0] = i;
    return 0;
}
static void test_controls(void) {
    static const struct {
        uint64_t (*fn)(uint64_t *, const uint64_t *);
        const char *name;
    } leaks[] = {{branches, "branches on a secret"},
                 {indexes, "indexes by a secret"},
                 {compares, "compares until unequal"}};
    const struct unit *u = unit_get(0);
    for (size_t i = 0; i < sizeof leaks / sizeof leaks[0]; i++) {
        const unsigned long found = run_marked((function *)(void (*)(void))leaks[i].fn, u, "ee", 2);
        if (check(found > 0, "control: a function that %s is not reported", leaks[i].name))
            (void)printf("control: a function that %s is reported\n", leaks[i].name);
    }
}

/*
 * ---- times: two classes of operands, one fixed and one random, come in random order through the same memory; Welch's t-test tells whether their
 * times differ (O. Reparaz, J. Balasch, I. Verbauwhede, "Dude, is my code constant time?", eprint 2016/1123). A difference counts if it shows itself
 * in every one of several runs. It finds leaks of some cycles. ----
 */
#if defined(__x86_64__)
enum { SETS = 64, RUNS = 4, SAMPLES_MIN = 2000, SAMPLES_MAX = 20000 };
static const double T_LIMIT = 10, SECONDS = 0.1;

static uint64_t ticks(void) {
    uint32_t low, high;
    __asm__ volatile("mfence\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Of the times up to a bound, class 0 against class 1. */
static double welch(const uint64_t *times, const uint8_t *class, size_t n, uint64_t bound) {
    double count[2] = {0}, mean[2] = {0}, squares[2] = {0};
    for (size_t i = 0; i < n; i++)
        if (times[i] <= bound) {
            const int c = class[i];
            const double x = (double)times[i], d = x - mean[c];
            mean[c] += d / ++count[c];
            squares[c] += d * (x - mean[c]);
        }
    if (count[0] < 100 || count[1] < 100)
        return 0;
    const double error = squares[0] / (count[0] - 1) / count[0] + squares[1] / (count[1] - 1) / count[1];
    return error > 0 ? (mean[0] - mean[1]) / sqrt(error) : 0;
}

/* The largest t of several bounds, which leave out by degrees what interrupts add. */
static double largest_t(function *fn, struct call *call, const struct call *sets, const uint8_t *set_class) {
    static uint64_t times[SAMPLES_MAX], sorted[SAMPLES_MAX];
    static uint8_t class[SAMPLES_MAX];
    static const double parts[] = {0.99, 0.9, 0.7, 0.4};
    double largest = 0;
    size_t n = 0;
    const clock_t end = clock() + (clock_t)(SECONDS * CLOCKS_PER_SEC);
    while (n < SAMPLES_MAX && (n < SAMPLES_MIN || clock() < end)) {
        const size_t i = (size_t)(next() >> 32) % SETS;
        memcpy(call, &sets[i], sizeof *call);
        const uint64_t begin = ticks();
        run(fn, call);
        times[n] = ticks() - begin;
        class[n++] = set_class[i];
    }
    memcpy(sorted, times, n * sizeof *times);
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double t = welch(times, class, n, sorted[(size_t)(parts[i] * (double)(n - 1))]);
        if (fabs(t) > fabs(largest))
            largest = t;
    }
    return largest;
}

/* The t of the first run below the limit, else the smallest of all; 0 for runs that contradict each other, which is noise. */
static double time_function(function *fn, const struct unit *u, const char *shape) {
    static struct call call, fixed, sets[SETS];
    uint8_t class[SETS]; /* 1: random */
    double smallest = 1e9;
    int above = 0, sign = 0;
    prepare(&call, u, shape, 1);
    fixed = call;
    for (size_t i = 0; i < SETS; i++)
        class[i] = i & 1;
    for (int attempt = 0; attempt < RUNS; attempt++) {
        for (size_t i = SETS; --i;) { /* what a set's place costs must not follow its class */
            const size_t j = (size_t)(next() >> 32) % (i + 1);
            const uint8_t c = class[i];
            class[i] = class[j];
            class[j] = c;
        }
        for (size_t i = 0; i < SETS; i++) {
            if (class[i])
                prepare(&call, u, shape, 2);
            sets[i] = class[i] ? call : fixed;
        }
        const double t = largest_t(fn, &call, sets, class);
        smallest = fabs(t) < fabs(smallest) ? t : smallest;
        if (fabs(t) < T_LIMIT)
            return t;
        above++;
        sign += t > 0 ? 1 : -1;
    }
    return abs(sign) == above ? smallest : 0;
}

static void test_times(void) {
    static const char hidden[][12] = {"avx512f", "shani"}; /* from Valgrind */
    uint64_t mask = 0;
    unsigned long timed = 0;
    struct unit mont;
    mpz_t m;
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
        for (size_t j = 0; j < sizeof hidden / sizeof hidden[0]; j++)
            if (!strcmp(limbic_feature_name(i), hidden[j]))
                mask |= UINT64_C(1) << i;
    mpz_init(m);
    for (int i = 0; i < MOST_LIMBS; i++) {
        mpz_mul_2exp(m, m, 64);
        mpz_add_ui(m, m, next());
    }
    mpz_setbit(m, 64 * MOST_LIMBS - 1);
    mpz_setbit(m, 0);
    unit_mont(&mont, m, MOST_LIMBS);
    mont.moduli = MODULI;
    mpz_clear(m);

    static const struct {
        function *fn;
        enum limbic_unit unit;
        const char *name;
    } controls[] = {
        {(function *)(void (*)(void))compares_all, LIMBIC_UNIT_p521, "a comparison that ends early"},
        {(function *)(void (*)(void))inverts_next, LIMBIC_UNIT_p256, "inv_vartime"}};
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        double t = 0;
        for (int attempt = 0; attempt < RUNS && fabs(t) < T_LIMIT; attempt++)
            t = time_function(controls[i].fn, unit_get(controls[i].unit), "ee");
        if (check(fabs(t) >= T_LIMIT, "control: %s is not seen, t %.1f", controls[i].name, t))
            (void)printf("control: %s is seen, t %.1f\n", controls[i].name, t);
    }

    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        char name[64], reason[128];
        if (!(row->need & mask) || op_infos[row->op].vartime)
            continue;
        (void)snprintf(name, sizeof name, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                       limbic_isa_name(row->isa));
        if (!limbic_row_usable(row)) {
            limbic_row_reason(row, reason, sizeof reason);
            (void)printf("skip %-28s no evidence here: %s\n", name, reason);
            if (required(limbic_isa_name(row->isa)))
                check(0, "%s: required by LIMBIC_REQUIRE", name);
            else
                skipped++;
            continue;
        }
        const struct unit *u = row->unit == LIMBIC_UNIT_mont ? &mont : unit_get(row->unit);
        const double t = time_function((function *)row->fn, u, op_infos[row->op].shape);
        timed++;
        if (check(fabs(t) < T_LIMIT, "%s: its time depends on its operands, t %.1f in each of %d runs", name,
                  t, RUNS))
            (void)printf("%-33s time, fixed against random operands: t %.1f\n", name, t);
    }
    (void)printf("%lu rows timed\n", timed);
    unit_mont_clear(&mont);
}
#endif

/* ---- public functions ---- */

/* Runs a statement whose inputs are marked and says whether memcheck was quiet. */
#define QUIET(statement, ...)                                                                                \
    do {                                                                                                     \
        const unsigned long before_ = errors();                                                              \
        statement;                                                                                           \
        check(errors() == before_, __VA_ARGS__);                                                             \
    } while (0)

/* The status of a call whose private inputs are marked must be defined: callers branch on it. */
#define SECRET_STATUS(want, call, ...)                                                                       \
    do {                                                                                                     \
        limbic_status status_ = LIMBIC_OK;                                                                   \
        QUIET(status_ = call, __VA_ARGS__);                                                                  \
        QUIET(check(status_ == (want), __VA_ARGS__), __VA_ARGS__);                                           \
    } while (0)
#define SECRET_CALL(call, ...) SECRET_STATUS(LIMBIC_OK, call, __VA_ARGS__)

#define W LIMBIC_MAX_LIMBS

#define FIELD_API(F)                                                                                         \
    static void api_##F(void) {                                                                              \
        uint64_t a[W], b[W], r[W], bit = next() & 1;                                                         \
        uint8_t bytes[8 * W];                                                                                \
        int eq = 0, zero = 0;                                                                                \
        operand(unit_get(LIMBIC_UNIT_##F), 'e', 2, a);                                                       \
        operand(unit_get(LIMBIC_UNIT_##F), 'e', 2, b);                                                       \
        LIMBIC_SECRET(a, sizeof a);                                                                          \
        LIMBIC_SECRET(b, sizeof b);                                                                          \
        LIMBIC_SECRET(&bit, sizeof bit);                                                                     \
        QUIET(limbic_##F##_add(r, a, b), "%s add", #F);                                                      \
        QUIET(limbic_##F##_sub(r, a, b), "%s sub", #F);                                                      \
        QUIET(limbic_##F##_neg(r, a), "%s neg", #F);                                                         \
        QUIET(limbic_##F##_mul(r, a, b), "%s mul", #F);                                                      \
        QUIET(limbic_##F##_sqr(r, a), "%s sqr", #F);                                                         \
        QUIET(limbic_##F##_inv(r, a), "%s inv", #F);                                                         \
        QUIET(limbic_##F##_to_residue(r, a), "%s to_residue", #F);                                           \
        QUIET(limbic_##F##_from_residue(r, a), "%s from_residue", #F);                                       \
        QUIET(limbic_##F##_to_bytes(bytes, a), "%s to_bytes", #F);                                           \
        /* what these answer is told; the rest is not */                                                     \
        QUIET(eq = limbic_##F##_from_bytes(r, bytes) == LIMBIC_OK, "%s from_bytes", #F);                     \
        QUIET(eq += limbic_##F##_sqrt(r, a), "%s sqrt", #F);                                                 \
        QUIET(sink += (uint64_t)(eq > 1), "%s: answers", #F);                                                \
        QUIET(limbic_##F##_select(r, bit, a, b), "%s select", #F);                                           \
        QUIET(eq = limbic_##F##_eq(a, b), "%s eq", #F);                                                      \
        QUIET(zero = limbic_##F##_is_zero(a), "%s is_zero", #F);                                             \
        sink += (uint64_t)(eq + zero);                                                                       \
    }
#define API_field(F) FIELD_API(F)
#define API_curve(F) FIELD_API(F)
#define API_mont(F)
#define API_hash(F)
#define API_gcd(F)
#define UNIT(name, class, limbs) API_##class(name)
#include "dispatch/ops.def"

static void test_field_api(void) {
#define CALL_field(F) api_##F();
#define CALL_curve(F) api_##F();
#define CALL_mont(F)
#define CALL_hash(F)
#define CALL_gcd(F)
#define UNIT(name, class, limbs) CALL_##class(name)
#include "dispatch/ops.def"
}

static void test_mont_api(void) {
    uint64_t m[W], a[W], b[W], r[W], storage[LIMBIC_MONT_STORAGE(W)], bit = 1;
    limbic_status status = LIMBIC_OK;
    limbic_mont x;
    int flag = 0;
    words_put(m, unit_get(LIMBIC_UNIT_p521n)->m, W);
    operand(unit_get(LIMBIC_UNIT_p521n), 'e', 2, a);
    operand(unit_get(LIMBIC_UNIT_p521n), 'e', 2, b);
    LIMBIC_SECRET(m, sizeof m);
    LIMBIC_SECRET(a, sizeof a);
    LIMBIC_SECRET(b, sizeof b);
    LIMBIC_SECRET(&bit, sizeof bit);
    QUIET(status = limbic_mont_init(&x, storage, m, W), "mont_init");
    LIMBIC_DECLASSIFY(&status, sizeof status);
    if (!check(status == LIMBIC_OK, "mont_init: %s", limbic_status_string(status)))
        return;
    QUIET(limbic_mont_add(r, a, b, &x), "mont_add");
    QUIET(limbic_mont_sub(r, a, b, &x), "mont_sub");
    QUIET(limbic_mont_neg(r, a, &x), "mont_neg");
    QUIET(limbic_mont_mul(r, a, b, &x), "mont_mul");
    QUIET(limbic_mont_sqr(r, a, &x), "mont_sqr");
    QUIET(limbic_mont_pow(r, a, b, 131, &x), "mont_pow");
    QUIET(limbic_mont_reduce(r, storage, 3 * W, &x), "mont_reduce");
    QUIET(status = limbic_mpn_sec_powm(r, storage, 3 * W, b, 131, m, W), "mpn_sec_powm");
    LIMBIC_DECLASSIFY(&status, sizeof status);
    check(status == LIMBIC_OK, "mpn_sec_powm: %s", limbic_status_string(status));
    QUIET(limbic_words_gcd_odd(r, a, m, W), "words_gcd_odd");
    QUIET(flag = limbic_mont_inv(r, a, &x), "mont_inv");
    sink += (uint64_t)flag;
    QUIET(limbic_mont_to_residue(r, a, &x), "mont_to_residue");
    QUIET(limbic_mont_from_residue(r, a, &x), "mont_from_residue");
    QUIET(limbic_mont_select(r, bit, a, b, &x), "mont_select");
    uint8_t bytes[8 * W];
    SECRET_CALL(limbic_mont_to_bytes(bytes, sizeof bytes, a, &x), "mont_to_bytes");
    SECRET_CALL(limbic_mont_from_bytes(r, bytes, sizeof bytes, &x), "mont_from_bytes");
    QUIET(flag = limbic_mont_eq(a, b, &x), "mont_eq");
    sink += (uint64_t)flag;
    QUIET(flag = limbic_mont_is_zero(a, &x), "mont_is_zero");
    sink += (uint64_t)flag;
}

static void test_curve(limbic_curve curve, const char *isa) {
    const size_t n = limbic_curve_bytes(curve);
    const char *name = limbic_curve_name(curve);
    uint8_t d[LIMBIC_MAX_BYTES], secret[LIMBIC_MAX_BYTES], point[LIMBIC_MAX_POINT_BYTES],
        out[LIMBIC_MAX_POINT_BYTES];
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[32];

    if (!check(limbic_ec_keygen(curve, d, n, point, 1 + 2 * n) == LIMBIC_OK, "%s %s keygen", name, isa))
        return;
    /* keygen marks its random bytes itself; what it gave is public here */
    LIMBIC_DECLASSIFY(point, sizeof point);
    SECRET_CALL(limbic_ec_keygen(curve, d, n, out, 1 + 2 * n), "%s %s keygen, marked", name, isa);
    memset(digest, 0x5a, sizeof digest);
    LIMBIC_SECRET(d, n);
    SECRET_CALL(limbic_ec_check_private(curve, d, n), "%s %s check_private", name, isa);
    SECRET_CALL(limbic_ec_public_key(curve, out, 1 + 2 * n, d, n), "%s %s public_key", name, isa);
    SECRET_CALL(limbic_ec_base_mul(curve, out, 1 + 2 * n, d, n), "%s %s base_mul", name, isa);
    SECRET_CALL(limbic_ec_mul(curve, out, 1 + 2 * n, d, n, point, 1 + 2 * n), "%s %s mul", name, isa);
    SECRET_CALL(limbic_ecdh(curve, secret, n, d, n, point, 1 + 2 * n), "%s %s ecdh", name, isa);
    if (limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, d, n, digest, sizeof digest,
                                        LIMBIC_HASH_DEFAULT) == LIMBIC_ERR_CURVE)
        return; /* no ECDSA on this curve */
    for (limbic_hash hash = LIMBIC_HASH_DEFAULT; hash <= LIMBIC_SHA512; hash++) {
        SECRET_CALL(limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, d, n, digest, sizeof digest, hash),
                    "%s %s sign_deterministic, hash %d", name, isa, (int)hash);
        SECRET_CALL(limbic_ecdsa_sign(curve, sig, 2 * n, d, n, digest, sizeof digest, hash),
                    "%s %s sign, hash %d", name, isa, (int)hash);
    }
}

/* Batches: an item that fails among those that do not; what comes out right. */
enum { ITEMS = 4, BAD = 1 };
#define ITEMS_ARE(items, bad, ...)                                                                           \
    for (size_t i_ = 0; i_ < ITEMS; i_++)                                                                    \
    QUIET(check((items)[i_].status == (i_ == BAD ? (bad) : LIMBIC_OK), __VA_ARGS__), __VA_ARGS__)

static void test_curve_batches(limbic_curve curve, const char *isa) {
    const size_t n = limbic_curve_bytes(curve);
    const char *name = limbic_curve_name(curve);
    static const uint8_t digest[32] = {0x5a};
    uint8_t d[ITEMS][LIMBIC_MAX_BYTES], point[ITEMS][LIMBIC_MAX_POINT_BYTES], out[ITEMS][LIMBIC_MAX_BYTES],
        sig[ITEMS][LIMBIC_MAX_SIGNATURE_BYTES];
    limbic_ec_keygen_item keys[ITEMS];
    limbic_ecdh_item secrets[ITEMS];
    limbic_ecdsa_sign_item signatures[ITEMS];

    for (size_t i = 0; i < ITEMS; i++)
        keys[i] = (limbic_ec_keygen_item){d[i], point[i], n - (i == BAD), 1 + 2 * n, LIMBIC_OK};
    SECRET_STATUS(LIMBIC_ERR_BATCH, limbic_ec_keygen_batch(curve, keys, ITEMS), "%s %s keygen_batch", name,
                  isa);
    ITEMS_ARE(keys, LIMBIC_ERR_LENGTH, "%s %s keygen_batch", name, isa);
    LIMBIC_DECLASSIFY(point, sizeof point);
    LIMBIC_DECLASSIFY(d, sizeof d);
    memset(d[BAD], 0, sizeof d[BAD]);
    LIMBIC_SECRET(d, sizeof d);
    for (size_t i = 0; i < ITEMS; i++) {
        secrets[i] = (limbic_ecdh_item){out[i], d[i], point[i ? 0 : 2], n, n, 1 + 2 * n, LIMBIC_OK};
        signatures[i] = (limbic_ecdsa_sign_item){sig[i], d[i], digest, 2 * n, n, sizeof digest, LIMBIC_OK};
    }
    SECRET_STATUS(LIMBIC_ERR_BATCH, limbic_ecdh_batch(curve, secrets, ITEMS), "%s %s ecdh_batch", name, isa);
    ITEMS_ARE(secrets, LIMBIC_ERR_PRIVATE_KEY, "%s %s ecdh_batch", name, isa);
    LIMBIC_DECLASSIFY(out, sizeof out);
    check(memcmp(out[0], out[2], n) == 0, "%s %s ecdh_batch: two secrets", name, isa);
    if (curve == LIMBIC_SM2)
        return;
    for (int hedged = 0; hedged < 2; hedged++) {
        SECRET_STATUS(
            LIMBIC_ERR_BATCH,
            hedged ? limbic_ecdsa_sign_batch(curve, signatures, ITEMS, LIMBIC_HASH_DEFAULT)
                   : limbic_ecdsa_sign_deterministic_batch(curve, signatures, ITEMS, LIMBIC_HASH_DEFAULT),
            "%s %s sign_batch, hedged %d", name, isa, hedged);
        ITEMS_ARE(signatures, LIMBIC_ERR_PRIVATE_KEY, "%s %s sign_batch, hedged %d", name, isa, hedged);
        LIMBIC_DECLASSIFY(sig, sizeof sig);
        check(limbic_ecdsa_verify(curve, sig[3], 2 * n, point[3], 1 + 2 * n, digest, 32) == LIMBIC_OK,
              "%s %s sign_batch: a signature", name, isa);
    }
}

/* Key files: der has one, with the marks that writing left; only the bytes of secret numbers are to have them. */
static void test_pem(const uint8_t *der, size_t n, const char *name) {
    static uint8_t pem[8192], back[4096];
    size_t pem_len = sizeof pem, len = sizeof back;
    LIMBIC_SECRET(der, n);
    SECRET_CALL(limbic_pem_encode(pem, &pem_len, "PRIVATE KEY", der, n), "%s pem_encode", name);
    SECRET_CALL(limbic_pem_decode(back, &len, pem, pem_len), "%s pem_decode", name);
    LIMBIC_DECLASSIFY(back, sizeof back);
    LIMBIC_DECLASSIFY(der, n);
    check(len == n && memcmp(back, der, n) == 0, "%s: PEM and back", name);
}

static void test_ec_files(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    const char *name = limbic_curve_name(curve);
    uint8_t d[LIMBIC_MAX_BYTES], back[LIMBIC_MAX_BYTES], point[LIMBIC_MAX_POINT_BYTES], der[512];
    if (!check(limbic_ec_keygen(curve, d, n, point, 1 + 2 * n) == LIMBIC_OK, "%s keygen", name))
        return;
    for (limbic_key_form form = LIMBIC_KEY_PKCS8; form <= LIMBIC_KEY_TRADITIONAL; form++) {
        size_t len = sizeof der, at = 0;
        LIMBIC_SECRET(d, n);
        SECRET_CALL(limbic_ec_private_to_der(curve, form, der, &len, d, n), "%s private_to_der", name);
        test_pem(der, len, name);
        LIMBIC_DECLASSIFY(d, n);
        while (at + n <= len && memcmp(der + at, d, n) != 0)
            at++;
        LIMBIC_SECRET(der + at, n);
        SECRET_CALL(limbic_ec_private_from_der(curve, back, n, der, len), "%s private_from_der", name);
        LIMBIC_DECLASSIFY(back, n);
        check(memcmp(back, d, n) == 0, "%s: DER and back", name);
    }
}

static void test_sm2_signatures(const char *isa, const uint8_t *d, const uint8_t *point) {
    uint8_t sig[LIMBIC_SM2_SIGNATURE_BYTES], e[32] = {3}, nonce[32] = {7};
    limbic_sm2_signer signer;
#define SIGNED(sign, ...)                                                                                    \
    do {                                                                                                     \
        SECRET_CALL(sign, __VA_ARGS__);                                                                      \
        LIMBIC_DECLASSIFY(sig, sizeof sig);                                                                  \
    } while (0)
    SIGNED(limbic_sm2_sign(sig, sizeof sig, d, 32, NULL, 0, e, sizeof e), "%s sm2_sign", isa);
    check(limbic_sm2_verify(sig, sizeof sig, point, 65, NULL, 0, e, sizeof e) == LIMBIC_OK,
          "%s sm2_sign: the signature", isa);
    SIGNED(limbic_sm2_sign_digest(sig, sizeof sig, d, 32, e, sizeof e), "%s sm2_sign_digest", isa);
    SECRET_CALL(limbic_sm2_signer_init(&signer, d, 32, NULL, 0), "%s sm2_signer_init", isa);
    SIGNED(limbic_sm2_signer_sign(&signer, sig, sizeof sig, e, sizeof e), "%s sm2_signer_sign", isa);
    SIGNED(limbic_sm2_signer_sign_digest(&signer, sig, sizeof sig, e, sizeof e), "%s sm2_signer_sign_digest",
           isa);
    check(limbic_sm2_verify_digest(sig, sizeof sig, point, 65, e, sizeof e) == LIMBIC_OK,
          "%s sm2_signer_sign_digest: the signature", isa);
    LIMBIC_SECRET(nonce, sizeof nonce);
    SIGNED(limbic_sm2_sign_digest_with_nonce(sig, sizeof sig, d, 32, e, sizeof e, nonce, sizeof nonce),
           "%s sm2_sign_digest_with_nonce", isa);
    QUIET(limbic_sm2_signer_wipe(&signer), "%s sm2_signer_wipe", isa);
}

/* Keys of all kinds; the last item is bad where an item can be. */
static void test_sm2_batches(const char *isa, const uint8_t *d, const uint8_t *point) {
    enum { LONG = 5000 };
    static uint8_t text[LONG], sealed[ITEMS][LONG + 256], out[ITEMS][LONG];
    uint8_t sig[ITEMS][LIMBIC_SM2_SIGNATURE_BYTES], e[32] = {3};
    limbic_sm2_signer signer;
    limbic_sm2_sign_item signatures[ITEMS];
    limbic_sm2_encrypt_item encrypt[ITEMS];
    limbic_sm2_decrypt_item decrypt[ITEMS];

    SECRET_CALL(limbic_sm2_signer_init(&signer, d, 32, NULL, 0), "%s sm2_signer_init", isa);
    for (size_t i = 0; i < ITEMS; i++) {
        signatures[i] = (limbic_sm2_sign_item){.sig = sig[i], .sig_len = sizeof sig[i] - (i == BAD)};
        if (i == 2)
            signatures[i].signer = &signer;
        else
            signatures[i].private_key = d, signatures[i].private_len = 32;
        if (i == 3)
            signatures[i].msg = e, signatures[i].msg_len = 32;
        else
            signatures[i].e = e, signatures[i].e_len = 32;
    }
    SECRET_STATUS(LIMBIC_ERR_BATCH, limbic_sm2_sign_batch(signatures, ITEMS), "%s sm2_sign_batch", isa);
    ITEMS_ARE(signatures, LIMBIC_ERR_LENGTH, "%s sm2_sign_batch", isa);
    LIMBIC_DECLASSIFY(sig, sizeof sig);
    for (size_t i = 0; i < ITEMS; i += 2)
        check(limbic_sm2_verify_digest(sig[i], 64, point, 65, e, 32) == LIMBIC_OK, "%s sm2_sign_batch: %zu",
              isa, i);
    check(limbic_sm2_verify(sig[3], 64, point, 65, NULL, 0, e, 32) == LIMBIC_OK,
          "%s sm2_sign_batch: a message", isa);

    memset(text, 0x3c, sizeof text);
    LIMBIC_SECRET(text, sizeof text);
    for (size_t i = 0; i < ITEMS; i++)
        encrypt[i] = (limbic_sm2_encrypt_item){sealed[i],          point,    text, sizeof sealed[i], 65,
                                               i ? 100 * i : LONG, LIMBIC_OK};
    SECRET_CALL(limbic_sm2_encrypt_batch(LIMBIC_SM2_DER, encrypt, ITEMS), "%s sm2_encrypt_batch", isa);
    LIMBIC_DECLASSIFY(sealed, sizeof sealed);
    sealed[BAD][encrypt[BAD].out_len - 1] ^= 1;
    for (size_t i = 0; i < ITEMS; i++)
        decrypt[i] = (limbic_sm2_decrypt_item){out[i], d, sealed[i], LONG, 32, encrypt[i].out_len, LIMBIC_OK};
    SECRET_STATUS(LIMBIC_ERR_BATCH, limbic_sm2_decrypt_batch(LIMBIC_SM2_DER, decrypt, ITEMS),
                  "%s sm2_decrypt_batch", isa);
    ITEMS_ARE(decrypt, LIMBIC_ERR_DECRYPT, "%s sm2_decrypt_batch", isa);
    LIMBIC_DECLASSIFY(out, sizeof out);
    LIMBIC_DECLASSIFY(text, sizeof text);
    check(memcmp(out[0], text, LONG) == 0 && memcmp(out[3], text, 300) == 0, "%s sm2_decrypt_batch: texts",
          isa);
}

/* Every form; one piece of text and more; a ciphertext as it was made, and one that was changed. */
static void test_sm2_cipher(const char *isa, const uint8_t *d, const uint8_t *point) {
    enum { LONG = 5000 };
    static const size_t lengths[] = {1, 33, 4096, LONG};
    static uint8_t msg[LONG], sealed[LONG + 256], out[LONG];
    for (limbic_sm2_form form = LIMBIC_SM2_C1C3C2; form <= LIMBIC_SM2_DER; form++)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            size_t n = sizeof sealed, m = sizeof out;
            for (size_t j = 0; j < LONG; j++)
                msg[j] = (uint8_t)j;
            LIMBIC_SECRET(msg, sizeof msg);
            SECRET_CALL(limbic_sm2_encrypt(form, sealed, &n, point, 65, msg, lengths[i]),
                        "%s sm2_encrypt, form %d, %zu bytes", isa, (int)form, lengths[i]);
            LIMBIC_DECLASSIFY(msg, sizeof msg);
            LIMBIC_DECLASSIFY(sealed, sizeof sealed);
            SECRET_CALL(limbic_sm2_decrypt(form, out, &m, d, 32, sealed, n),
                        "%s sm2_decrypt, form %d, %zu bytes", isa, (int)form, lengths[i]);
            QUIET(check(m == lengths[i], "sm2_decrypt: length"), "sm2_decrypt: length");
            LIMBIC_DECLASSIFY(out, sizeof out);
            check(memcmp(out, msg, m) == 0, "%s sm2_decrypt: another text", isa);
            sealed[n - 1] ^= 1;
            SECRET_STATUS(LIMBIC_ERR_DECRYPT, limbic_sm2_decrypt(form, out, &m, d, 32, sealed, n),
                          "%s sm2_decrypt, changed, form %d, %zu bytes", isa, (int)form, lengths[i]);
        }
}

static void test_sm2(const char *isa) {
    uint8_t d[2][32], point[2][65], key[2][48], proof[2][2][32];
    for (size_t i = 0; i < 2; i++) {
        if (!check(limbic_ec_keygen(LIMBIC_SM2, d[i], 32, point[i], 65) == LIMBIC_OK, "%s keygen", isa))
            return;
        LIMBIC_DECLASSIFY(point[i], sizeof point[i]);
        LIMBIC_SECRET(d[i], sizeof d[i]);
    }
    test_sm2_signatures(isa, d[0], point[0]);
    test_sm2_cipher(isa, d[0], point[0]);
    test_sm2_batches(isa, d[0], point[0]);
    /* a key pair of each side serves for the ephemeral one too */
    for (int i = 0; i < 2; i++) {
        const limbic_sm2_exchange x = {i, d[i], d[i], point[!i], point[!i], 65, 65, NULL, NULL, 0, 0};
        SECRET_CALL(limbic_sm2_exchange_key(&x, key[i], sizeof key[i], proof[i][0], proof[i][1]),
                    "%s sm2_exchange_key", isa);
    }
    SECRET_CALL(limbic_sm2_confirm(proof[0][1], proof[1][0], 32), "%s sm2_confirm", isa);
    SECRET_STATUS(LIMBIC_ERR_CONFIRM, limbic_sm2_confirm(proof[0][1], proof[0][0], 32), "%s sm2_confirm",
                  isa);
    LIMBIC_DECLASSIFY(key, sizeof key);
    check(memcmp(key[0], key[1], sizeof key[0]) == 0, "%s sm2_exchange_key: two keys", isa);
}

/* ---- what takes no curve ---- */

static void test_hashes(void) {
    uint8_t in[300], out[LIMBIC_MAX_DIGEST_BYTES], stream[96];
    struct limbic_hmac_ctx hmac;
    struct limbic_sm3_kdf kdf;
    LIMBIC_SECRET(in, sizeof in);
    for (limbic_hash hash = LIMBIC_SHA256; hash <= LIMBIC_SM3; hash++) {
        for (size_t n = 0; n <= sizeof in; n += 1 + n / 4)
            SECRET_CALL(limbic_digest(hash, out, limbic_hash_bytes(hash), in, n), "digest, hash %d",
                        (int)hash);
        QUIET(limbic_hmac_key(&hmac, hash, in, 200), "hmac_key, hash %d", (int)hash);
        QUIET(limbic_hmac_key(&hmac, hash, in, 32), "hmac_key, hash %d", (int)hash);
        QUIET(limbic_hmac_start(&hmac), "hmac_start, hash %d", (int)hash);
        QUIET(limbic_hmac_update(&hmac, in, 200), "hmac_update, hash %d", (int)hash);
        QUIET(limbic_hmac_final(&hmac, out), "hmac_final, hash %d", (int)hash);
    }
    enum { MANY = 23 };
    uint8_t digests[MANY * LIMBIC_MAX_DIGEST_BYTES], t[MANY * 66], x[MANY * 66];
    const void *at[MANY];
    size_t lengths[MANY];
    LIMBIC_SECRET(x, sizeof x);
    for (size_t i = 0; i < MANY; i++) {
        at[i] = in;
        lengths[i] = i * 71 % sizeof in;
    }
    for (limbic_hash hash = LIMBIC_SHA256; hash <= LIMBIC_SM3; hash++) {
        SECRET_CALL(limbic_digest_many(hash, digests, MANY * limbic_hash_bytes(hash), at, lengths, MANY),
                    "digest_many, hash %d", (int)hash);
        QUIET(limbic_rfc6979_many(hash, 521, MANY, x, x, in, 10, t), "rfc6979_many, hash %d", (int)hash);
    }
    QUIET(limbic_sm3_kdf_init(&kdf, in, 2), "sm3_kdf_init");
    QUIET(limbic_sm3_kdf_blocks(&kdf, stream, 1, 3), "sm3_kdf_blocks");
}

/* Lengths of whole digits and others, with the table of a short modulus and of a long one. */
static void test_powers(void) {
    enum { MOST = 72 };
    static const size_t lengths[] = {8, 16, 17, 65, MOST};
    uint64_t base[2 * MOST], e[MOST], m[MOST], r[MOST];
    for (size_t i = 0; i < 5; i++) {
        const size_t n = lengths[i];
        for (size_t j = 0; j < MOST; j++) {
            base[2 * j] = next();
            base[2 * j + 1] = next();
            e[j] = next();
            m[j] = next() | 1;
        }
        limbic_status status = LIMBIC_OK;
        limbic_mont x;
        uint64_t storage[LIMBIC_MONT_STORAGE(MOST)];
        LIMBIC_SECRET(base, sizeof base);
        LIMBIC_SECRET(e, sizeof e);
        LIMBIC_SECRET(m, sizeof m);
        SECRET_CALL(limbic_mpn_sec_powm(r, base, 2 * n, e, 300, m, n), "mpn_sec_powm, %zu words", n);
        QUIET(status = limbic_mont_init(&x, storage, m, n), "mont_init, %zu words", n);
        QUIET(limbic_mont_pow(r, base, e, 300, &x), "mont_pow, %zu words", n);
        QUIET(limbic_mont_pow(r, base, e, 23, &x), "mont_pow, %zu words, short exponent", n);
        check(status == LIMBIC_OK, "mont_init, %zu words", n);
    }
}

/* A private key whose secret parts are marked. */
enum { RSA_BITS = 2048, K = RSA_BITS / 8 };
struct rsa {
    const char *name;
    uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(RSA_BITS)];
};

/* All of the buffer but the header, n and e; of the header, -1/p and -1/q. */
static void mark_rsa(struct rsa *k) {
    struct limbic_rsa x;
    struct limbic_rsa_header *h = (struct limbic_rsa_header *)(void *)k->key;
    if (!check(limbic_rsa_open(&x, k->key, sizeof k->key, 1) == LIMBIC_OK, "%s: no key", k->name))
        return;
    LIMBIC_SECRET(x.d, (size_t)((const char *)(k->key + sizeof k->key / 8) - (const char *)x.d));
    LIMBIC_SECRET(&h->p0, sizeof h->p0);
    LIMBIC_SECRET(&h->q0, sizeof h->q0);
}

/* The numbers of a key, exported into bytes: 8 of them. Secret ones keep their marks. */
static limbic_rsa_numbers export_rsa(const struct rsa *k, uint8_t (*bytes)[K]) {
    limbic_rsa_number numbers[8];
    for (limbic_rsa_part part = LIMBIC_RSA_N; part <= LIMBIC_RSA_QINV; part++) {
        size_t n = K;
        SECRET_CALL(limbic_rsa_export(k->key, sizeof k->key, part, bytes[part - 1], &n), "%s export, part %d",
                    k->name, (int)part);
        numbers[part - 1] = (limbic_rsa_number){bytes[part - 1], n};
    }
    return (limbic_rsa_numbers){numbers[0], numbers[1], numbers[2], numbers[3],
                                numbers[4], numbers[5], numbers[6], numbers[7]};
}

static void test_rsa_signatures(const struct rsa *k) {
    const size_t len = sizeof k->key;
    uint8_t in[K], out[K], other[K], digest[32] = {5};
    for (size_t i = 0; i < K; i++)
        in[i] = (uint8_t)i;
    SECRET_CALL(limbic_rsa_private_op(k->key, len, out, K, in, K), "%s private_op", k->name);
    LIMBIC_DECLASSIFY(out, sizeof out);
    check(limbic_rsa_public_op(k->key, len, out, K, out, K) == LIMBIC_OK && memcmp(in, out, K) == 0,
          "%s private_op: another number", k->name);
    limbic_rsa_item items[2];
    for (size_t i = 0; i < 2; i++)
        items[i] = (limbic_rsa_item){k->key, in, i ? out : other, len, K, K, LIMBIC_OK};
    SECRET_CALL(limbic_rsa_private_op_batch(items, 2), "%s private_op_batch", k->name);
    LIMBIC_DECLASSIFY(out, sizeof out);
    check(limbic_rsa_public_op(k->key, len, out, K, out, K) == LIMBIC_OK && memcmp(in, out, K) == 0,
          "%s private_op_batch: another number", k->name);
    SECRET_CALL(limbic_rsa_sign_pkcs1(k->key, len, out, K, LIMBIC_SHA256, digest, 32), "%s sign_pkcs1",
                k->name);
    SECRET_CALL(limbic_rsa_sign_pss(k->key, len, out, K, LIMBIC_SHA256, LIMBIC_SM3, 32, digest, 32),
                "%s sign_pss", k->name);
    LIMBIC_DECLASSIFY(out, sizeof out);
    check(limbic_rsa_verify_pss(k->key, len, out, K, LIMBIC_SHA256, LIMBIC_SM3, 32, digest, 32) == LIMBIC_OK,
          "%s sign_pss: the signature", k->name);
}

static void test_rsa_oaep(const struct rsa *k) {
    static const size_t lengths[] = {0, 5, K - 66};
    const size_t len = sizeof k->key;
    uint8_t msg[K], seed[32], sealed[K], out[K];
    for (size_t i = 0; i < 3; i++) {
        size_t n = sizeof out;
        memset(msg, 7, sizeof msg);
        memset(seed, 9, sizeof seed);
        LIMBIC_SECRET(msg, sizeof msg);
        LIMBIC_SECRET(seed, sizeof seed);
        SECRET_CALL(limbic_rsa_encrypt_oaep_with_seed(k->key, len, sealed, K, LIMBIC_SHA256, LIMBIC_SM3, NULL,
                                                      0, msg, lengths[i], seed),
                    "%s encrypt_oaep", k->name);
        LIMBIC_DECLASSIFY(sealed, K);
        SECRET_CALL(
            limbic_rsa_decrypt_oaep(k->key, len, out, &n, LIMBIC_SHA256, LIMBIC_SM3, NULL, 0, sealed, K),
            "%s decrypt_oaep, %zu bytes", k->name, lengths[i]);
        QUIET(check(n == lengths[i], "decrypt_oaep: length"), "decrypt_oaep: length");
        LIMBIC_DECLASSIFY(out, sizeof out);
        LIMBIC_DECLASSIFY(msg, sizeof msg);
        check(memcmp(out, msg, lengths[i]) == 0, "%s decrypt_oaep: another text", k->name);
        n = sizeof out;
        SECRET_STATUS(LIMBIC_ERR_DECRYPT,
                      limbic_rsa_decrypt_oaep(k->key, len, out, &n, LIMBIC_SHA256, LIMBIC_SM3,
                                              (const uint8_t *)"x", 1, sealed, K),
                      "%s decrypt_oaep, another label", k->name);
        sealed[K - 1] ^= 1;
        SECRET_STATUS(
            LIMBIC_ERR_DECRYPT,
            limbic_rsa_decrypt_oaep(k->key, len, out, &n, LIMBIC_SHA256, LIMBIC_SM3, NULL, 0, sealed, K),
            "%s decrypt_oaep, changed", k->name);
    }
}

/* Blocks 00 02, bytes that are not 0, 00, message, and each fault: all give a message. */
static void test_rsa_pkcs1(const struct rsa *k) {
    static const struct {
        uint8_t first, second;
        size_t zero; /* where the 00 is; 0: nowhere */
        int good;
    } blocks[] = {{0, 2, 10, 1}, {0, 2, 100, 1}, {0, 2, K - 1, 1}, {0, 2, 9, 0},
                  {0, 2, 2, 0},  {0, 2, 0, 0},   {1, 2, 100, 0},   {0, 1, 100, 0}};
    const size_t len = sizeof k->key;
    uint8_t block[K], sealed[K], out[K];
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        size_t n = sizeof out;
        memset(block, 0x5a, sizeof block);
        block[0] = blocks[i].first;
        block[1] = blocks[i].second;
        if (blocks[i].zero)
            block[blocks[i].zero] = 0;
        check(limbic_rsa_public_op(k->key, len, sealed, K, block, K) == LIMBIC_OK, "%s public_op", k->name);
        SECRET_CALL(limbic_rsa_decrypt_pkcs1(k->key, len, out, &n, sealed, K), "%s decrypt_pkcs1, block %zu",
                    k->name, i);
        QUIET(check(!blocks[i].good || n == K - 1 - blocks[i].zero, "decrypt_pkcs1: length"),
              "decrypt_pkcs1: length");
    }
    memset(block, 1, sizeof block);
    LIMBIC_SECRET(block, sizeof block);
    SECRET_CALL(limbic_rsa_encrypt_pkcs1(k->key, len, sealed, K, block, 100), "%s encrypt_pkcs1", k->name);
}

/* Written in each form, and read again with the secret numbers marked: all that come after n and e. */
static void test_rsa_files(const struct rsa *k) {
    static uint8_t der[4096];
    static struct rsa back;
    uint8_t bytes[8][K];
    for (limbic_key_form form = LIMBIC_KEY_PKCS8; form <= LIMBIC_KEY_TRADITIONAL; form++) {
        size_t n = sizeof der;
        SECRET_CALL(limbic_rsa_private_to_der(form, der, &n, k->key, sizeof k->key), "%s private_to_der",
                    k->name);
        test_pem(der, n, k->name);
        const limbic_rsa_numbers x = export_rsa(k, bytes);
        const limbic_rsa_number numbers[] = {x.d, x.p, x.q, x.dp, x.dq, x.qinv};
        LIMBIC_DECLASSIFY(bytes, sizeof bytes);
        for (size_t i = 0, at = 0; i < 6; i++) {
            while (at + numbers[i].len <= n && memcmp(der + at, numbers[i].bytes, numbers[i].len) != 0)
                at++;
            if (!check(at + numbers[i].len <= n, "%s private_to_der: number %zu is missing", k->name, i))
                return;
            LIMBIC_SECRET(der + at, numbers[i].len);
            at += numbers[i].len;
        }
        SECRET_CALL(limbic_rsa_private_from_der(back.key, sizeof back.key, der, n), "%s private_from_der",
                    k->name);
    }
}

static void test_primes(const struct rsa *k, const uint64_t *p, uint64_t *composite) {
    limbic_status status;
    int answer = 0;
    /* all ours differ in is the rounds, which end at the answer for a composite number */
    for (int ours = 0; ours < 2; ours++) {
        QUIET(answer = limbic_rsa_probable_prime(p, 16, 1024, ours, &status), "probable_prime");
        QUIET(check(answer == 1 && status == LIMBIC_OK, "probable_prime"), "probable_prime");
        QUIET(answer = limbic_rsa_probable_prime(composite, 16, 1024, ours, &status), "probable_prime");
        QUIET(check(answer == 0 && status == LIMBIC_OK, "probable_prime"), "probable_prime");
    }
    SECRET_CALL(limbic_rsa_check(k->key, sizeof k->key), "%s check", k->name);
}

static void test_rsa(void) {
    static struct rsa built = {.name = "RSA"}, uneven = {.name = "RSA, p longer than q"},
                      bare = {.name = "RSA, d alone"}, made = {.name = "RSA, made"};
    const uint64_t e = 65537;
    uint64_t p[32], q[16];
    uint8_t bytes[8][K];
    const size_t len = sizeof built.key;

    limbic_rsa_selftest_primes(p, q);
    LIMBIC_SECRET(p, 8 * 16);
    LIMBIC_SECRET(q, sizeof q);
    SECRET_CALL(limbic_rsa_build(built.key, len, p, 16, q, 16, &e, 1), "rsa_build");
    mark_rsa(&built);
    test_rsa_signatures(&built);
    test_rsa_oaep(&built);
    test_rsa_pkcs1(&built);
    test_rsa_files(&built);
    q[0] ^= 4;
    test_primes(&built, p, q);

    /* d alone */
    limbic_rsa_numbers x = export_rsa(&built, bytes);
    x = (limbic_rsa_numbers){.n = x.n, .e = x.e, .d = x.d};
    SECRET_CALL(limbic_rsa_private_import(bare.key, len, &x), "%s import", bare.name);
    mark_rsa(&bare);
    test_rsa_signatures(&bare);
    test_rsa_pkcs1(&bare);
    SECRET_CALL(limbic_rsa_check(bare.key, len), "%s check", bare.name);

    /* 1348 and 700 bits */
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < 2; i++) {
        const unsigned long bits = i ? 700 : 1348;
        do {
            for (unsigned long n = 0; n < bits; n += 64) {
                mpz_mul_2exp(z, z, 64);
                mpz_add_ui(z, z, next());
            }
            mpz_fdiv_r_2exp(z, z, bits - 2);
            mpz_setbit(z, bits - 1);
            mpz_setbit(z, bits - 2);
            mpz_nextprime(z, z);
        } while (mpz_fdiv_ui(z, e) == 1);
        words_put(i ? q : p, z, i ? 11 : 22);
    }
    mpz_clear(z);
    LIMBIC_SECRET(p, sizeof p);
    LIMBIC_SECRET(q, sizeof q);
    SECRET_CALL(limbic_rsa_build(uneven.key, len, p, 22, q, 11, &e, 1), "%s build", uneven.name);
    x = export_rsa(&uneven, bytes); /* all eight numbers: all are checked */
    SECRET_CALL(limbic_rsa_private_import(uneven.key, len, &x), "%s import", uneven.name);
    mark_rsa(&uneven);
    test_rsa_signatures(&uneven);
    test_rsa_oaep(&uneven);

    SECRET_CALL(limbic_rsa_keygen(made.key, len, RSA_BITS, NULL, 0), "rsa_keygen");
    mark_rsa(&made);
    test_rsa_signatures(&made);
}

static void test_schemes(const char *isa) {
    test_field_api();
    test_mont_api();
    for (int i = 1; limbic_curve_bytes((limbic_curve)i) != 0; i++) {
        test_curve((limbic_curve)i, isa);
        test_curve_batches((limbic_curve)i, isa);
        test_ec_files((limbic_curve)i);
    }
    test_sm2(isa);
    (void)printf("%s: public functions under memcheck, keys and nonces secret\n", isa);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    oracle_init();
    if (!RUNNING_ON_VALGRIND) {
#if defined(__x86_64__)
        test_times();
#else
        (void)printf("skip: no row here that Valgrind can't execute; the rest is for valgrind -q "
                     "--error-limit=no <program>\n");
        skipped++;
#endif
        return closing();
    }
    test_controls();
    assume_what_runs();
    test_rows();
    test_lanes();
    each_isa(ENGINES, test_schemes);
    test_hashes();
    test_powers();
    test_rsa();
    return closing();
}
