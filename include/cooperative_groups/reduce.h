/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * reduce() over the members of a tile or a coalesced group, the operators it takes, and the forms that put the result
 * into memory. (CUDA C++ Programming Guide, "Cooperative Groups", part "reduce".)
 */
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define __UW_OPERATOR(name, result)                                                                                    \
  template <typename __Type = void> struct name {                                                                      \
    __attribute__((host, device)) __Type operator()(__Type __left, __Type __right) const { return result; }            \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <typename __Type> __attribute__((host, device)) __Type operator()(__Type __left, __Type __right) const {  \
      return result;                                                                                                   \
    }                                                                                                                  \
  };
__UW_OPERATOR(plus, __left + __right)
__UW_OPERATOR(less, __right < __left ? __right : __left)
__UW_OPERATOR(greater, __left < __right ? __right : __left)
__UW_OPERATOR(bit_and, __left &__right)
__UW_OPERATOR(bit_or, __left | __right)
__UW_OPERATOR(bit_xor, __left ^ __right)
#undef __UW_OPERATOR

template <unsigned int __Size, typename __Parent, typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type reduce(const thread_block_tile<__Size, __Parent> &__tile,
                                                              __Value &&__value, __Operator &&__operator) {
  typename details::__plain<__Value>::type __result = __value;
  for (unsigned int __step = __Size / 2; __step > 0; __step /= 2)
    __result = __operator(__result, __tile.shfl_xor(__result, (int)__step));
  return __result;
}
template <typename __Value, typename __Operator>
__UW_DEVICE__ typename details::__plain<__Value>::type reduce(const coalesced_group &__group, __Value &&__value,
                                                              __Operator &&__operator) {
  typename details::__plain<__Value>::type __own = __value, __result = __group.shfl(__own, 0);
  for (unsigned int __rank = 1; __rank < __group.num_threads(); ++__rank)
    __result = __operator(__result, __group.shfl(__own, (int)__rank));
  return __result;
}

namespace details {
/* Combines a value into an atomic object of any kind that loads and compares; gives what was there. */
template <typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ auto __update(__Atomic &__atomic, const __Value &__value, __Operator &__operator) ->
    typename __plain<decltype(__atomic.load())>::type {
  auto __old = __atomic.load();
  while (!__atomic.compare_exchange_weak(__old, __operator(__old, __value)))
    ;
  return __old;
}
} // namespace details

/* The destination is a cuda::atomic or cuda::atomic_ref, in the last form plain memory. Done when the call returns. */
template <typename __Group, typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ void reduce_update_async(const __Group &__group, __Atomic &&__to, __Value &&__value,
                                       __Operator &&__operator) {
  auto __result = reduce(__group, __value, __operator);
  if (__group.thread_rank() == 0)
    details::__update(__to, __result, __operator);
}
template <typename __Group, typename __Atomic, typename __Value, typename __Operator>
__UW_DEVICE__ auto reduce_store_async(const __Group &__group, __Atomic &&__to, __Value &&__value,
                                      __Operator &&__operator) -> decltype(__to.store(__value)) {
  auto __result = reduce(__group, __value, __operator);
  if (__group.thread_rank() == 0)
    __to.store(__result);
}
template <typename __Group, typename __Type, typename __Value, typename __Operator>
__UW_DEVICE__ void reduce_store_async(const __Group &__group, __Type *__to, __Value &&__value,
                                      __Operator &&__operator) {
  auto __result = reduce(__group, __value, __operator);
  if (__group.thread_rank() == 0)
    *__to = __result;
}

} // namespace cooperative_groups

#endif
