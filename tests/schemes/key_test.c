/*
 * Keys as files have them: DER and PEM of ours equal libcrypto's and are read on both sides; tables of faults, each
 * with its status; every prefix, and changes of every byte, beside libcrypto; buffers of every size; PEM texts.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* EC_KEY, RSA */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "limbic/key.h"
#include "tests/check.h"

static const limbic_curve curves[] = {LIMBIC_P256, LIMBIC_P384, LIMBIC_P521, LIMBIC_SM2};
static const int nids[] = {[LIMBIC_P256] = NID_X9_62_prime256v1,
                           [LIMBIC_P384] = NID_secp384r1,
                           [LIMBIC_P521] = NID_secp521r1,
                           [LIMBIC_SM2] = NID_sm2};

enum { ROOM = 20000 }; /* for the PEM of the largest key */
struct bytes {
    size_t n;
    uint8_t p[ROOM];
};

/* A kind of key and a form. */
struct form {
    limbic_key_type type;
    limbic_key_form form;
    int is_private;
    const char *label;
};
static const struct form ec_forms[] = {{LIMBIC_KEY_EC, LIMBIC_KEY_PKCS8, 1, "PRIVATE KEY"},
                                       {LIMBIC_KEY_EC, LIMBIC_KEY_TRADITIONAL, 1, "EC PRIVATE KEY"},
                                       {LIMBIC_KEY_EC, LIMBIC_KEY_SPKI, 0, "PUBLIC KEY"}};
static const struct form rsa_forms[] = {{LIMBIC_KEY_RSA, LIMBIC_KEY_PKCS8, 1, "PRIVATE KEY"},
                                        {LIMBIC_KEY_RSA, LIMBIC_KEY_TRADITIONAL, 1, "RSA PRIVATE KEY"},
                                        {LIMBIC_KEY_RSA, LIMBIC_KEY_SPKI, 0, "PUBLIC KEY"},
                                        {LIMBIC_KEY_RSA, LIMBIC_KEY_TRADITIONAL, 0, "RSA PUBLIC KEY"}};

#define must(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            (void)printf("FAIL: libcrypto: %s\n", #condition);                                               \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static uint8_t next_byte(void) {
    static uint64_t x = 1;
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint8_t)(x >> 56);
}

/* ---- our keys: whatever a form gives ---- */

struct key {
    limbic_curve curve;
    union {
        uint8_t ec[LIMBIC_MAX_POINT_BYTES]; /* private key or point */
        uint64_t rsa[LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)];
    } u;
};

static size_t ec_len(limbic_curve curve, int is_private) {
    return is_private ? limbic_curve_bytes(curve) : 1 + 2 * limbic_curve_bytes(curve);
}

static limbic_status encode(const struct form *f, const struct key *k, uint8_t *der, size_t *der_len) {
    if (f->type == LIMBIC_KEY_EC)
        return f->is_private
                   ? limbic_ec_private_to_der(k->curve, f->form, der, der_len, k->u.ec, ec_len(k->curve, 1))
                   : limbic_ec_public_to_der(k->curve, der, der_len, k->u.ec, ec_len(k->curve, 0));
    return f->is_private ? limbic_rsa_private_to_der(f->form, der, der_len, k->u.rsa, sizeof k->u.rsa)
                         : limbic_rsa_public_to_der(f->form, der, der_len, k->u.rsa, sizeof k->u.rsa);
}

/* Reads from a heap block of the exact size, and checks that a failure leaves the output alone. */
static limbic_status decode(const struct form *f, struct key *k, const uint8_t *der, size_t der_len) {
    uint8_t *exact = malloc(der_len + (der_len == 0)), *in = exact;
    limbic_status status;
    must(exact);
    if (der_len)
        memcpy(exact, der, der_len);
    if (f->type == LIMBIC_KEY_EC) {
        const size_t n = ec_len(k->curve, f->is_private);
        memset(k->u.ec, 0xa5, sizeof k->u.ec);
        status = f->is_private ? limbic_ec_private_from_der(k->curve, k->u.ec, n, in, der_len)
                               : limbic_ec_public_from_der(k->curve, k->u.ec, n, in, der_len);
        int clean = 1;
        for (size_t i = status ? 0 : n; i < sizeof k->u.ec; i++)
            clean &= k->u.ec[i] == 0xa5;
        if (!clean)
            check(0, "EC: output touched, status %d", status);
    } else {
        memset(k->u.rsa, 0xa5, sizeof k->u.rsa);
        status = f->is_private ? limbic_rsa_private_from_der(k->u.rsa, sizeof k->u.rsa, in, der_len)
                               : limbic_rsa_public_from_der(k->u.rsa, sizeof k->u.rsa, in, der_len);
        int clean = 1;
        for (size_t i = 0; status && i < sizeof k->u.rsa; i++)
            clean &= ((const uint8_t *)k->u.rsa)[i] == 0xa5;
        if (!clean)
            check(0, "RSA: output touched, status %d", status);
    }
    free(exact);
    return status;
}

/* ---- libcrypto's keys ---- */

/* With the conversion form of the point and the flags EC_PKEY_NO_PARAMETERS, EC_PKEY_NO_PUBKEY. */
static EVP_PKEY *ec_key(limbic_curve curve, const uint8_t *d, point_conversion_form_t form, unsigned flags) {
    EC_KEY *ec = EC_KEY_new_by_curve_name(nids[curve]);
    BIGNUM *x = BN_bin2bn(d, (int)limbic_curve_bytes(curve), NULL);
    EVP_PKEY *key = EVP_PKEY_new();
    must(ec && x && key);
    EC_POINT *point = EC_POINT_new(EC_KEY_get0_group(ec));
    must(point && EC_POINT_mul(EC_KEY_get0_group(ec), point, x, NULL, NULL, NULL));
    must(EC_KEY_set_private_key(ec, x) && EC_KEY_set_public_key(ec, point));
    EC_KEY_set_conv_form(ec, form);
    EC_KEY_set_enc_flags(ec, flags);
    must(EVP_PKEY_assign_EC_KEY(key, ec));
    EC_POINT_free(point);
    BN_clear_free(x);
    return key;
}

static void from_libcrypto(struct bytes *out, int n, unsigned char *der) {
    must(n > 0 && n <= ROOM);
    out->n = (size_t)n;
    memcpy(out->p, der, out->n);
    OPENSSL_free(der);
}

static void libcrypto_der(struct bytes *out, const struct form *f, EVP_PKEY *key) {
    unsigned char *der = NULL;
    int n;
    if (f->form == LIMBIC_KEY_SPKI) {
        n = i2d_PUBKEY(key, &der);
    } else if (f->form == LIMBIC_KEY_PKCS8) {
        PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
        must(info);
        n = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
        PKCS8_PRIV_KEY_INFO_free(info);
    } else if (f->type == LIMBIC_KEY_EC) {
        n = i2d_ECPrivateKey(EVP_PKEY_get0_EC_KEY(key), &der);
    } else if (f->is_private) {
        n = i2d_RSAPrivateKey(EVP_PKEY_get0_RSA(key), &der);
    } else {
        n = i2d_RSAPublicKey(EVP_PKEY_get0_RSA(key), &der);
    }
    from_libcrypto(out, n, der);
}

static void libcrypto_pem(struct bytes *out, const char *label, const struct bytes *der) {
    BIO *bio = BIO_new(BIO_s_mem());
    char *text;
    must(bio && PEM_write_bio(bio, label, "", der->p, (long)der->n) > 0);
    const long n = BIO_get_mem_data(bio, &text);
    must(n > 0 && n <= ROOM);
    out->n = (size_t)n;
    memcpy(out->p, text, out->n);
    BIO_free(bio);
}

/* libcrypto reads the same PEM text as the same key. */
static int libcrypto_reads(const struct form *f, const struct bytes *pem, const EVP_PKEY *key) {
    BIO *bio = BIO_new_mem_buf(pem->p, (int)pem->n);
    EVP_PKEY *got = NULL;
    must(bio);
    if (f->is_private) {
        got = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    } else if (f->form == LIMBIC_KEY_SPKI) {
        got = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
    } else {
        RSA *rsa = PEM_read_bio_RSAPublicKey(bio, NULL, NULL, NULL);
        got = EVP_PKEY_new();
        must(got);
        if (!rsa || !EVP_PKEY_assign_RSA(got, rsa)) {
            EVP_PKEY_free(got);
            got = NULL;
        }
    }
    BIO_free(bio);
    const int same = got && EVP_PKEY_eq(got, key) == 1;
    EVP_PKEY_free(got);
    return same;
}

/* ---- one key in one form ---- */

/* DER into buffers of every size that matters: nothing is written unless all is. */
static void test_room(const char *what, const struct form *f, const struct key *k, const struct bytes *want,
                      size_t step) {
    static uint8_t der[ROOM];
    size_t len = 0;
    check(encode(f, k, NULL, &len) == LIMBIC_ERR_BUFFER && len == want->n, "%s, %s: size asked for", what,
          f->label);
    for (size_t room = 0; room <= want->n + 1; room += room + step < want->n - 1 ? step : 1) {
        int clean = 1;
        memset(der, 0xa5, sizeof der);
        len = room;
        const limbic_status status = encode(f, k, der, &len);
        for (size_t i = status ? 0 : want->n; i < sizeof der; i++)
            clean &= der[i] == 0xa5;
        check(status == (room < want->n ? LIMBIC_ERR_BUFFER : LIMBIC_OK) && len == want->n && clean,
              "%s, %s: room %zu of %zu: status %d, length %zu%s", what, f->label, room, want->n, status, len,
              clean ? "" : ", touched");
    }
}

/* Ours equals libcrypto's in DER and PEM, and each reads the other's. k: the key in our form. */
static void test_form(const char *what, const struct form *f, struct key *k, EVP_PKEY *theirs, size_t bits) {
    static struct bytes want, pem, ours, back;
    static struct key again;
    limbic_key_info info;

    libcrypto_der(&want, f, theirs);
    ours.n = sizeof ours.p;
    limbic_status status = encode(f, k, ours.p, &ours.n);
    check(!status && ours.n == want.n && !memcmp(ours.p, want.p, want.n), "%s, %s: DER, status %d", what,
          f->label, status);
    again.curve = k->curve;
    status = decode(f, &again, want.p, want.n);
    ours.n = sizeof ours.p;
    check(!status && !encode(f, &again, ours.p, &ours.n) && ours.n == want.n &&
              !memcmp(ours.p, want.p, want.n),
          "%s, %s: DER read, status %d", what, f->label, status);
    memset(&info, 0xa5, sizeof info);
    status = limbic_key_inspect(&info, want.p, want.n);
    check(!status && info.type == f->type && info.is_private == f->is_private && info.curve == k->curve &&
              info.bits == bits,
          "%s, %s: inspect, status %d", what, f->label, status);

    libcrypto_pem(&pem, f->label, &want);
    ours.n = sizeof ours.p;
    status = limbic_pem_encode(ours.p, &ours.n, f->label, want.p, want.n);
    check(!status && ours.n == pem.n && !memcmp(ours.p, pem.p, pem.n), "%s, %s: PEM, status %d", what,
          f->label, status);
    back.n = sizeof back.p;
    status = limbic_pem_decode(back.p, &back.n, pem.p, pem.n);
    check(!status && back.n == want.n && !memcmp(back.p, want.p, want.n), "%s, %s: PEM read, status %d", what,
          f->label, status);
    check(libcrypto_reads(f, &ours, theirs), "%s, %s: libcrypto reads it", what, f->label);
}

static EVP_PKEY *libcrypto_key(const struct form *f, const uint8_t *der, size_t n) {
    if (f->form == LIMBIC_KEY_SPKI)
        return d2i_PUBKEY(NULL, &der, (long)n);
    return f->is_private ? d2i_AutoPrivateKey(NULL, &der, (long)n)
                         : d2i_PublicKey(EVP_PKEY_RSA, NULL, &der, (long)n);
}

/* Whether libcrypto takes a changed encoding that ours took, and sees the same key in it. */
static int libcrypto_agrees(const struct form *f, const struct key *k, const uint8_t *der, size_t n) {
    static struct bytes ours, theirs;
    ours.n = sizeof ours.p;
    if (encode(f, k, ours.p, &ours.n))
        return 0;
    EVP_PKEY *a = libcrypto_key(f, der, n), *b = libcrypto_key(f, ours.p, ours.n);
    int same = a && b && EVP_PKEY_eq(a, b) == 1;
    if (same && f->type == LIMBIC_KEY_RSA) {
        libcrypto_der(&theirs, f, a);
        same = ours.n == theirs.n && !memcmp(ours.p, theirs.p, ours.n);
    }
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    return same;
}

/* Marks headers, the first bytes of numbers and points, and short contents of the elements of der[at..end). */
static void mark_framing(uint8_t *marks, const uint8_t *der, size_t at, size_t end) {
    while (at + 2 <= end) {
        size_t contents = at + 2, n = der[at + 1];
        if (n >= 0x80) {
            contents += n & 0x7f;
            n = 0;
            for (size_t i = at + 2; i < contents && i < end; i++)
                n = n << 8 | der[i];
        }
        if (contents > end || n > end - contents)
            return;
        memset(marks + at, 1, contents - at + (n < 12 ? n : der[at] == 2 || der[at] == 3 ? 2 : 0));
        const size_t inner = contents + (der[at] == 3);
        if (der[at] & 0x20 || ((der[at] == 3 || der[at] == 4) && inner < end && der[inner] == 0x30))
            mark_framing(marks, der, inner, contents + n);
        at = contents + n;
    }
}

/* Each prefix; a byte more; each byte changed: the framing to every value, numbers and points in one bit. */
static void test_changes(const char *what, const struct form *f, limbic_curve curve,
                         const struct bytes *der) {
    static struct key k;
    static uint8_t changed[ROOM], marks[ROOM];
    limbic_key_info info, none;
    unsigned long before = failed;
    k.curve = curve;
    memset(&none, 0xa5, sizeof none);
    for (size_t i = 0; i < der->n; i++) {
        uint8_t *exact = malloc(i + (i == 0));
        must(exact);
        memcpy(exact, der->p, i);
        info = none;
        const limbic_status inspected = limbic_key_inspect(&info, exact, i), status = decode(f, &k, exact, i);
        if (inspected != LIMBIC_ERR_DER || status != LIMBIC_ERR_DER || memcmp(&info, &none, sizeof info) != 0)
            check(0, "%s, %s: cut to %zu bytes: status %d, %d", what, f->label, i, inspected, status);
        free(exact);
    }
    memcpy(changed, der->p, der->n);
    changed[der->n] = 0;
    check(decode(f, &k, changed, der->n + 1) == LIMBIC_ERR_DER, "%s, %s: a byte after it", what, f->label);
    memset(marks, 0, sizeof marks);
    mark_framing(marks, der->p, 0, der->n);
    for (size_t i = 0; i < der->n; i++)
        for (unsigned v = 1; v < 256; v = marks[i] ? v + 1 : 256) {
            const uint8_t by = (uint8_t)(marks[i] ? v : 1U << (i % 8));
            memcpy(changed, der->p, der->n);
            changed[i] ^= by;
            const limbic_status inspected = limbic_key_inspect(&info, changed, der->n);
            const limbic_status status = decode(f, &k, changed, der->n);
            if (status)
                continue;
            if (inspected)
                check(0, "%s, %s: byte %zu ^ %02x: read but not inspected", what, f->label, i, by);
            if (!libcrypto_agrees(f, &k, changed, der->n))
                check(0, "%s, %s: byte %zu ^ %02x: read, but not by libcrypto", what, f->label, i, by);
        }
    check(failed == before, "%s, %s: changes", what, f->label);
}

/* ---- EC ---- */

static void put_number(uint8_t *out, size_t n, const BIGNUM *x) {
    must(BN_bn2binpad(x, out, (int)n) == (int)n);
}

static void order_of(BIGNUM *n, limbic_curve curve) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(nids[curve]);
    must(group && BN_copy(n, EC_GROUP_get0_order(group)));
    EC_GROUP_free(group);
}

static void test_ec_key(limbic_curve curve, const uint8_t *d, int number) {
    static struct key private_key, public_key, got;
    static struct bytes der;
    const size_t n = limbic_curve_bytes(curve);
    char what[32];
    (void)snprintf(what, sizeof what, "%s key %d", limbic_curve_name(curve), number);
    private_key.curve = public_key.curve = got.curve = curve;
    memcpy(private_key.u.ec, d, n);
    must(limbic_ec_public_key(curve, public_key.u.ec, 1 + 2 * n, d, n) == LIMBIC_OK);
    EVP_PKEY *theirs = ec_key(curve, d, POINT_CONVERSION_UNCOMPRESSED, 0);
    for (size_t i = 0; i < 3; i++)
        test_form(what, &ec_forms[i], ec_forms[i].is_private ? &private_key : &public_key, theirs, 0);
    EVP_PKEY_free(theirs);

    /* other forms of libcrypto's: a compressed point, no point, no parameters */
    for (unsigned flags = 0; flags < 8; flags++) {
        theirs = ec_key(curve, d, flags & 4 ? POINT_CONVERSION_COMPRESSED : POINT_CONVERSION_UNCOMPRESSED,
                        (flags & 1 ? EC_PKEY_NO_PARAMETERS : 0) | (flags & 2 ? EC_PKEY_NO_PUBKEY : 0));
        for (size_t i = 0; i < 3; i++) {
            const struct form *f = &ec_forms[i];
            const struct key *want = f->is_private ? &private_key : &public_key;
            libcrypto_der(&der, f, theirs);
            const limbic_status status = decode(f, &got, der.p, der.n);
            if (f->form == LIMBIC_KEY_TRADITIONAL && flags & 1)
                check(status == LIMBIC_ERR_ALGORITHM, "%s, %s without parameters: status %d", what, f->label,
                      status);
            else
                check(!status && !memcmp(got.u.ec, want->u.ec, ec_len(curve, f->is_private)),
                      "%s, %s, variant %u: status %d", what, f->label, flags, status);
            if (number == 0 && (flags == 0 || flags == (f->is_private ? 2U : 4U)))
                test_changes(what, f, curve, &der);
        }
        if (flags == 4) { /* the form of a point is kept */
            uint8_t point[LIMBIC_MAX_POINT_BYTES];
            size_t len = sizeof point, room = sizeof got.u;
            must(!limbic_ec_convert(curve, LIMBIC_COMPRESSED, point, &len, public_key.u.ec, 1 + 2 * n));
            const limbic_status status =
                limbic_ec_public_to_der(curve, (uint8_t *)got.u.rsa, &room, point, len);
            check(!status && room == der.n && !memcmp(got.u.rsa, der.p, room),
                  "%s: compressed point, status %d", what, status);
        }
        EVP_PKEY_free(theirs);
    }
    if (number == 0)
        for (size_t i = 0; i < 3; i++) {
            theirs = ec_key(curve, d, POINT_CONVERSION_UNCOMPRESSED, 0);
            libcrypto_der(&der, &ec_forms[i], theirs);
            test_room(what, &ec_forms[i], ec_forms[i].is_private ? &private_key : &public_key, &der, 1);
            EVP_PKEY_free(theirs);
        }
}

static void test_ec(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    uint8_t d[LIMBIC_MAX_BYTES];
    BIGNUM *order = BN_new();
    int number = 0;
    must(order);
    order_of(order, curve);
    for (size_t zeros = 1; zeros <= n; zeros += zeros < 3 ? 1 : n - 4) { /* leading zero bytes */
        for (size_t i = 0; i < n; i++)
            d[i] = i < zeros ? 0 : next_byte();
        d[n - 1] |= 1;
        test_ec_key(curve, d, number++);
    }
    must(BN_sub_word(order, curve == LIMBIC_SM2 ? 2 : 1));
    put_number(d, n, order); /* the largest */
    test_ec_key(curve, d, number++);
    must(BN_rshift1(order, order));
    put_number(d, n, order);
    test_ec_key(curve, d, number++);
    BN_free(order);
}

/* ---- encodings written out ---- */

/* Hexadecimal digits; "xx( ... )" is an element of tag xx, "1f(" not being used here; spaces are skipped. */
static size_t assemble(uint8_t *out, const char **text) {
    size_t n = 0;
    while (**text && **text != ')') {
        unsigned byte;
        if (**text == ' ') {
            ++*text;
        } else if (**text == '(') {
            uint8_t *inner = malloc(ROOM);
            must(inner);
            ++*text;
            const size_t length = assemble(inner, text);
            must(**text == ')' && length < 0x10000);
            ++*text;
            if (length >= 0x80)
                out[n++] = (uint8_t)(length < 0x100 ? 0x81 : 0x82);
            if (length >= 0x100)
                out[n++] = (uint8_t)(length >> 8);
            out[n++] = (uint8_t)length;
            memcpy(out + n, inner, length);
            n += length;
            free(inner);
        } else {
            must(sscanf(*text, "%2x", &byte) == 1);
            out[n++] = (uint8_t)byte;
            *text += 2;
        }
    }
    return n;
}

static void assemble_all(struct bytes *out, const char *text) {
    out->n = assemble(out->p, &text);
    must(!*text);
}

#define EC      "06072a8648ce3d0201 "
#define P256    "06082a8648ce3d030107 "
#define P384    "06052b81040022 "
#define SM2     "06082a811ccf5501822d "
#define ED25519 "06032b6570 "
#define RSA_OID "06092a864886f70d010101 "
#define PSS_OID "06092a864886f70d01010a "
#define ZERO_31 "00000000000000000000000000000000000000000000000000000000000000"
#define ONE     ZERO_31 "01 "
#define ORDER   "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551 "
#define GX      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
#define GY      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
#define MINUS   "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a" /* p - GY */
#define G       "04" GX GY " "
#define G_SHORT "03" GX " "

#define SEC1(d, rest)                     "30(020101 04(" d ") " rest ") "
#define PARAMETERS(curve)                 "a0(" curve ") "
#define POINT(point)                      "a1(03(00 " point ")) "
#define PKCS8(algorithm, inner, rest)     "30(020100 30(" algorithm ") 04(" inner ") " rest ") "
#define VERSION_1(algorithm, inner, rest) "30(020101 30(" algorithm ") 04(" inner ") " rest ") "
#define SPKI(algorithm, point)            "30(30(" algorithm ") 03(00 " point ")) "
#define ATTRIBUTES                        "a0(30(0603550403 31(0c0161))) "
#define NUMBER                            "0202 00c5 "
#define RSA_PUBLIC                        "30(" NUMBER " 0203010001) "
#define RSA_PRIVATE                       "30(020100 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER ") "

/* The status of limbic_key_inspect and of reading: as an EC key of P-256 or as an RSA key, private or public. */
static const struct {
    limbic_status inspected, status;
    const struct form *f;
    const char *what, *text;
} encodings[] = {
#define PRIVATE &ec_forms[0]
#define PUBLIC  &ec_forms[2]
#define OK      LIMBIC_OK
#define DER     LIMBIC_ERR_DER
#define ALG     LIMBIC_ERR_ALGORITHM
    {OK, OK, PRIVATE, "PKCS#8", PKCS8(EC P256, SEC1(ONE, POINT(G)), "")},
    {OK, OK, PRIVATE, "PKCS#8, no public key", PKCS8(EC P256, SEC1(ONE, ""), "")},
    {OK, OK, PRIVATE, "PKCS#8, parameters twice",
     PKCS8(EC P256, SEC1(ONE, PARAMETERS(P256) POINT(G_SHORT)), "")},
    {OK, OK, PRIVATE, "PKCS#8, attributes", PKCS8(EC P256, SEC1(ONE, ""), ATTRIBUTES)},
    {OK, OK, PRIVATE, "PKCS#8, empty attributes", PKCS8(EC P256, SEC1(ONE, ""), "a0() ")},
    {OK, OK, PRIVATE, "version 1", VERSION_1(EC P256, SEC1(ONE, ""), "")},
    {OK, OK, PRIVATE, "version 1, public key", VERSION_1(EC P256, SEC1(ONE, ""), "81(00 " G ")")},
    {OK, OK, PRIVATE, "version 1, everything",
     VERSION_1(EC P256, SEC1(ONE, PARAMETERS(P256) POINT(G)), ATTRIBUTES "81(00 " G_SHORT ")")},
    {OK, OK, PRIVATE, "SEC 1", SEC1(ONE, PARAMETERS(P256) POINT(G))},
    {OK, OK, PRIVATE, "SEC 1, no public key", SEC1(ONE, PARAMETERS(P256))},
    {OK, OK, PUBLIC, "SPKI", SPKI(EC P256, G)},
    {OK, OK, PUBLIC, "SPKI, compressed", SPKI(EC P256, G_SHORT)},
    {OK, OK, PUBLIC, "SPKI, the other point of that x", SPKI(EC P256, "02" GX)},

    {OK, LIMBIC_ERR_PRIVATE_KEY, PRIVATE, "d = 0", PKCS8(EC P256, SEC1(ZERO_31 "00", ""), "")},
    {OK, LIMBIC_ERR_PRIVATE_KEY, PRIVATE, "d = n", PKCS8(EC P256, SEC1(ORDER, ""), "")},
    {OK, LIMBIC_ERR_PRIVATE_KEY, PRIVATE, "d = n, public key of 0",
     SEC1(ORDER, PARAMETERS(P256) POINT("00"))},
    {DER, DER, PRIVATE, "d of 31 bytes", PKCS8(EC P256, SEC1(ZERO_31, ""), "")},
    {DER, DER, PRIVATE, "d of 33 bytes", PKCS8(EC P256, SEC1("00" ONE, ""), "")},
    {DER, DER, PRIVATE, "d of no byte", PKCS8(EC P256, SEC1("", ""), "")},
    {DER, DER, PRIVATE, "d as an INTEGER", PKCS8(EC P256, "30(020101 020101)", "")},
    {DER, DER, PRIVATE, "d as a constructed string", PKCS8(EC P256, "30(020101 24(04(" ONE ")))", "")},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "point of another d",
     PKCS8(EC P256, SEC1(ZERO_31 "02", POINT(G)), "")},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "minus the point", SEC1(ONE, PARAMETERS(P256) POINT("04" GX MINUS))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "minus the point, compressed",
     SEC1(ONE, PARAMETERS(P256) POINT("02" GX))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "hybrid point", SEC1(ONE, PARAMETERS(P256) POINT("07" GX GY))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "point cut short",
     SEC1(ONE, PARAMETERS(P256) POINT("04" GX ZERO_31))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "x alone", SEC1(ONE, PARAMETERS(P256) POINT(GX))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "no byte of a point", SEC1(ONE, PARAMETERS(P256) POINT(""))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "infinity", SEC1(ONE, PARAMETERS(P256) POINT("00"))},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "version 1, wrong point",
     VERSION_1(EC P256, SEC1(ONE, POINT(G)), "81(00 02" GX ")")},
    {OK, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "version 1, wrong point inside",
     VERSION_1(EC P256, SEC1(ONE, POINT("02" GX)), "81(00 " G ")")},
    {ALG, ALG, PRIVATE, "SEC 1, no parameters", SEC1(ONE, POINT(G))},
    {ALG, ALG, PRIVATE, "other parameters inside", PKCS8(EC P256, SEC1(ONE, PARAMETERS(SM2)), "")},
    {ALG, ALG, PRIVATE, "explicit parameters", SEC1(ONE, PARAMETERS("30(020101)"))},
    {ALG, ALG, PRIVATE, "implied parameters", PKCS8(EC "0500", SEC1(ONE, ""), "")},
    {ALG, ALG, PRIVATE, "secp256k1", PKCS8(EC "06052b8104000a", SEC1(ONE, ""), "")},
    {ALG, ALG, PRIVATE, "a longer identifier", PKCS8(EC "06092a8648ce3d03010701", SEC1(ONE, ""), "")},
    {ALG, ALG, PRIVATE, "an empty identifier", PKCS8(EC "0600", SEC1(ONE, ""), "")},
    {ALG, ALG, PRIVATE, "Ed25519", PKCS8(ED25519, "04(" ONE ")", "")},
    {OK, ALG, PRIVATE, "SM2", PKCS8(EC SM2, SEC1(ONE, ""), "")},
    {OK, ALG, PRIVATE, "SM2 as the algorithm too", PKCS8(SM2 SM2, SEC1(ONE, ""), "")},
    {ALG, ALG, PRIVATE, "P-256 of the algorithm SM2", PKCS8(SM2 P256, SEC1(ONE, ""), "")},
    {DER, DER, PRIVATE, "P-384 with d of P-256", PKCS8(EC P384, SEC1(ONE, ""), "")},
    {OK, ALG, PRIVATE, "a public key", SPKI(EC P256, G)},
    {OK, ALG, PRIVATE, "RSA", RSA_PRIVATE},
    {OK, ALG, PRIVATE, "RSA, PKCS#8", PKCS8(RSA_OID "0500", RSA_PRIVATE, "")},
    {LIMBIC_ERR_ENCRYPTED, LIMBIC_ERR_ENCRYPTED, PRIVATE, "encrypted",
     "30(30(06092a864886f70d01050d 3000) 0401ff)"},
    {DER, DER, PRIVATE, "encrypted, and a byte", "30(30(06092a864886f70d01050d 3000) 0401ff 00)"},

    {DER, DER, PRIVATE, "no algorithm", "30(020100 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "no curve", PKCS8(EC, SEC1(ONE, ""), "")},
    {DER, DER, PRIVATE, "something after the curve", PKCS8(EC P256 "0500", SEC1(ONE, ""), "")},
    {DER, DER, PRIVATE, "a number as the curve", PKCS8(EC "020101", SEC1(ONE, ""), "")},
    {DER, DER, PRIVATE, "something after the curve inside", SEC1(ONE, PARAMETERS(P256 "0500"))},
    {DER, DER, PRIVATE, "empty parameters", SEC1(ONE, "a0()")},
    {DER, DER, PRIVATE, "parameters twice inside", SEC1(ONE, PARAMETERS(P256) PARAMETERS(P256))},
    {DER, DER, PRIVATE, "parameters after the point", SEC1(ONE, POINT(G) PARAMETERS(P256))},
    {DER, DER, PRIVATE, "a byte after the point", SEC1(ONE, PARAMETERS(P256) "a1(03(00 " G ") 00)")},
    {DER, DER, PRIVATE, "something after the point", SEC1(ONE, PARAMETERS(P256) POINT(G) "a2(0500)")},
    {DER, DER, PRIVATE, "unused bits in the point", SEC1(ONE, PARAMETERS(P256) "a1(03(01 " G "))")},
    {DER, DER, PRIVATE, "a BIT STRING of no byte", SEC1(ONE, PARAMETERS(P256) "a1(03())")},
    {DER, DER, PRIVATE, "an OCTET STRING for a point", SEC1(ONE, PARAMETERS(P256) "a1(04(00 " G "))")},
    {DER, DER, PRIVATE, "SEC 1 version 0", "30(020100 04(" ONE ") " PARAMETERS(P256) ")"},
    {DER, DER, PRIVATE, "SEC 1 version 2", "30(020102 04(" ONE ") " PARAMETERS(P256) ")"},
    {DER, DER, PRIVATE, "SEC 1 version 257", "30(02020101 04(" ONE ") " PARAMETERS(P256) ")"},
    {DER, DER, PRIVATE, "SEC 1 version with a zero before", "30(02020001 04(" ONE ") " PARAMETERS(P256) ")"},
    {DER, DER, PRIVATE, "SEC 1 version of no byte", "30(0200 04(" ONE ") " PARAMETERS(P256) ")"},
    {DER, DER, PRIVATE, "SEC 1 in an OCTET STRING too long", PKCS8(EC P256, SEC1(ONE, "") "00", "")},
    {DER, DER, PRIVATE, "PKCS#8 version 2", "30(020102 30(" EC P256 ") 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "PKCS#8 version -1", "30(0201ff 30(" EC P256 ") 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "PKCS#8 version 256", "30(02020100 30(" EC P256 ") 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "version 0 with a public key", PKCS8(EC P256, SEC1(ONE, ""), "81(00 " G ")")},
    {DER, DER, PRIVATE, "public key of unused bits", VERSION_1(EC P256, SEC1(ONE, ""), "81(07 " G ")")},
    {DER, DER, PRIVATE, "explicit public key", VERSION_1(EC P256, SEC1(ONE, ""), "a1(03(00 " G "))")},
    {DER, DER, PRIVATE, "public key before attributes",
     VERSION_1(EC P256, SEC1(ONE, ""), "81(00 " G ") a0()")},
    {DER, DER, PRIVATE, "attributes twice", PKCS8(EC P256, SEC1(ONE, ""), "a0() a0()")},
    {DER, DER, PRIVATE, "attributes that are none", PKCS8(EC P256, SEC1(ONE, ""), "a0(0500)")},
    {DER, DER, PRIVATE, "attributes cut short", PKCS8(EC P256, SEC1(ONE, ""), "a0(3005)")},
    {DER, DER, PRIVATE, "primitive attributes", PKCS8(EC P256, SEC1(ONE, ""), "8000")},
    {DER, DER, PRIVATE, "a byte in the PKCS#8", PKCS8(EC P256, SEC1(ONE, ""), "00")},
    {DER, DER, PRIVATE, "a byte after the PKCS#8", PKCS8(EC P256, SEC1(ONE, ""), "") "00"},
    {DER, DER, PRIVATE, "a byte after the SEC 1", SEC1(ONE, PARAMETERS(P256)) "00"},
    {DER, DER, PRIVATE, "indefinite length", "3080 020100 30(" EC P256 ") 04(" SEC1(ONE, "") ") 0000"},
    {DER, DER, PRIVATE, "long form of a short length",
     "3081 41 020100 30(" EC P256 ") 04(" SEC1(ONE, "") ")"},
    {DER, DER, PRIVATE, "long form inside", "30(020100 308113 " EC P256 " 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "a set", "31(020100 30(" EC P256 ") 04(" SEC1(ONE, "") "))"},
    {DER, DER, PRIVATE, "nothing", ""},
    {DER, DER, PRIVATE, "an empty sequence", "3000"},
    {DER, DER, PRIVATE, "a version alone", "30(020100)"},
    {DER, DER, PRIVATE, "RSA with an EC key inside", PKCS8(RSA_OID "0500", SEC1(ONE, PARAMETERS(P256)), "")},
    {DER, DER, PRIVATE, "EC with an RSA key inside", PKCS8(EC P256, RSA_PRIVATE, "")},

    {OK, LIMBIC_ERR_NOT_ON_CURVE, PUBLIC, "off the curve", SPKI(EC P256, "04" GY GX)},
    {OK, LIMBIC_ERR_COORDINATE, PUBLIC, "x = p",
     SPKI(EC P256, "02 ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")},
    {OK, LIMBIC_ERR_INFINITY, PUBLIC, "infinity", SPKI(EC P256, "00")},
    {OK, LIMBIC_ERR_LENGTH, PUBLIC, "no byte of a point", SPKI(EC P256, "")},
    {OK, LIMBIC_ERR_LENGTH, PUBLIC, "a byte after the point", SPKI(EC P256, G "00")},
    {OK, LIMBIC_ERR_POINT_FORM, PUBLIC, "hybrid point", SPKI(EC P256, "07" GX GY)},
    {OK, ALG, PUBLIC, "SM2", SPKI(EC SM2, G)},
    {OK, ALG, PUBLIC, "SM2 as the algorithm too", SPKI(SM2 SM2, G)},
    {OK, ALG, PUBLIC, "a private key", PKCS8(EC P256, SEC1(ONE, POINT(G)), "")},
    {OK, ALG, PUBLIC, "RSA", SPKI(RSA_OID "0500", RSA_PUBLIC)},
    {ALG, ALG, PUBLIC, "explicit parameters", SPKI(EC "30(020101)", G)},
    {ALG, ALG, PUBLIC, "Ed25519", SPKI(ED25519, GX)},
    {DER, DER, PUBLIC, "unused bits", "30(30(" EC P256 ") 03(01" G "))"},
    {DER, DER, PUBLIC, "constructed string", "30(30(" EC P256 ") 23(03(00" G ")))"},
    {DER, DER, PUBLIC, "something after the string", "30(30(" EC P256 ") 03(00" G ") 0500)"},
    {DER, DER, PUBLIC, "a byte after it", SPKI(EC P256, G) "00"},
    {DER, DER, PUBLIC, "no key", "30(30(" EC P256 "))"},
#undef PRIVATE
#undef PUBLIC
#define PRIVATE &rsa_forms[0]
#define PUBLIC  &rsa_forms[2]
#define SIZE    LIMBIC_ERR_KEY_SIZE /* the encoding passes, 8 bits do not */
    {OK, SIZE, PRIVATE, "PKCS#1", RSA_PRIVATE},
    {OK, SIZE, PRIVATE, "PKCS#8", PKCS8(RSA_OID "0500", RSA_PRIVATE, ATTRIBUTES)},
    {OK, SIZE, PRIVATE, "version 1, public key",
     VERSION_1(RSA_OID "0500", RSA_PRIVATE, "81(00 30(" NUMBER NUMBER "))")},
    {OK, SIZE, PUBLIC, "PKCS#1 public", RSA_PUBLIC},
    {OK, SIZE, PUBLIC, "SPKI", SPKI(RSA_OID "0500", RSA_PUBLIC)},
    {LIMBIC_ERR_PUBLIC_KEY, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "version 1, other modulus",
     VERSION_1(RSA_OID "0500", RSA_PRIVATE, "81(00 30(0202 00c7" NUMBER "))")},
    {LIMBIC_ERR_PUBLIC_KEY, LIMBIC_ERR_PUBLIC_KEY, PRIVATE, "version 1, other exponent",
     VERSION_1(RSA_OID "0500", RSA_PRIVATE, "81(00 " RSA_PUBLIC ")")},
    {DER, DER, PRIVATE, "version 1, no public key in it",
     VERSION_1(RSA_OID "0500", RSA_PRIVATE, "81(00 30(" NUMBER "))")},
    {ALG, ALG, PRIVATE, "three primes",
     "30(020101 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER " 30(30(" NUMBER NUMBER NUMBER
     ")))"},
    {DER, DER, PRIVATE, "three primes, version 0",
     "30(020100 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER " 30(30(" NUMBER NUMBER NUMBER
     ")))"},
    {DER, DER, PRIVATE, "version 2",
     "30(020102 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER ")"},
    {DER, DER, PRIVATE, "seven numbers", "30(020100 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER ")"},
    {DER, DER, PRIVATE, "nine numbers",
     "30(020100 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER ")"},
    {DER, DER, PRIVATE, "negative d",
     "30(020100 " NUMBER NUMBER "0201c5" NUMBER NUMBER NUMBER NUMBER NUMBER ")"},
    {DER, DER, PRIVATE, "a zero before d",
     "30(020100 " NUMBER NUMBER "0202007f" NUMBER NUMBER NUMBER NUMBER NUMBER ")"},
    {DER, DER, PRIVATE, "qinv of no byte",
     "30(020100 " NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER "0200)"},
    {DER, DER, PRIVATE, "a byte after it", RSA_PRIVATE "00"},
    {DER, DER, PRIVATE, "a byte after it in PKCS#8", PKCS8(RSA_OID "0500", RSA_PRIVATE "00", "")},
    {DER, DER, PRIVATE, "no parameters", PKCS8(RSA_OID, RSA_PRIVATE, "")},
    {DER, DER, PRIVATE, "a NULL of one byte", PKCS8(RSA_OID "050100", RSA_PRIVATE, "")},
    {DER, DER, PRIVATE, "something after NULL", PKCS8(RSA_OID "0500 0500", RSA_PRIVATE, "")},
    {ALG, ALG, PRIVATE, "PSS", PKCS8(PSS_OID "3000", RSA_PRIVATE, "")},
    {ALG, ALG, PUBLIC, "PSS", SPKI(PSS_OID, RSA_PUBLIC)},
    {OK, ALG, PRIVATE, "public", SPKI(RSA_OID "0500", RSA_PUBLIC)},
    {OK, ALG, PUBLIC, "private", RSA_PRIVATE},
    {OK, ALG, PRIVATE, "EC", SEC1(ONE, PARAMETERS(P256))},
    {DER, DER, PUBLIC, "no parameters", SPKI(RSA_OID, RSA_PUBLIC)},
    {DER, DER, PUBLIC, "one number", SPKI(RSA_OID "0500", "30(" NUMBER ")")},
    {DER, DER, PUBLIC, "three numbers", SPKI(RSA_OID "0500", "30(" NUMBER NUMBER NUMBER ")")},
    {DER, DER, PUBLIC, "negative modulus", SPKI(RSA_OID "0500", "30(0201c5" NUMBER ")")},
    {DER, DER, PUBLIC, "negative exponent", "30(" NUMBER "0201ff)"},
    {DER, DER, PUBLIC, "a byte after it", RSA_PUBLIC "00"},
    {DER, DER, PUBLIC, "a byte after it in SPKI", SPKI(RSA_OID "0500", RSA_PUBLIC "00")},
    {OK, SIZE, PUBLIC, "modulus 0", SPKI(RSA_OID "0500", "30(020100" NUMBER ")")},
#undef PRIVATE
#undef PUBLIC
#undef OK
#undef DER
#undef ALG
#undef SIZE
};

static void test_encodings(void) {
    static struct bytes der;
    static struct key k;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        const char *kind = encodings[i].f->type == LIMBIC_KEY_EC ? "EC" : "RSA";
        limbic_key_info info;
        assemble_all(&der, encodings[i].text);
        uint8_t *exact = malloc(der.n + (der.n == 0));
        must(exact);
        memcpy(exact, der.p, der.n);
        const limbic_status inspected = limbic_key_inspect(&info, exact, der.n);
        free(exact);
        k.curve = LIMBIC_P256;
        const limbic_status status = decode(encodings[i].f, &k, der.p, der.n);
        check(inspected == encodings[i].inspected && status == encodings[i].status,
              "%s, %s: status %d and %d, expected %d and %d", kind, encodings[i].what, inspected, status,
              encodings[i].inspected, encodings[i].status);
    }
    /* SM2: its last private key is n - 2; either algorithm identifier */
    static const char *const bad[] = {ZERO_31 "00",
                                      "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122",
                                      "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123",
                                      "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54124"};
    char text[512];
    k.curve = LIMBIC_SM2;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)snprintf(text, sizeof text, PKCS8(EC SM2, SEC1("%s", ""), ""), bad[i]);
        assemble_all(&der, text);
        check(decode(&ec_forms[0], &k, der.p, der.n) == LIMBIC_ERR_PRIVATE_KEY, "SM2: private key %s",
              bad[i]);
    }
    assemble_all(&der, PKCS8(SM2 SM2, SEC1(ONE, PARAMETERS(SM2)), ""));
    check(decode(&ec_forms[0], &k, der.p, der.n) == LIMBIC_OK && k.u.ec[31] == 1, "SM2 as the algorithm too");
    limbic_key_info info;
    check(!limbic_key_inspect(&info, der.p, der.n) && info.type == LIMBIC_KEY_EC && info.is_private &&
              info.curve == LIMBIC_SM2 && info.bits == 0,
          "SM2: inspect");
    /* the number of bits */
    static const struct {
        size_t bits;
        const char *number;
    } moduli[] = {{0, "020100"},    {1, "020101"},   {7, "02017f"},
                  {8, "020200 80"}, {9, "02020100"}, {15, "02027fff"}};
    for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++) {
        (void)snprintf(text, sizeof text, SPKI(RSA_OID "0500", "30(%s" NUMBER ")"), moduli[i].number);
        assemble_all(&der, text);
        check(!limbic_key_inspect(&info, der.p, der.n) && info.type == LIMBIC_KEY_RSA && !info.is_private &&
                  info.curve == 0 && info.bits == moduli[i].bits,
              "RSA: a modulus of %zu bits", moduli[i].bits);
    }
}

/* ---- RSA ---- */

enum { PARTS = 8 }; /* n, e, d, p, q, dp, dq, qinv */

/* All parts of the key of p and q; libcrypto's d is e's inverse modulo lcm(p - 1, q - 1). */
static void rsa_parts(BIGNUM *x[PARTS], const BIGNUM *p, const BIGNUM *q, const BIGNUM *e) {
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *p1 = BN_dup(p), *q1 = BN_dup(q), *lcm = BN_new(), *gcd = BN_new();
    must(ctx && p1 && q1 && lcm && gcd && BN_sub_word(p1, 1) && BN_sub_word(q1, 1));
    for (int i = 0; i < PARTS; i++)
        must((x[i] = BN_new()) != NULL);
    must(BN_copy(x[1], e) && BN_copy(x[3], p) && BN_copy(x[4], q) && BN_mul(x[0], p, q, ctx));
    must(BN_gcd(gcd, p1, q1, ctx) && BN_mul(lcm, p1, q1, ctx) && BN_div(lcm, NULL, lcm, gcd, ctx));
    must(BN_mod_inverse(x[2], e, lcm, ctx) && BN_mod_inverse(x[7], q, p, ctx));
    must(BN_mod(x[5], x[2], p1, ctx) && BN_mod(x[6], x[2], q1, ctx));
    BN_free(p1);
    BN_free(q1);
    BN_free(lcm);
    BN_free(gcd);
    BN_CTX_free(ctx);
}

/* Frees the parts. */
static EVP_PKEY *rsa_key(BIGNUM *x[PARTS]) {
    RSA *rsa = RSA_new();
    EVP_PKEY *key = EVP_PKEY_new();
    must(rsa && key && RSA_set0_key(rsa, x[0], x[1], x[2]) && RSA_set0_factors(rsa, x[3], x[4]));
    must(RSA_set0_crt_params(rsa, x[5], x[6], x[7]) && EVP_PKEY_assign_RSA(key, rsa));
    return key;
}

/* An odd number of so many bits, the upper two set, without a factor below 752, and 1 above one prime to e. Reading a
 * key does not ask for primes: so keys of any size are at hand at once. */
static void rsa_factor(BIGNUM *p, int bits, const BIGNUM *e) {
    static uint8_t buffer[2048];
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *p1 = BN_new(), *gcd = BN_new();
    must(ctx && p1 && gcd);
    for (int i = 0; i < (bits + 7) / 8; i++)
        buffer[i] = next_byte();
    must(BN_bin2bn(buffer, (bits + 7) / 8, p));
    (void)BN_mask_bits(p, bits);
    must(BN_set_bit(p, bits - 1) && BN_set_bit(p, bits - 2) && BN_set_bit(p, 0));
    for (;; BN_add_word(p, 2)) {
        unsigned factor = 3;
        while (factor < 752 && BN_mod_word(p, factor))
            factor += 2;
        must(BN_sub(p1, p, BN_value_one()) && BN_gcd(gcd, p1, e, ctx));
        if (factor >= 752 && BN_is_one(gcd))
            break;
    }
    BN_free(p1);
    BN_free(gcd);
    BN_CTX_free(ctx);
}

/* Two primes of 1024 bits. */
static const char
    prime_p[] =
        "fc19685eebb0fa180b193d7692513a18dd58f3ae800af41a0721692d2de90bf0fc14125990fcb46055a154558efd9b7c"
        "15a4875da3393e8cf940e72d2980a39e5affdd7d14f2619bb234bda1c75668a63dfaaf2b0f44fb3e9f7e86759ca3fd04"
        "1d799e184efc3c42c42ae01af50ce6f0dfc2916d0071f7ee2fd578e54b8fc92d",
    prime_q[] =
        "cc5de5dae8aac6adfe76c6180e77424bc990202d78d348dea137697ca08e271f7d6a60e47f4acd38ba4219bde208620f"
        "377ac84b9d3d70ba971cfcc6d87c91ba0a7e10acdbcd57dde632efde631d1846bce6f5c7fe73e531e8bec8da883db608"
        "a55143146935d1e73227c22f48fa316e3cfc0c72bec894e24ec1e7c6bca15641";

/* Each number of a private key replaced by another: none may pass. */
static void test_wrong_numbers(const BIGNUM *p, const BIGNUM *q, const BIGNUM *e) {
    static const char *const names[] = {"n", "e", "d", "p", "q", "dp", "dq", "qinv"};
    static struct bytes der;
    static struct key k;
    for (int i = 0; i < PARTS; i++)
        for (int change = 0; change < 6; change++) {
            BIGNUM *x[PARTS];
            rsa_parts(x, p, q, e);
            switch (change) {
            case 0:
                BN_zero(x[i]);
                break;
            case 1:
                must(BN_one(x[i]));
                break;
            case 2:
                must(BN_add_word(x[i], 2));
                break;
            case 3: /* a byte longer */
                must(BN_lshift(x[i], x[i], 8));
                break;
            case 4:
                must(BN_copy(x[i], x[3 + (i == 3)]));
                break;
            default: /* many bytes longer */
                must(BN_set_bit(x[i], 17000));
                break;
            }
            EVP_PKEY *key = rsa_key(x);
            for (size_t f = 0; f < 2; f++) {
                libcrypto_der(&der, &rsa_forms[f], key);
                const limbic_status status = decode(&rsa_forms[f], &k, der.p, der.n);
                check(status == LIMBIC_ERR_PRIVATE_KEY || status == LIMBIC_ERR_PUBLIC_KEY ||
                          (status == LIMBIC_ERR_KEY_SIZE && i == 0),
                      "RSA, %s: wrong %s, change %d: status %d", rsa_forms[f].label, names[i], change,
                      status);
            }
            EVP_PKEY_free(key);
        }
}

/* RFC 5958's public key beside an RSA key: the right one and one of another exponent. */
static void test_rsa_version_1(EVP_PKEY *key) {
    static struct bytes private_key, public_key, der;
    static struct key k;
    static char text[2 * ROOM];
    libcrypto_der(&private_key, &rsa_forms[1], key);
    libcrypto_der(&public_key, &rsa_forms[3], key);
    for (int wrong = 0; wrong < 2; wrong++) {
        size_t at = (size_t)snprintf(text, sizeof text, "30(020101 30(" RSA_OID "0500) 04(");
        public_key.p[public_key.n - 1] ^= (uint8_t)(wrong << 1);
        for (size_t i = 0; i < private_key.n; i++)
            at += (size_t)snprintf(text + at, 3, "%02x", private_key.p[i]);
        at += (size_t)snprintf(text + at, 16, ") 81(00");
        for (size_t i = 0; i < public_key.n; i++)
            at += (size_t)snprintf(text + at, 3, "%02x", public_key.p[i]);
        (void)snprintf(text + at, 16, "))");
        assemble_all(&der, text);
        const limbic_status status = decode(&rsa_forms[0], &k, der.p, der.n);
        check(status == (wrong ? LIMBIC_ERR_PUBLIC_KEY : LIMBIC_OK),
              "RSA, version 1, %s public key: status %d", wrong ? "another" : "its", status);
    }
}

static void test_rsa(void) {
    /* p's bits, q's, e's; 0: the primes above */
    static const int sizes[][3] = {{0, 0, 17},        {1024, 1024, 2},  {1021, 1020, 17},
                                   {1028, 1021, 17},  {1536, 1536, 17}, {2048, 2048, 65},
                                   {1032, 1016, 256}, {2000, 1000, 17}, {8192, 8192, 17}};
    static struct key k;
    static struct bytes der;
    BIGNUM *p = BN_new(), *q = BN_new(), *e = BN_new(), *x[PARTS];
    must(p && q && e);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char what[64];
        BN_zero(e);
        must(BN_set_bit(e, sizes[i][2] - 1) && BN_set_bit(e, 0));
        if (sizes[i][0]) {
            rsa_factor(p, sizes[i][0], e);
            rsa_factor(q, sizes[i][1], e);
        } else {
            must(BN_hex2bn(&p, prime_p) && BN_hex2bn(&q, prime_q));
        }
        rsa_parts(x, p, q, e);
        const size_t bits = (size_t)BN_num_bits(x[0]);
        (void)snprintf(what, sizeof what, "RSA, %zu bits, e of %d", bits, sizes[i][2]);
        EVP_PKEY *theirs = rsa_key(x);
        libcrypto_der(&der, &rsa_forms[0], theirs);
        k.curve = (limbic_curve)0;
        const limbic_status status = decode(&rsa_forms[0], &k, der.p, der.n);
        if (!check(!status && limbic_rsa_bits(k.u.rsa, sizeof k.u.rsa) == bits, "%s: read, status %d", what,
                   status))
            continue;
        for (size_t f = 0; f < sizeof rsa_forms / sizeof rsa_forms[0]; f++) {
            test_form(what, &rsa_forms[f], &k, theirs, bits);
            libcrypto_der(&der, &rsa_forms[f], theirs);
            if (i < 1)
                test_changes(what, &rsa_forms[f], (limbic_curve)0, &der);
            test_room(what, &rsa_forms[f], &k, &der, i == 0 ? 16 : 1000);
        }
        if (i == 0) {
            test_rsa_version_1(theirs);
            test_wrong_numbers(p, q, e);
        }
        EVP_PKEY_free(theirs);
    }
    /* n, e and d alone have no form */
    uint8_t n[256], d[256], exponent[] = {1, 0, 1};
    size_t len = 0;
    must(BN_hex2bn(&p, prime_p) && BN_hex2bn(&q, prime_q) && BN_set_word(e, 65537));
    rsa_parts(x, p, q, e);
    put_number(n, sizeof n, x[0]);
    put_number(d, sizeof d, x[2]);
    const limbic_rsa_numbers numbers = {
        .n = {n, sizeof n}, .e = {exponent, sizeof exponent}, .d = {d, sizeof d}};
    check(!limbic_rsa_private_import(k.u.rsa, sizeof k.u.rsa, &numbers) &&
              encode(&rsa_forms[0], &k, NULL, &len) == LIMBIC_ERR_PRIVATE_KEY &&
              encode(&rsa_forms[1], &k, NULL, &len) == LIMBIC_ERR_PRIVATE_KEY &&
              encode(&rsa_forms[2], &k, NULL, &len) == LIMBIC_ERR_BUFFER,
          "RSA: a key without primes");
    check(!limbic_rsa_public_import(k.u.rsa, sizeof k.u.rsa, &numbers) &&
              (len = 0, encode(&rsa_forms[0], &k, NULL, &len)) == LIMBIC_ERR_PRIVATE_KEY && len == 0,
          "RSA: a private form of a public key");
    for (int i = 0; i < PARTS; i++)
        BN_free(x[i]);
    BN_free(p);
    BN_free(q);
    BN_free(e);
}

/* ---- PEM ---- */

#define BEGIN "-----BEGIN PUBLIC KEY-----\n"
#define END   "-----END PUBLIC KEY-----\n"
static const struct {
    limbic_status status;
    const char *what, *text, *contents;
} texts[] = {
    {LIMBIC_OK, "three bytes", BEGIN "AQID\n" END, "010203"},
    {LIMBIC_OK, "two bytes", BEGIN "AQI=\n" END, "0102"},
    {LIMBIC_OK, "one byte", BEGIN "AQ==\n" END, "01"},
    {LIMBIC_OK, "four bytes", BEGIN "AQIDBA==\n" END, "01020304"},
    {LIMBIC_OK, "each kind of character", BEGIN "AZaz09+/\n" END, "0196b3d3dfbf"},
    {LIMBIC_OK, "CRLF", "-----BEGIN PUBLIC KEY-----\r\nAQID\r\nBA==\r\n-----END PUBLIC KEY-----\r\n",
     "01020304"},
    {LIMBIC_OK, "CR", "-----BEGIN PUBLIC KEY-----\rAQID\rBA==\r-----END PUBLIC KEY-----\r", "01020304"},
    {LIMBIC_OK, "text before, CR", "x\r-----BEGIN PUBLIC KEY-----\rAQID\r-----END PUBLIC KEY-----\ry\r",
     "010203"},
    {LIMBIC_OK, "no end of line at the end", BEGIN "AQID\n-----END PUBLIC KEY-----", "010203"},
    {LIMBIC_OK, "spaces around",
     " \t-----BEGIN PUBLIC KEY----- \n\n  AQ ID\t\n \n  -----END PUBLIC KEY----- \n", "010203"},
    {LIMBIC_OK, "lines of one character", BEGIN "A\nQ\nI\n=\n" END, "0102"},
    {LIMBIC_OK, "padding over lines", BEGIN "AQ=\n=\n" END, "01"},
    {LIMBIC_OK, "text before and after",
     "Subject: x\n\n-----\n" BEGIN "AQID\n" END "-----BEGIN nothing\nafter", "010203"},
    {LIMBIC_OK, "another block before",
     "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" BEGIN "AQID\n" END,
     "010203"},
    {LIMBIC_OK, "a damaged other block before", "-----BEGIN CERTIFICATE-----\n!\n" BEGIN "AQID\n" END,
     "010203"},
    {LIMBIC_OK, "the first of two",
     BEGIN "AQID\n" END "-----BEGIN PRIVATE KEY-----\nBA==\n-----END PRIVATE KEY-----\n", "010203"},
    {LIMBIC_OK, "PRIVATE KEY", "-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----\n", "010203"},
    {LIMBIC_OK, "EC PRIVATE KEY", "-----BEGIN EC PRIVATE KEY-----\nAQID\n-----END EC PRIVATE KEY-----\n",
     "010203"},
    {LIMBIC_OK, "SM2 PRIVATE KEY", "-----BEGIN SM2 PRIVATE KEY-----\nAQID\n-----END SM2 PRIVATE KEY-----\n",
     "010203"},
    {LIMBIC_OK, "RSA PRIVATE KEY", "-----BEGIN RSA PRIVATE KEY-----\nAQID\n-----END RSA PRIVATE KEY-----\n",
     "010203"},
    {LIMBIC_OK, "RSA PUBLIC KEY", "-----BEGIN RSA PUBLIC KEY-----\nAQID\n-----END RSA PUBLIC KEY-----\n",
     "010203"},
    {LIMBIC_ERR_ENCRYPTED, "ENCRYPTED PRIVATE KEY",
     "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAQID\n-----END ENCRYPTED PRIVATE KEY-----\n", NULL},
    {LIMBIC_ERR_ENCRYPTED, "encrypted, a public key after it",
     "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAQID\n-----END ENCRYPTED PRIVATE KEY-----\n" BEGIN "AQID\n" END,
     NULL},
    {LIMBIC_ERR_ENCRYPTED, "Proc-Type",
     "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAQID\n-----END "
     "RSA PRIVATE KEY-----\n",
     NULL},
    {LIMBIC_ERR_ENCRYPTED, "Proc-Type, CRLF",
     "-----BEGIN EC PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n\r\nAQID\r\n-----END EC PRIVATE "
     "KEY-----\r\n",
     NULL},
    {LIMBIC_ERR_PEM, "another Proc-Type",
     "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,CLEAR\n\nAQID\nENCRYPTED\n-----END RSA PRIVATE "
     "KEY-----\n",
     NULL},
    {LIMBIC_ERR_PEM, "another header", BEGIN "Comment: ENCRYPTED\n\nAQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "nothing", "", NULL},
    {LIMBIC_ERR_PEM, "no block", "text\n", NULL},
    {LIMBIC_ERR_PEM, "another block alone", "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n",
     NULL},
    {LIMBIC_ERR_PEM, "an empty block", BEGIN END, NULL},
    {LIMBIC_ERR_PEM, "a block of padding", BEGIN "====\n" END, NULL},
    {LIMBIC_ERR_PEM, "no end", BEGIN "AQID\n", NULL},
    {LIMBIC_ERR_PEM, "another end", BEGIN "AQID\n-----END PRIVATE KEY-----\n", NULL},
    {LIMBIC_ERR_PEM, "an end of a longer label", BEGIN "AQID\n-----END PUBLIC KEYS-----\n", NULL},
    {LIMBIC_ERR_PEM, "an end with four dashes", BEGIN "AQID\n-----END PUBLIC KEY----\n", NULL},
    {LIMBIC_ERR_PEM, "an end with six dashes", BEGIN "AQID\n-----END PUBLIC KEY------\n", NULL},
    {LIMBIC_ERR_PEM, "a begin with four dashes", "-----BEGIN PUBLIC KEY----\nAQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "a begin with six dashes", "-----BEGIN PUBLIC KEY------\nAQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "a begin within a line", "x-----BEGIN PUBLIC KEY-----\nAQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "a label in lower case", "-----BEGIN public key-----\nAQID\n-----END public key-----\n",
     NULL},
    {LIMBIC_ERR_PEM, "two begins", BEGIN BEGIN "AQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "a damaged block, a good one after it", BEGIN "AQI\n" END BEGIN "AQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "one character", BEGIN "A\n" END, NULL},
    {LIMBIC_ERR_PEM, "one character over", BEGIN "AQIDB\n" END, NULL},
    {LIMBIC_ERR_PEM, "one character and padding", BEGIN "AQIDB===\n" END, NULL},
    {LIMBIC_ERR_PEM, "one character of no bit and padding", BEGIN "AQIDA===\n" END, NULL},
    {LIMBIC_ERR_PEM, "no padding, two characters", BEGIN "AQ\n" END, NULL},
    {LIMBIC_ERR_PEM, "half a padding", BEGIN "AQ=\n" END, NULL},
    {LIMBIC_ERR_PEM, "no padding, three characters", BEGIN "AQI\n" END, NULL},
    {LIMBIC_ERR_PEM, "padding too long", BEGIN "AQI==\n" END, NULL},
    {LIMBIC_ERR_PEM, "padding of none", BEGIN "AQID=\n" END, NULL},
    {LIMBIC_ERR_PEM, "padding of four", BEGIN "AQID====\n" END, NULL},
    {LIMBIC_ERR_PEM, "padding of five", BEGIN "AQI=====\n" END, NULL},
    {LIMBIC_ERR_PEM, "data after padding", BEGIN "AQ==AQID\n" END, NULL},
    {LIMBIC_ERR_PEM, "data within padding", BEGIN "AQ=A=\n" END, NULL},
    {LIMBIC_ERR_PEM, "a bit after two characters", BEGIN "AR==\n" END, NULL},
    {LIMBIC_ERR_PEM, "the upper bit after two characters", BEGIN "AY==\n" END, NULL},
    {LIMBIC_ERR_PEM, "a bit after three characters", BEGIN "AQJ=\n" END, NULL},
    {LIMBIC_ERR_PEM, "the upper bit after three characters", BEGIN "AQK=\n" END, NULL},
    {LIMBIC_ERR_PEM, "a dash", BEGIN "AQ-D\n" END, NULL},
    {LIMBIC_ERR_PEM, "base64url", BEGIN "AQ_D\n" END, NULL},
    {LIMBIC_ERR_PEM, "a comment", BEGIN "AQID #\n" END, NULL},
};

/* Decodes from a heap block of the exact size. */
static limbic_status pem_decode(struct bytes *out, const char *text, size_t n) {
    uint8_t *exact = malloc(n + (n == 0));
    must(exact);
    memcpy(exact, text, n);
    memset(out->p, 0xa5, 64);
    out->n = sizeof out->p;
    const limbic_status status = limbic_pem_decode(out->p, &out->n, exact, n);
    if (status)
        check(out->n == sizeof out->p && out->p[0] == 0xa5, "PEM: output touched, status %d", status);
    free(exact);
    return status;
}

static void test_pem(void) {
    static struct bytes got, want, pem, ours;
    char text[256];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const limbic_status status = pem_decode(&got, texts[i].text, strlen(texts[i].text));
        want.n = 0;
        if (texts[i].contents)
            assemble_all(&want, texts[i].contents);
        check(status == texts[i].status && (status || (got.n == want.n && !memcmp(got.p, want.p, want.n))),
              "PEM, %s: status %d, expected %d", texts[i].what, status, texts[i].status);
    }
    /* each byte in each place of a group: base64, padding in its place, or space between a whole number of groups */
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (unsigned c = 0; c < 256; c++)
        for (size_t place = 0; place < 4; place++) {
            const int n = snprintf(text, sizeof text, BEGIN "AQIDAAAA\n" END);
            const char *at = c ? strchr(alphabet, (int)c) : NULL;
            text[strlen(BEGIN) + 4 + place] = (char)c;
            const limbic_status status = pem_decode(&got, text, (size_t)n);
            const uint64_t group = at ? (uint64_t)(at - alphabet) << (18 - 6 * place) : 0;
            const int good = at || (c == '=' && place == 3);
            check(status == (good ? LIMBIC_OK : LIMBIC_ERR_PEM) &&
                      (!good || (got.n == (at ? 6 : 5) && got.p[3] == (uint8_t)(group >> 16) &&
                                 got.p[4] == (uint8_t)(group >> 8) && (!at || got.p[5] == (uint8_t)group))),
                  "PEM: character %u in place %zu: status %d", c, place, status);
        }
    /* every length, beside libcrypto; every room; every prefix */
    for (want.n = 1; want.n <= 200; want.n++) {
        for (size_t i = 0; i < want.n; i++)
            want.p[i] = next_byte();
        libcrypto_pem(&pem, "X-Y Z", &want);
        for (size_t room = want.n % 50 == 1 ? 0 : pem.n - 1; room <= pem.n + 1; room++) {
            memset(ours.p, 0xa5, 512);
            ours.n = room;
            const limbic_status status =
                limbic_pem_encode(room ? ours.p : NULL, &ours.n, "X-Y Z", want.p, want.n);
            const size_t written = room < pem.n ? 0 : pem.n;
            int clean = 1;
            for (size_t i = written; i < 512; i++)
                clean &= ours.p[i] == 0xa5;
            check(status == (written ? LIMBIC_OK : LIMBIC_ERR_BUFFER) && ours.n == pem.n && clean &&
                      !memcmp(ours.p, pem.p, written),
                  "PEM of %zu bytes, room %zu: status %d", want.n, room, status);
        }
        libcrypto_pem(&pem, "PUBLIC KEY", &want);
        for (size_t n = 0; n <= pem.n; n++) {
            const limbic_status status = pem_decode(&got, (const char *)pem.p, n);
            check(n < pem.n - 1 ? status == LIMBIC_ERR_PEM
                                : !status && got.n == want.n && !memcmp(got.p, want.p, want.n),
                  "PEM of %zu bytes, cut to %zu: status %d", want.n, n, status);
        }
        for (size_t room = 0; room <= want.n + 1; room += want.n % 50 == 1 ? 1 : want.n + 1) {
            memset(got.p, 0xa5, 512);
            got.n = room;
            const limbic_status status = limbic_pem_decode(room ? got.p : NULL, &got.n, pem.p, pem.n);
            const size_t written = room < want.n ? 0 : want.n;
            int clean = 1;
            for (size_t i = written; i < 512; i++)
                clean &= got.p[i] == 0xa5;
            check(status == (written ? LIMBIC_OK : LIMBIC_ERR_BUFFER) && got.n == want.n && clean &&
                      !memcmp(got.p, want.p, written),
                  "PEM read, %zu bytes, room %zu: status %d", want.n, room, status);
        }
    }
    /* one long line */
    memset(pem.p, 'A', 12000);
    memcpy(pem.p, BEGIN, strlen(BEGIN));
    memcpy(pem.p + strlen(BEGIN) + 8000, "\n" END, strlen("\n" END));
    check(!pem_decode(&got, (const char *)pem.p, strlen(BEGIN) + 8000 + strlen("\n" END)) && got.n == 6000,
          "PEM: a long line");
    /* labels */
    static const struct {
        limbic_status status;
        const char *label;
    } labels[] = {{LIMBIC_OK, "A"},         {LIMBIC_OK, "PUBLIC KEY"}, {LIMBIC_OK, "X9.42 DH~!"},
                  {LIMBIC_ERR_PEM, ""},     {LIMBIC_ERR_PEM, " A"},    {LIMBIC_ERR_PEM, "A "},
                  {LIMBIC_ERR_PEM, "A  B"}, {LIMBIC_ERR_PEM, "A--B"},  {LIMBIC_ERR_PEM, "A\n"},
                  {LIMBIC_ERR_PEM, "-"},    {LIMBIC_ERR_PEM, "A\tB"},  {LIMBIC_ERR_PEM, "\xc3\xa4"},
                  {LIMBIC_ERR_PEM, "A\x7f"}};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        ours.n = sizeof ours.p;
        const limbic_status status = limbic_pem_encode(ours.p, &ours.n, labels[i].label, want.p, 3);
        check(status == labels[i].status && (!status || ours.n == sizeof ours.p),
              "PEM: label '%s': status %d", labels[i].label, status);
    }
}

/* ---- faults of the call itself ---- */

static void test_arguments(void) {
    static uint8_t out[4096], fresh[4096];
    static uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(2048)];
    uint8_t d[LIMBIC_MAX_BYTES] = {0};
    limbic_key_info info;
    size_t len = 0;
    const size_t room = sizeof out;
    d[31] = 1;
    memset(out, 0xa5, sizeof out);
    memset(fresh, 0xa5, sizeof fresh);
#define REFUSED(want, call)                                                                                  \
    do {                                                                                                     \
        len = room;                                                                                          \
        const limbic_status status_ = (call);                                                                \
        check(status_ == (want) && len == room && !memcmp(out, fresh, sizeof out),                           \
              #call ": status %d, expected %d", status_, (want));                                            \
    } while (0)
#define NULLS LIMBIC_ERR_NULL
    REFUSED(NULLS, limbic_key_inspect(NULL, d, 1));
    REFUSED(NULLS, limbic_key_inspect(&info, NULL, 0));
    REFUSED(NULLS, limbic_ec_private_to_der(LIMBIC_P256, LIMBIC_KEY_PKCS8, NULL, &len, d, 32));
    REFUSED(NULLS, limbic_ec_private_to_der(LIMBIC_P256, LIMBIC_KEY_PKCS8, out, NULL, d, 32));
    REFUSED(NULLS, limbic_ec_private_to_der(LIMBIC_P256, LIMBIC_KEY_PKCS8, out, &len, NULL, 32));
    REFUSED(NULLS, limbic_ec_private_from_der(LIMBIC_P256, NULL, 32, d, 32));
    REFUSED(NULLS, limbic_ec_private_from_der(LIMBIC_P256, out, 32, NULL, 0));
    REFUSED(NULLS, limbic_ec_public_to_der(LIMBIC_P256, NULL, &len, d, 33));
    REFUSED(NULLS, limbic_ec_public_to_der(LIMBIC_P256, out, NULL, d, 33));
    REFUSED(NULLS, limbic_ec_public_to_der(LIMBIC_P256, out, &len, NULL, 33));
    REFUSED(NULLS, limbic_ec_public_from_der(LIMBIC_P256, NULL, 65, d, 32));
    REFUSED(NULLS, limbic_ec_public_from_der(LIMBIC_P256, out, 65, NULL, 0));
    REFUSED(NULLS, limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, NULL, &len, key, sizeof key));
    REFUSED(NULLS, limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, out, NULL, key, sizeof key));
    REFUSED(NULLS, limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, out, &len, NULL, sizeof key));
    REFUSED(NULLS, limbic_rsa_private_from_der(NULL, sizeof key, d, 32));
    REFUSED(NULLS, limbic_rsa_private_from_der(out, sizeof out, NULL, 0));
    REFUSED(NULLS, limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, NULL, &len, key, sizeof key));
    REFUSED(NULLS, limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, out, NULL, key, sizeof key));
    REFUSED(NULLS, limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, out, &len, NULL, sizeof key));
    REFUSED(NULLS, limbic_rsa_public_from_der(NULL, sizeof key, d, 32));
    REFUSED(NULLS, limbic_rsa_public_from_der(out, sizeof out, NULL, 0));
    REFUSED(NULLS, limbic_pem_encode(NULL, &len, "A", d, 1));
    REFUSED(NULLS, limbic_pem_encode(out, NULL, "A", d, 1));
    REFUSED(NULLS, limbic_pem_encode(out, &len, NULL, d, 1));
    REFUSED(NULLS, limbic_pem_encode(out, &len, "A", NULL, 1));
    REFUSED(NULLS, limbic_pem_decode(NULL, &len, d, 1));
    REFUSED(NULLS, limbic_pem_decode(out, NULL, d, 1));
    REFUSED(NULLS, limbic_pem_decode(out, &len, NULL, 0));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_pem_encode(out, &len, "A", d, SIZE_MAX));

    const limbic_curve unknown[] = {(limbic_curve)0, (limbic_curve)5, (limbic_curve)99};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        REFUSED(LIMBIC_ERR_CURVE, limbic_ec_private_to_der(unknown[i], LIMBIC_KEY_PKCS8, out, &len, d, 32));
        REFUSED(LIMBIC_ERR_CURVE, limbic_ec_private_from_der(unknown[i], out, 32, d, 32));
        REFUSED(LIMBIC_ERR_CURVE, limbic_ec_public_to_der(unknown[i], out, &len, d, 33));
        REFUSED(LIMBIC_ERR_CURVE, limbic_ec_public_from_der(unknown[i], out, 65, d, 32));
    }
    const limbic_key_form forms[] = {(limbic_key_form)0, (limbic_key_form)4, LIMBIC_KEY_SPKI,
                                     LIMBIC_KEY_PKCS8};
    for (size_t i = 0; i < 3; i++) {
        REFUSED(LIMBIC_ERR_FORM, limbic_ec_private_to_der(LIMBIC_P256, forms[i], out, &len, d, 32));
        REFUSED(LIMBIC_ERR_FORM, limbic_rsa_private_to_der(forms[i], out, &len, key, sizeof key));
        REFUSED(LIMBIC_ERR_FORM, limbic_rsa_public_to_der(forms[i == 2 ? 3 : i], out, &len, key, sizeof key));
    }
    for (size_t n = 31; n <= 33; n += 2) {
        REFUSED(LIMBIC_ERR_LENGTH, limbic_ec_private_to_der(LIMBIC_P256, LIMBIC_KEY_PKCS8, out, &len, d, n));
        REFUSED(LIMBIC_ERR_LENGTH, limbic_ec_private_from_der(LIMBIC_P256, out, n, d, 32));
        REFUSED(LIMBIC_ERR_LENGTH, limbic_ec_public_from_der(LIMBIC_P256, out, n + 33, d, 32));
    }
    REFUSED(LIMBIC_ERR_POINT_FORM, limbic_ec_public_to_der(LIMBIC_P256, out, &len, d, 33));
    d[31] = 0;
    REFUSED(LIMBIC_ERR_PRIVATE_KEY,
            limbic_ec_private_to_der(LIMBIC_P256, LIMBIC_KEY_PKCS8, out, &len, d, 32));
    REFUSED(LIMBIC_ERR_PREPARED, limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, out, &len, key, sizeof key));
    REFUSED(LIMBIC_ERR_PREPARED, limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, out, &len, key, sizeof key));
#undef NULLS
#undef REFUSED
}

int main(void) {
    test_encodings();
    test_pem();
    test_arguments();
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
        test_ec(curves[i]);
    test_rsa();
    return closing();
}
