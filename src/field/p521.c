/* P-521: m = 2^521 - 1, residues are plain values. */
#include "consts/p521.h"
#include "field/modarith.h"

/* r = t mod m, t < m^2 in 18 words: 2^521 = 1, so the upper part folds onto the lower. */
LIMBIC_INLINE void p521_fold(uint64_t *r, const uint64_t *t) {
    uint64_t s[9], carry = 0;
    LIMBIC_UNROLL
    for (size_t i = 0; i < 8; i++)
        s[i] = limbic_adc(t[i], t[i + 8] >> 9 | t[i + 9] << 55, &carry);
    /* two numbers up to m */
    s[8] = (t[8] & 0x1ff) + (t[16] >> 9 | t[17] << 55) + carry;
    limbic_mod_once(r, s, 0, limbic_p521_m, 9);
}

LIMBIC_INLINE void p521_mul(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t t[18];
    limbic_product(t, a, b, 9);
    p521_fold(r, t);
}

LIMBIC_INLINE void p521_sqr(uint64_t *r, const uint64_t *a) {
    uint64_t t[18];
    limbic_square(t, a, 9);
    p521_fold(r, t);
}

#define FIELD p521
#define FIELD_MUL p521_mul
#define FIELD_SQR p521_sqr
#include "field/fixed.h"
