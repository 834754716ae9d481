/*
 * r = a^2 / 2^384 mod p, the Montgomery square of P-384
 *
 * Prototype: void limbic_p384_sqr_a64(uint64_t *r, const uint64_t *a);
 * Representation: residue; six words of 64 bits, least significant first
 * Input: a < m
 * Output: r = mul(a, a), r < m
 * Aliasing: any; the input is read before r is written
 * Registers: x0 = r, x1 = a; x4 to x9 = a; x10 to x17, x19, x20, x1, x2 the square, of whose lower half the reduction
 *     makes words 6 to 11; x3 a word of a row; x4 to x9 of the reduction
 * Clobbers: x1 to x17, flags; x19, x20 are restored
 * Stack: 16 bytes, saved registers only
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: the products of different words, row by row, each ROW being two chains whose last carries are zero; one
 *     chain doubles them and one adds the squares: the last carries are zero, since no partial sum is above the square.
 *     REDUCE_TWO: no borrow is left. The halves are added, with a carry into a seventh word, and REDUCE_ONCE is one
 *     chain over seven words
 * Floor: 42 multiplications: 21 products; the reduction takes none
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p384.inc"

    FUNCTION limbic_p384_sqr_a64, 1
    ldp x4, x5, [x1]
    ldp x6, x7, [x1, 16]
    ldp x8, x9, [x1, 32]
    FIRST_ROW x4, x3, x11, x5, x12, x6, x13, x7, x14, x8, x15, x9, x16
    ROW xzr, x5, x3, x13, x6, x14, x7, x15, x8, x16, x9, x17
    ROW xzr, x6, x3, x15, x7, x16, x8, x17, x9, x19
    ROW xzr, x7, x3, x17, x8, x19, x9, x20
    LAST_ROW x8, x3, x20, x9, x1
    CHAIN adds, adcs, x11, x11, x12, x12, x13, x13, x14, x14, x15, x15, x16, x16, x17, x17, x19, x19, x20, x20, x1, x1
    cset x2, cs
    ADD_SQUARES x3, x10, x11, x4, x12, x13, x5, x14, x15, x6, x16, x17, x7, x19, x20, x8, x1, x2, x9
    REDUCE x10, x11, x12, x13, x14, x15, x16, x17, x19, x20, x1, x2, x4, x5, x6, x7, x8, x9
    RETURN
