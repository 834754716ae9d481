#include "consts/p256.h"

#define FIELD p256
#include "field/fixed.h"
