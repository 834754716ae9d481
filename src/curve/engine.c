/*
 * Points of a curve y^2 = x^3 - 3x + b of prime order n: compiled once per (ENGINE_UNIT, ENGINE_ISA), with direct calls to that
 * instruction set's kernels. The operations are those of class curve in dispatch/ops.def.
 *
 * What secrets leave on the stack here, the public functions wipe (limbic_wipe_stack).
 */
#include "dispatch/dispatch.h"
#include "dispatch/engine.h"
#include "curve/digits.h"
#include "field/modarith.h"

typedef uint64_t fe[W];
typedef struct {
    fe x, y;
} affine;
typedef struct {
    fe x, y, z;
} jacobian;
/* x/zz, y/zzz with zz^3 = zzz^2: the cheapest sum of affine points (8M + 2S an addition) */
typedef struct {
    fe x, y, zz, zzz;
} xyzz;
/* a point of the curve with s z for its z, for some s: w = (s z)^4, kept from step to step */
typedef struct {
    fe x, y, z, w;
} scaled;

_Static_assert(sizeof(jacobian) == 3 * W * sizeof(uint64_t) && sizeof(affine) == 2 * W * sizeof(uint64_t),
               "no padding");

static inline void mul(fe r, const fe a, const fe b) {
    KERNEL_OF(_mul_, ENGINE_MUL)(r, a, b);
}
static inline void sqr(fe r, const fe a) {
    KERNEL_OF(_sqr_, ENGINE_SQR)(r, a);
}
/* The doubling's products: most of the time goes there. Portable ones of four words are inlined, which saves a twentieth, where a product of words
 * is one instruction; and the two of a b - c^2 are reduced as one. */
#define FOUR_p256 1 /* words */
#define FOUR_p384 0
#define FOUR_p521 0
#define FOUR_sm2  1
#define FOUR      JOIN(FOUR_, ENGINE_UNIT, , , )
#if defined(ENGINE_c) && !defined(LIMBIC_NO_INT128) && FOUR
#define INLINED 1
#include "field/p256.h"
#include "field/sm2.h"
#define dbl_mul(r, a, b) JOIN(ENGINE_UNIT, _product, , , )(r, a, b, 0)
#define dbl_sqr(r, a)    JOIN(ENGINE_UNIT, _product, , , )(r, a, a, 1)
#else
#define INLINED 0
#define dbl_mul mul
#define dbl_sqr sqr
#endif
#ifdef ENGINE_ADD
static inline void add(fe r, const fe a, const fe b) {
    KERNEL_OF(_add_, ENGINE_ADD)(r, a, b);
}
static inline void sub(fe r, const fe a, const fe b) {
    KERNEL_OF(_sub_, ENGINE_ADD)(r, a, b);
}
#else
static inline void add(fe r, const fe a, const fe b) {
    limbic_mod_add(r, a, b, CONST(m), W);
}
static inline void sub(fe r, const fe a, const fe b) {
    limbic_mod_sub(r, a, b, CONST(m), W);
}
#endif
static inline void twice(fe r, const fe a) {
    if (limbic_mod_mersenne(CONST(m), W)) /* a rotation, which needs no kernel */
        limbic_mod_twice(r, a, CONST(m), W);
    else
        add(r, a, a);
}
static inline void neg(fe r, const fe a) {
    limbic_mod_neg(r, a, CONST(m), W);
}
static inline void half(fe r, const fe a) {
    limbic_mod_half(r, a, CONST(m), W);
}
static inline void copy(fe r, const fe a) {
    memcpy(r, a, sizeof(fe));
}
static inline uint64_t zero_mask(const fe a) {
    return limbic_words_zero_mask(a, W);
}
static inline void pick(fe r, uint64_t mask, const fe a, const fe b) {
    limbic_words_select(r, mask, a, b, W);
}

static inline void negate_if(fe y, uint64_t mask) {
    fe t;
    neg(t, y);
    pick(y, mask, y, t);
}

/* r = a b - c^2 */
LIMBIC_INLINE void dbl_mul_less_sqr(fe r, const fe a, const fe b, const fe c) {
    fe t;
#if INLINED
    (void)limbic_words_sub(t, CONST(m), c, W, 1); /* no borrow; it may be m */
    JOIN(ENGINE_UNIT, _product_sum, , , )(r, a, b, t, c);
#else
    sqr(t, c);
    mul(r, a, b);
    sub(r, r, t);
#endif
}

/*
 * What all forms of addition share: x3 = R^2 - H^3 - 2 U H^2, y3 = R (U H^2 - x3) - S H^3 for H = U2 - U, R = S2 - S, in
 * two steps; between them the caller multiplies its z by H, or by H^2 and H^3.
 */
typedef struct {
    fe h, r, hh, hhh, v, t;
} chord;

/* x3 may be u. */
static inline void chord_x(chord *c, fe x3, const fe u, const fe s) {
    fe rr, w;
    sqr(c->hh, c->h);
    sqr(rr, c->r);
    mul(c->hhh, c->h, c->hh);
    mul(c->v, u, c->hh);
    mul(c->t, s, c->hhh);
    twice(w, c->v);
    add(w, w, c->hhh);
    sub(x3, rr, w);
    sub(c->v, c->v, x3);
}

static inline void chord_y(chord *c, fe y3) {
    mul(c->v, c->v, c->r);
    sub(y3, c->v, c->t);
}

/* H and R of a point with z and an affine one */
LIMBIC_INLINE void affine_chord(chord *c, const fe x, const fe y, const fe z, const affine *b) {
    fe zz, zzz;
    sqr(zz, z);
    mul(zzz, zz, z);
    mul(c->h, b->x, zz);
    mul(c->r, b->y, zzz);
    sub(c->h, c->h, x);
    sub(c->r, c->r, y);
}

/* ---- the steps of the multiplications ---- */

#if FOUR && defined(ENGINE_STEPS)
#define STEPS_ARE_KERNELS 1
#else
#define STEPS_ARE_KERNELS 0
#endif

/*
 * r = 2a, 4M + 4S: N = 3/2 (x^2 - z^4), D = x y^2, x' = N^2 - 2D, y' = N (D - x') - y^4, z' = y z: the usual formula
 * with z' = 2 y z, scaled by 1/2, which takes fewer additions. Infinity (z = 0) gives infinity. Of the two
 * forms below, which differ in x^2 - z^4 and y', this is the rest: n is the former and becomes N, yy is y^2; d = D - x'.
 */
LIMBIC_INLINE void tangent(jacobian *r, const fe x, const fe y, const fe z, fe d, fe n, const fe yy) {
    /* what does not depend on each other stands together, here and below: the CPU overlaps it */
    fe t;
    dbl_mul(d, x, yy);
    dbl_mul(r->z, y, z);
    half(t, n);
    add(n, n, t);
    dbl_sqr(r->x, n);
    twice(t, d);
    sub(r->x, r->x, t);
    sub(d, d, r->x);
}

void OP(point_dbl)(uint64_t *r, const uint64_t *a) {
    jacobian *s = (jacobian *)r;
    const jacobian *p = (const jacobian *)a;
    fe d, n, t, yy;
    dbl_sqr(t, p->z);
    dbl_sqr(yy, p->y);
    sub(n, p->x, t);
    add(t, p->x, t);
    dbl_mul(n, n, t);
    tangent(s, p->x, p->y, p->z, d, n, yy);
    dbl_mul_less_sqr(s->y, d, n, yy);
}

#if !STEPS_ARE_KERNELS
void OP(scaled_dbl)(uint64_t *r, const uint64_t *a) {
    scaled *s = (scaled *)r;
    const scaled *p = (const scaled *)a;
    jacobian t;
    fe d, n, yy;
    dbl_sqr(n, p->x);
    dbl_sqr(yy, p->y);
    sub(n, n, p->w);
    tangent(&t, p->x, p->y, p->z, d, n, yy);
    dbl_sqr(yy, yy);
    dbl_mul(d, d, n);
    dbl_mul(s->w, p->w, yy);
    sub(t.y, d, yy);
    memcpy(s, &t, sizeof t);
}

/* 9M + 4S */
void OP(scaled_add)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    scaled *s = (scaled *)r;
    const scaled *p = (const scaled *)a;
    chord c;
    affine_chord(&c, p->x, p->y, p->z, (const affine *)b);
    chord_x(&c, s->x, p->x, p->y);
    mul(s->z, p->z, c.h);
    sqr(c.hh, c.hh);
    mul(s->w, p->w, c.hh);
    chord_y(&c, s->y);
}

/* 8M + 2S */
void OP(xyzz_add)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    xyzz *s = (xyzz *)r;
    const xyzz *p = (const xyzz *)a;
    const affine *q = (const affine *)b;
    chord c;
    mul(c.h, q->x, p->zz);
    mul(c.r, q->y, p->zzz);
    sub(c.h, c.h, p->x);
    sub(c.r, c.r, p->y);
    chord_x(&c, s->x, p->x, p->y);
    mul(s->zz, p->zz, c.hh);
    mul(s->zzz, p->zzz, c.hhh);
    chord_y(&c, s->y);
}
#endif

static void scaled_dbl(scaled *a) {
    OP(scaled_dbl)((uint64_t *)a, (const uint64_t *)a);
}

static void dbl(jacobian *r, const jacobian *a) {
    OP(point_dbl)((uint64_t *)r, (const uint64_t *)a);
}

static void xyzz_add(xyzz *a, const affine *b) {
    OP(xyzz_add)((uint64_t *)a, (const uint64_t *)a, (const uint64_t *)b);
}

/* Of what an addition of two points gave: they were equal. */
static uint64_t equal_mask(const fe x3, const fe z3) {
    return zero_mask(x3) & zero_mask(z3);
}

/* r = a + b for a, b not infinity and a != ±b (12M + 4S). r may be a or b. */
static void add_distinct(jacobian *r, const jacobian *a, const jacobian *b, chord *c) {
    fe aa, bb, u, s, zz;
    sqr(aa, a->z);
    sqr(bb, b->z);
    mul(u, a->x, bb);
    mul(c->h, b->x, aa);
    mul(bb, bb, b->z);
    mul(aa, aa, a->z);
    mul(s, a->y, bb);
    mul(c->r, b->y, aa);
    sub(c->h, c->h, u);
    sub(c->r, c->r, s);
    mul(zz, a->z, b->z);
    chord_x(c, r->x, u, s);
    mul(r->z, zz, c->h);
    chord_y(c, r->y);
}

static void pick_point(jacobian *r, uint64_t mask, const jacobian *a, const jacobian *b) {
    pick(r->x, mask, a->x, b->x);
    pick(r->y, mask, a->y, b->y);
    pick(r->z, mask, a->z, b->z);
}

/* r = a + b, any two points, constant time. a = -b needs no choice: H = 0 makes z = 0. */
static void add_complete(jacobian *r, const jacobian *a, const jacobian *b) {
    jacobian sum, twice;
    chord c;
    uint64_t a_inf = zero_mask(a->z), b_inf = zero_mask(b->z);
    add_distinct(&sum, a, b, &c);
    dbl(&twice, a);
    pick_point(&sum, zero_mask(c.h) & zero_mask(c.r), &sum, &twice);
    pick_point(&sum, a_inf, &sum, b);
    pick_point(r, b_inf, &sum, a);
}

static void xyzz_from_affine(xyzz *r, const affine *a) {
    copy(r->x, a->x);
    copy(r->y, a->y);
    copy(r->zz, CONST(one));
    copy(r->zzz, CONST(one));
}

/* The Jacobian point with z = zz. Infinity stays infinity. */
static void xyzz_to_jacobian(jacobian *r, const xyzz *a) {
    mul(r->x, a->x, a->zz);
    mul(r->y, a->y, a->zzz);
    copy(r->z, a->zz);
}

static void jacobian_from_affine(jacobian *r, const affine *a) {
    copy(r->x, a->x);
    copy(r->y, a->y);
    copy(r->z, CONST(one));
}

/* ---- tables ---- */

/* As many words as this instruction set has in a register; a vector type of the compiler's works on every target. */
enum { LANES = ENGINE_VECTOR / 8 };
typedef uint64_t vector __attribute__((vector_size(8 * LANES)));

/*
 * r = entry `index` of a table, all of it being read; the sum of the masked entries stays in registers, for which this is a function of its own.
 * Where an entry does not fill its last vector, that begins early. Long vectors, and where there is an instruction that selects, are compared as
 * such; of other short ones compilers make branches on some targets.
 */
__attribute__((noinline)) static void look_up(affine *r, const affine *table, unsigned entries,
                                              uint64_t index) {
    enum { WORDS = 2 * W, VECTORS = (WORDS + LANES - 1) / LANES };
    vector sum[VECTORS] = {{0}};
#if defined(ENGINE_SELECTS) || ENGINE_VECTOR > 16
    vector number = {0};
    const vector wanted = (vector){0} + limbic_barrier(index);
#endif
    const uint64_t *at = (const uint64_t *)table;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 4
#endif
    for (unsigned i = 0; i < entries; i++, at += WORDS) {
#if defined(ENGINE_SELECTS) || ENGINE_VECTOR > 16
        const vector mask = (vector)(number == wanted);
        number += 1;
#else
        const vector mask = (vector){0} + limbic_mask_eq(i, index);
#endif
        LIMBIC_UNROLL
        for (unsigned j = 0; j < VECTORS; j++) {
            vector t;
            memcpy(&t, at + (LANES * (j + 1) <= WORDS ? LANES * j : WORDS - LANES), sizeof t);
            sum[j] = ENGINE_SELECT(sum[j], t, mask);
        }
    }
    LIMBIC_UNROLL
    for (unsigned j = 0; j < VECTORS; j++)
        memcpy((uint64_t *)r + (LANES * (j + 1) <= WORDS ? LANES * j : WORDS - LANES), &sum[j],
               sizeof sum[j]);
}

/* Window i of G's table; the lowest is the beginning of the odd multiples. */
static inline const affine *base_window(unsigned i) {
    return (const affine *)(i ? CONST(base)[i - 1] : CONST(odd));
}

static void base_entry(affine *r, const digits *d, unsigned i) {
    uint64_t minus, index = digit(&minus, d, i, BASE_W);
    look_up(r, base_window(i), 1 << (BASE_W - 1), index);
    negate_if(r->y, minus);
}

/*
 * Sum of one table point a window, from the lowest. Before window i the sum is an odd number below 2^(w i) in size, times G, and
 * what is added is at least 2^(w i) in size; their sum and difference stay below n until the last window. So only there
 * can the points be equal (the sum then is the double of the table's point), or opposite (k = 0: H = 0, infinity).
 */
void OP(base_mul)(uint64_t *r, const uint64_t *k) {
    digits d;
    xyzz a;
    affine t[2];
    jacobian sum, twice;

    recode(&d, k, BASE_W, BASE_WINDOWS);
    base_entry(&t[0], &d, 0);
    base_entry(&t[1], &d, 1);
    xyzz_from_affine(&a, &t[0]);
    for (unsigned i = 1; i < BASE_WINDOWS; i++) {
        if (i + 1 < BASE_WINDOWS) /* while the sum before it is being made */
            base_entry(&t[(i + 1) % 2], &d, i + 1);
        xyzz_add(&a, &t[i % 2]);
    }
    jacobian_from_affine(&twice, &t[(BASE_WINDOWS - 1) % 2]);
    dbl(&twice, &twice);
    xyzz_to_jacobian(&sum, &a);
    pick_point(&sum, equal_mask(a.x, a.zz), &sum, &twice);
    negate_if(sum.y, d.negative);
    memcpy(r, &sum, sizeof sum);
}

/*
 * t[i] = (2i + 1) q for q not infinity, with z[0] z[1] ... z[i] for its z (4M + 2S a point): t[i - 1] and 2q have
 * the same z, and their sum comes with 2q brought to its z, u H^2 and s H^3 of the chord. t[i - 1] is an odd multiple of
 * q and 2q an even one, both far below n: never equal or opposite.
 */
static void odd_multiples(affine *t, fe *z, const jacobian *q, unsigned count) {
    jacobian two;
    chord c;
    fe yy;
    dbl(&two, q); /* z' = y z: q as (x y^2, y^4) has the same */
    copy(z[0], two.z);
    sqr(yy, q->y);
    mul(t[0].x, q->x, yy);
    sqr(t[0].y, yy);
    for (unsigned i = 1; i < count; i++) {
        sub(c.h, t[i - 1].x, two.x);
        sub(c.r, t[i - 1].y, two.y);
        copy(z[i], c.h);
        chord_x(&c, t[i].x, two.x, two.y);
        add(two.x, c.v, t[i].x); /* u H^2, from which x3 was taken */
        copy(two.y, c.t);
        chord_y(&c, t[i].y);
    }
}

/* Multiplies the z of t[i], of odd_multiples, by f_i: f_(count - 1) = f and f_(i - 1) = f_i z[i], so that all come to
 * the same z. f becomes f z[0] ... z[count - 1]. */
static void scale_multiples(affine *t, fe f, fe *z, unsigned count) {
    fe ff;
    for (unsigned i = count; i--;) {
        sqr(ff, f);
        mul(t[i].x, t[i].x, ff);
        mul(ff, ff, f);
        mul(t[i].y, t[i].y, ff);
        mul(f, f, z[i]);
    }
}

static void point_entry(affine *r, const affine *t, const digits *d, unsigned i) {
    uint64_t minus, index = digit(&minus, d, i, POINT_W);
    look_up(r, t, POINT_ODD, index);
    negate_if(r->y, minus);
}

/*
 * Windows from the highest. The sum before an addition is 2^w times an odd number, so above every digit in size; sum and
 * difference with a digit stay below n until the last window, where the addition is complete.
 * The table's points have one Z in common. All is as on the curve y^2 = x^3 - 3 Z^4 x + b Z^6, where they are affine: a
 * point (x, y, z) there is (x, y, z Z) here. The sums use no coefficient of the curve; the doublings use (z Z)^4.
 */
void OP(point_mul)(uint64_t *r, const uint64_t *k, const uint64_t *q) {
    digits d;
    affine t[POINT_ODD], b;
    jacobian a, last;
    scaled sum;
    fe z[POINT_ODD], common;

    memcpy(&b, q, sizeof b);
    jacobian_from_affine(&a, &b);
    odd_multiples(t, z, &a, POINT_ODD);
    copy(common, z[POINT_ODD - 1]);
    scale_multiples(t, common, z, POINT_ODD - 1);
    recode(&d, k, POINT_W, POINT_WINDOWS);
    point_entry(&b, t, &d, POINT_WINDOWS - 1);
    jacobian_from_affine(&a, &b);
    memcpy(&sum, &a, sizeof a);
    sqr(sum.w, common);
    sqr(sum.w, sum.w);
    for (unsigned i = POINT_WINDOWS - 1; i--;) {
        for (unsigned j = POINT_W; j--;)
            scaled_dbl(&sum);
        point_entry(&b, t, &d, i);
        if (i)
            OP(scaled_add)((uint64_t *)&sum, (const uint64_t *)&sum, (const uint64_t *)&b);
    }
    memcpy(&a, &sum, sizeof a);
    mul(a.z, a.z, common);
    jacobian_from_affine(&last, &b);
    copy(last.z, common);
    add_complete(&a, &a, &last);
    negate_if(a.y, d.negative);
    memcpy(r, &a, sizeof a);
}

void OP(point_add)(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    jacobian p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    add_complete(&p, &p, &q);
    memcpy(r, &p, sizeof p);
}

uint64_t OP(to_affine)(uint64_t *r, const uint64_t *a) {
    jacobian p;
    affine q;
    fe zi, zi2;
    memcpy(&p, a, sizeof p);
    KERNEL_OF(_inv_, ENGINE_INV)(zi, p.z); /* 0 for 0: infinity gives (0, 0) */
    sqr(zi2, zi);
    mul(q.x, p.x, zi2);
    mul(zi, zi, zi2);
    mul(q.y, p.y, zi);
    memcpy(r, &q, sizeof q);
    uint64_t finite = 1 + zero_mask(p.z);
    return finite;
}

/* ---- public data only from here on ---- */

/* The sums of double_mul_vartime. Kernels take z^4 along, which is more products and less time; else 8M + 3S an addition. */
#if STEPS_ARE_KERNELS
typedef scaled running;
static void running_from_affine(running *r, const affine *a) {
    copy(r->x, a->x);
    copy(r->y, a->y);
    copy(r->z, CONST(one));
    copy(r->w, CONST(one));
}
static void running_add(running *a, const affine *b) {
    OP(scaled_add)((uint64_t *)a, (const uint64_t *)a, (const uint64_t *)b);
}
static void running_dbl(running *a) {
    scaled_dbl(a);
}
#else
typedef jacobian running;
static void running_from_affine(running *r, const affine *a) {
    jacobian_from_affine(r, a);
}
static void running_add(running *a, const affine *b) {
    chord c;
    affine_chord(&c, a->x, a->y, a->z, b);
    chord_x(&c, a->x, a->x, a->y);
    mul(a->z, a->z, c.h);
    chord_y(&c, a->y);
}
static void running_dbl(running *a) {
    dbl(a, a);
}
#endif

/* a += b, any two points. */
static void running_add_vartime(running *a, const affine *b) {
    if (zero_mask(a->z)) {
        running_from_affine(a, b);
        return;
    }
    running_add(a, b);
    if (equal_mask(a->x, a->z)) {
        running_from_affine(a, b);
        running_dbl(a);
    }
}

/* a += b, any two points; a at infinity has zz = 0. */
static void xyzz_add_vartime(xyzz *a, const affine *b) {
    jacobian twice;
    if (zero_mask(a->zz)) {
        xyzz_from_affine(a, b);
        return;
    }
    xyzz_add(a, b);
    if (equal_mask(a->x, a->zz)) {
        jacobian_from_affine(&twice, b);
        dbl(&twice, &twice);
        copy(a->x, twice.x);
        copy(a->y, twice.y);
        sqr(a->zz, twice.z);
        mul(a->zzz, a->zz, twice.z);
    }
}

/* t[i] = (2i + 1) q as affine points, with one inversion; count is at most ODD_MAX. */
enum { ODD_MAX = 1 << ((PREPARED_W > POINT_W ? PREPARED_W : POINT_W) - 1) };
static void odd_multiples_affine(affine *t, const jacobian *q, unsigned count) {
    fe z[ODD_MAX], f;
    odd_multiples(t, z, q, count);
    copy(f, z[0]);
    for (unsigned i = 1; i < count; i++)
        mul(f, f, z[i]);
    KERNEL_OF(_inv_vartime_, ENGINE_INV)(f, f);
    scale_multiples(t, f, z, count);
}

/* count bits of k from bit at on; bits beyond the words are zero */
static inline unsigned bits_of(const uint64_t *k, unsigned at, unsigned count) {
    unsigned word = at / 64, shift = at % 64;
    uint64_t v = word < W ? k[word] >> shift : 0;
    if (shift + count > 64 && word + 1 < W)
        v |= k[word + 1] << (64 - shift);
    return (unsigned)v & ((1U << count) - 1);
}

/* Width-w non-adjacent form of k <= n: digits odd or zero, below 2^(w-1) in size; returns the length. */
static unsigned wnaf_vartime(int16_t *naf, const uint64_t *k, unsigned w) {
    unsigned carry = 0, length = 0, i = 0;
    memset(naf, 0, (BITS + 1) * sizeof *naf);
    while (i <= BITS) {
        if (bits_of(k, i, 1) == carry) {
            i++;
            continue;
        }
        unsigned v = bits_of(k, i, w) + carry;
        carry = v >> (w - 1) & 1;
        naf[i] = (int16_t)((int)v - (int)(carry << w));
        length = i + 1;
        i += w;
    }
    return length;
}

static void add_signed_vartime(running *a, const affine *odd, int digit_i) {
    affine t = odd[(digit_i < 0 ? -digit_i : digit_i) / 2];
    if (digit_i < 0)
        neg(t.y, t.y);
    running_add_vartime(a, &t);
}

/* Interleaved non-adjacent forms: v's over a table made here, u's over G's odd multiples. */
void OP(double_mul_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q) {
    int16_t naf_u[BITS + 1], naf_v[BITS + 1];
    affine t[1 << (POINT_W - 2)], qa;
    jacobian p;
    running a;
    unsigned lu = wnaf_vartime(naf_u, u, ODD_W), lv = wnaf_vartime(naf_v, v, POINT_W);

    memcpy(&qa, q, sizeof qa);
    jacobian_from_affine(&p, &qa);
    odd_multiples_affine(t, &p, 1 << (POINT_W - 2));
    memset(&a, 0, sizeof a);
    for (unsigned i = lu > lv ? lu : lv; i--;) {
        running_dbl(&a);
        if (naf_u[i])
            add_signed_vartime(&a, (const affine *)CONST(odd), naf_u[i]);
        if (naf_v[i])
            add_signed_vartime(&a, t, naf_v[i]);
    }
    memcpy(r, &a, sizeof p);
}

void OP(prepare_vartime)(uint64_t *t, const uint64_t *q) {
    affine odd[1 << (PREPARED_W - 1)], qa;
    jacobian a;

    memcpy(&qa, q, sizeof qa);
    jacobian_from_affine(&a, &qa);
    for (unsigned i = 0; i < PREPARED_WINDOWS; i++) {
        odd_multiples_affine(odd, &a, 1 << (PREPARED_W - 1));
        memcpy(t + i * sizeof odd / sizeof *t, odd, sizeof odd);
        jacobian_from_affine(&a, &odd[0]);
        for (unsigned j = 0; j < PREPARED_W; j++) /* the next window's point */
            dbl(&a, &a);
    }
}

/* a += digit i of d times the point whose odd multiples the window holds. */
static void add_digit_vartime(xyzz *a, const digits *d, unsigned i, unsigned w, const affine *window) {
    uint64_t minus, index = digit(&minus, d, i, w);
    affine t = window[index];
    if (minus ^ d->negative)
        neg(t.y, t.y);
    xyzz_add_vartime(a, &t);
}

void OP(prepared_mul_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *t) {
    const affine *table = (const affine *)t;
    digits d;
    xyzz a;
    jacobian sum;

    memset(&a, 0, sizeof a);
    recode(&d, u, BASE_W, BASE_WINDOWS);
    for (unsigned i = 0; i < BASE_WINDOWS; i++)
        add_digit_vartime(&a, &d, i, BASE_W, base_window(i));
    recode(&d, v, PREPARED_W, PREPARED_WINDOWS);
    for (unsigned i = 0; i < PREPARED_WINDOWS; i++)
        add_digit_vartime(&a, &d, i, PREPARED_W, table + ((size_t)i << (PREPARED_W - 1)));
    xyzz_to_jacobian(&sum, &a);
    memcpy(r, &sum, sizeof sum);
}

/* ---- many at once ---- */

enum { CHUNK = 32 }; /* points in flight: more gain little, an inversion being about 80 products */

/*
 * Affine points, (0, 0) for infinity, with one inversion for all z (Montgomery's trick: 3M for each more). A z of zero would make all
 * products zero, so one takes its place, by a mask: constant time if inv is. 0 < n <= CHUNK.
 */
static void to_affine_many(uint64_t *r, const jacobian *p, size_t n, limbic_fe2 *inv) {
    fe z[CHUNK], before[CHUNK], f, zi, t; /* before: the product of all z before this one */
    copy(f, CONST(one));
    for (size_t i = 0; i < n; i++) {
        pick(z[i], zero_mask(p[i].z), p[i].z, CONST(one));
        copy(before[i], f);
        mul(f, f, z[i]);
    }
    inv(f, f);
    for (size_t i = n; i--;) {
        affine q;
        const uint64_t finite = ~zero_mask(p[i].z);
        mul(zi, f, before[i]);
        mul(f, f, z[i]);
        sqr(t, zi);
        mul(q.x, p[i].x, t);
        mul(t, t, zi);
        mul(q.y, p[i].y, t);
        for (unsigned j = 0; j < W; j++) {
            q.x[j] &= finite;
            q.y[j] &= finite;
        }
        memcpy(r + 2 * W * i, &q, sizeof q);
    }
}

/* r_i = p_i for i < n, p_i being what the statement writes to p; by chunks. */
#define MANY(statement, inversion)                                                                           \
    jacobian points[CHUNK];                                                                                  \
    for (size_t done = 0, left; done < n; done += left) {                                                    \
        left = n - done < CHUNK ? n - done : CHUNK;                                                          \
        for (size_t j = 0; j < left; j++) {                                                                  \
            const size_t i = done + j;                                                                       \
            uint64_t *const p = (uint64_t *)&points[j];                                                      \
            statement;                                                                                       \
        }                                                                                                    \
        to_affine_many(r + 2 * W * done, points, left, KERNEL_OF(inversion, ENGINE_INV));                    \
    }

/* Secrets reach further down the stack than their callers wipe. */
void OP(base_mul_many)(uint64_t *r, const uint64_t *k, size_t n) {
    MANY(OP(base_mul)(p, k + W * i), _inv_)
    limbic_wipe(points, sizeof points);
    limbic_wipe_stack();
}

void OP(point_mul_many)(uint64_t *r, const uint64_t *k, const uint64_t *q, size_t n) {
    MANY(OP(point_mul)(p, k + W * i, q + 2 * W * i), _inv_)
    limbic_wipe(points, sizeof points);
    limbic_wipe_stack();
}

void OP(double_mul_many_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q,
                                 size_t n) {
    MANY(OP(double_mul_vartime)(p, u + W * i, v + W * i, q + 2 * W * i), _inv_vartime_)
}

void OP(prepared_mul_many_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v,
                                   const uint64_t *const *t, size_t n) {
    MANY(OP(prepared_mul_vartime)(p, u + W * i, v + W * i, t[i]), _inv_vartime_)
}
