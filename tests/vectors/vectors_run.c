/*
 * Runs lines of test vectors (the format is in convert.py) on every instruction set, forced one by one, then
 * on the automatic choice: vectors_run [FILE...], standard input without one. A line counts once per
 * instruction set. Every buffer is of the exact length and output buffers hold FF before a call: after a
 * refusal they must still.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limb.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/field.h"
#include "limbic/mpn.h"
#include "scheme/ecdsa.h"
#include "scheme/scheme.h"
#include "tests/check.h"
#include "vectors.h"

#define MAX_WORDS 13

struct line {
    char *text; /* as read, for messages */
    char *words[MAX_WORDS];
    unsigned count, source;
};

/* Counted per source and pass: one pass an instruction set, one for the automatic choice. */
struct source {
    char *name;
    unsigned long lines, skipped;
    unsigned long ok[LIMBIC_ISAS + 1], spared[LIMBIC_ISAS + 1]; /* spared: not repeated */
};

static struct line *lines;
static size_t line_count;
static struct source *sources;
static unsigned source_count;
static const char *pass_names[LIMBIC_ISAS + 1];
static unsigned passes;

void *alloc(void *old, size_t n) {
    void *p = realloc(old, n ? n : 1);
    if (!p) {
        (void)fprintf(stderr, "vectors_run: out of memory\n");
        exit(1);
    }
    return p;
}

char *copy(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(alloc(NULL, n), s, n);
}

/* --- what one line takes: buffers of exact length, freed after it --- */

static void *held[512];
static unsigned held_count;
static char reason[160];

void explain(const char *format, ...) {
    va_list args;
    if (!reason[0]) {
        va_start(args, format);
        (void)vsnprintf(reason, sizeof reason, format, args);
        va_end(args);
    }
}

void *hold(size_t n) {
    if (held_count == sizeof held / sizeof *held) {
        (void)fprintf(stderr, "vectors_run: too many buffers in one line\n");
        exit(1);
    }
    return held[held_count++] = alloc(NULL, n);
}

static void release(void) {
    while (held_count)
        free(held[--held_count]);
}

struct bytes output(size_t n) {
    struct bytes b = {hold(n), n};
    memset(b.p, 0xff, n);
    return b;
}

uint64_t *words_output(size_t n) {
    return (uint64_t *)(void *)output(8 * n).p;
}

int untouched(struct bytes b) {
    for (size_t i = 0; i < b.n; i++)
        if (b.p[i] != 0xff)
            return no("an output was written by a call that refused");
    return 1;
}

int same(struct bytes a, struct bytes b) {
    return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

struct bytes duplicate(struct bytes b) {
    struct bytes d = {hold(b.n), b.n};
    memcpy(d.p, b.p, b.n);
    return d;
}

static int digit(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *p = c ? strchr(digits, c) : NULL;
    return p ? (int)(p - digits) : -1;
}

int hex_word(const char *s) {
    return *s && s[strspn(s, "0123456789abcdef")] == 0;
}

int bytes_word(struct bytes *b, const char *s) {
    const char *times = strchr(s, '*');
    const size_t digits = !strcmp(s, "-") ? 0 : times ? (size_t)(times - s) : strlen(s), n = digits / 2;
    const size_t repeat = times ? strtoul(times + 1, NULL, 10) : 1;
    if (digits % 2 || strspn(s, "0123456789abcdef") < digits || (times && !repeat))
        return no("malformed line: '%.20s' is not bytes", s);
    b->n = n * repeat;
    b->p = hold(b->n);
    for (size_t i = 0; i < b->n; i++)
        b->p[i] = (uint8_t)(16 * digit(s[2 * (i % n)]) + digit(s[2 * (i % n) + 1]));
    return 1;
}

static const char *strip(const char *s) {
    while (s[0] == '0' && s[1])
        s++;
    return s;
}

int number_bytes(struct bytes *b, const char *s, size_t size) {
    size_t n;
    if (!hex_word(s))
        return no("malformed line: '%.20s' is not a number", s);
    s = strip(s);
    n = strlen(s);
    if (n > 2 * size)
        return no("malformed line: number longer than %zu bytes", size);
    *b = output(size);
    memset(b->p, 0, size);
    for (size_t i = 0; i < n; i++)
        b->p[size - 1 - i / 2] |= (uint8_t)(digit(s[n - 1 - i]) << (4 * (i % 2)));
    return 1;
}

size_t number_words_of(const char *s) {
    size_t n = strlen(strip(s));
    return (n + 15) / 16;
}

int number_words(uint64_t **r, const char *s, size_t count) {
    struct bytes b;
    *r = words_output(count);
    if (!number_bytes(&b, s, 8 * count))
        return 0;
    limbic_words_from_be(*r, count, b.p, b.n);
    return 1;
}

/* --- verdicts --- */

static const struct {
    const char *name;
    limbic_status status;
} statuses[] = {
#define STATUS(name) {#name, LIMBIC_ERR_##name},
    STATUS(LENGTH) STATUS(CURVE) STATUS(HASH) STATUS(POINT_FORM) STATUS(COORDINATE) STATUS(NOT_ON_CURVE)
        STATUS(INFINITY) STATUS(PRIVATE_KEY) STATUS(SIGNATURE_RANGE) STATUS(SIGNATURE) STATUS(DER)
            STATUS(RANDOM) STATUS(VALUE) STATUS(MODULUS) STATUS(ID) STATUS(MESSAGE) STATUS(DECRYPT)
                STATUS(KEY_SIZE) STATUS(PUBLIC_KEY) STATUS(SALT) STATUS(FAULT) STATUS(ALGORITHM)
                    STATUS(ENCRYPTED) STATUS(PEM)
#undef STATUS
};

int verdict_word(struct verdict *v, const char *s) {
    v->status = LIMBIC_OK;
    v->kind = INVALID;
    if (!strcmp(s, "valid"))
        v->kind = VALID;
    else if (!strcmp(s, "any"))
        v->kind = ANY;
    else if (!strcmp(s, "differs"))
        v->kind = DIFFERS;
    else if (!strncmp(s, "invalid:", 8) && strcmp(s + 8, "*")) {
        for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
            if (!strcasecmp(s + 8, statuses[i].name))
                v->status = statuses[i].status;
        if (!v->status)
            return no("malformed line: no status '%s'", s + 8);
    } else if (strcmp(s, "invalid:*")) {
        return no("malformed line: no verdict '%s'", s);
    }
    return 1;
}

int fits(struct verdict v, limbic_status status, int right) {
    const char *text = limbic_status_string(status);
    switch (v.kind) {
    case VALID:
        return status ? no("refused: %s", text) : right || no("wrong result");
    case ANY:
        return status || right || no("accepted with a wrong result");
    case DIFFERS:
        return status || !right || no("a result that must differ does not");
    case INVALID:
    default:
        if (!status)
            return no("accepted");
        return !v.status || v.status == status || no("refused for another reason: %s", text);
    }
}

int must(limbic_status status, limbic_status wanted, const char *what) {
    return status == wanted || no("%s: %s", what, limbic_status_string(status));
}

/* --- hashes and curves --- */

int hash_word(limbic_hash *hash, const char *s) {
    static const char *const names[] = {"default", "sha256", "sha384", "sha512", "sm3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(s, names[i])) {
            *hash = (limbic_hash)i;
            return 1;
        }
    return no("malformed line: no hash '%s'", s);
}

int curve_word(struct curve *c, const char *s) {
    for (int id = LIMBIC_P256; id <= LIMBIC_SM2; id++) {
        c->id = (limbic_curve)id;
        c->desc = limbic_curve_desc(c->id);
        if (c->desc && !strcmp(s, limbic_unit_name(c->desc->unit))) {
            c->bytes = limbic_curve_bytes(c->id);
            c->point_bytes = 1 + 2 * c->bytes;
            return 1;
        }
    }
    return no("malformed line: no curve '%s'", s);
}

limbic_status convert(const struct curve *c, limbic_point_form form, struct bytes *out, struct bytes in) {
    limbic_status status;
    *out = output(c->point_bytes);
    status = limbic_ec_convert(c->id, form, out->p, &out->n, in.p, in.n);
    if (status && out->n != c->point_bytes)
        explain("a length was written by a call that refused");
    return status;
}

/* Whether a call's result is the point (in either form) or "infinity" of the line. */
static int result_is(const struct curve *c, limbic_status status, struct bytes out, const char *expected,
                     const char *call) {
    struct bytes e, converted;
    if (!strcmp(expected, "infinity")) {
        if (status != LIMBIC_ERR_INFINITY)
            return no("%s: %s instead of infinity", call, limbic_status_string(status));
        return untouched(out);
    }
    if (!bytes_word(&e, expected))
        return 0;
    if (status)
        return no("%s refused: %s", call, limbic_status_string(status));
    converted = out;
    if (e.n != out.n) {
        status = convert(c, LIMBIC_COMPRESSED, &converted, out);
        if (status)
            return no("%s: the result is no point: %s", call, limbic_status_string(status));
    }
    return same(converted, e) || no("%s: wrong point", call);
}

static struct bytes generator(const struct curve *c) {
    uint64_t xy[2 * LIMBIC_MAX_LIMBS];
    struct bytes g = output(c->point_bytes);
    memcpy(xy, c->desc->gx, 8U * c->desc->limbs);
    memcpy(xy + c->desc->limbs, c->desc->gy, 8U * c->desc->limbs);
    limbic_point_encode(c->desc, g.p, xy);
    return g;
}

/* u G + v P with a table prepared for P, which only verification uses in public. */
static limbic_status prepared_double_mul(const struct curve *c, struct bytes out, struct bytes u,
                                         struct bytes v, struct bytes point) {
    struct bytes prepared = output(limbic_ec_prepared_bytes(c->id));
    const struct limbic_ops *ops = limbic_ops((enum limbic_unit)c->desc->unit);
    uint64_t ku[LIMBIC_MAX_LIMBS], kv[LIMBIC_MAX_LIMBS], r[3 * LIMBIC_MAX_LIMBS], xy[2 * LIMBIC_MAX_LIMBS];
    const uint64_t *table;
    limbic_curve id;
    limbic_status status = limbic_ec_prepare(c->id, prepared.p, prepared.n, point.p, point.n);
    if (!status)
        status = limbic_prepared_open(prepared.p, prepared.n, &id, &table);
    if (!status)
        status = limbic_scalar_decode(c->desc, ku, u.p, u.n);
    if (!status)
        status = limbic_scalar_decode(c->desc, kv, v.p, v.n);
    if (status)
        return status;
    limbic_ops_of((enum limbic_unit)c->desc->unit, LIMBIC_PART_PREPARED)
        ->curve_prepared_mul_vartime(r, ku, kv, table);
    if (!ops->curve_to_affine(xy, r))
        return LIMBIC_ERR_INFINITY;
    limbic_point_encode(c->desc, out.p, xy);
    return LIMBIC_OK;
}

/* --- items on curves --- */

int der_round_trip(const struct curve *c, struct bytes sig, limbic_status verified) {
    struct bytes der = output(LIMBIC_MAX_DER_BYTES), back = output(2 * c->bytes);
    limbic_status status = limbic_ecdsa_sig_to_der(c->id, der.p, &der.n, sig.p, sig.n);
    if (status)
        return (untouched(der) && verified != LIMBIC_OK) ||
               no("a signature that has no DER form was accepted");
    if (verified == LIMBIC_ERR_SIGNATURE_RANGE)
        return no("a signature out of range got a DER form");
    status = limbic_ecdsa_sig_from_der(c->id, back.p, back.n, der.p, der.n);
    return (!status && same(back, sig)) || no("r||s to DER and back is another signature");
}

static int verify_line(char **w) {
    struct curve c;
    struct bytes point, digest, sig, other, prepared;
    struct verdict v;
    limbic_status status, again;
    if (!curve_word(&c, w[1]) || !bytes_word(&point, w[2]) || !bytes_word(&digest, w[3]) ||
        !bytes_word(&sig, w[4]) || !verdict_word(&v, w[6]))
        return 0;
    if (!strcmp(w[5], "der")) {
        struct bytes raw = output(2 * c.bytes), der = output(LIMBIC_MAX_DER_BYTES);
        status = limbic_ecdsa_sig_from_der(c.id, raw.p, raw.n, sig.p, sig.n);
        if (status)
            return untouched(raw) && fits(v, status, 0);
        if (limbic_ecdsa_sig_to_der(c.id, der.p, &der.n, raw.p, raw.n) || !same(der, sig))
            return no("DER to r||s and back is other DER");
        sig = raw;
    } else if (strcmp(w[5], "raw")) {
        return no("malformed line: no form '%s'", w[5]);
    }
    status = limbic_ecdsa_verify(c.id, sig.p, sig.n, point.p, point.n, digest.p, digest.n);
    if (!fits(v, status, 1) || !der_round_trip(&c, sig, status))
        return 0;

    prepared = output(limbic_ec_prepared_bytes(c.id));
    again = limbic_ec_prepare(c.id, prepared.p, prepared.n, point.p, point.n);
    if (again)
        return untouched(prepared) &&
               (status != LIMBIC_OK || no("prepare refused the key of a valid signature"));
    again = limbic_ecdsa_verify_prepared(prepared.p, prepared.n, sig.p, sig.n, digest.p, digest.n);
    if (again != status)
        return no("prepared: %s", limbic_status_string(again));
    limbic_ecdsa_verify_item items[2] = {
        {sig.p, point.p, digest.p, NULL, sig.n, point.n, digest.n, 0, LIMBIC_OK},
        {sig.p, NULL, digest.p, prepared.p, sig.n, 0, digest.n, prepared.n, LIMBIC_OK}};
    again = limbic_ecdsa_verify_batch(c.id, items, 2);
    if (again != (status ? LIMBIC_ERR_BATCH : LIMBIC_OK) || items[0].status != status ||
        items[1].status != status)
        return no("batch: %s, %s", limbic_status_string(items[0].status),
                  limbic_status_string(items[1].status));
    again = convert(&c, point.p[0] == LIMBIC_UNCOMPRESSED ? LIMBIC_COMPRESSED : LIMBIC_UNCOMPRESSED, &other,
                    point);
    if (!again)
        again = limbic_ecdsa_verify(c.id, sig.p, sig.n, other.p, other.n, digest.p, digest.n);
    return again == status || no("key in its other form: %s", limbic_status_string(again));
}

static int signature_is(const struct curve *c, struct bytes d, struct bytes digest, struct bytes sig,
                        struct bytes expected) {
    struct bytes point = output(c->point_bytes);
    limbic_status status;
    if (!same(sig, expected))
        return no("wrong signature");
    status = limbic_ec_public_key(c->id, point.p, point.n, d.p, d.n);
    if (!status)
        status = limbic_ecdsa_verify(c->id, sig.p, sig.n, point.p, point.n, digest.p, digest.n);
    return !status || no("the signature does not verify: %s", limbic_status_string(status));
}

static int sign_k_line(char **w) {
    struct curve c;
    struct bytes d, k, digest, expected, sig;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&d, w[2]) || !bytes_word(&k, w[3]) || !bytes_word(&digest, w[4]))
        return 0;
    sig = output(2 * c.bytes);
    status = limbic_ecdsa_sign_with_nonce(c.id, sig.p, sig.n, d.p, d.n, digest.p, digest.n, k.p, k.n);
    if (!strcmp(w[5], "refused"))
        return status ? untouched(sig) : no("accepted");
    if (!bytes_word(&expected, w[5]))
        return 0;
    return status ? no("refused: %s", limbic_status_string(status))
                  : signature_is(&c, d, digest, sig, expected);
}

static int sign_det_line(char **w) {
    struct curve c;
    struct bytes d, digest, expected, k, sig;
    limbic_hash hash;
    if (!curve_word(&c, w[1]) || !hash_word(&hash, w[2]) || !bytes_word(&d, w[3]) ||
        !bytes_word(&digest, w[4]) || !bytes_word(&expected, w[5]) || !number_bytes(&k, w[6], c.bytes))
        return 0;
    sig = output(2 * c.bytes);
    if (limbic_ecdsa_sign_deterministic(c.id, sig.p, sig.n, d.p, d.n, digest.p, digest.n, hash))
        return no("refused");
    if (!signature_is(&c, d, digest, sig, expected))
        return 0;
    sig = output(2 * c.bytes);
    limbic_ecdsa_sign_item item = {sig.p, d.p, digest.p, sig.n, d.n, digest.n, LIMBIC_OK};
    if (limbic_ecdsa_sign_deterministic_batch(c.id, &item, 1, hash) || !same(sig, expected))
        return no("wrong signature of a batch");
    sig = output(2 * c.bytes);
    if (limbic_ecdsa_sign_with_nonce(c.id, sig.p, sig.n, d.p, d.n, digest.p, digest.n, k.p, k.n))
        return no("refused with its nonce");
    if (!signature_is(&c, d, digest, sig, expected))
        return 0;
    sig = output(2 * c.bytes);
    if (limbic_ecdsa_sign(c.id, sig.p, sig.n, d.p, d.n, digest.p, digest.n, hash))
        return no("refused with a hedged nonce");
    if (same(sig, expected))
        return no("a hedged nonce that is not hedged");
    return signature_is(&c, d, digest, sig, sig);
}

static int ecdh_line(char **w) {
    struct curve c;
    struct bytes d, point, expected, secret, product;
    struct verdict v;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&d, w[2]) || !bytes_word(&point, w[3]) ||
        !bytes_word(&expected, w[4]) || !verdict_word(&v, w[5]))
        return 0;
    secret = output(c.bytes);
    status = limbic_ecdh(c.id, secret.p, secret.n, d.p, d.n, point.p, point.n);
    if (!fits(v, status, same(secret, expected)))
        return 0;
    if (status)
        return untouched(secret);
    product = output(c.point_bytes);
    if (limbic_ec_mul(c.id, product.p, product.n, d.p, d.n, point.p, point.n))
        return no("mul refuses what ecdh takes");
    return !memcmp(product.p + 1, secret.p, c.bytes) || no("mul and ecdh differ");
}

static int pubkey_line(char **w) {
    struct curve c;
    struct bytes d, expected, out;
    struct verdict v;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&d, w[2]) || !verdict_word(&v, w[3]) ||
        !bytes_word(&expected, w[4] ? w[4] : "-"))
        return 0;
    out = output(c.point_bytes);
    status = limbic_ec_public_key(c.id, out.p, out.n, d.p, d.n);
    if (!fits(v, status, same(out, expected)))
        return 0;
    if (limbic_ec_check_private(c.id, d.p, d.n) != status)
        return no("check_private and public_key differ");
    return !status || untouched(out);
}

static int decode_line(char **w) {
    struct curve c;
    struct bytes point, expected, full, compressed, back;
    struct verdict v;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&point, w[2]) || !verdict_word(&v, w[3]) ||
        !bytes_word(&expected, w[4] ? w[4] : "-"))
        return 0;
    status = limbic_ec_check_public(c.id, point.p, point.n);
    if (!fits(v, status, 1))
        return 0;
    if (convert(&c, LIMBIC_UNCOMPRESSED, &full, point) != status ||
        convert(&c, LIMBIC_COMPRESSED, &compressed, point) != status)
        return no("convert and check_public differ");
    if (status)
        return untouched(full) && untouched(compressed);
    if (!same(full, expected))
        return no("wrong point");
    if (compressed.n != 1 + c.bytes || compressed.p[0] != 2 + (full.p[full.n - 1] & 1) ||
        memcmp(compressed.p + 1, full.p + 1, c.bytes))
        return no("wrong compressed form");
    return (!convert(&c, LIMBIC_UNCOMPRESSED, &back, compressed) && same(back, full)) ||
           no("compressed and back is another point");
}

/* u G + v P, by every function that can. */
static int double_mul_is(const struct curve *c, struct bytes u, struct bytes v, struct bytes point,
                         const char *expected) {
    struct bytes out = output(c->point_bytes);
    limbic_status status =
        limbic_ec_double_mul_vartime(c->id, out.p, out.n, u.p, u.n, v.p, v.n, point.p, point.n);
    if (!result_is(c, status, out, expected, "double_mul_vartime"))
        return 0;
    out = output(c->point_bytes);
    return result_is(c, prepared_double_mul(c, out, u, v, point), out, expected, "prepared_mul_vartime");
}

static int mul_is(const struct curve *c, struct bytes k, struct bytes point, const char *expected) {
    struct bytes zero, out = output(c->point_bytes);
    limbic_status status = limbic_ec_mul(c->id, out.p, out.n, k.p, k.n, point.p, point.n);
    return number_bytes(&zero, "0", c->bytes) && result_is(c, status, out, expected, "mul") &&
           double_mul_is(c, zero, k, point, expected);
}

static int base_mul_line(char **w) {
    struct curve c;
    struct bytes k, g, zero, out;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !number_bytes(&k, w[2], c.bytes) || !number_bytes(&zero, "0", c.bytes))
        return 0;
    g = generator(&c);
    out = output(c.point_bytes);
    status = limbic_ec_base_mul(c.id, out.p, out.n, k.p, k.n);
    if (!result_is(&c, status, out, w[3], "base_mul") || !mul_is(&c, k, g, w[3]) ||
        !double_mul_is(&c, k, zero, g, w[3]))
        return 0;
    if (limbic_ec_check_private(c.id, k.p, k.n))
        return 1;
    out = output(c.point_bytes);
    status = limbic_ec_public_key(c.id, out.p, out.n, k.p, k.n);
    return result_is(&c, status, out, w[3], "public_key");
}

static int mul_line(char **w) {
    struct curve c;
    struct bytes k, point;
    return curve_word(&c, w[1]) && number_bytes(&k, w[2], c.bytes) && bytes_word(&point, w[3]) &&
           mul_is(&c, k, point, w[4]);
}

static int double_mul_line(char **w) {
    struct curve c;
    struct bytes u, v, point;
    return curve_word(&c, w[1]) && number_bytes(&u, w[2], c.bytes) && number_bytes(&v, w[3], c.bytes) &&
           bytes_word(&point, w[4]) && double_mul_is(&c, u, v, point, w[5]);
}

static int add_line(char **w) {
    struct curve c;
    struct bytes a, b, out;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&a, w[2]) || !bytes_word(&b, w[3]))
        return 0;
    for (int i = 0; i < 2; i++) {
        struct bytes t = a;
        out = output(c.point_bytes);
        status = limbic_ec_add(c.id, out.p, out.n, a.p, a.n, b.p, b.n);
        if (!result_is(&c, status, out, w[4], "add"))
            return 0;
        a = b;
        b = t;
    }
    return 1;
}

static int der_line(char **w) {
    struct curve c;
    struct bytes der, expected, sig, back;
    struct verdict v;
    limbic_status status;
    if (!curve_word(&c, w[1]) || !bytes_word(&der, w[2]) || !verdict_word(&v, w[3]) ||
        !bytes_word(&expected, w[4] ? w[4] : "-"))
        return 0;
    sig = output(2 * c.bytes);
    status = limbic_ecdsa_sig_from_der(c.id, sig.p, sig.n, der.p, der.n);
    if (!fits(v, status, same(sig, expected)))
        return 0;
    if (status)
        return untouched(sig);
    back = output(LIMBIC_MAX_DER_BYTES);
    status = limbic_ecdsa_sig_to_der(c.id, back.p, &back.n, sig.p, sig.n);
    return (!status && same(back, der)) || no("r||s to DER is other DER");
}

/* --- items on fields --- */

/* The functions of field.h for one field. */
struct field {
    const char *name;
    enum limbic_unit unit;
    void (*add)(uint64_t *, const uint64_t *, const uint64_t *);
    void (*sub)(uint64_t *, const uint64_t *, const uint64_t *);
    void (*mul)(uint64_t *, const uint64_t *, const uint64_t *);
    void (*neg)(uint64_t *, const uint64_t *);
    void (*sqr)(uint64_t *, const uint64_t *);
    void (*inv)(uint64_t *, const uint64_t *);
    void (*inv_vartime)(uint64_t *, const uint64_t *);
    void (*to_residue)(uint64_t *, const uint64_t *);
    void (*from_residue)(uint64_t *, const uint64_t *);
    int (*sqrt)(uint64_t *, const uint64_t *);
    int (*eq)(const uint64_t *, const uint64_t *);
    int (*is_zero)(const uint64_t *);
    limbic_status (*from_bytes)(uint64_t *, const uint8_t *);
    void (*to_bytes)(uint8_t *, const uint64_t *);
};

static const struct field fields[] = {
#define FIELD_field(F)                                                                                       \
    {#F,                                                                                                     \
     LIMBIC_UNIT_##F,                                                                                        \
     limbic_##F##_add,                                                                                       \
     limbic_##F##_sub,                                                                                       \
     limbic_##F##_mul,                                                                                       \
     limbic_##F##_neg,                                                                                       \
     limbic_##F##_sqr,                                                                                       \
     limbic_##F##_inv,                                                                                       \
     limbic_##F##_inv_vartime,                                                                               \
     limbic_##F##_to_residue,                                                                                \
     limbic_##F##_from_residue,                                                                              \
     limbic_##F##_sqrt,                                                                                      \
     limbic_##F##_eq,                                                                                        \
     limbic_##F##_is_zero,                                                                                   \
     limbic_##F##_from_bytes,                                                                                \
     limbic_##F##_to_bytes},
#define FIELD_curve(F) FIELD_field(F)
#define FIELD_mont(F)
#define FIELD_hash(F)
#define FIELD_gcd(F)
#define UNIT(name, class, limbs) FIELD_##class(name)
#include "dispatch/ops.def"
};

static const struct field *field_word(const char *s) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, s))
            return &fields[i];
    explain("malformed line: no field '%s'", s);
    return NULL;
}

static int words_are(const uint64_t *r, const uint64_t *e, size_t n, const char *what) {
    return !memcmp(r, e, 8 * n) || no("%s: wrong result", what);
}

/* f(a, b) = e with r apart, r = a and r = b; both ways round where commutative. */
static int binary_is(void (*f)(uint64_t *, const uint64_t *, const uint64_t *), const uint64_t *a,
                     const uint64_t *b, const uint64_t *e, size_t n, int commutes) {
    uint64_t *r = words_output(n), *s = words_output(n), *t = words_output(n);
    f(r, a, b);
    memcpy(s, a, 8 * n);
    f(s, s, b);
    memcpy(t, b, 8 * n);
    f(t, a, t);
    if (!words_are(r, e, n, "r apart") || !words_are(s, e, n, "r = a") || !words_are(t, e, n, "r = b"))
        return 0;
    if (!memcmp(a, b, 8 * n)) {
        memcpy(s, a, 8 * n);
        f(s, s, s);
        if (!words_are(s, e, n, "r = a = b"))
            return 0;
    }
    return !commutes || binary_is(f, b, a, e, n, 0);
}

static int unary_is(void (*f)(uint64_t *, const uint64_t *), const uint64_t *a, const uint64_t *e, size_t n) {
    uint64_t *r = words_output(n), *s = words_output(n);
    f(r, a);
    memcpy(s, a, 8 * n);
    f(s, s);
    return words_are(r, e, n, "r apart") && words_are(s, e, n, "r = a");
}

static int field_line(char **w) {
    const struct field *f = field_word(w[1]);
    const size_t n = f ? limbic_unit_limbs(f->unit) : 0;
    const char *op = w[2];
    const int none = !strcmp(w[5], "none");
    uint64_t *a, *b, *e, *ra, *rb, *re, *t;
    if (!f || !number_words(&a, w[3], n) || !number_words(&b, strcmp(w[4], "-") ? w[4] : "0", n) ||
        !number_words(&e, none ? "0" : w[5], n))
        return 0;
    ra = words_output(n);
    rb = words_output(n);
    re = words_output(n);
    t = words_output(n);
    f->to_residue(ra, a);
    f->to_residue(rb, b);
    f->to_residue(re, e);
    f->from_residue(t, re);
    if (!words_are(t, e, n, "to residue and back"))
        return 0;
    if (f->is_zero(e) != (limbic_words_zero_mask(e, n) != 0) || !f->eq(re, re) ||
        f->eq(ra, re) != !memcmp(ra, re, 8 * n))
        return no("eq or is_zero is wrong");
    if (!strcmp(op, "add"))
        return binary_is(f->add, a, b, e, n, 1) && binary_is(f->add, ra, rb, re, n, 1);
    if (!strcmp(op, "sub")) {
        f->neg(t, e);
        return binary_is(f->sub, a, b, e, n, 0) && binary_is(f->sub, ra, rb, re, n, 0) &&
               binary_is(f->sub, b, a, t, n, 0);
    }
    if (!strcmp(op, "mul"))
        return binary_is(f->mul, ra, rb, re, n, 1);
    if (!strcmp(op, "neg"))
        return unary_is(f->neg, a, e, n) && unary_is(f->neg, ra, re, n);
    if (!strcmp(op, "sqr"))
        return unary_is(f->sqr, ra, re, n) && binary_is(f->mul, ra, ra, re, n, 0);
    if (!strcmp(op, "inv"))
        return unary_is(f->inv, ra, re, n) && unary_is(f->inv_vartime, ra, re, n);
    if (!strcmp(op, "sqrt")) {
        int found = f->sqrt(t, ra);
        if (found == none)
            return no(none ? "found a root where there is none" : "found no root");
        f->neg(rb, t);
        return f->eq(t, re) || f->eq(rb, re) || no("wrong root");
    }
    return no("malformed line: no operation '%s'", op);
}

static int montmul_line(char **w) {
    const struct field *f = field_word(w[1]);
    const size_t n = f ? limbic_unit_limbs(f->unit) : 0;
    uint64_t *a, *b, *e;
    if (!f || !number_words(&a, w[2], n) || !number_words(&b, w[3], n) || !number_words(&e, w[4], n))
        return 0;
    return binary_is(f->mul, a, b, e, n, 1) && (memcmp(a, b, 8 * n) || unary_is(f->sqr, a, e, n));
}

static int field_bytes_line(char **w) {
    const struct field *f = field_word(w[1]);
    struct verdict v;
    struct bytes in, out, words;
    limbic_status status;
    if (!f || !bytes_word(&in, w[2]) || !verdict_word(&v, w[3]))
        return 0;
    if (in.n != limbic_modulus(f->unit)->bytes)
        return no("malformed line: %zu bytes", in.n);
    words = output(8 * limbic_unit_limbs(f->unit));
    status = f->from_bytes((uint64_t *)(void *)words.p, in.p);
    if (!fits(v, status, 1))
        return 0;
    if (status)
        return untouched(words);
    out = output(in.n);
    f->to_bytes(out.p, (const uint64_t *)(const void *)words.p);
    return same(out, in) || no("to words and back is another number");
}

/* --- items on any odd modulus --- */

static int mont_result(const limbic_mont *x, const uint64_t *r, const uint64_t *e, const char *what) {
    return (limbic_mont_eq(r, e, x) && !memcmp(r, e, 8 * x->limbs)) ||
           no("%s, %zu words: wrong result", what, x->limbs);
}

/* r = a^e: most significant bit first. */
static void mont_exp(uint64_t *r, const uint64_t *a, const uint64_t *e, size_t e_limbs,
                     const limbic_mont *x) {
    memcpy(r, x->one, 8 * x->limbs);
    for (size_t i = 64 * e_limbs; i-- > 0;) {
        limbic_mont_sqr(r, r, x);
        if (e[i / 64] >> (i % 64) & 1)
            limbic_mont_mul(r, r, a, x);
    }
}

/* The item with the modulus in a context of this many words. */
static int mont_item(char **w, size_t n) {
    const char *op = w[1];
    const int none = !strcmp(w[5], "none"), exponent = !strcmp(op, "exp");
    uint64_t *m, *a, *b, *e, *r = words_output(n), *t = words_output(n),
                             *storage = words_output(LIMBIC_MONT_STORAGE(n));
    size_t b_limbs = exponent ? number_words_of(w[4]) : n;
    limbic_mont x;
    if (!number_words(&m, w[2], n) || !number_words(&a, w[3], n) ||
        !number_words(&b, strcmp(w[4], "-") ? w[4] : "0", b_limbs) || !number_words(&e, none ? "0" : w[5], n))
        return 0;
    if (limbic_mont_init(&x, storage, m, n))
        return no("modulus refused");
    limbic_mont_to_residue(a, a, &x);
    limbic_mont_to_residue(e, e, &x);
    if (!exponent)
        limbic_mont_to_residue(b, b, &x);
    if (!strcmp(op, "add") || !strcmp(op, "sub") || !strcmp(op, "mul")) {
        void (*f)(uint64_t *, const uint64_t *, const uint64_t *, const limbic_mont *) =
            op[0] == 'a'   ? limbic_mont_add
            : op[0] == 's' ? limbic_mont_sub
                           : limbic_mont_mul;
        f(r, a, b, &x);
        if (!mont_result(&x, r, e, "r apart"))
            return 0;
        if (op[0] != 's') {
            f(r, b, a, &x);
            if (!mont_result(&x, r, e, "b, a"))
                return 0;
        }
        memcpy(r, b, 8 * n);
        f(r, a, r, &x);
        f(a, a, b, &x);
        return mont_result(&x, r, e, "r = b") && mont_result(&x, a, e, "r = a");
    }
    if (!strcmp(op, "sqr")) {
        memcpy(t, a, 8 * n);
        limbic_mont_sqr(r, a, &x);
        limbic_mont_mul(t, t, a, &x);
        limbic_mont_sqr(a, a, &x);
        return mont_result(&x, r, e, "r apart") && mont_result(&x, t, e, "mul(a, a)") &&
               mont_result(&x, a, e, "r = a");
    }
    if (exponent) {
        mont_exp(r, a, b, b_limbs, &x);
        limbic_mont_pow(t, a, b, 64 * b_limbs, &x);
        limbic_mont_pow(a, a, b, 64 * b_limbs, &x);
        return mont_result(&x, r, e, "exp") && mont_result(&x, t, e, "pow") &&
               mont_result(&x, a, e, "pow, r = a");
    }
    if (!strcmp(op, "inv")) {
        if (limbic_mont_inv(r, a, &x) == none || limbic_mont_inv_vartime(t, a, &x) == none)
            return no(none ? "found an inverse where there is none" : "found no inverse");
        return mont_result(&x, r, e, "inv") && mont_result(&x, t, e, "inv_vartime");
    }
    if (!strcmp(op, "sqrt")) {
        if (limbic_mont_sqrt_vartime(r, a, &x) == none)
            return no(none ? "found a root where there is none" : "found no root");
        limbic_mont_neg(t, r, &x);
        return limbic_mont_eq(t, e, &x) || mont_result(&x, r, e, "sqrt");
    }
    return no("malformed line: no operation '%s'", op);
}

static int mont_line(char **w) {
    size_t n;
    if (!hex_word(w[2]))
        return no("malformed line: no modulus");
    n = number_words_of(w[2]);
    return mont_item(w, n) && (n == LIMBIC_MONT_MAX_LIMBS || mont_item(w, n + 1));
}

/* The bits of a number. */
static size_t bits_of(const uint64_t *a, size_t n) {
    size_t bits = 64 * n;
    while (bits && !(a[(bits - 1) / 64] >> ((bits - 1) % 64) & 1))
        bits--;
    return bits;
}

/* a^e mod m for an a of any length, and exponents with bits of zero on top. */
static int powm_line(char **w) {
    const size_t n = hex_word(w[1]) ? number_words_of(w[1]) : 1,
                 an = hex_word(w[2]) ? number_words_of(w[2]) : 1,
                 en = hex_word(w[3]) ? number_words_of(w[3]) : 1;
    const int none = !strcmp(w[4], "none");
    struct bytes out = output(8 * n);
    uint64_t *m, *a, *e, *expected, *r = (uint64_t *)(void *)out.p, *t = words_output(n > an ? n : an),
                                    *storage = words_output(LIMBIC_MONT_STORAGE(n));
    limbic_mont x;
    limbic_status status;
    if (!number_words(&m, w[1], n) || !number_words(&a, w[2], an) || !number_words(&e, w[3], en + 1) ||
        !number_words(&expected, none ? "0" : w[4], n))
        return 0;
    status = limbic_mpn_sec_powm(r, a, an, e, bits_of(e, en), m, n);
    if (none)
        return must(status, LIMBIC_ERR_MODULUS, "sec_powm") && untouched(out);
    if (!must(status, LIMBIC_OK, "sec_powm") || !words_are(r, expected, n, "sec_powm"))
        return 0;
    memcpy(t, a, 8 * an);
    status = limbic_mpn_sec_powm(t, t, an, e, 64 * en + 1, m, n);
    if (!must(status, LIMBIC_OK, "sec_powm, r = a") || !words_are(t, expected, n, "sec_powm, r = a"))
        return 0;
    memcpy(r, m, 8 * n);
    status = limbic_mpn_sec_powm(r, a, an, e, 64 * en, r, n);
    if (!must(status, LIMBIC_OK, "sec_powm, r = m") || !words_are(r, expected, n, "sec_powm, r = m"))
        return 0;
    if (!must(limbic_mont_init(&x, storage, m, n), LIMBIC_OK, "init"))
        return 0;
    limbic_mont_reduce(r, a, an, &x);
    limbic_mont_pow(r, r, e, bits_of(e, en), &x);
    limbic_mont_from_residue(r, r, &x);
    return words_are(r, expected, n, "reduce and pow");
}

static int mont_modulus_line(char **w) {
    size_t n = hex_word(w[1]) ? number_words_of(w[1]) : 1;
    struct verdict v;
    struct bytes storage = output(8 * LIMBIC_MONT_STORAGE(n));
    uint64_t *m;
    limbic_mont x;
    limbic_status status;
    if (!number_words(&m, w[1], n) || !verdict_word(&v, w[2]))
        return 0;
    status = limbic_mont_init(&x, (uint64_t *)(void *)storage.p, m, n);
    return fits(v, status, 1) && (!status || untouched(storage));
}

static int mont_bytes_line(char **w) {
    size_t n = hex_word(w[1]) ? number_words_of(w[1]) : 1;
    struct verdict v;
    struct bytes in, out, words = output(8 * n);
    uint64_t *m, *storage = words_output(LIMBIC_MONT_STORAGE(n));
    limbic_mont x;
    limbic_status status;
    if (!number_words(&m, w[1], n) || !number_bytes(&in, w[2], (strlen(w[2]) + 1) / 2) ||
        !verdict_word(&v, w[3]))
        return 0;
    if (limbic_mont_init(&x, storage, m, n))
        return no("modulus refused");
    status = limbic_mont_from_bytes((uint64_t *)(void *)words.p, in.p, in.n, &x);
    if (!fits(v, status, 1))
        return 0;
    if (status)
        return untouched(words);
    out = output(in.n);
    status = limbic_mont_to_bytes(out.p, out.n, (const uint64_t *)(const void *)words.p, &x);
    return (!status && same(in, out)) || no("to words and back is another number");
}

/* --- reading and running --- */

static const struct item curve_items[] = {
    {"verify", 7, 7, verify_line, 0},
    {"sign_k", 6, 6, sign_k_line, 0},
    {"sign_det", 7, 7, sign_det_line, 0},
    {"ecdh", 6, 6, ecdh_line, 0},
    {"pubkey", 4, 5, pubkey_line, 0},
    {"decode", 4, 5, decode_line, 0},
    {"base_mul", 4, 4, base_mul_line, 0},
    {"mul", 5, 5, mul_line, 0},
    {"double_mul", 6, 6, double_mul_line, 0},
    {"add", 5, 5, add_line, 0},
    {"der", 4, 5, der_line, 0},
    {"field", 6, 6, field_line, 0},
    {"montmul", 5, 5, montmul_line, 0},
    {"field_bytes", 4, 4, field_bytes_line, 0},
    {"mont", 6, 6, mont_line, 0},
    {"powm", 5, 5, powm_line, 1},
    {"mont_modulus", 3, 3, mont_modulus_line, 0},
    {"mont_bytes", 4, 4, mont_bytes_line, 0},
    {NULL, 0, 0, NULL, 0},
};

static const struct item *find_item(const char *name) {
    const struct item *const lists[] = {curve_items, hash_items, sm2_items, key_items, rsa_items};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct item *item = lists[i]; item->name; item++)
            if (!strcmp(item->name, name))
                return item;
    return NULL;
}

static int run_line(const struct item *item, const struct line *l) {
    reason[0] = 0;
    if (!item)
        return no("malformed line: no item '%s'", l->words[0]);
    if (l->count < item->least || l->count > item->most)
        return no("malformed line: %u words", l->count);
    (void)item->run((char **)(void *)l->words);
    release();
    return !reason[0];
}

/* The earlier pass with the same rows of mont and hash; LIMBIC_ISAS + 1 if there is none. */
static unsigned pass_like_this(void) {
    static struct limbic_ops rows[LIMBIC_ISAS + 1][2];
    unsigned p = 0;
    rows[passes][0] = *limbic_ops(LIMBIC_UNIT_mont);
    rows[passes][1] = *limbic_ops(LIMBIC_UNIT_hash);
    while (p < passes && memcmp(rows[p], rows[passes], sizeof *rows))
        p++;
    return p < passes ? p : LIMBIC_ISAS + 1;
}

static void run_all(const char *isa) {
    const unsigned like = pass_like_this();
    unsigned long spared = 0;
    pass_names[passes] = isa;
    for (size_t i = 0; i < line_count; i++) {
        struct source *s = &sources[lines[i].source];
        const struct item *item = find_item(lines[i].words[0]);
        if (item && item->once && like <= LIMBIC_ISAS) {
            s->spared[passes]++;
            spared++;
            continue;
        }
        int ok = run_line(item, &lines[i]);
        s->ok[passes] += (unsigned)check(ok, "%s, %s: %s: %.200s", s->name, isa, reason, lines[i].text);
    }
    if (spared)
        (void)printf("%s: %lu lines not repeated: the rows of mont and hash are those of %s\n", isa, spared,
                     pass_names[like]);
    passes++;
}

static void new_source(const char *name) {
    sources = alloc(sources, (source_count + 1) * sizeof *sources);
    memset(&sources[source_count], 0, sizeof *sources);
    sources[source_count++].name = copy(name);
}

/* One line of the file: a source, what it leaves out, or an item. */
static void take(char *text) {
    struct line l = {.text = copy(text), .count = 0, .source = source_count ? source_count - 1 : 0};
    char *save = NULL, *note = strstr(text, " #"), *word;
    if (text[0] == '#')
        note = text;
    if (note)
        *note = 0;
    for (word = strtok_r(text, " ", &save); word && l.count < MAX_WORDS; word = strtok_r(NULL, " ", &save))
        l.words[l.count++] = word;
    if (!l.count) {
        free(l.text);
        return;
    }
    if (!strcmp(l.words[0], "source") && l.count == 2) {
        new_source(l.words[1]);
        free(l.text);
        return;
    }
    if (!source_count)
        new_source("(none named)");
    if (!strcmp(l.words[0], "skip") && l.count > 2) {
        unsigned long n = strtoul(l.words[1], NULL, 10);
        sources[l.source].skipped += n;
        skipped += n;
        (void)printf("skipped: %s: %s\n", sources[l.source].name, l.text + strlen("skip "));
    } else if (!strcmp(l.words[0], "absent") && l.count > 1) {
        skipped++;
        sources[l.source].skipped++;
        (void)printf("absent: %s: %s\n", sources[l.source].name, l.text + strlen("absent "));
    } else {
        sources[l.source].lines++;
        for (unsigned i = 0; i < l.count; i++)
            l.words[i] = copy(l.words[i]);
        lines = alloc(lines, (line_count + 1) * sizeof *lines);
        lines[line_count++] = l;
        return;
    }
    free(l.text);
}

static int read_lines(FILE *f) {
    char *text = NULL;
    size_t size = 0;
    ssize_t n;
    while ((n = getline(&text, &size, f)) >= 0) {
        while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
            text[--n] = 0;
        take(text);
    }
    free(text);
    return !ferror(f);
}

static void print_table(void) {
    (void)printf("%-62s %7s %7s", "source", "lines", "skipped");
    for (unsigned p = 0; p < passes; p++)
        (void)printf(" %7s", pass_names[p]);
    (void)printf("   (lines right; = but for those not repeated)\n");
    for (unsigned i = 0; i < source_count; i++) {
        (void)printf("%-62s %7lu %7lu", sources[i].name, sources[i].lines, sources[i].skipped);
        for (unsigned p = 0; p < passes; p++)
            (void)printf(" %7lu%s", sources[i].ok[p],
                         sources[i].ok[p] + sources[i].spared[p] != sources[i].lines ? "!"
                         : sources[i].spared[p]                                      ? "="
                                                                                     : "");
        (void)printf("\n");
    }
}

static void free_all(void) {
    for (size_t i = 0; i < line_count; i++) {
        for (unsigned k = 0; k < lines[i].count; k++)
            free(lines[i].words[k]);
        free(lines[i].text);
    }
    for (unsigned i = 0; i < source_count; i++)
        free(sources[i].name);
    forget_keys();
    free(lines);
    free(sources);
}

int main(int argc, char **argv) {
    /* --engines: instruction sets that have but parts are left to the automatic choice */
    const int engines = argc > 1 && !strcmp(argv[1], "--engines");
    int result;
    for (int i = 1 + engines; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        check(f && read_lines(f), "%s can't be read", argv[i]);
        if (f)
            (void)fclose(f);
    }
    if (argc == 1 + engines)
        check(read_lines(stdin), "standard input can't be read");
    if (line_count)
        each_isa(engines ? ENGINES : EVERY_ISA, run_all);
    else if (!skipped)
        check(0, "no line to run");
    print_table();
    result = closing();
    free_all();
    return result;
}
