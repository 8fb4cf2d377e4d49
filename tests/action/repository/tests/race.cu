// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in one place without an atomic operation.
#include <cstdio>

__global__ void count(const int *a, int *found) {
  if (a[threadIdx.x] % 2)
    *found = *found + 1;
}

int main() {
  int *a;
  cudaMallocManaged(&a, 65 * sizeof(int));
  for (int i = 0; i < 65; i++)
    a[i] = i < 64 ? i : 0;
  count<<<1, 64>>>(a, a + 64);
  cudaDeviceSynchronize();
  printf("%d odd numbers\n", a[64]);
  cudaFree(a);
}
