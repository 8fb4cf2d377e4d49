// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// floats [step]: every step-th float (all of them if not said), special values and denormals too, through each function of one argument in single
// precision, in a compute loop, where threads are lanes of vectors. Judged by the same function in double precision, which is off by less than a
// millionth of a float's unit. Prints a row of docs/accuracy.md for each: the largest error, how many units off the rounded result; exit status 1
// if CUDA's bound is exceeded.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { THREADS = 1 << 14, BLOCK = 256 };

struct worst {
  float error, units; // in units of the last place: from the exact value, from the rounded one
  unsigned at;
};

// In units of the float that the exact value is rounded to; infinitely far if one of the two is finite or a number, and the other not.
__device__ float distance(double got, double exact, float rounded) {
  bool same = got == exact || (got != got && exact != exact), finite = fabs(got - exact) < INFINITY;
  int exponent = (int)(__float_as_uint(rounded) >> 23 & 255);
  double inverse = __hiloint2double((1023 + 150 - (exponent ? exponent : 1)) << 20, 0);
  return same ? 0.0f : finite ? (float)(fabs(got - exact) * inverse) : INFINITY;
}

template <class F> __global__ void search(unsigned first, unsigned step, int count, worst *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float error = 0, units = 0;
  unsigned at = first;
  for (int k = 0; k < count; k++) {
    unsigned bits = first + ((unsigned)k * THREADS + (unsigned)i) * step;
    float x = __uint_as_float(bits), got = F::single(x);
    double exact = F::twice((double)x);
    float rounded = (float)exact;
    float here = got == rounded ? distance(got, isinf(rounded) ? (double)rounded : exact, rounded)
                                : distance(got, exact, rounded);
    float off = distance(got, rounded, rounded);
    bool more = off > units;
    at = more ? bits : at;
    units = more ? off : units;
    error = here > error ? here : error;
  }
  results[i] = {error, units, at};
}

template <class F> static bool test(unsigned step) {
  worst *results, most = {0, 0, 0};
  cudaMallocManaged(&results, THREADS * sizeof *results);
  const uint64_t all = ((uint64_t)1 << 32) / step, each = 1 << 10;
  for (uint64_t done = 0; done < all; done += each * THREADS) {
    uint64_t left = (all - done + THREADS - 1) / THREADS;
    search<F><<<THREADS / BLOCK, BLOCK>>>((unsigned)(done * step), step, (int)(left < each ? left : each), results);
    if (cudaDeviceSynchronize() != cudaSuccess)
      exit(2);
    for (int i = 0; i < THREADS; i++) {
      most.error = fmaxf(most.error, results[i].error);
      if (results[i].units > most.units)
        most.units = results[i].units, most.at = results[i].at;
    }
  }
  cudaFree(results);
  printf("| %s | %.2f | %.0f | %d |\n", F::name, most.error, most.units, F::bound);
  if (most.units > F::bound)
    fprintf(stderr, "%s is %g units off at the float 0x%08x; CUDA's bound is %d\n", F::name, most.units, most.at,
            F::bound);
  return most.units <= F::bound;
}

#define FUNCTION(function, units)                                                                                      \
  struct of_##function {                                                                                               \
    static __device__ float single(float x) { return function##f(x); }                                                 \
    static __device__ double twice(double x) { return function(x); }                                                   \
    static constexpr const char *name = #function "f";                                                                 \
    static constexpr int bound = units;                                                                                \
  };
#define FUNCTIONS(F)                                                                                                   \
  F(acos, 2)                                                                                                           \
  F(acosh, 4) F(asin, 2) F(asinh, 3) F(atan, 2) F(atanh, 3) F(cbrt, 1) F(cos, 2) F(cosh, 2) F(cospi, 1) F(erf, 2)      \
      F(erfc, 4) F(exp, 2) F(exp10, 2) F(exp2, 2) F(expm1, 1) F(log, 1) F(log10, 2) F(log1p, 1) F(log2, 1) F(rcbrt, 1) \
          F(rsqrt, 2) F(sin, 2) F(sinh, 3) F(sinpi, 1) F(sqrt, 0) F(tan, 4) F(tanh, 2)
FUNCTIONS(FUNCTION)

int main(int argc, char **argv) {
  unsigned step = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  bool good = true;
#define TEST(function, units) good = test<of_##function>(step) && good;
  FUNCTIONS(TEST)
  return good ? 0 : 1;
}
