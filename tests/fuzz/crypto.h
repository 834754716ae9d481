/* Our curves in libcrypto. */
#ifndef LIMBIC_TESTS_FUZZ_CRYPTO_H
#define LIMBIC_TESTS_FUZZ_CRYPTO_H

#define OPENSSL_SUPPRESS_DEPRECATED /* EC_KEY, ECDSA_do_verify */
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include "fuzz.h"
#include "limbic/ec.h"

/* The group of a curve; NULL for an unknown one. */
__attribute__((unused)) static const EC_GROUP *group_of(limbic_curve curve) {
    static const int nids[] = {[LIMBIC_P256] = NID_X9_62_prime256v1,
                               [LIMBIC_P384] = NID_secp384r1,
                               [LIMBIC_P521] = NID_secp521r1,
                               [LIMBIC_SM2] = NID_sm2};
    static EC_GROUP *groups[sizeof nids / sizeof nids[0]];
    if (limbic_curve_bytes(curve) == 0)
        return NULL;
    if (!groups[curve])
        groups[curve] = EC_GROUP_new_by_curve_name(nids[curve]);
    REQUIRE(groups[curve], "libcrypto lacks %s", limbic_curve_name(curve));
    return groups[curve];
}

__attribute__((unused)) static limbic_curve take_curve(struct input *in) {
    return (limbic_curve)(1 + take_byte(in) % 4);
}

#endif
