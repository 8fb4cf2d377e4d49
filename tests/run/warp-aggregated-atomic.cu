// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One atomic for a warp: the lanes that want a position elect a leader by __ffs and count by __popc.
#include "check.h"

__device__ int claim_place(int *counter, bool wants) {
  unsigned wanting = __ballot_sync(0xffffffffu, wants);
  int lane = threadIdx.x % 32, leader = __ffs(wanting) - 1, base = 0;
  if (lane == leader)
    base = atomicAdd(counter, __popc(wanting));
  base = __shfl_sync(0xffffffffu, base, leader < 0 ? 0 : leader);
  return base + __popc(wanting & ((1u << lane) - 1));
}

__global__ void compact(const int *in, int *kept, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool wants = i < n && in[i] % 5 == 2;
  int place = claim_place(count, wants);
  if (wants)
    kept[place] = i;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1200;
  buffer<int> in(n), kept(n), count(1);
  unsigned state = 77;
  int wanted = 0;
  for (int i = 0; i < n; i++) {
    in[i] = next_random(state) % 1000;
    wanted += in[i] % 5 == 2;
  }
  in.upload();
  count.upload();
  compact<<<blocks_for(n, block), block>>>(in.device, kept.device, count.device, n);
  count.download();
  kept.download();
  expect(-1, count[0], wanted);
  int *seen = new int[n]();
  for (int k = 0; k < wanted; k++)
    seen[kept[k]]++;
  for (int i = 0; i < n; i++)
    expect(i, seen[i], in[i] % 5 == 2 ? 1 : 0);
  delete[] seen;
  return passed();
}
