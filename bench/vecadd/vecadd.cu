// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector add: one thread for each element. Measures streaming: nothing but loads and stores.
// Arguments: elements, iterations.
#include "../common/bench.h"

__global__ void vecadd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 1, "elements");
  const int iterations = (int)bench_argument(argc, argv, 2, 30, 1, "iterations");
  float *a = (float *)bench_allocate(n * sizeof(float)), *b = (float *)bench_allocate(n * sizeof(float));
  uint32_t state = 1;
  for (int i = 0; i < n; i++) {
    a[i] = bench_random_float(&state);
    b[i] = bench_random_float(&state);
  }
  float *a_device = bench_to_device(a, n), *b_device = bench_to_device(b, n), *c_device = bench_to_device(a, n);

  const int block = 256, grid = (n + block - 1) / block;
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    vecadd<<<grid, block>>>(a_device, b_device, c_device, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(a, c_device, n * sizeof(float), cudaMemcpyDeviceToHost));
  bench_report_floats(time_ms, a, n, 0);
  cudaFree(a_device);
  cudaFree(b_device);
  cudaFree(c_device);
  free(a);
  free(b);
  return 0;
}
