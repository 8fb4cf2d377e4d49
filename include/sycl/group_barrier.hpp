// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// group_barrier and atomic_fence (SYCL 2020, sections 4.17.3 and 4.15.1).
#ifndef UNWARP_SYCL_GROUP_BARRIER_HPP
#define UNWARP_SYCL_GROUP_BARRIER_HPP

#include "parts_of_sub_group.hpp"

namespace sycl {
inline namespace _V1 {

template <int D> __UW_INLINE void group_barrier(group<D>, memory_scope = memory_scope::work_group) {
  detail::__unwarp_barrier(0);
}
__UW_INLINE void group_barrier(sub_group, memory_scope = memory_scope::sub_group) { detail::__unwarp_sub_barrier(-1); }
template <class Part>
__UW_INLINE std::enable_if_t<detail::is_part<Part>> group_barrier(Part g, memory_scope = memory_scope::sub_group) {
  detail::__unwarp_sub_barrier(g.unwarp_mask());
}

inline void atomic_fence(memory_order order, memory_scope) {
#ifdef __SYCL_DEVICE_ONLY__
  if (order != memory_order::relaxed)
    detail::__unwarp_fence();
#else
  if (order != memory_order::relaxed)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

} // namespace _V1
} // namespace sycl
#endif
