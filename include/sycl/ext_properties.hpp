// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_properties and sycl_ext_oneapi_kernel_properties: lists of properties known at compile time. Kernels'
// are hints here, but for the size of a sub-group.
#ifndef UNWARP_SYCL_EXT_PROPERTIES_HPP
#define UNWARP_SYCL_EXT_PROPERTIES_HPP

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#define SYCL_EXT_ONEAPI_PROPERTIES 1
#define SYCL_EXT_ONEAPI_KERNEL_PROPERTIES 1

namespace sycl {
inline namespace _V1 {
enum class aspect;

namespace ext::oneapi::experimental {

template <class... Values> class properties {
public:
  constexpr properties() = default;
  constexpr properties(Values... values) : values(values...) {}
  template <class Key> static constexpr bool has_property() {
    return (std::is_same_v<Key, typename Values::key_t> || ...);
  }
  template <class Key> constexpr auto get_property() const { return std::get<place<Key>()>(values); }

private:
  template <class Key> static constexpr std::size_t place() {
    std::size_t at = 0;
    const bool found[] = {std::is_same_v<Key, typename Values::key_t>...};
    while (!found[at])
      at++;
    return at;
  }
  std::tuple<Values...> values;
};
template <> class properties<> {
public:
  template <class Key> static constexpr bool has_property() { return false; }
};
template <class... Values> properties(Values...) -> properties<Values...>;
using empty_properties_t = properties<>;
struct properties_tag {};

template <class T> struct is_property_list : std::false_type {};
template <class... Values> struct is_property_list<properties<Values...>> : std::true_type {};
template <class T> inline constexpr bool is_property_list_v = is_property_list<T>::value;

struct sub_group_size_key {};
template <std::uint32_t Size> struct sub_group_size_value {
  static_assert(Size == 32,
                "sub-groups have 32 items: ask for 32, or leave the property out and ask the sub-group for its size");
  using key_t = sub_group_size_key;
  static constexpr std::uint32_t value = Size;
};
template <std::uint32_t Size> inline constexpr sub_group_size_value<Size> sub_group_size;

#define __UW_SIZES(name)                                                                                               \
  struct name##_key {};                                                                                                \
  template <std::size_t... Sizes> struct name##_value {                                                                \
    using key_t = name##_key;                                                                                          \
    constexpr std::size_t operator[](int dimension) const {                                                            \
      const std::size_t all[] = {Sizes...};                                                                            \
      return all[dimension];                                                                                           \
    }                                                                                                                  \
  };                                                                                                                   \
  template <std::size_t... Sizes> inline constexpr name##_value<Sizes...> name;
__UW_SIZES(work_group_size)
__UW_SIZES(work_group_size_hint)
__UW_SIZES(max_work_group_size)
#undef __UW_SIZES

struct use_root_sync_key {
  using value_t = use_root_sync_key;
  using key_t = use_root_sync_key;
};
inline constexpr use_root_sync_key::value_t use_root_sync;

struct device_has_key {};
template <aspect... Aspects> struct device_has_value {
  using key_t = device_has_key;
};
template <aspect... Aspects> inline constexpr device_has_value<Aspects...> device_has;

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
