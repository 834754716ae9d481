/* SHA-512 of many streams, and SHA-384. */
#define BITS 64
#include "hash/sha2.h"

#define NAME limbic_hash_sha512
#include "hash/many.h"
