/* Memory that libcrypto and the provider free is searched for a secret: CRYPTO_set_mem_functions(seen_malloc, seen_realloc, seen_free). Takes _GNU_SOURCE (memmem). */
#ifndef LIMBIC_TESTS_PROVIDER_FREED_H
#define LIMBIC_TESTS_PROVIDER_FREED_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In both orders of bytes. */
static uint8_t needle[2][66];
static size_t needle_len;
static atomic_ulong found;

static void *seen_malloc(size_t n, const char *file, int line) {
    size_t *p = n ? calloc(1, 16 + n) : NULL; /* with nothing of what was freed before */
    (void)file;
    (void)line;
    if (!p)
        return NULL;
    *p = n;
    return p + 16 / sizeof *p;
}

static void seen_free(void *p, const char *file, int line) {
    size_t *head = p;
    (void)file;
    (void)line;
    if (!p)
        return;
    head -= 16 / sizeof *head;
    if (needle_len && (memmem(p, *head, needle[0], needle_len) || memmem(p, *head, needle[1], needle_len)))
        atomic_fetch_add(&found, 1);
    free(head);
}

static void *seen_realloc(void *p, size_t n, const char *file, int line) {
    size_t *head = p;
    void *q;
    if (!n) {
        seen_free(p, file, line);
        return NULL;
    }
    q = seen_malloc(n, file, line);
    if (q && p) {
        head -= 16 / sizeof *head;
        memcpy(q, p, *head < n ? *head : n);
        seen_free(p, file, line);
    }
    return q;
}

#endif
