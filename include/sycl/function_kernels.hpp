// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free function kernels as kernel objects (sycl_ext_oneapi_free_function_kernels): their identifiers, bundles, and launches with arguments that a
// command group sets one by one. A function has one kernel for all shapes, whose object is the list of its parameters.
// What the macro before the function says is not kept, so the traits that ask for it are not here.
#ifndef UNWARP_SYCL_FUNCTION_KERNELS_HPP
#define UNWARP_SYCL_FUNCTION_KERNELS_HPP

#include <tuple>

#include "enqueue_functions.hpp"
#include "kernel_bundle.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <auto *F, class... Parameters> struct function_body {
  static constexpr bool refused = false;
  std::tuple<Parameters...> arguments;
  void operator()() const {
    std::apply([](const Parameters &...values) { F(values...); }, arguments);
  }
};

// What the registered functions of one type do.
template <auto *F, class... Parameters> struct function_kernel_of<F, void(Parameters...)> {
  using name = ext::oneapi::experimental::kernel_function_s<F>;
  using body = function_body<F, std::decay_t<Parameters>...>;
  static_assert((std::is_trivially_destructible_v<std::decay_t<Parameters>> && ...),
                "a kernel's parameters are copied as bytes (is_device_copyable)");

  template <std::size_t... I> static body made_of(const given_arguments &given, std::index_sequence<I...>) {
    return body{std::tuple<std::decay_t<Parameters>...>(given.get<std::decay_t<Parameters>>(I)...)};
  }
  template <int D> static void run(handler &group, const nd_range<D> &shape, const given_arguments &given) {
    if (given.count() > sizeof...(Parameters))
      group.unwarp_fail(errc::invalid, "more arguments are set than the kernel's function has parameters");
    group.unwarp_launch_function<name>(shape, made_of(given, std::index_sequence_for<Parameters...>()));
  }
  static inline const function_kernel entry{typeid(name *).name() + 1, sizeof...(Parameters), run<1>, run<2>, run<3>};
};
template <auto *F, class... Parameters>
struct function_kernel_of<F, void(Parameters...) noexcept> : function_kernel_of<F, void(Parameters...)> {};

} // namespace detail

inline void handler::unwarp_run(const kernel &what, const nd_range<1> &shape) {
  what.unwarp_function(needs.place).one(*this, shape, arguments_given());
}
inline void handler::unwarp_run(const kernel &what, const nd_range<2> &shape) {
  what.unwarp_function(needs.place).two(*this, shape, arguments_given());
}
inline void handler::unwarp_run(const kernel &what, const nd_range<3> &shape) {
  what.unwarp_function(needs.place).three(*this, shape, arguments_given());
}

namespace ext::oneapi::experimental {

template <auto *F> kernel_id get_kernel_id() { return kernel_id(sycl::detail::function_kernel_of<F>::entry.name); }
template <auto *F, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where) {
  return sycl::get_kernel_bundle<State>(where, std::vector<kernel_id>{get_kernel_id<F>()});
}
template <auto *F, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return sycl::get_kernel_bundle<State>(where, devices, std::vector<kernel_id>{get_kernel_id<F>()});
}
template <auto *F, bundle_state State> bool has_kernel_bundle(const context &where) {
  return sycl::has_kernel_bundle<State>(where, std::vector<kernel_id>{get_kernel_id<F>()});
}
template <auto *F, bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return sycl::has_kernel_bundle<State>(where, devices, std::vector<kernel_id>{get_kernel_id<F>()});
}
template <auto *F> bool is_compatible(const device &on) {
  return sycl::is_compatible(std::vector<kernel_id>{get_kernel_id<F>()}, on);
}
template <auto *F, class Descriptor> typename Descriptor::return_type get_kernel_info(const context &where) {
  return get_kernel_bundle<F, bundle_state::executable>(where)
      .get_kernel(get_kernel_id<F>())
      .template get_info<Descriptor>();
}
template <auto *F, class Descriptor>
typename Descriptor::return_type get_kernel_info(const context &where, const device &on) {
  return get_kernel_bundle<F, bundle_state::executable>(where)
      .get_kernel(get_kernel_id<F>())
      .template get_info<Descriptor>(on);
}
template <auto *F, class Descriptor> typename Descriptor::return_type get_kernel_info(const queue &of) {
  return get_kernel_info<F, Descriptor>(of.get_context(), of.get_device());
}

// sycl_ext_oneapi_enqueue_functions: a kernel object with its arguments.
template <class... Arguments> void single_task(handler &group, const kernel &what, Arguments &&...arguments) {
  group.set_args(arguments...);
  group.single_task(what);
}
template <int D, class... Arguments>
void nd_launch(handler &group, nd_range<D> shape, const kernel &what, Arguments &&...arguments) {
  group.set_args(arguments...);
  group.parallel_for(shape, what);
}
template <int D, class P, class... Arguments>
void nd_launch(handler &group, launch_config<nd_range<D>, P> config, const kernel &what, Arguments &&...arguments) {
  group.unwarp_properties(config.get_properties());
  nd_launch(group, config.get_range(), what, arguments...);
}
template <class... Arguments> void single_task(queue to, const kernel &what, Arguments &&...arguments) {
  to.submit([&](handler &group) { single_task(group, what, arguments...); });
}
template <int D, class... Arguments>
void nd_launch(queue to, nd_range<D> shape, const kernel &what, Arguments &&...arguments) {
  to.submit([&](handler &group) { nd_launch(group, shape, what, arguments...); });
}
template <int D, class P, class... Arguments>
void nd_launch(queue to, launch_config<nd_range<D>, P> config, const kernel &what, Arguments &&...arguments) {
  to.submit([&](handler &group) { nd_launch(group, config, what, arguments...); });
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
