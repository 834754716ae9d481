/*
 * Inverses by divsteps: D. J. Bernstein and B.-Y. Yang, "Fast constant-time gcd computation and modular
 * inversion", eprint 2019/266, in the variant that starts at delta = 1/2.
 *
 * A divstep takes delta, odd f and g to
 *     1 - delta, g, (g - f) / 2               if delta > 0 and g is odd,
 *     1 + delta, f, (g + (g mod 2) f) / 2     if not,
 * so f stays odd, gcd(f, g) stays, and g ends at 0, f at +-gcd. With f = m and 0 <= g < m < 2^bits,
 * (45907 bits + 26313) / 19929 steps, rounded down, are enough: https://github.com/sipa/safegcd-bounds
 * (genproofhd.md), with proofs also in eprint 2021/549.
 *
 * d and e follow with f = d a, g = e a mod m. Steps are gathered in matrices of a batch of DV_BITS steps,
 * which are then applied to signed numbers of limbs of DV_BITS bits: all limbs in [0, 2^DV_BITS) but the top
 * one, which has the sign.
 *
 * zeta = -(delta + 1/2): an integer, below 0 exactly if delta > 0.
 */
#ifndef LIMBIC_FIELD_DIVSTEPS_H
#define LIMBIC_FIELD_DIVSTEPS_H

#include "field/modarith.h"

/* dv_wide holds a product of two dv_int. DV_CHUNK: steps that one packed word can follow, see dv_chunk. */
#ifndef LIMBIC_NO_INT128
typedef int64_t dv_int;
typedef uint64_t dv_uint;
typedef limbic_i128 dv_wide;
#define DV_WORD  64
#define DV_CHUNK 20
#else
typedef int32_t dv_int;
typedef uint32_t dv_uint;
typedef int64_t dv_wide;
#define DV_WORD  32
#define DV_CHUNK 9
#endif
#define DV_BITS (3 * DV_CHUNK)
#define DV_MASK (((dv_uint)1 << DV_BITS) - 1)

/* The loops over limbs run to a constant or to the length of a run-time modulus. */
#if defined(__GNUC__) && !defined(__clang__)
#define DV_UNROLL _Pragma("GCC unroll 10")
#else
#define DV_UNROLL
#endif

/* Numbers in (-2m, 2m), m < 2^bits */
#define DV_LIMBS(bits) (((size_t)(bits) + 2 + DV_BITS - 1) / DV_BITS)
/* f, g, d, e, m */
#define DV_SCRATCH(bits) (5 * DV_LIMBS(bits))
#define DV_BATCHES(bits) (((45907 * (size_t)(bits) + 26313) / 19929 + DV_BITS - 1) / DV_BITS)

/* 2^DV_BITS times what a batch does: f' = (u f + v g) / 2^DV_BITS, g' = (q f + r g) / 2^DV_BITS.
 * |u| + |v| and |q| + |r| are at most 2^DV_BITS. */
struct dv_matrix {
    dv_int u, v, q, r;
};

/* All ones if x < 0. The barrier keeps the mask from becoming a branch. */
LIMBIC_INLINE dv_int dv_sign(dv_int x) {
    return (dv_int)limbic_barrier((uint64_t)(x >> (DV_WORD - 1)));
}

/* r = a, zero-extended */
LIMBIC_INLINE void dv_from_words(dv_int *r, size_t limbs, const uint64_t *a, size_t n) {
    DV_UNROLL
    for (size_t i = 0; i < limbs; i++) {
        size_t bit = i * DV_BITS, k = bit / 64, s = bit % 64;
        uint64_t x = k < n ? a[k] >> s : 0;
        if (s > 64 - DV_BITS && k + 1 < n)
            x |= a[k + 1] << (64 - s);
        r[i] = (dv_int)(x & DV_MASK);
    }
}

/* r = a in [0, 2^(64n)) */
LIMBIC_INLINE void dv_to_words(uint64_t *r, size_t n, const dv_int *a, size_t limbs) {
    DV_UNROLL
    for (size_t k = 0; k < n; k++) {
        uint64_t x = 0;
        for (size_t i = 64 * k / DV_BITS; i < limbs && i * DV_BITS < 64 * k + 64; i++) {
            uint64_t limb = (uint64_t)a[i];
            x |= i * DV_BITS >= 64 * k ? limb << (i * DV_BITS - 64 * k) : limb >> (64 * k - i * DV_BITS);
        }
        r[k] = x;
    }
}

/*
 * DV_CHUNK = C steps on the low C bits of f and g. One word carries a number and its matrix row:
 *     F = f' - u 2^(C+1) - v 2^(2C+2), where f' 2^C = u f + v g so far and (u, v), scaled by 2^C, starts as
 * (2^C, 0); the same for G, which starts as (0, 2^C). A step is linear in the numbers and in the rows, so
 * that it is one addition and one shift for the whole word; the shift is exact in the row, whose entries have
 * had at most C - 1 before. Ranges: |f'| < 2^C. |u| + |v| <= 2^C, as a row is half the sum or difference of
 * two rows. u + v > -2^C, so neither is -2^C: the first rows have u + v = 2^C; a sum is above -2^C as both
 * terms are; a difference only follows when the old f becomes the subtrahend, and is above (-2^C - 2^C) / 2.
 * So -u is in [-2^C, 2^C), and f' with it can be told apart. G +- F before its shift is below 2^(3C+3) in
 * size: its entry for v is even and, since equal rows would be singular, at most 2^(C+1) - 2, which leaves
 * 2^(2C+3) for the rest, less than 2^(2C+2) + 2^(C+1). DV_WORD >= 3C + 4. t is the NEGATED matrix; returns
 * the new zeta.
 */
LIMBIC_INLINE dv_int dv_chunk(struct dv_matrix *t, dv_int zeta, dv_uint f, dv_uint g) {
    const int C = DV_CHUNK;
    const dv_uint one = 1, low = (one << C) - 1;
    f = (f & low) - (one << (2 * C + 1));
    g = (g & low) - (one << (3 * C + 2));
    for (int i = 0; i < C; i++) {
        dv_uint odd = (dv_uint)limbic_mask_bit(g), positive = (dv_uint)dv_sign(zeta), swap = odd & positive;
        dv_uint x = ((f ^ positive) - positive) & odd; /* f or -f */
        f ^= (f ^ g) & swap;
        g = (dv_uint)((dv_int)(g + x) >> 1);
        zeta = (zeta ^ (dv_int)swap) - 1;
    }
    /* v: round to a multiple of 2^(2C+2); u: to one of 2^(C+1), and cut off v */
    const dv_uint half = one << C, round = half + (half << (C + 1));
    t->u = (dv_int)((f + half) << (DV_WORD - 2 * C - 2)) >> (DV_WORD - C - 1);
    t->v = (dv_int)(f + round) >> (2 * C + 2);
    t->q = (dv_int)((g + half) << (DV_WORD - 2 * C - 2)) >> (DV_WORD - C - 1);
    t->r = (dv_int)(g + round) >> (2 * C + 2);
    return zeta;
}

/* -(a b + c d), modulo the word */
LIMBIC_INLINE dv_uint dv_dot(dv_int a, dv_uint b, dv_int c, dv_uint d) {
    return 0 - ((dv_uint)a * b + (dv_uint)c * d);
}

/* A batch of three chunks; only the low DV_BITS bits of f and g matter. */
LIMBIC_INLINE dv_int dv_batch(struct dv_matrix *t, dv_int zeta, dv_uint f, dv_uint g) {
    dv_uint u = 1, v = 0, q = 0, r = 1, x;
    for (int i = 0; i < 3; i++) {
        struct dv_matrix s;
        zeta = dv_chunk(&s, zeta, f, g);
        x = dv_dot(s.u, f, s.v, g) >> DV_CHUNK; /* the low bits that the other chunks need are right */
        g = dv_dot(s.q, f, s.r, g) >> DV_CHUNK;
        f = x;
        x = dv_dot(s.u, u, s.v, q);
        q = dv_dot(s.q, u, s.r, q);
        u = x;
        x = dv_dot(s.u, v, s.v, r);
        r = dv_dot(s.q, v, s.r, r);
        v = x;
    }
    *t = (struct dv_matrix){(dv_int)u, (dv_int)v, (dv_int)q, (dv_int)r};
    return zeta;
}

#if defined(ENGINE_DIVSTEPS) && !defined(LIMBIC_NO_INT128) /* dispatch/engine.h; of 60 steps */
LIMBIC_INLINE dv_int dv_kernel(struct dv_matrix *t, dv_int zeta, dv_uint f, dv_uint g) {
    uint64_t r[5];
    ENGINE_DIVSTEPS(r, (uint64_t)zeta, f, g);
    *t = (struct dv_matrix){(dv_int)r[0], (dv_int)r[1], (dv_int)r[2], (dv_int)r[3]};
    return (dv_int)r[4];
}
#define dv_batch dv_kernel
#endif

/* f, g = t (f, g) / 2^DV_BITS, exact. The numbers stay in (-m, m]: a step halves a sum or difference of two.
 */
LIMBIC_INLINE void dv_update_fg(dv_int *f, dv_int *g, size_t limbs, const struct dv_matrix *t) {
    dv_wide cf = (dv_wide)t->u * f[0] + (dv_wide)t->v * g[0];
    dv_wide cg = (dv_wide)t->q * f[0] + (dv_wide)t->r * g[0];
    DV_UNROLL
    for (size_t i = 1; i < limbs; i++) {
        dv_int fi = f[i], gi = g[i];
        cf = (cf >> DV_BITS) + (dv_wide)t->u * fi + (dv_wide)t->v * gi;
        cg = (cg >> DV_BITS) + (dv_wide)t->q * fi + (dv_wide)t->r * gi;
        f[i - 1] = (dv_int)((dv_uint)cf & DV_MASK);
        g[i - 1] = (dv_int)((dv_uint)cg & DV_MASK);
    }
    f[limbs - 1] = (dv_int)(cf >> DV_BITS);
    g[limbs - 1] = (dv_int)(cg >> DV_BITS);
}

/*
 * d, e = t (d, e) / 2^DV_BITS mod m, in (-2m, m) before and after: made (-m, m) first, by adding m where
 * negative; then |u d + v e| < 2^DV_BITS m; then a multiple of m in (-2^DV_BITS m, 0] is added that makes it
 * divisible. mi = 1/m mod 2^DV_BITS. A sum of limbs is at most 3 2^(2 DV_BITS) in size and fits.
 */
LIMBIC_INLINE void dv_update_de(dv_int *d, dv_int *e, size_t limbs, const struct dv_matrix *t,
                                const dv_int *m, dv_uint mi) {
    dv_int sd = dv_sign(d[limbs - 1]), se = dv_sign(e[limbs - 1]);
    /* what the added m bring into the sum: in [-2^DV_BITS, 2^DV_BITS] */
    dv_int kd = (t->u & sd) + (t->v & se), ke = (t->q & sd) + (t->r & se);
    dv_wide cd = (dv_wide)t->u * d[0] + (dv_wide)t->v * e[0];
    dv_wide ce = (dv_wide)t->q * d[0] + (dv_wide)t->r * e[0];
    kd -= (dv_int)((mi * (dv_uint)cd + (dv_uint)kd) & DV_MASK);
    ke -= (dv_int)((mi * (dv_uint)ce + (dv_uint)ke) & DV_MASK);
    cd += (dv_wide)kd * m[0];
    ce += (dv_wide)ke * m[0];
    DV_UNROLL
    for (size_t i = 1; i < limbs; i++) {
        dv_int di = d[i], ei = e[i];
        cd = (cd >> DV_BITS) + (dv_wide)t->u * di + (dv_wide)t->v * ei + (dv_wide)kd * m[i];
        ce = (ce >> DV_BITS) + (dv_wide)t->q * di + (dv_wide)t->r * ei + (dv_wide)ke * m[i];
        d[i - 1] = (dv_int)((dv_uint)cd & DV_MASK);
        e[i - 1] = (dv_int)((dv_uint)ce & DV_MASK);
    }
    d[limbs - 1] = (dv_int)(cd >> DV_BITS);
    e[limbs - 1] = (dv_int)(ce >> DV_BITS);
}

/* d += m where the mask says so, then negated where negate says so, as a number of proper limbs again */
LIMBIC_INLINE void dv_fix(dv_int *d, size_t limbs, dv_int mask, dv_int negate, const dv_int *m) {
    dv_int carry = 0;
    DV_UNROLL
    for (size_t i = 0; i < limbs; i++) {
        dv_int x = (((d[i] + (m[i] & mask)) ^ negate) - negate) + carry;
        carry = x >> DV_BITS;
        d[i] = i + 1 < limbs ? (dv_int)((dv_uint)x & DV_MASK) : x;
    }
}

/* r = gcd(a, b) of 0 <= a <= b < 2^bits, n words each, b odd; s: two numbers of DV_LIMBS(bits), wiped. */
LIMBIC_INLINE void dv_gcd(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n, size_t bits,
                          dv_int *s) {
    const size_t limbs = DV_LIMBS(bits);
    dv_int *f = s, *g = f + limbs;
    struct dv_matrix t;
    dv_int zeta = -1;
    dv_from_words(f, limbs, b, n);
    dv_from_words(g, limbs, a, n);
    for (size_t i = 0; i < DV_BATCHES(bits); i++) {
        zeta = dv_batch(&t, zeta, (dv_uint)f[0], (dv_uint)g[0]);
        dv_update_fg(f, g, limbs, &t);
    }
    dv_fix(f, limbs, 0, dv_sign(f[limbs - 1]), f); /* f = +-gcd */
    dv_to_words(r, n, f, limbs);
    limbic_wipe(s, 2 * limbs * sizeof *s);
}

/*
 * r = 1/a mod m and 1; or, if gcd(a, m) > 1, something in [0, m) and 0 (r = 0 for a = 0). a < m < 2^bits, n
 * words each, m odd, n0 = -1/m mod 2^64; s: DV_SCRATCH(bits), wiped. Constant time in a and m; vartime: it
 * ends when g is zero, and drops limbs that have become empty. (Runs of zeros taken at once would save steps,
 * but cost as much in mispredicted branches.)
 */
LIMBIC_INLINE uint64_t dv_inverse(uint64_t *r, const uint64_t *a, const uint64_t *m, uint64_t n0, size_t n,
                                  size_t bits, dv_int *s, int vartime) {
    const size_t limbs = DV_LIMBS(bits);
    dv_int *f = s, *g = f + limbs, *d = g + limbs, *e = d + limbs, *mm = e + limbs;
    const dv_uint mi = (dv_uint)(0 - n0);
    struct dv_matrix t;
    dv_int zeta = -1;
    dv_from_words(f, limbs, m, n);
    dv_from_words(g, limbs, a, n);
    DV_UNROLL
    for (size_t i = 0; i < limbs; i++) {
        d[i] = 0;
        e[i] = i == 0;
        mm[i] = f[i];
    }
    if (vartime) {
        size_t used = limbs;
        for (;;) {
            dv_int any = 0;
            for (size_t i = 0; i < used; i++)
                any |= g[i];
            if (any == 0)
                break;
            zeta = dv_batch(&t, zeta, (dv_uint)f[0], (dv_uint)g[0]);
            dv_update_de(d, e, limbs, &t, mm, mi);
            dv_update_fg(f, g, used, &t);
            /* top limbs that are a mere sign join the next */
            if (used > 1 && f[used - 1] == dv_sign(f[used - 1]) && g[used - 1] == dv_sign(g[used - 1])) {
                used--;
                f[used - 1] |= (dv_int)((dv_uint)f[used] << DV_BITS);
                g[used - 1] |= (dv_int)((dv_uint)g[used] << DV_BITS);
            }
        }
        /* for the comparison below: the sign out of the limb again */
        for (; used < limbs; used++) {
            f[used] = dv_sign(f[used - 1]);
            f[used - 1] &= (dv_int)DV_MASK;
        }
    } else {
        for (size_t i = 0; i < DV_BATCHES(bits); i++) {
            zeta = dv_batch(&t, zeta, (dv_uint)f[0], (dv_uint)g[0]);
            dv_update_fg(f, g, limbs, &t); /* first: the next batch waits for it */
            dv_update_de(d, e, limbs, &t, mm, mi);
        }
    }
    /* f = 1, or -1: then all limbs are ones, the sign too */
    const dv_int negative = dv_sign(f[limbs - 1]);
    dv_int wrong = f[0] ^ (negative & (dv_int)DV_MASK) ^ (1 & ~negative);
    DV_UNROLL
    for (size_t i = 1; i < limbs; i++)
        wrong |= f[i] ^ (i + 1 < limbs ? negative & (dv_int)DV_MASK : negative);
    /* (-2m, m) to (-m, m), by the sign of f, to [0, m) */
    dv_fix(d, limbs, dv_sign(d[limbs - 1]), negative, mm);
    dv_fix(d, limbs, dv_sign(d[limbs - 1]), 0, mm);
    dv_to_words(r, n, d, limbs);
    limbic_wipe(s, DV_SCRATCH(bits) * sizeof(dv_int));
    return limbic_mask_zero((uint64_t)wrong) & 1;
}

#endif
