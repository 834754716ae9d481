/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P384N_H
#define LIMBIC_CONSTS_P384N_H

#include <stdint.h>

enum {
    limbic_p384n_bits = 384,
    limbic_p384n_bytes = 48,
    limbic_p384n_limbs = 6,
    limbic_p384n_twos = 1,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p384n_n0 = UINT64_C(0x6ed46089e88fdc45);
/* the modulus m */
static const uint64_t limbic_p384n_m[limbic_p384n_limbs] = {
    UINT64_C(0xecec196accc52973), UINT64_C(0x581a0db248b0a77a), UINT64_C(0xc7634d81f4372ddf),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)};
/* residue of 1: R mod m */
static const uint64_t limbic_p384n_one[limbic_p384n_limbs] = {
    UINT64_C(0x1313e695333ad68d), UINT64_C(0xa7e5f24db74f5885), UINT64_C(0x389cb27e0bc8d220),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* R^2 mod m */
static const uint64_t limbic_p384n_rr[limbic_p384n_limbs] = {
    UINT64_C(0x2d319b2419b409a9), UINT64_C(0xff3d81e5df1aa419), UINT64_C(0xbc3e483afcb82947),
    UINT64_C(0xd40d49174aab1cc5), UINT64_C(0x3fb05b7a28266895), UINT64_C(0x0c84ee012b39bf21)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p384n_inv_fix[limbic_p384n_limbs] = {
    UINT64_C(0x302a6faf377c7677), UINT64_C(0x2a70cb61d26894bc), UINT64_C(0x0c27ddb8ba8dc4ba),
    UINT64_C(0x5dbd3f41edb48eb6), UINT64_C(0x16d081679522617b), UINT64_C(0xd558bfbcb33c33c6)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p384n_sqrt_exp[limbic_p384n_limbs] = {
    UINT64_C(0xbb3b065ab3314a5c), UINT64_C(0xd606836c922c29de), UINT64_C(0xf1d8d3607d0dcb77),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x3fffffffffffffff)};
/* residue of z^q, z = 2 a non-square */
static const uint64_t limbic_p384n_root[limbic_p384n_limbs] = {
    UINT64_C(0xd9d832d5998a52e6), UINT64_C(0xb0341b6491614ef5), UINT64_C(0x8ec69b03e86e5bbe),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)};

#endif
