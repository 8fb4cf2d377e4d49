/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies and fills. All of them are one box of bytes (a width, rows, slices) between two places, so one function checks
 * a place and one (in bulk.c) moves the bytes; cudaMemcpy is a box of one row.
 *
 * A place that the direction calls the device's must lie in memory that the API knows. A host place is the program's
 * business, unless it lies in memory of ours: then it must not run over its end.
 */
#include <stdlib.h>
#include <string.h>

#include "texture.h"
#include "work.h"

typedef struct box {
  size_t width, height, depth; /* bytes, rows, slices */
} box;

typedef uwrt_rows place; /* where a box lies */

static int is_empty(box size) { return !size.width || !size.height || !size.depth; }

/* Bytes from the first to after the last byte of a box at a place; 0 if that leaves the address space. */
static size_t span_of(place at, box size) {
  size_t rows, slices, bytes;
  if (__builtin_mul_overflow(size.height - 1, at.pitch, &rows) ||
      __builtin_mul_overflow(size.depth - 1, at.slice, &slices) || __builtin_add_overflow(rows, slices, &bytes) ||
      __builtin_add_overflow(bytes, size.width, &bytes))
    return 0;
  return bytes;
}

/* A node's place may be memory that only its graph will allocate; when the work is done, it must be there. */
typedef enum occasion { LATER, NOW } occasion;

static cudaError_t find_wrong(place at, box size, int on_device, occasion when) {
  uwrt_allocation found;
  size_t bytes = span_of(at, size);
  if (!at.start || !bytes)
    return cudaErrorInvalidValue;
  if (!uwrt_allocation_find(at.start, &found))
    return on_device ? cudaErrorInvalidValue : cudaSuccess;
  if (when == NOW && found.graph && !uwrt_graph_memory_is_mapped(found.graph))
    return cudaErrorInvalidValue;
  if (when == NOW)
    uwrt_guard_check(&found, "by a copy");
  if (!on_device && found.space == UWRT_SPACE_REGISTERED)
    return cudaSuccess; /* the rest of a half registered buffer is still the program's memory */
  return bytes <= found.bytes - ((uintptr_t)at.start - found.base) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t check_place(place at, box size, int on_device, occasion when) {
  cudaError_t error = find_wrong(at, size, on_device, when);
  if (error != cudaSuccess && when == NOW && uwrt_checks)
    uwrt_checks->refused(at.start, span_of(at, size));
  return error;
}

static cudaError_t check_kind(enum cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

static void move(place to, place from, box size) {
  uwrt_bulk_run((uwrt_bulk){.to = to, .from = from, .width = size.width, .height = size.height, .depth = size.depth});
}

static place place_to_fill(const uwrt_fill_work *fill) {
  return (place){fill->rows.dst, fill->rows.pitch, fill->slice};
}

static box box_to_fill(const uwrt_fill_work *fill) {
  return (box){fill->rows.width * fill->rows.elementSize, fill->rows.height, fill->depth};
}

static cudaError_t check_fill(const uwrt_fill_work *fill, occasion when) {
  const struct cudaMemsetParams *rows = &fill->rows;
  if (rows->elementSize != 1 && rows->elementSize != 2 && rows->elementSize != 4)
    return cudaErrorInvalidValue;
  box size = box_to_fill(fill);
  if (is_empty(size))
    return cudaSuccess;
  if (size.width / rows->elementSize != rows->width || (uintptr_t)rows->dst % rows->elementSize != 0)
    return cudaErrorInvalidValue;
  return check_place(place_to_fill(fill), size, 1, when);
}

cudaError_t uwrt_fill_check(const uwrt_fill_work *fill) { return check_fill(fill, LATER); }

cudaError_t uwrt_fill_run(const uwrt_fill_work *fill, cudaStream_t stream) {
  cudaError_t error = check_fill(fill, NOW);
  box size = box_to_fill(fill);
  place to = place_to_fill(fill);
  if (error != cudaSuccess || is_empty(size))
    return error;
  uint64_t started = uwrt_trace_start();
  uwrt_bulk_run((uwrt_bulk){.to = to,
                            .width = size.width,
                            .height = size.height,
                            .depth = size.depth,
                            .value = fill->rows.value,
                            .element = fill->rows.elementSize});
  if (started)
    uwrt_trace_bytes(started, "memset", size.width * size.height * size.depth, stream);
  return cudaSuccess;
}

/* A call without a stream waits for its work, unless that touches the device's own memory alone: the host need not see
 * when that is done, so CUDA lets it go on, and a kernel may wait for what it does next. */
static int is_the_devices(const void *address) {
  uwrt_allocation found;
  return uwrt_allocation_find(address, &found) &&
         (found.space & (UWRT_SPACE_DEVICE | UWRT_SPACE_GRAPH | UWRT_SPACE_VARIABLE | UWRT_SPACE_MAPPED)) != 0;
}

static cudaError_t enter_in_turn(const void *dst, const void *src) {
  int waits = uwrt_any_aside() && !(is_the_devices(dst) && is_the_devices(src));
  return waits ? uwrt_capture_waiting() : uwrt_capture_unsafe();
}

#define IN_TURN(dst, src, call)                                                                                        \
  (uwrt_note_error(enter_in_turn(dst, src)) == cudaSuccess ? (call) : cudaPeekAtLastError())

/* One dimension */

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_work work = uwrt_line_copy(dst, src, count, kind);
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  return IN_TURN(dst, src, cudaMemcpyAsync(dst, src, count, kind, NULL));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(dstDevice) && uwrt_device_exists(srcDevice), cudaErrorInvalidDevice);
  error = cudaMemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
  UWRT_LEAVE;
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  return IN_TURN(dst, src, cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, count, NULL));
}

static uwrt_work fill_of(place to, int value, box size) {
  return (uwrt_work){.type = cudaGraphNodeTypeMemset,
                     .fill = {.rows = {to.start, to.pitch, (unsigned char)value, 1, size.width, size.height},
                              .slice = to.slice,
                              .depth = size.depth}};
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_work work = fill_of((place){devPtr, count, 0}, value, (box){count, 1, 1});
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
  return IN_TURN(devPtr, devPtr, cudaMemsetAsync(devPtr, value, count, NULL));
}

/* Two dimensions */

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_TRY(check_kind(kind));
  UWRT_REQUIRE(width <= dpitch && width <= spitch, cudaErrorInvalidPitchValue);
  UWRT_REQUIRE(dpitch <= UWRT_MAX_PITCH && spitch <= UWRT_MAX_PITCH, cudaErrorInvalidValue);
  uwrt_work work = {.type = cudaGraphNodeTypeMemcpy,
                    .copy = {.srcPtr = {(void *)src, spitch, width, height},
                             .dstPtr = {dst, dpitch, width, height},
                             .extent = {width, height, 1},
                             .kind = kind}};
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return IN_TURN(dst, src, cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, NULL));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(height <= 1 || (width <= pitch && pitch <= UWRT_MAX_PITCH), cudaErrorInvalidValue);
  uwrt_work work = fill_of((place){devPtr, pitch, 0}, value, (box){width, height, 1});
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  return IN_TURN(devPtr, devPtr, cudaMemset2DAsync(devPtr, pitch, value, width, height, NULL));
}

/* Three dimensions */

/* The place of a position in pitched memory. The box must fit its rows, and its slices where there are several. */
static cudaError_t place_of(struct cudaPitchedPtr memory, struct cudaPos position, struct cudaExtent extent,
                            place *found) {
  size_t slice, rows, offset, end;
  if (!memory.ptr || __builtin_add_overflow(position.x, extent.width, &end) ||
      __builtin_add_overflow(position.y, extent.height, &rows))
    return cudaErrorInvalidValue;
  if (end > memory.pitch || (memory.pitch > UWRT_MAX_PITCH && (extent.height > 1 || extent.depth > 1)))
    return cudaErrorInvalidPitchValue;
  if ((extent.depth > 1 || position.z) && rows > memory.ysize)
    return cudaErrorInvalidValue;
  if (__builtin_mul_overflow(memory.pitch, memory.ysize, &slice) ||
      __builtin_mul_overflow(slice, position.z, &offset) || __builtin_mul_overflow(memory.pitch, position.y, &rows) ||
      __builtin_add_overflow(offset, rows, &offset) || __builtin_add_overflow(offset, position.x, &offset))
    return cudaErrorInvalidValue;
  *found = (place){(unsigned char *)memory.ptr + offset, memory.pitch, slice};
  return cudaSuccess;
}

/* The place of a position in an array, whose box is given in bytes of a row. Its own extent bounds it. */
static cudaError_t place_in_array(cudaArray_const_t handle, struct cudaPos position, struct cudaExtent extent,
                                  place *found) {
  struct cudaArray array;
  if (!uwrt_array_find(handle, &array))
    return cudaErrorInvalidResourceHandle;
  const size_t from[] = {position.x, position.y, position.z};
  const size_t count[] = {extent.width / array.texel_bytes, extent.height, extent.depth};
  const size_t there[] = {array.extent.width, array.extent.height, array.extent.depth};
  for (int i = 0; i < 3; i++) {
    size_t limit = there[i] ? there[i] : 1;
    if (from[i] > limit || count[i] > limit - from[i])
      return cudaErrorInvalidValue;
  }
  *found = (place){array.data + position.z * array.slice + position.y * array.pitch + position.x * array.texel_bytes,
                   array.pitch, array.slice};
  return cudaSuccess;
}

/* An extent is in texels when an array takes part, and in bytes otherwise; texels of two arrays are of one size. */
static cudaError_t extent_in_bytes(const struct cudaMemcpy3DParms *p, struct cudaExtent *extent) {
  struct cudaArray from, to;
  *extent = p->extent;
  if (p->srcArray && !uwrt_array_find(p->srcArray, &from))
    return cudaErrorInvalidResourceHandle;
  if (p->dstArray && !uwrt_array_find(p->dstArray, &to))
    return cudaErrorInvalidResourceHandle;
  if (p->srcArray && p->dstArray && from.texel_bytes != to.texel_bytes)
    return cudaErrorInvalidValue;
  size_t bytes = p->srcArray ? from.texel_bytes : p->dstArray ? to.texel_bytes : 1;
  return __builtin_mul_overflow(extent->width, bytes, &extent->width) ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t check_sides(const struct cudaMemcpy3DParms *p) {
  cudaError_t error = check_kind(p->kind);
  if (error != cudaSuccess)
    return error;
  if ((p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
    return cudaErrorInvalidValue;
  int from_host = p->kind == cudaMemcpyHostToHost || p->kind == cudaMemcpyHostToDevice;
  int to_host = p->kind == cudaMemcpyHostToHost || p->kind == cudaMemcpyDeviceToHost;
  return (p->srcArray && from_host) || (p->dstArray && to_host) ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
}

/* Where a copy goes from and to, and how large it is in bytes. */
static cudaError_t resolve_copy(const struct cudaMemcpy3DParms *p, occasion when, place *to, place *from, box *size) {
  struct cudaExtent extent;
  cudaError_t error = check_sides(p);
  if (error == cudaSuccess)
    error = extent_in_bytes(p, &extent);
  if (error != cudaSuccess)
    return error;
  *size = (box){extent.width, extent.height, extent.depth};
  if (is_empty(*size))
    return cudaSuccess;
  error = p->dstArray ? place_in_array(p->dstArray, p->dstPos, extent, to) : place_of(p->dstPtr, p->dstPos, extent, to);
  if (error == cudaSuccess)
    error = p->srcArray ? place_in_array(p->srcArray, p->srcPos, extent, from)
                        : place_of(p->srcPtr, p->srcPos, extent, from);
  if (error == cudaSuccess)
    error = check_place(*to, *size, p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyDeviceToDevice, when);
  if (error == cudaSuccess)
    error = check_place(*from, *size, p->kind == cudaMemcpyDeviceToHost || p->kind == cudaMemcpyDeviceToDevice, when);
  return error;
}

cudaError_t uwrt_copy_check(const struct cudaMemcpy3DParms *copy) {
  place to, from;
  box size;
  return resolve_copy(copy, LATER, &to, &from, &size);
}

cudaError_t uwrt_copy_run(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
  static const char *const names[] = {[cudaMemcpyHostToHost] = "memcpy host to host",
                                      [cudaMemcpyHostToDevice] = "memcpy host to device",
                                      [cudaMemcpyDeviceToHost] = "memcpy device to host",
                                      [cudaMemcpyDeviceToDevice] = "memcpy device to device",
                                      [cudaMemcpyDefault] = "memcpy"};
  place to, from;
  box size;
  cudaError_t error = resolve_copy(copy, NOW, &to, &from, &size);
  if (error != cudaSuccess || is_empty(size))
    return error;
  uint64_t started = uwrt_trace_start();
  move(to, from, size);
  if (started)
    uwrt_trace_bytes(started, names[copy->kind], size.width * size.height * size.depth, stream);
  return cudaSuccess;
}

/* Pageable memory: no allocation of ours. */
static int is_the_hosts(const struct cudaPitchedPtr *memory) {
  uwrt_allocation found;
  return memory->ptr && !uwrt_allocation_find(memory->ptr, &found);
}

int uwrt_copy_goes_to_host(const struct cudaMemcpy3DParms *copy) { return is_the_hosts(&copy->dstPtr); }

int uwrt_copy_waits(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
  return is_the_hosts(&copy->dstPtr) || is_the_hosts(&copy->srcPtr) ||
         (uwrt_stream_is_legacy(stream) && !(is_the_devices(copy->dstPtr.ptr) && is_the_devices(copy->srcPtr.ptr)));
}

cudaError_t uwrt_copy_take(struct cudaMemcpy3DParms *copy, void **staged) {
  place to, from;
  box size;
  *staged = NULL;
  cudaError_t error = resolve_copy(copy, LATER, &to, &from, &size);
  if (error != cudaSuccess || is_empty(size))
    return error;
  unsigned char *taken = malloc(size.width * size.height * size.depth);
  if (!taken)
    return cudaErrorMemoryAllocation;
  move((place){taken, size.width, size.width * size.height}, from, size);
  copy->srcPtr = (struct cudaPitchedPtr){taken, size.width, size.width, size.height};
  copy->srcPos = (struct cudaPos){0, 0, 0};
  copy->srcArray = NULL;
  if (!copy->dstArray)
    copy->extent.width = size.width;
  *staged = taken;
  return cudaSuccess;
}

cudaError_t uwrt_copy_stage(struct cudaMemcpy3DParms *copy, void **staged) {
  *staged = NULL;
  return is_the_hosts(&copy->srcPtr) ? uwrt_copy_take(copy, staged) : uwrt_copy_check(copy);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(p, cudaErrorInvalidValue);
  uwrt_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *p};
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  return IN_TURN(p ? p->dstPtr.ptr : NULL, p ? p->srcPtr.ptr : NULL, cudaMemcpy3DAsync(p, NULL));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(p, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(p->srcDevice) && uwrt_device_exists(p->dstDevice), cudaErrorInvalidDevice);
  struct cudaMemcpy3DParms same = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                   p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  error = cudaMemcpy3DAsync(&same, stream);
  UWRT_LEAVE;
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p) {
  return IN_TURN(p ? p->dstPtr.ptr : NULL, p ? p->srcPtr.ptr : NULL, cudaMemcpy3DPeerAsync(p, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  place to;
  UWRT_ENTER;
  box size = {extent.width, extent.height, extent.depth};
  if (is_empty(size))
    to = (place){0};
  else
    UWRT_REQUIRE(place_of(pitchedDevPtr, (struct cudaPos){0, 0, 0}, extent, &to) == cudaSuccess, cudaErrorInvalidValue);
  uwrt_work work = fill_of(to, value, size);
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent) {
  return IN_TURN(pitchedDevPtr.ptr, pitchedDevPtr.ptr, cudaMemset3DAsync(pitchedDevPtr, value, extent, NULL));
}

/* Symbols: a device variable is its host shadow, so its address is its name. */

cudaError_t uwrt_symbol_check(const void *symbol, size_t count, size_t offset) {
  size_t bytes;
  if (!uwrt_variable_find(symbol, &bytes))
    return cudaErrorInvalidSymbol;
  return offset <= bytes && count <= bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
               cudaErrorInvalidMemcpyDirection);
  symbol = uwrt_symbol_place(symbol);
  UWRT_TRY(uwrt_symbol_check(symbol, count, offset));
  uwrt_work work = uwrt_symbol_copy((char *)symbol + offset, src, count, kind);
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
  return IN_TURN(symbol, src, cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, NULL));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
               cudaErrorInvalidMemcpyDirection);
  symbol = uwrt_symbol_place(symbol);
  UWRT_TRY(uwrt_symbol_check(symbol, count, offset));
  uwrt_work work = uwrt_symbol_copy(dst, (const char *)symbol + offset, count, kind);
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return IN_TURN(dst, symbol, cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, NULL));
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  uwrt_allocation found;
  size_t bytes;
  UWRT_ENTER;
  UWRT_REQUIRE(devPtr, cudaErrorInvalidValue);
  symbol = uwrt_symbol_place(symbol);
  UWRT_REQUIRE(uwrt_variable_find(symbol, &bytes), cudaErrorInvalidSymbol);
  /* The one location of a variable that another device's kernels see too is no address of this device's alone. */
  UWRT_REQUIRE(uwrt_current_device() == uwrt_device_home(uwrt_current_device()) ||
                   !uwrt_allocation_find(symbol, &found) || found.space != UWRT_SPACE_VARIABLE,
               cudaErrorNotSupported);
  *devPtr = (void *)symbol;
  UWRT_LEAVE;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  size_t bytes;
  UWRT_ENTER;
  UWRT_REQUIRE(size, cudaErrorInvalidValue);
  symbol = uwrt_symbol_place(symbol);
  UWRT_REQUIRE(uwrt_variable_find(symbol, &bytes), cudaErrorInvalidSymbol);
  *size = bytes;
  UWRT_LEAVE;
}
