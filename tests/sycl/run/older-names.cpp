// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of SYCL 1.2.1 that programs still use: cl::sycl, access modes and targets, get_access, get_count, barrier of items.
#include <sycl/sycl.hpp>

#include <CL/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  namespace sy = cl::sycl;
  sy::queue q{sy::default_selector{}};
  std::vector<float> data(64, 1.0f);
  {
    sy::buffer<float, 1> all(data.data(), sy::range<1>(data.size()));
    CHECK(all.get_count() == 64 && all.get_size() == 256);
    q.submit([&](sy::handler &h) {
      auto a = all.get_access<sy::access::mode::read_write>(h);
      sy::accessor<float, 1, sy::access::mode::read_write, sy::access::target::local> s(sy::range<1>(16), h);
      h.parallel_for<class older>(sy::nd_range<1>(sy::range<1>(64), sy::range<1>(16)), [=](sy::nd_item<1> i) {
        s[i.get_local_id(0)] = a[i.get_global_id(0)] + i.get_global_linear_id();
        i.barrier(sy::access::fence_space::local_space);
        a[i.get_global_id(0)] = s[15 - i.get_local_id(0)];
      });
    });
    auto see = all.get_access<sy::access::mode::read>();
    CHECK(see[0] == 16.0f && see.get_count() == 64);
  }
  for (int i = 0; i < 64; i++)
    CHECK(data[i] == 1.0f + i / 16 * 16 + 15 - i % 16);
  return report();
}
