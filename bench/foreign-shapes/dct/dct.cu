// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cosine transforms of eight values that follow each other: a thread for each eight, which it loads, transforms and
// stores one by one, so that neighbouring threads are eight elements apart. Arguments: groups of eight, iterations.
#include "cosines.h"

__constant__ float cosines[POINTS][POINTS];

__global__ void transform(const float *in, float *out, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups)
    return;
  float numbers[POINTS];
  for (int j = 0; j < POINTS; j++)
    numbers[j] = in[group * POINTS + j];
  for (int k = 0; k < POINTS; k++) {
    float sum = 0;
    for (int j = 0; j < POINTS; j++)
      sum += cosines[k][j] * numbers[j];
    out[group * POINTS + k] = sum;
  }
}

int main(int argc, char **argv) {
  const int groups = (int)bench_argument(argc, argv, 1, 1 << 15, 1, "groups");
  const int iterations = (int)bench_argument(argc, argv, 2, 1000, 1, "iterations");
  float table[POINTS][POINTS], *numbers = bench_random_floats((size_t)groups * POINTS, 66, 0, 1);
  make_cosines(table);
  BENCH_CHECK(cudaMemcpyToSymbol(cosines, table, sizeof table));
  float *now = bench_to_device(numbers, (size_t)groups * POINTS),
        *next = bench_to_device(numbers, (size_t)groups * POINTS);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    transform<<<(groups + 127) / 128, 128>>>(now, next, groups);
    float *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(numbers, now, (size_t)groups * POINTS);
  bench_report_floats(time_ms, numbers, (size_t)groups * POINTS, 1e-3);
  return 0;
}
