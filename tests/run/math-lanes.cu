// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions in compute loops, where neighbouring threads are lanes of vectors: within CUDA's bounds of what the host computes with
// more digits, special values and denormals included, also in lanes that part.
#include "check.h"

#include <limits>
#include <type_traits>

enum { ARGUMENTS = 24, THREADS = 100 };

#define UNARY(id, function, single_units, double_units)                                                                \
  struct id {                                                                                                          \
    static __device__ float of(float x) { return function##f(x); }                                                     \
    static __device__ double of(double x) { return function(x); }                                                      \
    static double exact(float x) { return function((double)x); }                                                       \
    static long double exact(double x) { return function##l((long double)x); }                                         \
    static int units(float) { return single_units; }                                                                   \
    static int units(double) { return double_units; }                                                                  \
    static constexpr const char *name = #function;                                                                     \
  };
UNARY(acos_of, acos, 2, 2)
UNARY(acosh_of, acosh, 4, 3)
UNARY(asin_of, asin, 2, 2)
UNARY(asinh_of, asinh, 3, 3)
UNARY(atan_of, atan, 2, 2)
UNARY(atanh_of, atanh, 3, 2)
UNARY(cbrt_of, cbrt, 1, 1)
UNARY(cos_of, cos, 2, 2)
UNARY(cosh_of, cosh, 2, 1)
UNARY(erf_of, erf, 2, 2)
UNARY(erfc_of, erfc, 4, 5)
UNARY(exp_of, exp, 2, 1)
UNARY(exp10_of, exp10, 2, 1)
UNARY(exp2_of, exp2, 2, 1)
UNARY(expm1_of, expm1, 1, 1)
UNARY(log_of, log, 1, 1)
UNARY(log10_of, log10, 2, 1)
UNARY(log1p_of, log1p, 1, 1)
UNARY(log2_of, log2, 1, 1)
UNARY(logb_of, logb, 0, 0)
UNARY(sin_of, sin, 2, 2)
UNARY(sinh_of, sinh, 3, 2)
UNARY(tan_of, tan, 4, 2)
UNARY(tanh_of, tanh, 2, 1)
UNARY(tgamma_of, tgamma, 5, 10)

// Of two arguments, exact.
#define BINARY(id, function, second)                                                                                   \
  struct id {                                                                                                          \
    static __device__ float of(float x) { return function##f(x, second); }                                             \
    static __device__ double of(double x) { return function(x, second); }                                              \
    static float exact(float x) { return function##f(x, second); }                                                     \
    static double exact(double x) { return function(x, second); }                                                      \
    template <class R> static int units(R) { return 0; }                                                               \
    static constexpr const char *name = #function;                                                                     \
  };
BINARY(remainder_of, remainder, 0.75f)
BINARY(nextafter_of, nextafter, 2.0f)

// Each thread has arguments of its own, rows of them one after the other for all threads; every third leaves some out.
template <class F, class R> __global__ void apply(const R *in, R *out, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; row++) {
    R x = in[row * n + i];
    if (i % 3 || row % 4)
      out[row * n + i] = F::of(x);
    else
      out[row * n + i] = -x;
  }
}

template <class R> static R argument(int number) {
  typedef std::numeric_limits<R> limits;
  const R specials[ARGUMENTS] = {0,
                                 -(R)0,
                                 1,
                                 -1,
                                 limits::max(),
                                 -limits::max(),
                                 limits::infinity(),
                                 -limits::infinity(),
                                 limits::quiet_NaN(),
                                 limits::denorm_min(),
                                 -limits::denorm_min(),
                                 limits::min(),
                                 -limits::min() / 3,
                                 (R)0.5,
                                 (R)-0.75,
                                 (R)1e-10,
                                 (R)3.25,
                                 (R)-7.5,
                                 (R)25.125,
                                 (R)89.25,
                                 (R)-103.5,
                                 (R)709.9,
                                 (R)710.3,
                                 (R)-745.1};
  return specials[number % ARGUMENTS];
}

// The distance from the exact value rounded, in units of the last place.
template <class R, class E> static bool is_near(R got, E exact, int units) {
  R rounded = (R)exact;
  if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0)
    return std::isnan(rounded) ? std::isnan(got)
                               : got == rounded && (rounded != 0 || std::signbit(got) == std::signbit(rounded));
  R least = std::numeric_limits<R>::min(), size = std::fabs(rounded) < least ? least : std::fabs(rounded);
  R unit = std::ldexp((R)1, std::ilogb(size) + 1 - std::numeric_limits<R>::digits);
  if (unit == 0)
    unit = std::numeric_limits<R>::denorm_min();
  return std::isfinite(got) && std::fabs(got - rounded) <= units * unit;
}

template <class F, class R> static void test(int block) {
  const int rows = ARGUMENTS, n = THREADS;
  buffer<R> in(rows * n), out(rows * n);
  for (int i = 0; i < rows * n; i++)
    in[i] = argument<R>(i / n + i % n);
  in.upload();
  apply<F, R><<<blocks_for(n, block), block>>>(in.device, out.device, rows, n);
  out.download();
  for (int i = 0; i < rows * n; i++) {
    R x = in[i];
    bool computed = i % n % 3 || i / n % 4;
    if (computed ? is_near(out[i], F::exact(x), F::units(x)) : std::isnan(x) || out[i] == -x)
      continue;
    printf("%s%s(%a) is %a\n", F::name, sizeof(R) == 4 ? "f" : "", (double)x, (double)out[i]);
    exit(1);
  }
}

template <class... F> static void test_all(int block) {
  (test<F, float>(block), ...);
  (test<F, double>(block), ...);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test_all<acos_of, acosh_of, asin_of, asinh_of, atan_of, atanh_of, cbrt_of, cos_of, cosh_of, erf_of, erfc_of, exp_of,
           exp10_of, exp2_of, expm1_of, log_of, log10_of, log1p_of, log2_of, logb_of, sin_of, sinh_of, tan_of, tanh_of,
           tgamma_of, remainder_of, nextafter_of>(block);
  return passed();
}
