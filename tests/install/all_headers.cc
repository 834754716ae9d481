// Every public header in one C++ program that calls what a C++ caller would.
#include "limbic/limbic.h"
#include "limbic/field.h"
#include "limbic/ec.h"
#include "limbic/ecdsa.h"
#include "limbic/ecdh.h"
#include "limbic/hash.h"
#include "limbic/key.h"
#include "limbic/mpn.h"
#include "limbic/rsa.h"
#include "limbic/sm2.h"

#include <cstdio>
#include <vector>

int main() {
    std::vector<uint8_t> key(limbic_curve_bytes(LIMBIC_P384)), point(1 + 2 * key.size());
    std::vector<uint64_t> one(6);
    limbic_status s = limbic_ec_keygen(LIMBIC_P384, key.data(), key.size(), point.data(), point.size());
    one[0] = 1;
    limbic_p384_to_residue(one.data(), one.data());
    limbic_p384_inv(one.data(), one.data());
    limbic_p384_from_residue(one.data(), one.data());
    std::vector<uint8_t> digest(limbic_hash_bytes(LIMBIC_SM3)), sig(LIMBIC_SM2_SIGNATURE_BYTES),
        der(LIMBIC_RSA_PRIVATE_WORDS(2048));
    limbic_sm2_signer signer;
    uint64_t three = 3, seven = 7, power = 0;
    size_t der_len = der.size();
    limbic_key_info info;
    if (s == LIMBIC_OK)
        s = limbic_ec_private_to_der(LIMBIC_P384, LIMBIC_KEY_PKCS8, der.data(), &der_len, key.data(),
                                     key.size());
    if (s == LIMBIC_OK)
        s = limbic_key_inspect(&info, der.data(), der_len);
    if (s == LIMBIC_OK)
        s = limbic_mpn_sec_powm(&power, &three, 1, &three, 2, &seven, 1);
    if (s == LIMBIC_OK)
        s = limbic_digest(LIMBIC_SM3, digest.data(), digest.size(), nullptr, 0);
    if (s == LIMBIC_OK)
        s = limbic_sm2_signer_init(&signer, digest.data(), digest.size(), nullptr, 0);
    if (s == LIMBIC_OK)
        s = limbic_sm2_signer_sign_digest(&signer, sig.data(), sig.size(), digest.data(), digest.size());
    if (limbic_rsa_bits(nullptr, 0) != 0 || info.curve != LIMBIC_P384 || power != 6)
        s = LIMBIC_ERR_SELFTEST;
    std::printf("%s %s %d\n", limbic_version(), limbic_status_string(s), static_cast<int>(one[0]));
    return s == LIMBIC_OK && one[0] == 1 ? 0 : 1;
}
