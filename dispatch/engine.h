/*
 * Which kernels the engines (src/curve/engine.c, src/field/inverse.c, src/field/pow.c) of an instruction set call: directly, not through the table. What a set has no
 * kernel for is portable C; without ENGINE_ADD the sums are inlined. ENGINE_LANES: words of a vector register. ENGINE_<isa> comes from the build.
 */
#ifndef LIMBIC_DISPATCH_ENGINE_H
#define LIMBIC_DISPATCH_ENGINE_H

#if defined(ENGINE_adx)
#define ENGINE_LANES 4
#define ENGINE_ADD x64
#define ENGINE_MUL adx
#define ENGINE_SQR adx
#define ENGINE_INV x64
#elif defined(ENGINE_x64)
#define ENGINE_DIVSTEPS limbic_gcd_divsteps_x64
#elif defined(ENGINE_c)
#define ENGINE_LANES 2
#define ENGINE_MUL c
#define ENGINE_SQR c
#define ENGINE_INV c
#else
#error "an engine needs an instruction set"
#endif

#endif
