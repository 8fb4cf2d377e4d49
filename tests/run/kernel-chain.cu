// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several kernels of one file, each reading what the one before wrote, over and over.
#include "check.h"

__global__ void start(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}
__global__ void reverse(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[n - 1 - i];
}
__global__ void pair_sums(const int *b, int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + (i + 1 < n ? b[i + 1] : 0);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500, grid = blocks_for(n, block);
  buffer<int> a(n), b(n);
  int row[n + 1];
  for (int i = 0; i <= n; i++)
    row[i] = i < n ? i : 0;
  start<<<grid, block>>>(a.device, n);
  for (int iteration = 0; iteration < 5; iteration++) {
    reverse<<<grid, block>>>(a.device, b.device, n);
    pair_sums<<<grid, block>>>(b.device, a.device, n);
    for (int i = 0; i < n / 2; i++) {
      int swap = row[i];
      row[i] = row[n - 1 - i];
      row[n - 1 - i] = swap;
    }
    for (int i = 0; i + 1 < n; i++)
      row[i] += row[i + 1];
  }
  a.download();
  for (int i = 0; i < n; i++)
    expect(i, a[i], row[i]);
  return passed();
}
