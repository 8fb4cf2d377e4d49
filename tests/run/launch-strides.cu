// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strides that the launch gives, as parameters and as fields of a structure: one that makes threads neighbours, wider ones, none at all and one that
// goes back; one of two alone is such; arrays overlap. And a value that is a field of the structure or comes from memory.
#include "check.h"

struct fields {
  int strides[3];
  char *places[3];
  float limit, value;
};

__global__ void add(int n, const float *x, int incx, float *y, int incy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i * incy] = x[i * incx] + 2 * y[i * incy];
}

__global__ void threshold(int n, fields f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = *(float *)(f.places[1] + i * f.strides[1]);
  *(float *)(f.places[0] + i * f.strides[0]) = x <= f.limit ? f.value : *(float *)(f.places[2] + i * f.strides[2]);
}

enum { N = 1000, ROOM = 4 * N };
static float *x, *y, *z, expected[ROOM];

static void fill() {
  for (int i = 0; i < ROOM; i++) {
    x[i] = (float)(i % 17);
    y[i] = expected[i] = (float)(i % 13);
    z[i] = (float)(i % 11);
  }
}

static void compare() {
  for (int i = 0; i < ROOM; i++)
    expect(i, y[i], expected[i]);
}

static void adds(int incx, int incy, bool by_handle) {
  static void (*volatile any)(int, const float *, int, float *, int) = add;
  fill();
  const float *from = incx < 0 ? x + (1 - N) * incx : x;
  if (by_handle)
    any<<<(N + 95) / 96, 96>>>(N, from, incx, y, incy);
  else
    add<<<(N + 95) / 96, 96>>>(N, from, incx, y, incy);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++)
    expected[i * incy] = from[i * incx] + 2 * expected[i * incy];
  compare();
}

static void thresholds(int to, int from, int other, const float *third) {
  static void (*volatile any)(int, fields) = threshold;
  fill();
  fields f = {{4 * to, 4 * from, 4 * other}, {(char *)y, (char *)x, (char *)third}, 5, 100};
  any<<<(N + 95) / 96, 96>>>(N, f);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++)
    expected[i * to] = x[i * from] <= 5 ? 100 : third == y ? expected[i * other] : third[i * other];
  compare();
}

int main() {
  CHECK(cudaMallocManaged(&x, ROOM * sizeof *x));
  CHECK(cudaMallocManaged(&y, ROOM * sizeof *y));
  CHECK(cudaMallocManaged(&z, ROOM * sizeof *z));
  for (int by_handle = 0; by_handle < 2; by_handle++) {
    adds(1, 1, by_handle);
    adds(3, 1, by_handle);
    adds(0, 2, by_handle);
    adds(-1, 1, by_handle);
    adds(1, 4, by_handle);
  }
  thresholds(1, 1, 1, z);
  thresholds(1, 1, 0, z);
  thresholds(2, 1, 3, z);
  thresholds(1, 1, 1, y); /* each element its own */
  thresholds(1, 0, 1, z);
  return passed();
}
