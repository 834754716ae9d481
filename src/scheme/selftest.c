#include "hash/hash.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"
#include "limbic/sm2.h"
#include "scheme/rsa.h"
#include "scheme/scheme.h"

#include <stdio.h>

/* On one curve: two key pairs agree on a secret; a signature verifies, and not for another digest. */
static limbic_status round_trip(limbic_curve curve) {
    const size_t n = limbic_curve_bytes(curve);
    uint8_t a[LIMBIC_MAX_BYTES], b[LIMBIC_MAX_BYTES], qa[LIMBIC_MAX_POINT_BYTES], qb[LIMBIC_MAX_POINT_BYTES];
    uint8_t sa[LIMBIC_MAX_BYTES], sb[LIMBIC_MAX_BYTES], sig[LIMBIC_MAX_SIGNATURE_BYTES],
        digest[32] = {1, 2, 3};
    limbic_status status = LIMBIC_ERR_SELFTEST;

    if (limbic_ec_keygen(curve, a, n, qa, 1 + 2 * n) || limbic_ec_keygen(curve, b, n, qb, 1 + 2 * n) ||
        limbic_ecdh(curve, sa, n, a, n, qb, 1 + 2 * n) || limbic_ecdh(curve, sb, n, b, n, qa, 1 + 2 * n) ||
        memcmp(sa, sb, n) != 0)
        goto out;
    if (curve != LIMBIC_SM2) {
        if (limbic_ecdsa_sign(curve, sig, 2 * n, a, n, digest, sizeof digest, LIMBIC_HASH_DEFAULT) ||
            limbic_ecdsa_verify(curve, sig, 2 * n, qa, 1 + 2 * n, digest, sizeof digest))
            goto out;
        digest[31] ^= 1;
        if (limbic_ecdsa_verify(curve, sig, 2 * n, qa, 1 + 2 * n, digest, sizeof digest) !=
            LIMBIC_ERR_SIGNATURE)
            goto out;
    }
    status = LIMBIC_OK;
out:
    limbic_wipe(a, sizeof a);
    limbic_wipe(b, sizeof b);
    limbic_wipe(sa, sizeof sa);
    limbic_wipe(sb, sizeof sb);
    return status;
}

/* A signature verifies, and not for another message; a ciphertext of each form decrypts, and not when changed. */
static limbic_status sm2_round_trip(void) {
    const limbic_curve curve = LIMBIC_SM2;
    uint8_t msg[40] = {1, 2, 3}, back[40], d[32], q[65], sig[LIMBIC_SM2_SIGNATURE_BYTES], sealed[256];
    limbic_status status = LIMBIC_ERR_SELFTEST;

    if (limbic_ec_keygen(curve, d, sizeof d, q, sizeof q) ||
        limbic_sm2_sign(sig, sizeof sig, d, sizeof d, NULL, 0, msg, sizeof msg) ||
        limbic_sm2_verify(sig, sizeof sig, q, sizeof q, NULL, 0, msg, sizeof msg) ||
        limbic_sm2_verify(sig, sizeof sig, q, sizeof q, NULL, 0, msg, sizeof msg - 1) != LIMBIC_ERR_SIGNATURE)
        goto out;
    for (int form = LIMBIC_SM2_C1C3C2; form <= LIMBIC_SM2_DER; form++) {
        size_t n = sizeof sealed, m = sizeof back;
        if (limbic_sm2_encrypt((limbic_sm2_form)form, sealed, &n, q, sizeof q, msg, sizeof msg) ||
            limbic_sm2_decrypt((limbic_sm2_form)form, back, &m, d, sizeof d, sealed, n) || m != sizeof msg ||
            memcmp(back, msg, m) != 0)
            goto out;
        sealed[n - 1] ^= 1;
        if (limbic_sm2_decrypt((limbic_sm2_form)form, back, &m, d, sizeof d, sealed, n) != LIMBIC_ERR_DECRYPT)
            goto out;
    }
    status = LIMBIC_OK;
out:
    limbic_wipe(d, sizeof d);
    return status;
}

/* The first prime = 3 mod 4 from a stream on: offset steps up, which carry nothing beyond the lowest word. */
static void prime(uint64_t *p, uint8_t seed, uint64_t offset) {
    uint8_t prefix[64], bytes[128];
    struct limbic_sm3_kdf kdf;
    memset(prefix, seed, sizeof prefix);
    limbic_sm3_kdf_init(&kdf, prefix, 1);
    limbic_sm3_kdf_blocks(&kdf, bytes, 0, 4);
    limbic_words_from_be(p, 16, bytes, sizeof bytes);
    p[15] |= UINT64_C(3) << 62;
    p[0] = (p[0] | 3) + offset;
}

void limbic_rsa_selftest_primes(uint64_t *p, uint64_t *q) {
    prime(p, 'p', 356);
    prime(q, 'q', 5420);
}

/* With a key of 2048 bits: a PKCS #1 signature is the known one, and this and one by PSS verify; OAEP there and back. */
static limbic_status rsa_round_trip(void) {
    /* SHA-256 of the signature */
    static const uint8_t known[32] = {0xd7, 0x19, 0x0a, 0xa5, 0xd1, 0x77, 0x9e, 0x45, 0xc8, 0x64, 0xfd,
                                      0xe0, 0xe4, 0xd1, 0x18, 0xd5, 0x0b, 0xfa, 0x9a, 0xd8, 0xcf, 0xb0,
                                      0xfe, 0x9f, 0x22, 0x6f, 0x86, 0x3c, 0xd5, 0xe9, 0xe9, 0x3a};
    const limbic_hash hash = LIMBIC_SHA256;
    const uint64_t e = 65537;
    uint64_t key[LIMBIC_RSA_PRIVATE_WORDS(2048)], p[16], q[16];
    uint8_t digest[32] = {1, 2, 3}, bytes[256], back[256];
    size_t n = sizeof back;

    limbic_rsa_selftest_primes(p, q);
    if (limbic_rsa_build(key, sizeof key, p, 16, q, 16, &e, 1) ||
        limbic_rsa_sign_pkcs1(key, sizeof key, bytes, 256, hash, digest, 32) ||
        limbic_rsa_verify_pkcs1(key, sizeof key, bytes, 256, hash, digest, 32) ||
        limbic_digest(hash, back, 32, bytes, 256) || memcmp(back, known, 32) != 0 ||
        limbic_rsa_sign_pss(key, sizeof key, bytes, 256, hash, hash, 32, digest, 32) ||
        limbic_rsa_verify_pss(key, sizeof key, bytes, 256, hash, hash, 32, digest, 32))
        return LIMBIC_ERR_SELFTEST;
    digest[31] ^= 1;
    if (limbic_rsa_verify_pss(key, sizeof key, bytes, 256, hash, hash, 32, digest, 32) !=
            LIMBIC_ERR_SIGNATURE ||
        limbic_rsa_encrypt_oaep(key, sizeof key, bytes, 256, hash, hash, NULL, 0, digest, 32) ||
        limbic_rsa_decrypt_oaep(key, sizeof key, back, &n, hash, hash, NULL, 0, bytes, 256) || n != 32 ||
        memcmp(back, digest, 32) != 0)
        return LIMBIC_ERR_SELFTEST;
    bytes[255] ^= 1;
    n = sizeof back;
    return limbic_rsa_decrypt_oaep(key, sizeof key, back, &n, hash, hash, NULL, 0, bytes, 256)
               ? LIMBIC_OK
               : LIMBIC_ERR_SELFTEST;
}

static limbic_status failed(char *what, size_t size, const char *text, const char *name) {
    if (what && size)
        (void)snprintf(what, size, "%s%s", text, name);
    return LIMBIC_ERR_SELFTEST;
}

limbic_status limbic_selftest(char *what, size_t size) {
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        enum limbic_row_state state = limbic_row_state(row);
        if (state == LIMBIC_ROW_failed || ((state == LIMBIC_ROW_chosen || state == LIMBIC_ROW_outranked) &&
                                           limbic_known_answer(row) == 0)) {
            if (what && size)
                (void)snprintf(what, size, "%s/%s/%s", limbic_unit_name(row->unit), limbic_op_name(row->op),
                               limbic_isa_name(row->isa));
            return LIMBIC_ERR_SELFTEST;
        }
    }
    for (int curve = LIMBIC_P256; curve <= LIMBIC_SM2; curve++)
        if (round_trip((limbic_curve)curve))
            return failed(what, size, "round trip on ", limbic_curve_name((limbic_curve)curve));
    if (sm2_round_trip())
        return failed(what, size, "SM2", "");
    if (rsa_round_trip())
        return failed(what, size, "RSA", "");
    if (what && size)
        what[0] = 0;
    return LIMBIC_OK;
}
