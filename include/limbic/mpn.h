/** @file
 * For programs that keep numbers as GMP does: arrays of 64-bit limbs, least significant first (mp_limb_t where
 * GMP_NUMB_BITS is 64).
 *
 * Lengths: bn, n: limbs; ebits: bits.
 *
 * Errors: LIMBIC_ERR_NULL for a pointer that is NULL (ep may be where ebits is 0), and what a comment says.
 *
 * Timing: constant in all values for given lengths.
 *
 * Overlap: operands may overlap in any way. No heap.
 */
#ifndef LIMBIC_MPN_H
#define LIMBIC_MPN_H

#include "limbic.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * rp = {bp, bn}^{ep} mod {mp, n}: as mpn_sec_powm of GMP, without its scratch space; so in place of mpz_powm_sec. rp
 * has n limbs; bp 1 or more, of any value; ep ebits bits, of which the top ones may be zero and what is above them is
 * not looked at; ebits 0 gives 1. The modulus is odd and 3 or more (LIMBIC_ERR_MODULUS), its top limbs may be zero; n
 * <= 256 and bn <= 512 (LIMBIC_ERR_LENGTH). Constant time in all values for given bn, ebits and n. Its stack: 48 n
 * words, or 20 n for n above 64, and 32 KiB; 112 KiB, where that is more, for the first call of a process.
 */
LIMBIC_CHECK limbic_status limbic_mpn_sec_powm(uint64_t *rp, const uint64_t *bp, size_t bn,
                                               const uint64_t *ep, size_t ebits, const uint64_t *mp,
                                               size_t n);

#ifdef __cplusplus
}
#endif

#endif
