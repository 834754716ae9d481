/** @file
 * Curves: keys, points and their encodings (SEC 1 version 2, section 2.3), multiplication.
 *
 * Scalars and coordinates are big-endian bytes of fixed length L = limbic_curve_bytes(curve): 32, 48, 66, 32. A point
 * is 04||X||Y (1 + 2L bytes) or 02/03||X (1 + L bytes). Inputs of points take both forms and are checked in full: form,
 * range, curve equation; infinity has no encoding here.
 *
 * Lengths: a parameter x_len is the length in bytes of what x points to: L of private keys (private_len) and scalars
 * (k, u, v), 1 + 2L of points that are given out, 1 + L or 1 + 2L of points that are taken.
 *
 * Errors: LIMBIC_ERR_NULL for a pointer that is NULL, LIMBIC_ERR_CURVE for an unknown curve, LIMBIC_ERR_LENGTH for
 * another length; LIMBIC_ERR_PRIVATE_KEY for a private key out of range; of a point LIMBIC_ERR_POINT_FORM,
 * LIMBIC_ERR_COORDINATE (p or above), LIMBIC_ERR_NOT_ON_CURVE, LIMBIC_ERR_INFINITY (the byte 00). LIMBIC_ERR_RANDOM
 * from what draws random bytes.
 *
 * Timing: constant in private keys and scalars, variable in points that are taken, unless a comment says otherwise.
 * What a function answers is not hidden.
 *
 * Overlap: inputs and outputs may overlap in any way. No heap.
 */
#ifndef LIMBIC_EC_H
#define LIMBIC_EC_H

#include "limbic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The curves. */
typedef enum limbic_curve {
    LIMBIC_P256 = 1, /**< secp256r1, FIPS 186-5 / SP 800-186 */
    LIMBIC_P384 = 2, /**< secp384r1 */
    LIMBIC_P521 = 3, /**< secp521r1 */
    LIMBIC_SM2 = 4   /**< sm2p256v1, GB/T 32918.5 */
} limbic_curve;

#define LIMBIC_MAX_BYTES       66                         /**< of a scalar or coordinate */
#define LIMBIC_MAX_POINT_BYTES (1 + 2 * LIMBIC_MAX_BYTES) /**< of a point */

/** Encodings of a point (SEC 1 section 2.3.3). */
typedef enum limbic_point_form { LIMBIC_UNCOMPRESSED = 4, LIMBIC_COMPRESSED = 2 } limbic_point_form;

/** L of a curve; 0 for an unknown curve. */
LIMBIC_API size_t limbic_curve_bytes(limbic_curve curve);
/** "P-256", "P-384", "P-521", "SM2"; NULL for an unknown curve. */
LIMBIC_API const char *limbic_curve_name(limbic_curve curve);

/**
 * A new key pair: private_key of L bytes, uniform in [1, n-1] (SM2: [1, n-2]), from the system's random bytes
 * (FIPS 186-5 A.2.2, by rejection); public_key uncompressed, 1 + 2L bytes. Constant time but for the rejection.
 */
LIMBIC_CHECK limbic_status limbic_ec_keygen(limbic_curve curve, uint8_t *private_key, size_t private_len,
                                            uint8_t *public_key, size_t public_len);

/** The public key, uncompressed, of a private key: d G (SEC 1 section 3.2.1). Constant time. */
LIMBIC_CHECK limbic_status limbic_ec_public_key(limbic_curve curve, uint8_t *public_key, size_t public_len,
                                                const uint8_t *private_key, size_t private_len);

/** LIMBIC_OK if the private key is in range. Constant time but for the answer. */
LIMBIC_CHECK limbic_status limbic_ec_check_private(limbic_curve curve, const uint8_t *private_key,
                                                   size_t private_len);

/** LIMBIC_OK if these bytes are a point of the curve, or what is wrong. Variable time. */
LIMBIC_CHECK limbic_status limbic_ec_check_public(limbic_curve curve, const uint8_t *point, size_t point_len);

/** The same point in the form asked for; *out_len is the size of out before, what was written after (on
 * LIMBIC_ERR_BUFFER: what it takes; out may be NULL where *out_len is 0). LIMBIC_ERR_POINT_FORM for another form.
 * Variable time. */
LIMBIC_CHECK limbic_status limbic_ec_convert(limbic_curve curve, limbic_point_form form, uint8_t *out,
                                             size_t *out_len, const uint8_t *point, size_t point_len);

/** out = k G, uncompressed. k is any number of L bytes, taken mod n. Constant time in k. LIMBIC_ERR_INFINITY if k is 0
 * mod n. */
LIMBIC_CHECK limbic_status limbic_ec_base_mul(limbic_curve curve, uint8_t *out, size_t out_len,
                                              const uint8_t *k, size_t k_len);
/** out = k point, uncompressed. k as of limbic_ec_base_mul. Constant time in k, variable in point's decoding.
 * LIMBIC_ERR_INFINITY if k is 0 mod n. */
LIMBIC_CHECK limbic_status limbic_ec_mul(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *k,
                                         size_t k_len, const uint8_t *point, size_t point_len);

/** out = u G + v point, uncompressed; u and v as k of limbic_ec_base_mul. Variable time: for public numbers only.
 * LIMBIC_ERR_INFINITY if the sum is. */
LIMBIC_CHECK limbic_status limbic_ec_double_mul_vartime(limbic_curve curve, uint8_t *out, size_t out_len,
                                                        const uint8_t *u, size_t u_len, const uint8_t *v,
                                                        size_t v_len, const uint8_t *point, size_t point_len);

/** out = a + b, uncompressed, whatever the two points are. Constant time but for decoding and for infinity,
 * LIMBIC_ERR_INFINITY. */
LIMBIC_CHECK limbic_status limbic_ec_add(limbic_curve curve, uint8_t *out, size_t out_len, const uint8_t *a,
                                         size_t a_len, const uint8_t *b, size_t b_len);

/** The size of the buffer of limbic_ec_prepare, in bytes; 0 for an unknown curve. */
LIMBIC_API size_t limbic_ec_prepared_bytes(limbic_curve curve);
/**
 * A prepared public key: a table that takes all doublings out of verification. It pays from about the tenth use. The
 * buffer has limbic_ec_prepared_bytes bytes and is aligned to 8 (LIMBIC_ERR_ALIGNMENT): an array of uint64_t, or from
 * malloc. It holds no pointers, so it can be copied and kept. It is trusted, not checked for damage: never take one
 * from somebody else. Variable time.
 */
LIMBIC_CHECK limbic_status limbic_ec_prepare(limbic_curve curve, void *prepared, size_t prepared_len,
                                             const uint8_t *point, size_t point_len);

/**
 * Batches. A function ..._batch does what the function without that ending does, for each of count items, at a fraction
 * of the time: it shares what can be shared (inversions, random bytes), and uses the processor's lanes where it has
 * some. Any count will do; from some thousand on, more do not gain.
 *
 * - Each item gets the status, in its member of that name, that the function for one would have given; of an item that
 *   fails, no output byte is written, and no other item is concerned. The answer is LIMBIC_OK if all items' are;
 *   LIMBIC_ERR_BATCH if there is another among them; LIMBIC_ERR_NULL, and nothing is done, if items is NULL and count
 *   is not 0.
 * - Members besides status (and out_len, where there is one) are inputs, and stay. What a batch does not use, may be
 *   left out (zero).
 * - Inputs may be shared among items. An item's outputs may overlap its own inputs in any way, but no other item's
 *   inputs or outputs, nor the array.
 * - Timing is that of the function for one, of the same inputs. Which items fail, and how, is not hidden.
 * - No heap. Items are taken LIMBIC_BATCH_ITEMS at a time, with less than LIMBIC_BATCH_STACK bytes of stack, whatever
 *   the count and curve: mind threads with small stacks. A count that is a multiple of it, or high, serves best.
 */
#define LIMBIC_BATCH_ITEMS 64
#define LIMBIC_BATCH_STACK (160 << 10)

/** An item of limbic_ec_keygen_batch. */
typedef struct limbic_ec_keygen_item {
    uint8_t *private_key, *public_key;
    size_t private_len, public_len;
    limbic_status status;
} limbic_ec_keygen_item;

/** Key pairs in a batch: count items, each as limbic_ec_keygen. LIMBIC_ERR_RANDOM concerns LIMBIC_BATCH_ITEMS items
 * together. */
LIMBIC_CHECK limbic_status limbic_ec_keygen_batch(limbic_curve curve, limbic_ec_keygen_item *items,
                                                  size_t count);

#ifdef __cplusplus
}
#endif

#endif
