/* SHA-256, SHA-384, SHA-512 (FIPS 180-4), HMAC (FIPS 198-1) and the nonce generator of RFC 6979. Internal. */
#ifndef LIMBIC_HASH_HASH_H
#define LIMBIC_HASH_HASH_H

#include <stddef.h>
#include <stdint.h>

enum limbic_hash_id { LIMBIC_HASH_sha256, LIMBIC_HASH_sha384, LIMBIC_HASH_sha512, LIMBIC_HASH_IDS };

#define LIMBIC_HASH_MAX_BYTES 64
#define LIMBIC_HASH_MAX_BLOCK 128

size_t limbic_hash_bytes(enum limbic_hash_id id); /* 32, 48, 64 */
size_t limbic_hash_block(enum limbic_hash_id id); /* 64, 128, 128 */

/* A running hash. Copying the struct forks it. Wipe it after secrets. */
struct limbic_hash_ctx {
    enum limbic_hash_id id;
    size_t fill; /* bytes in buffer */
    uint64_t total_lo;
    union {
        uint32_t w32[8];
        uint64_t w64[8];
    } state;
    uint8_t buffer[LIMBIC_HASH_MAX_BLOCK];
};
void limbic_hash_init(struct limbic_hash_ctx *c, enum limbic_hash_id id);
void limbic_hash_update(struct limbic_hash_ctx *c, const void *in, size_t n);
void limbic_hash_final(struct limbic_hash_ctx *c, uint8_t *out);
void limbic_hash_once(enum limbic_hash_id id, uint8_t *out, const void *in, size_t n);

/* HMAC with a prepared key: inner and outer states after the padded key. */
struct limbic_hmac_ctx {
    struct limbic_hash_ctx inner, outer, run;
};
void limbic_hmac_key(struct limbic_hmac_ctx *c, enum limbic_hash_id id, const uint8_t *key, size_t key_len);
void limbic_hmac_start(struct limbic_hmac_ctx *c);
void limbic_hmac_update(struct limbic_hmac_ctx *c, const void *in, size_t n);
void limbic_hmac_final(struct limbic_hmac_ctx *c, uint8_t *out);

/*
 * RFC 6979 section 3.2: init takes x = int2octets(private key), h1 = bits2octets(digest) (both qlen bytes) and extra
 * additional data (section 3.6; may be empty), next gives the next qlen bits T as nbytes (section 3.2 h, already shifted
 * as bits2int does; the caller checks the range and calls again). Constant time in all values.
 */
struct limbic_rfc6979 {
    struct limbic_hmac_ctx hmac;
    uint8_t v[LIMBIC_HASH_MAX_BYTES];
    unsigned qlen; /* bits of the order */
    int retry;
};
void limbic_rfc6979_init(struct limbic_rfc6979 *g, enum limbic_hash_id id, unsigned qlen, const uint8_t *x,
                         const uint8_t *h1, const uint8_t *extra, size_t extra_len);
void limbic_rfc6979_next(struct limbic_rfc6979 *g, uint8_t *out);

#endif
