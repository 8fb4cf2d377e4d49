// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of shifts, of squares.
#ifndef SHIFTS_H
#define SHIFTS_H

#include "../../common/bench.h"

enum { PATCH = 51, REGION = 81, SHIFTS = PATCH + REGION - 1 };
typedef struct sizes {
  int patch, region, shifts, count;
} sizes;

#endif
