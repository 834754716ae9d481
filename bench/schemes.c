/* scheme/<curve>/<op>/<isa|auto>, through the public interface, each instruction set forced in turn. */
#include "bench.h"

#include "curve/curve.h"
#include "limbic/ecdh.h"
#include "limbic/ecdsa.h"

#include <stdio.h>
#include <string.h>

struct keys {
    limbic_curve curve;
    size_t len, prepared_len; /* of a scalar; of the prepared key */
    uint8_t private_key[LIMBIC_MAX_BYTES], public_key[LIMBIC_MAX_POINT_BYTES], peer[LIMBIC_MAX_POINT_BYTES];
    uint8_t new_private[LIMBIC_MAX_BYTES], new_public[LIMBIC_MAX_POINT_BYTES], secret[LIMBIC_MAX_BYTES];
    uint8_t digest[64], sig[LIMBIC_MAX_SIGNATURE_BYTES], new_sig[LIMBIC_MAX_SIGNATURE_BYTES];
    uint8_t message[1 << 10], sig_message[LIMBIC_MAX_SIGNATURE_BYTES], hashed[64];
    limbic_hash hash;
    size_t digest_len;
    void *prepared;
    uint8_t digests[BENCH_BATCH][64], sigs[BENCH_BATCH][LIMBIC_MAX_SIGNATURE_BYTES],
        new_sigs[BENCH_BATCH][LIMBIC_MAX_SIGNATURE_BYTES], privates[BENCH_BATCH][LIMBIC_MAX_BYTES],
        publics[BENCH_BATCH][LIMBIC_MAX_POINT_BYTES], secrets[BENCH_BATCH][LIMBIC_MAX_BYTES];
    limbic_ecdsa_sign_item sign_items[BENCH_BATCH];
    limbic_ecdsa_verify_item verify_items[BENCH_BATCH], prepared_items[BENCH_BATCH];
    limbic_ec_keygen_item keygen_items[BENCH_BATCH];
    limbic_ecdh_item ecdh_items[BENCH_BATCH];
};

static limbic_status sign(void *arg) {
    struct keys *k = arg;
    return limbic_ecdsa_sign(k->curve, k->new_sig, 2 * k->len, k->private_key, k->len, k->digest,
                             k->digest_len, LIMBIC_HASH_DEFAULT);
}
static limbic_status verify(void *arg) {
    struct keys *k = arg;
    return limbic_ecdsa_verify(k->curve, k->sig, 2 * k->len, k->public_key, 1 + 2 * k->len, k->digest,
                               k->digest_len);
}
/* With the hash of a message, as SM2's rows of that name. */
static limbic_status sign_message(void *arg) {
    struct keys *k = arg;
    limbic_status s = limbic_digest(k->hash, k->hashed, k->digest_len, k->message, sizeof k->message);
    return s != LIMBIC_OK ? s
                          : limbic_ecdsa_sign(k->curve, k->new_sig, 2 * k->len, k->private_key, k->len,
                                              k->hashed, k->digest_len, LIMBIC_HASH_DEFAULT);
}
static limbic_status verify_message(void *arg) {
    struct keys *k = arg;
    limbic_status s = limbic_digest(k->hash, k->hashed, k->digest_len, k->message, sizeof k->message);
    return s != LIMBIC_OK ? s
                          : limbic_ecdsa_verify(k->curve, k->sig_message, 2 * k->len, k->public_key,
                                                1 + 2 * k->len, k->hashed, k->digest_len);
}
static limbic_status verify_prepared(void *arg) {
    struct keys *k = arg;
    return limbic_ecdsa_verify_prepared(k->prepared, k->prepared_len, k->sig, 2 * k->len, k->digest,
                                        k->digest_len);
}
static limbic_status keygen(void *arg) {
    struct keys *k = arg;
    return limbic_ec_keygen(k->curve, k->new_private, k->len, k->new_public, 1 + 2 * k->len);
}
static limbic_status ecdh(void *arg) {
    struct keys *k = arg;
    return limbic_ecdh(k->curve, k->secret, k->len, k->private_key, k->len, k->peer, 1 + 2 * k->len);
}

static limbic_status sign_batch(void *arg) {
    struct keys *k = arg;
    if (k->curve == LIMBIC_SM2)
        return LIMBIC_ERR_CURVE;
    return limbic_ecdsa_sign_batch(k->curve, k->sign_items, BENCH_BATCH, LIMBIC_HASH_DEFAULT);
}
static limbic_status verify_batch(void *arg) {
    struct keys *k = arg;
    if (k->curve == LIMBIC_SM2)
        return LIMBIC_ERR_CURVE;
    return limbic_ecdsa_verify_batch(k->curve, k->verify_items, BENCH_BATCH);
}
static limbic_status verify_prepared_batch(void *arg) {
    struct keys *k = arg;
    if (k->curve == LIMBIC_SM2)
        return LIMBIC_ERR_CURVE;
    return limbic_ecdsa_verify_batch(k->curve, k->prepared_items, BENCH_BATCH);
}
static limbic_status keygen_batch(void *arg) {
    struct keys *k = arg;
    return limbic_ec_keygen_batch(k->curve, k->keygen_items, BENCH_BATCH);
}
static limbic_status ecdh_batch(void *arg) {
    struct keys *k = arg;
    return limbic_ecdh_batch(k->curve, k->ecdh_items, BENCH_BATCH);
}

static const struct operation {
    const char *name, *group; /* group: the operation that it is compared with */
    limbic_status (*fn)(void *keys);
    int cold;
    unsigned items;
} operations[] = {
    {"sign", "sign", sign, 0, 0},
    {"sign_batch64", "sign", sign_batch, 0, BENCH_BATCH},
    {"verify", "verify", verify, 0, 0},
    {"verify_batch64", "verify", verify_batch, 0, BENCH_BATCH},
    {"verify_prepared", "verify", verify_prepared, 0, 0},
    {"verify_prepared_batch64", "verify", verify_prepared_batch, 0, BENCH_BATCH},
    {"sign_message", "sign_message", sign_message, 0, 0},
    {"verify_message", "verify_message", verify_message, 0, 0},
    {"keygen", "keygen", keygen, 0, 0},
    {"keygen_batch64", "keygen", keygen_batch, 0, BENCH_BATCH},
    {"ecdh", "ecdh", ecdh, 0, 0},
    {"ecdh_batch64", "ecdh", ecdh_batch, 0, BENCH_BATCH},
    {"keygen_cold", "keygen_cold", keygen, 1, 0},
};

static void before(void *arg) {
    const struct bench_scheme *s = arg;
    if (s->make)
        s->make(s->keys);
    limbic_force_isa(s->isa);
}

static void run(void *arg, size_t count) {
    const struct bench_scheme *s = arg;
    for (; count; count--) {
        limbic_status status = s->fn(s->keys);
        if (status != LIMBIC_OK)
            bench_fail(limbic_status_string(status));
    }
}

void bench_add_scheme(const char *scheme, const char *op, const char *group, struct bench_scheme s, int cold,
                      unsigned batch) {
    struct bench_row row = {.before = before, .fn = run, .cold = cold, .batch = batch, .items = s.items};
    row.arg = memcpy(bench_alloc(sizeof s), &s, sizeof s);
    BENCH_NAME(&row, "scheme/%s/%s/%s", scheme, op, s.isa ? s.isa : "auto");
    BENCH_GROUP(&row, "scheme/%s/%s", scheme, group);
    bench_add(&row);
}

/* One key, many digests; of ECDH and key generation, many keys. */
static void make_items(struct keys *k) {
    for (size_t i = 0; i < BENCH_BATCH; i++) {
        uint64_t words[8];
        bench_random(words, 8);
        memcpy(k->digests[i], words, sizeof words);
        k->sign_items[i] = (limbic_ecdsa_sign_item){k->sigs[i], k->private_key, k->digests[i], 2 * k->len,
                                                    k->len,     k->digest_len,  LIMBIC_OK};
        k->verify_items[i] = (limbic_ecdsa_verify_item){.sig = k->sigs[i],
                                                        .public_key = k->public_key,
                                                        .digest = k->digests[i],
                                                        .sig_len = 2 * k->len,
                                                        .public_len = 1 + 2 * k->len,
                                                        .digest_len = k->digest_len};
        k->prepared_items[i] = k->verify_items[i];
        k->prepared_items[i].prepared = k->prepared;
        k->prepared_items[i].prepared_len = k->prepared_len;
        k->keygen_items[i] =
            (limbic_ec_keygen_item){k->privates[i], k->publics[i], k->len, 1 + 2 * k->len, LIMBIC_OK};
        k->ecdh_items[i] = (limbic_ecdh_item){k->secrets[i], k->privates[i], k->peer,  k->len,
                                              k->len,        1 + 2 * k->len, LIMBIC_OK};
    }
    if (keygen_batch(k) != LIMBIC_OK || (k->curve != LIMBIC_SM2 && sign_batch(k) != LIMBIC_OK))
        bench_die("a batch failed");
    for (size_t i = 0; i < BENCH_BATCH; i++)
        k->sign_items[i].sig = k->new_sigs[i];
}

static struct keys *make_keys(limbic_curve curve) {
    static const limbic_hash hashes[] = {LIMBIC_SHA256, LIMBIC_SHA384, LIMBIC_SHA512};
    struct keys *k = bench_alloc(sizeof *k);
    uint64_t words[8];
    k->curve = curve;
    k->len = limbic_curve_bytes(curve);
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (limbic_hash_bytes(hashes[i]) <= k->len) { /* the SHA-2 that goes with the curve */
            k->hash = hashes[i];
            k->digest_len = limbic_hash_bytes(k->hash);
        }
    bench_random(words, 8);
    memcpy(k->digest, words, sizeof k->digest);
    k->prepared_len = limbic_ec_prepared_bytes(curve);
    k->prepared = bench_alloc(k->prepared_len);
    if (keygen(k) != LIMBIC_OK)
        bench_die("key generation failed");
    memcpy(k->peer, k->new_public, sizeof k->peer);
    if (keygen(k) != LIMBIC_OK)
        bench_die("key generation failed");
    memcpy(k->private_key, k->new_private, sizeof k->private_key);
    memcpy(k->public_key, k->new_public, sizeof k->public_key);
    if (limbic_ec_prepare(curve, k->prepared, k->prepared_len, k->public_key, 1 + 2 * k->len) != LIMBIC_OK)
        bench_die("preparing a key failed");
    if (sign(k) == LIMBIC_OK)
        memcpy(k->sig, k->new_sig, sizeof k->sig);
    if (sign_message(k) == LIMBIC_OK)
        memcpy(k->sig_message, k->new_sig, sizeof k->sig_message);
    make_items(k);
    return k;
}

static void add(struct keys *keys, const struct limbic_curve_desc *c, const char *isa) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const struct operation *op = &operations[i];
        if (op->fn(keys) != LIMBIC_ERR_CURVE) /* that: not defined on this curve */
            bench_add_scheme(limbic_unit_name(c->unit), op->name, op->group,
                             (struct bench_scheme){isa, op->fn, keys, NULL, op->items}, op->cold, 0);
    }
}

static int concerns(const struct limbic_row *row, unsigned unit) {
    if (row->unit != unit || limbic_op_class(row->op) != limbic_unit_class(unit))
        return 0; /* a curve's field, which has nothing to tell without an engine */
    return unit != LIMBIC_UNIT_hash || row->op == LIMBIC_OP_hash_sm3 || row->op == LIMBIC_OP_hash_sm3_stream;
}

int bench_runs(const char *scheme, unsigned unit, unsigned isa) {
    const struct limbic_row *found = NULL;
    char name[64], reason[96];
    if (isa == LIMBIC_ISAS)
        return 1;
    for (size_t i = 0; i < limbic_rows_count; i++) {
        const struct limbic_row *row = &limbic_rows[i];
        if (row->isa == isa && concerns(row, unit)) {
            if (limbic_row_usable(row))
                return 1;
            if (!found)
                found = row;
        }
    }
    if (found && scheme) {
        bench_format(name, sizeof name, "scheme/%s/%s", scheme, limbic_isa_name(isa));
        limbic_row_reason(found, reason, sizeof reason);
        bench_not_run(name, reason);
    }
    return 0;
}

void bench_schemes(void) {
    const struct limbic_curve_desc *c;
    for (unsigned curve = LIMBIC_P256; (c = limbic_curve_desc((limbic_curve)curve)) != NULL; curve++) {
        struct keys *keys = make_keys((limbic_curve)curve);
        for (unsigned isa = 0; isa <= LIMBIC_ISAS; isa++)
            if (bench_runs(limbic_unit_name(c->unit), c->unit, isa))
                add(keys, c, isa < LIMBIC_ISAS ? limbic_isa_name(isa) : NULL);
    }
}
