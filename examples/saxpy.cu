/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * y = a x + y on a million elements, and its check: the smallest whole CUDA program. */
#include <cstdio>

__global__ void saxpy(int count, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int count = 1 << 20, threads = 256, blocks = (count + threads - 1) / threads;
  float *x, *y;
  cudaMallocManaged(&x, count * sizeof *x);
  cudaMallocManaged(&y, count * sizeof *y);
  for (int i = 0; i < count; i++) {
    x[i] = i % 100;
    y[i] = 1;
  }

  saxpy<<<blocks, threads>>>(count, 2.0f, x, y);
  cudaError_t error = cudaDeviceSynchronize();

  int wrong = error != cudaSuccess ? count : 0;
  for (int i = 0; i < count && error == cudaSuccess; i++)
    wrong += y[i] != 2.0f * (i % 100) + 1;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("saxpy of %d elements on %s: %s\n", count, device.name, wrong ? "wrong" : "right");
  cudaFree(x);
  cudaFree(y);
  return wrong != 0;
}
