/* DER signatures: round trips, a table of faults with the status of each, buffers, and every one-byte change
 * beside libcrypto's decoder. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include "limbic/ecdsa.h"
#include "tests/check.h"

static uint8_t next_byte(void) {
    static uint64_t x = 1;
    x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint8_t)(x >> 56);
}

/* The order of the curve from libcrypto. */
static BIGNUM *order_of(limbic_curve curve) {
    static const int nids[] = {[LIMBIC_P256] = NID_X9_62_prime256v1,
                               [LIMBIC_P384] = NID_secp384r1,
                               [LIMBIC_P521] = NID_secp521r1,
                               [LIMBIC_SM2] = NID_sm2};
    EC_GROUP *group = EC_GROUP_new_by_curve_name(nids[curve]);
    BIGNUM *n = group ? BN_dup(EC_GROUP_get0_order(group)) : NULL;
    if (!n)
        abort();
    EC_GROUP_free(group);
    return n;
}

static void put_number(uint8_t *out, size_t bytes, const BIGNUM *x) {
    if (BN_bn2binpad(x, out, (int)bytes) < 0)
        abort();
}

/* The status for these bytes, with the output's bytes checked: all written or none. */
static limbic_status decode(limbic_curve curve, uint8_t *sig, const uint8_t *der, size_t der_len) {
    size_t sig_len = 2 * limbic_curve_bytes(curve);
    uint8_t out[LIMBIC_MAX_SIGNATURE_BYTES + 1], before[sizeof out];
    memset(out, 0xa5, sizeof out);
    memcpy(before, out, sizeof out);
    /* an allocation of exactly this size, for the sanitizers */
    uint8_t *exact = malloc(der_len ? der_len : 1);
    if (!exact)
        abort();
    memcpy(exact, der, der_len);
    limbic_status status = limbic_ecdsa_sig_from_der(curve, out, sig_len, exact, der_len);
    free(exact);
    size_t written = status == LIMBIC_OK ? sig_len : 0;
    check(!memcmp(out + written, before + written, sizeof out - written),
          "%s: status %d left the output alone", limbic_curve_name(curve), status);
    memcpy(sig, out, written);
    return status;
}

/* What libcrypto makes of the same bytes: it reads BER here, so only what encodes to the same again is DER.
 */
static int libcrypto_is_der(const uint8_t *der, size_t der_len, BIGNUM **r, BIGNUM **s, ECDSA_SIG **sig) {
    const uint8_t *p = der;
    uint8_t *again = NULL;
    *sig = d2i_ECDSA_SIG(NULL, &p, (long)der_len);
    ERR_clear_error();
    if (!*sig)
        return 0;
    const BIGNUM *r0, *s0;
    ECDSA_SIG_get0(*sig, &r0, &s0);
    *r = (BIGNUM *)(uintptr_t)r0;
    *s = (BIGNUM *)(uintptr_t)s0;
    int n = i2d_ECDSA_SIG(*sig, &again);
    int same = n >= 0 && (size_t)n == der_len && !memcmp(again, der, der_len) && !BN_is_negative(r0) &&
               !BN_is_negative(s0);
    OPENSSL_free(again);
    return same;
}

/* Our answer for these bytes against libcrypto's. */
static void compare(limbic_curve curve, const BIGNUM *n, const uint8_t *der, size_t der_len,
                    const char *what) {
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], want[LIMBIC_MAX_SIGNATURE_BYTES];
    size_t bytes = limbic_curve_bytes(curve);
    BIGNUM *r = NULL, *s = NULL;
    ECDSA_SIG *theirs;
    limbic_status expect = LIMBIC_ERR_DER;
    if (libcrypto_is_der(der, der_len, &r, &s, &theirs))
        expect = BN_is_zero(r) || BN_is_zero(s) || BN_cmp(r, n) >= 0 || BN_cmp(s, n) >= 0
                     ? LIMBIC_ERR_SIGNATURE_RANGE
                     : LIMBIC_OK;
    limbic_status status = decode(curve, sig, der, der_len);
    int ok = status == expect;
    if (ok && status == LIMBIC_OK) {
        put_number(want, bytes, r);
        put_number(want + bytes, bytes, s);
        ok = !memcmp(sig, want, 2 * bytes);
    }
    check(ok, "%s, %s: status %d, expected %d", limbic_curve_name(curve), what, status, expect);
    ECDSA_SIG_free(theirs);
}

/* r||s to DER as libcrypto has it, in buffers of every size, and back; also in place. */
static void round_trip(limbic_curve curve, const uint8_t *sig, const char *what) {
    const char *name = limbic_curve_name(curve);
    size_t bytes = limbic_curve_bytes(curve), sig_len = 2 * bytes;
    uint8_t *want = NULL, der[LIMBIC_MAX_DER_BYTES + 8], fresh[sizeof der], back[LIMBIC_MAX_SIGNATURE_BYTES];
    ECDSA_SIG *theirs = ECDSA_SIG_new();
    if (!theirs ||
        !ECDSA_SIG_set0(theirs, BN_bin2bn(sig, (int)bytes, NULL), BN_bin2bn(sig + bytes, (int)bytes, NULL)))
        abort();
    int n = i2d_ECDSA_SIG(theirs, &want);
    if (n < 0)
        abort();
    size_t want_len = (size_t)n;
    check(want_len <= LIMBIC_MAX_DER_BYTES, "%s, %s: LIMBIC_MAX_DER_BYTES holds %zu", name, what, want_len);
    memset(fresh, 0xa5, sizeof fresh);
    for (size_t size = 0; size <= want_len + 1; size++) {
        size_t len = size;
        memcpy(der, fresh, sizeof der);
        limbic_status status = limbic_ecdsa_sig_to_der(curve, der, &len, sig, sig_len);
        size_t written = size < want_len ? 0 : want_len;
        check(status == (written ? LIMBIC_OK : LIMBIC_ERR_BUFFER) && len == want_len &&
                  !memcmp(der, want, written) && !memcmp(der + written, fresh, sizeof der - written),
              "%s, %s: to DER in %zu of %zu bytes, status %d", name, what, size, want_len, status);
    }
    limbic_status status = decode(curve, back, want, want_len);
    check(status == LIMBIC_OK && !memcmp(back, sig, sig_len), "%s, %s: and back, status %d", name, what,
          status);
    /* Output over input, at every distance that lets them meet. */
    for (size_t at = 0; at <= 8; at++) {
        uint8_t both[sizeof der + 8];
        size_t len = LIMBIC_MAX_DER_BYTES;
        memcpy(both + at, sig, sig_len);
        status = limbic_ecdsa_sig_to_der(curve, both, &len, both + at, sig_len);
        check(status == LIMBIC_OK && len == want_len && !memcmp(both, want, len),
              "%s, %s: to DER over itself", name, what);
        memcpy(both + at, want, want_len);
        status = limbic_ecdsa_sig_from_der(curve, both, sig_len, both + at, want_len);
        check(status == LIMBIC_OK && !memcmp(both, sig, sig_len), "%s, %s: from DER over itself", name, what);
    }
    OPENSSL_free(want);
    ECDSA_SIG_free(theirs);
}

static void test_round_trips(limbic_curve curve, const BIGNUM *n) {
    size_t bytes = limbic_curve_bytes(curve);
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES];
    BIGNUM *x = BN_new(), *corners[8];
    size_t count = 0;
    for (unsigned word = 1; word <= 0x8000;
         word <<= 1) /* 1, 80, 100, 8000: about a byte's and the sign's edge */
        if (word == 1 || word == 0x80 || word == 0x100 || word == 0x8000) {
            corners[count] = BN_new();
            if (!BN_set_word(corners[count++], word))
                abort();
        }
    corners[count++] = BN_dup(n);
    corners[count] = BN_new();
    if (!BN_sub_word(corners[count - 1], 1) || !BN_rshift1(corners[count], n))
        abort();
    count++;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            put_number(sig, bytes, corners[i]);
            put_number(sig + bytes, bytes, corners[j]);
            round_trip(curve, sig, "corner");
        }
    for (size_t i = 0; i < count; i++)
        BN_free(corners[i]);
    for (size_t zeros = 0; zeros < bytes; zeros++) { /* random numbers of every length */
        for (size_t i = 0; i < 2 * bytes; i++)
            sig[i] = i % bytes < zeros ? 0 : next_byte();
        sig[bytes - 1] |= 1;
        sig[2 * bytes - 1] |= 1;
        for (size_t i = 0; i < 2; i++) {
            if (!BN_bin2bn(sig + i * bytes, (int)bytes, x))
                abort();
            if (BN_cmp(x, n) >= 0 && !BN_mask_bits(x, BN_num_bits(n) - 1))
                abort();
            put_number(sig + i * bytes, bytes, x);
        }
        round_trip(curve, sig, "random");
    }
    BN_free(x);
}

/* Encodings written out, P-256. */
#define N_256        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
#define N_256_LESS_1 "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"
#define ZEROS_16     "00000000000000000000000000000000"
#define ZEROS_64     ZEROS_16 ZEROS_16 ZEROS_16 ZEROS_16
#define NUMBER_128   "01" ZEROS_64 ZEROS_16 ZEROS_16 ZEROS_16 "000000000000000000000000000000" /* 128 bytes */
static const struct {
    limbic_status status;
    const char *what, *der;
} encodings[] = {
    {LIMBIC_OK, "1, 2", "3006020101020102"},
    {LIMBIC_OK, "127, 128", "300702017f02020080"},
    {LIMBIC_OK, "n - 1, n - 1", "3046022100" N_256_LESS_1 "022100" N_256_LESS_1},
    {LIMBIC_ERR_SIGNATURE_RANGE, "r = 0", "3006020100020102"},
    {LIMBIC_ERR_SIGNATURE_RANGE, "s = 0", "3006020101020100"},
    {LIMBIC_ERR_SIGNATURE_RANGE, "r = n", "3026022100" N_256 "020101"},
    {LIMBIC_ERR_SIGNATURE_RANGE, "s = n", "3026020101022100" N_256},
    {LIMBIC_ERR_SIGNATURE_RANGE, "r = 2^256", "3026022101" ZEROS_16 ZEROS_16 "020101"},
    {LIMBIC_ERR_SIGNATURE_RANGE, "s = 2^256", "3026020101022101" ZEROS_16 ZEROS_16},
    {LIMBIC_ERR_SIGNATURE_RANGE, "r of 128 bytes, lengths in the long form",
     "308186028180" NUMBER_128 "020101"},
    {LIMBIC_ERR_DER, "long length with a leading zero octet", "30820086028180" NUMBER_128 "020101"},
    {LIMBIC_ERR_DER, "long length of 2^64 more", "3089010000000000000086028180" NUMBER_128 "020101"},
    {LIMBIC_ERR_DER, "long integer length with a leading zero octet", "30818702820080" NUMBER_128 "020101"},
    {LIMBIC_ERR_DER, "nothing", ""},
    {LIMBIC_ERR_DER, "a tag alone", "30"},
    {LIMBIC_ERR_DER, "an empty sequence", "3000"},
    {LIMBIC_ERR_DER, "one number", "3003020101"},
    {LIMBIC_ERR_DER, "three numbers", "3009020101020102020103"},
    {LIMBIC_ERR_DER, "a byte after the sequence", "300602010102010200"},
    {LIMBIC_ERR_DER, "a byte after s", "300702010102010200"},
    {LIMBIC_ERR_DER, "cut short", "30060201010201"},
    {LIMBIC_ERR_DER, "sequence length too long", "3007020101020102"},
    {LIMBIC_ERR_DER, "sequence length too short", "3005020101020102"},
    {LIMBIC_ERR_DER, "r runs out of the sequence", "3006020401020102"},
    {LIMBIC_ERR_DER, "s runs out of the sequence", "300602010102020200"},
    {LIMBIC_ERR_DER, "tag of a set", "3106020101020102"},
    {LIMBIC_ERR_DER, "primitive sequence", "1006020101020102"},
    {LIMBIC_ERR_DER, "constructed integer", "3006220101020102"},
    {LIMBIC_ERR_DER, "octet string for s", "3006020101040102"},
    {LIMBIC_ERR_DER, "integer without contents", "300502000201020000"},
    {LIMBIC_ERR_DER, "r without contents", "30050200020102"},
    {LIMBIC_ERR_DER, "s without contents", "30050201010200"},
    {LIMBIC_ERR_DER, "negative r", "3006020180020102"},
    {LIMBIC_ERR_DER, "negative s", "30060201010201ff"},
    {LIMBIC_ERR_DER, "n - 1 without its sign byte", "30250220" N_256_LESS_1 "020101"},
    {LIMBIC_ERR_DER, "leading zero in r", "300702020001020102"},
    {LIMBIC_ERR_DER, "leading zero in s", "300702010102020002"},
    {LIMBIC_ERR_DER, "two zeros for 0", "300702020000020102"},
    {LIMBIC_ERR_DER, "leading ff", "30070202ff80020102"},
    {LIMBIC_ERR_DER, "leading zero before a number out of range", "302702220000" N_256 "020101"},
    {LIMBIC_ERR_DER, "short length in the long form", "308106020101020102"},
    {LIMBIC_ERR_DER, "short integer length in the long form", "300702810101020102"},
    {LIMBIC_ERR_DER, "length with a leading zero octet", "30820006020101020102"},
    {LIMBIC_ERR_DER, "indefinite length", "30800201010201020000"},
    {LIMBIC_ERR_DER, "indefinite length, without its end", "3080020101020102"},
    {LIMBIC_ERR_DER, "reserved length octet", "30ff020101020102"},
    {LIMBIC_ERR_DER, "length of 2^64 - 1", "3088ffffffffffffffff"},
    {LIMBIC_ERR_DER, "length of 2^64 + 6, whose low word is right", "3089010000000000000006020101020102"},
    {LIMBIC_ERR_DER, "length octets cut short", "3082"},
    {LIMBIC_ERR_DER, "integer length that wraps an address", "300e0288fffffffffffffff8020102"},
    {LIMBIC_ERR_DER, "0 before a fault in s", "300702010002020002"},
};

static size_t from_hex(uint8_t *out, const char *hex) {
    size_t n = 0;
    for (; *hex; hex += 2) {
        unsigned byte;
        if (sscanf(hex, "%2x", &byte) != 1)
            abort();
        out[n++] = (uint8_t)byte;
    }
    return n;
}

static void test_encodings(void) {
    uint8_t der[256], sig[LIMBIC_MAX_SIGNATURE_BYTES];
    BIGNUM *n = order_of(LIMBIC_P256);
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        size_t len = from_hex(der, encodings[i].der);
        limbic_status status = decode(LIMBIC_P256, sig, der, len);
        check(status == encodings[i].status, "%s: status %d, expected %d", encodings[i].what, status,
              encodings[i].status);
        compare(LIMBIC_P256, n, der, len, encodings[i].what);
    }
    BN_free(n);
}

/* Each byte of a signature changed to each value, dropped, doubled; each prefix. */
static void test_mutations(limbic_curve curve, const BIGNUM *n) {
    size_t bytes = limbic_curve_bytes(curve), len = LIMBIC_MAX_DER_BYTES;
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], der[LIMBIC_MAX_DER_BYTES + 1], changed[sizeof der];
    put_number(sig, bytes, n); /* r = n - 1: a sign byte but for P-521, and values next to it out of range */
    sig[bytes - 1]--;
    for (size_t i = bytes; i < 2 * bytes; i++) /* s: two bytes short */
        sig[i] = i <= bytes + 1 ? 0 : next_byte() | 1;
    if (limbic_ecdsa_sig_to_der(curve, der, &len, sig, 2 * bytes) != LIMBIC_OK) {
        check(0, "%s: no signature to change", limbic_curve_name(curve));
        return;
    }
    for (size_t i = 0; i < len; i++) {
        for (unsigned value = 0; value < 256; value++) {
            memcpy(changed, der, len);
            changed[i] = (uint8_t)value;
            compare(curve, n, changed, len, "one byte changed");
        }
        memcpy(changed, der, i);
        memcpy(changed + i, der + i + 1, len - i - 1);
        compare(curve, n, changed, len - 1, "one byte dropped");
        memcpy(changed, der, i + 1);
        memcpy(changed + i + 1, der + i, len - i);
        compare(curve, n, changed, len + 1, "one byte doubled");
        compare(curve, n, der, i, "cut short");
    }
}

/* Faults of the call itself, in the order in which they are looked for. */
static void test_arguments(limbic_curve curve, const BIGNUM *n) {
    const char *name = limbic_curve_name(curve);
    const limbic_curve unknown[] = {(limbic_curve)0, (limbic_curve)99};
    size_t bytes = limbic_curve_bytes(curve), sig_len = 2 * bytes, der_len, room = LIMBIC_MAX_DER_BYTES;
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES + 1] = {0}, der[LIMBIC_MAX_DER_BYTES], fresh[LIMBIC_MAX_DER_BYTES];
    sig[bytes - 1] = sig[2 * bytes - 1] = 1;
    memset(der, 0xa5, sizeof der);
    memset(fresh, 0xa5, sizeof fresh);
#define REFUSED(want, call)                                                                                  \
    do {                                                                                                     \
        der_len = room;                                                                                      \
        limbic_status status_ = (call);                                                                      \
        check(status_ == (want) && der_len == room && !memcmp(der, fresh, sizeof der),                       \
              "%s: " #call ": status %d, expected %d", name, status_, (want));                               \
    } while (0)
    REFUSED(LIMBIC_ERR_NULL, limbic_ecdsa_sig_to_der(curve, NULL, &der_len, sig, sig_len));
    REFUSED(LIMBIC_ERR_NULL, limbic_ecdsa_sig_to_der(curve, der, NULL, sig, sig_len));
    REFUSED(LIMBIC_ERR_NULL, limbic_ecdsa_sig_to_der(curve, der, &der_len, NULL, sig_len));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, 0));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, sig_len - 1));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, sig_len + 1));
    REFUSED(LIMBIC_ERR_NULL, limbic_ecdsa_sig_from_der(curve, NULL, sig_len, sig, 8));
    REFUSED(LIMBIC_ERR_NULL, limbic_ecdsa_sig_from_der(curve, der, sig_len, NULL, 8));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_from_der(curve, der, 0, sig, 8));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_from_der(curve, der, sig_len - 1, sig, 8));
    REFUSED(LIMBIC_ERR_LENGTH, limbic_ecdsa_sig_from_der(curve, der, sig_len + 1, sig, 8));
    REFUSED(LIMBIC_ERR_DER, limbic_ecdsa_sig_from_der(curve, der, sig_len, sig, 0));
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        REFUSED(LIMBIC_ERR_CURVE, limbic_ecdsa_sig_to_der(unknown[i], der, &der_len, sig, sig_len));
        REFUSED(LIMBIC_ERR_CURVE, limbic_ecdsa_sig_from_der(unknown[i], der, sig_len, sig, 8));
    }
    for (room = 0; room <= LIMBIC_MAX_DER_BYTES; room += LIMBIC_MAX_DER_BYTES) /* whatever the room */
        for (size_t half = 0; half < 2; half++) {
            uint8_t *number = sig + half * bytes, kept[LIMBIC_MAX_BYTES];
            memcpy(kept, number, bytes);
            memset(number, 0, bytes);
            REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, sig_len));
            put_number(number, bytes, n);
            REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, sig_len));
            memset(number, 0xff, bytes);
            REFUSED(LIMBIC_ERR_SIGNATURE_RANGE, limbic_ecdsa_sig_to_der(curve, der, &der_len, sig, sig_len));
            memcpy(number, kept, bytes);
        }
#undef REFUSED
}

int main(void) {
    static const limbic_curve curves[] = {LIMBIC_P256, LIMBIC_P384, LIMBIC_P521, LIMBIC_SM2};
    test_encodings();
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        BIGNUM *n = order_of(curves[i]);
        test_round_trips(curves[i], n);
        test_mutations(curves[i], n);
        test_arguments(curves[i], n);
        BN_free(n);
    }
    return closing();
}
