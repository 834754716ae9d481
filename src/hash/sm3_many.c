/* SM3 of many streams, and the blocks of its key derivation, side by side. */
#include "hash/sm3.h"

#define NAME limbic_hash_sm3
#include "hash/many.h"

/* Blocks beyond the last one are not given out. The messages are no secret. */
void JOIN(limbic_hash_sm3_stream_, ENGINE_ISA)(uint8_t *out, const uint32_t *state, uint32_t bits,
                                               uint32_t counter, size_t blocks) {
    const lanes zero = {0};
    lanes steps;
    for (uint32_t i = 0; i < LANES; i++)
        steps[i] = i;
    for (size_t n; blocks; blocks -= n, out += 32 * n, counter += LANES) {
        lanes s[8], w[16];
        for (size_t i = 0; i < 16; i++)
            w[i] = zero;
        w[0] = steps + counter;
        w[1] += UINT32_C(0x80000000);
        w[15] += bits;
        for (size_t i = 0; i < 8; i++)
            s[i] = zero + state[i];
        COMPRESS(lanes, s, w);
        swap(s, 8);
        n = blocks < LANES ? blocks : LANES;
        if (n == LANES) {
            store(out, s);
        } else {
            uint8_t few[32 * LANES];
            store(few, s);
            memcpy(out, few, 32 * n);
            limbic_wipe(few, sizeof few);
        }
    }
}
