#define OPENSSL_SUPPRESS_DEPRECATED /* SHA256_Transform */
#include "oracle.h"
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "consts/tables.h"
#include "curve/curve.h"

/* Scratch of the functions below; none holds a value across a call to another. */
static mpz_t t0, t1, t2, t3;
static struct unit units[LIMBIC_UNITS];
static size_t max_bytes;

void words_get(mpz_t z, const uint64_t *a, size_t n) {
    mpz_import(z, n, -1, 8, 0, 0, a);
}

void words_put(uint64_t *r, const mpz_t z, size_t n) {
    memset(r, 0, 8 * n);
    if (mpz_sizeinbase(z, 2) > 64 * n) {
        fprintf(stderr, "a value does not fit into %zu words\n", n);
        abort();
    }
    mpz_export(r, NULL, -1, 8, 0, 0, z);
}

/* ---- units ---- */

static void unit_init(struct unit *u) {
    mpz_inits(u->m, u->one, u->one_inv, u->n, u->b, u->gx, u->gy, u->lanes_one_inv, NULL);
}

static void get_plain(const struct unit *u, mpz_t z, const uint64_t *residue) {
    words_get(z, residue, u->limbs);
    mpz_mul(z, z, u->one_inv);
    mpz_mod(z, z, u->m);
}

static void put_residue(const struct unit *u, uint64_t *r, const mpz_t plain) {
    mpz_mul(t0, plain, u->one);
    mpz_mod(t0, t0, u->m);
    words_put(r, t0, u->limbs);
}

static const struct limbic_curve_desc *curve_of(unsigned unit) {
    const struct limbic_curve_desc *c;
    for (int i = 1; (c = limbic_curve_desc((enum limbic_curve)i)) != NULL && c->unit != unit; i++)
        ;
    if (!c) {
        fprintf(stderr, "%s: no curve has this field\n", limbic_unit_name(unit));
        abort();
    }
    return c;
}

static const struct {
    size_t limbs;
    const uint64_t *tight;
} lanes[LIMBIC_UNITS] = {
#define LANES_field(u)
#define LANES_mont(u)
#define LANES_hash(u)
#define LANES_gcd(u)
#define LANES_curve(u)           [LIMBIC_UNIT_##u] = {limbic_##u##_lanes_limbs, limbic_##u##_lanes_tight},
#define UNIT(name, class, limbs) LANES_##class(name)
#include "dispatch/ops.def"
};

/* The library's constants are taken as they are (tests/consts checks them), except that one must be R or 1.
 */
static void unit_fill(struct unit *u, unsigned id) {
    u->id = id;
    unit_init(u);
    if (limbic_unit_class(id) != LIMBIC_CLASS_field && limbic_unit_class(id) != LIMBIC_CLASS_curve)
        return;
    const struct limbic_modulus *f = limbic_modulus((enum limbic_unit)id);
    u->limbs = f->limbs;
    words_get(u->m, f->m, u->limbs);
    words_get(u->one, f->one, u->limbs);
    mpz_setbit(t1, 64 * u->limbs);
    mpz_mod(t1, t1, u->m);
    if (mpz_cmp(t1, u->one) != 0 && mpz_cmp_ui(u->one, 1) != 0) {
        fprintf(stderr, "%s: one is neither R mod m nor 1\n", limbic_unit_name(id));
        abort();
    }
    mpz_set_ui(t1, 0);
    mpz_invert(u->one_inv, u->one, u->m);
    if (limbic_unit_class(id) != LIMBIC_CLASS_curve)
        return;
    const struct limbic_curve_desc *c = curve_of(id);
    const struct limbic_modulus *n = limbic_modulus((enum limbic_unit)c->order);
    words_get(u->n, n->m, n->limbs);
    get_plain(u, u->b, c->b);
    get_plain(u, u->gx, c->gx);
    get_plain(u, u->gy, c->gy);
    u->table_words = c->table_words;
    u->lanes_limbs = lanes[id].limbs;
    u->lanes_tight = lanes[id].tight;
    mpz_set_ui(t1, 0);
    mpz_setbit(t1, u->limbs == 4 ? 240 : 0);
    mpz_invert(u->lanes_one_inv, t1, u->m);
    mpz_set_ui(t1, 0);
}

static void sm3_check(void);

void oracle_init(void) {
    sm3_check();
    mpz_inits(t0, t1, t2, t3, NULL);
    for (unsigned i = 0; i < LIMBIC_UNITS; i++) {
        unit_fill(&units[i], i);
        if (max_bytes < 8 * units[i].table_words)
            max_bytes = 8 * units[i].table_words;
    }
    if (max_bytes < 8 * LIMBIC_MONT_MAX_LIMBS * MAX_MODULI)
        max_bytes = 8 * LIMBIC_MONT_MAX_LIMBS * MAX_MODULI;
    if (max_bytes < 128 * MAX_BLOCKS)
        max_bytes = 128 * MAX_BLOCKS;
    if (max_bytes < 16 * LIMBIC_MAX_LIMBS * MAX_MANY)
        max_bytes = 16 * LIMBIC_MAX_LIMBS * MAX_MANY;
}

const struct unit *unit_get(unsigned id) {
    return &units[id];
}

void unit_mont(struct unit *u, const mpz_t m, size_t limbs) {
    memset(u, 0, sizeof *u);
    u->id = LIMBIC_UNIT_mont;
    u->limbs = limbs;
    unit_init(u);
    mpz_set(u->m, m);
    mpz_setbit(u->one, 64 * limbs);
    mpz_mod(u->one, u->one, m);
    mpz_invert(u->one_inv, u->one, m);
    u->storage = malloc(8 * LIMBIC_MONT_STORAGE(limbs));
    if (!u->storage)
        abort();
    words_put(u->storage, m, limbs);
    words_put(u->storage + limbs, u->one, limbs);
    mpz_mul(t1, u->one, u->one);
    mpz_mod(t1, t1, m);
    words_put(u->storage + 2 * limbs, t1, limbs);
    mpz_set_ui(t1, 0);
    mpz_setbit(t1, 64);
    mpz_invert(t2, m, t1);
    mpz_sub(t2, t1, t2); /* m is odd: its inverse is not 0 */
    words_put(&u->x.n0, t2, 1);
    mpz_set_ui(t1, 0);
    u->x.limbs = limbs;
    u->x.m = u->storage;
    u->x.one = u->storage + limbs;
    u->x.rr = u->storage + 2 * limbs;
}

void unit_mont_clear(struct unit *u) {
    mpz_clears(u->m, u->one, u->one_inv, u->n, u->b, u->gx, u->gy, u->lanes_one_inv, NULL);
    free(u->storage);
}

const struct unit *unit_of(const struct unit *u, size_t i) {
    return i ? &u->more[i - 1] : u;
}

int is_exponent(char kind) {
    return kind == 'v' || kind == 'o' || kind == 'V';
}

/* ---- points ---- */

void point_init(struct point *p) {
    mpz_inits(p->x, p->y, NULL);
    p->infinite = 0;
}

void point_clear(struct point *p) {
    mpz_clears(p->x, p->y, NULL);
}

static void point_set(struct point *r, const struct point *a) {
    mpz_set(r->x, a->x);
    mpz_set(r->y, a->y);
    r->infinite = a->infinite;
}

void point_base(const struct unit *u, struct point *r) {
    mpz_set(r->x, u->gx);
    mpz_set(r->y, u->gy);
    r->infinite = 0;
}

void point_add(const struct unit *u, struct point *r, const struct point *a, const struct point *b) {
    if (a->infinite || b->infinite) {
        point_set(r, a->infinite ? b : a);
        return;
    }
    if (mpz_cmp(a->x, b->x) == 0) {
        if (mpz_cmp(a->y, b->y) != 0 || mpz_sgn(a->y) == 0) {
            r->infinite = 1;
            return;
        }
        mpz_mul(t0, a->x, a->x);
        mpz_sub_ui(t0, t0, 1);
        mpz_mul_ui(t0, t0, 3);
        mpz_mul_2exp(t1, a->y, 1);
    } else {
        mpz_sub(t0, b->y, a->y);
        mpz_sub(t1, b->x, a->x);
    }
    mpz_mod(t1, t1, u->m);
    mpz_invert(t1, t1, u->m);
    mpz_mul(t0, t0, t1);
    mpz_mod(t0, t0, u->m); /* slope */
    mpz_mul(t1, t0, t0);
    mpz_sub(t1, t1, a->x);
    mpz_sub(t1, t1, b->x);
    mpz_mod(t1, t1, u->m);
    mpz_sub(t2, a->x, t1);
    mpz_mul(t2, t2, t0);
    mpz_sub(t2, t2, a->y);
    mpz_mod(r->y, t2, u->m);
    mpz_set(r->x, t1);
    r->infinite = 0;
}

/* Double and add, of n - k and -a where that is shorter: all points have order n. */
void point_mul(const struct unit *u, struct point *r, const mpz_t k, const struct point *a) {
    struct point q;
    mpz_t small;
    mpz_init(small);
    point_init(&q);
    q.infinite = 1;
    mpz_sub(small, u->n, k);
    const int negative = mpz_sgn(small) >= 0 && mpz_cmp(small, k) < 0;
    if (!negative)
        mpz_set(small, k);
    for (size_t i = mpz_sizeinbase(small, 2); i-- > 0;) {
        point_add(u, &q, &q, &q);
        if (mpz_tstbit(small, i))
            point_add(u, &q, &q, a);
    }
    point_set(r, &q);
    if (negative)
        mpz_sub(r->y, u->m, r->y); /* no point of these curves has y = 0 */
    point_clear(&q);
    mpz_clear(small);
}

int point_lift(const struct unit *u, struct point *r, const mpz_t x, int odd) {
    mpz_mul(t0, x, x);
    mpz_sub_ui(t0, t0, 3);
    mpz_mul(t0, t0, x);
    mpz_add(t0, t0, u->b);
    mpz_mod(t0, t0, u->m);
    mpz_add_ui(t1, u->m, 1); /* all four primes are 3 mod 4 */
    mpz_fdiv_q_2exp(t1, t1, 2);
    mpz_powm(t2, t0, t1, u->m);
    mpz_mul(t1, t2, t2);
    mpz_mod(t1, t1, u->m);
    if (mpz_cmp(t1, t0) != 0)
        return 0;
    if (mpz_sgn(t2) != 0 && mpz_odd_p(t2) != (odd != 0))
        mpz_sub(t2, u->m, t2);
    mpz_set(r->x, x);
    mpz_set(r->y, t2);
    r->infinite = 0;
    return 1;
}

void point_get_affine(const struct unit *u, struct point *r, const uint64_t *a) {
    get_plain(u, r->x, a);
    get_plain(u, r->y, a + u->limbs);
    r->infinite = 0;
}

void point_put_affine(const struct unit *u, uint64_t *r, const struct point *p) {
    put_residue(u, r, p->x);
    put_residue(u, r + u->limbs, p->y);
}

void point_put_jacobian(const struct unit *u, uint64_t *r, const struct point *p, const mpz_t z) {
    size_t n = u->limbs;
    if (p->infinite) {
        point_put_affine(u, r, p);
        memset(r + 2 * n, 0, 8 * n);
        return;
    }
    words_put(r + 2 * n, z, n);
    get_plain(u, t1, r + 2 * n);
    mpz_mul(t2, t1, t1);
    mpz_mul(t3, p->x, t2);
    put_residue(u, r, t3);
    mpz_mul(t2, t2, t1);
    mpz_mul(t3, p->y, t2);
    put_residue(u, r + n, t3);
}

static void get_jacobian(const struct unit *u, struct point *r, const uint64_t *a) {
    get_plain(u, t1, a + 2 * u->limbs);
    r->infinite = mpz_sgn(t1) == 0;
    get_plain(u, r->x, a);
    get_plain(u, r->y, a + u->limbs);
    if (r->infinite)
        return;
    mpz_invert(t1, t1, u->m);
    mpz_mul(t2, t1, t1);
    mpz_mul(r->x, r->x, t2);
    mpz_mod(r->x, r->x, u->m);
    mpz_mul(t2, t2, t1);
    mpz_mul(r->y, r->y, t2);
    mpz_mod(r->y, r->y, u->m);
}

/* The form of a wanted point: x, y, and a word that tells whether it is finite. */
static void put_want(const struct unit *u, uint64_t *want, const struct point *p) {
    if (p->infinite)
        memset(want, 0, 16 * u->limbs);
    else
        point_put_affine(u, want, p);
    want[2 * u->limbs] = !p->infinite;
}

/* ---- one oracle for each token of ops.def ---- */

#define ORACLE(name)                                                                                         \
    static void oracle_##name(const struct unit *u, uint64_t *want, const uint64_t *const *in)

#define BINARY(name, formula)                                                                                \
    ORACLE(name) {                                                                                           \
        words_get(t0, in[1], u->limbs);                                                                      \
        words_get(t1, in[2], u->limbs);                                                                      \
        formula;                                                                                             \
        mpz_mod(t0, t0, u->m);                                                                               \
        words_put(want, t0, u->limbs);                                                                       \
    }
BINARY(add, mpz_add(t0, t0, t1))
BINARY(sub, mpz_sub(t0, t0, t1))
BINARY(mul, (mpz_mul(t0, t0, t1), mpz_mod(t0, t0, u->m), mpz_mul(t0, t0, u->one_inv)))

ORACLE(neg) {
    words_get(t0, in[1], u->limbs);
    mpz_neg(t0, t0);
    mpz_mod(t0, t0, u->m);
    words_put(want, t0, u->limbs);
}

ORACLE(sqr) {
    const uint64_t *twice[] = {NULL, in[1], in[1]};
    oracle_mul(u, want, twice);
}

ORACLE(inv) {
    words_get(t0, in[1], u->limbs);
    if (!mpz_invert(t0, t0, u->m))
        mpz_set_ui(t0, 0);
    mpz_mul(t0, t0, u->one);
    mpz_mod(t0, t0, u->m);
    mpz_mul(t0, t0, u->one);
    mpz_mod(t0, t0, u->m);
    words_put(want, t0, u->limbs);
}

/* A run-time modulus is a unit like the others. */
#define oracle_mont_add oracle_add
#define oracle_mont_sub oracle_sub
#define oracle_mont_mul oracle_mul
#define oracle_mont_sqr oracle_sqr

static void power(const struct unit *u, uint64_t *want, const uint64_t *a, const uint64_t *e, size_t bits) {
    get_plain(u, t0, a);
    words_get(t1, e, (bits + 63) / 64);
    mpz_fdiv_r_2exp(t1, t1, bits);
    mpz_powm(t0, t0, t1, u->m);
    put_residue(u, want, t0);
}

/* Eight products or sums of two, canonical. */
static void lanes_products(const struct unit *u, uint64_t *want, const uint64_t *const *in, int pairs) {
    for (size_t i = 0; i < 8; i++) {
        mpz_set_ui(t2, 0);
        for (int j = 0; j < pairs; j++) {
            lane_get(u, t0, in[1 + 2 * j], i);
            lane_get(u, t1, in[2 + 2 * j], i);
            mpz_addmul(t2, t0, t1);
        }
        mpz_mul(t2, t2, u->lanes_one_inv);
        mpz_mod(t2, t2, u->m);
        lane_put(u, want, t2, i);
    }
}

ORACLE(lanes_mul) {
    lanes_products(u, want, in, 1);
}
ORACLE(lanes_mul2) {
    lanes_products(u, want, in, 2);
}
ORACLE(lanes_sqr) {
    const uint64_t *twice[] = {NULL, in[1], in[1]};
    lanes_products(u, want, twice, 1);
}

ORACLE(mont_pow) {
    power(u, want, in[1], in[2], *in[3]);
}

ORACLE(mont_pow_many) {
    const size_t n = u->limbs, e_words = (*in[3] + 63) / 64;
    for (size_t i = 0; i < u->moduli; i++)
        power(unit_of(u, i), want + i * n, in[1] + i * n, in[2] + i * e_words, *in[3]);
}

ORACLE(mont_pow_public_many) {
    words_get(t1, in[2], (*in[3] + 63) / 64);
    mpz_fdiv_r_2exp(t1, t1, *in[3]);
    for (size_t i = 0; i < u->moduli; i++) {
        words_get(t0, in[1] + i * u->limbs, u->limbs);
        mpz_powm(t0, t0, t1, unit_of(u, i)->m);
        words_put(want + i * u->limbs, t0, u->limbs);
    }
}

/* want = u0 G + v q; no q: u0 G */
static void linear(const struct unit *u, uint64_t *want, const uint64_t *u0, const uint64_t *v,
                   const uint64_t *q) {
    struct point a, b;
    mpz_t k;
    mpz_init(k);
    point_init(&a);
    point_init(&b);
    a.infinite = 1;
    if (u0) {
        words_get(k, u0, u->limbs);
        point_base(u, &b);
        point_mul(u, &a, k, &b);
    }
    if (v) {
        words_get(k, v, u->limbs);
        point_get_affine(u, &b, q);
        point_mul(u, &b, k, &b);
        point_add(u, &a, &a, &b);
    }
    put_want(u, want, &a);
    point_clear(&a);
    point_clear(&b);
    mpz_clear(k);
}

ORACLE(base_mul) {
    linear(u, want, in[1], NULL, NULL);
}
ORACLE(point_mul) {
    linear(u, want, NULL, in[1], in[2]);
}
ORACLE(double_mul) {
    linear(u, want, in[1], in[2], in[3]);
}
ORACLE(prepared_mul) {
    linear(u, want, in[1], in[2], in[3]);
} /* a table starts with q itself */

/* n times the oracle of one */
static void each(const struct unit *u, uint64_t *want, const uint64_t *us, const uint64_t *vs,
                 const uint64_t *qs, const void *tables, uint64_t n) {
    const size_t w = u->limbs;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t one[2 * LIMBIC_MAX_LIMBS + 1];
        const uint64_t *q = qs ? qs + 2 * w * i : NULL;
        if (tables)
            memcpy(&q, (const char *)tables + i * sizeof q, sizeof q);
        linear(u, one, us ? us + w * i : NULL, vs ? vs + w * i : NULL, q);
        memcpy(want + 2 * w * i, one, 16 * w);
    }
}

ORACLE(base_mul_many) {
    each(u, want, in[1], NULL, NULL, NULL, *in[2]);
}
ORACLE(point_mul_many) {
    each(u, want, NULL, in[1], in[2], NULL, *in[3]);
}
ORACLE(double_mul_many) {
    each(u, want, in[1], in[2], in[3], NULL, *in[4]);
}
ORACLE(prepared_mul_many) {
    each(u, want, in[1], in[2], NULL, in[3], *in[4]);
}

ORACLE(point_add) {
    struct point a, b;
    point_init(&a);
    point_init(&b);
    get_jacobian(u, &a, in[1]);
    get_jacobian(u, &b, in[2]);
    point_add(u, &a, &a, &b);
    put_want(u, want, &a);
    point_clear(&a);
    point_clear(&b);
}

ORACLE(point_dbl) {
    const uint64_t *twice[] = {NULL, in[1], in[1]};
    oracle_point_add(u, want, twice);
}

/* The steps: elements of a (Z is a[2]), and of an affine point; H, R, U and the sum's X and Y. */
enum { STEP_X, STEP_Y, STEP_Z, STEP_W, STEP_BX, STEP_BY, STEP_H, STEP_R, STEP_U, STEP_VALUES };
static mpz_t steps[STEP_VALUES];

static void step_mul(const struct unit *u, mpz_t r, const mpz_t a, const mpz_t b) {
    mpz_mul(r, a, b);
    mpz_mod(r, r, u->m);
}

static void step_get(const struct unit *u, const uint64_t *const *in) {
    for (size_t i = 0; i < STEP_VALUES; i++)
        mpz_init(steps[i]);
    for (size_t i = 0; i < 4; i++)
        get_plain(u, steps[i], in[1] + i * u->limbs);
    for (size_t i = 0; in[2] && i < 2; i++)
        get_plain(u, steps[STEP_BX + i], in[2] + i * u->limbs);
}

static void step_put(const struct unit *u, uint64_t *want) {
    for (size_t i = 0; i < 4; i++)
        put_residue(u, want + i * u->limbs, steps[i]);
    for (size_t i = 0; i < STEP_VALUES; i++)
        mpz_clear(steps[i]);
}

/* zz, zzz: what b.x and b.y are multiplied by; X and Y become the sum's */
static void step_chord(const struct unit *u, const mpz_t zz, const mpz_t zzz) {
    mpz_mul(t1, steps[STEP_BX], zz);
    mpz_sub(steps[STEP_H], t1, steps[STEP_X]);
    mpz_mul(t1, steps[STEP_BY], zzz);
    mpz_sub(steps[STEP_R], t1, steps[STEP_Y]);
    step_mul(u, t1, steps[STEP_H], steps[STEP_H]);
    step_mul(u, t2, t1, steps[STEP_H]);
    step_mul(u, steps[STEP_U], t1, steps[STEP_X]);
    mpz_mul(t1, steps[STEP_R], steps[STEP_R]);
    mpz_sub(t1, t1, t2);
    mpz_submul_ui(t1, steps[STEP_U], 2);
    mpz_mod(steps[STEP_X], t1, u->m);
    mpz_sub(t1, steps[STEP_U], steps[STEP_X]);
    mpz_mul(t1, t1, steps[STEP_R]);
    mpz_submul(t1, steps[STEP_Y], t2);
    mpz_mod(steps[STEP_Y], t1, u->m);
}

ORACLE(xyzz_add) {
    step_get(u, in);
    step_chord(u, steps[STEP_Z], steps[STEP_W]);
    step_mul(u, t1, steps[STEP_H], steps[STEP_H]);
    step_mul(u, steps[STEP_Z], steps[STEP_Z], t1);
    step_mul(u, t1, t1, steps[STEP_H]);
    step_mul(u, steps[STEP_W], steps[STEP_W], t1);
    step_put(u, want);
}

ORACLE(scaled_add) {
    mpz_t zz, zzz;
    mpz_inits(zz, zzz, NULL);
    step_get(u, in);
    step_mul(u, zz, steps[STEP_Z], steps[STEP_Z]);
    step_mul(u, zzz, zz, steps[STEP_Z]);
    step_chord(u, zz, zzz);
    step_mul(u, steps[STEP_Z], steps[STEP_Z], steps[STEP_H]);
    mpz_powm_ui(t1, steps[STEP_H], 4, u->m);
    step_mul(u, steps[STEP_W], steps[STEP_W], t1);
    step_put(u, want);
    mpz_clears(zz, zzz, NULL);
}

ORACLE(scaled_dbl) {
    const uint64_t *const alone[MAX_ARGS] = {NULL, in[1]};
    step_get(u, alone);
    mpz_mul(t1, steps[STEP_X], steps[STEP_X]);
    mpz_sub(t1, t1, steps[STEP_W]);
    mpz_mul_ui(t1, t1, 3);
    mpz_mod(t1, t1, u->m);
    if (mpz_odd_p(t1))
        mpz_add(t1, t1, u->m);
    mpz_fdiv_q_2exp(steps[STEP_R], t1, 1); /* N */
    step_mul(u, steps[STEP_H], steps[STEP_Y], steps[STEP_Y]);
    step_mul(u, steps[STEP_U], steps[STEP_X], steps[STEP_H]); /* D */
    step_mul(u, steps[STEP_H], steps[STEP_H], steps[STEP_H]); /* Y^4 */
    step_mul(u, steps[STEP_Z], steps[STEP_Z], steps[STEP_Y]);
    step_mul(u, steps[STEP_W], steps[STEP_W], steps[STEP_H]);
    mpz_mul(t1, steps[STEP_R], steps[STEP_R]);
    mpz_submul_ui(t1, steps[STEP_U], 2);
    mpz_mod(steps[STEP_X], t1, u->m);
    mpz_sub(t1, steps[STEP_U], steps[STEP_X]);
    mpz_mul(t1, t1, steps[STEP_R]);
    mpz_sub(t1, t1, steps[STEP_H]);
    mpz_mod(steps[STEP_Y], t1, u->m);
    step_put(u, want);
}

ORACLE(to_affine) {
    struct point a;
    point_init(&a);
    get_jacobian(u, &a, in[1]);
    put_want(u, want, &a);
    point_clear(&a);
}

ORACLE(sha256) {
    SHA256_CTX c;
    SHA256_Init(&c);
    memcpy(c.h, in[0], sizeof c.h);
    for (uint64_t i = 0; i < *in[2]; i++)
        SHA256_Transform(&c, (const uint8_t *)in[1] + 64 * i);
    memcpy(want, c.h, sizeof c.h);
    (void)u;
}

ORACLE(sha512) {
    SHA512_CTX c;
    SHA512_Init(&c);
    memcpy(c.h, in[0], sizeof c.h);
    for (uint64_t i = 0; i < *in[2]; i++)
        SHA512_Transform(&c, (const uint8_t *)in[1] + 128 * i);
    memcpy(want, c.h, sizeof c.h);
    (void)u;
}

/* SM3 word by word as GB/T 32905 section 5.3 has it; libcrypto shows no compression function. */
static void sm3_block(uint32_t *v, const uint8_t *b) {
    uint32_t w[68], r[8];
#define ROL(x, n) ((n) % 32 ? (x) << (n) % 32 | (x) >> (32 - (n) % 32) : (x))
#define P1(x)     ((x) ^ ROL(x, 15) ^ ROL(x, 23))
    for (unsigned j = 0; j < 16; j++)
        w[j] = (uint32_t)b[4 * j] << 24 | (uint32_t)b[4 * j + 1] << 16 | (uint32_t)b[4 * j + 2] << 8 |
               b[4 * j + 3];
    for (unsigned j = 16; j < 68; j++)
        w[j] = P1(w[j - 16] ^ w[j - 9] ^ ROL(w[j - 3], 15)) ^ ROL(w[j - 13], 7) ^ w[j - 6];
    memcpy(r, v, sizeof r);
    for (unsigned j = 0; j < 64; j++) {
        const uint32_t a = r[0], b1 = r[1], c = r[2], e = r[4], f = r[5], g = r[6];
        const uint32_t t = j < 16 ? UINT32_C(0x79cc4519) : UINT32_C(0x7a879d8a);
        const uint32_t sum = ROL(a, 12) + e + ROL(t, j), ss1 = ROL(sum, 7), ss2 = ss1 ^ ROL(a, 12);
        const uint32_t ff = j < 16 ? a ^ b1 ^ c : (a & b1) | (a & c) | (b1 & c);
        const uint32_t gg = j < 16 ? e ^ f ^ g : (e & f) | (~e & g);
        const uint32_t tt1 = ff + r[3] + ss2 + (w[j] ^ w[j + 4]), tt2 = gg + r[7] + ss1 + w[j];
        memmove(r + 1, r, 7 * sizeof *r);
        r[0] = tt1;
        r[2] = ROL(b1, 9);
        r[4] = tt2 ^ ROL(tt2, 9) ^ ROL(tt2, 17);
        r[6] = ROL(f, 19);
    }
#undef ROL
#undef P1
    for (unsigned j = 0; j < 8; j++)
        v[j] ^= r[j];
}

static void put_be32(uint8_t *p, uint32_t x) {
    for (int i = 3; i >= 0; i--, x >>= 8)
        p[i] = (uint8_t)x;
}

/* That it is libcrypto's SM3, on one block. */
static void sm3_check(void) {
    uint32_t v[8] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                     0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};
    uint8_t block[64] = "The quick brown fox jumps over the lazy dog\x80", want[32], got[32];
    const size_t n = 43;
    put_be32(block + 60, 8 * (uint32_t)n);
    sm3_block(v, block);
    for (size_t i = 0; i < 8; i++)
        put_be32(got + 4 * i, v[i]);
    if (!EVP_Digest(block, n, want, NULL, EVP_sm3(), NULL) || memcmp(got, want, sizeof want) != 0) {
        fprintf(stderr, "the oracle's SM3 is not libcrypto's\n");
        abort();
    }
}

ORACLE(sm3) {
    uint32_t v[8];
    memcpy(v, in[0], sizeof v);
    for (uint64_t i = 0; i < *in[2]; i++)
        sm3_block(v, (const uint8_t *)in[1] + 64 * i);
    memcpy(want, v, sizeof v);
    (void)u;
}

/* The oracle of one stream, for each of many. */
static void many(const struct unit *u, uint64_t *want, const uint64_t *const *in, size_t words, unsigned op,
                 void (*one)(const struct unit *, uint64_t *, const uint64_t *const *)) {
    for (size_t i = 0; i < *in[3]; i++) {
        uint64_t blocks[16 * MAX_STREAM_BLOCKS];
        const uint64_t *stream[] = {in[0] + words * i, blocks, in[2]};
        memcpy(blocks, (const uint8_t *)in[4] + stream_at(op_infos[op].shape, in, i), 16 * words * *in[2]);
        one(u, want + words * i, stream);
    }
}
ORACLE(sha256_many) {
    many(u, want, in, 4, LIMBIC_OP_hash_sha256_many, oracle_sha256);
}
ORACLE(sha512_many) {
    many(u, want, in, 8, LIMBIC_OP_hash_sha512_many, oracle_sha512);
}
ORACLE(sm3_many) {
    many(u, want, in, 4, LIMBIC_OP_hash_sm3_many, oracle_sm3);
}

ORACLE(sm3_stream) {
    for (uint64_t i = 0; i < *in[4]; i++) {
        uint32_t v[8];
        uint8_t block[64] = {0};
        memcpy(v, in[1], sizeof v);
        put_be32(block, (uint32_t)(*in[3] + i));
        block[4] = 0x80;
        put_be32(block + 60, (uint32_t)*in[2]);
        sm3_block(v, block);
        for (size_t j = 0; j < 8; j++)
            put_be32((uint8_t *)want + 32 * i + 4 * j, v[j]);
    }
    (void)u;
}

/* Entry j of window i is (2j + 1) 2^(w i) q. The window w is the one with which table_words entries cover n.
 */
ORACLE(prepare) {
    size_t entries = u->table_words / (2 * u->limbs), bits = mpz_sizeinbase(u->n, 2), w = 1;
    while (((entries >> (w - 1)) * w > bits + 2 * w || (entries >> (w - 1)) << (w - 1) != entries) && w < 16)
        w++;
    if ((entries >> (w - 1)) * w < bits) {
        fprintf(stderr, "%s: no window has a table of %zu points\n", limbic_unit_name(u->id), entries);
        abort();
    }
    struct point row, twice, p;
    point_init(&row);
    point_init(&twice);
    point_init(&p);
    point_get_affine(u, &row, in[1]);
    for (size_t i = 0; i < entries; i++) {
        if (i % ((size_t)1 << (w - 1)) == 0) {
            for (size_t j = 0; i && j < w; j++)
                point_add(u, &row, &row, &row);
            point_set(&p, &row);
            point_add(u, &twice, &row, &row);
        } else {
            point_add(u, &p, &p, &twice);
        }
        point_put_affine(u, want + 2 * u->limbs * i, &p);
    }
    point_clear(&row);
    point_clear(&twice);
    point_clear(&p);
}

ORACLE(divsteps) {
    int64_t zeta = (int64_t)*in[1], u0 = 1, v0 = 0, q0 = 0, r0 = 1;
    mpz_t f, g;
    mpz_inits(f, g, NULL);
    words_get(f, in[2], 1);
    words_get(g, in[3], 1);
    for (int i = 0; i < 60; i++) {
        if (mpz_odd_p(g) && zeta < 0) { /* delta > 0 */
            const int64_t a = u0, b = v0;
            mpz_swap(f, g);
            mpz_sub(g, f, g);
            u0 = q0;
            v0 = r0;
            q0 -= a;
            r0 -= b;
            zeta = -zeta - 2;
        } else {
            if (mpz_odd_p(g)) {
                mpz_add(g, g, f);
                q0 += u0;
                r0 += v0;
            }
            zeta--;
        }
        mpz_fdiv_q_2exp(g, g, 1);
        u0 *= 2;
        v0 *= 2;
    }
    const int64_t all[5] = {u0, v0, q0, r0, zeta};
    memcpy(want, all, sizeof all);
    mpz_clears(f, g, NULL);
    (void)u;
}

/* ---- shapes and comparison ---- */

#define SHAPE_fe2             "ee"
#define SHAPE_fe3             "eee"
#define SHAPE_lanes2          "ll"
#define SHAPE_lanes3          "lll"
#define SHAPE_lanes5          "lllll"
#define SHAPE_pt_k            "pk"
#define SHAPE_pt_k_aff        "pka"
#define SHAPE_pt_pt           "pp"
#define SHAPE_pt_pt_pt        "ppp"
#define SHAPE_pt4             "qq"
#define SHAPE_pt4_aff         "qqa"
#define SHAPE_aff_pt          "ap"
#define SHAPE_pt_k_k_aff      "pkka"
#define SHAPE_tab_aff         "ta"
#define SHAPE_pt_k_k_tab      "pkkt"
#define SHAPE_affs_ks         "AKn"
#define SHAPE_affs_ks_affs    "AKAn"
#define SHAPE_affs_ks_ks_affs "AKKAn"
#define SHAPE_affs_ks_ks_tabs "AKKTn"
#define SHAPE_mont2           "eex"
#define SHAPE_mont3           "eeex"
#define SHAPE_mont4           "eevnx"
#define SHAPE_mont_public     "eeonx"
#define SHAPE_mont_many       "EEVnXN"
#define SHAPE_mont_publics    "EEonXN"
#define SHAPE_divsteps        "gnnn"
#define SHAPE_hash32          "sbn"
#define SHAPE_hash64          "wcn"
#define SHAPE_hash_stream     "ysddn"
#define SHAPE_hash32_many     "SPnnm"
#define SHAPE_hash64_many     "WQnnm"

/* Words that are not among these do not compile. */
enum { timing_ct = 0, timing_vartime = 1 };

const struct op_info op_infos[LIMBIC_OPS] = {
#define OP(class, name, signature, representation, input, output, aliasing, timing, oracle)                  \
    [LIMBIC_OP_##class##_##                                                                                  \
        name] = {SHAPE_##signature, oracle_##oracle, (aliasing)[0] == 'a', timing_##timing},
#include "dispatch/ops.def"
};

void lane_get(const struct unit *u, mpz_t r, const uint64_t *a, size_t lane) {
    mpz_set_ui(r, 0);
    for (size_t j = u->lanes_limbs; j-- > 0;) {
        mpz_mul_2exp(r, r, 48);
        mpz_add_ui(r, r, a[8 * j + lane]);
    }
}

void lane_put(const struct unit *u, uint64_t *r, const mpz_t a, size_t lane) {
    mpz_set(t3, a);
    for (size_t j = 0; j < u->lanes_limbs; j++) {
        r[8 * j + lane] = mpz_get_ui(t3);
        if (j + 1 < u->lanes_limbs)
            r[8 * j + lane] &= (UINT64_C(1) << 48) - 1;
        mpz_fdiv_q_2exp(t3, t3, 48);
    }
}

uint64_t lanes_bound(const struct unit *u, unsigned op, int place, size_t j) {
    static const uint8_t mul2[] = {1, 3, 3, 2, 2};
    return u->lanes_tight[j] * (op == LIMBIC_OP_lanes_lanes_mul2 ? mul2[place] : place ? 4 : 1);
}

uint64_t operand_count(const char *shape, const uint64_t *const *in) {
    const char *last = strrchr(shape, 'n');
    return last ? *in[last - shape] : 0;
}

size_t stream_at(const char *shape, const uint64_t *const *in, size_t i) {
    const size_t last = STREAM_MEMORY - (shape[1] == 'Q' ? 128 : 64) * *in[2];
    return last - in[1][i] % (last + 1);
}

int is_state(const char *shape) {
    return strchr("swSW", shape[0]) != NULL;
}

size_t operand_bytes(const struct unit *u, char kind, uint64_t count) {
    switch (kind) {
    case 'e':
    case 'k':
        return 8 * u->limbs;
    case 'l':
        return 64 * u->lanes_limbs;
    case 'a':
        return 16 * u->limbs;
    case 'E':
        return 8 * u->limbs * u->moduli;
    case 'X':
        return 8 * u->moduli;
    case 'p':
        return 24 * u->limbs;
    case 'q':
        return 32 * u->limbs;
    case 't':
        return 8 * u->table_words;
    case 'K':
        return 8 * u->limbs * count;
    case 'A':
        return 16 * u->limbs * count;
    case 'T':
        return sizeof(uint64_t *) * count;
    case 'v':
    case 'o':
        return (count + 63) / 64 * 8;
    case 'g':
        return 40;
    case 'V':
        return (count + 63) / 64 * 8 * u->moduli;
    case 's':
        return 32;
    case 'w':
        return 64;
    case 'b':
        return 64 * count;
    case 'c':
        return 128 * count;
    case 'y':
    case 'S':
        return 32 * count;
    case 'W':
        return 64 * count;
    case 'P':
    case 'Q':
        return 8 * count;
    case 'm':
        return STREAM_MEMORY;
    default:
        return 8;
    }
}

size_t operand_max(void) {
    return max_bytes;
}

static int all_below(const struct unit *u, const uint64_t *a, size_t count) {
    for (size_t i = 0; i < count; i++) {
        words_get(t0, a + i * u->limbs, u->limbs);
        if (mpz_cmp(t0, u->m) >= 0)
            return 0;
    }
    return 1;
}

int same_result(const struct unit *u, char kind, uint64_t count, const uint64_t *want, const uint64_t *got,
                uint64_t ret) {
    size_t n = u->limbs;
    for (size_t i = 0; kind == 'l' && i < 8; i++) { /* congruent, and within the bound */
        for (size_t j = 0; j < u->lanes_limbs; j++)
            if (got[8 * j + i] > u->lanes_tight[j])
                return 0;
        lane_get(u, t0, got, i);
        lane_get(u, t1, want, i);
        if (!mpz_congruent_p(t0, t1, u->m))
            return 0;
    }
    if (kind == 'l')
        return 1;
    if (kind == 'p') {
        uint64_t xy[2 * LIMBIC_MAX_LIMBS];
        struct point p;
        if (!all_below(u, got, 3))
            return 0;
        point_init(&p);
        get_jacobian(u, &p, got);
        point_put_affine(u, xy, &p);
        int infinite = p.infinite;
        point_clear(&p);
        return infinite ? !want[2 * n] : want[2 * n] && memcmp(xy, want, 16 * n) == 0;
    }
    if (kind == 'a' && ret != want[2 * n])
        return 0;
    return memcmp(got, want, operand_bytes(u, kind, count)) == 0;
}
