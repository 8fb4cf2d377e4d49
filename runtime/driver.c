/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The few calls of the driver API that programs of the runtime API mix in: they ask about the device, which is the
 * runtime's. CUresult's values are cudaError_t's.
 */
#pragma GCC visibility push(default)
#include "../include/cuda.h"
#pragma GCC visibility pop
#include "internal.h"

#include <string.h>

CUresult cuInit(unsigned int flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }

CUresult cuMemGetInfo(size_t *available, size_t *total) { return (CUresult)cudaMemGetInfo(available, total); }

CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwrt_device_exists(ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

typedef void (*any_function)(void);
static const struct {
  const char *name;
  any_function function;
} functions[] = {
#define FUNCTION(name) {#name, (any_function)name}
    FUNCTION(cuInit),           FUNCTION(cuDriverGetVersion), FUNCTION(cuMemGetInfo),
    FUNCTION(cuDeviceGetCount), FUNCTION(cuDeviceGet),
#undef FUNCTION
};

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus) {
  const unsigned long long streams = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
  UWRT_ENTER;
  UWRT_REQUIRE(symbol && *symbol && funcPtr && flags < streams, cudaErrorInvalidValue);
  *funcPtr = NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(symbol, functions[i].name) == 0)
      *funcPtr = (void *)functions[i].function;
  int too_new = *funcPtr && cudaVersion > CUDART_VERSION;
  if (too_new)
    *funcPtr = NULL;
  if (driverStatus) /* then the status tells, and the call succeeds */
    *driverStatus = too_new    ? cudaDriverEntryPointVersionNotSufficent
                    : *funcPtr ? cudaDriverEntryPointSuccess
                               : cudaDriverEntryPointSymbolNotFound;
  else
    UWRT_REQUIRE(*funcPtr, cudaErrorSymbolNotFound);
  UWRT_LEAVE;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
