/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: atom and red on halves and bfloat16 where LLVM has no operation of the same value on every CPU (its bfloat needs a
 * function that not every libgcc has, its minimum has another zero and NaN). frontend/ptx/memory.c calls these; each
 * gives what was there before.
 */
#include "ptx.h"

#define ATOMIC(name, operation)                                                                                        \
  UW_SHORT uint16_t __ptx_atom_##name(void *address, uint16_t value) {                                                 \
    uint16_t before = __atomic_load_n((uint16_t *)address, __ATOMIC_RELAXED), after;                                   \
    do                                                                                                                 \
      after = operation(before, value);                                                                                \
    while (!__atomic_compare_exchange_n((uint16_t *)address, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));  \
    return before;                                                                                                     \
  }
uint16_t __ptx_add_bf16(uint16_t, uint16_t), __ptx_min_bf16(uint16_t, uint16_t), __ptx_max_bf16(uint16_t, uint16_t);
ATOMIC(add_bf16, __ptx_add_bf16)
ATOMIC(min_bf16, __ptx_min_bf16)
ATOMIC(max_bf16, __ptx_max_bf16)

_Float16 __ptx_min_f16(_Float16, _Float16), __ptx_max_f16(_Float16, _Float16);
UW_LOCAL uint16_t least_half(uint16_t a, uint16_t b) {
  return half_bits(__ptx_min_f16(half_of_bits(a), half_of_bits(b)));
}
UW_LOCAL uint16_t greatest_half(uint16_t a, uint16_t b) {
  return half_bits(__ptx_max_f16(half_of_bits(a), half_of_bits(b)));
}
ATOMIC(min_f16, least_half)
ATOMIC(max_f16, greatest_half)
