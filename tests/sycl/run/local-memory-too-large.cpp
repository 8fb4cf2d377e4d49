// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More local memory than the device has is refused when it is submitted; as much as it has works.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const size_t most = q.get_device().get_info<info::device::local_mem_size>();
  bool refused = false;
  try {
    q.submit([&](handler &h) {
      local_accessor<char> s(most + 1, h);
      h.parallel_for(nd_range<1>(1, 1), [=](nd_item<1>) { s[0] = 1; });
    });
  } catch (const exception &e) {
    refused = e.code() == errc::memory_allocation;
  }
  CHECK(refused);
  // Kernels without groups have none.
  auto is_refused = [&](auto command) {
    try {
      q.submit(command);
    } catch (const exception &e) {
      return e.code() == errc::kernel_argument;
    }
    return false;
  };
  CHECK(is_refused([&](handler &h) {
    local_accessor<int, 2> s(range<2>(2, 2), h);
    static_assert(std::is_same_v<decltype(s.get_pointer()), local_ptr<int>>);
    h.single_task([=] { s[0][0] = 1; });
  }));
  CHECK(is_refused([&](handler &h) {
    local_accessor<int> s(5, h);
    h.parallel_for(range<1>(5), [=](id<1> i) { s[i] = 1; });
  }));
  CHECK(!is_refused([&](handler &h) { // which does not use it
    local_accessor<int> s(5, h);
    h.single_task([] {});
  }));
  bool unused = true;
  try {
    q.submit([&](handler &h) {
      local_accessor<char> s(most, h), more(most, h);
      h.parallel_for(nd_range<1>(4, 4), [](nd_item<1>) {});
    });
    q.submit([&](handler &h) {
      local_accessor<char> s(most, h), more(most, h);
      h.single_task([] {});
    });
  } catch (const exception &) {
    unused = false;
  }
  CHECK(unused);
  int *out = malloc_shared<int>(1, q);
  q.submit([&](handler &h) {
     local_accessor<char> s(most, h);
     h.parallel_for(nd_range<1>(4, 4), [=](nd_item<1> item) {
       s[most - 1 - item.get_local_id(0)] = char(item.get_local_id(0));
       group_barrier(item.get_group());
       if (item.get_local_id(0) == 0)
         *out = s[most - 4];
     });
   }).wait();
  CHECK(*out == 3);
  free(out, q);
  return report();
}
