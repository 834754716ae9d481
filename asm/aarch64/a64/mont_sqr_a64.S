/*
 * r = a^2 / R mod m for an odd m of run-time length
 *
 * Prototype: void limbic_mont_sqr_a64(uint64_t *r, const uint64_t *a, const limbic_mont *x);
 * Representation: residue
 * Input: a < m
 * Output: r = mul(a, a), r < m
 * Aliasing: any; r is written after the last product
 * Registers: x0 to x3 pointers (mont.inc); x4 to x11 the words that are multiplied; x12 to x17, x19, x20 the window; x21, x22 multipliers;
 *     x23, x24 words of t; x25, x26 of a row; x27 = the bytes of a number, x28 = n0
 * Clobbers: x0 to x17, v0, flags; x19 to x28 are restored
 * Stack: 4224 bytes: saved registers, pointers, and the product t, which is wiped
 * Features: a64
 * Timing: constant in the values; branches and addresses depend on the number of words alone
 * Carries: a row ends in a new word that takes both carries (mont.inc); DOUBLE adds the squares in one chain, whose last carry is zero; REDUCE keeps the carry of a block in CARRY, and the last one
 *     with the borrow of t - m decides
 * Floor: with n words 3 n^2 + n multiplications: n (n + 1) / 2 + n^2 products and the n quotients
 * Lengths: a multiple of 8 words up to 256 (LIMBIC_MONT_MAX_LIMBS), which t has room for; others go to the portable row
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/mont.inc"

    /* (t[0 .. 7], z) = t[0 .. 7] + the sum of a[i] a[j] 2^(64 (i + j)) for i < j < 8: row i begins at word i + 1. */
    .macro TRIANGLE
    CLEAR_WINDOW
    ldp T0, T1, [x0, 0]
    adds T0, Z0, T0
    CHAIN adcs, adcs, Z1, xzr
    ROW_HIGH_NEW A0, Z1, A1, Z2, A2, Z3, A3, Z4, A4, Z5, A5, Z6, A6, Z7, A7, C
    ROW_LOW adds, C, A0, H, Z1, A1, Z2, A2, Z3, A3, Z4, A4, Z5, A5, Z6, A6, Z7, A7, Z0
    adds T1, Z1, T1
    CHAIN adcs, adcs, Z2, xzr, Z3, xzr
    ROW_HIGH_NEW A1, Z3, A2, Z4, A3, Z5, A4, Z6, A5, Z7, A6, Z0, A7, C
    ROW_LOW adds, C, A1, H, Z3, A2, Z4, A3, Z5, A4, Z6, A5, Z7, A6, Z0, A7, Z1
    stp T0, T1, [x0, 0]
    ldp T0, T1, [x0, 16]
    adds T0, Z2, T0
    CHAIN adcs, adcs, Z3, xzr, Z4, xzr, Z5, xzr
    ROW_HIGH_NEW A2, Z5, A3, Z6, A4, Z7, A5, Z0, A6, Z1, A7, C
    ROW_LOW adds, C, A2, H, Z5, A3, Z6, A4, Z7, A5, Z0, A6, Z1, A7, Z2
    adds T1, Z3, T1
    CHAIN adcs, adcs, Z4, xzr, Z5, xzr, Z6, xzr, Z7, xzr
    ROW_HIGH_NEW A3, Z7, A4, Z0, A5, Z1, A6, Z2, A7, C
    ROW_LOW adds, C, A3, H, Z7, A4, Z0, A5, Z1, A6, Z2, A7, Z3
    stp T0, T1, [x0, 16]
    ldp T0, T1, [x0, 32]
    adds T0, Z4, T0
    CHAIN adcs, adcs, Z5, xzr, Z6, xzr, Z7, xzr, Z0, xzr, Z1, xzr
    ROW_HIGH_NEW A4, Z1, A5, Z2, A6, Z3, A7, C
    ROW_LOW adds, C, A4, H, Z1, A5, Z2, A6, Z3, A7, Z4
    adds T1, Z5, T1
    CHAIN adcs, adcs, Z6, xzr, Z7, xzr, Z0, xzr, Z1, xzr, Z2, xzr, Z3, xzr
    ROW_HIGH_NEW A5, Z3, A6, Z4, A7, C
    ROW_LOW adds, C, A5, H, Z3, A6, Z4, A7, Z5
    stp T0, T1, [x0, 32]
    ldp T0, T1, [x0, 48]
    adds T0, Z6, T0
    CHAIN adcs, adcs, Z7, xzr, Z0, xzr, Z1, xzr, Z2, xzr, Z3, xzr, Z4, xzr, Z5, xzr
    ROW_HIGH_NEW A6, Z5, A7, C
    ROW_LOW adds, C, A6, H, Z5, A7, Z6
    adds T1, Z7, T1
    CHAIN adcs, adcs, Z0, xzr, Z1, xzr, Z2, xzr, Z3, xzr, Z4, xzr, Z5, xzr, Z6, xzr
    cset Z7, cs
    stp T0, T1, [x0, 48]
    add x0, x0, 64
    .endm

    /* Two words (z0, z1) of t doubled, from the word below on, plus a^2. */
    .macro DOUBLE_WORD a, z0, z1, below
    ldp \z0, \z1, [x0]
    mul B0, \a, \a
    extr T0, \z0, \below, 63
    umulh B1, \a, \a
    adcs T0, T0, B0
    extr T1, \z1, \z0, 63
    adcs T1, T1, B1
    stp T0, T1, [x0], 16
    .endm

    /* t = 2 t + the squares of a, which x1 points to. What a word is doubled by is H's top bit. */
    .macro DOUBLE
    add x0, sp, T
    add x3, x1, x27
    cmn xzr, xzr /* no carry */
    mov H, xzr
.Ldouble:
    LOAD_8
    DOUBLE_WORD A0, Z0, Z1, H
    DOUBLE_WORD A1, Z2, Z3, Z1
    DOUBLE_WORD A2, Z4, Z5, Z3
    DOUBLE_WORD A3, Z6, Z7, Z5
    DOUBLE_WORD A4, Z0, Z1, Z7
    DOUBLE_WORD A5, Z2, Z3, Z1
    DOUBLE_WORD A6, Z4, Z5, Z3
    DOUBLE_WORD A7, Z6, H, Z5
    sub C, x3, x1
    cbnz C, .Ldouble
    .endm

    .macro BEFORE_SAVES
    OTHERS limbic_mont_sqr_c, x2
    .endm

    FUNCTION limbic_mont_sqr_a64, 5, BEFORE_SAVES
    ALLOCATE
    lsl x27, x4, 3
    stp x0, x1, [RESULT]
    add x3, x1, x27
    str x2, [CONTEXT]
    CLEAR
.Lrow:
    mov x2, x1
    LOAD_8
    TRIANGLE
    COLUMNS
    STORE_WINDOW
    sub x4, x3, x2
    sub x0, x0, x4
    add x0, x0, 128 /* the next row and its first column */
    add x1, x2, 64
    cmp x1, x3
    b.ne .Lrow
    ldr x1, [FACTOR]
    DOUBLE
    REDUCE
    RELEASE
    RETURN
