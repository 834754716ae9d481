/*
 * r = a * b / 2^256 mod p, the Montgomery product of SM2
 *
 * Prototype: void limbic_sm2_mul_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; four words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x4 to x7 = a, x16, x17, x1, x2 = b; x8 to x15 hold the product's words 0 to 7, of which
 *     x8 to x11, once cleared, become the reduction's words 4 to 7; x3 to x7 of one step
 * Clobbers: x1 to x17, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: each ROW is two chains whose last carries are zero; REDUCE_TWO: no borrow is left. Then the halves are added,
 *     with a carry into a fifth word, and REDUCE_ONCE is one chain over five words
 * Floor: 32 multiplications: 16 products; the reduction takes none
 */
#include "asm/aarch64/limbic.inc"

#define tmp x3
#include "asm/aarch64/a64/sm2.inc"
#define LIST(t0, t1, t2, t3, t4) t0, x4, t1, x5, t2, x6, t3, x7, t4

    FUNCTION limbic_sm2_mul_a64
    ldp x4, x5, [x1]
    ldp x16, x17, [x2]
    ldp x6, x7, [x1, 16]
    ldp x1, x2, [x2, 16]
    FIRST_ROW x16, tmp, LIST(x8, x9, x10, x11, x12)
    ROW xzr, x17, tmp, LIST(x9, x10, x11, x12, x13)
    ROW xzr, x1, tmp, LIST(x10, x11, x12, x13, x14)
    ROW xzr, x2, tmp, LIST(x11, x12, x13, x14, x15)
    REDUCE_TWO x8, x9, x10, x11, x4, x5, x6, x7
    REDUCE_TWO x10, x11, x8, x9, x4, x5, x6, x7
    CHAIN adds, adcs, x8, x12, x9, x13, x10, x14, x11, x15
    cset x12, cs
    REDUCE_ONCE x8, x9, x10, x11, x12, x4, x5, x6, x7
    RETURN
