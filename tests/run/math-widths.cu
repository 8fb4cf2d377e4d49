// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fno-fault-info
// levels: all
//
// Each function that the C library has for vectors, with values of 1 to 8 bytes before and after it: the narrowest type in a loop says
// how many lanes its vectors have, so the function is asked for by 2 to 64 lanes at once, of which not all come in one piece. Thread
// by thread, in a serial loop of each thread, and under a condition; in float and in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

#define FUNCTIONS(use) use(exp) use(exp2) use(log) use(log2) use(log10) use(sin) use(cos) use(tan)

struct power {
  template <typename real> static __host__ __device__ real of(real x) { return pow(x, x - 1); }
};
#define DEFINE(name)                                                                                                   \
  struct name##_of {                                                                                                   \
    static __host__ __device__ float of(float x) { return name##f(x); }                                                \
    static __host__ __device__ double of(double x) { return name(x); }                                                 \
  };
FUNCTIONS(DEFINE)

// From one stored type to the type computed in, and to another stored one.
template <typename to, typename from> __host__ __device__ to convert(from x) { return (to)x; }
template <> __host__ __device__ __half convert<__half, double>(double x) { return __float2half((float)x); }
template <> __host__ __device__ __nv_bfloat16 convert<__nv_bfloat16, double>(double x) {
  return __float2bfloat16((float)x);
}
template <> __host__ __device__ double convert<double, __half>(__half x) { return __half2float(x); }
template <> __host__ __device__ double convert<double, __nv_bfloat16>(__nv_bfloat16 x) { return __bfloat162float(x); }

template <typename function, typename real, typename stored>
__global__ void alone(const stored *in, stored *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = convert<stored>(function::of(convert<real>(in[i])) * 10);
}

template <typename function, typename real, typename stored>
__global__ void in_rounds(const stored *in, real *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real sum = 0;
  for (int k = 0; k < rounds; k++)
    sum += function::of(convert<real>(in[i]) + k);
  out[i] = sum;
}

template <typename function, typename real, typename stored>
__global__ void for_some(const stored *in, real *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && convert<real>(in[i]) > 2)
    out[i] = function::of(convert<real>(in[i]));
}

static void expect_close(int i, double got, double expected, double error) {
  if (!(std::fabs(got - expected) <= error))
    fail_at<double>(i, got, expected);
}

template <typename stored> static void fill(buffer<stored> &in, bool whole) {
  const int n = (int)in.count;
  for (int i = 0; i < n; i++)
    in[i] = convert<stored>(whole ? 1.0 + i % 2 * 2 + i / 2 % 2 : 0.25 + (i * 7 % n) * 3.5 / n);
  in.upload();
}

template <typename real> static double exact() { return sizeof(real) == 4 ? 2e-6 : 1e-14; }

// digits: what the stored type can tell apart; 1: an integer.
template <typename function, typename real, typename stored> static void check(int n, int block, double digits) {
  buffer<stored> in(n), out(n);
  fill(in, digits == 1);
  alone<function, real, stored><<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    double got = convert<double>(out[i]), expected = function::of((double)convert<real>(in[i])) * 10;
    if (digits == 1 && std::fabs(expected) > 120)
      continue; // more than a byte holds
    expect_close(i, got, expected, digits == 1 ? 1 : (digits + exact<real>()) * (std::fabs(expected) + 10));
  }
}

template <typename function, typename real, typename stored> static void check_rounds(int n, int block) {
  const int rounds = 3;
  buffer<stored> in(n);
  buffer<real> sums(n), some(n);
  fill(in, false);
  in_rounds<function, real, stored><<<blocks_for(n, block), block>>>(in.device, sums.device, n, rounds);
  CHECK(cudaMemset(some.device, 0, n * sizeof(real)));
  for_some<function, real, stored><<<blocks_for(n, block), block>>>(in.device, some.device, n);
  sums.download();
  some.download();
  for (int i = 0; i < n; i++) {
    real x = convert<real>(in[i]);
    double sum = 0, largest = 10, one = x > 2 ? function::of((double)x) : 0;
    for (int k = 0; k < rounds; k++) {
      double part = function::of((double)(x + k));
      sum += part;
      largest += std::fabs(part);
    }
    expect_close(i, sums[i], sum, exact<real>() * largest);
    expect_close(i, some[i], one, exact<real>() * (std::fabs(one) + 10));
  }
}

template <typename function> static void check_all(int n, int block) {
  check<function, float, signed char>(n, block, 1);
  check<function, float, short>(n, block, 1);
  check<function, float, __half>(n, block, 0x1p-11);
  check<function, float, __nv_bfloat16>(n, block, 0x1p-8);
  check<function, float, float>(n, block, 0);
  check<function, float, double>(n, block, 0);
  check<function, double, signed char>(n, block, 1);
  check<function, double, short>(n, block, 1);
  check<function, double, float>(n, block, 0x1p-24);
  check<function, double, double>(n, block, 0);
  check_rounds<function, float, __half>(n, block);
  check_rounds<function, float, float>(n, block);
  check_rounds<function, double, double>(n, block);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1003;
#define CHECK_ALL(name) check_all<name##_of>(n, block);
  FUNCTIONS(CHECK_ALL)
  check_all<power>(n, block);
  return passed();
}
