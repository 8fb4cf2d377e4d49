// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// levels: all
//
// Sums over a window around each element, cut where the image ends: the middle of each row of threads begins and ends somewhere in
// the block, or whose indices are clamped to it, and the rows of a triangle, which each thread follows to its own end.
#include "check.h"

__global__ void window(const float *in, float *out, int rows, int columns, int reach) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  const int left = max(x - reach, 0), right = min(x + reach, columns - 1);
  const int top = max(y - reach, 0), bottom = min(y + reach, rows - 1);
  float sum = 0;
  for (int row = top; row <= bottom; row++)
    for (int column = left; column <= right; column++)
      sum += in[row * columns + column];
  out[y * columns + x] = sum / ((right - left + 1) * (bottom - top + 1));
}

template <int REACH> __global__ void clamped(const float *in, float *out, int rows, int columns, int apart) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  float sum = 0;
  for (int down = -REACH; down <= REACH; down++)
    for (int across = -REACH; across <= REACH; across++) {
      const int column = min(max(x - across * apart, 0), columns - 1), row = min(max(y + down, 0), rows - 1);
      sum += in[row * columns + column] * (across + 2 * REACH);
    }
  out[y * columns + x] = sum;
}

template <int REACH> static void check_clamped(int block, buffer<float> &in, int rows, int columns, int apart) {
  buffer<float> out(rows * columns);
  clamped<REACH><<<dim3((columns + block - 1) / block, 3), dim3(block, 3)>>>(in.device, out.device, rows, columns, apart);
  out.download();
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float sum = 0;
      for (int down = -REACH; down <= REACH; down++)
        for (int across = -REACH; across <= REACH; across++) {
          int column = x - across * apart, row = y + down;
          column = column < 0 ? 0 : column >= columns ? columns - 1 : column;
          row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
          sum += in[row * columns + column] * (across + 2 * REACH);
        }
      expect(y * columns + x, out[y * columns + x], sum);
    }
}

__global__ void lower_triangle(const float *matrix, const float *in, float *out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int column = 0; column <= row; column++)
    sum += matrix[column * n + row] * in[column];
  out[row] = sum;
}

__global__ void upper_triangle(const float *matrix, const float *in, float *out, int n, int from) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x + from;
  if (row >= n)
    return;
  float sum = 1;
  for (int column = 2 * row; column < n; column++)
    sum += matrix[column * n + row] * in[column];
  out[row] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  for (int columns : {1, 15, 31, 45, 77, 130})
    for (int reach : {0, 3, 20}) {
      const int rows = 9;
      buffer<float> in(rows * columns), out(rows * columns);
      unsigned state = 5;
      for (int i = 0; i < rows * columns; i++)
        in[i] = (float)(next_random(state) % 100);
      in.upload();
      window<<<dim3((columns + block - 1) / block, 3), dim3(block, 3)>>>(in.device, out.device, rows, columns, reach);
      out.download();
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
          const int left = x < reach ? 0 : x - reach, right = x + reach < columns ? x + reach : columns - 1;
          const int top = y < reach ? 0 : y - reach, bottom = y + reach < rows ? y + reach : rows - 1;
          float sum = 0;
          for (int row = top; row <= bottom; row++)
            for (int column = left; column <= right; column++)
              sum += in[row * columns + column];
          expect(y * columns + x, out[y * columns + x], sum / ((right - left + 1) * (bottom - top + 1)));
        }
      check_clamped<1>(block, in, rows, columns, 1);
      check_clamped<3>(block, in, rows, columns, 1);
      check_clamped<1>(block, in, rows, columns, reach);
    }
  for (int n : {1, 16, 33, 100, 171}) {
    buffer<float> matrix(n * n), in(n), low(n), high(n);
    unsigned state = 9;
    for (int i = 0; i < n * n; i++)
      matrix[i] = (float)(next_random(state) % 16);
    for (int i = 0; i < n; i++)
      in[i] = (float)(next_random(state) % 16);
    matrix.upload();
    in.upload();
    const int from = n / 7;
    lower_triangle<<<(n + block - 1) / block, block>>>(matrix.device, in.device, low.device, n);
    upper_triangle<<<(n + block - 1) / block, block>>>(matrix.device, in.device, high.device, n, from);
    low.download();
    high.download();
    for (int row = 0; row < n; row++) {
      float below = 0, above = 1;
      for (int column = 0; column <= row; column++)
        below += matrix[column * n + row] * in[column];
      for (int column = 2 * row; column < n; column++)
        above += matrix[column * n + row] * in[column];
      expect(row, low[row], below);
      if (row >= from)
        expect(row, high[row], above);
    }
  }
  return passed();
}
