// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that ask for sub-groups of a size that there is not are compiled, and refused when they are submitted; those that ask for 32 run.
// flags: -Wno-#pragma-messages -Wno-deprecated-declarations
#include <sycl/sycl.hpp>

#include <vector>

#include "check.hpp"

using namespace sycl;

constexpr int whole = 32, half_of_it = 16;

template <class F> errc error_of(F f) {
  try {
    f();
  } catch (const exception &e) {
    return errc(e.code().value());
  }
  return errc::success;
}

// Before a member function, of which there may be several.
struct eight {
  int *x;
  [[sycl::reqd_sub_group_size(8)]] void operator()(nd_item<1> it) const { x[it.get_global_id(0)] = 1; }
  [[sycl::reqd_sub_group_size(32)]] void operator()(item<1> it) const { x[it.get_id(0)] = 2; }
  void operator()(group<1>) const { x[0] = 3; }
};
struct after {
  int *x;
  void operator()(nd_item<1> it) const noexcept [[sycl::reqd_sub_group_size(half_of_it)]] {
    x[it.get_global_id(0)] = 1;
  }
};

// Any constant: other literals, expressions, variables, macros of one's own, parameters of templates.
#define OF_SIZE(...) [[sycl::reqd_sub_group_size(__VA_ARGS__)]]
struct unsigned_whole {
  int *x;
  [[sycl::reqd_sub_group_size(32u)]] void operator()(nd_item<1> it) const { x[it.get_global_id(0)] = 6; }
};
struct hexadecimal {
  int *x;
  [[sycl::reqd_sub_group_size(0x20)]] auto operator()(nd_item<1> it) const -> void { x[it.get_global_id(0)] = 7; }
};
struct expression {
  int *x;
  [[sycl::reqd_work_group_size(64)]] [[sycl::reqd_sub_group_size(half_of_it * 2)]] void
  operator()(nd_item<1> it) const {
    x[it.get_global_id(0)] = 8;
  }
};
struct product {
  int *x;
  [[sycl::reqd_sub_group_size(8 * 4)]] void operator()(nd_item<1> it) const { x[it.get_global_id(0)] = 9; }
};
struct in_brackets {
  int *x;
  [[sycl::reqd_sub_group_size((half_of_it + 1))]] void operator()(nd_item<1>) const { x[0] = -1; }
};
struct three {
  int *x;
  [[sycl::reqd_sub_group_size(3), sycl::work_group_size_hint(64)]] void operator()(nd_item<1>) const { x[0] = -1; }
};
struct variable {
  int *x;
  [[intel::reqd_sub_group_size(half_of_it)]] void operator()(nd_item<1>) const { x[0] = -1; }
};
struct own_macro {
  int *x;
  OF_SIZE(half_of_it) void operator()(nd_item<1>) const { x[0] = -1; }
};
template <int Size> struct parameter {
  int *x;
  [[sycl::reqd_sub_group_size(Size)]] void operator()(nd_item<1> it) const { x[it.get_global_id(0)] = Size; }
};
template <class Kernel> errc run(queue &q, int *x) {
  return error_of([&] { q.parallel_for(nd_range<1>(64, 64), Kernel{x}).wait(); });
}

template <int Size> class dependent_kernel;
template <int Size> errc dependent(queue &q, int *x) {
  return error_of([&] {
    q.parallel_for<dependent_kernel<Size>>(nd_range<1>(64, 64), [=](nd_item<1> it) [[sycl::reqd_sub_group_size(Size)]] {
       x[it.get_global_id(0)] = int(it.get_sub_group().get_local_range()[0]);
     }).wait();
  });
}
class not_there;

int main() {
  queue q;
  const nd_range<1> shape(64, 64);
  int *x = malloc_shared<int>(64, q);
  x[0] = 0;
  CHECK(error_of([&] { q.parallel_for(shape, eight{x}).wait(); }) == errc::kernel_not_supported && x[0] == 0);
  CHECK(error_of([&] { q.parallel_for(range<1>(64), eight{x}).wait(); }) == errc::success && x[63] == 2);
  CHECK(error_of([&] {
          q.submit([&](handler &h) { h.parallel_for_work_group(range<1>(1), range<1>(1), eight{x}); }).wait();
        }) == errc::success &&
        x[0] == 3);
  CHECK(error_of([&] { q.parallel_for(shape, after{x}).wait(); }) == errc::kernel_not_supported && x[0] == 3);
  CHECK(run<unsigned_whole>(q, x) == errc::success && x[63] == 6);
  CHECK(run<hexadecimal>(q, x) == errc::success && x[63] == 7);
  CHECK(run<expression>(q, x) == errc::success && x[63] == 8);
  CHECK(run<product>(q, x) == errc::success && x[63] == 9);
  CHECK(run<parameter<whole>>(q, x) == errc::success && x[63] == 32);
  x[0] = 3;
  CHECK(run<three>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(run<variable>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(run<in_brackets>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(run<own_macro>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(run<parameter<8>>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(dependent<16>(q, x) == errc::kernel_not_supported && x[0] == 3);
  CHECK(error_of([&] {
          q.parallel_for(shape, [=](auto) [[sycl::reqd_sub_group_size(::half_of_it)]] { x[0] = -1; });
        }) == errc::kernel_not_supported);
  CHECK(error_of([&] { q.parallel_for(shape, [=](auto) [[sycl::reqd_sub_group_size(4 * 4)]] { x[0] = -1; }); }) ==
        errc::kernel_not_supported);
  CHECK(dependent<whole>(q, x) == errc::success && x[0] == 32);
  CHECK(error_of([&] {
          q.parallel_for(shape, [=](auto it) [[sycl::reqd_sub_group_size(half_of_it)]] { x[it.get_global_id(0)] = 4; });
        }) == errc::kernel_not_supported);
  CHECK(error_of([&] {
          q.parallel_for(shape, [=](auto it) [[sycl::reqd_sub_group_size(whole)]] { x[it.get_global_id(0)] = 4; });
        }) == errc::success);
  CHECK(error_of([&] {
          q.parallel_for(shape, reduction(x, plus<int>()),
                         [=](nd_item<1>, auto &sum) [[sycl::reqd_sub_group_size(half_of_it)]] { sum += 1; })
              .wait();
        }) == errc::kernel_not_supported &&
        x[0] == 4);
  CHECK(error_of([&] {
          q.parallel_for(range<1>(64), reduction(x, plus<int>()),
                         [=](id<1>, auto &sum) [[sycl::reqd_sub_group_size(64)]] { sum += 1; });
        }) == errc::kernel_not_supported &&
        x[0] == 4);
  CHECK(error_of([&] { q.single_task<not_there>([=]() [[sycl::reqd_sub_group_size(4)]] { x[0] = 5; }); }) ==
            errc::kernel_not_supported &&
        x[0] == 4);
  // what bundles have of them
  const kernel_id other = get_kernel_id<not_there>(), good = get_kernel_id<dependent_kernel<32>>();
  CHECK(!is_compatible<not_there>(q.get_device()) && is_compatible({good}, q.get_device()) &&
        !is_compatible({good, other}, q.get_device()));
  const auto all = get_kernel_bundle<bundle_state::executable>(q.get_context());
  CHECK(all.has_kernel(good) && !all.has_kernel(other) && !all.has_kernel(get_kernel_id<dependent_kernel<16>>()));
  CHECK(!has_kernel_bundle<bundle_state::executable>(q.get_context(), std::vector<kernel_id>{other}));
  CHECK(error_of([&] {
          get_kernel_bundle<bundle_state::executable>(q.get_context(), std::vector<kernel_id>{other});
        }) == errc::invalid);
  free(x, q);
  return report();
}
