// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision: arithmetic rounds to it, conversions, limits, vectors of it, in buffers.
#include <sycl/sycl.hpp>

#include <cmath>
#include <limits>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  CHECK(q.get_device().has(aspect::fp16));
  const int n = 300;
  half *x = malloc_shared<half>(n, q);
  float *y = malloc_shared<float>(n, q);
  half4 *v = malloc_shared<half4>(1, q);
  q.parallel_for(range<1>(n), [=](id<1> i) {
     const half a = half(float(i[0]) * 0.37f), b = half(1.0f) / half(3.0f);
     x[i] = a * b + half(0.125f);
     y[i] = float(x[i]) + 1.0f;
     if (i == 0)
       *v = half4(half(1), half(2), half(3), half(4)) * half4(half(0.5f));
   }).wait();
  for (int i = 0; i < n; i++) {
    const _Float16 a = _Float16(float(i) * 0.37f), b = _Float16(1.0f) / _Float16(3.0f);
    const float product = float(_Float16(float(a) * float(b)));
    CHECK(std::fabs(float(x[i]) - (product + 0.125f)) <= 0.001f * (1 + std::fabs(product)));
    CHECK(y[i] == float(x[i]) + 1.0f);
  }
  CHECK(float((*v)[3]) == 2.0f && float((*v)[0]) == 0.5f);
  CHECK(float(std::numeric_limits<half>::max()) == 65504.0f && float(half(70000.0f)) == INFINITY && sizeof(half) == 2);
  CHECK(float(half(2049.0f)) == 2048.0f);
  // What C++23 has of the C library's functions.
  CHECK(float(std::floor(half(-1.5f))) == -2.0f && float(std::fmin(half(1), half(2))) == 1.0f &&
        std::isnan(half(NAN)) && !std::isinf(half(1)));
  int exponent = 0, quotient = 0;
  half whole = 0;
  CHECK(float(std::frexp(half(40), &exponent)) == 0.625f && exponent == 6 &&
        float(std::ldexp(half(0.625f), 6)) == 40.0f);
  CHECK(float(std::modf(half(-3.75f), &whole)) == -0.75f && float(whole) == -3.0f &&
        float(std::fma(half(3), half(5), half(1))) == 16.0f);
  CHECK(float(std::remquo(half(17), half(5), &quotient)) == 2.0f && (quotient & 7) == 3 && std::ilogb(half(40)) == 5);
  CHECK(std::lround(half(2.5f)) == 3 && std::lrint(half(2.5f)) == 2 && std::llround(half(-2.5f)) == -3 &&
        std::llrint(half(3.5f)) == 4);
  CHECK(float(std::scalbn(half(3), 2)) == 12.0f && float(std::scalbln(half(3), -1L)) == 1.5f);
  CHECK(std::to_string(half(1.5f)) == std::to_string(1.5f) && std::signbit(half(-0.0f)) && !std::isnormal(half(1e-6f)));
  CHECK(typeid(half) != typeid(float) && typeid(half) == typeid(std::remove_reference_t<decltype(*x)>) &&
        *typeid(half *).name() == 'P');
  free(x, q), free(y, q), free(v, q);
  return report();
}
