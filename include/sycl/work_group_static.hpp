// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_work_group_static: a variable of which each work-group has its own. The compiler knows this class by
// its name (group_statics.c): what a kernel's code or a namespace declares of it lies in local memory.
#ifndef UNWARP_SYCL_WORK_GROUP_STATIC_HPP
#define UNWARP_SYCL_WORK_GROUP_STATIC_HPP

#include <memory>
#include <type_traits>

#define SYCL_EXT_ONEAPI_WORK_GROUP_STATIC 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <class T> class work_group_static {
  static_assert(std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>> &&
                    std::is_trivially_destructible_v<std::remove_all_extents_t<T>>,
                "nobody constructs or destroys what a work_group_static holds: its type's constructor and destructor "
                "must be trivial");
  static_assert(!std::is_const_v<T> && !std::is_reference_v<T>, "a work_group_static holds an object to write to");

public:
  work_group_static() = default;
  work_group_static(const work_group_static &) = delete;
  work_group_static &operator=(const work_group_static &) = delete;

  operator T &() const noexcept { return value; }
  template <class U = T, class = std::enable_if_t<!std::is_array_v<U>>>
  const work_group_static &operator=(const T &other) const noexcept {
    value = other;
    return *this;
  }
  T *operator&() const noexcept { return std::addressof(value); }

private:
  mutable T value;
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
