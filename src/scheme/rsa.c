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
    if (is_private) {
        x->p.n0 = h->p0;
        x->q.n0 = h->q0;
    }
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
    return limbic_rsa_open(&x, key, key_len, 0) == LIMBIC_OK && x.is_private;
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

/*
 * w = z^(d - 1) mod n, a plain number of a residue, by Garner: w = w2 + q h, h = (w1 - w2)/q mod p. First what is to be raised, and the exponents, each for
 * p and then for q; when that is done, the rest.
 */
static void crt_begin(const struct limbic_rsa *x, uint64_t *s, uint64_t *e, const uint64_t *z) {
    const size_t p = x->p.limbs, q = x->q.limbs;
    /* as d they are odd */
    memcpy(e, x->dp, 8 * p);
    memcpy(e + p, x->dq, 8 * q);
    e[0] ^= 1;
    e[p] ^= 1;
    residue_modulo(s, z, x, &x->p);
    residue_modulo(s + p, z, x, &x->q);
}

static void crt_end(const struct limbic_rsa *x, uint64_t *w, uint64_t *s) {
    const size_t p = x->p.limbs, q = x->q.limbs;
    uint64_t h[p], *const w1 = s, *const w2 = s + p;
    limbic_mont_from_residue(w2, w2, &x->q);
    limbic_mont_reduce(h, w2, q, &x->p);
    limbic_mont_sub(h, w1, h, &x->p);
    limbic_mont_mul(h, h, x->qinv, &x->p);
    limbic_mont_from_residue(h, h, &x->p);
    multiply_add(w, x->n.limbs, h, p, x->q.m, q, w2);
    limbic_wipe(h, sizeof h);
}

/* Operations that are alike are done together: of private ones those of n and of primes that have the same number of words, of public ones those of
 * n of the same and of the same exponent; as many as rows for many powers take at once, longer ones than gain by it apart. */
enum { GROUP = 4, PUBLIC_GROUP = 8 };

static int alike(const struct limbic_rsa *x, const struct limbic_rsa *y, int is_private) {
    if (x->n.limbs != y->n.limbs)
        return 0;
    if (!is_private)
        return x->n.limbs <= 64 && memcmp(x->e, y->e, 8 * x->n.limbs) == 0;
    return x->has_primes && y->has_primes && x->n.limbs <= 128 && x->p.limbs == x->q.limbs &&
           y->p.limbs == y->q.limbs; /* so that all have the same */
}

struct operation {
    const struct limbic_rsa *x;
    uint8_t *out;
    const uint8_t *in;
    limbic_status status;
    int again; /* its random number was no unit */
};

/* s = s^e for the halves of all, or without primes */
static void secret_powers(const struct operation *o, size_t count, uint64_t *s, const uint64_t *e) {
    const struct limbic_rsa *x = o->x;
    if (!x->has_primes) {
        limbic_mont_pow(s, s, e, x->bits, &x->n);
    } else if (x->p.limbs == x->q.limbs) {
        const limbic_mont *primes[2 * GROUP];
        size_t bits = 0;
        for (size_t i = 0; i < count; i++) {
            primes[2 * i] = &o[i].x->p;
            primes[2 * i + 1] = &o[i].x->q;
            bits = o[i].x->p_bits > bits ? o[i].x->p_bits : bits;
            bits = o[i].x->q_bits > bits ? o[i].x->q_bits : bits;
        }
        limbic_ops(LIMBIC_UNIT_mont)->mont_pow_many(s, s, e, bits, primes, 2 * count);
    } else {
        limbic_mont_pow(s, s, e, x->p_bits, &x->p);
        limbic_mont_pow(s + x->p.limbs, s + x->p.limbs, e + x->p.limbs, x->q_bits, &x->q);
    }
}

/*
 * c^d = (c r^e)^(d - 1) c r^(e - 1) for a fresh random unit r: what is raised to a secret power is a random number, and nothing has to be inverted. An r that is no unit -
 * seldom, unless one of the primes is tiny - shows itself by a wrong result. Of operations that are alike, or one.
 */
static __attribute__((noinline)) void private_group(struct operation *o, size_t count) {
    const struct limbic_rsa *first = o->x;
    const size_t n = first->n.limbs, k = first->has_primes ? first->p.limbs + first->q.limbs : n;
    uint64_t cs[count * n], ms[count * n], rs[count * n], us[count * n], s[count * k], e[count * k];
    for (size_t i = 0; i < count; i++) {
        const struct limbic_rsa *x = o[i].x;
        uint64_t *c = cs + i * n, *m = ms + i * n, *r = rs + i * n, *u = us + i * n;
        limbic_words_from_be(c, n, o[i].in, x->bytes);
        o[i].status = limbic_rsa_random(r, &x->n, x->bits); /* as a residue */
        if (o[i].status)
            memset(r, 0, 8 * n);
        power(x, u, r);
        limbic_mont_to_residue(m, c, &x->n);
        limbic_mont_mul(u, u, m, &x->n); /* u = c r^(e - 1) */
        limbic_mont_mul(m, u, r, &x->n);
        if (x->has_primes) {
            crt_begin(x, s + i * k, e + i * k, m);
        } else {
            memcpy(s, m, sizeof s);
            memcpy(e, x->d, sizeof e); /* it is odd */
            e[0] ^= 1;
        }
    }
    secret_powers(o, count, s, e);
    for (size_t i = 0; i < count; i++) {
        const struct limbic_rsa *x = o[i].x;
        uint64_t *c = cs + i * n, *m = ms + i * n, *r = rs + i * n, *u = us + i * n;
        o[i].again = 0;
        if (o[i].status)
            continue;
        if (x->has_primes)
            crt_end(x, m, s + i * k);
        else
            limbic_mont_from_residue(m, s, &x->n);
        limbic_mont_mul(m, m, u, &x->n); /* of a plain number and a residue: plain */
        public_power(x, u, m);
        uint64_t right = limbic_words_eq_mask(u, c, n);
        LIMBIC_DECLASSIFY(&right, sizeof right);
        if (right) {
            limbic_words_to_be(o[i].out, x->bytes, m, n);
        } else {
            int unit = limbic_mont_inv(u, r, &x->n);
            LIMBIC_DECLASSIFY(&unit, sizeof unit);
            o[i].again = !unit;
            o[i].status = LIMBIC_ERR_FAULT;
        }
    }
    limbic_wipe(cs, sizeof cs);
    limbic_wipe(ms, sizeof ms);
    limbic_wipe(rs, sizeof rs);
    limbic_wipe(us, sizeof us);
    limbic_wipe(s, sizeof s);
    limbic_wipe(e, sizeof e);
    limbic_wipe_stack_beyond(8 * 8 * n);
}

/* Public operations that are alike, or one. */
static __attribute__((noinline)) void public_group(struct operation *o, size_t count) {
    const struct limbic_rsa *x = o->x;
    const size_t n = x->n.limbs;
    const limbic_mont *moduli[PUBLIC_GROUP];
    uint64_t m[count * n], r[count * n];
    for (size_t i = 0; i < count; i++) {
        moduli[i] = &o[i].x->n;
        limbic_words_from_be(m + i * n, n, o[i].in, o[i].x->bytes);
    }
    if (count == 1)
        public_power(x, r, m); /* with a product less */
    else
        limbic_ops(LIMBIC_UNIT_mont)->mont_pow_public_many(r, m, x->e, x->e_bits, moduli, count);
    for (size_t i = 0; i < count; i++)
        limbic_words_to_be(o[i].out, o[i].x->bytes, r + i * n, n);
    limbic_wipe(m, sizeof m);
    limbic_wipe(r, sizeof r);
}

limbic_status limbic_rsa_public_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    public_group(&(struct operation){.x = x, .out = out, .in = in}, 1);
    return LIMBIC_OK;
}

limbic_status limbic_rsa_private_raw(const struct limbic_rsa *x, uint8_t *out, const uint8_t *in) {
    struct operation o = {.x = x, .out = out, .in = in};
    do
        private_group(&o, 1);
    while (o.again);
    limbic_wipe_stack(); /* what is left in its frame */
    return o.status;
}

/* What is wrong with a public or private operation on k bytes below n; opens the key. */
static limbic_status check_operation(struct limbic_rsa *x, const limbic_rsa_item *i, int is_private) {
    if (!i->out || !i->in)
        return LIMBIC_ERR_NULL;
    limbic_status status = limbic_rsa_open(x, i->key, i->key_len, is_private);
    if (status)
        return status;
    if (is_private && x->bits < LIMBIC_RSA_MIN_PRIVATE_BITS)
        return LIMBIC_ERR_KEY_SIZE;
    if (i->out_len != x->bytes || i->in_len != x->bytes)
        return LIMBIC_ERR_LENGTH;
    return limbic_rsa_below_n(x, i->in) ? LIMBIC_OK : LIMBIC_ERR_VALUE;
}

limbic_status limbic_rsa_public_op(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                   const uint8_t *in, size_t in_len) {
    struct limbic_rsa x;
    limbic_status status =
        check_operation(&x, &(limbic_rsa_item){key, in, out, key_len, in_len, out_len, 0}, 0);
    if (!status)
        status = limbic_rsa_public_raw(&x, out, in);
    return status;
}

limbic_status limbic_rsa_private_op(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                    const uint8_t *in, size_t in_len) {
    struct limbic_rsa x;
    limbic_status status =
        check_operation(&x, &(limbic_rsa_item){key, in, out, key_len, in_len, out_len, 0}, 1);
    if (!status)
        status = limbic_rsa_private_raw(&x, out, in);
    limbic_wipe(&x, sizeof x);
    return status;
}

/* Operations that wait, each given its status; returns how many failed. */
static size_t finish(struct operation *o, size_t count, int is_private, limbic_rsa_item *const *items) {
    size_t bad = 0;
    (is_private ? private_group : public_group)(o, count);
    for (size_t i = 0; i < count; i++) {
        while (o[i].again)
            private_group(&o[i], 1);
        items[i]->status = o[i].status;
        bad += o[i].status != LIMBIC_OK;
    }
    return bad;
}

/* Not inlined, so that the caller can wipe what is left in its frame. Returns the number of items that failed. */
static __attribute__((noinline)) size_t batch(limbic_rsa_item *items, size_t count, int is_private) {
    const size_t most = is_private ? GROUP : PUBLIC_GROUP;
    struct limbic_rsa x[PUBLIC_GROUP];
    struct operation o[PUBLIC_GROUP];
    limbic_rsa_item *item[PUBLIC_GROUP];
    size_t waiting = 0, bad = 0;
    for (size_t i = 0; i <= count; i++) {
        struct limbic_rsa next;
        int good = 0;
        if (i < count) {
            items[i].status = check_operation(&next, &items[i], is_private);
            good = items[i].status == LIMBIC_OK;
            bad += !good;
        }
        if (waiting && (i == count || waiting == most || (good && !alike(&x[0], &next, is_private)))) {
            bad += finish(o, waiting, is_private, item);
            waiting = 0;
        }
        if (good) {
            x[waiting] = next;
            o[waiting] = (struct operation){.x = &x[waiting], .out = items[i].out, .in = items[i].in};
            item[waiting++] = &items[i];
        }
    }
    return bad;
}

limbic_status limbic_rsa_public_op_batch(limbic_rsa_item *items, size_t count) {
    if (!items && count)
        return LIMBIC_ERR_NULL;
    return batch(items, count, 0) ? LIMBIC_ERR_BATCH : LIMBIC_OK;
}

limbic_status limbic_rsa_private_op_batch(limbic_rsa_item *items, size_t count) {
    if (!items && count)
        return LIMBIC_ERR_NULL;
    const size_t bad = batch(items, count, 1);
    limbic_wipe_stack();
    return bad ? LIMBIC_ERR_BATCH : LIMBIC_OK;
}
