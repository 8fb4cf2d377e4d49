// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of signed numbers of 16 bits brought to a common peak by hand: the peak of a row once, in vectors of 16 bits.
// Arguments: rows, numbers of each, iterations.
#include "../../common/bench.h"

static void scale(const short *restrict in, float *restrict out, int rows, int size) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; y++) {
    const short *row = in + (size_t)y * size;
    unsigned short peak = 1;
#pragma omp simd reduction(max : peak)
    for (int k = 0; k < size; k++) {
      const unsigned short own = (unsigned short)(row[k] < 0 ? -row[k] : row[k]);
      peak = peak < own ? own : peak;
    }
    const float factor = 1.0f / peak;
#pragma omp simd
    for (int k = 0; k < size; k++)
      out[(size_t)y * size + k] = row[k] * factor;
  }
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 256, 1, "rows");
  const int size = (int)bench_argument(argc, argv, 2, 2000, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 3, 400, 1, "iterations");
  const size_t count = (size_t)rows * size;
  short *in = bench_allocate(count * sizeof(short));
  uint32_t state = 103;
  for (size_t i = 0; i < count; i++)
    in[i] = (short)(bench_random(&state) % 20001 - 10000);
  float *out = bench_allocate(count * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    scale(in, out, rows, size);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, out, count, 1e-5);
  return 0;
}
