// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device globals: initialised, changed by kernels, copied to and from by symbol, reached by address.
#include "check.h"

__device__ int counter = 40;
__device__ double factor;
__device__ int untouched = 9;

__global__ void count(void) { atomicAdd(&counter, (int)(factor * 2)); }

__global__ void bump_through(int *pointer) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *pointer += 1000;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4;
  double half = 1.5;
  int value = 0;
  void *address = NULL;
  size_t size = 0;
  CHECK(cudaMemcpyToSymbol(factor, &half, sizeof(half)));
  count<<<blocks, block>>>();
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
  expect(0, value, 40 + 3 * blocks * block);
  CHECK(cudaGetSymbolAddress(&address, counter));
  CHECK(cudaGetSymbolSize(&size, counter));
  expect(1, (int)size, (int)sizeof(int));
  bump_through<<<2, block>>>((int *)address);
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
  expect(2, value, 1040 + 3 * blocks * block);
  CHECK(cudaMemcpyFromSymbol(&value, untouched, sizeof(value)));
  expect(3, value, 9);
  return passed();
}
