/*
 * limbic openssl-check: who does what in programs that use OpenSSL, with the configuration that this program gets as they do (OPENSSL_CONF). A program of
 * its own, so that neither the library nor the command `limbic` needs libcrypto. Exit codes: 0 all that the provider has is done by it; 1 not; 2 wrong usage.
 */
#include <dlfcn.h>
#include <errno.h>
#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "limbic"

static int problems;

__attribute__((format(printf, 1, 2))) static void problem(const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)printf("problem: ");
    (void)vprintf(format, args);
    (void)printf("\n");
    va_end(args);
    problems++;
}

/* What libcrypto says about it. */
static void print_errors(void) {
    const char *data;
    unsigned long e;
    int flags;
    while ((e = ERR_get_error_all(NULL, NULL, NULL, &data, &flags)) != 0) {
        const char *reason = ERR_reason_error_string(e);
        (void)printf("  libcrypto: %s%s%s\n", reason ? reason : "unknown error",
                     flags & ERR_TXT_STRING && *data ? ": " : "", flags & ERR_TXT_STRING ? data : "");
    }
}

/* ---- the configuration ---- */

static const char *setting(CONF *conf, const char *section, const char *name) {
    const char *text = conf ? NCONF_get_string(conf, section, name) : NULL;
    ERR_clear_error();
    return text;
}

static CONF *read_configuration(const char *file) {
    CONF *conf = NCONF_new(NULL);
    long line = 0;
    if (access(file, R_OK) != 0)
        problem("the configuration %s can't be read: %s", file, strerror(errno));
    else if (conf && NCONF_load(conf, file, &line) == 1)
        return conf;
    else {
        problem("line %ld of the configuration, or of a file that it includes, can't be read", line);
        print_errors();
    }
    NCONF_free(conf);
    return NULL;
}

/* Why the provider is not there: the first reason on the way to it. */
static void explain(CONF *conf) {
    const char *init = setting(conf, NULL, "openssl_conf"), *providers = setting(conf, init, "providers"),
               *section = setting(conf, providers, NAME), *module = setting(conf, section, "module"),
               *activate = setting(conf, section, "activate"), *folder = getenv("OPENSSL_MODULES");
    char path[4096];
    void *library;
    if (!conf)
        return;
    if (!init)
        problem(
            "the configuration has no line 'openssl_conf = ...' above its first section: nothing of it is "
            "read");
    else if (!providers)
        problem("section [%s] has no line 'providers = ...'", init);
    else if (!section)
        problem("section [%s] has no line '" NAME " = ...'", providers);
    else if (!activate || strspn(activate, "0nNfF") || !strcmp(activate, "off"))
        problem("the provider is not activated: section [%s] has no line 'activate = 1'", section);
    else {
        if (module)
            (void)snprintf(path, sizeof path, "%s", module);
        else
            (void)snprintf(path, sizeof path, "%s/" NAME ".so",
                           folder ? folder : OPENSSL_info(OPENSSL_INFO_MODULES_DIR));
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            problem("the module can't be loaded: %s", dlerror());
        else if (!dlsym(library, "OSSL_provider_init"))
            problem("%s is no provider", path);
        else
            problem("the provider in %s does not start", path);
        if (library)
            (void)dlclose(library);
    }
}

/* ---- who does what ---- */

#define FETCH(type, name, query)                                                                             \
    do {                                                                                                     \
        type *algorithm = type##_fetch(NULL, name, query);                                                   \
        if (algorithm)                                                                                       \
            (void)snprintf(who, size, "%s", OSSL_PROVIDER_get0_name(type##_get0_provider(algorithm)));       \
        type##_free(algorithm);                                                                              \
    } while (0)

/* The name of the provider that a program gets; "" if there is none. */
static void resolve(int operation, const char *name, const char *query, char *who, size_t size) {
    *who = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        FETCH(EVP_KEYMGMT, name, query);
        break;
    case OSSL_OP_SIGNATURE:
        FETCH(EVP_SIGNATURE, name, query);
        break;
    case OSSL_OP_KEYEXCH:
        FETCH(EVP_KEYEXCH, name, query);
        break;
    case OSSL_OP_ASYM_CIPHER:
        FETCH(EVP_ASYM_CIPHER, name, query);
        break;
    default:
        FETCH(OSSL_ENCODER, name, query);
        break;
    }
    ERR_clear_error();
}

/* Lists what the provider offers, and returns how much of it goes elsewhere. */
static int list(OSSL_PROVIDER *provider) {
    static const struct {
        int id;
        const char *name;
    } operations[] = {{OSSL_OP_KEYMGMT, "keys"},
                      {OSSL_OP_SIGNATURE, "signature"},
                      {OSSL_OP_KEYEXCH, "key exchange"},
                      {OSSL_OP_ASYM_CIPHER, "encryption"},
                      {OSSL_OP_ENCODER, "encoder"}};
    int elsewhere = 0, no_store;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const OSSL_ALGORITHM *a = OSSL_PROVIDER_query_operation(provider, operations[i].id, &no_store);
        if (!a || !a->algorithm_names)
            problem("the provider offers no %s", operations[i].name);
        for (; a && a->algorithm_names; a++) {
            const char *form =
                strchr(a->property_definition, ','); /* of an encoder, after "provider=limbic" */
            char name[64], who[64];
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(a->algorithm_names, ":"),
                           a->algorithm_names);
            resolve(operations[i].id, name, form ? form + 1 : NULL, who, sizeof who);
            (void)printf("%-12s %-8s %-8s %s\n", operations[i].name, name, *who ? who : "nowhere",
                         form ? form + 1 : "");
            elsewhere += strcmp(who, NAME) != 0;
        }
    }
    return elsewhere;
}

int main(int argc, char **argv) {
    char *file;
    const char *properties, *version = NULL;
    OSSL_LIB_CTX *own = NULL;
    OSSL_PROVIDER *provider;
    CONF *conf;
    int status = 0, active, elsewhere;
    OSSL_PARAM ask[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, (char **)(uintptr_t)&version, 0),
                        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_END};
    if (argc != 1) {
        (void)fprintf(stderr, "usage: %s\n", argv[0]);
        return 2;
    }
    file = CONF_get1_default_config_file();
    (void)printf("%s\nconfiguration %s\n", OpenSSL_version(OPENSSL_VERSION), file ? file : "none");
    conf = file ? read_configuration(file) : NULL;
    (void)OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL);
    active = OSSL_PROVIDER_available(NULL, NAME);
    if (active) {
        provider = OSSL_PROVIDER_load(NULL, NAME);
    } else { /* for its list */
        explain(conf);
        own = OSSL_LIB_CTX_new();
        provider = own ? OSSL_PROVIDER_load(own, NAME) : NULL;
        ERR_clear_error();
    }
    if (provider && OSSL_PROVIDER_get_params(provider, ask))
        (void)printf("provider " NAME " %s, %s\n\n", version ? version : "",
                     active ? "active" : "not active");
    if (active && !status)
        problem("the provider is out of order: its self-test failed");
    if (!OSSL_PROVIDER_available(NULL, "default"))
        problem(
            "the default provider is not active: its section has no line 'activate = 1', and all that " NAME
            " does not offer is missing");
    elsewhere = provider ? list(provider) : 0;
    if (active && elsewhere) {
        properties = setting(conf, setting(conf, setting(conf, NULL, "openssl_conf"), "alg_section"),
                             "default_properties");
        (void)printf("\n");
        if (properties)
            problem("%d not by " NAME ": 'default_properties = %s' does not prefer it: '?provider=" NAME
                    "' would",
                    elsewhere, properties);
        else
            problem("%d not by " NAME
                    ": the section of 'alg_section = ...' has no line 'default_properties = "
                    "?provider=" NAME "'",
                    elsewhere);
    } else if (!active && !problems) {
        problem("the provider is not active");
    }
    (void)OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(own);
    NCONF_free(conf);
    OPENSSL_free(file);
    if (!problems)
        (void)printf("\nall of it is done by " NAME "\n");
    if (fclose(stdout) != 0)
        return 1;
    return problems != 0;
}
