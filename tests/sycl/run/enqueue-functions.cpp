// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions: functions that give work to queues and handlers, with kernels' properties, and kernels that ask where they are.
#include <sycl/sycl.hpp>

#include "check.hpp"

namespace syclex = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::this_work_item::get_nd_item;

static void number(int *out) { out[get_nd_item<1>().get_global_linear_id()] = int(get_nd_item<1>().get_local_id(0)); }

static sycl::ext::oneapi::experimental::device_global<const int[4]> fixed;
static sycl::ext::oneapi::experimental::device_global<const float[3]> thirds{0.0f, 1 / 3.0f, 2 / 3.0f};

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  int *a = sycl::malloc_shared<int>(256, q), *b = sycl::malloc_shared<int>(256, q);
  syclex::fill(q, a, 3, 256);
  syclex::memset(q, b, 0, 256 * sizeof(int));
  syclex::nd_launch(q, sycl::nd_range<1>(256, 64), [=](sycl::nd_item<1>) { number(a); });
  syclex::copy(q, a, b, 128);
  syclex::submit(q, [&](sycl::handler &h) {
    syclex::parallel_for(h, sycl::range<1>(128), [=](sycl::id<1> i) { b[i + 128] = -1; });
  });
  q.wait();
  for (int i = 0; i < 256; i++)
    CHECK(a[i] == i % 64 && b[i] == (i < 128 ? i % 64 : -1));

  int *sum = sycl::malloc_shared<int>(1, q);
  syclex::single_task(q, [=] { *sum = 0; });
  syclex::launch_config wide(sycl::nd_range<1>(256, 32),
                             syclex::properties{syclex::sub_group_size<32>, syclex::work_group_size<32>});
  static_assert(std::decay_t<decltype(wide.get_properties())>::has_property<syclex::sub_group_size_key>());
  syclex::nd_launch(
      q, wide, [=](sycl::nd_item<1> item, auto &s) { s += a[item.get_global_id(0)]; },
      sycl::reduction(sum, sycl::plus<int>()));
  sycl::event last = syclex::submit_with_event(q, [&](sycl::handler &h) { syclex::memcpy(h, b, a, 4); });
  syclex::partial_barrier(q, {last});
  syclex::barrier(q);
  q.wait();
  CHECK(*sum == 4 * (63 * 64 / 2));

  q.parallel_for(sycl::range<1>(256), syclex::properties{syclex::work_group_size_hint<64>}, [=](sycl::id<1> i) {
     a[i] *= 2;
   }).wait();
  CHECK(a[63] == 126);

  // Variables that kernels only read.
  const int values[4] = {2, 3, 5, 7};
  q.memcpy(fixed, values, sizeof values).wait();
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { a[i] = fixed[i[0]]; }).wait();
  CHECK(a[0] == 2 && a[3] == 7);

  q.parallel_for(sycl::range<1>(3), [=](sycl::id<1> i) { a[i] = int(thirds[i[0]] * 9 + 0.5f); }).wait();
  CHECK(a[0] == 0 && a[1] == 3 && a[2] == 6);

  // A clock, and sums of products of bytes.
  std::uint64_t *times = sycl::malloc_shared<std::uint64_t>(2, q);
  q.single_task([=] {
     times[0] = syclex::clock<syclex::clock_scope::device>();
     for (int i = 0; i < 256; i++)
       b[i] = sycl::ext::oneapi::dot_acc(std::int32_t(0xff020304 + i), std::int32_t(0x01010101), b[i]);
     times[1] = syclex::clock<syclex::clock_scope::work_group>();
   }).wait();
  CHECK(times[1] >= times[0]);
  CHECK(b[0] == 0 + (-1 + 2 + 3 + 4) && b[255] == -1 + (-1 + 2 + 4 + 3)); // 255 carries into the next byte
  using bytes = sycl::vec<std::uint8_t, 4>;
  CHECK(sycl::ext::oneapi::dot_acc(bytes(200, 1, 1, 1), bytes(200, 1, 2, 3), 5) == 40011);
  CHECK(!q.get_device().ext_oneapi_can_access_peer(q.get_device()));
  CHECK(q.get_device().get_info<sycl::ext::oneapi::info::device::num_compute_units>() >= 1);
  CHECK(q.get_device().get_info<sycl::ext::intel::info::device::free_memory>() > 0);
  assert(sum); // the header brings it
  return report();
}
