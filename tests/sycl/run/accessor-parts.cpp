// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors of a part of a buffer: their range, offset, size, indices of the whole, and iterators of the part.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  std::vector<int> data(6 * 8);
  for (size_t i = 0; i < data.size(); i++)
    data[i] = i;
  int sum = 0;
  {
    buffer<int, 2> all(data.data(), range<2>(6, 8));
    buffer<int> total(&sum, range<1>(1));
    q.submit([&](handler &h) {
      accessor part(all, h, range<2>(2, 3), id<2>(3, 4));
      accessor out(total, h, write_only);
      CHECK(part.get_range() == range<2>(2, 3));
      CHECK(part.get_offset() == id<2>(3, 4));
      CHECK(part.size() == 6 && part.byte_size() == 24 && !part.empty());
      h.single_task([=] {
        int s = 0;
        for (int x : part)
          s += x;
        out[0] = s;
        part[id<2>(0, 0)] = -1;
      });
    });
    host_accessor see(all, range<2>(1, 2), id<2>(3, 4), read_only);
    CHECK(see[id<2>(0, 0)] == -1);
    CHECK(*see.begin() == -1 && *(see.end() - 1) == 29);
  }
  CHECK(sum == 28 + 29 + 30 + 36 + 37 + 38);
  CHECK(data[28] == -1 && data[29] == 29);
  return report();
}
