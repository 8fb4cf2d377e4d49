/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is known of an address. Memory that no call gave is the host's alone: most attributes of it are not to be
 * had. */
#include "internal.h"

#include <string.h>

#define GIVE(type, value)                                                                                              \
  do {                                                                                                                 \
    type given = (value);                                                                                              \
    memcpy(data, &given, sizeof given);                                                                                \
    return CUDA_SUCCESS;                                                                                               \
  } while (0)

static int is_the_hosts(const uwrt_range *range) {
  return range->kind == UWRT_RANGE_HOST || range->kind == UWRT_RANGE_REGISTERED;
}

static CUresult attribute_of(void *data, CUpointer_attribute attribute, const uwrt_range *range, CUdeviceptr address) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    GIVE(CUcontext, range->context ? (CUcontext)range->context : uwcu_primary(range->device));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    GIVE(unsigned int, is_the_hosts(range) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: GIVE(CUdeviceptr, address);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (range->kind == UWRT_RANGE_DEVICE || range->kind == UWRT_RANGE_MAPPED)
      return CUDA_ERROR_INVALID_VALUE;
    GIVE(void *, (void *)address);
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: GIVE(int, 1); /* copies that wait do so here, always */
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: GIVE(unsigned long long, (unsigned long long)(uintptr_t)range->start);
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: GIVE(int, range->kind == UWRT_RANGE_MANAGED);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: GIVE(int, range->device);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: GIVE(int, 0);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: GIVE(CUdeviceptr, (CUdeviceptr)range->start);
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: GIVE(size_t, range->bytes);
  case CU_POINTER_ATTRIBUTE_MAPPED: GIVE(int, 1);
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: GIVE(unsigned long long, 0);
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: GIVE(int, 0);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: GIVE(int, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    if (!range->pool)
      return CUDA_ERROR_INVALID_VALUE;
    GIVE(CUmemoryPool, range->pool);
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: GIVE(size_t, range->bytes);
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: GIVE(CUdeviceptr, (CUdeviceptr)range->start);
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: GIVE(unsigned long long, (unsigned long long)(uintptr_t)range->start);
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: GIVE(int, 0);
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

static CUresult ask(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
  uwrt_range range;
  if (!data)
    return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_P2P_TOKENS)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (!uwrt_range_of((void *)address, &range))
    return CUDA_ERROR_INVALID_VALUE;
  return attribute_of(data, attribute, &range, address);
}

/* Of an address that is nobody's, every attribute is 0. */
static CUresult ask_all(unsigned int count, const CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  if (!count || !attributes || !data)
    return CUDA_ERROR_INVALID_VALUE;
  uwrt_range range;
  int known = uwrt_range_of((void *)address, &range);
  for (unsigned int i = 0; i < count; i++) {
    if (!data[i])
      return CUDA_ERROR_INVALID_VALUE;
    if (known && attribute_of(data[i], attributes[i], &range, address) == CUDA_SUCCESS)
      continue;
    switch (attributes[i]) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: memset(data[i], 0, sizeof(int)); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: memcpy(data[i], &(int){CU_DEVICE_INVALID}, sizeof(int)); break;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: memset(data[i], 0, sizeof(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS)); break;
    default: memset(data[i], 0, sizeof(void *));
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  RUN(ask(data, attribute, ptr));
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr) {
  RUN(ask_all(numAttributes, attributes, data, ptr));
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  uwrt_range range;
  RUN(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && uwrt_range_of((void *)ptr, &range)
          ? CUDA_SUCCESS
          : CUDA_ERROR_INVALID_VALUE);
}
