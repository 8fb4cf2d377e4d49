// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that each walk along a row of their own, which are loaded row by row and turned: values of 1 to 8 bytes, counters of three
// types that start at 0, after it and below it, rows of all lengths around the width of a register, distances that are a power of two, rows that
// overlap, a condition in the loop, two rows at once. Values are small and whole, so that sums are exact.
// levels: all
#include "check.h"

template <class T, class Count>
__global__ void sums(const T *a, const T *x, T *out, Count rows, Count length, Count pitch) {
  Count row = (Count)(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows)
    return;
  T sum = 0;
  for (Count k = 0; k < length; k++)
    sum += (T)(a[row * pitch + k] * x[k]);
  out[row] = sum;
}

// From a position after the row's start, and over the elements in front of the pointer.
template <class T> __global__ void parts(const T *a, T *out, int rows, int from, int to, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const T *middle = a + (size_t)row * pitch + pitch / 2;
  T sum = 0, most = 0;
  for (int k = from; k < to; k++) {
    T value = middle[k];
    sum += value;
    if (value > most)
      most = value;
  }
  out[row] = sum + most;
}

// Rows that overlap, two of them at once, one walked with a counter of its own.
__global__ void pairs(const float *a, const double *b, double *out, int rows, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *p = a + row * 3;
  double sum = 0;
  for (int k = 0; k < length; k++)
    sum += *p++ * b[(size_t)row * length + k];
  out[row] = sum;
}

// The loop writes what it reads: each thread its own row.
__global__ void prefix(float *a, int rows, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < length; k++)
    a[row * length + k] = sum = sum + a[row * length + k];
}

template <class T, class Count> static void check_sums(int block, int rows, int length, int pitch) {
  buffer<T> a((size_t)rows * pitch), x(length), out(rows);
  for (size_t i = 0; i < a.count; i++)
    a[i] = (T)(i * 7 % 5);
  for (size_t i = 0; i < x.count; i++)
    x[i] = (T)(i % 3);
  a.upload();
  x.upload();
  sums<T, Count>
      <<<blocks_for(rows, block), block>>>(a.device, x.device, out.device, (Count)rows, (Count)length, (Count)pitch);
  out.download();
  for (int i = 0; i < rows; i++) {
    T expected = 0;
    for (int k = 0; k < length; k++)
      expected += (T)(a[(size_t)i * pitch + k] * x[k]);
    expect(i, (double)out[i], (double)expected);
  }
  for (int from = -2; from <= 1 && pitch >= 8; from++) {
    int to = from + length / 2 < pitch / 2 ? from + length / 2 : pitch / 2;
    parts<T><<<blocks_for(rows, block), block>>>(a.device, out.device, rows, from, to, pitch);
    out.download();
    for (int i = 0; i < rows; i++) {
      T sum = 0, most = 0;
      for (int k = from; k < to; k++) {
        T value = a[(size_t)i * pitch + pitch / 2 + k];
        sum += value;
        most = value > most ? value : most;
      }
      expect(i, (double)out[i], (double)(T)(sum + most));
    }
  }
}

static void check_pairs(int block, int rows, int length) {
  buffer<float> a(rows * 3 + length), c((size_t)rows * length);
  buffer<double> b((size_t)rows * length), out(rows);
  for (size_t i = 0; i < a.count; i++)
    a[i] = (float)(i % 11);
  for (size_t i = 0; i < b.count; i++)
    b[i] = i % 13, c[i] = (float)(i % 3);
  a.upload();
  b.upload();
  c.upload();
  pairs<<<blocks_for(rows, block), block>>>(a.device, b.device, out.device, rows, length);
  prefix<<<blocks_for(rows, block), block>>>(c.device, rows, length);
  out.download();
  c.download();
  for (int i = 0; i < rows; i++) {
    double expected = 0;
    float sum = 0;
    for (int k = 0; k < length; k++) {
      expected += a[i * 3 + k] * b[i * length + k];
      sum += (float)((i * length + k) % 3);
      expect(i * length + k, c[i * length + k], sum);
    }
    expect(i, out[i], expected);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const int lengths[] = {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100};
  for (int length : lengths) {
    check_sums<signed char, int>(block, 70, length, length + 1);
    check_sums<short, unsigned>(block, 65, length, length + 3);
    check_sums<int, int>(block, 200, length, 128);
    check_sums<float, int>(block, 130, length, length ? length : 1);
    check_sums<float, size_t>(block, 64, length, 256);
    check_sums<double, unsigned>(block, 90, length, length + 5);
    check_sums<unsigned long long, size_t>(block, 33, length, length + 2);
    check_pairs(block, 77, length);
  }
  return passed();
}
