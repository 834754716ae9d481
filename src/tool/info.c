/* limbic info: what runs here, and for every row that can't run, why. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are longer go on below, indented. */
enum { WIDTH = 100, INDENT = 17 };

struct table {
    size_t n;
    limbic_row_info *row;
};

static int read_table(struct table *t) {
    t->n = limbic_row_count();
    t->row = calloc(t->n ? t->n : 1, sizeof *t->row);
    if (t->row == NULL) {
        fputs("limbic: out of memory\n", stderr);
        return 0;
    }
    for (size_t i = 0; i < t->n; i++) {
        limbic_status s = limbic_row(i, &t->row[i]);
        if (s != LIMBIC_OK) {
            fprintf(stderr, "limbic: row %zu: %s\n", i, limbic_status_string(s));
            free(t->row);
            return 0;
        }
    }
    return 1;
}

/* Rows that go into one line of the compact listing. */
static int same_line(const limbic_row_info *a, const limbic_row_info *b) {
    return strcmp(a->unit, b->unit) == 0 && strcmp(a->isa, b->isa) == 0 && a->chosen == b->chosen &&
           strcmp(a->reason, b->reason) == 0;
}

/* The chosen rows (chosen = 1) or the rows that can't run, one line for each unit, instruction set and reason. A row that
 * could run and does not is worse than the one that does: only -v lists it. */
static size_t print_lines(const struct table *t, int chosen) {
    size_t lines = 0;
    for (size_t i = 0; i < t->n; i++) {
        const limbic_row_info *r = &t->row[i];
        int first = 1;
        if (r->chosen != chosen || (!chosen && r->usable))
            continue;
        for (size_t j = 0; j < i && first; j++)
            first = !same_line(&t->row[j], r);
        if (!first)
            continue;
        if (lines++ == 0)
            puts(chosen ? "\nruns:" : "\ncan't run:");
        int column = printf("  %-6s %-*s", r->unit, INDENT - 9, r->isa);
        if (!chosen)
            column += printf(" %s:", r->reason);
        for (size_t j = i; j < t->n; j++) {
            if (!same_line(&t->row[j], r))
                continue;
            if (column + 1 + (int)strlen(t->row[j].op) > WIDTH)
                column = printf("\n%*s", INDENT, "") - 1;
            column += printf(" %s", t->row[j].op);
        }
        putchar('\n');
    }
    return lines;
}

static void print_all(const struct table *t) {
    putchar('\n');
    for (size_t i = 0; i < t->n; i++) {
        const limbic_row_info *r = &t->row[i];
        printf("%-6s %-20s %-8s %s\n", r->unit, r->op, r->isa, r->chosen ? "runs" : r->reason);
    }
}

static void print_json(const struct table *t, const char *features) {
    printf("{\n  \"version\": ");
    limbic_tool_json_string(limbic_version());
    printf(",\n  \"cpu_features\": ");
    limbic_tool_json_words(features);
    printf(",\n  \"unknown_words\": ");
    limbic_tool_json_words(limbic_cpu_unknown_words());
    printf(",\n  \"rows\": [");
    for (size_t i = 0; i < t->n; i++) {
        const limbic_row_info *r = &t->row[i];
        printf("%s\n    {\"unit\": ", i ? "," : "");
        limbic_tool_json_string(r->unit);
        printf(", \"op\": ");
        limbic_tool_json_string(r->op);
        printf(", \"isa\": ");
        limbic_tool_json_string(r->isa);
        printf(", \"chosen\": %s, \"usable\": %s, \"reason\": ", r->chosen ? "true" : "false",
               r->usable ? "true" : "false");
        limbic_tool_json_string(r->reason);
        putchar('}');
    }
    puts("\n  ]\n}");
}

int limbic_tool_info(const struct limbic_tool_options *o) {
    struct table t;
    size_t n = limbic_cpu_features(NULL, 0) + 1;
    char *features = malloc(n);
    if (features == NULL) {
        fputs("limbic: out of memory\n", stderr);
        return LIMBIC_TOOL_FAILURE;
    }
    (void)limbic_cpu_features(features, n);
    if (!read_table(&t)) {
        free(features);
        return LIMBIC_TOOL_FAILURE;
    }
    if (o->json) {
        print_json(&t, features);
    } else {
        printf("limbic %s\nCPU features: %s\n", limbic_version(), *features ? features : "none");
        if (*limbic_cpu_unknown_words()) {
            printf("unknown words in LIMBIC_CPU: ");
            limbic_tool_plain(limbic_cpu_unknown_words());
            putchar('\n');
        }
        if (o->verbose) {
            print_all(&t);
        } else {
            (void)print_lines(&t, 1);
            if (print_lines(&t, 0) == 0)
                puts("\nevery row can run");
        }
    }
    free(t.row);
    free(features);
    return LIMBIC_TOOL_OK;
}
