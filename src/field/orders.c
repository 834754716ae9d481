/* The orders of the curves: Montgomery products. */
#include "consts/units.h"

#define FIELD p256n
#include "field/fixed.h"

#define FIELD p384n
#include "field/fixed.h"

#define FIELD p521n
#include "field/fixed.h"

#define FIELD sm2n
#include "field/fixed.h"
