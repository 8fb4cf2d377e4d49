// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sinpi, cospi and tanpi within what the table of accuracies allows (4, 4 and 6 units), also near their zeros and poles, against long double;
// and what they give for whole and half turns.
#include <sycl/sycl.hpp>

#include "check.hpp"
#include <cmath>
#include <limits>

template <class T> long double units(T got, long double want) {
  int exponent;
  std::frexp((T)want, &exponent);
  return std::fabs((long double)got - want) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
}

// By the part beside the nearest integer, in long double, where the product with pi has digits to spare.
static long double sine(long double x) {
  const long double whole = std::rint(x), s = std::sin((x - whole) * 3.14159265358979323846264338327950288L);
  return std::fmod(whole, 2) != 0 ? -s : s;
}
static long double cosine(long double x) {
  const long double r = std::fabs(x - 2 * std::rint(x / 2));
  return std::sin((0.5L - r) * 3.14159265358979323846264338327950288L);
}

template <class T> void all(sycl::queue &q) {
  const int count = 4096;
  T *x = sycl::malloc_shared<T>(count, q), *s = sycl::malloc_shared<T>(count, q), *c = sycl::malloc_shared<T>(count, q),
    *t = sycl::malloc_shared<T>(count, q);
  for (int i = 0; i < count; i++)
    x[i] = i % 4 == 0   ? T(i - 2048) / T(97)
           : i % 4 == 1 ? T(i % 64 - 32) + T(i) * T(1e-7) // near the zeros of sinpi
           : i % 4 == 2 ? T(i % 64) + T(0.5) - T(i) * T(1e-6)
                        : T(i) * T(1234.567);
  q.parallel_for(count, [=](sycl::id<1> i) {
     s[i] = sycl::sinpi(x[i]);
     c[i] = sycl::cospi(x[i]);
     t[i] = sycl::tanpi(x[i]);
   }).wait();
  for (int i = 0; i < count; i++) {
    const long double a = sine(x[i]), b = cosine(x[i]);
    if (a != 0)
      CHECK(units(s[i], a) <= 4);
    if (b != 0)
      CHECK(units(c[i], b) <= 4);
    if (a != 0 && b != 0)
      CHECK(units(t[i], a / b) <= 6);
  }
  const T exact[] = {0, T(-0.0), 1, -1, 2, T(0.5), T(1.5), T(-0.5), T(2.5), std::numeric_limits<T>::infinity()};
  for (int i = 0; i < 10; i++)
    x[i] = exact[i];
  q.parallel_for(10, [=](sycl::id<1> i) {
     s[i] = sycl::sinpi(x[i]);
     c[i] = sycl::cospi(x[i]);
     t[i] = sycl::tanpi(x[i]);
   }).wait();
  for (int i = 0; i < 5; i++) {
    CHECK(s[i] == 0 && std::signbit(s[i]) == std::signbit(exact[i]));
    CHECK(c[i] == (i == 2 || i == 3 ? -1 : 1));
    CHECK(t[i] == 0 && std::signbit(t[i]) == (i == 1 || i == 2));
  }
  for (int i = 5; i < 9; i++) {
    CHECK(s[i] == (i == 5 || i == 8 ? 1 : -1));
    CHECK(c[i] == 0);
    CHECK(std::isinf(t[i]) && (t[i] > 0) == (i == 5 || i == 8));
  }
  CHECK(std::isnan(s[9]) && std::isnan(c[9]) && std::isnan(t[9]));
  for (T *each : {x, s, c, t})
    sycl::free(each, q);
}

int main() {
  sycl::queue q;
  all<float>(q);
  all<double>(q);
  CHECK(sycl::sinpi(sycl::half(0.5f)) == sycl::half(1.0f));
  return report();
}
