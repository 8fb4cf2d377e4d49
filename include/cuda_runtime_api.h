/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of the CUDA runtime API, as of CUDA 12.4 (CUDA Runtime API, "Modules"; each group names its section).
 * Sizes are in bytes. Every function returns cudaSuccess or CUDA's error for the misuse, and notes an error as the
 * calling thread's last one. Work is done when the call returns: a stream is an order that already holds, and Async
 * changes nothing. Functions under "Refused" return cudaErrorNotSupported.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "unwarp/version.h"

#define CUDART_VERSION UNWARP_CUDA_VERSION
#define __CUDART_API_VERSION CUDART_VERSION

#include <limits.h>

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "unwarp/per_thread.h"
#endif

#include "builtin_types.h"

#ifdef __cplusplus
#define UNWARP_DEFAULT(value) = value
extern "C" {
#else
#define UNWARP_DEFAULT(value)
#endif

/* Device Management. A device is this machine's CPU, or with UNWARP_DEVICES=n an n-th part of it. */
extern __cudart_builtin__ cudaError_t cudaGetDeviceCount(int *count);
extern __cudart_builtin__ cudaError_t cudaGetDevice(int *device);
extern cudaError_t cudaSetDevice(int device);
extern cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
extern cudaError_t cudaSetValidDevices(int *devices, int count);
extern cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
extern cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
extern cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device);
extern __cudart_builtin__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
extern cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
extern cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
extern cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice);
extern __cudart_builtin__ cudaError_t cudaDeviceSynchronize(void);
/* Frees all memory, streams, events and graphs of the current device, forgets a sticky error. Device variables keep
 * their values where there is one device. */
extern cudaError_t cudaDeviceReset(void);
extern cudaError_t cudaSetDeviceFlags(unsigned int flags);
extern cudaError_t cudaGetDeviceFlags(unsigned int *flags);
extern cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
extern __cudart_builtin__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
extern cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
extern __cudart_builtin__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cacheConfig);
extern cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
extern __cudart_builtin__ cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
extern cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
extern cudaError_t cudaCtxResetPersistingL2Cache(void);

/* Thread Management (deprecated names of the same things). */
extern cudaError_t cudaThreadExit(void);
extern cudaError_t cudaThreadSynchronize(void);
extern cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
extern cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
extern cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig);
extern cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *cacheConfig);

/* Version Management: 1000 * major + 10 * minor. */
extern cudaError_t cudaDriverGetVersion(int *driverVersion);
extern __cudart_builtin__ cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) UNWARP_VERSIONED(cudaRuntimeGetVersion);

/* Error Handling. A failed device assert or a trap is sticky: every later call returns it until cudaDeviceReset. */
extern __cudart_builtin__ cudaError_t cudaGetLastError(void);
extern __cudart_builtin__ cudaError_t cudaPeekAtLastError(void);
extern __cudart_builtin__ const char *cudaGetErrorName(cudaError_t error);
extern __cudart_builtin__ const char *cudaGetErrorString(cudaError_t error);

/* Stream Management. */
extern cudaError_t cudaStreamCreate(cudaStream_t *stream);
extern __cudart_builtin__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
extern cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
extern __cudart_builtin__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
extern cudaError_t cudaStreamSynchronize(cudaStream_t stream);
extern cudaError_t cudaStreamQuery(cudaStream_t stream);
extern __cudart_builtin__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                          unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
extern cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
extern cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *streamId);
extern cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
/* The callback runs in the calling thread, before the call returns. */
extern cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                         unsigned int flags);
extern cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData);
extern cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length UNWARP_DEFAULT(0),
                                            unsigned int flags UNWARP_DEFAULT(cudaMemAttachSingle));
extern cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
extern cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                          cudaLaunchAttributeValue *value_out);
extern cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                          const cudaLaunchAttributeValue *value);

/* Event Management. Elapsed time is in milliseconds. */
extern cudaError_t cudaEventCreate(cudaEvent_t *event);
extern __cudart_builtin__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
extern __cudart_builtin__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream UNWARP_DEFAULT(0),
                                            unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaEventQuery(cudaEvent_t event);
extern cudaError_t cudaEventSynchronize(cudaEvent_t event);
extern __cudart_builtin__ cudaError_t cudaEventDestroy(cudaEvent_t event);
extern cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
extern cudaError_t cudaEventElapsedTime_v2(float *ms, cudaEvent_t start, cudaEvent_t end);

/* Execution Control. */
extern __cudart_builtin__ cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                                       size_t sharedMem, cudaStream_t stream);
#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
extern __cudart_builtin__ cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                                            size_t sharedMem, cudaStream_t stream);
#endif
extern cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
extern cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                               size_t sharedMem, cudaStream_t stream);
extern __cudart_builtin__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
extern cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
extern cudaError_t cudaFuncGetName(const char **name, const void *func);
/* Where a parameter lies in a buffer of all parameters, and how long it is (paramSize may be null). */
extern cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
/* Handles of kernels: they stand for the kernel in all functions that take one. */
extern cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr);
extern cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);
/* Functions of the driver API by name: the few that cuda.h declares are found. */
enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault = 0x0,
  cudaEnableLegacyStream = 0x1,
  cudaEnablePerThreadDefaultStream = 0x2
};
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
extern cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *driverStatus UNWARP_DEFAULT(0));
extern cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion, unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *driverStatus UNWARP_DEFAULT(0));
extern cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig);
extern cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
extern cudaError_t cudaSetDoubleForDevice(double *d);
extern cudaError_t cudaSetDoubleForHost(double *d);

/* What <<<>>> compiles to: the configuration waits on a stack of the thread until the kernel's stub takes it. */
extern __cudart_builtin__ unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                                   size_t sharedMem UNWARP_DEFAULT(0),
                                                                   struct CUstream_st *stream UNWARP_DEFAULT(0));
extern __cudart_builtin__ cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                                                 void *stream);

/* The launch of CUDA before 7.0: configure, pass each argument with its offset in the parameter block, launch. */
extern cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem UNWARP_DEFAULT(0),
                                     cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset);
extern cudaError_t cudaLaunch(const void *func);

/* Occupancy. A core counts as a multiprocessor of compute capability 8.0. */
extern __cudart_builtin__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                                                    int blockSize,
                                                                                    size_t dynamicSMemSize);
extern __cudart_builtin__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned int flags);
extern cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                             int blockSize);

/* Memory Management. Device memory is aligned to 256 bytes. */
extern __cudart_builtin__ cudaError_t cudaMalloc(void **devPtr, size_t size);
extern __cudart_builtin__ cudaError_t cudaFree(void *devPtr);
extern cudaError_t cudaMallocHost(void **ptr, size_t size);
extern cudaError_t cudaFreeHost(void *ptr);
extern cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags);
extern cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
extern cudaError_t cudaHostUnregister(void *ptr);
extern cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags);
extern cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost);
extern cudaError_t cudaMallocManaged(void **devPtr, size_t size,
                                     unsigned int flags UNWARP_DEFAULT(cudaMemAttachGlobal));
extern cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height);
extern cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent);
/* Free is what may be allocated now: memory that the machine has available and the program has not asked for. */
extern cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
extern cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);
extern cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                        cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
                                           unsigned int flags, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device);
/* What was said of a range; where its parts differ, the answer is that nothing was. */
extern cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                            const void *devPtr, size_t count);
extern cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                             size_t numAttributes, const void *devPtr, size_t count);
extern cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location);

/* Copies. Ranges that leave an allocation, and device addresses that are none, are cudaErrorInvalidValue. */
extern cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
extern __cudart_builtin__ cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                                      enum cudaMemcpyKind kind, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);
extern cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                       cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
extern __cudart_builtin__ cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                                        size_t width, size_t height, enum cudaMemcpyKind kind,
                                                        cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
extern __cudart_builtin__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                                        cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p);
extern cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream UNWARP_DEFAULT(0));
#include "unwarp/batch_api.h"
/* symbol is the variable itself, by its host address. */
extern cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                      size_t offset UNWARP_DEFAULT(0),
                                      enum cudaMemcpyKind kind UNWARP_DEFAULT(cudaMemcpyHostToDevice));
extern cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset UNWARP_DEFAULT(0),
                                        enum cudaMemcpyKind kind UNWARP_DEFAULT(cudaMemcpyDeviceToHost));
extern cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol);
extern cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
/* The variable that a string names, or the string itself, when it is a variable or none has that name. */
extern const void *uwrt_symbol(const char *name);

/* Fills: value's low byte, width in bytes, height in rows. */
extern cudaError_t cudaMemset(void *devPtr, int value, size_t count);
extern __cudart_builtin__ cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                                                      cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height);
extern __cudart_builtin__ cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width,
                                                        size_t height, cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent);
extern __cudart_builtin__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                                                        struct cudaExtent extent,
                                                        cudaStream_t stream UNWARP_DEFAULT(0));

/* Stream Ordered Memory Allocator. Memory goes back to the system when it is freed. */
extern cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream);
extern cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream);
extern cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream);
extern cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device);
extern cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device);
extern cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool);
/* The same by places: a device has pools, of pinned memory; of others there are none (cudaErrorNotSupported). */
extern cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                            enum cudaMemAllocationType type);
extern cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type);
extern cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                                     cudaMemPool_t memPool);
extern cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps);
extern cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool);
extern cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep);
extern cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
extern cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value);
extern cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count);
extern cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                        struct cudaMemLocation *location);

/* Peer Device Memory Access. */
extern cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice);
extern cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
extern cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);

#include "unwarp/external_api.h"
#include "unwarp/graph_api.h"

/* Profiler Control. */
extern cudaError_t cudaProfilerStart(void);
extern cudaError_t cudaProfilerStop(void);

/* Graphics Interoperability. Refused: no graphics interface shares its memory with this device. */
extern cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                            cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                              cudaStream_t stream UNWARP_DEFAULT(0));

/* Arrays. Widths and offsets in x of the copies with names of their own are in bytes; of cudaMemcpy3D, in texels. */
extern struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
extern cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                                   size_t height UNWARP_DEFAULT(0), unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaFreeArray(cudaArray_t array);
extern cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                                    cudaArray_t array);
extern cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
extern cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                                            unsigned int numLevels, unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);
extern cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                              unsigned int level);
extern cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                     enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                       enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                       size_t width, size_t height, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                         size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind);
extern cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                          size_t count, enum cudaMemcpyKind kind,
                                          cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                            size_t count, enum cudaMemcpyKind kind,
                                            cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                            size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                              size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                              cudaStream_t stream UNWARP_DEFAULT(0));
extern cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                          size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                          enum cudaMemcpyKind kind UNWARP_DEFAULT(cudaMemcpyDeviceToDevice));
extern cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                            cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                                            size_t height,
                                            enum cudaMemcpyKind kind UNWARP_DEFAULT(cudaMemcpyDeviceToDevice));

/* Texture and surface objects, over arrays, linear memory and pitched memory. */
extern cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                           const struct cudaTextureDesc *pTexDesc,
                                           const struct cudaResourceViewDesc *pResViewDesc);
extern cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject);
extern cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                        cudaTextureObject_t texObject);
extern cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                        const struct cudaChannelFormatDesc *fmtDesc, int device);
extern cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc);
extern cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
extern cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject);

/* The old references; unwarp/old_references.h has the C++ forms. A reference's fields count when it is bound. */
extern cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
                                   const struct cudaChannelFormatDesc *desc, size_t size UNWARP_DEFAULT(UINT_MAX));
extern cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
                                     const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                                     size_t pitch);
extern cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                          const struct cudaChannelFormatDesc *desc);
extern cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                                   cudaMipmappedArray_const_t mipmappedArray,
                                                   const struct cudaChannelFormatDesc *desc);
extern cudaError_t cudaUnbindTexture(const struct textureReference *texref);
extern cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref);
extern cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol);
extern cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                          const struct cudaChannelFormatDesc *desc);
extern cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol);

/* Refused: other processes' memory, launches on several devices, clusters, ranges' attributes, capture. */
extern cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
extern cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
extern cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr);
extern cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags);
extern cudaError_t cudaIpcCloseMemHandle(void *devPtr);
extern cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launchParamsList,
                                                          unsigned int numDevices,
                                                          unsigned int flags UNWARP_DEFAULT(0));
extern cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                        const cudaLaunchConfig_t *launchConfig);
extern cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                                  const cudaLaunchConfig_t *launchConfig);

#ifdef __cplusplus
}
#endif

#endif
