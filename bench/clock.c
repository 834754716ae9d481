/* Core cycles from the time stamp counter. */
#define _POSIX_C_SOURCE 200809L
#include "shim.h"

#include <time.h>

uint64_t bench_ticks(void) {
#if defined(__x86_64__)
    uint32_t lo, hi;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(lo), "=d"(hi) : : "memory");
    return (uint64_t)hi << 32 | lo;
#elif defined(__aarch64__)
    uint64_t t;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
    return t;
#else
    return 0;
#endif
}

/* Four operations, each waiting for the one before: what the core can't fold away before it executes, as some do with additions. A product of
 * two registers takes three cycles on every x86-64 of the last fifteen years; AArch64's cores differ there, but fold no additions of
 * registers. */
#if defined(__x86_64__)
#define STEP "imul %1, %0\n\t"
enum { LATENCY = 3 };
#elif defined(__aarch64__)
#define STEP "add %0, %0, %1\n\t"
enum { LATENCY = 1 };
#endif
#define STEP4 STEP STEP STEP STEP

double bench_cycles_per_tick(void) {
#ifdef STEP
    enum { CYCLES = 16384, TURNS = CYCLES / 16 / LATENCY }; /* about 5 us */
    double best = 0;
    /* The fastest of three: what interrupts the loop can only slow it down. */
    for (int k = 0; k < 3; k++) {
        uint64_t x = (uint64_t)k, y = 3, t0 = bench_ticks();
        for (int i = 0; i < TURNS; i++)
            __asm__ volatile(STEP4 STEP4 STEP4 STEP4 : "+r"(x) : "r"(y) : "cc");
        double ticks = (double)(bench_ticks() - t0);
        if (ticks > 0 && TURNS * 16 * LATENCY / ticks > best)
            best = TURNS * 16 * LATENCY / ticks;
    }
    return best;
#else
    return 0;
#endif
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_ticks_per_second(void) {
    static double hz;
    if (hz == 0) {
        double s0 = now(), s1;
        uint64_t t0 = bench_ticks();
        do
            s1 = now();
        while (s1 - s0 < 0.02);
        hz = (double)(bench_ticks() - t0) / (s1 - s0);
    }
    return hz;
}

void bench_evict(void) {
    enum { BYTES = 8 << 20, LINE = 64 };
    static volatile unsigned char buffer[BYTES];
    for (size_t i = 0; i < BYTES; i += LINE)
        buffer[i]++;
}
