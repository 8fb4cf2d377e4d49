// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions that a kernel calls without an argument that says where it is: sycl_ext_oneapi_free_function_queries (the
// running item, group and sub-group), sycl_ext_oneapi_clock; and sycl_ext_oneapi_dot_accumulate.
#ifndef UNWARP_SYCL_EXT_QUERIES_HPP
#define UNWARP_SYCL_EXT_QUERIES_HPP

#include "detail/runtime.hpp"
#include "nd_item.hpp"
#include "sub_group.hpp"
#include "vec.hpp"

#define SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES 1
#define SYCL_EXT_ONEAPI_CLOCK 1
#define SYCL_EXT_ONEAPI_DOT_ACCUMULATE 1

namespace sycl {
inline namespace _V1 {
namespace detail {
#ifdef __SYCL_DEVICE_ONLY__
extern "C" std::uint64_t __unwarp_clock() noexcept __asm__("llvm.nvvm.read.ptx.sreg.clock64");
#else
inline std::uint64_t __unwarp_clock() noexcept { return uwrt_sycl_nanoseconds(); }
#endif
} // namespace detail

namespace ext::oneapi {
namespace this_work_item {
template <int D> __UW_INLINE nd_item<D> get_nd_item() { return nd_item<D>(id<D>()); } // of a kernel without an offset
template <int D> __UW_INLINE group<D> get_work_group() { return {}; }
__UW_INLINE sub_group get_sub_group() { return {}; }
} // namespace this_work_item

namespace experimental {
template <int D> __UW_INLINE nd_item<D> this_nd_item() { return this_work_item::get_nd_item<D>(); }
template <int D> __UW_INLINE group<D> this_group() { return {}; }
__UW_INLINE sub_group this_sub_group() { return {}; }
namespace this_kernel {
template <int D> __UW_INLINE group<D> get_work_group() { return {}; }
__UW_INLINE sub_group get_sub_group() { return {}; }
} // namespace this_kernel

// All scopes have one clock.
enum class clock_scope { sub_group, work_group, device };
template <clock_scope Scope> __UW_INLINE std::uint64_t clock() { return detail::__unwarp_clock(); }
} // namespace experimental

#define __UW_DOT(a, b)                                                                                                 \
  inline std::int32_t dot_acc(vec<a, 4> x, vec<b, 4> y, std::int32_t sum) {                                            \
    return sum + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];                                                \
  }
__UW_DOT(std::int8_t, std::int8_t)
__UW_DOT(std::uint8_t, std::uint8_t)
__UW_DOT(std::uint8_t, std::int8_t)
__UW_DOT(std::int8_t, std::uint8_t)
#undef __UW_DOT
// Four bytes in a word, signed or not as the template says.
#define __UW_DOT_PACKED(word_a, byte_a, word_b, byte_b)                                                                \
  inline std::int32_t dot_acc(word_a x, word_b y, std::int32_t sum) {                                                  \
    for (int i = 0; i < 32; i += 8)                                                                                    \
      sum += byte_a(x >> i) * byte_b(y >> i);                                                                          \
    return sum;                                                                                                        \
  }
__UW_DOT_PACKED(std::int32_t, std::int8_t, std::int32_t, std::int8_t)
__UW_DOT_PACKED(std::uint32_t, std::uint8_t, std::uint32_t, std::uint8_t)
__UW_DOT_PACKED(std::uint32_t, std::uint8_t, std::int32_t, std::int8_t)
__UW_DOT_PACKED(std::int32_t, std::int8_t, std::uint32_t, std::uint8_t)
#undef __UW_DOT_PACKED

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
#endif
