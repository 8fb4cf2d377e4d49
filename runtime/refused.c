/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime does not do. A program may call it, gets cudaErrorNotSupported, and can say so: better than a wrong
 * answer.
 */
#include "driver.h"
#include "internal.h"

/* The parameters' names are there to read; none is looked at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REFUSE(name, ...)                                                                                              \
  cudaError_t name(__VA_ARGS__) {                                                                                      \
    UWRT_ENTER;                                                                                                        \
    uwrt_trace_refused(#name);                                                                                         \
    error = cudaErrorNotSupported;                                                                                     \
    UWRT_LEAVE;                                                                                                        \
  }

/* Planes, tiles and mapping of arrays that there are not */
REFUSE(cudaArrayGetPlane, cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx)
REFUSE(cudaArrayGetSparseProperties, struct cudaArraySparseProperties *sparseProperties, cudaArray_t array)
REFUSE(cudaMipmappedArrayGetSparseProperties, struct cudaArraySparseProperties *sparseProperties,
       cudaMipmappedArray_t mipmap)
REFUSE(cudaArrayGetMemoryRequirements, struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
       int device)
REFUSE(cudaMipmappedArrayGetMemoryRequirements, struct cudaArrayMemoryRequirements *memoryRequirements,
       cudaMipmappedArray_t mipmap, int device)

/* Several devices */
REFUSE(cudaLaunchCooperativeKernelMultiDevice, struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
       unsigned int flags)

/* What a graphics interface owns. OpenGL's names are unsigned int, so that its headers need not be there. */
REFUSE(cudaGraphicsUnregisterResource, cudaGraphicsResource_t resource)
REFUSE(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t resource, unsigned int flags)
REFUSE(cudaGraphicsMapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
REFUSE(cudaGraphicsUnmapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
REFUSE(cudaGraphicsResourceGetMappedPointer, void **devPtr, size_t *size, cudaGraphicsResource_t resource)
REFUSE(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *array, cudaGraphicsResource_t resource,
       unsigned int arrayIndex, unsigned int mipLevel)
REFUSE(cudaGraphicsResourceGetMappedMipmappedArray, cudaMipmappedArray_t *mipmappedArray,
       cudaGraphicsResource_t resource)
REFUSE(cudaGLGetDevices, unsigned int *pCudaDeviceCount, int *pCudaDevices, unsigned int cudaDeviceCount,
       int deviceList)
REFUSE(cudaGraphicsGLRegisterImage, cudaGraphicsResource_t *resource, unsigned int image, unsigned int target,
       unsigned int flags)
REFUSE(cudaGraphicsGLRegisterBuffer, cudaGraphicsResource_t *resource, unsigned int buffer, unsigned int flags)
REFUSE(cudaGLRegisterBufferObject, unsigned int bufObj)
REFUSE(cudaGLMapBufferObject, void **devPtr, unsigned int bufObj)
REFUSE(cudaGLUnmapBufferObject, unsigned int bufObj)
REFUSE(cudaGLUnregisterBufferObject, unsigned int bufObj)
REFUSE(cudaGLSetBufferObjectMapFlags, unsigned int bufObj, unsigned int flags)
REFUSE(cudaGLMapBufferObjectAsync, void **devPtr, unsigned int bufObj, cudaStream_t stream)
REFUSE(cudaGLUnmapBufferObjectAsync, unsigned int bufObj, cudaStream_t stream)

cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }

/* Memory and semaphores of others, and what only a GPU's driver knows */
REFUSE(cudaImportExternalMemory, cudaExternalMemory_t *extMem_out,
       const struct cudaExternalMemoryHandleDesc *memHandleDesc)
REFUSE(cudaExternalMemoryGetMappedBuffer, void **devPtr, cudaExternalMemory_t extMem,
       const struct cudaExternalMemoryBufferDesc *bufferDesc)
REFUSE(cudaExternalMemoryGetMappedMipmappedArray, cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem,
       const struct cudaExternalMemoryMipmappedArrayDesc *mipmapDesc)
REFUSE(cudaDestroyExternalMemory, cudaExternalMemory_t extMem)
REFUSE(cudaImportExternalSemaphore, cudaExternalSemaphore_t *extSem_out,
       const struct cudaExternalSemaphoreHandleDesc *semHandleDesc)
REFUSE(cudaSignalExternalSemaphoresAsync, const cudaExternalSemaphore_t *extSemArray,
       const struct cudaExternalSemaphoreSignalParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)
REFUSE(cudaWaitExternalSemaphoresAsync, const cudaExternalSemaphore_t *extSemArray,
       const struct cudaExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)
REFUSE(cudaDestroyExternalSemaphore, cudaExternalSemaphore_t extSem)
REFUSE(cudaMemPoolExportToShareableHandle, void *shareableHandle, cudaMemPool_t memPool,
       enum cudaMemAllocationHandleType handleType, unsigned int flags)
REFUSE(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *memPool, void *shareableHandle,
       enum cudaMemAllocationHandleType handleType, unsigned int flags)
REFUSE(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *exportData, void *ptr)
REFUSE(cudaMemPoolImportPointer, void **ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData *exportData)
REFUSE(cudaDeviceFlushGPUDirectRDMAWrites, enum cudaFlushGPUDirectRDMAWritesTarget target,
       enum cudaFlushGPUDirectRDMAWritesScope scope)
REFUSE(cudaDeviceGetNvSciSyncAttributes, void *nvSciSyncAttrList, int device, int flags)
REFUSE(cudaDeviceRegisterAsyncNotification, int device, cudaAsyncCallback callbackFunc, void *userData,
       cudaAsyncCallbackHandle_t *callback)
REFUSE(cudaDeviceUnregisterAsyncNotification, int device, cudaAsyncCallbackHandle_t callback)
REFUSE(cudaGetExportTable, const void **ppExportTable, const cudaUUID_t *pExportTableId)
#define REFUSE_SEMAPHORE_NODE(name)                                                                                    \
  REFUSE(cudaGraphAddExternalSemaphores##name##Node, cudaGraphNode_t *node, cudaGraph_t graph,                         \
         const cudaGraphNode_t *dependencies, size_t numDependencies,                                                  \
         const struct cudaExternalSemaphore##name##NodeParams *params)                                                 \
  REFUSE(cudaGraphExternalSemaphores##name##NodeGetParams, cudaGraphNode_t node,                                       \
         struct cudaExternalSemaphore##name##NodeParams *params_out)                                                   \
  REFUSE(cudaGraphExternalSemaphores##name##NodeSetParams, cudaGraphNode_t node,                                       \
         const struct cudaExternalSemaphore##name##NodeParams *params)                                                 \
  REFUSE(cudaGraphExecExternalSemaphores##name##NodeSetParams, cudaGraphExec_t exec, cudaGraphNode_t node,             \
         const struct cudaExternalSemaphore##name##NodeParams *params)
REFUSE_SEMAPHORE_NODE(Signal)
REFUSE_SEMAPHORE_NODE(Wait)
