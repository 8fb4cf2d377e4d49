// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of floating-point values against the results of the C library in double precision.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 200;
  struct results {
    float sine, power, logarithm, root, arc, error, gamma, cube, hyper, whole;
  };
  results *out = malloc_shared<results>(n, q);
  q.parallel_for(range<1>(n), [=](id<1> i) {
     const float x = 0.1f + 0.37f * i[0];
     out[i] = {sycl::sin(x),         sycl::pow(x, 1.7f), sycl::log2(x),  sycl::sqrt(x),        sycl::atan2(x, 3.0f),
               sycl::erf(0.05f * x), sycl::lgamma(x),    sycl::cbrt(-x), sycl::tanh(0.1f * x), sycl::rint(x)};
   }).wait();
  auto close = [](double got, double wanted) { return std::fabs(got - wanted) <= 1e-5 * (1 + std::fabs(wanted)); };
  for (int i = 0; i < n; i++) {
    const double x = 0.1f + 0.37f * i;
    CHECK(close(out[i].sine, std::sin(x)) && close(out[i].power, std::pow(x, 1.7f)) &&
          close(out[i].logarithm, std::log2(x)));
    CHECK(close(out[i].root, std::sqrt(x)) && close(out[i].arc, std::atan2(x, 3.0)) &&
          close(out[i].error, std::erf(0.05f * x)));
    CHECK(close(out[i].gamma, std::lgamma(x)) && close(out[i].cube, std::cbrt(-x)) &&
          close(out[i].hyper, std::tanh(0.1f * x)));
    CHECK(out[i].whole == std::rint(float(x)));
  }
  free(out, q);
  const auto pair = sycl::nan(vec<unsigned, 4>(1u).swizzle<0, 1>());
  static_assert(std::is_same_v<decltype(sycl::nan(vec<unsigned, 2>())), vec<float, 2>> &&
                std::is_same_v<decltype(pair), const vec<float, 2>> &&
                std::is_same_v<decltype(sycl::nan(marray<std::uint16_t, 3>())), marray<half, 3>>);
  CHECK(std::isnan(pair[0]) && std::isnan(float(sycl::nan(std::uint16_t(3)))) &&
        std::isnan(sycl::nan(vec<std::uint64_t, 2>(5))[1]));
  return report();
}
