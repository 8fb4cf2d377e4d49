// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that read and write arrays together; groups of whoever comes along; halves in streams and lists after assigning operators.
#include <sycl/ext/oneapi/experimental/group_load_store.hpp>

#include <sstream>

#include "check.hpp"

namespace syclex = sycl::ext::oneapi::experimental;

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  enum { ITEMS = 64, EACH = 4, GROUPS = 3, ALL = ITEMS * EACH * GROUPS };
  float *in = sycl::malloc_shared<float>(ALL, q);
  int *blocked = sycl::malloc_shared<int>(ALL, q), *striped = sycl::malloc_shared<int>(ALL, q),
      *counter = sycl::malloc_shared<int>(1, q);
  int *slots = sycl::malloc_shared<int>(ALL, q);
  for (int i = 0; i < ALL; i++)
    in[i] = float(i) + 0.25f;
  *counter = 0;
  q.parallel_for(sycl::nd_range<1>(ITEMS * GROUPS, ITEMS), [=](sycl::nd_item<1> item) {
     auto g = item.get_group();
     const std::size_t start = item.get_group(0) * ITEMS * EACH;
     float values[EACH];
     int whole[EACH];
     syclex::group_load(g, in + start, sycl::span{values},
                        syclex::properties{syclex::data_placement_blocked, syclex::full_group});
     for (int j = 0; j < EACH; j++)
       whole[j] = int(values[j]) * 10 + j;
     syclex::group_store(g, sycl::span{whole}, blocked + start, syclex::properties{syclex::contiguous_memory});
     sycl::vec<float, EACH> across;
     const auto stripes = syclex::properties{syclex::data_placement_striped};
     syclex::group_load(g, in + start, across, stripes);
     sycl::vec<int, EACH> marks;
     for (int j = 0; j < EACH; j++)
       marks[j] = int(across[j]) * 10 + j;
     syclex::group_store(g, marks, striped + start, stripes);

     if (item.get_global_id(0) % 3 == 0) { // one more for each item that comes here
       auto here = syclex::this_kernel::get_opportunistic_group();
       int first = 0;
       if (here.leader())
         first = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*counter).fetch_add(
             int(here.get_local_linear_range()));
       slots[sycl::group_broadcast(here, first) + here.get_local_linear_id()] = int(item.get_global_id(0));
     }
   }).wait();
  for (int i = 0; i < ALL; i++) {
    CHECK(blocked[i] == i * 10 + i % EACH);
    CHECK(striped[i] == i * 10 + i % (ITEMS * EACH) / ITEMS);
  }
  CHECK(*counter == ITEMS * GROUPS / 3);
  long sum = 0;
  for (int i = 0; i < *counter; i++)
    sum += slots[i];
  CHECK(sum == 3L * 63 * 64 / 2);

  std::stringstream text;
  sycl::half half = 1.5f, back = 0;
  text << half;
  CHECK(text.str() == "1.5");
  text >> back;
  CHECK(back == half);
  sycl::float4 v(1, 2, 3, 4);
  v += {1.0f, 1.0f, 2.0f, 2.0f};
  v *= {2.0f};
  CHECK(v[0] == 4 && v[1] == 6 && v[2] == 10 && v[3] == 12);
  return report();
}
