// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::context (SYCL 2020, section 4.6.3). All contexts hold the one device and share its memory.
#ifndef UNWARP_SYCL_CONTEXT_HPP
#define UNWARP_SYCL_CONTEXT_HPP

#include "device.hpp"
#include "property_list.hpp"

namespace sycl {
inline namespace _V1 {

class context {
public:
  explicit context(const property_list &properties = {}) : context(async_handler(), properties) {}
  context(async_handler handler, const property_list &properties = {})
      : data(std::make_shared<contents>(contents{std::move(handler), properties})) {}
  explicit context(const device &, const property_list &properties = {}) : context(properties) {}
  context(const device &, async_handler handler, const property_list &properties = {})
      : context(std::move(handler), properties) {}
  explicit context(const platform &, const property_list &properties = {}) : context(properties) {}
  context(const platform &, async_handler handler, const property_list &properties = {})
      : context(std::move(handler), properties) {}
  explicit context(const std::vector<device> &devices, const property_list &properties = {})
      : context(devices, async_handler(), properties) {}
  context(const std::vector<device> &devices, async_handler handler, const property_list &properties = {})
      : context(std::move(handler), properties) {
    if (devices.empty())
      detail::fail(errc::invalid, "a context has at least one device");
  }

  backend get_backend() const noexcept { return backend::unwarp; }
  platform get_platform() const { return {}; }
  std::vector<device> get_devices() const { return std::vector<device>(1); }
  bool is_host() const { return false; }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::context::devices>)
      return get_devices();
    else if constexpr (std::is_same_v<Descriptor, info::context::platform>)
      return get_platform();
    else
      return device()
          .get_info<std::conditional_t<std::is_same_v<typename Descriptor::return_type, std::vector<memory_order>>,
                                       info::device::atomic_memory_order_capabilities,
                                       info::device::atomic_memory_scope_capabilities>>();
  }
  template <class Property> bool has_property() const noexcept {
    return data->properties.template has_property<Property>();
  }
  template <class Property> Property get_property() const { return data->properties.template get_property<Property>(); }
  const async_handler &unwarp_handler() const { return data->handler; }

  friend bool operator==(const context &a, const context &b) { return a.data == b.data; }
  friend bool operator!=(const context &a, const context &b) { return a.data != b.data; }

private:
  friend struct std::hash<context>;
  struct contents {
    async_handler handler;
    property_list properties;
  };
  explicit context(std::shared_ptr<contents> data, int) : data(std::move(data)) {}
  std::shared_ptr<contents> data;

public: // weak_object.hpp
  const std::shared_ptr<contents> &unwarp_data() const { return data; }
  static context unwarp_of(std::shared_ptr<contents> data) { return context(std::move(data), 0); }
};

namespace detail {
// The one of all queues that are made without one.
inline const context &default_context() {
  static const context all;
  return all;
}
} // namespace detail

inline context platform::khr_get_default_context() const { return detail::default_context(); }
inline context platform::ext_oneapi_get_default_context() const { return detail::default_context(); }

inline detail::context_of_property::context_of_property(const context &where)
    : where(std::make_shared<context>(where)) {}
inline context detail::context_of_property::get_context() const { return *where; }

inline exception::exception(const context &context, std::error_code code, const std::string &text)
    : error(code), text(text), where(std::make_shared<sycl::context>(context)) {}
inline exception::exception(const context &context, std::error_code code) : exception(context, code, code.message()) {}
inline context exception::get_context() const {
  if (!where)
    detail::fail(errc::invalid, "the exception has no context");
  return *where;
}

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &context) const { return std::hash<const void *>()(context.data.get()); }
};
#endif
