/*
 * r = a - b mod 2^521 - 1
 *
 * Prototype: void limbic_p521_sub_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; nine words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a - b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x11 the difference; x12 to x17 b
 * Clobbers: x3 to x17, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of subs, sbcs; its borrow goes into a second one, which takes off 1 where p is to be added: p =
 *     2^521 - 1, and what is above bit 521 is dropped
 * Floor: no multiplication; 9 subtract, 9 subtract
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p521.inc"

    FUNCTION limbic_p521_sub_a64
    LOAD_9 x1, x3, x4, x5, x6, x7, x8, x9, x10, x11
    ldp x12, x13, [x2]
    ldp x14, x15, [x2, 16]
    ldp x16, x17, [x2, 32]
    CHAIN subs, sbcs, x3, x12, x4, x13, x5, x14, x6, x15, x7, x16, x8, x17
    ldp x12, x13, [x2, 48]
    ldr x14, [x2, 64]
    CHAIN sbcs, sbcs, x9, x12, x10, x13, x11, x14
    CHAIN sbcs, sbcs, x3, xzr, x4, xzr, x5, xzr, x6, xzr, x7, xzr, x8, xzr, x9, xzr, x10, xzr
    sbc x11, x11, xzr
    and x11, x11, 511
    STORE_9 x0, x3, x4, x5, x6, x7, x8, x9, x10, x11
    RETURN
