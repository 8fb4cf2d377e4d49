// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels capture: arrays, structures with arrays, tuples, pointers to pointers, bit-fields, nothing.
#include <sycl/sycl.hpp>

#include <array>
#include <tuple>

#include "check.hpp"

using namespace sycl;

struct options {
  unsigned small : 3, large : 13;
  double table[4];
  const char *text;
};
int main() {
  queue q;
  const int n = 16;
  int plain[n];
  std::array<short, n> wide;
  for (int i = 0; i < n; i++)
    plain[i] = i * 2, wide[i] = short(-i);
  const options o{5, 4097, {0.5, 1.5, 2.5, 3.5}, "kernel"};
  const std::tuple<int, float> t(7, 0.25f);
  const std::pair<char, long> p('c', 1l << 40);
  double *out = malloc_shared<double>(n, q);
  double **way = malloc_shared<double *>(1, q);
  *way = out;
  q.parallel_for(range<1>(n), [=](id<1> i) {
     (*way)[i] = plain[i] + wide[i] + o.small + o.large + o.table[i % 4] + o.text[i % 6] + std::get<0>(t) +
                 std::get<1>(t) + p.first + double(p.second);
   }).wait();
  for (int i = 0; i < n; i++)
    CHECK(out[i] == 2 * i - i + 5 + 4097 + (i % 4 + 0.5) + "kernel"[i % 6] + 7 + 0.25 + 'c' + double(1l << 40));
  q.single_task([] {}).wait();
  free(out, q), free(way, q);
  return report();
}
