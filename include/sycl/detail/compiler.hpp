// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the headers have from the compiler: where the running work-item stands, barriers, local memory, exchanges among
// the items of a sub-group. On the device side these are intrinsics of LLVM by their names, and functions that
// compiler/frontend/sycl/builtins.c replaces. On the host side nobody calls them. Axis 0 is the one that runs fastest,
// so dimension D-1 of SYCL's D.
#ifndef UNWARP_SYCL_DETAIL_COMPILER_HPP
#define UNWARP_SYCL_DETAIL_COMPILER_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define __UW_INLINE inline __attribute__((always_inline))
// What stands on the way from a launch to the function that makes it, so that shape and arguments are constants where
// they can be.
#define __UW_LAUNCH __attribute__((always_inline))

namespace sycl {
inline namespace _V1 {
namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
#define __UW_REGISTER(name, intrinsic)                                                                                 \
  extern "C" std::uint32_t name() noexcept __asm__("llvm.nvvm.read.ptx.sreg." intrinsic);
#define __UW_ITEM(result, name, intrinsic, ...)                                                                        \
  extern "C" __attribute__((convergent)) result name(__VA_ARGS__) noexcept __asm__("llvm.nvvm." intrinsic);
#else
#define __UW_REGISTER(name, intrinsic)                                                                                 \
  inline std::uint32_t name() noexcept { return 0; }
#define __UW_ITEM(result, name, intrinsic, ...)                                                                        \
  inline result name(__VA_ARGS__) noexcept { return result(); }
#endif

__UW_REGISTER(__unwarp_local_0, "tid.x")
__UW_REGISTER(__unwarp_local_1, "tid.y")
__UW_REGISTER(__unwarp_local_2, "tid.z")
__UW_REGISTER(__unwarp_extent_0, "ntid.x")
__UW_REGISTER(__unwarp_extent_1, "ntid.y")
__UW_REGISTER(__unwarp_extent_2, "ntid.z")
__UW_REGISTER(__unwarp_group_0, "ctaid.x")
__UW_REGISTER(__unwarp_group_1, "ctaid.y")
__UW_REGISTER(__unwarp_group_2, "ctaid.z")
__UW_REGISTER(__unwarp_groups_0, "nctaid.x")
__UW_REGISTER(__unwarp_groups_1, "nctaid.y")
__UW_REGISTER(__unwarp_groups_2, "nctaid.z")

__UW_REGISTER(__unwarp_lane, "laneid")

__UW_ITEM(void, __unwarp_fence, "membar.gl")
__UW_ITEM(void, __unwarp_barrier, "barrier.cta.sync.aligned.all", int)
__UW_ITEM(void, __unwarp_sub_barrier, "bar.warp.sync", int)
__UW_ITEM(int, __unwarp_shuffle_index, "shfl.sync.idx.i32", int, int, int, int)
__UW_ITEM(int, __unwarp_vote_ballot, "vote.ballot.sync", int, bool)
__UW_ITEM(int, __unwarp_active_mask, "activemask")
__UW_ITEM(bool, __unwarp_vote_any, "vote.any.sync", int, bool)
__UW_ITEM(bool, __unwarp_vote_all, "vote.all.sync", int, bool)

#ifdef __SYCL_DEVICE_ONLY__
extern "C" void *__unwarp_sycl_local_memory() noexcept;
extern "C" __attribute__((convergent)) void __unwarp_root_barrier() noexcept __asm__("uwrt_grid_sync");
#else
inline void __unwarp_root_barrier() noexcept {}
inline void *__unwarp_sycl_local_memory() noexcept { return nullptr; }
#endif

#undef __UW_REGISTER
#undef __UW_ITEM

inline constexpr std::uint32_t max_items_of_group = 1024;

// One axis each of: the item's position in its group, the group's extent, the group's position in the launch, the
// launch's extent in groups.
template <int Axis> __UW_INLINE std::size_t local_place() {
  if constexpr (Axis == 0)
    return __unwarp_local_0();
  else if constexpr (Axis == 1)
    return __unwarp_local_1();
  else
    return __unwarp_local_2();
}
template <int Axis> __UW_INLINE std::size_t local_extent() {
  if constexpr (Axis == 0)
    return __unwarp_extent_0();
  else if constexpr (Axis == 1)
    return __unwarp_extent_1();
  else
    return __unwarp_extent_2();
}
template <int Axis> __UW_INLINE std::size_t group_place() {
  if constexpr (Axis == 0)
    return __unwarp_group_0();
  else if constexpr (Axis == 1)
    return __unwarp_group_1();
  else
    return __unwarp_group_2();
}
template <int Axis> __UW_INLINE std::size_t group_extent() {
  if constexpr (Axis == 0)
    return __unwarp_groups_0();
  else if constexpr (Axis == 1)
    return __unwarp_groups_1();
  else
    return __unwarp_groups_2();
}
template <int Axis> __UW_INLINE std::size_t global_place() {
  return group_place<Axis>() * local_extent<Axis>() + local_place<Axis>();
}

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
