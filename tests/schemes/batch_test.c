/*
 * Batches: each item beside the function for one (status, outputs, untouched outputs), for all counts of a part and across parts, for every
 * fault and pair of faults in every position; items that have to be done again; the random source; heap, stack and threads.
 */
#include <openssl/bn.h>

#include "curve/curve.h"
#include "scheme/ecdsa.h"
#include "scheme/sm2.h"
#include "tests/check.h"
#define OWN_RANDOM
#include "tests/schemes/harness.h"

enum { PART = LIMBIC_BATCH_ITEMS, MOST = 200, OUT = 512, IN = 512, POOL = 7, TEXT = 200 };

#define MUST(x)                                                                                              \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #x);                                             \
            (void)fflush(stdout);                                                                            \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* ---- what is wrapped by the linker ---- */

/* The random source: how often and for how many bytes it is asked; it may refuse after some calls, and keeps what it gave. */
static int random_flaky; /* every second call is refused */
static size_t random_calls, random_bytes, random_good = SIZE_MAX;
static uint8_t random_given[PART * LIMBIC_MAX_BYTES];
limbic_status __wrap_limbic_random(void *out, size_t n) {
    limbic_status status = LIMBIC_ERR_RANDOM;
    random_calls++;
    random_bytes += n;
    if (random_mode == REFUSE || random_good == 0 || (random_flaky && random_calls % 2 == 0))
        return LIMBIC_ERR_RANDOM;
    if (random_good != SIZE_MAX)
        random_good--;
    if (random_mode == ONES) {
        random_mode = SYSTEM;
        memset(out, 0xff, n);
        return LIMBIC_OK;
    }
    status = LIMBIC_OK;
    if (random_mode == SEEDED)
        seeded_bytes(out, n);
    else
        status = __real_limbic_random(out, n);
    memcpy(random_given, out, n < sizeof random_given ? n : sizeof random_given);
    return status;
}

/* The last steps, which may refuse a nonce: calls 2, 5, 8, ... do then. */
static int rejecting;
static unsigned long rejected, refused; /* by the test; by the step itself, which nothing asks for */
static int rejects(void) {
    static unsigned long call;
    if (!rejecting || call++ % 3 != 1)
        return 0;
    rejected++;
    return 1;
}
#define WRAP(name, parameters, arguments)                                                                    \
    int __real_##name parameters;                                                                            \
    int __wrap_##name parameters;                                                                            \
    int __wrap_##name parameters {                                                                           \
        const int good = rejects() ? 0 : __real_##name arguments + 2;                                        \
        refused += good == 2;                                                                                \
        return good == 3;                                                                                    \
    }
WRAP(limbic_ecdsa_finish,
     (const struct limbic_ecdsa *x, uint8_t *sig, const uint64_t *d, const uint64_t *e, const uint64_t *xy,
      const uint64_t *inverse),
     (x, sig, d, e, xy, inverse))
WRAP(limbic_sm2_finish,
     (uint8_t * sig, const uint64_t *inverse, const uint8_t *e, const uint64_t *k, const uint64_t *xy),
     (sig, inverse, e, k, xy))
WRAP(limbic_sm2_encrypt_finish,
     (limbic_sm2_form form, limbic_sm2_encrypt_item *item, const uint64_t *kg, const uint64_t *kq),
     (form, item, kg, kq))

/* First candidates for nonces, of which every third is spoilt where rejecting is set: too large, or 0. Not those that the last step refuses. */
void __real_limbic_rfc6979_many(limbic_hash id, unsigned qlen, size_t n, const uint8_t *x, const uint8_t *h1,
                                const uint8_t *extra, size_t extra_len, uint8_t *out);
void __wrap_limbic_rfc6979_many(limbic_hash id, unsigned qlen, size_t n, const uint8_t *x, const uint8_t *h1,
                                const uint8_t *extra, size_t extra_len, uint8_t *out);
static unsigned long spoilt;
void __wrap_limbic_rfc6979_many(limbic_hash id, unsigned qlen, size_t n, const uint8_t *x, const uint8_t *h1,
                                const uint8_t *extra, size_t extra_len, uint8_t *out) {
    const size_t bytes = (qlen + 7) / 8;
    __real_limbic_rfc6979_many(id, qlen, n, x, h1, extra, extra_len, out);
    for (size_t i = 0; i < n && rejecting; i += 3, spoilt++)
        memset(out + bytes * i, i % 2 ? 0xff : 0, bytes);
}
/* The same of SM2's. */
void __real_limbic_hash_many(limbic_hash id, uint8_t *out, const uint8_t *const *prefix, size_t prefix_len,
                             const void *const *in, const size_t *in_len, size_t count);
void __wrap_limbic_hash_many(limbic_hash id, uint8_t *out, const uint8_t *const *prefix, size_t prefix_len,
                             const void *const *in, const size_t *in_len, size_t count);
void __wrap_limbic_hash_many(limbic_hash id, uint8_t *out, const uint8_t *const *prefix, size_t prefix_len,
                             const void *const *in, const size_t *in_len, size_t count) {
    __real_limbic_hash_many(id, out, prefix, prefix_len, in, in_len, count);
    for (size_t i = 0; i < count && rejecting && !prefix_len && in_len[i] == LIMBIC_SM2_SEED_BYTES;
         i += 3, spoilt++)
        memset(out + 32 * i, i % 2 ? 0xff : 0, 32);
}

/* ---- keys and what was made with them ---- */

static struct entry {
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES], compressed[1 + LIMBIC_MAX_BYTES];
    uint8_t digest[64], sig[LIMBIC_MAX_SIGNATURE_BYTES], text[TEXT];
    uint8_t sig_message[64],
        sealed[3][TEXT + 128]; /* SM2: of the text under the default ID; the text in each form */
    size_t sealed_len[3];
    uint64_t *prepared;
    limbic_sm2_signer signer;
} pool[POOL];
static limbic_curve curve; /* of all that follows, */
static size_t L;           /* bytes of its scalars, */
static size_t prepared_len;
static uint8_t order[LIMBIC_MAX_BYTES];
static uint64_t *other_prepared; /* and a key of another curve */
static size_t other_len;
static uint8_t other_texts; /* to be added to each byte of a text */
static limbic_sm2_form form;
static limbic_hash hash = LIMBIC_HASH_DEFAULT;

static void make_pool(limbic_curve of) {
    curve = of;
    L = limbic_curve_bytes(of);
    prepared_len = limbic_ec_prepared_bytes(of);
    const struct limbic_curve_desc *c = limbic_curve_desc(of);
    limbic_words_to_be(order, L, limbic_modulus((enum limbic_unit)c->order)->m, c->limbs);
    for (size_t i = 0; i < POOL; i++) {
        struct entry *e = &pool[i];
        size_t n = sizeof e->compressed;
        for (size_t j = 0; j < sizeof e->digest; j++)
            e->digest[j] = (uint8_t)(31 * j + i);
        for (size_t j = 0; j < TEXT; j++)
            e->text[j] = (uint8_t)(7 * j * j + i + other_texts);
        free(e->prepared);
        MUST((e->prepared = malloc(prepared_len)) != NULL);
        MUST(!limbic_ec_keygen(of, e->d, L, e->q, 1 + 2 * L));
        MUST(!limbic_ec_convert(of, LIMBIC_COMPRESSED, e->compressed, &n, e->q, 1 + 2 * L));
        MUST(!limbic_ec_prepare(of, e->prepared, prepared_len, e->q, 1 + 2 * L));
        if (of != LIMBIC_SM2) {
            MUST(!limbic_ecdsa_sign(of, e->sig, 2 * L, e->d, L, e->digest, 64, LIMBIC_HASH_DEFAULT));
            continue;
        }
        MUST(!limbic_sm2_signer_init(&e->signer, e->d, 32, NULL, 0));
        MUST(!limbic_sm2_signer_sign_digest(&e->signer, e->sig, 64, e->digest, 32));
        MUST(!limbic_sm2_signer_sign(&e->signer, e->sig_message, 64, e->text, TEXT));
        for (int f = 0; f < 3; f++) {
            e->sealed_len[f] = sizeof e->sealed[f];
            MUST(!limbic_sm2_encrypt((limbic_sm2_form)f, e->sealed[f], &e->sealed_len[f], e->q, 65, e->text,
                                     TEXT));
        }
    }
    const limbic_curve other = of == LIMBIC_P256 ? LIMBIC_SM2 : LIMBIC_P256;
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES];
    other_len = limbic_ec_prepared_bytes(other);
    free(other_prepared);
    MUST((other_prepared = malloc(other_len)) != NULL);
    MUST(!limbic_ec_keygen(other, d, 32, q, 65) &&
         !limbic_ec_prepare(other, other_prepared, other_len, q, 65));
}

/* ---- operations ---- */

/* One item with memory of its own, outputs being filled with a5. Made again from the same numbers it is the same again. */
union item {
    limbic_ec_keygen_item keygen;
    limbic_ecdh_item ecdh;
    limbic_ecdsa_sign_item sign;
    limbic_ecdsa_verify_item verify;
    limbic_sm2_sign_item sm2_sign;
    limbic_sm2_verify_item sm2_verify;
    limbic_sm2_encrypt_item encrypt;
    limbic_sm2_decrypt_item decrypt;
};
struct slot {
    uint8_t out[OUT], in[4][IN];
    size_t i;
};

static const uint8_t long_id[LIMBIC_SM2_MAX_ID_BYTES + 1];
static limbic_sm2_signer no_signer;
static uint64_t no_prepared[4];

/* A private key of the slot's, spoilt by fault 1 to 4. */
static const uint8_t *private_key(struct slot *s, unsigned fault) {
    uint8_t *d = s->in[0];
    memcpy(d, pool[s->i % POOL].d, L);
    if (fault == 1)
        memset(d, 0, L);
    if (fault == 2)
        memcpy(d, order, L);
    if (fault == 3)
        memset(d, 0xff, L);
    if (fault == 4) { /* n - 1: no key of SM2, but one of the others */
        memcpy(d, order, L);
        d[L - 1]--;
    }
    return d;
}
enum { KEY_FAULTS = 4 };

/* A public key of the slot's, in one form or the other, spoilt by fault 1 to 5. */
static const uint8_t *public_key(struct slot *s, size_t *len, unsigned fault) {
    uint8_t *q = s->in[1];
    const int compressed = s->i % 2;
    *len = compressed ? 1 + L : 1 + 2 * L;
    memcpy(q, compressed ? pool[s->i % POOL].compressed : pool[s->i % POOL].q, *len);
    if (fault == 1)
        q[0] = 5;
    if (fault == 2) {
        q[0] = 4;
        *len = 1 + 2 * L;
        memset(q + 1, 1, 2 * L);
    }
    if (fault == 3)
        memset(q + 1, 0xff, L);
    if (fault == 4) {
        q[0] = 0;
        *len = 1;
    }
    if (fault == 5)
        --*len;
    return q;
}
enum { POINT_FAULTS = 5 };

static void make_keygen(union item *it, struct slot *s, unsigned fault) {
    limbic_ec_keygen_item *x = &it->keygen;
    if (!fault)
        *x = (limbic_ec_keygen_item){s->out, s->out + L, L, 1 + 2 * L, LIMBIC_OK};
    if (fault == 1)
        x->private_key = NULL;
    if (fault == 2)
        x->public_key = NULL;
    if (fault == 3)
        x->private_len--;
    if (fault == 4)
        x->public_len++;
}
static limbic_status one_keygen(union item *it) {
    limbic_ec_keygen_item *x = &it->keygen;
    return limbic_ec_keygen(curve, x->private_key, x->private_len, x->public_key, x->public_len);
}
static limbic_status all_keygen(void *items, size_t n) {
    return limbic_ec_keygen_batch(curve, items, n);
}
static int right_keygen(const union item *it, const struct slot *s, const struct slot *one) {
    uint8_t q[LIMBIC_MAX_POINT_BYTES];
    (void)it, (void)one;
    return !limbic_ec_public_key(curve, q, 1 + 2 * L, s->out, L) && !memcmp(q, s->out + L, 1 + 2 * L);
}

static void make_ecdh(union item *it, struct slot *s, unsigned fault) {
    limbic_ecdh_item *x = &it->ecdh;
    if (!fault) {
        *x = (limbic_ecdh_item){.secret = s->out, .secret_len = L, .private_len = L};
        x->private_key = private_key(s, 0);
        x->peer = public_key(s, &x->peer_len, 0);
        if (s->i % 5 == 3) /* the secret over the key */
            x->secret = memcpy(s->out, s->in[0], L), x->private_key = s->out;
    }
    if (fault == 1)
        x->secret = NULL;
    if (fault == 2)
        x->private_key = NULL;
    if (fault == 3)
        x->peer = NULL;
    if (fault == 4)
        x->secret_len++;
    if (fault == 5)
        x->private_len--;
    if (fault > 5 && fault <= 5 + KEY_FAULTS) {
        x->private_key = private_key(s, fault - 5);
        memset(s->out, 0xa5, L);
    }
    if (fault > 5 + KEY_FAULTS)
        x->peer = public_key(s, &x->peer_len, fault - 5 - KEY_FAULTS);
}
static limbic_status one_ecdh(union item *it) {
    limbic_ecdh_item *x = &it->ecdh;
    return limbic_ecdh(curve, x->secret, x->secret_len, x->private_key, x->private_len, x->peer, x->peer_len);
}
static limbic_status all_ecdh(void *items, size_t n) {
    return limbic_ecdh_batch(curve, items, n);
}
static int same_outputs(const union item *it, const struct slot *s, const struct slot *one) {
    (void)it;
    return !memcmp(s->out, one->out, OUT);
}

static void make_sign(union item *it, struct slot *s, unsigned fault) {
    limbic_ecdsa_sign_item *x = &it->sign;
    if (!fault) {
        *x = (limbic_ecdsa_sign_item){.sig = s->out, .sig_len = 2 * L, .private_len = L};
        x->private_key = private_key(s, 0);
        x->digest = memcpy(s->in[2], pool[(s->i + 3) % POOL].digest, 64);
        x->digest_len = s->i % 65;
        s->in[2][0] ^= (uint8_t)s->i;
        if (s->i % 65 == 0)
            x->digest = NULL; /* of no bytes */
        if (s->i % 5 == 3)    /* the signature over the key, over the digest */
            x->private_key = memcpy(s->out + 1, s->in[0], L);
        if (s->i % 5 == 4)
            x->digest = memcpy(s->out + L, s->in[2], 64);
    }
    if (fault == 1)
        x->sig = NULL;
    if (fault == 2)
        x->private_key = NULL;
    if (fault == 3) {
        x->digest = NULL;
        x->digest_len = 1;
    }
    if (fault == 4)
        x->sig_len--;
    if (fault == 5)
        x->private_len++;
    if (fault > 5)
        x->private_key = private_key(s, fault - 5);
}
static limbic_status one_sign(union item *it) {
    limbic_ecdsa_sign_item *x = &it->sign;
    return limbic_ecdsa_sign(curve, x->sig, x->sig_len, x->private_key, x->private_len, x->digest,
                             x->digest_len, hash);
}
static limbic_status all_sign(void *items, size_t n) {
    return limbic_ecdsa_sign_batch(curve, items, n, hash);
}
static int right_sign(const union item *it, const struct slot *s, const struct slot *one) {
    const limbic_ecdsa_sign_item *x = &it->sign;
    uint8_t q[LIMBIC_MAX_POINT_BYTES];
    return memcmp(s->out, one->out, 2 * L) != 0 && !limbic_ec_public_key(curve, q, 1 + 2 * L, s->in[0], L) &&
           !limbic_ecdsa_verify(curve, s->out, 2 * L, q, 1 + 2 * L, s->in[2], x->digest_len);
}
static limbic_status one_sign_deterministic(union item *it) {
    limbic_ecdsa_sign_item *x = &it->sign;
    return limbic_ecdsa_sign_deterministic(curve, x->sig, x->sig_len, x->private_key, x->private_len,
                                           x->digest, x->digest_len, hash);
}
static limbic_status all_sign_deterministic(void *items, size_t n) {
    return limbic_ecdsa_sign_deterministic_batch(curve, items, n, hash);
}

/* Keys of verification: plain in both forms, or prepared. Faults 1 to KEYS_FAULTS. */
enum { PREPARED_FAULTS = 6, KEYS_FAULTS = PREPARED_FAULTS + 1 + POINT_FAULTS };
static void verify_key(struct slot *s, const uint8_t **q, size_t *q_len, const void **prepared, size_t *len,
                       unsigned fault) {
    if (!fault) {
        *prepared = NULL;
        *q_len = *len = 0;
        if (s->i % 3 == 2) {
            *prepared = pool[s->i % POOL].prepared;
            *len = prepared_len;
        } else {
            *q = public_key(s, q_len, 0);
        }
    }
    if (fault == 1)
        *prepared = no_prepared, *len = sizeof no_prepared;
    if (fault == 2)
        *prepared = (const uint8_t *)no_prepared + 4, *len = sizeof no_prepared;
    if (fault == 3)
        *prepared = pool[0].prepared, *len = prepared_len - 8;
    if (fault == 4)
        *prepared = pool[0].prepared, *len = 0;
    if (fault == 5)
        *prepared = NULL, *len = prepared_len;
    if (fault == 6)
        *prepared = other_prepared, *len = other_len;
    if (fault > PREPARED_FAULTS)
        *prepared = NULL, *len = 0;
    if (fault == PREPARED_FAULTS + 1)
        *q = NULL;
    if (fault > PREPARED_FAULTS + 1)
        *q = public_key(s, q_len, fault - PREPARED_FAULTS - 1);
}

/* Signatures, spoilt by fault 1 to 6. */
enum { SIG_FAULTS = 6 };
static void spoil_signature(uint8_t *sig, unsigned fault) {
    if (fault == 1)
        memset(sig, 0, L);
    if (fault == 2)
        memset(sig + L, 0, L);
    if (fault == 3)
        memcpy(sig, order, L);
    if (fault == 4)
        memset(sig + L, 0xff, L);
    if (fault == 5)
        sig[L - 1] ^= 1;
    if (fault == 6)
        sig[2 * L - 1] ^= 2;
}

static void make_verify(union item *it, struct slot *s, unsigned fault) {
    limbic_ecdsa_verify_item *x = &it->verify;
    const struct entry *e = &pool[s->i % POOL];
    if (!fault) {
        *x = (limbic_ecdsa_verify_item){.sig_len = 2 * L, .digest_len = 64};
        x->sig = memcpy(s->in[0], e->sig, 2 * L);
        x->digest = e->digest;
        verify_key(s, &x->public_key, &x->public_len, &x->prepared, &x->prepared_len, 0);
    }
    if (fault == 1)
        x->sig = NULL;
    if (fault == 2)
        x->digest = NULL;
    if (fault == 3)
        x->sig_len++;
    if (fault == 4)
        x->digest_len = 20;
    if (fault > 4)
        verify_key(s, &x->public_key, &x->public_len, &x->prepared, &x->prepared_len, fault - 4);
    if (fault > 4 + KEYS_FAULTS)
        spoil_signature(s->in[0], fault - 4 - KEYS_FAULTS);
}
static limbic_status one_verify(union item *it) {
    limbic_ecdsa_verify_item *x = &it->verify;
    if (x->prepared &&
        (x->prepared == other_prepared || limbic_curve_bytes(curve) != L || curve == LIMBIC_SM2)) {
        /* the function for one learns the curve from the key */
        limbic_curve own;
        const uint64_t *table;
        if (!x->sig || !x->digest)
            return LIMBIC_ERR_NULL;
        const limbic_status status = limbic_prepared_open(x->prepared, x->prepared_len, &own, &table);
        return status ? status : LIMBIC_ERR_CURVE;
    }
    return x->prepared || x->prepared_len ? limbic_ecdsa_verify_prepared(x->prepared, x->prepared_len, x->sig,
                                                                         x->sig_len, x->digest, x->digest_len)
                                          : limbic_ecdsa_verify(curve, x->sig, x->sig_len, x->public_key,
                                                                x->public_len, x->digest, x->digest_len);
}
static limbic_status all_verify(void *items, size_t n) {
    return limbic_ecdsa_verify_batch(curve, items, n);
}
static int right_verify(const union item *it, const struct slot *s, const struct slot *one) {
    (void)it, (void)s, (void)one;
    return 1;
}

static void make_sm2_sign(union item *it, struct slot *s, unsigned fault) {
    limbic_sm2_sign_item *x = &it->sm2_sign;
    const struct entry *e = &pool[s->i % POOL];
    if (!fault) {
        *x = (limbic_sm2_sign_item){.sig = s->out, .sig_len = 64};
        if (s->i % 2) {
            x->signer = &e->signer;
        } else {
            x->private_key = private_key(s, 0);
            x->private_len = 32;
            if (s->i % 8 == 4)
                x->id = "", x->id_len = s->i % 16 == 4;
        }
        if (s->i % 4 < 2) {
            x->e = memcpy(s->in[2], e->digest, 32);
            x->e_len = 32;
        } else {
            x->msg = memcpy(s->out + 30, e->text, TEXT); /* the signature over the message */
            x->msg_len = s->i % 5 ? s->i % TEXT : 0;
            if (!x->msg_len)
                x->msg = NULL;
        }
    }
    if (fault == 1)
        x->sig = NULL;
    if (fault == 2)
        x->sig_len++;
    if (fault == 3)
        x->signer = &no_signer;
    if (fault == 4)
        x->signer = NULL, x->private_key = NULL;
    if (fault == 5)
        x->e = NULL, x->e_len = 32;
    if (fault == 6)
        x->e = s->in[2], x->e_len = 31;
    if (fault == 7)
        x->e = NULL, x->e_len = 0, x->msg = NULL, x->msg_len = 1;
    if (fault == 8)
        x->id = NULL, x->id_len = 1;
    if (fault == 9)
        x->id = long_id, x->id_len = sizeof long_id;
    if (fault > 9)
        x->signer = NULL, x->private_key = private_key(s, fault - 9), x->private_len = 32;
    if (fault == 10 + KEY_FAULTS)
        x->private_len = 31;
}
static limbic_status one_sm2_sign(union item *it) {
    limbic_sm2_sign_item *x = &it->sm2_sign;
    const int digest = x->e || x->e_len;
    if (x->signer)
        return digest ? limbic_sm2_signer_sign_digest(x->signer, x->sig, x->sig_len, x->e, x->e_len)
                      : limbic_sm2_signer_sign(x->signer, x->sig, x->sig_len, x->msg, x->msg_len);
    return digest ? limbic_sm2_sign_digest(x->sig, x->sig_len, x->private_key, x->private_len, x->e, x->e_len)
                  : limbic_sm2_sign(x->sig, x->sig_len, x->private_key, x->private_len, x->id, x->id_len,
                                    x->msg, x->msg_len);
}
static limbic_status all_sm2_sign(void *items, size_t n) {
    return limbic_sm2_sign_batch(items, n);
}
static int right_sm2_sign(const union item *it, const struct slot *s, const struct slot *one) {
    const limbic_sm2_sign_item *x = &it->sm2_sign;
    const struct entry *e = &pool[s->i % POOL];
    if (!memcmp(s->out, one->out, 64))
        return 0;
    return x->e ? !limbic_sm2_verify_digest(s->out, 64, e->q, 65, e->digest, 32)
                : !limbic_sm2_verify(s->out, 64, e->q, 65, x->signer ? NULL : x->id,
                                     x->signer ? 0 : x->id_len, e->text, x->msg_len);
}

static void make_sm2_verify(union item *it, struct slot *s, unsigned fault) {
    limbic_sm2_verify_item *x = &it->sm2_verify;
    const struct entry *e = &pool[s->i % POOL];
    if (!fault) {
        *x = (limbic_sm2_verify_item){.sig_len = 64};
        verify_key(s, &x->public_key, &x->public_len, &x->prepared, &x->prepared_len, 0);
        x->sig = memcpy(s->in[0], s->i % 4 < 2 ? e->sig : e->sig_message, 64);
        if (s->i % 4 < 2)
            x->e = e->digest, x->e_len = 32;
        else
            x->msg = e->text, x->msg_len = TEXT;
    }
    if (fault == 1)
        x->sig = NULL;
    if (fault == 2)
        x->sig_len++;
    if (fault == 3)
        x->e = NULL, x->e_len = 32;
    if (fault == 4)
        x->e = e->digest, x->e_len = 31;
    if (fault == 5)
        x->e = NULL, x->e_len = 0, x->msg = NULL, x->msg_len = 1;
    if (fault == 6)
        x->id = NULL, x->id_len = 1;
    if (fault == 7)
        x->id = long_id, x->id_len = sizeof long_id;
    if (fault == 8)
        x->id = long_id, x->id_len = sizeof long_id - 1;
    if (fault > 8)
        verify_key(s, &x->public_key, &x->public_len, &x->prepared, &x->prepared_len, fault - 8);
    if (fault > 8 + KEYS_FAULTS)
        spoil_signature(s->in[0], fault - 8 - KEYS_FAULTS);
    if (fault == 8 + KEYS_FAULTS + SIG_FAULTS + 1) { /* r + s = n */
        BIGNUM *n = BN_bin2bn(order, 32, NULL), *r = BN_bin2bn(s->in[0], 32, NULL);
        MUST(n && r && BN_sub(n, n, r) && (BN_is_negative(n) || BN_bn2binpad(n, s->in[0] + 32, 32) == 32));
        BN_free(n);
        BN_free(r);
    }
}
static limbic_status one_sm2_verify(union item *it) {
    limbic_sm2_verify_item *x = &it->sm2_verify;
    const int digest = x->e || x->e_len;
    if (x->prepared || x->prepared_len)
        return digest ? limbic_sm2_verify_digest_prepared(x->prepared, x->prepared_len, x->sig, x->sig_len,
                                                          x->e, x->e_len)
                      : limbic_sm2_verify_prepared(x->prepared, x->prepared_len, x->sig, x->sig_len, x->id,
                                                   x->id_len, x->msg, x->msg_len);
    return digest ? limbic_sm2_verify_digest(x->sig, x->sig_len, x->public_key, x->public_len, x->e, x->e_len)
                  : limbic_sm2_verify(x->sig, x->sig_len, x->public_key, x->public_len, x->id, x->id_len,
                                      x->msg, x->msg_len);
}
static limbic_status all_sm2_verify(void *items, size_t n) {
    return limbic_sm2_verify_batch(items, n);
}

static void make_encrypt(union item *it, struct slot *s, unsigned fault) {
    limbic_sm2_encrypt_item *x = &it->encrypt;
    const struct entry *e = &pool[s->i % POOL];
    if (!fault) {
        *x = (limbic_sm2_encrypt_item){.out = s->out, .out_len = OUT};
        x->public_key = public_key(s, &x->public_len, 0);
        x->msg_len = 1 + s->i % (TEXT - 1);
        x->msg = s->i % 3 ? e->text : memcpy(s->out + 50, e->text, TEXT); /* in place, about */
    }
    if (fault == 1)
        x->out = NULL;
    if (fault == 2)
        x->msg = NULL;
    if (fault == 3)
        x->msg_len = 0;
    if (fault == 4)
        x->out_len = x->msg_len + LIMBIC_SM2_OVERHEAD_BYTES - 1;
    if (fault == 5)
        x->out = NULL, x->out_len = 0;
    if (fault == 6)
        x->public_key = NULL;
    if (fault > 6)
        x->public_key = public_key(s, &x->public_len, fault - 6);
}
static limbic_status one_encrypt(union item *it) {
    limbic_sm2_encrypt_item *x = &it->encrypt;
    return limbic_sm2_encrypt(form, x->out, &x->out_len, x->public_key, x->public_len, x->msg, x->msg_len);
}
static limbic_status all_encrypt(void *items, size_t n) {
    return limbic_sm2_encrypt_batch(form, items, n);
}
static int right_encrypt(const union item *it, const struct slot *s, const struct slot *one) {
    const limbic_sm2_encrypt_item *x = &it->encrypt;
    const struct entry *e = &pool[s->i % POOL];
    uint8_t text[OUT];
    size_t n = sizeof text;
    return memcmp(s->out, one->out, x->out_len) != 0 &&
           !limbic_sm2_decrypt(form, text, &n, e->d, 32, s->out, x->out_len) && n == x->msg_len &&
           !memcmp(text, e->text, n);
}

static void make_decrypt(union item *it, struct slot *s, unsigned fault) {
    limbic_sm2_decrypt_item *x = &it->decrypt;
    const struct entry *e = &pool[s->i % POOL];
    if (!fault) {
        *x = (limbic_sm2_decrypt_item){.out = s->out, .out_len = TEXT, .private_len = 32};
        x->private_key = private_key(s, 0);
        memcpy(s->in[2], e->sealed[form], e->sealed_len[form]);
        x->in = s->in[2];
        x->in_len = e->sealed_len[form];
        if (s->i % 3 == 1) /* in place */
            x->out = s->in[2], x->out_len = IN;
    }
    if (fault == 1)
        x->out = NULL;
    if (fault == 2)
        x->in = NULL;
    if (fault == 3)
        x->in_len = 50;
    if (fault == 4)
        x->out_len = TEXT - 1;
    if (fault == 5)
        x->out = NULL, x->out_len = 0;
    if (fault == 6)
        x->private_key = NULL;
    if (fault == 7)
        x->private_len++;
    if (fault == 8)
        s->in[2][x->in_len - 1] ^= 1;
    if (fault == 9)
        s->in[2][20] ^= 1; /* C1 */
    if (fault == 10)
        s->in[2][0] ^= 1;
    if (fault > 10)
        x->private_key = private_key(s, fault - 10);
}
static limbic_status one_decrypt(union item *it) {
    limbic_sm2_decrypt_item *x = &it->decrypt;
    return limbic_sm2_decrypt(form, x->out, &x->out_len, x->private_key, x->private_len, x->in, x->in_len);
}
static limbic_status all_decrypt(void *items, size_t n) {
    return limbic_sm2_decrypt_batch(form, items, n);
}
static int right_decrypt(const union item *it, const struct slot *s, const struct slot *one) {
    return same_outputs(it, s, one) && !memcmp(s->in[2], one->in[2], IN) && it->decrypt.out_len == TEXT &&
           !memcmp(it->decrypt.out, pool[s->i % POOL].text, TEXT);
}

enum { ECDSA = 1, SM2 = 2 };
static const struct op {
    const char *name;
    size_t bytes, status;
    void (*make)(union item *, struct slot *, unsigned fault);
    unsigned faults;
    limbic_status (*one)(union item *);
    limbic_status (*all)(void *, size_t);
    int (*right)(const union item *, const struct slot *, const struct slot *one);
    int only;              /* curves; 0: all */
    unsigned random_bytes; /* of an item, where L is 32 */
} ops[] = {
#define OP(name, type, faults, right, only, random)                                                          \
    {#name, sizeof(type), offsetof(type, status), make_##name, faults, one_##name, all_##name, right,        \
     only,  random},
#define make_sign_deterministic make_sign
    OP(keygen, limbic_ec_keygen_item, 4, right_keygen, 0, 32)                                  /**/
    OP(ecdh, limbic_ecdh_item, 5 + KEY_FAULTS + POINT_FAULTS, same_outputs, 0, 0)              /**/
    OP(sign, limbic_ecdsa_sign_item, 5 + KEY_FAULTS, right_sign, ECDSA, 16)                    /**/
    OP(sign_deterministic, limbic_ecdsa_sign_item, 5 + KEY_FAULTS, same_outputs, ECDSA, 0)     /**/
    OP(verify, limbic_ecdsa_verify_item, 4 + KEYS_FAULTS + SIG_FAULTS, right_verify, ECDSA, 0) /**/
    OP(sm2_sign, limbic_sm2_sign_item, 10 + KEY_FAULTS, right_sm2_sign, SM2, 32)               /**/
    OP(sm2_verify, limbic_sm2_verify_item, 9 + KEYS_FAULTS + SIG_FAULTS, right_verify, SM2, 0) /**/
    OP(encrypt, limbic_sm2_encrypt_item, 6 + POINT_FAULTS, right_encrypt, SM2, 32)             /**/
    OP(decrypt, limbic_sm2_decrypt_item, 10 + KEY_FAULTS, right_decrypt, SM2, 0)               /**/
};
enum { OPS = sizeof ops / sizeof ops[0] };

static int concerns(const struct op *op) {
    return !op->only || (op->only == SM2) == (curve == LIMBIC_SM2);
}

/* ---- a batch beside single calls ---- */

static struct slot slots[MOST], single_slots[MOST];
static union item single_items[MOST];
/* of op->bytes each, and a guard */
static uint8_t items[(MOST + 1) * sizeof(union item)] __attribute__((aligned(8)));

static void make_item(const struct op *op, union item *it, struct slot *s, size_t i, unsigned pair) {
    memset(it, 0, sizeof *it);
    memset(s->out, 0xa5, sizeof s->out);
    memset(s->in, 0x5a, sizeof s->in);
    s->i = i;
    op->make(it, s, 0);
    if (pair % (op->faults + 1))
        op->make(it, s, pair % (op->faults + 1));
    if (pair / (op->faults + 1))
        op->make(it, s, pair / (op->faults + 1));
}

static limbic_status status_of(const struct op *op, const void *item) {
    limbic_status status;
    memcpy(&status, (const char *)item + op->status, sizeof status);
    return status;
}

/* Items first, first + 1, ...; of item i the faults pairs[i], a pair of numbers (NULL: none). Returns the number of good ones. */
static size_t beside_single(const struct op *op, size_t first, size_t count, const unsigned *pairs) {
    const limbic_status unset = (limbic_status)-1;
    size_t good = 0;
    uint8_t inputs[sizeof(union item)];
    for (size_t i = 0; i < count; i++) {
        union item it;
        make_item(op, &it, &slots[i], first + i, pairs ? pairs[i] : 0);
        memcpy((char *)&it + op->status, &unset, sizeof unset);
        memcpy(items + i * op->bytes, &it, op->bytes);
        make_item(op, &single_items[i], &single_slots[i], first + i, pairs ? pairs[i] : 0);
    }
    memset(items + count * op->bytes, 0x77, op->bytes);
    const limbic_status all = op->all(items, count);
    for (size_t i = 0; i < count; i++) {
        union item *one = &single_items[i], it;
        const limbic_status want = op->one(one), got = status_of(op, items + i * op->bytes);
        memcpy(&it, items + i * op->bytes, op->bytes);
        check(got == want, "%s %s, item %zu of %zu, faults %u: status %d, single %d",
              limbic_curve_name(curve), op->name, i, count, pairs ? pairs[i] : 0, (int)got, (int)want);
        good += want == LIMBIC_OK;
        if (want == LIMBIC_OK)
            check(op->right(&it, &slots[i], &single_slots[i]), "%s %s, item %zu of %zu: the result",
                  limbic_curve_name(curve), op->name, i, count);
        else
            check(same_outputs(&it, &slots[i], &single_slots[i]) &&
                      !memcmp(slots[i].in, single_slots[i].in, sizeof slots[i].in),
                  "%s %s, item %zu of %zu, faults %u: outputs touched", limbic_curve_name(curve), op->name, i,
                  count, pairs ? pairs[i] : 0);
        /* members stay, but out_len may tell what it takes, as that of the single call */
        make_item(op, one, &slots[i], first + i, pairs ? pairs[i] : 0);
        memcpy(inputs, one, op->bytes);
        memcpy(inputs + op->status, &got, sizeof got);
        if (op->make == make_encrypt || op->make == make_decrypt) {
            const size_t at = op->make == make_encrypt ? offsetof(limbic_sm2_encrypt_item, out_len)
                                                       : offsetof(limbic_sm2_decrypt_item, out_len);
            memcpy(inputs + at, (const char *)&it + at, sizeof(size_t));
        }
        check(!memcmp(inputs, items + i * op->bytes, op->status), "%s: a member changed", op->name);
    }
    for (size_t i = 0; i < op->bytes; i++)
        if (items[count * op->bytes + i] != 0x77)
            check(0, "%s: what follows the array changed", op->name);
    check(all == (good == count ? LIMBIC_OK : LIMBIC_ERR_BATCH), "%s %s of %zu, %zu good: %d",
          limbic_curve_name(curve), op->name, count, good, (int)all);
    return good;
}

static void counts(const struct op *op) {
    static const size_t more[] = {63, 64, 65, 200};
    for (size_t n = 0; n <= 40; n++)
        beside_single(op, n * n, n, NULL);
    for (size_t i = 0; i < 4; i++)
        beside_single(op, i, more[i], NULL);
}

/* Each pair of faults, a fault and none included, among good items: as single calls. Then each fault alone, first, last and amid, and nothing but
 * faults. */
static void faults(const struct op *op) {
    const unsigned n = op->faults + 1;
    static unsigned pairs[MOST];
    size_t good = 0, all = 0, i = 0;
    for (unsigned pair = 0; pair < n * n; pair++) {
        pairs[i++] = pair;
        if (pair % 5 == 0 && i < 130)
            pairs[i++] = 0;
        if (i >= 130 || pair == n * n - 1) {
            good += beside_single(op, pair, i, pairs);
            all += i;
            i = 0;
        }
    }
    check(good > all / 10 && good < all, "%s: %zu of %zu items with faults are good", op->name, good, all);
    for (unsigned fault = 1; fault < n; fault++) {
        for (size_t at = 0; at < 3; at++) {
            memset(pairs, 0, sizeof pairs);
            pairs[at] = fault;
            beside_single(op, fault + at, 3, pairs);
        }
        for (size_t k = 0; k < 3; k++)
            pairs[k] = fault;
        beside_single(op, fault, 3, pairs);
        beside_single(op, fault, 1, pairs);
    }
    /* at the ends of parts */
    for (unsigned fault = 1; fault < n; fault += 4) {
        memset(pairs, 0, sizeof pairs);
        pairs[0] = pairs[PART - 1] = pairs[PART] = fault;
        beside_single(op, fault, PART + 1, pairs);
        pairs[PART] = 0;
        pairs[1] = fault;
        beside_single(op, fault, PART + 2, pairs);
    }
}

/* Faults of the whole batch: unknown curves, hashes, forms, no array. */
static void whole(const struct op *op) {
    static const limbic_curve unknown[] = {(limbic_curve)0, (limbic_curve)5, (limbic_curve)-1, LIMBIC_SM2};
    const limbic_curve mine = curve;
    unsigned pairs[5] = {0, 1, 2, 3, 4};
    memset(items, 0x77, sizeof items);
    check(op->all(NULL, 0) == LIMBIC_OK && op->all(items, 0) == LIMBIC_OK, "%s: none", op->name);
    check(op->all(NULL, 3) == LIMBIC_ERR_NULL, "%s: no array", op->name);
    if (op->only != SM2)
        for (size_t i = 0; i < (op->only == ECDSA ? 4 : 3); i++) {
            /* the slots keep their lengths, as L stays */
            curve = unknown[i];
            beside_single(op, i, 5, pairs);
            curve = mine;
        }
    for (int i = 0; i < 3 && op->make == make_sign; i++) {
        static const limbic_hash hashes[] = {LIMBIC_SM3, (limbic_hash)-1, (limbic_hash)77};
        hash = hashes[i];
        check(!beside_single(op, 3, 5, pairs), "%s: hash %d", op->name, (int)hash);
        hash = LIMBIC_HASH_DEFAULT;
    }
    for (hash = LIMBIC_SHA256; hash <= LIMBIC_SHA512 && op->make == make_sign; hash++)
        beside_single(op, 7, 9, NULL);
    hash = LIMBIC_HASH_DEFAULT;
    if (op->make == make_encrypt || op->make == make_decrypt) {
        for (form = LIMBIC_SM2_C1C2C3; form <= LIMBIC_SM2_DER; form++)
            beside_single(op, 11, 17, NULL);
        form = LIMBIC_SM2_C1C3C2;
        if (op->make == make_encrypt) {
            form = (limbic_sm2_form)3;
            check(!beside_single(op, 11, 5, pairs), "no such form");
            form = LIMBIC_SM2_C1C3C2;
        }
    }
}

/* Random bytes: one call for a part, so many for an item; refused for one part; a draw that does not serve. */
static void random_source(const struct op *op) {
    const unsigned each = !op->random_bytes         ? 0
                          : op->make == make_keygen ? (unsigned)L
                          : op->only == ECDSA       ? (unsigned)L / 2
                                                    : 32;
    static unsigned pairs[MOST];
    const size_t counts_of[] = {1, PART, PART + 1, 2 * PART + 7};
    union item it;
    enum { FIRST = 20 }; /* short messages may well have a key stream of zeros, which takes another nonce */
    for (size_t i = 0; i < 4; i++) {
        const size_t n = counts_of[i];
        for (size_t k = 0; k < n; k++) {
            make_item(op, &it, &slots[k], FIRST + k, 0);
            memcpy(items + k * op->bytes, &it, op->bytes);
        }
        random_calls = random_bytes = 0;
        check(op->all(items, n) == LIMBIC_OK && random_bytes == each * n &&
                  (!each || random_calls == (n + PART - 1) / PART),
              "%s %s of %zu: %zu calls for %zu random bytes", limbic_curve_name(curve), op->name, n,
              random_calls, random_bytes);
    }
    if (!each)
        return;
    /* the second of three parts gets none; item 3 is bad anyhow */
    const size_t n = 2 * PART + 7;
    for (size_t k = 0; k < n; k++) {
        make_item(op, &it, &slots[k], FIRST + k, k == 3 || k == PART + 3);
        memcpy(items + k * op->bytes, &it, op->bytes);
        make_item(op, &it, &single_slots[k], FIRST + k, k == 3 || k == PART + 3);
    }
    random_good = 1;
    check(op->all(items, n) == LIMBIC_ERR_BATCH, "%s: refused random bytes", op->name);
    random_good = SIZE_MAX;
    for (size_t k = 0; k < n; k++) {
        const limbic_status got = status_of(op, items + k * op->bytes);
        if (k == 3 || k == PART + 3)
            check(got && got != LIMBIC_ERR_RANDOM, "%s: an item that is bad anyhow", op->name);
        else if (k < PART)
            check(got == LIMBIC_OK, "%s: the first part", op->name);
        else
            check(got == LIMBIC_ERR_RANDOM && !memcmp(&slots[k], &single_slots[k], sizeof slots[k]),
                  "%s: no random bytes: status %d", op->name, (int)got);
    }
    /* none but that fails */
    for (size_t k = 0; k < 5; k++) {
        make_item(op, &it, &slots[k], FIRST + k, 0);
        memcpy(items + k * op->bytes, &it, op->bytes);
    }
    random_mode = REFUSE;
    check(op->all(items, 5) == LIMBIC_ERR_BATCH && status_of(op, items) == LIMBIC_ERR_RANDOM,
          "%s: no random bytes at all", op->name);
    random_mode = SYSTEM;
    /* numbers above the order, where they are numbers: each is drawn again */
    memset(pairs, 0, sizeof pairs);
    random_calls = 0;
    random_mode = ONES;
    for (size_t k = 0; k < 9; k++) {
        make_item(op, &it, &slots[k], FIRST + k, 0);
        memcpy(items + k * op->bytes, &it, op->bytes);
    }
    check(op->all(items, 9) == LIMBIC_OK && random_mode == SYSTEM, "%s: all ones", op->name);
    check(random_calls == (op->make == make_keygen || op->make == make_encrypt ? 10 : 1), "%s: %zu draws",
          op->name, random_calls);
    for (size_t k = 0; k < 9; k++) {
        make_item(op, &it, &single_slots[k], FIRST + k, 0);
        memcpy(&it, items + k * op->bytes, op->bytes);
        check(op->right(&it, &slots[k], &single_slots[k]), "%s: after all ones", op->name);
    }
    random_mode = SYSTEM;
    if (op->make != make_keygen && op->make != make_encrypt)
        return;
    /* as before, but of the draws for single items every second is refused */
    for (size_t k = 0; k < 9; k++) {
        make_item(op, &it, &slots[k], FIRST + k, 0);
        memcpy(items + k * op->bytes, &it, op->bytes);
    }
    random_calls = 0;
    random_mode = ONES;
    random_flaky = 1;
    check(op->all(items, 9) == LIMBIC_ERR_BATCH, "%s: draws refused in turn", op->name);
    random_flaky = 0;
    for (size_t k = 0; k < 9; k++) {
        make_item(op, &it, &single_slots[k], FIRST + k, 0);
        memcpy(&it, items + k * op->bytes, op->bytes);
        const limbic_status got = status_of(op, &it);
        check(k % 2 ? got == LIMBIC_OK && op->right(&it, &slots[k], &single_slots[k])
                    : got == LIMBIC_ERR_RANDOM && !memcmp(&slots[k], &single_slots[k], sizeof slots[k]),
              "%s: draws refused in turn, item %zu: status %d", op->name, k, (int)got);
    }
}

/* Nonces that the last step refuses. */
static void done_again(const struct op *op) {
    rejecting = 1;
    rejected = refused = spoilt = 0;
    beside_single(op, 5, 50, NULL);
    rejecting = 0;
    if (op->make == make_sign || op->make == make_sm2_sign || op->make == make_encrypt)
        check(rejected > 10 && (!refused || op->make == make_encrypt) &&
                  (spoilt > 10 || op->make == make_encrypt),
              "%s: %lu nonces refused, %lu out of range", op->name, rejected, spoilt);
}

/* The same key and digest many times: hedged nonces all differ. */
static void nonces_differ(void) {
    static uint8_t sig[MOST][LIMBIC_MAX_SIGNATURE_BYTES];
    for (int sm2 = curve == LIMBIC_SM2, i = 0; i < 1; i++) {
        for (size_t k = 0; k < MOST; k++) {
            if (sm2)
                ((limbic_sm2_sign_item *)(void *)items)[k] = (limbic_sm2_sign_item){.sig = sig[k],
                                                                                    .sig_len = 64,
                                                                                    .signer = &pool[0].signer,
                                                                                    .e = pool[0].digest,
                                                                                    .e_len = 32};
            else
                ((limbic_ecdsa_sign_item *)(void *)items)[k] =
                    (limbic_ecdsa_sign_item){sig[k], pool[0].d, pool[0].digest, 2 * L, L, 32, LIMBIC_OK};
        }
        check((sm2 ? all_sm2_sign(items, MOST) : all_sign(items, MOST)) == LIMBIC_OK, "signatures");
    }
    for (size_t k = 0; k < MOST; k++)
        for (size_t j = 0; j < k; j++)
            if (!memcmp(sig[k], sig[j], L))
                check(0, "%s: nonces of %zu and %zu agree", limbic_curve_name(curve), j, k);
}

/* ---- heap, stack, threads ---- */

#if COUNTS_HEAP
static const struct op *deep_op;
static size_t deep_count;
static limbic_status run_batch(void) {
    return deep_op->all(items, deep_count);
}
static void make_items(void) {
    union item it;
    for (size_t k = 0; k < deep_count; k++) {
        make_item(deep_op, &it, &slots[k], k, 0);
        memcpy(items + k * deep_op->bytes, &it, deep_op->bytes);
    }
}
/* Other keys, texts and random bytes. */
static void choose(int which) {
    random_seed += (uint64_t)which;
    other_texts = (uint8_t)which;
    make_pool(curve);
    make_items();
}

/* (a + b c)/d mod n, as bytes and as words; d NULL: without the division. */
struct number {
    uint8_t bytes[LIMBIC_MAX_BYTES];
    uint64_t words[LIMBIC_MAX_LIMBS];
};
static void number_of(struct number *x, const uint8_t *be) {
    memmove(x->bytes, be, L);
    limbic_words_from_be(x->words, limbic_curve_desc(curve)->limbs, be, L);
}
static void compute(struct number *r, const uint8_t *a, const uint8_t *b, const uint8_t *c,
                    const uint8_t *d) {
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *n = BN_bin2bn(order, (int)L, NULL), *x = BN_bin2bn(a, (int)L, NULL),
           *y = BN_bin2bn(b, (int)L, NULL), *z = BN_bin2bn(c, (int)L, NULL),
           *w = d ? BN_bin2bn(d, (int)L, NULL) : NULL;
    uint8_t out[LIMBIC_MAX_BYTES];
    MUST(BN_mod_mul(y, y, z, n, ctx) && BN_mod_add(x, x, y, n, ctx));
    if (w)
        MUST(BN_mod_inverse(w, w, n, ctx) && BN_mod_mul(x, x, w, n, ctx));
    MUST(BN_bn2binpad(x, out, (int)L) == (int)L);
    number_of(r, out);
    BN_free(n);
    BN_free(x);
    BN_free(y);
    BN_free(z);
    BN_free(w);
    BN_CTX_free(ctx);
}
static void add_number(struct secrets *s, const char *name, const struct number *x) {
    add_secret(s, name, x->bytes, L);
    add_secret(s, name, x->words, 8U * limbic_curve_desc(curve)->limbs);
}
static void residue_of(struct number *r, const struct number *a) {
    const struct limbic_modulus *m = limbic_modulus((enum limbic_unit)limbic_curve_desc(curve)->order);
    limbic_to_residue(m, r->words, a->words);
    limbic_to_bytes(m, r->bytes, r->words);
}

/* Keys, nonces, their inverses, random bytes, secrets and texts of three items of a full part. */
static void memory(const struct op *op) {
    static struct secrets s;
    static struct number key[3], nonce[3], inverse[3], residue[3], shared[3];
    static const size_t which[] = {0, PART / 2 + 1, PART - 1};
    static const uint8_t zero[LIMBIC_MAX_BYTES];
    uint8_t one[LIMBIC_MAX_BYTES] = {0}, more[LIMBIC_MAX_BYTES];
    static const size_t counts_of[] = {PART + 3, 5, 1};
    one[L - 1] = 1;
    deep_op = op;
    deep_count = PART;
    make_items();
    random_bytes = 0;
    run_deep(nothing);
    deep_base = deep_used;
    run_deep(run_batch);
    memset(&s, 0, sizeof s);
    if (random_bytes)
        for (size_t i = 0; i < 3; i++)
            add_secret(&s, "random bytes", random_given + random_bytes / PART * which[i],
                       random_bytes / PART);
    for (size_t i = 0; i < 3; i++) {
        const struct slot *x = &slots[which[i]];
        const struct entry *e = &pool[x->i % POOL];
        number_of(&key[i], op->make == make_keygen ? x->out : e->d);
        if (op->make != make_verify && op->make != make_sm2_verify && op->make != make_encrypt)
            add_number(&s, "a key", &key[i]);
        if (op->make == make_ecdh) {
            number_of(&shared[i], x->out);
            add_number(&s, "a secret", &shared[i]);
        }
        if (op->make == make_sign) {
            uint8_t digest[LIMBIC_MAX_BYTES] = {0};
            const size_t len = ((limbic_ecdsa_sign_item *)(void *)items)[which[i]].digest_len;
            if (len < L) /* k = (e + r d)/s */
                memcpy(digest + L - len, x->in[2], len);
            else
                continue;
            compute(&nonce[i], digest, x->out, e->d, x->out + L);
        } else if (op->make == make_sm2_sign) { /* k = s + (r + s) d */
            BIGNUM *a = BN_bin2bn(x->out, 32, NULL), *b = BN_bin2bn(x->out + 32, 32, NULL);
            MUST(a && b && BN_add(a, a, b));
            uint8_t sum[33];
            MUST(BN_bn2binpad(a, sum, 33) == 33);
            BN_free(a);
            BN_free(b);
            if (sum[0]) /* compute() takes 32 bytes: less the order once */
                compute(&nonce[i], x->out, one, x->out + 32, NULL), memcpy(sum + 1, nonce[i].bytes, 32);
            compute(&nonce[i], x->out + 32, sum + 1, e->d, NULL);
            compute(&inverse[i], one, one, e->d, NULL); /* 1 + d, then 1/(1 + d) */
            memcpy(more, inverse[i].bytes, L);
            compute(&inverse[i], one, zero, zero, more);
            residue_of(&residue[i], &inverse[i]);
            add_number(&s, "1/(1 + d)", &residue[i]);
        } else {
            continue;
        }
        add_number(&s, "a nonce", &nonce[i]);
        if (op->make == make_sign) {
            compute(&inverse[i], one, zero, zero, nonce[i].bytes);
            residue_of(&residue[i], &inverse[i]);
            add_number(&s, "the inverse of a nonce", &residue[i]);
        }
    }
    const char *left = left_on_stack(&s);
    const size_t used = deep_used - deep_base;
    check(deep_job.status == LIMBIC_OK && !left && !deep_job.heap_calls,
          "%s %s: status %d; left on the stack: %s; %lu heap calls", limbic_curve_name(curve), op->name,
          (int)deep_job.status, left ? left : "nothing", deep_job.heap_calls);
    check(used <= LIMBIC_BATCH_STACK, "%s %s: %zu bytes of stack", limbic_curve_name(curve), op->name, used);
    make_items();
    limbic_cpu_assume(0); /* forgets the tables: the first call on a curve */
    run_deep(run_batch);
    const size_t first = deep_used - deep_base;
    check(deep_job.status == LIMBIC_OK && first <= LIMBIC_BATCH_STACK,
          "%s %s: %zu bytes of stack for a first call", limbic_curve_name(curve), op->name, first);
    (void)printf("%s %s: %zu bytes of stack, %zu for a first call\n", limbic_curve_name(curve), op->name,
                 used, first);
    for (size_t i = 0; i < 3 && op->make != make_verify && op->make != make_sm2_verify; i++) {
        deep_count = counts_of[i];
        const char *what = depends(choose, run_batch);
        check(!what, "%s %s of %zu leaves what depends on its secrets: %s", limbic_curve_name(curve),
              op->name, deep_count, what ? what : "");
    }
}

/* The search itself: a key that is left on purpose. */
static limbic_status leaves_key(void) {
    volatile uint64_t left[1024];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        left[i] = limbic_load_be64(pool[0].d + L - 8);
    return left[0] ? LIMBIC_OK : LIMBIC_ERR_FAULT;
}
static void memory_controls(void) {
    static struct secrets s;
    static struct number key;
    number_of(&key, pool[0].d);
    memset(&s, 0, sizeof s);
    add_number(&s, "a key", &key);
    run_deep(leaves_key);
    check(left_on_stack(&s) != NULL, "%s: the search finds what is left", limbic_curve_name(curve));
    check(depends(choose, leaves_key) != NULL, "%s: the comparison finds what is left",
          limbic_curve_name(curve));
    const unsigned long before = heap_calls;
    void *volatile probe = malloc(1);
    check(heap_calls == before + 1, "the heap counter counts");
    free(probe);
}
#else
static void memory(const struct op *op) {
    skipped++;
    (void)printf("%s %s: heap and stack not looked at: a sanitizer, or not glibc, owns them\n",
                 limbic_curve_name(curve), op->name);
}
static void memory_controls(void) {}
#endif

/* Batches in several threads at once, of all operations in turn. */
enum { THREADS = 4, THREAD_ITEMS = 70 };
static struct thread_job {
    union item it;
    struct slot slots[THREAD_ITEMS];
    uint8_t items[THREAD_ITEMS * sizeof(union item)] __attribute__((aligned(8)));
    unsigned bad;
} thread_jobs[THREADS];

static void *run_thread(void *arg) {
    struct thread_job *t = arg;
    for (size_t i = 0; i < OPS; i++) {
        if (!concerns(&ops[i]))
            continue;
        for (size_t k = 0; k < THREAD_ITEMS; k++) {
            make_item(&ops[i], &t->it, &t->slots[k], k, 0);
            memcpy(t->items + k * ops[i].bytes, &t->it, ops[i].bytes);
        }
        t->bad += ops[i].all(t->items, THREAD_ITEMS) != LIMBIC_OK;
    }
    return NULL;
}

static void threads(void) {
    pthread_t t[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        MUST(!pthread_create(&t[i], NULL, run_thread, &thread_jobs[i]));
    for (size_t i = 0; i < THREADS; i++) {
        MUST(!pthread_join(t[i], NULL));
        check(!thread_jobs[i].bad, "%s: thread %zu", limbic_curve_name(curve), i);
    }
}

static void each(const char *isa) {
    (void)isa;
    for (limbic_curve of = LIMBIC_P256; of <= LIMBIC_SM2; of++) {
        make_pool(of);
        for (size_t i = 0; i < OPS; i++) {
            if (!concerns(&ops[i]))
                continue;
            counts(&ops[i]);
            faults(&ops[i]);
            whole(&ops[i]);
            random_source(&ops[i]);
            done_again(&ops[i]);
            memory(&ops[i]);
        }
        nonces_differ();
        memory_controls();
    }
}

int main(void) {
    each_isa(ENGINES, each);
    for (limbic_curve of = LIMBIC_P256; of <= LIMBIC_SM2; of++) {
        make_pool(of);
        threads();
    }
    for (size_t i = 0; i < POOL; i++)
        free(pool[i].prepared);
    free(other_prepared);
    return closing();
}
