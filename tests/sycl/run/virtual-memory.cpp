// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_virtual_mem: a vector that grows where it is, one memory at two addresses, access modes, and what is refused.
#include <sycl/sycl.hpp>

#include "check.hpp"

namespace ex = sycl::ext::oneapi::experimental;

template <class F> static bool throws(sycl::errc code, F &&f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return e.code() == code;
  }
  return false;
}

int main() {
  sycl::queue q;
  const sycl::context where = q.get_context();
  CHECK(q.get_device().has(sycl::aspect::ext_oneapi_virtual_mem));
  const std::size_t page = ex::get_mem_granularity(q.get_device(), where), ints = page / sizeof(int);
  CHECK(page > 0 && ex::get_mem_granularity(where, ex::granularity_mode::minimum) <= page);
  const std::uintptr_t start = ex::reserve_virtual_mem(4 * page, where);
  int *grown = reinterpret_cast<int *>(start);
  std::vector<ex::physical_mem> parts;
  for (std::size_t p = 0; p < 4; p++) {
    parts.emplace_back(q, page);
    CHECK(parts[p].map(start + p * page, page, ex::address_access_mode::read_write) == grown + p * ints);
    q.parallel_for(sycl::range<1>((p + 1) * ints), [=](sycl::id<1> i) { grown[i] += int(i[0]); }).wait();
  }
  for (std::size_t i = 0; i < 4 * ints; i++)
    if (!CHECK(grown[i] == int(i) * int(4 - i / ints)))
      break;
  CHECK(parts[0] != parts[1] && parts[0].size() == page && parts[0].get_context() == where);

  // The second page once more, to be read.
  const std::uintptr_t other = ex::reserve_virtual_mem(page, where);
  const int *again = static_cast<const int *>(parts[1].map(other, page, ex::address_access_mode::read));
  CHECK(ex::get_access_mode(again, page, where) == ex::address_access_mode::read);
  CHECK(ex::get_access_mode(grown, page, where) == ex::address_access_mode::read_write);
  CHECK(again[3] == grown[ints + 3]);
  q.single_task([=] { grown[ints + 3] = again[4] + 1; }).wait();
  CHECK(again[3] == again[4] + 1);
  ex::set_access_mode(again, page, ex::address_access_mode::read_write, where);
  const_cast<int *>(again)[5] = 77;
  CHECK(grown[ints + 5] == 77);
  ex::unmap(again, page, where);
  CHECK(ex::get_access_mode(again, page, where) == ex::address_access_mode::none && grown[ints + 5] == 77);

  CHECK(throws(sycl::errc::invalid, [&] { ex::physical_mem odd(q, page + 1); }));
  CHECK(throws(sycl::errc::invalid, [&] { parts[0].map(other, 2 * page, ex::address_access_mode::read); }));
  CHECK(throws(sycl::errc::invalid, [&] { parts[0].map(other + 8, page, ex::address_access_mode::read); }));
  ex::free_virtual_mem(other, page, where);
  ex::unmap(grown, 4 * page, where);
  ex::free_virtual_mem(start, 4 * page, where);
  return report();
}
