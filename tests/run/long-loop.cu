// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose length differs widely from thread to thread: the Collatz sequence, by while and by for.
#include "check.h"

__global__ void collatz(int *steps, unsigned long long *peak, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long value = i + 1, highest = value;
  int count = 0;
  while (value != 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    if (value > highest)
      highest = value;
    count++;
  }
  unsigned mixed = 0;
  for (int k = 0; k < count * 10; k++)
    mixed = mixed * 3 + k;
  steps[i] = count;
  peak[i] = highest + mixed % 2;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 2000;
  buffer<int> steps(n);
  buffer<unsigned long long> peak(n);
  collatz<<<blocks_for(n, block), block>>>(steps.device, peak.device, n);
  steps.download();
  peak.download();
  for (int i = 0; i < n; i++) {
    unsigned long long value = i + 1, highest = value;
    int count = 0;
    for (; value > 1; count++) {
      if (value & 1)
        value += (value << 1) + 1;
      else
        value >>= 1;
      highest = value > highest ? value : highest;
    }
    unsigned parity = 0; // only the lowest bit of the mixed value counts: it flips by k's lowest bit
    for (int k = 0; k < count * 10; k++)
      parity ^= k & 1;
    expect(i, steps[i], count);
    expect(i, peak[i], highest + parity);
  }
  return passed();
}
