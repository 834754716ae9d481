/* DER (X.690), as much of it as signatures take: one-byte tags, non-negative INTEGERs. Internal. */
#ifndef LIMBIC_SCHEME_DER_H
#define LIMBIC_SCHEME_DER_H

#include <stddef.h>
#include <stdint.h>

#define LIMBIC_DER_INTEGER  0x02
#define LIMBIC_DER_SEQUENCE 0x30

/* Bytes still to be read. */
struct limbic_der {
    const uint8_t *p;
    size_t n;
};

/* Takes an element of this tag from the front of in and gives its contents. 1, or 0 if it is not one, is cut
 * short, or its length is not in the shortest form. Variable time. */
int limbic_der_get(struct limbic_der *in, uint8_t tag, struct limbic_der *contents);
/* The same for an INTEGER of 0 or more in its shortest form; magnitude has no leading zeros, no byte for 0.
 */
int limbic_der_get_unsigned(struct limbic_der *in, struct limbic_der *magnitude);

/* Writers return the number of bytes and write nothing if out is NULL. Tag and length of n bytes: */
size_t limbic_der_put_header(uint8_t *out, uint8_t tag, size_t n);
/* The INTEGER of n big-endian bytes; leading zeros are dropped. Variable time. */
size_t limbic_der_put_unsigned(uint8_t *out, const uint8_t *in, size_t n);

#endif
