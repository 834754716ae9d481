#include "consts/sm2.h"

#define FIELD sm2
#include "field/fixed.h"
