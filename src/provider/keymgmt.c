/*
 * Keys: the types "EC" and "SM2". P-256, P-384, P-521 and SM2 are ours; an EC key on any other curve is one of the default provider's, which does all
 * with it. Files are read by the default provider's decoders: such a key comes here by import, at its first use.
 */
#include "base/limb.h"
#include "provider/provider.h"

#include <string.h>

#define KEY struct limbic_prov_key

enum {
    PRIVATE = OSSL_KEYMGMT_SELECT_PRIVATE_KEY,
    PUBLIC = OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
    PAIR = OSSL_KEYMGMT_SELECT_KEYPAIR,
    DOMAIN = OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS,
    REST = OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS,
    ALL = OSSL_KEYMGMT_SELECT_ALL,
};

static const struct curve_names {
    limbic_curve curve;
    const char *name, *also; /* the first is what libcrypto calls it */
    int bits, security, signature_bytes;
} curves[] = {
    {LIMBIC_P256, "prime256v1", "P-256", 256, 128, 72},
    {LIMBIC_P384, "secp384r1", "P-384", 384, 192, 104},
    {LIMBIC_P521, "secp521r1", "P-521", 521, 256, 139},
    {LIMBIC_SM2, "SM2", "SM2", 256, 128, 72},
};

static const struct curve_names *names_of(limbic_curve curve) {
    return &curves[curve - LIMBIC_P256];
}

size_t limbic_prov_signature_bytes(limbic_curve curve) {
    return (size_t)names_of(curve)->signature_bytes;
}

/* The curve that a parameter names, if it is one of ours for this type of key: 0 if not. */
static limbic_curve curve_named(const OSSL_PARAM *group, int sm2) {
    for (size_t i = 0; group && i < sizeof curves / sizeof *curves; i++)
        if ((limbic_prov_text_is(group, curves[i].name) || limbic_prov_text_is(group, curves[i].also)) &&
            sm2 == (curves[i].curve == LIMBIC_SM2))
            return curves[i].curve;
    return (limbic_curve)0;
}

static enum limbic_other other_of(const KEY *key) {
    return key->sm2 ? OTHER_KEYMGMT_SM2 : OTHER_KEYMGMT_EC;
}

static size_t bytes_of(const KEY *key) {
    return limbic_curve_bytes(key->curve);
}

/* ---- numbers in the processor's order of bytes, as parameters have them ---- */

static size_t native(size_t i, size_t n) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    (void)n;
    return i;
#else
    return n - 1 - i;
#endif
}

/* n bytes, most significant first, of a parameter of any length. 0 if the number is longer. Constant time in the number. */
static int get_number(uint8_t *out, size_t n, const OSSL_PARAM *p) {
    const uint8_t *in = p->data;
    const size_t size = p->data_size;
    unsigned beyond = 0;
    if (!in || p->data_type != OSSL_PARAM_UNSIGNED_INTEGER)
        return 0;
    memset(out, 0, n);
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = in[native(i, size)];
        if (size - i > n)
            beyond |= byte;
        else
            out[n - (size - i)] = byte;
    }
    return beyond == 0;
}

/* Fills the buffer, with zeros before the number; only its n bytes where the length is not to depend on the buffer's. */
static int set_number(OSSL_PARAM *p, const uint8_t *number, size_t n, int exact) {
    uint8_t *out = p->data;
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER)
        return 0;
    p->return_size = n;
    if (!out)
        return 1;
    if (p->data_size < n)
        return 0;
    if (exact)
        p->data_size = n;
    p->return_size = p->data_size;
    for (size_t i = 0; i < p->data_size; i++) {
        const size_t left = p->data_size - i;
        out[native(i, p->data_size)] = left > n ? 0 : number[n - left];
    }
    return 1;
}

/* ---- objects ---- */

static KEY *make(struct limbic_prov *prov, int sm2) {
    KEY *key;
    if (!limbic_prov_running(prov))
        return NULL;
    key = OPENSSL_zalloc(sizeof *key);
    if (!key) {
        (void)FAIL(prov, REASON_MEMORY);
        return NULL;
    }
    key->prov = prov;
    key->sm2 = sm2;
    atomic_init(&key->refs, 1);
    return key;
}

static void *ec_new(void *ctx) {
    return make(ctx, 0);
}

static void *sm2_new(void *ctx) {
    KEY *key = make(ctx, 1);
    if (key)
        key->curve = LIMBIC_SM2;
    return key;
}

KEY *limbic_prov_key_ref(KEY *key) {
    atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
    return key;
}

/* ---- prepared public keys ---- */

/* A table costs as much time as it saves in 9 (P-384, portable C) to 11 (SM2) verifications: who makes it at the tenth loses at most as much as was lost
 * before. Tables are large (52 to 236 KiB), so there is a limit for all keys together; when it is reached, others go on without. */
enum { PREPARED_AT = 10 };

static atomic_size_t prepared_bytes;

size_t limbic_prov_prepared_bytes(void) {
    return atomic_load(&prepared_bytes);
}

static void *prepare(const KEY *key) {
    const size_t len = limbic_ec_prepared_bytes(key->curve);
    void *prepared = NULL;
    if (atomic_fetch_add(&prepared_bytes, len) + len <= key->prov->prepared_limit)
        prepared = OPENSSL_malloc(len);
    if (prepared && !limbic_ec_prepare(key->curve, prepared, len, key->q, 1 + 2 * bytes_of(key)))
        return prepared;
    OPENSSL_free(prepared);
    atomic_fetch_sub(&prepared_bytes, len);
    return NULL;
}

const void *limbic_prov_key_prepared(KEY *key) {
    void *prepared = atomic_load_explicit(&key->prepared, memory_order_acquire);
    if (prepared || !key->prov->prepared_limit ||
        (atomic_fetch_add_explicit(&key->verifications, 1, memory_order_relaxed) + 1) % PREPARED_AT ||
        atomic_exchange(&key->preparing, 1))
        return prepared;
    prepared = prepare(key);
    atomic_store_explicit(&key->prepared, prepared, memory_order_release);
    if (prepared)
        limbic_prov_count(COUNT_PREPARED);
    else /* after as many verifications again there may be room */
        atomic_store(&key->preparing, 0);
    return prepared;
}

/* What was derived from the public or private key. */
static void forget(KEY *key) {
    void *prepared = atomic_exchange(&key->prepared, NULL);
    if (prepared) {
        atomic_fetch_sub(&prepared_bytes, limbic_ec_prepared_bytes(key->curve));
        OPENSSL_free(prepared);
    }
    atomic_store(&key->verifications, 0);
    atomic_store(&key->preparing, 0);
    OPENSSL_free(atomic_exchange(&key->z, NULL));
    OPENSSL_clear_free(atomic_exchange(&key->signer, NULL), sizeof(limbic_sm2_signer));
}

void limbic_prov_key_other_free(const KEY *key, void *other) {
    if (other)
        OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_free, KEYMGMT_FREE)(other);
}

void limbic_prov_key_free(KEY *key) {
    if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1)
        return;
    limbic_prov_key_other_free(key, key->other);
    forget(key);
    OPENSSL_clear_free(key, sizeof *key);
}

static void free_key(void *key) {
    limbic_prov_key_free(key);
}

/* A decoder's reference to a key is a pointer to the pointer; who takes it, owns it. */
static void *load(const void *reference, size_t size) {
    KEY *key;
    if (size != sizeof key)
        return NULL;
    key = *(KEY *const *)reference;
    memset((void *)(uintptr_t)reference, 0, sizeof key);
    return key;
}

static int has(const void *data, int selection) {
    const KEY *key = data;
    if (!key)
        return 0;
    if (key->other)
        return OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_has, KEYMGMT_HAS)(key->other,
                                                                                            selection);
    return (!(selection & PUBLIC) || key->has_public) && (!(selection & PRIVATE) || key->has_private) &&
           (!(selection & DOMAIN) || key->curve);
}

/* ---- parameters of a key ---- */

/* Words of a parameter, by number. */
static const char *const encodings[] = {OSSL_PKEY_EC_ENCODING_GROUP, OSSL_PKEY_EC_ENCODING_EXPLICIT, NULL};
static const char *const checks[] = {"default", "named", "named-nist", NULL};
static const char *const forms[] = {"uncompressed", "compressed", "hybrid", NULL};
static const uint8_t form_bytes[] = {4, 2, 6}; /* the first of an encoded point */

static int word(const OSSL_PARAM params[], const char *name, const char *const *words, uint8_t *out) {
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    if (!p)
        return 1;
    for (uint8_t i = 0; words[i]; i++)
        if (limbic_prov_text_is(p, words[i])) {
            *out = i;
            return 1;
        }
    return 0;
}

static int flag(const OSSL_PARAM params[], const char *name, uint8_t *out) {
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, name);
    int value;
    if (!p)
        return 1;
    if (!OSSL_PARAM_get_int(p, &value) || value < 0 || value > 1)
        return 0;
    *out = (uint8_t)value;
    return 1;
}

/* All that a key carries besides its numbers. */
static int set_form(KEY *key, const OSSL_PARAM params[]) {
    uint8_t with_public = !key->form.no_public;
    if (!word(params, OSSL_PKEY_PARAM_EC_ENCODING, encodings, &key->form.explicit_curve) ||
        !word(params, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, checks, &key->form.check) ||
        !word(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, forms, &key->form.point) ||
        !flag(params, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, &with_public) ||
        !flag(params, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &key->form.from_explicit) ||
        !flag(params, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, &key->form.cofactor))
        return FAIL(key->prov, REASON_PARAMETER);
    key->form.no_public = !with_public;
    return 1;
}

/* A point in any form of X9.62, the hybrid one (6 or 7, the last bit being y's) too. */
static int set_public(KEY *key, const OSSL_PARAM *p) {
    const size_t n = bytes_of(key), full = 1 + 2 * n;
    const uint8_t *in = p->data;
    uint8_t point[LIMBIC_MAX_POINT_BYTES];
    size_t len = p->data_size, out = full;
    limbic_status status;

    if (!in || p->data_type != OSSL_PARAM_OCTET_STRING || !len || len > full)
        return FAIL(key->prov, LIMBIC_ERR_LENGTH);
    memcpy(point, in, len);
    if (len == full && (point[0] & 0xfe) == 6 && (point[0] & 1) == (point[full - 1] & 1))
        point[0] = 4;
    status = limbic_ec_convert(key->curve, LIMBIC_UNCOMPRESSED, key->q, &out, point, len);
    if (status)
        return FAIL(key->prov, status);
    key->has_public = 1;
    forget(key);
    return 1;
}

static int set_private(KEY *key, const OSSL_PARAM *p) {
    const size_t n = bytes_of(key);
    limbic_status status = LIMBIC_ERR_PRIVATE_KEY;
    if (get_number(key->d, n, p))
        status = limbic_ec_check_private(key->curve, key->d, n);
    key->has_private = status == LIMBIC_OK;
    forget(key);
    if (key->has_private)
        return 1;
    limbic_wipe(key->d, sizeof key->d);
    return FAIL(key->prov, status);
}

static int import_other(KEY *key, int selection, const OSSL_PARAM params[]) {
    const struct limbic_other_functions *f = limbic_prov_other(key->prov, other_of(key));
    if (!f)
        return 0;
    key->other = OTHER(f, keymgmt_new, KEYMGMT_NEW)(key->prov->other_ctx);
    if (!key->other || !OTHER(f, keymgmt_import, KEYMGMT_IMPORT)(key->other, selection, params))
        return FAIL(key->prov, LIMBIC_ERR_CURVE);
    return 1;
}

/* A curve that came by its numbers may be one of ours all the same, as the default provider finds: then this is no longer its key. */
static int known_by_numbers(KEY *key) {
    char group[64] = "", encoding[16] = "";
    int from_explicit = 0;
    OSSL_PARAM ask[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group),
                        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, encoding, sizeof encoding),
                        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &from_explicit),
                        OSSL_PARAM_END};
    const struct limbic_other_functions *f = limbic_prov_other(key->prov, other_of(key));
    limbic_curve curve = (limbic_curve)0;
    if (OTHER(f, keymgmt_get_params, KEYMGMT_GET_PARAMS)(key->other, ask))
        curve = curve_named(&ask[0], key->sm2);
    if (!curve || !set_form(key, ask))
        return 0;
    key->curve = curve;
    limbic_prov_key_other_free(key, key->other);
    key->other = NULL;
    return 1;
}

static int import(void *data, int selection, const OSSL_PARAM params[]) {
    KEY *key = data;
    const OSSL_PARAM *group = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME), *p;

    if (!(selection & DOMAIN))
        return FAIL(key->prov, REASON_PARAMETER);
    key->curve = curve_named(group, key->sm2);
    if (!key->curve && (key->sm2 || !import_other(key, selection, params)))
        return key->sm2 ? FAIL(key->prov, LIMBIC_ERR_CURVE) : 0;
    if (!key->curve && (group || !known_by_numbers(key))) {
        limbic_prov_count(COUNT_PASSED_ON);
        return 1;
    }
    if (!set_form(key, params))
        return 0;
    if ((selection & PAIR) && (p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY)) != NULL &&
        !set_public(key, p))
        return 0;
    if ((selection & PRIVATE) && (p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY)) != NULL &&
        !set_private(key, p))
        return 0;
    limbic_prov_count(COUNT_IMPORT);
    return 1;
}

/* The public key in the form that the key asks for. */
static size_t put_point(const KEY *key, uint8_t *out) {
    const size_t n = bytes_of(key);
    const uint8_t form = form_bytes[key->form.point];
    memcpy(out, key->q, 1 + 2 * n);
    if (form != 4)
        out[0] = form | (out[2 * n] & 1);
    return form == 2 ? 1 + n : 1 + 2 * n;
}

static int export(void *data, int selection, OSSL_CALLBACK *cb, void *arg) {
    KEY *key = data;
    OSSL_PARAM params[10], *p = params;
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES];
    int with_public = !key->form.no_public, cofactor = key->form.cofactor,
        from_explicit = key->form.from_explicit, ok;

    if (key->other)
        return OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_export,
                     KEYMGMT_EXPORT)(key->other, selection, cb, arg);
    if (!key->curve || !(selection & DOMAIN) || ((selection & PRIVATE) && !(selection & PUBLIC)))
        return FAIL(key->prov, REASON_NO_KEY);
#define TEXT(name, text) *p++ = OSSL_PARAM_construct_utf8_string((name), (char *)(uintptr_t)(text), 0)
    TEXT(OSSL_PKEY_PARAM_GROUP_NAME, names_of(key->curve)->name);
    TEXT(OSSL_PKEY_PARAM_EC_ENCODING, encodings[key->form.explicit_curve]);
    TEXT(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, forms[key->form.point]);
    if (from_explicit)
        *p++ = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, &from_explicit);
    if ((selection & PUBLIC) && key->has_public)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, q, put_point(key, q));
    if ((selection & PRIVATE) && key->has_private) {
        *p = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, d, bytes_of(key));
        (void)set_number(p++, key->d, bytes_of(key), 1);
    }
    if (selection & REST) {
        TEXT(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, checks[key->form.check]);
        *p++ = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, &with_public);
        *p++ = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, &cofactor);
    }
    *p = OSSL_PARAM_construct_end();
    ok = cb(params, arg);
    limbic_wipe(d, sizeof d);
    return ok;
}

struct to_other {
    const struct limbic_other_functions *f;
    void *other;
    int selection;
};

static int give_other(const OSSL_PARAM params[], void *arg) {
    struct to_other *t = arg;
    return OTHER(t->f, keymgmt_import, KEYMGMT_IMPORT)(t->other, t->selection, params);
}

void *limbic_prov_key_to_other(KEY *key, int selection) {
    struct to_other t = {limbic_prov_other(key->prov, other_of(key)), NULL, selection};
    if (!t.f)
        return NULL;
    t.other = OTHER(t.f, keymgmt_new, KEYMGMT_NEW)(key->prov->other_ctx);
    if (t.other && !export(key, selection, give_other, &t)) {
        limbic_prov_key_other_free(key, t.other);
        t.other = NULL;
    }
    return t.other;
}

static const char *const domain_names[] = {OSSL_PKEY_PARAM_EC_FIELD_TYPE, OSSL_PKEY_PARAM_EC_P,
                                           OSSL_PKEY_PARAM_EC_A,          OSSL_PKEY_PARAM_EC_B,
                                           OSSL_PKEY_PARAM_EC_GENERATOR,  OSSL_PKEY_PARAM_EC_ORDER,
                                           OSSL_PKEY_PARAM_EC_COFACTOR,   OSSL_PKEY_PARAM_EC_SEED};

/* The curve's numbers, and they alone, are asked of the default provider, which has them. */
static int get_domain(KEY *key, OSSL_PARAM params[]) {
    enum { NAMES = sizeof domain_names / sizeof *domain_names };
    OSSL_PARAM ask[NAMES + 1], *from[NAMES];
    size_t n = 0;
    void *other;
    int ok;
    for (size_t i = 0; i < NAMES; i++) {
        from[n] = OSSL_PARAM_locate(params, domain_names[i]);
        if (from[n])
            ask[n] = *from[n], n++;
    }
    if (!n)
        return 1;
    ask[n] = OSSL_PARAM_construct_end();
    other = limbic_prov_key_to_other(key, DOMAIN);
    ok = other && OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_get_params,
                        KEYMGMT_GET_PARAMS)(other, ask);
    limbic_prov_key_other_free(key, other);
    while (n-- > 0)
        *from[n] = ask[n];
    return ok;
}

static int get_params(void *data, OSSL_PARAM params[]) {
    KEY *key = data;
    uint8_t point[LIMBIC_MAX_POINT_BYTES];
    int ok;
    if (key->other)
        return OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_get_params,
                     KEYMGMT_GET_PARAMS)(key->other, params);
    if (!key->curve)
        return FAIL(key->prov, REASON_NO_KEY);
    const struct curve_names *names = names_of(key->curve);
    const size_t n = bytes_of(key);
    ok = get_domain(key, params);
    for (OSSL_PARAM *p = params; ok && p->key; p++) {
#define IS(name) (strcmp(p->key, (name)) == 0)
        if (IS(OSSL_PKEY_PARAM_BITS))
            ok = OSSL_PARAM_set_int(p, names->bits);
        else if (IS(OSSL_PKEY_PARAM_SECURITY_BITS))
            ok = OSSL_PARAM_set_int(p, names->security);
        else if (IS(OSSL_PKEY_PARAM_SECURITY_CATEGORY))
            ok = OSSL_PARAM_set_int(p, 0);
        else if (IS(OSSL_PKEY_PARAM_MAX_SIZE))
            ok = OSSL_PARAM_set_int(p, names->signature_bytes);
        else if (IS(OSSL_PKEY_PARAM_DEFAULT_DIGEST))
            ok = OSSL_PARAM_set_utf8_string(p, key->sm2 ? "SM3" : "SHA256");
        else if (IS(OSSL_PKEY_PARAM_GROUP_NAME))
            ok = OSSL_PARAM_set_utf8_string(p, names->name);
        else if (IS(OSSL_PKEY_PARAM_EC_ENCODING))
            ok = OSSL_PARAM_set_utf8_string(p, encodings[key->form.explicit_curve]);
        else if (IS(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS))
            ok = OSSL_PARAM_set_int(p, key->form.from_explicit);
        else if (IS(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT))
            ok = OSSL_PARAM_set_utf8_string(p, forms[key->form.point]);
        else if (IS(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE))
            ok = OSSL_PARAM_set_utf8_string(p, checks[key->form.check]);
        else if (IS(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC) && key->form.no_public)
            ok = OSSL_PARAM_set_int(p, 0);
        else if (IS(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH))
            ok = OSSL_PARAM_set_int(p, key->form.cofactor);
        else if (IS(OSSL_PKEY_PARAM_PUB_KEY) && key->has_public)
            ok = OSSL_PARAM_set_octet_string(p, point, put_point(key, point));
        else if (IS(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY))
            ok = key->has_public ? OSSL_PARAM_set_octet_string(p, key->q, 1 + 2 * n)
                                 : FAIL(key->prov, REASON_NO_KEY);
        else if (IS(OSSL_PKEY_PARAM_EC_PUB_X) && key->has_public)
            ok = set_number(p, key->q + 1, n, 0);
        else if (IS(OSSL_PKEY_PARAM_EC_PUB_Y) && key->has_public)
            ok = set_number(p, key->q + 1 + n, n, 0);
        else if (IS(OSSL_PKEY_PARAM_PRIV_KEY) && key->has_private)
            ok = set_number(p, key->d, n, 1);
    }
    return ok;
}

static int set_params(void *data, const OSSL_PARAM params[]) {
    KEY *key = data;
    const OSSL_PARAM *p;
    if (!key || !params)
        return key != NULL;
    if (key->other)
        return OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_set_params,
                     KEYMGMT_SET_PARAMS)(key->other, params);
    if (!key->curve)
        return FAIL(key->prov, REASON_NO_KEY);
    p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    return (!p || set_public(key, p)) && set_form(key, params);
}

/* ---- types of parameters ---- */

#define DOMAIN_TYPES                                                                                         \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),                                             \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),                                        \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),                         \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_FIELD_TYPE, NULL, 0),                                      \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_P, NULL, 0), OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_A, NULL, 0),          \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_B, NULL, 0),                                                        \
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_GENERATOR, NULL, 0),                                      \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_ORDER, NULL, 0),                                                    \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_COFACTOR, NULL, 0),                                                 \
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_SEED, NULL, 0),                                           \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, NULL)
#define PUBLIC_TYPES  OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0)
#define PRIVATE_TYPES OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0)
#define REST_TYPES                                                                                           \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, NULL, 0),                                    \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL),                                             \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL)

/* A key without its curve is none, so a selection of any part names all parts. */
static const OSSL_PARAM *types(int selection) {
    static const OSSL_PARAM domain[] = {DOMAIN_TYPES, REST_TYPES, OSSL_PARAM_END},
                            public[] = {DOMAIN_TYPES, PUBLIC_TYPES, REST_TYPES, OSSL_PARAM_END},
                            pair[] = {DOMAIN_TYPES, PUBLIC_TYPES, PRIVATE_TYPES, REST_TYPES, OSSL_PARAM_END};
    if (!(selection & ALL))
        return NULL;
    return selection & PRIVATE ? pair : selection & PUBLIC ? public : domain;
}

static const OSSL_PARAM *gettable_params(void *ctx) {
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_CATEGORY, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        DOMAIN_TYPES,
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_CHAR2_M, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_CHAR2_TYPE, NULL, 0),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_CHAR2_TP_BASIS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_CHAR2_PP_K1, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_CHAR2_PP_K2, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_CHAR2_PP_K3, NULL),
        PUBLIC_TYPES,
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_X, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_Y, NULL, 0),
        PRIVATE_TYPES,
        REST_TYPES,
        OSSL_PARAM_END,
    };
    (void)ctx;
    return params;
}

static const OSSL_PARAM *settable_params(void *ctx) {
    static const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_SEED, NULL, 0),
        REST_TYPES,
        OSSL_PARAM_END,
    };
    (void)ctx;
    return params;
}

/* ---- comparing, checking, copying ---- */

static int match(const void *data1, const void *data2, int selection) {
    const KEY *a = data1, *b = data2;
    if (a->other || b->other) {
        KEY *a1 = (KEY *)(uintptr_t)a, *b1 = (KEY *)(uintptr_t)b;
        void *x = a->other ? a->other : limbic_prov_key_to_other(a1, ALL);
        void *y = b->other ? b->other : limbic_prov_key_to_other(b1, ALL);
        int same =
            x && y &&
            OTHER(limbic_prov_other(a->prov, other_of(a)), keymgmt_match, KEYMGMT_MATCH)(x, y, selection);
        if (!a->other)
            limbic_prov_key_other_free(a, x);
        if (!b->other)
            limbic_prov_key_other_free(b, y);
        return same;
    }
    if ((selection & (DOMAIN | PAIR)) && (!a->curve || a->curve != b->curve))
        return 0;
    if (!(selection & PAIR))
        return 1;
    if ((selection & PUBLIC) && a->has_public && b->has_public)
        return memcmp(a->q, b->q, 1 + 2 * bytes_of(a)) == 0;
    return (selection & PRIVATE) && a->has_private && b->has_private &&
           CRYPTO_memcmp(a->d, b->d, bytes_of(a)) == 0;
}

static int validate(const void *data, int selection, int type) {
    const KEY *key = data;
    uint8_t q[LIMBIC_MAX_POINT_BYTES];
    limbic_status status = LIMBIC_OK;
    if (key->other)
        return OTHER(limbic_prov_other(key->prov, other_of(key)), keymgmt_validate,
                     KEYMGMT_VALIDATE)(key->other, selection, type);
    if (!(selection & ALL))
        return 1;
    if (!key->curve || ((selection & PUBLIC) && !key->has_public) ||
        ((selection & PRIVATE) && !key->has_private))
        return FAIL(key->prov, REASON_NO_KEY);
    const size_t n = bytes_of(key);
    if (selection & PUBLIC) /* the group has no other points, so this is the full check too */
        status = limbic_ec_check_public(key->curve, key->q, 1 + 2 * n);
    if (!status && (selection & PRIVATE))
        status = limbic_ec_check_private(key->curve, key->d, n);
    if (!status && (selection & PAIR) == PAIR) {
        status = limbic_ec_public_key(key->curve, q, 1 + 2 * n, key->d, n);
        if (!status && memcmp(q, key->q, 1 + 2 * n) != 0)
            status = LIMBIC_ERR_PUBLIC_KEY;
    }
    return status ? FAIL(key->prov, status) : 1;
}

static void *dup(const void *data, int selection) {
    const KEY *from = data;
    KEY *key = make(from->prov, from->sm2);
    if (!key)
        return NULL;
    if (from->other) {
        key->other = OTHER(limbic_prov_other(from->prov, other_of(from)), keymgmt_dup,
                           KEYMGMT_DUP)(from->other, selection);
        if (key->other)
            return key;
        limbic_prov_key_free(key);
        return NULL;
    }
    key->curve = from->curve;
    key->form = from->form;
    if (selection & PUBLIC) {
        key->has_public = from->has_public;
        memcpy(key->q, from->q, sizeof key->q);
    }
    if (selection & PRIVATE) {
        key->has_private = from->has_private;
        memcpy(key->d, from->d, sizeof key->d);
    }
    return key;
}

/* ---- making keys ---- */

struct generator {
    struct limbic_prov *prov;
    int sm2, selection;
    limbic_curve curve;
    OSSL_PARAM *params; /* all that was set but for a curve of ours alone */
    struct limbic_prov_key *template_key;
};

/* There may be a seed for the key among them. */
static void free_params(OSSL_PARAM *params) {
    for (OSSL_PARAM *p = params; p && p->key; p++)
        if (p->data_type == OSSL_PARAM_OCTET_STRING && p->data)
            limbic_wipe(p->data, p->data_size);
    OSSL_PARAM_free(params);
}

static void gen_cleanup(void *data) {
    struct generator *g = data;
    if (!g)
        return;
    free_params(g->params);
    limbic_prov_key_free(g->template_key);
    OPENSSL_free(g);
}

static int gen_set_params(void *data, const OSSL_PARAM params[]) {
    struct generator *g = data;
    const OSSL_PARAM *group;
    OSSL_PARAM *copy, *both;
    if (!params || !params->key)
        return 1;
    group = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
    if (group) {
        g->curve = curve_named(group, g->sm2);
        if (g->sm2 && !g->curve)
            return FAIL(g->prov, LIMBIC_ERR_CURVE);
        if (g->curve && !params[1].key && !g->params)
            return 1;
    }
    copy = OSSL_PARAM_dup(params);
    if (copy && g->params) { /* merging copies no values, but points to both lists */
        both = OSSL_PARAM_merge(g->params, copy);
        OSSL_PARAM *own = both ? OSSL_PARAM_dup(both) : NULL;
        OSSL_PARAM_free(both);
        free_params(copy);
        copy = own;
    }
    if (!copy)
        return FAIL(g->prov, REASON_MEMORY);
    free_params(g->params);
    g->params = copy;
    return 1;
}

static void *gen_init(struct limbic_prov *prov, int selection, const OSSL_PARAM params[], int sm2) {
    struct generator *g;
    if (!(selection & (PAIR | DOMAIN)))
        return NULL;
    g = OPENSSL_zalloc(sizeof *g);
    if (!g) {
        (void)FAIL(prov, REASON_MEMORY);
        return NULL;
    }
    g->prov = prov;
    g->sm2 = sm2;
    g->selection = selection;
    g->curve = sm2 ? LIMBIC_SM2 : (limbic_curve)0;
    if (!gen_set_params(g, params)) {
        gen_cleanup(g);
        return NULL;
    }
    return g;
}

static void *ec_gen_init(void *ctx, int selection, const OSSL_PARAM params[]) {
    return gen_init(ctx, selection, params, 0);
}

static void *sm2_gen_init(void *ctx, int selection, const OSSL_PARAM params[]) {
    return gen_init(ctx, selection, params, 1);
}

static int gen_set_template(void *data, void *key) {
    struct generator *g = data;
    limbic_prov_key_free(g->template_key);
    g->template_key = limbic_prov_key_ref(key);
    g->curve = g->template_key->curve;
    return 1;
}

static const OSSL_PARAM *gen_settable_params(void *data, void *ctx) {
    static const OSSL_PARAM params[] = {DOMAIN_TYPES, REST_TYPES,
                                        OSSL_PARAM_octet_string("dhkem-ikm", NULL, 0), OSSL_PARAM_END};
    (void)data;
    (void)ctx;
    return params;
}

/* By the default provider, which keeps the key. */
static int gen_other(const struct generator *g, KEY *key, OSSL_CALLBACK *cb, void *arg) {
    const struct limbic_other_functions *f = limbic_prov_other(g->prov, other_of(key));
    void *gen, *template_key = g->template_key ? g->template_key->other : NULL;
    OSSL_PARAM group[] = {OSSL_PARAM_END, OSSL_PARAM_END};
    if (!f)
        return 0;
    if (g->curve) /* its name may have come alone, or with a key */
        group[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                                    (char *)(uintptr_t)names_of(g->curve)->name, 0);
    gen = OTHER(f, keymgmt_gen_init, KEYMGMT_GEN_INIT)(g->prov->other_ctx, g->selection, group);
    if (gen &&
        (!template_key || OTHER(f, keymgmt_gen_set_template, KEYMGMT_GEN_SET_TEMPLATE)(gen, template_key)) &&
        (!g->params || OTHER(f, keymgmt_gen_set_params, KEYMGMT_GEN_SET_PARAMS)(gen, g->params)))
        key->other = OTHER(f, keymgmt_gen, KEYMGMT_GEN)(gen, cb, arg);
    if (gen)
        OTHER(f, keymgmt_gen_cleanup, KEYMGMT_GEN_CLEANUP)(gen);
    if (!key->other)
        return FAIL(g->prov, LIMBIC_ERR_CURVE);
    limbic_prov_count(COUNT_PASSED_ON);
    return 1;
}

static void *gen(void *data, OSSL_CALLBACK *cb, void *arg) {
    struct generator *g = data;
    KEY *key = make(g->prov, g->sm2);
    int ok;
    if (!key)
        return NULL;
    if (!g->curve || (g->params && OSSL_PARAM_locate_const(g->params, "dhkem-ikm"))) {
        ok = gen_other(g, key, cb, arg);
    } else {
        const size_t n = limbic_curve_bytes(g->curve);
        key->curve = g->curve;
        if (g->template_key)
            key->form = g->template_key->form;
        ok = !g->params || set_form(key, g->params);
        if (ok && (g->selection & PAIR)) {
            limbic_status status = limbic_ec_keygen(key->curve, key->d, n, key->q, 1 + 2 * n);
            key->has_private = key->has_public = !status;
            ok = status ? FAIL(g->prov, status) : 1;
            limbic_prov_count(COUNT_KEYGEN);
        }
    }
    if (ok)
        return key;
    limbic_prov_key_free(key);
    return NULL;
}

static const char *ec_operation(int operation) {
    return operation == OSSL_OP_KEYEXCH ? "ECDH" : operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL;
}

/* No ECDH: the default provider has none with keys of this type, and SM2's own key exchange is another. */
static const char *sm2_operation(int operation) {
    return operation == OSSL_OP_SIGNATURE ? "SM2" : NULL;
}

#define FUNCTIONS(type)                                                                                      \
    LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_NEW, type##_new), LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_FREE, free_key),   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_LOAD, load), LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_HAS, has),          \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT, import),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, types),                                              \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT, export),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, types),                                              \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),                                           \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_params),                                 \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_SET_PARAMS, set_params),                                           \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, settable_params),                                 \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_MATCH, match),                                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_VALIDATE, validate), LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_DUP, dup),  \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, type##_operation),                           \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_INIT, type##_gen_init),                                        \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, gen_set_template),                               \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params),                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, gen_settable_params),                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN, gen),                                                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup), OSSL_DISPATCH_END

const OSSL_DISPATCH limbic_prov_keymgmt_ec[] = {FUNCTIONS(ec)};
const OSSL_DISPATCH limbic_prov_keymgmt_sm2[] = {FUNCTIONS(sm2)};
