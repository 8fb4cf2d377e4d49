/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The copies to, from and between arrays that have names of their own: each is one or a few boxes of cudaMemcpy3D,
 * which makes the checks. Their widths and offsets in x are in bytes, and must be whole texels.
 */
#include "texture.h"

/* One end of a copy: an array at a byte and a row, or memory with its pitch. */
typedef struct end {
  cudaArray_const_t array;
  size_t x, y;
  const void *memory;
  size_t pitch;
} end;

static end in_array(cudaArray_const_t array, size_t x, size_t y) { return (end){array, x, y, NULL, 0}; }
static end in_memory(const void *memory, size_t pitch) { return (end){NULL, 0, 0, memory, pitch}; }

static cudaError_t copy_rows(end to, end from, size_t width, size_t height, enum cudaMemcpyKind kind,
                             cudaStream_t stream) {
  struct cudaArray array;
  if (!uwrt_array_find(to.array ? to.array : from.array, &array))
    return uwrt_note_error(cudaErrorInvalidResourceHandle);
  const size_t texel = array.texel_bytes;
  if (width % texel || to.x % texel || from.x % texel)
    return uwrt_note_error(cudaErrorInvalidValue);
  if (height <= 1) { /* a single row needs no pitch: 0 will do, as programs give it */
    to.pitch = to.pitch ? to.pitch : width;
    from.pitch = from.pitch ? from.pitch : width;
  }
  if ((to.memory && to.pitch < width) || (from.memory && from.pitch < width))
    return uwrt_note_error(cudaErrorInvalidPitchValue);
  struct cudaMemcpy3DParms box = {.kind = kind,
                                  .extent = {width / texel, height, 1},
                                  .srcArray = (cudaArray_t)from.array,
                                  .srcPos = {from.x / texel, from.y, 0},
                                  .srcPtr = {(void *)from.memory, from.pitch, width, height},
                                  .dstArray = (cudaArray_t)to.array,
                                  .dstPos = {to.x / texel, to.y, 0},
                                  .dstPtr = {(void *)to.memory, to.pitch, width, height}};
  return cudaMemcpy3DAsync(&box, stream);
}

/* Moves an end over bytes of an array's rows, or of memory without gaps. */
static void advance(end *at, size_t row, size_t bytes) {
  if (at->array) {
    at->y += (at->x + bytes) / row;
    at->x = (at->x + bytes) % row;
  } else {
    at->memory = (const char *)at->memory + bytes;
  }
}

static size_t row_bytes(end at) {
  struct cudaArray array;
  return at.array && uwrt_array_find(at.array, &array) ? array.extent.width * array.texel_bytes : 0;
}

/* bytes that run on from the end of an array's row in its next one. Whole rows go together. */
static cudaError_t copy_run(end to, end from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  size_t to_row = row_bytes(to), from_row = row_bytes(from);
  if ((to.array && !to_row) || (from.array && !from_row))
    return uwrt_note_error(cudaErrorInvalidResourceHandle);
  if ((to.array && to.x >= to_row) || (from.array && from.x >= from_row))
    return uwrt_note_error(cudaErrorInvalidValue);
  for (size_t part, rows; bytes; bytes -= part * rows) {
    size_t to_left = to.array ? to_row - to.x : bytes, from_left = from.array ? from_row - from.x : bytes;
    part = to_left < from_left ? to_left : from_left;
    part = part < bytes ? part : bytes;
    int whole = (!to.array || part == to_row) && (!from.array || part == from_row);
    rows = whole ? bytes / part : 1;
    to.pitch = from.pitch = part;
    cudaError_t error = copy_rows(to, from, part, rows, kind, stream);
    if (error != cudaSuccess)
      return error;
    advance(&to, to_row, part * rows);
    advance(&from, from_row, part * rows);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(in_array(dst, wOffset, hOffset), in_memory(src, spitch), width, height, kind, stream);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return UWRT_WAITING(cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, NULL));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(in_memory(dst, dpitch), in_array(src, wOffset, hOffset), width, height, kind, stream);
}
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  return UWRT_WAITING(cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, NULL));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  return UWRT_WAITING(copy_rows(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc), width,
                                height, kind, NULL));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(in_array(dst, wOffset, hOffset), in_memory(src, 0), count, kind, stream);
}
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              enum cudaMemcpyKind kind) {
  return UWRT_WAITING(cudaMemcpyToArrayAsync(dst, wOffset, hOffset, src, count, kind, NULL));
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(in_memory(dst, 0), in_array(src, wOffset, hOffset), count, kind, stream);
}
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                enum cudaMemcpyKind kind) {
  return UWRT_WAITING(cudaMemcpyFromArrayAsync(dst, src, wOffset, hOffset, count, kind, NULL));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind) {
  return UWRT_WAITING(
      copy_run(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc), count, kind, NULL));
}
