// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of scalars becomes one of vectors, swizzles and marrays; a scalar among the arguments is the same for all
// elements.
#ifndef UNWARP_SYCL_DETAIL_ELEMENTWISE_HPP
#define UNWARP_SYCL_DETAIL_ELEMENTWISE_HPP

#include "../marray.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <class V> struct is_marray : std::false_type {};
template <class T, std::size_t N> struct is_marray<marray<T, N>> : std::true_type {
  using element = T;
  static constexpr int count = int(N);
};
template <class V> inline constexpr bool is_sequence = is_vector<V> || is_marray<std::decay_t<V>>::value;
template <class V> constexpr auto sequence_element() {
  if constexpr (is_vector<V>)
    return typename vector_of<std::decay_t<V>>::element();
  else if constexpr (is_marray<std::decay_t<V>>::value)
    return typename is_marray<std::decay_t<V>>::element();
  else
    return std::decay_t<V>();
}
template <class V> using element_type_of = decltype(sequence_element<V>());
template <class V> constexpr int sequence_length() {
  if constexpr (is_vector<V>)
    return count_of<V>;
  else if constexpr (is_marray<std::decay_t<V>>::value)
    return is_marray<std::decay_t<V>>::count;
  else
    return 1;
}
template <int I, class V> __UW_INLINE constexpr decltype(auto) pick(const V &v) {
  if constexpr (is_vector<V>)
    return v.template at<I>();
  else if constexpr (is_marray<V>::value)
    return v[I];
  else
    return v;
}

template <class First, class F, int... I, class... V>
__UW_INLINE constexpr auto elementwise(std::integer_sequence<int, I...>, F f, const V &...v) {
  using T = decltype(f(element_type_of<V>()...));
  if constexpr (is_vector<First>) {
    vec<T, sizeof...(I)> out;
    (([&](auto index) { out[int(index)] = f(pick<int(index)>(v)...); })(std::integral_constant<int, I>()), ...);
    return out;
  } else {
    marray<T, sizeof...(I)> out;
    (([&](auto index) { out[int(index)] = f(pick<int(index)>(v)...); })(std::integral_constant<int, I>()), ...);
    return out;
  }
}
template <class F, class V, class W, class... Rest>
__UW_INLINE constexpr auto each_element_of_second(F f, const V &v, const W &w, const Rest &...rest) {
  return elementwise<W>(std::make_integer_sequence<int, sequence_length<W>()>(), f, v, w, rest...);
}
// The first argument, or the second, is the sequence that gives the result its form.
template <class F, class V, class... Rest>
__UW_INLINE constexpr auto each_element(F f, const V &v, const Rest &...rest) {
  if constexpr (is_sequence<V>)
    return elementwise<V>(std::make_integer_sequence<int, sequence_length<V>()>(), f, v, rest...);
  else
    return each_element_of_second(f, v, rest...);
}

template <class... V> inline constexpr bool any_sequence = (is_sequence<V> || ...);
template <class V> inline constexpr bool holds_float = is_sequence<V> && is_scalar_float<element_type_of<V>>;
template <class V> inline constexpr bool holds_integer = is_sequence<V> && std::is_integral_v<element_type_of<V>>;

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
