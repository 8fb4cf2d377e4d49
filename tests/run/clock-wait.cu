// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for the clock wait at once, not one after the other: all of a block's have begun before the first is done. In
// uniform and divergent code, with clock(), clock64() and the timer, some for longer than others.
#include "check.h"

__device__ void wait32(clock_t amount) { // the difference of the clock's low halves
  unsigned start = (unsigned)clock();
  clock_t passed = 0;
  while (passed < amount)
    passed = (clock_t)((unsigned)clock() - start);
}

__device__ void wait64(long long amount) {
  for (long long start = clock64(); clock64() - start < amount;) {}
}

__device__ void wait_timer(unsigned long long amount) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < amount);
}

__global__ void all(long long *begun, long long *done, int way, long long amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  begun[i] = clock64();
  if (way == 0)
    wait32((clock_t)amount);
  if (way == 1)
    wait64(amount);
  if (way == 2)
    wait_timer(amount);
  done[i] = clock64();
}

__global__ void some(long long *begun, long long *done, long long amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  begun[i] = done[i] = 0;
  if (threadIdx.x % 5 == 4)
    return;
  begun[i] = clock64();
  if (threadIdx.x % 3)
    wait64(amount * (1 + threadIdx.x % 2));
  done[i] = clock64();
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, amount = 1000000;
  buffer<long long> begun(blocks * block), done(blocks * block);
  for (int way = 0; way < 4; way++) {
    if (way < 3)
      all<<<blocks, block>>>(begun.device, done.device, way, amount);
    else
      some<<<blocks, block>>>(begun.device, done.device, amount);
    begun.download(), done.download();
    for (int b = 0; b < blocks; b++) {
      long long last = 0, first = 1ll << 62;
      for (int t = 0; t < block; t++) {
        int i = b * block + t;
        if (way == 3 && (t % 5 == 4 || t % 3 == 0))
          continue;
        long long least = way == 3 ? amount * (1 + t % 2) : way == 2 ? 1 : amount;
        if (done[i] - begun[i] < least)
          fail_at(i, done[i] - begun[i], least);
        last = begun[i] > last ? begun[i] : last;
        first = done[i] < first ? done[i] : first;
      }
      if (last > first)
        fail_at(b, last, first);
    }
  }
  return passed();
}
