/* Internal. */
#ifndef LIMBIC_SCHEME_ECDSA_H
#define LIMBIC_SCHEME_ECDSA_H

#include "limbic/ecdsa.h"

/* Signs with a nonce of the caller's: for known answers only. LIMBIC_ERR_PRIVATE_KEY if it is out of range,
 * LIMBIC_ERR_SIGNATURE_RANGE if it makes r or s zero. */
limbic_status limbic_ecdsa_sign_with_nonce(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                           const uint8_t *private_key, size_t private_len,
                                           const uint8_t *digest, size_t digest_len, const uint8_t *nonce,
                                           size_t nonce_len);

#endif
