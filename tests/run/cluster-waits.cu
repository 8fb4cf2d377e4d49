// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a cluster that wait in loops of their own for what others write into their shared memory: a value that goes around
// the cluster several times; barriers of the cluster in a loop, in a branch that whole clusters take, and after threads have returned;
// with barriers of the grid in between.
#include "grid.h"

__global__ void __cluster_dims__(4) pass_on(int *out, int rounds) {
  __shared__ volatile int inbox;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), size = cluster.num_blocks();
  if (threadIdx.x == 0)
    inbox = rank == 0 ? 1 : 0;
  cluster.sync();
  if (threadIdx.x == 0) {
    volatile int *next = cluster.map_shared_rank((int *)&inbox, (rank + 1) % size);
    int value = 0;
    for (int round = 0; round < rounds; round++) {
      while ((value = inbox) == 0) {
      }
      inbox = 0;
      *next = value + 1;
    }
    out[blockIdx.x] = value;
  }
  cluster.sync();
}

__global__ void __cluster_dims__(2, 2) many_phases(int *out, int phases) {
  __shared__ int sums[2];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned block = cg::this_grid().block_rank(), cluster_rank = cg::this_grid().cluster_rank();
  if (threadIdx.x == 0)
    sums[0] = sums[1] = (int)block;
  if (threadIdx.x > 8 && threadIdx.x % 3 == 1)
    return;
  if (cluster_rank % 2 == 0)
    cluster.sync();
  else
    for (int phase = 0; phase < phases; phase++) {
      cluster.sync();
      if (threadIdx.x == 0)
        sums[(phase + 1) % 2] = *cluster.map_shared_rank(&sums[phase % 2], (cluster.block_rank() + 1) % 4) + 1;
      cluster.sync();
    }
  cluster.sync();
  if (threadIdx.x == 0)
    out[block] = sums[phases % 2];
}

__global__ void with_grid(int *out, int *all) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    value = (int)blockIdx.x;
    atomicAdd(all, 1);
  }
  cluster.sync();
  int other = *cluster.map_shared_rank(&value, cluster.num_blocks() - 1);
  cg::this_grid().sync();
  if (threadIdx.x == 0)
    value = other + *all;
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, 0);
  cluster.sync();
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<int> out(24), all(1);
  pass_on<<<8, block>>>(out.device, 5);
  out.download();
  for (int b = 0; b < 8; b++)
    expect(b, out[b], 4 * 4 + b % 4 + 1);

  many_phases<<<dim3(6, 4), block>>>(out.device, 5);
  out.download();
  for (int b = 0; b < 24; b++) {
    int x = b % 6, y = b / 6, cluster = x / 2 + 3 * (y / 2), rank = x % 2 + 2 * (y % 2), from = (rank + 5) % 4;
    int there = (y / 2 * 2 + from / 2) * 6 + x / 2 * 2 + from % 2;
    expect(b, out[b], cluster % 2 ? there + 5 : b);
  }

  const int blocks = fitting_blocks(with_grid, block, 8) / 2 * 2;
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = 2;
  attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(block);
  config.attrs = attributes;
  config.numAttrs = 2;
  all[0] = 0;
  all.upload();
  CHECK(cudaLaunchKernelEx(&config, with_grid, out.device, all.device));
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], b / 2 * 2 + 1 + blocks);
  return passed();
}
