/*
 * Keys: the types "RSA" and "RSA-PSS". A key is the default provider's, which answers all that is asked about it; the library's form of it, for the
 * arithmetic, is made at the first signature, verification or decryption. New keys of 2048 bits and more are made by the library.
 */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "provider/provider.h"
#include "scheme/rsa.h"

#include <string.h>
#include <strings.h>

#define KEY     struct limbic_prov_rsa
#define NUMBERS struct limbic_prov_rsa_numbers

/* What stands for a key that is none for the library. */
static NUMBERS unusable;

static KEY *make(struct limbic_prov *prov, enum limbic_other type) {
    KEY *key;
    if (!limbic_prov_running(prov))
        return NULL;
    key = limbic_prov_other(prov, type) ? OPENSSL_zalloc(sizeof *key) : NULL;
    if (!key) {
        (void)FAIL(prov, REASON_MEMORY);
        return NULL;
    }
    key->prov = prov;
    key->type = type;
    atomic_init(&key->refs, 1);
    return key;
}

KEY *limbic_prov_rsa_ref(KEY *key) {
    atomic_fetch_add_explicit(&key->refs, 1, memory_order_relaxed);
    return key;
}

/* The instruction set of the row that runs. */
static int isa_of(unsigned unit, unsigned op) {
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_rows[i].unit == unit && limbic_rows[i].op == op &&
            limbic_row_state(&limbic_rows[i]) == LIMBIC_ROW_chosen)
            return limbic_rows[i].isa;
    return LIMBIC_ISA_c;
}

/* Whether powers run in lanes here. Where they do not, the default provider's private operations are as fast or faster, by 0 to 9 %;
 * its public ones never are. */
static int has_lanes(void) {
    const int isa = isa_of(LIMBIC_UNIT_mont, LIMBIC_OP_mont_pow);
    return isa != LIMBIC_ISA_c && isa == isa_of(LIMBIC_UNIT_p256, LIMBIC_OP_lanes_lanes_mul);
}

void limbic_prov_rsa_numbers_free(NUMBERS *n) {
    if (n && n != &unusable)
        OPENSSL_clear_free(n, sizeof *n + n->len);
}

/* A function of the default provider for a key's type. */
#define THEIRS(key, call, id) OTHER(limbic_prov_other((key)->prov, (key)->type), keymgmt_##call, KEYMGMT_##id)

void limbic_prov_rsa_free(KEY *key) {
    if (!key || atomic_fetch_sub_explicit(&key->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (key->other)
        THEIRS(key, free, FREE)(key->other);
    limbic_prov_rsa_numbers_free(atomic_load(&key->numbers));
    OPENSSL_free(key);
}

static void free_key(void *key) {
    limbic_prov_rsa_free(key);
}

/* ---- the library's form ---- */

static const char *const parts[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                    OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                    OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                    OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
enum { PARTS = sizeof parts / sizeof *parts };

/* The processor's order of bytes to the library's and back, in place. */
static void turn(uint8_t *p, size_t n) {
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < n / 2; i++) {
        const uint8_t t = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
#else
    (void)p;
    (void)n;
#endif
}

NUMBERS *limbic_prov_rsa_numbers_new(size_t bits, int is_private, const limbic_rsa_numbers *numbers) {
    const size_t len = is_private ? limbic_rsa_private_bytes(bits) : limbic_rsa_public_bytes(bits);
    NUMBERS *n;
    if (!len || numbers->e.len > 8) /* a long one takes long, whoever chose it */
        return NULL;
    n = OPENSSL_zalloc(sizeof *n + len);
    if (!n)
        return NULL;
    n->len = len;
    n->private_here = is_private && has_lanes();
    if (is_private ? limbic_rsa_private_import(n->key, len, numbers)
                   : limbic_rsa_public_import(n->key, len, numbers)) {
        limbic_prov_rsa_numbers_free(n);
        return NULL;
    }
    n->bytes = limbic_rsa_bytes(n->key, len);
    return n;
}

/* By parameters, not by export: that leaves the numbers in memory that libcrypto frees as it is. */
static NUMBERS *take_numbers(const KEY *key) {
    enum { MORE_PRIMES = PARTS, SALT, ALL };
    limbic_rsa_numbers numbers = {0};
    limbic_rsa_number *const at[PARTS] = {&numbers.n, &numbers.e,  &numbers.d,  &numbers.p,
                                          &numbers.q, &numbers.dp, &numbers.dq, &numbers.qinv};
    const int is_private = THEIRS(key, has, HAS)(key->other, OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
    int bits = 0, salt;
    OSSL_PARAM size[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, &bits), OSSL_PARAM_END}, params[ALL + 1];
    size_t k;
    uint8_t *bytes;
    NUMBERS *n = NULL;

    if (!THEIRS(key, get_params, GET_PARAMS)(key->other, size) || bits < LIMBIC_RSA_MIN_PUBLIC_BITS ||
        bits > LIMBIC_RSA_MAX_BITS)
        return NULL;
    k = ((size_t)bits + 7) / 8;
    bytes = OPENSSL_zalloc((PARTS + 1) * k);
    if (bytes) {
        for (size_t i = 0; i <= PARTS; i++)
            params[i] =
                OSSL_PARAM_construct_BN(i < PARTS ? parts[i] : OSSL_PKEY_PARAM_RSA_FACTOR3, bytes + i * k, k);
        params[SALT] = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, &salt);
        params[ALL] = OSSL_PARAM_construct_end();
        if (THEIRS(key, get_params, GET_PARAMS)(key->other, params) &&
            !OSSL_PARAM_modified(&params[MORE_PRIMES])) {
            for (size_t i = 0; i < PARTS; i++)
                if (OSSL_PARAM_modified(&params[i]) && params[i].return_size <= k) {
                    turn(bytes + i * k, params[i].return_size);
                    *at[i] = (limbic_rsa_number){bytes + i * k, params[i].return_size};
                }
            while (numbers.e.len && !*numbers.e.bytes) {
                numbers.e.bytes++;
                numbers.e.len--;
            }
            n = limbic_prov_rsa_numbers_new((size_t)bits, is_private, &numbers);
            if (n)
                n->restricted = OSSL_PARAM_modified(&params[SALT]);
        }
    }
    OPENSSL_clear_free(bytes, bytes ? (PARTS + 1) * k : 0);
    return n;
}

const NUMBERS *limbic_prov_rsa_numbers(KEY *key) {
    NUMBERS *n = atomic_load_explicit(&key->numbers, memory_order_acquire), *none = NULL;
    if (!n) {
        n = take_numbers(key);
        limbic_prov_count(n ? COUNT_IMPORT : COUNT_PASSED_ON);
        if (!n)
            n = &unusable;
        if (!atomic_compare_exchange_strong(&key->numbers, &none, n)) {
            limbic_prov_rsa_numbers_free(n);
            n = none;
        }
    }
    return n == &unusable ? NULL : n;
}

limbic_hash limbic_prov_hash(const char *name) {
    static const struct {
        const char *name;
        limbic_hash hash;
    } names[] = {{"SHA256", LIMBIC_SHA256}, {"SHA2-256", LIMBIC_SHA256}, {"SHA-256", LIMBIC_SHA256},
                 {"SHA384", LIMBIC_SHA384}, {"SHA2-384", LIMBIC_SHA384}, {"SHA-384", LIMBIC_SHA384},
                 {"SHA512", LIMBIC_SHA512}, {"SHA2-512", LIMBIC_SHA512}, {"SHA-512", LIMBIC_SHA512},
                 {"SM3", LIMBIC_SM3}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i].name) == 0)
            return names[i].hash;
    return LIMBIC_HASH_DEFAULT;
}

/* ---- what is passed on ---- */

static void *new_key(struct limbic_prov *prov, enum limbic_other type) {
    KEY *key = make(prov, type);
    if (key && !(key->other = THEIRS(key, new, NEW)(prov->other_ctx))) {
        limbic_prov_rsa_free(key);
        return NULL;
    }
    return key;
}

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
    return key && THEIRS(key, has, HAS)(key->other, selection);
}

static int import(void *data, int selection, const OSSL_PARAM params[]) {
    KEY *key = data;
    limbic_prov_rsa_numbers_free(atomic_exchange(&key->numbers, NULL));
    return THEIRS(key, import, IMPORT)(key->other, selection, params);
}

static int export(void *data, int selection, OSSL_CALLBACK *cb, void *arg) {
    const KEY *key = data;
    return THEIRS(key, export, EXPORT)(key->other, selection, cb, arg);
}

static int get_params(void *data, OSSL_PARAM params[]) {
    const KEY *key = data;
    return THEIRS(key, get_params, GET_PARAMS)(key->other, params);
}

static int match(const void *data1, const void *data2, int selection) {
    const KEY *a = data1, *b = data2;
    return THEIRS(a, match, MATCH)(a->other, b->other, selection);
}

static int validate(const void *data, int selection, int type) {
    const KEY *key = data;
    return THEIRS(key, validate, VALIDATE)(key->other, selection, type);
}

static int import_copy(const OSSL_PARAM params[], void *arg) {
    const KEY *key = arg;
    return THEIRS(key, import, IMPORT)(key->other, OSSL_KEYMGMT_SELECT_ALL, params);
}

/* libcrypto copies no key whose method is not its own, as with hooks: that one goes out and in again. */
static void *dup(const void *data, int selection) {
    const KEY *from = data;
    KEY *key = make(from->prov, from->type);
    int ok = 0;
    if (key && !(ok = (key->other = THEIRS(from, dup, DUP)(from->other, selection)) != NULL)) {
        key->other = THEIRS(from, new, NEW)(from->prov->other_ctx);
        ok = key->other && THEIRS(from, export, EXPORT)(from->other, selection, import_copy, key);
    }
    if (ok)
        return key;
    limbic_prov_rsa_free(key);
    return NULL;
}

static const OSSL_PARAM *types(int selection) {
#define NUMBER(name) OSSL_PARAM_BN(name, NULL, 0)
#define PUBLIC_TYPES NUMBER(OSSL_PKEY_PARAM_RSA_N), NUMBER(OSSL_PKEY_PARAM_RSA_E)
#define PSS_TYPES                                                                                            \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_DIGEST, NULL, 0),                                             \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_DIGEST_PROPS, NULL, 0),                                   \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MASKGENFUNC, NULL, 0),                                    \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MGF1_DIGEST, NULL, 0),                                    \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, NULL)
#define UP_TO_10(what)                                                                                       \
    NUMBER(what "1"), NUMBER(what "2"), NUMBER(what "3"), NUMBER(what "4"), NUMBER(what "5"),                \
        NUMBER(what "6"), NUMBER(what "7"), NUMBER(what "8"), NUMBER(what "9")
    static const OSSL_PARAM public[] = {PUBLIC_TYPES, PSS_TYPES, OSSL_PARAM_END},
                            pair[] = {PUBLIC_TYPES,
                                      NUMBER(OSSL_PKEY_PARAM_RSA_D),
                                      UP_TO_10("rsa-factor"),
                                      NUMBER("rsa-factor10"),
                                      UP_TO_10("rsa-exponent"),
                                      NUMBER("rsa-exponent10"),
                                      UP_TO_10("rsa-coefficient"),
                                      PSS_TYPES,
                                      OSSL_PARAM_END};
    if (!(selection & OSSL_KEYMGMT_SELECT_ALL))
        return NULL;
    return selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY ? pair : public;
}

static const char *operation(int id) {
    (void)id;
    return "RSA";
}

/* ---- making keys ---- */

struct generator {
    struct limbic_prov *prov;
    enum limbic_other type;
    void *other;
    int by_library;
    size_t bits, e_len; /* e_len 0: the usual one */
    uint8_t e[32];
};

#define GEN_THEIRS(g, call, id) THEIRS(g, gen_##call, GEN_##id)

static void gen_cleanup(void *data) {
    struct generator *g = data;
    if (!g)
        return;
    if (g->other)
        GEN_THEIRS(g, cleanup, CLEANUP)(g->other);
    OPENSSL_free(g);
}

/* All goes to the default provider; what the library can do by itself is told by size, number of primes and exponent. */
static int gen_set_params(void *data, const OSSL_PARAM params[]) {
    struct generator *g = data;
    const OSSL_PARAM *p;
    size_t primes;
    if (!GEN_THEIRS(g, set_params, SET_PARAMS)(g->other, params))
        return 0;
    p = params ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_BITS) : NULL;
    if (p && !OSSL_PARAM_get_size_t(p, &g->bits))
        return 0;
    p = params ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_PRIMES) : NULL;
    if (p && (!OSSL_PARAM_get_size_t(p, &primes) || primes != 2))
        g->by_library = 0;
    p = params ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_E) : NULL;
    if (p) {
        if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER || !p->data || p->data_size > sizeof g->e)
            g->by_library = 0;
        else {
            memcpy(g->e, p->data, p->data_size);
            turn(g->e, p->data_size);
            g->e_len = p->data_size;
        }
    }
    return 1;
}

static void *gen_init(struct limbic_prov *prov, enum limbic_other type, int selection,
                      const OSSL_PARAM params[]) {
    struct generator *g = limbic_prov_other(prov, type) ? OPENSSL_zalloc(sizeof *g) : NULL;
    if (!g) {
        (void)FAIL(prov, REASON_MEMORY);
        return NULL;
    }
    g->prov = prov;
    g->type = type;
    g->by_library = type == OTHER_KEYMGMT_RSA;
    g->bits = 2048;
    g->other = GEN_THEIRS(g, init, INIT)(prov->other_ctx, selection, NULL);
    if (g->other && gen_set_params(g, params))
        return g;
    gen_cleanup(g);
    return NULL;
}

static const OSSL_PARAM *gen_settable_params(void *data, void *ctx) {
    const struct generator *g = data;
    (void)ctx;
    return GEN_THEIRS(g, settable_params, SETTABLE_PARAMS)(g->other, g->prov->other_ctx);
}

/* Of PSS, the parameters. */
static int gen_set_template(void *data, void *key) {
    const struct generator *g = data;
    const KEY *from = key;
    OSSL_FUNC_keymgmt_gen_set_template_fn *f = GEN_THEIRS(g, set_template, SET_TEMPLATE);
    return !f || f(g->other, from->other);
}

/* The numbers of a new key go to the default provider as an import. */
static int give_numbers(KEY *key, const uint64_t *new_key, size_t new_len, size_t bits) {
    static const limbic_rsa_part which[PARTS] = {LIMBIC_RSA_N, LIMBIC_RSA_E,  LIMBIC_RSA_D,  LIMBIC_RSA_P,
                                                 LIMBIC_RSA_Q, LIMBIC_RSA_DP, LIMBIC_RSA_DQ, LIMBIC_RSA_QINV};
    OSSL_PARAM params[PARTS + 1];
    const size_t all = PARTS * ((bits + 7) / 8);
    uint8_t *bytes = OPENSSL_malloc(all), *at = bytes;
    int ok = bytes != NULL;
    for (size_t i = 0; ok && i < PARTS; i++) {
        size_t n = (size_t)(bytes + all - at);
        ok = limbic_rsa_export(new_key, new_len, which[i], at, &n) == LIMBIC_OK;
        if (!ok)
            break;
        turn(at, n);
        params[i] = OSSL_PARAM_construct_BN(parts[i], at, n);
        at += n;
    }
    params[PARTS] = OSSL_PARAM_construct_end();
    key->other = ok ? THEIRS(key, new, NEW)(key->prov->other_ctx) : NULL;
    ok = key->other && THEIRS(key, import, IMPORT)(key->other, OSSL_KEYMGMT_SELECT_KEYPAIR, params);
    OPENSSL_clear_free(bytes, all);
    return ok;
}

/* The program's function, called as the default provider calls it: 0 and a count before some candidates, 3 and 0 or 1 for a prime that was found. */
struct watcher {
    OSSL_CALLBACK *cb;
    void *arg;
    int turns, stopped;
};

static int call(struct watcher *w, int what, int n) {
    const OSSL_PARAM params[] = {OSSL_PARAM_int(OSSL_GEN_PARAM_POTENTIAL, &what),
                                 OSSL_PARAM_int(OSSL_GEN_PARAM_ITERATION, &n), OSSL_PARAM_END};
    w->stopped |= w->cb && !w->cb(params, w->arg);
    return !w->stopped;
}

static int watch(void *arg) {
    struct watcher *w = arg;
    return call(w, 0, w->turns++);
}

/* -1: not for the library */
static int gen_library(const struct generator *g, KEY *key, OSSL_CALLBACK *cb, void *arg) {
    const size_t len = limbic_rsa_private_bytes(g->bits);
    NUMBERS *n = len ? OPENSSL_zalloc(sizeof *n + len) : NULL;
    struct watcher w = {cb, arg, 0, 0};
    const struct limbic_rsa_progress progress = {watch, &w};
    limbic_status status;
    int ok;
    if (!n)
        return -1;
    n->len = len;
    n->private_here = has_lanes();
    status = limbic_rsa_keygen_watched(n->key, len, g->bits, g->e_len ? g->e : NULL, g->e_len, &progress);
    ok = w.stopped || (!status && (!call(&w, 3, 0) || !call(&w, 3, 1))) ? 0
         : status                                                       ? -1
                  : give_numbers(key, n->key, len, g->bits);
    if (ok == 1) {
        n->bytes = limbic_rsa_bytes(n->key, len);
        atomic_store(&key->numbers, n);
        limbic_prov_count(COUNT_KEYGEN);
    } else {
        limbic_prov_rsa_numbers_free(n);
    }
    return ok;
}

static void *gen(void *data, OSSL_CALLBACK *cb, void *arg) {
    const struct generator *g = data;
    KEY *key = make(g->prov, g->type);
    int ok = key && g->by_library ? gen_library(g, key, cb, arg) : -1;
    if (key && ok < 0) {
        key->other = THEIRS(g, gen, GEN)(g->other, cb, arg);
        ok = key->other != NULL;
        limbic_prov_count(COUNT_PASSED_ON);
    }
    if (ok > 0)
        return key;
    limbic_prov_rsa_free(key);
    return NULL;
}

#define TYPE(name, type)                                                                                     \
    static void *name##_new(void *ctx) {                                                                     \
        return new_key(ctx, type);                                                                           \
    }                                                                                                        \
    static void *name##_gen_init(void *ctx, int selection, const OSSL_PARAM params[]) {                      \
        return gen_init(ctx, type, selection, params);                                                       \
    }                                                                                                        \
    static const OSSL_PARAM *name##_gettable_params(void *ctx) {                                             \
        const struct limbic_other_functions *f = limbic_prov_other(ctx, type);                               \
        return f ? OTHER(f, keymgmt_gettable_params,                                                         \
                         KEYMGMT_GETTABLE_PARAMS)(((struct limbic_prov *)ctx)->other_ctx)                    \
                 : NULL;                                                                                     \
    }                                                                                                        \
    const OSSL_DISPATCH limbic_prov_keymgmt_##name[] = {                                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_NEW, name##_new),                                                  \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_FREE, free_key),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_LOAD, load),                                                       \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_HAS, has),                                                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT, import),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, types),                                              \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT, export),                                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, types),                                              \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),                                           \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, name##_gettable_params),                          \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_MATCH, match),                                                     \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_VALIDATE, validate),                                               \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_DUP, dup),                                                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation),                                  \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_INIT, name##_gen_init),                                        \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, gen_set_template),                               \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, gen_set_params),                                   \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, gen_settable_params),                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN, gen),                                                         \
        LIMBIC_DISPATCH(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, gen_cleanup),                                         \
        OSSL_DISPATCH_END}

TYPE(rsa, OTHER_KEYMGMT_RSA);
TYPE(rsa_pss, OTHER_KEYMGMT_RSA_PSS);
