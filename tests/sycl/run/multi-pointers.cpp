// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers with spaces: arithmetic, comparison, conversion to const, void and the generic space, of accessors; of the
// memory of the device and of the host.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(10), out(8, -1);
  for (int i = 0; i < 10; i++)
    data[i] = i * i;
  {
    buffer a(data), b(out);
    q.submit([&](handler &h) {
      accessor from(a, h);
      accessor to(b, h, write_only);
      local_accessor<int> s(4, h);
      h.parallel_for(nd_range<1>(1, 1), [=](nd_item<1>) {
        auto p = from.get_multi_ptr<access::decorated::no>();
        to[0] = *(p + 3), to[1] = p[4], to[2] = *++p, to[3] = (p + 5) - p.get_raw();
        multi_ptr<const int, access::address_space::global_space, access::decorated::no> constant = p;
        to[4] = *constant + (constant == p) * 100;
        multi_ptr<int, access::address_space::generic_space, access::decorated::no> generic = p;
        generic[1] = 1000;
        auto back = multi_ptr<int, access::address_space::global_space, access::decorated::no>(generic);
        to[5] = back[1];
        multi_ptr<void, access::address_space::global_space, access::decorated::no> nothing = p;
        to[6] = *static_cast<int *>(nothing.get_raw());
        local_ptr<int> l = s.get_multi_ptr<access::decorated::legacy>();
        l[2] = 5;
        to[7] = s[2] + (l > nullptr) + (p == nullptr);
      });
    });
  }
  const int wanted[] = {9, 16, 1, 5, 101, 1000, 1, 6};
  CHECK_SAME(out, wanted, 8);
  CHECK(data[2] == 1000);
  int own[2] = {};
  global_ptr<void> anything(static_cast<void *>(own));
  global_ptr<const int> second(own + 1);
  void *const plain = own;
  CHECK(anything == plain && plain == anything && !(anything != plain) && second == own + 1 && own < second &&
        second >= plain && second != nullptr);

  const auto made = make_ptr<const int, access::address_space::global_space, access::decorated::legacy>(own);
  static_assert(std::is_same_v<decltype(made)::const_reference_t, const int &> &&
                std::is_same_v<global_ptr<int>::reference_t, int &>);
  CHECK(made == own);

  // Parts of global memory (sycl_ext_intel_usm_address_spaces): into it by themselves, out of it if the program says so.
  namespace intel = sycl::ext::intel;
  intel::device_ptr<void> memory(static_cast<void *>(own));
  const auto part = static_cast<intel::device_ptr<int>>(memory);
  const intel::host_ptr<int> host(own + 1);
  global_ptr<int> whole = part;
  raw_global_ptr<const int> constant = intel::raw_device_ptr<int>(own);
  static_assert(!std::is_convertible_v<raw_global_ptr<int>, intel::raw_device_ptr<int>> &&
                !std::is_convertible_v<intel::raw_host_ptr<int>, intel::raw_device_ptr<int>>);
  q.single_task([=] { part[0] = 7, host[0] = 8; }).wait();
  CHECK(own[0] == 7 && own[1] == 8 && whole[1] == 8 && constant[0] == 7 && intel::device_ptr<int>(whole) == part);
  generic_ptr<int> anywhere = host;
  CHECK(static_cast<intel::host_ptr<int>>(anywhere) == host);
  return report();
}
