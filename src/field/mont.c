/* Any odd modulus m, its length known at run time: kernels and public functions. */
#include "base/secret.h"
#include "dispatch/dispatch.h"
#include "field/divsteps.h"
#include "field/gcd.h"
#include "limbic/field.h"

#define MAX LIMBIC_MONT_MAX_LIMBS

/* r = a - (m where the mask says so); returns the borrow. */
static uint64_t sub_masked(uint64_t *r, const uint64_t *a, const uint64_t *m, uint64_t mask, size_t n) {
    uint64_t borrow = 0;
    size_t i = 0;
#ifndef LIMBIC_NO_INT128
    for (; i + 2 <= n; i += 2) {
        limbic_u128 x = limbic_pair(a[i + 1], a[i]), y = limbic_pair(m[i + 1] & mask, m[i] & mask);
        uint64_t b = limbic_pair_sub(&x, y);
        borrow = b + limbic_pair_sub(&x, borrow);
        r[i] = (uint64_t)x;
        r[i + 1] = (uint64_t)(x >> 64);
    }
#endif
    for (; i < n; i++)
        r[i] = limbic_sbb(a[i], m[i] & mask, &borrow);
    return borrow;
}

void limbic_mont_add_c(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    uint64_t carry = 0;
    for (size_t i = 0; i < x->limbs; i++)
        r[i] = limbic_adc(a[i], b[i], &carry);
    /* m is taken off unless r < m and no carry, which a borrow takes away */
    uint64_t keep = limbic_words_less(r, x->m, x->limbs) & (carry ^ 1);
    (void)sub_masked(r, r, x->m, ~limbic_mask_bit(keep), x->limbs);
}

void limbic_mont_sub_c(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    uint64_t mask = limbic_mask_bit(sub_masked(r, a, b, ~UINT64_C(0), x->limbs)), carry = 0;
    for (size_t i = 0; i < x->limbs; i++)
        r[i] = limbic_adc(r[i], x->m[i] & mask, &carry); /* the last carry cancels the borrow */
}

/*
 * Products of any length, column by column.
 *
 * t + top 2^(64n) = (a b + q m) / R, below 2m for a b < m R; t is none of the operands. square: a is b. For b = NULL, a R
 * less: (a + q m) / R.
 */
LIMBIC_INLINE uint64_t columns(uint64_t *t, const uint64_t *a, const uint64_t *b, int square,
                               const limbic_mont *x) {
    const size_t n = x->limbs;
    const uint64_t *m = x->m;
    uint64_t *q = t; /* a word of the result takes the place of one of q that has had its last use */
    struct limbic_acc s = {0};
    for (size_t k = 0; k < 2 * n; k++) {
        /* words first to end - 1 meet words k - first and down */
        const size_t first = k < n ? 0 : k - n + 1, end = k < n ? k + 1 : n;
        if (square) {
            struct limbic_acc p = {0};
            for (size_t i = first; i < (k + 1) / 2; i++)
                limbic_acc_mul(&p, a[i], a[k - i]);
            limbic_acc_sum(&s, &p);
            limbic_acc_sum(&s, &p);
            if (k % 2 == 0)
                limbic_acc_mul(&s, a[k / 2], a[k / 2]);
        } else if (b) {
            for (size_t i = first; i < end; i++)
                limbic_acc_mul(&s, a[i], b[k - i]);
        } else if (k < n) {
            limbic_acc_add(&s, 0, a[k]);
        }
        for (size_t i = first; i < end && i < k; i++)
            limbic_acc_mul(&s, q[i], m[k - i]);
        if (k < n) {
            q[k] = (uint64_t)s.low * x->n0;
            limbic_acc_mul(&s, q[k], m[0]);
        }
        uint64_t w = limbic_acc_shift(&s);
        if (k >= n)
            t[k - n] = w;
    }
    return limbic_acc_shift(&s);
}

/*
 * Lengths that are a multiple of 8 words, the lengths of RSA among them: digits of D words, 16 or 8, B = 2^(64D), whose
 * products have loops of known length; 16 words, the primes of RSA-2048, as one such product with its reduction. That
 * gains a fifth to a third, but loses as much where a product of words is many instructions.
 */
#ifndef LIMBIC_NO_INT128
enum { USE_DIGITS = 1 };
#else
enum { USE_DIGITS = 0 };
#endif

/* Column k has the products of words FIRST(k) and up of one digit with words k - FIRST(k) and down of another. */
#define FIRST(k, D) ((k) < (D) ? 0 : (k) - (D) + 1)

/* s += column k of a b */
LIMBIC_INLINE void digit_column(struct limbic_acc *s, const uint64_t *a, const uint64_t *b, size_t k,
                                size_t D) {
    LIMBIC_UNROLL
    for (size_t i = FIRST(k, D); i < D && i <= k; i++)
        limbic_acc_mul(s, a[i], b[k - i]);
}

/* s += 2 p + column k of a^2 */
LIMBIC_INLINE void digit_column_sqr(struct limbic_acc *s, uint64_t p, const uint64_t *a, size_t k, size_t D) {
    struct limbic_acc half = {0};
    limbic_acc_add(&half, 0, p);
    LIMBIC_UNROLL
    for (size_t i = FIRST(k, D); i < (k + 1) / 2; i++)
        limbic_acc_mul(&half, a[i], a[k - i]);
    limbic_acc_sum(s, &half);
    limbic_acc_sum(s, &half);
    if (k % 2 == 0)
        limbic_acc_mul(s, a[k / 2], a[k / 2]);
}

/* s += column k of q m, for k < D with the q[k] that makes its lowest word zero */
LIMBIC_INLINE void digit_column_quotient(struct limbic_acc *s, uint64_t *q, const uint64_t *m, uint64_t n0,
                                         size_t k, size_t D) {
    LIMBIC_UNROLL
    for (size_t i = FIRST(k, D); i < (k < D ? k : D); i++)
        limbic_acc_mul(s, q[i], m[k - i]);
    if (k < D) {
        q[k] = (uint64_t)s->low * n0;
        limbic_acc_mul(s, q[k], m[0]);
    }
}

/* t + h B = a b + t + h, which is below B^2 */
LIMBIC_INLINE void digit_mul_add(uint64_t *t, uint64_t *h, const uint64_t *a, const uint64_t *b, size_t D) {
    struct limbic_acc s = {0};
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * D; k++) {
        if (k < D) {
            uint64_t carry = 0, sum = limbic_adc(t[k], h[k], &carry);
            limbic_acc_add(&s, carry, sum);
        }
        digit_column(&s, a, b, k, D);
        *(k < D ? &t[k] : &h[k - D]) = limbic_acc_shift(&s);
    }
}

/* t + (carry returned) B^2 = 2 t + a^2 + carry, t of two digits */
LIMBIC_INLINE uint64_t digit_sqr_double(uint64_t *t, const uint64_t *a, uint64_t carry, size_t D) {
    struct limbic_acc s = {0};
    limbic_acc_add(&s, 0, carry);
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * D; k++) {
        digit_column_sqr(&s, t[k], a, k, D);
        t[k] = limbic_acc_shift(&s);
    }
    return limbic_acc_shift(&s);
}

/* The digit q with t + q m = h B, m the lowest digit of the modulus */
LIMBIC_INLINE void digit_quotient(uint64_t *q, uint64_t *h, const uint64_t *t, const uint64_t *m, uint64_t n0,
                                  size_t D) {
    struct limbic_acc s = {0};
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * D; k++) {
        if (k < D)
            limbic_acc_add(&s, 0, t[k]);
        digit_column_quotient(&s, q, m, n0, k, D);
        uint64_t w = limbic_acc_shift(&s);
        if (k >= D)
            h[k - D] = w;
    }
}

/* As columns, for one digit. */
LIMBIC_INLINE uint64_t digit_product(uint64_t *t, const uint64_t *a, const uint64_t *b, int square,
                                     const limbic_mont *x, size_t D) {
    uint64_t *q = t;
    struct limbic_acc s = {0};
    LIMBIC_UNROLL
    for (size_t k = 0; k < 2 * D; k++) {
        if (square)
            digit_column_sqr(&s, 0, a, k, D);
        else
            digit_column(&s, a, b, k, D);
        digit_column_quotient(&s, q, x->m, x->n0, k, D);
        uint64_t w = limbic_acc_shift(&s);
        if (k >= D)
            t[k - D] = w;
    }
    return limbic_acc_shift(&s);
}

/* One copy of each for each D. */
#define DIGIT_FUNCTIONS(D)                                                                                   \
    static __attribute__((noinline)) void mul_add_##D(uint64_t *t, uint64_t *h, const uint64_t *a,           \
                                                      const uint64_t *b) {                                   \
        digit_mul_add(t, h, a, b, D);                                                                        \
    }                                                                                                        \
    static __attribute__((noinline))                                                                         \
    uint64_t sqr_double_##D(uint64_t *t, const uint64_t *a, uint64_t carry) {                                \
        return digit_sqr_double(t, a, carry, D);                                                             \
    }                                                                                                        \
    static __attribute__((noinline)) void quotient_##D(uint64_t *q, uint64_t *h, const uint64_t *t,          \
                                                       const uint64_t *m, uint64_t n0) {                     \
        digit_quotient(q, h, t, m, n0, D);                                                                   \
    }
DIGIT_FUNCTIONS(8)
DIGIT_FUNCTIONS(16)
#define DIGIT(D, function, ...) ((D) == 8 ? function##_8(__VA_ARGS__) : function##_16(__VA_ARGS__))

/* t = a b of 2n words */
static void digits_mul(uint64_t *t, const uint64_t *a, const uint64_t *b, size_t n, size_t D) {
    memset(t, 0, 16 * n);
    for (size_t j = 0; j < n; j += D)
        for (size_t i = 0; i < n; i += D)
            DIGIT(D, mul_add, t + i + j, t + n + j, a + i, b + j);
}

static void digits_sqr(uint64_t *t, const uint64_t *a, size_t n, size_t D) {
    uint64_t carry = 0;
    memset(t, 0, 16 * n);
    for (size_t j = 0; j < n; j += D)
        for (size_t i = j + D; i < n; i += D)
            DIGIT(D, mul_add, t + i + j, t + n + j, a + i, a + j);
    for (size_t j = 0; j < n; j += D)
        carry = DIGIT(D, sqr_double, t + 2 * j, a + j, carry);
}

/* The upper half of t, and the returned top, = (t + q m) / R; the lower half is lost. */
static uint64_t digits_reduce(uint64_t *t, const limbic_mont *x, size_t D) {
    const size_t n = x->limbs;
    uint64_t q[16], h[16], top = 0;
    for (size_t j = 0; j < n; j += D) {
        DIGIT(D, quotient, q, h, t + j, x->m, x->n0);
        for (size_t i = D; i < n; i += D)
            DIGIT(D, mul_add, t + i + j, h, x->m + i, q);
        for (size_t k = 0; k < D; k++)
            t[n + j + k] = limbic_adc(t[n + j + k], h[k], &top);
    }
    limbic_wipe(q, sizeof q);
    limbic_wipe(h, sizeof h);
    return top;
}

static __attribute__((noinline)) uint64_t product_16(uint64_t *t, const uint64_t *a, const uint64_t *b,
                                                     const limbic_mont *x) {
    return digit_product(t, a, b, 0, x, 16);
}
static __attribute__((noinline)) uint64_t square_16(uint64_t *t, const uint64_t *a, const limbic_mont *x) {
    return digit_product(t, a, a, 1, x, 16);
}

/* r = t + top 2^(64n) mod m, if that is below 2m; r is not t */
static void mod_once(uint64_t *r, const uint64_t *t, uint64_t top, const uint64_t *m, size_t n) {
    /* m is taken off unless t < m and no top, which a borrow takes away */
    uint64_t keep = sub_masked(r, t, m, ~UINT64_C(0), n) & (top ^ 1);
    limbic_words_select(r, limbic_mask_bit(keep), r, t, n);
}

/* r = a b / R; square: a is b; b = NULL: a / R */
LIMBIC_INLINE void mont_product(uint64_t *r, const uint64_t *a, const uint64_t *b, int square,
                                const limbic_mont *x) {
    const size_t n = x->limbs, D = n % 16 ? 8 : 16;
    uint64_t t[2 * n], *high = t, top;
    if (USE_DIGITS && n == 16 && b) {
        top = square ? square_16(t, a, x) : product_16(t, a, b, x);
        uint64_t borrow = limbic_words_sub(t, t, x->m, 16, 0);
        limbic_mod_back(r, t, x->m, limbic_mask_bit(borrow & (top ^ 1)), 16);
        limbic_wipe(t, sizeof t);
        return;
    }
    if (USE_DIGITS && n % D == 0) {
        if (square) {
            digits_sqr(t, a, n, D);
        } else if (b) {
            digits_mul(t, a, b, n, D);
        } else {
            memcpy(t, a, 8 * n);
            memset(t + n, 0, 8 * n);
        }
        top = digits_reduce(t, x, D);
        high = t + n;
    } else {
        top = columns(t, a, b, square, x);
    }
    mod_once(r, high, top, x->m, n);
    limbic_wipe(t, sizeof t);
}

void limbic_mont_mul_c(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    mont_product(r, a, b, 0, x);
}

void limbic_mont_sqr_c(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    mont_product(r, a, a, 1, x);
}

/* Public functions. */

static const struct limbic_ops *ops(void) {
    return limbic_ops(LIMBIC_UNIT_mont);
}

void limbic_mont_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    ops()->mont_add(r, a, b, x);
}

void limbic_mont_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    ops()->mont_sub(r, a, b, x);
}

void limbic_mont_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    ops()->mont_mul(r, a, b, x);
}

void limbic_mont_sqr(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    ops()->mont_sqr(r, a, x);
}

void limbic_mont_pow(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits, const limbic_mont *x) {
    ops()->mont_pow(r, a, e, e_bits, x);
}

/* Horner's rule over pieces of x->limbs words, the highest first: t R + piece, as residues, is t rr + piece rr, and mul
 * takes any piece below R. */
void limbic_mont_reduce(uint64_t *r, const uint64_t *a, size_t a_limbs, const limbic_mont *x) {
    const size_t n = x->limbs;
    uint64_t t[n], piece[n];
    memset(t, 0, sizeof t);
    for (size_t left = a_limbs; left > 0;) {
        const size_t words = (left - 1) % n + 1;
        left -= words;
        memset(piece, 0, sizeof piece);
        memcpy(piece, a + left, 8 * words);
        ops()->mont_mul(piece, piece, x->rr, x);
        if (left + words < a_limbs)
            ops()->mont_mul(t, t, x->rr, x);
        ops()->mont_add(t, t, piece, x);
    }
    memcpy(r, t, sizeof t);
    limbic_wipe(t, sizeof t);
    limbic_wipe(piece, sizeof piece);
}

void limbic_mont_neg(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    uint64_t mask = ~limbic_words_zero_mask(a, x->limbs), borrow = 0;
    for (size_t i = 0; i < x->limbs; i++)
        r[i] = limbic_sbb(x->m[i] & mask, a[i], &borrow);
}

void limbic_mont_to_residue(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    ops()->mont_mul(r, a, x->rr, x);
}

void limbic_mont_from_residue(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    mont_product(r, a, NULL, 0, x);
}

void limbic_mont_select(uint64_t *r, uint64_t bit, const uint64_t *a, const uint64_t *b,
                        const limbic_mont *x) {
    limbic_words_select(r, limbic_mask_bit(bit), a, b, x->limbs);
}

int limbic_mont_eq(const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    return (int)(limbic_words_eq_mask(a, b, x->limbs) & 1);
}

int limbic_mont_is_zero(const uint64_t *a, const limbic_mont *x) {
    return (int)(limbic_words_zero_mask(a, x->limbs) & 1);
}

limbic_status limbic_mont_init(limbic_mont *x, uint64_t *storage, const uint64_t *m, size_t limbs) {
    if (!x || !storage || !m)
        return LIMBIC_ERR_NULL;
    if (limbs == 0 || limbs > MAX)
        return LIMBIC_ERR_LENGTH;
    uint64_t high = m[0] >> 1;
    for (size_t i = 1; i < limbs; i++)
        high |= m[i];
    int bad = (int)((~m[0] | limbic_mask_zero(high)) & 1);
    LIMBIC_DECLASSIFY(&bad, sizeof(bad));
    if (bad)
        return LIMBIC_ERR_MODULUS;

    uint64_t *copy = storage, *one = copy + limbs, *rr = one + limbs;
    memmove(copy, m, 8 * limbs);
    *x = (limbic_mont){limbs, 0 - limbic_word_inverse(m[0]), copy, one, rr};

    /* one = R mod m, the inverse of the product of 1 and 1, which is 1/R */
    dv_int scratch[DV_SCRATCH(64 * MAX)];
    memset(one, 0, 8 * limbs);
    one[0] = 1;
    limbic_mont_from_residue(rr, one, x);
    (void)dv_inverse(one, rr, copy, x->n0, limbs, 64 * limbs, scratch, 0);
    /* rr = residue of R = (2^limbs)^64 */
    memcpy(rr, one, 8 * limbs);
    for (size_t i = 0; i < limbs; i++)
        limbic_mont_add(rr, rr, rr, x);
    for (int i = 0; i < 6; i++)
        limbic_mont_sqr(rr, rr, x);
    return LIMBIC_OK;
}

/* An even a above b becomes a - b, which is odd. From an odd one the first step goes to a and (a - b) / 2, where dv_gcd
 * would start: the bound for a bit more has that step. */
void limbic_words_gcd_odd(uint64_t *g, const uint64_t *a, const uint64_t *b, size_t n) {
    dv_int scratch[2 * DV_LIMBS(64 * MAX + 1)];
    uint64_t t[MAX];
    (void)sub_masked(t, a, b, limbic_mask_bit(limbic_words_less(b, a, n) & ~a[0]), n);
    dv_gcd(g, t, b, n, 64 * n + 1, scratch);
    limbic_wipe(t, 8 * n);
}

static int inverse(uint64_t *r, const uint64_t *a, const limbic_mont *x, int vartime) {
    dv_int scratch[DV_SCRATCH(64 * MAX)];
    uint64_t ok = vartime ? dv_inverse(r, a, x->m, x->n0, x->limbs, 64 * x->limbs, scratch, 1)
                          : dv_inverse(r, a, x->m, x->n0, x->limbs, 64 * x->limbs, scratch, 0);
    uint64_t mask = limbic_mask_bit(ok);
    for (size_t i = 0; i < x->limbs; i++)
        r[i] &= mask;
    /* r = 1/(a R) of the residue a R: times R^2, R^2 / R^2 */
    limbic_mont_mul(r, r, x->rr, x);
    limbic_mont_mul(r, r, x->rr, x);
    return (int)ok;
}

int limbic_mont_inv(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    return inverse(r, a, x, 0);
}

int limbic_mont_inv_vartime(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    return inverse(r, a, x, 1);
}

/* r = m / 2^shift + add, rounded down first; m, shift such that it fits */
static void exponent(uint64_t *r, const limbic_mont *x, unsigned shift, uint64_t add) {
    uint64_t carry = 0;
    for (size_t i = 0; i < x->limbs; i++) {
        uint64_t next = i + 1 < x->limbs ? x->m[i + 1] << (64 - shift) : 0;
        r[i] = limbic_adc(x->m[i] >> shift | next, i ? 0 : add, &carry);
    }
}

/* r = a^e, e of x->limbs words; r is not a */
static void pow_vartime(uint64_t *r, const uint64_t *a, const uint64_t *e, const limbic_mont *x) {
    memcpy(r, x->one, 8 * x->limbs);
    int started = 0;
    for (size_t i = 64 * x->limbs; i-- > 0;) {
        if (started)
            limbic_mont_sqr(r, r, x);
        if (e[i / 64] >> (i % 64) & 1) {
            limbic_mont_mul(r, r, a, x);
            started = 1;
        }
    }
}

/*
 * Cipolla: r = (t + w)^((m + 1) / 2) with w^2 = d = t^2 - a, d a non-square; then r^2 = (t + w)(t + w)^m = (t
 * + w)(t - w) = a. 0 if m shows itself composite. Some of the first t serve unless m is one of the about
 * 2^-64 primes for which none does, or a composite number.
 */
static int cipolla(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    const size_t n = x->limbs, bytes = 8 * n;
    uint64_t t[MAX], d[MAX], u[MAX], v[MAX], s[MAX], e[MAX];
    memset(t, 0, bytes);
    exponent(e, x, 1, 0);
    for (int i = 0;; i++) {
        if (i == 64)
            return 0;
        limbic_mont_add(t, t, x->one, x);
        limbic_mont_sqr(d, t, x);
        limbic_mont_sub(d, d, a, x);
        if (limbic_mont_is_zero(d, x)) {
            memcpy(r, t, bytes);
            return 1;
        }
        pow_vartime(s, d, e, x);
        if (limbic_mont_eq(s, x->one, x))
            continue;
        limbic_mont_add(s, s, x->one, x);
        if (!limbic_mont_is_zero(s, x))
            return 0; /* neither 1 nor -1 */
        break;
    }
    exponent(e, x, 1, 1);
    /* u + v w = 1 */
    memcpy(u, x->one, bytes);
    memset(v, 0, bytes);
    for (size_t i = 64 * n; i-- > 0;) {
        limbic_mont_mul(s, u, v, x);
        limbic_mont_sqr(u, u, x);
        limbic_mont_sqr(v, v, x);
        limbic_mont_mul(v, v, d, x);
        limbic_mont_add(u, u, v, x);
        limbic_mont_add(v, s, s, x);
        if (e[i / 64] >> (i % 64) & 1) {
            limbic_mont_mul(s, v, d, x);
            limbic_mont_mul(v, v, t, x);
            limbic_mont_add(v, v, u, x);
            limbic_mont_mul(u, u, t, x);
            limbic_mont_add(u, u, s, x);
        }
    }
    memcpy(r, u, bytes);
    return 1;
}

int limbic_mont_sqrt_vartime(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    const size_t bytes = 8 * x->limbs;
    uint64_t s[MAX], e[MAX];
    int found = 1;
    if (limbic_mont_is_zero(a, x)) {
        memset(s, 0, bytes);
    } else if (x->m[0] % 4 == 3) {
        exponent(e, x, 2, 1);
        pow_vartime(s, a, e, x);
    } else {
        exponent(e, x, 1, 0);
        pow_vartime(s, a, e, x);
        found = limbic_mont_eq(s, x->one, x) && cipolla(s, a, x);
    }
    if (found) {
        limbic_mont_sqr(e, s, x);
        found = limbic_mont_eq(e, a, x);
    }
    if (found)
        memcpy(r, s, bytes);
    else
        memset(r, 0, bytes);
    return found;
}

limbic_status limbic_mont_from_bytes(uint64_t *r, const uint8_t *in, size_t in_len, const limbic_mont *x) {
    if (!r || !x || (!in && in_len))
        return LIMBIC_ERR_NULL;
    const size_t n = x->limbs;
    uint64_t t[MAX], above = 0;
    for (size_t i = 0; i + 8 * n < in_len; i++)
        above |= in[i];
    limbic_words_from_be(t, n, in, in_len);
    uint64_t ok = limbic_mask_zero(above) & limbic_words_less(t, x->m, n);
    LIMBIC_DECLASSIFY(&ok, sizeof(ok));
    if (ok)
        memcpy(r, t, 8 * n);
    limbic_wipe(t, 8 * n);
    return ok ? LIMBIC_OK : LIMBIC_ERR_VALUE;
}

limbic_status limbic_mont_to_bytes(uint8_t *out, size_t out_len, const uint64_t *a, const limbic_mont *x) {
    if ((!out && out_len) || !a || !x)
        return LIMBIC_ERR_NULL;
    uint64_t above = 0;
    for (size_t i = out_len; i < 8 * x->limbs; i++)
        above |= a[i / 8] >> (8 * (i % 8)) & 0xff;
    int fits = (int)(limbic_mask_zero(above) & 1);
    LIMBIC_DECLASSIFY(&fits, sizeof(fits));
    if (!fits)
        return LIMBIC_ERR_BUFFER;
    limbic_words_to_be(out, out_len, a, x->limbs);
    return LIMBIC_OK;
}
