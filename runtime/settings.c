/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program sets for the device and may read back: scheduling flags, limits, cache and bank preferences. They are
 * hints or sizes of things that a CPU does not have, so they are checked and kept, and change nothing else. Also the
 * device's synchronisation and reset, and the deprecated cudaThread names of all these.
 */
#include <pthread.h>

#include "internal.h"

static const size_t default_limits[] = {
    [cudaLimitStackSize] = 1024,           [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,   [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048, [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};
enum { LIMIT_COUNT = sizeof default_limits / sizeof *default_limits };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t limits[LIMIT_COUNT];
static int limits_are_set[LIMIT_COUNT];
static unsigned int device_flags;
static enum cudaFuncCache cache_config;
static enum cudaSharedMemConfig bank_config;

void uwrt_settings_reset(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < LIMIT_COUNT; i++)
    limits_are_set[i] = 0;
  device_flags = 0;
  cache_config = cudaFuncCachePreferNone;
  bank_config = cudaSharedMemBankSizeDefault;
  pthread_mutex_unlock(&lock);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  UWRT_ENTER;
  UWRT_REQUIRE((unsigned int)limit < LIMIT_COUNT, cudaErrorUnsupportedLimit);
  UWRT_REQUIRE(limit != cudaLimitPersistingL2CacheSize || value <= (size_t)uwrt_persisting_cache_bytes(),
               cudaErrorInvalidValue);
  UWRT_REQUIRE(limit != cudaLimitMaxL2FetchGranularity || value <= 128, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  limits[limit] = value;
  limits_are_set[limit] = 1;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  UWRT_ENTER;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  UWRT_REQUIRE((unsigned int)limit < LIMIT_COUNT, cudaErrorUnsupportedLimit);
  pthread_mutex_lock(&lock);
  *value = limits_are_set[limit] ? limits[limit] : default_limits[limit];
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

static int is_cache_config(enum cudaFuncCache config) { return (unsigned int)config <= cudaFuncCachePreferEqual; }

static int is_bank_config(enum cudaSharedMemConfig config) {
  return (unsigned int)config <= cudaSharedMemBankSizeEightByte;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig) {
  UWRT_ENTER;
  UWRT_REQUIRE(is_cache_config(cacheConfig), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  cache_config = cacheConfig;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cacheConfig) {
  UWRT_ENTER;
  UWRT_REQUIRE(cacheConfig, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *cacheConfig = cache_config;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  UWRT_ENTER;
  UWRT_REQUIRE(is_bank_config(config), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  bank_config = config;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  UWRT_ENTER;
  UWRT_REQUIRE(config, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *config = bank_config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : bank_config;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_kernel_find(func, NULL, NULL), cudaErrorInvalidDeviceFunction);
  UWRT_REQUIRE(is_cache_config(cacheConfig), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_kernel_find(func, NULL, NULL), cudaErrorInvalidDeviceFunction);
  UWRT_REQUIRE(is_bank_config(config), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

static int are_device_flags(unsigned int flags) {
  unsigned int schedule = flags & cudaDeviceScheduleMask;
  const unsigned int known =
      cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  return !(flags & ~known) && (schedule & (schedule - 1)) == 0;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(are_device_flags(flags), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  device_flags = flags;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *flags = device_flags | cudaDeviceMapHost; /* host memory is always mapped */
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  UWRT_REQUIRE(!(flags & ~(unsigned int)cudaInitDeviceFlagsAreValid), cudaErrorInvalidValue);
  if (flags & cudaInitDeviceFlagsAreValid)
    error = cudaSetDeviceFlags(deviceFlags);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceSynchronize(void) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_none());
  UWRT_LEAVE;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  UWRT_ENTER;
  UWRT_LEAVE;
}

cudaError_t cudaDeviceReset(void) {
  uwrt_capture_reset();
  uwrt_exec_reset();
  uwrt_graph_reset();
  uwrt_event_reset();
  uwrt_stream_reset();
  uwrt_texture_reset();
  uwrt_array_reset();
  uwrt_memory_reset();
  uwrt_pool_reset();
  uwrt_kernel_settings_reset();
  uwrt_settings_reset();
  uwrt_clear_errors();
  return cudaSuccess;
}

cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }

cudaError_t cudaProfilerStart(void) {
  UWRT_ENTER;
  UWRT_LEAVE;
}

cudaError_t cudaProfilerStop(void) {
  UWRT_ENTER;
  UWRT_LEAVE;
}
