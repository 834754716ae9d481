/*
 * Calls a function with every register that the calling convention leaves to it full of junk, and checks what
 * the convention asks of it afterwards.
 */
#ifndef LIMBIC_TESTS_ABI_H
#define LIMBIC_TESTS_ABI_H

#include <stddef.h>
#include <stdint.h>

#define ABI_ARGS 6

/* Must come first. Returns what is checked on this machine, in words; what is not is named too. */
const char *abi_init(void);
/* Calls fn; unused arguments are junk like the rest. 1, or 0 with the first fault in why. A pure function of
 * the seed apart from fn. */
int abi_call(uint64_t *ret, void (*fn)(void), const uint64_t args[ABI_ARGS], uint64_t seed, char *why,
             size_t size);

/* Functions that call *abi_honest and then break one rule each, for the test of the checker; name NULL ends.
 * Those that can't be seen on this machine are taken out by abi_init; the others are seen in some of the
 * calls, if not all. */
struct abi_fault {
    void (*fn)(void);
    const char *name;
};
extern struct abi_fault abi_faults[];
extern void (*abi_honest)(void);

#endif
