// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end by what a warp or a block finds together, in control flow that other whole warps or blocks do not enter:
// there nobody is that could end them.
#include "check.h"

__global__ void search(const int *marks, int *out, int *counter, int n) {
  __shared__ int found;
  if (threadIdx.x == 0)
    found = -1;
  __syncthreads();
  int lane = threadIdx.x % 32, last = n - 1 - (int)(blockIdx.x % 7);
  if (threadIdx.x < 32) { // the first warp looks back, 32 at a time, until it meets a mark
    int at = last - lane, iterations = 0;
    unsigned present = __activemask();
    while (__all_sync(present, at < 0 || marks[at] == 0))
      at -= 32, iterations++;
    int mine = at >= 0 && marks[at] ? at : -1, best = mine;
    for (int other = 0; other < 32; other++)
      if (present >> other & 1)
        best = max(best, __shfl_sync(present, mine, other));
    while (!__any_sync(present, iterations >= 0))
      iterations++;
    if (lane == 0)
      found = best;
  }
  __syncthreads();
  if (blockIdx.x % 3 == 1 && threadIdx.x > 2000) { // nobody
    while (atomicAdd(counter, 0) == 0)
      __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 9, n = 1000, mark = 37;
  buffer<int> marks(n), out(blocks * block), counter(1);
  // Blocks of less than 32 threads look at a part of each 32 only: every element that one of them sees has a mark.
  for (int i = 0; i < n; i++)
    marks[i] = i >= mark && i < mark + 40 ? 1 : 0;
  marks.upload(), counter.upload();
  search<<<blocks, block>>>(marks.device, out.device, counter.device, n);
  out.download();
  for (int b = 0; b < blocks; b++) {
    int last = n - 1 - b % 7, best = -1;
    for (int first = last; best < 0; first -= 32)
      for (int lane = 0; lane < 32 && lane < block; lane++)
        if (first - lane >= 0 && marks[first - lane])
          best = best > first - lane ? best : first - lane;
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], best);
  }
  return passed();
}
