// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel attributes (SYCL 2020, section 5.8.1), which clang does not know and leaves out. Most are hints, or say what a
// kernel relies on that is so anyway. A sub-group has 32 items, and a kernel that asks for another size is not
// launched: submitting it throws errc::kernel_not_supported, as the standard says. The attribute's name is a macro,
// which leaves a mark on the function's type, where the headers find it (wants_other_sub_groups): clang's nonallocating,
// which takes any condition. In brackets clang takes that behind the parameters alone, where lambdas have it; before a
// member function it wants GNU's syntax, which lambdas cannot have. So the driver writes the other name there when clang
// refuses this one (compiler/driver/leniency.c). A literal size, as most are, chooses between a calling convention and
// nothing: both may stand in both places.
#ifndef UNWARP_SYCL_ATTRIBUTES_HPP
#define UNWARP_SYCL_ATTRIBUTES_HPP

#include <type_traits>

#pragma clang diagnostic ignored "-Wunknown-attributes"

// Functions that kernels of other files may call (section 5.10.1).
#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL [[clang::sycl_external]] __attribute__((section("unwarp_sycl_external")))
#else
#define SYCL_EXTERNAL
#endif

#define reqd_sub_group_size(size) __UW_SUB_GROUPS_OF(size)
#define __UW_SUB_GROUPS_OF(size) ignored]] [[__UW_PICK_SECOND(__UW_SIZE_##size(~), clang::nonallocating(::sycl::detail::is_other_size<(size)>()), ~)
#define reqd_sub_group_size_of_member(size)                                                                            \
  ignored]] __attribute__((nonallocating(::sycl::detail::is_other_size<(size)>()))) [[sycl::ignored
#define __UW_PICK_SECOND(...) __UW_SECOND(__VA_ARGS__)
#define __UW_SECOND(first, second, ...) second
// Called only if the size is no more than that literal: 8 * 4 is another.
#define __UW_SIZE_32(none) ~, sycl::ignored
#define __UW_NOT_LAUNCHED                                                                                              \
  "sub-groups have 32 items: a kernel with another size is not launched; ask for 32, or ask the sub-group for its "    \
  "size"
#define __UW_OTHER_SIZE ~, __UW_WARN(GCC warning __UW_NOT_LAUNCHED) clang::preserve_none
#define __UW_WARN(...) __UW_PRAGMA(__VA_ARGS__)
#define __UW_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define __UW_SIZE_1(none) __UW_OTHER_SIZE
#define __UW_SIZE_2(none) __UW_OTHER_SIZE
#define __UW_SIZE_4(none) __UW_OTHER_SIZE
#define __UW_SIZE_8(none) __UW_OTHER_SIZE
#define __UW_SIZE_16(none) __UW_OTHER_SIZE
#define __UW_SIZE_64(none) __UW_OTHER_SIZE
#define __UW_SIZE_128(none) __UW_OTHER_SIZE

namespace sycl {
inline namespace _V1 {
namespace detail {
template <auto Size, std::enable_if_t<Size == 32, int> = 0> constexpr bool is_other_size() { return false; }
template <auto Size, std::enable_if_t<Size != 32, int> = 0>
[[deprecated(__UW_NOT_LAUNCHED)]] constexpr bool is_other_size() {
  return true;
}

// Those marks, on the type of a member function.
template <class Function> struct is_marked : std::false_type {};
#define __UW_MARKED(constant)                                                                                          \
  template <class F, class R, bool N, class... A>                                                                      \
  struct is_marked<R (F::*)(A...) constant noexcept(N) [[clang::nonallocating]]> : std::true_type {};                  \
  template <class F, class R, bool N, class... A>                                                                      \
  struct is_marked<R (__attribute__((preserve_none)) F::*)(A...) constant noexcept(N)> : std::true_type {};
__UW_MARKED()
__UW_MARKED(const)
#undef __UW_MARKED
// One of several functions, by what the kernel is called with. Of these only a literal size before them is seen, since
// a function without a mark converts to the type of one that does not allocate.
template <class F, class... Arguments>
std::true_type is_one_marked(void (__attribute__((preserve_none)) F::*)(Arguments...) const);
template <class F, class... Arguments>
auto find_marked(int) -> decltype(is_one_marked<F, Arguments...>(&F::operator()));
template <class F, class...> std::false_type find_marked(...);

template <class F, class = void> struct has_one_function : std::false_type {};
template <class F> struct has_one_function<F, std::void_t<decltype(&F::operator())>> : std::true_type {};
template <class F, class... Parameters> auto find_template(int) -> decltype(&F::template operator()<Parameters...>);
template <class F, class...> void find_template(...);

// Does a kernel that is called with such arguments ask for sub-groups that there are not?
template <class F> constexpr bool wants_other_sub_groups() {
  if constexpr (has_one_function<F>::value)
    return is_marked<decltype(&F::operator())>::value;
  else
    return decltype(find_marked<F>(0))::value;
}
template <class F, class Item, class... Reducers> constexpr bool wants_other_sub_groups() {
  if constexpr (has_one_function<F>::value)
    return is_marked<decltype(&F::operator())>::value;
  else
    return is_marked<decltype(find_template<F, Item, Reducers...>(0))>::value ||
           is_marked<decltype(find_template<F, Reducers...>(0))>::value ||
           decltype(find_marked<F, Item, Reducers...>(0))::value;
}
} // namespace detail
} // namespace _V1
} // namespace sycl

#endif
