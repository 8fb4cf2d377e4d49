// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All work-groups of a launch meet (sycl_ext_oneapi_root_group): a prefix sum and a stencil in one kernel each, more groups
// than the device has threads, in one to three dimensions.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;
namespace oneapi = sycl::ext::oneapi;
namespace syclex = sycl::ext::oneapi::experimental;

class Scans;

static void scan(queue &q) {
  const auto bundle = get_kernel_bundle<bundle_state::executable>(q.get_context());
  const auto most =
      bundle.get_kernel<Scans>().ext_oneapi_get_info<syclex::info::kernel_queue_specific::max_num_work_groups>(
          q, range<1>(64), 64 * sizeof(int));
  CHECK(most >= 1);
  const std::size_t groups = 50 * most, count = 64 * groups;
  int *data = malloc_shared<int>(count, q), *sums = malloc_shared<int>(groups, q);
  for (std::size_t i = 0; i < count; i++)
    data[i] = int(i % 5);
  q.submit([&](handler &h) {
     local_accessor<int, 1> tile(64, h);
     h.parallel_for<Scans>(nd_range<1>(count, 64), syclex::properties{syclex::use_root_sync}, [=](nd_item<1> item) {
       const auto root = item.ext_oneapi_get_root_group();
       const auto group = syclex::get_child_group(root);
       const std::size_t i = root.get_local_linear_id(), own = group.get_group_linear_id();
       const int sum = inclusive_scan_over_group(group, data[i], plus<int>());
       if (item.get_local_id(0) == 63)
         sums[own] = sum;
       tile[item.get_local_id(0)] = sum;
       group_barrier(root);
       int before = 0;
       for (std::size_t g = 0; g < own; g++)
         before += sums[g];
       group_barrier(root);
       data[i] = before + tile[item.get_local_id(0)];
     });
   }).wait();
  int sum = 0;
  bool good = true;
  for (std::size_t i = 0; i < count; i++)
    good &= data[i] == (sum += int(i % 5));
  CHECK(good);
  free(data, q);
  free(sums, q);
}

template <int D> static void steps(queue &q, range<D> all, range<D> group) {
  const std::size_t count = all.size();
  unsigned *from = malloc_shared<unsigned>(2 * count, q), *leaders = malloc_shared<unsigned>(1, q);
  std::vector<unsigned> wanted(count), next(count);
  for (std::size_t i = 0; i < count; i++)
    from[i] = wanted[i] = unsigned(i * i);
  *leaders = 0;
  q.parallel_for(nd_range<D>(all, group), syclex::properties{syclex::use_root_sync}, [=](auto item) {
     const auto root = oneapi::this_work_item::get_root_group<D>();
     unsigned *now = from, *then = from + count;
     const std::size_t i = root.get_local_linear_id(), n = root.get_local_range().size();
     if (root.leader())
       ++*leaders;
     for (int step = 0; step < 7; step++) {
       then[i] = now[(i + 1) % n] + 3 * now[(i + n - 1) % n];
       group_barrier(root);
       unsigned *const swapped = now;
       now = then, then = swapped;
     }
   }).wait();
  for (int step = 0; step < 7; step++) {
    for (std::size_t i = 0; i < count; i++)
      next[i] = wanted[(i + 1) % count] + 3 * wanted[(i + count - 1) % count];
    wanted.swap(next);
  }
  CHECK_SAME((from + count), wanted, count);
  CHECK(*leaders == 1);
  free(from, q);
  free(leaders, q);
}

int main() {
  queue q;
  scan(q);
  steps<1>(q, range<1>(640), range<1>(32));
  steps<2>(q, range<2>(24, 20), range<2>(6, 4));
  steps<3>(q, range<3>(8, 6, 8), range<3>(4, 2, 2));
  return report();
}
