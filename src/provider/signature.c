/*
 * Signatures: ECDSA and SM2, of digests as they are and of messages. ECDSA keys on other curves are signed with by the default provider, of a digest that
 * was made here.
 */
#include "base/limb.h"
#include "limbic/ecdsa.h"
#include "provider/provider.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#define KEY struct limbic_prov_key

enum { NAME_BYTES = 64 };

struct sig {
    struct limbic_prov *prov;
    char *properties;
    KEY *key;
    void *other; /* the default provider's context, for its keys */
    int sm2;
    int message;       /* a message is being signed or verified: its digest stays as it is */
    int deterministic; /* nonces without random bytes: RFC 6979 as it stands */
    char digest[NAME_BYTES];
    size_t digest_len; /* 0: none was set */
    EVP_MD *md;
    EVP_MD_CTX *hash; /* ECDSA; not to be used before the key's Z with SM2, which has its own */
    /* SM2 */
    limbic_hash_ctx sm3;
    int z_done;
    int id_set;
    uint8_t *id;
    size_t id_len;
};

static void *new_sig(struct limbic_prov *prov, const char *properties, int sm2) {
    struct sig *s = OPENSSL_zalloc(sizeof *s);
    if (!s || (properties && !(s->properties = OPENSSL_strdup(properties)))) {
        OPENSSL_free(s);
        (void)FAIL(prov, REASON_MEMORY);
        return NULL;
    }
    s->prov = prov;
    s->sm2 = sm2;
    if (sm2) {
        memcpy(s->digest, "SM3", sizeof "SM3");
        s->digest_len = LIMBIC_SM2_DIGEST_BYTES;
    }
    return s;
}

static void *ecdsa_new(void *ctx, const char *properties) {
    return new_sig(ctx, properties, 0);
}

static void *sm2_new(void *ctx, const char *properties) {
    return new_sig(ctx, properties, 1);
}

static void free_other(struct sig *s) {
    if (s->other)
        OTHER(limbic_prov_other(s->prov, OTHER_ECDSA), signature_freectx, SIGNATURE_FREECTX)(s->other);
    s->other = NULL;
}

static void free_sig(void *ctx) {
    struct sig *s = ctx;
    if (!s)
        return;
    free_other(s);
    limbic_prov_key_free(s->key);
    EVP_MD_CTX_free(s->hash);
    EVP_MD_free(s->md);
    OPENSSL_free(s->properties);
    OPENSSL_free(s->id);
    OPENSSL_clear_free(s, sizeof *s);
}

static void *dup_sig(void *ctx) {
    const struct sig *from = ctx;
    struct sig *s = OPENSSL_memdup(from, sizeof *from);
    int ok = 1;
    if (!s) {
        (void)FAIL(from->prov, REASON_MEMORY);
        return NULL;
    }
    s->key = from->key ? limbic_prov_key_ref(from->key) : NULL;
    s->md = from->md && EVP_MD_up_ref(from->md) ? from->md : NULL;
    s->hash = from->hash ? EVP_MD_CTX_new() : NULL;
    s->properties = from->properties ? OPENSSL_strdup(from->properties) : NULL;
    s->id = from->id ? OPENSSL_memdup(from->id, from->id_len) : NULL;
    if (from->other) {
        s->other =
            OTHER(limbic_prov_other(s->prov, OTHER_ECDSA), signature_dupctx, SIGNATURE_DUPCTX)(from->other);
        ok = s->other != NULL;
    }
    if (from->hash)
        ok = ok && s->hash && EVP_MD_CTX_copy_ex(s->hash, from->hash);
    if (ok && !s->md == !from->md && !s->properties == !from->properties && !s->id == !from->id)
        return s;
    (void)FAIL(from->prov, REASON_MEMORY);
    free_sig(s);
    return NULL;
}

/* ---- the digest ---- */

/* The default provider's context of ECDSA with this digest and without a key: it decides which digests there are signatures with, and has their
 * identifiers. NULL if it takes no such one. */
static void *context_of_digest(const struct sig *s, const char *name) {
    const struct limbic_other_functions *f = limbic_prov_other(s->prov, OTHER_ECDSA);
    const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)(uintptr_t)name, strlen(name)),
        OSSL_PARAM_END};
    void *c = f ? OTHER(f, signature_newctx, SIGNATURE_NEWCTX)(s->prov->other_ctx, NULL) : NULL;
    if (c && !OTHER(f, signature_set_ctx_params, SIGNATURE_SET_CTX_PARAMS)(c, params)) {
        OTHER(f, signature_freectx, SIGNATURE_FREECTX)(c);
        c = NULL;
    }
    return c;
}

/* SHAKE and its like, which some versions sign with. */
static int takes_xof(const struct sig *s, const char *name) {
    void *c = context_of_digest(s, name);
    if (c)
        OTHER(limbic_prov_other(s->prov, OTHER_ECDSA), signature_freectx, SIGNATURE_FREECTX)(c);
    return c != NULL;
}

static int set_digest(struct sig *s, const char *name, const char *properties) {
    EVP_MD *md;
    int bytes;
    if (s->md && s->message) /* once it has begun, the digest stays */
        return EVP_MD_is_a(s->md, name) ? 1 : FAIL(s->prov, REASON_DIGEST);
    if (s->md && (!properties || !*properties) && !strcmp(name, s->digest))
        return 1;
    md = EVP_MD_fetch(s->prov->libctx, name, properties ? properties : s->properties);
    bytes = md ? EVP_MD_get_size(md) : 0;
    if (!md || bytes <= 0 || strlen(name) >= sizeof s->digest ||
        ((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) && !takes_xof(s, name))) {
        EVP_MD_free(md);
        return FAIL(s->prov, REASON_DIGEST);
    }
    EVP_MD_free(s->md);
    s->md = md;
    s->digest_len = (size_t)bytes;
    memcpy(s->digest, name, strlen(name) + 1);
    return 1;
}

/* SM2 takes SM3 alone, by whatever name the library knows it. */
static int check_sm3(struct sig *s, const char *name) {
    EVP_MD *md;
    int same;
    if (strcasecmp(name, "SM3") == 0)
        return 1;
    md = EVP_MD_fetch(s->prov->libctx, name, s->properties);
    same = md && EVP_MD_is_a(md, "SM3");
    EVP_MD_free(md);
    return same ? 1 : FAIL(s->prov, REASON_DIGEST);
}

static int set_params(void *ctx, const OSSL_PARAM params[]);

static int start(struct sig *s, KEY *key, const OSSL_PARAM params[], int sign) {
    const struct limbic_other_functions *f;
    if (!s || !limbic_prov_running(s->prov))
        return 0;
    if (!key && !s->key)
        return FAIL(s->prov, REASON_NO_KEY);
    if (key) {
        limbic_prov_key_free(s->key);
        s->key = limbic_prov_key_ref(key);
    }
    free_other(s);
    if (s->key->other) {
        f = limbic_prov_other(s->prov, OTHER_ECDSA);
        if (!f)
            return 0;
        s->other = OTHER(f, signature_newctx, SIGNATURE_NEWCTX)(s->prov->other_ctx, NULL);
        if (!s->other ||
            !(sign ? OTHER(f, signature_sign_init, SIGNATURE_SIGN_INIT)
                   : OTHER(f, signature_verify_init, SIGNATURE_VERIFY_INIT))(s->other, s->key->other, NULL))
            return 0;
    } else if (!s->key->curve || (sign ? !s->key->has_private : !s->key->has_public) ||
               s->sm2 != (s->key->curve == LIMBIC_SM2)) {
        return FAIL(s->prov, REASON_NO_KEY);
    }
    s->message = 0;
    s->z_done = 0;
    return set_params(s, params);
}

static int sign_init(void *ctx, void *key, const OSSL_PARAM params[]) {
    return start(ctx, key, params, 1);
}

static int verify_init(void *ctx, void *key, const OSSL_PARAM params[]) {
    return start(ctx, key, params, 0);
}

/* ---- a digest ---- */

/* A key that signs again gets 1/(1 + d) made once. */
static limbic_status sm2_sign_digest(KEY *key, uint8_t *sig, const uint8_t *e) {
    limbic_sm2_signer *signer = atomic_load_explicit(&key->signer, memory_order_acquire), *none = NULL;
    const size_t n = LIMBIC_SM2_DIGEST_BYTES;
    if (!signer && atomic_fetch_add_explicit(&key->uses, 1, memory_order_relaxed) > 0) {
        signer = OPENSSL_zalloc(sizeof *signer);
        if (signer && limbic_sm2_signer_init(signer, key->d, n, NULL, 0)) {
            OPENSSL_free(signer);
            signer = NULL;
        } else if (signer && !atomic_compare_exchange_strong(&key->signer, &none, signer)) {
            OPENSSL_clear_free(signer, sizeof *signer);
            signer = none;
        }
    }
    return signer ? limbic_sm2_signer_sign_digest(signer, sig, LIMBIC_SM2_SIGNATURE_BYTES, e, n)
                  : limbic_sm2_sign_digest(sig, LIMBIC_SM2_SIGNATURE_BYTES, key->d, n, e, n);
}

/* The hash of RFC 6979's nonces, which is the digest's where they are to be all that the RFC says: 0 if there is no such one here. */
static int nonce_hash(const struct sig *s, limbic_hash *hash) {
    static const struct {
        const char *name;
        limbic_hash hash;
    } known[] = {{"SHA256", LIMBIC_SHA256}, {"SHA384", LIMBIC_SHA384}, {"SHA512", LIMBIC_SHA512}};
    *hash = LIMBIC_HASH_DEFAULT;
    if (!s->deterministic)
        return 1;
    for (size_t i = 0; s->md && i < sizeof known / sizeof *known; i++)
        if (EVP_MD_is_a(s->md, known[i].name)) {
            *hash = known[i].hash;
            return 1;
        }
    return 0;
}

/* The kind of nonces for the default provider, which takes some from version 3.2 on, and the digest that it makes them with. */
static int give_nonces(const struct sig *s) {
    const struct limbic_other_functions *f = limbic_prov_other(s->prov, OTHER_ECDSA);
    unsigned type = (unsigned)s->deterministic;
    OSSL_PARAM params[3] = {OSSL_PARAM_construct_uint(OSSL_SIGNATURE_PARAM_NONCE_TYPE, &type), OSSL_PARAM_END,
                            OSSL_PARAM_END};
    if (s->digest[0])
        params[1] =
            OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)(uintptr_t)s->digest, 0);
    if (!OSSL_PARAM_locate_const(OTHER(f, signature_settable_ctx_params,
                                       SIGNATURE_SETTABLE_CTX_PARAMS)(s->other, s->prov->other_ctx),
                                 OSSL_SIGNATURE_PARAM_NONCE_TYPE))
        return !type || FAIL(s->prov, REASON_PARAMETER);
    return OTHER(f, signature_set_ctx_params, SIGNATURE_SET_CTX_PARAMS)(s->other, params);
}

static int sign(void *ctx, unsigned char *sig, size_t *sig_len, size_t size, const unsigned char *digest,
                size_t digest_len) {
    struct sig *s = ctx;
    uint8_t rs[LIMBIC_MAX_SIGNATURE_BYTES];
    KEY *key = s->key;
    limbic_status status;
    limbic_hash hash;

    if (!limbic_prov_running(s->prov))
        return 0;
    if (!key)
        return FAIL(s->prov, REASON_NO_KEY);
    if (s->digest_len && sig && digest_len != s->digest_len)
        return FAIL(s->prov, REASON_DIGEST_LENGTH);
    if (s->other)
        return (!s->deterministic || give_nonces(s)) &&
               OTHER(limbic_prov_other(s->prov, OTHER_ECDSA), signature_sign,
                     SIGNATURE_SIGN)(s->other, sig, sig_len, size, digest, digest_len);
    const size_t most = limbic_prov_signature_bytes(key->curve), n = limbic_curve_bytes(key->curve);
    if (!sig) {
        *sig_len = most;
        return 1;
    }
    if (size < most)
        return FAIL(s->prov, REASON_BUFFER);
    if (!nonce_hash(s, &hash))
        return FAIL(s->prov, REASON_DIGEST);
    if (s->sm2)
        status = sm2_sign_digest(key, rs, digest);
    else
        status = (s->deterministic ? limbic_ecdsa_sign_deterministic : limbic_ecdsa_sign)(
            key->curve, rs, 2 * n, key->d, n, digest, digest_len, hash);
    *sig_len = size;
    if (!status)
        status = limbic_ecdsa_sig_to_der(key->curve, sig, sig_len, rs, 2 * n);
    if (status)
        return FAIL(s->prov, status);
    limbic_prov_count(COUNT_SIGN);
    return 1;
}

static int verify(void *ctx, const unsigned char *sig, size_t sig_len, const unsigned char *digest,
                  size_t digest_len) {
    struct sig *s = ctx;
    uint8_t rs[LIMBIC_MAX_SIGNATURE_BYTES];
    KEY *key = s->key;
    const void *prepared;
    limbic_status status;

    if (!limbic_prov_running(s->prov))
        return 0;
    if (!key)
        return FAIL(s->prov, REASON_NO_KEY);
    if (s->digest_len && digest_len != s->digest_len)
        return FAIL(s->prov, REASON_DIGEST_LENGTH);
    if (s->other)
        return OTHER(limbic_prov_other(s->prov, OTHER_ECDSA), signature_verify,
                     SIGNATURE_VERIFY)(s->other, sig, sig_len, digest, digest_len);
    const size_t n = limbic_curve_bytes(key->curve);
    status = limbic_ecdsa_sig_from_der(key->curve, rs, 2 * n, sig, sig_len);
    if (!status) {
        const size_t len = limbic_ec_prepared_bytes(key->curve);
        prepared = limbic_prov_key_prepared(key);
        if (s->sm2)
            status = prepared
                         ? limbic_sm2_verify_digest_prepared(prepared, len, rs, 2 * n, digest, digest_len)
                         : limbic_sm2_verify_digest(rs, 2 * n, key->q, 1 + 2 * n, digest, digest_len);
        else
            status = prepared
                         ? limbic_ecdsa_verify_prepared(prepared, len, rs, 2 * n, digest, digest_len)
                         : limbic_ecdsa_verify(key->curve, rs, 2 * n, key->q, 1 + 2 * n, digest, digest_len);
    }
    limbic_prov_count(COUNT_VERIFY);
    if (status == LIMBIC_ERR_SIGNATURE) /* an answer, not a fault: nothing for the queue of errors */
        return 0;
    if (status == LIMBIC_ERR_DER && !s->sm2) /* as the default provider answers */
        return -1;
    if (status)
        (void)FAIL(s->prov, status);
    return status == LIMBIC_ERR_DER ? -1 : !status;
}

/* ---- a message ---- */

static int message_init(struct sig *s, const char *name, KEY *key, const OSSL_PARAM params[], int signing) {
    if (!start(s, key, params, signing))
        return 0;
    if (s->sm2) {
        if ((name && *name && !check_sm3(s, name)) || limbic_hash_init(&s->sm3, LIMBIC_SM3))
            return 0;
    } else {
        if ((name && *name && !set_digest(s, name, NULL)) || !s->md)
            return FAIL(s->prov, REASON_DIGEST);
        if (!s->hash && !(s->hash = EVP_MD_CTX_new()))
            return FAIL(s->prov, REASON_MEMORY);
        if (!EVP_DigestInit_ex2(s->hash, s->md, params))
            return FAIL(s->prov, REASON_DIGEST);
    }
    s->message = 1;
    return 1;
}

static int sign_message_init(void *ctx, const char *name, void *key, const OSSL_PARAM params[]) {
    return message_init(ctx, name, key, params, 1);
}

static int verify_message_init(void *ctx, const char *name, void *key, const OSSL_PARAM params[]) {
    return message_init(ctx, name, key, params, 0);
}

/* Z goes before the message's first byte. The key keeps that of the ID that it was used with first. */
static int put_z(struct sig *s) {
    const char *const standard = LIMBIC_SM2_DEFAULT_ID;
    KEY *key = s->key;
    struct limbic_prov_z *kept = atomic_load_explicit(&key->z, memory_order_acquire), *none = NULL;
    const void *id = s->id;
    size_t id_len = s->id_len;
    uint8_t z[LIMBIC_SM2_DIGEST_BYTES], q[65];
    limbic_status status = LIMBIC_OK;

    if (!s->id_set && s->prov->sm2_default_id) {
        id = standard;
        id_len = sizeof LIMBIC_SM2_DEFAULT_ID - 1;
    } else if (!id) {
        id = "";
        id_len = 0;
    }
    if (kept && kept->id_len == id_len && !memcmp(kept->id, id, id_len)) {
        memcpy(z, kept->z, sizeof z);
    } else {
        if (key->has_public)
            memcpy(q, key->q, sizeof q);
        else
            status = limbic_ec_public_key(LIMBIC_SM2, q, sizeof q, key->d, 32);
        if (!status)
            status = limbic_sm2_z(z, sizeof z, id, id_len, q, sizeof q);
        if (status)
            return FAIL(s->prov, status);
        kept = kept ? NULL : OPENSSL_malloc(sizeof *kept + id_len);
        if (kept) {
            memcpy(kept->z, z, sizeof z);
            memcpy(kept->id, id, id_len);
            kept->id_len = id_len;
            if (!atomic_compare_exchange_strong(&key->z, &none, kept))
                OPENSSL_free(kept);
        }
    }
    limbic_hash_update(&s->sm3, z, sizeof z);
    s->z_done = 1;
    return 1;
}

static int update(void *ctx, const unsigned char *data, size_t n) {
    struct sig *s = ctx;
    if (!s || !s->message)
        return s ? FAIL(s->prov, REASON_STATE) : 0;
    if (!s->sm2)
        return EVP_DigestUpdate(s->hash, data, n);
    if (!s->z_done && !put_z(s))
        return 0;
    limbic_hash_update(&s->sm3, data, n);
    return 1;
}

/* The digest of what came, and the end of the message. */
static int finish(struct sig *s, uint8_t *digest, size_t *n) {
    unsigned bytes = 0;
    if (!s->message)
        return FAIL(s->prov, REASON_STATE);
    if (s->sm2) {
        if (!s->z_done && !put_z(s))
            return 0;
        limbic_hash_final(&s->sm3, digest);
        *n = LIMBIC_SM2_DIGEST_BYTES;
    } else {
        if (!EVP_DigestFinal_ex(s->hash, digest, &bytes))
            return FAIL(s->prov, REASON_DIGEST);
        *n = bytes;
    }
    s->message = 0;
    return 1;
}

static int sign_final(void *ctx, unsigned char *sig, size_t *sig_len, size_t size) {
    struct sig *s = ctx;
    uint8_t digest[EVP_MAX_MD_SIZE];
    size_t n = 0;
    if (!s || (sig && !finish(s, digest, &n)))
        return 0;
    return sign(s, sig, sig_len, size, digest, n);
}

static int verify_final(void *ctx, const unsigned char *sig, size_t sig_len) {
    struct sig *s = ctx;
    uint8_t digest[EVP_MAX_MD_SIZE];
    size_t n = 0;
    return s && finish(s, digest, &n) ? verify(s, sig, sig_len, digest, n) : 0;
}

/* ---- parameters ---- */

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct sig *s = ctx;
    const OSSL_PARAM *p, *properties;
    if (!s)
        return 0;
    if (!params || !params->key)
        return 1;
    p = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST);
    if (p) {
        char name[NAME_BYTES], *at = name, props[256], *props_at = props;
        properties = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_PROPERTIES);
        if (!OSSL_PARAM_get_utf8_string(p, &at, sizeof name) ||
            (properties && !OSSL_PARAM_get_utf8_string(properties, &props_at, sizeof props)))
            return FAIL(s->prov, REASON_PARAMETER);
        if (!(s->sm2 ? check_sm3(s, name) : set_digest(s, name, properties ? props : NULL)))
            return 0;
    }
    p = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE);
    if (p) {
        size_t n;
        if (!OSSL_PARAM_get_size_t(p, &n) || ((s->sm2 || s->message) && n != s->digest_len))
            return FAIL(s->prov, REASON_DIGEST_LENGTH);
        s->digest_len = n;
    }
    p = s->sm2 ? NULL : OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_NONCE_TYPE);
    if (p) {
        unsigned type;
        if (!OSSL_PARAM_get_uint(p, &type) || type > 1)
            return FAIL(s->prov, REASON_PARAMETER);
        s->deterministic = (int)type;
        if (s->other && !give_nonces(s))
            return 0;
    }
    p = s->sm2 ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_DIST_ID) : NULL;
    if (p) {
        uint8_t *id = NULL;
        if (s->z_done)
            return FAIL(s->prov, REASON_LATE_ID);
        if (p->data_type != OSSL_PARAM_OCTET_STRING || (!p->data && p->data_size) ||
            p->data_size > LIMBIC_SM2_MAX_ID_BYTES)
            return FAIL(s->prov, LIMBIC_ERR_ID);
        if (p->data_size && !(id = OPENSSL_memdup(p->data, p->data_size)))
            return FAIL(s->prov, REASON_MEMORY);
        OPENSSL_free(s->id);
        s->id = id;
        s->id_len = p->data_size;
        s->id_set = 1;
    }
    return 1;
}

/* The AlgorithmIdentifier; empty where there is none for the digest. */
static int get_algorithm(const struct sig *s, OSSL_PARAM *p) {
    static const uint8_t sm2_with_sm3[] = {0x30, 0x0a, 0x06, 0x08, 0x2a, 0x81,
                                           0x1c, 0xcf, 0x55, 0x01, 0x83, 0x75};
    OSSL_PARAM ask[] = {*p, OSSL_PARAM_END};
    void *c;
    int ok;
    if (s->sm2)
        return OSSL_PARAM_set_octet_string(p, sm2_with_sm3, sizeof sm2_with_sm3);
    (void)ERR_set_mark();
    c = s->md ? context_of_digest(s, EVP_MD_get0_name(s->md)) : NULL;
    (void)ERR_pop_to_mark();
    if (!c)
        return OSSL_PARAM_set_octet_string(p, NULL, 0);
    const struct limbic_other_functions *f = limbic_prov_other(s->prov, OTHER_ECDSA);
    ok = OTHER(f, signature_get_ctx_params, SIGNATURE_GET_CTX_PARAMS)(c, ask);
    p->return_size = ask[0].return_size;
    OTHER(f, signature_freectx, SIGNATURE_FREECTX)(c);
    return ok;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
    const struct sig *s = ctx;
    int ok = s != NULL;
    for (OSSL_PARAM *p = params; ok && p->key; p++) {
        if (!strcmp(p->key, OSSL_SIGNATURE_PARAM_ALGORITHM_ID))
            ok = get_algorithm(s, p);
        else if (!strcmp(p->key, OSSL_SIGNATURE_PARAM_DIGEST_SIZE))
            ok = OSSL_PARAM_set_size_t(p, s->digest_len);
        else if (!strcmp(p->key, OSSL_SIGNATURE_PARAM_DIGEST))
            ok = OSSL_PARAM_set_utf8_string(p, s->md ? EVP_MD_get0_name(s->md) : s->digest);
        else if (!s->sm2 && !strcmp(p->key, OSSL_SIGNATURE_PARAM_NONCE_TYPE))
            ok = OSSL_PARAM_set_uint(p, (unsigned)s->deterministic);
    }
    return ok;
}

#define DIGEST_TYPES                                                                                         \
    OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),                                               \
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0)

static const OSSL_PARAM *ecdsa_gettable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                        DIGEST_TYPES, OSSL_PARAM_uint(OSSL_SIGNATURE_PARAM_NONCE_TYPE, NULL),
                                        OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

static const OSSL_PARAM *sm2_gettable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                        DIGEST_TYPES, OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

static const OSSL_PARAM *ecdsa_settable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {
        DIGEST_TYPES, OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_uint(OSSL_SIGNATURE_PARAM_NONCE_TYPE, NULL), OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

static const OSSL_PARAM *sm2_settable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {
        DIGEST_TYPES, OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_DIST_ID, NULL, 0), OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

/* Those of the digest, ECDSA's alone: SM3 has none. */
static int get_md_params(void *ctx, OSSL_PARAM params[]) {
    struct sig *s = ctx;
    return s->hash && EVP_MD_CTX_get_params(s->hash, params);
}

static const OSSL_PARAM *gettable_md(void *ctx) {
    const struct sig *s = ctx;
    return s->md ? EVP_MD_gettable_ctx_params(s->md) : NULL;
}

static int set_md_params(void *ctx, const OSSL_PARAM params[]) {
    struct sig *s = ctx;
    return s->hash && EVP_MD_CTX_set_params(s->hash, params);
}

static const OSSL_PARAM *settable_md(void *ctx) {
    const struct sig *s = ctx;
    return s->md ? EVP_MD_settable_ctx_params(s->md) : NULL;
}

#define FUNCTIONS(type)                                                                                      \
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_NEWCTX, type##_new),                                                 \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_FREECTX, free_sig),                                              \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DUPCTX, dup_sig),                                                \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SIGN_INIT, sign_init),                                           \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SIGN, sign),                                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY_INIT, verify_init),                                       \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY, verify),                                                 \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, sign_message_init),                            \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, update),                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_final),                                  \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, verify_message_init),                        \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, update),                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, verify_final),                              \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, type##_gettable),                           \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, type##_settable),                           \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, get_md_params),                               \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS, gettable_md),                            \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, set_md_params),                               \
        LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS, settable_md), OSSL_DISPATCH_END

const OSSL_DISPATCH limbic_prov_ecdsa[] = {FUNCTIONS(ecdsa)};
const OSSL_DISPATCH limbic_prov_sm2_signature[] = {FUNCTIONS(sm2)};
