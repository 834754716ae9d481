/*
 * Eight field elements at once, one a lane, in a redundant form: for sources compiled per (ENGINE_UNIT, ENGINE_ISA).
 * ENGINE_UNIT is a field of class curve.
 *
 * An element is LFE_LIMBS limbs of radix 2^48, v[0] lowest, each lane its own; the value is the sum of v[j] 2^(48 j),
 * which stands for itself modulo m (P-384, P-521), or for itself / 2^240 (P-256, SM2: Montgomery's form). Sums carry
 * nothing, so that limbs grow; what a value may have grown to is its size:
 *
 *     size s: limb j is in [0, s T_j], T = limbic_<unit>_lanes_tight of src/consts, little more than 2^48
 *     tight: size 1
 *
 *     lanes_mul               sizes with a b <= 16, each <= 7                   give tight
 *     lanes_sqr               a <= 4                                            tight
 *     lanes_mul2              a b + c d <= 16, each <= 7                        tight
 *     lanes_mul_add, _sqr_add as lanes_mul, lanes_sqr, the summand <= 7         tight
 *     lanes_add               a + b <= 15                                       a + b
 *     lanes_sub               b tight, a <= 13                                  a + 2
 *     lanes_sub_n             b <= n, a + 2 n <= 15                             a + 2 n
 *     lanes_neg               a tight                                           2
 *     lanes_neg_n             a <= n, 2 n <= 15                                 2 n
 *     lanes_carry             a <= 15                                           tight
 *
 * tests/kernels/lanes_bounds.c runs these functions on intervals instead of numbers and so proves these sizes and that nothing in
 * them overflows (given what the comment of lanes_karatsuba says of a column); the products' operands stay below 2^52, which is what madd reads (15 T_j < 2^52; P-521 adds up two limbs first).
 *
 * r may be any operand. Constant time. Products are functions that are called (their code is long: inlined everywhere, it
 * does not fit the instruction cache); those with _inline are for the few places that gain by it.
 */
#ifndef LIMBIC_FIELD_LANES_H
#define LIMBIC_FIELD_LANES_H

#include "dispatch/vector.h"
#include "field/modarith.h"
#include "consts/p256.h"
#include "consts/p384.h"
#include "consts/p521.h"
#include "consts/sm2.h"

#define LANES_JOIN_(a, b, c) a##b##c
#define LANES_JOIN(a, b, c)  LANES_JOIN_(a, b, c)
#define LANES_CONST(name)    LANES_JOIN(limbic_, ENGINE_UNIT, _##name)
/* LANES_IS(unit) is 1 for this unit. */
#define LANES_ID_p256  1
#define LANES_ID_p384  2
#define LANES_ID_p521  3
#define LANES_ID_sm2   4
#define LANES_IS(unit) (LANES_JOIN(LANES_ID_, ENGINE_UNIT, ) == LANES_ID_##unit)

#define LANES_CALLED static __attribute__((noinline, unused))

enum {
    LFE_LIMBS = LANES_CONST(lanes_limbs),
    LFE_WORDS = LANES_CONST(limbs),
    LFE_BITS = 48,
    LFE_TOP_BITS = LANES_CONST(bits) - LFE_BITS * (LFE_LIMBS - 1), /* of m in the top limb */
};

static const uint64_t lfe_mask = (UINT64_C(1) << LFE_BITS) - 1,
                      lfe_top_mask = (UINT64_C(1) << LFE_TOP_BITS) - 1;
#define LFE_MASK     v8_broadcast(&lfe_mask)
#define LFE_TOP_MASK v8_broadcast(&lfe_top_mask)

typedef struct {
    v8 v[LFE_LIMBS];
} lfe;

/* ---- reduction ---- */

/* c += h 2^bits for a signed h of few bits, without touching the limbs' carries */
LIMBIC_INLINE void lanes_fold(v8 *c, v8 h) {
#if LANES_IS(p256) /* 2^256 = 2^224 - 2^192 - 2^96 + 1 */
    c[0] = v8_add(c[0], h);
    c[2] = v8_sub(c[2], h);
    c[4] = v8_add(c[4], v8_sub(v8_sll(h, 32), h));
#elif LANES_IS(sm2)  /* 2^256 = 2^224 + 2^96 - 2^64 + 1 */
    c[0] = v8_add(c[0], h);
    c[1] = v8_sub(c[1], v8_sll(h, 16));
    c[2] = v8_add(c[2], h);
    c[4] = v8_add(c[4], v8_sll(h, 32));
#elif LANES_IS(p384) /* 2^384 = 2^128 + 2^96 - 2^32 + 1 */
    v8 t = v8_sll(h, 32);
    c[0] = v8_add(c[0], v8_sub(h, t));
    c[2] = v8_add(c[2], v8_add(h, t));
#else                /* 2^521 = 1 */
    c[0] = v8_add(c[0], h);
#endif
}

/* r = c, whose limbs are not negative, each limb's carry handed one limb up; the top's own is in h already */
LIMBIC_INLINE void lanes_carry_once(lfe *r, const v8 *c) {
    v8 carry = v8_srl(c[0], LFE_BITS);
    r->v[0] = v8_and(c[0], LFE_MASK);
    LIMBIC_UNROLL
    for (int i = 1; i < LFE_LIMBS; i++) {
        v8 low = v8_and(c[i], i + 1 < LFE_LIMBS ? LFE_MASK : LFE_TOP_MASK), t = v8_add(low, carry);
        carry = v8_srl(c[i], LFE_BITS);
        r->v[i] = t;
    }
}

/* c += a multiple of m that makes every limb positive */
LIMBIC_INLINE void lanes_pad(v8 *c) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        c[i] = v8_add(c[i], v8_broadcast(&LANES_CONST(lanes_pad)[i]));
}

/* r = c + e (NULL: nothing), tight; limbs of c not negative, nor made so by what the fold takes away */
LIMBIC_INLINE void lanes_finish(lfe *r, v8 *c, const v8 *e) {
    v8 h;
    LIMBIC_UNROLL
    for (int i = 0; e && i < LFE_LIMBS; i++)
        c[i] = v8_add(c[i], e[i]);
    h = v8_srl(c[LFE_LIMBS - 1], LFE_TOP_BITS);
    lanes_fold(c, h);
    lanes_carry_once(r, c);
}

/* One product of n limbs each or the sum of two; e: a summand, or NULL. square: b is 2 a. */
typedef struct {
    const v8 *a, *b, *c, *d, *e;
    int n, pairs, square;
} lanes_factors;

LIMBIC_INLINE v8 lanes_term(v8 acc, const lanes_factors *f, int i, int k, int high) {
    const int j = k - i;
    if (j < 0 || j >= f->n || (f->square && i > j))
        return acc;
    const v8 b = f->square && i == j ? f->a[j] : f->b[j];
    acc = high ? v8_madd_hi(acc, f->a[i], b) : v8_madd_lo(acc, f->a[i], b);
    if (f->pairs == 2)
        acc = high ? v8_madd_hi(acc, f->c[i], f->d[j]) : v8_madd_lo(acc, f->c[i], f->d[j]);
    return acc;
}

/* Adds to lo[k] the low halves of column k, l0 <= k < l1, to hi[k] the high halves, h0 <= k < h1, which weigh 2^52: 2^4 in
 * column k + 1; wrap: and those of column k + wrap. What a column adds up is a chain, each product waiting for the last;
 * side by side the chains fill that time. */
LIMBIC_INLINE void lanes_columns(v8 *lo, v8 *hi, const lanes_factors *f, int l0, int l1, int h0, int h1,
                                 int wrap) {
    V8_UNROLL
    for (int i = 0; i < f->n; i++) {
        V8_UNROLL
        for (int k = l0; k < l1; k++) {
            lo[k] = lanes_term(lo[k], f, i, k, 0);
            if (wrap)
                lo[k + wrap] = lanes_term(lo[k + wrap], f, i, k + wrap, 0);
        }
        V8_UNROLL
        for (int k = h0; k < h1; k++) {
            hi[k] = lanes_term(hi[k], f, i, k, 1);
            if (wrap)
                hi[k + wrap] = lanes_term(hi[k + wrap], f, i, k + wrap, 1);
        }
    }
}

/* Begins the sums hi[k], k0 <= k < k1; 16 times the sums of column k + 1 - first bring its pad. */
LIMBIC_INLINE void lanes_start(v8 *hi, int k0, int k1, int first) {
    LIMBIC_UNROLL
    for (int k = k0; k < k1; k++) {
        const int j = k + 1 - first;
        hi[k] = j >= 0 && j < LFE_LIMBS ? v8_broadcast(&LANES_CONST(lanes_pad)[j]) : v8_set1(0);
    }
}

enum { LANES_GROUP = 4 }; /* columns side by side, their low and their high halves */

#if LANES_IS(p256) || LANES_IS(sm2)
/*
 * Montgomery from the low end: m = -1 modulo 2^96 (P-256), 2^64 (SM2), so that column k itself is the quotient digit q
 * and q m takes it away whole; no carry goes on. Digits are not cut to 48 bits, and may be negative.
 *     P-256   m + 1 = 2^256 - 2^224 + 2^192 + 2^96
 *     SM2     m + 1 = 2^256 - 2^224 - 2^96 + 2^64
 * x and y are the columns of what all digits make, times 2^32 and times 2^16; u and w what this one leaves to the next.
 */
LIMBIC_INLINE void lanes_digit(v8 *c, int k, v8 q, v8 *u, v8 *w) {
    v8 x = v8_add(v8_low_sll(q, 16, 32), *u), y = v8_add(v8_low_sll(q, 32, 16), *w);
    *u = v8_sra(q, 16);
    *w = v8_sra(q, 32);
#if LANES_IS(p256)
    c[k + 2] = v8_add(c[k + 2], q);
    c[k + 4] = v8_add(c[k + 4], v8_sub(q, x));
#else
    c[k + 1] = v8_add(c[k + 1], y);
    c[k + 2] = v8_sub(c[k + 2], q);
    c[k + 4] = v8_sub(c[k + 4], x);
#endif
    c[k + 5] = v8_add(c[k + 5], y);
}

/* Five digits; what is above 2^256 then is little and folds. The product of the top limbs, at most 16 (2^17)^2 < 2^52, has
 * no high half. */
LIMBIC_INLINE void lanes_product(lfe *r, const lanes_factors *f) {
    enum { DIGITS = LFE_LIMBS - 1, COLUMNS = 2 * LFE_LIMBS - 1, ROOM = COLUMNS + LANES_GROUP };
    v8 c[ROOM], lo[ROOM], hi[ROOM], u = v8_set1(0), w = v8_set1(0);
    LIMBIC_UNROLL
    for (int k = 0; k < ROOM; k++)
        c[k] = v8_set1(0);
    lanes_start(hi, 0, LANES_GROUP - 1, DIGITS);
    lanes_columns(lo, hi, f, 0, 0, 0, LANES_GROUP - 1, 0);
    LIMBIC_UNROLL
    for (int k = 0; k < COLUMNS; k += LANES_GROUP) {
        const int end = k + LANES_GROUP < COLUMNS ? k + LANES_GROUP : COLUMNS;
        const int next = k + LANES_GROUP - 1,
                  last = next + LANES_GROUP < COLUMNS - 1 ? next + LANES_GROUP : COLUMNS - 1;
        LIMBIC_UNROLL
        for (int g = k; g < end; g++)
            lo[g] = g ? v8_sll(hi[g - 1], 4) : v8_set1(0);
        lanes_start(hi, next, last, DIGITS);
        lanes_columns(lo, hi, f, k, end, next, last, 0);
        LIMBIC_UNROLL
        for (int g = k; g < end; g++) {
            c[g] = v8_add(c[g], lo[g]);
            if (g < DIGITS)
                lanes_digit(c, g, c[g], &u, &w);
            if (g == DIGITS - 1) {
#if LANES_IS(sm2)
                c[DIGITS + 1] = v8_add(c[DIGITS + 1], w);
#endif
                c[DIGITS + 4] = v8_sub(c[DIGITS + 4], u);
                c[DIGITS + 5] = v8_add(c[DIGITS + 5], w);
            }
        }
    }
    lanes_finish(r, c + DIGITS, f->e);
}

#elif LANES_IS(p384)
/* From the top: 2^384 = 2^128 + 2^96 - 2^32 + 1, and column k goes whole into k - 8, ... k - 5. x is column k + 1 of what all digits
 * make, times 2^32; t is what this one adds to column k of that. */
LIMBIC_INLINE void lanes_digit(v8 *c, int k, v8 q, v8 *t) {
    v8 x = v8_add(v8_sra(q, 16), *t);
    *t = v8_low_sll(q, 16, 32);
    c[k - 5] = v8_add(c[k - 5], x);
    c[k - 6] = v8_add(c[k - 6], q);
    c[k - 7] = v8_sub(c[k - 7], x);
    c[k - 8] = v8_add(c[k - 8], q);
}

LIMBIC_INLINE void lanes_product(lfe *r, const lanes_factors *f) {
    enum { COLUMNS = 2 * LFE_LIMBS };
    v8 c[COLUMNS], lo[COLUMNS], hi[COLUMNS], t = v8_set1(0);
    LIMBIC_UNROLL
    for (int k = 0; k < COLUMNS; k++)
        c[k] = v8_set1(0);
    lanes_start(hi, COLUMNS - LANES_GROUP - 1, COLUMNS - 1, 0);
    lanes_columns(lo, hi, f, 0, 0, COLUMNS - LANES_GROUP - 1, COLUMNS - 1, 0);
    LIMBIC_UNROLL
    for (int k = COLUMNS - LANES_GROUP; k >= 0; k -= LANES_GROUP) {
        const int next = k > LANES_GROUP ? k - LANES_GROUP - 1 : 0, last = k ? k - 1 : 0;
        LIMBIC_UNROLL
        for (int g = k; g < k + LANES_GROUP; g++)
            lo[g] = g ? v8_sll(hi[g - 1], 4) : v8_sll(v8_broadcast(&LANES_CONST(lanes_pad)[0]), 4);
        lanes_start(hi, next, last, 0);
        lanes_columns(lo, hi, f, k, k + LANES_GROUP, next, last, 0);
        LIMBIC_UNROLL
        for (int g = k + LANES_GROUP - 1; g >= k; g--) {
            c[g] = v8_add(c[g], lo[g]);
            if (g >= LFE_LIMBS)
                lanes_digit(c, g, c[g], &t);
            if (g == LFE_LIMBS) {
                c[0] = v8_sub(c[0], t);
                c[2] = v8_add(c[2], t);
            }
        }
    }
    lanes_finish(r, c, f->e);
}

#else
/* c[k] += column k of a product of n limbs, k < 2 n; pad: and 16 times limb k of that, above the lowest */
LIMBIC_INLINE void lanes_combine(v8 *c, const lanes_factors *f, int pad) {
    const int columns = 2 * f->n - 1, first = pad ? 0 : 2 * LFE_LIMBS;
    v8 lo[2 * LFE_LIMBS], hi[2 * LFE_LIMBS];
    lanes_start(hi, 0, LANES_GROUP - 1, first);
    lanes_columns(lo, hi, f, 0, 0, 0, LANES_GROUP - 1, 0);
    LIMBIC_UNROLL
    for (int k = 0; k < columns; k += LANES_GROUP) {
        const int end = k + LANES_GROUP < columns ? k + LANES_GROUP : columns;
        const int next = k + LANES_GROUP - 1,
                  last = next + LANES_GROUP < columns ? next + LANES_GROUP : columns;
        LIMBIC_UNROLL
        for (int g = k; g < end; g++)
            lo[g] = g ? v8_sll(hi[g - 1], 4) : v8_set1(0);
        lanes_start(hi, next, last, first);
        lanes_columns(lo, hi, f, k, end, next, last, 0);
        LIMBIC_UNROLL
        for (int g = k; g < end; g++)
            c[g] = v8_add(c[g], lo[g]);
    }
    c[columns] = v8_add(c[columns], v8_sll(hi[columns - 1], 4));
}

#ifndef LANES_CROSS
#define LANES_CROSS(d, f, k) (d)
#endif

/*
 * Karatsuba's product of 6 + 5 limbs: x, y the products of the low and of the high limbs, z that of their sums, so that a b = x
 * + (z - x - y) 2^(48 * 6) + y 2^(48 * 12); 2^(48 * 11) = 2^7. The limbs' products are not linear in their halves, but the values
 * are: column k of d = z - x - y stands for a number that may be negative. Of each of its pairs, with products p, q of the
 * parts and t >= 0 the mixed one, it has the low halves lo(p + q + t) - lo(p) - lo(q) in (-2^53, 2^52) and, a column
 * up, the high ones hi(p + q + t) - hi(p) - hi(q) in [0, hi(t) + 2]. All is modulo 2^64, and with 16 pad the sums are in [0, 2^64): x has it,
 * and z, where x takes it away again.
 */
LIMBIC_INLINE void lanes_karatsuba(lfe *r, const lanes_factors *f) {
    enum { LOW = (LFE_LIMBS + 1) / 2, HIGH = LFE_LIMBS - LOW };
    const v8 *a = f->a, *b = f->b;
    v8 c[LFE_LIMBS], x[2 * LOW], y[2 * LOW], as[LOW], bs[LOW];
    const lanes_factors fx = {a, b, NULL, NULL, NULL, LOW, 1, 0};
    const lanes_factors fy = {a + LOW, b + LOW, NULL, NULL, NULL, HIGH, 1, 0};
    const lanes_factors fz = {as, bs, NULL, NULL, NULL, LOW, 1, 0};
    LIMBIC_UNROLL
    for (int k = 0; k < 2 * LOW; k++)
        x[k] = y[k] = v8_set1(0);
    lanes_combine(x, &fx, 1);
    lanes_combine(y, &fy, 0);
    LIMBIC_UNROLL
    for (int k = 0; k < LFE_LIMBS; k++) {
        v8 wrapped = k ? y[k - 1] : x[2 * LOW - 1];
        c[k] = v8_add(x[k], v8_sll(wrapped, 7));
    }
    c[0] = v8_add(c[0], v8_sll(v8_broadcast(&LANES_CONST(lanes_pad)[0]), 4));
    LIMBIC_UNROLL
    for (int k = 0; k < LOW; k++) {
        as[k] = k < HIGH ? v8_add(a[k], a[k + LOW]) : a[k];
        bs[k] = k < HIGH ? v8_add(b[k], b[k + LOW]) : b[k];
    }
    LIMBIC_UNROLL
    for (int k = 0; k < 2 * LOW; k++)
        x[k] = v8_sub(v8_set1(0), v8_add(x[k], y[k]));
    lanes_combine(x, &fz, 1);
    LIMBIC_UNROLL
    for (int k = 0; k < 2 * LOW; k++) {
        v8 d = LANES_CROSS(x[k], &fx, k);
        if (k + LOW < LFE_LIMBS)
            c[k + LOW] = v8_add(c[k + LOW], d);
        else
            c[k + LOW - LFE_LIMBS] = v8_add(c[k + LOW - LFE_LIMBS], v8_sll(d, 7));
    }
    lanes_finish(r, c, f->e);
}

/* Of squares, for which that does not pay: column k + 11 comes to column k, times 2^7. Unsigned, below 2^64. */
LIMBIC_INLINE void lanes_square_step(v8 *c, v8 *lo, v8 *hi, const lanes_factors *f, int k, int n) {
    lanes_columns(lo, hi, f, k, k + n, k, k + n, LFE_LIMBS);
    LIMBIC_UNROLL
    for (int g = k; g < k + n; g++) {
        v8 wrapped = v8_add(lo[g + LFE_LIMBS], v8_sll(hi[g + LFE_LIMBS - 1], 4));
        c[g] = v8_add(g ? v8_add(lo[g], v8_sll(hi[g - 1], 4)) : lo[g], v8_sll(wrapped, 7));
    }
}

LIMBIC_INLINE void lanes_square(lfe *r, const lanes_factors *f) {
    v8 c[LFE_LIMBS], lo[2 * LFE_LIMBS], hi[2 * LFE_LIMBS];
    LIMBIC_UNROLL
    for (int k = 0; k < 2 * LFE_LIMBS; k++)
        lo[k] = hi[k] = v8_set1(0);
    lanes_columns(lo, hi, f, 0, 0, LFE_LIMBS - 1, LFE_LIMBS, 0);
    lanes_square_step(c, lo, hi, f, 0, 2); /* not a loop: that is too much to unroll for some compilers */
    lanes_square_step(c, lo, hi, f, 2, 2);
    lanes_square_step(c, lo, hi, f, 4, 2);
    lanes_square_step(c, lo, hi, f, 6, 2);
    lanes_square_step(c, lo, hi, f, 8, 2);
    lanes_columns(lo, hi, f, 10, 11, 0, 0, LFE_LIMBS);
    c[10] = v8_add(v8_add(lo[10], v8_sll(hi[9], 4)), v8_sll(v8_add(lo[21], v8_sll(hi[20], 4)), 7));
    lanes_finish(r, c, f->e);
}

LIMBIC_INLINE void lanes_product(lfe *r, const lanes_factors *f) {
    if (f->square)
        lanes_square(r, f);
    else
        lanes_karatsuba(r, f);
}
#endif

/* ---- products ---- */

/* e may be NULL */
LIMBIC_INLINE void lanes_mul_inline(lfe *r, const lfe *a, const lfe *b, const lfe *e) {
    const lanes_factors f = {a->v, b->v, NULL, NULL, e ? e->v : NULL, LFE_LIMBS, 1, 0};
    lfe t;
    lanes_product(&t, &f);
    *r = t;
}

LIMBIC_INLINE void lanes_sqr_inline(lfe *r, const lfe *a, const lfe *e) {
    v8 twice[LFE_LIMBS];
    const lanes_factors f = {a->v, twice, NULL, NULL, e ? e->v : NULL, LFE_LIMBS, 1, 1};
    lfe t;
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        twice[i] = v8_add(a->v[i], a->v[i]);
    lanes_product(&t, &f);
    *r = t;
}

LANES_CALLED void lanes_mul(lfe *r, const lfe *a, const lfe *b) {
    lanes_mul_inline(r, a, b, NULL);
}

LANES_CALLED void lanes_sqr(lfe *r, const lfe *a) {
    lanes_sqr_inline(r, a, NULL);
}

/* r = a b + e, a^2 + e: a difference that needs no carrying of its own */
LANES_CALLED void lanes_mul_add(lfe *r, const lfe *a, const lfe *b, const lfe *e) {
    lanes_mul_inline(r, a, b, e);
}

LANES_CALLED void lanes_sqr_add(lfe *r, const lfe *a, const lfe *e) {
    lanes_sqr_inline(r, a, e);
}

/* ---- sums ---- */

LIMBIC_INLINE void lanes_add(lfe *r, const lfe *a, const lfe *b) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_add(a->v[i], b->v[i]);
}

/* r = a - b, as a + n K - b: K is a multiple of m whose limbs are T_j to 2 T_j */
LIMBIC_INLINE void lanes_sub_n(lfe *r, const lfe *a, const lfe *b, unsigned n) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_sub(v8_add(a->v[i], v8_set1(n * LANES_CONST(lanes_multiple)[i])), b->v[i]);
}

LIMBIC_INLINE void lanes_sub(lfe *r, const lfe *a, const lfe *b) {
    lanes_sub_n(r, a, b, 1);
}

/* r = -a, as n K - a */
LIMBIC_INLINE void lanes_neg_n(lfe *r, const lfe *a, unsigned n) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_sub(v8_set1(n * LANES_CONST(lanes_multiple)[i]), a->v[i]);
}

LIMBIC_INLINE void lanes_neg(lfe *r, const lfe *a) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_sub(v8_broadcast(&LANES_CONST(lanes_multiple)[i]), a->v[i]);
}

LIMBIC_INLINE void lanes_carry(lfe *r, const lfe *a) {
    v8 c[LFE_LIMBS];
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        c[i] = a->v[i];
    if (!LANES_IS(p521)) /* whose fold takes nothing away */
        lanes_pad(c);
    lanes_finish(r, c, NULL);
}

/* r = a b + c d */
LANES_CALLED void lanes_mul2(lfe *r, const lfe *a, const lfe *b, const lfe *c, const lfe *d) {
    lfe t;
#if LANES_IS(p521) /* one reduction is less than what Karatsuba saves twice */
    lfe u;
    lanes_mul(&t, a, b);
    lanes_mul(&u, c, d);
    lanes_add(&t, &t, &u);
    lanes_carry(r, &t);
#else
    const lanes_factors f = {a->v, b->v, c->v, d->v, NULL, LFE_LIMBS, 2, 0};
    lanes_product(&t, &f);
    *r = t;
#endif
}

/* r = a where the mask has a one, else b */
LIMBIC_INLINE void lanes_select(lfe *r, v8_mask mask, const lfe *a, const lfe *b) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_select(mask, b->v[i], a->v[i]);
}

/* Lane i of r is lane order_i of a, or of a and b (8 to 15). */
LIMBIC_INLINE void lanes_permute(lfe *r, const lfe *a, v8 order) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_permute(a->v[i], order);
}

LIMBIC_INLINE void lanes_permute2(lfe *r, const lfe *a, const lfe *b, v8 order) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_permute2(a->v[i], b->v[i], order);
}

/* The same constant in all lanes. */
LIMBIC_INLINE void lanes_set1(lfe *r, const uint64_t *limbs) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_broadcast(&limbs[i]);
}

LIMBIC_INLINE void lanes_one(lfe *r) {
    lanes_set1(r, LANES_CONST(lanes_one));
}

/* ---- canonical values, words ---- */

/* Carries to the top, which keeps its own. */
LIMBIC_INLINE void lanes_ripple(v8 *c) {
    LIMBIC_UNROLL
    for (int i = 0; i + 1 < LFE_LIMBS; i++) {
        c[i + 1] = v8_add(c[i + 1], v8_sra(c[i], LFE_BITS));
        c[i] = v8_and(c[i], LFE_MASK);
    }
}

/* r = a mod m in [0, m), limbs below 2^48; a tight. Above 2^bits there is at most a 1 to fold, and the other limbs, with what
 * they have above 48 bits, stay below 2^bits + 2^(bits - 15): the sum is below 2 m, and m is taken away at most once. */
LIMBIC_INLINE void lanes_canonical(lfe *r, const lfe *a) {
    v8 c[LFE_LIMBS], d[LFE_LIMBS], h;
    v8_mask above;
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        c[i] = a->v[i];
    h = v8_srl(c[LFE_LIMBS - 1], LFE_TOP_BITS);
    c[LFE_LIMBS - 1] = v8_and(c[LFE_LIMBS - 1], LFE_TOP_MASK);
    lanes_fold(c, h);
    lanes_ripple(c);
    /* c - m + 2^bits: it has that bit where c is not below m */
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        d[i] = c[i];
    lanes_fold(d, v8_set1(1));
    lanes_ripple(d);
    above = v8_eq(v8_srl(d[LFE_LIMBS - 1], LFE_TOP_BITS), v8_set1(1));
    d[LFE_LIMBS - 1] = v8_and(d[LFE_LIMBS - 1], LFE_TOP_MASK);
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++)
        r->v[i] = v8_select(above, c[i], d[i]);
}

/* The lanes where a, tight, is 0 mod m. */
LANES_CALLED v8_mask lanes_is_zero_mask(const lfe *a) {
    lfe t;
    v8 any;
    lanes_canonical(&t, a);
    any = t.v[0];
    LIMBIC_UNROLL
    for (int i = 1; i < LFE_LIMBS; i++)
        any = v8_or(any, t.v[i]);
    return v8_eq(any, v8_set1(0));
}

/* Limbs of 48 bits from words of 64: w[j] holds word j of each lane. Any words below 2^bits: tight. */
LIMBIC_INLINE void lanes_unpack(lfe *r, const v8 *w) {
    LIMBIC_UNROLL
    for (int i = 0; i < LFE_LIMBS; i++) {
        const unsigned bit = LFE_BITS * (unsigned)i, k = bit / 64, s = bit % 64;
        v8 x = s ? v8_srl(w[k], s) : w[k];
        if (s > 64 - LFE_BITS && k + 1 < LFE_WORDS)
            x = v8_or(x, v8_sll(w[k + 1], 64 - s));
        r->v[i] = v8_and(x, LFE_MASK);
    }
}

/* Back; a canonical, or at least of limbs below 2^48. */
LIMBIC_INLINE void lanes_pack(v8 *w, const lfe *a) {
    LIMBIC_UNROLL
    for (unsigned k = 0; k < LFE_WORDS; k++) {
        const unsigned i = 64 * k / LFE_BITS, s = 64 * k % LFE_BITS;
        w[k] = s ? v8_srl(a->v[i], s) : a->v[i];
        if (i + 1 < LFE_LIMBS)
            w[k] = v8_or(w[k], v8_sll(a->v[i + 1], LFE_BITS - s));
        if (2 * LFE_BITS - s < 64 && i + 2 < LFE_LIMBS)
            w[k] = v8_or(w[k], v8_sll(a->v[i + 2], 2 * LFE_BITS - s));
    }
}

/* r = a f for one of the constants below, nothing if that is 1 */
LIMBIC_INLINE void lanes_scale(lfe *r, const lfe *a, const uint64_t *factor) {
    lfe t;
    uint64_t rest = factor[0] ^ 1;
    LIMBIC_UNROLL
    for (int i = 1; i < LFE_LIMBS; i++)
        rest |= factor[i];
    if (rest) {
        lanes_set1(&t, factor);
        lanes_mul(r, a, &t);
    } else {
        *r = *a;
    }
}

/* Residues as dispatch/ops.def has them, packed as for lanes_unpack, to lanes: tight. */
LIMBIC_INLINE void lanes_from_packed(lfe *r, const v8 *w) {
    lanes_unpack(r, w);
    lanes_scale(r, r, LANES_CONST(lanes_in));
}

/* Back: a of a size of up to 7, w canonical. */
LIMBIC_INLINE void lanes_to_packed(v8 *w, const lfe *a) {
    lfe t;
    lanes_scale(&t, a, LANES_CONST(lanes_out));
    if (LANES_IS(p521))
        lanes_carry(&t, &t);
    lanes_canonical(&t, &t);
    lanes_pack(w, &t);
}

/* Eight residues, lane i at words + i stride. */
LANES_CALLED void lanes_from_residues(lfe *r, const uint64_t *words, size_t stride) {
    v8 w[LFE_WORDS];
    for (int k = 0; k < LFE_WORDS; k++)
        w[k] = v8_gather(words + k, stride);
    lanes_from_packed(r, w);
}

LANES_CALLED void lanes_to_residues(uint64_t *words, size_t stride, const lfe *a) {
    v8 w[LFE_WORDS];
    lanes_to_packed(w, a);
    for (int k = 0; k < LFE_WORDS; k++)
        v8_scatter(words + k, stride, w[k]);
}

#endif
