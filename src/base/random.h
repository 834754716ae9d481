/* Random bytes from the system: getrandom(2), or arc4random_buf where that is what there is. */
#ifndef LIMBIC_BASE_RANDOM_H
#define LIMBIC_BASE_RANDOM_H

#include "limbic/limbic.h"

/* Fills n bytes, or LIMBIC_ERR_RANDOM with the bytes wiped. Never weak output. */
limbic_status limbic_random(void *out, size_t n);

/* A draw that at least every second time serves is tried so often: that none does has a probability of 2^-128, and tells of a
 * generator out of order. */
enum { LIMBIC_RANDOM_TRIES = 128 };

#endif
