// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions: local memory without an accessor, ballots, the older names. And streams.
#include <sycl/sycl.hpp>

#include <unistd.h>

#include "check.hpp"

using namespace sycl;

template <int N> void reversed(nd_item<1> it, int *data) {
  auto &tile = *ext::oneapi::group_local_memory_for_overwrite<int[N]>(it.get_group());
  auto &other = *ext::oneapi::group_local_memory_for_overwrite<int[N]>(it.get_group());
  const int l = int(it.get_local_id(0));
  tile[l] = data[it.get_global_id(0)];
  other[l] = -tile[l];
  group_barrier(it.get_group());
  data[it.get_global_id(0)] = tile[N - 1 - l] * 2 + other[N - 1 - l];
}

struct counted {
  int count;
  explicit counted(int start) : count(start) {}
};

int main() {
  queue q{property::queue::in_order()};
  int *data = malloc_shared<int>(128, q), *out = malloc_shared<int>(128, q);
  for (int i = 0; i < 128; i++)
    data[i] = i;
  q.parallel_for(nd_range<1>(128, 64),
                 [=](nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] { reversed<64>(it, data); });
  q.parallel_for(nd_range<1>(128, 64), [=](nd_item<1> it) {
     auto total = ext::oneapi::group_local_memory<counted>(it.get_group(), 100);
     atomic_ref<int, memory_order::relaxed, memory_scope::work_group>(total->count).fetch_add(1);
     group_barrier(it.get_group());
     sub_group g = it.get_sub_group();
     auto odd = ext::oneapi::group_ballot(g, it.get_local_id(0) % 2 == 1);
     out[it.get_global_id(0)] =
         total->count + 1000 * int(odd.count()) + 100000 * odd[1] + int(g.shuffle_down(1, 1) + g.shuffle_xor(1, 2));
   }).wait();
  for (int i = 0; i < 128; i++) {
    CHECK(data[i] == i / 64 * 64 + 63 - i % 64);
    CHECK(out[i] == 164 + 16000 + 100000 + 2);
  }

  // Streams write to standard output, which is a file for a moment.
  std::fflush(stdout);
  std::FILE *const written = std::tmpfile();
  const int file = fileno(written), kept = dup(1);
  dup2(file, 1);
  q.submit([&](handler &h) {
     stream s(1024, 256, h);
     h.single_task([=] {
       s << "int " << -42 << ' ' << hex << showbase << 255 << dec << " float " << 1.5f << " " << setprecision(3)
         << 3.14159 << endl;
       s << id<2>(3, 4) << int2(5, 6) << true << setw(5) << 7u << sycl::flush;
     });
   }).wait();
  std::fflush(stdout);
  dup2(kept, 1);
  char text[256] = {};
  CHECK(pread(file, text, sizeof text - 1, 0) > 0);
  CHECK(std::string(text) == "int -42 0xff float 1.5 3.14\n{3, 4}5, 61    7");
  sycl::free(data, q);
  sycl::free(out, q);
  return report();
}
