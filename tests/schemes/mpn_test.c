/* Run-time moduli beyond the kernels: limbic_mont_reduce, gcd, and the face for GMP's numbers, against GMP. */
#include <gmp.h>

#include "field/gcd.h"
#include "limbic/field.h"
#include "limbic/mpn.h"
#include "tests/check.h"

enum { MAX = LIMBIC_MONT_MAX_LIMBS };

static uint64_t state = 1;
static uint64_t next(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static void get(mpz_t z, const uint64_t *a, size_t n) {
    mpz_import(z, n, -1, 8, 0, 0, a);
}

/* Whether n words are z, which is not negative. */
static int is(const uint64_t *a, size_t n, const mpz_t z) {
    mpz_t y;
    mpz_init(y);
    get(y, a, n);
    const int same = mpz_cmp(y, z) == 0;
    mpz_clear(y);
    return same;
}

/* Words of all ones, zeros, single bits, or random. */
enum { FILLS = 6 };
static void fill(uint64_t *a, size_t n, unsigned kind) {
    for (size_t i = 0; i < n; i++)
        a[i] = kind == 0   ? 0
               : kind == 1 ? UINT64_MAX
               : kind == 2 ? (next() & 1 ? UINT64_MAX : 0)
               : kind == 3 ? UINT64_C(1) << (next() % 64)
                           : next();
    if (kind == 5)
        memset(a + n / 2, 0, 8 * (n - n / 2));
}

static const uint16_t lengths[] = {1, 2, 3, 4, 5, 8, 16, 17, 32, 65, 256};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void gcd(size_t n, const uint64_t *a, const uint64_t *b, const char *what) {
    uint64_t g[MAX], x[MAX], y[MAX];
    mpz_t za, zb;
    mpz_inits(za, zb, NULL);
    get(za, a, n);
    get(zb, b, n);
    mpz_gcd(za, za, zb);
    limbic_words_gcd_odd(g, a, b, n);
    check(is(g, n, za), "gcd: %s, %zu words", what, n);
    memcpy(x, a, 8 * n);
    memcpy(y, b, 8 * n);
    limbic_words_gcd_odd(x, x, y, n);
    check(is(x, n, za), "gcd in place of a: %s, %zu words", what, n);
    limbic_words_gcd_odd(y, a, y, n);
    check(is(y, n, za), "gcd in place of b: %s, %zu words", what, n);
    mpz_clears(za, zb, NULL);
}

/* a = x c, b = y c */
static void gcd_multiples(size_t n, size_t common) {
    uint64_t a[MAX] = {0}, b[MAX] = {0}, c[MAX], x[MAX], y[MAX], t[2 * MAX];
    fill(c, common, 4);
    fill(x, n - common, 4);
    fill(y, n - common, 4);
    c[0] |= 1;
    y[0] |= 1;
    for (int i = 0; i < 2; i++) {
        mpz_t z, w;
        mpz_inits(z, w, NULL);
        get(z, c, common);
        get(w, i ? y : x, n - common);
        mpz_mul(z, z, w);
        memset(t, 0, sizeof t);
        mpz_export(t, NULL, -1, 8, 0, 0, z);
        memcpy(i ? b : a, t, 8 * n);
        mpz_clears(z, w, NULL);
    }
    gcd(n, a, b, "a common divisor");
}

static void test_gcd(void) {
    for (size_t i = 0; i < LENGTHS; i++) {
        const size_t n = lengths[i];
        uint64_t a[MAX], b[MAX];
        for (unsigned j = 0; j < FILLS * FILLS; j++) {
            if (n > 64 && j % 7)
                continue;
            fill(a, n, j / FILLS);
            fill(b, n, j % FILLS);
            b[0] |= 1;
            gcd(n, a, b, "filled words");
        }
        fill(b, n, 4);
        b[0] |= 1;
        gcd(n, b, b, "a = b");
        memcpy(a, b, 8 * n);
        a[0] ^= 1;
        gcd(n, a, b, "a = b - 1");
        b[0] ^= 2;
        a[0] |= 3;
        gcd(n, a, b, "two apart");
        a[0] = b[0] + 1;
        gcd(n, a, b, "a = b + 1");
        for (size_t c = 1; c < n; c = 2 * c + 1)
            gcd_multiples(n, c);
    }
    /* the longest runs: neighbours of the sequence x(i + 1) = 2 x(i) + x(i - 1), up to 2^(64 n) */
    uint64_t a[4] = {0}, b[4] = {1};
    while (!(b[3] >> 61)) {
        uint64_t c = 0;
        for (size_t i = 0; i < 4; i++) {
            mpz_t z;
            mpz_init(z);
            mpz_set_ui(z, b[i]);
            mpz_mul_2exp(z, z, 1);
            mpz_add_ui(z, z, a[i]);
            mpz_add_ui(z, z, c);
            a[i] = b[i];
            b[i] = mpz_get_ui(z);
            mpz_fdiv_q_2exp(z, z, 64);
            c = mpz_get_ui(z);
            mpz_clear(z);
        }
        b[0] & 1 ? gcd(4, a, b, "neighbours") : gcd(4, b, a, "neighbours");
    }
}

/* ---- limbic_mont_reduce ---- */

static void reduce(const limbic_mont *x, size_t a_limbs, unsigned kind, const char *isa) {
    uint64_t a[5 * MAX + 3], r[MAX];
    mpz_t want, m;
    mpz_inits(want, m, NULL);
    fill(a, a_limbs, kind);
    get(m, x->m, x->limbs);
    get(want, a, a_limbs);
    mpz_mul_2exp(want, want, 64 * x->limbs);
    mpz_mod(want, want, m);
    limbic_mont_reduce(r, a, a_limbs, x);
    check(is(r, x->limbs, want), "%s: reduce %zu words to %zu, fill %u", isa, a_limbs, x->limbs, kind);
    if (a_limbs >= x->limbs) {
        limbic_mont_reduce(a, a, a_limbs, x);
        check(is(a, x->limbs, want), "%s: reduce %zu words to %zu in place", isa, a_limbs, x->limbs);
    }
    mpz_clears(want, m, NULL);
}

/* Moduli: all ones, runs, one bit a word, random, half of the words zero; 3; the square of a number of half the bits. */
enum { MODULI = FILLS + 1, SQUARE = MODULI - 1 };
static void modulus(uint64_t *m, size_t n, unsigned kind) {
    uint64_t root[MAX / 2 + 1];
    fill(m, n, kind);
    if (kind == SQUARE && n > 1) {
        mpz_t z;
        mpz_init(z);
        fill(root, n / 2, 4);
        root[0] |= 1;
        get(z, root, n / 2);
        mpz_mul(z, z, z);
        memset(m, 0, 8 * n);
        mpz_export(m, NULL, -1, 8, 0, 0, z);
        mpz_clear(z);
    }
    uint64_t high = 0;
    for (size_t i = 1; i < n; i++)
        high |= m[i];
    m[0] |= high ? 1 : 3; /* not 1 */
}

static void test_reduce(const char *isa) {
    for (size_t i = 0; i < LENGTHS; i++)
        for (unsigned kind = 0; kind < MODULI; kind++) {
            const size_t n = lengths[i];
            uint64_t m[MAX], storage[LIMBIC_MONT_STORAGE(MAX)];
            limbic_mont x;
            modulus(m, n, kind);
            if (!check(limbic_mont_init(&x, storage, m, n) == LIMBIC_OK, "%s: init, %zu words", isa, n))
                continue;
            const size_t sizes[] = {1, n / 2 + 1, n, n + 1, 2 * n, 2 * n + 1, 5 * n + 3};
            for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
                for (unsigned a = 0; a < FILLS; a++)
                    reduce(&x, sizes[j], a, isa);
        }
}

/* ---- limbic_mpn_sec_powm ---- */

struct power {
    size_t bn, ebits, n;
    uint64_t b[2 * MAX], e[MAX], m[MAX];
};

static void power_oracle(mpz_t want, const struct power *p) {
    mpz_t e, m;
    mpz_inits(e, m, NULL);
    get(want, p->b, p->bn);
    get(e, p->e, (p->ebits + 63) / 64);
    mpz_fdiv_r_2exp(e, e, p->ebits);
    get(m, p->m, p->n);
    mpz_powm(want, want, e, m);
    mpz_clears(e, m, NULL);
}

static void power(const struct power *p, const char *what, const char *isa) {
    uint64_t r[MAX + 1];
    mpz_t want;
    mpz_init(want);
    power_oracle(want, p);
    r[p->n] = 77;
    const limbic_status status = limbic_mpn_sec_powm(r, p->b, p->bn, p->e, p->ebits, p->m, p->n);
    check(status == LIMBIC_OK && is(r, p->n, want) && r[p->n] == 77,
          "%s: sec_powm: %s, base %zu words, exponent %zu bits, modulus %zu words", isa, what, p->bn,
          p->ebits, p->n);
    mpz_clear(want);
}

/* Every operand where another lies; rp one word into an operand too. */
static void power_overlaps(const struct power *p, const char *isa) {
    uint64_t want[MAX], b[2 * MAX + 1], e[MAX + 1], m[MAX + 1];
    const struct {
        const char *name;
        uint64_t *r;
        const uint64_t *b, *e, *m;
    } ways[] = {
        {"base", b, b, e, m},         {"exponent", e, b, e, m},         {"modulus", m, b, e, m},
        {"base + 1", b + 1, b, e, m}, {"exponent + 1", e + 1, b, e, m}, {"modulus + 1", m + 1, b, e, m},
        {"all", m, m, m, m}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct power same = *p;
        const size_t words = (p->ebits + 63) / 64;
        memcpy(b, p->b, 8 * p->bn);
        memcpy(e, p->e, 8 * words);
        memcpy(m, p->m, 8 * p->n);
        if (ways[i].b == m) {
            memcpy(same.b, p->m, 8 * p->bn);
            memcpy(same.e, p->m, 8 * words);
        }
        if (limbic_mpn_sec_powm(want, same.b, p->bn, same.e, p->ebits, same.m, p->n) != LIMBIC_OK ||
            limbic_mpn_sec_powm(ways[i].r, ways[i].b, p->bn, ways[i].e, p->ebits, ways[i].m, p->n) !=
                LIMBIC_OK)
            check(0, "%s: sec_powm over the %s: refused", isa, ways[i].name);
        check(memcmp(want, ways[i].r, 8 * p->n) == 0, "%s: sec_powm over the %s", isa, ways[i].name);
    }
}

static void test_power(const char *isa) {
    static const uint16_t bits[] = {0, 1, 4, 5, 23, 24, 25, 63, 64, 65, 128, 255, 256, 257, 321};
    struct power p;
    memset(&p, 0, sizeof p);
    for (size_t i = 0; i < LENGTHS; i++)
        for (unsigned kind = 0; kind < MODULI; kind++) {
            const size_t n = p.n = lengths[i];
            modulus(p.m, n, kind);
            for (size_t j = 0; j < sizeof bits / sizeof bits[0]; j++) {
                const size_t bases[] = {n, 1, n / 2 + 1, n + 1, 2 * n};
                if (n * n * bits[j] > 65 * 65 * 128)
                    break;
                p.ebits = bits[j];
                p.bn = bases[j % 5];
                fill(p.e, (p.ebits + 63) / 64, (unsigned)j % 4 + 1);
                fill(p.b, p.bn, (unsigned)j % FILLS);
                power(&p, "filled words", isa);
                fill(p.e, (p.ebits + 63) / 64, 1);
                power(&p, "exponent all ones", isa);
            }
            p.ebits = 6;
            p.e[0] = UINT64_MAX - 61; /* 2; what is above does not count */
            p.bn = n;
            if (kind == SQUARE && n > 1) { /* the root: its square is 0 */
                mpz_t z;
                mpz_init(z);
                get(z, p.m, n);
                mpz_sqrt(z, z);
                memset(p.b, 0, 8 * n);
                mpz_export(p.b, NULL, -1, 8, 0, 0, z);
                mpz_clear(z);
                power(&p, "a power that is 0", isa);
            }
            memcpy(p.b, p.m, 8 * n);
            power(&p, "base 0 mod m", isa);
            p.b[0] -= 1;
            power(&p, "base m - 1", isa);
            p.b[0] += 2;
            power(&p, "base m + 1", isa);
        }
    p.n = 4;
    p.bn = 3;
    p.ebits = 190;
    for (unsigned kind = 3; kind < 5; kind++) {
        fill(p.b, p.bn, 4);
        fill(p.e, 3, kind);
        modulus(p.m, p.n, kind);
        power_overlaps(&p, isa);
    }
    p.n = 1; /* bn far above n */
    p.m[0] = 0xfffffffb;
    p.bn = 2 * MAX;
    fill(p.b, p.bn, 4);
    power(&p, "the longest base", isa);
    p.n = 256; /* with a window for long exponents, too */
    p.ebits = 257;
    fill(p.e, 5, 4);
    modulus(p.m, p.n, 4);
    power(&p, "the longest base, the longest modulus", isa);
}

static void test_refusals(void) {
    const uint64_t two[2] = {2, 0}, one[2] = {1, 0}, zero[2] = {0, 0}, even[2] = {6, 1}, three[2] = {3, 0};
    static uint64_t big[2 * MAX + 1];
    uint64_t r[2] = {5, 5};
    big[0] = 3;
#define REFUSED(status, ...) check(limbic_mpn_sec_powm(__VA_ARGS__) == (status), "sec_powm(" #__VA_ARGS__ ")")
    REFUSED(LIMBIC_ERR_NULL, NULL, two, 1, two, 2, three, 1);
    REFUSED(LIMBIC_ERR_NULL, r, NULL, 1, two, 2, three, 1);
    REFUSED(LIMBIC_ERR_NULL, r, two, 1, NULL, 2, three, 1);
    REFUSED(LIMBIC_ERR_NULL, r, two, 1, two, 2, NULL, 1);
    REFUSED(LIMBIC_ERR_LENGTH, r, two, 0, two, 2, three, 1);
    REFUSED(LIMBIC_ERR_LENGTH, r, two, 1, two, 2, three, 0);
    REFUSED(LIMBIC_ERR_LENGTH, r, two, 1, two, 2, big, MAX + 1);
    REFUSED(LIMBIC_ERR_LENGTH, r, big, 2 * MAX + 1, two, 2, three, 1);
    REFUSED(LIMBIC_ERR_MODULUS, r, two, 1, two, 2, one, 1);
    REFUSED(LIMBIC_ERR_MODULUS, r, two, 1, two, 2, one, 2);
    REFUSED(LIMBIC_ERR_MODULUS, r, two, 1, two, 2, zero, 2);
    REFUSED(LIMBIC_ERR_MODULUS, r, two, 1, two, 2, even, 2);
#undef REFUSED
    check(r[0] == 5 && r[1] == 5, "sec_powm: a refusal wrote something");
    check(limbic_mpn_sec_powm(r, zero, 1, NULL, 0, three, 2) == LIMBIC_OK && r[0] == 1 && r[1] == 0,
          "sec_powm: 0^0");
}

static void test(const char *isa) {
    test_reduce(isa);
    test_power(isa);
}

int main(void) {
    test_gcd();
    test_refusals();
    each_isa(ENGINES, test);
    return closing();
}
