// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of several threads at once, each with its own memory, and one queue that all share.
#include <sycl/sycl.hpp>

#include <thread>

#include "check.hpp"

using namespace sycl;

int main() {
  queue shared;
  const int n = 300, threads = 4;
  std::vector<int *> memory(threads);
  for (int *&m : memory)
    m = malloc_shared<int>(n, shared);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      queue own;
      int *x = memory[t];
      for (int k = 0; k < 20; k++) {
        queue &q = k % 2 ? own : shared;
        q.parallel_for(range<1>(n), [=](id<1> i) { x[i] = k == 0 ? t : x[i] + int(i[0]); }).wait();
      }
    });
  for (std::thread &one : all)
    one.join();
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < n; i++)
      CHECK(memory[t][i] == t + 19 * i);
  for (int *m : memory)
    free(m, shared);
  return report();
}
