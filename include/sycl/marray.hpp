// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::marray (SYCL 2020, section 4.14.3): an array with arithmetic.
#ifndef UNWARP_SYCL_MARRAY_HPP
#define UNWARP_SYCL_MARRAY_HPP

#include <cstddef>

#include "vec.hpp"

namespace sycl {
inline namespace _V1 {

template <class T, std::size_t N> class marray {
  template <class A> struct count_in : std::integral_constant<std::size_t, 1> {};
  template <class A, std::size_t M> struct count_in<marray<A, M>> : std::integral_constant<std::size_t, M> {};
  template <class A> static constexpr std::size_t count = count_in<A>::value;

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;

  constexpr marray() : at_{} {}
  constexpr explicit marray(const T &value) : at_{} {
    for (std::size_t i = 0; i < N; i++)
      at_[i] = value;
  }
  // Scalars and marrays.
  template <class A, class B, class... Rest,
            class = std::enable_if_t<count<A> + count<B> + (0 + ... + count<Rest>) == N>>
  constexpr marray(const A &a, const B &b, const Rest &...rest) : at_{} {
    std::size_t i = 0;
    put(i, a), put(i, b), (put(i, rest), ...);
  }
  constexpr marray(const marray &) = default;
  constexpr marray &operator=(const marray &) = default;
  constexpr marray &operator=(const T &value) { return *this = marray(value); }
  template <std::size_t M = N, class = std::enable_if_t<M == 1>> constexpr operator T() const { return at_[0]; }

  static constexpr std::size_t size() noexcept { return N; }
  constexpr reference operator[](std::size_t i) { return at_[i]; }
  constexpr const_reference operator[](std::size_t i) const { return at_[i]; }
  constexpr iterator begin() { return at_; }
  constexpr const_iterator begin() const { return at_; }
  constexpr iterator end() { return at_ + N; }
  constexpr const_iterator end() const { return at_ + N; }

#define __UW_OPERATOR(op)                                                                                              \
  friend constexpr marray operator op(const marray &a, const marray &b) {                                              \
    marray out;                                                                                                        \
    for (std::size_t i = 0; i < N; i++)                                                                                \
      out.at_[i] = T(a.at_[i] op b.at_[i]);                                                                            \
    return out;                                                                                                        \
  }                                                                                                                    \
  friend constexpr marray operator op(const marray &a, const T &b) { return a op marray(b); }                          \
  friend constexpr marray operator op(const T &a, const marray &b) { return marray(a) op b; }                          \
  friend constexpr marray &operator op## = (marray & a, const marray &b) { return a = a op b; }                        \
  friend constexpr marray &operator op## = (marray & a, const T &b) { return a = a op marray(b); }
  __UW_OPERATOR(+)
  __UW_OPERATOR(-)
  __UW_OPERATOR(*)
  __UW_OPERATOR(/)
  __UW_OPERATOR(%)
  __UW_OPERATOR(&)
  __UW_OPERATOR(|)
  __UW_OPERATOR(^)
  __UW_OPERATOR(<<)
  __UW_OPERATOR(>>)
#undef __UW_OPERATOR
#define __UW_OPERATOR(op)                                                                                              \
  friend constexpr marray<bool, N> operator op(const marray &a, const marray &b) {                                     \
    marray<bool, N> out;                                                                                               \
    for (std::size_t i = 0; i < N; i++)                                                                                \
      out[i] = a.at_[i] op b.at_[i];                                                                                   \
    return out;                                                                                                        \
  }                                                                                                                    \
  friend constexpr marray<bool, N> operator op(const marray &a, const T &b) { return a op marray(b); }                 \
  friend constexpr marray<bool, N> operator op(const T &a, const marray &b) { return marray(a) op b; }
  __UW_OPERATOR(==)
  __UW_OPERATOR(!=)
  __UW_OPERATOR(<)
  __UW_OPERATOR(>)
  __UW_OPERATOR(<=)
  __UW_OPERATOR(>=)
  __UW_OPERATOR(&&)
  __UW_OPERATOR(||)
#undef __UW_OPERATOR
  friend constexpr marray operator+(const marray &a) { return a; }
  friend constexpr marray operator-(const marray &a) { return marray(T(0)) - a; }
  friend constexpr marray operator~(const marray &a) {
    marray out;
    for (std::size_t i = 0; i < N; i++)
      out[i] = T(~a[i]);
    return out;
  }
  friend constexpr marray<bool, N> operator!(const marray &a) { return a == marray(T(0)); }
  friend constexpr marray &operator++(marray &a) { return a += T(1); }
  friend constexpr marray &operator--(marray &a) { return a -= T(1); }
  friend constexpr marray operator++(marray &a, int) {
    marray old = a;
    ++a;
    return old;
  }
  friend constexpr marray operator--(marray &a, int) {
    marray old = a;
    --a;
    return old;
  }

private:
  template <class A> constexpr void put(std::size_t &i, const A &a) { at_[i++] = static_cast<T>(a); }
  template <class A, std::size_t M> constexpr void put(std::size_t &i, const marray<A, M> &a) {
    for (std::size_t k = 0; k < M; k++)
      at_[i++] = static_cast<T>(a[k]);
  }
  T at_[N];
};

template <class T, class... U> marray(T, U...) -> marray<T, sizeof...(U) + 1>;

#define __UW_MARRAYS(name, type)                                                                                       \
  using m##name##2 = marray<type, 2>;                                                                                  \
  using m##name##3 = marray<type, 3>;                                                                                  \
  using m##name##4 = marray<type, 4>;                                                                                  \
  using m##name##8 = marray<type, 8>;                                                                                  \
  using m##name##16 = marray<type, 16>;
__UW_MARRAYS(bool, bool)
__UW_MARRAYS(char, std::int8_t)
__UW_MARRAYS(uchar, std::uint8_t)
__UW_MARRAYS(short, std::int16_t)
__UW_MARRAYS(ushort, std::uint16_t)
__UW_MARRAYS(int, std::int32_t)
__UW_MARRAYS(uint, std::uint32_t)
__UW_MARRAYS(long, std::int64_t)
__UW_MARRAYS(ulong, std::uint64_t)
__UW_MARRAYS(float, float)
__UW_MARRAYS(double, double)
__UW_MARRAYS(half, half)
#undef __UW_MARRAYS

} // namespace _V1
} // namespace sycl
#endif
