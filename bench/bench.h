/* What the files of the benchmark share. */
#ifndef LIMBIC_BENCH_BENCH_H
#define LIMBIC_BENCH_BENCH_H

#include "dispatch/dispatch.h"
#include "limbic/limbic.h"
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

/* An operation of the public interface under an instruction set. */
struct bench_scheme {
    const char *isa; /* NULL: the library's choice */
    limbic_status (*fn)(void *keys);
    void *keys;
    void (*make)(void *keys); /* runs before each sample, to make them once; may be NULL */
    unsigned items;           /* that fn does at once; 0: 1 */
};
/* Items of the rows _batch64, whose figures are those of one item. */
enum { BENCH_BATCH = 64 };
/* Adds the row scheme/<scheme>/<op>/<isa|auto>; group: the operation that it is compared with. */
void bench_add_scheme(const char *scheme, const char *op, const char *group, struct bench_scheme s, int cold,
                      unsigned batch);
/* Whether an instruction set (LIMBIC_ISAS: the library's choice) has rows of its own for what schemes take from a unit: an engine of the
 * curve, products of mont, SM3 of hash. If it has but they can't run here, the scheme is named with the reason (unless it
 * is NULL). */
int bench_runs(const char *scheme, unsigned unit, unsigned isa);

/* Message lengths that encryption is measured with. */
enum { BENCH_TEXTS = 4 };
extern const struct bench_text {
    char name[8];
    size_t bytes;
} bench_texts[BENCH_TEXTS];

/* Bytes that this process has asked the heap for so far. bench_heap_counts: whether that is known here. */
uint64_t bench_heap(void);
int bench_heap_counts(void);

/* BouncyCastle in a Java process of its own, on the operations that Limbic's rows name. */
/* 1, and its version; or 0, and the reason in words. */
int bench_bouncy_start(const char *jar, char *text, size_t size);
/* Runs op of scheme count times: its processor time in seconds (the whole process's: with garbage collection) and heap bytes. 0 if it fails, or
 * does not have it. */
int bench_bouncy_run(const char *scheme, const char *op, size_t count, double *seconds, double *heap);
void bench_bouncy_stop(void);

/* "OpenSSL 3.0.22" */
const char *bench_openssl_version(void);

/* Prints the page SM2 against RSA-2048 out of the rows that have been added; returns the exit code. */
int bench_compare(const struct bench_page *page);

/* The processor; all that is known of the machine, into the context. */
void bench_cpu_model(char *out, size_t size);
void bench_machine(void);
/* Puts a process beside the first on a processor that neither bench_pin nor a member before it took; member counts from 1. */
void bench_pin_member(unsigned member);
/* Processor seconds that those processes spent. */
double bench_together_seconds(void);

/* Add their rows. */
void bench_kernels(void);
void bench_schemes(void);
/* Of rows that are there already, for 1, 2, 4 ... and that many processes at once. */
void bench_threads(unsigned most);
void bench_sm2_rsa(void);
void bench_peers_openssl(void);
void bench_peers_openssl_sm2_rsa(void);
void bench_peers_gmp(void);

/* The many digests of one operation: messages of lengths without an order, 0 to 1008 bytes. */
#define BENCH_MANY           64
#define BENCH_MANY_BYTES     1024
#define BENCH_MANY_LENGTH(i) ((i)*37 % BENCH_MANY * 16)

#endif
