/* limbic-bench: rows from the registry, context, run. */
#include "bench.h"

#include "field/modulus.h"
#include "limbic/limbic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void bench_die(const char *what) {
    fprintf(stderr, "limbic-bench: %s\n", what);
    exit(1);
}

void *bench_alloc(size_t bytes) {
    size_t size = (bytes + 63) / 64 * 64;
    void *p = aligned_alloc(64, size);
    if (!p)
        bench_die("out of memory");
    return memset(p, 0, size);
}

void bench_format(char *out, size_t size, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(out, size, format, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= size)
        bench_die("a name is too long");
}

void bench_random(uint64_t *r, size_t words) {
    static uint64_t x = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < words; i++) { /* xorshift64* */
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        r[i] = x * 0x2545f4914f6cdd1d;
    }
}

uint64_t bench_top_mask(const uint64_t *m, size_t limbs) {
    uint64_t mask = UINT64_MAX;
    while (mask >= m[limbs - 1] && mask)
        mask >>= 1;
    return mask;
}

void bench_random_below(uint64_t *r, const uint64_t *m, size_t limbs) {
    bench_random(r, limbs);
    r[limbs - 1] &= bench_top_mask(m, limbs);
}

const struct bench_field *bench_field(size_t i) {
    /* the primes of RSA-2048, 3072 and 4096 */
    static const unsigned mont_bits[] = {1024, 1536, 2048};
    static struct bench_field fields[LIMBIC_UNITS + sizeof mont_bits / sizeof *mont_bits];
    static size_t count;
    if (!count) {
        for (unsigned u = 0; u < LIMBIC_UNITS; u++) {
            enum limbic_class class = limbic_unit_class(u);
            if (class == LIMBIC_CLASS_field || class == LIMBIC_CLASS_curve) {
                struct bench_field *f = &fields[count++];
                bench_format(f->name, sizeof f->name, "%s", limbic_unit_name(u));
                f->unit = u;
                f->limbs = limbic_unit_limbs(u);
                f->m = limbic_modulus((enum limbic_unit)u)->m;
            }
        }
        for (size_t k = 0; k < sizeof mont_bits / sizeof *mont_bits; k++) {
            struct bench_field *f = &fields[count++];
            bench_format(f->name, sizeof f->name, "mont%u", mont_bits[k]);
            f->unit = LIMBIC_UNIT_mont;
            f->limbs = mont_bits[k] / 64;
            uint64_t *m = bench_alloc(f->limbs * sizeof *m);
            bench_random(m, f->limbs);
            m[0] |= 1;
            m[f->limbs - 1] |= (uint64_t)1 << 63;
            f->m = m;
        }
    }
    return i < count ? &fields[i] : NULL;
}

/* Why rows of other instruction sets don't run: each reason once. */
static void left_out(unsigned unit) {
    char key[32], one[96], text[512] = "";
    const char *last = "";
    size_t used = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        const char *isa = limbic_isa_name(row->isa);
        if (row->unit != unit || limbic_row_usable(row) || !strcmp(isa, last) || strstr(text, isa))
            continue;
        last = isa;
        limbic_row_reason(row, one, sizeof one);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s", used ? "; " : "", isa, one);
    }
    bench_format(key, sizeof key, "left out %s", limbic_unit_name(unit));
    if (used)
        bench_context(key, text);
}

static void context(int cpu) {
    char text[512];
    bench_machine();
    limbic_cpu_features(text, sizeof text);
    bench_context("cpu_features", text);
    snprintf(text, sizeof text, "%.3f", bench_cycles_per_tick() * bench_ticks_per_second() * 1e-9);
    bench_context("clock_ghz", text);
    bench_context("limbic_version", limbic_version());
    bench_context("commit", BENCH_COMMIT);
#ifdef __clang__
    bench_context("compiler", "clang " __clang_version__);
#else
    bench_context("compiler", "gcc " __VERSION__);
#endif
    bench_context("flags", BENCH_FLAGS);
    snprintf(text, sizeof text, "%d", cpu);
    bench_context("pinned_to_cpu", cpu < 0 ? "none" : text);
    for (unsigned u = 0; u < LIMBIC_UNITS; u++) {
        char key[32];
        size_t used = 0;
        (void)limbic_ops((enum limbic_unit)u);
        text[0] = 0;
        for (size_t i = 0; i < limbic_rows_count; i++) {
            const struct limbic_row *row = &limbic_rows[i];
            if (row->unit == u && limbic_row_state(row) == LIMBIC_ROW_chosen && used < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "",
                                         limbic_op_name(row->op), limbic_isa_name(row->isa));
        }
        bench_format(key, sizeof key, "chosen %s", limbic_unit_name(u));
        bench_context(key, text);
        left_out(u);
    }
#if !BENCH_OPENSSL
    bench_not_run("peer/openssl", "built without OpenSSL's headers");
#endif
#if !BENCH_GMP
    bench_not_run("peer/gmp", "built without GMP's headers");
#endif
}

int main(int argc, char **argv) {
    struct bench_page page = {.rounds = 30, .bcprov = "/usr/share/java/bcprov.jar"};
    bench_init(argc, argv, &page);
    context(bench_pin());
    bench_schemes();
    bench_sm2_rsa();
#if BENCH_OPENSSL
    bench_peers_openssl();
    bench_peers_openssl_sm2_rsa();
#endif
    if (page.sm2_rsa)
        return bench_compare(&page);
    bench_threads(page.threads);
    bench_kernels();
#if BENCH_GMP
    bench_peers_gmp();
#endif
    return bench_run();
}
