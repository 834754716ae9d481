/*
 * RSA keys: every form of import and every fault in it, export, check, generation, trial division and
 * Miller-Rabin, against GMP and OpenSSL.
 */
#include <gmp.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include "base/random.h"
#include "scheme/rsa.h"
#include "limbic/sm2.h"
#include "tests/check.h"

enum { N, E, D, P, Q, DP, DQ, QI, NUMBERS };
static const char *const names[] = {"n", "e", "d", "p", "q", "dp", "dq", "qinv"};
#define MAX_BYTES (LIMBIC_RSA_MAX_BYTES + 64)
#define MAX_WORDS LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)

/* The random source, by the linker's --wrap: the system's, or one that repeats itself and fails after some
 * calls. */
static int repeats;
static unsigned long calls, fails_at;
static uint64_t state;
limbic_status __real_limbic_random(void *out, size_t n);
limbic_status __wrap_limbic_random(void *out, size_t n);
limbic_status __wrap_limbic_random(void *out, size_t n) {
    if (!repeats)
        return __real_limbic_random(out, n);
    if (calls++ == fails_at)
        return LIMBIC_ERR_RANDOM;
    for (size_t i = 0; i < n; i++) { /* xorshift64* */
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        ((uint8_t *)out)[i] = (uint8_t)(state * UINT64_C(0x2545f4914f6cdd1d) >> 56);
    }
    return LIMBIC_OK;
}

static void repeat(uint64_t seed, unsigned long fail) {
    repeats = 1;
    calls = 0;
    fails_at = fail;
    state = seed;
}

static gmp_randstate_t random_state;

/* ---- numbers ---- */

struct key {
    mpz_t x[NUMBERS];
};

/* Everything from p, q and e; 0 if e has no inverse. */
static int complete(struct key *k) {
    mpz_t p1, q1;
    mpz_inits(p1, q1, NULL);
    mpz_mul(k->x[N], k->x[P], k->x[Q]);
    mpz_sub_ui(p1, k->x[P], 1);
    mpz_sub_ui(q1, k->x[Q], 1);
    mpz_lcm(k->x[D], p1, q1);
    int ok = mpz_invert(k->x[D], k->x[E], k->x[D]) && mpz_invert(k->x[QI], k->x[Q], k->x[P]);
    mpz_mod(k->x[DP], k->x[D], p1);
    mpz_mod(k->x[DQ], k->x[D], q1);
    mpz_clears(p1, q1, NULL);
    return ok;
}

static void init(struct key *k) {
    for (int i = 0; i < NUMBERS; i++)
        mpz_init(k->x[i]);
}

static void clear(struct key *k) {
    for (int i = 0; i < NUMBERS; i++)
        mpz_clear(k->x[i]);
}

/* A prime of so many bits, its two upper bits set, that is 1 mod 2^twos and no more where twos is not 0. */
static void a_prime(mpz_t p, unsigned bits, unsigned twos) {
    do {
        mpz_urandomb(p, random_state, bits);
        mpz_setbit(p, bits - 1);
        mpz_setbit(p, bits - 2);
        if (twos) {
            mpz_fdiv_q_2exp(p, p, twos);
            mpz_setbit(p, 0);
            mpz_mul_2exp(p, p, twos);
            mpz_setbit(p, 0);
        } else {
            mpz_nextprime(p, p);
        }
    } while (!mpz_probab_prime_p(p, 20) || mpz_sizeinbase(p, 2) != bits);
}

/* A key of primes of such sizes; e of so many random bits, or that number where e_bits is 0. */
static void make(struct key *k, const unsigned bits[2], const unsigned twos[2], unsigned long e,
                 unsigned e_bits) {
    mpz_t t;
    mpz_init(t);
    init(k);
    mpz_set_ui(k->x[E], e);
    if (e_bits) {
        mpz_urandomb(k->x[E], random_state, e_bits);
        mpz_setbit(k->x[E], e_bits - 1);
        mpz_setbit(k->x[E], 0);
    }
    for (int i = 0; i < 2; i++)
        do {
            a_prime(k->x[P + i], bits[i], twos[i]);
            mpz_sub_ui(t, k->x[P + i], 1);
            mpz_gcd(t, t, k->x[E]);
        } while (mpz_cmp_ui(t, 1) != 0);
    if (!complete(k))
        abort();
    mpz_clear(t);
}

/* Numbers as bytes, with zeros before them. */
struct bytes {
    uint8_t b[NUMBERS][MAX_BYTES];
    limbic_rsa_numbers x;
};

static limbic_rsa_number *number(limbic_rsa_numbers *x, int i) {
    limbic_rsa_number *const all[] = {&x->n, &x->e, &x->d, &x->p, &x->q, &x->dp, &x->dq, &x->qinv};
    return all[i];
}

static void put(struct bytes *b, int i, const mpz_t a, size_t zeros) {
    size_t len = (mpz_sizeinbase(a, 2) + 7) / 8, got;
    memset(b->b[i], 0, zeros + len);
    mpz_export(b->b[i] + zeros, &got, 1, 1, 1, 0, a);
    *number(&b->x, i) = (limbic_rsa_number){b->b[i], mpz_sgn(a) ? zeros + len : zeros};
}

/* The numbers whose bits are set in which. */
static void put_all(struct bytes *b, const struct key *k, unsigned which, size_t zeros) {
    memset(&b->x, 0, sizeof b->x);
    for (int i = 0; i < NUMBERS; i++)
        if (which >> i & 1)
            put(b, i, k->x[i], zeros);
}

#define ALL        ((1U << NUMBERS) - 1)
#define WITH(i)    (1U << (i))
#define PUBLIC     (WITH(N) | WITH(E))
#define PRIMES     (PUBLIC | WITH(P) | WITH(Q))
#define ONLY_D     (PUBLIC | WITH(D))
#define WITHOUT(i) (ALL & ~WITH(i))

static uint64_t buffer[MAX_WORDS];

static int untouched(size_t words) {
    for (size_t i = 0; i < words; i++)
        if (buffer[i] != UINT64_C(0xa5a5a5a5a5a5a5a5))
            return 0;
    return 1;
}

static void refused(limbic_status want, const limbic_rsa_numbers *x, int is_private, const char *what,
                    const char *of) {
    memset(buffer, 0xa5, sizeof buffer);
    limbic_status got = is_private ? limbic_rsa_private_import(buffer, sizeof buffer, x)
                                   : limbic_rsa_public_import(buffer, sizeof buffer, x);
    int clean = untouched(MAX_WORDS);
    check(got == want && clean, "%s import, %s%s: status %d, wanted %d%s", is_private ? "private" : "public",
          what, of, (int)got, (int)want, clean ? "" : ", buffer touched");
}

/* A part is this number, exactly so long. */
static void part_is(const void *key, size_t key_len, int i, const mpz_t want, const char *what) {
    uint8_t out[MAX_BYTES];
    size_t len = 0, need = (mpz_sizeinbase(want, 2) + 7) / 8;
    mpz_t got;
    mpz_init(got);
    limbic_rsa_part part = (limbic_rsa_part)(i + 1);
    check(limbic_rsa_export(key, key_len, part, NULL, &len) == LIMBIC_ERR_BUFFER && len == need,
          "%s: length of %s: %zu, wanted %zu", what, names[i], len, need);
    memset(out, 0xa5, sizeof out);
    len = need - 1;
    check(limbic_rsa_export(key, key_len, part, out, &len) == LIMBIC_ERR_BUFFER && len == need &&
              out[0] == 0xa5,
          "%s: %s into too little", what, names[i]);
    len = sizeof out;
    check(limbic_rsa_export(key, key_len, part, out, &len) == LIMBIC_OK && len == need && out[len] == 0xa5,
          "%s: export of %s", what, names[i]);
    mpz_import(got, need, 1, 1, 1, 0, out);
    check(mpz_cmp(got, want) == 0, "%s: value of %s", what, names[i]);
    mpz_clear(got);
}

/* A key imports in every form and comes out as it is. */
static void imports(const struct key *k, const char *what) {
    static const unsigned forms[] = {ALL,         PRIMES,      WITHOUT(D),      WITHOUT(DP),
                                     WITHOUT(DQ), WITHOUT(QI), ONLY_D | PRIMES, ONLY_D};
    static struct bytes b;
    const size_t bits = mpz_sizeinbase(k->x[N], 2), size = limbic_rsa_private_bytes(bits);
    limbic_status status;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t zeros = 0; zeros < 2; zeros++) {
            memset(buffer, 0xa5, sizeof buffer);
            put_all(&b, k, forms[f], 9 * zeros);
            status = limbic_rsa_private_import(buffer, size, &b.x);
            check(status == LIMBIC_OK && !untouched(1) && buffer[size / 8] == UINT64_C(0xa5a5a5a5a5a5a5a5),
                  "%s: import of form %zu: status %d", what, f, (int)status);
            if (status)
                continue;
            check(limbic_rsa_bits(buffer, size) == bits && limbic_rsa_bytes(buffer, size) == (bits + 7) / 8 &&
                      limbic_rsa_is_private(buffer, size) == 1,
                  "%s: sizes", what);
            for (int i = 0; i < NUMBERS; i++) {
                size_t len = 0;
                if (forms[f] != ONLY_D || i <= D)
                    part_is(buffer, size, i, k->x[i], what);
                else
                    check(limbic_rsa_export(buffer, size, (limbic_rsa_part)(i + 1), NULL, &len) ==
                              LIMBIC_ERR_PRIVATE_KEY,
                          "%s: a key of d alone has no %s", what, names[i]);
            }
        }
    static const int no_parts[] = {-1, 0, NUMBERS + 1};
    for (size_t i = 0; i < 3; i++) {
        size_t len = 0;
        check(limbic_rsa_export(buffer, size, (limbic_rsa_part)no_parts[i], NULL, &len) ==
                  LIMBIC_ERR_PRIVATE_KEY,
              "%s: part %d", what, no_parts[i]);
    }
    put_all(&b, k, PUBLIC, 1);
    status = limbic_rsa_public_import(buffer, limbic_rsa_public_bytes(bits), &b.x);
    check(status == LIMBIC_OK && limbic_rsa_bits(buffer, sizeof buffer) == bits &&
              limbic_rsa_is_private(buffer, sizeof buffer) == 0,
          "%s: public import: status %d", what, (int)status);
    for (int i = 0; i < NUMBERS; i++) {
        size_t len = 0;
        if (i <= E)
            part_is(buffer, sizeof buffer, i, k->x[i], what);
        else
            check(limbic_rsa_export(buffer, sizeof buffer, (limbic_rsa_part)(i + 1), NULL, &len) ==
                      LIMBIC_ERR_PRIVATE_KEY,
                  "%s: a public key has no %s", what, names[i]);
    }
}

/* ---- faults ---- */

static void public_faults(const struct key *k) {
    static struct bytes b;
    static uint8_t junk[8] = {1};
    mpz_t t, m, l;
    mpz_inits(t, m, l, NULL);
    const size_t bits = mpz_sizeinbase(k->x[N], 2), size = limbic_rsa_public_bytes(bits);

    put_all(&b, k, PUBLIC, 0);
    check(limbic_rsa_public_import(NULL, size, &b.x) == LIMBIC_ERR_NULL, "no buffer");
    check(limbic_rsa_public_import(buffer, size, NULL) == LIMBIC_ERR_NULL, "no numbers");
    check(limbic_rsa_public_import((uint8_t *)buffer + 4, size, &b.x) == LIMBIC_ERR_ALIGNMENT, "odd address");
    memset(buffer, 0xa5, sizeof buffer);
    check(limbic_rsa_public_import(buffer, size - 1, &b.x) == LIMBIC_ERR_BUFFER && untouched(MAX_WORDS),
          "short buffer");
    for (int i = N; i <= E; i++)
        for (size_t len = 0; len < 2; len++) {
            put_all(&b, k, PUBLIC, 0);
            *number(&b.x, i) = (limbic_rsa_number){NULL, len};
            refused(LIMBIC_ERR_NULL, &b.x, 0, "no ", names[i]);
            refused(LIMBIC_ERR_NULL, &b.x, 1, "no ", names[i]);
        }
    static const struct {
        int i;
        long value;
        limbic_status want;
    } plain[] = {
        {N, 0, LIMBIC_ERR_KEY_SIZE},   {N, 1, LIMBIC_ERR_KEY_SIZE},       {N, 3, LIMBIC_ERR_KEY_SIZE},
        {E, 0, LIMBIC_ERR_PUBLIC_KEY}, {E, 1, LIMBIC_ERR_PUBLIC_KEY},     {E, 2, LIMBIC_ERR_PUBLIC_KEY},
        {E, 4, LIMBIC_ERR_PUBLIC_KEY}, {E, 65536, LIMBIC_ERR_PUBLIC_KEY}, {E, 65538, LIMBIC_ERR_PUBLIC_KEY}};
    for (size_t c = 0; c < sizeof plain / sizeof *plain; c++)
        for (size_t zeros = 0; zeros < 6; zeros += 5) {
            put_all(&b, k, ALL, 0);
            mpz_set_si(t, plain[c].value);
            put(&b, plain[c].i, t, zeros);
            refused(plain[c].want, &b.x, 0, "a small or even ", names[plain[c].i]);
            refused(plain[c].want, &b.x, 1, "a small or even ", names[plain[c].i]);
        }
    /* e: n - 2 is the last, then n, n + 2, one byte more */
    put_all(&b, k, PUBLIC, 0);
    mpz_sub_ui(t, k->x[N], 2);
    put(&b, E, t, 3);
    check(limbic_rsa_public_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK, "e = n - 2");
    part_is(buffer, sizeof buffer, E, t, "e = n - 2");
    put(&b, E, k->x[N], 0);
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "e = n", "");
    mpz_add_ui(t, k->x[N], 2);
    put(&b, E, t, 0);
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "e = n + 2", "");
    mpz_set_ui(t, 1);
    mpz_mul_2exp(t, t, bits + 8);
    mpz_add_ui(t, t, 1);
    put(&b, E, t, 0);
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "e above n by a byte", "");

    /* n: even; sizes */
    put_all(&b, k, PUBLIC, 0);
    mpz_sub_ui(t, k->x[N], 1);
    put(&b, N, t, 0);
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "even n", "");
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 1, "even n", "");
    mpz_set_ui(t, 0);
    mpz_setbit(t, 2048);
    put(&b, N, t, 0);
    refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "n = 2^2048", "");
    static const struct {
        unsigned bits;
        limbic_status public_want, private_want;
    } sizes[] = {{512, LIMBIC_ERR_KEY_SIZE, LIMBIC_ERR_KEY_SIZE},
                 {1023, LIMBIC_ERR_KEY_SIZE, LIMBIC_ERR_KEY_SIZE},
                 {1024, LIMBIC_OK, LIMBIC_ERR_KEY_SIZE},
                 {2040, LIMBIC_OK, LIMBIC_ERR_KEY_SIZE},
                 {2041, LIMBIC_OK, LIMBIC_ERR_PRIVATE_KEY},
                 {16384, LIMBIC_OK, LIMBIC_ERR_PRIVATE_KEY},
                 {16385, LIMBIC_ERR_KEY_SIZE, LIMBIC_ERR_KEY_SIZE},
                 {16384 + 64, LIMBIC_ERR_KEY_SIZE, LIMBIC_ERR_KEY_SIZE}};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        mpz_primorial_ui(m, 751);
        mpz_set_ui(t, 0);
        mpz_setbit(t, sizes[c].bits - 1);
        do {
            mpz_add_ui(t, t, 1);
            mpz_gcd(l, t, m);
        } while (mpz_cmp_ui(l, 1) != 0);
        put_all(&b, k, PRIMES, 0);
        put(&b, N, t, c);
        if (sizes[c].public_want)
            refused(sizes[c].public_want, &b.x, 0, "size", "");
        else
            check(limbic_rsa_public_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK, "public key of %u bits",
                  sizes[c].bits);
        refused(sizes[c].private_want, &b.x, 1, "size (or n of other primes)", "");
    }
    /* lengths that nothing has: refused at the first byte */
    for (int i = N; i <= E; i++) {
        put_all(&b, k, PUBLIC, 0);
        *number(&b.x, i) = (limbic_rsa_number){junk, SIZE_MAX};
        refused(i == N ? LIMBIC_ERR_KEY_SIZE : LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "length of ", names[i]);
    }

    /* small factors: every odd prime below 752, and none from there */
    mpz_set_ui(m, 0);
    mpz_setbit(m, 2203);
    mpz_sub_ui(m, m, 1); /* a prime */
    for (mpz_set_ui(t, 3); mpz_cmp_ui(t, 800) < 0; mpz_nextprime(t, t)) {
        mpz_t n;
        mpz_init(n);
        mpz_mul(n, m, t);
        put_all(&b, k, PUBLIC, 0);
        put(&b, N, n, 0);
        if (mpz_cmp_ui(t, 752) < 0)
            refused(LIMBIC_ERR_PUBLIC_KEY, &b.x, 0, "small factor", "");
        else
            check(limbic_rsa_public_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK,
                  "factor %lu is not small", mpz_get_ui(t));
        mpz_clear(n);
    }
    mpz_clears(t, m, l, NULL);
}

/* Every private number off by a little, replaced, too long; with all numbers given, and with the least
 * that has it. */
static void private_faults(const struct key *k, const char *what) {
    static struct bytes b;
    static uint8_t junk[8] = {1};
    const size_t bits = mpz_sizeinbase(k->x[N], 2), size = limbic_rsa_private_bytes(bits);
    mpz_t t, l;
    mpz_inits(t, l, NULL);

    put_all(&b, k, ALL, 0);
    check(limbic_rsa_private_import(NULL, size, &b.x) == LIMBIC_ERR_NULL, "no buffer");
    check(limbic_rsa_private_import(buffer, size, NULL) == LIMBIC_ERR_NULL, "no numbers");
    check(limbic_rsa_private_import((uint8_t *)buffer + 1, size, &b.x) == LIMBIC_ERR_ALIGNMENT,
          "odd address");
    memset(buffer, 0xa5, sizeof buffer);
    check(limbic_rsa_private_import(buffer, size - 1, &b.x) == LIMBIC_ERR_BUFFER && untouched(MAX_WORDS),
          "short buffer");
    for (int i = D; i < NUMBERS; i++) {
        const unsigned forms[] = {ALL, i == D ? ONLY_D : PRIMES | WITH(i)};
        for (int f = 0; f < 2; f++)
            for (int c = 0; c < 10; c++) {
                put_all(&b, k, forms[f], 0);
                switch (c) {
                case 0:
                    mpz_add_ui(t, k->x[i], 1);
                    break;
                case 1:
                    mpz_sub_ui(t, k->x[i], 1);
                    break;
                case 2:
                    mpz_add_ui(t, k->x[i], 2);
                    break;
                case 3:
                    mpz_sub_ui(t, k->x[i], 2);
                    break;
                case 4:
                    mpz_set_ui(t, 0);
                    break;
                case 5:
                    mpz_set_ui(t, 1);
                    break;
                case 6: /* the top word off */
                    mpz_set(t, k->x[i]);
                    mpz_combit(t, mpz_sizeinbase(t, 2) - 2);
                    break;
                case 7: /* the right words below one that does not belong there */
                    mpz_set(t, k->x[i]);
                    mpz_setbit(t, 64 * ((bits + 63) / 64));
                    break;
                case 8:
                    mpz_set(t, k->x[N]);
                    break;
                default: /* right modulo what it is used with, but not reduced */
                    if (i == P || i == Q)
                        mpz_neg(t, k->x[i]); /* as bytes, 2^(8 len) less it */
                    else if (i == D)
                        mpz_add(t, k->x[D], k->x[N]);
                    else
                        mpz_add(t, k->x[i], k->x[i == DQ ? Q : P]);
                    if (i == DP || i == DQ)
                        mpz_sub_ui(t, t, 1);
                    if (mpz_sgn(t) < 0) {
                        mpz_set_ui(l, 0);
                        mpz_setbit(l, 8 * ((mpz_sizeinbase(k->x[i], 2) + 7) / 8));
                        mpz_add(t, t, l);
                    }
                    break;
                }
                if (mpz_cmp(t, k->x[i]) == 0)
                    continue;
                put(&b, i, t, 0);
                char text[80];
                (void)snprintf(text, sizeof text, "%s: case %d, form %d, ", what, c, f);
                refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, text, names[i]);
            }
        put_all(&b, k, ALL, 0);
        *number(&b.x, i) = (limbic_rsa_number){junk, SIZE_MAX};
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "length of ", names[i]);
        *number(&b.x, i) = (limbic_rsa_number){NULL, 1};
        refused(LIMBIC_ERR_NULL, &b.x, 1, "nothing of some length: ", names[i]);
    }
    /* swapped: p and q alone is another form of the key; with dp, dq, qinv it is wrong */
    put_all(&b, k, PRIMES | WITH(D), 0);
    put(&b, P, k->x[Q], 0);
    put(&b, Q, k->x[P], 0);
    check(limbic_rsa_private_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK, "%s: p and q swapped", what);
    for (int i = DP; i <= QI; i++) {
        put_all(&b, k, PRIMES | WITH(i), 0);
        put(&b, P, k->x[Q], 0);
        put(&b, Q, k->x[P], 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "p and q swapped beside ", names[i]);
    }
    put_all(&b, k, ALL, 0);
    put(&b, DP, k->x[DQ], 0);
    put(&b, DQ, k->x[DP], 0);
    refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "dp and dq swapped", "");
    /* forms that are none */
    static const unsigned partial[] = {PUBLIC,           PUBLIC | WITH(P),  PUBLIC | WITH(Q),
                                       WITHOUT(P),       WITHOUT(Q),        ONLY_D | WITH(P),
                                       ONLY_D | WITH(Q), ONLY_D | WITH(DP), ONLY_D | WITH(QI)};
    for (size_t f = 0; f < sizeof partial / sizeof *partial; f++) {
        put_all(&b, k, partial[f], 0);
        refused(LIMBIC_ERR_NULL, &b.x, 1, "missing numbers", "");
    }
    /* p = 1, q = n and the reverse */
    mpz_set_ui(t, 1);
    for (int i = P; i <= Q; i++) {
        put_all(&b, k, PRIMES, 0);
        put(&b, i, t, 0);
        put(&b, i == P ? Q : P, k->x[N], 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "1 and n", "");
    }
    /* d: all of lcm's multiples below n, no half of it, nothing that is right modulo one of p - 1 and q -
     * 1 only */
    mpz_t p1, q1;
    mpz_inits(p1, q1, NULL);
    mpz_sub_ui(p1, k->x[P], 1);
    mpz_sub_ui(q1, k->x[Q], 1);
    mpz_lcm(l, p1, q1);
    mpz_set(t, k->x[D]);
    for (int i = 0;; i++) {
        mpz_add(t, t, l);
        if (mpz_cmp(t, k->x[N]) >= 0 || i == 10)
            break;
        for (int f = 0; f < 2; f++) {
            put_all(&b, k, f ? ALL : ONLY_D, 0);
            put(&b, D, t, 0);
            limbic_status got = limbic_rsa_private_import(buffer, sizeof buffer, &b.x);
            check(got == LIMBIC_OK, "%s: d + %d lcm: status %d", what, i + 1, (int)got);
            part_is(buffer, sizeof buffer, D, t, what); /* as given */
        }
    }
    for (int f = 0; f < 2 && mpz_cmp(t, k->x[N]) >= 0; f++) {
        put_all(&b, k, f ? ALL : ONLY_D, 0);
        put(&b, D, t, 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, what, ": d at or above n");
    }
    mpz_set_ui(t, 0); /* above the least d by a multiple of lcm modulo 2^(64 words) only */
    mpz_setbit(t, 64 * ((bits + 63) / 64));
    mpz_mod(t, t, l);
    mpz_sub(t, k->x[D], t);
    if (mpz_sgn(t) > 0) {
        put_all(&b, k, ALL, 0);
        put(&b, D, t, 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, what, ": d below the least");
    }
    for (int c = 0; c < 3; c++) {
        if (c == 0)
            mpz_fdiv_q_2exp(t, l, 1);
        else
            mpz_set(t, c == 1 ? p1 : q1);
        if (mpz_divisible_p(t, l))
            continue;
        mpz_add(t, t, k->x[D]);
        if (mpz_cmp(t, k->x[N]) >= 0)
            continue;
        put_all(&b, k, ALL, 0);
        put(&b, D, t, 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, what, ": d and a part of lcm");
    }
    mpz_clears(t, l, p1, q1, NULL);
}

static void no_key(void) {
    static struct bytes b;
    struct key k;
    init(&k);
    /* p = q; q a multiple of p; e that has no inverse modulo p - 1, or q - 1 */
    a_prime(k.x[P], 1024, 0);
    mpz_set(k.x[Q], k.x[P]);
    mpz_set_ui(k.x[E], 65537);
    mpz_mul(k.x[N], k.x[P], k.x[Q]);
    put_all(&b, &k, PRIMES, 0);
    refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "p = q", "");
    a_prime(k.x[P], 700, 0);
    mpz_mul(k.x[Q], k.x[P], k.x[P]);
    mpz_mul(k.x[N], k.x[P], k.x[Q]);
    put_all(&b, &k, PRIMES, 0);
    refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "q = p^2", "");
    for (int i = P; i <= Q; i++) {
        do { /* 1 mod 65537 */
            mpz_urandomb(k.x[i], random_state, 1006);
            mpz_setbit(k.x[i], 1005);
            mpz_mul_ui(k.x[i], k.x[i], 2 * 65537UL);
            mpz_add_ui(k.x[i], k.x[i], 1);
        } while (!mpz_probab_prime_p(k.x[i], 10));
        a_prime(k.x[i == P ? Q : P], 1024, 0);
        mpz_mul(k.x[N], k.x[P], k.x[Q]);
        mpz_set_ui(k.x[E], 65537);
        put_all(&b, &k, PRIMES, 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "e divides one less than ", names[i]);
    }
    clear(&k);
}

/* A prime of so many bits that is r mod m, its two upper bits set. */
static void a_prime_mod(mpz_t p, unsigned bits, unsigned r, unsigned m) {
    mpz_urandomb(p, random_state, bits - 2);
    mpz_sub_ui(p, p, mpz_fdiv_ui(p, m));
    mpz_setbit(p, bits - 1);
    mpz_setbit(p, bits - 2);
    mpz_add_ui(p, p, m + r - mpz_fdiv_ui(p, m));
    while (!mpz_probab_prime_p(p, 20))
        mpz_add_ui(p, p, m);
}

/* d alone that is right modulo lcm/2: it undoes e on all squares. */
static void half_of_lcm(void) {
    static const struct {
        unsigned r, m; /* p = q = r mod m */
        const char *what;
    } cases[] = {{839, 840, "even, 2, 3, 5 and 7 are squares"}, {17, 24, "odd, 2 is a square, 3 is not"}};
    static struct bytes b;
    struct key k;
    mpz_t l, t;
    mpz_inits(l, t, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        init(&k);
        mpz_set_ui(k.x[E], 65537);
        do {
            a_prime_mod(k.x[P], 1024, cases[i].r, cases[i].m);
            a_prime_mod(k.x[Q], 1024, cases[i].r, cases[i].m);
        } while (!complete(&k));
        put_all(&b, &k, ONLY_D, 0);
        check(limbic_rsa_private_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK,
              "d alone, primes %u mod %u", cases[i].r, cases[i].m);
        mpz_sub_ui(l, k.x[P], 1);
        mpz_sub_ui(t, k.x[Q], 1);
        mpz_lcm(l, l, t);
        mpz_fdiv_q_2exp(l, l, 1);
        mpz_add(t, k.x[D], l);
        check(mpz_odd_p(t) == (int)i && mpz_cmp(t, k.x[N]) < 0, "d + lcm/2, %s", cases[i].what);
        put(&b, D, t, 0);
        refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "d + lcm/2 alone: ", cases[i].what);
        clear(&k);
    }
    mpz_clears(l, t, NULL);
}

/* limbic_rsa_build, from words with empty ones above. */
static void builds(const struct key *k) {
    uint64_t p[40] = {0}, q[40] = {0}, e[40] = {0};
    const size_t bits = mpz_sizeinbase(k->x[N], 2), size = limbic_rsa_private_bytes(bits);
    mpz_export(p, NULL, -1, 8, 0, 0, k->x[P]);
    mpz_export(q, NULL, -1, 8, 0, 0, k->x[Q]);
    mpz_export(e, NULL, -1, 8, 0, 0, k->x[E]);
    check(limbic_rsa_build(buffer, size, p, 40, q, 39, e, 40) == LIMBIC_OK, "build");
    for (int i = 0; i < NUMBERS; i++)
        part_is(buffer, size, i, k->x[i], "build");
    memset(buffer, 0xa5, sizeof buffer);
    check(limbic_rsa_build(buffer, size - 8, p, 40, q, 40, e, 40) == LIMBIC_ERR_BUFFER &&
              untouched(MAX_WORDS),
          "build into too little");
    e[0] ^= 1;
    check(limbic_rsa_build(buffer, size, p, 40, q, 40, e, 40) == LIMBIC_ERR_PUBLIC_KEY &&
              untouched(MAX_WORDS),
          "build with an even e");
    e[0] ^= 1;
    p[0] ^= 1;
    check(limbic_rsa_build(buffer, size, p, 40, q, 40, e, 40) == LIMBIC_ERR_PRIVATE_KEY &&
              untouched(MAX_WORDS),
          "build with an even p");
    check(limbic_rsa_build(buffer, size, p, 0, q, 40, e, 40) == LIMBIC_ERR_LENGTH && untouched(MAX_WORDS),
          "build of no words");
    check(limbic_rsa_build(buffer, size, p, 40, q, 40, e, 257) == LIMBIC_ERR_LENGTH && untouched(MAX_WORDS),
          "build of too many words");
}

/* Accessors and export on what is no key. */
static void accessors(void) {
    uint8_t out[8];
    size_t len = sizeof out;
    memset(buffer, 0, sizeof buffer);
    check(limbic_rsa_bits(buffer, sizeof buffer) == 0 && limbic_rsa_bytes(buffer, sizeof buffer) == 0 &&
              limbic_rsa_is_private(buffer, sizeof buffer) == 0,
          "sizes of no key");
    check(limbic_rsa_export(buffer, sizeof buffer, LIMBIC_RSA_N, out, &len) == LIMBIC_ERR_PREPARED &&
              len == sizeof out,
          "export from no key");
    check(limbic_rsa_check(buffer, sizeof buffer) == LIMBIC_ERR_PREPARED, "check of no key");
    check(limbic_rsa_export(NULL, 0, LIMBIC_RSA_N, out, &len) == LIMBIC_ERR_NULL, "export from nothing");
    check(limbic_rsa_export(buffer, sizeof buffer, LIMBIC_RSA_N, out, NULL) == LIMBIC_ERR_NULL,
          "export without a length");
    check(limbic_rsa_export(buffer, sizeof buffer, LIMBIC_RSA_N, NULL, &len) == LIMBIC_ERR_NULL,
          "export to nothing");
    check(limbic_rsa_public_bytes(1023) == 0 && limbic_rsa_public_bytes(16385) == 0 &&
              limbic_rsa_public_bytes(SIZE_MAX) == 0 && limbic_rsa_private_bytes(0) == 0 &&
              limbic_rsa_private_bytes(16385) == 0,
          "sizes that no key has");
    check(limbic_rsa_public_bytes(2048) == 8 * LIMBIC_RSA_PUBLIC_WORDS(2048) &&
              limbic_rsa_private_bytes(16384) == 8 * LIMBIC_RSA_PRIVATE_WORDS(16384),
          "sizes");
    memset(buffer, 0xa5, sizeof buffer);
    limbic_rsa_wipe(NULL, 0);
    limbic_rsa_wipe(buffer, 160);
    int clean = buffer[20] == UINT64_C(0xa5a5a5a5a5a5a5a5);
    for (size_t i = 0; i < 20; i++)
        clean &= buffer[i] == 0;
    check(clean, "wipe");
}

/* ---- check ---- */

static void checks(const struct key *k) {
    static struct bytes b;
    const size_t size = limbic_rsa_private_bytes(mpz_sizeinbase(k->x[N], 2));
    struct limbic_rsa x;
    limbic_status got;

    put_all(&b, k, ALL, 0);
    if (limbic_rsa_private_import(buffer, size, &b.x) || limbic_rsa_open(&x, buffer, size, 1))
        abort();
    got = limbic_rsa_check(buffer, size);
    check(got == LIMBIC_OK, "check of a key: status %d", (int)got);
    /* with every d that import takes: multiples of lcm more */
    mpz_t l, d, t;
    mpz_inits(l, d, t, NULL);
    mpz_sub_ui(l, k->x[P], 1);
    mpz_sub_ui(t, k->x[Q], 1);
    mpz_lcm(l, l, t);
    for (mpz_add(d, k->x[D], l); mpz_cmp(d, k->x[N]) < 0; mpz_add(d, d, l)) {
        put(&b, D, d, 0);
        check(limbic_rsa_private_import(buffer, size, &b.x) == LIMBIC_OK &&
                  limbic_rsa_check(buffer, size) == LIMBIC_OK,
              "check of a key whose d is not the least");
    }
    mpz_clears(l, d, t, NULL);
    put_all(&b, k, ALL, 0);
    if (limbic_rsa_private_import(buffer, size, &b.x))
        abort();
    /* a bit of every part */
    const uint64_t *const parts[] = {x.n.m, x.n.one, x.n.rr, x.e,  x.d,  x.p.m,
                                     x.q.m, x.p.one, x.q.rr, x.dp, x.dq, x.qinv};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int bit = 0; bit < 64; bit += 63) {
            buffer[parts[i] - buffer] ^= UINT64_C(1) << bit;
            got = limbic_rsa_check(buffer, size);
            check(got == LIMBIC_ERR_PRIVATE_KEY || (parts[i] == x.e && got == LIMBIC_ERR_PUBLIC_KEY),
                  "check with bit %d of part %zu changed: status %d", bit, i, (int)got);
            buffer[parts[i] - buffer] ^= UINT64_C(1) << bit;
        }
    repeat(1, 0);
    check(limbic_rsa_check(buffer, size) == LIMBIC_ERR_RANDOM, "check without random bytes");
    repeats = 0;

    put_all(&b, k, ONLY_D, 0);
    check(limbic_rsa_private_import(buffer, size, &b.x) == LIMBIC_OK &&
              limbic_rsa_check(buffer, size) == LIMBIC_OK,
          "check of a key of d alone");
    if (limbic_rsa_open(&x, buffer, size, 1))
        abort();
    buffer[x.d - buffer] ^= 2;
    check(limbic_rsa_check(buffer, size) == LIMBIC_ERR_PRIVATE_KEY, "check of a key of a wrong d alone");
    repeat(1, 0);
    check(limbic_rsa_check(buffer, size) == LIMBIC_ERR_RANDOM, "check without random bytes");
    repeats = 0;

    put_all(&b, k, PUBLIC, 0);
    check(limbic_rsa_public_import(buffer, size, &b.x) == LIMBIC_OK &&
              limbic_rsa_check(buffer, size) == LIMBIC_ERR_PRIVATE_KEY,
          "check of a public key");

    /* a product of two primes in the place of p, then of q: a key by all congruences */
    struct key c;
    mpz_t r;
    mpz_init(r);
    for (int i = P; i <= Q; i++) {
        init(&c);
        mpz_set_ui(c.x[E], 65537);
        mpz_set(c.x[i == P ? Q : P], k->x[P]);
        do {
            a_prime(c.x[i], 512, 0);
            a_prime(r, 512, 0);
            mpz_mul(c.x[i], c.x[i], r);
        } while (!complete(&c));
        put_all(&b, &c, PRIMES, 0);
        check(limbic_rsa_private_import(buffer, sizeof buffer, &b.x) == LIMBIC_OK &&
                  limbic_rsa_check(buffer, sizeof buffer) == LIMBIC_ERR_PRIVATE_KEY,
              "check of a composite %s", names[i]);
        clear(&c);
    }
    mpz_clear(r);
}

/* ---- primes ---- */

static struct limbic_rsa_group groups[1024];

static void trial_division(void) {
    mpz_t p, product, w;
    mpz_inits(p, product, w, NULL);
    limbic_rsa_groups(groups, 1024);
    mpz_set_ui(p, 2);
    for (size_t i = 0; i < 4096; i++) {
        mpz_nextprime(p, p);
        if (!check(groups[i / 4].prime[i % 4] == mpz_get_ui(p), "odd prime %zu is %lu", i, mpz_get_ui(p)))
            break;
    }
    check(groups[LIMBIC_RSA_SMALL - 1].prime[3] == 751, "the last prime below 752");

    uint64_t words[40];
    /* one factor: found with its group, not before */
    for (size_t i = 0; i < 4096; i += i < 64 ? 1 : 37) {
        static const unsigned mersenne[] = {61, 127, 521, 1279, 2203};
        mpz_set_ui(w, 0);
        mpz_setbit(w, mersenne[i % 5]);
        mpz_sub_ui(w, w, 1);
        mpz_mul_ui(w, w, groups[i / 4].prime[i % 4]);
        const size_t limbs = mpz_size(w) + i % 2; /* an empty word above */
        words[limbs - 1] = 0;
        mpz_export(words, NULL, -1, 8, 0, 0, w);
        check(limbic_rsa_small_factor(words, limbs, groups, i / 4 + 1) == 1 &&
                  limbic_rsa_small_factor(words, limbs, groups, i / 4) == 0 &&
                  limbic_rsa_small_factor(words, limbs, groups + i / 4 + 1, 1023 - i / 4) == 0,
              "factor %u", (unsigned)groups[i / 4].prime[i % 4]);
    }
    /* multiples of a whole group, the group itself, 1, all ones, and any number */
    for (size_t i = 0; i < 600; i++) {
        const size_t limbs = 1 + i % 33, n = 1 + i * 7 % 300;
        if (i < 33)
            memset(words, 0xff, 8 * limbs);
        else
            for (size_t j = 0; j < limbs; j++)
                words[j] =
                    (uint64_t)gmp_urandomb_ui(random_state, 32) << 32 | gmp_urandomb_ui(random_state, 32);
        words[0] |= 1;
        mpz_import(w, limbs, -1, 8, 0, 0, words);
        mpz_set_ui(product, 1);
        for (size_t j = 0; j < 4 * n; j++)
            mpz_mul_ui(product, product, groups[j / 4].prime[j % 4]);
        mpz_gcd(product, product, w);
        check(limbic_rsa_small_factor(words, limbs, groups, n) == (mpz_cmp_ui(product, 1) != 0),
              "trial division of a number of %zu words, %zu groups", limbs, n);
    }
    uint64_t one[2] = {1, 0}, all[2] = {0, 0};
    check(limbic_rsa_small_factor(one, 2, groups, 1024) == 0, "1 has no factor");
    for (size_t i = 0; i < 1024; i++) {
        all[0] = groups[i].product;
        for (size_t j = 1; j <= 2; j++)
            check(limbic_rsa_small_factor(all, j, groups + i, 1) == 1, "a group divides itself");
    }
    mpz_clears(p, product, w, NULL);
}

static int probable(const mpz_t w, int ours) {
    uint64_t words[260] = {0};
    limbic_status status;
    mpz_export(words, NULL, -1, 8, 0, 0, w);
    int answer = limbic_rsa_probable_prime(words, mpz_size(w), mpz_sizeinbase(w, 2), ours, &status);
    check(status == LIMBIC_OK, "Miller-Rabin: status %d", (int)status);
    return answer;
}

static void miller_rabin(void) {
    mpz_t w, p, t;
    mpz_inits(w, p, t, NULL);
    repeat(11, ~0UL); /* by chance five rounds take 1152271 for prime once in 1300 */
    /* every odd number of up to 11 bits: by any number of twos in w - 1 */
    for (unsigned long i = 5; i < 2048; i += 2) {
        mpz_set_ui(w, i);
        const int is = mpz_probab_prime_p(w, 20) != 0;
        check(probable(w, 0) == is, "%lu is %sprime", i, is ? "" : "not ");
        if (i % 4 == 3 && is)
            check(probable(w, 1) == 1, "%lu is prime (3 mod 4)", i);
    }
    /* primes: 2^k - 1; 1 mod 2^k; all sizes around words */
    static const unsigned mersenne[] = {61, 89, 107, 127, 521, 607, 1279, 2203};
    for (size_t i = 0; i < sizeof mersenne / sizeof *mersenne; i++) {
        mpz_set_ui(w, 0);
        mpz_setbit(w, mersenne[i]);
        mpz_sub_ui(w, w, 1);
        check(probable(w, 1) == 1, "2^%u - 1 is prime", mersenne[i]);
        if (mersenne[i] < 700)
            check(probable(w, 0) == 1, "2^%u - 1 is prime, by 64 rounds", mersenne[i]);
        mpz_mul(w, w, w); /* a square, 1 mod 4 */
        check(probable(w, 0) == 0, "(2^%u - 1)^2", mersenne[i]);
    }
    for (unsigned bits = 63; bits < 260; bits += bits % 64 == 1 ? 62 : 1)
        for (unsigned twos = 1; twos < 40; twos += 29) {
            a_prime(w, bits, twos);
            check(probable(w, 0) == 1, "a prime of %u bits, 1 mod 2^%u", bits, twos);
            if (twos == 1)
                check(probable(w, 1) == 1, "a prime of %u bits, 3 mod 4", bits);
        }
    a_prime(w, 300, 250);
    check(probable(w, 0) == 1, "k 2^250 + 1");
    /* Arnault 1995: strong pseudoprime to all prime bases below 307; 3 mod 4 */
    mpz_set_str(
        p,
        "2967449566868551055015417464290533273077199179985304335099507553127683875317177019959423859642"
        "8121188033664754218345562493168782883",
        10);
    mpz_set_ui(w, 1);
    static const unsigned long arnault[] = {1, 313, 353}; /* times p - 1, plus 1 */
    for (size_t i = 0; i < 3; i++) {
        mpz_sub_ui(t, p, 1);
        mpz_mul_ui(t, t, arnault[i]);
        mpz_add_ui(t, t, 1);
        check(probable(t, 1) == 1, "Arnault's factor %zu", i);
        mpz_mul(w, w, t);
    }
    check(mpz_sizeinbase(w, 10) == 397 && probable(w, 0) == 0 && probable(w, 1) == 0,
          "Arnault's number of 397 digits");
    /* Carmichael numbers, the first ones and products (6 k + 1)(12 k + 1)(18 k + 1); 3 mod 4: 8911,
     * 1024651, 1152271 */
    static const unsigned long carmichael[] = {561,   1105,  1729,  2465,  2821,  6601,    8911,    10585,
                                               15841, 29341, 41041, 46657, 52633, 1024651, 1152271, 1909001};
    for (size_t i = 0; i < sizeof carmichael / sizeof *carmichael; i++) {
        mpz_set_ui(w, carmichael[i]);
        check(probable(w, 0) == 0 && (carmichael[i] % 4 == 1 || probable(w, 1) == 0), "Carmichael number %lu",
              carmichael[i]);
    }
    unsigned found = 0;
    for (unsigned long k = 1UL << 28; found < 8; k++) {
        mpz_set_ui(w, 1);
        int primes = 1;
        for (unsigned long f = 6; f <= 18 && primes; f += 6) {
            mpz_set_ui(t, f * k + 1);
            primes = mpz_probab_prime_p(t, 10) != 0;
            mpz_mul(w, w, t);
        }
        if (primes)
            check(probable(w, 0) == 0, "Carmichael number of k = %lu, %u", k, found++);
    }
    /* p (2 p - 1) with p = 3 mod 4: as many liars as there can be */
    for (found = 0; found < 8;) {
        a_prime(p, 60, 1);
        mpz_mul_2exp(t, p, 1);
        mpz_sub_ui(t, t, 1);
        if (!mpz_probab_prime_p(t, 10))
            continue;
        mpz_mul(w, p, t);
        check(mpz_fdiv_ui(w, 4) == 3 && probable(w, 0) == 0, "p (2 p - 1) of %lu, %u", mpz_get_ui(p),
              found++);
    }
    const uint64_t prime[2] = {~UINT64_C(0), ~UINT64_C(0) >> 1}; /* 2^127 - 1 */
    for (unsigned long i = 0; i < 4; i++) {                      /* in each round */
        limbic_status status = LIMBIC_OK;
        repeat(7, i);
        check(limbic_rsa_probable_prime(prime, 2, 127, 1, &status) == 0 && status == LIMBIC_ERR_RANDOM,
              "Miller-Rabin without random bytes from call %lu", i);
    }
    repeats = 0;
    mpz_clears(w, p, t, NULL);
}

/* ---- OpenSSL ---- */

static const char *const openssl_names[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                            OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                            OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                            OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};

/* Every part of a key buffer, as OpenSSL's key; NULL if it refuses them. */
static EVP_PKEY *to_openssl(const void *key, size_t key_len) {
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *out = NULL;
    BIGNUM *a[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        uint8_t bytes[MAX_BYTES];
        size_t len = sizeof bytes;
        if (limbic_rsa_export(key, key_len, (limbic_rsa_part)(i + 1), bytes, &len))
            len = 0;
        a[i] = BN_bin2bn(bytes, (int)len, NULL);
        OSSL_PARAM_BLD_push_BN(build, openssl_names[i], a[i]);
    }
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    if (EVP_PKEY_fromdata_init(context) > 0)
        (void)EVP_PKEY_fromdata(context, &out, EVP_PKEY_KEYPAIR, params);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    for (int i = 0; i < NUMBERS; i++)
        BN_free(a[i]);
    EVP_PKEY_CTX_free(context);
    return out;
}

static void openssl_keys(void) {
    static struct bytes b;
    EVP_PKEY *key = EVP_RSA_gen(2048);
    struct key k;
    init(&k);
    memset(&b.x, 0, sizeof b.x);
    for (int i = 0; i < NUMBERS; i++) {
        BIGNUM *a = NULL;
        if (!EVP_PKEY_get_bn_param(key, openssl_names[i], &a))
            abort();
        *number(&b.x, i) = (limbic_rsa_number){b.b[i], (size_t)BN_bn2bin(a, b.b[i])};
        mpz_import(k.x[i], number(&b.x, i)->len, 1, 1, 1, 0, b.b[i]);
        BN_free(a);
    }
    limbic_status got = limbic_rsa_private_import(buffer, sizeof buffer, &b.x);
    check(got == LIMBIC_OK, "import of OpenSSL's key: status %d", (int)got);
    for (int i = 0; i < NUMBERS; i++)
        part_is(buffer, sizeof buffer, i, k.x[i], "OpenSSL's key");
    EVP_PKEY *back = to_openssl(buffer, sizeof buffer);
    check(back && EVP_PKEY_eq(key, back) == 1, "OpenSSL's key there and back");
    EVP_PKEY_free(back);
    EVP_PKEY_free(key);
    clear(&k);
}

/* A generator that gives nothing but zeros must not hang anything. */
static void stuck(const struct key *k) {
    static struct bytes b;
    static uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(2048)];
    static uint8_t data[256], point[65];
    size_t n = sizeof data;
    put_all(&b, k, ALL, 0);
    if (limbic_rsa_private_import(key, sizeof key, &b.x) ||
        limbic_rsa_bytes(key, sizeof key) != sizeof data || limbic_ec_keygen(LIMBIC_SM2, data, 32, point, 65))
        abort();
    memset(data, 0, sizeof data);
    repeat(0, ~0UL);
    check(limbic_rsa_keygen(buffer, sizeof buffer, 2048, NULL, 0) == LIMBIC_ERR_RANDOM,
          "stuck generator: keygen");
    check(limbic_rsa_private_op(key, sizeof key, data, 256, data, 256) == LIMBIC_ERR_RANDOM,
          "stuck generator: private_op");
    check(limbic_rsa_encrypt_pkcs1(key, sizeof key, data, 256, data, 10) == LIMBIC_ERR_RANDOM,
          "stuck generator: encrypt_pkcs1");
    check(limbic_ec_keygen(LIMBIC_SM2, data, 32, data, 65) == LIMBIC_ERR_RANDOM,
          "stuck generator: ec_keygen");
    check(limbic_sm2_encrypt(LIMBIC_SM2_DER, data, &n, point, 65, data, 10) == LIMBIC_ERR_RANDOM,
          "stuck generator: sm2_encrypt");
    repeats = 0;
}

/* ---- generation ---- */

static void good_key(size_t bits, const mpz_t e, const char *what) {
    const size_t size = limbic_rsa_private_bytes(bits);
    struct key k, want;
    mpz_t t;
    mpz_init(t);
    init(&k);
    init(&want);
    for (int i = 0; i < NUMBERS; i++) {
        uint8_t bytes[MAX_BYTES];
        size_t len = sizeof bytes;
        if (limbic_rsa_export(buffer, size, (limbic_rsa_part)(i + 1), bytes, &len))
            len = 0;
        mpz_import(k.x[i], len, 1, 1, 1, 0, bytes);
    }
    check(limbic_rsa_bits(buffer, size) == bits && mpz_sizeinbase(k.x[N], 2) == bits &&
              mpz_cmp(k.x[E], e) == 0,
          "%s: n and e", what);
    for (int i = P; i <= Q; i++) {
        mpz_mul(t, k.x[i], k.x[i]);
        check(mpz_sizeinbase(k.x[i], 2) == bits / 2 && mpz_sizeinbase(t, 2) == bits &&
                  mpz_fdiv_ui(k.x[i], 4) == 3 && mpz_probab_prime_p(k.x[i], 26) != 0,
              "%s: %s is prime, 3 mod 4, and at least sqrt(2) 2^%zu", what, names[i], bits / 2 - 1);
    }
    mpz_sub(t, k.x[P], k.x[Q]);
    check(mpz_sgn(t) > 0 && mpz_sizeinbase(t, 2) > bits / 2 - 100, "%s: p - q", what);
    mpz_set(want.x[P], k.x[P]);
    mpz_set(want.x[Q], k.x[Q]);
    mpz_set(want.x[E], e);
    check(complete(&want), "%s: e", what);
    for (int i = 0; i < NUMBERS; i++)
        check(mpz_cmp(k.x[i], want.x[i]) == 0, "%s: %s", what, names[i]);
    check(mpz_sizeinbase(k.x[D], 2) > bits / 2, "%s: d is large", what);
    EVP_PKEY *key = to_openssl(buffer, size);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    check(context && EVP_PKEY_check(context) == 1, "%s: OpenSSL's check", what);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    clear(&k);
    clear(&want);
    mpz_clear(t);
}

static void generation(void) {
    static const struct {
        size_t bits;
        const char *e;
    } keys[] = {{2048, NULL},
                {2048, "010003"},
                {2050, "000000000000000000000000000000000000000000000000000000000000000000010001"},
                {2048, "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff1"},
                {2048, "03e517"}, /* 3 5 7 11 13 17 */
                {3072, NULL}};
    mpz_t e;
    mpz_init(e);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint8_t bytes[64];
        const char *text = keys[i].e ? keys[i].e : "010001";
        size_t len = strlen(text) / 2;
        char what[64];
        mpz_set_str(e, text, 16);
        for (size_t j = 0; j < len; j++) {
            unsigned byte;
            (void)sscanf(text + 2 * j, "%2x", &byte);
            bytes[j] = (uint8_t)byte;
        }
        (void)snprintf(what, sizeof what, "new key %zu of %zu bits", i, keys[i].bits);
        memset(buffer, 0xa5, sizeof buffer);
        const size_t size = limbic_rsa_private_bytes(keys[i].bits);
        limbic_status got =
            limbic_rsa_keygen(buffer, size, keys[i].bits, keys[i].e ? bytes : NULL, keys[i].e ? len : 0);
        if (check(got == LIMBIC_OK && buffer[size / 8] == UINT64_C(0xa5a5a5a5a5a5a5a5), "%s: status %d", what,
                  (int)got))
            good_key(keys[i].bits, e, what);
        if (i == 0) {
            got = limbic_rsa_check(buffer, size);
            check(got == LIMBIC_OK, "%s: check: status %d", what, (int)got);
        }
    }
    mpz_clear(e);
}

static void generation_faults(void) {
    static const size_t sizes[] = {0,     1024,  2046,  2047,     2049,        3073,
                                   16383, 16385, 16386, SIZE_MAX, SIZE_MAX - 1};
    static const uint8_t e3[] = {3}, even[] = {1, 0, 2}, e16[] = {0xff, 0xff}, e_is_65536[] = {1, 0, 0},
                         zero[] = {0, 0};
    uint8_t long_e[33] = {1}, padded[40] = {0};
    const size_t size = limbic_rsa_private_bytes(2048);
    long_e[32] = 1;
    padded[39] = 3;
    memset(buffer, 0xa5, sizeof buffer);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check(limbic_rsa_keygen(buffer, sizeof buffer, sizes[i], NULL, 0) == LIMBIC_ERR_KEY_SIZE,
              "new key of %zu bits", sizes[i]);
    const struct {
        const uint8_t *e;
        size_t len;
    } bad[] = {{e3, sizeof e3},         {even, sizeof even},
               {e16, sizeof e16},       {e_is_65536, sizeof e_is_65536},
               {zero, sizeof zero},     {e3, 0},
               {long_e, sizeof long_e}, {padded, sizeof padded},
               {long_e, SIZE_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check(limbic_rsa_keygen(buffer, size, 2048, bad[i].e, bad[i].len) == LIMBIC_ERR_PUBLIC_KEY,
              "new key with bad e %zu", i);
    check(limbic_rsa_keygen(NULL, size, 2048, NULL, 0) == LIMBIC_ERR_NULL, "new key to nowhere");
    check(limbic_rsa_keygen(buffer, size, 2048, NULL, 3) == LIMBIC_ERR_NULL, "new key with e from nowhere");
    check(limbic_rsa_keygen((uint8_t *)buffer + 4, size, 2048, NULL, 0) == LIMBIC_ERR_ALIGNMENT,
          "new key at an odd address");
    check(limbic_rsa_keygen(buffer, size - 1, 2048, NULL, 0) == LIMBIC_ERR_BUFFER, "new key into too little");
    check(untouched(MAX_WORDS), "refused generation leaves the buffer alone");

    /* the random source fails at its first call, its second, its last */
    static uint64_t other[LIMBIC_RSA_PRIVATE_WORDS(2048)];
    repeat(2, ~0UL);
    check(limbic_rsa_keygen(other, sizeof other, 2048, NULL, 0) == LIMBIC_OK,
          "new key from repeated numbers");
    const unsigned long used = calls, at[] = {0, 1, used - 1};
    for (size_t i = 0; i < 3; i++) {
        repeat(2, at[i]);
        check(limbic_rsa_keygen(buffer, size, 2048, NULL, 0) == LIMBIC_ERR_RANDOM && calls == at[i] + 1 &&
                  untouched(MAX_WORDS),
              "random call %lu of %lu fails", at[i], used);
    }
    repeats = 0;
}

/* The largest modulus: the two largest primes of 8192 bits. */
static void largest(void) {
    static const unsigned long below[] = {2439, 5619};
    static struct bytes b;
    struct key k;
    init(&k);
    for (int i = 0; i < 2; i++) {
        mpz_setbit(k.x[P + i], 8192);
        mpz_sub_ui(k.x[P + i], k.x[P + i], below[i]);
    }
    mpz_set_ui(k.x[E], 65537);
    check(complete(&k), "the largest key has e = 65537");
    const size_t size = limbic_rsa_private_bytes(LIMBIC_RSA_MAX_BITS);
    put_all(&b, &k, ALL, 1);
    limbic_status got = limbic_rsa_private_import(buffer, size, &b.x);
    check(got == LIMBIC_OK, "16384 bits: status %d", (int)got);
    for (int i = 0; i < NUMBERS; i++)
        part_is(buffer, size, i, k.x[i], "16384 bits");
    mpz_add_ui(k.x[DP], k.x[DP], 2);
    put_all(&b, &k, ALL, 0);
    refused(LIMBIC_ERR_PRIVATE_KEY, &b.x, 1, "16384 bits: dp + 2", "");
    clear(&k);
}

static void one_import(const char *isa) {
    static const unsigned bits[2] = {1024, 1024}, twos[2] = {0, 0};
    struct key k;
    make(&k, bits, twos, 65537, 0);
    imports(&k, isa);
    clear(&k);
}

int main(void) {
    static const struct {
        unsigned bits[2], twos[2]; /* of p and q; of p - 1 and q - 1, 0: any */
        unsigned long e;
        unsigned e_bits;
        const char *what;
    } shapes[] = {{{1024, 1024}, {0, 0}, 65537, 0, "2048 bits"},
                  {{1000, 1048}, {0, 0}, 65537, 0, "1000 and 1048 bits"},
                  {{600, 1448}, {0, 0}, 3, 0, "600 and 1448 bits, e = 3"},
                  {{1348, 700}, {0, 0}, 0, 1300, "1348 and 700 bits, e of 1300 bits, above q"},
                  {{1024, 1024}, {300, 7}, 0, 65, "twos: 300 and 7; e of 65 bits"},
                  {{1024, 1024}, {64, 64}, 65537, 0, "twos: 64 and 64"},
                  {{1024, 1024}, {1, 1000}, 65537, 0, "twos: 1 and 1000"},
                  {{1024, 1023}, {0, 0}, 17, 0, "2047 bits"},
                  {{1025, 1024}, {0, 0}, 0, 64, "2049 bits, e of 64 bits"},
                  {{1028, 1028}, {0, 0}, 0, 2000, "2056 bits, e of 2000 bits"},
                  {{1020, 1021}, {0, 0}, 5, 0, "2041 bits"},
                  {{10, 2031}, {0, 0}, 0, 12, "10 and 2031 bits"},
                  {{1977, 65}, {0, 0}, 65537, 0, "1977 and 65 bits"}};
    gmp_randinit_mt(random_state);
    accessors();
    trial_division();
    miller_rabin();
    each_isa(ENGINES, one_import);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct key k;
        make(&k, shapes[i].bits, shapes[i].twos, shapes[i].e, shapes[i].e_bits);
        imports(&k, shapes[i].what);
        private_faults(&k, shapes[i].what);
        if (i == 0) {
            public_faults(&k);
            builds(&k);
            checks(&k);
            stuck(&k);
        }
        clear(&k);
    }
    largest();
    no_key();
    half_of_lcm();
    openssl_keys();
    generation();
    generation_faults();
    gmp_randclear(random_state);
    return closing();
}
