/*
 * r = state: SHA-512's compression of blocks of 128 bytes, FIPS 180-4 section 6.4.2
 *
 * Prototype: void limbic_hash_sha512_crypto(uint64_t *state, const uint8_t *in, size_t blocks);
 * Representation: eight words, FIPS 180-4
 * Input: blocks of 128 bytes
 * Output: state after n blocks
 * Aliasing: none
 * Registers: x0 = state, x1 = in, x2 = blocks, x3 = the round constants; v0 to v4 in turn = words a b, c d, e f, g h and a spare
 *     one; v5 to v7 of two rounds; v16 to v23 = sixteen message words, of which the oldest two are renewed every two rounds; v24 to v27 =
 *     constants of eight rounds
 * Clobbers: x1 to x3, v0 to v7, v16 to v27, flags
 * Stack: 0 bytes
 * Features: sha512
 * Timing: constant in the data; the loop counts blocks
 * Carries: none: sums of words
 * Floor: no multiplication; 40 pairs of sha512h and sha512h2, each waiting for the one before
 */
#include "asm/aarch64/limbic.inc"

    .arch armv8.2-a+sha3

    /* Two rounds with their words w and constants k. The instructions take e f g and d e across pairs. Then c d is the old a b, and
     * e f the sum in spare. */
    .macro TWO ab, cd, ef, gh, spare, w, k
    add v5.2d, v\w\().2d, v\k\().2d
    ext v6.16b, v\ef\().16b, v\gh\().16b, 8
    ext v5.16b, v5.16b, v5.16b, 8
    ext v7.16b, v\cd\().16b, v\ef\().16b, 8
    add v\gh\().2d, v\gh\().2d, v5.2d
    sha512h q\gh, q6, v7.2d
    add v\spare\().2d, v\cd\().2d, v\gh\().2d
    sha512h2 q\gh, q\cd, v\ab\().2d
    .endm

    /* w0 = the two words after w7. */
    .macro EXPAND w0, w1, w4, w5, w7
    ext v5.16b, v\w4\().16b, v\w5\().16b, 8
    sha512su0 v\w0\().2d, v\w1\().2d
    sha512su1 v\w0\().2d, v\w7\().2d, v5.2d
    .endm
    .macro LAST w0, w1, w4, w5, w7
    .endm

    .macro FOUR expand, ab, cd, ef, gh, spare, w0, w1, w2, w3, w4, w5, w6, w7
    ld1 {v24.2d-v27.2d}, [x3], 64
    TWO \ab, \cd, \ef, \gh, \spare, \w0, 24
    \expand \w0, \w1, \w4, \w5, \w7
    TWO \gh, \ab, \spare, \ef, \cd, \w1, 25
    \expand \w1, \w2, \w5, \w6, \w0
    TWO \ef, \gh, \cd, \spare, \ab, \w2, 26
    \expand \w2, \w3, \w6, \w7, \w1
    TWO \spare, \ef, \ab, \cd, \gh, \w3, 27
    \expand \w3, \w4, \w7, \w0, \w2
    .endm

    FUNCTION limbic_hash_sha512_crypto
    cbz x2, .Ldone
    adrp x3, limbic_sha512_k
    add x3, x3, :lo12:limbic_sha512_k
    ld1 {v0.2d-v3.2d}, [x0]
.Lblock:
    ld1 {v16.16b-v19.16b}, [x1], 64
    ld1 {v20.16b-v23.16b}, [x1], 64
    .irp w, 16, 17, 18, 19, 20, 21, 22, 23
    rev64 v\w\().16b, v\w\().16b
    .endr
    FOUR EXPAND, 0, 1, 2, 3, 4, 16, 17, 18, 19, 20, 21, 22, 23
    FOUR EXPAND, 1, 4, 3, 0, 2, 20, 21, 22, 23, 16, 17, 18, 19
    FOUR EXPAND, 4, 2, 0, 1, 3, 16, 17, 18, 19, 20, 21, 22, 23
    FOUR EXPAND, 2, 3, 1, 4, 0, 20, 21, 22, 23, 16, 17, 18, 19
    FOUR EXPAND, 3, 0, 4, 2, 1, 16, 17, 18, 19, 20, 21, 22, 23
    FOUR EXPAND, 0, 1, 2, 3, 4, 20, 21, 22, 23, 16, 17, 18, 19
    FOUR EXPAND, 1, 4, 3, 0, 2, 16, 17, 18, 19, 20, 21, 22, 23
    FOUR EXPAND, 4, 2, 0, 1, 3, 20, 21, 22, 23, 16, 17, 18, 19
    FOUR LAST, 2, 3, 1, 4, 0, 16, 17, 18, 19, 20, 21, 22, 23
    FOUR LAST, 3, 0, 4, 2, 1, 20, 21, 22, 23, 16, 17, 18, 19
    sub x3, x3, 640
    ld1 {v4.2d-v7.2d}, [x0]
    add v0.2d, v0.2d, v4.2d
    add v1.2d, v1.2d, v5.2d
    add v2.2d, v2.2d, v6.2d
    add v3.2d, v3.2d, v7.2d
    st1 {v0.2d-v3.2d}, [x0]
    sub x2, x2, 1
    cbnz x2, .Lblock
.Ldone:
    RETURN
