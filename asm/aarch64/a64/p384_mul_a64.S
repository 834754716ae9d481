/*
 * r = a * b / 2^384 mod p, the Montgomery product of P-384
 *
 * Prototype: void limbic_p384_mul_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; six words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x4 to x9 = a, x10, x11 words of b; x12 to x17, x19 to x22, x1, x2 the product, of
 *     whose lower half the reduction makes words 6 to 11; x3 a word of a row; x4 to x9 of the reduction
 * Clobbers: x1 to x17, flags; x19 to x22 are restored
 * Stack: 32 bytes, saved registers only
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: each ROW is two chains whose last carries are zero. REDUCE_TWO: no borrow is left. The halves are added,
 *     with a carry into a seventh word, and REDUCE_ONCE is one chain over seven words
 * Floor: 72 multiplications: 36 products; the reduction takes none
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p384.inc"

#define LIST(t0, t1, t2, t3, t4, t5, t6) t0, x4, t1, x5, t2, x6, t3, x7, t4, x8, t5, x9, t6

    FUNCTION limbic_p384_mul_a64, 2
    ldp x4, x5, [x1]
    ldp x10, x11, [x2]
    ldp x6, x7, [x1, 16]
    ldp x8, x9, [x1, 32]
    FIRST_ROW x10, x3, LIST(x12, x13, x14, x15, x16, x17, x19)
    ROW xzr, x11, x3, LIST(x13, x14, x15, x16, x17, x19, x20)
    ldp x10, x11, [x2, 16]
    ROW xzr, x10, x3, LIST(x14, x15, x16, x17, x19, x20, x21)
    ROW xzr, x11, x3, LIST(x15, x16, x17, x19, x20, x21, x22)
    ldp x10, x11, [x2, 32]
    ROW xzr, x10, x3, LIST(x16, x17, x19, x20, x21, x22, x1)
    ROW xzr, x11, x3, LIST(x17, x19, x20, x21, x22, x1, x2)
    REDUCE x12, x13, x14, x15, x16, x17, x19, x20, x21, x22, x1, x2, x4, x5, x6, x7, x8, x9
    RETURN
