/** @file
 * ECDH: SP 800-56A revision 3, section 5.7.1.2 (cofactor 1), on all four curves (SM2: as curveSM2 of RFC 8998; the key
 * exchange of GB/T 32918.3 is another thing).
 *
 * Lengths: L = limbic_curve_bytes(curve) of private keys (private_len) and secrets (secret_len), 1 + L or 1 + 2L of a
 * peer's public key (peer_len).
 *
 * Errors: as in ec.h, of curve, lengths, private key and point.
 *
 * Timing: constant in the private key and the secret, variable in the peer's public key. What a function answers is not
 * hidden.
 *
 * Overlap: inputs and outputs may overlap in any way; of a batch's count items, as ec.h says. No heap.
 */
#ifndef LIMBIC_ECDH_H
#define LIMBIC_ECDH_H

#include "ec.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * secret = the x-coordinate of private_key times the peer's public key (either form), L bytes. The public key is
 * checked in full. Constant time in the private key.
 */
LIMBIC_CHECK limbic_status limbic_ecdh(limbic_curve curve, uint8_t *secret, size_t secret_len,
                                       const uint8_t *private_key, size_t private_len, const uint8_t *peer,
                                       size_t peer_len);

/** An item of limbic_ecdh_batch. */
typedef struct limbic_ecdh_item {
    uint8_t *secret;
    const uint8_t *private_key, *peer;
    size_t secret_len, private_len, peer_len;
    limbic_status status;
} limbic_ecdh_item;

/** Secrets of a batch (ec.h) of count items, each as limbic_ecdh. */
LIMBIC_CHECK limbic_status limbic_ecdh_batch(limbic_curve curve, limbic_ecdh_item *items, size_t count);

#ifdef __cplusplus
}
#endif

#endif
