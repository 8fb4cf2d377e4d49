// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan in one pass: blocks take tiles by a counter, publish what their tile sums to, and a warp looks back over the tiles before,
// 32 at a time, waiting for those that have nothing published yet, until it meets one that knows its prefix.
#include "check.h"

enum state { NOTHING, SUM, PREFIX };

// State and value in one word, so that they are read together.
static __device__ unsigned long long word_of(state s, int value) {
  return (unsigned long long)s << 32 | (unsigned)value;
}

__device__ unsigned next_tile;

__global__ void scan(const int *in, int *out, volatile unsigned long long *tiles, int n) {
  __shared__ int cells[1024], tile, before;
  int t = threadIdx.x, width = blockDim.x;
  if (t == 0)
    tile = (int)atomicAdd(&next_tile, 1u);
  __syncthreads();
  int i = tile * width + t;
  cells[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < width; step *= 2) {
    int left = t >= step ? cells[t - step] : 0;
    __syncthreads();
    cells[t] += left;
    __syncthreads();
  }
  int total = cells[width - 1];
  if (t == 0) {
    tiles[tile] = word_of(tile == 0 ? PREFIX : SUM, total);
    before = 0;
  }
  __threadfence();
  if (t < 32 && tile > 0) {
    unsigned lanes = __activemask();
    int count = __popc(lanes), sum = 0;
    for (int nearest = tile - 1;; nearest -= count) {
      int mine = nearest - t;
      unsigned long long word;
      do {
        word = mine >= 0 ? tiles[mine] : word_of(PREFIX, 0);
      } while (__any_sync(lanes, (word >> 32) == NOTHING));
      unsigned known = __ballot_sync(lanes, (word >> 32) == PREFIX);
      int last = known ? __ffs(known) - 1 : count - 1;
      int part = t <= last ? (int)word : 0;
      for (int lane = 0; lane <= last; lane++)
        sum += __shfl_sync(lanes, part, lane);
      if (known)
        break;
    }
    if (t == 0) {
      tiles[tile] = word_of(PREFIX, sum + total);
      before = sum;
    }
  }
  __syncthreads();
  if (i < n)
    out[i] = cells[t] + before;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  for (int n = 1; n < 70000; n = n * 9 + 5) {
    int blocks = blocks_for(n, block);
    if (blocks > 4000)
      break;
    buffer<int> in(n), out(n);
    buffer<unsigned long long> tiles(blocks);
    unsigned none = 0;
    for (int i = 0; i < n; i++)
      in[i] = i * 31 % 17 - 8;
    in.upload();
    tiles.upload();
    CHECK(cudaMemcpyToSymbol(next_tile, &none, sizeof none));
    scan<<<blocks, block>>>(in.device, out.device, tiles.device, n);
    out.download();
    int running = 0;
    for (int i = 0; i < n; i++)
      expect(i, out[i], running += in[i]);
  }
  return passed();
}
