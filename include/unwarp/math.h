/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions: the C library's in device code, CUDA's own in device and host code, and min and max as nvcc
 * has them without std::. (CUDA Math API, "Single / Double Precision Mathematical Functions".)
 *
 * clang's headers map the C functions to the __nv_ functions of libdevice/. CUDA's own functions have no C library
 * behind them on the host, so there the same libdevice function is called, which is part of the runtime library.
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
template <typename __Type> struct __uw_if_integer<__Type, true> { typedef double type; };

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

__UW_DEVICE__ float exp10(float __value) { return exp10f(__value); }
__UW_HOST__ float exp10(float __value) { return exp10f(__value); }
__UW_BOTH__ void sincospi(float __value, float *__sine, float *__cosine) { sincospif(__value, __sine, __cosine); }
__UW_BOTH__ float rhypot(float __left, float __right) { return rhypotf(__left, __right); }
__UW_DEVICE__ void sincos(float __value, float *__sine, float *__cosine) { sincosf(__value, __sine, __cosine); }
__UW_HOST__ void sincos(float __value, float *__sine, float *__cosine) { ::sincosf(__value, __sine, __cosine); }
__UW_DEVICE__ float j0(float __value) { return j0f(__value); }
__UW_DEVICE__ float j1(float __value) { return j1f(__value); }
__UW_DEVICE__ float jn(int __order, float __value) { return jnf(__order, __value); }
__UW_DEVICE__ float y0(float __value) { return y0f(__value); }
__UW_DEVICE__ float y1(float __value) { return y1f(__value); }
__UW_DEVICE__ float yn(int __order, float __value) { return ynf(__order, __value); }
__UW_DEVICE__ double nan(const char *__tag) { return __nv_nan((const signed char *)__tag); }
__UW_DEVICE__ float nanf(const char *__tag) { return __nv_nanf((const signed char *)__tag); }
__UW_DEVICE__ double nexttoward(double __from, double __to) { return nextafter(__from, __to); }
__UW_HOST__ double fdivide(double __left, double __right) { return __left / __right; }
__UW_HOST__ float fdividef(float __left, float __right) { return __left / __right; }

/* min and max of any two scalars, in the type that their sum would have. A template, so that a program's own min or
 * max, or std::min under `using namespace std`, is preferred to it. */
template <typename __Type, bool = __is_arithmetic(__Type) || __is_enum(__Type)> struct __uw_scalar {};
template <typename __Type> struct __uw_scalar<__Type, true> { typedef __Type type; };
template <typename __Left, typename __Right> struct __uw_sum {
  typedef decltype(typename __uw_scalar<__Left>::type() + typename __uw_scalar<__Right>::type()) type;
};

#define __UW_MIN_MAX(name, compare, type)                                                                              \
  static __inline__ __attribute__((host, device, always_inline, unused)) constexpr type __uw_##name(type __left,       \
                                                                                                    type __right) {    \
    return compare;                                                                                                    \
  }
#define __UW_MIN_MAX_INTEGERS(name, compare)                                                                           \
  __UW_MIN_MAX(name, compare, int)                                                                                     \
  __UW_MIN_MAX(name, compare, unsigned int)                                                                            \
  __UW_MIN_MAX(name, compare, long)                                                                                    \
  __UW_MIN_MAX(name, compare, unsigned long)                                                                           \
  __UW_MIN_MAX(name, compare, long long)                                                                               \
  __UW_MIN_MAX(name, compare, unsigned long long)
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

template <typename __Left, typename __Right>
static __inline__ __attribute__((host, device, always_inline)) constexpr typename __uw_sum<__Left, __Right>::type
min(__Left __left, __Right __right) {
  typedef typename __uw_sum<__Left, __Right>::type __type;
  return __uw_min((__type)__left, (__type)__right);
}
template <typename __Left, typename __Right>
static __inline__ __attribute__((host, device, always_inline)) constexpr typename __uw_sum<__Left, __Right>::type
max(__Left __left, __Right __right) {
  typedef typename __uw_sum<__Left, __Right>::type __type;
  return __uw_max((__type)__left, (__type)__right);
}

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

#include <__clang_cuda_cmath.h>

#endif
