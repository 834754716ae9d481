/* SHA-512's compression function, and SHA-384's. */
#include "base/limb.h"
#include "dispatch/dispatch.h"

#define BITS 64
#include "hash/sha2.h"

#define WHOLE(x) x,
const uint64_t limbic_sha512_k[ROUNDS] = {LIMBIC_SHA2_K_64(WHOLE) LIMBIC_SHA2_K_16_MORE(WHOLE)};

#define LOADED(i) (w[i] = limbic_load_be64(in + 8 * (i)))

void limbic_hash_sha512_c(uint64_t *state, const uint8_t *in, size_t blocks) {
    uint64_t w[16];
    for (; blocks; blocks--, in += sizeof w)
        COMPRESS_OF(uint64_t, state, w, LOADED);
    limbic_wipe(w, sizeof w);
}
