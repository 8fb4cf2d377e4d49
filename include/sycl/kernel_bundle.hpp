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

namespace detail {
// A specialization constant that a bundle has a value for: what sets it for a command, and what writes it to a place.
struct bundle_constant {
  const void *variable;
  std::function<void(handler &)> set;
  std::function<void(void *)> store;
};
} // namespace detail

template <bundle_state State> class kernel_bundle {
public:
  explicit kernel_bundle(const context &where) : where(where) {}
  // Of another state.
  template <bundle_state Other> explicit kernel_bundle(const kernel_bundle<Other> &other) : where(other.where), constants(other.constants) {}
  bool empty() const noexcept { return false; }
  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const { return where; }
  std::vector<device> get_devices() const { return std::vector<device>(1); }
  bool has_kernel(const kernel_id &) const { return true; }
  bool has_kernel(const kernel_id &, const device &) const { return true; }
  template <class Name> bool has_kernel() const { return true; }
  kernel get_kernel(const kernel_id &id) const { return kernel(where, id); }
  template <class Name> kernel get_kernel() const { return kernel(where, get_kernel_id<Name>()); }
  static constexpr bool contains_specialization_constants() noexcept { return true; }
  bool native_specialization_constant() const noexcept { return false; }
  template <auto &Id> bool has_specialization_constant() const noexcept { return true; }
  // For the commands that use this bundle.
  template <auto &Id>
  void set_specialization_constant(const typename std::remove_reference_t<decltype(Id)>::value_type &value) {
    static_assert(State == bundle_state::input, "specialization constants are set before a bundle is built");
    constants.push_back({&detail::specialization<Id>::value, [value](handler &group) { group.set_specialization_constant<Id>(value); },
                         [value](void *to) { *static_cast<typename std::remove_reference_t<decltype(Id)>::value_type *>(to) = value; }});
  }
  template <auto &Id> typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const {
    auto value = Id.unwarp_value();
    for (const detail::bundle_constant &one : constants)
      if (one.variable == &detail::specialization<Id>::value)
        one.store(&value);
    return value;
  }
  void unwarp_set_constants(handler &group) const {
    for (const detail::bundle_constant &one : constants)
      one.set(group);
  }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) { return a.where == b.where; }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) { return !(a == b); }

private:
  template <bundle_state> friend class kernel_bundle;
  context where;
  std::vector<detail::bundle_constant> constants;
};

template <class Bundle> void handler::use_kernel_bundle(const Bundle &bundle) { bundle.unwarp_set_constants(*this); }

// No templates in the lists, so that {device} is one.
#define __UW_BUNDLES(...)                                                                                              \
  template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where __VA_ARGS__) {             \
    return kernel_bundle<State>(where);                                                                                \
  }                                                                                                                    \
  template <bundle_state State> bool has_kernel_bundle(const context & __VA_ARGS__) { return true; }
#define __UW_COMMA ,
__UW_BUNDLES()
__UW_BUNDLES(__UW_COMMA const std::vector<device> &)
__UW_BUNDLES(__UW_COMMA const std::vector<kernel_id> &)
__UW_BUNDLES(__UW_COMMA const std::vector<device> & __UW_COMMA const std::vector<kernel_id> &)
#undef __UW_BUNDLES
#undef __UW_COMMA
// With what says which device images are wanted.
template <bundle_state State, class Selector> kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &, Selector) {
  return kernel_bundle<State>(where);
}
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where) { return kernel_bundle<State>(where); }
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &) {
  return kernel_bundle<State>(where);
}
template <class Name, bundle_state State> bool has_kernel_bundle(const context &) { return true; }
template <class Name, bundle_state State> bool has_kernel_bundle(const context &, const std::vector<device> &) { return true; }
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::object> compile(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::object>(bundle);
}
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::executable> link(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::executable>(bundle);
}
template <bundle_state State> kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty())
    detail::fail(errc::invalid, "there is no bundle to link");
  return kernel_bundle<bundle_state::executable>(bundles.front());
}
template <bundle_state State, class... Rest>
kernel_bundle<bundle_state::executable> build(const kernel_bundle<State> &bundle, const Rest &...) {
  return kernel_bundle<bundle_state::executable>(bundle);
}
inline bool is_compatible(const std::vector<kernel_id> &, const device &) { return true; }
template <class Name> bool is_compatible(const device &) { return true; }

} // namespace _V1
} // namespace sycl
#endif
