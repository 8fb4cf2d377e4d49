// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiled matrix product through two shared tiles, for sizes that the tile does not divide.
#include "check.h"

const int tile = 8;

__global__ void multiply(const double *a, const double *b, double *c, int n) {
  __shared__ double part_a[tile][tile], part_b[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  double sum = 0;
  for (int base = 0; base < n; base += tile) {
    part_a[y][x] = row < n && base + x < n ? a[row * n + base + x] : 0;
    part_b[y][x] = column < n && base + y < n ? b[(base + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; k++)
      sum += part_a[y][k] * part_b[k][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

int main(void) {
  const int sizes[] = {1, 8, 13, 40};
  for (int n : sizes) {
    buffer<double> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
      a[i] = i % 7 - 3;
      b[i] = i % 5 + 1;
    }
    a.upload();
    b.upload();
    dim3 grid(blocks_for(n, tile), blocks_for(n, tile));
    multiply<<<grid, dim3(tile, tile)>>>(a.device, b.device, c.device, n);
    c.download();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double expected = 0;
        for (int k = n - 1; k >= 0; k--)
          expected += a[i * n + k] * b[k * n + j];
        expect(i * n + j, c[i * n + j], expected);
      }
  }
  return passed();
}
