// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a row around by shared memory.
#include <cstdio>

__global__ void reverse(int *a) {
  __shared__ int row[64];
  row[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = row[63 - threadIdx.x];
}

int main() {
  int *a;
  cudaMallocManaged(&a, 64 * sizeof(int));
  for (int i = 0; i < 64; i++)
    a[i] = i;
  reverse<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  bool right = a[0] == 63 && a[63] == 0;
  cudaFree(a);
  puts(right ? "right" : "wrong");
  return !right;
}
