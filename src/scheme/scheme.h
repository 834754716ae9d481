/* What the schemes share. Internal. */
#ifndef LIMBIC_SCHEME_SCHEME_H
#define LIMBIC_SCHEME_SCHEME_H

#include "base/limb.h"
#include "base/secret.h"
#include "curve/curve.h"
#include "limbic/ec.h"

/* Multiplications, results affine; 0 for infinity. Scalars: plain words, at most n. */
int limbic_base_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k);
int limbic_point_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k, const uint64_t *q);

/* Whether a Jacobian point is finite and its x, mod n, is this: x or x + n (p < 2n). x: plain words below n. */
int limbic_has_x_vartime(const struct limbic_curve_desc *c, const uint64_t *point, const uint64_t *x);

/* A prepared key, opened: its curve and its table, which begins with the key itself (x, y). */
limbic_status limbic_prepared_open(const void *prepared, size_t prepared_len, limbic_curve *curve,
                                   const uint64_t **table);

#endif
