/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Many copies, prefetches or discards in one call (CUDA Runtime API, "Memory Management"). Attributes and places cover
 * runs of operations: entry k those from attrsIdxs[k] on. No stream may be the legacy one. CUDA 12.8's copies tell
 * which of them failed, or SIZE_MAX; CUDA 13's have another type and go by another name here. Included by
 * cuda_runtime_api.h.
 */
#ifndef UNWARP_BATCH_API_H
#define UNWARP_BATCH_API_H

enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0x0, cudaMemcpyFlagPreferOverlapWithCompute = 0x1 };
enum cudaMemcpySrcAccessOrder {
  cudaMemcpySrcAccessOrderInvalid = 0x0,
  cudaMemcpySrcAccessOrderStream = 0x1,
  cudaMemcpySrcAccessOrderDuringApiCall = 0x2,
  cudaMemcpySrcAccessOrderAny = 0x3,
  cudaMemcpySrcAccessOrderMax = 0x7FFFFFFF
};
struct cudaMemcpyAttributes {
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};
enum cudaMemcpy3DOperandType {
  cudaMemcpyOperandTypePointer = 0x1,
  cudaMemcpyOperandTypeArray = 0x2,
  cudaMemcpyOperandTypeMax = 0x7FFFFFFF
};
struct cudaOffset3D {
  size_t x, y, z;
};
struct cudaMemcpy3DOperand {
  enum cudaMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength, layerHeight; /* elements; 0: as the copy's extent */
      struct cudaMemLocation locHint;
    } ptr;
    struct {
      cudaArray_t array;
      struct cudaOffset3D offset;
    } array;
  } op;
};
struct cudaMemcpy3DBatchOp {
  struct cudaMemcpy3DOperand src, dst;
  struct cudaExtent extent;
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
};

extern cudaError_t cudaMemcpyBatchAsync_v2(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                           size_t count, struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
                                           size_t numAttrs, cudaStream_t stream);
extern cudaError_t cudaMemcpy3DBatchAsync_v2(size_t numOps, struct cudaMemcpy3DBatchOp *opList,
                                             unsigned long long flags, cudaStream_t stream);
#if UNWARP_CUDA_VERSION >= 13000
#define cudaMemcpyBatchAsync cudaMemcpyBatchAsync_v2
#define cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_v2
#else
extern cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                        struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                        size_t *failIdx, cudaStream_t stream);
extern cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, size_t *failIdx,
                                          unsigned long long flags, cudaStream_t stream);
#endif

extern cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                             struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                             size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream);
extern cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                            cudaStream_t stream);
extern cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                       struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                       size_t numPrefetchLocs, unsigned long long flags,
                                                       cudaStream_t stream);

#endif
