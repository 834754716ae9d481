#include "dispatch/dispatch.h"

#if defined(__aarch64__)
#if defined(__linux__)
#include <sys/auxv.h>

void limbic_cpu_read(struct limbic_cpu *cpu) {
    limbic_features_a64(cpu, getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
}
#else
/* No HWCAP here: the architecture's baseline (FP and Advanced SIMD) is all that is known. */
void limbic_cpu_read(struct limbic_cpu *cpu) {
    limbic_features_a64(cpu, 3, 0);
}
#endif
#endif
