// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What id and range have in common: one integer for each of one to three dimensions, and arithmetic for each of them by
// itself, unrolled so that no loop over dimensions stands in a kernel (SYCL 2020, section 4.9.1).
#ifndef UNWARP_SYCL_DETAIL_COORDINATES_HPP
#define UNWARP_SYCL_DETAIL_COORDINATES_HPP

#include "compiler.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// Spelled out, since clang fills an array by a loop.
template <int D> struct numbers;
template <> struct numbers<1> {
  std::size_t at[1] = {0};
};
template <> struct numbers<2> {
  std::size_t at[2] = {0, 0};
};
template <> struct numbers<3> {
  std::size_t at[3] = {0, 0, 0};
};

template <int D> struct coordinates : numbers<D> {
  using numbers<D>::at;

  constexpr coordinates() = default;
  constexpr std::size_t get(int dimension) const { return at[dimension]; }
  constexpr std::size_t &operator[](int dimension) { return at[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return at[dimension]; }
};

// f(a, b) for each dimension.
template <class T, int D, class F> __UW_INLINE constexpr T each(const coordinates<D> &a, const coordinates<D> &b, F f) {
  T out = T::filled(0);
  out.at[0] = f(a.at[0], b.at[0]);
  if constexpr (D > 1)
    out.at[1] = f(a.at[1], b.at[1]);
  if constexpr (D > 2)
    out.at[2] = f(a.at[2], b.at[2]);
  return out;
}
template <int D> __UW_INLINE constexpr bool same(const coordinates<D> &a, const coordinates<D> &b) {
  bool equal = a.at[0] == b.at[0];
  if constexpr (D > 1)
    equal = equal && a.at[1] == b.at[1];
  if constexpr (D > 2)
    equal = equal && a.at[2] == b.at[2];
  return equal;
}
// The position of an index in row-major order.
template <int D> __UW_INLINE constexpr std::size_t linear(const coordinates<D> &index, const coordinates<D> &extent) {
  std::size_t place = index.at[0];
  if constexpr (D > 1)
    place = place * extent.at[1] + index.at[1];
  if constexpr (D > 2)
    place = place * extent.at[2] + index.at[2];
  return place;
}
template <int D> __UW_INLINE constexpr std::size_t product(const coordinates<D> &extent) {
  std::size_t count = extent.at[0];
  if constexpr (D > 1)
    count *= extent.at[1];
  if constexpr (D > 2)
    count *= extent.at[2];
  return count;
}

// The values are arguments of any integral type: id<1> converts to one itself, and a function for size_t alone would
// be no better.
#define __UW_COORDINATE_OPERATOR(type, op)                                                                             \
  friend constexpr type operator op(const type &a, const type &b) {                                                    \
    return detail::each<type>(a, b, [](std::size_t x, std::size_t y) { return std::size_t(x op y); });                 \
  }                                                                                                                    \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                  \
  friend constexpr type operator op(const type &a, const T &b) {                                                       \
    return a op type::filled(std::size_t(b));                                                                          \
  }                                                                                                                    \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                  \
  friend constexpr type operator op(const T &a, const type &b) {                                                       \
    return type::filled(std::size_t(a)) op b;                                                                          \
  }
#define __UW_COORDINATE_ASSIGNMENT(type, op)                                                                           \
  friend constexpr type &operator op## = (type & a, const type &b) { return a = a op b; }                              \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                  \
  friend constexpr type &operator op## = (type & a, const T &b) {                                                      \
    return a = a op type::filled(std::size_t(b));                                                                      \
  }
#define __UW_COORDINATE_BOTH(type, op) __UW_COORDINATE_OPERATOR(type, op) __UW_COORDINATE_ASSIGNMENT(type, op)
#define __UW_COORDINATE_OPERATORS(type)                                                                                \
  __UW_COORDINATE_BOTH(type, +)                                                                                        \
  __UW_COORDINATE_BOTH(type, -)                                                                                        \
  __UW_COORDINATE_BOTH(type, *)                                                                                        \
  __UW_COORDINATE_BOTH(type, /)                                                                                        \
  __UW_COORDINATE_BOTH(type, %)                                                                                        \
  __UW_COORDINATE_BOTH(type, <<)                                                                                       \
  __UW_COORDINATE_BOTH(type, >>)                                                                                       \
  __UW_COORDINATE_BOTH(type, &)                                                                                        \
  __UW_COORDINATE_BOTH(type, |)                                                                                        \
  __UW_COORDINATE_BOTH(type, ^)                                                                                        \
  __UW_COORDINATE_OPERATOR(type, &&)                                                                                   \
  __UW_COORDINATE_OPERATOR(type, ||)                                                                                   \
  __UW_COORDINATE_OPERATOR(type, <)                                                                                    \
  __UW_COORDINATE_OPERATOR(type, >)                                                                                    \
  __UW_COORDINATE_OPERATOR(type, <=)                                                                                   \
  __UW_COORDINATE_OPERATOR(type, >=)                                                                                   \
  friend constexpr bool operator==(const type &a, const type &b) { return detail::same(a, b); }                        \
  friend constexpr bool operator!=(const type &a, const type &b) { return !detail::same(a, b); }                       \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                  \
  friend constexpr bool operator==(const type &a, const T &b) {                                                        \
    return detail::same(a, type::filled(std::size_t(b)));                                                              \
  }                                                                                                                    \
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                                                  \
  friend constexpr bool operator!=(const type &a, const T &b) {                                                        \
    return !(a == b);                                                                                                  \
  }                                                                                                                    \
  friend constexpr type operator+(const type &a) { return a; }                                                         \
  friend constexpr type operator-(const type &a) { return type::filled(0) - a; }                                       \
  friend constexpr type &operator++(type &a) { return a = a + type::filled(1); }                                       \
  friend constexpr type &operator--(type &a) { return a = a - type::filled(1); }                                       \
  friend constexpr type operator++(type &a, int) {                                                                     \
    type old = a;                                                                                                      \
    ++a;                                                                                                               \
    return old;                                                                                                        \
  }                                                                                                                    \
  friend constexpr type operator--(type &a, int) {                                                                     \
    type old = a;                                                                                                      \
    --a;                                                                                                               \
    return old;                                                                                                        \
  }

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
