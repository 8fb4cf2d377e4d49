/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The header that CUDA programs include: the runtime API with its C++ overloads, and, in CUDA sources, all of the
 * device language. In a plain C or C++ source only the API is seen. (CUDA Runtime API, "C++ API Routines".)
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <utility>
#endif

#include "host_defines.h"

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_device_runtime_api.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "unwarp/device.h"
#include "unwarp/lambda_traits.h"
#ifdef UNWARP_OLD_REFERENCES
#include "unwarp/old_references.h"
#endif
#endif

#ifdef __cplusplus

/* Memory: the typed pointer is passed as it is declared, without a cast to void **. Always inlined, so that the
 * compiler sees which pointers come from allocations of their own. */
#define __UNWARP_ALLOCATOR static inline __attribute__((__always_inline__))

template <class __Type>
__cudart_builtin__ __UNWARP_ALLOCATOR cudaError_t cudaMalloc(__Type **__pointer, size_t __bytes) {
  return ::cudaMalloc((void **)(void *)__pointer, __bytes);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocHost(__Type **__pointer, size_t __bytes,
                                              unsigned int __flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
__UNWARP_ALLOCATOR cudaError_t cudaMallocHost(void **__pointer, size_t __bytes, unsigned int __flags) {
  return ::cudaHostAlloc(__pointer, __bytes, __flags);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaHostAlloc(__Type **__pointer, size_t __bytes, unsigned int __flags) {
  return ::cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}
template <class __Type>
static inline cudaError_t cudaHostGetDevicePointer(__Type **__device, void *__host, unsigned int __flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)__device, __host, __flags);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocManaged(__Type **__pointer, size_t __bytes,
                                                 unsigned int __flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)__pointer, __bytes, __flags);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocPitch(__Type **__pointer, size_t *__pitch, size_t __width, size_t __height) {
  return ::cudaMallocPitch((void **)(void *)__pointer, __pitch, __width, __height);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocAsync(__Type **__pointer, size_t __bytes, cudaStream_t __stream) {
  return ::cudaMallocAsync((void **)(void *)__pointer, __bytes, __stream);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocFromPoolAsync(__Type **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                                       cudaStream_t __stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
__UNWARP_ALLOCATOR cudaError_t cudaMallocAsync(void **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                               cudaStream_t __stream) {
  return ::cudaMallocFromPoolAsync(__pointer, __bytes, __pool, __stream);
}
template <class __Type>
__UNWARP_ALLOCATOR cudaError_t cudaMallocAsync(__Type **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                               cudaStream_t __stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)__pointer, __bytes, __pool, __stream);
}
template <class __Type>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, __Type *__pointer, size_t __bytes = 0,
                                                   unsigned int __flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(__stream, (void *)__pointer, __bytes, __flags);
}

#include "unwarp/batch_overloads.h"

/* Device variables: the variable itself stands for its address. Until CUDA 4 its name, a string, did so too. */

template <class __Type> static inline const void *__uw_symbol(const __Type &__variable) {
  return (const void *)__builtin_addressof(__variable);
}
template <size_t __Length> static inline const void *__uw_symbol(const char (&__name)[__Length]) {
  return ::uwrt_symbol(__name);
}

template <class __Type>
static inline cudaError_t cudaMemcpyToSymbol(const __Type &__symbol, const void *__from, size_t __bytes,
                                             size_t __offset = 0, enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(__uw_symbol(__symbol), __from, __bytes, __offset, __kind);
}
template <class __Type>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const __Type &__symbol, const void *__from, size_t __bytes, size_t __offset = 0,
                        enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice, cudaStream_t __stream = 0) {
  return ::cudaMemcpyToSymbolAsync(__uw_symbol(__symbol), __from, __bytes, __offset, __kind, __stream);
}
template <class __Type>
static inline cudaError_t cudaMemcpyFromSymbol(void *__to, const __Type &__symbol, size_t __bytes, size_t __offset = 0,
                                               enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(__to, __uw_symbol(__symbol), __bytes, __offset, __kind);
}
template <class __Type>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *__to, const __Type &__symbol, size_t __bytes, size_t __offset = 0,
                          enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost, cudaStream_t __stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(__to, __uw_symbol(__symbol), __bytes, __offset, __kind, __stream);
}
template <class __Type> static inline cudaError_t cudaGetSymbolAddress(void **__address, const __Type &__symbol) {
  return ::cudaGetSymbolAddress(__address, __uw_symbol(__symbol));
}
template <class __Pointee, class __Type>
static inline cudaError_t cudaGetSymbolAddress(__Pointee **__address, const __Type &__symbol) {
  return ::cudaGetSymbolAddress((void **)(void *)__address, __uw_symbol(__symbol));
}
template <class __Type> static inline cudaError_t cudaGetSymbolSize(size_t *__bytes, const __Type &__symbol) {
  return ::cudaGetSymbolSize(__bytes, __uw_symbol(__symbol));
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags) {
  return ::cudaEventCreateWithFlags(__event, __flags);
}

/* Kernels: any function pointer, so that an instance of a template is chosen by its name. */

template <class __Function>
static inline cudaError_t cudaLaunchKernel(__Function *__kernel, dim3 __grid, dim3 __block, void **__arguments,
                                           size_t __shared_bytes = 0, cudaStream_t __stream = 0) {
  return ::cudaLaunchKernel((const void *)__kernel, __grid, __block, __arguments, __shared_bytes, __stream);
}
template <class __Function>
static inline cudaError_t cudaLaunchCooperativeKernel(__Function *__kernel, dim3 __grid, dim3 __block,
                                                      void **__arguments, size_t __shared_bytes = 0,
                                                      cudaStream_t __stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)__kernel, __grid, __block, __arguments, __shared_bytes, __stream);
}
template <class __Function> static inline cudaError_t cudaLaunch(__Function *__kernel) {
  return ::cudaLaunch((const void *)__kernel);
}
template <class __Type> static inline cudaError_t cudaSetupArgument(__Type __argument, size_t __offset) {
  return ::cudaSetupArgument((const void *)__builtin_addressof(__argument), sizeof(__Type), __offset);
}
template <class __Function>
static inline cudaError_t cudaFuncSetAttribute(__Function *__kernel, enum cudaFuncAttribute __which, int __value) {
  return ::cudaFuncSetAttribute((const void *)__kernel, __which, __value);
}
template <class __Function>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, __Function *__kernel) {
  return ::cudaFuncGetAttributes(__attributes, (const void *)__kernel);
}
template <class __Function>
static inline cudaError_t cudaFuncSetCacheConfig(__Function *__kernel, enum cudaFuncCache __config) {
  return ::cudaFuncSetCacheConfig((const void *)__kernel, __config);
}
template <class __Function>
static inline cudaError_t cudaFuncSetSharedMemConfig(__Function *__kernel, enum cudaSharedMemConfig __config) {
  return ::cudaFuncSetSharedMemConfig((const void *)__kernel, __config);
}
template <class __Function> static inline cudaError_t cudaFuncGetName(const char **__name, __Function *__kernel) {
  return ::cudaFuncGetName(__name, (const void *)__kernel);
}

#if __cplusplus >= 201103L
template <typename... __Expected, typename... __Actual>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__config, void (*__kernel)(__Expected...),
                                             __Actual &&...__arguments) {
  return [&](__Expected... __values) {
    void *__pointers[sizeof...(__Expected) + 1] = {(void *)__builtin_addressof(__values)...};
    return ::cudaLaunchKernelExC(__config, (const void *)__kernel, __pointers);
  }(std::forward<__Actual>(__arguments)...);
}
#endif

#include "unwarp/graph_overloads.h"

/* Occupancy. */

template <class __Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, __Function __kernel,
                                                                        int __block_size, size_t __shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)__kernel, __block_size,
                                                         __shared_bytes);
}
template <class __Function>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, __Function __kernel, int __block_size,
                                                       size_t __shared_bytes, unsigned int __flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__blocks, (const void *)__kernel, __block_size,
                                                                  __shared_bytes, __flags);
}
template <class __Function>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, __Function *__kernel, int __blocks,
                                                                    int __block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(__bytes, (const void *)__kernel, __blocks, __block_size);
}

/* The block size, a multiple of the warp, that keeps most threads resident; the largest among equals. */
template <typename __SharedBytes, class __Function>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *__grid_size, int *__block_size, __Function __kernel,
                                                        __SharedBytes __shared_bytes_of_block, int __limit = 0,
                                                        unsigned int __flags = 0) {
  int __device, __multiprocessors, __resident = 0;
  struct cudaFuncAttributes __attributes;
  cudaError_t __status = ::cudaGetDevice(&__device);
  if (__status == cudaSuccess)
    __status = ::cudaDeviceGetAttribute(&__multiprocessors, cudaDevAttrMultiProcessorCount, __device);
  if (__status == cudaSuccess)
    __status = ::cudaFuncGetAttributes(&__attributes, (const void *)__kernel);
  if (__status != cudaSuccess)
    return __status;
  int __largest = __attributes.maxThreadsPerBlock;
  if (__limit > 0 && __limit < __largest)
    __largest = __limit;
  for (int __size = (__largest + 31) / 32 * 32; __size > 0; __size -= 32) {
    int __threads = __size < __largest ? __size : __largest, __blocks = 0;
    __status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&__blocks, (const void *)__kernel, __threads,
                                                                        __shared_bytes_of_block(__threads), __flags);
    if (__status != cudaSuccess)
      return __status;
    if (__blocks * __threads > __resident) {
      __resident = __blocks * __threads;
      *__grid_size = __blocks * __multiprocessors;
      *__block_size = __threads;
    }
  }
  return cudaSuccess;
}
template <typename __SharedBytes, class __Function>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__grid_size, int *__block_size, __Function __kernel,
                                               __SharedBytes __shared_bytes_of_block, int __limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__grid_size, __block_size, __kernel,
                                                                 __shared_bytes_of_block, __limit, 0);
}
struct __uw_constant_shared_bytes {
  size_t __bytes;
  size_t operator()(int) const { return __bytes; }
};
template <class __Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *__grid_size, int *__block_size,
                                                                      __Function __kernel, size_t __shared_bytes = 0,
                                                                      int __limit = 0, unsigned int __flags = 0) {
  __uw_constant_shared_bytes __same = {__shared_bytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__grid_size, __block_size, __kernel, __same, __limit,
                                                                 __flags);
}
template <class __Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *__grid_size, int *__block_size, __Function __kernel,
                                                             size_t __shared_bytes = 0, int __limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(__grid_size, __block_size, __kernel, __shared_bytes, __limit, 0);
}
template <class __Function>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__cluster_size, __Function *__kernel,
                                                               const cudaLaunchConfig_t *__config) {
  return ::cudaOccupancyMaxPotentialClusterSize(__cluster_size, (const void *)__kernel, __config);
}
template <class __Function>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, __Function *__kernel,
                                                         const cudaLaunchConfig_t *__config) {
  return ::cudaOccupancyMaxActiveClusters(__clusters, (const void *)__kernel, __config);
}

#endif

#endif
