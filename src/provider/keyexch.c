/* ECDH (SP 800-56A), with or without the key derivation function of X9.63. What concerns keys on other curves, the default provider does. */
#include "base/limb.h"
#include "limbic/ecdh.h"
#include "provider/provider.h"

#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string.h>

#define KEY struct limbic_prov_key

enum { NAME_BYTES = 80 };

struct exchange {
    struct limbic_prov *prov;
    KEY *key, *peer;
    int cofactor; /* -1: as the key has it; with a cofactor of 1, as ours have, it makes no difference */
    int kdf;      /* 1: X9.63 */
    char digest[NAME_BYTES], digest_properties[NAME_BYTES];
    size_t kdf_len, ukm_len;
    uint8_t *ukm;
};

static void *new_exchange(void *ctx) {
    struct exchange *x = OPENSSL_zalloc(sizeof *x);
    if (!x) {
        (void)FAIL((struct limbic_prov *)ctx, REASON_MEMORY);
        return NULL;
    }
    x->prov = ctx;
    x->cofactor = -1;
    return x;
}

static void free_exchange(void *ctx) {
    struct exchange *x = ctx;
    if (!x)
        return;
    limbic_prov_key_free(x->key);
    limbic_prov_key_free(x->peer);
    OPENSSL_clear_free(x->ukm, x->ukm_len);
    OPENSSL_free(x);
}

static void *dup_exchange(void *ctx) {
    const struct exchange *from = ctx;
    struct exchange *x = OPENSSL_memdup(from, sizeof *from);
    if (!x) {
        (void)FAIL(from->prov, REASON_MEMORY);
        return NULL;
    }
    x->key = from->key ? limbic_prov_key_ref(from->key) : NULL;
    x->peer = from->peer ? limbic_prov_key_ref(from->peer) : NULL;
    x->ukm = from->ukm ? OPENSSL_memdup(from->ukm, from->ukm_len) : NULL;
    if (!x->ukm == !from->ukm)
        return x;
    (void)FAIL(from->prov, REASON_MEMORY);
    free_exchange(x);
    return NULL;
}

static int set_params(void *ctx, const OSSL_PARAM params[]);

static int init(void *ctx, void *key, const OSSL_PARAM params[]) {
    struct exchange *x = ctx;
    if (!x || !limbic_prov_running(x->prov))
        return 0;
    if (!key)
        return FAIL(x->prov, REASON_NO_KEY);
    limbic_prov_key_free(x->key);
    x->key = limbic_prov_key_ref(key);
    x->cofactor = -1;
    x->kdf = 0;
    return set_params(x, params);
}

static int set_peer(void *ctx, void *peer) {
    struct exchange *x = ctx;
    if (!x || !peer)
        return x ? FAIL(x->prov, REASON_NO_PEER) : 0;
    const KEY *a = x->key, *b = peer;
    if (!a || !a->other != !b->other || a->curve != b->curve)
        return FAIL(x->prov, REASON_KEYS_DIFFER);
    limbic_prov_key_free(x->peer);
    x->peer = limbic_prov_key_ref(peer);
    return 1;
}

/* By the default provider, without a derivation function. */
static int agree_other(const struct exchange *x, uint8_t *secret, size_t *len, size_t size) {
    const struct limbic_other_functions *f = limbic_prov_other(x->prov, OTHER_ECDH);
    int cofactor = x->cofactor, ok;
    const OSSL_PARAM params[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, &cofactor),
                                 OSSL_PARAM_END};
    void *other = f ? OTHER(f, keyexch_newctx, KEYEXCH_NEWCTX)(x->prov->other_ctx) : NULL;
    ok = other && OTHER(f, keyexch_init, KEYEXCH_INIT)(other, x->key->other, params) &&
         OTHER(f, keyexch_set_peer, KEYEXCH_SET_PEER)(other, x->peer->other) &&
         OTHER(f, keyexch_derive, KEYEXCH_DERIVE)(other, secret, len, size);
    if (other)
        OTHER(f, keyexch_freectx, KEYEXCH_FREECTX)(other);
    return ok;
}

/* The shared secret; its length alone where secret is NULL. A smaller buffer gets its beginning, as from the default provider. */
static int agree(const struct exchange *x, uint8_t *secret, size_t *len, size_t size) {
    uint8_t whole[LIMBIC_MAX_BYTES];
    limbic_status status;
    if (!x->key)
        return FAIL(x->prov, REASON_NO_KEY);
    if (!x->peer)
        return FAIL(x->prov, REASON_NO_PEER);
    if (x->key->other)
        return agree_other(x, secret, len, size);
    const size_t n = limbic_curve_bytes(x->key->curve);
    if (secret) {
        if (!x->key->has_private || !x->peer->has_public)
            return FAIL(x->prov, x->key->has_private ? REASON_NO_PEER : REASON_NO_KEY);
        status =
            limbic_ecdh(x->key->curve, size < n ? whole : secret, n, x->key->d, n, x->peer->q, 1 + 2 * n);
        if (status)
            return FAIL(x->prov, status);
        if (size < n) {
            memcpy(secret, whole, size);
            limbic_wipe(whole, sizeof whole);
        }
        limbic_prov_count(COUNT_DERIVE);
    }
    *len = secret && size < n ? size : n;
    return 1;
}

static int derive_key(const struct exchange *x, uint8_t *out, size_t n, const uint8_t *secret,
                      size_t secret_len) {
    EVP_KDF *kdf = EVP_KDF_fetch(x->prov->libctx, "X963KDF", NULL);
    EVP_KDF_CTX *c = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
    OSSL_PARAM params[5], *p = params;
    int ok;
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)(uintptr_t)x->digest, 0);
    if (x->digest_properties[0])
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_PROPERTIES,
                                                (char *)(uintptr_t)x->digest_properties, 0);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)secret, secret_len);
    if (x->ukm)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, x->ukm, x->ukm_len);
    *p = OSSL_PARAM_construct_end();
    ok = c && EVP_KDF_derive(c, out, n, params) > 0;
    EVP_KDF_CTX_free(c);
    EVP_KDF_free(kdf);
    return ok ? 1 : FAIL(x->prov, REASON_KDF);
}

static int derive(void *ctx, unsigned char *out, size_t *len, size_t size) {
    const struct exchange *x = ctx;
    uint8_t shared[128]; /* the default provider's longest field has 72 bytes */
    size_t n = 0;
    int ok;
    if (!limbic_prov_running(x->prov))
        return 0;
    if (!x->kdf)
        return agree(x, out, len, size);
    if (!out) {
        *len = x->kdf_len;
        return 1;
    }
    if (size < x->kdf_len)
        return FAIL(x->prov, REASON_BUFFER);
    ok = agree(x, shared, &n, sizeof shared) && derive_key(x, out, x->kdf_len, shared, n);
    limbic_wipe(shared, sizeof shared);
    if (ok)
        *len = x->kdf_len;
    return ok;
}

/* ---- parameters ---- */

static int get_text(const OSSL_PARAM *p, char *out, size_t size) {
    return OSSL_PARAM_get_utf8_string(p, &out, size);
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct exchange *x = ctx;
    const OSSL_PARAM *p;
    char name[NAME_BYTES];
    int mode;
    if (!x)
        return 0;
    if (!params || !params->key)
        return 1;
    p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE);
    if (p) {
        if (!OSSL_PARAM_get_int(p, &mode) || mode < -1 || mode > 1)
            return FAIL(x->prov, REASON_PARAMETER);
        x->cofactor = mode;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_TYPE);
    if (p) {
        if (!get_text(p, name, sizeof name) || (name[0] && strcmp(name, "X963KDF") != 0))
            return FAIL(x->prov, REASON_PARAMETER);
        x->kdf = name[0] != 0;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST);
    if (p) {
        const OSSL_PARAM *q = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS);
        char properties[NAME_BYTES] = "";
        EVP_MD *md;
        if (!get_text(p, name, sizeof name) || (q && !get_text(q, properties, sizeof properties)))
            return FAIL(x->prov, REASON_PARAMETER);
        md = EVP_MD_fetch(x->prov->libctx, name, properties);
        if (!md || (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF)) {
            EVP_MD_free(md);
            return FAIL(x->prov, REASON_DIGEST);
        }
        EVP_MD_free(md);
        memcpy(x->digest, name, sizeof name);
        memcpy(x->digest_properties, properties, sizeof properties);
    }
    p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN);
    if (p && !OSSL_PARAM_get_size_t(p, &x->kdf_len))
        return FAIL(x->prov, REASON_PARAMETER);
    p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_UKM);
    if (p) {
        void *ukm = NULL;
        size_t n = 0;
        if (p->data && p->data_size && !OSSL_PARAM_get_octet_string(p, &ukm, 0, &n))
            return FAIL(x->prov, REASON_PARAMETER);
        OPENSSL_clear_free(x->ukm, x->ukm_len);
        x->ukm = ukm;
        x->ukm_len = n;
    }
    return 1;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
    struct exchange *x = ctx;
    OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE);
    int mode = x->cofactor;
    if (mode < 0 && x->key)
        mode = x->key->form.cofactor;
    if (p && !OSSL_PARAM_set_int(p, mode))
        return 0;
    p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_TYPE);
    if (p && !OSSL_PARAM_set_utf8_string(p, x->kdf ? "X963KDF" : ""))
        return 0;
    p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST);
    if (p && !OSSL_PARAM_set_utf8_string(p, x->digest))
        return 0;
    p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN);
    if (p && !OSSL_PARAM_set_size_t(p, x->kdf_len))
        return 0;
    p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_UKM);
    return !p || OSSL_PARAM_set_octet_ptr(p, x->ukm, x->ukm_len);
}

static const OSSL_PARAM *gettable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
        OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
        OSSL_PARAM_DEFN(OSSL_EXCHANGE_PARAM_KDF_UKM, OSSL_PARAM_OCTET_PTR, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx;
    (void)prov;
    return params;
}

static const OSSL_PARAM *settable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS, NULL, 0),
        OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ctx;
    (void)prov;
    return params;
}

const OSSL_DISPATCH limbic_prov_ecdh[] = {
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_NEWCTX, new_exchange),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_FREECTX, free_exchange),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_DUPCTX, dup_exchange),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_INIT, init),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_SET_PEER, set_peer),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_DERIVE, derive),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, set_params),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, settable),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, get_params),
    LIMBIC_DISPATCH(OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, gettable),
    OSSL_DISPATCH_END,
};
