/*
 * Programs on the old calls (EC_KEY_..., ECDSA_..., ECDH_compute_key, RSA_...) ask no provider: what they do with a key is the key's method, and a new key's
 * method is the process's default one. While a provider is loaded whose section has `low_level = yes`, these here are the default: for P-256, P-384 and P-521, and for RSA
 * keys that the library takes. All else is done by the method that was the default before.
 *
 * Keys outlive the provider, and hold a pointer to their method. So methods are made once and kept, and the module stays in memory from then on, even when
 * libcrypto unloads it; keys that are left without a provider are served by the method from before.
 */
#define _GNU_SOURCE                 /* dladdr */
#define OPENSSL_SUPPRESS_DEPRECATED /* all of it */
#include "base/limb.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "provider/provider.h"

#include <dlfcn.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <string.h>

#define NUMBERS struct limbic_prov_rsa_numbers

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;     /* providers that want the hooks */
static atomic_int serving; /* users != 0 */
static EC_KEY_METHOD *ec;  /* these four, and rsa_index, are made with the first user and stay */
static RSA_METHOD *rsa_method;
static const EC_KEY_METHOD *ec_before;
static const RSA_METHOD *rsa_before;
static int rsa_index;

static void count(enum limbic_count what) {
    limbic_prov_count(what);
    limbic_prov_count(COUNT_LOW_LEVEL);
}

/* ---- EC ---- */

static struct known {
    int nid;
    limbic_curve curve;
    EC_GROUP *group;
} known[] = {{NID_X9_62_prime256v1, LIMBIC_P256, NULL},
             {NID_secp384r1, LIMBIC_P384, NULL},
             {NID_secp521r1, LIMBIC_P521, NULL}};
enum { KNOWN = sizeof known / sizeof *known };

static void make_groups(void) {
    for (size_t i = 0; i < KNOWN; i++)
        known[i].group = EC_GROUP_new_by_curve_name(known[i].nid);
}

/* The curve of a group; 0: none of ours. A group keeps its curve's name when a program gives it another generator, as PACE does. */
static limbic_curve curve_of(const EC_GROUP *group) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int nid = group && atomic_load(&serving) ? EC_GROUP_get_curve_name(group) : NID_undef;
    limbic_curve curve = (limbic_curve)0;
    if (nid == NID_undef)
        return curve;
    (void)pthread_once(&once, make_groups);
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].nid == nid && known[i].group) {
            (void)ERR_set_mark();
            if (EC_GROUP_cmp(group, known[i].group, NULL) == 0)
                curve = known[i].curve;
            (void)ERR_pop_to_mark();
        }
    return curve;
}

/* A point as bytes; 0: there is none, or it is infinity. */
static int get_point(const EC_GROUP *group, const EC_POINT *point, uint8_t *q, size_t n) {
    return point &&
           EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, q, 1 + 2 * n, NULL) == 1 + 2 * n;
}

/* A private key as bytes; 0: there is none, or it is out of range. */
static int get_private(const EC_KEY *key, limbic_curve curve, uint8_t *d, size_t n) {
    const BIGNUM *bn = EC_KEY_get0_private_key(key);
    return bn && !BN_is_negative(bn) && BN_bn2binpad(bn, d, (int)n) == (int)n &&
           limbic_ec_check_private(curve, d, n) == LIMBIC_OK;
}

static int ec_keygen(EC_KEY *key) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    const limbic_curve curve = curve_of(group);
    const size_t n = limbic_curve_bytes(curve);
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES];
    EC_POINT *point;
    BIGNUM *bn;
    int ok, (*before)(EC_KEY *);

    if (!curve) {
        EC_KEY_METHOD_get_keygen(ec_before, &before);
        return before(key);
    }
    point = EC_POINT_new(group);
    bn = BN_secure_new();
    ok = point && bn && limbic_ec_keygen(curve, d, n, q, 1 + 2 * n) == LIMBIC_OK &&
         BN_bin2bn(d, (int)n, bn) && EC_POINT_oct2point(group, point, q, 1 + 2 * n, NULL) &&
         EC_KEY_set_private_key(key, bn) && EC_KEY_set_public_key(key, point);
    limbic_wipe(d, sizeof d);
    BN_clear_free(bn);
    EC_POINT_free(point);
    if (ok)
        count(COUNT_KEYGEN);
    else
        ERR_raise(ERR_LIB_EC, ERR_R_INTERNAL_ERROR);
    return ok;
}

static int ec_compute_key(unsigned char **secret, size_t *secret_len, const EC_POINT *peer,
                          const EC_KEY *key) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    const limbic_curve curve = curve_of(group);
    const size_t n = limbic_curve_bytes(curve);
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES], *x = NULL;
    int ours = curve && get_point(group, peer, q, n) && get_private(key, curve, d, n), ok,
        (*before)(unsigned char **, size_t *, const EC_POINT *, const EC_KEY *);

    if (!ours) {
        EC_KEY_METHOD_get_compute_key(ec_before, &before);
        ok = before(secret, secret_len, peer, key);
    } else {
        x = OPENSSL_malloc(n);
        ok = x && limbic_ecdh(curve, x, n, d, n, q, 1 + 2 * n) == LIMBIC_OK;
        if (ok) {
            *secret = x;
            *secret_len = n;
            count(COUNT_DERIVE);
        } else {
            OPENSSL_free(x);
            ERR_raise(ERR_LIB_EC, ERR_R_INTERNAL_ERROR);
        }
    }
    limbic_wipe(d, sizeof d);
    return ok;
}

/* k and r: a nonce that the program has prepared. */
static ECDSA_SIG *ec_sign(const unsigned char *digest, int digest_len, const BIGNUM *k, const BIGNUM *r,
                          EC_KEY *key) {
    const limbic_curve curve = k || r ? (limbic_curve)0 : curve_of(EC_KEY_get0_group(key));
    const size_t n = limbic_curve_bytes(curve);
    uint8_t d[LIMBIC_MAX_BYTES], rs[LIMBIC_MAX_SIGNATURE_BYTES];
    ECDSA_SIG *sig = NULL, *(*before)(const unsigned char *, int, const BIGNUM *, const BIGNUM *, EC_KEY *);
    BIGNUM *a, *b;
    limbic_status status;

    if (!curve || digest_len < 0 || !get_private(key, curve, d, n)) {
        EC_KEY_METHOD_get_sign(ec_before, NULL, NULL, &before);
        sig = before(digest, digest_len, k, r, key);
    } else {
        status = limbic_ecdsa_sign(curve, rs, 2 * n, d, n, digest, (size_t)digest_len, LIMBIC_HASH_DEFAULT);
        a = status ? NULL : BN_bin2bn(rs, (int)n, NULL);
        b = status ? NULL : BN_bin2bn(rs + n, (int)n, NULL);
        sig = a && b ? ECDSA_SIG_new() : NULL;
        if (sig && ECDSA_SIG_set0(sig, a, b)) {
            count(COUNT_SIGN);
        } else {
            BN_free(a);
            BN_free(b);
            ECDSA_SIG_free(sig);
            sig = NULL;
            ERR_raise(ERR_LIB_EC, ERR_R_INTERNAL_ERROR);
        }
    }
    limbic_wipe(d, sizeof d);
    return sig;
}

/* 1: it is one; 0: it is none; -1: a fault. */
static int ec_verify(const unsigned char *digest, int digest_len, const ECDSA_SIG *sig, EC_KEY *key) {
    const EC_GROUP *group = EC_KEY_get0_group(key);
    const limbic_curve curve = curve_of(group);
    const int n = (int)limbic_curve_bytes(curve);
    const size_t size = (size_t)n;
    uint8_t q[LIMBIC_MAX_POINT_BYTES], rs[LIMBIC_MAX_SIGNATURE_BYTES];
    const BIGNUM *r = NULL, *s = NULL;
    int (*before)(const unsigned char *, int, const ECDSA_SIG *, EC_KEY *);
    limbic_status status;

    if (sig)
        ECDSA_SIG_get0(sig, &r, &s);
    if (!curve || digest_len < 0 || !r || !s || BN_is_negative(r) || BN_is_negative(s) ||
        BN_bn2binpad(r, rs, n) != n || BN_bn2binpad(s, rs + n, n) != n ||
        !get_point(group, EC_KEY_get0_public_key(key), q, size)) {
        EC_KEY_METHOD_get_verify(ec_before, NULL, &before);
        return before(digest, digest_len, sig, key);
    }
    status = limbic_ecdsa_verify(curve, rs, 2 * size, q, 1 + 2 * size, digest, (size_t)digest_len);
    count(COUNT_VERIFY);
    if (!status)
        return 1;
    if (status == LIMBIC_ERR_SIGNATURE)
        return 0;
    ERR_raise(ERR_LIB_EC, EC_R_BAD_SIGNATURE);
    return status == LIMBIC_ERR_SIGNATURE_RANGE ? 0 : -1;
}

/* ---- RSA ---- */

/* The library's form of a key, beside the numbers that it was made from: a program may give a key other ones. Its place is made with the RSA
 * object, while no other thread has that. */
struct kept {
    BIGNUM *n, *e;
    int has_private;
    NUMBERS *numbers; /* NULL: no key for the library */
};
typedef _Atomic(struct kept *) place;

static void free_kept(struct kept *k) {
    if (!k)
        return;
    BN_free(k->n);
    BN_free(k->e);
    limbic_prov_rsa_numbers_free(k->numbers);
    OPENSSL_free(k);
}

static void new_place(void *parent, void *ptr, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
    (void)parent;
    (void)ptr;
    (void)argl;
    (void)argp;
    (void)CRYPTO_set_ex_data(data, index, OPENSSL_zalloc(sizeof(place)));
}

/* A copy of a key keeps its own place. */
static int dup_place(CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **data, int index, long argl,
                     void *argp) {
    (void)from;
    (void)argl;
    (void)argp;
    *data = CRYPTO_get_ex_data(to, index);
    return 1;
}

static void free_place(void *parent, void *ptr, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
    place *at = ptr;
    (void)parent;
    (void)data;
    (void)index;
    (void)argl;
    (void)argp;
    if (at)
        free_kept(atomic_load(at));
    OPENSSL_free(at);
}

static int has_private(const RSA *rsa) {
    return RSA_get0_p(rsa) && RSA_get0_q(rsa) && RSA_get0_dmp1(rsa) && RSA_get0_dmq1(rsa) &&
           RSA_get0_iqmp(rsa) && RSA_get_multi_prime_extra_count(rsa) == 0;
}

static struct kept *take(const RSA *rsa) {
    limbic_rsa_numbers numbers = {0};
    const BIGNUM *const from[] = {RSA_get0_n(rsa),    RSA_get0_e(rsa),    RSA_get0_p(rsa),   RSA_get0_q(rsa),
                                  RSA_get0_dmp1(rsa), RSA_get0_dmq1(rsa), RSA_get0_iqmp(rsa)};
    limbic_rsa_number *const to[] = {&numbers.n,  &numbers.e,  &numbers.p,   &numbers.q,
                                     &numbers.dp, &numbers.dq, &numbers.qinv};
    enum { PUBLIC = 2, PARTS = sizeof to / sizeof *to };
    const int k = BN_num_bytes(from[0]), is_private = has_private(rsa), parts = is_private ? PARTS : PUBLIC;
    struct kept *kept = OPENSSL_zalloc(sizeof *kept);
    uint8_t *bytes = OPENSSL_malloc(PARTS * (size_t)k);
    int ok = kept && bytes;

    for (int i = 0; ok && i < parts; i++) {
        const int n = i < PUBLIC ? BN_num_bytes(from[i]) : k;
        uint8_t *at = bytes + i * k;
        ok = n <= k && !BN_is_negative(from[i]) && BN_bn2binpad(from[i], at, n) == n;
        *to[i] = (limbic_rsa_number){at, (size_t)n};
    }
    if (kept) {
        kept->has_private = is_private;
        kept->n = BN_dup(from[0]);
        kept->e = BN_dup(from[1]);
        if (ok)
            kept->numbers = limbic_prov_rsa_numbers_new((size_t)BN_num_bits(from[0]), is_private, &numbers);
        if (!kept->n || !kept->e) {
            free_kept(kept);
            kept = NULL;
        }
    }
    OPENSSL_clear_free(bytes, bytes ? PARTS * (size_t)k : 0);
    return kept;
}

/* NULL: a key for the method from before. */
static const NUMBERS *numbers_of(const RSA *rsa) {
    place *at = atomic_load(&serving) ? RSA_get_ex_data(rsa, rsa_index) : NULL;
    const BIGNUM *n = RSA_get0_n(rsa), *e = RSA_get0_e(rsa);
    struct kept *kept, *made;
    if (!at || !n || !e || BN_is_zero(n))
        return NULL;
    kept = atomic_load_explicit(at, memory_order_acquire);
    if (kept && !BN_cmp(kept->n, n) && !BN_cmp(kept->e, e) && kept->has_private == has_private(rsa))
        return kept->numbers;
    made = take(rsa);
    if (!made)
        return NULL;
    if (atomic_compare_exchange_strong(at, &kept, made)) {
        free_kept(kept);
        return made->numbers;
    }
    free_kept(made); /* another thread was faster */
    return kept->numbers;
}

static const NUMBERS *private_numbers_of(const RSA *rsa) {
    const NUMBERS *key = numbers_of(rsa);
    return key && key->private_here ? key : NULL;
}

/* The private operation itself, between libcrypto's paddings and blinding; the library's blinds once more, and checks its result. */
static int rsa_mod_exp(BIGNUM *out, const BIGNUM *in, RSA *rsa, BN_CTX *ctx) {
    const NUMBERS *key = private_numbers_of(rsa);
    uint8_t block[LIMBIC_RSA_MAX_BYTES];
    int n, ok;
    if (!key)
        return RSA_meth_get_mod_exp(rsa_before)(out, in, rsa, ctx);
    n = (int)key->bytes;
    ok = BN_bn2binpad(in, block, n) == n &&
         limbic_rsa_private_op(key->key, key->len, block, key->bytes, block, key->bytes) == LIMBIC_OK &&
         BN_bin2bn(block, n, out);
    limbic_wipe(block, (size_t)n);
    if (!ok)
        ERR_raise(ERR_LIB_RSA, ERR_R_INTERNAL_ERROR);
    return ok;
}

/* These two count: their arithmetic comes back to rsa_mod_exp. */
static int rsa_private_encrypt(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding) {
    if (private_numbers_of(rsa))
        count(COUNT_SIGN);
    return RSA_meth_get_priv_enc(rsa_before)(n, from, to, rsa, padding);
}

static int rsa_private_decrypt(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding) {
    if (private_numbers_of(rsa))
        count(COUNT_DECRYPT);
    return RSA_meth_get_priv_dec(rsa_before)(n, from, to, rsa, padding);
}

static int rsa_public_encrypt(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding) {
    const NUMBERS *key = numbers_of(rsa);
    const int k = key ? (int)key->bytes : 0;
    uint8_t block[LIMBIC_RSA_MAX_BYTES];
    int ok = 0;
    (void)ERR_set_mark();
    if (k && padding == RSA_PKCS1_PADDING)
        ok = RSA_padding_add_PKCS1_type_2(block, k, from, n) > 0;
    else if (k && padding == RSA_PKCS1_OAEP_PADDING)
        ok = RSA_padding_add_PKCS1_OAEP(block, k, from, n, NULL, 0) > 0;
    else if (k && padding == RSA_NO_PADDING)
        ok = RSA_padding_add_none(block, k, from, n) > 0;
    ok = ok && limbic_rsa_public_op(key->key, key->len, to, key->bytes, block, key->bytes) == LIMBIC_OK;
    (void)ERR_pop_to_mark();
    limbic_wipe(block, (size_t)k);
    if (!ok) /* refused, with its error */
        return RSA_meth_get_pub_enc(rsa_before)(n, from, to, rsa, padding);
    count(COUNT_ENCRYPT);
    return k;
}

/* Of a signature. */
static int rsa_public_decrypt(int n, const unsigned char *from, unsigned char *to, RSA *rsa, int padding) {
    const NUMBERS *key = padding == RSA_PKCS1_PADDING || padding == RSA_NO_PADDING ? numbers_of(rsa) : NULL;
    const int k = key ? (int)key->bytes : 0;
    uint8_t block[LIMBIC_RSA_MAX_BYTES];
    int len = k;
    if (!k || n != k ||
        limbic_rsa_public_op(key->key, key->len, block, key->bytes, from, key->bytes) != LIMBIC_OK)
        return RSA_meth_get_pub_dec(rsa_before)(n, from, to, rsa, padding);
    count(COUNT_VERIFY);
    if (padding == RSA_NO_PADDING)
        memcpy(to, block, key->bytes);
    else if ((len = RSA_padding_check_PKCS1_type_1(to, k, block, k, k)) < 0)
        ERR_raise(ERR_LIB_RSA, RSA_R_PADDING_CHECK_FAILED);
    return len;
}

/* The numbers of a new key. */
static int give(RSA *rsa, const uint64_t *key, size_t len, uint8_t *bytes, size_t size) {
    enum { PARTS = 8 };
    static const limbic_rsa_part which[PARTS] = {LIMBIC_RSA_N, LIMBIC_RSA_E,  LIMBIC_RSA_D,  LIMBIC_RSA_P,
                                                 LIMBIC_RSA_Q, LIMBIC_RSA_DP, LIMBIC_RSA_DQ, LIMBIC_RSA_QINV};
    BIGNUM *bn[PARTS] = {NULL};
    int ok = 1;
    for (int i = 0; ok && i < PARTS; i++) {
        size_t n = size;
        bn[i] = BN_secure_new();
        ok = bn[i] && limbic_rsa_export(key, len, which[i], bytes, &n) == LIMBIC_OK &&
             BN_bin2bn(bytes, (int)n, bn[i]);
    }
    /* These three take what they are given, and can't fail on numbers that are all there. */
    if (ok && RSA_set0_key(rsa, bn[0], bn[1], bn[2]) && RSA_set0_factors(rsa, bn[3], bn[4]) &&
        RSA_set0_crt_params(rsa, bn[5], bn[6], bn[7]))
        return 1;
    for (int i = 0; i < PARTS; i++)
        BN_clear_free(bn[i]);
    return 0;
}

/* Two primes, nobody who wants to see the progress, a size and an exponent for the library: else 0. */
static int library_keygen(RSA *rsa, int bits, int primes, const BIGNUM *e, const BN_GENCB *progress) {
    uint8_t exponent[32];
    const int e_len = BN_num_bytes(e);
    const size_t len = bits > 0 ? limbic_rsa_private_bytes((size_t)bits) : 0, k = ((size_t)bits + 7) / 8;
    uint64_t *key;
    int ok;
    if (!atomic_load(&serving) || primes != 2 || progress || !len || e_len > (int)sizeof exponent ||
        BN_bn2bin(e, exponent) != e_len)
        return 0;
    key = OPENSSL_zalloc(len + k);
    ok = key && limbic_rsa_keygen(key, len, (size_t)bits, exponent, (size_t)e_len) == LIMBIC_OK &&
         give(rsa, key, len, (uint8_t *)key + len, k);
    OPENSSL_clear_free(key, key ? len + k : 0);
    return ok;
}

/* libcrypto makes keys of a method that has no function for it by itself: so this one steps aside meanwhile. */
static int rsa_keygen(RSA *rsa, int bits, int primes, BIGNUM *e, BN_GENCB *progress) {
    int ok = library_keygen(rsa, bits, primes, e, progress);
    if (ok) {
        count(COUNT_KEYGEN);
        return 1;
    }
    if (RSA_set_method(rsa, rsa_before)) {
        ok = RSA_generate_multi_prime_key(rsa, bits, primes, e, progress);
        (void)RSA_set_method(rsa, rsa_method);
    }
    return ok;
}

/* ---- to and fro ---- */

static int pinned(void) {
    Dl_info at;
    return dladdr((void *)&lock, &at) && dlopen(at.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Once: all that stays. */
static int make(void) {
    int (*sign)(int, const unsigned char *, int, unsigned char *, unsigned int *, const BIGNUM *,
                const BIGNUM *, EC_KEY *);
    int (*sign_setup)(EC_KEY *, BN_CTX *, BIGNUM **, BIGNUM **);
    int (*verify)(int, const unsigned char *, int, const unsigned char *, int, EC_KEY *);
    EC_KEY_METHOD *e;
    RSA_METHOD *r;
    int index;

    if (ec)
        return 1;
    ec_before = EC_KEY_get_default_method();
    rsa_before = RSA_get_default_method();
    if (!pinned())
        return 0;
    e = EC_KEY_METHOD_new(ec_before);
    r = RSA_meth_dup(rsa_before);
    index = e && r ? RSA_get_ex_new_index(0, NULL, new_place, dup_place, free_place) : -1;
    if (index < 0 || !RSA_meth_set1_name(r, "Limbic RSA method")) {
        EC_KEY_METHOD_free(e);
        RSA_meth_free(r);
        return 0;
    }
    /* What libcrypto's own functions for DER do, is done by these. */
    EC_KEY_METHOD_get_sign(ec_before, &sign, &sign_setup, NULL);
    EC_KEY_METHOD_get_verify(ec_before, &verify, NULL);
    EC_KEY_METHOD_set_keygen(e, ec_keygen);
    EC_KEY_METHOD_set_compute_key(e, ec_compute_key);
    EC_KEY_METHOD_set_sign(e, sign, sign_setup, ec_sign);
    EC_KEY_METHOD_set_verify(e, verify, ec_verify);
    (void)RSA_meth_set_mod_exp(r, rsa_mod_exp);
    (void)RSA_meth_set_priv_enc(r, rsa_private_encrypt);
    (void)RSA_meth_set_priv_dec(r, rsa_private_decrypt);
    (void)RSA_meth_set_pub_enc(r, rsa_public_encrypt);
    (void)RSA_meth_set_pub_dec(r, rsa_public_decrypt);
    if (!RSA_meth_get_keygen(rsa_before) && !RSA_meth_get_multi_prime_keygen(rsa_before))
        (void)RSA_meth_set_multi_prime_keygen(r, rsa_keygen);
    rsa_index = index;
    rsa_method = r;
    ec = e;
    return 1;
}

/* Another module's method that has come in between, is not pushed aside. */
static void set_defaults(const EC_KEY_METHOD *ec_from, const EC_KEY_METHOD *ec_to, const RSA_METHOD *rsa_from,
                         const RSA_METHOD *rsa_to) {
    if (EC_KEY_get_default_method() == ec_from)
        EC_KEY_set_default_method(ec_to);
    if (RSA_get_default_method() == rsa_from)
        RSA_set_default_method(rsa_to);
}

int limbic_prov_hooks_install(void) {
    int ok;
    (void)pthread_mutex_lock(&lock);
    ok = make();
    if (ok && users++ == 0) {
        atomic_store(&serving, 1);
        set_defaults(ec_before, ec, rsa_before, rsa_method);
    }
    (void)pthread_mutex_unlock(&lock);
    return ok;
}

void limbic_prov_hooks_remove(void) {
    (void)pthread_mutex_lock(&lock);
    if (--users == 0) {
        set_defaults(ec, ec_before, rsa_method, rsa_before);
        atomic_store(&serving, 0);
    }
    (void)pthread_mutex_unlock(&lock);
}
