/*
 * Modular arithmetic on n words, least significant first: templates that are inlined with a constant n.
 * "residue" and R are those of dispatch/ops.def. Results are canonical. Any operands may be the same array.
 * Constant time.
 */
#ifndef LIMBIC_FIELD_MODARITH_H
#define LIMBIC_FIELD_MODARITH_H

#include "base/limb.h"

/* Unrolls the loop that follows, of a small constant count. */
#if defined(__clang__)
#define LIMBIC_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define LIMBIC_UNROLL _Pragma("GCC unroll 32")
#else
#define LIMBIC_UNROLL
#endif

/* The longest n of these templates. */
#define LIMBIC_MODARITH_MAX 16

/*
 * Chains of carries. Compilers keep the carry of a two-word sum in a flag, but not one that a loop hands on,
 * so words go in pairs. The barrier keeps a carry from becoming a branch.
 */
#ifndef LIMBIC_NO_INT128
LIMBIC_INLINE limbic_u128 limbic_pair(uint64_t hi, uint64_t lo) {
    return (limbic_u128)hi << 64 | lo;
}

/* *x += y; returns the carry. From a zero that the compiler can't see it makes an add-with-carry; else it
 * sets a byte, which waits for what the rest of the register was. */
LIMBIC_INLINE uint64_t limbic_pair_add(limbic_u128 *x, limbic_u128 y) {
    uint64_t carry = limbic_barrier(0);
    carry += __builtin_add_overflow(*x, y, x);
    return limbic_barrier(carry);
}

/* *x -= y; returns the borrow */
LIMBIC_INLINE uint64_t limbic_pair_sub(limbic_u128 *x, limbic_u128 y) {
    uint64_t borrow = limbic_barrier(0);
    borrow += __builtin_sub_overflow(*x, y, x);
    return limbic_barrier(borrow);
}
#endif

/* hi 2^64 + lo, shifted right by s < 64: the low word */
LIMBIC_INLINE uint64_t limbic_words_shift(uint64_t hi, uint64_t lo, size_t s) {
#ifndef LIMBIC_NO_INT128
    return (uint64_t)(limbic_pair(hi, lo) >> s);
#else
    return s ? lo >> s | hi << (64 - s) : lo;
#endif
}

/* r = a + b; returns the carry. room: a says that 1 can be added to its top pair, or the caller that the
 * carry is not needed; this saves a step. */
LIMBIC_INLINE uint64_t limbic_words_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
                                        int room) {
    uint64_t carry = 0;
    size_t i = 0;
#ifndef LIMBIC_NO_INT128
    LIMBIC_UNROLL
    for (; i + 2 <= n; i += 2) {
        limbic_u128 x = limbic_pair(a[i + 1], a[i]), y = limbic_pair(b[i + 1], b[i]);
        if (i == 0) {
            carry = limbic_pair_add(&x, y);
        } else if (room && i + 2 == n) {
            x += carry;
            carry = limbic_pair_add(&x, y);
        } else {
            uint64_t c = limbic_pair_add(&x, y);
            carry = c + limbic_pair_add(&x, carry);
        }
        r[i] = (uint64_t)x;
        r[i + 1] = (uint64_t)(x >> 64);
    }
#else
    (void)room;
#endif
    LIMBIC_UNROLL
    for (; i < n; i++)
        r[i] = limbic_adc(a[i], b[i], &carry);
    return carry;
}

/* r = a - b; returns the borrow. room: 1 can be added to the top pair of b, or the caller does not need the
 * borrow. */
LIMBIC_INLINE uint64_t limbic_words_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
                                        int room) {
    uint64_t borrow = 0;
    size_t i = 0;
#ifndef LIMBIC_NO_INT128
    LIMBIC_UNROLL
    for (; i + 2 <= n; i += 2) {
        limbic_u128 x = limbic_pair(a[i + 1], a[i]), y = limbic_pair(b[i + 1], b[i]);
        if (i == 0) {
            borrow = limbic_pair_sub(&x, y);
        } else if (room && i + 2 == n) {
            y += borrow;
            borrow = limbic_pair_sub(&x, y);
        } else {
            uint64_t c = limbic_pair_sub(&x, y);
            borrow = c + limbic_pair_sub(&x, borrow);
        }
        r[i] = (uint64_t)x;
        r[i + 1] = (uint64_t)(x >> 64);
    }
#else
    (void)room;
#endif
    LIMBIC_UNROLL
    for (; i < n; i++)
        r[i] = limbic_sbb(a[i], b[i], &borrow);
    return borrow;
}

/* r = a + carry, for any one word; what leaves the top is dropped */
LIMBIC_INLINE void limbic_words_carry(uint64_t *r, const uint64_t *a, uint64_t carry, size_t n) {
    size_t i = 0;
#ifndef LIMBIC_NO_INT128
    LIMBIC_UNROLL
    for (; i + 2 <= n; i += 2) {
        limbic_u128 x = limbic_pair(a[i + 1], a[i]);
        carry = limbic_pair_add(&x, carry);
        r[i] = (uint64_t)x;
        r[i + 1] = (uint64_t)(x >> 64);
    }
#endif
    LIMBIC_UNROLL
    for (; i < n; i++) {
        uint64_t t = a[i] + carry;
        carry = limbic_carry_of(a[i], carry, t);
        r[i] = t;
    }
}

/* Whether numbers up to m leave room in their top pair. */
LIMBIC_INLINE int limbic_mod_room(const uint64_t *m, size_t n) {
    return (m[n - 1] & m[n - 2]) != UINT64_MAX;
}

/* c = 2^(64n) - m */
LIMBIC_INLINE void limbic_mod_complement(uint64_t *c, const uint64_t *m, size_t n) {
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        c[i] = ~m[i];
    c[0]++; /* m is odd: nothing to carry */
}

/* r = t + (m where the mask says so), modulo 2^(64n) */
LIMBIC_INLINE void limbic_mod_back(uint64_t *r, const uint64_t *t, const uint64_t *m, uint64_t mask,
                                   size_t n) {
    uint64_t x[LIMBIC_MODARITH_MAX];
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        x[i] = m[i] & mask;
    (void)limbic_words_add(r, x, t, n, 1);
}

/* r = t + top 2^(64n) mod m, if that is below 2m */
LIMBIC_INLINE void limbic_mod_once(uint64_t *r, const uint64_t *t, uint64_t top, const uint64_t *m,
                                   size_t n) {
    uint64_t c[LIMBIC_MODARITH_MAX], d[LIMBIC_MODARITH_MAX];
    limbic_mod_complement(c, m, n);
    /* d = t - m; a carry where t is not below m */
    uint64_t carry = limbic_words_add(d, c, t, n, 1);
    limbic_mod_back(r, d, m, limbic_barrier((top | carry) - 1), n);
}

/* r = v mod m for t + top 2^(64n) = v + e, v < 3m; c = 2^(64n) - m - e, room in its top pair */
LIMBIC_INLINE void limbic_mod_thrice(uint64_t *r, const uint64_t *t, uint64_t top, const uint64_t *c,
                                     const uint64_t *m, size_t n) {
    uint64_t d[LIMBIC_MODARITH_MAX];
    /* d + top 2^(64n) = v - m + 2^(64n), from which m is not taken off where top is 0 */
    top += limbic_words_add(d, c, t, n, 1);
    limbic_mod_back(d, d, m, limbic_barrier(((top + 1) >> 1) - 1), n);
    limbic_mod_once(r, d, top >> 1, m, n);
}

/* Whether m = 2^e - 1 with room in its top word (P-521). Constant when m is. */
LIMBIC_INLINE int limbic_mod_mersenne(const uint64_t *m, size_t n) {
    int yes = m[n - 1] < UINT64_MAX >> 1 && (m[n - 1] & (m[n - 1] + 1)) == 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i + 1 < n; i++)
        yes &= m[i] == UINT64_MAX;
    return yes;
}

/* r = a + b mod m */
LIMBIC_INLINE void limbic_mod_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m,
                                  size_t n) {
    uint64_t c[LIMBIC_MODARITH_MAX], d[LIMBIC_MODARITH_MAX];
    if (limbic_mod_mersenne(m, n)) {
        /* Less m is one more, modulo 2^e, where the sum d is not below m, that is, d + 1 has bit e: d + 1
         * carries into the top word if all others are ones. */
        (void)limbic_words_add(d, a, b, n, 1);
        uint64_t ones = d[0];
        LIMBIC_UNROLL
        for (size_t i = 1; i + 1 < n; i++)
            ones &= d[i];
        uint64_t over = (d[n - 1] + (limbic_mask_zero(~ones) & 1)) >> __builtin_ctzll(m[n - 1] + 1);
        limbic_words_carry(r, d, limbic_barrier(over), n);
        r[n - 1] &= m[n - 1];
        return;
    }
    limbic_mod_complement(c, m, n);
    /* b - m + 2^(64n), no carry as b < m; with a there is one where a + b >= m */
    (void)limbic_words_add(c, c, b, n, 1);
    uint64_t carry = limbic_words_add(d, a, c, n, limbic_mod_room(m, n));
    limbic_mod_back(r, d, m, limbic_barrier(carry - 1), n);
}

/* r = a - b mod m */
LIMBIC_INLINE void limbic_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m,
                                  size_t n) {
    uint64_t d[LIMBIC_MODARITH_MAX];
    if (limbic_mod_mersenne(m, n)) {
        /* m - b needs no borrows; it may be m, and a + m below 2m is fine */
        LIMBIC_UNROLL
        for (size_t i = 0; i < n; i++)
            d[i] = m[i] ^ b[i];
        limbic_mod_add(r, a, d, m, n);
        return;
    }
    uint64_t borrow = limbic_words_sub(d, a, b, n, limbic_mod_room(m, n));
    limbic_mod_back(r, d, m, limbic_barrier(0 - borrow), n);
}

/* r = -a mod m */
LIMBIC_INLINE void limbic_mod_neg(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    uint64_t mask = ~limbic_words_zero_mask(a, n), x[LIMBIC_MODARITH_MAX];
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        x[i] = m[i] & mask;
    if (limbic_mod_mersenne(m, n)) {
        LIMBIC_UNROLL
        for (size_t i = 0; i < n; i++)
            r[i] = x[i] ^ (a[i] & mask);
        return;
    }
    (void)limbic_words_sub(r, x, a, n, 1);
}

/* r = 2a mod m */
LIMBIC_INLINE void limbic_mod_twice(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    if (limbic_mod_mersenne(m, n)) {
        /* 2^e = 1: the highest bit goes to the bottom */
        uint64_t high = a[n - 1] & (m[n - 1] ^ m[n - 1] >> 1);
        uint64_t bottom = a[0] << 1 | (limbic_mask_zero(high) + 1);
        LIMBIC_UNROLL
        for (size_t i = n; --i > 0;)
            r[i] = a[i] << 1 | a[i - 1] >> 63;
        r[0] = bottom;
        r[n - 1] &= m[n - 1];
        return;
    }
    limbic_mod_add(r, a, a, m, n);
}

/* r = a / 2 mod m: a, or a + m if a is odd, shifted */
LIMBIC_INLINE void limbic_mod_half(uint64_t *r, const uint64_t *a, const uint64_t *m, size_t n) {
    uint64_t x[LIMBIC_MODARITH_MAX], t[LIMBIC_MODARITH_MAX], odd = limbic_mask_bit(a[0]);
    if (limbic_mod_mersenne(m, n)) {
        /* (a + 2^e - 1) / 2 = (a - 1) / 2 + 2^(e - 1): the lowest bit goes to the top */
        uint64_t top = a[n - 1] >> 1 | (odd & (m[n - 1] ^ m[n - 1] >> 1));
        LIMBIC_UNROLL
        for (size_t i = 0; i + 1 < n; i++)
            r[i] = a[i] >> 1 | a[i + 1] << 63;
        r[n - 1] = top;
        return;
    }
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        x[i] = m[i] & odd;
    uint64_t carry = limbic_words_add(t, a, x, n, limbic_mod_room(m, n));
    LIMBIC_UNROLL
    for (size_t i = 0; i + 1 < n; i++)
        r[i] = t[i] >> 1 | t[i + 1] << 63;
    r[n - 1] = t[n - 1] >> 1 | carry << 63;
}

/* A sum of products in three words, for products column by column. */
struct limbic_acc {
#ifndef LIMBIC_NO_INT128
    limbic_u128 low;
#else
    uint64_t low, mid;
#endif
    uint64_t high;
};

/* The third word, on x86-64 as one of unknown value: else compilers set a byte for each carry (as in limbic_pair_add) and
 * add up those of a column first. */
LIMBIC_INLINE uint64_t limbic_acc_high(uint64_t high) {
#ifdef __x86_64__
    return limbic_barrier(high);
#else
    return high;
#endif
}

/* s += hi 2^64 + lo; the sum stays below 2^192 */
LIMBIC_INLINE void limbic_acc_add(struct limbic_acc *s, uint64_t hi, uint64_t lo) {
#ifndef LIMBIC_NO_INT128
    s->high += __builtin_add_overflow(s->low, limbic_pair(hi, lo), &s->low);
    s->high = limbic_acc_high(s->high);
#ifdef __clang__ /* which else sums up in another order and runs out of registers */
    s->low = limbic_pair(limbic_barrier((uint64_t)(s->low >> 64)), limbic_barrier((uint64_t)s->low));
#endif
#else
    uint64_t carry = 0;
    s->low = limbic_adc(s->low, lo, &carry);
    s->mid = limbic_adc(s->mid, hi, &carry);
    s->high += carry;
#endif
}

/* s += p */
LIMBIC_INLINE void limbic_acc_sum(struct limbic_acc *s, const struct limbic_acc *p) {
#ifndef LIMBIC_NO_INT128
    limbic_acc_add(s, (uint64_t)(p->low >> 64), (uint64_t)p->low);
#else
    limbic_acc_add(s, p->mid, p->low);
#endif
    s->high += p->high;
}

LIMBIC_INLINE void limbic_acc_mul(struct limbic_acc *s, uint64_t a, uint64_t b) {
    uint64_t hi, lo = limbic_mul_wide(&hi, a, b);
    limbic_acc_add(s, hi, lo);
}

/* s += 2 a b */
LIMBIC_INLINE void limbic_acc_mul2(struct limbic_acc *s, uint64_t a, uint64_t b) {
    uint64_t hi, lo = limbic_mul_wide(&hi, a, b);
    limbic_acc_add(s, hi, lo);
    limbic_acc_add(s, hi, lo);
}

/* The lowest word, which is then shifted out. */
LIMBIC_INLINE uint64_t limbic_acc_shift(struct limbic_acc *s) {
    uint64_t w = (uint64_t)s->low;
#ifndef LIMBIC_NO_INT128
    s->low = limbic_pair(s->high, (uint64_t)(s->low >> 64));
    s->high = limbic_acc_high(0);
#else
    s->low = s->mid;
    s->mid = s->high;
    s->high = 0;
#endif
    return w;
}

/* For sums below 2^128: the lowest bits, which are then shifted out. */
LIMBIC_INLINE uint64_t limbic_acc_shift_bits(struct limbic_acc *s, unsigned bits) {
    uint64_t w = (uint64_t)s->low & ((UINT64_C(1) << bits) - 1);
#ifndef LIMBIC_NO_INT128
    s->low >>= bits;
#else
    s->low = s->low >> bits | s->mid << (64 - bits);
    s->mid >>= bits;
#endif
    return w;
}

/* s += column k of a b, of n words each */
LIMBIC_INLINE void limbic_acc_column(struct limbic_acc *s, const uint64_t *a, const uint64_t *b, size_t k,
                                     size_t n) {
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        if (k >= i && k - i < n)
            limbic_acc_mul(s, a[i], b[k - i]);
}

/* s += column k of a^2 */
LIMBIC_INLINE void limbic_acc_column_sqr(struct limbic_acc *s, const uint64_t *a, size_t k, size_t n) {
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        if (2 * i < k && k - i < n)
            limbic_acc_mul2(s, a[i], a[k - i]);
    if (k % 2 == 0)
        limbic_acc_mul(s, a[k / 2], a[k / 2]);
}

/*
 * The Montgomery part of column k: adds what the quotient words q[0..k-1] times m bring into it, and for k <
 * n finds q[k], which makes the lowest word zero, so that the shift drops nothing.
 */
typedef void limbic_mont_column(struct limbic_acc *s, uint64_t *q, size_t k);

/*
 * t[n] and the returned top = (a b + q m) / R; the column function may leave an offset in it. square: a is b.
 */
LIMBIC_INLINE uint64_t limbic_mont_columns(uint64_t *t, const uint64_t *a, const uint64_t *b, int square,
                                           size_t n, limbic_mont_column *column) {
    /* The columns of a b summed up on their own: a few instructions more, but no longer one chain with the q.
     */
    const int apart = n > 4 || square;
    struct limbic_acc s = {0}, p = {0};
    uint64_t q[LIMBIC_MODARITH_MAX];
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * n; k++) {
        struct limbic_acc *sum = apart ? &p : &s;
        if (k < 2 * n - 1) {
            if (square)
                limbic_acc_column_sqr(sum, a, k, n);
            else
                limbic_acc_column(sum, a, b, k, n);
        }
        if (apart)
            limbic_acc_add(&s, 0, limbic_acc_shift(&p));
        column(&s, q, k);
        uint64_t w = limbic_acc_shift(&s);
        if (k >= n)
            t[k - n] = w;
    }
    return limbic_acc_shift(&s);
}

/* t[n] and the returned top = (a b + c d + q m) / R, as limbic_mont_columns */
LIMBIC_INLINE uint64_t limbic_mont_columns_sum(uint64_t *t, const uint64_t *a, const uint64_t *b,
                                               const uint64_t *c, const uint64_t *d, size_t n,
                                               limbic_mont_column *column) {
    struct limbic_acc s = {0};
    uint64_t q[LIMBIC_MODARITH_MAX];
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * n; k++) {
        limbic_acc_column(&s, a, b, k, n);
        limbic_acc_column(&s, c, d, k, n);
        column(&s, q, k);
        uint64_t w = limbic_acc_shift(&s);
        if (k >= n)
            t[k - n] = w;
    }
    return limbic_acc_shift(&s);
}

/* Column k for any modulus; n0 = -1/m mod 2^64. */
LIMBIC_INLINE void limbic_mont_column_of(struct limbic_acc *s, uint64_t *q, size_t k, const uint64_t *m,
                                         uint64_t n0, size_t n) {
    LIMBIC_UNROLL
    for (size_t i = 0; i < n; i++)
        if (k > i && k - i < n)
            limbic_acc_mul(s, q[i], m[k - i]);
    if (k < n) {
        q[k] = (uint64_t)s->low * n0;
        limbic_acc_mul(s, q[k], m[0]);
    }
}

#endif
