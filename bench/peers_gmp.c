/* peer/gmp/<field>/<op>: what a program with GMP and nothing else would do, operands in place. */
#include "bench.h"

#include <gmp.h>
#include <stdio.h>

enum { SETS = 8 };

struct peer {
    mp_size_t limbs;
    mp_limb_t *m, *a, *b, *r, *wide, *quotient;
    mpz_t modulus, x[SETS], inverse, power;
};

static void reduce(struct peer *p, size_t s) {
    mpn_tdiv_qr(p->quotient, p->r + s, 0, p->wide, 2 * p->limbs, p->m, p->limbs);
}

static void mul(void *arg, size_t count) {
    struct peer *p = arg;
    for (size_t i = 0; i < count; i++) {
        size_t s = i % SETS * (size_t)p->limbs;
        mpn_mul_n(p->wide, p->a + s, p->b + s, p->limbs);
        reduce(p, s);
    }
}

static void sqr(void *arg, size_t count) {
    struct peer *p = arg;
    for (size_t i = 0; i < count; i++) {
        size_t s = i % SETS * (size_t)p->limbs;
        mpn_sqr(p->wide, p->a + s, p->limbs);
        reduce(p, s);
    }
}

static void inv(void *arg, size_t count) {
    struct peer *p = arg;
    for (size_t i = 0; i < count; i++)
        if (!mpz_invert(p->inverse, p->x[i % SETS], p->modulus))
            bench_fail("mpz_invert: no inverse");
}

/* In constant time, as the row beside it. */
static void power(void *arg, size_t count) {
    struct peer *p = arg;
    for (size_t i = 0; i < count; i++)
        mpz_powm_sec(p->power, p->x[i % SETS], p->x[(i + 1) % SETS], p->modulus);
}

void bench_peers_gmp(void) {
    static const struct {
        const char *name;
        void (*fn)(void *, size_t);
        int mont; /* for moduli of run-time length only */
    } ops[] = {{"mul", mul, 0}, {"sqr", sqr, 0}, {"inv", inv, 0}, {"pow", power, 1}};
    const struct bench_field *f;
    _Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t), "limbs of 64 bits");
    bench_context("gmp_version", gmp_version);
    for (size_t j = 0; (f = bench_field(j)) != NULL; j++) {
        struct peer *p = bench_alloc(sizeof *p);
        size_t limbs = f->limbs, bytes = limbs * sizeof(mp_limb_t);
        uint64_t words[64];
        p->limbs = (mp_size_t)limbs;
        p->m = bench_alloc(bytes);
        p->a = bench_alloc(SETS * bytes);
        p->b = bench_alloc(SETS * bytes);
        p->r = bench_alloc(SETS * bytes);
        p->wide = bench_alloc(2 * bytes);
        p->quotient = bench_alloc(bytes + sizeof(mp_limb_t));
        for (size_t i = 0; i < limbs; i++)
            p->m[i] = f->m[i];
        mpz_init(p->inverse);
        mpz_init(p->power);
        mpz_init(p->modulus);
        mpz_import(p->modulus, limbs, -1, sizeof(uint64_t), 0, 0, f->m);
        for (size_t s = 0; s < SETS; s++) {
            mpz_init(p->x[s]);
            do {
                bench_random_below(words, f->m, limbs);
                mpz_import(p->x[s], limbs, -1, sizeof(uint64_t), 0, 0, words);
            } while (!mpz_invert(p->inverse, p->x[s], p->modulus));
            for (size_t i = 0; i < limbs; i++)
                p->a[s * limbs + i] = p->b[(SETS - 1 - s) * limbs + i] = words[i];
        }
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            struct bench_row row = {.fn = ops[i].fn, .arg = p};
            if (ops[i].mont && f->unit != LIMBIC_UNIT_mont)
                continue;
            BENCH_NAME(&row, "peer/gmp/%s/%s", f->name, ops[i].name);
            BENCH_GROUP(&row, "kernel/%s/%s", f->name, ops[i].name);
            bench_add(&row);
        }
    }
}
