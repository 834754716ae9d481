/* limbic speed: operations per second, without a benchmark library. The benchmark proper is limbic-bench. */
#define _POSIX_C_SOURCE 200809L

#include "tool.h"

#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/sm2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The slices of one figure; those of a curve's operations alternate, since a core's clock changes under way. */
#define SLICES 11

enum { BATCH = LIMBIC_BATCH_ITEMS };

struct bench {
    limbic_curve curve;
    size_t bytes, prepared_len;
    uint8_t *prepared;
    uint8_t private_key[LIMBIC_MAX_BYTES], public_key[LIMBIC_MAX_POINT_BYTES],
        sig[LIMBIC_MAX_SIGNATURE_BYTES];
    uint8_t out[LIMBIC_MAX_BYTES], out_public[LIMBIC_MAX_POINT_BYTES], out_sig[LIMBIC_MAX_SIGNATURE_BYTES];
    /* a batch of each, all of the one key and signature */
    uint8_t outs[BATCH][LIMBIC_MAX_BYTES], out_publics[BATCH][LIMBIC_MAX_POINT_BYTES],
        out_sigs[BATCH][LIMBIC_MAX_SIGNATURE_BYTES];
    limbic_ec_keygen_item keygen[BATCH];
    limbic_ecdh_item ecdh[BATCH];
    limbic_ecdsa_sign_item sign[BATCH];
    limbic_ecdsa_verify_item verify[BATCH], verify_prepared[BATCH];
    limbic_sm2_sign_item sm2_sign[BATCH];
    limbic_sm2_verify_item sm2_verify[BATCH], sm2_verify_prepared[BATCH];
};

static const uint8_t digest[32] = {1, 2, 3};

static limbic_status run_keygen(struct bench *b) {
    return limbic_ec_keygen(b->curve, b->out, b->bytes, b->out_public, 1 + 2 * b->bytes);
}
static limbic_status run_sign(struct bench *b) {
    if (b->curve == LIMBIC_SM2)
        return limbic_sm2_sign_digest(b->out_sig, 2 * b->bytes, b->private_key, b->bytes, digest,
                                      sizeof digest);
    return limbic_ecdsa_sign(b->curve, b->out_sig, 2 * b->bytes, b->private_key, b->bytes, digest,
                             sizeof digest, LIMBIC_HASH_DEFAULT);
}
static limbic_status run_verify(struct bench *b) {
    if (b->curve == LIMBIC_SM2)
        return limbic_sm2_verify_digest(b->sig, 2 * b->bytes, b->public_key, 1 + 2 * b->bytes, digest,
                                        sizeof digest);
    return limbic_ecdsa_verify(b->curve, b->sig, 2 * b->bytes, b->public_key, 1 + 2 * b->bytes, digest,
                               sizeof digest);
}
static limbic_status run_verify_prepared(struct bench *b) {
    if (b->curve == LIMBIC_SM2)
        return limbic_sm2_verify_digest_prepared(b->prepared, b->prepared_len, b->sig, 2 * b->bytes, digest,
                                                 sizeof digest);
    return limbic_ecdsa_verify_prepared(b->prepared, b->prepared_len, b->sig, 2 * b->bytes, digest,
                                        sizeof digest);
}
static limbic_status run_ecdh(struct bench *b) {
    return limbic_ecdh(b->curve, b->out, b->bytes, b->private_key, b->bytes, b->public_key, 1 + 2 * b->bytes);
}

static limbic_status run_keygens(struct bench *b) {
    return limbic_ec_keygen_batch(b->curve, b->keygen, BATCH);
}
static limbic_status run_signs(struct bench *b) {
    return b->curve == LIMBIC_SM2 ? limbic_sm2_sign_batch(b->sm2_sign, BATCH)
                                  : limbic_ecdsa_sign_batch(b->curve, b->sign, BATCH, LIMBIC_HASH_DEFAULT);
}
static limbic_status run_verifies(struct bench *b) {
    return b->curve == LIMBIC_SM2 ? limbic_sm2_verify_batch(b->sm2_verify, BATCH)
                                  : limbic_ecdsa_verify_batch(b->curve, b->verify, BATCH);
}
static limbic_status run_verifies_prepared(struct bench *b) {
    return b->curve == LIMBIC_SM2 ? limbic_sm2_verify_batch(b->sm2_verify_prepared, BATCH)
                                  : limbic_ecdsa_verify_batch(b->curve, b->verify_prepared, BATCH);
}
static limbic_status run_ecdhs(struct bench *b) {
    return limbic_ecdh_batch(b->curve, b->ecdh, BATCH);
}

/* First the operations on one, then the batches, in the same order. */
static const struct {
    const char *name;
    limbic_status (*run)(struct bench *b);
} ops[] = {
    {"keygen", run_keygen},
    {"sign", run_sign},
    {"verify", run_verify},
    {"verify_prepared", run_verify_prepared},
    {"ecdh", run_ecdh},
    {"keygen_batch", run_keygens},
    {"sign_batch", run_signs},
    {"verify_batch", run_verifies},
    {"verify_prepared_batch", run_verifies_prepared},
    {"ecdh_batch", run_ecdhs},
};
#define OPS     (sizeof ops / sizeof ops[0])
#define COLUMNS (OPS / 2)

static double cpu_seconds(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs an operation for about so many seconds; its rate, or a status. */
static limbic_status slice(struct bench *b, size_t op, double seconds, double *rate) {
    double start = cpu_seconds(), spent;
    unsigned long done = 0, batch = 1;
    do {
        for (unsigned long i = 0; i < batch; i++) {
            limbic_status s = ops[op].run(b);
            if (s != LIMBIC_OK)
                return s;
        }
        done += batch;
        spent = cpu_seconds() - start;
        /* The clock is read some ten times a slice. */
        if (spent > 0) {
            double fit = (double)done / spent * seconds / 10;
            batch = fit < 1 ? 1 : fit > 1e6 ? 1000000 : (unsigned long)fit;
        }
    } while (spent < seconds);
    *rate = (double)done * (op < COLUMNS ? 1 : BATCH) / spent;
    return LIMBIC_OK;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Keys and a signature to work on. */
static limbic_status prepare(struct bench *b) {
    limbic_status s = limbic_ec_keygen(b->curve, b->private_key, b->bytes, b->public_key, 1 + 2 * b->bytes);
    if (s == LIMBIC_OK)
        s = limbic_ec_prepare(b->curve, b->prepared, b->prepared_len, b->public_key, 1 + 2 * b->bytes);
    if (s == LIMBIC_OK)
        s = run_sign(b);
    memcpy(b->sig, b->out_sig, sizeof b->sig);
    for (size_t i = 0; i < BATCH; i++) {
        const size_t n = b->bytes;
        b->keygen[i] = (limbic_ec_keygen_item){b->outs[i], b->out_publics[i], n, 1 + 2 * n, LIMBIC_OK};
        b->ecdh[i] =
            (limbic_ecdh_item){b->outs[i], b->private_key, b->public_key, n, n, 1 + 2 * n, LIMBIC_OK};
        b->sign[i] = (limbic_ecdsa_sign_item){b->out_sigs[i], b->private_key, digest, 2 * n, n,
                                              sizeof digest,  LIMBIC_OK};
        b->verify[i] = b->verify_prepared[i] = (limbic_ecdsa_verify_item){
            .sig = b->sig, .sig_len = 2 * n, .digest = digest, .digest_len = sizeof digest};
        b->sm2_sign[i] = (limbic_sm2_sign_item){.sig = b->out_sigs[i],
                                                .sig_len = 2 * n,
                                                .private_key = b->private_key,
                                                .private_len = n,
                                                .e = digest,
                                                .e_len = sizeof digest};
        b->sm2_verify[i] = b->sm2_verify_prepared[i] =
            (limbic_sm2_verify_item){.sig = b->sig, .sig_len = 2 * n, .e = digest, .e_len = sizeof digest};
        b->verify[i].public_key = b->sm2_verify[i].public_key = b->public_key;
        b->verify[i].public_len = b->sm2_verify[i].public_len = 1 + 2 * n;
        b->verify_prepared[i].prepared = b->sm2_verify_prepared[i].prepared = b->prepared;
        b->verify_prepared[i].prepared_len = b->sm2_verify_prepared[i].prepared_len = b->prepared_len;
    }
    return s;
}

/* The median rate of each operation of a curve. */
static int measure(limbic_curve curve, double seconds, double median[OPS]) {
    static struct bench b;
    static double rate[OPS][SLICES];
    limbic_status s;
    size_t op = 0;
    b.curve = curve;
    b.bytes = limbic_curve_bytes(curve);
    b.prepared_len = limbic_ec_prepared_bytes(curve);
    b.prepared = malloc(b.prepared_len);
    if (b.prepared == NULL) {
        fputs("limbic: out of memory\n", stderr);
        return 0;
    }
    s = prepare(&b);
    for (size_t i = 0; i < SLICES && s == LIMBIC_OK; i++)
        for (op = 0; op < OPS && s == LIMBIC_OK; op++)
            s = slice(&b, op, seconds / SLICES, &rate[op][i]);
    free(b.prepared);
    if (s != LIMBIC_OK) {
        fprintf(stderr, "limbic: %s, %s: %s\n", limbic_curve_name(curve), op ? ops[op - 1].name : "keys",
                limbic_status_string(s));
        return 0;
    }
    for (op = 0; op < OPS; op++) {
        qsort(rate[op], SLICES, sizeof(double), compare);
        median[op] = rate[op][SLICES / 2];
    }
    return 1;
}

static void print_row(const struct limbic_tool_options *o, const char *name, const double median[OPS],
                      int first) {
    if (o->json) {
        printf("%s\n    ", first ? "" : ",");
        limbic_tool_json_string(name);
        putchar(':');
        for (size_t op = 0; op < OPS; op++)
            printf("%s\"%s\": %.1f", op ? ", " : " {", ops[op].name, median[op]);
        putchar('}');
        return;
    }
    for (size_t op = 0; op < OPS; op++) {
        if (op % COLUMNS == 0)
            printf("%s%-8s", op ? "\n" : "", op ? " batches" : name);
        printf(" %15.0f", median[op]);
    }
    putchar('\n');
}

int limbic_tool_speed(const struct limbic_tool_options *o) {
    int first = 1;
    if (o->json) {
        printf("{\n  \"version\": ");
        limbic_tool_json_string(limbic_version());
        printf(",\n  \"seconds\": %g,\n  \"slices\": %d,\n  \"batch\": %d,\n  \"operations_per_second\": {",
               o->seconds, SLICES, BATCH);
    } else {
        printf(
            "operations per second of CPU time, median of %d slices; one by one, and in batches of %d\n%-8s",
            SLICES, BATCH, "");
        for (size_t op = 0; op < COLUMNS; op++)
            printf(" %15s", ops[op].name);
        putchar('\n');
    }
    for (limbic_curve c = LIMBIC_P256; limbic_curve_name(c) != NULL; c = (limbic_curve)(c + 1)) {
        double median[OPS];
        if (o->curve != 0 && o->curve != (int)c)
            continue;
        if (!measure(c, o->seconds, median))
            return LIMBIC_TOOL_FAILURE;
        print_row(o, limbic_curve_name(c), median, first);
        (void)fflush(stdout);
        first = 0;
    }
    if (o->json)
        puts("\n  }\n}");
    return LIMBIC_TOOL_OK;
}
