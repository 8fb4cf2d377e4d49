// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a[i] is on the way to a[i][j] and a[i][j][k].
#ifndef UNWARP_SYCL_DETAIL_SUBSCRIPT_HPP
#define UNWARP_SYCL_DETAIL_SUBSCRIPT_HPP

#include "../id.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// An array of D dimensions, of which the slowest is the next to get its index.
template <class T, int D> class subscript {
public:
  template <int E> __UW_INLINE constexpr subscript(T *memory, const range<E> &whole) : memory(memory) {
    if constexpr (D > 1)
      rows = whole.at[E - 2], columns = whole.at[E - 1];
  }
  __UW_INLINE constexpr subscript(T *memory, std::size_t rows, std::size_t columns)
      : memory(memory), rows(rows), columns(columns) {}

  __UW_INLINE constexpr decltype(auto) operator[](std::size_t index) const {
    if constexpr (D == 1)
      return static_cast<T &>(memory[index]);
    else if constexpr (D == 2)
      return subscript<T, 1>(memory + index * columns, rows, columns);
    else
      return subscript<T, 2>(memory + index * rows * columns, rows, columns);
  }

private:
  T *memory;
  std::size_t rows = 0, columns = 0; // extents of the two dimensions that run fastest
};

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
