// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical, integer, common, geometric and relational functions, in kernels against the C++ library or plain arithmetic.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

static bool near(double got, double wanted, double error) {
  return (std::isnan(got) && std::isnan(wanted)) || got == wanted ||
         std::fabs(got - wanted) <= error * std::fabs(wanted) + 1e-37;
}

// f of values around zero, g its equal on the host.
template <class T, class F, class G> static void one(queue &q, int line, T low, T high, F f, G g, double error) {
  const int n = 300;
  T *in = malloc_shared<T>(n, q), *out = malloc_shared<T>(n, q);
  for (int i = 0; i < n; i++)
    in[i] = T(low + (high - low) * (i + 0.5) / n);
  q.parallel_for(range<1>(n), [=](id<1> i) { out[i] = f(in[i]); }).wait();
  for (int i = 0; i < n; i++)
    if (!near(double(out[i]), double(g(in[i])), error)) {
      check_at(line, false, "a function's value");
      std::printf("  of %.17g: %.17g, not %.17g\n", double(in[i]), double(out[i]), double(g(in[i])));
      break;
    }
  sycl::free(in, q);
  sycl::free(out, q);
}
#define ONE(name, low, high)                                                                                           \
  one<float>(                                                                                                          \
      q, __LINE__, low, high, [](float x) { return sycl::name(x); }, [](double x) { return std::name(x); }, 1e-5);     \
  one<double>(                                                                                                         \
      q, __LINE__, low, high, [](double x) { return sycl::name(x); }, [](double x) { return std::name(x); }, 1e-13)

static void of_numbers(queue &q) {
  ONE(sin, -10, 10);
  ONE(cos, -10, 10);
  ONE(tan, -1.5, 1.5);
  ONE(exp, -20, 20);
  ONE(exp2, -20, 20);
  ONE(expm1, -3, 3);
  ONE(log, 0.01, 100);
  ONE(log2, 0.01, 100);
  ONE(log10, 0.01, 100);
  ONE(log1p, -0.9, 10);
  ONE(sqrt, 0, 100);
  ONE(cbrt, -10, 10);
  ONE(asin, -1, 1);
  ONE(acos, -1, 1);
  ONE(atan, -10, 10);
  ONE(sinh, -5, 5);
  ONE(cosh, -5, 5);
  ONE(tanh, -3, 3);
  ONE(asinh, -5, 5);
  ONE(erf, -3, 3);
  ONE(tgamma, 0.5, 10);
  ONE(floor, -5, 5);
  ONE(ceil, -5, 5);
  ONE(trunc, -5, 5);
  ONE(round, -5, 5);
  ONE(rint, -5, 5);
  ONE(fabs, -5, 5);
  one<float>(
      q, __LINE__, 0.1f, 50, [](float x) { return sycl::rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, 1e-6);
  one<double>(
      q, __LINE__, -3, 3, [](double x) { return sycl::sinpi(x); }, [](double x) { return std::sin(x * M_PI); }, 1e-9);
  one<float>(
      q, __LINE__, 0.1f, 5, [](float x) { return sycl::pow(x, 2.5f); }, [](double x) { return std::pow(x, 2.5); },
      1e-5);
  one<double>(q, __LINE__, -5, 5, [](double x) { return sycl::pown(x, 3); }, [](double x) { return x * x * x; }, 1e-14);
  one<double>(
      q, __LINE__, -5, 5, [](double x) { return sycl::rootn(x, 3); }, [](double x) { return std::cbrt(x); }, 1e-14);
  one<float>(
      q, __LINE__, -5, 5, [](float x) { return sycl::native::exp(x) * sycl::half_precision::cos(x); },
      [](double x) { return std::exp(x) * std::cos(x); }, 1e-4);
  one<float>(
      q, __LINE__, -5, 5, [](float x) { return sycl::atan2(x, 2.0f) + sycl::hypot(x, 3.0f) + sycl::fmod(x, 0.75f); },
      [](double x) { return std::atan2(x, 2.0) + std::hypot(x, 3.0) + std::fmod(x, 0.75); }, 1e-4);
  one<double>(
      q, __LINE__, -5, 5,
      [](double x) { return sycl::fma(x, 3.0, 1.0) + sycl::mad(x, 2.0, 5.0) + sycl::copysign(3.0, x); },
      [](double x) { return x * 3 + 1 + x * 2 + 5 + std::copysign(3.0, x); }, 1e-13);
  one<float>(
      q, __LINE__, -5, 5,
      [](float x) {
        float whole;
        int exponent;
        float cosine;
        const float part = sycl::modf(x, &whole), mantissa = sycl::frexp(x, &exponent);
        const float sine = sycl::sincos(x, multi_ptr<float, access::address_space::private_space>(&cosine));
        return part + whole * 10 + mantissa * 100 + exponent * 1000 + sine + cosine + sycl::ldexp(x, 3) +
               sycl::ilogb(x);
      },
      [](float x) {
        float whole;
        int exponent;
        const float part = std::modf(x, &whole), mantissa = std::frexp(x, &exponent);
        return part + whole * 10 + mantissa * 100 + exponent * 1000 + std::sin(x) + std::cos(x) + std::ldexp(x, 3) +
               std::ilogb(x);
      },
      1e-4);
  one<float>(
      q, __LINE__, -2, 2,
      [](float x) {
        return sycl::clamp(x, -0.5f, 0.5f) + sycl::mix(x, 2.0f, 0.25f) + sycl::step(0.5f, x) +
               sycl::smoothstep(-1.0f, 1.0f, x) + sycl::sign(x) + sycl::degrees(x) + sycl::radians(x) +
               sycl::max(x, 0.1f) + sycl::fmin(x, 0.2f);
      },
      [](double x) {
        const double t = std::min(std::max((x + 1) / 2, 0.0), 1.0);
        return std::min(std::max(x, -0.5), 0.5) + x + (2 - x) * 0.25 + (x < 0.5 ? 0 : 1) + t * t * (3 - 2 * t) +
               (x > 0 ? 1 : -1) + x * 180 / M_PI + x * M_PI / 180 + std::max(x, 0.1) + std::min(x, 0.2);
      },
      1e-4);
}

static void of_integers(queue &q) {
  int *out = malloc_shared<int>(32, q);
  q.single_task([=] {
     int i = 0;
     out[i++] = sycl::abs(-5) + int(sycl::abs(std::int8_t(-100)));
     out[i++] = int(sycl::abs_diff(-2000000000, 2000000000) == -294967296);
     out[i++] = sycl::add_sat(2147483647, 5) == 2147483647 && sycl::add_sat(std::uint8_t(250), std::uint8_t(10)) == 255;
     out[i++] = sycl::sub_sat(-2147483647, 5) == -2147483647 - 1 && sycl::sub_sat(3u, 5u) == 0u;
     out[i++] = sycl::hadd(7, 4) * 10 + sycl::rhadd(7, 4);
     out[i++] = sycl::clz(1) + sycl::clz(0) + sycl::clz(std::uint8_t(1));
     out[i++] = sycl::ctz(8) + int(sycl::ctz(0l));
     out[i++] = sycl::popcount(-1) + int(sycl::popcount(std::uint16_t(0xf0f0)));
     out[i++] = sycl::mul_hi(1 << 30, 8);
     out[i++] = int(sycl::mul_hi(1ul << 63, 6ul));
     out[i++] = int(sycl::rotate(0x80000001u, 4u));
     out[i++] = sycl::mad24(1000, 1000, 5) + sycl::mul24(-3, 4);
     out[i++] = sycl::mad_sat(1 << 20, 1 << 20, 1) == 2147483647;
     out[i++] = sycl::mad_hi(1 << 30, 8, 5);
     out[i++] = int(sycl::upsample(std::uint16_t(1), std::uint16_t(2)));
     out[i++] = sycl::max(3, -4) * 10 + sycl::min(3, -4) + sycl::clamp(10, 2, 6);
     out[i++] = sycl::isnan(sycl::nan(0u)) + 2 * sycl::isinf(1.0f) + 4 * sycl::isequal(2.0, 2.0) +
                8 * sycl::signbit(-0.0f) + 16 * sycl::isfinite(3.0f) + 32 * sycl::isless(1.0f, 2.0f) +
                64 * sycl::isnormal(1e-40f) + 128 * sycl::isunordered(1.0f, sycl::nan(0u));
     out[i++] = sycl::select(3, 4, true) * 10 + sycl::select(3, 4, false);
     out[i++] = sycl::bitselect(0x00ff, 0xff00, 0x0ff0);
     const int4 v(-3, 7, 0, 12);
     const int4 w = sycl::max(sycl::abs(v), 5) + sycl::popcount(v) + sycl::clamp(v, 0, 4) +
                    sycl::select(v, int4(1), int4(0, -1, 0, -1));
     out[i++] = w[0] + 100 * w[1] + 10000 * w[2];
     out[i++] =
         sycl::any(v < 0) + 2 * sycl::all(v < 0) + 4 * sycl::any(sycl::isgreater(float4(1, 2, 3, 4), float4(3.5f)));
     const float4 f = sycl::fmax(sycl::cos(float4(0)), 0.5f) + sycl::pow(float4(2), float4(1, 2, 3, 4));
     out[i++] = int(f[0] + 10 * f[1] + 100 * f[2] + 1000 * f[3]);
     out[i++] = int(sycl::length(float2(3, 4)) + 10 * sycl::distance(float3(1, 2, 3), float3(1, 2, 5)) +
                    100 * sycl::dot(float2(1, 2), float2(3, 4)));
     out[i++] = int(sycl::normalize(float4(0, 5, 0, 0))[1] * 1000 + 0.5f);
   }).wait();
  const int wanted[] = {105,
                        1,
                        1,
                        1,
                        5 * 10 + 6,
                        31 + 32 + 7,
                        3 + 64,
                        32 + 8,
                        2,
                        3,
                        0x18,
                        1000005 - 12,
                        1,
                        7,
                        65538,
                        30 - 4 + 6,
                        1 + 4 + 8 + 16 + 32 + 128,
                        43,
                        0xf00f & 0x00ff | 0x0f00};
  CHECK_SAME(out, wanted, 18);
  CHECK(out[18] == ((0x00ff & ~0x0ff0) | (0xff00 & 0x0ff0)));
  // -3: 5 + 31 + 0 - 3; 7: 7 + 3 + 4 + 1; 0: 5 + 0 + 0 + 0
  CHECK(out[19] == 33 + 100 * 15 + 10000 * 5);
  CHECK(out[20] == 1 + 4);
  CHECK(out[21] == 3 + 50 + 900 + 17000);
  CHECK(out[22] == 5 + 20 + 1100);
  CHECK(out[23] == 1000);
  sycl::free(out, q);
}

int main() {
  queue q;
  of_numbers(q);
  of_integers(q);
  return report();
}
