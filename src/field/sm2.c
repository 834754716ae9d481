/* SM2: the field. */
#include "field/sm2.h"

#define FIELD              sm2
#define FIELD_MUL(r, a, b) sm2_product(r, a, b, 0)
#define FIELD_SQR(r, a)    sm2_product(r, a, a, 1)
#include "field/fixed.h"
