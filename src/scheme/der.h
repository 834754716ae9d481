/* DER (X.690), as much of it as keys, signatures and ciphertexts take: one-byte tags, non-negative INTEGERs.
 * Internal. */
#ifndef LIMBIC_SCHEME_DER_H
#define LIMBIC_SCHEME_DER_H

#include <stddef.h>
#include <stdint.h>

#define LIMBIC_DER_INTEGER      0x02
#define LIMBIC_DER_BIT_STRING   0x03
#define LIMBIC_DER_OCTET_STRING 0x04
#define LIMBIC_DER_NULL         0x05
#define LIMBIC_DER_OID          0x06
#define LIMBIC_DER_SEQUENCE     0x30
#define LIMBIC_DER_CONTEXT      0x80 /* [i] of a primitive type, IMPLICIT: this + i */
#define LIMBIC_DER_EXPLICIT     0xa0 /* [i] EXPLICIT, or of a constructed type: this + i */

/* Bytes still to be read. */
struct limbic_der {
    const uint8_t *p;
    size_t n;
};

/* Takes an element of this tag from the front of in and gives its contents. 1, or 0 (in stays as it is) if it is
 * not one, is cut short, or its length is not in the shortest form. Contents are not looked at. */
int limbic_der_get(struct limbic_der *in, uint8_t tag, struct limbic_der *contents);
/* The same for an INTEGER of 0 or more in its shortest form; magnitude has no leading zeros, no byte for 0.
 * Constant time in the number, its bit length apart. */
int limbic_der_get_unsigned(struct limbic_der *in, struct limbic_der *magnitude);

/* Writers return the number of bytes and write nothing if out is NULL. Tag and length of n bytes: */
size_t limbic_der_put_header(uint8_t *out, uint8_t tag, size_t n);
/* The INTEGER of n big-endian bytes; leading zeros are dropped. Constant time in the number, its bit length
 * apart. */
size_t limbic_der_put_unsigned(uint8_t *out, const uint8_t *in, size_t n);

#endif
