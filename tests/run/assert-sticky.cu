// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failed assert in a kernel: the message, cudaErrorAssert, and that every later call which needs the device reports it. What only
// asks which devices there are does not, and reading the last error clears it until the next report.
#include "check.h"

#undef NDEBUG
#include <assert.h>
#include <unistd.h>

__global__ void check_sign(const int *in) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  assert(value >= 0 && "not negative");
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> in(n);
  in.upload();
  check_sign<<<blocks, block>>>(in.device);
  CHECK(cudaDeviceSynchronize());
  in[n - 1] = -1; // the last thread of the last block fails
  in.upload();
  FILE *file = tmpfile();
  int saved = dup(2);
  dup2(fileno(file), 2);
  check_sign<<<blocks, block>>>(in.device);
  cudaError_t first = cudaDeviceSynchronize();
  fflush(stderr);
  dup2(saved, 2);
  rewind(file);
  char text[4096], place[100];
  text[fread(text, 1, sizeof(text) - 1, file)] = 0;
  expect(1, (int)first, (int)cudaErrorAssert);
  void *pointer;
  expect(2, (int)cudaMalloc(&pointer, 16), (int)cudaErrorAssert);
  expect(3, (int)cudaDeviceSynchronize(), (int)cudaErrorAssert);
  expect(4, (int)cudaGetLastError(), (int)cudaErrorAssert);
  expect(5, (int)cudaGetLastError(), (int)cudaSuccess);
  expect(6, (int)cudaPeekAtLastError(), (int)cudaSuccess);
  int device = -1, count = 0, lanes = 0;
  expect(7, (int)cudaGetDevice(&device), (int)cudaSuccess);
  expect(8, (int)cudaSetDevice(device), (int)cudaSuccess);
  expect(9, (int)cudaGetDeviceCount(&count), (int)cudaSuccess);
  expect(10, (int)cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device), (int)cudaSuccess);
  cudaDeviceProp properties;
  cudaPointerAttributes attributes;
  expect(11, (int)cudaGetDeviceProperties(&properties, device), (int)cudaSuccess);
  expect(12, (int)cudaPointerGetAttributes(&attributes, in.device), (int)cudaSuccess);
  expect(13, count > 0 && lanes == 32 && properties.warpSize == 32 && attributes.type == cudaMemoryTypeDevice, true);
  expect(14, (int)cudaPeekAtLastError(), (int)cudaSuccess);
  check_sign<<<blocks, block>>>(in.device);
  expect(15, (int)cudaPeekAtLastError(), (int)cudaErrorAssert);
  expect(16, (int)cudaGetLastError(), (int)cudaErrorAssert);
  expect(17, (int)cudaGetLastError(), (int)cudaSuccess);
  expect(18, (int)cudaStreamSynchronize(0), (int)cudaErrorAssert);
  snprintf(place, sizeof(place), "block: [%d,0,0], thread: [%d,0,0] Assertion `", blocks - 1, block - 1);
  if (!strstr(text, "assert-sticky.cu:") || !strstr(text, place) || !strstr(text, "failed.")) {
    printf("got message '%s', expected '%s'\n", text, place);
    return 1;
  }
  return passed();
}
