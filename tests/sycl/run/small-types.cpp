// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of bool, char and short that neighbouring items write: no item spoils the bytes beside its own.
#include <sycl/sycl.hpp>

#include <memory>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 1001;
  auto flags = std::make_unique<bool[]>(n);
  std::vector<signed char> bytes(n, 9);
  std::vector<short> shorts(n);
  {
    buffer<bool> f(flags.get(), range<1>(n));
    buffer b(bytes);
    buffer s(shorts);
    q.submit([&](handler &h) {
      accessor F(f, h, write_only);
      accessor B(b, h);
      accessor S(s, h, write_only);
      h.parallel_for(range<1>(n), [=](id<1> i) {
        F[i] = i % 3 == 1;
        if (i % 2)
          B[i] = (signed char)(B[i] - i);
        S[i] = short(-int(i));
      });
    });
  }
  for (int i = 0; i < n; i++)
    CHECK(flags[i] == (i % 3 == 1) && bytes[i] == (i % 2 ? (signed char)(9 - i) : 9) && shorts[i] == -i);
  return report();
}
