// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions under test: for each row of functions.def a kernel that applies it to arrays, and its row of the table.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>

#include "accuracy.h"

template <int format> struct number;
template <> struct number<IN_SINGLE> {
  typedef float type;
};
template <> struct number<IN_DOUBLE> {
  typedef double type;
};
template <> struct number<IN_HALF> {
  typedef __half type;
};
template <> struct number<IN_BFLOAT16> {
  typedef __nv_bfloat16 type;
};

static __host__ __device__ double widen(double value) { return value; }
static __host__ __device__ double widen(float value) { return (double)value; }
static __host__ __device__ double widen(__half value) { return (double)__half2float(value); }
static __host__ __device__ double widen(__nv_bfloat16 value) { return (double)__bfloat162float(value); }

typedef void kernel(const double *, const double *, const double *, const double *, double *, int);

#define ROW(id, name, format, count, expression, ...)                                                                  \
  static __global__ void kernel_##id(const double *a, const double *b, const double *c, const double *d, double *out,  \
                                     int n) {                                                                          \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
    if (i >= n)                                                                                                        \
      return;                                                                                                          \
    number<format>::type x = a[i], y = b[i], z = c[i], w = d[i];                                                       \
    (void)y, (void)z, (void)w;                                                                                         \
    out[i] = widen(expression);                                                                                        \
  }
#include "functions.def"
#undef ROW

static void check(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(2);
}

static void run(kernel *function, double *const arguments[MOST_ARGUMENTS], double *results, int count) {
  double *device[MOST_ARGUMENTS], *out;
  const size_t bytes = count * sizeof(double);
  for (int a = 0; a < MOST_ARGUMENTS; a++) {
    check(cudaMalloc(&device[a], bytes));
    check(cudaMemcpy(device[a], arguments[a], bytes, cudaMemcpyHostToDevice));
  }
  check(cudaMalloc(&out, bytes));
  function<<<(count + 255) / 256, 256>>>(device[0], device[1], device[2], device[3], out, count);
  check(cudaGetLastError());
  check(cudaMemcpy(results, out, bytes, cudaMemcpyDeviceToHost));
  for (int a = 0; a < MOST_ARGUMENTS; a++)
    check(cudaFree(device[a]));
  check(cudaFree(out));
}

#define ROW(id, ...)                                                                                                   \
  static void evaluate_##id(double *const arguments[MOST_ARGUMENTS], double *results, int count) {                     \
    run(kernel_##id, arguments, results, count);                                                                       \
  }
#include "functions.def"
#undef ROW

#define RANGES(...) {__VA_ARGS__}
#define EVEN(least, most) {EVENLY, least, most}
#define BOTH(least, most) {BY_EXPONENT, least, most}
#define UP(least, most) {BY_EXPONENT_UP, least, most}
#define NONE {NO_RANGE, 0, 0}
#define ROW(id, name, format, count, expression, exact, bound, ulps, absolute, ranges, others)                         \
  {#id, name, format, count, evaluate_##id, reference_##exact, bound, ulps, absolute, ranges, others},
const function functions[] = {
#include "functions.def"
};
const int function_count = sizeof functions / sizeof *functions;
