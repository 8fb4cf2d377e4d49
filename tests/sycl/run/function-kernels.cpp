// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as kernel objects (sycl_ext_oneapi_free_function_kernels): by bundle and identifier, overloaded and of a template, with
// arguments set one by one or together, in any shape; wrong arguments and kernels that are lambdas are told.
#include <sycl/sycl.hpp>

#include <string>

#include "check.hpp"

using namespace sycl;
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;

struct factor {
  float by;
  int plus;
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void iota(float start, float *out) {
  const std::size_t i = one::this_work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = start + float(i);
}
template <class T>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<2>))
void scale(const T *in, T *out, factor f) {
  const auto item = one::this_work_item::get_nd_item<2>();
  const std::size_t i = item.get_global_id(0) * item.get_global_range(1) + item.get_global_id(1);
  f.plus += int(item.get_group(0)); // a work-item's own
  out[i] = T(in[i] * f.by) + T(f.plus);
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel)) void ping(float *x) noexcept { *x += 1; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel)) void ping(int *x) { *x += 2; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<3>))
void turn(local_accessor<int, 1> row, int *out) {
  const auto item = one::this_work_item::get_nd_item<3>();
  const int i = int(item.get_local_linear_id()), n = int(item.get_group().get_local_linear_range());
  row[i] = int(item.get_global_linear_id());
  group_barrier(item.get_group());
  out[item.get_global_linear_id()] = row[n - 1 - i];
}

template <class F> static std::string told(F &&f) {
  try {
    f();
  } catch (const exception &e) {
    return e.code() == errc::invalid ? e.what() : "another code";
  }
  return "";
}

int main() {
  queue q{property::queue::in_order()};
  const context where = q.get_context();
  float *x = malloc_shared<float>(64, q), *y = malloc_shared<float>(64, q);
  int *n = malloc_shared<int>(64, q);

  const kernel_id id = ex::get_kernel_id<iota>();
  auto bundle = ex::get_kernel_bundle<iota, bundle_state::executable>(where);
  CHECK(bundle.has_kernel(id) && bundle.ext_oneapi_has_kernel<iota>() && ex::is_compatible<iota>(q.get_device()));
  CHECK(!bundle.ext_oneapi_has_kernel<scale<float>>() && (ex::has_kernel_bundle<iota, bundle_state::executable>(where)));
  const kernel of_iota = bundle.ext_oneapi_get_kernel<iota>();
  CHECK(of_iota == bundle.get_kernel(id) && of_iota.get_info<info::kernel::num_args>() == 2);
  CHECK((ex::get_kernel_info<iota, info::kernel::num_args>(where) == 2));
  q.submit([&](handler &h) {
     h.set_args(3.5f, x);
     h.parallel_for(nd_range<1>(64, 16), of_iota);
   }).wait();
  CHECK(x[0] == 3.5f && x[63] == 66.5f);

  auto all = get_kernel_bundle<bundle_state::executable>(where);
  q.submit([&](handler &h) {
    h.use_kernel_bundle(all);
    h.set_arg(2, factor{2, 1});
    h.set_arg(0, x);
    h.set_arg(1, y);
    h.parallel_for(nd_range<2>({8, 8}, {2, 8}), all.ext_oneapi_get_kernel<scale<float>>());
  });
  ex::single_task(q, all.ext_oneapi_get_kernel<(void (*)(float *))ping>(), x);
  n[0] = 5;
  ex::submit(q, [&](handler &h) { ex::single_task(h, all.ext_oneapi_get_kernel<(void (*)(int *))ping>(), n); });
  q.wait();
  CHECK(x[0] == 4.5f && n[0] == 7);
  for (int i = 0; i < 64; i++)
    CHECK(y[i] == 2 * (3.5f + float(i)) + 1 + float(i / 16));

  ex::nd_launch(q, nd_range<1>(64, 64), of_iota, 1.0f, x);
  q.submit([&](handler &h) {
    local_accessor<int, 1> row(range<1>(8), h);
    h.set_args(row, n);
    h.parallel_for(nd_range<3>({4, 4, 4}, {1, 2, 4}), all.ext_oneapi_get_kernel<turn>());
  });
  q.wait();
  CHECK(x[63] == 64);
  for (int i = 0; i < 64; i++)
    CHECK(n[i] == i / 8 * 8 + 7 - i % 8);

  q.single_task<class lambda>([=] { *n = 1; }).wait();
  const nd_range<1> shape(64, 16);
  CHECK(told([&] { ex::nd_launch(q, shape, of_iota, 1.0f); }).find("argument 1 of the kernel's function is not set") == 0);
  CHECK(told([&] { ex::nd_launch(q, shape, of_iota, 1, x); }).find("argument 0 is set to a value of another type") == 0);
  CHECK(told([&] { ex::nd_launch(q, shape, of_iota, 1.0f, x, 2); }).find("more arguments are set") == 0);
  CHECK(told([&] { ex::nd_launch(q, shape, all.get_kernel<lambda>(), 1.0f); }).find("this kernel is a lambda") == 0);
  free(x, q), free(y, q), free(n, q);
  return report();
}
