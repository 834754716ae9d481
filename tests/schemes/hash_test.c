/*
 * Hashes, HMAC, RFC 6979's generator, SM2's key derivation: published values, and libcrypto at every length.
 * Compression functions: every row of the table, each through a padding of the test's own.
 */
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/limb.h"
#include "hash/hash.h"
#include "tests/check.h"

static const EVP_MD *evp(limbic_hash id) {
    switch (id) {
    case LIMBIC_SHA256:
        return EVP_sha256();
    case LIMBIC_SHA384:
        return EVP_sha384();
    case LIMBIC_SHA512:
        return EVP_sha512();
    default:
        return EVP_sm3();
    }
}

static const char *name(limbic_hash id) {
    return EVP_MD_get0_name(evp(id));
}

static void evp_digest(limbic_hash id, uint8_t *out, const uint8_t *in, size_t n) {
    if (!EVP_Digest(in, n, out, NULL, evp(id), NULL))
        abort();
}

static void evp_hmac(limbic_hash id, uint8_t *out, const uint8_t *key, size_t key_len, const uint8_t *in,
                     size_t n) {
    if (!HMAC(evp(id), key, (int)key_len, in, n, out, NULL))
        abort();
}

static int equals_hex(const uint8_t *a, size_t n, const char *hex) {
    char text[2 * LIMBIC_HASH_MAX_BLOCK + 1] = "";
    for (size_t i = 0; i < n; i++)
        snprintf(text + 2 * i, 3, "%02x", a[i]);
    return strcmp(text, hex) == 0;
}

static void from_hex(uint8_t *out, const char *hex) {
    for (; *hex; hex += 2) {
        unsigned byte;
        if (sscanf(hex, "%2x", &byte) != 1)
            abort();
        *out++ = (uint8_t)byte;
    }
}

/* Bytes without a pattern of a block's length. */
static void fill(uint8_t *p, size_t n, uint64_t seed) {
    for (uint64_t x = seed * 2 + 1; n; n--) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        *p++ = (uint8_t)(x >> 56);
    }
}

/* The examples of FIPS 180-4 and of GB/T 32905; a million letters beside them. */
#define TWO_256 "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
#define TWO_512                                                                                              \
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqr" \
    "s"                                                                                                      \
    "tnopqrstu"
static const struct {
    limbic_hash id;
    const char *text;
    unsigned repeat;
    const char *digest;
} examples[] = {
    {LIMBIC_SHA256, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {LIMBIC_SHA256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {LIMBIC_SHA256, TWO_256, 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {LIMBIC_SHA256, "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {LIMBIC_SHA384, "", 1,
     "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"},
    {LIMBIC_SHA384, "abc", 1,
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
    {LIMBIC_SHA384, TWO_512, 1,
     "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"},
    {LIMBIC_SHA384, "a", 1000000,
     "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985"},
    {LIMBIC_SHA512, "", 1,
     "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f"
     "63b931bd47417a81a538327af927da3e"},
    {LIMBIC_SHA512, "abc", 1,
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
     "454d4423643ce80e2a9ac94fa54ca49f"},
    {LIMBIC_SHA512, TWO_512, 1,
     "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433a"
     "c7d329eeb6dd26545e96e55b874be909"},
    {LIMBIC_SHA512, "a", 1000000,
     "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31b"
     "eb009c5c2c49aa2e4eadb217ad8cc09b"},
    {LIMBIC_SM3, "", 1, "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"},
    {LIMBIC_SM3, "abc", 1, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
    {LIMBIC_SM3, "abcd", 16, "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"},
    {LIMBIC_SM3, "a", 1000000, "c8aaf89429554029e231941a2acc0ad61ff2a5acd8fadd25847a3a732b3b02c3"},
};

static int words_of_32(limbic_hash id) {
    return id == LIMBIC_SHA256 || id == LIMBIC_SM3;
}

static void test_examples(void) {
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        uint8_t digest[LIMBIC_MAX_DIGEST_BYTES];
        limbic_hash id = examples[i].id;
        limbic_hash_ctx c;
        limbic_hash_start(&c, id);
        for (unsigned k = 0; k < examples[i].repeat; k++)
            limbic_hash_update(&c, examples[i].text, strlen(examples[i].text));
        limbic_hash_final(&c, digest);
        check(equals_hex(digest, limbic_hash_bytes(id), examples[i].digest), "%s of %u times \"%s\"",
              name(id), examples[i].repeat, examples[i].text);
    }
}

#define LONGEST 300

static void test_lengths(limbic_hash id) {
    uint8_t in[LONGEST], want[LIMBIC_MAX_DIGEST_BYTES], got[LIMBIC_MAX_DIGEST_BYTES];
    size_t bytes = limbic_hash_bytes(id);
    check(bytes == (size_t)EVP_MD_get_size(evp(id)) &&
              limbic_hash_block(id) == (size_t)EVP_MD_get_block_size(evp(id)),
          "%s: sizes", name(id));
    fill(in, sizeof in, id);
    for (size_t n = 0; n <= LONGEST; n++) {
        evp_digest(id, want, in, n);
        limbic_hash_once(id, got, n ? in : NULL, n);
        check(!memcmp(got, want, bytes), "%s of %zu bytes in one piece", name(id), n);
        int two = 1, bytewise;
        limbic_hash_ctx c, start;
        limbic_hash_start(&start, id);
        for (size_t cut = 0; cut <= n; cut++) {
            limbic_hash_ctx fork = start; /* start has had cut bytes, one by one */
            limbic_hash_update(&fork, in + cut, n - cut);
            limbic_hash_final(&fork, got);
            two &= !memcmp(got, want, bytes);
            limbic_hash_start(&c, id);
            limbic_hash_update(&c, in, cut);
            limbic_hash_update(&c, in + cut, n - cut);
            limbic_hash_final(&c, got);
            two &= !memcmp(got, want, bytes);
            if (cut < n)
                limbic_hash_update(&start, in + cut, 1);
        }
        check(two, "%s of %zu bytes in two pieces", name(id), n);
        limbic_hash_final(&start, got);
        bytewise = !memcmp(got, want, bytes);
        check(bytewise, "%s of %zu bytes one by one", name(id), n);
    }
}

/* Totals that no test can feed: the field of the length. The blocks that must come of it are written here. */
static void test_long_totals(limbic_hash id) {
    static const uint64_t totals[] = {UINT64_C(1) << 13, UINT64_C(1) << 29, UINT64_C(1) << 32,
                                      UINT64_C(1) << 56, UINT64_C(1) << 61, UINT64_C(1) << 62,
                                      UINT64_MAX};
    const size_t block = limbic_hash_block(id), field = block / 8;
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        for (size_t n = 0; n < 2 * block; n++) {
            uint8_t text[4 * LIMBIC_HASH_MAX_BLOCK] = {0}, got[LIMBIC_MAX_DIGEST_BYTES];
            const size_t padded = (n + 1 + field + block - 1) / block * block;
            const uint64_t before =
                (totals[i] - block) / block * block; /* so that some n reach the next power */
            limbic_hash_ctx c, want;
            if (words_of_32(id) && (before + n) >> 61)
                continue;
            fill(text, n, n);
            limbic_hash_start(&c, id);
            c.total = before;
            limbic_hash_update(&c, text, n);
            limbic_hash_final(&c, got);
            text[n] = 0x80;
            for (size_t j = 0; j < 8; j++)
                text[padded - 1 - j] = (uint8_t)((before + n) << 3 >> (8 * j));
            if (field == 16)
                text[padded - 9] = (uint8_t)((before + n) >> 61);
            limbic_hash_start(&want, id);
            limbic_hash_update(&want, text, padded);
            int same = 1;
            for (size_t j = 0; j < limbic_hash_bytes(id); j++)
                same &= got[j] == (words_of_32(id) ? (uint8_t)(want.state.w32[j / 4] >> (24 - 8 * (j % 4)))
                                                   : (uint8_t)(want.state.w64[j / 8] >> (56 - 8 * (j % 8))));
            check(same, "%s of %llu + %zu bytes", name(id), (unsigned long long)before, n);
        }
}

/* The public functions: their statuses, overlaps, forks, what they leave. */
static void test_api(limbic_hash id) {
    const size_t bytes = limbic_hash_bytes(id);
    uint8_t text[LONGEST], buffer[LONGEST], want[LIMBIC_MAX_DIGEST_BYTES], got[LIMBIC_MAX_DIGEST_BYTES + 1];
    static const char *const names[] = {[LIMBIC_SHA256] = "SHA-256",
                                        [LIMBIC_SHA384] = "SHA-384",
                                        [LIMBIC_SHA512] = "SHA-512",
                                        [LIMBIC_SM3] = "SM3"};
    static const limbic_hash_ctx zero;
    limbic_hash_ctx c, fork;
    check(strcmp(limbic_hash_name(id), names[id]) == 0, "%s: name", name(id));
    fill(text, sizeof text, id);

    evp_digest(id, want, text, sizeof text);
    got[bytes] = 0xa5;
    check(limbic_digest(id, got, bytes, text, sizeof text) == LIMBIC_OK && !memcmp(got, want, bytes) &&
              got[bytes] == 0xa5,
          "%s: digest", name(id));
    static const size_t places[] = {0, 1, 32, LONGEST - LIMBIC_MAX_DIGEST_BYTES};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        memcpy(buffer, text, sizeof text);
        check(limbic_digest(id, buffer + places[i], bytes, buffer, sizeof buffer) == LIMBIC_OK &&
                  !memcmp(buffer + places[i], want, bytes),
              "%s: digest over byte %zu of its input", name(id), places[i]);
    }
    evp_digest(id, want, text, 0);
    check(limbic_digest(id, got, bytes, NULL, 0) == LIMBIC_OK && !memcmp(got, want, bytes),
          "%s: digest of NULL, 0", name(id));

    memset(got, 0xa5, sizeof got);
    memcpy(buffer, got, sizeof got);
    check(limbic_digest(id, NULL, bytes, text, 1) == LIMBIC_ERR_NULL, "%s: no output", name(id));
    check(limbic_digest(id, got, bytes, NULL, 1) == LIMBIC_ERR_NULL, "%s: no input", name(id));
    check(limbic_digest(id, got, bytes - 1, text, 1) == LIMBIC_ERR_LENGTH, "%s: short output", name(id));
    check(limbic_digest(id, got, bytes + 1, text, 1) == LIMBIC_ERR_LENGTH, "%s: long output", name(id));
    check(limbic_digest(id, got, 0, text, 1) == LIMBIC_ERR_LENGTH, "%s: no length", name(id));
    check(limbic_hash_init(NULL, id) == LIMBIC_ERR_NULL, "%s: no context", name(id));
    check(!memcmp(got, buffer, sizeof got), "%s: failures write nothing", name(id));

    /* a copy goes on by itself, whatever is in the buffer */
    for (size_t cut = 0; cut < 2 * limbic_hash_block(id); cut += 31) {
        check(limbic_hash_init(&c, id) == LIMBIC_OK, "%s: init", name(id));
        limbic_hash_update(&c, text, cut);
        fork = c;
        limbic_hash_update(&c, text + 1, 200);
        limbic_hash_final(&c, got);
        check(!memcmp(&c, &zero, sizeof c), "%s: the context after %zu bytes is wiped", name(id), cut);
        limbic_hash_update(&fork, NULL, 0);
        limbic_hash_update(&fork, text + cut, sizeof text - cut);
        limbic_hash_final(&fork, got);
        evp_digest(id, want, text, sizeof text);
        check(!memcmp(got, want, bytes), "%s: a copy after %zu bytes", name(id), cut);
    }
    memset(got, 0xa5, sizeof got); /* c is finished */
    limbic_hash_update(&c, text, sizeof text);
    limbic_hash_final(&c, got);
    check(!memcmp(&c, &zero, sizeof c) && !memcmp(got, buffer, sizeof got),
          "%s: a finished context does nothing", name(id));
}

/* Messages of these lengths at once, from places that overlap. */
static void digests_agree(limbic_hash id, const uint8_t *text, const size_t *lengths, size_t n,
                          const char *what) {
    enum { MOST = 1000 };
    static uint8_t got[MOST * LIMBIC_MAX_DIGEST_BYTES + 1];
    static const void *in[MOST];
    const size_t bytes = limbic_hash_bytes(id);
    int same = 1;
    for (size_t i = 0; i < n; i++)
        in[i] = lengths[i] ? text + i % 61 : NULL;
    memset(got, 0xa5, sizeof got);
    same = limbic_digest_many(id, got, n * bytes, in, lengths, n) == LIMBIC_OK;
    for (size_t i = 0; i < n; i++) {
        uint8_t want[LIMBIC_MAX_DIGEST_BYTES];
        evp_digest(id, want, text + i % 61, lengths[i]);
        same &= !memcmp(got + i * bytes, want, bytes);
    }
    check(same && got[n * bytes] == 0xa5, "%s: %zu digests at once: %s", name(id), n, what);
}

/* A prefix before each message, of up to a block less a byte, as one message of both. */
static void test_prefixes(limbic_hash id) {
    enum { LENGTHS = 3 * LIMBIC_HASH_MAX_BLOCK + 2 };
    static uint8_t text[2 * LENGTHS + 30], out[LENGTHS * LIMBIC_MAX_DIGEST_BYTES];
    const size_t bytes = limbic_hash_bytes(id), block = limbic_hash_block(id);
    const size_t prefixes[] = {0, 1, 32, block - 9, block - 1};
    const uint8_t *prefix[LENGTHS];
    const void *in[LENGTHS];
    size_t lengths[LENGTHS];
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t before = prefixes[i], n = 3 * block + 2;
        int same = 1;
        fill(text, sizeof text, (unsigned)i);
        for (size_t j = 0; j < n; j++) {
            prefix[j] = text + j % 50;
            lengths[j] = j * 71 % n;
            in[j] = text + LENGTHS + j % 30;
        }
        limbic_hash_many(id, out, prefix, before, in, lengths, n);
        for (size_t j = 0; j < n; j++) {
            uint8_t whole[2 * LENGTHS], want[LIMBIC_MAX_DIGEST_BYTES];
            memcpy(whole, prefix[j], before);
            memcpy(whole + before, in[j], lengths[j]);
            evp_digest(id, want, whole, before + lengths[j]);
            same &= !memcmp(out + bytes * j, want, bytes);
        }
        check(same, "%s: messages with prefixes of %zu bytes", name(id), before);
    }
}

static void test_many(limbic_hash id) {
    enum { MOST = 1000, LONG = 5000 };
    static uint8_t text[LONG + 61], out[MOST * LIMBIC_MAX_DIGEST_BYTES];
    static size_t lengths[MOST];
    const size_t bytes = limbic_hash_bytes(id);
    uint32_t x = 1;
    fill(text, sizeof text, id);
    for (size_t n = 0; n <= 40; n++) { /* equal lengths; then all up to 200, in an order that is none */
        for (size_t i = 0; i < n; i++)
            lengths[i] = 100;
        digests_agree(id, text, lengths, n, "equal lengths");
    }
    for (size_t i = 0; i <= 200; i++)
        lengths[i] = i * 73 % 201;
    for (size_t n = 0; n <= 201; n += n < 40 ? 1 : 23)
        digests_agree(id, text, lengths, n, "lengths from 0 to 200");
    for (size_t most = 100; most <= LONG; most *= 7) {
        for (size_t i = 0; i < MOST; i++) {
            x = x * 1664525 + 1013904223;
            lengths[i] = (x >> 8) % (most + 1);
        }
        digests_agree(id, text, lengths, MOST, "random lengths");
    }
    memset(lengths, 0, sizeof lengths); /* one goes on by itself */
    lengths[3] = LONG;
    digests_agree(id, text, lengths, 20, "one long message");

    const void *in[2] = {text, NULL};
    memset(out, 0xa5, sizeof out);
    lengths[0] = 1;
    lengths[1] = 1;
    check(limbic_digest_many(id, out, 2 * bytes, in, lengths, 2) == LIMBIC_ERR_NULL,
          "%s: a message is missing", name(id));
    lengths[1] = 0;
    check(limbic_digest_many(id, NULL, 2 * bytes, in, lengths, 2) == LIMBIC_ERR_NULL &&
              limbic_digest_many(id, out, 2 * bytes, NULL, lengths, 2) == LIMBIC_ERR_NULL &&
              limbic_digest_many(id, out, 2 * bytes, in, NULL, 2) == LIMBIC_ERR_NULL,
          "%s: an array is missing", name(id));
    check(limbic_digest_many(id, out, 2 * bytes - 1, in, lengths, 2) == LIMBIC_ERR_LENGTH &&
              limbic_digest_many(id, out, 2 * bytes + 1, in, lengths, 2) == LIMBIC_ERR_LENGTH &&
              limbic_digest_many(id, out, bytes, in, lengths, 2) == LIMBIC_ERR_LENGTH &&
              limbic_digest_many(id, out, bytes, in, lengths, SIZE_MAX / bytes + 2) != LIMBIC_OK,
          "%s: output of another length", name(id));
    check(limbic_digest_many(LIMBIC_HASH_DEFAULT, out, 0, in, lengths, 0) == LIMBIC_ERR_HASH &&
              limbic_digest_many((limbic_hash)77, out, 2 * bytes, in, lengths, 2) == LIMBIC_ERR_HASH,
          "no such hash");
    int untouched = 1;
    for (size_t i = 0; i < sizeof out; i++)
        untouched &= out[i] == 0xa5;
    check(untouched, "%s: failures of digest_many write nothing", name(id));
    check(limbic_digest_many(id, NULL, 0, NULL, NULL, 0) == LIMBIC_OK, "%s: no message", name(id));
}

static void test_unknown(void) {
    static const int unknown[] = {LIMBIC_HASH_DEFAULT, LIMBIC_SM3 + 1, 1000, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const limbic_hash id = (limbic_hash)unknown[i];
        uint8_t out[LIMBIC_MAX_DIGEST_BYTES] = {0x5a};
        limbic_hash_ctx c, before;
        memset(&c, 0x5a, sizeof c);
        before = c;
        check(limbic_hash_bytes(id) == 0 && !limbic_hash_name(id), "hash %d has no size, no name",
              unknown[i]);
        check(limbic_digest(id, out, 32, "", 0) == LIMBIC_ERR_HASH && out[0] == 0x5a, "digest of hash %d",
              unknown[i]);
        check(limbic_digest(id, out, 0, "", 0) == LIMBIC_ERR_HASH, "empty digest of hash %d", unknown[i]);
        check(limbic_hash_init(&c, id) == LIMBIC_ERR_HASH && !memcmp(&c, &before, sizeof c),
              "init of hash %d", unknown[i]);
    }
}

/* Block number i (from 1) of SM2's key derivation, by libcrypto. */
static void evp_kdf(uint8_t *out, const uint8_t *prefix, size_t n, uint32_t i) {
    uint8_t text[2 * 64 + 4];
    memcpy(text, prefix, n);
    for (size_t j = 0; j < 4; j++)
        text[n + j] = (uint8_t)(i >> (24 - 8 * j));
    evp_digest(LIMBIC_SM3, out, text, n + 4);
}

static void test_kdf(void) {
    static const uint32_t firsts[] = {0, 1, 2, 3, 4, 255, 65535, UINT32_MAX / 2 - 3, UINT32_MAX - 21};
    enum { BLOCKS = 20 };
    uint8_t prefix[128], want[32 * BLOCKS], got[32 * BLOCKS + 1];
    fill(prefix, sizeof prefix, 77);
    for (size_t n = 1; n <= 2; n++)
        for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
            struct limbic_sm3_kdf k;
            limbic_sm3_kdf_init(&k, prefix, n);
            for (uint32_t j = 0; j < BLOCKS; j++)
                evp_kdf(want + 32 * j, prefix, 64 * n, firsts[i] + 1 + j);
            for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
                memset(got, 0xa5, sizeof got);
                limbic_sm3_kdf_blocks(&k, got, firsts[i], blocks);
                check(!memcmp(got, want, 32 * blocks) && got[32 * blocks] == 0xa5,
                      "KDF, prefix of %zu blocks, %zu blocks from %lu on", n, blocks,
                      (unsigned long)firsts[i]);
            }
            limbic_sm3_kdf_blocks(&k, got, firsts[i] + BLOCKS / 2, 1);
            check(!memcmp(got, want + 32 * (BLOCKS / 2), 32), "KDF, one block from %lu on",
                  (unsigned long)firsts[i] + BLOCKS / 2);
        }
    struct limbic_sm3_kdf k; /* the last counter there is */
    limbic_sm3_kdf_init(&k, prefix, 1);
    evp_kdf(want, prefix, 64, UINT32_MAX);
    limbic_sm3_kdf_blocks(&k, got, UINT32_MAX - 1, 1);
    check(!memcmp(got, want, 32), "KDF, block 2^32 - 1");
}

static void test_hmac(limbic_hash id) {
    size_t block = limbic_hash_block(id), bytes = limbic_hash_bytes(id);
    const size_t keys[] = {0, 1, bytes - 1, bytes, bytes + 1, block - 1, block, block + 1, 2 * block + 5};
    uint8_t key[2 * LIMBIC_HASH_MAX_BLOCK + 5], in[LONGEST];
    uint8_t want[LIMBIC_MAX_DIGEST_BYTES], got[LIMBIC_MAX_DIGEST_BYTES];
    fill(key, sizeof key, 10 + id);
    fill(in, sizeof in, 20 + id);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        struct limbic_hmac_ctx c;
        limbic_hmac_key(&c, id, key, keys[k]);
        for (size_t n = 0; n <= LONGEST; n++) { /* one prepared key for all */
            evp_hmac(id, want, key, keys[k], in, n);
            limbic_hmac_start(&c);
            limbic_hmac_update(&c, in, n / 3);
            limbic_hmac_update(&c, in + n / 3, n - n / 3);
            limbic_hmac_final(&c, got);
            check(!memcmp(got, want, bytes), "HMAC-%s, key of %zu, %zu bytes", name(id), keys[k], n);
        }
    }
}

/* RFC 6979 section 3.2 to the letter, over libcrypto: candidate number `wanted` (from 0) in out. */
static void reference_candidate(limbic_hash id, unsigned qlen, const uint8_t *x, const uint8_t *h1,
                                const uint8_t *extra, size_t extra_len, unsigned wanted, uint8_t *out) {
    size_t hlen = limbic_hash_bytes(id), rlen = (qlen + 7) / 8;
    uint8_t k[LIMBIC_MAX_DIGEST_BYTES] = {0}, v[LIMBIC_MAX_DIGEST_BYTES], message[1024], t[256];
    memset(v, 1, sizeof v);
    for (uint8_t round = 0; round < 2; round++) {
        size_t n = 0;
        memcpy(message, v, hlen);
        n += hlen;
        message[n++] = round;
        memcpy(message + n, x, rlen);
        n += rlen;
        memcpy(message + n, h1, rlen);
        n += rlen;
        memcpy(message + n, extra, extra_len);
        n += extra_len;
        evp_hmac(id, k, k, hlen, message, n);
        evp_hmac(id, v, k, hlen, v, hlen);
    }
    for (unsigned candidate = 0;; candidate++) {
        size_t tlen = 0;
        while (8 * tlen < qlen) {
            evp_hmac(id, v, k, hlen, v, hlen);
            memcpy(t + tlen, v, hlen);
            tlen += hlen;
        }
        if (candidate == wanted) {
            BIGNUM *b = BN_bin2bn(t, (int)tlen, NULL);
            if (!b || !BN_rshift(b, b, (int)(8 * tlen - qlen)) || BN_bn2binpad(b, out, (int)rlen) < 0)
                abort();
            BN_free(b);
            return;
        }
        memcpy(message, v, hlen);
        message[hlen] = 0;
        evp_hmac(id, k, k, hlen, message, hlen + 1);
        evp_hmac(id, v, k, hlen, v, hlen);
    }
}

/* Bits of P-256, P-384 and P-521, those about them, and small ones, so that T is longer, shorter and as long
 * as needed. */
static const unsigned qlens[] = {160, 163, 255, 256, 257, 384, 385, 512, 513, 521, 528};

static void test_candidates(limbic_hash id) {
    static const size_t extras[] = {0, 32, 200};
    for (size_t i = 0; i < sizeof qlens / sizeof qlens[0]; i++)
        for (size_t j = 0; j < sizeof extras / sizeof extras[0]; j++) {
            unsigned qlen = qlens[i];
            size_t nbytes = (qlen + 7) / 8;
            uint8_t x[66], h1[66], extra[200], want[66], got[66 + 1];
            fill(x, sizeof x, qlen);
            fill(h1, sizeof h1, qlen + 1);
            fill(extra, sizeof extra, qlen + 2);
            struct limbic_rfc6979 g;
            limbic_rfc6979_init(&g, id, qlen, x, h1, extras[j] ? extra : NULL, extras[j]);
            for (unsigned n = 0; n < 4; n++) {
                memset(got, 0xa5, sizeof got);
                limbic_rfc6979_next(&g, got);
                reference_candidate(id, qlen, x, h1, extra, extras[j], n, want);
                check(!memcmp(got, want, nbytes) && got[nbytes] == 0xa5,
                      "RFC 6979, %s, %u bits, %zu more bytes, candidate %u", name(id), qlen, extras[j], n);
            }
        }
}

/* Many first candidates at once: each as its generator gives it, its neighbours' keys, digests and data being others. */
static void test_many_candidates(limbic_hash id) {
    enum { MOST = 35 };
    static const size_t extras[] = {0, 16, 33, LIMBIC_RFC6979_MANY_EXTRA},
                        counts[] = {0, 1, 2, 7, 16, 17, MOST};
    static uint8_t x[MOST * 66], h1[MOST * 66], extra[MOST * LIMBIC_RFC6979_MANY_EXTRA], got[MOST * 66 + 1];
    fill(x, sizeof x, id);
    fill(h1, sizeof h1, id + 50);
    fill(extra, sizeof extra, id + 60);
    for (size_t i = 0; i < sizeof qlens / sizeof qlens[0]; i++)
        for (size_t j = 0; j < sizeof extras / sizeof extras[0]; j++)
            for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
                const size_t nbytes = (qlens[i] + 7) / 8, n = counts[k];
                int same = 1;
                memset(got, 0xa5, sizeof got);
                limbic_rfc6979_many(id, qlens[i], n, x, h1, extras[j] ? extra : NULL, extras[j], got);
                for (size_t l = 0; l < n; l++) {
                    struct limbic_rfc6979 g;
                    uint8_t want[66];
                    limbic_rfc6979_init(&g, id, qlens[i], x + l * nbytes, h1 + l * nbytes,
                                        extra + l * extras[j], extras[j]);
                    limbic_rfc6979_next(&g, want);
                    same &= !memcmp(got + l * nbytes, want, nbytes);
                }
                if (n == MOST) { /* in the place of the keys */
                    static uint8_t place[MOST * 66];
                    memcpy(place, x, sizeof place);
                    limbic_rfc6979_many(id, qlens[i], n, place, h1, extras[j] ? extra : NULL, extras[j],
                                        place);
                    same &= !memcmp(place, got, n * nbytes);
                }
                check(same && got[n * nbytes] == 0xa5, "RFC 6979, %zu at once, %s, %u bits, %zu more bytes",
                      n, name(id), qlens[i], extras[j]);
            }
}

/* Published nonces, for the message "sample": RFC 6979 A.1.2 (which rejects two candidates), A.2.5, A.2.7. */
#define K163_ORDER "04000000000000000000020108a2e0cc0d99f8a5ef"
#define P256_ORDER "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
#define P521_ORDER                                                                                           \
    "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03"  \
    "bb5c9b8899c47aebb6fb71e91386409"
#define P256_KEY "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
#define P521_KEY                                                                                             \
    "00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75caa896eb32f1f47c70855836a6d16fcc1466f6" \
    "d8fbec67db89ec0c08b0e996b83538"
static const struct {
    limbic_hash id;
    unsigned rejected;
    const char *order, *key, *nonce;
} nonces[] = {
    {LIMBIC_SHA256, 2, K163_ORDER, "009a4d6792295a7f730fc3f2b49cbc0f62e862272f",
     "023af4074c90a02b3fe61d286d5c87f425e6bdd81b"},
    {LIMBIC_SHA256, 0, P256_ORDER, P256_KEY,
     "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60"},
    {LIMBIC_SHA512, 0, P256_ORDER, P256_KEY,
     "5fa81c63109badb88c1f367b47da606da28cad69aa22c4fe6ad7df73a7173aa5"},
    {LIMBIC_SHA256, 0, P521_ORDER, P521_KEY,
     "00edf38afcaaecab4383358b34d67c9f2216c8382aaea44a3dad5fdc9c32575761793fef24eb0fc276dfc4f6e3ec476752f043c"
     "f"
     "01415387470bcbd8678ed2c7e1a0"},
    {LIMBIC_SHA512, 0, P521_ORDER, P521_KEY,
     "01dae2ea071f8110dc26882d4d5eae0621a3256fc8847fb9022e2b7d28e6f10198b1574fdd03a9053c08a1854a168aa5a57470e"
     "c"
     "97dd5ce090124ef52a2f7ecbffd3"},
};

static void test_nonces(void) {
    for (size_t i = 0; i < sizeof nonces / sizeof nonces[0]; i++) {
        limbic_hash id = nonces[i].id;
        size_t nbytes = strlen(nonces[i].order) / 2;
        uint8_t digest[LIMBIC_MAX_DIGEST_BYTES], key[66], h1[66], t[66];
        BIGNUM *q = NULL, *h = BN_new(), *candidate = BN_new();
        from_hex(key, nonces[i].key);
        limbic_hash_once(id, digest, "sample", 6);
        if (!BN_hex2bn(&q, nonces[i].order) || !h || !candidate)
            abort();
        unsigned qlen = (unsigned)BN_num_bits(q), rejected = 0;
        int more = 8 * (int)limbic_hash_bytes(id) - (int)qlen;
        if (!BN_bin2bn(digest, (int)limbic_hash_bytes(id), h) || !BN_rshift(h, h, more > 0 ? more : 0))
            abort();
        if (BN_cmp(h, q) >= 0 && !BN_sub(h, h, q)) /* bits2octets */
            abort();
        if (BN_bn2binpad(h, h1, (int)nbytes) < 0)
            abort();
        struct limbic_rfc6979 g;
        limbic_rfc6979_init(&g, id, qlen, key, h1, NULL, 0);
        for (;; rejected++) {
            limbic_rfc6979_next(&g, t);
            if (!BN_bin2bn(t, (int)nbytes, candidate))
                abort();
            if ((!BN_is_zero(candidate) && BN_cmp(candidate, q) < 0) || rejected > nonces[i].rejected)
                break;
        }
        check(rejected == nonces[i].rejected && equals_hex(t, nbytes, nonces[i].nonce),
              "RFC 6979, nonce of an order of %u bits with %s", qlen, name(id));
        BN_free(q);
        BN_free(h);
        BN_free(candidate);
    }
}

/* What the public functions rest on, run anew for each instruction set that has a row. */
static void test_functions(void) {
    test_examples();
    test_nonces();
    test_unknown();
    test_kdf();
    for (limbic_hash id = LIMBIC_SHA256; id <= LIMBIC_SM3; id++) {
        test_api(id);
        test_lengths(id);
        test_long_totals(id);
        test_hmac(id);
        test_candidates(id);
        test_many_candidates(id);
        test_many(id);
        test_prefixes(id);
    }
}

/* One row: `blocks` blocks that hold a padded message, at an odd address, in two calls, from the hash's first
 * state; the state must be the digest that libcrypto has. */
static int row_agrees(const struct limbic_row *row, limbic_hash id, size_t blocks, size_t first) {
    uint8_t buffer[1 + 6 * LIMBIC_HASH_MAX_BLOCK], want[LIMBIC_MAX_DIGEST_BYTES],
        got[LIMBIC_MAX_DIGEST_BYTES];
    uint8_t *in = buffer + 1;
    size_t block = limbic_hash_block(id), n = blocks * block - block / 8 - 1;
    limbic_hash_ctx c;
    fill(in, blocks * block, blocks);
    evp_digest(id, want, in, n);
    memset(in + n, 0, blocks * block - n);
    in[n] = 0x80;
    limbic_store_be64(in + blocks * block - 8, 8 * n);
    limbic_hash_start(&c, id);
    if (words_of_32(id)) {
        limbic_hash32 *fn = (limbic_hash32 *)row->fn;
        fn(c.state.w32, in, first);
        fn(c.state.w32, in + first * block, blocks - first);
    } else {
        limbic_hash64 *fn = (limbic_hash64 *)row->fn;
        fn(c.state.w64, in, first);
        fn(c.state.w64, in + first * block, blocks - first);
    }
    for (size_t i = 0; i < limbic_hash_bytes(id); i++)
        got[i] = words_of_32(id) ? (uint8_t)(c.state.w32[i / 4] >> (24 - 8 * (i % 4)))
                                 : (uint8_t)(c.state.w64[i / 8] >> (56 - 8 * (i % 8)));
    return !memcmp(got, want, limbic_hash_bytes(id));
}

/* The stream's counter is 32 bits: after the last comes 0. */
static int stream_agrees(limbic_hash_stream *fn) {
    uint8_t prefix[64], want[32], got[32 * 40];
    const uint32_t counter = UINT32_MAX - 18;
    limbic_hash_ctx c;
    int right = 1;
    fill(prefix, sizeof prefix, 5);
    limbic_hash_start(&c, LIMBIC_SM3);
    limbic_hash_update(&c, prefix, sizeof prefix);
    fn(got, c.state.w32, 8 * (sizeof prefix + 4), counter, sizeof got / 32);
    for (uint32_t i = 0; i < sizeof got / 32; i++) {
        evp_kdf(want, prefix, sizeof prefix, counter + i);
        right &= !memcmp(got + 32 * i, want, 32);
    }
    return right;
}

/* A row of many streams: two blocks of a padded message each, from one state to the next. */
static int many_agree(const struct limbic_row *row, limbic_hash id, size_t n) {
    enum { MOST = 40 };
    uint8_t text[MOST][2 * LIMBIC_HASH_MAX_BLOCK], want[LIMBIC_MAX_DIGEST_BYTES],
        got[LIMBIC_MAX_DIGEST_BYTES];
    const uint8_t *in[MOST];
    uint32_t w32[8 * MOST];
    uint64_t w64[8 * MOST];
    const size_t block = limbic_hash_block(id);
    int right = 1;
    for (size_t i = 0; i < n; i++) {
        limbic_hash_ctx c;
        fill(text[i], sizeof text[i], i);
        (void)limbic_hash_pad(id, text[i] + block, 7 + i, block + 7 + i);
        in[i] = text[i];
        limbic_hash_start(&c, id);
        memcpy(w32 + 8 * i, c.state.w32, sizeof c.state.w32);
        memcpy(w64 + 8 * i, c.state.w64, sizeof c.state.w64);
    }
    if (words_of_32(id))
        ((limbic_hash32_many *)row->fn)(w32, in, 2, n);
    else
        ((limbic_hash64_many *)row->fn)(w64, in, 2, n);
    for (size_t i = 0; i < n; i++) {
        limbic_hash_give(id, got, words_of_32(id) ? (const void *)(w32 + 8 * i) : w64 + 8 * i);
        evp_digest(id, want, text[i], block + 7 + i);
        right &= !memcmp(got, want, limbic_hash_bytes(id));
    }
    return right;
}

/* Returns the set of instruction sets with a row that was tested. */
static uint64_t test_rows(void) {
    uint64_t isas = 0;
    size_t rows = 0, tested = 0, left_out = 0;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        const char *isa = limbic_isa_name(row->isa), *op = limbic_op_name(row->op);
        if (row->unit != LIMBIC_UNIT_hash)
            continue;
        rows++;
        if (!limbic_row_usable(row)) {
            char reason[96];
            limbic_row_reason(row, reason, sizeof reason);
            left_out++;
            if (required(isa))
                check(0, "hash/%s/%s must run: %s", op, isa, reason);
            else {
                skipped++;
                printf("skipped: hash/%s/%s: %s\n", op, isa, reason);
            }
            continue;
        }
        tested++;
        isas |= UINT64_C(1) << row->isa;
        if (row->op == LIMBIC_OP_hash_sm3_stream)
            check(stream_agrees((limbic_hash_stream *)row->fn), "hash/%s/%s", op, isa);
        for (limbic_hash id = LIMBIC_SHA256; id <= LIMBIC_SM3; id++) {
            if (row->op == (id == LIMBIC_SHA256 ? LIMBIC_OP_hash_sha256_many
                            : id == LIMBIC_SM3  ? LIMBIC_OP_hash_sm3_many
                                                : LIMBIC_OP_hash_sha512_many))
                for (size_t n = 0; n <= 40; n++)
                    check(many_agree(row, id, n), "hash/%s/%s: %s, %zu streams", op, isa, name(id), n);
            if (row->op != (id == LIMBIC_SHA256 ? LIMBIC_OP_hash_sha256
                            : id == LIMBIC_SM3  ? LIMBIC_OP_hash_sm3
                                                : LIMBIC_OP_hash_sha512))
                continue;
            for (size_t blocks = 1; blocks <= 6; blocks++)
                for (size_t first = 0; first <= blocks; first++)
                    check(row_agrees(row, id, blocks, first), "hash/%s/%s: %s, %zu + %zu blocks", op, isa,
                          name(id), first, blocks - first);
        }
        printf("tested: hash/%s/%s\n", op, isa);
    }
    check(rows > 0 && tested + left_out == rows, "%zu rows, %zu tested, %zu left out", rows, tested,
          left_out);
    return isas;
}

int main(void) {
    uint64_t isas = test_rows();
    for (unsigned isa = 0; isa < LIMBIC_ISAS; isa++)
        if (isas >> isa & 1) {
            const char *isa_name = limbic_isa_name(isa);
            check(limbic_force_isa(isa_name) > 0, "rows of %s can be forced", isa_name);
            test_functions();
        }
    limbic_force_isa(NULL);
    return closing();
}
