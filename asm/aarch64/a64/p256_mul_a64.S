/*
 * r = a * b / 2^256 mod p, the Montgomery product of P-256
 *
 * Prototype: void limbic_p256_mul_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; four words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 and then x4 to x7 = a, x2 = b, x8, x9 words of b; x10 to x14 in turn hold the words that a row
 *     touches; x1, x3, x15 of one step
 * Clobbers: x1 to x15, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: t = (t + a b_i + q p) / 2^64 < 2p after each step, as it is before. So t + a b_i < 2p + (2^64 - 1) p < 2^320 takes
 *     five words and the last carry of a ROW is zero; that of REDUCE_WORD becomes the new top word. REDUCE_ONCE is one
 *     chain over five words
 * Floor: 32 multiplications: 16 products; the reduction takes none
 */
#include "asm/aarch64/limbic.inc"

#define tmp x3
#include "asm/aarch64/a64/p256.inc"
#define LIST(t0, t1, t2, t3, t4) t0, x4, t1, x5, t2, x6, t3, x7, t4

    /* (t1 .. t4, t0) = ((t0 .. t4) + q p) / 2^64 */
    .macro REDUCE t0, t1, t2, t3, t4
    REDUCE_WORD \t0, \t1, \t2, \t3, x1, x15
    adcs \t4, \t4, x15
    cset \t0, cs
    .endm

    FUNCTION limbic_p256_mul_a64
    ldp x4, x5, [x1]
    ldp x8, x9, [x2]
    ldp x6, x7, [x1, 16]
    FIRST_ROW x8, tmp, LIST(x10, x11, x12, x13, x14)
    REDUCE x10, x11, x12, x13, x14
    ROW x10, x9, tmp, LIST(x11, x12, x13, x14, x10)
    ldp x8, x9, [x2, 16]
    REDUCE x11, x12, x13, x14, x10
    ROW x11, x8, tmp, LIST(x12, x13, x14, x10, x11)
    REDUCE x12, x13, x14, x10, x11
    ROW x12, x9, tmp, LIST(x13, x14, x10, x11, x12)
    REDUCE x13, x14, x10, x11, x12
    REDUCE_ONCE x14, x10, x11, x12, x13, x4, x5, x6, x7
    RETURN
