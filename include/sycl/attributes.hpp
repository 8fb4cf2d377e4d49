// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel attributes (SYCL 2020, section 5.8.1), which clang does not know and leaves out. Most are hints, or say what a kernel relies on that is so
// anyway. A sub-group has 32 items; a kernel that asks for another size must not be compiled as if it had it, so the attribute's name is a macro that
// has the compiler look at the size, where it stands behind a lambda's or function's parameters: a literal, a macro, a constant. One that hangs on a
// template's parameter is not seen.
#ifndef UNWARP_SYCL_ATTRIBUTES_HPP
#define UNWARP_SYCL_ATTRIBUTES_HPP

#pragma clang diagnostic ignored "-Wunknown-attributes"

// Functions that kernels of other files may call (section 5.10.1).
#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL [[clang::sycl_external]] __attribute__((section("unwarp_sycl_external")))
#else
#define SYCL_EXTERNAL
#endif

#define reqd_sub_group_size(size) __UW_SUB_GROUPS_OF(size)
#define __UW_SUB_GROUPS_OF(size) ignored]] [[__UW_PICK_SECOND(__UW_SIZE_##size, clang::annotate_type("sub-groups", ::sycl::detail::sub_groups_of<(size)>()), ~)
#define __UW_PICK_SECOND(...) __UW_SECOND(__VA_ARGS__)
#define __UW_SECOND(first, second, ...) second
#define __UW_SIZE_32 ~, sycl::ignored

namespace sycl {
inline namespace _V1 {
namespace detail {
template <int Size> constexpr int sub_groups_of() {
  static_assert(Size == 32, "sub-groups have 32 items: ask for 32, or leave the attribute out and ask the sub-group for its size");
  return Size;
}
} // namespace detail
} // namespace _V1
} // namespace sycl

#endif
