// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of an array: a grid-stride loop, a tree in shared memory for each block, and a second launch for the partial
// sums. Arguments: elements, iterations.
#include "../common/bench.h"

#define BLOCK 256

__global__ void sum(const float *in, float *out, int n) {
  __shared__ float tile[BLOCK];
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mine += in[i];
  tile[threadIdx.x] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride)
      tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 25, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 50, 1, "iterations");
  const int blocks = 1024;
  float *in = (float *)bench_allocate(n * sizeof(float)), result;
  uint32_t state = 4;
  for (int i = 0; i < n; i++)
    in[i] = bench_random_float(&state);
  float *in_device = bench_to_device(in, n), *parts = bench_to_device(in, blocks), *total = bench_to_device(in, 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    sum<<<blocks, BLOCK>>>(in_device, parts, n);
    sum<<<1, BLOCK>>>(parts, total, blocks);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost));
  bench_report_floats(time_ms, &result, 1, 1e-4);
  cudaFree(in_device);
  cudaFree(parts);
  cudaFree(total);
  free(in);
  return 0;
}
