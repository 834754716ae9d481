/*
 * Words: wide products, carries, masks. Everything here is constant time. LIMBIC_NO_INT128 builds without a 128-bit
 * integer type: where there is none, and where compilers make branches of its carries (processors without a carry flag).
 */
#ifndef LIMBIC_BASE_LIMB_H
#define LIMBIC_BASE_LIMB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(LIMBIC_NO_INT128) &&                                                                            \
    (!defined(__SIZEOF_INT128__) || !(defined(__x86_64__) || defined(__aarch64__)))
#define LIMBIC_NO_INT128 1
#endif

#define LIMBIC_INLINE static inline __attribute__((always_inline, unused))

#ifndef LIMBIC_NO_INT128
__extension__ typedef unsigned __int128 limbic_u128;
__extension__ typedef __int128 limbic_i128;
#endif

/* Hides from the compiler where a value came from, so that it can't turn masks into branches. */
LIMBIC_INLINE uint64_t limbic_barrier(uint64_t x) {
    __asm__("" : "+r"(x));
    return x;
}

/* The carry of sum = a + b (+ 1) and the borrow of difference = a - b (- 1), from the top bits: a comparison of two
 * words is a branch on 32-bit targets. */
LIMBIC_INLINE uint64_t limbic_carry_of(uint64_t a, uint64_t b, uint64_t sum) {
    return ((a & b) | ((a | b) & ~sum)) >> 63;
}
LIMBIC_INLINE uint64_t limbic_borrow_of(uint64_t a, uint64_t b, uint64_t difference) {
    return ((~a & b) | ((~a | b) & difference)) >> 63;
}

/* a * b = *hi * 2^64 + result */
LIMBIC_INLINE uint64_t limbic_mul_wide(uint64_t *hi, uint64_t a, uint64_t b) {
#ifndef LIMBIC_NO_INT128
    limbic_u128 t = (limbic_u128)a * b;
    *hi = (uint64_t)(t >> 64);
    return (uint64_t)t;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    uint64_t mid = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10; /* < 3 * 2^32 */
    *hi = p11 + (p01 >> 32) + (p10 >> 32) + (mid >> 32);
    return (mid << 32) | (uint32_t)p00;
#endif
}

/* a + b + *carry; *carry is 0 or 1 before and after */
LIMBIC_INLINE uint64_t limbic_adc(uint64_t a, uint64_t b, uint64_t *carry) {
#ifndef LIMBIC_NO_INT128
    limbic_u128 t = (limbic_u128)a + b + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
#else
    uint64_t t = a + b + *carry;
    *carry = limbic_carry_of(a, b, t);
    return t;
#endif
}

/* a - b - *borrow; *borrow is 0 or 1 before and after */
LIMBIC_INLINE uint64_t limbic_sbb(uint64_t a, uint64_t b, uint64_t *borrow) {
#ifndef LIMBIC_NO_INT128
    limbic_u128 t = (limbic_u128)a - b - *borrow;
    *borrow = (uint64_t)(t >> 64) & 1;
    return (uint64_t)t;
#else
    uint64_t t = a - b - *borrow;
    *borrow = limbic_borrow_of(a, b, t);
    return t;
#endif
}

/* 1/a mod 2^64 for an odd a: right modulo 32 at first, and each step doubles the bits. */
LIMBIC_INLINE uint64_t limbic_word_inverse(uint64_t a) {
    uint64_t r = 3 * a ^ 2;
    for (int i = 0; i < 4; i++)
        r *= 2 - a * r;
    return r;
}

/* Masks: all ones for true. */
LIMBIC_INLINE uint64_t limbic_mask_bit(uint64_t bit) {
    return 0 - limbic_barrier(bit & 1);
}
LIMBIC_INLINE uint64_t limbic_mask_zero(uint64_t x) {
    return limbic_mask_bit(((x | (0 - x)) >> 63) ^ 1);
}
LIMBIC_INLINE uint64_t limbic_mask_eq(uint64_t x, uint64_t y) {
    return limbic_mask_zero(x ^ y);
}

/* r = b where the mask is all ones, a where it is zero */
LIMBIC_INLINE void limbic_words_select(uint64_t *r, uint64_t mask, const uint64_t *a, const uint64_t *b,
                                       size_t n) {
    for (size_t i = 0; i < n; i++)
        r[i] = a[i] ^ (mask & (a[i] ^ b[i]));
}

LIMBIC_INLINE uint64_t limbic_words_zero_mask(const uint64_t *a, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x |= a[i];
    return limbic_mask_zero(x);
}

LIMBIC_INLINE uint64_t limbic_words_eq_mask(const uint64_t *a, const uint64_t *b, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x |= a[i] ^ b[i];
    return limbic_mask_zero(x);
}

/* 1 if a < b */
LIMBIC_INLINE uint64_t limbic_words_less(const uint64_t *a, const uint64_t *b, size_t n) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++)
        (void)limbic_sbb(a[i], b[i], &borrow);
    return borrow;
}

/* r = a mod m for a < 2m */
LIMBIC_INLINE void limbic_words_reduce_once(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    uint64_t keep = limbic_mask_bit(limbic_words_less(a, m, n)), borrow = 0;
    for (size_t i = 0; i < n; i++)
        r[i] = limbic_sbb(a[i], m[i] & ~keep, &borrow);
}

/* Window i, of `width` bits, of the lowest e_bits bits of e. */
LIMBIC_INLINE uint64_t limbic_words_window(const uint64_t *e, size_t e_bits, unsigned width, size_t i) {
    const size_t at = i * width, word = at / 64, shift = at % 64;
    uint64_t digit = e[word] >> shift;
    if (shift + width > 64 && word + 1 < (e_bits + 63) / 64)
        digit |= e[word + 1] << (64 - shift);
    return digit & ((UINT64_C(1) << (e_bits - at < width ? e_bits - at : width)) - 1);
}

LIMBIC_INLINE uint64_t limbic_load_be64(const uint8_t *p) {
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x = x << 8 | p[i];
    return x;
}

LIMBIC_INLINE void limbic_store_be64(uint8_t *p, uint64_t x) {
    for (int i = 7; i >= 0; i--, x >>= 8)
        p[i] = (uint8_t)x;
}

/* Big-endian bytes to n words and back. The value must fit: bytes beyond 8n must be zero (they are not looked at). */
void limbic_words_from_be(uint64_t *r, size_t n, const uint8_t *in, size_t in_len);
void limbic_words_to_be(uint8_t *out, size_t out_len, const uint64_t *a, size_t n);

/* Overwrites memory with zeros in a way that the compiler does not remove. */
void limbic_wipe(void *p, size_t n);

/* Wipes so many bytes of the stack, from `skip` bytes below the caller's frame on: for those who reach deeper than their callers wipe. */
void limbic_wipe_stack_from(size_t skip, size_t bytes);

enum { LIMBIC_STACK_BYTES = 12288 };
/* Wipes the stack below the caller's frame, 12 KiB and more: what functions that it called before left of secrets there. More than 12 KiB is for those
 * who have arrays of the length of a run-time modulus (powers wipe the stack below theirs). */
LIMBIC_INLINE void limbic_wipe_stack_beyond(size_t more) {
    limbic_wipe_stack_from(0, LIMBIC_STACK_BYTES + more);
}
LIMBIC_INLINE void limbic_wipe_stack(void) {
    limbic_wipe_stack_beyond(0);
}

#endif
