/* SM2's parts share this; and SM2 with nonces of the caller's, for known answers only. Internal. */
#ifndef LIMBIC_SCHEME_SM2_H
#define LIMBIC_SCHEME_SM2_H

#include "limbic/sm2.h"
#include "scheme/scheme.h"

enum { LIMBIC_SM2_WORDS = 4, LIMBIC_SM2_BYTES = 32 };

/* Nonce of 32 bytes: plain words in [1, n - 1] and 1, or 0. Constant time but for the answer. */
int limbic_sm2_nonce_decode(uint64_t *k, const uint8_t *in);

/* Z of a decoded public key; id as in limbic/sm2.h. It is the hash of ENTL || ID and LIMBIC_SM2_Z_BYTES more, which z_text gives. */
enum { LIMBIC_SM2_Z_BYTES = 6 * LIMBIC_SM2_BYTES };
void limbic_sm2_z_text(uint8_t *text, const uint64_t *xy);
/* ENTL and, where it is the default, the ID. */
void limbic_sm2_z_id(uint8_t *entl, const void **id, size_t *id_len);
limbic_status limbic_sm2_z_of(uint8_t *z, const void *id, size_t id_len, const uint64_t *xy);

/* e = SM3(Z || message); e may be z. */
void limbic_sm2_digest_of(uint8_t *e, const uint8_t *z, const void *msg, size_t msg_len);

/* ---- signing: the steps that one signature and a batch share ---- */

#define LIMBIC_SM2_HAS_DIGEST(item) ((item)->e || (item)->e_len)

/* All checks; d. */
limbic_status limbic_sm2_sign_start(const limbic_sm2_sign_item *item, uint64_t *d);
/* r = 1 + d, a residue, not zero: signatures divide by it. */
void limbic_sm2_divisor(uint64_t *r, const uint64_t *d);
/* Nonces: SM3(seed), seed = d || 32 random bytes || e || counter, the first of them with the counter 0. */
enum { LIMBIC_SM2_SEED_BYTES = 3 * LIMBIC_SM2_BYTES + 1 };
void limbic_sm2_seed(uint8_t *seed, const uint64_t *d, const uint8_t *random, const uint8_t *e);
/* k and the next counter; 0 if k is not in [1, n - 1]. */
int limbic_sm2_seed_nonce(uint64_t *k, uint8_t *seed);
/*
 * r = e + x1 and s = (k - r d)/(1 + d) = (r + k)/(1 + d) - r mod n, of k G as xy and of the residue 1/(1 + d); 0 and nothing written where the
 * standard draws another nonce: r = 0, r + k = n, s = 0.
 */
int limbic_sm2_finish(uint8_t *sig, const uint64_t *inverse, const uint8_t *e, const uint64_t *k,
                      const uint64_t *xy);
/* The whole, with the first nonce from this seed that serves. */
void limbic_sm2_sign_seeded(uint8_t *sig, const uint64_t *inverse, uint8_t *seed);

/* ---- verification: whether x(s G + t Q) = r - e mod n, t = r + s ---- */

struct limbic_sm2_claim {
    uint64_t s[LIMBIC_SM2_WORDS], t[LIMBIC_SM2_WORDS], x1[LIMBIC_SM2_WORDS]; /* plain; x1 = r - e */
};
/* The checks of all but the signature's numbers: the key, as q or a prepared one's table (NULL: q). */
limbic_status limbic_sm2_verify_start(const limbic_sm2_verify_item *item, uint64_t *q,
                                      const uint64_t **table);
/* The numbers, of the item's digest or its message's. */
limbic_status limbic_sm2_verify_numbers(struct limbic_sm2_claim *claim, const limbic_sm2_verify_item *item,
                                        const uint8_t *e);

/* ---- encryption ---- */

/* A ciphertext taken apart; its point also decoded. */
struct limbic_sm2_ciphertext {
    uint8_t c1[1 + 2 * LIMBIC_SM2_BYTES], c3[LIMBIC_SM2_BYTES];
    uint64_t xy[2 * LIMBIC_SM2_WORDS];
    const uint8_t *text;
    size_t n;
};

/* All checks; the key q. Sets out_len with LIMBIC_ERR_BUFFER. */
limbic_status limbic_sm2_encrypt_start(limbic_sm2_form form, limbic_sm2_encrypt_item *item, uint64_t *q);
/* A nonce from the system. */
limbic_status limbic_sm2_encrypt_nonce(uint64_t *k);
/* The ciphertext of k G and k q; 0 and nothing written if the key stream is all zero: that takes another nonce. */
int limbic_sm2_encrypt_finish(limbic_sm2_form form, limbic_sm2_encrypt_item *item, const uint64_t *kg,
                              const uint64_t *kq);
/* The whole after the checks, with the first nonce that serves from a list of so many bytes, or from the system (NULL). */
limbic_status limbic_sm2_encrypt_with(limbic_sm2_form form, limbic_sm2_encrypt_item *item, const uint64_t *q,
                                      const uint8_t *nonces, size_t nonces_len);
/* All checks; d. Sets out_len with LIMBIC_ERR_BUFFER. */
limbic_status limbic_sm2_decrypt_start(limbic_sm2_form form, limbic_sm2_decrypt_item *item,
                                       struct limbic_sm2_ciphertext *x, uint64_t *d);
/* The message of d times the point of x; LIMBIC_ERR_DECRYPT. */
limbic_status limbic_sm2_decrypt_finish(limbic_sm2_decrypt_item *item, const struct limbic_sm2_ciphertext *x,
                                        const uint64_t *xy);

/* ---- with nonces of the caller's ---- */

/* LIMBIC_ERR_PRIVATE_KEY for a nonce that is not in [1, n-1], LIMBIC_ERR_SIGNATURE_RANGE where the standard draws another nonce (r = 0, r + k = n, s = 0). */
limbic_status limbic_sm2_sign_digest_with_nonce(uint8_t *sig, size_t sig_len, const uint8_t *private_key,
                                                size_t private_len, const uint8_t *e, size_t e_len,
                                                const uint8_t *nonce, size_t nonce_len);
/* nonces: so many of 32 bytes, of which the first that serves is taken; LIMBIC_ERR_RANDOM if none does. */
limbic_status limbic_sm2_encrypt_with_nonces(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                             const uint8_t *public_key, size_t public_len, const void *msg,
                                             size_t msg_len, const uint8_t *nonces, size_t nonces_len);

#endif
