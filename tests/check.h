/* What the test programs share: counting, naming failures, forcing instruction sets one by one. */
#ifndef LIMBIC_TESTS_CHECK_H
#define LIMBIC_TESTS_CHECK_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/dispatch.h"

static unsigned long passed, failed, skipped;

__attribute__((unused, format(printf, 2, 3))) static int check(int ok, const char *format, ...) {
    va_list args;
    if (ok) {
        passed++;
        return 1;
    }
    failed++;
    va_start(args, format);
    (void)printf("FAIL: ");
    (void)vprintf(format, args);
    (void)printf("\n");
    va_end(args);
    return 0;
}

/* The closing line, and the exit code. */
__attribute__((unused)) static int closing(void) {
    (void)printf("%lu passed, %lu failed", passed, failed);
    if (skipped)
        (void)printf(", %lu skipped", skipped);
    (void)printf("\n");
    return failed != 0;
}

/* Whether LIMBIC_REQUIRE ("adx,ifma") names this instruction set. */
__attribute__((unused)) static int required(const char *isa) {
    const char *list = getenv("LIMBIC_REQUIRE");
    size_t n = strlen(isa);
    while (list && *list) {
        size_t m = strcspn(list, ", ");
        if (m == n && !memcmp(list, isa, n))
            return 1;
        list += m + (list[m] != 0);
    }
    return 0;
}

/* Whether curves or run-time moduli have an engine of this instruction set; others have parts alone: a field's, hashes. */
__attribute__((unused)) static int has_engine(unsigned isa) {
    for (size_t i = 0; i < limbic_rows_count; i++)
        if (limbic_rows[i].isa == isa && (limbic_op_class(limbic_rows[i].op) == LIMBIC_CLASS_curve ||
                                          limbic_op_class(limbic_rows[i].op) == LIMBIC_CLASS_mont))
            return 1;
    return 0;
}

/* Runs test(name) with each instruction set of the table forced, or each that has an engine, then with the automatic choice (name "auto").
 * One that does not run here is a skip with its reason, or a failure where LIMBIC_REQUIRE names it. */
enum { EVERY_ISA, ENGINES };
__attribute__((unused)) static void each_isa(int which, void (*test)(const char *isa)) {
    for (unsigned isa = 0; isa < LIMBIC_ISAS; isa++) {
        const char *name = limbic_isa_name(isa);
        char reason[96] = "no row";
        if (which == ENGINES && !has_engine(isa)) {
            (void)printf("%s: no engine of its own, a part of auto\n", name);
            continue;
        }
        if (limbic_force_isa(name)) {
            unsigned long before = passed, bad = failed;
            test(name);
            (void)printf("%s: %lu passed, %lu failed\n", name, passed - before, failed - bad);
            continue;
        }
        for (size_t i = 0; i < limbic_rows_count; i++)
            if (limbic_rows[i].isa == isa)
                limbic_row_reason(&limbic_rows[i], reason, sizeof reason);
        if (required(name)) {
            check(0, "%s must run: %s", name, reason);
        } else {
            skipped++;
            (void)printf("%s skipped: %s\n", name, reason);
        }
    }
    (void)limbic_force_isa(NULL);
    test("auto");
}

#endif
