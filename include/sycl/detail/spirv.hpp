// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of SPIR-V that programs for DPC++ take on the device side under __SPIR__, which stands for a device that is
// neither of NVIDIA's nor of AMD's (driver/clang_commands.c defines it): operations of the items of a sub-group that run,
// barriers, and printf. Scopes and orders are constants. What is not here does not compile.
#ifndef UNWARP_SYCL_DETAIL_SPIRV_HPP
#define UNWARP_SYCL_DETAIL_SPIRV_HPP

#include <cstdio>

#include "../group_algorithms.hpp"

namespace __spv {
struct Scope {
  enum Flag : std::uint32_t { CrossDevice = 0, Device = 1, Workgroup = 2, Subgroup = 3, Invocation = 4 };
  constexpr Scope(Flag flag) : flag_value(flag) {}
  constexpr operator std::uint32_t() const { return flag_value; }
  Flag flag_value;
};
struct MemorySemanticsMask {
  enum Flag : std::uint32_t {
    None = 0x0,
    Acquire = 0x2,
    Release = 0x4,
    AcquireRelease = 0x8,
    SequentiallyConsistent = 0x10,
    UniformMemory = 0x40,
    SubgroupMemory = 0x80,
    WorkgroupMemory = 0x100,
    CrossWorkgroupMemory = 0x200,
    AtomicCounterMemory = 0x400,
    ImageMemory = 0x800,
  };
  constexpr MemorySemanticsMask(Flag flag) : flag_value(flag) {}
  constexpr operator std::uint32_t() const { return flag_value; }
  Flag flag_value;
};
} // namespace __spv

#ifdef __SYCL_DEVICE_ONLY__
// Of the item at that place of the sub-group. Those that come here together exchange; up and down leave an item that
// has nobody there its own value.
template <class T> __UW_INLINE T __spirv_GroupNonUniformShuffle(std::uint32_t, T value, std::uint32_t place) noexcept {
  return sycl::detail::shuffle_to(value, int(place & 31), sycl::detail::__unwarp_active_mask());
}
template <class T>
__UW_INLINE T __spirv_GroupNonUniformShuffleXor(std::uint32_t s, T value, std::uint32_t mask) noexcept {
  return __spirv_GroupNonUniformShuffle(s, value, sycl::detail::__unwarp_lane() ^ mask);
}
template <class T> __UW_INLINE T __spirv_GroupNonUniformShuffleUp(std::uint32_t s, T value, std::uint32_t by) noexcept {
  const std::uint32_t lane = sycl::detail::__unwarp_lane();
  return __spirv_GroupNonUniformShuffle(s, value, lane < by ? lane : lane - by);
}
template <class T>
__UW_INLINE T __spirv_GroupNonUniformShuffleDown(std::uint32_t s, T value, std::uint32_t by) noexcept {
  const std::uint32_t lane = sycl::detail::__unwarp_lane(), place = lane + by;
  return __spirv_GroupNonUniformShuffle(s, value, place < sycl::detail::sub_group_size ? place : lane);
}
template <class T>
__UW_INLINE T __spirv_GroupNonUniformBroadcast(std::uint32_t s, T value, std::uint32_t place) noexcept {
  return __spirv_GroupNonUniformShuffle(s, value, place);
}
__UW_INLINE bool __spirv_GroupNonUniformElect(std::uint32_t) noexcept {
  return sycl::detail::__unwarp_lane() == std::uint32_t(__builtin_ctz(sycl::detail::__unwarp_active_mask()));
}
__UW_INLINE bool __spirv_GroupNonUniformAll(std::uint32_t, bool value) noexcept {
  return sycl::detail::__unwarp_vote_all(sycl::detail::__unwarp_active_mask(), value);
}
__UW_INLINE bool __spirv_GroupNonUniformAny(std::uint32_t, bool value) noexcept {
  return sycl::detail::__unwarp_vote_any(sycl::detail::__unwarp_active_mask(), value);
}
typedef std::uint32_t __ocl_vec_t_uint32_t_4 __attribute__((ext_vector_type(4)));
__UW_INLINE __ocl_vec_t_uint32_t_4 __spirv_GroupNonUniformBallot(std::uint32_t, bool value) noexcept {
  return {std::uint32_t(sycl::detail::__unwarp_vote_ballot(sycl::detail::__unwarp_active_mask(), value)), 0, 0, 0};
}
// The first one's places begin at 0, the second's after them.
template <class T> __UW_INLINE T __spirv_SubgroupShuffleINTEL(T value, std::uint32_t place) noexcept {
  return __spirv_GroupNonUniformShuffle(__spv::Scope::Subgroup, value, place);
}
template <class T> __UW_INLINE T __spirv_SubgroupShuffleXorINTEL(T value, std::uint32_t mask) noexcept {
  return __spirv_GroupNonUniformShuffleXor(__spv::Scope::Subgroup, value, mask);
}
template <class T> __UW_INLINE T __spirv_SubgroupShuffleDownINTEL(T value, T after, std::uint32_t by) noexcept {
  const std::uint32_t place = sycl::detail::__unwarp_lane() + by;
  const T first = __spirv_SubgroupShuffleINTEL(value, place), second = __spirv_SubgroupShuffleINTEL(after, place);
  return place < sycl::detail::sub_group_size ? first : second;
}
template <class T> __UW_INLINE T __spirv_SubgroupShuffleUpINTEL(T before, T value, std::uint32_t by) noexcept {
  const std::uint32_t place = sycl::detail::__unwarp_lane() - by;
  const T first = __spirv_SubgroupShuffleINTEL(before, place), second = __spirv_SubgroupShuffleINTEL(value, place);
  return by > sycl::detail::__unwarp_lane() ? first : second;
}

__UW_INLINE void __spirv_ControlBarrier(std::uint32_t execution, std::uint32_t, std::uint32_t) noexcept {
  if (execution == __spv::Scope::Subgroup)
    sycl::detail::__unwarp_sub_barrier(-1);
  else if (execution != __spv::Scope::Invocation)
    sycl::detail::__unwarp_barrier(0);
}
__UW_INLINE void __spirv_MemoryBarrier(std::uint32_t, std::uint32_t) noexcept { sycl::detail::__unwarp_fence(); }

template <class... Arguments> int __spirv_ocl_printf(const char *format, Arguments... arguments) {
  return ::printf(format, arguments...);
}
#endif
#endif
