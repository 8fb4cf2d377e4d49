// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side: devices, contexts, queues and their properties, events and profiling, host tasks, errors of both kinds, kernel bundles; and
// hierarchical kernels.
#include <sycl/sycl.hpp>

#include <stdexcept>
#include <unordered_map>

#include "check.hpp"

using namespace sycl;

static void devices() {
  queue q{gpu_selector_v};
  device d = q.get_device();
  CHECK(d.is_cpu() && !d.is_gpu() && d.has(aspect::fp64) && !d.has(aspect::gpu));
  CHECK(d.get_info<info::device::max_work_group_size>() == 1024 &&
        d.get_info<info::device::sub_group_sizes>()[0] == 32);
  CHECK(d.get_info<info::device::max_compute_units>() > 0 && d.get_info<info::device::global_mem_size>() > 1 << 20);
  static_assert(std::is_same_v<decltype(d.get_info<info::device::max_work_item_sizes<2>>()), range<2>>);
  CHECK(d.get_info<info::device::max_work_item_sizes<3>>()[0] == 1024 && !d.get_info<info::device::name>().empty());
  CHECK(platform::get_platforms().size() == 1 && device::get_devices(info::device_type::gpu).empty());
  CHECK(d.get_platform().get_devices().size() == 1 && d.get_platform().get_info<info::platform::name>() == "unwarp");
  bool refused = false;
  try {
    device(aspect_selector(aspect::gpu));
  } catch (const sycl::exception &e) {
    refused = e.code() == errc::runtime;
  }
  CHECK(refused);
  CHECK(device([](const device &one) { return one.is_cpu() ? 1 : -1; }) == d);
  context c(d);
  queue in_c(c, d), other = in_c;
  CHECK(in_c.get_context() == c && other == in_c && other != q && in_c.get_context().get_devices().size() == 1);
  std::unordered_map<queue, int> numbers{{q, 1}, {in_c, 2}};
  CHECK(numbers[other] == 2);
}

static void events() {
  queue q{property_list{property::queue::enable_profiling(), property::queue::in_order()}};
  CHECK(q.is_in_order() && q.has_property<property::queue::enable_profiling>());
  int *data = malloc_shared<int>(1 << 16, q);
  event e = q.parallel_for(range<1>(1 << 16), [=](id<1> i) { data[i] = int(i); });
  e.wait();
  const auto submitted = e.get_profiling_info<info::event_profiling::command_submit>();
  const auto started = e.get_profiling_info<info::event_profiling::command_start>();
  const auto ended = e.get_profiling_info<info::event_profiling::command_end>();
  CHECK(submitted <= started && started < ended);
  CHECK(e.get_info<info::event::command_execution_status>() == info::event_command_status::complete);
  event copy = e, later = q.single_task(e, [=] { data[0] = 5; });
  CHECK(copy == e && later != e);
  event::wait({e, later});
  bool refused = false;
  try {
    queue().single_task([=] { data[1] = 1; }).get_profiling_info<info::event_profiling::command_end>();
  } catch (const sycl::exception &x) {
    refused = x.code() == errc::invalid;
  }
  CHECK(refused);
  sycl::free(data, q);
}

static void errors() {
  int handled = 0;
  std::string text;
  queue q([&](exception_list list) {
    for (auto &each : list)
      try {
        std::rethrow_exception(each);
      } catch (const std::runtime_error &e) {
        handled++;
        text = e.what();
      }
  });
  int seen = 0;
  buffer<int> numbers(range<1>(4));
  q.submit([&](handler &h) {
    accessor all(numbers, h, write_only);
    h.parallel_for(4, [=](id<1> i) { all[i] = int(i) + 1; });
  });
  q.submit([&](handler &h) {
    accessor all(numbers, h, read_only_host_task);
    h.host_task([&seen, all] { seen = all[3]; });
  });
  event e = q.submit([&](handler &h) { h.host_task([] { throw std::runtime_error("of a host task"); }); });
  q.wait();
  CHECK(seen == 4 && handled == 0);
  e.wait_and_throw();
  CHECK(handled == 1 && text == "of a host task");
  q.wait_and_throw();
  CHECK(handled == 1);
  bool refused = false;
  try {
    q.submit([&](handler &h) {
      h.single_task([] {});
      h.single_task([] {});
    });
  } catch (const sycl::exception &x) {
    refused = x.code() == errc::invalid && x.category() == sycl_category() &&
              std::string(x.what()).rfind("a command group has one command, submitted at ", 0) == 0;
  }
  CHECK(refused);
}

class named_kernel;
static void bundles() {
  queue q;
  auto bundle = get_kernel_bundle<bundle_state::executable>(q.get_context());
  int *data = malloc_shared<int>(1, q);
  q.submit([&](handler &h) {
     h.use_kernel_bundle(bundle);
     h.single_task<named_kernel>([=] { *data = 11; });
   }).wait();
  CHECK(*data == 11 && bundle.has_kernel<named_kernel>());
  kernel k = bundle.get_kernel<named_kernel>();
  CHECK(k.get_info<info::kernel_device_specific::work_group_size>(q.get_device()) == 1024);
  sycl::free(data, q);
}

static void hierarchical() {
  queue q;
  const std::size_t groups = 5, local = 24;
  int *out = malloc_shared<int>(groups * local, q);
  q.submit([&](handler &h) {
     h.parallel_for_work_group(range<1>(groups), range<1>(local), [=](group<1> g) {
       int shared[24];
       private_memory<int> own(g);
       int sum = 0;
       g.parallel_for_work_item([&](h_item<1> it) {
         shared[it.get_local_id(0)] = int(it.get_global_id(0));
         own(it) = int(it.get_local_id(0)) * 1000;
       });
       for (int each : shared)
         sum += each;
       g.parallel_for_work_item(
           [&](h_item<1> it) { out[it.get_global_id(0)] = sum + own(it) + int(g.get_group_id(0) * 1000000); });
     });
   }).wait();
  for (std::size_t i = 0; i < groups * local; i++) {
    const int first = int(i / local * local);
    CHECK(out[i] == int(local) * (2 * first + int(local) - 1) / 2 + int(i % local) * 1000 + int(i / local) * 1000000);
  }
  q.submit([&](handler &h) {
     h.parallel_for_work_group(range<2>(2, 3), [=](group<2> g) {
       g.parallel_for_work_item(range<2>(4, 5), [&](h_item<2> it) {
         out[it.get_global().get_linear_id()] = int(it.get_local().get_linear_id());
       });
     });
   }).wait();
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 15; j++)
      CHECK(out[i * 15 + j] == i % 4 * 5 + j % 5);
  sycl::free(out, q);
}

int main() {
  devices();
  events();
  errors();
  bundles();
  hierarchical();
  return report();
}
