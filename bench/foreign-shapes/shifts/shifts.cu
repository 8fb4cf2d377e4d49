// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patches laid over regions of an image at all shifts at which they meet, as trackers do: a block a patch, a thread each 256th
// shift, columns counted from 1. What is laid over each other begins and ends elsewhere for each thread. Arguments: patches, iterations.
#include "shifts.h"

__constant__ sizes in;

__global__ void lay_over(const float *patches, const float *regions, float *sums) {
  const float *patch = patches + blockIdx.x * PATCH * PATCH, *region = regions + blockIdx.x * REGION * REGION;
  for (int e = threadIdx.x; e < in.count; e += blockDim.x) {
    int down = (e + 1) % in.shifts, right = (e + 1) / in.shifts + 1;
    if ((e + 1) % in.shifts == 0) {
      down = in.shifts;
      right = right - 1;
    }
    const int left = in.region < right + 1 ? right + 1 - in.region : 1, end = in.patch < right ? in.patch : right;
    const int top = in.region < down + 1 ? down + 1 - in.region : 1, bottom = in.patch < down ? in.patch : down;
    float sum = 0;
    for (int j = left; j <= end; j++)
      for (int i = top; i <= bottom; i++)
        sum = sum + patch[in.patch * (j - 1) + i - 1] * region[in.region * (right - j) + down - i];
    sums[blockIdx.x * in.count + e] = sum;
  }
}

int main(int argc, char **argv) {
  const int patches = (int)bench_argument(argc, argv, 1, 16, 1, "patches");
  const int iterations = (int)bench_argument(argc, argv, 2, 8, 1, "iterations");
  const size_t results = (size_t)patches * SHIFTS * SHIFTS;
  float *small = bench_random_floats((size_t)patches * PATCH * PATCH, 91, 0, 1),
        *large = bench_random_floats((size_t)patches * REGION * REGION, 92, 0, 1),
        *sums = (float *)bench_allocate(results * sizeof(float));
  float *a = bench_to_device(small, (size_t)patches * PATCH * PATCH),
        *b = bench_to_device(large, (size_t)patches * REGION * REGION), *out = bench_to_device(sums, results);
  const sizes known = {PATCH, REGION, SHIFTS, SHIFTS * SHIFTS};
  BENCH_CHECK(cudaMemcpyToSymbol(in, &known, sizeof known));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    lay_over<<<patches, 256>>>(a, b, out);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(sums, out, results);
  bench_report_floats(time_ms, sums, results, 1e-3);
  return 0;
}
