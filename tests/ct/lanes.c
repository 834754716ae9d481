/* src/curve/lanes.c with portable vectors, for Valgrind, which has no AVX-512. */
#include "dispatch/dispatch.h"
#include "curve/digits.h"
limbic_pt_k OP(base_mul);
limbic_affs_ks OP(base_mul_many);
limbic_affs_ks_affs OP(point_mul_many);
limbic_affs_ks_ks_affs OP(double_mul_many_vartime);
limbic_affs_ks_ks_tabs OP(prepared_mul_many_vartime);
#include "curve/lanes.c"
