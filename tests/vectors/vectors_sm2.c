/* Lines of hashes and of SM2. */
#include "hash/hash.h"
#include "limbic/ecdsa.h"
#include "limbic/key.h"
#include "limbic/sm2.h"
#include "scheme/sm2.h"
#include "vectors.h"

/* --- hashes --- */

static int digest_line(char **w) {
    limbic_hash hash;
    limbic_hash_ctx c;
    struct bytes msg, expected, out, over;
    if (!hash_word(&hash, w[1]) || !bytes_word(&msg, w[2]) || !bytes_word(&expected, w[3]))
        return 0;
    out = output(limbic_hash_bytes(hash));
    if (!must(limbic_digest(hash, out.p, out.n, msg.p, msg.n), LIMBIC_OK, "digest") || !same(out, expected))
        return no("wrong digest");
    for (size_t step = 1; step <= 129; step += step == 1 ? 30 : 49) { /* 1, 31, 80, 129 bytes at a time */
        out = output(expected.n);
        if (!must(limbic_hash_init(&c, hash), LIMBIC_OK, "init"))
            return 0;
        for (size_t at = 0; at < msg.n; at += step)
            limbic_hash_update(&c, msg.p + at, msg.n - at < step ? msg.n - at : step);
        limbic_hash_final(&c, out.p);
        if (!same(out, expected))
            return no("wrong digest, %zu bytes at a time", step);
    }
    over = msg.n < expected.n ? output(expected.n) : duplicate(msg);
    memcpy(over.p, msg.p, msg.n);
    if (!must(limbic_digest(hash, over.p, expected.n, over.p, msg.n), LIMBIC_OK, "digest over its message"))
        return 0;
    over.n = expected.n;
    return same(over, expected) || no("wrong digest over its message");
}

static int hmac_line(char **w) {
    limbic_hash hash;
    struct limbic_hmac_ctx c;
    struct bytes key, msg, expected, out;
    struct verdict v;
    if (!hash_word(&hash, w[1]) || !bytes_word(&key, w[2]) || !bytes_word(&msg, w[3]) ||
        !bytes_word(&expected, w[4]) || !verdict_word(&v, w[5]))
        return 0;
    out = output(limbic_hash_bytes(hash));
    limbic_hmac_key(&c, hash, key.p, key.n);
    for (int i = 0; i < 2; i++) { /* the key serves twice */
        limbic_hmac_start(&c);
        limbic_hmac_update(&c, msg.p, msg.n / 3);
        limbic_hmac_update(&c, msg.p + msg.n / 3, msg.n - msg.n / 3);
        limbic_hmac_final(&c, out.p);
        if ((expected.n <= out.n && !memcmp(out.p, expected.p, expected.n)) != (v.kind == VALID))
            return no(v.kind == VALID ? "wrong code" : "a code that must differ does not");
    }
    return 1;
}

/* --- SM2 --- */

/* An ID: "default" is NULL. */
static int id_word(struct bytes *id, const char *s) {
    static const struct bytes standard = {NULL, 0};
    if (strcmp(s, "default"))
        return bytes_word(id, s);
    *id = standard;
    return 1;
}

static const char *const forms[] = {"c1c3c2", "c1c2c3", "der"};
#define FORMS 3

static int form_word(limbic_sm2_form *form, const char *s) {
    for (int i = 0; i < FORMS; i++)
        if (!strcmp(s, forms[i])) {
            *form = (limbic_sm2_form)i;
            return 1;
        }
    return no("malformed line: no form '%s'", s);
}

/* The point in its other form, where it is one. */
static int other_form(const struct curve *c, struct bytes *other, struct bytes point) {
    return !convert(c, point.n && point.p[0] == LIMBIC_UNCOMPRESSED ? LIMBIC_COMPRESSED : LIMBIC_UNCOMPRESSED,
                    other, point);
}

static int sm2_curve(struct curve *c) {
    return curve_word(c, "sm2");
}

static int sm2_z_line(char **w) {
    struct curve c;
    struct bytes id, point, msg, z, e, expected_z, expected_e, other;
    struct verdict v;
    limbic_status status;
    if (!sm2_curve(&c) || !id_word(&id, w[1]) || !bytes_word(&point, w[2]) || !bytes_word(&msg, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&expected_z, w[5] ? w[5] : "-") ||
        !bytes_word(&expected_e, w[5] && w[6] ? w[6] : "-"))
        return 0;
    z = output(LIMBIC_SM2_DIGEST_BYTES);
    e = output(LIMBIC_SM2_DIGEST_BYTES);
    status = limbic_sm2_z(z.p, z.n, id.p, id.n, point.p, point.n);
    if (!fits(v, status, same(z, expected_z)) ||
        !must(limbic_sm2_digest(e.p, e.n, id.p, id.n, point.p, point.n, msg.p, msg.n), status, "digest"))
        return 0;
    if (status)
        return untouched(z) && untouched(e);
    if (!same(e, expected_e))
        return no("wrong e");
    if (!other_form(&c, &other, point))
        return no("the key has no other form");
    return (!limbic_sm2_z(z.p, z.n, id.p, id.n, other.p, other.n) && same(z, expected_z)) ||
           no("another Z for the key's other form");
}

/* By key and by prepared key, in both forms of the point. */
static int digest_verifies(const struct curve *c, struct bytes sig, struct bytes point, struct bytes e,
                           limbic_status wanted) {
    struct bytes prepared = output(limbic_ec_prepared_bytes(c->id)), other;
    limbic_status status = limbic_sm2_verify_digest(sig.p, sig.n, point.p, point.n, e.p, e.n);
    if (!must(status, wanted, "verify_digest"))
        return 0;
    if (limbic_ec_prepare(c->id, prepared.p, prepared.n, point.p, point.n))
        return wanted != LIMBIC_OK || no("prepare refused the key of a valid signature");
    limbic_sm2_verify_item items[2] = {{.sig = sig.p,
                                        .public_key = point.p,
                                        .e = e.p,
                                        .sig_len = sig.n,
                                        .public_len = point.n,
                                        .e_len = e.n},
                                       {.sig = sig.p,
                                        .prepared = prepared.p,
                                        .e = e.p,
                                        .sig_len = sig.n,
                                        .prepared_len = prepared.n,
                                        .e_len = e.n}};
    return must(limbic_sm2_verify_digest_prepared(prepared.p, prepared.n, sig.p, sig.n, e.p, e.n), wanted,
                "verify_digest_prepared") &&
           must(limbic_sm2_verify_batch(items, 2), wanted ? LIMBIC_ERR_BATCH : LIMBIC_OK, "verify_batch") &&
           must(items[0].status, wanted, "verify_batch") &&
           must(items[1].status, wanted, "verify_batch, prepared") &&
           (other_form(c, &other, point) || no("the key has no other form")) &&
           must(limbic_sm2_verify_digest(sig.p, sig.n, other.p, other.n, e.p, e.n), wanted,
                "key in its other form");
}

static int sm2_verify_line(char **w) {
    struct curve c;
    struct bytes point, e, sig;
    struct verdict v;
    limbic_status status;
    if (!sm2_curve(&c) || !bytes_word(&point, w[1]) || !bytes_word(&e, w[2]) || !bytes_word(&sig, w[3]) ||
        !verdict_word(&v, w[5]))
        return 0;
    if (!strcmp(w[4], "der")) {
        struct bytes raw = output(LIMBIC_SM2_SIGNATURE_BYTES), der = output(LIMBIC_MAX_DER_BYTES);
        status = limbic_ecdsa_sig_from_der(c.id, raw.p, raw.n, sig.p, sig.n);
        if (status)
            return untouched(raw) && fits(v, status, 0);
        if (limbic_ecdsa_sig_to_der(c.id, der.p, &der.n, raw.p, raw.n) || !same(der, sig))
            return no("DER to r||s and back is other DER");
        sig = raw;
    } else if (strcmp(w[4], "raw")) {
        return no("malformed line: no form '%s'", w[4]);
    }
    status = limbic_sm2_verify_digest(sig.p, sig.n, point.p, point.n, e.p, e.n);
    return fits(v, status, 1) && der_round_trip(&c, sig, status) &&
           digest_verifies(&c, sig, point, e, status);
}

/* The signature is the one expected and verifies; so does one with a nonce of the library's own. */
static int sm2_sign_k_line(char **w) {
    struct curve c;
    struct bytes d, k, e, expected, sig, point;
    struct verdict v;
    limbic_sm2_signer signer;
    limbic_status status;
    if (!sm2_curve(&c) || !bytes_word(&d, w[1]) || !bytes_word(&k, w[2]) || !bytes_word(&e, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&expected, w[5] ? w[5] : "-"))
        return 0;
    sig = output(LIMBIC_SM2_SIGNATURE_BYTES);
    status = limbic_sm2_sign_digest_with_nonce(sig.p, sig.n, d.p, d.n, e.p, e.n, k.p, k.n);
    if (!fits(v, status, same(sig, expected)))
        return 0;
    if (status)
        return untouched(sig);
    point = output(c.point_bytes);
    if (!must(limbic_ec_public_key(c.id, point.p, point.n, d.p, d.n), LIMBIC_OK, "public_key") ||
        !digest_verifies(&c, sig, point, e, LIMBIC_OK))
        return 0;
    for (int i = 0; i < 2; i++) {
        struct bytes other = output(LIMBIC_SM2_SIGNATURE_BYTES);
        if (i == 0)
            status = limbic_sm2_sign_digest(other.p, other.n, d.p, d.n, e.p, e.n);
        else if (!(status = limbic_sm2_signer_init(&signer, d.p, d.n, NULL, 0))) {
            status = limbic_sm2_signer_sign_digest(&signer, other.p, other.n, e.p, e.n);
            limbic_sm2_signer_wipe(&signer);
        }
        if (!must(status, LIMBIC_OK, i ? "signer" : "sign_digest"))
            return 0;
        if (same(other, sig))
            return no("a nonce that is not random");
        if (limbic_sm2_verify_digest(other.p, other.n, point.p, point.n, e.p, e.n))
            return no("a signature with a nonce of its own does not verify");
    }
    return 1;
}

static int message_verifies(const struct curve *c, struct bytes sig, struct bytes point, struct bytes id,
                            struct bytes msg, limbic_status wanted) {
    struct bytes prepared = output(limbic_ec_prepared_bytes(c->id));
    if (!must(limbic_sm2_verify(sig.p, sig.n, point.p, point.n, id.p, id.n, msg.p, msg.n), wanted, "verify"))
        return 0;
    if (limbic_ec_prepare(c->id, prepared.p, prepared.n, point.p, point.n))
        return wanted != LIMBIC_OK || no("prepare refused the key of a valid signature");
    limbic_sm2_verify_item items[2] = {{.sig = sig.p,
                                        .public_key = point.p,
                                        .id = id.p,
                                        .msg = msg.p,
                                        .sig_len = sig.n,
                                        .public_len = point.n,
                                        .id_len = id.n,
                                        .msg_len = msg.n}};
    items[1] = items[0];
    items[1].prepared = prepared.p;
    items[1].prepared_len = prepared.n;
    return must(limbic_sm2_verify_prepared(prepared.p, prepared.n, sig.p, sig.n, id.p, id.n, msg.p, msg.n),
                wanted, "verify_prepared") &&
           must(limbic_sm2_verify_batch(items, 2), wanted ? LIMBIC_ERR_BATCH : LIMBIC_OK, "verify_batch") &&
           must(items[0].status, wanted, "verify_batch") &&
           must(items[1].status, wanted, "verify_batch, prepared");
}

static int sm2_verify_msg_line(char **w) {
    struct curve c;
    struct bytes id, point, msg, sig;
    struct verdict v;
    limbic_status status;
    if (!sm2_curve(&c) || !id_word(&id, w[1]) || !bytes_word(&point, w[2]) || !bytes_word(&msg, w[3]) ||
        !bytes_word(&sig, w[4]) || !verdict_word(&v, w[5]))
        return 0;
    status = limbic_sm2_verify(sig.p, sig.n, point.p, point.n, id.p, id.n, msg.p, msg.n);
    return fits(v, status, 1) && message_verifies(&c, sig, point, id, msg, status);
}

static int sm2_sign_line(char **w) {
    static uint8_t other_id[] = "another";
    struct curve c;
    struct bytes id, d, k, msg, e, sig, expected, point, other = {other_id, sizeof other_id};
    struct verdict v;
    limbic_sm2_signer signer;
    limbic_status status;
    if (!sm2_curve(&c) || !id_word(&id, w[1]) || !bytes_word(&d, w[2]) || !bytes_word(&k, w[3]) ||
        !bytes_word(&msg, w[4]) || !verdict_word(&v, w[5]) || !bytes_word(&expected, w[6] ? w[6] : "-"))
        return 0;
    sig = output(LIMBIC_SM2_SIGNATURE_BYTES);
    if (v.kind != VALID) { /* the private key or the ID */
        status = limbic_sm2_sign(sig.p, sig.n, d.p, d.n, id.p, id.n, msg.p, msg.n);
        return fits(v, status, 0) && untouched(sig) &&
               must(limbic_sm2_signer_init(&signer, d.p, d.n, id.p, id.n), status, "signer_init");
    }
    point = output(c.point_bytes);
    e = output(LIMBIC_SM2_DIGEST_BYTES);
    if (!must(limbic_ec_public_key(c.id, point.p, point.n, d.p, d.n), LIMBIC_OK, "public_key") ||
        !must(limbic_sm2_digest(e.p, e.n, id.p, id.n, point.p, point.n, msg.p, msg.n), LIMBIC_OK, "digest") ||
        !must(limbic_sm2_sign_digest_with_nonce(sig.p, sig.n, d.p, d.n, e.p, e.n, k.p, k.n), LIMBIC_OK,
              "sign_digest_with_nonce"))
        return 0;
    if (!same(sig, expected))
        return no("wrong signature");
    if (!message_verifies(&c, sig, point, id, msg, LIMBIC_OK) ||
        !message_verifies(&c, sig, point, other, msg, LIMBIC_ERR_SIGNATURE))
        return 0;
    sig = output(LIMBIC_SM2_SIGNATURE_BYTES);
    status = limbic_sm2_sign(sig.p, sig.n, d.p, d.n, id.p, id.n, msg.p, msg.n);
    if (!must(status, LIMBIC_OK, "sign") || !message_verifies(&c, sig, point, id, msg, LIMBIC_OK))
        return 0;
    if (!id.p) { /* the default: this ID, and not the empty one */
        static const char spelled[] = LIMBIC_SM2_DEFAULT_ID;
        struct bytes full = {hold(sizeof spelled - 1), sizeof spelled - 1}, empty = {hold(0), 0};
        memcpy(full.p, spelled, full.n);
        if (!message_verifies(&c, sig, point, full, msg, LIMBIC_OK) ||
            !message_verifies(&c, sig, point, empty, msg, LIMBIC_ERR_SIGNATURE))
            return 0;
    }
    sig = output(LIMBIC_SM2_SIGNATURE_BYTES);
    status = limbic_sm2_signer_init(&signer, d.p, d.n, id.p, id.n);
    if (!status)
        status = limbic_sm2_signer_sign(&signer, sig.p, sig.n, msg.p, msg.n);
    limbic_sm2_signer_wipe(&signer);
    return must(status, LIMBIC_OK, "signer") && message_verifies(&c, sig, point, id, msg, LIMBIC_OK);
}

/* The ciphertext in every other form, by conversion, and from there back. */
static int converts(limbic_sm2_form form, struct bytes ct, struct bytes *others) {
    for (int i = 0; i < FORMS; i++) {
        struct bytes back = output(ct.n + 16); /* DER takes up to 16 bytes more than raw, and asks for that */
        others[i] = output(ct.n + 16);
        if (!must(limbic_sm2_convert((limbic_sm2_form)i, others[i].p, &others[i].n, form, ct.p, ct.n),
                  LIMBIC_OK, "convert") ||
            !must(limbic_sm2_convert(form, back.p, &back.n, (limbic_sm2_form)i, others[i].p, others[i].n),
                  LIMBIC_OK, "convert back"))
            return 0;
        if (!same(back, ct))
            return no("%s to %s and back is another ciphertext", forms[form], forms[i]);
    }
    return same(others[form], ct) || no("%s to itself is another ciphertext", forms[form]);
}

static int sm2_encrypt_line(char **w) {
    struct curve c;
    limbic_sm2_form form;
    struct bytes point, nonces, msg, expected, out, others[FORMS];
    struct verdict v;
    limbic_status status;
    size_t most;
    if (!sm2_curve(&c) || !form_word(&form, w[1]) || !bytes_word(&point, w[2]) ||
        !bytes_word(&nonces, w[3]) || !bytes_word(&msg, w[4]) || !verdict_word(&v, w[5]) ||
        !bytes_word(&expected, w[6] ? w[6] : "-"))
        return 0;
    most = limbic_sm2_ciphertext_bytes(form, msg.n);
    out = output(most ? most : 128);
    status = limbic_sm2_encrypt_with_nonces(form, out.p, &out.n, point.p, point.n, msg.p, msg.n, nonces.p,
                                            nonces.n);
    if (!fits(v, status, same(out, expected)))
        return 0;
    if (status)
        return (out.n == (most ? most : 128) || no("a length was written by a call that refused")) &&
               untouched(out);
    if (form != LIMBIC_SM2_DER && out.n != most)
        return no("ciphertext_bytes is not the length");
    if (!converts(form, out, others))
        return 0;
    for (int i = 0; i < FORMS; i++) {
        struct bytes small, over;
        most = limbic_sm2_ciphertext_bytes((limbic_sm2_form)i, msg.n);
        small = output(most - 1);
        over = output(most);
        memcpy(over.p, msg.p, msg.n);
        status = limbic_sm2_encrypt_with_nonces((limbic_sm2_form)i, over.p, &over.n, point.p, point.n, over.p,
                                                msg.n, nonces.p, nonces.n);
        if (!must(status, LIMBIC_OK, "in place"))
            return 0;
        if (!same(over, others[i]))
            return no("%s: another ciphertext than by conversion", forms[i]);
        if (over.n < most)
            continue;
        status = limbic_sm2_encrypt_with_nonces((limbic_sm2_form)i, small.p, &small.n, point.p, point.n,
                                                msg.p, msg.n, nonces.p, nonces.n);
        if (!must(status, LIMBIC_ERR_BUFFER, "buffer a byte short"))
            return 0;
        if (small.n != most)
            return no("the length asked for is %zu, not %zu", small.n, most);
        small.n = most - 1;
        if (!untouched(small))
            return 0;
    }
    return 1;
}

static int decrypts(limbic_sm2_form form, struct bytes d, struct bytes ct, struct bytes msg) {
    struct bytes out = output(msg.n);
    limbic_status status = limbic_sm2_decrypt(form, out.p, &out.n, d.p, d.n, ct.p, ct.n);
    return must(status, LIMBIC_OK, forms[form]) && (same(out, msg) || no("%s: wrong message", forms[form]));
}

static int sm2_decrypt_line(char **w) {
    struct curve c;
    limbic_sm2_form form;
    struct bytes d, ct, msg, out, others[FORMS], over, point;
    struct verdict v;
    limbic_status status;
    size_t n;
    if (!sm2_curve(&c) || !form_word(&form, w[1]) || !bytes_word(&d, w[2]) || !bytes_word(&ct, w[3]) ||
        !verdict_word(&v, w[4]) || !bytes_word(&msg, w[5] ? w[5] : "-"))
        return 0;
    n = v.kind == VALID ? msg.n : ct.n;
    out = output(n);
    status = limbic_sm2_decrypt(form, out.p, &out.n, d.p, d.n, ct.p, ct.n);
    if (!fits(v, status, same(out, msg)))
        return 0;
    if (status)
        return (out.n == n || no("a length was written by a call that refused")) && untouched(out);
    if (!msg.n || !converts(form, ct, others))
        return no("a message of no bytes");
    for (int i = 0; i < FORMS; i++)
        if (!decrypts((limbic_sm2_form)i, d, others[i], msg))
            return 0;
    out = output(msg.n - 1);
    if (!must(limbic_sm2_decrypt(form, out.p, &out.n, d.p, d.n, ct.p, ct.n), LIMBIC_ERR_BUFFER,
              "buffer a byte short"))
        return 0;
    if (out.n != msg.n)
        return no("the length asked for is %zu, not %zu", out.n, msg.n);
    out.n = msg.n - 1;
    over = duplicate(ct);
    if (!untouched(out) ||
        !must(limbic_sm2_decrypt(form, over.p, &over.n, d.p, d.n, over.p, ct.n), LIMBIC_OK, "in place"))
        return 0;
    if (!same(over, msg))
        return no("in place: wrong message");
    point = output(c.point_bytes);
    out = output(limbic_sm2_ciphertext_bytes(form, msg.n));
    return must(limbic_ec_public_key(c.id, point.p, point.n, d.p, d.n), LIMBIC_OK, "public_key") &&
           must(limbic_sm2_encrypt(form, out.p, &out.n, point.p, point.n, msg.p, msg.n), LIMBIC_OK,
                "encrypt") &&
           (!same(out, ct) || no("a nonce that is not random")) && decrypts(form, d, out, msg);
}

static int sm2_exchange_line(char **w) {
    struct curve c;
    struct bytes d, r, id, point, ephemeral, peer_id, expected, expected_send, expected_expect, key, send,
        expect;
    struct verdict v;
    limbic_sm2_exchange x;
    limbic_status status;
    memset(&x, 0, sizeof x);
    x.responder = !strcmp(w[1], "B");
    if (!x.responder && strcmp(w[1], "A"))
        return no("malformed line: no side '%s'", w[1]);
    if (!sm2_curve(&c) || !bytes_word(&d, w[2]) || !bytes_word(&r, w[3]) || !id_word(&id, w[4]) ||
        !bytes_word(&point, w[5]) || !bytes_word(&ephemeral, w[6]) || !id_word(&peer_id, w[7]) ||
        !verdict_word(&v, w[8]) || !bytes_word(&expected, w[9] ? w[9] : "00") ||
        !bytes_word(&expected_send, w[9] && w[10] ? w[10] : "-") ||
        !bytes_word(&expected_expect, w[9] && w[10] ? w[11] : "-"))
        return 0;
    x.private_key = d.p;
    x.ephemeral_private = r.p;
    x.peer_public = point.p;
    x.peer_public_len = point.n;
    x.peer_ephemeral = ephemeral.p;
    x.peer_ephemeral_len = ephemeral.n;
    x.id = id.p;
    x.id_len = id.n;
    x.peer_id = peer_id.p;
    x.peer_id_len = peer_id.n;
    key = output(expected.n);
    send = output(LIMBIC_SM2_DIGEST_BYTES);
    expect = output(LIMBIC_SM2_DIGEST_BYTES);
    status = limbic_sm2_exchange_key(&x, key.p, key.n, send.p, expect.p);
    if (!fits(v, status, same(key, expected)))
        return 0;
    if (status)
        return untouched(key) && untouched(send) && untouched(expect);
    if (expected_send.n && (!same(send, expected_send) || !same(expect, expected_expect)))
        return no("wrong confirmation");
    if (!must(limbic_sm2_confirm(expect.p, expected_expect.n ? expected_expect.p : expect.p, expect.n),
              LIMBIC_OK, "confirm"))
        return 0;
    for (size_t i = 0; i < expect.n; i += 31) {
        struct bytes wrong = duplicate(expect);
        wrong.p[i] ^= 1;
        if (!must(limbic_sm2_confirm(expect.p, wrong.p, wrong.n), LIMBIC_ERR_CONFIRM, "a changed value"))
            return 0;
    }
    key = output(expected.n);
    status = limbic_sm2_exchange_key(&x, key.p, key.n, NULL, NULL);
    return must(status, LIMBIC_OK, "without confirmation") &&
           (same(key, expected) || no("another key without confirmation"));
}

const struct item hash_items[] = {
    {"digest", 4, 4, digest_line, 1},
    {"hmac", 6, 6, hmac_line, 1},
    {NULL, 0, 0, NULL, 0},
};

const struct item sm2_items[] = {
    {"sm2_z", 5, 7, sm2_z_line, 0},
    {"sm2_verify", 6, 6, sm2_verify_line, 0},
    {"sm2_sign_k", 5, 6, sm2_sign_k_line, 0},
    {"sm2_verify_msg", 6, 6, sm2_verify_msg_line, 0},
    {"sm2_sign", 6, 7, sm2_sign_line, 0},
    {"sm2_encrypt", 6, 7, sm2_encrypt_line, 0},
    {"sm2_decrypt", 5, 6, sm2_decrypt_line, 0},
    {"sm2_exchange", 9, 12, sm2_exchange_line, 0},
    {NULL, 0, 0, NULL, 0},
};
