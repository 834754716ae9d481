/*
 * A C interface to Google Benchmark, and the clock of core cycles. bench/shim.cc is the only C++ of the tree.
 *
 * Rows of one group are compared with each other. bench_run samples one group after the other, the
 * repetitions of its rows in random turn (--benchmark_enable_random_interleaving of one run of the library
 * per group), so that samples to compare are neighbours, a fraction of a second apart: over all rows at once
 * the library would shuffle them seconds or minutes apart. Each sample also has the counter `at`, its time in
 * seconds, by which a report finds the neighbours.
 */
#ifndef LIMBIC_BENCH_SHIM_H
#define LIMBIC_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench_row {
    char name[96];
    char group[64];
    void (*before)(void *arg);           /* runs before each sample, not timed; may be NULL */
    void (*fn)(void *arg, size_t count); /* the operation, count times */
    void *arg;
    int cold; /* caches are emptied before each operation */
    /* Not 0: the duration of an operation is random (a search for primes). A sample is so many operations, and means tell, not medians. */
    unsigned batch;
    unsigned items; /* that fn does in one operation (0: 1); rates and cycles are those of one */
    /* Not 0: this many processes do it at once, each on a processor and with memory of its own; the rate is that of all. */
    unsigned threads;
};

/* main.c's own flags: threads, and the page that is asked for instead of a run of the rows. */
struct bench_page {
    unsigned threads; /* 0: no rows of several */
    int sm2_rsa, json;
    unsigned rounds;
    const char *isa, *bcprov;
};

/* Takes Google Benchmark's flags; those in argv win over the defaults of this program. Does not return for
 * --help and for flags that nobody knows. */
void bench_init(int argc, char **argv, struct bench_page *page);
/* Adds a copy of the row, if the filter lets its name through. */
void bench_add(const struct bench_row *row);
/* The row of that name, or NULL; row i, or NULL. */
const struct bench_row *bench_find(const char *name);
const struct bench_row *bench_row_at(size_t i);
/* Adds to the context in the JSON file. */
void bench_context(const char *key, const char *value);
/* Names a row that can't run here; the filter applies. */
void bench_not_run(const char *name, const char *reason);
/* To be called by fn: this sample, and with it the program, has failed. message must stay. */
void bench_fail(const char *message);
/* That message, once; NULL if fn did not fail. */
const char *bench_failure(void);
/* Runs everything; returns the exit code. */
int bench_run(void);

/* Keeps this process on the processor on which it runs: its number, or -1 where that can't be done. */
int bench_pin(void);
/* How many processors this process might use before that. */
unsigned bench_processors(void);
/* Runs fn count times in row->threads processes at once, each on a processor of its own: the seconds from the first one's begin to the
 * last one's end. */
double bench_together(const struct bench_row *row, size_t count);

/* What disturbed the run since bench_quiet_start, in words, with how the samples came out: shares of the processor and clock (GHz) of each
 * sample, and spreads of rows. Empty if nothing did. */
void bench_quiet_start(void);
void bench_quiet_end(char *out, size_t size);

/* Time stamp counter, and the core cycles that pass in one of its ticks now: a chain of dependent
 * operations of known latency is timed. 0 where there is no such counter. */
uint64_t bench_ticks(void);
double bench_cycles_per_tick(void);
/* The frequency of the counter. */
double bench_ticks_per_second(void);
/* Reads more memory than the first and second cache levels hold. */
void bench_evict(void);

#ifdef __cplusplus
}
#endif

#endif
