/*
 * r = the matrix of 60 divsteps on f and g
 *
 * Prototype: void limbic_gcd_divsteps_a64(uint64_t *r, uint64_t zeta, uint64_t f, uint64_t g);
 * Representation: u, v, q, r, zeta: five signed words
 * Input: f odd, zeta of at most 2^62 in size
 * Output: what 60 divsteps do: f' = (u f + v g) / 2^60, g' = (q f + r g) / 2^60, and zeta
 * Aliasing: none
 * Registers: x0 = r, x1 = zeta, x2, x3 = f, g; of a chunk: x4, x5 = f, g with their rows, x6 what a step adds, x7 to x10 its
 *     matrix, negated; x11 to x14 the matrix so far; x15 a constant; x16, x17 of one product
 * Clobbers: x1 to x17, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: none: words modulo 2^64; the ranges within a packed word are those of dv_chunk in src/field/divsteps.h
 * Floor: 24 multiplications, of one word; 60 steps of nine instructions, six of them one after the other
 */
#include "asm/aarch64/limbic.inc"

/* So many steps can be followed in one word, which has the low bits of a number and its row: see dv_chunk. */
#define C 20

    /* If g is odd: f' = g where zeta < 0; 2 g' = g - f or g + f; zeta' + 1 = -1 - zeta or zeta. */
    .macro STEP
    tst x5, 1
    csel x6, x4, xzr, ne
    ccmp x1, 0, 0, ne
    cneg x6, x6, lt
    csel x4, x5, x4, lt
    cinv x1, x1, lt
    sub x1, x1, 1
    add x5, x5, x6
    asr x5, x5, 1
    .endm

    /* (u, v, q, r) = the negated matrix of C steps on the low bits of x2 and x3, which it leaves. v is rounded to a multiple of
     * 2^(2C+2); u to one of 2^(C+1), v cut off. */
    .macro CHUNK u, v, q, r
    and x4, x2, (1 << C) - 1
    and x5, x3, (1 << C) - 1
    orr x4, x4, -(1 << (2 * C + 1))
    orr x5, x5, -(1 << (3 * C + 2))
    .rept C
    STEP
    .endr
    add \u, x4, 1 << C
    add \v, x4, x15
    add \q, x5, 1 << C
    add \r, x5, x15
    sbfx \u, \u, C + 1, C + 1
    asr \v, \v, 2 * C + 2
    sbfx \q, \q, C + 1, C + 1
    asr \r, \r, 2 * C + 2
    .endm

    /* (a, b) = the matrix (u, v, q, r) times (a, b); negated with mneg, msub. */
    .macro APPLY mul, madd, u, v, q, r, a, b
    \mul x16, \u, \a
    \mul x17, \q, \a
    \madd \a, \v, \b, x16
    \madd \b, \r, \b, x17
    .endm

    /* The low bits that the chunks to come need are right. */
    .macro ADVANCE u, v, q, r
    APPLY mneg, msub, \u, \v, \q, \r, x2, x3
    lsr x2, x2, C
    lsr x3, x3, C
    .endm

    FUNCTION limbic_gcd_divsteps_a64
    mov x15, 1 << C
    movk x15, 1 << (2 * C + 1 - 32), lsl 32
    CHUNK x11, x12, x13, x14
    ADVANCE x11, x12, x13, x14
    CHUNK x7, x8, x9, x10
    ADVANCE x7, x8, x9, x10
    APPLY mul, madd, x7, x8, x9, x10, x11, x13 /* of two negated ones: as it is */
    APPLY mul, madd, x7, x8, x9, x10, x12, x14
    CHUNK x7, x8, x9, x10
    APPLY mneg, msub, x7, x8, x9, x10, x11, x13
    APPLY mneg, msub, x7, x8, x9, x10, x12, x14
    stp x11, x12, [x0]
    stp x13, x14, [x0, 16]
    str x1, [x0, 32]
    RETURN
