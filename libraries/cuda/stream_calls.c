/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a stream is asked and told. Compiled twice (internal.h). */
#include "internal.h"

#include <stdlib.h>
#include <time.h>

#define OLD __attribute__((visibility("default"))) CUresult /* a version that cuda.h of CUDA 13 does not declare */

CUresult cuStreamGetPriority(CUstream s, int *priority) { RUN(cudaStreamGetPriority(s, priority)); }
CUresult cuStreamGetFlags(CUstream s, unsigned int *flags) { RUN(cudaStreamGetFlags(s, flags)); }
CUresult cuStreamGetId(CUstream s, unsigned long long *id) { RUN(cudaStreamGetId(s, id)); }
CUresult cuStreamGetDevice(CUstream s, CUdevice *device) { RUN(cudaStreamGetDevice(s, device)); }

static int context_of(CUstream stream, CUcontext *context, CUcontext current) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  int is_default = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
  *context = is_default ? current : uwcu_stream_context(stream);
  return *context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamGetCtx(CUstream s, CUcontext *pctx) {
  CUcontext current = uwcu_current();
  RUN(context_of(s, pctx, current));
}

CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *pCtx, CUgreenCtx *pGreenCtx) {
  CUcontext current = uwcu_current();
  if (pGreenCtx)
    *pGreenCtx = NULL;
  RUN(context_of(s, pCtx, current));
}

CUresult cuStreamWaitEvent(CUstream s, CUevent event, unsigned int Flags) { RUN(cudaStreamWaitEvent(s, event, Flags)); }
CUresult cuStreamQuery(CUstream s) { RUN(cudaStreamQuery(s)); }
CUresult cuStreamSynchronize(CUstream s) { RUN(cudaStreamSynchronize(s)); }
CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr dptr, size_t length, unsigned int flags) {
  RUN(cudaStreamAttachMemAsync(s, (void *)dptr, length, flags));
}
CUresult cuStreamAddCallback(CUstream s, CUstreamCallback callback, void *userData, unsigned int flags) {
  RUN(cudaStreamAddCallback(s, (cudaStreamCallback_t)(void *)callback, userData, flags));
}
CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *userData) { RUN(cudaLaunchHostFunc(s, fn, userData)); }
CUresult cuEventRecord(CUevent event, CUstream s) { RUN(cudaEventRecord(event, s)); }
CUresult cuEventRecordWithFlags(CUevent event, CUstream s, unsigned int flags) {
  RUN(cudaEventRecordWithFlags(event, s, flags));
}

/* Attributes have the same layout in both APIs. */
_Static_assert(sizeof(CUlaunchAttributeValue) == sizeof(cudaLaunchAttributeValue), "one attribute in two types");
CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) { RUN(cudaStreamCopyAttributes(dst, src)); }
CUresult cuStreamGetAttribute(CUstream s, CUstreamAttrID attr, CUstreamAttrValue *value) {
  RUN(cudaStreamGetAttribute(s, (cudaLaunchAttributeID)attr, (cudaLaunchAttributeValue *)value));
}
CUresult cuStreamSetAttribute(CUstream s, CUstreamAttrID attr, const CUstreamAttrValue *value) {
  RUN(cudaStreamSetAttribute(s, (cudaLaunchAttributeID)attr, (const cudaLaunchAttributeValue *)value));
}

/* --- capture ------------------------------------------------------------------------------------------------------ */

CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode) {
  RUN(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
}
CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph graph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode) {
  RUN(cudaStreamBeginCaptureToGraph(s, graph, dependencies, (const cudaGraphEdgeData *)data, count,
                                    (enum cudaStreamCaptureMode)mode));
}
CUresult cuStreamEndCapture(CUstream s, CUgraph *graph) { RUN(cudaStreamEndCapture(s, graph)); }
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus *status) {
  RUN(cudaStreamIsCapturing(s, (enum cudaStreamCaptureStatus *)status));
}
CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
  RUN(cudaStreamGetCaptureInfo_v3(s, (enum cudaStreamCaptureStatus *)status, (unsigned long long *)id, graph,
                                  dependencies, (const cudaGraphEdgeData **)data, count));
}
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                           size_t count, unsigned int flags) {
  RUN(cudaStreamUpdateCaptureDependencies_v2(s, dependencies, (const cudaGraphEdgeData *)data, count, flags));
}

#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
OLD __CUDA_API_PTSZ(cuStreamGetCaptureInfo)(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id) {
  RUN(cudaStreamGetCaptureInfo(s, (enum cudaStreamCaptureStatus *)status, (unsigned long long *)id, NULL, NULL, NULL));
}
OLD __CUDA_API_PTSZ(cuStreamGetCaptureInfo_v2)(CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id,
                                               CUgraph *graph, const CUgraphNode **dependencies, size_t *count) {
  RUN(cudaStreamGetCaptureInfo(s, (enum cudaStreamCaptureStatus *)status, (unsigned long long *)id, graph, dependencies,
                               count));
}
OLD __CUDA_API_PTSZ(cuStreamUpdateCaptureDependencies)(CUstream s, CUgraphNode *dependencies, size_t count,
                                                       unsigned int flags) {
  RUN(cudaStreamUpdateCaptureDependencies(s, dependencies, count, flags));
}

/* --- values in memory ------------------------------------------------------------------------------------------------
 * A stream writes a value of 32 bits by a fill. It waits for one, and writes one of 64, by a host function, which a
 * graph could not free: so those are not captured. */

typedef struct value_work {
  volatile void *place;
  cuuint64_t value;
  unsigned int flags;
  int wide, waits;
} value_work;

static int is_met(const value_work *work) {
  cuuint64_t now = work->wide ? __atomic_load_n((volatile cuuint64_t *)work->place, __ATOMIC_ACQUIRE)
                              : __atomic_load_n((volatile cuuint32_t *)work->place, __ATOMIC_ACQUIRE);
  switch (work->flags & 3) {
  case CU_STREAM_WAIT_VALUE_GEQ:
    return work->wide ? (int64_t)(now - work->value) >= 0 : (int32_t)((cuuint32_t)now - (cuuint32_t)work->value) >= 0;
  case CU_STREAM_WAIT_VALUE_EQ: return now == work->value;
  case CU_STREAM_WAIT_VALUE_AND: return (now & work->value) != 0;
  default: return (work->wide ? ~(now | work->value) : (cuuint32_t) ~(now | work->value)) != 0;
  }
}

static void do_value(void *data) {
  value_work *work = data;
  if (!work->waits)
    __atomic_store_n((volatile cuuint64_t *)work->place, work->value, __ATOMIC_RELEASE);
  while (work->waits && !is_met(work))
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  free(work);
}

static int by_host_function(CUstream stream, CUdeviceptr place, cuuint64_t value, unsigned int flags, int wide,
                            int waits) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned int known = waits ? 3u | CU_STREAM_WAIT_VALUE_FLUSH : 1u;
  if (!place || place % (wide ? 8 : 4) || (flags & ~known))
    return CUDA_ERROR_INVALID_VALUE;
  int error = (int)cudaStreamIsCapturing(stream, &status);
  if (error || status != cudaStreamCaptureStatusNone)
    return error ? error : CUDA_ERROR_NOT_SUPPORTED;
  value_work *work = malloc(sizeof *work);
  if (!work)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *work = (value_work){(void *)place, wide ? value : (cuuint32_t)value, flags, wide, waits};
  error = (int)cudaLaunchHostFunc(stream, do_value, work);
  if (error)
    free(work);
  return error;
}

static int write_short(CUstream stream, CUdeviceptr place, cuuint32_t value, unsigned int flags) {
  if (!place || place % 4 || (flags & ~1u))
    return CUDA_ERROR_INVALID_VALUE;
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  stream = stream ? stream : cudaStreamPerThread;
#endif
  return (int)uwrt_fill_rows((void *)place, 0, value, 4, 1, 1, stream);
}

static int do_batch(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *params, unsigned int flags) {
  int error = (count && !params) || count > 256 || flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  for (unsigned int i = 0; i < count && !error; i++) {
    const struct CUstreamMemOpWaitValueParams_st *wait = &params[i].waitValue;
    const struct CUstreamMemOpWriteValueParams_st *write = &params[i].writeValue;
    switch (params[i].operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      error = by_host_function(stream, wait->address, wait->value, wait->flags, 0, 1);
      break;
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      error = by_host_function(stream, wait->address, wait->value64, wait->flags, 1, 1);
      break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      error = write_short(stream, write->address, write->value, write->flags);
      break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      error = by_host_function(stream, write->address, write->value64, write->flags, 1, 0);
      break;
    case CU_STREAM_MEM_OP_BARRIER:
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: break; /* nothing is left to be written */
    default: error = CUDA_ERROR_INVALID_VALUE;
    }
  }
  return error;
}

#define VALUES(wait32, wait64, write32, write64, batch)                                                                \
  CUresult wait32(CUstream s, CUdeviceptr at, cuuint32_t value, unsigned int flags) {                                  \
    RUN(by_host_function(s, at, value, flags, 0, 1));                                                                  \
  }                                                                                                                    \
  CUresult wait64(CUstream s, CUdeviceptr at, cuuint64_t value, unsigned int flags) {                                  \
    RUN(by_host_function(s, at, value, flags, 1, 1));                                                                  \
  }                                                                                                                    \
  CUresult write32(CUstream s, CUdeviceptr at, cuuint32_t value, unsigned int flags) {                                 \
    RUN(write_short(s, at, value, flags));                                                                             \
  }                                                                                                                    \
  CUresult write64(CUstream s, CUdeviceptr at, cuuint64_t value, unsigned int flags) {                                 \
    RUN(by_host_function(s, at, value, flags, 1, 0));                                                                  \
  }                                                                                                                    \
  CUresult batch(CUstream s, unsigned int count, CUstreamBatchMemOpParams *params, unsigned int flags) {               \
    RUN(do_batch(s, count, params, flags));                                                                            \
  }
VALUES(cuStreamWaitValue32, cuStreamWaitValue64, cuStreamWriteValue32, cuStreamWriteValue64, cuStreamBatchMemOp)
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp
#pragma GCC visibility push(default)
VALUES(__CUDA_API_PTSZ(cuStreamWaitValue32), __CUDA_API_PTSZ(cuStreamWaitValue64),
       __CUDA_API_PTSZ(cuStreamWriteValue32), __CUDA_API_PTSZ(cuStreamWriteValue64),
       __CUDA_API_PTSZ(cuStreamBatchMemOp))
#pragma GCC visibility pop

/* --- stream ordered memory, managed memory, graphs ---------------------------------------------------------------- */

/* A stream that the program made has its context: these need none that is current. */
#define HAS_CONTEXT(s) ((s) && (s) != CU_STREAM_LEGACY && (s) != CU_STREAM_PER_THREAD)
CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytes, CUstream s) {
  RUN_WITH(HAS_CONTEXT(s), bytes ? (int)cudaMallocAsync((void **)dptr, bytes, s) : CUDA_ERROR_INVALID_VALUE);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytes, CUmemoryPool pool, CUstream s) {
  RUN_WITH(HAS_CONTEXT(s),
           bytes ? (int)cudaMallocFromPoolAsync((void **)dptr, bytes, pool, s) : CUDA_ERROR_INVALID_VALUE);
}
CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream s) { RUN_WITH(HAS_CONTEXT(s), cudaFreeAsync((void *)dptr, s)); }

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream s) {
  struct cudaMemLocation to = {(enum cudaMemLocationType)location.type, location.id};
  RUN(cudaMemPrefetchAsync_v2((void *)devPtr, count, to, flags, s));
}
#undef cuMemPrefetchAsync
OLD __CUDA_API_PTSZ(cuMemPrefetchAsync)(CUdeviceptr devPtr, size_t count, CUdevice device, CUstream s) {
  RUN(cudaMemPrefetchAsync((void *)devPtr, count, device, s));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream s) { RUN(cudaGraphUpload(exec, s)); }
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s) { RUN(cudaGraphLaunch(exec, s)); }
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  RUN(cudaGraphInstantiateWithParams(exec, graph, (cudaGraphInstantiateParams *)params));
}
