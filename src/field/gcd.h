/* The greatest common divisor, in constant time. */
#ifndef LIMBIC_FIELD_GCD_H
#define LIMBIC_FIELD_GCD_H

#include <stddef.h>
#include <stdint.h>

/* g = gcd(a, b), n <= LIMBIC_MONT_MAX_LIMBS words each; b odd, a of any value. Operands may be the same arrays. */
void limbic_words_gcd_odd(uint64_t *g, const uint64_t *a, const uint64_t *b, size_t n);

#endif
