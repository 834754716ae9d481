/* Keys that serve often: an issuer's public key made ready for verification, a private key of SM2 for signatures. */
#include <limbic/ecdsa.h>
#include <limbic/sm2.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20 };

/* A table for a public key, from malloc; NULL, and a status, if there is none. */
static void *prepare(limbic_status *s, limbic_curve curve, const uint8_t *point, size_t point_len) {
    const size_t n = limbic_ec_prepared_bytes(curve);
    void *table = malloc(n);
    *s = table ? limbic_ec_prepare(curve, table, n, point, point_len) : LIMBIC_ERR_NULL;
    if (*s) {
        free(table);
        table = NULL;
    }
    return table;
}

static limbic_status ecdsa(void) {
    uint8_t key[48], point[97], digest[48] = {0}, sig[96];
    void *table = NULL;
    limbic_status s = limbic_ec_keygen(LIMBIC_P384, key, 48, point, 97);
    if (!s)
        table = prepare(&s, LIMBIC_P384, point, 97);
    for (uint8_t i = 0; i < COUNT && !s; i++) {
        digest[0] = i;
        s = limbic_ecdsa_sign(LIMBIC_P384, sig, 96, key, 48, digest, 48, LIMBIC_HASH_DEFAULT);
        if (!s)
            s = limbic_ecdsa_verify_prepared(table, limbic_ec_prepared_bytes(LIMBIC_P384), sig, 96, digest,
                                             48);
    }
    free(table);
    return s;
}

static limbic_status sm2(void) {
    static const char id[] = "alice@example.org", text[] = "message";
    uint8_t key[32], point[65], sig[64];
    limbic_sm2_signer signer; /* with Z of this ID inside */
    void *table = NULL;
    limbic_status s = limbic_ec_keygen(LIMBIC_SM2, key, 32, point, 65);
    if (!s)
        s = limbic_sm2_signer_init(&signer, key, 32, id, sizeof id - 1);
    if (!s)
        table = prepare(&s, LIMBIC_SM2, point, 65);
    for (int i = 0; i < COUNT && !s; i++) {
        s = limbic_sm2_signer_sign(&signer, sig, 64, text, sizeof text);
        if (!s)
            s = limbic_sm2_verify_prepared(table, limbic_ec_prepared_bytes(LIMBIC_SM2), sig, 64, id,
                                           sizeof id - 1, text, sizeof text);
    }
    limbic_sm2_signer_wipe(&signer);
    free(table);
    return s;
}

int main(void) {
    limbic_status s = ecdsa();
    if (!s)
        s = sm2();
    puts(limbic_status_string(s));
    return s != LIMBIC_OK || fflush(stdout) != 0;
}
