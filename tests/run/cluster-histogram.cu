// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram whose bins lie in the shared memory of all blocks of a cluster, a part in each: in clusters of 1, 2, 4 and 8
// blocks that the launch names, of 1 to 3 dimensions, by static and by dynamic shared memory.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { BINS = 96 };

template <bool dynamic_bins>
__global__ void count_in_cluster(const unsigned char *values, int n, unsigned *histogram, int each) {
  __shared__ unsigned fixed[BINS];
  extern __shared__ unsigned chosen[];
  unsigned *bins = dynamic_bins ? chosen : fixed;
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    bins[i] = 0;
  cluster.sync();
  unsigned block = cg::this_grid().block_rank(), threads = gridDim.x * gridDim.y * gridDim.z * blockDim.x;
  for (int i = block * blockDim.x + threadIdx.x; i < n; i += threads) {
    unsigned bin = values[i] % BINS;
    atomicAdd(cluster.map_shared_rank(bins, bin / each) + bin % each, 1u);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    if (int bin = cluster.block_rank() * each + i; bin < BINS)
      atomicAdd(histogram + bin, bins[i]);
}

static void check_histogram(int block, dim3 clusters, dim3 cluster, bool dynamic_bins) {
  const int n = 20000, size = cluster.x * cluster.y * cluster.z, each = (BINS + size - 1) / size;
  buffer<unsigned char> values(n);
  buffer<unsigned> histogram(BINS);
  unsigned expected[BINS] = {};
  for (int i = 0; i < n; i++) {
    values[i] = (unsigned char)(i * 31 + i / 7);
    expected[values[i] % BINS]++;
  }
  for (int i = 0; i < BINS; i++)
    histogram[i] = 0;
  values.upload();
  histogram.upload();
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(clusters.x * cluster.x, clusters.y * cluster.y, clusters.z * cluster.z);
  config.blockDim = dim3(block);
  config.dynamicSmemBytes = dynamic_bins ? each * sizeof(unsigned) : 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, dynamic_bins ? count_in_cluster<true> : count_in_cluster<false>,
                           (const unsigned char *)values.device, n, histogram.device, each));
  CHECK(cudaDeviceSynchronize());
  histogram.download();
  for (int i = 0; i < BINS; i++)
    expect(i, histogram[i], expected[i]);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  for (int size = 1; size <= 8; size *= 2)
    for (int clusters = 1; clusters < 8; clusters += 3)
      for (int dynamic_bins = 0; dynamic_bins < 2; dynamic_bins++)
        check_histogram(block, dim3(clusters), dim3(size), dynamic_bins);
  check_histogram(block, dim3(2, 3), dim3(2, 2), false);
  check_histogram(block, dim3(3, 1, 2), dim3(1, 2, 2), true);
  check_histogram(block, dim3(1, 2, 3), dim3(2, 2, 2), false);
  check_histogram(block, dim3(2), dim3(3), true);
  return passed();
}
