/*
 * r = a * b / R mod m for an odd m of run-time length
 *
 * Prototype: void limbic_mont_mul_a64(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x);
 * Representation: residue
 * Input: a < R, b < m
 * Output: r = a * b / R mod m, r < m
 * Aliasing: any; r is written after the last product
 * Registers: x0 to x3 pointers (mont.inc); x4 to x11 the words that are multiplied; x12 to x17, x19, x20 the window; x21, x22 multipliers;
 *     x23, x24 words of t; x25, x26 of a row; x27 = the bytes of a number, x28 = n0
 * Clobbers: x0 to x17, v0, flags; x19 to x28 are restored
 * Stack: 4224 bytes: saved registers, pointers, and the product t, which is wiped
 * Features: a64
 * Timing: constant in the values; branches and addresses depend on the number of words alone
 * Carries: a row ends in a new word that takes both carries (mont.inc); REDUCE keeps the carry of a block in CARRY, and the last one
 *     with the borrow of t - m decides
 * Floor: with n words 4 n^2 + n multiplications: 2 n^2 products and the n quotients
 * Lengths: a multiple of 8 words up to 256 (LIMBIC_MONT_MAX_LIMBS), which t has room for; others go to the portable row
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/mont.inc"

    .macro BEFORE_SAVES
    OTHERS limbic_mont_mul_c, x3
    .endm

    FUNCTION limbic_mont_mul_a64, 5, BEFORE_SAVES
    ALLOCATE
    lsl x27, x4, 3
    stp x0, x1, [RESULT]
    add x4, x2, x27
    stp x3, x4, [CONTEXT]
    CLEAR
.Lrow:
    ldr x1, [FACTOR]
    add x3, x1, x27
    CLEAR_WINDOW
    COLUMNS
    STORE_WINDOW
    sub x0, x0, x27
    add x0, x0, 64
    add x2, x2, 64
    ldr x4, [END]
    cmp x2, x4
    b.ne .Lrow
    REDUCE
    RELEASE
    RETURN
