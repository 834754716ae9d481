/*
 * The default provider, for what is left to it. It stands in a library context of its own, which the program does not see: so it is there even
 * where the program's configuration does not load it, and nothing that the program asks for is changed by it.
 */
#include "provider/provider.h"

#include <openssl/provider.h>
#include <string.h>
#include <strings.h>

int limbic_prov_has_name(const char *names, const char *name) {
    size_t n = strlen(name);
    return strncasecmp(names, name, n) == 0 && (names[n] == ':' || names[n] == 0);
}

static void take(struct limbic_prov *p, enum limbic_other which, int operation, const char *name) {
    int no_store;
    const OSSL_ALGORITHM *a = OSSL_PROVIDER_query_operation(p->other, operation, &no_store);
    for (; a && a->algorithm_names; a++)
        if (limbic_prov_has_name(a->algorithm_names, name)) {
            for (const OSSL_DISPATCH *f = a->implementation; f->function_id; f++)
                if (f->function_id > 0 && f->function_id < 64)
                    p->others[which].fn[f->function_id] = f->function;
            return;
        }
}

/* What can be switched off, is there. */
static int rejects_implicitly(const struct limbic_prov *p) {
    OSSL_FUNC_asym_cipher_settable_ctx_params_fn *f =
        OTHER(&p->others[OTHER_RSA_CIPHER], asym_cipher_settable_ctx_params, ASYM_CIPHER_SETTABLE_CTX_PARAMS);
    return f && OSSL_PARAM_locate_const(f(NULL, p->other_ctx), LIMBIC_PARAM_IMPLICIT_REJECTION);
}

static int load(struct limbic_prov *p) {
    int state;
    if (!CRYPTO_THREAD_write_lock(p->lock))
        return 0;
    state = atomic_load_explicit(&p->other_state, memory_order_relaxed);
    if (!state) {
        state = -1;
        p->other_libctx = OSSL_LIB_CTX_new();
        if (p->other_libctx)
            p->other = OSSL_PROVIDER_load(p->other_libctx, "default");
        if (p->other) {
            if (OSSL_PROVIDER_available(p->libctx, "legacy"))
                p->legacy = OSSL_PROVIDER_load(p->other_libctx, "legacy");
            p->other_ctx = OSSL_PROVIDER_get0_provider_ctx(p->other);
            take(p, OTHER_KEYMGMT_EC, OSSL_OP_KEYMGMT, "EC");
            take(p, OTHER_KEYMGMT_SM2, OSSL_OP_KEYMGMT, "SM2");
            take(p, OTHER_KEYMGMT_RSA, OSSL_OP_KEYMGMT, "RSA");
            take(p, OTHER_KEYMGMT_RSA_PSS, OSSL_OP_KEYMGMT, "RSA-PSS");
            take(p, OTHER_RSA_SIGNATURE, OSSL_OP_SIGNATURE, "RSA");
            take(p, OTHER_RSA_CIPHER, OSSL_OP_ASYM_CIPHER, "RSA");
            take(p, OTHER_ECDSA, OSSL_OP_SIGNATURE, "ECDSA");
            take(p, OTHER_ECDH, OSSL_OP_KEYEXCH, "ECDH");
            take(p, OTHER_SM2_CIPHER, OSSL_OP_ASYM_CIPHER, "SM2");
            p->implicit_rejection = rejects_implicitly(p);
            state = 1;
        }
        atomic_store_explicit(&p->other_state, state, memory_order_release);
    }
    (void)CRYPTO_THREAD_unlock(p->lock);
    return state > 0;
}

static int ready(struct limbic_prov *p) {
    int state = atomic_load_explicit(&p->other_state, memory_order_acquire);
    return state > 0 || (state == 0 && load(p));
}

const struct limbic_other_functions *limbic_prov_other(struct limbic_prov *p, enum limbic_other which) {
    if (ready(p)) {
        const struct limbic_other_functions *f = &p->others[which];
        if (f->fn[1]) /* all begin with the constructor */
            return f;
    }
    (void)FAIL(p, REASON_NO_DEFAULT);
    return NULL;
}

const OSSL_ALGORITHM *limbic_prov_other_algorithms(struct limbic_prov *p, int operation) {
    int no_store;
    return ready(p) ? OSSL_PROVIDER_query_operation(p->other, operation, &no_store) : NULL;
}

struct filter {
    OSSL_CALLBACK *cb;
    void *arg;
};

static int of_ec(const OSSL_PARAM params[], void *arg) {
    const struct filter *f = arg;
    const OSSL_PARAM *algorithm = OSSL_PARAM_locate_const(params, OSSL_CAPABILITY_TLS_GROUP_ALG);
    return !algorithm || !limbic_prov_text_is(algorithm, "EC") || f->cb(params, f->arg);
}

/* libssl takes a group from the provider alone that its key type comes from: so all groups of the type EC are named here, as the default provider
 * names them, or they would be lost. */
int limbic_prov_other_capabilities(struct limbic_prov *p, const char *capability, OSSL_CALLBACK *cb,
                                   void *arg) {
    struct filter f = {cb, arg};
    if (strcasecmp(capability, "TLS-GROUP"))
        return 1;
    return ready(p) ? OSSL_PROVIDER_get_capabilities(p->other, capability, of_ec, &f) : 1;
}

void limbic_prov_other_free(struct limbic_prov *p) {
    if (p->legacy)
        (void)OSSL_PROVIDER_unload(p->legacy);
    if (p->other)
        (void)OSSL_PROVIDER_unload(p->other);
    OSSL_LIB_CTX_free(p->other_libctx);
}
