/* ECDSA, many at once. */
#include "batch/batch.h"
#include "base/random.h"
#include "scheme/ecdsa.h"

#define MAX LIMBIC_MAX_LIMBS

/* The first nonces, those of RFC 6979, of n signatures. */
static void nonces(const struct limbic_ecdsa *x, uint64_t *k, limbic_hash hash, const uint64_t *d,
                   const uint64_t *e, const uint8_t *extra, size_t extra_len, size_t n) {
    enum { SOME = 16 }; /* as many as hash at once; more would only take more stack */
    const size_t w = x->c->limbs, bytes = x->c->bytes;
    uint8_t key[SOME * LIMBIC_MAX_BYTES], out[SOME * LIMBIC_MAX_BYTES];
    struct limbic_rfc6979 g;

    for (size_t some; n; n -= some, k += w * some, d += w * some, e += w * some, extra += extra_len * some) {
        some = n < SOME ? n : SOME;
        for (size_t i = 0; i < some; i++) {
            limbic_to_bytes(x->n, key + bytes * i, d + w * i);
            limbic_to_bytes(x->n, out + bytes * i, e + w * i);
        }
        limbic_rfc6979_many(hash, x->n->bits, some, key, out, extra, extra_len, out);
        for (size_t i = 0; i < some; i++)
            if (limbic_private_decode(x->c, k + w * i, out + bytes * i, bytes)) {
                limbic_ecdsa_nonce_init(&g, x, hash, d + w * i, e + w * i, extra + extra_len * i, extra_len);
                limbic_ecdsa_nonce_next(&g, x, k + w * i);
            }
    }
}

static int sign_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_ecdsa_sign_item *const items = all, *item[LIMBIC_BATCH];
    const struct limbic_curve_desc *const c = limbic_curve_desc(job->curve);
    const size_t w = c ? c->limbs : 0;
    struct limbic_ecdsa x;
    uint64_t d[LIMBIC_BATCH * MAX], e[LIMBIC_BATCH * MAX], k[LIMBIC_BATCH * MAX], inverse[LIMBIC_BATCH * MAX],
        xy[LIMBIC_BATCH * 2 * MAX];
    uint8_t extra[LIMBIC_BATCH * (LIMBIC_MAX_BYTES / 2)];
    limbic_hash hash = LIMBIC_HASH_DEFAULT;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        limbic_status status =
            limbic_ecdsa_sign_start(&x, job->curve, d + w * count, e + w * count, &items[i]);
        if (!status)
            status = limbic_ecdsa_nonce_hash(&hash, job->hash, &x);
        items[i].status = status;
        if (!status)
            item[count++] = &items[i];
    }
    const size_t extra_len = count && job->hedged ? LIMBIC_ECDSA_EXTRA(&x) : 0;
    const limbic_status drawn = extra_len ? limbic_random(extra, count * extra_len) : LIMBIC_OK;
    if (drawn) {
        for (size_t i = 0; i < count; i++)
            item[i]->status = drawn;
    } else if (count) {
        nonces(&x, k, hash, d, e, extra, extra_len, count);
        LIMBIC_MANY_OPS(c)->curve_base_mul_many(xy, k, count);
        for (size_t i = 0; i < count; i++)
            limbic_to_residue(x.n, k + w * i, k + w * i);
        limbic_batch_invert(x.n, inverse, k, count, x.order->field_inv);
        for (size_t i = 0; i < count; i++)
            if (!limbic_ecdsa_finish(&x, item[i]->sig, d + w * i, e + w * i, xy + 2 * w * i, inverse + w * i))
                limbic_ecdsa_sign_rfc6979(&x, item[i]->sig, hash, d + w * i, e + w * i, extra + extra_len * i,
                                          extra_len);
    }
    return count == n && !drawn;
}

limbic_status limbic_ecdsa_sign_batch(limbic_curve curve, limbic_ecdsa_sign_item *items, size_t count,
                                      limbic_hash hash) {
    const struct limbic_batch_job job = {.curve = curve, .hash = hash, .hedged = 1};
    return limbic_batch(sign_part, &job, items, sizeof *items, count);
}

limbic_status limbic_ecdsa_sign_deterministic_batch(limbic_curve curve, limbic_ecdsa_sign_item *items,
                                                    size_t count, limbic_hash hash) {
    const struct limbic_batch_job job = {.curve = curve, .hash = hash};
    return limbic_batch(sign_part, &job, items, sizeof *items, count);
}

static int verify_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_ecdsa_verify_item *const items = all, *item[LIMBIC_BATCH];
    const struct limbic_curve_desc *const c = limbic_curve_desc(job->curve);
    const size_t w = c ? c->limbs : 0;
    struct limbic_ecdsa x;
    struct limbic_ecdsa_claim a;
    uint64_t r[LIMBIC_BATCH * MAX], s[LIMBIC_BATCH * MAX], u[LIMBIC_BATCH * MAX], v[LIMBIC_BATCH * MAX],
        q[LIMBIC_BATCH * 2 * MAX], xy[LIMBIC_BATCH * 2 * MAX];
    const uint64_t *table[LIMBIC_BATCH];
    size_t count = 0, plain = 0; /* those with plain keys stand before those with prepared ones */
    int good = 1;

    for (int prepared = 0; prepared < 2; prepared++) {
        for (size_t i = 0; i < n; i++) {
            if ((items[i].prepared || items[i].prepared_len) != prepared)
                continue;
            items[i].status = limbic_ecdsa_verify_start(&x, &job->curve, &a, &items[i]);
            if (items[i].status) {
                good = 0;
                continue;
            }
            memcpy(r + w * count, a.r, 8 * w);
            memcpy(s + w * count, a.s, 8 * w);
            memcpy(u + w * count, a.e, 8 * w);
            if (!prepared)
                memcpy(q + 2 * w * count, a.q, 8 * 2 * w);
            table[count] = a.table;
            item[count++] = &items[i];
        }
        if (!prepared)
            plain = count;
    }
    if (!count)
        return good;
    limbic_batch_invert(x.n, v, s, count, x.order->field_inv_vartime);
    for (size_t i = 0; i < w * count; i += w) { /* u = e/s and v = r/s: plain times residue is plain */
        x.order->field_mul(u + i, u + i, v + i);
        x.order->field_mul(v + i, r + i, v + i);
    }
    if (plain)
        LIMBIC_MANY_OPS(c)->curve_double_mul_many_vartime(xy, u, v, q, plain);
    if (plain < count)
        LIMBIC_PREPARED_OPS(c)->curve_prepared_mul_many_vartime(xy + 2 * w * plain, u + w * plain,
                                                                v + w * plain, table + plain, count - plain);
    for (size_t i = 0; i < count; i++)
        if (!limbic_affine_has_x_vartime(c, xy + 2 * w * i, r + w * i)) {
            item[i]->status = LIMBIC_ERR_SIGNATURE;
            good = 0;
        }
    return good;
}

limbic_status limbic_ecdsa_verify_batch(limbic_curve curve, limbic_ecdsa_verify_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = curve, .vartime = 1};
    return limbic_batch(verify_part, &job, items, sizeof *items, count);
}
