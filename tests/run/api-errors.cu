// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of other calls: bad sizes and directions, null pointers, names and texts of the codes.
#include "check.h"

int main(void) {
  void *pointer = NULL;
  char bytes[16];
  expect(1, (int)cudaMalloc(&pointer, (size_t)1 << 60), (int)cudaErrorMemoryAllocation);
  expect(1, (int)cudaGetLastError(), (int)cudaErrorMemoryAllocation);
  expect(2, (int)cudaMalloc((void **)NULL, 16), (int)cudaErrorInvalidValue);
  expect(3, (int)cudaMemcpy(bytes, bytes, 8, (cudaMemcpyKind)77), (int)cudaErrorInvalidMemcpyDirection);
  expect(4, (int)cudaFree(NULL), (int)cudaSuccess);
  expect(5, (int)cudaSetDevice(4321), (int)cudaErrorInvalidDevice);
  expect(6, (int)cudaGetLastError(), (int)cudaErrorInvalidDevice);
  expect(7, (int)cudaGetLastError(), (int)cudaSuccess);
  if (strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration") != 0 ||
      strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0 ||
      strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0 ||
      strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") != 0) {
    printf("wrong texts: %s, %s, %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
           cudaGetErrorString(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorInvalidConfiguration));
    return 1;
  }
  return passed();
}
