/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * inclusive_scan() and exclusive_scan() over the members of a tile or a coalesced group, in the order of their ranks,
 * and the forms that go on from what an atomic object holds and leave the total in it.
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
      __result = __operator(__result, __before);
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

namespace details {
/* Adds the group's total, which its last member has, to the object; gives every member what was there. */
template <typename __Group, typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ __Value __claim(const __Group &__group, __Atomic &__to, const __Value &__scanned,
                              __Operator &__operator) {
  unsigned int __last = (unsigned int)__group.num_threads() - 1;
  __Value __before = __scanned;
  if (__group.thread_rank() == __last)
    __before = __update(__to, __scanned, __operator);
  return __group.shfl(__before, (int)__last);
}
} // namespace details

template <typename __Group, typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type
inclusive_scan_update(const __Group &__group, __Atomic &&__to, __Value &&__value, __Operator &&__operator) {
  typename details::__plain<__Value>::type __own = inclusive_scan(__group, __value, __operator);
  return __operator(details::__claim(__group, __to, __own, __operator), __own);
}
template <typename __Group, typename __Atomic, typename __Value>
__UW_DEVICE__ typename details::__plain<__Value>::type inclusive_scan_update(const __Group &__group, __Atomic &&__to,
                                                                             __Value &&__value) {
  return inclusive_scan_update(__group, __to, __value, plus<typename details::__plain<__Value>::type>());
}
template <typename __Group, typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type
exclusive_scan_update(const __Group &__group, __Atomic &&__to, __Value &&__value, __Operator &&__operator) {
  typename details::__plain<__Value>::type __own = inclusive_scan(__group, __value, __operator);
  typename details::__plain<__Value>::type __before = details::__claim(__group, __to, __own, __operator);
  __own = __group.shfl_up(__own, 1u);
  return __group.thread_rank() == 0 ? __before : __operator(__before, __own);
}
template <typename __Group, typename __Atomic, typename __Value>
__UW_DEVICE__ typename details::__plain<__Value>::type exclusive_scan_update(const __Group &__group, __Atomic &&__to,
                                                                             __Value &&__value) {
  return exclusive_scan_update(__group, __to, __value, plus<typename details::__plain<__Value>::type>());
}

} // namespace cooperative_groups

#endif
