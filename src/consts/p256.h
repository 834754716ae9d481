/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_P256_H
#define LIMBIC_CONSTS_P256_H

#include <stdint.h>

enum {
    limbic_p256_bits = 256,
    limbic_p256_bytes = 32,
    limbic_p256_limbs = 4,
    limbic_p256_twos = 1,
    limbic_p256_base_w = 6,
    limbic_p256_base_windows = 43,
    limbic_p256_lanes_limbs = 6,
    limbic_p256_prepared_w = 5,
    limbic_p256_prepared_windows = 52,
    limbic_p256_odd_w = 10,
};
/* -1/m mod 2^64 */
static const uint64_t limbic_p256_n0 = UINT64_C(0x0000000000000001);
/* the modulus m */
static const uint64_t limbic_p256_m[limbic_p256_limbs] = {
    UINT64_C(0xffffffffffffffff), UINT64_C(0x00000000ffffffff), UINT64_C(0x0000000000000000),
    UINT64_C(0xffffffff00000001)};
/* residue of 1: R mod m */
static const uint64_t limbic_p256_one[limbic_p256_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0xffffffff00000000), UINT64_C(0xffffffffffffffff),
    UINT64_C(0x00000000fffffffe)};
/* R^2 mod m */
static const uint64_t limbic_p256_rr[limbic_p256_limbs] = {
    UINT64_C(0x0000000000000003), UINT64_C(0xfffffffbffffffff), UINT64_C(0xfffffffffffffffe),
    UINT64_C(0x00000004fffffffd)};
/* R^3 mod m: 1/(a R) times this is the residue of 1/a */
static const uint64_t limbic_p256_inv_fix[limbic_p256_limbs] = {
    UINT64_C(0xfffffffd0000000a), UINT64_C(0xffffffedfffffff7), UINT64_C(0x00000005fffffffc),
    UINT64_C(0x0000001800000001)};
/* (q - 1) / 2, m - 1 = 2^twos q */
static const uint64_t limbic_p256_sqrt_exp[limbic_p256_limbs] = {
    UINT64_C(0xffffffffffffffff), UINT64_C(0x000000003fffffff), UINT64_C(0x4000000000000000),
    UINT64_C(0x3fffffffc0000000)};
/* residue of z^q, z = 3 a non-square */
static const uint64_t limbic_p256_root[limbic_p256_limbs] = {
    UINT64_C(0xfffffffffffffffe), UINT64_C(0x00000001ffffffff), UINT64_C(0x0000000000000000),
    UINT64_C(0xfffffffe00000002)};
/* residue of b: y^2 = x^3 - 3x + b */
static const uint64_t limbic_p256_b[limbic_p256_limbs] = {
    UINT64_C(0xd89cdf6229c4bddf), UINT64_C(0xacf005cd78843090), UINT64_C(0xe5a220abf7212ed6),
    UINT64_C(0xdc30061d04874834)};
/* residue of G's x */
static const uint64_t limbic_p256_gx[limbic_p256_limbs] = {
    UINT64_C(0x79e730d418a9143c), UINT64_C(0x75ba95fc5fedb601), UINT64_C(0x79fb732b77622510),
    UINT64_C(0x18905f76a53755c6)};
/* residue of G's y */
static const uint64_t limbic_p256_gy[limbic_p256_limbs] = {
    UINT64_C(0xddf25357ce95560a), UINT64_C(0x8b4ab8e4ba19e45c), UINT64_C(0xd2e88688dd21f325),
    UINT64_C(0x8571ff1825885d85)};
/* known answer: a scalar k, plain */
static const uint64_t limbic_p256_kat_k[limbic_p256_limbs] = {
    UINT64_C(0x186783f4ef9ba58f), UINT64_C(0xaabbe586be891229), UINT64_C(0x29fbfd3683e7f7a7),
    UINT64_C(0xe7c5324c982674f6)};
/* residue of k G's x */
static const uint64_t limbic_p256_kat_x[limbic_p256_limbs] = {
    UINT64_C(0xee6a91a69f792509), UINT64_C(0x8ee9678b4acb14db), UINT64_C(0x0353857dcc4171d3),
    UINT64_C(0xcc97fe0aaaa23e04)};
/* residue of k G's y */
static const uint64_t limbic_p256_kat_y[limbic_p256_limbs] = {
    UINT64_C(0xb9eed32a1df51ece), UINT64_C(0xed505104831d1dc9), UINT64_C(0x9f261595128a3dc1),
    UINT64_C(0x5018e766d1eb5948)};
/* k whose even windows add up to the point of its odd ones, as recode of src/curve/digits.h leaves its words */
static const uint64_t limbic_p256_meeting_k[limbic_p256_limbs] = {
    UINT64_C(0xec3832dd7d9b3ad1), UINT64_C(0x3d1ee52c5f081f7c), UINT64_C(0x07e07e07e07e07e0),
    UINT64_C(0xe07e07e081f81f81)};
/* residue of k G's x */
static const uint64_t limbic_p256_meeting_x[limbic_p256_limbs] = {
    UINT64_C(0xc9c1ea7f0ab39eab), UINT64_C(0x1698eaf9df36cd68), UINT64_C(0x0033b869828f02f5),
    UINT64_C(0xb44ebccef00daa98)};
/* residue of k G's y */
static const uint64_t limbic_p256_meeting_y[limbic_p256_limbs] = {
    UINT64_C(0x02f88445c10fa84e), UINT64_C(0x08836de4e31c6548), UINT64_C(0x62448d7b2b36d84c),
    UINT64_C(0x885657ae6a26fdec)};
/* the bound of each limb of a product, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_tight[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000),
    UINT64_C(0x0001000000004000), UINT64_C(0x0001000000004000), UINT64_C(0x0000000000014000)};
/* a multiple of m, 16 times which is added to products, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_pad[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0001ffffffffbfff), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001000000003fff),
    UINT64_C(0x0001ffffffffffff), UINT64_C(0x0001bfff00003fff), UINT64_C(0x000000004000fffe)};
/* a multiple of m, each limb one to two times the bound, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_multiple[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffffffffffe), UINT64_C(0x0002000000000000),
    UINT64_C(0x0001fffffffffffe), UINT64_C(0x0001fffe00000000), UINT64_C(0x000000000001fffe)};
/* 1, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_one[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000001)};
/* a residue times this is the form of the lanes, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_in[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0000000100000000), UINT64_C(0x0000000000000000)};
/* the form of the lanes times this is a residue, limbs of 48 bits as src/field/lanes.h has them */
static const uint64_t limbic_p256_lanes_out[limbic_p256_lanes_limbs] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000000000), UINT64_C(0x0000ffffffffffff),
    UINT64_C(0x0000ffffffffffff), UINT64_C(0x00000000fffffffe), UINT64_C(0x0000000000000000)};

#endif
