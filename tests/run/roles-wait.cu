// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks in pairs hand numbers over in one word. Who gives and who takes is said by the number of the block, in one and
// the same loop, which counts what it has handed over: it waits wherever there is nothing to do for its role.
#include "check.h"

__global__ void by_choice(volatile int *words, int *sums, int items) {
  bool gives = blockIdx.x % 2 == 0;
  int done = 0, sum = 0, pair = blockIdx.x / 2;
  while (done < items) {
    int seen = words[pair];
    if (gives ? seen == 0 : seen != 0) {
      sum += seen;
      done++;
      words[pair] = gives ? done : 0;
    }
  }
  if (!gives)
    sums[pair] = sum;
}

// Four steps of a round, told apart by a switch; a round is over when the other one has answered.
__global__ void by_switch(volatile int *words, int *sums, int rounds) {
  int side = blockIdx.x % 2, done = 0, pair = blockIdx.x / 2;
  for (; done < rounds;) {
    switch (words[pair] * 2 + side) {
    case 0: words[pair] = 1; break;
    case 3: words[pair] = 2; break;
    case 4: words[pair] = 3, done++; break;
    case 7: words[pair] = 0, done++; break;
    default: break;
    }
  }
  if (side)
    sums[pair] = done;
}

int main() {
  const int pairs = 5, items = 20;
  buffer<int> words(pairs), sums(pairs);
  for (int i = 0; i < pairs; i++)
    words[i] = 0;
  words.upload();
  by_choice<<<2 * pairs, 1>>>(words.device, sums.device, items);
  sums.download();
  for (int i = 0; i < pairs; i++)
    expect(i, sums[i], items * (items + 1) / 2);
  words.upload();
  by_switch<<<2 * pairs, 1>>>(words.device, sums.device, items);
  sums.download();
  for (int i = 0; i < pairs; i++)
    expect(i, sums[i], items);
  puts("ok");
}
