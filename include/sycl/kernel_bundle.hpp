// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel bundles (SYCL 2020, section 4.11). All kernels of a program are compiled with it, so a bundle of any state
// holds those that it was asked for, one in each of its device images, and building one only changes its state. A
// kernel that is refused (attributes.hpp) is in none.
#ifndef UNWARP_SYCL_KERNEL_BUNDLE_HPP
#define UNWARP_SYCL_KERNEL_BUNDLE_HPP

#include <algorithm>

#include "queue.hpp"
#include "root_group.hpp"

namespace sycl {
inline namespace _V1 {

enum class bundle_state : int { input, object, executable };
template <bundle_state State> class kernel_bundle;
namespace detail {
template <auto *F, class Type = std::remove_pointer_t<decltype(F)>> struct function_kernel_of;
}

class kernel_id {
public:
  const char *get_name() const noexcept { return name; }
  explicit kernel_id(const char *name) : name(name) {}
  friend bool operator==(const kernel_id &a, const kernel_id &b) {
    return a.name == b.name || std::strcmp(a.name, b.name) == 0;
  }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) { return !(a == b); }

private:
  const char *name;
};
template <class Name> kernel_id get_kernel_id() { return kernel_id(typeid(Name *).name() + 1); }
inline std::vector<kernel_id> get_kernel_ids() {
  std::vector<kernel_id> all;
  for (const detail::known_kernel *at = detail::known_kernel::first(); at; at = at->next)
    if (const kernel_id one(at->name); std::find(all.begin(), all.end(), one) == all.end())
      all.push_back(one);
  return all;
}

namespace detail {

// A specialization constant that a bundle has a value for: what sets it for a command, and what writes it to an
// address.
struct bundle_constant {
  const void *variable;
  std::function<void(handler &)> set;
  std::function<void(void *)> store;
};
struct bundle_data {
  context where;
  std::vector<device> devices;
  std::vector<kernel_id> kernels;
  std::vector<bundle_constant> constants;
  bool has(const kernel_id &id) const { return std::find(kernels.begin(), kernels.end(), id) != kernels.end(); }
};

inline bool fits(const kernel_id &id) {
  for (const known_kernel *at = known_kernel::first(); at; at = at->next)
    if (at->refused && kernel_id(at->name) == id)
      return false;
  return true;
}
inline bool all_fit(const std::vector<kernel_id> &kernels) { return std::all_of(kernels.begin(), kernels.end(), fits); }
inline std::vector<kernel_id> get_fitting_ids() {
  std::vector<kernel_id> all = get_kernel_ids();
  all.erase(std::remove_if(all.begin(), all.end(), [](const kernel_id &id) { return !fits(id); }), all.end());
  return all;
}

inline std::shared_ptr<bundle_data> make_bundle(const context &where, const std::vector<device> &devices,
                                                std::vector<kernel_id> kernels) {
  if (devices.empty())
    fail(errc::invalid, "a kernel bundle is for one device at least");
  if (!all_fit(kernels))
    fail(errc::invalid, "a kernel of the bundle asks for what no device has");
  std::vector<kernel_id> once;
  for (const kernel_id &id : kernels)
    if (std::find(once.begin(), once.end(), id) == once.end())
      once.push_back(id);
  return std::make_shared<bundle_data>(bundle_data{where, std::vector<device>(1), std::move(once), {}});
}

} // namespace detail

template <bundle_state State> class device_image {
public:
  bool has_kernel(const kernel_id &id) const noexcept { return id == own; }
  bool has_kernel(const kernel_id &id, const device &) const noexcept { return has_kernel(id); }
  explicit device_image(const kernel_id &own) : own(own) {}
  const kernel_id &unwarp_kernel() const { return own; }
  friend bool operator==(const device_image &a, const device_image &b) { return a.own == b.own; }
  friend bool operator!=(const device_image &a, const device_image &b) { return !(a == b); }

private:
  kernel_id own;
};

class kernel {
public:
  kernel(std::shared_ptr<detail::bundle_data> bundle, kernel_id id) : bundle(std::move(bundle)), id(id) {}
  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const { return bundle->where; }
  kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::kernel::function_name>)
      return id.get_name();
    else if constexpr (std::is_same_v<Descriptor, info::kernel::num_args>)
      return std::uint32_t(unwarp_function({}).parameters);
    else
      return {};
  }
  template <class Descriptor> typename Descriptor::return_type get_info(const device &) const {
    namespace ask = info::kernel_device_specific;
    if constexpr (std::is_same_v<Descriptor, ask::work_group_size>)
      return detail::max_group_items;
    else if constexpr (std::is_same_v<Descriptor, ask::preferred_work_group_size_multiple> ||
                       std::is_same_v<Descriptor, ask::max_sub_group_size>)
      return detail::sub_group_size;
    else if constexpr (std::is_same_v<Descriptor, ask::max_num_sub_groups>)
      return detail::max_group_items / detail::sub_group_size;
    else if constexpr (std::is_same_v<Descriptor, ask::global_work_size>)
      detail::fail(errc::invalid, "a global size is one of built-in kernels and custom devices");
    else
      return {};
  }
  // How many work-groups may meet: any number, but a thread runs one after the other, so more gain nothing.
  template <class Descriptor, int D>
  std::enable_if_t<detail::asks_for_groups_that_meet<Descriptor>, std::size_t>
  ext_oneapi_get_info(const queue &, const range<D> &group, std::size_t = 0) const {
    if (group.size() == 0)
      detail::fail(errc::invalid, "a work-group has a work-item at least");
    return group.size() > detail::max_group_items ? 0 : device().get_info<info::device::max_compute_units>();
  }

  // The function that it is of.
  const detail::function_kernel &unwarp_function(detail::submit_place place) const {
    for (const detail::function_kernel *at = detail::function_kernel::first(); at; at = at->next)
      if (id == kernel_id(at->name))
        return *at;
    detail::fail(errc::invalid,
                 "this kernel is a lambda or an object of a class, which holds its values itself and has no arguments: "
                 "launch that",
                 place);
  }

  friend bool operator==(const kernel &a, const kernel &b) { return a.bundle == b.bundle && a.id == b.id; }
  friend bool operator!=(const kernel &a, const kernel &b) { return !(a == b); }

private:
  friend struct std::hash<kernel>;
  std::shared_ptr<detail::bundle_data> bundle;
  kernel_id id;
};

template <bundle_state State> class kernel_bundle {
public:
  using device_image_iterator = typename std::vector<device_image<State>>::const_iterator;

  explicit kernel_bundle(std::shared_ptr<detail::bundle_data> all) : data(std::move(all)) {
    for (const kernel_id &id : data->kernels)
      images->push_back(device_image<State>(id));
  }
  bool empty() const noexcept { return images->empty(); }
  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const noexcept { return data->where; }
  std::vector<device> get_devices() const noexcept { return data->devices; }
  bool has_kernel(const kernel_id &id) const noexcept { return data->has(id); }
  bool has_kernel(const kernel_id &id, const device &) const noexcept { return data->has(id); }
  template <class Name> bool has_kernel() const noexcept { return has_kernel(get_kernel_id<Name>()); }
  template <class Name> bool has_kernel(const device &) const noexcept { return has_kernel<Name>(); }
  std::vector<kernel_id> get_kernel_ids() const { return data->kernels; }
  kernel get_kernel(const kernel_id &id) const {
    static_assert(State == bundle_state::executable, "a kernel is had from an executable bundle");
    if (!has_kernel(id))
      detail::fail(errc::invalid, "the bundle does not have this kernel");
    return kernel(data, id);
  }
  // Of functions (function_kernels.hpp).
  template <auto *F> bool ext_oneapi_has_kernel() const { return has_kernel(function_id<F>()); }
  template <auto *F> bool ext_oneapi_has_kernel(const device &) const { return has_kernel(function_id<F>()); }
  template <auto *F> kernel ext_oneapi_get_kernel() const { return get_kernel(function_id<F>()); }
  template <class Name> kernel get_kernel() const { return get_kernel(get_kernel_id<Name>()); }
  device_image_iterator begin() const { return images->begin(); }
  device_image_iterator end() const { return images->end(); }

  bool contains_specialization_constants() const noexcept { return !empty() && detail::known_constants() != 0; }
  bool native_specialization_constant() const noexcept { return false; } // a kernel loads its value
  template <auto &Id> bool has_specialization_constant() const noexcept {
    return !empty() && detail::specialization_use<Id>::is;
  }
  // For the commands that use this bundle.
  template <auto &Id>
  void set_specialization_constant(const typename std::remove_reference_t<decltype(Id)>::value_type &value) {
    static_assert(State == bundle_state::input, "specialization constants are set before a bundle is built");
    data->constants.push_back({&detail::specialization<Id>::value,
                               [value](handler &group) { group.unwarp_set_constant<Id>(value); },
                               [value](void *to) {
                                 *static_cast<typename std::remove_reference_t<decltype(Id)>::value_type *>(to) = value;
                               }});
  }
  template <auto &Id> typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const {
    auto value = Id.unwarp_value();
    for (const detail::bundle_constant &one : data->constants)
      if (one.variable == &detail::specialization<Id>::value)
        one.store(&value);
    return value;
  }
  const std::shared_ptr<detail::bundle_data> &unwarp_data() const { return data; }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) { return a.data == b.data; }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) { return !(a == b); }

private:
  template <auto *F> static kernel_id function_id() { return kernel_id(detail::function_kernel_of<F>::entry.name); }
  std::shared_ptr<detail::bundle_data> data;
  std::shared_ptr<std::vector<device_image<State>>> images = std::make_shared<std::vector<device_image<State>>>();
};

inline kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return kernel_bundle<bundle_state::executable>(bundle);
}

template <class Bundle> void handler::use_kernel_bundle(const Bundle &bundle) {
  if (bundle.get_context() != owner->where)
    unwarp_fail(errc::invalid, "the bundle's context is not the queue's");
  if (sets_constants || used_bundle)
    unwarp_fail(errc::invalid, "a command group uses one bundle, or sets specialization constants");
  used_bundle = bundle.unwarp_data().get();
  check_bundle = [](const detail::bundle_data *used, const char *name) {
    if (!used->has(kernel_id(name)))
      detail::fail(errc::kernel_not_supported, "the bundle that the command group uses does not have its kernel");
  };
  for (const detail::bundle_constant &one : bundle.unwarp_data()->constants)
    one.set(*this);
}

// No templates in the lists, so that {device} is one.
#define __UW_BUNDLES(parameters, devices, kernels)                                                                     \
  template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where parameters) {              \
    return kernel_bundle<State>(detail::make_bundle(where, devices, kernels));                                         \
  }                                                                                                                    \
  template <bundle_state State> bool has_kernel_bundle(const context &where parameters) {                              \
    return detail::all_fit(kernels) && detail::make_bundle(where, devices, kernels);                                   \
  }
#define __UW_LIST(type, name) , const std::vector<type> &name
#define __UW_NOTHING
// clang-format off
__UW_BUNDLES(__UW_NOTHING, where.get_devices(), detail::get_fitting_ids())
__UW_BUNDLES(__UW_LIST(device, devices), devices, detail::get_fitting_ids())
__UW_BUNDLES(__UW_LIST(kernel_id, kernels), where.get_devices(), kernels)
__UW_BUNDLES(__UW_LIST(device, devices) __UW_LIST(kernel_id, kernels), devices, kernels)
// clang-format on
#undef __UW_BUNDLES
#undef __UW_LIST
#undef __UW_NOTHING
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &where) {
  return get_kernel_bundle<State>(where, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(where, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <class Name, bundle_state State> bool has_kernel_bundle(const context &where) {
  return has_kernel_bundle<State>(where, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(where, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}
// With what says which device images are wanted.
namespace detail {
template <bundle_state State, class Selector> std::vector<kernel_id> select_kernels(Selector &wants) {
  std::vector<kernel_id> chosen;
  for (const kernel_id &id : get_fitting_ids())
    if (wants(device_image<State>(id)))
      chosen.push_back(id);
  return chosen;
}
template <class Selector, bundle_state State>
using if_selects = std::enable_if_t<std::is_invocable_r_v<bool, Selector &, const device_image<State> &>>;
} // namespace detail
template <bundle_state State, class Selector, class = detail::if_selects<Selector, State>>
kernel_bundle<State> get_kernel_bundle(const context &where, const std::vector<device> &devices, Selector wants) {
  return get_kernel_bundle<State>(where, devices, detail::select_kernels<State>(wants));
}
template <bundle_state State, class Selector, class = detail::if_selects<Selector, State>>
kernel_bundle<State> get_kernel_bundle(const context &where, Selector wants) {
  return get_kernel_bundle<State>(where, detail::select_kernels<State>(wants));
}
template <bundle_state State, class Selector, class = detail::if_selects<Selector, State>>
bool has_kernel_bundle(const context &where, const std::vector<device> &devices, Selector wants) {
  return has_kernel_bundle<State>(where, devices, detail::select_kernels<State>(wants));
}
template <bundle_state State, class Selector, class = detail::if_selects<Selector, State>>
bool has_kernel_bundle(const context &where, Selector wants) {
  return has_kernel_bundle<State>(where, detail::select_kernels<State>(wants));
}

// --- from state to state, each of which may be for some of the devices
namespace detail {
template <bundle_state To, bundle_state From>
kernel_bundle<To> rebuilt(const kernel_bundle<From> &from, const std::vector<device> &devices) {
  auto data = make_bundle(from.get_context(), devices, from.get_kernel_ids());
  data->constants = from.unwarp_data()->constants;
  return kernel_bundle<To>(data);
}
} // namespace detail
template <bundle_state State> kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty())
    return kernel_bundle<State>(detail::make_bundle(context(), std::vector<device>(1), {}));
  std::vector<kernel_id> kernels;
  std::vector<detail::bundle_constant> constants;
  for (const kernel_bundle<State> &one : bundles) {
    if (one.get_context() != bundles.front().get_context())
      detail::fail(errc::invalid, "the bundles have different contexts");
    for (const kernel_id &id : one.get_kernel_ids())
      kernels.push_back(id);
    for (const detail::bundle_constant &constant : one.unwarp_data()->constants)
      constants.push_back(constant);
  }
  auto data = detail::make_bundle(bundles.front().get_context(), bundles.front().get_devices(), kernels);
  data->constants = constants;
  return kernel_bundle<State>(data);
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                                   const std::vector<device> &devices, const property_list & = {}) {
  return detail::rebuilt<bundle_state::object>(bundle, devices);
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                                   const property_list & = {}) {
  return compile(bundle, bundle.get_devices());
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return detail::rebuilt<bundle_state::executable>(join(bundles), devices);
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const property_list & = {}) {
  return link(bundles, std::vector<device>(1));
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return detail::rebuilt<bundle_state::executable>(bundle, devices);
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                                    const property_list & = {}) {
  return link(bundle, bundle.get_devices());
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                                     const std::vector<device> &devices, const property_list & = {}) {
  return detail::rebuilt<bundle_state::executable>(bundle, devices);
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                                     const property_list & = {}) {
  return build(bundle, bundle.get_devices());
}
inline bool is_compatible(const std::vector<kernel_id> &kernels, const device &) { return detail::all_fit(kernels); }
template <class Name> bool is_compatible(const device &) { return detail::fits(get_kernel_id<Name>()); }

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &id) const { return std::hash<std::string>()(id.get_name()); }
};
template <> struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &kernel) const {
    return std::hash<sycl::kernel_id>()(kernel.id) + std::hash<const void *>()(kernel.bundle.get());
  }
};
template <sycl::bundle_state State> struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State> &image) const {
    return std::hash<sycl::kernel_id>()(image.unwarp_kernel());
  }
};
template <sycl::bundle_state State> struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &bundle) const {
    return std::hash<const void *>()(bundle.unwarp_data().get());
  }
};
#endif
