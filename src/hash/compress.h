/*
 * The compression function of SHA-2 (FIPS 180-4 sections 6.2.2 and 6.4.2), a template: SHA-256 and SHA-512
 * differ in word, rotations and number of rounds, which the including file defines:
 *     COMPRESS                        the function's name
 *     WORD, BITS, LOAD, ROUNDS, K     the word, its bits, its big-endian load, the rounds and their constants
 *     SIGMA0, SIGMA1                  the rotations of the capital sigmas
 *     SCHEDULE0, SCHEDULE1            the rotations and, last, the shift of the small ones
 */
#define ROTR(x, n)                  ((x) >> (n) | (x) << (BITS - (n)))
#define ROTATIONS(x, p, q, r)       (ROTR(x, p) ^ ROTR(x, q) ^ ROTR(x, r))
#define ROTATIONS_SHIFT(x, p, q, r) (ROTR(x, p) ^ ROTR(x, q) ^ (x) >> (r))
#define EXPAND_(macro, ...)         macro(__VA_ARGS__)
#define SUM(x, amounts)             EXPAND_(ROTATIONS, x, amounts)
#define SIGMA(x, amounts)           EXPAND_(ROTATIONS_SHIFT, x, amounts)
#define CH(x, y, z)                 ((((y) ^ (z)) & (x)) ^ (z))

/* One round with W_t = word. Instead of moving a..h down a place, the next round names them shifted by one.
 * Maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before: bc has it, ab takes
 * the new one. */
#define ROUND(a, b, c, d, e, f, g, h, ab, bc, i, word)                                                       \
    do {                                                                                                     \
        WORD t1 = h + SUM(e, SIGMA1) + CH(e, f, g) + k[i] + (word);                                          \
        ab = a ^ b;                                                                                          \
        d += t1;                                                                                             \
        h = t1 + SUM(a, SIGMA0) + ((ab & bc) ^ b);                                                           \
    } while (0)

#define ROUNDS_8(WORD_AT, i)                                                                                 \
    do {                                                                                                     \
        ROUND(a, b, c, d, e, f, g, h, x, y, (i) + 0, WORD_AT((i) + 0));                                      \
        ROUND(h, a, b, c, d, e, f, g, y, x, (i) + 1, WORD_AT((i) + 1));                                      \
        ROUND(g, h, a, b, c, d, e, f, x, y, (i) + 2, WORD_AT((i) + 2));                                      \
        ROUND(f, g, h, a, b, c, d, e, y, x, (i) + 3, WORD_AT((i) + 3));                                      \
        ROUND(e, f, g, h, a, b, c, d, x, y, (i) + 4, WORD_AT((i) + 4));                                      \
        ROUND(d, e, f, g, h, a, b, c, y, x, (i) + 5, WORD_AT((i) + 5));                                      \
        ROUND(c, d, e, f, g, h, a, b, x, y, (i) + 6, WORD_AT((i) + 6));                                      \
        ROUND(b, c, d, e, f, g, h, a, y, x, (i) + 7, WORD_AT((i) + 7));                                      \
    } while (0)

/* W_t for t < 16, and after that in place of W_(t-16), which nothing needs any more. */
#define MESSAGE(i) (w[i] = LOAD(in + sizeof(WORD) * (i)))
#define EXPANDED(i)                                                                                          \
    (w[i] += SIGMA(w[((i) + 14) % 16], SCHEDULE1) + w[((i) + 9) % 16] + SIGMA(w[((i) + 1) % 16], SCHEDULE0))

void COMPRESS(WORD *state, const uint8_t *in, size_t blocks) {
    WORD w[16];
    for (; blocks; blocks--, in += sizeof w) {
        const WORD *k = K;
        WORD a = state[0], b = state[1], c = state[2], d = state[3];
        WORD e = state[4], f = state[5], g = state[6], h = state[7];
        WORD x, y = b ^ c;
        ROUNDS_8(MESSAGE, 0);
        ROUNDS_8(MESSAGE, 8);
        for (k += 16; k < K + ROUNDS; k += 16) {
            ROUNDS_8(EXPANDED, 0);
            ROUNDS_8(EXPANDED, 8);
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
    limbic_wipe(w, sizeof w);
}
