// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that hand something over under their own lock: a bit of the word, or a value that it never holds else. Who finds the wrong
// thing in it gives it back as it was and comes again, which writes each time and changes nothing. The first half of the threads takes
// what the second half puts, the last of these first: threads of a warp, of two warps, of two blocks.
#include "check.h"

constexpr unsigned LOCK = 1u << 31;

// Ways to lock a word: what it holds if this thread has it now, LOCK or more if another one has.
struct by_bit {
  static __device__ unsigned take(unsigned *word) { return atomicOr(word, LOCK); }
  static __device__ void give(unsigned *word, unsigned holds) { atomicExch(word, holds); }
};
struct by_exchange {
  static __device__ unsigned take(unsigned *word) { return atomicExch(word, LOCK); }
  static __device__ void give(unsigned *word, unsigned holds) { atomicExch(word, holds); }
};
struct by_bits {
  static __device__ unsigned take(unsigned *word) { return atomicOr(word, LOCK); }
  static __device__ void give(unsigned *word, unsigned holds) {
    if (holds)
      atomicOr(word, holds);
    else
      atomicAnd(word, LOCK);
    __threadfence();
    atomicAnd(word, ~LOCK);
  }
};
struct by_comparison {
  static __device__ unsigned take(unsigned *word) {
    unsigned holds = *(volatile unsigned *)word & ~LOCK;
    return atomicCAS(word, holds, holds | LOCK) == holds ? holds : LOCK;
  }
  static __device__ void give(unsigned *word, unsigned holds) { atomicExch(word, holds); }
};

template <class way> __global__ void in_turn(unsigned *words, unsigned *got, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs;
  unsigned *word = words + (puts ? 2 * pairs - 1 - i : i);
  for (bool done = false; !done;) {
    unsigned holds = way::take(word);
    if (holds & LOCK)
      continue;
    if (puts == (holds == 0)) {
      if (!puts)
        got[i] = holds;
      way::give(word, puts ? i + 1 : 0);
      done = true;
    } else {
      way::give(word, holds);
    }
  }
}

// The same, taken in a loop of its own.
__global__ void within(unsigned *words, unsigned *got, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs;
  unsigned *word = words + (puts ? 2 * pairs - 1 - i : i), holds;
  for (;;) {
    do {
      holds = atomicExch(word, LOCK);
    } while (holds == LOCK);
    if (puts == (holds == 0))
      break;
    atomicExch(word, holds);
  }
  if (!puts)
    got[i] = holds;
  atomicExch(word, puts ? i + 1 : 0);
}

// The lock is a word of its own, and the word is emptied to look at it.
__global__ void beside(unsigned *words, unsigned *got, int pairs, unsigned *locks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs;
  int at = puts ? 2 * pairs - 1 - i : i;
  for (bool done = false; !done;) {
    unsigned held;
    do {
      held = atomicExch(locks + at, 1);
    } while (held);
    unsigned holds = atomicExch(words + at, 0);
    if (puts == (holds == 0)) {
      if (puts)
        atomicExch(words + at, i + 1);
      else
        got[i] = holds;
      done = true;
    } else {
      atomicExch(words + at, holds);
    }
    __threadfence();
    atomicExch(locks + at, 0);
  }
}

// Nothing is given back: a word is put where there is none, and taken where there is one. Each word is used several times.
__global__ void post(unsigned *words, unsigned *sums, int pairs, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs;
  unsigned *word = words + (puts ? 2 * pairs - 1 - i : i);
  while (count < times)
    if (puts) {
      count += atomicCAS(word, 0, i + 1 + count) == 0;
    } else {
      unsigned holds = atomicExch(word, 0);
      if (holds)
        sums[i] += holds, count++;
    }
}

// Full, empty, or being looked at.
__global__ void states(unsigned *state, unsigned *got, int pairs, unsigned *item) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * pairs)
    return;
  bool puts = i >= pairs;
  int at = puts ? 2 * pairs - 1 - i : i;
  for (bool done = false; !done;)
    if (puts) {
      if (atomicCAS(state + at, 0, 2) == 0) {
        item[at] = i + 1;
        __threadfence();
        atomicExch(state + at, 1);
        done = true;
      }
    } else if (atomicCAS(state + at, 1, 2) == 1) {
      got[i] += item[at];
      __threadfence();
      atomicExch(state + at, 0);
      done = true;
    }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), few = block > 150 ? 2 : 4; // blocks, so that all run at once
  for (int blocks = block > 1 ? 1 : 2; blocks <= few; blocks++) {
    int pairs = blocks * block / 2;
    buffer<unsigned> words(pairs), got(pairs), other(pairs);
    for (int kind = 0; kind < 8; kind++) {
      for (int i = 0; i < pairs; i++)
        words[i] = got[i] = other[i] = 0;
      words.upload(), got.upload(), other.upload();
      switch (kind) {
      case 0: in_turn<by_bit><<<blocks, block>>>(words.device, got.device, pairs); break;
      case 1: in_turn<by_exchange><<<blocks, block>>>(words.device, got.device, pairs); break;
      case 2: in_turn<by_bits><<<blocks, block>>>(words.device, got.device, pairs); break;
      case 3: in_turn<by_comparison><<<blocks, block>>>(words.device, got.device, pairs); break;
      case 4: within<<<blocks, block>>>(words.device, got.device, pairs); break;
      case 5: beside<<<blocks, block>>>(words.device, got.device, pairs, other.device); break;
      case 6: post<<<blocks, block>>>(words.device, got.device, pairs, 5); break;
      case 7: states<<<blocks, block>>>(words.device, got.device, pairs, other.device); break;
      }
      CHECK(cudaDeviceSynchronize());
      got.download(), words.download();
      for (int i = 0; i < pairs; i++) {
        unsigned item = 2 * pairs - i;
        expect(kind, got[i], kind == 6 ? 5 * item + 10 : item);
        expect(kind, words[i], 0u);
      }
    }
  }
  return passed();
}
