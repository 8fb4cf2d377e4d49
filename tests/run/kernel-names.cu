// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one name in two namespaces, overloaded, static, in an anonymous namespace, and as extern "C".
#include "check.h"

namespace red {
__global__ void paint(int *cell) { *cell = 1; }
}
namespace blue {
__global__ void paint(int *cell) { *cell = 2; }
}
namespace {
__global__ void hidden(int *cell) { *cell = 3; }
}
static __global__ void overloaded(int *cell, int) { *cell = 4; }
static __global__ void overloaded(int *cell, float) { *cell = 5; }
extern "C" __global__ void plain_c(int *cell) { *cell = 6; }
struct holder {
  template <typename T> static void launch(int *cell);
};
template <typename T> __global__ void sized(int *cell) { *cell = 70 + (int)sizeof(T); }
template <typename T> void holder::launch(int *cell) { sized<T><<<1, 1>>>(cell); }

int main(void) {
  buffer<int> cells(8);
  red::paint<<<1, 1>>>(cells.device + 0);
  blue::paint<<<1, 1>>>(cells.device + 1);
  hidden<<<1, 1>>>(cells.device + 2);
  overloaded<<<1, 1>>>(cells.device + 3, 1);
  overloaded<<<1, 1>>>(cells.device + 4, 1.0f);
  plain_c<<<1, 1>>>(cells.device + 5);
  holder::launch<short>(cells.device + 6);
  holder::launch<double>(cells.device + 7);
  cells.download();
  for (int k = 0; k < 6; k++)
    expect(k, cells[k], k + 1);
  expect(6, cells[6], 72);
  expect(7, cells[7], 78);
  return passed();
}
