/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Many copies, prefetches or discards in one call (CUDA Runtime API, "Memory Management"). Each is what the function
 * for one of them does; a batch's copies may run in any order, so that the order of the lists is one.
 *
 * A list of attributes, or of places, covers the operations in runs: entry k those from starts[k] up to the next
 * entry's start, the first of them 0.
 */
#include <stdint.h>
#include <stdlib.h>

#include "internal.h"
#include "texture.h"
#include "work.h"

/* No operation of the batch is to blame. */
static const size_t nobody = SIZE_MAX;

static int covers(const void *entries, const size_t *starts, size_t entry_count, size_t count) {
  if (!entries || !starts || entry_count == 0 || entry_count > count || starts[0] != 0)
    return 0;
  for (size_t k = 1; k < entry_count; k++)
    if (starts[k] <= starts[k - 1] || starts[k] >= count)
      return 0;
  return 1;
}

/* The entry that covers operation i, given that of the operation before it. */
static size_t entry_of(const size_t *starts, size_t entry_count, size_t i, size_t before) {
  return before + 1 < entry_count && starts[before + 1] == i ? before + 1 : before;
}

static int is_order(enum cudaMemcpySrcAccessOrder order, unsigned int flags) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny &&
         flags <= cudaMemcpyFlagPreferOverlapWithCompute;
}

/* A batch has its place in a stream that has an order of its own. */
static cudaError_t check_stream(cudaStream_t stream) {
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  return uwrt_stream_is_legacy(stream) ? cudaErrorInvalidValue : cudaSuccess;
}

/* One copy. A source that is read during the call is read now, wherever the stream is: of a stream that has not come to
 * the copy, into memory of our own, which the copy then reads as pageable memory is read. */
static cudaError_t copy_one(const struct cudaMemcpy3DParms *copy, enum cudaMemcpySrcAccessOrder order,
                            cudaStream_t stream) {
  enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (order != cudaMemcpySrcAccessOrderDuringApiCall)
    return cudaMemcpy3DAsync(copy, stream);
  cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  if (error != cudaSuccess)
    return error;
  if (capture != cudaStreamCaptureStatusNone) /* a graph would read it again at each launch */
    return cudaErrorStreamCaptureUnsupported;
  if (cudaStreamQuery(stream) == cudaSuccess)
    return cudaMemcpy3DAsync(copy, stream);
  struct cudaMemcpy3DParms late = *copy;
  void *taken;
  error = uwrt_copy_take(&late, &taken);
  if (error == cudaSuccess)
    error = cudaMemcpy3DAsync(&late, stream);
  free(taken);
  return error;
}

static cudaError_t copy_rows(void *const *to, const void *const *from, const size_t *sizes, size_t count,
                             const struct cudaMemcpyAttributes *attributes, const size_t *starts,
                             size_t attribute_count, size_t *failed, cudaStream_t stream) {
  *failed = nobody;
  if (!to || !from || !sizes || !covers(attributes, starts, attribute_count, count))
    return cudaErrorInvalidValue;
  cudaError_t error = check_stream(stream);
  for (size_t k = 0; k < attribute_count && error == cudaSuccess; k++)
    if (!is_order(attributes[k].srcAccessOrder, attributes[k].flags))
      error = cudaErrorInvalidValue;
  for (size_t i = 0, k = 0; i < count && error == cudaSuccess; i++) {
    k = entry_of(starts, attribute_count, i, k);
    struct cudaMemcpy3DParms copy = {.srcPtr = {(void *)from[i], sizes[i], sizes[i], 1},
                                     .dstPtr = {to[i], sizes[i], sizes[i], 1},
                                     .extent = {sizes[i], 1, 1},
                                     .kind = cudaMemcpyDefault};
    error =
        to[i] && from[i] && sizes[i] ? copy_one(&copy, attributes[k].srcAccessOrder, stream) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
      *failed = i;
  }
  return error;
}

cudaError_t cudaMemcpyBatchAsync_v2(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                    struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                    cudaStream_t stream) {
  size_t failed;
  UWRT_ENTER;
  UWRT_TRY(copy_rows(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, &failed, stream));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                 struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                 size_t *failIdx, cudaStream_t stream) {
  size_t failed;
  UWRT_ENTER;
  UWRT_TRY(copy_rows(dsts, (const void *const *)srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                     failIdx ? failIdx : &failed, stream));
  UWRT_LEAVE;
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

/* Lengths of rows and layers count elements: bytes, but where an array takes part its texels. */
static size_t element_of(const struct cudaMemcpy3DOperand *operand) {
  struct cudaArray found;
  if (operand->type != cudaMemcpyOperandTypeArray)
    return 1;
  return uwrt_array_find(operand->op.array.array, &found) ? found.texel_bytes : 0;
}

static int is_side(const struct cudaMemcpy3DOperand *operand, struct cudaExtent size) {
  if (operand->type == cudaMemcpyOperandTypeArray)
    return operand->op.array.array != NULL;
  return operand->type == cudaMemcpyOperandTypePointer && operand->op.ptr.ptr &&
         (operand->op.ptr.rowLength == 0 || operand->op.ptr.rowLength >= size.width) &&
         (operand->op.ptr.layerHeight == 0 || operand->op.ptr.layerHeight >= size.height);
}

/* Memory whose rows are as wide as the copy where nothing is said. Returns 0 where a length is none of memory's. */
static int memory_of(const struct cudaMemcpy3DOperand *operand, struct cudaExtent size, size_t element,
                     struct cudaPitchedPtr *memory) {
  size_t length = operand->op.ptr.rowLength ? operand->op.ptr.rowLength : size.width, pitch;
  if (__builtin_mul_overflow(length, element, &pitch))
    return 0;
  *memory = (struct cudaPitchedPtr){operand->op.ptr.ptr, pitch, pitch,
                                    operand->op.ptr.layerHeight ? operand->op.ptr.layerHeight : size.height};
  return 1;
}

static struct cudaPos position_of(const struct cudaMemcpy3DOperand *operand) {
  return (struct cudaPos){operand->op.array.offset.x, operand->op.array.offset.y, operand->op.array.offset.z};
}

static cudaError_t copy_box(const struct cudaMemcpy3DBatchOp *op, cudaStream_t stream) {
  struct cudaExtent size = op->extent;
  if (!is_order(op->srcAccessOrder, op->flags) || !size.width || !size.height || !size.depth ||
      !is_side(&op->src, size) || !is_side(&op->dst, size))
    return cudaErrorInvalidValue;
  size_t of_source = element_of(&op->src), of_target = element_of(&op->dst);
  if (!of_source || !of_target)
    return cudaErrorInvalidResourceHandle;
  size_t element = op->src.type == cudaMemcpyOperandTypeArray ? of_source : of_target;
  struct cudaMemcpy3DParms copy = {.extent = size, .kind = cudaMemcpyDefault};
  if (op->src.type == cudaMemcpyOperandTypeArray) {
    copy.srcArray = op->src.op.array.array;
    copy.srcPos = position_of(&op->src);
  } else if (!memory_of(&op->src, size, element, &copy.srcPtr)) {
    return cudaErrorInvalidValue;
  }
  if (op->dst.type == cudaMemcpyOperandTypeArray) {
    copy.dstArray = op->dst.op.array.array;
    copy.dstPos = position_of(&op->dst);
  } else if (!memory_of(&op->dst, size, element, &copy.dstPtr)) {
    return cudaErrorInvalidValue;
  }
  return copy_one(&copy, op->srcAccessOrder, stream);
}

static cudaError_t copy_boxes(size_t count, const struct cudaMemcpy3DBatchOp *ops, unsigned long long flags,
                              size_t *failed, cudaStream_t stream) {
  *failed = nobody;
  if (count == 0 || !ops || flags)
    return cudaErrorInvalidValue;
  cudaError_t error = check_stream(stream);
  for (size_t i = 0; i < count && error == cudaSuccess; i++) {
    error = copy_box(&ops[i], stream);
    if (error != cudaSuccess)
      *failed = i;
  }
  return error;
}

cudaError_t cudaMemcpy3DBatchAsync_v2(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                                      cudaStream_t stream) {
  size_t failed;
  UWRT_ENTER;
  UWRT_TRY(copy_boxes(numOps, opList, flags, &failed, stream));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, size_t *failIdx,
                                   unsigned long long flags, cudaStream_t stream) {
  size_t failed;
  UWRT_ENTER;
  UWRT_TRY(copy_boxes(numOps, opList, flags, failIdx ? failIdx : &failed, stream));
  UWRT_LEAVE;
}

/* --- prefetches and discards -------------------------------------------------------------------------------------- */

static cudaError_t prefetch(void **pointers, const size_t *sizes, size_t count, const struct cudaMemLocation *places,
                            const size_t *starts, size_t place_count, unsigned long long flags, cudaStream_t stream) {
  if (!pointers || !sizes || flags || !covers(places, starts, place_count, count))
    return cudaErrorInvalidValue;
  cudaError_t error = check_stream(stream);
  for (size_t i = 0, k = 0; i < count && error == cudaSuccess; i++) {
    k = entry_of(starts, place_count, i, k);
    error = cudaMemPrefetchAsync_v2(pointers[i], sizes[i], places[k], 0, stream);
  }
  return error;
}

cudaError_t cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_TRY(prefetch(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream));
  UWRT_LEAVE;
}

/* What a discarded range holds is indeterminate: what it held is as good as anything. */
cudaError_t cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(dptrs && sizes && count && flags == 0, cudaErrorInvalidValue);
  UWRT_TRY(check_stream(stream));
  UWRT_TRY(uwrt_capture_unsupported(stream));
  for (size_t i = 0; i < count; i++)
    UWRT_REQUIRE(uwrt_is_managed(dptrs[i], sizes[i]), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
                                                struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
}
