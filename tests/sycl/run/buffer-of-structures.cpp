// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of structures, of const data, from containers, shared pointers and iterators; deduction of their types.
#include <sycl/sycl.hpp>

#include <array>
#include <list>

#include "check.hpp"

using namespace sycl;

struct pair {
  int key;
  double value;
};
int main() {
  queue q;
  std::vector<pair> pairs(50);
  for (int i = 0; i < 50; i++)
    pairs[i] = {i, 0.5 * i};
  const std::vector<int> factors(50, 3);
  std::list<int> chain(50, 4);
  std::array<int, 50> out{};
  {
    buffer all(pairs);
    buffer<const int> by(factors.data(), range<1>(50));
    buffer more(chain.begin(), chain.end());
    buffer result(out);
    static_assert(std::is_same_v<decltype(all), buffer<pair, 1>>);
    static_assert(std::is_same_v<decltype(result), buffer<int, 1>>);
    q.submit([&](handler &h) {
      accessor p(all, h);
      accessor f(by, h, read_only);
      accessor m(more, h, read_only);
      accessor o(result, h, write_only);
      h.parallel_for(range<1>(50), [=](id<1> i) {
        p[i].value *= f[i];
        o[i] = p[i].key + m[i];
      });
    });
  }
  for (int i = 0; i < 50; i++)
    CHECK(pairs[i].value == 1.5 * i && out[i] == i + 4);
  return report();
}
