/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvcc's traits of extended lambdas, as constant expressions. (Programming guide, "Extended Lambda Type Traits".)
 * Which side may call a closure is asked of overload resolution: a function of one side does not see the other's
 * functions.
 *
 * Where clang keeps no difference the answer is the one that lets more through: a lambda without annotations is
 * callable on both sides here and passes for a __host__ __device__ one, and a __device__ lambda outside of functions
 * for an extended one. The host knows the return type of every __device__ lambda, be it written after an arrow or not.
 */
#ifndef UNWARP_LAMBDA_TRAITS_H
#define UNWARP_LAMBDA_TRAITS_H

#include <type_traits>

namespace __uw_lambda {

constexpr bool __starts(const char *__text, const char *__with) {
  return !*__with || (*__text == *__with && __starts(__text + 1, __with + 1));
}
constexpr const char *__after_equals(const char *__text) {
  return *__text == '=' ? __text + 2 : __after_equals(__text + 1);
}
template <typename __T> constexpr bool __is_closure() {
  return std::is_class<__T>::value && __starts(__after_equals(__PRETTY_FUNCTION__), "(lambda at ");
}

/* Another operator() beside the lambda's. */
template <typename __T, typename... __Parameters> struct __rivals : __T {
  using __T::operator();
  __host__ __device__ char operator()(__Parameters...);
};
struct __anything {};
struct __converted {
  __host__ __device__ __converted(__anything *);
};
template <typename __T> __T &__some();

/* A generic lambda. Its rival fits the object better, which it does not want const, and the arguments worse: a call is
 * ambiguous if the host may call both, and nobody looks into the lambda's body for the type of the result. */
template <typename __T, typename = void> struct __callers {
  template <typename... __C>
  static __host__ auto __rival(int)
      -> decltype(__some<__rivals<__T, __C...>>()(((void)sizeof(__C), __some<__anything *>())...));
  template <typename... __C> static __host__ int __rival(...);
  static constexpr bool __host_calls = sizeof(__rival<__converted>(0)) != 1 ||
                                       sizeof(__rival<__converted, __converted>(0)) != 1 ||
                                       sizeof(__rival<__converted, __converted, __converted>(0)) != 1;
  static constexpr bool __device_calls = !__host_calls; /* nvcc has no generic ones for both */
};

/* Any other: its address is in the set if the side may call it. */
template <typename __T> struct __callers<__T, decltype((void)&__T::operator())> {
  using __set = __rivals<__T, __callers>;
  template <typename __P> static __host__ auto __host(__P) -> decltype(static_cast<__P>(&__set::operator()), char());
  template <typename __P>
  static __device__ auto __device(__P) -> decltype(static_cast<__P>(&__set::operator()), char());
  static __host__ int __host(...);
  static __device__ int __device(...);
  static constexpr bool __host_calls = sizeof(__host(&__T::operator())) == 1;
  static constexpr bool __device_calls = sizeof(__device(&__T::operator())) == 1;
};

template <typename __T, bool = __is_closure<__T>()> struct __traits {
  static constexpr bool __for_device = false, __for_both = false;
};
template <typename __T> struct __traits<__T, true> {
  static constexpr bool __for_device = !__callers<__T>::__host_calls;
  static constexpr bool __for_both = __callers<__T>::__host_calls && __callers<__T>::__device_calls;
};

} // namespace __uw_lambda

#define __UW_LAMBDA_TRAITS(...) __uw_lambda::__traits<typename std::remove_cv<__VA_ARGS__>::type>
#define __nv_is_extended_device_lambda_closure_type(...) (__UW_LAMBDA_TRAITS(__VA_ARGS__)::__for_device)
#define __nv_is_extended_host_device_lambda_closure_type(...) (__UW_LAMBDA_TRAITS(__VA_ARGS__)::__for_both)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (__UW_LAMBDA_TRAITS(__VA_ARGS__)::__for_device)

#endif
