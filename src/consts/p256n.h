/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P256N_H
#define LIMBIC_CONSTS_P256N_H

#include <stdint.h>

enum {
    limbic_p256n_bits = 256,
    limbic_p256n_bytes = 32,
    limbic_p256n_limbs = 4,
    limbic_p256n_twos = 4,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p256n_n0 = UINT64_C(0xccd1c8aaee00bc4f);
/* the modulus m */
static const uint64_t limbic_p256n_m[limbic_p256n_limbs] = {
    UINT64_C(0xf3b9cac2fc632551), UINT64_C(0xbce6faada7179e84), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffff00000000)};
/* residue of 1: R mod m */
static const uint64_t limbic_p256n_one[limbic_p256n_limbs] = {
    UINT64_C(0x0c46353d039cdaaf), UINT64_C(0x4319055258e8617b), UINT64_C(0x0000000000000000),
    UINT64_C(0x00000000ffffffff)};
/* R^2 mod m */
static const uint64_t limbic_p256n_rr[limbic_p256n_limbs] = {
    UINT64_C(0x83244c95be79eea2), UINT64_C(0x4699799c49bd6fa6), UINT64_C(0x2845b2392b6bec59),
    UINT64_C(0x66e12d94f3d95620)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p256n_inv_fix[limbic_p256n_limbs] = {
    UINT64_C(0xac8ebec90b65a624), UINT64_C(0x111f28ae0c0555c9), UINT64_C(0x2543b9246ba5e93f),
    UINT64_C(0x503a54e76407be65)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p256n_sqrt_exp[limbic_p256n_limbs] = {
    UINT64_C(0x279dce5617e3192a), UINT64_C(0xfde737d56d38bcf4), UINT64_C(0x07ffffffffffffff),
    UINT64_C(0x07fffffff8000000)};
/* residue of z^q, z = 7 a non-square */
static const uint64_t limbic_p256n_root[limbic_p256n_limbs] = {
    UINT64_C(0x1015708f7e368fe1), UINT64_C(0x31c6c5456ecc4511), UINT64_C(0x5281fe8998a19ea1),
    UINT64_C(0x0279089e10c63fe8)};

#endif
