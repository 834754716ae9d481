/*
 * r = a^2 / 2^256 mod p, the Montgomery square of SM2
 *
 * Prototype: void limbic_sm2_sqr_a64(uint64_t *r, const uint64_t *a);
 * Representation: residue; four words of 64 bits, least significant first
 * Input: a < m
 * Output: r = mul(a, a), r < m
 * Aliasing: any; the input is read before r is written
 * Registers: x0 = r, x1 = a; x4 to x7 = a; x8 to x15 the square's words 0 to 7; x3 to x7, x16, x17 of one step
 * Clobbers: x3 to x17, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: SQUARE_4: see there; REDUCE_TWO: no borrow is left. Then the halves are added, with a carry into a fifth word, and
 *     REDUCE_ONCE is one chain over five words
 * Floor: 20 multiplications: 10 products; the reduction takes none
 */
#include "asm/aarch64/limbic.inc"

#define tmp x3
#include "asm/aarch64/a64/sm2.inc"

    FUNCTION limbic_sm2_sqr_a64
    ldp x4, x5, [x1]
    ldp x6, x7, [x1, 16]
    SQUARE_4 x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17
    REDUCE_TWO x8, x9, x10, x11, x4, x5, x6, x7
    REDUCE_TWO x10, x11, x8, x9, x4, x5, x6, x7
    CHAIN adds, adcs, x8, x12, x9, x13, x10, x14, x11, x15
    cset x12, cs
    REDUCE_ONCE x8, x9, x10, x11, x12, x4, x5, x6, x7
    RETURN
