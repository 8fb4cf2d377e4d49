// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncthreads_or as the condition of a loop: the block iterates until no thread changes anything.
#include "check.h"

// Labels spread along a row until each run of ones carries its lowest index.
__global__ void spread(const int *row, int *labels, int *iterations) {
  __shared__ int label[1024];
  int me = threadIdx.x, size = blockDim.x, base = blockIdx.x * size;
  int on = row[base + me], taken = 0;
  label[me] = me;
  __syncthreads();
  bool changed;
  do {
    changed = false;
    int mine = label[me];
    int left = on && me > 0 && row[base + me - 1] ? label[me - 1] : mine;
    __syncthreads();
    if (left < mine) {
      label[me] = left;
      changed = true;
    }
    taken++;
  } while (__syncthreads_or(changed));
  labels[base + me] = label[me];
  if (me == 0)
    iterations[blockIdx.x] = taken;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> row(n), labels(n), iterations(blocks);
  unsigned state = 44;
  for (int i = 0; i < n; i++)
    row[i] = next_random(state) % 6 != 0;
  row.upload();
  spread<<<blocks, block>>>(row.device, labels.device, iterations.device);
  labels.download();
  iterations.download();
  for (int b = 0; b < blocks; b++) {
    int longest = 0, start = 0;
    for (int t = 0; t < block; t++) {
      int i = b * block + t;
      if (t == 0 || !row[i] || !row[i - 1])
        start = t;
      if (t - start > longest)
        longest = t - start;
      expect(i, labels[i], start);
    }
    expect(-1 - b, iterations[b], longest + 1);
  }
  return passed();
}
