/* Key generation and ECDH, many at once. */
#include "batch/batch.h"
#include "base/random.h"

#define MAX LIMBIC_MAX_LIMBS

static int keygen_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_ec_keygen_item *const items = all, *item[LIMBIC_BATCH];
    const struct limbic_curve_desc *const c = limbic_curve_desc(job->curve);
    const size_t w = c ? c->limbs : 0;
    uint64_t d[LIMBIC_BATCH * MAX], xy[LIMBIC_BATCH * 2 * MAX];
    uint8_t random[LIMBIC_BATCH * LIMBIC_MAX_BYTES];
    size_t asked = 0,
           count = 0; /* items that are right, of which so many have a key: item[] has these in front */

    for (size_t i = 0; i < n; i++) {
        items[i].status = limbic_ec_keygen_start(c, &items[i]);
        if (!items[i].status)
            item[asked++] = &items[i];
    }
    const limbic_status drawn = asked ? limbic_random(random, asked * c->bytes) : LIMBIC_OK;
    for (size_t i = 0; i < asked; i++) {
        limbic_status status = drawn;
        if (!status)
            status = limbic_scalar_candidate(c, d + w * count, random + c->bytes * i);
        if (status == LIMBIC_ERR_PRIVATE_KEY)
            status = limbic_scalar_random(c, d + w * count);
        item[i]->status = status;
        if (!status)
            item[count++] = item[i];
    }
    if (count) {
        LIMBIC_MANY_OPS(c)->curve_base_mul_many(xy, d, count);
        for (size_t i = 0; i < count; i++)
            limbic_ec_keygen_finish(c, item[i], d + w * i, xy + 2 * w * i);
    }
    return count == n;
}

limbic_status limbic_ec_keygen_batch(limbic_curve curve, limbic_ec_keygen_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = curve};
    return limbic_batch(keygen_part, &job, items, sizeof *items, count);
}

static int ecdh_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_ecdh_item *const items = all, *item[LIMBIC_BATCH];
    const struct limbic_curve_desc *const c = limbic_curve_desc(job->curve);
    const size_t w = c ? c->limbs : 0;
    uint64_t d[LIMBIC_BATCH * MAX], q[LIMBIC_BATCH * 2 * MAX], xy[LIMBIC_BATCH * 2 * MAX];
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        items[i].status = limbic_ecdh_start(c, d + w * count, q + 2 * w * count, &items[i]);
        if (!items[i].status)
            item[count++] = &items[i];
    }
    if (count) { /* all finite: the order is prime and 0 < d < n */
        LIMBIC_MANY_OPS(c)->curve_point_mul_many(xy, d, q, count);
        for (size_t i = 0; i < count; i++)
            limbic_ecdh_finish(c, item[i], xy + 2 * w * i);
    }
    return count == n;
}

limbic_status limbic_ecdh_batch(limbic_curve curve, limbic_ecdh_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = curve};
    return limbic_batch(ecdh_part, &job, items, sizeof *items, count);
}
