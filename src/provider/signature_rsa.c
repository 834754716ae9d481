/*
 * RSA signatures. The default provider keeps the parameters and their rules, and does what is rare; PKCS #1 v1.5 and PSS with the library's hashes, and
 * raw signatures, are computed by the library.
 */
#include "base/limb.h"
#include "provider/provider.h"

#include <openssl/evp.h>
#include <openssl/rsa.h>

#define KEY struct limbic_prov_rsa

struct sig {
    struct limbic_prov *prov;
    KEY *key;
    void *other;
    int message; /* 0: none; 1: begun; 2: hashed here; 3: hashed by the default provider */
    EVP_MD_CTX *hash;
    /* what the parameters come to, until they change */
    struct {
        int known, fast, padding, salt;
        limbic_hash hash, mgf;
    } plan;
};

#define THEIRS(s, call, id)                                                                                  \
    OTHER(limbic_prov_other((s)->prov, OTHER_RSA_SIGNATURE), signature_##call, SIGNATURE_##id)

static void free_sig(void *ctx) {
    struct sig *s = ctx;
    if (!s)
        return;
    if (s->other)
        THEIRS(s, freectx, FREECTX)(s->other);
    limbic_prov_rsa_free(s->key);
    EVP_MD_CTX_free(s->hash);
    OPENSSL_free(s);
}

static void *new_sig(void *ctx, const char *properties) {
    struct limbic_prov *prov = ctx;
    struct sig *s = limbic_prov_other(prov, OTHER_RSA_SIGNATURE) ? OPENSSL_zalloc(sizeof *s) : NULL;
    (void)properties; /* the program's properties mean its own library context */
    if (!s)
        return NULL;
    s->prov = prov;
    s->other = THEIRS(s, newctx, NEWCTX)(prov->other_ctx, NULL);
    if (s->other)
        return s;
    free_sig(s);
    return NULL;
}

static void *dup_sig(void *ctx) {
    const struct sig *from = ctx;
    struct sig *s = OPENSSL_memdup(from, sizeof *from);
    if (!s) {
        (void)FAIL(from->prov, REASON_MEMORY);
        return NULL;
    }
    s->key = from->key ? limbic_prov_rsa_ref(from->key) : NULL;
    s->hash = from->hash ? EVP_MD_CTX_new() : NULL;
    s->other = THEIRS(from, dupctx, DUPCTX)(from->other);
    if (s->other && (!from->hash || (s->hash && EVP_MD_CTX_copy_ex(s->hash, from->hash))))
        return s;
    free_sig(s);
    return NULL;
}

static void set_key(struct sig *s, KEY *key) {
    if (key) {
        limbic_prov_rsa_free(s->key);
        s->key = limbic_prov_rsa_ref(key);
    }
    s->plan.known = 0;
    s->message = 0;
}

#define INIT(name, type, id)                                                                                 \
    static int name(void *ctx, void *key, const OSSL_PARAM params[]) {                                       \
        struct sig *s = ctx;                                                                                 \
        if (!s || !limbic_prov_running(s->prov) ||                                                           \
            !THEIRS(s, type, id)(s->other, key ? ((KEY *)key)->other : NULL, params))                        \
            return 0;                                                                                        \
        set_key(s, key);                                                                                     \
        return 1;                                                                                            \
    }
INIT(sign_init, sign_init, SIGN_INIT)
INIT(verify_init, verify_init, VERIFY_INIT)
INIT(recover_init, verify_recover_init, VERIFY_RECOVER_INIT)

#define MESSAGE_INIT(name, type, id)                                                                         \
    static int name(void *ctx, const char *digest, void *key, const OSSL_PARAM params[]) {                   \
        struct sig *s = ctx;                                                                                 \
        if (!s || !limbic_prov_running(s->prov) ||                                                           \
            !THEIRS(s, type, id)(s->other, digest, key ? ((KEY *)key)->other : NULL, params))                \
            return 0;                                                                                        \
        set_key(s, key);                                                                                     \
        s->message = 1;                                                                                      \
        return 1;                                                                                            \
    }
MESSAGE_INIT(sign_message_init, digest_sign_init, DIGEST_SIGN_INIT)
MESSAGE_INIT(verify_message_init, digest_verify_init, DIGEST_VERIFY_INIT)

/* What the default provider's context is set to do, if the library can do it with this key. */
static const struct limbic_prov_rsa_numbers *plan(struct sig *s) {
    const struct limbic_prov_rsa_numbers *n;
    if (!s->plan.known) {
        char digest[64] = "", mgf[64] = "";
        OSSL_PARAM ask[] = {OSSL_PARAM_int(OSSL_SIGNATURE_PARAM_PAD_MODE, &s->plan.padding),
                            OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, digest, sizeof digest),
                            OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, mgf, sizeof mgf),
                            OSSL_PARAM_int(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, &s->plan.salt), OSSL_PARAM_END};
        s->plan.padding = s->plan.fast = 0;
        s->plan.known = 1;
        if (s->key && THEIRS(s, get_ctx_params, GET_CTX_PARAMS)(s->other, ask)) {
            s->plan.hash = limbic_prov_hash(digest);
            s->plan.mgf = limbic_prov_hash(mgf[0] ? mgf : digest);
            s->plan.fast = (s->plan.padding == RSA_PKCS1_PADDING && s->plan.hash) ||
                           (s->plan.padding == RSA_PKCS1_PSS_PADDING && s->plan.hash && s->plan.mgf &&
                            s->plan.salt >= RSA_PSS_SALTLEN_MAX) ||
                           (s->plan.padding == RSA_NO_PADDING && !digest[0]);
        }
    }
    n = s->plan.fast ? limbic_prov_rsa_numbers(s->key) : NULL;
    return n && !n->restricted ? n : NULL;
}

/* Of a digest of the right length, or n bytes as they are. */
static int fits(const struct sig *s, const struct limbic_prov_rsa_numbers *n, size_t len) {
    return len == (s->plan.padding == RSA_NO_PADDING ? n->bytes : limbic_hash_bytes(s->plan.hash));
}

static int sign(void *ctx, unsigned char *sig, size_t *sig_len, size_t size, const unsigned char *tbs,
                size_t tbs_len) {
    struct sig *s = ctx;
    const struct limbic_prov_rsa_numbers *n = sig ? plan(s) : NULL;
    limbic_status status;
    if (!limbic_prov_running(s->prov))
        return 0;
    if (!n || !n->private_here || n->bytes > size || !fits(s, n, tbs_len))
        return THEIRS(s, sign, SIGN)(s->other, sig, sig_len, size, tbs, tbs_len);
    if (s->plan.padding == RSA_PKCS1_PADDING)
        status = limbic_rsa_sign_pkcs1(n->key, n->len, sig, n->bytes, s->plan.hash, tbs, tbs_len);
    else if (s->plan.padding == RSA_NO_PADDING)
        status = limbic_rsa_private_op(n->key, n->len, sig, n->bytes, tbs, tbs_len);
    else
        status = limbic_rsa_sign_pss(n->key, n->len, sig, n->bytes, s->plan.hash, s->plan.mgf,
                                     s->plan.salt == RSA_PSS_SALTLEN_DIGEST ? LIMBIC_RSA_SALT_DIGEST
                                     : s->plan.salt < 0                     ? LIMBIC_RSA_SALT_MAX
                                                                            : s->plan.salt,
                                     tbs, tbs_len);
    if (status)
        return FAIL(s->prov, status);
    *sig_len = n->bytes;
    limbic_prov_count(COUNT_SIGN);
    return 1;
}

static int verify(void *ctx, const unsigned char *sig, size_t sig_len, const unsigned char *tbs,
                  size_t tbs_len) {
    struct sig *s = ctx;
    const struct limbic_prov_rsa_numbers *n = plan(s);
    limbic_status status;
    if (!limbic_prov_running(s->prov))
        return 0;
    if (!n || !fits(s, n, tbs_len))
        return THEIRS(s, verify, VERIFY)(s->other, sig, sig_len, tbs, tbs_len);
    if (s->plan.padding == RSA_PKCS1_PADDING) {
        status = limbic_rsa_verify_pkcs1(n->key, n->len, sig, sig_len, s->plan.hash, tbs, tbs_len);
    } else if (s->plan.padding == RSA_PKCS1_PSS_PADDING) {
        status = limbic_rsa_verify_pss(n->key, n->len, sig, sig_len, s->plan.hash, s->plan.mgf,
                                       s->plan.salt == RSA_PSS_SALTLEN_DIGEST ? LIMBIC_RSA_SALT_DIGEST
                                       : s->plan.salt == RSA_PSS_SALTLEN_AUTO ? LIMBIC_RSA_SALT_ANY
                                       : s->plan.salt == RSA_PSS_SALTLEN_MAX  ? LIMBIC_RSA_SALT_MAX
                                                                              : s->plan.salt,
                                       tbs, tbs_len);
    } else {
        uint8_t opened[LIMBIC_RSA_MAX_BYTES];
        status = limbic_rsa_public_op(n->key, n->len, opened, n->bytes, sig, sig_len);
        if (!status && memcmp(opened, tbs, n->bytes) != 0)
            status = LIMBIC_ERR_SIGNATURE;
    }
    limbic_prov_count(COUNT_VERIFY);
    return status ? FAIL(s->prov, status) : 1;
}

static int recover(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *sig,
                   size_t sig_len) {
    struct sig *s = ctx;
    if (!limbic_prov_running(s->prov))
        return 0;
    return THEIRS(s, verify_recover, VERIFY_RECOVER)(s->other, out, out_len, size, sig, sig_len);
}

/* ---- a message ---- */

/* Who hashes is settled by the first bytes: the paddings may be set until then. */
static int begin(struct sig *s) {
    char digest[64] = "";
    OSSL_PARAM ask[] = {OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, digest, sizeof digest),
                        OSSL_PARAM_END};
    EVP_MD *md;
    int ok;
    if (s->message != 1)
        return s->message != 0;
    if (!plan(s)) {
        s->message = 3;
        return 1;
    }
    if (!THEIRS(s, get_ctx_params, GET_CTX_PARAMS)(s->other, ask))
        return 0;
    md = EVP_MD_fetch(s->prov->libctx, digest, NULL);
    if (!s->hash)
        s->hash = EVP_MD_CTX_new();
    ok = md && s->hash && EVP_DigestInit_ex2(s->hash, md, NULL);
    EVP_MD_free(md);
    if (!ok)
        return FAIL(s->prov, REASON_DIGEST);
    s->message = 2;
    return 1;
}

#define UPDATE(name, type, id)                                                                               \
    static int name(void *ctx, const unsigned char *data, size_t n) {                                        \
        struct sig *s = ctx;                                                                                 \
        if (!s || !begin(s))                                                                                 \
            return 0;                                                                                        \
        return s->message == 2 ? EVP_DigestUpdate(s->hash, data, n)                                          \
                               : THEIRS(s, type, id)(s->other, data, n);                                     \
    }
UPDATE(sign_update, digest_sign_update, DIGEST_SIGN_UPDATE)
UPDATE(verify_update, digest_verify_update, DIGEST_VERIFY_UPDATE)

/* The digest, if it was made here. */
static int finish(struct sig *s, uint8_t *digest, unsigned *n) {
    const int ok = EVP_DigestFinal_ex(s->hash, digest, n);
    s->message = 0;
    return ok ? 1 : FAIL(s->prov, REASON_DIGEST);
}

static int sign_final(void *ctx, unsigned char *sig, size_t *sig_len, size_t size) {
    struct sig *s = ctx;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (!s || !begin(s))
        return 0;
    if (s->message == 3 || !sig)
        return THEIRS(s, digest_sign_final, DIGEST_SIGN_FINAL)(s->other, sig, sig_len, size);
    return finish(s, digest, &n) && sign(s, sig, sig_len, size, digest, n);
}

static int verify_final(void *ctx, const unsigned char *sig, size_t sig_len) {
    struct sig *s = ctx;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (!s || !begin(s))
        return 0;
    if (s->message == 3)
        return THEIRS(s, digest_verify_final, DIGEST_VERIFY_FINAL)(s->other, sig, sig_len);
    return finish(s, digest, &n) && verify(s, sig, sig_len, digest, n);
}

/* ---- parameters ---- */

static int get_params(void *ctx, OSSL_PARAM params[]) {
    const struct sig *s = ctx;
    return s && THEIRS(s, get_ctx_params, GET_CTX_PARAMS)(s->other, params);
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct sig *s = ctx;
    if (!s)
        return 0;
    s->plan.known = 0;
    return THEIRS(s, set_ctx_params, SET_CTX_PARAMS)(s->other, params);
}

static const OSSL_PARAM *gettable(void *ctx, void *prov) {
    struct limbic_prov *p = prov;
    const struct sig *s = ctx;
    return limbic_prov_other(p, OTHER_RSA_SIGNATURE)
               ? OTHER(limbic_prov_other(p, OTHER_RSA_SIGNATURE), signature_gettable_ctx_params,
                       SIGNATURE_GETTABLE_CTX_PARAMS)(s ? s->other : NULL, p->other_ctx)
               : NULL;
}

static const OSSL_PARAM *settable(void *ctx, void *prov) {
    struct limbic_prov *p = prov;
    const struct sig *s = ctx;
    return limbic_prov_other(p, OTHER_RSA_SIGNATURE)
               ? OTHER(limbic_prov_other(p, OTHER_RSA_SIGNATURE), signature_settable_ctx_params,
                       SIGNATURE_SETTABLE_CTX_PARAMS)(s ? s->other : NULL, p->other_ctx)
               : NULL;
}

const OSSL_DISPATCH limbic_prov_rsa_signature[] = {
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_NEWCTX, new_sig),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_FREECTX, free_sig),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DUPCTX, dup_sig),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SIGN_INIT, sign_init),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SIGN, sign),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY_INIT, verify_init),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY, verify),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, recover_init),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, recover),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, sign_message_init),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, sign_update),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_final),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, verify_message_init),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, verify_update),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, verify_final),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),
    LIMBIC_DISPATCH(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable),
    OSSL_DISPATCH_END,
};
