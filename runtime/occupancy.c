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
