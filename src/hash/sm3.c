/* SM3's compression function (GB/T 32905 section 5.3) and the key derivation on it. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/constants.h"
#include "hash/hash.h"

/* Words of several blocks side by side: a vector register where the target has them. */
enum { LANES = 4 };
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

#define ROL(x, n)     ((x) << (n) % 32 | (x) >> (32 - (n) % 32) % 32)
#define XOR3(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z)  (((x) & (y)) | (((x) | (y)) & (z)))
#define CH(x, y, z)   ((((y) ^ (z)) & (x)) ^ (z))

/* T_j rotated by j, for j below 16; from there on they stand in a table. */
#define T_0(j)   ROL(UINT32_C(0x79cc4519), j)
#define T_16(j)  ROL(UINT32_C(0x7a879d8a), j)
#define T_4(j)   T_16(j), T_16(j + 1), T_16(j + 2), T_16(j + 3)
#define T_ROW(j) T_4(j), T_4(j + 4), T_4(j + 8), T_4(j + 12)
static const uint32_t t_16[48] = {T_ROW(16), T_ROW(32), T_ROW(48)};
#define T_TABLE(j) t[j]

/* Round j of words of a type. Instead of moving a..h down a place, the next round names them shifted by one. w holds
 * W_j ... W_(j+15): W_(j+4) is made here, where GIVEN is not the message itself. */
#define ROUND(word, a, b, c, d, e, f, g, h, MESSAGE, FF, GG, T, j)                                           \
    do {                                                                                                     \
        MESSAGE(word, j);                                                                                    \
        word ss2 = ROL(a, 12), ss1 = ss2 + e + T(j);                                                         \
        ss1 = ROL(ss1, 7);                                                                                   \
        ss2 ^= ss1;                                                                                          \
        d += FF(a, b, c) + (w[(j) % 16] ^ w[((j) + 4) % 16]) + ss2;                                          \
        h += GG(e, f, g) + w[(j) % 16] + ss1;                                                                \
        h ^= ROL(h, 9) ^ ROL(h, 17);                                                                         \
        b = ROL(b, 9);                                                                                       \
        f = ROL(f, 19);                                                                                      \
    } while (0)
#define GIVEN(word, j) (void)0
#define EXPANDED(word, j)                                                                                    \
    do {                                                                                                     \
        word x = w[((j) + 4) % 16] ^ w[((j) + 11) % 16] ^ ROL(w[((j) + 1) % 16], 15), y = x ^ ROL(x, 8);     \
        w[((j) + 4) % 16] = x ^ ROL(y, 15) ^ ROL(w[((j) + 7) % 16], 7) ^ w[((j) + 14) % 16];                 \
    } while (0)
#define ROUNDS_4(word, MESSAGE, FF, GG, T, j)                                                                \
    ROUND(word, a, b, c, d, e, f, g, h, MESSAGE, FF, GG, T, j);                                              \
    ROUND(word, d, a, b, c, h, e, f, g, MESSAGE, FF, GG, T, (j) + 1);                                        \
    ROUND(word, c, d, a, b, g, h, e, f, MESSAGE, FF, GG, T, (j) + 2);                                        \
    ROUND(word, b, c, d, a, f, g, h, e, MESSAGE, FF, GG, T, (j) + 3)

/* state ^= the compression of a block w. The loop is on purpose: 64 rounds written out are slower, for they do not fit
 * into processors' caches of decoded instructions. */
#define COMPRESS(word, state, w)                                                                             \
    do {                                                                                                     \
        word a = state[0], b = state[1], c = state[2], d = state[3];                                         \
        word e = state[4], f = state[5], g = state[6], h = state[7];                                         \
        ROUNDS_4(word, GIVEN, XOR3, XOR3, T_0, 0);                                                           \
        ROUNDS_4(word, GIVEN, XOR3, XOR3, T_0, 4);                                                           \
        ROUNDS_4(word, GIVEN, XOR3, XOR3, T_0, 8);                                                           \
        ROUNDS_4(word, EXPANDED, XOR3, XOR3, T_0, 12);                                                       \
        for (const uint32_t *t = t_16; t < t_16 + 48; t += 16) {                                             \
            ROUNDS_4(word, EXPANDED, MAJ, CH, T_TABLE, 0);                                                   \
            ROUNDS_4(word, EXPANDED, MAJ, CH, T_TABLE, 4);                                                   \
            ROUNDS_4(word, EXPANDED, MAJ, CH, T_TABLE, 8);                                                   \
            ROUNDS_4(word, EXPANDED, MAJ, CH, T_TABLE, 12);                                                  \
        }                                                                                                    \
        state[0] ^= a;                                                                                       \
        state[1] ^= b;                                                                                       \
        state[2] ^= c;                                                                                       \
        state[3] ^= d;                                                                                       \
        state[4] ^= e;                                                                                       \
        state[5] ^= f;                                                                                       \
        state[6] ^= g;                                                                                       \
        state[7] ^= h;                                                                                       \
    } while (0)

static void store(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}
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

/* A few blocks at a time, those beyond the last one not stored. The messages are no secret; the states stay in
 * registers as long as nothing takes their address, and what of them is spilled is left to limbic_wipe_stack. */
void limbic_hash_sm3_stream_c(uint8_t *out, const uint32_t *state, uint32_t bits, uint32_t counter,
                              size_t blocks) {
    const lanes zero = {0};
    for (size_t n; blocks; blocks -= n, out += 32 * n, counter += LANES) {
        lanes s[8], w[16], numbers = zero;
        for (size_t i = 0; i < 16; i++)
            w[i] = zero;
        for (uint32_t j = 0; j < LANES; j++)
            numbers[j] = counter + j;
        w[0] = numbers;
        w[1] += UINT32_C(0x80000000);
        w[15] += bits;
        for (size_t i = 0; i < 8; i++)
            s[i] = zero + state[i];
        COMPRESS(lanes, s, w);
        n = blocks < LANES ? blocks : LANES;
        for (size_t j = 0; j < LANES; j++)
            for (size_t i = 0; i < 8 && j < n; i++)
                store(out + 32 * j + 4 * i, s[i][j]);
    }
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
