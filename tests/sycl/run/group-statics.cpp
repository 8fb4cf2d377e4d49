// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_work_group_static: variables of which each work-group has its own, in a kernel, in functions that it calls (one object,
// however often it is called and inlined), in one of a template (one of each), static or not, and of a namespace.
#include <sycl/ext/oneapi/work_group_static.hpp>

#include "check.hpp"

using namespace sycl;
template <class T> using group_static = sycl::ext::oneapi::experimental::work_group_static<T>;

struct pair {
  int a, b;
};
static group_static<int> of_the_namespace;
group_static<int[64]> row;

__attribute__((always_inline)) inline int &counter() {
  static group_static<int> count;
  return count;
}
template <int N> __attribute__((noinline)) int *memory() {
  group_static<int[N]> bytes;
  return &bytes[0];
}

int main() {
  queue q;
  int *out = malloc_shared<int>(256, q), *sums = malloc_shared<int>(4 * 4, q);
  bool *apart = malloc_shared<bool>(4, q);
  q.parallel_for(nd_range<1>(256, 64), [=](nd_item<1> it) {
     group_static<char[64 * sizeof(float)]> bytes;
     group_static<pair> both;
     float *values = (float *)&bytes;
     const int i = int(it.get_local_id(0)), g = int(it.get_group(0));
     values[i] = float(i + g);
     row[i] = i * g;
     memory<64>()[i] = 3 * i;
     memory<65>()[i] = 4 * i;
     if (i == 0) {
       of_the_namespace = 1000 * g;
       counter() = 5 + g;
       both = pair{g, 2 * g};
     }
     group_barrier(it.get_group());
     const int other = 63 - i;
     out[it.get_global_id(0)] = int(values[other]) + of_the_namespace + row[other] + (&both)->b;
     if (i == 63) {
       sums[4 * g] = counter();
       sums[4 * g + 1] = memory<64>()[7];
       sums[4 * g + 2] = memory<65>()[7];
       sums[4 * g + 3] = pair(both).a;
       apart[g] = memory<64>() + 64 <= memory<65>() || memory<65>() + 65 <= memory<64>();
     }
   }).wait();
  for (int g = 0; g < 4; g++) {
    for (int i = 0; i < 64; i++)
      CHECK(out[64 * g + i] == 63 - i + g + 1000 * g + (63 - i) * g + 2 * g);
    CHECK(sums[4 * g] == 5 + g && sums[4 * g + 1] == 21 && sums[4 * g + 2] == 28 && sums[4 * g + 3] == g && apart[g]);
  }
  free(out, q), free(sums, q), free(apart, q);
  return report();
}
