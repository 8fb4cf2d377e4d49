// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weighted sums of rows of a table: a thread for each bag goes through the rows of its own, whose count differs, and
// adds eight columns of each to a private array. Arguments: bags, iterations.
#include "bags.h"

__global__ void add_rows(const int *starts, const int *members, const float *weights, const float *table, float *out,
                         int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sums[WIDTH] = {0};
  for (int k = starts[i]; k < starts[i + 1]; k++) {
    const float *row = table + members[k] * WIDTH;
    for (int c = 0; c < WIDTH; c++)
      sums[c] += weights[k] * row[c];
  }
  for (int c = 0; c < WIDTH; c++)
    out[i * WIDTH + c] = sums[c];
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 16, 1, "bags");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  bags b = make_bags(count);
  float *sums = (float *)bench_allocate((size_t)count * WIDTH * sizeof(float));
  int *starts = bench_to_device(b.starts, count + 1), *members = bench_to_device(b.members, b.starts[count]);
  float *weights = bench_to_device(b.weights, b.starts[count]), *table = bench_to_device(b.table, TABLE * WIDTH);
  float *sums_device = bench_to_device(sums, (size_t)count * WIDTH);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    add_rows<<<(count + 127) / 128, 128>>>(starts, members, weights, table, sums_device, count);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(sums, sums_device, (size_t)count * WIDTH);
  bench_report_floats(time_ms, sums, (size_t)count * WIDTH, 1e-5);
  return 0;
}
