/* Decoding, checking, converting and adding of points, against libcrypto. Input: curve, encoding. */
#include "crypto.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

/* limbic_ec_convert to a form, against libcrypto's encoding of p (NULL: the point is bad). */
static void convert(limbic_curve curve, const struct input *in, limbic_point_form form, const EC_POINT *p) {
    uint8_t out[LIMBIC_MAX_POINT_BYTES], want[LIMBIC_MAX_POINT_BYTES];
    size_t out_len = sizeof out, want_len = 0;
    memset(out, 0xa5, sizeof out);
    const limbic_status status = limbic_ec_convert(curve, form, out, &out_len, in->at, in->left);
    REQUIRE((status == LIMBIC_OK) == (p != NULL), "convert: %s", limbic_status_string(status));
    for (size_t i = 0; !p && i < sizeof out; i++)
        REQUIRE(out[i] == 0xa5, "output after a failure");
    if (!p)
        return;
    want_len = EC_POINT_point2oct(group_of(curve), p,
                                  form == LIMBIC_COMPRESSED ? POINT_CONVERSION_COMPRESSED
                                                            : POINT_CONVERSION_UNCOMPRESSED,
                                  want, sizeof want, NULL);
    REQUIRE(out_len == want_len && memcmp(out, want, want_len) == 0, "convert: another encoding");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    const limbic_curve curve = take_curve(&in);
    const EC_GROUP *group = group_of(curve);
    const size_t n = limbic_curve_bytes(curve);
    EC_POINT *p = EC_POINT_new(group);
    /* libcrypto takes 06 and 07 (hybrid) and 00 (infinity) as well */
    const int good =
        in.left > 0 && in.at[0] >= 2 && in.at[0] <= 4 && EC_POINT_oct2point(group, p, in.at, in.left, NULL);

    const limbic_status status = limbic_ec_check_public(curve, in.at, in.left);
    REQUIRE((status == LIMBIC_OK) == good, "check_public: %s", limbic_status_string(status));
    convert(curve, &in, LIMBIC_UNCOMPRESSED, good ? p : NULL);
    convert(curve, &in, LIMBIC_COMPRESSED, good ? p : NULL);
    if (good) {
        uint8_t out[LIMBIC_MAX_POINT_BYTES], want[LIMBIC_MAX_POINT_BYTES];
        EC_POINT_dbl(group, p, p, NULL);
        const limbic_status added = limbic_ec_add(curve, out, 1 + 2 * n, in.at, in.left, in.at, in.left);
        EC_POINT_point2oct(group, p, POINT_CONVERSION_UNCOMPRESSED, want, sizeof want, NULL);
        REQUIRE(added == LIMBIC_OK && memcmp(out, want, 1 + 2 * n) == 0, "2 p");
    }
    EC_POINT_free(p);
    return 0;
}
