/*
 * Which kernels the engines (src/curve/engine.c, src/curve/lanes.c, src/field/inverse.c, src/field/pow.c) of an instruction set call: directly, not through the table. What a set has no
 * kernel for is portable C; without ENGINE_ADD the sums are inlined. ENGINE_VECTOR: bytes of a vector register. ENGINE_STEPS: the steps of multiplications
 * are kernels too where a prime has four words. ENGINE_SINGLE: whose engine does one problem at
 * a time beside many in lanes. ENGINE_<isa> comes from the build.
 * ENGINE_SELECTS: its vectors compare words, and select bits by a mask, in one instruction.
 * Hashes of many streams (src/hash/many.h) take the lanes of such registers, and ENGINE_HALF, if any, of narrower
 * ones for what would leave half of the lanes empty; up to ENGINE_FEW streams of SHA-256 go one by one to ENGINE_SHA256.
 */
#ifndef LIMBIC_DISPATCH_ENGINE_H
#define LIMBIC_DISPATCH_ENGINE_H

#if defined(ENGINE_adx)
#define ENGINE_VECTOR 32
#define ENGINE_ADD    x64
#define ENGINE_MUL    adx
#define ENGINE_SQR    adx
#define ENGINE_INV    x64
#define ENGINE_STEPS  1
#elif defined(ENGINE_x64)
#define ENGINE_DIVSTEPS limbic_gcd_divsteps_x64
#elif defined(ENGINE_avx512)
#define ENGINE_VECTOR 64
#define ENGINE_HALF   32
#define ENGINE_SHA256 shani
#define ENGINE_FEW    5
#elif defined(ENGINE_avx2)
#define ENGINE_VECTOR 32
#elif defined(ENGINE_shani)
#define ENGINE_SHA256 shani
#elif defined(ENGINE_ifma)
#define ENGINE_SINGLE adx
#define ENGINE_MUL    adx
#define ENGINE_SQR    adx
#define ENGINE_INV    x64
#elif defined(ENGINE_a64)
#define ENGINE_VECTOR   16
#define ENGINE_ADD      a64
#define ENGINE_MUL      a64
#define ENGINE_SQR      a64
#define ENGINE_INV      a64
#define ENGINE_DIVSTEPS limbic_gcd_divsteps_a64
#define ENGINE_SELECTS
#elif defined(ENGINE_c)
#define ENGINE_SINGLE c
#define ENGINE_VECTOR 16
#define ENGINE_MUL    c
#define ENGINE_SQR    c
#define ENGINE_INV    c
#else
#error "an engine needs an instruction set"
#endif

/* What a look-up makes of its sum and an entry: t where mask has ones, where sum is still zero, else sum. */
#ifdef ENGINE_SELECTS
#define ENGINE_SELECT(sum, t, mask) ((sum) ^ (((sum) ^ (t)) & (mask)))
#else
#define ENGINE_SELECT(sum, t, mask) ((sum) | ((t) & (mask)))
#endif

/* Registers of two halves; of a shuffle, gcc 12 makes more than that. */
#if defined(ENGINE_avx2) || defined(ENGINE_avx512)
#include <immintrin.h>
#define ENGINE_JOIN_32(low, high)                                                                            \
    _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)(low)), (__m128i)(high), 1)
#define ENGINE_JOIN_64(low, high) _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)
#endif

#endif
