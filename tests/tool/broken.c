/* Stands in for two functions of the library, so that the tool's failures can be seen. */
#include "limbic/ecdh.h"

#include <string.h>

limbic_status limbic_selftest(char *what, size_t size) {
    static const char name[] = "p256 \"broken\"";
    if (what != NULL && size >= sizeof name)
        memcpy(what, name, sizeof name);
    return LIMBIC_ERR_SELFTEST;
}

limbic_status limbic_ecdh(limbic_curve curve, uint8_t *secret, size_t secret_len, const uint8_t *private_key,
                          size_t private_len, const uint8_t *peer, size_t peer_len) {
    (void)curve, (void)secret, (void)secret_len, (void)private_key, (void)private_len, (void)peer,
        (void)peer_len;
    return LIMBIC_ERR_RANDOM;
}
