// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::complex in kernels: products, quotients and functions of the C++ library, against the same on the host.
#include <sycl/sycl.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include "check.hpp"

template <class T> static bool near(std::complex<T> got, std::complex<T> wanted) {
  T error = 16 * std::numeric_limits<T>::epsilon() * (std::abs(wanted) + 1);
  return std::abs(got - wanted) <= error;
}

template <class T, class F> static void same(sycl::queue &q, int line, F f) {
  const int n = 200;
  auto *z = sycl::malloc_shared<std::complex<T>>(n, q), *out = sycl::malloc_shared<std::complex<T>>(n, q);
  for (int i = 0; i < n; i++)
    z[i] = {T(i % 17 - 8) / 4, T(i % 23 - 11) / 8 + T(0.03)};
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { out[i] = f(z[i], z[n - 1 - i]); }).wait();
  for (int i = 0; i < n; i++)
    if (!near(out[i], std::complex<T>(f(z[i], z[n - 1 - i])))) {
      check_at(line, false, "a function's value");
      break;
    }
  sycl::free(z, q);
  sycl::free(out, q);
}
#define SAME(expression) same<T>(q, __LINE__, [](std::complex<T> a, std::complex<T> b) { return expression; })

template <class T> static void all(sycl::queue &q) {
  SAME(a * b);
  SAME(a / b);
  SAME(a + T(2) * b - a / T(3));
  SAME((std::complex<T>(std::abs(a), std::arg(b))));
  SAME((std::complex<T>(std::norm(a), a.real() * b.imag())));
  SAME(std::conj(a) * std::polar(T(2), b.real()));
  SAME(std::exp(a));
  SAME(std::log(a));
  SAME(std::log10(a));
  SAME(std::sqrt(a));
  SAME(std::pow(a, b));
  SAME(std::pow(a, 3));
  SAME(std::sin(a) + std::cos(b));
  SAME(std::tan(a));
  SAME(std::sinh(a) - std::cosh(b));
  SAME(std::tanh(a));
  SAME(std::asin(a));
  SAME(std::acos(a));
  SAME(std::atan(a));
  SAME(std::asinh(a));
  SAME(std::acosh(a));
  SAME(std::atanh(a));
  SAME(std::proj(a));
}

// What a product makes of infinities and numbers that are none, as C99's Annex G wants it.
static void specials(sycl::queue &q) {
  double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto *out = sycl::malloc_shared<std::complex<double>>(2, q);
  std::complex<double> a(infinity, nan), b(1, 1), zero(0, 0);
  q.single_task([=] { out[0] = a * b, out[1] = b / zero; }).wait();
  CHECK(std::isinf(out[0].real()) || std::isinf(out[0].imag()));
  CHECK(std::isinf(out[1].real()) || std::isinf(out[1].imag()));
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  all<float>(q);
  all<double>(q);
  specials(q);
  return report();
}
