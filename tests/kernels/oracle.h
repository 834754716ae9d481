/*
 * What an operation of ops.def must give, recomputed with GMP (hashes: with libcrypto), and the comparison.
 * Shared by the kernel tests and the fuzzers. Not thread-safe.
 *
 * An operand is words, whatever it is; its kind is a letter of the signature's shape:
 *     g matrix and zeta of divsteps
 *     e element   l eight elements of class lanes   k scalar   a affine point   p Jacobian point   q four elements   t table of prepare_vartime   x modulus
 * context v exponent   o exponent that is public   s state of hash32   b its blocks   w state of hash64   c its blocks   y blocks of
 * hash_stream   K n scalars   A n affine points, infinity (0, 0)   T n pointers to tables   E V X elements, exponents, modulus contexts of u->moduli moduli, N their number itself   d a 32-bit number itself   n a
 * number itself: the last of a shape counts the blocks, the streams or the bits of the exponent   S states of hash32_many   P pointers to its blocks   W states of
 * hash64_many   Q pointers to its blocks   m the memory that they point into: no argument, but what comes after them
 * The first letter is the output; a state is input too. Pointers stand as any words: stream_at makes offsets of them.
 */
#ifndef LIMBIC_TESTS_ORACLE_H
#define LIMBIC_TESTS_ORACLE_H

#include <gmp.h>
#include "dispatch/dispatch.h"
#include "limbic/field.h"

#define MAX_ARGS 6

/* A modulus and, for a curve, its curve. A residue of a is a * one mod m. */
struct unit {
    unsigned id;
    size_t limbs, table_words, lanes_limbs;
    const uint64_t *lanes_tight; /* limb bounds of class lanes */
    mpz_t m, one, one_inv;
    mpz_t n, b, gx, gy;   /* order; plain values of y^2 = x^3 - 3x + b and of G */
    mpz_t lanes_one_inv;  /* 1 / F of class lanes */
    struct limbic_mont x; /* id mont only: context made by GMP, arrays in storage */
    uint64_t *storage;
    /* id mont: of operations on several moduli, of the same limbs: this one and those that follow; 0: none but this */
    size_t moduli;
    const struct unit *more;
};

struct point {
    mpz_t x, y; /* plain */
    int infinite;
};

struct op_info {
    const char *shape;
    void (*oracle)(const struct unit *u, uint64_t *want, const uint64_t *const *in);
    int aliasing; /* any operands of the output's kind may be the output */
    int vartime;
};

extern const struct op_info op_infos[LIMBIC_OPS];

void oracle_init(void);
/* The unit of an id other than mont; made once. */
const struct unit *unit_get(unsigned id);
/* A run-time modulus; 2^(64 (limbs - 1)) need not be below it. Freed by unit_mont_clear. */
void unit_mont(struct unit *u, const mpz_t m, size_t limbs);
void unit_mont_clear(struct unit *u);
/* Modulus i of a unit. */
const struct unit *unit_of(const struct unit *u, size_t i);
#define MAX_MODULI 12
/* Whether the kind is one of exponents. */
int is_exponent(char kind);

/* Operands of class lanes: the highest that limb j of the operand at that place of the shape may be. */
uint64_t lanes_bound(const struct unit *u, unsigned op, int place, size_t j);
/* r = the value of one lane, and an element's limbs to a lane. */
void lane_get(const struct unit *u, mpz_t r, const uint64_t *a, size_t lane);
void lane_put(const struct unit *u, uint64_t *r, const mpz_t a, size_t lane);

/* The last operand of kind n, or 0. */
uint64_t operand_count(const char *shape, const uint64_t *const *in);
/* Bytes of an operand. count: of blocks or bits. */
size_t operand_bytes(const struct unit *u, char kind, uint64_t count);
/* Where the blocks of stream i are in the memory of pointers, in[4]; 0 is its end without the blocks. Their number, in[2], is at most
 * MAX_STREAM_BLOCKS. */
#define STREAM_MEMORY     2048
#define MAX_STREAM_BLOCKS 5
size_t stream_at(const char *shape, const uint64_t *const *in, size_t i);
/* Whether the output is an input too. */
int is_state(const char *shape);
/* The longest result of operand_bytes for any unit (blocks up to MAX_BLOCKS, points up to MAX_MANY). */
#define MAX_BLOCKS 40
/* The most operations that the tests ask of a ..._many at once: more than any row makes of one piece. */
#define MAX_MANY 70
size_t operand_max(void);

/* Whether the output got (and the value returned) is what the oracle wants. */
int same_result(const struct unit *u, char kind, uint64_t count, const uint64_t *want, const uint64_t *got,
                uint64_t ret);

void words_get(mpz_t z, const uint64_t *a, size_t n);
void words_put(uint64_t *r, const mpz_t z, size_t n);

/* Points: plain values. r may be a or b. */
void point_init(struct point *p);
void point_clear(struct point *p);
void point_add(const struct unit *u, struct point *r, const struct point *a, const struct point *b);
void point_mul(const struct unit *u, struct point *r, const mpz_t k, const struct point *a);
void point_base(const struct unit *u, struct point *r);
/* The point of abscissa x whose y is odd or even; 0 if there is none. */
int point_lift(const struct unit *u, struct point *r, const mpz_t x, int odd);
void point_get_affine(const struct unit *u, struct point *r, const uint64_t *a);
void point_put_affine(const struct unit *u, uint64_t *r, const struct point *p);
/* Jacobian with the residue z; infinity: x and y of p as they are, Z = 0. */
void point_put_jacobian(const struct unit *u, uint64_t *r, const struct point *p, const mpz_t z);

#endif
