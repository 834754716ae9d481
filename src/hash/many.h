/*
 * Many streams at once, by the lanes of the instruction set that this is compiled for: a template over COMPRESS, WORD and BITS of a hash
 * and NAME, its functions' up to the instruction set. FEW streams or less, which are not worth the lanes, go one by one to the function of
 * the set SINGLE; with two lanes, or none, all do.
 *
 * States and blocks may be secret: what is spilled of them is left to limbic_wipe_stack.
 */
#include "dispatch/dispatch.h"
#include "dispatch/engine.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#ifndef SINGLE
#define SINGLE c
#define FEW    1
#endif

#if defined(ENGINE_VECTOR) && ENGINE_VECTOR * 8 / BITS > 2
#ifdef ENGINE_HALF
#define VECTOR ENGINE_HALF
#include "hash/lanes.h"
#undef VECTOR
#endif
#define VECTOR ENGINE_VECTOR
#include "hash/lanes.h"
#endif

void JOIN(NAME, JOIN(_many_, ENGINE_ISA))(WORD *state, const uint8_t *const *in, size_t blocks, size_t n) {
#ifdef VECTOR
    for (size_t taken; n > FEW; n -= taken, state += 8 * taken, in += taken) {
#ifdef ENGINE_HALF
        if (n < LANES / 2 + FEW) {
            taken = n < LANES / 2 ? n : LANES / 2;
            JOIN(run_, ENGINE_HALF)(state, in, blocks, taken);
            continue;
        }
#endif
        taken = n < LANES ? n : LANES;
        run(state, in, blocks, taken);
    }
#endif
    /* block by block: where blocks of one stream wait for each other, processors overlap those of several */
    for (size_t i = 0; i < blocks; i++)
        for (size_t j = 0; j < n; j++)
            JOIN(NAME, JOIN(_, SINGLE))(state + 8 * j, in[j] + 16 * sizeof(WORD) * i, 1);
}
