/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Advice about managed memory, and prefetches: all devices and the host share one memory, so nothing moves. What was
 * said of each range is kept, since a program may ask for it (CUDA Runtime API, "Memory Management").
 *
 * Ranges form a list in the order of their addresses and never overlap; memory of which nothing was said is in none.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct said {
  int read_mostly;
  int preferred, prefetched; /* a device, the host, or cudaInvalidDeviceId */
  uint64_t accessed_by;      /* a bit for each device, and HOST */
} said;

enum { HOST = UWRT_DEVICE_MOST };
static const said nothing = {0, cudaInvalidDeviceId, cudaInvalidDeviceId, 0};

typedef struct range {
  uintptr_t start, end;
  said what;
  struct range *next;
} range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static range *ranges;

/* A range of its own before *at. Returns 0 when out of memory. */
static int insert(range **at, uintptr_t start, uintptr_t end, said what) {
  range *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return 0;
  *fresh = (range){start, end, what, *at};
  *at = fresh;
  return 1;
}

/* Parts the range around an address in two that meet there. */
static int part(uintptr_t address) {
  for (range *at = ranges; at && at->start < address; at = at->next)
    if (address < at->end) {
      if (!insert(&at->next, address, at->end, at->what))
        return 0;
      at->end = address;
      return 1;
    }
  return 1;
}

/* Makes [start, end) consist of whole ranges. The caller holds the lock. */
static int cover(uintptr_t start, uintptr_t end) {
  if (!part(start) || !part(end))
    return 0;
  range **at = &ranges;
  while (start < end) {
    while (*at && (*at)->end <= start)
      at = &(*at)->next;
    uintptr_t gap_end = *at && (*at)->start < end ? (*at)->start : end;
    if (start < gap_end && !insert(at, start, gap_end, nothing))
      return 0;
    start = (*at)->end;
  }
  return 1;
}

void uwrt_advice_forget(uintptr_t start, size_t bytes) {
  pthread_mutex_lock(&lock);
  for (range **at = &ranges; *at;) {
    range *found = *at;
    if (found->start >= start && found->end <= start + bytes) {
      *at = found->next;
      free(found);
    } else {
      at = &found->next;
    }
  }
  pthread_mutex_unlock(&lock);
}

/* A range of managed memory: what prefetch and advice may be given for. */
int uwrt_is_managed(const void *pointer, size_t bytes) {
  uwrt_allocation found;
  return uwrt_allocation_find(pointer, &found) && (found.space & (UWRT_SPACE_MANAGED | UWRT_SPACE_MANAGED_VARIABLE)) &&
         bytes <= found.bytes - ((uintptr_t)pointer - found.base);
}

static uint64_t bit_of(int device) { return UINT64_C(1) << (device == cudaCpuDeviceId ? HOST : device); }

static void advise(said *what, enum cudaMemoryAdvise advice, int device) {
  switch (advice) {
  case cudaMemAdviseSetReadMostly: what->read_mostly = 1; break;
  case cudaMemAdviseUnsetReadMostly: what->read_mostly = 0; break;
  case cudaMemAdviseSetPreferredLocation: what->preferred = device; break;
  case cudaMemAdviseUnsetPreferredLocation: what->preferred = cudaInvalidDeviceId; break;
  case cudaMemAdviseSetAccessedBy: what->accessed_by |= bit_of(device); break;
  case cudaMemAdviseUnsetAccessedBy: what->accessed_by &= ~bit_of(device); break;
  }
}

static int is_place(int device) { return device == cudaCpuDeviceId || uwrt_device_exists(device); }

cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device) {
  UWRT_ENTER;
  UWRT_REQUIRE(devPtr && count, cudaErrorInvalidValue);
  UWRT_REQUIRE(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy, cudaErrorInvalidValue);
  /* Read-mostly is a property of the range: its device argument is not looked at. */
  UWRT_REQUIRE(advice <= cudaMemAdviseUnsetReadMostly || is_place(device), cudaErrorInvalidDevice);
  UWRT_REQUIRE(uwrt_is_managed(devPtr, count), cudaErrorInvalidValue);
  uintptr_t start = (uintptr_t)devPtr;
  pthread_mutex_lock(&lock);
  if (!cover(start, start + count))
    error = cudaErrorMemoryAllocation;
  for (range *at = ranges; at && error == cudaSuccess; at = at->next)
    if (at->start >= start && at->end <= start + count)
      advise(&at->what, advice, device);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

/* A location of the second version's functions, as the first ones name it. */
static int device_of(struct cudaMemLocation location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

static int is_location(struct cudaMemLocation location) {
  return location.type >= cudaMemLocationTypeDevice && location.type <= cudaMemLocationTypeHostNumaCurrent;
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) {
  UWRT_ENTER;
  UWRT_REQUIRE(advice <= cudaMemAdviseUnsetReadMostly || advice == cudaMemAdviseUnsetPreferredLocation ||
                   is_location(location),
               cudaErrorInvalidValue);
  error = cudaMemAdvise(devPtr, count, advice, device_of(location));
  UWRT_LEAVE;
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(devPtr && count, cudaErrorInvalidValue);
  UWRT_REQUIRE(is_place(dstDevice), cudaErrorInvalidDevice);
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  UWRT_TRY(uwrt_capture_unsupported(stream));
  UWRT_REQUIRE(uwrt_is_managed(devPtr, count), cudaErrorInvalidValue);
  uintptr_t start = (uintptr_t)devPtr;
  pthread_mutex_lock(&lock);
  if (!cover(start, start + count))
    error = cudaErrorMemoryAllocation;
  for (range *at = ranges; at && error == cudaSuccess; at = at->next)
    if (at->start >= start && at->end <= start + count)
      at->what.prefetched = dstDevice;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(is_location(location) && flags == 0, cudaErrorInvalidValue);
  error = cudaMemPrefetchAsync(devPtr, count, device_of(location), stream);
  UWRT_LEAVE;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static int agreed(int first, int second) { return first == second ? first : cudaInvalidDeviceId; }

/* What holds of all of [start, end). The caller holds the lock. */
static said find_said(uintptr_t start, uintptr_t end) {
  said all = nothing;
  int any = 0;
  for (const range *at = ranges; at && start < end; at = at->next) {
    if (at->end <= start)
      continue;
    if (at->start > start)
      return nothing; /* a gap: of this part nothing was said */
    said what = at->what;
    all = any ? (said){all.read_mostly & what.read_mostly, agreed(all.preferred, what.preferred),
                       agreed(all.prefetched, what.prefetched), all.accessed_by & what.accessed_by}
              : what;
    any = 1;
    start = at->end;
  }
  return start < end ? nothing : all;
}

static int type_of(int device) {
  return device == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
         : device == cudaCpuDeviceId   ? cudaMemLocationTypeHost
                                       : cudaMemLocationTypeDevice;
}

static cudaError_t answer(const said *what, enum cudaMemRangeAttribute attribute, int *data, size_t count) {
  size_t listed = 0;
  if (attribute != cudaMemRangeAttributeAccessedBy && count != 1)
    return cudaErrorInvalidValue;
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly: *data = what->read_mostly; return cudaSuccess;
  case cudaMemRangeAttributePreferredLocation:
  case cudaMemRangeAttributePreferredLocationId: *data = what->preferred; return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocation:
  case cudaMemRangeAttributeLastPrefetchLocationId: *data = what->prefetched; return cudaSuccess;
  case cudaMemRangeAttributePreferredLocationType: *data = type_of(what->preferred); return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocationType: *data = type_of(what->prefetched); return cudaSuccess;
  case cudaMemRangeAttributeAccessedBy:
    for (int device = 0; device <= HOST && listed < count; device++)
      if (what->accessed_by >> device & 1)
        data[listed++] = device == HOST ? cudaCpuDeviceId : device;
    while (listed < count)
      data[listed++] = cudaInvalidDeviceId;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count) {
  UWRT_ENTER;
  UWRT_REQUIRE(data && dataSizes && attributes && numAttributes && count, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_is_managed(devPtr, count), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  said what = find_said((uintptr_t)devPtr, (uintptr_t)devPtr + count);
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < numAttributes; i++) {
    UWRT_REQUIRE(data[i] && dataSizes[i] && dataSizes[i] % sizeof(int) == 0, cudaErrorInvalidValue);
    UWRT_TRY(answer(&what, attributes[i], data[i], dataSizes[i] / sizeof(int)));
  }
  UWRT_LEAVE;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count) {
  return cudaMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}
