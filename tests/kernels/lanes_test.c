/*
 * What src/field/lanes.h has beside products, against GMP: residues to lanes and back, sums, carries, zero, selection;
 * compiled per (ENGINE_UNIT, ENGINE_ISA), called by test_lanes.c. Operands reach every size that lanes.h allows.
 */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dispatch/dispatch.h"
#include "field/lanes.h"
#include "tests/check.h"

#define NAME_(unit, isa) lanes_test_##unit##_##isa
#define NAME(unit, isa)  NAME_(unit, isa)
#define LANES_TEST       NAME(ENGINE_UNIT, ENGINE_ISA)

enum { STRIDE = LFE_WORDS + 3, ROUNDS = 3000, SIZE = 15 };

static uint64_t state = 1;
static uint64_t next(void) { /* splitmix64 */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static mpz_t m, F, R_inverse; /* a stands as a F in lanes, as a R in residues */

static void get(mpz_t z, const lfe *a, int lane) { /* the element of a lane */
    uint64_t limbs[8 * LFE_LIMBS];
    memcpy(limbs, a, sizeof limbs);
    mpz_set_ui(z, 0);
    for (int j = LFE_LIMBS; j-- > 0;) {
        mpz_mul_2exp(z, z, 48);
        mpz_add_ui(z, z, limbs[8 * j + lane]);
    }
}

static int within(const lfe *a, unsigned size) {
    uint64_t limbs[8 * LFE_LIMBS];
    memcpy(limbs, a, sizeof limbs);
    for (int j = 0; j < 8 * LFE_LIMBS; j++)
        if (limbs[j] > size * LANES_CONST(lanes_tight)[j / 8])
            return 0;
    return 1;
}

/* Any limbs of a size; some lanes a multiple of m. */
static void make(lfe *r, unsigned size) {
    uint64_t limbs[8 * LFE_LIMBS];
    for (int j = 0; j < 8 * LFE_LIMBS; j++) {
        const uint64_t bound = size * LANES_CONST(lanes_tight)[j / 8];
        limbs[j] = next() % 4 == 0 ? bound : next() % 4 == 0 ? 0 : next() % (bound + 1);
    }
    for (int lane = 0; lane < 8; lane++)
        if (next() % 4 == 0) { /* about 2^bits, often by a carry out of all limbs */
            const uint64_t top = (UINT64_C(1) << LFE_TOP_BITS) - 1, limb = (UINT64_C(1) << LFE_BITS) - 1;
            for (int j = 0; j < LFE_LIMBS; j++)
                limbs[8 * j + lane] = (j + 1 < LFE_LIMBS ? limb : top) + (next() % 8 == 0);
        }
    for (int lane = 0; lane < 8; lane++)
        if (next() % 4 == 0) {
            mpz_t z;
            mpz_init_set(z, m);
            mpz_mul_ui(z, z, next() % 2);
            for (int j = 0; j < LFE_LIMBS; j++) {
                mpz_t limb;
                mpz_init(limb);
                mpz_fdiv_r_2exp(limb, z, j + 1 < LFE_LIMBS ? 48 : 64);
                limbs[8 * j + lane] = mpz_get_ui(limb);
                mpz_fdiv_q_2exp(z, z, 48);
                mpz_clear(limb);
            }
            mpz_clear(z);
        }
    memcpy(r, limbs, sizeof limbs);
}

static void same(const lfe *r, const mpz_t want, int lane, const char *what) {
    mpz_t z;
    mpz_init(z);
    get(z, r, lane);
    check(mpz_congruent_p(z, want, m), "%s in lane %d", what, lane);
    mpz_clear(z);
}

static void residues(unsigned round) {
    uint64_t words[8 * STRIDE], back[8 * STRIDE];
    lfe a;
    mpz_t z[8], t;
    mpz_init(t);
    for (int lane = 0; lane < 8; lane++) {
        uint64_t w[LFE_WORDS];
        mpz_init(z[lane]);
        for (int j = 0; j < LFE_WORDS; j++)
            w[j] = next() % 3 ? next() : next() % 2 ? UINT64_MAX : 0;
        mpz_import(z[lane], LFE_WORDS, -1, 8, 0, 0, w);
        if (next() % 4 == 0)
            mpz_set_si(z[lane], (long)(next() % 5) - 2);
        mpz_mod(z[lane], z[lane], m);
        memset(words + STRIDE * lane, 0, 8 * STRIDE);
        mpz_export(words + STRIDE * lane, NULL, -1, 8, 0, 0, z[lane]);
    }
    lanes_from_residues(&a, words, STRIDE);
    check(within(&a, 1), "from_residues gives tight");
    for (int lane = 0; lane < 8; lane++) {
        mpz_mul(t, z[lane], R_inverse);
        mpz_mul(t, t, F);
        same(&a, t, lane, "from_residues");
    }
    memset(back, 0x5c, sizeof back);
    if (round % 2) { /* another representative, up to the size that is allowed */
        lfe zero;
        make(&zero, 1);
        lanes_sub(&zero, &zero, &zero); /* a multiple of m */
        for (int i = 0; i < 3; i++)
            lanes_add(&a, &a, &zero);
        check(within(&a, 7), "three times size 2 and 1");
    }
    lanes_to_residues(back, STRIDE, &a);
    for (int lane = 0; lane < 8; lane++) {
        check(memcmp(back + STRIDE * lane, words + STRIDE * lane, 8 * LFE_WORDS) == 0,
              "to_residues in lane %d", lane);
        for (int j = LFE_WORDS; j < STRIDE; j++)
            check(back[STRIDE * lane + j] == UINT64_C(0x5c5c5c5c5c5c5c5c), "to_residues wrote beside");
        mpz_clear(z[lane]);
    }
    mpz_clear(t);
}

static void sums(void) {
    const unsigned a_size = 1 + (unsigned)(next() % 13), n = 1 + (unsigned)(next() % ((SIZE - a_size) / 2));
    const v8_mask mask = (v8_mask)next();
    lfe a, b, c, d, sum, difference, wide, negative, carried, chosen, two;
    v8_mask zero;
    mpz_t x, y, t;
    mpz_inits(x, y, t, NULL);
    make(&a, a_size);
    make(&b, n);
    make(&c, 1);
    make(&d, SIZE);
    lanes_add(&sum, &a, &c);
    lanes_sub(&difference, &a, &c);
    lanes_sub_n(&wide, &a, &b, n);
    lanes_neg(&negative, &c);
    lanes_carry(&carried, &d);
    lanes_select(&chosen, mask, &a, &b);
    lanes_mul2(&two, &c, &carried, &negative, &c);
    zero = lanes_is_zero_mask(&c);
    check(within(&sum, a_size + 1) && within(&difference, a_size + 2) && within(&wide, a_size + 2 * n) &&
              within(&negative, 2) && within(&carried, 1) && within(&two, 1),
          "sizes");
    for (int lane = 0; lane < 8; lane++) {
        get(x, &a, lane);
        get(y, &c, lane);
        mpz_add(t, x, y);
        same(&sum, t, lane, "add");
        mpz_sub(t, x, y);
        same(&difference, t, lane, "sub");
        mpz_neg(t, y);
        same(&negative, t, lane, "neg");
        check(((zero >> lane & 1) != 0) == (mpz_divisible_p(y, m) != 0), "is_zero_mask in lane %d", lane);
        get(t, &d, lane);
        same(&carried, t, lane, "carry");
        mpz_sub(t, t, y); /* c (d - c) */
        mpz_mul(t, t, y);
        mpz_invert(y, F, m);
        mpz_mul(t, t, y);
        same(&two, t, lane, "mul2");
        get(y, &b, lane);
        mpz_sub(t, x, y);
        same(&wide, t, lane, "sub_n");
        same(&chosen, mask >> lane & 1 ? x : y, lane, "select");
    }
    mpz_clears(x, y, t, NULL);
}

/* Lanes to other places, and digits out of a word. */
static void orders(void) {
    lfe a, b, one, two;
    uint64_t order[8], x[2][8 * LFE_LIMBS], r[2][8 * LFE_LIMBS], word = next(), shifted[8];
    for (int i = 0; i < 8; i++)
        order[i] = next() % 16;
#define ORDER_OF(n)                                                                                          \
    V8_ORDER(order[0] % n, order[1] % n, order[2] % n, order[3] % n, order[4] % n, order[5] % n,             \
             order[6] % n, order[7] % n)
    make(&a, SIZE);
    make(&b, SIZE);
    lanes_permute(&one, &a, ORDER_OF(8));
    lanes_permute2(&two, &a, &b, ORDER_OF(16));
    v8_scatter(shifted, 1, v8_srl_each(v8_set1(word), ORDER_OF(16)));
    memcpy(x[0], &a, sizeof a);
    memcpy(x[1], &b, sizeof b);
    memcpy(r[0], &one, sizeof one);
    memcpy(r[1], &two, sizeof two);
    for (int i = 0; i < 8; i++) {
        const int from = (int)order[i] % 8;
        int right = shifted[i] == word >> order[i];
        for (int j = 0; j < LFE_LIMBS; j++)
            right &=
                r[0][8 * j + i] == x[0][8 * j + from] && r[1][8 * j + i] == x[order[i] / 8][8 * j + from];
        check(right, "permute, permute2 or srl_each in lane %d", i);
    }
}

void LANES_TEST(unsigned long counts[2]);
void LANES_TEST(unsigned long counts[2]) {
    mpz_inits(m, F, R_inverse, NULL);
    mpz_import(m, LFE_WORDS, -1, 8, 0, 0, LANES_CONST(m));
    mpz_setbit(F, LFE_WORDS == 4 ? 240 : 0);
    mpz_setbit(R_inverse, LANES_IS(p521) ? 0 : 64 * LFE_WORDS);
    mpz_invert(R_inverse, R_inverse, m);
    for (unsigned round = 0; round < ROUNDS; round++) {
        residues(round);
        sums();
        orders();
    }
    mpz_clears(m, F, R_inverse, NULL);
    counts[0] += passed;
    counts[1] += failed;
}
