// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread sums the whole array for itself and divides its element by that: n^2 work as written, linear once the sum
// is seen to be the same for all. Arguments: elements, iterations.
#include "../common/bench.h"

#define BLOCK 256

__device__ float sum(const float *data, int n) {
  float total = 0;
  for (int i = 0; i < n; i++)
    total += data[i];
  return total;
}

__global__ void normalize(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = sum(in, n);
  if (i < n)
    out[i] = in[i] / total;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 20, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 1200, 1, "iterations");
  float *in = (float *)bench_allocate(n * sizeof(float)), *out = (float *)bench_allocate(n * sizeof(float));
  uint32_t state = 8;
  for (int i = 0; i < n; i++)
    in[i] = bench_random_float(&state);
  float *in_device = bench_to_device(in, n), *out_device = bench_to_device(in, n);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    normalize<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in_device, out_device, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(out, out_device, n * sizeof(float), cudaMemcpyDeviceToHost));
  bench_report_floats(time_ms, out, n, 1e-3);
  cudaFree(in_device);
  cudaFree(out_device);
  free(in);
  free(out);
  return 0;
}
