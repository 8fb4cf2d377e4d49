// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block that come by one position one after the other, each when it is its turn or holds the lock: each reads
// there what is its own, at an address that is the same for all.
#include "check.h"

__global__ void by_turns(volatile int *turn, int *counter, int *out) {
  int t = threadIdx.x;
  while (*turn != t) {}
  __threadfence();
  int x = *counter;
  *counter = x + t;
  __threadfence();
  *turn = t + 1;
  __syncthreads();
  out[t] = x;
}

__global__ void by_lock(int *lock, int *counter, int *out) {
  int t = threadIdx.x;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  int x = *counter;
  *counter = x + 1;
  __threadfence();
  atomicExch(lock, 0);
  __syncthreads();
  out[t] = x;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  buffer<int> turn(1), counter(1), lock(1), out(block);
  turn[0] = lock[0] = 0;
  counter[0] = 5;
  turn.upload();
  lock.upload();
  counter.upload();
  by_turns<<<1, block>>>(turn.device, counter.device, out.device);
  out.download();
  for (int t = 0, sum = 5; t < block; sum += t++)
    expect(t, out[t], sum);
  counter.upload();
  by_lock<<<1, block>>>(lock.device, counter.device, out.device);
  out.download();
  char seen[1024] = {0};
  for (int t = 0; t < block; t++) {
    expect(t, out[t] >= 5 && out[t] < 5 + block && !seen[out[t] - 5], true);
    seen[out[t] - 5] = 1;
  }
  return passed();
}
