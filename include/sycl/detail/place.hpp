// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the running item stands, as id and range.
#ifndef UNWARP_SYCL_DETAIL_PLACE_HPP
#define UNWARP_SYCL_DETAIL_PLACE_HPP

#include "../id.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// For each dimension, slowest first, what `read` says of its axis.
#define __UW_OF_ALL_AXES(type, name, read)                                                                             \
  template <int D> __UW_INLINE type<D> name() {                                                                        \
    if constexpr (D == 1)                                                                                              \
      return type<1>(read<0>());                                                                                       \
    else if constexpr (D == 2)                                                                                         \
      return type<2>(read<1>(), read<0>());                                                                            \
    else                                                                                                               \
      return type<3>(read<2>(), read<1>(), read<0>());                                                                 \
  }
__UW_OF_ALL_AXES(id, local_index, local_place)
__UW_OF_ALL_AXES(range, local_range, local_extent)
__UW_OF_ALL_AXES(id, group_index, group_place)
__UW_OF_ALL_AXES(range, group_range, group_extent)
__UW_OF_ALL_AXES(id, global_index, global_place)
#undef __UW_OF_ALL_AXES

template <int D> __UW_INLINE constexpr id<D> as_id(const range<D> &extent) { return id<D>(extent); }

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
