// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For twins: glibc's vector forms of mathematical functions (libmvec) under names of our own, as clang has no way to
// them in C. Of as many lanes as the processor's vectors have; where glibc has none, lane by lane.
#ifndef BENCH_VECTOR_MATH_H
#define BENCH_VECTOR_MATH_H

#include <math.h>

#if defined __AVX512F__
enum { BENCH_DOUBLES = 8 };
#else
enum { BENCH_DOUBLES = 4 };
#endif
typedef double bench_doubles __attribute__((vector_size(BENCH_DOUBLES * sizeof(double))));
typedef float bench_floats __attribute__((vector_size(2 * BENCH_DOUBLES * sizeof(float))));

#if defined __AVX512F__
#define BENCH_VECTOR_FUNCTION(type, lanes, wide, narrow, name)                                                         \
  extern type _ZGVeN##wide##v_##name(type);                                                                            \
  static inline type bench_##name(type x) { return _ZGVeN##wide##v_##name(x); }
#elif defined __AVX2__
#define BENCH_VECTOR_FUNCTION(type, lanes, wide, narrow, name)                                                         \
  extern type _ZGVdN##narrow##v_##name(type);                                                                          \
  static inline type bench_##name(type x) { return _ZGVdN##narrow##v_##name(x); }
#else
#define BENCH_VECTOR_FUNCTION(type, lanes, wide, narrow, name)                                                         \
  static inline type bench_##name(type x) {                                                                            \
    for (int lane = 0; lane < lanes; lane++)                                                                           \
      x[lane] = name(x[lane]);                                                                                         \
    return x;                                                                                                          \
  }
#endif

BENCH_VECTOR_FUNCTION(bench_doubles, BENCH_DOUBLES, 8, 4, exp)
BENCH_VECTOR_FUNCTION(bench_doubles, BENCH_DOUBLES, 8, 4, log)
BENCH_VECTOR_FUNCTION(bench_doubles, BENCH_DOUBLES, 8, 4, sin)
BENCH_VECTOR_FUNCTION(bench_doubles, BENCH_DOUBLES, 8, 4, cos)
BENCH_VECTOR_FUNCTION(bench_floats, 2 * BENCH_DOUBLES, 16, 8, logf)

#endif
