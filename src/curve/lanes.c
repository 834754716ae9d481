/*
 * Many multiplications at once, eight problems in eight lanes: compiled once per (ENGINE_UNIT, ENGINE_ISA). All lanes do the same;
 * the formulas and the recoding are those of engine.c. Fewer than LEAST that are left over go to the operations on one. And one
 * multiple of G, its windows in eight lanes.
 *
 * The numbers behind formulas are sizes as field/lanes.h defines them, 1 where there is none.
 */
#include "dispatch/dispatch.h"
#include "dispatch/engine.h"
#include "curve/digits.h"
#include "field/lanes.h"

typedef struct {
    lfe x, y;
} affine;
typedef struct {
    lfe x, y, z;
} jacobian;
typedef struct {
    lfe x, y, zz, zzz;
} xyzz;

enum {
    GROUPS =
        W > 4 ? 4
              : 8, /* of eight, with one inversion: longer numbers take more stack, and gain less from it */
    LEAST = LFE_LIMBS > 6 ? 2 : 3, /* for which all lanes run: measured */
};

/* ---- points ---- */

/* The doubling's products, a b + e and a^2 + e or without e: most of the time goes there. Inlined they save a twentieth of it; P-521's
 * would not fit the instruction cache. */
LIMBIC_INLINE void dbl_mul(lfe *r, const lfe *a, const lfe *b, const lfe *e) {
    if (!LANES_IS(p521))
        lanes_mul_inline(r, a, b, e);
    else if (e)
        lanes_mul_add(r, a, b, e);
    else
        lanes_mul(r, a, b);
}

LIMBIC_INLINE void dbl_sqr(lfe *r, const lfe *a, const lfe *e) {
    if (!LANES_IS(p521))
        lanes_sqr_inline(r, a, e);
    else if (e)
        lanes_sqr_add(r, a, e);
    else
        lanes_sqr(r, a);
}

/* a = 2 a, 4M + 4S: N = 3 (x - z^2)(x + z^2), D = 4 x y^2, x' = N^2 - 2 D, y' = N (D - x') - 8 y^4, z' = 2 y z. What needs each
 * other does not stand side by side, here and below: the CPU overlaps two products. */
LANES_CALLED void dbl(jacobian *a) {
    lfe zz, yy, n, d, t;
    dbl_sqr(&zz, &a->z, NULL);
    dbl_sqr(&yy, &a->y, NULL);
    lanes_add(&t, &a->x, &zz); /* 2 */
    lanes_sub(&n, &a->x, &zz); /* 3 */
    dbl_mul(&n, &n, &t, NULL);
    lanes_add(&t, &n, &n);
    lanes_add(&n, &n, &t);    /* 3 */
    lanes_add(&yy, &yy, &yy); /* 2 */
    lanes_add(&t, &yy, &yy);  /* 4 */
    dbl_mul(&d, &a->x, &t, NULL);
    dbl_sqr(&yy, &yy, NULL); /* 4 y^4 */
    lanes_add(&t, &d, &d);
    lanes_neg_n(&t, &t, 2); /* 4 */
    dbl_sqr(&a->x, &n, &t);
    lanes_add(&t, &a->y, &a->y); /* 2 */
    dbl_mul(&a->z, &a->z, &t, NULL);
    lanes_sub(&d, &d, &a->x); /* 3 */
    lanes_add(&t, &yy, &yy);
    lanes_neg_n(&t, &t, 2); /* 4 */
    dbl_mul(&a->y, &d, &n, &t);
}

/* What all additions share, as in engine.c: h and r of up to 5, v is x h^2 of the point that they were taken from. */
typedef struct {
    lfe h, r, hh, hhh, v;
} chord;

static inline void chord_powers(chord *c, const lfe *x, int residues) {
    lanes_sqr(&c->hh, &c->h);
    if (residues)
        lanes_scale(&c->hh, &c->hh, CONST(lanes_in));
    lanes_mul(&c->hhh, &c->hh, &c->h);
    lanes_mul(&c->v, x, &c->hh);
}

static inline void chord_x(const chord *c, lfe *x3) {
    lfe t;
    lanes_add(&t, &c->v, &c->v);
    lanes_add(&t, &t, &c->hhh);
    lanes_neg_n(&t, &t, 3); /* 6 */
    lanes_sqr_add(x3, &c->r, &t);
}

static inline void chord_y(const chord *c, const lfe *x3, lfe *y) {
    lfe v;
    lanes_sub(&v, &c->v, x3); /* 3 */
    lanes_neg(y, y);          /* 2 */
    lanes_mul2(y, &c->r, &v, y, &c->hhh);
}

/* The lanes where the two points, not infinity, were equal. */
static inline v8_mask chord_equal_mask(const chord *c) {
    return lanes_is_zero_mask(&c->h) & lanes_is_zero_mask(&c->r);
}

/*
 * a += b for a not infinity and a != ±b; a = -b gives z = 0, and so does a = b or a with z = 0 (which are wrong). y of b up to 2.
 * residues: b is not in the form of the lanes, as for xyzz_from_residues.
 */
LANES_CALLED void add_affine(jacobian *a, const affine *b, chord *c, int residues) {
    lfe zz, t;
    lanes_sqr(&zz, &a->z);
    if (residues)
        lanes_scale(&zz, &zz, CONST(lanes_in));
    lanes_neg(&t, &a->x);
    lanes_mul_add(&c->h, &b->x, &zz, &t);
    lanes_mul(&zz, &zz, &a->z);
    lanes_neg(&t, &a->y);
    lanes_mul_add(&c->r, &b->y, &zz, &t);
    chord_powers(c, &a->x, 0);
    chord_x(c, &a->x);
    lanes_mul(&a->z, &a->z, &c->h);
    chord_y(c, &a->x, &a->y);
}

/* As before, for zz and zzz. */
LANES_CALLED void xyzz_add(xyzz *a, const affine *b, chord *c) {
    lfe t;
    lanes_neg(&t, &a->x);
    lanes_mul_add(&c->h, &b->x, &a->zz, &t);
    lanes_neg(&t, &a->y);
    lanes_mul_add(&c->r, &b->y, &a->zzz, &t);
    chord_powers(c, &a->x, 0);
    lanes_mul(&a->zz, &a->zz, &c->hh);
    chord_x(c, &a->x);
    lanes_mul(&a->zzz, &a->zzz, &c->hhh);
    chord_y(c, &a->x, &a->y);
}

/*
 * Tables hold residues, not the form of the lanes, which differs by a factor f of lanes_in. Only products with zz and zzz are made
 * of them; so these are kept with that factor, and only the first point is brought to the form.
 */
static inline void xyzz_from_residues(xyzz *r, const affine *a) {
    lanes_scale(&r->x, &a->x, CONST(lanes_in));
    lanes_scale(&r->y, &a->y, CONST(lanes_in));
    lanes_carry(&r->y, &r->y); /* a factor of 1 is not multiplied by */
    lanes_set1(&r->zz, CONST(lanes_in));
    r->zzz = r->zz;
}

/*
 * r = a + b for residues, not infinity, a != ±b; 4M + 2S; y of both up to 2. As elements of the lanes these are x / f and y / f, and so are h and r;
 * with f in hh, hh / f and hhh / f^2, all that x3 is made of is by the same f^2 off, y3 by f^3: hh and hhh are zz and zzz for that, f being kept in them.
 */
static inline void xyzz_from_two(xyzz *r, const affine *a, const affine *b, chord *c) {
    lanes_sub(&c->h, &b->x, &a->x);      /* 3 */
    lanes_sub_n(&c->r, &b->y, &a->y, 2); /* 6 */
    lanes_carry(&c->r, &c->r);
    chord_powers(c, &a->x, 1);
    r->zz = c->hh;
    r->zzz = c->hhh;
    chord_x(c, &r->x);
    lanes_carry(&r->y, &a->y);
    chord_y(c, &r->x, &r->y);
}

static inline void xyzz_to_jacobian(jacobian *r, const xyzz *a) {
    lfe zzz;
    lanes_scale(&r->z, &a->zz, CONST(lanes_out));
    lanes_scale(&zzz, &a->zzz, CONST(lanes_out));
    lanes_mul(&r->x, &a->x, &r->z);
    lanes_mul(&r->y, &a->y, &zzz);
}

static inline void jacobian_from_affine(jacobian *r, const affine *a) {
    r->x = a->x;
    r->y = a->y;
    lanes_one(&r->z);
}

/* The lanes of the mask get 2 b instead: where the last addition, of b to an equal point, could not make it. y is tight. */
static inline void replace_by_twice(jacobian *a, v8_mask mask, const affine *b) {
    jacobian twice;
    jacobian_from_affine(&twice, b);
    dbl(&twice);
    lanes_select(&a->x, mask, &twice.x, &a->x);
    lanes_select(&a->y, mask, &twice.y, &a->y);
    lanes_select(&a->z, mask, &twice.z, &a->z);
}

/* y, tight, becomes up to 2. */
static inline void negate_if(lfe *y, v8_mask mask) {
    lfe t;
    lanes_neg(&t, y);
    lanes_select(y, mask, &t, y);
}

/* ---- to affine ---- */

/* f = 1/f in all lanes, none being 0, by one inversion. */
static void invert(lfe *f, limbic_fe2 *inv) {
    uint64_t z[8 * W], before[8 * W], p[W], t[W];
    lanes_to_residues(z, W, f);
    memcpy(p, z, sizeof p);
    for (unsigned i = 1; i < 8; i++) {
        memcpy(before + W * i, p, sizeof p);
        KERNEL_OF(_mul_, ENGINE_MUL)(p, p, z + W * i);
    }
    inv(p, p);
    for (unsigned i = 7; i > 0; i--) {
        KERNEL_OF(_mul_, ENGINE_MUL)(t, p, before + W * i);
        KERNEL_OF(_mul_, ENGINE_MUL)(p, p, z + W * i);
        memcpy(z + W * i, t, sizeof t);
    }
    memcpy(z, p, sizeof p);
    lanes_from_residues(f, z, W);
}

/* Residues, (0, 0) for infinity, of all points of some groups: one inversion for all z, as to_affine_many of engine.c does. infinite: a mask a
 * group. */
LANES_CALLED void to_affine(uint64_t *r, const jacobian *p, size_t groups, limbic_fe2 *inv,
                            v8_mask *infinite) {
    lfe z[GROUPS], before[GROUPS], f, zi, t;
    for (size_t i = 0; i < groups; i++) {
        lanes_one(&t);
        infinite[i] = lanes_is_zero_mask(&p[i].z);
        lanes_select(&z[i], infinite[i], &t, &p[i].z);
        before[i] = i ? f : t;
        if (i)
            lanes_mul(&f, &f, &z[i]);
        else
            f = z[i];
    }
    invert(&f, inv);
    for (size_t i = groups; i--;) {
        lfe zero;
        for (unsigned j = 0; j < LFE_LIMBS; j++)
            zero.v[j] = v8_set1(0);
        lanes_mul(&zi, &f, &before[i]);
        lanes_mul(&f, &f, &z[i]);
        lanes_select(&zi, infinite[i], &zero, &zi);
        lanes_sqr(&t, &zi);
        lanes_mul(&zi, &zi, &t);
        lanes_mul(&t, &t, &p[i].x);
        lanes_to_residues(r + 16 * W * i, 2 * W, &t);
        lanes_mul(&t, &zi, &p[i].y);
        lanes_to_residues(r + 16 * W * i + W, 2 * W, &t);
    }
}

/* ---- digits ---- */

typedef struct {
    v8 k[W + 1];
    v8_mask negative;
} lanes_digits;

static void recode_lanes(lanes_digits *d, const uint64_t *k, unsigned w, unsigned windows) {
    _Alignas(64) uint64_t words[W + 1][8];
    d->negative = 0;
    for (unsigned i = 0; i < 8; i++) {
        digits one;
        recode(&one, k + W * i, w, windows);
        for (unsigned j = 0; j <= W; j++)
            words[j][i] = one.k[j];
        d->negative |= (v8_mask)((one.negative & 1) << i);
    }
    for (unsigned j = 0; j <= W; j++)
        d->k[j] = v8_load(words[j]);
}

/* digit() of the lowest bits of each lane */
static inline v8 lanes_digit_of(v8_mask *minus, v8 v, unsigned w) {
    *minus = v8_eq(v8_and(v, v8_set1(UINT64_C(1) << w)), v8_set1(0));
    v = v8_select(*minus, v, v8_sub(v8_set1(UINT64_MAX), v)); /* its complement */
    return v8_and(v8_srl(v, 1), v8_set1((UINT64_C(1) << (w - 1)) - 1));
}

/* digit() in all lanes */
static inline v8 lanes_digit_i(v8_mask *minus, const lanes_digits *d, unsigned i, unsigned w) {
    const unsigned at = i * w, word = at / 64, shift = at % 64;
    v8 v = v8_srl(d->k[word], shift);
    if (shift + w + 1 > 64 && word < W)
        v = v8_or(v, v8_sll(d->k[word + 1], 64 - shift));
    return lanes_digit_of(minus, v, w);
}

/* ---- multiples of G ---- */

enum { BASE_ODD = 1 << (BASE_W - 1) };
_Static_assert(BASE_ODD == 32, "v8_look_up_32");

/* The windows of src/consts, each word of all entries together. */
#define COLUMN(i, j, k, x) [i][k][j] = x,
#define POINT_4(i, j, a, b, c, d, e, f, g, h)                                                                \
    COLUMN(i, j, 0, a)                                                                                       \
    COLUMN(i, j, 1, b)                                                                                       \
    COLUMN(i, j, 2, c)                                                                                       \
    COLUMN(i, j, 3, d)                                                                                       \
    COLUMN(i, j, 4, e)                                                                                       \
    COLUMN(i, j, 5, f)                                                                                       \
    COLUMN(i, j, 6, g)                                                                                       \
    COLUMN(i, j, 7, h)
#define POINT_6(i, j, a, b, c, d, e, f, g, h, ...)                                                           \
    POINT_4(i, j, a, b, c, d, e, f, g, h)                                                                    \
    POINT_6_(i, j, __VA_ARGS__)
#define POINT_6_(i, j, a, b, c, d)                                                                           \
    COLUMN(i, j, 8, a)                                                                                       \
    COLUMN(i, j, 9, b)                                                                                       \
    COLUMN(i, j, 10, c)                                                                                      \
    COLUMN(i, j, 11, d)
#define POINT_9(i, j, a, b, c, d, e, f, g, h, k, l, m, n, ...)                                               \
    POINT_6(i, j, a, b, c, d, e, f, g, h, k, l, m, n)                                                        \
    POINT_9_(i, j, __VA_ARGS__)
#define POINT_9_(i, j, a, b, c, d, e, f)                                                                     \
    COLUMN(i, j, 12, a)                                                                                      \
    COLUMN(i, j, 13, b)                                                                                      \
    COLUMN(i, j, 14, c)                                                                                      \
    COLUMN(i, j, 15, d)                                                                                      \
    COLUMN(i, j, 16, e)                                                                                      \
    COLUMN(i, j, 17, f)
#define ODD(...)
static const uint64_t base_columns[BASE_WINDOWS][2 * W][BASE_ODD] __attribute__((aligned(64))) = {
#if LANES_IS(p256)
#define BASE(...)   POINT_4(__VA_ARGS__)
#define LOW(j, ...) POINT_4(0, j, __VA_ARGS__)
#include "consts/p256_table.inc"
#elif LANES_IS(p384)
#define BASE(...)   POINT_6(__VA_ARGS__)
#define LOW(j, ...) POINT_6(0, j, __VA_ARGS__)
#include "consts/p384_table.inc"
#elif LANES_IS(p521)
#define BASE(...)   POINT_9(__VA_ARGS__)
#define LOW(j, ...) POINT_9(0, j, __VA_ARGS__)
#include "consts/p521_table.inc"
#else
#define BASE(...)   POINT_4(__VA_ARGS__)
#define LOW(j, ...) POINT_4(0, j, __VA_ARGS__)
#include "consts/sm2_table.inc"
#endif
};

/* Digit i times G, a window's point as residues; y up to 2. */
static inline void base_entry(affine *r, const lanes_digits *d, unsigned i) {
    v8_mask minus;
    const v8 index = lanes_digit_i(&minus, d, i, BASE_W);
    v8 w[2 * W];
    LIMBIC_UNROLL
    for (unsigned k = 0; k < 2 * W; k++)
        w[k] = v8_look_up_32(base_columns[i][k], index);
    lanes_unpack(&r->x, w);
    lanes_unpack(&r->y, w + W);
    negate_if(&r->y, minus);
}

/* base_mul of engine.c */
LANES_CALLED void base_mul(jacobian *r, const uint64_t *k) {
    lanes_digits d;
    xyzz a;
    affine b;
    chord c;
    recode_lanes(&d, k, BASE_W, BASE_WINDOWS);
    base_entry(&b, &d, 0);
    xyzz_from_residues(&a, &b);
    for (unsigned i = 1; i < BASE_WINDOWS; i++) {
        base_entry(&b, &d, i);
        xyzz_add(&a, &b, &c);
    }
    xyzz_to_jacobian(r, &a);
    xyzz_from_residues(&a, &b);
    b.x = a.x;
    b.y = a.y;
    replace_by_twice(r, chord_equal_mask(&c), &b);
    negate_if(&r->y, d.negative);
}

/* ---- one multiple of G ---- */

enum { BASE_GROUPS = (BASE_WINDOWS + 7) / 8, BASE_LAST = BASE_WINDOWS - 8 * (BASE_GROUPS - 1) };
_Static_assert(8 * BASE_W < 64, "a group of windows, and a bit, is a word");

/* Windows 8 g, ... 8 g + 7, a lane each, as base_entry; 0 in lanes of no window. */
static inline void base_group(affine *r, const digits *d, unsigned g) {
    const unsigned at = 8 * BASE_W * g, word = at / 64, shift = at % 64;
    const unsigned count = g + 1 < BASE_GROUPS ? 8 : BASE_LAST;
    uint64_t bits = d->k[word] >> shift;
    v8 w[2 * W], index;
    v8_mask minus;
    if (shift + 8 * BASE_W + 1 > 64)
        bits |= d->k[word + 1] << (64 - shift);
    index = lanes_digit_of(&minus,
                           v8_srl_each(v8_set1(bits), V8_ORDER(0, BASE_W, 2 * BASE_W, 3 * BASE_W, 4 * BASE_W,
                                                               5 * BASE_W, 6 * BASE_W, 7 * BASE_W)),
                           BASE_W);
    LIMBIC_UNROLL
    for (unsigned k = 0; k < 2 * W; k++)
        w[k] = v8_set1(0);
    for (unsigned l = 0; l < count; l++) {
        LIMBIC_UNROLL
        for (unsigned k = 0; k < 2 * W; k++)
            w[k] = v8_select((v8_mask)(1U << l), w[k], v8_look_up_32(base_columns[8 * g + l][k], index));
    }
    lanes_unpack(&r->x, w);
    lanes_unpack(&r->y, w + W);
    negate_if(&r->y, minus);
}

/* Four points: x and y in lanes 0 to 3 and 4 to 7 of xy, zz and zzz so of z. xy is up to 3. */
typedef struct {
    lfe xy, z;
} quad;

/* These products wait for each other: the short ones gain by being inlined. */
LIMBIC_INLINE void join_mul(lfe *r, const lfe *a, const lfe *b) {
    if (LFE_LIMBS > 6)
        lanes_mul(r, a, b);
    else
        lanes_mul_inline(r, a, b, NULL);
}

/*
 * In each of n quads points 0 and 2 become their sum, twice, and 1 and 3 theirs. Not for two points that are equal. Four products
 * in a row, those of one sum in the lanes 0, 2, 4, 6, those of the other beside them:
 *     u of 0    u of 2    s of 0       s of 2
 *     h^2       zz zz     r^2          zzz zzz
 *     h^3       zz3       v            zzz h^2
 *     s h^3     -         r (v - x3)   zzz3
 */
LANES_CALLED void join(quad *p, unsigned n) {
    lfe u[2], d[2], q[2], a, b, t;
    for (unsigned j = 0; j < n; j++) {
        lanes_permute(&q[j], &p[j].z, V8_ORDER(2, 3, 0, 1, 6, 7, 4, 5));
        join_mul(&u[j], &p[j].xy, &q[j]);
    }
    for (unsigned j = 0; j < n; j++) {
        lanes_permute(&t, &u[j], V8_ORDER(2, 3, 0, 1, 6, 7, 4, 5));
        lanes_sub(&d[j], &t, &u[j]); /* 3; h in lanes 0, 1, r in 4, 5 */
        lanes_select(&a, 0xcc, &q[j], &d[j]);
        lanes_select(&b, 0xcc, &p[j].z, &d[j]);
        join_mul(&p[j].z, &a, &b);
    }
    for (unsigned j = 0; j < n; j++) {
        lanes_permute(&a, &p[j].z, V8_ORDER(0, 1, 0, 1, 0, 1, 0, 1));
        lanes_select(&b, 0xcc, &p[j].z, &d[j]);
        lanes_permute2(&b, &b, &u[j], V8_ORDER(0, 1, 2, 3, 8, 9, 6, 7));
        join_mul(&q[j], &a, &b);
    }
    for (unsigned j = 0; j < n; j++) {
        lfe x;
        lanes_permute(&t, &q[j], V8_ORDER(0, 1, 2, 3, 0, 1, 6, 7));
        lanes_add(&t, &t, &q[j]);
        lanes_add(&t, &t, &q[j]);
        lanes_neg_n(&t, &t, 3);     /* 6 */
        lanes_add(&t, &t, &p[j].z); /* 7 */
        lanes_carry(&x, &t);        /* x3 in lanes 4, 5 */
        lanes_sub(&t, &q[j], &x);   /* 3 */
        lanes_select(&a, 0x30, &t, &q[j]);
        lanes_permute2(&b, &d[j], &u[j], V8_ORDER(12, 13, 2, 3, 4, 5, 0, 1));
        join_mul(&b, &a, &b);
        lanes_permute(&t, &b, V8_ORDER(0, 1, 2, 3, 0, 1, 6, 7));
        lanes_sub(&t, &b, &t); /* 3; y3 in lanes 4, 5 */
        lanes_permute2(&p[j].xy, &x, &t, V8_ORDER(4, 4, 5, 5, 12, 12, 13, 13));
        lanes_permute2(&p[j].z, &q[j], &b, V8_ORDER(2, 2, 3, 3, 14, 14, 15, 15));
    }
}

/* The sum of all lanes, in all places. */
LANES_CALLED void join_lanes(quad *r, const xyzz *a) {
    quad p[2];
    lfe zz, zzz;
    lanes_scale(&zz, &a->zz, CONST(lanes_out));
    lanes_scale(&zzz, &a->zzz, CONST(lanes_out));
    lanes_permute2(&p[0].xy, &a->x, &a->y, V8_ORDER(0, 1, 2, 3, 8, 9, 10, 11));
    lanes_permute2(&p[1].xy, &a->x, &a->y, V8_ORDER(4, 5, 6, 7, 12, 13, 14, 15));
    lanes_permute2(&p[0].z, &zz, &zzz, V8_ORDER(0, 1, 2, 3, 8, 9, 10, 11));
    lanes_permute2(&p[1].z, &zz, &zzz, V8_ORDER(4, 5, 6, 7, 12, 13, 14, 15));
    join(p, 2);
    lanes_permute2(&r->xy, &p[0].xy, &p[1].xy, V8_ORDER(0, 2, 8, 10, 4, 6, 12, 14));
    lanes_permute2(&r->z, &p[0].z, &p[1].z, V8_ORDER(0, 2, 8, 10, 4, 6, 12, 14));
    join(r, 1);
    join(r, 1);
}

/* The sum of each lane's windows. */
LANES_CALLED void add_windows(xyzz *a, const digits *d) {
    affine b;
    chord c;
    {
        affine first;
        base_group(&first, d, 0);
        base_group(&b, d, 1);
        xyzz_from_two(a, &first, &b, &c);
    }
    for (unsigned g = 2; g < BASE_GROUPS; g++) {
        base_group(&b, d, g);
        if (g + 1 < BASE_GROUPS || BASE_LAST == 8) {
            xyzz_add(a, &b, &c);
        } else {
            const v8_mask there = (1U << BASE_LAST) - 1;
            const xyzz before = *a;
            xyzz_add(a, &b, &c);
            lanes_select(&a->x, there, &a->x, &before.x);
            lanes_select(&a->y, there, &a->y, &before.y);
            lanes_select(&a->zz, there, &a->zz, &before.zz);
            lanes_select(&a->zzz, there, &a->zzz, &before.zzz);
        }
    }
}

/*
 * As base_mul of engine.c, lane l with the windows l, l + 8, ...: an eighth of the additions, and three more that join the lanes.
 * What is added are sums A and B of different windows. If they are equal or opposite points, A - B or A + B is a multiple of n: a sum of
 * odd digits of the size of k's, some with another sign. It is not 0, by its lowest digit; in size it is below 2 n; and n it can be
 * only with the windows 0 and 1 in it (gen.py, meeting), which come together in the last addition, of the even windows and the odd ones. There A + B = n
 * is k = 0 (h = 0: infinity); A - B = n is one k, whose multiple is a constant, taken by a mask.
 */
void OP(base_mul)(uint64_t *r, const uint64_t *k) {
    _Alignas(64) uint64_t words[W][8];
    digits d;
    xyzz a;
    quad sum;
    v8 w[W];
    uint64_t meeting, t[W];
    recode(&d, k, BASE_W, BASE_WINDOWS);
    add_windows(&a, &d);
    join_lanes(&sum, &a);
    /* What callers do not reach (not the last statement: this frame must be there). They hold 22 elements. */
    limbic_wipe_stack_from(4096, 23 * sizeof(lfe) - 4096);
    lanes_mul(&sum.xy, &sum.xy, &sum.z);
    lanes_select(&sum.xy, 0x02, &sum.z, &sum.xy);
    lanes_to_packed(w, &sum.xy);
    for (unsigned i = 0; i < W; i++)
        v8_store(words[i], w[i]);
    meeting = limbic_words_eq_mask(d.k, CONST(meeting_k), W);
    for (unsigned i = 0; i < W; i++) {
        r[i] = words[i][0];
        r[W + i] = words[i][4];
        r[2 * W + i] = words[i][1];
    }
    limbic_words_select(r, meeting, r, CONST(meeting_x), W);
    limbic_words_select(r + W, meeting, r + W, CONST(meeting_y), W);
    limbic_words_select(r + 2 * W, meeting, r + 2 * W, CONST(one), W);
    limbic_mod_neg(t, r + W, CONST(m), W);
    limbic_words_select(r + W, d.negative, r + W, t, W);
}

/* ---- multiples of other points ---- */

/* odd_multiples, affine: t[i] = (2 i + 1) q, tight, for eight points of residues. */
static void odd_multiples(affine *t, const uint64_t *q, limbic_fe2 *inv) {
    lfe z[POINT_ODD], f, ff;
    jacobian two;
    chord c;
    lanes_from_residues(&t[0].x, q, 2 * W);
    lanes_from_residues(&t[0].y, q + W, 2 * W);
    jacobian_from_affine(&two, &t[0]);
    dbl(&two);
    z[0] = two.z; /* 2 y: q as (x 4 y^2, 8 y^4) has the same */
    lanes_sqr(&ff, &z[0]);
    lanes_mul(&t[0].x, &t[0].x, &ff);
    lanes_mul(&ff, &ff, &z[0]);
    lanes_mul(&t[0].y, &t[0].y, &ff);
    for (unsigned i = 1; i < POINT_ODD; i++) {
        lfe v, e;
        lanes_sub(&c.h, &t[i - 1].x, &two.x); /* 3 */
        lanes_sub(&c.r, &t[i - 1].y, &two.y); /* 3 */
        z[i] = c.h;
        chord_powers(&c, &two.x, 0);
        lanes_mul(&two.y, &two.y, &c.hhh);
        chord_x(&c, &t[i].x);
        two.x = c.v;                  /* 2q with the new z */
        lanes_sub(&v, &c.v, &t[i].x); /* 3 */
        lanes_neg(&e, &two.y);
        lanes_mul_add(&t[i].y, &v, &c.r, &e);
    }
    f = z[0];
    for (unsigned i = 1; i < POINT_ODD; i++)
        lanes_mul(&f, &f, &z[i]);
    invert(&f, inv);
    for (unsigned i = POINT_ODD; i--;) {
        lanes_sqr(&ff, &f);
        lanes_mul(&t[i].x, &t[i].x, &ff);
        lanes_mul(&ff, &ff, &f);
        lanes_mul(&t[i].y, &t[i].y, &ff);
        lanes_mul(&f, &f, &z[i]);
    }
}

/* Digit i of each lane times its point, its sign changed in the lanes of flip; all entries are read. y up to 2. */
static void point_entry(affine *r, const affine *t, const lanes_digits *d, unsigned i, v8_mask flip) {
    v8_mask minus;
    const v8 index = lanes_digit_i(&minus, d, i, POINT_W);
    affine sum = t[0]; /* in registers */
    for (unsigned j = 1; j < POINT_ODD; j++) {
        const v8_mask this = v8_eq(index, v8_set1(j));
        lanes_select(&sum.x, this, &t[j].x, &sum.x);
        lanes_select(&sum.y, this, &t[j].y, &sum.y);
    }
    *r = sum;
    negate_if(&r->y, minus ^ flip);
}

/* point_mul of engine.c, but for the table's z, which is one here: its inversion costs less than the products with z */
LANES_CALLED void point_mul(jacobian *r, const uint64_t *k, const uint64_t *q) {
    lanes_digits d;
    affine t[POINT_ODD], b;
    chord c;
    odd_multiples(t, q, KERNEL_OF(_inv_, ENGINE_INV));
    recode_lanes(&d, k, POINT_W, POINT_WINDOWS);
    point_entry(&b, t, &d, POINT_WINDOWS - 1, 0);
    jacobian_from_affine(r, &b);
    for (unsigned i = POINT_WINDOWS - 1; i--;) {
        for (unsigned j = POINT_W; j--;)
            dbl(r);
        point_entry(&b, t, &d, i, 0);
        add_affine(r, &b, &c, 0);
    }
    replace_by_twice(r, chord_equal_mask(&c), &b);
    negate_if(&r->y, d.negative);
}

/* ---- public data ---- */

/* Where entry `index` of a table of points is, in each lane. */
static inline v8 entry_address(v8 table, v8 index) {
    const unsigned entry = 16 * W; /* bytes */
    LIMBIC_UNROLL
    for (unsigned bit = 0; bit < 32; bit++)
        if (entry >> bit & 1)
            table = v8_add(table, v8_sll(index, bit));
    return table;
}

/* The point there, residues; y up to 2. */
static inline void read_entry(affine *r, v8 at, v8_mask minus) {
    v8 w[2 * W];
    LIMBIC_UNROLL
    for (unsigned k = 0; k < 2 * W; k++)
        w[k] = v8_read(v8_add(at, v8_set1(8 * k)));
    lanes_unpack(&r->x, w);
    lanes_unpack(&r->y, w + W);
    negate_if(&r->y, minus);
}

static inline v8 address(const uint64_t *p) {
    return v8_set1((uint64_t)(uintptr_t)p);
}

/*
 * Windows without zero digits, v's and u's at their own places among the same doublings. An addition of equal or opposite points makes
 * z = 0, which stays; so where z is 0 in the end, and only there, the result may be wrong: the caller takes the operation on one.
 */
LANES_CALLED void double_mul_vartime(jacobian *r, const uint64_t *u, const uint64_t *v, const uint64_t *q) {
    enum { G_W = ODD_W - 1, G_WINDOWS = (BITS + G_W - 1) / G_W }; /* all of G's odd multiples */
    enum { TOP = (POINT_WINDOWS - 1) * POINT_W };
    _Static_assert((G_WINDOWS - 1) * G_W <= TOP, "v's highest window comes first");
    lanes_digits du, dv;
    affine t[POINT_ODD], b;
    chord c;
    odd_multiples(t, q, KERNEL_OF(_inv_vartime_, ENGINE_INV));
    recode_lanes(&du, u, G_W, G_WINDOWS);
    recode_lanes(&dv, v, POINT_W, POINT_WINDOWS);
    for (unsigned i = TOP + 1; i--;) {
        if (i < TOP)
            dbl(r);
        if (i % POINT_W == 0) {
            point_entry(&b, t, &dv, i / POINT_W, dv.negative);
            if (i < TOP)
                add_affine(r, &b, &c, 0);
            else
                jacobian_from_affine(r, &b);
        }
        if (i % G_W == 0) {
            v8_mask minus;
            const v8 index = lanes_digit_i(&minus, &du, i / G_W, G_W);
            read_entry(&b, entry_address(address(CONST(odd)[0]), index), minus ^ du.negative);
            add_affine(r, &b, &c, 1);
        }
    }
}

/* As before. */
LANES_CALLED void prepared_mul_vartime(jacobian *r, const uint64_t *u, const uint64_t *v,
                                       const uint64_t *const *t) {
    _Alignas(64) uint64_t addresses[8];
    lanes_digits d;
    v8_mask minus, next_minus;
    v8 table, index, at;
    affine b;
    chord c;
    xyzz a;
    for (unsigned i = 0; i < 8; i++)
        addresses[i] = (uint64_t)(uintptr_t)t[i];
    table = v8_load(addresses);
    recode_lanes(&d, v, PREPARED_W, PREPARED_WINDOWS);
    index = lanes_digit_i(&minus, &d, 0, PREPARED_W);
    at = entry_address(table, index);
    for (unsigned i = 0; i < PREPARED_WINDOWS; i++, minus = next_minus) {
        read_entry(&b, at, minus ^ d.negative);
        next_minus = 0;
        if (i + 1 < PREPARED_WINDOWS) { /* tables of many keys are in no near cache */
            table = v8_add(table, v8_set1((uint64_t)16 * W << (PREPARED_W - 1)));
            index = lanes_digit_i(&next_minus, &d, i + 1, PREPARED_W);
            at = entry_address(table, index);
            v8_prefetch(at, 16 * W);
        }
        if (i)
            xyzz_add(&a, &b, &c);
        else
            xyzz_from_residues(&a, &b);
    }
    recode_lanes(&d, u, BASE_W, BASE_WINDOWS);
    for (unsigned i = 0; i < BASE_WINDOWS; i++) {
        index = lanes_digit_i(&minus, &d, i, BASE_W);
        table = address(i ? CONST(base)[i - 1][0] : CONST(odd)[0]);
        read_entry(&b, entry_address(table, index), minus ^ d.negative);
        xyzz_add(&a, &b, &c);
    }
    xyzz_to_jacobian(r, &a);
}

/* ---- the operations ---- */

/* Fills eight places with up to eight items, the first being repeated. */
static void fill(uint64_t *r, const uint64_t *a, size_t words, size_t count) {
    for (size_t i = 0; i < 8; i++)
        memcpy(r + words * i, a + words * (i < count ? i : 0), words * sizeof *r);
}

/* How many of n the lanes take next: up to eight groups, the last of at least LEAST. */
static size_t next_chunk(size_t n) {
    if (n >= 8 * GROUPS)
        return 8 * GROUPS;
    return n % 8 < LEAST ? n - n % 8 : n;
}

/*
 * points = what the statement makes of the items i, ... i + count - 1, eight by eight; then r. What is left over is
 * rest's, which begins at item `done`. redo: for public data, what makes item i on its own where z is 0.
 */
#define MANY(statement, inversion, redo, rest)                                                               \
    jacobian points[GROUPS];                                                                                 \
    uint64_t xy[8 * GROUPS * 2 * W];                                                                         \
    v8_mask infinite[GROUPS];                                                                                \
    size_t done = 0;                                                                                         \
    for (size_t chunk; (chunk = next_chunk(n - done)) != 0; done += chunk) {                                 \
        for (size_t g = 0; 8 * g < chunk; g++) {                                                             \
            const size_t i = done + 8 * g, count = chunk - 8 * g < 8 ? chunk - 8 * g : 8;                    \
            jacobian *const p = &points[g];                                                                  \
            statement;                                                                                       \
        }                                                                                                    \
        to_affine(xy, points, (chunk + 7) / 8, KERNEL_OF(inversion, ENGINE_INV), infinite);                  \
        memcpy(r + 2 * W * done, xy, chunk * 2 * W * sizeof *r);                                             \
        redo;                                                                                                \
    }                                                                                                        \
    if (done < n)                                                                                            \
        rest;

/* After lanes. Below, point_mul and odd_multiples hold most, a table and its z, and at most half as much beside them; base_mul and to_affine hold
 * no table. */
#define WIPE(elements)                                                                                       \
    if (done) {                                                                                              \
        limbic_wipe(ks, sizeof ks);                                                                          \
        limbic_wipe(points, sizeof points);                                                                  \
        limbic_wipe(xy, sizeof xy);                                                                          \
        limbic_wipe_stack_beyond((elements) * sizeof(lfe));                                                  \
    }

#define SINGLE(op) KERNEL_OF(_##op##_, ENGINE_SINGLE)

/* Where z is 0: once more, on one; `statement` makes the Jacobian point. */
#define REDO(statement)                                                                                      \
    for (size_t j = 0; j < chunk; j++)                                                                       \
        if (infinite[j / 8] >> j % 8 & 1) {                                                                  \
            const size_t i = done + j;                                                                       \
            uint64_t one[3 * W];                                                                             \
            statement;                                                                                       \
            (void)SINGLE(to_affine)(r + 2 * W * i, one);                                                     \
        }

void OP(base_mul_many)(uint64_t *r, const uint64_t *k, size_t n) {
    uint64_t ks[8 * W];
    MANY((fill(ks, k + W * i, W, count), base_mul(p, ks)), _inv_, (void)0,
         SINGLE(base_mul_many)(r + 2 * W * done, k + W * done, n - done))
    WIPE(4 * GROUPS)
}

void OP(point_mul_many)(uint64_t *r, const uint64_t *k, const uint64_t *q, size_t n) {
    uint64_t ks[8 * W], qs[16 * W];
    MANY((fill(ks, k + W * i, W, count), fill(qs, q + 2 * W * i, 2 * W, count), point_mul(p, ks, qs)), _inv_,
         (void)0, SINGLE(point_mul_many)(r + 2 * W * done, k + W * done, q + 2 * W * done, n - done))
    WIPE(POINT_ODD * 3 * 3 / 2)
}

void OP(double_mul_many_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v, const uint64_t *q,
                                 size_t n) {
    uint64_t us[8 * W], vs[8 * W], qs[16 * W];
    MANY((fill(us, u + W * i, W, count), fill(vs, v + W * i, W, count), fill(qs, q + 2 * W * i, 2 * W, count),
          double_mul_vartime(p, us, vs, qs)),
         _inv_vartime_, REDO(SINGLE(double_mul_vartime)(one, u + W * i, v + W * i, q + 2 * W * i)),
         SINGLE(double_mul_many_vartime)(r + 2 * W * done, u + W * done, v + W * done, q + 2 * W * done,
                                         n - done))
}

void OP(prepared_mul_many_vartime)(uint64_t *r, const uint64_t *u, const uint64_t *v,
                                   const uint64_t *const *t, size_t n) {
    uint64_t us[8 * W], vs[8 * W];
    const uint64_t *ts[8];
    MANY(
        {
            fill(us, u + W * i, W, count);
            fill(vs, v + W * i, W, count);
            for (size_t j = 0; j < 8; j++)
                ts[j] = t[i + (j < count ? j : 0)];
            prepared_mul_vartime(p, us, vs, ts);
        },
        _inv_vartime_, REDO(SINGLE(prepared_mul_vartime)(one, u + W * i, v + W * i, t[i])),
        SINGLE(prepared_mul_many_vartime)(r + 2 * W * done, u + W * done, v + W * done, t + done, n - done))
}
