// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes.h"

__device__ int shape::area() const { return 1; }
__device__ int box::area() const { return side * side; }
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ operation operations[2] = {add, multiply};

static __global__ void read(int *out) {
  out[0] = inline_variable;
  out[1] = template_variable<int>;
  out[2] = count_up();
  out[3] = count_both();
}
void look(int *out) { read<<<1, 1>>>(out); }
