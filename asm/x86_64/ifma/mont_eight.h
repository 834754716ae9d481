/*
 * Powers modulo up to eight odd numbers of one run-time length at once, a lane each: vector i has limb i of all. N limbs of 52 bits, a multiple of BLOCK,
 * by which loops go.
 *
 * Products are Montgomery's by R' = 2^(52 N), with m <= R'/16: of operands below 2m the result is below 4 m^2 / R' + m, so below 2m again.
 */
#ifndef LIMBIC_ASM_MONT_EIGHT_H
#define LIMBIC_ASM_MONT_EIGHT_H

#include "asm/x86_64/ifma/mont52.h"

enum { BLOCK = 5, EIGHT_WINDOW = 4, EIGHT_ENTRIES = 1 << EIGHT_WINDOW };

/* Not loops: compilers then keep arrays in registers. */
#define FIVE(f, j) f(0, j) f(1, j) f(2, j) f(3, j) f(4, j)

/* Sums s of limbs 0 to 2 BLOCK += d b, of BLOCK limbs each. */
LIMBIC_INLINE void block(vec *s, const vec *d, const vec *b) {
#define TERM(i, j)                                                                                           \
    s[i + j] = low(s[i + j], d[i], b[j]);                                                                    \
    s[i + j + 1] = high(s[i + j + 1], d[i], b[j]);
    FIVE(TERM, 0)
    FIVE(TERM, 1)
    FIVE(TERM, 2)
    FIVE(TERM, 3)
    FIVE(TERM, 4)
}

/* sums of limbs BLOCK to N + BLOCK - 1 += d b and what s has, from the first BLOCK limbs of b, of limbs BLOCK to 2 BLOCK. */
LIMBIC_INLINE void row(vec *sums, const vec *s, const vec *d, const vec *b, size_t N) {
    vec w[2 * BLOCK + 1];
#define FROM(i, k) w[i] = s[i + BLOCK];
    FIVE(FROM, 0)
    FROM(5, 0)
#pragma GCC unroll 1
    for (size_t j = BLOCK; j < N; j += BLOCK) {
#define CLEAR(i, k) w[i + BLOCK + 1] = zero();
        FIVE(CLEAR, 0)
        block(w, d, b + j);
#define PASS(i, k)                                                                                           \
    sums[j + i] = add(sums[j + i], w[i]);                                                                    \
    w[i] = w[i + BLOCK];
        FIVE(PASS, 0)
        w[BLOCK] = w[2 * BLOCK];
    }
#define LAST(i, k) sums[N + i] = add(sums[N + i], w[i]);
    FIVE(LAST, 0) /* the one above them is zero still: the upper half of no product */
}

struct eight {
    size_t N;
    const vec *m;
    vec k; /* -1/m mod 2^52 */
};

/* q with s + q m = 0 modulo 2^(52 BLOCK): t is what it adds to limbs BLOCK to 2 BLOCK. */
LIMBIC_INLINE void quotients(vec *q, vec *t, vec *s, const struct eight *x) {
    vec carry = zero();
    UNROLL
    for (int i = 0; i <= 2 * BLOCK; i++)
        t[i] = zero();
    UNROLL
    for (int i = 0; i < BLOCK; i++) {
        s[i] = add(add(s[i], carry), t[i]);
        q[i] = low(zero(), s[i], x->k);
        carry = _mm512_srli_epi64(low(s[i], q[i], x->m[0]), BITS);
        UNROLL
        for (int j = 0; j < BLOCK; j++) {
            if (j > 0)
                t[i + j] = low(t[i + j], q[i], x->m[j]);
            t[i + j + 1] = high(t[i + j + 1], q[i], x->m[j]);
        }
    }
    t[BLOCK] = add(t[BLOCK], carry);
}

/* The sums of N limbs, each below 2^61, with carries */
LIMBIC_INLINE void carry_on(vec *r, const vec *sums, size_t N) {
    vec carry = zero();
    for (size_t i = 0; i < N; i++) {
        const vec t = add(sums[i], carry);
        carry = _mm512_srli_epi64(t, BITS);
        r[i] = _mm512_and_si512(t, all(LIMB_MAX));
    }
}

/* r = a b / R'. At most 4 N terms below 2^52 come to a limb. r may be a or b. */
static __attribute__((noinline)) void eight_times(vec *r, const vec *a, const vec *b, const struct eight *x) {
    const size_t N = x->N;
    vec sums[2 * N];
    for (size_t i = 0; i < 2 * N; i++)
        sums[i] = zero();
    for (size_t i = 0; i < N; i += BLOCK) {
        vec *at = sums + i, s[2 * BLOCK + 1], t[2 * BLOCK + 1], q[BLOCK], d[BLOCK];
        UNROLL
        for (int j = 0; j < BLOCK; j++) {
            s[j] = at[j];
            d[j] = a[i + (size_t)j];
        }
        UNROLL
        for (int j = BLOCK; j <= 2 * BLOCK; j++)
            s[j] = zero();
        block(s, d, b);
        quotients(q, t, s, x);
        row(at, s, d, b, N); /* needs no q: fills the time that they take */
        row(at, t, q, x->m, N);
    }
    carry_on(r, sums + N, N);
}

/* r = a^2 / R': products of different limbs once, the sum of them doubled. Terms as in eight_times. */
static __attribute__((noinline)) void eight_square(vec *r, const vec *a, const struct eight *x) {
    const size_t N = x->N;
    vec sums[2 * N];
    for (size_t i = 0; i < 2 * N; i++)
        sums[i] = zero();
    for (size_t i = 0; i < N; i += BLOCK) {
        vec *at = sums + 2 * i, s[2 * BLOCK + 1], d[BLOCK];
        UNROLL
        for (int j = 0; j < BLOCK; j++)
            d[j] = a[i + (size_t)j];
        UNROLL
        for (int j = 0; j <= 2 * BLOCK; j++)
            s[j] = zero();
        UNROLL
        for (int j = 0; j < BLOCK; j++) {
            UNROLL
            for (int k = j + 1; k < BLOCK; k++) {
                s[j + k] = low(s[j + k], d[j], d[k]);
                s[j + k + 1] = high(s[j + k + 1], d[j], d[k]);
            }
        }
        UNROLL
        for (int j = 0; j < BLOCK; j++)
            at[j] = add(at[j], s[j]);
        row(at, s, d, a + i, N - i);
    }
    for (size_t i = 0; i < N; i++) {
        sums[2 * i] = low(add(sums[2 * i], sums[2 * i]), a[i], a[i]);
        sums[2 * i + 1] = high(add(sums[2 * i + 1], sums[2 * i + 1]), a[i], a[i]);
    }
    for (size_t i = 0; i < N; i += BLOCK) {
        vec *at = sums + i, t[2 * BLOCK + 1], q[BLOCK];
        quotients(q, t, at, x);
        row(at, t, q, x->m, N);
    }
    carry_on(r, sums + N, N);
}

/* r = table[digit] in each lane, found by looking at all entries */
static void eight_look_up(vec *r, const vec *table, const uint64_t *digit, size_t N) {
    const vec d = _mm512_loadu_si512(digit);
    vec mask[EIGHT_ENTRIES];
    for (size_t i = 0; i < EIGHT_ENTRIES; i++)
        mask[i] = _mm512_movm_epi64(_mm512_cmpeq_epi64_mask(all(i), d));
    for (size_t v = 0; v < N; v++) {
        vec found = zero();
        UNROLL
        for (size_t i = 0; i < EIGHT_ENTRIES; i++)
            found = _mm512_or_si512(found, _mm512_and_si512(mask[i], table[i * N + v]));
        r[v] = found;
    }
}

/* s = table[1]^e for windows of the lanes' exponents; t is scratch. */
LIMBIC_INLINE void eight_secret(vec *s, vec *t, vec *table, const uint64_t *e, size_t e_bits, size_t count,
                                const struct eight *y) {
    const size_t N = y->N, e_words = (e_bits + 63) / 64;
    uint64_t digit[LANES];
    for (size_t i = 2; i < EIGHT_ENTRIES; i += 2) {
        eight_square(table + i * N, table + i / 2 * N, y);
        eight_times(table + (i + 1) * N, table + i * N, table + N, y);
    }
    memcpy(s, table, N * sizeof(vec));
    for (size_t i = (e_bits + EIGHT_WINDOW - 1) / EIGHT_WINDOW, first = i; i-- > 0;) {
        for (size_t lane = 0; lane < LANES; lane++)
            digit[lane] =
                limbic_words_window(e + (lane < count ? lane : 0) * e_words, e_bits, EIGHT_WINDOW, i);
        if (i + 1 == first) {
            eight_look_up(s, table, digit, N);
            continue;
        }
        for (int j = 0; j < EIGHT_WINDOW; j++)
            eight_square(s, s, y);
        eight_look_up(t, table, digit, N);
        eight_times(s, s, t, y);
    }
    limbic_wipe(digit, sizeof digit);
}

/* s = a^e, e public, above 0 and the same in all lanes */
LIMBIC_INLINE void eight_public(vec *s, const vec *a, const uint64_t *e, size_t e_bits,
                                const struct eight *y) {
    memcpy(s, a, y->N * sizeof(vec));
    for (size_t i = top_bit(e, e_bits); i-- > 1;) {
        eight_square(s, s, y);
        if (e[(i - 1) / 64] >> ((i - 1) % 64) & 1)
            eight_times(s, s, a, y);
    }
}

/* Of `count` moduli, 1 to 8: numbers, exponents and results one after the other. The other lanes repeat the first. is_public: one exponent, not 0, for all; numbers are
 * plain, no residues. */
static __attribute__((noinline)) void eight_powers(uint64_t *r, const uint64_t *a, const uint64_t *e,
                                                   size_t e_bits, const limbic_mont *const *x, size_t count,
                                                   int is_public) {
    const size_t n = x[0]->limbs, entries = is_public ? 2 : EIGHT_ENTRIES;
    const size_t N = ((64 * n + 4 + BITS - 1) / BITS + BLOCK - 1) / BLOCK * BLOCK, slack = BITS * N - 64 * n;
    vec m[N], s[N], t[N], table[entries * N];
    uint64_t k[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        const size_t which = lane < count ? lane : 0;
        spread((uint64_t *)m + lane, x[which]->m, n, 0, N, N);
        spread((uint64_t *)t + lane, x[which]->rr, n, 0, N, N);
        spread((uint64_t *)table + lane, is_public ? x[which]->rr : x[which]->one, n, 0, N, N);
        spread((uint64_t *)s + lane, a + which * n, n, 0, N, N);
        k[lane] = x[which]->n0;
    }
    const struct eight y = {N, m, _mm512_loadu_si512(k)};

    /* R'^2 / R = R^2 2^(3 slack) / R' turns a residue into one by R', R turns it back; R'^2 and 1 do that with a plain number. */
    vec *const power = table + N;
    memset(power, 0, sizeof t);
    power[3 * slack / BITS] = all(UINT64_C(1) << 3 * slack % BITS);
    eight_times(t, t, power, &y);
    eight_times(table, table, t, &y); /* R', or R R' */
    if (is_public)
        eight_times(t, t, table, &y);
    eight_times(s, s, t, &y);
    memcpy(table + N, s, sizeof s);
    if (is_public)
        eight_public(s, table + N, e, e_bits, &y);
    else
        eight_secret(s, t, table, e, e_bits, count, &y);
    memset(t, 0, sizeof t);
    t[0] = all(1);
    for (size_t lane = 0; lane < LANES && !is_public; lane++)
        spread((uint64_t *)t + lane, x[lane < count ? lane : 0]->one, n, 0, N, N);
    eight_times(s, s, t, &y);
    for (size_t lane = 0; lane < count; lane++)
        store(r + lane * n, (const uint64_t *)s + lane, x[lane], N, N);
    limbic_wipe(m, sizeof m);
    limbic_wipe(s, sizeof s);
    limbic_wipe(t, sizeof t);
    limbic_wipe(table, sizeof table);
    limbic_wipe(k, sizeof k);
    limbic_wipe_stack_beyond(BELOW);
}

#endif
