/*
 * An envelope for files of any size: SM4-GCM by libcrypto for the data, SM2 by Limbic for the key of each file.
 *
 *     envelope seal PUBLIC_KEY.pem IN OUT
 *     envelope open PRIVATE_KEY.pem IN OUT
 *
 * A sealed file, from its beginning:
 *
 *       8 bytes   "SM2SM4G1"
 *     125 bytes   SM2 ciphertext (C1 C3 C2: 65, 32 and 28 bytes, with SM3) of 28 random bytes: the key of SM4 (16) and the nonce of GCM (12)
 *       n bytes   the data, encrypted with SM4-GCM; the 133 bytes before it are its additional data
 *      16 bytes   the tag of GCM
 *
 * No file has the key of another one, so the nonce can't repeat. n is at most 2^36 - 32, which is what GCM allows for one nonce: 64 GiB. Who seals is not
 * told: whoever has the public key can; sign the sealed file where that matters.
 *
 * Both directions read in pieces and take the same memory for every size. What is decrypted is not to be used before the tag at the end has been checked:
 * so it goes to a file that only its owner can read, in the folder of OUT, which gets the name OUT when the tag is right and is removed when it is not.
 * (Who can't have such a file reads the sealed one twice, and checks the tag first.)
 */
#define _POSIX_C_SOURCE 200809L

#include <limbic/key.h>
#include <limbic/sm2.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/modes.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "SM2SM4G1"

enum {
    MAGIC_BYTES = sizeof MAGIC - 1,
    KEY_BYTES = 16,
    NONCE_BYTES = 12,
    SECRET_BYTES = KEY_BYTES + NONCE_BYTES,
    HEADER_BYTES = MAGIC_BYTES + SECRET_BYTES + LIMBIC_SM2_OVERHEAD_BYTES,
    TAG_BYTES = 16,
    PIECE = 1 << 16
};
#define MOST_DATA ((UINT64_C(1) << 36) - 32)

static int fail(const char *what, const char *why) {
    fprintf(stderr, "envelope: %s: %s\n", what, why);
    return 0;
}

/* ---- SM4-GCM ---- */

/* Version 3.0 of libcrypto has SM4 and GCM, but not SM4-GCM: there, `own` joins them. */
struct gcm {
    EVP_CIPHER_CTX *evp; /* of SM4-GCM, or of SM4-ECB for own */
    GCM128_CONTEXT *own;
    int seal;
};

static void block(const unsigned char in[16], unsigned char out[16], const void *key) {
    int n;
    if (EVP_EncryptUpdate((EVP_CIPHER_CTX *)(uintptr_t)key, out, &n, in, 16) != 1)
        abort();
}

static int gcm_start(struct gcm *g, int seal, const uint8_t secret[SECRET_BYTES], const uint8_t *header) {
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(NULL, "SM4-GCM", NULL),
               *cipher = gcm ? gcm : EVP_CIPHER_fetch(NULL, "SM4-ECB", NULL);
    const uint8_t *nonce = secret + KEY_BYTES;
    int n, ok;
    *g = (struct gcm){EVP_CIPHER_CTX_new(), NULL, seal};
    ok = cipher && g->evp &&
         EVP_CipherInit_ex2(g->evp, cipher, secret, gcm ? nonce : NULL, gcm ? seal : 1, NULL) == 1;
    if (ok && gcm) {
        ok = EVP_CipherUpdate(g->evp, NULL, &n, header, HEADER_BYTES) == 1;
    } else if (ok) {
        ok =
            EVP_CIPHER_CTX_set_padding(g->evp, 0) == 1 && (g->own = CRYPTO_gcm128_new(g->evp, block)) != NULL;
        if (ok)
            CRYPTO_gcm128_setiv(g->own, nonce, NONCE_BYTES);
        ok = ok && CRYPTO_gcm128_aad(g->own, header, HEADER_BYTES) == 0;
    }
    EVP_CIPHER_free(cipher);
    return ok;
}

static int gcm_update(struct gcm *g, uint8_t *out, const uint8_t *in, size_t n) {
    int done;
    if (g->own)
        return (g->seal ? CRYPTO_gcm128_encrypt : CRYPTO_gcm128_decrypt)(g->own, in, out, n) == 0;
    return n == 0 || (EVP_CipherUpdate(g->evp, out, &done, in, (int)n) == 1 && (size_t)done == n);
}

/* Sealing writes the tag; opening checks it, in constant time. */
static int gcm_end(struct gcm *g, uint8_t tag[TAG_BYTES]) {
    uint8_t rest[16];
    int n;
    if (g->own && g->seal) {
        CRYPTO_gcm128_tag(g->own, tag, TAG_BYTES);
        return 1;
    }
    if (g->own)
        return CRYPTO_gcm128_finish(g->own, tag, TAG_BYTES) == 0;
    if (!g->seal && EVP_CIPHER_CTX_ctrl(g->evp, EVP_CTRL_AEAD_SET_TAG, TAG_BYTES, tag) != 1)
        return 0;
    if (EVP_CipherFinal_ex(g->evp, rest, &n) != 1)
        return 0;
    return !g->seal || EVP_CIPHER_CTX_ctrl(g->evp, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, tag) == 1;
}

static void gcm_free(struct gcm *g) {
    CRYPTO_gcm128_release(g->own); /* wipes */
    EVP_CIPHER_CTX_free(g->evp);
}

/* ---- the header ---- */

/* An SM2 key from a PEM file: a point of 65 bytes, or a private key of 32. */
static int read_key(const char *name, uint8_t *key, size_t n) {
    uint8_t pem[4096], der[4096];
    size_t der_len = sizeof der;
    FILE *f = fopen(name, "rb");
    size_t pem_len = f ? fread(pem, 1, sizeof pem, f) : 0;
    limbic_status status = LIMBIC_ERR_PEM;
    if (f && !ferror(f))
        status = limbic_pem_decode(der, &der_len, pem, pem_len);
    if (!status)
        status = n == 65 ? limbic_ec_public_from_der(LIMBIC_SM2, key, n, der, der_len)
                         : limbic_ec_private_from_der(LIMBIC_SM2, key, n, der, der_len);
    if (f)
        fclose(f);
    OPENSSL_cleanse(pem, sizeof pem);
    OPENSSL_cleanse(der, sizeof der);
    return status == LIMBIC_OK || fail(name, f ? limbic_status_string(status) : "can't be opened");
}

static int new_header(const char *key_name, uint8_t header[HEADER_BYTES], uint8_t secret[SECRET_BYTES]) {
    uint8_t key[65];
    size_t n = HEADER_BYTES - MAGIC_BYTES;
    limbic_status status;
    if (!read_key(key_name, key, sizeof key))
        return 0;
    if (RAND_priv_bytes(secret, SECRET_BYTES) != 1)
        return fail("random bytes", "none");
    memcpy(header, MAGIC, MAGIC_BYTES);
    status = limbic_sm2_encrypt(LIMBIC_SM2_C1C3C2, header + MAGIC_BYTES, &n, key, sizeof key, secret,
                                SECRET_BYTES);
    return status == LIMBIC_OK || fail(key_name, limbic_status_string(status));
}

static int read_header(const char *key_name, FILE *in, uint8_t header[HEADER_BYTES],
                       uint8_t secret[SECRET_BYTES]) {
    uint8_t key[32];
    size_t n = SECRET_BYTES;
    limbic_status status;
    if (fread(header, 1, HEADER_BYTES, in) != HEADER_BYTES || memcmp(header, MAGIC, MAGIC_BYTES) != 0)
        return fail("the sealed file", "is none");
    if (!read_key(key_name, key, sizeof key))
        return 0;
    status = limbic_sm2_decrypt(LIMBIC_SM2_C1C3C2, secret, &n, key, sizeof key, header + MAGIC_BYTES,
                                HEADER_BYTES - MAGIC_BYTES);
    OPENSSL_cleanse(key, sizeof key);
    return status == LIMBIC_OK || fail("the sealed file", limbic_status_string(status));
}

/* ---- the data ---- */

/* All of in but its last `keep` bytes, which stay in `last`. */
static int pass(struct gcm *g, FILE *in, FILE *out, size_t keep, uint8_t *last) {
    static uint8_t data[TAG_BYTES + PIECE], done[PIECE];
    uint64_t total = 0;
    size_t have = 0, n;
    int ok = 1;
    while (ok && (n = fread(data + have, 1, PIECE, in)) > 0) {
        have += n;
        n = have > keep ? have - keep : 0;
        total += n;
        if (total > MOST_DATA)
            ok = fail("the data", "more than 64 GiB");
        else if (!gcm_update(g, done, data, n))
            ok = fail("SM4-GCM", "libcrypto refuses");
        else if (fwrite(done, 1, n, out) != n)
            ok = fail("the output", "can't be written");
        memmove(data, data + n, have -= n);
    }
    if (ok && ferror(in))
        ok = fail("the input", "can't be read");
    if (ok && have != keep)
        ok = fail("the sealed file", "is cut off");
    if (ok)
        memcpy(last, data, keep);
    OPENSSL_cleanse(data, sizeof data);
    OPENSSL_cleanse(done, sizeof done);
    return ok;
}

static int run(int seal, const char *key_name, FILE *in, FILE *out) {
    uint8_t header[HEADER_BYTES], secret[SECRET_BYTES], tag[TAG_BYTES];
    struct gcm g = {NULL, NULL, seal};
    int ok = seal ? new_header(key_name, header, secret) &&
                        (fwrite(header, 1, HEADER_BYTES, out) == HEADER_BYTES ||
                         fail("the output", "can't be written"))
                  : read_header(key_name, in, header, secret);
    if (ok && !gcm_start(&g, seal, secret, header))
        ok = fail("SM4-GCM", "libcrypto has none");
    OPENSSL_cleanse(secret, sizeof secret);
    ok = ok && pass(&g, in, out, seal ? 0 : TAG_BYTES, tag);
    if (ok && !gcm_end(&g, tag))
        ok = fail("the sealed file", seal ? "no tag" : "was changed");
    if (ok && seal && fwrite(tag, 1, TAG_BYTES, out) != TAG_BYTES)
        ok = fail("the output", "can't be written");
    gcm_free(&g);
    return ok;
}

int main(int argc, char **argv) {
    const int seal = argc == 5 && strcmp(argv[1], "seal") == 0;
    char name[4096];
    FILE *in, *out = NULL;
    int fd = -1, ok;
    if (argc != 5 || (!seal && strcmp(argv[1], "open") != 0) ||
        snprintf(name, sizeof name, "%s.XXXXXX", argv[4]) >= (int)sizeof name) {
        fprintf(stderr,
                "usage: envelope seal PUBLIC_KEY.pem IN OUT\n       envelope open PRIVATE_KEY.pem IN OUT\n");
        return 2;
    }
    in = fopen(argv[3], "rb");
    if (!in)
        return !fail(argv[3], "can't be opened");
    fd = mkstemp(name); /* readable by its owner alone */
    out = fd < 0 ? NULL : fdopen(fd, "wb");
    ok = out ? run(seal, argv[2], in, out) : fail(name, "can't be made");
    if (out)
        ok = (fflush(out) == 0 && fsync(fd) == 0) & ok;
    if (out && fclose(out) != 0)
        ok = fail(argv[4], "can't be written");
    if (ok && rename(name, argv[4]) != 0)
        ok = fail(argv[4], "can't be written");
    if (!ok && fd >= 0)
        (void)unlink(name);
    fclose(in);
    return !ok;
}
