// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statistics.h"

#include <cfloat>

constexpr int THREADS = 128;

template <class Value, class Combine> __device__ Value reduce(Value value, Combine combine) {
  __shared__ Value all[THREADS];
  all[threadIdx.x] = value;
  for (int half = THREADS / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      all[threadIdx.x] = combine(all[threadIdx.x], all[threadIdx.x + half]);
  }
  __syncthreads();
  return all[0];
}

__global__ void summarise(const float *cells, int count, statistics *result) {
  double sum = 0;
  float least = FLT_MAX, most = -FLT_MAX;
  for (int i = threadIdx.x; i < count; i += THREADS) {
    sum += cells[i];
    least = fminf(least, cells[i]);
    most = fmaxf(most, cells[i]);
  }
  sum = reduce(sum, [](double a, double b) { return a + b; });
  least = reduce(least, [](float a, float b) { return fminf(a, b); });
  __syncthreads();
  most = reduce(most, [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0)
    *result = {sum, least, most};
}

statistics take_statistics(const float *cells, int count) {
  statistics *on_device = nullptr, result = {};
  cudaMalloc(&on_device, sizeof *on_device);
  summarise<<<1, THREADS>>>(cells, count, on_device);
  cudaMemcpy(&result, on_device, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  return result;
}
