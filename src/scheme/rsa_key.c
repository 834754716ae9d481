/* RSA keys: from numbers and back, and their check. */
#include "base/random.h"
#include "field/gcd.h"
#include "scheme/rsa.h"

/* ---- arithmetic on words ---- */

/* r += a b; returns the carry */
static uint64_t add_product(uint64_t *r, const uint64_t *a, size_t n, uint64_t b) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t hi, c = 0, low = limbic_mul_wide(&hi, a[i], b);
        low = limbic_adc(low, carry, &c);
        hi += c;
        c = 0;
        r[i] = limbic_adc(r[i], low, &c);
        carry = hi + c;
    }
    return carry;
}

/* r = a b, of an + bn words; r is none of them */
static void mul(uint64_t *r, const uint64_t *a, size_t an, const uint64_t *b, size_t bn) {
    memset(r, 0, 8 * an);
    for (size_t i = 0; i < bn; i++)
        r[an + i] = add_product(r + i, a, an, b[i]);
}

/* a = -a/m mod 2^(64 an) for an odd m: the quotient itself, negated, where m divides a. n0 = -1/m mod
 * 2^64. From the low end: each word of the quotient is the one that brings a word of a + q m to zero, as
 * in a Montgomery reduction. */
static void minus_quotient(uint64_t *a, size_t an, const uint64_t *m, size_t mn, uint64_t n0) {
    for (size_t i = 0; i < an; i++) {
        const size_t words = mn < an - i ? mn : an - i;
        uint64_t q = a[i] * n0, carry = add_product(a + i, m, words, q);
        for (size_t j = i + words; j < an; j++) {
            uint64_t c = 0;
            a[j] = limbic_adc(a[j], carry, &c);
            carry = c;
        }
        a[i] = q;
    }
}

static void negate(uint64_t *a, size_t n) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++)
        a[i] = limbic_sbb(0, a[i], &borrow);
}

/* a = a / 2^step or a 2^step where the mask is all ones; step is a power of two. */
static void shift_right(uint64_t *a, size_t n, size_t step, uint64_t mask) {
    for (size_t i = 0; i < n; i++) {
        const size_t from = i + step / 64;
        uint64_t x = from < n ? a[from] : 0;
        if (step < 64)
            x = x >> step | (i + 1 < n ? a[i + 1] << (64 - step) : 0);
        a[i] ^= mask & (a[i] ^ x);
    }
}

static void shift_left(uint64_t *a, size_t n, size_t step, uint64_t mask) {
    for (size_t i = n; i-- > 0;) {
        uint64_t x = i >= step / 64 ? a[i - step / 64] : 0;
        if (step < 64)
            x = x << step | (i > 0 ? a[i - 1] >> (64 - step) : 0);
        a[i] ^= mask & (a[i] ^ x);
    }
}

/* The largest step of a shift by any number of bits below 64n, in steps that are halved each time. */
static size_t largest_step(size_t n) {
    size_t step = 32;
    while (step < 32 * n)
        step *= 2;
    return step;
}

uint64_t limbic_rsa_take_twos(uint64_t *a, size_t n) {
    uint64_t twos = 0;
    for (size_t step = largest_step(n); step; step /= 2) {
        const size_t words = step / 64 < n ? step / 64 : n;
        uint64_t mask = step < 64 ? limbic_mask_zero(a[0] << (64 - step)) : limbic_words_zero_mask(a, words);
        shift_right(a, n, step, mask);
        twos += step & mask;
    }
    return twos;
}

static void put_twos(uint64_t *a, size_t n, uint64_t twos) {
    for (size_t step = largest_step(n); step; step /= 2)
        shift_left(a, n, step, ~limbic_mask_zero(twos & step));
}

static size_t bit_length(const uint64_t *a, size_t n) {
    uint64_t bits = 0;
    for (size_t i = 0; i < 64 * n; i++)
        bits ^= limbic_mask_bit(a[i / 64] >> (i % 64)) & (bits ^ (i + 1));
    LIMBIC_DECLASSIFY(&bits, sizeof bits);
    return (size_t)bits;
}

static size_t limbs_of(size_t bits) {
    return (bits + 63) / 64;
}

/* All ones if m > 0 divides a, n words each: the quotient modulo 2^(64n) by the odd part of m has the
 * power of two of m, and times the odd part it is a. */
static uint64_t divides(const uint64_t *m, const uint64_t *a, size_t n) {
    uint64_t odd[n], quotient[n], product[2 * n];
    memcpy(odd, m, 8 * n);
    uint64_t twos = limbic_rsa_take_twos(odd, n);
    memcpy(quotient, a, 8 * n);
    minus_quotient(quotient, n, odd, n, 0 - limbic_word_inverse(odd[0]));
    negate(quotient, n);
    mul(product, quotient, n, odd, n);
    uint64_t ok = limbic_words_eq_mask(product, a, n) & limbic_words_zero_mask(product + n, n);
    ok &= ~limbic_mask_bit((limbic_rsa_take_twos(quotient, n) - twos) >> 63);
    limbic_wipe(odd, sizeof odd);
    limbic_wipe(quotient, sizeof quotient);
    limbic_wipe(product, sizeof product);
    return ok;
}

/*
 * r = 1/e mod m for an m > 1 of n words, odd or even; all ones, or zero (and r is anything) if there is none.
 * With k = 1/m mod e, e divides k m - 1, and r = m - (k m - 1)/e is in (0, m) with e r = 1 + m (e - k). So no
 * number is reduced modulo the secret and perhaps even m, and the quotient, below m, is exact modulo 2^(64n).
 */
static uint64_t inverse_of(const limbic_mont *e, uint64_t *r, const uint64_t *m, size_t n) {
    uint64_t k[e->limbs], t[n + e->limbs], borrow = 1, carry = 0;
    limbic_mont_reduce(k, m, n, e);
    uint64_t ok = limbic_mask_bit((uint64_t)limbic_mont_inv(k, k, e));
    limbic_mont_from_residue(k, k, e);
    mul(t, m, n, k, e->limbs);
    for (size_t i = 0; i < n; i++)
        t[i] = limbic_sbb(t[i], 0, &borrow);
    minus_quotient(t, n, e->m, e->limbs, e->n0);
    for (size_t i = 0; i < n; i++)
        r[i] = limbic_adc(m[i], t[i], &carry);
    limbic_wipe(k, sizeof k);
    limbic_wipe(t, sizeof t);
    return ok;
}

/* r = lcm(a, b), of an + bn words: with a = 2^s A, b = 2^t B, A and B odd, it is 2^max(s, t) A B / gcd(A,
 * B). a and b are used up. */
static void lcm(uint64_t *r, uint64_t *a, size_t an, uint64_t *b, size_t bn) {
    const size_t n = an > bn ? an : bn;
    uint64_t g[n], wide[n];
    uint64_t s = limbic_rsa_take_twos(a, an), t = limbic_rsa_take_twos(b, bn);
    memset(g, 0, sizeof g);
    memset(wide, 0, sizeof wide);
    memcpy(g, a, 8 * an);
    memcpy(wide, b, 8 * bn);
    limbic_words_gcd_odd(g, g, wide, n);
    minus_quotient(b, bn, g, n, 0 - limbic_word_inverse(g[0]));
    negate(b, bn);
    mul(r, a, an, b, bn);
    s ^= limbic_mask_bit((s - t) >> 63) & (s ^ t);
    put_twos(r, an + bn, s);
    limbic_wipe(g, sizeof g);
    limbic_wipe(wide, sizeof wide);
}

/* ---- building ---- */

/* The modulus w of x->limbs words, with its constants, into the place in a key buffer that x has. */
static int put_modulus(limbic_mont *x, const uint64_t *w) {
    return limbic_mont_init(x, (uint64_t *)x->m, w, x->limbs) == LIMBIC_OK;
}

/* The rest of a key with p and q, n having been put. All ones if e has inverses and q too. */
static uint64_t put_private(struct limbic_rsa *x, const limbic_mont *e) {
    const size_t pn = x->p.limbs, qn = x->q.limbs;
    uint64_t p1[pn], q1[qn], l[pn + qn], ok;
    memcpy(p1, x->p.m, sizeof p1);
    memcpy(q1, x->q.m, sizeof q1);
    p1[0] ^= 1;
    q1[0] ^= 1;
    ok = inverse_of(e, (uint64_t *)x->dp, p1, pn) & inverse_of(e, (uint64_t *)x->dq, q1, qn);
    lcm(l, p1, pn, q1, qn); /* below n */
    ok &= inverse_of(e, (uint64_t *)x->d, l, x->n.limbs);
    limbic_mont_reduce((uint64_t *)x->qinv, x->q.m, qn, &x->p);
    ok &= limbic_mask_bit((uint64_t)limbic_mont_inv((uint64_t *)x->qinv, x->qinv, &x->p));
    limbic_wipe(p1, sizeof p1);
    limbic_wipe(q1, sizeof q1);
    limbic_wipe(l, sizeof l);
    return ok;
}

/* limbic_rsa_build into a buffer that may be left half written. Its arrays and those of what it calls take so much for a modulus of n words. */
#define BUILD_STACK(n) (8 * 20 * (n))
static limbic_status build(struct limbic_rsa *x, uint64_t *key, size_t key_len, const uint64_t *p,
                           size_t p_limbs, const uint64_t *q, size_t q_limbs, const uint64_t *e,
                           size_t e_limbs) {
    uint64_t n[p_limbs + q_limbs];
    const size_t p_bits = bit_length(p, p_limbs), q_bits = bit_length(q, q_limbs),
                 e_bits = bit_length(e, e_limbs);

    mul(n, p, p_limbs, q, q_limbs);
    LIMBIC_DECLASSIFY(n, sizeof n);
    const size_t bits = bit_length(n, p_limbs + q_limbs), limbs = limbs_of(bits);
    if (bits < LIMBIC_RSA_MIN_PRIVATE_BITS || bits > LIMBIC_RSA_MAX_BITS)
        return LIMBIC_ERR_KEY_SIZE;
    if (key_len < limbic_rsa_private_bytes(bits))
        return LIMBIC_ERR_BUFFER;
    if (!(e[0] & 1) || e_bits < 2 || e_bits > bits)
        return LIMBIC_ERR_PUBLIC_KEY;

    limbic_rsa_layout(x, key, 1, bits, e_bits, p_bits, q_bits);
    memset((uint64_t *)x->e, 0, 8 * limbs);
    memcpy((uint64_t *)x->e, e, 8 * limbs_of(e_bits));
    if (!limbic_words_less(x->e, n, limbs))
        return LIMBIC_ERR_PUBLIC_KEY;
    limbic_mont e_mont;
    uint64_t storage[LIMBIC_MONT_STORAGE(limbs_of(e_bits))];
    uint64_t ok = 0; /* an even or too small modulus is refused by limbic_mont_init */
    if (put_modulus(&x->n, n) && put_modulus(&x->p, p) && put_modulus(&x->q, q) &&
        !limbic_mont_init(&e_mont, storage, e, limbs_of(e_bits)))
        ok = put_private(x, &e_mont);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    if (!ok)
        return LIMBIC_ERR_PRIVATE_KEY;
    limbic_rsa_seal(x, key);
    return LIMBIC_OK;
}

/* The words that a private key with primes fills of its buffer. */
static size_t words_used(const struct limbic_rsa *x, const uint64_t *key) {
    return (size_t)(x->qinv - key) + x->p.limbs;
}

limbic_status limbic_rsa_build(void *key, size_t key_len, const uint64_t *p, size_t p_limbs,
                               const uint64_t *q, size_t q_limbs, const uint64_t *e, size_t e_limbs) {
    if (!key || !p || !q || !e)
        return LIMBIC_ERR_NULL;
    if ((uintptr_t)key % 8)
        return LIMBIC_ERR_ALIGNMENT;
    if (!p_limbs || p_limbs > LIMBIC_RSA_MAX_LIMBS || !q_limbs || q_limbs > LIMBIC_RSA_MAX_LIMBS ||
        !e_limbs || e_limbs > LIMBIC_RSA_MAX_LIMBS)
        return LIMBIC_ERR_LENGTH;
    struct limbic_rsa x;
    const size_t most = 64 * (p_limbs + q_limbs);
    uint64_t built[LIMBIC_RSA_PRIVATE_WORDS(most < LIMBIC_RSA_MAX_BITS ? most : LIMBIC_RSA_MAX_BITS)];
    limbic_status status =
        build(&x, built, key_len < sizeof built ? key_len : sizeof built, p, p_limbs, q, q_limbs, e, e_limbs);
    if (!status)
        memcpy(key, built, 8 * words_used(&x, built));
    limbic_wipe(built, sizeof built);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack_beyond(BUILD_STACK(p_limbs + q_limbs));
    return status;
}

/* ---- import ---- */

static int given(const limbic_rsa_number *x) {
    return x->bytes != NULL;
}

static int has_nothing(const limbic_rsa_number *x) {
    return !x->bytes && x->len;
}

/* Leaves away the zeros before a public number. */
static void trim(limbic_rsa_number *x) {
    while (x->len && *x->bytes == 0) {
        x->bytes++;
        x->len--;
    }
}

/* n words from a secret number; 0 if it does not fit, and this much is told. */
static int load(uint64_t *r, size_t n, const limbic_rsa_number *x) {
    const uint8_t *bytes = x->bytes;
    size_t len = x->len;
    for (; len > 8 * n; bytes++, len--) {
        uint8_t above = *bytes;
        LIMBIC_DECLASSIFY(&above, sizeof above);
        if (above)
            return 0;
    }
    limbic_words_from_be(r, n, bytes, len);
    return 1;
}

/* All ones if a number was not given, or is r. */
static uint64_t missing_or(const limbic_rsa_number *x, const uint64_t *r, size_t n) {
    uint64_t t[n], ok;
    if (!given(x))
        return ~UINT64_C(0);
    ok = load(t, n, x) ? limbic_words_eq_mask(t, r, n) : 0;
    limbic_wipe(t, sizeof t);
    return ok;
}

static size_t bits_of_trimmed(const limbic_rsa_number *x) {
    size_t bits = 8 * x->len;
    for (unsigned top = x->len ? x->bytes[0] : 0x80; top < 0x80; top *= 2)
        bits--;
    return bits;
}

static int has_small_factor(const limbic_rsa_number *n) {
    const size_t limbs = (n->len + 7) / 8;
    struct limbic_rsa_group g[LIMBIC_RSA_SMALL];
    uint64_t w[limbs];
    limbic_words_from_be(w, limbs, n->bytes, n->len);
    limbic_rsa_groups(g, LIMBIC_RSA_SMALL);
    return limbic_rsa_small_factor(w, limbs, g, LIMBIC_RSA_SMALL);
}

/* What both imports check, in variable time: pointers, the public numbers (trimmed in x), the buffer. */
static limbic_status check_public(limbic_rsa_numbers *x, const void *key, size_t key_len,
                                  const limbic_rsa_numbers *numbers, int is_private) {
    if (!key || !numbers || !given(&numbers->n) || !given(&numbers->e))
        return LIMBIC_ERR_NULL;
    if ((uintptr_t)key % 8)
        return LIMBIC_ERR_ALIGNMENT;
    *x = *numbers;
    trim(&x->n);
    trim(&x->e);
    if (x->n.len > LIMBIC_RSA_MAX_BYTES)
        return LIMBIC_ERR_KEY_SIZE;
    const size_t bits = bits_of_trimmed(&x->n);
    if (bits < (is_private ? LIMBIC_RSA_MIN_PRIVATE_BITS : LIMBIC_RSA_MIN_PUBLIC_BITS))
        return LIMBIC_ERR_KEY_SIZE;
    if (key_len < (is_private ? limbic_rsa_private_bytes : limbic_rsa_public_bytes)(bits))
        return LIMBIC_ERR_BUFFER;
    if (!x->e.len || x->e.len > x->n.len || (x->e.len == 1 && x->e.bytes[0] == 1) ||
        (x->e.len == x->n.len && memcmp(x->e.bytes, x->n.bytes, x->n.len) >= 0))
        return LIMBIC_ERR_PUBLIC_KEY;
    if (!(x->n.bytes[x->n.len - 1] & x->e.bytes[x->e.len - 1] & 1))
        return LIMBIC_ERR_PUBLIC_KEY;
    return has_small_factor(&x->n) ? LIMBIC_ERR_PUBLIC_KEY : LIMBIC_OK;
}

/* n and e of checked numbers into the buffer of x; all that needs no primes is laid out. */
static void put_public(struct limbic_rsa *x, uint64_t *key, const limbic_rsa_numbers *numbers,
                       int is_private) {
    limbic_rsa_layout(x, key, is_private, bits_of_trimmed(&numbers->n), bits_of_trimmed(&numbers->e), 0, 0);
    limbic_words_from_be((uint64_t *)x->n.m, x->n.limbs, numbers->n.bytes, numbers->n.len);
    limbic_words_from_be((uint64_t *)x->e, x->n.limbs, numbers->e.bytes, numbers->e.len);
    (void)put_modulus(&x->n, x->n.m); /* odd and large: it can't fail */
}

limbic_status limbic_rsa_public_import(void *key, size_t key_len, const limbic_rsa_numbers *numbers) {
    limbic_rsa_numbers checked;
    struct limbic_rsa x;
    limbic_status status = check_public(&checked, key, key_len, numbers, 0);
    if (!status) {
        put_public(&x, key, &checked, 0);
        limbic_rsa_seal(&x, key);
    }
    return status;
}

/* All ones if d is a private exponent, for lcm or any multiple of it (p - 1)(q - 1) among them: d below n,
 * and above the least one by a multiple of lcm. */
static uint64_t check_d(const struct limbic_rsa *x, const uint64_t *d) {
    const size_t pn = x->p.limbs, qn = x->q.limbs, n = x->n.limbs;
    uint64_t p1[pn], q1[qn], l[pn + qn], t[n], borrow = 0, ok;
    memcpy(p1, x->p.m, sizeof p1);
    memcpy(q1, x->q.m, sizeof q1);
    p1[0] ^= 1;
    q1[0] ^= 1;
    lcm(l, p1, pn, q1, qn);
    ok = limbic_mask_bit(limbic_words_less(d, x->n.m, n));
    for (size_t i = 0; i < n; i++)
        t[i] = limbic_sbb(d[i], x->d[i], &borrow);
    ok &= ~limbic_mask_bit(borrow) & divides(l, t, n);
    limbic_wipe(p1, sizeof p1);
    limbic_wipe(q1, sizeof q1);
    limbic_wipe(l, sizeof l);
    limbic_wipe(t, sizeof t);
    return ok;
}

/* A private key of n, e, p and q into words of its size. */
static limbic_status with_primes(uint64_t *key, size_t bits, const limbic_rsa_numbers *numbers) {
    const size_t n = limbs_of(bits), en = (numbers->e.len + 7) / 8;
    uint64_t p[n], q[n], e[en], modulus[n], product[2 * n];
    struct limbic_rsa x;
    limbic_status status = LIMBIC_ERR_PRIVATE_KEY;
    if (load(p, n, &numbers->p) && load(q, n, &numbers->q)) {
        limbic_words_from_be(modulus, n, numbers->n.bytes, numbers->n.len);
        limbic_words_from_be(e, en, numbers->e.bytes, numbers->e.len);
        mul(product, p, n, q, n);
        uint64_t ok = limbic_words_eq_mask(product, modulus, n) & limbic_words_zero_mask(product + n, n);
        LIMBIC_DECLASSIFY(&ok, sizeof ok);
        if (ok)
            status = build(&x, key, limbic_rsa_private_bytes(bits), p, n, q, n, e, en);
        if (!status) {
            limbic_mont_from_residue(p, x.qinv, &x.p);
            ok = missing_or(&numbers->dp, x.dp, x.p.limbs) & missing_or(&numbers->dq, x.dq, x.q.limbs) &
                 missing_or(&numbers->qinv, p, x.p.limbs);
            if (given(&numbers->d))
                ok &= load(q, n, &numbers->d) ? check_d(&x, q) : 0;
            LIMBIC_DECLASSIFY(&ok, sizeof ok);
            if (!ok)
                status = LIMBIC_ERR_PRIVATE_KEY;
            else if (given(&numbers->d)) /* as it was given: see struct limbic_rsa */
                memcpy((uint64_t *)(uintptr_t)x.d, q, sizeof q);
        }
    }
    limbic_wipe(p, sizeof p);
    limbic_wipe(q, sizeof q);
    limbic_wipe(product, sizeof product);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack_beyond(BUILD_STACK(n));
    return status;
}

/* Whether the exponents undo each other on a (a residue). */
static int undone(const struct limbic_rsa *x, const uint64_t *a) {
    uint64_t t[x->n.limbs];
    limbic_mont_pow(t, a, x->d, x->bits, &x->n);
    limbic_mont_pow(t, t, x->e, x->e_bits, &x->n);
    int ok = limbic_mont_eq(t, a, &x->n);
    limbic_wipe(t, sizeof t);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    return ok;
}

/*
 * The same of n, e and d. That they belong together is tried on small primes: a d that is right modulo all but a factor 2 of lcm(p - 1, q - 1) passes with half
 * of all numbers, and with 2 for a quarter of all moduli. d is odd, as lcm is even; private operations rely on it.
 */
static limbic_status without_primes(uint64_t *key, const limbic_rsa_numbers *numbers) {
    struct limbic_rsa x;
    put_public(&x, key, numbers, 1);
    const size_t n = x.n.limbs;
    uint64_t a[n];
    if (!load((uint64_t *)x.d, n, &numbers->d))
        return LIMBIC_ERR_PRIVATE_KEY;
    uint64_t ok = limbic_words_less(x.d, x.n.m, n) & x.d[0];
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    memcpy(a, x.n.one, sizeof a);
    for (unsigned i = 2; i <= 7 && ok; i++) {
        limbic_mont_add(a, a, x.n.one, &x.n);
        if (i != 4 && i != 6)
            ok = (uint64_t)undone(&x, a);
    }
    if (!ok)
        return LIMBIC_ERR_PRIVATE_KEY;
    limbic_rsa_seal(&x, key);
    return LIMBIC_OK;
}

static limbic_status import_private(void *key, size_t bits, const limbic_rsa_numbers *numbers) {
    uint64_t built[LIMBIC_RSA_PRIVATE_WORDS(bits)];
    memset(built, 0, sizeof built);
    limbic_status status =
        given(&numbers->p) ? with_primes(built, bits, numbers) : without_primes(built, numbers);
    if (!status)
        memcpy(key, built, sizeof built);
    limbic_wipe(built, sizeof built);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_rsa_private_import(void *key, size_t key_len, const limbic_rsa_numbers *numbers) {
    limbic_rsa_numbers x;
    limbic_status status = check_public(&x, key, key_len, numbers, 1);
    if (status)
        return status;
    if (has_nothing(&x.d) || has_nothing(&x.p) || has_nothing(&x.q) || has_nothing(&x.dp) ||
        has_nothing(&x.dq) || has_nothing(&x.qinv))
        return LIMBIC_ERR_NULL;
    /* p and q, or neither of them nor what belongs to them */
    if (given(&x.p) ? !given(&x.q)
                    : given(&x.q) || !given(&x.d) || given(&x.dp) || given(&x.dq) || given(&x.qinv))
        return LIMBIC_ERR_NULL;
    status = import_private(key, bits_of_trimmed(&x.n), &x);
    limbic_wipe(&x, sizeof x); /* how long the numbers are */
    limbic_wipe_stack();
    return status;
}

/* ---- export and check ---- */

limbic_status limbic_rsa_export(const void *key, size_t key_len, limbic_rsa_part part, uint8_t *out,
                                size_t *out_len) {
    struct limbic_rsa x;
    uint64_t plain[LIMBIC_RSA_MAX_LIMBS];
    limbic_status status;

    if (!out_len || (!out && *out_len))
        return LIMBIC_ERR_NULL;
    status = limbic_rsa_open(&x, key, key_len, part == LIMBIC_RSA_QINV);
    if (status)
        return status;
    const struct {
        const uint64_t *a; /* NULL where the key has none */
        size_t limbs;
    } parts[] = {[LIMBIC_RSA_N] = {x.n.m, x.n.limbs}, [LIMBIC_RSA_E] = {x.e, x.n.limbs},
                 [LIMBIC_RSA_D] = {x.d, x.n.limbs},   [LIMBIC_RSA_P] = {x.p.m, x.p.limbs},
                 [LIMBIC_RSA_Q] = {x.q.m, x.q.limbs}, [LIMBIC_RSA_DP] = {x.dp, x.p.limbs},
                 [LIMBIC_RSA_DQ] = {x.dq, x.q.limbs}, [LIMBIC_RSA_QINV] = {x.qinv, x.p.limbs}};
    if ((size_t)part >= sizeof parts / sizeof *parts || !parts[part].a)
        return LIMBIC_ERR_PRIVATE_KEY; /* no primes: nothing to be wiped */
    const uint64_t *a = parts[part].a;
    const size_t n = parts[part].limbs;
    if (part == LIMBIC_RSA_QINV)
        limbic_mont_from_residue(plain, a, &x.p);
    else
        memcpy(plain, a, 8 * n);
    const size_t len = (bit_length(plain, n) + 7) / 8;
    if (*out_len < len)
        status = LIMBIC_ERR_BUFFER;
    else
        limbic_words_to_be(out, len, plain, n);
    *out_len = len;
    limbic_wipe(plain, sizeof plain);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack();
    return status;
}

static limbic_status check_primes(const struct limbic_rsa *x, const uint64_t *key) {
    uint64_t built[LIMBIC_RSA_PRIVATE_WORDS(x->bits)], same;
    struct limbic_rsa y;
    limbic_status status =
        build(&y, built, sizeof built, x->p.m, x->p.limbs, x->q.m, x->q.limbs, x->e, limbs_of(x->e_bits));
    if (!status && (y.p.limbs != x->p.limbs || y.q.limbs != x->q.limbs || y.bits != x->bits))
        status = LIMBIC_ERR_PRIVATE_KEY;
    if (!status) {
        /* d may be any of those that check_d takes */
        same = check_d(&y, x->d);
        memcpy((uint64_t *)(uintptr_t)y.d, x->d, 8 * y.n.limbs);
        same &= limbic_words_eq_mask(built, key, words_used(&y, built));
        LIMBIC_DECLASSIFY(&same, sizeof same);
        if (!same)
            status = LIMBIC_ERR_PRIVATE_KEY;
    }
    limbic_wipe(built, sizeof built);
    limbic_wipe(&y, sizeof y);
    limbic_wipe_stack_beyond(BUILD_STACK(x->n.limbs));
    if (!status && !limbic_rsa_probable_prime(x->p.m, x->p.limbs, x->p_bits, 0, &status) && !status)
        status = LIMBIC_ERR_PRIVATE_KEY;
    if (!status && !limbic_rsa_probable_prime(x->q.m, x->q.limbs, x->q_bits, 0, &status) && !status)
        status = LIMBIC_ERR_PRIVATE_KEY;
    return status;
}

static limbic_status check_exponents(const struct limbic_rsa *x) {
    uint64_t a[x->n.limbs];
    limbic_status status = limbic_random(a, sizeof a);
    if (status)
        return status;
    limbic_mont_reduce(a, a, x->n.limbs, &x->n);
    return undone(x, a) ? LIMBIC_OK : LIMBIC_ERR_PRIVATE_KEY;
}

limbic_status limbic_rsa_check(const void *key, size_t key_len) {
    struct limbic_rsa x;
    limbic_status status = limbic_rsa_open(&x, key, key_len, 1);
    if (!status)
        status = x.has_primes ? check_primes(&x, key) : check_exponents(&x);
    limbic_wipe(&x, sizeof x);
    limbic_wipe_stack();
    return status;
}
