// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort of each block's part in shared memory: a barrier inside two nested loops.
#include "check.h"

__global__ void sort(int *data, int span) {
  extern __shared__ int keys[];
  int *mine = data + blockIdx.x * span;
  for (int k = threadIdx.x; k < span; k += blockDim.x)
    keys[k] = mine[k];
  for (int size = 2; size <= span; size <<= 1)
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int k = threadIdx.x; k < span; k += blockDim.x) {
        int other = k ^ stride;
        bool upward = (k & size) == 0;
        if (other > k && (keys[k] > keys[other]) == upward) {
          int swap = keys[k];
          keys[k] = keys[other];
          keys[other] = swap;
        }
      }
    }
  __syncthreads();
  for (int k = threadIdx.x; k < span; k += blockDim.x)
    mine[k] = keys[k];
}

static int compare_ints(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, span = 256, n = blocks * span;
  buffer<int> data(n);
  int *expected = new int[n];
  unsigned state = 99;
  for (int i = 0; i < n; i++)
    expected[i] = data[i] = (int)(next_random(state) % 500) - 250;
  data.upload();
  sort<<<blocks, block, span * sizeof(int)>>>(data.device, span);
  data.download();
  for (int b = 0; b < blocks; b++)
    qsort(expected + b * span, span, sizeof(int), compare_ints);
  for (int i = 0; i < n; i++)
    expect(i, data[i], expected[i]);
  delete[] expected;
  return passed();
}
