/* The provider itself: entry, parameters, algorithms, errors, counters. */
#define _GNU_SOURCE /* secure_getenv */
#include "provider/provider.h"

#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PROPERTIES "provider=limbic"

/* ---- counters ---- */

static const char *const count_names[COUNTS] = {"keygen",  "import",  "sign",      "verify",    "derive",
                                                "encrypt", "decrypt", "passed-on", "low-level", "prepared"};
#define COUNT_PREFIX "limbic-count-"

/* A line of the cache each, so that threads with different work do not meet. */
static struct { _Alignas(64) _Atomic uint64_t n; } counts[COUNTS];

void limbic_prov_count(enum limbic_count what) {
    atomic_fetch_add_explicit(&counts[what].n, 1, memory_order_relaxed);
}

/* Where LIMBIC_COUNTS names a file at load, a line of all counters goes there at the end. */
static char *counts_file;
static pthread_mutex_t counts_lock =
    PTHREAD_MUTEX_INITIALIZER; /* providers of several library contexts share it */

static void write_counts(void) {
    char line[400];
    size_t n = 0;
    FILE *f;
    char *file;
    (void)pthread_mutex_lock(&counts_lock);
    file = counts_file;
    counts_file = NULL;
    (void)pthread_mutex_unlock(&counts_lock);
    if (!file)
        return;
    for (int i = 0; i < COUNTS; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%s=%llu", i ? " " : "", count_names[i],
                              (unsigned long long)atomic_load(&counts[i].n));
    f = fopen(file, "a");
    if (f) {
        (void)fprintf(f, "%s\n", line);
        (void)fclose(f);
    }
    OPENSSL_free(file);
}

/* ---- errors ---- */

static const OSSL_ITEM own_reasons[] = {
    {REASON_MEMORY, (void *)"out of memory"},
    {REASON_NO_KEY, (void *)"no key, or it lacks the part that is needed"},
    {REASON_NO_PEER, (void *)"no key of the other side"},
    {REASON_KEYS_DIFFER, (void *)"the two keys are on different curves"},
    {REASON_PARAMETER, (void *)"a parameter has an unknown or wrong value"},
    {REASON_DIGEST, (void *)"no such digest, or it may not be used here"},
    {REASON_DIGEST_LENGTH, (void *)"the length is not that of the digest"},
    {REASON_BUFFER, (void *)"the output buffer is too small"},
    {REASON_LATE_ID, (void *)"the ID comes after the first bytes of the message"},
    {REASON_KDF, (void *)"the key derivation function failed"},
    {REASON_STATE, (void *)"the operation was not begun, or the provider is out of order"},
    {REASON_NO_DEFAULT, (void *)"the default provider, to which this is left, does not do it"},
};
enum { STATUSES = LIMBIC_ERR_BATCH, OWN = sizeof own_reasons / sizeof *own_reasons };
static OSSL_ITEM reasons[STATUSES + OWN + 1];
static pthread_once_t reasons_once = PTHREAD_ONCE_INIT;

static void fill_reasons(void) {
    for (unsigned i = 0; i < STATUSES; i++) {
        reasons[i].id = i + 1;
        reasons[i].ptr = (void *)(uintptr_t)limbic_status_string((limbic_status)(i + 1));
    }
    memcpy(reasons + STATUSES, own_reasons, sizeof own_reasons);
}

static const OSSL_ITEM *get_reasons(void *ctx) {
    (void)ctx;
    return reasons;
}

static void vset_error(const struct limbic_prov *p, uint32_t reason, const char *format, ...) {
    va_list args;
    va_start(args, format);
    p->vset_error(p->handle, reason, format, args);
    va_end(args);
}

int limbic_prov_raise(const struct limbic_prov *p, int reason, int line, const char *function) {
    if (p->new_error && p->vset_error) {
        p->new_error(p->handle);
        if (p->set_error_debug)
            p->set_error_debug(p->handle, "limbic", line, function);
        vset_error(p, (uint32_t)reason, NULL);
    }
    return 0;
}

int limbic_prov_running(const struct limbic_prov *p) {
    return atomic_load_explicit(&p->running, memory_order_relaxed) || FAIL(p, REASON_STATE);
}

int limbic_prov_text_is(const OSSL_PARAM *param, const char *word) {
    const char *text = param->data;
    size_t n = strlen(word);
    if (param->data_type == OSSL_PARAM_UTF8_PTR) {
        text = text ? *(const char *const *)param->data : NULL;
        return text && strcasecmp(text, word) == 0;
    }
    return text && param->data_type == OSSL_PARAM_UTF8_STRING && strnlen(text, param->data_size) == n &&
           strncasecmp(text, word, n) == 0;
}

/* ---- parameters ---- */

static const OSSL_PARAM gettable[] = {
    OSSL_PARAM_DEFN(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0),
    OSSL_PARAM_DEFN(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0),
    OSSL_PARAM_DEFN(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0),
    OSSL_PARAM_DEFN(OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, 0),
    OSSL_PARAM_uint64(COUNT_PREFIX "keygen", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "import", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "sign", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "verify", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "derive", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "encrypt", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "decrypt", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "passed-on", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "low-level", NULL),
    OSSL_PARAM_uint64(COUNT_PREFIX "prepared", NULL),
    OSSL_PARAM_uint64("limbic-prepared-bytes", NULL),
    OSSL_PARAM_END,
};

static const OSSL_PARAM *gettable_params(void *ctx) {
    (void)ctx;
    return gettable;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
    struct limbic_prov *p = ctx;
    int ok = 1;
    for (OSSL_PARAM *q = params; ok && q && q->key; q++) {
        if (!strcmp(q->key, OSSL_PROV_PARAM_NAME)) {
            ok = OSSL_PARAM_set_utf8_ptr(q, "Limbic");
        } else if (!strcmp(q->key, OSSL_PROV_PARAM_VERSION) || !strcmp(q->key, OSSL_PROV_PARAM_BUILDINFO)) {
            ok = OSSL_PARAM_set_utf8_ptr(q, limbic_version());
        } else if (!strcmp(q->key, OSSL_PROV_PARAM_STATUS)) {
            ok = OSSL_PARAM_set_int(q, atomic_load(&p->running));
        } else if (!strcmp(q->key, "limbic-prepared-bytes")) {
            ok = OSSL_PARAM_set_uint64(q, limbic_prov_prepared_bytes());
        } else if (!strncmp(q->key, COUNT_PREFIX, sizeof COUNT_PREFIX - 1)) {
            for (int i = 0; i < COUNTS; i++)
                if (!strcmp(q->key + sizeof COUNT_PREFIX - 1, count_names[i]))
                    ok = OSSL_PARAM_set_uint64(q, atomic_load(&counts[i].n));
        }
    }
    return ok;
}

static void remove_hooks(struct limbic_prov *p) {
    if (atomic_exchange(&p->low_level, 0))
        limbic_prov_hooks_remove();
}

static int self_test(void *ctx) {
    struct limbic_prov *p = ctx;
    if (limbic_selftest(NULL, 0) == LIMBIC_OK)
        return 1;
    atomic_store(&p->running, 0);
    remove_hooks(p);
    return FAIL(p, LIMBIC_ERR_SELFTEST);
}

/* ---- algorithms ---- */

/* The names are the default provider's, to the letter: libcrypto refuses a list that crosses another. */
#define NAMES_EC      "EC:id-ecPublicKey:1.2.840.10045.2.1"
#define NAMES_SM2     "SM2:1.2.156.10197.1.301"
#define NAMES_RSA     "RSA:rsaEncryption:1.2.840.113549.1.1.1"
#define NAMES_RSA_PSS "RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10"

static const OSSL_ALGORITHM keymgmts[] = {
    {NAMES_EC, PROPERTIES, limbic_prov_keymgmt_ec, "Limbic EC"},
    {NAMES_SM2, PROPERTIES, limbic_prov_keymgmt_sm2, "Limbic SM2"},
    {NAMES_RSA, PROPERTIES, limbic_prov_keymgmt_rsa, "Limbic RSA"},
    {NAMES_RSA_PSS, PROPERTIES, limbic_prov_keymgmt_rsa_pss, "Limbic RSA-PSS"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM signatures[] = {
    {"ECDSA", PROPERTIES, limbic_prov_ecdsa, "Limbic ECDSA"},
    {NAMES_SM2, PROPERTIES, limbic_prov_sm2_signature, "Limbic SM2 signatures"},
    {NAMES_RSA, PROPERTIES, limbic_prov_rsa_signature, "Limbic RSA signatures"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM exchanges[] = {
    {"ECDH", PROPERTIES, limbic_prov_ecdh, "Limbic ECDH"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM ciphers[] = {
    {NAMES_SM2, PROPERTIES, limbic_prov_sm2_cipher, "Limbic SM2 encryption"},
    {NAMES_RSA, PROPERTIES, limbic_prov_rsa_cipher, "Limbic RSA encryption"},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM *query(void *ctx, int operation, int *no_store) {
    struct limbic_prov *p = ctx;
    *no_store = 0;
    if (!atomic_load(&p->running))
        return NULL;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return keymgmts;
    case OSSL_OP_SIGNATURE:
        return signatures;
    case OSSL_OP_KEYEXCH:
        return exchanges;
    case OSSL_OP_ASYM_CIPHER:
        return ciphers;
    case OSSL_OP_ENCODER:
        return limbic_prov_encoders(p);
    default:
        return NULL;
    }
}

static int capabilities(void *ctx, const char *capability, OSSL_CALLBACK *cb, void *arg) {
    return limbic_prov_other_capabilities(ctx, capability, cb, arg);
}

/* ---- load and unload ---- */

static void teardown(void *ctx) {
    struct limbic_prov *p = ctx;
    remove_hooks(p);
    write_counts();
    limbic_prov_other_free(p);
    OSSL_LIB_CTX_free(p->libctx);
    CRYPTO_THREAD_lock_free(p->lock);
    OPENSSL_free(p);
}

static const OSSL_DISPATCH functions[] = {
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reasons),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, capabilities),
    LIMBIC_DISPATCH(OSSL_FUNC_PROVIDER_SELF_TEST, self_test),
    OSSL_DISPATCH_END,
};

/* A word of yes or no: -1 if it is another. */
static int yes_or_no(const char *word) {
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};
    for (int i = 0; i < 8; i++)
        if (OPENSSL_strcasecmp(word, words[i]) == 0)
            return i & 1;
    return -1;
}

/* The settings of the provider's section of the configuration. */
static int configure(struct limbic_prov *p, OSSL_FUNC_core_get_params_fn *get) {
    char *low_level = NULL, *prepared = NULL, *end;
    OSSL_PARAM ask[] = {OSSL_PARAM_utf8_ptr("low_level", &low_level, 0),
                        OSSL_PARAM_utf8_ptr("prepared_kib", &prepared, 0), OSSL_PARAM_END};
    int hooks;
    (void)(get && get(p->handle, ask));
    p->prepared_limit = (size_t)4 << 20;
    if (prepared) {
        const unsigned long kib = strtoul(prepared, &end, 10);
        if (*prepared < '0' || *prepared > '9' || *end || kib > SIZE_MAX >> 11)
            return FAIL(p, REASON_PARAMETER);
        p->prepared_limit = (size_t)kib << 10;
    }
    hooks = low_level ? yes_or_no(low_level) : 0;
    if (hooks < 0)
        return FAIL(p, REASON_PARAMETER);
    if (hooks && !limbic_prov_hooks_install())
        return FAIL(p, REASON_MEMORY);
    atomic_store(&p->low_level, hooks);
    return 1;
}

LIMBIC_API int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                  const OSSL_DISPATCH **out, void **ctx) {
    OSSL_FUNC_core_get_params_fn *get = NULL;
    char *version = NULL;
    const char *file;
    OSSL_PARAM ask[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_CORE_VERSION, &version, 0), OSSL_PARAM_END};
    struct limbic_prov *p = OPENSSL_zalloc(sizeof *p);

    if (!p)
        return 0;
    p->handle = handle;
    for (const OSSL_DISPATCH *f = in; f->function_id; f++)
        switch (f->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            get = OSSL_FUNC_core_get_params(f);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            p->new_error = OSSL_FUNC_core_new_error(f);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            p->set_error_debug = OSSL_FUNC_core_set_error_debug(f);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            p->vset_error = OSSL_FUNC_core_vset_error(f);
            break;
        default:
            break;
        }
    /* The program's libcrypto decides, which need not be the one that this was compiled with. */
    if (get && get(handle, ask) && version)
        p->sm2_default_id = strtoul(version, NULL, 10) >= 4;
    p->lock = CRYPTO_THREAD_lock_new();
    p->libctx = OSSL_LIB_CTX_new_child(handle, in);
    if (!p->lock || !p->libctx) {
        OSSL_LIB_CTX_free(p->libctx);
        CRYPTO_THREAD_lock_free(p->lock);
        OPENSSL_free(p);
        return 0;
    }
    (void)pthread_once(&reasons_once, fill_reasons);
    if (!configure(p, get)) {
        teardown(p);
        return 0;
    }
    file = secure_getenv("LIMBIC_COUNTS");
    (void)pthread_mutex_lock(&counts_lock);
    if (file && *file && !counts_file)
        counts_file = OPENSSL_strdup(file);
    (void)pthread_mutex_unlock(&counts_lock);
    atomic_store(&p->running, 1);
    *out = functions;
    *ctx = p;
    return 1;
}
