/* Key files: a private key to a PEM file and back, whatever its algorithm; its public key to another. keyfile [FOLDER] */
#include <limbic/key.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 8192 };

static int save(const char *name, const uint8_t *bytes, size_t n) {
    FILE *f = fopen(name, "wb"); /* a real one lets its owner alone read it */
    const int written = f && fwrite(bytes, 1, n, f) == n;
    return f && fclose(f) == 0 && written;
}

static size_t load(const char *name, uint8_t *bytes, size_t room) {
    FILE *f = fopen(name, "rb");
    const size_t n = f ? fread(bytes, 1, room, f) : 0;
    if (f)
        (void)fclose(f);
    return n;
}

/* DER to a PEM file. */
static limbic_status write_pem(const char *name, const char *label, const uint8_t *der, size_t der_len) {
    static uint8_t pem[2 * ROOM];
    size_t n = sizeof pem;
    const limbic_status s = limbic_pem_encode(pem, &n, label, der, der_len);
    return s ? s : save(name, pem, n) ? LIMBIC_OK : LIMBIC_ERR_BUFFER;
}

/* Reads a private key from a PEM file, of RSA or of a curve, and writes its public key to another. */
static limbic_status publish(const char *from, const char *to) {
    static uint8_t pem[2 * ROOM], der[ROOM];
    static uint64_t rsa[LIMBIC_RSA_PRIVATE_WORDS(4096)];
    uint8_t key[LIMBIC_MAX_BYTES], point[LIMBIC_MAX_POINT_BYTES];
    limbic_key_info info;
    size_t n = sizeof der;
    limbic_status s = limbic_pem_decode(der, &n, pem, load(from, pem, sizeof pem));
    if (!s)
        s = limbic_key_inspect(&info, der, n);
    if (s)
        return s;
    if (!info.is_private)
        return LIMBIC_ERR_PRIVATE_KEY;
    if (info.type == LIMBIC_KEY_RSA) {
        printf("%s: RSA, %zu bits\n", from, info.bits);
        s = limbic_rsa_private_from_der(rsa, sizeof rsa, der, n);
        n = sizeof der;
        if (!s)
            s = limbic_rsa_public_to_der(LIMBIC_KEY_SPKI, der, &n, rsa, sizeof rsa);
        limbic_rsa_wipe(rsa, sizeof rsa);
    } else {
        const size_t bytes = limbic_curve_bytes(info.curve);
        printf("%s: %s\n", from, limbic_curve_name(info.curve));
        s = limbic_ec_private_from_der(info.curve, key, bytes, der, n);
        if (!s)
            s = limbic_ec_public_key(info.curve, point, 1 + 2 * bytes, key, bytes);
        n = sizeof der;
        if (!s)
            s = limbic_ec_public_to_der(info.curve, der, &n, point, 1 + 2 * bytes);
    }
    return s ? s : write_pem(to, "PUBLIC KEY", der, n);
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    char private_name[1000], public_name[1000];
    static uint64_t rsa[LIMBIC_RSA_PRIVATE_WORDS(2048)];
    static uint8_t der[ROOM];
    uint8_t key[32], point[65];
    size_t n = sizeof der;
    (void)snprintf(private_name, sizeof private_name, "%s/example-key.pem", folder);
    (void)snprintf(public_name, sizeof public_name, "%s/example-pub.pem", folder);

    limbic_status s = limbic_ec_keygen(LIMBIC_SM2, key, 32, point, 65);
    if (!s)
        s = limbic_ec_private_to_der(LIMBIC_SM2, LIMBIC_KEY_PKCS8, der, &n, key, 32);
    if (!s)
        s = write_pem(private_name, "PRIVATE KEY", der, n);
    if (!s)
        s = publish(private_name, public_name);

    n = sizeof der;
    if (!s)
        s = limbic_rsa_keygen(rsa, sizeof rsa, 2048, NULL, 0);
    if (!s)
        s = limbic_rsa_private_to_der(LIMBIC_KEY_TRADITIONAL, der, &n, rsa, sizeof rsa);
    limbic_rsa_wipe(rsa, sizeof rsa);
    if (!s)
        s = write_pem(private_name, "RSA PRIVATE KEY", der, n);
    if (!s)
        s = publish(private_name, public_name);

    (void)remove(private_name);
    (void)remove(public_name);
    puts(limbic_status_string(s));
    return s != LIMBIC_OK || fflush(stdout) != 0;
}
