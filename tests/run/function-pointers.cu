// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to device functions: in a device table, in a struct, chosen by each thread, and copied from the host.
#include "check.h"

typedef int (*binary)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b + (int)threadIdx.x; }

__device__ binary table[3] = {add, subtract, multiply};
__device__ binary chosen = multiply;

__global__ void apply(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[i % 3](i, 7);
}

__global__ void apply_given(int *out, binary given, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  binary local = i % 2 ? given : subtract;
  if (i < n)
    out[i] = local(i, 100);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 410, grid = blocks_for(n, block);
  buffer<int> out(n);
  apply<<<grid, block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7 + i % block);
  binary given;
  CHECK(cudaMemcpyFromSymbol(&given, chosen, sizeof(given)));
  apply_given<<<grid, block>>>(out.device, given, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i % 2 ? i * 100 + i % block : i - 100);
  return passed();
}
