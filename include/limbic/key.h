/** @file
 * Keys as files have them: DER (SubjectPublicKeyInfo RFC 5280, PKCS#8 RFC 5958, SEC 1 RFC 5915, PKCS#1 RFC 8017) and
 * PEM (RFC 7468).
 *
 * Lengths: *der_len (*pem_len) is the size of der (pem) before, what was written after (on LIMBIC_ERR_BUFFER: what it
 * takes; der may be NULL where *der_len is 0). private_len, point_len, key_len as in ec.h and rsa.h.
 *
 * Errors: LIMBIC_ERR_NULL for a pointer that is NULL. Reading is strict DER: LIMBIC_ERR_DER for anything else, trailing
 * bytes too (a PKCS#8 version of 1 without a public key is read all the same); PEM may have any text around, any line
 * lengths and any of the labels; LIMBIC_ERR_ALGORITHM for a key of another algorithm, curve or kind, for curve
 * parameters other than a name, for more than two primes. Keys are checked as limbic_ec_check_public,
 * limbic_ec_check_private, limbic_rsa_public_import and limbic_rsa_private_import do. Encrypted keys are not read
 * (LIMBIC_ERR_ENCRYPTED).
 *
 * Timing: constant in secret values, lengths apart; variable in public ones. What a function answers is not hidden.
 *
 * Overlap: inputs and outputs may not overlap. No heap.
 */
#ifndef LIMBIC_KEY_H
#define LIMBIC_KEY_H

#include "ec.h"
#include "rsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Algorithms of keys. */
typedef enum limbic_key_type { LIMBIC_KEY_EC = 1, LIMBIC_KEY_RSA = 2 } limbic_key_type;

/** What stands in a DER key, from its outer form and algorithm. */
typedef struct limbic_key_info {
    limbic_key_type type;
    int is_private;
    limbic_curve curve; /**< EC */
    size_t bits;        /**< RSA: of the modulus */
} limbic_key_info;
/** Fills info for a DER key: which function reads it, and how long its buffers are. */
LIMBIC_CHECK limbic_status limbic_key_inspect(limbic_key_info *info, const uint8_t *der, size_t der_len);

/** What a key is wrapped in. */
typedef enum limbic_key_form {
    LIMBIC_KEY_PKCS8 = 1,       /**< private: -----BEGIN PRIVATE KEY----- */
    LIMBIC_KEY_TRADITIONAL = 2, /**< SEC 1 (EC PRIVATE KEY), PKCS#1 (RSA PRIVATE KEY, RSA PUBLIC KEY) */
    LIMBIC_KEY_SPKI = 3         /**< public: -----BEGIN PUBLIC KEY----- */
} limbic_key_form;

/** DER of an EC private key in the form given, with the public key inside (computed). LIMBIC_ERR_FORM for
 * LIMBIC_KEY_SPKI. */
LIMBIC_CHECK limbic_status limbic_ec_private_to_der(limbic_curve curve, limbic_key_form form, uint8_t *der,
                                                    size_t *der_len, const uint8_t *private_key,
                                                    size_t private_len);
/** An EC private key from either form, big-endian: private_key has private_len bytes, which is limbic_curve_bytes of
 * the curve that limbic_key_inspect tells; a public key inside must be the right one (LIMBIC_ERR_PUBLIC_KEY). */
LIMBIC_CHECK limbic_status limbic_ec_private_from_der(limbic_curve curve, uint8_t *private_key,
                                                      size_t private_len, const uint8_t *der, size_t der_len);
/** SubjectPublicKeyInfo (RFC 5480) of a point in either form, which is kept. */
LIMBIC_CHECK limbic_status limbic_ec_public_to_der(limbic_curve curve, uint8_t *der, size_t *der_len,
                                                   const uint8_t *point, size_t point_len);
/** The point of a SubjectPublicKeyInfo, uncompressed: point_len is 1 + 2L. */
LIMBIC_CHECK limbic_status limbic_ec_public_from_der(limbic_curve curve, uint8_t *point, size_t point_len,
                                                     const uint8_t *der, size_t der_len);

/** DER of an RSA private key (rsa.h) in the form given, PKCS#8 or PKCS#1; LIMBIC_ERR_FORM for LIMBIC_KEY_SPKI. One of
 * n, e and d alone has no DER: LIMBIC_ERR_PRIVATE_KEY. */
LIMBIC_CHECK limbic_status limbic_rsa_private_to_der(limbic_key_form form, uint8_t *der, size_t *der_len,
                                                     const void *key, size_t key_len);
/** An RSA private key from either form: key has limbic_rsa_private_bytes of the bits that limbic_key_inspect tells, or
 * more (LIMBIC_ERR_BUFFER). */
LIMBIC_CHECK limbic_status limbic_rsa_private_from_der(void *key, size_t key_len, const uint8_t *der,
                                                       size_t der_len);
/** DER of an RSA public key, or of a private one's public part, in the form given, SubjectPublicKeyInfo or PKCS#1;
 * LIMBIC_ERR_FORM for LIMBIC_KEY_PKCS8. */
LIMBIC_CHECK limbic_status limbic_rsa_public_to_der(limbic_key_form form, uint8_t *der, size_t *der_len,
                                                    const void *key, size_t key_len);
/** An RSA public key from either form: key has limbic_rsa_public_bytes of the bits that limbic_key_inspect tells, or
 * more (LIMBIC_ERR_BUFFER). */
LIMBIC_CHECK limbic_status limbic_rsa_public_from_der(void *key, size_t key_len, const uint8_t *der,
                                                      size_t der_len);

/** A PEM block with this label ("PUBLIC KEY"; LIMBIC_ERR_PEM if RFC 7468 does not allow it), lines of 64 characters and
 * '\n'; no '\0' is written. */
LIMBIC_CHECK limbic_status limbic_pem_encode(uint8_t *pem, size_t *pem_len, const char *label,
                                             const uint8_t *der, size_t der_len);
/** The contents of the first block of a text whose label is one that limbic_key_inspect can read; other blocks ("EC
 * PARAMETERS") and text around are passed over, space within is, too. LIMBIC_ERR_PEM if there is none, or it is
 * damaged; LIMBIC_ERR_ENCRYPTED if the key is encrypted. */
LIMBIC_CHECK limbic_status limbic_pem_decode(uint8_t *der, size_t *der_len, const uint8_t *pem,
                                             size_t pem_len);

#ifdef __cplusplus
}
#endif

#endif
