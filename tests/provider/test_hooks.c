/*
 * The hooks for programs on the old calls: provider_hooks MODULE. A provider with `low_level = yes` makes its methods the default ones of EC_KEY and RSA; keys with OpenSSL's
 * own method stand beside. That the library ran is told by its counters.
 */
#define _GNU_SOURCE /* memmem */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "limbic/limbic.h"
#include "tests/provider/shared.h"

#include <dlfcn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/rsa.h>
#include <pthread.h>

static const char *module;

static const int curves[] = {NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1};
enum { CURVES = sizeof curves / sizeof *curves };

/* What ran in the library since the last call, in these words ("sign=1 verify=2"), and all of it by hooks. NULL: whatever it is. */
static void ran(const char *want, const char *where) {
    static const char *const names[] = {"keygen",  "sign",    "verify",   "derive",
                                        "encrypt", "decrypt", "low-level"};
    enum { NAMES = sizeof names / sizeof *names };
    static unsigned long long seen[NAMES];
    unsigned long long sum = 0, now, moved;
    char have[200] = "";
    size_t at = 0;
    for (size_t i = 0; i < NAMES; i++) {
        now = count(names[i]);
        moved = now - seen[i];
        seen[i] = now;
        if (i == NAMES - 1 && want)
            check(moved == sum, "%s: %llu operations, %llu by hooks", where, sum, moved);
        else if (moved && want)
            at += (size_t)snprintf(have + at, sizeof have - at, "%s%s=%llu", at ? " " : "", names[i], moved);
        sum += moved;
    }
    check(!want || !strcmp(have, want), "%s: in the library ran '%s', not '%s'", where, have,
          want ? want : "");
}

/* value NULL: no such setting */
static OSSL_LIB_CTX *context(const char *value, int works) {
    char setting[40] = "";
    OSSL_LIB_CTX *ctx;
    if (value)
        (void)snprintf(setting, sizeof setting, "low_level = %s", value);
    ctx = configured(module, setting);
    check(OSSL_PROVIDER_available(ctx, "limbic") == works, "'%s': the provider %s", setting,
          works ? "loads" : "does not load");
    return ctx;
}

static int hooked(void) {
    const int ec = EC_KEY_get_default_method() != EC_KEY_OpenSSL(),
              rsa = RSA_get_default_method() != RSA_PKCS1_OpenSSL();
    check(ec == rsa, "the hooks of EC and RSA come and go together");
    return ec;
}

/* ---- EC ---- */

/* A new key; with OpenSSL's method if it is not for us. */
static EC_KEY *new_ec(int nid, int ours) {
    EC_KEY *key = EC_KEY_new_by_curve_name(nid);
    if (!ours)
        (void)EC_KEY_set_method(key, EC_KEY_OpenSSL());
    check(EC_KEY_generate_key(key) == 1 && EC_KEY_check_key(key) == 1, "%s: a new key", OBJ_nid2sn(nid));
    return key;
}

/* The same numbers. */
static EC_KEY *twin_ec(const EC_KEY *from, int ours) {
    EC_KEY *key = EC_KEY_new_by_curve_name(EC_GROUP_get_curve_name(EC_KEY_get0_group(from)));
    if (!ours)
        (void)EC_KEY_set_method(key, EC_KEY_OpenSSL());
    check(EC_KEY_set_private_key(key, EC_KEY_get0_private_key(from)) == 1 &&
              EC_KEY_set_public_key(key, EC_KEY_get0_public_key(from)) == 1,
          "a key copied");
    return key;
}

static void both_ways(int nid, int here) {
    const char *name = OBJ_nid2sn(nid);
    EC_KEY *key, *theirs, *peer;
    uint8_t digest[100], sig[200], a[80], b[80];
    unsigned len = 0;
    key = new_ec(nid, 1);
    ran(here ? "keygen=1" : "", name);
    theirs = twin_ec(key, 0);
    peer = new_ec(nid, 0);
    memset(digest, 0xff, sizeof digest); /* above the order */
    for (int n = 0; n <= (int)sizeof digest; n += 5) {
        check(ECDSA_sign(0, digest, n, sig, &len, key) == 1 && len <= (unsigned)ECDSA_size(key) &&
                  ECDSA_verify(0, digest, n, sig, (int)len, theirs) == 1,
              "%s: sign %d bytes, they verify", name, n);
        ran(here ? "sign=1" : "", name);
        check(ECDSA_sign(0, digest, n, sig, &len, theirs) == 1 &&
                  ECDSA_verify(0, digest, n, sig, (int)len, key) == 1,
              "%s: they sign %d bytes, verify", name, n);
        ran(here ? "verify=1" : "", name);
        if (n)
            digest[n - 1] = (uint8_t)(n * 37);
    }
    check(ECDSA_sign(0, digest, 32, sig, &len, key) == 1, "%s: sign", name);
    digest[0] ^= 1;
    check(ECDSA_verify(0, digest, 32, sig, (int)len, key) == 0 && !ERR_peek_error(), "%s: another digest",
          name);
    ran(here ? "sign=1 verify=1" : "", name);
    check(ECDSA_verify(0, digest, 32, sig, (int)len - 1, key) == -1, "%s: a signature cut off", name);
    check(ECDH_compute_key(a, sizeof a, EC_KEY_get0_public_key(peer), key, NULL) ==
                  (EC_GROUP_get_degree(EC_KEY_get0_group(key)) + 7) / 8 &&
              ECDH_compute_key(b, sizeof b, EC_KEY_get0_public_key(key), peer, NULL) > 0 &&
              !memcmp(a, b, (size_t)(EC_GROUP_get_degree(EC_KEY_get0_group(key)) + 7) / 8),
          "%s: derive the same", name);
    ran(here ? "derive=1" : "", name);
    EC_KEY_free(key);
    EC_KEY_free(theirs);
    EC_KEY_free(peer);
    ERR_clear_error();
}

static ECDSA_SIG *signature(const BIGNUM *r, const BIGNUM *s) {
    ECDSA_SIG *sig = ECDSA_SIG_new();
    (void)ECDSA_SIG_set0(sig, BN_dup(r), BN_dup(s));
    return sig;
}

/* What is refused, and what is left to OpenSSL, as OpenSSL's own method has it. */
static void odd_ec(int nid) {
    const char *name = OBJ_nid2sn(nid);
    EC_KEY *key = new_ec(nid, 1), *theirs = twin_ec(key, 0);
    const EC_GROUP *group = EC_KEY_get0_group(key);
    const BIGNUM *order = EC_GROUP_get0_order(group), *r, *s;
    const uint8_t digest[32] = {1, 2, 3};
    uint8_t secret[80];
    ECDSA_SIG *good = ECDSA_do_sign(digest, 32, key), *sig;
    EC_POINT *infinity = EC_POINT_new(group), *twice = EC_POINT_new(group);
    EC_GROUP *other = EC_GROUP_dup(group);
    BIGNUM *k = NULL, *x = NULL, *n = BN_new();

    if (!check(good != NULL, "%s: sign", name))
        return;
    ECDSA_SIG_get0(good, &r, &s);
    ran("keygen=1 sign=1", name);
    for (int i = 0; i < 8; i++) {
        if (i < 4)
            (void)BN_copy(n, i & 1 ? r : s);
        switch (i / 2) {
        case 0: /* more bytes than the order has, and the same modulo the order */
            (void)BN_add(n, n, order);
            for (int bits = BN_num_bits(order); bits-- > 0;)
                (void)BN_add(n, n, order);
            break;
        case 1:
            BN_set_negative(n, 1);
            break;
        case 2:
            BN_zero(n);
            break;
        default:
            (void)BN_copy(n, order);
        }
        sig = signature(i & 1 ? n : r, i & 1 ? s : n);
        check(ECDSA_do_verify(digest, 32, sig, key) == ECDSA_do_verify(digest, 32, sig, theirs) &&
                  ECDSA_do_verify(digest, 32, sig, key) < 1,
              "%s: signature out of range, %d", name, i);
        ECDSA_SIG_free(sig);
    }
    ran("verify=8", name); /* half of them can't be told to the library */

    check(ECDSA_sign_setup(key, NULL, &k, &x) == 1 &&
              (sig = ECDSA_do_sign_ex(digest, 32, k, x, key)) != NULL &&
              ECDSA_do_verify(digest, 32, sig, theirs) == 1,
          "%s: a nonce of the program's", name);
    ran("", name);
    ECDSA_SIG_free(sig);
    BN_clear_free(k);
    BN_clear_free(x);

    check(EC_POINT_set_to_infinity(group, infinity) == 1 &&
              ECDH_compute_key(secret, sizeof secret, infinity, key, NULL) <= 0,
          "%s: no secret with infinity", name);
    (void)BN_add(n, order, BN_value_one()); /* 1 */
    (void)EC_KEY_set_private_key(key, n);
    sig = ECDSA_do_sign(digest, 32, key);
    ran("", name); /* private keys out of range are OpenSSL's */
    ECDSA_SIG_free(sig);
    (void)EC_KEY_set_private_key(key, EC_KEY_get0_private_key(theirs));

    /* The name of the curve, and another generator. */
    (void)BN_set_word(n, 2);
    check(EC_POINT_mul(group, twice, n, NULL, NULL, NULL) == 1 &&
              EC_GROUP_set_generator(other, twice, order, BN_value_one()) == 1 &&
              EC_GROUP_get_curve_name(other) == nid && EC_KEY_set_group(key, other) == 1 &&
              EC_KEY_generate_key(key) == 1 && EC_KEY_check_key(key) == 1 &&
              (sig = ECDSA_do_sign(digest, 32, key)) != NULL && ECDSA_do_verify(digest, 32, sig, key) == 1,
          "%s: another generator", name);
    ran("", name);
    ECDSA_SIG_free(sig);
    ECDSA_SIG_free(good);
    BN_free(n);
    EC_POINT_free(infinity);
    EC_POINT_free(twice);
    EC_GROUP_free(other);
    EC_KEY_free(key);
    EC_KEY_free(theirs);
    ERR_clear_error();
}

/* ---- RSA ---- */

/* Without lanes for powers, private operations are left to OpenSSL. */
static unsigned lanes(void) {
    limbic_row_info row;
    for (size_t i = 0; i < limbic_row_count(); i++)
        if (!limbic_row(i, &row) && row.chosen && !strcmp(row.unit, "mont") && !strcmp(row.op, "pow"))
            return strcmp(row.isa, "ifma") == 0;
    return 0;
}

static int one_step(int a, int b, BN_GENCB *cb) {
    (void)a;
    (void)b;
    ++*(unsigned *)BN_GENCB_get_arg(cb);
    return 1;
}

static RSA *new_rsa(int bits, int primes, unsigned long exponent, const char *want) {
    RSA *rsa = RSA_new();
    BIGNUM *e = BN_new();
    (void)BN_set_word(e, exponent);
    check(RSA_generate_multi_prime_key(rsa, bits, primes, e, NULL) == 1 && RSA_bits(rsa) == bits &&
              RSA_check_key(rsa) == 1 && RSA_get_multi_prime_extra_count(rsa) == primes - 2 &&
              BN_cmp(RSA_get0_e(rsa), e) == 0,
          "RSA-%d of %d primes, e = %lu", bits, primes, exponent);
    BN_free(e);
    ran(want, "RSA key");
    return rsa;
}

/* The same key with OpenSSL's method, or its numbers in part: 0: all; 1: the public ones; 2: without the primes. */
static RSA *twin_rsa(const RSA *from, int ours, int part) {
    RSA *rsa = RSA_new();
    if (!ours)
        (void)RSA_set_method(rsa, RSA_PKCS1_OpenSSL());
    (void)RSA_set0_key(rsa, BN_dup(RSA_get0_n(from)), BN_dup(RSA_get0_e(from)),
                       part == 1 ? NULL : BN_dup(RSA_get0_d(from)));
    if (!part) {
        (void)RSA_set0_factors(rsa, BN_dup(RSA_get0_p(from)), BN_dup(RSA_get0_q(from)));
        (void)RSA_set0_crt_params(rsa, BN_dup(RSA_get0_dmp1(from)), BN_dup(RSA_get0_dmq1(from)),
                                  BN_dup(RSA_get0_iqmp(from)));
    }
    return rsa;
}

/* here: private operations are the library's; here_too: so are public ones. */
static void paddings(RSA *rsa, int here, int here_too, const char *name) {
    static const struct {
        int padding, n; /* 0: the modulus' length; of messages */
    } sign[] = {{RSA_PKCS1_PADDING, 51}, {RSA_PKCS1_PADDING, 0}, {RSA_NO_PADDING, 0}, {RSA_X931_PADDING, 33}},
      seal[] = {{RSA_PKCS1_PADDING, 40}, {RSA_PKCS1_OAEP_PADDING, 40}, {RSA_NO_PADDING, 0}};
    RSA *theirs = twin_rsa(rsa, 0, 0);
    const int k = RSA_size(rsa);
    uint8_t in[512], out[512], back[512], wrong[512];
    int n, m, l;
    for (int i = 0; i < k; i++)
        in[i] = (uint8_t)(i * 31 + 5);
    in[0] = 0;
    for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
        const int padding = sign[i].padding,
                  len = sign[i].n                      ? sign[i].n
                        : padding == RSA_PKCS1_PADDING ? k - 11
                                                       : k,
                  public_here = here_too && padding != RSA_X931_PADDING;
        n = RSA_private_encrypt(len, in, out, rsa, padding);
        m = RSA_public_decrypt(n, out, back, theirs, padding);
        check(n == k && m == len && !memcmp(back, in, (size_t)len), "%s: signature %zu, opened by them", name,
              i);
        ran(here ? "sign=1" : "", name);
        n = RSA_private_encrypt(len, in, out, theirs, padding);
        m = RSA_public_decrypt(n, out, back, rsa, padding);
        check(n == k && m == len && !memcmp(back, in, (size_t)len), "%s: signature %zu of theirs", name, i);
        ran(public_here ? "verify=1" : "", name);
        check(RSA_private_encrypt(k + 1, in, out, rsa, padding) == -1 && ERR_peek_error(), "%s: too long",
              name);
        memset(wrong, 0xff, sizeof wrong);
        ERR_clear_error();
        check(RSA_public_decrypt(k, wrong, back, rsa, padding) == -1 && ERR_peek_error(),
              "%s: above the modulus", name);
        ERR_clear_error();
        if (padding != RSA_NO_PADDING) {
            out[k - 1] ^= 1;
            check(RSA_public_decrypt(k, out, back, rsa, padding) == -1 && ERR_peek_error(), "%s: changed",
                  name);
            ERR_clear_error();
        }
        ran(public_here && padding != RSA_NO_PADDING ? here ? "sign=1 verify=1" : "verify=1"
            : here                                   ? "sign=1"
                                                     : "",
            name);
    }
    for (size_t i = 0; i < sizeof seal / sizeof *seal; i++) {
        const int padding = seal[i].padding, len = seal[i].n ? seal[i].n : k;
        n = RSA_public_encrypt(len, in, out, rsa, padding);
        m = RSA_private_decrypt(n, out, back, theirs, padding);
        check(n == k && m == len && !memcmp(back, in, (size_t)len), "%s: message %zu, opened by them", name,
              i);
        ran(here_too ? "encrypt=1" : "", name);
        n = RSA_public_encrypt(len, in, out, theirs, padding);
        m = RSA_private_decrypt(n, out, back, rsa, padding);
        check(n == k && m == len && !memcmp(back, in, (size_t)len), "%s: message %zu of theirs", name, i);
        ran(here ? "decrypt=1" : "", name);
        /* A wrong padding, alike: an error, or from version 3.2 on a message made of key and ciphertext. */
        out[k - 1] ^= 1;
        m = RSA_private_decrypt(k, out, back, rsa, padding);
        l = RSA_private_decrypt(k, out, wrong, theirs, padding);
        check(m == l && (m < 0 || !memcmp(back, wrong, (size_t)m)), "%s: a wrong padding %zu (%d and %d)",
              name, i, m, l);
        check(RSA_public_encrypt(k + 1, in, out, rsa, padding) == -1 && ERR_peek_error(), "%s: too long",
              name);
        ran(here ? "decrypt=1" : "", name);
        ERR_clear_error();
    }
    RSA_free(theirs);
}

static void rsa_keys(void) {
    const int private_here = lanes() != 0;
    RSA *rsa = new_rsa(2048, 2, 65537, "keygen=1"), *part, *more, *copy;
    uint8_t in[256] = {0, 1, 2}, out[256], back[256];
    unsigned steps = 0;
    BN_GENCB *cb = BN_GENCB_new();
    BIGNUM *e = BN_new();

    paddings(rsa, private_here, 1, "RSA-2048");
    copy = RSAPrivateKey_dup(rsa);
    paddings(copy, private_here, 1, "RSA-2048, a copy");
    RSA_free(copy);
    part = twin_rsa(rsa, 1, 1);
    check(RSA_public_encrypt(256, in, out, part, RSA_NO_PADDING) == 256 &&
              RSA_private_decrypt(256, out, back, rsa, RSA_NO_PADDING) == 256 && !memcmp(in, back, 256),
          "a public key");
    ran(private_here ? "encrypt=1 decrypt=1" : "encrypt=1", "a public key");
    check(RSA_private_encrypt(256, in, out, part, RSA_NO_PADDING) == -1, "a public key signs nothing");
    ran("", "a public key");
    /* Other numbers in the same object: first its own private ones, then another key's. */
    (void)RSA_set0_key(part, NULL, NULL, BN_dup(RSA_get0_d(rsa)));
    (void)RSA_set0_factors(part, BN_dup(RSA_get0_p(rsa)), BN_dup(RSA_get0_q(rsa)));
    (void)RSA_set0_crt_params(part, BN_dup(RSA_get0_dmp1(rsa)), BN_dup(RSA_get0_dmq1(rsa)),
                              BN_dup(RSA_get0_iqmp(rsa)));
    paddings(part, private_here, 1, "RSA-2048, completed");
    RSA_free(part);
    part = twin_rsa(rsa, 1, 0);
    check(RSA_public_encrypt(256, in, out, part, RSA_NO_PADDING) == 256, "before other numbers");
    ran("encrypt=1", "before other numbers");
    more = new_rsa(2048, 2, 65537, "keygen=1");
    (void)RSA_set0_key(part, BN_dup(RSA_get0_n(more)), BN_dup(RSA_get0_e(more)), BN_dup(RSA_get0_d(more)));
    (void)RSA_set0_factors(part, BN_dup(RSA_get0_p(more)), BN_dup(RSA_get0_q(more)));
    (void)RSA_set0_crt_params(part, BN_dup(RSA_get0_dmp1(more)), BN_dup(RSA_get0_dmq1(more)),
                              BN_dup(RSA_get0_iqmp(more)));
    check(RSA_public_encrypt(256, in, out, part, RSA_NO_PADDING) == 256 &&
              RSA_private_decrypt(256, out, back, more, RSA_NO_PADDING) == 256 && !memcmp(in, back, 256),
          "with other numbers");
    ran(private_here ? "encrypt=1 decrypt=1" : "encrypt=1", "with other numbers");
    RSA_free(more);
    RSA_free(part);
    /* A private exponent alone is OpenSSL's; and so is a key with a wrong number: OpenSSL finds out, and takes another way. */
    part = twin_rsa(rsa, 1, 2);
    check(RSA_private_encrypt(256, in, out, part, RSA_NO_PADDING) == 256 &&
              RSA_public_decrypt(256, out, back, rsa, RSA_NO_PADDING) == 256 && !memcmp(in, back, 256),
          "without primes");
    ran("verify=1", "without primes");
    RSA_free(part);
    part = twin_rsa(rsa, 1, 0);
    (void)BN_set_word(e, 5);
    (void)RSA_set0_crt_params(part, BN_dup(e), BN_dup(e), BN_dup(RSA_get0_iqmp(rsa)));
    check(RSA_private_encrypt(256, in, out, part, RSA_NO_PADDING) == 256 &&
              RSA_public_decrypt(256, out, back, rsa, RSA_NO_PADDING) == 256 && !memcmp(in, back, 256),
          "with wrong exponents");
    ran("verify=1", "with wrong exponents");
    RSA_free(part);
    RSA_free(rsa);

    rsa = new_rsa(1024, 2, 65537, "");
    paddings(rsa, 0, 0, "RSA-1024");
    RSA_free(rsa);
    rsa = new_rsa(2048, 2, 3, "");
    paddings(rsa, private_here, 1, "RSA-2048, e = 3");
    RSA_free(rsa);
    rsa = new_rsa(2048, 3, 65537, "");
    check(RSA_private_encrypt(256, in, out, rsa, RSA_NO_PADDING) == 256 &&
              RSA_public_decrypt(256, out, back, rsa, RSA_NO_PADDING) == 256 && !memcmp(in, back, 256),
          "three primes");
    ran("verify=1", "three primes");
    RSA_free(rsa);
    rsa = RSA_new();
    BN_GENCB_set(cb, one_step, &steps);
    (void)BN_set_word(e, 65537);
    check(RSA_generate_key_ex(rsa, 2048, e, cb) == 1 && steps > 2, "a new key, and its progress");
    check(RSA_generate_key_ex(rsa, 17, e, NULL) == 0, "no key of 17 bits");
    ran("", "a new key, and its progress");
    RSA_free(rsa);
    BN_GENCB_free(cb);
    BN_free(e);
    ERR_clear_error();
}

/* Keys of the provider itself stand on libcrypto's, which have the hooks then, and which libcrypto does not copy for that. */
static void provider_keys(OSSL_LIB_CTX *ctx) {
    static const char *const types[] = {"RSA", "RSA-PSS"};
    for (size_t i = 0; i < 2; i++) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(ctx, types[i], "provider=limbic"), *d = NULL;
        EVP_PKEY *key = NULL, *copy = NULL;
        uint8_t sig[256], in[32] = {7};
        size_t len = sizeof sig;
        check(EVP_PKEY_keygen_init(c) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(c, 2048) == 1 &&
                  EVP_PKEY_keygen(c, &key) == 1 && (copy = EVP_PKEY_dup(key)) != NULL &&
                  EVP_PKEY_eq(key, copy) == 1,
              "%s: a copy of the provider's key", types[i]);
        d = copy ? EVP_PKEY_CTX_new_from_pkey(ctx, copy, "provider=limbic") : NULL;
        check(d && EVP_PKEY_sign_init(d) == 1 && EVP_PKEY_CTX_set_signature_md(d, EVP_sha256()) == 1 &&
                  EVP_PKEY_sign(d, sig, &len, in, 32) == 1 && len == 256,
              "%s: the copy signs", types[i]);
        EVP_PKEY_CTX_free(c);
        EVP_PKEY_CTX_free(d);
        EVP_PKEY_free(key);
        EVP_PKEY_free(copy);
    }
    ran(NULL, "the provider's keys");
}

/* ---- threads, secrets, coming and going ---- */

static EC_KEY *shared_ec[CURVES];
static RSA *shared_rsa;
static atomic_ulong bad;

static void *work(void *arg) {
    const size_t first = (size_t)(uintptr_t)arg;
    for (size_t i = 0; i < 8; i++) {
        EC_KEY *key = shared_ec[(first + i) % CURVES];
        const uint8_t digest[32] = {(uint8_t)i, 2};
        uint8_t sig[512], secret[80];
        unsigned len;
        if (ECDSA_sign(0, digest, 32, sig, &len, key) != 1 ||
            ECDSA_verify(0, digest, 32, sig, (int)len, key) != 1 ||
            ECDH_compute_key(secret, 80, EC_KEY_get0_public_key(key), key, NULL) <= 0 ||
            RSA_sign(NID_sha256, digest, 32, sig, &len, shared_rsa) != 1 ||
            RSA_verify(NID_sha256, digest, 32, sig, len, shared_rsa) != 1)
            atomic_fetch_add(&bad, 1);
    }
    return NULL;
}

static void threads(void) {
    enum { THREADS = 32 };
    pthread_t t[THREADS];
    BIGNUM *e = BN_new();
    (void)BN_set_word(e, 65537);
    for (size_t i = 0; i < CURVES; i++)
        shared_ec[i] = new_ec(curves[i], 1);
    shared_rsa = RSA_new();
    check(RSA_generate_key_ex(shared_rsa, 2048, e, NULL) == 1, "a key for threads");
    ran("keygen=4", "keys for threads");
    for (size_t i = 0; i < THREADS; i++)
        check(pthread_create(&t[i], NULL, work, (void *)(uintptr_t)i) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++)
        (void)pthread_join(t[i], NULL);
    check(atomic_load(&bad) == 0, "threads with the same keys: %lu faults", atomic_load(&bad));
    ran(lanes() ? "sign=512 verify=512 derive=256" : "sign=256 verify=512 derive=256", "threads");
    BN_free(e);
}

/* Half of the private key or of the first prime. */
static void mark(const BIGNUM *secret) {
    uint8_t bytes[256];
    const int n = BN_num_bytes(secret), half = n / 2 & ~7;
    (void)BN_bn2binpad(secret, bytes, n);
    memcpy(needle[0], bytes + n - half, (size_t)half);
    (void)BN_bn2lebinpad(secret, bytes, n);
    memcpy(needle[1], bytes, (size_t)half);
    OPENSSL_cleanse(bytes, sizeof bytes);
    atomic_store(&found, 0);
    needle_len = (size_t)half;
}

static void wiped(void) {
    const uint8_t digest[32] = {3};
    uint8_t sig[256], secret[80];
    unsigned len;
    for (size_t i = 0; i < CURVES; i++) {
        EC_KEY *key = new_ec(curves[i], 1);
        mark(EC_KEY_get0_private_key(key));
        check(ECDSA_sign(0, digest, 32, sig, &len, key) == 1 &&
                  ECDH_compute_key(secret, 80, EC_KEY_get0_public_key(key), key, NULL) > 0,
              "sign and derive");
        EC_KEY_free(key);
        check(atomic_load(&found) == 0, "%s: the private key stays in %lu freed blocks",
              OBJ_nid2sn(curves[i]), atomic_load(&found));
        needle_len = 0;
    }
    ran("keygen=3 sign=3 derive=3", "wiped");
    RSA *rsa = new_rsa(2048, 2, 65537, "keygen=1");
    mark(RSA_get0_p(rsa));
    check(RSA_sign(NID_sha256, digest, 32, sig, &len, rsa) == 1, "sign");
    RSA_free(rsa);
    check(atomic_load(&found) == 0, "RSA: the first prime stays in %lu freed blocks", atomic_load(&found));
    needle_len = 0;
    ran(lanes() ? "sign=1" : "", "wiped");
}

/* A key with OpenSSL's own method, which was made since the hooks were there: what they keep with it is not copied. */
static void copied(void) {
    RSA *rsa = new_rsa(1024, 2, 65537, "");
    EVP_PKEY *key = EVP_PKEY_new(), *copy;
    (void)EVP_PKEY_assign_RSA(key, rsa);
    copy = EVP_PKEY_dup(key);
    EVP_PKEY_free(key);
    check(copy != NULL, "a copy of a key without hooks");
    EVP_PKEY_free(copy);
}

/* The keys of the threads, which have our method. */
static void use(int here, const char *where) {
    const uint8_t digest[32] = {4};
    uint8_t sig[512], secret[80];
    unsigned len;
    for (size_t i = 0; i < CURVES; i++)
        check(ECDSA_sign(0, digest, 32, sig, &len, shared_ec[i]) == 1 &&
                  ECDSA_verify(0, digest, 32, sig, (int)len, shared_ec[i]) == 1 &&
                  ECDH_compute_key(secret, 80, EC_KEY_get0_public_key(shared_ec[i]), shared_ec[i], NULL) > 0,
              "%s: curve %zu", where, i);
    check(RSA_sign(NID_sha256, digest, 32, sig, &len, shared_rsa) == 1 &&
              RSA_verify(NID_sha256, digest, 32, sig, len, shared_rsa) == 1,
          "%s: RSA", where);
    ran(!here ? "" : lanes() ? "sign=4 verify=4 derive=3" : "sign=3 verify=4 derive=3", where);
}

int main(int argc, char **argv) {
    OSSL_LIB_CTX *plain, *a, *b;
    EC_KEY *old_ec;
    EC_KEY_METHOD *stranger;
    void *handle;
    if (argc != 2 || CRYPTO_set_mem_functions(seen_malloc, seen_realloc, seen_free) != 1) {
        (void)printf("usage: provider_hooks MODULE\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    module = argv[1];
    plain = context(NULL, 1);
    limbic = OSSL_PROVIDER_load(plain, "limbic"); /* one without hooks */
    if (!check(limbic != NULL, "the provider loads"))
        return closing();
    check(!hooked(), "no hooks unless asked for");
    old_ec = new_ec(curves[0], 1);
    OSSL_LIB_CTX_free(context("no", 1));
    OSSL_LIB_CTX_free(context("perhaps", 0));
    check(!hooked(), "no hooks when refused");
    ran("", "without hooks");

    a = context("yes", 1);
    check(hooked(), "hooks");
    b = context("on", 1);
    OSSL_LIB_CTX_free(b);
    check(hooked(), "hooks, as one of two goes");
    for (size_t i = 0; i < CURVES; i++) {
        both_ways(curves[i], 1);
        odd_ec(curves[i]);
    }
    both_ways(NID_secp256k1, 0);
    both_ways(NID_brainpoolP256r1, 0);
    both_ways(NID_secp224r1, 0);
    rsa_keys();
    threads();
    wiped();
    use(1, "with hooks");

    OSSL_LIB_CTX_free(a);
    check(!hooked(), "the hooks are gone");
    use(0, "keys that outlive the hooks");
    copied();
    a = context("yes", 1);
    provider_keys(a);
    use(1, "keys from before, and hooks again");
    /* A method that comes later stays. */
    stranger = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    EC_KEY_set_default_method(stranger);
    OSSL_LIB_CTX_free(a);
    check(EC_KEY_get_default_method() == stranger, "the method that came later stays");
    EC_KEY_set_default_method(NULL);
    EC_KEY_METHOD_free(stranger);

    (void)OSSL_PROVIDER_unload(limbic);
    OSSL_LIB_CTX_free(plain);
    handle = dlopen(module, RTLD_LAZY | RTLD_NOLOAD);
    check(handle != NULL, "the module stays in memory");
    for (size_t i = 0; i < CURVES; i++)
        EC_KEY_free(shared_ec[i]);
    RSA_free(shared_rsa);
    EC_KEY_free(old_ec);
    return closing();
}
