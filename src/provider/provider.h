/* The OpenSSL 3 provider: what its files share. One file per operation; keys are keymgmt.c's. Internal. */
#ifndef LIMBIC_PROVIDER_PROVIDER_H
#define LIMBIC_PROVIDER_PROVIDER_H

#include "limbic/ec.h"
#include "limbic/rsa.h"
#include "limbic/sm2.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdatomic.h>

/* Names that headers of later versions have. */
#ifndef OSSL_DISPATCH_END
#define OSSL_DISPATCH_END                                                                                    \
    { 0, NULL }
#endif
#define LIMBIC_PARAM_IMPLICIT_REJECTION "implicit-rejection"
#ifndef OSSL_SIGNATURE_PARAM_NONCE_TYPE
#define OSSL_SIGNATURE_PARAM_NONCE_TYPE "nonce-type"
#endif
#ifndef OSSL_PKEY_PARAM_SECURITY_CATEGORY
#define OSSL_PKEY_PARAM_SECURITY_CATEGORY "security-category"
#endif

#define LIMBIC_DISPATCH(id, function)                                                                        \
    { (id), (void (*)(void))(function) }

/* What is left to the default provider, by its functions: other curves, digests that are not SM3 in SM2's encryption, files of EC keys, all
 * of RSA but for the numbers' arithmetic. */
enum limbic_other {
    OTHER_KEYMGMT_EC,
    OTHER_KEYMGMT_SM2,
    OTHER_KEYMGMT_RSA,
    OTHER_KEYMGMT_RSA_PSS,
    OTHER_ECDSA,
    OTHER_RSA_SIGNATURE,
    OTHER_ECDH,
    OTHER_SM2_CIPHER,
    OTHER_RSA_CIPHER,
    OTHERS
};
struct limbic_other_functions {
    void (*fn[64])(void); /* by OSSL_FUNC number; NULL: it has none */
};

struct limbic_prov {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_LIB_CTX *libctx;  /* a child of the program's: digests and key derivation come from there */
    atomic_int running;    /* 0 once a self-test has failed */
    size_t prepared_limit; /* bytes for prepared public keys, all keys together; 0: none are made */
    atomic_int low_level;  /* the hooks are installed for this one */
    int sm2_default_id;    /* 1: as from version 4, "1234567812345678"; 0: the empty ID */

    /* The default provider in a library context of its own, loaded when first needed. */
    CRYPTO_RWLOCK *lock;
    atomic_int other_state; /* 0: not loaded, 1: loaded, -1: there is none */
    OSSL_LIB_CTX *other_libctx;
    OSSL_PROVIDER *other, *legacy; /* the second for its digests, where the program has it too */
    void *other_ctx;
    int implicit_rejection; /* 1: its RSA PKCS #1 decryption has no fault of padding: from version 3.2, in some distributions before */
    struct limbic_other_functions others[OTHERS];
};

/* ---- provider.c ---- */

/* Raises an error on libcrypto's queue, a limbic_status or one of these, and is 0. */
enum {
    REASON_MEMORY = 100,
    REASON_NO_KEY,
    REASON_NO_PEER,
    REASON_KEYS_DIFFER,
    REASON_PARAMETER,
    REASON_DIGEST,
    REASON_DIGEST_LENGTH,
    REASON_BUFFER,
    REASON_LATE_ID,
    REASON_KDF,
    REASON_STATE,
    REASON_NO_DEFAULT
};
int limbic_prov_raise(const struct limbic_prov *p, int reason, int line, const char *function);
#define FAIL(p, reason) limbic_prov_raise((p), (int)(reason), __LINE__, __func__)

/* 0, with an error raised, once a self-test has failed. */
int limbic_prov_running(const struct limbic_prov *p);

/* What ran here, since the module was loaded. */
enum limbic_count {
    COUNT_KEYGEN,
    COUNT_IMPORT,
    COUNT_SIGN,
    COUNT_VERIFY,
    COUNT_DERIVE,
    COUNT_ENCRYPT,
    COUNT_DECRYPT,
    COUNT_PASSED_ON, /* keys left to the default provider */
    COUNT_LOW_LEVEL, /* of all these, by hooks */
    COUNT_PREPARED,  /* public keys that tables were made for */
    COUNTS
};
void limbic_prov_count(enum limbic_count what);

/* Whether a text parameter is this word, in any case. */
int limbic_prov_text_is(const OSSL_PARAM *param, const char *word);

/* ---- other.c ---- */

/* NULL, with an error raised, where there is no default provider, or it has no such algorithm. */
const struct limbic_other_functions *limbic_prov_other(struct limbic_prov *p, enum limbic_other which);
#define OTHER(functions, type, id) ((OSSL_FUNC_##type##_fn *)(functions)->fn[OSSL_FUNC_##id])
/* The default provider's capabilities, those that name EC alone. */
int limbic_prov_other_capabilities(struct limbic_prov *p, const char *capability, OSSL_CALLBACK *cb,
                                   void *arg);
/* Its algorithms of an operation; NULL if there are none. */
const OSSL_ALGORITHM *limbic_prov_other_algorithms(struct limbic_prov *p, int operation);
/* Whether a list of names as algorithms have it ("EC:id-ecPublicKey:...") begins with this one. */
int limbic_prov_has_name(const char *names, const char *name);
void limbic_prov_other_free(struct limbic_prov *p);

/* ---- keymgmt.c ---- */

struct limbic_prov_z {
    uint8_t z[LIMBIC_SM2_DIGEST_BYTES];
    size_t id_len;
    uint8_t id[];
};

struct limbic_prov_key {
    struct limbic_prov *prov;
    atomic_uint refs;
    int sm2;            /* of the key type "SM2" */
    limbic_curve curve; /* 0: none yet, or one that is left to the default provider */
    void *other;        /* that one's key: then all below is unused */
    int has_private, has_public;
    struct {
        uint8_t point, explicit_curve, from_explicit, no_public, cofactor, check;
    } form; /* how it is written, and was */
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES];
    /* SM2: made at use, then left alone, so that they are read without a lock */
    _Atomic(struct limbic_prov_z *) z;
    _Atomic(limbic_sm2_signer *) signer;
    atomic_uint uses;
    /* the public key, prepared: likewise */
    _Atomic(void *) prepared;
    atomic_uint verifications;
    atomic_int preparing; /* one thread does, or did */
};

struct limbic_prov_key *limbic_prov_key_ref(struct limbic_prov_key *key);
void limbic_prov_key_free(struct limbic_prov_key *key);
/* The same key as the default provider has it: for limbic_prov_key_other_free. NULL: an error was raised. */
void *limbic_prov_key_to_other(struct limbic_prov_key *key, int selection);
void limbic_prov_key_other_free(const struct limbic_prov_key *key, void *other);
/* The prepared public key, for a verification that is about to be done: NULL unless it pays. */
const void *limbic_prov_key_prepared(struct limbic_prov_key *key);
/* Bytes of all prepared keys. */
size_t limbic_prov_prepared_bytes(void);
/* Bytes of an encoded ECDSA or SM2 signature at most, as ECDSA_size has them. */
size_t limbic_prov_signature_bytes(limbic_curve curve);

extern const OSSL_DISPATCH limbic_prov_keymgmt_ec[], limbic_prov_keymgmt_sm2[];

/* ---- keymgmt_rsa.c ---- */

/* An RSA key as the library has it. */
struct limbic_prov_rsa_numbers {
    size_t len, bytes; /* of key; of the modulus */
    int private_here;  /* whether private operations are to be done by the library */
    int restricted;    /* an RSA-PSS key that allows certain parameters alone */
    uint64_t key[];
};

/* Every RSA key is one of the default provider's; the library's is made from it when it is first needed. */
struct limbic_prov_rsa {
    struct limbic_prov *prov;
    atomic_uint refs;
    enum limbic_other type;
    void *other;
    _Atomic(struct limbic_prov_rsa_numbers *) numbers;
};

struct limbic_prov_rsa *limbic_prov_rsa_ref(struct limbic_prov_rsa *key);
void limbic_prov_rsa_free(struct limbic_prov_rsa *key);
/* NULL if the key is none for the library: too short, too long, more than two primes, a long public exponent. */
const struct limbic_prov_rsa_numbers *limbic_prov_rsa_numbers(struct limbic_prov_rsa *key);
/* One of a modulus of so many bits; NULL if it is none for the library. To be freed. */
struct limbic_prov_rsa_numbers *limbic_prov_rsa_numbers_new(size_t bits, int is_private,
                                                            const limbic_rsa_numbers *numbers);
void limbic_prov_rsa_numbers_free(struct limbic_prov_rsa_numbers *n);
/* The hash of a name; 0 if the library has no such one. */
limbic_hash limbic_prov_hash(const char *name);

extern const OSSL_DISPATCH limbic_prov_keymgmt_rsa[], limbic_prov_keymgmt_rsa_pss[];

/* ---- signature.c, signature_rsa.c, keyexch.c, asym_cipher.c, asym_cipher_rsa.c, encoder.c ---- */

extern const OSSL_DISPATCH limbic_prov_ecdsa[], limbic_prov_sm2_signature[], limbic_prov_rsa_signature[];
extern const OSSL_DISPATCH limbic_prov_ecdh[];
extern const OSSL_DISPATCH limbic_prov_sm2_cipher[], limbic_prov_rsa_cipher[];
const OSSL_ALGORITHM *limbic_prov_encoders(struct limbic_prov *p);

/* ---- hooks.c ---- */

/* The default methods of EC_KEY and RSA, for the whole process, until as many calls of the second. 0: they can't be made. */
int limbic_prov_hooks_install(void);
void limbic_prov_hooks_remove(void);

#endif
