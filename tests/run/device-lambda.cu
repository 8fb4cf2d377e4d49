// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extended lambdas handed from the host to a kernel template, with values and pointers captured.
// nvcc flags: --extended-lambda
#include "check.h"

template <typename Body> __global__ void for_each(int n, Body body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    body(i);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 700;
  buffer<int> a(n), b(n);
  int *a_device = a.device, *b_device = b.device, scale = 3;
  double offset = 2.5;
  for_each<<<3, block>>>(n, [=] __device__(int i) { a_device[i] = i * scale; });
  for_each<<<2, block>>>(n, [=] __device__(int i) {
    int total = 0;
    auto add = [&total](int value) { total += value; };
    add(a_device[i]);
    add((int)(offset * 2));
    b_device[i] = total;
  });
  b.download();
  for (int i = 0; i < n; i++)
    expect(i, b[i], 3 * i + 5);
  return passed();
}
