#include "scheme/der.h"

#include "base/limb.h"
#include "base/secret.h"
#include "curve/curve.h"
#include "limbic/ecdsa.h"

int limbic_der_get(struct limbic_der *in, uint8_t tag, struct limbic_der *contents) {
    const uint8_t *p = in->p;
    if (in->n < 2 || p[0] != tag)
        return 0;
    size_t header = 2, n = p[1];
    if (n >= 0x80) {
        size_t octets = n & 0x7f; /* 0, the indefinite form, falls to the test for the shortest form */
        if (octets > sizeof n || octets > in->n - 2)
            return 0;
        n = 0;
        for (size_t i = 0; i < octets; i++)
            n = n << 8 | p[2 + i];
        header += octets;
        if (n < 0x80 || p[2] == 0)
            return 0;
    }
    if (n > in->n - header)
        return 0;
    contents->p = p + header;
    contents->n = n;
    in->p += header + n;
    in->n -= header + n;
    return 1;
}

int limbic_der_get_unsigned(struct limbic_der *in, struct limbic_der *magnitude) {
    struct limbic_der m, rest = *in;
    if (!limbic_der_get(&rest, LIMBIC_DER_INTEGER, &m) || m.n == 0)
        return 0;
    size_t zero = limbic_mask_zero(m.p[0]) & 1, bad = m.p[0] >> 7;
    if (m.n > 1)
        bad |= zero & (m.p[1] >> 7 ^ 1);
    LIMBIC_DECLASSIFY(&zero, sizeof zero); /* the bit length is a multiple of 8 */
    LIMBIC_DECLASSIFY(&bad, sizeof bad);
    if (bad)
        return 0;
    magnitude->p = m.p + zero;
    magnitude->n = m.n - zero;
    *in = rest;
    return 1;
}

size_t limbic_der_put_header(uint8_t *out, uint8_t tag, size_t n) {
    size_t octets = 0;
    if (n >= 0x80)
        for (size_t x = n; x; x >>= 8)
            octets++;
    if (out) {
        out[0] = tag;
        out[1] = (uint8_t)(octets ? 0x80 | octets : n);
        for (size_t i = 0; i < octets; i++)
            out[2 + i] = (uint8_t)(n >> (8 * (octets - 1 - i)));
    }
    return 2 + octets;
}

size_t limbic_der_put_unsigned(uint8_t *out, const uint8_t *in, size_t n) {
    for (; n; in++, n--) {
        uint64_t leading = limbic_mask_zero(in[0]);
        LIMBIC_DECLASSIFY(&leading, sizeof leading);
        if (!leading)
            break;
    }
    size_t zero = n ? in[0] >> 7 : 1; /* a byte 00 for the sign, or for the number 0 */
    LIMBIC_DECLASSIFY(&zero, sizeof zero);
    size_t header = limbic_der_put_header(out, LIMBIC_DER_INTEGER, zero + n);
    if (out) {
        out += header;
        if (zero)
            *out++ = 0;
        if (n)
            memcpy(out, in, n);
    }
    return header + zero + n;
}

/* LIMBIC_OK if the number is in [1, n - 1]. */
static limbic_status check_range(const struct limbic_curve_desc *c, const uint8_t *number) {
    uint64_t x[LIMBIC_MAX_LIMBS];
    const struct limbic_modulus *order = limbic_modulus((enum limbic_unit)c->order);
    limbic_words_from_be(x, order->limbs, number, c->bytes);
    int in_range = !limbic_words_zero_mask(x, order->limbs) && limbic_words_less(x, order->m, order->limbs);
    return in_range ? LIMBIC_OK : LIMBIC_ERR_SIGNATURE_RANGE;
}

limbic_status limbic_ecdsa_sig_to_der(limbic_curve curve, uint8_t *der, size_t *der_len, const uint8_t *sig,
                                      size_t sig_len) {
    if (!der_len || !sig || (!der && *der_len))
        return LIMBIC_ERR_NULL;
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    if (!c)
        return LIMBIC_ERR_CURVE;
    size_t bytes = c->bytes;
    if (sig_len != 2 * bytes)
        return LIMBIC_ERR_LENGTH;
    uint8_t rs[LIMBIC_MAX_SIGNATURE_BYTES]; /* der may overlap sig */
    memcpy(rs, sig, sig_len);
    limbic_status status = check_range(c, rs);
    if (status == LIMBIC_OK)
        status = check_range(c, rs + bytes);
    if (status != LIMBIC_OK)
        return status;
    size_t numbers = limbic_der_put_unsigned(NULL, rs, bytes);
    numbers += limbic_der_put_unsigned(NULL, rs + bytes, bytes);
    size_t size = *der_len, need = limbic_der_put_header(NULL, LIMBIC_DER_SEQUENCE, numbers) + numbers;
    *der_len = need;
    if (size < need)
        return LIMBIC_ERR_BUFFER;
    der += limbic_der_put_header(der, LIMBIC_DER_SEQUENCE, numbers);
    der += limbic_der_put_unsigned(der, rs, bytes);
    limbic_der_put_unsigned(der, rs + bytes, bytes);
    return LIMBIC_OK;
}

limbic_status limbic_ecdsa_sig_from_der(limbic_curve curve, uint8_t *sig, size_t sig_len, const uint8_t *der,
                                        size_t der_len) {
    if (!sig || !der)
        return LIMBIC_ERR_NULL;
    const struct limbic_curve_desc *c = limbic_curve_desc(curve);
    if (!c)
        return LIMBIC_ERR_CURVE;
    size_t bytes = c->bytes;
    if (sig_len != 2 * bytes)
        return LIMBIC_ERR_LENGTH;
    struct limbic_der in = {der, der_len}, numbers, number[2];
    if (!limbic_der_get(&in, LIMBIC_DER_SEQUENCE, &numbers) || in.n)
        return LIMBIC_ERR_DER;
    for (size_t i = 0; i < 2; i++)
        if (!limbic_der_get_unsigned(&numbers, &number[i]))
            return LIMBIC_ERR_DER;
    if (numbers.n)
        return LIMBIC_ERR_DER;
    uint8_t rs[LIMBIC_MAX_SIGNATURE_BYTES] = {0}; /* sig may overlap der */
    for (size_t i = 0; i < 2; i++) {
        if (number[i].n > bytes)
            return LIMBIC_ERR_SIGNATURE_RANGE;
        if (number[i].n)
            memcpy(rs + (i + 1) * bytes - number[i].n, number[i].p, number[i].n);
        limbic_status status = check_range(c, rs + i * bytes);
        if (status != LIMBIC_OK)
            return status;
    }
    memcpy(sig, rs, sig_len);
    return LIMBIC_OK;
}
