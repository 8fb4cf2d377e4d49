// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier under a condition loaded from memory by each thread: uniform, but no analysis can know.
#include "check.h"

__global__ void maybe_shift(const int *flags, const int *in, int *out) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  int value = in[i];
  if (flags[i] != 0) {
    tile[me] = value;
    __syncthreads();
    value = tile[(me + 1) % blockDim.x] - 1;
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 9, n = block * blocks;
  buffer<int> flags(n), in(n), out(n);
  for (int i = 0; i < n; i++) {
    flags[i] = (i / block) % 3;
    in[i] = i * 11;
  }
  flags.upload();
  in.upload();
  maybe_shift<<<blocks, block>>>(flags.device, in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int b = i / block, next = b * block + (i + 1 - b * block) % block;
    expect(i, out[i], b % 3 ? 11 * next - 1 : 11 * i);
  }
  return passed();
}
