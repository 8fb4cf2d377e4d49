/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: bulk copies, and what else is counted by a barrier in memory: cp.async.bulk, cp.reduce.async.bulk, st.async,
 * red.async. Each is done when its instruction has run, and then tells its barrier the bytes (mbarrier.c). So a group of
 * bulk copies is never waited for. Without clusters .shared::cluster is the block's own shared memory.
 */
#include "ptx.h"

void __ptx_mbarrier_complete_tx_b64(void *barrier, uint32_t bytes);

/* Addresses and sizes are multiples of 16. */
UW_LOCAL void copy(void *to, const void *from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes / 16; i++)
    __builtin_memcpy((char *)to + (uint64_t)i * 16, (const char *)from + (uint64_t)i * 16, 16);
}
#define COPY(spaces)                                                                                                   \
  PTX(void, cp_async_bulk_##spaces##_mbarrier_complete_tx_bytes)(void *to, const void *from, uint32_t bytes,           \
                                                                 void *barrier) {                                      \
    copy(to, from, bytes);                                                                                             \
    __ptx_mbarrier_complete_tx_b64(barrier, bytes);                                                                    \
  }
COPY(shared_global)
COPY(shared_shared)
PTX(void, cp_async_bulk_global_shared_bulk_group)(void *to, const void *from, uint32_t bytes) { copy(to, from, bytes); }
PTX(void, cp_async_bulk_prefetch_L2_global)(const void *from, uint32_t bytes) { (void)from, (void)bytes; }
PTX(void, cp_async_bulk_commit_group)(void) {}
PTX(void, cp_async_bulk_wait_group)(uint32_t pending) { (void)pending; }
PTX(void, cp_async_bulk_wait_group_read)(uint32_t pending) { (void)pending; }

/* --- atomic operations on elements -------------------------------------------------------------------------------- */

#define SWAP(name, type, bits, now, expression)                                                                        \
  UW_LOCAL void update_##name(void *address, type operand) {                                                           \
    bits before = __atomic_load_n((bits *)address, __ATOMIC_RELAXED), after;                                           \
    do {                                                                                                               \
      type now = __builtin_bit_cast(type, before);                                                                     \
      after = __builtin_bit_cast(bits, (type)(expression));                                                            \
    } while (!__atomic_compare_exchange_n((bits *)address, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));    \
  }
#define INTEGERS(name, type, bits)                                                                                     \
  SWAP(min_##name, type, bits, now, now < operand ? now : operand)                                                     \
  SWAP(max_##name, type, bits, now, now > operand ? now : operand)                                                     \
  UW_LOCAL void update_add_##name(void *address, type operand) {                                                       \
    __atomic_fetch_add((bits *)address, (bits)operand, __ATOMIC_RELAXED);                                              \
  }
INTEGERS(u32, uint32_t, uint32_t)
INTEGERS(s32, int32_t, uint32_t)
INTEGERS(u64, uint64_t, uint64_t)
INTEGERS(s64, int64_t, uint64_t)
SWAP(inc_u32, uint32_t, uint32_t, now, now >= operand ? 0 : now + 1)
SWAP(dec_u32, uint32_t, uint32_t, now, now == 0 || now > operand ? operand : now - 1)
#define LOGIC(name, bits)                                                                                              \
  UW_LOCAL void update_and_##name(void *address, bits operand) {                                                       \
    __atomic_fetch_and((bits *)address, operand, __ATOMIC_RELAXED);                                                    \
  }                                                                                                                    \
  UW_LOCAL void update_or_##name(void *address, bits operand) {                                                        \
    __atomic_fetch_or((bits *)address, operand, __ATOMIC_RELAXED);                                                     \
  }                                                                                                                    \
  UW_LOCAL void update_xor_##name(void *address, bits operand) {                                                       \
    __atomic_fetch_xor((bits *)address, operand, __ATOMIC_RELAXED);                                                    \
  }
LOGIC(b32, uint32_t)
LOGIC(b64, uint64_t)
SWAP(add_f32, float, uint32_t, now, now + operand)
SWAP(add_f64, double, uint64_t, now, now + operand)
_Float16 __ptx_min_f16(_Float16, _Float16), __ptx_max_f16(_Float16, _Float16), __ptx_add_f16(_Float16, _Float16);
uint16_t __ptx_min_bf16(uint16_t, uint16_t), __ptx_max_bf16(uint16_t, uint16_t), __ptx_add_bf16(uint16_t, uint16_t);
SWAP(min_f16, _Float16, uint16_t, now, __ptx_min_f16(now, operand))
SWAP(max_f16, _Float16, uint16_t, now, __ptx_max_f16(now, operand))
SWAP(add_noftz_f16, _Float16, uint16_t, now, __ptx_add_f16(now, operand))
SWAP(min_bf16, uint16_t, uint16_t, now, __ptx_min_bf16(now, operand))
SWAP(max_bf16, uint16_t, uint16_t, now, __ptx_max_bf16(now, operand))
SWAP(add_noftz_bf16, uint16_t, uint16_t, now, __ptx_add_bf16(now, operand))

/* --- cp.reduce.async.bulk ------------------------------------------------------------------------------------------ */

#define REDUCE(operation, type)                                                                                        \
  UW_LOCAL void all_##operation(void *to, const void *from, uint32_t bytes) {                                          \
    for (uint32_t i = 0; i < bytes / sizeof(type); i++)                                                                \
      update_##operation((type *)to + i, ((const type *)from)[i]);                                                     \
  }                                                                                                                    \
  PTX(void, cp_reduce_async_bulk_global_shared_bulk_group_##operation)(void *to, const void *from, uint32_t bytes) {   \
    all_##operation(to, from, bytes);                                                                                  \
  }
#define REDUCE_SHARED(operation, type)                                                                                 \
  PTX(void, cp_reduce_async_bulk_shared_shared_mbarrier_complete_tx_bytes_##operation)(                                \
      void *to, const void *from, uint32_t bytes, void *barrier) {                                                     \
    all_##operation(to, from, bytes);                                                                                  \
    __ptx_mbarrier_complete_tx_b64(barrier, bytes);                                                                    \
  }
#define EACH_SHARED(define)                                                                                            \
  define(and_b32, uint32_t) define(or_b32, uint32_t) define(xor_b32, uint32_t) define(add_u32, uint32_t)               \
      define(add_s32, int32_t) define(add_u64, uint64_t) define(inc_u32, uint32_t) define(dec_u32, uint32_t)           \
          define(min_u32, uint32_t) define(min_s32, int32_t) define(max_u32, uint32_t) define(max_s32, int32_t)
EACH_SHARED(REDUCE)
EACH_SHARED(REDUCE_SHARED)
REDUCE(and_b64, uint64_t)
REDUCE(or_b64, uint64_t)
REDUCE(xor_b64, uint64_t)
REDUCE(min_u64, uint64_t)
REDUCE(min_s64, int64_t)
REDUCE(max_u64, uint64_t)
REDUCE(max_s64, int64_t)
REDUCE(add_f32, float)
REDUCE(add_f64, double)
REDUCE(add_noftz_f16, _Float16)
REDUCE(min_f16, _Float16)
REDUCE(max_f16, _Float16)
REDUCE(add_noftz_bf16, uint16_t)
REDUCE(min_bf16, uint16_t)
REDUCE(max_bf16, uint16_t)

/* --- st.async, red.async ------------------------------------------------------------------------------------------- */

#define STORE(name, type)                                                                                              \
  PTX(void, st_async_shared_mbarrier_complete_tx_bytes_##name)(void *to, type a, void *barrier) {                      \
    *(volatile type *)to = a;                                                                                          \
    __ptx_mbarrier_complete_tx_b64(barrier, sizeof(type));                                                             \
  }                                                                                                                    \
  PTX(void, st_async_shared_mbarrier_complete_tx_bytes_v2_##name)(void *to, type a, type b, void *barrier) {           \
    ((volatile type *)to)[0] = a, ((volatile type *)to)[1] = b;                                                        \
    __ptx_mbarrier_complete_tx_b64(barrier, 2 * sizeof(type));                                                         \
  }                                                                                                                    \
  PTX(void, st_async_shared_mbarrier_complete_tx_bytes_v4_##name)(void *to, type a, type b, type c, type d,            \
                                                                  void *barrier) {                                     \
    ((volatile type *)to)[0] = a, ((volatile type *)to)[1] = b, ((volatile type *)to)[2] = c;                          \
    ((volatile type *)to)[3] = d;                                                                                      \
    __ptx_mbarrier_complete_tx_b64(barrier, 4 * sizeof(type));                                                         \
  }
STORE(b32, uint32_t)
STORE(u32, uint32_t)
STORE(s32, uint32_t)
STORE(f32, float)
STORE(b64, uint64_t)
STORE(u64, uint64_t)
STORE(s64, uint64_t)
STORE(f64, double)

#define ONE(operation, type)                                                                                           \
  PTX(void, red_async_relaxed_cluster_shared_mbarrier_complete_tx_bytes_##operation)(void *to, type a,                 \
                                                                                     void *barrier) {                  \
    update_##operation(to, a);                                                                                         \
    __ptx_mbarrier_complete_tx_b64(barrier, sizeof(type));                                                             \
  }
EACH_SHARED(ONE)
