/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_TABLES_H
#define LIMBIC_CONSTS_TABLES_H

#include "consts/p256.h"
#include "consts/p384.h"
#include "consts/p521.h"
#include "consts/sm2.h"

/* Affine x, y, residues: odd[j] of (2 j + 1) G, base[i][j] of (2 j + 1) 2^(base_w (i + 1)) G. */
extern const uint64_t
    limbic_p256_base[limbic_p256_base_windows - 1][1 << (limbic_p256_base_w - 1)][2 * limbic_p256_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_p256_odd[1 << (limbic_p256_odd_w - 2)][2 * limbic_p256_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_p384_base[limbic_p384_base_windows - 1][1 << (limbic_p384_base_w - 1)][2 * limbic_p384_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_p384_odd[1 << (limbic_p384_odd_w - 2)][2 * limbic_p384_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_p521_base[limbic_p521_base_windows - 1][1 << (limbic_p521_base_w - 1)][2 * limbic_p521_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_p521_odd[1 << (limbic_p521_odd_w - 2)][2 * limbic_p521_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_sm2_base[limbic_sm2_base_windows - 1][1 << (limbic_sm2_base_w - 1)][2 * limbic_sm2_limbs]
    __attribute__((aligned(64)));
extern const uint64_t
    limbic_sm2_odd[1 << (limbic_sm2_odd_w - 2)][2 * limbic_sm2_limbs]
    __attribute__((aligned(64)));

#endif
