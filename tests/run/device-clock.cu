// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clock64 and clock never run backwards in a thread, and advance over a long loop.
#include "check.h"

__global__ void measure(long long *spent, int *sink, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long start = clock64();
  clock_t short_start = clock();
  volatile int total = 0;
  for (int k = 0; k < 2000; k++)
    total = total + k;
  long long middle = clock64(), end = clock64();
  sink[i] = total + (clock() == short_start ? 1 : 0);
  spent[2 * i] = middle - start;
  spent[2 * i + 1] = end - middle;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 70;
  buffer<long long> spent(2 * n);
  buffer<int> sink(n);
  measure<<<blocks_for(n, block), block>>>(spent.device, sink.device, n);
  spent.download();
  sink.download();
  for (int i = 0; i < n; i++) {
    expect(i, sink[i], 1999000);
    expect(2 * i, spent[2 * i] > 0 ? 1 : 0, 1);
    expect(2 * i + 1, spent[2 * i + 1] >= 0 ? 1 : 0, 1);
  }
  return passed();
}
