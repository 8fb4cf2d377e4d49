// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old values that atomicAdd returns are a permutation: stream compaction through a global counter.
#include "check.h"

__global__ void keep_odd(const int *in, int *kept, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 != 0)
    kept[atomicAdd(count, 1)] = in[i];
}

static int compare_ints(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1500;
  buffer<int> in(n), kept(n), count(1);
  int expected[n], wanted = 0;
  for (int i = 0; i < n; i++) {
    in[i] = i * 37 % 2003;
    if (in[i] & 1)
      expected[wanted++] = in[i];
  }
  in.upload();
  count.upload();
  keep_odd<<<blocks_for(n, block), block>>>(in.device, kept.device, count.device, n);
  count.download();
  kept.download();
  expect(-1, count[0], wanted);
  qsort(expected, wanted, sizeof(int), compare_ints);
  qsort(kept.host, wanted, sizeof(int), compare_ints);
  for (int i = 0; i < wanted; i++)
    expect(i, kept[i], expected[i]);
  return passed();
}
