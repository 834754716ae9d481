#include "batch/batch.h"

/* Where parts leave secrets: in their frames, of 32 KiB at most, and as far below them as limbic_wipe_stack covers. Operations on many points, and hashing of
 * many messages, reach deeper and wipe that themselves. */
enum { FRAME_BYTES = 40 << 10 };

limbic_status limbic_batch(limbic_batch_part *part, const struct limbic_batch_job *job, void *items,
                           size_t item_bytes, size_t count) {
    int good = 1;
    if (!items && count)
        return LIMBIC_ERR_NULL;
    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < LIMBIC_BATCH ? count - done : LIMBIC_BATCH;
        good &= part(job, (char *)items + done * item_bytes, n);
    }
    if (!job->vartime)
        limbic_wipe_stack_beyond(FRAME_BYTES);
    return good ? LIMBIC_OK : LIMBIC_ERR_BATCH;
}

void limbic_batch_invert(const struct limbic_modulus *m, uint64_t *r, const uint64_t *a, size_t n,
                         limbic_fe2 *inv) {
    limbic_fe3 *const mul = limbic_ops((enum limbic_unit)m->unit)->field_mul;
    const size_t w = m->limbs;
    uint64_t f[LIMBIC_MAX_LIMBS];

    memcpy(f, a, 8 * w);
    for (size_t i = 1; i < n; i++) {
        memcpy(r + w * i, f, 8 * w); /* the product of those before */
        mul(f, f, a + w * i);
    }
    inv(f, f);
    for (size_t i = n; --i;) {
        mul(r + w * i, r + w * i, f);
        mul(f, f, a + w * i);
    }
    memcpy(r, f, 8 * w);
    limbic_wipe(f, sizeof f);
}
