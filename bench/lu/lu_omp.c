// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU decomposition in place by hand, in stripes of 32: the stripe's columns, then its rows, then rows of what remains
// over the threads, four steps of the stripe at once for each load of the row. Arguments: side (a multiple of 16),
// iterations.
#include "matrix.h"

enum { STRIPE = 32 };

static void decompose(float *matrix, int side) {
  for (int first = 0; first < side; first += STRIPE) {
    const int last = first + STRIPE < side ? first + STRIPE : side;
    for (int step = first; step < last; step++) { // the stripe's columns, all the way down
      const float *pivot = matrix + (size_t)step * side;
#pragma omp parallel for schedule(static) if (side - step > 256)
      for (int row = step + 1; row < side; row++) {
        float *own = matrix + (size_t)row * side;
        const float factor = own[step] /= pivot[step];
#pragma omp simd
        for (int column = step + 1; column < last; column++)
          own[column] -= factor * pivot[column];
      }
    }
    for (int row = first + 1; row < last; row++) // the stripe's rows, to the right
      for (int k = first; k < row; k++) {
        float *own = matrix + (size_t)row * side;
        const float *other = matrix + (size_t)k * side, factor = own[k];
#pragma omp simd
        for (int column = last; column < side; column++)
          own[column] -= factor * other[column];
      }
#pragma omp parallel for schedule(static)
    for (int row = last; row < side; row++) {
      float *own = matrix + (size_t)row * side;
      for (int k = first; k < last; k += 4) {
        const float *pivot = matrix + (size_t)k * side;
        const float a = own[k], b = own[k + 1], c = own[k + 2], d = own[k + 3];
#pragma omp simd
        for (int column = last; column < side; column++)
          own[column] -= a * pivot[column] + b * (pivot + side)[column] + c * (pivot + 2 * side)[column] +
                         d * (pivot + 3 * side)[column];
      }
    }
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 1024, 16, "side") / 16 * 16;
  const int iterations = (int)bench_argument(argc, argv, 2, 12, 1, "iterations");
  float *original = make_matrix(side), *work = bench_allocate((size_t)side * side * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    memcpy(work, original, (size_t)side * side * sizeof(float));
    decompose(work, side);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, work, (size_t)side * side, 1e-4);
  free(original);
  free(work);
  return 0;
}
