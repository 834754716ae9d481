/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P384_H
#define LIMBIC_CONSTS_P384_H

#include <stdint.h>

enum {
    limbic_p384_bits = 384,
    limbic_p384_bytes = 48,
    limbic_p384_limbs = 6,
    limbic_p384_twos = 1,
    limbic_p384_base_w = 6,
    limbic_p384_base_windows = 64,
    limbic_p384_lanes_limbs = 8,
    limbic_p384_prepared_w = 5,
    limbic_p384_prepared_windows = 77,
    limbic_p384_odd_w = 10,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p384_n0 = UINT64_C(0x0000000100000001);
/* the modulus m */
static const uint64_t limbic_p384_m[limbic_p384_limbs] = {
    UINT64_C(0x00000000ffffffff), UINT64_C(0xffffffff00000000), UINT64_C(0xfffffffffffffffe),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)};
/* residue of 1: R mod m */
static const uint64_t limbic_p384_one[limbic_p384_limbs] = {
    UINT64_C(0xffffffff00000001), UINT64_C(0x00000000ffffffff), UINT64_C(0x0000000000000001),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* R^2 mod m */
static const uint64_t limbic_p384_rr[limbic_p384_limbs] = {
    UINT64_C(0xfffffffe00000001), UINT64_C(0x0000000200000000), UINT64_C(0xfffffffe00000000),
    UINT64_C(0x0000000200000000), UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p384_inv_fix[limbic_p384_limbs] = {
    UINT64_C(0xfffffffc00000002), UINT64_C(0x0000000300000002), UINT64_C(0xfffffffcfffffffe),
    UINT64_C(0x0000000300000005), UINT64_C(0xfffffffdfffffffd), UINT64_C(0x0000000300000002)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p384_sqrt_exp[limbic_p384_limbs] = {
    UINT64_C(0x000000003fffffff), UINT64_C(0xbfffffffc0000000), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x3fffffffffffffff)};
/* residue of z^q, z = 19 a non-square */
static const uint64_t limbic_p384_root[limbic_p384_limbs] = {
    UINT64_C(0x00000001fffffffe), UINT64_C(0xfffffffe00000000), UINT64_C(0xfffffffffffffffd),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)};
/* residue of b: y^2 = x^3 - 3x + b */
static const uint64_t limbic_p384_b[limbic_p384_limbs] = {
    UINT64_C(0x081188719d412dcc), UINT64_C(0xf729add87a4c32ec), UINT64_C(0x77f2209b1920022e),
    UINT64_C(0xe3374bee94938ae2), UINT64_C(0xb62b21f41f022094), UINT64_C(0xcd08114b604fbff9)};
/* residue of G's x */
static const uint64_t limbic_p384_gx[limbic_p384_limbs] = {
    UINT64_C(0x3dd0756649c0b528), UINT64_C(0x20e378e2a0d6ce38), UINT64_C(0x879c3afc541b4d6e),
    UINT64_C(0x6454868459a30eff), UINT64_C(0x812ff723614ede2b), UINT64_C(0x4d3aadc2299e1513)};
/* residue of G's y */
static const uint64_t limbic_p384_gy[limbic_p384_limbs] = {
    UINT64_C(0x23043dad4b03a4fe), UINT64_C(0xa1bfa8bf7bb4a9ac), UINT64_C(0x8bade7562e83b050),
    UINT64_C(0xc6c3521968f4ffd9), UINT64_C(0xdd8002263969a840), UINT64_C(0x2b78abc25a15c5e9)};
/* known answer: a scalar k, plain */
static const uint64_t limbic_p384_kat_k[limbic_p384_limbs] = {
    UINT64_C(0x4821ab253ed489a6), UINT64_C(0x5297bb07e529082e), UINT64_C(0xe42190c1f194f233),
    UINT64_C(0xe7fbeacddde626b1), UINT64_C(0x358e3636801742ce), UINT64_C(0x78b4b2aa7c0b5478)};
/* residue of k G's x */
static const uint64_t limbic_p384_kat_x[limbic_p384_limbs] = {
    UINT64_C(0xf8707a076104d608), UINT64_C(0xb2e6a56e691a15cb), UINT64_C(0x0936df8457fce0ad),
    UINT64_C(0xecd18b14f5610a42), UINT64_C(0x875457df5b2ed916), UINT64_C(0xfc150b191bf8e320)};
/* residue of k G's y */
static const uint64_t limbic_p384_kat_y[limbic_p384_limbs] = {
    UINT64_C(0x29135d075f19d975), UINT64_C(0x76efd375425d5b53), UINT64_C(0x36defb9fe33c3027),
    UINT64_C(0xb6b0fa8b3c7a502c), UINT64_C(0xe9839e63aded2f80), UINT64_C(0x4f95d221c480ec40)};
/* k whose even windows add up to the point of its odd ones, as recode of src/curve/digits.h leaves its words */
static const uint64_t limbic_p384_meeting_k[limbic_p384_limbs] = {
    UINT64_C(0x0c921e8ab2c2c90d), UINT64_C(0x261dedcc4f50d97d), UINT64_C(0xc083338614492a3f),
    UINT64_C(0x1f81f81f81f81f81), UINT64_C(0x81f81f81f81f81f8), UINT64_C(0xf81f81f81f81f81f)};
/* residue of k G's x */
static const uint64_t limbic_p384_meeting_x[limbic_p384_limbs] = {
    UINT64_C(0xe22f63768e4f350e), UINT64_C(0xff03ffe2266a26ae), UINT64_C(0xf4610e5cb02434be),
    UINT64_C(0xd9080cdb6041d95f), UINT64_C(0xee0c5a05f505e873), UINT64_C(0x72a517eb52324988)};
/* residue of k G's y */
static const uint64_t limbic_p384_meeting_y[limbic_p384_limbs] = {
    UINT64_C(0xa2c66d631e63d478), UINT64_C(0xd362b7e5edd3b47d), UINT64_C(0x6e644f33855ff101),
    UINT64_C(0xa0fcfd3b7a073fdc), UINT64_C(0xea15281915cf2854), UINT64_C(0xc23a118b96c5ba0f)};
/* the bound of each limb of a product, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_tight[limbic_p384_lanes_limbs] = {
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000),
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000),
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000)};
/* a multiple of m, 16 times which is added to products, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_pad[limbic_p384_lanes_limbs] = {
    UINT64_C(0x02000200fffffdff), UINT64_C(0x0200fffffffffe00), UINT64_C(0x0200fdfefffffbfe),
    UINT64_C(0x0200fffffffffdff), UINT64_C(0x0200fffffffffdff), UINT64_C(0x0200fffffffffdff),
    UINT64_C(0x0200fffffffffdff), UINT64_C(0x0200fffffffffdff)};
/* a multiple of m, each limb one to two times the bound, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_multiple[limbic_p384_lanes_limbs] = {
    UINT64_C(0x00010001fffffffe), UINT64_C(0x0001ffffffffffff), UINT64_C(0x0001fffdfffffffc),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe)};
/* 1, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_one[limbic_p384_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* a residue times this is the form of the lanes, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_in[limbic_p384_lanes_limbs] = {
    UINT64_C(0x0000ffe100000006), UINT64_C(0x0000ffffffd8ffff), UINT64_C(0x0000fffdffffffeb),
    UINT64_C(0x0000fffffffbffff), UINT64_C(0x0000fffcfffffffa), UINT64_C(0x000000000002ffff),
    UINT64_C(0x000000140000000c), UINT64_C(0x0000000000140000)};
/* the form of the lanes times this is a residue, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p384_lanes_out[limbic_p384_lanes_limbs] = {
    UINT64_C(0x0000ffff00000001), UINT64_C(0x0000ffffffffffff), UINT64_C(0x0000000100000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};

#endif
