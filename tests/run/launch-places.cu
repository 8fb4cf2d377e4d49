// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in odd locations: in loops and branches, templates, methods, lambdas, with shapes computed on the spot.
#include "check.h"

__global__ void add(int *data, int n, int value) {
  int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

struct engine {
  int *data;
  int n, block;
  dim3 grid() const { return dim3(1 + n / block / 2, 2); }
  void step(int value) { add<<<grid(), block>>>(data, n, value); }
  template <typename T> void repeat(T times) {
    for (T k = 0; k < times; k++)
      add<<<grid(), dim3(block, 1, 1), 0, 0>>>(data, n, (int)k);
  }
};

static int next_value(int &state) { return state++; }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500;
  buffer<int> data(n);
  data.upload();
  engine e = {data.device, n, block};
  int expected = 0, state = 100;
  e.step(5);
  expected += 5;
  e.repeat(4);
  e.repeat(3ll);
  expected += 0 + 1 + 2 + 3 + 0 + 1 + 2;
  for (int k = 0; k < 6; k++) {
    if (k % 2)
      continue;
    else
      add<<<blocks_for(n, block), block>>>(data.device, n, 1000);
    expected += 1000;
  }
  auto launch = [&](int value) {
    add<<<e.grid(), block>>>(data.device, n, value);
    return value;
  };
  expected += launch(7) + launch(8);
  add<<<blocks_for(n, block), block>>>(data.device, n, next_value(state)); // arguments are evaluated once
  expected += 100;
  expect(-1, state, 101);
  switch (block % 3) {
  case 0:
    add<<<n, 1>>>(data.device, n, 20);
    expected += 20;
    break;
  case 1: add<<<1, 1>>>(data.device, 0, 30); break;
  default: e.step(50); expected += 50;
  }
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], expected);
  return passed();
}
