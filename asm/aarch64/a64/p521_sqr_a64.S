/*
 * r = a^2 mod 2^521 - 1
 *
 * Prototype: void limbic_p521_sqr_a64(uint64_t *r, const uint64_t *a);
 * Representation: residue; nine words of 64 bits, least significant first
 * Input: a < m
 * Output: r = mul(a, a), r < m
 * Aliasing: any; the input is read before r is written
 * Registers: x0 = r, x1 = a; x3 to x11 = a; x12 to x17, x19 to x28, x2 the square; x1 a word of a row
 * Clobbers: x1 to x17, flags; x19 to x28 are restored
 * Stack: 80 bytes, saved registers only
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: the products of different words, row by row, each ROW being two chains whose last carries are zero; one
 *     chain doubles them and one adds the squares. They end in word 16 without a carry, since a^2 < 2^1042. FOLD and
 *     REDUCE_ONCE are one chain each over nine words
 * Floor: 89 multiplications: 45 products, of one the lower word alone
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p521.inc"

#define T0 x12
#define T1 x13
#define T2 x14
#define T3 x15
#define T4 x16
#define T5 x17
#define T6 x19
#define T7 x20
#define T8 x21
#define T9 x22
#define T10 x23
#define T11 x24
#define T12 x25
#define T13 x26
#define T14 x27
#define T15 x28
#define T16 x2

    FUNCTION limbic_p521_sqr_a64, 5
    LOAD_9 x1, x3, x4, x5, x6, x7, x8, x9, x10, x11
    FIRST_ROW x3, x1, T1, x4, T2, x5, T3, x6, T4, x7, T5, x8, T6, x9, T7, x10, T8, x11, T9
    ROW xzr, x4, x1, T3, x5, T4, x6, T5, x7, T6, x8, T7, x9, T8, x10, T9, x11, T10
    ROW xzr, x5, x1, T5, x6, T6, x7, T7, x8, T8, x9, T9, x10, T10, x11, T11
    ROW xzr, x6, x1, T7, x7, T8, x8, T9, x9, T10, x10, T11, x11, T12
    ROW xzr, x7, x1, T9, x8, T10, x9, T11, x10, T12, x11, T13
    ROW xzr, x8, x1, T11, x9, T12, x10, T13, x11, T14
    ROW xzr, x9, x1, T13, x10, T14, x11, T15
    LAST_ROW x10, x1, T15, x11, T16
    CHAIN adds, adcs, T1, T1, T2, T2, T3, T3, T4, T4, T5, T5, T6, T6, T7, T7, T8, T8, T9, T9, T10, T10, T11, T11, T12, T12, T13, T13, T14, T14, T15, T15, T16, T16
    ADD_SQUARES x1, T0, T1, x3, T2, T3, x4, T4, T5, x5, T6, T7, x6, T8, T9, x7, T10, T11, x8, T12, T13, x9, T14, T15, x10, T16, , x11
    FOLD x1, T8, T9, T10, T11, T12, T13, T14, T15, T16, T0, T1, T2, T3, T4, T5, T6, T7
    REDUCE_ONCE T8, T9, T10, T11, T12, T13, T14, T15, T16
    RETURN
