// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is allocated, registered or made while a context of cuCtxCreate is current is that context's, by either API, and ends with it:
// the device has its bytes back, the addresses are nobody's, and what is the primary context's stays.
#include "../check.h"
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <thread>

#define OK(call) CHECK((int)(call) == 0)

static CUcontext context_of(const void *address) {
  CUcontext found = nullptr;
  return cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)address) == CUDA_SUCCESS ? found
                                                                                                           : nullptr;
}

static const size_t most = (size_t)64 << 20;
struct several {
  void *device, *rows, *managed, *pinned, *by_runtime, *registered;
  CUarray array;
  void make() {
    size_t pitch;
    CUDA_ARRAY_DESCRIPTOR how = {256, 16, CU_AD_FORMAT_FLOAT, 1};
    OK(cuMemAlloc((CUdeviceptr *)&device, most));
    OK(cuMemAllocPitch((CUdeviceptr *)&rows, &pitch, 100, 10, 4));
    OK(cuMemAllocManaged((CUdeviceptr *)&managed, 4000, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAllocHost(&pinned, 4000));
    OK(cudaMalloc(&by_runtime, 4000));
    OK(cuMemHostRegister(registered = malloc(4096), 4096, 0));
    OK(cuArrayCreate(&array, &how));
  }
  bool all_of(CUcontext context) const {
    for (void *each : {device, rows, managed, pinned, by_runtime, registered})
      if (context_of(each) != context)
        return false;
    return context_of((char *)device + most - 1) == context; // within it, too
  }
  void free_all() {
    OK(cuMemFree((CUdeviceptr)device));
    OK(cuMemFree((CUdeviceptr)rows));
    OK(cuMemFree((CUdeviceptr)managed));
    OK(cuMemFreeHost(pinned));
    OK(cudaFree(by_runtime));
    OK(cuMemHostUnregister(registered));
    OK(cuArrayDestroy(array));
  }
};

int main() {
  CUcontext primary, first, second, context;
  CUdevice device;
  CUstream stream;
  CUDA_ARRAY_DESCRIPTOR how;
  several ofPrimary, ofFirst, ofSecond;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&primary, device));
  OK(cuCtxPushCurrent(primary));
  ofPrimary.make();
  CHECK(ofPrimary.all_of(primary));

  OK(cuCtxCreate(&first, 0, device));
  ofFirst.make();
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamGetCtx(stream, &context));
  CHECK(context == first);
  OK(cuCtxCreate(&second, 0, device));
  ofSecond.make();
  CHECK(ofFirst.all_of(first) && ofSecond.all_of(second) && ofPrimary.all_of(primary));

  // Each thread has a current context of its own, and so has what it allocates.
  std::thread([&] {
    void *here;
    OK(cudaMalloc(&here, 100));
    CHECK(context_of(here) == primary);
    OK(cuCtxSetCurrent(first));
    void *there;
    OK(cudaMalloc(&there, 100));
    CHECK(context_of(there) == first);
    OK(cudaSetDevice(0)); // the primary one, from here on
    void *again;
    OK(cudaMalloc(&again, 100));
    CHECK(context_of(again) == primary);
    OK(cudaFree(here));
    OK(cudaFree(again)); // the other one is left to its context
  }).join();

  // Memory of pools is the device's, not a context's.
  CUdeviceptr pooled;
  OK(cuMemAllocAsync(&pooled, 4000, nullptr));
  OK(cuStreamSynchronize(nullptr));

  // The second one is current, the first one is not. Both reach all memory.
  OK(cuMemsetD8((CUdeviceptr)ofFirst.device, 7, most));
  void *there = ofFirst.device, *array = ofFirst.array;
  OK(cuCtxDestroy(first));
  CHECK(context_of(there) == nullptr && context_of(ofFirst.rows) == nullptr && context_of(ofFirst.managed) == nullptr &&
        context_of(ofFirst.pinned) == nullptr && context_of(ofFirst.by_runtime) == nullptr &&
        context_of(ofFirst.registered) == nullptr);
  CHECK(cuMemFree((CUdeviceptr)there) == CUDA_ERROR_INVALID_VALUE &&
        cuMemFreeHost(ofFirst.pinned) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemHostUnregister(ofFirst.registered) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK(cuArrayGetDescriptor(&how, (CUarray)array) != CUDA_SUCCESS);
  CHECK(cuStreamQuery(stream) != CUDA_SUCCESS && cuStreamQuery(stream) != CUDA_ERROR_NOT_READY);
  CHECK(ofSecond.all_of(second) && ofPrimary.all_of(primary));
  OK(cuCtxGetCurrent(&context));
  CHECK(context == second);

  // Its bytes are the device's again: more than it has is handed out in turn.
  size_t free_bytes, total;
  OK(cuMemGetInfo(&free_bytes, &total));
  for (size_t sum = 0; sum < total + total / 2; sum += total / 8) {
    CUcontext brief;
    CUdeviceptr much;
    OK(cuCtxCreate(&brief, 0, device));
    CUresult result = cuMemAlloc(&much, total / 8);
    CHECK(result == CUDA_SUCCESS || total / 8 > free_bytes);
    OK(cuCtxDestroy(brief));
  }

  // A reset of the primary context leaves the others alone.
  OK(cuDevicePrimaryCtxReset(device));
  CHECK(context_of(ofPrimary.device) == nullptr && ofSecond.all_of(second));
  OK(cuCtxGetCurrent(&context));
  CHECK(context == second);
  ofSecond.free_all();
  OK(cuMemAlloc((CUdeviceptr *)&there, 100));
  CHECK(context_of(there) == second);
  OK(cuCtxPopCurrent(&context));
  void *here;
  OK(cudaMalloc(&here, 100));
  CHECK(context == second && context_of(here) == primary);
  OK(cuCtxDestroy(second));
  CHECK(context_of(there) == nullptr && context_of(here) == primary);
  OK(cudaFree(here));
  free(ofPrimary.registered), free(ofFirst.registered), free(ofSecond.registered);
  return 0;
}
