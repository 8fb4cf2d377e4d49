// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::atomic of SYCL 1.2.1, which SYCL 2020 keeps as deprecated, on atomic_ref; and the accessors whose subscripts
// give one.
#ifndef UNWARP_SYCL_ATOMIC_HPP
#define UNWARP_SYCL_ATOMIC_HPP

#include "accessor.hpp"
#include "atomic_ref.hpp"

#define __UW_EACH_FETCH                                                                                                \
  __UW_FETCH(add) __UW_FETCH(sub) __UW_FETCH(and) __UW_FETCH(or) __UW_FETCH(xor) __UW_FETCH(min) __UW_FETCH(max)

namespace sycl {
inline namespace _V1 {

template <class T, access::address_space Space = access::address_space::global_space> class atomic {
  using reference = atomic_ref<T, memory_order::relaxed, memory_scope::device, Space>;

public:
  using value_type = T;
  atomic(T *pointer) : at(pointer) {}
  template <class U, access::decorated D> atomic(multi_ptr<U, Space, D> pointer) : at(pointer.get_raw()) {
    static_assert(sizeof(T) == sizeof(U), "an atomic is of its memory's size");
  }

  void store(T value, memory_order order = memory_order::relaxed) { of().store(value, order); }
  T load(memory_order order = memory_order::relaxed) const { return of().load(order); }
  T exchange(T value, memory_order order = memory_order::relaxed) { return of().exchange(value, order); }
  bool compare_exchange_strong(T &expected, T value, memory_order success = memory_order::relaxed,
                               memory_order = memory_order::relaxed) {
    return of().compare_exchange_strong(expected, value, success);
  }
#define __UW_FETCH(name)                                                                                               \
  T fetch_##name(T value, memory_order order = memory_order::relaxed) { return of().fetch_##name(value, order); }
  __UW_EACH_FETCH
#undef __UW_FETCH

private:
  reference of() const { return reference(*at); }
  T *at;
};

template <class T, access::address_space S>
void atomic_store(atomic<T, S> object, T value, memory_order order = memory_order::relaxed) {
  object.store(value, order);
}
template <class T, access::address_space S>
T atomic_load(atomic<T, S> object, memory_order order = memory_order::relaxed) {
  return object.load(order);
}
template <class T, access::address_space S>
T atomic_exchange(atomic<T, S> object, T value, memory_order order = memory_order::relaxed) {
  return object.exchange(value, order);
}
template <class T, access::address_space S>
bool atomic_compare_exchange_strong(atomic<T, S> object, T &expected, T value,
                                    memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) {
  return object.compare_exchange_strong(expected, value, success, failure);
}
#define __UW_FETCH(name)                                                                                               \
  template <class T, access::address_space S>                                                                          \
  T atomic_fetch_##name(atomic<T, S> object, T value, memory_order order = memory_order::relaxed) {                    \
    return object.fetch_##name(value, order);                                                                          \
  }
__UW_EACH_FETCH
#undef __UW_FETCH

namespace detail {

// a[i] on the way to a[i][j] and a[i][j][k]. Inner: what it is for an accessor that reads and writes.
template <class Atomic, class Inner> class atomic_subscript {
public:
  explicit atomic_subscript(const Inner &inner) : inner(inner) {}
  auto operator[](std::size_t index) const {
    using next = decltype(inner[index]);
    if constexpr (std::is_reference_v<next>)
      return Atomic(&inner[index]);
    else
      return atomic_subscript<Atomic, next>(inner[index]);
  }

private:
  Inner inner;
};

// All but the subscripts is as with an accessor that reads and writes.
template <class T, int D, target Target, access::placeholder P>
class atomic_accessor : public accessor<T, D, access_mode::read_write, Target, P> {
  using base = accessor<T, D, access_mode::read_write, Target, P>;
  static constexpr access::address_space space =
      Target == target::local ? access::address_space::local_space : access::address_space::global_space;
  static atomic<T, space> at(T &element) { return multi_ptr<T, space>(&element); }

public:
  using base::base;
  template <int E = D, class = std::enable_if_t<(E > 0)>> atomic<T, space> operator[](id<(E > 0 ? E : 1)> index) const {
    return at(static_cast<const base &>(*this)[index]);
  }
  template <int E = D, class = std::enable_if_t<E == 1>> atomic<T, space> operator[](std::size_t index) const {
    return at(static_cast<const base &>(*this)[index]);
  }
  template <int E = D, class = std::enable_if_t<(E > 1)>>
  atomic_subscript<atomic<T, space>, subscript<T, (E > 1 ? E - 1 : 1)>> operator[](std::size_t index) const {
    return atomic_subscript<atomic<T, space>, subscript<T, (E > 1 ? E - 1 : 1)>>(
        static_cast<const base &>(*this)[index]);
  }
  template <int E = D, class = std::enable_if_t<E == 0>> operator atomic<T, space>() const {
    return at(static_cast<T &>(static_cast<const base &>(*this)));
  }
};

} // namespace detail

template <class T, int D, access::placeholder P>
class accessor<T, D, access_mode::atomic, target::device, P> : public detail::atomic_accessor<T, D, target::device, P> {
public:
  using detail::atomic_accessor<T, D, target::device, P>::atomic_accessor;
};
template <class T, int D, access::placeholder P>
class accessor<T, D, access_mode::atomic, target::local, P> : public detail::atomic_accessor<T, D, target::local, P> {
public:
  using detail::atomic_accessor<T, D, target::local, P>::atomic_accessor;
};

} // namespace _V1
} // namespace sycl
#endif
