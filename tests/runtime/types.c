/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Facts of the API that programs depend on when they look: sizes and offsets of structures, values of enumerations.
 */
#include "check.h"

#include "../../include/library_types.h"

#define IS(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#define VALUE(name, number) _Static_assert((long long)(name) == (number), #name)

IS(struct cudaDeviceProp, 1032);
AT(struct cudaDeviceProp, totalGlobalMem, 288);
AT(struct cudaDeviceProp, warpSize, 308);
AT(struct cudaDeviceProp, multiProcessorCount, 388);
IS(struct cudaFuncAttributes, 144);
IS(struct cudaPitchedPtr, 32);
IS(struct cudaMemcpy3DParms, 160);
IS(struct cudaMemPoolProps, 88);
IS(cudaLaunchAttributeValue, 64);
IS(cudaLaunchAttribute, 72);
IS(cudaLaunchConfig_t, 56);
IS(struct cudaPointerAttributes, 24);
IS(dim3, 12);
IS(float4, 16);
IS(cudaIpcMemHandle_t, 64);

VALUE(cudaErrorMemoryAllocation, 2);
VALUE(cudaErrorInvalidConfiguration, 9);
VALUE(cudaErrorInvalidMemcpyDirection, 21);
VALUE(cudaErrorInvalidDeviceFunction, 98);
VALUE(cudaErrorInvalidDevice, 101);
VALUE(cudaErrorInvalidResourceHandle, 400);
VALUE(cudaErrorNotReady, 600);
VALUE(cudaErrorIllegalAddress, 700);
VALUE(cudaErrorLaunchOutOfResources, 701);
VALUE(cudaErrorAssert, 710);
VALUE(cudaErrorLaunchFailure, 719);
VALUE(cudaErrorCooperativeLaunchTooLarge, 720);
VALUE(cudaErrorNotSupported, 801);
VALUE(cudaErrorUnknown, 999);
VALUE(cudaMemcpyDefault, 4);
VALUE(cudaMemoryTypeManaged, 3);
VALUE(cudaDevAttrMultiProcessorCount, 16);
VALUE(cudaDevAttrCooperativeLaunch, 95);
VALUE(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97);
VALUE(cudaFuncAttributeMaxDynamicSharedMemorySize, 8);
VALUE(cudaLimitMallocHeapSize, 2);
VALUE(cudaMemPoolAttrReleaseThreshold, 4);
VALUE(CUDA_R_32F, 0);
VALUE(CUDA_R_16BF, 14);
VALUE(CUDART_VERSION, 12040);

int main(void) {
  dim3 extents = {4, 5, 6};
  float4 vector = {1, 2, 3, 4};
  CHECK_NUMBER(extents.x * extents.y * extents.z, 120);
  CHECK((uintptr_t)&vector % 16 == 0 && vector.w == 4);
  return finish();
}
