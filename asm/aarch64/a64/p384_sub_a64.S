/*
 * r = a - b mod p, the prime of P-384
 *
 * Prototype: void limbic_p384_sub_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; six words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a - b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x8 the difference; x9 to x14 b, then p or 0
 * Clobbers: x3 to x14, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of subs, sbcs; its borrow makes the mask, under which p is added: one chain of adds, adcs, whose
 *     last carry is the borrow again and is dropped
 * Floor: no multiplication; 6 subtract, 6 add
 */
#include "asm/aarch64/limbic.inc"

    FUNCTION limbic_p384_sub_a64
    ldp x3, x4, [x1]
    ldp x9, x10, [x2]
    ldp x5, x6, [x1, 16]
    ldp x11, x12, [x2, 16]
    ldp x7, x8, [x1, 32]
    ldp x13, x14, [x2, 32]
    CHAIN subs, sbcs, x3, x9, x4, x10, x5, x11, x6, x12, x7, x13, x8, x14
    csetm x9, cc
    and x10, x9, P384_M0
    and x11, x9, P384_M1
    and x12, x9, P384_M2
    CHAIN adds, adcs, x3, x10, x4, x11, x5, x12, x6, x9, x7, x9
    adc x8, x8, x9
    stp x3, x4, [x0]
    stp x5, x6, [x0, 16]
    stp x7, x8, [x0, 32]
    RETURN
