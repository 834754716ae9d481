/** @file
 * Limbic: prime-field arithmetic for SM2, P-256, P-384, P-521 and RSA, and the schemes on it.
 *
 * Every function is thread-safe: the library keeps no state but its table of kernels, which is filled once. A function
 * that fails writes nothing to its outputs, unless its comment says otherwise.
 *
 * Each header's first comment tells once what holds for all its functions, as here.
 *
 * Lengths: a parameter x_len is the length in bytes of what x points to; size is the size of out or what.
 *
 * Errors: a limbic_status. LIMBIC_ERR_NULL for a pointer that must not be NULL. Strings that are returned are constant
 * and never freed.
 *
 * Timing: variable; nothing here is secret.
 *
 * Overlap: outputs may not overlap anything.
 */
#ifndef LIMBIC_LIMBIC_H
#define LIMBIC_LIMBIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIMBIC_VERSION_MAJOR 0
#define LIMBIC_VERSION_MINOR 1
#define LIMBIC_VERSION_PATCH 0
#define LIMBIC_VERSION       "0.1.0"

#if defined(__GNUC__)
#define LIMBIC_API   __attribute__((visibility("default")))
#define LIMBIC_CHECK __attribute__((visibility("default"), warn_unused_result))
#else
#define LIMBIC_API
#define LIMBIC_CHECK
#endif

/** What a function says of its inputs. Each fault has a value of its own; values do not change between versions. */
typedef enum limbic_status {
    LIMBIC_OK = 0,
    LIMBIC_ERR_NULL = 1, /**< a pointer that must not be NULL is, or a number of a key is missing */
    LIMBIC_ERR_LENGTH =
        2, /**< an input or fixed-size output has not the length the curve or field asks for */
    LIMBIC_ERR_BUFFER = 3,       /**< an output buffer is too small */
    LIMBIC_ERR_CURVE = 4,        /**< no such curve, or the operation is not defined on it */
    LIMBIC_ERR_HASH = 5,         /**< no such hash */
    LIMBIC_ERR_POINT_FORM = 6,   /**< no such form: a point's first byte is none of 02, 03, 04 */
    LIMBIC_ERR_COORDINATE = 7,   /**< a coordinate is p or above */
    LIMBIC_ERR_NOT_ON_CURVE = 8, /**< the point is not on the curve */
    LIMBIC_ERR_INFINITY = 9,     /**< the point is, or the result would be, the point at infinity */
    LIMBIC_ERR_PRIVATE_KEY =
        10, /**< no private key: zero, too large, public, or of numbers that do not belong together */
    LIMBIC_ERR_SIGNATURE_RANGE =
        11, /**< r or s is zero, or the order or above; an RSA signature is the modulus or above */
    LIMBIC_ERR_SIGNATURE = 12, /**< well-formed, but not a signature of this digest by this key */
    LIMBIC_ERR_DER = 13,       /**< not the one DER encoding of what was asked for */
    LIMBIC_ERR_RANDOM = 14,    /**< the system gave no random bytes */
    LIMBIC_ERR_VALUE = 15,     /**< a number is not below its modulus */
    LIMBIC_ERR_MODULUS = 16,   /**< a modulus is even or below 3 */
    LIMBIC_ERR_ALIGNMENT = 17, /**< a buffer is not aligned to 8 bytes */
    LIMBIC_ERR_PREPARED = 18,  /**< the buffer holds no key, prepared or of RSA */
    LIMBIC_ERR_SELFTEST = 19,  /**< a self-test failed */
    LIMBIC_ERR_ID = 20,        /**< an ID is longer than 8191 bytes */
    LIMBIC_ERR_MESSAGE =
        21, /**< a message is empty where it must not be, or too long for the key (limbic_rsa_max_message) or scheme */
    LIMBIC_ERR_DECRYPT = 22,    /**< not a ciphertext for this key, or changed on its way */
    LIMBIC_ERR_FORM = 23,       /**< no such form of a ciphertext or key */
    LIMBIC_ERR_CONFIRM = 24,    /**< the other side's confirmation is not the expected one */
    LIMBIC_ERR_KEY_SIZE = 25,   /**< a modulus has too few or too many bits for this operation */
    LIMBIC_ERR_PUBLIC_KEY = 26, /**< not a public key, or not the one that belongs to the private key */
    LIMBIC_ERR_SALT = 27,       /**< the salt does not fit the key */
    LIMBIC_ERR_FAULT = 28,      /**< a computation went wrong, and its result was held back */
    LIMBIC_ERR_ALGORITHM = 29,  /**< a key is of another algorithm, curve or kind */
    LIMBIC_ERR_ENCRYPTED = 30,  /**< a key is encrypted */
    LIMBIC_ERR_PEM = 31,        /**< no PEM block with a key, or a damaged one */
    LIMBIC_ERR_BATCH = 32       /**< at least one item of a batch failed: each has a status of its own */
} limbic_status;

/** A sentence for a status; never NULL. */
LIMBIC_API const char *limbic_status_string(limbic_status status);

/** The version of the library at run time, as LIMBIC_VERSION. */
LIMBIC_API const char *limbic_version(void);

/**
 * What runs here. The table has one row for each variant (instruction set) of each operation of each unit (field,
 * order, curve, hash).
 */
typedef struct limbic_row_info {
    const char *unit; /**< "p256", "p256n" (its order), "mont", ... */
    const char *op;   /**< "mul", "base_mul", ... */
    const char *isa;  /**< "c", "adx", ... */
    int chosen;       /**< 1: this row runs */
    int usable;       /**< 1: this row could run on this machine as it is set up */
    char reason[96];  /**< why it does not run; "" for a chosen row */
} limbic_row_info;

/** The number of rows. */
LIMBIC_API size_t limbic_row_count(void);
/** Fills info for row i, counted from 0. LIMBIC_ERR_LENGTH if there is no such row. */
LIMBIC_CHECK limbic_status limbic_row(size_t i, limbic_row_info *info);
/** The CPU features that the library may use here, as words with a space between, cut to size (out may be NULL: 0);
 * returns the length that the whole text has. LIMBIC_CPU in the environment at load ("-ifma,-adx") takes features away;
 * it cannot add any. */
LIMBIC_API size_t limbic_cpu_features(char *out, size_t size);
/** The words of LIMBIC_CPU that the library did not know, with a space between, cut to 63 characters; "" if there are
 * none. */
LIMBIC_API const char *limbic_cpu_unknown_words(void);

/**
 * Runs the known answer of every row that can run here, then schemes: ECDH on every curve, ECDSA, SM2 signatures and
 * encryption with keys made for it, RSA signatures (PKCS #1, PSS) and OAEP with a fixed key of 2048 bits. About 40 ms.
 * LIMBIC_OK, or LIMBIC_ERR_SELFTEST; what (may be NULL) gets the name of the first that failed, cut to size.
 */
LIMBIC_CHECK limbic_status limbic_selftest(char *what, size_t size);

#ifdef __cplusplus
}
#endif

#endif
