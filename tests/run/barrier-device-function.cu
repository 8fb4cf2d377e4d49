// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier inside a device function that the kernel calls.
#include "check.h"

__device__ int swap_with_mirror(int *tile, int value) {
  tile[threadIdx.x] = value;
  __syncthreads();
  return tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void mirror(const int *in, int *out) {
  __shared__ int tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = swap_with_mirror(tile, in[i] + 1) * 2;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i * 3;
  in.upload();
  mirror<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], (3 * (b * block + block - 1 - t) + 1) * 2);
  return passed();
}
