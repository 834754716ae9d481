/* limbic sign, verify, encrypt, decrypt. */
#include "tool.h"

#include "limbic/ecdsa.h"
#include "limbic/sm2.h"

#include <errno.h>
#include <string.h>

#define MAX_DER_SIGNATURE ((size_t)LIMBIC_RSA_MAX_BYTES + 16)

/* The index of text among the names, NULL for the first; count if it is none of them. */
static size_t choice(const char *text, const char *const *names, size_t count) {
    size_t i = 0;
    if (text != NULL)
        for (i = 0; i < count && strcmp(text, names[i]) != 0; i++)
            continue;
    return i;
}
#define CHOICE(text, names) choice(text, names, sizeof names / sizeof *names)

static int report(const char *what, limbic_status s) {
    return s == LIMBIC_OK ? LIMBIC_TOOL_OK : limbic_tool_fail("%s: %s", what, limbic_status_string(s));
}

static int is_sm2(const struct limbic_tool_key *key) {
    return key->info.type == LIMBIC_KEY_EC && key->info.curve == LIMBIC_SM2;
}

/* The hash that --hash names, or that goes with the key. */
static int hash_of(limbic_hash *hash, const struct limbic_tool_options *o,
                   const struct limbic_tool_key *key) {
    static const char *const names[] = {"", "sha256", "sha384", "sha512", "sm3"};
    size_t i = o->hash != NULL ? CHOICE(o->hash, names) : 0;
    if (o->hash != NULL && (i == 0 || i == sizeof names / sizeof *names))
        return limbic_tool_usage("unknown hash '%s'", o->hash);
    if (i == 0)
        i = key->info.type == LIMBIC_KEY_RSA ? LIMBIC_SHA256
            : key->info.curve == LIMBIC_SM2  ? LIMBIC_SM3
            : key->info.curve == LIMBIC_P384 ? LIMBIC_SHA384
            : key->info.curve == LIMBIC_P521 ? LIMBIC_SHA512
                                             : LIMBIC_SHA256;
    *hash = (limbic_hash)i;
    if (is_sm2(key) && *hash != LIMBIC_SM3)
        return limbic_tool_usage("SM2 signs with SM3 alone");
    return LIMBIC_TOOL_OK;
}

/* The digest to be signed: of the input, for SM2 with Z before it, or the input itself. */
static int digest_input(uint8_t *digest, size_t *digest_len, limbic_hash hash,
                        const struct limbic_tool_options *o, const struct limbic_tool_key *key) {
    const char *name = o->input != NULL ? o->input : "standard input";
    struct limbic_tool_bytes all;
    uint8_t z[32], part[16384];
    limbic_hash_ctx c;
    limbic_status s;

    if (o->id != NULL && (!is_sm2(key) || o->digest))
        return limbic_tool_usage("an ID belongs to SM2 signatures of messages");
    *digest_len = limbic_hash_bytes(hash);
    if (o->digest) {
        if (!limbic_tool_read(o->input, &all, LIMBIC_MAX_DIGEST_BYTES))
            return LIMBIC_TOOL_FAILURE;
        int ok = all.n == *digest_len;
        if (ok)
            memcpy(digest, all.p, all.n);
        limbic_tool_free(&all);
        return ok ? LIMBIC_TOOL_OK
                  : limbic_tool_fail("%s: a digest of %s has %zu bytes", name, limbic_hash_name(hash),
                                     *digest_len);
    }
    s = limbic_hash_init(&c, hash);
    if (s == LIMBIC_OK && is_sm2(key)) {
        s = limbic_sm2_z(z, sizeof z, (const uint8_t *)o->id, o->id != NULL ? strlen(o->id) : 0,
                         key->public_key, 1 + 2 * key->bytes);
        limbic_hash_update(&c, z, sizeof z);
    }
    if (s != LIMBIC_OK)
        return report(s == LIMBIC_ERR_ID ? "--id" : "digest", s);
    FILE *f = limbic_tool_open(o->input);
    if (f == NULL)
        return LIMBIC_TOOL_FAILURE;
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        limbic_hash_update(&c, part, n);
    int bad = ferror(f), code = errno;
    if (f != stdin)
        fclose(f);
    limbic_hash_final(&c, digest);
    return bad ? limbic_tool_fail("%s: %s", name, strerror(code)) : LIMBIC_TOOL_OK;
}

/* What sign and verify have in common: key, hash, forms, digest. */
struct signing {
    struct limbic_tool_key key;
    limbic_hash hash;
    int pss;
    enum { SIG_DER, SIG_RAW, SIG_HEX } form;
    uint8_t digest[LIMBIC_MAX_DIGEST_BYTES];
    size_t digest_len;
};

static int signing(struct signing *x, const struct limbic_tool_options *o, int is_private) {
    static const char *const paddings[] = {"pkcs1", "pss"}, *const forms[] = {"der", "raw", "hex"};
    size_t padding = CHOICE(o->padding, paddings), form = CHOICE(o->format, forms);
    if (padding == 2)
        return limbic_tool_usage("no such padding of a signature: '%s'", o->padding);
    if (form == 3)
        return limbic_tool_usage("no such form of a signature: '%s'", o->format);
    int code = limbic_tool_load(&x->key, o, is_private);
    if (code != LIMBIC_TOOL_OK)
        return code;
    x->pss = padding == 1;
    if (x->key.info.type == LIMBIC_KEY_RSA && o->format != NULL && form == SIG_DER)
        code = limbic_tool_usage("an RSA signature has the forms raw and hex");
    x->form = (int)form == SIG_DER ? SIG_DER : (int)form == SIG_RAW ? SIG_RAW : SIG_HEX;
    if (code == LIMBIC_TOOL_OK && o->padding != NULL && x->key.info.type != LIMBIC_KEY_RSA)
        code = limbic_tool_usage("a padding belongs to RSA");
    if (code == LIMBIC_TOOL_OK)
        code = hash_of(&x->hash, o, &x->key);
    if (code == LIMBIC_TOOL_OK)
        code = digest_input(x->digest, &x->digest_len, x->hash, o, &x->key);
    if (code != LIMBIC_TOOL_OK)
        limbic_tool_unload(&x->key);
    return code;
}

int limbic_tool_sign(const struct limbic_tool_options *o) {
    struct signing x;
    uint8_t sig[LIMBIC_RSA_MAX_BYTES], der[LIMBIC_MAX_DER_BYTES];
    size_t sig_len, der_len = sizeof der;
    limbic_status s;
    int code = signing(&x, o, 1);
    if (code != LIMBIC_TOOL_OK)
        return code;
    const struct limbic_tool_key *key = &x.key;
    sig_len = key->info.type == LIMBIC_KEY_RSA ? key->bytes : 2 * key->bytes;
    if (is_sm2(key))
        s = limbic_sm2_sign_digest(sig, sig_len, key->private_key, key->bytes, x.digest, x.digest_len);
    else if (key->info.type == LIMBIC_KEY_EC)
        s = limbic_ecdsa_sign(key->info.curve, sig, sig_len, key->private_key, key->bytes, x.digest,
                              x.digest_len, x.hash == LIMBIC_SM3 ? LIMBIC_HASH_DEFAULT : x.hash);
    else if (x.pss)
        s = limbic_rsa_sign_pss(key->rsa.p, key->rsa.n, sig, sig_len, x.hash, x.hash, LIMBIC_RSA_SALT_DIGEST,
                                x.digest, x.digest_len);
    else
        s = limbic_rsa_sign_pkcs1(key->rsa.p, key->rsa.n, sig, sig_len, x.hash, x.digest, x.digest_len);
    const uint8_t *result = sig;
    if (s == LIMBIC_OK && key->info.type == LIMBIC_KEY_EC && x.form == SIG_DER) {
        s = limbic_ecdsa_sig_to_der(key->info.curve, der, &der_len, sig, sig_len);
        result = der;
        sig_len = der_len;
    }
    limbic_tool_unload(&x.key);
    if (s != LIMBIC_OK)
        return report("sign", s);
    return x.form == SIG_HEX ? limbic_tool_write_hex(o->out, result, sig_len, 0)
                             : limbic_tool_write(o->out, result, sig_len, 0);
}

int limbic_tool_verify(const struct limbic_tool_options *o) {
    struct signing x;
    struct limbic_tool_bytes sig;
    uint8_t rs[LIMBIC_MAX_SIGNATURE_BYTES];
    limbic_status s = LIMBIC_OK;
    if (o->signature == NULL)
        return limbic_tool_usage("no signature: --signature FILE");
    int code = signing(&x, o, 0);
    if (code != LIMBIC_TOOL_OK)
        return code;
    const struct limbic_tool_key *key = &x.key;
    if (!limbic_tool_read(o->signature, &sig, 2 * MAX_DER_SIGNATURE)) {
        limbic_tool_unload(&x.key);
        return LIMBIC_TOOL_FAILURE;
    }
    if (x.form == SIG_HEX && !limbic_tool_unhex(&sig)) {
        code = limbic_tool_fail("%s: not hexadecimal", o->signature);
    } else if (key->info.type == LIMBIC_KEY_RSA) {
        if (sig.n != key->bytes)
            code =
                limbic_tool_fail("signature BAD: it has %zu bytes, this key's have %zu", sig.n, key->bytes);
        s = x.pss ? limbic_rsa_verify_pss(key->rsa.p, key->rsa.n, sig.p, sig.n, x.hash, x.hash,
                                          LIMBIC_RSA_SALT_ANY, x.digest, x.digest_len)
                  : limbic_rsa_verify_pkcs1(key->rsa.p, key->rsa.n, sig.p, sig.n, x.hash, x.digest,
                                            x.digest_len);
    } else {
        const uint8_t *p = sig.p;
        size_t n = sig.n;
        if (x.form == SIG_DER) {
            s = limbic_ecdsa_sig_from_der(key->info.curve, rs, 2 * key->bytes, p, n);
            p = rs;
            n = 2 * key->bytes;
        }
        if (s == LIMBIC_OK && is_sm2(key))
            s = limbic_sm2_verify_digest(p, n, key->public_key, 1 + 2 * key->bytes, x.digest, x.digest_len);
        else if (s == LIMBIC_OK)
            s = limbic_ecdsa_verify(key->info.curve, p, n, key->public_key, 1 + 2 * key->bytes, x.digest,
                                    x.digest_len);
    }
    if (code == LIMBIC_TOOL_OK && s == LIMBIC_OK)
        puts("signature good");
    else if (code == LIMBIC_TOOL_OK)
        code = limbic_tool_fail("signature BAD: %s%s", limbic_status_string(s),
                                s == LIMBIC_ERR_DER ? " (--format raw and hex are other forms)" : "");
    limbic_tool_free(&sig);
    limbic_tool_unload(&x.key);
    return code;
}

/* What encrypt and decrypt have in common. */
struct ciphering {
    struct limbic_tool_key key;
    struct limbic_tool_bytes in, out;
    limbic_sm2_form form;
    limbic_rsa_padding padding;
    limbic_hash hash;
    const uint8_t *label;
    size_t label_len;
};

static void ciphered(struct ciphering *x) {
    limbic_tool_free(&x->in);
    limbic_tool_free(&x->out);
    limbic_tool_unload(&x->key);
}

static int ciphering(struct ciphering *x, const struct limbic_tool_options *o, int decrypt) {
    static const char *const paddings[] = {"oaep", "pkcs1"}, *const forms[] = {"der", "c1c3c2", "c1c2c3"};
    static const limbic_sm2_form form_of[] = {LIMBIC_SM2_DER, LIMBIC_SM2_C1C3C2, LIMBIC_SM2_C1C2C3};
    size_t padding = CHOICE(o->padding, paddings), form = CHOICE(o->format, forms);
    if (padding == 2)
        return limbic_tool_usage("no such padding of a ciphertext: '%s'", o->padding);
    if (form == 3)
        return limbic_tool_usage("no such form of a ciphertext: '%s'", o->format);
    memset(x, 0, sizeof *x);
    int code = limbic_tool_load(&x->key, o, decrypt);
    if (code != LIMBIC_TOOL_OK)
        return code;
    int rsa = x->key.info.type == LIMBIC_KEY_RSA;
    x->form = form_of[form];
    x->padding = padding == 1 ? LIMBIC_RSA_PKCS1 : LIMBIC_RSA_OAEP;
    x->label = (const uint8_t *)o->label;
    x->label_len = o->label != NULL ? strlen(o->label) : 0;
    if (!rsa && !is_sm2(&x->key))
        code = limbic_tool_fail("%s: %s does not encrypt; SM2 and RSA do", o->key,
                                limbic_curve_name(x->key.info.curve));
    else if (rsa ? o->format != NULL : o->padding != NULL || o->hash != NULL || o->label != NULL)
        code = limbic_tool_usage(rsa ? "a form belongs to SM2 ciphertexts"
                                     : "padding, hash and label belong to RSA");
    else if (o->padding != NULL && x->padding == LIMBIC_RSA_PKCS1 && (o->hash != NULL || o->label != NULL))
        code = limbic_tool_usage("hash and label belong to OAEP");
    else
        code = hash_of(&x->hash, o, &x->key);
    if (code == LIMBIC_TOOL_OK && !limbic_tool_read(o->input, &x->in, rsa ? x->key.bytes : SIZE_MAX / 4))
        code = LIMBIC_TOOL_FAILURE;
    if (code != LIMBIC_TOOL_OK)
        ciphered(x);
    return code;
}

int limbic_tool_encrypt(const struct limbic_tool_options *o) {
    struct ciphering x;
    limbic_status s;
    int code = ciphering(&x, o, 0);
    if (code != LIMBIC_TOOL_OK)
        return code;
    const struct limbic_tool_key *key = &x.key;
    int rsa = key->info.type == LIMBIC_KEY_RSA;
    size_t need = rsa ? key->bytes : limbic_sm2_ciphertext_bytes(x.form, x.in.n);
    if (need == 0) {
        code = x.in.n == 0 ? limbic_tool_fail("encrypt: the message is empty; SM2 encrypts one byte or more")
                           : report("encrypt", LIMBIC_ERR_MESSAGE);
    } else if (!limbic_tool_alloc(&x.out, need)) {
        code = LIMBIC_TOOL_FAILURE;
    } else {
        if (!rsa)
            s = limbic_sm2_encrypt(x.form, x.out.p, &x.out.n, key->public_key, 1 + 2 * key->bytes, x.in.p,
                                   x.in.n);
        else if (x.padding == LIMBIC_RSA_OAEP)
            s = limbic_rsa_encrypt_oaep(key->rsa.p, key->rsa.n, x.out.p, x.out.n, x.hash, x.hash, x.label,
                                        x.label_len, x.in.p, x.in.n);
        else
            s = limbic_rsa_encrypt_pkcs1(key->rsa.p, key->rsa.n, x.out.p, x.out.n, x.in.p, x.in.n);
        if (rsa && s == LIMBIC_ERR_MESSAGE)
            code =
                limbic_tool_fail("encrypt: the message has %zu bytes; this key and padding take %zu at most",
                                 x.in.n, limbic_rsa_max_message(key->rsa.p, key->rsa.n, x.padding, x.hash));
        else
            code = report("encrypt", s);
        if (code == LIMBIC_TOOL_OK)
            code = limbic_tool_write(o->out, x.out.p, x.out.n, 0);
    }
    ciphered(&x);
    return code;
}

int limbic_tool_decrypt(const struct limbic_tool_options *o) {
    struct ciphering x;
    limbic_status s;
    int code = ciphering(&x, o, 1);
    if (code != LIMBIC_TOOL_OK)
        return code;
    const struct limbic_tool_key *key = &x.key;
    if (!limbic_tool_alloc(&x.out, key->info.type == LIMBIC_KEY_RSA ? key->bytes : x.in.n)) {
        code = LIMBIC_TOOL_FAILURE;
    } else {
        size_t room = x.out.n, n = room;
        if (is_sm2(key))
            s = limbic_sm2_decrypt(x.form, x.out.p, &n, key->private_key, key->bytes, x.in.p, x.in.n);
        else if (x.padding == LIMBIC_RSA_OAEP)
            s = limbic_rsa_decrypt_oaep(key->rsa.p, key->rsa.n, x.out.p, &n, x.hash, x.hash, x.label,
                                        x.label_len, x.in.p, x.in.n);
        else
            s = limbic_rsa_decrypt_pkcs1(key->rsa.p, key->rsa.n, x.out.p, &n, x.in.p, x.in.n);
        if (s == LIMBIC_ERR_LENGTH && !is_sm2(key))
            code = limbic_tool_fail("decrypt: the ciphertext has %zu bytes, this key's have %zu", x.in.n,
                                    key->bytes);
        else if (s == LIMBIC_ERR_LENGTH)
            code = limbic_tool_fail("decrypt: %zu bytes are too few for a ciphertext of SM2", x.in.n);
        else if (s == LIMBIC_ERR_DER)
            code = limbic_tool_fail("decrypt: %s (--format c1c3c2 and c1c2c3 are other forms)",
                                    limbic_status_string(s));
        else
            code = report("decrypt", s);
        if (code == LIMBIC_TOOL_OK)
            code = limbic_tool_write(o->out, x.out.p, n, LIMBIC_TOOL_PRIVATE);
    }
    ciphered(&x);
    return code;
}
