/*
 * SM2 against libcrypto, under one key. Input: a byte that picks what is tried.
 *     0: a form, a ciphertext of that form: decryption, and conversion to every form and back.
 *     1: a form, a nonce, the length of a message, then edits of the ciphertext: the same.
 *     2: e, a nonce, edits of the signature and e: verification.
 */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include "crypto.h"
#include "limbic/ecdsa.h"
#include "limbic/key.h"
#include "limbic/sm2.h"
#include "scheme/sm2.h"

enum { MOST = 6000, ROOM = MOST + 256 };

static const uint8_t d[32] = {0x2f, 0x5c, 0x11, [12] = 0x99, [31] = 0x07};
static uint8_t point[65];
static uint64_t prepared[1 << 15];
static size_t prepared_len;
static EVP_PKEY_CTX *decryption, *verification;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    uint8_t der[256];
    size_t n = sizeof der;
    const uint8_t *p = der;
    (void)argc, (void)argv;
    prepared_len = limbic_ec_prepared_bytes(LIMBIC_SM2);
    REQUIRE(prepared_len <= sizeof prepared &&
                !limbic_ec_public_key(LIMBIC_SM2, point, sizeof point, d, sizeof d) &&
                !limbic_ec_prepare(LIMBIC_SM2, prepared, prepared_len, point, sizeof point) &&
                !limbic_ec_private_to_der(LIMBIC_SM2, LIMBIC_KEY_PKCS8, der, &n, d, sizeof d),
            "the key");
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &p, (long)n);
    REQUIRE(key && EVP_PKEY_is_a(key, "SM2"), "libcrypto has no SM2 key");
    decryption = EVP_PKEY_CTX_new(key, NULL);
    verification = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(decryption && verification && EVP_PKEY_decrypt_init(decryption) > 0 &&
                EVP_PKEY_verify_init(verification) > 0,
            "libcrypto's contexts");
    EVP_PKEY_free(key);
    return 0;
}

/* Pairs of a place (2 bytes) and what is added there. */
static void edit(struct input *in, uint8_t *p, size_t n) {
    while (in->left) {
        size_t at = (size_t)take_byte(in) << 8;
        at |= take_byte(in);
        p[at % n] ^= take_byte(in);
    }
}

static int untouched(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != 0xa5)
            return 0;
    return 1;
}

/* What the ciphertext is in DER, its length; 0 if it is none. Every form of it must come back as it was. */
static size_t convert(limbic_sm2_form form, uint8_t *der, const uint8_t *in, size_t n) {
    static uint8_t other[ROOM], back[ROOM];
    size_t der_len = 0;
    for (limbic_sm2_form to = LIMBIC_SM2_C1C3C2; to <= LIMBIC_SM2_DER; to++) {
        size_t other_len = sizeof other, back_len = sizeof back;
        memset(other, 0xa5, sizeof other);
        limbic_status status = limbic_sm2_convert(to, other, &other_len, form, in, n);
        if (status) {
            REQUIRE(untouched(other, sizeof other) && to == LIMBIC_SM2_C1C3C2,
                    "convert: output after a failure, or one form alone fails");
            return 0;
        }
        status = limbic_sm2_convert(form, back, &back_len, to, other, other_len);
        REQUIRE(!status && back_len == n && memcmp(back, in, n) == 0, "convert to form %d and back: %s",
                (int)to, limbic_status_string(status));
        if (to == LIMBIC_SM2_DER)
            memcpy(der, other, der_len = other_len);
    }
    return der_len;
}

static limbic_status try_ciphertext(limbic_sm2_form form, const uint8_t *in, size_t n) {
    static uint8_t out[ROOM], want[ROOM], der[ROOM];
    size_t out_len = sizeof out, want_len = sizeof want;
    memset(out, 0xa5, sizeof out);
    const limbic_status status = limbic_sm2_decrypt(form, out, &out_len, d, sizeof d, in, n);
    REQUIRE(!status || untouched(out, sizeof out), "decrypt: output after a failure");
    const size_t der_len = convert(form, der, in, n);
    REQUIRE((status != LIMBIC_OK && status != LIMBIC_ERR_DECRYPT) == (der_len == 0),
            "decrypt and convert see different things: %s", limbic_status_string(status));
    if (!der_len)
        return status;
    const int good = EVP_PKEY_decrypt(decryption, want, &want_len, der, der_len) > 0;
    /* a key stream of zeros, which libcrypto may take, has a chance in messages of a few bytes only */
    REQUIRE(status ? !good || der_len < 120 : good && out_len == want_len && memcmp(out, want, out_len) == 0,
            "decrypt: %s, libcrypto: %d", limbic_status_string(status), good);
    return status;
}

static void try_made(struct input *in) {
    static uint8_t msg[MOST], sealed[ROOM];
    const limbic_sm2_form form = (limbic_sm2_form)(take_byte(in) % 3);
    uint8_t nonce[32];
    size_t n = sizeof sealed;
    take(in, nonce, sizeof nonce);
    const size_t high = take_byte(in), msg_len = 1 + (high << 8 | take_byte(in)) % MOST;
    for (size_t i = 0; i < msg_len; i++)
        msg[i] = (uint8_t)(i * i + high);
    if (limbic_sm2_encrypt_with_nonces(form, sealed, &n, point, sizeof point, msg, msg_len, nonce, 32))
        return; /* no nonce */
    const int edits = in->left != 0;
    edit(in, sealed, n);
    const limbic_status status = try_ciphertext(form, sealed, n);
    REQUIRE(edits || !status, "decrypt: %s", limbic_status_string(status));
}

static void try_signature(struct input *in) {
    uint8_t e[32], nonce[32], sig[LIMBIC_SM2_SIGNATURE_BYTES], both[sizeof e + sizeof sig], *der = NULL;
    take(in, e, sizeof e);
    take(in, nonce, sizeof nonce);
    if (limbic_sm2_sign_digest_with_nonce(sig, sizeof sig, d, sizeof d, e, sizeof e, nonce, sizeof nonce))
        return; /* no nonce, or not a good one */
    memcpy(both, e, sizeof e);
    memcpy(both + sizeof e, sig, sizeof sig);
    const int edits = in->left != 0;
    edit(in, both, sizeof both);
    memcpy(e, both, sizeof e);
    memcpy(sig, both + sizeof e, sizeof sig);

    ECDSA_SIG *s = ECDSA_SIG_new();
    ECDSA_SIG_set0(s, BN_bin2bn(sig, 32, NULL), BN_bin2bn(sig + 32, 32, NULL));
    const int n = i2d_ECDSA_SIG(s, &der);
    REQUIRE(n > 0, "libcrypto writes no signature");
    const int good = EVP_PKEY_verify(verification, der, (size_t)n, e, sizeof e) == 1;
    OPENSSL_free(der);
    ECDSA_SIG_free(s);
    limbic_status status = limbic_sm2_verify_digest(sig, sizeof sig, point, sizeof point, e, sizeof e);
    REQUIRE((status == LIMBIC_OK) == good && (good || edits), "verify: %s, libcrypto: %d",
            limbic_status_string(status), good);
    const limbic_status again =
        limbic_sm2_verify_digest_prepared(prepared, prepared_len, sig, sizeof sig, e, sizeof e);
    REQUIRE(status == again, "verify_prepared: %s", limbic_status_string(again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    switch (take_byte(&in) % 3) {
    case 0: {
        const limbic_sm2_form form = (limbic_sm2_form)(take_byte(&in) % 3);
        if (in.left <= MOST)
            (void)try_ciphertext(form, in.at, in.left);
        break;
    }
    case 1:
        try_made(&in);
        break;
    default:
        try_signature(&in);
        break;
    }
    return 0;
}
