// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual functions of objects that the device creates, called through base pointers. The constructor that is not
// inlined keeps the table with the pure virtual function alive.
#include "check.h"

struct shape {
  __device__ __noinline__ shape() {}
  __device__ virtual ~shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct square : shape {
  int side;
  __device__ explicit square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct rectangle : square {
  int height;
  __device__ rectangle(int w, int h) : square(w), height(h) {}
  __device__ int area() const override { return side * height; }
};
struct disc : shape {
  int radius;
  __device__ explicit disc(int r) : radius(r) {}
  __device__ int area() const override { return 3 * radius * radius; }
};

__global__ void create(shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 3 == 0)
    shapes[i] = new square(i);
  else if (i % 3 == 1)
    shapes[i] = new rectangle(i, i + 1);
  else
    shapes[i] = new disc(i);
}

__global__ void measure(shape **shapes, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = shapes[i]->area() * 10 + shapes[i]->corners();
}

__global__ void destroy(shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    delete shapes[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 200, grid = blocks_for(n, block);
  buffer<shape *> shapes(n);
  buffer<int> out(n);
  create<<<grid, block>>>(shapes.device, n);
  measure<<<grid, block>>>(shapes.device, out.device, n);
  destroy<<<grid, block>>>(shapes.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    int area = i % 3 == 0 ? i * i : i % 3 == 1 ? i * (i + 1) : 3 * i * i;
    expect(i, out[i], area * 10 + (i % 3 == 2 ? 0 : 4));
  }
  return passed();
}
