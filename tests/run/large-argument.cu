// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lineinfo
//
// Thousands of launches with an argument of 32,000 bytes: each reads what it was launched with, and none leaves a copy on
// the launching thread's stack, with source lines kept too.
#include "check.h"

struct large {
  int value[8000];
};

__global__ void sum(const __grid_constant__ large data, int *result) {
  int total = 0;
  for (int i = 0; i < 8000; i++)
    total += data.value[i];
  *result = total;
}

int main(int, char **) {
  buffer<int> result(1);
  static large data;
  int expected = 0;
  for (int i = 0; i < 8000; i++)
    expected += data.value[i] = i % 97;
  for (int iteration = 0; iteration < 2000; iteration++) {
    expected += iteration - data.value[5];
    data.value[5] = iteration;
    sum<<<1, 1>>>(data, result.device);
  }
  result.download();
  expect(0, result[0], expected);
  return passed();
}
