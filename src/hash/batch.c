/* What takes many streams of a hash at once: digests, and RFC 6979's generators in step. */
#include "base/limb.h"
#include "dispatch/dispatch.h"
#include "hash/hash.h"

enum { LANES = 16 }; /* as many as any row has */

union states {
    uint32_t w32[8 * LANES];
    uint64_t w64[8 * LANES];
};

static size_t state_bytes(limbic_hash hash) {
    return limbic_hash_block(hash) / 2;
}

static uint8_t *state_at(limbic_hash hash, union states *s, size_t i) {
    return (uint8_t *)s + i * state_bytes(hash);
}

static void compress(limbic_hash hash, union states *s, const uint8_t *const *in, size_t blocks, size_t n) {
    const struct limbic_ops *ops = limbic_ops(LIMBIC_UNIT_hash);
    const int one = n == 1;
    if (hash == LIMBIC_SM3)
        one ? ops->hash_sm3(s->w32, *in, blocks) : ops->hash_sm3_many(s->w32, in, blocks, n);
    else if (hash == LIMBIC_SHA256)
        one ? ops->hash_sha256(s->w32, *in, blocks) : ops->hash_sha256_many(s->w32, in, blocks, n);
    else
        one ? ops->hash_sha512(s->w64, *in, blocks) : ops->hash_sha512_many(s->w64, in, blocks, n);
}

/* ---- digests ---- */

/* The messages under way, each in up to three runs of blocks: one that begins with the prefix, whole ones of the message, the last ones, padded. */
struct run {
    const uint8_t *at;
    size_t blocks;
};
struct lane {
    size_t message;
    unsigned next, runs;
    struct run run[3];
};
struct digests {
    union states state;
    const uint8_t *at[LANES];
    size_t blocks[LANES]; /* from `at` on, of the run that is under way */
    struct lane lane[LANES];
    uint8_t ends[LANES][3 * LIMBIC_HASH_MAX_BLOCK]; /* the first and the last blocks */
};

/* Goes on to the next run of a message where one is done; 0 if that was its last. */
static int more(struct digests *d, size_t i) {
    struct lane *m = &d->lane[i];
    if (!d->blocks[i] && m->next < m->runs) {
        d->at[i] = m->run[m->next].at;
        d->blocks[i] = m->run[m->next++].blocks;
    }
    return d->blocks[i] != 0;
}

static void begin(struct digests *d, limbic_hash hash, size_t i, size_t message, const uint8_t *prefix,
                  size_t prefix_len, const uint8_t *in, size_t n) {
    const size_t block = limbic_hash_block(hash), total = prefix_len + n;
    uint8_t *const head = d->ends[i], *const tail = head + block;
    struct lane *m = &d->lane[i];
    limbic_hash_ctx c;

    limbic_hash_start(&c, hash);
    memcpy(state_at(hash, &d->state, i), &c.state, state_bytes(hash));
    *m = (struct lane){.message = message};
    if (prefix_len && total >= block) {
        const size_t take = block - prefix_len;
        memcpy(head, prefix, prefix_len);
        memcpy(head + prefix_len, in, take);
        m->run[m->runs++] = (struct run){head, 1};
        in += take;
        n -= take;
        prefix_len = 0;
    }
    if (n >= block)
        m->run[m->runs++] = (struct run){in, n / block};
    const size_t rest = n % block;
    if (prefix_len)
        memcpy(tail, prefix, prefix_len);
    if (rest)
        memcpy(tail + prefix_len, in + n - rest, rest);
    m->run[m->runs++] = (struct run){tail, limbic_hash_pad(hash, tail, prefix_len + rest, total)};
    d->blocks[i] = 0;
    (void)more(d, i);
}

void limbic_hash_many(limbic_hash hash, uint8_t *out, const uint8_t *const *prefix, size_t prefix_len,
                      const void *const *in, const size_t *in_len, size_t count) {
    const size_t block = limbic_hash_block(hash), bytes = limbic_hash_bytes(hash);
    struct digests d;
    size_t n = 0, next = 0;
    for (; n < LANES && next < count; n++, next++)
        begin(&d, hash, n, next, prefix_len ? prefix[next] : NULL, prefix_len, in[next], in_len[next]);
    while (n) {
        size_t blocks = d.blocks[0];
        for (size_t i = 1; i < n; i++)
            blocks = d.blocks[i] < blocks ? d.blocks[i] : blocks;
        compress(hash, &d.state, d.at, blocks, n);
        for (size_t i = n; i-- > 0;) {
            d.at[i] += blocks * block;
            d.blocks[i] -= blocks;
            if (more(&d, i))
                continue;
            limbic_hash_give(hash, out + d.lane[i].message * bytes, state_at(hash, &d.state, i));
            if (next < count) {
                begin(&d, hash, i, next, prefix_len ? prefix[next] : NULL, prefix_len, in[next],
                      in_len[next]);
                next++;
                continue;
            }
            n--; /* the last lane moves here */
            memcpy(state_at(hash, &d.state, i), state_at(hash, &d.state, n), state_bytes(hash));
            d.at[i] = d.at[n];
            d.blocks[i] = d.blocks[n];
            d.lane[i] = d.lane[n];
        }
    }
    limbic_wipe(&d, sizeof d);
    limbic_wipe_stack(); /* what the rows spilled, whose frames may be too deep for a caller's */
}

/* ---- RFC 6979 ---- */

/* The longest V || separator || x || h1 || extra, padded. */
enum { QBYTES = 66, MESSAGE = 3 * LIMBIC_HASH_MAX_BLOCK };
_Static_assert(LIMBIC_MAX_DIGEST_BYTES + 1 + 2 * QBYTES + LIMBIC_RFC6979_MANY_EXTRA + 17 <= MESSAGE, "room");

struct generators {
    limbic_hash hash;
    size_t n, hlen, block;
    union states inner, outer, run;
    const uint8_t *text_of[LANES], *message_of[LANES];
    uint8_t text[LANES][LIMBIC_HASH_MAX_BLOCK]; /* V or an inner digest, padded to the end of its HMAC */
    uint8_t message[LANES][MESSAGE];
};

static void give(struct generators *g) {
    for (size_t i = 0; i < g->n; i++)
        limbic_hash_give(g->hash, g->text[i], state_at(g->hash, &g->run, i));
}

/* The text becomes the HMACs of some blocks, or of itself. */
static void hmac(struct generators *g, const uint8_t *const *in, size_t blocks) {
    g->run = g->inner;
    compress(g->hash, &g->run, in, blocks, g->n);
    give(g);
    g->run = g->outer;
    compress(g->hash, &g->run, g->text_of, 1, g->n);
    give(g);
}

/* s = the states after the text, each byte of it xored with pad. */
static void hmac_pad(struct generators *g, union states *s, uint8_t pad) {
    limbic_hash_ctx c;
    limbic_hash_start(&c, g->hash);
    for (size_t i = 0; i < g->n; i++) {
        memcpy(state_at(g->hash, s, i), &c.state, state_bytes(g->hash));
        for (size_t j = 0; j < g->block; j++)
            g->text[i][j] ^= pad;
    }
    compress(g->hash, s, g->text_of, 1, g->n);
}

/* K = HMAC_K(V || separator || x || h1 || extra), then V = HMAC_K(V). */
static void rekey(struct generators *g, uint8_t separator, size_t blocks) {
    for (size_t i = 0; i < g->n; i++) {
        memcpy(g->message[i], g->text[i], g->hlen);
        g->message[i][g->hlen] = separator;
    }
    hmac(g, g->message_of, blocks);
    for (size_t i = 0; i < g->n; i++)
        memset(g->text[i] + g->hlen, 0, g->block - g->hlen);
    hmac_pad(g, &g->inner, 0x36);
    hmac_pad(g, &g->outer, 0x36 ^ 0x5c);
    for (size_t i = 0; i < g->n; i++) {
        memcpy(g->text[i], g->message[i], g->hlen);
        (void)limbic_hash_pad(g->hash, g->text[i], g->hlen, g->block + g->hlen);
    }
    hmac(g, g->text_of, 1);
}

static void first(struct generators *g, unsigned qlen, const uint8_t *x, const uint8_t *h1,
                  const uint8_t *extra, size_t extra_len, uint8_t *out) {
    const size_t nbytes = (qlen + 7) / 8, length = g->hlen + 1 + 2 * nbytes + extra_len;
    const size_t whole = length - length % g->block;
    struct limbic_hmac_ctx zero;
    size_t blocks = 0;
    limbic_hmac_key(&zero, g->hash, NULL, 0); /* K = 00..00: padded with zeros, an empty key is the same */
    for (size_t i = 0; i < g->n; i++) {
        uint8_t *p = g->message[i] + g->hlen + 1;
        memcpy(state_at(g->hash, &g->inner, i), &zero.inner.state, state_bytes(g->hash));
        memcpy(state_at(g->hash, &g->outer, i), &zero.outer.state, state_bytes(g->hash));
        memset(g->text[i], 0x01, g->hlen);
        (void)limbic_hash_pad(g->hash, g->text[i], g->hlen, g->block + g->hlen);
        memcpy(p, x + i * nbytes, nbytes);
        memcpy(p + nbytes, h1 + i * nbytes, nbytes);
        if (extra_len)
            memcpy(p + 2 * nbytes, extra + i * extra_len, extra_len);
        blocks = whole / g->block +
                 limbic_hash_pad(g->hash, g->message[i] + whole, length - whole, g->block + length);
        g->text_of[i] = g->text[i];
        g->message_of[i] = g->message[i];
    }
    rekey(g, 0x00, blocks);
    rekey(g, 0x01, blocks);
    for (size_t at = 0; at < nbytes; at += g->hlen) {
        hmac(g, g->text_of, 1);
        for (size_t i = 0; i < g->n; i++)
            memcpy(out + i * nbytes + at, g->text[i], nbytes - at < g->hlen ? nbytes - at : g->hlen);
    }
    for (size_t i = 0; i < g->n; i++)
        limbic_rfc6979_bits(qlen, out + i * nbytes);
}

void limbic_rfc6979_many(limbic_hash hash, unsigned qlen, size_t n, const uint8_t *x, const uint8_t *h1,
                         const uint8_t *extra, size_t extra_len, uint8_t *out) {
    const size_t nbytes = (qlen + 7) / 8;
    struct generators g;
    g.hash = hash;
    g.hlen = limbic_hash_bytes(hash);
    g.block = limbic_hash_block(hash);
    for (size_t i = 0; i < n; i += LANES) {
        g.n = n - i < LANES ? n - i : LANES;
        first(&g, qlen, x + i * nbytes, h1 + i * nbytes, extra_len ? extra + i * extra_len : NULL, extra_len,
              out + i * nbytes);
    }
    limbic_wipe(&g, sizeof g);
    limbic_wipe_stack();
}
