/* What the schemes share. Internal. */
#ifndef LIMBIC_SCHEME_SCHEME_H
#define LIMBIC_SCHEME_SCHEME_H

#include "base/limb.h"
#include "base/secret.h"
#include "curve/curve.h"
#include "limbic/ecdh.h"

/* The operations on many points, and those with prepared keys. */
#define LIMBIC_MANY_OPS(c)     limbic_ops_of((enum limbic_unit)(c)->unit, LIMBIC_PART_MANY)
#define LIMBIC_PREPARED_OPS(c) limbic_ops_of((enum limbic_unit)(c)->unit, LIMBIC_PART_PREPARED)

/* Multiplications, results affine; 0 for infinity. Scalars: plain words, at most n. */
int limbic_base_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k);
int limbic_point_mul(const struct limbic_curve_desc *c, uint64_t *xy, const uint64_t *k, const uint64_t *q);

/* x mod n of an affine point (for infinity, 0, 0: 0), plain words. */
void limbic_x_mod_order(const struct limbic_curve_desc *c, uint64_t *r, const uint64_t *xy);

/* Whether a Jacobian point is finite and its x, mod n, is this: x or x + n (p < 2n). x: plain words below n. */
int limbic_has_x_vartime(const struct limbic_curve_desc *c, const uint64_t *point, const uint64_t *x);
/* The same of an affine point, 0, 0 being infinity. */
int limbic_affine_has_x_vartime(const struct limbic_curve_desc *c, const uint64_t *xy, const uint64_t *x);

/* The steps that one operation and a batch share: all checks, with what is decoded; writing the result. c NULL: an unknown curve. */
limbic_status limbic_ec_keygen_start(const struct limbic_curve_desc *c, const limbic_ec_keygen_item *item);
void limbic_ec_keygen_finish(const struct limbic_curve_desc *c, const limbic_ec_keygen_item *item,
                             const uint64_t *d, const uint64_t *xy);
limbic_status limbic_ecdh_start(const struct limbic_curve_desc *c, uint64_t *d, uint64_t *q,
                                const limbic_ecdh_item *item);
void limbic_ecdh_finish(const struct limbic_curve_desc *c, const limbic_ecdh_item *item, const uint64_t *xy);

/* A prepared key, opened: its curve and its table, which begins with the key itself (x, y). */
limbic_status limbic_prepared_open(const void *prepared, size_t prepared_len, limbic_curve *curve,
                                   const uint64_t **table);

#endif
