/*
 * r = state: SM3's compression of blocks of 64 bytes, GB/T 32905 section 5.3
 *
 * Prototype: void limbic_hash_sm3_crypto(uint32_t *state, const uint8_t *in, size_t blocks);
 * Representation: eight words, GB/T 32905
 * Input: blocks of 64 bytes
 * Output: state after n blocks
 * Aliasing: none
 * Registers: x0 = state, x1 = in, x2 = blocks; v0 = words d c b a, v1 = h g f e, the last one highest; v2, v3, v17 of four rounds; v4 to v7,
 *     v16 in turn = twenty message words; v18, v19 = the rounds' constant, rotated; v20, v21 = those of rounds 16 and 0; v22, v23 = the
 *     state before the block
 * Clobbers: x1 to x4, v0 to v7, v16 to v23, flags
 * Stack: 0 bytes
 * Features: sm3
 * Timing: constant in the data; the loop counts blocks
 * Carries: none: sums of words
 * Floor: no multiplication; 64 rounds of sm3ss1, sm3tt1 and sm3tt2, the first two each waiting for the one before
 */
#include "asm/aarch64/limbic.inc"

    .arch armv8.2-a+sm4

    /* A round of the form a or b with lane i of w and of v17 = w ^ the four words after it; then the constant, rotated by one. */
    .macro ROUND ab, w, i, t, next
    sm3ss1 v2.4s, v0.4s, v1.4s, v\t\().4s
    shl v\next\().4s, v\t\().4s, 1
    sri v\next\().4s, v\t\().4s, 31
    sm3tt1\ab v0.4s, v2.4s, v17.s[\i]
    sm3tt2\ab v1.4s, v2.4s, v\w\().s[\i]
    .endm

    /* w4 = the four words after w3. */
    .macro EXPAND w0, w1, w2, w3, w4
    ext v\w4\().16b, v\w1\().16b, v\w2\().16b, 12
    ext v2.16b, v\w0\().16b, v\w1\().16b, 12
    ext v3.16b, v\w2\().16b, v\w3\().16b, 8
    sm3partw1 v\w4\().4s, v\w0\().4s, v\w3\().4s
    sm3partw2 v\w4\().4s, v3.4s, v2.4s
    .endm
    .macro LAST w0, w1, w2, w3, w4
    .endm

    .macro FOUR ab, expand, w0, w1, w2, w3, w4
    \expand \w0, \w1, \w2, \w3, \w4
    eor v17.16b, v\w0\().16b, v\w1\().16b
    ROUND \ab, \w0, 0, 18, 19
    ROUND \ab, \w0, 1, 19, 18
    ROUND \ab, \w0, 2, 18, 19
    ROUND \ab, \w0, 3, 19, 18
    .endm

    /* The order of four words turned round. */
    .macro TURN v
    rev64 v\v\().4s, v\v\().4s
    ext v\v\().16b, v\v\().16b, v\v\().16b, 8
    .endm

    FUNCTION limbic_hash_sm3_crypto
    cbz x2, .Ldone
    mov w3, 0x4519
    movk w3, 0x79cc, lsl 16
    mov w4, 0x7a87 /* 0x7a879d8a, rotated by 16 */
    movk w4, 0x9d8a, lsl 16
    dup v21.4s, w3
    dup v20.4s, w4
    ldp q0, q1, [x0]
    TURN 0
    TURN 1
.Lblock:
    ld1 {v4.16b-v7.16b}, [x1], 64
    .irp w, 4, 5, 6, 7
    rev32 v\w\().16b, v\w\().16b
    .endr
    mov v22.16b, v0.16b
    mov v23.16b, v1.16b
    mov v18.16b, v21.16b
    FOUR a, EXPAND, 4, 5, 6, 7, 16
    FOUR a, EXPAND, 5, 6, 7, 16, 4
    FOUR a, EXPAND, 6, 7, 16, 4, 5
    FOUR a, EXPAND, 7, 16, 4, 5, 6
    mov v18.16b, v20.16b
    FOUR b, EXPAND, 16, 4, 5, 6, 7
    FOUR b, EXPAND, 4, 5, 6, 7, 16
    FOUR b, EXPAND, 5, 6, 7, 16, 4
    FOUR b, EXPAND, 6, 7, 16, 4, 5
    FOUR b, EXPAND, 7, 16, 4, 5, 6
    FOUR b, EXPAND, 16, 4, 5, 6, 7
    FOUR b, EXPAND, 4, 5, 6, 7, 16
    FOUR b, EXPAND, 5, 6, 7, 16, 4
    FOUR b, EXPAND, 6, 7, 16, 4, 5
    FOUR b, LAST, 7, 16, 4, 5, 6
    FOUR b, LAST, 16, 4, 5, 6, 7
    FOUR b, LAST, 4, 5, 6, 7, 16
    eor v0.16b, v0.16b, v22.16b
    eor v1.16b, v1.16b, v23.16b
    sub x2, x2, 1
    cbnz x2, .Lblock
    TURN 0
    TURN 1
    stp q0, q1, [x0]
.Ldone:
    RETURN
