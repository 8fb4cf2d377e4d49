/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * inclusive_scan() and exclusive_scan() over the members of a tile or a coalesced group, in the order of their ranks.
 * (CUDA C++ Programming Guide, "Cooperative Groups", part "inclusive_scan and exclusive_scan".)
 */
#ifndef _COOPERATIVE_GROUPS_SCAN_H_
#define _COOPERATIVE_GROUPS_SCAN_H_

#include "reduce.h"

namespace cooperative_groups {

template <typename __Group, typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type inclusive_scan(const __Group &__group, __Value &&__value,
                                                                      __Operator &&__operator) {
  typename details::__plain<__Value>::type __result = __value;
  unsigned int __rank = __group.thread_rank();
  for (unsigned int __step = 1; __step < __group.num_threads(); __step *= 2) {
    typename details::__plain<__Value>::type __before = __group.shfl_up(__result, __step);
    if (__rank >= __step)
      __result = __operator(__before, __result);
  }
  return __result;
}
template <typename __Group, typename __Value>
__UW_DEVICE__ typename details::__plain<__Value>::type inclusive_scan(const __Group &__group, __Value &&__value) {
  return inclusive_scan(__group, __value, plus<typename details::__plain<__Value>::type>());
}
template <typename __Group, typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type exclusive_scan(const __Group &__group, __Value &&__value,
                                                                      __Operator &&__operator) {
  typedef typename details::__plain<__Value>::type __type;
  __type __before = __group.shfl_up(inclusive_scan(__group, __value, __operator), 1u);
  return __group.thread_rank() == 0 ? __type() : __before;
}
template <typename __Group, typename __Value>
__UW_DEVICE__ typename details::__plain<__Value>::type exclusive_scan(const __Group &__group, __Value &&__value) {
  return exclusive_scan(__group, __value, plus<typename details::__plain<__Value>::type>());
}

} // namespace cooperative_groups

#endif
