/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_SM2N_H
#define LIMBIC_CONSTS_SM2N_H

#include <stdint.h>

enum {
    limbic_sm2n_bits = 256,
    limbic_sm2n_bytes = 32,
    limbic_sm2n_limbs = 4,
    limbic_sm2n_twos = 1,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_sm2n_n0 = UINT64_C(0x327f9e8872350975);
/* the modulus m */
static const uint64_t limbic_sm2n_m[limbic_sm2n_limbs] = {
    UINT64_C(0x53bbf40939d54123), UINT64_C(0x7203df6b21c6052b), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xfffffffeffffffff)};
/* residue of 1: R mod m */
static const uint64_t limbic_sm2n_one[limbic_sm2n_limbs] = {
    UINT64_C(0xac440bf6c62abedd), UINT64_C(0x8dfc2094de39fad4), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000100000000)};
/* R^2 mod m */
static const uint64_t limbic_sm2n_rr[limbic_sm2n_limbs] = {
    UINT64_C(0x901192af7c114f20), UINT64_C(0x3464504ade6fa2fa), UINT64_C(0x620fc84c3affe0d4),
    UINT64_C(0x1eb5e412a22b3d3b)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_sm2n_inv_fix[limbic_sm2n_limbs] = {
    UINT64_C(0x6ff874c70eaa0b85), UINT64_C(0x87d0c315aabe8d32), UINT64_C(0x4c4fbbb397185afc),
    UINT64_C(0xc813249cd574ea14)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_sm2n_sqrt_exp[limbic_sm2n_limbs] = {
    UINT64_C(0xd4eefd024e755048), UINT64_C(0xdc80f7dac871814a), UINT64_C(0xffffffffffffffff),
    UINT64_C(0x3fffffffbfffffff)};
/* residue of z^q, z = 2 a non-square */
static const uint64_t limbic_sm2n_root[limbic_sm2n_limbs] = {
    UINT64_C(0xa777e81273aa8246), UINT64_C(0xe407bed6438c0a56), UINT64_C(0xfffffffffffffffe),
    UINT64_C(0xfffffffdffffffff)};

#endif
