// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait by taking a lock, looking at what it guards, and giving it back: each turn writes, and changes nothing. What they look
// at is volatile or plain memory; the lock is a bit of a word, or a word. Those that are waited for come later, or in other blocks.
#include "check.h"

struct bit {
  unsigned *word, mask;
  __device__ bit(unsigned *words, int i) : word(words + i / 32), mask(1u << i % 32) {}
  __device__ bool take() { return !(atomicOr(word, mask) & mask); }
  __device__ void give() { atomicAnd(word, ~mask); }
};

template <bool looks_plainly> __device__ bool is_full(const int *full, int at) {
  return looks_plainly ? full[at] : *(const volatile int *)&full[at];
}

// The first half of the threads takes what the second half puts, the last of these first. Where slots are fewer than pairs, those that put
// wait, too.
template <bool looks_plainly>
__global__ void hand_over(unsigned *locks, int *full, int *item, int *got, int slots, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs, done = false;
  int at = (puts ? 2 * pairs - 1 - i : i) % slots, taken = 0;
  bit lock(locks, at);
  if (puts)
    while (!done) {
      if (lock.take()) {
        if (!is_full<looks_plainly>(full, at)) {
          item[at] = i + 1;
          full[at] = 1;
          done = true;
        }
        __threadfence();
        lock.give();
      }
    }
  else {
    do {
      if (lock.take()) {
        if (is_full<looks_plainly>(full, at)) {
          taken = item[at];
          full[at] = 0;
        }
        __threadfence();
        lock.give();
      }
    } while (!taken);
    got[i] = taken;
  }
}

// A word as the lock, taken by an exchange or a comparison in a loop of its own; blocks in turn, the last one first.
__global__ void in_turn(int *lock, int *turn, int *log, int *looks) {
  if (threadIdx.x != 0)
    return;
  for (;;) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    bool mine = *turn == gridDim.x - 1 - blockIdx.x;
    if (mine) {
      log[*turn] = blockIdx.x;
      *turn += 1;
    }
    __threadfence();
    atomicExch(lock, 0);
    atomicAdd(looks, 1);
    if (mine)
      return;
  }
}

template <bool looks_plainly> static void check_handing(int block, int n, int slots) {
  int pairs = n / 2;
  buffer<unsigned> locks((slots + 31) / 32);
  buffer<int> full(slots), item(slots), got(pairs);
  locks.upload(), full.upload();
  hand_over<looks_plainly>
      <<<blocks_for(n, block), block>>>(locks.device, full.device, item.device, got.device, slots, pairs);
  CHECK(cudaDeviceSynchronize());
  got.download(), full.download();
  long long sum = 0;
  for (int i = 0; i < pairs; i++)
    sum += got[i];
  expect(0, sum, (long long)pairs * (3 * pairs + 1) / 2);
  for (int i = 0; i < slots; i++)
    expect(i, full[i], 0);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), few = block > 150 ? 2 : 6; // blocks, so that all run at once
  check_handing<false>(block, few * block, few * block);
  check_handing<true>(block, few * block, few * block);
  check_handing<true>(block, few * block, 5);

  buffer<int> lock(1), turn(1), log(few), looks(1);
  lock.upload(), turn.upload(), looks.upload();
  in_turn<<<few, block>>>(lock.device, turn.device, log.device, looks.device);
  CHECK(cudaDeviceSynchronize());
  log.download();
  for (int b = 0; b < few; b++)
    expect(b, log[few - 1 - b], b);
  return passed();
}
