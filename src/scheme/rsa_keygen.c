/* RSA key generation with probable primes (FIPS 186-5 A.1.3). */
#include "base/random.h"
#include "dispatch/dispatch.h"
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

/* Groups at once: each waits for its products. */
#define TOGETHER 4

/*
 * No division: with M the product of a group and 2^64 invertible modulo it, the words of w go from the lowest
 * to r = -(r + word)/2^64 mod M, so that r ends as a multiple of w mod M by a unit (0 <= r <= M all the way).
 * A prime p divides r if r/p mod 2^64, the quotient then, times p has no upper word.
 */
LIMBIC_INLINE uint64_t small_factor(const uint64_t *w, size_t limbs, const struct limbic_rsa_group *g,
                                    size_t groups) {
    uint64_t r[TOGETHER] = {0}, found = 0, upper;
    for (size_t k = 0; k < limbs; k++)
        for (size_t i = 0; i < groups; i++) {
            uint64_t borrow = 0, t = limbic_sbb(w[k], r[i], &borrow);
            (void)limbic_mul_wide(&upper, t * g[i].inverse, g[i].product);
            r[i] = upper + borrow;
        }
    for (size_t i = 0; i < groups; i++)
        for (size_t j = 0; j < 4; j++) {
            (void)limbic_mul_wide(&upper, r[i] * limbic_word_inverse(g[i].prime[j]), g[i].prime[j]);
            found |= limbic_mask_zero(upper);
        }
    LIMBIC_DECLASSIFY(&found, sizeof found);
    return found;
}

int limbic_rsa_small_factor(const uint64_t *w, size_t limbs, const struct limbic_rsa_group *g,
                            size_t groups) {
    for (; groups >= TOGETHER; g += TOGETHER, groups -= TOGETHER)
        if (small_factor(w, limbs, g, TOGETHER))
            return 1;
    for (; groups > 0; g++, groups--)
        if (small_factor(w, limbs, g, 1))
            return 1;
    return 0;
}

/* ---- Miller-Rabin ---- */

/* So many numbers are tested at once: as many as rows of powers take. */
#define AT_ONCE 8

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
static size_t rounds_for(size_t bits, int ours) {
    return !ours ? 64 : bits < 1536 ? 5 : 4;
}

/*
 * A round for each of the numbers x->m, all of exactly so many bits (some may be the same): passed[i] is 1 if its base does not show that number i is
 * composite.
 */
static limbic_status rounds(uint64_t *passed, const limbic_mont *const *x, size_t count, size_t bits,
                            int ours) {
    const size_t n = x[0]->limbs;
    uint64_t a[count * n], exponents[count * n], minus_one[n];
    limbic_status status = LIMBIC_OK;
    for (size_t i = 0; i < count && !status; i++) {
        limbic_mont_neg(minus_one, x[i]->one, x[i]);
        memcpy(exponents + i * n, x[i]->m, 8 * n);
        exponents[i * n] ^= 1;
        (void)limbic_rsa_take_twos(exponents + i * n, n);
        status = base(a + i * n, minus_one, bits, x[i]);
    }
    if (!status)
        limbic_ops(LIMBIC_UNIT_mont)->mont_pow_many(a, a, exponents, bits, x, count);
    for (size_t i = 0; i < count && !status; i++) {
        uint64_t *b = a + i * n;
        limbic_mont_neg(minus_one, x[i]->one, x[i]);
        passed[i] = (uint64_t)(limbic_mont_eq(b, x[i]->one, x[i]) | limbic_mont_eq(b, minus_one, x[i]));
        /* The squares up to a^((w - 1)/2), and on from there, so that their number is not told: -1 = b^(2^k)
         * for a b makes all primes of w, and so w, 1 mod 2^(k + 1), and cannot come later. */
        for (size_t k = 1; k + 1 < bits && !ours; k++) {
            limbic_mont_sqr(b, b, x[i]);
            passed[i] |= (uint64_t)limbic_mont_eq(b, minus_one, x[i]);
        }
        LIMBIC_DECLASSIFY(&passed[i], sizeof passed[i]);
    }
    limbic_wipe(a, sizeof a);
    limbic_wipe(exponents, sizeof exponents);
    limbic_wipe(minus_one, sizeof minus_one);
    limbic_wipe_stack();
    return status;
}

/* The first round shows nearly all that are composite; then several at once. */
int limbic_rsa_probable_prime(const uint64_t *w, size_t limbs, size_t bits, int ours, limbic_status *status) {
    limbic_mont x;
    uint64_t storage[LIMBIC_MONT_STORAGE(limbs)], passed[AT_ONCE] = {0}, all = 1;
    const limbic_mont *same[AT_ONCE];
    context(&x, storage, w, limbs, bits);
    for (size_t i = 0; i < AT_ONCE; i++)
        same[i] = &x;
    *status = LIMBIC_OK;
    for (size_t left = rounds_for(bits, ours), now = 1; left > 0 && all && !*status; left -= now) {
        if (left < rounds_for(bits, ours))
            now = left < AT_ONCE ? left : AT_ONCE;
        *status = rounds(passed, same, now, bits, ours);
        for (size_t i = 0; i < now; i++)
            all &= passed[i];
    }
    limbic_wipe(storage, sizeof storage);
    limbic_wipe(&x, sizeof x);
    return all && !*status;
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

/* A random number that may be a prime of the key: without small factors, one less than it prime to e. */
static limbic_status promising(uint64_t *w, size_t bits, const limbic_mont *e,
                               const struct limbic_rsa_group *g, size_t groups, size_t *tries) {
    const size_t limbs = (bits + 63) / 64;
    while (*tries > 0) {
        --*tries;
        limbic_status status = candidate(w, limbs, bits);
        if (status)
            return status;
        if (!limbic_rsa_small_factor(w, limbs, g, groups) && fits_e(w, limbs, e))
            return LIMBIC_OK;
    }
    return LIMBIC_ERR_FAULT;
}

/*
 * Two random primes that are far from each other: those that pass a first round, of eight candidates at once, until there are two; then both have all
 * others at once.
 */
static limbic_status two_primes(uint64_t *p, uint64_t *q, size_t bits, const limbic_mont *e,
                                const struct limbic_rsa_group *g, size_t groups,
                                const struct limbic_rsa_progress *progress) {
    const size_t limbs = (bits + 63) / 64, more = rounds_for(bits, 1) - 1;
    uint64_t w[limbs], storage[AT_ONCE][LIMBIC_MONT_STORAGE(limbs)], passed[AT_ONCE];
    limbic_mont x[AT_ONCE];
    const limbic_mont *each[AT_ONCE];
    /* One candidate in 0.35 bits is prime. The limit is for a generator out of order: it is met once in
     * 2^166 keys, and if e has all small primes for factors, which few p - 1 are free of, in 2^23. */
    size_t found = 0, tries = 80 * bits;
    limbic_status status = LIMBIC_OK;
    while (found < 2 && !status) {
        if (progress && !progress->tell(progress->arg)) {
            status = LIMBIC_ERR_FAULT;
            break;
        }
        for (size_t i = 0; i < AT_ONCE && !status; i++) {
            status = promising(w, bits, e, g, groups, &tries);
            if (!status)
                context(&x[i], storage[i], w, limbs, bits);
            each[i] = &x[i];
        }
        if (!status)
            status = rounds(passed, each, AT_ONCE, bits, 1);
        for (size_t i = 0; i < AT_ONCE && found < 2 && !status; i++)
            if (passed[i] && (!found || far(x[i].m, p, limbs, bits)))
                memcpy(found++ ? q : p, x[i].m, 8 * limbs);
        if (found < 2 || status)
            continue;
        context(&x[0], storage[0], p, limbs, bits);
        context(&x[1], storage[1], q, limbs, bits);
        for (size_t i = 0; i < 2 * more; i++)
            each[i] = &x[i / more];
        status = rounds(passed, each, 2 * more, bits, 1);
        uint64_t good[2] = {1, 1};
        for (size_t i = 0; i < 2 * more && !status; i++)
            good[i / more] &= passed[i];
        if (!good[0])
            memcpy(p, q, 8 * limbs);
        found = (size_t)(good[0] + good[1]);
    }
    limbic_wipe(w, sizeof w);
    limbic_wipe(storage, sizeof storage);
    limbic_wipe(x, sizeof x);
    return status;
}

/* Groups of primes for trial division: a round of Miller-Rabin takes time as the cube of the bits, a group as
 * their number. The limit is for the stack. */
static size_t groups_for(size_t bits) {
    return bits < 1600 ? bits * bits / 4096 : 625;
}

static limbic_status primes(uint64_t *p, uint64_t *q, size_t bits, const uint64_t *e, size_t e_limbs,
                            const struct limbic_rsa_progress *progress) {
    const size_t limbs = (bits + 63) / 64;
    struct limbic_rsa_group g[groups_for(bits)];
    uint64_t storage[LIMBIC_MONT_STORAGE(e_limbs)], swap;
    limbic_mont x;
    limbic_status status = limbic_mont_init(&x, storage, e, e_limbs);
    limbic_rsa_groups(g, groups_for(bits));
    if (!status)
        status = two_primes(p, q, bits, &x, g, groups_for(bits), progress);
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
    limbic_wipe(&x, sizeof x);
    return status;
}

/* d > 2^(bits/2); anything else is as likely as a guess of d */
static int large_d(const void *key, size_t key_len) {
    struct limbic_rsa x;
    if (limbic_rsa_open(&x, key, key_len, 0))
        return 0;
    uint64_t large = reaches(x.d, x.n.limbs, x.bits / 2); /* d is odd, so not that power */
    LIMBIC_DECLASSIFY(&large, sizeof large);
    return large != 0;
}

/* Not inlined, so that the caller can wipe what is left in its frame. */
static __attribute__((noinline)) limbic_status generate(void *key, size_t bits, const uint64_t *e,
                                                        size_t e_limbs,
                                                        const struct limbic_rsa_progress *progress) {
    const size_t limbs = (bits / 2 + 63) / 64;
    uint64_t p[limbs], q[limbs], built[LIMBIC_RSA_PRIVATE_WORDS(bits)];
    limbic_status status;
    memset(built, 0, sizeof built);
    do {
        status = primes(p, q, bits / 2, e, e_limbs, progress);
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
    return limbic_rsa_keygen_watched(key, key_len, bits, e, e_len, NULL);
}

limbic_status limbic_rsa_keygen_watched(void *key, size_t key_len, size_t bits, const uint8_t *e,
                                        size_t e_len, const struct limbic_rsa_progress *progress) {
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
    status = generate(key, bits, words, limbs, progress);
    limbic_wipe_stack();
    return status;
}
