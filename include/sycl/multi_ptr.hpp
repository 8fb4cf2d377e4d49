// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::multi_ptr (SYCL 2020, section 4.7.7): a pointer that knows its address space. On a CPU all spaces are one, so
// it is a pointer.
#ifndef UNWARP_SYCL_MULTI_PTR_HPP
#define UNWARP_SYCL_MULTI_PTR_HPP

#include <iterator>

#include "access.hpp"
#include "detail/compiler.hpp"

namespace sycl {
inline namespace _V1 {

namespace detail {
// Whether a space is a part of global memory (sycl_ext_intel_usm_address_spaces).
constexpr bool part_of_global(access::address_space space) {
  return space == access::address_space::ext_intel_global_device_space ||
         space == access::address_space::ext_intel_global_host_space;
}
// Whether a pointer into one space is one into the other: into itself, the generic space, from a part of global memory
// into all of it, and between global and (old) constant memory.
constexpr bool leads_to(access::address_space from, access::address_space to) {
  using space = access::address_space;
  return from == to || to == space::generic_space || (part_of_global(from) && to == space::global_space) ||
         (from == space::global_space && to == space::constant_space) ||
         (from == space::constant_space && to == space::global_space);
}
// Whether it is if the program says so: out of the generic space, and into a part of global memory.
constexpr bool may_lie_in(access::address_space from, access::address_space to) {
  using space = access::address_space;
  return !leads_to(from, to) && (from == space::generic_space || (from == space::global_space && part_of_global(to)));
}
} // namespace detail

template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
  template <class U> using same_space = multi_ptr<U, Space, Decorated>;
  using plain = std::remove_const_t<T>;
  template <class P> using if_plain = std::enable_if_t<std::is_convertible_v<P *, const volatile T *>, bool>;

public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  static constexpr access::address_space address_space = Space;
  using value_type = T;
  using element_type = T;
  using pointer = T *;
  using reference = std::add_lvalue_reference_t<T>;
  using pointer_t = T *;
  using const_pointer_t = const T *;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<const T>;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(std::nullptr_t) {}
  // By itself only for the older interface.
  template <access::decorated D = Decorated, std::enable_if_t<D != access::decorated::legacy, int> = 0>
  constexpr explicit multi_ptr(T *pointer) : at(pointer) {}
  template <access::decorated D = Decorated, std::enable_if_t<D == access::decorated::legacy, int> = 0>
  constexpr multi_ptr(T *pointer) : at(pointer) {}
  // Of accessors: their memory.
  template <class Accessor, class = decltype(std::declval<const Accessor &>().get_pointer()),
            class = std::enable_if_t<!std::is_pointer_v<Accessor>>>
  constexpr multi_ptr(const Accessor &accessor) : at(&*accessor.get_pointer()) {}
  // To const, to void, among decorations and to and from the generic space.
  template <class U, access::address_space S, access::decorated D,
            class = std::enable_if_t<std::is_convertible_v<U *, T *> && detail::leads_to(S, Space)>>
  constexpr multi_ptr(const multi_ptr<U, S, D> &other) : at(other.get_raw()) {}
  template <class U, access::address_space S, access::decorated D,
            class = std::enable_if_t<std::is_void_v<U> && !std::is_void_v<T> && S == Space>, class = void>
  constexpr explicit multi_ptr(const multi_ptr<U, S, D> &other)
      : at(static_cast<T *>(const_cast<void *>(other.get_raw()))) {}
  template <class U, access::address_space S, access::decorated D,
            class = std::enable_if_t<std::is_same_v<U, T> && detail::may_lie_in(S, Space)>, class = void, class = void>
  constexpr explicit multi_ptr(const multi_ptr<U, S, D> &other) : at(other.get_raw()) {}

  constexpr multi_ptr &operator=(std::nullptr_t) {
    at = nullptr;
    return *this;
  }

  template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>> constexpr U &operator*() const { return *at; }
  constexpr T *operator->() const { return at; }
  template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>>
  constexpr U &operator[](difference_type i) const {
    return at[i];
  }
  constexpr T *get() const { return at; }
  constexpr T *get_raw() const { return at; }
  constexpr T *get_decorated() const { return at; }
  // Implicit: for one space, a pointer is what it is.
  constexpr operator T *() const { return at; }

  void prefetch(std::size_t) const {}

  constexpr multi_ptr &operator++() {
    ++at;
    return *this;
  }
  constexpr multi_ptr operator++(int) { return multi_ptr(at++); }
  constexpr multi_ptr &operator--() {
    --at;
    return *this;
  }
  constexpr multi_ptr operator--(int) { return multi_ptr(at--); }
  constexpr multi_ptr &operator+=(difference_type steps) {
    at += steps;
    return *this;
  }
  constexpr multi_ptr &operator-=(difference_type steps) {
    at -= steps;
    return *this;
  }
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  friend constexpr multi_ptr operator+(const multi_ptr &a, I steps) {
    return multi_ptr(a.at + steps);
  }
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  friend constexpr multi_ptr operator-(const multi_ptr &a, I steps) {
    return multi_ptr(a.at - steps);
  }
  friend constexpr bool operator==(const multi_ptr &a, const multi_ptr &b) { return a.at == b.at; }
  friend constexpr bool operator!=(const multi_ptr &a, const multi_ptr &b) { return a.at != b.at; }
  friend constexpr bool operator<(const multi_ptr &a, const multi_ptr &b) { return a.at < b.at; }
  friend constexpr bool operator>(const multi_ptr &a, const multi_ptr &b) { return a.at > b.at; }
  friend constexpr bool operator<=(const multi_ptr &a, const multi_ptr &b) { return a.at <= b.at; }
  friend constexpr bool operator>=(const multi_ptr &a, const multi_ptr &b) { return a.at >= b.at; }
  // With plain pointers, to which and from which the older interface converts.
#define __UW_WITH_PLAIN(op)                                                                                            \
  template <class P> friend constexpr if_plain<P> operator op(const multi_ptr &a, P *b) { return a.at op b; }          \
  template <class P> friend constexpr if_plain<P> operator op(P *a, const multi_ptr &b) { return a op b.at; }
  __UW_WITH_PLAIN(==)
  __UW_WITH_PLAIN(!=)
  __UW_WITH_PLAIN(<)
  __UW_WITH_PLAIN(>)
  __UW_WITH_PLAIN(<=)
  __UW_WITH_PLAIN(>=)
#undef __UW_WITH_PLAIN
  // The null pointer is before all others.
#define __UW_WITH_NULL(op)                                                                                             \
  friend constexpr bool operator op(const multi_ptr &a, std::nullptr_t) { return a.number() op 0; }                    \
  friend constexpr bool operator op(std::nullptr_t, const multi_ptr &a) { return 0 op a.number(); }
  __UW_WITH_NULL(==)
  __UW_WITH_NULL(!=)
  __UW_WITH_NULL(<)
  __UW_WITH_NULL(>)
  __UW_WITH_NULL(<=)
  __UW_WITH_NULL(>=)
#undef __UW_WITH_NULL

private:
  constexpr int number() const { return at != nullptr; }
  T *at = nullptr;
};

#define __UW_POINTER(name, space)                                                                                      \
  template <class T, access::decorated Decorated = access::decorated::legacy>                                          \
  using name##_ptr = multi_ptr<T, access::address_space::space, Decorated>;                                            \
  template <class T> using raw_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::no>;       \
  template <class T> using decorated_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::yes>;
__UW_POINTER(global, global_space)
__UW_POINTER(local, local_space)
__UW_POINTER(private, private_space)
__UW_POINTER(generic, generic_space)
// sycl_ext_intel_usm_address_spaces: what malloc_device and malloc_host give.
#define SYCL_EXT_INTEL_USM_ADDRESS_SPACES 2
namespace ext::intel {
__UW_POINTER(device, ext_intel_global_device_space)
__UW_POINTER(host, ext_intel_global_host_space)
} // namespace ext::intel
#undef __UW_POINTER
template <class T, access::decorated Decorated = access::decorated::legacy>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, Decorated>;

template <access::address_space Space, access::decorated Decorated, class T>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}
template <access::address_space Space, access::decorated Decorated = access::decorated::legacy, class T>
constexpr multi_ptr<T, Space, Decorated> make_ptr(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}

// The older interface's, which says the type of the elements.
template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
constexpr multi_ptr<T, Space, Decorated> make_ptr(typename multi_ptr<T, Space, Decorated>::pointer_t pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}

} // namespace _V1
} // namespace sycl
#endif
