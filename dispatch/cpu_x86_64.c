#include "dispatch/dispatch.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <string.h>

void limbic_cpu_read(struct limbic_cpu *cpu) {
    struct limbic_cpuid w;
    uint32_t unused[3];

    memset(&w, 0, sizeof w);
    __cpuid(0, w.max_leaf, unused[0], unused[1], unused[2]);
    if (w.max_leaf >= 1)
        __cpuid(1, w.leaf1[0], w.leaf1[1], w.leaf1[2], w.leaf1[3]);
    if (w.max_leaf >= 7)
        __cpuid_count(7, 0, w.leaf7[0], w.leaf7[1], w.leaf7[2], w.leaf7[3]);
    if (w.max_leaf >= 7 && w.leaf7[0] >= 1)
        __cpuid_count(7, 1, w.leaf7_1[0], w.leaf7_1[1], w.leaf7_1[2], w.leaf7_1[3]);
    if (w.leaf1[2] >> 27 & 1) { /* OSXSAVE: XGETBV exists */
        uint32_t lo, hi;
        __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
        w.xcr0 = (uint64_t)hi << 32 | lo;
    }
    limbic_features_x86(cpu, &w);
}
#elif !defined(__aarch64__)
void limbic_cpu_read(struct limbic_cpu *cpu) {
    *cpu = (struct limbic_cpu){0, 0, 0};
}
#endif
