/* What the programs' files share: the words of a line, buffers of exact length, verdicts. */
#ifndef LIMBIC_TESTS_VECTORS_H
#define LIMBIC_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "curve/curve.h"
#include "limbic/ec.h"
#include "limbic/hash.h"

/* Says why the line fails; the first reason stays. */
__attribute__((format(printf, 1, 2))) void explain(const char *format, ...);
/* The answer of a check that fails: 0, where the compiler can see it. */
#define no(...) (explain(__VA_ARGS__), 0)

void *alloc(void *old, size_t n);
char *copy(const char *s);

/* Buffers of exact length, freed after the line. */
struct bytes {
    uint8_t *p;
    size_t n;
};
void *hold(size_t n);
struct bytes output(size_t n); /* filled with FF */
uint64_t *words_output(size_t n);
int untouched(struct bytes b);
int same(struct bytes a, struct bytes b);
struct bytes duplicate(struct bytes b);

int hex_word(const char *s);
int bytes_word(struct bytes *b, const char *s);
/* A number as size bytes; without leading zeros: the words it takes; as count words, in storage of its own. */
int number_bytes(struct bytes *b, const char *s, size_t size);
size_t number_words_of(const char *s);
int number_words(uint64_t **r, const char *s, size_t count);
int hash_word(limbic_hash *hash, const char *s);

enum verdict_kind { VALID, INVALID, ANY, DIFFERS };
struct verdict {
    enum verdict_kind kind;
    limbic_status status; /* LIMBIC_OK: any but that */
};
int verdict_word(struct verdict *v, const char *s);
/* Whether the status fits; right tells, for LIMBIC_OK, whether the result is the one of the line. */
int fits(struct verdict v, limbic_status status, int right);
/* The same for a call that must have been as `what` says. */
int must(limbic_status status, limbic_status wanted, const char *what);

struct curve {
    limbic_curve id;
    const struct limbic_curve_desc *desc;
    size_t bytes, point_bytes;
};
int curve_word(struct curve *c, const char *s);
limbic_status convert(const struct curve *c, limbic_point_form form, struct bytes *out, struct bytes in);
/* A raw signature through the DER helpers and back. */
int der_round_trip(const struct curve *c, struct bytes sig, limbic_status verified);

/* Lines by their first word. NULL, the end of the list, has none. */
struct item {
    const char *name;
    unsigned least, most; /* words */
    int (*run)(char **w);
    int once; /* depends on the units mont and hash alone: not repeated where their rows are the same */
};
extern const struct item hash_items[], sm2_items[], key_items[], rsa_items[];

/* Forgets the RSA keys that lines have named. */
void forget_keys(void);

#endif
