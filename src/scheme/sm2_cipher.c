/* SM2 encryption: GB/T 32918.4; its ASN.1 form: GM/T 0009. */
#include "base/random.h"
#include "hash/hash.h"
#include "scheme/der.h"
#include "scheme/sm2.h"

enum {
    W = LIMBIC_SM2_WORDS,
    BYTES = LIMBIC_SM2_BYTES,
    HASH_BYTES = 32,
    C1_BYTES = 1 + 2 * BYTES,
    /* Message and key stream meet in pieces that stay in the first-level cache. A whole number of the stream's blocks. */
    PIECE = 4096,
};

#define CURVE limbic_curve_desc(LIMBIC_SM2)

/* ---- the text ---- */

/* What the point (x2, y2) gives. */
struct shared {
    struct limbic_sm3_kdf kdf;
    limbic_hash_ctx hash; /* of x2 and the text so far; then comes y2 */
    uint8_t y2[BYTES];
};

static void share(struct shared *s, const uint64_t *xy) {
    uint8_t point[C1_BYTES];
    limbic_point_encode(CURVE, point, xy);
    limbic_sm3_kdf_init(&s->kdf, point + 1, 1);
    limbic_hash_start(&s->hash, LIMBIC_SM3);
    limbic_hash_update(&s->hash, point + 1, BYTES);
    memcpy(s->y2, point + 1 + BYTES, BYTES);
    limbic_wipe(point, sizeof point);
}

static void finish_hash(struct shared *s, uint8_t *c3) {
    limbic_hash_update(&s->hash, s->y2, BYTES);
    limbic_hash_final(&s->hash, c3);
}

/* out = in ^ key stream from its byte `at` on, for the n bytes of a piece; returns the or of these bytes of the stream. */
static uint8_t mask(const struct limbic_sm3_kdf *kdf, uint8_t *out, const uint8_t *in, uint64_t at,
                    size_t n) {
    uint8_t key[PIECE], rest = 0;
    size_t blocks = (n + HASH_BYTES - 1) / HASH_BYTES, i = 0;
    uint64_t any = 0, k, text;
    limbic_sm3_kdf_blocks(kdf, key, (uint32_t)(at / HASH_BYTES), blocks);
    for (; i + 8 <= n; i += 8) { /* compilers make no words of bytes where out may be in */
        memcpy(&k, key + i, 8);
        memcpy(&text, in + i, 8);
        any |= k;
        text ^= k;
        memcpy(out + i, &text, 8);
    }
    for (; i < n; i++) {
        rest |= key[i];
        out[i] = in[i] ^ key[i];
    }
    limbic_wipe(key, HASH_BYTES * blocks);
    any |= rest;
    any |= any >> 32;
    any |= any >> 16;
    return (uint8_t)(any | any >> 8);
}

static size_t piece(size_t n) {
    return n < PIECE ? n : PIECE;
}

/* Whether the first n bytes of the key stream are all zero. */
static int stream_is_zero(const struct limbic_sm3_kdf *kdf, size_t n) {
    uint8_t key[HASH_BYTES], any = 0;
    for (uint32_t i = 0; n && !any; i++) {
        size_t take = n < HASH_BYTES ? n : HASH_BYTES;
        limbic_sm3_kdf_blocks(kdf, key, i, 1);
        for (size_t j = 0; j < take; j++)
            any |= key[j];
        n -= take;
        any = (uint8_t)(any != 0);
        LIMBIC_DECLASSIFY(&any, sizeof any);
    }
    limbic_wipe(key, sizeof key);
    return !any;
}

/* A text has a byte or more, and no more than the stream: its blocks are counted from 1 to 2^32 - 2. On 32-bit targets,
 * room is left for the rest of a ciphertext. */
static int length_fits(size_t n) {
    return n != 0 && n <= SIZE_MAX - 256 && (n - 1) / HASH_BYTES <= UINT32_MAX - 2;
}

/* ---- forms ---- */

/* Where the text of n bytes begins in a ciphertext, and the bytes of the whole; writes all else unless out is NULL. */
static size_t frame(limbic_sm2_form form, uint8_t *out, size_t *text, const uint8_t *c1, const uint8_t *c3,
                    size_t n) {
    if (form != LIMBIC_SM2_DER) {
        size_t hash = form == LIMBIC_SM2_C1C3C2 ? C1_BYTES : C1_BYTES + n;
        *text = form == LIMBIC_SM2_C1C3C2 ? C1_BYTES + HASH_BYTES : C1_BYTES;
        if (out) {
            memcpy(out, c1, C1_BYTES);
            memcpy(out + hash, c3, HASH_BYTES);
        }
        return n + LIMBIC_SM2_OVERHEAD_BYTES;
    }
    const uint8_t *x = c1 + 1, *y = x + BYTES;
    size_t before = limbic_der_put_unsigned(NULL, x, BYTES) + limbic_der_put_unsigned(NULL, y, BYTES) +
                    limbic_der_put_header(NULL, LIMBIC_DER_OCTET_STRING, HASH_BYTES) + HASH_BYTES +
                    limbic_der_put_header(NULL, LIMBIC_DER_OCTET_STRING, n);
    *text = limbic_der_put_header(NULL, LIMBIC_DER_SEQUENCE, before + n) + before;
    if (out) {
        out += limbic_der_put_header(out, LIMBIC_DER_SEQUENCE, before + n);
        out += limbic_der_put_unsigned(out, x, BYTES);
        out += limbic_der_put_unsigned(out, y, BYTES);
        out += limbic_der_put_header(out, LIMBIC_DER_OCTET_STRING, HASH_BYTES);
        memcpy(out, c3, HASH_BYTES);
        (void)limbic_der_put_header(out + HASH_BYTES, LIMBIC_DER_OCTET_STRING, n);
    }
    return *text + n;
}

static int known(limbic_sm2_form form) {
    return form == LIMBIC_SM2_C1C3C2 || form == LIMBIC_SM2_C1C2C3 || form == LIMBIC_SM2_DER;
}

size_t limbic_sm2_ciphertext_bytes(limbic_sm2_form form, size_t msg_len) {
    uint8_t longest[C1_BYTES];
    size_t text;
    if (!known(form) || !length_fits(msg_len))
        return 0;
    memset(longest, 0xff, sizeof longest);
    return frame(form, NULL, &text, longest, NULL, msg_len);
}

static limbic_status parse_raw(struct limbic_sm2_ciphertext *x, limbic_sm2_form form, const uint8_t *in,
                               size_t in_len) {
    if (in_len < LIMBIC_SM2_OVERHEAD_BYTES)
        return LIMBIC_ERR_LENGTH;
    if (in[0] != 4) /* no other form of C1 */
        return LIMBIC_ERR_POINT_FORM;
    x->n = in_len - LIMBIC_SM2_OVERHEAD_BYTES;
    size_t hash = form == LIMBIC_SM2_C1C3C2 ? C1_BYTES : C1_BYTES + x->n;
    x->text = in + (form == LIMBIC_SM2_C1C3C2 ? C1_BYTES + HASH_BYTES : C1_BYTES);
    memcpy(x->c1, in, C1_BYTES);
    memcpy(x->c3, in + hash, HASH_BYTES);
    return LIMBIC_OK;
}

static limbic_status parse_der(struct limbic_sm2_ciphertext *x, const uint8_t *in, size_t in_len) {
    struct limbic_der all = {in, in_len}, parts, number[2], hash, text;
    if (!limbic_der_get(&all, LIMBIC_DER_SEQUENCE, &parts) || all.n ||
        !limbic_der_get_unsigned(&parts, &number[0]) || !limbic_der_get_unsigned(&parts, &number[1]) ||
        !limbic_der_get(&parts, LIMBIC_DER_OCTET_STRING, &hash) || hash.n != HASH_BYTES ||
        !limbic_der_get(&parts, LIMBIC_DER_OCTET_STRING, &text) || parts.n)
        return LIMBIC_ERR_DER;
    memset(x->c1, 0, sizeof x->c1);
    x->c1[0] = 4;
    for (size_t i = 0; i < 2; i++) {
        if (number[i].n > BYTES)
            return LIMBIC_ERR_COORDINATE;
        if (number[i].n)
            memcpy(x->c1 + 1 + (i + 1) * BYTES - number[i].n, number[i].p, number[i].n);
    }
    memcpy(x->c3, hash.p, HASH_BYTES);
    x->text = text.p;
    x->n = text.n;
    return LIMBIC_OK;
}

static limbic_status parse(struct limbic_sm2_ciphertext *x, limbic_sm2_form form, const uint8_t *in,
                           size_t in_len) {
    limbic_status status;
    if (!known(form))
        return LIMBIC_ERR_FORM;
    status = form == LIMBIC_SM2_DER ? parse_der(x, in, in_len) : parse_raw(x, form, in, in_len);
    if (!status && !length_fits(x->n))
        status = LIMBIC_ERR_LENGTH;
    return status ? status : limbic_point_decode(CURVE, x->xy, x->c1, C1_BYTES);
}

/* ---- the public functions ---- */

limbic_status limbic_sm2_encrypt_nonce(uint64_t *k) {
    uint8_t bytes[BYTES];
    limbic_status status = LIMBIC_OK;
    int tries = 0;
    do {
        status = tries++ < LIMBIC_RANDOM_TRIES ? limbic_random(bytes, BYTES) : LIMBIC_ERR_RANDOM;
        if (status)
            return status;
        LIMBIC_SECRET(bytes, BYTES);
    } while (!limbic_sm2_nonce_decode(k, bytes));
    limbic_wipe(bytes, sizeof bytes);
    return LIMBIC_OK;
}

limbic_status limbic_sm2_encrypt_start(limbic_sm2_form form, limbic_sm2_encrypt_item *item, uint64_t *q) {
    const size_t need = limbic_sm2_ciphertext_bytes(form, item->msg_len);
    limbic_status status;

    if (!item->public_key || (!item->out && item->out_len) || (!item->msg && item->msg_len))
        return LIMBIC_ERR_NULL;
    if (!known(form))
        return LIMBIC_ERR_FORM;
    if (!need)
        return LIMBIC_ERR_MESSAGE;
    status = limbic_point_decode(CURVE, q, item->public_key, item->public_len);
    if (!status && item->out_len < need) {
        item->out_len = need;
        status = LIMBIC_ERR_BUFFER;
    }
    return status;
}

int limbic_sm2_encrypt_finish(limbic_sm2_form form, limbic_sm2_encrypt_item *item, const uint64_t *kg,
                              const uint64_t *kq) {
    uint8_t c1[C1_BYTES], c3[HASH_BYTES], *text;
    struct shared s;
    size_t at;

    limbic_point_encode(CURVE, c1, kg);
    LIMBIC_DECLASSIFY(c1, sizeof c1);
    share(&s, kq);
    int good = !stream_is_zero(&s.kdf, item->msg_len);
    if (good) {
        item->out_len = frame(form, NULL, &at, c1, NULL, item->msg_len);
        text = item->out + at;
        memmove(text, item->msg, item->msg_len); /* then in its place, however the two overlap */
        for (size_t done = 0, n; done < item->msg_len; done += n) {
            n = piece(item->msg_len - done);
            limbic_hash_update(&s.hash, text + done, n);
            (void)mask(&s.kdf, text + done, text + done, done, n);
        }
        finish_hash(&s, c3);
        (void)frame(form, item->out, &at, c1, c3, item->msg_len);
    }
    limbic_wipe(&s, sizeof s);
    return good;
}

limbic_status limbic_sm2_encrypt_with(limbic_sm2_form form, limbic_sm2_encrypt_item *item, const uint64_t *q,
                                      const uint8_t *nonces, size_t nonces_len) {
    uint64_t k[W], kg[2 * W], kq[2 * W];
    limbic_status status = LIMBIC_OK;
    int done = 0;

    while (!status && !done) {
        if (!nonces) {
            status = limbic_sm2_encrypt_nonce(k);
        } else if (nonces_len >= BYTES) {
            const int serves = limbic_sm2_nonce_decode(k, nonces);
            nonces += BYTES;
            nonces_len -= BYTES;
            if (!serves)
                continue;
        } else {
            status = LIMBIC_ERR_RANDOM;
        }
        if (!status) {
            (void)limbic_base_mul(CURVE, kg, k);
            (void)limbic_point_mul(CURVE, kq, k, q); /* finite: the order is prime and 0 < k < n */
            done = limbic_sm2_encrypt_finish(form, item, kg, kq);
        }
    }
    limbic_wipe(k, sizeof k);
    limbic_wipe(kq, sizeof kq);
    return status;
}

static limbic_status encrypt(limbic_sm2_form form, uint8_t *out, size_t *out_len, const uint8_t *public_key,
                             size_t public_len, const void *msg, size_t msg_len, const uint8_t *nonces,
                             size_t nonces_len) {
    uint64_t q[2 * W];
    limbic_sm2_encrypt_item item = {.out = out,
                                    .public_key = public_key,
                                    .msg = msg,
                                    .out_len = out_len ? *out_len : 0,
                                    .public_len = public_len,
                                    .msg_len = msg_len};
    limbic_status status = out_len ? limbic_sm2_encrypt_start(form, &item, q) : LIMBIC_ERR_NULL;
    if (!status)
        status = limbic_sm2_encrypt_with(form, &item, q, nonces, nonces_len);
    if (status == LIMBIC_OK || status == LIMBIC_ERR_BUFFER)
        *out_len = item.out_len;
    limbic_wipe_stack();
    return status;
}

limbic_status limbic_sm2_encrypt(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                 const uint8_t *public_key, size_t public_len, const void *msg,
                                 size_t msg_len) {
    return encrypt(form, out, out_len, public_key, public_len, msg, msg_len, NULL, 0);
}

limbic_status limbic_sm2_encrypt_with_nonces(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                             const uint8_t *public_key, size_t public_len, const void *msg,
                                             size_t msg_len, const uint8_t *nonces, size_t nonces_len) {
    return nonces ? encrypt(form, out, out_len, public_key, public_len, msg, msg_len, nonces, nonces_len)
                  : LIMBIC_ERR_NULL;
}

/* The text to out, if the hash is right and the key stream not all zero: 1, or 0 and nothing written. A text of one
 * piece is kept; of a longer one, the pieces are made again. */
static int decrypt(const struct limbic_sm2_ciphertext *x, struct shared *s, uint8_t *out) {
    uint8_t text[PIECE], c3[HASH_BYTES], any = 0, differ = 0;
    for (size_t done = 0, n; done < x->n; done += n) {
        n = piece(x->n - done);
        any |= mask(&s->kdf, text, x->text + done, done, n);
        limbic_hash_update(&s->hash, text, n);
    }
    finish_hash(s, c3);
    for (size_t i = 0; i < HASH_BYTES; i++)
        differ |= c3[i] ^ x->c3[i];
    uint64_t ok = ~limbic_mask_zero(any) & limbic_mask_zero(differ);
    LIMBIC_DECLASSIFY(&ok, sizeof ok);
    if (ok && x->n <= PIECE) {
        memcpy(out, text, x->n);
    } else if (ok) {
        memmove(out, x->text, x->n);
        for (size_t done = 0, n; done < x->n; done += n) {
            n = piece(x->n - done);
            (void)mask(&s->kdf, out + done, out + done, done, n);
        }
    }
    limbic_wipe(text, piece(x->n));
    limbic_wipe(c3, sizeof c3);
    return ok != 0;
}

limbic_status limbic_sm2_decrypt_start(limbic_sm2_form form, limbic_sm2_decrypt_item *item,
                                       struct limbic_sm2_ciphertext *x, uint64_t *d) {
    limbic_status status;
    if (!item->private_key || (!item->out && item->out_len) || (!item->in && item->in_len))
        return LIMBIC_ERR_NULL;
    status = parse(x, form, item->in, item->in_len);
    if (status)
        return status;
    if (item->out_len < x->n) {
        item->out_len = x->n;
        return LIMBIC_ERR_BUFFER;
    }
    status = limbic_private_decode(CURVE, d, item->private_key, item->private_len);
    if (!status)
        LIMBIC_SECRET(d, 8 * W);
    return status;
}

limbic_status limbic_sm2_decrypt_finish(limbic_sm2_decrypt_item *item, const struct limbic_sm2_ciphertext *x,
                                        const uint64_t *xy) {
    struct shared s;
    share(&s, xy);
    const int good = decrypt(x, &s, item->out);
    if (good)
        item->out_len = x->n;
    limbic_wipe(&s, sizeof s);
    return good ? LIMBIC_OK : LIMBIC_ERR_DECRYPT;
}

limbic_status limbic_sm2_decrypt(limbic_sm2_form form, uint8_t *out, size_t *out_len,
                                 const uint8_t *private_key, size_t private_len, const uint8_t *in,
                                 size_t in_len) {
    limbic_sm2_decrypt_item item = {.out = out,
                                    .private_key = private_key,
                                    .in = in,
                                    .out_len = out_len ? *out_len : 0,
                                    .private_len = private_len,
                                    .in_len = in_len};
    struct limbic_sm2_ciphertext x;
    uint64_t d[W], xy[2 * W];
    limbic_status status = out_len ? limbic_sm2_decrypt_start(form, &item, &x, d) : LIMBIC_ERR_NULL;

    if (!status) {
        (void)limbic_point_mul(CURVE, xy, d, x.xy); /* finite: the order is prime and 0 < d < n */
        status = limbic_sm2_decrypt_finish(&item, &x, xy);
        limbic_wipe(d, sizeof d);
        limbic_wipe(xy, sizeof xy);
        limbic_wipe(&x, sizeof x);
        limbic_wipe_stack();
    }
    if (status == LIMBIC_OK || status == LIMBIC_ERR_BUFFER)
        *out_len = item.out_len;
    return status;
}

limbic_status limbic_sm2_convert(limbic_sm2_form to, uint8_t *out, size_t *out_len, limbic_sm2_form from,
                                 const uint8_t *in, size_t in_len) {
    struct limbic_sm2_ciphertext x;
    size_t need, at;
    limbic_status status;

    if (!out_len || (!out && *out_len) || (!in && in_len))
        return LIMBIC_ERR_NULL;
    if (!known(to))
        return LIMBIC_ERR_FORM;
    status = parse(&x, from, in, in_len);
    if (status)
        return status;
    need = limbic_sm2_ciphertext_bytes(to, x.n);
    if (*out_len < need) {
        *out_len = need;
        return LIMBIC_ERR_BUFFER;
    }
    *out_len = frame(to, NULL, &at, x.c1, NULL, x.n);
    memmove(out + at, x.text, x.n);
    (void)frame(to, out, &at, x.c1, x.c3, x.n);
    return LIMBIC_OK;
}
