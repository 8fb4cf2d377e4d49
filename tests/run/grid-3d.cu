// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three dimensions of blocks and of threads; each cell is written by exactly one thread.
#include "check.h"

__global__ void count_visits(int *visits, int *owner, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  int cell = (z * ny + y) * nx + x;
  atomicAdd(&visits[cell], 1);
  owner[cell] = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int nx = 19, ny = 11, nz = 7;
  const dim3 shapes[] = {dim3(block, 1, 1), dim3(4, 3, 2), dim3(2, 2, 8), dim3(1, 1, 1)};
  for (dim3 shape : shapes) {
    buffer<int> visits(nx * ny * nz), owner(nx * ny * nz);
    visits.upload();
    dim3 grid((nx + shape.x - 1) / shape.x, (ny + shape.y - 1) / shape.y, (nz + shape.z - 1) / shape.z);
    count_visits<<<grid, shape>>>(visits.device, owner.device, nx, ny, nz);
    visits.download();
    owner.download();
    for (int z = 0; z < nz; z++)
      for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
          int cell = x + nx * (y + ny * z);
          expect(cell, visits[cell], 1);
          int expected = x / shape.x + grid.x * (y / shape.y + grid.y * (z / shape.z));
          expect(cell, owner[cell], expected);
        }
  }
  return passed();
}
