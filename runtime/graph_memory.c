/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that nodes of graphs allocate and free. An allocation node has its address before the graph ever runs, so the
 * address space is taken when the node is made, without memory after it; a launch puts memory there, and the free
 * takes it away again. The address space goes with the last of: the nodes that name it, and the memory itself.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work.h"

struct uwrt_graph_memory {
  void *address;
  size_t bytes; /* whole pages */
  unsigned int references;
  int mapped, device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t used[UWRT_DEVICE_MOST], used_high[UWRT_DEVICE_MOST];

uwrt_graph_memory *uwrt_graph_memory_reserve(size_t bytes, int device) {
  size_t page = (size_t)sysconf(_SC_PAGE_SIZE), rounded = (bytes + page - 1) / page * page;
  uwrt_graph_memory *fresh = rounded >= bytes ? malloc(sizeof *fresh) : NULL;
  if (!fresh)
    return NULL;
  void *address = mmap(NULL, rounded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *fresh = (uwrt_graph_memory){address, rounded, 1, 0, device};
  if (address != MAP_FAILED) {
    uwrt_allocation range = {(uintptr_t)address, bytes, UWRT_SPACE_GRAPH, 0, NULL, fresh, device, NULL, {0}};
    uwrt_allocation_forget_registered(address, bytes);
    if (uwrt_allocation_add(&range) == cudaSuccess)
      return fresh;
    munmap(address, rounded);
  }
  free(fresh);
  return NULL;
}

void *uwrt_graph_memory_address(const uwrt_graph_memory *memory) { return memory->address; }

void uwrt_graph_memory_retain(uwrt_graph_memory *memory) {
  pthread_mutex_lock(&lock);
  memory->references++;
  pthread_mutex_unlock(&lock);
}

void uwrt_graph_memory_release(uwrt_graph_memory *memory) {
  uwrt_allocation taken;
  pthread_mutex_lock(&lock);
  int last = --memory->references == 0;
  pthread_mutex_unlock(&lock);
  if (!last)
    return;
  uwrt_allocation_take(memory->address, UWRT_SPACE_GRAPH, &taken);
  munmap(memory->address, memory->bytes);
  free(memory);
}

cudaError_t uwrt_graph_memory_map(uwrt_graph_memory *memory) {
  if (!uwrt_memory_fits(memory->bytes, memory->device))
    return cudaErrorMemoryAllocation;
  pthread_mutex_lock(&lock);
  cudaError_t error = memory->mapped ? cudaErrorInvalidValue : cudaSuccess;
  if (error == cudaSuccess && mprotect(memory->address, memory->bytes, PROT_READ | PROT_WRITE) != 0)
    error = cudaErrorMemoryAllocation;
  if (error == cudaSuccess) {
    memory->mapped = 1;
    memory->references++;
    uint64_t *own = &used[memory->device], *high = &used_high[memory->device];
    *own += memory->bytes;
    if (*own > *high)
      *high = *own;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int uwrt_graph_memory_is_mapped(uwrt_graph_memory *memory) {
  pthread_mutex_lock(&lock);
  int mapped = memory->mapped;
  pthread_mutex_unlock(&lock);
  return mapped;
}

cudaError_t uwrt_graph_memory_unmap(uwrt_graph_memory *memory) {
  pthread_mutex_lock(&lock);
  int mapped = memory->mapped;
  if (mapped) {
    /* A fresh mapping at the same address: the old pages are gone at once. */
    void *again =
        mmap(memory->address, memory->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (again == MAP_FAILED)
      uwrt_fatal("cannot give memory of a graph back");
    memory->mapped = 0;
    used[memory->device] -= memory->bytes;
  }
  pthread_mutex_unlock(&lock);
  if (!mapped)
    return cudaErrorInvalidValue;
  uwrt_graph_memory_release(memory);
  return cudaSuccess;
}

uint64_t uwrt_graph_memory_bytes(int device) {
  pthread_mutex_lock(&lock);
  uint64_t bytes = used[device];
  pthread_mutex_unlock(&lock);
  return bytes;
}

/* What is freed is given back at once, so there is never anything to trim: reserved is what is used. */
cudaError_t cudaDeviceGraphMemTrim(int device) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  UWRT_REQUIRE(value && (unsigned int)attr <= cudaGraphMemAttrReservedMemHigh, cudaErrorInvalidValue);
  int high = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
  pthread_mutex_lock(&lock);
  *(uint64_t *)value = high ? used_high[device] : used[device];
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  UWRT_REQUIRE(value && *(uint64_t *)value == 0, cudaErrorInvalidValue);
  UWRT_REQUIRE(attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  used_high[device] = used[device];
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}
