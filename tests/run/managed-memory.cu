// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Managed variables and cudaMallocManaged: host and device use one object by turns.
#include "check.h"

__managed__ int total = 5;
__managed__ float table[8];

__global__ void add_all(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&total, values[i]);
  values[i] = (int)(table[i % 8] * 2);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  int *values;
  CHECK(cudaMallocManaged(&values, n * sizeof(int)));
  int expected = 5;
  for (int i = 0; i < n; i++)
    expected += values[i] = i;
  for (int k = 0; k < 8; k++)
    table[k] = k + 0.5f;
  add_all<<<blocks_for(n, block), block>>>(values, n);
  CHECK(cudaDeviceSynchronize());
  expect(-1, (int)total, expected);
  for (int i = 0; i < n; i++)
    expect(i, values[i], i % 8 * 2 + 1);
  total = 0;
  add_all<<<blocks_for(n, block), block>>>(values, n);
  CHECK(cudaDeviceSynchronize());
  expected = 0;
  for (int i = 0; i < n; i++)
    expected += i % 8 * 2 + 1;
  expect(-2, (int)total, expected);
  CHECK(cudaFree(values));
  return passed();
}
