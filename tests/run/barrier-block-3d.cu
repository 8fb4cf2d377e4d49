// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in three-dimensional blocks: the exchange goes along each axis in turn.
#include "check.h"

__global__ void flip(int *out) {
  __shared__ int cube[8][8][8];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  int nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
  cube[z][y][x] = (z * 10 + y) * 10 + x;
  __syncthreads();
  int value = cube[z][y][nx - 1 - x];
  __syncthreads();
  cube[z][y][x] = value;
  __syncthreads();
  value = cube[z][ny - 1 - y][x];
  __syncthreads();
  cube[z][y][x] = value;
  __syncthreads();
  out[((blockIdx.y * nz + z) * ny + y) * nx + x] = cube[nz - 1 - z][y][x];
}

int main(void) {
  const dim3 shapes[] = {dim3(4, 4, 4), dim3(8, 1, 3), dim3(1, 5, 7), dim3(8, 8, 8), dim3(3, 1, 1)};
  for (dim3 shape : shapes) {
    int nx = shape.x, ny = shape.y, nz = shape.z;
    buffer<int> out(2 * nx * ny * nz);
    flip<<<dim3(1, 2), shape>>>(out.device);
    out.download();
    for (int i = 0; i < 2 * nx * ny * nz; i++) {
      int x = i % nx, y = i / nx % ny, z = i / (nx * ny) % nz;
      expect(i, out[i], (nz - 1 - z) * 100 + (ny - 1 - y) * 10 + nx - 1 - x);
    }
  }
  return passed();
}
