#include "limbic/ecdh.h"
#include "scheme/scheme.h"

limbic_status limbic_ecdh_start(const struct limbic_curve_desc *c, uint64_t *d, uint64_t *q,
                                const limbic_ecdh_item *item) {
    limbic_status status;
    if (!item->secret || !item->private_key || !item->peer)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (item->secret_len != c->bytes)
        return LIMBIC_ERR_LENGTH;
    status = limbic_point_decode(c, q, item->peer, item->peer_len);
    return status ? status : limbic_private_decode(c, d, item->private_key, item->private_len);
}

void limbic_ecdh_finish(const struct limbic_curve_desc *c, const limbic_ecdh_item *item, const uint64_t *xy) {
    const struct limbic_modulus *p = limbic_modulus((enum limbic_unit)c->unit);
    uint64_t x[LIMBIC_MAX_LIMBS];
    limbic_from_residue(p, x, xy);
    limbic_to_bytes(p, item->secret, x);
    limbic_wipe(x, sizeof x);
}

limbic_status limbic_ecdh(limbic_curve curve, uint8_t *secret, size_t secret_len, const uint8_t *private_key,
                          size_t private_len, const uint8_t *peer, size_t peer_len) {
    const limbic_ecdh_item item = {secret, private_key, peer, secret_len, private_len, peer_len, LIMBIC_OK};
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t d[LIMBIC_MAX_LIMBS], xy[2 * LIMBIC_MAX_LIMBS];
    limbic_status status = limbic_ecdh_start(c, d, xy, &item);

    if (status)
        return status;
    if (limbic_point_mul(c, xy, d, xy)) /* always: the order is prime and 0 < d < n */
        limbic_ecdh_finish(c, &item, xy);
    else
        status = LIMBIC_ERR_INFINITY;
    limbic_wipe(d, sizeof d);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}
