// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that each item has for itself: indexed by what is known late, passed to functions, sorted.
#include <sycl/sycl.hpp>

#include <algorithm>

#include "check.hpp"

using namespace sycl;

static void insert(int *all, int count, int value) {
  int at = count;
  for (; at > 0 && all[at - 1] > value; at--)
    all[at] = all[at - 1];
  all[at] = value;
}
int main() {
  queue q;
  const int n = 150, k = 12;
  int *out = malloc_shared<int>(n * k, q);
  q.parallel_for(range<1>(n), [=](id<1> i) {
     int own[k], counts[4] = {};
     for (int j = 0; j < k; j++) {
       const int value = (int(i) * 31 + j * 17) % 23;
       insert(own, j, value);
       counts[value % 4]++;
     }
     for (int j = 0; j < k; j++)
       out[i * k + j] = own[j] * 10 + counts[j % 4];
   }).wait();
  for (int i = 0; i < n; i++) {
    std::vector<int> own;
    int counts[4] = {};
    for (int j = 0; j < k; j++)
      own.push_back((i * 31 + j * 17) % 23), counts[own.back() % 4]++;
    std::sort(own.begin(), own.end());
    for (int j = 0; j < k; j++)
      CHECK(out[i * k + j] == own[j] * 10 + counts[j % 4]);
  }
  free(out, q);
  return report();
}
