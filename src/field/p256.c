/* P-256: the field. */
#include "field/p256.h"

#define FIELD              p256
#define FIELD_MUL(r, a, b) p256_product(r, a, b, 0)
#define FIELD_SQR(r, a)    p256_product(r, a, a, 1)
#include "field/fixed.h"
