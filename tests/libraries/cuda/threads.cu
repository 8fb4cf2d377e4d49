// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has no context before it makes one current, whatever other threads' calls of the driver do meanwhile.
#include "../check.h"
#include <atomic>
#include <cuda.h>
#include <thread>

int main() {
  CUcontext context, current;
  CUdevice device;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  std::atomic<bool> over(false);
  std::atomic<int> looks(0), wrong_looks(0);
  std::thread other([&] {
    do {
      CUcontext none = (CUcontext)8;
      wrong_looks +=
          cuCtxGetCurrent(&none) != CUDA_SUCCESS || none || cuCtxGetDevice(&device) != CUDA_ERROR_INVALID_CONTEXT;
      looks++;
    } while (!over);
  });
  for (int i = 0; i < 20000 || looks < 20000; i++) {
    CUdeviceptr p;
    if (cuMemAlloc(&p, 64) != CUDA_SUCCESS || cuMemsetD8(p, 1, 64) != CUDA_SUCCESS || cuMemFree(p) != CUDA_SUCCESS)
      wrong_looks++;
  }
  over = true;
  other.join();
  CHECK(wrong_looks == 0);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context);

  // A use of the runtime API makes the primary context current, in every thread.
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS && cuCtxGetCurrent(&current) == CUDA_SUCCESS && !current);
  CHECK(cudaFree(nullptr) == cudaSuccess && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current);
  std::thread([&] {
    CUcontext primary = nullptr;
    CHECK(cuCtxGetCurrent(&primary) == CUDA_SUCCESS && primary == current);
  }).join();
  return report("threads");
}
