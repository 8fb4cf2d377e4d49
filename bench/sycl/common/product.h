// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix product of the twins: C = beta C + alpha A op(B), of n by n matrices, where op is nothing or the
// transpose. Panels of 32 columns of op(B) are packed for each block of 256 rows of it, so that the inner loop reads
// them in order; six rows of C by 32 columns stay in registers.
#ifndef BENCH_SYCL_PRODUCT_H
#define BENCH_SYCL_PRODUCT_H

#include "../../common/bench.h"

enum { PRODUCT_ROWS = 6, PRODUCT_COLUMNS = 32, PRODUCT_DEPTH = 256 };

static inline void product_tile(const float *a, long n, const float *panel, long depth, int rows, float alpha, float *c,
                                long columns) {
  float sums[PRODUCT_ROWS][PRODUCT_COLUMNS] = {{0}};
  if (rows == PRODUCT_ROWS) {
    for (long k = 0; k < depth; k++)
      for (int i = 0; i < PRODUCT_ROWS; i++)
#pragma omp simd
        for (int j = 0; j < PRODUCT_COLUMNS; j++)
          sums[i][j] += a[i * n + k] * panel[k * PRODUCT_COLUMNS + j];
  } else {
    for (long k = 0; k < depth; k++)
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < PRODUCT_COLUMNS; j++)
          sums[i][j] += a[i * n + k] * panel[k * PRODUCT_COLUMNS + j];
  }
  for (int i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      c[i * n + j] += alpha * sums[i][j];
}

static inline void product(const float *a, const float *b, int transposed, float *c, long n, float alpha, float beta) {
  const long panels = (n + PRODUCT_COLUMNS - 1) / PRODUCT_COLUMNS;
  float *packed = (float *)bench_allocate((size_t)panels * PRODUCT_COLUMNS * PRODUCT_DEPTH * sizeof(float));
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 0; i < n * n; i++)
      c[i] *= beta;
    for (long start = 0; start < n; start += PRODUCT_DEPTH) {
      const long depth = n - start < PRODUCT_DEPTH ? n - start : PRODUCT_DEPTH;
#pragma omp for schedule(static)
      for (long p = 0; p < panels; p++)
        for (long k = 0; k < depth; k++)
          for (long j = 0; j < PRODUCT_COLUMNS; j++) {
            const long column = p * PRODUCT_COLUMNS + j;
            packed[(p * PRODUCT_DEPTH + k) * PRODUCT_COLUMNS + j] = column >= n  ? 0
                                                                    : transposed ? b[column * n + start + k]
                                                                                 : b[(start + k) * n + column];
          }
#pragma omp for schedule(dynamic)
      for (long band = 0; band < n; band += 16 * PRODUCT_ROWS)
        for (long p = 0; p < panels; p++)
          for (long i = band; i < n && i < band + 16 * PRODUCT_ROWS; i += PRODUCT_ROWS)
            product_tile(a + i * n + start, n, packed + p * PRODUCT_DEPTH * PRODUCT_COLUMNS, depth,
                         n - i < PRODUCT_ROWS ? (int)(n - i) : PRODUCT_ROWS, alpha, c + i * n + p * PRODUCT_COLUMNS,
                         n - p * PRODUCT_COLUMNS < PRODUCT_COLUMNS ? n - p * PRODUCT_COLUMNS : PRODUCT_COLUMNS);
    }
  }
  free(packed);
}

#endif
