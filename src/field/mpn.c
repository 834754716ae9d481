/* The face for programs with numbers of GMP's kind. */
#include "base/limb.h"
#include "limbic/field.h"
#include "limbic/mpn.h"

limbic_status limbic_mpn_sec_powm(uint64_t *rp, const uint64_t *bp, size_t bn, const uint64_t *ep,
                                  size_t ebits, const uint64_t *mp, size_t n) {
    if (!rp || !bp || (!ep && ebits) || !mp)
        return LIMBIC_ERR_NULL;
    if (n == 0 || n > LIMBIC_MONT_MAX_LIMBS || bn == 0 || bn > 2 * LIMBIC_MONT_MAX_LIMBS)
        return LIMBIC_ERR_LENGTH;
    uint64_t storage[LIMBIC_MONT_STORAGE(n)], t[n];
    limbic_mont x;
    limbic_status status = limbic_mont_init(&x, storage, mp, n);
    if (status == LIMBIC_OK) {
        limbic_mont_reduce(t, bp, bn, &x);
        limbic_mont_pow(t, t, ep, ebits, &x);
        limbic_mont_from_residue(rp, t, &x);
    }
    limbic_wipe(t, sizeof t);
    limbic_wipe(storage, sizeof storage);
    limbic_wipe(&x, sizeof x);
    return status;
}
