/* What the files of the benchmark share. */
#ifndef LIMBIC_BENCH_BENCH_H
#define LIMBIC_BENCH_BENCH_H

#include "dispatch/dispatch.h"
#include "shim.h"

/* The fields whose products are measured: every fixed one of the registry, and moduli of run-time length. */
struct bench_field {
    char name[16];
    unsigned unit; /* enum limbic_unit */
    size_t limbs;
    const uint64_t *m;
};
/* Entry i, or NULL. */
const struct bench_field *bench_field(size_t i);

/* Deterministic words; the second kind stays below the modulus m. */
void bench_random(uint64_t *r, size_t words);
void bench_random_below(uint64_t *r, const uint64_t *m, size_t limbs);
/* All ones below the highest bit of m's top word: a mask that brings any top word below it. */
uint64_t bench_top_mask(const uint64_t *m, size_t limbs);
/* Zeroed memory aligned to a cache line, never freed; ends the program if there is none. */
void *bench_alloc(size_t bytes);
/* Ends the program with a message. */
_Noreturn void bench_die(const char *what);

/* Fills row's strings from formats. */
#define BENCH_NAME(row, ...)  bench_format((row)->name, sizeof(row)->name, __VA_ARGS__)
#define BENCH_GROUP(row, ...) bench_format((row)->group, sizeof(row)->group, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void bench_format(char *out, size_t size, const char *format, ...);

/* Add their rows. */
void bench_kernels(void);
void bench_schemes(void);
void bench_peers_openssl(void);
void bench_peers_gmp(void);

#endif
