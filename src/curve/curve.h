/* Curves for the schemes: descriptors, encodings, scalars. Points are words as ops.def has them. Internal. */
#ifndef LIMBIC_CURVE_CURVE_H
#define LIMBIC_CURVE_CURVE_H

#include "field/modulus.h"
#include "limbic/ec.h"

struct limbic_curve_desc {
    const char *name;
    uint8_t unit, order; /* enum limbic_unit of the field and of the order */
    uint8_t limbs, bytes;
    const uint64_t *b, *gx, *gy; /* residues: y^2 = x^3 - 3x + b */
    size_t table_words;          /* of prepare_vartime's table */
};

/* NULL for an unknown curve. */
const struct limbic_curve_desc *limbic_curve_desc(enum limbic_curve curve);

/* Bytes to an affine point (x, y: residues), fully checked. Variable time. */
limbic_status limbic_point_decode(const struct limbic_curve_desc *c, uint64_t *xy, const uint8_t *in,
                                  size_t in_len);
/* 04||X||Y, 1 + 2 bytes. */
void limbic_point_encode(const struct limbic_curve_desc *c, uint8_t *out, const uint64_t *xy);
/* Private key or nonce: plain words in [1, n - 1] (SM2 keys: n - 2), or LIMBIC_ERR_LENGTH, LIMBIC_ERR_PRIVATE_KEY.
 * Constant time but for the answer. */
limbic_status limbic_private_decode(const struct limbic_curve_desc *c, uint64_t *d, const uint8_t *in,
                                    size_t in_len);
/* Any number of c->bytes bytes, mod n. Constant time. */
limbic_status limbic_scalar_decode(const struct limbic_curve_desc *c, uint64_t *k, const uint8_t *in,
                                   size_t in_len);
/* A private key of c->bytes random bytes, whose spare top bits are cleared; LIMBIC_ERR_PRIVATE_KEY if it is out of range. */
limbic_status limbic_scalar_candidate(const struct limbic_curve_desc *c, uint64_t *d, uint8_t *random);
/* d uniform in [1, n-1] (SM2: n-2), as plain words. */
limbic_status limbic_scalar_random(const struct limbic_curve_desc *c, uint64_t *d);

#endif
