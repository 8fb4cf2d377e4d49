// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::nd_range (SYCL 2020, section 4.9.1.2).
#ifndef UNWARP_SYCL_ND_RANGE_HPP
#define UNWARP_SYCL_ND_RANGE_HPP

#include "id.hpp"

namespace sycl {
inline namespace _V1 {

template <int Dimensions = 1> class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range() = default; // as DPC++ has it (sycl_khr_default_constructors): one of no work-items
  constexpr nd_range(range<Dimensions> globalSize, range<Dimensions> localSize,
                     id<Dimensions> offset = id<Dimensions>())
      : global(globalSize), local(localSize), start(offset) {}

  constexpr range<Dimensions> get_global_range() const { return global; }
  constexpr range<Dimensions> get_local_range() const { return local; }
  constexpr range<Dimensions> get_group_range() const { return global / local; }
  constexpr id<Dimensions> get_offset() const { return start; }

  friend constexpr bool operator==(const nd_range &a, const nd_range &b) {
    return a.global == b.global && a.local == b.local && a.start == b.start;
  }
  friend constexpr bool operator!=(const nd_range &a, const nd_range &b) { return !(a == b); }

private:
  range<Dimensions> global, local;
  id<Dimensions> start;
};

} // namespace _V1
} // namespace sycl
#endif
