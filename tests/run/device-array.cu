// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device arrays of several dimensions, with and without initialisers, as tables and as scratch space.
#include "check.h"

__device__ int scratch[3][64];
__device__ const float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ char text[] = "unwarp";

__global__ void write(void) {
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    scratch[blockIdx.x][k] = blockIdx.x * 100 + k;
}

__global__ void read(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scratch[i % 3][63 - i % 64] * weights[i % 4] + text[i % 6];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 400;
  buffer<float> out(n);
  write<<<3, block>>>();
  read<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i % 3 * 100 + 63 - i % 64) * (i % 4 + 0.5f) + "unwarp"[i % 6]);
  int row[64];
  CHECK(cudaMemcpyFromSymbol(row, scratch, sizeof(row), 2 * sizeof(row)));
  for (int k = 0; k < 64; k++)
    expect(k, row[k], 200 + k);
  return passed();
}
