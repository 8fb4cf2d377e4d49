// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of bfloat16, on single ones, vec, swizzles and marray, against double's rounded once. fma is right where a float's sum would have been
// rounded twice.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstring>

#include "check.hpp"

#ifndef SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS
#error the macro is not there
#endif

using namespace sycl;
using ext::oneapi::bfloat16;
namespace ex = ext::oneapi::experimental;

static std::uint16_t bits_of(bfloat16 x) {
  std::uint16_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
static bfloat16 of_bits(unsigned bits) {
  bfloat16 x;
  const std::uint16_t narrow = std::uint16_t(bits);
  std::memcpy(&x, &narrow, sizeof x);
  return x;
}
// The number next to it among those of bfloat16, one of the two where both are as near.
static bool is_nearest(bfloat16 got, long double exact) {
  const unsigned bits = bits_of(got);
  const long double error = std::fabs((long double)float(got) - exact);
  for (int to : {-1, 1}) {
    const bfloat16 other = of_bits(bits + unsigned(to));
    if (std::fabs((long double)float(other) - exact) < error)
      return false;
  }
  return true;
}

constexpr int count = 15, items = 1 << 16;
class each_function;

int main() {
  queue q;
  bfloat16 *out = malloc_shared<bfloat16>(std::size_t(count) * items, q);
  q.parallel_for<each_function>(range<1>(items), [=](id<1> i) {
     const bfloat16 x = sycl::bit_cast<bfloat16>(std::uint16_t(i));
     bfloat16 *to = out + count * i;
     *to++ = ex::ceil(x), *to++ = ex::cos(x), *to++ = ex::exp(x), *to++ = ex::exp10(x), *to++ = ex::exp2(x);
     *to++ = ex::floor(x), *to++ = ex::log(x), *to++ = ex::log10(x), *to++ = ex::log2(x), *to++ = ex::rint(x);
     *to++ = ex::rsqrt(x), *to++ = ex::sin(x), *to++ = ex::sqrt(x), *to++ = ex::tanh(x), *to++ = ex::trunc(x);
   }).wait();
  double (*const exact[])(double) = {
      std::ceil,  std::cos,  std::exp,  [](double x) { return std::pow(10.0, x); }, std::exp2, std::floor, std::log,
      std::log10, std::log2, std::rint, [](double x) { return 1 / std::sqrt(x); },  std::sin,  std::sqrt,  std::tanh,
      std::trunc};
  for (int f = 0; f < count; f++) {
    int wrong = 0;
    for (int i = 0; i < items; i++) {
      const double x = float(of_bits(unsigned(i))), wanted = exact[f](x), got = float(out[count * i + f]);
      const double unit = std::fabs(wanted) * 0x1p-8 + 0x1p-133;
      if (std::isnan(wanted)               ? !std::isnan(got)
          : std::fabs(wanted) > 0x1.ffp127 ? std::fabs(got) < 0x1.fep127
                                           : !(std::fabs(got - wanted) <= unit))
        wrong++;
    }
    CHECK(wrong == 0) || std::printf("function %d: %d wrong\n", f, wrong);
  }

  // fma: numbers far apart, and midpoints with a little more or less
  struct triple {
    bfloat16 x, y, z, sum;
  };
  constexpr int triples = 40000;
  triple *t = malloc_shared<triple>(triples, q);
  unsigned seed = 1;
  auto next = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
  for (int i = 0; i < triples; i++) {
    // exponents near one, so that nothing is too large; every third sum has a tiny addend
    t[i].x = of_bits((next() & 0x80ff) | 0x3f00), t[i].y = of_bits((next() & 0x80ff) | 0x3f00);
    t[i].z = i % 3 ? of_bits((next() & 0x87ff) | 0x3800) : of_bits((next() & 0x807f) | 0x1000);
  }
  // 1.0078125 * 1.5 is in the middle of two: a float's sum would lose what decides.
  t[0].x = bfloat16(1.0078125f), t[0].y = bfloat16(1.5f), t[0].z = of_bits(0x1000);
  t[1].x = t[0].x, t[1].y = t[0].y, t[1].z = of_bits(0x9000);
  q.parallel_for(range<1>(triples), [=](id<1> i) { t[i].sum = ex::fma(t[i].x, t[i].y, t[i].z); }).wait();
  int wrong = 0;
  for (int i = 2; i < triples; i++)
    wrong += !is_nearest(t[i].sum, (long double)float(t[i].x) * float(t[i].y) + (long double)float(t[i].z));
  CHECK(wrong == 0);
  CHECK(float(t[0].sum) == 1.515625f && float(t[1].sum) == 1.5078125f);

  // what has no order, zeros; sequences
  const float nan = NAN;
  float *y = malloc_shared<float>(16, q);
  vec<bfloat16, 4> *v = malloc_shared<vec<bfloat16, 4>>(4, q);
  marray<bfloat16, 3> *m = malloc_shared<marray<bfloat16, 3>>(3, q);
  v[0] = vec<bfloat16, 4>(bfloat16(1.0f), bfloat16(-2.0f), bfloat16(nan), bfloat16(4.0f));
  m[0] = marray<bfloat16, 3>(bfloat16(-1.0f), bfloat16(9.0f), bfloat16(nan));
  q.single_task([=] {
     const bfloat16 none(nan), one(1.0f), zero(0.0f), less_zero(-0.0f);
     y[0] = ex::fmax(none, one), y[1] = ex::fmin(one, none), y[2] = ex::isnan(ex::fmin(none, none));
     y[3] = ex::fmax(less_zero, zero), y[4] = ex::fmin(zero, less_zero), y[5] = ex::fabs(bfloat16(-3.5f));
     y[6] = ex::isnan(one), y[7] = ex::isnan(none), y[8] = ex::fma(bfloat16(2.0f), bfloat16(3.0f), bfloat16(-4.0f));
     v[1] = ex::fmax(v[0], vec<bfloat16, 4>(one));
     v[2] = ex::fabs(v[0].swizzle<3, 2, 1, 0>());
     v[3] = ex::fma(v[0], v[0], v[1]);
     const vec<std::int16_t, 4> which = ex::isnan(v[0]);
     y[9] = which.y(), y[10] = which.z();
     m[1] = ex::sqrt(ex::fabs(m[0]));
     m[2] = ex::fmin(m[0], marray<bfloat16, 3>(one));
     const marray<bool, 3> truth = ex::isnan(m[0]);
     y[11] = truth[0] + 2 * truth[2];
   }).wait();
  CHECK(y[0] == 1 && y[1] == 1 && y[2] == 1 && !std::signbit(y[3]) && std::signbit(y[4]) && y[5] == 3.5f);
  CHECK(y[6] == 0 && y[7] == 1 && y[8] == 2 && y[9] == 0 && y[10] == -1 && y[11] == 2);
  CHECK(float(v[1].x()) == 1 && float(v[1].y()) == 1 && float(v[1].z()) == 1 && float(v[1].w()) == 4);
  CHECK(float(v[2].x()) == 4 && std::isnan(float(v[2].y())) && float(v[2].z()) == 2);
  CHECK(float(v[3].y()) == 5 && float(v[3].w()) == 20 && float(m[1][0]) == 1 && float(m[1][1]) == 3);
  CHECK(float(m[2][0]) == -1 && float(m[2][1]) == 1 && float(m[2][2]) == 1);
  CHECK(q.get_device().has(aspect::ext_oneapi_bfloat16_math_functions));
  free(out, q), free(t, q), free(y, q), free(v, q), free(m, q);
  return report();
}
