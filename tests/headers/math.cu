/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions in device code: C names, overloads for float, integers and mixed arguments, std::, CUDA's own
 * functions, min and max of every mix. The types of results are checked where overloads decide them.
 */
#include <algorithm>

template <typename Left, typename Right> struct same {
  static constexpr bool value = false;
};
template <typename Type> struct same<Type, Type> {
  static constexpr bool value = true;
};
#define IS(type, expression) static_assert(same<decltype(expression), type>::value, #expression)

__global__ void doubles(double *x, int *n) {
  int i = 0;
#define CALL(name) x[i] = name(x[i + 1]), ++i;
  // clang-format off
  CALL(acos) CALL(acosh) CALL(asin) CALL(asinh) CALL(atan) CALL(atanh) CALL(cbrt) CALL(ceil) CALL(cos) CALL(cosh)
  CALL(cospi) CALL(cyl_bessel_i0) CALL(cyl_bessel_i1) CALL(erf) CALL(erfc) CALL(erfcinv) CALL(erfcx) CALL(erfinv)
  CALL(exp) CALL(exp10) CALL(exp2) CALL(expm1) CALL(fabs) CALL(floor) CALL(j0) CALL(j1) CALL(lgamma) CALL(log)
  CALL(log10) CALL(log1p) CALL(log2) CALL(logb) CALL(nearbyint) CALL(normcdf) CALL(normcdfinv) CALL(rcbrt) CALL(rint)
  CALL(round) CALL(rsqrt) CALL(sin) CALL(sinh) CALL(sinpi) CALL(sqrt) CALL(tan) CALL(tanh) CALL(tgamma) CALL(trunc)
  CALL(y0) CALL(y1) CALL(abs) CALL(std::sin) CALL(std::sqrt) CALL(std::exp) CALL(std::abs) CALL(std::floor)
// clang-format on
#define CALL2(name) x[i] = name(x[i], x[1]), ++i;
      // clang-format off
  CALL2(atan2) CALL2(copysign) CALL2(fdim) CALL2(fdivide) CALL2(fmax) CALL2(fmin) CALL2(fmod) CALL2(hypot)
  CALL2(nextafter) CALL2(pow) CALL2(remainder) CALL2(rhypot) CALL2(std::pow) CALL2(std::fmax) CALL2(std::max)
  CALL2(std::min) CALL2(max) CALL2(min)
      // clang-format on
      x[0] = fma(x[0], x[1], x[2]) + norm3d(x[0], x[1], x[2]) + norm4d(x[0], x[1], x[2], x[3]) +
             rnorm3d(x[0], x[1], x[2]) + rnorm4d(x[0], x[1], x[2], x[3]) + norm(3, x) + rnorm(3, x) + jn(2, x[0]) +
             yn(2, x[0]) + ldexp(x[0], 3) + scalbn(x[0], 3) + scalbln(x[0], 3l) + frexp(x[0], n) + modf(x[0], x + 1) +
             remquo(x[0], x[1], n) + nan("");
  sincos(x[0], x + 1, x + 2);
  sincospi(x[0], x + 1, x + 2);
  n[0] = ilogb(x[0]) + lrint(x[0]) + lround(x[0]) + llrint(x[0]) + llround(x[0]) + isnan(x[0]) + isinf(x[0]) +
         isfinite(x[0]) + signbit(x[0]) + std::isnan(x[0]) + std::isinf(x[0]) + std::isfinite(x[0]) +
         std::signbit(x[0]) + isnormal(x[0]) + fpclassify(x[0]) + isunordered(x[0], x[1]) + isless(x[0], x[1]);
}

__global__ void floats(float *x, int *n) {
  int i = 0;
  // clang-format off
  CALL(acosf) CALL(acoshf) CALL(asinf) CALL(asinhf) CALL(atanf) CALL(atanhf) CALL(cbrtf) CALL(ceilf) CALL(cosf)
  CALL(coshf) CALL(cospif) CALL(cyl_bessel_i0f) CALL(cyl_bessel_i1f) CALL(erff) CALL(erfcf) CALL(erfcinvf) CALL(erfcxf)
  CALL(erfinvf) CALL(expf) CALL(exp10f) CALL(exp2f) CALL(expm1f) CALL(fabsf) CALL(floorf) CALL(j0f) CALL(j1f)
  CALL(lgammaf) CALL(logf) CALL(log10f) CALL(log1pf) CALL(log2f) CALL(logbf) CALL(nearbyintf) CALL(normcdff)
  CALL(normcdfinvf) CALL(rcbrtf) CALL(rintf) CALL(roundf) CALL(rsqrtf) CALL(sinf) CALL(sinhf) CALL(sinpif) CALL(sqrtf)
  CALL(tanf) CALL(tanhf) CALL(tgammaf) CALL(truncf) CALL(y0f) CALL(y1f) CALL2(atan2f) CALL2(copysignf) CALL2(fdimf)
  CALL2(fdividef) CALL2(fmaxf) CALL2(fminf) CALL2(fmodf) CALL2(hypotf) CALL2(nextafterf) CALL2(powf) CALL2(remainderf)
  CALL2(rhypotf)
// clang-format on
#define OVERLOAD(name)                                                                                                 \
  IS(float, name(x[0]));                                                                                               \
  x[i] = name(x[i + 1]), ++i;
      // clang-format off
  OVERLOAD(acos) OVERLOAD(asin) OVERLOAD(atan) OVERLOAD(ceil) OVERLOAD(cos) OVERLOAD(cosh) OVERLOAD(exp) OVERLOAD(fabs)
  OVERLOAD(floor) OVERLOAD(log) OVERLOAD(log10) OVERLOAD(sin) OVERLOAD(sinh) OVERLOAD(sqrt) OVERLOAD(tan) OVERLOAD(tanh)
  OVERLOAD(abs) OVERLOAD(rsqrt) OVERLOAD(rcbrt) OVERLOAD(sinpi) OVERLOAD(cospi) OVERLOAD(erfinv) OVERLOAD(erfcinv)
  OVERLOAD(erfcx) OVERLOAD(normcdf) OVERLOAD(normcdfinv) OVERLOAD(exp10) OVERLOAD(std::exp) OVERLOAD(std::sqrt)
  OVERLOAD(std::abs) OVERLOAD(exp2) OVERLOAD(expm1) OVERLOAD(log1p) OVERLOAD(log2) OVERLOAD(cbrt) OVERLOAD(round)
  OVERLOAD(trunc) OVERLOAD(rint) OVERLOAD(erf) OVERLOAD(erfc) OVERLOAD(tgamma) OVERLOAD(lgamma) OVERLOAD(acosh)
  OVERLOAD(asinh) OVERLOAD(atanh) OVERLOAD(logb) OVERLOAD(nearbyint) OVERLOAD(std::round)
// clang-format on
#define OVERLOAD2(name)                                                                                                \
  IS(float, name(x[0], x[1]));                                                                                         \
  x[i] = name(x[i], x[1]), ++i;
      // clang-format off
  OVERLOAD2(copysign) OVERLOAD2(fdim) OVERLOAD2(fmax) OVERLOAD2(fmin) OVERLOAD2(hypot) OVERLOAD2(nextafter)
  OVERLOAD2(remainder) OVERLOAD2(pow) OVERLOAD2(fmod) OVERLOAD2(atan2) OVERLOAD2(std::fmin) OVERLOAD2(std::pow)
      // clang-format on
      x[i] = scalbn(x[0], 3) + scalbln(x[0], 3l) + remquo(x[0], x[1], n) + ldexp(x[0], 3) + frexp(x[0], n) +
             modf(x[0], x + 1);
  n[1] = ilogb(x[0]) + (int)lrint(x[0]) + (int)lround(x[0]) + (int)llrint(x[0]) + (int)llround(x[0]);
  IS(float, pow(x[0], x[1]));
  IS(float, fmod(x[0], x[1]));
  IS(float, atan2(x[0], x[1]));
  IS(float, fma(x[0], x[1], x[2]));
  IS(float, fmax(x[0], x[1]));
  IS(double, sqrt(n[0]));
  IS(double, rsqrt(n[0]));
  IS(double, pow(x[0], 2.0));
  x[0] = pow(x[0], 2) + fma(x[0], x[1], x[2]) + norm3df(x[0], x[1], x[2]) + norm4df(x[0], x[1], x[2], x[3]) +
         rnorm3df(x[0], x[1], x[2]) + rnorm4df(x[0], x[1], x[2], x[3]) + normf(3, x) + rnormf(3, x) + jnf(2, x[0]) +
         ynf(2, x[0]) + ldexpf(x[0], 3) + scalbnf(x[0], 3) + frexpf(x[0], n) + modff(x[0], x + 1) +
         remquof(x[0], x[1], n) + nanf("") + sqrt(3) + pow(n[0], n[1]) + exp(n[0]) + fabs(n[0]) + floor(n[0] / 2);
  sincosf(x[0], x + 1, x + 2);
  sincos(x[0], x + 1, x + 2);
  sincospif(x[0], x + 1, x + 2);
  n[0] = ilogbf(x[0]) + lrintf(x[0]) + lroundf(x[0]) + llrintf(x[0]) + llroundf(x[0]) + isnan(x[0]) + isinf(x[0]) +
         isfinite(x[0]) + signbit(x[0]) + std::isnan(x[0]) + std::isinf(x[0]) + std::isfinite(x[0]) + isnan(n[0]);
}

template <typename Left, typename Right, typename Expected> __host__ __device__ double min_max(Left left, Right right) {
  IS(Expected, min(left, right));
  IS(Expected, max(right, left));
  return (double)(min(left, right) + max(left, right) + min(right, left));
}
template <typename Left> __host__ __device__ double min_max_with(Left left) {
  return min_max<Left, int, decltype(left + 1)>(left, 1) + min_max<Left, unsigned, decltype(left + 1u)>(left, 1u) +
         min_max<Left, long, decltype(left + 1l)>(left, 1l) +
         min_max<Left, unsigned long, decltype(left + 1ul)>(left, 1) +
         min_max<Left, long long, decltype(left + 1ll)>(left, 1) +
         min_max<Left, unsigned long long, decltype(left + 1ull)>(left, 1) +
         min_max<Left, float, decltype(left + 1.0f)>(left, 1.0f) +
         min_max<Left, double, decltype(left + 1.0)>(left, 1.0) +
         min_max<Left, short, decltype(left + (short)1)>(left, 1) +
         min_max<Left, char, decltype(left + 'a')>(left, 'a');
}
__host__ __device__ double min_max_all() {
  return min_max_with<int>(1) + min_max_with<unsigned>(1) + min_max_with<long>(1) + min_max_with<unsigned long>(1) +
         min_max_with<long long>(1) + min_max_with<unsigned long long>(1) + min_max_with<float>(1) +
         min_max_with<double>(1) + min_max_with<short>(1) + min_max_with<unsigned char>(1) + min_max_with<bool>(true);
}
enum color { red, green };
__global__ void mixed(double *x, int *n) {
  x[0] = min_max_all() + umin(1u, 2u) + umax(1u, 2u) + llmin(1ll, 2ll) + llmax(1ll, 2ll) + ullmin(1ull, 2ull) +
         ullmax(1ull, 2ull) + min(threadIdx.x, 5) + max(n[0], (int)blockDim.x) + min(green, 7);
  n[0] = abs(n[0]) + (int)labs(n[1]) + (int)llabs(n[2]) + (int)abs(3l) + (int)abs(3ll);
  constexpr int least = min(3, 4), most = std::max(3, 4);
  int local[most - least + 1] = {};
  std::swap(n[0], local[0]);
}

int main() {
  int a = 1, b = 2;
  float f = max(1.0f, 2), g = rsqrtf(2.0f) + rsqrt(2.0f);
  double d = min_max_all() + rsqrt(2.0) + rsqrt(3) + min(a, b) + max(a, 2u) + exp10(2.0) + fdividef(1.0f, 2.0f);
  using namespace std;
  return (int)(f + g + d + min(a, b) + max(1.0, 2.0) + max(a, 3l) + abs(-1.5f) + (isnan(d) ? 1 : 0));
}
