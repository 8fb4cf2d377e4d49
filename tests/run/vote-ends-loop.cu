// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a vote ends, in warps and blocks of which none, some or all threads take part: a vote of none ends them too.
#include "check.h"

__global__ void by_warp(const int *in, const int *takes_part, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i], iterations = 0;
  if (takes_part[i]) {
    unsigned lanes = __activemask();
    do { // while all of them are small
      value += 3;
      iterations++;
    } while (__all_sync(lanes, value < 40));
    while (!__any_sync(lanes, value > 90)) {
      value += 5;
      int inner = 0;
      do
        inner++;
      while (__ballot_sync(lanes, inner < 3) == lanes);
      iterations += inner;
    }
    for (;;) {
      value += 1;
      if (__popc(__ballot_sync(lanes, value % 4 == 0)) == 0)
        continue;
      break;
    }
  }
  out[2 * i] = value;
  out[2 * i + 1] = iterations;
}

// The compiler cannot know that all threads of a block read the same here.
__global__ void by_block(const int *in, const volatile int *takes_part, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  if (takes_part[blockIdx.x]) {
    do
      value += 7;
    while (__syncthreads_and(value < 60));
    while (!__syncthreads_or(value > 120))
      value += 2;
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 6, n = block * blocks;
  buffer<int> in(n), takes_part(n), out(2 * n), of_block(blocks);
  unsigned state = 19;
  for (int i = 0; i < n; i++) {
    in[i] = next_random(state) % 30;
    int warp = i / block * 8 + i % block / 32;
    takes_part[i] = warp % 3 == 0 ? 0 : warp % 3 == 1 ? 1 : next_random(state) % 2;
  }
  for (int b = 0; b < blocks; b++)
    of_block[b] = b % 3 != 1;
  in.upload();
  takes_part.upload();
  of_block.upload();
  by_warp<<<blocks, block>>>(in.device, takes_part.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int first = 0; first < block; first += 32) {
      int value[32], members[32], count = 0, iterations = 0, all, any, found;
      for (int t = first; t < block && t < first + 32; t++)
        if (takes_part[b * block + t]) {
          members[count] = b * block + t;
          value[count++] = in[b * block + t];
        } else {
          expect(b * block + t, out[2 * (b * block + t)], in[b * block + t]);
        }
      if (count == 0)
        continue;
      do {
        all = 1;
        iterations++;
        for (int k = 0; k < count; k++)
          all &= (value[k] += 3) < 40;
      } while (all);
      for (;;) {
        any = 0;
        for (int k = 0; k < count; k++)
          any |= value[k] > 90;
        if (any)
          break;
        for (int k = 0; k < count; k++)
          value[k] += 5;
        iterations += 3;
      }
      do {
        found = 0;
        for (int k = 0; k < count; k++)
          found |= ++value[k] % 4 == 0;
      } while (!found);
      for (int k = 0; k < count; k++) {
        expect(members[k], out[2 * members[k]], value[k]);
        expect(members[k], out[2 * members[k] + 1], iterations);
      }
    }
  by_block<<<blocks, block>>>(in.device, of_block.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++) {
    int largest = 0, added = 0;
    for (int t = 0; t < block; t++)
      largest = in[b * block + t] > largest ? in[b * block + t] : largest;
    if (of_block[b]) {
      do
        added += 7;
      while (largest + added < 60);
      while (largest + added <= 120)
        added += 2;
    }
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], in[b * block + t] + added);
  }
  return passed();
}
