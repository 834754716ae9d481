/* What stands on limbic/hash.h inside: HMAC (FIPS 198-1), the nonce generator of RFC 6979, the key derivation of SM2. Internal. */
#ifndef LIMBIC_HASH_HASH_H
#define LIMBIC_HASH_HASH_H

#include "limbic/hash.h"

#define LIMBIC_HASH_MAX_BLOCK 128

/* The round constants of SHA-2. */
__attribute__((visibility("hidden"))) extern const uint32_t limbic_sha256_k[64];
__attribute__((visibility("hidden"))) extern const uint64_t limbic_sha512_k[80];

size_t limbic_hash_block(limbic_hash hash); /* 64, 128, 128, 64 */

/* limbic_hash_init and limbic_digest of a hash that exists. */
void limbic_hash_start(limbic_hash_ctx *c, limbic_hash hash);
void limbic_hash_once(limbic_hash hash, uint8_t *out, const void *in, size_t n);

/* Appends the padding of a message of total bytes to the last `fill` of them (less than a block, in room for two blocks); returns the
 * number of blocks. */
size_t limbic_hash_pad(limbic_hash hash, uint8_t *last, size_t fill, uint64_t total);
/* The digest out of a state: of the words that the hash has, 32 or 64 bits each. */
void limbic_hash_give(limbic_hash hash, uint8_t *out, const void *state);
/* limbic_digest_many of a hash that exists, each message i being prefix[i] || in[i]. prefix_len is less than a block; prefix may be NULL for 0. The output
 * overlaps no input. */
void limbic_hash_many(limbic_hash hash, uint8_t *out, const uint8_t *const *prefix, size_t prefix_len,
                      const void *const *in, const size_t *in_len, size_t count);

/* HMAC with a prepared key: inner and outer states after the padded key. */
struct limbic_hmac_ctx {
    limbic_hash_ctx inner, outer, run;
};
void limbic_hmac_key(struct limbic_hmac_ctx *c, limbic_hash hash, const uint8_t *key, size_t key_len);
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
    uint8_t v[LIMBIC_MAX_DIGEST_BYTES];
    unsigned qlen; /* bits of the order */
    int retry;
};
void limbic_rfc6979_init(struct limbic_rfc6979 *g, limbic_hash hash, unsigned qlen, const uint8_t *x,
                         const uint8_t *h1, const uint8_t *extra, size_t extra_len);
void limbic_rfc6979_next(struct limbic_rfc6979 *g, uint8_t *out);
/* Shifts nbytes of T so that they end after qlen bits. */
void limbic_rfc6979_bits(unsigned qlen, uint8_t *t);
/*
 * The first T of each of n generators, as init and next give it: x, h1 and out are n times nbytes, extra n times extra_len, one after the
 * other; out may be x or h1. extra_len <= LIMBIC_RFC6979_MANY_EXTRA, qlen <= 528. Where a T is out of range, the caller asks the generator itself.
 */
#define LIMBIC_RFC6979_MANY_EXTRA 64
void limbic_rfc6979_many(limbic_hash hash, unsigned qlen, size_t n, const uint8_t *x, const uint8_t *h1,
                         const uint8_t *extra, size_t extra_len, uint8_t *out);

/*
 * KDF of GB/T 32918.4 section 5.4.3: SM3(prefix || 1) || SM3(prefix || 2) || ... for a prefix of whole blocks (n of 64 bytes, n = 1 or 2).
 * Any block of the stream can be had by itself. Constant time.
 */
struct limbic_sm3_kdf {
    uint32_t state[8]; /* after the prefix */
    uint32_t bits;     /* of prefix and counter */
};
void limbic_sm3_kdf_init(struct limbic_sm3_kdf *k, const uint8_t *prefix, size_t blocks);
/* out = blocks `first` (counted from 0) and up of the stream, 32 bytes each; first + blocks < 2^32. */
void limbic_sm3_kdf_blocks(const struct limbic_sm3_kdf *k, uint8_t *out, uint32_t first, size_t blocks);

#endif
