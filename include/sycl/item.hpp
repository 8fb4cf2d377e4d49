// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::item (SYCL 2020, section 4.9.1.4): an index, and the range in which it lies.
#ifndef UNWARP_SYCL_ITEM_HPP
#define UNWARP_SYCL_ITEM_HPP

#include "id.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <int D> struct item_base {
  id<D> index;
  range<D> extent;
  constexpr item_base(const id<D> &index, const range<D> &extent) : index(index), extent(extent) {}
};
template <int D> struct item_number : item_base<D> {
  using item_base<D>::item_base;
};
template <> struct item_number<1> : item_base<1> {
  using item_base<1>::item_base;
  constexpr operator std::size_t() const { return index; }
};

} // namespace detail

template <int Dimensions = 1, bool WithOffset = true> class item : public detail::item_number<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  item() = delete;
  constexpr item(const id<Dimensions> &index, const range<Dimensions> &extent, const id<Dimensions> &offset = {})
      : detail::item_number<Dimensions>(index, extent), start(offset) {}

  constexpr id<Dimensions> get_id() const { return this->index; }
  constexpr std::size_t get_id(int dimension) const { return this->index[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return this->index[dimension]; }
  constexpr range<Dimensions> get_range() const { return this->extent; }
  constexpr std::size_t get_range(int dimension) const { return this->extent[dimension]; }
  constexpr std::size_t get_linear_id() const {
    return detail::linear(id<Dimensions>(this->index - start), this->extent);
  }
  constexpr id<Dimensions> get_offset() const { return start; }
  constexpr operator item<Dimensions, true>() const { return {this->index, this->extent, start}; }

  friend constexpr bool operator==(const item &a, const item &b) {
    return a.index == b.index && a.extent == b.extent && a.start == b.start;
  }
  friend constexpr bool operator!=(const item &a, const item &b) { return !(a == b); }

private:
  id<Dimensions> start;
};

// The kinds of an item that are known to have no offset.
template <int Dimensions> class item<Dimensions, false> : public detail::item_number<Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  item() = delete;
  constexpr item(const id<Dimensions> &index, const range<Dimensions> &extent)
      : detail::item_number<Dimensions>(index, extent) {}

  constexpr id<Dimensions> get_id() const { return this->index; }
  constexpr std::size_t get_id(int dimension) const { return this->index[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return this->index[dimension]; }
  constexpr range<Dimensions> get_range() const { return this->extent; }
  constexpr std::size_t get_range(int dimension) const { return this->extent[dimension]; }
  constexpr std::size_t get_linear_id() const { return detail::linear(this->index, this->extent); }
  constexpr operator item<Dimensions, true>() const { return {this->index, this->extent}; }

  friend constexpr bool operator==(const item &a, const item &b) { return a.index == b.index && a.extent == b.extent; }
  friend constexpr bool operator!=(const item &a, const item &b) { return !(a == b); }
};

} // namespace _V1
} // namespace sycl
#endif
