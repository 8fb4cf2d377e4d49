// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles of sub-groups: by index, up, down, by exclusive or, of types of 1 to 16 bytes.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T> static void shuffles(queue &q) {
  T *out = malloc_shared<T>(5 * 64, q);
  q.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> item) {
     const sub_group s = item.get_sub_group();
     const int i = item.get_local_id(0), lane = s.get_local_linear_id();
     const T x = T(i);
     out[i] = select_from_group(s, x, (lane * 5 + 3) % 32);
     out[64 + i] = shift_group_left(s, x, 2);
     out[128 + i] = shift_group_right(s, x, 1);
     out[192 + i] = permute_group_by_xor(s, x, 9);
     out[256 + i] = group_broadcast(s, x, 31);
   }).wait();
  for (int i = 0; i < 64; i++) {
    const int lane = i % 32, first = i - lane;
    CHECK(out[i] == T(first + (lane * 5 + 3) % 32));
    if (lane < 30)
      CHECK(out[64 + i] == T(i + 2));
    if (lane > 0)
      CHECK(out[128 + i] == T(i - 1));
    CHECK(out[192 + i] == T(first + (lane ^ 9)));
    CHECK(out[256 + i] == T(first + 31));
  }
  free(out, q);
}
int main() {
  queue q;
  shuffles<std::int8_t>(q);
  shuffles<std::uint16_t>(q);
  shuffles<float>(q);
  shuffles<double>(q);
  shuffles<std::int64_t>(q);
  shuffles<half>(q);
  return report();
}
