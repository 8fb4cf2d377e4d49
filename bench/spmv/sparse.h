// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random sparse matrix in compressed rows, the same in both programs of the pair: 1 to 63 values a row, in places
// that grow along the row.
#ifndef BENCH_SPARSE_H
#define BENCH_SPARSE_H

#include "../common/bench.h"

typedef struct sparse {
  int rows;
  int *starts; // rows + 1 positions in columns and values
  int *columns;
  float *values;
} sparse;

static inline sparse make_sparse(int rows) {
  sparse m;
  uint32_t state = 28;
  m.rows = rows;
  m.starts = (int *)bench_allocate((rows + 1) * sizeof(int));
  for (int row = 0; row < rows; row++)
    m.starts[row + 1] = m.starts[row] + 1 + (int)(bench_random(&state) % 63);
  m.columns = (int *)bench_allocate(m.starts[rows] * sizeof(int));
  m.values = bench_random_floats(m.starts[rows], 29, -0.05f, 0.05f);
  for (int row = 0; row < rows; row++) {
    const int size = m.starts[row + 1] - m.starts[row], stretch = rows / size > 0 ? rows / size : 1;
    for (int k = 0; k < size; k++)
      m.columns[m.starts[row] + k] = (k * stretch + (int)(bench_random(&state) % (uint32_t)stretch)) % rows;
  }
  return m;
}

static inline void free_sparse(sparse m) {
  free(m.starts);
  free(m.columns);
  free(m.values);
}

#endif
