#include "limbic/ecdh.h"
#include "scheme/scheme.h"

limbic_status limbic_ecdh(limbic_curve curve, uint8_t *secret, size_t secret_len, const uint8_t *private_key,
                          size_t private_len, const uint8_t *peer, size_t peer_len) {
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    uint64_t d[LIMBIC_MAX_LIMBS], xy[2 * LIMBIC_MAX_LIMBS];
    limbic_status status;

    if (!secret || !private_key || !peer)
        return LIMBIC_ERR_NULL;
    if (!c)
        return LIMBIC_ERR_CURVE;
    if (secret_len != c->bytes)
        return LIMBIC_ERR_LENGTH;
    status = limbic_point_decode(c, xy, peer, peer_len);
    if (status)
        return status;
    status = limbic_private_decode(c, d, private_key, private_len);
    if (status)
        return status;
    if (limbic_point_mul(c, xy, d, xy)) { /* always: the order is prime and 0 < d < n */
        const struct limbic_modulus *p = limbic_modulus((enum limbic_unit)c->unit);
        limbic_from_residue(p, xy, xy);
        limbic_to_bytes(p, secret, xy);
    } else {
        status = LIMBIC_ERR_INFINITY;
    }
    limbic_wipe(d, sizeof d);
    limbic_wipe(xy, sizeof xy);
    limbic_wipe_stack();
    return status;
}
