// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::range (SYCL 2020, section 4.9.1.1).
#ifndef UNWARP_SYCL_RANGE_HPP
#define UNWARP_SYCL_RANGE_HPP

#include "detail/coordinates.hpp"

namespace sycl {
inline namespace _V1 {

template <int Dimensions = 1> class range : public detail::coordinates<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  constexpr range() = default;
  template <int D = Dimensions, class = std::enable_if_t<D == 1>> constexpr range(std::size_t x) { this->at[0] = x; }
  template <int D = Dimensions, class = std::enable_if_t<D == 2>> constexpr range(std::size_t x, std::size_t y) {
    this->at[0] = x;
    this->at[1] = y;
  }
  template <int D = Dimensions, class = std::enable_if_t<D == 3>>
  constexpr range(std::size_t x, std::size_t y, std::size_t z) {
    this->at[0] = x;
    this->at[1] = y;
    this->at[2] = z;
  }
  static constexpr range filled(std::size_t value) {
    range out;
    out.at[0] = value;
    if constexpr (Dimensions > 1)
      out.at[1] = value;
    if constexpr (Dimensions > 2)
      out.at[2] = value;
    return out;
  }

  constexpr std::size_t size() const { return detail::product(*this); }

  __UW_COORDINATE_OPERATORS(range)
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

} // namespace _V1
} // namespace sycl
#endif
