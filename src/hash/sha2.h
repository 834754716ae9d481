/*
 * SHA-2's compression (FIPS 180-4 sections 6.2.2 and 6.4.2), a template: BITS is 32 for SHA-256 and 64 for SHA-512, which differ
 * in word, rotations and number of rounds.
 */
#include "hash/constants.h"
#include "hash/hash.h"

#if BITS == 32
#define WORD      uint32_t
#define ROUNDS    64
#define K         limbic_sha256_k
#define SIGMA0    2, 13, 22 /* rotations */
#define SIGMA1    6, 11, 25
#define SCHEDULE0 7, 18, 3 /* rotations and, last, a shift */
#define SCHEDULE1 17, 19, 10
#else
#define WORD      uint64_t
#define ROUNDS    80
#define K         limbic_sha512_k
#define SIGMA0    28, 34, 39
#define SIGMA1    14, 18, 41
#define SCHEDULE0 1, 8, 7
#define SCHEDULE1 19, 61, 6
#endif

#define ROTR(x, n)                  ((x) >> (n) | (x) << (BITS - (n)))
#define ROTATIONS(x, p, q, r)       (ROTR(x, p) ^ ROTR(x, q) ^ ROTR(x, r))
#define ROTATIONS_SHIFT(x, p, q, r) (ROTR(x, p) ^ ROTR(x, q) ^ (x) >> (r))
#define EXPAND_(macro, ...)         macro(__VA_ARGS__)
#define SUM(x, amounts)             EXPAND_(ROTATIONS, x, amounts)
#define SIGMA(x, amounts)           EXPAND_(ROTATIONS_SHIFT, x, amounts)
#define CH(x, y, z)                 ((((y) ^ (z)) & (x)) ^ (z))

/* One round with W_t = wt, of words of a type. Instead of moving a..h down a place, the next round names them shifted by one.
 * Maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before: bc has it, ab takes
 * the new one. */
#define ROUND(word, a, b, c, d, e, f, g, h, ab, bc, i, wt)                                                   \
    do {                                                                                                     \
        word t1 = (wt) + k[i] + h + CH(e, f, g) + SUM(e, SIGMA1);                                            \
        ab = a ^ b;                                                                                          \
        d += t1;                                                                                             \
        h = t1 + (SUM(a, SIGMA0) + ((ab & bc) ^ b));                                                         \
    } while (0)

#define ROUNDS_8(word, W, i)                                                                                 \
    do {                                                                                                     \
        ROUND(word, a, b, c, d, e, f, g, h, x, y, (i) + 0, W((i) + 0));                                      \
        ROUND(word, h, a, b, c, d, e, f, g, y, x, (i) + 1, W((i) + 1));                                      \
        ROUND(word, g, h, a, b, c, d, e, f, x, y, (i) + 2, W((i) + 2));                                      \
        ROUND(word, f, g, h, a, b, c, d, e, y, x, (i) + 3, W((i) + 3));                                      \
        ROUND(word, e, f, g, h, a, b, c, d, x, y, (i) + 4, W((i) + 4));                                      \
        ROUND(word, d, e, f, g, h, a, b, c, y, x, (i) + 5, W((i) + 5));                                      \
        ROUND(word, c, d, e, f, g, h, a, b, x, y, (i) + 6, W((i) + 6));                                      \
        ROUND(word, b, c, d, e, f, g, h, a, y, x, (i) + 7, W((i) + 7));                                      \
    } while (0)

/* W_t in place of W_(t-16), which nothing needs any more. */
#define EXPANDED(i)                                                                                          \
    (w[i] += SIGMA(w[((i) + 14) % 16], SCHEDULE1) + w[((i) + 9) % 16] + SIGMA(w[((i) + 1) % 16], SCHEDULE0))

/* state += the compression of the block w, whose words MESSAGE(t) gives for the first time. */
#define COMPRESS_OF(word, state, w, MESSAGE)                                                                 \
    do {                                                                                                     \
        const WORD *k = K;                                                                                   \
        word a = state[0], b = state[1], c = state[2], d = state[3];                                         \
        word e = state[4], f = state[5], g = state[6], h = state[7];                                         \
        word x, y = b ^ c;                                                                                   \
        ROUNDS_8(word, MESSAGE, 0);                                                                          \
        ROUNDS_8(word, MESSAGE, 8);                                                                          \
        for (k += 16; k < K + ROUNDS; k += 16) {                                                             \
            ROUNDS_8(word, EXPANDED, 0);                                                                     \
            ROUNDS_8(word, EXPANDED, 8);                                                                     \
        }                                                                                                    \
        state[0] += a;                                                                                       \
        state[1] += b;                                                                                       \
        state[2] += c;                                                                                       \
        state[3] += d;                                                                                       \
        state[4] += e;                                                                                       \
        state[5] += f;                                                                                       \
        state[6] += g;                                                                                       \
        state[7] += h;                                                                                       \
    } while (0)
#define GIVEN(i)                 w[i]
#define COMPRESS(word, state, w) COMPRESS_OF(word, state, w, GIVEN)
