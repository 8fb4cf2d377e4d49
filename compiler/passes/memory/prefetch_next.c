/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches ahead what threads touch at a later value of an index around them: in iterations to come of a loop that steps
 * over the whole grid, and in the next block, where a block does more than to go through an array.
 *
 *   for (%i = … step %grid) {                        for (%i = … step %grid) {
 *     parallel (%x) to (%n) {                          for (%l = 0 to %n step 16)
 *       load %in[%i + %x]                    ==>         prefetch %in[%i + %l] + 4 * %iterations * %grid
 *     }                                                parallel (%x) to (%n) { load %in[%i + %x] }
 *   }                                                }
 *
 *   grid (%b) {                                      grid (%b) {
 *     parallel (%x) to (256)                           parallel (%x) to (256)
 *       store (load %in[256 * %b + %x]), %tile[…]        store (load %in[256 * %b + %x]), %tile[…]
 *     work in %tile                            ==>     for (%l = 0 to 256 step 16)
 *   }                                                    prefetch %in[256 * %b + %l] + 8192
 *                                                      work in %tile
 *                                                    }
 *
 * In the width of a grid a block takes a row of an array, leaves out those of all other blocks, and takes the next: each
 * row is new to the processor's prefetchers, which start anew and are done with it as soon as they have found out.
 *
 * After barriers a block works on in shared memory for longer than the processor looks ahead, and then waits for what
 * it begins with. Where each thread takes several elements a block's width apart, the row of threads goes through
 * several pieces of the array by turns, which no prefetcher follows from block to block: 3.1 ms for an addition to
 * 64 MiB in place, 2.2 ms with this. It is fetched after the loop, not before it: processors wait for a few dozen lines
 * at a time, and what this block needs now would wait behind what the next one needs later. Where a block reads little
 * it is for a later block, UW_BLOCKS_AHEAD_BYTES on: a scan of blocks of 2 KiB takes 0.68 of the time that it takes with
 * the next block's (docs/performance.md).
 *
 * Done for addresses of pure operations that grow by constants with the indices of a thread, and by a constant with the
 * index around, when they do not lead to memory of the block and there are at most UW_NEXT_MOST of them, a line apart.
 * In iterations: loads at the top level of a thread loop's body, which go by an element along a row and do not depend on
 * other indices of a thread; rows of UW_NEXT_SHORTEST to UW_ITERATIONS_AHEAD_LONGEST bytes, as far as that is known, a
 * constant step which leaves a row out at least, or a step that is a product. In blocks: loads and stores in thread
 * loops that stand in no serial loop, nor in the arm for blocks at the border of the data (split_interior.c), with
 * UW_NEXT_SHORTEST to UW_BLOCKS_AHEAD_LONGEST bytes from block to block, where the block holds shared memory or slots,
 * or two of them in one thread loop lie in one array, a constant apart. At run time nothing is fetched where all
 * iterations, or blocks, reach over less than UW_IN_CACHES bytes, which caches hold.
 *
 * Requires: barriers lowered, guards-to-bounds, split-interior; vectorize-threads before it. Preserves: all. Refuses:
 * all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../../analysis/cpu.h"
#include "../../ir/block_numbers.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "prefetch.h"

enum {
  DEEPEST = 3, /* thread loops around an access: of a block, of its warps, of lanes */
  DIMS = 3,
};

typedef struct fetch {
  uw_fetch of;
  int64_t apart;                /* bytes, from a value of the index around to the next one */
  MlirOperation loops[DEEPEST]; /* over threads, outermost first */
  size_t depth;
  int64_t strides[DEEPEST][DIMS]; /* bytes, from an index to the next one */
} fetch;

typedef struct next {
  uw_arena *arena;
  MlirOperation around; /* a for, or a loop over blocks, with this index */
  MlirValue index;
  size_t count;
  fetch found[UW_NEXT_MOST];
} next;

/* The thread loops around an access. False if there is something else than branches in between, or it stands where the
 * block is one at the border. */
static bool find_loops(MlirOperation access, MlirOperation around, fetch *f) {
  MlirOperation inner = access;
  bool in_border = false;
  for (MlirOperation op = uw_parent(access); !uw_same_op(op, around); inner = op, op = uw_parent(op)) {
    if (uw_kind(op) == UW_OP_SCF_IF) {
      in_border = in_border || mlirBlockEqual(mlirOperationGetBlock(inner), uw_block(op, 1));
      continue;
    }
    if (uw_kind(op) != UW_OP_SCF_FORALL || f->depth == DEEPEST || uw_dims(op) > DIMS)
      return false;
    for (size_t i = f->depth++; i > 0; i--)
      f->loops[i] = f->loops[i - 1];
    f->loops[0] = op;
    in_border = false; /* within a thread loop a branch is the threads' own */
  }
  return f->depth > 0 && (!in_border || uw_kind(around) == UW_OP_SCF_FOR);
}

/* How far the address is along each index of the thread; false if that is no constant, or backwards. */
static bool goes_by_threads(fetch *f) {
  bool along = false;
  for (size_t l = 0; l < f->depth; l++)
    for (size_t d = 0; d < uw_dims(f->loops[l]); d++) {
      uw_stride stride = uw_stride_in(&f->of.at.offset, uw_index(f->loops[l], d));
      if (!stride.known || stride.factor || stride.bytes < 0)
        return false;
      f->strides[l][d] = stride.bytes;
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

/* Takes the address apart: how far it is for a step of the index around, and along each index of the thread. */
static bool goes_by_index(const next *n, fetch *f) {
  if (!uw_leads_to_array(f->of.address) || uw_defined_inside(f->of.at.base, n->around) || !goes_by_threads(f))
    return false;
  for (size_t i = 0; i < f->of.at.offset.count; i++) {
    const uw_term *term = &f->of.at.offset.terms[i];
    bool scaled = term->scale.ptr && uw_defined_inside(term->scale, n->around);
    bool is_index = uw_same(term->symbol, n->index) || is_thread_index(f, term->symbol);
    if (scaled || (!is_index && uw_defined_inside(term->symbol, n->around)))
      return false;
  }
  f->apart = uw_constant_stride(uw_stride_in(&f->of.at.offset, n->index));
  return f->apart > 0;
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
  return uw_computable_outside(arena, f->of.address, f->loops[0], known);
}

/* Finds what fits. Nothing where there is more than UW_NEXT_MOST of it. */
static void find(next *n, uw_ops ops, bool fits(const next *n, const fetch *f)) {
  for (size_t i = 0; i < ops.count; i++) {
    if (!uw_plain_access(ops.at[i]))
      continue;
    fetch f = {uw_fetch_of(ops.at[i])};
    bool known =
        !find_loops(ops.at[i], n->around, &f) || !goes_by_index(n, &f) || !fits(n, &f) || !is_computable(n->arena, &f);
    for (size_t k = 0; k < n->count; k++)
      known = known || uw_is_near(&f.of.at, &n->found[k].of.at, UW_CACHE_LINE);
    if (known)
      continue;
    if (n->count == UW_NEXT_MOST) {
      n->count = 0;
      return;
    }
    n->found[n->count++] = f;
  }
}

/* Fetches the lines that are `far` bytes behind those of the threads, where `large` holds. */
static void emit(uw_arena *arena, uw_builder b, const fetch *f, MlirValue large, MlirValue far) {
  MlirOperation branch = uw_build_branch(&b, large);
  b = uw_at_end(uw_block(branch, 0), b.location);
  uw_map *map = uw_map_create(arena);
  for (size_t l = 0; l < f->depth; l++)
    for (size_t d = 0; d < uw_dims(f->loops[l]); d++) {
      int64_t number;
      MlirValue bounds[2];
      for (uw_bound k = UW_LOWER; k <= UW_UPPER; k++) {
        bounds[k] = uw_loop_bound(f->loops[l], k, d);
        if (uw_const_value(bounds[k], &number))
          bounds[k] = uw_const_index(&b, number);
      }
      bool moves = f->strides[l][d] != 0;
      uw_map_set(map, uw_index(f->loops[l], d),
                 moves ? uw_for_each_line(&b, bounds[0], bounds[1], f->strides[l][d]) : bounds[0]);
    }
  MlirValue own = uw_compute_outside(&b, f->of.address, f->loops[0], map);
  uw_build_prefetch(&b, uw_add_bytes(&b, own, far), f->of.writes);
}

static MlirValue is_large(uw_builder *b, MlirValue steps, const fetch *f) {
  MlirValue reach = uw_binary(b, "arith.muli", steps, uw_const_index(b, f->apart));
  return uw_compare(b, UW_UGE, reach, uw_const_index(b, UW_IN_CACHES));
}

/* --- iterations --------------------------------------------------------------------------------------------------- */

/* What is known of the number of threads in a row: min(256, …) is not more than 256. 0: nothing. */
static int64_t length_of(MlirOperation loop) {
  int64_t lower, length = uw_most_of(uw_upper_of(loop, DIMS - 1));
  if (!uw_const_value(uw_lower_of(loop, DIMS - 1), &lower) || lower != 0)
    return 0;
  return length == UW_NO_MOST ? 0 : length;
}

/* A step that is blockDim.x * gridDim.x, as max(…, 1) perhaps; in the width of one block rows lie behind each other. */
static bool is_product(MlirValue step) {
  MlirOperation op = uw_def(step);
  int64_t other;
  while (!uw_null(op)) {
    bool cast =
        uw_name_starts(op, "arith.index_cast") || uw_name_starts(op, "arith.ext") || uw_name_starts(op, "arith.trunc");
    bool most = uw_string_is(uw_name(op), "arith.maxsi") && uw_const_value(uw_operand(op, 1), &other);
    if (!cast && !most)
      return uw_string_is(uw_name(op), "arith.muli") || uw_string_is(uw_name(op), "arith.shli");
    op = uw_def(uw_operand(op, 0));
  }
  return false;
}

static bool is_distant(MlirOperation around, int64_t apart, int64_t row) {
  int64_t step;
  if (uw_const_value(uw_operand(around, 2), &step))
    return step < INT32_MAX && apart < INT32_MAX &&
           step * apart >= 2 * (row > UW_ITERATIONS_AHEAD_LONGEST / 4 ? row : UW_ITERATIONS_AHEAD_LONGEST / 4);
  return is_product(uw_operand(around, 2));
}

static bool fits_iteration(const next *n, const fetch *f) {
  int64_t row = length_of(f->loops[0]) * f->of.bytes;
  bool fits = row == 0 || (row >= UW_NEXT_SHORTEST && row <= UW_ITERATIONS_AHEAD_LONGEST);
  const int64_t *strides = f->strides[0];
  return fits && !f->of.writes && f->depth == 1 && f->of.bytes <= UW_CACHE_LINE && strides[0] == 0 && strides[1] == 0 &&
         strides[DIMS - 1] == f->of.bytes && is_distant(n->around, f->apart, row);
}

static uw_ops ops_in(uw_arena *arena, MlirBlock block) {
  uw_ops ops = {0};
  uw_foreach_op (op, block)
    uw_ops_push(arena, &ops, op);
  return ops;
}

static void emit_iteration(const next *n, MlirOperation threads, const fetch *f) {
  int64_t row = length_of(threads) * f->of.bytes,
          iterations = row ? UW_ITERATIONS_AHEAD_BYTES / row : UW_ITERATIONS_AHEAD_UNKNOWN;
  iterations = iterations < 1                              ? 1
               : iterations > UW_ITERATIONS_AHEAD_FARTHEST ? UW_ITERATIONS_AHEAD_FARTHEST
                                                           : iterations;
  uw_builder b = uw_at(n->around);
  MlirValue steps = uw_binary(&b, "arith.subi", uw_operand(n->around, 1), uw_operand(n->around, 0));
  MlirValue large = is_large(&b, uw_as_index(&b, steps), f), step = uw_as_i64(&b, uw_operand(n->around, 2));
  MlirValue far = uw_binary(&b, "arith.muli", step, uw_const_int(&b, 64, iterations * f->apart));
  emit(n->arena, uw_at(threads), f, large, far);
}

static bool prefetch_iterations(uw_arena *arena, MlirOperation threads) {
  next n = {arena, uw_parent(threads)};
  while (uw_kind(n.around) == UW_OP_SCF_IF) /* the thread loop may stand in a branch of the for's body */
    n.around = uw_parent(n.around);
  if (uw_kind(n.around) != UW_OP_SCF_FOR || uw_dims(threads) != DIMS || uw_is_prefetched(threads) ||
      uw_collect_kind(arena, threads, UW_OP_SCF_FORALL).count)
    return false;
  n.index = mlirBlockGetArgument(uw_block(n.around, 0), 0);
  find(&n, ops_in(arena, uw_block(threads, 0)), fits_iteration);
  for (size_t i = 0; i < n.count; i++)
    emit_iteration(&n, threads, &n.found[i]);
  if (n.count)
    uw_set_prefetched(threads, "rows of the iterations to come are fetched ahead, where there is much to read");
  return n.count > 0;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static bool fits_block(const next *n, const fetch *f) {
  (void)n;
  return f->apart >= UW_NEXT_SHORTEST && f->apart <= UW_BLOCKS_AHEAD_LONGEST;
}

/* Do threads go through several pieces of one array by turns? The processor's prefetchers follow none of them for
 * long. */
static bool goes_by_turns(const next *n) {
  for (size_t i = 0; i < n->count; i++)
    for (size_t k = 0; k < i; k++) {
      const fetch *f = &n->found[i], *g = &n->found[k];
      int64_t gap;
      if (f->depth == g->depth && uw_same_op(f->loops[f->depth - 1], g->loops[g->depth - 1]) &&
          uw_gap_between(&f->of.at, &g->of.at, &gap))
        return true;
    }
  return false;
}

/* More than one thread loop, that is: what barriers part, or what is kept across them. */
static bool has_phases(MlirOperation grid) {
  uw_foreach_op (op, uw_block(grid, 0))
    if (uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SLOT)
      return true;
  return false;
}

static bool prefetch_blocks(uw_arena *arena, MlirOperation grid) {
  if (uw_grid_dim_of(grid, UW_GRID_SLICE) != UW_NO_DIM || !uw_are_blocks_single(grid, UW_GRID_X) ||
      uw_is_prefetched(grid))
    return false;
  next n = {arena, grid, uw_grid_index(grid, UW_GRID_X)};
  find(&n, uw_collect(arena, grid), fits_block);
  if (n.count == 0 || (!has_phases(grid) && !goes_by_turns(&n)))
    return false;
  for (size_t i = 0; i < n.count; i++) {
    const fetch *f = &n.found[i];
    int64_t blocks = f->apart < UW_BLOCKS_AHEAD_BYTES ? UW_BLOCKS_AHEAD_BYTES / f->apart : 1;
    uw_builder b = uw_at(f->loops[0]);
    MlirValue large = is_large(&b, uw_count_blocks(&b, grid), f);
    b = uw_after(f->loops[0]);
    emit(arena, b, f, large, uw_const_int(&b, 64, blocks * f->apart));
  }
  uw_set_prefetched(grid, "what the next block begins with is fetched ahead, where there is much of it");
  return true;
}

uw_change uw_prefetch_next(MlirOperation root, uw_arena *arena) {
  uw_change iterations = uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_THREADS), prefetch_iterations),
            blocks = uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_BLOCKS), prefetch_blocks);
  return iterations == UW_CHANGED ? iterations : blocks;
}
