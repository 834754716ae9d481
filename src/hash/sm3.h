/* SM3's compression (GB/T 32905 section 5.3) of words of a type: one block, or a vector of words of several. */
#include "base/limb.h"
#include "hash/constants.h"

#define WORD uint32_t
#define BITS 32

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
 * W_j ... W_(j+15): W_(j+4) is made here, where GIVEN is not the message itself. Sums begin with what is known
 * first. */
#define ROUND(word, a, b, c, d, e, f, g, h, MESSAGE, FF, GG, T, j)                                           \
    do {                                                                                                     \
        MESSAGE(word, j);                                                                                    \
        word ss2 = ROL(a, 12), ss1 = ss2 + (e + T(j));                                                       \
        ss1 = ROL(ss1, 7);                                                                                   \
        ss2 ^= ss1;                                                                                          \
        d = (d + (w[(j) % 16] ^ w[((j) + 4) % 16])) + FF(a, b, c) + ss2;                                     \
        h = (h + w[(j) % 16]) + GG(e, f, g) + ss1;                                                           \
        h ^= ROL(h, 9) ^ ROL(h, 17);                                                                         \
        b = ROL(b, 9);                                                                                       \
        f = ROL(f, 19);                                                                                      \
    } while (0)
#define GIVEN(word, j) (void)0
#define EXPANDED(word, j)                                                                                    \
    do {                                                                                                     \
        word x = w[((j) + 4) % 16] ^ w[((j) + 11) % 16] ^ ROL(w[((j) + 1) % 16], 15);                        \
        word y = ROL(w[((j) + 7) % 16], 7) ^ w[((j) + 14) % 16];                                             \
        w[((j) + 4) % 16] = (x ^ ROL(x, 15) ^ ROL(x, 23)) ^ y;                                               \
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
