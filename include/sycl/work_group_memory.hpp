// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_work_group_memory: local memory as an object of its type. What a kernel holds is where it lies.
#ifndef UNWARP_SYCL_WORK_GROUP_MEMORY_HPP
#define UNWARP_SYCL_WORK_GROUP_MEMORY_HPP

#include "ext_properties.hpp"
#include "local_accessor.hpp"

#define SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

struct indeterminate_t {};
inline constexpr indeterminate_t indeterminate;

template <class DataT, class Properties = empty_properties_t> class work_group_memory {
  static constexpr bool of_unknown_length = std::is_array_v<DataT> && std::extent_v<DataT> == 0;
  static constexpr std::size_t alignment = alignof(std::remove_all_extents_t<DataT>) < 64 ? 64 : alignof(DataT);

public:
  using value_type = std::remove_all_extents_t<DataT>;
  work_group_memory(const indeterminate_t &) {}
  template <class T = DataT, class = std::enable_if_t<!(std::is_array_v<T> && std::extent_v<T> == 0)>>
  __UW_LAUNCH work_group_memory(handler &group, const Properties & = {})
      : place(group.unwarp_local(sizeof(T), alignment)) {}
  template <class T = DataT, class = std::enable_if_t<std::is_array_v<T> && std::extent_v<T> == 0>>
  __UW_LAUNCH work_group_memory(std::size_t count, handler &group, const Properties & = {})
      : place(group.unwarp_local(count * sizeof(std::remove_extent_t<T>), alignment)) {}

  operator DataT &() const { return *(&*this); }
  template <class T = DataT, class = std::enable_if_t<!std::is_array_v<T>>>
  const work_group_memory &operator=(const T &value) const {
    *(&*this) = value;
    return *this;
  }
  DataT *operator&() const {
    return reinterpret_cast<DataT *>(static_cast<char *>(detail::__unwarp_sycl_local_memory()) + place);
  }
  template <access::decorated Decorated = access::decorated::no>
  multi_ptr<value_type, access::address_space::local_space, Decorated> get_multi_ptr() const {
    return multi_ptr<value_type, access::address_space::local_space, Decorated>(
        reinterpret_cast<value_type *>(this->operator&()));
  }

private:
  std::size_t place = 0; // bytes
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
