// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that not all threads of the block reach, masks that do not fit, shuffles from lanes that take no part.
// flags: -fcheck=sync
#include "cases.h"

__global__ void half_block(int *o) {
  if (threadIdx.x < 16) __syncthreads();
  o[threadIdx.x] = 1;
}
__global__ void half_block_ends(int *o) {
  if (threadIdx.x >= 16) return;
  __syncthreads();
  o[threadIdx.x] = 1;
}
__global__ void uniform_branch(int *o, int n) {
  if (n > 0) __syncthreads();
  o[threadIdx.x] = 1;
}
__global__ void two_branches(int *o) {
  if (threadIdx.x < 16) {
    __syncthreads();
    o[threadIdx.x] = 2;
    __syncthreads();
  } else {
    o[threadIdx.x] = 3;
    __syncthreads();
  }
}
__global__ void uneven_loop(int *o, int step) {
  for (int i = 0; i < 1 + (int)threadIdx.x % 3 * step; i++) {
    o[threadIdx.x] = i;
    __syncthreads();
  }
  o[threadIdx.x] = 7;
}
__global__ void breaks(int *o, int all) {
  for (int i = 0; i < 4; i++) {
    if (i == 2 && (all || threadIdx.x == 5)) break;
    __syncthreads();
  }
  o[threadIdx.x] = 1;
}
__global__ void counts(int *o) {
  int n = 0;
  if (threadIdx.x % 2) n = __syncthreads_count(1);
  o[threadIdx.x] = n;
}
// case half: ^unwarp: sync: a thread goes on though it did not come to a barrier that others of its block have passed$
// case half: ^  what it does: block .0,0,0., thread .16,0,0. of half_block.int.. at sync.cu:9$
// case half: ^  barrier: block .0,0,0., thread .15,0,0. of half_block.int.. at sync.cu:8$
// case half: divergent-barrier at sync.cu:9: 16 times in all
// clean both_branches
// case uneven: a thread goes on though it did not come to a barrier
// several uneven
// case one_breaks: thread .5,0,0. of breaks
// case counted: a thread goes on though it did not come to a barrier
// clean ended
// clean branch_of_all
// clean even
// clean all_break

__global__ void warp(int *o, unsigned mask, int lanes) {
  if (threadIdx.x < lanes) __syncwarp(mask);
  o[threadIdx.x] = 1;
}
// case not_self: ^unwarp: sync: the mask 0xff does not name the lane that waits with it, 8$
// case waits_for_others: a lane goes on though it did not come to where others of its warp wait for it, by their masks
// case waits_for_others: ^  what it does: block .0,0,0., thread .16,0,0. of warp
// clean all_lanes
// clean half_warp

__global__ void shuffle(int *o, unsigned mask, int lanes, int from) {
  int v = threadIdx.x;
  if (threadIdx.x < lanes) v = __shfl_sync(mask, v, from);
  o[threadIdx.x] = v;
}
// case left_before_exchange: ^unwarp: sync: a thread goes on though it did not come to a barrier
// case left_before_exchange: ^  what it does: block .0,0,0., thread .0,0,0. of
// clean exchange_after_barrier
__global__ void exchange_after_barrier(int *o, int least) {
  if (threadIdx.x >= least) __syncthreads();
  o[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
}
// case one_stays_away: a lane goes on though it did not come to where others of its warp wait for it, by their masks
// case one_stays_away: ^  what it does: block .0,0,0., thread .63,0,0. of
// several one_stays_away
// clean all_pass
__global__ void exchanges_under_condition(int *o, int n) {
  int v = threadIdx.x;
  if (threadIdx.x < n) {
    v = __shfl_xor_sync(~0u, v, 1);
    v += __shfl_xor_sync(~0u, v, 2);
  }
  o[threadIdx.x] = v;
}
__global__ void vote(int *o, unsigned mask, int lanes) {
  int v = 0;
  if (threadIdx.x < lanes) v = __ballot_sync(mask, threadIdx.x & 1);
  o[threadIdx.x] = v;
}
__global__ void match(int *o, unsigned mask, int lanes) {
  int v = 0;
  if (threadIdx.x < lanes) v = __match_any_sync(mask, threadIdx.x / 4);
  o[threadIdx.x] = v;
}
__global__ void ended_lanes(int *o) {
  if (threadIdx.x >= 20) return;
  o[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 16);
}
// case inactive_source: ^unwarp: sync: a shuffle reads lane 20, which does not take part$
// case ended_source: a shuffle reads lane 2[0-9], which does not take part
// case full_mask_in_branch: a lane goes on though it did not come
// case vote_without_self: the mask 0xff does not name the lane
// case match_waits: a lane goes on though it did not come
// clean active_source
// clean vote_half
// clean match_half
// clean last_warp

// Both arms shuffle, each among its own lanes: what one arm's have left open the other's close.
__global__ void groups_in_arms(int *o) {
  unsigned lane = threadIdx.x % 32, arm = __ballot_sync(0xffffffff, lane % 5 < 3);
  if (lane % 5 < 3) {
    o[threadIdx.x] = __shfl_sync(arm, (int)threadIdx.x, 0);
    o[threadIdx.x] += __shfl_sync(arm, 1, 31 - __clz(arm));
  } else {
    o[threadIdx.x] = __shfl_sync(~arm, (int)threadIdx.x, 3);
    o[threadIdx.x] += __shfl_sync(~arm, 2, 4);
  }
}
// clean groups_in_arms

// A group each.
__global__ void groups_of_one(int *o) {
  o[threadIdx.x] = __shfl_sync(1u << threadIdx.x % 32, (int)threadIdx.x, threadIdx.x % 32);
  o[threadIdx.x] += __shfl_sync(1u << threadIdx.x % 32, 1, threadIdx.x % 32);
}
// clean groups_of_one

// Waiting for the clock is no barrier of the program's.
__global__ void waits_for_clock(int *o) {
  if (threadIdx.x % 3) {
    long long start = clock64();
    while (clock64() - start < 1000) {
    }
  }
  o[threadIdx.x] = 1;
}
// clean clock

#include <cooperative_groups.h>
// clean tiles
__global__ void tiles(int *o) {
  __shared__ cooperative_groups::block_tile_memory<128> memory;
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block(memory));
  for (unsigned i = 0; i <= tile.meta_group_rank(); i++) {
    o[threadIdx.x] = i;
    tile.sync();
  }
  o[threadIdx.x] = tile.shfl(threadIdx.x, 3);
}

// The halves of a warp exchange by themselves; then some lanes of both do.
__global__ void halves_then_both(int *to) {
  int lane = threadIdx.x % 32, value = lane;
  if (lane < 16) value = __shfl_xor_sync(0x0000ffffu, value, 3);
  else value = __shfl_down_sync(0xffff0000u, value, 2, 16);
  if (lane % 2 == 0) value += __shfl_sync(0x55555555u, lane, 0);
  to[threadIdx.x] = value;
}
// clean halves_then_both

// Three groups of a warp at the same operations, each as often as it likes; one lane of the second may leave early.
__global__ void groups_take_turns(int *to, int leaves) {
  unsigned lane = threadIdx.x % 32, label = lane % 3;
  unsigned group = __match_any_sync(0xffffffffu, label);
  int value = lane;
  for (unsigned iteration = 0; iteration <= label; iteration++) {
    if (leaves && lane == 4 && iteration == 1) break;
    value += __shfl_sync(group, value, __ffs(group) - 1);
    __syncwarp(group);
  }
  to[threadIdx.x] = value;
  value = __shfl_sync(group, value, label);
  to[threadIdx.x] += value;
}
// clean groups_take_turns
// case leaves_its_group: a lane goes on though it did not come to where others of its warp wait for it, by their masks
// case leaves_its_group: ^  what it does: block .0,0,0., thread .4,0,0. of groups_take_turns
// case leaves_its_group: ^  waits: block .0,0,0., thread .31,0,0. of groups_take_turns

// One barrier of the warp, in both arms of a branch, and an iteration that one arm has more.
__global__ void warp_in_both_arms(int *to, int more) {
  if (threadIdx.x % 32 < 16) {
    to[threadIdx.x] = 1;
    __syncwarp();
  } else {
    __syncwarp();
    to[threadIdx.x] = 2;
    for (int i = 0; i < more; i++) __syncwarp();
  }
  to[threadIdx.x] += 3;
}
// clean warp_in_both_arms
// case more_in_one_arm: a lane goes on though it did not come
// case more_in_one_arm: thread .0,0,0. of warp_in_both_arms

// Groups that a program finds by what its lanes have: one reduces with more steps than the other.
#include <cooperative_groups/reduce.h>
__global__ void reduced_by_parts(int *to, const int *from) {
  auto all = cooperative_groups::coalesced_threads();
  if (from[threadIdx.x] % 3) {
    auto some = cooperative_groups::coalesced_threads();
    to[threadIdx.x] = cooperative_groups::reduce(some, from[threadIdx.x], cooperative_groups::plus<int>());
  } else {
    auto part = cooperative_groups::binary_partition(cooperative_groups::coalesced_threads(), from[threadIdx.x] > 9);
    to[threadIdx.x] = cooperative_groups::reduce(part, from[threadIdx.x], [](int a, int b) { return a > b ? a : b; });
    to[threadIdx.x] += part.shfl(from[threadIdx.x], 0);
  }
  all.sync();
}
// clean reduced_by_parts

CASES
  int *o = device<int>(1024);
  CASE(half) half_block<<<1, 32>>>(o);
  CASE(ended) half_block_ends<<<2, 32>>>(o);
  CASE(branch_of_all) uniform_branch<<<2, 64>>>(o, 1);
  CASE(tiles) tiles<<<1, 128>>>(o);
  CASE(both_branches) two_branches<<<1, 32>>>(o);
  CASE(uneven) uneven_loop<<<1, 64>>>(o, 1);
  CASE(even) uneven_loop<<<1, 64>>>(o, 0);
  CASE(one_breaks) breaks<<<1, 64>>>(o, 0);
  CASE(all_break) breaks<<<1, 64>>>(o, 1);
  CASE(counted) counts<<<1, 64>>>(o);
  CASE(not_self) warp<<<1, 32>>>(o, 0xff, 16);
  CASE(waits_for_others) warp<<<1, 32>>>(o, 0xffffffff, 16);
  CASE(all_lanes) warp<<<1, 64>>>(o, 0xffffffff, 64);
  CASE(half_warp) warp<<<1, 32>>>(o, 0xffff, 16);
  CASE(inactive_source) shuffle<<<1, 32>>>(o, 0xffff, 16, 20);
  CASE(active_source) shuffle<<<1, 32>>>(o, 0xffff, 16, 12);
  CASE(left_before_exchange) exchange_after_barrier<<<1, 32>>>(o, 6);
  CASE(exchange_after_barrier) exchange_after_barrier<<<1, 64>>>(o, 0);
  CASE(one_stays_away) exchanges_under_condition<<<1, 64>>>(o, 63);
  CASE(all_pass) exchanges_under_condition<<<1, 96>>>(o, 96);
  CASE(ended_source) ended_lanes<<<1, 32>>>(o);
  CASE(full_mask_in_branch) shuffle<<<1, 32>>>(o, 0xffffffff, 16, 3);
  CASE(vote_without_self) vote<<<1, 32>>>(o, 0xff, 16);
  CASE(vote_half) vote<<<1, 32>>>(o, 0xffff, 16);
  CASE(match_waits) match<<<1, 32>>>(o, 0xffffffff, 16);
  CASE(match_half) match<<<1, 32>>>(o, 0xffff, 16);
  CASE(last_warp) shuffle<<<1, 40>>>(o, 0xffffffff, 40, 3);
  CASE(groups_in_arms) groups_in_arms<<<1, 64>>>(o);
  CASE(groups_of_one) groups_of_one<<<1, 64>>>(o);
  CASE(clock) waits_for_clock<<<2, 64>>>(o);
  CASE(groups_take_turns) groups_take_turns<<<2, 64>>>(o, 0);
  CASE(leaves_its_group) groups_take_turns<<<1, 32>>>(o, 1);
  CASE(warp_in_both_arms) warp_in_both_arms<<<2, 64>>>(o, 0);
  CASE(more_in_one_arm) warp_in_both_arms<<<1, 32>>>(o, 1);
  CASE(reduced_by_parts) {
    int numbers[64], *from = device<int>(64);
    for (int i = 0; i < 64; i++) numbers[i] = i * 7 % 20;
    cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    reduced_by_parts<<<1, 64>>>(o, from);
  }
  CASE(halves_then_both) halves_then_both<<<1, 64>>>(device<int>(64));
END
