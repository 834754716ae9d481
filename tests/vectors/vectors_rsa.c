/* Lines of keys in DER and PEM, and of RSA. */
#include "limbic/field.h"
#include "limbic/key.h"
#include "limbic/rsa.h"
#include "scheme/rsa.h"
#include "vectors.h"

/* --- keys in files --- */

/* The label of a PEM text's first block, or NULL. */
static char *label_of(struct bytes text) {
    static const char begin[] = "-----BEGIN ";
    const size_t n = sizeof begin - 1;
    char *label;
    const uint8_t *end;
    if (text.n < n || memcmp(text.p, begin, n) || !(end = memchr(text.p + n, '-', text.n - n)))
        return NULL;
    label = hold((size_t)(end - text.p) - n + 1);
    memcpy(label, text.p + n, (size_t)(end - text.p) - n);
    label[(size_t)(end - text.p) - n] = 0;
    return label;
}

/* The length of a text's second line, the first one of base64. */
static size_t lines_of(struct bytes text) {
    const uint8_t *first = memchr(text.p, '\n', text.n), *second;
    const size_t left = first ? text.n - (size_t)(first + 1 - text.p) : 0;
    second = left ? memchr(first + 1, '\n', left) : NULL;
    return second ? (size_t)(second - first) : 0;
}

static int pem_line(char **w) {
    struct bytes text, expected, der, back, none = {NULL, 0};
    struct verdict v;
    limbic_status status;
    const char *label;
    if (!bytes_word(&text, w[1]) || !verdict_word(&v, w[2]) || !bytes_word(&expected, w[3] ? w[3] : "-"))
        return 0;
    der = output(v.kind == VALID ? expected.n : text.n);
    status = limbic_pem_decode(der.p, &der.n, text.p, text.n);
    if (!fits(v, status, same(der, expected)))
        return 0;
    if (status)
        return untouched(der);
    status = limbic_pem_decode(NULL, &none.n, text.p, text.n);
    if (!must(status, LIMBIC_ERR_BUFFER, "no buffer") || none.n != der.n)
        return no("no buffer: asks for %zu bytes", none.n);
    label = label_of(text);
    if (!label)
        return 1;
    back = output(text.n + 2);
    status = limbic_pem_encode(back.p, &back.n, label, der.p, der.n);
    return must(status, LIMBIC_OK, "encode") && (back.n != text.n || lines_of(text) != lines_of(back) ||
                                                 same(back, text) || no("encoded and back is another text"));
}

static int side_word(int *is_private, const char *s) {
    *is_private = !strcmp(s, "private");
    return *is_private || !strcmp(s, "public") || no("malformed line: neither private nor public: '%s'", s);
}

/* What limbic_key_inspect says of a good key. */
static int inspected(struct bytes der, limbic_key_type type, int is_private, limbic_curve curve,
                     size_t bits) {
    limbic_key_info info;
    if (!must(limbic_key_inspect(&info, der.p, der.n), LIMBIC_OK, "inspect"))
        return 0;
    if (info.type != type || info.is_private != is_private)
        return no("inspect: another kind of key");
    return type == LIMBIC_KEY_EC ? info.curve == curve || no("inspect: another curve")
                                 : info.bits == bits || no("inspect: %zu bits", info.bits);
}

static int ec_key_line(char **w) {
    struct curve c;
    struct bytes der, expected, key, again, back, compressed;
    struct verdict v;
    limbic_status status;
    int is_private;
    if (!curve_word(&c, w[1]) || !side_word(&is_private, w[2]) || !bytes_word(&der, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&expected, w[4] && w[5] ? w[5] : "-"))
        return 0;
    key = output(is_private ? c.bytes : c.point_bytes);
    status = is_private ? limbic_ec_private_from_der(c.id, key.p, key.n, der.p, der.n)
                        : limbic_ec_public_from_der(c.id, key.p, key.n, der.p, der.n);
    if (!fits(v, status, same(key, expected)))
        return 0;
    if (status)
        return untouched(key);
    if (!inspected(der, LIMBIC_KEY_EC, is_private, c.id, 0))
        return 0;
    for (int i = 0; i < 2; i++) { /* the two private forms, or the point in its two forms */
        back = output(512);
        again = output(key.n);
        if (is_private) {
            status = limbic_ec_private_to_der(c.id, i ? LIMBIC_KEY_PKCS8 : LIMBIC_KEY_TRADITIONAL, back.p,
                                              &back.n, key.p, key.n);
        } else {
            if (convert(&c, LIMBIC_COMPRESSED, &compressed, key))
                return no("not a point");
            status = i ? limbic_ec_public_to_der(c.id, back.p, &back.n, key.p, key.n)
                       : limbic_ec_public_to_der(c.id, back.p, &back.n, compressed.p, compressed.n);
        }
        if (!must(status, LIMBIC_OK, "to DER"))
            return 0;
        if (back.n == der.n && !same(back, der))
            return no("to DER and back is other DER");
        status = is_private ? limbic_ec_private_from_der(c.id, again.p, again.n, back.p, back.n)
                            : limbic_ec_public_from_der(c.id, again.p, again.n, back.p, back.n);
        if (!must(status, LIMBIC_OK, "from DER of its own") || !same(again, key))
            return no("another key through DER");
    }
    return 1;
}

/* --- RSA keys: kept under the name that a line gives them --- */

struct key {
    char *name;
    void *p;
    size_t n;
};
static struct key *keys;
static size_t key_count;

void forget_keys(void) {
    for (size_t i = 0; i < key_count; i++) {
        free(keys[i].name);
        free(keys[i].p);
    }
    free(keys);
    keys = NULL;
    key_count = 0;
}

static struct key *find_key(const char *name) {
    for (size_t i = key_count; i-- > 0;)
        if (!strcmp(keys[i].name, name))
            return &keys[i];
    return NULL;
}

static void keep_key(const char *name, struct bytes key) {
    struct key *k = find_key(name);
    if (!strcmp(name, "-"))
        return;
    if (!k) {
        keys = alloc(keys, (key_count + 1) * sizeof *keys);
        k = &keys[key_count++];
        k->name = copy(name);
        k->p = NULL;
    }
    k->p = alloc(k->p, key.n);
    k->n = key.n;
    memcpy(k->p, key.p, key.n);
}

static int key_word(struct key *k, const char *s) {
    struct key *found = find_key(s);
    if (!found)
        return no("no key '%s'", s);
    *k = *found;
    return 1;
}

/* A number's word; "-" is not given. */
static int part_word(limbic_rsa_number *x, const char *s) {
    struct bytes b;
    if (!bytes_word(&b, s))
        return 0;
    x->bytes = b.n ? b.p : NULL;
    x->len = b.n;
    return 1;
}

static size_t bits_of(limbic_rsa_number x) {
    size_t bits;
    while (x.len && !x.bytes[0]) {
        x.bytes++;
        x.len--;
    }
    bits = 8 * x.len;
    for (unsigned top = 0x80; x.len && !(x.bytes[0] & top); top >>= 1)
        bits--;
    return bits;
}

/* A buffer for a key of this modulus; for one of a length that no key has, of the longest. */
static struct bytes key_output(limbic_rsa_number n, int is_private) {
    size_t bits = bits_of(n),
           size = is_private ? limbic_rsa_private_bytes(bits) : limbic_rsa_public_bytes(bits);
    return output(size ? size : 8 * LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS));
}

static limbic_status part_of(struct bytes *out, struct bytes key, limbic_rsa_part part) {
    *out = output(LIMBIC_RSA_MAX_BYTES);
    return limbic_rsa_export(key.p, key.n, part, out->p, &out->n);
}

/* The key has this number, without leading zeros; any, where it was not given. */
static int part_is(struct bytes key, limbic_rsa_part part, limbic_rsa_number x, const char *what) {
    struct bytes out, expected = {hold(x.len), (bits_of(x) + 7) / 8};
    if (!must(part_of(&out, key, part), LIMBIC_OK, what))
        return 0;
    if (!x.len)
        return 1;
    memcpy(expected.p, x.bytes + x.len - expected.n, expected.n);
    return same(out, expected) || no("another %s", what);
}

static int parts_are(struct bytes key, const limbic_rsa_numbers *x, int is_private, int has_primes) {
    struct bytes out;
    if (limbic_rsa_is_private(key.p, key.n) != is_private || limbic_rsa_bits(key.p, key.n) != bits_of(x->n) ||
        limbic_rsa_bytes(key.p, key.n) != (bits_of(x->n) + 7) / 8)
        return no("bits, bytes or is_private is wrong");
    if (!part_is(key, LIMBIC_RSA_N, x->n, "n") || !part_is(key, LIMBIC_RSA_E, x->e, "e"))
        return 0;
    if (!is_private)
        return must(part_of(&out, key, LIMBIC_RSA_D), LIMBIC_ERR_PRIVATE_KEY, "d of a public key");
    if (!part_is(key, LIMBIC_RSA_D, x->d, "d"))
        return 0;
    if (!has_primes)
        return must(part_of(&out, key, LIMBIC_RSA_P), LIMBIC_ERR_PRIVATE_KEY, "p of a key without");
    return part_is(key, LIMBIC_RSA_P, x->p, "p") && part_is(key, LIMBIC_RSA_Q, x->q, "q") &&
           part_is(key, LIMBIC_RSA_DP, x->dp, "dp") && part_is(key, LIMBIC_RSA_DQ, x->dq, "dq") &&
           part_is(key, LIMBIC_RSA_QINV, x->qinv, "1/q");
}

static limbic_status import(struct bytes key, const limbic_rsa_numbers *x, int is_private) {
    return is_private ? limbic_rsa_private_import(key.p, key.n, x)
                      : limbic_rsa_public_import(key.p, key.n, x);
}

/* The key through every form of DER: the same numbers. `given`, if any, is one of those forms or another length. */
static int through_der(struct bytes key, const limbic_rsa_numbers *x, int is_private, struct bytes given) {
    static const limbic_key_form private_forms[] = {LIMBIC_KEY_PKCS8, LIMBIC_KEY_TRADITIONAL},
                                 public_forms[] = {LIMBIC_KEY_SPKI, LIMBIC_KEY_TRADITIONAL};
    for (int i = 0; i < 2; i++) {
        struct bytes der = output(5 * LIMBIC_RSA_MAX_BYTES), back = output(key.n);
        limbic_status status = is_private
                                   ? limbic_rsa_private_to_der(private_forms[i], der.p, &der.n, key.p, key.n)
                                   : limbic_rsa_public_to_der(public_forms[i], der.p, &der.n, key.p, key.n);
        if (!must(status, LIMBIC_OK, "to DER"))
            return 0;
        if (der.n == given.n && !same(der, given))
            return no("to DER and back is other DER");
        status = is_private ? limbic_rsa_private_from_der(back.p, back.n, der.p, der.n)
                            : limbic_rsa_public_from_der(back.p, back.n, der.p, der.n);
        if (!must(status, LIMBIC_OK, "from DER of its own") || !parts_are(back, x, is_private, 1))
            return no("another key through DER");
        if (!inspected(der, LIMBIC_KEY_RSA, is_private, LIMBIC_P256, bits_of(x->n)))
            return 0;
    }
    return 1;
}

static int rsa_public_line(char **w) {
    static const struct bytes none = {NULL, 0};
    limbic_rsa_numbers x;
    struct bytes key;
    struct verdict v;
    limbic_status status;
    memset(&x, 0, sizeof x);
    if (!part_word(&x.n, w[2]) || !part_word(&x.e, w[3]) || !verdict_word(&v, w[4]))
        return 0;
    key = key_output(x.n, 0);
    status = import(key, &x, 0);
    if (!fits(v, status, 1))
        return 0;
    if (status)
        return untouched(key);
    keep_key(w[1], key);
    return parts_are(key, &x, 0, 0) && through_der(key, &x, 0, none);
}

static int rsa_private_line(char **w) {
    static const struct bytes none = {NULL, 0};
    limbic_rsa_numbers x, few;
    limbic_rsa_number *const parts[] = {&x.n, &x.e, &x.d, &x.p, &x.q, &x.dp, &x.dq, &x.qinv};
    struct bytes key, other;
    struct verdict v;
    limbic_status status;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!part_word(parts[i], w[2 + i]))
            return 0;
    if (!verdict_word(&v, w[10]))
        return 0;
    key = key_output(x.n, 1);
    status = import(key, &x, 1);
    if (!fits(v, status, 1))
        return 0;
    if (status)
        return untouched(key);
    keep_key(w[1], key);
    if (!parts_are(key, &x, 1, x.p.len != 0))
        return 0;
    other = output(5 * LIMBIC_RSA_MAX_BYTES);
    if (!x.p.len)
        return must(limbic_rsa_private_to_der(LIMBIC_KEY_PKCS8, other.p, &other.n, key.p, key.n),
                    LIMBIC_ERR_PRIVATE_KEY, "DER of a key without primes");
    /* the same key of its primes alone */
    few = x;
    memset(&few.d, 0, sizeof few.d);
    few.dp = few.dq = few.qinv = few.d;
    other = key_output(x.n, 1);
    if (!must(import(other, &few, 1), LIMBIC_OK, "import of n, e, p and q"))
        return 0;
    few.dp = x.dp;
    few.dq = x.dq;
    few.qinv = x.qinv;
    return parts_are(other, &few, 1, 1) && through_der(key, &x, 1, none);
}

static int rsa_der_line(char **w) {
    static const limbic_rsa_part names[] = {LIMBIC_RSA_N, LIMBIC_RSA_E,  LIMBIC_RSA_D,  LIMBIC_RSA_P,
                                            LIMBIC_RSA_Q, LIMBIC_RSA_DP, LIMBIC_RSA_DQ, LIMBIC_RSA_QINV};
    limbic_rsa_numbers x;
    limbic_rsa_number *const parts[] = {&x.n, &x.e, &x.d, &x.p, &x.q, &x.dp, &x.dq, &x.qinv};
    limbic_key_info info;
    struct bytes der, key, out;
    struct verdict v;
    limbic_status status;
    int is_private;
    size_t size = 0;
    if (!side_word(&is_private, w[2]) || !bytes_word(&der, w[3]) || !verdict_word(&v, w[4]))
        return 0;
    if (!limbic_key_inspect(&info, der.p, der.n) && info.type == LIMBIC_KEY_RSA)
        size = is_private ? limbic_rsa_private_bytes(info.bits) : limbic_rsa_public_bytes(info.bits);
    key = output(size ? size : 8 * LIMBIC_RSA_PRIVATE_WORDS(LIMBIC_RSA_MAX_BITS));
    status = is_private ? limbic_rsa_private_from_der(key.p, key.n, der.p, der.n)
                        : limbic_rsa_public_from_der(key.p, key.n, der.p, der.n);
    if (!fits(v, status, 1))
        return 0;
    if (status)
        return untouched(key);
    keep_key(w[1], key);
    memset(&x, 0, sizeof x);
    for (size_t i = 0; i < (is_private ? sizeof names / sizeof *names : 2); i++) {
        if (!must(part_of(&out, key, names[i]), LIMBIC_OK, "export"))
            return 0;
        parts[i]->bytes = out.p;
        parts[i]->len = out.n;
    }
    return inspected(der, LIMBIC_KEY_RSA, is_private, LIMBIC_P256, bits_of(x.n)) &&
           through_der(key, &x, is_private, der);
}

/* --- RSA operations --- */

static int rsa_raw_line(char **w) {
    struct key k;
    struct bytes in, expected, out, back;
    struct verdict v;
    limbic_status status;
    int is_private;
    if (!key_word(&k, w[1]) || !side_word(&is_private, w[2]) || !bytes_word(&in, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&expected, w[5] ? w[5] : "-"))
        return 0;
    out = output(limbic_rsa_bytes(k.p, k.n));
    status = is_private ? limbic_rsa_private_op(k.p, k.n, out.p, out.n, in.p, in.n)
                        : limbic_rsa_public_op(k.p, k.n, out.p, out.n, in.p, in.n);
    if (!fits(v, status, same(out, expected)))
        return 0;
    if (status)
        return untouched(out);
    if (is_private) {
        back = output(in.n);
        return must(limbic_rsa_public_op(k.p, k.n, back.p, back.n, out.p, out.n), LIMBIC_OK, "public_op") &&
               (same(back, in) || no("there and back is another number"));
    }
    return must(limbic_rsa_public_op(k.p, k.n, in.p, in.n, in.p, in.n), LIMBIC_OK, "in place") &&
           (same(in, out) || no("in place: wrong result"));
}

/* With a wrong dp in the key, nothing leaves. */
static int rsa_fault_line(char **w) {
    struct key k;
    struct bytes dp, in, out;
    struct limbic_rsa x;
    uint64_t *place;
    uint8_t *damaged;
    limbic_status status;
    if (!key_word(&k, w[1]) || !bytes_word(&dp, w[2]) || !bytes_word(&in, w[3]))
        return 0;
    damaged = hold(k.n);
    memcpy(damaged, k.p, k.n);
    if (!must(limbic_rsa_open(&x, damaged, k.n, 1), LIMBIC_OK, "open"))
        return 0;
    place = (uint64_t *)(void *)(damaged + ((const uint8_t *)(const void *)x.dp - damaged));
    limbic_words_from_be(place, x.p.limbs, dp.p, dp.n);
    out = output(limbic_rsa_bytes(damaged, k.n));
    status = limbic_rsa_private_op(damaged, k.n, out.p, out.n, in.p, in.n);
    if (!must(status, LIMBIC_ERR_FAULT, "private_op") || !untouched(out))
        return 0;
    status = limbic_rsa_sign_pkcs1(damaged, k.n, out.p, out.n, LIMBIC_SHA256, in.p, 32);
    if (!must(status, LIMBIC_ERR_FAULT, "sign_pkcs1") || !untouched(out))
        return 0;
    status =
        limbic_rsa_sign_pss(damaged, k.n, out.p, out.n, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT, 32, in.p, 32);
    if (!must(status, LIMBIC_ERR_FAULT, "sign_pss") || !untouched(out))
        return 0;
    status = limbic_rsa_decrypt_oaep(damaged, k.n, out.p, &out.n, LIMBIC_SHA256, LIMBIC_HASH_DEFAULT, NULL, 0,
                                     in.p, in.n);
    if (!must(status, LIMBIC_ERR_FAULT, "decrypt_oaep") || !untouched(out))
        return 0;
    status = limbic_rsa_decrypt_pkcs1(damaged, k.n, out.p, &out.n, in.p, in.n);
    return must(status, LIMBIC_ERR_FAULT, "decrypt_pkcs1") && untouched(out);
}

static int rsa_verify_line(char **w) {
    struct key k;
    limbic_hash hash;
    struct bytes digest, sig;
    struct verdict v;
    return key_word(&k, w[1]) && hash_word(&hash, w[2]) && bytes_word(&digest, w[3]) &&
           bytes_word(&sig, w[4]) && verdict_word(&v, w[5]) &&
           fits(v, limbic_rsa_verify_pkcs1(k.p, k.n, sig.p, sig.n, hash, digest.p, digest.n), 1);
}

static int rsa_sign_line(char **w) {
    struct key k;
    limbic_hash hash;
    struct bytes digest, expected, sig;
    struct verdict v;
    limbic_status status;
    if (!key_word(&k, w[1]) || !hash_word(&hash, w[2]) || !bytes_word(&digest, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&expected, w[5] ? w[5] : "-"))
        return 0;
    sig = output(limbic_rsa_bytes(k.p, k.n));
    status = limbic_rsa_sign_pkcs1(k.p, k.n, sig.p, sig.n, hash, digest.p, digest.n);
    if (!fits(v, status, same(sig, expected)))
        return 0;
    if (status)
        return untouched(sig);
    return must(limbic_rsa_verify_pkcs1(k.p, k.n, sig.p, sig.n, hash, digest.p, digest.n), LIMBIC_OK,
                "the signature");
}

static int salt_word(int *salt, const char *s) {
    static const char *const names[] = {"digest", "max", "any"}; /* -1, -2, -3 */
    for (int i = 0; i < 3; i++)
        if (!strcmp(s, names[i])) {
            *salt = LIMBIC_RSA_SALT_DIGEST - i;
            return 1;
        }
    *salt = (int)strtol(s, NULL, 10);
    return s[strspn(s, "0123456789")] == 0 || no("malformed line: no salt length '%s'", s);
}

/* A signature with a salt of so many bytes: what each way of asking for a length says. */
static int salts_fit(const struct key *k, struct bytes sig, limbic_hash hash, limbic_hash mgf, int salt,
                     struct bytes digest) {
    const size_t room = (limbic_rsa_bits(k->p, k->n) + 6) / 8 - digest.n - 2;
    const struct {
        int salt, right;
        const char *name;
    } ways[] = {{LIMBIC_RSA_SALT_ANY, 1, "any salt"},
                {LIMBIC_RSA_SALT_DIGEST, salt == (int)digest.n, "salt of the digest's length"},
                {LIMBIC_RSA_SALT_MAX, salt == (int)room, "salt of all the room"},
                {salt, 1, "its salt"},
                {salt + 1, 0, "salt one longer"},
                {salt ? salt - 1 : (int)digest.n, 0, "salt one shorter"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        limbic_status status =
            limbic_rsa_verify_pss(k->p, k->n, sig.p, sig.n, hash, mgf, ways[i].salt, digest.p, digest.n);
        if ((status == LIMBIC_OK) != ways[i].right)
            return no("%s: %s", ways[i].name, limbic_status_string(status));
        if (status && status != LIMBIC_ERR_SIGNATURE && status != LIMBIC_ERR_SALT)
            return no("%s: refused for another reason: %s", ways[i].name, limbic_status_string(status));
    }
    return 1;
}

static int rsa_verify_pss_line(char **w) {
    struct key k;
    limbic_hash hash, mgf;
    struct bytes digest, sig;
    struct verdict v;
    limbic_status status;
    int salt;
    if (!key_word(&k, w[1]) || !hash_word(&hash, w[2]) || !hash_word(&mgf, w[3]) || !salt_word(&salt, w[4]) ||
        !bytes_word(&digest, w[5]) || !bytes_word(&sig, w[6]) || !verdict_word(&v, w[7]))
        return 0;
    status = limbic_rsa_verify_pss(k.p, k.n, sig.p, sig.n, hash, mgf, salt, digest.p, digest.n);
    return fits(v, status, 1) && (status || salt < 0 || salts_fit(&k, sig, hash, mgf, salt, digest));
}

static int rsa_sign_pss_line(char **w) {
    struct key k;
    limbic_hash hash, mgf;
    struct bytes salt, digest, expected, sig, other;
    struct verdict v;
    limbic_status status;
    if (!key_word(&k, w[1]) || !hash_word(&hash, w[2]) || !hash_word(&mgf, w[3]) ||
        !bytes_word(&salt, w[4]) || !bytes_word(&digest, w[5]) || !verdict_word(&v, w[6]) ||
        !bytes_word(&expected, w[7] ? w[7] : "-"))
        return 0;
    sig = output(limbic_rsa_bytes(k.p, k.n));
    status =
        limbic_rsa_sign_pss_with_salt(k.p, k.n, sig.p, sig.n, hash, mgf, salt.p, salt.n, digest.p, digest.n);
    if (!fits(v, status, same(sig, expected)))
        return 0;
    other = output(sig.n);
    if (status)
        return untouched(sig) &&
               must(limbic_rsa_sign_pss(k.p, k.n, other.p, other.n, hash, mgf, (int)salt.n, digest.p,
                                        digest.n),
                    status, "sign_pss") &&
               untouched(other);
    if (!salts_fit(&k, sig, hash, mgf, (int)salt.n, digest))
        return 0;
    status = limbic_rsa_sign_pss(k.p, k.n, other.p, other.n, hash, mgf, (int)salt.n, digest.p, digest.n);
    if (!must(status, LIMBIC_OK, "sign_pss"))
        return 0;
    if (salt.n ? salt.n >= 8 && same(other, sig) : !same(other, sig))
        return no(salt.n ? "a salt that is not random" : "another signature without salt");
    return salts_fit(&k, other, hash, mgf, (int)salt.n, digest);
}

static int rsa_encrypt_oaep_line(char **w) {
    struct key k;
    limbic_hash hash, mgf;
    struct bytes label, msg, seed, expected, out;
    struct verdict v;
    limbic_status status;
    if (!key_word(&k, w[1]) || !hash_word(&hash, w[2]) || !hash_word(&mgf, w[3]) ||
        !bytes_word(&label, w[4]) || !bytes_word(&msg, w[5]) || !bytes_word(&seed, w[6]) ||
        !verdict_word(&v, w[7]) || !bytes_word(&expected, w[8] ? w[8] : "-"))
        return 0;
    out = output(limbic_rsa_bytes(k.p, k.n));
    status = limbic_rsa_encrypt_oaep_with_seed(k.p, k.n, out.p, out.n, hash, mgf, label.p, label.n, msg.p,
                                               msg.n, seed.p);
    if (!fits(v, status, same(out, expected)))
        return 0;
    if (status)
        return untouched(out) &&
               must(
                   limbic_rsa_encrypt_oaep(k.p, k.n, out.p, out.n, hash, mgf, label.p, label.n, msg.p, msg.n),
                   status, "encrypt_oaep") &&
               untouched(out);
    return msg.n <= limbic_rsa_max_message(k.p, k.n, LIMBIC_RSA_OAEP, hash) || no("max_message is too small");
}

static limbic_status decrypt(const struct key *k, struct bytes *out, int oaep, limbic_hash hash,
                             limbic_hash mgf, struct bytes label, struct bytes ct) {
    return oaep
               ? limbic_rsa_decrypt_oaep(k->p, k->n, out->p, &out->n, hash, mgf, label.p, label.n, ct.p, ct.n)
               : limbic_rsa_decrypt_pkcs1(k->p, k->n, out->p, &out->n, ct.p, ct.n);
}

/* Decrypts to the message; then what encryption makes of that, with random bytes of its own, does too. */
static int decrypts(const char *key_name, int oaep, limbic_hash hash, limbic_hash mgf, struct bytes label,
                    struct bytes ct, struct verdict v, struct bytes msg) {
    struct key k;
    struct bytes out, other;
    limbic_status status;
    size_t most;
    if (!key_word(&k, key_name))
        return 0;
    most = limbic_rsa_max_message(k.p, k.n, oaep ? LIMBIC_RSA_OAEP : LIMBIC_RSA_PKCS1, hash);
    out = output(most);
    status = decrypt(&k, &out, oaep, hash, mgf, label, ct);
    if (!fits(v, status, same(out, msg)))
        return 0;
    if (status)
        return (out.n == most || no("a length was written by a call that refused")) && untouched(out);
    out = output(most - 1);
    status = decrypt(&k, &out, oaep, hash, mgf, label, ct);
    if (!must(status, LIMBIC_ERR_BUFFER, "buffer a byte short") || out.n != most)
        return no("the length asked for is %zu, not %zu", out.n, most);
    out.n = most - 1;
    if (!untouched(out) || v.kind != VALID)
        return v.kind != VALID;
    other = output(ct.n);
    status =
        oaep ? limbic_rsa_encrypt_oaep(k.p, k.n, other.p, other.n, hash, mgf, label.p, label.n, msg.p, msg.n)
             : limbic_rsa_encrypt_pkcs1(k.p, k.n, other.p, other.n, msg.p, msg.n);
    if (!must(status, LIMBIC_OK, "encrypt") || same(other, ct))
        return no("padding that is not random");
    out = output(most);
    return must(decrypt(&k, &out, oaep, hash, mgf, label, other), LIMBIC_OK, "decrypt of its own") &&
           (same(out, msg) || no("there and back is another message"));
}

static int rsa_decrypt_oaep_line(char **w) {
    limbic_hash hash, mgf;
    struct bytes label, ct, msg;
    struct verdict v;
    return hash_word(&hash, w[2]) && hash_word(&mgf, w[3]) && bytes_word(&label, w[4]) &&
           bytes_word(&ct, w[5]) && verdict_word(&v, w[6]) && bytes_word(&msg, w[7] ? w[7] : "-") &&
           decrypts(w[1], 1, hash, mgf, label, ct, v, msg);
}

static int rsa_decrypt_pkcs1_line(char **w) {
    static const struct bytes none = {NULL, 0};
    struct bytes ct, msg;
    struct verdict v;
    return bytes_word(&ct, w[2]) && verdict_word(&v, w[3]) && bytes_word(&msg, w[4] ? w[4] : "-") &&
           decrypts(w[1], 0, LIMBIC_HASH_DEFAULT, LIMBIC_HASH_DEFAULT, none, ct, v, msg);
}

static int rsa_encrypt_pkcs1_line(char **w) {
    struct key k;
    struct bytes msg, out;
    struct verdict v;
    limbic_status status;
    if (!key_word(&k, w[1]) || !bytes_word(&msg, w[2]) || !verdict_word(&v, w[3]))
        return 0;
    out = output(limbic_rsa_bytes(k.p, k.n));
    status = limbic_rsa_encrypt_pkcs1(k.p, k.n, out.p, out.n, msg.p, msg.n);
    return fits(v, status, 1) && (!status || untouched(out));
}

const struct item key_items[] = {
    {"pem", 3, 4, pem_line, 1},
    {"ec_key", 5, 6, ec_key_line, 0},
    {NULL, 0, 0, NULL, 0},
};

const struct item rsa_items[] = {
    {"rsa_public", 5, 5, rsa_public_line, 1},
    {"rsa_private", 11, 11, rsa_private_line, 1},
    {"rsa_der", 5, 5, rsa_der_line, 1},
    {"rsa_raw", 5, 6, rsa_raw_line, 1},
    {"rsa_fault", 4, 4, rsa_fault_line, 1},
    {"rsa_verify", 6, 6, rsa_verify_line, 1},
    {"rsa_sign", 5, 6, rsa_sign_line, 1},
    {"rsa_verify_pss", 8, 8, rsa_verify_pss_line, 1},
    {"rsa_sign_pss", 7, 8, rsa_sign_pss_line, 1},
    {"rsa_encrypt_oaep", 8, 9, rsa_encrypt_oaep_line, 1},
    {"rsa_decrypt_oaep", 7, 8, rsa_decrypt_oaep_line, 1},
    {"rsa_encrypt_pkcs1", 4, 4, rsa_encrypt_pkcs1_line, 1},
    {"rsa_decrypt_pkcs1", 4, 5, rsa_decrypt_pkcs1_line, 1},
    {NULL, 0, 0, NULL, 0},
};
