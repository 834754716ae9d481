// Every public header in one C++ program that calls what a C++ caller would.
#include "limbic/limbic.h"
#include "limbic/field.h"
#include "limbic/ec.h"
#include "limbic/ecdsa.h"
#include "limbic/ecdh.h"

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
    std::printf("%s %s %d\n", limbic_version(), limbic_status_string(s), static_cast<int>(one[0]));
    return s == LIMBIC_OK && one[0] == 1 ? 0 : 1;
}
