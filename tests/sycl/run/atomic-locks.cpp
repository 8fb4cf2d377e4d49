// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compare and exchange in loops: a maximum with its position, and values that each item gets once.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const int n = 3000;
  auto *best = malloc_shared<std::uint64_t>(1, q);
  unsigned *tickets = malloc_shared<unsigned>(n + 1, q);
  *best = 0, tickets[n] = 0;
  q.parallel_for(range<1>(n), [=](id<1> i) {
     const std::uint64_t mine = std::uint64_t((i[0] * 7919) % 2999) << 32 | i[0];
     atomic_ref<std::uint64_t, memory_order::relaxed, memory_scope::device> b(*best);
     std::uint64_t old = b.load();
     while (old < mine && !b.compare_exchange_weak(old, mine)) {}
     unsigned seen = 0;
     atomic_ref<unsigned, memory_order::relaxed, memory_scope::device> next(tickets[n]);
     while (!next.compare_exchange_strong(seen, seen + 1)) {}
     tickets[seen] = unsigned(i[0]);
   }).wait();
  std::uint64_t wanted = 0;
  std::vector<int> count(n);
  for (std::uint64_t i = 0; i < n; i++) {
    wanted = std::max(wanted, (i * 7919) % 2999 << 32 | i);
    count[tickets[i]]++;
  }
  CHECK(*best == wanted && tickets[n] == n);
  for (int c : count)
    CHECK(c == 1);
  free(best, q), free(tickets, q);
  return report();
}
