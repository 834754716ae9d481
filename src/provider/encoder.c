/*
 * Writing EC keys to files: by the default provider's encoders, which get the key as that provider has it. Without these here, libcrypto would carry keys
 * over by export and import, and that way a key of the type EC on the curve SM2, as `openssl ecparam -genkey -name SM2` makes it, is refused.
 */
#include "provider/provider.h"

#include <pthread.h>
#include <string.h>

#define KEY struct limbic_prov_key

enum { ENCODERS = 24 }; /* the default provider has at most 12 of EC keys */

static const OSSL_DISPATCH *others[ENCODERS]; /* in the order of the algorithms */

struct encoder {
    struct limbic_prov *prov;
    const OSSL_DISPATCH *f;
    void *other;
};

static void (*function(const OSSL_DISPATCH *f, int id))(void) {
    for (; f && f->function_id; f++)
        if (f->function_id == id)
            return f->function;
    return NULL;
}
#define CALL(f, type, id) ((OSSL_FUNC_##type##_fn *)function((f), OSSL_FUNC_##id))

static void *new_encoder(struct limbic_prov *prov, int i) {
    struct encoder *e = OPENSSL_zalloc(sizeof *e);
    if (e) {
        e->prov = prov;
        e->f = others[i];
        e->other = CALL(e->f, encoder_newctx, ENCODER_NEWCTX)(prov->other_ctx);
    }
    if (e && e->other)
        return e;
    OPENSSL_free(e);
    (void)FAIL(prov, REASON_MEMORY);
    return NULL;
}

static int does_selection(struct limbic_prov *prov, int i, int selection) {
    OSSL_FUNC_encoder_does_selection_fn *f = CALL(others[i], encoder_does_selection, ENCODER_DOES_SELECTION);
    return !f || f(prov->other_ctx, selection);
}

static void free_encoder(void *ctx) {
    struct encoder *e = ctx;
    if (!e)
        return;
    CALL(e->f, encoder_freectx, ENCODER_FREECTX)(e->other);
    OPENSSL_free(e);
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
    struct encoder *e = ctx;
    OSSL_FUNC_encoder_set_ctx_params_fn *f = CALL(e->f, encoder_set_ctx_params, ENCODER_SET_CTX_PARAMS);
    return !f || f(e->other, params);
}

static const OSSL_PARAM *settable(void *ctx) {
    static const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
                                        OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
                                        OSSL_PARAM_int(OSSL_ENCODER_PARAM_SAVE_PARAMETERS, NULL),
                                        OSSL_PARAM_END};
    (void)ctx;
    return params;
}

static int encode(void *ctx, OSSL_CORE_BIO *out, const void *raw, const OSSL_PARAM abstract[], int selection,
                  OSSL_PASSPHRASE_CALLBACK *cb, void *arg) {
    struct encoder *e = ctx;
    OSSL_FUNC_encoder_encode_fn *f = CALL(e->f, encoder_encode, ENCODER_ENCODE);
    KEY *key = (KEY *)(uintptr_t)raw;
    void *other = key ? key->other : NULL;
    int ok;
    if (key && !other) {
        other = limbic_prov_key_to_other(key, OSSL_KEYMGMT_SELECT_ALL &
                                                  ~(key->has_private ? 0 : OSSL_KEYMGMT_SELECT_PRIVATE_KEY));
        if (!other)
            return 0;
    }
    ok = f(e->other, out, other, abstract, selection, cb, arg);
    if (key && !key->other)
        limbic_prov_key_other_free(key, other);
    return ok;
}

/* Another provider's key, given by its parameters: a key of ours, which free_object frees. */
static void *import_object(void *ctx, int selection, const OSSL_PARAM params[]) {
    const struct encoder *e = ctx;
    KEY *key = CALL(limbic_prov_keymgmt_ec, keymgmt_new, KEYMGMT_NEW)(e->prov);
    if (key && CALL(limbic_prov_keymgmt_ec, keymgmt_import, KEYMGMT_IMPORT)(key, selection, params))
        return key;
    limbic_prov_key_free(key);
    return NULL;
}

static void free_object(void *key) {
    limbic_prov_key_free(key);
}

/* What has no context tells by its own number which encoder it stands for. */
#define ENCODER(i)                                                                                           \
    static void *new_##i(void *ctx) {                                                                        \
        return new_encoder(ctx, 0x##i);                                                                      \
    }                                                                                                        \
    static int does_##i(void *ctx, int selection) {                                                          \
        return does_selection(ctx, 0x##i, selection);                                                        \
    }                                                                                                        \
    static const OSSL_DISPATCH encoder_##i[] = {                                                             \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_NEWCTX, new_##i),                                                  \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_FREECTX, free_encoder),                                            \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_params),                                       \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable),                                    \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_DOES_SELECTION, does_##i),                                         \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_ENCODE, encode),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_IMPORT_OBJECT, import_object),                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_ENCODER_FREE_OBJECT, free_object),                                         \
        OSSL_DISPATCH_END}

ENCODER(00);
ENCODER(01);
ENCODER(02);
ENCODER(03);
ENCODER(04);
ENCODER(05);
ENCODER(06);
ENCODER(07);
ENCODER(08);
ENCODER(09);
ENCODER(0a);
ENCODER(0b);
ENCODER(0c);
ENCODER(0d);
ENCODER(0e);
ENCODER(0f);
ENCODER(10);
ENCODER(11);
ENCODER(12);
ENCODER(13);
ENCODER(14);
ENCODER(15);
ENCODER(16);
ENCODER(17);

static const OSSL_DISPATCH *const dispatch[ENCODERS] = {
    encoder_00, encoder_01, encoder_02, encoder_03, encoder_04, encoder_05, encoder_06, encoder_07,
    encoder_08, encoder_09, encoder_0a, encoder_0b, encoder_0c, encoder_0d, encoder_0e, encoder_0f,
    encoder_10, encoder_11, encoder_12, encoder_13, encoder_14, encoder_15, encoder_16, encoder_17};

/* The properties of a default provider's encoder ("provider=default,output=pem,structure=...") in our name. */
static int properties(char *out, size_t size, const char *theirs) {
    const char *rest = strstr(theirs, "output=");
    static const char own[] = "provider=limbic,";
    if (!rest || sizeof own + strlen(rest) > size)
        return 0;
    memcpy(out, own, sizeof own - 1);
    memcpy(out + sizeof own - 1, rest, strlen(rest) + 1);
    return 1;
}

const OSSL_ALGORITHM *limbic_prov_encoders(struct limbic_prov *p) {
    static pthread_mutex_t once =
        PTHREAD_MUTEX_INITIALIZER; /* providers of several library contexts share the table */
    static char texts[ENCODERS][96];
    static OSSL_ALGORITHM algorithms[ENCODERS + 1];
    const OSSL_ALGORITHM *a = limbic_prov_other_algorithms(p, OSSL_OP_ENCODER);
    int n = 0;
    (void)pthread_mutex_lock(&once);
    if (!algorithms[0].algorithm_names)
        for (; a && a->algorithm_names && n < ENCODERS; a++)
            if (limbic_prov_has_name(a->algorithm_names, "EC") &&
                properties(texts[n], sizeof texts[n], a->property_definition)) {
                others[n] = a->implementation;
                algorithms[n] = (OSSL_ALGORITHM){a->algorithm_names, texts[n], dispatch[n], "Limbic EC"};
                n++;
            }
    (void)pthread_mutex_unlock(&once);
    return algorithms[0].algorithm_names ? algorithms : NULL;
}
