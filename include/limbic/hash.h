/** @file
 * Hashes: SM3 (GB/T 32905), SHA-256, SHA-384 and SHA-512 (FIPS 180-4).
 *
 * Lengths: n bytes of in; out_len is limbic_hash_bytes(hash) for each digest.
 *
 * Errors: LIMBIC_ERR_NULL for a pointer that is NULL (in may be for n = 0), LIMBIC_ERR_HASH for an unknown hash,
 * LIMBIC_ERR_LENGTH for another out_len.
 *
 * Timing: constant in the data; it depends on lengths.
 *
 * Overlap: in and out may overlap, but for limbic_digest_many. No heap.
 */
#ifndef LIMBIC_HASH_H
#define LIMBIC_HASH_H

#include "limbic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The hashes. */
typedef enum limbic_hash {
    LIMBIC_HASH_DEFAULT = 0, /**< what goes with the operation; hash functions themselves refuse it */
    LIMBIC_SHA256 = 1,
    LIMBIC_SHA384 = 2,
    LIMBIC_SHA512 = 3,
    LIMBIC_SM3 = 4
} limbic_hash;

#define LIMBIC_MAX_DIGEST_BYTES 64

/** The length of a digest in bytes: 32, 48, 64, 32; 0 for an unknown hash. */
LIMBIC_API size_t limbic_hash_bytes(limbic_hash hash);
/** "SHA-256", "SHA-384", "SHA-512", "SM3"; NULL for an unknown hash. */
LIMBIC_API const char *limbic_hash_name(limbic_hash hash);

/** The digest of n bytes (in may be NULL for n = 0). Constant time in them. */
LIMBIC_CHECK limbic_status limbic_digest(limbic_hash hash, uint8_t *out, size_t out_len, const void *in,
                                         size_t n);

/** The digests of count messages at once, several times faster than one by one where the processor has vector
 * registers: message i is in_len[i] bytes at in[i] (which may be NULL for 0), its digest goes to out + i *
 * limbic_hash_bytes(hash). out_len is count times limbic_hash_bytes(hash). Messages may overlap each other, not the
 * output. Lengths may differ; the time depends on them. */
LIMBIC_CHECK limbic_status limbic_digest_many(limbic_hash hash, uint8_t *out, size_t out_len,
                                              const void *const *in, const size_t *in_len, size_t count);

/** A running hash, its members private. It holds no pointers: a copy of the struct goes on by itself. */
typedef struct limbic_hash_ctx {
    limbic_hash hash;
    size_t fill; /**< bytes in buffer */
    uint64_t total;
    union {
        uint32_t w32[8];
        uint64_t w64[8];
    } state;
    uint8_t buffer[128];
} limbic_hash_ctx;

/** Starts a hash in c: then any number of limbic_hash_update, and limbic_hash_final. */
LIMBIC_CHECK limbic_status limbic_hash_init(limbic_hash_ctx *c, limbic_hash hash);
/** n more bytes (in may be NULL for n = 0). Constant time in them. */
LIMBIC_API void limbic_hash_update(limbic_hash_ctx *c, const void *in, size_t n);
/** Writes the digest, limbic_hash_bytes bytes at out, and wipes c: until the next limbic_hash_init, limbic_hash_update
 * and limbic_hash_final do nothing with it. */
LIMBIC_API void limbic_hash_final(limbic_hash_ctx *c, uint8_t *out);

#ifdef __cplusplus
}
#endif

#endif
