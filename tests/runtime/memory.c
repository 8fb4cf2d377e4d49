/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocation of every kind: what is given back where, what is refused, what a pointer turns out to be.
 */
#include "check.h"

#include <stdio.h>
#include <unistd.h>

static void check_device_memory(void) {
  void *memory = (void *)1, *other = NULL;
  size_t free_bytes, total_bytes;
  CHECK_OK(cudaMalloc(&memory, 1000));
  CHECK(memory && (uintptr_t)memory % 256 == 0);
  memset(memory, 0x5A, 1000);
  CHECK_ERROR(cudaFree((char *)memory + 8), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeHost(memory), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeAsync(memory, 0), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(memory));
  CHECK_ERROR(cudaFree(memory), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(NULL));
  CHECK_ERROR(cudaFree(&memory), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
  memory = (void *)1;
  CHECK_OK(cudaMalloc(&memory, 0));
  CHECK(memory == NULL);
  /* More than the machine has, in one piece, by overflow, and in several pieces that nobody touches. */
  CHECK_OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  memory = (void *)1;
  CHECK_ERROR(cudaMalloc(&memory, total_bytes + 1), cudaErrorMemoryAllocation);
  CHECK(memory == NULL);
  CHECK_ERROR(cudaMalloc(&memory, SIZE_MAX), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaMalloc(&memory, SIZE_MAX / 2), cudaErrorMemoryAllocation);
  CHECK_OK(cudaMalloc(&memory, free_bytes / 2));
  CHECK_ERROR(cudaMalloc(&other, total_bytes - free_bytes / 4), cudaErrorMemoryAllocation);
  CHECK_OK(cudaFree(memory));
  /* What was freed may be had again, any number of times. */
  for (int i = 0; i < 8; i++) {
    CHECK_OK(cudaMalloc(&memory, free_bytes / 2));
    CHECK_OK(cudaFree(memory));
  }
  /* What other programs have is not to be had, although the machine has it. */
  if (total_bytes - free_bytes > (size_t)64 << 20)
    CHECK_ERROR(cudaMalloc(&memory, total_bytes - ((size_t)16 << 20)), cudaErrorMemoryAllocation);
}

#ifdef __has_feature
#define FEATURE(name) __has_feature(name)
#else
#define FEATURE(name) 0
#endif

/* A program that asks for small pieces until it is refused is refused. (A sanitizer's shadow would really be used.) */
static void check_exhaustion(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !FEATURE(address_sanitizer) &&                  \
    !FEATURE(thread_sanitizer)
  enum { PIECE = 15 << 20 };
  size_t free_bytes, total_bytes;
  CHECK_OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  size_t limit = total_bytes / PIECE + 10, count = 0;
  void **pieces = calloc(limit, sizeof *pieces);
  while (count < limit && cudaMalloc(&pieces[count], PIECE) == cudaSuccess)
    count++;
  CHECK_NUMBER(cudaGetLastError(), cudaErrorMemoryAllocation);
  CHECK(count >= 1 && count <= total_bytes / PIECE);
  for (size_t i = 0; i < count; i++)
    CHECK_OK(cudaFree(pieces[i]));
  free(pieces);
#endif
}

static void check_many(void) {
  enum { COUNT = 3000 };
  static void *blocks[COUNT];
  struct cudaPointerAttributes attributes;
  uint32_t state = 1;
  for (int iteration = 0; iteration < 3; iteration++) {
    for (int i = 0; i < COUNT; i++) {
      size_t bytes = 1 + i % 700;
      CHECK_OK(cudaMalloc(&blocks[i], bytes));
      memset(blocks[i], i, bytes);
    }
    for (int i = COUNT - 1; i > 0; i--) { /* in random order */
      state = state * 1664525u + 1013904223u;
      int j = (int)((state >> 8) % (uint32_t)(i + 1));
      void *kept = blocks[i];
      blocks[i] = blocks[j];
      blocks[j] = kept;
    }
    for (int i = 0; i < COUNT; i++) {
      CHECK_OK(cudaPointerGetAttributes(&attributes, blocks[i]));
      CHECK_NUMBER(attributes.type, cudaMemoryTypeDevice);
      CHECK_OK(cudaFree(blocks[i]));
      CHECK_ERROR(cudaFree(blocks[i]), cudaErrorInvalidValue);
    }
  }
}

static void check_host_memory(void) {
  static char registered[4096];
  void *memory = NULL, *device = NULL;
  unsigned int flags = 0;
  CHECK_OK(cudaMallocHost(&memory, 100));
  CHECK_ERROR(cudaFree(memory), cudaErrorInvalidValue);
  CHECK_OK(cudaHostGetDevicePointer(&device, (char *)memory + 10, 0));
  CHECK(device == (char *)memory + 10);
  CHECK_ERROR(cudaHostGetDevicePointer(&device, memory, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostGetDevicePointer(&device, registered, 0), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeHost(memory));
  CHECK_ERROR(cudaFreeHost(memory), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeHost(NULL));
  CHECK_OK(cudaHostAlloc(&memory, 100, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CHECK_OK(cudaHostGetFlags(&flags, memory));
  CHECK(flags & cudaHostAllocWriteCombined);
  CHECK_OK(cudaFreeHost(memory));
  CHECK_ERROR(cudaHostAlloc(&memory, 100, 0x80), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostAlloc(NULL, 100, 0), cudaErrorInvalidValue);

  CHECK_OK(cudaHostRegister(registered, 2048, cudaHostRegisterMapped));
  CHECK_ERROR(cudaHostRegister(registered + 2000, 1000, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK_OK(cudaHostRegister(registered + 2048, 2048, 0));
  CHECK_OK(cudaHostGetDevicePointer(&device, registered + 5, 0));
  CHECK(device == registered + 5);
  CHECK_ERROR(cudaHostUnregister(registered + 1), cudaErrorHostMemoryNotRegistered);
  CHECK_OK(cudaHostUnregister(registered));
  CHECK_ERROR(cudaHostUnregister(registered), cudaErrorHostMemoryNotRegistered);
  CHECK_OK(cudaHostUnregister(registered + 2048));
  CHECK_ERROR(cudaHostRegister(NULL, 10, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostRegister(registered, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostRegister(registered, SIZE_MAX, 0), cudaErrorInvalidValue);
}

/* Memory that was registered and then freed must not get in the way of what takes its place. */
static void check_stale_registration(void) {
  void *blocks[64];
  for (int i = 0; i < 64; i++) {
    blocks[i] = malloc(4096);
    CHECK_OK(cudaHostRegister(blocks[i], 4096, 0));
  }
  for (int i = 0; i < 64; i++)
    free(blocks[i]);
  for (int i = 0; i < 64; i++)
    CHECK_OK(cudaMalloc(&blocks[i], 4000));
  for (int i = 0; i < 64; i++)
    CHECK_OK(cudaFree(blocks[i]));
  CHECK_OK(cudaDeviceReset());
}

static void check_managed_memory(void) {
  char *memory = NULL, *device = NULL;
  struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  CHECK_OK(cudaMallocManaged((void **)&memory, 5000, cudaMemAttachGlobal));
  memory[4999] = 1;
  CHECK_OK(cudaMemPrefetchAsync(memory, 5000, 0, 0));
  CHECK_OK(cudaMemPrefetchAsync(memory + 100, 4900, cudaCpuDeviceId, 0));
  CHECK_OK(cudaMemPrefetchAsync_v2(memory, 5000, host, 0, 0));
  CHECK_ERROR(cudaMemPrefetchAsync(memory + 1, 5000, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemPrefetchAsync(memory, 5000, 3, 0), cudaErrorInvalidDevice);
  CHECK_OK(cudaMemAdvise(memory, 5000, cudaMemAdviseSetReadMostly, 0));
  CHECK_OK(cudaMemAdvise_v2(memory, 5000, cudaMemAdviseSetPreferredLocation, host));
  CHECK_ERROR(cudaMemAdvise(memory, 5000, (enum cudaMemoryAdvise)42, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocManaged((void **)&device, 100, 7), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocManaged((void **)&device, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
  CHECK_OK(cudaMalloc((void **)&device, 100));
  CHECK_ERROR(cudaMemPrefetchAsync(device, 100, 0, 0), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(device));
  CHECK_OK(cudaFree(memory));
}

static void check_pitched_memory(void) {
  void *memory = NULL;
  size_t pitch = 0;
  struct cudaPitchedPtr box;
  CHECK_OK(cudaMallocPitch(&memory, &pitch, 100, 7));
  CHECK(pitch >= 100 && pitch % 256 == 0);
  memset(memory, 1, pitch * 7);
  CHECK_OK(cudaFree(memory));
  CHECK_OK(cudaMallocPitch(&memory, &pitch, 0, 7));
  CHECK(memory == NULL);
  CHECK_ERROR(cudaMallocPitch(&memory, NULL, 1, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocPitch(&memory, &pitch, 1 << 20, SIZE_MAX / 2), cudaErrorMemoryAllocation);
  CHECK_OK(cudaMalloc3D(&box, (struct cudaExtent){130, 5, 3}));
  CHECK(box.pitch >= 130 && box.xsize == 130 && box.ysize == 5);
  memset(box.ptr, 1, box.pitch * 15);
  CHECK_OK(cudaFree(box.ptr));
  CHECK_ERROR(cudaMalloc3D(&box, (struct cudaExtent){1, SIZE_MAX, SIZE_MAX}), cudaErrorMemoryAllocation);
}

static void check_pointers(void) {
  struct cudaPointerAttributes found;
  char *device, *pinned, *managed;
  CHECK_OK(cudaMalloc((void **)&device, 300));
  CHECK_OK(cudaMallocHost((void **)&pinned, 300));
  CHECK_OK(cudaMallocManaged((void **)&managed, 300, cudaMemAttachGlobal));
  CHECK_OK(cudaPointerGetAttributes(&found, device + 299));
  CHECK_NUMBER(found.type, cudaMemoryTypeDevice);
  CHECK(found.device == 0 && found.devicePointer == device + 299 && found.hostPointer == NULL);
  CHECK_OK(cudaPointerGetAttributes(&found, pinned + 1));
  CHECK_NUMBER(found.type, cudaMemoryTypeHost);
  CHECK(found.devicePointer == pinned + 1 && found.hostPointer == pinned + 1);
  CHECK_OK(cudaPointerGetAttributes(&found, managed));
  CHECK_NUMBER(found.type, cudaMemoryTypeManaged);
  CHECK_OK(cudaPointerGetAttributes(&found, &found));
  CHECK_NUMBER(found.type, cudaMemoryTypeUnregistered);
  CHECK_NUMBER(found.device, cudaInvalidDeviceId);
  CHECK(found.devicePointer == NULL);
  CHECK_ERROR(cudaPointerGetAttributes(NULL, device), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(device));
  CHECK_OK(cudaPointerGetAttributes(&found, device));
  CHECK_NUMBER(found.type, cudaMemoryTypeUnregistered);
  CHECK_OK(cudaFree(managed));
  CHECK_OK(cudaFreeHost(pinned));
}

static void check_pools(void) {
  cudaMemPool_t pool = NULL, standard = NULL, current = NULL;
  cudaStream_t stream;
  void *memory = NULL, *other = NULL, *third = NULL;
  uint64_t bytes = 0;
  int reuse = -1;
  struct cudaMemPoolProps props = {
      .allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}, .maxSize = 1000};
  struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaMallocAsync(&memory, 512, stream));
  CHECK(memory && (uintptr_t)memory % 256 == 0);
  CHECK_OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &bytes));
  CHECK_NUMBER(bytes, 512);
  CHECK_OK(cudaFreeAsync(memory, stream));
  CHECK_ERROR(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &bytes));
  CHECK_NUMBER(bytes, 0);
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &bytes));
  CHECK_NUMBER(bytes, 512);
  CHECK_ERROR(cudaMallocAsync(&memory, 16, (cudaStream_t)&bytes), cudaErrorInvalidResourceHandle);
  bytes = UINT64_MAX;
  CHECK_OK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &bytes));
  bytes = 0;
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &bytes));
  CHECK(bytes == UINT64_MAX);
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse));
  CHECK_NUMBER(reuse, 1);
  CHECK_OK(cudaMemPoolSetAccess(standard, &access, 1));
  CHECK_OK(cudaMemPoolGetAccess(&flags, standard, &access.location));
  CHECK_NUMBER(flags, cudaMemAccessFlagsProtReadWrite);

  CHECK_OK(cudaMemPoolCreate(&pool, &props));
  CHECK_OK(cudaMallocFromPoolAsync(&memory, 600, pool, stream));
  CHECK_OK(cudaMallocFromPoolAsync(&third, 100, pool, stream));
  CHECK_ERROR(cudaMallocFromPoolAsync(&other, 600, pool, stream), cudaErrorMemoryAllocation);
  CHECK_OK(cudaDeviceSetMemPool(0, pool));
  CHECK_OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == pool);
  CHECK_ERROR(cudaMallocAsync(&other, 600, stream), cudaErrorMemoryAllocation);
  CHECK_OK(cudaMemPoolTrimTo(pool, 0));
  CHECK_OK(cudaMemPoolDestroy(pool));
  CHECK_ERROR(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocFromPoolAsync(&other, 6, pool, stream), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == standard);
  memset(memory, 1, 600); /* what came from it lives on */
  CHECK_OK(cudaFree(memory));
  CHECK_OK(cudaFree(third));
  CHECK_OK(cudaStreamDestroy(stream));
}

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr which) {
  uint64_t bytes = 0;
  CHECK_OK(cudaMemPoolGetAttribute(pool, which, &bytes));
  return bytes;
}

/* How many kilobytes the process has in memory. */
static long resident(void) {
  long pages = 0, own = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld %ld", &pages, &own) == 2);
  fclose(file);
  return own * (sysconf(_SC_PAGESIZE) / 1024);
}

/* What is freed stays with the pool until the host waits, and then as much of it as the threshold says; under
 * AddressSanitizer, which is to see uses after frees, it goes at once. */
static void check_thresholds(void) {
#if defined(__SANITIZE_ADDRESS__) || FEATURE(address_sanitizer)
  return;
#endif
  enum { COUNT = 4, BYTES = 48 << 20 };
  cudaMemPool_t pool;
  struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                   .location = {cudaMemLocationTypeDevice, 0}};
  void *memory[COUNT], *again;
  uint64_t threshold = 2 * (uint64_t)BYTES + (8 << 20), high;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaEventCreate(&event));
  CHECK_OK(cudaMemPoolCreate(&pool, &props));
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReleaseThreshold), 0);
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
  for (int by = 0; by < 3; by++) { /* the three ways to wait */
    CHECK_OK(cudaMallocFromPoolAsync(&memory[0], BYTES, pool, stream));
    CHECK_OK(cudaFreeAsync(memory[0], stream));
    CHECK_NUMBER(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    CHECK(attribute(pool, cudaMemPoolAttrReservedMemCurrent) >= BYTES);
    CHECK_OK(cudaMallocFromPoolAsync(&again, BYTES - 4096, pool, stream)); /* is the same memory */
    CHECK(again == memory[0]);
    CHECK_OK(cudaFreeAsync(again, stream));
    CHECK_OK(cudaEventRecord(event, stream));
    CHECK_OK(by == 0 ? cudaStreamSynchronize(stream) : by == 1 ? cudaEventSynchronize(event) : cudaDeviceSynchronize());
    CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
  }

  CHECK_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  for (int i = 0; i < COUNT; i++) {
    CHECK_OK(cudaMallocFromPoolAsync(&memory[i], BYTES, pool, stream));
    memset(memory[i], i + 1, BYTES);
  }
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrUsedMemCurrent), (uint64_t)COUNT * BYTES);
  high = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
  CHECK(high >= (uint64_t)COUNT * BYTES);
  long before = resident();
  for (int i = 0; i < COUNT; i++)
    CHECK_OK(cudaFreeAsync(memory[i], stream));
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReservedMemCurrent), high);
  CHECK_OK(cudaStreamSynchronize(stream));
  uint64_t left = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
  CHECK(left <= threshold && left >= 2 * (uint64_t)BYTES);
  CHECK(before - resident() >= BYTES / 1024); /* two are gone, of which the heap may keep one */
  CHECK_OK(cudaMallocFromPoolAsync(&again, BYTES, pool, stream));
  CHECK(again == memory[2] || again == memory[3]);
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReservedMemCurrent), left);
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrReservedMemHigh), high);
  CHECK_NUMBER(attribute(pool, cudaMemPoolAttrUsedMemHigh), (uint64_t)COUNT * BYTES);
  CHECK_OK(cudaMemPoolTrimTo(pool, 0));
  left = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
  CHECK(left >= BYTES && left < 2 * (uint64_t)BYTES);
  CHECK_OK(cudaFreeAsync(again, stream));
  CHECK_OK(cudaMemPoolDestroy(pool));
  CHECK_OK(cudaEventDestroy(event));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void check_reset(void) {
  void *device, *pinned;
  static char registered[64];
  cudaMemPool_t pool, standard;
  uint64_t bytes = 1;
  struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                   .location = {cudaMemLocationTypeDevice, 0}};
  CHECK_OK(cudaMemPoolCreate(&pool, &props));
  CHECK_OK(cudaMallocFromPoolAsync(&device, 10, pool, 0));
  CHECK_OK(cudaMallocAsync(&device, 10, 0));
  CHECK_OK(cudaMalloc(&device, 10));
  CHECK_OK(cudaMallocHost(&pinned, 10));
  CHECK_OK(cudaHostRegister(registered, 64, 0));
  CHECK_OK(cudaDeviceReset());
  CHECK_ERROR(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK_OK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &bytes));
  CHECK_NUMBER(bytes, 0);
  CHECK_ERROR(cudaFree(device), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeHost(pinned), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostUnregister(registered), cudaErrorHostMemoryNotRegistered);
}

/* Free memory falls by what is allocated, touched or not. Others use the machine too: one of several tries must show it. */
static void check_free_memory(void) {
  const size_t bytes = (size_t)1 << 30;
  size_t before = 0, after = 0, total = 0;
  void *memory;
  int falls = 0, rises = 0;
  for (int try = 0; try < 5 && !(falls && rises); try++) {
    CHECK_OK(cudaMemGetInfo(&before, &total));
    if (before < 2 * bytes)
      return; /* a machine with so little left cannot show it */
    CHECK_OK(cudaMalloc(&memory, bytes));
    CHECK_OK(cudaMemGetInfo(&after, &total));
    falls |= after <= before - bytes / 4 * 3;
    CHECK_OK(cudaFree(memory));
    CHECK_OK(cudaMemGetInfo(&before, &total));
    rises |= before >= after + bytes / 4 * 3;
  }
  CHECK(falls && rises);
}

static int range_attribute(enum cudaMemRangeAttribute attribute, const void *start, size_t bytes) {
  int value = 99;
  CHECK_OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, start, bytes));
  return value;
}

static void check_advice(void) {
  char *memory, *device;
  int list[4], mostly = 9;
  void *data[] = {list, &mostly};
  size_t sizes[] = {sizeof list, sizeof mostly};
  enum cudaMemRangeAttribute which[] = {cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeReadMostly};
  CHECK_OK(cudaMallocManaged((void **)&memory, 10000, cudaMemAttachGlobal));
  CHECK_OK(cudaMalloc((void **)&device, 10000));
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory, 10000), 0);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributePreferredLocation, memory, 10000), cudaInvalidDeviceId);
  CHECK_OK(cudaMemAdvise(memory, 5000, cudaMemAdviseSetReadMostly, 0));
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory, 5000), 1);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory + 100, 1), 1);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory, 5001), 0);
  CHECK_OK(cudaMemAdvise(memory + 1000, 6000, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributePreferredLocation, memory + 1000, 6000), cudaCpuDeviceId);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributePreferredLocation, memory, 6000), cudaInvalidDeviceId);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributePreferredLocationType, memory + 2000, 10), cudaMemLocationTypeHost);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory, 5000), 1);
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeReadMostly, memory + 4000, 2000), 0);
  CHECK_OK(cudaMemPrefetchAsync(memory, 10000, 0, 0));
  CHECK_NUMBER(range_attribute(cudaMemRangeAttributeLastPrefetchLocation, memory, 10000), 0);
  CHECK_OK(cudaMemAdvise(memory, 10000, cudaMemAdviseSetAccessedBy, 0));
  CHECK_OK(cudaMemAdvise(memory, 10000, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  CHECK_OK(cudaMemRangeGetAttributes(data, sizes, which, 2, memory, 3000));
  CHECK(mostly == 1 && list[0] == 0 && list[1] == cudaCpuDeviceId && list[2] == cudaInvalidDeviceId);
  CHECK_OK(cudaMemAdvise(memory, 1, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId));
  CHECK_OK(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, memory, 3000));
  CHECK(list[0] == 0 && list[1] == cudaInvalidDeviceId);
  CHECK_ERROR(cudaMemRangeGetAttribute(list, 3, cudaMemRangeAttributeAccessedBy, memory, 10), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemRangeGetAttribute(list, 8, cudaMemRangeAttributeReadMostly, memory, 10), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemRangeGetAttribute(list, 4, cudaMemRangeAttributeReadMostly, memory, 10001), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemRangeGetAttribute(list, 4, cudaMemRangeAttributeReadMostly, device, 10), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(memory));
  CHECK_OK(cudaFree(device));
}

int main(void) {
  check_device_memory();
  check_exhaustion();
  check_many();
  check_host_memory();
  check_stale_registration();
  check_managed_memory();
  check_pitched_memory();
  check_pointers();
  check_pools();
  check_thresholds();
  check_reset();
  check_advice();
  check_free_memory();
  return finish();
}
