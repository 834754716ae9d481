/* Signatures in DER, against libcrypto. Input: curve, encoding. */
#include "crypto.h"
#include "limbic/ecdsa.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

/* libcrypto reads it, would write the same bytes, and both numbers are in [1, n - 1]. */
static int acceptable(const EC_GROUP *group, const struct input *in, uint8_t *sig, size_t n) {
    const uint8_t *p = in->at;
    uint8_t *again = NULL;
    ECDSA_SIG *s = d2i_ECDSA_SIG(NULL, &p, (long)in->left);
    int good = s && p == in->at + in->left;
    if (good) {
        const int len = i2d_ECDSA_SIG(s, &again);
        const BIGNUM *order = EC_GROUP_get0_order(group), *parts[2];
        ECDSA_SIG_get0(s, &parts[0], &parts[1]);
        good = len == (int)in->left && memcmp(again, in->at, in->left) == 0;
        for (int i = 0; i < 2; i++)
            good = good && !BN_is_negative(parts[i]) && !BN_is_zero(parts[i]) &&
                   BN_cmp(parts[i], order) < 0 &&
                   BN_bn2binpad(parts[i], sig + (size_t)i * n, (int)n) == (int)n;
    }
    OPENSSL_free(again);
    ECDSA_SIG_free(s);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    const limbic_curve curve = take_curve(&in);
    const size_t n = limbic_curve_bytes(curve);
    uint8_t sig[LIMBIC_MAX_SIGNATURE_BYTES], want[LIMBIC_MAX_SIGNATURE_BYTES], der[LIMBIC_MAX_DER_BYTES];
    const int good = acceptable(group_of(curve), &in, want, n);

    memset(sig, 0xa5, sizeof sig);
    const limbic_status status = limbic_ecdsa_sig_from_der(curve, sig, 2 * n, in.at, in.left);
    REQUIRE((status == LIMBIC_OK) == good, "from_der: %s", limbic_status_string(status));
    for (size_t i = good ? 2 * n : 0; i < sizeof sig; i++)
        REQUIRE(sig[i] == 0xa5, "output after a failure, or beyond the signature");
    if (good) {
        size_t len = sizeof der;
        REQUIRE(memcmp(sig, want, 2 * n) == 0, "other numbers");
        const limbic_status back = limbic_ecdsa_sig_to_der(curve, der, &len, sig, 2 * n);
        REQUIRE(back == LIMBIC_OK && len == in.left && memcmp(der, in.at, len) == 0, "to_der");
    }
    return 0;
}
