#include "base/limb.h"

void limbic_words_from_be(uint64_t *r, size_t n, const uint8_t *in, size_t in_len) {
    for (size_t i = 0; i < n; i++) {
        if (in_len >= 8) {
            in_len -= 8;
            r[i] = limbic_load_be64(in + in_len);
        } else {
            for (r[i] = 0; in_len; in_len--)
                r[i] = r[i] << 8 | *in++;
        }
    }
}

void limbic_words_to_be(uint8_t *out, size_t out_len, const uint64_t *a, size_t n) {
    for (size_t i = 0; i < n && out_len; i++) {
        if (out_len >= 8) {
            out_len -= 8;
            limbic_store_be64(out + out_len, a[i]);
        } else {
            for (uint64_t x = a[i]; out_len; x >>= 8)
                out[--out_len] = (uint8_t)x;
        }
    }
    if (out_len)
        memset(out, 0, out_len);
}

void limbic_wipe(void *p, size_t n) {
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* The deepest use is that of an inverse modulo any number, 11 KiB; P-521's point_mul takes 6.5 to 7.5 KiB by compiler, 9 KiB
 * without optimisation. One frame and not several: between them would be gaps that nothing wipes. */
__attribute__((noinline)) void limbic_wipe_stack_from(size_t skip, size_t bytes) {
    uint8_t below[skip + bytes];
    limbic_wipe(below, bytes);
}
