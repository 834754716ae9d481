/* Operands for the kernel tests: corners first, then random ones until the time is up. */
#ifndef LIMBIC_TESTS_CASES_H
#define LIMBIC_TESTS_CASES_H

#include "oracle.h"

struct cases {
    uint64_t rng;    /* state of the generator */
    double deadline; /* of now(): the end of random cases */
    /* Takes one case (in[0]: initial state or NULL); thorough: in every alias pattern and place. 0 stops. */
    int (*emit)(struct cases *c, const struct unit *u, const uint64_t *const *in, int thorough);
};

double now(void); /* seconds */
uint64_t cases_random(uint64_t *rng);
/* All cases of an operation of a unit (of all lengths for mont). */
void cases_generate(struct cases *c, unsigned unit, unsigned op);

#endif
