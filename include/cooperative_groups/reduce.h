/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * reduce() over the members of a tile or a coalesced group, and the operators it takes. (CUDA C++ Programming Guide,
 * "Cooperative Groups", part "reduce".)
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
    template <typename __Type>                                                                                         \
    __attribute__((host, device)) __Type operator()(__Type __left, __Type __right) const {                             \
      return result;                                                                                                   \
    }                                                                                                                  \
  };
__UW_OPERATOR(plus, __left + __right)
__UW_OPERATOR(less, __right < __left ? __right : __left)
__UW_OPERATOR(greater, __left < __right ? __right : __left)
__UW_OPERATOR(bit_and, __left & __right)
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

} // namespace cooperative_groups

#endif
