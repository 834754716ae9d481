/*
 * r = a + b mod 2^521 - 1
 *
 * Prototype: void limbic_p521_add_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; nine words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a + b mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x11 the sum; x12 to x17 b
 * Clobbers: x3 to x17, flags
 * Stack: 0 bytes
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: one chain of adcs over nine words for a + b + 1 < 2^522 - 1; REDUCE_ONCE is one chain over nine words
 * Floor: no multiplication; 9 add, 9 subtract
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p521.inc"

    FUNCTION limbic_p521_add_a64
    LOAD_9 x1, x3, x4, x5, x6, x7, x8, x9, x10, x11
    ldp x12, x13, [x2]
    ldp x14, x15, [x2, 16]
    ldp x16, x17, [x2, 32]
    cmp xzr, xzr /* sets the carry */
    CHAIN adcs, adcs, x3, x12, x4, x13, x5, x14, x6, x15, x7, x16, x8, x17
    ldp x12, x13, [x2, 48]
    ldr x14, [x2, 64]
    CHAIN adcs, adcs, x9, x12, x10, x13
    adc x11, x11, x14
    REDUCE_ONCE x3, x4, x5, x6, x7, x8, x9, x10, x11
    RETURN
