// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of all widths in kernels: wrapping, division and remainder towards zero, shifts, mixed signs, 64-bit products.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 400;
  auto *out = malloc_shared<std::int64_t>(8 * n, q);
  auto compute = [](int i, std::int64_t *o) {
    const std::int32_t a = i * 2654435761u, b = (i % 37) - 18 ? (i % 37) - 18 : 5;
    const std::uint32_t u = a, v = i | 1;
    o[0] = a / b, o[1] = a % b, o[2] = u / v, o[3] = u % v;
    o[4] = std::int64_t(a) * b, o[5] = a >> (i % 31), o[6] = std::int32_t(u << (i % 32)),
    o[7] = std::int8_t(a) + std::uint8_t(a) * std::int16_t(a >> 8);
  };
  q.parallel_for(range<1>(n), [=](id<1> i) { compute(int(i[0]), out + 8 * i[0]); }).wait();
  std::vector<std::int64_t> wanted(8 * n);
  for (int i = 0; i < n; i++)
    compute(i, wanted.data() + 8 * i);
  CHECK_SAME(out, wanted, wanted.size());
  free(out, q);
  return report();
}
