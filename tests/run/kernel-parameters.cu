// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel's parameters lie in a buffer of all of them: each at its own alignment, after the one before it.
#include "check.h"

struct three {
  char bytes[3];
};
struct alignas(16) wide {
  float values[4];
};

__global__ void many(char first, double second, three third, short fourth, wide fifth, int *sixth) {
  *sixth = first + (int)second + third.bytes[2] + fourth + (int)fifth.values[3];
}
__global__ void none() {}

int main() {
  const size_t offsets[] = {0, 8, 16, 20, 32, 48}, sizes[] = {1, 8, 3, 2, 16, 8};
  size_t offset = 99, size = 99;
  for (int i = 0; i < 6; i++) {
    CHECK(cudaFuncGetParamInfo((const void *)many, i, &offset, &size));
    expect(i, offset, offsets[i]);
    expect(10 + i, size, sizes[i]);
  }
  CHECK(cudaFuncGetParamInfo((const void *)many, 2, &offset, NULL));
  expect(-1, (int)cudaFuncGetParamInfo((const void *)many, 6, &offset, &size), (int)cudaErrorInvalidValue);
  expect(-2, (int)cudaFuncGetParamInfo((const void *)none, 0, &offset, &size), (int)cudaErrorInvalidValue);
  const int no_kernel = CUDART_VERSION < 13000 ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
  expect(-3, (int)cudaFuncGetParamInfo(&offset, 0, &offset, &size), no_kernel);
  buffer<int> out(1);
  many<<<1, 1>>>(1, 2.5, three{{0, 0, 3}}, 4, wide{{0, 0, 0, 5}}, out.device);
  cudaGetLastError(); // the errors above
  out.download();
  expect(-4, out[0], 15);
  return passed();
}
