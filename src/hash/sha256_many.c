/* SHA-256 of many streams. */
#define BITS 32
#include "hash/sha2.h"

#define NAME limbic_hash_sha256
#include "dispatch/engine.h"
#ifdef ENGINE_SHA256
#define SINGLE ENGINE_SHA256
#define FEW    ENGINE_FEW
#endif
#include "hash/many.h"
