// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::bit_cast (SYCL 2020, section 3.9.2): std::bit_cast for C++17.
#ifndef UNWARP_SYCL_BIT_CAST_HPP
#define UNWARP_SYCL_BIT_CAST_HPP

#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <class To, class From,
          class = std::enable_if_t<sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                                   std::is_trivially_copyable_v<From>>>
constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}

} // namespace _V1
} // namespace sycl
#endif
