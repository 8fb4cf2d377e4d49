// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, bits, shifts and comparisons of vectors of several types against their elements; truth is all bits.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T, int N> static void arithmetic(queue &q) {
  using V = vec<T, N>;
  V *out = malloc_shared<V>(12, q);
  auto *truth = malloc_shared<decltype(V() < V())>(4, q);
  V a(T(0)), b(T(0));
  for (int i = 0; i < N; i++)
    a[i] = T(100 + i), b[i] = T(3 + 2 * i);
  q.single_task([=] {
     out[0] = a + b, out[1] = a - b, out[2] = a * b, out[3] = a / b, out[4] = a + T(1), out[5] = T(2) * b;
     out[6] = a;
     out[6] += b;
     out[6] -= T(4);
     out[7] = a;
     out[8] = ++out[7], out[9] = out[7]--;
     truth[0] = a < b * T(12), truth[1] = a == a, truth[2] = a != b, truth[3] = a >= b + T(97);
   }).wait();
  for (int i = 0; i < N; i++) {
    const T x = a[i], y = b[i];
    CHECK(out[0][i] == T(x + y) && out[1][i] == T(x - y) && out[2][i] == T(x * y) && out[3][i] == T(x / y) &&
          out[4][i] == T(x + 1));
    CHECK(out[5][i] == T(2 * y) && out[6][i] == T(x + y - 4) && out[7][i] == x && out[8][i] == T(x + 1) &&
          out[9][i] == T(x + 1));
    CHECK(truth[0][i] == (x < T(y * T(12)) ? -1 : 0) && truth[1][i] == -1 && truth[2][i] == -1 &&
          truth[3][i] == (x >= T(y + T(97)) ? -1 : 0));
  }
  free(out, q), free(truth, q);
}
// Signs and bits of each element by itself.
static void signs(queue &q) {
  auto *out = malloc_shared<float4>(2, q);
  auto *bits = malloc_shared<vec<bool, 4>>(2, q);
  const float4 zeros(0.0f, -0.0f, 1.0f, -2.0f);
  const vec<bool, 4> truths(true, false, true, false);
  q.single_task([=] {
     out[0] = -zeros, out[1] = -zeros.swizzle<3, 2, 1, 0>();
     bits[0] = ~truths, bits[1] = ~truths.swizzle<0, 1, 2, 3>();
   }).wait();
  for (int i = 0; i < 4; i++) {
    CHECK(out[0][i] == -zeros[i] && std::signbit(out[0][i]) == !std::signbit(zeros[i]));
    CHECK(out[1][i] == -zeros[3 - i] && std::signbit(out[1][i]) == !std::signbit(zeros[3 - i]));
    CHECK(bits[0][i] && bits[1][i]); // ~true is an int other than 0, and ~false is too
  }
  free(out, q), free(bits, q);
}
int main() {
  queue q;
  signs(q);
  arithmetic<int, 2>(q);
  arithmetic<float, 3>(q);
  arithmetic<double, 4>(q);
  arithmetic<std::uint16_t, 8>(q);
  arithmetic<std::int64_t, 16>(q);
  arithmetic<unsigned, 1>(q);
  return report();
}
