/* scheme/sm2/<op>/<isa|auto>, scheme/rsa<bits>/<op>/<isa|auto>, scheme/sm3/<size>/<isa|auto>, scheme/<hash>/many/<isa|auto>: through the public interface, each
 * instruction set forced in turn. _prepared: a key made ready once; _message: under the default ID, with its hashes. */
#include "bench.h"

#include "limbic/rsa.h"
#include "limbic/sm2.h"

#include <stdio.h>
#include <string.h>

const struct bench_text bench_texts[BENCH_TEXTS] = {
    {"32", 32}, {"1k", 1 << 10}, {"10k", 10 << 10}, {"100k", 100 << 10}};

struct sm2 {
    uint8_t private_key[32], public_key[65], peer_private[32], peer_public[65];
    uint8_t digest[32], sig[64], sig_message[64], new_sig[64], shared[32];
    uint8_t message[1 << 10];
    limbic_sm2_signer signer;
    void *prepared;
    size_t prepared_len;
    limbic_sm2_exchange exchange;
    /* of encryption */
    limbic_sm2_form form;
    size_t text_len, cipher_len, out_len;
    uint8_t *text, *cipher, *out;
    uint8_t digests[BENCH_BATCH][32], sigs[BENCH_BATCH][64], new_sigs[BENCH_BATCH][64];
    limbic_sm2_sign_item sign_items[BENCH_BATCH], signer_items[BENCH_BATCH], message_items[BENCH_BATCH];
    limbic_sm2_verify_item verify_items[BENCH_BATCH], prepared_items[BENCH_BATCH];
    limbic_sm2_encrypt_item encrypt_items[BENCH_BATCH];
    limbic_sm2_decrypt_item decrypt_items[BENCH_BATCH];
};

static limbic_status sm2_sign(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_sign_digest(k->new_sig, 64, k->private_key, 32, k->digest, 32);
}
static limbic_status sm2_sign_prepared(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_signer_sign_digest(&k->signer, k->new_sig, 64, k->digest, 32);
}
static limbic_status sm2_sign_message(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_sign(k->new_sig, 64, k->private_key, 32, NULL, 0, k->message, sizeof k->message);
}
static limbic_status sm2_sign_message_prepared(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_signer_sign(&k->signer, k->new_sig, 64, k->message, sizeof k->message);
}
static limbic_status sm2_verify(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_verify_digest(k->sig, 64, k->public_key, 65, k->digest, 32);
}
static limbic_status sm2_verify_prepared(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_verify_digest_prepared(k->prepared, k->prepared_len, k->sig, 64, k->digest, 32);
}
static limbic_status sm2_verify_message(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_verify(k->sig_message, 64, k->public_key, 65, NULL, 0, k->message, sizeof k->message);
}
static limbic_status sm2_exchange(void *arg) {
    struct sm2 *k = arg;
    return limbic_sm2_exchange_key(&k->exchange, k->shared, 32, NULL, NULL);
}
static limbic_status sm2_encrypt(void *arg) {
    struct sm2 *k = arg;
    k->cipher_len = k->text_len + LIMBIC_SM2_OVERHEAD_BYTES;
    return limbic_sm2_encrypt(k->form, k->cipher, &k->cipher_len, k->public_key, 65, k->text, k->text_len);
}
static limbic_status sm2_decrypt(void *arg) {
    struct sm2 *k = arg;
    k->out_len = k->text_len;
    return limbic_sm2_decrypt(k->form, k->out, &k->out_len, k->private_key, 32, k->cipher, k->cipher_len);
}

static limbic_status sm2_sign_batch(void *arg) {
    return limbic_sm2_sign_batch(((struct sm2 *)arg)->sign_items, BENCH_BATCH);
}
static limbic_status sm2_sign_prepared_batch(void *arg) {
    return limbic_sm2_sign_batch(((struct sm2 *)arg)->signer_items, BENCH_BATCH);
}
static limbic_status sm2_sign_message_prepared_batch(void *arg) {
    return limbic_sm2_sign_batch(((struct sm2 *)arg)->message_items, BENCH_BATCH);
}
static limbic_status sm2_verify_batch(void *arg) {
    return limbic_sm2_verify_batch(((struct sm2 *)arg)->verify_items, BENCH_BATCH);
}
static limbic_status sm2_verify_prepared_batch(void *arg) {
    return limbic_sm2_verify_batch(((struct sm2 *)arg)->prepared_items, BENCH_BATCH);
}
static limbic_status sm2_encrypt_batch(void *arg) {
    struct sm2 *k = arg;
    for (size_t i = 0; i < BENCH_BATCH; i++)
        k->encrypt_items[i].out_len = k->text_len + LIMBIC_SM2_OVERHEAD_BYTES;
    return limbic_sm2_encrypt_batch(k->form, k->encrypt_items, BENCH_BATCH);
}
static limbic_status sm2_decrypt_batch(void *arg) {
    struct sm2 *k = arg;
    for (size_t i = 0; i < BENCH_BATCH; i++)
        k->decrypt_items[i].out_len = k->text_len;
    return limbic_sm2_decrypt_batch(k->form, k->decrypt_items, BENCH_BATCH);
}

/* One key, many digests; one message. */
static void sm2_items(struct sm2 *k) {
    for (size_t i = 0; i < BENCH_BATCH; i++) {
        uint64_t words[4];
        bench_random(words, 4);
        memcpy(k->digests[i], words, sizeof words);
        k->signer_items[i] = (limbic_sm2_sign_item){
            .sig = k->sigs[i], .signer = &k->signer, .e = k->digests[i], .sig_len = 64, .e_len = 32};
        k->sign_items[i] = k->signer_items[i];
        k->sign_items[i].signer = NULL;
        k->sign_items[i].private_key = k->private_key;
        k->sign_items[i].private_len = 32;
        k->message_items[i] = (limbic_sm2_sign_item){.sig = k->new_sigs[i],
                                                     .signer = &k->signer,
                                                     .msg = k->message,
                                                     .sig_len = 64,
                                                     .msg_len = sizeof k->message};
        k->verify_items[i] = (limbic_sm2_verify_item){.sig = k->sigs[i],
                                                      .public_key = k->public_key,
                                                      .e = k->digests[i],
                                                      .sig_len = 64,
                                                      .public_len = 65,
                                                      .e_len = 32};
        k->prepared_items[i] = k->verify_items[i];
        k->prepared_items[i].prepared = k->prepared;
        k->prepared_items[i].prepared_len = k->prepared_len;
    }
    if (sm2_sign_batch(k) != LIMBIC_OK)
        bench_die("a batch failed");
    for (size_t i = 0; i < BENCH_BATCH; i++)
        k->sign_items[i].sig = k->signer_items[i].sig = k->new_sigs[i];
}

static struct sm2 *make_sm2(void) {
    struct sm2 *k = bench_alloc(sizeof *k);
    uint64_t words[sizeof k->message / 8];
    bench_random(words, sizeof words / 8);
    memcpy(k->message, words, sizeof k->message);
    memcpy(k->digest, words, sizeof k->digest);
    k->prepared_len = limbic_ec_prepared_bytes(LIMBIC_SM2);
    k->prepared = bench_alloc(k->prepared_len);
    if (limbic_ec_keygen(LIMBIC_SM2, k->private_key, 32, k->public_key, 65) != LIMBIC_OK ||
        limbic_ec_keygen(LIMBIC_SM2, k->peer_private, 32, k->peer_public, 65) != LIMBIC_OK ||
        limbic_ec_prepare(LIMBIC_SM2, k->prepared, k->prepared_len, k->public_key, 65) != LIMBIC_OK ||
        limbic_sm2_signer_init(&k->signer, k->private_key, 32, NULL, 0) != LIMBIC_OK ||
        sm2_sign_message(k) != LIMBIC_OK)
        bench_die("no SM2 keys");
    memcpy(k->sig_message, k->new_sig, 64);
    if (sm2_sign(k) != LIMBIC_OK)
        bench_die("no SM2 signature");
    memcpy(k->sig, k->new_sig, 64);
    /* The ephemeral keys stand in for both sides' static ones: their values change nothing in the time. */
    k->exchange = (limbic_sm2_exchange){.private_key = k->private_key,
                                        .ephemeral_private = k->peer_private,
                                        .peer_public = k->peer_public,
                                        .peer_ephemeral = k->public_key,
                                        .peer_public_len = 65,
                                        .peer_ephemeral_len = 65};
    sm2_items(k);
    return k;
}

/* The same key with a text. */
static struct sm2 *with_text(const struct sm2 *key, size_t bytes, limbic_sm2_form form) {
    struct sm2 *k = bench_alloc(sizeof *k);
    *k = *key;
    k->form = form;
    k->text_len = bytes;
    k->text = bench_alloc(bytes);
    k->out = bench_alloc(bytes);
    k->cipher = bench_alloc(bytes + LIMBIC_SM2_OVERHEAD_BYTES);
    for (size_t i = 0; i < bytes; i++)
        k->text[i] = (uint8_t)(i * 29 + 7);
    if (sm2_encrypt(k) != LIMBIC_OK || sm2_decrypt(k) != LIMBIC_OK || memcmp(k->out, k->text, bytes) != 0)
        bench_die("SM2 does not decrypt what it encrypted");
    for (size_t i = 0; i < BENCH_BATCH; i++) {
        k->encrypt_items[i] = (limbic_sm2_encrypt_item){.out = bench_alloc(bytes + LIMBIC_SM2_OVERHEAD_BYTES),
                                                        .public_key = k->public_key,
                                                        .msg = k->text,
                                                        .public_len = 65,
                                                        .msg_len = bytes};
        k->decrypt_items[i] = (limbic_sm2_decrypt_item){.out = bench_alloc(bytes),
                                                        .private_key = k->private_key,
                                                        .in = k->cipher,
                                                        .private_len = 32,
                                                        .in_len = k->cipher_len};
    }
    return k;
}

static const struct operation {
    const char *name, *group;
    limbic_status (*fn)(void *keys);
    unsigned items;
} sm2_operations[] = {
    {"sign", "sign", sm2_sign, 0},
    {"sign_batch64", "sign", sm2_sign_batch, BENCH_BATCH},
    {"sign_prepared", "sign", sm2_sign_prepared, 0},
    {"sign_prepared_batch64", "sign", sm2_sign_prepared_batch, BENCH_BATCH},
    {"verify", "verify", sm2_verify, 0},
    {"verify_batch64", "verify", sm2_verify_batch, BENCH_BATCH},
    {"verify_prepared", "verify", sm2_verify_prepared, 0},
    {"verify_prepared_batch64", "verify", sm2_verify_prepared_batch, BENCH_BATCH},
    {"sign_message", "sign_message", sm2_sign_message, 0},
    {"sign_message_prepared", "sign_message", sm2_sign_message_prepared, 0},
    {"sign_message_prepared_batch64", "sign_message", sm2_sign_message_prepared_batch, BENCH_BATCH},
    {"verify_message", "verify_message", sm2_verify_message, 0},
    {"exchange", "exchange", sm2_exchange, 0},
};

static void add_text(const char *isa, struct sm2 *k, const char *size) {
    char op[32];
    bench_format(op, sizeof op, "encrypt_%s", size);
    bench_add_scheme("sm2", op, op, (struct bench_scheme){isa, sm2_encrypt, k, NULL, 0}, 0, 0);
    bench_format(op, sizeof op, "decrypt_%s", size);
    bench_add_scheme("sm2", op, op, (struct bench_scheme){isa, sm2_decrypt, k, NULL, 0}, 0, 0);
}

/* curve: the instruction set has an engine for it, not only hashes. */
static void sm2_rows(const char *isa, int curve) {
    static struct sm2 *key, *texts[BENCH_TEXTS], *old;
    if (!key) {
        key = make_sm2();
        for (size_t i = 0; i < BENCH_TEXTS; i++)
            texts[i] = with_text(key, bench_texts[i].bytes, LIMBIC_SM2_C1C3C2);
        old = with_text(key, 1 << 10, LIMBIC_SM2_C1C2C3);
    }
    for (size_t i = 0; i < sizeof sm2_operations / sizeof *sm2_operations && curve; i++) {
        const struct operation *o = &sm2_operations[i];
        bench_add_scheme("sm2", o->name, o->group, (struct bench_scheme){isa, o->fn, key, NULL, o->items}, 0,
                         0);
    }
    for (size_t i = 0; i < BENCH_TEXTS; i++)
        add_text(isa, texts[i], bench_texts[i].name);
    add_text(isa, old, "1k_c1c2c3");
    bench_add_scheme("sm2", "encrypt_1k_batch64", "encrypt_1k",
                     (struct bench_scheme){isa, sm2_encrypt_batch, texts[1], NULL, BENCH_BATCH}, 0, 0);
    bench_add_scheme("sm2", "decrypt_1k_batch64", "decrypt_1k",
                     (struct bench_scheme){isa, sm2_decrypt_batch, texts[1], NULL, BENCH_BATCH}, 0, 0);
}

struct rsa {
    unsigned bits;
    size_t key_len, bytes, out_len;
    void *key, *new_key; /* NULL: not made yet */
    uint8_t digest[32], text[32];
    uint8_t sig[512], new_sig[512], cipher[512], out[512];
    limbic_rsa_item private_items[BENCH_BATCH], public_items[BENCH_BATCH];
    uint8_t outs[BENCH_BATCH][512];
};

static limbic_status rsa_sign(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_sign_pkcs1(k->key, k->key_len, k->new_sig, k->bytes, LIMBIC_SHA256, k->digest, 32);
}
static limbic_status rsa_verify(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_verify_pkcs1(k->key, k->key_len, k->sig, k->bytes, LIMBIC_SHA256, k->digest, 32);
}
static limbic_status rsa_keygen(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_keygen(k->new_key, k->key_len, k->bits, NULL, 0);
}
static limbic_status rsa_encrypt(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_encrypt_oaep(k->key, k->key_len, k->cipher, k->bytes, LIMBIC_SHA256,
                                   LIMBIC_HASH_DEFAULT, NULL, 0, k->text, sizeof k->text);
}
static limbic_status rsa_decrypt(void *arg) {
    struct rsa *k = arg;
    k->out_len = sizeof k->out;
    return limbic_rsa_decrypt_oaep(k->key, k->key_len, k->out, &k->out_len, LIMBIC_SHA256,
                                   LIMBIC_HASH_DEFAULT, NULL, 0, k->cipher, k->bytes);
}
static limbic_status rsa_private(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_private_op(k->key, k->key_len, k->out, k->bytes, k->cipher, k->bytes);
}
static limbic_status rsa_private_batch(void *arg) {
    return limbic_rsa_private_op_batch(((struct rsa *)arg)->private_items, BENCH_BATCH);
}
static limbic_status rsa_public(void *arg) {
    struct rsa *k = arg;
    return limbic_rsa_public_op(k->key, k->key_len, k->out, k->bytes, k->sig, k->bytes);
}
static limbic_status rsa_public_batch(void *arg) {
    return limbic_rsa_public_op_batch(((struct rsa *)arg)->public_items, BENCH_BATCH);
}

/* At the first sample: a run of other rows does not wait for primes. */
static void make_rsa(void *arg) {
    struct rsa *k = arg;
    uint64_t words[8];
    if (k->key)
        return;
    bench_random(words, 8);
    memcpy(k->digest, words, 32);
    memcpy(k->text, words + 4, 32);
    k->bytes = k->bits / 8;
    k->key_len = limbic_rsa_private_bytes(k->bits);
    k->new_key = bench_alloc(k->key_len);
    if (rsa_keygen(k) != LIMBIC_OK)
        bench_die("no RSA key");
    k->key = k->new_key;
    k->new_key = bench_alloc(k->key_len);
    if (rsa_sign(k) != LIMBIC_OK || rsa_encrypt(k) != LIMBIC_OK || rsa_decrypt(k) != LIMBIC_OK ||
        k->out_len != sizeof k->text || memcmp(k->out, k->text, sizeof k->text) != 0)
        bench_die("RSA does not decrypt what it encrypted");
    memcpy(k->sig, k->new_sig, sizeof k->sig);
    for (size_t i = 0; i < BENCH_BATCH; i++) {
        k->private_items[i] = (limbic_rsa_item){.key = k->key,
                                                .in = k->cipher,
                                                .out = k->outs[i],
                                                .key_len = k->key_len,
                                                .in_len = k->bytes,
                                                .out_len = k->bytes};
        k->public_items[i] = k->private_items[i];
        k->public_items[i].in = k->sig;
    }
}

static void rsa_rows(const char *isa) {
    static const struct {
        const char *name, *group;
        limbic_status (*fn)(void *keys);
        unsigned max_bits, batch, items;
    } operations[] = {
        {"sign", "sign", rsa_sign, 4096, 0, 0},
        {"verify", "verify", rsa_verify, 4096, 0, 0},
        {"private", "private", rsa_private, 4096, 0, 0},
        {"private_batch64", "private", rsa_private_batch, 4096, 0, BENCH_BATCH},
        {"public", "public", rsa_public, 4096, 0, 0},
        {"public_batch64", "public", rsa_public_batch, 4096, 0, BENCH_BATCH},
        {"keygen", "keygen", rsa_keygen, 2048, 2, 0},
        {"encrypt_32", "encrypt_32", rsa_encrypt, 2048, 0, 0},
        {"decrypt_32", "decrypt_32", rsa_decrypt, 2048, 0, 0},
    };
    static struct rsa keys[] = {{.bits = 2048}, {.bits = 3072}, {.bits = 4096}};
    char scheme[16];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bench_format(scheme, sizeof scheme, "rsa%u", keys[i].bits);
        for (size_t j = 0; j < sizeof operations / sizeof *operations; j++)
            if (keys[i].bits <= operations[j].max_bits)
                bench_add_scheme(
                    scheme, operations[j].name, operations[j].group,
                    (struct bench_scheme){isa, operations[j].fn, &keys[i], make_rsa, operations[j].items}, 0,
                    operations[j].batch);
    }
}

struct sm3 {
    size_t bytes;
    uint8_t *text, digest[32];
};

static limbic_status sm3(void *arg) {
    struct sm3 *k = arg;
    return limbic_digest(LIMBIC_SM3, k->digest, 32, k->text, k->bytes);
}

static void sm3_rows(const char *isa) {
    static struct sm3 small = {.bytes = 1 << 10}, large = {.bytes = 16 << 10};
    if (!large.text)
        small.text = large.text = bench_alloc(large.bytes);
    bench_add_scheme("sm3", "1k", "1k", (struct bench_scheme){isa, sm3, &small, NULL, 0}, 0, 0);
    bench_add_scheme("sm3", "16k", "16k", (struct bench_scheme){isa, sm3, &large, NULL, 0}, 0, 0);
}

struct many {
    limbic_hash hash;
    const char *scheme;
    uint8_t *digests;
    const void *in[BENCH_MANY];
    size_t lengths[BENCH_MANY];
};

static limbic_status many(void *arg) {
    struct many *k = arg;
    return limbic_digest_many(k->hash, k->digests, BENCH_MANY * limbic_hash_bytes(k->hash), k->in, k->lengths,
                              BENCH_MANY);
}

static void many_rows(const char *isa) {
    static struct many hashes[] = {{.hash = LIMBIC_SM3, .scheme = "sm3"},
                                   {.hash = LIMBIC_SHA256, .scheme = "sha256"},
                                   {.hash = LIMBIC_SHA512, .scheme = "sha512"}};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        struct many *k = &hashes[i];
        if (!k->digests) {
            const uint8_t *text = bench_alloc(BENCH_MANY_BYTES);
            k->digests = bench_alloc(BENCH_MANY * LIMBIC_MAX_DIGEST_BYTES);
            for (size_t j = 0; j < BENCH_MANY; j++) {
                k->in[j] = text;
                k->lengths[j] = BENCH_MANY_LENGTH(j);
            }
        }
        bench_add_scheme(k->scheme, "many", "many", (struct bench_scheme){isa, many, k, NULL, 0}, 0, 0);
    }
}

void bench_sm2_rsa(void) {
    for (unsigned isa = 0; isa <= LIMBIC_ISAS; isa++) {
        const char *name = isa < LIMBIC_ISAS ? limbic_isa_name(isa) : NULL;
        int curve = bench_runs(NULL, LIMBIC_UNIT_sm2, isa), hash = bench_runs("sm3", LIMBIC_UNIT_hash, isa);
        if (curve || hash)
            sm2_rows(name, curve);
        if (hash) {
            sm3_rows(name);
            many_rows(name);
        }
        if (bench_runs("rsa", LIMBIC_UNIT_mont, isa))
            rsa_rows(name);
    }
}
