// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::id (SYCL 2020, section 4.9.1.3).
#ifndef UNWARP_SYCL_ID_HPP
#define UNWARP_SYCL_ID_HPP

#include "range.hpp"

namespace sycl {
inline namespace _V1 {

template <int Dimensions, bool WithOffset> class item;

namespace detail {

// The conversion to an integer, for one dimension only. Not a template: overloads and built-in subscripts would not see
// it.
template <int D> struct id_base : coordinates<D> {};
template <> struct id_base<1> : coordinates<1> {
  constexpr operator std::size_t() const { return this->at[0]; }
};

} // namespace detail

template <int Dimensions = 1> class id : public detail::id_base<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  constexpr id() = default;
  template <int D = Dimensions, class = std::enable_if_t<D == 1>> constexpr id(std::size_t x) { this->at[0] = x; }
  template <int D = Dimensions, class = std::enable_if_t<D == 2>> constexpr id(std::size_t x, std::size_t y) {
    this->at[0] = x;
    this->at[1] = y;
  }
  template <int D = Dimensions, class = std::enable_if_t<D == 3>>
  constexpr id(std::size_t x, std::size_t y, std::size_t z) {
    this->at[0] = x;
    this->at[1] = y;
    this->at[2] = z;
  }
  constexpr id(const range<Dimensions> &extent) { detail::coordinates<Dimensions>::operator=(extent); }
  template <bool WithOffset> constexpr id(const item<Dimensions, WithOffset> &item) : id(item.get_id()) {}
  static constexpr id filled(std::size_t value) { return range<Dimensions>::filled(value); }

  explicit constexpr operator range<Dimensions>() const {
    range<Dimensions> out;
    static_cast<detail::coordinates<Dimensions> &>(out) = *this;
    return out;
  }

  __UW_COORDINATE_OPERATORS(id)
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

} // namespace _V1
} // namespace sycl
#endif
