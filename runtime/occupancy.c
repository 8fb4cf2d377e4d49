/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Occupancy: how many blocks of a kernel a multiprocessor of compute capability 8.0 holds at once (CUDA C++ Programming
 * Guide, "Compute capabilities"): 64 warps, 32 blocks, 164 KiB of shared memory of which each block takes 1 KiB more
 * than it asks for. Registers never limit it. A program gets grids of a sensible size from it, and the cooperative
 * launch keeps to the same number.
 */
#include "internal.h"

enum { WARPS = 64, BLOCKS = 32, SHARED_UNIT = 128 };

static uint64_t round_up(uint64_t bytes) { return (bytes + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT; }

unsigned int uwrt_blocks_per_multiprocessor(const uwrt_kernel *kernel, const uwrt_kernel_settings *settings,
                                            uint64_t threads, uint64_t dynamic_shared) {
  uint64_t limit =
      kernel->max_threads && kernel->max_threads < UWRT_MAX_THREADS ? kernel->max_threads : UWRT_MAX_THREADS;
  if (!threads || threads > limit || dynamic_shared > (uint64_t)settings->dynamic_shared)
    return 0;
  uint64_t by_warps = WARPS / ((threads + 31) / 32);
  uint64_t shared = round_up(kernel->static_shared_bytes + dynamic_shared + UWRT_SHARED_RESERVED);
  uint64_t by_shared = UWRT_SHARED_MULTIPROCESSOR / shared;
  uint64_t blocks = BLOCKS;
  if (by_warps < blocks)
    blocks = by_warps;
  if (by_shared < blocks)
    blocks = by_shared;
  return (unsigned int)blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags) {
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(numBlocks && blockSize > 0 && flags <= cudaOccupancyDisableCachingOverride, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, &settings), cudaErrorInvalidDeviceFunction);
  *numBlocks = (int)uwrt_blocks_per_multiprocessor(kernel, &settings, (uint64_t)blockSize, dynamicSMemSize);
  UWRT_LEAVE;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                          size_t dynamicSMemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                      int blockSize) {
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(dynamicSmemSize && numBlocks > 0 && blockSize > 0, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, &settings), cudaErrorInvalidDeviceFunction);
  *dynamicSmemSize = 0;
  UWRT_REQUIRE(uwrt_blocks_per_multiprocessor(kernel, &settings, (uint64_t)blockSize, 0) >= (unsigned int)numBlocks,
               cudaErrorInvalidValue);
  uint64_t each = UWRT_SHARED_MULTIPROCESSOR / (unsigned int)numBlocks / SHARED_UNIT * SHARED_UNIT;
  uint64_t used = kernel->static_shared_bytes + UWRT_SHARED_RESERVED;
  uint64_t left = each > used ? each - used : 0;
  *dynamicSmemSize = left < (uint64_t)settings.dynamic_shared ? (size_t)left : (size_t)settings.dynamic_shared;
  UWRT_LEAVE;
}

/* Clusters. The device has no groups of multiprocessors: a cluster may be anywhere on it, and the blocks of one that is
 * larger than the device take turns. */

static cudaError_t check_config(const cudaLaunchConfig_t *config, const void *func, uint64_t *threads, uint64_t *blocks,
                                uwrt_kernel_settings *settings) {
  const uwrt_kernel *kernel;
  if (!config || (config->numAttrs && !config->attrs))
    return cudaErrorInvalidValue;
  if (!uwrt_kernel_find(func, &kernel, settings))
    return cudaErrorInvalidDeviceFunction;
  *threads = (uint64_t)config->blockDim.x * config->blockDim.y * config->blockDim.z;
  *blocks = uwrt_blocks_per_multiprocessor(kernel, settings, *threads, config->dynamicSmemBytes);
  return *threads ? cudaSuccess : cudaErrorInvalidConfiguration;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *launchConfig) {
  uint64_t threads, blocks;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(clusterSize, cudaErrorInvalidValue);
  UWRT_TRY(check_config(launchConfig, func, &threads, &blocks, &settings));
  *clusterSize = !blocks ? 0 : settings.large_clusters ? 16 : 8;
  UWRT_LEAVE;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig) {
  uint64_t threads, blocks, size = 0;
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(numClusters, cudaErrorInvalidValue);
  UWRT_TRY(check_config(launchConfig, func, &threads, &blocks, &settings));
  uwrt_kernel_find(func, &kernel, NULL);
  if (kernel->cluster)
    size = uwrt_cluster_size(kernel->cluster);
  else if (settings.cluster[0])
    size = (uint64_t)settings.cluster[0] * (uint64_t)settings.cluster[1] * (uint64_t)settings.cluster[2];
  for (unsigned int i = 0; i < launchConfig->numAttrs; i++) {
    const cudaLaunchAttribute *one = &launchConfig->attrs[i];
    if (one->id == cudaLaunchAttributeClusterDimension)
      size = (uint64_t)one->val.clusterDim.x * one->val.clusterDim.y * one->val.clusterDim.z;
  }
  UWRT_REQUIRE(size && size <= (settings.large_clusters ? 16 : 8), cudaErrorInvalidClusterSize);
  blocks *= (uint64_t)uwrt_device_cores(uwrt_current_device());
  *numClusters = !blocks ? 0 : blocks < size ? 1 : (int)(blocks / size);
  UWRT_LEAVE;
}
