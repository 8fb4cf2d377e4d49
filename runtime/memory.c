/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocation: device, managed and pinned memory are all memory of this process, kept apart by the registry of
 * allocations so that a pointer goes back only through the function that CUDA wants for it. The bytes are of a heap
 * apart (heap.c), with guards around them (guards.c).
 *
 * A request is granted if it fits what the machine has left. The kernel would promise more than that and kill the
 * process when the promise is called in; a program that asks until it is refused must be refused in time.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum {
  ALIGNMENT = 256,
  PITCH_ALIGNMENT = 512,
  CHECKED_ROOM = 1024, /* after memory that is checked: what kernels write there hits nothing else */
  SMALL = 16 << 20     /* below this the machine is not asked how much memory it has left */
};

static size_t bytes_taken(int device) {
  return uwrt_allocation_bytes(device) + (size_t)uwrt_graph_memory_bytes(device);
}

static size_t less(size_t from, size_t bytes) { return bytes < from ? from - bytes : 0; }

/* The machine still counts memory as available that a program has asked for and not touched yet. What it has touched is
 * about what the process has grown by. */
static size_t bytes_left(int device) {
  size_t taken = 0;
  for (int i = 0; i < uwrt_device_count(); i++)
    taken += bytes_taken(i);
  size_t left = less(uwrt_device_memory(device), bytes_taken(device));
  size_t available = less(uwrt_memory_available(), less(taken, uwrt_memory_growth()));
  return left < available ? left : available;
}

int uwrt_memory_fits(size_t bytes, int device) {
  size_t total = uwrt_device_memory(device);
  return bytes <= total && bytes_taken(device) <= total - bytes && (bytes < SMALL || bytes <= bytes_left(device));
}

/* In a program that runs under AddressSanitizer. */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *address, size_t bytes);

const uwrt_checker *uwrt_checks;

/* A tool that looks at each access knows malloc's memory, and so does the checker. */
int uwrt_memory_is_watched(void) {
  static atomic_int watched; /* 0: not known yet */
  int known = atomic_load_explicit(&watched, memory_order_relaxed);
  if (!known) {
    const char *preloaded = getenv("LD_PRELOAD");
    known = __asan_poison_memory_region || (preloaded && strstr(preloaded, "vgpreload")) ? 1 : -1; /* valgrind's */
    atomic_store_explicit(&watched, known, memory_order_relaxed);
  }
  return uwrt_checks || known > 0;
}

static int take_from_malloc(size_t bytes, int part, uwrt_block *block) {
  (void)part;
  size_t rounded = (bytes + (ALIGNMENT - 1)) / ALIGNMENT * ALIGNMENT;
  if (uwrt_checks)
    rounded += CHECKED_ROOM;
  if (posix_memalign(&block->start, ALIGNMENT, rounded) != 0)
    return 0;
  /* As on a GPU, a program may use what is left of the last unit; a sanitizer is there to say that it does. */
  if (__asan_poison_memory_region)
    __asan_poison_memory_region((char *)block->start + bytes, rounded - bytes);
  return 1;
}

void uwrt_memory_give_back(const uwrt_allocation *allocation) {
  if (allocation->block.room) {
    uwrt_ipc_forget(allocation);
    uwrt_heap_give(&allocation->block);
  } else
    free((void *)allocation->base);
}

cudaError_t uwrt_memory_allocate(void **memory, size_t bytes, uwrt_space space, unsigned int flags, int device,
                                 cudaMemPool_t pool) {
  uwrt_block block = {0};
  *memory = NULL;
  if (!(pool && uwrt_pool_reuse(pool, bytes, &block)) &&
      (!uwrt_memory_fits(bytes, device) ||
       !(uwrt_memory_is_watched() ? take_from_malloc : uwrt_heap_take)(bytes, uwrt_device_memory_part(device), &block)))
    return cudaErrorMemoryAllocation;
  uwrt_allocation allocation = {
      (uintptr_t)block.start, bytes, space, flags, pool, NULL, device, pool ? NULL : uwrt_current_context(), block};
  /* Only memory that was registered and then freed can have been at this block's address. */
  uwrt_allocation_forget_registered(block.start, bytes);
  cudaError_t error = uwrt_allocation_add(&allocation);
  if (error != cudaSuccess) {
    uwrt_memory_give_back(&allocation);
    return error;
  }
  uwrt_guard_set(&allocation);
  if (uwrt_checks)
    uwrt_checks->allocated(&allocation);
  *memory = block.start;
  return cudaSuccess;
}

void uwrt_memory_reset(int device, const void *context, const char *by) {
  uwrt_allocation taken;
  while (uwrt_allocation_take_any(UWRT_SPACE_REGISTERED, device, context, &taken))
    ;
  while (uwrt_allocation_take_any(UWRT_SPACE_DEVICE | UWRT_SPACE_MANAGED | UWRT_SPACE_HOST, device, context, &taken)) {
    if (taken.space == UWRT_SPACE_MANAGED)
      uwrt_advice_forget(taken.base, taken.bytes);
    uwrt_guard_check(&taken, by);
    if (!uwrt_checks || !uwrt_checks->freed(&taken, 1))
      uwrt_memory_give_back(&taken);
  }
  while (uwrt_allocation_take_any(UWRT_SPACE_GRAPH, device, context, &taken)) /* that outlived its graph */
    uwrt_graph_memory_unmap(taken.graph);
}

cudaError_t uwrt_memory_free(void *memory, unsigned int spaces) {
  uwrt_allocation taken;
  if (uwrt_allocation_find(memory, &taken) && taken.base == (uintptr_t)memory && taken.graph &&
      (spaces & UWRT_SPACE_GRAPH))
    return uwrt_graph_memory_unmap(taken.graph);
  if (!uwrt_allocation_take(memory, spaces & ~(unsigned int)UWRT_SPACE_GRAPH, &taken)) {
    if (uwrt_checks)
      uwrt_checks->not_freed(memory);
    return cudaErrorInvalidValue;
  }
  if (taken.space == UWRT_SPACE_MANAGED)
    uwrt_advice_forget(taken.base, taken.bytes);
  uwrt_guard_check(&taken, "when it was freed");
  int quarantined = uwrt_checks && uwrt_checks->freed(&taken, 0);
  if (taken.pool)
    uwrt_pool_returned(&taken, quarantined);
  else if (!quarantined)
    uwrt_memory_give_back(&taken);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **devPtr, size_t size) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(devPtr, cudaErrorInvalidValue);
  *devPtr = NULL;
  if (size)
    UWRT_TRY(uwrt_memory_allocate(devPtr, size, UWRT_SPACE_DEVICE, 0, uwrt_current_device(), NULL));
  UWRT_LEAVE;
}

cudaError_t cudaFree(void *devPtr) {
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(uwrt_wait_for_device()); /* as CUDA does */
  uwrt_note_order(UWRT_ORDER_HOST_ALL, NULL, NULL);
  if (devPtr && uwrt_has_children()) { /* after what may use it */
    UWRT_REQUIRE(uwrt_allocation_find(devPtr, &found) && found.base == (uintptr_t)devPtr, cudaErrorInvalidValue);
    const uwrt_work work = {.type = cudaGraphNodeTypeMemFree, .freed = devPtr};
    UWRT_TRY(uwrt_put_off(NULL, &work));
  } else if (devPtr)
    UWRT_TRY(uwrt_memory_free(devPtr, UWRT_SPACE_DEVICE | UWRT_SPACE_MANAGED | UWRT_SPACE_GRAPH));
  UWRT_LEAVE;
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags) {
  const unsigned int known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(pHost && !(flags & ~known), cudaErrorInvalidValue);
  *pHost = NULL;
  if (size)
    UWRT_TRY(uwrt_memory_allocate(pHost, size, UWRT_SPACE_HOST, flags, uwrt_current_device(), NULL));
  UWRT_LEAVE;
}

cudaError_t cudaMallocHost(void **ptr, size_t size) { return cudaHostAlloc(ptr, size, cudaHostAllocDefault); }

cudaError_t cudaFreeHost(void *ptr) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(uwrt_wait_for_device()); /* as CUDA does */
  if (ptr)
    UWRT_TRY(uwrt_memory_free(ptr, UWRT_SPACE_HOST));
  UWRT_LEAVE;
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags) {
  const unsigned int known =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(ptr && size && !(flags & ~known), cudaErrorInvalidValue);
  UWRT_REQUIRE((uintptr_t)ptr + (size - 1) >= (uintptr_t)ptr, cudaErrorInvalidValue);
  UWRT_REQUIRE(!uwrt_allocation_overlaps(ptr, size), cudaErrorHostMemoryAlreadyRegistered);
  uwrt_allocation allocation = {
      (uintptr_t)ptr,         size, UWRT_SPACE_REGISTERED, flags, NULL, NULL, uwrt_current_device(),
      uwrt_current_context(), {0}};
  UWRT_TRY(uwrt_allocation_add(&allocation));
  UWRT_LEAVE;
}

cudaError_t cudaHostUnregister(void *ptr) {
  uwrt_allocation taken;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(uwrt_wait_for_device()); /* as CUDA does */
  UWRT_REQUIRE(ptr, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_allocation_take(ptr, UWRT_SPACE_REGISTERED, &taken), cudaErrorHostMemoryNotRegistered);
  UWRT_LEAVE;
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags) {
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_REQUIRE(pDevice, cudaErrorInvalidValue);
  *pDevice = NULL;
  UWRT_REQUIRE(flags == 0 && uwrt_allocation_find(pHost, &found), cudaErrorInvalidValue);
  UWRT_REQUIRE(found.space & (UWRT_SPACE_HOST | UWRT_SPACE_REGISTERED | UWRT_SPACE_MANAGED), cudaErrorInvalidValue);
  *pDevice = pHost;
  UWRT_LEAVE;
}

cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost) {
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_REQUIRE(pFlags && uwrt_allocation_find(pHost, &found), cudaErrorInvalidValue);
  UWRT_REQUIRE(found.space & (UWRT_SPACE_HOST | UWRT_SPACE_REGISTERED), cudaErrorInvalidValue);
  /* With unified addressing all pinned memory is portable and mapped, and CUDA says so. */
  *pFlags = found.flags | cudaHostAllocPortable | cudaHostAllocMapped;
  UWRT_LEAVE;
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(devPtr && size, cudaErrorInvalidValue);
  UWRT_REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue);
  UWRT_TRY(uwrt_memory_allocate(devPtr, size, UWRT_SPACE_MANAGED, flags, uwrt_current_device(), NULL));
  UWRT_LEAVE;
}

/* Rows of width bytes, each padded to the pitch alignment. */
static cudaError_t allocate_rows(void **memory, size_t *pitch, size_t width, size_t rows) {
  size_t bytes;
  *memory = NULL;
  *pitch = 0;
  if (!width || !rows)
    return cudaSuccess;
  if (width > UWRT_MAX_PITCH - PITCH_ALIGNMENT)
    return cudaErrorInvalidValue;
  size_t padded = (width + (PITCH_ALIGNMENT - 1)) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
  if (__builtin_mul_overflow(padded, rows, &bytes))
    return cudaErrorMemoryAllocation;
  cudaError_t error = uwrt_memory_allocate(memory, bytes, UWRT_SPACE_DEVICE, 0, uwrt_current_device(), NULL);
  if (error == cudaSuccess)
    *pitch = padded;
  return error;
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(devPtr && pitch, cudaErrorInvalidValue);
  UWRT_TRY(allocate_rows(devPtr, pitch, width, height));
  UWRT_LEAVE;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent) {
  size_t rows;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(pitchedDevPtr, cudaErrorInvalidValue);
  UWRT_REQUIRE(!__builtin_mul_overflow(extent.height, extent.depth, &rows), cudaErrorMemoryAllocation);
  UWRT_TRY(allocate_rows(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rows));
  pitchedDevPtr->xsize = extent.width;
  pitchedDevPtr->ysize = extent.height;
  UWRT_LEAVE;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  UWRT_ENTER;
  UWRT_REQUIRE(free || total, cudaErrorInvalidValue); /* programs ask for one of them */
  if (total)
    *total = uwrt_device_memory(uwrt_current_device());
  if (free)
    *free = bytes_left(uwrt_current_device());
  UWRT_LEAVE;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  uwrt_allocation found;
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(attributes, cudaErrorInvalidValue);
  if (!uwrt_allocation_find(ptr, &found)) {
    *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, cudaInvalidDeviceId, NULL, (void *)ptr};
    goto out;
  }
  *attributes = (struct cudaPointerAttributes){cudaMemoryTypeHost, found.device, (void *)ptr, (void *)ptr};
  if (found.space & (UWRT_SPACE_MANAGED | UWRT_SPACE_MANAGED_VARIABLE)) {
    attributes->type = cudaMemoryTypeManaged;
  } else if (found.space & (UWRT_SPACE_DEVICE | UWRT_SPACE_VARIABLE | UWRT_SPACE_GRAPH | UWRT_SPACE_MAPPED)) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->hostPointer = NULL; /* as where the host cannot reach it: programs take that as the sign */
  }
  UWRT_LEAVE;
}
