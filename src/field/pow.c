/* Exponentiation modulo an odd number of run-time length: compiled once per ENGINE_ISA, with direct calls to that instruction set's products. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "dispatch/engine.h"
#include "field/modarith.h"
#include "limbic/field.h"

#define JOIN_(a, b)     a##b
#define JOIN(a, b)      JOIN_(a, b)
#define OP(op)          JOIN(limbic_mont_##op##_, ENGINE_ISA)
#define mul(r, a, b, x) JOIN(limbic_mont_mul_, ENGINE_MUL)(r, a, b, x)
#define sqr(r, a, x)    JOIN(limbic_mont_sqr_, ENGINE_SQR)(r, a, x)

/* The width of the windows of an exponent, 2 or more. */
static unsigned window_width(size_t e_bits, size_t limbs) {
    if (e_bits < 256 || limbs > 64) /* a table of long residues takes too much of a small stack */
        return e_bits < 24 ? 2 : 4;
    return 5;
}

/* As many words as this instruction set has in a register, and as a look-up keeps in registers at most. */
enum { LANES = ENGINE_VECTOR / 8, STRIPE = 16 };
typedef uint64_t vector __attribute__((vector_size(8 * LANES)));

/* So many words of table[digit], a constant; table points to those of the first entry. */
LIMBIC_INLINE void look_up_stripe(uint64_t *r, const uint64_t *table, size_t entries, uint64_t digit,
                                  size_t n, size_t words) {
    vector sum[STRIPE / LANES] = {{0}};
#ifdef ENGINE_SELECTS
    vector at = {0};
    const vector wanted = at + limbic_barrier(digit);
#endif
    for (size_t i = 0; i < entries; i++, table += n) {
#ifdef ENGINE_SELECTS
        const vector mask = (vector)(at == wanted);
        at += 1;
#else
        const vector mask = (vector){0} + limbic_mask_eq(i, digit);
#endif
        LIMBIC_UNROLL
        for (size_t j = 0; j < words / LANES; j++) {
            vector t;
            memcpy(&t, table + LANES * j, sizeof t);
            sum[j] = ENGINE_SELECT(sum[j], t, mask);
        }
    }
    memcpy(r, sum, 8 * words);
}

/* r = table[digit], found by looking at all entries */
static void look_up(uint64_t *r, const uint64_t *table, size_t entries, uint64_t digit, size_t n) {
    size_t at = 0;
    for (; at + STRIPE <= n; at += STRIPE)
        look_up_stripe(r + at, table + at, entries, digit, n, STRIPE);
    if (at + STRIPE / 2 <= n) {
        look_up_stripe(r + at, table + at, entries, digit, n, STRIPE / 2);
        at += STRIPE / 2;
    }
    memset(r + at, 0, 8 * (n - at));
    for (size_t i = 0; i < entries && at < n; i++) {
        const uint64_t mask = limbic_mask_eq(i, digit);
        for (size_t j = at; j < n; j++)
            r[j] |= table[i * n + j] & mask;
    }
}

void OP(pow)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits, const limbic_mont *x) {
    const size_t n = x->limbs;
    const unsigned width = window_width(e_bits, n);
    const size_t entries = (size_t)1 << width;
    uint64_t table[entries * n], s[n], t[n];
    memcpy(table, x->one, 8 * n);
    memcpy(table + n, a, 8 * n);
    for (size_t i = 2; i < entries; i += 2) {
        sqr(table + i * n, table + i / 2 * n, x);
        mul(table + (i + 1) * n, table + i * n, a, x);
    }
    size_t i = (e_bits + width - 1) / width;
    if (i == 0)
        memcpy(s, x->one, 8 * n);
    else
        look_up(s, table, entries, limbic_words_window(e, e_bits, width, --i), n);
    while (i-- > 0) {
        for (unsigned j = 0; j < width; j++)
            sqr(s, s, x);
        look_up(t, table, entries, limbic_words_window(e, e_bits, width, i), n);
        mul(s, s, t, x);
    }
    memcpy(r, s, 8 * n);
    limbic_wipe(table, sizeof table);
    limbic_wipe(s, sizeof s);
    limbic_wipe(t, sizeof t);
    limbic_wipe_stack();
}

void OP(pow_many)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                  const limbic_mont *const *x, size_t count) {
    const size_t n = x[0]->limbs;
    for (size_t i = 0; i < count; i++)
        OP(pow)(r + i * n, a + i * n, e + i * ((e_bits + 63) / 64), e_bits, x[i]);
}

/* r = a^e of a residue; `last` takes the place of a for the lowest bit: a, or the plain number, which makes the result plain. */
static void raise(uint64_t *r, const uint64_t *a, const uint64_t *last, const uint64_t *e, size_t e_bits,
                  const limbic_mont *x) {
    uint64_t s[x->limbs], started = 0;
    memcpy(s, x->one, sizeof s);
    for (size_t i = e_bits; i-- > 0;) {
        const uint64_t bit = e[i / 64] >> (i % 64) & 1, *const factor = i ? a : last;
        if (started)
            sqr(s, s, x);
        if (bit && started)
            mul(s, s, factor, x);
        else if (bit)
            memcpy(s, factor, sizeof s);
        started |= bit;
    }
    memcpy(r, s, sizeof s);
    limbic_wipe(s, sizeof s);
}

void OP(pow_public)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits, const limbic_mont *x) {
    raise(r, a, a, e, e_bits, x);
}

void OP(pow_public_many)(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_bits,
                         const limbic_mont *const *x, size_t count) {
    const size_t n = x[0]->limbs;
    uint64_t residue[n];
    for (; count > 0; count--, r += n, a += n, x++) {
        mul(residue, a, x[0]->rr, x[0]);
        raise(r, residue, a, e, e_bits, x[0]); /* a residue times a plain number is plain */
        if (e_bits == 0 || e[0] % 2 == 0) {
            memset(residue, 0, sizeof residue);
            residue[0] = 1;
            mul(r, r, residue, x[0]);
        }
    }
    limbic_wipe(residue, sizeof residue);
}
