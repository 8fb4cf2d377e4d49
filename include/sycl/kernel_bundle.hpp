// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel bundles (SYCL 2020, section 4.11). All kernels of a program are compiled with it, so every bundle is executable and holds each kernel that is
// asked for by its name.
#ifndef UNWARP_SYCL_KERNEL_BUNDLE_HPP
#define UNWARP_SYCL_KERNEL_BUNDLE_HPP

#include "queue.hpp"

namespace sycl {
inline namespace _V1 {

enum class bundle_state : int { input, object, executable };

class kernel_id {
public:
  const char *get_name() const noexcept { return name; }
  explicit kernel_id(const char *name) : name(name) {}
  friend bool operator==(const kernel_id &a, const kernel_id &b) { return a.name == b.name || std::strcmp(a.name, b.name) == 0; }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) { return !(a == b); }

private:
  const char *name;
};
template <class Name> kernel_id get_kernel_id() { return kernel_id(typeid(Name *).name() + 1); }

class kernel {
public:
  kernel(const context &where, kernel_id id) : where(where), id(id) {}
  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const { return where; }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::kernel::function_name>)
      return id.get_name();
    else
      return {};
  }
  template <class Descriptor> typename Descriptor::return_type get_info(const device &) const {
    namespace ask = info::kernel_device_specific;
    if constexpr (std::is_same_v<Descriptor, ask::work_group_size>)
      return detail::max_group_items;
    else if constexpr (std::is_same_v<Descriptor, ask::preferred_work_group_size_multiple> || std::is_same_v<Descriptor, ask::max_sub_group_size>)
      return detail::sub_group_size;
    else if constexpr (std::is_same_v<Descriptor, ask::max_num_sub_groups>)
      return detail::max_group_items / detail::sub_group_size;
    else
      return {};
  }
  friend bool operator==(const kernel &a, const kernel &b) { return a.id == b.id; }
  friend bool operator!=(const kernel &a, const kernel &b) { return !(a == b); }

private:
  context where;
  kernel_id id;
};

template <bundle_state State> class kernel_bundle {
public:
  explicit kernel_bundle(const context &where) : where(where) {}
  bool empty() const noexcept { return false; }
  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const { return where; }
  std::vector<device> get_devices() const { return std::vector<device>(1); }
  bool has_kernel(const kernel_id &) const { return true; }
  bool has_kernel(const kernel_id &, const device &) const { return true; }
  template <class Name> bool has_kernel() const { return true; }
  kernel get_kernel(const kernel_id &id) const { return kernel(where, id); }
  template <class Name> kernel get_kernel() const { return kernel(where, get_kernel_id<Name>()); }
  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) { return a.where == b.where; }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) { return !(a == b); }

private:
  context where;
};

template <bundle_state State, class... Rest> kernel_bundle<State> get_kernel_bundle(const context &where, const Rest &...) {
  return kernel_bundle<State>(where);
}
template <class Name, bundle_state State, class... Rest> kernel_bundle<State> get_kernel_bundle(const context &where, const Rest &...) {
  return kernel_bundle<State>(where);
}
template <bundle_state State, class... Rest> bool has_kernel_bundle(const context &, const Rest &...) { return true; }
template <class Name, bundle_state State, class... Rest> bool has_kernel_bundle(const context &, const Rest &...) { return true; }
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::object> compile(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::object>(bundle.get_context());
}
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::executable> link(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::executable>(bundle.get_context());
}
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::executable> build(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::executable>(bundle.get_context());
}
inline bool is_compatible(const std::vector<kernel_id> &, const device &) { return true; }
template <class Name> bool is_compatible(const device &) { return true; }

} // namespace _V1
} // namespace sycl
#endif
