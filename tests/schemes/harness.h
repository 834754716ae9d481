/*
 * What the tests of schemes share: a random source that can fail, calls to the heap, the stack that a job uses and what it
 * leaves there. One per program: it defines malloc.
 */
#ifndef LIMBIC_TESTS_SCHEMES_HARNESS_H
#define LIMBIC_TESTS_SCHEMES_HARNESS_H

#include <pthread.h>

#include "base/limb.h"
#include "base/random.h"
#include "tests/check.h"

/* The random source, by the linker's --wrap: the system's; or refused; or all ones once, then the system's. */
enum { SYSTEM, REFUSE, ONES };
static int random_mode;
limbic_status __real_limbic_random(void *out, size_t n);
limbic_status __wrap_limbic_random(void *out, size_t n);
#ifndef OWN_RANDOM
limbic_status __wrap_limbic_random(void *out, size_t n) {
    if (random_mode == REFUSE)
        return LIMBIC_ERR_RANDOM;
    if (random_mode == ONES) {
        random_mode = SYSTEM;
        memset(out, 0xff, n);
        return LIMBIC_OK;
    }
    return __real_limbic_random(out, n);
}
#endif

/* The status that a call must give, and that none of out's n bytes changed. */
#define REFUSED_N(want, out, n, call)                                                                        \
    do {                                                                                                     \
        memset(out, 0xa5, n);                                                                                \
        limbic_status got_ = (call);                                                                         \
        int clean_ = 1;                                                                                      \
        for (size_t i_ = 0; i_ < (n); i_++)                                                                  \
            clean_ &= ((const uint8_t *)(out))[i_] == 0xa5;                                                  \
        check(got_ == (want) && clean_, "line %d: %s: status %d, wanted %d%s", __LINE__, #call, (int)got_,   \
              (int)(want), clean_ ? "" : ", output touched");                                                \
    } while (0)
#define REFUSED(want, out, call) REFUSED_N(want, out, sizeof(out), call)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_HEAP 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS_HEAP 0
#endif
#endif
#if !defined(COUNTS_HEAP) && defined(__GLIBC__)
#define COUNTS_HEAP 1
static volatile unsigned long heap_calls; /* or compilers, who know malloc, take it for unchanged */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t m);
void *malloc(size_t n) {
    heap_calls++;
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t m) {
    heap_calls++;
    return __libc_calloc(n, m);
}
#endif

#if COUNTS_HEAP && !defined(NO_DEEP_JOBS)
/* A job on a stack that can be looked at afterwards. */
#define DEEP_BYTES (1 << 20)
static uint8_t deep_stack[DEEP_BYTES] __attribute__((aligned(4096)));
static size_t deep_used,
    deep_base; /* bytes from its upper end to the lowest one that a job changed; of one that does nothing */
static struct {
    limbic_status (*run)(void);
    limbic_status status;
    unsigned long heap_calls;
} deep_job;

static void *run_deep_job(void *unused) {
    const unsigned long before = heap_calls;
    deep_job.status = deep_job.run();
    deep_job.heap_calls = heap_calls - before;
    return unused;
}

static void run_deep(limbic_status (*run)(void)) {
    pthread_attr_t attr;
    pthread_t thread;
    deep_job.run = run;
    memset(deep_stack, 0xa5, sizeof deep_stack);
    if (pthread_attr_init(&attr) || pthread_attr_setstack(&attr, deep_stack, sizeof deep_stack) ||
        pthread_create(&thread, &attr, run_deep_job, NULL) || pthread_join(thread, NULL))
        abort();
    pthread_attr_destroy(&attr);
    deep_used = DEEP_BYTES;
    for (size_t i = 0; i < DEEP_BYTES && deep_stack[i] == 0xa5; i++)
        deep_used--;
}

/* Whether eight bytes of these numbers stand anywhere on that stack. first: the two bytes that some of them begin with. */
struct secrets {
    struct {
        const char *name;
        const uint8_t *at;
        size_t n;
    } of[64];
    size_t count;
    uint8_t first[1 << 16];
};

static void add_secret(struct secrets *s, const char *name, const void *at, size_t n) {
    const uint8_t *p = at;
    if (s->count == sizeof s->of / sizeof s->of[0])
        abort();
    s->of[s->count].name = name;
    s->of[s->count].at = p;
    s->of[s->count++].n = n;
    for (size_t i = 0; i + 8 <= n; i += 8)
        s->first[p[i] << 8 | p[i + 1]] = 1;
}

static const char *left_on_stack(const struct secrets *s) {
    for (size_t at = DEEP_BYTES - deep_used; at + 8 <= DEEP_BYTES; at++) {
        const uint8_t *p = deep_stack + at;
        if (!s->first[p[0] << 8 | p[1]])
            continue;
        for (size_t k = 0; k < s->count; k++)
            for (size_t i = 0; i + 8 <= s->of[k].n; i += 8)
                if (!memcmp(p, s->of[k].at + i, 8) && limbic_load_be64(p) << 16 && limbic_load_be64(p) >> 16)
                    return s->of[k].name;
    }
    return NULL;
}

static limbic_status nothing(void) {
    return LIMBIC_OK;
}
#endif

#endif
