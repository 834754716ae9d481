#include "limbic/limbic.h"

const char *limbic_version(void) {
    return LIMBIC_VERSION;
}

const char *limbic_status_string(limbic_status status) {
    switch (status) {
    case LIMBIC_OK:
        return "ok";
    case LIMBIC_ERR_NULL:
        return "a pointer is NULL";
    case LIMBIC_ERR_LENGTH:
        return "a buffer has the wrong length";
    case LIMBIC_ERR_BUFFER:
        return "an output buffer is too small";
    case LIMBIC_ERR_CURVE:
        return "no such curve, or not for this operation";
    case LIMBIC_ERR_HASH:
        return "no such hash";
    case LIMBIC_ERR_POINT_FORM:
        return "no such form of a point: it starts with 02, 03 or 04";
    case LIMBIC_ERR_COORDINATE:
        return "a coordinate is not below the prime";
    case LIMBIC_ERR_NOT_ON_CURVE:
        return "a point is not on the curve";
    case LIMBIC_ERR_INFINITY:
        return "a point is the point at infinity";
    case LIMBIC_ERR_PRIVATE_KEY:
        return "a private key is zero or too large";
    case LIMBIC_ERR_SIGNATURE_RANGE:
        return "r or s is zero, or not below the order";
    case LIMBIC_ERR_SIGNATURE:
        return "the signature does not verify";
    case LIMBIC_ERR_DER:
        return "not a DER encoding";
    case LIMBIC_ERR_RANDOM:
        return "the system gave no random bytes";
    case LIMBIC_ERR_VALUE:
        return "a number is not below its modulus";
    case LIMBIC_ERR_MODULUS:
        return "a modulus is even or below 3";
    case LIMBIC_ERR_ALIGNMENT:
        return "a buffer is not aligned to 8 bytes";
    case LIMBIC_ERR_PREPARED:
        return "not a prepared key";
    case LIMBIC_ERR_SELFTEST:
        return "a self-test failed";
    }
    return "unknown status";
}
