/* limbic-bench --sm2-rsa: SM2 against RSA-2048 as one page, out of the rows of Limbic, OpenSSL and BouncyCastle. All columns of a line are
 * measured in turn, slice by slice, on one processor. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "limbic/ecdsa.h"
#include "limbic/key.h"
#include "limbic/sm2.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SM2,
    RSA,
    LIMBIC = 0,
    OPENSSL = 2,
    BOUNCY = 4,
    COLUMNS = 6, /* library + scheme */
    LABEL = 16,
    WIDTH = 14,
    RATIO = 12,
    PRIMES = 2 /* a search for primes takes so many times the slices, of one key each */
};
static const double SLICE = 0.01, WARM_UP = 2; /* seconds; the latter for Java's compiler */

static const char *const schemes[] = {"sm2", "rsa2048"}, *const scheme_titles[] = {"SM2", "RSA-2048"};
static const char *const libraries[] = {"limbic", "openssl", "bouncycastle"};

static const struct line {
    const char *label, *op;
    size_t text; /* bytes to encrypt */
} lines[] = {
    {"keygen", "keygen", 0},
    {"sign", "sign", 0},
    {"sign, prepared", "sign_prepared", 0},
    {"verify", "verify", 0},
    {"verify, prepared", "verify_prepared", 0},
    {"encrypt 32 B", "encrypt_32", 32},
    {"encrypt 1 KB", "encrypt_1k", 1 << 10},
    {"encrypt 10 KB", "encrypt_10k", 10 << 10},
    {"encrypt 100 KB", "encrypt_100k", 100 << 10},
    {"decrypt 32 B", "decrypt_32", 32},
    {"decrypt 1 KB", "decrypt_1k", 1 << 10},
    {"decrypt 10 KB", "decrypt_10k", 10 << 10},
    {"decrypt 100 KB", "decrypt_100k", 100 << 10},
    {"enc 1 KB C1C2C3", "encrypt_1k_c1c2c3", 1 << 10},
    {"dec 1 KB C1C2C3", "decrypt_1k_c1c2c3", 1 << 10},
};
enum { LINES = sizeof lines / sizeof *lines };

struct cell {
    const struct bench_row *row; /* NULL: BouncyCastle's, or nobody's */
    size_t slices, count;        /* operations of a slice; 0: no such operation */
    int random;
    double *seconds, mean, deviation, heap;
};
static struct cell cells[LINES][COLUMNS];

/* What the page says beside the cells. */
static struct {
    char cpu[128], title[COLUMNS / 2][64], bouncy_missing[160];
    int present[COLUMNS / 2], heap_counts;
    size_t rsa_limit;
} about;

static struct size {
    const char *label;
    size_t bytes[2]; /* 0: there is none */
} sizes[12];
enum { SIZES = sizeof sizes / sizeof *sizes };

/* One slice: seconds and heap bytes in all. */
static int slice(struct cell *c, size_t line, size_t column, size_t count, double *seconds, double *heap) {
    struct timespec t0, t1;
    const char *message;
    uint64_t before;
    if (column >= BOUNCY)
        return bench_bouncy_run(schemes[column & 1], lines[line].op, count, seconds, heap);
    if (!c->row)
        return 0;
    if (c->row->before)
        c->row->before(c->row->arg);
    before = bench_heap();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t0);
    c->row->fn(c->row->arg, count);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t1);
    *heap = (double)(bench_heap() - before);
    *seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    if ((message = bench_failure()) != NULL) {
        fprintf(stderr, "%s: ", c->row->name);
        bench_die(message);
    }
    return 1;
}

/* Warms up and finds how many operations make a slice. */
static void calibrate(struct cell *c, size_t line, size_t column) {
    double seconds, heap, total = 0, least = column >= BOUNCY ? WARM_UP : 0;
    size_t count = 1;
    while (slice(c, line, column, count, &seconds, &heap)) {
        total += seconds;
        if (total >= least && (seconds >= SLICE / 2 || c->random)) {
            c->count = c->random ? 1 : 1 + (size_t)((double)count * SLICE / seconds);
            return;
        }
        if (seconds < SLICE && !c->random)
            count *= 2;
    }
}

static void measure(size_t line, const char *isa, unsigned rounds) {
    char name[96];
    struct cell *cell = cells[line];
    int random = 0;
    for (size_t i = 0; i < COLUMNS; i++) {
        const char *scheme = schemes[i & 1], *op = lines[line].op;
        if (i < OPENSSL)
            bench_format(name, sizeof name, "scheme/%s/%s/%s", scheme, op, isa);
        else
            bench_format(name, sizeof name, "peer/%s/%s/%s", libraries[i / 2], scheme, op);
        cell[i].row = bench_find(name);
        random |= cell[i].row && cell[i].row->batch && (i & 1) == RSA;
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        cell[i].random = random && (i & 1) == RSA;
        if (about.present[i / 2])
            calibrate(&cell[i], line, i);
        cell[i].seconds = bench_alloc(sizeof(double) * rounds * PRIMES);
    }
    for (unsigned r = 0; r < rounds * (random ? PRIMES : 1); r++) {
        for (size_t i = 0; i < COLUMNS; i++) {
            struct cell *c = &cell[i];
            double seconds, heap;
            if (!c->count || (!c->random && r >= rounds))
                continue;
            if (!slice(c, line, i, c->count, &seconds, &heap))
                bench_die("BouncyCastle stopped");
            c->seconds[c->slices++] = seconds / (double)c->count;
            c->mean += seconds / (double)c->count;
            c->heap += heap / (double)c->count;
        }
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        struct cell *c = &cell[i];
        double n = (double)c->slices, squares = 0;
        if (!c->slices)
            continue;
        c->mean /= n;
        c->heap /= n;
        for (size_t k = 0; k < c->slices; k++)
            squares += (c->seconds[k] - c->mean) * (c->seconds[k] - c->mean);
        c->deviation = n > 1 ? sqrt(squares / (n - 1)) : 0;
    }
}

/* What a buffer too small is told to be. */
static size_t needed(limbic_status status, const size_t *len) {
    if (status != LIMBIC_ERR_BUFFER)
        bench_die(limbic_status_string(status));
    return *len;
}

static void make_sizes(void) {
    static uint64_t rsa[LIMBIC_RSA_PRIVATE_WORDS(2048)];
    static const limbic_key_form forms[] = {LIMBIC_KEY_PKCS8, LIMBIC_KEY_TRADITIONAL};
    uint8_t d[32], point[65], sig[LIMBIC_SM2_SIGNATURE_BYTES];
    size_t k, e = 0, der, sm2_der[2], rsa_der[2];
    if (limbic_ec_keygen(LIMBIC_SM2, d, 32, point, 65) != LIMBIC_OK ||
        limbic_rsa_keygen(rsa, sizeof rsa, 2048, NULL, 0) != LIMBIC_OK)
        bench_die("no keys");
    k = limbic_rsa_bytes(rsa, sizeof rsa);
    needed(limbic_rsa_export(rsa, sizeof rsa, LIMBIC_RSA_E, NULL, &e), &e);
    about.rsa_limit = limbic_rsa_max_message(rsa, sizeof rsa, LIMBIC_RSA_OAEP, LIMBIC_SHA256);
    for (size_t i = 0; i < 2; i++) {
        der = 0;
        sm2_der[i] = needed(limbic_ec_private_to_der(LIMBIC_SM2, forms[i], NULL, &der, d, 32), &der);
        der = 0;
        rsa_der[i] = needed(limbic_rsa_private_to_der(forms[i], NULL, &der, rsa, sizeof rsa), &der);
    }
    size_t n = 0;
    sizes[n++] = (struct size){"private key, raw (d)", {32, k}};
    sizes[n++] = (struct size){"private key, PKCS#8 DER", {sm2_der[0], rsa_der[0]}};
    sizes[n++] = (struct size){"private key, SEC 1 or PKCS#1 DER", {sm2_der[1], rsa_der[1]}};
    sizes[n++] = (struct size){"public key, raw (X, Y; n, e)", {sizeof point, k + e}};
    sizes[n++] = (struct size){"public key, compressed", {33, 0}};
    der = 0;
    needed(limbic_ec_public_to_der(LIMBIC_SM2, NULL, &der, point, sizeof point), &der);
    sizes[n] = (struct size){"public key, SPKI DER", {der, 0}};
    der = 0;
    sizes[n++].bytes[RSA] =
        needed(limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, NULL, &der, rsa, sizeof rsa), &der);
    sizes[n++] = (struct size){"signature, raw", {LIMBIC_SM2_SIGNATURE_BYTES, k}};
    memset(sig, 0x80, sizeof sig); /* the top bit of r and s makes DER longest */
    der = 0;
    needed(limbic_ecdsa_sig_to_der(LIMBIC_SM2, NULL, &der, sig, sizeof sig), &der);
    sizes[n++] = (struct size){"signature, DER, at most", {der, 0}};
    sizes[n++] =
        (struct size){"ciphertext of 32 B, raw", {limbic_sm2_ciphertext_bytes(LIMBIC_SM2_C1C3C2, 32), k}};
    sizes[n++] = (struct size){"ciphertext of 32 B, DER, at most",
                               {limbic_sm2_ciphertext_bytes(LIMBIC_SM2_DER, 32), 0}};
    sizes[n++] = (struct size){"ciphertext less text, raw", {LIMBIC_SM2_OVERHEAD_BYTES, k - about.rsa_limit}};
    sizes[n++] = (struct size){"longest text (OAEP, SHA-256)", {0, about.rsa_limit}};
}

/* ---- ratios ---- */

struct ratio {
    double value, spread;
};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many times as fast a is as b: the median over neighbouring slices and half the distance of the quartiles; where the time is random, the ratio
 * of the means and its standard error. 0: not known. */
static struct ratio ratio(const struct cell *a, const struct cell *b) {
    struct ratio r = {0, 0};
    if (!a->slices || !b->slices)
        return r;
    if (a->random || b->random) {
        double x = a->deviation / a->mean, y = b->deviation / b->mean;
        r.value = b->mean / a->mean;
        r.spread = r.value * sqrt(x * x / (double)a->slices + y * y / (double)b->slices);
        return r;
    }
    size_t n = a->slices;
    double *q = bench_alloc(n * sizeof *q);
    for (size_t i = 0; i < n; i++)
        q[i] = b->seconds[i] / a->seconds[i];
    qsort(q, n, sizeof *q, ascending);
    r.value = (q[(n - 1) / 2] + q[n / 2]) / 2;
    r.spread = (q[n - 1 - n / 4] - q[n / 4]) / 2;
    return r;
}

/* Each line's ratios: the other libraries' to Limbic, scheme by scheme, and RSA's to SM2, library by library. */
static const struct pair {
    const char *group, *title;
    unsigned char a, b;
} pairs[] = {
    {"Limbic SM2", "to OpenSSL", LIMBIC + SM2, OPENSSL + SM2},
    {"Limbic SM2", "to Bouncy", LIMBIC + SM2, BOUNCY + SM2},
    {"Limbic RSA", "to OpenSSL", LIMBIC + RSA, OPENSSL + RSA},
    {"Limbic RSA", "to Bouncy", LIMBIC + RSA, BOUNCY + RSA},
    {"SM2 to RSA", "Limbic", LIMBIC + SM2, LIMBIC + RSA},
    {"SM2 to RSA", "OpenSSL", OPENSSL + SM2, OPENSSL + RSA},
    {"SM2 to RSA", "Bouncy", BOUNCY + SM2, BOUNCY + RSA},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* What a peer does in the place of an operation on a prepared key, of which it has none. */
static size_t peer_line(size_t line) {
    for (size_t i = 0; i < LINES; i++) {
        size_t n = strlen(lines[i].op);
        if (!strncmp(lines[line].op, lines[i].op, n) && !strcmp(lines[line].op + n, "_prepared"))
            return i;
    }
    return line;
}

static struct ratio pair_ratio(const struct pair *p, size_t line) {
    const struct cell *a = &cells[line][p->a], *b = &cells[line][p->b];
    return ratio(a, b->slices ? b : &cells[peer_line(line)][p->b]);
}

/* ---- the page ---- */

/* Right-aligned; bytes of UTF-8 that are no column of their own are not counted. */
static void put(const char *text, int width) {
    for (const char *c = text; *c; c++)
        width -= (*c & 0xc0) != 0x80;
    printf("%*s%s", width > 0 ? width : 0, "", text);
}

static int digits(double x) {
    return x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
}

static void put_time(const struct cell *c) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    char text[48];
    size_t u = 0;
    double scale = 1e9;
    for (; u < 3 && c->mean * scale >= 999.5; u++)
        scale /= 1000;
    int d = digits(c->mean * scale);
    bench_format(text, sizeof text, "%.*f±%.*f %s", d, c->mean * scale, d, c->deviation * scale, units[u]);
    put(text, WIDTH);
}

static void put_ratio(struct ratio r) {
    char text[48];
    int d = r.value < 0.0995 ? 3 : digits(r.value);
    bench_format(text, sizeof text, "%.*f±%.*f", d, r.value, d, r.spread);
    put(r.value > 0 ? text : "-", RATIO);
}

static int too_long(size_t line, size_t column) {
    return (column & 1) == RSA && lines[line].text > about.rsa_limit;
}

static void head(const char *title) {
    printf("\n%s\n%*s", title, LABEL, "");
    for (size_t i = 0; i < COLUMNS; i += 2)
        if (about.present[i / 2])
            put(about.title[i / 2], 2 * WIDTH);
    printf("\n%*s", LABEL, "");
    for (size_t i = 0; i < COLUMNS; i++)
        if (about.present[i / 2])
            put(scheme_titles[i & 1], WIDTH);
    puts("");
}

static void print_cells(const char *title, int heap) {
    char text[32];
    head(title);
    for (size_t line = 0; line < LINES; line++) {
        printf("%-*s", LABEL, lines[line].label);
        for (size_t i = 0; i < COLUMNS; i++) {
            const struct cell *c = &cells[line][i];
            if (!about.present[i / 2])
                continue;
            bench_format(text, sizeof text, "%zu B at most", about.rsa_limit);
            if (!c->slices) {
                put(!heap && too_long(line, i) ? text : "-", WIDTH);
            } else if (!heap) {
                put_time(c);
            } else {
                bench_format(text, sizeof text, "%.0f", c->heap);
                put(about.heap_counts || i >= BOUNCY ? text : "-", WIDTH);
            }
        }
        puts("");
    }
}

static void print_ratios(void) {
    printf("\nTimes as fast\n%*s", LABEL, "");
    for (size_t i = 0; i < PAIRS; i++)
        if (about.present[pairs[i].b / 2])
            put(pairs[i].group, RATIO);
    printf("\n%*s", LABEL, "");
    for (size_t i = 0; i < PAIRS; i++)
        if (about.present[pairs[i].b / 2])
            put(pairs[i].title, RATIO);
    puts("");
    for (size_t line = 0; line < LINES; line++) {
        printf("%-*s", LABEL, lines[line].label);
        for (size_t i = 0; i < PAIRS; i++)
            if (about.present[pairs[i].b / 2])
                put_ratio(pair_ratio(&pairs[i], line));
        puts("");
    }
}

static void print_page(unsigned rounds) {
    printf("SM2 against RSA-2048 on %s\n", about.cpu);
    if (!about.present[BOUNCY / 2])
        printf("No BouncyCastle: %s\n", about.bouncy_missing);
    if (!about.present[OPENSSL / 2])
        puts("No OpenSSL: built without its headers");
    print_cells("Time of an operation, mean ± standard deviation", 0);
    print_ratios();
    print_cells("Heap bytes that an operation asks for", 1);
    printf("\n%-36s%*s%*s\n", "Bytes of", WIDTH, scheme_titles[SM2], WIDTH, scheme_titles[RSA]);
    for (size_t i = 0; i < SIZES; i++) {
        printf("%-36s", sizes[i].label);
        for (size_t k = 0; k < 2; k++) {
            char text[32] = "-";
            if (sizes[i].bytes[k])
                bench_format(text, sizeof text, "%zu", sizes[i].bytes[k]);
            put(text, WIDTH);
        }
        puts("");
    }
    printf("\nProcessor time over %u slices of %.0f ms, the columns of a line in turn, on one processor; "
           "RSA's key generation: over\n"
           "%u keys one by one. Ratios: medians over neighbouring slices ± half the distance of the "
           "quartiles; of RSA's key\n"
           "generation, of the means ± standard error.\n"
           "Signatures: of a digest (BouncyCastle: of a message of 32 bytes); RSA: PKCS#1 v1.5 with SHA-256. "
           "Encryption: SM2 in the\n"
           "order C1C3C2, OpenSSL in DER; RSA: OAEP with SHA-256. KB: 1024 bytes. prepared: the key made "
           "ready once; beside the\n"
           "peers' operation on keys and contexts that are kept.\n"
           "Heap: what malloc, calloc and realloc were asked for; Java: what the thread allocated. Java's "
           "time is its whole process's,\n"
           "with garbage collection, after %.0f s of warm-up.\n",
           rounds, SLICE * 1000, rounds * PRIMES, WARM_UP);
}

/* ---- JSON ---- */

static void json_string(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            printf("\\u%04x", (unsigned)*s);
        else
            putchar(*s);
    }
    putchar('"');
}

static void print_json(const char *isa) {
    const char *comma = "";
    printf("{\"cpu_model\": ");
    json_string(about.cpu);
    printf(", \"isa\": ");
    json_string(isa);
    for (size_t i = 0; i < COLUMNS / 2; i++) {
        printf(", \"%s\": ", libraries[i]);
        if (about.present[i])
            json_string(about.title[i]);
        else
            printf("null");
    }
    printf(", \"bouncycastle_missing\": ");
    if (about.present[BOUNCY / 2])
        printf("null");
    else
        json_string(about.bouncy_missing);
    printf(",\n\"operations\": [");
    for (size_t line = 0; line < LINES; line++)
        for (size_t i = 0; i < COLUMNS; i++) {
            const struct cell *c = &cells[line][i];
            if (!c->slices && !(about.present[i / 2] && too_long(line, i)))
                continue;
            printf("%s\n {\"op\": \"%s\", \"scheme\": \"%s\", \"library\": \"%s\"", comma, lines[line].op,
                   schemes[i & 1], libraries[i / 2]);
            comma = ",";
            if (!c->slices) {
                printf(", \"max_bytes\": %zu}", about.rsa_limit);
                continue;
            }
            printf(", \"mean_s\": %.6g, \"deviation_s\": %.6g, \"heap_bytes\": ", c->mean, c->deviation);
            if (about.heap_counts || i >= BOUNCY)
                printf("%.0f", c->heap);
            else
                printf("null");
            printf(", \"count\": %zu, \"slices_s\": [", c->count);
            for (size_t k = 0; k < c->slices; k++)
                printf("%s%.6g", k ? ", " : "", c->seconds[k]);
            printf("]}");
        }
    printf("],\n\"ratios\": [");
    comma = "";
    for (size_t line = 0; line < LINES; line++)
        for (size_t i = 0; i < PAIRS; i++) {
            struct ratio r = pair_ratio(&pairs[i], line);
            if (!(r.value > 0))
                continue;
            printf("%s\n {\"op\": \"%s\", \"of\": \"%s %s\", \"to\": \"%s %s\", \"ratio\": %.6g, \"spread\": "
                   "%.6g}",
                   comma, lines[line].op, libraries[pairs[i].a / 2], schemes[pairs[i].a & 1],
                   libraries[pairs[i].b / 2], schemes[pairs[i].b & 1], r.value, r.spread);
            comma = ",";
        }
    printf("],\n\"sizes\": [");
    for (size_t i = 0; i < SIZES; i++) {
        printf("%s\n {\"of\": \"%s\"", i ? "," : "", sizes[i].label);
        for (size_t k = 0; k < 2; k++)
            if (sizes[i].bytes[k])
                printf(", \"%s\": %zu", schemes[k], sizes[i].bytes[k]);
        printf("}");
    }
    puts("]}");
}

int bench_compare(const struct bench_page *page) {
    const char *isa = page->isa ? page->isa : "auto";
    char name[96];
    bench_format(name, sizeof name, "scheme/sm2/sign/%s", isa);
    if (!bench_find(name) || !page->rounds) {
        fprintf(stderr, "limbic-bench: %s\n",
                page->rounds ? "no rows of that instruction set here" : "no rounds");
        return 2;
    }
    bench_cpu_model(about.cpu, sizeof about.cpu);
    about.heap_counts = bench_heap_counts();
    about.present[LIMBIC] = 1;
    bench_format(about.title[0], sizeof about.title[0], "Limbic %s (%s)", limbic_version(), isa);
#if BENCH_OPENSSL
    about.present[OPENSSL / 2] = 1;
    bench_format(about.title[1], sizeof about.title[1], "%s", bench_openssl_version());
#endif
    about.present[BOUNCY / 2] =
        bench_bouncy_start(page->bcprov, about.bouncy_missing, sizeof about.bouncy_missing);
    bench_format(about.title[2], sizeof about.title[2], "BouncyCastle %.48s", about.bouncy_missing);
    make_sizes();
    for (size_t line = 0; line < LINES; line++) {
        fprintf(stderr, isatty(STDERR_FILENO) ? "\r\033[K%s" : "%s\n", lines[line].label);
        measure(line, isa, page->rounds);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (about.present[BOUNCY / 2])
        bench_bouncy_stop();
    if (page->json)
        print_json(isa);
    else
        print_page(page->rounds);
    return fflush(stdout) != 0 || ferror(stdout);
}
