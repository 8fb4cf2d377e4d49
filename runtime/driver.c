/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime's side of the driver API (driver.h), and the driver's functions by name: those are libcuda's, which is
 * opened when the first one is asked for.
 */
#define _GNU_SOURCE
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

void uwrt_driver_enter(uwrt_driver_state *saved) {
  uwrt_count_driver_calls(1);
  saved->last_error = cudaGetLastError();
}

void uwrt_driver_leave(const uwrt_driver_state *saved) {
  cudaGetLastError();
  uwrt_note_error(saved->last_error);
  uwrt_count_driver_calls(-1);
}

const uwrt_kernel *uwrt_kernel_known(const void *stub) {
  const uwrt_kernel *kernel;
  return uwrt_kernel_find(stub, &kernel, NULL) ? kernel : NULL;
}

int uwrt_range_of(const void *address, uwrt_range *found) {
  uwrt_allocation allocation;
  if (!uwrt_allocation_find(address, &allocation))
    return 0;
  int kind = UWRT_RANGE_DEVICE;
  switch (allocation.space) {
  case UWRT_SPACE_DEVICE:
  case UWRT_SPACE_VARIABLE:
  case UWRT_SPACE_GRAPH: break;
  case UWRT_SPACE_MANAGED:
  case UWRT_SPACE_MANAGED_VARIABLE: kind = UWRT_RANGE_MANAGED; break;
  case UWRT_SPACE_HOST: kind = UWRT_RANGE_HOST; break;
  case UWRT_SPACE_REGISTERED: kind = UWRT_RANGE_REGISTERED; break;
  case UWRT_SPACE_MAPPED: kind = UWRT_RANGE_MAPPED; break;
  }
  *found = (uwrt_range){(void *)allocation.base, allocation.bytes,  kind, allocation.device, allocation.flags,
                        allocation.pool,         allocation.context};
  return 1;
}

cudaError_t uwrt_range_map(void *start, size_t bytes, int device) {
  uwrt_allocation allocation = {(uintptr_t)start, bytes, UWRT_SPACE_MAPPED, 0, NULL, NULL, device, NULL, {0}};
  return uwrt_allocation_add(&allocation);
}

void uwrt_context_free(const void *context) {
  uwrt_array_reset(uwrt_current_device(), context);
  uwrt_memory_reset(uwrt_current_device(), context, "by cuCtxDestroy");
}

cudaError_t uwrt_range_unmap(void *start) {
  uwrt_allocation taken;
  return uwrt_allocation_take(start, UWRT_SPACE_MAPPED, &taken) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t uwrt_fill_rows(void *start, size_t pitch, unsigned int value, unsigned int element, size_t width,
                           size_t height, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(height <= 1 || (width <= pitch / element && pitch <= UWRT_MAX_PITCH && pitch % element == 0),
               cudaErrorInvalidValue);
  uwrt_work work = {
      .type = cudaGraphNodeTypeMemset,
      .fill = {.rows = {start, height > 1 ? pitch : width * element, value, element, width, height}, .depth = 1}};
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

/* --- functions by name -------------------------------------------------------------------------------------------- */

typedef int find_function(const char *symbol, void **function, int version, unsigned long long flags, int *status);
static find_function *finder;
static pthread_once_t finder_once = PTHREAD_ONCE_INIT;

/* By the loader's own search, else beside the object that this code is in. */
static void open_driver(void) {
  const char *const name = "libcuda.so.1";
  void *driver = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  Dl_info here;
  const char *slash;
  if (!driver && dladdr((void *)&finder, &here) && here.dli_fname && (slash = strrchr(here.dli_fname, '/'))) {
    char path[4096];
    size_t folder = (size_t)(slash - here.dli_fname) + 1;
    if (folder + strlen(name) < sizeof path) {
      memcpy(path, here.dli_fname, folder);
      strcpy(path + folder, name);
      driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
  }
  if (driver)
    finder = (find_function *)dlsym(driver, "cuGetProcAddress_v2");
}

void (*uwrt_driver_function(const char *name))(void) {
  void *found = NULL;
  pthread_once(&finder_once, open_driver);
  if (finder)
    finder(name, &found, 99999, 0, NULL);
  return (void (*)(void))(uintptr_t)found;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus) {
  const unsigned long long streams = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
  int status = cudaDriverEntryPointSymbolNotFound;
  UWRT_ENTER;
  UWRT_REQUIRE(symbol && *symbol && funcPtr && flags < streams, cudaErrorInvalidValue);
  *funcPtr = NULL;
  pthread_once(&finder_once, open_driver);
  if (finder)
    finder(symbol, funcPtr, (int)cudaVersion, flags, &status);
  if (driverStatus) /* then the status tells, and the call succeeds */
    *driverStatus = (enum cudaDriverEntryPointQueryResult)status;
  else
    UWRT_REQUIRE(*funcPtr, cudaErrorSymbolNotFound);
  UWRT_LEAVE;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
