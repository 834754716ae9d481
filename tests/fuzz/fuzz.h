/* What the fuzz targets share. */
#ifndef LIMBIC_TESTS_FUZZ_H
#define LIMBIC_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The input, taken from the front; zeros when it is used up. */
struct input {
    const uint8_t *at;
    size_t left;
};

__attribute__((unused)) static void take(struct input *in, void *out, size_t n) {
    const size_t m = n < in->left ? n : in->left;
    memset(out, 0, n);
    memcpy(out, in->at, m);
    in->at += m;
    in->left -= m;
}

__attribute__((unused)) static uint8_t take_byte(struct input *in) {
    uint8_t x;
    take(in, &x, 1);
    return x;
}

#define REQUIRE(condition, ...)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            (void)fprintf(stderr, __VA_ARGS__);                                                              \
            (void)fprintf(stderr, "\n");                                                                     \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
