/* RSA: key buffers and the two operations on numbers. */
#include "scheme/rsa.h"
#include "base/random.h"

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

/* r = a^e for a residue a, its last factor `last`: a gives the residue, the plain number the plain one. r is neither. e is odd and no
 * secret; constant time in a. */
static void power(const struct limbic_rsa *x, uint64_t *r, const uint64_t *a, const uint64_t *last) {
    memcpy(r, a, 8 * x->n.limbs);
    for (size_t i = x->e_bits - 1; i-- > 0;) {
        limbic_mont_sqr(r, r, &x->n);
        if (x->e[i / 64] >> (i % 64) & 1)
            limbic_mont_mul(r, r, i ? a : last, &x->n);
    }
}

/* r = m^e of plain numbers; r is not m */
static void public_power(const struct limbic_rsa *x, uint64_t *r, const uint64_t *m) {
    uint64_t a[x->n.limbs];
    limbic_mont_to_residue(a, m, &x->n);
    power(x, r, a, m);
    limbic_wipe(a, sizeof a);
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

/* Residues re = r^e and inverse = 1/r of a fresh random unit r. */
static limbic_status blinding(const struct limbic_rsa *x, uint64_t *re, uint64_t *inverse) {
    uint64_t r[x->n.limbs];
    limbic_status status;
    int unit = 0;
    do {
        status = limbic_rsa_random(r, &x->n, x->bits);
        if (!status)
            unit = limbic_mont_inv(inverse, r, &x->n);
        LIMBIC_DECLASSIFY(&unit, sizeof unit);
    } while (!status && !unit);
    if (!status)
        power(x, re, r, r);
    limbic_wipe(r, sizeof r);
    return status;
}

/* m = c^d mod n by Garner: m = m2 + q h, h = (m1 - m2)/q mod p. m may be c. */
static void crt_power(const struct limbic_rsa *x, uint64_t *m, const uint64_t *c) {
    const size_t n = x->n.limbs, p = x->p.limbs, q = x->q.limbs;
    uint64_t h[p], t[p], m2[q], wide[n];

    limbic_mont_reduce(h, c, n, &x->p);
    limbic_mont_pow(h, h, x->dp, x->p_bits, &x->p);
    limbic_mont_reduce(m2, c, n, &x->q);
    limbic_mont_pow(m2, m2, x->dq, x->q_bits, &x->q);
    limbic_mont_from_residue(m2, m2, &x->q);
    limbic_mont_reduce(t, m2, q, &x->p);
    limbic_mont_sub(h, h, t, &x->p);
    limbic_mont_mul(h, h, x->qinv, &x->p);
    limbic_mont_from_residue(h, h, &x->p);

    /* q h + m2 < n, so modulo n it is the same */
    memset(m, 0, 8 * n);
    memcpy(m, h, sizeof h);
    memset(wide, 0, sizeof wide);
    memcpy(wide, x->q.m, 8 * q);
    limbic_mont_to_residue(m, m, &x->n);
    limbic_mont_mul(m, m, wide, &x->n);
    memset(wide, 0, sizeof wide);
    memcpy(wide, m2, sizeof m2);
    limbic_mont_add(m, m, wide, &x->n);
    limbic_wipe(h, sizeof h);
    limbic_wipe(t, sizeof t);
    limbic_wipe(m2, sizeof m2);
    limbic_wipe(wide, sizeof wide);
}

limbic_status limbic_rsa_private_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    const size_t n = x->n.limbs;
    uint64_t c[n], m[n], inverse[n];
    limbic_status status = blinding(x, m, inverse);
    if (!status) {
        limbic_words_from_be(c, n, in, x->bytes);
        /* a plain number times a residue is plain */
        limbic_mont_mul(m, c, m, &x->n);
        if (x->has_primes) {
            crt_power(x, m, m);
        } else {
            limbic_mont_to_residue(m, m, &x->n);
            limbic_mont_pow(m, m, x->d, x->bits, &x->n);
            limbic_mont_from_residue(m, m, &x->n);
        }
        limbic_mont_mul(m, m, inverse, &x->n);
        public_power(x, inverse, m);
        uint64_t right = limbic_words_eq_mask(inverse, c, n);
        LIMBIC_DECLASSIFY(&right, sizeof right);
        if (right)
            limbic_words_to_be(out, x->bytes, m, n);
        else
            status = LIMBIC_ERR_FAULT;
    }
    limbic_wipe(c, sizeof c);
    limbic_wipe(m, sizeof m);
    limbic_wipe(inverse, sizeof inverse);
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
