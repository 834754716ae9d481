/* Calls lanes_test.c's function of each unit and instruction set that runs here. */
#include <stdio.h>
#include "tests/check.h"

#define UNITS(X, isa)      X(p256, isa) X(p384, isa) X(p521, isa) X(sm2, isa)
#define DECLARE(unit, isa) void lanes_test_##unit##_##isa(unsigned long counts[2]);
#define ROW(unit, isa)     {LIMBIC_UNIT_##unit, LIMBIC_ISA_##isa, lanes_test_##unit##_##isa},

UNITS(DECLARE, c)
#if LIMBIC_BUILT_ifma
UNITS(DECLARE, ifma)
#endif

static const struct {
    unsigned unit, isa;
    void (*fn)(unsigned long counts[2]);
} tests[] = {UNITS(ROW, c)
#if LIMBIC_BUILT_ifma
                 UNITS(ROW, ifma)
#endif
};

int main(void) {
    unsigned rows = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        const char *unit = limbic_unit_name(row->unit), *isa = limbic_isa_name(row->isa);
        char reason[128];
        size_t t = 0;
        if (row->op != LIMBIC_OP_lanes_lanes_mul)
            continue;
        rows++;
        while (t < sizeof tests / sizeof tests[0] && (tests[t].unit != row->unit || tests[t].isa != row->isa))
            t++;
        if (limbic_row_usable(row)) {
            unsigned long counts[2] = {0, 0};
            if (check(t < sizeof tests / sizeof tests[0], "%s/%s has no test", unit, isa))
                tests[t].fn(counts);
            printf("%s/%s: %lu passed, %lu failed\n", unit, isa, counts[0], counts[1]);
            passed += counts[0];
            failed += counts[1];
            continue;
        }
        limbic_row_reason(row, reason, sizeof reason);
        check(!required(isa), "%s/%s: required by LIMBIC_REQUIRE, but %s", unit, isa, reason);
        printf("skip %s/%s: %s\n", unit, isa, reason);
        skipped++;
    }
    check(rows > 0, "no rows");
    return closing();
}
