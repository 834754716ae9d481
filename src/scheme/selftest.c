#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "scheme/scheme.h"

#include <stdio.h>

/* On one curve: two key pairs agree on a secret; a signature verifies, and not for another digest. */
static limbic_status round_trip(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    uint8_t a[LIMBIC_MAX_BYTES], b[LIMBIC_MAX_BYTES], qa[LIMBIC_MAX_POINT_BYTES], qb[LIMBIC_MAX_POINT_BYTES];
    uint8_t sa[LIMBIC_MAX_BYTES], sb[LIMBIC_MAX_BYTES], sig[LIMBIC_MAX_SIGNATURE_BYTES],
        digest[32] = {1, 2, 3};
    limbic_status status = LIMBIC_ERR_SELFTEST;

    if (limbic_ec_keygen(curve, a, n, qa, 1 + 2 * n) || limbic_ec_keygen(curve, b, n, qb, 1 + 2 * n) ||
        limbic_ecdh(curve, sa, n, a, n, qb, 1 + 2 * n) || limbic_ecdh(curve, sb, n, b, n, qa, 1 + 2 * n) ||
        memcmp(sa, sb, n) != 0)
        goto out;
    if (curve != LIMBIC_SM2) {
        if (limbic_ecdsa_sign(curve, sig, 2 * n, a, n, digest, sizeof digest, LIMBIC_HASH_DEFAULT) ||
            limbic_ecdsa_verify(curve, sig, 2 * n, qa, 1 + 2 * n, digest, sizeof digest))
            goto out;
        digest[31] ^= 1;
        if (limbic_ecdsa_verify(curve, sig, 2 * n, qa, 1 + 2 * n, digest, sizeof digest) !=
            LIMBIC_ERR_SIGNATURE)
            goto out;
    }
    status = LIMBIC_OK;
out:
    limbic_wipe(a, sizeof a);
    limbic_wipe(b, sizeof b);
    limbic_wipe(sa, sizeof sa);
    limbic_wipe(sb, sizeof sb);
    return status;
}

limbic_status limbic_selftest(char *what, size_t size) {
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        enum limbic_row_state state = limbic_row_state(row);
        if (state == LIMBIC_ROW_failed || ((state == LIMBIC_ROW_chosen || state == LIMBIC_ROW_outranked) &&
                                           limbic_known_answer(row) == 0)) {
            if (what && size)
                (void)snprintf(what, size, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                               limbic_isa_name(row->isa));
            return LIMBIC_ERR_SELFTEST;
        }
    }
    for (int curve = LIMBIC_P256; curve <= LIMBIC_SM2; curve++)
        if (round_trip((limbic_curve)curve)) {
            if (what && size)
                (void)snprintf(what, size, "round trip on %s", limbic_curve_name((limbic_curve)curve));
            return LIMBIC_ERR_SELFTEST;
        }
    if (what && size)
        what[0] = 0;
    return LIMBIC_OK;
}
