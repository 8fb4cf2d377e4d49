// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cosines of the transform of eight values, the same in both programs of the pair.
#ifndef BENCH_COSINES_H
#define BENCH_COSINES_H

#include "../../common/bench.h"

enum { POINTS = 8 };

// cosines[k][j]: what value j adds to coefficient k.
static inline void make_cosines(float cosines[POINTS][POINTS]) {
  for (int k = 0; k < POINTS; k++)
    for (int j = 0; j < POINTS; j++)
      cosines[k][j] =
          (float)(sqrt((k ? 2.0 : 1.0) / POINTS) * cos(3.14159265358979 * (2 * j + 1) * k / (2.0 * POINTS)));
}

#endif
