/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranges of loops over threads: see loop_ranges.h. */
#include "loop_ranges.h"
#include "../ir/parallel.h"

static bool is_marked(MlirOperation op) { return !uw_null(op) && !mlirAttributeIsNull(uw_get_attr(op, UW_FALLBACK)); }

bool uw_is_fallback(MlirOperation loop) { return is_marked(loop) || is_marked(uw_parent_of_kind(loop, UW_OP_MODULE)); }

void uw_set_fallback(MlirOperation op) { uw_set_attr(op, UW_FALLBACK, mlirUnitAttrGet(mlirOperationGetContext(op))); }

void uw_set_range(MlirOperation loop, size_t dimension, uw_range part) {
  uw_assert(loop, dimension < uw_dims(loop));
  if (part.lower.ptr)
    uw_set_loop_bound(loop, UW_LOWER, dimension, part.lower);
  if (part.upper.ptr)
    uw_set_loop_bound(loop, UW_UPPER, dimension, part.upper);
}

/* Each begins with what the one before it leaves; who used what the first one gave uses what the last one does. */
static void hand_on(MlirOperation *loops, size_t count) {
  enum { FIRST_CARRIED = 3 };
  for (size_t k = 0; k < uw_result_count(loops[0]); k++) {
    uw_replace_uses(uw_result(loops[0], k), uw_result(loops[count - 1], k));
    for (size_t i = 1; i < count; i++)
      mlirOperationSetOperand(loops[i], (intptr_t)(FIRST_CARRIED + k), uw_result(loops[i - 1], k));
  }
}

void uw_split_range(uw_arena *arena, MlirOperation loop, size_t dimension, const uw_range *parts, size_t count,
                    MlirOperation *made) {
  uw_builder b = uw_after(loop);
  for (size_t i = 0; i < count; i++)
    made[i] = i == 0 ? loop : uw_clone(&b, loop, uw_map_create(arena));
  hand_on(made, count);
  for (size_t i = 0; i < count; i++)
    uw_set_range(made[i], dimension, parts[i]);
}

void uw_keep_remainder(MlirOperation loop, size_t dimension, MlirValue from) {
  int64_t first, end;
  if (uw_const_value(from, &first) && uw_const_value(uw_upper_of(loop, dimension), &end) && first >= end)
    mlirOperationDestroy(loop);
  else
    uw_set_range(loop, dimension, (uw_range){.lower = from});
}

void uw_do_ends(uw_builder *b, MlirOperation loop, MlirValue parted, MlirValue low, MlirValue high) {
  size_t dims = uw_dims(loop);
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1), two = uw_const_index(b, 2);
  MlirValue lower = uw_lower_of(loop, dims - 1), upper = uw_upper_of(loop, dims - 1);
  MlirOperation ends =
      uw_build_for(b, zero, parted.ptr ? uw_select(b, parted, two, one) : two, one, (uw_value_list){0});
  uw_builder in = uw_at_end(uw_block(ends, 0), b->location);
  MlirValue starts = uw_compare(&in, UW_EQ, mlirBlockGetArgument(uw_block(ends, 0), 0), zero);
  MlirValue head = parted.ptr ? uw_binary(&in, "arith.andi", parted, starts) : starts;
  MlirValue from = uw_select(&in, starts, lower, high), to = uw_select(&in, head, low, upper);
  uw_set_range(loop, dims - 1, (uw_range){from, to});
  uw_move_to_end(loop, uw_block(ends, 0));
  uw_yield(uw_block(ends, 0), b->location, (uw_value_list){0});
}

void uw_write_out(uw_arena *arena, MlirOperation loop, int64_t trips) {
  uw_builder b = uw_at(loop);
  MlirBlock body = uw_block(loop, 0);
  MlirType type = mlirValueGetType(uw_operand(loop, 0));
  size_t count = uw_result_count(loop);
  int64_t lower = 0, step = 0;
  uw_const_value(uw_operand(loop, 0), &lower);
  uw_const_value(uw_operand(loop, 2), &step);
  MlirValue *now = uw_alloc(arena, (count + 1) * sizeof *now);
  for (size_t i = 0; i < count; i++)
    now[i] = uw_operand(loop, i + 3);
  for (int64_t trip = 0; trip < trips; trip++) {
    uw_map *map = uw_map_create(arena);
    MlirAttribute number = mlirIntegerAttrGet(type, lower + trip * step);
    uw_map_set(map, mlirBlockGetArgument(body, 0),
               uw_build1(&b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", number})));
    for (size_t i = 0; i < count; i++)
      uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i + 1), now[i]);
    uw_foreach_op (op, body)
      if (!uw_same_op(op, uw_last(body)))
        uw_clone(&b, op, map);
    for (size_t i = 0; i < count; i++)
      now[i] = uw_map_or_same(map, uw_operand(uw_last(body), i));
  }
  for (size_t i = 0; i < count; i++)
    uw_replace_uses(uw_result(loop, i), now[i]);
  uw_erase(loop);
}
