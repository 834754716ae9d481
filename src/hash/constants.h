/*
 * The constants of SHA-2 (FIPS 180-4 sections 4.2 and 5.3) and SM3, as lists: X(64-bit word). SHA-256's are the upper
 * halves of SHA-512's.
 */
#ifndef LIMBIC_HASH_CONSTANTS_H
#define LIMBIC_HASH_CONSTANTS_H

/* clang-format off */

/* Fractions of the cube roots of the first 64 primes, and of the 16 after them. */
#define LIMBIC_SHA2_K_64(X)                                                                                  \
    X(0x428a2f98d728ae22) X(0x7137449123ef65cd) X(0xb5c0fbcfec4d3b2f) X(0xe9b5dba58189dbbc)                  \
    X(0x3956c25bf348b538) X(0x59f111f1b605d019) X(0x923f82a4af194f9b) X(0xab1c5ed5da6d8118)                  \
    X(0xd807aa98a3030242) X(0x12835b0145706fbe) X(0x243185be4ee4b28c) X(0x550c7dc3d5ffb4e2)                  \
    X(0x72be5d74f27b896f) X(0x80deb1fe3b1696b1) X(0x9bdc06a725c71235) X(0xc19bf174cf692694)                  \
    X(0xe49b69c19ef14ad2) X(0xefbe4786384f25e3) X(0x0fc19dc68b8cd5b5) X(0x240ca1cc77ac9c65)                  \
    X(0x2de92c6f592b0275) X(0x4a7484aa6ea6e483) X(0x5cb0a9dcbd41fbd4) X(0x76f988da831153b5)                  \
    X(0x983e5152ee66dfab) X(0xa831c66d2db43210) X(0xb00327c898fb213f) X(0xbf597fc7beef0ee4)                  \
    X(0xc6e00bf33da88fc2) X(0xd5a79147930aa725) X(0x06ca6351e003826f) X(0x142929670a0e6e70)                  \
    X(0x27b70a8546d22ffc) X(0x2e1b21385c26c926) X(0x4d2c6dfc5ac42aed) X(0x53380d139d95b3df)                  \
    X(0x650a73548baf63de) X(0x766a0abb3c77b2a8) X(0x81c2c92e47edaee6) X(0x92722c851482353b)                  \
    X(0xa2bfe8a14cf10364) X(0xa81a664bbc423001) X(0xc24b8b70d0f89791) X(0xc76c51a30654be30)                  \
    X(0xd192e819d6ef5218) X(0xd69906245565a910) X(0xf40e35855771202a) X(0x106aa07032bbd1b8)                  \
    X(0x19a4c116b8d2d0c8) X(0x1e376c085141ab53) X(0x2748774cdf8eeb99) X(0x34b0bcb5e19b48a8)                  \
    X(0x391c0cb3c5c95a63) X(0x4ed8aa4ae3418acb) X(0x5b9cca4f7763e373) X(0x682e6ff3d6b2b8a3)                  \
    X(0x748f82ee5defb2fc) X(0x78a5636f43172f60) X(0x84c87814a1f0ab72) X(0x8cc702081a6439ec)                  \
    X(0x90befffa23631e28) X(0xa4506cebde82bde9) X(0xbef9a3f7b2c67915) X(0xc67178f2e372532b)

#define LIMBIC_SHA2_K_16_MORE(X)                                                                             \
    X(0xca273eceea26619c) X(0xd186b8c721c0c207) X(0xeada7dd6cde0eb1e) X(0xf57d4f7fee6ed178)                  \
    X(0x06f067aa72176fba) X(0x0a637dc5a2c898a6) X(0x113f9804bef90dae) X(0x1b710b35131c471b)                  \
    X(0x28db77f523047d84) X(0x32caab7b40c72493) X(0x3c9ebe0a15c9bebc) X(0x431d67c49c100d4c)                  \
    X(0x4cc5d4becb3e42b6) X(0x597f299cfc657e2a) X(0x5fcb6fab3ad6faec) X(0x6c44198c4a475817)

/* Fractions of the square roots of the first 8 primes (SHA-256, SHA-512), and of the 8 after (SHA-384). */
#define LIMBIC_SHA2_H_8(X)                                                                                   \
    X(0x6a09e667f3bcc908) X(0xbb67ae8584caa73b) X(0x3c6ef372fe94f82b) X(0xa54ff53a5f1d36f1)                  \
    X(0x510e527fade682d1) X(0x9b05688c2b3e6c1f) X(0x1f83d9abfb41bd6b) X(0x5be0cd19137e2179)

#define LIMBIC_SHA2_H_8_MORE(X)                                                                              \
    X(0xcbbb9d5dc1059ed8) X(0x629a292a367cd507) X(0x9159015a3070dd17) X(0x152fecd8f70e5939)                  \
    X(0x67332667ffc00b31) X(0x8eb44a8768581511) X(0xdb0c2e0d64f98fa7) X(0x47b5481dbefa4fa4)

/* SM3 (GB/T 32905 section 4.1). */
#define LIMBIC_SM3_IV 0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e

/* clang-format on */

#endif
