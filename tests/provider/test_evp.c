/*
 * The provider through EVP, beside the default provider: provider_evp FOLDER_OF_LIMBIC.SO FOLDER_OF_THE_BROKEN_ONE. Two library contexts: `ours` has both providers and prefers
 * limbic, `plain` has the default one alone. Memory that libcrypto and the provider free is searched for the private keys that are marked.
 */
#define _GNU_SOURCE /* memmem */
#include "limbic/ec.h"
#include "limbic/limbic.h"
#include "tests/provider/shared.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *folder;
static OSSL_LIB_CTX *ours, *plain;

static const struct {
    const char *name, *type;
    size_t bytes, digest;
} curves[] = {
    {"P-256", "EC", 32, 32}, {"P-384", "EC", 48, 48}, {"P-521", "EC", 66, 64}, {"SM2", "SM2", 32, 32}};
enum { CURVES = 4, SM2 = 3 };

/* ---- tools ---- */

static int of_limbic(const EVP_PKEY *key) {
    const OSSL_PROVIDER *p = EVP_PKEY_get0_provider(key);
    return p && strcmp(OSSL_PROVIDER_get0_name(p), "limbic") == 0;
}

static EVP_PKEY *make(OSSL_LIB_CTX *ctx, size_t curve) {
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(ctx, curves[curve].type, NULL);
    EVP_PKEY *key = NULL;
    if (c && EVP_PKEY_keygen_init(c) == 1 &&
        (curve == SM2 || EVP_PKEY_CTX_set_group_name(c, curves[curve].name) == 1))
        (void)EVP_PKEY_keygen(c, &key);
    EVP_PKEY_CTX_free(c);
    check(key != NULL, "keygen %s", curves[curve].name);
    return key;
}

/* The same key, or its public part, in another context. */
static EVP_PKEY *move(EVP_PKEY *key, OSSL_LIB_CTX *to, const char *type, int selection) {
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = NULL;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(to, type, NULL);
    if (EVP_PKEY_todata(key, selection, &params) == 1 && c && EVP_PKEY_fromdata_init(c) == 1)
        (void)EVP_PKEY_fromdata(c, &copy, selection, params);
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(c);
    check(copy != NULL, "a key of type %s from one context to the other", type);
    return copy;
}

static int sign_raw(OSSL_LIB_CTX *ctx, EVP_PKEY *key, const uint8_t *tbs, size_t n, uint8_t *sig,
                    size_t *sig_len) {
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    int ok = c && EVP_PKEY_sign_init(c) == 1 && EVP_PKEY_sign(c, sig, sig_len, tbs, n) == 1;
    EVP_PKEY_CTX_free(c);
    return ok;
}

static int verify_raw(OSSL_LIB_CTX *ctx, EVP_PKEY *key, const uint8_t *tbs, size_t n, const uint8_t *sig,
                      size_t sig_len) {
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    int ok = c && EVP_PKEY_verify_init(c) == 1 && EVP_PKEY_verify(c, sig, sig_len, tbs, n) == 1;
    EVP_PKEY_CTX_free(c);
    return ok;
}

/* A message in two pieces; id NULL: none is set. */
static int sign_message(EVP_MD_CTX *m, OSSL_LIB_CTX *ctx, EVP_PKEY *key, const char *digest, const char *id,
                        size_t id_len, const char *text, uint8_t *sig, size_t *sig_len) {
    EVP_PKEY_CTX *c = NULL;
    return EVP_DigestSignInit_ex(m, &c, digest, ctx, NULL, key, NULL) == 1 &&
           (!id || EVP_PKEY_CTX_set1_id(c, id, (int)id_len) == 1) && EVP_DigestSignUpdate(m, text, 3) == 1 &&
           EVP_DigestSignUpdate(m, text + 3, strlen(text) - 3) == 1 &&
           EVP_DigestSignFinal(m, sig, sig_len) == 1;
}

static int verify_message(EVP_MD_CTX *m, OSSL_LIB_CTX *ctx, EVP_PKEY *key, const char *digest, const char *id,
                          size_t id_len, const char *text, const uint8_t *sig, size_t sig_len) {
    EVP_PKEY_CTX *c = NULL;
    return EVP_DigestVerifyInit_ex(m, &c, digest, ctx, NULL, key, NULL) == 1 &&
           (!id || EVP_PKEY_CTX_set1_id(c, id, (int)id_len) == 1) &&
           EVP_DigestVerify(m, sig, sig_len, (const uint8_t *)text, strlen(text)) == 1;
}

static int derive(OSSL_LIB_CTX *ctx, EVP_PKEY *key, EVP_PKEY *peer, uint8_t *secret, size_t *n) {
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    int ok = c && EVP_PKEY_derive_init(c) == 1 && EVP_PKEY_derive_set_peer(c, peer) == 1 &&
             EVP_PKEY_derive(c, secret, n) == 1;
    EVP_PKEY_CTX_free(c);
    return ok;
}

/* ---- both directions ---- */

static void directions(size_t curve) {
    const char *name = curves[curve].name, *type = curves[curve].type;
    EVP_PKEY *key = make(ours, curve), *theirs = make(plain, curve);
    EVP_PKEY *key_there = move(key, plain, type, EVP_PKEY_KEYPAIR);
    EVP_PKEY *theirs_here = move(theirs, ours, type, EVP_PKEY_KEYPAIR);
    uint8_t tbs[150], sig[160], a[80], b[80];
    unsigned long long before;

    check(of_limbic(key) && of_limbic(theirs_here) && !of_limbic(theirs) && !of_limbic(key_there),
          "%s: keys of the right providers", name);
    check(EVP_PKEY_eq(key, key_there) == 1 && EVP_PKEY_eq(key, theirs_here) != 1, "%s: keys compared", name);
    memset(tbs, 0xff, sizeof tbs); /* above the order */
    for (size_t n = 0; n <= sizeof tbs; n += curve == SM2 ? 32 : 1) {
        const int right = curve != SM2 || n == 32;
        size_t len = sizeof sig;
        before = count("sign");
        check(sign_raw(ours, key, tbs, n, sig, &len) == right && count("sign") - before == (unsigned)right,
              "%s: sign %zu bytes", name, n);
        if (right) {
            check(verify_raw(plain, key_there, tbs, n, sig, len), "%s: they verify %zu bytes", name, n);
            len = sizeof sig;
            check(sign_raw(plain, theirs, tbs, n, sig, &len), "%s: they sign %zu bytes", name, n);
            before = count("verify");
            check(verify_raw(ours, theirs_here, tbs, n, sig, len) && count("verify") == before + 1,
                  "%s: verify %zu bytes", name, n);
            check(!verify_raw(ours, key, tbs, n, sig, len), "%s: not by another key", name);
        }
        if (n)
            tbs[n - 1] = (uint8_t)(n * 37);
    }
    for (int i = 0; i < 2 && curve == SM2; i++) {
        size_t n = sizeof a;
        check(!derive(i ? plain : ours, i ? key_there : key, i ? key_there : key, a, &n),
              "SM2: no ECDH with keys of this type, ours or theirs");
    }
    for (int i = 0; i < 2 && curve != SM2; i++) {
        size_t n = sizeof a, m = sizeof b;
        before = count("derive");
        check(derive(ours, i ? key : theirs_here, i ? theirs_here : key, a, &n) && n == curves[curve].bytes &&
                  count("derive") == before + 1,
              "%s: derive", name);
        check(derive(plain, i ? theirs : key_there, i ? key_there : theirs, b, &m) && m == n &&
                  !memcmp(a, b, n),
              "%s: derive the same", name);
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(theirs);
    EVP_PKEY_free(key_there);
    EVP_PKEY_free(theirs_here);
}

/* Every parameter that the default provider tells, alike. */
static void parameters(size_t curve) {
    static const char *const names[] = {"bits",
                                        "security-bits",
                                        "max-size",
                                        "default-digest",
                                        "group",
                                        "encoding",
                                        "point-format",
                                        "use-cofactor-flag",
                                        "decoded-from-explicit",
                                        "field-type",
                                        "p",
                                        "a",
                                        "b",
                                        "generator",
                                        "order",
                                        "cofactor",
                                        "pub",
                                        "priv",
                                        "qx",
                                        "qy",
                                        "encoded-pub-key",
                                        "include-public",
                                        "group-check"};
    EVP_PKEY *key = make(ours, curve), *there = move(key, plain, curves[curve].type, EVP_PKEY_KEYPAIR);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const OSSL_PARAM *can = OSSL_PARAM_locate_const(EVP_PKEY_gettable_params(there), names[i]);
        uint8_t x[2][200];
        size_t len[2] = {0};
        if (!can) /* what it gives without naming it */
            continue;
        for (int k = 0; k < 2; k++) {
            OSSL_PARAM p[2] = {{names[i], can->data_type, x[k], sizeof x[k], OSSL_PARAM_UNMODIFIED},
                               OSSL_PARAM_END};
            if (curve == SM2 && names[i][0] == 'q') /* named as bytes, given as a number */
                p[0].data_type = OSSL_PARAM_UNSIGNED_INTEGER;
            if (can->data_type == OSSL_PARAM_INTEGER)
                p[0].data_size = 4;
            memset(x[k], 0, sizeof x[k]);
            if (EVP_PKEY_get_params(k ? there : key, p) == 1)
                len[k] = p[0].return_size;
        }
        check(len[0] == len[1] && !memcmp(x[0], x[1], sizeof x[0]), "%s: parameter %s (%zu and %zu bytes)",
              curves[curve].name, names[i], len[0], len[1]);
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(there);
}

/* The curve's numbers and the key's in one call. */
static void mixed_parameters(size_t curve) {
    EVP_PKEY *key = make(ours, curve);
    uint8_t p[80], point[140], d[80];
    OSSL_PARAM params[] = {OSSL_PARAM_octet_string("encoded-pub-key", point, sizeof point),
                           OSSL_PARAM_BN("p", p, sizeof p), OSSL_PARAM_BN("priv", d, sizeof d),
                           OSSL_PARAM_END};
    ERR_clear_error();
    check(EVP_PKEY_get_params(key, params) == 1 && params[0].return_size == 1 + 2 * curves[curve].bytes &&
              params[1].return_size == sizeof p && p[sizeof p - 1] == 0 && p[0] == 0xff &&
              params[2].return_size == curves[curve].bytes && ERR_peek_error() == 0,
          "%s: parameters of the curve and of the key at once", curves[curve].name);
    EVP_PKEY_free(key);
}

/* The AlgorithmIdentifier of each digest that the default provider has, which certificates are signed with. */
static void identify(EVP_MD *md, void *arg) {
    EVP_PKEY **keys = arg; /* two of ours, two of theirs */
    const char *name = EVP_MD_get0_name(md);
    if (EVP_MD_get_size(md) <= 0) /* NULL, which version 3.0 signs with */
        return;
    for (size_t i = 0; i < 2; i++) {
        uint8_t id[2][100];
        size_t len[2] = {0};
        int ok[2];
        for (size_t k = 0; k < 2; k++) {
            EVP_MD_CTX *m = EVP_MD_CTX_new();
            EVP_PKEY_CTX *c = NULL;
            OSSL_PARAM ask[] = {OSSL_PARAM_octet_string("algorithm-id", id[k], sizeof id[k]), OSSL_PARAM_END};
            ok[k] = EVP_DigestSignInit_ex(m, &c, name, k ? plain : ours, NULL, keys[2 * k + i], NULL) == 1;
            if (ok[k] && EVP_PKEY_CTX_get_params(c, ask) == 1)
                len[k] = ask[0].return_size;
            EVP_MD_CTX_free(m);
        }
        check(ok[0] == ok[1] && len[0] == len[1] && !memcmp(id[0], id[1], len[0]),
              "key %zu: the identifier of signatures with %s: %d, %zu bytes; theirs %d, %zu", i, name, ok[0],
              len[0], ok[1], len[1]);
    }
    ERR_clear_error();
}

static void identifiers(void) {
    EVP_PKEY *keys[4] = {make(ours, 0), make(ours, SM2)};
    keys[2] = move(keys[0], plain, "EC", EVP_PKEY_KEYPAIR);
    keys[3] = move(keys[1], plain, "SM2", EVP_PKEY_KEYPAIR);
    EVP_MD_do_all_provided(plain, identify, keys);
    for (size_t i = 0; i < 4; i++)
        EVP_PKEY_free(keys[i]);
}

/* A key made from a seed (RFC 9180, from version 3.2 on) that is set by a call of its own, after or before the curve. */
static void seeded(void) {
    uint8_t seed[66] = {7};
    EVP_PKEY *key[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(i == 2 ? plain : ours, "EC", NULL);
        OSSL_PARAM params[] = {OSSL_PARAM_octet_string("dhkem-ikm", seed, sizeof seed), OSSL_PARAM_END};
        check(EVP_PKEY_keygen_init(c) == 1 && (i != 1 || EVP_PKEY_CTX_set_params(c, params) == 1) &&
                  EVP_PKEY_CTX_set_group_name(c, "P-384") == 1 &&
                  (i == 1 || EVP_PKEY_CTX_set_params(c, params) == 1) && EVP_PKEY_keygen(c, &key[i]) == 1,
              "a key from a seed, %d", i);
        EVP_PKEY_CTX_free(c);
    }
    if (OPENSSL_version_major() == 3 && OPENSSL_version_minor() < 2)
        (void)printf("skipped: keys from a seed: libcrypto has none before version 3.2\n");
    else
        check(EVP_PKEY_eq(key[0], key[2]) == 1 && EVP_PKEY_eq(key[1], key[2]) == 1,
              "the same key from a seed");
    for (int i = 0; i < 3; i++)
        EVP_PKEY_free(key[i]);
}

/* A curve that is given by its numbers is the one that they are: with a peer of that name, too. */
static void explicit_curve(size_t curve) {
    static const char *const names[] = {"field-type", "p",        "a",   "b",   "generator",
                                        "order",      "cofactor", "pub", "priv"};
    EVP_PKEY *named = make(plain, curve), *key[2] = {NULL}, *peer = make(ours, curve);
    OSSL_PARAM *all = NULL, params[sizeof names / sizeof *names + 1];
    uint8_t secret[2][80], numbers[sizeof names / sizeof *names][200];
    size_t n[2] = {80, 80}, k = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const OSSL_PARAM *type = OSSL_PARAM_locate_const(EVP_PKEY_gettable_params(named), names[i]);
        OSSL_PARAM p[] = {{names[i], type->data_type, numbers[i], sizeof numbers[i], OSSL_PARAM_UNMODIFIED},
                          OSSL_PARAM_END};
        if (EVP_PKEY_get_params(named, p) == 1) {
            p[0].data_size = p[0].return_size;
            params[k++] = p[0];
        }
    }
    params[k] = OSSL_PARAM_construct_end();
    OSSL_PARAM_free(all);
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(i ? plain : ours, "EC", NULL);
        char encoding[16] = "";
        check(EVP_PKEY_fromdata_init(c) == 1 && EVP_PKEY_fromdata(c, &key[i], EVP_PKEY_KEYPAIR, params) == 1,
              "%s by its numbers", curves[curve].name);
        check(EVP_PKEY_get_utf8_string_param(key[i], "encoding", encoding, sizeof encoding, NULL) == 1 &&
                  !strcmp(encoding, "explicit"),
              "%s by its numbers: encoding %s", curves[curve].name, encoding);
        check(derive(i ? plain : ours, key[i], peer, secret[i], &n[i]), "%s by its numbers: ECDH",
              curves[curve].name);
        EVP_PKEY_CTX_free(c);
    }
    check(n[0] == n[1] && !memcmp(secret[0], secret[1], n[0]), "%s by its numbers: the same secret",
          curves[curve].name);
    check(derive(ours, peer, key[0], secret[1], &n[1]) && !memcmp(secret[0], secret[1], n[0]),
          "%s by its numbers: as a peer", curves[curve].name);
    EVP_PKEY_free(named);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key[0]);
    EVP_PKEY_free(key[1]);
}

/* ---- one context, several keys, digests and IDs; copies ---- */

/* From version 4 on, EVP_PKEY_CTX_set1_id takes no empty one. */
static int takes_empty_id(void) {
    return OPENSSL_version_major() < 4;
}

/* libcrypto takes a context's other key after a reset alone; other digests and IDs at any time. */
static void reused(void) {
    static const char *const ids[] = {"Alice", "", "1234567812345678", "Bob"};
    static const char *const digests[] = {"SHA256", "SHA3-512", "SHA1", "SHA512"};
    EVP_MD_CTX *m = EVP_MD_CTX_new(), *v = EVP_MD_CTX_new(), *w = EVP_MD_CTX_new();
    for (size_t i = 0; i < 12; i++) {
        const size_t curve = i % CURVES;
        EVP_PKEY *key = make(ours, curve), *there = move(key, plain, curves[curve].type, EVP_PKEY_PUBLIC_KEY);
        for (int j = -1; j < 4; j++) { /* at first, no ID */
            const char *id = curve == SM2 && j >= 0 ? ids[j] : NULL,
                       *digest = curve == SM2 ? "SM3" : digests[j & 3];
            const size_t id_len = id ? strlen(id) : 0;
            uint8_t sig[160];
            size_t len = sizeof sig;
            if (id && !id_len && !takes_empty_id())
                continue;
            check(sign_message(m, ours, key, digest, id, id_len, "a message", sig, &len),
                  "reused: sign %zu %d", i, j);
            check(verify_message(v, plain, there, digest, id, id_len, "a message", sig, len),
                  "reused: they verify %zu %d", i, j);
            check(verify_message(w, ours, key, digest, id, id_len, "a message", sig, len),
                  "reused: verify %zu %d", i, j);
            check(!verify_message(w, ours, key, digest, id, id_len, "a messagf", sig, len),
                  "reused: another message %zu %d", i, j);
        }
        EVP_PKEY_free(key);
        EVP_PKEY_free(there);
        EVP_MD_CTX_reset(m);
        EVP_MD_CTX_reset(v);
        EVP_MD_CTX_reset(w);
    }
    EVP_MD_CTX_free(m);
    EVP_MD_CTX_free(v);
    EVP_MD_CTX_free(w);
}

/* One key under several IDs: what is kept of the first must not serve the others. */
static void ids(void) {
    static char longest[8192];
    EVP_PKEY *key = make(ours, SM2), *there = move(key, plain, "SM2", EVP_PKEY_KEYPAIR);
    EVP_MD_CTX *m = EVP_MD_CTX_new();
    EVP_PKEY_CTX *c = NULL;
    uint8_t sig[80];
    memset(longest, 'x', sizeof longest);
    for (int i = 0; i < 8; i++) {
        const char *id = i == 7 ? longest : i % 2 ? "first" : "other";
        const size_t n = i == 7 ? 8190 : i == 3 && takes_empty_id() ? 0 : strlen(id);
        size_t len = sizeof sig;
        check(sign_message(m, ours, key, "SM3", id, n, "text", sig, &len), "ID %d: sign", i);
        EVP_MD_CTX_reset(m);
        /* the default provider's limit is 8190 bytes, one below ours */
        check(verify_message(m, plain, there, "SM3", id, n, "text", sig, len), "ID %d: they verify", i);
        EVP_MD_CTX_reset(m);
        len = sizeof sig;
        check(sign_message(m, plain, there, "SM3", id, n, "text", sig, &len), "ID %d: they sign", i);
        EVP_MD_CTX_reset(m);
        check(verify_message(m, ours, key, "SM3", id, n, "text", sig, len), "ID %d: verify", i);
        EVP_MD_CTX_reset(m);
        check(!verify_message(m, ours, key, "SM3", "third", 5, "text", sig, len), "ID %d: not under another",
              i);
        EVP_MD_CTX_reset(m);
    }
    check(EVP_DigestSignInit_ex(m, &c, "SM3", ours, NULL, key, NULL) == 1 &&
              EVP_PKEY_CTX_set1_id(c, longest, 8192) != 1,
          "an ID that is too long");
    check(EVP_PKEY_CTX_set1_id(c, longest, 8191) == 1, "the longest ID");
    check(EVP_PKEY_CTX_set1_id(c, "ok", 2) == 1 && EVP_DigestSignUpdate(m, "x", 1) == 1 &&
              EVP_PKEY_CTX_set1_id(c, "late", 4) != 1 && ERR_peek_last_error() != 0,
          "an ID after the message's first bytes");
    ERR_clear_error();
    EVP_MD_CTX_reset(m);
    check(EVP_DigestSignInit_ex(m, &c, "SHA512", ours, NULL, key, NULL) != 1, "SM2 with SHA-512");
    EVP_MD_CTX_free(m);
    EVP_PKEY_free(key);
    EVP_PKEY_free(there);
}

static void copies(size_t curve) {
    const char *name = curves[curve].name, *digest = curve == SM2 ? "SM3" : "SHA384";
    EVP_PKEY *key = make(ours, curve), *twin = EVP_PKEY_dup(key);
    EVP_MD_CTX *m = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    EVP_PKEY_CTX *c = NULL, *d = NULL;
    uint8_t sig[2][160], secret[2][80];
    size_t len[2] = {160, 160}, n[2] = {80, 80};
    check(twin && of_limbic(twin) && EVP_PKEY_eq(key, twin) == 1, "%s: copy of a key", name);
    check(EVP_DigestSignInit_ex(m, &c, digest, ours, NULL, key, NULL) == 1 &&
              (curve != SM2 || EVP_PKEY_CTX_set1_id(c, "id", 2) == 1) &&
              EVP_DigestSignUpdate(m, "one", 3) == 1 && EVP_MD_CTX_copy_ex(copy, m) == 1 &&
              EVP_DigestSignUpdate(m, " two", 4) == 1 && EVP_DigestSignUpdate(copy, " three", 6) == 1 &&
              EVP_DigestSignFinal(m, sig[0], &len[0]) == 1 && EVP_DigestSignFinal(copy, sig[1], &len[1]) == 1,
          "%s: a context copied within a message", name);
    EVP_PKEY_free(key); /* the copies live on */
    EVP_MD_CTX_reset(m);
    EVP_MD_CTX_reset(copy);
    check(verify_message(m, ours, twin, digest, curve == SM2 ? "id" : NULL, 2, "one two", sig[0], len[0]) &&
              verify_message(copy, ours, twin, digest, curve == SM2 ? "id" : NULL, 2, "one three", sig[1],
                             len[1]),
          "%s: both go on by themselves", name);
    key = make(plain, curve);
    c = EVP_PKEY_CTX_new_from_pkey(ours, twin, NULL);
    check(curve == SM2 ||
              (c && EVP_PKEY_derive_init(c) == 1 &&
               EVP_PKEY_CTX_set_ecdh_kdf_type(c, EVP_PKEY_ECDH_KDF_X9_63) == 1 &&
               EVP_PKEY_CTX_set_ecdh_kdf_md(c, EVP_sha256()) == 1 &&
               EVP_PKEY_CTX_set_ecdh_kdf_outlen(c, 50) == 1 &&
               EVP_PKEY_CTX_set0_ecdh_kdf_ukm(c, (unsigned char *)OPENSSL_strdup("ukm"), 3) == 1 &&
               EVP_PKEY_derive_set_peer(c, key) == 1 && (d = EVP_PKEY_CTX_dup(c)) != NULL),
          "%s: a copied exchange", name);
    if (d) {
        check(EVP_PKEY_derive(c, secret[0], &n[0]) == 1 && EVP_PKEY_derive(d, secret[1], &n[1]) == 1 &&
                  n[0] == 50 && n[1] == 50 && !memcmp(secret[0], secret[1], 50),
              "%s: two copies derive alike", name);
        n[0] = 49;
        check(EVP_PKEY_derive(c, secret[0], &n[0]) != 1, "%s: no room for the derived key", name);
    }
    EVP_PKEY_CTX_free(c);
    EVP_PKEY_CTX_free(d);
    EVP_PKEY_free(key);
    EVP_PKEY_free(twin);
    EVP_MD_CTX_free(m);
    EVP_MD_CTX_free(copy);
}

/* ---- what is refused ---- */

static EVP_PKEY *from_data(OSSL_LIB_CTX *ctx, size_t curve, const uint8_t *pub, size_t pub_len,
                           const uint8_t *priv, size_t priv_len) {
    OSSL_PARAM_BLD *b = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(ctx, curves[curve].type, NULL);
    BIGNUM *d = priv ? BN_bin2bn(priv, (int)priv_len, NULL) : NULL;
    OSSL_PARAM *params;
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD_push_utf8_string(b, "group", curves[curve].name, 0);
    if (pub)
        OSSL_PARAM_BLD_push_octet_string(b, "pub", pub, pub_len);
    if (d)
        OSSL_PARAM_BLD_push_BN(b, "priv", d);
    params = OSSL_PARAM_BLD_to_param(b);
    if (EVP_PKEY_fromdata_init(c) == 1)
        (void)EVP_PKEY_fromdata(c, &key, EVP_PKEY_KEYPAIR, params);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(b);
    BN_free(d);
    EVP_PKEY_CTX_free(c);
    return key;
}

static void expect_no_key(size_t curve, const uint8_t *pub, size_t pub_len, const uint8_t *priv,
                          size_t priv_len, const char *what) {
    EVP_PKEY *key;
    ERR_clear_error();
    key = from_data(ours, curve, pub, pub_len, priv, priv_len);
    check(!key, "%s: %s", curves[curve].name, what);
    check(ERR_peek_error() != 0, "%s: %s: an error is raised", curves[curve].name, what);
    EVP_PKEY_free(key);
}

static void refused_keys(size_t curve) {
    const size_t n = curves[curve].bytes;
    EVP_PKEY *key = make(ours, curve), *other, *params = EVP_PKEY_new();
    uint8_t q[140], x[140], order[66];
    size_t len = 0, order_len = 0;
    BIGNUM *bn = NULL;
    EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", q, sizeof q, &len);
    check(len == 1 + 2 * n, "%s: encoded key", curves[curve].name);
    EVP_PKEY_get_bn_param(key, "order", &bn);
    order_len = n;
    BN_bn2binpad(bn, order, (int)n);
    BN_free(bn);

    memcpy(x, q, len);
    x[len - 1] ^= 1;
    expect_no_key(curve, x, len, NULL, 0, "a point off the curve");
    memset(x, 0xff, len);
    x[0] = 4;
    expect_no_key(curve, x, len, NULL, 0, "coordinates above the prime");
    memset(x, 0, len);
    expect_no_key(curve, x, 1, NULL, 0, "infinity");
    x[0] = 4;
    expect_no_key(curve, x, len, NULL, 0, "(0, 0)");
    expect_no_key(curve, q, len - 1, NULL, 0, "a point one byte short");
    memcpy(x, q, len);
    x[len] = 0;
    expect_no_key(curve, x, len + 1, NULL, 0, "a point one byte long");
    x[0] = 5;
    expect_no_key(curve, x, len, NULL, 0, "a point of form 5");
    x[0] = (uint8_t)(7 - (q[len - 1] & 1));
    expect_no_key(curve, x, len, NULL, 0, "a hybrid point with the wrong last bit");
    x[0] ^= 1;
    other = from_data(ours, curve, x, len, NULL, 0);
    check(other && EVP_PKEY_eq(key, other) == 1, "%s: a hybrid point", curves[curve].name);
    EVP_PKEY_free(other);
    x[0] = 2 | (q[len - 1] & 1);
    other = from_data(ours, curve, x, 1 + n, NULL, 0);
    check(other && EVP_PKEY_eq(key, other) == 1, "%s: a compressed point", curves[curve].name);
    EVP_PKEY_free(other);

    memset(x, 0, sizeof x);
    expect_no_key(curve, q, len, x, n, "the private key 0");
    expect_no_key(curve, q, len, order, order_len, "the order as private key");
    memset(x, 0xff, sizeof x);
    expect_no_key(curve, q, len, x, n + 7, "a private key that is too long");
    memset(x, 0, sizeof x);
    x[0] = x[n] = 1;
    expect_no_key(curve, q, len, x, n + 1, "a private key that is too long by its first byte");
    if (curve == SM2) {
        memcpy(x, order, n);
        x[n - 1]--;
        expect_no_key(curve, q, len, x, n, "the order less 1 as private key");
    }
    /* A private key of another pair is taken, as by the default provider, and found out by a check. */
    memset(x, 0, sizeof x);
    x[n - 1] = 3;
    other = from_data(ours, curve, q, len, x, n);
    if (check(other != NULL, "%s: a pair that is none", curves[curve].name)) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ours, other, NULL);
        check(EVP_PKEY_pairwise_check(c) != 1 && EVP_PKEY_private_check(c) == 1 &&
                  EVP_PKEY_public_check(c) == 1,
              "%s: the check of such a pair", curves[curve].name);
        EVP_PKEY_CTX_free(c);
    }
    EVP_PKEY_free(other);
    /* As TLS does with the other side's share. */
    memcpy(x, q, len);
    check(EVP_PKEY_copy_parameters(params, key) == 1 && EVP_PKEY_set1_encoded_public_key(params, x, len) == 1,
          "%s: an encoded key is set", curves[curve].name);
    x[1] ^= 1;
    check(EVP_PKEY_set1_encoded_public_key(params, x, len) != 1, "%s: one off the curve is not",
          curves[curve].name);
    EVP_PKEY_free(params);
    EVP_PKEY_free(key);
    ERR_clear_error();
}

static void refused_signatures(size_t curve) {
    EVP_PKEY *key = make(ours, curve);
    const size_t most = (size_t)EVP_PKEY_get_size(key);
    uint8_t tbs[64] = {1, 2, 3}, sig[200], bad[200], zeros[] = {0x30, 6, 2, 1, 0, 2, 1, 0},
            ones[] = {0x30, 6, 2, 1, 1, 2, 1, 1}, negative[] = {0x30, 6, 2, 1, 0xff, 2, 1, 1};
    const size_t n = curves[curve].digest;
    size_t len = most - 1, full;
    memset(sig, 0xaa, sizeof sig);
    check(!sign_raw(ours, key, tbs, n, sig, &len) && sig[0] == 0xaa,
          "%s: no room for a signature, none written", curves[curve].name);
    len = 0;
    check(sign_raw(ours, key, tbs, n, NULL, &len) && len == most, "%s: the length of a signature",
          curves[curve].name);
    len = most;
    check(sign_raw(ours, key, tbs, n, sig, &len) && verify_raw(ours, key, tbs, n, sig, len), "%s: exact room",
          curves[curve].name);
    full = len;
    check(!verify_raw(ours, key, tbs, n, sig, 0), "%s: empty signature", curves[curve].name);
    for (size_t cut = 1; cut < full; cut++)
        if (verify_raw(ours, key, tbs, n, sig, full - cut)) {
            check(0, "%s: signature cut by %zu", curves[curve].name, cut);
            break;
        }
    memcpy(bad, sig, full);
    bad[full] = 0;
    check(!verify_raw(ours, key, tbs, n, bad, full + 1), "%s: trailing byte", curves[curve].name);
    for (size_t i = 0; i < full; i++) {
        bad[i] ^= 0x80;
        if (verify_raw(ours, key, tbs, n, bad, full))
            check(0, "%s: signature changed at %zu", curves[curve].name, i);
        bad[i] ^= 0x80;
    }
    check(!verify_raw(ours, key, tbs, n, zeros, sizeof zeros) &&
              !verify_raw(ours, key, tbs, n, ones, sizeof ones) &&
              !verify_raw(ours, key, tbs, n, negative, sizeof negative),
          "%s: r and s of 0, 1, -1", curves[curve].name);
    len = most;
    check(!sign_raw(ours, key, tbs, n + (curve == SM2), sig, &len) == (curve == SM2),
          "%s: length of a digest", curves[curve].name);
    EVP_PKEY_free(key);
    ERR_clear_error();
}

/* What a caller gets for a signature, as a digest's and as a message's, and whether it leaves an error in the queue. */
static void ask(OSSL_LIB_CTX *ctx, EVP_PKEY *key, size_t curve, const uint8_t *sig, size_t n,
                int answers[4]) {
    uint8_t text[66] = {1};
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    EVP_MD_CTX *m = EVP_MD_CTX_new();
    ERR_clear_error();
    check(EVP_PKEY_verify_init(c) == 1, "%s: answers", curves[curve].name);
    answers[0] = EVP_PKEY_verify(c, sig, n, text, curves[curve].digest);
    answers[1] = ERR_peek_error() != 0;
    ERR_clear_error();
    check(EVP_DigestVerifyInit_ex(m, NULL, curve == SM2 ? "SM3" : "SHA256", ctx, NULL, key, NULL) == 1,
          "%s: answers", curves[curve].name);
    answers[2] = EVP_DigestVerify(m, sig, n, text, sizeof text);
    answers[3] = ERR_peek_error() != 0;
    ERR_clear_error();
    EVP_PKEY_CTX_free(c);
    EVP_MD_CTX_free(m);
}

/* No signature of the text: the answers are the default provider's. */
static void answers(size_t curve) {
    static const struct {
        const char *what;
        size_t n;
        uint8_t sig[16];
    } cases[] = {
        {"a well-formed one", 8, {0x30, 6, 2, 1, 1, 2, 1, 1}},
        {"zeros", 8, {0x30, 6, 2, 1, 0, 2, 1, 0}},
        {"a negative number", 8, {0x30, 6, 2, 1, 0xff, 2, 1, 1}},
        {"a zero before a number", 9, {0x30, 7, 2, 2, 0, 1, 2, 1, 1}},
        {"a number without bytes", 7, {0x30, 5, 2, 0, 2, 1, 1}},
        {"a trailing byte", 9, {0x30, 6, 2, 1, 1, 2, 1, 1, 0}},
        {"a trailing number", 11, {0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1}},
        {"a length of two bytes", 9, {0x30, 0x81, 6, 2, 1, 1, 2, 1, 1}},
        {"a cut one", 7, {0x30, 6, 2, 1, 1, 2, 1}},
        {"a set", 8, {0x31, 6, 2, 1, 1, 2, 1, 1}},
    };
    EVP_PKEY *key = make(ours, curve), *there = move(key, plain, curves[curve].type, EVP_PKEY_KEYPAIR);
    const size_t n = curves[curve].bytes + 1, small = sizeof cases / sizeof *cases;
    uint8_t big[200] = {0x30, (uint8_t)(5 + n), 2, (uint8_t)n,
                        1}; /* r of one byte more than the order, s = 1 */
    memcpy(big + 4 + n, (const uint8_t[]){2, 1, 1}, 3);
    for (size_t i = 0; i <= small; i++) {
        const uint8_t *sig = i < small ? cases[i].sig : big;
        size_t len = i < small ? cases[i].n : 7 + n;
        int a[4], b[4];
        ask(ours, key, curve, sig, len, a);
        ask(plain, there, curve, sig, len, b);
        check(!memcmp(a, b, sizeof a), "%s: %s: answers %d %d %d %d, theirs %d %d %d %d", curves[curve].name,
              i < small ? cases[i].what : "a number above the order", a[0], a[1], a[2], a[3], b[0], b[1],
              b[2], b[3]);
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(there);
}

static int crypt_sm2(OSSL_LIB_CTX *ctx, EVP_PKEY *key, int encrypt, const uint8_t *in, size_t n, uint8_t *out,
                     size_t *len) {
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    int ok = encrypt ? EVP_PKEY_encrypt_init(c) == 1 && EVP_PKEY_encrypt(c, out, len, in, n) == 1
                     : EVP_PKEY_decrypt_init(c) == 1 && EVP_PKEY_decrypt(c, out, len, in, n) == 1;
    EVP_PKEY_CTX_free(c);
    return ok;
}

static void encryption(void) {
    EVP_PKEY *key = make(ours, SM2), *there = move(key, plain, "SM2", EVP_PKEY_KEYPAIR);
    EVP_PKEY *public_key = move(key, ours, "SM2", EVP_PKEY_PUBLIC_KEY);
    uint8_t msg[300], sealed[600], back[300];
    size_t n, len;
    for (size_t i = 0; i < sizeof msg; i++)
        msg[i] = (uint8_t)(i * i);
    for (size_t size = 1; size <= sizeof msg; size += size < 70 ? 1 : 23) {
        unsigned long long before = count("encrypt");
        n = sizeof sealed;
        len = sizeof back;
        check(crypt_sm2(ours, public_key, 1, msg, size, sealed, &n) && count("encrypt") == before + 1 &&
                  crypt_sm2(plain, there, 0, sealed, n, back, &len) && len == size &&
                  !memcmp(back, msg, size),
              "SM2: they decrypt %zu bytes", size);
        n = sizeof sealed;
        len = sizeof back;
        before = count("decrypt");
        check(crypt_sm2(plain, there, 1, msg, size, sealed, &n) &&
                  crypt_sm2(ours, key, 0, sealed, n, back, &len) && count("decrypt") == before + 1 &&
                  len == size && !memcmp(back, msg, size),
              "SM2: decrypt %zu bytes", size);
    }
    n = 0;
    check(crypt_sm2(ours, key, 1, msg, 100, NULL, &n) && n >= 100 + 97, "SM2: the length of a ciphertext");
    n = sizeof sealed;
    check(crypt_sm2(ours, key, 1, msg, 100, sealed, &n), "SM2: encrypt");
    len = 0;
    check(crypt_sm2(ours, key, 0, sealed, n, NULL, &len) && len == 100, "SM2: the length of a message");
    len = 99;
    memset(back, 0xaa, sizeof back);
    check(!crypt_sm2(ours, key, 0, sealed, n, back, &len) && back[0] == 0xaa,
          "SM2: no room for the message, none written");
    len = sizeof back;
    sealed[n] = 0;
    check(!crypt_sm2(ours, key, 0, sealed, n + 1, back, &len), "SM2: ciphertext with a trailing byte");
    for (size_t i = 0; i < n; i++) {
        sealed[i] ^= 1;
        len = sizeof back;
        if (crypt_sm2(ours, key, 0, sealed, n, back, &len) || back[0] != 0xaa)
            check(0, "SM2: ciphertext changed at %zu", i);
        sealed[i] ^= 1;
    }
    len = sizeof back;
    check(!crypt_sm2(ours, public_key, 0, sealed, n, back, &len), "SM2: no decryption with a public key");
    n = sizeof sealed;
    check(!crypt_sm2(ours, key, 1, msg, 0, sealed, &n), "SM2: no empty message");
    EVP_PKEY_free(key);
    EVP_PKEY_free(there);
    EVP_PKEY_free(public_key);
    ERR_clear_error();
}

/* ---- prepared keys ---- */

enum { PREPARED_AT = 10 };

static int verify_times(OSSL_LIB_CTX *ctx, EVP_PKEY *key, const uint8_t *tbs, const uint8_t *sig, size_t len,
                        unsigned times) {
    while (times-- > 0)
        if (!verify_raw(ctx, key, tbs, 32, sig, len))
            return 0;
    return 1;
}

/* At the tenth verification, once; it answers alike; it goes with the key, and with another public key. */
static void prepared(size_t curve) {
    static const limbic_curve ids_of[] = {LIMBIC_P256, LIMBIC_P384, LIMBIC_P521, LIMBIC_SM2};
    const char *name = curves[curve].name;
    const unsigned long long bytes = number("limbic-prepared-bytes"), n = count("prepared");
    EVP_PKEY *pair = make(ours, curve), *other = make(ours, curve),
             *key = move(pair, ours, curves[curve].type, EVP_PKEY_PUBLIC_KEY);
    uint8_t tbs[32] = {5}, sig[160], second[160], q[140];
    size_t len = sizeof sig, second_len = sizeof second, q_len = 0;
    check(sign_raw(ours, pair, tbs, 32, sig, &len) && sign_raw(ours, other, tbs, 32, second, &second_len),
          "%s: sign", name);
    check(verify_times(ours, key, tbs, sig, len, PREPARED_AT - 1) && count("prepared") == n &&
              number("limbic-prepared-bytes") == bytes,
          "%s: nothing is prepared before it pays", name);
    check(verify_times(ours, key, tbs, sig, len, 1) && count("prepared") == n + 1 &&
              number("limbic-prepared-bytes") == bytes + limbic_ec_prepared_bytes(ids_of[curve]),
          "%s: prepared at the tenth verification", name);
    check(verify_times(ours, key, tbs, sig, len, 2 * PREPARED_AT) && count("prepared") == n + 1,
          "%s: and once", name);
    check(!verify_raw(ours, key, tbs, 32, second, second_len), "%s: another key's signature", name);
    tbs[31] ^= 1;
    check(!verify_raw(ours, key, tbs, 32, sig, len), "%s: another digest", name);
    tbs[31] ^= 1;
    check(EVP_PKEY_get_octet_string_param(other, "encoded-pub-key", q, sizeof q, &q_len) == 1 &&
              EVP_PKEY_set1_encoded_public_key(key, q, q_len) == 1 &&
              number("limbic-prepared-bytes") == bytes && !verify_raw(ours, key, tbs, 32, sig, len) &&
              verify_times(ours, key, tbs, second, second_len, PREPARED_AT + 1) && count("prepared") == n + 2,
          "%s: with another public key in its place", name);
    EVP_PKEY_free(pair);
    EVP_PKEY_free(other);
    EVP_PKEY_free(key);
    check(number("limbic-prepared-bytes") == bytes, "%s: the table went with the key", name);
    ERR_clear_error();
}

static EVP_PKEY *verifying;
static uint8_t verified[160];
static size_t verified_len;
static const uint8_t digest_verified[32] = {6};
static atomic_ulong bad_verifications;

static void *verify_work(void *arg) {
    (void)arg;
    if (!verify_times(ours, verifying, digest_verified, verified, verified_len, 2 * PREPARED_AT))
        atomic_fetch_add(&bad_verifications, 1);
    return NULL;
}

static void prepared_by_threads(void) {
    enum { THREADS = 32 };
    const unsigned long long n = count("prepared");
    pthread_t t[THREADS];
    verifying = make(ours, 2); /* P-521's takes longest */
    verified_len = sizeof verified;
    check(sign_raw(ours, verifying, digest_verified, 32, verified, &verified_len), "sign");
    for (size_t i = 0; i < THREADS; i++)
        check(pthread_create(&t[i], NULL, verify_work, NULL) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++)
        (void)pthread_join(t[i], NULL);
    check(atomic_load(&bad_verifications) == 0 && count("prepared") == n + 1,
          "threads that verify with one key: %lu faults, %llu tables", atomic_load(&bad_verifications),
          count("prepared") - n);
    EVP_PKEY_free(verifying);
}

/* The limit of a configuration: room for one table, or for none. */
static void prepared_within(unsigned kib, unsigned tables) {
    const unsigned long long n = count("prepared");
    char path[4096], setting[40];
    OSSL_LIB_CTX *ctx;
    EVP_PKEY *key[2];
    uint8_t tbs[32] = {5}, sig[2][80];
    size_t len[2] = {80, 80};
    (void)snprintf(path, sizeof path, "%s/limbic.so", folder);
    (void)snprintf(setting, sizeof setting, "prepared_kib = %u", kib);
    ctx = configured(path, setting);
    for (int i = 0; i < 2; i++) {
        key[i] = make(ctx, 0);
        check(of_limbic(key[i]) && sign_raw(ctx, key[i], tbs, 32, sig[i], &len[i]) &&
                  verify_times(ctx, key[i], tbs, sig[i], len[i], 3 * PREPARED_AT),
              "%s: key %d", setting, i);
    }
    check(count("prepared") == n + tables && number("limbic-prepared-bytes") <= kib << 10, "%s: %llu keys",
          setting, count("prepared") - n);
    EVP_PKEY_free(key[0]);
    check(verify_times(ctx, key[1], tbs, sig[1], len[1], PREPARED_AT) && count("prepared") == n + 2 * tables,
          "%s: another, when there is room again", setting);
    EVP_PKEY_free(key[1]);
    OSSL_LIB_CTX_free(ctx);
    (void)snprintf(setting, sizeof setting, "prepared_kib = %uM", kib);
    ctx = configured(path, setting);
    check(!OSSL_PROVIDER_available(ctx, "limbic"), "%s: no number", setting);
    OSSL_LIB_CTX_free(ctx);
}

/* ---- threads, fork, load and unload ---- */

static EVP_PKEY *shared[CURVES];
static atomic_ulong bad;

static void *work(void *arg) {
    const size_t first = (size_t)(uintptr_t)arg;
    for (size_t i = 0; i < 24; i++) {
        const size_t curve = (first + i) % CURVES;
        EVP_MD_CTX *m = EVP_MD_CTX_new();
        const char *digest = curve == SM2 ? "SM3" : "SHA256",
                   *id = curve == SM2 ? (i % 3 ? "one" : "two") : NULL;
        uint8_t sig[160], a[80];
        size_t len = sizeof sig, n = sizeof a;
        int ok = sign_message(m, ours, shared[curve], digest, id, 3, "a message", sig, &len);
        EVP_MD_CTX_reset(m);
        ok = ok && verify_message(m, ours, shared[curve], digest, id, 3, "a message", sig, len) &&
             (curve == SM2 || derive(ours, shared[curve], shared[curve], a, &n));
        if (i == 0) { /* the default provider's context is made by whoever needs it first */
            EVP_PKEY *k = EVP_PKEY_Q_keygen(ours, NULL, "EC", "secp256k1");
            ok = ok && k;
            EVP_PKEY_free(k);
        }
        EVP_MD_CTX_free(m);
        if (!ok)
            atomic_fetch_add(&bad, 1);
    }
    return NULL;
}

static void threads(void) {
    enum { THREADS = 16 };
    pthread_t t[THREADS];
    for (size_t i = 0; i < CURVES; i++)
        shared[i] = make(ours, i);
    for (size_t i = 0; i < THREADS; i++)
        check(pthread_create(&t[i], NULL, work, (void *)(uintptr_t)i) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++)
        (void)pthread_join(t[i], NULL);
    check(atomic_load(&bad) == 0, "threads with the same keys: %lu faults", atomic_load(&bad));
}

/* With the keys of the threads. */
static void forked(void) {
    const uint8_t tbs[32] = {7};
    uint8_t sig[2][160];
    size_t len[2] = {160, 160};
    int pipes[2], status = 1;
    pid_t child;
    check(pipe(pipes) == 0, "pipe");
    child = fork();
    if (child == 0) {
        int ok = sign_raw(ours, shared[SM2], tbs, 32, sig[0], &len[0]) &&
                 write(pipes[1], sig[0], sizeof sig[0]) == (ssize_t)sizeof sig[0];
        _exit(!ok);
    }
    check(sign_raw(ours, shared[SM2], tbs, 32, sig[1], &len[1]), "sign beside a child");
    check(child > 0 && read(pipes[0], sig[0], sizeof sig[0]) == (ssize_t)sizeof sig[0] &&
              waitpid(child, &status, 0) == child && status == 0 && memcmp(sig[0], sig[1], 60) != 0 &&
              verify_raw(ours, shared[SM2], tbs, 32, sig[0], 2 + (size_t)sig[0][1]),
          "a child signs, otherwise than its parent");
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    for (size_t i = 0; i < CURVES; i++)
        EVP_PKEY_free(shared[i]);
}

static OSSL_LIB_CTX *context(OSSL_PROVIDER *providers[2]) {
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    if (!providers)
        return ctx;
    (void)OSSL_PROVIDER_set_default_search_path(ctx, folder);
    providers[0] = OSSL_PROVIDER_load(ctx, "limbic");
    providers[1] = OSSL_PROVIDER_load(ctx, "default");
    if (!providers[0] || !providers[1] || !EVP_set_default_properties(ctx, "?provider=limbic"))
        ERR_print_errors_fp(stdout);
    return ctx;
}

static void reloaded(void) {
    for (int i = 0; i < 10; i++) {
        OSSL_PROVIDER *p[2];
        OSSL_LIB_CTX *ctx = context(p);
        EVP_PKEY *key = EVP_PKEY_Q_keygen(ctx, NULL, "EC", i % 2 ? "P-256" : "secp256k1");
        uint8_t tbs[32] = {1}, sig[80];
        size_t len = sizeof sig;
        check(key && of_limbic(key) && sign_raw(ctx, key, tbs, 32, sig, &len), "load %d", i);
        if (i % 3 == 0) { /* the key holds it still */
            check(OSSL_PROVIDER_unload(p[0]) == 1, "unload %d", i);
            p[0] = NULL;
        }
        EVP_PKEY_free(key);
        if (p[0])
            check(OSSL_PROVIDER_unload(p[0]) == 1, "unload %d", i);
        (void)OSSL_PROVIDER_unload(p[1]);
        OSSL_LIB_CTX_free(ctx);
    }
}

/* ---- RSA ---- */

enum { MESSAGES = 3 };

static int rsa_init(EVP_PKEY_CTX *c, int sign, int padding, const char *digest, int salt) {
    return c && (sign ? EVP_PKEY_sign_init(c) : EVP_PKEY_verify_init(c)) == 1 &&
           (!digest || EVP_PKEY_CTX_set_signature_md(c, EVP_get_digestbyname(digest)) == 1) &&
           EVP_PKEY_CTX_set_rsa_padding(c, padding) == 1 &&
           (padding != RSA_PKCS1_PSS_PADDING || EVP_PKEY_CTX_set_rsa_pss_saltlen(c, salt) == 1);
}

/* Without lanes for powers, private operations are left to the default provider. */
static unsigned lanes(void) {
    limbic_row_info row;
    for (size_t i = 0; i < limbic_row_count(); i++)
        if (!limbic_row(i, &row) && row.chosen && !strcmp(row.unit, "mont") && !strcmp(row.op, "pow"))
            return strcmp(row.isa, "ifma") == 0;
    return 0;
}

/* What a program is told while a key is made, and that it can stop that. */
struct told {
    int candidates, primes, stop_at;
};

static int tell(EVP_PKEY_CTX *c) {
    struct told *t = EVP_PKEY_CTX_get_app_data(c);
    const int what = EVP_PKEY_CTX_get_keygen_info(c, 0);
    t->candidates += what == 0;
    t->primes += what == 3;
    return !t->stop_at || t->candidates + t->primes < t->stop_at;
}

static void progress(OSSL_LIB_CTX *ctx) {
    const unsigned long long before = count("keygen");
    for (int stop = 0; stop < 2; stop++) {
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(ctx, "RSA", NULL);
        struct told t = {0, 0, stop};
        EVP_PKEY *key = NULL;
        EVP_PKEY_CTX_set_app_data(c, &t);
        EVP_PKEY_CTX_set_cb(c, tell);
        check(EVP_PKEY_keygen_init(c) == 1 && (EVP_PKEY_keygen(c, &key) == 1) == !stop,
              "RSA: a key whose making is %s", stop ? "stopped" : "watched");
        check(stop ? !t.primes : t.candidates > 0 && t.primes == 2,
              "RSA: told of %d times of candidates and %d primes", t.candidates, t.primes);
        EVP_PKEY_free(key);
        EVP_PKEY_CTX_free(c);
    }
    check(count("keygen") == before + (ctx == ours), "RSA: the watched key is made by the library");
    ERR_clear_error();
}

static void rsa(unsigned bits) {
    static const struct {
        int padding, salt;
        const char *digest;
        size_t n;
        int here;
    } cases[] = {
        {RSA_PKCS1_PADDING, 0, "SHA256", 32, 1},
        {RSA_PKCS1_PADDING, 0, "SHA1", 20, 0},
        {RSA_PKCS1_PADDING, 0, NULL, 77, 0},
        {RSA_PKCS1_PSS_PADDING, -1, "SHA384", 48, 1},
        {RSA_PKCS1_PSS_PADDING, -2, "SHA512", 64, 1},
        {RSA_PKCS1_PSS_PADDING, -3, "SHA256", 32, 1},
        {RSA_PKCS1_PSS_PADDING, 7, "SHA256", 32, 1},
        {RSA_PKCS1_PSS_PADDING, 0, "SHA256", 32, 1},
        {RSA_PKCS1_PSS_PADDING, -1, "SHA3-256", 32, 0},
        {RSA_X931_PADDING, 0, "SHA256", 32, 0},
        {RSA_NO_PADDING, 0, NULL, 0, 1},
    };
    EVP_PKEY *key = EVP_PKEY_Q_keygen(ours, NULL, "RSA", (size_t)bits), *there, *twin, *theirs, *here;
    const size_t k = bits / 8;
    uint8_t tbs[512], sig[512], copy[512], back[512];
    size_t len;
    if (!check(key && of_limbic(key), "RSA-%u", bits))
        return;
    theirs = EVP_PKEY_Q_keygen(plain, NULL, "RSA", (size_t)2048);
    there = move(key, plain, "RSA", EVP_PKEY_KEYPAIR);
    here = move(theirs, ours, "RSA", EVP_PKEY_KEYPAIR);
    twin = EVP_PKEY_dup(key);
    check(EVP_PKEY_eq(key, twin) == 1 && EVP_PKEY_eq(key, there) == 1 && EVP_PKEY_eq(here, theirs) == 1 &&
              EVP_PKEY_eq(key, here) != 1,
          "RSA-%u: keys compared", bits);
    for (size_t i = 0; i < sizeof tbs; i++)
        tbs[i] = (uint8_t)(i * 31 + 5);
    tbs[0] = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = cases[i].n ? cases[i].n : k;
        const int verify_salt =
            cases[i].padding == RSA_PKCS1_PSS_PADDING && i % 2 ? RSA_PSS_SALTLEN_AUTO : cases[i].salt;
        const unsigned long long before = count("sign"), before_v = count("verify");
        EVP_PKEY_CTX *s = EVP_PKEY_CTX_new_from_pkey(ours, i % 2 ? key : twin, NULL),
                     *v = EVP_PKEY_CTX_new_from_pkey(plain, there, NULL),
                     *w = EVP_PKEY_CTX_new_from_pkey(ours, key, NULL),
                     *t = EVP_PKEY_CTX_new_from_pkey(plain, there, NULL);
        len = 0;
        check(rsa_init(s, 1, cases[i].padding, cases[i].digest, cases[i].salt) &&
                  EVP_PKEY_sign(s, NULL, &len, tbs, n) == 1 && len == k,
              "RSA-%u case %zu: length", bits, i);
        len = k - 1;
        check(EVP_PKEY_sign(s, sig, &len, tbs, n) != 1, "RSA-%u case %zu: no room", bits, i);
        len = sizeof sig;
        check(EVP_PKEY_sign(s, sig, &len, tbs, n) == 1 && len == k, "RSA-%u case %zu: sign", bits, i);
        check(count("sign") == before + (cases[i].here ? lanes() : 0),
              "RSA-%u case %zu: signed by the right one", bits, i);
        check(rsa_init(v, 0, cases[i].padding, cases[i].digest, verify_salt) &&
                  EVP_PKEY_verify(v, sig, len, tbs, n) == 1,
              "RSA-%u case %zu: they verify", bits, i);
        len = sizeof sig;
        check(rsa_init(t, 1, cases[i].padding, cases[i].digest, cases[i].salt) &&
                  EVP_PKEY_sign(t, sig, &len, tbs, n) == 1,
              "RSA-%u case %zu: they sign", bits, i);
        check(rsa_init(w, 0, cases[i].padding, cases[i].digest, verify_salt) &&
                  EVP_PKEY_verify(w, sig, len, tbs, n) == 1,
              "RSA-%u case %zu: verify", bits, i);
        memcpy(copy, sig, k);
        copy[k / 2] ^= 1;
        check(EVP_PKEY_verify(w, copy, len, tbs, n) != 1 && EVP_PKEY_verify(w, sig, len - 1, tbs, n) != 1,
              "RSA-%u case %zu: another signature", bits, i);
        memset(copy, 0xff, k);
        check(EVP_PKEY_verify(w, copy, len, tbs, n) != 1, "RSA-%u case %zu: above the modulus", bits, i);
        tbs[n - 1] ^= 1;
        check(EVP_PKEY_verify(w, sig, len, tbs, n) != 1, "RSA-%u case %zu: another digest", bits, i);
        tbs[n - 1] ^= 1;
        check(cases[i].here ? count("verify") > before_v : count("verify") == before_v,
              "RSA-%u case %zu: verified by the right one", bits, i);
        if (cases[i].digest)
            check(EVP_PKEY_sign(s, sig, &len, tbs, n + 1) != 1, "RSA-%u case %zu: length of the digest", bits,
                  i);
        EVP_PKEY_CTX_free(s);
        EVP_PKEY_CTX_free(v);
        EVP_PKEY_CTX_free(w);
        EVP_PKEY_CTX_free(t);
    }
    { /* a block without padding, encrypted as it is: rejected openly or, alike, with a message made from the key */
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(plain, there, NULL);
        uint8_t opened[2][512];
        int ok[2] = {0};
        size_t n[2] = {0};
        len = sizeof sig;
        check(EVP_PKEY_encrypt_init(c) == 1 && EVP_PKEY_CTX_set_rsa_padding(c, RSA_NO_PADDING) == 1 &&
                  EVP_PKEY_encrypt(c, sig, &len, tbs, k) == 1,
              "RSA-%u: a raw block", bits);
        EVP_PKEY_CTX_free(c);
        for (int i = 0; i < 2; i++) {
            c = EVP_PKEY_CTX_new_from_pkey(i ? plain : ours, i ? there : key, NULL);
            n[i] = sizeof opened[i];
            ok[i] = EVP_PKEY_decrypt_init(c) == 1 && EVP_PKEY_decrypt(c, opened[i], &n[i], sig, len) == 1;
            EVP_PKEY_CTX_free(c);
        }
        check(ok[0] == ok[1] && (!ok[0] || (n[0] == n[1] && !memcmp(opened[0], opened[1], n[0]))),
              "RSA-%u: without padding: %d, theirs %d", bits, ok[0], ok[1]);
    }
    { /* one context, whose padding changes between two signatures */
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ours, key, NULL),
                     *v = EVP_PKEY_CTX_new_from_pkey(plain, there, NULL);
        len = sizeof sig;
        check(rsa_init(c, 1, RSA_PKCS1_PADDING, "SHA256", 0) && EVP_PKEY_sign(c, sig, &len, tbs, 32) == 1 &&
                  EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PSS_PADDING) == 1 &&
                  EVP_PKEY_sign(c, sig, &len, tbs, 32) == 1 &&
                  rsa_init(v, 0, RSA_PKCS1_PSS_PADDING, "SHA256", RSA_PSS_SALTLEN_AUTO) &&
                  EVP_PKEY_verify(v, sig, len, tbs, 32) == 1,
              "RSA-%u: another padding", bits);
        EVP_PKEY_CTX_free(c);
        EVP_PKEY_CTX_free(v);
    }
    /* A message whose padding is set after the beginning, copied in the middle, signed twice. */
    for (int pss = 0; pss < MESSAGES; pss++) {
        EVP_MD_CTX *m = EVP_MD_CTX_new(), *d = EVP_MD_CTX_new(), *v = EVP_MD_CTX_new();
        EVP_PKEY_CTX *c = NULL, *e = NULL;
        const char *digest = pss == 2 ? "SHA224" : "SHA256";
        len = sizeof sig;
        check(EVP_DigestSignInit_ex(m, &c, digest, ours, NULL, key, NULL) == 1 &&
                  (!pss || EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PSS_PADDING) == 1) &&
                  EVP_DigestSignUpdate(m, tbs, 100) == 1 && EVP_MD_CTX_copy_ex(d, m) == 1 &&
                  EVP_DigestSignUpdate(m, "x", 1) == 1 && EVP_DigestSignUpdate(d, tbs + 100, 50) == 1 &&
                  EVP_DigestSignFinal(d, sig, &len) == 1,
              "RSA-%u: message %d", bits, pss);
        check(EVP_DigestVerifyInit_ex(v, &e, digest, plain, NULL, there, NULL) == 1 &&
                  (!pss || EVP_PKEY_CTX_set_rsa_padding(e, RSA_PKCS1_PSS_PADDING) == 1) &&
                  EVP_DigestVerify(v, sig, len, tbs, 150) == 1,
              "RSA-%u: they verify message %d", bits, pss);
        EVP_MD_CTX_reset(v);
        check(EVP_DigestVerifyInit_ex(v, &e, digest, ours, NULL, key, NULL) == 1 &&
                  (!pss || EVP_PKEY_CTX_set_rsa_padding(e, RSA_PKCS1_PSS_PADDING) == 1) &&
                  EVP_DigestVerify(v, sig, len, tbs, 150) == 1,
              "RSA-%u: verify message %d", bits, pss);
        EVP_MD_CTX_free(m);
        EVP_MD_CTX_free(d);
        EVP_MD_CTX_free(v);
    }
    for (int i = 0; i < 4; i++) {
        static const int paddings[] = {RSA_PKCS1_PADDING, RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_OAEP_PADDING,
                                       RSA_NO_PADDING};
        const size_t n = i == 3 ? k : 40;
        for (int turn = 0; turn < 2; turn++) {
            EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(turn ? ours : plain, turn ? key : there, NULL),
                         *d = EVP_PKEY_CTX_new_from_pkey(turn ? plain : ours, turn ? there : key, NULL);
            size_t out = sizeof back;
            len = sizeof sig;
            check(EVP_PKEY_encrypt_init(c) == 1 && EVP_PKEY_CTX_set_rsa_padding(c, paddings[i]) == 1 &&
                      (i != 2 || EVP_PKEY_CTX_set_rsa_oaep_md(c, EVP_sha256()) == 1) &&
                      EVP_PKEY_encrypt(c, sig, &len, tbs, n) == 1 && len == k,
                  "RSA-%u encryption %d", bits, i);
            check(EVP_PKEY_decrypt_init(d) == 1 && EVP_PKEY_CTX_set_rsa_padding(d, paddings[i]) == 1 &&
                      (i != 2 || EVP_PKEY_CTX_set_rsa_oaep_md(d, EVP_sha256()) == 1) &&
                      EVP_PKEY_decrypt(d, back, &out, sig, len) == 1 && out == n && !memcmp(back, tbs, n),
                  "RSA-%u decryption %d", bits, i);
            if (!turn && i && i < 3) {
                sig[k - 1] ^= 1;
                out = sizeof back;
                check(EVP_PKEY_decrypt(d, back, &out, sig, len) != 1, "RSA-%u: a changed ciphertext %d", bits,
                      i);
            }
            if (!turn) { /* which implicit rejection takes */
                int ok[2];
                EVP_PKEY_CTX_free(c);
                c = EVP_PKEY_CTX_new_from_pkey(plain, there, NULL);
                check(EVP_PKEY_decrypt_init(c) == 1 && EVP_PKEY_CTX_set_rsa_padding(c, paddings[i]) == 1 &&
                          (i != 2 || EVP_PKEY_CTX_set_rsa_oaep_md(c, EVP_sha256()) == 1),
                      "RSA-%u decryption %d", bits, i);
                out = sizeof back;
                ok[0] = EVP_PKEY_decrypt(d, back, &out, sig, len - 1);
                out = sizeof back;
                ok[1] = EVP_PKEY_decrypt(c, back, &out, sig, len - 1);
                check(ok[0] == ok[1], "RSA-%u: a short ciphertext %d: %d, theirs %d", bits, i, ok[0], ok[1]);
            }
            EVP_PKEY_CTX_free(c);
            EVP_PKEY_CTX_free(d);
        }
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(there);
    EVP_PKEY_free(twin);
    EVP_PKEY_free(theirs);
    EVP_PKEY_free(here);
    ERR_clear_error();
}

/* ---- other curves, and the rest of the wiping ---- */

/* Nonces without random bytes, of which the default provider has some from version 3.2 on: as there, or refused. */
static void nonces(EVP_PKEY *key, EVP_PKEY *there) {
    unsigned type = 1;
    const OSSL_PARAM params[] = {OSSL_PARAM_uint("nonce-type", &type), OSSL_PARAM_END};
    uint8_t sig[2][160];
    size_t len[2] = {160, 160};
    int ok[2], known = 0;
    for (int i = 0; i < 2; i++) {
        EVP_MD_CTX *m = EVP_MD_CTX_new();
        EVP_PKEY_CTX *c = NULL;
        ok[i] = EVP_DigestSignInit_ex(m, &c, "SHA256", i ? plain : ours, NULL, i ? there : key, NULL) == 1;
        if (i)
            known = OSSL_PARAM_locate_const(EVP_PKEY_CTX_settable_params(c), "nonce-type") != NULL;
        ok[i] = ok[i] && EVP_PKEY_CTX_set_params(c, params) == 1 &&
                EVP_DigestSign(m, sig[i], &len[i], (const uint8_t *)"text", 4) == 1;
        EVP_MD_CTX_free(m);
    }
    check(known ? ok[0] && ok[1] && len[0] == len[1] && !memcmp(sig[0], sig[1], len[0]) : !ok[0],
          "nonces of another curve, %s", known ? "as theirs" : "not there");
}

static void other_curves(void) {
    static const char *const names[] = {"secp256k1",  "brainpoolP256r1", "brainpoolP512r1",
                                        "prime192v1", "secp224r1",       "sect571k1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EVP_PKEY *key = EVP_PKEY_Q_keygen(ours, NULL, "EC", names[i]), *there, *twin;
        uint8_t tbs[32] = {9}, sig[160], a[80], b[80];
        size_t len = sizeof sig, n = sizeof a, m = sizeof b;
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        const unsigned long long before = count("sign");
        if (!check(key && of_limbic(key), "other curve %s", names[i]))
            continue;
        there = move(key, plain, "EC", EVP_PKEY_KEYPAIR);
        twin = EVP_PKEY_dup(key);
        check(sign_raw(ours, twin, tbs, 32, sig, &len) && verify_raw(plain, there, tbs, 32, sig, len),
              "%s: sign", names[i]);
        len = sizeof sig;
        check(sign_message(c, ours, key, "SHA512", NULL, 0, "message", sig, &len), "%s: sign a message",
              names[i]);
        EVP_MD_CTX_reset(c);
        check(verify_message(c, plain, there, "SHA512", NULL, 0, "message", sig, len), "%s: they verify",
              names[i]);
        EVP_MD_CTX_reset(c);
        check(verify_message(c, ours, key, "SHA512", NULL, 0, "message", sig, len), "%s: verify", names[i]);
        check(derive(ours, key, twin, a, &n) && derive(plain, there, there, b, &m) && n == m &&
                  !memcmp(a, b, n),
              "%s: derive", names[i]);
        check(count("sign") == before, "%s: not by us", names[i]);
        nonces(key, there);
        check(EVP_PKEY_eq(key, twin) == 1 && EVP_PKEY_eq(key, there) == 1, "%s: equal", names[i]);
        EVP_MD_CTX_free(c);
        EVP_PKEY_free(key);
        EVP_PKEY_free(there);
        EVP_PKEY_free(twin);
    }
}

static void wiped(size_t curve) {
    EVP_PKEY *key = make(ours, curve), *twin;
    const size_t n = curves[curve].bytes;
    BIGNUM *d = NULL;
    EVP_MD_CTX *m = EVP_MD_CTX_new();
    uint8_t sig[160], secret[80];
    EVP_PKEY_get_bn_param(key, "priv", &d);
    BN_bn2binpad(d, needle[0], (int)n);
    BN_bn2lebinpad(d, needle[1], (int)n);
    BN_clear_free(d);
    atomic_store(&found, 0);
    needle_len = n - 2; /* bytes beyond may be another block's */
    memmove(needle[0], needle[0] + 2, needle_len);
    for (int i = 0; i < 3; i++) { /* the second signature makes what SM2 keeps */
        size_t len = sizeof sig, k = sizeof secret;
        check(sign_message(m, ours, key, curve == SM2 ? "SM3" : "SHA256", NULL, 0, "text", sig, &len),
              "sign");
        EVP_MD_CTX_reset(m);
        check(curve == SM2 || derive(ours, key, key, secret, &k), "derive");
    }
    twin = EVP_PKEY_dup(key);
    EVP_MD_CTX_free(m);
    EVP_PKEY_free(key);
    EVP_PKEY_free(twin);
    check(atomic_load(&found) == 0, "%s: the private key stays in %lu freed blocks", curves[curve].name,
          atomic_load(&found));
    needle_len = 0;
}

/* Half of the first prime is looked for: it stands in words of 64 bits, as in bytes. */
static void rsa_wiped(void) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(ours, NULL, "RSA", (size_t)2048), *there, *here;
    uint8_t p[128], sig[256], sealed[256];
    BIGNUM *n = NULL;
    there = move(key, plain, "RSA", EVP_PKEY_KEYPAIR);
    here = move(there, ours, "RSA", EVP_PKEY_KEYPAIR);
    check(EVP_PKEY_get_bn_param(key, "rsa-factor1", &n) == 1, "the first prime");
    BN_bn2binpad(n, p, sizeof p);
    memcpy(needle[0], p, 64);
    BN_bn2lebinpad(n, p, sizeof p);
    memcpy(needle[1], p + 64, 64);
    BN_clear_free(n);
    OPENSSL_cleanse(p, sizeof p);
    atomic_store(&found, 0);
    needle_len = 64;
    for (int i = 0; i < 2; i++) {
        EVP_MD_CTX *m = EVP_MD_CTX_new();
        EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(ours, i ? key : here, NULL);
        size_t len = sizeof sig, n_sealed = sizeof sealed, k = sizeof sig;
        check(sign_message(m, ours, i ? key : here, "SHA256", NULL, 0, "text", sig, &len), "RSA: sign");
        check(EVP_PKEY_encrypt_init(c) == 1 && EVP_PKEY_encrypt(c, sealed, &n_sealed, sig, 100) == 1 &&
                  EVP_PKEY_decrypt_init(c) == 1 && EVP_PKEY_decrypt(c, sig, &k, sealed, n_sealed) == 1 &&
                  k == 100,
              "RSA: encrypt and decrypt");
        EVP_PKEY_CTX_free(c);
        EVP_MD_CTX_free(m);
    }
    EVP_PKEY_free(key);
    EVP_PKEY_free(here);
    check(atomic_load(&found) == 0, "RSA: the first prime stays in %lu freed blocks", atomic_load(&found));
    needle_len = 0;
    EVP_PKEY_free(there);
}

/* A provider whose self-test has failed does nothing more, with keys and contexts that there are already, either. */
static void out_of_order(void) {
    enum { SIGN, VERIFY, DERIVE, ENCRYPT, DECRYPT, OPERATIONS };
    static const char *const types[] = {"EC", "SM2", "RSA"};
    EVP_PKEY_CTX *c[3][OPERATIONS] = {{NULL}};
    EVP_PKEY *key[3];
    OSSL_PROVIDER *p[2];
    OSSL_LIB_CTX *ctx = context(p);
    uint8_t tbs[32] = {1}, sig[3][256], sealed[3][256], out[512];
    size_t sig_len[3], sealed_len[3];
    int status = 1;
    const OSSL_PARAM ask[] = {OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_END};
    if (!check(p[0] && p[1], "the module whose self-test fails loads from %s", folder))
        return;
    for (int i = 0; i < 3; i++) {
        key[i] = i == 0   ? EVP_PKEY_Q_keygen(ctx, NULL, "EC", "P-256")
                 : i == 1 ? EVP_PKEY_Q_keygen(ctx, NULL, "SM2")
                          : EVP_PKEY_Q_keygen(ctx, NULL, "RSA", (size_t)2048);
        check(of_limbic(key[i]), "%s: a key before the self-test", types[i]);
        for (int k = 0; k < OPERATIONS; k++)
            c[i][k] = EVP_PKEY_CTX_new_from_pkey(ctx, key[i], NULL);
        sig_len[i] = sealed_len[i] = sizeof sealed[i];
        check(EVP_PKEY_sign_init(c[i][SIGN]) == 1 && EVP_PKEY_verify_init(c[i][VERIFY]) == 1 &&
                  EVP_PKEY_sign(c[i][SIGN], sig[i], &sig_len[i], tbs, sizeof tbs) == 1 &&
                  (i ? EVP_PKEY_encrypt_init(c[i][ENCRYPT]) == 1 &&
                           EVP_PKEY_decrypt_init(c[i][DECRYPT]) == 1 &&
                           EVP_PKEY_encrypt(c[i][ENCRYPT], sealed[i], &sealed_len[i], tbs, sizeof tbs) == 1
                     : EVP_PKEY_derive_init(c[i][DERIVE]) == 1 &&
                           EVP_PKEY_derive_set_peer(c[i][DERIVE], key[i]) == 1),
              "%s: before the self-test", types[i]);
    }
    check(OSSL_PROVIDER_self_test(p[0]) != 1, "the self-test fails");
    check(OSSL_PROVIDER_get_params(p[0], (OSSL_PARAM *)(uintptr_t)ask) == 1 && status == 0,
          "the status is 0");
    for (int i = 0; i < 3; i++) {
        size_t n = sizeof out;
        EVP_PKEY *twin = EVP_PKEY_dup(key[i]);
        ERR_clear_error();
        check(EVP_PKEY_sign(c[i][SIGN], out, &n, tbs, sizeof tbs) != 1 && ERR_peek_error() != 0,
              "%s: no signature after the self-test", types[i]);
        check(EVP_PKEY_verify(c[i][VERIFY], sig[i], sig_len[i], tbs, sizeof tbs) != 1,
              "%s: no verification after the self-test", types[i]);
        n = sizeof out;
        if (i) {
            check(EVP_PKEY_encrypt(c[i][ENCRYPT], out, &n, tbs, sizeof tbs) != 1,
                  "%s: no encryption after the self-test", types[i]);
            check(EVP_PKEY_decrypt(c[i][DECRYPT], out, &n, sealed[i], sealed_len[i]) != 1,
                  "%s: no decryption after the self-test", types[i]);
        } else {
            check(EVP_PKEY_derive(c[i][DERIVE], out, &n) != 1, "%s: no ECDH after the self-test", types[i]);
        }
        check(!twin, "%s: no copy after the self-test", types[i]);
        EVP_PKEY_free(twin);
        for (int k = 0; k < OPERATIONS; k++)
            EVP_PKEY_CTX_free(c[i][k]);
        EVP_PKEY_free(key[i]);
    }
    (void)OSSL_PROVIDER_unload(p[0]);
    (void)OSSL_PROVIDER_unload(p[1]);
    OSSL_LIB_CTX_free(ctx);
    ERR_clear_error();
}

int main(int argc, char **argv) {
    OSSL_PROVIDER *providers[2];
    if (argc != 3 || CRYPTO_set_mem_functions(seen_malloc, seen_realloc, seen_free) != 1) {
        (void)printf("usage: provider_evp FOLDER_OF_LIMBIC.SO FOLDER_OF_THE_BROKEN_ONE\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    folder = argv[1];
    ours = context(providers);
    limbic = providers[0];
    plain = context(NULL);
    if (!check(limbic && OSSL_PROVIDER_available(ours, "limbic"), "the provider loads from %s", folder))
        return closing();
    check(OSSL_PROVIDER_self_test(limbic) == 1, "self-test");
    for (size_t i = 0; i < CURVES; i++) {
        directions(i);
        parameters(i);
        copies(i);
        refused_keys(i);
        refused_signatures(i);
        prepared(i);
        answers(i);
        mixed_parameters(i);
        if (i != SM2)
            explicit_curve(i);
        wiped(i);
    }
    identifiers();
    seeded();
    progress(ours);
    progress(plain);
    rsa(2048);
    rsa(3072);
    rsa_wiped();
    reused();
    ids();
    encryption();
    prepared_by_threads();
    prepared_within(60, 1);
    prepared_within(0, 0);
    threads();
    forked();
    other_curves();
    reloaded();
    folder = argv[2];
    out_of_order();
    (void)OSSL_PROVIDER_unload(providers[0]);
    (void)OSSL_PROVIDER_unload(providers[1]);
    OSSL_LIB_CTX_free(ours);
    OSSL_LIB_CTX_free(plain);
    return closing();
}
