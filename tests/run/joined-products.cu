// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices whose blocks run together along a row: rows of blocks of several lengths, with the last ones left over, under a
// condition or without, with indices of 32 and 64 bits, on blocks narrower and wider than what runs together.
#include "check.h"

__global__ void plain(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void guarded(const float *a, const float *b, float *c, unsigned n) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void wide(const float *a, const float *b, float *c, size_t n) {
  size_t row = blockIdx.y * (size_t)blockDim.y + threadIdx.y, column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (row < n && column < n)
    for (size_t k = 0; k < n; k++)
      c[row * n + column] += a[row * n + k] * b[k * n + column];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv),
            columns = block == 256 ? 64
                      : block == 1 ? 8
                                   : 16,
            rows = block == 33 ? 3 : 8;
  unsigned state = 3;
  for (int form = 0; form < 3; form++) {
    const int n = form == 0 ? rows * columns * (block == 256 ? 1 : 2) : 131;
    buffer<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
      a[i] = (float)(next_random(state) % 16);
      b[i] = (float)(next_random(state) % 16);
      c[i] = 0;
    }
    a.upload(), b.upload(), c.upload();
    dim3 threads(columns, rows), blocks((n + columns - 1) / columns, (n + rows - 1) / rows);
    if (form == 0)
      plain<<<blocks, threads>>>(a.device, b.device, c.device, n);
    else if (form == 1)
      guarded<<<blocks, threads>>>(a.device, b.device, c.device, n);
    else
      wide<<<blocks, threads>>>(a.device, b.device, c.device, n);
    c.download();
    for (int i = 0; i < n * n; i++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i / n * n + k] * b[k * n + i % n];
      expect(i, c[i], sum);
    }
  }
  return passed();
}
