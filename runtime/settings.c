/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program sets for the device and may read back: scheduling flags, limits, cache and bank preferences. They are
 * hints or sizes of things that a CPU does not have, so they are checked and kept, and change nothing else. Also the
 * device's synchronisation and reset, and the deprecated cudaThread names of all these.
 */
#include <pthread.h>
#include <string.h>

#include "internal.h"

static const size_t default_limits[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};
enum { LIMIT_COUNT = sizeof default_limits / sizeof *default_limits };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  size_t limits[LIMIT_COUNT];
  int limits_are_set[LIMIT_COUNT];
  unsigned int device_flags;
  enum cudaFuncCache cache_config;
  enum cudaSharedMemConfig bank_config;
} devices[UWRT_DEVICE_MOST];
#define OWN (devices[uwrt_current_device()])

void uwrt_settings_reset(int device) {
  pthread_mutex_lock(&lock);
  memset(&devices[device], 0, sizeof devices[device]);
  pthread_mutex_unlock(&lock);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  UWRT_ENTER;
  UWRT_REQUIRE((unsigned int)limit < LIMIT_COUNT, cudaErrorUnsupportedLimit);
  UWRT_REQUIRE(limit != cudaLimitPersistingL2CacheSize || value <= (size_t)uwrt_persisting_cache_bytes(),
               cudaErrorInvalidValue);
  UWRT_REQUIRE(limit != cudaLimitMaxL2FetchGranularity || value <= 128, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  OWN.limits[limit] = value;
  OWN.limits_are_set[limit] = 1;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  UWRT_ENTER;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  UWRT_REQUIRE((unsigned int)limit < LIMIT_COUNT, cudaErrorUnsupportedLimit);
  pthread_mutex_lock(&lock);
  *value = OWN.limits_are_set[limit] ? OWN.limits[limit] : default_limits[limit];
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
  OWN.cache_config = cacheConfig;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *cacheConfig) {
  UWRT_ENTER;
  UWRT_REQUIRE(cacheConfig, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *cacheConfig = OWN.cache_config;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  UWRT_ENTER;
  UWRT_REQUIRE(is_bank_config(config), cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  OWN.bank_config = config;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  UWRT_ENTER;
  UWRT_REQUIRE(config, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *config = OWN.bank_config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : OWN.bank_config;
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
  OWN.device_flags = flags;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  *flags = OWN.device_flags | cudaDeviceMapHost; /* host memory is always mapped */
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
  if (uwrt_in_kernel())
    uwrt_finish_own_children();
  else
    UWRT_TRY(uwrt_capture_none());
  UWRT_TRY(uwrt_wait_for_device());
  uwrt_note_order(UWRT_ORDER_HOST_ALL, NULL, NULL);
  uwrt_guards_look();
  uwrt_pool_synchronised();
  UWRT_LEAVE;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  UWRT_ENTER;
  UWRT_LEAVE;
}

cudaError_t cudaDeviceReset(void) {
  int device = uwrt_current_device();
  uwrt_wait_for_device();
  uwrt_capture_reset(device);
  uwrt_exec_reset(device);
  uwrt_graph_reset(device);
  uwrt_event_reset(device);
  uwrt_stream_reset(device);
  if (uwrt_device_count() == 1) /* an object may name memory of any device */
    uwrt_texture_reset();
  uwrt_array_reset(device, NULL);
  uwrt_memory_reset(device, NULL, "by cudaDeviceReset");
  uwrt_pool_reset(device);
  uwrt_peers_reset(device);
  uwrt_variables_reset(device);
  uwrt_kernel_settings_reset();
  uwrt_settings_reset(device);
  uwrt_clear_sticky_error();
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
