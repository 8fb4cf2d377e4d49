// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocatable device code: virtual calls, function pointers, inline variables and static variables across files.
// flags: -rdc=true
#include "../../check.h"

#include "shapes.h"

__device__ operation mine[2] = {multiply, add};

__global__ void make(shape **shapes) {
  shapes[0] = new shape;
  shapes[1] = new box(7);
}
__global__ void use(shape *const *shapes, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const shape *s = shapes[i % 2];
  out[i] = s->area() * 10 + s->corners() + operations[i % 2](i, 3) + mine[i % 2](i, 2);
}
__global__ void change(int *out) {
  inline_variable += 10;
  template_variable<int> += 20;
  out[0] = count_up();
  out[1] = count_both();
}

void look(int *out);

int main(int argc, char **argv) {
  const int n = 100;
  int block = block_size(argc, argv);
  buffer<int> out(n);
  shape **shapes;
  CHECK(cudaMalloc(&shapes, 2 * sizeof *shapes));
  make<<<1, 1>>>(shapes);
  use<<<blocks_for(n, block), block>>>(shapes, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i % 2 ? 494 + i * 3 + (i + 2) : 10 + (i + 3) + i * 2);
  expect(0, count_both(), 101);
  change<<<1, 1>>>(out.device);
  out.download();
  expect(0, out[0], 1);
  expect(1, out[1], 101);
  look(out.device);
  out.download();
  const int expected[] = {13, 25, 2, 102};
  for (int i = 0; i < 4; i++)
    expect(i, out[i], expected[i]);
  int value = 40;
  CHECK(cudaMemcpyToSymbol(inline_variable, &value, sizeof value));
  look(out.device);
  out.download();
  expect(0, out[0], 40);
  expect(0, count_both(), 102);
  return passed();
}
