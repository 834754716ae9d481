/*
 * limbic-count REGEX: the rows of limbic-bench whose names match, counted instead of timed. An AArch64 program for qemu's user mode with the
 * plugin count_plugin.c, which sees each call of bench_mark and writes the instructions since the last one behind the row's name: a line is
 * "row NAME ITEMS BEFORE COUNT COUNT ..." (BEFORE: since the row before). It stands for shim.cc.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 1024, WARM = 2, COUNTS = 5 };

static struct bench_row rows[ROWS];
static size_t rows_count;
static regex_t filter;
static const char *failure;

/* Its address is the plugin's argument. */
void bench_mark(void);
__attribute__((noinline)) void bench_mark(void) {
    __asm__ volatile("" : : : "memory");
}

/* Those that are random, or emptied caches, have no count. */
void bench_add(const struct bench_row *row) {
    if (row->batch || row->cold || regexec(&filter, row->name, 0, NULL, 0) != 0)
        return;
    if (rows_count == ROWS)
        bench_die("too many rows");
    rows[rows_count++] = *row;
}
const struct bench_row *bench_find(const char *name) {
    for (size_t i = 0; i < rows_count; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}
void bench_context(const char *key, const char *value) {
    printf("context %s %s\n", key, value);
}
void bench_not_run(const char *name, const char *reason) {
    if (regexec(&filter, name, 0, NULL, 0) == 0)
        printf("skip %s: %s\n", name, reason);
}
void bench_fail(const char *message) {
    failure = message;
}

int main(int argc, char **argv) {
    char text[512];
    if (argc != 2 || regcomp(&filter, argv[1], REG_EXTENDED | REG_NOSUB) != 0)
        bench_die("the argument is a regular expression for the names of rows");
    limbic_cpu_features(text, sizeof text);
    bench_context("cpu_features", text);
    bench_context("limbic_version", limbic_version());
    bench_context("compiler", "gcc " __VERSION__);
    bench_schemes();
    bench_sm2_rsa();
#if BENCH_OPENSSL
    bench_peers_openssl();
    bench_peers_openssl_sm2_rsa();
#else
    bench_not_run("peer/openssl", "built without OpenSSL's library");
#endif
    for (size_t i = 0; i < rows_count && !failure; i++) {
        struct bench_row *row = &rows[i];
        if (row->before)
            row->before(row->arg);
        row->fn(row->arg, WARM);
        printf("row %s %u", row->name, row->items ? row->items : 1);
        fflush(stdout);
        bench_mark();
        for (unsigned k = 0; k < COUNTS; k++) {
            row->fn(row->arg, 1);
            bench_mark();
        }
        puts("");
        fflush(stdout);
    }
    if (failure)
        bench_die(failure);
    return 0;
}
