/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stream ordered memory and its pools. Memory goes back to the system as soon as it is freed, so a pool is an account:
 * what it reserves is what is in use. A destroyed pool lives on until its last memory is freed.
 */
#include <pthread.h>
#include <stdlib.h>

#include "work.h"

struct CUmemPoolHandle_st {
  struct cudaMemPoolProps props;
  uint64_t release_threshold;
  int reuse[3]; /* by attribute, from cudaMemPoolReuseFollowEventDependencies */
  size_t used, used_high, reserved_high;
  size_t allocations;
  int destroyed;
  unsigned char access[UWRT_DEVICE_MOST]; /* of other devices: cudaMemAccessFlags */
};

#define NEW_POOL .reuse = {1, 1, 1}
#define DEFAULT_PROPS(device)                                                                                          \
  {                                                                                                                    \
    .allocType = cudaMemAllocationTypePinned, .location = { cudaMemLocationTypeDevice, device }                        \
  }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmemPoolHandle_st default_pools[UWRT_DEVICE_MOST];
static cudaMemPool_t current_pools[UWRT_DEVICE_MOST]; /* null: the default one */
static uwrt_table pools;                              /* those that a program may name */
static uwrt_table dying;                              /* destroyed, with memory in use */

/* The pool of a device that nobody made; it is filled in when it is first asked for. The caller holds the lock. */
static cudaMemPool_t default_pool(int device) {
  cudaMemPool_t pool = &default_pools[device];
  if (pool->props.allocType != cudaMemAllocationTypePinned)
    *pool = (struct CUmemPoolHandle_st){.props = DEFAULT_PROPS(device), NEW_POOL};
  return pool;
}

static cudaMemPool_t current_pool(int device) {
  return current_pools[device] ? current_pools[device] : default_pool(device);
}

static int is_pool(cudaMemPool_t pool) {
  return (pool >= default_pools && pool < default_pools + uwrt_device_count()) || uwrt_table_find(&pools, pool);
}

static void free_pools(uwrt_table *table, int device) {
  for (size_t i = 0; i < table->capacity;) {
    cudaMemPool_t pool = table->entries[i].value;
    if (pool && pool->props.location.id == device)
      free(uwrt_table_remove(table, pool)); /* moves another entry here */
    else
      i++;
  }
  if (!table->count)
    uwrt_table_free(table);
}

/* All of its memory is gone already. */
void uwrt_pool_reset(int device) {
  pthread_mutex_lock(&lock);
  free_pools(&pools, device);
  free_pools(&dying, device);
  default_pools[device] = (struct CUmemPoolHandle_st){.props = DEFAULT_PROPS(device), NEW_POOL};
  current_pools[device] = NULL;
  pthread_mutex_unlock(&lock);
}

void uwrt_pool_returned(cudaMemPool_t pool, size_t bytes) {
  pthread_mutex_lock(&lock);
  pool->used -= bytes;
  pool->allocations--;
  if (pool->destroyed && !pool->allocations)
    free(uwrt_table_remove(&dying, pool));
  pthread_mutex_unlock(&lock);
}

/* Books the bytes first, so that the pool cannot go away under the allocation. A null pool is the current one. */
static cudaError_t allocate_from(void **memory, size_t bytes, cudaMemPool_t pool) {
  *memory = NULL;
  if (!bytes)
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  if (!pool)
    pool = current_pool(uwrt_current_device());
  cudaError_t error = is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue;
  if (error == cudaSuccess && pool->props.maxSize &&
      (bytes > pool->props.maxSize || pool->used > pool->props.maxSize - bytes))
    error = cudaErrorMemoryAllocation;
  if (error == cudaSuccess) {
    pool->used += bytes;
    pool->allocations++;
  }
  pthread_mutex_unlock(&lock);
  if (error != cudaSuccess)
    return error;
  error = uwrt_memory_allocate(memory, bytes, UWRT_SPACE_DEVICE, 0, pool->props.location.id, pool);
  if (error != cudaSuccess) {
    uwrt_pool_returned(pool, bytes);
    return error;
  }
  pthread_mutex_lock(&lock);
  if (pool->used > pool->used_high)
    pool->used_high = pool->used;
  if (pool->used > pool->reserved_high)
    pool->reserved_high = pool->used;
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

/* In a capture, the allocation becomes a node, and its memory is a graph's. */
static cudaError_t allocate_in_stream(void **memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  int capturing;
  cudaGraphNode_t node;
  cudaError_t error = uwrt_capture_enter(stream, &capturing);
  if (error != cudaSuccess || !capturing)
    return error == cudaSuccess ? allocate_from(memory, bytes, pool) : error;
  uwrt_work work = {.type = cudaGraphNodeTypeMemAlloc, .alloc = {NULL, DEFAULT_PROPS(uwrt_current_device()), bytes}};
  *memory = NULL;
  if (!bytes) /* as outside of a capture: there is no node for it */
    return cudaSuccess;
  work.alloc.memory = uwrt_graph_memory_reserve(bytes, uwrt_current_device());
  if (!work.alloc.memory)
    return cudaErrorMemoryAllocation;
  void *address = uwrt_graph_memory_address(work.alloc.memory);
  error = uwrt_capture_add(stream, &work, &node);
  if (error == cudaSuccess)
    *memory = address;
  return error;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(devPtr, cudaErrorInvalidValue);
  UWRT_TRY(allocate_in_stream(devPtr, size, NULL, stream));
  UWRT_LEAVE;
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(ptr && memPool, cudaErrorInvalidValue);
  UWRT_TRY(allocate_in_stream(ptr, size, memPool, stream));
  UWRT_LEAVE;
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream) {
  uwrt_allocation found;
  UWRT_ENTER;
  if (!devPtr) {
    UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
    goto out;
  }
  uwrt_work work = {.type = cudaGraphNodeTypeMemFree, .freed = devPtr};
  UWRT_REQUIRE(uwrt_allocation_find(devPtr, &found) && (found.pool || found.graph), cudaErrorInvalidValue);
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device) {
  UWRT_ENTER;
  UWRT_REQUIRE(memPool, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  pthread_mutex_lock(&lock);
  *memPool = default_pool(device);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device) {
  UWRT_ENTER;
  UWRT_REQUIRE(memPool, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  pthread_mutex_lock(&lock);
  *memPool = current_pool(device);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  pthread_mutex_lock(&lock);
  if (is_pool(memPool) && memPool->props.location.id == device)
    current_pools[device] = memPool;
  else
    error = cudaErrorInvalidValue;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps) {
  UWRT_ENTER;
  UWRT_REQUIRE(memPool && poolProps && poolProps->allocType == cudaMemAllocationTypePinned, cudaErrorInvalidValue);
  UWRT_REQUIRE(poolProps->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
  UWRT_REQUIRE(poolProps->location.type == cudaMemLocationTypeDevice, cudaErrorNotSupported);
  UWRT_REQUIRE(uwrt_device_exists(poolProps->location.id), cudaErrorInvalidValue);
  struct CUmemPoolHandle_st *fresh = malloc(sizeof *fresh);
  UWRT_REQUIRE(fresh, cudaErrorMemoryAllocation);
  *fresh = (struct CUmemPoolHandle_st){.props = *poolProps, NEW_POOL};
  pthread_mutex_lock(&lock);
  int inserted = uwrt_table_insert(&pools, fresh, fresh);
  pthread_mutex_unlock(&lock);
  if (!inserted) {
    free(fresh);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *memPool = fresh;
  UWRT_LEAVE;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  struct CUmemPoolHandle_st *found = uwrt_table_remove(&pools, memPool);
  if (found) {
    found->destroyed = 1;
    if (current_pools[found->props.location.id] == found)
      current_pools[found->props.location.id] = NULL;
    /* Without room to remember it, it stays behind when its memory goes: a leak, but no use after free. */
    if (!found->allocations)
      free(found);
    else
      (void)uwrt_table_insert(&dying, found, found);
  }
  pthread_mutex_unlock(&lock);
  UWRT_REQUIRE(found, cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  (void)minBytesToKeep; /* nothing is kept beyond what is in use */
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  if (!is_pool(memPool))
    error = cudaErrorInvalidValue;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

/* The caller holds the lock. */
static cudaError_t write_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, const void *value) {
  switch (attr) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0;
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold: pool->release_threshold = *(const uint64_t *)value; return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
    if (*(const uint64_t *)value)
      return cudaErrorInvalidValue;
    pool->reserved_high = pool->used;
    return cudaSuccess;
  case cudaMemPoolAttrUsedMemHigh:
    if (*(const uint64_t *)value)
      return cudaErrorInvalidValue;
    pool->used_high = pool->used;
    return cudaSuccess;
  default: return cudaErrorInvalidValue;
  }
}

static cudaError_t read_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) {
  switch (attr) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    *(int *)value = pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies];
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)value = pool->release_threshold; return cudaSuccess;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrUsedMemCurrent: *(uint64_t *)value = pool->used; return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh: *(uint64_t *)value = pool->reserved_high; return cudaSuccess;
  case cudaMemPoolAttrUsedMemHigh: *(uint64_t *)value = pool->used_high; return cudaSuccess;
  default: return cudaErrorInvalidValue;
  }
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
  UWRT_ENTER;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  error = is_pool(memPool) ? write_attribute(memPool, attr, value) : cudaErrorInvalidValue;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value) {
  UWRT_ENTER;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  error = is_pool(memPool) ? read_attribute(memPool, attr, value) : cudaErrorInvalidValue;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

/* The device that owns a pool can always read and write it; others once they were allowed to. */

static cudaError_t set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *access) {
  int own = access->location.id == pool->props.location.id;
  if (access->location.type != cudaMemLocationTypeDevice || !uwrt_device_exists(access->location.id))
    return cudaErrorInvalidDevice;
  if (access->flags != cudaMemAccessFlagsProtReadWrite && (own || access->flags != cudaMemAccessFlagsProtNone))
    return cudaErrorInvalidValue;
  pool->access[access->location.id] = (unsigned char)access->flags;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList, size_t count) {
  UWRT_ENTER;
  UWRT_REQUIRE(descList || !count, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  if (!is_pool(memPool))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    error = set_access(memPool, &descList[i]);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags && location, cudaErrorInvalidValue);
  UWRT_REQUIRE(location->type == cudaMemLocationTypeDevice && uwrt_device_exists(location->id), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  if (!is_pool(memPool))
    error = cudaErrorInvalidValue;
  else if (memPool->props.location.id == location->id)
    *flags = cudaMemAccessFlagsProtReadWrite;
  else
    *flags = (enum cudaMemAccessFlags)memPool->access[location->id];
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}
