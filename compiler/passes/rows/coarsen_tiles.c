/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs up to 16 by 4 neighbouring blocks of the grid side by side, where they fill shared arrays with the same values:
 * in a product of matrices, the tile of the left one is the same along a row of blocks, that of the right one along a
 * column. They are then fetched once for all of them, and what is read from them is used as often.
 *
 *   grid (%bz, %by, %bx) to (%gz, %gy, %gx) {           grid (%bz, %by, %bx) to (%gz, %gy, %gx) step (1, %down, %along) {
 *                                                         %bx, %by: of the first block; %nx in a row, %ny in a column
 *     for (%k) {                                          for (%k) {
 *       parallel (0, %y, %x) {                              for (%j to %ny) { parallel (0, %y, %x) { %left[%j] = … %by + %j … } }
 *         %left = … %by …; %right = … %bx … }   ==>         parallel (%z to %nx, %y, %x) { %right[%z] = … %bx + %z … }
 *       parallel (0, %y, %x) {                              for (%j to %ny) { parallel (%z to %nx, %y, %x) {
 *         %sum += f(%left, %right) } } }                      %sum[%j][%z] += f(%left[%j], %right[%z]) } } } }
 *
 * Blocks have one layer of threads, so the dimension z is free to count the blocks of a row; those of a column get a
 * serial loop. A loop over threads is *common* along an axis if nothing in it depends on the block's index there, it
 * writes nothing but shared arrays that only common loops write, and it reads these and global memory to which the
 * launch writes nowhere: then all blocks along the axis do the same in it, and it runs once. Every other loop runs for
 * each block, and each block has its own copy of what such a loop writes. A loop that does both is parted first
 * (part_loop), and one that starts where the block's index says is counted from 0 (count_from_zero).
 *
 * Done when a) the blocks' work is thread loops, under for loops and branches that are the same for the blocks; b)
 * these hold arithmetic, control flow, plain accesses of memory and nothing else; c) a common loop stands in a for that
 * holds another one too: what is done once is fetched again and again, and used; d) what the blocks have for themselves
 * is UW_PANEL_BYTES at most, together: it stays in the second cache. As many blocks as leave panels for all workers are
 * taken, asked at run time. Where these are few, rows become shorter, down to UW_PANEL_FEWEST_ALONG, before columns do:
 * the squarer a panel, the less it fetches.
 *
 * Legal because nothing orders one block before another, and none waits: waiting takes an atomic or volatile access.
 * Each block has its own order of loops, and each thread its order. Requires: barriers lowered. Preserves: what each
 * thread does. Refuses: all else, silently. */
#include "../../../runtime/uwrt.h"
#include "../../ir/block_numbers.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "coarsen_tiles.h"
#include "grid_row.h"

static bool match(uw_panel *p, const bool wanted[AXES], bool *changed) {
  MlirBlock body = uw_block(p->grid, 0);
  uw_foreach_op (op, body)
    if (uw_is_block_mark(op) && uw_null(p->mark))
      p->mark = op;
  if (uw_null(p->mark) || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(p->mark, 0))) ||
      !uw_panel_find_indices(p))
    return false;
  bool any = false;
  uw_foreach_op (op, body)
    if (uw_kind(op) == UW_OP_SCF_FOR)
      *changed = uw_panel_count_from_zero(p, op) || *changed;
  for (size_t a = 0; a < AXES; a++) {
    p->axes[a].each = uw_table_create(p->arena);
    p->axes[a].varies = uw_table_create(p->arena);
    if (!wanted[a])
      p->axes[a].block.ptr = NULL;
    else if (p->axes[a].block.ptr)
      uw_table_set(p->axes[a].varies, p->axes[a].block.ptr, 1);
  }
  if (!uw_panel_look_through(p, body) || p->loops.count == 0 || !uw_panel_are_plain(p))
    return false;
  for (size_t a = 0; a < AXES; a++) {
    for (size_t i = 0, count = p->loops.count; i < count && p->axes[a].block.ptr; i++)
      if (uw_kind(uw_parent(p->loops.at[i])) == UW_OP_SCF_FOR)
        *changed = uw_panel_part_loop(p, a, p->loops.at[i]) || *changed;
    if (p->axes[a].block.ptr)
      uw_panel_sort_loops(p, a);
    if (!uw_panel_pays(p, a)) {
      p->axes[a].block.ptr = NULL;
      p->axes[a].each = uw_table_create(p->arena);
      p->axes[a].varies = uw_table_create(p->arena);
    }
    any = any || p->axes[a].block.ptr;
  }
  for (size_t a = 0; a < AXES; a++) /* parting along one axis makes loops that the other has not seen */
    if (p->axes[a].block.ptr)
      uw_panel_sort_loops(p, a);
  return any && uw_panel_choose_most(p);
}

/* --- the change --------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES "unwarp.block_bytes" /* on an object of which blocks have their own parts: how long these are */

/* How many blocks to take together: not more than leave panels for all workers, and down a column rather than along a
 * row. */
static void choose_counts(uw_builder *b, uw_panel *p, MlirValue blocks, MlirValue each[AXES]) {
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(p->grid, UW_OP_MODULE)), "uwrt_max_workers",
             "!llvm.func<i32 ()>");
  MlirOperation asked = uw_call(b, "uwrt_max_workers", (uw_value_list){0}, uw_int_type(b->context, 32));
  MlirValue workers =
      uw_build1(b, "arith.index_castui", .in = VALS(uw_result(asked, 0)), .out = TYPES(uw_index_type(b->context)));
  MlirValue panels = uw_with(b, "arith.maxui", uw_with(b, "arith.muli", workers, UW_PARTS_EACH), UW_FEWEST_PARTS);
  MlirValue left = uw_with(b, "arith.maxui", uw_binary(b, "arith.divui", blocks, panels), 1);
  for (size_t a = 0; a < AXES; a++) {
    each[a] = uw_const_index(b, 1);
    if (p->axes[a].most == 1)
      continue;
    int64_t rest = 1; /* what the axes after may take */
    for (size_t after = a + 1; after < AXES; after++)
      rest *= p->axes[after].most;
    MlirValue share = uw_with(b, "arith.maxui", uw_with(b, "arith.divui", left, rest), UW_PANEL_FEWEST_ALONG);
    each[a] = uw_binary(b, "arith.minui",
                        uw_with(b, "arith.minui", uw_binary(b, "arith.minui", left, share), p->axes[a].most),
                        p->axes[a].extent);
    left = uw_with(b, "arith.maxui", uw_binary(b, "arith.divui", left, each[a]), 1);
  }
}

/* Bytes of the object that a block of the row has for itself. */
static int64_t size_of(MlirOperation object) { return uw_get_int_attr(object, BLOCK_BYTES, 0); }

static void make_room(uw_panel *p) {
  for (size_t i = 0; i < p->objects.count; i++) {
    MlirOperation object = p->objects.at[i];
    int64_t bytes, copies = uw_panel_copies_of(p, ALONG, object) * uw_panel_copies_of(p, DOWN, object);
    if (copies == 1 || !uw_const_value(uw_operand(object, 0), &bytes))
      continue;
    uw_builder b = uw_at(object);
    uw_set_attr(object, BLOCK_BYTES, uw_int_attr(b.context, 64, uw_panel_aligned(bytes)));
    mlirOperationSetOperand(object, 0, uw_const_int(&b, 64, uw_panel_aligned(bytes) * copies));
  }
}

/* The value as the block has it for which a loop runs: copies at b of what depends on the block. */
static bool is_common(const void *panel, MlirValue value) {
  return !uw_panel_varies(panel, ALONG, value) && !uw_panel_varies(panel, DOWN, value);
}

/* Where the block has its part of the object. */
static MlirValue own_place(const uw_panel *p, uw_builder *b, MlirOperation object, const MlirValue steps[AXES]) {
  MlirValue place = uw_result(object, 0);
  int64_t apart = size_of(object);
  for (size_t a = 0; a < AXES; a++) {
    if (!uw_panel_is_each(p, a, object) || p->axes[a].most == 1)
      continue;
    MlirValue wide = uw_build1(b, "arith.index_cast", .in = VALS(uw_with(b, "arith.muli", steps[a], apart)),
                               .out = TYPES(uw_int_type(b->context, 64)));
    place = uw_add_bytes(b, place, wide);
    apart *= p->axes[a].most;
  }
  return place;
}

/* Takes all blocks along a row through a row of threads, where no loop is inside, before the next one: their pieces of
 * memory are neighbours. */
static void swap_layers_and_rows(const uw_panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue z = mlirBlockGetArgument(body, 0), y = mlirBlockGetArgument(body, 1);
  uw_foreach_op (op, body)
    if (uw_panel_is_involved(p, op))
      return;
  uw_builder b = uw_at_start(body, mlirOperationGetLocation(loop));
  MlirValue between = uw_const_index(&b, 0);
  uw_replace_uses(z, between);
  uw_replace_uses(y, z);
  uw_replace_uses(between, y);
  uw_erase(uw_def(between));
  for (uw_bound which = UW_LOWER; which < UW_BOUNDS; which++) {
    MlirValue outer = uw_loop_bound(loop, which, 0);
    uw_set_loop_bound(loop, which, 0, uw_loop_bound(loop, which, 1));
    uw_set_loop_bound(loop, which, 1, outer);
  }
}

/* The loop for each of the blocks: what depends on the block is computed in it anew. */
static void run_for_each(uw_panel *p, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue layer = mlirBlockGetArgument(body, 0), steps[AXES] = {{NULL}};
  bool runs[AXES];
  for (size_t a = 0; a < AXES; a++)
    runs[a] = p->axes[a].most > 1 && uw_panel_is_each(p, a, loop);
  if (!runs[ALONG] && !runs[DOWN])
    return;
  uw_ops ops = uw_collect(p->arena, loop);
  uw_builder b = uw_at(loop);
  if (runs[DOWN]) {
    MlirOperation column =
        uw_build_for(&b, uw_const_index(&b, 0), p->axes[DOWN].count, uw_const_index(&b, 1), (uw_value_list){0});
    uw_yield(uw_block(column, 0), b.location, (uw_value_list){0});
    uw_move_to_end(loop, uw_block(column, 0));
    steps[DOWN] = mlirBlockGetArgument(uw_block(column, 0), 0);
  }
  b = uw_at_start(body, b.location);
  if (runs[ALONG]) {
    uw_replace_uses(layer, uw_const_index(&b, 0));
    uw_set_upper(loop, 0, p->axes[ALONG].count);
    steps[ALONG] = layer;
  }
  uw_map *own = uw_map_create(p->arena);
  for (size_t a = 0; a < AXES; a++)
    if (runs[a])
      uw_map_set(own, p->axes[a].block, uw_binary(&b, "arith.addi", p->axes[a].block, steps[a]));
  for (size_t i = 0; i < p->objects.count; i++)
    if (size_of(p->objects.at[i]) && uw_panel_used_in(uw_result(p->objects.at[i], 0), loop))
      uw_map_set(own, uw_result(p->objects.at[i], 0), own_place(p, &b, p->objects.at[i], steps));
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k),
                mine = uw_compute_again(&b, &(uw_again){is_common, p, false}, value, own);
      if (!uw_same(mine, value))
        mlirOperationSetOperand(ops.at[i], (intptr_t)k, mine);
    }
  if (runs[ALONG])
    swap_layers_and_rows(p, loop);
}

static void take_axis(uw_panel *p, uw_axis *axis, MlirValue each) {
  uw_set_loop_bound(p->grid, UW_STEP, axis->dim, each);
  uw_builder b = uw_at_start(uw_block(p->grid, 0), mlirOperationGetLocation(p->grid));
  axis->count = uw_binary(&b, "arith.minui", each, uw_binary(&b, "arith.subi", axis->extent, axis->block));
}

static void take_together(uw_panel *p) {
  MlirValue each[AXES];
  uw_builder b = uw_at(p->grid);
  choose_counts(&b, p, uw_count_blocks(&b, p->grid), each);
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].most > 1)
      take_axis(p, &p->axes[a], each[a]);
  make_room(p);
  for (size_t i = 0; i < p->loops.count; i++)
    run_for_each(p, p->loops.at[i]);
  static const uint64_t flags[AXES] = {UWRT_BLOCK_OR_AFTER, UWRT_BLOCK_OR_BELOW};
  for (size_t a = 0; a < AXES; a++)
    if (p->axes[a].most > 1)
      uw_mark_together(p->mark, each[a], flags[a]);
}

uw_change uw_coarsen_tiles(uw_arena *arena, MlirOperation root) {
  static const bool choices[][AXES] = {{true, true}, {true, false}, {false, true}};
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    bool changed = false, done = !uw_is_over(loops.at[i], UW_OVER_BLOCKS);
    for (size_t k = 0; k < sizeof choices / sizeof *choices && !done; k++) {
      uw_panel p = {.arena = arena, .grid = loops.at[i]};
      if (!match(&p, choices[k], &changed))
        continue;
      uw_remark(mlirOperationGetLocation(p.grid), "coarsen-blocks",
                "blocks fill shared memory with the same: up to %d of a row and %d of a column run together",
                (int)p.axes[ALONG].most, (int)p.axes[DOWN].most);
      take_together(&p);
      change = UW_CHANGED;
      done = true;
    }
    change = changed ? UW_CHANGED : change;
  }
  return change;
}
