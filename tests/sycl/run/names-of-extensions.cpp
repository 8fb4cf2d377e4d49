// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smaller extensions, a few lines each: sub_group::load and store, properties of single tasks, copies and properties of device_global, filter_selector,
// Khronos' free functions and queries, work_group_memory, weak_object, native commands and handles, older names of group functions.
#include <sycl/sycl.hpp>

#include <cstring>

#include "check.hpp"

using namespace sycl;
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;

template <class F> static bool throws(errc code, F &&f) {
  try {
    f();
  } catch (const exception &e) {
    return e.code() == code;
  }
  return false;
}

static void sub_groups(queue &q) {
  int *in = malloc_shared<int>(128, q), *out = malloc_shared<int>(128, q);
  for (int i = 0; i < 128; i++)
    in[i] = i, out[i] = 0;
  q.parallel_for(nd_range<1>(32, 32), [=](nd_item<1> it) {
     const sub_group g = it.get_sub_group();
     const int first = g.load(global_ptr<int>(in));
     const vec<int, 2> two = g.load<2>(global_ptr<int>(in + 32));
     g.store(global_ptr<int>(out), first + 1);
     g.store(global_ptr<int>(out + 32), two * 2);
     g.store(out + 96, one::reduce(g, first, one::plus<int>()) + int(one::any_of(g, first == 3)));
   }).wait();
  for (int i = 0; i < 32; i++)
    CHECK(out[i] == i + 1 && out[32 + i] == 2 * (32 + i) && out[64 + i] == 2 * (64 + i) &&
          out[96 + i] == 31 * 32 / 2 + 1);
  q.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> it) {
     const auto g = it.get_group();
     out[it.get_global_id(0)] = one::inclusive_scan(g, 2, one::plus<>()) +
                                one::broadcast(g, int(it.get_local_id(0)), 5) +
                                one::reduce(g, in, in + 128, one::maximum<int>()) + (one::leader(g) ? 1000 : 0);
   }).wait();
  CHECK(out[0] == 2 + 5 + 127 + 1000 && out[63] == 128 + 5 + 127);
  sycl::free(in, q), sycl::free(out, q);
}

static ex::device_global<int[4]> table;
static ex::device_global<int,
                         decltype(ex::properties(ex::device_image_scope, ex::host_access<ex::host_access_enum::read>))>
    single;

static void globals(queue &q) {
  const int from[] = {1, 2, 3, 4}, more[] = {50, 60};
  int to[4] = {}, *out = malloc_shared<int>(5, q);
  static_assert(decltype(single)::has_property<ex::host_access_key>() &&
                !decltype(single)::has_property<ex::init_mode_key>());
  static_assert(decltype(single)::get_property<ex::host_access_key>().value == ex::host_access_enum::read);
  q.copy(from, table).wait();
  const event changed = q.copy(more, table, 2, 1);
  q.memcpy(single, from + 2, sizeof(int), 0, changed).wait();
  q.single_task(ex::properties(ex::sub_group_size<32>), [=] {
     for (int i = 0; i < 4; i++)
       out[i] = table[i];
     out[4] = single;
   }).wait();
  CHECK(out[0] == 1 && out[1] == 50 && out[2] == 60 && out[3] == 4 && out[4] == 3);
  q.submit([&](handler &h) { h.copy(table, to, 3, 1); }).wait();
  CHECK(to[0] == 50 && to[1] == 60 && to[2] == 4);
  q.memcpy(to, table, sizeof to, 0, std::vector<event>{changed}).wait();
  CHECK(to[3] == 4);
  CHECK(throws(errc::invalid, [&] { q.copy(from, table, 4, 1); }));
  sycl::free(out, q);
}

static void khronos(queue &q) {
  int *x = malloc_shared<int>(64, q), y[64];
  khr::fill(q, x, 1, 64);
  khr::launch(q, range<1>(64), [=](id<1> i) { x[i] += int(i[0]); });
  khr::launch_grouped(q, {8, 8}, {2, 8}, [=](nd_item<2>) {
    const auto it = khr::this_nd_item<2>();
    x[it.get_global_linear_id()] += 100 * int(khr::this_group<2>().get_group_id(0)) +
                                    1000 * int(khr::this_sub_group().get_group_linear_range() - 1);
  });
  khr::launch_task(q, [=] { *khr::static_addrspace_cast<access::address_space::global_space>(x) += 7; });
  khr::command_barrier(q);
  khr::submit_tracked(q, [&](handler &h) { khr::copy(h, x, y, 64); }).wait();
  CHECK(y[0] == 8 && y[63] == 64 + 300 && q.khr_empty());
  int sum = 0;
  {
    buffer<int> total(&sum, range<1>(1));
    khr::submit(q, [&](handler &h) {
      khr::launch_reduce(h, range<1>(64), [=](id<1> i, auto &all) { all += x[i]; }, reduction(total, h, plus<int>()));
    });
  }
  int wanted = 0;
  for (int i = 0; i < 64; i++)
    wanted += y[i];
  CHECK(sum == wanted);
  CHECK(q.get_device().get_platform().khr_get_default_context() == q.get_context());
  sycl::free(x, q);
}

static void group_memory(queue &q) {
  int *out = malloc_shared<int>(64, q);
  q.submit([&](handler &h) {
     ex::work_group_memory<int[32]> fixed(h);
     ex::work_group_memory<int[]> counted(32, h);
     ex::work_group_memory<int> number(h);
     h.parallel_for(nd_range<1>(64, 32), [=](nd_item<1> it) {
       const std::size_t i = it.get_local_id(0);
       fixed[i] = int(i), counted[i] = 100 * int(it.get_group(0));
       if (i == 0)
         number = 7;
       it.barrier();
       out[it.get_global_id(0)] = fixed[31 - i] + counted[31 - i] + number + fixed.get_multi_ptr()[0];
     });
   }).wait();
  for (int i = 0; i < 64; i++)
    CHECK(out[i] == 31 - i % 32 + 100 * (i / 32) + 7);
  sycl::free(out, q);
}

static void native_handles(queue &q) {
  int number = 0;
  buffer<int> data(range<1>(4));
  q.submit([&](handler &h) {
    accessor all(data, h, write_only);
    h.ext_codeplay_enqueue_native_command([=, &number](interop_handle low) {
      int *at = static_cast<int *>(low.get_native_mem<backend::unwarp>(all));
      for (int i = 0; i < 4; i++)
        at[i] = i;
      number = low.get_native_device<backend::unwarp>() + 1;
    });
  });
  host_accessor seen(data);
  CHECK(number == 1 && seen[3] == 3);
  const backend_return_t<backend::unwarp, device> handle = get_native<backend::unwarp>(q.get_device());
  CHECK(make_device<backend::unwarp>(handle) == q.get_device());
  CHECK(throws(errc::invalid, [] { make_device<backend::unwarp>(1); }));
  queue other = make_queue<backend::unwarp>(get_native<backend::unwarp>(q), q.get_context());
  CHECK(other.is_in_order() && other.get_context() == q.get_context());
  int memory[4] = {1, 2, 3, 4};
  {
    auto over = make_buffer<backend::unwarp, int>(memory, range<1>(4), q.get_context());
    other.submit([&](handler &h) {
      accessor all(over, h, read_write);
      h.parallel_for(range<1>(4), [=](id<1> i) { all[i] *= 2; });
    });
    CHECK(get_native<backend::unwarp>(over) == memory);
  }
  CHECK(memory[3] == 8);
}

static void weak() {
  one::weak_object<queue> none, some;
  CHECK(none.expired() && !none.try_lock());
  {
    queue q;
    some = q;
    CHECK(!some.expired() && some.lock() == q && none.owner_before(some) != some.owner_before(none));
  }
  CHECK(some.expired() && throws(errc::invalid, [&] { some.lock(); }));
  const device d;
  CHECK(one::weak_object<device>(d).lock() == d);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>)) static void scale(int *x, int by) {
  x[one::this_work_item::get_nd_item<1>().get_global_id(0)] *= by;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel)) static void add_to_first(int *x) { x[0]++; }
static void free_functions(queue &q) {
  int *x = malloc_shared<int>(64, q);
  q.fill(x, 3, 64).wait();
  ex::nd_launch(q, nd_range<1>(64, 32), ex::kernel_function<scale>, x, 5);
  ex::submit(q, [&](handler &h) { ex::single_task(h, ex::kernel_function<add_to_first>, x); });
  q.wait();
  CHECK(x[0] == 16 && x[63] == 15);
  sycl::free(x, q);
}

int main() {
  queue q(one::filter_selector("opencl:cpu:0"), property::queue::in_order());
  CHECK(device(one::filter_selector("gpu,cpu")).is_cpu());
  CHECK(throws(errc::runtime, [] { device d(one::filter_selector("cpu:1")); }));
  CHECK(throws(errc::runtime, [] { one::filter_selector wrong("toaster"); }));
  sub_groups(q);
  globals(q);
  khronos(q);
  group_memory(q);
  native_handles(q);
  weak();
  free_functions(q);
  return report();
}
