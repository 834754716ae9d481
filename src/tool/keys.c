/* Keys of the command: reading them from files, limbic keygen, limbic pubkey. */
#define _GNU_SOURCE /* explicit_bzero */

#include "tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_KEY_FILE ((size_t)1 << 20)

/* What --alg says: type, and curve or bits. 0 if there is no such algorithm. */
static int algorithm(limbic_key_info *info, const char *text) {
    *info = (limbic_key_info){.type = LIMBIC_KEY_EC};
    if (strncasecmp(text, "rsa", 3) == 0) {
        char *end;
        info->type = LIMBIC_KEY_RSA;
        info->bits = isdigit((unsigned char)text[3]) ? strtoul(text + 3, &end, 10) : 0;
        return text[3] == '\0' || (info->bits != 0 && *end == '\0');
    }
    info->curve = (limbic_curve)limbic_tool_curve(text);
    return info->curve != 0;
}

static const char *type_name(const limbic_key_info *info) {
    return info->type == LIMBIC_KEY_RSA ? "RSA" : limbic_curve_name(info->curve);
}

static int status_of(const char *name, limbic_status s) {
    return s == LIMBIC_OK ? LIMBIC_TOOL_OK : limbic_tool_fail("%s: %s", name, limbic_status_string(s));
}

/* The public key of a private EC key that is there. */
static limbic_status complete(struct limbic_tool_key *key) {
    return limbic_ec_public_key(key->info.curve, key->public_key, 1 + 2 * key->bytes, key->private_key,
                                key->bytes);
}

static limbic_status from_der(struct limbic_tool_key *key, const struct limbic_tool_bytes *der) {
    limbic_status s = limbic_key_inspect(&key->info, der->p, der->n);
    if (s != LIMBIC_OK)
        return s;
    if (key->info.type == LIMBIC_KEY_EC) {
        key->bytes = limbic_curve_bytes(key->info.curve);
        if (!key->info.is_private)
            return limbic_ec_public_from_der(key->info.curve, key->public_key, 1 + 2 * key->bytes, der->p,
                                             der->n);
        s = limbic_ec_private_from_der(key->info.curve, key->private_key, key->bytes, der->p, der->n);
        return s == LIMBIC_OK ? complete(key) : s;
    }
    size_t need = key->info.is_private ? limbic_rsa_private_bytes(key->info.bits)
                                       : limbic_rsa_public_bytes(key->info.bits);
    if (need == 0)
        return LIMBIC_ERR_KEY_SIZE;
    if (!limbic_tool_alloc(&key->rsa, need))
        return LIMBIC_ERR_BUFFER;
    s = key->info.is_private ? limbic_rsa_private_from_der(key->rsa.p, need, der->p, der->n)
                             : limbic_rsa_public_from_der(key->rsa.p, need, der->p, der->n);
    key->bytes = limbic_rsa_bytes(key->rsa.p, need);
    return s;
}

/* A scalar or a point in hex; which of them, its length tells. */
static limbic_status from_hex(struct limbic_tool_key *key, const struct limbic_tool_bytes *raw,
                              limbic_curve curve) {
    size_t n = limbic_curve_bytes(curve), full = 1 + 2 * n;
    key->info = (limbic_key_info){.type = LIMBIC_KEY_EC, .is_private = raw->n == n, .curve = curve};
    key->bytes = n;
    if (!key->info.is_private)
        return limbic_ec_convert(curve, LIMBIC_UNCOMPRESSED, key->public_key, &full, raw->p, raw->n);
    memcpy(key->private_key, raw->p, n);
    return complete(key);
}

void limbic_tool_unload(struct limbic_tool_key *key) {
    limbic_tool_free(&key->rsa);
    explicit_bzero(key, sizeof *key);
}

int limbic_tool_load(struct limbic_tool_key *key, const struct limbic_tool_options *o, int is_private) {
    struct limbic_tool_bytes file, der = {NULL, 0};
    limbic_key_info asked = {.bits = 0};
    limbic_status s;
    int known = o->alg != NULL;

    memset(key, 0, sizeof *key);
    if (o->key == NULL)
        return limbic_tool_usage("no key: --key FILE");
    if (known && !algorithm(&asked, o->alg))
        return limbic_tool_usage("unknown algorithm '%s'", o->alg);
    if (!limbic_tool_read(o->key, &file, MAX_KEY_FILE))
        return LIMBIC_TOOL_FAILURE;
    if (memmem(file.p, file.n, "-----BEGIN", 10) != NULL) {
        if (!limbic_tool_alloc(&der, file.n)) {
            limbic_tool_free(&file);
            return LIMBIC_TOOL_FAILURE;
        }
        s = limbic_pem_decode(der.p, &der.n, file.p, file.n);
        if (s == LIMBIC_OK)
            s = from_der(key, &der);
    } else {
        /* hex that begins like DER is none: its length does not fit */
        const int sequence = file.n > 1 && file.p[0] == 0x30 && !isxdigit(file.p[1]);
        s = from_der(key, &file);
        if (s == LIMBIC_ERR_DER && limbic_tool_unhex(&file)) {
            if (!known || asked.type != LIMBIC_KEY_EC) {
                limbic_tool_free(&file);
                limbic_tool_unload(key);
                return limbic_tool_usage("a key in hex needs --alg with a curve");
            }
            s = from_hex(key, &file, asked.curve);
        }
        if (s == LIMBIC_ERR_DER && !sequence)
            s = LIMBIC_ERR_PEM;
    }
    limbic_tool_free(&file);
    limbic_tool_free(&der);

    int code = status_of(o->key, s);
    if (code == LIMBIC_TOOL_OK && known &&
        (asked.type != key->info.type || asked.curve != key->info.curve ||
         (asked.bits && asked.bits != key->info.bits)))
        code = key->info.bits && asked.type == LIMBIC_KEY_RSA
                   ? limbic_tool_fail("%s: a key of rsa%zu, not of %s", o->key, key->info.bits, o->alg)
                   : limbic_tool_fail("%s: a key of %s, not of %s", o->key, type_name(&key->info), o->alg);
    if (code == LIMBIC_TOOL_OK && is_private && !key->info.is_private)
        code = limbic_tool_fail("%s: a private key is needed, this one is public", o->key);
    if (code != LIMBIC_TOOL_OK)
        limbic_tool_unload(key);
    return code;
}

/* A call that fills a buffer of unknown size: asked first, then made. */
struct der_of {
    const struct limbic_tool_key *key;
    limbic_key_form form;
    const uint8_t *point;
    size_t point_len;
};

static limbic_status to_der(const struct der_of *x, uint8_t *der, size_t *der_len) {
    const struct limbic_tool_key *key = x->key;
    if (key->info.type == LIMBIC_KEY_RSA)
        return x->form == LIMBIC_KEY_SPKI
                   ? limbic_rsa_public_to_der(x->form, der, der_len, key->rsa.p, key->rsa.n)
                   : limbic_rsa_private_to_der(x->form, der, der_len, key->rsa.p, key->rsa.n);
    return x->form == LIMBIC_KEY_SPKI
               ? limbic_ec_public_to_der(key->info.curve, der, der_len, x->point, x->point_len)
               : limbic_ec_private_to_der(key->info.curve, x->form, der, der_len, key->private_key,
                                          key->bytes);
}

/* Writes a key as PEM or DER. */
static int write_key(const struct limbic_tool_options *o, const struct der_of *x, int pem) {
    const char *label = x->form == LIMBIC_KEY_SPKI            ? "PUBLIC KEY"
                        : x->form == LIMBIC_KEY_PKCS8         ? "PRIVATE KEY"
                        : x->key->info.type == LIMBIC_KEY_RSA ? "RSA PRIVATE KEY"
                                                              : "EC PRIVATE KEY";
    struct limbic_tool_bytes der, text = {NULL, 0};
    size_t n = 0;
    int how = x->form == LIMBIC_KEY_SPKI ? LIMBIC_TOOL_PUBLIC : LIMBIC_TOOL_NEW, code = LIMBIC_TOOL_FAILURE;
    limbic_status s = to_der(x, NULL, &n);
    if (s != LIMBIC_ERR_BUFFER)
        return status_of("key", s);
    if (!limbic_tool_alloc(&der, n))
        return code;
    s = to_der(x, der.p, &der.n);
    if (s == LIMBIC_OK && !pem) {
        code = limbic_tool_write(o->out, der.p, der.n, how);
    } else if (s == LIMBIC_OK) {
        n = 0;
        s = limbic_pem_encode(NULL, &n, label, der.p, der.n);
        if (s == LIMBIC_ERR_BUFFER && limbic_tool_alloc(&text, n)) {
            s = limbic_pem_encode(text.p, &text.n, label, der.p, der.n);
            if (s == LIMBIC_OK)
                code = limbic_tool_write(o->out, text.p, text.n, how);
        }
    }
    if (s != LIMBIC_OK && s != LIMBIC_ERR_BUFFER)
        code = status_of("key", s);
    limbic_tool_free(&der);
    limbic_tool_free(&text);
    return code;
}

enum { PEM, DER, HEX, NO_FORMAT };
static int key_format(const struct limbic_tool_options *o) {
    static const char *const names[] = {"pem", "der", "hex"};
    int i = 0;
    if (o->format != NULL)
        for (i = 0; i < NO_FORMAT && strcmp(o->format, names[i]) != 0; i++)
            continue;
    return i;
}

int limbic_tool_keygen(const struct limbic_tool_options *o) {
    struct limbic_tool_key key = {.bytes = 0};
    int format = key_format(o), code;
    limbic_status s;
    if (o->alg == NULL)
        return limbic_tool_usage("no algorithm: --alg sm2, p256, p384, p521 or rsa2048");
    if (!algorithm(&key.info, o->alg))
        return limbic_tool_usage("unknown algorithm '%s'", o->alg);
    if (format == NO_FORMAT)
        return limbic_tool_usage("no such form of a key: '%s'", o->format);
    if (format == HEX && o->traditional)
        return limbic_tool_usage("--traditional belongs to PEM and DER");
    key.info.is_private = 1;
    if (key.info.type == LIMBIC_KEY_RSA) {
        if (key.info.bits == 0)
            key.info.bits = 2048;
        if (format == HEX)
            return limbic_tool_usage("an RSA key has no form hex");
        if (key.info.bits < 2048 || key.info.bits > LIMBIC_RSA_MAX_BITS || key.info.bits % 2 != 0)
            return limbic_tool_usage("an RSA key has 2048 to %d bits, an even number", LIMBIC_RSA_MAX_BITS);
        if (!limbic_tool_alloc(&key.rsa, limbic_rsa_private_bytes(key.info.bits)))
            return LIMBIC_TOOL_FAILURE;
        s = limbic_rsa_keygen(key.rsa.p, key.rsa.n, key.info.bits, NULL, 0);
    } else {
        key.bytes = limbic_curve_bytes(key.info.curve);
        s = limbic_ec_keygen(key.info.curve, key.private_key, key.bytes, key.public_key, 1 + 2 * key.bytes);
    }
    code = status_of("key generation", s);
    if (code == LIMBIC_TOOL_OK && format == HEX)
        code = limbic_tool_write_hex(o->out, key.private_key, key.bytes, LIMBIC_TOOL_NEW);
    else if (code == LIMBIC_TOOL_OK)
        code = write_key(
            o, &(struct der_of){&key, o->traditional ? LIMBIC_KEY_TRADITIONAL : LIMBIC_KEY_PKCS8, NULL, 0},
            format == PEM);
    limbic_tool_unload(&key);
    return code;
}

int limbic_tool_pubkey(const struct limbic_tool_options *o) {
    struct limbic_tool_key key;
    uint8_t point[LIMBIC_MAX_POINT_BYTES];
    size_t n = sizeof point;
    int format = key_format(o), code;
    if (format == NO_FORMAT)
        return limbic_tool_usage("no such form of a key: '%s'", o->format);
    code = limbic_tool_load(&key, o, 0);
    if (code != LIMBIC_TOOL_OK)
        return code;
    if (key.info.type == LIMBIC_KEY_RSA && (format == HEX || o->compressed)) {
        code = limbic_tool_usage(o->compressed ? "an RSA key has no point" : "an RSA key has no form hex");
    } else {
        if (key.info.type == LIMBIC_KEY_EC)
            code =
                status_of(o->key, limbic_ec_convert(key.info.curve,
                                                    o->compressed ? LIMBIC_COMPRESSED : LIMBIC_UNCOMPRESSED,
                                                    point, &n, key.public_key, 1 + 2 * key.bytes));
        if (code == LIMBIC_TOOL_OK && format == HEX)
            code = limbic_tool_write_hex(o->out, point, n, 0);
        else if (code == LIMBIC_TOOL_OK)
            code = write_key(o, &(struct der_of){&key, LIMBIC_KEY_SPKI, point, n}, format == PEM);
    }
    limbic_tool_unload(&key);
    return code;
}
