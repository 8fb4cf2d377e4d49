/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs neighbouring blocks of a row of the grid in lock step, where they march through planes of an array with barriers
 * on the way, or read rows that reach into the next block's. A block of 32 by 8 threads reads and writes short pieces
 * of distant rows, a plane further in each iteration; side by side, blocks go along each row together, as the memory
 * lies, and what is fetched ahead (prefetch_rows.c) is long enough for the processor to follow. Rows that lie a multiple
 * of 4 KiB apart fall into the same few sets of the cache nearest to the processor: of a tile of 16 rows and more
 * nothing is left there for the next block, which reads the same lines again.
 *
 *   grid (%bz, %by, %bx) to (%gz, %gy, %gx) {           grid (%bz, %by, %first) to (%gz, %gy, %gx) step (1, 1, %each) {
 *     %tile = shared 1024                                 %tiles = shared K * 1024
 *     parallel (%z, %y, %x) to (1, %ny, %nx) {    ==>     parallel (%y, %k, %x) to (%ny, blocks of the strip, %nx) {
 *       for … { A(%bx, %tile)                               %bx = %first + %k; %tile = %tiles + %k * 1024
 *         barrier                                           for … { A(%bx, %tile)
 *         B(%bx, %tile); barrier } } }                        barrier
 *                                                             B(%bx, %tile); barrier } } }
 *
 * Where threads keep nothing of their own from one iteration to the next and blocks share nothing, because rematerialize_carried.c and
 * demote_halo.c made them read the original, the rows of neighbours become one (coarsen_rows.c): of a march there are only its rows
 * left, which are as long as the grid's then, or MOST_THREADS of coarsen_rows.c, and are read and written as streams.
 *
 * What is one block from here on has the threads of several, and the index of the block among them in the place of the
 * third dimension, between the other two.
 *
 * Done when a) the block has one thread loop and nothing else with an effect; it is one thread deep, and a row of it
 * touches at most UW_LONGEST_BAND_ROW bytes; b) there is an access of global memory at rows that are far apart
 * (far_row.h), either in a loop around barriers and at other addresses each iteration, or such that the next block's
 * row begins before this one's ends; c) a thread does nothing else than branch, plain accesses, pure operations,
 * barriers of the block, and loops around barriers: a serial loop of its own has a working set of its own; d) what
 * decides about a barrier is the same for all blocks of a row; e) K blocks have room for their shared memory, and for
 * what their threads have in memory, in UW_MOST_SHARED bytes.
 *
 * Legal because nothing orders one block before another, and no block can wait for another one without atomic or
 * volatile accesses (c). A barrier that all threads of all K blocks come by orders what the barriers of each one order:
 * by d) all come by it, the same number of times. What a block sees of its own shared memory is what it saw, at K
 * addresses.
 *
 * Other blocks that do not march are no faster side by side: what they touch next lies behind in the same rows, and is
 * fetched ahead as it is. Where rows overlap, the first and the last block of a row of the grid stay alone: they reach
 * over the border of the data, and the others can do without what is there for it (split_inner_blocks.c).
 *
 * Requires: for loops made; before barriers are lowered. Preserves: the order of effects of each thread, and of each
 * block's threads at barriers. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../memory/far_row.h"
#include "coarsen_rows.h"

#define BAND "unwarp.band" /* a grid loop that is done */

enum { DIMS = 3, Z = 0, Y, X, ALIGNMENT = 64 };

typedef struct band {
  uw_grid_row row;
  MlirOperation threads;
  int64_t blocks; /* K */
  bool marches;   /* or rows overlap */
  int64_t bytes;  /* of shared memory, and of what threads have in memory, a block */
  uw_ops shared;
  uw_table *own; /* operations between the two loops whose results differ from block to block of a row */
} band;

static int64_t extent(MlirOperation threads, size_t d) {
  int64_t number;
  return uw_const_value(uw_upper_of(threads, d), &number) ? number : 0;
}

static int64_t shared_bytes(MlirOperation shared) {
  int64_t bytes;
  if (uw_get_int_attr(shared, "alignment", 0) > ALIGNMENT) /* copies lie side by side */
    return 0;
  return uw_const_value(uw_operand(shared, 0), &bytes) ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : 0;
}

/* --- may it be done? ---------------------------------------------------------------------------------------------- */

/* Takes in what stands between the two loops. */
static bool read_block(uw_arena *arena, band *b) {
  b->own = uw_table_create(arena);
  uw_foreach_op (op, uw_block(b->row.grid, 0)) {
    bool own = uw_kind(op) == UW_OP_SHARED;
    for (size_t i = 0; i < uw_operand_count(op); i++)
      own = own || uw_same(uw_operand(op, i), b->row.block) || uw_table_get(b->own, uw_def(uw_operand(op, i)).ptr);
    if (uw_is_over(op, UW_OVER_THREADS)) {
      if (!uw_null(b->threads) || uw_dims(op) != DIMS)
        return false;
      b->threads = op;
    } else if (uw_kind(op) == UW_OP_SHARED) {
      if (shared_bytes(op) == 0 || !mlirAttributeIsNull(uw_get_attr(op, "unwarp.window")))
        return false;
      b->bytes += shared_bytes(op);
      uw_ops_push(arena, &b->shared, op);
    } else if (!uw_same_op(op, b->row.mark) && uw_kind(op) != UW_OP_SCF_IN_PARALLEL &&
               !(uw_effect_free(op) && uw_region_count(op) == 0)) {
      return false;
    }
    if (own && !uw_is_for_mark(op))
      uw_table_set(b->own, op.ptr, 1);
  }
  if (uw_null(b->threads) || extent(b->threads, Z) != 1 || extent(b->threads, Y) < 2 || extent(b->threads, X) < 2)
    return false;
  for (size_t d = 0; d < DIMS; d++) {
    int64_t first;
    if (!uw_const_value(uw_lower_of(b->threads, d), &first) || first != 0)
      return false;
  }
  return true;
}

/* What is the same for all blocks of a row, and may decide whether a barrier is come by: computed without loads from
 * what is known outside of the grid loop, from the indices of the row, and from the counters of loops around barriers. */
static uw_map *known_of_row(uw_arena *arena, const band *b) {
  uw_map *known = uw_map_create(arena);
  for (uw_grid_dim dim = UW_GRID_Y; dim <= UW_GRID_Z; dim++) {
    MlirValue index = uw_grid_index(b->row.grid, dim);
    if (index.ptr)
      uw_map_set(known, index, index);
  }
  return known;
}

static bool is_known(uw_arena *arena, const band *b, MlirOperation op, size_t operands, const uw_map *known) {
  for (size_t i = 0; i < operands; i++)
    if (!uw_computable_outside(arena, uw_operand(op, i), b->row.grid, known))
      return false;
  return true;
}

/* Of a thread; 0 if that is not known. */
static int64_t private_bytes(MlirOperation memory) {
  int64_t count;
  MlirAttribute type = uw_get_attr(memory, "elem_type");
  return uw_const_value(uw_operand(memory, 0), &count) ? count * (int64_t)uw_type_bytes(mlirTypeAttrGetValue(type)) : 0;
}

/* c) and d) */
static bool is_simple(uw_arena *arena, band *b) {
  enum { BOUNDS = 3 };
  uw_map *known = known_of_row(arena, b);
  uw_ops ops = uw_collect(arena, b->threads);
  bool meets = false;
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    switch (uw_kind(op)) {
    case UW_OP_BARRIER:
      if (!uw_is_exchange(op, "block"))
        return false;
      meets = true;
      break;
    case UW_OP_SCF_FOR:
      if (!uw_has_exchange(op, "block") || !is_known(arena, b, op, BOUNDS, known))
        return false;
      uw_map_set(known, mlirBlockGetArgument(uw_block(op, 0), 0), mlirBlockGetArgument(uw_block(op, 0), 0));
      break;
    case UW_OP_SCF_IF:
      if (uw_has_exchange(op, "block") && !is_known(arena, b, op, 1, known))
        return false;
      break;
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_STORE:
      if (!uw_plain_access(op))
        return false;
      break;
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_IN_PARALLEL: break;
    case UW_OP_LLVM_ALLOCA:
      if (private_bytes(op) == 0)
        return false;
      b->bytes += private_bytes(op) * extent(b->threads, Y) * extent(b->threads, X);
      break;
    default:
      if (!uw_effect_free(op) || uw_region_count(op) > 0)
        return false;
    }
  }
  return meets;
}

/* Does the row of the next block begin before this one's ends? */
static bool overlaps_next(const band *b, MlirValue address, int64_t row) {
  uw_address at = uw_address_of(address);
  int64_t stride = uw_constant_stride(uw_stride_in(&at.offset, b->row.block));
  return stride > 0 && stride < row;
}

/* b) How long a row of a block is, in bytes; 0 if there is no such access. */
static int64_t row_bytes(uw_arena *arena, band *b, uw_ops ops) {
  int64_t longest = 0;
  for (size_t i = 0; i < ops.count; i++) {
    bool writes = uw_kind(ops.at[i]) == UW_OP_LLVM_STORE;
    if (!writes && uw_kind(ops.at[i]) != UW_OP_LLVM_LOAD)
      continue;
    MlirType type = mlirValueGetType(writes ? uw_operand(ops.at[i], 0) : uw_result(ops.at[i], 0));
    int64_t bytes = (int64_t)uw_type_bytes(type), row = bytes * extent(b->threads, X);
    MlirOperation march = uw_parent_of_kind(ops.at[i], UW_OP_SCF_FOR);
    MlirValue address = uw_operand(ops.at[i], writes);
    bool marches =
        !uw_null(march) && uw_inside(march, b->threads) && !uw_computable_outside(arena, address, march, NULL);
    if ((!marches && !overlaps_next(b, address, row)) || !uw_is_far_row(b->threads, address, bytes))
      continue;
    b->marches = b->marches || marches;
    longest = row > longest ? row : longest;
  }
  return longest;
}

static bool match(uw_arena *arena, MlirOperation grid, band *b) {
  *b = (band){0};
  if (!mlirAttributeIsNull(uw_get_attr(grid, BAND)) || !uw_grid_row_of(grid, &b->row) || !read_block(arena, b) ||
      !is_simple(arena, b))
    return false;
  int64_t bytes = row_bytes(arena, b, uw_collect(arena, b->threads));
  if (bytes == 0 || bytes > UW_LONGEST_BAND_ROW)
    return false;
  b->blocks = b->bytes > 0 && UW_MOST_SHARED / b->bytes < UW_BAND_BYTES / bytes ? UW_MOST_SHARED / b->bytes
                                                                                : UW_BAND_BYTES / bytes;
  b->row.rim_alone = !b->marches;
  return b->blocks > 1;
}

/* --- doing it ----------------------------------------------------------------------------------------------------- */

static MlirValue as_int(uw_builder *b, MlirValue index, MlirType type) {
  return uw_build1(b, "arith.index_castui", .in = VALS(index), .out = TYPES(type));
}

/* %tiles + %k * bytes */
static MlirValue own_memory(uw_builder *b, MlirOperation shared, MlirValue k) {
  MlirType i64 = uw_int_type(b->context, 64);
  MlirValue offset = uw_binary(b, "arith.muli", as_int(b, k, i64), uw_const_int(b, 64, shared_bytes(shared)));
  return uw_add_bytes(b, uw_result(shared, 0), offset);
}

/* Computes anew, for the block that the thread is of, what differs from block to block. */
static void compute_own(band *b, uw_arena *arena, uw_builder *at, MlirValue k) {
  uw_map *own = uw_map_create(arena);
  MlirValue block = uw_binary(at, "arith.addi", b->row.block, k);
  uw_map_set(own, b->row.block, block);
  for (MlirOperation op = uw_first(uw_block(b->row.grid, 0)); !uw_same_op(op, b->threads); op = uw_next(op)) {
    if (!uw_table_get(b->own, op.ptr))
      continue;
    bool number = uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI && uw_same(uw_operand(op, 0), b->row.block);
    if (uw_kind(op) == UW_OP_SHARED) {
      uw_map_set(own, uw_result(op, 0), own_memory(at, op, k));
    } else if (number) { /* a sum that may be taken apart; the index of a block fits 31 bits, and says so */
      MlirValue sum = uw_binary(at, "arith.addi", uw_result(op, 0), as_int(at, k, mlirValueGetType(uw_result(op, 0))));
      uw_set_attr(uw_def(sum), "overflowFlags", uw_attr(at->context, "#arith.overflow<nsw, nuw>"));
      uw_map_set(own, uw_result(op, 0), sum);
    } else {
      uw_clone(at, op, own);
    }
  }
  for (MlirOperation op = uw_first(uw_block(b->row.grid, 0)); !uw_same_op(op, b->threads); op = uw_next(op))
    for (size_t i = 0; uw_table_get(b->own, op.ptr) && i < uw_result_count(op); i++) {
      MlirValue old = uw_result(op, i), new = uw_map_get(own, old);
      for (MlirOperation user = at->before; !uw_null(user); user = uw_next(user))
        uw_replace_uses_inside(old, new, user);
    }
  for (MlirOperation user = at->before; !uw_null(user); user = uw_next(user))
    uw_replace_uses_inside(b->row.block, block, user);
}

static void take_together(uw_arena *arena, band *b) {
  uw_builder at = uw_at(b->row.grid);
  MlirValue most = uw_const_index(&at, b->blocks);
  MlirValue blocks = uw_take_together(arena, &b->row, uw_blocks_together(&at, &b->row, most), b->threads);
  at = uw_at(b->threads); /* the constant says how much room slots need (thread_loop.c) */
  MlirValue few = uw_binary(&at, "arith.minui", blocks, uw_const_index(&at, b->blocks));
  MlirBlock body = uw_block(b->threads, 0);
  at = (uw_builder){at.context, mlirOperationGetLocation(b->threads), body, uw_first(body)};
  MlirValue first = mlirBlockGetArgument(body, Z), second = mlirBlockGetArgument(body, Y);
  uw_replace_uses(first, uw_const_index(&at, 0));
  uw_replace_uses(second, first);
  uw_set_upper(b->threads, Z, uw_upper_of(b->threads, Y));
  uw_set_upper(b->threads, Y, few);
  compute_own(b, arena, &at, second);
  for (size_t i = 0; i < b->shared.count; i++) {
    at = uw_at(b->shared.at[i]);
    mlirOperationSetOperand(b->shared.at[i], 0, uw_const_int(&at, 64, b->blocks * shared_bytes(b->shared.at[i])));
    uw_set_attr(b->shared.at[i], "alignment", uw_int_attr(at.context, 64, ALIGNMENT));
  }
  uw_set_attr(b->row.grid, BAND, mlirUnitAttrGet(at.context));
}

/* Do threads do nothing but march, in iterations with one barrier between each and the next, and keep nothing of their
 * own from iteration to iteration? What is left of such a block are its rows. */
static bool keeps_nothing(uw_arena *arena, const band *b) {
  MlirOperation march = {NULL};
  uw_ops barriers = uw_collect_kind(arena, b->threads, UW_OP_BARRIER);
  uw_foreach_op (op, uw_block(b->threads, 0))
    if (uw_kind(op) == UW_OP_SCF_FOR && uw_null(march))
      march = op;
    else if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && !uw_speculatable(op))
      return false;
  if (b->bytes > 0 || barriers.count != 1 || uw_null(march) ||
      !mlirBlockEqual(mlirOperationGetBlock(barriers.at[0]), uw_block(march, 0)))
    return false;
  bool before = false, after = false, met = false; /* is there more than arithmetic? */
  uw_foreach_op (op, uw_block(march, 0)) {
    met = met || uw_same_op(op, barriers.at[0]);
    if (!uw_speculatable(op) && !uw_same_op(op, barriers.at[0]))
      *(met ? &after : &before) = true;
  }
  uw_uniformity *facts = uw_uniformity_of(arena, b->threads, "block");
  for (size_t i = 0; i < uw_result_count(march); i++)
    if (!uw_uniform(facts, mlirBlockGetArgument(uw_block(march, 0), (intptr_t)i + 1)))
      return false;
  return !before || !after;
}

static bool take_band(uw_arena *arena, MlirOperation grid) {
  band b;
  if (!match(arena, grid, &b))
    return false;
  b.row.long_blocks = true;
  if (b.marches && keeps_nothing(arena, &b) && uw_make_long_row(arena, &b.row, b.threads)) {
    uw_remark(mlirOperationGetLocation(b.threads), "coarsen-blocks",
              "neighbouring blocks of a row run in lock step, as one row of threads");
    uw_set_attr(b.row.grid, BAND, mlirUnitAttrGet(mlirOperationGetContext(grid)));
    return true;
  }
  b.row.long_blocks = false;
  take_together(arena, &b);
  uw_remark(mlirOperationGetLocation(b.threads), "coarsen-blocks", "%d neighbouring blocks of a row run in lock step",
            (int)b.blocks);
  return true;
}

uw_change uw_coarsen_interleaved(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_kind(arena, root, UW_OP_SCF_FORALL), take_band);
}
