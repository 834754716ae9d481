/*
 * What the rows of AVX-512 IFMA for run-time moduli share: vectors of 8 lanes, limbs of 52 bits in words of 64, and the way from words to limbs
 * and back.
 *
 * A number of `count` limbs stands at limb: limb i at [i % L * LANES + i / L]. L vectors with one number in them; or, with L = count, one lane of as many vectors.
 */
#ifndef LIMBIC_ASM_MONT52_H
#define LIMBIC_ASM_MONT52_H

#include <immintrin.h>

#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "limbic/field.h"

typedef __m512i vec;

enum { LANES = 8, BITS = 52, MAX_WORDS = 64, MAX_LIMBS = 80 };
#define LIMB_MAX ((UINT64_C(1) << BITS) - 1)

/* Of loops over vectors of constant number. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

LIMBIC_INLINE vec zero(void) {
    return _mm512_setzero_si512();
}
LIMBIC_INLINE vec all(uint64_t a) {
    return _mm512_set1_epi64((long long)a);
}
LIMBIC_INLINE vec add(vec a, vec b) {
    return _mm512_add_epi64(a, b);
}
/* s + the lower, the upper half of the product of two limbs */
LIMBIC_INLINE vec low(vec s, vec a, vec b) {
    return _mm512_madd52lo_epu64(s, a, b);
}
LIMBIC_INLINE vec high(vec s, vec a, vec b) {
    return _mm512_madd52hi_epu64(s, a, b);
}

/* Limbs of a from bit `from` on, which may be below bit 0 by up to 512. */
static void spread(uint64_t *limb, const uint64_t *a, size_t n, ptrdiff_t from, size_t L, size_t count) {
    enum { BELOW = 8, ALL = BELOW + MAX_LIMBS * BITS / 64 + 3 };
    uint64_t wide[ALL];
    size_t bit = (size_t)(64 * BELOW + from);
    memset(wide, 0, sizeof wide);
    memcpy(wide + BELOW, a, 8 * n);
    for (size_t l = 0; l < count / L; l++)
        for (size_t v = 0; v < L; v++, bit += BITS) {
            const uint64_t *w = wide + bit / 64;
            limb[v * LANES + l] = (w[0] >> bit % 64 | w[1] << 1 << (63 - bit % 64)) & LIMB_MAX;
        }
    limbic_wipe(wide, sizeof wide);
}

/* How many bits a public exponent has without leading zeros. */
static inline size_t top_bit(const uint64_t *e, size_t e_bits) {
    while (e_bits > 0 && !(e[(e_bits - 1) / 64] >> ((e_bits - 1) % 64) & 1))
        e_bits--;
    return e_bits;
}

/* Limb `bit / BITS` of 2^bit, all others of which are zero. */
static inline uint64_t *power_limb(uint64_t *limb, size_t bit, size_t L) {
    return &limb[bit / BITS % L * LANES + bit / BITS / L];
}

/* r = a mod m for limbs of an a below 3m; count limbs have more bits than the words and one. */
static void store(uint64_t *r, const uint64_t *limb, const limbic_mont *x, size_t L, size_t count) {
    const size_t n = x->limbs;
    uint64_t t[MAX_WORDS + 1], m[MAX_WORDS + 1], word = 0;
    size_t bits = 0, i = 0;
    for (size_t l = 0; l < count / L; l++)
        for (size_t v = 0; v < L && i <= n; v++) {
            const uint64_t w = limb[v * LANES + l];
            word |= w << bits;
            bits += BITS;
            if (bits >= 64) {
                bits -= 64;
                t[i++] = word;
                word = w >> (BITS - bits);
            }
        }
    if (i <= n)
        t[i] = word;
    memcpy(m, x->m, 8 * n);
    m[n] = 0;
    limbic_words_reduce_once(t, t, m, n + 1);
    limbic_words_reduce_once(t, t, m, n + 1);
    memcpy(r, t, 8 * n);
    limbic_wipe(t, sizeof t);
    limbic_wipe(m, sizeof m);
}

#endif
