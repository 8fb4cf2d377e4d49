/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registers the operations of a library as kernels, when it is loaded, and launches them. The list is a section of the
 * library. */
#include <stdlib.h>

#include "library.h"

const uint32_t uwl_no_offset[1] = {0};

extern const uwrt_kernel *const __start_uwl_operations[] __attribute__((visibility("hidden")));
extern const uwrt_kernel *const __stop_uwl_operations[] __attribute__((visibility("hidden")));

static uwrt_module module;

__attribute__((constructor)) static void register_operations(void) {
  size_t count = (size_t)(__stop_uwl_operations - __start_uwl_operations);
  uwrt_kernel *kernels = malloc(count * sizeof *kernels);
  if (!kernels)
    abort();
  for (size_t i = 0; i < count; i++)
    kernels[i] = *__start_uwl_operations[i];
  module = (uwrt_module){.abi_version = UWRT_ABI_VERSION, .kernel_count = (uint32_t)count, .kernels = kernels};
  uwrt_register(&module);
}

__attribute__((destructor)) static void unregister_operations(void) { uwrt_unregister(&module); }

cudaError_t uwl_launch(const void *stub, cudaStream_t stream, const void *record) {
  void *args[] = {(void *)record};
  const dim3 one = {1, 1, 1};
  return cudaLaunchKernel(stub, one, one, args, 0, stream);
}

int uwl_is_capturing(cudaStream_t stream) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}
