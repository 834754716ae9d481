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
#include <unistd.h>

static int selftest(const struct limbic_tool_options *o);

/* The commands. Each has a bit, for the options that only some of them take. */
enum {
    INFO = 1,
    SELFTEST = 2,
    SPEED = 4,
    KEYGEN = 8,
    PUBKEY = 16,
    SIGN = 32,
    VERIFY = 64,
    ENCRYPT = 128,
    DECRYPT = 256,
    NO_COMMAND = 512,
    OPENSSL_CHECK = 1024,
    REPORT = 2048,
    REPORTS = INFO | SELFTEST | SPEED,
    SIGNATURE = SIGN | VERIFY,
    CIPHER = ENCRYPT | DECRYPT,
    WITH_KEY = PUBKEY | SIGNATURE | CIPHER,
    WITH_INPUT = SIGNATURE | CIPHER,
    ALL = REPORTS | KEYGEN | WITH_KEY | OPENSSL_CHECK
};

static const struct {
    const char *name, *help;
    int bit;
    int (*run)(const struct limbic_tool_options *o);
} commands[] = {
    {"info", "version, CPU features, and which variant of each operation runs", INFO, limbic_tool_info},
    {"selftest", "run the known answers, and every scheme once", SELFTEST, selftest},
    {"speed", "a short measure: operations per second on each curve", SPEED, limbic_tool_speed},
    {"keygen", "make a private key", KEYGEN, limbic_tool_keygen},
    {"pubkey", "the public key of a private key, or another form of a public one", PUBKEY,
     limbic_tool_pubkey},
    {"sign", "sign a file or standard input", SIGN, limbic_tool_sign},
    {"verify", "verify the signature of a file or of standard input", VERIFY, limbic_tool_verify},
    {"encrypt", "encrypt a file or standard input for a public key", ENCRYPT, limbic_tool_encrypt},
    {"decrypt", "decrypt a file or standard input with a private key", DECRYPT, limbic_tool_decrypt},
    {"openssl-check", "which algorithms programs that use OpenSSL get from the provider limbic",
     OPENSSL_CHECK, limbic_tool_openssl_check},
    {"report", "what limbic-bench measured as a page, and which curve will do", REPORT, NULL},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

/* The options: what getopt_long, --help and the refusals are made from. */
static const struct {
    const char *name, *arg, *help;
    int letter; /* also the short form where it is one */
    int commands;
} options[] = {
    {"json", NULL, "print JSON", 'j', REPORTS},
    {"verbose", NULL, "one line for each row of the table", 'v', INFO},
    {"curve", "CURVE", "only this curve: P-256, P-384, P-521 or SM2", 'c', SPEED},
    {"seconds", "S", "CPU time for each figure, 0.01 to 60 (default 0.2)", 's', SPEED},
    {"alg", "ALG", "sm2, p256, p384, p521, or rsa and its bits (rsa3072; rsa: 2048)", 'a', KEYGEN | WITH_KEY},
    {"key", "FILE", "the key: PEM, DER, or hex (with --alg); - is standard input", 'k', WITH_KEY},
    {"signature", "FILE", "the signature", 'S', VERIFY},
    {"out", "FILE", "where the result goes; a new file for keygen (default: standard output)", 'o',
     KEYGEN | PUBKEY | SIGN | CIPHER},
    {"format", "FORM",
     "keys: pem, der, hex; signatures of curves: der, raw, hex, RSA's: raw, hex; SM2 ciphertexts: der, "
     "c1c3c2, c1c2c3",
     'f', KEYGEN | WITH_KEY},
    {"traditional", NULL, "SEC 1 or PKCS#1 instead of PKCS#8", 'T', KEYGEN},
    {"compressed", NULL, "a compressed point", 'C', PUBKEY},
    {"hash", "HASH", "sha256, sha384, sha512, sm3 (default: what goes with the key)", 'H', WITH_INPUT},
    {"digest", NULL, "the input is the digest itself", 'd', SIGNATURE},
    {"id", "ID", "SM2: the signer's ID (default 1234567812345678; openssl below 4 takes an empty one)", 'i',
     SIGNATURE},
    {"padding", "PAD",
     "RSA: pkcs1, pss for signatures; oaep, pkcs1 for encryption (the first is the default)", 'p',
     WITH_INPUT},
    {"label", "TEXT", "RSA: the label of OAEP", 'l', CIPHER},
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
        printf("usage: limbic %s [options]%s\n%s\n", commands[c].name, bit & WITH_INPUT ? " [file]" : "",
               commands[c].help);
    } else {
        puts("usage: limbic command [options]\n\ncommands:");
        for (size_t i = 0; i < COMMANDS; i++)
            printf("  %-14s %s\n", commands[i].name, commands[i].help);
    }
    puts("\noptions:");
    for (size_t i = 0; i < OPTIONS; i++) {
        char form[32];
        if (!(options[i].commands & bit))
            continue;
        snprintf(form, sizeof form, "-%c, --%s%s%s", options[i].letter, options[i].name,
                 options[i].arg ? " " : "", options[i].arg ? options[i].arg : "");
        printf("  %-24s %s\n", form, options[i].help);
    }
    if (c == COMMANDS)
        puts("\n'limbic command --help' tells the options of a command.\n"
             "Exit codes: 0 done, 1 failure, 2 wrong usage.");
    return LIMBIC_TOOL_OK;
}

int limbic_tool_usage(const char *format, ...) {
    va_list ap;
    fputs("limbic: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputs("\nlimbic: see 'limbic --help'\n", stderr);
    return LIMBIC_TOOL_USAGE;
}

int limbic_tool_curve(const char *text) {
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

static int is_standard_input(const char *name) {
    return name != NULL && strcmp(name, "-") == 0;
}

static int run(int argc, char **argv) {
    struct limbic_tool_options o = {.seconds = 0.2};
    struct option forms[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    char letters[1 + 2 * OPTIONS + 1] = ":";
    size_t c = COMMANDS;
    int bit = NO_COMMAND, letter, skip = 0;
    /* The command, if there is one, stands first. */
    if (argc > 1 && argv[1][0] != '-') {
        for (c = 0; c < COMMANDS && strcmp(argv[1], commands[c].name) != 0; c++)
            continue;
        if (c == COMMANDS)
            return limbic_tool_usage("unknown command '%s'", argv[1]);
        bit = commands[c].bit;
        skip = 1;
        if (bit == REPORT)
            return limbic_tool_run("limbic-report", argv + 1, "it takes Python 3");
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
            if ((o.curve = limbic_tool_curve(optarg)) == 0)
                return limbic_tool_usage("unknown curve '%s'", optarg);
            break;
        case 's':
            if (!seconds_given(optarg, &o.seconds))
                return limbic_tool_usage("'%s' is not a number of seconds from 0.01 to 60", optarg);
            break;
        case 'a':
            o.alg = optarg;
            break;
        case 'k':
            o.key = optarg;
            break;
        case 'S':
            o.signature = optarg;
            break;
        case 'o':
            o.out = optarg;
            break;
        case 'f':
            o.format = optarg;
            break;
        case 'T':
            o.traditional = 1;
            break;
        case 'C':
            o.compressed = 1;
            break;
        case 'H':
            o.hash = optarg;
            break;
        case 'd':
            o.digest = 1;
            break;
        case 'i':
            o.id = optarg;
            break;
        case 'p':
            o.padding = optarg;
            break;
        case 'l':
            o.label = optarg;
            break;
        case 'h':
            return help(c);
        case 'V':
            printf("limbic %s\n", limbic_version());
            return LIMBIC_TOOL_OK;
        case ':':
            return limbic_tool_usage("option '-%c' needs an argument", optopt);
        default:
            if (optopt == 0)
                return limbic_tool_usage("unknown option '%s'", argv[skip + optind - 1]);
            if (strchr(letters + 1, optopt) != NULL)
                return limbic_tool_usage("option '-%c' takes no argument", optopt);
            return limbic_tool_usage("unknown option '-%c'", optopt);
        }
    }
    if (skip + optind < argc && bit & WITH_INPUT)
        o.input = argv[skip + optind++];
    if (skip + optind < argc)
        return limbic_tool_usage("unexpected argument '%s'", argv[skip + optind]);
    if (c == COMMANDS)
        return limbic_tool_usage("no command given");
    if (bit & WITH_KEY) {
        int uses = is_standard_input(o.key) + is_standard_input(o.signature) +
                   (bit & WITH_INPUT && (o.input == NULL || is_standard_input(o.input)));
        if (uses > 1)
            return limbic_tool_usage("standard input can be only one of key, signature and input");
        if (limbic_tool_same_file(o.key, o.out))
            return limbic_tool_usage("the result would replace the key: '%s'", o.out);
    }
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
