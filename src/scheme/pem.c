#include "base/limb.h"
#include "base/secret.h"
#include "limbic/key.h"

enum { LINE = 64 }; /* characters of a line that is written */

/* ---- base64, in constant time ---- */

/* All ones for lo <= c <= hi, all below 2^63. */
static uint64_t within(uint64_t c, uint64_t lo, uint64_t hi) {
    return limbic_mask_bit(((lo - 1 - c) & (c - hi - 1)) >> 63);
}

/* The character of a number below 64. */
static uint8_t to_char(uint64_t x) {
    return (uint8_t)((within(x, 0, 25) & (x + 'A')) | (within(x, 26, 51) & (x - 26 + 'a')) |
                     (within(x, 52, 61) & (x - 52 + '0')) | (within(x, 62, 62) & '+') |
                     (within(x, 63, 63) & '/'));
}

/* The number of a character, or 64 if it has none. */
static uint64_t from_char(uint8_t c) {
    const uint64_t upper = within(c, 'A', 'Z'), lower = within(c, 'a', 'z'), digit = within(c, '0', '9'),
                   plus = within(c, '+', '+'), slash = within(c, '/', '/');
    return (upper & ((uint64_t)c - 'A')) | (lower & ((uint64_t)c - 'a' + 26)) |
           (digit & ((uint64_t)c - '0' + 52)) | (plus & 62) | (slash & 63) |
           (~(upper | lower | digit | plus | slash) & 64);
}

/* ---- writing ---- */

/* Bytes that go to the buffer p, or are counted only if it is NULL. */
static size_t put(uint8_t *p, size_t at, const char *text) {
    const size_t n = strlen(text);
    if (p)
        memcpy(p + at, text, n);
    return at + n;
}

static size_t put_line(uint8_t *p, size_t at, const char *begin, const char *label) {
    at = put(p, at, begin);
    at = put(p, at, label);
    return put(p, at, "-----\n");
}

/* RFC 7468 section 3: visible characters, with single '-' and spaces between them. */
static int label_is_good(const char *label) {
    int between = 1;
    for (; *label; label++) {
        const int joint = *label == '-' || *label == ' ';
        if (*label < ' ' || *label > '~' || (joint && between))
            return 0;
        between = joint;
    }
    return !between;
}

limbic_status limbic_pem_encode(uint8_t *pem, size_t *pem_len, const char *label, const uint8_t *der,
                                size_t der_len) {
    if (!pem_len || !label || (!der && der_len) || (!pem && *pem_len))
        return LIMBIC_ERR_NULL;
    if (!label_is_good(label))
        return LIMBIC_ERR_PEM;
    if (der_len > SIZE_MAX / 4)
        return LIMBIC_ERR_LENGTH;
    const size_t chars = (der_len + 2) / 3 * 4, lines = (chars + LINE - 1) / LINE, room = *pem_len;
    size_t at = put_line(NULL, 0, "-----BEGIN ", label);
    *pem_len = put_line(NULL, at + chars + lines, "-----END ", label);
    if (room < *pem_len)
        return LIMBIC_ERR_BUFFER;
    (void)put_line(pem, 0, "-----BEGIN ", label);
    for (size_t i = 0; i < der_len; i += 3) {
        const size_t n = der_len - i < 3 ? der_len - i : 3;
        uint64_t group = 0;
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (j < n ? der[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            pem[at++] = j <= n ? to_char(group >> (18 - 6 * j) & 63) : '=';
        if (i % (LINE / 4 * 3) == LINE / 4 * 3 - 3 || i + 3 >= der_len)
            pem[at++] = '\n';
    }
    (void)put_line(pem, at, "-----END ", label);
    limbic_wipe_stack();
    return LIMBIC_OK;
}

/* ---- reading ---- */

struct text {
    const uint8_t *p;
    size_t n;
};

static void skip(struct text *t, size_t n) {
    t->p += n;
    t->n -= n;
}

/* Takes these characters from the front, or nothing. */
static int take(struct text *t, const char *word) {
    const size_t n = strlen(word);
    if (t->n < n || memcmp(t->p, word, n) != 0)
        return 0;
    skip(t, n);
    return 1;
}

/* "-----BEGIN label-----" or the same with END. */
static int take_line(struct text *t, const char *begin, const char *label) {
    struct text rest = *t;
    if (!take(&rest, begin) || !take(&rest, label) || !take(&rest, "-----"))
        return 0;
    *t = rest;
    return 1;
}

static int is_end_of_line(uint8_t c) {
    return c == '\n' || c == '\r';
}
static int is_space(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct text *t) {
    while (t->n && is_space(t->p[0]))
        skip(t, 1);
}

/* Whether the block begins with RFC 1421's header of an encrypted one. */
static int has_encryption_header(struct text t) {
    skip_space(&t);
    if (!take(&t, "Proc-Type:"))
        return 0;
    while (t.n && !is_end_of_line(t.p[0])) {
        if (take(&t, "ENCRYPTED"))
            return 1;
        skip(&t, 1);
    }
    return 0;
}

/* What follows the BEGIN line, to the END line: base64 with space anywhere, padded. To out, or counted only if it is
 * NULL. */
static limbic_status decode_body(struct text t, const char *label, uint8_t *out, size_t *out_len) {
    const struct text body = t;
    uint64_t group = 0, rest;
    size_t n = 0, in_group = 0, pads = 0;
    for (; t.n; skip(&t, 1)) {
        const uint64_t x = from_char(t.p[0]);
        uint64_t other = x >> 6;
        LIMBIC_DECLASSIFY(&other, sizeof other);
        if (other) {
            LIMBIC_DECLASSIFY(t.p, 1);
            if (is_space(t.p[0]))
                continue;
            if (t.p[0] != '=')
                break;
            pads++;
        } else {
            if (pads)
                return LIMBIC_ERR_PEM;
            group = group << 6 | x;
            if (++in_group < 4)
                continue;
            for (size_t i = 0; out && i < 3; i++)
                out[n + i] = (uint8_t)(group >> (16 - 8 * i));
            n += 3;
            group = in_group = 0;
        }
    }
    /* 2 characters and == are one byte, 3 and = are two */
    const size_t last = in_group ? in_group - 1 : 0;
    rest = group & ((UINT64_C(1) << (6 * in_group - 8 * last)) - 1);
    LIMBIC_DECLASSIFY(&rest, sizeof rest);
    if (!take_line(&t, "-----END ", label))
        return has_encryption_header(body) ? LIMBIC_ERR_ENCRYPTED : LIMBIC_ERR_PEM;
    if ((t.n && !is_space(t.p[0])) || in_group == 1 || pads != (4 - in_group) % 4 || rest || n + last == 0)
        return LIMBIC_ERR_PEM;
    for (size_t i = 0; out && i < last; i++)
        out[n + i] = (uint8_t)(group >> (6 * in_group - 8 - 8 * i));
    *out_len = n + last;
    return LIMBIC_OK;
}

static const char encrypted[] = "ENCRYPTED PRIVATE KEY";

/* Finds the first block with a key: its label, and what follows its BEGIN line. */
static const char *find_block(struct text *t) {
    static const char *const labels[] = {"PUBLIC KEY",     "PRIVATE KEY",
                                         "EC PRIVATE KEY", "RSA PRIVATE KEY",
                                         "RSA PUBLIC KEY", "SM2 PRIVATE KEY" /* OpenSSL 3, for SEC 1 */,
                                         encrypted};
    while (t->n) {
        skip_space(t);
        for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
            if (take_line(t, "-----BEGIN ", labels[i]))
                return labels[i];
        while (t->n && !is_end_of_line(t->p[0]))
            skip(t, 1);
    }
    return NULL;
}

limbic_status limbic_pem_decode(uint8_t *der, size_t *der_len, const uint8_t *pem, size_t pem_len) {
    struct text t = {pem, pem_len};
    size_t need;
    if (!der_len || !pem || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    const char *label = find_block(&t);
    if (!label)
        return LIMBIC_ERR_PEM;
    if (label == encrypted)
        return LIMBIC_ERR_ENCRYPTED;
    limbic_status status = decode_body(t, label, NULL, &need);
    if (!status) {
        const size_t room = *der_len;
        *der_len = need;
        status = room < need ? LIMBIC_ERR_BUFFER : decode_body(t, label, der, &need);
    }
    limbic_wipe_stack();
    return status;
}
