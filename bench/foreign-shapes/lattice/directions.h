// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lattice Boltzmann in two dimensions with nine directions, the same values in both programs of the pair.
#ifndef BENCH_DIRECTIONS_H
#define BENCH_DIRECTIONS_H

#include "../../common/bench.h"

enum { DIRECTIONS = 9 };

typedef struct cell {
  float f[DIRECTIONS];
} cell;

static inline cell *make_cells(int n) {
  cell *cells = (cell *)bench_allocate((size_t)n * n * sizeof(cell));
  uint32_t state = 71;
  for (size_t i = 0; i < (size_t)n * n; i++)
    for (int d = 0; d < DIRECTIONS; d++)
      cells[i].f[d] = 0.1f + 0.02f * bench_random_float(&state);
  return cells;
}

#endif
