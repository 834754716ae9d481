#include "hash/hash.h"

#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/constants.h"

static const struct {
    uint8_t bytes, block;
} sizes[LIMBIC_HASH_IDS] = {
    [LIMBIC_HASH_sha256] = {32, 64},
    [LIMBIC_HASH_sha384] = {48, 128},
    [LIMBIC_HASH_sha512] = {64, 128},
};

size_t limbic_hash_bytes(enum limbic_hash_id id) {
    return sizes[id].bytes;
}
size_t limbic_hash_block(enum limbic_hash_id id) {
    return sizes[id].block;
}

static void compress(struct limbic_hash_ctx *c, const uint8_t *in, size_t blocks) {
    const struct limbic_ops *ops = limbic_ops(LIMBIC_UNIT_hash);
    if (c->id == LIMBIC_HASH_sha256)
        ops->hash_sha256(c->state.w32, in, blocks);
    else
        ops->hash_sha512(c->state.w64, in, blocks);
}

void limbic_hash_init(struct limbic_hash_ctx *c, enum limbic_hash_id id) {
#define WORD(x) x,
    static const uint64_t h[2][8] = {{LIMBIC_SHA2_H_8(WORD)}, {LIMBIC_SHA2_H_8_MORE(WORD)}};
#undef WORD
    const uint64_t *from = h[id == LIMBIC_HASH_sha384];
    c->id = id;
    c->fill = 0;
    c->total_lo = 0;
    for (size_t i = 0; i < 8; i++)
        if (id == LIMBIC_HASH_sha256)
            c->state.w32[i] = (uint32_t)(from[i] >> 32);
        else
            c->state.w64[i] = from[i];
}

void limbic_hash_update(struct limbic_hash_ctx *c, const void *in, size_t n) {
    const uint8_t *p = in;
    size_t block = limbic_hash_block(c->id);
    if (!n)
        return;
    c->total_lo += n;
    if (c->fill) {
        size_t take = block - c->fill < n ? block - c->fill : n;
        memcpy(c->buffer + c->fill, p, take);
        c->fill += take;
        p += take;
        n -= take;
        if (c->fill < block)
            return;
        compress(c, c->buffer, 1);
        c->fill = 0;
    }
    if (n >= block) {
        compress(c, p, n / block);
        p += n - n % block;
        n %= block;
    }
    if (n)
        memcpy(c->buffer, p, n);
    c->fill = n;
}

void limbic_hash_final(struct limbic_hash_ctx *c, uint8_t *out) {
    size_t block = limbic_hash_block(c->id), length = block / 8; /* bytes of the length field */
    c->buffer[c->fill++] = 0x80;
    if (c->fill > block - length) {
        memset(c->buffer + c->fill, 0, block - c->fill);
        compress(c, c->buffer, 1);
        c->fill = 0;
    }
    memset(c->buffer + c->fill, 0, block - c->fill);
    limbic_store_be64(c->buffer + block - 8, c->total_lo << 3);
    c->buffer[block - 9] |= (uint8_t)(c->total_lo >> 61); /* SHA-256 ends at 2^64 bits: 0 there */
    compress(c, c->buffer, 1);
    for (size_t i = 0; i < limbic_hash_bytes(c->id); i += 8)
        limbic_store_be64(out + i, c->id == LIMBIC_HASH_sha256
                                       ? (uint64_t)c->state.w32[i / 4] << 32 | c->state.w32[i / 4 + 1]
                                       : c->state.w64[i / 8]);
}

void limbic_hash_once(enum limbic_hash_id id, uint8_t *out, const void *in, size_t n) {
    struct limbic_hash_ctx c;
    limbic_hash_init(&c, id);
    limbic_hash_update(&c, in, n);
    limbic_hash_final(&c, out);
    limbic_wipe(&c, sizeof c);
}

/* The state after the key's block, each byte of it xored with pad. */
static void hmac_pad(struct limbic_hash_ctx *c, enum limbic_hash_id id, const uint8_t *key, uint8_t pad) {
    uint8_t block[LIMBIC_HASH_MAX_BLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    limbic_hash_init(c, id);
    limbic_hash_update(c, block, limbic_hash_block(id));
    limbic_wipe(block, sizeof block);
}

void limbic_hmac_key(struct limbic_hmac_ctx *c, enum limbic_hash_id id, const uint8_t *key, size_t key_len) {
    uint8_t padded[LIMBIC_HASH_MAX_BLOCK] = {0};
    if (key_len > limbic_hash_block(id))
        limbic_hash_once(id, padded, key, key_len);
    else if (key_len)
        memcpy(padded, key, key_len);
    hmac_pad(&c->inner, id, padded, 0x36);
    hmac_pad(&c->outer, id, padded, 0x5c);
    limbic_wipe(padded, sizeof padded);
}

/* to = from, which has nothing in its buffer */
static void resume(struct limbic_hash_ctx *to, const struct limbic_hash_ctx *from) {
    memcpy(to, from, offsetof(struct limbic_hash_ctx, buffer));
}

void limbic_hmac_start(struct limbic_hmac_ctx *c) {
    resume(&c->run, &c->inner);
}

void limbic_hmac_update(struct limbic_hmac_ctx *c, const void *in, size_t n) {
    limbic_hash_update(&c->run, in, n);
}

void limbic_hmac_final(struct limbic_hmac_ctx *c, uint8_t *out) {
    uint8_t digest[LIMBIC_HASH_MAX_BYTES];
    limbic_hash_final(&c->run, digest);
    resume(&c->run, &c->outer);
    limbic_hash_update(&c->run, digest, limbic_hash_bytes(c->run.id));
    limbic_hash_final(&c->run, out);
    limbic_wipe(digest, sizeof digest);
}

/* V = HMAC_K(V) */
static void rfc6979_step(struct limbic_rfc6979 *g) {
    limbic_hmac_start(&g->hmac);
    limbic_hmac_update(&g->hmac, g->v, limbic_hash_bytes(g->hmac.inner.id));
    limbic_hmac_final(&g->hmac, g->v);
}

/* K = HMAC_K(V || separator || x || h1 || extra), then V = HMAC_K(V). x is NULL after a rejected candidate:
 * that update ends at the separator. */
static void rfc6979_rekey(struct limbic_rfc6979 *g, uint8_t separator, const uint8_t *x, const uint8_t *h1,
                          const uint8_t *extra, size_t extra_len) {
    enum limbic_hash_id id = g->hmac.inner.id;
    size_t hlen = limbic_hash_bytes(id), nbytes = (g->qlen + 7) / 8;
    uint8_t key[LIMBIC_HASH_MAX_BYTES];
    limbic_hmac_start(&g->hmac);
    limbic_hmac_update(&g->hmac, g->v, hlen);
    limbic_hmac_update(&g->hmac, &separator, 1);
    if (x) {
        limbic_hmac_update(&g->hmac, x, nbytes);
        limbic_hmac_update(&g->hmac, h1, nbytes);
        limbic_hmac_update(&g->hmac, extra, extra_len);
    }
    limbic_hmac_final(&g->hmac, key);
    limbic_hmac_key(&g->hmac, id, key, hlen);
    limbic_wipe(key, sizeof key);
    rfc6979_step(g);
}

void limbic_rfc6979_init(struct limbic_rfc6979 *g, enum limbic_hash_id id, unsigned qlen, const uint8_t *x,
                         const uint8_t *h1, const uint8_t *extra, size_t extra_len) {
    g->qlen = qlen;
    g->retry = 0;
    memset(g->v, 0x01, sizeof g->v);
    limbic_hmac_key(&g->hmac, id, NULL, 0); /* K = 00..00: padded with zeros, an empty key is the same */
    rfc6979_rekey(g, 0x00, x, h1, extra, extra_len);
    rfc6979_rekey(g, 0x01, x, h1, extra, extra_len);
}

void limbic_rfc6979_next(struct limbic_rfc6979 *g, uint8_t *out) {
    size_t hlen = limbic_hash_bytes(g->hmac.inner.id), nbytes = (g->qlen + 7) / 8;
    unsigned drop = (unsigned)(8 * nbytes) - g->qlen;
    if (g->retry)
        rfc6979_rekey(g, 0x00, NULL, NULL, NULL, 0);
    g->retry = 1;
    for (size_t at = 0; at < nbytes; at += hlen) {
        rfc6979_step(g);
        memcpy(out + at, g->v, nbytes - at < hlen ? nbytes - at : hlen);
    }
    for (size_t i = nbytes; drop && i-- > 0;)
        out[i] = (uint8_t)(out[i] >> drop | (i ? out[i - 1] << (8 - drop) : 0));
}
