/*
 * r = a * b mod 2^521 - 1
 *
 * Prototype: void limbic_p521_mul_a64(uint64_t *r, const uint64_t *a, const uint64_t *b);
 * Representation: residue; nine words of 64 bits, least significant first
 * Input: a, b < m
 * Output: r = a * b (p521: plain; else a * b / R) mod m, r < m
 * Aliasing: any; the inputs are read before r is written
 * Registers: x0 = r, x1 = a, x2 = b; x3 to x11 = a, x12, x13 words of b; x14 to x17, x19 to x28, x2 the product, of
 *     which words 0 and 1 wait in d0 and d1; x1 a word of a row; x1, x3, x4 of the reduction
 * Clobbers: x1 to x17, d0, d1, flags; x19 to x28 are restored
 * Stack: 80 bytes, saved registers only
 * Features: a64
 * Timing: constant; straight-line code, addresses are pointers and constants
 * Carries: each ROW is two chains whose last carries are zero. Word 17 of the last row is zero, since a * b < 2^1042,
 *     so that it ends in word 16, where the product of the highest words goes first, and leaves no carry there. FOLD
 *     and REDUCE_ONCE are one chain each over nine words
 * Floor: 161 multiplications: 81 products, of one the lower word alone
 */
#include "asm/aarch64/limbic.inc"
#include "asm/aarch64/a64/p521.inc"

#define T0 x14
#define T1 x15
#define T2 x16
#define T3 x17
#define T4 x19
#define T5 x20
#define T6 x21
#define T7 x22
#define T8 x23
#define T9 x24
#define T10 x25
#define T11 x26
#define T12 x27
#define T13 x28
#define T14 x14
#define T15 x15
#define T16 x2
#define LOWER(t0, t1, t2, t3, t4, t5, t6, t7, t8) \
    t0, x3, t1, x4, t2, x5, t3, x6, t4, x7, t5, x8, t6, x9, t7, x10, t8
#define LIST(t0, t1, t2, t3, t4, t5, t6, t7, t8, t9) LOWER(t0, t1, t2, t3, t4, t5, t6, t7, t8), x11, t9

    FUNCTION limbic_p521_mul_a64, 5
    ldp x12, x13, [x2]
    LOAD_9 x1, x3, x4, x5, x6, x7, x8, x9, x10, x11
    FIRST_ROW x12, x1, LIST(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)
    ROW xzr, x13, x1, LIST(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)
    ldp x12, x13, [x2, 16]
    ROW xzr, x12, x1, LIST(T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)
    ROW xzr, x13, x1, LIST(T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)
    ldp x12, x13, [x2, 32]
    ROW xzr, x12, x1, LIST(T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)
    fmov d0, T0 /* its register, and the next, are those of words 14 and 15 */
    fmov d1, T1
    ROW xzr, x13, x1, LIST(T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)
    ldp x12, x13, [x2, 48]
    ROW xzr, x12, x1, LIST(T6, T7, T8, T9, T10, T11, T12, T13, T14, T15)
    ldr x12, [x2, 64]
    ROW xzr, x13, x1, LIST(T7, T8, T9, T10, T11, T12, T13, T14, T15, T16)
    mul x1, x11, x12
    add T16, T16, x1
    ROW T16, x12, x1, LOWER(T8, T9, T10, T11, T12, T13, T14, T15, T16)
    fmov x3, d0
    fmov x4, d1
    FOLD x1, T8, T9, T10, T11, T12, T13, T14, T15, T16, x3, x4, T2, T3, T4, T5, T6, T7
    REDUCE_ONCE T8, T9, T10, T11, T12, T13, T14, T15, T16
    RETURN
