// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram kept in shared memory by each block and added to the global one at the end.
#include "check.h"

const int bins = 64;

__global__ void histogram(const unsigned char *in, unsigned *counts, int n) {
  __shared__ unsigned local[bins];
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    local[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] % bins], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    atomicAdd(&counts[k], local[k]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 20000;
  buffer<unsigned char> in(n);
  buffer<unsigned> counts(bins);
  unsigned state = 21, expected[bins] = {0};
  for (int i = 0; i < n; i++) {
    unsigned value = next_random(state) % 256;
    in[i] = value < 100 ? 7 : value;
    expected[in[i] & (bins - 1)]++;
  }
  in.upload();
  counts.upload();
  histogram<<<9, block>>>(in.device, counts.device, n);
  counts.download();
  for (int k = 0; k < bins; k++)
    expect(k, counts[k], expected[k]);
  return passed();
}
