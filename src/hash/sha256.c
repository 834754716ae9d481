/* SHA-256's compression function. */
#include "base/limb.h"
#include "dispatch/dispatch.h"

#define BITS 32
#include "hash/sha2.h"

#define UPPER_HALF(x) x >> 32,
const uint32_t limbic_sha256_k[ROUNDS] = {LIMBIC_SHA2_K_64(UPPER_HALF)};

static inline uint32_t load_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
#define LOADED(i) (w[i] = load_be32(in + 4 * (i)))

void limbic_hash_sha256_c(uint32_t *state, const uint8_t *in, size_t blocks) {
    uint32_t w[16];
    for (; blocks; blocks--, in += sizeof w)
        COMPRESS_OF(uint32_t, state, w, LOADED);
    limbic_wipe(w, sizeof w);
}
