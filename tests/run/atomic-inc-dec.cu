// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicInc and atomicDec wrap at their limit; the old values they return are all there.
#include "check.h"

__global__ void step(unsigned *up, unsigned *down, unsigned *up_seen, unsigned *down_seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&up_seen[atomicInc(up, 9)], 1u);
  atomicAdd(&down_seen[atomicDec(down, 6)], 1u);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1007;
  buffer<unsigned> up(1), down(1), up_seen(10), down_seen(32);
  down[0] = 20; // above the limit: the first step takes it to 6
  up.upload();
  down.upload();
  up_seen.upload();
  down_seen.upload();
  step<<<blocks_for(n, block), block>>>(up.device, down.device, up_seen.device, down_seen.device, n);
  up.download();
  down.download();
  up_seen.download();
  down_seen.download();
  unsigned ups[10] = {0}, downs[32] = {0}, u = 0, d = 20;
  for (int i = 0; i < n; i++) {
    ups[u]++;
    downs[d]++;
    u = u >= 9 ? 0 : u + 1;
    d = d == 0 || d > 6 ? 6 : d - 1;
  }
  expect(-1, up[0], u);
  expect(-2, down[0], d);
  for (int k = 0; k < 10; k++)
    expect(k, up_seen[k], ups[k]);
  for (int k = 0; k < 32; k++)
    expect(100 + k, down_seen[k], downs[k]);
  return passed();
}
