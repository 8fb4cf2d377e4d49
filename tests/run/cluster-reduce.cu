// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of the blocks of a cluster: each block adds up its part in shared memory, the first of the cluster adds up what the others
// have there, and each reads the total from the first. __cluster_dims__ says the size, also as a template's argument, and what a
// kernel without it runs in is cudaFuncSetAttribute's. Barriers in two steps; a kernel whose blocks only ask where they are.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct place {
  unsigned rank, size, x, y, z, cluster, clusters, thread, first;
};

template <typename Cluster> __device__ void reduce(Cluster cluster, const int *values, long long *totals, place *places) {
  __shared__ long long total;
  __shared__ long long parts[32];
  unsigned block = cg::this_grid().block_rank();
  for (unsigned i = threadIdx.x; i < 32; i += blockDim.x)
    parts[i] = 0;
  __syncthreads();
  atomicAdd((unsigned long long *)&parts[threadIdx.x % 32],
            (unsigned long long)(long long)values[block * blockDim.x + threadIdx.x]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    long long sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++)
      for (int i = 0; i < 32; i++)
        sum += cluster.map_shared_rank(parts, rank)[i];
    total = sum;
  }
  auto token = cluster.barrier_arrive();
  int unrelated = values[block * blockDim.x] & 0;
  cluster.barrier_wait(static_cast<decltype(token) &&>(token));
  long long *first = cluster.map_shared_rank(&total, 0);
  if (threadIdx.x == blockDim.x - 1) {
    totals[block] = *first + unrelated;
    dim3 at = cluster.block_index();
    places[block] = {cluster.block_rank(),
                     cluster.num_blocks(),
                     at.x,
                     at.y,
                     at.z,
                     (unsigned)cg::this_grid().cluster_rank(),
                     (unsigned)cg::this_grid().num_clusters(),
                     cluster.thread_rank(),
                     cluster.query_shared_rank(first)};
  }
  cluster.sync(); // the first block's memory is read until here
}

__global__ void __cluster_dims__(2, 1, 1) in_pairs(const int *values, long long *totals, place *places) {
  reduce(cg::this_cluster(), values, totals, places);
}
template <int x, int y>
__global__ void __launch_bounds__(1024) __cluster_dims__(x, y)
    in_clusters(const int *values, long long *totals, place *places) {
  reduce(cg::this_cluster(), values, totals, places);
}
__global__ void in_any(const int *values, long long *totals, place *places) {
  reduce(cg::this_cluster(), values, totals, places);
}
// Waits for nobody: its blocks run in a loop.
template <int x> __global__ void __cluster_dims__(x) only_places(const int *, long long *totals, place *places) {
  cg::cluster_group cluster = cg::this_cluster();
  unsigned block = cg::this_grid().block_rank();
  dim3 at = cluster.block_index();
  totals[block] = cluster.num_threads();
  if (threadIdx.x == blockDim.x - 1)
    places[block] = {cluster.block_rank(), cluster.num_blocks(), at.x, at.y, at.z,
                     (unsigned)cg::this_grid().cluster_rank(), (unsigned)cg::this_grid().num_clusters(),
                     cluster.thread_rank(), 0};
}

static void check_kernel(void (*kernel)(const int *, long long *, place *), int block, dim3 grid, dim3 of, bool sums) {
  int blocks = grid.x * grid.y * grid.z, size = of.x * of.y * of.z;
  buffer<int> values(blocks * block);
  buffer<long long> totals(blocks);
  buffer<place> places(blocks);
  for (int i = 0; i < blocks * block; i++)
    values[i] = i % 1013 - 400;
  values.upload();
  kernel<<<grid, block>>>(values.device, totals.device, places.device);
  totals.download();
  places.download();
  dim3 along(grid.x / of.x, grid.y / of.y, grid.z / of.z);
  for (int b = 0; b < blocks; b++) {
    unsigned x = b % grid.x, y = b / grid.x % grid.y, z = b / grid.x / grid.y;
    long long sum = 0;
    for (int other = 0; other < blocks; other++) {
      unsigned ox = other % grid.x, oy = other / grid.x % grid.y, oz = other / grid.x / grid.y;
      if (ox / of.x == x / of.x && oy / of.y == y / of.y && oz / of.z == z / of.z)
        for (int i = 0; i < block; i++)
          sum += values[other * block + i];
    }
    expect(b, totals[b], sums ? sum : (long long)size * block);
    unsigned rank = x % of.x + of.x * (y % of.y + of.y * (z % of.z));
    place expected = {rank,
                      (unsigned)size,
                      x % of.x,
                      y % of.y,
                      z % of.z,
                      x / of.x + along.x * (y / of.y + along.y * (z / of.z)),
                      along.x * along.y * along.z,
                      rank * block + block - 1,
                      0};
    expect(b, memcmp(&places[b], &expected, sizeof expected), 0);
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  check_kernel(in_pairs, block, dim3(6), dim3(2), true);
  check_kernel(in_clusters<1, 1>, block, dim3(5), dim3(1), true);
  check_kernel(in_clusters<4, 1>, block, dim3(8, 2), dim3(4), true);
  check_kernel(in_clusters<2, 4>, block, dim3(4, 8, 2), dim3(2, 4), true);
  check_kernel(in_clusters<8, 1>, block, dim3(16), dim3(8), true);
  check_kernel(in_clusters<1, 3>, block, dim3(2, 6), dim3(1, 3), true);
  check_kernel(in_any, block, dim3(3), dim3(1), true);
  check_kernel(only_places<4>, block, dim3(8, 2, 2), dim3(4), false);
  CHECK(cudaFuncSetAttribute((const void *)in_any, cudaFuncAttributeRequiredClusterWidth, 4));
  CHECK(cudaFuncSetAttribute((const void *)in_any, cudaFuncAttributeRequiredClusterHeight, 1));
  CHECK(cudaFuncSetAttribute((const void *)in_any, cudaFuncAttributeRequiredClusterDepth, 1));
  check_kernel(in_any, block, dim3(4, 3), dim3(4), true);
  return passed();
}
