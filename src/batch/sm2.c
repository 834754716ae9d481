/* SM2 signatures and encryption, many at once. */
#include "scheme/sm2.h"
#include "base/random.h"
#include "batch/batch.h"
#include "hash/hash.h"

enum { W = LIMBIC_SM2_WORDS, BYTES = LIMBIC_SM2_BYTES };

#define CURVE     limbic_curve_desc(LIMBIC_SM2)
#define ORDER_OPS limbic_ops(LIMBIC_UNIT_sm2n)
#define ORDER     limbic_modulus(LIMBIC_UNIT_sm2n)

/* ---- signatures ---- */

/* A message to be hashed under an ID. */
struct text {
    const void *id, *msg;
    size_t id_len, msg_len;
    const uint8_t *z;   /* or NULL: that of the ID and of the key */
    const uint64_t *xy; /* that */
    uint8_t *e;         /* for the digest */
};

/* Digests of any number of messages. */
static void digests(const struct text *m, size_t n) {
    enum {
        SOME = 16,
        SHORT = 62
    }; /* as many as hash at once; IDs up to this length do, which leaves Z four blocks */
    uint8_t texts[SOME][2 + SHORT + LIMBIC_SM2_Z_BYTES], z[SOME][BYTES], out[SOME][BYTES];
    const void *in[SOME];
    const uint8_t *prefix[SOME];
    size_t len[SOME], at[SOME];

    for (size_t some; n; n -= some, m += some) {
        size_t made = 0;
        some = n < SOME ? n : SOME;
        for (size_t i = 0; i < some; i++) {
            const void *id = m[i].id;
            size_t id_len = m[i].id_len;
            prefix[i] = m[i].z ? m[i].z : z[i];
            if (m[i].z)
                continue;
            if (id_len > SHORT) {
                (void)limbic_sm2_z_of(z[i], id, id_len, m[i].xy);
                continue;
            }
            limbic_sm2_z_id(texts[made], &id, &id_len);
            memcpy(texts[made] + 2, id, id_len);
            limbic_sm2_z_text(texts[made] + 2 + id_len, m[i].xy);
            in[made] = texts[made];
            len[made] = 2 + id_len + LIMBIC_SM2_Z_BYTES;
            at[made++] = i;
        }
        limbic_hash_many(LIMBIC_SM3, out[0], NULL, 0, in, len, made);
        for (size_t i = 0; i < made; i++)
            memcpy(z[at[i]], out[i], BYTES);
        for (size_t i = 0; i < some; i++) {
            in[i] = m[i].msg;
            len[i] = m[i].msg_len;
        }
        limbic_hash_many(LIMBIC_SM3, out[0], prefix, BYTES, in, len, some);
        for (size_t i = 0; i < some; i++)
            memcpy(m[i].e, out[i], BYTES);
    }
}

/* What has to be made for an item: Z and 1/(1 + d), 1/(1 + d), nothing. */
enum kind { PLAIN_MESSAGE, PLAIN_DIGEST, PREPARED, KINDS };
static enum kind kind_of(const limbic_sm2_sign_item *item) {
    return item->signer ? PREPARED : LIMBIC_SM2_HAS_DIGEST(item) ? PLAIN_DIGEST : PLAIN_MESSAGE;
}

static int sign_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_sm2_sign_item *const items = all, *item[LIMBIC_BATCH];
    uint64_t d[LIMBIC_BATCH * W], inverse[LIMBIC_BATCH * W], k[LIMBIC_BATCH * W], xy[LIMBIC_BATCH * 2 * W];
    uint8_t random[LIMBIC_BATCH * BYTES], e[LIMBIC_BATCH][BYTES], seed[LIMBIC_BATCH][LIMBIC_SM2_SEED_BYTES];
    struct text text[LIMBIC_BATCH];
    const void *hashed[LIMBIC_BATCH];
    size_t texts = 0, count = 0, end[KINDS], lengths[LIMBIC_BATCH]; /* kind after kind */
    (void)job;

    for (enum kind kind = PLAIN_MESSAGE; kind < KINDS; kind++) {
        for (size_t i = 0; i < n; i++)
            if (kind_of(&items[i]) == kind) {
                items[i].status = limbic_sm2_sign_start(&items[i], d + W * count);
                if (!items[i].status)
                    item[count++] = &items[i];
            }
        end[kind] = count;
    }
    if (!count)
        return 0;
    const limbic_status drawn = limbic_random(random, BYTES * count);
    if (drawn) {
        for (size_t i = 0; i < count; i++)
            item[i]->status = drawn;
        return 0;
    }

    LIMBIC_MANY_OPS(CURVE)->curve_base_mul_many(xy, d, end[PLAIN_MESSAGE]);
    LIMBIC_DECLASSIFY(xy, 8 * 2 * W * end[PLAIN_MESSAGE]);
    for (size_t i = 0; i < count; i++) {
        const limbic_sm2_sign_item *const x = item[i];
        if (LIMBIC_SM2_HAS_DIGEST(x))
            memcpy(e[i], x->e, BYTES);
        else
            text[texts++] = (struct text){
                x->id, x->msg, x->id_len, x->msg_len, x->signer ? x->signer->z : NULL, xy + 2 * W * i, e[i]};
    }
    digests(text, texts);

    for (size_t i = 0; i < end[PLAIN_DIGEST]; i++)
        limbic_sm2_divisor(k + W * i, d + W * i);
    if (end[PLAIN_DIGEST])
        limbic_batch_invert(ORDER, inverse, k, end[PLAIN_DIGEST], ORDER_OPS->field_inv);
    for (size_t i = end[PLAIN_DIGEST]; i < count; i++)
        memcpy(inverse + W * i, item[i]->signer->inverse, 8 * W);

    for (size_t i = 0; i < count; i++) {
        limbic_sm2_seed(seed[i], d + W * i, random + BYTES * i, e[i]);
        hashed[i] = seed[i];
        lengths[i] = sizeof seed[i];
    }
    limbic_hash_many(LIMBIC_SM3, random, NULL, 0, hashed, lengths, count);
    for (size_t i = 0; i < count; i++)
        for (int serves = limbic_sm2_nonce_decode(k + W * i, random + BYTES * i); !serves;)
            serves = limbic_sm2_seed_nonce(k + W * i, seed[i]);
    LIMBIC_MANY_OPS(CURVE)->curve_base_mul_many(xy, k, count);
    for (size_t i = 0; i < count; i++)
        if (!limbic_sm2_finish(item[i]->sig, inverse + W * i, e[i], k + W * i, xy + 2 * W * i))
            limbic_sm2_sign_seeded(item[i]->sig, inverse + W * i, seed[i]); /* with the next nonce */
    return count == n;
}

limbic_status limbic_sm2_sign_batch(limbic_sm2_sign_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = LIMBIC_SM2};
    return limbic_batch(sign_part, &job, items, sizeof *items, count);
}

static int verify_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_sm2_verify_item *const items = all, *item[LIMBIC_BATCH];
    struct limbic_sm2_claim a;
    struct text text[LIMBIC_BATCH];
    uint64_t s[LIMBIC_BATCH * W], t[LIMBIC_BATCH * W], x1[LIMBIC_BATCH * W], q[LIMBIC_BATCH * 2 * W],
        xy[LIMBIC_BATCH * 2 * W];
    uint8_t e[LIMBIC_BATCH][BYTES];
    const uint64_t *table[LIMBIC_BATCH];
    size_t texts = 0, started = 0, count = 0,
           plain = 0; /* those with plain keys stand before those with prepared ones */
    int good;
    (void)job;

    for (int prepared = 0; prepared < 2; prepared++)
        for (size_t i = 0; i < n; i++) {
            limbic_sm2_verify_item *const x = &items[i];
            if ((x->prepared || x->prepared_len) != prepared)
                continue;
            uint64_t *const key = q + 2 * W * started;
            x->status = limbic_sm2_verify_start(x, key, &table[started]);
            if (x->status)
                continue;
            if (LIMBIC_SM2_HAS_DIGEST(x))
                memcpy(e[started], x->e, BYTES);
            else /* a table begins with the key */
                text[texts++] = (struct text){
                    x->id, x->msg, x->id_len, x->msg_len, NULL, prepared ? table[started] : key, e[started]};
            item[started++] = x;
        }
    digests(text, texts);
    for (size_t i = 0; i < started; i++) {
        item[i]->status = limbic_sm2_verify_numbers(&a, item[i], e[i]);
        if (item[i]->status)
            continue;
        memcpy(s + W * count, a.s, 8 * W);
        memcpy(t + W * count, a.t, 8 * W);
        memcpy(x1 + W * count, a.x1, 8 * W);
        if (!table[i]) {
            memmove(q + 2 * W * count, q + 2 * W * i, 8 * 2 * W);
            plain = count + 1;
        }
        table[count] = table[i];
        item[count++] = item[i];
    }
    if (!count)
        return 0;
    good = count == n;
    if (plain)
        LIMBIC_MANY_OPS(CURVE)->curve_double_mul_many_vartime(xy, s, t, q, plain);
    if (plain < count)
        LIMBIC_PREPARED_OPS(CURVE)->curve_prepared_mul_many_vartime(
            xy + 2 * W * plain, s + W * plain, t + W * plain, table + plain, count - plain);
    for (size_t i = 0; i < count; i++)
        if (!limbic_affine_has_x_vartime(CURVE, xy + 2 * W * i, x1 + W * i)) {
            item[i]->status = LIMBIC_ERR_SIGNATURE;
            good = 0;
        }
    return good;
}

limbic_status limbic_sm2_verify_batch(limbic_sm2_verify_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = LIMBIC_SM2, .vartime = 1};
    return limbic_batch(verify_part, &job, items, sizeof *items, count);
}

/* ---- encryption ---- */

static int encrypt_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_sm2_encrypt_item *const items = all, *item[LIMBIC_BATCH];
    uint64_t k[LIMBIC_BATCH * W], q[LIMBIC_BATCH * 2 * W], kg[LIMBIC_BATCH * 2 * W], kq[LIMBIC_BATCH * 2 * W];
    uint8_t random[LIMBIC_BATCH * BYTES];
    size_t asked = 0,
           count = 0; /* items that are right, of which so many have a nonce: item[] has these in front */
    int good;

    for (size_t i = 0; i < n; i++) {
        items[i].status = limbic_sm2_encrypt_start(job->form, &items[i], q + 2 * W * asked);
        if (!items[i].status)
            item[asked++] = &items[i];
    }
    if (!asked)
        return 0;
    const limbic_status drawn = limbic_random(random, BYTES * asked);
    LIMBIC_SECRET(random, BYTES * asked);
    for (size_t i = 0; i < asked; i++) {
        limbic_status status = drawn;
        if (!status && !limbic_sm2_nonce_decode(k + W * count, random + BYTES * i))
            status = limbic_sm2_encrypt_nonce(k + W * count);
        item[i]->status = status;
        if (!status) {
            memmove(q + 2 * W * count, q + 2 * W * i, 8 * 2 * W);
            item[count++] = item[i];
        }
    }
    good = count == n;
    LIMBIC_MANY_OPS(CURVE)->curve_base_mul_many(kg, k, count);
    LIMBIC_MANY_OPS(CURVE)->curve_point_mul_many(kq, k, q,
                                                 count); /* finite: the order is prime and 0 < k < n */
    for (size_t i = 0; i < count; i++)
        if (!limbic_sm2_encrypt_finish(job->form, item[i], kg + 2 * W * i, kq + 2 * W * i)) {
            item[i]->status = limbic_sm2_encrypt_with(job->form, item[i], q + 2 * W * i, NULL, 0);
            good &= item[i]->status == LIMBIC_OK;
        }
    return good;
}

limbic_status limbic_sm2_encrypt_batch(limbic_sm2_form form, limbic_sm2_encrypt_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = LIMBIC_SM2, .form = form};
    return limbic_batch(encrypt_part, &job, items, sizeof *items, count);
}

static int decrypt_part(const struct limbic_batch_job *job, void *all, size_t n) {
    limbic_sm2_decrypt_item *const items = all, *item[LIMBIC_BATCH];
    struct limbic_sm2_ciphertext x[LIMBIC_BATCH];
    uint64_t d[LIMBIC_BATCH * W], q[LIMBIC_BATCH * 2 * W], xy[LIMBIC_BATCH * 2 * W];
    size_t count = 0;
    int good;

    for (size_t i = 0; i < n; i++) {
        items[i].status = limbic_sm2_decrypt_start(job->form, &items[i], &x[count], d + W * count);
        if (!items[i].status) {
            memcpy(q + 2 * W * count, x[count].xy, 8 * 2 * W);
            item[count++] = &items[i];
        }
    }
    if (!count)
        return 0;
    good = count == n;
    LIMBIC_MANY_OPS(CURVE)->curve_point_mul_many(xy, d, q, count); /* finite, as above */
    for (size_t i = 0; i < count; i++) {
        item[i]->status = limbic_sm2_decrypt_finish(item[i], &x[i], xy + 2 * W * i);
        good &= item[i]->status == LIMBIC_OK;
    }
    return good;
}

limbic_status limbic_sm2_decrypt_batch(limbic_sm2_form form, limbic_sm2_decrypt_item *items, size_t count) {
    const struct limbic_batch_job job = {.curve = LIMBIC_SM2, .form = form};
    return limbic_batch(decrypt_part, &job, items, sizeof *items, count);
}
