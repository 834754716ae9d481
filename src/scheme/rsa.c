/* RSA: key buffers and the two operations on numbers. */
#include "scheme/rsa.h"
#include "base/random.h"
#include "dispatch/dispatch.h"

/* Key buffers. */

static size_t limbs_of(size_t bits) {
    return (bits + 63) / 64;
}

static int size_is_known(size_t bits) {
    return bits >= LIMBIC_RSA_MIN_PUBLIC_BITS && bits <= LIMBIC_RSA_MAX_BITS;
}

size_t limbic_rsa_public_bytes(size_t bits) {
    return size_is_known(bits) ? 8 * LIMBIC_RSA_PUBLIC_WORDS(bits) : 0;
}

size_t limbic_rsa_private_bytes(size_t bits) {
    return size_is_known(bits) ? 8 * LIMBIC_RSA_PRIVATE_WORDS(bits) : 0;
}

/* The next `words` words of the buffer. */
static const uint64_t *take(const uint64_t **at, size_t words) {
    const uint64_t *part = *at;
    *at += words;
    return part;
}

static void take_modulus(limbic_mont *x, const uint64_t **at, size_t limbs) {
    x->limbs = limbs;
    x->m = take(at, limbs);
    x->one = take(at, limbs);
    x->rr = take(at, limbs);
}

void limbic_rsa_layout(struct limbic_rsa *x, const void *key, int is_private, size_t bits, size_t e_bits,
                       size_t p_bits, size_t q_bits) {
    const uint64_t *at = (const uint64_t *)key + sizeof(struct limbic_rsa_header) / 8;
    *x = (struct limbic_rsa){.bits = bits,
                             .bytes = (bits + 7) / 8,
                             .e_bits = e_bits,
                             .is_private = is_private,
                             .has_primes = p_bits != 0,
                             .p_bits = p_bits,
                             .q_bits = q_bits};
    take_modulus(&x->n, &at, limbs_of(bits));
    x->e = take(&at, x->n.limbs);
    if (is_private)
        x->d = take(&at, x->n.limbs);
    if (x->has_primes) {
        take_modulus(&x->p, &at, limbs_of(p_bits));
        take_modulus(&x->q, &at, limbs_of(q_bits));
        x->dp = take(&at, x->p.limbs);
        x->dq = take(&at, x->q.limbs);
        x->qinv = take(&at, x->p.limbs);
    }
}

void limbic_rsa_seal(const struct limbic_rsa *x, void *key) {
    *(struct limbic_rsa_header *)key =
        (struct limbic_rsa_header){x->is_private ? LIMBIC_RSA_PRIVATE : LIMBIC_RSA_PUBLIC,
                                   x->bits,
                                   x->e_bits,
                                   x->p_bits,
                                   x->q_bits,
                                   x->n.n0,
                                   x->p.n0,
                                   x->q.n0};
}

limbic_status limbic_rsa_open(struct limbic_rsa *x, const void *key, size_t key_len, int is_private) {
    const struct limbic_rsa_header *h = key;
    if (!key)
        return LIMBIC_ERR_NULL;
    if ((uintptr_t)key % 8)
        return LIMBIC_ERR_ALIGNMENT;
    if (key_len < sizeof *h)
        return LIMBIC_ERR_LENGTH;
    if ((h->magic != LIMBIC_RSA_PUBLIC && h->magic != LIMBIC_RSA_PRIVATE) || h->bits > LIMBIC_RSA_MAX_BITS ||
        !size_is_known((size_t)h->bits))
        return LIMBIC_ERR_PREPARED;
    const int has_private = h->magic == LIMBIC_RSA_PRIVATE;
    if (key_len < (has_private ? limbic_rsa_private_bytes : limbic_rsa_public_bytes)((size_t)h->bits))
        return LIMBIC_ERR_LENGTH;
    if (is_private && !has_private)
        return LIMBIC_ERR_PRIVATE_KEY;
    limbic_rsa_layout(x, key, has_private, (size_t)h->bits, (size_t)h->e_bits, (size_t)h->p_bits,
                      (size_t)h->q_bits);
    x->n.n0 = h->n0;
    x->p.n0 = h->p0;
    x->q.n0 = h->q0;
    return LIMBIC_OK;
}

size_t limbic_rsa_bits(const void *key, size_t key_len) {
    struct limbic_rsa x;
    return limbic_rsa_open(&x, key, key_len, 0) ? 0 : x.bits;
}

size_t limbic_rsa_bytes(const void *key, size_t key_len) {
    struct limbic_rsa x;
    return limbic_rsa_open(&x, key, key_len, 0) ? 0 : x.bytes;
}

int limbic_rsa_is_private(const void *key, size_t key_len) {
    struct limbic_rsa x;
    return limbic_rsa_open(&x, key, key_len, 1) == LIMBIC_OK;
}

void limbic_rsa_wipe(void *key, size_t key_len) {
    if (key)
        limbic_wipe(key, key_len);
}

/* Numbers. */

limbic_status limbic_rsa_random(uint64_t *r, const limbic_mont *x, size_t bits) {
    const size_t n = x->limbs;
    uint64_t fits = 0;
    for (int tries = 0; !fits; tries++) {
        limbic_status status = tries < LIMBIC_RANDOM_TRIES ? limbic_random(r, 8 * n) : LIMBIC_ERR_RANDOM;
        if (status)
            return status;
        LIMBIC_SECRET(r, 8 * n);
        r[n - 1] &= ~UINT64_C(0) >> (64 * n - bits);
        fits = limbic_words_less(r, x->m, n) & ~limbic_words_zero_mask(r, n);
        LIMBIC_DECLASSIFY(&fits, sizeof fits);
    }
    return LIMBIC_OK;
}

int limbic_rsa_below_n(const struct limbic_rsa *x, const uint8_t *in) {
    uint64_t m[x->n.limbs];
    limbic_words_from_be(m, x->n.limbs, in, x->bytes);
    uint64_t below = limbic_words_less(m, x->n.m, x->n.limbs);
    LIMBIC_DECLASSIFY(&below, sizeof below);
    limbic_wipe(m, sizeof m);
    return (int)below;
}

/* r = a^(e - 1) of a residue. e is odd and no secret; constant time in a. r may be a. */
static void power(const struct limbic_rsa *x, uint64_t *r, const uint64_t *a) {
    uint64_t e[limbs_of(x->e_bits)];
    memcpy(e, x->e, sizeof e);
    e[0] ^= 1;
    limbic_ops(LIMBIC_UNIT_mont)->mont_pow_public(r, a, e, x->e_bits, &x->n);
}

/* r = m^e of plain numbers: a residue times a plain number is plain. r is not m. */
static void public_power(const struct limbic_rsa *x, uint64_t *r, const uint64_t *m) {
    limbic_mont_to_residue(r, m, &x->n);
    power(x, r, r);
    limbic_mont_mul(r, r, m, &x->n);
}

limbic_status limbic_rsa_public_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    uint64_t m[x->n.limbs], r[x->n.limbs];
    limbic_words_from_be(m, x->n.limbs, in, x->bytes);
    public_power(x, r, m);
    limbic_words_to_be(out, x->bytes, r, x->n.limbs);
    limbic_wipe(m, sizeof m);
    limbic_wipe(r, sizeof r);
    return LIMBIC_OK;
}

/* r = the residue modulo a prime y of the number whose residue modulo n is z. */
static void residue_modulo(uint64_t *r, const uint64_t *z, const struct limbic_rsa *x, const limbic_mont *y) {
    const size_t n = x->n.limbs, k = y->limbs;
    if (x->p.limbs == x->q.limbs && n == 2 * k) {
        /* z is the number times S^2 for the S = 2^(64 k) of y: z/S = upper half + lower half / S. The upper half is below y, for the
         * other prime is below S. */
        uint64_t one[k];
        memset(one, 0, sizeof one);
        one[0] = 1;
        limbic_mont_mul(r, z, one, y);
        limbic_mont_add(r, r, z + k, y);
    } else {
        uint64_t plain[n];
        limbic_mont_from_residue(plain, z, &x->n);
        limbic_mont_reduce(r, plain, n, y);
        limbic_wipe(plain, sizeof plain);
    }
}

/* r = a b + c of an, bn and bn words, which fits into n words (an + bn of them or one less). */
static void multiply_add(uint64_t *r, size_t n, const uint64_t *a, size_t an, const uint64_t *b, size_t bn,
                         const uint64_t *c) {
    uint64_t t[an + bn];
    memset(t, 0, sizeof t);
    memcpy(t, c, 8 * bn);
    for (size_t i = 0; i < an; i++) {
        uint64_t upper = 0;
        for (size_t j = 0; j < bn; j++) { /* the sum is below 2^128 */
            uint64_t next, carry = 0, sum = limbic_mul_wide(&next, a[i], b[j]);
            sum = limbic_adc(sum, upper, &carry);
            next += carry;
            carry = 0;
            t[i + j] = limbic_adc(t[i + j], sum, &carry);
            upper = next + carry;
        }
        t[i + bn] = upper;
    }
    memcpy(r, t, 8 * n);
    limbic_wipe(t, sizeof t);
}

/* w = z^(d - 1) mod n, a plain number of a residue, by Garner: w = w2 + q h, h = (w1 - w2)/q mod p. w may be z. */
static void crt_power(const struct limbic_rsa *x, uint64_t *w, const uint64_t *z) {
    const size_t p = x->p.limbs, q = x->q.limbs;
    uint64_t s[p + q], e[p + q], h[p];
    uint64_t *const w1 = s, *const w2 = s + p;

    /* as d they are odd */
    memcpy(e, x->dp, 8 * p);
    memcpy(e + p, x->dq, 8 * q);
    e[0] ^= 1;
    e[p] ^= 1;
    residue_modulo(w1, z, x, &x->p);
    residue_modulo(w2, z, x, &x->q);
    if (p == q) {
        const size_t bits = x->p_bits > x->q_bits ? x->p_bits : x->q_bits;
        const limbic_mont *const primes[] = {&x->p, &x->q};
        limbic_ops(LIMBIC_UNIT_mont)->mont_pow_many(s, s, e, bits, primes, 2);
    } else {
        limbic_mont_pow(w1, w1, e, x->p_bits, &x->p);
        limbic_mont_pow(w2, w2, e + p, x->q_bits, &x->q);
    }
    limbic_mont_from_residue(w2, w2, &x->q);
    limbic_mont_reduce(h, w2, q, &x->p);
    limbic_mont_sub(h, w1, h, &x->p);
    limbic_mont_mul(h, h, x->qinv, &x->p);
    limbic_mont_from_residue(h, h, &x->p);
    multiply_add(w, x->n.limbs, h, p, x->q.m, q, w2);
    limbic_wipe(s, sizeof s);
    limbic_wipe(e, sizeof e);
    limbic_wipe(h, sizeof h);
}

/* w = z^(d - 1), without primes */
static void plain_power(const struct limbic_rsa *x, uint64_t *w, const uint64_t *z) {
    uint64_t d[x->n.limbs];
    memcpy(d, x->d, sizeof d);
    d[0] ^= 1;
    limbic_mont_pow(w, z, d, x->bits, &x->n);
    limbic_mont_from_residue(w, w, &x->n);
    limbic_wipe(d, sizeof d);
}

/*
 * c^d = (c r^e)^(d - 1) c r^(e - 1) for a fresh random unit r: what is raised to a secret power is a random number, and nothing has to be inverted. An r that is no unit -
 * seldom, unless one of the primes is tiny - shows itself by a wrong result.
 */
limbic_status limbic_rsa_private_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    const size_t n = x->n.limbs;
    uint64_t c[n], m[n], r[n], u[n], right = 0;
    limbic_status status;
    limbic_words_from_be(c, n, in, x->bytes);
    do {
        status = limbic_rsa_random(r, &x->n, x->bits); /* as a residue */
        if (status)
            break;
        power(x, u, r);
        limbic_mont_to_residue(m, c, &x->n);
        limbic_mont_mul(u, u, m, &x->n); /* u = c r^(e - 1) */
        limbic_mont_mul(m, u, r, &x->n);
        (x->has_primes ? crt_power : plain_power)(x, m, m);
        limbic_mont_mul(m, m, u, &x->n); /* of a plain number and a residue: plain */
        public_power(x, u, m);
        right = limbic_words_eq_mask(u, c, n);
        LIMBIC_DECLASSIFY(&right, sizeof right);
        if (!right) {
            int unit = limbic_mont_inv(u, r, &x->n);
            LIMBIC_DECLASSIFY(&unit, sizeof unit);
            if (unit)
                status = LIMBIC_ERR_FAULT;
        }
    } while (!right && !status);
    if (!status)
        limbic_words_to_be(out, x->bytes, m, n);
    limbic_wipe(c, sizeof c);
    limbic_wipe(m, sizeof m);
    limbic_wipe(r, sizeof r);
    limbic_wipe(u, sizeof u);
    limbic_wipe_stack_beyond(8 * 8 * n);
    return status;
}

/* Public or private operation on k bytes below n. */
static limbic_status operate(const void *key, size_t key_len, uint8_t *out, size_t out_len, const uint8_t *in,
                             size_t in_len, int is_private) {
    struct limbic_rsa x;
    if (!out || !in)
        return LIMBIC_ERR_NULL;
    limbic_status status = limbic_rsa_open(&x, key, key_len, is_private);
    if (status)
        return status;
    if (is_private && x.bits < LIMBIC_RSA_MIN_PRIVATE_BITS)
        return LIMBIC_ERR_KEY_SIZE;
    if (out_len != x.bytes || in_len != x.bytes)
        return LIMBIC_ERR_LENGTH;
    if (!limbic_rsa_below_n(&x, in))
        return LIMBIC_ERR_VALUE;
    return (is_private ? limbic_rsa_private_raw : limbic_rsa_public_raw)(&x, out, in);
}

limbic_status limbic_rsa_public_op(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                   const uint8_t *in, size_t in_len) {
    return operate(key, key_len, out, out_len, in, in_len, 0);
}

limbic_status limbic_rsa_private_op(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                    const uint8_t *in, size_t in_len) {
    return operate(key, key_len, out, out_len, in, in_len, 1);
}
