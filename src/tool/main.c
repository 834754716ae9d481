/* The command `limbic`: options, help, exit codes. */
#define _GNU_SOURCE /* getopt_long */

#include "tool.h"

#include "limbic/ec.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int selftest(const struct limbic_tool_options *o);

/* The commands. Each has a bit, for the options that only some of them take. */
enum { INFO = 1, SELFTEST = 2, SPEED = 4, ALL = INFO | SELFTEST | SPEED, NO_COMMAND = 8 };

static const struct {
    const char *name, *help;
    int bit;
    int (*run)(const struct limbic_tool_options *o);
} commands[] = {
    {"info", "version, CPU features, and which variant of each operation runs", INFO, limbic_tool_info},
    {"selftest", "run the known answers and a key pair of every curve", SELFTEST, selftest},
    {"speed", "a short measure: operations per second on each curve", SPEED, limbic_tool_speed},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

/* The options: what getopt_long, --help and the refusals are made from. */
static const struct {
    const char *name, *arg, *help;
    int letter; /* also the short form where it is one */
    int commands;
} options[] = {
    {"json", NULL, "print JSON", 'j', ALL},
    {"verbose", NULL, "one line for each row of the table", 'v', INFO},
    {"curve", "CURVE", "only this curve: P-256, P-384, P-521 or SM2", 'c', SPEED},
    {"seconds", "S", "CPU time for each figure, 0.01 to 60 (default 0.2)", 's', SPEED},
    {"help", NULL, "print this and exit", 'h', ALL | NO_COMMAND},
    {"version", NULL, "print the version of the library and exit", 'V', ALL | NO_COMMAND},
};
#define OPTIONS (sizeof options / sizeof options[0])

static int selftest(const struct limbic_tool_options *o) {
    char what[128] = "";
    limbic_status s = limbic_selftest(what, sizeof what);
    if (o->json) {
        printf("{\"version\": ");
        limbic_tool_json_string(limbic_version());
        printf(", \"passed\": %s, \"failed\": ", s == LIMBIC_OK ? "true" : "false");
        if (s == LIMBIC_OK)
            printf("null");
        else
            limbic_tool_json_string(*what ? what : limbic_status_string(s));
        puts("}");
    } else if (s == LIMBIC_OK) {
        puts("self-test passed");
    } else {
        printf("self-test FAILED: %s\n", *what ? what : limbic_status_string(s));
    }
    return s == LIMBIC_OK ? LIMBIC_TOOL_OK : LIMBIC_TOOL_FAILURE;
}

/* The help of the command with index c; COMMANDS: of the whole. */
static int help(size_t c) {
    int bit = c < COMMANDS ? commands[c].bit : NO_COMMAND;
    if (c < COMMANDS) {
        printf("usage: limbic %s [options]\n%s\n", commands[c].name, commands[c].help);
    } else {
        puts("usage: limbic command [options]\n\ncommands:");
        for (size_t i = 0; i < COMMANDS; i++)
            printf("  %-10s %s\n", commands[i].name, commands[i].help);
    }
    puts("\noptions:");
    for (size_t i = 0; i < OPTIONS; i++) {
        char form[32];
        if (!(options[i].commands & bit))
            continue;
        snprintf(form, sizeof form, "-%c, --%s%s%s", options[i].letter, options[i].name,
                 options[i].arg ? " " : "", options[i].arg ? options[i].arg : "");
        printf("  %-22s %s\n", form, options[i].help);
    }
    if (c == COMMANDS)
        puts("\n'limbic command --help' tells the options of a command.\n"
             "Exit codes: 0 done, 1 failure, 2 wrong usage.");
    return LIMBIC_TOOL_OK;
}

__attribute__((format(printf, 1, 2))) static int usage(const char *format, ...) {
    va_list ap;
    fputs("limbic: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputs("\nlimbic: see 'limbic --help'\n", stderr);
    return LIMBIC_TOOL_USAGE;
}

/* "P-256" and "p256" are one curve. */
static int curve_named(const char *text) {
    for (limbic_curve c = LIMBIC_P256; limbic_curve_name(c) != NULL; c = (limbic_curve)(c + 1)) {
        const char *a = limbic_curve_name(c), *b = text;
        for (;; a++, b++) {
            a += *a == '-' && *b != '-';
            if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
                break;
            if (*a == '\0')
                return (int)c;
        }
    }
    return 0;
}

static int seconds_given(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == '\0' && *seconds >= 0.01 && *seconds <= 60;
}

static int run(int argc, char **argv) {
    struct limbic_tool_options o = {.seconds = 0.2};
    struct option forms[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    char letters[2 + 2 * OPTIONS + 1] = "+:";
    size_t c = COMMANDS;
    int bit = NO_COMMAND, letter, skip = 0;
    /* The command, if there is one, stands first. */
    if (argc > 1 && argv[1][0] != '-') {
        for (c = 0; c < COMMANDS && strcmp(argv[1], commands[c].name) != 0; c++)
            continue;
        if (c == COMMANDS)
            return usage("unknown command '%s'", argv[1]);
        bit = commands[c].bit;
        skip = 1;
    }
    for (size_t i = 0, n = 0; i < OPTIONS; i++) {
        char form[3] = {(char)options[i].letter, options[i].arg ? ':' : '\0', '\0'};
        if (!(options[i].commands & bit))
            continue;
        forms[n++] = (struct option){options[i].name, options[i].arg ? required_argument : no_argument, NULL,
                                     options[i].letter};
        strcat(letters, form);
    }
    opterr = 0;
    while ((letter = getopt_long(argc - skip, argv + skip, letters, forms, NULL)) != -1) {
        switch (letter) {
        case 'j':
            o.json = 1;
            break;
        case 'v':
            o.verbose = 1;
            break;
        case 'c':
            if ((o.curve = curve_named(optarg)) == 0)
                return usage("unknown curve '%s'", optarg);
            break;
        case 's':
            if (!seconds_given(optarg, &o.seconds))
                return usage("'%s' is not a number of seconds from 0.01 to 60", optarg);
            break;
        case 'h':
            return help(c);
        case 'V':
            printf("limbic %s\n", limbic_version());
            return LIMBIC_TOOL_OK;
        case ':':
            return usage("option '-%c' needs an argument", optopt);
        default:
            if (optopt == 0)
                return usage("unknown option '%s'", argv[skip + optind - 1]);
            if (strchr(letters + 2, optopt) != NULL)
                return usage("option '-%c' takes no argument", optopt);
            return usage("unknown option '-%c'", optopt);
        }
    }
    if (skip + optind < argc)
        return usage("unexpected argument '%s'", argv[skip + optind]);
    if (c == COMMANDS)
        return usage("no command given");
    return commands[c].run(&o);
}

int main(int argc, char **argv) {
    int code = run(argc, argv);
    int bad = ferror(stdout);
    errno = 0;
    if (fclose(stdout) != 0 || bad) {
        fprintf(stderr, "limbic: standard output: %s\n", errno ? strerror(errno) : "write error");
        return LIMBIC_TOOL_FAILURE;
    }
    return code;
}
