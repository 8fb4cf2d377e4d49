/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Virtual memory management: addresses that are reserved, memory that is made, and the one mapped to the other. Memory
 * is a file without a name, so that it may be mapped in several places and handed to another process; a reservation is
 * address space that nothing may touch. What is mapped side by side is one range to the runtime, so that a copy may
 * reach across.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRANULARITY = 2 << 20 };

typedef struct memory {
  struct memory *next;
  unsigned long long handle;
  int file, uses; /* uses: handles and mappings */
  int handles;
  size_t bytes;
  CUmemAllocationProp properties;
} memory;

typedef struct mapping {
  struct mapping *next; /* by address */
  char *start;
  size_t bytes;
  memory *of;
  int access; /* CUmemAccess_flags */
} mapping;

typedef struct reservation {
  struct reservation *next;
  char *start;
  size_t bytes;
  mapping *mappings;
} reservation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static memory *memories;
static reservation *reservations;
static unsigned long long last_handle;

static int is_whole(size_t bytes) { return bytes && bytes % GRANULARITY == 0; }

static memory *find_memory(unsigned long long handle) {
  memory *at = memories;
  while (at && (at->handle != handle || !at->handles))
    at = at->next;
  return at;
}

/* The reservation that a whole range lies in. */
static reservation *find_reservation(CUdeviceptr address, size_t bytes) {
  reservation *at = reservations;
  while (at && !(address >= (CUdeviceptr)at->start && bytes <= at->bytes &&
                 address - (CUdeviceptr)at->start <= at->bytes - bytes))
    at = at->next;
  return at;
}

static void drop(memory *gone) {
  if (--gone->uses)
    return;
  memory **at = &memories;
  while (*at != gone)
    at = &(*at)->next;
  *at = gone->next;
  close(gone->file);
  free(gone);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static int reserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted, unsigned long long flags) {
  if (!address || !is_whole(bytes) || flags || (alignment & (alignment - 1)))
    return CUDA_ERROR_INVALID_VALUE;
  size_t unit = alignment > GRANULARITY ? alignment : GRANULARITY, room;
  reservation *fresh = malloc(sizeof *fresh);
  if (!fresh || __builtin_add_overflow(bytes, unit, &room))
    return free(fresh), CUDA_ERROR_OUT_OF_MEMORY;
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *start = MAP_FAILED;
  if (wanted && wanted % unit == 0)
    start = mmap((void *)wanted, bytes, PROT_NONE, how | MAP_FIXED_NOREPLACE, -1, 0);
  if (start == MAP_FAILED) { /* elsewhere: the wish is a wish */
    char *whole = mmap(NULL, room, PROT_NONE, how, -1, 0);
    if (whole == MAP_FAILED)
      return free(fresh), CUDA_ERROR_OUT_OF_MEMORY;
    start = (char *)(((uintptr_t)whole + unit - 1) / unit * unit);
    if (start > whole)
      munmap(whole, (size_t)(start - whole));
    munmap(start + bytes, room - bytes - (size_t)(start - whole));
  }
  pthread_mutex_lock(&lock);
  *fresh = (reservation){reservations, start, bytes, NULL};
  reservations = fresh;
  pthread_mutex_unlock(&lock);
  *address = (CUdeviceptr)start;
  return CUDA_SUCCESS;
}

static int unreserve(CUdeviceptr address, size_t bytes) {
  pthread_mutex_lock(&lock);
  reservation **at = &reservations, *gone;
  while (*at && (CUdeviceptr)(*at)->start != address)
    at = &(*at)->next;
  gone = *at;
  int good = gone && gone->bytes == bytes && !gone->mappings;
  if (good)
    *at = gone->next;
  pthread_mutex_unlock(&lock);
  if (!good)
    return CUDA_ERROR_INVALID_VALUE;
  munmap(gone->start, bytes);
  free(gone);
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                             unsigned long long flags) {
  ANYWHERE(reserve(ptr, size, alignment, addr, flags));
}
CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size) { ANYWHERE(unreserve(ptr, size)); }

/* --- memory ------------------------------------------------------------------------------------------------------- */

static int check_properties(const CUmemAllocationProp *wanted) {
  if (!wanted || wanted->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (wanted->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_NOT_SUPPORTED;
  switch (wanted->location.type) {
  case CU_MEM_LOCATION_TYPE_DEVICE:
    return uwcu_device_exists(wanted->location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
  case CU_MEM_LOCATION_TYPE_HOST:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: return CUDA_SUCCESS;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

static int add_memory(CUmemGenericAllocationHandle *handle, int file, size_t bytes,
                      const CUmemAllocationProp *properties) {
  memory *fresh = malloc(sizeof *fresh);
  if (!fresh) {
    close(file);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  pthread_mutex_lock(&lock);
  *fresh = (memory){memories, ++last_handle, file, 1, 1, bytes, *properties};
  memories = fresh;
  *handle = fresh->handle;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

static int create(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *wanted,
                  unsigned long long flags) {
  size_t available, total;
  int error = handle && is_whole(bytes) && !flags ? check_properties(wanted) : CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  if (cudaMemGetInfo(&available, &total) == cudaSuccess && bytes > available)
    return CUDA_ERROR_OUT_OF_MEMORY;
  int file = memfd_create("cuMemCreate", MFD_CLOEXEC);
  if (file < 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (ftruncate(file, (off_t)bytes) != 0) {
    close(file);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  return add_memory(handle, file, bytes, wanted);
}

static int release(CUmemGenericAllocationHandle handle) {
  pthread_mutex_lock(&lock);
  memory *found = find_memory(handle);
  if (found) {
    found->handles--;
    drop(found);
  }
  pthread_mutex_unlock(&lock);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                     unsigned long long flags) {
  ANYWHERE(create(handle, size, prop, flags));
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { ANYWHERE(release(handle)); }

static int granularity_of(size_t *bytes, const CUmemAllocationProp *wanted, CUmemAllocationGranularity_flags option) {
  if (!bytes || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return CUDA_ERROR_INVALID_VALUE;
  *bytes = GRANULARITY;
  return check_properties(wanted);
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option) {
  ANYWHERE(granularity_of(granularity, prop, option));
}

static int properties_of(CUmemAllocationProp *to, CUmemGenericAllocationHandle handle) {
  pthread_mutex_lock(&lock);
  const memory *found = find_memory(handle);
  if (found && to)
    *to = found->properties;
  pthread_mutex_unlock(&lock);
  return found && to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  ANYWHERE(properties_of(prop, handle));
}

static int export(void *to, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                  unsigned long long flags) {
  int file = -1;
  if (!to || flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_NOT_SUPPORTED;
  pthread_mutex_lock(&lock);
  const memory *found = find_memory(handle);
  if (found && (found->properties.requestedHandleTypes & type))
    file = fcntl(found->file, F_DUPFD_CLOEXEC, 0);
  pthread_mutex_unlock(&lock);
  if (file < 0)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(to, &file, sizeof file);
  return CUDA_SUCCESS;
}

static int import(CUmemGenericAllocationHandle *handle, void *from, CUmemAllocationHandleType type) {
  struct stat status;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_NOT_SUPPORTED;
  int given = (int)(intptr_t)from;
  if (fstat(given, &status) != 0 || !S_ISREG(status.st_mode) || !is_whole((size_t)status.st_size))
    return CUDA_ERROR_INVALID_VALUE;
  int file = fcntl(given, F_DUPFD_CLOEXEC, 0);
  if (file < 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  int device = 0;
  cudaGetDevice(&device);
  CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .requestedHandleTypes = type,
                                    .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
  return add_memory(handle, file, (size_t)status.st_size, &properties);
}

CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType handleType, unsigned long long flags) {
  ANYWHERE(export(shareableHandle, handle, handleType, flags));
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                        CUmemAllocationHandleType shHandleType) {
  ANYWHERE(import(handle, osHandle, shHandleType));
}

/* --- mappings ----------------------------------------------------------------------------------------------------- */

/* One range of the runtime for each run of mappings: taken away before something changes, told again afterwards. */
static void forget_runs(const reservation *of) {
  const char *end = NULL;
  for (const mapping *at = of->mappings; at; end = at->start + at->bytes, at = at->next)
    if (at->start != end)
      uwrt_range_unmap(at->start);
}

static void tell_runs(const reservation *of) {
  for (const mapping *at = of->mappings; at;) {
    const mapping *first = at;
    const char *end = at->start;
    for (; at && at->start == end; at = at->next)
      end = at->start + at->bytes;
    uwrt_range_map(first->start, (size_t)(end - first->start), first->of->properties.location.id);
  }
}

static int map(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
               unsigned long long flags) {
  mapping *fresh = malloc(sizeof *fresh);
  int error = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  reservation *place = find_reservation(address, bytes);
  memory *of = find_memory(handle);
  if (!fresh)
    error = CUDA_ERROR_OUT_OF_MEMORY;
  else if (place && of && !flags && !offset && is_whole(bytes) && bytes <= of->bytes && address % GRANULARITY == 0) {
    mapping **at = &place->mappings;
    while (*at && (CUdeviceptr)(*at)->start + (*at)->bytes <= address)
      at = &(*at)->next;
    int free_place = !*at || (CUdeviceptr)(*at)->start >= address + bytes;
    if (free_place && mmap((void *)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, of->file, 0) != MAP_FAILED) {
      forget_runs(place);
      *fresh = (mapping){*at, (char *)address, bytes, of, CU_MEM_ACCESS_FLAGS_PROT_NONE};
      *at = fresh;
      fresh = NULL;
      of->uses++;
      tell_runs(place);
      error = CUDA_SUCCESS;
    }
  }
  pthread_mutex_unlock(&lock);
  free(fresh);
  return error;
}

/* Whole mappings only. */
static int unmap(CUdeviceptr address, size_t bytes) {
  cudaDeviceSynchronize();
  pthread_mutex_lock(&lock);
  reservation *place = find_reservation(address, bytes);
  size_t covered = 0;
  for (const mapping *at = place ? place->mappings : NULL; at; at = at->next)
    if ((CUdeviceptr)at->start >= address && (CUdeviceptr)at->start + at->bytes <= address + bytes)
      covered += at->bytes;
  int good = place && bytes && covered == bytes;
  if (good) {
    forget_runs(place);
    for (mapping **at = &place->mappings; *at;) {
      mapping *gone = *at;
      if ((CUdeviceptr)gone->start < address || (CUdeviceptr)gone->start >= address + bytes) {
        at = &gone->next;
        continue;
      }
      *at = gone->next;
      mmap(gone->start, gone->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
      drop(gone->of);
      free(gone);
    }
    tell_runs(place);
  }
  pthread_mutex_unlock(&lock);
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  ANYWHERE(map(ptr, size, offset, handle, flags));
}
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size) { ANYWHERE(unmap(ptr, size)); }

/* All devices and the host are one process: the widest access that one of them is given is what there is. */
static int set_access(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *wanted, size_t count) {
  int access = CU_MEM_ACCESS_FLAGS_PROT_NONE, good = wanted && count && bytes;
  for (size_t i = 0; i < count && good; i++) {
    int flags = (int)wanted[i].flags;
    good = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
           flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    access |= flags;
  }
  pthread_mutex_lock(&lock);
  reservation *place = good ? find_reservation(address, bytes) : NULL;
  size_t covered = 0;
  for (mapping *at = place ? place->mappings : NULL; at; at = at->next)
    if ((CUdeviceptr)at->start >= address && (CUdeviceptr)at->start + at->bytes <= address + bytes)
      covered += at->bytes;
  good = place && covered == bytes;
  for (mapping *at = good ? place->mappings : NULL; at; at = at->next)
    if ((CUdeviceptr)at->start >= address && (CUdeviceptr)at->start < address + bytes) {
      int protection = (access & 1 ? PROT_READ : 0) | (access & 2 ? PROT_WRITE : 0);
      good &= mprotect(at->start, at->bytes, protection) == 0;
      at->access = access;
    }
  pthread_mutex_unlock(&lock);
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static const mapping *mapping_at(CUdeviceptr address) {
  const reservation *place = find_reservation(address, 1);
  const mapping *at = place ? place->mappings : NULL;
  while (at && !(address >= (CUdeviceptr)at->start && address < (CUdeviceptr)at->start + at->bytes))
    at = at->next;
  return at;
}

static int access_at(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  const mapping *found = flags && location ? mapping_at(address) : NULL;
  if (found)
    *flags = (unsigned long long)found->access;
  pthread_mutex_unlock(&lock);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static int retain_at(CUmemGenericAllocationHandle *handle, void *address) {
  pthread_mutex_lock(&lock);
  const mapping *found = handle ? mapping_at((CUdeviceptr)address) : NULL;
  if (found) {
    found->of->handles++;
    found->of->uses++;
    *handle = found->of->handle;
  }
  pthread_mutex_unlock(&lock);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count) {
  ANYWHERE(set_access(ptr, size, desc, count));
}
CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr) {
  ANYWHERE(access_at(flags, location, ptr));
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr) {
  ANYWHERE(retain_at(handle, addr));
}
