// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of kernels.py on the host (host_threads.h). Included in a namespace; end_side.h takes them back.
#define KERNEL(name)                                                                                                   \
  static void name##_body(PARAMETERS);                                                                                 \
  static void name() {                                                                                                 \
    const Arguments &a = cpu_arguments;                                                                                \
    name##_body(a.in, a.fin, a.out, a.bins, a.wide_bins, a.real_bins, a.n);                                            \
    host_block->leave();                                                                                               \
  }                                                                                                                    \
  static void name##_body(PARAMETERS)
#define TID (host_block->self->tid)
#define BD (host_block->bd)
#define BID (host_block->bid)
#define table table_cpu
#define ENTER                                                                                                          \
  unsigned *sh = host_block->sh, *counts = host_block->counts, &cell = host_block->cell;                               \
  uint2 *pairs = host_block->pairs;                                                                                    \
  unsigned short *dyn_short = (unsigned short *)host_block->dynamic;                                                   \
  float *dyn_float = (float *)(host_block->dynamic + 256);                                                             \
  if (TID == 0)                                                                                                        \
    cell = 9;                                                                                                          \
  host_block->sync();                                                                                                  \
  (void)sh, (void)counts, (void)cell, (void)pairs, (void)dyn_short, (void)dyn_float;
#define SYNC() host_block->sync()
#define SYNC_COUNT(c) host_block->vote(0, c)
#define SYNC_OR(c) host_block->vote(1, c)
#define SYNC_AND(c) host_block->vote(2, c)
#define SHFL(mask, v, lane) (unsigned)host_block->meet(mask, v)[lane]
#define SHFL_UP(v, by, width) shuffle_up(v, by, width)
#define SHFL_DOWN(v, by, width) shuffle_down(v, by, width)
#define SHFL_XOR(v, by) (unsigned)host_block->meet(~0u, v)[(TID % 32u) ^ (by)]
#define SHFL_WIDE(v, lane) host_block->meet(~0u, v)[lane]
#define BALLOT(mask, c) ballot_lanes(mask, c)
#define ANY(mask, c) (unsigned)(ballot_lanes(mask, c) != 0u)
#define ALL(mask, c) (unsigned)(ballot_lanes(mask, c) == (mask))
#define REDUCE_ADD(mask, v) reduce_lanes(mask, v, 0)
#define REDUCE_MAX(mask, v) reduce_lanes(mask, v, 1)
#define REDUCE_MIN(mask, v) reduce_lanes(mask, v, 2)
#define REDUCE_OR(mask, v) reduce_lanes(mask, v, 3)
#define REDUCE_AND(mask, v) reduce_lanes(mask, v, 4)
#define REDUCE_XOR(mask, v) reduce_lanes(mask, v, 5)
#define MATCH(mask, v) match_lanes(mask, v)
#define TILE_SUM_4(v) tile_sum_lanes(v, 4)
#define TILE_SUM_8(v) tile_sum_lanes(v, 8)
#define TILE_SUM_16(v) tile_sum_lanes(v, 16)
#define SYNCWARP() host_block->meet(MASK, 0)
#define ATOMIC_ADD(at, v) (void)(*(at) += (v))
#define ATOMIC_MAX(at, v) (void)at_most(at, v)
#define ATOMIC_MIN(at, v) (void)at_least(at, v)
#define ATOMIC_OR(at, v) (void)(*(at) |= (v))
#define ATOMIC_AND(at, v) (void)(*(at) &= (v))
#define ATOMIC_XOR(at, v) (void)(*(at) ^= (v))
#define ATOMIC_INC(at) count_up(at)
#define ATOMIC_CAS_MAX(at, v) (void)at_most(at, v)
#define ATOMIC_ADD64(at, v) (void)(*(at) += (v))
#define ATOMIC_ADDF(at, v) (void)(*(at) += (v))
#define POPC(x) (unsigned)__builtin_popcount(x)
#define CLZ(x) leading_zeros(x)
#define BREV(x) __builtin_bitreverse32(x)
#define FFS(x) (unsigned)__builtin_ffs((int)(x))
#define UMULHI(a, b) (unsigned)((unsigned long long)(unsigned)(a) * (unsigned)(b) >> 32)
#define BYTE_PERM(a, b, s) byte_permutation(a, b, s)
#define FUNNEL(a, b, s) funnel(a, b, s)
#define SAD(a, b, c) distance(a, b, c)
#define HALF __half
#define TO_HALF(x) __float2half(x)
#define FROM_HALF(x) __half2float(x)
#define HALF_ADD(a, b) __float2half(__half2float(a) + __half2float(b))
#define HALF_SUB(a, b) __float2half(__half2float(a) - __half2float(b))
#define HALF_MUL(a, b) __float2half(__half2float(a) * __half2float(b))

static inline void at_most(unsigned *at, unsigned v) { *at = v > *at ? v : *at; }
static inline void at_least(unsigned *at, unsigned v) { *at = v < *at ? v : *at; }
static inline void count_up(unsigned *at) { *at = *at >= 1000u ? 0u : *at + 1u; }
static inline unsigned leading_zeros(unsigned x) { return x ? (unsigned)__builtin_clz(x) : 32u; }
static inline unsigned funnel(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31u) >> 32);
}
static inline unsigned distance(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
#include "both_sides.h"
