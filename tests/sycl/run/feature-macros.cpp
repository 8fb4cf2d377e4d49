// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the macros say is there, is: a use of each. A macro that has no row here is found by driver/feature-macros.test.
#include <sycl/version.hpp>
#if SYCL_IMPLEMENTATION_UNWARP != 1 || SYCL_IMPLEMENTATION_ONEAPI != 1 || __SYCL_COMPILER_VERSION < 20221020
#error which implementation it is
#endif
#if __LIBSYCL_MAJOR_VERSION < 8 || __LIBSYCL_MINOR_VERSION < 0 || __LIBSYCL_PATCH_VERSION < 0
#error which of DPC++
#endif
#include <sycl/sycl.hpp>

#include "check.hpp"

#if SYCL_LANGUAGE_VERSION < 202012L || !SYCL_DEVICE_COPYABLE
#error the language
#endif
// What is not here has none.
#if defined(SYCL_FEATURE_SET_FULL) || defined(SYCL_EXT_ONEAPI_MATRIX) || defined(SYCL_EXT_ONEAPI_ROOT_GROUP) ||        \
    defined(SYCL_EXT_ONEAPI_BINDLESS_IMAGES) || defined(SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS) ||                         \
    defined(SYCL_EXT_ONEAPI_VIRTUAL_MEM) || defined(SYCL_EXT_INTEL_ESIMD) || defined(SYCL_BACKEND_OPENCL)
#error a macro of what is not here
#endif

using namespace sycl;
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;

struct with_properties {
  int *x;
  void operator()(nd_item<1> it) const { x[it.get_global_id(0)] = 3; }
  auto get(ex::properties_tag) const { return ex::properties(ex::sub_group_size<32>); }
};

int main() {
  queue q{property::queue::in_order()};
  int *x = malloc_shared<int>(64, q);
  float *y = malloc_shared<float>(64, q);
  const nd_range<1> shape(32, 32);
#if SYCL_EXT_ONEAPI_LOCAL_MEMORY
  q.parallel_for(shape, [=](nd_item<1> it) {
     int &all = *one::group_local_memory<int>(it.get_group(), 5);
     x[it.get_global_id(0)] = all;
   }).wait();
  CHECK(x[31] == 5);
#endif
#if SYCL_EXT_ONEAPI_MEMCPY2D
  q.ext_oneapi_memset2d(x, 16, 0, 8, 4).wait();
  CHECK(x[1] == 0 && x[2] == 5);
#endif
#if SYCL_EXT_ONEAPI_SUB_GROUP_MASK && SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES
  q.parallel_for(shape, [=](nd_item<1>) {
     const auto it = one::this_work_item::get_nd_item<1>();
     const auto mask = one::group_ballot(one::this_work_item::get_sub_group(), it.get_local_id(0) < 5);
     x[it.get_global_id(0)] = int(mask.count());
   }).wait();
  CHECK(x[7] == 5);
#endif
#if SYCL_EXT_ONEAPI_GROUP_LOAD_STORE
  q.parallel_for(shape, [=](nd_item<1> it) {
     int own;
     ex::group_load(it.get_group(), x, own);
     ex::group_store(it.get_group(), own + 1, x);
   }).wait();
  CHECK(x[7] == 6);
#endif
#if SYCL_EXT_ONEAPI_GRAPH
  ex::command_graph graph(q.get_context(), q.get_device());
  graph.begin_recording(q);
  q.single_task([=] { x[0]++; });
  graph.end_recording();
  q.ext_oneapi_graph(graph.finalize()).wait();
  CHECK(x[0] == 7);
#endif
#if SYCL_EXT_ONEAPI_PROPERTIES && SYCL_EXT_ONEAPI_KERNEL_PROPERTIES
  q.parallel_for(shape, with_properties{x}).wait();
  CHECK(x[9] == 3);
#endif
#if SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS
  ex::single_task(q, [=] { x[1] = 9; });
  ex::barrier(q);
  q.wait();
  CHECK(x[1] == 9);
#endif
#if SYCL_EXT_ONEAPI_CLOCK && SYCL_EXT_ONEAPI_DOT_ACCUMULATE
  q.single_task([=] {
     const auto before = ex::clock<ex::clock_scope::device>();
     x[2] = one::dot_acc(std::int32_t(0x01020304), std::int32_t(0x01010101), 10);
     x[3] = ex::clock<ex::clock_scope::device>() >= before;
   }).wait();
  CHECK(x[2] == 20 && x[3] == 1);
#endif
#if SYCL_EXT_ONEAPI_BFLOAT16 && SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS && SYCL_EXT_ONEAPI_NATIVE_MATH
  q.single_task([=] {
     y[0] = ex::fmin(one::bfloat16(2.0f), one::bfloat16(1.5f));
     y[1] = ex::native::exp2(3.0f), y[2] = ex::native::tanh(vec<float, 2>(0.0f)).y(),
     y[3] = float(ex::native::exp2(half(2)));
   }).wait();
  CHECK(y[0] == 1.5f && y[1] == 8 && y[2] == 0 && y[3] == 4);
#endif
#if SYCL_EXT_ONEAPI_MAX_WORK_GROUP_QUERY && SYCL_EXT_ONEAPI_NUM_COMPUTE_UNITS
  CHECK(q.get_device().get_info<ex::info::device::max_work_groups<1>>()[0] > 0);
  CHECK(q.get_device().get_info<one::info::device::num_compute_units>() > 0);
#endif
#if SYCL_EXT_ONEAPI_ENQUEUE_BARRIER && SYCL_EXT_ONEAPI_QUEUE_EMPTY
  q.ext_oneapi_submit_barrier().wait();
  CHECK(q.ext_oneapi_empty());
#endif
#if SYCL_KHR_INCLUDES
#include <sycl/khr/includes/queue.hpp>
#endif
  free(x, q), free(y, q);
  return report();
}
