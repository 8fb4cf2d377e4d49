/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime does not do. A program may call it, gets cudaErrorNotSupported, and can say so: better than a wrong
 * answer.
 */
#include "driver.h"
#include "internal.h"
#pragma GCC visibility push(default)
#define UW_OWN_EGL_TYPES
#include "../include/cuda_egl_interop.h"
#pragma GCC visibility pop

/* The parameters' names are there to read; none is looked at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REFUSE(name, ...) REFUSE_ALL(name, (__VA_ARGS__))
#define REFUSE_ALL(name, parameters)                                                                                   \
  cudaError_t name parameters {                                                                                        \
    UWRT_ENTER;                                                                                                        \
    uwrt_trace_refused(#name);                                                                                         \
    error = cudaErrorNotSupported;                                                                                     \
    UWRT_LEAVE;                                                                                                        \
  }

#define UW_REFUSED REFUSE_ALL
#include "../include/unwarp/refused/cuda_runtime_api.def"
#define UW_REFUSED REFUSE_ALL
#include "../include/unwarp/refused/cuda_egl_interop.def"

/* Several devices */
REFUSE(cudaLaunchCooperativeKernelMultiDevice, struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
       unsigned int flags)

/* What a graphics interface owns. OpenGL's names are unsigned int, so that its headers need not be there. */
REFUSE(cudaGraphicsMapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
REFUSE(cudaGraphicsUnmapResources, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
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
REFUSE(cudaSignalExternalSemaphoresAsync, const cudaExternalSemaphore_t *extSemArray,
       const struct cudaExternalSemaphoreSignalParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)
REFUSE(cudaWaitExternalSemaphoresAsync, const cudaExternalSemaphore_t *extSemArray,
       const struct cudaExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems, cudaStream_t stream)
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
