/*
 * Scalars as digits, for the sources that are compiled once per (ENGINE_UNIT, ENGINE_ISA), and what these call the constants and kernels of their curve.
 *
 * Scalars in constant time are recoded into odd signed digits, ±1 ... ±(2^w - 1), no digit being zero: k is made odd
 * (n - k for an even k, the result's sign changed). So every step does the same, and no sum before the last
 * meets an exceptional case (see base_mul and point_mul of engine.c); the last one uses the complete addition.
 */
#ifndef LIMBIC_CURVE_DIGITS_H
#define LIMBIC_CURVE_DIGITS_H

#include "base/limb.h"
#include "consts/tables.h"
#include "consts/p256n.h"
#include "consts/p384n.h"
#include "consts/p521n.h"
#include "consts/sm2n.h"

#define JOIN_(a, b, c, d, e) a##b##c##d##e
#define JOIN(a, b, c, d, e)  JOIN_(a, b, c, d, e)
#define CONST(name)          JOIN(limbic_, ENGINE_UNIT, _##name, , )
#define ORDER(name)          JOIN(limbic_, ENGINE_UNIT, n_##name, , )
#define KERNEL_OF(op, isa)   JOIN(limbic_, ENGINE_UNIT, op, isa, )
#define OP(op)               JOIN(limbic_, ENGINE_UNIT, _##op##_, ENGINE_ISA, )

enum {
    W = CONST(limbs),
    BITS = ORDER(bits),
    BASE_W = CONST(base_w),
    BASE_WINDOWS = CONST(base_windows),
    PREPARED_W = CONST(prepared_w),
    PREPARED_WINDOWS = CONST(prepared_windows),
    ODD_W = CONST(odd_w), /* of G's digits in double_mul_vartime */
    POINT_W = 5,          /* window of point_mul, and of q's digits in double_mul_vartime */
    POINT_WINDOWS = (BITS + POINT_W - 1) / POINT_W,
    POINT_ODD = 1 << (POINT_W - 1),
};
_Static_assert(ODD_W > BASE_W, "G's odd multiples begin with the lowest window");

typedef struct {
    uint64_t k[W + 1];
    uint64_t negative; /* all ones: the digits are those of n - k */
} digits;

/* Recodes k <= n for windows of w bits, w * windows >= BITS. A bit above the top window makes the last digit's rule the
 * same as the others'. */
static inline void recode(digits *d, const uint64_t *k, unsigned w, unsigned windows) {
    uint64_t t[W], borrow = 0;
    for (unsigned i = 0; i < W; i++)
        t[i] = limbic_sbb(ORDER(m)[i], k[i], &borrow);
    d->negative = ~limbic_mask_bit(k[0]);
    limbic_words_select(d->k, d->negative, k, t, W);
    d->k[W] = 0;
    d->k[w * windows / 64] |= UINT64_C(1) << (w * windows % 64);
}

/* Digit i: its sign as a mask (all ones: negative), and its place among the odd numbers, (|digit| - 1) / 2. */
static inline uint64_t digit(uint64_t *minus, const digits *d, unsigned i, unsigned w) {
    unsigned at = i * w, word = at / 64, shift = at % 64;
    uint64_t v = d->k[word] >> shift, sign;
    if (shift + w + 1 > 64 && word < W)
        v |= d->k[word + 1] << (64 - shift);
    sign = limbic_barrier((v >> w & 1) - 1);
    *minus = sign;
    return ((v ^ sign) >> 1) & ((UINT64_C(1) << (w - 1)) - 1);
}

#endif
