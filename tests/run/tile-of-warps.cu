// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: tiles of several warps reduce, shuffle and vote among themselves. Some stay away from a barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

template <unsigned size> __global__ void tiles(long long *sums, int *from, int *votes, int *steps) {
  __shared__ cg::block_tile_memory<512> scratch;
  __shared__ int cells[512];
  cg::thread_block block = cg::this_thread_block(scratch);
  auto tile = cg::tiled_partition<size>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = i * 37 % 101;
  sums[i] = cg::reduce(tile, (long long)value << 33, cg::plus<long long>());
  // Where there are several warps, all threads name the same one.
  const unsigned source = size > 32 ? (tile.meta_group_rank() * 37 + 5) % size : tile.thread_rank() + 1;
  from[i] = tile.shfl(value, source) + 1000 * (int)tile.meta_group_rank();
  votes[i] = tile.any(value == 100) + 2 * tile.all(value < 100);
  cells[threadIdx.x] = value;
  tile.sync();
  for (unsigned iteration = 0; iteration < tile.meta_group_rank(); iteration++) {
    int other = cells[threadIdx.x - tile.thread_rank() + (tile.thread_rank() + 5) % size];
    tile.sync();
    cells[threadIdx.x] += other;
    tile.sync();
  }
  steps[i] = cells[threadIdx.x];
}

template <unsigned size> static void check_tiles() {
  int n = 2 * 512;
  buffer<long long> sums(n);
  buffer<int> from(n), votes(n), steps(n);
  tiles<size><<<2, 512>>>(sums.device, from.device, votes.device, steps.device);
  sums.download();
  from.download();
  votes.download();
  steps.download();
  for (int first = 0; first < n; first += (int)size) {
    long long sum = 0;
    int value[size], any = 0, all = 1, tile = first % 512 / (int)size;
    for (int i = 0; i < (int)size; i++) {
      value[i] = (first + i) * 37 % 101;
      sum += value[i];
      any |= value[i] == 100;
      all &= value[i] < 100;
    }
    for (int i = 0; i < (int)size; i++) {
      expect(first + i, sums[first + i], sum << 33);
      const int source = (int)size > 32 ? tile * 37 + 5 : i + 1;
      expect(first + i, from[first + i], value[source % (int)size] + 1000 * tile);
      expect(first + i, votes[first + i], any + 2 * all);
    }
    for (int iteration = 0; iteration < tile; iteration++) {
      int before[size];
      memcpy(before, value, sizeof before);
      for (int i = 0; i < (int)size; i++)
        value[i] += before[(i + 5) % (int)size];
    }
    for (int i = 0; i < (int)size; i++)
      expect(first + i, steps[first + i], value[i]);
  }
}

int main() {
  check_tiles<64>();
  check_tiles<128>();
  check_tiles<512>();
  check_tiles<32>();
  return passed();
}
