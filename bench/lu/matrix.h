// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random matrix whose diagonal is so heavy that it needs no pivots, the same in both programs of the pair.
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include "../common/bench.h"

static inline float *make_matrix(int side) {
  float *matrix = bench_random_floats((size_t)side * side, 26, -1, 1);
  for (int i = 0; i < side; i++)
    matrix[(size_t)i * side + i] += (float)side;
  return matrix;
}

#endif
