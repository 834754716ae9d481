/* peer/openssl/sm2, rsa<bits> and sm3/<op>: libcrypto through EVP, contexts and keys kept. SM2's ciphertexts are DER, of which alone it
 * knows. */
#include "bench.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <string.h>

struct peer {
    unsigned bits; /* RSA; 0: SM2 */
    EVP_PKEY *key;
    EVP_PKEY_CTX *keygen, *sign, *verify, *encrypt, *decrypt;
    EVP_MD_CTX *md;
    unsigned char digest[32], message[1 << 10], sig[512], new_sig[512];
    size_t sig_len, new_len;
};

/* A text under a key, whose contexts it shares. */
struct text {
    struct peer *p;
    size_t bytes, cipher_len, out_len, room;
    unsigned char *text, *cipher, *out;
};

static const char id[] = "1234567812345678";

#define LOOP(name, type, ok)                                                                                 \
    static void name(void *arg, size_t count) {                                                              \
        type *p = arg;                                                                                       \
        for (; count; count--)                                                                               \
            if (!(ok))                                                                                       \
                bench_fail("libcrypto: " #name " failed");                                                   \
    }

static int keygen_once(struct peer *p) {
    EVP_PKEY *key = NULL;
    int ok = EVP_PKEY_keygen(p->keygen, &key) == 1;
    EVP_PKEY_free(key);
    return ok;
}
static int sign_once(struct peer *p) {
    p->new_len = sizeof p->new_sig;
    return EVP_PKEY_sign(p->sign, p->new_sig, &p->new_len, p->digest, sizeof p->digest) == 1;
}
static int sign_message_once(struct peer *p) {
    EVP_PKEY_CTX *c = NULL;
    p->new_len = sizeof p->new_sig;
    return EVP_DigestSignInit(p->md, &c, EVP_sm3(), NULL, p->key) == 1 &&
           EVP_PKEY_CTX_set1_id(c, id, sizeof id - 1) == 1 &&
           EVP_DigestSign(p->md, p->new_sig, &p->new_len, p->message, sizeof p->message) == 1;
}
static int verify_message_once(struct peer *p) {
    EVP_PKEY_CTX *c = NULL;
    return EVP_DigestVerifyInit(p->md, &c, EVP_sm3(), NULL, p->key) == 1 &&
           EVP_PKEY_CTX_set1_id(c, id, sizeof id - 1) == 1 &&
           EVP_DigestVerify(p->md, p->sig, p->sig_len, p->message, sizeof p->message) == 1;
}
static int encrypt_once(struct text *t) {
    t->cipher_len = t->room;
    return EVP_PKEY_encrypt(t->p->encrypt, t->cipher, &t->cipher_len, t->text, t->bytes) == 1;
}
static int decrypt_once(struct text *t) {
    t->out_len = t->room;
    return EVP_PKEY_decrypt(t->p->decrypt, t->out, &t->out_len, t->cipher, t->cipher_len) == 1;
}

LOOP(keygen, struct peer, keygen_once(p))
LOOP(sign, struct peer, sign_once(p))
LOOP(verify, struct peer, EVP_PKEY_verify(p->verify, p->sig, p->sig_len, p->digest, sizeof p->digest) == 1)
LOOP(sign_message, struct peer, sign_message_once(p))
LOOP(verify_message, struct peer, verify_message_once(p))
LOOP(encrypt, struct text, encrypt_once(p))
LOOP(decrypt, struct text, decrypt_once(p))

static void add(const char *scheme, const char *op, const struct bench_row *like, int offered) {
    struct bench_row row = *like;
    BENCH_NAME(&row, "peer/openssl/%s/%s", scheme, op);
    BENCH_GROUP(&row, "scheme/%s/%s", scheme, op);
    if (offered)
        bench_add(&row);
    else
        bench_not_run(row.name, "this OpenSSL does not offer it");
}

static int keep_signature(struct peer *p, int ok) {
    memcpy(p->sig, p->new_sig, sizeof p->sig);
    p->sig_len = p->new_len;
    return ok;
}

/* The contexts of a key; RSA's paddings where it is one. */
static int make_contexts(struct peer *p) {
    const EVP_MD *sha256 = EVP_sha256();
    int rsa = p->bits != 0;
    EVP_PKEY_CTX **const all[] = {&p->sign, &p->verify, &p->encrypt, &p->decrypt};
    if (EVP_PKEY_keygen(p->keygen, &p->key) != 1 || !(p->md = EVP_MD_CTX_new()))
        return 0;
    for (size_t i = 0; i < 4; i++)
        if (!(*all[i] = EVP_PKEY_CTX_new(p->key, NULL)))
            return 0;
    if (EVP_PKEY_sign_init(p->sign) != 1 || EVP_PKEY_verify_init(p->verify) != 1 ||
        EVP_PKEY_encrypt_init(p->encrypt) != 1 || EVP_PKEY_decrypt_init(p->decrypt) != 1)
        return 0;
    for (size_t i = 0; i < 4 && rsa; i++) {
        EVP_PKEY_CTX *c = *all[i];
        if (i < 2 ? EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_PADDING) != 1 ||
                        EVP_PKEY_CTX_set_signature_md(c, sha256) != 1
                  : EVP_PKEY_CTX_set_rsa_padding(c, RSA_PKCS1_OAEP_PADDING) != 1 ||
                        EVP_PKEY_CTX_set_rsa_oaep_md(c, sha256) != 1)
            return 0;
    }
    return 1;
}

static struct text *make_text(struct peer *p, size_t bytes) {
    struct text *t = bench_alloc(sizeof *t);
    t->p = p;
    t->bytes = bytes;
    t->room = bytes + 512;
    t->text = bench_alloc(bytes);
    t->cipher = bench_alloc(t->room);
    t->out = bench_alloc(t->room);
    for (size_t i = 0; i < bytes; i++)
        t->text[i] = (unsigned char)(i * 29 + 7);
    return t;
}

static int decrypts(struct text *t) {
    return encrypt_once(t) && decrypt_once(t) && t->out_len == t->bytes && !memcmp(t->out, t->text, t->bytes);
}

static void sm2_rows(void) {
    struct peer *p = bench_alloc(sizeof *p), *m = bench_alloc(sizeof *m);
    p->keygen = EVP_PKEY_CTX_new_from_name(NULL, "SM2", NULL); /* a key made as EC's would sign with ECDSA */
    int ok = p->keygen && EVP_PKEY_keygen_init(p->keygen) == 1 && make_contexts(p);
    int signs = ok && keep_signature(p, sign_once(p));
    add("sm2", "sign", &(struct bench_row){.fn = sign, .arg = p}, signs);
    add("sm2", "verify", &(struct bench_row){.fn = verify, .arg = p}, signs);
    *m = *p;
    signs = ok && keep_signature(m, sign_message_once(m));
    add("sm2", "sign_message", &(struct bench_row){.fn = sign_message, .arg = m}, signs);
    add("sm2", "verify_message", &(struct bench_row){.fn = verify_message, .arg = m}, signs);
    for (size_t i = 0; i < BENCH_TEXTS; i++) {
        char op[32];
        struct text *t = make_text(p, bench_texts[i].bytes);
        int crypts = ok && decrypts(t);
        bench_format(op, sizeof op, "encrypt_%s", bench_texts[i].name);
        add("sm2", op, &(struct bench_row){.fn = encrypt, .arg = t}, crypts);
        bench_format(op, sizeof op, "decrypt_%s", bench_texts[i].name);
        add("sm2", op, &(struct bench_row){.fn = decrypt, .arg = t}, crypts);
    }
    ERR_clear_error();
}

/* At the first sample, as Limbic's. */
static void make_rsa(void *arg) {
    struct peer *p = arg;
    if (p->key)
        return;
    p->keygen = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, NULL);
    if (!p->keygen || EVP_PKEY_keygen_init(p->keygen) != 1 ||
        EVP_PKEY_CTX_set_rsa_keygen_bits(p->keygen, (int)p->bits) != 1 || !make_contexts(p) ||
        !keep_signature(p, sign_once(p)))
        bench_die("libcrypto: no RSA keys");
}

static void make_rsa_text(void *arg) {
    struct text *t = arg;
    make_rsa(t->p);
    if (!t->cipher_len && !decrypts(t))
        bench_die("libcrypto: RSA does not decrypt what it encrypted");
}

static void rsa_rows(void) {
    static struct peer keys[] = {{.bits = 2048}, {.bits = 3072}, {.bits = 4096}};
    char scheme[16];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct peer *p = &keys[i];
        bench_format(scheme, sizeof scheme, "rsa%u", p->bits);
        add(scheme, "sign", &(struct bench_row){.before = make_rsa, .fn = sign, .arg = p}, 1);
        add(scheme, "verify", &(struct bench_row){.before = make_rsa, .fn = verify, .arg = p}, 1);
        if (p->bits != 2048)
            continue;
        struct text *t = make_text(p, 32);
        add(scheme, "keygen", &(struct bench_row){.before = make_rsa, .fn = keygen, .arg = p, .batch = 2}, 1);
        add(scheme, "encrypt_32", &(struct bench_row){.before = make_rsa_text, .fn = encrypt, .arg = t}, 1);
        add(scheme, "decrypt_32", &(struct bench_row){.before = make_rsa_text, .fn = decrypt, .arg = t}, 1);
    }
}

struct hash {
    EVP_MD_CTX *md;
    unsigned char *text, out[64];
    size_t bytes;
};

static int hash_once(struct hash *h) {
    return EVP_DigestInit_ex(h->md, NULL, NULL) == 1 && EVP_DigestUpdate(h->md, h->text, h->bytes) == 1 &&
           EVP_DigestFinal_ex(h->md, h->out, NULL) == 1;
}
LOOP(hash, struct hash, hash_once(p))

static void sm3_rows(void) {
    static const struct {
        const char *name;
        size_t bytes;
    } lengths[] = {{"1k", 1 << 10}, {"16k", 16 << 10}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct hash *h = bench_alloc(sizeof *h);
        h->bytes = lengths[i].bytes;
        h->text = bench_alloc(h->bytes);
        h->md = EVP_MD_CTX_new();
        int ok = h->md && EVP_DigestInit_ex(h->md, EVP_sm3(), NULL) == 1 && hash_once(h);
        add("sm3", lengths[i].name, &(struct bench_row){.fn = hash, .arg = h}, ok);
    }
    ERR_clear_error();
}

/* One after the other. */
static int hash_many(struct hash *h) {
    int ok = 1;
    for (size_t i = 0; i < BENCH_MANY; i++) {
        h->bytes = BENCH_MANY_LENGTH(i);
        ok &= hash_once(h);
    }
    return ok;
}
LOOP(many, struct hash, hash_many(p))

static void many_rows(void) {
    static const char *const names[] = {"sm3", "sha256", "sha512"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hash *h = bench_alloc(sizeof *h);
        h->text = bench_alloc(BENCH_MANY_BYTES);
        h->md = EVP_MD_CTX_new();
        int ok = h->md && EVP_DigestInit_ex(h->md, EVP_get_digestbyname(names[i]), NULL) == 1 && hash_many(h);
        add(names[i], "many", &(struct bench_row){.fn = many, .arg = h}, ok);
    }
    ERR_clear_error();
}

const char *bench_openssl_version(void) {
    static char text[64];
    const char *long_one = OpenSSL_version(OPENSSL_VERSION);
    size_t n = strcspn(long_one, " ");
    n += long_one[n] ? 1 + strcspn(long_one + n + 1, " ") : 0;
    bench_format(text, sizeof text, "%.*s", (int)n, long_one);
    return text;
}

void bench_peers_openssl_sm2_rsa(void) {
    sm2_rows();
    rsa_rows();
    sm3_rows();
    many_rows();
}
