/*
 * RSA encryption. The default provider keeps the parameters and does what is rare. With PKCS #1 v1.5, OAEP (of all digests, with libcrypto's paddings)
 * and raw blocks the powers are the library's.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* the RSA_padding_... functions */
#include "base/limb.h"
#include "provider/provider.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#define KEY struct limbic_prov_rsa

enum { NAME_BYTES = 64 };

struct cipher {
    struct limbic_prov *prov;
    KEY *key;
    void *other;
    int explicit_rejection; /* asked for by a parameter */
};

#define THEIRS(c, call, id)                                                                                  \
    OTHER(limbic_prov_other((c)->prov, OTHER_RSA_CIPHER), asym_cipher_##call, ASYM_CIPHER_##id)

static void free_cipher(void *ctx) {
    struct cipher *c = ctx;
    if (!c)
        return;
    if (c->other)
        THEIRS(c, freectx, FREECTX)(c->other);
    limbic_prov_rsa_free(c->key);
    OPENSSL_free(c);
}

static void *new_cipher(void *ctx) {
    struct limbic_prov *prov = ctx;
    struct cipher *c = limbic_prov_other(prov, OTHER_RSA_CIPHER) ? OPENSSL_zalloc(sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->prov = prov;
    c->other = THEIRS(c, newctx, NEWCTX)(prov->other_ctx);
    if (c->other)
        return c;
    free_cipher(c);
    return NULL;
}

static void *dup_cipher(void *ctx) {
    const struct cipher *from = ctx;
    struct cipher *c = OPENSSL_memdup(from, sizeof *from);
    if (!c)
        return NULL;
    c->key = from->key ? limbic_prov_rsa_ref(from->key) : NULL;
    c->other = THEIRS(from, dupctx, DUPCTX)(from->other);
    if (c->other)
        return c;
    free_cipher(c);
    return NULL;
}

static void note_params(struct cipher *c, const OSSL_PARAM params[]) {
    const OSSL_PARAM *p = params ? OSSL_PARAM_locate_const(params, LIMBIC_PARAM_IMPLICIT_REJECTION) : NULL;
    unsigned on;
    if (p && OSSL_PARAM_get_uint(p, &on))
        c->explicit_rejection = !on;
}

#define INIT(name, type, id)                                                                                 \
    static int name(void *ctx, void *key, const OSSL_PARAM params[]) {                                       \
        struct cipher *c = ctx;                                                                              \
        if (!c || !key || !limbic_prov_running(c->prov) ||                                                   \
            !THEIRS(c, type, id)(c->other, ((KEY *)key)->other, params))                                     \
            return 0;                                                                                        \
        limbic_prov_rsa_free(c->key);                                                                        \
        c->key = limbic_prov_rsa_ref(key);                                                                   \
        c->explicit_rejection = 0;                                                                           \
        note_params(c, params);                                                                              \
        return 1;                                                                                            \
    }
INIT(encrypt_init, encrypt_init, ENCRYPT_INIT)
INIT(decrypt_init, decrypt_init, DECRYPT_INIT)

struct plan {
    int padding;
    char digest[NAME_BYTES], mgf[NAME_BYTES];
    void *label;
    size_t label_len;
};

/* What the default provider's context is set to do; OAEP's digest is SHA-1 unless told, and MGF1's is OAEP's. */
static int get_plan(const struct cipher *c, struct plan *p) {
    OSSL_PARAM ask[] = {OSSL_PARAM_int(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, &p->padding),
                        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, p->digest, NAME_BYTES),
                        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, p->mgf, NAME_BYTES),
                        OSSL_PARAM_octet_ptr(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, &p->label, 0),
                        OSSL_PARAM_END};
    memset(p, 0, sizeof *p);
    if (!THEIRS(c, get_ctx_params, GET_CTX_PARAMS)(c->other, ask))
        return 0;
    p->label_len = p->label ? ask[3].return_size : 0;
    if (!p->digest[0])
        memcpy(p->digest, "SHA1", sizeof "SHA1");
    if (!p->mgf[0])
        memcpy(p->mgf, p->digest, NAME_BYTES);
    return 1;
}

/* The two digests of OAEP, to be freed. */
static int get_digests(const struct cipher *c, const struct plan *p, EVP_MD **md, EVP_MD **mgf) {
    *md = EVP_MD_fetch(c->prov->libctx, p->digest, NULL);
    *mgf = EVP_MD_fetch(c->prov->libctx, p->mgf, NULL);
    return *md && *mgf;
}

/* A padded block of a message: 0 if there is no room for it, or for another padding. */
static int fill_block(const struct cipher *c, const struct plan *p, uint8_t *block, size_t n,
                      const uint8_t *in, size_t in_len) {
    EVP_MD *md = NULL, *mgf = NULL;
    int ok;
    switch (p->padding) {
    case RSA_NO_PADDING:
        if (in_len == n)
            memcpy(block, in, n);
        return in_len == n;
    case RSA_PKCS1_PADDING:
        return in_len <= n && RSA_padding_add_PKCS1_type_2(block, (int)n, in, (int)in_len) == 1;
    case RSA_PKCS1_OAEP_PADDING:
        ok = in_len <= n && get_digests(c, p, &md, &mgf) &&
             RSA_padding_add_PKCS1_OAEP_mgf1(block, (int)n, in, (int)in_len, p->label, (int)p->label_len, md,
                                             mgf) == 1;
        EVP_MD_free(md);
        EVP_MD_free(mgf);
        return ok;
    default:
        return 0;
    }
}

static int encrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in,
                   size_t in_len) {
    struct cipher *c = ctx;
    const struct limbic_prov_rsa_numbers *n = out && c->key ? limbic_prov_rsa_numbers(c->key) : NULL;
    uint8_t block[LIMBIC_RSA_MAX_BYTES];
    struct plan p;
    int ok;
    if (!limbic_prov_running(c->prov))
        return 0;
    if (!n || n->bytes > size || !get_plan(c, &p))
        return THEIRS(c, encrypt, ENCRYPT)(c->other, out, out_len, size, in, in_len);
    (void)ERR_set_mark();
    ok = fill_block(c, &p, block, n->bytes, in, in_len) &&
         limbic_rsa_public_op(n->key, n->len, out, n->bytes, block, n->bytes) == LIMBIC_OK;
    (void)ERR_pop_to_mark();
    limbic_wipe(block, n->bytes);
    if (!ok) /* refused, with its error */
        return THEIRS(c, encrypt, ENCRYPT)(c->other, out, out_len, size, in, in_len);
    *out_len = n->bytes;
    limbic_prov_count(COUNT_ENCRYPT);
    return 1;
}

/* The message in a block, by libcrypto's own check; its length, or -1. */
static int open_block(const struct cipher *c, const struct plan *p, uint8_t *out, size_t size,
                      const uint8_t *block, size_t n) {
    EVP_MD *md = NULL, *mgf = NULL;
    int len = -1;
    if (p->padding == RSA_NO_PADDING) {
        memcpy(out, block, n);
        return (int)n;
    }
    if (p->padding == RSA_PKCS1_PADDING)
        return RSA_padding_check_PKCS1_type_2(out, (int)size, block, (int)n, (int)n);
    if (get_digests(c, p, &md, &mgf))
        len = RSA_padding_check_PKCS1_OAEP_mgf1(out, (int)size, block, (int)n, (int)n, p->label,
                                                (int)p->label_len, md, mgf);
    EVP_MD_free(md);
    EVP_MD_free(mgf);
    return len;
}

static int decrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in,
                   size_t in_len) {
    struct cipher *c = ctx;
    const struct limbic_prov_rsa_numbers *n = out && c->key ? limbic_prov_rsa_numbers(c->key) : NULL;
    uint8_t block[LIMBIC_RSA_MAX_BYTES];
    limbic_status status;
    struct plan p;
    int len;
    if (!limbic_prov_running(c->prov))
        return 0;
    if (!n || !n->private_here || n->bytes > size || in_len != n->bytes || !get_plan(c, &p) ||
        c->explicit_rejection ||
        (p.padding != RSA_NO_PADDING && p.padding != RSA_PKCS1_PADDING &&
         p.padding != RSA_PKCS1_OAEP_PADDING))
        return THEIRS(c, decrypt, DECRYPT)(c->other, out, out_len, size, in, in_len);
    limbic_prov_count(COUNT_DECRYPT);
    if (p.padding == RSA_PKCS1_PADDING && c->prov->implicit_rejection) {
        *out_len = size;
        status = limbic_rsa_decrypt_pkcs1(n->key, n->len, out, out_len, in, in_len);
        return status ? FAIL(c->prov, status) : 1;
    }
    status = limbic_rsa_private_op(n->key, n->len, block, n->bytes, in, in_len);
    if (status)
        return FAIL(c->prov, status);
    len = open_block(c, &p, out, n->bytes, block, n->bytes);
    limbic_wipe(block, n->bytes);
    const size_t good =
        (size_t)0 - (size_t)(len >= 0); /* no branch: of PKCS #1 the length is secret where it fails */
    *out_len = ((size_t)len & good) | (*out_len & ~good);
    return len >= 0;
}

/* ---- parameters ---- */

static int get_params(void *ctx, OSSL_PARAM params[]) {
    const struct cipher *c = ctx;
    return c && THEIRS(c, get_ctx_params, GET_CTX_PARAMS)(c->other, params);
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct cipher *c = ctx;
    if (!c)
        return 0;
    note_params(c, params);
    return THEIRS(c, set_ctx_params, SET_CTX_PARAMS)(c->other, params);
}

static const OSSL_PARAM *gettable(void *ctx, void *prov) {
    struct limbic_prov *p = prov;
    const struct cipher *c = ctx;
    const struct limbic_other_functions *f = limbic_prov_other(p, OTHER_RSA_CIPHER);
    return f ? OTHER(f, asym_cipher_gettable_ctx_params, ASYM_CIPHER_GETTABLE_CTX_PARAMS)(c ? c->other : NULL,
                                                                                          p->other_ctx)
             : NULL;
}

static const OSSL_PARAM *settable(void *ctx, void *prov) {
    struct limbic_prov *p = prov;
    const struct cipher *c = ctx;
    const struct limbic_other_functions *f = limbic_prov_other(p, OTHER_RSA_CIPHER);
    return f ? OTHER(f, asym_cipher_settable_ctx_params, ASYM_CIPHER_SETTABLE_CTX_PARAMS)(c ? c->other : NULL,
                                                                                          p->other_ctx)
             : NULL;
}

const OSSL_DISPATCH limbic_prov_rsa_cipher[] = {
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_NEWCTX, new_cipher),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_FREECTX, free_cipher),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_DUPCTX, dup_cipher),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, encrypt_init),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, encrypt),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, decrypt_init),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_DECRYPT, decrypt),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, get_params),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, gettable),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, set_params),
    LIMBIC_DISPATCH(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, settable),
    OSSL_DISPATCH_END,
};
