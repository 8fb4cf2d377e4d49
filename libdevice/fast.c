/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The fast forms of functions (__sinf, __expf, …, also what -use_fast_math picks). On a CPU the ordinary ones are as
 * fast once they are vectorised, so these are the ordinary ones, with more digits than CUDA promises, but with the
 * special values that follow from CUDA's definitions.
 */
#include "libdevice.h"

UW_SHORT float __nv_fast_cosf(float value) { return __builtin_cosf(value); }
UW_SHORT float __nv_fast_sinf(float value) { return __builtin_sinf(value); }
UW_SHORT float __nv_fast_tanf(float value) { return __builtin_tanf(value); }
UW_SHORT void __nv_fast_sincosf(float value, float *sine, float *cosine) {
  *sine = __builtin_sinf(value);
  *cosine = __builtin_cosf(value);
}
UW_SHORT float __nv_fast_logf(float value) { return __builtin_logf(value); }
UW_SHORT float __nv_fast_log10f(float value) { return __builtin_log10f(value); }

/* exp2f(exponent * log2f(base)): NaN where that product is, and never negative. */
UW_SHORT float __nv_fast_powf(float base, float exponent) {
  float infinity = __builtin_inff();
  int none = !(base >= 0) | ((exponent == 0) & ((base == 0) | (base == infinity))) |
             ((base == 1) & !(__builtin_fabsf(exponent) < infinity));
  float power = __builtin_powf(__builtin_fabsf(base), exponent);
  return none ? __builtin_nanf("") : power;
}

/* A divisor beyond 2^126 counts as infinite: its reciprocal is 0. */
UW_SHORT float __nv_fast_fdividef(float left, float right) {
  return __builtin_fabsf(right) > 0x1p126f ? left * __builtin_copysignf(0.0f, right) : left / right;
}

/* Clamped to [0, 1]; NaN becomes 0. */
UW_SHORT float __nv_saturatef(float value) { return __builtin_fminf(__builtin_fmaxf(value, 0.0f), 1.0f); }

UW_SHORT double __nv_rsqrt(double value) { return 1.0 / __builtin_sqrt(value); }
UW_SHORT float __nv_rsqrtf(float value) {
#ifdef UW_BITCODE /* a mark: compiler/target/square_roots.c may take the processor's estimate, to CUDA's 2 ulp */
#pragma clang fp reciprocal(on)
#endif
  return 1.0f / __builtin_sqrtf(value);
}

/* One step of Newton's method on y^-3 = value takes the error of cbrt out. */
UW_SHORT double __nv_rcbrt(double value) {
  double root = 1.0 / __builtin_cbrt(value);
  double better = root + root * (1.0 / 3) * __builtin_fma(-(value * root * root), root, 1.0);
  return root == 0 || !is_finite(root) ? root : better;
}
UW_SHORT float __nv_rcbrtf(float value) { return (float)(1.0 / __builtin_cbrt((double)value)); }

/* The reciprocal of the upper word of a double, to the upper word. */
UW_SHORT double __nv_rcp64h(double value) {
  double upper = double_of_bits(double_bits(value) & 0xffffffff00000000u);
  return double_of_bits(double_bits(1.0 / upper) & 0xffffffff00000000u);
}
