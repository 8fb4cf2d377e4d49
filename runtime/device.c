/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a device is: this machine's processor, or its share of it (devices.c), told in CUDA's terms. A core is a
 * multiprocessor; what a program may ask of a block is what compute capability 8.0 allows; limits of textures are those
 * of that capability too. Clock and width of the memory are 0, since the machine does not tell.
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

static void fill_properties(struct cudaDeviceProp *prop, int device) {
  const uwrt_machine *machine = uwrt_this_machine();
  *prop = (struct cudaDeviceProp){
      .uuid = {"unwarp cpu 0000"},
      .totalGlobalMem = uwrt_device_memory(device),
      .sharedMemPerBlock = UWRT_SHARED_DEFAULT,
      .regsPerBlock = 65536,
      .warpSize = 32,
      .memPitch = UWRT_MAX_PITCH,
      .maxThreadsPerBlock = UWRT_MAX_THREADS,
      .maxThreadsDim = {1024, 1024, 64},
      .maxGridSize = {2147483647, 65535, 65535},
      .clockRate = machine->clock_khz,
      .totalConstMem = 65536,
      .major = 8,
      .minor = 0,
      .textureAlignment = 256,
      .texturePitchAlignment = 32,
      .deviceOverlap = 1,
      .multiProcessorCount = uwrt_device_cores(device),
      .pciDeviceID = uwrt_device_layout()->part[device],
      .integrated = 1,
      .canMapHostMemory = 1,
      .computeMode = cudaComputeModeDefault,
      .maxTexture1D = 131072,
      .maxTexture1DMipmap = 32768,
      .maxTexture1DLinear = 268435456,
      .maxTexture2D = {131072, 65536},
      .maxTexture2DMipmap = {32768, 32768},
      .maxTexture2DLinear = {131072, 65000, 2097120},
      .maxTexture2DGather = {32768, 32768},
      .maxTexture3D = {16384, 16384, 16384},
      .maxTexture3DAlt = {8192, 8192, 32768},
      .maxTextureCubemap = 32768,
      .maxTexture1DLayered = {32768, 2048},
      .maxTexture2DLayered = {32768, 32768, 2048},
      .maxTextureCubemapLayered = {32768, 2046},
      .maxSurface1D = 32768,
      .maxSurface2D = {131072, 65536},
      .maxSurface3D = {16384, 16384, 16384},
      .maxSurface1DLayered = {32768, 2048},
      .maxSurface2DLayered = {32768, 32768, 2048},
      .maxSurfaceCubemap = 32768,
      .maxSurfaceCubemapLayered = {32768, 2046},
      .surfaceAlignment = 512,
      .concurrentKernels = 1,
      .asyncEngineCount = 1,
      .unifiedAddressing = 1,
      .l2CacheSize = machine->cache_bytes,
      .persistingL2CacheMaxSize = uwrt_persisting_cache_bytes(),
      .accessPolicyMaxWindowSize = machine->cache_bytes,
      .maxThreadsPerMultiProcessor = 2048,
      .streamPrioritiesSupported = 1,
      .globalL1CacheSupported = 1,
      .localL1CacheSupported = 1,
      .sharedMemPerMultiprocessor = UWRT_SHARED_MULTIPROCESSOR,
      .regsPerMultiprocessor = 65536,
      .managedMemory = 1,
      .ipcEventSupported = 1,
      .hostNativeAtomicSupported = 1,
      .singleToDoublePrecisionPerfRatio = 2,
      .concurrentManagedAccess = 1,
      .computePreemptionSupported = 1,
      .canUseHostPointerForRegisteredMem = 1,
      .cooperativeLaunch = 1,
      .clusterLaunch = 1,
      .sharedMemPerBlockOptin = UWRT_SHARED_OPTIN,
      .directManagedMemAccessFromHost = 1,
      .maxBlocksPerMultiProcessor = 32,
      .reservedSharedMemPerBlock = UWRT_SHARED_RESERVED,
      .hostRegisterSupported = 1,
      .hostRegisterReadOnlySupported = 1,
      .memoryPoolsSupported = 1,
  };
  snprintf(prop->name, sizeof prop->name, "%s", machine->name);
  uwrt_device_uuid(uwrt_device_layout()->part[device], (unsigned char *)prop->uuid.bytes);
}

void uwrt_device_uuid(int part, unsigned char bytes[16]) {
  memcpy(bytes, "unwarp cpu 0000", 16);
  bytes[15] = (unsigned char)part;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(prop, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  fill_properties(prop, device);
  UWRT_LEAVE;
}

/* Attributes that are members of the properties; each is an int there, or a size_t that an int holds. */
static const struct {
  int attribute;
  unsigned short offset, bytes;
} attributes[] = {
#define ATTRIBUTE(name, member)                                                                                        \
  {cudaDevAttr##name, offsetof(struct cudaDeviceProp, member), sizeof(((struct cudaDeviceProp *)0)->member)}
    ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock),
    ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0]),
    ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1]),
    ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2]),
    ATTRIBUTE(MaxGridDimX, maxGridSize[0]),
    ATTRIBUTE(MaxGridDimY, maxGridSize[1]),
    ATTRIBUTE(MaxGridDimZ, maxGridSize[2]),
    ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    ATTRIBUTE(TotalConstantMemory, totalConstMem),
    ATTRIBUTE(WarpSize, warpSize),
    ATTRIBUTE(MaxPitch, memPitch),
    ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock),
    ATTRIBUTE(ClockRate, clockRate),
    ATTRIBUTE(TextureAlignment, textureAlignment),
    ATTRIBUTE(GpuOverlap, deviceOverlap),
    ATTRIBUTE(MultiProcessorCount, multiProcessorCount),
    ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled),
    ATTRIBUTE(Integrated, integrated),
    ATTRIBUTE(CanMapHostMemory, canMapHostMemory),
    ATTRIBUTE(ComputeMode, computeMode),
    ATTRIBUTE(MaxTexture1DWidth, maxTexture1D),
    ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0]),
    ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1]),
    ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0]),
    ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1]),
    ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2]),
    ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    ATTRIBUTE(SurfaceAlignment, surfaceAlignment),
    ATTRIBUTE(ConcurrentKernels, concurrentKernels),
    ATTRIBUTE(EccEnabled, ECCEnabled),
    ATTRIBUTE(PciBusId, pciBusID),
    ATTRIBUTE(PciDeviceId, pciDeviceID),
    ATTRIBUTE(TccDriver, tccDriver),
    ATTRIBUTE(MemoryClockRate, memoryClockRate),
    ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth),
    ATTRIBUTE(L2CacheSize, l2CacheSize),
    ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    ATTRIBUTE(AsyncEngineCount, asyncEngineCount),
    ATTRIBUTE(UnifiedAddressing, unifiedAddressing),
    ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    ATTRIBUTE(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    ATTRIBUTE(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    ATTRIBUTE(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    ATTRIBUTE(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    ATTRIBUTE(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    ATTRIBUTE(PciDomainId, pciDomainID),
    ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment),
    ATTRIBUTE(MaxTextureCubemapWidth, maxTextureCubemap),
    ATTRIBUTE(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    ATTRIBUTE(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    ATTRIBUTE(MaxSurface1DWidth, maxSurface1D),
    ATTRIBUTE(MaxSurface2DWidth, maxSurface2D[0]),
    ATTRIBUTE(MaxSurface2DHeight, maxSurface2D[1]),
    ATTRIBUTE(MaxSurface3DWidth, maxSurface3D[0]),
    ATTRIBUTE(MaxSurface3DHeight, maxSurface3D[1]),
    ATTRIBUTE(MaxSurface3DDepth, maxSurface3D[2]),
    ATTRIBUTE(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    ATTRIBUTE(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    ATTRIBUTE(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    ATTRIBUTE(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    ATTRIBUTE(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    ATTRIBUTE(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    ATTRIBUTE(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    ATTRIBUTE(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    ATTRIBUTE(MaxTexture1DLinearWidth, maxTexture1DLinear),
    ATTRIBUTE(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    ATTRIBUTE(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    ATTRIBUTE(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    ATTRIBUTE(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    ATTRIBUTE(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    ATTRIBUTE(ComputeCapabilityMajor, major),
    ATTRIBUTE(ComputeCapabilityMinor, minor),
    ATTRIBUTE(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported),
    ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported),
    ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported),
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    ATTRIBUTE(ManagedMemory, managedMemory),
    ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard),
    ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported),
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess),
    ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess),
    ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported),
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    ATTRIBUTE(CooperativeLaunch, cooperativeLaunch),
    ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    ATTRIBUTE(HostRegisterSupported, hostRegisterSupported),
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported),
    ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported),
    ATTRIBUTE(GPUDirectRDMASupported, gpuDirectRDMASupported),
    ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    ATTRIBUTE(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    ATTRIBUTE(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    ATTRIBUTE(ClusterLaunch, clusterLaunch),
    ATTRIBUTE(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    ATTRIBUTE(IpcEventSupport, ipcEventSupported),
#undef ATTRIBUTE
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  struct cudaDeviceProp prop;
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  switch ((int)attr) {
  case cudaDevAttrCanFlushRemoteWrites:
  case cudaDevAttrNumaConfig:
  case cudaDevAttrMpsEnabled:
  case cudaDevAttrHostNumaId:
  case cudaDevAttrD3D12CigSupported:
  case cudaDevAttrVulkanCigSupported:
  case cudaDevAttrGpuPciDeviceId:
  case cudaDevAttrGpuPciSubsystemId:
  case cudaDevAttrHostNumaMemoryPoolsSupported:
  case cudaDevAttrHostNumaMultinodeIpcSupported:
  case cudaDevAttrHostMemoryPoolsSupported:
  case cudaDevAttrOnlyPartialHostNativeAtomicSupported: *value = 0; goto out;
  case cudaDevAttrMemSyncDomainCount: *value = 1; goto out;
  case cudaDevAttrNumaId: *value = -1; goto out;
  default: break;
  }
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    if (attributes[i].attribute != (int)attr)
      continue;
    fill_properties(&prop, device);
    const char *member = (const char *)&prop + attributes[i].offset;
    if (attributes[i].bytes == sizeof(size_t)) {
      size_t wide;
      memcpy(&wide, member, sizeof wide);
      *value = (int)wide;
    } else {
      memcpy(value, member, sizeof *value);
    }
    goto out;
  }
  error = cudaErrorInvalidValue;
  UWRT_LEAVE;
}

/* The devices sit on no bus; programs that print or parse an address get a well-formed one. */

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  enum { LENGTH = sizeof "0000:00:00.0" };
  UWRT_ENTER;
  UWRT_REQUIRE(pciBusId && len >= LENGTH, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  snprintf(pciBusId, LENGTH, "0000:00:%02x.0", uwrt_device_layout()->part[device]);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  unsigned int domain = 0, bus, slot, function = 0;
  UWRT_ENTER;
  UWRT_REQUIRE(device && pciBusId, cudaErrorInvalidValue);
  if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
    domain = 0;
    UWRT_REQUIRE(sscanf(pciBusId, "%x:%x.%x", &bus, &slot, &function) >= 2, cudaErrorInvalidValue);
  }
  int found = uwrt_device_count() - 1;
  while (found >= 0 && uwrt_device_layout()->part[found] != slot)
    found--;
  UWRT_REQUIRE(!domain && !bus && !function && found >= 0, cudaErrorInvalidDevice);
  *device = found;
  UWRT_LEAVE;
}

/* That of the newest tool kit that --cuda-version can name: a driver serves its own one and older ones. */
enum { UWRT_DRIVER_VERSION = 13010 };

cudaError_t cudaDriverGetVersion(int *driverVersion) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(driverVersion, cudaErrorInvalidValue);
  *driverVersion = UWRT_DRIVER_VERSION;
  UWRT_LEAVE;
}

static cudaError_t say_version(int *to, int version) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(to, cudaErrorInvalidValue);
  *to = version;
  UWRT_LEAVE;
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) { return say_version(runtimeVersion, CUDART_VERSION); }

/* What headers of these versions call (unwarp/version.h). */
#define SAY_VERSION(number)                                                                                            \
  __attribute__((visibility("default"))) cudaError_t cudaRuntimeGetVersion_##number(int *to);                          \
  cudaError_t cudaRuntimeGetVersion_##number(int *to) { return say_version(to, number); }
SAY_VERSION(11080)
SAY_VERSION(12090)
SAY_VERSION(13000)
SAY_VERSION(13010)
