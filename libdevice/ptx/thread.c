/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: what threads do together, and what ends or delays one: bar, vote, shfl, match, redux, elect, activemask, trap,
 * cp.async, cvta. Barriers and exchanges are NVVM's intrinsics, which the compiler knows from CUDA's own functions;
 * here they are functions of their names.
 */
#include "ptx.h"

#define NVVM(result, name, intrinsic, ...)                                                                             \
  __attribute__((convergent)) result name(__VA_ARGS__) __asm__("llvm.nvvm." intrinsic);
NVVM(uint32_t, lane, "read.ptx.sreg.laneid", void)
NVVM(void, block_barrier, "barrier.cta.sync.aligned.all", uint32_t)
NVVM(uint32_t, block_count, "barrier.cta.red.popc.aligned.all", uint32_t, bool)
NVVM(bool, block_and, "barrier.cta.red.and.aligned.all", uint32_t, bool)
NVVM(bool, block_or, "barrier.cta.red.or.aligned.all", uint32_t, bool)
NVVM(void, warp_barrier, "bar.warp.sync", uint32_t)
NVVM(uint32_t, active_lanes, "activemask", void)
NVVM(bool, vote_all, "vote.all.sync", uint32_t, bool)
NVVM(bool, vote_any, "vote.any.sync", uint32_t, bool)
NVVM(bool, vote_uni, "vote.uni.sync", uint32_t, bool)
NVVM(uint32_t, ballot, "vote.ballot.sync", uint32_t, bool)
NVVM(uint32_t, match_32, "match.any.sync.i32", uint32_t, uint32_t)
NVVM(uint32_t, match_64, "match.any.sync.i64", uint32_t, uint64_t)
NVVM(uint32_t, shuffle_up, "shfl.sync.up.i32", uint32_t, uint32_t, uint32_t, uint32_t)
NVVM(uint32_t, shuffle_down, "shfl.sync.down.i32", uint32_t, uint32_t, uint32_t, uint32_t)
NVVM(uint32_t, shuffle_bfly, "shfl.sync.bfly.i32", uint32_t, uint32_t, uint32_t, uint32_t)
NVVM(uint32_t, shuffle_idx, "shfl.sync.idx.i32", uint32_t, uint32_t, uint32_t, uint32_t)

PTX(void, bar_sync)(uint32_t id) { block_barrier(id); }
PTX(uint32_t, bar_red_popc_u32)(uint32_t id, bool p) { return block_count(id, p); }
PTX(bool, bar_red_and_pred)(uint32_t id, bool p) { return block_and(id, p); }
PTX(bool, bar_red_or_pred)(uint32_t id, bool p) { return block_or(id, p); }
PTX(void, bar_warp_sync)(uint32_t members) { warp_barrier(members); }
PTX(uint32_t, activemask_b32)(void) { return active_lanes(); }

/* Without .sync the active threads take part. */
#define VOTE(kind)                                                                                                     \
  PTX(bool, vote_sync_##kind##_pred)(bool p, uint32_t members) { return vote_##kind(members, p); }                     \
  PTX(bool, vote_##kind##_pred)(bool p) { return vote_##kind(active_lanes(), p); }
VOTE(all)
VOTE(any)
VOTE(uni)
PTX(uint32_t, vote_sync_ballot_b32)(bool p, uint32_t members) { return ballot(members, p); }
PTX(uint32_t, vote_ballot_sync_b32)(bool p, uint32_t members) { return ballot(members, p); } /* CUB's order of words */
PTX(uint32_t, vote_ballot_b32)(bool p) { return ballot(active_lanes(), p); }

/* p: the source lane lies in the segment that c describes, so that d is its value. */
UW_LOCAL bool in_range(uint32_t to_lower, uint32_t source, uint32_t c) {
  uint32_t segment = c >> 8 & 31, limit = (lane() & segment) | (c & ~segment & 31);
  return to_lower ? (int32_t)source >= (int32_t)limit : (int32_t)source <= (int32_t)limit;
}
#define SHUFFLE(mode, to_lower, source)                                                                                \
  PTX(uint32_t, shfl_sync_##mode##_b32)(uint32_t a, uint32_t b, uint32_t c, uint32_t members) {                        \
    return shuffle_##mode(members, a, b, c);                                                                           \
  }                                                                                                                    \
  PTX(uint32_t, shfl_sync_##mode##_b32_p)(uint32_t a, uint32_t b, uint32_t c, uint32_t members, bool *p) {             \
    *p = in_range(to_lower, source, c);                                                                                \
    return shuffle_##mode(members, a, b, c);                                                                           \
  }                                                                                                                    \
  PTX(uint32_t, shfl_##mode##_b32)(uint32_t a, uint32_t b, uint32_t c) {                                               \
    return shuffle_##mode(active_lanes(), a, b, c);                                                                    \
  }                                                                                                                    \
  PTX(uint32_t, shfl_##mode##_b32_p)(uint32_t a, uint32_t b, uint32_t c, bool *p) {                                    \
    return __ptx_shfl_sync_##mode##_b32_p(a, b, c, active_lanes(), p);                                                 \
  }
SHUFFLE(up, true, lane() - (b & 31))
SHUFFLE(down, false, lane() + (b & 31))
SHUFFLE(bfly, false, lane() ^ (b & 31))
SHUFFLE(idx, false, (lane() & (c >> 8 & 31)) | (b & ~(c >> 8) & 31))

#define MATCH(bits)                                                                                                    \
  PTX(uint32_t, match_any_sync_b##bits)(uint##bits##_t a, uint32_t members) { return match_##bits(members, a); }       \
  PTX(uint32_t, match_all_sync_b##bits##_p)(uint##bits##_t a, uint32_t members, bool *p) {                             \
    uint32_t same = match_##bits(members, a);                                                                          \
    *p = same == ballot(members, true);                                                                                \
    return *p ? same : 0;                                                                                              \
  }                                                                                                                    \
  PTX(uint32_t, match_all_sync_b##bits)(uint##bits##_t a, uint32_t members) {                                          \
    bool all;                                                                                                          \
    return __ptx_match_all_sync_b##bits##_p(a, members, &all);                                                         \
  }
MATCH(32)
MATCH(64)

/* The members that exist and are here are visited in turn. */
#define REDUCE(name, type, combined)                                                                                   \
  PTX(type, redux_sync_##name)(type a, uint32_t members) {                                                             \
    uint32_t rest = ballot(members, true);                                                                             \
    type total = (type)shuffle_idx(members, (uint32_t)a, (uint32_t)__builtin_ctz(rest), 31);                           \
    while (rest &= rest - 1) {                                                                                         \
      type other = (type)shuffle_idx(members, (uint32_t)a, (uint32_t)__builtin_ctz(rest), 31);                         \
      total = combined;                                                                                                \
    }                                                                                                                  \
    return total;                                                                                                      \
  }
REDUCE(add_u32, uint32_t, total + other)
REDUCE(add_s32, int32_t, (int32_t)((uint32_t)total + (uint32_t)other))
REDUCE(min_u32, uint32_t, total < other ? total : other)
REDUCE(min_s32, int32_t, total < other ? total : other)
REDUCE(max_u32, uint32_t, total > other ? total : other)
REDUCE(max_s32, int32_t, total > other ? total : other)
REDUCE(and_b32, uint32_t, total &other)
REDUCE(or_b32, uint32_t, total | other)
REDUCE(xor_b32, uint32_t, total ^ other)

PTX(uint32_t, elect_sync_p)(uint32_t members, bool *p) {
  uint32_t leader = (uint32_t)__builtin_ctz(ballot(members, true));
  *p = lane() == leader;
  return leader;
}

PTX(void, trap)(void) { __builtin_trap(); }
PTX(void, brkpt)(void) { __builtin_trap(); } /* without a debugger a breakpoint ends the kernel */
/* Launches of a stream run one after the other: what the grids before it have done is done when a grid begins. */
PTX(void, griddepcontrol_wait)(void) {}
PTX(void, griddepcontrol_launch_dependents)(void) {}
PTX(void, nanosleep_u32)(uint32_t nanoseconds) { (void)nanoseconds; } /* a hint */

/* An asynchronous copy may be done at once. With src-size the rest is zeros; most give all or nothing, which are whole
 * pieces. */
UW_SHORT void copy_piece(void *to, const void *from, uint32_t bytes) {
  if (bytes == 16)
    __builtin_memcpy(to, from, 16);
  else if (bytes == 8)
    __builtin_memcpy(to, from, 8);
  else
    __builtin_memcpy(to, from, 4);
}
UW_SHORT void clear_piece(void *to, uint32_t bytes) {
  if (bytes == 16)
    __builtin_memset(to, 0, 16);
  else if (bytes == 8)
    __builtin_memset(to, 0, 8);
  else
    __builtin_memset(to, 0, 4);
}
#define COPY(name)                                                                                                     \
  PTX(void, cp_async_##name##_shared_global_4)(void *to, const void *from, uint32_t bytes, uint32_t given) {           \
    if (given >= bytes) {                                                                                              \
      copy_piece(to, from, bytes);                                                                                     \
      return;                                                                                                          \
    }                                                                                                                  \
    clear_piece(to, bytes);                                                                                            \
    for (uint32_t i = 0; i < given; i++)                                                                               \
      ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];                                                                 \
  }                                                                                                                    \
  PTX(void, cp_async_##name##_shared_global_4_p)(void *to, const void *from, uint32_t bytes, bool ignores) {           \
    if (ignores)                                                                                                       \
      clear_piece(to, bytes);                                                                                          \
    else                                                                                                               \
      copy_piece(to, from, bytes);                                                                                     \
  }                                                                                                                    \
  PTX(void, cp_async_##name##_shared_global)(void *to, const void *from, uint32_t bytes) {                             \
    copy_piece(to, from, bytes);                                                                                       \
  }
COPY(ca)
COPY(cg)
PTX(void, cp_async_commit_group)(void) {}
PTX(void, cp_async_wait_all)(void) {}
PTX(void, cp_async_wait_group)(uint32_t pending) { (void)pending; }

/* A shared address may be kept in 32 bits. The rest of it is that of the block's other shared memory: in a kernel that
 * uses this one, all of it lies in one piece (raise/spaces.c). */
extern __attribute__((address_space(3))) char __unwarp_shared_window[];
UW_SHORT void *__ptx_shared_address(uint64_t address) {
  uint64_t window = (uint64_t)(__SIZE_TYPE__)(char *)__unwarp_shared_window;
  uint64_t near = window + (uint64_t)(int64_t)(int32_t)((uint32_t)address - (uint32_t)window);
  return (void *)(__SIZE_TYPE__)(address >> 32 ? address : near);
}
#define SAME_ADDRESS(space)                                                                                            \
  PTX(uint64_t, cvta_to_##space##_u64)(uint64_t a) { return a; }                                                       \
  PTX(uint32_t, cvta_to_##space##_u32)(uint32_t a) { return a; }
SAME_ADDRESS(shared)
SAME_ADDRESS(global)
SAME_ADDRESS(const)
SAME_ADDRESS(local)
SAME_ADDRESS(param)
PTX(uint64_t, cvta_param_u64)(uint64_t a) { return a; }
PTX(uint64_t, cvta_global_u64)(uint64_t a) { return a; }
PTX(uint64_t, cvta_const_u64)(uint64_t a) { return a; }
PTX(uint64_t, cvta_local_u64)(uint64_t a) { return a; }
PTX(uint64_t, cvta_shared_u64)(uint64_t a) { return (uint64_t)(__SIZE_TYPE__)__ptx_shared_address(a); }
