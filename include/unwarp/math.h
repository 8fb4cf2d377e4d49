/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions: the C library's in device code, CUDA's own in device and host code, and min and max as nvcc
 * has them without std::. (CUDA Math API, "Single / Double Precision Mathematical Functions".)
 *
 * clang's headers map the C functions to the __nv_ functions of libdevice/. CUDA's own functions have no C library
 * after them on the host, so there the same libdevice function is called, which is part of the runtime library.
 */
#ifndef UNWARP_MATH_H
#define UNWARP_MATH_H

#include <limits.h>
#include <math.h>

/* clang's headers define min, max for int only and a few names that intrinsics.h has. */
#define max __uw_int_max
#define min __uw_int_min
#define llmax __uw_llmax
#define llmin __uw_llmin
#define ullmax __uw_ullmax
#define ullmin __uw_ullmin
#define umax __uw_umax
#define umin __uw_umin
#define fdivide __uw_fdivide
#define fdividef __uw_fdividef
#include <__clang_cuda_math.h>
#undef max
#undef min
#undef llmax
#undef llmin
#undef ullmax
#undef ullmin
#undef umax
#undef umin
#undef fdivide
#undef fdividef

template <typename __Type, bool = __is_integral(__Type)> struct __uw_if_integer {};
template <typename __Type> struct __uw_if_integer<__Type, true> {
  typedef double type;
};

/* Functions that the C library does not have: the double form, the float form with the f, and the float overload. */
#define __UW_MATH_1(name)                                                                                              \
  extern "C" __attribute__((host)) double name(double) noexcept __asm__("__nv_" #name);                                \
  extern "C" __attribute__((host)) float name##f(float) noexcept __asm__("__nv_" #name "f");                           \
  __UW_BOTH__ float name(float __value) { return name##f(__value); }                                                   \
  template <typename __Type> __UW_BOTH__ typename __uw_if_integer<__Type>::type name(__Type __value) {                 \
    return name((double)__value);                                                                                      \
  }
__UW_HOST__ double rsqrt(double __value) { return 1.0 / __builtin_sqrt(__value); }
__UW_HOST__ float rsqrtf(float __value) { return 1.0f / __builtin_sqrtf(__value); }
__UW_BOTH__ float rsqrt(float __value) { return rsqrtf(__value); }
template <typename __Type> __UW_BOTH__ typename __uw_if_integer<__Type>::type rsqrt(__Type __value) {
  return rsqrt((double)__value);
}
__UW_MATH_1(rcbrt)
__UW_MATH_1(sinpi)
__UW_MATH_1(cospi)
__UW_MATH_1(erfinv)
__UW_MATH_1(erfcinv)
__UW_MATH_1(erfcx)
__UW_MATH_1(normcdf)
__UW_MATH_1(normcdfinv)
__UW_MATH_1(cyl_bessel_i0)
__UW_MATH_1(cyl_bessel_i1)
#undef __UW_MATH_1

#define __UW_HOST_MATH(type, name, parameters)                                                                         \
  extern "C" __attribute__((host)) type name parameters noexcept __asm__("__nv_" #name);
__UW_HOST_MATH(void, sincospi, (double, double *, double *))
__UW_HOST_MATH(void, sincospif, (float, float *, float *))
__UW_HOST_MATH(double, rhypot, (double, double))
__UW_HOST_MATH(float, rhypotf, (float, float))
__UW_HOST_MATH(double, norm3d, (double, double, double))
__UW_HOST_MATH(float, norm3df, (float, float, float))
__UW_HOST_MATH(double, norm4d, (double, double, double, double))
__UW_HOST_MATH(float, norm4df, (float, float, float, float))
__UW_HOST_MATH(double, rnorm3d, (double, double, double))
__UW_HOST_MATH(float, rnorm3df, (float, float, float))
__UW_HOST_MATH(double, rnorm4d, (double, double, double, double))
__UW_HOST_MATH(float, rnorm4df, (float, float, float, float))
__UW_HOST_MATH(double, norm, (int, const double *))
__UW_HOST_MATH(float, normf, (int, const float *))
__UW_HOST_MATH(double, rnorm, (int, const double *))
__UW_HOST_MATH(float, rnormf, (int, const float *))
#undef __UW_HOST_MATH

__UW_DEVICE_TWIN__ float exp10(float __value) { return exp10f(__value); }
__UW_HOST__ float exp10(float __value) { return exp10f(__value); }
__UW_BOTH__ void sincospi(float __value, float *__sine, float *__cosine) { sincospif(__value, __sine, __cosine); }
__UW_BOTH__ float rhypot(float __left, float __right) { return rhypotf(__left, __right); }
__UW_DEVICE_TWIN__ void sincos(float __value, float *__sine, float *__cosine) { sincosf(__value, __sine, __cosine); }
__UW_HOST__ void sincos(float __value, float *__sine, float *__cosine) { ::sincosf(__value, __sine, __cosine); }
__UW_DEVICE_TWIN__ float j0(float __value) { return j0f(__value); }
__UW_DEVICE_TWIN__ float j1(float __value) { return j1f(__value); }
__UW_DEVICE_TWIN__ float jn(int __order, float __value) { return jnf(__order, __value); }
__UW_DEVICE_TWIN__ float y0(float __value) { return y0f(__value); }
__UW_DEVICE_TWIN__ float y1(float __value) { return y1f(__value); }
__UW_DEVICE_TWIN__ float yn(int __order, float __value) { return ynf(__order, __value); }
__UW_DEVICE_TWIN__ double nan(const char *__tag) { return __nv_nan((const signed char *)__tag); }
__UW_DEVICE_TWIN__ float nanf(const char *__tag) { return __nv_nanf((const signed char *)__tag); }
__UW_DEVICE_TWIN__ double nexttoward(double __from, double __to) { return nextafter(__from, __to); }
__UW_HOST__ double fdivide(double __left, double __right) { return __left / __right; }
__UW_HOST__ float fdividef(float __left, float __right) { return __left / __right; }

/* min and max of any two scalars, in the type that their sum would have. A template, so that a program's own min or
 * max, or std::min under `using namespace std`, is preferred to it; with a pack at the end, which is always empty, so
 * that a program's own template of two types is, too. */
template <typename __Type, bool __Two, bool = __Two && (__is_arithmetic(__Type) || __is_enum(__Type))>
struct __uw_scalar {};
template <typename __Type, bool __Two> struct __uw_scalar<__Type, __Two, true> {
  typedef __Type type;
};
template <typename __Left, typename __Right, bool __Two = true>
using __uw_sum =
    decltype(typename __uw_scalar<__Left, __Two>::type() + typename __uw_scalar<__Right, __Two>::type());

#define __UW_MIN_MAX(name, compare, type)                                                                              \
  static __inline__ __attribute__((host, device, always_inline, unused)) constexpr type __uw_##name(type __left,       \
                                                                                                    type __right) {    \
    return compare;                                                                                                    \
  }
// clang-format off
#define __UW_MIN_MAX_INTEGERS(name, compare)                                                                           \
  __UW_MIN_MAX(name, compare, int)                                                                                     \
  __UW_MIN_MAX(name, compare, unsigned int)                                                                            \
  __UW_MIN_MAX(name, compare, long)                                                                                    \
  __UW_MIN_MAX(name, compare, unsigned long)                                                                           \
  __UW_MIN_MAX(name, compare, long long)                                                                               \
  __UW_MIN_MAX(name, compare, unsigned long long)
// clang-format on
__UW_MIN_MAX_INTEGERS(min, __right < __left ? __right : __left)
__UW_MIN_MAX_INTEGERS(max, __left < __right ? __right : __left)
__UW_MIN_MAX(min, __builtin_fminf(__left, __right), float)
__UW_MIN_MAX(max, __builtin_fmaxf(__left, __right), float)
__UW_MIN_MAX(min, __builtin_fmin(__left, __right), double)
__UW_MIN_MAX(max, __builtin_fmax(__left, __right), double)
#ifndef __CUDA_ARCH__
static __inline__ __attribute__((always_inline, unused)) long double __uw_min(long double __left, long double __right) {
  return __builtin_fminl(__left, __right);
}
static __inline__ __attribute__((always_inline, unused)) long double __uw_max(long double __left, long double __right) {
  return __builtin_fmaxl(__left, __right);
}
#endif

// clang-format off
#define __UW_MIN_MAX_OF_ANY(name)                                                                                      \
  template <typename __Left, typename __Right, typename... __None>                                                     \
  static __inline__ __attribute__((host, device, always_inline)) constexpr                                             \
      __uw_sum<__Left, __Right, sizeof...(__None) == 0> name(__Left __left, __Right __right, __None...) {              \
    typedef __uw_sum<__Left, __Right> __type;                                                                          \
    return __uw_##name((__type)__left, (__type)__right);                                                               \
  }
// clang-format on
__UW_MIN_MAX_OF_ANY(min)
__UW_MIN_MAX_OF_ANY(max)

__UW_BOTH__ unsigned int umin(unsigned int __left, unsigned int __right) { return __uw_min(__left, __right); }
__UW_BOTH__ unsigned int umax(unsigned int __left, unsigned int __right) { return __uw_max(__left, __right); }
__UW_BOTH__ long long llmin(long long __left, long long __right) { return __uw_min(__left, __right); }
__UW_BOTH__ long long llmax(long long __left, long long __right) { return __uw_max(__left, __right); }
__UW_BOTH__ unsigned long long ullmin(unsigned long long __left, unsigned long long __right) {
  return __uw_min(__left, __right);
}
__UW_BOTH__ unsigned long long ullmax(unsigned long long __left, unsigned long long __right) {
  return __uw_max(__left, __right);
}
#undef __UW_MIN_MAX_INTEGERS
#undef __UW_MIN_MAX
#undef __UW_MIN_MAX_OF_ANY

/* The float overloads that clang's headers promise but leave to the SDK. */
#define __UW_FLOAT_1(name)                                                                                             \
  __UW_DEVICE_TWIN__ float name(float __value) { return name##f(__value); }
#define __UW_FLOAT_2(name)                                                                                             \
  __UW_DEVICE_TWIN__ float name(float __left, float __right) { return name##f(__left, __right); }
__UW_FLOAT_1(acosh)
__UW_FLOAT_1(asinh)
__UW_FLOAT_1(atanh)
__UW_FLOAT_1(cbrt)
__UW_FLOAT_1(erf)
__UW_FLOAT_1(erfc)
__UW_FLOAT_1(exp2)
__UW_FLOAT_1(expm1)
__UW_FLOAT_1(lgamma)
__UW_FLOAT_1(log1p)
__UW_FLOAT_1(log2)
__UW_FLOAT_1(logb)
__UW_FLOAT_1(nearbyint)
__UW_FLOAT_1(rint)
__UW_FLOAT_1(round)
__UW_FLOAT_1(tgamma)
__UW_FLOAT_1(trunc)
__UW_FLOAT_2(copysign)
__UW_FLOAT_2(fdim)
__UW_FLOAT_2(fmax)
__UW_FLOAT_2(fmin)
__UW_FLOAT_2(hypot)
__UW_FLOAT_2(nextafter)
__UW_FLOAT_2(remainder)
#undef __UW_FLOAT_1
#undef __UW_FLOAT_2
__UW_DEVICE_TWIN__ float fma(float __left, float __right, float __addend) { return fmaf(__left, __right, __addend); }
__UW_DEVICE_TWIN__ float scalbn(float __value, int __exponent) { return scalbnf(__value, __exponent); }
__UW_DEVICE_TWIN__ float scalbln(float __value, long __exponent) { return scalblnf(__value, __exponent); }
__UW_DEVICE_TWIN__ float remquo(float __left, float __right, int *__quotient) {
  return remquof(__left, __right, __quotient);
}
__UW_DEVICE_TWIN__ int ilogb(float __value) { return ilogbf(__value); }
__UW_DEVICE_TWIN__ long lrint(float __value) { return lrintf(__value); }
__UW_DEVICE_TWIN__ long lround(float __value) { return lroundf(__value); }
__UW_DEVICE_TWIN__ long long llrint(float __value) { return llrintf(__value); }
__UW_DEVICE_TWIN__ long long llround(float __value) { return llroundf(__value); }

#include <__clang_cuda_cmath.h>

/* What products and quotients of std::complex call. */
#include <__clang_cuda_complex_builtins.h>

#endif
