/*
 * r = a + b mod p, the prime of SM2
 *
 * Prototype: void limbic_sm2_add_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; four words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a + b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x7 the sum; x8 to x11 b, then the sum less p
 * Clobbers: x3 to x11, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of adds, adcs into x7; REDUCE_ONCE is one chain over five words
 * Floor: no multiplication; 4 add, 5 subtract
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/sm2.inc"

    FUNCTION limbic_sm2_add_a64
    ldp x3, x4, [x1]
    ldp x8, x9, [x2]
    ldp x5, x6, [x1, 16]
    ldp x10, x11, [x2, 16]
    CHAIN adds, adcs, x3, x8, x4, x9, x5, x10, x6, x11
    cset x7, cs
    REDUCE_ONCE x3, x4, x5, x6, x7, x8, x9, x10, x11
    RETURN
