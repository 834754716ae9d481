/* What the tests of the provider in C share: its counters, a configuration, and freed memory searched for a secret. Takes _GNU_SOURCE (memmem). */
#ifndef LIMBIC_TESTS_PROVIDER_SHARED_H
#define LIMBIC_TESTS_PROVIDER_SHARED_H

#include "tests/check.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static OSSL_PROVIDER *limbic; /* whose counters are asked for */

static unsigned long long number(const char *name) {
    uint64_t n = 0;
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_uint64(name, &n), OSSL_PARAM_construct_end()};
    check(OSSL_PROVIDER_get_params(limbic, params) == 1, "parameter %s", name);
    return (unsigned long long)n;
}

static unsigned long long count(const char *what) {
    char name[40];
    (void)snprintf(name, sizeof name, "limbic-count-%s", what);
    return number(name);
}

/* A context of the default provider and ours, by a configuration with a setting for it. */
static OSSL_LIB_CTX *configured(const char *module, const char *setting) {
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    char path[] = "/tmp/limbic-provider-XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!check(f != NULL, "a configuration in /tmp"))
        exit(closing());
    (void)fprintf(f,
                  "openssl_conf = init\n[init]\nproviders = all\nalg_section = algorithms\n"
                  "[algorithms]\ndefault_properties = ?provider=limbic\n"
                  "[all]\nlimbic = ours\ndefault = theirs\n"
                  "[theirs]\nactivate = 1\n[ours]\nmodule = %s\nactivate = 1\n%s\n",
                  module, setting);
    (void)fclose(f);
    (void)OSSL_LIB_CTX_load_config(ctx, path);
    (void)unlink(path);
    ERR_clear_error();
    return ctx;
}

/* CRYPTO_set_mem_functions(seen_malloc, seen_realloc, seen_free) */

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
