// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells of charges in a ring, the same in both programs of the pair: each charge is pulled by those of its cell and of
// the next ones.
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include "../../common/bench.h"

enum { IN_CELL = 96, NEAR = 9 };

typedef struct charge {
  float x, y, z, size;
} charge;

typedef struct pull {
  float x, y, z, energy;
} pull;

static inline charge *make_charges(int cells) {
  return (charge *)bench_random_floats((size_t)cells * IN_CELL * sizeof(charge) / sizeof(float), 71, 0, 1);
}

#endif
