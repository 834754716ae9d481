/*
 * Blocks side by side, a lane of vector registers each: a template over VECTOR, the registers' bytes (16, 32 or 64), to be included
 * once for each, by many.h, over whose parameters it is one too. Registers hold a word of every block: PER words of a block, 16 bytes, are
 * loaded or stored together, and transposed within these 16 bytes.
 */
#ifndef LIMBIC_HASH_LANES_H
#define LIMBIC_HASH_LANES_H

#include "base/limb.h"

#define LIST_2(f, i)  f(i), f((i) + 1)
#define LIST_4(f, i)  LIST_2(f, i), LIST_2(f, (i) + 2)
#define LIST_8(f, i)  LIST_4(f, i), LIST_4(f, (i) + 4)
#define LIST_16(f, i) LIST_8(f, i), LIST_8(f, (i) + 8)
#define LIST_32(f, i) LIST_16(f, i), LIST_16(f, (i) + 16)
#define LIST_64(f, i) LIST_32(f, i), LIST_32(f, (i) + 32)

typedef WORD words_16 __attribute__((vector_size(16)));
typedef WORD words_32 __attribute__((vector_size(32)));
typedef WORD words_64 __attribute__((vector_size(64)));

#define PER   (128 / BITS)
#define LANES (VECTOR * 8 / BITS)

/* Element i of what is shuffled of two registers: from the first or the second half of each 16 bytes, words or pairs of two alternate. */
#define WORD_1(i)       ((i) - (i) % 4 + (i) % 4 / 2 + (i) % 2 * (VECTOR / 4))
#define WORD_2(i)       (WORD_1(i) + 2)
#define PAIR_1(i)       ((i) - (i) % 2 + (i) % 2 * (VECTOR / 8))
#define PAIR_2(i)       (PAIR_1(i) + 1)
#define BYTE_SWAPPED(i) ((i) ^ (BITS / 8 - 1))

#define SAME(i) i

typedef uint64_t piece __attribute__((vector_size(16), aligned(1), may_alias));

#endif

#undef lanes
#undef pairs
#undef swap
#undef turn
#undef load
#undef store
#undef run
#undef LIST_WORDS
#undef LIST_PAIRS
#define lanes JOIN(words_, VECTOR)
#define swap  JOIN(swap_, VECTOR)
#define pairs JOIN(pairs_, VECTOR)
#define turn  JOIN(turn_, VECTOR)
#define load  JOIN(load_, VECTOR)
#define store JOIN(store_, VECTOR)
#define run   JOIN(run_, VECTOR)
#if VECTOR == 16
#define LIST_WORDS LIST_4
#define LIST_PAIRS LIST_2
#elif VECTOR == 32
#define LIST_WORDS LIST_8
#define LIST_PAIRS LIST_4
#else
#define LIST_WORDS LIST_16
#define LIST_PAIRS LIST_8
#endif

typedef uint64_t pairs __attribute__((vector_size(VECTOR)));

/* Big-endian words become this machine's, or back. */
LIMBIC_INLINE void swap(lanes *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#elif VECTOR == 16 /* not every processor has a shuffle of bytes */
#define MASK UINT32_C(0x00ff00ff)
        x[i] = ((x[i] << 8 | x[i] >> 24) & MASK) | ((x[i] << 24 | x[i] >> 8) & ~MASK);
#undef MASK
#else
        typedef uint8_t bytes __attribute__((vector_size(VECTOR)));
        x[i] = (lanes)__builtin_shufflevector((bytes)x[i], (bytes)x[i], JOIN(LIST_, VECTOR)(BYTE_SWAPPED, 0));
#endif
    }
}

/* Transposes PER words of PER blocks, in each 16 bytes of PER registers. */
LIMBIC_INLINE void turn(lanes *x) {
#define WORDS(a, b, which) __builtin_shufflevector(a, b, LIST_WORDS(which, 0))
#define PAIRS(a, b, which) (lanes) __builtin_shufflevector((pairs)(a), (pairs)(b), LIST_PAIRS(which, 0))
#if PER == 4
    const lanes t0 = WORDS(x[0], x[1], WORD_1), t1 = WORDS(x[2], x[3], WORD_1);
    const lanes t2 = WORDS(x[0], x[1], WORD_2), t3 = WORDS(x[2], x[3], WORD_2);
    x[0] = PAIRS(t0, t1, PAIR_1);
    x[1] = PAIRS(t0, t1, PAIR_2);
    x[2] = PAIRS(t2, t3, PAIR_1);
    x[3] = PAIRS(t2, t3, PAIR_2);
#else
    const lanes t = PAIRS(x[0], x[1], PAIR_2);
    x[0] = PAIRS(x[0], x[1], PAIR_1);
    x[1] = t;
#endif
#undef WORDS
#undef PAIRS
}

/* w = count words, a multiple of PER, of a block a lane. */
LIMBIC_INLINE void load(lanes *w, size_t count, const uint8_t *const *in, size_t at) {
    for (size_t i = 0; i < count; i += PER, at += 16) {
        for (size_t j = 0; j < PER; j++) {
#define PIECE(k)  (*(const piece *)(in[j + PER * (k)] + at))
#define PIECES(k) ENGINE_JOIN_32(PIECE(k), PIECE((k) + 1))
#if VECTOR == 16
            w[i + j] = (lanes)PIECE(0);
#elif VECTOR == 32
            w[i + j] = (lanes)PIECES(0);
#else
            w[i + j] = (lanes)ENGINE_JOIN_64(PIECES(0), PIECES(2));
#endif
#undef PIECES
#undef PIECE
        }
        turn(w + i);
    }
}

/* out = the 8 words of each lane, one lane after the other. */
LIMBIC_INLINE void store(uint8_t *out, lanes *s) {
    for (size_t i = 0; i < 8; i += PER) {
        turn(s + i);
        for (size_t j = 0; j < PER; j++) {
#define PIECE(k)                                                                                             \
    *(piece *)(out + sizeof(WORD) * (8 * (j + PER * (k)) + i)) =                                             \
        __builtin_shufflevector((pairs)s[i + j], (pairs)s[i + j], LIST_2(SAME, 2 * (k)))
            PIECE(0);
#if VECTOR > 16
            PIECE(1);
#endif
#if VECTOR > 32
            PIECE(2);
            PIECE(3);
#endif
#undef PIECE
        }
    }
}

/* Up to as many streams as there are lanes; lanes without one repeat the first. */
static void run(WORD *state, const uint8_t *const *in, size_t blocks, size_t n) {
    const uint8_t *of[LANES], *states[LANES];
    lanes s[8], w[16];
    WORD all[8 * LANES];
    for (size_t i = 0; i < LANES; i++) {
        of[i] = in[i < n ? i : 0];
        states[i] = (const uint8_t *)(state + (i < n ? 8 * i : 0));
    }
    load(s, 8, states, 0);
    for (size_t i = 0; i < blocks; i++) {
        load(w, 16, of, 16 * sizeof(WORD) * i);
        swap(w, 16);
        COMPRESS(lanes, s, w);
    }
    if (n == LANES) {
        store((uint8_t *)state, s);
        return;
    }
    store((uint8_t *)all, s);
    memcpy(state, all, 8 * n * sizeof *state);
}
