/* What this process asks the heap for: the C library's allocator with a counter before it. It stands in for the one of every library that
 * is linked here, libcrypto too. */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t asked;

#if defined(__GLIBC__)
/* glibc's own names for its allocator. free, and what is not here, stays its own. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

void *malloc(size_t n) {
    asked += n;
    return __libc_malloc(n);
}
void *calloc(size_t count, size_t n) {
    asked += count * n;
    return __libc_calloc(count, n);
}
void *realloc(void *p, size_t n) {
    asked += n;
    return __libc_realloc(p, n);
}
void *aligned_alloc(size_t align, size_t n) {
    asked += n;
    return __libc_memalign(align, n);
}
int posix_memalign(void **p, size_t align, size_t n) {
    asked += n;
    *p = __libc_memalign(align, n);
    return *p ? 0 : ENOMEM;
}
#endif

uint64_t bench_heap(void) {
    return asked;
}

int bench_heap_counts(void) {
    uint64_t before = asked;
    void *volatile p = malloc(1000);
    free(p);
    return asked - before == 1000;
}
