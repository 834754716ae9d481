/*
 * Constant time of rows that Valgrind can't execute, under clang's MemorySanitizer: their C source, with what is secret marked as uninitialised, so that a branch or
 * an address made from it ends the program. Variable-latency instructions are not seen.
 */
#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dispatch/dispatch.h"
#include "limbic/field.h"

/* What the rows call for lengths that they have no code for; none of those here. */
#define NOT_HERE abort();
void limbic_mont_mul_adx(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    (void)r, (void)a, (void)b, (void)x;
    NOT_HERE
}
void limbic_mont_sqr_adx(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    (void)r, (void)a, (void)x;
    NOT_HERE
}
void limbic_mont_pow_adx(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                         const limbic_mont *x) {
    (void)r, (void)a, (void)e, (void)e_bits, (void)x;
    NOT_HERE
}
void limbic_mont_pow_public_adx(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                                const limbic_mont *x) {
    limbic_mont_pow_adx(r, a, e, e_bits, x);
}
void limbic_mont_pow_public_many_adx(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                                     const limbic_mont *const *x, size_t count) {
    (void)count;
    limbic_mont_pow_adx(r, a, e, e_bits, x[0]);
}
void limbic_mont_pow_many_adx(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                              const limbic_mont *const *x, size_t count) {
    (void)count;
    limbic_mont_pow_adx(r, a, e, e_bits, x[0]);
}

enum { MANY = 11, WORDS = 64, E_BITS = 131 };
static uint64_t r[MANY * WORDS], a[MANY * WORDS], b[MANY * WORDS], m[WORDS], one[WORDS], rr[WORDS];
static unsigned passed, failed;

/* A secret result must come of secret operands: else the marks were lost on the way. */
static void secret(const char *op, size_t limbs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (__msan_test_shadow(r + i * limbs, 8 * limbs) != 0) {
            printf("FAIL: mont/%s/ifma, %zu words: result %zu is not marked\n", op, limbs, i);
            failed++;
            return;
        }
    passed++;
    printf("mont/%s/ifma, %zu words: MemorySanitizer, all operands secret\n", op, limbs);
    memset(r, 0, sizeof r);
}

int main(void) {
    static const uint8_t lengths[] = {8, 16, 17, 24, 32, 40, 56, 64};
    const uint64_t e = 65537;
    if (!__builtin_cpu_supports("avx512ifma") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq")) {
        puts(
            "skip mont/*/ifma: no evidence here: this CPU lacks AVX-512 IFMA\n0 passed, 0 failed, 1 skipped");
        return 0;
    }
    __msan_poison(a, sizeof a);
    __msan_poison(b, sizeof b);
    __msan_poison(m, sizeof m);
    __msan_poison(one, sizeof one);
    __msan_poison(rr, sizeof rr);
    const pid_t child = fork();
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        if (a[0])
            puts("a branch");
        _exit(0);
    }
    int status = 0;
    const int reported =
        child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) != 0;
    printf("%s: a branch on a secret is %sreported\n", reported ? "control" : "FAIL", reported ? "" : "not ");
    failed += !reported;
    (void)fflush(stdout);
    for (size_t i = 0; i < sizeof lengths; i++) {
        limbic_mont x = {lengths[i], 1, m, one, rr};
        const limbic_mont *same[MANY];
        for (size_t j = 0; j < MANY; j++)
            same[j] = &x;
        __msan_poison(&x.n0, sizeof x.n0);
        if (x.limbs >= 24) {
            limbic_mont_mul_ifma(r, a, b, &x);
            secret("mul", x.limbs, 1);
            limbic_mont_sqr_ifma(r, a, &x);
            secret("sqr", x.limbs, 1);
        }
        limbic_mont_pow_public_ifma(r, a, &e, 17, &x);
        secret("pow_public", x.limbs, 1);
        limbic_mont_pow_public_many_ifma(r, a, &e, 17, same, MANY);
        secret("pow_public_many", x.limbs, MANY);
        limbic_mont_pow_ifma(r, a, b, E_BITS, &x);
        secret("pow", x.limbs, 1);
        limbic_mont_pow_many_ifma(r, a, b, E_BITS, same, MANY);
        secret("pow_many", x.limbs, MANY);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
