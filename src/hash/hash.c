#include "hash/hash.h"

#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/constants.h"

static const struct {
    const char *name;
    uint8_t bytes, block;
} hashes[] = {
    [LIMBIC_SHA256] = {"SHA-256", 32, 64},
    [LIMBIC_SHA384] = {"SHA-384", 48, 128},
    [LIMBIC_SHA512] = {"SHA-512", 64, 128},
    [LIMBIC_SM3] = {"SM3", 32, 64},
};

static int known(limbic_hash hash) {
    return (size_t)hash < sizeof hashes / sizeof hashes[0] && hashes[hash].name;
}

size_t limbic_hash_bytes(limbic_hash hash) {
    return known(hash) ? hashes[hash].bytes : 0;
}
const char *limbic_hash_name(limbic_hash hash) {
    return known(hash) ? hashes[hash].name : NULL;
}
size_t limbic_hash_block(limbic_hash hash) {
    return hashes[hash].block;
}

static int words_of_32(limbic_hash hash) {
    return hash == LIMBIC_SHA256 || hash == LIMBIC_SM3;
}

static void compress(limbic_hash_ctx *c, const uint8_t *in, size_t blocks) {
    const struct limbic_ops *ops = limbic_ops(LIMBIC_UNIT_hash);
    if (c->hash == LIMBIC_SM3)
        ops->hash_sm3(c->state.w32, in, blocks);
    else if (c->hash == LIMBIC_SHA256)
        ops->hash_sha256(c->state.w32, in, blocks);
    else
        ops->hash_sha512(c->state.w64, in, blocks);
}

void limbic_hash_start(limbic_hash_ctx *c, limbic_hash hash) {
#define WORD(x) x,
    static const uint64_t h[2][8] = {{LIMBIC_SHA2_H_8(WORD)}, {LIMBIC_SHA2_H_8_MORE(WORD)}};
#undef WORD
    static const uint32_t sm3[8] = {LIMBIC_SM3_IV};
    const uint64_t *from = h[hash == LIMBIC_SHA384];
    c->hash = hash;
    c->fill = 0;
    c->total = 0;
    for (size_t i = 0; i < 8; i++)
        if (hash == LIMBIC_SM3)
            c->state.w32[i] = sm3[i];
        else if (hash == LIMBIC_SHA256)
            c->state.w32[i] = (uint32_t)(from[i] >> 32);
        else
            c->state.w64[i] = from[i];
}

limbic_status limbic_hash_init(limbic_hash_ctx *c, limbic_hash hash) {
    if (!c)
        return LIMBIC_ERR_NULL;
    if (!known(hash))
        return LIMBIC_ERR_HASH;
    limbic_hash_start(c, hash);
    return LIMBIC_OK;
}

limbic_status limbic_digest_many(limbic_hash hash, uint8_t *out, size_t out_len, const void *const *in,
                                 const size_t *in_len, size_t count) {
    if (count && (!out || !in || !in_len))
        return LIMBIC_ERR_NULL;
    if (!known(hash))
        return LIMBIC_ERR_HASH;
    if (out_len / limbic_hash_bytes(hash) != count || out_len % limbic_hash_bytes(hash))
        return LIMBIC_ERR_LENGTH;
    for (size_t i = 0; i < count; i++)
        if (!in[i] && in_len[i])
            return LIMBIC_ERR_NULL;
    limbic_hash_many(hash, out, NULL, 0, in, in_len, count);
    return LIMBIC_OK;
}

limbic_status limbic_digest(limbic_hash hash, uint8_t *out, size_t out_len, const void *in, size_t n) {
    if (!out || (!in && n))
        return LIMBIC_ERR_NULL;
    if (!known(hash))
        return LIMBIC_ERR_HASH;
    if (out_len != limbic_hash_bytes(hash))
        return LIMBIC_ERR_LENGTH;
    limbic_hash_once(hash, out, in, n);
    return LIMBIC_OK;
}

void limbic_hash_update(limbic_hash_ctx *c, const void *in, size_t n) {
    const uint8_t *p = in;
    if (!n || !known(c->hash))
        return;
    size_t block = limbic_hash_block(c->hash);
    c->total += n;
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

size_t limbic_hash_pad(limbic_hash hash, uint8_t *last, size_t fill, uint64_t total) {
    const size_t block = limbic_hash_block(hash), length = block / 8; /* bytes of the length field */
    const size_t blocks = fill < block - length ? 1 : 2;
    last[fill] = 0x80;
    memset(last + fill + 1, 0, blocks * block - fill - 1);
    limbic_store_be64(last + blocks * block - 8, total << 3);
    last[blocks * block - 9] |= (uint8_t)(total >> 61); /* SHA-256 and SM3 end at 2^64 bits: 0 there */
    return blocks;
}

void limbic_hash_give(limbic_hash hash, uint8_t *out, const void *state) {
    const uint32_t *w32 = state;
    const uint64_t *w64 = state;
    if (words_of_32(hash)) /* the whole state, of which these have no shorter digest */
        for (size_t i = 0; i < 4; i++)
            limbic_store_be64(out + 8 * i, (uint64_t)w32[2 * i] << 32 | w32[2 * i + 1]);
    else
        for (size_t i = 0, n = limbic_hash_bytes(hash) / 8; i < n; i++)
            limbic_store_be64(out + 8 * i, w64[i]);
}

void limbic_hash_final(limbic_hash_ctx *c, uint8_t *out) {
    uint8_t last[2 * LIMBIC_HASH_MAX_BLOCK];
    if (!known(c->hash))
        return;
    memcpy(last, c->buffer, c->fill);
    const size_t blocks = limbic_hash_pad(c->hash, last, c->fill, c->total);
    compress(c, last, blocks);
    limbic_hash_give(c->hash, out, &c->state);
    limbic_wipe(last, blocks * limbic_hash_block(c->hash));
    limbic_wipe(c, sizeof *c);
}

void limbic_hash_once(limbic_hash id, uint8_t *out, const void *in, size_t n) {
    limbic_hash_ctx c;
    limbic_hash_start(&c, id);
    limbic_hash_update(&c, in, n);
    limbic_hash_final(&c, out);
}

/* The state after the key's block, each byte of it xored with pad. */
static void hmac_pad(limbic_hash_ctx *c, limbic_hash id, const uint8_t *key, uint8_t pad) {
    uint8_t block[LIMBIC_HASH_MAX_BLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    limbic_hash_start(c, id);
    limbic_hash_update(c, block, limbic_hash_block(id));
    limbic_wipe(block, sizeof block);
}

void limbic_hmac_key(struct limbic_hmac_ctx *c, limbic_hash id, const uint8_t *key, size_t key_len) {
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
static void resume(limbic_hash_ctx *to, const limbic_hash_ctx *from) {
    memcpy(to, from, offsetof(limbic_hash_ctx, buffer));
}

void limbic_hmac_start(struct limbic_hmac_ctx *c) {
    resume(&c->run, &c->inner);
}

void limbic_hmac_update(struct limbic_hmac_ctx *c, const void *in, size_t n) {
    limbic_hash_update(&c->run, in, n);
}

void limbic_hmac_final(struct limbic_hmac_ctx *c, uint8_t *out) {
    uint8_t digest[LIMBIC_MAX_DIGEST_BYTES];
    limbic_hash_final(&c->run, digest);
    resume(&c->run, &c->outer);
    limbic_hash_update(&c->run, digest, limbic_hash_bytes(c->inner.hash));
    limbic_hash_final(&c->run, out);
    limbic_wipe(digest, sizeof digest);
}

/* V = HMAC_K(V) */
static void rfc6979_step(struct limbic_rfc6979 *g) {
    limbic_hmac_start(&g->hmac);
    limbic_hmac_update(&g->hmac, g->v, limbic_hash_bytes(g->hmac.inner.hash));
    limbic_hmac_final(&g->hmac, g->v);
}

/* K = HMAC_K(V || separator || x || h1 || extra), then V = HMAC_K(V). x is NULL after a rejected candidate:
 * that update ends at the separator. */
static void rfc6979_rekey(struct limbic_rfc6979 *g, uint8_t separator, const uint8_t *x, const uint8_t *h1,
                          const uint8_t *extra, size_t extra_len) {
    limbic_hash id = g->hmac.inner.hash;
    size_t hlen = limbic_hash_bytes(id), nbytes = (g->qlen + 7) / 8;
    uint8_t key[LIMBIC_MAX_DIGEST_BYTES];
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

void limbic_rfc6979_init(struct limbic_rfc6979 *g, limbic_hash id, unsigned qlen, const uint8_t *x,
                         const uint8_t *h1, const uint8_t *extra, size_t extra_len) {
    g->qlen = qlen;
    g->retry = 0;
    memset(g->v, 0x01, sizeof g->v);
    limbic_hmac_key(&g->hmac, id, NULL, 0); /* K = 00..00: padded with zeros, an empty key is the same */
    rfc6979_rekey(g, 0x00, x, h1, extra, extra_len);
    rfc6979_rekey(g, 0x01, x, h1, extra, extra_len);
}

void limbic_rfc6979_bits(unsigned qlen, uint8_t *t) {
    const unsigned drop = (0 - qlen) % 8;
    for (size_t i = (qlen + 7) / 8; drop && i-- > 0;)
        t[i] = (uint8_t)(t[i] >> drop | (i ? t[i - 1] << (8 - drop) : 0));
}

void limbic_rfc6979_next(struct limbic_rfc6979 *g, uint8_t *out) {
    size_t hlen = limbic_hash_bytes(g->hmac.inner.hash), nbytes = (g->qlen + 7) / 8;
    if (g->retry)
        rfc6979_rekey(g, 0x00, NULL, NULL, NULL, 0);
    g->retry = 1;
    for (size_t at = 0; at < nbytes; at += hlen) {
        rfc6979_step(g);
        memcpy(out + at, g->v, nbytes - at < hlen ? nbytes - at : hlen);
    }
    limbic_rfc6979_bits(g->qlen, out);
}
