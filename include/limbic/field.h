/** @file
 * Arithmetic modulo the primes of P-256, P-384, P-521 and SM2, modulo the orders of their curves, and modulo any odd
 * number: plain functions on arrays of 64-bit words, least significant word first.
 *
 * The fixed fields, by name: p256 p384 p521 sm2 (primes) and p256n p384n p521n sm2n (orders). W words, L bytes:
 *     p256, sm2, p256n, sm2n: W = 4, L = 32;   p384, p384n: W = 6, L = 48;   p521, p521n: W = 9, L = 66.
 * m is the modulus and R = 2^(64 W).
 *
 * Two representations, both canonical, that is, below m:
 *     plain:   the number a itself;
 *     residue: a R mod m (Montgomery), but for p521, where a residue is the number itself (m = 2^521 - 1 folds).
 * Add, sub, neg, select, eq and is_zero work on either; mul, sqr, inv and sqrt on residues. An operand that is m or
 * above gives an unspecified result (never an access out of bounds).
 *
 * Lengths: W words of every number r, a, b (x->limbs where a context x is the last argument); L bytes of in and out.
 *
 * Errors: no function can fail but those that say so; none allocates. Pointers may not be NULL; of functions that
 * return a limbic_status, LIMBIC_ERR_NULL.
 *
 * Overlap: any operands may be the same array; partly overlapping arrays may not.
 *
 * Timing: constant in the values of all operands, except for functions whose names end in _vartime, and except for what
 * the answers of from_bytes and sqrt tell.
 *
 *     void limbic_F_add(r, a, b)        r = a + b
 *     void limbic_F_sub(r, a, b)        r = a - b
 *     void limbic_F_neg(r, a)           r = -a
 *     void limbic_F_mul(r, a, b)        r = a b      (as residues: the word values are multiplied and divided by R)
 *     void limbic_F_sqr(r, a)           r = a^2
 *     void limbic_F_inv(r, a)           r = 1/a, and 0 for a = 0 (divsteps: Bernstein-Yang, eprint 2019/266)
 *     void limbic_F_inv_vartime(r, a)   the same, for public a
 *     int  limbic_F_sqrt(r, a)          r = one of the two square roots of a and 1; or 0 with r = 0 if a has none
 *     void limbic_F_to_residue(r, a)    plain to residue
 *     void limbic_F_from_residue(r, a)  residue to plain
 *     limbic_status limbic_F_from_bytes(r, in)  L big-endian bytes to plain; LIMBIC_ERR_VALUE, r untouched, if m or above
 *     void limbic_F_to_bytes(out, a)    plain to L big-endian bytes
 *     void limbic_F_select(r, bit, a, b)  r = b if bit is 1, a if it is 0
 *     int  limbic_F_eq(a, b)            1 if equal, else 0
 *     int  limbic_F_is_zero(a)          1 if zero, else 0
 *     const uint64_t *limbic_F_modulus(void)   the W words of m
 */
#ifndef LIMBIC_FIELD_H
#define LIMBIC_FIELD_H

#include "limbic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIMBIC_DECLARE_FIELD(F, W, L)                                                                        \
    LIMBIC_API void limbic_##F##_add(uint64_t r[W], const uint64_t a[W], const uint64_t b[W]);               \
    LIMBIC_API void limbic_##F##_sub(uint64_t r[W], const uint64_t a[W], const uint64_t b[W]);               \
    LIMBIC_API void limbic_##F##_neg(uint64_t r[W], const uint64_t a[W]);                                    \
    LIMBIC_API void limbic_##F##_mul(uint64_t r[W], const uint64_t a[W], const uint64_t b[W]);               \
    LIMBIC_API void limbic_##F##_sqr(uint64_t r[W], const uint64_t a[W]);                                    \
    LIMBIC_API void limbic_##F##_inv(uint64_t r[W], const uint64_t a[W]);                                    \
    LIMBIC_API void limbic_##F##_inv_vartime(uint64_t r[W], const uint64_t a[W]);                            \
    LIMBIC_API int limbic_##F##_sqrt(uint64_t r[W], const uint64_t a[W]);                                    \
    LIMBIC_API void limbic_##F##_to_residue(uint64_t r[W], const uint64_t a[W]);                             \
    LIMBIC_API void limbic_##F##_from_residue(uint64_t r[W], const uint64_t a[W]);                           \
    LIMBIC_CHECK limbic_status limbic_##F##_from_bytes(uint64_t r[W], const uint8_t in[L]);                  \
    LIMBIC_API void limbic_##F##_to_bytes(uint8_t out[L], const uint64_t a[W]);                              \
    LIMBIC_API void limbic_##F##_select(uint64_t r[W], uint64_t bit, const uint64_t a[W],                    \
                                        const uint64_t b[W]);                                                \
    LIMBIC_API int limbic_##F##_eq(const uint64_t a[W], const uint64_t b[W]);                                \
    LIMBIC_API int limbic_##F##_is_zero(const uint64_t a[W]);                                                \
    LIMBIC_API const uint64_t *limbic_##F##_modulus(void);

LIMBIC_DECLARE_FIELD(p256, 4, 32)
LIMBIC_DECLARE_FIELD(p384, 6, 48)
LIMBIC_DECLARE_FIELD(p521, 9, 66)
LIMBIC_DECLARE_FIELD(sm2, 4, 32)
LIMBIC_DECLARE_FIELD(p256n, 4, 32)
LIMBIC_DECLARE_FIELD(p384n, 6, 48)
LIMBIC_DECLARE_FIELD(p521n, 9, 66)
LIMBIC_DECLARE_FIELD(sm2n, 4, 32)

/**
 * Any odd modulus m >= 3 of up to 16384 bits. A residue is a R mod m, R = 2^(64 limbs); all operands are arrays of
 * x->limbs words below m. The functions are those above with the context x as last argument, constant time in the
 * values of operands and modulus for a given number of limbs unless the name ends in _vartime. x may serve any number
 * of threads.
 */
#define LIMBIC_MONT_MAX_LIMBS 256

/** A modulus made ready by limbic_mont_init; read only. */
typedef struct limbic_mont {
    size_t limbs;
    uint64_t n0;         /**< -1/m mod 2^64 */
    const uint64_t *m;   /**< the modulus */
    const uint64_t *one; /**< R mod m */
    const uint64_t *rr;  /**< R^2 mod m */
} limbic_mont;

/** The words of storage that a context takes; it must live as long as the context. */
#define LIMBIC_MONT_STORAGE(limbs) (3 * (size_t)(limbs))

/** Fills x for the modulus in m (limbs words, copied into storage; its top words may be zero). LIMBIC_ERR_MODULUS if it
 * is even or below 3, LIMBIC_ERR_LENGTH if limbs is 0 or above LIMBIC_MONT_MAX_LIMBS. Constant time in m. */
LIMBIC_CHECK limbic_status limbic_mont_init(limbic_mont *x, uint64_t *storage, const uint64_t *m,
                                            size_t limbs);

/** r = a + b mod m, residues or plain. */
LIMBIC_API void limbic_mont_add(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x);
/** r = a - b mod m, residues or plain. */
LIMBIC_API void limbic_mont_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x);
/** r = -a mod m, residues or plain. */
LIMBIC_API void limbic_mont_neg(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** r = a b of residues: a b / R mod m. */
LIMBIC_API void limbic_mont_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x);
/** r = a^2 of a residue: a a / R mod m. */
LIMBIC_API void limbic_mont_sqr(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** Of residues: 1 and r = 1/a; or 0 and r = 0 if gcd(a, m) is not 1. Constant time but for this answer. */
LIMBIC_API int limbic_mont_inv(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** As limbic_mont_inv, for public a and m. Variable time. */
LIMBIC_API int limbic_mont_inv_vartime(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** Of residues: 1 and r = a square root of a; or 0 and r = 0 if there is none. m must be prime (else the answer is
 * unspecified, but it ends). Variable time. */
LIMBIC_API int limbic_mont_sqrt_vartime(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** r = a R mod m of a plain number a below m. */
LIMBIC_API void limbic_mont_to_residue(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** r = a / R mod m, plain, of a residue a. */
LIMBIC_API void limbic_mont_from_residue(uint64_t *r, const uint64_t *a, const limbic_mont *x);
/** r = a^e of a residue a, e of e_bits bits (its top ones may be zero, what is above them is not looked at; a^0 = 1).
 * Constant time but for e_bits and the number of limbs. Takes the stack of 48 residues, or of 20 where they have more
 * than 64 limbs, and 32 KiB. */
LIMBIC_API void limbic_mont_pow(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                                const limbic_mont *x);
/** r = the residue of a plain number a of a_limbs words (1 or more), of any value. Constant time but for a_limbs. */
LIMBIC_API void limbic_mont_reduce(uint64_t *r, const uint64_t *a, size_t a_limbs, const limbic_mont *x);
/** r = a plain number of big-endian bytes, in_len of them at in (leading zeros allowed): LIMBIC_ERR_VALUE if it is m or
 * above, which is all that the time tells. */
LIMBIC_CHECK limbic_status limbic_mont_from_bytes(uint64_t *r, const uint8_t *in, size_t in_len,
                                                  const limbic_mont *x);
/** The plain number a as out_len big-endian bytes. LIMBIC_ERR_BUFFER if it does not fit (this much of the value is
 * told). */
LIMBIC_CHECK limbic_status limbic_mont_to_bytes(uint8_t *out, size_t out_len, const uint64_t *a,
                                                const limbic_mont *x);
/** r = b if bit is 1, a if it is 0. Constant time in bit too. */
LIMBIC_API void limbic_mont_select(uint64_t *r, uint64_t bit, const uint64_t *a, const uint64_t *b,
                                   const limbic_mont *x);
/** 1 if a and b are equal, else 0. */
LIMBIC_API int limbic_mont_eq(const uint64_t *a, const uint64_t *b, const limbic_mont *x);
/** 1 if a is zero, else 0. */
LIMBIC_API int limbic_mont_is_zero(const uint64_t *a, const limbic_mont *x);

#ifdef __cplusplus
}
#endif

#endif
