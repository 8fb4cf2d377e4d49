/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies and fills. Compiled twice (internal.h). */
#include "internal.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define OWN cudaStreamPerThread
#else
#define OWN NULL
#endif
#define P(address) ((void *)(address))
#define A(handle) ((cudaArray_t)(handle))
#define OLD __attribute__((visibility("default"))) CUresult /* a version that cuda.h of CUDA 13 does not declare */
enum {
  H2H = cudaMemcpyHostToHost,
  H2D = cudaMemcpyHostToDevice,
  D2H = cudaMemcpyDeviceToHost,
  D2D = cudaMemcpyDeviceToDevice,
  ANY = cudaMemcpyDefault
};

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n) { RUN(cudaMemcpy(P(dst), P(src), n, ANY)); }
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s) {
  RUN(cudaMemcpyAsync(P(dst), P(src), n, ANY, s));
}
CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t n) { RUN(cudaMemcpy(P(dst), src, n, H2D)); }
CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t n) { RUN(cudaMemcpy(dst, P(src), n, D2H)); }
CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t n) { RUN(cudaMemcpy(P(dst), P(src), n, D2D)); }
CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t n, CUstream s) {
  RUN(cudaMemcpyAsync(P(dst), src, n, H2D, s));
}
CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t n, CUstream s) {
  RUN(cudaMemcpyAsync(dst, P(src), n, D2H, s));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s) {
  RUN(cudaMemcpyAsync(P(dst), P(src), n, D2D, s));
}

static int peers(CUcontext one, CUcontext two) {
  return uwcu_context_device(one) >= 0 && uwcu_context_device(two) >= 0;
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t n) {
  RUN(peers(to, from) ? (int)cudaMemcpy(P(dst), P(src), n, D2D) : CUDA_ERROR_INVALID_CONTEXT);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t n, CUstream s) {
  RUN(peers(to, from) ? (int)cudaMemcpyAsync(P(dst), P(src), n, D2D, s) : CUDA_ERROR_INVALID_CONTEXT);
}

/* Part of a row of an array. */
CUresult cuMemcpyDtoA(CUarray dst, size_t at, CUdeviceptr src, size_t n) {
  RUN(cudaMemcpyToArray(A(dst), at, 0, P(src), n, D2D));
}
CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t at, size_t n) {
  RUN(cudaMemcpyFromArray(P(dst), A(src), at, 0, n, D2D));
}
CUresult cuMemcpyHtoA(CUarray dst, size_t at, const void *src, size_t n) {
  RUN(cudaMemcpyToArray(A(dst), at, 0, src, n, H2D));
}
CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t at, size_t n) {
  RUN(cudaMemcpyFromArray(dst, A(src), at, 0, n, D2H));
}
CUresult cuMemcpyAtoA(CUarray dst, size_t to, CUarray src, size_t from, size_t n) {
  RUN(cudaMemcpyArrayToArray(A(dst), to, 0, A(src), from, 0, n, D2D));
}
CUresult cuMemcpyHtoAAsync(CUarray dst, size_t at, const void *src, size_t n, CUstream s) {
  RUN(cudaMemcpyToArrayAsync(A(dst), at, 0, src, n, H2D, s));
}
CUresult cuMemcpyAtoHAsync(void *dst, CUarray src, size_t at, size_t n, CUstream s) {
  RUN(cudaMemcpyFromArrayAsync(dst, A(src), at, 0, n, D2H, s));
}

static int copy(const CUDA_MEMCPY3D *described, int waits, CUstream stream) {
  struct cudaMemcpy3DParms params;
  int error = uwcu_copy_of(&params, described);
  return error ? error : (int)(waits ? cudaMemcpy3D(&params) : cudaMemcpy3DAsync(&params, stream));
}

static int copy_rows(const CUDA_MEMCPY2D *from, int waits, CUstream stream) {
  if (!from)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_MEMCPY3D whole = {.srcXInBytes = from->srcXInBytes,
                         .srcY = from->srcY,
                         .srcMemoryType = from->srcMemoryType,
                         .srcHost = from->srcHost,
                         .srcDevice = from->srcDevice,
                         .srcArray = from->srcArray,
                         .srcPitch = from->srcPitch,
                         .dstXInBytes = from->dstXInBytes,
                         .dstY = from->dstY,
                         .dstMemoryType = from->dstMemoryType,
                         .dstHost = from->dstHost,
                         .dstDevice = from->dstDevice,
                         .dstArray = from->dstArray,
                         .dstPitch = from->dstPitch,
                         .WidthInBytes = from->WidthInBytes,
                         .Height = from->Height,
                         .Depth = 1};
  return copy(&whole, waits, stream);
}

static int copy_between(const CUDA_MEMCPY3D_PEER *from, int waits, CUstream stream) {
  if (!from)
    return CUDA_ERROR_INVALID_VALUE;
  if (!peers(from->srcContext, from->dstContext))
    return CUDA_ERROR_INVALID_CONTEXT;
  CUDA_MEMCPY3D whole = {.srcXInBytes = from->srcXInBytes,
                         .srcY = from->srcY,
                         .srcZ = from->srcZ,
                         .srcMemoryType = from->srcMemoryType,
                         .srcHost = from->srcHost,
                         .srcDevice = from->srcDevice,
                         .srcArray = from->srcArray,
                         .srcPitch = from->srcPitch,
                         .srcHeight = from->srcHeight,
                         .dstXInBytes = from->dstXInBytes,
                         .dstY = from->dstY,
                         .dstZ = from->dstZ,
                         .dstMemoryType = from->dstMemoryType,
                         .dstHost = from->dstHost,
                         .dstDevice = from->dstDevice,
                         .dstArray = from->dstArray,
                         .dstPitch = from->dstPitch,
                         .dstHeight = from->dstHeight,
                         .WidthInBytes = from->WidthInBytes,
                         .Height = from->Height,
                         .Depth = from->Depth};
  return copy(&whole, waits, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy) { RUN(copy_rows(pCopy, 1, NULL)); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy) { RUN(copy_rows(pCopy, 1, NULL)); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream) { RUN(copy_rows(pCopy, 0, hStream)); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy) { RUN(copy(pCopy, 1, NULL)); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream) { RUN(copy(pCopy, 0, hStream)); }
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy) { RUN(copy_between(pCopy, 1, NULL)); }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream) {
  RUN(copy_between(pCopy, 0, hStream));
}

/* Batches: the driver's lists have the form of the runtime's. Those of CUDA 12.8 tell which copy failed. */
_Static_assert(sizeof(CUmemcpyAttributes) == sizeof(struct cudaMemcpyAttributes), "one form");
_Static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(struct cudaMemcpy3DBatchOp), "one form");
_Static_assert(sizeof(CUmemLocation) == sizeof(struct cudaMemLocation), "one form");
#define ATTRIBUTES(list) ((struct cudaMemcpyAttributes *)(list))
#define OPERATIONS(list) ((struct cudaMemcpy3DBatchOp *)(list))
#define PLACES(list) ((struct cudaMemLocation *)(list))

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream) {
  RUN(cudaMemcpyBatchAsync_v2((void *const *)dsts, (const void *const *)srcs, sizes, count, ATTRIBUTES(attrs),
                              attrsIdxs, numAttrs, hStream));
}
CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                              CUstream hStream) {
  RUN(cudaMemcpy3DBatchAsync_v2(numOps, OPERATIONS(opList), flags, hStream));
}
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                 size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                 CUstream hStream) {
  RUN(cudaMemPrefetchBatchAsync((void **)dptrs, sizes, count, PLACES(prefetchLocs), prefetchLocIdxs, numPrefetchLocs,
                                flags, hStream));
}
CUresult cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                CUstream hStream) {
  RUN(cudaMemDiscardBatchAsync((void **)dptrs, sizes, count, flags, hStream));
}
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                           size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                           CUstream hStream) {
  RUN(cudaMemDiscardAndPrefetchBatchAsync((void **)dptrs, sizes, count, PLACES(prefetchLocs), prefetchLocIdxs,
                                          numPrefetchLocs, flags, hStream));
}
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
OLD __CUDA_API_PTSZ(cuMemcpyBatchAsync)(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                        CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, size_t *failIdx,
                                        CUstream hStream) {
  RUN(cudaMemcpyBatchAsync((void **)dsts, (void **)srcs, sizes, count, ATTRIBUTES(attrs), attrsIdxs, numAttrs, failIdx,
                           hStream));
}
OLD __CUDA_API_PTSZ(cuMemcpy3DBatchAsync)(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx,
                                          unsigned long long flags, CUstream hStream) {
  RUN(cudaMemcpy3DBatchAsync(numOps, OPERATIONS(opList), failIdx, flags, hStream));
}

/* Fills. Like the copies of the device's own memory, they are done when the call returns. */
#define FILL(bits, type)                                                                                               \
  CUresult cuMemsetD##bits(CUdeviceptr at, type value, size_t n) {                                                     \
    RUN(uwrt_fill_rows(P(at), 0, value, bits / 8, n, 1, OWN));                                                         \
  }                                                                                                                    \
  CUresult cuMemsetD##bits##Async(CUdeviceptr at, type value, size_t n, CUstream s) {                                  \
    RUN(uwrt_fill_rows(P(at), 0, value, bits / 8, n, 1, s ? s : OWN));                                                 \
  }                                                                                                                    \
  CUresult cuMemsetD2D##bits(CUdeviceptr at, size_t pitch, type value, size_t width, size_t height) {                  \
    RUN(uwrt_fill_rows(P(at), pitch, value, bits / 8, width, height, OWN));                                            \
  }                                                                                                                    \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr at, size_t pitch, type value, size_t width, size_t height,             \
                                    CUstream s) {                                                                      \
    RUN(uwrt_fill_rows(P(at), pitch, value, bits / 8, width, height, s ? s : OWN));                                    \
  }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
