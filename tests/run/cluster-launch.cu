// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in clusters that CUDA refuses, what is told of them before, and what a graph keeps.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) pairs(int *ranks) { ranks[blockIdx.x] = cg::this_cluster().block_rank(); }
__global__ void any(int *ranks) {
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    ranks[blockIdx.x] = cg::this_cluster().block_rank() + 100 * __clusterDimIsSpecified();
}

static cudaLaunchAttribute cluster_of(unsigned x, unsigned y, unsigned z) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = x;
  attribute.val.clusterDim.y = y;
  attribute.val.clusterDim.z = z;
  return attribute;
}

static cudaLaunchConfig_t config_of(dim3 grid, int block, cudaLaunchAttribute *attribute) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(block);
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

static cudaError_t launch(void (*kernel)(int *), dim3 grid, int block, dim3 cluster, int *ranks) {
  cudaLaunchAttribute attribute = cluster_of(cluster.x, cluster.y, cluster.z);
  cudaLaunchConfig_t config = config_of(grid, block, &attribute);
  cudaError_t error = cudaLaunchKernelEx(&config, kernel, ranks);
  expect(0, (int)cudaGetLastError(), (int)error);
  return error;
}

// What kernels ask of their clusters is not looked at where they do not run; the next launch is one that may join.
static void refused_in_a_row(int *ranks, int block) {
  pairs<<<3, block>>>(ranks);
  expect(9, (int)cudaGetLastError(), (int)cudaErrorInvalidClusterSize);
  pairs<<<7, block>>>(ranks);
  expect(9, (int)cudaGetLastError(), (int)cudaErrorInvalidClusterSize);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<int> ranks(32);
  const int wrong = cudaErrorInvalidClusterSize;
  expect(1, (int)launch(any, dim3(6), block, dim3(4), ranks.device), wrong);
  expect(2, (int)launch(any, dim3(16, 2), block, dim3(8, 2), ranks.device), wrong);
  expect(3, (int)launch(any, dim3(9), block, dim3(9), ranks.device), wrong);
  expect(4, (int)launch(any, dim3(4), block, dim3(0), ranks.device), wrong);
  expect(5, (int)launch(any, dim3(4), block, dim3(1, 0, 1), ranks.device), wrong);
  expect(6, (int)launch(pairs, dim3(4), block, dim3(4), ranks.device), wrong);
  expect(7, (int)launch(any, dim3(4, 3), block, dim3(2, 2), ranks.device), wrong);
  pairs<<<3, block>>>(ranks.device);
  expect(8, (int)cudaGetLastError(), wrong);
  refused_in_a_row(ranks.device, block);

  expect(10, (int)launch(pairs, dim3(4), block, dim3(2), ranks.device), (int)cudaSuccess);
  ranks.download();
  for (int i = 0; i < 4; i++)
    expect(i, ranks[i], i % 2);
  any<<<3, block>>>(ranks.device);
  ranks.download();
  for (int i = 0; i < 3; i++)
    expect(i, ranks[i], 0);

  // More than 8 where the program asks for it.
  CHECK(cudaFuncSetAttribute((const void *)any, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  expect(11, (int)launch(any, dim3(32), block, dim3(16), ranks.device), (int)cudaSuccess);
  ranks.download();
  for (int i = 0; i < 32; i++)
    expect(i, ranks[i], 100 + i % 16);

  cudaFuncAttributes known;
  CHECK(cudaFuncGetAttributes(&known, (const void *)pairs));
  expect(12, known.clusterDimMustBeSet, 1);
  expect(13, known.requiredClusterWidth * 100 + known.requiredClusterHeight * 10 + known.requiredClusterDepth, 211);
  expect(14, (int)cudaFuncSetAttribute((const void *)pairs, cudaFuncAttributeRequiredClusterWidth, 4),
         (int)cudaErrorNotPermitted);
  cudaGetLastError();

  cudaLaunchAttribute attribute = cluster_of(4, 1, 1);
  cudaLaunchConfig_t config = config_of(dim3(8), block, &attribute);
  int most = 0, active = 0, launches = 0;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&most, pairs, &config));
  CHECK(cudaOccupancyMaxActiveClusters(&active, any, &config));
  CHECK(cudaDeviceGetAttribute(&launches, cudaDevAttrClusterLaunch, 0));
  expect(15, most, 8);
  expect(16, active > 0, true);
  expect(17, launches, 1);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  config.stream = stream;
  CHECK(cudaLaunchKernelEx(&config, any, ranks.device));
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  cudaLaunchAttributeValue kept;
  CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &kept));
  expect(18, (int)(kept.clusterDim.x * 100 + kept.clusterDim.y * 10 + kept.clusterDim.z), 411);
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  ranks.download();
  for (int i = 0; i < 8; i++)
    expect(i, ranks[i], 100 + i % 4);
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
