/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_SM2_H
#define LIMBIC_CONSTS_SM2_H

#include <stdint.h>

enum {
    limbic_sm2_bits = 256,
    limbic_sm2_bytes = 32,
    limbic_sm2_limbs = 4,
    limbic_sm2_twos = 1,
    limbic_sm2_base_w = 6,
    limbic_sm2_base_windows = 43,
    limbic_sm2_lanes_limbs = 6,
    limbic_sm2_prepared_w = 5,
    limbic_sm2_prepared_windows = 52,
    limbic_sm2_odd_w = 10,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_sm2_n0 = UINT64_C(0x0000000000000001);
/* the modulus m */
static const uint64_t limbic_sm2_m[limbic_sm2_limbs] = {
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffff00000000), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xfffffffeffffffff)};
/* residue of 1: R mod m */
static const uint64_t limbic_sm2_one[limbic_sm2_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x00000000ffffffff), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000100000000)};
/* R^2 mod m */
static const uint64_t limbic_sm2_rr[limbic_sm2_limbs] = {
    UINT64_C(0x0000000200000003), UINT64_C(0x00000002ffffffff), UINT64_C(0x0000000100000001),
    UINT64_C(0x0000000400000002)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_sm2_inv_fix[limbic_sm2_limbs] = {
    UINT64_C(0x0000001200000016), UINT64_C(0x0000000efffffff8), UINT64_C(0x0000000a0000000c),
    UINT64_C(0x0000001b00000009)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_sm2_sqrt_exp[limbic_sm2_limbs] = {
    UINT64_C(0x3fffffffffffffff), UINT64_C(0xffffffffc0000000), UINT64_C(0xffffffffffffffff),
    UINT64_C(0x3fffffffbfffffff)};
/* residue of z^q, z = 13 a non-square */
static const uint64_t limbic_sm2_root[limbic_sm2_limbs] = {
    UINT64_C(0xfffffffffffffffe), UINT64_C(0xfffffffe00000001), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xfffffffdffffffff)};
/* residue of b: y^2 = x^3 - 3x + b */
static const uint64_t limbic_sm2_b[limbic_sm2_limbs] = {
    UINT64_C(0x90d230632bc0dd42), UINT64_C(0x71cf379ae9b537ab), UINT64_C(0x527981505ea51c3c),
    UINT64_C(0x240fe188ba20e2c8)};
/* residue of G's x */
static const uint64_t limbic_sm2_gx[limbic_sm2_limbs] = {
    UINT64_C(0x61328990f418029e), UINT64_C(0x3e7981eddca6c050), UINT64_C(0xd6a1ed99ac24c3c3),
    UINT64_C(0x91167a5ee1c13b05)};
/* residue of G's y */
static const uint64_t limbic_sm2_gy[limbic_sm2_limbs] = {
    UINT64_C(0xc1354e593c2d0ddd), UINT64_C(0xc1f5e5788d3295fa), UINT64_C(0x8d4cfb066e2a48f8),
    UINT64_C(0x63cd65d481d735bd)};
/* known answer: a scalar k, plain */
static const uint64_t limbic_sm2_kat_k[limbic_sm2_limbs] = {
    UINT64_C(0xfa7fcf52ce798f06), UINT64_C(0x2db02caebe47afaf), UINT64_C(0x09b11a15e8a68f38),
    UINT64_C(0xcdd9a08226b8b9a0)};
/* residue of k G's x */
static const uint64_t limbic_sm2_kat_x[limbic_sm2_limbs] = {
    UINT64_C(0x78b18d92557fbc92), UINT64_C(0xadbd26a71bd3e435), UINT64_C(0xf4979fa10a845a62),
    UINT64_C(0x18de0979706b0489)};
/* residue of k G's y */
static const uint64_t limbic_sm2_kat_y[limbic_sm2_limbs] = {
    UINT64_C(0x944c5bbcfdbe45ba), UINT64_C(0x016a960149d8e671), UINT64_C(0xbfdbb49945087d13),
    UINT64_C(0xc40239a74e1669ac)};
/* k whose even windows add up to the point of its odd ones, as recode of src/curve/digits.h leaves its words */
static const uint64_t limbic_sm2_meeting_k[limbic_sm2_limbs] = {
    UINT64_C(0x4c3a0c16b82d5ea3), UINT64_C(0xf3fbc0ead9d984d3), UINT64_C(0x07e07e07e07e07e0),
    UINT64_C(0xe07e07e17e07e07e)};
/* residue of k G's x */
static const uint64_t limbic_sm2_meeting_x[limbic_sm2_limbs] = {
    UINT64_C(0x4205b657c4671a19), UINT64_C(0xe5244d9e2684aff9), UINT64_C(0x63dc6f3b88bc2177),
    UINT64_C(0x78f718635981aac5)};
/* residue of k G's y */
static const uint64_t limbic_sm2_meeting_y[limbic_sm2_limbs] = {
    UINT64_C(0xd8c8f05b6a6c19d1), UINT64_C(0x3aeab0e80a521af6), UINT64_C(0x255f361b4df657b1),
    UINT64_C(0xd0abe5ebba453748)};
/* the bound of each limb of a product, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_tight[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000),
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0000000000014000)};
/* a multiple of m, 16 times which is added to products, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_pad[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0200ffffffffbfff), UINT64_C(0x020000004000fdff), UINT64_C(0x0200ffffffffbdff),
    UINT64_C(0x0200fffffffffdff), UINT64_C(0x0200bffefffffdff), UINT64_C(0x000000004000fdff)};
/* a multiple of m, each limb one to two times the bound, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_multiple[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x000100000001fffe), UINT64_C(0x0001fffffffffffd),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffdfffffffe), UINT64_C(0x000000000001fffe)};
/* 1, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_one[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000001)};
/* a residue times this is the form of the lanes, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_in[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000100000000), UINT64_C(0x0000000000000000)};
/* the form of the lanes times this is a residue, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_sm2_lanes_out[limbic_sm2_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000ffffffff0000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000100000000), UINT64_C(0x0000000000000000)};

#endif
