/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The few calls of the driver API that programs of the runtime API mix in: they ask about the device, which is the
 * runtime's. CUresult's values are cudaError_t's.
 */
#pragma GCC visibility push(default)
#include "../include/cuda.h"
#pragma GCC visibility pop
#include "internal.h"

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
