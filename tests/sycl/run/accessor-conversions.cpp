// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors that may do more become those that may do less; equality; swap; templates that take both.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class A> static int first(const A &a) { return a[0]; }
int main() {
  queue q;
  buffer<int> x(range<1>(4)), y(range<1>(4));
  host_accessor a(x), b(y);
  a[0] = 1, b[0] = 2;
  host_accessor<int, 1, access_mode::read> reads = a;
  host_accessor<const int, 1, access_mode::read> constant = a;
  CHECK(first(reads) == 1 && first(constant) == 1);
  CHECK(a == a && a != b);
  a.swap(b);
  CHECK(first(a) == 2 && first(b) == 1);
  int got = 0;
  {
    buffer<int> out(&got, range<1>(1));
    q.submit([&](handler &h) {
      accessor<int, 1, access_mode::read_write> both(x, h);
      accessor<const int, 1, access_mode::read> less = both;
      accessor to(out, h, write_only);
      h.single_task([=] { to[0] = less[0] + 10; });
    });
  }
  CHECK(got == 11);
  int *sum = malloc_shared<int>(1, q);
  q.submit([&](handler &h) {
     local_accessor<int> writes(8, h);
     local_accessor<int, 0> single(h);
     local_accessor<const int> only_reads = writes;
     local_accessor<const int, 0> reads_single = single;
     h.parallel_for(nd_range<1>(8, 8), [=](nd_item<1> i) {
       writes[i.get_local_id(0)] = i.get_local_id(0) + 1;
       if (i.get_local_id(0) == 0)
         single = 100;
       group_barrier(i.get_group());
       if (i.get_local_id(0) == 7)
         *sum = only_reads[0] + only_reads[3] + only_reads.size() + reads_single;
     });
   }).wait();
  CHECK(*sum == 113);
  free(sum, q);
  // what a pointer of one is, and a property that does not go with reading
  using device_accessor = accessor<int, 1, access_mode::read>;
  static_assert(std::is_same_v<decltype(std::declval<device_accessor>().get_pointer()), global_ptr<const int>>);
  static_assert(std::is_same_v<decltype(a.get_pointer()), int *>);
  const auto refuses = [](auto make) {
    try {
      make();
    } catch (const exception &e) {
      return e.code() == errc::invalid;
    }
    return false;
  };
  CHECK(refuses([&] { host_accessor<int, 1, access_mode::read>(x, property_list(no_init)); }));
  CHECK(refuses([&] { q.submit([&](handler &h) { device_accessor(x, h, no_init); }); }));
  CHECK(!refuses([&] { q.submit([&](handler &h) { accessor<int, 1, access_mode::write>(x, h, no_init); }); }));
  return report();
}
