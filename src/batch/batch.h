/* What batches share. Internal. */
#ifndef LIMBIC_BATCH_BATCH_H
#define LIMBIC_BATCH_BATCH_H

#include "limbic/ecdsa.h"
#include "limbic/sm2.h"
#include "scheme/scheme.h"

enum { LIMBIC_BATCH = LIMBIC_BATCH_ITEMS }; /* 64 */

/* What all items have in common. */
struct limbic_batch_job {
    limbic_curve curve;
    limbic_hash hash;
    limbic_sm2_form form;
    int hedged, vartime; /* vartime: public data alone, which leave nothing to be wiped */
};

/* n items (1 to LIMBIC_BATCH), each given its status; 1 if all are LIMBIC_OK. */
typedef int limbic_batch_part(const struct limbic_batch_job *job, void *items, size_t n);

/* All items, of so many bytes each, by parts; then wipes the stack, unless it is vartime. */
limbic_status limbic_batch(limbic_batch_part *part, const struct limbic_batch_job *job, void *items,
                           size_t item_bytes, size_t count);

/* r[i] = 1/a[i] for n > 0 residues that are not zero, of m->limbs words each, with one inversion by inv (Montgomery's trick: 3M for each more).
 * r is not a. Constant time if inv is. */
void limbic_batch_invert(const struct limbic_modulus *m, uint64_t *r, const uint64_t *a, size_t n,
                         limbic_fe2 *inv);

#endif
