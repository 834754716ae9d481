/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P521_H
#define LIMBIC_CONSTS_P521_H

#include <stdint.h>

enum {
    limbic_p521_bits = 521,
    limbic_p521_bytes = 66,
    limbic_p521_limbs = 9,
    limbic_p521_twos = 1,
    limbic_p521_base_w = 6,
    limbic_p521_base_windows = 87,
    limbic_p521_lanes_limbs = 11,
    limbic_p521_prepared_w = 5,
    limbic_p521_prepared_windows = 105,
    limbic_p521_odd_w = 10,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p521_n0 = UINT64_C(0x0000000000000001);
/* the modulus m */
static const uint64_t limbic_p521_m[limbic_p521_limbs] = {
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000000001ff)};
/* residue of 1: R mod m */
static const uint64_t limbic_p521_one[limbic_p521_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* R^2 mod m */
static const uint64_t limbic_p521_rr[limbic_p521_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p521_inv_fix[limbic_p521_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p521_sqrt_exp[limbic_p521_limbs] = {
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x000000000000007f)};
/* residue of z^q, z = 3 a non-square */
static const uint64_t limbic_p521_root[limbic_p521_limbs] = {
    UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff),
    UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000000001ff)};
/* residue of b: y^2 = x^3 - 3x + b */
static const uint64_t limbic_p521_b[limbic_p521_limbs] = {
    UINT64_C(0xef451fd46b503f00), UINT64_C(0x3573df883d2c34f1), UINT64_C(0x1652c0bd3bb1bf07),
    UINT64_C(0x56193951ec7e937b), UINT64_C(0xb8b489918ef109e1), UINT64_C(0xa2da725b99b315f3),
    UINT64_C(0x929a21a0b68540ee), UINT64_C(0x953eb9618e1c9a1f), UINT64_C(0x0000000000000051)};
/* residue of G's x */
static const uint64_t limbic_p521_gx[limbic_p521_limbs] = {
    UINT64_C(0xf97e7e31c2e5bd66), UINT64_C(0x3348b3c1856a429b), UINT64_C(0xfe1dc127a2ffa8de),
    UINT64_C(0xa14b5e77efe75928), UINT64_C(0xf828af606b4d3dba), UINT64_C(0x9c648139053fb521),
    UINT64_C(0x9e3ecb662395b442), UINT64_C(0x858e06b70404e9cd), UINT64_C(0x00000000000000c6)};
/* residue of G's y */
static const uint64_t limbic_p521_gy[limbic_p521_limbs] = {
    UINT64_C(0x88be94769fd16650), UINT64_C(0x353c7086a272c240), UINT64_C(0xc550b9013fad0761),
    UINT64_C(0x97ee72995ef42640), UINT64_C(0x17afbd17273e662c), UINT64_C(0x98f54449579b4468),
    UINT64_C(0x5c8a5fb42c7d1bd9), UINT64_C(0x39296a789a3bc004), UINT64_C(0x0000000000000118)};
/* known answer: a scalar k, plain */
static const uint64_t limbic_p521_kat_k[limbic_p521_limbs] = {
    UINT64_C(0xf545fbf3bca477e5), UINT64_C(0x2e4cb3c58904402c), UINT64_C(0x0397a3bc128006f5),
    UINT64_C(0x8793f0a6a9a58402), UINT64_C(0xc574782d17a00445), UINT64_C(0x66bc680827da4aa9),
    UINT64_C(0xeefb3556429d8107), UINT64_C(0xe28ad18897e51e6b), UINT64_C(0x00000000000001e5)};
/* residue of k G's x */
static const uint64_t limbic_p521_kat_x[limbic_p521_limbs] = {
    UINT64_C(0xc28758866d45afcb), UINT64_C(0xbe4fdacc661b3afa), UINT64_C(0x6e4f714f3579a609),
    UINT64_C(0x635f2e37b74697f3), UINT64_C(0x6831a270cd267726), UINT64_C(0xf7fd433c3e73e30c),
    UINT64_C(0xdcd1876475d94950), UINT64_C(0x9c00a086bc70ea9e), UINT64_C(0x00000000000001b8)};
/* residue of k G's y */
static const uint64_t limbic_p521_kat_y[limbic_p521_limbs] = {
    UINT64_C(0x3b22816bb624c54d), UINT64_C(0xf30bdd9f8db63ba2), UINT64_C(0x530ba231c14d086a),
    UINT64_C(0x49557d0ec8e3202d), UINT64_C(0xd0328a9916b4ba95), UINT64_C(0x3d0c5753d3aa3d51),
    UINT64_C(0x6fa44622252dd5c5), UINT64_C(0x28cf2b602c19e58f), UINT64_C(0x00000000000000f3)};
/* k whose even windows add up to the point of its odd ones, as recode of src/curve/digits.h leaves its words */
static const uint64_t limbic_p521_meeting_k[limbic_p521_limbs] = {
    UINT64_C(0xa4ee4f0110c07b89), UINT64_C(0xba4dd6397183c656), UINT64_C(0x87d380b0e8885dcf),
    UINT64_C(0x4e077f9c3ed789ea), UINT64_C(0x7e07e07e07e07e02), UINT64_C(0x07e07e07e07e07e0),
    UINT64_C(0xe07e07e07e07e07e), UINT64_C(0x7e07e07e07e07e07), UINT64_C(0x00000000000005e0)};
/* residue of k G's x */
static const uint64_t limbic_p521_meeting_x[limbic_p521_limbs] = {
    UINT64_C(0xd8196d8d15edac94), UINT64_C(0x4c474721016d2018), UINT64_C(0x2c04520763320ca6),
    UINT64_C(0xf985d1ca53cadc32), UINT64_C(0x3ab6d01007aff8a6), UINT64_C(0x63582366ca4675c8),
    UINT64_C(0x8bbf8cbeb60356fa), UINT64_C(0x1246bf35a0e0948e), UINT64_C(0x00000000000001d9)};
/* residue of k G's y */
static const uint64_t limbic_p521_meeting_y[limbic_p521_limbs] = {
    UINT64_C(0x3f7c139df1c52f60), UINT64_C(0x6d0d7bd782393eb7), UINT64_C(0x0826533dca638fa0),
    UINT64_C(0x31ae664640e59483), UINT64_C(0x26cf280bcbedd32f), UINT64_C(0x8d730f15565ce708),
    UINT64_C(0x31c8e494d86698e3), UINT64_C(0xe49597cc0e5e85d3), UINT64_C(0x0000000000000130)};
/* the bound of each limb of a product, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_tight[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000),
    UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000),
    UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000), UINT64_C(0x0001000000010000),
    UINT64_C(0x0001000000010000), UINT64_C(0x0000020000010000)};
/* a multiple of m, 16 times which is added to products, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_pad[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0680fffffffcbfff), UINT64_C(0x0680fffffffff97f), UINT64_C(0x0680fffffffff97f),
    UINT64_C(0x0680fffffffff97f), UINT64_C(0x0680fffffffff97f), UINT64_C(0x0680fffffffff97f),
    UINT64_C(0x0680fffffffff97f), UINT64_C(0x0680fffffffff97f), UINT64_C(0x0680fffffffff97f),
    UINT64_C(0x0680fffffffff97f), UINT64_C(0x068001fffffff97f)};
/* a multiple of m, each limb one to two times the bound, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_multiple[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x000003fffffffffe)};
/* 1, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_one[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* a residue times this is the form of the lanes, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_in[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};
/* the form of the lanes times this is a residue, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p521_lanes_out[limbic_p521_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)};

#endif
