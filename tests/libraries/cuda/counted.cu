// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting devices by the runtime starts the driver, but no context, as with NVIDIA's: PyTorch 2.8 asks the driver then.
#include "../check.h"
#include <cuda.h>

int main() {
  int count = 0, active = 7;
  unsigned flags = 7;
  CUcontext context = nullptr;
  CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count > 0);
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS && count > 0);
  CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
  CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && !context);
  return report("counted");
}
