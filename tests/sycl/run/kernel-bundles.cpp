// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel bundles: kernels by their names, what they know of themselves, bundles in commands, states.
#include <sycl/sycl.hpp>

#include <string>

#include "check.hpp"

using namespace sycl;

class by_name;
class other;
class never;
constexpr specialization_id<int> used(5), unused(6);

template <class F> errc error_of(F f) {
  try {
    f();
  } catch (const exception &e) {
    return errc(e.code().value());
  }
  return errc::success;
}

int main() {
  queue q;
  int *x = malloc_shared<int>(1, q);
  const context where = q.get_context();
  auto bundle = get_kernel_bundle<bundle_state::executable>(where);
  CHECK(!bundle.empty() && bundle.get_context() == where && bundle.get_devices().size() == 1);
  const kernel_id id = get_kernel_id<by_name>();
  CHECK(bundle.has_kernel(id) && (has_kernel_bundle<bundle_state::executable>(where, {q.get_device()}, {id})));
  q.submit([&](handler &h) {
     h.use_kernel_bundle(bundle);
     h.single_task<by_name>([=] { *x = 4; });
   }).wait();
  CHECK(*x == 4);
  const kernel k = bundle.get_kernel(id);
  CHECK(k.get_context() == where && k.get_info<info::kernel_device_specific::work_group_size>(q.get_device()) == 1024);
  CHECK((is_compatible<by_name>(q.get_device())) && std::string(id.get_name()).find("by_name") != std::string::npos);
  auto built = build(get_kernel_bundle<bundle_state::input>(where));
  CHECK(built.has_kernel<by_name>());
  // of some kernels, by images and by joining
  const kernel_id second = get_kernel_id<other>();
  q.submit([&](handler &h) {
     h.single_task<other>([=](kernel_handler k) { *x = k.get_specialization_constant<used>(); });
   }).wait();
  CHECK(*x == 5);
  CHECK(get_kernel_ids().size() == 3 && bundle.get_kernel_ids().size() == 3 && id != second);
  auto one = get_kernel_bundle<bundle_state::executable>(where, {id});
  CHECK(one.has_kernel(id) && !one.has_kernel(second) && !one.has_kernel<never>() && one.begin() + 1 == one.end() &&
        one.begin()->has_kernel(id));
  auto chosen = get_kernel_bundle<bundle_state::input>(
      where, [&](const device_image<bundle_state::input> &image) { return image.has_kernel(second); });
  CHECK(chosen.has_kernel(second) && !chosen.has_kernel(id));
  auto none = get_kernel_bundle<bundle_state::executable>(where, [](auto) { return false; });
  CHECK(none.empty() && !none.contains_specialization_constants());
  auto both = join(std::vector<kernel_bundle<bundle_state::executable>>{one, build(chosen)});
  CHECK(both.get_kernel_ids().size() == 2 && both != bundle && kernel_bundle(both) == both);
  CHECK(k.get_kernel_bundle().has_kernel(id) && std::hash<kernel_id>()(id) != std::hash<kernel_id>()(second));
  // values over bundles
  CHECK(chosen.has_specialization_constant<used>() && !chosen.has_specialization_constant<unused>() &&
        chosen.contains_specialization_constants());
  chosen.set_specialization_constant<used>(77);
  auto linked = link(compile(chosen));
  CHECK(linked.get_specialization_constant<used>() == 77 && bundle.get_specialization_constant<used>() == 5);
  auto run = [&](const auto &with) {
    q.submit([&](handler &h) {
       h.use_kernel_bundle(with);
       h.single_task<class third>([=](kernel_handler k) { *x = k.get_specialization_constant<used>() + 1; });
     }).wait();
  };
  CHECK(error_of([&] { run(linked); }) == errc::kernel_not_supported && *x == 5);
  auto all = get_kernel_bundle<bundle_state::input>(where);
  all.set_specialization_constant<used>(30);
  run(build(all));
  CHECK(*x == 31);
  run(bundle);
  CHECK(*x == 6);
  // what is an error
  CHECK(error_of([&] { one.get_kernel(second); }) == errc::invalid);
  CHECK(error_of([&] { has_kernel_bundle<bundle_state::input>(where, std::vector<device>()); }) == errc::invalid);
  CHECK(error_of([&] {
          q.submit([&](handler &h) { h.use_kernel_bundle(get_kernel_bundle<bundle_state::executable>(context())); });
        }) == errc::invalid);
  CHECK(error_of([&] {
          q.submit([&](handler &h) {
            h.set_specialization_constant<used>(1);
            h.use_kernel_bundle(bundle);
          });
        }) == errc::invalid);
  CHECK(error_of([&] { k.get_info<info::kernel::num_args>(); }) == errc::invalid);
  CHECK(error_of([&] { k.get_info<info::kernel_device_specific::global_work_size>(q.get_device()); }) == errc::invalid);
  CHECK(join(std::vector<kernel_bundle<bundle_state::object>>()).empty());
  free(x, q);
  return report();
}
