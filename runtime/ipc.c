/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory and events that several processes share (cudaIpc*).
 *
 * Device memory is private to its process until a handle is asked for; then its pages are replaced by those of a file
 * without a name (memfd), at the same address: of a large block its own, of a small one all of its chunk (heap.c). A
 * handle says which open file of which process that is, so another process of the same user opens it by /proc, and
 * nothing stays behind when both have ended.
 *
 *   page read only ─▶ copied to the file ─▶ the file mapped over it      a thread that writes there meanwhile faults, and writes again
 *
 * An event of several processes is two counters in such a file: how often it was recorded, and the last of these that
 * was reached.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "work.h"

enum { PAGE = 4096, MEMORY = 0x6d656d75, EVENT = 0x65766575 };

/* What the bytes of a handle are. */
typedef struct ipc_handle {
  uint32_t kind;
  int32_t process, file;
  int32_t device;
  uint64_t inode, offset, bytes;
  uint64_t unused[3];
} ipc_handle;
_Static_assert(sizeof(ipc_handle) == sizeof(cudaIpcMemHandle_t) && sizeof(ipc_handle) == sizeof(cudaIpcEventHandle_t),
               "64 bytes");

/* Pages of ours that are in a file. The list only grows, so that a fault's handler can walk it; what is free is taken
 * again. */
typedef struct region {
  struct region *next;
  _Atomic(uintptr_t) start, end;
  int file;
} region;
static _Atomic(region *) regions;

/* Memory of another process. */
typedef struct opened {
  struct opened *next;
  ipc_handle handle;
  void *mapping, *memory;
  size_t mapped;
  int count;
} opened;
static opened *all_opened;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int uwrt_ipc_is_shared(const void *address) {
  for (region *at = atomic_load(&regions); at; at = at->next)
    if ((uintptr_t)address >= atomic_load(&at->start) && (uintptr_t)address < atomic_load(&at->end))
      return 1;
  return 0;
}

static int new_file(const char *name, size_t bytes) {
  int file = memfd_create(name, MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, (off_t)bytes) != 0) {
    close(file);
    return -1;
  }
  return file;
}

/* Pages of zeros are holes. */
static int copy_pages(int file, uintptr_t start, uintptr_t end) {
  static const unsigned char zeros[PAGE];
  for (uintptr_t at = start; at < end; at += PAGE)
    if (memcmp((const void *)at, zeros, PAGE) != 0 && pwrite(file, (const void *)at, PAGE, (off_t)(at - start)) != PAGE)
      return 0;
  return 1;
}

/* Puts the pages into a file; null if that cannot be. */
static region *share(uintptr_t start, uintptr_t end) {
  region *of = NULL;
  for (region *at = atomic_load(&regions); at; at = at->next)
    if (atomic_load(&at->start) <= start && end <= atomic_load(&at->end))
      return at;
    else if (!atomic_load(&at->end))
      of = at;
  if (!of) {
    of = calloc(1, sizeof *of);
    if (!of)
      return NULL;
    of->next = atomic_load(&regions);
    atomic_store(&regions, of);
  }
  of->file = new_file("unwarp-ipc", end - start);
  if (of->file < 0)
    return NULL;
  atomic_store(&of->start, start);
  atomic_store(&of->end, end);
  if (mprotect((void *)start, end - start, PROT_READ) == 0 && copy_pages(of->file, start, end) &&
      mmap((void *)start, end - start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, of->file, 0) != MAP_FAILED)
    return of;
  mprotect((void *)start, end - start, PROT_READ | PROT_WRITE);
  atomic_store(&of->end, 0);
  close(of->file);
  return NULL;
}

void uwrt_ipc_forget(const uwrt_allocation *allocation) {
  uintptr_t start = (uintptr_t)allocation->block.start;
  if (!allocation->block.mapping || !atomic_load(&regions))
    return;
  pthread_mutex_lock(&lock);
  for (region *at = atomic_load(&regions); at; at = at->next)
    if (atomic_load(&at->end) && atomic_load(&at->start) == start) {
      size_t bytes = atomic_load(&at->end) - start;
      mmap((void *)start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0);
      atomic_store(&at->end, 0);
      close(at->file);
    }
  pthread_mutex_unlock(&lock);
}

static int fill_handle(ipc_handle *handle, uint32_t kind, int file) {
  struct stat about;
  if (fstat(file, &about) != 0)
    return 0;
  *handle = (ipc_handle){.kind = kind, .process = getpid(), .file = file, .inode = about.st_ino};
  return 1;
}

/* The file of a handle in another process, or -1. */
static int open_file(const ipc_handle *handle) {
  char path[64];
  struct stat about;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handle->process, (int)handle->file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 &&
      (fstat(file, &about) != 0 || about.st_ino != handle->inode ||
       (uint64_t)about.st_size < handle->offset + handle->bytes || handle->offset + handle->bytes < handle->bytes)) {
    close(file); /* another one by that number: the process has ended, or freed the memory */
    return -1;
  }
  return file;
}

/* Puts an allocation into a file. handle: which one, and where in it; file_bytes: of all of that. */
static int share_allocation(const uwrt_allocation *of, ipc_handle *handle, uint64_t *file_bytes) {
  uintptr_t start = (uintptr_t)of->block.start, end = start + of->block.room;
  if (!of->block.mapping)
    uwrt_heap_chunk(of->block.start, &start, &end);
  pthread_mutex_lock(&lock);
  const region *in = share(start, end);
  const int filled = in && fill_handle(handle, MEMORY, in->file);
  if (filled) {
    handle->offset = of->base - atomic_load(&in->start);
    *file_bytes = atomic_load(&in->end) - atomic_load(&in->start);
  }
  pthread_mutex_unlock(&lock);
  return filled;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr) {
  uwrt_allocation found;
  ipc_handle made;
  uint64_t file_bytes;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(handle && uwrt_allocation_find(devPtr, &found) && found.space == UWRT_SPACE_DEVICE && !found.pool,
               cudaErrorInvalidValue);
  UWRT_REQUIRE(found.block.room, cudaErrorNotSupported); /* of malloc: something watches each access */
  UWRT_TRY(uwrt_wait_for_device());
  UWRT_REQUIRE(share_allocation(&found, &made, &file_bytes), cudaErrorMemoryAllocation);
  made.bytes = found.bytes;
  made.device = found.device;
  memcpy(handle, &made, sizeof made);
  UWRT_LEAVE;
}

int uwrt_ipc_share(const void *memory, size_t bytes, uwrt_ipc_offer *offer) {
  uwrt_allocation found;
  ipc_handle made;
  uint64_t file_bytes;
  if (!uwrt_allocation_find(memory, &found) || found.space != UWRT_SPACE_DEVICE || found.pool || !found.block.room ||
      (uintptr_t)memory + bytes > found.base + found.bytes || !share_allocation(&found, &made, &file_bytes))
    return 0;
  *offer =
      (uwrt_ipc_offer){made.process, made.file, made.inode, file_bytes, made.offset + ((uintptr_t)memory - found.base)};
  return 1;
}

static int open_offer(const uwrt_ipc_offer *offer) {
  return open_file(
      &(ipc_handle){.process = offer->process, .file = offer->file, .inode = offer->inode, .bytes = offer->bytes});
}

void *uwrt_ipc_map(const uwrt_ipc_offer *offer) {
  int file = open_offer(offer);
  if (file < 0)
    return NULL;
  void *memory = mmap(NULL, offer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

int uwrt_ipc_is_there(const uwrt_ipc_offer *offer) {
  int file = open_offer(offer);
  if (file >= 0)
    close(file);
  return file >= 0;
}

static opened *find_opened(const ipc_handle *handle) {
  for (opened *at = all_opened; at; at = at->next)
    if (memcmp(&at->handle, handle, sizeof *handle) == 0)
      return at;
  return NULL;
}

static cudaError_t map_memory(const ipc_handle *handle, opened *into) {
  int file = open_file(handle);
  if (file < 0)
    return cudaErrorInvalidResourceHandle;
  uint64_t from = handle->offset / PAGE * PAGE, within = handle->offset - from;
  into->mapped = (size_t)(within + handle->bytes);
  into->mapping = mmap(NULL, into->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)from);
  close(file);
  if (into->mapping == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  into->memory = (char *)into->mapping + within;
  uwrt_allocation allocation = {(uintptr_t)into->memory,
                                (size_t)handle->bytes,
                                UWRT_SPACE_MAPPED,
                                0,
                                NULL,
                                NULL,
                                uwrt_current_device(),
                                NULL,
                                {0}};
  cudaError_t error = uwrt_allocation_add(&allocation);
  if (error != cudaSuccess)
    munmap(into->mapping, into->mapped);
  return error;
}

static cudaError_t open_memory(void **memory, const ipc_handle *handle) {
  opened *at = find_opened(handle);
  if (!at) {
    at = calloc(1, sizeof *at);
    if (!at)
      return cudaErrorMemoryAllocation;
    cudaError_t error = map_memory(handle, at);
    if (error != cudaSuccess) {
      free(at);
      return error;
    }
    at->handle = *handle;
    at->next = all_opened;
    all_opened = at;
  }
  at->count++;
  *memory = at->memory;
  return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
  ipc_handle given;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(devPtr && flags <= cudaIpcMemLazyEnablePeerAccess, cudaErrorInvalidValue);
  memcpy(&given, &handle, sizeof given);
  UWRT_REQUIRE(given.kind == MEMORY && given.bytes, cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(given.process != getpid(), cudaErrorDeviceUninitialized); /* as in CUDA: the memory is here already */
  pthread_mutex_lock(&lock);
  error = open_memory(devPtr, &given);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

static cudaError_t close_memory(const void *memory) {
  opened **link = &all_opened, *at;
  uwrt_allocation taken;
  while (*link && (*link)->memory != memory)
    link = &(*link)->next;
  at = *link;
  if (!at)
    return cudaErrorInvalidValue;
  if (--at->count == 0) {
    *link = at->next;
    uwrt_allocation_take(at->memory, UWRT_SPACE_MAPPED, &taken);
    munmap(at->mapping, at->mapped);
    free(at);
  }
  return cudaSuccess;
}

cudaError_t cudaIpcCloseMemHandle(void *devPtr) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(devPtr, cudaErrorInvalidValue);
  UWRT_TRY(uwrt_wait_for_device());
  pthread_mutex_lock(&lock);
  error = close_memory(devPtr);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static uwrt_shared_event *map_event(int file) {
  void *memory = mmap(NULL, sizeof(uwrt_shared_event), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

uwrt_shared_event *uwrt_shared_event_create(int *file) {
  *file = new_file("unwarp-event", sizeof(uwrt_shared_event));
  uwrt_shared_event *event = *file < 0 ? NULL : map_event(*file);
  if (!event && *file >= 0)
    close(*file);
  return event;
}

void uwrt_shared_event_destroy(uwrt_shared_event *event, int file) {
  munmap(event, sizeof *event);
  if (file >= 0)
    close(file);
}

int uwrt_shared_event_reached(const uwrt_shared_event *event, uint64_t recording) {
  return atomic_load(&event->reached) >= recording;
}

/* Looks often at first: what another process does without waiting is done at once. */
void uwrt_shared_event_wait(const uwrt_shared_event *event, uint64_t recording) {
  for (useconds_t pause = 1; !uwrt_shared_event_reached(event, recording); pause += pause < 1000)
    usleep(pause);
}

void uwrt_shared_event_reach(uwrt_shared_event *event, uint64_t recording) {
  uint64_t before = atomic_load(&event->reached);
  while (before < recording && !atomic_compare_exchange_weak(&event->reached, &before, recording))
    ;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  ipc_handle made;
  int file;
  UWRT_ENTER;
  UWRT_REQUIRE(handle, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_event_exists(event), cudaErrorInvalidResourceHandle);
  file = uwrt_event_file(event);
  UWRT_REQUIRE(file >= 0 && fill_handle(&made, EVENT, file),
               cudaErrorInvalidResourceHandle); /* not one for several processes, or another's */
  made.bytes = sizeof(uwrt_shared_event);
  memcpy(handle, &made, sizeof made);
  UWRT_LEAVE;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  ipc_handle given;
  UWRT_ENTER;
  UWRT_REQUIRE(event, cudaErrorInvalidValue);
  memcpy(&given, &handle, sizeof given);
  UWRT_REQUIRE(given.kind == EVENT && given.bytes == sizeof(uwrt_shared_event) && !given.offset,
               cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(given.process != getpid(), cudaErrorDeviceUninitialized);
  int file = open_file(&given);
  UWRT_REQUIRE(file >= 0, cudaErrorInvalidResourceHandle);
  uwrt_shared_event *shared = map_event(file);
  close(file);
  UWRT_REQUIRE(shared, cudaErrorMemoryAllocation);
  error = uwrt_event_of_others(event, shared);
  if (error != cudaSuccess)
    munmap(shared, sizeof *shared);
  UWRT_LEAVE;
}
