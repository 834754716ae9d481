/* The steps of ECDSA, which one operation and a batch share. Internal. */
#ifndef LIMBIC_SCHEME_ECDSA_H
#define LIMBIC_SCHEME_ECDSA_H

#include "hash/hash.h"
#include "limbic/ecdsa.h"
#include "scheme/scheme.h"

/* The curve with the operations and moduli that a signature needs. */
struct limbic_ecdsa {
    const struct limbic_curve_desc *c;
    const struct limbic_modulus *n;
    const struct limbic_ops *field, *order;
};

/* ---- signing. d, e, k are plain words ---- */

/* All checks but that of the hash; d and e. */
limbic_status limbic_ecdsa_sign_start(struct limbic_ecdsa *x, limbic_curve curve, uint64_t *d, uint64_t *e,
                                      const limbic_ecdsa_sign_item *item);
/* The hash of the nonce's HMAC. */
limbic_status limbic_ecdsa_nonce_hash(limbic_hash *out, limbic_hash hash, const struct limbic_ecdsa *x);
/* Bytes of additional data in a hedged nonce: as many as the curve has security. */
#define LIMBIC_ECDSA_EXTRA(x) ((x)->c->bytes / (size_t)2)
/* Nonces of RFC 6979, in [1, n - 1]. */
void limbic_ecdsa_nonce_init(struct limbic_rfc6979 *g, const struct limbic_ecdsa *x, limbic_hash hash,
                             const uint64_t *d, const uint64_t *e, const uint8_t *extra, size_t extra_len);
void limbic_ecdsa_nonce_next(struct limbic_rfc6979 *g, const struct limbic_ecdsa *x, uint64_t *k);
/* The signature s = (e + r d)/k with r = x(k G) mod n, of k G as xy and of the residue 1/k; 0 and nothing written if r or s is zero. */
int limbic_ecdsa_finish(const struct limbic_ecdsa *x, uint8_t *sig, const uint64_t *d, const uint64_t *e,
                        const uint64_t *xy, const uint64_t *inverse);
/* The whole, with the first nonce that serves. */
void limbic_ecdsa_sign_rfc6979(const struct limbic_ecdsa *x, uint8_t *sig, limbic_hash hash,
                               const uint64_t *d, const uint64_t *e, const uint8_t *extra, size_t extra_len);

/* Signs with a nonce of the caller's: for known answers only. LIMBIC_ERR_PRIVATE_KEY if it is out of range,
 * LIMBIC_ERR_SIGNATURE_RANGE if it makes r or s zero. */
limbic_status limbic_ecdsa_sign_with_nonce(limbic_curve curve, uint8_t *sig, size_t sig_len,
                                           const uint8_t *private_key, size_t private_len,
                                           const uint8_t *digest, size_t digest_len, const uint8_t *nonce,
                                           size_t nonce_len);

/* ---- verification: whether x((e/s) G + (r/s) Q) = r mod n ---- */

struct limbic_ecdsa_claim {
    uint64_t r[LIMBIC_MAX_LIMBS], e[LIMBIC_MAX_LIMBS]; /* plain */
    uint64_t s[LIMBIC_MAX_LIMBS];                      /* residue, not zero */
    uint64_t q[2 * LIMBIC_MAX_LIMBS];                  /* the key, or: */
    const uint64_t *table;                             /* of a prepared one; NULL */
};
/* All checks. curve NULL: that of the item's prepared key. */
limbic_status limbic_ecdsa_verify_start(struct limbic_ecdsa *x, const limbic_curve *curve,
                                        struct limbic_ecdsa_claim *claim,
                                        const limbic_ecdsa_verify_item *item);

#endif
