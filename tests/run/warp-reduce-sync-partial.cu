// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __reduce_*_sync under a full mask in a warp that is not full: the block ends in it, or lanes have left the kernel.
#include "check.h"

__global__ void reduce_all(unsigned *sums, unsigned *ors, int *lows, unsigned *rest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = __reduce_add_sync(0xffffffffu, (unsigned)i * 7);
  ors[i] = __reduce_or_sync(0xffffffffu, 1u << (i % 32));
  lows[i] = __reduce_min_sync(0xffffffffu, 100 - i);
  if (threadIdx.x % 3 == 1)
    return;
  rest[i] = __reduce_add_sync(0xffffffffu, (unsigned)i + 1);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), blocks = 3, n = blocks * block;
  buffer<unsigned> sums(n), ors(n), rest(n);
  buffer<int> lows(n);
  reduce_all<<<blocks, block>>>(sums.device, ors.device, lows.device, rest.device);
  sums.download();
  ors.download();
  lows.download();
  rest.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, first = i - thread % 32, end = first + 32;
    if (end > i - thread + block)
      end = i - thread + block;
    unsigned sum = 0, bits = 0, left = 0;
    int low = 100;
    for (int other = first; other < end; other++) {
      sum += (unsigned)other * 7;
      bits |= 1u << (other % 32);
      low = 100 - other < low ? 100 - other : low;
      if (other % block % 3 != 1)
        left += (unsigned)other + 1;
    }
    expect(i, sums[i], sum);
    expect(i, ors[i], bits);
    expect(i, lows[i], low);
    if (thread % 3 != 1)
      expect(i, rest[i], left);
  }
  return passed();
}
