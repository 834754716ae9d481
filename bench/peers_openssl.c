/* peer/openssl/<curve>/<op>: libcrypto through EVP_PKEY, contexts and keys kept. Its ECDH checks the other
 * key once, when it is set; Limbic's checks it at each exchange. */
#include "bench.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <stdio.h>
#include <string.h>

struct peer {
    EVP_PKEY_CTX *sign, *verify, *keygen, *ecdh;
    EVP_MD_CTX *sign_message, *verify_message;
    unsigned char digest[64], sig[160], secret[66], message[1 << 10], sig_message[160];
    size_t digest_len, sig_len, sig_message_len;
};

#define LOOP(name, ok)                                                                                       \
    static void name(void *arg, size_t count) {                                                              \
        struct peer *p = arg;                                                                                \
        for (; count; count--)                                                                               \
            if (!(ok))                                                                                       \
                bench_fail("libcrypto: " #name " failed");                                                   \
    }

static int sign_once(struct peer *p) {
    unsigned char sig[160];
    size_t len = sizeof sig;
    return EVP_PKEY_sign(p->sign, sig, &len, p->digest, p->digest_len) == 1;
}
/* An initialisation without arguments begins anew with the same key and digest. */
static int sign_message_once(struct peer *p) {
    unsigned char sig[160];
    size_t len = sizeof sig;
    return EVP_DigestSignInit(p->sign_message, NULL, NULL, NULL, NULL) == 1 &&
           EVP_DigestSign(p->sign_message, sig, &len, p->message, sizeof p->message) == 1;
}
static int verify_message_once(struct peer *p) {
    return EVP_DigestVerifyInit(p->verify_message, NULL, NULL, NULL, NULL) == 1 &&
           EVP_DigestVerify(p->verify_message, p->sig_message, p->sig_message_len, p->message,
                            sizeof p->message) == 1;
}
static int keygen_once(struct peer *p) {
    EVP_PKEY *key = NULL;
    int ok = EVP_PKEY_keygen(p->keygen, &key) == 1;
    EVP_PKEY_free(key);
    return ok;
}
static int ecdh_once(struct peer *p) {
    size_t len = sizeof p->secret;
    return EVP_PKEY_derive(p->ecdh, p->secret, &len) == 1;
}

LOOP(sign, sign_once(p))
LOOP(verify, EVP_PKEY_verify(p->verify, p->sig, p->sig_len, p->digest, p->digest_len) == 1)
LOOP(sign_message, sign_message_once(p))
LOOP(verify_message, verify_message_once(p))
LOOP(keygen, keygen_once(p))
LOOP(ecdh, ecdh_once(p))

static void add(const char *curve, const char *op, void (*fn)(void *, size_t), struct peer *p, int offered) {
    struct bench_row row = {.fn = fn, .arg = p};
    BENCH_NAME(&row, "peer/openssl/%s/%s", curve, op);
    BENCH_GROUP(&row, "scheme/%s/%s", curve, op);
    if (offered)
        bench_add(&row);
    else
        bench_not_run(row.name, "this OpenSSL does not offer it");
    ERR_clear_error();
}

void bench_peers_openssl(void) {
    static const struct {
        const char *name;
        int nid;
        const char *digest; /* NULL: no ECDSA */
    } curves[] = {
        {"p256", NID_X9_62_prime256v1, "SHA256"},
        {"p384", NID_secp384r1, "SHA384"},
        {"p521", NID_secp521r1, "SHA512"},
        {"sm2", NID_sm2, NULL},
    };
    bench_context("openssl_version", OpenSSL_version(OPENSSL_VERSION));
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        struct peer *p = bench_alloc(sizeof *p);
        EVP_PKEY *key = NULL, *other = NULL;
        uint64_t words[8];
        size_t len = sizeof p->secret;
        bench_random(words, 8);
        memcpy(p->digest, words, sizeof p->digest);
        p->sig_len = sizeof p->sig;
        p->keygen = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
        int ok = p->keygen && EVP_PKEY_keygen_init(p->keygen) == 1 &&
                 EVP_PKEY_CTX_set_ec_paramgen_curve_nid(p->keygen, curves[i].nid) == 1 &&
                 EVP_PKEY_keygen(p->keygen, &key) == 1 && EVP_PKEY_keygen(p->keygen, &other) == 1;
        add(curves[i].name, "keygen", keygen, p, ok);

        int ok_ecdh = ok && (p->ecdh = EVP_PKEY_CTX_new(key, NULL)) != NULL &&
                      EVP_PKEY_derive_init(p->ecdh) == 1 && EVP_PKEY_derive_set_peer(p->ecdh, other) == 1 &&
                      EVP_PKEY_derive(p->ecdh, p->secret, &len) == 1;
        add(curves[i].name, "ecdh", ecdh, p, ok_ecdh);
        if (!curves[i].digest)
            continue;
        const EVP_MD *md = EVP_get_digestbyname(curves[i].digest);
        p->digest_len = (size_t)EVP_MD_get_size(md);
        ok = ok && (p->sign = EVP_PKEY_CTX_new(key, NULL)) != NULL && EVP_PKEY_sign_init(p->sign) == 1 &&
             EVP_PKEY_sign(p->sign, p->sig, &p->sig_len, p->digest, p->digest_len) == 1 &&
             (p->verify = EVP_PKEY_CTX_new(key, NULL)) != NULL && EVP_PKEY_verify_init(p->verify) == 1;
        add(curves[i].name, "sign", sign, p, ok);
        add(curves[i].name, "verify", verify, p, ok);
        p->sig_message_len = sizeof p->sig_message;
        ok = ok && (p->sign_message = EVP_MD_CTX_new()) != NULL &&
             EVP_DigestSignInit(p->sign_message, NULL, md, NULL, key) == 1 &&
             EVP_DigestSign(p->sign_message, p->sig_message, &p->sig_message_len, p->message,
                            sizeof p->message) == 1 &&
             (p->verify_message = EVP_MD_CTX_new()) != NULL &&
             EVP_DigestVerifyInit(p->verify_message, NULL, md, NULL, key) == 1;
        add(curves[i].name, "sign_message", sign_message, p, ok && sign_message_once(p));
        add(curves[i].name, "verify_message", verify_message, p, ok && verify_message_once(p));
    }
}
