// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __match_any_sync: the lanes that hold the same value; __match_all_sync: whether all do.
#include "check.h"

__global__ void match(const int *in, unsigned *same, int *agreed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, predicate;
  same[i] = __match_any_sync(0xffffffffu, in[i]);
  __match_all_sync(0xffffffffu, in[i] / 100, &predicate);
  agreed[i] = predicate ? 1 : 0;
}

int main(void) {
  const int block = 96, blocks = 2, n = block * blocks;
  buffer<int> in(n), agreed(n);
  buffer<unsigned> same(n);
  unsigned state = 31;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 6 + (i % 64 == 40 ? 100 : 0);
  in.upload();
  match<<<blocks, block>>>(in.device, same.device, agreed.device);
  same.download();
  agreed.download();
  for (int i = 0; i < n; i++) {
    unsigned mask = 0;
    int all = 1;
    for (int k = 0; k < 32; k++) {
      int other = in[i - i % 32 + k];
      if (other == in[i])
        mask |= 1u << k;
      if (other / 100 != in[i] / 100)
        all = 0;
    }
    expect(i, same[i], mask);
    expect(i, agreed[i], all);
  }
  return passed();
}
