/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches ahead what the next block reads and writes in its place of an array, where a block does more than to go
 * through it: after barriers a block works on in shared memory for longer than the processor looks ahead, and then
 * waits for what it begins with. Where each thread takes several elements a block's width apart, the row of threads
 * goes through several pieces of the array by turns, which no prefetcher of the processor follows from block to block:
 * 3.1 ms for an addition to 64 MiB in place, 2.2 ms with this.
 *
 *   grid (%b) {                                      grid (%b) {
 *     parallel (%x) to (256)                           parallel (%x) to (256)
 *       store (load %in[256 * %b + %x]), %tile[…]        store (load %in[256 * %b + %x]), %tile[…]
 *     work in %tile                            ==>     for (%x = 0 to 256 step 16)
 *   }                                                    prefetch %in[256 * (%b + 1) + %x]
 *                                                      work in %tile
 *                                                    }
 *
 * After the loop, not before it: processors wait for a few dozen lines at a time, and what this block needs now would
 * wait behind what the next one needs later. Where a block reads little it is a later block than the next one that is
 * fetched for, UW_BLOCKS_AHEAD_BYTES bytes on: 8 KiB, as a scan of blocks of 2 KiB takes 0.68 of the time that it takes
 * with the next block's (docs/performance.md).
 *
 * Done for loads and stores in thread loops that stand in no serial loop, when a) the block holds shared memory or
 * slots, or two of them in one thread loop lie in one array, a constant apart; b) the address
 * is computed by pure operations, grows by a constant of UW_BLOCKS_AHEAD_SHORTEST to UW_BLOCKS_AHEAD_LONGEST bytes from
 * block to block, and by constants with the indices of a thread; c) it does not lead to memory of the block; d) there
 * are at most UW_BLOCKS_AHEAD_MOST of them. The loop for the blocks at the border of the data (split_interior.c) is left as
 * it is. At run time nothing is fetched where all blocks together reach over less than UW_IN_CACHES bytes, which caches
 * hold.
 *
 * Legal because a prefetch has no effect, of whatever address.
 *
 * Requires: barriers lowered, split-interior. Preserves: all. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../../analysis/cpu.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"

#define AHEAD_DONE "unwarp.blocks_ahead" /* a grid loop that is done */

enum {
  DEEPEST = 3, /* thread loops around an access: of a block, of its warps, of lanes */
  MOST_DIMS = 3,
};

typedef struct fetch {
  MlirValue address;
  uw_address at;
  int64_t apart; /* bytes, from a block to the next one */
  bool writes;
  MlirOperation loops[DEEPEST]; /* outermost first */
  size_t depth;
  int64_t factors[DEEPEST][MOST_DIMS]; /* bytes, from an index to the next one */
} fetch;

/* The thread loops around an access. False if there is something else than branches in between, or it stands where the
 * block is one at the border. */
static bool find_loops(MlirOperation access, MlirOperation grid, fetch *f) {
  MlirOperation inner = access;
  bool in_border = false;
  f->depth = 0;
  for (MlirOperation op = uw_parent(access); !uw_same_op(op, grid); inner = op, op = uw_parent(op)) {
    if (uw_kind(op) == UW_OP_SCF_IF) {
      in_border = in_border || mlirBlockEqual(mlirOperationGetBlock(inner), uw_block(op, 1));
      continue;
    }
    if (uw_kind(op) != UW_OP_SCF_FORALL || f->depth == DEEPEST || uw_dims(op) > MOST_DIMS)
      return false;
    for (size_t i = f->depth++; i > 0; i--)
      f->loops[i] = f->loops[i - 1];
    f->loops[0] = op;
    in_border = false; /* within a thread loop a branch is the threads' own */
  }
  return f->depth > 0 && !in_border;
}

static bool is_block_index(MlirValue symbol, MlirOperation grid) {
  return uw_same(symbol, uw_grid_index(grid, UW_GRID_X));
}

/* How far the address is along each index of the thread; false if that is no constant, or backwards. */
static bool goes_by_threads(fetch *f) {
  bool along = false;
  for (size_t l = 0; l < f->depth; l++)
    for (size_t d = 0; d < uw_dims(f->loops[l]); d++) {
      uw_stride stride = uw_stride_in(&f->at.offset, uw_index(f->loops[l], d));
      if (!stride.known || stride.factor || stride.bytes < 0)
        return false;
      f->factors[l][d] = stride.bytes;
      along = along || stride.bytes > 0;
    }
  return along;
}

static bool is_thread_index(const fetch *f, MlirValue symbol) {
  for (size_t l = 0; l < f->depth; l++)
    for (size_t d = 0; d < uw_dims(f->loops[l]); d++)
      if (uw_same(symbol, uw_index(f->loops[l], d)))
        return true;
  return false;
}

/* Takes the address apart: how far it is from block to block, and along each index of the thread. */
static bool goes_by_blocks(MlirOperation grid, fetch *f) {
  if (!uw_leads_to_array(f->address) || uw_defined_inside(f->at.base, grid) || !goes_by_threads(f))
    return false;
  f->apart = 0;
  for (size_t i = 0; i < f->at.offset.count; i++) {
    const uw_term *term = &f->at.offset.terms[i];
    if (term->scale.ptr && (uw_defined_inside(term->scale, grid) || uw_defined_inside(term->symbol, grid)))
      return false;
    if (is_block_index(term->symbol, grid))
      f->apart = term->factor;
    else if (!is_thread_index(f, term->symbol) && uw_defined_inside(term->symbol, grid))
      return false;
  }
  return f->apart >= UW_BLOCKS_AHEAD_SHORTEST && f->apart <= UW_BLOCKS_AHEAD_LONGEST;
}

/* Are the indices that the address grows with bounded by what is known where the fetch goes, and all else pure? */
static bool is_computable(uw_arena *arena, const fetch *f) {
  uw_map *known = uw_map_create(arena);
  int64_t number;
  for (size_t l = 0; l < f->depth; l++)
    for (size_t d = 0; d < uw_dims(f->loops[l]); d++) {
      uw_map_set(known, uw_index(f->loops[l], d), uw_index(f->loops[l], d));
      for (uw_bound bound = UW_LOWER; bound <= UW_UPPER; bound++) {
        MlirValue value = uw_loop_bound(f->loops[l], bound, d);
        if (uw_defined_inside(value, f->loops[0]) && !uw_const_value(value, &number))
          return false;
      }
    }
  return uw_computable_outside(arena, f->address, f->loops[0], known);
}

static size_t find(uw_arena *arena, MlirOperation grid, fetch *fetches) {
  size_t count = 0;
  uw_ops ops = uw_collect(arena, grid);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (!uw_plain_access(op))
      continue;
    bool writes = uw_kind(op) == UW_OP_LLVM_STORE, known = false;
    fetch f = {.address = uw_operand(op, writes), .at = uw_address_of(uw_operand(op, writes)), .writes = writes};
    if (!find_loops(op, grid, &f) || !goes_by_blocks(grid, &f) || !is_computable(arena, &f))
      continue;
    for (size_t k = 0; k < count; k++)
      known = known || uw_is_near(&f.at, &fetches[k].at, UW_CACHE_LINE);
    if (known)
      continue;
    if (count == UW_BLOCKS_AHEAD_MOST)
      return 0;
    fetches[count++] = f;
  }
  return count;
}

/* Do threads go through several pieces of one array by turns? The processor's prefetchers follow none of them for
 * long. */
static bool goes_by_turns(const fetch *fetches, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      int64_t gap;
      if (fetches[i].depth == fetches[k].depth &&
          uw_same_op(fetches[i].loops[fetches[i].depth - 1], fetches[k].loops[fetches[k].depth - 1]) &&
          uw_gap_between(&fetches[i].at, &fetches[k].at, &gap))
        return true;
    }
  return false;
}

static void emit(uw_arena *arena, MlirOperation grid, const fetch *f) {
  uw_builder b = uw_at(f->loops[0]);
  MlirLocation location = b.location;
  MlirValue reach = uw_binary(&b, "arith.muli", uw_count_blocks(&b, grid), uw_const_index(&b, f->apart));
  MlirValue large = uw_compare(&b, UW_UGE, reach, uw_const_index(&b, UW_IN_CACHES));
  b = uw_after(f->loops[0]);
  MlirOperation branch = uw_build_branch(&b, large);
  b = uw_at_end(uw_block(branch, 0), location);
  uw_map *map = uw_map_create(arena);
  for (size_t l = 0; l < f->depth; l++) {
    size_t dims = uw_dims(f->loops[l]);
    for (size_t d = 0; d < dims; d++) {
      int64_t number, factor = f->factors[l][d];
      MlirValue bounds[2];
      for (uw_bound k = UW_LOWER; k <= UW_UPPER; k++) {
        bounds[k] = uw_loop_bound(f->loops[l], k, d);
        if (uw_const_value(bounds[k], &number))
          bounds[k] = uw_const_index(&b, number);
      }
      MlirValue index = bounds[0];
      if (factor != 0) {
        MlirValue step = uw_const_index(&b, factor < UW_CACHE_LINE ? UW_CACHE_LINE / factor : 1);
        MlirOperation lines = uw_build_for(&b, bounds[0], bounds[1], step, (uw_value_list){0});
        uw_yield(uw_block(lines, 0), location, (uw_value_list){0});
        b = uw_at_end(uw_block(lines, 0), location);
        index = mlirBlockGetArgument(uw_block(lines, 0), 0);
      }
      uw_map_set(map, uw_index(f->loops[l], d), index);
    }
  }
  int64_t blocks = f->apart < UW_BLOCKS_AHEAD_BYTES ? UW_BLOCKS_AHEAD_BYTES / f->apart : 1;
  MlirValue own = uw_compute_outside(&b, f->address, f->loops[0], map), far = uw_const_int(&b, 64, blocks * f->apart);
  uw_build_prefetch(&b, uw_add_bytes(&b, own, far), f->writes);
}

/* More than one thread loop, that is: what barriers part, or what is kept across them. */
static bool has_phases(MlirOperation grid) {
  uw_foreach_op (op, uw_block(grid, 0))
    if (uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SLOT)
      return true;
  return false;
}

uw_change uw_pass_prefetch_blocks(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation grid = loops.at[i];
    if (!uw_is_over(grid, UW_OVER_BLOCKS) || uw_grid_dim_of(grid, UW_GRID_SLICE) != UW_NO_DIM ||
        !uw_are_blocks_single(grid, UW_GRID_X) ||
        !mlirAttributeIsNull(uw_get_attr(grid, AHEAD_DONE)))
      continue;
    fetch fetches[UW_BLOCKS_AHEAD_MOST];
    size_t count = find(ctx->arena, grid, fetches);
    if (!has_phases(grid) && !goes_by_turns(fetches, count))
      continue;
    for (size_t k = 0; k < count; k++)
      emit(ctx->arena, grid, &fetches[k]);
    if (count == 0)
      continue;
    uw_remark(mlirOperationGetLocation(grid), "prefetch-blocks",
              "what the next block begins with is fetched ahead, where there is much of it");
    uw_set_attr(grid, AHEAD_DONE, mlirUnitAttrGet(ctx->context));
    change = UW_CHANGED;
  }
  return change;
}
