/** @file
 * RSA (RFC 8017, FIPS 186-5): keys of any bit length from 1024 (verification only; 2041 for all else) to 16384, two
 * primes of any sizes, public exponents of any length.
 *
 * A key stands in the caller's buffer, aligned to 8 bytes (an array of uint64_t, or from malloc), of
 * limbic_rsa_public_bytes or limbic_rsa_private_bytes bytes or more. It holds no pointers, so it can be copied; a
 * private key is to be wiped by limbic_rsa_wipe. A key buffer is trusted, not checked for damage: never take one from
 * somebody else. Where a public key is asked for, a private one serves.
 *
 * Lengths: k is the length of the modulus in bytes. Numbers are big-endian bytes. key_len is the size of the buffer of
 * key in bytes, which may be larger than the key. sig_len is k; digest_len is limbic_hash_bytes(hash), where
 * LIMBIC_HASH_DEFAULT is SHA-256. out_len of encryption is k; *out_len of decryption is the size of out before and must
 * be at least what limbic_rsa_max_message tells (LIMBIC_ERR_BUFFER, with that number), so that it tells nothing; the
 * length of the message after. A message msg that is too long for the key: LIMBIC_ERR_MESSAGE. A ciphertext is k bytes
 * below n: LIMBIC_ERR_LENGTH, LIMBIC_ERR_VALUE.
 *
 * Errors: LIMBIC_ERR_NULL for a pointer that is NULL (data of length 0 may be), LIMBIC_ERR_ALIGNMENT for a key that is
 * not aligned to 8 bytes, LIMBIC_ERR_PREPARED for a buffer that holds no key, LIMBIC_ERR_LENGTH for one that is too
 * short for the key in it and for every fixed length that is another, LIMBIC_ERR_PRIVATE_KEY for a public key where a
 * private one is needed, LIMBIC_ERR_KEY_SIZE for one of too few bits, LIMBIC_ERR_HASH, LIMBIC_ERR_RANDOM.
 *
 * Overlap: inputs and outputs may overlap in any way; a key may overlap nothing. No heap.
 *
 * Stack: what takes a private key takes stack: at most 60 words for each word of the modulus and 32 KiB (47 KiB for
 * 2048 bits, 152 KiB for 16384); what makes or checks primes, limbic_rsa_keygen and limbic_rsa_check, twice as many
 * words and 56 KiB (86 and 296 KiB). Public operations take no more than private ones. The first call of a process that
 * has to do with RSA checks the code it is going to run: whatever it is, it takes 112 KiB where that is more.
 *
 * Timing: private operations are constant time in key and data, blinded with fresh random numbers (no lock, no state),
 * and checked against the public exponent before anything leaves (LIMBIC_ERR_FAULT). Operations with public keys are
 * constant time in what is encrypted, variable time in all else.
 */
#ifndef LIMBIC_RSA_H
#define LIMBIC_RSA_H

#include "hash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LIMBIC_RSA_MIN_PUBLIC_BITS  1024
#define LIMBIC_RSA_MIN_PRIVATE_BITS 2041
#define LIMBIC_RSA_MAX_BITS         16384
#define LIMBIC_RSA_MAX_BYTES        2048

/** Words (uint64_t) that keys of so many bits take at most. */
#define LIMBIC_RSA_PUBLIC_WORDS(bits)  (16 + 4 * (((size_t)(bits) + 63) / 64))
#define LIMBIC_RSA_PRIVATE_WORDS(bits) (48 + 12 * (((size_t)(bits) + 63) / 64))

/** Bytes that a public key of so many bits takes; 0 for a number of bits out of range. */
LIMBIC_API size_t limbic_rsa_public_bytes(size_t bits);
/** Bytes that a private key of so many bits takes; 0 for a number of bits out of range. */
LIMBIC_API size_t limbic_rsa_private_bytes(size_t bits);

/** A number as bytes; leading zeros are allowed. {NULL, 0}: not given. */
typedef struct limbic_rsa_number {
    const uint8_t *bytes;
    size_t len;
} limbic_rsa_number;

/** n = p q, d e = 1 mod lcm(p - 1, q - 1), dp = d mod p - 1, dq = d mod q - 1, qinv = 1/q mod p. */
typedef struct limbic_rsa_numbers {
    limbic_rsa_number n, e, d, p, q, dp, dq, qinv;
} limbic_rsa_numbers;

/**
 * A public key of n and e. n: odd, of 1024 to 16384 bits, without a factor below 752; e: odd, 3 <= e < n. Else
 * LIMBIC_ERR_KEY_SIZE (its number of bits) or LIMBIC_ERR_PUBLIC_KEY. LIMBIC_ERR_BUFFER: key_len is too small. Variable
 * time. A stranger may choose e as long as n: an operation then takes bits / 17 times as long as with e = 65537,
 * seconds for the longest keys. Who takes keys from anybody looks at the length of e first (limbic_rsa_export).
 */
LIMBIC_CHECK limbic_status limbic_rsa_public_import(void *key, size_t key_len,
                                                    const limbic_rsa_numbers *numbers);

/**
 * A private key of n, e and either p and q (dp, dq, qinv and d are computed where not given, and checked where given)
 * or d alone (slower: no primes). LIMBIC_ERR_PRIVATE_KEY if the numbers do not belong together: n = p q, e dp = 1 mod p
 * - 1 and so on; d alone is odd, below n, and tried on 2, 3, 5 and 7; primality is left to limbic_rsa_check. Constant
 * time in the secret numbers, their bit lengths apart.
 */
LIMBIC_CHECK limbic_status limbic_rsa_private_import(void *key, size_t key_len,
                                                     const limbic_rsa_numbers *numbers);

/**
 * A new key of 2048 to 16384 bits (even; LIMBIC_ERR_KEY_SIZE): probable primes of bits/2 bits each, FIPS 186-5 A.1.3
 * (both 3 mod 4, which A.1.3 lets choose; rounds of Miller-Rabin by its table B.1), |p - q| > 2^(bits/2 - 100), d >
 * 2^(bits/2). e NULL: 65537; else odd, above 2^16 and below 2^256. Constant time but for candidates that are thrown
 * away.
 */
LIMBIC_CHECK limbic_status limbic_rsa_keygen(void *key, size_t key_len, size_t bits, const uint8_t *e,
                                             size_t e_len);

/**
 * LIMBIC_OK if p and q are probable primes (64 rounds of Miller-Rabin with random bases, so however they were chosen)
 * and every other part of the key follows from them and e; of a key of d alone, if a random number to the powers d and
 * e is itself. Else LIMBIC_ERR_PRIVATE_KEY. Sizes beyond those of import are not looked at. Slow.
 */
LIMBIC_CHECK limbic_status limbic_rsa_check(const void *key, size_t key_len);

/** Overwrites key_len bytes at key (which may be NULL for 0). */
LIMBIC_API void limbic_rsa_wipe(void *key, size_t key_len);

/** Bits of a key's modulus; 0 if the buffer holds no key. */
LIMBIC_API size_t limbic_rsa_bits(const void *key, size_t key_len);
/** Bytes of a key's modulus, k; 0 if the buffer holds no key. */
LIMBIC_API size_t limbic_rsa_bytes(const void *key, size_t key_len);
/** 1 if it is a private key, 0 if not. */
LIMBIC_API int limbic_rsa_is_private(const void *key, size_t key_len);

/** The numbers of a key. */
typedef enum limbic_rsa_part {
    LIMBIC_RSA_N = 1,
    LIMBIC_RSA_E = 2,
    LIMBIC_RSA_D = 3,
    LIMBIC_RSA_P = 4,
    LIMBIC_RSA_Q = 5,
    LIMBIC_RSA_DP = 6,
    LIMBIC_RSA_DQ = 7,
    LIMBIC_RSA_QINV = 8
} limbic_rsa_part;
/** One part of a key, without leading zeros. *out_len is the size of out before, what was written after (on
 * LIMBIC_ERR_BUFFER: what it takes; out may be NULL where *out_len is 0). LIMBIC_ERR_PRIVATE_KEY if the key has no such
 * number. Constant time in the number, its length apart. */
LIMBIC_CHECK limbic_status limbic_rsa_export(const void *key, size_t key_len, limbic_rsa_part part,
                                             uint8_t *out, size_t *out_len);

/** Raw: out = in^e mod n (RSAEP, RFC 8017 section 5.1.1). in and out have k bytes; LIMBIC_ERR_VALUE if in is n or
 * above. Variable time. */
LIMBIC_CHECK limbic_status limbic_rsa_public_op(const void *key, size_t key_len, uint8_t *out, size_t out_len,
                                                const uint8_t *in, size_t in_len);
/** Raw: out = in^d mod n (RSADP, section 5.1.2). in and out have k bytes; LIMBIC_ERR_VALUE if in is n or above.
 * Constant time but for that. */
LIMBIC_CHECK limbic_status limbic_rsa_private_op(const void *key, size_t key_len, uint8_t *out,
                                                 size_t out_len, const uint8_t *in, size_t in_len);

/**
 * Operations of a batch: each item as limbic_rsa_public_op or limbic_rsa_private_op, with a status of its own; of an
 * item that fails, no output byte is written, and no other item is concerned. LIMBIC_OK if all items are;
 * LIMBIC_ERR_BATCH if there is another among them; LIMBIC_ERR_NULL, and nothing is done, if items is NULL and count is
 * not 0. Items whose keys have the same length - of public operations also the same exponent - gain where they stand
 * next to each other, four private or eight public ones at a time; a key may serve any number of items. An item's
 * output may overlap its own input in any way, but no other item's input or output, nor the array. Timing is that of
 * the single operation; which items fail, and how, is not hidden. Private ones take the stack of limbic_rsa_keygen,
 * public ones less than that of a private operation.
 */
typedef struct limbic_rsa_item {
    const void *key;
    const uint8_t *in;
    uint8_t *out;
    size_t key_len, in_len, out_len;
    limbic_status status;
} limbic_rsa_item;

/** Public operations, count items. Variable time. */
LIMBIC_CHECK limbic_status limbic_rsa_public_op_batch(limbic_rsa_item *items, size_t count);
/** Private operations, count items. Constant time as limbic_rsa_private_op. */
LIMBIC_CHECK limbic_status limbic_rsa_private_op_batch(limbic_rsa_item *items, size_t count);

/** RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.1): sig of digest; DigestInfo names hash and has NULL parameters. Constant
 * time in the key. */
LIMBIC_CHECK limbic_status limbic_rsa_sign_pkcs1(const void *key, size_t key_len, uint8_t *sig,
                                                 size_t sig_len, limbic_hash hash, const uint8_t *digest,
                                                 size_t digest_len);
/** RSASSA-PKCS1-v1_5 (section 8.2.2) of sig, digest and hash: LIMBIC_OK, LIMBIC_ERR_SIGNATURE,
 * LIMBIC_ERR_SIGNATURE_RANGE (n or above), or what is wrong with the inputs. The whole encoding is compared. Variable
 * time. */
LIMBIC_CHECK limbic_status limbic_rsa_verify_pkcs1(const void *key, size_t key_len, const uint8_t *sig,
                                                   size_t sig_len, limbic_hash hash, const uint8_t *digest,
                                                   size_t digest_len);

/* Lengths of PSS's salt, besides a number of bytes from 0. */
#define LIMBIC_RSA_SALT_DIGEST (-1) /**< as long as the digest */
#define LIMBIC_RSA_SALT_MAX    (-2) /**< as long as the key allows */
#define LIMBIC_RSA_SALT_ANY    (-3) /**< verification: whatever length it has */
/** RSASSA-PSS (section 8.1.1): sig of digest, with hash, mgf_hash (LIMBIC_HASH_DEFAULT: hash) and a salt of salt_len
 * bytes, or as long as LIMBIC_RSA_SALT_DIGEST or LIMBIC_RSA_SALT_MAX say; LIMBIC_ERR_SALT if the key has no room for
 * it. Constant time in the key. */
LIMBIC_CHECK limbic_status limbic_rsa_sign_pss(const void *key, size_t key_len, uint8_t *sig, size_t sig_len,
                                               limbic_hash hash, limbic_hash mgf_hash, int salt_len,
                                               const uint8_t *digest, size_t digest_len);
/** RSASSA-PSS (section 8.1.2) of sig and digest, with hash, mgf_hash and salt_len as of limbic_rsa_sign_pss, or
 * LIMBIC_RSA_SALT_ANY. Answers as limbic_rsa_verify_pkcs1. Variable time. */
LIMBIC_CHECK limbic_status limbic_rsa_verify_pss(const void *key, size_t key_len, const uint8_t *sig,
                                                 size_t sig_len, limbic_hash hash, limbic_hash mgf_hash,
                                                 int salt_len, const uint8_t *digest, size_t digest_len);

/** How encryption pads. */
typedef enum limbic_rsa_padding { LIMBIC_RSA_PKCS1 = 1, LIMBIC_RSA_OAEP = 2 } limbic_rsa_padding;
/** The longest message for a key and padding: k - 11, and k - 2 - 2 limbic_hash_bytes(hash); 0 if there is no room, or
 * for unknown arguments. */
LIMBIC_API size_t limbic_rsa_max_message(const void *key, size_t key_len, limbic_rsa_padding padding,
                                         limbic_hash hash);

/** RSAES-OAEP (section 7.1.1) of msg; label may be NULL for label_len 0. hash LIMBIC_HASH_DEFAULT is SHA-256, mgf_hash
 * LIMBIC_HASH_DEFAULT is hash. Constant time in msg. */
LIMBIC_CHECK limbic_status limbic_rsa_encrypt_oaep(const void *key, size_t key_len, uint8_t *out,
                                                   size_t out_len, limbic_hash hash, limbic_hash mgf_hash,
                                                   const void *label, size_t label_len, const void *msg,
                                                   size_t msg_len);
/** RSAES-OAEP (section 7.1.2) of the ciphertext in; label, hash and mgf_hash as of limbic_rsa_encrypt_oaep. It tells
 * one fault, LIMBIC_ERR_DECRYPT, in constant time. */
LIMBIC_CHECK limbic_status limbic_rsa_decrypt_oaep(const void *key, size_t key_len, uint8_t *out,
                                                   size_t *out_len, limbic_hash hash, limbic_hash mgf_hash,
                                                   const void *label, size_t label_len, const uint8_t *in,
                                                   size_t in_len);

/** RSAES-PKCS1-v1_5 (section 7.2.1) of msg. Constant time in msg, its length apart. */
LIMBIC_CHECK limbic_status limbic_rsa_encrypt_pkcs1(const void *key, size_t key_len, uint8_t *out,
                                                    size_t out_len, const void *msg, size_t msg_len);

/**
 * RSAES-PKCS1-v1_5 (section 7.2.2) of the ciphertext in. Decryption has no padding fault to tell: a wrongly padded
 * ciphertext gives a message made from key and ciphertext (implicit rejection, draft-irtf-cfrg-rsa-guidance, as in
 * OpenSSL 3.2), in the same time. So LIMBIC_OK says nothing about who made it.
 */
LIMBIC_CHECK limbic_status limbic_rsa_decrypt_pkcs1(const void *key, size_t key_len, uint8_t *out,
                                                    size_t *out_len, const uint8_t *in, size_t in_len);

#ifdef __cplusplus
}
#endif

#endif
