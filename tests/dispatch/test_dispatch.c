/*
 * Detection from synthetic words, LIMBIC_CPU, the choice of rows, and the first use of the table by many
 * threads. What happens once per process runs in children: this program again, with a mode as its argument.
 */
#define _GNU_SOURCE /* pthread_barrier_t, mkstemp, readlink */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include "limbic/limbic.h"
#include "tests/check.h"

#define BIT(i) (UINT64_C(1) << (i))

/* ---- detection ---- */

enum { EAX, EBX, ECX, EDX };

static const struct feature_x86 {
    unsigned feature;
    unsigned leaf, subleaf, reg, bit;
    uint64_t xcr0;
} features_x86[] = {
#define FEATURE_X86(name, leaf, subleaf, reg, bit, xcr0)                                                     \
    {LIMBIC_FEATURE_##name, leaf, subleaf, reg, bit, xcr0},
#include "dispatch/features.def"
};
enum { X86 = sizeof features_x86 / sizeof features_x86[0] };

static uint32_t *word_of(struct limbic_cpuid *w, const struct feature_x86 *f) {
    uint32_t *leaf = f->leaf == 1 && f->subleaf == 0   ? w->leaf1
                     : f->leaf == 7 && f->subleaf == 0 ? w->leaf7
                     : f->leaf == 7 && f->subleaf == 1 ? w->leaf7_1
                                                       : NULL;
    if (!check(leaf != NULL, "%s: leaf %u.%u is not read", limbic_feature_name(f->feature), f->leaf,
               f->subleaf))
        exit(closing());
    return &leaf[f->reg];
}

/* A CPU and a system with everything. */
static struct limbic_cpuid everything(void) {
    struct limbic_cpuid w;
    memset(&w, 0, sizeof w);
    w.max_leaf = 7;
    w.leaf7[EAX] = 1; /* highest subleaf */
    w.xcr0 = 0xe7;
    w.leaf1[ECX] = (uint32_t)BIT(27); /* OSXSAVE */
    for (size_t i = 0; i < X86; i++)
        *word_of(&w, &features_x86[i]) |= (uint32_t)BIT(features_x86[i].bit);
    return w;
}

/* What the table says of these words. */
static void expect_x86(const struct limbic_cpuid *w, const char *what) {
    struct limbic_cpu got;
    limbic_features_x86(&got, w);
    uint64_t has = 0, enabled = 0;
    for (size_t i = 0; i < X86; i++) {
        const struct feature_x86 *f = &features_x86[i];
        struct limbic_cpuid copy = *w;
        if (f->leaf > w->max_leaf || (f->subleaf && f->subleaf > w->leaf7[EAX]) ||
            !(*word_of(&copy, f) >> f->bit & 1))
            continue;
        has |= BIT(f->feature);
        const uint64_t kept = w->leaf1[ECX] >> 27 & 1 ? w->xcr0 : 0;
        if ((f->xcr0 & ~kept) == 0)
            enabled |= BIT(f->feature);
    }
    check(got.has == has && got.enabled == enabled && got.off == 0,
          "%s: has %#llx enabled %#llx, not %#llx %#llx", what, (unsigned long long)got.has,
          (unsigned long long)got.enabled, (unsigned long long)has, (unsigned long long)enabled);
}

static void test_features_x86(void) {
    struct limbic_cpuid w = everything();
    struct limbic_cpu cpu;
    char what[80];
    uint64_t all = 0;

    for (size_t i = 0; i < X86; i++)
        all |= BIT(features_x86[i].feature);
    limbic_features_x86(&cpu, &w);
    check(cpu.has == all && cpu.enabled == all, "a CPU with everything");

    for (size_t i = 0; i < X86; i++) { /* one bit missing, one bit alone */
        const struct feature_x86 *f = &features_x86[i];
        w = everything();
        *word_of(&w, f) &= ~(uint32_t)BIT(f->bit);
        limbic_features_x86(&cpu, &w);
        check(cpu.has == (all & ~BIT(f->feature)) && cpu.enabled == cpu.has, "only %s missing",
              limbic_feature_name(f->feature));
        struct limbic_cpuid alone;
        memset(&alone, 0, sizeof alone);
        alone.max_leaf = 7;
        alone.leaf7[EAX] = 1;
        *word_of(&alone, f) |= (uint32_t)BIT(f->bit);
        limbic_features_x86(&cpu, &alone);
        check(cpu.has == BIT(f->feature) && cpu.enabled == (f->xcr0 ? 0 : cpu.has), "only %s, no OSXSAVE",
              limbic_feature_name(f->feature));
    }
    for (uint32_t leaf = 0; leaf < 8; leaf++) /* what lies above the highest leaf is not believed */
        for (uint32_t subleaf = 0; subleaf < 2; subleaf++) {
            w = everything();
            w.max_leaf = leaf;
            w.leaf7[EAX] = subleaf;
            (void)snprintf(what, sizeof what, "highest leaf %u.%u", leaf, subleaf);
            expect_x86(&w, what);
            limbic_features_x86(&cpu, &w);
            check(leaf > 0 || cpu.has == 0, "highest leaf 0 has nothing");
        }
    static const uint64_t xcr0[] = {0,    1,    2,    3,    4,    6,    7,    0x67,   0xa7,
                                    0xc7, 0xe0, 0xe1, 0xe2, 0xe4, 0xe6, 0xe7, 0x602e7};
    for (size_t i = 0; i < sizeof xcr0 / sizeof xcr0[0]; i++)
        for (int osxsave = 0; osxsave < 2; osxsave++) {
            w = everything();
            w.xcr0 = xcr0[i];
            if (!osxsave)
                w.leaf1[ECX] &= ~(uint32_t)BIT(27);
            (void)snprintf(what, sizeof what, "XCR0 %#llx, OSXSAVE %d", (unsigned long long)xcr0[i], osxsave);
            expect_x86(&w, what);
            limbic_features_x86(&cpu, &w);
            check(cpu.has == all, "%s: the CPU has it all the same", what);
        }
    /* The masks themselves, by the names of the manual: XMM and YMM for AVX, and opmask and ZMM for AVX-512.
     */
    for (size_t i = 0; i < X86; i++) {
        const char *name = limbic_feature_name(features_x86[i].feature);
        if (strncmp(name, "avx512", 6) == 0)
            check(features_x86[i].xcr0 == 0xe6, "%s needs XCR0 0xe6", name);
        else if (strncmp(name, "avx", 3) == 0)
            check(features_x86[i].xcr0 == 0x06, "%s needs XCR0 0x06", name);
    }
}

static void test_features_a64(void) {
    static const struct {
        unsigned feature, word, bit;
    } table[] = {
#define FEATURE_A64(name, word, bit) {LIMBIC_FEATURE_##name, word, bit},
#include "dispatch/features.def"
    };
    struct limbic_cpu cpu;
    uint64_t words[3] = {0, 0, 0}, all = 0;

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const uint64_t w1 = table[i].word == 1 ? BIT(table[i].bit) : 0,
                       w2 = table[i].word == 2 ? BIT(table[i].bit) : 0;
        words[table[i].word] |= BIT(table[i].bit);
        all |= BIT(table[i].feature);
        limbic_features_a64(&cpu, w1, w2);
        check(cpu.has == BIT(table[i].feature) && cpu.enabled == cpu.has && cpu.off == 0, "only %s",
              limbic_feature_name(table[i].feature));
        limbic_features_a64(&cpu, ~w1, ~w2);
        check(!(cpu.has >> table[i].feature & 1), "all but %s", limbic_feature_name(table[i].feature));
    }
    limbic_features_a64(&cpu, words[1], words[2]);
    check(cpu.has == all, "everything of AArch64");
    limbic_features_a64(&cpu, ~words[1], ~words[2]);
    check(cpu.has == 0, "nothing of AArch64 that the table has");
}

#if defined(__x86_64__)
#define FLAGS_KEY "flags"

/* Whether a line of /proc/cpuinfo has the name that CPUID gives. */
static int is_this_cpu(const char *line) {
    char name[52] = "";
    unsigned words[12];
    size_t n;
    for (unsigned i = 0; i < 3; i++)
        if (!__get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                         &words[4 * i + 3]))
            return 0;
    memcpy(name, words, sizeof words);
    const char *start = name + strspn(name, " ");
    for (n = strlen(start); n > 0 && start[n - 1] == ' '; n--)
        ;
    const char *colon = strchr(line, ':');
    return colon && strncmp(colon + 2, start, n) == 0;
}
#else
#define FLAGS_KEY "Features"
static int is_this_cpu(const char *line) {
    return line != NULL;
}
#endif

/* The kernel's own opinion, where it gives one: an independent reading of the same bits. */
static void test_cpuinfo(void) {
    static const char *const other_names[][2] = {
        {"x64", "lm"},          {"sse41", "sse4_1"},     {"shani", "sha_ni"}, {"ifma", "avx512ifma"},
        {"vbmi", "avx512vbmi"}, {"avxifma", "avx_ifma"}, {"a64", "fp"},       {"neon", "asimd"},
    };
    static const char *const unknown_to_it[] = {"sha512ni", "sm3ni"}; /* newer than some kernels */
    char line[8192], *flags = NULL;
    int this_cpu = 1; /* not so under an emulator: the file is the host's */
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file && !flags && fgets(line, sizeof line - 1, file))
        if (strncmp(line, "model name", 10) == 0)
            this_cpu = is_this_cpu(line);
        else if (strncmp(line, FLAGS_KEY, sizeof FLAGS_KEY - 1) == 0)
            flags = strchr(line, ':');
    if (file)
        (void)fclose(file);
    if (!flags || !strchr(flags, '\n') || !this_cpu) {
        skipped++;
        (void)printf("skip: /proc/cpuinfo has no line of flags of this CPU to compare with\n");
        return;
    }
    *strchr(flags, '\n') = ' ';
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++) {
        const char *word = limbic_feature_name(i);
        char padded[40];
        int compare = 1;
        for (size_t j = 0; j < sizeof unknown_to_it / sizeof unknown_to_it[0]; j++)
            compare &= strcmp(word, unknown_to_it[j]) != 0;
        for (size_t j = 0; j < sizeof other_names / sizeof other_names[0]; j++)
            if (strcmp(word, other_names[j][0]) == 0)
                word = other_names[j][1];
        (void)snprintf(padded, sizeof padded, " %s ", word);
        const int listed = strstr(flags, padded) != NULL, enabled = limbic_cpu()->enabled >> i & 1;
        if (compare)
            check(listed == enabled, "%s: /proc/cpuinfo says %d, the library %d", word, listed, enabled);
    }
}

/* ---- LIMBIC_CPU ---- */

static void expect_off(const char *text, uint64_t off, int unknown, const char *words) {
    char got_words[64] = "untouched";
    uint64_t got_off = ~UINT64_C(0);
    const int got = limbic_parse_off(&got_off, text, got_words, sizeof got_words);
    check(got == unknown && got_off == off && strcmp(got_words, words) == 0,
          "LIMBIC_CPU='%.80s': off %#llx, %d unknown '%s'; not %#llx, %d '%s'", text,
          (unsigned long long)got_off, got, got_words, (unsigned long long)off, unknown, words);
}

static void test_parse_off(void) {
    const uint64_t bmi2 = BIT(LIMBIC_FEATURE_bmi2), adx = BIT(LIMBIC_FEATURE_adx);
    uint64_t off, all = 0;
    char text[6000], small[8];

    expect_off("", 0, 0, "");
    expect_off(",", 0, 0, "");
    expect_off(" , ,, ", 0, 0, "");
    expect_off("-adx", adx, 0, "");
    expect_off("-adx,-bmi2", adx | bmi2, 0, "");
    expect_off("-adx,,-bmi2,", adx | bmi2, 0, "");
    expect_off(" -adx , -bmi2 ", adx | bmi2, 0, "");
    expect_off("-adx\t-bmi2", adx | bmi2, 0, "");
    expect_off("-adx,-adx", adx, 0, "");
    expect_off("+adx", 0, 1, "+adx");
    expect_off("adx", 0, 1, "adx");
    expect_off("--adx", 0, 1, "--adx");
    expect_off("-", 0, 1, "-");
    expect_off("-ADX", 0, 1, "-ADX");
    expect_off("-ad", 0, 1, "-ad");
    expect_off("-adx2", 0, 1, "-adx2");
    expect_off("-adx-bmi2", 0, 1, "-adx-bmi2");
    expect_off("-adx,no-such-word,-bmi2", adx | bmi2, 1, "no-such-word");
    expect_off("a,-adx,b", adx, 2, "a b");
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++) {
        (void)snprintf(text, sizeof text, "-%s", limbic_feature_name(i));
        expect_off(text, BIT(i), 0, "");
        all |= BIT(i);
    }
    text[0] = 0;
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s-%s", i ? "," : "",
                       limbic_feature_name(i));
    expect_off(text, all, 0, "");

    memset(text, 'x', sizeof text - 6);
    memcpy(text + sizeof text - 6, ",-adx", 6);
    for (size_t size = 0; size <= sizeof small; size++) {
        memset(small, '#', sizeof small);
        const int unknown = limbic_parse_off(&off, text, small, size);
        int right = unknown == 1 && off == adx;
        for (size_t i = 0; i < sizeof small; i++)
            right &= small[i] == (i + 1 < size ? 'x' : i + 1 == size ? 0 : '#');
        check(right, "a word of 5993 letters, %zu bytes for it", size);
    }
}

/* ---- selection and the registry ---- */

/* Copies the rows of (unit, op) into out; returns their number. */
static size_t group(struct limbic_row *out, unsigned unit, unsigned op) {
    size_t n = 0;
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_rows[i].unit == unit && limbic_rows[i].op == op && n < LIMBIC_ISAS)
            out[n++] = limbic_rows[i];
    return n;
}

static int has_class(unsigned unit, unsigned op) {
    const enum limbic_class c = limbic_unit_class(unit), o = limbic_op_class(op);
    return c == o || (c == LIMBIC_CLASS_curve && (o == LIMBIC_CLASS_field || o == LIMBIC_CLASS_lanes));
}

static void nothing(void) {}

static void test_select(void) {
    struct limbic_row rows[LIMBIC_ISAS], reversed[LIMBIC_ISAS];
    size_t total = 0;

    check(limbic_select(limbic_rows, 0, ~UINT64_C(0)) == NULL, "no rows: none is chosen");
    for (unsigned unit = 0; unit < LIMBIC_UNITS; unit++)
        for (unsigned op = 0; op < LIMBIC_OPS; op++) {
            const size_t n = group(rows, unit, op);
            const char *u = limbic_unit_name(unit), *o = limbic_op_name(op);
            unsigned bits[64], count = 0;
            uint64_t needs = 0;
            int portable = 0;

            total += n;
            check((n > 0) == has_class(unit, op), "%s/%s: %zu rows", u, o, n);
            if (n == 0)
                continue;
            for (size_t i = 0; i < n; i++) {
                const int c = rows[i].isa == LIMBIC_ISA_c;
                portable += c && rows[i].fn && rows[i].need == 0 && rows[i].rank == 0;
                check(c || (rows[i].need != 0 && rows[i].rank > 0), "%s/%s/%s: needs nothing or has rank 0",
                      u, o, limbic_isa_name(rows[i].isa));
                check(rows[i].need >> LIMBIC_FEATURES == 0, "%s/%s: needs an unknown feature", u, o);
                for (size_t j = 0; j < i; j++)
                    check(rows[i].rank != rows[j].rank && rows[i].isa != rows[j].isa,
                          "%s/%s: two rows of one rank or set", u, o);
                needs |= rows[i].need;
                if (!rows[i].fn) /* as if it were built: the choice does not depend on this machine */
                    rows[i].fn = nothing;
            }
            check(portable == 1, "%s/%s: %d portable rows of rank 0 that need nothing", u, o, portable);
            for (unsigned i = 0; i < LIMBIC_FEATURES; i++)
                if (needs >> i & 1)
                    bits[count++] = i;
            for (size_t i = 0; i < n; i++) {
                reversed[n - 1 - i] = rows[i];
                check(limbic_select(rows, n, rows[i].need) == &rows[i],
                      "%s/%s/%s: not chosen by what it needs", u, o, limbic_isa_name(rows[i].isa));
            }
            /* every set of the features that matter, and the rest all there or all missing */
            int same = 1;
            for (uint64_t set = 0; set < BIT(count); set++) {
                uint64_t mask = 0;
                const struct limbic_row *best = NULL;
                for (unsigned i = 0; i < count; i++)
                    mask |= (set >> i & 1) << bits[i];
                for (size_t i = 0; i < n; i++)
                    if ((rows[i].need & mask) == rows[i].need && (!best || rows[i].rank > best->rank))
                        best = &rows[i];
                const struct limbic_row *back = limbic_select(reversed, n, mask);
                same &= limbic_select(rows, n, mask) == best && limbic_select(rows, n, mask | ~needs) == best;
                same &= best && back && back->rank == best->rank;
            }
            check(same, "%s/%s: the choice is not the highest rank that can run", u, o);
            for (size_t i = 0; i < n; i++) {
                void (*fn)(void) = rows[i].fn;
                rows[i].fn = NULL;
                check(limbic_select(rows, n, ~UINT64_C(0)) != &rows[i],
                      "%s/%s: a row without a function is chosen", u, o);
                rows[i].fn = fn;
            }
        }
    check(total == limbic_rows_count, "%zu rows belong to a unit and an operation, of %zu", total,
          limbic_rows_count);
}

/* A known answer must tell right from wrong for every row that can run. */
static void test_known_answer(void) {
    unsigned long asked = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        struct limbic_row row = limbic_rows[i];
        if (!limbic_row_usable(&limbic_rows[i]))
            continue;
        asked++;
        check(limbic_known_answer(&row), "%s/%s/%s: known answer", limbic_unit_name(row.unit),
              limbic_op_name(row.op), limbic_isa_name(row.isa));
        row.fn = nothing;
        check(!limbic_known_answer(&row), "%s/%s/%s: a function that does nothing gives the known answer",
              limbic_unit_name(row.unit), limbic_op_name(row.op), limbic_isa_name(row.isa));
    }
    check(asked > 0, "no row can run");
}

/* Of rows of many points, one result at a time is spoilt: the answer tells each, so each lane. */
static struct limbic_row real;
static size_t spoilt;
static void spoil(uint64_t *r, size_t n) {
    if (spoilt < n)
        r[2 * limbic_unit_limbs(real.unit) * spoilt] ^= 1;
}
static void spoils_ks(uint64_t *r, const uint64_t *k, size_t n) {
    ((limbic_affs_ks *)real.fn)(r, k, n);
    spoil(r, n);
}
static void spoils_points(uint64_t *r, const uint64_t *k, const uint64_t *q, size_t n) {
    ((limbic_affs_ks_affs *)real.fn)(r, k, q, n);
    spoil(r, n);
}
static void spoils_sums(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q, size_t n) {
    ((limbic_affs_ks_ks_affs *)real.fn)(r, u, v, q, n);
    spoil(r, n);
}
static void spoils_prepared(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *const *t,
                            size_t n) {
    ((limbic_affs_ks_ks_tabs *)real.fn)(r, u, v, t, n);
    spoil(r, n);
}
static void test_known_answers_of_many(void) {
    for (size_t i = 0; i < limbic_rows_count; i++) {
        struct limbic_row row = limbic_rows[i];
        switch (row.op) {
        case LIMBIC_OP_curve_base_mul_many:
            row.fn = (void (*)(void))spoils_ks;
            break;
        case LIMBIC_OP_curve_point_mul_many:
            row.fn = (void (*)(void))spoils_points;
            break;
        case LIMBIC_OP_curve_double_mul_many_vartime:
            row.fn = (void (*)(void))spoils_sums;
            break;
        case LIMBIC_OP_curve_prepared_mul_many_vartime:
            row.fn = (void (*)(void))spoils_prepared;
            break;
        default:
            continue;
        }
        if (!limbic_row_usable(&limbic_rows[i]))
            continue;
        real = limbic_rows[i];
        const size_t lanes = row.isa == LIMBIC_ISA_ifma ? 9 : 3; /* one more than there are */
        for (spoilt = 0; spoilt <= lanes; spoilt++)
            check(limbic_known_answer(&row) == (spoilt == lanes), "%s/%s/%s: result %zu of %zu is spoilt",
                  limbic_unit_name(row.unit), limbic_op_name(row.op), limbic_isa_name(row.isa), spoilt,
                  lanes);
    }
}

/* Each part's table has the functions of the chosen rows of its operations, and portable ones of all others. */
static void test_parts(void) {
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        for (unsigned part = 0; part < LIMBIC_PARTS; part++) {
            const struct limbic_ops *t = limbic_ops_of((enum limbic_unit)row->unit, (enum limbic_part)part);
            void (*fn)(void) = NULL;
            switch (row->op) {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    case LIMBIC_OP_##class##_##name:                                                                         \
        fn = (void (*)(void))t->class##_##name;                                                              \
        break;
#include "dispatch/ops.def"
            default:
                break;
            }
            const int expected = limbic_op_part(row->op) == part ? limbic_row_state(row) == LIMBIC_ROW_chosen
                                                                 : row->isa == LIMBIC_ISA_c;
            check(row->fn ? (fn == row->fn) == expected : !expected, "%s/%s/%s in the table of part %u",
                  limbic_unit_name(row->unit), limbic_op_name(row->op), limbic_isa_name(row->isa), part);
        }
    }
}

/* ---- children ---- */

static const char *self;

/* Runs file mode with LIMBIC_CPU as given (NULL: unset); its output in out. Returns its exit code, or -1. */
static int child(const char *file, const char *mode, const char *words, char *out, size_t size) {
    int pipes[2], status;
    size_t used = 0;
    ssize_t got;
    if (pipe(pipes) != 0)
        return -1;
    (void)fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(pipes[1], 1);
        (void)close(pipes[0]);
        (void)close(pipes[1]);
        if (words)
            (void)setenv("LIMBIC_CPU", words, 1);
        else
            (void)unsetenv("LIMBIC_CPU");
        (void)execl(file, file, mode, (char *)NULL);
        _exit(127);
    }
    (void)close(pipes[1]);
    while (pid > 0 && used + 1 < size && (got = read(pipes[0], out + used, size - 1 - used)) > 0)
        used += (size_t)got;
    out[used] = 0;
    (void)close(pipes[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Mode chosen: AT_SECURE, the features, the unknown words, and of every row whether it is chosen and the
 * reason. */
static int mode_chosen(void) {
    char reason[128];
#if defined(__linux__)
    (void)printf("secure %lu\n", getauxval(AT_SECURE));
#endif
    (void)printf("enabled %llx off %llx\n", (unsigned long long)limbic_cpu()->enabled,
                 (unsigned long long)limbic_cpu()->off);
    (void)printf("unknown '%s' '%s'\n", limbic_cpu_unknown(), limbic_cpu_unknown_words());
    for (size_t i = 0; i < limbic_rows_count; i++) {
        limbic_row_reason(&limbic_rows[i], reason, sizeof reason);
        (void)printf("row %zu state %d: %s\n", i, (int)limbic_row_state(&limbic_rows[i]), reason);
    }
    return 0;
}

static int state_in(const char *out, size_t row) {
    char key[32];
    int state = -1;
    (void)snprintf(key, sizeof key, "row %zu state ", row);
    const char *p = strstr(out, key);
    if (p)
        state = (int)strtol(p + strlen(key), NULL, 10);
    return state;
}

enum { OUTPUT = 1 << 16 };
static char usual[OUTPUT], changed[OUTPUT];

static void test_environment(void) {
    char words[64];
    unsigned cleared = 0;

    check(child(self, "chosen", NULL, usual, OUTPUT) == 0 && strstr(usual, "unknown '' ''"), "no LIMBIC_CPU");
    for (unsigned f = 0; f < LIMBIC_FEATURES; f++) {
        (void)snprintf(words, sizeof words, "-%s", limbic_feature_name(f));
        if (!check(child(self, "chosen", words, changed, OUTPUT) == 0 && strstr(changed, "unknown '' ''"),
                   "LIMBIC_CPU=%s", words))
            continue;
        for (size_t i = 0; i < limbic_rows_count; i++) {
            const int needs = limbic_rows[i].need >> f & 1, before = state_in(usual, i),
                      after = state_in(changed, i);
            if (needs && (before == LIMBIC_ROW_chosen || before == LIMBIC_ROW_outranked)) {
                check(after == LIMBIC_ROW_switched_off, "LIMBIC_CPU=%s: row %zu is in state %d", words, i,
                      after);
                cleared++;
            } else if (needs || limbic_rows[i].isa != LIMBIC_ISA_c) {
                check(after == before || after == LIMBIC_ROW_chosen || after == LIMBIC_ROW_switched_off,
                      "LIMBIC_CPU=%s: row %zu went from state %d to %d", words, i, before, after);
            } else {
                check(after == LIMBIC_ROW_chosen || after == LIMBIC_ROW_outranked,
                      "LIMBIC_CPU=%s: portable row %zu is in state %d", words, i, after);
            }
        }
    }
    if (!cleared) {
        skipped++;
        (void)printf(
            "skip: no row but the portable ones runs here, so LIMBIC_CPU has nothing to switch off\n");
    }

    /* Unknown words are told and change nothing. */
    check(child(self, "chosen", "+adx,bogus,adx", changed, OUTPUT) == 0, "LIMBIC_CPU=+adx,bogus,adx");
    check(strstr(changed, "unknown '+adx bogus adx' '+adx bogus adx'") != NULL, "unknown words are told");
    const char *rows = strstr(usual, "row 0"), *rows_now = strstr(changed, "row 0");
    check(rows && rows_now && strcmp(rows, rows_now) == 0, "unknown words change nothing");

    /* All words of features that this CPU lacks, with a plus: nothing is switched on. */
    char plus[1024] = "";
    for (unsigned f = 0; f < LIMBIC_FEATURES; f++)
        (void)snprintf(plus + strlen(plus), sizeof plus - strlen(plus), "+%s,%s,", limbic_feature_name(f),
                       limbic_feature_name(f));
    check(child(self, "chosen", plus, changed, OUTPUT) == 0, "LIMBIC_CPU with every word and a plus");
    rows_now = strstr(changed, "row 0");
    check(rows && rows_now && strcmp(rows, rows_now) == 0, "LIMBIC_CPU can't switch on");
}

/* A program that runs with somebody else's rights does not listen to its environment. */
static void test_secure(void) {
    char path[] = "/tmp/limbic-dispatch-XXXXXX", buffer[1 << 16], words[LIMBIC_FEATURES * 16] = "";
    const char *why = NULL;
    ssize_t got;
    int to = -1;
    FILE *from = fopen(self, "rb");

    for (unsigned f = 0; f < LIMBIC_FEATURES; f++)
        (void)snprintf(words + strlen(words), sizeof words - strlen(words), "-%s,", limbic_feature_name(f));
    (void)snprintf(words + strlen(words), sizeof words - strlen(words), "bogus");
    if (geteuid() != 0)
        why = "it takes root to make a set-user-ID program";
    else if (!from || (to = mkstemp(path)) < 0)
        why = "no copy of this program";
    while (!why && (got = (ssize_t)fread(buffer, 1, sizeof buffer, from)) > 0)
        if (write(to, buffer, (size_t)got) != got)
            why = "no copy of this program";
    if (!why && (fchown(to, 65534, 65534) != 0 || fchmod(to, 06755) != 0))
        why = "no set-user-ID program can be made in /tmp";
    if (to >= 0)
        (void)close(to);
    if (from)
        (void)fclose(from);
    if (!why && child(path, "chosen", words, changed, OUTPUT) != 0)
        why = "it does not run";
    if (!why && !strstr(changed, "secure 1"))
        why = "the system did not set AT_SECURE (/tmp mounted nosuid?)";
    if (to >= 0)
        (void)unlink(path);
    if (why) {
        skipped++;
        (void)printf("skip: LIMBIC_CPU in a set-user-ID program: %s\n", why);
        return;
    }
    check(strstr(changed, " off 0\n") && strstr(changed, "unknown '' ''"),
          "a set-user-ID program listens to LIMBIC_CPU");
}

/* Whether a row, of an operation that comes later, calls what a wrong one stands for. */
static int made_of(const struct limbic_row *row, const struct limbic_row *wrong) {
    const enum limbic_class class = limbic_op_class(row->op);
    if (wrong->unit == LIMBIC_UNIT_gcd)
        return row->op == LIMBIC_OP_field_inv || row->op == LIMBIC_OP_field_inv_vartime;
    return row->unit == wrong->unit && row->op > wrong->op &&
           (class == LIMBIC_CLASS_curve || class == LIMBIC_CLASS_mont || class == LIMBIC_CLASS_hash);
}

/* Mode failing-UNIT: of the unit's first operation that has more than a portable row here, the row that would be chosen gets a wrong function, before
 * any use. It is left out, and so is what is made of it. */
static int mode_failing(const char *unit) {
    const long page = sysconf(_SC_PAGESIZE);
    char reason[128];
    struct limbic_row *row = NULL;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        struct limbic_row *r = (struct limbic_row *)(uintptr_t)&limbic_rows[i];
        if (strcmp(limbic_unit_name(r->unit), unit) == 0 && r->fn && r->isa != LIMBIC_ISA_c &&
            !(r->need & ~limbic_cpu()->enabled) &&
            (!row || r->op < row->op || (r->op == row->op && r->rank > row->rank)))
            row = r;
    }
    if (!row)
        return 2;
    __asm__("" : "+r"(row)); /* a store into a constant array would be optimised away */
    uint8_t *start = (uint8_t *)((uintptr_t)row / (uintptr_t)page * (uintptr_t)page);
    if (mprotect(start, (size_t)((uint8_t *)(row + 1) - start), PROT_READ | PROT_WRITE) != 0)
        return 3;
    row->fn = nothing;
    limbic_row_reason(row, reason, sizeof reason);
    if (limbic_row_state(row) != LIMBIC_ROW_failed || limbic_row_usable(row) ||
        strcmp(reason, "wrong known answer") != 0)
        return 4;
    int stands_in = 0;
    for (size_t j = 0; j < limbic_rows_count; j++) {
        const struct limbic_row *other = &limbic_rows[j];
        if (limbic_row_state(other) != LIMBIC_ROW_chosen)
            continue;
        stands_in |= other->unit == row->unit && other->op == row->op;
        if (made_of(other, row) && other->isa != LIMBIC_ISA_c)
            return 6;
    }
    return stands_in ? 0 : 5;
}

/* ---- first use by many threads ---- */

enum { THREADS = 16 };
static pthread_barrier_t start, end; /* end: with the main thread, in place of joining */
enum { TABLES = LIMBIC_UNITS * LIMBIC_PARTS };
static const struct limbic_ops *seen[THREADS][TABLES];
static struct limbic_ops copies[THREADS][TABLES];

static const struct limbic_ops *table(unsigned i) {
    return limbic_ops_of((enum limbic_unit)(i % LIMBIC_UNITS), (enum limbic_part)(i / LIMBIC_UNITS));
}

static void *first_use(void *arg) {
    const size_t id = (size_t)(uintptr_t)arg;
    (void)pthread_barrier_wait(&start);
    for (unsigned i = 0; i < TABLES; i++) {
        const unsigned which = (unsigned)(i + 5 * id) % TABLES;
        seen[id][which] = table(which);
        copies[id][which] = *seen[id][which];
    }
    (void)pthread_barrier_wait(&end);
    return NULL;
}

/* Detached: a child process has no threads to join. */
static int start_threads(void) {
    pthread_t thread;
    if (pthread_barrier_init(&start, NULL, THREADS) != 0 ||
        pthread_barrier_init(&end, NULL, THREADS + 1) != 0)
        return 0;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&thread, NULL, first_use, (void *)(uintptr_t)i) != 0 ||
            pthread_detach(thread) != 0)
            return 0;
    return 1;
}

/* Every operation of the unit's class has a function. */
static int complete(const struct limbic_ops *t, unsigned unit) {
    int ok = 1;
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    ok &= (t->class##_##name != NULL) == has_class(unit, LIMBIC_OP_##class##_##name);
#include "dispatch/ops.def"
    return ok;
}

static int mode_threads(void) {
    if (!start_threads())
        return 2;
    (void)pthread_barrier_wait(&end);
    for (unsigned which = 0; which < TABLES; which++)
        for (size_t i = 0; i < THREADS; i++)
            if (seen[i][which] != table(which) || !complete(seen[i][which], which % LIMBIC_UNITS) ||
                memcmp(&copies[i][which], seen[i][which], sizeof copies[0][0]) != 0)
                return 3;
    return 0;
}

/* Mode fork: forks while the threads are at it; a child uses every table. */
static int mode_fork(void) {
    int bad = 0;
    if (!start_threads())
        return 2;
    for (int i = 0; i < 24; i++) {
        const pid_t pid = fork();
        int status;
        if (pid == 0) {
            (void)alarm(60); /* a lock that nobody holds would wait for ever */
            for (unsigned which = 0; which < TABLES; which++)
                if (!complete(table(which), which % LIMBIC_UNITS))
                    _exit(3);
            _exit(0);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
            bad++;
    }
    (void)pthread_barrier_wait(&end);
    return bad ? 4 : 0;
}

int main(int argc, char **argv) {
    static char path[4096];
    if (argc == 2)
        return strcmp(argv[1], "chosen") == 0         ? mode_chosen()
               : strncmp(argv[1], "failing-", 8) == 0 ? mode_failing(argv[1] + 8)
               : strcmp(argv[1], "threads") == 0      ? mode_threads()
               : strcmp(argv[1], "fork") == 0         ? mode_fork()
                                                      : 2;
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    self = n > 0 ? path : argv[0];

    test_features_x86();
    test_features_a64();
    test_cpuinfo();
    test_parse_off();
    test_select();
    test_known_answer();
    test_known_answers_of_many();
    test_parts();
    if (child(self, "chosen", NULL, changed, OUTPUT) == 127) {
        skipped++;
        (void)printf(
            "skip: everything that takes a new process: this program can't start itself (an emulator?)\n");
        return closing();
    }
    test_environment();
    test_secure();
    for (int i = 0; i < 10; i++) {
        int code = child(self, "threads", NULL, changed, OUTPUT);
        check(code == 0, "first use by %d threads: code %d", THREADS, code);
        code = child(self, "fork", NULL, changed, OUTPUT);
        check(code == 0, "fork during first use: code %d", code);
    }
    static const char *const units[] = {"p256", "mont", "hash", "gcd"}; /* of each class */
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char mode[16];
        (void)snprintf(mode, sizeof mode, "failing-%s", units[i]);
        const int code = child(self, mode, NULL, changed, OUTPUT);
        if (code == 2) {
            skipped++;
            (void)printf(
                "skip: %s has no row here but the portable ones, so none can fail its known answer\n",
                units[i]);
        } else {
            check(code == 0, "%s: a row that fails its known answer is left out: code %d", units[i], code);
        }
    }
    return closing();
}
