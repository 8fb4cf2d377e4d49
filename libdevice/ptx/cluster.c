/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: thread block clusters. (PTX ISA, "Data Movement and Conversion Instructions: mapa, getctarank", "barrier.cluster".)
 * A barrier that is arrived at and waited for in two steps is passed at the second. */
#include "../../runtime/uwrt.h"
#include "ptx.h"

__attribute__((convergent)) void cluster_sync(void) __asm__("uwrt_cluster_sync");

extern __attribute__((address_space(3))) char __unwarp_cluster_window[];
void *__ptx_shared_address(uint64_t address);

UW_LOCAL uint64_t mapped(uint64_t address, uint32_t rank) {
  void *there = uwrt_cluster_map((void *)(__SIZE_TYPE__)address, rank, (char *)__unwarp_cluster_window);
  if (!there) {
    uwrt_cluster_outside();
    __builtin_trap();
  }
  return (uint64_t)(__SIZE_TYPE__)there;
}
UW_LOCAL uint64_t whole(uint64_t address) { return (uint64_t)(__SIZE_TYPE__)__ptx_shared_address(address); }

PTX(uint64_t, mapa_u64)(uint64_t address, uint32_t rank) { return mapped(address, rank); }
PTX(uint32_t, mapa_u32)(uint32_t address, uint32_t rank) { return (uint32_t)mapped(whole(address), rank); }

PTX(uint32_t, getctarank_u64)(uint64_t address) {
  return uwrt_cluster_rank((void *)(__SIZE_TYPE__)address, (char *)__unwarp_cluster_window);
}
PTX(uint32_t, getctarank_u32)(uint32_t address) { return __ptx_getctarank_u64(whole(address)); }

/* A shared address may have 64 bits, of which the low ones count. */
#define SHARED(name)                                                                                                   \
  PTX(uint64_t, mapa_##name##_u64)(uint64_t address, uint32_t rank) { return mapped(whole(address), rank); }           \
  PTX(uint32_t, mapa_##name##_u32)(uint32_t address, uint32_t rank) { return (uint32_t)mapped(whole(address), rank); } \
  PTX(uint32_t, getctarank_##name##_u64)(uint64_t address) { return __ptx_getctarank_u64(whole(address)); }            \
  PTX(uint32_t, getctarank_##name##_u32)(uint32_t address) { return __ptx_getctarank_u64(whole(address)); }
SHARED(shared)

#define BARRIER(order)                                                                                                 \
  PTX(void, bar_cluster_arrive##order)(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }                              \
  PTX(void, bar_cluster_wait##order)(void) { cluster_sync(); }
BARRIER()
BARRIER(_acquire)
BARRIER(_release)
BARRIER(_relaxed)
