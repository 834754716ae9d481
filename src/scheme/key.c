#include "limbic/key.h"
#include "base/limb.h"
#include "base/secret.h"
#include "scheme/der.h"

/* ---- object identifiers ---- */

struct oid {
    uint8_t n, bytes[9];
};
static const struct oid id_ec_public_key = {7, {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01}}; /* RFC 5480 */
static const struct oid rsa_encryption = {9, {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01}};
static const struct oid curve_oids[] = {
    [LIMBIC_P256] = {8, {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07}},
    [LIMBIC_P384] = {5, {0x2b, 0x81, 0x04, 0x00, 0x22}},
    [LIMBIC_P521] = {5, {0x2b, 0x81, 0x04, 0x00, 0x23}},
    [LIMBIC_SM2] = {8, {0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d}},
};

static int is_oid(const struct limbic_der *x, const struct oid *oid) {
    return x->n == oid->n && !memcmp(x->p, oid->bytes, oid->n);
}

/* ---- reading ---- */

struct key {
    limbic_key_type type;
    int is_private;
    limbic_curve curve;  /* 0 where it is not known yet */
    struct limbic_der d; /* EC: limbic_curve_bytes bytes */
    struct limbic_der
        points[2]; /* EC: public keys; a private key may have one, and PKCS#8 another; p NULL: none */
    limbic_rsa_numbers rsa;
};

static int next_is(const struct limbic_der *in, uint8_t tag) {
    return in->n && in->p[0] == tag;
}

/* 0 or 1; -1 for anything else. */
static int get_version(struct limbic_der *in) {
    struct limbic_der x;
    if (!limbic_der_get_unsigned(in, &x) || x.n > 1)
        return -1;
    return x.n == 0 ? 0 : x.p[0] == 1 ? 1 : -1;
}

/* A BIT STRING of whole bytes. */
static int get_bits(struct limbic_der *in, uint8_t tag, struct limbic_der *bytes) {
    struct limbic_der x;
    if (!limbic_der_get(in, tag, &x) || x.n == 0 || x.p[0] != 0)
        return 0;
    bytes->p = x.p + 1;
    bytes->n = x.n - 1;
    return 1;
}

static int get_number(struct limbic_der *in, limbic_rsa_number *number) {
    struct limbic_der x;
    if (!limbic_der_get_unsigned(in, &x))
        return 0;
    /* the byte 00 of a number 0 is kept: none at all would mean that the number is not given */
    const size_t zero = x.n == 0;
    number->bytes = x.p - zero;
    number->len = x.n + zero;
    return 1;
}

/* ECParameters: the name of a curve. */
static limbic_status get_curve(struct limbic_der *in, limbic_curve *curve) {
    struct limbic_der x;
    if (limbic_der_get(in, LIMBIC_DER_SEQUENCE, &x) || limbic_der_get(in, LIMBIC_DER_NULL, &x))
        return LIMBIC_ERR_ALGORITHM; /* explicit, or implied */
    if (!limbic_der_get(in, LIMBIC_DER_OID, &x))
        return LIMBIC_ERR_DER;
    for (size_t i = 1; i < sizeof curve_oids / sizeof curve_oids[0]; i++)
        if (is_oid(&x, &curve_oids[i])) {
            *curve = (limbic_curve)i;
            return LIMBIC_OK;
        }
    return LIMBIC_ERR_ALGORITHM;
}

/* The contents of an AlgorithmIdentifier. */
static limbic_status read_algorithm(struct limbic_der in, struct key *k) {
    struct limbic_der x, null;
    limbic_status status = LIMBIC_OK;
    if (!limbic_der_get(&in, LIMBIC_DER_OID, &x))
        return LIMBIC_ERR_DER;
    /* SM2's own identifier in this place too: GM/T 0015 allows it, and early releases of OpenSSL 3 wrote it */
    const int sm2 = is_oid(&x, &curve_oids[LIMBIC_SM2]);
    if (sm2 || is_oid(&x, &id_ec_public_key)) {
        k->type = LIMBIC_KEY_EC;
        status = get_curve(&in, &k->curve);
        if (!status && sm2 && k->curve != LIMBIC_SM2)
            status = LIMBIC_ERR_ALGORITHM;
    } else if (is_oid(&x, &rsa_encryption)) {
        k->type = LIMBIC_KEY_RSA;
        if (!limbic_der_get(&in, LIMBIC_DER_NULL, &null) || null.n)
            return LIMBIC_ERR_DER;
    } else {
        return LIMBIC_ERR_ALGORITHM;
    }
    return !status && in.n ? LIMBIC_ERR_DER : status;
}

/* ECPrivateKey. */
static limbic_status read_ec_private(struct limbic_der in, struct key *k) {
    struct limbic_der s, x;
    limbic_curve curve = k->curve;
    limbic_status status = LIMBIC_OK;
    k->type = LIMBIC_KEY_EC;
    k->is_private = 1;
    if (!limbic_der_get(&in, LIMBIC_DER_SEQUENCE, &s) || in.n || get_version(&s) != 1 ||
        !limbic_der_get(&s, LIMBIC_DER_OCTET_STRING, &k->d))
        return LIMBIC_ERR_DER;
    if (limbic_der_get(&s, LIMBIC_DER_EXPLICIT + 0, &x)) {
        status = get_curve(&x, &curve);
        if (!status && x.n)
            return LIMBIC_ERR_DER;
    }
    if (limbic_der_get(&s, LIMBIC_DER_EXPLICIT + 1, &x) &&
        (!get_bits(&x, LIMBIC_DER_BIT_STRING, &k->points[0]) || x.n))
        return LIMBIC_ERR_DER;
    if (s.n)
        return LIMBIC_ERR_DER;
    if (status)
        return status;
    if (!curve || (k->curve && k->curve != curve))
        return LIMBIC_ERR_ALGORITHM;
    k->curve = curve;
    return k->d.n == limbic_curve_bytes(curve) ? LIMBIC_OK : LIMBIC_ERR_DER;
}

/* RSAPublicKey. */
static limbic_status read_rsa_public(struct limbic_der in, struct key *k) {
    struct limbic_der s;
    k->type = LIMBIC_KEY_RSA;
    return limbic_der_get(&in, LIMBIC_DER_SEQUENCE, &s) && !in.n && get_number(&s, &k->rsa.n) &&
                   get_number(&s, &k->rsa.e) && !s.n
               ? LIMBIC_OK
               : LIMBIC_ERR_DER;
}

/* RSAPrivateKey. */
static limbic_status read_rsa_private(struct limbic_der in, struct key *k) {
    struct limbic_der s;
    limbic_rsa_number *numbers[] = {&k->rsa.n, &k->rsa.e,  &k->rsa.d,  &k->rsa.p,
                                    &k->rsa.q, &k->rsa.dp, &k->rsa.dq, &k->rsa.qinv};
    k->type = LIMBIC_KEY_RSA;
    k->is_private = 1;
    if (!limbic_der_get(&in, LIMBIC_DER_SEQUENCE, &s) || in.n)
        return LIMBIC_ERR_DER;
    const int version = get_version(&s);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!get_number(&s, numbers[i]))
            return LIMBIC_ERR_DER;
    if (version == 1 && next_is(&s, LIMBIC_DER_SEQUENCE))
        return LIMBIC_ERR_ALGORITHM; /* more than two primes */
    return version == 0 && !s.n ? LIMBIC_OK : LIMBIC_ERR_DER;
}

static int same_number(const limbic_rsa_number *a, const limbic_rsa_number *b) {
    return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

/* The contents of a PrivateKeyInfo, or of a OneAsymmetricKey of version 1. */
static limbic_status read_pkcs8(struct limbic_der s, struct key *k) {
    struct limbic_der algorithm, inner, attributes, x, public_key = {NULL, 0};
    const int version = get_version(&s);
    if (version < 0 || !limbic_der_get(&s, LIMBIC_DER_SEQUENCE, &algorithm) ||
        !limbic_der_get(&s, LIMBIC_DER_OCTET_STRING, &inner))
        return LIMBIC_ERR_DER;
    if (limbic_der_get(&s, LIMBIC_DER_EXPLICIT + 0, &attributes))
        while (attributes.n)
            if (!limbic_der_get(&attributes, LIMBIC_DER_SEQUENCE, &x))
                return LIMBIC_ERR_DER;
    if (version == 1 && next_is(&s, LIMBIC_DER_CONTEXT + 1) &&
        !get_bits(&s, LIMBIC_DER_CONTEXT + 1, &public_key))
        return LIMBIC_ERR_DER;
    if (s.n)
        return LIMBIC_ERR_DER;
    limbic_status status = read_algorithm(algorithm, k);
    if (status)
        return status;
    if (k->type == LIMBIC_KEY_EC) {
        k->points[1] = public_key;
        return read_ec_private(inner, k);
    }
    status = read_rsa_private(inner, k);
    if (!status && public_key.p) {
        struct key other = {.type = LIMBIC_KEY_RSA};
        status = read_rsa_public(public_key, &other);
        if (!status && !(same_number(&k->rsa.n, &other.rsa.n) && same_number(&k->rsa.e, &other.rsa.e)))
            status = LIMBIC_ERR_PUBLIC_KEY;
    }
    return status;
}

/* A key in any form, told apart by its first elements. What stands in it points into der. */
static limbic_status read_key(struct key *k, const uint8_t *der, size_t der_len) {
    const struct limbic_der all = {der, der_len};
    struct limbic_der in = all, s, contents, first, x;
    memset(k, 0, sizeof *k);
    if (!limbic_der_get(&in, LIMBIC_DER_SEQUENCE, &contents) || in.n)
        return LIMBIC_ERR_DER;
    s = contents;
    if (limbic_der_get(&s, LIMBIC_DER_SEQUENCE, &first)) {
        if (limbic_der_get(&s, LIMBIC_DER_OCTET_STRING, &x)) /* EncryptedPrivateKeyInfo */
            return s.n ? LIMBIC_ERR_DER : LIMBIC_ERR_ENCRYPTED;
        if (!get_bits(&s, LIMBIC_DER_BIT_STRING, &x) || s.n)
            return LIMBIC_ERR_DER;
        const limbic_status status = read_algorithm(first, k);
        if (status)
            return status;
        if (k->type == LIMBIC_KEY_RSA)
            return read_rsa_public(x, k);
        k->points[0] = x;
        return LIMBIC_OK;
    }
    if (!limbic_der_get(&s, LIMBIC_DER_INTEGER, &first))
        return LIMBIC_ERR_DER;
    if (next_is(&s, LIMBIC_DER_SEQUENCE))
        return read_pkcs8(contents, k);
    if (next_is(&s, LIMBIC_DER_OCTET_STRING))
        return read_ec_private(all, k);
    return limbic_der_get(&s, LIMBIC_DER_INTEGER, &x) && !s.n ? read_rsa_public(all, k)
                                                              : read_rsa_private(all, k);
}

/* A key that is to be of this type and kind. */
static limbic_status read_as(struct key *k, limbic_key_type type, int is_private, const uint8_t *der,
                             size_t der_len) {
    const limbic_status status = read_key(k, der, der_len);
    return !status && (k->type != type || k->is_private != is_private) ? LIMBIC_ERR_ALGORITHM : status;
}

static size_t bits_of(const limbic_rsa_number *x) {
    size_t bits = 8 * x->len;
    for (unsigned top = x->bytes[0]; top < 0x80; top = top << 1 | 1)
        bits--;
    return bits;
}

limbic_status limbic_key_inspect(limbic_key_info *info, const uint8_t *der, size_t der_len) {
    struct key k;
    if (!info || !der)
        return LIMBIC_ERR_NULL;
    const limbic_status status = read_key(&k, der, der_len);
    if (status)
        return status;
    *info = (limbic_key_info){.type = k.type, .is_private = k.is_private, .curve = k.curve};
    if (k.type == LIMBIC_KEY_RSA)
        info->bits = bits_of(&k.rsa.n);
    return LIMBIC_OK;
}

/* Whether the point, in whatever form it has, is the public key of d. */
static limbic_status check_point(limbic_curve curve, const uint8_t *d, const struct limbic_der *point) {
    const size_t bytes = limbic_curve_bytes(curve);
    uint8_t own[LIMBIC_MAX_POINT_BYTES];
    size_t n = 1 + 2 * bytes;
    limbic_status status = limbic_ec_public_key(curve, own, n, d, bytes);
    if (status)
        return status;
    LIMBIC_DECLASSIFY(own, n);
    if (point->n == 1 + bytes)
        status = limbic_ec_convert(curve, LIMBIC_COMPRESSED, own, &n, own, n);
    if (!status && (point->n != n || memcmp(point->p, own, n) != 0))
        status = LIMBIC_ERR_PUBLIC_KEY;
    limbic_wipe(own, sizeof own);
    return status;
}

limbic_status limbic_ec_private_from_der(limbic_curve curve, uint8_t *private_key, size_t private_len,
                                         const uint8_t *der, size_t der_len) {
    const size_t bytes = limbic_curve_bytes(curve);
    struct key k;
    if (!private_key || !der)
        return LIMBIC_ERR_NULL;
    if (!bytes)
        return LIMBIC_ERR_CURVE;
    if (private_len != bytes)
        return LIMBIC_ERR_LENGTH;
    limbic_status status = read_as(&k, LIMBIC_KEY_EC, 1, der, der_len);
    if (!status && k.curve != curve)
        status = LIMBIC_ERR_ALGORITHM;
    if (!status)
        status = limbic_ec_check_private(curve, k.d.p, bytes);
    for (size_t i = 0; i < 2; i++)
        if (!status && k.points[i].p)
            status = check_point(curve, k.d.p, &k.points[i]);
    if (!status)
        memcpy(private_key, k.d.p, bytes);
    return status;
}

limbic_status limbic_ec_public_from_der(limbic_curve curve, uint8_t *point, size_t point_len,
                                        const uint8_t *der, size_t der_len) {
    const size_t bytes = limbic_curve_bytes(curve);
    struct key k;
    if (!point || !der)
        return LIMBIC_ERR_NULL;
    if (!bytes)
        return LIMBIC_ERR_CURVE;
    if (point_len != 1 + 2 * bytes)
        return LIMBIC_ERR_LENGTH;
    const limbic_status status = read_as(&k, LIMBIC_KEY_EC, 0, der, der_len);
    if (status)
        return status;
    if (k.curve != curve)
        return LIMBIC_ERR_ALGORITHM;
    return limbic_ec_convert(curve, LIMBIC_UNCOMPRESSED, point, &point_len, k.points[0].p, k.points[0].n);
}

limbic_status limbic_rsa_private_from_der(void *key, size_t key_len, const uint8_t *der, size_t der_len) {
    struct key k;
    if (!key || !der)
        return LIMBIC_ERR_NULL;
    limbic_status status = read_as(&k, LIMBIC_KEY_RSA, 1, der, der_len);
    if (!status)
        status = limbic_rsa_private_import(key, key_len, &k.rsa);
    limbic_wipe(&k, sizeof k); /* how long the numbers are */
    return status;
}

limbic_status limbic_rsa_public_from_der(void *key, size_t key_len, const uint8_t *der, size_t der_len) {
    struct key k;
    if (!key || !der)
        return LIMBIC_ERR_NULL;
    const limbic_status status = read_as(&k, LIMBIC_KEY_RSA, 0, der, der_len);
    return status ? status : limbic_rsa_public_import(key, key_len, &k.rsa);
}

/* ---- writing ---- */

/* DER from its end to its beginning: a length is known when it is due. n bytes stand before end so far; end NULL:
 * they are counted only. */
struct writer {
    uint8_t *end;
    size_t n;
};

static void put(struct writer *w, const void *bytes, size_t n) {
    w->n += n;
    if (w->end)
        memcpy(w->end - w->n, bytes, n);
}

/* The header of an element that contains all that came after `from` bytes. */
static void wrap(struct writer *w, uint8_t tag, size_t from) {
    const size_t n = w->n - from;
    w->n += limbic_der_put_header(NULL, tag, n);
    if (w->end)
        (void)limbic_der_put_header(w->end - w->n, tag, n);
}

static void put_number(struct writer *w, const uint8_t *bytes, size_t n) {
    w->n += limbic_der_put_unsigned(NULL, bytes, n);
    if (w->end)
        (void)limbic_der_put_unsigned(w->end - w->n, bytes, n);
}

static void put_version(struct writer *w, uint8_t version) {
    put_number(w, &version, 1);
}

static void put_oid(struct writer *w, const struct oid *oid) {
    const size_t from = w->n;
    put(w, oid->bytes, oid->n);
    wrap(w, LIMBIC_DER_OID, from);
}

static void wrap_bits(struct writer *w, size_t from) {
    put(w, &(const uint8_t){0}, 1); /* unused bits */
    wrap(w, LIMBIC_DER_BIT_STRING, from);
}

/* curve 0: RSA */
static void put_algorithm(struct writer *w, limbic_curve curve) {
    const size_t from = w->n;
    if (curve)
        put_oid(w, &curve_oids[curve]);
    else
        wrap(w, LIMBIC_DER_NULL, from);
    put_oid(w, curve ? &id_ec_public_key : &rsa_encryption);
    wrap(w, LIMBIC_DER_SEQUENCE, from);
}

static void wrap_spki(struct writer *w, limbic_curve curve) {
    wrap_bits(w, 0);
    put_algorithm(w, curve);
    wrap(w, LIMBIC_DER_SEQUENCE, 0);
}

static void wrap_pkcs8(struct writer *w, limbic_curve curve) {
    wrap(w, LIMBIC_DER_OCTET_STRING, 0);
    put_algorithm(w, curve);
    put_version(w, 0);
    wrap(w, LIMBIC_DER_SEQUENCE, 0);
}

/* After counting: sets the writer to the caller's buffer, if that is large enough. */
static limbic_status start(struct writer *w, uint8_t *der, size_t *der_len) {
    const size_t room = *der_len;
    *der_len = w->n;
    if (room < w->n)
        return LIMBIC_ERR_BUFFER;
    w->end = der + w->n;
    w->n = 0;
    return LIMBIC_OK;
}

static void write_ec_private(struct writer *w, limbic_curve curve, limbic_key_form form, const uint8_t *d,
                             const uint8_t *point) {
    const size_t bytes = limbic_curve_bytes(curve);
    size_t from = w->n;
    put(w, point, 1 + 2 * bytes);
    wrap_bits(w, from);
    wrap(w, LIMBIC_DER_EXPLICIT + 1, from);
    if (form == LIMBIC_KEY_TRADITIONAL) {
        from = w->n;
        put_oid(w, &curve_oids[curve]);
        wrap(w, LIMBIC_DER_EXPLICIT + 0, from);
    }
    from = w->n;
    put(w, d, bytes);
    wrap(w, LIMBIC_DER_OCTET_STRING, from);
    put_version(w, 1);
    wrap(w, LIMBIC_DER_SEQUENCE, 0);
    if (form == LIMBIC_KEY_PKCS8)
        wrap_pkcs8(w, curve);
}

limbic_status limbic_ec_private_to_der(limbic_curve curve, limbic_key_form form, uint8_t *der,
                                       size_t *der_len, const uint8_t *private_key, size_t private_len) {
    uint8_t point[LIMBIC_MAX_POINT_BYTES];
    struct writer w = {NULL, 0};
    if (!der_len || !private_key || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    const size_t bytes = limbic_curve_bytes(curve);
    if (!bytes)
        return LIMBIC_ERR_CURVE;
    if (form != LIMBIC_KEY_PKCS8 && form != LIMBIC_KEY_TRADITIONAL)
        return LIMBIC_ERR_FORM;
    limbic_status status = limbic_ec_public_key(curve, point, 1 + 2 * bytes, private_key, private_len);
    if (status)
        return status;
    write_ec_private(&w, curve, form, private_key, point);
    status = start(&w, der, der_len);
    if (!status)
        write_ec_private(&w, curve, form, private_key, point);
    limbic_wipe(point, sizeof point);
    return status;
}

limbic_status limbic_ec_public_to_der(limbic_curve curve, uint8_t *der, size_t *der_len, const uint8_t *point,
                                      size_t point_len) {
    struct writer w = {NULL, 0};
    if (!der_len || !point || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    limbic_status status = limbic_ec_check_public(curve, point, point_len);
    if (status)
        return status;
    put(&w, point, point_len);
    wrap_spki(&w, curve);
    status = start(&w, der, der_len);
    if (!status) {
        put(&w, point, point_len);
        wrap_spki(&w, curve);
    }
    return status;
}

/* The numbers of a key from the last to the first, and the SEQUENCE around; a private key's with the version. */
static limbic_status write_rsa(struct writer *w, const void *key, size_t key_len, limbic_rsa_part last) {
    uint8_t number[LIMBIC_RSA_MAX_BYTES];
    limbic_status status = LIMBIC_OK;
    for (unsigned part = last; part >= LIMBIC_RSA_N && !status; part--) {
        size_t n = sizeof number;
        status = limbic_rsa_export(key, key_len, (limbic_rsa_part)part, number, &n);
        if (!status)
            put_number(w, number, n);
    }
    if (last != LIMBIC_RSA_E) {
        put_version(w, 0);
        limbic_wipe(number, sizeof number);
        limbic_wipe_stack();
    }
    wrap(w, LIMBIC_DER_SEQUENCE, 0);
    return status;
}

limbic_status limbic_rsa_private_to_der(limbic_key_form form, uint8_t *der, size_t *der_len, const void *key,
                                        size_t key_len) {
    struct writer w = {NULL, 0};
    if (!der_len || !key || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    if (form != LIMBIC_KEY_PKCS8 && form != LIMBIC_KEY_TRADITIONAL)
        return LIMBIC_ERR_FORM;
    for (int pass = 0; pass < 2; pass++) {
        limbic_status status = pass ? start(&w, der, der_len) : LIMBIC_OK;
        if (!status)
            status = write_rsa(&w, key, key_len, LIMBIC_RSA_QINV);
        if (status)
            return status;
        if (form == LIMBIC_KEY_PKCS8)
            wrap_pkcs8(&w, (limbic_curve)0);
    }
    return LIMBIC_OK;
}

limbic_status limbic_rsa_public_to_der(limbic_key_form form, uint8_t *der, size_t *der_len, const void *key,
                                       size_t key_len) {
    struct writer w = {NULL, 0};
    if (!der_len || !key || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    if (form != LIMBIC_KEY_SPKI && form != LIMBIC_KEY_TRADITIONAL)
        return LIMBIC_ERR_FORM;
    for (int pass = 0; pass < 2; pass++) {
        limbic_status status = pass ? start(&w, der, der_len) : LIMBIC_OK;
        if (!status)
            status = write_rsa(&w, key, key_len, LIMBIC_RSA_E);
        if (status)
            return status;
        if (form == LIMBIC_KEY_SPKI)
            wrap_spki(&w, (limbic_curve)0);
    }
    return LIMBIC_OK;
}
