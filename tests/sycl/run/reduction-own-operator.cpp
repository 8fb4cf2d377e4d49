// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions with an operator and a type of the program, with an identity and without.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct best {
  int value, at;
  friend bool operator==(const best &a, const best &b) { return a.value == b.value && a.at == b.at; }
};
struct better {
  best operator()(const best &a, const best &b) const {
    return a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b;
  }
};
int main() {
  queue q;
  const int n = 777;
  best *out = malloc_shared<best>(2, q), wanted{-1, -1};
  out[0] = out[1] = wanted;
  for (int i = 0; i < n; i++)
    wanted = better()(wanted, best{(i * 7919) % 769, i});
  q.parallel_for(range<1>(n), reduction(out, best{-1, 1 << 30}, better()), [=](id<1> i, auto &r) {
     r.combine(best{int(i[0]) * 7919 % 769, int(i[0])});
   }).wait();
  q.parallel_for(nd_range<1>(n, 7), reduction(out + 1, best{-1, 1 << 30}, better()), [=](nd_item<1> i, auto &r) {
     const int k = i.get_global_id(0);
     if (k % 2)
       r.combine(best{k * 7919 % 769, k});
     else
       r.combine(best{k * 7919 % 769, k});
   }).wait();
  CHECK(out[0] == wanted && out[1] == wanted);
  free(out, q);
  return report();
}
