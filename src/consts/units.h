/* Generated from params.py by gen.py. */
/* clang-format off */
#ifndef LIMBIC_CONSTS_UNITS_H
#define LIMBIC_CONSTS_UNITS_H

#include "consts/p256.h"
#include "consts/p256n.h"
#include "consts/p384.h"
#include "consts/p384n.h"
#include "consts/p521.h"
#include "consts/p521n.h"
#include "consts/sm2.h"
#include "consts/sm2n.h"

#endif
