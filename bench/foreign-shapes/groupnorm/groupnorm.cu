// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of values brought to mean 0 and variance 1: a block for each group, whose warps all sum the whole group, each by
// itself, so that none waits for the others. Arguments: groups, values of each, iterations.
#include "../../common/bench.h"

__device__ float sum_of_warp(float value) {
  for (int step = 16; step; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__global__ void normalize(const float *in, float *out, int size) {
  const float *group = in + (size_t)blockIdx.x * size;
  const int lane = threadIdx.x % 32;
  float sum = 0, squares = 0;
  for (int k = lane; k < size; k += 32) {
    sum += group[k];
    squares += group[k] * group[k];
  }
  const float mean = sum_of_warp(sum) / size, scale = rsqrtf(sum_of_warp(squares) / size - mean * mean + 1e-5f);
  for (int k = threadIdx.x; k < size; k += blockDim.x)
    out[(size_t)blockIdx.x * size + k] = (group[k] - mean) * scale;
}

int main(int argc, char **argv) {
  const int groups = (int)bench_argument(argc, argv, 1, 512, 1, "groups");
  const int size = (int)bench_argument(argc, argv, 2, 1024, 1, "values");
  const int iterations = (int)bench_argument(argc, argv, 3, 300, 1, "iterations");
  const size_t count = (size_t)groups * size;
  float *in = bench_random_floats(count, 102, -1, 3), *in_device = bench_to_device(in, count),
        *out_device = bench_to_device(in, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    normalize<<<groups, 512>>>(in_device, out_device, size);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(in, out_device, count);
  bench_report_floats(time_ms, in, count, 1e-3);
  return 0;
}
