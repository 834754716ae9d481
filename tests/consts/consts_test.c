/*
 * Re-derives every constant of src/consts with GMP, from the published numbers of the curves alone: the
 * moduli, their Montgomery and square-root constants, generators, known answers, and each entry of the
 * fixed-base tables.
 */
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "consts/tables.h"
#include "consts/units.h"

/* The oracle: NIST SP 800-186, section 3.2.1; GB/T 32918.5. */
struct published {
    const char *name, *p, *n, *b, *gx, *gy;
};

static const struct published published[] = {
    {"p256", "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
     "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
     "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
     "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"},
    {"p384",
     "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
     "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
     "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
     "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
     "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"},
    {"p521",
     "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
     "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
     "a51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
     "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109"
     "e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
     "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3d"
     "baa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
     "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e66"
     "2c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650"},
    {"sm2", "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123",
     "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93",
     "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7",
     "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"},
};

#define CURVES (sizeof published / sizeof published[0])

/* The constants under test. */
struct field {
    const char *name;
    size_t table_limbs; /* as the table of units has it */
    size_t bits, bytes, limbs, twos;
    uint64_t n0;
    const uint64_t *m, *one, *rr, *inv_fix, *sqrt_exp, *root;
};

enum { LANES_tight, LANES_pad, LANES_multiple, LANES_one, LANES_in, LANES_out, LANES_CONSTANTS };

struct curve {
    const char *name;
    size_t limbs, base_w, base_windows, prepared_w, prepared_windows, odd_w;
    const uint64_t *b, *gx, *gy, *kat_k, *kat_x, *kat_y, *meeting_k, *meeting_x, *meeting_y, *base, *odd;
    size_t lanes_limbs;
    const uint64_t *lanes[LANES_CONSTANTS];
};

static size_t passed, failed, fields, curves, table_bytes;

static void check(int ok, const char *unit, const char *what) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("FAIL %s: %s\n", unit, what);
}

static void check_words(const uint64_t *words, size_t limbs, const mpz_t expected, const char *unit,
                        const char *what) {
    mpz_t z;
    mpz_init(z);
    mpz_import(z, limbs, -1, sizeof *words, 0, 0, words);
    check(mpz_cmp(z, expected) == 0, unit, what);
    mpz_clear(z);
}

/* R: a residue is a R mod m; for p521 it is a itself. */
static void get_radix(mpz_t R, const char *unit, size_t limbs) {
    mpz_set_ui(R, 1);
    if (strcmp(unit, "p521") != 0)
        mpz_mul_2exp(R, R, 64 * limbs);
}

static void check_residue(const uint64_t *words, size_t limbs, const mpz_t a, const mpz_t m, const char *unit,
                          const char *what) {
    mpz_t r;
    mpz_init(r);
    get_radix(r, unit, limbs);
    mpz_mul(r, r, a);
    mpz_mod(r, r, m);
    check_words(words, limbs, r, unit, what);
    mpz_clear(r);
}

/* The published modulus: p of the curve of that name, or n for the name with an n appended. */
static const char *published_modulus(const char *unit) {
    for (size_t i = 0; i < CURVES; i++) {
        size_t length = strlen(published[i].name);
        if (strncmp(unit, published[i].name, length) != 0)
            continue;
        if (strcmp(unit + length, "") == 0)
            return published[i].p;
        if (strcmp(unit + length, "n") == 0)
            return published[i].n;
    }
    return NULL;
}

static void test_field(const struct field *f) {
    const char *hex = published_modulus(f->name);
    mpz_t m, q, z, t;
    check(hex != NULL, f->name, "is a published modulus");
    if (hex == NULL)
        return;
    fields++;
    mpz_init_set_str(m, hex, 16);
    mpz_inits(q, z, t, NULL);

    check(mpz_probab_prime_p(m, 40) != 0, f->name, "m is prime");
    check(f->bits == mpz_sizeinbase(m, 2), f->name, "bits");
    check(f->bytes == (f->bits + 7) / 8, f->name, "bytes");
    check(f->limbs == (f->bits + 63) / 64, f->name, "limbs");
    check(f->limbs == f->table_limbs, f->name, "limbs in the table of units");
    check_words(f->m, f->limbs, m, f->name, "m");
    check(f->m[0] * f->n0 == UINT64_MAX, f->name, "n0");

    mpz_set_ui(t, 1);
    check_residue(f->one, f->limbs, t, m, f->name, "one");
    get_radix(t, f->name, f->limbs);
    check_residue(f->rr, f->limbs, t, m, f->name, "rr");
    mpz_mul(t, t, t);
    check_residue(f->inv_fix, f->limbs, t, m, f->name, "inv_fix");

    mpz_sub_ui(q, m, 1);
    check(f->twos == mpz_scan1(q, 0), f->name, "twos");
    mpz_fdiv_q_2exp(q, q, f->twos);
    mpz_fdiv_q_2exp(t, q, 1);
    check_words(f->sqrt_exp, f->limbs, t, f->name, "sqrt_exp");
    for (mpz_set_ui(z, 2); mpz_legendre(z, m) != -1;)
        mpz_add_ui(z, z, 1);
    mpz_powm(t, z, q, m);
    check_residue(f->root, f->limbs, t, m, f->name, "root");
    for (size_t i = 1; i < f->twos; i++) {
        mpz_mul(t, t, t);
        mpz_mod(t, t, m);
    }
    mpz_add_ui(t, t, 1);
    check(mpz_cmp(t, m) == 0, f->name, "root is of order 2^twos");
    mpz_clears(m, q, z, t, NULL);
}

struct point {
    mpz_t x, y;
    int infinity;
};

static void point_init(struct point *r) {
    mpz_inits(r->x, r->y, NULL);
    r->infinity = 1;
}

static void point_set(struct point *r, const struct point *s) {
    mpz_set(r->x, s->x);
    mpz_set(r->y, s->y);
    r->infinity = s->infinity;
}

static void point_clear(struct point *r) {
    mpz_clears(r->x, r->y, NULL);
}

/* r = s + t on y^2 = x^3 - 3x + b, any two points, any aliasing */
static void point_add(struct point *r, const struct point *s, const struct point *t, const mpz_t p) {
    mpz_t slope, d, x;
    if (s->infinity || t->infinity) {
        point_set(r, s->infinity ? t : s);
        return;
    }
    mpz_inits(slope, d, x, NULL);
    if (mpz_cmp(s->x, t->x) != 0) {
        mpz_sub(slope, t->y, s->y);
        mpz_sub(d, t->x, s->x);
    } else {
        mpz_mul(slope, s->x, s->x);
        mpz_sub_ui(slope, slope, 1);
        mpz_mul_ui(slope, slope, 3);
        mpz_add(d, s->y, t->y);
    }
    r->infinity = !mpz_invert(d, d, p);
    mpz_mul(slope, slope, d);
    mpz_mod(slope, slope, p);
    mpz_mul(x, slope, slope);
    mpz_sub(x, x, s->x);
    mpz_sub(x, x, t->x);
    mpz_mod(x, x, p);
    mpz_sub(d, s->x, x);
    mpz_mul(d, d, slope);
    mpz_sub(d, d, s->y);
    mpz_mod(r->y, d, p);
    mpz_set(r->x, x);
    mpz_clears(slope, d, x, NULL);
}

static void point_mul(struct point *r, const mpz_t k, const struct point *s, const mpz_t p) {
    r->infinity = 1;
    for (size_t i = mpz_sizeinbase(k, 2); i-- > 0;) {
        point_add(r, r, r, p);
        if (mpz_tstbit(k, i))
            point_add(r, r, s, p);
    }
}

/* Whether odd k is the sum of d_i 2^(w i) over the windows, each d_i odd and of at most w bits. difference: of the even
 * windows' sum and the odd ones'. */
static int fits_windows(const mpz_t k, size_t w, size_t windows, mpz_t difference) {
    mpz_t rest, digit, limit;
    int ok = 1;
    mpz_init_set(rest, k);
    mpz_inits(digit, limit, NULL);
    mpz_set_ui(difference, 0);
    mpz_setbit(limit, w);
    for (size_t i = 0; i < windows; i++) {
        mpz_set(digit, rest);
        if (i + 1 < windows) {
            mpz_fdiv_r_2exp(digit, rest, w + 1);
            mpz_sub(digit, digit, limit);
        }
        ok &= mpz_odd_p(digit) && mpz_cmpabs(digit, limit) < 0;
        mpz_sub(rest, rest, digit);
        mpz_fdiv_q_2exp(rest, rest, w);
        mpz_mul_2exp(digit, digit, w * i);
        (i % 2 ? mpz_sub : mpz_add)(difference, difference, digit);
    }
    ok &= mpz_sgn(rest) == 0;
    mpz_clears(rest, digit, limit, NULL);
    return ok;
}

static void check_windows(const char *name, size_t w, size_t windows, const mpz_t n, const char *what) {
    mpz_t k, unused;
    mpz_init_set(k, n);
    mpz_init(unused);
    check(windows == (mpz_sizeinbase(n, 2) + w - 1) / w, name, what);
    check(fits_windows(k, w, windows, unused), name, "the order fits into the windows");
    mpz_sub_ui(k, k, 2);
    check(fits_windows(k, w, windows, unused), name, "the order - 2 fits into the windows");
    mpz_set_ui(k, 1);
    check(fits_windows(k, w, windows, unused), name, "1 fits into the windows");
    mpz_clears(k, unused, NULL);
}

static void check_point(const uint64_t *x, const uint64_t *y, size_t limbs, const struct point *s,
                        const mpz_t p, const char *unit, const char *what) {
    check(!s->infinity, unit, what);
    check_residue(x, limbs, s->x, p, unit, what);
    check_residue(y, limbs, s->y, p, unit, what);
}

/* count entries: at, 3 at, 5 at, ... */
static void check_odd(const struct curve *c, const uint64_t *entry, const struct point *at, size_t count,
                      const mpz_t p, const char *table) {
    struct point twice, odd;
    point_init(&twice);
    point_init(&odd);
    point_set(&odd, at);
    point_add(&twice, at, at, p);
    for (size_t j = 0; j < count; j++, entry += 2 * c->limbs) {
        char what[64];
        snprintf(what, sizeof what, "%s[%zu]", table, j);
        check_point(entry, entry + c->limbs, c->limbs, &odd, p, c->name, what);
        point_add(&odd, &odd, &twice, p);
    }
    point_clear(&twice);
    point_clear(&odd);
}

static void check_tables(const struct curve *c, const struct point *g, const mpz_t p) {
    const size_t row = (size_t)1 << (c->base_w - 1);
    struct point at;
    point_init(&at);
    check((uintptr_t)c->base % 64 == 0 && (uintptr_t)c->odd % 64 == 0, c->name,
          "tables are aligned to 64 bytes");
    check(c->odd_w > c->base_w, c->name, "the odd multiples hold the lowest window");
    check_odd(c, c->odd, g, (size_t)1 << (c->odd_w - 2), p, "odd");
    point_set(&at, g);
    for (size_t i = 0; i + 1 < c->base_windows; i++) {
        char what[32];
        snprintf(what, sizeof what, "base[%zu]", i);
        for (size_t j = 0; j < c->base_w; j++)
            point_add(&at, &at, &at, p);
        check_odd(c, c->base + 2 * c->limbs * row * i, &at, row, p, what);
    }
    point_clear(&at);
}

/* The form of src/field/lanes.h: limbs of 48 bits, a stands as a F. */
static void check_lanes(const struct curve *c, const mpz_t p) {
    mpz_t F, R, z, t;
    const uint64_t *const *limbs = c->lanes;
    mpz_inits(F, R, z, t, NULL);
    check(c->lanes_limbs == (mpz_sizeinbase(p, 2) + 47) / 48, c->name, "lanes_limbs");
    mpz_setbit(F, mpz_sizeinbase(p, 2) == 256 ? 240 : 0);
    get_radix(R, c->name, c->limbs);
    for (size_t k = 0; k < LANES_CONSTANTS; k++) {
        mpz_set_ui(z, 0);
        for (size_t j = c->lanes_limbs; j-- > 0;) {
            mpz_mul_2exp(z, z, 48);
            mpz_add_ui(z, z, limbs[k][j]);
            if (k == LANES_multiple)
                check(limbs[k][j] >= limbs[LANES_tight][j] && limbs[k][j] <= 2 * limbs[LANES_tight][j],
                      c->name, "lanes_multiple is one to two times tight");
            if (k == LANES_tight)
                check(limbs[k][j] < UINT64_C(1) << 49, c->name, "lanes_tight is below 2^49");
        }
        if (k == LANES_pad || k == LANES_multiple) {
            check(mpz_divisible_p(z, p), c->name, "lanes_pad and lanes_multiple are multiples of m");
        } else if (k != LANES_tight) {
            mpz_set(t, F); /* one: F; in: F^2 / R; out: R */
            if (k == LANES_in) {
                mpz_invert(t, R, p);
                mpz_mul(t, t, F);
                mpz_mul(t, t, F);
            } else if (k == LANES_out) {
                mpz_set(t, R);
            }
            mpz_mod(t, t, p);
            check(mpz_cmp(z, t) == 0, c->name, "lanes_one, lanes_in, lanes_out");
        }
    }
    mpz_clears(F, R, z, t, NULL);
}

/* The scalar whose even windows add up to the point of its odd ones; and that no sum of windows without the windows 0 and 1
 * is n: what src/curve/lanes.c takes from it. */
static void check_meeting(const struct curve *c, const struct point *g, const mpz_t n, const mpz_t p) {
    const size_t w = c->base_w, above = w * c->base_windows;
    struct point r;
    mpz_t k, t;
    mpz_inits(k, t, NULL);
    point_init(&r);
    mpz_import(k, c->limbs, -1, sizeof *c->meeting_k, 0, 0, c->meeting_k);
    if (above < 64 * c->limbs)
        mpz_combit(k, above); /* recoding sets it */
    check(mpz_odd_p(k) && mpz_cmp(k, n) <= 0 && fits_windows(k, w, c->base_windows, t), c->name,
          "meeting_k is a recoded scalar");
    check(mpz_cmpabs(t, n) == 0, c->name, "the even windows of meeting_k less the odd ones make n");
    point_mul(&r, k, g, p);
    check_point(c->meeting_x, c->meeting_y, c->limbs, &r, p, c->name, "meeting_x, meeting_y");
    mpz_fdiv_r_2exp(k, n, 2 * w);
    mpz_set_ui(t, 0);
    mpz_setbit(t, 2 * w);
    mpz_sub(t, t, k);
    check(mpz_sizeinbase(k, 2) > w && mpz_sizeinbase(t, 2) > w, c->name,
          "the order is no digit modulo two windows");
    point_clear(&r);
    mpz_clears(k, t, NULL);
}

static void test_curve(const struct curve *c) {
    const struct published *o = published;
    mpz_t p, n, b, t, u;
    struct point g, r;
    while (o < published + CURVES && strcmp(o->name, c->name) != 0)
        o++;
    check(o < published + CURVES, c->name, "is a published curve");
    if (o == published + CURVES)
        return;
    curves++;
    mpz_init_set_str(p, o->p, 16);
    mpz_init_set_str(n, o->n, 16);
    mpz_init_set_str(b, o->b, 16);
    mpz_init_set_str(g.x, o->gx, 16);
    mpz_init_set_str(g.y, o->gy, 16);
    g.infinity = 0;
    mpz_inits(t, u, NULL);
    point_init(&r);

    check_residue(c->b, c->limbs, b, p, c->name, "b");
    check_point(c->gx, c->gy, c->limbs, &g, p, c->name, "gx, gy");
    mpz_mul(t, g.x, g.x);
    mpz_sub_ui(t, t, 3);
    mpz_mul(t, t, g.x);
    mpz_add(t, t, b);
    mpz_mul(u, g.y, g.y);
    check(mpz_congruent_p(t, u, p), c->name, "G is on the curve");
    mpz_mul(t, b, b);
    mpz_set_ui(u, 4);
    check(!mpz_congruent_p(t, u, p), c->name, "the curve is not singular: b^2 != 4");
    mpz_sub(t, n, p);
    mpz_sub_ui(t, t, 1);
    mpz_mul(t, t, t);
    mpz_mul_2exp(u, p, 2);
    check(mpz_cmp(t, u) <= 0, c->name, "the order is within the bound of Hasse");
    check(mpz_cmp(n, p) != 0, c->name, "the curve is not anomalous");
    point_mul(&r, n, &g, p);
    check(r.infinity, c->name, "n G is infinity");

    check_windows(c->name, c->base_w, c->base_windows, n, "base_windows");
    check_windows(c->name, c->prepared_w, c->prepared_windows, n, "prepared_windows");

    mpz_import(t, c->limbs, -1, sizeof *c->kat_k, 0, 0, c->kat_k);
    check(mpz_cmp(t, n) < 0 && mpz_sizeinbase(t, 2) + 8 > mpz_sizeinbase(n, 2), c->name,
          "kat_k is a full-length scalar");
    point_mul(&r, t, &g, p);
    check_point(c->kat_x, c->kat_y, c->limbs, &r, p, c->name, "kat_x, kat_y");
    check_meeting(c, &g, n, p);
    check_tables(c, &g, p);
    check_lanes(c, p);
    table_bytes += ((c->base_windows - 1) << (c->base_w - 1)) * 16 * c->limbs +
                   ((size_t)16 << (c->odd_w - 2)) * c->limbs;

    mpz_clears(p, n, b, t, u, NULL);
    point_clear(&g);
    point_clear(&r);
}

#define TEST_field(u, limbs)                                                                                 \
    test_field(&(const struct field){#u, limbs, limbic_##u##_bits, limbic_##u##_bytes, limbic_##u##_limbs,   \
                                     limbic_##u##_twos, limbic_##u##_n0, limbic_##u##_m, limbic_##u##_one,   \
                                     limbic_##u##_rr, limbic_##u##_inv_fix, limbic_##u##_sqrt_exp,           \
                                     limbic_##u##_root});
#define TEST_curve(u, limbs)                                                                                 \
    TEST_field(u, limbs) test_curve(&(const struct curve){                                                   \
        #u,                                                                                                  \
        limbic_##u##_limbs,                                                                                  \
        limbic_##u##_base_w,                                                                                 \
        limbic_##u##_base_windows,                                                                           \
        limbic_##u##_prepared_w,                                                                             \
        limbic_##u##_prepared_windows,                                                                       \
        limbic_##u##_odd_w,                                                                                  \
        limbic_##u##_b,                                                                                      \
        limbic_##u##_gx,                                                                                     \
        limbic_##u##_gy,                                                                                     \
        limbic_##u##_kat_k,                                                                                  \
        limbic_##u##_kat_x,                                                                                  \
        limbic_##u##_kat_y,                                                                                  \
        limbic_##u##_meeting_k,                                                                              \
        limbic_##u##_meeting_x,                                                                              \
        limbic_##u##_meeting_y,                                                                              \
        (const uint64_t *)limbic_##u##_base,                                                                 \
        (const uint64_t *)limbic_##u##_odd,                                                                  \
        limbic_##u##_lanes_limbs,                                                                            \
        {limbic_##u##_lanes_tight, limbic_##u##_lanes_pad, limbic_##u##_lanes_multiple,                      \
         limbic_##u##_lanes_one, limbic_##u##_lanes_in, limbic_##u##_lanes_out}});
/* no constants of their own */
#define TEST_mont(u, limbs)
#define TEST_hash(u, limbs)
#define TEST_gcd(u, limbs)

int main(void) {
#define UNIT(name, class, limbs) TEST_##class(name, limbs)
#include "dispatch/ops.def"
    check(curves == CURVES, "curves", "every published curve is in the table of units");
    check(fields == 2 * CURVES, "fields", "every published prime and order is in the table of units");
    check(table_bytes < 1 << 20, "tables", "they stay below 1 MiB");
    printf("%zu bytes of tables\n", table_bytes);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
