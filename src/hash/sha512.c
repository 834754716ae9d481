/* SHA-512's compression function, and SHA-384's. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/constants.h"

#define COMPRESS  limbic_hash_sha512_c
#define WORD      uint64_t
#define BITS      64
#define ROUNDS    80
#define LOAD      limbic_load_be64
#define SIGMA0    28, 34, 39
#define SIGMA1    14, 18, 41
#define SCHEDULE0 1, 8, 7
#define SCHEDULE1 19, 61, 6

#define WHOLE(x) x,
static const uint64_t K[ROUNDS] = {LIMBIC_SHA2_K_64(WHOLE) LIMBIC_SHA2_K_16_MORE(WHOLE)};

#include "hash/compress.h"
