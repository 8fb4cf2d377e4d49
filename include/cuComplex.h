/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Complex numbers as pairs: the cuComplex types and functions that CUDA's libraries use, for host and device code.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __UW_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))

/* The absolute value is scaled by its larger part, the quotient by the divisor's, so that squares stay in range. */
#define __UW_COMPLEX_FUNCTIONS(type, number, make, f, fabs_of, sqrt_of, fma_of)                                        \
  __UW_COMPLEX type make(number __real_part, number __imaginary_part) {                                                \
    type __result;                                                                                                     \
    __result.x = __real_part;                                                                                          \
    __result.y = __imaginary_part;                                                                                     \
    return __result;                                                                                                   \
  }                                                                                                                    \
  __UW_COMPLEX number cuCreal##f(type __value) { return __value.x; }                                                   \
  __UW_COMPLEX number cuCimag##f(type __value) { return __value.y; }                                                   \
  __UW_COMPLEX type cuConj##f(type __value) { return make(__value.x, -__value.y); }                                    \
  __UW_COMPLEX type cuCadd##f(type __left, type __right) { return make(__left.x + __right.x, __left.y + __right.y); }  \
  __UW_COMPLEX type cuCsub##f(type __left, type __right) { return make(__left.x - __right.x, __left.y - __right.y); }  \
  __UW_COMPLEX type cuCmul##f(type __left, type __right) {                                                             \
    return make(__left.x * __right.x - __left.y * __right.y, __left.x * __right.y + __left.y * __right.x);             \
  }                                                                                                                    \
  __UW_COMPLEX type cuCdiv##f(type __left, type __right) {                                                             \
    number __scale = 1 / (fabs_of(__right.x) + fabs_of(__right.y));                                                    \
    number __a = __left.x * __scale, __b = __left.y * __scale, __c = __right.x * __scale, __d = __right.y * __scale;   \
    number __inverse = 1 / (__c * __c + __d * __d);                                                                    \
    return make((__a * __c + __b * __d) * __inverse, (__b * __c - __a * __d) * __inverse);                             \
  }                                                                                                                    \
  __UW_COMPLEX number cuCabs##f(type __value) {                                                                        \
    number __a = fabs_of(__value.x), __b = fabs_of(__value.y);                                                         \
    number __large = __a < __b ? __b : __a, __small = __a < __b ? __a : __b;                                           \
    if (__large == 0 || __large - __large != 0 || __small != __small)                                                  \
      return __a + __b;                                                                                                \
    number __ratio = __small / __large;                                                                                \
    return __large * sqrt_of(1 + __ratio * __ratio);                                                                   \
  }                                                                                                                    \
  __UW_COMPLEX type cuCfma##f(type __left, type __right, type __addend) {                                              \
    return make(fma_of(-__left.y, __right.y, fma_of(__left.x, __right.x, __addend.x)),                                 \
                fma_of(__left.y, __right.x, fma_of(__left.x, __right.y, __addend.y)));                                 \
  }
__UW_COMPLEX_FUNCTIONS(cuFloatComplex, float, make_cuFloatComplex, f, fabsf, sqrtf, fmaf)
__UW_COMPLEX_FUNCTIONS(cuDoubleComplex, double, make_cuDoubleComplex, , fabs, sqrt, fma)
#undef __UW_COMPLEX_FUNCTIONS

__UW_COMPLEX cuComplex make_cuComplex(float __real_part, float __imaginary_part) {
  return make_cuFloatComplex(__real_part, __imaginary_part);
}
__UW_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __value) {
  return make_cuDoubleComplex((double)__value.x, (double)__value.y);
}
__UW_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __value) {
  return make_cuFloatComplex((float)__value.x, (float)__value.y);
}
#undef __UW_COMPLEX

#endif
