// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private variable whose address is handed to a function before and after a barrier.
#include "check.h"

__device__ __noinline__ void bump(int *value, int by) { *value += by; }

__global__ void bump_around(int *out) {
  __shared__ int tile[1024];
  int me = threadIdx.x, value = me;
  bump(&value, 100);
  tile[me] = value;
  __syncthreads();
  bump(&value, tile[blockDim.x - 1 - me]);
  __syncthreads();
  tile[me] = value * 2;
  __syncthreads();
  bump(&value, tile[0]);
  out[blockIdx.x * blockDim.x + me] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  bump_around<<<blocks, block>>>(out.device);
  out.download();
  int both = 200 + block - 1; // a thread's index plus its mirror's, each plus 100
  for (int i = 0; i < n; i++)
    expect(i, out[i], both + 2 * both);
  return passed();
}
