/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stream ordered memory and its pools. What is freed the pool keeps, for requests of about that size, until the host next
 * waits for a stream, an event or the device: then it gives back the oldest of it, down to its release threshold. What
 * it reserves is what is in use and what it keeps, with the heap's guards and rounding. Memory that is watched by a
 * checker or a sanitizer is not kept. A destroyed pool lives on until its last memory is freed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

struct CUmemPoolHandle_st {
  struct cudaMemPoolProps props;
  uint64_t release_threshold;
  int reuse[3]; /* by attribute, from cudaMemPoolReuseFollowEventDependencies */
  size_t used, used_high, reserved, reserved_high;
  uwrt_block *kept; /* free memory, the oldest first */
  size_t kept_count, kept_room;
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
static atomic_size_t kept_blocks;                     /* of all pools */

/* --- what pools keep. The caller of each holds the lock ------------------------------------------------------------ */

/* What memory counts for in reserved: the same whoever has it. */
static size_t held(const uwrt_block *block, size_t bytes) { return block->room ? block->room : bytes; }

static void take_out(cudaMemPool_t pool, size_t index) {
  pool->kept_count--;
  memmove(pool->kept + index, pool->kept + index + 1, (pool->kept_count - index) * sizeof *pool->kept);
  atomic_fetch_sub(&kept_blocks, 1);
}

static int keep(cudaMemPool_t pool, const uwrt_block *block) {
  if (pool->kept_count == pool->kept_room) {
    size_t room = pool->kept_room ? 2 * pool->kept_room : 16;
    uwrt_block *more = realloc(pool->kept, room * sizeof *more);
    if (!more)
      return 0;
    pool->kept = more;
    pool->kept_room = room;
  }
  pool->kept[pool->kept_count++] = *block;
  atomic_fetch_add(&kept_blocks, 1);
  return 1;
}

static void trim(cudaMemPool_t pool, uint64_t most) {
  while (pool->kept_count && pool->reserved > most) {
    pool->reserved -= pool->kept[0].room;
    uwrt_heap_give(&pool->kept[0]);
    take_out(pool, 0);
  }
}

static void free_pool(cudaMemPool_t pool) {
  trim(pool, 0);
  free(pool->kept);
  pool->kept = NULL;
  pool->kept_room = 0;
}

static void for_all(void (*each)(cudaMemPool_t pool)) {
  for (int device = 0; device < UWRT_DEVICE_MOST; device++)
    each(&default_pools[device]);
  for (size_t i = 0; i < pools.capacity; i++)
    if (pools.entries[i].value)
      each(pools.entries[i].value);
}

static void trim_to_threshold(cudaMemPool_t pool) { trim(pool, pool->release_threshold); }
static void trim_to_nothing(cudaMemPool_t pool) { trim(pool, 0); }

static void trim_all(void (*each)(cudaMemPool_t pool)) {
  pthread_mutex_lock(&lock);
  for_all(each);
  pthread_mutex_unlock(&lock);
}

void uwrt_pool_synchronised(void) {
  if (atomic_load_explicit(&kept_blocks, memory_order_relaxed))
    trim_all(trim_to_threshold);
}

/* The smallest that is large enough, unless most of it would lie idle; of the newest, where there are very many. */
int uwrt_pool_reuse(cudaMemPool_t pool, size_t bytes, uwrt_block *block) {
  enum { GUARDS = 1024, MOST_LOOKS = 512 };
  size_t best = SIZE_MAX;
  if (!atomic_load_explicit(&kept_blocks, memory_order_relaxed))
    return 0;
  pthread_mutex_lock(&lock);
  for (size_t i = pool->kept_count, looks = 0; i-- > 0 && looks < MOST_LOOKS; looks++) {
    size_t room = pool->kept[i].room;
    if (room >= bytes + GUARDS / 2 && room / 2 <= bytes + GUARDS && (best == SIZE_MAX || room < pool->kept[best].room))
      best = i;
  }
  if (best != SIZE_MAX) {
    *block = pool->kept[best];
    pool->reserved -= block->room; /* it is booked again with what it is used for */
    take_out(pool, best);
  }
  pthread_mutex_unlock(&lock);
  return best != SIZE_MAX;
}

/* --- pools -------------------------------------------------------------------------------------------------------- */

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
    if (pool && pool->props.location.id == device) {
      free_pool(pool);
      free(uwrt_table_remove(table, pool)); /* moves another entry here */
    } else
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
  free_pool(&default_pools[device]);
  default_pools[device] = (struct CUmemPoolHandle_st){.props = DEFAULT_PROPS(device), NEW_POOL};
  current_pools[device] = NULL;
  pthread_mutex_unlock(&lock);
}

static void unbook(cudaMemPool_t pool, size_t bytes) {
  pool->used -= bytes;
  pool->allocations--;
  if (pool->destroyed && !pool->allocations)
    free(uwrt_table_remove(&dying, pool));
}

void uwrt_pool_returned(const uwrt_allocation *gone, int quarantined) {
  cudaMemPool_t pool = gone->pool;
  uwrt_ipc_forget(gone);
  pthread_mutex_lock(&lock);
  int kept = !quarantined && gone->block.room && !pool->destroyed && keep(pool, &gone->block);
  if (!kept)
    pool->reserved -= held(&gone->block, gone->bytes);
  unbook(pool, gone->bytes);
  pthread_mutex_unlock(&lock);
  if (!kept && !quarantined)
    uwrt_memory_give_back(gone);
}

static void book_reserved(cudaMemPool_t pool, const void *memory) {
  uwrt_allocation made;
  if (!uwrt_allocation_find(memory, &made))
    return;
  pool->reserved += held(&made.block, made.bytes);
  if (pool->used > pool->used_high)
    pool->used_high = pool->used;
  if (pool->reserved > pool->reserved_high)
    pool->reserved_high = pool->reserved;
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
  if (error != cudaSuccess && atomic_load(&kept_blocks)) {
    trim_all(trim_to_nothing);
    error = uwrt_memory_allocate(memory, bytes, UWRT_SPACE_DEVICE, 0, pool->props.location.id, pool);
  }
  pthread_mutex_lock(&lock);
  if (error != cudaSuccess)
    unbook(pool, bytes);
  else
    book_reserved(pool, *memory);
  pthread_mutex_unlock(&lock);
  return error;
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

/* Pools by places. */
static cudaError_t check_pooled(const struct cudaMemLocation *location, enum cudaMemAllocationType type) {
  if (!location)
    return cudaErrorInvalidValue;
  return type == cudaMemAllocationTypePinned && location->type == cudaMemLocationTypeDevice ? cudaSuccess
                                                                                            : cudaErrorNotSupported;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type) {
  UWRT_ENTER;
  UWRT_TRY(check_pooled(location, type));
  error = cudaDeviceGetDefaultMemPool(memPool, location->id);
  UWRT_LEAVE;
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type) {
  UWRT_ENTER;
  UWRT_TRY(check_pooled(location, type));
  error = cudaDeviceGetMemPool(memPool, location->id);
  UWRT_LEAVE;
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  UWRT_ENTER;
  UWRT_TRY(check_pooled(location, type));
  error = cudaDeviceSetMemPool(location->id, memPool);
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
    free_pool(found);
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
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  if (is_pool(memPool))
    trim(memPool, minBytesToKeep);
  else
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
    pool->reserved_high = pool->reserved;
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
  case cudaMemPoolAttrReservedMemCurrent: *(uint64_t *)value = pool->reserved; return cudaSuccess;
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
