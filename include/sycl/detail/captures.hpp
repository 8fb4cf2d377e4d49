// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accessors a kernel's object holds. clang's __builtin_dump_struct names the fields of any class, also a lambda's,
// to a function of ours. After inlining nothing is left of a kernel whose accessors were made with its command group.
#ifndef UNWARP_SYCL_DETAIL_CAPTURES_HPP
#define UNWARP_SYCL_DETAIL_CAPTURES_HPP

#include "compiler.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

enum : std::uint32_t { of_no_group = 1u << 31 }; // beside the bits of an accessor's properties
struct accessor_of_any {};

// Calls `found` with the buffer's element 0 of each accessor in the object that was made without a command group.
template <class Found> struct placeholders_in {
  const Found &found;

  template <class Object> __UW_LAUNCH void look_into(const Object &object) const {
#if !defined(__SYCL_DEVICE_ONLY__) && __has_builtin(__builtin_dump_struct)
    if constexpr (std::is_base_of_v<accessor_of_any, Object>) {
      if (__builtin_expect(object.unwarp_is_of_no_group(), 0))
        found(object.unwarp_origin());
    } else if constexpr (std::is_class_v<Object> && !std::is_empty_v<Object>) {
      __builtin_dump_struct(&object, *this);
    }
#endif
  }
  // With an asterisk it gives a field's place, without one a pointer that the field is.
  template <std::size_t Length, class... Fields>
  __UW_LAUNCH int operator()(const char (&)[Length], const Fields &...fields) const {
    if constexpr (Length == sizeof "%s%s %s = *%p\n")
      (see(fields), ...);
    return 0;
  }

private:
  template <class Field> __UW_LAUNCH void see(const Field &) const {}
  template <class Class> __UW_LAUNCH void see(Class *const &place) const {
    if constexpr (std::is_class_v<Class>)
      look_into(*place);
  }
  template <class Class, std::size_t Count> __UW_LAUNCH void see(Class (*const &all)[Count]) const {
    if constexpr (std::is_base_of_v<accessor_of_any, Class>)
      for (const Class &one : *all)
        look_into(one);
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
