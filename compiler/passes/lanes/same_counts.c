/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts a loop from 0 where both of its bounds are the same step apart from lane to lane, as of a window around each
 * thread's element: its lanes make as many iterations as each other.
 *
 *   for %i = %x - 4 to %x + 5 { … }     ==>     for %k = 0 to (%x + 5) - (%x - 4) { %i = (%x - 4) + %k; … }
 *
 * Legal as the sums are of 64 bits, and the bounds of 32: nothing wraps around. That the bounds themselves do not from
 * one lane to the next is asked before the lanes (lane_shapes.h). Refuses: counters of other types, and those without
 * sign; silently. Twice is once: what is counted from 0 to a count that is the same has no bounds that move. */
#include "same_counts.h"

#include "lane_shapes.h"

enum { LOWER, UPPER, STEP, CARRIED };

static bool moves_together(uw_shapes *shapes, MlirOperation loop) {
  MlirType type = mlirValueGetType(uw_operand(loop, LOWER));
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 32 ||
      !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")) || !uw_is_same(shapes, uw_operand(loop, STEP)))
    return false;
  uw_shape lower = uw_shape_of(shapes, uw_operand(loop, LOWER)), upper = uw_shape_of(shapes, uw_operand(loop, UPPER));
  return lower.kind == UW_SHAPE_STEP && upper.kind == UW_SHAPE_STEP && lower.step == upper.step;
}

static MlirValue extend(uw_builder *b, MlirValue value) {
  return uw_build1(b, "arith.extsi", .in = VALS(value), .out = TYPES(uw_int_type(b->context, 64)));
}

/* The counter is the wide value cut; where it is extended again it is the wide value. */
static void use_wide(uw_builder *b, MlirValue counter, MlirValue wide) {
  for (MlirOpOperand use = mlirValueGetFirstUse(counter), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_ARITH_EXTSI &&
        mlirTypeEqual(mlirValueGetType(uw_result(user, 0)), mlirValueGetType(wide)))
      uw_replace_uses(uw_result(user, 0), wide);
  }
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(counter)))
    return;
  MlirValue cut = uw_build1(b, "arith.trunci", .in = VALS(wide), .out = TYPES(mlirValueGetType(counter)),
                            .attrs = ATTRS({"overflowFlags", uw_attr(b->context, "#arith.overflow<nsw>")}));
  uw_replace_uses(counter, cut);
}

static void count_from_zero(uw_arena *arena, MlirOperation loop) {
  uw_builder b = uw_at(loop);
  uw_vals inits = {0};
  for (size_t i = CARRIED; i < uw_operand_count(loop); i++)
    uw_vals_push(arena, &inits, uw_operand(loop, i));
  MlirValue low = extend(&b, uw_operand(loop, LOWER));
  MlirValue count = uw_binary(&b, "arith.subi", extend(&b, uw_operand(loop, UPPER)), low);
  MlirOperation made =
      uw_build_for(&b, uw_const_int(&b, 64, 0), count, extend(&b, uw_operand(loop, STEP)), VALS_OF(inits));
  MlirBlock body = uw_block(made, 0);
  uw_builder in = uw_at_end(body, b.location);
  MlirValue wide =
      uw_build1(&in, "arith.addi", .in = VALS(low, mlirBlockGetArgument(body, 0)), .out = TYPES(mlirValueGetType(low)),
                .attrs = ATTRS({"overflowFlags", uw_attr(b.context, "#arith.overflow<nsw>")}));
  use_wide(&in, mlirBlockGetArgument(uw_block(loop, 0), 0), wide);
  uw_map *map = uw_map_create(arena);
  for (size_t i = 0; i < inits.count; i++) {
    uw_map_set(map, mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)i + 1),
               mlirBlockGetArgument(body, (intptr_t)i + 1));
    uw_replace_uses(uw_result(loop, i), uw_result(made, i));
  }
  uw_foreach_op (op, uw_block(loop, 0))
    uw_clone(&in, op, map);
  uw_erase(loop);
}

void uw_share_counts(uw_arena *arena, MlirOperation lanes) {
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR), found = {0};
  for (size_t i = 0; i < loops.count; i++)
    if (moves_together(shapes, loops.at[i]))
      uw_ops_push(arena, &found, loops.at[i]);
  for (size_t i = found.count; i-- > 0;) /* inner ones first: the outer one is copied with them */
    count_from_zero(arena, found.at[i]);
}
