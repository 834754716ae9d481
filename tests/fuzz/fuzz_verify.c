/*
 * Verification, against libcrypto. Input: curve, private key, length of the digest, digest, then bytes that
 * are added (exclusive or) to the signature r||s, the public key, and the digest: with none left the
 * signature is right.
 */
#include "crypto.h"
#include "limbic/ecdsa.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

static void disturb(struct input *in, uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        p[i] ^= take_byte(in);
}

static int libcrypto_verify(const EC_GROUP *group, const uint8_t *sig, size_t n, const uint8_t *point,
                            const uint8_t *digest, size_t digest_len) {
    EC_KEY *key = EC_KEY_new();
    EC_POINT *p = EC_POINT_new(group);
    ECDSA_SIG *s = ECDSA_SIG_new();
    ECDSA_SIG_set0(s, BN_bin2bn(sig, (int)n, NULL), BN_bin2bn(sig + n, (int)n, NULL));
    EC_KEY_set_group(key, group);
    const int good = point[0] == 4 && EC_POINT_oct2point(group, p, point, 1 + 2 * n, NULL) &&
                     EC_KEY_set_public_key(key, p) && ECDSA_do_verify(digest, (int)digest_len, s, key) == 1;
    ECDSA_SIG_free(s);
    EC_POINT_free(p);
    EC_KEY_free(key);
    return good;
}

/* The signature in a batch, with the key as it is, compressed and prepared, among items that have it spoilt: each as the function for one. */
static void verify_batch(limbic_curve curve, const uint8_t *sig, const uint8_t *point, const uint8_t *digest,
                         size_t digest_len, const uint64_t *prepared, size_t table) {
    enum { ITEMS = 11 };
    const size_t n = limbic_curve_bytes(curve);
    uint8_t compressed[LIMBIC_MAX_POINT_BYTES], sigs[ITEMS][LIMBIC_MAX_SIGNATURE_BYTES];
    limbic_ecdsa_verify_item items[ITEMS];
    int all = 1;
    memcpy(compressed, point, 1 + n);
    compressed[0] = 2 | (point[2 * n] & 1);
    for (size_t i = 0; i < ITEMS; i++) {
        limbic_ecdsa_verify_item *x = &items[i];
        memcpy(sigs[i], sig, 2 * n);
        if (i > 4)
            sigs[i][(i * 7) % (2 * n)] ^= 1;
        *x = (limbic_ecdsa_verify_item){
            .sig = sigs[i], .digest = digest, .sig_len = 2 * n, .digest_len = digest_len};
        if (i % 3 == 2) {
            x->prepared = prepared;
            x->prepared_len = table;
        } else {
            x->public_key = i % 3 ? compressed : point;
            x->public_len = i % 3 ? 1 + n : 1 + 2 * n;
        }
    }
    const limbic_status status = limbic_ecdsa_verify_batch(curve, items, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        const limbic_ecdsa_verify_item *x = &items[i];
        const limbic_status one =
            x->prepared
                ? limbic_ecdsa_verify_prepared(prepared, table, x->sig, 2 * n, digest, digest_len)
                : limbic_ecdsa_verify(curve, x->sig, 2 * n, x->public_key, x->public_len, digest, digest_len);
        REQUIRE(x->status == one, "item %zu of a batch: %s, alone: %s", i, limbic_status_string(x->status),
                limbic_status_string(one));
        all &= one == LIMBIC_OK;
    }
    REQUIRE(status == (all ? LIMBIC_OK : LIMBIC_ERR_BATCH), "batch: %s", limbic_status_string(status));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint64_t prepared[1 << 16];
    struct input in = {data, size};
    const limbic_curve curve = (limbic_curve)(1 + take_byte(&in) % 3);
    const EC_GROUP *group = group_of(curve);
    const size_t n = limbic_curve_bytes(curve), table = limbic_ec_prepared_bytes(curve);
    uint8_t d[LIMBIC_MAX_BYTES], point[LIMBIC_MAX_POINT_BYTES], sig[LIMBIC_MAX_SIGNATURE_BYTES], digest[96];

    take(&in, d, n);
    const size_t digest_len = take_byte(&in) % sizeof digest;
    take(&in, digest, digest_len);
    if (limbic_ec_public_key(curve, point, 1 + 2 * n, d, n) != LIMBIC_OK)
        return 0; /* not in [1, n - 1] */
    limbic_status status =
        limbic_ecdsa_sign_deterministic(curve, sig, 2 * n, d, n, digest, digest_len, LIMBIC_HASH_DEFAULT);
    REQUIRE(status == LIMBIC_OK, "sign: %s", limbic_status_string(status));
    const int untouched = in.left == 0;
    const uint8_t cleared = take_byte(&in);
    if (cleared & 1)
        memset(sig, 0, n);
    if (cleared & 2)
        memset(sig + n, 0, n);
    disturb(&in, sig, 2 * n);
    disturb(&in, point, 1 + 2 * n);
    disturb(&in, digest, digest_len);

    const int good = libcrypto_verify(group, sig, n, point, digest, digest_len);
    REQUIRE(good || !untouched, "libcrypto refuses a signature");
    status = limbic_ecdsa_verify(curve, sig, 2 * n, point, 1 + 2 * n, digest, digest_len);
    REQUIRE((status == LIMBIC_OK) == good, "verify: %s, libcrypto: %d", limbic_status_string(status), good);
    REQUIRE(table <= sizeof prepared, "the table has grown");
    status = limbic_ec_prepare(curve, prepared, table, point, 1 + 2 * n);
    if (status == LIMBIC_OK)
        status = limbic_ecdsa_verify_prepared(prepared, table, sig, 2 * n, digest, digest_len);
    else
        prepared[0] = 0; /* nor one of another curve, made before */
    REQUIRE((status == LIMBIC_OK) == good, "verify_prepared: %s, libcrypto: %d", limbic_status_string(status),
            good);
    verify_batch(curve, sig, point, digest, digest_len, prepared, table);
    return 0;
}
