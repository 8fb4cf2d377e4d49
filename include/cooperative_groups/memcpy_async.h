/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memcpy_async(): a copy that the threads of a group share. The copy is done when the call returns, so waiting for it
 * is only the group's barrier. (CUDA C++ Programming Guide, "Cooperative Groups", part "memcpy_async".)
 */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <typename __Group, typename __To, typename __From>
__UW_DEVICE__ void memcpy_async(const __Group &__group, __To *__to, const __From *__from, size_t __bytes) {
  size_t __rank = __group.thread_rank(), __count = __group.num_threads(), __words = 0;
  if ((((size_t)__to | (size_t)__from) & 3) == 0) {
    __words = __bytes / 4;
    for (size_t __i = __rank; __i < __words; __i += __count)
      __builtin_memcpy((char *)__to + __i * 4, (const char *)__from + __i * 4, 4);
  }
  for (size_t __i = __words * 4 + __rank; __i < __bytes; __i += __count)
    ((char *)__to)[__i] = ((const char *)__from)[__i];
}
template <typename __Group, typename __Type>
__UW_DEVICE__ void memcpy_async(const __Group &__group, __Type *__to, size_t __to_count, const __Type *__from,
                                size_t __from_count) {
  size_t __count = __to_count < __from_count ? __to_count : __from_count;
  for (size_t __i = __group.thread_rank(); __i < __count; __i += __group.num_threads())
    __to[__i] = __from[__i];
}
template <typename __Group> __UW_DEVICE__ void wait(const __Group &__group) { __group.sync(); }
template <unsigned int __Stages, typename __Group> __UW_DEVICE__ void wait_prior(const __Group &__group) {
  __group.sync();
}

} // namespace cooperative_groups

#endif
