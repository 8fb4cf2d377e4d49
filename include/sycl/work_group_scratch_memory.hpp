// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_work_group_scratch_memory: local memory whose size is a property of the launch, and which the kernel
// asks for by a function. It lies behind what the command group's accessors have. Where that is, the kernel reads as a
// specialization constant, which the handler sets (handler::unwarp_properties): 0 at a launch without the property.
#ifndef UNWARP_SYCL_WORK_GROUP_SCRATCH_MEMORY_HPP
#define UNWARP_SYCL_WORK_GROUP_SCRATCH_MEMORY_HPP

#include "ext_properties.hpp"
#include "kernel_handler.hpp"

#define SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY 1

// <cassert> does not declare it under NDEBUG.
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept __attribute__((noreturn));

namespace sycl {
inline namespace _V1 {
namespace detail {
inline constexpr std::size_t scratch_alignment = 64;
inline constexpr specialization_id<std::size_t> scratch_place(0); // bytes, and scratch_alignment more
} // namespace detail

namespace ext::oneapi::experimental {

struct work_group_scratch_size {
  using key_t = work_group_scratch_size;
  using value_t = work_group_scratch_size;
  constexpr work_group_scratch_size(std::size_t bytes) : value(bytes) {}
  std::size_t value;
};
using work_group_scratch_size_key = work_group_scratch_size;

inline void *get_work_group_scratch_memory() {
  const std::size_t place = sycl::detail::specialization<sycl::detail::scratch_place>::value;
  if (__builtin_expect(place == 0, 0)) // there is no such memory
    __assert_fail("the launch has the property work_group_scratch_size", __FILE__, __LINE__, __func__);
  return __builtin_assume_aligned(static_cast<char *>(sycl::detail::__unwarp_sycl_local_memory()) +
                                      (place - sycl::detail::scratch_alignment),
                                  sycl::detail::scratch_alignment);
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
