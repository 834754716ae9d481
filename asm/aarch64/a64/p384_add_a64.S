/*
 * r = a + b mod p, the prime of P-384
 *
 * Prototype: void limbic_p384_add_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; six words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a + b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x8, x1 the sum; x9 to x14 b, then the sum less p
 * Clobbers: x1, x3 to x14, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of adds, adcs into x1; REDUCE_ONCE is one chain over seven words
 * Floor: no multiplication; 6 add, 7 subtract
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p384.inc"

    FUNCTION limbic_p384_add_a64
    ldp x3, x4, [x1]
    ldp x9, x10, [x2]
    ldp x5, x6, [x1, 16]
    ldp x11, x12, [x2, 16]
    ldp x7, x8, [x1, 32]
    ldp x13, x14, [x2, 32]
    CHAIN adds, adcs, x3, x9, x4, x10, x5, x11, x6, x12, x7, x13, x8, x14
    cset x1, cs
    REDUCE_ONCE x3, x4, x5, x6, x7, x8, x1, x9, x10, x11, x12, x13, x14
    RETURN
