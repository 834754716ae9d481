/*
 * Runs a row of the registry directly, its operands in guarded memory, and judges what it did: result,
 * operands, surroundings, calling convention. Shared by the kernel tests and the fuzzers.
 */
#ifndef LIMBIC_TESTS_RUNNER_H
#define LIMBIC_TESTS_RUNNER_H

#include "abi.h"
#include "oracle.h"

/* Ways to share memory among the output and the inputs of its kind. */
enum alias { ALIAS_NONE, ALIAS_RA, ALIAS_RB, ALIAS_AB, ALIAS_RAB, ALIASES };
/* Where operands lie: against the guard page behind or before them, or at an odd multiple of 8 bytes (bytes:
 * at an odd address; words of 32 bits: of 4). */
enum place { PLACE_END, PLACE_START, PLACE_ODD, PLACES };

extern const char *const alias_names[ALIASES];
extern const char *const place_names[PLACES];

/* oracle_init, abi_init, memory, signal handlers. Returns what abi_init says. */
const char *runner_init(void);

/* Whether an op may be called in this pattern with these operands: declared, and equal values where two
 * share. */
int alias_allowed(const struct op_info *op, const struct unit *u, const uint64_t *const *in,
                  enum alias alias);

struct run {
    const struct unit *u;
    const struct op_info *op;
    void (*fn)(void);
    const uint64_t *in[MAX_ARGS]; /* in[0]: state; else unused. in of kind n: the number itself */
    enum alias alias;
    enum place place;
    uint64_t seed; /* of junk and odd offsets */
};
/* Calls run->fn; want is what the oracle gave. got: operand_max() bytes. 1, or 0 with the reason in why. */
int run_row(const struct run *run, const uint64_t *want, uint64_t *got, char *why, size_t size);

/* Operands, result and circumstances of a run, in hexadecimal. */
void run_print(const struct run *run, const uint64_t *want, const uint64_t *got);

#endif
