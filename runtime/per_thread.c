/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that sources compiled with a default stream for each thread call (include/unwarp/per_thread.h): stream
 * 0 is the calling thread's own. Work that another stream's function would wait for is waited for in that stream.
 */
#include "internal.h"

static cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

/* A function that is given a stream; arguments name it in place of the caller's. */
#define WITH_STREAM(name, parameters, arguments)                                                                       \
  __attribute__((visibility("default"))) cudaError_t name##_ptsz parameters;                                           \
  cudaError_t name##_ptsz parameters { return name arguments; }

/* A function that waits for its work: what is captured cannot be waited for, and says so. */
#define WAITING(name, parameters, arguments)                                                                           \
  __attribute__((visibility("default"))) cudaError_t name##_ptds parameters;                                           \
  cudaError_t name##_ptds parameters {                                                                                 \
    cudaError_t error = name##Async arguments;                                                                         \
    return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;                                  \
  }

WAITING(cudaMemcpy, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
        (dst, src, count, kind, cudaStreamPerThread))
WAITING(cudaMemcpyToSymbol,
        (const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind),
        (symbol, src, count, offset, kind, cudaStreamPerThread))
WAITING(cudaMemcpyFromSymbol, (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind),
        (dst, symbol, count, offset, kind, cudaStreamPerThread))
WAITING(cudaMemcpy2D,
        (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
         enum cudaMemcpyKind kind),
        (dst, dpitch, src, spitch, width, height, kind, cudaStreamPerThread))
WAITING(cudaMemcpyToArray,
        (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count, enum cudaMemcpyKind kind),
        (dst, wOffset, hOffset, src, count, kind, cudaStreamPerThread))
WAITING(cudaMemcpy2DToArray,
        (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width, size_t height,
         enum cudaMemcpyKind kind),
        (dst, wOffset, hOffset, src, spitch, width, height, kind, cudaStreamPerThread))
WAITING(cudaMemcpyFromArray,
        (void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count, enum cudaMemcpyKind kind),
        (dst, src, wOffset, hOffset, count, kind, cudaStreamPerThread))
WAITING(cudaMemcpy2DFromArray,
        (void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width, size_t height,
         enum cudaMemcpyKind kind),
        (dst, dpitch, src, wOffset, hOffset, width, height, kind, cudaStreamPerThread))
WAITING(cudaMemcpy3D, (const struct cudaMemcpy3DParms *p), (p, cudaStreamPerThread))
WAITING(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *p), (p, cudaStreamPerThread))
WAITING(cudaMemset, (void *devPtr, int value, size_t count), (devPtr, value, count, cudaStreamPerThread))
WAITING(cudaMemset2D, (void *devPtr, size_t pitch, int value, size_t width, size_t height),
        (devPtr, pitch, value, width, height, cudaStreamPerThread))
WAITING(cudaMemset3D, (struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent),
        (pitchedDevPtr, value, extent, cudaStreamPerThread))

WITH_STREAM(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, own(stream)))
WITH_STREAM(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, own(stream)))
WITH_STREAM(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), (own(stream), mode))
WITH_STREAM(cudaStreamBeginCaptureToGraph,
            (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
             const cudaGraphEdgeData *dependencyData, size_t numDependencies, enum cudaStreamCaptureMode mode),
            (own(stream), graph, dependencies, dependencyData, numDependencies, mode))
WITH_STREAM(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), (own(stream), graph))
WITH_STREAM(cudaStreamGetCaptureInfo,
            (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
             const cudaGraphNode_t **dependencies, size_t *numDependencies),
            (own(stream), status, id, graph, dependencies, numDependencies))
WITH_STREAM(cudaStreamGetCaptureInfo_v3,
            (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
             const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edgeData, size_t *numDependencies),
            (own(stream), status, id, graph, dependencies, edgeData, numDependencies))
WITH_STREAM(cudaStreamUpdateCaptureDependencies,
            (cudaStream_t stream, cudaGraphNode_t *dependencies, size_t numDependencies, unsigned int flags),
            (own(stream), dependencies, numDependencies, flags))
WITH_STREAM(cudaStreamUpdateCaptureDependencies_v2,
            (cudaStream_t stream, cudaGraphNode_t *dependencies, const cudaGraphEdgeData *dependencyData,
             size_t numDependencies, unsigned int flags),
            (own(stream), dependencies, dependencyData, numDependencies, flags))
WITH_STREAM(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status), (own(stream), status))
WITH_STREAM(cudaMemcpyAsync, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream),
            (dst, src, count, kind, own(stream)))
WITH_STREAM(cudaMemcpyToSymbolAsync,
            (const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            (symbol, src, count, offset, kind, own(stream)))
WITH_STREAM(cudaMemcpyFromSymbolAsync,
            (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
            (dst, symbol, count, offset, kind, own(stream)))
WITH_STREAM(cudaMemcpy2DAsync,
            (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
             enum cudaMemcpyKind kind, cudaStream_t stream),
            (dst, dpitch, src, spitch, width, height, kind, own(stream)))
WITH_STREAM(cudaMemcpyToArrayAsync,
            (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            (dst, wOffset, hOffset, src, count, kind, own(stream)))
WITH_STREAM(cudaMemcpy2DToArrayAsync,
            (cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width,
             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
            (dst, wOffset, hOffset, src, spitch, width, height, kind, own(stream)))
WITH_STREAM(cudaMemcpyFromArrayAsync,
            (void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            (dst, src, wOffset, hOffset, count, kind, own(stream)))
WITH_STREAM(cudaMemcpy2DFromArrayAsync,
            (void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width,
             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
            (dst, dpitch, src, wOffset, hOffset, width, height, kind, own(stream)))
WITH_STREAM(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *p, cudaStream_t stream), (p, own(stream)))
WITH_STREAM(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream), (p, own(stream)))
WITH_STREAM(cudaMemcpyPeerAsync,
            (void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream),
            (dst, dstDevice, src, srcDevice, count, own(stream)))
WITH_STREAM(cudaMemsetAsync, (void *devPtr, int value, size_t count, cudaStream_t stream),
            (devPtr, value, count, own(stream)))
WITH_STREAM(cudaMemset2DAsync,
            (void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
            (devPtr, pitch, value, width, height, own(stream)))
WITH_STREAM(cudaMemset3DAsync,
            (struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent, cudaStream_t stream),
            (pitchedDevPtr, value, extent, own(stream)))
WITH_STREAM(cudaStreamQuery, (cudaStream_t stream), (own(stream)))
WITH_STREAM(cudaStreamGetDevice, (cudaStream_t stream, int *device), (own(stream), device))
WITH_STREAM(cudaStreamGetFlags, (cudaStream_t stream, unsigned int *flags), (own(stream), flags))
WITH_STREAM(cudaStreamGetId, (cudaStream_t stream, unsigned long long *streamId), (own(stream), streamId))
WITH_STREAM(cudaStreamGetPriority, (cudaStream_t stream, int *priority), (own(stream), priority))
WITH_STREAM(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, own(stream)))
WITH_STREAM(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned int flags),
            (event, own(stream), flags))
WITH_STREAM(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
            (own(stream), event, flags))
WITH_STREAM(cudaStreamAddCallback,
            (cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags),
            (own(stream), callback, userData, flags))
WITH_STREAM(cudaStreamAttachMemAsync, (cudaStream_t stream, void *devPtr, size_t length, unsigned int flags),
            (own(stream), devPtr, length, flags))
WITH_STREAM(cudaStreamSynchronize, (cudaStream_t stream), (own(stream)))
WITH_STREAM(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t fn, void *userData), (own(stream), fn, userData))
WITH_STREAM(cudaMemPrefetchAsync, (const void *devPtr, size_t count, int dstDevice, cudaStream_t stream),
            (devPtr, count, dstDevice, own(stream)))
WITH_STREAM(cudaMemPrefetchAsync_v2,
            (const void *devPtr, size_t count, struct cudaMemLocation location, unsigned int flags,
             cudaStream_t stream),
            (devPtr, count, location, flags, own(stream)))
WITH_STREAM(cudaMemcpyBatchAsync,
            (void **dsts, void **srcs, size_t *sizes, size_t count, struct cudaMemcpyAttributes *attrs,
             size_t *attrsIdxs, size_t numAttrs, size_t *failIdx, cudaStream_t stream),
            (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, own(stream)))
WITH_STREAM(cudaMemcpyBatchAsync_v2,
            (void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
             struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream),
            (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, own(stream)))
WITH_STREAM(cudaMemcpy3DBatchAsync,
            (size_t numOps, struct cudaMemcpy3DBatchOp *opList, size_t *failIdx, unsigned long long flags,
             cudaStream_t stream),
            (numOps, opList, failIdx, flags, own(stream)))
WITH_STREAM(cudaMemcpy3DBatchAsync_v2,
            (size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags, cudaStream_t stream),
            (numOps, opList, flags, own(stream)))
WITH_STREAM(cudaMemPrefetchBatchAsync,
            (void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
             size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, own(stream)))
WITH_STREAM(cudaMemDiscardBatchAsync,
            (void **dptrs, size_t *sizes, size_t count, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, flags, own(stream)))
WITH_STREAM(cudaMemDiscardAndPrefetchBatchAsync,
            (void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
             size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, own(stream)))
WITH_STREAM(cudaLaunchCooperativeKernel,
            (const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem, cudaStream_t stream),
            (func, gridDim, blockDim, args, sharedMem, own(stream)))
WITH_STREAM(cudaStreamGetAttribute,
            (cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value_out),
            (own(stream), attr, value_out))
WITH_STREAM(cudaStreamSetAttribute,
            (cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value),
            (own(stream), attr, value))
WITH_STREAM(cudaMallocAsync, (void **devPtr, size_t size, cudaStream_t stream), (devPtr, size, own(stream)))
WITH_STREAM(cudaFreeAsync, (void *devPtr, cudaStream_t stream), (devPtr, own(stream)))
WITH_STREAM(cudaMallocFromPoolAsync, (void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream),
            (ptr, size, memPool, own(stream)))
WITH_STREAM(cudaStreamCopyAttributes, (cudaStream_t dst, cudaStream_t src), (own(dst), own(src)))

cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                  cudaStream_t stream) {
  return cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, own(stream));
}

__attribute__((visibility("default"))) cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config,
                                                                            const void *func, void **args);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args) {
  if (!config)
    return cudaLaunchKernelExC(NULL, func, args);
  cudaLaunchConfig_t same = *config;
  same.stream = own(same.stream);
  return cudaLaunchKernelExC(&same, func, args);
}
