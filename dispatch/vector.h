/*
 * Vectors of eight 64-bit lanes for sources compiled per instruction set: ENGINE_ifma has AVX-512 registers, ENGINE_c a
 * portable definition of the same operations. Lanes wrap modulo 2^64. Shift counts are below 64.
 */
#ifndef LIMBIC_DISPATCH_VECTOR_H
#define LIMBIC_DISPATCH_VECTOR_H

#include "base/limb.h"

/* A bit a lane, lane 0 lowest. */
typedef uint8_t v8_mask;

#if defined(ENGINE_ifma)

#include <immintrin.h>

typedef __m512i v8;

/* Before a loop of products that registers hold the sums of: unrolled. Portable C has them in memory. */
#if defined(__clang__)
#define V8_UNROLL _Pragma("clang loop unroll(full)")
#else
#define V8_UNROLL _Pragma("GCC unroll 32")
#endif

LIMBIC_INLINE v8 v8_set1(uint64_t x) {
    return _mm512_set1_epi64((long long)x);
}
/* A constant in memory in all lanes. GCC, where it knows the value, else makes it in a general register, and the way from
 * there takes slots of the vector units; a load takes none. */
LIMBIC_INLINE v8 v8_broadcast(const uint64_t *p) {
#if defined(__GNUC__) && !defined(__clang__)
    v8 r;
    __asm__("vpbroadcastq %1, %0" : "=v"(r) : "m"(*p));
    return r;
#else
    return v8_set1(*p);
#endif
}
/* p: aligned to 64 bytes */
LIMBIC_INLINE v8 v8_load(const uint64_t *p) {
    return _mm512_load_si512((const void *)p);
}
LIMBIC_INLINE void v8_store(uint64_t *p, v8 a) {
    _mm512_store_si512((void *)p, a);
}
/* Lane i is, or goes to, p[i * stride]. */
LIMBIC_INLINE v8 v8_gather(const uint64_t *p, size_t stride) {
#define V8_AT(i) (long long)p[(i)*stride]
    return _mm512_set_epi64(V8_AT(7), V8_AT(6), V8_AT(5), V8_AT(4), V8_AT(3), V8_AT(2), V8_AT(1), V8_AT(0));
#undef V8_AT
}
LIMBIC_INLINE void v8_scatter(uint64_t *p, size_t stride, v8 a) {
    uint64_t lanes[8] __attribute__((aligned(64)));
    v8_store(lanes, a);
    for (size_t i = 0; i < 8; i++)
        p[i * stride] = lanes[i];
}
LIMBIC_INLINE v8 v8_add(v8 a, v8 b) {
    return _mm512_add_epi64(a, b);
}
LIMBIC_INLINE v8 v8_sub(v8 a, v8 b) {
    return _mm512_sub_epi64(a, b);
}
LIMBIC_INLINE v8 v8_and(v8 a, v8 b) {
    return _mm512_and_si512(a, b);
}
LIMBIC_INLINE v8 v8_or(v8 a, v8 b) {
    return _mm512_or_si512(a, b);
}
/* Vector operators, since the intrinsics take no count from a function's argument without optimization. */
LIMBIC_INLINE v8 v8_sll(v8 a, unsigned n) {
    return (v8)((__v8du)a << n);
}
LIMBIC_INLINE v8 v8_srl(v8 a, unsigned n) {
    return (v8)((__v8du)a >> n);
}
LIMBIC_INLINE v8 v8_sra(v8 a, unsigned n) {
    return (v8)((__v8di)a >> n);
}
/* Each lane by its own count. */
LIMBIC_INLINE v8 v8_srl_each(v8 a, v8 n) {
    return _mm512_srlv_epi64(a, n);
}
/* The lowest `bits` bits of a, shifted left by n: multiples of 8, n above 0, bits + n at most 64. One shuffle of bytes. */
LIMBIC_INLINE v8 v8_low_sll(v8 a, unsigned bits, unsigned n) {
    /* byte i of the result is byte from[i] of a, or 0 where that is negative; the odd words are the upper of 16 bytes */
    const uint64_t from =
        UINT64_C(0x0706050403020100) << n | ((UINT64_C(1) << n) - 1) | UINT64_MAX << (n + bits - 1) << 1;
    const long long even = (long long)from, odd = (long long)(from | 0x0808080808080808);
    return _mm512_shuffle_epi8(a, _mm512_set_epi64(odd, even, odd, even, odd, even, odd, even));
}
/* acc + the low, acc + the high 52 bits of the product of the lowest 52 bits of a and b */
LIMBIC_INLINE v8 v8_madd_lo(v8 acc, v8 a, v8 b) {
    return _mm512_madd52lo_epu64(acc, a, b);
}
LIMBIC_INLINE v8 v8_madd_hi(v8 acc, v8 a, v8 b) {
    return _mm512_madd52hi_epu64(acc, a, b);
}
/* b where the mask has a one, else a */
LIMBIC_INLINE v8 v8_select(v8_mask mask, v8 a, v8 b) {
    return _mm512_mask_blend_epi64(mask, a, b);
}
LIMBIC_INLINE v8_mask v8_eq(v8 a, v8 b) {
    return _mm512_cmpeq_epi64_mask(a, b);
}
/* Eight numbers below 16, of lanes: 0 to 7 of one vector, 8 to 15 of a second. */
#define V8_ORDER(a, b, c, d, e, f, g, h) _mm512_set_epi64(h, g, f, e, d, c, b, a)
/* Lane i is lane order_i of a, or of a and b. */
LIMBIC_INLINE v8 v8_permute(v8 a, v8 order) {
    return _mm512_permutexvar_epi64(order, a);
}
LIMBIC_INLINE v8 v8_permute2(v8 a, v8 b, v8 order) {
    return _mm512_permutex2var_epi64(a, order, b);
}
/* Lane i is the word at address i. */
LIMBIC_INLINE v8 v8_read(v8 address) {
    return _mm512_i64gather_epi64(address, NULL, 1);
}
LIMBIC_INLINE void v8_prefetch(v8 address, size_t bytes) {
    _Alignas(64) uint64_t p[8];
    v8_store(p, address);
    for (unsigned i = 0; i < 8; i++) {
        for (size_t at = 0; at < bytes; at += 64)
            __builtin_prefetch((const void *)(uintptr_t)(p[i] + at));
        __builtin_prefetch((const void *)(uintptr_t)(p[i] + bytes - 1));
    }
}
/* Lane i is word index i, below 32, of p, aligned to 64 bytes; all 32 are read. */
LIMBIC_INLINE v8 v8_look_up_32(const uint64_t *p, v8 index) {
    const v8 low = _mm512_permutex2var_epi64(v8_load(p), index, v8_load(p + 8));
    const v8 high = _mm512_permutex2var_epi64(v8_load(p + 16), index, v8_load(p + 24));
    return _mm512_mask_blend_epi64(_mm512_test_epi64_mask(index, v8_set1(16)), low, high);
}

#elif defined(ENGINE_c)

typedef struct {
    uint64_t lane[8];
} v8;

#define V8_UNROLL

/* An operation lane by lane: statement makes x of lane i. */
#define V8_LANES(statement)                                                                                  \
    v8 r;                                                                                                    \
    for (unsigned i = 0; i < 8; i++) {                                                                       \
        uint64_t x;                                                                                          \
        statement;                                                                                           \
        r.lane[i] = x;                                                                                       \
    }                                                                                                        \
    return r

LIMBIC_INLINE v8 v8_set1(uint64_t a) {
    V8_LANES(x = a);
}
LIMBIC_INLINE v8 v8_broadcast(const uint64_t *p) {
    return v8_set1(*p);
}
LIMBIC_INLINE v8 v8_load(const uint64_t *p) {
    V8_LANES(x = p[i]);
}
LIMBIC_INLINE void v8_store(uint64_t *p, v8 a) {
    memcpy(p, a.lane, sizeof a.lane);
}
LIMBIC_INLINE v8 v8_gather(const uint64_t *p, size_t stride) {
    V8_LANES(x = p[i * stride]);
}
LIMBIC_INLINE void v8_scatter(uint64_t *p, size_t stride, v8 a) {
    for (unsigned i = 0; i < 8; i++)
        p[i * stride] = a.lane[i];
}
LIMBIC_INLINE v8 v8_add(v8 a, v8 b) {
    V8_LANES(x = a.lane[i] + b.lane[i]);
}
LIMBIC_INLINE v8 v8_sub(v8 a, v8 b) {
    V8_LANES(x = a.lane[i] - b.lane[i]);
}
LIMBIC_INLINE v8 v8_and(v8 a, v8 b) {
    V8_LANES(x = a.lane[i] & b.lane[i]);
}
LIMBIC_INLINE v8 v8_or(v8 a, v8 b) {
    V8_LANES(x = a.lane[i] | b.lane[i]);
}
LIMBIC_INLINE v8 v8_sll(v8 a, unsigned n) {
    V8_LANES(x = a.lane[i] << n);
}
LIMBIC_INLINE v8 v8_srl(v8 a, unsigned n) {
    V8_LANES(x = a.lane[i] >> n);
}
LIMBIC_INLINE v8 v8_sra(v8 a, unsigned n) {
    V8_LANES((x = 0 - (a.lane[i] >> 63), x = a.lane[i] >> n | (x ^ x >> n)));
}
LIMBIC_INLINE v8 v8_srl_each(v8 a, v8 n) {
    V8_LANES(x = a.lane[i] >> n.lane[i]);
}
LIMBIC_INLINE v8 v8_low_sll(v8 a, unsigned bits, unsigned n) {
    V8_LANES(x = (a.lane[i] & ((UINT64_C(1) << bits) - 1)) << n);
}
/* Called: inlined hundreds of times they would take a compiler half a minute. */
#define V8_52(x)                         ((x)&0xfffffffffffff)
#define V8_CALLED                        static __attribute__((noinline, unused))
V8_CALLED v8 v8_madd_lo(v8 acc, v8 a, v8 b) {
    uint64_t hi;
    V8_LANES(x = acc.lane[i] + V8_52(limbic_mul_wide(&hi, V8_52(a.lane[i]), V8_52(b.lane[i]))));
}
V8_CALLED v8 v8_madd_hi(v8 acc, v8 a, v8 b) {
    uint64_t hi;
    V8_LANES((x = limbic_mul_wide(&hi, V8_52(a.lane[i]), V8_52(b.lane[i])),
              x = acc.lane[i] + (hi << 12 | x >> 52)));
}
LIMBIC_INLINE v8 v8_select(v8_mask mask, v8 a, v8 b) {
    V8_LANES(x = a.lane[i] ^ ((a.lane[i] ^ b.lane[i]) & limbic_mask_bit(mask >> i)));
}
LIMBIC_INLINE v8_mask v8_eq(v8 a, v8 b) {
    v8_mask r = 0;
    for (unsigned i = 0; i < 8; i++)
        r |= (v8_mask)((limbic_mask_eq(a.lane[i], b.lane[i]) & 1) << i);
    return r;
}
#define V8_ORDER(a, b, c, d, e, f, g, h) ((v8){{a, b, c, d, e, f, g, h}})
LIMBIC_INLINE v8 v8_permute(v8 a, v8 order) {
    V8_LANES(x = a.lane[order.lane[i]]);
}
LIMBIC_INLINE v8 v8_permute2(v8 a, v8 b, v8 order) {
    V8_LANES(x = order.lane[i] < 8 ? a.lane[order.lane[i]] : b.lane[order.lane[i] - 8]);
}
LIMBIC_INLINE v8 v8_read(v8 address) {
    V8_LANES(x = *(const uint64_t *)(uintptr_t)address.lane[i]);
}
LIMBIC_INLINE void v8_prefetch(v8 address, size_t bytes) {
    (void)address, (void)bytes;
}
LIMBIC_INLINE v8 v8_look_up_32(const uint64_t *p, v8 index) {
    v8 r = {{0}};
    for (unsigned j = 0; j < 32; j++)
        r = v8_select(v8_eq(index, v8_set1(j)), r, v8_set1(p[j]));
    return r;
}
#undef V8_LANES
#undef V8_52
#undef V8_CALLED

#else
#error "vectors need an instruction set"
#endif

#endif
