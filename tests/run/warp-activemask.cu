// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __activemask in converged code: all lanes of the warp that the block has.
#include "check.h"

__global__ void note(unsigned *masks) { masks[blockIdx.x * blockDim.x + threadIdx.x] = __activemask(); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<unsigned> masks(n);
  note<<<blocks, block>>>(masks.device);
  masks.download();
  for (int i = 0; i < n; i++) {
    int lanes = block - i % block / 32 * 32;
    expect(i, masks[i], lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1);
  }
  return passed();
}
