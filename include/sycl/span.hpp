// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::span: C++20's, in C++17 (SYCL 2020, section 4.9.2).
#ifndef UNWARP_SYCL_SPAN_HPP
#define UNWARP_SYCL_SPAN_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

inline constexpr std::size_t dynamic_extent = std::size_t(-1);

template <class T, std::size_t Extent = dynamic_extent> class span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using iterator = T *;
  static constexpr std::size_t extent = Extent;

  constexpr span() = default;
  constexpr span(T *data, std::size_t count) : start(data), count(count) {}
  constexpr span(T *first, T *last) : start(first), count(std::size_t(last - first)) {}
  template <std::size_t N> constexpr span(T (&array)[N]) : start(array), count(N) {}
  template <class Container,
            class = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<Container &>())), T *>>>
  constexpr span(Container &container) : start(std::data(container)), count(std::size(container)) {}

  constexpr std::size_t size() const { return count; }
  constexpr std::size_t size_bytes() const { return count * sizeof(T); }
  constexpr bool empty() const { return count == 0; }
  constexpr T *data() const { return start; }
  constexpr T &operator[](std::size_t i) const { return start[i]; }
  constexpr T &front() const { return start[0]; }
  constexpr T &back() const { return start[count - 1]; }
  constexpr iterator begin() const { return start; }
  constexpr iterator end() const { return start + count; }
  constexpr span<T> first(std::size_t n) const { return {start, n}; }
  constexpr span<T> last(std::size_t n) const { return {start + count - n, n}; }
  constexpr span<T> subspan(std::size_t from, std::size_t n = dynamic_extent) const {
    return {start + from, n == dynamic_extent ? count - from : n};
  }

private:
  T *start = nullptr;
  std::size_t count = 0;
};
template <class T, std::size_t N> span(T (&)[N]) -> span<T, N>;

} // namespace _V1
} // namespace sycl
#endif
