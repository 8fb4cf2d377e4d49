/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices: the runtime's, under their ordinals. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

CUresult cuDeviceGetCount(int *count) { ANYWHERE(cudaGetDeviceCount(count)); }

static CUresult get(CUdevice *device, int ordinal) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) { ANYWHERE(get(device, ordinal)); }

static int properties_of(struct cudaDeviceProp *found, const void *wanted, int device) {
  return !wanted                       ? CUDA_ERROR_INVALID_VALUE
         : !uwcu_device_exists(device) ? CUDA_ERROR_INVALID_DEVICE
                                       : (int)cudaGetDeviceProperties(found, device);
}

static int name_of(char *name, int length, int device) {
  struct cudaDeviceProp found;
  int error = properties_of(&found, length > 0 ? name : NULL, device);
  if (error == CUDA_SUCCESS)
    snprintf(name, (size_t)length, "%s", found.name);
  return error;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev) { ANYWHERE(name_of(name, len, dev)); }

static int uuid_of(CUuuid *uuid, int device) {
  struct cudaDeviceProp found;
  int error = properties_of(&found, uuid, device);
  if (error == CUDA_SUCCESS)
    memcpy(uuid, &found.uuid, sizeof *uuid);
  return error;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev) { ANYWHERE(uuid_of(uuid, dev)); }
#undef cuDeviceGetUuid
__attribute__((visibility("default"))) CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev) {
  ANYWHERE(uuid_of(uuid, dev));
}

static int memory_of(size_t *bytes, int device) {
  struct cudaDeviceProp found;
  int error = properties_of(&found, bytes, device);
  if (error == CUDA_SUCCESS)
    *bytes = found.totalGlobalMem;
  return error;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev) { ANYWHERE(memory_of(bytes, dev)); }

/* What the runtime's list of attributes leaves out; -1: it has that one. */
static int own_attribute(CUdevice_attribute attribute) {
  switch ((int)attribute) {
  case CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: return 1;
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
  case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
  case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED: return 0;
  default: return attribute > CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID && attribute < CU_DEVICE_ATTRIBUTE_MAX ? 0 : -1;
  }
}

static int attribute_of(int *value, CUdevice_attribute attribute, int device) {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  int own = own_attribute(attribute);
  if (own < 0)
    return (int)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
  *value = own;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  ANYWHERE(attribute_of(pi, attrib, dev));
}

static int capability(int *major, int *minor, int device) {
  int error =
      minor ? attribute_of(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) : CUDA_ERROR_INVALID_VALUE;
  return error ? error : attribute_of(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev) { ANYWHERE(capability(major, minor, dev)); }

static int old_properties(CUdevprop *to, int device) {
  struct cudaDeviceProp found;
  int error = properties_of(&found, to, device);
  if (error != CUDA_SUCCESS)
    return error;
  *to = (CUdevprop){found.maxThreadsPerBlock,
                    {found.maxThreadsDim[0], found.maxThreadsDim[1], found.maxThreadsDim[2]},
                    {found.maxGridSize[0], found.maxGridSize[1], found.maxGridSize[2]},
                    (int)found.sharedMemPerBlock,
                    (int)found.totalConstMem,
                    found.warpSize,
                    (int)found.memPitch,
                    found.regsPerBlock,
                    found.clockRate,
                    (int)found.textureAlignment};
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev) { ANYWHERE(old_properties(prop, dev)); }
CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId) {
  ANYWHERE(cudaDeviceGetByPCIBusId(dev, pciBusId));
}
CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev) {
  ANYWHERE(cudaDeviceGetPCIBusId(pciBusId, len, dev));
}
CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  ANYWHERE(cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev));
}
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice) {
  ANYWHERE(cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attrib, srcDevice, dstDevice));
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format, unsigned numChannels,
                                            CUdevice dev) {
  struct cudaChannelFormatDesc channels;
  ANYWHERE(uwcu_channels(&channels, format, numChannels)
               ? (int)cudaDeviceGetTexture1DLinearMaxWidth(maxWidthInElements, &channels, dev)
               : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev) {
  ANYWHERE(!pi || type < 0 || type >= CU_EXEC_AFFINITY_TYPE_MAX ? CUDA_ERROR_INVALID_VALUE
           : !uwcu_device_exists(dev)                           ? CUDA_ERROR_INVALID_DEVICE
                                                                : (*pi = 0, CUDA_SUCCESS));
}
