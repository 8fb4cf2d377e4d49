/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches by kernels. (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Device-Side Runtime".) The part of the
 * runtime API that device code may call is declared with the rest; kernel<<<…>>>(…) becomes calls of these two.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#define cudaStreamTailLaunch ((cudaStream_t)0x3)    /* runs after the grid that launches it */
#define cudaStreamFireAndForget ((cudaStream_t)0x4) /* in no order with other launches */

#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#if defined(__CUDA__) && defined(__cplusplus)
extern "C" {
/* What CUDA 11.6 to 12 has CUB call in cudaDeviceSynchronize's place, which it calls old. */
extern __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void) __asm__("cudaDeviceSynchronize");
extern __device__ void *cudaGetParameterBuffer(size_t __alignment, size_t __size) __asm__("uwrt_parameter_buffer");
extern __device__ cudaError_t cudaLaunchDevice(void *__kernel, void *__parameters, dim3 __grid, dim3 __block,
                                               unsigned int __shared_bytes,
                                               cudaStream_t __stream) __asm__("uwrt_launch_device");
extern __device__ cudaError_t cudaLaunchDevice_ptsz(void *__kernel, void *__parameters, dim3 __grid, dim3 __block,
                                                    unsigned int __shared_bytes,
                                                    cudaStream_t __stream) __asm__("uwrt_launch_device");
}

/* Declared and not done: graphs and their nodes in kernels, and the handles of old cooperative groups. */
#define UW_REFUSED(name, parameters)                                                                                   \
  static __inline__ __attribute__((device, always_inline, unused)) cudaError_t name parameters {                       \
    return cudaErrorNotSupported;                                                                                      \
  }
#include "unwarp/refused/cuda_device_runtime_api.def"
template <class __Type>
static __inline__ __attribute__((device, always_inline, unused))
cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t __node, size_t __offset, const __Type &__value) {
  return cudaGraphKernelNodeSetParam(__node, __offset, &__value, sizeof(__Type));
}
static __inline__ __attribute__((device, always_inline, unused)) cudaGraphExec_t cudaGetCurrentGraphExec(void) {
  return 0; /* no kernel runs in a graph that a kernel may launch */
}
static __inline__ __attribute__((device, always_inline, unused)) unsigned long long
cudaCGGetIntrinsicHandle(enum cudaCGScope) {
  return 0; /* no group */
}

/* Programmatic dependent launch (CUDA C++ Programming Guide): the grids of a stream run one after the other here, so that
 * what the one before it wrote is there when a grid begins. */
static __inline__ __attribute__((device, always_inline, unused)) void cudaGridDependencySynchronize(void) {}
static __inline__ __attribute__((device, always_inline, unused)) void cudaTriggerProgrammaticLaunchCompletion(void) {}
#endif

#endif
