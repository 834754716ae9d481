/* SHA-256's compression function. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/constants.h"
#include "hash/hash.h"

#define COMPRESS  limbic_hash_sha256_c
#define WORD      uint32_t
#define BITS      32
#define ROUNDS    64
#define SIGMA0    2, 13, 22
#define SIGMA1    6, 11, 25
#define SCHEDULE0 7, 18, 3
#define SCHEDULE1 17, 19, 10

#define UPPER_HALF(x) x >> 32,
const uint32_t limbic_sha256_k[ROUNDS] = {LIMBIC_SHA2_K_64(UPPER_HALF)};
#define K limbic_sha256_k

static inline uint32_t load_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
#define LOAD load_be32

#include "hash/compress.h"
