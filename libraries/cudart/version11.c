/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libcudart.so.11.0: what has another form in CUDA 11 than in 12. All other functions are jumps to libcudart.so.12
 * (scripts/cudart-forwarders.sh). Structures of CUDA 11 are the first members of those of 12.
 */
#include "before12.h"

enum { PROPERTIES_BYTES = offsetof(struct cudaDeviceProp, reservedSharedMemPerBlock) + sizeof(size_t) };
_Static_assert(PROPERTIES_BYTES == 728, "as CUDA 11 has them");

#pragma GCC visibility push(default)
cudaError_t properties(void *prop, int device) {
  struct cudaDeviceProp all;
  cudaError_t error = cudaGetDeviceProperties_in_12(prop ? &all : NULL, device);
  if (error == cudaSuccess)
    memcpy(prop, &all, PROPERTIES_BYTES);
  return error;
}

cudaError_t choose(int *device, const void *prop) {
  struct cudaDeviceProp all = {0};
  if (prop)
    memcpy(&all, prop, PROPERTIES_BYTES);
  return cudaChooseDevice_in_12(device, prop ? &all : NULL);
}

cudaError_t runtime_version(int *version) {
  if (!version)
    return cudaErrorInvalidValue;
  *version = 11080;
  return cudaSuccess;
}
#pragma GCC visibility pop
