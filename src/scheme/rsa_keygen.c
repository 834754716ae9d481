/* RSA key generation with probable primes (FIPS 186-5 A.1.3). */
#include "base/random.h"
#include "scheme/rsa.h"

/* ---- trial division ---- */

static int is_prime(uint32_t c, const struct limbic_rsa_group *g) {
    for (size_t i = 0;; i++) {
        const uint32_t p = g[i / 4].prime[i % 4];
        if (p * p > c)
            return 1;
        if (c % p == 0)
            return 0;
    }
}

void limbic_rsa_groups(struct limbic_rsa_group *g, size_t groups) {
    uint32_t c = 3;
    g[0].prime[0] = 3;
    for (size_t i = 0; i < groups; i++) {
        g[i].product = 1;
        for (size_t j = 0; j < 4; j++, c += 2) {
            while (c > 3 && !is_prime(c, g))
                c += 2;
            g[i].prime[j] = (uint16_t)c;
            g[i].product *= c;
        }
        g[i].inverse = limbic_word_inverse(g[i].product);
    }
}

/*
 * No division: with M the product of a group and 2^64 invertible modulo it, the words of w go from the lowest
 * to r = -(r + word)/2^64 mod M, so that r ends as a multiple of w mod M by a unit (0 <= r <= M all the way).
 * A prime p divides r if r/p mod 2^64, the quotient then, times p has no upper word.
 */
int limbic_rsa_small_factor(const uint64_t *w, size_t limbs, const struct limbic_rsa_group *g,
                            size_t groups) {
    for (size_t i = 0; i < groups; i++) {
        uint64_t r = 0, found = 0, upper;
        for (size_t k = 0; k < limbs; k++) {
            uint64_t borrow = 0, t = limbic_sbb(w[k], r, &borrow);
            (void)limbic_mul_wide(&upper, t * g[i].inverse, g[i].product);
            r = upper + borrow;
        }
        for (size_t j = 0; j < 4; j++) {
            (void)limbic_mul_wide(&upper, r * limbic_word_inverse(g[i].prime[j]), g[i].prime[j]);
            found |= limbic_mask_zero(upper);
        }
        LIMBIC_DECLASSIFY(&found, sizeof found);
        if (found)
            return 1;
    }
    return 0;
}

/* ---- Miller-Rabin ---- */

/* As limbic_mont_init for an odd w of exactly so many bits, which saves its inversion: R mod w comes from
 * 2^bits mod w = 2^bits - w by doublings. */
static void context(limbic_mont *x, uint64_t *storage, const uint64_t *w, size_t limbs, size_t bits) {
    uint64_t *m = storage, *one = m + limbs, *rr = one + limbs, borrow = 0;
    memcpy(m, w, 8 * limbs);
    *x = (limbic_mont){limbs, 0 - limbic_word_inverse(w[0]), m, one, rr};
    for (size_t i = 0; i < limbs; i++) {
        const size_t above = 64 * i < bits ? bits - 64 * i : 0; /* bits of this word and those above it */
        one[i] = limbic_sbb(0, w[i], &borrow);
        one[i] &= above >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << above) - 1;
    }
    for (size_t i = bits; i < 64 * limbs; i++)
        limbic_mont_add(one, one, one, x);
    /* R^2 mod w, the residue of R = (2^limbs)^64 */
    memcpy(rr, one, 8 * limbs);
    for (size_t i = 0; i < limbs; i++)
        limbic_mont_add(rr, rr, rr, x);
    for (int i = 0; i < 6; i++)
        limbic_mont_sqr(rr, rr, x);
}

/* A random base: any number modulo w but 0, 1 and -1. */
static limbic_status base(uint64_t *a, const uint64_t *minus_one, size_t bits, const limbic_mont *x) {
    int bad;
    do {
        limbic_status status = limbic_rsa_random(a, x, bits);
        if (status)
            return status;
        bad = limbic_mont_eq(a, x->one, x) | limbic_mont_eq(a, minus_one, x);
        LIMBIC_DECLASSIFY(&bad, sizeof bad);
    } while (bad);
    return LIMBIC_OK;
}

/*
 * Rounds. Ours: 5 for primes of 1024 to 1535 bits, 4 above (FIPS 186-5 table B.1, without a Lucas test). That
 * is for random numbers, few of which are composite with many bases that lie (Damgaard, Landrock, Pomerance
 * 1993): a number of k bits that passes t rounds is composite with probability below k^(3/2) 2^t t^(-1/2)
 * 4^(2 - sqrt(t k)) (for 3 <= t <= k/9): 2^-120, 2^-134, 2^-157 for k = 1024, 1536, 2048. Of all odd numbers
 * of k bits we draw from those that are 3 mod 4 and at least 2^(k - 1/2), 0.29 of them, with as many primes
 * in proportion; this takes at most 2 bits from the bounds. A number of unknown origin may be the worst, for
 * which a quarter of the bases lie: 4^-64 for 64 rounds.
 */
static int rounds_for(size_t bits, int ours) {
    return !ours ? 64 : bits < 1536 ? 5 : 4;
}

int limbic_rsa_probable_prime(const uint64_t *w, size_t limbs, size_t bits, int ours, limbic_status *status) {
    limbic_mont x;
    uint64_t storage[LIMBIC_MONT_STORAGE(limbs)], exponent[limbs], minus_one[limbs], a[limbs];
    uint64_t passed = 1;
    context(&x, storage, w, limbs, bits);
    limbic_mont_neg(minus_one, x.one, &x);
    memcpy(exponent, w, sizeof exponent);
    exponent[0] ^= 1;
    (void)limbic_rsa_take_twos(exponent, limbs);
    *status = LIMBIC_OK;
    for (int i = 0; i < rounds_for(bits, ours) && passed; i++) {
        *status = base(a, minus_one, bits, &x);
        if (*status) {
            passed = 0;
            break;
        }
        limbic_mont_pow(a, a, exponent, bits - 1, &x);
        passed = (uint64_t)(limbic_mont_eq(a, x.one, &x) | limbic_mont_eq(a, minus_one, &x));
        /* The squares up to a^((w - 1)/2), and on from there, so that their number is not told: -1 = b^(2^k)
         * for a b makes all primes of w, and so w, 1 mod 2^(k + 1), and cannot come later. */
        for (size_t k = 1; k + 1 < bits && !ours; k++) {
            limbic_mont_sqr(a, a, &x);
            passed |= (uint64_t)limbic_mont_eq(a, minus_one, &x);
        }
        LIMBIC_DECLASSIFY(&passed, sizeof passed);
    }
    limbic_wipe(storage, sizeof storage);
    limbic_wipe(exponent, sizeof exponent);
    limbic_wipe(minus_one, sizeof minus_one);
    limbic_wipe(a, sizeof a);
    limbic_wipe_stack();
    return (int)passed;
}

/* ---- primes ---- */

/* The upper 64 bits of sqrt(2) 2^k. */
#define SQRT2 UINT64_C(0xb504f333f9de6484)

/* All ones if a of n words is 2^bits or more. */
static uint64_t reaches(const uint64_t *a, size_t n, size_t bits) {
    uint64_t above = 0;
    for (size_t i = bits / 64; i < n; i++)
        above |= i > bits / 64 ? a[i] : a[i] >> (bits % 64);
    return ~limbic_mask_zero(above);
}

/* A random number = 3 mod 4 of so many bits, at least sqrt(2) 2^(bits - 1) (A.1.3 steps 4.2 to 4.4; those
 * without the top bit, which step 4.4 would throw away, are not drawn at all). */
static limbic_status candidate(uint64_t *w, size_t limbs, size_t bits) {
    const unsigned spare = (unsigned)(64 * limbs - bits);
    uint64_t top = 0;
    for (int tries = 0; !top; tries++) {
        limbic_status status = tries < LIMBIC_RANDOM_TRIES ? limbic_random(w, 8 * limbs) : LIMBIC_ERR_RANDOM;
        if (status)
            return status;
        LIMBIC_SECRET(w, 8 * limbs);
        w[0] |= 3;
        w[limbs - 1] = (w[limbs - 1] | UINT64_C(1) << 63) >> spare;
        top = w[limbs - 1] << spare | (spare ? w[limbs - 2] >> (64 - spare) : 0);
        top = limbic_borrow_of(SQRT2, top, SQRT2 - top);
        LIMBIC_DECLASSIFY(&top, sizeof top);
    }
    return LIMBIC_OK;
}

/* 1 if |w - other| > 2^(bits - 100) */
static int far(const uint64_t *w, const uint64_t *other, size_t limbs, size_t bits) {
    uint64_t a[limbs], b[limbs], x = 1, y = 1, ok; /* the differences less 1 */
    for (size_t i = 0; i < limbs; i++) {
        a[i] = limbic_sbb(w[i], other[i], &x);
        b[i] = limbic_sbb(other[i], w[i], &y);
    }
    ok = (~limbic_mask_bit(x) & reaches(a, limbs, bits - 100)) |
         (~limbic_mask_bit(y) & reaches(b, limbs, bits - 100));
    limbic_wipe(a, sizeof a);
    limbic_wipe(b, sizeof b);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    return ok != 0;
}

/* 1 if gcd(w - 1, e) = 1 */
static int fits_e(const uint64_t *w, size_t limbs, const limbic_mont *e) {
    uint64_t w1[limbs], r[e->limbs];
    memcpy(w1, w, sizeof w1);
    w1[0] ^= 1;
    limbic_mont_reduce(r, w1, limbs, e);
    int ok = limbic_mont_inv(r, r, e);
    limbic_wipe(w1, sizeof w1);
    limbic_wipe(r, sizeof r);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    return ok;
}

/* A random prime, far from other (may be NULL). */
static limbic_status prime(uint64_t *w, size_t bits, const uint64_t *other, const limbic_mont *e,
                           const struct limbic_rsa_group *g, size_t groups) {
    const size_t limbs = (bits + 63) / 64;
    /* One candidate in 0.35 bits is prime. The limit is for a generator out of order: it is met once in
     * 2^166 keys, and if e has all small primes for factors, which few p - 1 are free of, in 2^23. */
    for (size_t tries = 0; tries < 40 * bits; tries++) {
        limbic_status status = candidate(w, limbs, bits);
        if (status)
            return status;
        if ((other && !far(w, other, limbs, bits)) || limbic_rsa_small_factor(w, limbs, g, groups) ||
            !fits_e(w, limbs, e))
            continue;
        if (limbic_rsa_probable_prime(w, limbs, bits, 1, &status) || status)
            return status;
    }
    return LIMBIC_ERR_FAULT;
}

/* Groups of primes for trial division: a round of Miller-Rabin takes time as the cube of the bits, a group as
 * their number. The limit is for the stack. */
static size_t groups_for(size_t bits) {
    return bits < 1600 ? bits * bits / 4096 : 625;
}

static limbic_status primes(uint64_t *p, uint64_t *q, size_t bits, const uint64_t *e, size_t e_limbs) {
    const size_t limbs = (bits + 63) / 64;
    struct limbic_rsa_group g[groups_for(bits)];
    uint64_t storage[LIMBIC_MONT_STORAGE(e_limbs)], swap;
    limbic_mont x;
    limbic_status status = limbic_mont_init(&x, storage, e, e_limbs);
    limbic_rsa_groups(g, groups_for(bits));
    if (!status)
        status = prime(p, bits, NULL, &x, g, groups_for(bits));
    if (!status)
        status = prime(q, bits, p, &x, g, groups_for(bits));
    limbic_wipe_stack(); /* the primes of trial division stand between it and the caller's */
    if (status)
        return status;
    /* p > q: some programs ask for it */
    swap = limbic_mask_bit(limbic_words_less(p, q, limbs));
    for (size_t i = 0; i < limbs; i++) {
        uint64_t t = swap & (p[i] ^ q[i]);
        p[i] ^= t;
        q[i] ^= t;
    }
    return LIMBIC_OK;
}

/* ---- keys ---- */

/* Pairwise consistency: a random number to the power d, and back by e. */
static limbic_status try_key(const void *key, size_t key_len) {
    struct limbic_rsa x;
    limbic_status status = limbic_rsa_open(&x, key, key_len, 1);
    if (status)
        return status;
    uint8_t in[x.bytes], out[x.bytes];
    status = limbic_random(in, x.bytes);
    in[0] = 0; /* below n */
    if (!status)
        status = limbic_rsa_private_raw(&x, out, in);
    if (!status)
        status = limbic_rsa_public_raw(&x, out, out);
    LIMBIC_DECLASSIFY(out, sizeof out); /* in again, or of no use */
    if (!status && memcmp(in, out, x.bytes) != 0)
        status = LIMBIC_ERR_FAULT;
    return status;
}

/* d > 2^(bits/2); anything else is as likely as a guess of d */
static int large_d(const void *key, size_t key_len) {
    struct limbic_rsa x;
    if (limbic_rsa_open(&x, key, key_len, 1))
        return 0;
    uint64_t large = reaches(x.d, x.n.limbs, x.bits / 2); /* d is odd, so not that power */
    LIMBIC_DECLASSIFY(&large, sizeof large);
    return large != 0;
}

/* Not inlined, so that the caller can wipe what is left in its frame. */
static __attribute__((noinline)) limbic_status generate(void *key, size_t bits, const uint64_t *e,
                                                        size_t e_limbs) {
    const size_t limbs = (bits / 2 + 63) / 64;
    uint64_t p[limbs], q[limbs], built[LIMBIC_RSA_PRIVATE_WORDS(bits)];
    limbic_status status;
    memset(built, 0, sizeof built);
    do {
        status = primes(p, q, bits / 2, e, e_limbs);
        if (!status)
            status = limbic_rsa_build(built, sizeof built, p, limbs, q, limbs, e, e_limbs);
    } while (!status && !large_d(built, sizeof built));
    if (!status)
        status = try_key(built, sizeof built);
    if (!status)
        memcpy(key, built, sizeof built);
    limbic_wipe(p, sizeof p);
    limbic_wipe(q, sizeof q);
    limbic_wipe(built, sizeof built);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_rsa_keygen(void *key, size_t key_len, size_t bits, const uint8_t *e, size_t e_len) {
    uint64_t words[4] = {65537, 0, 0, 0};
    size_t limbs = 4;
    limbic_status status;

    if (!key || (!e && e_len))
        return LIMBIC_ERR_NULL;
    if ((uintptr_t)key % 8)
        return LIMBIC_ERR_ALIGNMENT;
    if (bits < 2048 || bits > LIMBIC_RSA_MAX_BITS || bits % 2)
        return LIMBIC_ERR_KEY_SIZE;
    if (key_len < limbic_rsa_private_bytes(bits))
        return LIMBIC_ERR_BUFFER;
    if (e) {
        for (; e_len > sizeof words; e++, e_len--)
            if (*e)
                return LIMBIC_ERR_PUBLIC_KEY;
        limbic_words_from_be(words, limbs, e, e_len);
    }
    while (limbs > 1 && !words[limbs - 1])
        limbs--;
    if (!(words[0] & 1) || (limbs == 1 && words[0] <= 65536))
        return LIMBIC_ERR_PUBLIC_KEY;
    status = generate(key, bits, words, limbs);
    limbic_wipe_stack();
    return status;
}
