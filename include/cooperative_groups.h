/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cooperative groups: the grid, the block, and parts of a warp as objects that can be passed, partitioned and
 * synchronised. (CUDA C++ Programming Guide, "Cooperative Groups".)
 *
 * A part of a warp is known by the mask of its lanes, whatever its type: a tile's lanes are consecutive, a coalesced
 * group's need not be. Ranks, ballots and shuffles of a group count its members only.
 *
 * A barrier that is arrived at and waited for in two steps is passed at the second. Groups over several devices are
 * refused by name.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

/* The runtime's, in runtime/uwrt.h; the compiler knows them. */
extern "C" __attribute__((device)) void uwrt_grid_sync(void);
extern "C" __attribute__((device)) unsigned int uwrt_grid_is_cooperative(void);
extern "C" __attribute__((device, nothrow)) void uwrt_note_tile(void); /* for -fcheck; without it nothing is called */

namespace cooperative_groups {

class thread_group;
class thread_block;
class coalesced_group;
template <unsigned int __Size, typename __Parent = void> class thread_block_tile;

namespace details {
__UW_DEVICE__ unsigned int __block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__UW_DEVICE__ unsigned int __block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__UW_DEVICE__ unsigned int __lane() { return __block_rank() & 31; }
__UW_DEVICE__ unsigned int __lanes_below() { return (1u << __lane()) - 1; }

/* Bits of lanes, kept at the members of mask and moved together. */
__UW_DEVICE__ unsigned int __pack(unsigned int __lanes, unsigned int __mask) {
  if (__mask == 0xffffffffu)
    return __lanes;
  unsigned int __packed = 0;
  for (int __to = 0; __mask; ++__to, __mask &= __mask - 1)
    __packed |= (__lanes >> __builtin_ctz(__mask) & 1) << __to;
  return __packed;
}
__UW_DEVICE__ unsigned int __lane_of_rank(unsigned int __mask, unsigned int __rank) {
  if (__mask == 0xffffffffu)
    return __rank & 31;
  for (; __rank > 0 && (__mask & (__mask - 1)); --__rank)
    __mask &= __mask - 1;
  return (unsigned int)__builtin_ctz(__mask);
}

/* A shuffle of any type that can be copied bit by bit. */
template <typename __Type> __UW_DEVICE__ __Type __shuffle(unsigned int __mask, const __Type &__value, int __lane) {
  if constexpr (__is_arithmetic(__Type)) {
    return (__Type)__shfl_sync(__mask, __value, __lane);
  } else {
    unsigned int __words[(sizeof(__Type) + 3) / 4] = {};
    __Type __result;
    __builtin_memcpy(__words, &__value, sizeof(__Type));
    for (unsigned int &__word : __words)
      __word = __shfl_sync(__mask, __word, __lane);
    __builtin_memcpy((void *)&__result, __words, sizeof(__Type));
    return __result;
  }
}
template <typename __Type> struct __plain {
  typedef __Type type;
};
template <typename __Type> struct __plain<__Type &> {
  typedef __Type type;
};
template <typename __Type> struct __plain<__Type &&> {
  typedef __Type type;
};
template <typename __Type> struct __plain<const __Type> {
  typedef __Type type;
};
template <typename __Type> struct __plain<const __Type &> {
  typedef __Type type;
};

/* Which of the parts of so many members the rank-th member of a mask is in: the lanes of that part. */
__UW_DEVICE__ unsigned int __part_of(unsigned int __mask, unsigned int __rank, unsigned int __size) {
  unsigned int __part = 0;
  for (unsigned int __at = 0; __mask; ++__at, __mask &= __mask - 1)
    if (__at / __size == __rank / __size)
      __part |= __mask & (0 - __mask);
  return __part;
}

/* A size that only the running program knows: CUDA takes powers of two up to a warp. */
__UW_DEVICE__ void __check_tile_size(unsigned int __size) {
  if (__size == 0 || __size > 32 || (__size & (__size - 1)) != 0)
    __trap();
}
} // namespace details

/* Any group, its kind known at run time. */
class thread_group {
protected:
  friend __attribute__((device)) thread_group tiled_partition(const thread_group &, unsigned int);
  enum __kinds {
    __grid_kind,
    __block_kind,
    __warp_kind,
    __warps_kind, /* several; __members counts threads */
    __cluster_kind
  };
  unsigned int __kind, __members, __index, __count;
  __attribute__((device)) thread_group(unsigned int __new_kind, unsigned int __mask, unsigned int __meta_rank = 0,
                                       unsigned int __meta_size = 1)
      : __kind(__new_kind), __members(__mask), __index(__meta_rank), __count(__meta_size) {}

public:
  __attribute__((device, always_inline)) void sync() const {
    if (__kind == __block_kind || __kind == __warps_kind)
      __syncthreads();
    else if (__kind == __warp_kind)
      __syncwarp(__members);
    else if (__kind == __cluster_kind)
      uwrt_cluster_sync();
    else
      uwrt_grid_sync();
  }
  __attribute__((device, always_inline)) unsigned long long num_threads() const {
    if (__kind == __warp_kind)
      return (unsigned int)__builtin_popcount(__members);
    if (__kind == __warps_kind)
      return __members;
    unsigned long long __threads = details::__block_size();
    if (__kind == __cluster_kind)
      return __threads * __clusterSizeInBlocks();
    return __kind == __block_kind ? __threads : __threads * gridDim.x * gridDim.y * gridDim.z;
  }
  __attribute__((device, always_inline)) unsigned long long size() const { return num_threads(); }
  __attribute__((device, always_inline)) unsigned long long thread_rank() const {
    if (__kind == __warp_kind)
      return (unsigned int)__builtin_popcount(__members & details::__lanes_below());
    unsigned long long __rank = details::__block_rank();
    if (__kind == __warps_kind)
      return __rank % __members;
    if (__kind == __block_kind)
      return __rank;
    if (__kind == __cluster_kind)
      return __clusterRelativeBlockRank() * (unsigned long long)details::__block_size() + __rank;
    unsigned long long __block = blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return __block * details::__block_size() + __rank;
  }
};

/* All threads of the grid. Synchronising it needs a cooperative launch. */
class grid_group : public thread_group {
  __attribute__((device)) grid_group() : thread_group(__grid_kind, 0) {}
  friend __attribute__((device)) grid_group this_grid();

public:
  struct arrival_token {};
  __attribute__((device)) static void sync() { uwrt_grid_sync(); }
  __attribute__((device)) static arrival_token barrier_arrive() { return arrival_token(); }
  __attribute__((device)) static void barrier_wait(arrival_token &&) { uwrt_grid_sync(); }
  __attribute__((device)) static bool is_valid() { return uwrt_grid_is_cooperative(); }
  __attribute__((device)) static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __attribute__((device)) static dim3 dim_blocks() { return group_dim(); }
  __attribute__((device)) static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __attribute__((device)) static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  __attribute__((device)) static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  __attribute__((device)) static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __attribute__((device)) static unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  __attribute__((device)) static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  __attribute__((device)) static dim3 cluster_index() { return __clusterIdx(); }
  __attribute__((device)) static unsigned long long num_clusters() {
    dim3 __size = dim_clusters();
    return (unsigned long long)__size.x * __size.y * __size.z;
  }
  __attribute__((device)) static unsigned long long cluster_rank() {
    dim3 __place = cluster_index(), __size = dim_clusters();
    return __place.x + (unsigned long long)__size.x * (__place.y + (unsigned long long)__size.y * __place.z);
  }
  __attribute__((device)) static unsigned long long num_threads() { return num_blocks() * details::__block_size(); }
  __attribute__((device)) static unsigned long long size() { return num_threads(); }
  __attribute__((device)) static unsigned long long thread_rank() {
    return block_rank() * details::__block_size() + details::__block_rank();
  }
};
__attribute__((device, always_inline)) inline grid_group this_grid() { return grid_group(); }

/* All threads of the blocks of a cluster. A launch without clusters has one block in each. */
class cluster_group : public thread_group {
  __attribute__((device)) cluster_group() : thread_group(__cluster_kind, 0) {}
  friend __attribute__((device)) cluster_group this_cluster();

public:
  struct arrival_token {};
  __attribute__((device)) static void sync() { uwrt_cluster_sync(); }
  __attribute__((device)) static arrival_token barrier_arrive() { return arrival_token(); }
  __attribute__((device)) static void barrier_wait() { uwrt_cluster_sync(); }
  __attribute__((device)) static void barrier_wait(arrival_token &&) { uwrt_cluster_sync(); }

  __attribute__((device)) static unsigned int query_shared_rank(const void *__address) {
    return __cluster_query_shared_rank(__address);
  }
  template <typename __Type> __attribute__((device)) static __Type *map_shared_rank(__Type *__address, int __rank) {
    return (__Type *)__cluster_map_shared_rank((const void *)__address, (unsigned int)__rank);
  }

  __attribute__((device)) static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  __attribute__((device)) static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  __attribute__((device)) static dim3 dim_blocks() { return __clusterDim(); }
  __attribute__((device)) static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  __attribute__((device)) static dim3 thread_index() {
    dim3 __block = block_index();
    return dim3(__block.x * blockDim.x + threadIdx.x, __block.y * blockDim.y + threadIdx.y,
                __block.z * blockDim.z + threadIdx.z);
  }
  __attribute__((device)) static dim3 dim_threads() {
    dim3 __blocks = dim_blocks();
    return dim3(__blocks.x * blockDim.x, __blocks.y * blockDim.y, __blocks.z * blockDim.z);
  }
  __attribute__((device)) static unsigned int num_threads() { return num_blocks() * details::__block_size(); }
  __attribute__((device)) static unsigned int size() { return num_threads(); }
  __attribute__((device)) static unsigned int thread_rank() {
    return block_rank() * details::__block_size() + details::__block_rank();
  }
};
__attribute__((device, always_inline)) inline cluster_group this_cluster() { return cluster_group(); }

/* All threads of the block. */
class thread_block : public thread_group {
  __attribute__((device)) thread_block() : thread_group(__block_kind, 0) {}
  friend __attribute__((device)) thread_block this_thread_block();

public:
  struct arrival_token {};
  __attribute__((device)) static void sync() { __syncthreads(); }
  __attribute__((device)) static arrival_token barrier_arrive() { return arrival_token(); }
  __attribute__((device)) static void barrier_wait(arrival_token &&) { __syncthreads(); }
  __attribute__((device)) static unsigned int thread_rank() { return details::__block_rank(); }
  __attribute__((device)) static unsigned int num_threads() { return details::__block_size(); }
  __attribute__((device)) static unsigned int size() { return details::__block_size(); }
  __attribute__((device)) static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __attribute__((device)) static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __attribute__((device)) static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __attribute__((device)) static dim3 dim_threads() { return group_dim(); }
};
__attribute__((device, always_inline)) inline thread_block this_thread_block() { return thread_block(); }

/* Room that tiles of several warps may ask the program for; they have their own here. */
template <unsigned int __Max_block_size = 1024> struct block_tile_memory {
  unsigned int __unused;
};
template <unsigned int __Max_block_size>
__UW_DEVICE__ thread_block this_thread_block(block_tile_memory<__Max_block_size> &) {
  return this_thread_block();
}

/* The threads of one warp that happen to run together, or any other set of lanes. */
class coalesced_group : public thread_group {
protected:
  friend __attribute__((device)) coalesced_group coalesced_threads();
  template <typename __Group, typename __Label>
  friend __attribute__((device)) coalesced_group labeled_partition(const __Group &, __Label);
  template <typename __Group> friend __attribute__((device)) coalesced_group binary_partition(const __Group &, bool);
  friend __attribute__((device)) coalesced_group tiled_partition(const coalesced_group &, unsigned int);
  __attribute__((device)) explicit coalesced_group(unsigned int __mask, unsigned int __meta_rank = 0,
                                                   unsigned int __meta_size = 1)
      : thread_group(__warp_kind, __mask, __meta_rank, __meta_size) {}

public:
  __attribute__((device)) unsigned int __mask() const { return __members; }
  __attribute__((device)) void sync() const { __syncwarp(__members); }
  __attribute__((device)) unsigned int num_threads() const { return (unsigned int)__builtin_popcount(__members); }
  __attribute__((device)) unsigned int size() const { return num_threads(); }
  __attribute__((device)) unsigned int thread_rank() const {
    return (unsigned int)__builtin_popcount(__members & details::__lanes_below());
  }
  __attribute__((device)) unsigned int meta_group_rank() const { return __index; }
  __attribute__((device)) unsigned int meta_group_size() const { return __count; }

  template <typename __Type> __attribute__((device)) __Type shfl(__Type __value, int __rank) const {
    return details::__shuffle(__members, __value, (int)details::__lane_of_rank(__members, (unsigned int)__rank));
  }
  template <typename __Type> __attribute__((device)) __Type shfl_up(__Type __value, unsigned int __delta) const {
    unsigned int __rank = thread_rank();
    return shfl(__value, (int)(__rank >= __delta ? __rank - __delta : __rank));
  }
  template <typename __Type> __attribute__((device)) __Type shfl_down(__Type __value, unsigned int __delta) const {
    unsigned int __rank = thread_rank();
    return shfl(__value, (int)(__rank + __delta < num_threads() ? __rank + __delta : __rank));
  }
  __attribute__((device)) int any(int __predicate) const { return __any_sync(__members, __predicate); }
  __attribute__((device)) int all(int __predicate) const { return __all_sync(__members, __predicate); }
  __attribute__((device)) unsigned int ballot(int __predicate) const {
    return details::__pack(__ballot_sync(__members, __predicate), __members);
  }
  template <typename __Type> __attribute__((device)) unsigned int match_any(__Type __value) const {
    return details::__pack(__match_any_sync(__members, __value), __members);
  }
  template <typename __Type> __attribute__((device)) unsigned int match_all(__Type __value, int &__predicate) const {
    return details::__pack(__match_all_sync(__members, __value, &__predicate), __members);
  }
};
__attribute__((device, always_inline)) inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/* size consecutive threads of a block or of a larger tile. */
template <unsigned int __Size> class thread_block_tile<__Size, void> : public thread_group {
  static_assert(__Size > 0 && __Size <= 32 && (__Size & (__Size - 1)) == 0,
                "unwarp: a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads");

protected:
  template <unsigned int __Other, typename __Parent> friend class thread_block_tile;
  static constexpr unsigned int __full = __Size == 32 ? 0xffffffffu : (1u << (__Size & 31)) - 1;
  __attribute__((device)) thread_block_tile(unsigned int __meta_rank, unsigned int __meta_size)
      : thread_group(__warp_kind, __full << (details::__lane() & ~(__Size - 1)), __meta_rank, __meta_size) {}

public:
  __attribute__((device)) unsigned int __mask() const { return __Size == 32 ? 0xffffffffu : __members; }
  __attribute__((device)) void sync() const { __syncwarp(__mask()); }
  __attribute__((device)) static unsigned int thread_rank() { return details::__block_rank() & (__Size - 1); }
  __attribute__((device)) static constexpr unsigned int num_threads() { return __Size; }
  __attribute__((device)) static constexpr unsigned int size() { return __Size; }
  __attribute__((device)) unsigned int meta_group_rank() const { return __index; }
  __attribute__((device)) unsigned int meta_group_size() const { return __count; }

#define __UW_TILE_SHUFFLE(name, warp_name, lane_type)                                                                  \
  template <typename __Type> __attribute__((device)) __Type name(__Type __value, lane_type __lane) const {             \
    if constexpr (__is_arithmetic(__Type)) {                                                                           \
      return (__Type)warp_name(__mask(), __value, __lane, (int)__Size);                                                \
    } else {                                                                                                           \
      unsigned int __words[(sizeof(__Type) + 3) / 4] = {};                                                             \
      __builtin_memcpy(__words, &__value, sizeof(__Type));                                                             \
      for (unsigned int &__word : __words)                                                                             \
        __word = warp_name(__mask(), __word, __lane, (int)__Size);                                                     \
      __builtin_memcpy((void *)&__value, __words, sizeof(__Type));                                                     \
      return __value;                                                                                                  \
    }                                                                                                                  \
  }
  __UW_TILE_SHUFFLE(shfl, __shfl_sync, int)
  __UW_TILE_SHUFFLE(shfl_up, __shfl_up_sync, unsigned int)
  __UW_TILE_SHUFFLE(shfl_down, __shfl_down_sync, unsigned int)
  __UW_TILE_SHUFFLE(shfl_xor, __shfl_xor_sync, int)
#undef __UW_TILE_SHUFFLE

  __attribute__((device)) int any(int __predicate) const { return __any_sync(__mask(), __predicate); }
  __attribute__((device)) int all(int __predicate) const { return __all_sync(__mask(), __predicate); }
  __attribute__((device)) unsigned int ballot(int __predicate) const {
    return __ballot_sync(__mask(), __predicate) >> (details::__lane() & ~(__Size - 1)) & __full;
  }
  template <typename __Type> __attribute__((device)) unsigned int match_any(__Type __value) const {
    return __match_any_sync(__mask(), __value) >> (details::__lane() & ~(__Size - 1)) & __full;
  }
  template <typename __Type> __attribute__((device)) unsigned int match_all(__Type __value, int &__predicate) const {
    return __match_all_sync(__mask(), __value, &__predicate) >> (details::__lane() & ~(__Size - 1)) & __full;
  }
};

namespace details {
template <unsigned int __Size> class __tile_of_warps : public thread_group {
protected:
  __attribute__((device)) __tile_of_warps(unsigned int __meta_rank, unsigned int __meta_size)
      : thread_group(__warps_kind, __Size, __meta_rank, __meta_size) {}

  /* The value that the thread of this rank in the tile passes. */
  template <typename __Type> __attribute__((device)) __Type __fetch(const __Type &__value, unsigned int __rank) const {
    static __attribute__((shared)) unsigned int __slots[1024];
    unsigned int __words[(sizeof(__Type) + 3) / 4] = {}, __own = __block_rank();
    __Type __result;
    __builtin_memcpy(__words, &__value, sizeof(__Type));
    for (unsigned int &__word : __words) {
      __slots[__own] = __word;
      __sync();
      __word = __slots[__own - __own % __Size + __rank];
      __sync();
    }
    __builtin_memcpy((void *)&__result, __words, sizeof(__Type));
    return __result;
  }

  __attribute__((device)) static void __sync() {
    uwrt_note_tile();
    __syncthreads();
  }

public:
  __attribute__((device)) void sync() const { __sync(); }
  __attribute__((device)) static unsigned int thread_rank() { return __block_rank() % __Size; }
  __attribute__((device)) static constexpr unsigned int num_threads() { return __Size; }
  __attribute__((device)) static constexpr unsigned int size() { return __Size; }
  __attribute__((device)) unsigned int meta_group_rank() const { return __index; }
  __attribute__((device)) unsigned int meta_group_size() const { return __count; }
  template <typename __Type> __attribute__((device)) __Type shfl(__Type __value, unsigned int __rank) const {
    return __fetch(__value, __rank % __Size);
  }
  template <typename __Type> __attribute__((device)) __Type shfl_up(__Type __value, unsigned int __delta) const {
    return __fetch(__value, thread_rank() >= __delta ? thread_rank() - __delta : thread_rank());
  }
  template <typename __Type> __attribute__((device)) __Type shfl_down(__Type __value, unsigned int __delta) const {
    return __fetch(__value, thread_rank() + __delta < __Size ? thread_rank() + __delta : thread_rank());
  }
  template <typename __Type> __attribute__((device)) __Type shfl_xor(__Type __value, unsigned int __bits) const {
    return __fetch(__value, (thread_rank() ^ __bits) % __Size);
  }
  __attribute__((device)) int any(int __predicate) const {
    unsigned int __found = __predicate != 0;
    for (unsigned int __step = __Size / 2; __step > 0; __step /= 2)
      __found |= shfl_xor(__found, __step);
    return (int)__found;
  }
  __attribute__((device)) int all(int __predicate) const { return !any(!__predicate); }
};
} // namespace details

/* 64 to 1024 consecutive threads: several warps. The barrier is the block's: threads of other tiles that stay away from
 * it hold nobody up. */
#define __UW_TILE_OF_WARPS(size)                                                                                       \
  template <> class thread_block_tile<size, void> : public details::__tile_of_warps<size> {                            \
  protected:                                                                                                           \
    template <unsigned int __Other, typename __Parent> friend class thread_block_tile;                                 \
    __attribute__((device)) thread_block_tile(unsigned int __meta_rank, unsigned int __meta_size)                      \
        : details::__tile_of_warps<size>(__meta_rank, __meta_size) {}                                                  \
  };
__UW_TILE_OF_WARPS(64)
__UW_TILE_OF_WARPS(128)
__UW_TILE_OF_WARPS(256)
__UW_TILE_OF_WARPS(512)
__UW_TILE_OF_WARPS(1024)
#undef __UW_TILE_OF_WARPS

template <unsigned int __Size, typename __Parent> class thread_block_tile : public thread_block_tile<__Size, void> {
public:
  __attribute__((device)) thread_block_tile(unsigned int __meta_rank, unsigned int __meta_size)
      : thread_block_tile<__Size, void>(__meta_rank, __meta_size) {}
  __attribute__((device)) operator thread_block_tile<__Size, void>() const { return *this; }
};

/* The part of a parent group, a block or a tile, that the calling thread is in. */
template <unsigned int __Size, typename __Parent>
__UW_DEVICE__ thread_block_tile<__Size, __Parent> tiled_partition(const __Parent &__parent) {
  return thread_block_tile<__Size, __Parent>((unsigned int)__parent.thread_rank() / __Size,
                                             ((unsigned int)__parent.num_threads() + __Size - 1) / __Size);
}
template <unsigned int __Size>
__attribute__((unavailable("the size of a part of a coalesced group is an argument: tiled_partition(group, size)")))
__UW_DEVICE__ coalesced_group
tiled_partition(const coalesced_group &);
__attribute__((device, always_inline)) inline thread_group tiled_partition(const thread_group &__parent,
                                                                           unsigned int __size) {
  details::__check_tile_size(__size);
  unsigned int __rank = (unsigned int)__parent.thread_rank();
  unsigned int __count = ((unsigned int)__parent.num_threads() + __size - 1) / __size;
  unsigned int __full = __size == 32 ? 0xffffffffu : (1u << __size) - 1;
  unsigned int __mask = __parent.__kind == thread_group::__warp_kind
                            ? details::__part_of(__parent.__members, __rank, __size)
                            : __full << (details::__lane() & ~(__size - 1));
  return thread_group(thread_group::__warp_kind, __mask, __rank / __size, __count);
}
__attribute__((device, always_inline)) inline coalesced_group tiled_partition(const coalesced_group &__parent,
                                                                              unsigned int __size) {
  details::__check_tile_size(__size);
  if (__parent.num_threads() <= __size)
    return __parent; /* still the part that it is of its own parent */
  unsigned int __rank = __parent.thread_rank();
  return coalesced_group(details::__part_of(__parent.__mask(), __rank, __size), __rank / __size,
                         (__parent.num_threads() + __size - 1) / __size);
}

/* The members of a group within one warp that pass the same truth value, or the same label: an integer or a pointer.
 * Where all pass the same truth value there is one part, not two; parts of labels are numbered by their first
 * members. */
template <typename __Group>
__attribute__((device, always_inline)) inline coalesced_group binary_partition(const __Group &__group,
                                                                               bool __predicate) {
  unsigned int __mask = __group.__mask(), __present = __ballot_sync(__mask, 1);
  unsigned int __yes = __ballot_sync(__mask, __predicate), __no = __present & ~__yes;
  if (__yes == 0 || __no == 0)
    return coalesced_group(__present);
  return coalesced_group(__predicate ? __yes : __no, __predicate ? 1 : 0, 2);
}
template <typename __Group, typename __Label>
__attribute__((device, always_inline)) inline coalesced_group labeled_partition(const __Group &__group,
                                                                                __Label __label) {
  if constexpr (__is_same(__Label, bool)) {
    return binary_partition(__group, __label);
  } else {
    static_assert(__is_integral(__Label) || __is_pointer(__Label),
                  "labeled_partition takes an integer or a pointer as label");
    unsigned int __mask = __group.__mask(), __same = __match_any_sync(__mask, (unsigned long long)__label);
    unsigned int __first = (unsigned int)__builtin_ctz(__same);
    unsigned int __firsts = __ballot_sync(__mask, __first == details::__lane());
    return coalesced_group(__same, (unsigned int)__builtin_popcount(__firsts & ((1u << __first) - 1)),
                           (unsigned int)__builtin_popcount(__firsts));
  }
}

/* Calls a function in one member; the second form tells its result to all. */
template <typename __Group, typename __Function, typename... __Arguments>
__UW_DEVICE__ void invoke_one(const __Group &__group, __Function &&__function, __Arguments &&...__arguments) {
  if (__group.thread_rank() == 0)
    static_cast<__Function &&>(__function)(static_cast<__Arguments &&>(__arguments)...);
}
template <typename __Group, typename __Function, typename... __Arguments>
__UW_DEVICE__ auto invoke_one_broadcast(const __Group &__group, __Function &&__function, __Arguments &&...__arguments)
    -> typename details::__plain<
        decltype(static_cast<__Function &&>(__function)(static_cast<__Arguments &&>(__arguments)...))>::type {
  typename details::__plain<decltype(static_cast<__Function &&>(__function)(
      static_cast<__Arguments &&>(__arguments)...))>::type __result = {};
  if (__group.thread_rank() == 0)
    __result = static_cast<__Function &&>(__function)(static_cast<__Arguments &&>(__arguments)...);
  return __group.shfl(__result, 0);
}

template <typename __Group> __UW_DEVICE__ void sync(const __Group &__group) { __group.sync(); }
template <typename __Group> __UW_DEVICE__ auto thread_rank(const __Group &__group) -> decltype(__group.thread_rank()) {
  return __group.thread_rank();
}
template <typename __Group> __UW_DEVICE__ auto group_size(const __Group &__group) -> decltype(__group.num_threads()) {
  return __group.num_threads();
}
__UW_DEVICE__ dim3 group_dim(const thread_block &__block) { return __block.group_dim(); }

/* The calling thread alone. */
__UW_DEVICE__ thread_block_tile<1> this_thread() { return thread_block_tile<1, thread_block>(0, 1); }

/* Not here. */
#define __UW_NO_MULTI_GRID                                                                                             \
  __attribute__((unavailable("there is one device, and CUDA 13 has no groups over several of them; use this_grid()")))
class __UW_NO_MULTI_GRID multi_grid_group {};
__attribute__((device)) multi_grid_group this_multi_grid() __UW_NO_MULTI_GRID;
#undef __UW_NO_MULTI_GRID

} // namespace cooperative_groups

#endif
