/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What lanes do one after the other: see in_turn.h. */
#include "in_turn.h"

#include "../../analysis/thresholds.h"
#include "../../analysis/calls.h"
#include "../../analysis/uniformity.h"

/* --- what may go in turn ------------------------------------------------------------------------------------------ */

bool uw_is_report(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_CALL &&
         (uw_attr_is_str(op, "callee", "uwrt_assert_fail") || uw_attr_is_str(op, "callee", "uwrt_trap"));
}

static bool is_copy(MlirOperation op) { return uw_string_is(uw_name(op), "llvm.intr.memcpy"); }

/* A copy of so few bytes that it is a few loads and stores. */
static bool is_small_copy(MlirOperation op) {
  int64_t bytes;
  MlirAttribute is_volatile = uw_get_attr(op, "isVolatile");
  return is_copy(op) && uw_const_value(uw_operand(op, 2), &bytes) && bytes <= UW_IN_TURN_BYTES &&
         !mlirAttributeIsNull(is_volatile) && !mlirBoolAttrGetValue(is_volatile);
}

/* An array of the thread's own of which the lanes do not have a part each. */
static bool is_lost_array(uw_shapes *shapes, MlirValue address) {
  MlirOperation root = uw_address_root(address);
  return uw_kind(root) == UW_OP_LLVM_ALLOCA && uw_shape_of(shapes, uw_result(root, 0)).kind == UW_SHAPE_ANY;
}

static bool has_its_arrays(uw_arena *arena, uw_shapes *shapes, MlirOperation op) {
  uw_vals used = uw_used_by(arena, shapes, op).values;
  for (size_t i = 0; i < used.count; i++)
    if (mlirTypeIsALLVMPointerType(mlirValueGetType(used.at[i])) && is_lost_array(shapes, used.at[i]))
      return false;
  return true;
}

/* Does the value follow from others by computation alone, as far as the loop makes it? */
static bool only_computed(uw_table *seen, MlirValue value, MlirOperation loop) {
  if (!uw_defined_inside(value, loop) || uw_table_get(seen, value.ptr))
    return true;
  uw_table_set(seen, value.ptr, 1);
  MlirOperation op = uw_def(value);
  if (uw_null(op)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value), before = uw_block(loop, 0);
    size_t number = (size_t)mlirBlockArgumentGetArgNumber(value);
    if (!uw_same_op(mlirBlockGetParentOperation(block), loop))
      return false;
    return mlirBlockEqual(block, before) ? only_computed(seen, uw_operand(uw_last(uw_block(loop, 1)), number), loop)
                                         : only_computed(seen, uw_operand(uw_last(before), number + 1), loop);
  }
  bool computed = uw_region_count(op) == 0 && uw_effect_free(op);
  for (size_t i = 0; computed && i < uw_operand_count(op); i++)
    computed = only_computed(seen, uw_operand(op, i), loop);
  return computed;
}

/* Does each loop around that lanes leave one by one end by a count or the like? Else a lane might hold what another one
 * there waits for. */
static bool nobody_waits(uw_arena *arena, uw_shapes *shapes, MlirOperation op, MlirOperation lanes) {
  for (op = uw_parent(op); !uw_null(op) && !uw_same_op(op, lanes); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_WHILE && !uw_same_iterations(shapes, op) &&
        !only_computed(uw_table_create(arena), uw_operand(uw_last(uw_block(op, 0)), 0), op))
      return false;
  return true;
}

/* Is it, alone, what lanes may do in turn? */
static bool is_single(uw_arena *arena, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_ATOMICRMW: return mlirAttributeIsNull(uw_get_attr(op, "volatile_"));
  case UW_OP_LLVM_CALL:
    return uw_is_report(op) || uw_attr_is_str(op, "callee", "uwrt_vprintf") || uw_call_is_function(arena, op);
  default: return is_small_copy(op);
  }
}

/* A branch without loops, of what one lane may do alone. */
static bool is_short_branch(uw_arena *arena, MlirOperation branch) {
  if (uw_kind(branch) != UW_OP_SCF_IF || uw_result_count(branch))
    return false;
  uw_ops ops = uw_collect(arena, branch);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    bool plain = uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_YIELD || uw_plain_access(op) ||
                 uw_kind(op) == UW_OP_LLVM_CMPXCHG ||
                 (uw_region_count(op) == 0 && uw_kind(op) != UW_OP_LLVM_ALLOCA && uw_effect_free(op));
    if (!plain && !is_single(arena, op))
      return false;
  }
  return ops.count <= UW_IN_TURN_MOST_OPS;
}

bool uw_may_go_in_turn(uw_arena *arena, uw_shapes *shapes, MlirOperation op, MlirOperation lanes) {
  return (is_single(arena, op) || is_short_branch(arena, op)) && has_its_arrays(arena, shapes, op) &&
         nobody_waits(arena, shapes, op, lanes);
}

/* --- making it ---------------------------------------------------------------------------------------------------- */

static void note_value(uw_arena *arena, uw_shapes *shapes, uw_used *used, MlirValue value) {
  MlirOperation address = uw_def(value);
  if (uw_kind(address) != UW_OP_LLVM_GEP || uw_is_same(shapes, value)) {
    uw_vals_push_new(arena, &used->values, value);
    return;
  }
  if (uw_ops_have(&used->addresses, address))
    return;
  for (size_t i = 0; i < uw_operand_count(address); i++)
    note_value(arena, shapes, used, uw_operand(address, i));
  uw_ops_push(arena, &used->addresses, address);
}

uw_used uw_used_by(uw_arena *arena, uw_shapes *shapes, MlirOperation op) {
  uw_used used = {0};
  uw_ops ops = {0}, inner = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < inner.count; i++)
    uw_ops_push(arena, &ops, inner.at[i]);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      if (!uw_defined_inside(value, op))
        note_value(arena, shapes, &used, value);
    }
  return used;
}

typedef struct turns {
  uw_arena *arena;
  MlirOperation op;
  const uw_used *used;
  const uw_vals *own;
  MlirValue mask;
} turns;

static MlirValue element(uw_builder *b, MlirValue vector, MlirValue at) {
  return uw_build1(b, "llvm.extractelement", .in = VALS(vector, at),
                   .out = TYPES(mlirShapedTypeGetElementType(mlirValueGetType(vector))));
}

/* An element as the type that the code of one lane has: an index was 64 bits in the vector. */
static MlirValue as_before(uw_builder *b, MlirValue value, MlirType type) {
  return mlirTypeIsAIndex(type) ? uw_build1(b, "arith.index_cast", .in = VALS(value), .out = TYPES(type)) : value;
}

static MlirOperation for_lane(const turns *t, uw_builder *b, MlirValue at) {
  uw_map *map = uw_map_create(t->arena);
  for (size_t i = 0; i < t->used->values.count; i++) {
    MlirValue own = t->own->at[i];
    bool is_vector = mlirTypeIsAVector(mlirValueGetType(own));
    uw_map_set(map, t->used->values.at[i],
               is_vector ? as_before(b, element(b, own, at), mlirValueGetType(t->used->values.at[i])) : own);
  }
  for (size_t i = 0; i < t->used->addresses.count; i++)
    uw_clone(b, t->used->addresses.at[i], map);
  MlirOperation copy = uw_clone(b, t->op, map);
  uw_ops inner = uw_collect(t->arena, copy);
  for (size_t i = 0; i < inner.count; i++)
    uw_remove_attr(inner.at[i], UW_IN_TURN);
  uw_remove_attr(copy, UW_IN_TURN);
  return copy;
}

/* For one lane if it is at work: its result, if there is one. */
static MlirValue for_lane_at_work(const turns *t, uw_builder *b, MlirValue at) {
  bool has_result = !uw_unused(t->op); /* tally.c wants to see that nobody asks for it */
  if (!t->mask.ptr) {
    MlirOperation done = for_lane(t, b, at);
    return has_result ? uw_result(done, 0) : (MlirValue){NULL};
  }
  MlirType type = has_result ? mlirValueGetType(uw_result(t->op, 0)) : (MlirType){NULL};
  MlirOperation branch = uw_build_if(b, element(b, t->mask, at), (uw_type_list){&type, has_result});
  for (unsigned arm = 0; arm < 2; arm++) {
    uw_builder in = uw_at_end(uw_block(branch, arm), b->location);
    MlirValue yield = {NULL};
    if (arm == 0) {
      MlirOperation done = for_lane(t, &in, at);
      yield = has_result ? uw_result(done, 0) : yield;
    } else if (has_result) {
      yield = uw_poison(&in, type);
    }
    uw_build(&in, "scf.yield", .in = (uw_value_list){&yield, has_result});
  }
  return has_result ? uw_result(branch, 0) : (MlirValue){NULL};
}

/* Short operations as straight code; longer ones in a loop. */
static void emit_loop(const turns *t, uw_builder *b, int64_t width) {
  MlirOperation loop =
      uw_build_for(b, uw_const_index(b, 0), uw_const_index(b, width), uw_const_index(b, 1), (uw_value_list){0});
  uw_builder in = uw_at_end(uw_block(loop, 0), b->location);
  MlirValue at = uw_build1(&in, "arith.index_cast", .in = VALS(mlirBlockGetArgument(uw_block(loop, 0), 0)),
                           .out = TYPES(uw_int_type(b->context, 64)));
  for_lane_at_work(t, &in, at);
  uw_build(&in, "scf.yield");
}

MlirValue uw_emit_in_turn(uw_arena *arena, uw_builder *b, MlirOperation op, const uw_used *used, const uw_vals *own,
                          MlirValue mask, int64_t width) {
  turns t = {arena, op, used, own, mask};
  if (uw_result_count(op) == 0 && (uw_region_count(op) || uw_kind(op) == UW_OP_LLVM_CALL)) {
    emit_loop(&t, b, width);
    return (MlirValue){NULL};
  }
  MlirValue all = {NULL};
  for (int64_t lane = 0; lane < width; lane++) {
    MlirValue at = uw_const_int(b, 64, lane), result = for_lane_at_work(&t, b, at);
    if (!result.ptr)
      continue;
    MlirType wide = mlirVectorTypeGet(1, &width, mlirValueGetType(result));
    all = all.ptr ? all : uw_poison(b, wide);
    all = uw_build1(b, "llvm.insertelement", .in = VALS(all, result, at), .out = TYPES(wide));
  }
  return all;
}
