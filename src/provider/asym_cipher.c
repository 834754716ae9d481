/* SM2 encryption, in the ASN.1 form of GM/T 0009 with SM3. With another digest, which the default provider allows, that one does it. */
#include "base/limb.h"
#include "provider/provider.h"

#include <openssl/evp.h>
#include <string.h>

#define KEY struct limbic_prov_key

struct cipher {
    struct limbic_prov *prov;
    KEY *key;
    char digest[64], properties[128]; /* "": SM3 */
    int is_sm3;
};

static void *new_cipher(void *ctx) {
    struct cipher *c = OPENSSL_zalloc(sizeof *c);
    if (!c) {
        (void)FAIL((struct limbic_prov *)ctx, REASON_MEMORY);
        return NULL;
    }
    c->prov = ctx;
    c->is_sm3 = 1;
    return c;
}

static void free_cipher(void *ctx) {
    struct cipher *c = ctx;
    if (!c)
        return;
    limbic_prov_key_free(c->key);
    OPENSSL_free(c);
}

static void *dup_cipher(void *ctx) {
    const struct cipher *from = ctx;
    struct cipher *c = OPENSSL_memdup(from, sizeof *from);
    if (!c) {
        (void)FAIL(from->prov, REASON_MEMORY);
        return NULL;
    }
    if (c->key)
        (void)limbic_prov_key_ref(c->key);
    return c;
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct cipher *c = ctx;
    const OSSL_PARAM *p, *q;
    char name[sizeof c->digest], *at = name, properties[sizeof c->properties] = "", *props = properties;
    EVP_MD *md;
    if (!c)
        return 0;
    if (!params)
        return 1;
    p = OSSL_PARAM_locate_const(params, OSSL_ASYM_CIPHER_PARAM_DIGEST);
    if (!p)
        return 1;
    q = OSSL_PARAM_locate_const(params, OSSL_ASYM_CIPHER_PARAM_PROPERTIES);
    if (!OSSL_PARAM_get_utf8_string(p, &at, sizeof name) ||
        (q && !OSSL_PARAM_get_utf8_string(q, &props, sizeof properties)))
        return FAIL(c->prov, REASON_PARAMETER);
    md = EVP_MD_fetch(c->prov->libctx, name, properties);
    if (!md)
        return FAIL(c->prov, REASON_DIGEST);
    c->is_sm3 = EVP_MD_is_a(md, "SM3");
    EVP_MD_free(md);
    memcpy(c->digest, name, sizeof name);
    memcpy(c->properties, properties, sizeof properties);
    return 1;
}

static int init(struct cipher *c, KEY *key, const OSSL_PARAM params[], int has_part) {
    if (!limbic_prov_running(c->prov))
        return 0;
    if (!key->curve || !has_part)
        return FAIL(c->prov, REASON_NO_KEY);
    limbic_prov_key_free(c->key);
    c->key = limbic_prov_key_ref(key);
    return set_params(c, params);
}

static int encrypt_init(void *ctx, void *key, const OSSL_PARAM params[]) {
    return ctx && key && init(ctx, key, params, ((KEY *)key)->has_public);
}

static int decrypt_init(void *ctx, void *key, const OSSL_PARAM params[]) {
    return ctx && key && init(ctx, key, params, ((KEY *)key)->has_private);
}

/* By the default provider, with its digest. */
static int other_crypt(struct cipher *c, int encrypt, uint8_t *out, size_t *out_len, size_t size,
                       const uint8_t *in, size_t n) {
    const struct limbic_other_functions *f = limbic_prov_other(c->prov, OTHER_SM2_CIPHER);
    const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_DIGEST, c->digest, strlen(c->digest)), OSSL_PARAM_END};
    void *key =
        f ? limbic_prov_key_to_other(c->key, c->key->has_private
                                                 ? OSSL_KEYMGMT_SELECT_ALL
                                                 : OSSL_KEYMGMT_SELECT_ALL & ~OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
          : NULL;
    void *other = key ? OTHER(f, asym_cipher_newctx, ASYM_CIPHER_NEWCTX)(c->prov->other_ctx) : NULL;
    int ok = 0;
    if (other && encrypt)
        ok = OTHER(f, asym_cipher_encrypt_init, ASYM_CIPHER_ENCRYPT_INIT)(other, key, params) &&
             OTHER(f, asym_cipher_encrypt, ASYM_CIPHER_ENCRYPT)(other, out, out_len, size, in, n);
    else if (other)
        ok = OTHER(f, asym_cipher_decrypt_init, ASYM_CIPHER_DECRYPT_INIT)(other, key, params) &&
             OTHER(f, asym_cipher_decrypt, ASYM_CIPHER_DECRYPT)(other, out, out_len, size, in, n);
    if (other)
        OTHER(f, asym_cipher_freectx, ASYM_CIPHER_FREECTX)(other);
    limbic_prov_key_other_free(c->key, key);
    return ok;
}

static int encrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in,
                   size_t n) {
    struct cipher *c = ctx;
    limbic_status status;
    if (!limbic_prov_running(c->prov))
        return 0;
    if (!c->key)
        return FAIL(c->prov, REASON_NO_KEY);
    if (!c->is_sm3)
        return other_crypt(c, 1, out, out_len, size, in, n);
    if (!out) {
        *out_len = limbic_sm2_ciphertext_bytes(LIMBIC_SM2_DER, n);
        return *out_len ? 1 : FAIL(c->prov, LIMBIC_ERR_MESSAGE);
    }
    *out_len = size;
    status = limbic_sm2_encrypt(LIMBIC_SM2_DER, out, out_len, c->key->q, sizeof(uint8_t[65]), in, n);
    if (status)
        return FAIL(c->prov, status);
    limbic_prov_count(COUNT_ENCRYPT);
    return 1;
}

static int decrypt(void *ctx, unsigned char *out, size_t *out_len, size_t size, const unsigned char *in,
                   size_t n) {
    struct cipher *c = ctx;
    limbic_status status;
    if (!limbic_prov_running(c->prov))
        return 0;
    if (!c->key)
        return FAIL(c->prov, REASON_NO_KEY);
    if (!c->is_sm3)
        return other_crypt(c, 0, out, out_len, size, in, n);
    *out_len = out ? size : 0;
    status = limbic_sm2_decrypt(LIMBIC_SM2_DER, out, out_len, c->key->d, 32, in, n);
    if (!out && status == LIMBIC_ERR_BUFFER)
        return 1; /* the length was asked for */
    limbic_prov_count(COUNT_DECRYPT);
    return status ? FAIL(c->prov, status) : 1;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
    const struct cipher *c = ctx;
    OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_ASYM_CIPHER_PARAM_DIGEST);
    return !p || OSSL_PARAM_set_utf8_string(p, c->digest);
}

static const OSSL_PARAM *gettable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_DIGEST, NULL, 0),
                                        OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

static const OSSL_PARAM *settable(void *ctx, void *prov) {
    static const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_DIGEST, NULL, 0),
                                        OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_PROPERTIES, NULL, 0),
                                        OSSL_PARAM_END};
    (void)ctx;
    (void)prov;
    return params;
}

const OSSL_DISPATCH limbic_prov_sm2_cipher[] = {
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
