/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libcudart.so.13: what has another form in CUDA 13 than in 12 and is not a function of ours under another name. All
 * other functions are jumps to libcudart.so.12 (scripts/cudart-forwarders.sh).
 */
#pragma GCC visibility push(default)
#include "../../include/cuda_runtime_api.h"
#pragma GCC visibility pop

#include <string.h>

/* CUDA 13's cudaDeviceProp: 12's without what is told by attributes (clock rates, modes). */
typedef struct properties13 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, maxTexture1D, maxTexture1DMipmap, maxTexture2D[2],
      maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3],
      maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D,
      maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap,
      maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing,
      memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
      globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
      accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported,
      memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, deviceNumaConfig,
      deviceNumaId, mpsEnabled, hostNumaId;
  unsigned int gpuPciDeviceID, gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported, reserved[56];
} properties13;
_Static_assert(sizeof(properties13) == 1008, "as CUDA 13 has it");

/* This library's function of that name is the one below. */
extern cudaError_t properties12(struct cudaDeviceProp *prop, int device) __asm__("cudaGetDeviceProperties_12");
__asm__(".symver cudaGetDeviceProperties_12, cudaGetDeviceProperties@libcudart.so.12");

#define COPY(member) memcpy(&to->member, &from.member, sizeof to->member)
#define COPY_RUN(first, last)                                                                                          \
  memcpy(&to->first, &from.first, (size_t)((char *)&to->last - (char *)&to->first) + sizeof to->last)
static cudaError_t get_properties(properties13 *to, int device) {
  struct cudaDeviceProp from;
  cudaError_t error = properties12(to ? &from : NULL, device);
  if (error != cudaSuccess)
    return error;
  memset(to, 0, sizeof *to);
  /* Runs of members that lie alike in both. */
  COPY_RUN(name, maxGridSize);
  COPY_RUN(totalConstMem, texturePitchAlignment);
  COPY(multiProcessorCount);
  COPY_RUN(integrated, canMapHostMemory);
  COPY_RUN(maxTexture1D, maxTexture1DMipmap);
  COPY_RUN(maxTexture2D, maxSurfaceCubemapLayered);
  COPY(surfaceAlignment);
  COPY_RUN(concurrentKernels, unifiedAddressing);
  COPY_RUN(memoryBusWidth, localL1CacheSupported);
  COPY_RUN(sharedMemPerMultiprocessor, hostNativeAtomicSupported);
  COPY_RUN(pageableMemoryAccess, cooperativeLaunch);
  COPY_RUN(sharedMemPerBlockOptin, accessPolicyMaxWindowSize);
  COPY_RUN(reservedSharedMemPerBlock, unifiedFunctionPointers);
  to->deviceNumaId = to->hostNumaId = -1;
  return cudaSuccess;
}

#pragma GCC visibility push(default)
cudaError_t forwarded_properties(properties13 *prop, int device) __asm__("cudaGetDeviceProperties");
cudaError_t forwarded_properties(properties13 *prop, int device) { return get_properties(prop, device); }

cudaError_t runtime_version(int *version) __asm__("cudaRuntimeGetVersion");
cudaError_t runtime_version(int *version) {
  if (!version)
    return cudaErrorInvalidValue;
  *version = 13000;
  return cudaSuccess;
}
#pragma GCC visibility pop
