// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::atomic_ref (SYCL 2020, section 4.15.3), for integers, floating-point values and pointers.
#ifndef UNWARP_SYCL_ATOMIC_REF_HPP
#define UNWARP_SYCL_ATOMIC_REF_HPP

#include "multi_ptr.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// Relaxed operations are left so, for the optimiser; stronger ones are all alike on this CPU.
#define __UW_ORDERED(operation)                                                                                        \
  (order == memory_order::relaxed ? operation(__ATOMIC_RELAXED) : operation(__ATOMIC_SEQ_CST))

} // namespace detail

template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref {
  static constexpr bool is_integer = std::is_integral_v<T>, is_pointer = std::is_pointer_v<T>;
  static constexpr bool is_floating = !is_integer && !is_pointer;
  using difference = std::conditional_t<is_pointer, std::ptrdiff_t, T>;

public:
  using value_type = T;
  using difference_type = difference;
  static constexpr std::size_t required_alignment = alignof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::acquire : DefaultOrder;
  static constexpr memory_order default_write_order =
      DefaultOrder == memory_order::acq_rel ? memory_order::release : DefaultOrder;
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  explicit atomic_ref(T &object) : at(&object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;

  bool is_lock_free() const noexcept { return true; }
  void store(T value, memory_order order = default_write_order, memory_scope = default_scope) const noexcept {
    *static_cast<volatile T *>(at) = value;
    if (order != memory_order::relaxed)
      fence();
  }
  T load(memory_order order = default_read_order, memory_scope = default_scope) const noexcept {
    T value = *static_cast<volatile T *>(at);
    if (order != memory_order::relaxed)
      fence();
    return value;
  }
  T operator=(T value) const noexcept {
    store(value);
    return value;
  }
  operator T() const noexcept { return load(); }
  T exchange(T value, memory_order order = default_read_modify_write_order,
             memory_scope = default_scope) const noexcept {
    T old;
    if (order == memory_order::relaxed)
      __atomic_exchange(at, &value, &old, __ATOMIC_RELAXED);
    else
      __atomic_exchange(at, &value, &old, __ATOMIC_SEQ_CST);
    return old;
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order order, memory_order,
                               memory_scope = default_scope) const noexcept {
    return order == memory_order::relaxed
               ? __atomic_compare_exchange(at, &expected, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
               : __atomic_compare_exchange(at, &expected, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_strong(T &expected, T wanted, memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, wanted, order, order, scope);
  }
  bool compare_exchange_weak(T &expected, T wanted, memory_order order, memory_order other,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, wanted, order, other, scope);
  }
  bool compare_exchange_weak(T &expected, T wanted, memory_order order = default_read_modify_write_order,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, wanted, order, order, scope);
  }

  T fetch_add(difference value, memory_order order = default_read_modify_write_order,
              memory_scope = default_scope) const noexcept {
    if constexpr (is_pointer)
      value *= std::ptrdiff_t(sizeof(std::remove_pointer_t<T>));
#define __UW_OPERATION(order) __atomic_fetch_add(at, value, order)
    return __UW_ORDERED(__UW_OPERATION);
#undef __UW_OPERATION
  }
  T fetch_sub(difference value, memory_order order = default_read_modify_write_order,
              memory_scope = default_scope) const noexcept {
    if constexpr (is_pointer)
      value *= std::ptrdiff_t(sizeof(std::remove_pointer_t<T>));
#define __UW_OPERATION(order) __atomic_fetch_sub(at, value, order)
    return __UW_ORDERED(__UW_OPERATION);
#undef __UW_OPERATION
  }
#define __UW_FETCH(name, condition)                                                                                    \
  template <class U = T, class = std::enable_if_t<(condition) && std::is_same_v<U, T>>>                                \
  T fetch_##name(T value, memory_order order = default_read_modify_write_order, memory_scope = default_scope)          \
      const noexcept {                                                                                                 \
    return order == memory_order::relaxed ? __atomic_fetch_##name(at, value, __ATOMIC_RELAXED)                         \
                                          : __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                        \
  }
  __UW_FETCH(min, !is_pointer)
  __UW_FETCH(max, !is_pointer)
  __UW_FETCH(and, is_integer)
  __UW_FETCH(or, is_integer)
  __UW_FETCH(xor, is_integer)
#undef __UW_FETCH
  T operator++(int) const noexcept { return fetch_add(1); }
  T operator--(int) const noexcept { return fetch_sub(1); }
  T operator++() const noexcept { return fetch_add(1) + 1; }
  T operator--() const noexcept { return fetch_sub(1) - 1; }
  T operator+=(difference value) const noexcept { return fetch_add(value) + value; }
  T operator-=(difference value) const noexcept { return fetch_sub(value) - value; }
  T operator&=(T value) const noexcept { return fetch_and(value) & value; }
  T operator|=(T value) const noexcept { return fetch_or(value) | value; }
  T operator^=(T value) const noexcept { return fetch_xor(value) ^ value; }

private:
  static void fence() {
#ifdef __SYCL_DEVICE_ONLY__
    detail::__unwarp_fence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  }
  T *at;
};
#undef __UW_ORDERED

} // namespace _V1
} // namespace sycl
#endif
