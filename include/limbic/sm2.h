/** @file
 * SM2 (GB/T 32918-2016, GM/T 0003-2012) on the curve LIMBIC_SM2 (GB/T 32918.5): signatures, encryption, key exchange.
 * Keys are made and converted by ec.h (limbic_ec_keygen(LIMBIC_SM2, ...)) and key.h: private keys are 32 bytes in [1,
 * n-2], public keys points in either form, checked in full. The hash is SM3.
 *
 * A signer's ID is up to 8191 bytes. id NULL with id_len 0 stands for the default, "1234567812345678"; any other
 * pointer with id_len 0 is the empty ID (mind that an empty C++ container may have a NULL pointer). (OpenSSL before
 * version 4 takes the empty ID where none is given.)
 *
 * Lengths: private_len is 32, public_len 33 or 65, sig_len 64 (r||s), z_len and e_len 32, prepared_len
 * limbic_ec_prepared_bytes(LIMBIC_SM2); msg is the message, of any length msg_len.
 *
 * Errors: as in ec.h, of lengths, keys and random bytes; LIMBIC_ERR_ID for an ID that is too long. Data of length 0 may
 * be NULL.
 *
 * Timing: constant in private keys, nonces, what is encrypted or decrypted, and shared keys; verification is variable
 * time, on public data. What a function answers is not hidden.
 *
 * Overlap: inputs and outputs may overlap in any way unless a comment says otherwise; of a batch's count items, as ec.h
 * says. No heap.
 */
#ifndef LIMBIC_SM2_H
#define LIMBIC_SM2_H

#include "ec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIMBIC_SM2_DEFAULT_ID   "1234567812345678"
#define LIMBIC_SM2_MAX_ID_BYTES 8191
#define LIMBIC_SM2_DIGEST_BYTES 32
#define LIMBIC_SM2_SIGNATURE_BYTES                                                                           \
    64 /**< r||s; limbic_ecdsa_sig_to_der and _from_der (ecdsa.h) make DER of it and back */

/* ---- signatures (part 2) ---- */

/** z = SM3(ENTL || ID || a || b || G || public key) (section 5.5). Variable time. */
LIMBIC_CHECK limbic_status limbic_sm2_z(uint8_t *z, size_t z_len, const void *id, size_t id_len,
                                        const uint8_t *public_key, size_t public_len);
/** e = SM3(Z || message), Z as limbic_sm2_z (section 6.1, A2). Variable time. */
LIMBIC_CHECK limbic_status limbic_sm2_digest(uint8_t *e, size_t e_len, const void *id, size_t id_len,
                                             const uint8_t *public_key, size_t public_len, const void *msg,
                                             size_t msg_len);

/**
 * A signature of a message under an ID (section 6.1). The nonce is SM3 of the private key, 32 fresh random bytes and e,
 * so that neither a weak generator nor a fault on a repeated signature gives the key away. Constant time in key and
 * nonce. Signing a message computes the public key for Z: a prepared key saves that and the division by 1 + d.
 */
LIMBIC_CHECK limbic_status limbic_sm2_sign(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                           size_t private_len, const void *id, size_t id_len, const void *msg,
                                           size_t msg_len);
/** As limbic_sm2_sign, of e = SM3(Z || message) itself (any 32 bytes). Constant time in key and nonce. */
LIMBIC_CHECK limbic_status limbic_sm2_sign_digest(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                                  size_t private_len, const uint8_t *e, size_t e_len);

/** A prepared private key: the key, 1/(1 + d), Z and the public key; its members are private. It holds secrets and no
 * pointers: it can be copied, and is to be wiped by limbic_sm2_signer_wipe. */
typedef struct limbic_sm2_signer {
    uint64_t magic;
    uint64_t d[4], inverse[4];
    uint8_t z[32], public_key[65];
} limbic_sm2_signer;

/** Makes a prepared private key of a private key and an ID. One that fails leaves the signer as it was. Constant time
 * in the key. */
LIMBIC_CHECK limbic_status limbic_sm2_signer_init(limbic_sm2_signer *signer, const uint8_t *private_key,
                                                  size_t private_len, const void *id, size_t id_len);
/** Overwrites a signer (which may be NULL). */
LIMBIC_API void limbic_sm2_signer_wipe(limbic_sm2_signer *signer);
/** As limbic_sm2_sign, of a message. LIMBIC_ERR_PREPARED if the signer was never made, or is wiped. Constant time in
 * key and nonce. */
LIMBIC_CHECK limbic_status limbic_sm2_signer_sign(const limbic_sm2_signer *signer, uint8_t *sig,
                                                  size_t sig_len, const void *msg, size_t msg_len);
/** As limbic_sm2_sign_digest, of e. LIMBIC_ERR_PREPARED as above. Constant time in key and nonce. */
LIMBIC_CHECK limbic_status limbic_sm2_signer_sign_digest(const limbic_sm2_signer *signer, uint8_t *sig,
                                                         size_t sig_len, const uint8_t *e, size_t e_len);

/** Verifies a signature of a message under an ID (section 7.1): LIMBIC_OK, LIMBIC_ERR_SIGNATURE,
 * LIMBIC_ERR_SIGNATURE_RANGE (r or s not in [1, n-1]), or what is wrong with the inputs. Variable time. */
LIMBIC_CHECK limbic_status limbic_sm2_verify(const uint8_t *sig, size_t sig_len, const uint8_t *public_key,
                                             size_t public_len, const void *id, size_t id_len,
                                             const void *msg, size_t msg_len);
/** As limbic_sm2_verify, of e = SM3(Z || message) itself. Variable time. */
LIMBIC_CHECK limbic_status limbic_sm2_verify_digest(const uint8_t *sig, size_t sig_len,
                                                    const uint8_t *public_key, size_t public_len,
                                                    const uint8_t *e, size_t e_len);
/** As limbic_sm2_verify with a key prepared by limbic_ec_prepare(LIMBIC_SM2, ...); LIMBIC_ERR_CURVE for one of another
 * curve, LIMBIC_ERR_PREPARED for a buffer that holds none, LIMBIC_ERR_ALIGNMENT. */
LIMBIC_CHECK limbic_status limbic_sm2_verify_prepared(const void *prepared, size_t prepared_len,
                                                      const uint8_t *sig, size_t sig_len, const void *id,
                                                      size_t id_len, const void *msg, size_t msg_len);
/** As limbic_sm2_verify_digest with a prepared key, as limbic_sm2_verify_prepared. */
LIMBIC_CHECK limbic_status limbic_sm2_verify_digest_prepared(const void *prepared, size_t prepared_len,
                                                             const uint8_t *sig, size_t sig_len,
                                                             const uint8_t *e, size_t e_len);

/**
 * The key of an item is signer, or, if that is NULL, private_key with id. What is signed is e, if e is not NULL or
 * e_len is not 0; else msg (which may be empty). Members that do not come into play are not looked at: private_key and
 * id beside a signer, id and msg beside e.
 */
typedef struct limbic_sm2_sign_item {
    uint8_t *sig;
    const limbic_sm2_signer *signer;
    const uint8_t *private_key, *e;
    const void *id, *msg;
    size_t sig_len, private_len, e_len, id_len, msg_len;
    limbic_status status;
} limbic_sm2_sign_item;

/** Signatures of a batch (ec.h) of count items, in any mixture: each as limbic_sm2_sign, limbic_sm2_sign_digest,
 * limbic_sm2_signer_sign or limbic_sm2_signer_sign_digest. Each has a nonce and random bytes of its own;
 * LIMBIC_ERR_RANDOM concerns LIMBIC_BATCH_ITEMS items together. */
LIMBIC_CHECK limbic_status limbic_sm2_sign_batch(limbic_sm2_sign_item *items, size_t count);

/** The key of an item is prepared if prepared is not NULL or prepared_len is not 0, else public_key. Signed is e or
 * msg, as above. */
typedef struct limbic_sm2_verify_item {
    const uint8_t *sig, *public_key, *e;
    const void *prepared, *id, *msg;
    size_t sig_len, public_len, e_len, prepared_len, id_len, msg_len;
    limbic_status status;
} limbic_sm2_verify_item;

/** Verifies a batch (ec.h) of count items, in any mixture: each item as limbic_sm2_verify, limbic_sm2_verify_digest, or
 * the same with prepared keys. */
LIMBIC_CHECK limbic_status limbic_sm2_verify_batch(limbic_sm2_verify_item *items, size_t count);

/* ---- encryption (part 4) ---- */

/** Forms of a ciphertext. */
typedef enum limbic_sm2_form {
    LIMBIC_SM2_C1C3C2 = 0, /**< 04||x||y||hash||text: GB/T 32918.4-2016 */
    LIMBIC_SM2_C1C2C3 = 1, /**< 04||x||y||text||hash: the order of older products */
    LIMBIC_SM2_DER =
        2 /**< SEQUENCE { INTEGER x, INTEGER y, OCTET STRING hash, OCTET STRING text }: GM/T 0009 */
} limbic_sm2_form;

#define LIMBIC_SM2_OVERHEAD_BYTES 97 /**< raw forms: ciphertext less message */

/** The most bytes that the ciphertext of a message of msg_len bytes takes; raw forms take exactly that. 0 for an
 * unknown form, for an empty message and for one that is too long (above 2^32 - 2 times 32 bytes, or the address
 * space). */
LIMBIC_API size_t limbic_sm2_ciphertext_bytes(limbic_sm2_form form, size_t msg_len);

/**
 * Encrypts a message of 1 byte or more (LIMBIC_ERR_MESSAGE: none, or too long). *out_len is the size of out before,
 * what was written after (on LIMBIC_ERR_BUFFER: what limbic_sm2_ciphertext_bytes says; DER may then turn out a few
 * bytes shorter). Constant extra memory; in place if wanted. Constant time in nonce and message. A key stream of zeros
 * draws a new nonce (A5).
 */
LIMBIC_CHECK limbic_status limbic_sm2_encrypt(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                              const uint8_t *public_key, size_t public_len, const void *msg,
                                              size_t msg_len);
/**
 * Decrypts. *out_len as above (on LIMBIC_ERR_BUFFER: the length of the message). No byte is written before the hash is
 * checked (in constant time). LIMBIC_ERR_LENGTH, _POINT_FORM, _COORDINATE, _NOT_ON_CURVE, LIMBIC_ERR_DER: no ciphertext
 * of this form; LIMBIC_ERR_DECRYPT: not of this key, changed, in another order, or with a key stream of zeros. Constant
 * time in the private key.
 */
LIMBIC_CHECK limbic_status limbic_sm2_decrypt(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                              const uint8_t *private_key, size_t private_len,
                                              const uint8_t *in, size_t in_len);
/** out_len is the size of out before, what was written after, as *out_len of limbic_sm2_encrypt and _decrypt. */
typedef struct limbic_sm2_encrypt_item {
    uint8_t *out;
    const uint8_t *public_key;
    const void *msg;
    size_t out_len, public_len, msg_len;
    limbic_status status;
} limbic_sm2_encrypt_item;

/** As limbic_sm2_encrypt_item. */
typedef struct limbic_sm2_decrypt_item {
    uint8_t *out;
    const uint8_t *private_key, *in;
    size_t out_len, private_len, in_len;
    limbic_status status;
} limbic_sm2_decrypt_item;

/** Encrypts a batch (ec.h) of count messages of any lengths, in one form: each item as limbic_sm2_encrypt.
 * LIMBIC_ERR_RANDOM concerns LIMBIC_BATCH_ITEMS items together. */
LIMBIC_CHECK limbic_status limbic_sm2_encrypt_batch(limbic_sm2_form form, limbic_sm2_encrypt_item *items,
                                                    size_t count);
/** Decrypts a batch (ec.h) of count ciphertexts of any lengths, in one form: each item as limbic_sm2_decrypt. */
LIMBIC_CHECK limbic_status limbic_sm2_decrypt_batch(limbic_sm2_form form, limbic_sm2_decrypt_item *items,
                                                    size_t count);
/** The form to of the ciphertext in, which has the form from; buffers and *out_len as for encryption. Needs no key and
 * checks C1 alone. */
LIMBIC_CHECK limbic_status limbic_sm2_convert(limbic_sm2_form to, uint8_t *out, size_t *out_len,
                                              limbic_sm2_form from, const uint8_t *in, size_t in_len);

/* ---- key exchange (part 3) ---- */

/** One side's view. Ephemeral keys are key pairs as limbic_ec_keygen makes them, for one exchange alone. */
typedef struct limbic_sm2_exchange {
    int responder;                                  /**< 0: this side began (A), 1: it answers (B) */
    const uint8_t *private_key, *ephemeral_private; /**< this side's, 32 bytes each */
    const uint8_t *peer_public, *peer_ephemeral;    /**< the other's, in either form */
    size_t peer_public_len, peer_ephemeral_len;
    const void *id, *peer_id; /**< with lengths; NULL: the default */
    size_t id_len, peer_id_len;
} limbic_sm2_exchange;

/**
 * The shared key of an exchange x: key_len bytes (1 to 2^32 - 2 times 32), and confirmation values of 32 bytes (section
 * 6.1; both NULL if there is to be no confirmation): send goes to the other side, what comes from there must equal
 * expect (limbic_sm2_confirm). Constant time in the private keys. LIMBIC_ERR_INFINITY if the shared point is infinite.
 * The outputs may not overlap each other.
 */
LIMBIC_CHECK limbic_status limbic_sm2_exchange_key(const limbic_sm2_exchange *x, uint8_t *key, size_t key_len,
                                                   uint8_t *send, uint8_t *expect);
/** LIMBIC_OK if what was received is the 32 bytes of expect, in constant time; LIMBIC_ERR_CONFIRM if not (then the key
 * is not to be used). */
LIMBIC_CHECK limbic_status limbic_sm2_confirm(const uint8_t *expect, const uint8_t *received,
                                              size_t received_len);

#ifdef __cplusplus
}
#endif

#endif
