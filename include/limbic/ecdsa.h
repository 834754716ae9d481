/** @file
 * ECDSA (FIPS 186-5 section 6) on P-256, P-384 and P-521. LIMBIC_SM2 is refused with LIMBIC_ERR_CURVE.
 *
 * A signature is r||s, each L = limbic_curve_bytes(curve) bytes big-endian. A digest may have any length, zero
 * included: its leftmost bits are taken (FIPS 186-5 section 6.4.1). s is not forced into the lower half.
 *
 * hash is that of the nonce's HMAC (RFC 6979 section 3.2): the one that made the digest, as RFC 6979 has it.
 * LIMBIC_HASH_DEFAULT is SHA-256, SHA-384, SHA-512 for P-256, P-384, P-521; LIMBIC_SM3 is refused with LIMBIC_ERR_HASH.
 *
 * Lengths: sig_len is 2L, private_len L, public_len 1 + L or 1 + 2L, prepared_len limbic_ec_prepared_bytes(curve).
 *
 * Errors: as in ec.h, of curve, lengths, keys and random bytes; digest may be NULL if digest_len is 0.
 *
 * Timing: constant in private keys and nonces; verification and DER are variable time, on public data. What a function
 * answers is not hidden.
 *
 * Overlap: inputs and outputs may overlap in any way; of a batch's count items, as ec.h says. No heap.
 */
#ifndef LIMBIC_ECDSA_H
#define LIMBIC_ECDSA_H

#include "ec.h"
#include "hash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIMBIC_MAX_SIGNATURE_BYTES (2 * LIMBIC_MAX_BYTES)
#define LIMBIC_MAX_DER_BYTES       139 /**< of a DER signature, P-521 */

/**
 * Signs a digest with a private key of L bytes in [1, n-1]; sig_len is 2L. The nonce is RFC 6979's with L/2 fresh
 * random bytes, the curve's security, as additional data (section 3.6), so that neither a weak generator nor an
 * injected fault on a repeated signature gives the key away. Constant time in the key and nonce.
 */
LIMBIC_CHECK limbic_status limbic_ecdsa_sign(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                             const uint8_t *private_key, size_t private_len,
                                             const uint8_t *digest, size_t digest_len, limbic_hash hash);

/** As limbic_ecdsa_sign with the nonce of RFC 6979 and nothing else: one digest and private key always give one
 * signature. Constant time in key and nonce. */
LIMBIC_CHECK limbic_status limbic_ecdsa_sign_deterministic(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                                           const uint8_t *private_key, size_t private_len,
                                                           const uint8_t *digest, size_t digest_len,
                                                           limbic_hash hash);

/** LIMBIC_OK if sig is a signature of the digest by the public key (either form); LIMBIC_ERR_SIGNATURE if it is not;
 * else what is wrong with the inputs. Variable time: all inputs are public. */
LIMBIC_CHECK limbic_status limbic_ecdsa_verify(limbic_curve curve, const uint8_t *sig, size_t sig_len,
                                               const uint8_t *public_key, size_t public_len,
                                               const uint8_t *digest, size_t digest_len);

/** As limbic_ecdsa_verify with a key prepared by limbic_ec_prepare, which knows its curve. LIMBIC_ERR_PREPARED for a
 * buffer that holds none, LIMBIC_ERR_ALIGNMENT. */
LIMBIC_CHECK limbic_status limbic_ecdsa_verify_prepared(const void *prepared, size_t prepared_len,
                                                        const uint8_t *sig, size_t sig_len,
                                                        const uint8_t *digest, size_t digest_len);

/** An item of limbic_ecdsa_sign_batch and limbic_ecdsa_sign_deterministic_batch. */
typedef struct limbic_ecdsa_sign_item {
    uint8_t *sig;
    const uint8_t *private_key, *digest;
    size_t sig_len, private_len, digest_len;
    limbic_status status;
} limbic_ecdsa_sign_item;

/** Signatures of a batch (ec.h) of count items, as limbic_ecdsa_sign. Each has a nonce and random bytes of its own;
 * LIMBIC_ERR_RANDOM concerns LIMBIC_BATCH_ITEMS items together. Constant time in keys and nonces. */
LIMBIC_CHECK limbic_status limbic_ecdsa_sign_batch(limbic_curve curve, limbic_ecdsa_sign_item *items,
                                                   size_t count, limbic_hash hash);
/** Signatures of a batch (ec.h) of count items, as limbic_ecdsa_sign_deterministic. Constant time in keys and nonces.
 * */
LIMBIC_CHECK limbic_status limbic_ecdsa_sign_deterministic_batch(limbic_curve curve,
                                                                 limbic_ecdsa_sign_item *items, size_t count,
                                                                 limbic_hash hash);

/** The key of an item is prepared (by limbic_ec_prepare) if prepared is not NULL or prepared_len is not 0, else
 * public_key, in either form. */
typedef struct limbic_ecdsa_verify_item {
    const uint8_t *sig, *public_key, *digest;
    const void *prepared;
    size_t sig_len, public_len, digest_len, prepared_len;
    limbic_status status;
} limbic_ecdsa_verify_item;

/** Verifies a batch (ec.h) of count items: each item as limbic_ecdsa_verify or limbic_ecdsa_verify_prepared, in any
 * mixture. LIMBIC_ERR_CURVE for an item whose prepared key is of another curve. */
LIMBIC_CHECK limbic_status limbic_ecdsa_verify_batch(limbic_curve curve, limbic_ecdsa_verify_item *items,
                                                     size_t count);

/** A signature r||s to DER (SEQUENCE of two INTEGERs, RFC 3279 section 2.2.3). *der_len is the size of der before, what
 * was written after (on LIMBIC_ERR_BUFFER: what it takes; der may be NULL where *der_len is 0). r and s must be in [1,
 * n-1]: else LIMBIC_ERR_SIGNATURE_RANGE. LIMBIC_SM2 is accepted here. */
LIMBIC_CHECK limbic_status limbic_ecdsa_sig_to_der(limbic_curve curve, uint8_t *der, size_t *der_len,
                                                   const uint8_t *sig, size_t sig_len);
/** The signature r||s of a DER encoding of der_len bytes. Only the one encoding that DER allows is accepted
 * (LIMBIC_ERR_DER). Else as limbic_ecdsa_sig_to_der. */
LIMBIC_CHECK limbic_status limbic_ecdsa_sig_from_der(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                                     const uint8_t *der, size_t der_len);

#ifdef __cplusplus
}
#endif

#endif
