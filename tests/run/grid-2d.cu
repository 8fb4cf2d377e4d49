// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A two-dimensional grid of two-dimensional blocks that overhang the matrix on both sides.
#include "check.h"

__global__ void fill(int *matrix, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    matrix[y * width + x] = 1000 * y + x;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int width = 70, height = 45;
  const dim3 shapes[] = {dim3(block, 1), dim3(1, block), dim3(16, 4), dim3(7, 5)};
  for (dim3 shape : shapes) {
    buffer<int> matrix(width * height);
    dim3 grid((width + shape.x - 1) / shape.x, (height + shape.y - 1) / shape.y);
    fill<<<grid, shape>>>(matrix.device, width, height);
    matrix.download();
    for (int i = 0; i < width * height; i++)
      expect(i, matrix[i], 1000 * (i / width) + i % width);
  }
  return passed();
}
