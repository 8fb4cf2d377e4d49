/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lanes that go over overlapping ranges together:
 *
 *   lanes %l                                     for (%k = least %lo to min(greatest %lo, greatest %hi))
 *     for (%k = %lo to %hi)                        if some lane has %lo <= %k < %hi: body under their mask
 *       %s += a[%k] * b[%x + %l - %k]     ==>    for (%k = from there to least %hi) body
 *                                                for (%k = from there to greatest %hi) under a mask again
 *
 * Products of images clip their loops so where an image ends. As a while that lanes leave after different iterations,
 * each lane's counter is its own and its loads are gathers; here the counter is the same for all lanes, so a[%k] is one
 * load and b's are side by side.
 *
 * Done of an scf.for of 32 bits by steps of 1 if a) its bounds are computed from what is known before the lanes and the
 * lane; b) all lanes come to it, as often; c) it holds no other loop and at most UW_MOST_TWICE operations, which are
 * there three times. Whether ranges overlap enough is asked before the lanes: at least UW_LEAST_AT_WORK percent of the
 * iterations of all lanes have to be a lane's own. Else threads go one by one. Where bounds are at most
 * UW_OVERLAP_STEP apart from lane to lane, as in a triangle of a matrix, nothing is asked: a loop that lanes leave one
 * by one would make as many iterations, all of them under masks.
 *
 * Of three loops those are left out that have no iterations: the first where all lanes begin together, the last where
 * they end so.
 *
 * Legal because each lane makes its own iterations, in its own order. Bounds may be poison where a loop is not reached:
 * they are frozen. */
#include "overlap.h"

#include "../../analysis/thresholds.h"
#include "../../transform/thread_loop.h"

bool uw_overlaps(MlirOperation loop) { return !mlirAttributeIsNull(uw_get_attr(loop, UW_OVERLAP)); }

/* Do all lanes come to the loop, as often? */
static bool comes_to_all(uw_shapes *shapes, MlirOperation loop, MlirOperation lanes) {
  for (MlirOperation op = uw_parent(loop); !uw_same_op(op, lanes); op = uw_parent(op)) {
    bool fits = uw_kind(op) == UW_OP_SCF_IF ? uw_is_same(shapes, uw_operand(op, 0))
                                            : uw_kind(op) == UW_OP_SCF_FOR && uw_same_iterations(shapes, op);
    if (!fits)
      return false;
  }
  return true;
}

/* Is the value computed from what is known before the lanes, and the lane, without branches? */
static bool is_early(uw_table *known, MlirValue value, MlirOperation lanes) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, lanes) || uw_table_get(known, value.ptr))
    return true;
  if (uw_null(op))
    return uw_same(value, mlirBlockGetArgument(uw_block(lanes, 0), 0));
  if (uw_region_count(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_early(known, uw_operand(op, i), lanes))
      return false;
  uw_table_set(known, value.ptr, 1);
  return true;
}

/* Is each bound the same for all lanes, or little more from lane to lane? */
static bool move_little(uw_shapes *shapes, MlirOperation loop) {
  for (size_t i = 0; i < 2; i++) {
    uw_shape shape = uw_shape_of(shapes, uw_operand(loop, i));
    if (shape.kind == UW_SHAPE_ANY ||
        (shape.kind == UW_SHAPE_STEP && (shape.step > UW_OVERLAP_STEP || shape.step < -UW_OVERLAP_STEP)))
      return false;
  }
  return true;
}

bool uw_overlaps_move_little(uw_arena *arena, MlirOperation lanes) {
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_overlaps(loops.at[i]) && !move_little(shapes, loops.at[i]))
      return false;
  return true;
}

static bool may_overlap(uw_arena *arena, uw_shapes *shapes, MlirOperation loop, MlirOperation lanes) {
  int64_t step;
  MlirType type = mlirValueGetType(uw_operand(loop, 0));
  uw_ops ops = uw_collect(arena, loop);
  if (uw_same_iterations(shapes, loop) || !uw_const_value(uw_operand(loop, 2), &step) || step != 1 ||
      !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 32 || ops.count > UW_MOST_TWICE ||
      !comes_to_all(shapes, loop, lanes))
    return false;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_is_loop(ops.at[i]) && !uw_same_op(ops.at[i], loop))
      return false;
  uw_map *known = uw_map_create(arena);
  uw_table *early = uw_table_create(arena);
  MlirValue lane = mlirBlockGetArgument(uw_block(lanes, 0), 0);
  uw_map_set(known, lane, lane);
  for (size_t i = 0; i < 2; i++)
    if (!uw_computable_outside(arena, uw_operand(loop, i), lanes, known) ||
        !is_early(early, uw_operand(loop, i), lanes))
      return false;
  return true;
}

bool uw_mark_overlaps(uw_arena *arena, MlirOperation lanes) {
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR);
  bool found = false;
  for (size_t i = 0; i < loops.count; i++)
    if (may_overlap(arena, shapes, loops.at[i], lanes)) {
      uw_set_attr(loops.at[i], UW_OVERLAP, mlirUnitAttrGet(mlirOperationGetContext(lanes)));
      found = true;
    }
  return found;
}

void uw_unmark_overlaps(uw_arena *arena, MlirOperation lanes) {
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_overlaps(loops.at[i]))
      uw_remove_attr(loops.at[i], UW_OVERLAP);
}

/* --- before the lanes --------------------------------------------------------------------------------------------- */

static void emit_early(uw_vectors *v, MlirValue value, MlirOperation lanes) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, lanes) || uw_null(op) || uw_table_get(v->early, op.ptr))
    return;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    emit_early(v, uw_operand(op, i), lanes);
  uw_vec_emit(v, op);
  uw_table_set(v->early, op.ptr, 1);
}

static MlirValue reduced(uw_vectors *v, const char *how, bool is_unsigned, MlirValue vector) {
  const char *name = uw_arena_format(v->arena, "llvm.intr.vector.reduce.%s%s", is_unsigned ? "u" : "s", how);
  return uw_build1(&v->b, name, .in = VALS(vector), .out = TYPES(uw_int_type(v->context, 32)));
}

static MlirValue wide_bound(uw_vectors *v, MlirValue bound, MlirOperation lanes) {
  emit_early(v, bound, lanes);
  MlirValue wide = uw_vec_wide_of(v, bound);
  return uw_build1(&v->b, "llvm.freeze", .in = VALS(wide), .out = TYPES(mlirValueGetType(wide)));
}

static MlirValue none_of(uw_vectors *v, MlirType wide) {
  MlirAttribute zero = mlirIntegerAttrGet(mlirShapedTypeGetElementType(wide), 0);
  return uw_build1(&v->b, "arith.constant", .out = TYPES(wide),
                   .attrs = ATTRS({"value", mlirDenseElementsAttrSplatGet(wide, zero)}));
}

/* Are enough of the iterations of all lanes a lane's own? */
static MlirValue enough_at_work(uw_vectors *v, const uw_overlap *o) {
  MlirType i64 = uw_int_type(v->context, 64);
  MlirValue lengths = uw_build1(&v->b, "arith.extui", .in = VALS(o->length), .out = TYPES(uw_vec_type(v, i64)));
  MlirValue own = uw_build1(&v->b, "llvm.intr.vector.reduce.add", .in = VALS(lengths), .out = TYPES(i64));
  MlirValue all = uw_build1(&v->b, "arith.extui",
                            .in = VALS(uw_binary(&v->b, "arith.subi", o->last_high, o->first_low)), .out = TYPES(i64));
  return uw_compare(&v->b, UW_UGE, uw_binary(&v->b, "arith.muli", own, uw_const_int(&v->b, 64, 100)),
                    uw_binary(&v->b, "arith.muli", all, uw_const_int(&v->b, 64, v->width * UW_LEAST_AT_WORK)));
}

static bool is_unsigned(MlirOperation loop) { return !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")); }

/* What has to hold for the loop to be worth it; null: it is. */
static MlirValue prepare(uw_vectors *v, MlirOperation loop, MlirOperation lanes) {
  uw_overlap *o = uw_alloc(v->arena, sizeof *o);
  bool no_sign = is_unsigned(loop);
  o->low = wide_bound(v, uw_operand(loop, 0), lanes);
  MlirValue high = wide_bound(v, uw_operand(loop, 1), lanes);
  MlirValue some = uw_compare(&v->b, no_sign ? UW_ULT : UW_SLT, o->low, high);
  o->length = uw_select(&v->b, some, uw_binary(&v->b, "arith.subi", high, o->low), none_of(v, mlirValueGetType(high)));
  o->first_low = reduced(v, "min", no_sign, o->low);
  o->last_low = reduced(v, "max", no_sign, o->low);
  o->first_high = reduced(v, "min", no_sign, high);
  o->last_high = reduced(v, "max", no_sign, high);
  uw_table_set(v->overlaps, loop.ptr, (intptr_t)o);
  return move_little(v->shapes, loop) ? (MlirValue){NULL} : enough_at_work(v, o);
}

MlirValue uw_prepare_overlaps(uw_vectors *v, MlirOperation lanes) {
  uw_ops loops = uw_collect_kind(v->arena, lanes, UW_OP_SCF_FOR);
  MlirValue all = {NULL};
  for (size_t i = 0; i < loops.count; i++) {
    if (!uw_overlaps(loops.at[i]))
      continue;
    MlirValue enough = prepare(v, loops.at[i], lanes);
    all = all.ptr && enough.ptr ? uw_binary(&v->b, "arith.andi", all, enough) : all.ptr ? all : enough;
  }
  return all;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static uw_vals emit_body(uw_vectors *v, MlirBlock from) {
  uw_vals next = {0};
  uw_vec_body(v, from);
  for (size_t i = 0; i < uw_operand_count(uw_last(from)); i++)
    uw_vals_push(v->arena, &next, uw_vec_wide_of(v, uw_operand(uw_last(from), i)));
  return next;
}

/* The body for the lanes whose iteration this is, if there are some. */
static uw_vals emit_masked_body(uw_vectors *v, const uw_overlap *o, MlirBlock from, const uw_vals *carried) {
  MlirValue counter = uw_vec_wide_of(v, mlirBlockGetArgument(from, 0));
  MlirValue own = uw_compare(&v->b, UW_ULT, uw_binary(&v->b, "arith.subi", counter, o->low), o->length);
  MlirType *types = uw_alloc(v->arena, (carried->count + 1) * sizeof *types);
  for (size_t i = 0; i < carried->count; i++)
    types[i] = mlirValueGetType(carried->at[i]);
  MlirValue mask = v->mask, those = uw_vec_those_with(v, own);
  MlirOperation branch = uw_build_if(&v->b, uw_vec_some_lane(v, those), (uw_type_list){types, carried->count});
  uw_builder outer = v->b;
  v->b = (uw_builder){v->context, outer.location, uw_block(branch, 0), {NULL}};
  v->mask = those;
  uw_vals next = emit_body(v, from);
  for (size_t i = 0; i < next.count; i++)
    next.at[i] = uw_select(&v->b, those, next.at[i], carried->at[i]);
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));
  v->mask = mask;
  v->b = (uw_builder){v->context, outer.location, uw_block(branch, 1), {NULL}};
  uw_build(&v->b, "scf.yield", .in = VALS_OF(*carried));
  v->b = outer;
  for (size_t i = 0; i < next.count; i++)
    next.at[i] = uw_result(branch, i);
  return next;
}

/* Some of the iterations, from what is carried to what is carried on. */
static void emit_part(uw_vectors *v, MlirOperation loop, MlirValue from, MlirValue to, bool masked, uw_vals *values) {
  const uw_overlap *o = (const uw_overlap *)uw_table_get(v->overlaps, loop.ptr);
  MlirBlock old = uw_block(loop, 0);
  MlirOperation part = uw_build_for(&v->b, from, to, uw_const_int(&v->b, 32, 1), VALS_OF(*values));
  if (is_unsigned(loop))
    uw_set_attr(part, "unsignedCmp", mlirUnitAttrGet(v->context));
  MlirBlock body = uw_block(part, 0);
  uw_builder outer = v->b;
  v->b = (uw_builder){v->context, outer.location, body, {NULL}};
  uw_map_set(v->scalars, mlirBlockGetArgument(old, 0), mlirBlockGetArgument(body, 0));
  uw_vals carried = {0};
  for (size_t i = 0; i < values->count; i++) {
    uw_vals_push(v->arena, &carried, mlirBlockGetArgument(body, (intptr_t)i + 1));
    uw_map_set(v->wide, mlirBlockGetArgument(old, (intptr_t)i + 1), carried.at[i]);
  }
  uw_vals next = masked ? emit_masked_body(v, o, old, &carried) : emit_body(v, old);
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));
  v->b = outer;
  for (size_t i = 0; i < values->count; i++)
    values->at[i] = uw_result(part, i);
}

void uw_emit_overlap(uw_vectors *v, MlirOperation loop) {
  const uw_overlap *o = (const uw_overlap *)uw_table_get(v->overlaps, loop.ptr);
  const char *least = is_unsigned(loop) ? "arith.minui" : "arith.minsi",
             *most = is_unsigned(loop) ? "arith.maxui" : "arith.maxsi";
  uw_vals values = {0};
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_vals_push(v->arena, &values, uw_vec_wide_of(v, uw_operand(loop, i + 3)));
  MlirValue all_from = uw_binary(&v->b, least, o->last_low, o->last_high);
  MlirValue all_to = uw_binary(&v->b, most, all_from, o->first_high);
  if (!uw_is_same(v->shapes, uw_operand(loop, 0)))
    emit_part(v, loop, o->first_low, all_from, true, &values);
  emit_part(v, loop, all_from, all_to, false, &values);
  if (!uw_is_same(v->shapes, uw_operand(loop, 1)))
    emit_part(v, loop, all_to, o->last_high, true, &values);
  for (size_t i = 0; i < values.count; i++)
    uw_map_set(v->wide, uw_result(loop, i), values.at[i]);
}
