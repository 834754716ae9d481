/* A server's burst: key pairs, shared secrets and signatures for many clients in one call each. */
#include <limbic/ecdh.h>
#include <limbic/ecdsa.h>
#include <limbic/hash.h>
#include <stdio.h>

enum { COUNT = 3 * LIMBIC_BATCH_ITEMS, BAD = 100 };

static uint8_t ours[COUNT][32], our_points[COUNT][65], theirs[COUNT][32], their_points[COUNT][65];
static uint8_t secret[COUNT][32], digest[COUNT][32], sig[COUNT][64], again[32];

/* Key pairs, one for each client. */
static limbic_status keys(uint8_t key[][32], uint8_t point[][65]) {
    static limbic_ec_keygen_item items[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        items[i] = (limbic_ec_keygen_item){
            .private_key = key[i], .private_len = 32, .public_key = point[i], .public_len = 65};
    return limbic_ec_keygen_batch(LIMBIC_P256, items, COUNT);
}

static limbic_status secrets(void) {
    static limbic_ecdh_item items[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        items[i] = (limbic_ecdh_item){.secret = secret[i],
                                      .secret_len = 32,
                                      .private_key = ours[i],
                                      .private_len = 32,
                                      .peer = their_points[i],
                                      .peer_len = 65};
    return limbic_ecdh_batch(LIMBIC_P256, items, COUNT);
}

/* The digests of all secrets at once, each signed with its client's key. */
static limbic_status signatures(void) {
    static limbic_ecdsa_sign_item items[COUNT];
    static const void *in[COUNT];
    static size_t in_len[COUNT];
    limbic_status s;
    for (size_t i = 0; i < COUNT; i++) {
        in[i] = secret[i];
        in_len[i] = 32;
        items[i] = (limbic_ecdsa_sign_item){.sig = sig[i],
                                            .sig_len = 64,
                                            .private_key = ours[i],
                                            .private_len = 32,
                                            .digest = digest[i],
                                            .digest_len = 32};
    }
    s = limbic_digest_many(LIMBIC_SHA256, digest[0], sizeof digest, in, in_len, COUNT);
    return s ? s : limbic_ecdsa_sign_batch(LIMBIC_P256, items, COUNT, LIMBIC_HASH_DEFAULT);
}

/* Signatures by keys of which the first is prepared, since it verifies often; items may be mixed. */
static limbic_status verify(size_t *bad) {
    static limbic_ecdsa_verify_item items[COUNT];
    static uint64_t prepared[1 << 16];
    const size_t bytes = limbic_ec_prepared_bytes(LIMBIC_P256);
    limbic_status s = bytes > sizeof prepared
                          ? LIMBIC_ERR_BUFFER
                          : limbic_ec_prepare(LIMBIC_P256, prepared, bytes, our_points[0], 65);
    for (size_t i = 0; i < COUNT; i++) {
        items[i] =
            (limbic_ecdsa_verify_item){.sig = sig[i], .sig_len = 64, .digest = digest[i], .digest_len = 32};
        if (i == 0) {
            items[i].prepared = prepared;
            items[i].prepared_len = bytes;
        } else {
            items[i].public_key = our_points[i];
            items[i].public_len = 65;
        }
    }
    if (!s)
        s = limbic_ecdsa_verify_batch(LIMBIC_P256, items, COUNT);
    *bad = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (items[i].status) {
            printf("signature %zu: %s\n", i, limbic_status_string(items[i].status));
            ++*bad;
        }
    return s;
}

int main(void) {
    size_t bad = 0;
    limbic_status s = keys(ours, our_points);
    if (!s)
        s = keys(theirs, their_points);
    if (!s)
        s = secrets();
    if (!s) /* what a client computes */
        s = limbic_ecdh(LIMBIC_P256, again, 32, theirs[5], 32, our_points[5], 65);
    for (int i = 0; i < 32 && !s; i++)
        if (again[i] != secret[5][i])
            s = LIMBIC_ERR_VALUE;
    if (!s)
        s = signatures();
    if (!s)
        s = verify(&bad);
    if (!s && bad == 0) {
        sig[BAD][7] ^= 1; /* harms no other */
        s = verify(&bad) == LIMBIC_ERR_BATCH && bad == 1 ? LIMBIC_OK : LIMBIC_ERR_VALUE;
    }
    puts(limbic_status_string(s));
    return s != LIMBIC_OK || fflush(stdout) != 0;
}
