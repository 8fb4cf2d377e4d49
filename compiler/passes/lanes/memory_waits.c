/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops in which a thread waits for memory:
 *
 *   while (%low < %high) { %middle = …; if (load %keys[%middle] < %wanted) %low = … else %high = … }
 *
 * A search in a table, a walk along a list or down a tree: no iteration can begin before the one before has its
 * element. Lanes wait together, and the more there are, the more loads are under way. Found by going from a load's
 * address back to what the loop carries, and on through what its iterations hand on, to that load.
 *
 * Loads to which nothing in the loop leads, by an index that counts, are not meant: processors begin them early.
 *
 *   for (%i) %sum += load %a[%i * %n + %thread]
 *
 * A line or two of memory of each row, and the next row on another page: no hardware prefetcher follows, and a table of
 * pages that the processor keeps is gone through for each line. The more threads go together, the longer are the pieces
 * of rows. */
#include "memory_waits.h"

#include "../../analysis/access_map.h"
#include "../../analysis/cost.h"

enum { MOST_STEPS = 1000 /* bound of a search */ };

typedef struct search {
  uw_arena *arena;
  MlirOperation loop;
  uw_vals values; /* on the way, those to be looked at behind those that were */
  uw_table *seen;
} search;

static void look_at(search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop) || uw_table_get(s->seen, value.ptr))
    return;
  uw_table_set(s->seen, value.ptr, 1);
  uw_vals_push(s->arena, &s->values, value);
}

static void look_at_yields(search *s, MlirOperation op, size_t result) {
  for (unsigned i = 0; i < (unsigned)uw_region_count(op); i++)
    if (!mlirBlockIsNull(uw_block(op, i)))
      look_at(s, uw_operand(uw_last(uw_block(op, i)), result));
}

/* What a loop hands to an argument of its blocks. */
static void look_at_argument(search *s, MlirValue value) {
  MlirOperation op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  size_t number = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(op) == UW_OP_SCF_FOR) {
    if (number == 0)
      return;
    look_at(s, uw_operand(op, number + 2));
    look_at(s, uw_operand(uw_last(uw_block(op, 0)), number - 1));
  } else if (uw_kind(op) == UW_OP_SCF_WHILE) {
    bool tests = mlirBlockEqual(mlirBlockArgumentGetOwner(value), uw_block(op, 0));
    if (tests)
      look_at(s, uw_operand(op, number));
    look_at(s, uw_operand(uw_last(uw_block(op, tests ? 1 : 0)), tests ? number : number + 1));
  }
}

static void look_behind(search *s, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op)) {
    look_at_argument(s, value);
    return;
  }
  size_t result = (size_t)mlirOpResultGetResultNumber(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    look_at(s, uw_operand(op, i));
  if (uw_kind(op) == UW_OP_SCF_WHILE)
    look_at(s, uw_operand(uw_last(uw_block(op, 0)), result + 1));
  else if (uw_region_count(op))
    look_at_yields(s, op, result);
}

/* Does the load's address follow from what it loaded? That can only be in an iteration before. */
static bool follows(uw_arena *arena, MlirOperation loop, MlirOperation load) {
  search s = {.arena = arena, .loop = loop, .seen = uw_table_create(arena)};
  look_at(&s, uw_operand(load, 0));
  for (size_t i = 0; i < s.values.count && i < MOST_STEPS; i++) {
    if (uw_same_op(uw_def(s.values.at[i]), load))
      return true;
    look_behind(&s, s.values.at[i]);
  }
  return false;
}

bool uw_follows_loads(uw_arena *arena, MlirOperation threads) {
  uw_ops ops = uw_collect(arena, threads);
  for (size_t i = 0; i < ops.count; i++) {
    bool is_loop = uw_kind(ops.at[i]) == UW_OP_SCF_FOR || uw_kind(ops.at[i]) == UW_OP_SCF_WHILE;
    uw_ops loads = is_loop ? uw_collect_kind(arena, ops.at[i], UW_OP_LLVM_LOAD) : (uw_ops){0};
    for (size_t k = 0; k < loads.count; k++)
      if (follows(arena, ops.at[i], loads.at[k]))
        return true;
  }
  return false;
}

static bool is_one_row(MlirOperation threads, size_t dims) {
  int64_t number;
  for (size_t d = 0; d + 1 < dims; d++)
    if (!uw_const_value(uw_upper_of(threads, d), &number) || number != 1)
      return false;
  return true;
}

static size_t float_operations(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  size_t count = 0;
  for (size_t i = 0; i < ops.count; i++)
    count += uw_result_count(ops.at[i]) == 1 && uw_kind(ops.at[i]) != UW_OP_LLVM_LOAD &&
             uw_kind(ops.at[i]) != UW_OP_ARITH_CONSTANT && mlirTypeIsAFloat(mlirValueGetType(uw_result(ops.at[i], 0)));
  return count;
}

bool uw_reads_far_rows(uw_arena *arena, MlirOperation threads) {
  MlirBlock body = uw_block(threads, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  if (!is_one_row(threads, dims))
    return false;
  MlirValue thread = mlirBlockGetArgument(body, (intptr_t)dims - 1);
  uw_access_maps *maps = uw_access_maps_create(arena);
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  bool found = false;
  for (size_t i = 0; i < loops.count; i++) {
    MlirValue counter = mlirBlockGetArgument(uw_block(loops.at[i], 0), 0);
    uw_ops loads = uw_collect_kind(arena, loops.at[i], UW_OP_LLVM_LOAD);
    size_t rows = 0;
    for (size_t k = 0; k < loads.count; k++) {
      const uw_access_map *map = uw_access_map_at(maps, loads.at[k]);
      const uw_map_index *by = map ? uw_map_index_of(map, thread) : NULL,
                         *on = by ? uw_map_index_of(map, counter) : NULL;
      if (map && uw_goes_across(map, thread, counter))
        return false;
      rows += on && uw_is_stride(by->stride, (int64_t)map->access.bytes) && uw_is_far_stride(on->stride);
    }
    if (rows && float_operations(arena, loops.at[i]) > rows * UW_FAR_ROW_MOST_OPS)
      return false;
    found = found || rows;
  }
  return found;
}
