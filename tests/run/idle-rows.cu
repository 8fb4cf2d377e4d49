// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that are far larger than the data, so that whole rows of blocks have nothing to do: a product of matrices, a
// permutation by bits; and blocks with rows of threads that all do the same, or count.
#include "check.h"

__global__ void multiply(float *c, const float *a, const float *b, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

__global__ void permute(int *out, const int *in, unsigned mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i ^ mask];
}

__global__ void squares(int *out, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i * i;
}

__global__ void counted(int *out, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = i * i;
    atomicAdd(&counts[i], 1);
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int m = 32, n = 64, k = 20, most = 4096;
  buffer<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; i++)
    a[i] = i % 7;
  for (int i = 0; i < k * n; i++)
    b[i] = i % 5;
  a.upload();
  b.upload();
  const dim3 shapes[] = {dim3(16, 16), dim3(32, 4), dim3(8, 8, 2), dim3(block, 1), dim3(1, block)};
  for (dim3 shape : shapes) {
    if (shape.z > 1)
      shape.z = 1;
    for (int i = 0; i < m * n; i++)
      c[i] = -1;
    c.upload();
    multiply<<<dim3(5 + n / shape.x, 5 + m / shape.y), shape>>>(c.device, a.device, b.device, m, n, k);
    c.download();
    for (int y = 0; y < m; y++)
      for (int x = 0; x < n; x++) {
        float sum = 0;
        for (int i = 0; i < k; i++)
          sum += a[y * k + i] * b[i * n + x];
        expect(y * n + x, c[y * n + x], sum);
      }
  }
  buffer<int> in(most), out(most);
  for (int i = 0; i < most; i++)
    in[i] = i;
  in.upload();
  for (int i = 0; i < most; i++)
    out[i] = -1;
  out.upload();
  permute<<<2 + 2048 / block, block>>>(out.device, in.device, 16, 256);
  out.download();
  for (int i = 0; i < most; i++)
    expect(i, out[i], i < 256 ? i ^ 16 : -1);
  buffer<int> square(100), count(100);
  for (int k = 0; k < 2; k++) {
    (k ? counted : squares)<<<4, dim3(32, 4, 2)>>>(square.device, count.device, 0); // by a pointer, too
    if (k == 0)
      squares<<<4, dim3(32, 4, 2)>>>(square.device, count.device, 100);
    if (k == 1)
      count.upload(), counted<<<4, dim3(32, 4, 2)>>>(square.device, count.device, 100);
    square.download();
    for (int i = 0; i < 100; i++)
      expect(i, square[i], i * i);
  }
  count.download();
  for (int i = 0; i < 100; i++)
    expect(i, count[i], 8);
  return passed();
}
