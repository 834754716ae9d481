#include "limbic/limbic.h"

const char *limbic_version(void) {
    return LIMBIC_VERSION;
}

const char *limbic_status_string(limbic_status status) {
    switch (status) {
    case LIMBIC_OK:
        return "ok";
    case LIMBIC_ERR_NULL:
        return "a pointer is NULL, or a number is missing";
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
        return "not a private key: zero, too large, or of numbers that do not belong together";
    case LIMBIC_ERR_SIGNATURE_RANGE:
        return "a number of the signature is zero or too large";
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
        return "the buffer holds no key";
    case LIMBIC_ERR_SELFTEST:
        return "a self-test failed";
    case LIMBIC_ERR_ID:
        return "an ID is longer than 8191 bytes";
    case LIMBIC_ERR_MESSAGE:
        return "a message is empty, or too long for the key";
    case LIMBIC_ERR_DECRYPT:
        return "the ciphertext is not one for this key, or was changed";
    case LIMBIC_ERR_FORM:
        return "no such form of a ciphertext or key";
    case LIMBIC_ERR_CONFIRM:
        return "the confirmation is not the expected one";
    case LIMBIC_ERR_KEY_SIZE:
        return "a modulus has too few or too many bits for this operation";
    case LIMBIC_ERR_PUBLIC_KEY:
        return "not a public key, or not the one of the private key";
    case LIMBIC_ERR_SALT:
        return "the salt does not fit the key";
    case LIMBIC_ERR_FAULT:
        return "a computation went wrong; its result was held back";
    case LIMBIC_ERR_ALGORITHM:
        return "a key is of another algorithm, curve or kind";
    case LIMBIC_ERR_ENCRYPTED:
        return "a key is encrypted";
    case LIMBIC_ERR_PEM:
        return "no PEM block with a key, or a damaged one";
    case LIMBIC_ERR_BATCH:
        return "an item of a batch failed";
    }
    return "unknown status";
}
