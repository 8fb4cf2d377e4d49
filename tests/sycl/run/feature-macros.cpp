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
#if defined(SYCL_FEATURE_SET_FULL) || defined(SYCL_EXT_ONEAPI_BINDLESS_IMAGES) || defined(SYCL_EXT_INTEL_ESIMD) ||     \
    defined(SYCL_BACKEND_OPENCL)
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

static ex::device_global<int, decltype(ex::properties(ex::device_image_scope))> of_device;

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
#if SYCL_EXT_INTEL_USM_ADDRESS_SPACES
  sycl::ext::intel::device_ptr<int> of_the_device(x);
  q.single_task([=] { of_the_device[1] = 4; }).wait();
  CHECK(x[1] == 4);
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
#if SYCL_EXT_ONEAPI_ROOT_GROUP
  q.parallel_for(shape, ex::properties{ex::use_root_sync}, [=](nd_item<1> item) {
     const auto root = item.ext_oneapi_get_root_group();
     if (root.leader())
       x[4] = 11;
     group_barrier(root);
     if (root.get_local_linear_id() + 1 == root.get_local_linear_range())
       x[5] = x[4] + 1;
   }).wait();
  CHECK(x[5] == 12);
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
#if SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS && SYCL_EXT_ONEAPI_FRAGMENT && SYCL_EXT_ONEAPI_CHUNK && SYCL_EXT_ONEAPI_TANGLE
  q.parallel_for(shape, [=](nd_item<1> it) {
     const auto g = it.get_sub_group();
     const int four = reduce_over_group(ex::chunked_partition<4>(g), 1, plus<int>());
     const int odd = reduce_over_group(ex::get_ballot_group(g, it.get_local_id(0) % 2 == 1), 1, plus<int>());
     x[it.get_global_id(0)] = four + odd + int(ex::entangle(g).get_local_linear_range());
   }).wait();
  CHECK(x[5] == 4 + 16 + 32);
#endif
#if SYCL_EXT_ONEAPI_MATRIX && SYCL_EXT_INTEL_MATRIX
  q.parallel_for(shape, [=](nd_item<1> it) {
     ex::matrix::joint_matrix<sub_group, int, ex::matrix::use::accumulator, 4, 8> some;
     ex::matrix::joint_matrix_fill(it.get_sub_group(), some, 8);
     sycl::ext::intel::experimental::matrix::joint_matrix_apply(
         it.get_sub_group(), some, [](int &one, std::size_t row, std::size_t) { one += int(row); });
     ex::matrix::joint_matrix_store(it.get_sub_group(), some, global_ptr<int>(x), 8, ex::matrix::layout::row_major);
   }).wait();
  CHECK(x[0] == 8 && x[31] == 11);
#endif
#if SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY && SYCL_KHR_FREE_FUNCTION_COMMANDS && SYCL_KHR_WORK_ITEM_QUERIES
  khr::submit(q, [&](handler &h) {
    ex::work_group_memory<int> own(h);
    khr::launch_grouped(h, range<1>(32), range<1>(32), [=](nd_item<1>) {
      if (khr::this_group<1>().leader())
        own = 5;
      group_barrier(khr::this_group<1>());
      x[khr::this_nd_item<1>().get_global_id(0)] = own;
    });
  });
  q.wait();
  CHECK(x[31] == 5);
#endif
#if SYCL_KHR_QUEUE_EMPTY_QUERY && SYCL_KHR_DEFAULT_CONTEXT
  CHECK(q.khr_empty() && platform().khr_get_default_context() == q.get_context());
#endif
#if SYCL_KHR_STATIC_ADDRSPACE_CAST && SYCL_KHR_DYNAMIC_ADDRSPACE_CAST && SYCL_EXT_ONEAPI_ADDRESS_CAST
  CHECK(khr::static_addrspace_cast<access::address_space::global_space>(x) ==
        ex::dynamic_address_cast<access::address_space::global_space>(x));
  CHECK(khr::dynamic_addrspace_cast<access::address_space::global_space>(x).get() == x);
#endif
#if SYCL_EXT_ONEAPI_WEAK_OBJECT && SYCL_EXT_ONEAPI_FILTER_SELECTOR
  CHECK(one::weak_object<queue>(q).lock() == q && device(one::filter_selector("cpu")).is_cpu());
#endif
#if SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND && SYCL_BACKEND_UNWARP
  q.ext_codeplay_enqueue_native_command([=](interop_handle low) { x[0] = low.get_native_device<backend::unwarp>(); });
  q.wait();
  CHECK(x[0] == 0);
#endif
#if SYCL_EXT_ONEAPI_DEVICE_GLOBAL
  static_assert(decltype(of_device)::has_property<ex::device_image_scope_key>());
  x[1] = 12;
  q.copy(x + 1, of_device).wait();
  q.single_task([=] { x[0] = of_device; }).wait();
  CHECK(x[0] == 12);
#endif
#if SYCL_EXT_ONEAPI_WORK_GROUP_STATIC && SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE
  q.parallel_for(shape, [=](nd_item<1> it) {
     ex::work_group_static<int> all;
     if (it.get_group().leader())
       all = 13;
     group_barrier(it.get_group());
     ex::if_architecture_is<ex::arch_category::intel_gpu>([=] {}).otherwise([&] { x[it.get_global_id(0)] = all; });
   }).wait();
  CHECK(x[31] == 13);
#endif
#if SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY
  q.parallel_for(shape, ex::properties{ex::work_group_scratch_size(4)}, [=](nd_item<1> it) {
     int &all = *static_cast<int *>(ex::get_work_group_scratch_memory());
     if (it.get_group().leader())
       all = 14;
     group_barrier(it.get_group());
     x[it.get_global_id(0)] = all;
   }).wait();
  CHECK(x[31] == 14);
#endif
#if SYCL_EXT_ONEAPI_VIRTUAL_MEM
  CHECK(ex::get_mem_granularity(q.get_context()) > 0);
#endif
#if SYCL_KHR_INCLUDES
#include <sycl/khr/includes/queue.hpp>
#endif
  free(x, q), free(y, q);
  return report();
}
