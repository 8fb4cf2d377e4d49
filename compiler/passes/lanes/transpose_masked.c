/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The form of transpose_loads.c for rows of different lengths, which lanes leave one by one:
 *
 *   while (%live = %in and %k < %end; any of %live) {        while (%live = …; any of %live) {
 *     %v = gather rows[%k] where %live                         %room = of each lane min(%end - %k, 16) elements, from rows[%k], transposed
 *     … %v …                                          ==>      while (%live = …; any of %live, and %d < 16) {
 *     %k + 1 }                                                   %v = load %room[%d]; … %v …
 *                                                                %k + 1, %d + 1 } }
 *
 * That %k is below %end is all that a lane which is in the loop goes on for, so it would load each of these
 * elements. */
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "transpose_loads.h"
#include "vectors.h"

typedef struct leaving {
  MlirBlock before, after;
  MlirOperation condition;
  MlirValue end; /* of each lane */
  size_t live;   /* its position among what the test hands on */
} leaving;

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* The position where the test hands it on; as many as there are: nowhere. */
static size_t handed_on_at(const leaving *l, MlirValue value) {
  size_t count = uw_operand_count(l->condition) - 1, place = 0;
  while (place < count && !uw_same(uw_operand(l->condition, place + 1), value))
    place++;
  return place;
}

/* The lanes that were in the loop and go on: %in and %counter < %end. */
static bool goes_on_below(uw_turn *t, leaving *l, MlirValue live) {
  MlirOperation both = uw_def(live), none;
  int64_t others;
  if (uw_kind(both) != UW_OP_ARITH_SELECT || uw_kind(none = uw_def(uw_operand(both, 2))) != UW_OP_ARITH_CONSTANT ||
      !uw_splat_value(uw_result(none, 0), &others) || others != 0)
    return false;
  MlirOperation compare = uw_def(uw_operand(both, 1));
  if (!uw_counter_of_while(t->within.loop, compare, &t->within))
    return false;
  l->end = uw_operand(compare, 1);
  size_t count = uw_operand_count(uw_last(l->after)), kept = 0;
  while (kept < count && !uw_same(mlirBlockGetArgument(l->before, (intptr_t)kept), uw_operand(both, 0)))
    kept++;
  return kept < count &&
         uw_same(uw_operand(uw_last(l->after), kept), mlirBlockGetArgument(l->after, (intptr_t)l->live));
}

static bool has_masks_for(const uw_turn *t) {
  uw_target target = uw_target_of(t->within.loop);
  for (size_t i = 0; i < t->count; i++) {
    int64_t bytes = (int64_t)uw_type_bytes(uw_element_of(mlirValueGetType(uw_result(t->gathers[i], 0))));
    if (!uw_loads_under_masks(&target, bytes))
      return false;
  }
  return true;
}

static bool fits(uw_turn *t, leaving *l) {
  MlirOperation some = uw_def(uw_operand(l->condition, 0));
  if (uw_null(some) || !uw_name_starts(some, "llvm.intr.vector.reduce.or"))
    return false;
  MlirValue live = uw_operand(some, 0);
  l->live = handed_on_at(l, live);
  if (l->live == uw_operand_count(l->condition) - 1 || !goes_on_below(t, l, live))
    return false;
  t->live = mlirBlockGetArgument(l->after, (intptr_t)l->live);
  return uw_find_walking(t, l->after) && has_masks_for(t) && uw_only_reads(t->within.loop);
}

/* --- the change --------------------------------------------------------------------------------------------------- */

/* A while with the loop's test, handing on what that does and then the values that the loop carries, and more. */
static MlirOperation build_loop(uw_builder *b, const uw_turn *t, const leaving *l, uw_vals inits, MlirValue limit) {
  size_t handed = uw_operand_count(l->condition) - 1, count = handed + inits.count;
  MlirType *types = uw_alloc(t->arena, count * sizeof *types);
  for (size_t i = 0; i < handed; i++)
    types[i] = mlirValueGetType(uw_operand(l->condition, i + 1));
  for (size_t i = 0; i < inits.count; i++)
    types[handed + i] = mlirValueGetType(inits.at[i]);
  MlirOperation loop = uw_build_while(b, VALS_OF(inits), (uw_type_list){types, count});
  MlirBlock test = uw_block(loop, 0);
  uw_builder in = {b->context, b->location, test, {NULL}};
  uw_map *map = uw_map_create(t->arena);
  size_t carried = (size_t)mlirBlockGetNumArguments(l->before);
  for (size_t i = 0; i < carried; i++)
    uw_map_set(map, mlirBlockGetArgument(l->before, (intptr_t)i), mlirBlockGetArgument(test, (intptr_t)i));
  uw_foreach_op (op, l->before)
    if (!uw_same_op(op, l->condition))
      uw_clone(&in, op, map);
  uw_vals out = {0};
  MlirValue goes_on = uw_map_or_same(map, uw_operand(l->condition, 0));
  if (limit.ptr) {
    MlirValue is_below = uw_compare(&in, UW_ULT, mlirBlockGetArgument(test, (intptr_t)carried), limit);
    goes_on = uw_binary(&in, "arith.andi", goes_on, is_below);
  }
  uw_vals_push(t->arena, &out, goes_on);
  for (size_t i = 0; i < handed; i++)
    uw_vals_push(t->arena, &out, uw_map_or_same(map, uw_operand(l->condition, i + 1)));
  for (size_t i = 0; i < inits.count; i++)
    uw_vals_push(t->arena, &out, mlirBlockGetArgument(test, (intptr_t)i));
  uw_build(&in, "scf.condition", .in = VALS_OF(out));
  return loop;
}

/* How many of the next elements each lane loads: those below its end, if it is in the loop. A list in memory. */
static MlirValue count_elements(uw_builder *b, uw_builder *outside, const uw_turn *t, const leaving *l,
                                MlirValue counter, MlirValue live) {
  MlirType type = uw_element_of(mlirValueGetType(counter));
  int64_t lanes = uw_lanes_of(t->gathers[0]);
  unsigned bits = mlirIntegerTypeGetWidth(type);
  MlirValue left = uw_binary(b, "arith.minui", uw_binary(b, "arith.subi", l->end, counter),
                             uw_splat(b, uw_const_int(b, bits, t->iterations), lanes));
  MlirValue count = uw_select(b, live, left, uw_splat(b, uw_const_int(b, bits, 0), lanes));
  if (bits != 32) {
    MlirType narrow = mlirVectorTypeGet(1, &lanes, uw_int_type(b->context, 32));
    count = uw_build1(b, bits > 32 ? "arith.trunci" : "arith.extui", .in = VALS(count), .out = TYPES(narrow));
  }
  return uw_list_of(b, outside, count);
}

static bool stays(const void *loop, MlirValue value) { return !uw_defined_inside(value, *(const MlirOperation *)loop); }

static void load_rows(uw_builder *b, uw_builder *outside, const uw_turn *t, MlirOperation gather, uw_map *map,
                      MlirValue counts, MlirValue room) {
  const uw_again again = {stays, &t->within.loop, true};
  MlirType element = uw_element_of(mlirValueGetType(uw_result(gather, 0)));
  const uw_row_loads rows = {.element = element,
                             .lanes = uw_lanes_of(gather),
                             .iterations = t->iterations,
                             .alignment = uw_get_int_attr(gather, "alignment", (int64_t)uw_type_bytes(element)),
                             .starts = uw_list_of(b, outside, uw_compute_again(b, &again, uw_operand(gather, 0), map)),
                             .counts = counts,
                             .room = room};
  uw_load_squares(b, &rows);
}

/* The loop's body, with loads from the rooms in place of the gathers. */
static void copy_body(const uw_turn *t, const leaving *l, MlirOperation inner, const MlirValue *rooms) {
  MlirBlock body = uw_block(inner, 1);
  uw_builder in = {mlirOperationGetContext(inner), mlirOperationGetLocation(inner), body, {NULL}};
  uw_map *map = uw_map_create(t->arena);
  size_t handed = (size_t)mlirBlockGetNumArguments(l->after), carried = (size_t)mlirBlockGetNumArguments(l->before),
         done = 0;
  for (size_t i = 0; i < handed; i++)
    uw_map_set(map, mlirBlockGetArgument(l->after, (intptr_t)i), mlirBlockGetArgument(body, (intptr_t)i));
  MlirValue iteration = mlirBlockGetArgument(body, (intptr_t)(handed + carried));
  uw_foreach_op (op, l->after) {
    if (uw_same_op(op, uw_last(l->after)))
      break;
    if (done == t->count || !uw_same_op(op, t->gathers[done])) {
      uw_clone(&in, op, map);
      continue;
    }
    MlirType vector = mlirValueGetType(uw_result(op, 0));
    MlirAttribute alignment = uw_int_attr(in.context, 64, (int64_t)uw_type_bytes(uw_element_of(vector)));
    uw_map_set(map, uw_result(op, 0),
               uw_build1(&in, "llvm.load", .in = VALS(uw_add_elements(&in, rooms[done], vector, iteration)),
                         .out = TYPES(vector), .attrs = ATTRS({"alignment", alignment})));
    done++;
  }
  uw_vals next = {0};
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(t->arena, &next, uw_map_or_same(map, uw_operand(uw_last(l->after), i)));
  uw_vals_push(t->arena, &next, uw_binary(&in, "arith.addi", iteration, uw_const_int(&in, 64, 1)));
  uw_build(&in, "scf.yield", .in = VALS_OF(next));
  uw_mark_transposed(inner);
}

static void turn_loop(const uw_turn *t, const leaving *l) {
  MlirOperation loop = t->within.loop;
  uw_builder b = uw_at(loop);
  size_t handed = (size_t)mlirBlockGetNumArguments(l->after), carried = (size_t)mlirBlockGetNumArguments(l->before);
  MlirValue rooms[UW_MOST_GATHERS];
  for (size_t i = 0; i < t->count; i++)
    rooms[i] =
        uw_slot_at_line(&b, t->iterations * (int64_t)uw_type_bytes(mlirValueGetType(uw_result(t->gathers[i], 0))));
  uw_vals inits = {0}, state = {0}, next = {0};
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(t->arena, &inits, uw_operand(loop, i));
  MlirOperation outer = build_loop(&b, t, l, inits, (MlirValue){NULL});
  MlirBlock body = uw_block(outer, 1);
  uw_builder in = {b.context, b.location, body, {NULL}}, outside = uw_at(outer);
  uw_map *map = uw_map_create(t->arena);
  for (size_t i = 0; i < handed; i++)
    uw_map_set(map, mlirBlockGetArgument(l->after, (intptr_t)i), mlirBlockGetArgument(body, (intptr_t)i));
  MlirValue counts =
      count_elements(&in, &outside, t, l, uw_map_or_same(map, t->within.counter), uw_map_or_same(map, t->live));
  for (size_t i = 0; i < t->count; i++)
    load_rows(&in, &outside, t, t->gathers[i], map, counts, rooms[i]);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(t->arena, &state, mlirBlockGetArgument(body, (intptr_t)(handed + i)));
  uw_vals_push(t->arena, &state, uw_const_int(&in, 64, 0));
  MlirOperation inner = build_loop(&in, t, l, state, uw_const_int(&in, 64, t->iterations));
  copy_body(t, l, inner, rooms);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(t->arena, &next, uw_result(inner, handed + i));
  uw_build(&in, "scf.yield", .in = VALS_OF(next));
  uw_mark_transposed(outer);
  uw_remark(b.location, "vectorize-interleaved",
            "lanes walk along rows of their own length: %d elements of a row at a time, turned in registers",
            (int)t->iterations);
  for (size_t i = 0; i < handed; i++)
    uw_replace_uses(uw_result(loop, i), uw_result(outer, i));
  uw_erase(loop);
}

bool uw_transpose_in_while(uw_turn *t) {
  leaving l = {.before = uw_block(t->within.loop, 0), .after = uw_block(t->within.loop, 1)};
  l.condition = uw_last(l.before);
  if (!fits(t, &l))
    return false;
  turn_loop(t, &l);
  return true;
}
