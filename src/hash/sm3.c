/* SM3's compression function and the key derivation on it. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/hash.h"
#include "hash/sm3.h"

static uint32_t load(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

void limbic_hash_sm3_c(uint32_t *state, const uint8_t *in, size_t blocks) {
    uint32_t w[16];
    for (; blocks; blocks--, in += sizeof w) {
        for (size_t i = 0; i < 16; i++)
            w[i] = load(in + 4 * i);
        COMPRESS(uint32_t, state, w);
    }
    limbic_wipe(w, sizeof w);
}

void limbic_sm3_kdf_init(struct limbic_sm3_kdf *k, const uint8_t *prefix, size_t blocks) {
    static const uint32_t iv[8] = {LIMBIC_SM3_IV};
    memcpy(k->state, iv, sizeof k->state);
    limbic_ops(LIMBIC_UNIT_hash)->hash_sm3(k->state, prefix, blocks);
    k->bits = (uint32_t)(8 * (64 * blocks + 4));
}

void limbic_sm3_kdf_blocks(const struct limbic_sm3_kdf *k, uint8_t *out, uint32_t first, size_t blocks) {
    limbic_ops(LIMBIC_UNIT_hash)->hash_sm3_stream(out, k->state, k->bits, first + 1, blocks);
}
