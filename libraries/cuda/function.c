/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels: what is known of one, and how many of its blocks fit. A function, a kernel of a library and the runtime's
 * symbol are one handle. */
#include "internal.h"

#define S(handle) ((const void *)(handle))

static int attribute_of(int *value, CUfunction_attribute attribute, const void *stub) {
  struct cudaFuncAttributes found;
  int error = value ? (int)cudaFuncGetAttributes(&found, stub) : CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = found.maxThreadsPerBlock; break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)found.sharedSizeBytes; break;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)found.constSizeBytes; break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)found.localSizeBytes; break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = found.numRegs; break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = found.ptxVersion; break;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = found.binaryVersion; break;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = found.cacheModeCA; break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = found.maxDynamicSharedSizeBytes; break;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = found.preferredShmemCarveout; break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = found.clusterDimMustBeSet; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = found.requiredClusterWidth; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = found.requiredClusterHeight; break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = found.requiredClusterDepth; break;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = found.nonPortableClusterSizeAllowed; break;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static int set_attribute(const void *stub, CUfunction_attribute attribute, int value) {
  return attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
             ? CUDA_ERROR_INVALID_VALUE /* only to be read */
             : (int)cudaFuncSetAttribute(stub, (enum cudaFuncAttribute)attribute, value);
}

static int check(const void *stub) { return uwrt_kernel_known(stub) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; }
static int check_device(int device) { return uwcu_device_exists(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction f) { RUN(attribute_of(pi, attrib, f)); }
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attrib, int value) {
  RUN(set_attribute(f, attrib, value));
}
CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config) {
  RUN(cudaFuncSetCacheConfig(S(f), (enum cudaFuncCache)config));
}
CUresult cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig config) {
  RUN(cudaFuncSetSharedMemConfig(S(f), (enum cudaSharedMemConfig)config));
}
CUresult cuFuncGetName(const char **name, CUfunction f) { ANYWHERE(cudaFuncGetName(name, S(f))); }
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size) {
  ANYWHERE(cudaFuncGetParamInfo(S(f), index, offset, size));
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f) {
  RUN(!state ? (int)CUDA_ERROR_INVALID_VALUE : check(f) ? check(f) : (*state = CU_FUNCTION_LOADING_STATE_LOADED, 0));
}
CUresult cuFuncLoad(CUfunction f) { RUN(check(f)); }

static int module_of(CUmodule *module, const void *stub) {
  if (!module)
    return CUDA_ERROR_INVALID_VALUE;
  *module = uwcu_module_of(stub);
  return *module       ? CUDA_SUCCESS
         : check(stub) ? CUDA_ERROR_INVALID_HANDLE
                       : CUDA_ERROR_NOT_FOUND; /* the program's own */
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction f) { RUN(module_of(module, f)); }
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) { ANYWHERE(module_of((CUmodule *)library, kernel)); }
CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel) {
  RUN(!f ? (int)CUDA_ERROR_INVALID_VALUE : check(kernel) ? check(kernel) : (*f = (CUfunction)kernel, 0));
}
CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  ANYWHERE(check_device(dev) ? check_device(dev) : attribute_of(pi, attrib, kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  ANYWHERE(check_device(dev) ? check_device(dev) : set_attribute(kernel, attrib, val));
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  ANYWHERE(check_device(dev) ? check_device(dev) : (int)cudaFuncSetCacheConfig(S(kernel), (enum cudaFuncCache)config));
}
CUresult cuKernelGetName(const char **name, CUkernel kernel) { ANYWHERE(cudaFuncGetName(name, S(kernel))); }
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
  ANYWHERE(cudaFuncGetParamInfo(S(kernel), index, offset, size));
}

/* --- occupancy ---------------------------------------------------------------------------------------------------- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t shared) {
  RUN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, S(f), threads, shared));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t shared,
                                                              unsigned int flags) {
  RUN(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, S(f), threads, shared, flags));
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction f, int blocks, int threads) {
  RUN(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, S(f), blocks, threads));
}

/* The largest block, in whole warps, for which the most threads are at work. */
static int best_block(int *grid, int *block, const void *stub, CUoccupancyB2DSize shared_of, size_t shared, int limit,
                      unsigned int flags) {
  struct cudaFuncAttributes found;
  int device = 0, multiprocessors = 0, most = 0;
  if (!grid || !block || !stub || limit < 0 || (flags & ~(unsigned int)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
    return CUDA_ERROR_INVALID_VALUE;
  int error = (int)cudaFuncGetAttributes(&found, stub);
  if (error)
    return error;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (!limit || limit > found.maxThreadsPerBlock)
    limit = found.maxThreadsPerBlock;
  *grid = *block = 0;
  for (int rounded = (limit + 31) / 32 * 32; rounded > 0; rounded -= 32) {
    int threads = rounded < limit ? rounded : limit, blocks = 0;
    error = (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub, threads,
                                                               shared_of ? shared_of(threads) : shared);
    if (error)
      return error;
    if (blocks * threads > most) {
      most = blocks * threads;
      *block = threads;
      *grid = blocks * multiprocessors;
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of,
                                          size_t shared, int limit) {
  RUN(best_block(grid, block, f, shared_of, shared, limit, 0));
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, CUoccupancyB2DSize shared_of,
                                                   size_t shared, int limit, unsigned int flags) {
  RUN(best_block(grid, block, f, shared_of, shared, limit, flags));
}

/* The attributes are the runtime's (launch_calls.c). */
static cudaLaunchConfig_t config_of(const CUlaunchConfig *config) {
  return (cudaLaunchConfig_t){{config->gridDimX, config->gridDimY, config->gridDimZ},
                              {config->blockDimX, config->blockDimY, config->blockDimZ},
                              config->sharedMemBytes,
                              config->hStream,
                              (cudaLaunchAttribute *)config->attrs,
                              config->numAttrs};
}
static int cluster_size(int *size, const void *stub, const CUlaunchConfig *config) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchConfig_t own = config_of(config);
  return (int)cudaOccupancyMaxPotentialClusterSize(size, stub, &own);
}
static int active_clusters(int *count, const void *stub, const CUlaunchConfig *config) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchConfig_t own = config_of(config);
  return (int)cudaOccupancyMaxActiveClusters(count, stub, &own);
}
CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const CUlaunchConfig *config) {
  RUN(cluster_size(size, f, config));
}
CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction f, const CUlaunchConfig *config) {
  RUN(active_clusters(count, f, config));
}
