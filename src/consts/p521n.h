/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P521N_H
#define LIMBIC_CONSTS_P521N_H

#include <stdint.h>

enum {
    limbic_p521n_bits = 521,
    limbic_p521n_bytes = 66,
    limbic_p521n_limbs = 9,
    limbic_p521n_twos = 3,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p521n_n0 = UINT64_C(0x1d2f5ccd79a995c7);
/* the modulus m */
static const uint64_t limbic_p521n_m[limbic_p521n_limbs] = {
    UINT64_C(0xbb6fb71e91386409), UINT64_C(0x3bb5c9b8899c47ae), UINT64_C(0x7fcc0148f709a5d0),
    UINT64_C(0x51868783bf2f966b), UINT64_C(0xfffffffffffffffa), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000000001ff)};
/* residue of 1: R mod m */
static const uint64_t limbic_p521n_one[limbic_p521n_limbs] = {
    UINT64_C(0xfb80000000000000), UINT64_C(0x28a2482470b763cd), UINT64_C(0x17e2251b23bb31dc),
    UINT64_C(0xca4019ff5b847b2d), UINT64_C(0x02d73cbc3e206834), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* R^2 mod m */
static const uint64_t limbic_p521n_rr[limbic_p521n_limbs] = {
    UINT64_C(0x137cd04dcf15dd04), UINT64_C(0xf707badce5547ea3), UINT64_C(0x12a78d38794573ff),
    UINT64_C(0xd3721ef557f75e06), UINT64_C(0xdd6e23d82e49c7db), UINT64_C(0xcff3d142b7756e3e),
    UINT64_C(0x5bcc6d61a8e567bc), UINT64_C(0x2d8e03d1492d0d45), UINT64_C(0x000000000000003d)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p521n_inv_fix[limbic_p521n_limbs] = {
    UINT64_C(0xd35f2816760f23e2), UINT64_C(0x2767143c8c3184c1), UINT64_C(0xb268ad5bac58d935),
    UINT64_C(0x3f3deb9609930765), UINT64_C(0x6d4af6cb8e6b92ea), UINT64_C(0xdf0f66f966e917a0),
    UINT64_C(0xc99c43fc5f7321ce), UINT64_C(0xdb25b1117a1814fd), UINT64_C(0x0000000000000097)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p521n_sqrt_exp[limbic_p521n_limbs] = {
    UINT64_C(0xebb6fb71e9138640), UINT64_C(0x03bb5c9b8899c47a), UINT64_C(0xb7fcc0148f709a5d),
    UINT64_C(0xa51868783bf2f966), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x000000000000001f)};
/* residue of z^q, z = 3 a non-square */
static const uint64_t limbic_p521n_root[limbic_p521n_limbs] = {
    UINT64_C(0xabb188098dced84b), UINT64_C(0x855e9aa0e4514691), UINT64_C(0xf8ad091b5630adf2),
    UINT64_C(0x348752d031eaefa5), UINT64_C(0xd6afc26dde0c84b2), UINT64_C(0x9d48ef02e5b1ea1d),
    UINT64_C(0x6da18e4abac1b0ee), UINT64_C(0x6004a9df317d5be0), UINT64_C(0x0000000000000032)};

#endif
