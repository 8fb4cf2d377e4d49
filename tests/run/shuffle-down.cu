// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __shfl_down_sync: each lane reads the lane above it; the top lanes keep their own value.
#include "check.h"

__global__ void read_down(const int *in, int *out, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_down_sync(0xffffffffu, in[i], distance);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i * 9 + 1;
  in.upload();
  for (int distance = 0; distance < 32; distance = distance * 2 + 1) {
    read_down<<<blocks, block>>>(in.device, out.device, distance);
    out.download();
    for (int i = 0; i < n; i++) {
      int thread = i % block, lane = thread % 32, source = lane + distance < 32 ? i + distance : i;
      if (thread + source - i < block)
        expect(i, out[i], source * 9 + 1); // lanes past the block have no value
    }
  }
  return passed();
}
