/*
 * Powers modulo odd numbers of run-time length in AVX-512 IFMA: of one modulus, or of two of the same length, whose steps alternate
 * so that one has the time of the other's latency.
 *
 * A number is N limbs of 52 bits in L vectors of 8 lanes: limb v + L l stands in lane l of vector v. The next limb is the next
 * vector's, in the same lane (the last vector's: the first one's, a lane up). So a sum moves down by a limb by renaming its vectors, and carries run
 * in all lanes at once.
 *
 * Products are Montgomery's by R' = 2^(52 N), with m <= R'/16: of operands with a b <= m R' - which those below 3m are - the result is below a b / R' + 2m, so
 * below 3m again, and nothing is subtracted before the end. Limbs are below 2^52 always (the multiplier looks at no more).
 *
 * Constant time: branches and addresses depend on lengths alone (pow_public: on the exponent too). What is left of secrets on
 * the stack is wiped.
 */
#include "asm/x86_64/ifma/mont52.h"
/* The products' frames, of up to 13 KiB in eight lanes, stand below those of powers with their tables: so powers wipe there themselves, 20 KiB. */
enum { BELOW = 8192 };
#include "asm/x86_64/ifma/mont_eight.h"

enum { MAX_L = MAX_LIMBS / LANES, WINDOW = 5, ENTRIES = 1 << WINDOW };

LIMBIC_INLINE vec lanes_up(vec a) {
    return _mm512_alignr_epi64(a, zero(), LANES - 1);
}
LIMBIC_INLINE vec lanes_down(vec a) {
    return _mm512_alignr_epi64(zero(), a, 1);
}
LIMBIC_INLINE vec lane0(vec a) {
    return _mm512_broadcastq_epi64(_mm512_castsi512_si128(a));
}

/*
 * Makes all limbs less than 2^52; the value stays, and fits. First every limb hands its carry on: then it is below 2^52 + 2^12, and the carries that are left
 * are 0 or 1. One that comes into a lane leaves it again if all its limbs are LIMB_MAX; else the lane makes its own or none.
 */
LIMBIC_INLINE void normalise(vec *w, const int L) {
    const vec max = all(LIMB_MAX);
    vec carry[MAX_L];
    unsigned made[MAX_L], passed[MAX_L], c = 0, through = (1 << LANES) - 1; /* a bit a lane */
    UNROLL
    for (int v = 0; v < L; v++) {
        carry[v] = _mm512_srli_epi64(w[v], BITS);
        w[v] = _mm512_and_si512(w[v], max);
    }
    w[0] = add(w[0], lanes_up(carry[L - 1]));
    UNROLL
    for (int v = 1; v < L; v++)
        w[v] = add(w[v], carry[v - 1]);
    UNROLL
    for (int v = 0; v < L; v++) {
        made[v] = _mm512_cmpgt_epu64_mask(w[v], max);
        passed[v] = _mm512_cmpeq_epu64_mask(w[v], max);
        c = made[v] | (passed[v] & c);
        through &= passed[v];
    }
    c = (2 * c + through) ^ through; /* the carries into the lanes: an addition runs through them */
    UNROLL
    for (int v = 0; v < L; v++) {
        w[v] = _mm512_and_si512(_mm512_mask_add_epi64(w[v], (__mmask8)c, w[v], all(1)), max);
        c = made[v] | (passed[v] & c);
    }
}

/* ---- products ---- */

/* m, and the friendly multiple of it, (m k + 1) / 2^52 for k = -1/m mod 2^52 */
struct modulus {
    vec m[MAX_L], friendly[MAX_L];
    uint64_t k;
};

/*
 * A product in work. The sum of all that stands at limb i + v is that of ab and qm, vectors (i + v) % L, when limb i, the lowest, is up: at most 4 N terms below 2^52 have come to
 * any limb then, carries and what lanes handed down among them, so below 2^61.
 *
 * Limb i is done with by q, its lower 52 bits t: m k q = friendly 2^52 q - q takes them away, and what is to be added is
 * friendly q, a limb higher. So q needs no product. This adds m k q for a q k below 2^104 where m q would be for a q below 2^52; so the last limb, the highest, takes
 * m and q = t k mod 2^52. In all, the sum of q's terms is below m (2^(52 (N - 1)) 2^52 + 2^(52 (N - 1)) 2^52) = 2 m R'.
 */
struct work {
    vec ab[MAX_L], qm[MAX_L];
    vec digit, digit_before, q, q_before; /* limbs of a, quotients: in all lanes */
    vec carry;                            /* from the limb before, in lane 0 */
    const uint64_t *a;
};

LIMBIC_INLINE void begin(struct work *x, const vec *a, const vec *b, const int L) {
    x->a = (const uint64_t *)a;
    x->digit = all(x->a[0]);
    UNROLL
    for (int v = 0; v < L; v++) {
        x->ab[v] = low(zero(), x->digit, b[v]);
        x->qm[v] = zero();
    }
    x->q = x->carry = zero();
}

/* Limb i of a times b, its upper halves one limb later. i counts from x->a on. */
LIMBIC_INLINE void digit(struct work *x, const vec *b, const int i, const int L) {
    x->digit_before = x->digit;
    x->digit = all(x->a[i % L * LANES + i / L]);
    UNROLL
    for (int v = 0; v < L; v++) {
        vec *s = &x->ab[(i + v) % L];
        *s = low(high(*s, x->digit_before, b[v]), x->digit, b[v]);
    }
}

/* The sum at limb i: with it, its vector becomes that of limb i + L, all lanes but the lowest handed down. */
LIMBIC_INLINE vec sum(struct work *x, const int i, const int L) {
    return add(add(x->ab[i % L], x->carry), x->qm[i % L]);
}
LIMBIC_INLINE void take(struct work *x, vec t, const int i, const int L) {
    x->carry = _mm512_maskz_srli_epi64(1, t, BITS);
    x->ab[i % L] = zero();
    x->qm[i % L] = lanes_down(t);
}
LIMBIC_INLINE void quotient(struct work *x, const int i, const int L) {
    const vec t = sum(x, i, L);
    x->q_before = x->q;
    x->q = lane0(t);
    take(x, t, i, L);
}
LIMBIC_INLINE void quotient_times(struct work *x, const struct modulus *m, const int i, const int L) {
    UNROLL
    for (int v = 0; v < L; v++) {
        vec *s = &x->qm[(i + 1 + v) % L];
        *s = low(high(*s, x->q_before, m->friendly[v]), x->q, m->friendly[v]);
    }
}

/* The last limb, i, and the result. */
LIMBIC_INLINE void end(struct work *x, vec *r, const vec *b, const struct modulus *m, const int i,
                       const int L) {
    vec t = sum(x, i, L), w[MAX_L];
    x->q_before = x->q;
    x->q = low(zero(), lane0(t), all(m->k));
    t = low(t, x->q, m->m[0]);
    UNROLL
    for (int v = 1; v < L; v++) {
        vec *s = &x->qm[(i + v) % L];
        *s = low(*s, x->q, m->m[v]);
    }
    take(x, t, i, L);
    UNROLL
    for (int v = 0; v < L; v++) {
        const int s = (i + 1 + v) % L;
        w[v] = add(high(x->ab[s], x->digit, b[v]),
                   high(high(x->qm[s], x->q_before, m->friendly[v]), x->q, m->m[v]));
    }
    w[0] = add(w[0], x->carry);
    normalise(w, L);
    UNROLL
    for (int v = 0; v < L; v++)
        r[v] = w[v];
}

/* Limb i of each of H products. */
LIMBIC_INLINE void step(struct work *x, struct work *y, const vec *b, const struct modulus *m, const int i,
                        const int H, const int L) {
    quotient(x, i, L);
    if (H == 2 && i > 0)
        quotient_times(y, m + 1, i - 1, L);
    digit(x, b, i + 1, L);
    if (H == 2)
        quotient(y, i, L);
    quotient_times(x, m, i, L);
    if (H == 2)
        digit(y, b + L, i + 1, L);
}

/* r = a b / R' for H moduli, the vectors of their numbers one after the other. N = 1 + HEAD + turns L. r may be a or b. */
LIMBIC_INLINE void product(vec *r, const vec *a, const vec *b, const struct modulus *m, size_t turns,
                           const int H, const int L, const int HEAD) {
    struct work x, y;
    begin(&x, a, b, L);
    if (H == 2)
        begin(&y, a + L, b + L, L);
        /* no loops: compilers then keep all in registers */
#define STEP(from, n, i)                                                                                     \
    if (i < (n))                                                                                             \
        step(&x, &y, b, m, (from) + i, H, L);
#define STEPS(from, n)                                                                                       \
    STEP(from, n, 0)                                                                                         \
    STEP(from, n, 1)                                                                                         \
    STEP(from, n, 2)                                                                                         \
    STEP(from, n, 3)                                                                                         \
    STEP(from, n, 4)                                                                                         \
    STEP(from, n, 5)                                                                                         \
    STEP(from, n, 6)                                                                                         \
    STEP(from, n, 7)                                                                                         \
    STEP(from, n, 8)                                                                                         \
    STEP(from, n, 9)
    STEPS(0, HEAD)
#pragma GCC unroll 1
    for (size_t turn = 0; turn < turns; turn++) {
        STEPS(HEAD, L)
        x.a++;
        if (H == 2)
            y.a++;
    }
    if (H == 2)
        quotient_times(&y, m + 1, HEAD + L - 1, L);
    end(&x, r, b, m, HEAD, L);
    if (H == 2)
        end(&y, r + L, b + L, m + 1, HEAD, L);
}

/* r = table[digit] for H moduli, found by looking at all entries */
LIMBIC_INLINE void look_up(vec *r, const vec *table, const uint64_t *digit, const int H, const int L) {
    const vec x = all(digit[0]), y = all(digit[H - 1]);
    vec found[2 * MAX_L], i = zero();
    UNROLL
    for (int v = 0; v < H * L; v++)
        found[v] = zero();
#pragma GCC unroll 1
    for (const vec *entry = table; entry < table + ENTRIES * H * L; entry += H * L, i = add(i, all(1))) {
        const vec mx = _mm512_movm_epi64(_mm512_cmpeq_epi64_mask(i, x)),
                  my = _mm512_movm_epi64(_mm512_cmpeq_epi64_mask(i, y));
        UNROLL
        for (int v = 0; v < H * L; v++)
            found[v] = _mm512_or_si512(found[v], _mm512_and_si512(v < L ? mx : my, entry[v]));
    }
    UNROLL
    for (int v = 0; v < H * L; v++)
        r[v] = found[v];
}

typedef void product_function(vec *r, const vec *a, const vec *b, const struct modulus *m, size_t turns);
typedef void look_up_function(vec *r, const vec *table, const uint64_t *digit);

#define SINGLE(L, HEAD)                                                                                      \
    static __attribute__((noinline)) void product_1_##L(vec *r, const vec *a, const vec *b,                  \
                                                        const struct modulus *m, size_t turns) {             \
        product(r, a, b, m, turns, 1, L, HEAD);                                                              \
    }                                                                                                        \
    static __attribute__((noinline)) void look_up_1_##L(vec *r, const vec *table, const uint64_t *digit) {   \
        look_up(r, table, digit, 1, L);                                                                      \
    }                                                                                                        \
    static __attribute__((noinline)) void look_up_2_##L(vec *r, const vec *table, const uint64_t *digit) {   \
        look_up(r, table, digit, 2, L);                                                                      \
    }
/* Short numbers: two products at once. Long ones hide their latency alone, and their sums take all registers. */
#define PAIR(L, HEAD)                                                                                        \
    SINGLE(L, HEAD)                                                                                          \
    static __attribute__((noinline)) void product_2_##L(vec *r, const vec *a, const vec *b,                  \
                                                        const struct modulus *m, size_t turns) {             \
        product(r, a, b, m, turns, 2, L, HEAD);                                                              \
    }
#define TWICE(L, HEAD)                                                                                       \
    SINGLE(L, HEAD)                                                                                          \
    static void product_2_##L(vec *r, const vec *a, const vec *b, const struct modulus *m, size_t turns) {   \
        product_1_##L(r, a, b, m, turns);                                                                    \
        product_1_##L(r + L, a + L, b + L, m + 1, turns);                                                    \
    }
PAIR(3, 1)
PAIR(4, 1)
PAIR(5, 4)
TWICE(8, 3)
TWICE(10, 8)

/* By the number of words: N = 1 + head + turns L, as few turns as give 4 bits more than the words have. head: that of 1024, 1536, 2048, 3072, 4096 bits and 4 more, for which N is 20, 30, 40, 60, 79. */
#define SHAPE(words, L, head)                                                                                \
    {                                                                                                        \
        words, L, head, {product_1_##L, product_2_##L}, {                                                    \
            look_up_1_##L, look_up_2_##L                                                                     \
        }                                                                                                    \
    }
static const struct shape {
    uint8_t words, L, head; /* words: the most */
    product_function *product[2];
    look_up_function *look_up[2];
} shapes[] = {SHAPE(16, 3, 1), SHAPE(24, 4, 1), SHAPE(32, 5, 4), SHAPE(48, 8, 3), SHAPE(64, 10, 8)};
enum { MIN_WORDS = 8, MIN_PRODUCT_WORDS = 24 };

/* R' = R 2^slack, R = 2^(64 words) */
static const struct shape *shape_of(size_t words, size_t *turns, size_t *slack) {
    const struct shape *shape = shapes;
    while (shape->words < words)
        shape++;
    const size_t limbs = (64 * words + 4 + BITS - 1) / BITS, first = 1u + shape->head;
    *turns = (limbs - first + shape->L - 1) / shape->L;
    *slack = BITS * (first + *turns * shape->L) - 64 * words;
    return shape;
}

static void put(vec *r, const uint64_t *a, size_t n, ptrdiff_t from, size_t L) {
    spread((uint64_t *)r, a, n, from, L, L * LANES);
}

static void get(uint64_t *r, const vec *a, const limbic_mont *x, size_t L) {
    store(r, (const uint64_t *)a, x, L, L * LANES);
}

static void set_modulus(struct modulus *r, const limbic_mont *x, size_t L) {
    const size_t n = x->limbs;
    uint64_t t[MAX_WORDS + 1], upper = 0;
    r->k = x->n0 & LIMB_MAX;
    for (size_t i = 0; i < n; i++) { /* m k + 1, whose lowest limb is 0 */
        uint64_t next, carry = i == 0, lower = limbic_mul_wide(&next, x->m[i], r->k);
        t[i] = limbic_adc(lower, upper, &carry);
        upper = next + carry;
    }
    t[n] = upper;
    put(r->m, x->m, n, 0, L);
    put(r->friendly, t, n + 1, BITS, L);
    limbic_wipe(t, sizeof t);
}

/* r = a b / R for an a below R and b < m: (a 2^slack) b / R' */
static __attribute__((noinline)) void multiply(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                               const limbic_mont *x) {
    size_t turns, slack;
    const struct shape *shape = shape_of(x->limbs, &turns, &slack);
    struct modulus m;
    vec s[MAX_L], t[MAX_L];
    set_modulus(&m, x, shape->L);
    put(s, a, x->limbs, -(ptrdiff_t)slack, shape->L);
    put(t, b, x->limbs, 0, shape->L);
    shape->product[0](s, s, t, &m, turns);
    get(r, s, x, shape->L);
    limbic_wipe(&m, sizeof m);
    limbic_wipe(s, sizeof s);
    limbic_wipe(t, sizeof t);
}

/* ---- powers ---- */

/* What powers of H moduli take. */
struct power {
    int H;
    const limbic_mont *x[2];
    const struct shape *shape;
    size_t turns;
    struct modulus m[2];
    vec in[2 * MAX_L],
        out[2 *
            MAX_L]; /* a residue times in / R' is the same by R' instead of R; times out / R' turns it back */
    vec s[2 * MAX_L], t[2 * MAX_L];
};

/* r = a b / R'; r may be a or b. */
static void times(const struct power *p, vec *r, const vec *a, const vec *b) {
    p->shape->product[p->H - 1](r, a, b, p->m, p->turns);
}

/*
 * Everything but t; s is the base. in = R'^2 / R = R^2 2^(3 slack) / R': that power of two may be m or above, but is at most R'/4: 3 slack <= 52 N - 2 for all lengths
 * from MIN_WORDS on.
 */
static void begin_power(struct power *p, const uint64_t *a, const limbic_mont *x, const limbic_mont *y) {
    const size_t n = x->limbs;
    size_t slack;
    p->H = y ? 2 : 1;
    p->x[0] = x;
    p->x[1] = y;
    p->shape = shape_of(n, &p->turns, &slack);
    const size_t L = p->shape->L;
    for (size_t h = 0; h < (size_t)p->H; h++) {
        set_modulus(&p->m[h], p->x[h], L);
        put(p->in + h * L, p->x[h]->rr, n, 0, L);
        put(p->out + h * L, p->x[h]->one, n, 0, L);
        put(p->s + h * L, a + h * n, n, 0, L);
        memset(p->t + h * L, 0, L * sizeof(vec));
        *power_limb((uint64_t *)(p->t + h * L), 3 * slack, L) = UINT64_C(1) << 3 * slack % BITS;
    }
    times(p, p->in, p->in, p->t);
    times(p, p->s, p->s, p->in);
}

/* r = s */
static void end_power(struct power *p, uint64_t *r) {
    times(p, p->s, p->s, p->out);
    for (size_t h = 0; h < (size_t)p->H; h++)
        get(r + h * p->x[h]->limbs, p->s + h * p->shape->L, p->x[h], p->shape->L);
    limbic_wipe(p, sizeof *p);
}

static __attribute__((noinline)) void secret_power(uint64_t *r, const uint64_t *a, const uint64_t *e,
                                                   size_t e_bits, const limbic_mont *x,
                                                   const limbic_mont *y) {
    struct power p;
    begin_power(&p, a, x, y);
    const size_t entry = (size_t)p.H * p.shape->L, e_words = (e_bits + 63) / 64;
    vec table[ENTRIES * entry];
    uint64_t digit[2] = {0, 0};

    times(&p, table, p.in, p.out);
    memcpy(table + entry, p.s, entry * sizeof(vec));
    for (size_t i = 2; i < ENTRIES; i += 2) {
        times(&p, table + i * entry, table + i / 2 * entry, table + i / 2 * entry);
        times(&p, table + (i + 1) * entry, table + i * entry, p.s);
    }
    for (size_t i = (e_bits + WINDOW - 1) / WINDOW, first = i; i-- > 0;) {
        for (size_t h = 0; h < (size_t)p.H; h++)
            digit[h] = limbic_words_window(e + h * e_words, e_bits, WINDOW, i);
        if (i + 1 == first) {
            p.shape->look_up[p.H - 1](p.s, table, digit);
            continue;
        }
        p.shape->look_up[p.H - 1](p.t, table, digit);
        for (int j = 0; j < WINDOW; j++)
            times(&p, p.s, p.s, p.s);
        times(&p, p.s, p.s, p.t);
    }
    if (e_bits == 0)
        memcpy(p.s, table, entry * sizeof(vec));
    end_power(&p, r);
    limbic_wipe(digit, sizeof digit);
    limbic_wipe(table, sizeof table);
    limbic_wipe_stack_beyond(BELOW);
}

static __attribute__((noinline)) void public_power(uint64_t *r, const uint64_t *a, const uint64_t *e,
                                                   size_t e_bits, const limbic_mont *x) {
    struct power p;
    const size_t top = top_bit(e, e_bits);
    begin_power(&p, a, x, NULL);
    memcpy(p.t, p.s, sizeof p.t);
    for (size_t i = top; i-- > 1;) {
        times(&p, p.s, p.s, p.s);
        if (e[(i - 1) / 64] >> ((i - 1) % 64) & 1)
            times(&p, p.s, p.s, p.t);
    }
    if (top == 0)
        times(&p, p.s, p.in, p.out);
    end_power(&p, r);
    limbic_wipe_stack_beyond(BELOW);
}

/* ---- rows: what has too few or too many words goes to those without vectors ---- */

static int covered(const limbic_mont *x, size_t from) {
    return x->limbs >= from && x->limbs <= MAX_WORDS;
}

void limbic_mont_mul_ifma(uint64_t *r, const uint64_t *a, const uint64_t *b, const limbic_mont *x) {
    (covered(x, MIN_PRODUCT_WORDS) ? multiply : limbic_mont_mul_adx)(r, a, b, x);
}

void limbic_mont_sqr_ifma(uint64_t *r, const uint64_t *a, const limbic_mont *x) {
    if (covered(x, MIN_PRODUCT_WORDS))
        multiply(r, a, a, x);
    else
        limbic_mont_sqr_adx(r, a, x);
}

void limbic_mont_pow_ifma(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                          const limbic_mont *x) {
    if (covered(x, MIN_WORDS)) {
        secret_power(r, a, e, e_bits, x, NULL);
        limbic_wipe_stack();
    } else {
        limbic_mont_pow_adx(r, a, e, e_bits, x);
    }
}

/* Eight at once from as many on as take longer by twos. */
enum { FEW = 4 };

void limbic_mont_pow_many_ifma(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                               const limbic_mont *const *x, size_t count) {
    const size_t n = x[0]->limbs, e_words = (e_bits + 63) / 64;
    if (!covered(x[0], MIN_WORDS)) {
        limbic_mont_pow_many_adx(r, a, e, e_bits, x, count);
        return;
    }
    for (size_t done; count > 0;
         count -= done, r += done * n, a += done * n, e += done * e_words, x += done) {
        done = count < LANES ? count : LANES;
        if (done > FEW) {
            eight_powers(r, a, e, e_bits, x, done, 0);
        } else {
            done = done < 2 ? 1 : 2;
            secret_power(r, a, e, e_bits, x[0], done == 2 ? x[1] : NULL);
        }
    }
    limbic_wipe_stack();
}

void limbic_mont_pow_public_many_ifma(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                                      const limbic_mont *const *x, size_t count) {
    const size_t n = x[0]->limbs;
    while (count > FEW && covered(x[0], MIN_WORDS) && top_bit(e, e_bits) > 0) {
        const size_t done = count < LANES ? count : LANES;
        eight_powers(r, a, e, e_bits, x, done, 1);
        count -= done, r += done * n, a += done * n, x += done;
    }
    limbic_wipe_stack();
    for (; count > 0; count--, r += n, a += n, x++) {
        uint64_t one[MAX_WORDS] = {1};
        if (!covered(x[0], MIN_WORDS)) {
            limbic_mont_pow_public_many_adx(r, a, e, e_bits, x, 1);
            continue;
        }
        multiply(r, a, x[0]->rr, x[0]);
        limbic_mont_pow_public_ifma(r, r, e, e_bits, x[0]);
        multiply(r, r, one, x[0]);
    }
}

void limbic_mont_pow_public_ifma(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                                 const limbic_mont *x) {
    if (covered(x, MIN_WORDS)) {
        public_power(r, a, e, e_bits, x);
        limbic_wipe_stack();
    } else {
        limbic_mont_pow_public_adx(r, a, e, e_bits, x);
    }
}
