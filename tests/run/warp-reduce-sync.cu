// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __reduce_add/min/max/and/or/xor_sync on whole warps.
#include "check.h"

__global__ void reduce(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = (unsigned)in[i];
  out[8 * i + 0] = __reduce_add_sync(0xffffffffu, in[i]);
  out[8 * i + 1] = __reduce_min_sync(0xffffffffu, in[i]);
  out[8 * i + 2] = __reduce_max_sync(0xffffffffu, in[i]);
  out[8 * i + 3] = __reduce_and_sync(0xffffffffu, bits);
  out[8 * i + 4] = __reduce_or_sync(0xffffffffu, bits);
  out[8 * i + 5] = __reduce_xor_sync(0xffffffffu, bits);
  out[8 * i + 6] = __reduce_max_sync(0xffffffffu, bits);
  out[8 * i + 7] = __reduce_min_sync(0xffffffffu, bits);
}

int main(void) {
  const int block = 64, blocks = 2, n = block * blocks;
  buffer<int> in(n), out(8 * n);
  unsigned state = 12;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) * 211u) | 0x1000;
  in.upload();
  reduce<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    const int *lane = &in[i - i % 32];
    unsigned sum = 0, all = ~0u, some = 0, odd = 0, high = 0, low = ~0u;
    int smallest = lane[0], largest = lane[0];
    for (int k = 0; k < 32; k++) {
      unsigned bits = (unsigned)lane[k];
      sum += bits;
      all &= bits;
      some |= bits;
      odd ^= bits;
      if (bits > high)
        high = bits;
      if (bits < low)
        low = bits;
      if (lane[k] < smallest)
        smallest = lane[k];
      if (lane[k] > largest)
        largest = lane[k];
    }
    const int expected[8] = {(int)sum, smallest, largest, (int)all, (int)some, (int)odd, (int)high, (int)low};
    for (int k = 0; k < 8; k++)
      expect(8 * i + k, out[8 * i + k], expected[k]);
  }
  return passed();
}
