/*
 * Keys in DER and PEM, against libcrypto, which takes more: what we take, it takes too, and sees the same key. Input:
 * a byte (0: DER, else a PEM text), the encoding.
 */
#define OPENSSL_SUPPRESS_DEPRECATED /* d2i_PublicKey of RSA */
#include <openssl/evp.h>
#include <openssl/x509.h>
#include "crypto.h"
#include "limbic/key.h"

enum { ROOM = 16384 };
static uint64_t rsa[LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS)];

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

static EVP_PKEY *libcrypto_key(const limbic_key_info *info, const uint8_t *der, size_t n) {
    const uint8_t *p = der;
    EVP_PKEY *key = info->is_private ? d2i_AutoPrivateKey(NULL, &p, (long)n) : d2i_PUBKEY(NULL, &p, (long)n);
    if (!key && !info->is_private && info->type == LIMBIC_KEY_RSA) {
        p = der;
        key = d2i_PublicKey(EVP_PKEY_RSA, NULL, &p, (long)n);
    }
    return key;
}

/* Reads a key and writes it in one form; what the status of reading is. */
static limbic_status rewrite(const limbic_key_info *info, uint8_t *out, size_t *out_len, const uint8_t *der,
                             size_t n) {
    const size_t bytes = limbic_curve_bytes(info->curve);
    uint8_t ec[LIMBIC_MAX_POINT_BYTES];
    limbic_status status, written;
    if (info->type == LIMBIC_KEY_EC && info->is_private) {
        status = limbic_ec_private_from_der(info->curve, ec, bytes, der, n);
        written = status ? status
                         : limbic_ec_private_to_der(info->curve, LIMBIC_KEY_PKCS8, out, out_len, ec, bytes);
    } else if (info->type == LIMBIC_KEY_EC) {
        status = limbic_ec_public_from_der(info->curve, ec, 1 + 2 * bytes, der, n);
        written = status ? status : limbic_ec_public_to_der(info->curve, out, out_len, ec, 1 + 2 * bytes);
    } else if (info->is_private) {
        status = limbic_rsa_private_from_der(rsa, sizeof rsa, der, n);
        written =
            status ? status : limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, out, out_len, rsa, sizeof rsa);
    } else {
        status = limbic_rsa_public_from_der(rsa, sizeof rsa, der, n);
        written = status ? status : limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, out, out_len, rsa, sizeof rsa);
    }
    REQUIRE(status == written, "read, but not written: %s", limbic_status_string(written));
    return status;
}

static void try_der(const uint8_t *der, size_t n) {
    static uint8_t first[ROOM], second[ROOM];
    size_t first_len = sizeof first, second_len = sizeof second;
    limbic_key_info info;
    if (n > 4096 || limbic_key_inspect(&info, der, n) || (info.type == LIMBIC_KEY_RSA && info.bits > 4096) ||
        rewrite(&info, first, &first_len, der, n))
        return;
    REQUIRE(rewrite(&info, second, &second_len, first, first_len) == LIMBIC_OK && first_len == second_len &&
                memcmp(first, second, first_len) == 0,
            "what was written is read as another key");
    EVP_PKEY *given = libcrypto_key(&info, der, n), *written = libcrypto_key(&info, first, first_len);
    REQUIRE(given && written && EVP_PKEY_eq(given, written) == 1, "libcrypto sees another key, or none");
    EVP_PKEY_free(given);
    EVP_PKEY_free(written);
}

static void try_pem(const uint8_t *text, size_t n) {
    static uint8_t der[ROOM], pem[2 * ROOM], again[ROOM];
    size_t der_len = sizeof der, pem_len = sizeof pem, again_len = sizeof again;
    if (n > ROOM || limbic_pem_decode(der, &der_len, text, n))
        return;
    REQUIRE(!limbic_pem_encode(pem, &pem_len, "PRIVATE KEY", der, der_len) &&
                !limbic_pem_decode(again, &again_len, pem, pem_len) && der_len == again_len &&
                memcmp(der, again, der_len) == 0,
            "PEM and back");
    try_der(der, der_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size)
        (data[0] ? try_pem : try_der)(data + 1, size - 1);
    return 0;
}
