#include "base/limb.h"

void limbic_words_from_be(uint64_t *r, size_t n, const uint8_t *in, size_t in_len) {
    memset(r, 0, 8 * n);
    for (size_t i = 0; i < in_len && i < 8 * n; i++)
        r[i / 8] |= (uint64_t)in[in_len - 1 - i] << (8 * (i % 8));
}

void limbic_words_to_be(uint8_t *out, size_t out_len, const uint64_t *a, size_t n) {
    for (size_t i = 0; i < out_len; i++)
        out[out_len - 1 - i] = i < 8 * n ? (uint8_t)(a[i / 8] >> (8 * (i % 8))) : 0;
}

void limbic_wipe(void *p, size_t n) {
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* The deepest use is that of an inverse modulo any number, 11 KiB; P-521's point_mul takes 6.5 to 7.5 KiB by compiler, 9 KiB
 * without optimisation. A frame of fixed size has the least that is not wiped: what it keeps besides the array. */
__attribute__((noinline)) void limbic_wipe_stack_beyond(size_t more) {
    uint8_t below[12288];
    if (more)
        limbic_wipe_stack_beyond(more > sizeof below ? more - sizeof below : 0);
    limbic_wipe(below, sizeof below);
}
