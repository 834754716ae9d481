/* The CPU's features: pure decoding of the words, and LIMBIC_CPU. Reading the words is cpu_<architecture>.c's. */
#include "dispatch/dispatch.h"

#include <string.h>

enum { EAX, EBX, ECX, EDX };

void limbic_features_x86(struct limbic_cpu *cpu, const struct limbic_cpuid *w) {
    static const uint32_t zero[4];
    const uint32_t *leaf_1_0 = w->max_leaf >= 1 ? w->leaf1 : zero;
    const uint32_t *leaf_7_0 = w->max_leaf >= 7 ? w->leaf7 : zero;
    const uint32_t *leaf_7_1 = w->max_leaf >= 7 && w->leaf7[EAX] >= 1 ? w->leaf7_1 : zero;
    const uint64_t xcr = leaf_1_0[ECX] >> 27 & 1 ? w->xcr0 : 0; /* OSXSAVE */

    memset(cpu, 0, sizeof *cpu);
#define FEATURE_X86(name, leaf, subleaf, reg, bit, xcr0)                                                     \
    if (leaf_##leaf##_##subleaf[reg] >> (bit)&1) {                                                           \
        cpu->has |= UINT64_C(1) << LIMBIC_FEATURE_##name;                                                    \
        if ((xcr & (xcr0)) == (xcr0))                                                                        \
            cpu->enabled |= UINT64_C(1) << LIMBIC_FEATURE_##name;                                            \
    }
#include "features.def"
}

void limbic_features_a64(struct limbic_cpu *cpu, uint64_t hwcap, uint64_t hwcap2) {
    const uint64_t words[3] = {0, hwcap, hwcap2};

    memset(cpu, 0, sizeof *cpu);
#define FEATURE_A64(name, word, bit)                                                                         \
    if (words[word] >> (bit)&1)                                                                              \
        cpu->has |= UINT64_C(1) << LIMBIC_FEATURE_##name;
#include "features.def"
    cpu->enabled = cpu->has;
}

static const char *const feature_names[] = {
#define FEATURE_X86(name, leaf, subleaf, reg, bit, xcr0) #name,
#define FEATURE_A64(name, word, bit)                     #name,
#include "features.def"
};

const char *limbic_feature_name(unsigned feature) {
    return feature < LIMBIC_FEATURES ? feature_names[feature] : "?";
}

int limbic_parse_off(uint64_t *off, const char *text, char *unknown, size_t size) {
    static const char separators[] = ", \t";
    size_t used = 0;
    int count = 0;

    *off = 0;
    if (size)
        unknown[0] = 0;
    while (*(text += strspn(text, separators))) {
        size_t n = strcspn(text, separators), i = LIMBIC_FEATURES;
        if (text[0] == '-')
            for (i = 0; i < LIMBIC_FEATURES; i++)
                if (strlen(feature_names[i]) == n - 1 && memcmp(feature_names[i], text + 1, n - 1) == 0)
                    break;
        if (i < LIMBIC_FEATURES) {
            *off |= UINT64_C(1) << i;
        } else {
            count++;
            if (used && used + 1 < size)
                unknown[used++] = ' ';
            for (size_t j = 0; j < n && used + 1 < size; j++)
                unknown[used++] = text[j];
            if (size)
                unknown[used] = 0;
        }
        text += n;
    }
    return count;
}
