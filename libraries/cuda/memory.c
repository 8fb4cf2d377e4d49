/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory: device, host, managed, registered. All is the process's memory, so a device address is the host's. */
#include "internal.h"

#include <string.h>

CUresult cuMemGetInfo(size_t *free, size_t *total) { RUN(cudaMemGetInfo(free, total)); }

static int none(const void *place, size_t bytes) {
  return !place || !bytes;
} /* where the runtime takes 0 bytes, the driver does not */

static int allocate(CUdeviceptr *address, size_t bytes) {
  return none(address, bytes) ? CUDA_ERROR_INVALID_VALUE : (int)cudaMalloc((void **)address, bytes);
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize) { RUN(allocate(dptr, bytesize)); }

static int allocate_rows(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element) {
  if (!address || !pitch || !width || !height || (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  return (int)cudaMallocPitch((void **)address, pitch, width, height);
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes) {
  RUN(allocate_rows(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes));
}

CUresult cuMemFree(CUdeviceptr dptr) { RUN(cudaFree((void *)dptr)); }

static int range_of(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
  uwrt_range found;
  if (!uwrt_range_of((void *)address, &found))
    return CUDA_ERROR_NOT_FOUND;
  if (start)
    *start = (CUdeviceptr)found.start;
  if (bytes)
    *bytes = found.bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  RUN(range_of(pbase, psize, dptr));
}

/* Handles for other processes have the same bytes in both APIs. */
CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr) {
  RUN(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)pHandle, (void *)dptr));
}

static int open_memory(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags) {
  cudaIpcMemHandle_t same;
  memcpy(&same, &handle, sizeof same);
  return (int)cudaIpcOpenMemHandle((void **)address, same, flags);
}
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags) {
  RUN(open_memory(pdptr, handle, Flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) { RUN(cudaIpcCloseMemHandle((void *)dptr)); }

CUresult cuMemAllocHost(void **pp, size_t bytesize) {
  RUN(none(pp, bytesize) ? CUDA_ERROR_INVALID_VALUE : (int)cudaMallocHost(pp, bytesize));
}

CUresult cuMemFreeHost(void *p) { RUN(cudaFreeHost(p)); }

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags) {
  RUN(none(pp, bytesize) ? CUDA_ERROR_INVALID_VALUE : (int)cudaHostAlloc(pp, bytesize, Flags));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags) {
  RUN(cudaHostGetDevicePointer((void **)pdptr, p, Flags));
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p) { RUN(cudaHostGetFlags(pFlags, p)); }

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  RUN(none(dptr, bytesize) ? CUDA_ERROR_INVALID_VALUE : (int)cudaMallocManaged((void **)dptr, bytesize, flags));
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags) { RUN(cudaHostRegister(p, bytesize, Flags)); }
CUresult cuMemHostUnregister(void *p) { RUN(cudaHostUnregister(p)); }

static struct cudaMemLocation location_of(CUmemLocation location) {
  return (struct cudaMemLocation){(enum cudaMemLocationType)location.type, location.id};
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location) {
  RUN(cudaMemAdvise_v2((void *)devPtr, count, (enum cudaMemoryAdvise)advice, location_of(location)));
}

#undef cuMemAdvise
__attribute__((visibility("default"))) CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                                            CUdevice device) {
  RUN(cudaMemAdvise((void *)devPtr, count, (enum cudaMemoryAdvise)advice, device));
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                size_t count) {
  RUN(cudaMemRangeGetAttribute(data, dataSize, (enum cudaMemRangeAttribute)attribute, (void *)devPtr, count));
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  RUN(cudaMemRangeGetAttributes(data, dataSizes, (enum cudaMemRangeAttribute *)attributes, numAttributes,
                                (void *)devPtr, count));
}
