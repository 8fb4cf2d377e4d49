// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function takes any cooperative group by value: the block, then a tile of it. Inlining tells which kind it is.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int *cells, int value) {
  int rank = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    cells[rank] = value;
    group.sync();
    if (rank < half)
      value += cells[rank + half];
    group.sync();
  }
  return group.thread_rank() == 0 ? value : -1;
}

__global__ void sums(int *of_block, int *of_tile) {
  extern __shared__ int cells[];
  cg::thread_block block = cg::this_thread_block();
  int rank = block.thread_rank(), total = sum(block, cells, rank);
  if (rank == 0)
    printf(" block of %d: %d\n", (int)block.size(), total);
  of_block[rank] = total;
  block.sync();
  auto tile = cg::tiled_partition<16>(block);
  total = sum(tile, cells + (block.thread_rank() - tile.thread_rank()), tile.thread_rank());
  if (tile.thread_rank() == 0)
    printf(" tile %d: %d\n", rank / 16, total);
  of_tile[rank] = total;
}

int main() {
  const int block = 64;
  buffer<int> of_block(block), of_tile(block);
  sums<<<1, block, block * sizeof(int)>>>(of_block.device, of_tile.device);
  of_block.download();
  of_tile.download();
  for (int i = 0; i < block; i++) {
    expect(i, of_block[i], i == 0 ? block * (block - 1) / 2 : -1);
    expect(i, of_tile[i], i % 16 == 0 ? 120 : -1);
  }
  return passed();
}
