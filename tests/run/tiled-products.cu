// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices whose rows lie far apart: with the last blocks left over, with loops that begin
// and end anywhere, that have several sums or read two matrices, of both floating-point types, and on one matrix for both factors.
#include "check.h"

enum { LONG = 8192 }; // elements from one row to the next

template <class T> __global__ void guarded(const T *a, const T *b, T *c, int rows, int columns, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    T sum = c[row * columns + column];
    for (int k = 0; k < depth; k++)
      sum += a[row * LONG + k] * b[k * LONG + column];
    c[row * columns + column] = sum;
  }
}

__global__ void between(const float *a, const float *b, float *c, unsigned n, unsigned first, unsigned last) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  float sum = 1, least = 1000;
  for (unsigned k = first; k < last; k++) {
    float product = a[row * LONG + k] * b[k * LONG + column];
    sum += product;
    least = fminf(least, product + (float)k);
  }
  c[row * n + column] = sum + least;
}

__global__ void both(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t n, bool twice) {
  size_t row = blockIdx.y * (size_t)blockDim.y + threadIdx.y, column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0;
    if (twice)
      for (size_t k = 0; k < n; k++)
        sum += a[row * LONG + k] * b[k * LONG + column] + b[row * LONG + k] * a[k * LONG + column];
    c[row * n + column] = sum;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  const dim3 threads(block == 256 ? 64 : block == 1 ? 8 : 16, block == 33 ? 3 : 4);
  const dim3 blocks((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
  unsigned state = 7;
  buffer<float> a(n * LONG), b(n * LONG), c(n * n);
  buffer<double> wide_a(n * LONG), wide_b(n * LONG), wide_c(n * n);
  for (int i = 0; i < n * n; i++) {
    const int at = i / n * LONG + i % n;
    wide_a[at] = a[at] = (float)(next_random(state) % 8);
    wide_b[at] = b[at] = (float)(next_random(state) % 8);
    wide_c[i] = c[i] = (float)(i % 5);
  }
  a.upload(), b.upload(), wide_a.upload(), wide_b.upload();

  for (int turn = 0; turn < 3; turn++) {
    const int rows = turn == 0 ? n : n - 45, columns = turn == 2 ? 290 : n, depth = turn == 1 ? 129 : 256;
    c.upload(), wide_c.upload();
    buffer<float> result(n * n);
    buffer<double> wide(n * n);
    cudaMemcpy(result.device, c.device, sizeof(float) * n * n, cudaMemcpyDeviceToDevice);
    cudaMemcpy(wide.device, wide_c.device, sizeof(double) * n * n, cudaMemcpyDeviceToDevice);
    guarded<<<blocks, threads>>>(a.device, b.device, result.device, rows, columns, depth);
    guarded<<<blocks, threads>>>(wide_a.device, wide_b.device, wide.device, rows, columns, depth);
    result.download(), wide.download();
    for (int i = 0; i < n * n; i++) {
      float sum = c[i];
      for (int k = 0; k < depth && i < rows * columns; k++)
        sum += a[i / columns * LONG + k] * b[k * LONG + i % columns];
      expect(i, result[i], sum);
      expect(i, wide[i], (double)sum);
    }
  }

  const unsigned ends[][2] = {{0, 300}, {5, 290}, {150, 290}, {299, 300}, {7, 7}, {9, 2}};
  for (unsigned form = 0; form < sizeof ends / sizeof *ends; form++) {
    between<<<blocks, threads>>>(a.device, b.device, c.device, n, ends[form][0], ends[form][1]);
    c.download();
    for (int i = 0; i < n * n; i++) {
      float sum = 1, least = 1000;
      for (unsigned k = ends[form][0]; k < ends[form][1]; k++) {
        float product = a[i / n * LONG + k] * b[k * LONG + i % n];
        sum += product;
        least = fminf(least, product + (float)k);
      }
      expect(i, c[i], sum + least);
    }
  }

  for (int form = 0; form < 4; form++) {
    const bool twice = form & 1, same = form & 2;
    both<<<blocks, threads>>>(a.device, same ? a.device : b.device, c.device, n, twice);
    c.download();
    for (int i = 0; i < n * n; i++) {
      float sum = 0;
      for (int k = 0; k < n && twice; k++)
        sum += a[i / n * LONG + k] * (same ? a : b)[k * LONG + i % n] + (same ? a : b)[i / n * LONG + k] * a[k * LONG + i % n];
      expect(i, c[i], sum);
    }
  }
  return passed();
}
