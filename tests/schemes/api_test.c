/*
 * The public functions of curves, ECDSA and ECDH: every fault gives its own status and writes nothing; special points and
 * scalars; overlap of inputs and outputs; odd addresses; no heap in a hot path; a weak random source is refused. Run on
 * every instruction set in turn. Then RSA and key files: no heap, the stack that they take, and secrets that are left there.
 */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/objects.h>

#include "base/limb.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/key.h"
#include "curve/curve.h"
#include "scheme/ecdsa.h"
#include "scheme/rsa.h"
#include "scheme/sm2.h"
#include "tests/check.h"
#include "tests/schemes/harness.h"

static const limbic_curve curves[] = {LIMBIC_P256, LIMBIC_P384, LIMBIC_P521, LIMBIC_SM2};

static EC_GROUP *group_of(limbic_curve curve) {
    static const int nids[] = {[LIMBIC_P256] = NID_X9_62_prime256v1,
                               [LIMBIC_P384] = NID_secp384r1,
                               [LIMBIC_P521] = NID_secp521r1,
                               [LIMBIC_SM2] = NID_sm2};
    EC_GROUP *g = EC_GROUP_new_by_curve_name(nids[curve]);
    if (!g)
        abort();
    return g;
}

struct pair {
    uint8_t d[LIMBIC_MAX_BYTES], q[LIMBIC_MAX_POINT_BYTES];
};

static void make(limbic_curve curve, struct pair *k) {
    size_t n = limbic_curve_bytes(curve);
    if (limbic_ec_keygen(curve, k->d, n, k->q, 1 + 2 * n))
        abort();
}

/* Public keys that must be refused, each with its status; they are tried through every function that takes a point. */
static void bad_points(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    struct pair key;
    uint8_t p[LIMBIC_MAX_BYTES + 1], bad[LIMBIC_MAX_POINT_BYTES + 1], out[LIMBIC_MAX_POINT_BYTES],
        sig[2 * LIMBIC_MAX_BYTES];
    EC_GROUP *g = group_of(curve);
    BIGNUM *prime = BN_new();
    static uint64_t prepared[1 << 16];

    make(curve, &key);
    memset(sig, 1, sizeof sig);
    if (!prime || !EC_GROUP_get_curve(g, prime, NULL, NULL, NULL) || BN_bn2binpad(prime, p, (int)n) < 0)
        abort();
    for (int k = 0; k < 14; k++) {
        limbic_status want;
        size_t len = 1 + 2 * n;
        memset(bad, 0, sizeof bad);
        memcpy(bad, key.q, len);
        switch (k) {
        case 0: /* y + 1 */
            bad[2 * n] ^= 1;
            want = LIMBIC_ERR_NOT_ON_CURVE;
            break;
        case 1: /* x = y = 0 */
            memset(bad + 1, 0, 2 * n);
            want = LIMBIC_ERR_NOT_ON_CURVE;
            break;
        case 2: /* x = p */
            memcpy(bad + 1, p, n);
            want = LIMBIC_ERR_COORDINATE;
            break;
        case 3: /* y = p */
            memcpy(bad + 1 + n, p, n);
            want = LIMBIC_ERR_COORDINATE;
            break;
        case 4: /* all ones */
            memset(bad + 1, 0xff, 2 * n);
            want = LIMBIC_ERR_COORDINATE;
            break;
        case 5: /* compressed, x = p */
            bad[0] = 2;
            memcpy(bad + 1, p, n);
            len = 1 + n;
            want = LIMBIC_ERR_COORDINATE;
            break;
        case 6: /* infinity */
            bad[0] = 0;
            len = 1;
            want = LIMBIC_ERR_INFINITY;
            break;
        case 7:
            bad[0] = 0;
            want = LIMBIC_ERR_POINT_FORM;
            break;
        case 8: /* hybrid form */
            bad[0] = (uint8_t)(6 | (bad[2 * n] & 1));
            want = LIMBIC_ERR_POINT_FORM;
            break;
        case 9:
            bad[0] = 5;
            want = LIMBIC_ERR_POINT_FORM;
            break;
        case 10:
            len = 0;
            want = LIMBIC_ERR_LENGTH;
            break;
        case 11:
            len -= 1;
            want = LIMBIC_ERR_LENGTH;
            break;
        case 12:
            len += 1;
            want = LIMBIC_ERR_LENGTH;
            break;
        default: /* compressed form at the uncompressed length */
            bad[0] = 2;
            want = LIMBIC_ERR_LENGTH;
            break;
        }
        size_t room = sizeof out;
        REFUSED(want, out, limbic_ec_check_public(curve, bad, len));
        REFUSED(want, out, limbic_ec_convert(curve, LIMBIC_UNCOMPRESSED, out, &room, bad, len));
        REFUSED(want, out, limbic_ec_mul(curve, out, 1 + 2 * n, key.d, n, bad, len));
        REFUSED(want, out, limbic_ec_double_mul_vartime(curve, out, 1 + 2 * n, key.d, n, key.d, n, bad, len));
        REFUSED(want, out, limbic_ec_add(curve, out, 1 + 2 * n, bad, len, key.q, 1 + 2 * n));
        REFUSED(want, out, limbic_ec_add(curve, out, 1 + 2 * n, key.q, 1 + 2 * n, bad, len));
        REFUSED(want, out, limbic_ecdh(curve, out, n, key.d, n, bad, len));
        REFUSED(want, prepared,
                limbic_ec_prepare(curve, prepared, limbic_ec_prepared_bytes(curve), bad, len));
        if (curve != LIMBIC_SM2)
            REFUSED(want, out, limbic_ecdsa_verify(curve, sig, 2 * n, bad, len, sig, 32));
    }
    /* half of all x have no y: both outcomes must come up, and agree with libcrypto */
    int found[2] = {0, 0};
    for (int i = 0; i < 40; i++) {
        EC_POINT *point = EC_POINT_new(g);
        memcpy(bad, key.q, 1 + n);
        bad[0] = (uint8_t)(2 + i % 2);
        bad[n] ^= (uint8_t)i;
        int ok = EC_POINT_oct2point(g, point, bad, 1 + n, NULL);
        found[ok]++;
        check(limbic_ec_check_public(curve, bad, 1 + n) == (ok ? LIMBIC_OK : LIMBIC_ERR_NOT_ON_CURVE),
              "%s: compressed point %d", limbic_curve_name(curve), i);
        EC_POINT_free(point);
    }
    check(found[0] > 0 && found[1] > 0, "%s: compressed points on the curve and off it",
          limbic_curve_name(curve));
    BN_free(prime);
    EC_GROUP_free(g);
}

static void bad_scalars(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    struct pair key;
    uint8_t d[LIMBIC_MAX_BYTES + 1], out[LIMBIC_MAX_POINT_BYTES + LIMBIC_MAX_BYTES], order[LIMBIC_MAX_BYTES];
    EC_GROUP *g = group_of(curve);

    make(curve, &key);
    if (BN_bn2binpad(EC_GROUP_get0_order(g), order, (int)n) < 0)
        abort();
    for (int k = 0; k < 7; k++) {
        limbic_status want = LIMBIC_ERR_PRIVATE_KEY;
        size_t len = n;
        memset(d, 0, sizeof d);
        memcpy(d, order, n);
        switch (k) {
        case 0:
            memset(d, 0, n);
            break;
        case 1: /* n */
            break;
        case 2: /* n + 1 (n is odd) */
            d[n - 1]++;
            break;
        case 3: /* the highest that is allowed: SM2 has n - 2, the others n - 1 */
            d[n - 1]--;
            want = curve == LIMBIC_SM2 ? LIMBIC_ERR_PRIVATE_KEY : LIMBIC_OK;
            break;
        case 4:
            memset(d, 0xff, n);
            break;
        case 5:
            len = n - 1;
            want = LIMBIC_ERR_LENGTH;
            break;
        default:
            len = n + 1;
            want = LIMBIC_ERR_LENGTH;
            break;
        }
        check(limbic_ec_check_private(curve, d, len) == want, "%s: private key %d", limbic_curve_name(curve),
              k);
        if (want == LIMBIC_OK) {
            check(limbic_ec_public_key(curve, out, 1 + 2 * n, d, len) == LIMBIC_OK, "%s: key n - 1",
                  limbic_curve_name(curve));
            continue;
        }
        REFUSED(want, out, limbic_ec_public_key(curve, out, 1 + 2 * n, d, len));
        REFUSED(want, out, limbic_ecdh(curve, out, n, d, len, key.q, 1 + 2 * n));
        if (curve != LIMBIC_SM2) {
            REFUSED(want, out, limbic_ecdsa_sign(curve, out, 2 * n, d, len, order, n, LIMBIC_HASH_DEFAULT));
            REFUSED(want, out,
                    limbic_ecdsa_sign_deterministic(curve, out, 2 * n, d, len, order, n, LIMBIC_SHA512));
        }
    }
    /* k = n and k = 0 give infinity; k = n + 1 gives the point itself */
    memset(d, 0, sizeof d);
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_ec_base_mul(curve, out, 1 + 2 * n, d, n));
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_ec_mul(curve, out, 1 + 2 * n, d, n, key.q, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_ec_base_mul(curve, out, 1 + 2 * n, order, n));
    REFUSED(LIMBIC_ERR_INFINITY, out, limbic_ec_mul(curve, out, 1 + 2 * n, order, n, key.q, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_INFINITY, out,
            limbic_ec_double_mul_vartime(curve, out, 1 + 2 * n, d, n, order, n, key.q, 1 + 2 * n));
    memcpy(d, order, n);
    d[n - 1]++;
    check(!limbic_ec_mul(curve, out, 1 + 2 * n, d, n, key.q, 1 + 2 * n) && !memcmp(out, key.q, 1 + 2 * n),
          "%s: (n + 1) Q = Q", limbic_curve_name(curve));
    /* Q + Q = 2Q, Q + (-Q) = infinity, u G + v Q with u G = v Q */
    uint8_t twice[LIMBIC_MAX_POINT_BYTES], minus[LIMBIC_MAX_POINT_BYTES];
    memset(d, 0, sizeof d);
    d[n - 1] = 2;
    check(!limbic_ec_mul(curve, twice, 1 + 2 * n, d, n, key.q, 1 + 2 * n) &&
              !limbic_ec_add(curve, out, 1 + 2 * n, key.q, 1 + 2 * n, key.q, 1 + 2 * n) &&
              !memcmp(out, twice, 1 + 2 * n),
          "%s: Q + Q = 2Q", limbic_curve_name(curve));
    d[n - 1] = 1;
    check(!limbic_ec_double_mul_vartime(curve, out, 1 + 2 * n, key.d, n, d, n, key.q, 1 + 2 * n) &&
              !memcmp(out, twice, 1 + 2 * n),
          "%s: d G + Q = 2Q", limbic_curve_name(curve));
    memcpy(d, order, n);
    d[n - 1]--;
    if (limbic_ec_mul(curve, minus, 1 + 2 * n, d, n, key.q, 1 + 2 * n))
        abort();
    REFUSED(LIMBIC_ERR_INFINITY, out,
            limbic_ec_add(curve, out, 1 + 2 * n, key.q, 1 + 2 * n, minus, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_INFINITY, out,
            limbic_ec_double_mul_vartime(curve, out, 1 + 2 * n, key.d, n, d, n, key.q, 1 + 2 * n));
    EC_GROUP_free(g);
}

/* k Q and k G of random and special k beside libcrypto. */
static void beside_libcrypto(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    EC_GROUP *g = group_of(curve);
    EC_POINT *q = EC_POINT_new(g), *r = EC_POINT_new(g);
    const BIGNUM *order = EC_GROUP_get0_order(g);
    BIGNUM *k = BN_new();
    struct pair key;
    uint8_t bytes[LIMBIC_MAX_BYTES], got[LIMBIC_MAX_POINT_BYTES], want[LIMBIC_MAX_POINT_BYTES];

    make(curve, &key);
    if (!q || !r || !k || !EC_POINT_oct2point(g, q, key.q, 1 + 2 * n, NULL))
        abort();
    for (int i = 1; i < 400; i++) {
        if (i < 100) {
            BN_set_word(k, (unsigned)i);
        } else if (i < 200) { /* n - 1, n - 2, ... */
            BN_copy(k, order);
            BN_sub_word(k, (unsigned)(i - 99));
        } else if (i < 300) { /* a power of two, or one less */
            BN_one(k);
            BN_lshift(k, k, (i - 200) / 2 * BN_num_bits(order) / 50);
            if (i % 2 && !BN_is_one(k))
                BN_sub_word(k, 1);
        } else {
            BN_rand_range(k, order);
        }
        if (BN_is_zero(k) || BN_bn2binpad(k, bytes, (int)n) < 0)
            continue;
        EC_POINT_mul(g, r, k, NULL, NULL, NULL);
        EC_POINT_point2oct(g, r, POINT_CONVERSION_UNCOMPRESSED, want, sizeof want, NULL);
        check(!limbic_ec_base_mul(curve, got, 1 + 2 * n, bytes, n) && !memcmp(got, want, 1 + 2 * n),
              "%s: k G, case %d", limbic_curve_name(curve), i);
        EC_POINT_mul(g, r, NULL, q, k, NULL);
        EC_POINT_point2oct(g, r, POINT_CONVERSION_UNCOMPRESSED, want, sizeof want, NULL);
        check(!limbic_ec_mul(curve, got, 1 + 2 * n, bytes, n, key.q, 1 + 2 * n) &&
                  !memcmp(got, want, 1 + 2 * n),
              "%s: k Q, case %d", limbic_curve_name(curve), i);
        EC_POINT_mul(g, r, k, q, k, NULL);
        EC_POINT_point2oct(g, r, POINT_CONVERSION_UNCOMPRESSED, want, sizeof want, NULL);
        check(!limbic_ec_double_mul_vartime(curve, got, 1 + 2 * n, bytes, n, bytes, n, key.q, 1 + 2 * n) &&
                  !memcmp(got, want, 1 + 2 * n),
              "%s: k G + k Q, case %d", limbic_curve_name(curve), i);
    }
    /* the compressed forms */
    for (int i = 0; i < 20; i++) {
        size_t len = sizeof got;
        make(curve, &key);
        if (!EC_POINT_oct2point(g, q, key.q, 1 + 2 * n, NULL))
            abort();
        EC_POINT_point2oct(g, q, POINT_CONVERSION_COMPRESSED, want, sizeof want, NULL);
        check(!limbic_ec_convert(curve, LIMBIC_COMPRESSED, got, &len, key.q, 1 + 2 * n) && len == 1 + n &&
                  !memcmp(got, want, len),
              "%s: compressed", limbic_curve_name(curve));
        len = sizeof got;
        check(!limbic_ec_convert(curve, LIMBIC_UNCOMPRESSED, got, &len, want, 1 + n) && len == 1 + 2 * n &&
                  !memcmp(got, key.q, len),
              "%s: uncompressed", limbic_curve_name(curve));
        len = 0;
        check(limbic_ec_convert(curve, LIMBIC_UNCOMPRESSED, NULL, &len, key.q, 1 + 2 * n) ==
                      LIMBIC_ERR_BUFFER &&
                  len == 1 + 2 * n,
              "%s: the length asked for without a buffer", limbic_curve_name(curve));
        len = n;
        check(limbic_ec_convert(curve, LIMBIC_COMPRESSED, got, &len, key.q, 1 + 2 * n) == LIMBIC_ERR_BUFFER &&
                  len == 1 + n,
              "%s: the length that a point takes", limbic_curve_name(curve));
    }
    BN_free(k);
    EC_POINT_free(q);
    EC_POINT_free(r);
    EC_GROUP_free(g);
}

static void arguments(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    struct pair key;
    uint8_t out[LIMBIC_MAX_POINT_BYTES], sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[32] = {9};
    const limbic_curve unknown[] = {(limbic_curve)0, (limbic_curve)5, (limbic_curve)-1, (limbic_curve)1000};
    size_t len;

    make(curve, &key);
    REFUSED(LIMBIC_ERR_NULL, out, limbic_ec_public_key(curve, NULL, 1 + 2 * n, key.d, n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_ec_public_key(curve, out, 1 + 2 * n, NULL, n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ec_public_key(curve, out, 2 * n, key.d, n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ec_keygen(curve, out, n - 1, out + n, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ec_keygen(curve, out, n, out, 2 + 2 * n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_ec_keygen(curve, NULL, n, out, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ecdh(curve, out, n + 1, key.d, n, key.q, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_ecdh(curve, out, n, key.d, n, NULL, 1 + 2 * n));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ec_base_mul(curve, out, 1 + 2 * n, key.d, n - 1));
    REFUSED(LIMBIC_ERR_POINT_FORM, out,
            (len = sizeof out, limbic_ec_convert(curve, (limbic_point_form)3, out, &len, key.q, 1 + 2 * n)));
    for (size_t i = 0; i < 4; i++) {
        REFUSED(LIMBIC_ERR_CURVE, out, limbic_ec_public_key(unknown[i], out, 1 + 2 * n, key.d, n));
        REFUSED(LIMBIC_ERR_CURVE, out, limbic_ecdh(unknown[i], out, n, key.d, n, key.q, 1 + 2 * n));
        REFUSED(LIMBIC_ERR_CURVE, out, limbic_ec_check_public(unknown[i], key.q, 1 + 2 * n));
        REFUSED(LIMBIC_ERR_CURVE, out, limbic_ec_check_private(unknown[i], key.d, n));
        REFUSED(LIMBIC_ERR_CURVE, out,
                limbic_ecdsa_verify(unknown[i], sig, 2 * n, key.q, 1 + 2 * n, digest, 32));
        check(limbic_curve_bytes(unknown[i]) == 0 && !limbic_curve_name(unknown[i]) &&
                  limbic_ec_prepared_bytes(unknown[i]) == 0,
              "an unknown curve has no length");
    }
    if (curve == LIMBIC_SM2) {
        REFUSED(LIMBIC_ERR_CURVE, out,
                limbic_ecdsa_sign(curve, out, 2 * n, key.d, n, digest, 32, LIMBIC_HASH_DEFAULT));
        REFUSED(LIMBIC_ERR_CURVE, out, limbic_ecdsa_verify(curve, sig, 2 * n, key.q, 1 + 2 * n, digest, 32));
        return;
    }
    len = 0;
    memset(sig, 1, sizeof sig);
    check(limbic_ecdsa_sig_to_der(curve, NULL, &len, sig, 2 * n) == LIMBIC_ERR_BUFFER && len > 2 * n,
          "%s: the length of a DER signature asked for without a buffer", limbic_curve_name(curve));
    check(limbic_cpu_features(NULL, 10) == limbic_cpu_features(NULL, 0), "features without a buffer");
    REFUSED(LIMBIC_ERR_HASH, out, limbic_ecdsa_sign(curve, out, 2 * n, key.d, n, digest, 32, (limbic_hash)4));
    REFUSED(LIMBIC_ERR_HASH, out,
            limbic_ecdsa_sign(curve, out, 2 * n, key.d, n, digest, 32, (limbic_hash)-1));
    REFUSED(LIMBIC_ERR_LENGTH, out,
            limbic_ecdsa_sign(curve, out, 2 * n - 1, key.d, n, digest, 32, LIMBIC_SHA256));
    REFUSED(LIMBIC_ERR_NULL, out, limbic_ecdsa_sign(curve, out, 2 * n, key.d, n, NULL, 32, LIMBIC_SHA256));
    REFUSED(LIMBIC_ERR_LENGTH, out, limbic_ecdsa_verify(curve, sig, 2 * n + 1, key.q, 1 + 2 * n, digest, 32));
    check(!limbic_ecdsa_sign(curve, sig, 2 * n, key.d, n, NULL, 0, LIMBIC_HASH_DEFAULT) &&
              !limbic_ecdsa_verify(curve, sig, 2 * n, key.q, 1 + 2 * n, NULL, 0),
          "%s: a digest of no bytes", limbic_curve_name(curve));
}

static void prepared_keys(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve), size = limbic_ec_prepared_bytes(curve);
    struct pair key;
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[64];
    uint64_t *a = malloc(size + 8), *b = malloc(size);

    if (!a || !b)
        abort();
    make(curve, &key);
    for (int i = 0; i < 64; i++)
        digest[i] = (uint8_t)(i * i);
    check(!limbic_ec_prepare(curve, a, size, key.q, 1 + 2 * n), "%s: prepare", limbic_curve_name(curve));
    check(limbic_ec_prepare(curve, a, size - 8, key.q, 1 + 2 * n) == LIMBIC_ERR_LENGTH, "prepare: length");
    check(limbic_ec_prepare(curve, (uint8_t *)a + 4, size, key.q, 1 + 2 * n) == LIMBIC_ERR_ALIGNMENT,
          "prepare: alignment");
    memcpy(b, a, size); /* a copy is as good */
    if (curve == LIMBIC_SM2) {
        memset(sig, 1, sizeof sig);
        check(limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, 32) == LIMBIC_ERR_CURVE,
              "SM2 has no ECDSA");
        free(a);
        free(b);
        return;
    }
    for (int i = 0; i < 20; i++) {
        digest[0]++;
        if (limbic_ecdsa_sign(curve, sig, 2 * n, key.d, n, digest, sizeof digest, LIMBIC_HASH_DEFAULT))
            abort();
        check(!limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, sizeof digest),
              "%s: verify, prepared", limbic_curve_name(curve));
        digest[1] ^= 0x40;
        check(limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, sizeof digest) ==
                  LIMBIC_ERR_SIGNATURE,
              "%s: another digest, prepared", limbic_curve_name(curve));
    }
    memset(sig, 0, n);
    check(limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, 32) == LIMBIC_ERR_SIGNATURE_RANGE,
          "prepared: r = 0");
    check(limbic_ecdsa_verify_prepared(b, size - 8, sig, 2 * n, digest, 32) == LIMBIC_ERR_LENGTH,
          "prepared: length");
    check(limbic_ecdsa_verify_prepared(b, 8, sig, 2 * n, digest, 32) == LIMBIC_ERR_LENGTH,
          "prepared: length 8");
    check(limbic_ecdsa_verify_prepared(NULL, size, sig, 2 * n, digest, 32) == LIMBIC_ERR_NULL,
          "prepared: NULL");
    check(limbic_ecdsa_verify_prepared((uint8_t *)a + 1, size, sig, 2 * n, digest, 32) ==
              LIMBIC_ERR_ALIGNMENT,
          "prepared: alignment");
    b[1] = 77;
    check(limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, 32) == LIMBIC_ERR_PREPARED,
          "prepared: curve");
    b[1] = a[1];
    b[0] ^= 1;
    check(limbic_ecdsa_verify_prepared(b, size, sig, 2 * n, digest, 32) == LIMBIC_ERR_PREPARED,
          "prepared: no key");
    free(a);
    free(b);
}

/* Signatures beside libcrypto, in both directions; ranges of r and s; overlap of all buffers. */
static void signatures(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    EC_GROUP *g = group_of(curve);
    EC_KEY *peer = EC_KEY_new();
    EC_POINT *q = EC_POINT_new(g);
    struct pair key;
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], again[LIMBIC_MAX_SIGNATURE_BYTES], digest[100],
        order[LIMBIC_MAX_BYTES];

    if (curve == LIMBIC_SM2)
        goto out;
    make(curve, &key);
    if (!peer || !q || !EC_KEY_set_group(peer, g) || !EC_POINT_oct2point(g, q, key.q, 1 + 2 * n, NULL) ||
        !EC_KEY_set_public_key(peer, q))
        abort();
    BIGNUM *d = BN_bin2bn(key.d, (int)n, NULL);
    if (!d || !EC_KEY_set_private_key(peer, d) || BN_bn2binpad(EC_GROUP_get0_order(g), order, (int)n) < 0)
        abort();
    BN_free(d);
    for (size_t len = 0; len <= sizeof digest; len++) {
        for (size_t i = 0; i < len; i++)
            digest[i] = (uint8_t)(len == 100 ? 0xff : 31 * i + 7 * len);
        ECDSA_SIG *theirs = ECDSA_SIG_new();
        check(!limbic_ecdsa_sign(curve, sig, 2 * n, key.d, n, digest, len, LIMBIC_HASH_DEFAULT), "%s: sign",
              limbic_curve_name(curve));
        ECDSA_SIG_set0(theirs, BN_bin2bn(sig, (int)n, NULL), BN_bin2bn(sig + n, (int)n, NULL));
        check(ECDSA_do_verify(digest, (int)len, theirs, peer) == 1, "%s: libcrypto verifies, digest of %zu",
              limbic_curve_name(curve), len);
        ECDSA_SIG_free(theirs);
        check(!limbic_ecdsa_sign(curve, again, 2 * n, key.d, n, digest, len, LIMBIC_HASH_DEFAULT) &&
                  memcmp(sig, again, 2 * n) != 0,
              "%s: two hedged signatures differ", limbic_curve_name(curve));
        theirs = ECDSA_do_sign(digest, (int)len, peer);
        if (!theirs || BN_bn2binpad(ECDSA_SIG_get0_r(theirs), sig, (int)n) < 0 ||
            BN_bn2binpad(ECDSA_SIG_get0_s(theirs), sig + n, (int)n) < 0)
            abort();
        ECDSA_SIG_free(theirs);
        check(!limbic_ecdsa_verify(curve, sig, 2 * n, key.q, 1 + 2 * n, digest, len),
              "%s: libcrypto's, digest of %zu", limbic_curve_name(curve), len);
        sig[len % (2 * n)] ^= 1;
        limbic_status s = limbic_ecdsa_verify(curve, sig, 2 * n, key.q, 1 + 2 * n, digest, len);
        check(s == LIMBIC_ERR_SIGNATURE || s == LIMBIC_ERR_SIGNATURE_RANGE, "%s: a bit changed",
              limbic_curve_name(curve));
    }
    if (limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, key.d, n, digest, 32, LIMBIC_SHA256) ||
        limbic_ecdsa_sign_deterministic(curve, again, 2 * n, key.d, n, digest, 32, LIMBIC_SHA256))
        abort();
    check(!memcmp(sig, again, 2 * n), "%s: two deterministic signatures agree", limbic_curve_name(curve));
    check(!limbic_ecdsa_sign_deterministic(curve, again, 2 * n, key.d, n, digest, 32, LIMBIC_SHA512) &&
              memcmp(sig, again, 2 * n) != 0,
          "%s: another HMAC, another nonce", limbic_curve_name(curve));
    /* r, s in {0, n, all ones} */
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 3; k++) {
            memcpy(again, sig, 2 * n);
            if (k == 1)
                memcpy(again + (half ? n : 0), order, n);
            else
                memset(again + (half ? n : 0), k ? 0xff : 0, n);
            check(limbic_ecdsa_verify(curve, again, 2 * n, key.q, 1 + 2 * n, digest, 32) ==
                      LIMBIC_ERR_SIGNATURE_RANGE,
                  "%s: %s out of range, %d", limbic_curve_name(curve), half ? "s" : "r", k);
        }
    /* one buffer for everything: the output over the key, over the digest; points over points */
    uint8_t buffer[3 * LIMBIC_MAX_POINT_BYTES];
    for (size_t at = 0; at < 2 * n; at += 7) {
        memset(buffer, 0, sizeof buffer);
        memcpy(buffer + at, key.d, n);
        check(!limbic_ecdsa_sign_deterministic(curve, buffer, 2 * n, buffer + at, n, digest, 32,
                                               LIMBIC_SHA256) &&
                  !memcmp(buffer, sig, 2 * n),
              "%s: signature over the key at %zu", limbic_curve_name(curve), at);
        memset(buffer, 0, sizeof buffer);
        memcpy(buffer + at, digest, 32);
        check(!limbic_ecdsa_sign_deterministic(curve, buffer, 2 * n, key.d, n, buffer + at, 32,
                                               LIMBIC_SHA256) &&
                  !memcmp(buffer, sig, 2 * n),
              "%s: signature over the digest at %zu", limbic_curve_name(curve), at);
        memset(buffer, 0, sizeof buffer);
        memcpy(buffer + at, key.d, n);
        check(!limbic_ec_public_key(curve, buffer, 1 + 2 * n, buffer + at, n) &&
                  !memcmp(buffer, key.q, 1 + 2 * n),
              "%s: public key over the private at %zu", limbic_curve_name(curve), at);
        uint8_t secret[LIMBIC_MAX_BYTES];
        if (limbic_ecdh(curve, secret, n, key.d, n, key.q, 1 + 2 * n))
            abort();
        memcpy(buffer + at, key.q, 1 + 2 * n);
        check(!limbic_ecdh(curve, buffer, n, key.d, n, buffer + at, 1 + 2 * n) && !memcmp(buffer, secret, n),
              "%s: secret over the point at %zu", limbic_curve_name(curve), at);
    }
out:
    EC_POINT_free(q);
    EC_KEY_free(peer);
    EC_GROUP_free(g);
}

static void random_faults(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    struct pair key;
    uint8_t out[3 * LIMBIC_MAX_POINT_BYTES], digest[32] = {1};

    make(curve, &key);
    random_mode = 1;
    REFUSED(LIMBIC_ERR_RANDOM, out, limbic_ec_keygen(curve, out, n, out + n, 1 + 2 * n));
    if (curve != LIMBIC_SM2) {
        REFUSED(LIMBIC_ERR_RANDOM, out,
                limbic_ecdsa_sign(curve, out, 2 * n, key.d, n, digest, 32, LIMBIC_SHA256));
        check(!limbic_ecdsa_sign_deterministic(curve, out, 2 * n, key.d, n, digest, 32, LIMBIC_SHA256),
              "%s: RFC 6979 needs no random bytes", limbic_curve_name(curve));
    }
    random_mode = 2; /* a candidate above n: drawn again */
    check(!limbic_ec_keygen(curve, out, n, out + n, 1 + 2 * n) && !limbic_ec_check_private(curve, out, n) &&
              random_mode == 0,
          "%s: a key above the order is drawn again", limbic_curve_name(curve));
    random_mode = 0;
}

static void no_heap(limbic_curve curve) {
#if COUNTS_HEAP
    const size_t n = limbic_curve_bytes(curve), size = limbic_ec_prepared_bytes(curve);
    static uint64_t prepared[1 << 16];
    struct pair key;
    uint8_t out[LIMBIC_MAX_POINT_BYTES], sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[32] = {3};
    unsigned bad = 0;

    make(curve, &key); /* the tables of this curve are selected now */
    if (size > sizeof prepared)
        abort();
    unsigned long before = heap_calls;
    bad |= limbic_ec_keygen(curve, key.d, n, key.q, 1 + 2 * n);
    bad |= limbic_ecdh(curve, out, n, key.d, n, key.q, 1 + 2 * n);
    bad |= limbic_ec_prepare(curve, prepared, size, key.q, 1 + 2 * n);
    if (curve != LIMBIC_SM2) {
        bad |= limbic_ecdsa_sign(curve, sig, 2 * n, key.d, n, digest, 32, LIMBIC_HASH_DEFAULT);
        bad |= limbic_ecdsa_verify(curve, sig, 2 * n, key.q, 1 + 2 * n, digest, 32);
        bad |= limbic_ecdsa_verify_prepared(prepared, size, sig, 2 * n, digest, 32);
    }
    check(!bad && heap_calls == before,
          "%s: %lu heap calls in key generation, signature, verification and ECDH", limbic_curve_name(curve),
          heap_calls - before);
    void *volatile probe = malloc(1);
    check(heap_calls == before + 1, "the heap counter counts");
    free(probe);
#else
    skipped++;
    (void)printf("%s: heap calls not counted: a sanitizer, or not glibc, owns malloc\n",
                 limbic_curve_name(curve));
#endif
}

/* ---- what operations leave on the stack ---- */

#if COUNTS_HEAP
/* Two keys, or nonces, of which a job has one; the peer's stay. */
static struct {
    limbic_curve curve;
    size_t n;
    struct pair keys[2], nonces[2], peer;
    struct pair key, nonce;
    uint8_t digest[32], msg[100], out[3 * LIMBIC_MAX_POINT_BYTES], sealed[2][256], der[256], extra[256];
    uint8_t sig[2 * LIMBIC_MAX_BYTES], sig_of_msg[64];
    size_t der_len;
    limbic_sm2_signer signer;
    uint64_t prepared[1 << 16];
} job;

static limbic_status leaves_key(void) { /* one that is left on purpose */
    volatile uint64_t left[512];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) /* all of it, or a compiler makes it shorter */
        left[i] = limbic_load_be64(job.key.d + job.n - 8);
    return left[0] ? LIMBIC_OK : LIMBIC_ERR_FAULT;
}
static limbic_status job_keygen(void) {
    return limbic_ec_keygen(job.curve, job.out, job.n, job.out + job.n, 1 + 2 * job.n);
}
static limbic_status job_public_key(void) {
    return limbic_ec_public_key(job.curve, job.out, 1 + 2 * job.n, job.key.d, job.n);
}
static limbic_status job_check_private(void) {
    return limbic_ec_check_private(job.curve, job.key.d, job.n);
}
static limbic_status job_base_mul(void) {
    return limbic_ec_base_mul(job.curve, job.out, 1 + 2 * job.n, job.key.d, job.n);
}
static limbic_status job_mul(void) {
    return limbic_ec_mul(job.curve, job.out, 1 + 2 * job.n, job.key.d, job.n, job.peer.q, 1 + 2 * job.n);
}
static limbic_status job_ecdh(void) {
    return limbic_ecdh(job.curve, job.out, job.n, job.key.d, job.n, job.peer.q, 1 + 2 * job.n);
}
static limbic_status job_to_der(void) {
    job.der_len = sizeof job.der;
    return limbic_ec_private_to_der(job.curve, LIMBIC_KEY_PKCS8, job.der, &job.der_len, job.key.d, job.n);
}
static limbic_status job_from_der(void) {
    return limbic_ec_private_from_der(job.curve, job.out, job.n, job.der, job.der_len);
}
static limbic_status job_sign(void) {
    return limbic_ecdsa_sign(job.curve, job.out, 2 * job.n, job.key.d, job.n, job.digest, 32,
                             LIMBIC_HASH_DEFAULT);
}
static limbic_status job_sign_deterministic(void) {
    return limbic_ecdsa_sign_deterministic(job.curve, job.out, 2 * job.n, job.key.d, job.n, job.digest, 32,
                                           LIMBIC_SHA512);
}
static limbic_status job_sign_with_nonce(void) {
    return limbic_ecdsa_sign_with_nonce(job.curve, job.out, 2 * job.n, job.key.d, job.n, job.digest, 32,
                                        job.nonce.d, job.n);
}
static limbic_status job_sm2_sign(void) {
    return limbic_sm2_sign(job.out, 64, job.key.d, 32, NULL, 0, job.msg, sizeof job.msg);
}
static limbic_status job_sm2_sign_digest(void) {
    return limbic_sm2_sign_digest(job.out, 64, job.key.d, 32, job.digest, 32);
}
static limbic_status job_sm2_with_nonce(void) {
    return limbic_sm2_sign_digest_with_nonce(job.out, 64, job.key.d, 32, job.digest, 32, job.nonce.d, 32);
}
static limbic_status job_signer_init(void) {
    return limbic_sm2_signer_init(&job.signer, job.key.d, 32, NULL, 0);
}
static limbic_status job_signer_sign(void) {
    return limbic_sm2_signer_sign(&job.signer, job.out, 64, job.msg, sizeof job.msg);
}
static limbic_status job_encrypt(void) { /* what is secret is the message, and the nonce */
    size_t n = sizeof job.out;
    return limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, job.out, &n, job.peer.q, 65, job.key.d, 32);
}
static limbic_status job_decrypt(void) {
    size_t n = sizeof job.out;
    return limbic_sm2_decrypt(LIMBIC_SM2_C1C2C3, job.out, &n, job.key.d, 32, job.extra,
                              32 + LIMBIC_SM2_OVERHEAD_BYTES);
}
static limbic_status job_exchange(void) {
    const limbic_sm2_exchange x = {.responder = 1,
                                   .private_key = job.key.d,
                                   .ephemeral_private = job.nonce.d,
                                   .peer_public = job.peer.q,
                                   .peer_ephemeral = job.peer.q,
                                   .peer_public_len = 65,
                                   .peer_ephemeral_len = 65};
    return limbic_sm2_exchange_key(&x, job.out, 48, job.extra, job.extra + 32);
}

/* Failures, when the secrets have been read. */
static limbic_status fails(limbic_status want, limbic_status got) {
    return got == want ? LIMBIC_OK : got ? got : LIMBIC_ERR_FAULT;
}
static limbic_status job_no_hash(void) {
    return fails(LIMBIC_ERR_HASH, limbic_ecdsa_sign(job.curve, job.out, 2 * job.n, job.key.d, job.n,
                                                    job.digest, 32, LIMBIC_SM3));
}
static limbic_status job_no_text(void) { /* a ciphertext for another key */
    size_t n = sizeof job.out;
    return fails(LIMBIC_ERR_DECRYPT, limbic_sm2_decrypt(LIMBIC_SM2_C1C2C3, job.out, &n, job.nonce.d, 32,
                                                        job.extra, 32 + LIMBIC_SM2_OVERHEAD_BYTES));
}
static limbic_status job_no_key(void) { /* with another one's public key */
    job.der[job.der_len - 1] ^= 1;
    const limbic_status status = job_from_der();
    job.der[job.der_len - 1] ^= 1;
    return fails(LIMBIC_ERR_PUBLIC_KEY, status);
}

/* What has no secrets. */
static limbic_status job_check_public(void) {
    return limbic_ec_check_public(job.curve, job.peer.q, 1 + 2 * job.n);
}
static limbic_status job_convert(void) {
    size_t n = sizeof job.extra, m = sizeof job.out;
    limbic_status status =
        limbic_ec_convert(job.curve, LIMBIC_COMPRESSED, job.extra, &n, job.peer.q, 1 + 2 * job.n);
    return status ? status : limbic_ec_convert(job.curve, LIMBIC_UNCOMPRESSED, job.out, &m, job.extra, n);
}
static limbic_status job_double_mul(void) {
    return limbic_ec_double_mul_vartime(job.curve, job.out, 1 + 2 * job.n, job.key.d, job.n, job.nonce.d,
                                        job.n, job.peer.q, 1 + 2 * job.n);
}
static limbic_status job_add(void) {
    return limbic_ec_add(job.curve, job.out, 1 + 2 * job.n, job.key.q, 1 + 2 * job.n, job.peer.q,
                         1 + 2 * job.n);
}
static limbic_status job_prepare(void) {
    return limbic_ec_prepare(job.curve, job.prepared, limbic_ec_prepared_bytes(job.curve), job.key.q,
                             1 + 2 * job.n);
}
static limbic_status job_public_der(void) {
    size_t n = sizeof job.extra;
    limbic_status status = limbic_ec_public_to_der(job.curve, job.extra, &n, job.peer.q, 1 + 2 * job.n);
    return status ? status : limbic_ec_public_from_der(job.curve, job.out, 1 + 2 * job.n, job.extra, n);
}
static limbic_status job_verify(void) {
    return limbic_ecdsa_verify(job.curve, job.sig, 2 * job.n, job.key.q, 1 + 2 * job.n, job.digest, 32);
}
static limbic_status job_verify_prepared(void) {
    return limbic_ecdsa_verify_prepared(job.prepared, limbic_ec_prepared_bytes(job.curve), job.sig, 2 * job.n,
                                        job.digest, 32);
}
static limbic_status job_sig_der(void) {
    size_t n = sizeof job.extra;
    limbic_status status = limbic_ecdsa_sig_to_der(job.curve, job.extra, &n, job.sig, 2 * job.n);
    return status ? status : limbic_ecdsa_sig_from_der(job.curve, job.out, 2 * job.n, job.extra, n);
}
static limbic_status job_sm2_verify(void) {
    limbic_status status = limbic_sm2_verify_digest(job.sig, 64, job.key.q, 65, job.digest, 32);
    return status ? status
                  : limbic_sm2_verify(job.sig_of_msg, 64, job.key.q, 65, NULL, 0, job.msg, sizeof job.msg);
}
static limbic_status job_sm2_verify_prepared(void) {
    const size_t n = limbic_ec_prepared_bytes(job.curve);
    limbic_status status = limbic_sm2_verify_digest_prepared(job.prepared, n, job.sig, 64, job.digest, 32);
    return status ? status
                  : limbic_sm2_verify_prepared(job.prepared, n, job.sig_of_msg, 64, NULL, 0, job.msg,
                                               sizeof job.msg);
}
static limbic_status job_sm2_convert(void) {
    size_t n = sizeof job.out;
    return limbic_sm2_convert(LIMBIC_SM2_DER, job.out, &n, LIMBIC_SM2_C1C2C3, job.extra,
                              32 + LIMBIC_SM2_OVERHEAD_BYTES);
}

static void choose(int which) {
    job.key = job.keys[which];
    memcpy(job.extra, job.sealed[which], sizeof job.extra);
    job.nonce = job.nonces[which];
    random_seed += (uint64_t)
        which; /* of keys and nonces that are drawn; random bytes that are mixed in may as well be others */
    if (job.curve == LIMBIC_SM2 && job_signer_init())
        abort();
    if (job_to_der())
        abort();
}

static const struct {
    const char *name;
    limbic_status (*run)(void);
    int only;   /* 1: ECDSA's curves; 2: SM2 */
    int public; /* 2: with prepared keys */
} jobs[] = {
    {"keygen", job_keygen, 0, 0},
    {"public_key", job_public_key, 0, 0},
    {"check_private", job_check_private, 0, 0},
    {"base_mul", job_base_mul, 0, 0},
    {"mul", job_mul, 0, 0},
    {"ecdh", job_ecdh, 0, 0},
    {"private_to_der", job_to_der, 0, 0},
    {"private_from_der", job_from_der, 0, 0},
    {"ecdsa_sign", job_sign, 1, 0},
    {"ecdsa_sign_deterministic", job_sign_deterministic, 1, 0},
    {"ecdsa_sign_with_nonce", job_sign_with_nonce, 1, 0},
    {"sm2_sign", job_sm2_sign, 2, 0},
    {"sm2_sign_digest", job_sm2_sign_digest, 2, 0},
    {"sm2_sign_digest_with_nonce", job_sm2_with_nonce, 2, 0},
    {"sm2_signer_init", job_signer_init, 2, 0},
    {"sm2_signer_sign", job_signer_sign, 2, 0},
    {"sm2_encrypt", job_encrypt, 2, 0},
    {"sm2_decrypt", job_decrypt, 2, 0},
    {"sm2_exchange_key", job_exchange, 2, 0},
    {"ecdsa_sign, no such hash", job_no_hash, 1, 0},
    {"sm2_decrypt, of another key", job_no_text, 2, 0},
    {"private_from_der, of another key", job_no_key, 0, 0},
    {"check_public", job_check_public, 0, 1},
    {"convert", job_convert, 0, 1},
    {"double_mul", job_double_mul, 0, 1},
    {"add", job_add, 0, 1},
    {"prepare", job_prepare, 0, 2},
    {"public_to_der, public_from_der", job_public_der, 0, 1},
    {"sig_to_der, sig_from_der", job_sig_der, 0, 1},
    {"ecdsa_verify", job_verify, 1, 1},
    {"ecdsa_verify_prepared", job_verify_prepared, 1, 2},
    {"sm2_verify", job_sm2_verify, 2, 1},
    {"sm2_verify_prepared", job_sm2_verify_prepared, 2, 2},
    {"sm2_convert", job_sm2_convert, 2, 1},
};

/* What README.md says that calls take; and the first one on a curve that has to do with prepared keys, for which rows are asked for known answers. */
enum { CALL_STACK = 28 << 10, FIRST_PREPARED_STACK = 48 << 10 };

static void stack_sizes(const char *isa) {
    size_t most[3] = {0, 0, 0};
    run_deep(nothing);
    deep_base = deep_used;
    choose(0);
    if (job_prepare() || (job.curve == LIMBIC_SM2 ? job_sm2_sign() : job_sign()))
        abort();
    memcpy(job.curve == LIMBIC_SM2 ? job.sig_of_msg : job.sig, job.out, 2 * job.n);
    if (job.curve == LIMBIC_SM2 && job_sm2_sign_digest())
        abort();
    if (job.curve == LIMBIC_SM2)
        memcpy(job.sig, job.out, 64);
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        if (jobs[i].only && (jobs[i].only == 2) != (job.curve == LIMBIC_SM2))
            continue;
        for (int again = 0; again < 2; again++) {
            choose(0);
            if (!again)
                limbic_cpu_assume(0); /* forgets the tables */
            run_deep(jobs[i].run);
            const size_t used = deep_used - deep_base,
                         allowed = !again && jobs[i].public == 2 ? FIRST_PREPARED_STACK : CALL_STACK;
            size_t *const of = &most[again ? 0 : jobs[i].public == 2 ? 2 : 1];
            *of = used > *of ? used : *of;
            check(!deep_job.status && used < allowed, "%s %s, %s call: status %d, %zu bytes of stack",
                  limbic_curve_name(job.curve), jobs[i].name, again ? "another" : "first",
                  (int)deep_job.status, used);
        }
    }
    (void)printf("%s %s: %zu bytes of stack, a first call %zu, with prepared keys %zu\n", isa ? isa : "auto",
                 limbic_curve_name(job.curve), most[0], most[1], most[2]);
}

static void stack_residue(limbic_curve curve, const char *isa) {
    job.curve = curve;
    job.n = limbic_curve_bytes(curve);
    make(curve, &job.peer);
    for (int i = 0; i < 2; i++) {
        make(curve, &job.keys[i]);
        make(curve, &job.nonces[i]);
        size_t len = sizeof job.sealed[i];
        if (curve == LIMBIC_SM2 && limbic_sm2_encrypt(LIMBIC_SM2_C1C2C3, job.sealed[i], &len, job.keys[i].q,
                                                      65, job.nonces[i].d, 32))
            abort();
    }
    check(depends(choose, leaves_key) != NULL, "%s: what is left is found", limbic_curve_name(curve));
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        if (jobs[i].public || (jobs[i].only && (jobs[i].only == 2) != (curve == LIMBIC_SM2)))
            continue;
        const char *what = depends(choose, jobs[i].run);
        check(!what, "%s %s leaves what depends on its secrets: %s", limbic_curve_name(curve), jobs[i].name,
              what ? what : "");
    }
    stack_sizes(isa);
}
#else
static void stack_residue(limbic_curve curve, const char *isa) {
    (void)isa;
    skipped++;
    (void)printf("%s: stack not searched: a sanitizer owns it\n", limbic_curve_name(curve));
}
#endif

/* ---- RSA and key files ---- */

#if COUNTS_HEAP
/* What limbic/rsa.h says that an operation takes: words for each word of the modulus, and bytes. */
enum {
    RSA_STACK_WORDS = 60,
    RSA_STACK_BYTES = 32768,
    RSA_PRIME_STACK_WORDS = 120,
    RSA_PRIME_STACK_BYTES = 57344,
    FIRST_RSA_STACK = 112 << 10 /* at least, of the first call: rows are asked for known answers */
};
static void deep(const char *name, limbic_status (*run)(void), limbic_status want, const struct secrets *s) {
    run_deep(run);
    const char *left = left_on_stack(s);
    check(deep_job.status == want && !left && !deep_job.heap_calls,
          "%s: status %d, wanted %d; left on the stack: %s; %lu heap calls", name, (int)deep_job.status,
          (int)want, left ? left : "nothing", deep_job.heap_calls);
}

/* A key, the same of d alone, the numbers of both, and files of the first. */
enum { RSA_MOST = LIMBIC_RSA_MAX_BYTES };
static struct {
    size_t bits, k;
    uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)],
        bare[LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)],
        out[LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)];
    uint8_t number[8][RSA_MOST];
    limbic_rsa_numbers numbers, bare_numbers;
    uint8_t der[12000], pem[16000], bytes[16000], message[100], sealed[256], batch_out[7][256];
    limbic_rsa_item items[7];
    size_t der_len, pem_len, n;
} r;

/* The search itself: the highest word of p, deep enough that the thread's end does not reach it. */
static limbic_status leaves_p(void) {
    volatile uint64_t left[1024];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) /* all of it, or a compiler makes it shorter */
        left[i] = limbic_load_be64(r.number[3]);
    return left[0] ? LIMBIC_OK : LIMBIC_ERR_FAULT;
}
static limbic_status rsa_private_op(void) {
    return limbic_rsa_private_op(r.key, sizeof r.key, r.bytes, r.k, r.bytes, r.k);
}
static limbic_status rsa_bare_op(void) {
    return limbic_rsa_private_op(r.bare, sizeof r.bare, r.bytes, r.k, r.bytes, r.k);
}
static limbic_status rsa_sign(void) {
    return limbic_rsa_sign_pss(r.bare, sizeof r.bare, r.bytes, r.k, LIMBIC_SHA512, LIMBIC_SHA512, 64,
                               r.number[0], 64);
}
static limbic_status rsa_sign_pkcs1(void) {
    return limbic_rsa_sign_pkcs1(r.key, sizeof r.key, r.bytes, r.k, LIMBIC_SHA256, r.number[0], 32);
}
static limbic_status rsa_decrypt(void) {
    r.n = sizeof r.bytes;
    return limbic_rsa_decrypt_pkcs1(r.bare, sizeof r.bare, r.bytes, &r.n, r.bytes, r.k);
}
static limbic_status rsa_decrypt_oaep(void) {
    r.n = sizeof r.bytes;
    return limbic_rsa_decrypt_oaep(r.key, sizeof r.key, r.bytes, &r.n, LIMBIC_SHA256, LIMBIC_SHA256, NULL, 0,
                                   r.bytes, r.k);
}
static limbic_status rsa_encrypt_oaep(void) {
    return limbic_rsa_encrypt_oaep(r.key, sizeof r.key, r.bytes, r.k, LIMBIC_SHA256, LIMBIC_SHA256, NULL, 0,
                                   r.message, sizeof r.message);
}
static limbic_status rsa_encrypt_pkcs1(void) {
    return limbic_rsa_encrypt_pkcs1(r.key, sizeof r.key, r.bytes, r.k, r.message, sizeof r.message);
}
/* Failures, when the key has been read. */
static limbic_status rsa_bad_import(void) {
    limbic_rsa_numbers x = r.numbers;
    x.dq = x.dp;
    return fails(LIMBIC_ERR_PRIVATE_KEY, limbic_rsa_private_import(r.out, sizeof r.out, &x));
}
static limbic_status rsa_bad_op(void) { /* qinv is wrong */
    struct limbic_rsa x;
    if (limbic_rsa_open(&x, r.key, sizeof r.key, 0))
        abort();
    r.key[x.qinv - r.key] ^= 2;
    const limbic_status status = rsa_private_op();
    r.key[x.qinv - r.key] ^= 2;
    return fails(LIMBIC_ERR_FAULT, status);
}
static limbic_status rsa_bad_decrypt(void) {
    r.n = sizeof r.bytes;
    return fails(LIMBIC_ERR_DECRYPT,
                 limbic_rsa_decrypt_oaep(r.key, sizeof r.key, r.bytes, &r.n, LIMBIC_SHA256, LIMBIC_SHA256,
                                         "label", 5, r.bytes, r.k));
}
static limbic_status rsa_bad_buffer(void) {
    r.n = 1;
    return fails(LIMBIC_ERR_BUFFER, limbic_rsa_decrypt_oaep(r.key, sizeof r.key, r.bytes, &r.n, LIMBIC_SHA256,
                                                            LIMBIC_SHA256, NULL, 0, r.bytes, r.k));
}
static limbic_status rsa_bad_digest(void) {
    return fails(LIMBIC_ERR_LENGTH,
                 limbic_rsa_sign_pkcs1(r.key, sizeof r.key, r.bytes, r.k, LIMBIC_SHA256, r.number[0], 31));
}
static limbic_status rsa_bad_salt(void) {
    return fails(LIMBIC_ERR_SALT, limbic_rsa_sign_pss(r.key, sizeof r.key, r.bytes, r.k, LIMBIC_SHA256,
                                                      LIMBIC_SHA256, 1000, r.number[0], 32));
}
static limbic_status rsa_bad_export(void) {
    r.n = 1;
    return fails(LIMBIC_ERR_BUFFER, limbic_rsa_export(r.key, sizeof r.key, LIMBIC_RSA_QINV, r.bytes, &r.n));
}
enum { RSA_BATCH = 7 };
static limbic_status rsa_batch(void) {
    for (size_t i = 0; i < RSA_BATCH; i++)
        r.items[i] = (limbic_rsa_item){
            i % 4 ? r.key : r.bare, r.bytes, r.batch_out[i], sizeof r.key, r.k, r.k, LIMBIC_OK};
    return limbic_rsa_private_op_batch(r.items, RSA_BATCH);
}
static limbic_status rsa_questions(void) { /* what looks at a private key and needs none */
    r.n = sizeof r.bytes;
    limbic_status status = limbic_rsa_export(r.key, sizeof r.key, LIMBIC_RSA_E, r.bytes, &r.n);
    if (!status && (!limbic_rsa_bits(r.key, sizeof r.key) || !limbic_rsa_bytes(r.key, sizeof r.key) ||
                    !limbic_rsa_is_private(r.key, sizeof r.key) ||
                    !limbic_rsa_max_message(r.key, sizeof r.key, LIMBIC_RSA_OAEP, LIMBIC_SHA256)))
        status = LIMBIC_ERR_PREPARED;
    return status ? status : limbic_rsa_public_op(r.key, sizeof r.key, r.bytes, r.k, r.batch_out[0], r.k);
}
static limbic_status rsa_import(void) {
    return limbic_rsa_private_import(r.out, sizeof r.out, &r.numbers);
}
static limbic_status rsa_bare_import(void) {
    return limbic_rsa_private_import(r.out, sizeof r.out, &r.bare_numbers);
}
static limbic_status rsa_check(void) {
    return limbic_rsa_check(r.key, sizeof r.key);
}
static limbic_status rsa_export(void) {
    limbic_status status = LIMBIC_OK;
    for (limbic_rsa_part part = LIMBIC_RSA_D; part <= LIMBIC_RSA_QINV && !status; part++) {
        r.n = sizeof r.bytes;
        status = limbic_rsa_export(r.key, sizeof r.key, part, r.bytes, &r.n);
    }
    return status;
}
static limbic_status rsa_to_der(void) {
    r.der_len = sizeof r.der;
    return limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, r.der, &r.der_len, r.key, sizeof r.key);
}
static limbic_status rsa_from_der(void) {
    return limbic_rsa_private_from_der(r.out, sizeof r.out, r.der, r.der_len);
}
static limbic_status pem_encode(void) {
    r.pem_len = sizeof r.pem;
    return limbic_pem_encode(r.pem, &r.pem_len, "PRIVATE KEY", r.der, r.der_len);
}
static limbic_status pem_decode(void) {
    r.n = sizeof r.bytes;
    return limbic_pem_decode(r.bytes, &r.n, r.pem, r.pem_len);
}
static limbic_status rsa_keygen(void) {
    return limbic_rsa_keygen(r.key, sizeof r.key, r.bits, NULL, 0);
}

static void rsa_secrets(struct secrets *s, const uint64_t *key) {
    struct limbic_rsa x;
    if (limbic_rsa_open(&x, key, sizeof r.key, 1))
        abort();
    memset(s, 0, sizeof *s);
    add_secret(s, "d", x.d, 8 * x.n.limbs);
    add_secret(s, "p", x.p.m, 8 * x.p.limbs);
    add_secret(s, "q", x.q.m, 8 * x.q.limbs);
    add_secret(s, "R^2 mod p", x.p.rr, 8 * x.p.limbs);
    add_secret(s, "R^2 mod q", x.q.rr, 8 * x.q.limbs);
    add_secret(s, "dp", x.dp, 8 * x.p.limbs);
    add_secret(s, "dq", x.dq, 8 * x.q.limbs);
    add_secret(s, "qinv", x.qinv, 8 * x.p.limbs);
    static const char *const names[] = {"d as bytes",  "p as bytes",  "q as bytes",
                                        "dp as bytes", "dq as bytes", "qinv as bytes"};
    limbic_rsa_number numbers[8];
    for (size_t i = 0; i < 8; i++) {
        size_t n = RSA_MOST;
        if (limbic_rsa_export(key, sizeof r.key, (limbic_rsa_part)(LIMBIC_RSA_N + i), r.number[i], &n))
            abort();
        numbers[i] = (limbic_rsa_number){r.number[i], n};
        if (i >= 2)
            add_secret(s, names[i - 2], r.number[i], n);
    }
    r.numbers = (limbic_rsa_numbers){numbers[0], numbers[1], numbers[2], numbers[3],
                                     numbers[4], numbers[5], numbers[6], numbers[7]};
    r.bare_numbers = (limbic_rsa_numbers){.n = numbers[0], .e = numbers[1], .d = numbers[2]};
}

/* The stack of a key of so many bits, beside what rsa.h says; least: so much may be taken in any case. */
static void stack_fits(const char *name, size_t least) {
    const size_t words = (r.bits + 63) / 64, used = deep_used - deep_base,
                 allowed =
                     !strcmp(name, "check") || !strcmp(name, "keygen") || !strcmp(name, "private_op_batch")
                         ? 8 * RSA_PRIME_STACK_WORDS * words + RSA_PRIME_STACK_BYTES
                         : 8 * RSA_STACK_WORDS * words + RSA_STACK_BYTES;
    (void)printf("RSA of %zu bits, %s: %zu bytes of stack%s\n", r.bits, name, used,
                 least ? " for a first call" : "");
    check(used <= allowed || used <= least, "RSA of %zu bits, %s: %zu bytes of stack, more than %zu", r.bits,
          name, used, allowed > least ? allowed : least);
}

/* Odd numbers that need not be prime: private operations with them run as others do, and end with LIMBIC_ERR_FAULT. */
static void rsa_without_primes(size_t bits) {
    static struct secrets s;
    uint64_t p[LIMBIC_RSA_MAX_LIMBS / 2], q[LIMBIC_RSA_MAX_LIMBS / 2];
    const uint64_t e = 65537;
    const size_t limbs = bits / 128;
    struct limbic_rsa_group g[LIMBIC_RSA_SMALL];
    r.bits = bits;
    r.k = bits / 8;
    do {
        if (limbic_random(p, 8 * limbs) || limbic_random(q, 8 * limbs))
            abort();
        p[limbs - 1] |= UINT64_C(3) << 62;
        q[limbs - 1] |= UINT64_C(3) << 62;
        p[0] |= 1;
        q[0] |= 1;
        limbic_rsa_groups(g, LIMBIC_RSA_SMALL);
    } while (limbic_rsa_small_factor(p, limbs, g, LIMBIC_RSA_SMALL) ||
             limbic_rsa_small_factor(q, limbs, g, LIMBIC_RSA_SMALL) ||
             limbic_rsa_build(r.key, sizeof r.key, p, limbs, q, limbs, &e, 1));
    rsa_secrets(&s, r.key);
    memset(r.bytes, 0, r.k);
    r.bytes[r.k - 1] = 3;
    deep("private_op", rsa_private_op, LIMBIC_ERR_FAULT, &s);
    stack_fits("private operation", 0);
    deep("import", rsa_import, LIMBIC_OK, &s);
    stack_fits("import", 0);
    deep("import, d alone", rsa_bare_import, LIMBIC_ERR_PRIVATE_KEY, &s);
    stack_fits("import, d alone", 0);
    deep("check", rsa_check, LIMBIC_ERR_PRIVATE_KEY, &s);
    stack_fits("check", 0);
}

/* One key, twice: p and q change places, and so do dp and dq; d is the least one, or has lcm more. All that is public stays. */
static void choose_key(int which) {
    static struct secrets s;
    const uint64_t e = 65537;
    uint64_t p[16], q[16];
    r.bits = 2048;
    r.k = 256;
    limbic_rsa_selftest_primes(p, q);
    if (limbic_rsa_build(r.key, sizeof r.key, which ? q : p, 16, which ? p : q, 16, &e, 1))
        abort();
    rsa_secrets(&s, r.key);
    if (which) {
        BIGNUM *d = BN_bin2bn(r.numbers.d.bytes, (int)r.numbers.d.len, NULL),
               *p1 = BN_bin2bn(r.number[3], 128, NULL), *q1 = BN_bin2bn(r.number[4], 128, NULL),
               *gcd = BN_new();
        BN_CTX *ctx = BN_CTX_new();
        if (!BN_sub_word(p1, 1) || !BN_sub_word(q1, 1) || !BN_gcd(gcd, p1, q1, ctx) ||
            !BN_mul(p1, p1, q1, ctx) || !BN_div(p1, NULL, p1, gcd, ctx) || !BN_add(d, d, p1))
            abort();
        r.numbers.d.len = r.bare_numbers.d.len = (size_t)BN_bn2bin(d, r.number[2]);
        BN_CTX_free(ctx);
        BN_free(d);
        BN_free(p1);
        BN_free(q1);
        BN_free(gcd);
    }
    if (rsa_import() || limbic_rsa_private_import(r.bare, sizeof r.bare, &r.bare_numbers))
        abort();
    memcpy(r.key, r.out, sizeof r.key);
    if (rsa_to_der() || pem_encode())
        abort();
    memcpy(r.bytes, r.sealed, r.k);
}
/* One key, and another message. */
static void choose_message(int which) {
    const uint64_t seed = random_seed;
    choose_key(0);
    memset(r.message, 5 + which, sizeof r.message);
    if (rsa_encrypt_oaep())
        abort();
    random_seed = seed;
}
/* The same, blinded by another number. */
static void choose_blinded(int which) {
    choose_message(which);
    random_seed += (uint64_t)which;
}
static void choose_seed(int which) {
    random_seed += (uint64_t)which;
    r.bits = 2048;
}

static const struct rsa_job {
    const char *name;
    limbic_status (*run)(void);
    void (*choose_message)(int which); /* NULL: it has none */
} rsa_jobs[] = {
    {"private_op", rsa_private_op, choose_blinded},
    {"private_op, d alone", rsa_bare_op, choose_blinded},
    {"private_op_batch", rsa_batch, choose_blinded},
    {"sign_pss, d alone", rsa_sign, NULL},
    {"sign_pkcs1", rsa_sign_pkcs1, NULL},
    {"decrypt_pkcs1, d alone", rsa_decrypt, choose_blinded},
    {"decrypt_oaep", rsa_decrypt_oaep, choose_blinded},
    {"encrypt_oaep", rsa_encrypt_oaep, choose_message},
    {"encrypt_pkcs1", rsa_encrypt_pkcs1, choose_message},
    {"import", rsa_import, NULL},
    {"import, d alone", rsa_bare_import, NULL},
    {"export", rsa_export, NULL},
    {"questions", rsa_questions, NULL},
    {"private_to_der", rsa_to_der, NULL},
    {"private_from_der", rsa_from_der, NULL},
    {"pem_encode", pem_encode, NULL},
    {"pem_decode", pem_decode, NULL},
    {"import, wrong dq", rsa_bad_import, NULL},
    {"private_op, wrong qinv", rsa_bad_op, choose_blinded},
    {"decrypt_oaep, wrong label", rsa_bad_decrypt, choose_blinded},
    {"decrypt_oaep, short buffer", rsa_bad_buffer, NULL},
    {"sign_pkcs1, short digest", rsa_bad_digest, NULL},
    {"sign_pss, long salt", rsa_bad_salt, NULL},
    {"export, short buffer", rsa_bad_export, NULL},
};
enum { RSA_JOBS = sizeof rsa_jobs / sizeof rsa_jobs[0] };

static void does_not_depend(const char *name, const char *of, void (*choose_one)(int),
                            limbic_status (*run)(void)) {
    const char *what = depends(choose_one, run);
    check(!what, "RSA %s leaves what depends on %s: %s", name, of, what ? what : "");
}

static void rsa_residue(void) {
    choose_key(0);
    memset(r.message, 5, sizeof r.message);
    if (rsa_encrypt_oaep())
        abort();
    memcpy(r.sealed, r.bytes, sizeof r.sealed);
    check(depends(choose_key, leaves_p) != NULL, "RSA: what is left is found");
    for (size_t i = 0; i < RSA_JOBS; i++) {
        does_not_depend(rsa_jobs[i].name, "the key", choose_key, rsa_jobs[i].run);
        if (rsa_jobs[i].choose_message)
            does_not_depend(rsa_jobs[i].name, "the message", rsa_jobs[i].choose_message, rsa_jobs[i].run);
    }
    does_not_depend("check", "the key", choose_key, rsa_check);
    does_not_depend("keygen", "the primes", choose_seed, rsa_keygen);
}

static void rsa_with_primes(void) {
    static struct secrets s;
    uint64_t p[16], q[16];
    const uint64_t e = 65537;
    r.bits = 2048;
    r.k = 256;
    limbic_rsa_selftest_primes(p, q);
    if (limbic_rsa_build(r.key, sizeof r.key, p, 16, q, 16, &e, 1))
        abort();
    rsa_secrets(&s, r.key);
    run_deep(nothing);
    deep_base = deep_used;
    run_deep(leaves_p);
    check(left_on_stack(&s) != NULL, "the search finds what is left");
    if (limbic_rsa_private_import(r.bare, sizeof r.bare, &r.bare_numbers))
        abort();
    for (size_t i = 0; i < RSA_JOBS; i++) {
        memcpy(r.bytes, r.sealed, r.k);
        deep(rsa_jobs[i].name, rsa_jobs[i].run, LIMBIC_OK, &s);
        stack_fits(rsa_jobs[i].name, 0);
        if (rsa_jobs[i].run == rsa_sign_pkcs1 || rsa_jobs[i].run == rsa_encrypt_oaep ||
            rsa_jobs[i].run == rsa_batch || rsa_jobs[i].run == rsa_questions) {
            limbic_cpu_assume(0); /* forgets what was found right */
            deep(rsa_jobs[i].name, rsa_jobs[i].run, LIMBIC_OK, &s);
            stack_fits(rsa_jobs[i].name, FIRST_RSA_STACK);
        }
    }
    limbic_cpu_assume(0);
    deep("check", rsa_check, LIMBIC_OK, &s);
    stack_fits("check", FIRST_RSA_STACK);
    for (r.bits = 2048; r.bits <= 4096; r.bits += 1024) {
        r.k = r.bits / 8;
        run_deep(rsa_keygen);
        rsa_secrets(&s, r.key);
        const char *left = left_on_stack(&s);
        check(!deep_job.status && !left && !deep_job.heap_calls,
              "keygen: status %d; left on the stack: %s; %lu heap calls", (int)deep_job.status,
              left ? left : "nothing", deep_job.heap_calls);
        stack_fits("keygen", 0);
        deep("check", rsa_check, LIMBIC_OK, &s);
        stack_fits("check", 0);
    }
}

static void rsa_and_files(void) {
    rsa_with_primes();
    rsa_without_primes(4096);
    rsa_without_primes(LIMBIC_RSA_MAX_BITS);
}
#else
static void rsa_residue(void) {}
static void rsa_and_files(void) {
    skipped++;
    (void)printf("RSA and key files: a sanitizer, or not glibc, owns heap and stack\n");
}
#endif

static void all(const char *isa) {
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        bad_points(curves[i]);
        bad_scalars(curves[i]);
        beside_libcrypto(curves[i]);
        arguments(curves[i]);
        prepared_keys(curves[i]);
        signatures(curves[i]);
        random_faults(curves[i]);
        no_heap(curves[i]);
        stack_residue(curves[i], strcmp(isa, "auto") ? isa : NULL);
    }
    rsa_residue();
}

int main(void) {
    char what[64];
    each_isa(ENGINES, all);
    rsa_and_files();
    check(limbic_selftest(what, sizeof what) == LIMBIC_OK, "self-test: %s", what);
    return closing();
}
