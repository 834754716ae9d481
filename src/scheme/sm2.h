/* SM2's parts share this; and SM2 with nonces of the caller's, for known answers only. Internal. */
#ifndef LIMBIC_SCHEME_SM2_H
#define LIMBIC_SCHEME_SM2_H

#include "limbic/sm2.h"
#include "scheme/scheme.h"

enum { LIMBIC_SM2_WORDS = 4, LIMBIC_SM2_BYTES = 32 };

/* Nonce of 32 bytes: plain words in [1, n - 1] and 1, or 0. Constant time but for the answer. */
int limbic_sm2_nonce_decode(uint64_t *k, const uint8_t *in);

/* The nonces of n signatures, 32 bytes each and not checked: SM3(d || random || e || 0) for 4 words d, 32 bytes of random and 32 of e. random is n times 32 bytes,
 * nonces may be random. Where one is out of range, or gives no signature, the caller signs again. Wipes no stack. */
void limbic_sm2_nonces(uint8_t *nonces, size_t n, const uint64_t *const *d, const uint8_t *random,
                       const uint8_t *const *e);

/* Z of a decoded public key; id as in limbic/sm2.h. */
limbic_status limbic_sm2_z_of(uint8_t *z, const void *id, size_t id_len, const uint64_t *xy);

/* LIMBIC_ERR_PRIVATE_KEY for a nonce that is not in [1, n-1], LIMBIC_ERR_SIGNATURE_RANGE where the standard draws another nonce (r = 0, r + k = n, s = 0). */
limbic_status limbic_sm2_sign_digest_with_nonce(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                                size_t private_len, const uint8_t *e, size_t e_len,
                                                const uint8_t *nonce, size_t nonce_len);
/* nonces: so many of 32 bytes, of which the first that serves is taken; LIMBIC_ERR_RANDOM if none does. */
limbic_status limbic_sm2_encrypt_with_nonces(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                             const uint8_t *public_key, size_t public_len, const void *msg,
                                             size_t msg_len, const uint8_t *nonces, size_t nonces_len);

#endif
