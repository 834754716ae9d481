/* SM2 key exchange: GB/T 32918.3, cofactor 1. */
#include "hash/hash.h"
#include "scheme/sm2.h"

enum {
    W = LIMBIC_SM2_WORDS,
    BYTES = LIMBIC_SM2_BYTES,
    HASH_BYTES = 32,
    POINT_BYTES = 1 + 2 * BYTES,
};

#define CURVE     limbic_curve_desc(LIMBIC_SM2)
#define FIELD_OPS limbic_ops(LIMBIC_UNIT_sm2)
#define ORDER_OPS limbic_ops(LIMBIC_UNIT_sm2n)
#define ORDER     limbic_modulus(LIMBIC_UNIT_sm2n)

/* x~ = 2^w + (x mod 2^w), w = 127: half the bits of n. */
static void shorten(uint64_t *r, const uint64_t *xy) {
    limbic_from_residue(limbic_modulus(LIMBIC_UNIT_sm2), r, xy);
    r[1] |= UINT64_C(1) << 63;
    r[2] = r[3] = 0;
}

/* t = d + x~ r mod n */
static void join(uint64_t *t, const uint64_t *d, const uint64_t *x, const uint64_t *r) {
    limbic_to_residue(ORDER, t, r);
    ORDER_OPS->field_mul(t, t, x); /* residue times plain is plain */
    ORDER_OPS->field_add(t, t, d);
}

/* t (P + x~ R), 0 if that is infinite. P and R are public. */
static int shared_point(uint64_t *xy, const uint64_t *t, const uint64_t *p, const uint64_t *r) {
    static const uint64_t zero[W] = {0};
    uint64_t x[W], sum[3 * W], q[3 * W];
    shorten(x, r);
    FIELD_OPS->curve_double_mul_vartime(sum, zero, x, r);
    memcpy(q, p, 8 * 2 * W);
    memcpy(q + 2 * W, limbic_modulus(LIMBIC_UNIT_sm2)->one, 8 * W);
    FIELD_OPS->curve_point_add(sum, sum, q);
    return FIELD_OPS->curve_to_affine(q, sum) && limbic_point_mul(CURVE, xy, t, q);
}

/* A public key of the own side. */
static void base_point(uint64_t *xy, const uint64_t *d) {
    (void)limbic_base_mul(CURVE, xy, d);
    LIMBIC_DECLASSIFY(xy, 8 * 2 * W);
}

/* SM3(tag || y || inner) */
static void confirmation(uint8_t *out, uint8_t tag, const uint8_t *y, const uint8_t *inner) {
    limbic_hash_ctx c;
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, &tag, 1);
    limbic_hash_update(&c, y, BYTES);
    limbic_hash_update(&c, inner, HASH_BYTES);
    limbic_hash_final(&c, out);
}

/* SM3(x || Z_A || Z_B || R_A || R_B) from x || y || Z_A || Z_B and the coordinates */
static void inner_hash(uint8_t *out, const uint8_t *prefix, const uint8_t *ra, const uint8_t *rb) {
    limbic_hash_ctx c;
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, prefix, BYTES);
    limbic_hash_update(&c, prefix + 2 * BYTES, 2 * HASH_BYTES);
    limbic_hash_update(&c, ra, 2 * BYTES);
    limbic_hash_update(&c, rb, 2 * BYTES);
    limbic_hash_final(&c, out);
}

/* The key from x || y || Z_A || Z_B. */
static void derive(uint8_t *key, size_t key_len, const uint8_t *prefix) {
    struct limbic_sm3_kdf kdf;
    uint8_t last[HASH_BYTES];
    const size_t whole = key_len / HASH_BYTES, rest = key_len % HASH_BYTES;
    limbic_sm3_kdf_init(&kdf, prefix, 2);
    limbic_sm3_kdf_blocks(&kdf, key, 0, whole);
    if (rest) {
        limbic_sm3_kdf_blocks(&kdf, last, (uint32_t)whole, 1);
        memcpy(key + HASH_BYTES * whole, last, rest);
        limbic_wipe(last, sizeof last);
    }
    limbic_wipe(&kdf, sizeof kdf);
}

limbic_status limbic_sm2_exchange_key(const limbic_sm2_exchange *x, uint8_t *key, size_t key_len,
                                      uint8_t *send, uint8_t *expect) {
    uint64_t d[W], r[W], t[W], xy[2 * W], own_r[2 * W], peer_p[2 * W], peer_r[2 * W];
    uint8_t shared[POINT_BYTES + 2 * HASH_BYTES]; /* 04, then x || y || Z_A || Z_B */
    uint8_t point[2][POINT_BYTES], inner[HASH_BYTES];
    limbic_status status;

    if (!x || !key || !send != !expect || !x->private_key || !x->ephemeral_private || !x->peer_public ||
        !x->peer_ephemeral)
        return LIMBIC_ERR_NULL;
    if (key_len == 0 || (key_len - 1) / HASH_BYTES > UINT32_MAX - 2)
        return LIMBIC_ERR_LENGTH;
    const int own = x->responder != 0, peer = !own; /* places of A and B */
    uint8_t *z = shared + POINT_BYTES;
    status = limbic_point_decode(CURVE, peer_p, x->peer_public, x->peer_public_len);
    if (!status)
        status = limbic_point_decode(CURVE, peer_r, x->peer_ephemeral, x->peer_ephemeral_len);
    if (!status)
        status = limbic_sm2_z_of(z + peer * HASH_BYTES, x->peer_id, x->peer_id_len, peer_p);
    if (!status)
        status = limbic_private_decode(CURVE, d, x->private_key, BYTES);
    if (!status)
        status = limbic_private_decode(CURVE, r, x->ephemeral_private, BYTES);
    if (status)
        goto out;
    LIMBIC_SECRET(d, sizeof d);
    LIMBIC_SECRET(r, sizeof r);
    base_point(xy, d);
    status = limbic_sm2_z_of(z + own * HASH_BYTES, x->id, x->id_len, xy);
    if (status)
        goto out;
    base_point(own_r, r);
    shorten(xy, own_r);
    join(t, d, xy, r);
    if (!shared_point(xy, t, peer_p, peer_r)) {
        status = LIMBIC_ERR_INFINITY;
        goto out;
    }
    limbic_point_encode(CURVE, shared, xy);
    limbic_point_encode(CURVE, point[own], own_r);
    limbic_point_encode(CURVE, point[peer], peer_r);
    derive(key, key_len, shared + 1); /* the inputs are no longer needed */
    if (send) {
        inner_hash(inner, shared + 1, point[0] + 1, point[1] + 1);
        /* S_B, which B sends, has 02, A's has 03 */
        confirmation(send, own ? 2 : 3, shared + 1 + BYTES, inner);
        confirmation(expect, own ? 3 : 2, shared + 1 + BYTES, inner);
        limbic_wipe(inner, sizeof inner);
    }
out:
    limbic_wipe(d, sizeof d);
    limbic_wipe(r, sizeof r);
    limbic_wipe(t, sizeof t);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe(own_r, sizeof own_r);
    limbic_wipe(point, sizeof point);
    limbic_wipe(shared, sizeof shared);
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_sm2_confirm(const uint8_t *expect, const uint8_t *received, size_t received_len) {
    uint8_t differ = 0;
    if (!expect || !received)
        return LIMBIC_ERR_NULL;
    if (received_len != HASH_BYTES)
        return LIMBIC_ERR_LENGTH;
    for (size_t i = 0; i < HASH_BYTES; i++)
        differ |= expect[i] ^ received[i];
    uint64_t same = limbic_mask_zero(differ);
    LIMBIC_DECLASSIFY(&same, sizeof same);
    return same ? LIMBIC_OK : LIMBIC_ERR_CONFIRM;
}
