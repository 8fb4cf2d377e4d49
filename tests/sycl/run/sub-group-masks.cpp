// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ballots: masks of sub-groups, their bits, counts, ends, and operations on them.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  unsigned *out = malloc_shared<unsigned>(7 * 64, q);
  q.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> item) {
     const int i = item.get_local_id(0);
     const auto mask = ext::oneapi::group_ballot(item.get_sub_group(), i % 5 == 2);
     unsigned bits = 0;
     mask.extract_bits(bits);
     out[i] = bits;
     out[64 + i] = mask.count();
     out[128 + i] = unsigned(mask.find_low()[0]);
     out[192 + i] = unsigned(mask.find_high()[0]);
     out[256 + i] = mask.any() + 2 * mask.all() + 4 * mask.none();
     out[320 + i] = mask[id<1>(i % 32)];
     out[384 + i] = mask.size();
   }).wait();
  for (int first : {0, 32}) {
    unsigned bits = 0;
    for (int lane = 0; lane < 32; lane++)
      bits |= unsigned((first + lane) % 5 == 2) << lane;
    for (int i = first; i < first + 32; i++) {
      CHECK(out[i] == bits && out[64 + i] == unsigned(__builtin_popcount(bits)) &&
            out[128 + i] == unsigned(__builtin_ctz(bits)));
      CHECK(out[192 + i] == unsigned(31 - __builtin_clz(bits)) && out[256 + i] == 1 &&
            out[320 + i] == unsigned(i % 5 == 2) && out[384 + i] == 32);
    }
  }
  free(out, q);
  return report();
}
