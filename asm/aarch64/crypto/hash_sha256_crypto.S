/*
 * r = state: SHA-256's compression of blocks of 64 bytes, FIPS 180-4 section 6.2.2
 *
 * Prototype: void limbic_hash_sha256_crypto(uint32_t *state, const uint8_t *in, size_t blocks);
 * Representation: eight words, FIPS 180-4
 * Input: blocks of 64 bytes
 * Output: state after n blocks
 * Aliasing: none
 * Registers: x0 = state, x1 = in, x2 = blocks, x3 = the round constants, which v16 to v31 hold; v0 = words a to d, v1 = e to h,
 *     v2 = a to d before four rounds, v3 = message words and constants of four rounds; v4 to v7 = sixteen message words, of which
 *     the oldest four are renewed every four rounds
 * Clobbers: x1 to x3, v0 to v7, v16 to v31, flags
 * Stack: 0 bytes
 * Features: sha2
 * Timing: constant in the data; the loop counts blocks
 * Carries: none: sums of 32-bit words
 * Floor: no multiplication; 16 pairs of sha256h and sha256h2, each waiting for the one before
 */
#include "asm/aarch64/limbic.inc"

    .arch armv8-a+sha2

    /* Four rounds with the words w and their constants. */
    .macro ROUNDS w, k
    add v3.4s, \w\().4s, \k\().4s
    mov v2.16b, v0.16b
    sha256h q0, q1, v3.4s
    sha256h2 q1, q2, v3.4s
    .endm

    /* w0 = the four words after w3. */
    .macro EXPAND w0, w1, w2, w3
    sha256su0 \w0\().4s, \w1\().4s
    sha256su1 \w0\().4s, \w2\().4s, \w3\().4s
    .endm

    .macro EXPAND_ROUNDS k0, k1, k2, k3
    EXPAND v4, v5, v6, v7
    ROUNDS v4, \k0
    EXPAND v5, v6, v7, v4
    ROUNDS v5, \k1
    EXPAND v6, v7, v4, v5
    ROUNDS v6, \k2
    EXPAND v7, v4, v5, v6
    ROUNDS v7, \k3
    .endm

    FUNCTION limbic_hash_sha256_crypto
    cbz x2, .Ldone
    adrp x3, limbic_sha256_k
    add x3, x3, :lo12:limbic_sha256_k
    ld1 {v16.4s-v19.4s}, [x3], 64
    ld1 {v20.4s-v23.4s}, [x3], 64
    ld1 {v24.4s-v27.4s}, [x3], 64
    ld1 {v28.4s-v31.4s}, [x3]
    ldp q0, q1, [x0]
.Lblock:
    ld1 {v4.16b-v7.16b}, [x1], 64
    .irp w, 4, 5, 6, 7
    rev32 v\w\().16b, v\w\().16b
    .endr
    ROUNDS v4, v16
    ROUNDS v5, v17
    ROUNDS v6, v18
    ROUNDS v7, v19
    EXPAND_ROUNDS v20, v21, v22, v23
    EXPAND_ROUNDS v24, v25, v26, v27
    EXPAND_ROUNDS v28, v29, v30, v31
    ldp q2, q3, [x0]
    add v0.4s, v0.4s, v2.4s
    add v1.4s, v1.4s, v3.4s
    stp q0, q1, [x0]
    sub x2, x2, 1
    cbnz x2, .Lblock
.Ldone:
    RETURN
