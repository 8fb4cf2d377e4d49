// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_work_group_scratch_memory: its size is a property of the launch or of the kernel's class, known late or early, given to a queue, a
// handler, a function that launches and a kernel object; beside accessors, and in functions that are called.
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>

#include <cstdlib>

#include "check.hpp"

using namespace sycl;
namespace ex = sycl::ext::oneapi::experimental;

static int size_of_group() { return std::getenv("NO_SUCH_VARIABLE") ? 5 : 64; }

__attribute__((noinline)) static int *scratch() { return static_cast<int *>(ex::get_work_group_scratch_memory()); }

// The other end of the group: value + factor * its number.
static int from_the_other_end(nd_item<1> it, int *memory, int value, int factor) {
  const int i = int(it.get_local_id(0)), last = int(it.get_local_range(0)) - 1;
  memory[i] = value + factor * i;
  group_barrier(it.get_group());
  return memory[last - i];
}

template <class Properties> struct with_properties {
  Properties list;
  int *out;
  auto get(ex::properties_tag) const { return list; }
  void operator()(nd_item<1> it) const { out[it.get_global_id(0)] = from_the_other_end(it, scratch(), 7, 2); }
};

static ex::device_global<int *> of_all;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void function(int *out, int value) {
  const auto it = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  out[it.get_global_id(0)] = from_the_other_end(it, scratch(), value, 3);
}

int main() {
  queue q{property::queue::in_order()};
  const int n = size_of_group();
  const nd_range<1> shape(4 * n, n);
  int *out = malloc_shared<int>(4 * n, q);
  bool *apart = malloc_shared<bool>(1, q);
  const auto holds = [&](int value, int factor) {
    q.wait();
    bool all = true;
    for (int i = 0; i < 4 * n; i++)
      all = all && out[i] == value + factor * (n - 1 - i % n);
    return all;
  };

  // The memory is the same wherever it is asked for.
  ex::launch_config late(shape, ex::properties{ex::work_group_scratch_size(n * sizeof(int))});
  ex::nd_launch(q, late, [=](nd_item<1> it) {
    int *memory = static_cast<int *>(ex::get_work_group_scratch_memory());
    out[it.get_global_id(0)] = memory == scratch() ? from_the_other_end(it, memory, 1, 1) : -1;
  });
  CHECK(holds(1, 1));
  q.parallel_for(nd_range<1>(256, 64), ex::properties{ex::work_group_scratch_size(256)}, [=](nd_item<1> it) {
    out[it.get_global_id(0)] = from_the_other_end(it, static_cast<int *>(ex::get_work_group_scratch_memory()), 2, 1);
  });
  CHECK(holds(2, 1));

  // Beside accessors, and with the next launch's sizes others than the last one's.
  for (int more = 1; more <= 100; more += 33)
    q.submit([&](handler &group) {
       local_accessor<int> first(more, group), second(n, group);
       ex::nd_launch(group, late, [=](nd_item<1> it) {
         const int i = int(it.get_local_id(0));
         int *memory = scratch();
         second[i] = 1000 * i;
         const int own = from_the_other_end(it, memory, 3, more);
         out[it.get_global_id(0)] = own + (second[i] - 1000 * i) + (i < more ? first[i] = 0 : 0);
         if (it.get_global_linear_id() == 0)
           *apart = memory >= &second[0] + second.size() && memory >= &first[0] + first.size();
       });
     }).wait(),
        CHECK(holds(3, more) && *apart);

  // A kernel that captures nothing, and one after it.
  q.copy(&out, of_all).wait();
  ex::nd_launch(q, late, [](nd_item<1> it) { of_all[it.get_global_id(0)] = from_the_other_end(it, scratch(), 4, 5); });
  CHECK(holds(4, 5));

  // The kernel's own.
  q.parallel_for(shape, with_properties<decltype(late.get_properties())>{late.get_properties(), out});
  CHECK(holds(7, 2));

  // Functions, by name and as an object.
  ex::nd_launch(q, late, ex::kernel_function<function>, out, 5);
  CHECK(holds(5, 3));
  const kernel object = ex::get_kernel_bundle<function, bundle_state::executable>(q.get_context())
                            .get_kernel(ex::get_kernel_id<function>());
  ex::nd_launch(q, late, object, out, 6);
  CHECK(holds(6, 3));

  // A graph keeps what its launches had.
  ex::command_graph graph(q.get_context(), q.get_device());
  graph.begin_recording(q);
  ex::nd_launch(q, late, [=](nd_item<1> it) { out[it.get_global_id(0)] = from_the_other_end(it, scratch(), 8, 1); });
  graph.end_recording();
  auto fixed = graph.finalize();
  ex::fill(q, out, 0, 4 * n);
  q.ext_oneapi_graph(fixed);
  CHECK(holds(8, 1));

  // Reductions have it too.
  int *sum = malloc_shared<int>(1, q);
  *sum = 0;
  q.parallel_for(shape, late.get_properties(), reduction(sum, plus<int>()), [=](nd_item<1> it, auto &total) {
     total += from_the_other_end(it, scratch(), 0, 1);
   }).wait();
  CHECK(*sum == 4 * (n * (n - 1) / 2));

  // More than there is, with what accessors have; and where there are no groups.
  const std::size_t most = q.get_device().get_info<info::device::local_mem_size>();
  const auto code_of = [&](auto &&launch) {
    try {
      q.submit(launch);
    } catch (const exception &error) {
      return error.code() == errc::memory_allocation ? 1 : error.code() == errc::kernel_argument ? 2 : 3;
    }
    return 0;
  };
  CHECK(code_of([&](handler &group) {
          local_accessor<int> some(16, group);
          ex::launch_config config(shape, ex::properties{ex::work_group_scratch_size(most)});
          ex::nd_launch(group, config, [=](nd_item<1>) { some[0] = *scratch(); });
        }) == 1);
  CHECK(code_of([&](handler &group) {
          ex::launch_config config(shape, ex::properties{ex::work_group_scratch_size(most)});
          ex::nd_launch(group, config, [=](nd_item<1>) { *scratch() = 1; });
        }) == 0);
  CHECK(code_of([&](handler &group) {
          group.parallel_for(range<1>(5), late.get_properties(), [=](id<1>) { *scratch() = 1; });
        }) == 2);
  free(out, q), free(apart, q), free(sum, q);
  return report();
}
