#include "consts/p384.h"

#define FIELD p384
#include "field/fixed.h"
