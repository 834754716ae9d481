/* What the library knows of a fixed modulus: one descriptor a unit, filled from src/consts. */
#ifndef LIMBIC_FIELD_MODULUS_H
#define LIMBIC_FIELD_MODULUS_H

#include "dispatch/dispatch.h"

struct limbic_modulus {
    uint8_t unit, limbs, bytes;
    uint8_t twos; /* m - 1 = 2^twos * q, q odd */
    uint16_t bits;
    const uint64_t *m;
    const uint64_t *one;      /* the residue of 1 */
    const uint64_t *rr;       /* mul(a, rr) is the residue of a */
    const uint64_t *sqrt_exp; /* (q - 1) / 2 */
    const uint64_t *root;     /* residue of z^q, z a non-square: of order 2^twos */
};

/* The descriptor of a unit of class field or curve. */
const struct limbic_modulus *limbic_modulus(enum limbic_unit unit);

/* Residue from plain, and back. Any aliasing. Constant time. */
void limbic_to_residue(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a);
void limbic_from_residue(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a);
/* r = a square root of a and 1; or r = 0 and 0. Residues. Constant time but for the answer. */
int limbic_sqrt(const struct limbic_modulus *f, uint64_t *r, const uint64_t *a);
/* Plain value of f->bytes big-endian bytes; 0, r untouched, if it is m or above. Constant time but for the
 * answer. */
int limbic_from_bytes(const struct limbic_modulus *f, uint64_t *r, const uint8_t *in);
void limbic_to_bytes(const struct limbic_modulus *f, uint8_t *out, const uint64_t *a);

#endif
