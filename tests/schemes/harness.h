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

/* The random source, by the linker's --wrap: the system's; or refused; or all ones once, then the system's; or bytes that follow from a seed. */
enum { SYSTEM, REFUSE, ONES, SEEDED };
static int random_mode;
static uint64_t random_seed;                                            /* not 0 */
__attribute__((unused)) static void seeded_bytes(void *out, size_t n) { /* xorshift64* */
    for (size_t i = 0; i < n; i++) {
        random_seed ^= random_seed >> 12;
        random_seed ^= random_seed << 25;
        random_seed ^= random_seed >> 27;
        ((uint8_t *)out)[i] = (uint8_t)(random_seed * UINT64_C(0x2545f4914f6cdd1d) >> 56);
    }
}
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
    if (random_mode == SEEDED) {
        seeded_bytes(out, n);
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
static uint8_t deep_left[DEEP_BYTES]; /* what the job left there, before the thread's end wrote over it */
static size_t deep_used,
    deep_base; /* bytes from its upper end to the lowest one that a job changed; of one that does nothing */
static size_t deep_top; /* bytes of it below the frame of the job's caller */
static struct {
    limbic_status (*run)(void);
    limbic_status status;
    unsigned long heap_calls;
} deep_job;

static void *run_deep_job(void *unused) {
    /* nothing in registers, which a job would save, that differs from run to run */
    deep_top = (size_t)((uint8_t *)__builtin_frame_address(0) - deep_stack);
    heap_calls = 0;
    deep_job.status = deep_job.run();
    memcpy(deep_left, deep_stack, sizeof deep_left);
    deep_job.heap_calls = heap_calls;
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
    for (size_t i = 0; i < DEEP_BYTES && deep_left[i] == 0xa5; i++)
        deep_used--;
}

/*
 * What a job leaves must not depend on its secrets, on what is made of them no more than on themselves: it runs with one secret and with another, which `choose`
 * sets, on the same random bytes (unless choose sets another seed). Returns where the first difference is, or which run failed, or NULL.
 */
__attribute__((unused)) static const char *depends(void (*choose)(int which), limbic_status (*run)(void)) {
    static uint8_t first[DEEP_BYTES];
    static char text[128];
    const int mode = random_mode;
    for (int which = 0; which < 2; which++) {
        random_seed = UINT64_C(0x9e3779b97f4a7c15);
        choose(which);
        random_mode = SEEDED;
        run_deep(run);
        random_mode = mode;
        if (deep_job.status || deep_job.heap_calls) {
            (void)snprintf(text, sizeof text, "run %d: status %d, %lu heap calls", which,
                           (int)deep_job.status, deep_job.heap_calls);
            return text;
        }
        if (!which)
            memcpy(first, deep_left, sizeof first);
    }
    size_t bytes = 0, at = 0;
    for (size_t i = deep_top; i-- > 0;)
        if (first[i] != deep_left[i] && !bytes++)
            at = i - i % 8;
    if (!bytes)
        return NULL;
    (void)snprintf(text, sizeof text,
                   "%zu bytes differ, the highest %zu below the caller: %016llx and %016llx", bytes,
                   deep_top - at, (unsigned long long)limbic_load_be64(first + at),
                   (unsigned long long)limbic_load_be64(deep_left + at));
    return text;
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
        const uint8_t *p = deep_left + at;
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
