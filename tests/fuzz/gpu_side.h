// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of kernels.py on a GPU. Included in a namespace; end_side.h takes them back.
#define KERNEL(name) __global__ void name(PARAMETERS)
#define TID (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
#define BD (blockDim.x * blockDim.y * blockDim.z)
#define BID (blockIdx.x + gridDim.x * blockIdx.y)
#define table table_gpu
#define ENTER                                                                                                          \
  __shared__ unsigned sh[MOST_THREADS], cell, counts[8];                                                               \
  __shared__ uint2 pairs[MOST_THREADS];                                                                                \
  extern __shared__ unsigned char dynamic_memory[];                                                                    \
  unsigned short *dyn_short = (unsigned short *)dynamic_memory;                                                        \
  float *dyn_float = (float *)(dynamic_memory + 256);                                                                  \
  if (TID == 0) {                                                                                                      \
    for (unsigned i = 0; i < MOST_THREADS; i++)                                                                        \
      sh[i] = dyn_short[i] = 0, dyn_float[i] = 0, pairs[i] = make_uint2(0, 0);                                         \
    for (unsigned i = 0; i < 8; i++)                                                                                   \
      counts[i] = 0;                                                                                                   \
    cell = 9;                                                                                                          \
  }                                                                                                                    \
  __syncthreads();
#define SYNC() __syncthreads()
#define SYNC_COUNT(c) (unsigned)__syncthreads_count(c)
#define SYNC_OR(c) (unsigned)(__syncthreads_or(c) != 0)
#define SYNC_AND(c) (unsigned)(__syncthreads_and(c) != 0)
#define SHFL(mask, v, lane) __shfl_sync(mask, v, lane)
#define SHFL_UP(v, by, width) __shfl_up_sync(~0u, v, by, width)
#define SHFL_DOWN(v, by, width) __shfl_down_sync(~0u, v, by, width)
#define SHFL_XOR(v, by) __shfl_xor_sync(~0u, v, by)
#define SHFL_WIDE(v, lane) __shfl_sync(~0u, (unsigned long long)(v), lane)
#define BALLOT(mask, c) __ballot_sync(mask, c)
#define ANY(mask, c) (unsigned)(__any_sync(mask, c) != 0)
#define ALL(mask, c) (unsigned)(__all_sync(mask, c) != 0)
#define REDUCE_ADD(mask, v) __reduce_add_sync(mask, v)
#define REDUCE_MAX(mask, v) __reduce_max_sync(mask, v)
#define REDUCE_MIN(mask, v) __reduce_min_sync(mask, v)
#define REDUCE_OR(mask, v) __reduce_or_sync(mask, v)
#define REDUCE_AND(mask, v) __reduce_and_sync(mask, v)
#define REDUCE_XOR(mask, v) __reduce_xor_sync(mask, v)
#define MATCH(mask, v) __match_any_sync(mask, v)
#define TILE_SUM_4(v) tile_sum<4>(v)
#define TILE_SUM_8(v) tile_sum<8>(v)
#define TILE_SUM_16(v) tile_sum<16>(v)
#define SYNCWARP() __syncwarp(MASK)
#define ATOMIC_ADD(at, v) atomicAdd(at, v)
#define ATOMIC_MAX(at, v) atomicMax(at, v)
#define ATOMIC_MIN(at, v) atomicMin(at, v)
#define ATOMIC_OR(at, v) atomicOr(at, v)
#define ATOMIC_AND(at, v) atomicAnd(at, v)
#define ATOMIC_XOR(at, v) atomicXor(at, v)
#define ATOMIC_INC(at) atomicInc(at, 1000u)
#define ATOMIC_CAS_MAX(at, v) cas_max(at, v)
#define ATOMIC_ADD64(at, v) atomicAdd(at, (unsigned long long)(v))
#define ATOMIC_ADDF(at, v) atomicAdd(at, v)
#define POPC(x) (unsigned)__popc(x)
#define CLZ(x) (unsigned)__clz((int)(x))
#define BREV(x) __brev(x)
#define FFS(x) (unsigned)__ffs((int)(x))
#define UMULHI(a, b) __umulhi(a, b)
#define BYTE_PERM(a, b, s) __byte_perm(a, b, s)
#define FUNNEL(a, b, s) __funnelshift_l(a, b, s)
#define SAD(a, b, c) __usad(a, b, c)
#define HALF __half
#define TO_HALF(x) __float2half(x)
#define FROM_HALF(x) __half2float(x)
#define HALF_ADD(a, b) __hadd(a, b)
#define HALF_SUB(a, b) __hsub(a, b)
#define HALF_MUL(a, b) __hmul(a, b)

template <int N> __device__ unsigned tile_sum(unsigned value) {
  auto tile = cooperative_groups::tiled_partition<N>(cooperative_groups::this_thread_block());
  return cooperative_groups::reduce(tile, value, cooperative_groups::plus<unsigned>());
}
__device__ static void cas_max(unsigned *at, unsigned value) {
  unsigned seen = *(volatile unsigned *)at;
  while (seen < value) {
    unsigned before = atomicCAS(at, seen, value);
    if (before == seen)
      break;
    seen = before;
  }
}
#include "both_sides.h"
