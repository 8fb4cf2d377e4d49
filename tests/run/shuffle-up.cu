// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __shfl_up_sync: each lane reads the lane below it; the bottom lanes keep their own value.
#include "check.h"

__global__ void read_up(const int *in, int *out, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  out[i] = __shfl_up_sync(0xffffffffu, value, distance) - value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i * i;
  in.upload();
  for (int distance = 0; distance < 32; distance += 5) {
    read_up<<<blocks, block>>>(in.device, out.device, distance);
    out.download();
    for (int i = 0; i < n; i++) {
      int source = i % block % 32 >= distance ? i - distance : i;
      expect(i, out[i], source * source - i * i);
    }
  }
  return passed();
}
