/* Generated from params.py by gen.py. */
/* clang-format off */
#include "consts/tables.h"

#define BASE(i, j, ...) [i - 1][j] = {__VA_ARGS__},
#define LOW(j, ...)
#define ODD(j, ...)
const uint64_t
    limbic_p256_base[limbic_p256_base_windows - 1][1 << (limbic_p256_base_w - 1)][2 * limbic_p256_limbs] = {
#include "consts/p256_table.inc"
};
const uint64_t
    limbic_p384_base[limbic_p384_base_windows - 1][1 << (limbic_p384_base_w - 1)][2 * limbic_p384_limbs] = {
#include "consts/p384_table.inc"
};
const uint64_t
    limbic_p521_base[limbic_p521_base_windows - 1][1 << (limbic_p521_base_w - 1)][2 * limbic_p521_limbs] = {
#include "consts/p521_table.inc"
};
const uint64_t
    limbic_sm2_base[limbic_sm2_base_windows - 1][1 << (limbic_sm2_base_w - 1)][2 * limbic_sm2_limbs] = {
#include "consts/sm2_table.inc"
};
#undef BASE
#undef LOW
#undef ODD
#define BASE(i, j, ...)
#define LOW(j, ...) [j] = {__VA_ARGS__},
#define ODD(j, ...) [j] = {__VA_ARGS__},
const uint64_t
    limbic_p256_odd[1 << (limbic_p256_odd_w - 2)][2 * limbic_p256_limbs] = {
#include "consts/p256_table.inc"
};
const uint64_t
    limbic_p384_odd[1 << (limbic_p384_odd_w - 2)][2 * limbic_p384_limbs] = {
#include "consts/p384_table.inc"
};
const uint64_t
    limbic_p521_odd[1 << (limbic_p521_odd_w - 2)][2 * limbic_p521_limbs] = {
#include "consts/p521_table.inc"
};
const uint64_t
    limbic_sm2_odd[1 << (limbic_sm2_odd_w - 2)][2 * limbic_sm2_limbs] = {
#include "consts/sm2_table.inc"
};
#undef BASE
#undef LOW
#undef ODD
