// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joint algorithms: all items of a group go through a range together.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 1000;
  int *in = malloc_shared<int>(n, q), *out = malloc_shared<int>(2 * n + 4, q);
  for (int i = 0; i < n; i++)
    in[i] = i % 23 - 7;
  q.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> item) {
     const auto g = item.get_group();
     const int sum = joint_reduce(g, in, in + n, plus<>()), least = joint_reduce(g, in, in + n, 5, minimum<>());
     joint_inclusive_scan(g, in, in + n, out, plus<>());
     joint_exclusive_scan(g, in, in + n, out + n, 1, plus<>());
     const bool any = joint_any_of(g, in, in + n, [](int x) { return x == 15; });
     const bool all = joint_all_of(g, in, in + n, [](int x) { return x > -7; });
     if (g.leader())
       out[2 * n] = sum, out[2 * n + 1] = least, out[2 * n + 2] = any, out[2 * n + 3] = all;
   }).wait();
  int sum = 0;
  for (int i = 0; i < n; i++) {
    CHECK(out[n + i] == 1 + sum);
    CHECK(out[i] == (sum += in[i]));
  }
  CHECK(out[2 * n] == sum && out[2 * n + 1] == -7 && out[2 * n + 2] == 1 && out[2 * n + 3] == 0);
  free(in, q), free(out, q);
  // without a start it is the identity of the results' type
  half *halves = malloc_shared<half>(2, q);
  auto *bytes = malloc_shared<signed char>(2, q);
  halves[0] = -3, halves[1] = 4;
  q.parallel_for(nd_range<1>(32, 32), [=](nd_item<1> it) {
     joint_exclusive_scan(it.get_group(), halves, halves + 2, bytes, maximum<signed char>());
   }).wait();
  CHECK(bytes[0] == -128 && bytes[1] == -3);
  free(halves, q), free(bytes, q);
  return report();
}
