/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime does not do. A program may call it, gets cudaErrorNotSupported, and can say so: better than a wrong
 * answer.
 */
#include "internal.h"

/* The parameters' names are there to read; none is looked at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REFUSE(name, ...)                                                                                              \
  cudaError_t name(__VA_ARGS__) {                                                                                      \
    UWRT_ENTER;                                                                                                        \
    error = cudaErrorNotSupported;                                                                                     \
    UWRT_LEAVE;                                                                                                        \
  }

/* Memory and events of other processes */
REFUSE(cudaIpcGetEventHandle, cudaIpcEventHandle_t *handle, cudaEvent_t event)
REFUSE(cudaIpcOpenEventHandle, cudaEvent_t *event, cudaIpcEventHandle_t handle)
REFUSE(cudaIpcGetMemHandle, cudaIpcMemHandle_t *handle, void *devPtr)
REFUSE(cudaIpcOpenMemHandle, void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
REFUSE(cudaIpcCloseMemHandle, void *devPtr)

/* Several devices, clusters */
REFUSE(cudaLaunchCooperativeKernelMultiDevice, struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
       unsigned int flags)
REFUSE(cudaOccupancyMaxPotentialClusterSize, int *clusterSize, const void *func,
       const cudaLaunchConfig_t *launchConfig)
REFUSE(cudaOccupancyMaxActiveClusters, int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig)

/* Attributes of parts of managed memory */
REFUSE(cudaMemRangeGetAttribute, void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
       const void *devPtr, size_t count)

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
