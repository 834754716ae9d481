/*
 * r = a - b mod p, the prime of P-256
 *
 * Prototype: void limbic_p256_sub_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; four words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a - b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x6 the difference; x7 to x10 b, then p or 0
 * Clobbers: x3 to x10, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of subs, sbcs; its borrow makes the mask, under which p is added: one chain of adds, adcs, whose last
 *     carry is the borrow again and is dropped
 * Floor: no multiplication; 4 subtract, 4 add
 */
#include "asm/aarch64/limbic.inc"

    FUNCTION limbic_p256_sub_a64
    ldp x3, x4, [x1]
    ldp x7, x8, [x2]
    ldp x5, x6, [x1, 16]
    ldp x9, x10, [x2, 16]
    CHAIN subs, sbcs, x3, x7, x4, x8, x5, x9, x6, x10
    csetm x7, cc
    and x8, x7, P256_M1
    and x10, x7, P256_M3
    CHAIN adds, adcs, x3, x7, x4, x8, x5, xzr
    adc x6, x6, x10
    stp x3, x4, [x0]
    stp x5, x6, [x0, 16]
    RETURN
