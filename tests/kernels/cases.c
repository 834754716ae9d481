#define _GNU_SOURCE /* clock_gettime */
#include "cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/limb.h"

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t cases_random(uint64_t *rng) { /* splitmix64 */
    uint64_t z = *rng += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t below(struct cases *c, size_t n) {
    return (size_t)(cases_random(&c->rng) % n);
}

/* ---- numbers ---- */

/* A word that carries like to break at. */
static uint64_t special_word(struct cases *c) {
    static const uint64_t words[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1, INT64_MAX};
    size_t i = below(c, 9);
    uint64_t r = cases_random(&c->rng);
    return i < 6 ? words[i] : i == 6 ? words[2] + (r & INT32_MAX) : i == 7 ? UINT64_MAX << (r % 64) : r;
}

/* A number of up to n words, by one of several characters. */
static void random_bits(struct cases *c, mpz_t z, size_t n) {
    uint64_t w[LIMBIC_MONT_MAX_LIMBS];
    const size_t kind = below(c, 6);
    uint64_t run = 0;
    memset(w, 0, 8 * n);
    for (size_t i = 0; i < n; i++)
        w[i] = kind < 2 ? cases_random(&c->rng) : kind < 4 ? special_word(c) : 0;
    for (size_t i = 0; kind == 4 && i < 64 * n; i++) { /* runs */
        run ^= below(c, 24) == 0;
        w[i / 64] |= run << (i % 64);
    }
    for (size_t i = 0; kind == 5 && i < 1 + below(c, 4); i++) { /* a few bits */
        size_t bit = below(c, 64 * n);
        w[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    words_get(z, w, n);
}

static void random_value(struct cases *c, const struct unit *u, mpz_t z) {
    const size_t kind = below(c, 8);
    random_bits(c, z, kind ? u->limbs : 1);
    if (kind < 2) { /* near a corner: a small number, its negative, or close to a power of two */
        mpz_fdiv_r_2exp(z, z, 1 + below(c, 64));
        if (below(c, 2))
            mpz_sub(z, u->m, z);
        if (below(c, 3) == 0)
            mpz_combit(z, below(c, mpz_sizeinbase(u->m, 2)));
    }
    mpz_mod(z, z, u->m);
}

struct list {
    mpz_t *z;
    size_t count, room;
};

/* Adds v mod m unless it is there. */
static void list_add(struct list *l, const mpz_t v, const mpz_t m) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->z = realloc(l->z, l->room * sizeof *l->z);
        if (!l->z)
            abort();
    }
    mpz_init(l->z[l->count]);
    mpz_mod(l->z[l->count], v, m);
    for (size_t i = 0; i < l->count; i++)
        if (mpz_cmp(l->z[i], l->z[l->count]) == 0) {
            mpz_clear(l->z[l->count]);
            return;
        }
    l->count++;
}

static void list_clear(struct list *l) {
    for (size_t i = 0; i < l->count; i++)
        mpz_clear(l->z[i]);
    free(l->z);
    memset(l, 0, sizeof *l);
}

/* The corners of a modulus, the sharpest first, as numbers below a bound: m or R. */
static void corners(struct list *l, const struct unit *u, const mpz_t bound) {
    const size_t n = u->limbs, bits = mpz_sizeinbase(u->m, 2);
    mpz_t t;
    mpz_init(t);
#define ADD(statement) ((statement), list_add(l, t, bound))
    for (long i = 0; i <= 2; i++) {
        ADD(mpz_set_si(t, i));
        ADD(mpz_set_si(t, -i));
    }
    ADD(mpz_set(t, u->m));
    ADD(mpz_add_ui(t, u->m, 1));
    ADD(mpz_neg(t, u->m));
    ADD(mpz_sub_ui(t, u->m, 1));
    ADD(mpz_set(t, u->one));
    ADD(mpz_neg(t, u->one));
    ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * n), mpz_sub_ui(t, t, 1))); /* R - 1 */
    ADD(mpz_fdiv_q_2exp(t, u->m, 1));
    ADD((mpz_fdiv_q_2exp(t, u->m, 1), mpz_add_ui(t, t, 1)));
    ADD((mpz_set_ui(t, 0), mpz_setbit(t, bits - 1)));
    ADD((mpz_set_ui(t, 0), mpz_setbit(t, bits - 1), mpz_sub_ui(t, t, 1)));
    ADD(mpz_mul(t, u->one, u->one));
    ADD(mpz_sub(t, u->m, u->one));
    ADD(mpz_set_si(t, 3));
    ADD(mpz_set_si(t, -3));
    for (size_t i = 0; i < n && i < 16; i++) {
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * i)));
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * i), mpz_sub_ui(t, t, 1)));
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * i), mpz_add_ui(t, t, 1)));
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * i + 63)));
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, 64 * i), mpz_neg(t, t)));
        /* all ones but for one word */
        ADD((mpz_set_ui(t, 1), mpz_mul_2exp(t, t, bits), mpz_sub_ui(t, t, 1), mpz_fdiv_r_2exp(t, t, 64 * n),
             mpz_clrbit(t, 64 * i)));
    }
#undef ADD
    mpz_clear(t);
}

/* The inverse of an odd word, and the square root of a word that is 1 mod 8, mod 2^64. */
static uint64_t word_inverse(uint64_t a) {
    uint64_t x = a;
    for (int i = 0; i < 6; i++)
        x *= 2 - a * x;
    return x;
}

static uint64_t word_root(uint64_t a) {
    uint64_t x = 1;
    for (int i = 3; i < 64; i++) /* x^2 = a mod 2^i */
        if ((x * x ^ a) >> i & 1)
            x += UINT64_C(1) << (i - 1);
    return x;
}

/*
 * Operands whose product has one of its two lowest words in [2^63, 2^63 + 2^31): there a subtraction of m's
 * words leaves a signed overflow, which a later chain must not take in. The square of a has it as well as a
 * b, unless position is 1 and there is but one word.
 */
static void windowed(struct cases *c, const struct unit *u, uint64_t *a, uint64_t *b, int square) {
    const size_t n = u->limbs;
    const uint64_t w = (UINT64_C(1) << 63) + (cases_random(&c->rng) & INT32_MAX);
    mpz_t z;
    uint64_t high;
    mpz_init(z);
    random_value(c, u, z);
    words_put(a, z, n);
    random_value(c, u, z);
    words_put(b, z, n);
    const int second = n > 1 && below(c, 2);
    a[0] |= 1;
    if (square) {
        a[0] = second ? a[0] : word_root((w & ~UINT64_C(7)) | 1);
        (void)limbic_mul_wide(&high, a[0], a[0]);
        if (second) /* 2 a0 a1 + high = w or w + 1 */
            a[1] = (w + ((w ^ high) & 1) - high) / 2 * word_inverse(a[0]);
    } else {
        b[0] = second ? b[0] : w * word_inverse(a[0]);
        (void)limbic_mul_wide(&high, a[0], b[0]);
        if (second)
            b[1] = (w - high - a[1] * b[0]) * word_inverse(a[0]);
    }
    for (uint64_t *p = a;; p = b) { /* the top word makes them canonical where it is not one of the two */
        words_get(z, p, n);
        if (mpz_cmp(z, u->m) >= 0) {
            mpz_fdiv_r_2exp(z, z, n > 2 ? 64 * (n - 1) : 64 * n);
            mpz_mod(z, z, u->m);
            words_put(p, z, n);
        }
        if (p == b)
            break;
    }
    mpz_clear(z);
}

/* ---- fields and run-time moduli ---- */

static int emit_values(struct cases *c, const struct unit *u, const mpz_t a, const mpz_t b, int thorough) {
    uint64_t x[LIMBIC_MONT_MAX_LIMBS], y[LIMBIC_MONT_MAX_LIMBS];
    const uint64_t *in[MAX_ARGS] = {NULL, x, y, NULL};
    words_put(x, a, u->limbs);
    words_put(y, b, u->limbs);
    return c->emit(c, u, in, thorough);
}

/* a + k m for a random k, often the largest, with which it is below R */
static void lift(struct cases *c, const struct unit *u, mpz_t r, const mpz_t a) {
    mpz_t k, random;
    mpz_inits(k, random, NULL);
    mpz_setbit(k, 64 * u->limbs);
    mpz_sub_ui(k, k, 1);
    mpz_sub(k, k, a);
    mpz_fdiv_q(k, k, u->m);
    if (below(c, 2)) {
        mpz_add_ui(k, k, 1);
        random_bits(c, random, u->limbs);
        mpz_mod(k, random, k);
    }
    mpz_set(r, a);
    mpz_addmul(r, k, u->m);
    mpz_clears(k, random, NULL);
}

/* Random operands, operands with a chosen result, and windowed(). wide: the first operand may be m or above. */
static int element_random(struct cases *c, const struct unit *u, int binary, int wide) {
    mpz_t a, b, r;
    int more = 1;
    mpz_inits(a, b, r, NULL);
    random_value(c, u, a);
    random_value(c, u, b);
    more = emit_values(c, u, a, b, 0) && emit_values(c, u, a, a, 0);

    random_value(c, u, r);
    if (below(c, 2)) { /* near either side of the last subtraction */
        mpz_set_si(r, (long)below(c, 64) - 32);
        mpz_mod(r, r, u->m);
    }
    if (binary) {
        mpz_sub(b, r, a); /* add */
        mpz_mod(b, b, u->m);
        more = more && emit_values(c, u, a, b, 0);
        mpz_sub(b, a, r); /* sub */
        mpz_mod(b, b, u->m);
        more = more && emit_values(c, u, a, b, 0);
        if (mpz_invert(b, a, u->m)) { /* mul */
            mpz_mul(b, b, r);
            mpz_mod(b, b, u->m);
            mpz_mul(b, b, u->one);
            mpz_mod(b, b, u->m);
            more = more && emit_values(c, u, a, b, 0);
        }
        if (wide) {
            lift(c, u, a, a);
            more = more && emit_values(c, u, a, b, 0);
        }
    } else {
        mpz_neg(b, r); /* neg */
        mpz_mod(b, b, u->m);
        more = more && emit_values(c, u, b, b, 0);
        if (u->limbs <= LIMBIC_MAX_LIMBS && mpz_invert(b, r, u->m)) { /* inv */
            mpz_mul(b, b, u->one);
            mpz_mod(b, b, u->m);
            mpz_mul(b, b, u->one);
            mpz_mod(b, b, u->m);
            more = more && emit_values(c, u, b, b, 0);
        }
        if (mpz_fdiv_ui(u->m, 4) == 3 && u->limbs <= LIMBIC_MAX_LIMBS && below(c, 8) == 0) { /* sqr */
            mpz_mul(a, r, u->one);
            mpz_mod(a, a, u->m);
            mpz_add_ui(b, u->m, 1);
            mpz_fdiv_q_2exp(b, b, 2);
            mpz_powm(a, a, b, u->m); /* a root of r, or of -r, if m is prime */
            more = more && emit_values(c, u, a, a, 0);
        }
    }
    if (more) {
        uint64_t x[LIMBIC_MONT_MAX_LIMBS], y[LIMBIC_MONT_MAX_LIMBS];
        const uint64_t *in[MAX_ARGS] = {NULL, x, y, NULL};
        windowed(c, u, x, y, !binary);
        more = c->emit(c, u, in, 0);
    }
    mpz_clears(a, b, r, NULL);
    return more;
}

/* All pairs of the first `most` corners, in every form those of the first `sharp`. wide: the first operand may be m or
 * above. */
static int element_corners(struct cases *c, const struct unit *u, int binary, int wide, size_t most,
                           size_t sharp) {
    struct list l = {NULL, 0, 0}, first = {NULL, 0, 0};
    mpz_t R;
    int more = 1;
    mpz_init(R);
    mpz_setbit(R, 64 * u->limbs);
    corners(&l, u, u->m);
    corners(&first, u, wide ? R : u->m);
    for (size_t i = 0; more && i < most && i < first.count; i++)
        for (size_t j = 0; more && j < (binary ? most : 1) && j < l.count; j++)
            more = emit_values(c, u, first.z[i], l.z[j], i < sharp && j < sharp);
    list_clear(&l);
    list_clear(&first);
    mpz_clear(R);
    return more;
}

enum { MODULUS_SHAPES = 14, SQUARE_SHAPE = 13 };

/* An odd number of up to n words; shape below MODULUS_SHAPES. */
static void modulus(struct cases *c, mpz_t m, size_t n, size_t shape) {
    const size_t bits = 64 * n;
    mpz_t t;
    mpz_init(t);
    random_bits(c, m, n);
    switch (shape) {
    case 0: /* top bit set */
        mpz_setbit(m, bits - 1);
        break;
    case 1: /* all ones */
    case 2: /* 2^k - 1 */
    case 3: /* R minus a little */
        mpz_set_ui(m, 0);
        mpz_setbit(m, shape == 2 ? bits - 1 - below(c, 62) : bits);
        mpz_sub_ui(m, m, shape == 3 ? 1 + 2 * below(c, 100) : 1);
        break;
    case 4: /* R/2 plus a little */
        mpz_set_ui(m, 1 + 2 * below(c, 100));
        mpz_setbit(m, bits - 1);
        break;
    case 5: /* 1 mod 2^128, or what there is of it */
    case 6: /* low word 1: n0 all ones */
    case 7: /* low word all ones: n0 = 1 */
        mpz_setbit(m, bits - 1);
        mpz_fdiv_q_2exp(m, m, shape == 5 && n > 2 ? 128 : 64);
        mpz_mul_2exp(m, m, shape == 5 && n > 2 ? 128 : 64);
        mpz_add_ui(m, m, shape == 7 ? UINT64_MAX : 1);
        break;
    case 8: /* top word 1 */
        mpz_fdiv_r_2exp(m, m, bits - 64);
        mpz_setbit(m, bits - 64);
        break;
    case 9:  /* top word zero */
    case 10: /* half of the words zero */
        mpz_fdiv_r_2exp(m, m, shape == 9 ? bits - 64 : bits / 2);
        break;
    case 11: /* tiny */
        mpz_set_ui(m, 3 + below(c, 5));
        break;
    case 12: /* runs of words of ones and zeros */
        for (size_t i = 0; i < bits; i++)
            (i / 64 / (1 + n / 4)) % 2 ? mpz_clrbit(m, i) : mpz_setbit(m, i);
        break;
    case SQUARE_SHAPE:
        mpz_fdiv_r_2exp(m, m, bits / 2);
        mpz_setbit(m, 0);
        mpz_mul(m, m, m);
        break;
    default:
        break;
    }
    mpz_setbit(m, 0);
    if (mpz_cmp_ui(m, 3) < 0)
        mpz_set_ui(m, 3);
    mpz_clear(t);
}

static const uint16_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,  15, 16,
                                   17, 18, 19, 20, 24, 25, 32, 33, 41, 48, 57, 64, 96, 128, 256};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void generate_mont(struct cases *c, int binary, int wide) {
    int more = 1;
    mpz_t m;
    mpz_init(m);
    for (size_t i = 0; more && i < LENGTHS; i++)
        for (size_t shape = 0; more && shape < MODULUS_SHAPES; shape++) {
            struct unit u;
            const size_t n = lengths[i];
            modulus(c, m, n, shape);
            unit_mont(&u, m, n);
            more = element_corners(c, &u, binary, wide,
                                   n <= 8    ? 28
                                   : n <= 20 ? 14
                                   : n <= 64 ? 8
                                             : 5,
                                   n <= 20 ? 6 : 2);
            unit_mont_clear(&u);
        }
    while (more && now() < c->deadline) {
        struct unit u;
        const size_t n = lengths[below(c, below(c, 4) ? 20 : LENGTHS)];
        modulus(c, m, n, below(c, 2 * MODULUS_SHAPES)); /* half of them without a shape */
        unit_mont(&u, m, n);
        for (int i = 0; more && i < 4; i++)
            more = element_random(c, &u, binary, wide);
        unit_mont_clear(&u);
    }
    mpz_clear(m);
}

enum { EXPONENTS = 7, BASES = 8 };

/* An exponent of some bits; what is above them is not zero. */
static void exponent(struct cases *c, uint64_t *e, size_t bits, size_t kind) {
    const size_t words = (bits + 63) / 64;
    mpz_t z;
    mpz_init(z);
    switch (kind) {
    case 0:
    case 1: /* all ones, the highest bit alone */
        mpz_setbit(z, bits);
        mpz_fdiv_q_2exp(z, z, kind);
        mpz_sub_ui(z, z, 1 - kind);
        break;
    case 2:
    case 3:
    case 4: /* 0, 1, and some that does not reach the top word */
        mpz_set_ui(z, kind == 4 ? 1 + below(c, 1000) : kind - 2);
        break;
    default:
        random_bits(c, z, words ? words : 1);
        break;
    }
    mpz_fdiv_r_2exp(z, z, bits);
    if (words)
        words_put(e, z, words);
    if (bits % 64)
        e[words - 1] |= (kind % 2 ? cases_random(&c->rng) : UINT64_MAX) << (bits % 64);
    mpz_clear(z);
}

static void power_base(struct cases *c, const struct unit *u, uint64_t *a, size_t base) {
    mpz_t z;
    mpz_init(z);
    switch (base) {
    case 0:
    case 1: /* residues of 0 and 1 */
        mpz_set_ui(z, 0);
        if (base)
            mpz_set(z, u->one);
        break;
    case 2: /* of -1 */
        mpz_sub(z, u->m, u->one);
        break;
    case 3:
    case 4: /* words 1 and m - 1 */
        mpz_set_ui(z, 1);
        if (base == 4)
            mpz_sub(z, u->m, z);
        break;
    case 5: /* whose square is 0, where m is a square: m itself must not come out */
        mpz_sqrt(z, u->m);
        mpz_mul_ui(z, z, 1 + below(c, 1000));
        break;
    default:
        random_value(c, u, z);
        break;
    }
    mpz_mod(z, z, u->m);
    words_put(a, z, u->limbs);
    mpz_clear(z);
}

static int emit_power(struct cases *c, const struct unit *u, size_t bits, size_t exponent_kind, size_t base,
                      int thorough) {
    static uint64_t a[MAX_MODULI * LIMBIC_MONT_MAX_LIMBS], e[MAX_MODULI * (LIMBIC_MONT_MAX_LIMBS + 1)];
    uint64_t number = bits;
    const uint64_t *in[MAX_ARGS] = {NULL, a, e, &number, NULL};
    for (size_t i = 0; !i || i < u->moduli; i++) { /* those that follow differ in everything but lengths */
        power_base(c, unit_of(u, i), a + i * u->limbs, i ? below(c, BASES) : base);
        exponent(c, e + i * ((bits + 63) / 64), bits, i ? below(c, EXPONENTS) : exponent_kind);
    }
    return c->emit(c, u, in, thorough);
}

/* A modulus of n words, and if several are asked for, more of them, sometimes the same. */
static void power_units(struct cases *c, struct unit *u, struct unit *more, int several, size_t n,
                        size_t shape) {
    mpz_t m;
    mpz_init(m);
    modulus(c, m, n, shape);
    unit_mont(u, m, n);
    if (several) {
        u->moduli = 1 + below(c, MAX_MODULI);
        u->more = more;
        for (size_t i = 1; i < u->moduli; i++) {
            if (below(c, 8))
                modulus(c, m, n, below(c, 2 * MODULUS_SHAPES));
            unit_mont(&more[i - 1], m, n);
        }
    }
    mpz_clear(m);
}

static void power_units_clear(struct unit *u, struct unit *more) {
    for (size_t i = 1; i < u->moduli; i++)
        unit_mont_clear(&more[i - 1]);
    unit_mont_clear(u);
}

/* Lengths of exponents at the ends of windows and of words. For long moduli fewer, and each with one exponent only. */
static void generate_pow(struct cases *c, int several) {
    static const uint16_t bits[] = {0, 1, 2, 3, 4, 5, 6, 7, 20, 63, 64, 65, 66, 127, 128, 129, 320, 1024};
    enum { BITS = sizeof bits / sizeof bits[0] };
    struct unit u, more_units[MAX_MODULI];
    int more = 1;
    for (size_t i = 0; more && i < LENGTHS; i++)
        for (size_t modulus_shape = 0; more && modulus_shape < MODULUS_SHAPES; modulus_shape++) {
            const size_t n = lengths[i];
            if (n > 32 && modulus_shape % 4 != 1) /* 1, 5, 9 and squares */
                continue;
            power_units(c, &u, more_units, several, n, modulus_shape);
            for (size_t j = 0; more && j < BITS; j++) {
                const size_t pairs = n <= 4 && bits[j] < 200 ? EXPONENTS * BASES : 1;
                if (n * n * bits[j] > 16 * 16 * 1024)
                    break;
                for (size_t k = 0; more && k < pairs; k++) {
                    const size_t pair = pairs > 1 ? k : below(c, EXPONENTS * BASES);
                    more = emit_power(c, &u, bits[j], pair / BASES, pair % BASES,
                                      (n == 2 || n == 16) && modulus_shape < 2);
                }
            }
            power_units_clear(&u, more_units);
        }
    while (more && now() < c->deadline) {
        const size_t n = lengths[below(c, 24)];
        power_units(c, &u, more_units, several, n, below(c, 2 * MODULUS_SHAPES));
        for (int i = 0; more && i < 4; i++)
            more = emit_power(c, &u, below(c, 64 * n + 65), below(c, EXPONENTS), below(c, BASES), 0);
        power_units_clear(&u, more_units);
    }
}

static void generate_field(struct cases *c, const struct unit *u, int binary) {
    int more = element_corners(c, u, binary, 0, SIZE_MAX, SIZE_MAX);
    while (more && now() < c->deadline)
        for (int i = 0; more && i < 8; i++)
            more = element_random(c, u, binary, 0);
}

/* ---- lanes ---- */

/* Limbs of one lane of an operand, within its bound. what: below LANE_KINDS, then the corners of the modulus. */
enum { LANE_KINDS = 8 };
static void put_lane(struct cases *c, const struct unit *u, unsigned op, int place, uint64_t *r, size_t lane,
                     size_t what, const struct list *corner) {
    const size_t one = below(c, u->lanes_limbs);
    if (what >= LANE_KINDS)
        lane_put(u, r, corner->z[(what - LANE_KINDS) % corner->count], lane);
    for (size_t j = 0; what < LANE_KINDS && j < u->lanes_limbs; j++) {
        const uint64_t bound = lanes_bound(u, op, place, j), near = UINT64_C(1) << 48;
        uint64_t x = what == 0 ? bound : 0;
        if (what == 2) /* one limb at its bound, or all others */
            x = j == one ? bound : 0;
        else if (what == 3)
            x = j == one ? 0 : bound;
        else if (what == 4)
            x = cases_random(&c->rng);
        else if (what == 5) /* close to where a carry comes */
            x = below(c, 3) ? near * below(c, 6) + below(c, 3) - 1 : bound - below(c, 2);
        else if (what == 6)
            x = below(c, 2) ? bound : 0;
        else if (what == 7)
            x = UINT64_C(1) << below(c, 52);
        r[8 * j + lane] = x <= bound ? x : x % (bound + 1);
    }
}

/* Operands of the same kind in all lanes but perhaps one; of a kind for each lane. */
static void generate_lanes(struct cases *c, const struct unit *u, unsigned op) {
    const int places = (int)strlen(op_infos[op].shape);
    uint64_t operands[MAX_ARGS][LIMBIC_MAX_LANES_WORDS];
    const uint64_t *in[MAX_ARGS] = {NULL, operands[1], operands[2], operands[3], operands[4]};
    struct list corner = {NULL, 0, 0};
    int more = 1;

    corners(&corner, u, u->m);
    const size_t kinds = LANE_KINDS + corner.count;
    for (size_t first = 0; more && first < kinds; first++)
        for (size_t second = 0; more && second < (places > 2 ? kinds : 1); second++)
            for (size_t lane = 0; more && lane < 9; lane += first < 2 && second < 2 ? 1 : 4) {
                for (int p = 1; p < places; p++)
                    for (size_t i = 0; i < 8; i++)
                        put_lane(c, u, op, p, operands[p], i,
                                 i == lane ? below(c, kinds)
                                 : p % 2   ? first
                                           : second,
                                 &corner);
                more = c->emit(c, u, in, first < 6 && second < 6);
            }
    while (more && now() < c->deadline) {
        for (int p = 1; p < places; p++)
            for (size_t i = 0; i < 8; i++)
                put_lane(c, u, op, p, operands[p], i, below(c, 3) ? below(c, LANE_KINDS) : below(c, kinds),
                         &corner);
        more = c->emit(c, u, in, 0);
        if (places > 2) { /* for the patterns that share */
            memcpy(operands[2], operands[1], sizeof operands[1]);
            more = more && c->emit(c, u, in, 0);
        }
    }
    list_clear(&corner);
}

/* ---- curves ---- */

static void scalar_random(struct cases *c, const struct unit *u, mpz_t k) {
    random_bits(c, k, u->limbs);
    mpz_mod(k, k, u->n);
}

/* Scalars at which a window method may meet an exceptional addition, and long runs of equal digits. */
static void scalars(struct list *l, const struct unit *u) {
    const size_t bits = mpz_sizeinbase(u->n, 2);
    mpz_t t, above;
    mpz_inits(t, above, NULL);
    mpz_add_ui(above, u->n, 1); /* n itself is allowed */
#define ADD(statement) ((statement), list_add(l, t, above))
    for (unsigned long i = 0; i <= 512; i += i < 66 ? 1 : 2) { /* last window d: k = 2 d and k = n - 2 d */
        ADD(mpz_set_ui(t, i));
        ADD(mpz_sub_ui(t, u->n, i));
    }
    /* A comb has no doublings: its last addition meets k = 2 d 2^j mod n and its negative, j the last
     * window's place. */
    for (size_t j = bits - 8; j <= bits; j++)
        for (unsigned long d = 1; d < 64; d += 2) {
            mpz_set_ui(t, 2 * d);
            mpz_mul_2exp(t, t, j);
            mpz_sub(t, t, u->n);
            if (mpz_sgn(t) >= 0 && mpz_cmp(t, u->n) <= 0) {
                list_add(l, t, above);
                ADD(mpz_sub(t, u->n, t));
            }
        }
    /* Where eight lanes have every eighth window and are added by halves: the odd signed digits of n, those of a half with another
     * sign, are two equal points. */
    static const uint8_t halves[] = {0xaa, 0xcc, 0xf0};
    for (size_t w = 4; w <= 8; w++)
        for (size_t half = 0; half < sizeof halves; half++) {
            mpz_t rest, digit;
            mpz_init_set(rest, u->n);
            mpz_init(digit);
            mpz_set_ui(t, 0);
            for (size_t i = 0; w * i < bits; i++) {
                mpz_set(digit, rest);
                if (w * (i + 1) < bits) {
                    mpz_fdiv_r_2exp(digit, rest, w + 1);
                    mpz_sub_ui(digit, digit, 1UL << w);
                }
                mpz_sub(rest, rest, digit);
                mpz_fdiv_q_2exp(rest, rest, w);
                mpz_mul_2exp(digit, digit, w * i);
                (halves[half] >> i % 8 & 1 ? mpz_sub : mpz_add)(t, t, digit);
            }
            mpz_mod(t, t, u->n);
            list_add(l, t, above);
            ADD(mpz_sub(t, u->n, t));
            mpz_clears(rest, digit, NULL);
        }
    for (size_t w = 4; w <= 8; w++)
        for (size_t kind = 0; kind < 4; kind++) {
            unsigned long digit = kind == 0   ? 1
                                  : kind == 1 ? 1UL << (w - 1)
                                  : kind == 2 ? (1UL << (w - 1)) - 1
                                              : (1UL << w) - 1;
            mpz_set_ui(t, 0);
            for (size_t i = 0; i < bits; i += w) {
                mpz_mul_2exp(t, t, w);
                mpz_add_ui(t, t, digit);
            }
            mpz_fdiv_r_2exp(t, t, bits);
            mpz_mod(t, t, u->n);
            list_add(l, t, above);
        }
    for (size_t i = 7; i < bits; i++) {
        ADD((mpz_set_ui(t, 0), mpz_setbit(t, i)));
        if (i % 8 == 0)
            ADD((mpz_set_ui(t, 0), mpz_setbit(t, i), mpz_sub_ui(t, t, 1)));
    }
#undef ADD
    mpz_clears(t, above, NULL);
}

enum { POINTS = 16 };

/* points[0] is infinity, then G, -G, 2G, -2G; two with a random abscissa and the negative of one; the rest
 * have special abscissas, plain or as residues. */
static void points_make(struct cases *c, const struct unit *u, struct point *points) {
    mpz_t x;
    mpz_init(x);
    for (size_t i = 0; i < POINTS; i++)
        point_init(&points[i]);
    points[0].infinite = 1;
    point_base(u, &points[1]);
    point_add(u, &points[3], &points[1], &points[1]);
    mpz_set_ui(x, 2);
    for (size_t i = 5; i < POINTS; i++)
        do {
            switch (i) {
            case 8: /* smallest */
                mpz_set_ui(x, below(c, 8));
                break;
            case 9: /* largest */
                mpz_sub_ui(x, u->m, 1 + below(c, 16));
                break;
            case 5:
            case 6:
                mpz_set_ui(x, 0);
                for (size_t j = 0; j < u->limbs; j++) {
                    mpz_mul_2exp(x, x, 64);
                    mpz_add_ui(x, x, cases_random(&c->rng));
                }
                mpz_mod(x, x, u->m);
                break;
            default: /* special words as a residue */
                random_value(c, u, x);
                mpz_mul(x, x, u->one_inv);
                mpz_mod(x, x, u->m);
                break;
            }
        } while (!point_lift(u, &points[i], x, (int)below(c, 2)));
    static const uint8_t negatives[][2] = {{2, 1}, {4, 3}, {7, 6}};
    for (size_t i = 0; i < 3; i++) {
        const struct point *p = &points[negatives[i][1]];
        mpz_set(points[negatives[i][0]].x, p->x);
        mpz_sub(points[negatives[i][0]].y, u->m, p->y);
    }
    mpz_clear(x);
}

static void points_free(struct point *points) {
    for (size_t i = 0; i < POINTS; i++)
        point_clear(&points[i]);
}

/* A Z as a residue: 1, words 1, m - 1, special, random. For infinity X and Y get something arbitrary instead.
 */
static void put_random_z(struct cases *c, const struct unit *u, uint64_t *r, struct point *p, size_t kind) {
    mpz_t z;
    mpz_init(z);
    if (p->infinite) {
        random_value(c, u, p->x);
        random_value(c, u, p->y);
        if (kind == 0) { /* (1 : 1 : 0) */
            mpz_set_ui(p->x, 1);
            mpz_set_ui(p->y, 1);
        } else if (kind == 1) {
            mpz_set_ui(p->x, 0);
            mpz_set_ui(p->y, 0);
        }
    }
    do {
        if (kind == 0)
            mpz_set(z, u->one);
        else if (kind == 1)
            mpz_set_ui(z, 1);
        else if (kind == 2)
            mpz_sub_ui(z, u->m, 1);
        else
            random_value(c, u, z);
    } while (mpz_sgn(z) == 0);
    point_put_jacobian(u, r, p, z);
    mpz_clear(z);
}

#define W3 (3 * LIMBIC_MAX_LIMBS)

/* Shapes of one or two Jacobian points. */
static void generate_points(struct cases *c, const struct unit *u, int binary) {
    struct point points[POINTS], *p, *q;
    uint64_t a[W3], b[W3];
    const uint64_t *in[MAX_ARGS] = {NULL, a, b, NULL};
    int more = 1;

    points_make(c, u, points);
    for (size_t i = 0; more && i < POINTS; i++)
        for (size_t j = 0; more && j < (binary ? POINTS : 1); j++)
            for (size_t kind = 0; more && kind < 5; kind++) {
                put_random_z(c, u, a, &points[i], kind);
                put_random_z(c, u, b, &points[j], kind % 3 ? kind : 3); /* the same Z, or another */
                if (i == j && kind == 4)
                    memcpy(b, a, sizeof b);
                more = c->emit(c, u, in, 1);
            }
    for (size_t round = 0; more && now() < c->deadline; round++) {
        if (round % 32 == 0) {
            points_free(points);
            points_make(c, u, points);
        }
        p = &points[below(c, POINTS)];
        q = &points[below(c, POINTS)];
        put_random_z(c, u, a, p, below(c, 8));
        put_random_z(c, u, b, q, below(c, 8));
        more = c->emit(c, u, in, 0);
    }
    points_free(points);
}

/* Shapes qq and qqa: any elements; and points for which H is zero, or H and R. */
static void generate_steps(struct cases *c, const struct unit *u, unsigned op) {
    enum { ELEMENTS = 6 };
    const size_t n = u->limbs;
    uint64_t a[ELEMENTS * LIMBIC_MAX_LIMBS], *b = a + 4 * n;
    const uint64_t *in[MAX_ARGS] = {NULL, a, b, NULL};
    struct list corner = {NULL, 0, 0};
    int more = 1;
    mpz_t z[ELEMENTS];

    for (size_t i = 0; i < ELEMENTS; i++)
        mpz_init(z[i]);
    corners(&corner, u, u->m);
    for (size_t round = 0; more && (round < 4 * corner.count || now() < c->deadline); round++) {
        const size_t kind = round < corner.count ? 0 : below(c, 6);
        for (size_t i = 0; i < ELEMENTS; i++) {
            if (kind == 0) /* all the same */
                mpz_set(z[i], corner.z[(round + (i < 4 ? 0 : round / corner.count)) % corner.count]);
            else if (kind == 1)
                mpz_set(z[i], corner.z[below(c, corner.count)]);
            else
                random_value(c, u, z[i]);
        }
        if (kind == 2 || kind == 3) { /* X = b.x ZZ; and Y = b.y ZZZ */
            mpz_t zz, zzz;
            mpz_init_set(zz, z[2]);
            mpz_init_set(zzz, z[3]);
            if (op != LIMBIC_OP_curve_xyzz_add) { /* of residues */
                mpz_mul(zz, z[2], z[2]);
                mpz_mul(zz, zz, u->one_inv);
                mpz_mul(zzz, zz, z[2]);
                mpz_mul(zzz, zzz, u->one_inv);
            }
            mpz_mul(z[0], z[4], zz);
            mpz_mul(z[0], z[0], u->one_inv);
            mpz_mod(z[0], z[0], u->m);
            mpz_mul(z[1], z[5], zzz);
            mpz_mul(z[1], z[1], u->one_inv);
            if (kind == 3)
                mpz_neg(z[1], z[1]);
            mpz_mod(z[1], z[1], u->m);
            mpz_clears(zz, zzz, NULL);
        }
        for (size_t i = 0; i < ELEMENTS; i++)
            words_put(a + i * n, z[i], n);
        more = c->emit(c, u, in, round < 4 * corner.count);
    }
    list_clear(&corner);
    for (size_t i = 0; i < ELEMENTS; i++)
        mpz_clear(z[i]);
}

/* Shape pk and pka. */
static void generate_multiples(struct cases *c, const struct unit *u) {
    struct point points[POINTS];
    struct list l = {NULL, 0, 0};
    uint64_t k[LIMBIC_MAX_LIMBS], q[2 * LIMBIC_MAX_LIMBS];
    const uint64_t *in[MAX_ARGS] = {NULL, k, q, NULL};
    int more = 1;
    mpz_t t;

    mpz_init(t);
    points_make(c, u, points);
    scalars(&l, u);
    for (size_t i = 0; more && i < l.count; i++) {
        words_put(k, l.z[i], u->limbs);
        point_put_affine(u, q, &points[1 + i % (POINTS - 1)]);
        more = c->emit(c, u, in, 0);
    }
    for (size_t i = 0; more && i < 12; i++) /* 0 1 2, n - 1, ... of every point */
        for (size_t j = 1; more && j < POINTS; j++) {
            words_put(k, l.z[i], u->limbs);
            point_put_affine(u, q, &points[j]);
            more = c->emit(c, u, in, 0);
        }
    while (more && now() < c->deadline) {
        scalar_random(c, u, t);
        words_put(k, t, u->limbs);
        point_put_affine(u, q, &points[1 + below(c, POINTS - 1)]);
        more = c->emit(c, u, in, 0);
    }
    list_clear(&l);
    points_free(points);
    mpz_clear(t);
}

/* The table of q by the portable row. The MAX_MANY that were asked for last are kept. */
static const uint64_t *prepared(const struct unit *u, const uint64_t *q) {
    static struct kept {
        uint64_t *table, q[2 * LIMBIC_MAX_LIMBS];
        const struct unit *of;
        unsigned long asked;
    } kept[MAX_MANY];
    static unsigned long asked;
    struct kept *k = &kept[0];
    for (size_t i = 0; i < MAX_MANY; i++) {
        if (kept[i].of == u && memcmp(kept[i].q, q, 16 * u->limbs) == 0) {
            kept[i].asked = ++asked;
            return kept[i].table;
        }
        if (kept[i].asked < k->asked)
            k = &kept[i];
    }
    free(k->table);
    k->table = malloc(8 * u->table_words);
    if (!k->table)
        abort();
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_rows[i].unit == u->id && limbic_rows[i].op == LIMBIC_OP_curve_prepare_vartime &&
            limbic_rows[i].isa == LIMBIC_ISA_c)
            ((limbic_tab_aff *)limbic_rows[i].fn)(k->table, q);
    k->of = u;
    k->asked = ++asked;
    memcpy(k->q, q, 16 * u->limbs);
    return k->table;
}

static int emit_double(struct cases *c, const struct unit *u, const mpz_t a, const mpz_t b, const uint64_t *q,
                       int table) {
    uint64_t x[LIMBIC_MAX_LIMBS], y[LIMBIC_MAX_LIMBS];
    const uint64_t *in[MAX_ARGS] = {NULL, x, y, table ? prepared(u, q) : q};
    words_put(x, a, u->limbs);
    words_put(y, b, u->limbs);
    return c->emit(c, u, in, 0);
}

/* Shapes pkka and pkkt. q = t G with a known t, so that sums can be aimed at infinity and at doublings. */
static void generate_double(struct cases *c, const struct unit *u, int table) {
    uint64_t q[2 * LIMBIC_MAX_LIMBS];
    struct list few = {NULL, 0, 0}, many = {NULL, 0, 0};
    struct point g, p;
    mpz_t t, a, b, above;
    int more = 1;

    mpz_inits(t, a, b, above, NULL);
    point_init(&g);
    point_init(&p);
    point_base(u, &g);
    mpz_add_ui(above, u->n, 1);
    for (long i = -2; i <= 2; i++) { /* n - 1, n, 0, 1, 2 */
        mpz_set_si(a, i);
        mpz_mod(a, a, above);
        list_add(&few, a, above);
    }
    scalars(&many, u);
    for (size_t round = 0; more; round++) {
        if (round >= 6 && now() >= c->deadline)
            break;
        const int known = round < 4; /* q = G, -G, 2 G, -2 G */
        mpz_set_ui(t, round % 4 < 2 ? 1 : 2);
        if (round % 2)
            mpz_sub(t, u->n, t);
        if (!known)
            do
                scalar_random(c, u, t);
            while (mpz_sgn(t) == 0);
        point_mul(u, &p, t, &g);
        point_put_affine(u, q, &p);
        for (size_t i = 0; more && round < 5 && i < few.count; i++)
            for (size_t j = 0; more && j < few.count; j++)
                more = emit_double(c, u, few.z[i], few.z[j], q, table);
        for (size_t i = 0; more && i < (round < 6 ? 12 : 2); i++) {
            if (below(c, 3))
                scalar_random(c, u, b);
            else
                mpz_set(b, many.z[below(c, many.count)]);
            mpz_mul(a, b, t);
            mpz_mod(a, a, u->n);
            if (i % 3 == 0) { /* b q = a G: a doubling at the end */
                more = emit_double(c, u, a, b, q, table);
                mpz_sub(a, u->n, a); /* infinity */
                more = more && emit_double(c, u, a, b, q, table);
                mpz_add_ui(a, a, (unsigned long)below(c, 64)); /* close to it */
                mpz_mod(a, a, u->n);
            } else if (i % 3 == 1) {
                scalar_random(c, u, a);
            } else {
                mpz_set(a, many.z[below(c, many.count)]);
            }
            more = more && emit_double(c, u, a, b, q, table);
        }
    }
    list_clear(&few);
    list_clear(&many);
    point_clear(&g);
    point_clear(&p);
    mpz_clears(t, a, b, above, NULL);
}

/* Shape ta. */
static void generate_tables(struct cases *c, const struct unit *u) {
    struct point points[POINTS];
    uint64_t q[2 * LIMBIC_MAX_LIMBS];
    const uint64_t *in[MAX_ARGS] = {NULL, q, NULL, NULL};
    int more = 1;
    do {
        points_make(c, u, points);
        for (size_t i = 1; more && i < POINTS; i++) {
            point_put_affine(u, q, &points[i]);
            more = c->emit(c, u, in, 0);
        }
        points_free(points);
    } while (more && now() < c->deadline);
}

/* ---- many at once: the cases of one at a time, gathered ---- */

struct gathering {
    struct cases cases; /* first: gather gets a pointer to it */
    struct cases *to;
    const char *shape;
    uint64_t k[2][MAX_MANY * LIMBIC_MAX_LIMBS], q[MAX_MANY * 2 * LIMBIC_MAX_LIMBS];
    size_t count, number; /* operations in hand; arrays gathered */
};

static int emit_many(struct gathering *g, const struct unit *u, uint64_t n) {
    const uint64_t *in[MAX_ARGS] = {NULL}, *tables[MAX_MANY];
    size_t ks = 0;
    for (size_t i = 1; g->shape[i]; i++)
        switch (g->shape[i]) {
        case 'K':
            in[i] = g->k[ks++];
            break;
        case 'A':
            in[i] = g->q;
            break;
        case 'T':
            for (size_t j = 0; j < n; j++)
                tables[j] = prepared(u, g->q + 2 * u->limbs * j);
            in[i] = (const uint64_t *)(const void *)tables;
            break;
        default:
            in[i] = &n;
            break;
        }
    return g->to->emit(g->to, u, in, 0);
}

/* What has been gathered; then one of it (it may be an exceptional case) in every place, or among random scalars. */
static int emit_gathered(struct gathering *g, const struct unit *u) {
    const size_t w = u->limbs, n = g->count, one = below(&g->cases, n ? n : 1);
    const int random = (int)below(&g->cases, 2);
    int more = emit_many(g, u, n);
    mpz_t t;
    g->count = 0;
    g->number++;
    if (!more || n > 9)
        return more;
    mpz_init(t);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; i != one && j < 2; j++) {
            if (random) {
                scalar_random(&g->cases, u, t);
                words_put(g->k[j] + w * i, t, w);
            } else {
                memcpy(g->k[j] + w * i, g->k[j] + w * one, 8 * w);
                memcpy(g->q + 2 * w * i, g->q + 2 * w * one, 16 * w);
            }
        }
    mpz_clear(t);
    return emit_many(g, u, n);
}

static int gather(struct cases *c, const struct unit *u, const uint64_t *const *in, int thorough) {
    static const uint8_t sizes[] = {1, 8, 33, 7, 9, MAX_MANY, 8, 16, 17, 3, 64, 8};
    struct gathering *g = (struct gathering *)(void *)c;
    const size_t w = u->limbs;
    size_t ks = 0;
    for (const char *shape = g->shape + 1; *shape == 'K'; shape++, ks++)
        memcpy(g->k[ks] + w * g->count, in[1 + ks], 8 * w);
    if (in[1 + ks])
        memcpy(g->q + 2 * w * g->count, in[1 + ks], 16 * w);
    g->count++;
    (void)thorough;
    return g->count < sizes[g->number % sizeof sizes] || emit_gathered(g, u);
}

/* Shapes AKn, AKAn, AKKAn and AKKTn. */
static void generate_many(struct cases *c, const struct unit *u, const char *shape) {
    struct gathering *g = calloc(1, sizeof *g);
    if (!g)
        abort();
    g->cases = (struct cases){c->rng, c->deadline, gather};
    g->to = c;
    g->shape = shape;
    int more = emit_many(g, u, 0);
    if (more && shape[2] == 'K')
        generate_double(&g->cases, u, 0);
    else if (more)
        generate_multiples(&g->cases, u);
    if (more)
        (void)emit_gathered(g, u);
    free(g);
}

/* ---- hashes ---- */

static void generate_hash(struct cases *c, const struct unit *u) {
    uint64_t state[8], block[16 * MAX_BLOCKS], blocks = 0;
    const uint64_t *in[MAX_ARGS] = {state, block, &blocks, NULL};
    int more = 1;
    while (more && (blocks <= MAX_BLOCKS || now() < c->deadline)) {
        const uint64_t chosen = blocks;
        for (size_t i = 0; i < 8; i++)
            state[i] = special_word(c);
        for (size_t i = 0; i < 16 * MAX_BLOCKS; i++)
            block[i] = below(c, 2) ? special_word(c) : cases_random(&c->rng);
        if (blocks > MAX_BLOCKS)
            blocks = below(c, MAX_BLOCKS + 1);
        more = c->emit(c, u, in, chosen <= MAX_BLOCKS);
        blocks = chosen + 1;
    }
}

/* Shapes SPnnm and WQnnm. Counts about those of lanes; all, none or some of the pointers equal or at the end of the memory. */
static void generate_streams(struct cases *c, const struct unit *u) {
    static const uint8_t counts[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,         12,
                                     13, 15, 16, 17, 20, 31, 32, 33, MAX_BLOCKS};
    uint64_t states[8 * MAX_BLOCKS], at[MAX_BLOCKS], blocks, n, memory[STREAM_MEMORY / 8];
    const uint64_t *in[MAX_ARGS] = {states, at, &blocks, &n, memory};
    int more = 1;
    for (size_t round = 0; more && (round < 4 * sizeof counts || now() < c->deadline); round++) {
        const size_t pointers = below(c, 4);
        n = round < 4 * sizeof counts ? counts[round / 4] : below(c, MAX_BLOCKS + 1);
        blocks = below(c, MAX_STREAM_BLOCKS + 1);
        if (round < 4 * sizeof counts && round % 4 < 2)
            blocks = 1 + round % 4;
        for (size_t i = 0; i < 8 * MAX_BLOCKS; i++)
            states[i] = special_word(c);
        for (size_t i = 0; i < STREAM_MEMORY / 8; i++)
            memory[i] = below(c, 2) ? special_word(c) : cases_random(&c->rng);
        for (size_t i = 0; i < MAX_BLOCKS; i++)
            at[i] = pointers == 0 || (pointers == 1 && below(c, 2)) ? 0
                    : pointers == 2 && i                            ? at[below(c, i)]
                                                                    : cases_random(&c->rng);
        more = c->emit(c, u, in, round < 4 * sizeof counts);
    }
}

/* Shape ysddn. Counters that wrap within the blocks; lengths of real prefixes, and any. */
static void generate_stream(struct cases *c, const struct unit *u) {
    uint64_t state[4], bits, counter, blocks = 0;
    const uint64_t *in[MAX_ARGS] = {NULL, state, &bits, &counter, &blocks};
    int more = 1;
    while (more && (blocks <= MAX_BLOCKS || now() < c->deadline)) {
        const uint64_t chosen = blocks;
        for (size_t i = 0; i < 4; i++)
            state[i] = special_word(c);
        bits = below(c, 2) ? 512 * (1 + below(c, 2)) + 32 : (uint32_t)special_word(c);
        counter = below(c, 2) ? (uint32_t)(below(c, MAX_BLOCKS + 2) - below(c, MAX_BLOCKS + 2))
                              : (uint32_t)special_word(c);
        if (blocks > MAX_BLOCKS)
            blocks = below(c, MAX_BLOCKS + 1);
        more = c->emit(c, u, in, chosen <= MAX_BLOCKS);
        blocks = chosen + 1;
    }
}

/* Shape gnnn: words that end the steps early or late, make sums largest, and any. */
static void generate_divsteps(struct cases *c, const struct unit *u) {
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       UINT64_MAX,
                                       UINT64_MAX - 1,
                                       UINT64_C(1) << 59,
                                       UINT64_C(1) << 60,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       0x5555555555555555,
                                       0xaaaaaaaaaaaaaaab};
    static const int64_t zetas[] = {-1, 0, -2, 1, -61, 60, -20, 19, INT64_C(1) << 62, -(INT64_C(1) << 62)};
    enum { CORNERS = sizeof corners / sizeof *corners, ZETAS = sizeof zetas / sizeof *zetas };
    uint64_t zeta, f, g;
    const uint64_t *in[MAX_ARGS] = {NULL, &zeta, &f, &g};
    int more = 1;
    for (size_t i = 0; more && (i < CORNERS * CORNERS * ZETAS || now() < c->deadline); i++) {
        const int corner = i < CORNERS * CORNERS * ZETAS;
        zeta = corner ? (uint64_t)zetas[i % ZETAS] : (uint64_t)below(c, 122) - 61;
        f = (corner ? corners[i / ZETAS % CORNERS] : special_word(c)) | 1;
        g = corner ? corners[i / ZETAS / CORNERS] : below(c, 2) ? special_word(c) : cases_random(&c->rng);
        more = c->emit(c, u, in, corner);
    }
}

void cases_generate(struct cases *c, unsigned unit, unsigned op) {
    const char *shape = op_infos[op].shape;
    const struct unit *u = unit_get(unit);
    if (shape[0] == 'g')
        generate_divsteps(c, u);
    else if (is_exponent(shape[2]))
        generate_pow(c, shape[4] == 'X');
    else if (shape[0] == 'e' && unit == LIMBIC_UNIT_mont)
        generate_mont(c, shape[2] == 'e', op == LIMBIC_OP_mont_mul);
    else if (shape[0] == 'l')
        generate_lanes(c, u, op);
    else if (shape[0] == 'e')
        generate_field(c, u, shape[2] == 'e');
    else if (shape[0] == 'q')
        generate_steps(c, u, op);
    else if (shape[1] == 'p')
        generate_points(c, u, shape[2] == 'p');
    else if (shape[0] == 't')
        generate_tables(c, u);
    else if (shape[0] == 'A')
        generate_many(c, u, shape);
    else if (shape[0] == 'y')
        generate_stream(c, u);
    else if (strchr("PQ", shape[1]))
        generate_streams(c, u);
    else if (shape[2] == 'n')
        generate_hash(c, u);
    else if (shape[2] == 'k')
        generate_double(c, u, shape[3] == 't');
    else
        generate_multiples(c, u);
}
