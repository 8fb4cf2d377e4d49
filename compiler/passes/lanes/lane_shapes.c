/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a value differs among neighbouring lanes: see lane_shapes.h.
 *
 * A value follows from its operands; of what a loop carries it is first supposed that each iteration leaves it as it
 * starts, until that is seen to be wrong. A load from one address gives all lanes the same: threads between two
 * barriers do not race. Integers are a step apart modulo their width; an extension keeps the step if the value does not
 * wrap around among the lanes, which is asked at run time (uw_extension) where bits do not tell (lane_bits.h).
 *
 * Two things uniformity.h knows: the result of a call is the same where the function computes it from arguments that
 * are; and one private array does for all lanes that use it where each store is made by all of these, of a value that
 * is the same, at a position that is. Asked only for what stands in loops of unknown length: of the others LLVM makes
 * straight code, in which calls are the same for all threads and arrays are registers (measured: up to ten times as
 * fast). An array that lanes read at different positions stays each lane's, in its part of a larger one. */
#include "lane_shapes.h"

#include "../../analysis/thresholds.h"
#include "../../analysis/cost.h"
#include "../../analysis/bases.h"
#include "../../analysis/uniformity.h"
#include "../../transform/thread_loop.h"
#include "lane_bits.h"
#include "iteration_ranges.h"
#include "overlap.h"

struct uw_shapes {
  uw_arena *arena;
  MlirOperation lanes;
  uw_table *known;      /* value -> uw_shape * */
  uw_table *unalike;    /* carried values that do not keep their shape -> 1 */
  uw_uniformity *facts; /* of lanes; null where nobody will ask */
  uw_extension *extensions;
  size_t count, capacity;
};

static const uw_shape any = {UW_SHAPE_ANY, 0}, same = {UW_SHAPE_SAME, 0};

static uw_shape step_of(int64_t step) { return step ? (uw_shape){UW_SHAPE_STEP, step} : same; }

const uw_extension *uw_shape_extensions(const uw_shapes *shapes, size_t *count) {
  *count = shapes->count;
  return shapes->extensions;
}

bool uw_is_same(uw_shapes *shapes, MlirValue value) { return uw_shape_of(shapes, value).kind == UW_SHAPE_SAME; }
bool uw_is_scalar(uw_shapes *shapes, MlirValue value) { return uw_shape_of(shapes, value).kind != UW_SHAPE_ANY; }

static bool alike(uw_shape a, uw_shape b) { return a.kind == b.kind && a.step == b.step; }

/* Is the way from the first lane to the last one less than half of what the type holds? Else values that are a step
 * apart modulo their width are seldom in order. */
static bool is_small_step(MlirValue value, int64_t step) {
  enum { MOST_LANES = UW_MOST_LANES_AT_ONCE };
  int64_t most = (INT64_MAX >> (64 - uw_int_width(value))) / MOST_LANES;
  return -most <= step && step <= most;
}

/* Notes that the value must not wrap; false if that cannot be asked before the lanes run. */
static bool note_extension(uw_shapes *shapes, MlirValue value, int64_t step, bool is_signed) {
  for (size_t i = 0; i < shapes->count; i++)
    if (uw_same(shapes->extensions[i].value, value) && shapes->extensions[i].is_signed == is_signed)
      return true;
  uw_map *known = uw_map_create(shapes->arena);
  MlirValue lane = mlirBlockGetArgument(uw_block(shapes->lanes, 0), 0);
  uw_map_set(known, lane, lane);
  bool in_iterations = !uw_computable_outside(shapes->arena, value, shapes->lanes, known);
  if (in_iterations && !uw_has_iteration_range(shapes->arena, shapes, value, shapes->lanes, known))
    return false;
  if (shapes->count == shapes->capacity) {
    shapes->capacity = shapes->capacity ? 2 * shapes->capacity : 8;
    uw_extension *more = uw_alloc(shapes->arena, shapes->capacity * sizeof *more);
    for (size_t i = 0; i < shapes->count; i++)
      more[i] = shapes->extensions[i];
    shapes->extensions = more;
  }
  shapes->extensions[shapes->count++] = (uw_extension){value, step, is_signed, in_iterations};
  return true;
}

/* The value, made `bits` wide. */
static uw_shape resized(uw_shapes *shapes, MlirValue value, unsigned bits, bool is_signed) {
  uw_shape shape = uw_shape_of(shapes, value);
  unsigned from = uw_int_width(value);
  if (shape.kind != UW_SHAPE_STEP || from >= bits)
    return shape;
  uint64_t bits_of_lanes = uw_lane_bits(shapes->lanes, value, shape);
  if (bits_of_lanes && !(is_signed && bits_of_lanes >> (from - 1))) /* none of them wraps around */
    return shape;
  return from >= 32 && is_small_step(value, shape.step) && note_extension(shapes, value, shape.step, is_signed) ? shape
                                                                                                                : any;
}

static uw_shape sum(uw_shape left, uw_shape right, int64_t factor) {
  int64_t step;
  if (left.kind == UW_SHAPE_ANY || right.kind == UW_SHAPE_ANY || __builtin_mul_overflow(right.step, factor, &step) ||
      __builtin_add_overflow(left.step, step, &step))
    return any;
  return step_of(step);
}

static uw_shape scaled(uw_shapes *shapes, MlirValue value, MlirValue factor, bool shift) {
  int64_t number;
  if (!uw_const_value(factor, &number) || (shift && (number < 0 || number > 30)))
    return any;
  return sum(same, uw_shape_of(shapes, value), shift ? (int64_t)1 << number : number);
}

/* Of bits of a value that is a step apart, or its remainder or quotient by what is the same. */
static uw_shape shape_by_bits(uw_shapes *shapes, MlirOperation op) {
  return uw_is_same(shapes, uw_operand(op, 1))
             ? uw_shape_of_bits(shapes->lanes, op, uw_shape_of(shapes, uw_operand(op, 0)))
             : any;
}

static uw_shape address_shape(uw_shapes *shapes, MlirOperation gep) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  uw_shape shape = uw_shape_of(shapes, uw_operand(gep, 0));
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element))
    return any;
  MlirType type = mlirTypeAttrGetValue(element);
  size_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(constants); i++) {
    int32_t raw = mlirDenseI32ArrayGetElement(constants, i);
    if (i > 0 && mlirTypeIsALLVMStructType(type)) {
      if (raw == INT32_MIN)
        return any;
      type = mlirLLVMStructTypeGetElementType(type, raw);
      continue;
    }
    if (i > 0 && !uw_type_is_array(type))
      return any;
    if (i > 0)
      type = mlirLLVMArrayTypeGetElementType(type);
    if (raw == INT32_MIN)
      shape = sum(shape, resized(shapes, uw_operand(gep, operand++), 64, true), (int64_t)uw_type_bytes(type));
  }
  return shape;
}

static bool all_same(uw_shapes *shapes, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!uw_is_same(shapes, uw_operand(op, i)))
      return false;
  return true;
}

bool uw_same_iterations(uw_shapes *shapes, MlirOperation loop) {
  if (uw_kind(loop) == UW_OP_SCF_WHILE)
    return uw_is_same(shapes, uw_operand(uw_last(uw_block(loop, 0)), 0));
  for (size_t i = 0; i < 3; i++)
    if (!uw_is_same(shapes, uw_operand(loop, i)))
      return false;
  return true;
}

static MlirValue yielded(MlirOperation branch, unsigned arm, size_t result) {
  return uw_operand(uw_last(uw_block(branch, arm)), result);
}

static bool is_poison(MlirValue value) {
  uw_kind_t kind = uw_kind(uw_def(value));
  return kind == UW_OP_UB_POISON || kind == UW_OP_LLVM_POISON || kind == UW_OP_LLVM_UNDEF;
}

int uw_deciding_arm(MlirOperation branch, size_t result) {
  MlirValue yes = yielded(branch, 0, result), no = yielded(branch, 1, result);
  return uw_same(yes, no) || is_poison(no) ? 0 : is_poison(yes) ? 1 : -1;
}

/* What comes out of an if or a loop. */
static uw_shape result_shape(uw_shapes *shapes, MlirOperation op, size_t result) {
  uw_shape yes, no;
  int arm;
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
    arm = uw_deciding_arm(op, result);
    if (arm >= 0)
      return uw_shape_of(shapes, yielded(op, (unsigned)arm, result));
    yes = uw_shape_of(shapes, yielded(op, 0, result));
    no = uw_shape_of(shapes, yielded(op, 1, result));
    return uw_is_same(shapes, uw_operand(op, 0)) && alike(yes, no) ? yes : any;
  case UW_OP_SCF_FOR:
    return uw_same_iterations(shapes, op)
               ? uw_shape_of(shapes, mlirBlockGetArgument(uw_block(op, 0), (intptr_t)result + 1))
               : any;
  case UW_OP_SCF_WHILE:
    return uw_same_iterations(shapes, op) ? uw_shape_of(shapes, mlirBlockGetArgument(uw_block(op, 1), (intptr_t)result))
                                          : any;
  default: return any;
  }
}

/* What a loop counts, carries or hands to its body. */
static uw_shape argument_shape(uw_shapes *shapes, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  size_t number = (size_t)mlirBlockArgumentGetArgNumber(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  if (uw_same_op(op, shapes->lanes))
    return step_of(1);
  if (uw_table_get(shapes->unalike, value.ptr))
    return any;
  switch (uw_kind(op)) {
  case UW_OP_SCF_FOR:
    if (!uw_same_iterations(shapes, op))
      return number == 0 && uw_overlaps(op) ? same : any;
    return number == 0 ? same : uw_shape_of(shapes, uw_operand(op, number + 2));
  case UW_OP_SCF_WHILE:
    return mlirBlockEqual(block, uw_block(op, 0))
               ? uw_shape_of(shapes, uw_operand(op, number))
               : uw_shape_of(shapes, uw_operand(uw_last(uw_block(op, 0)), number + 1));
  default: return any;
  }
}

/* Does it stand in a loop whose iterations are not a constant number? */
static bool in_long_loop(const uw_shapes *shapes, MlirOperation op) {
  int64_t number;
  for (op = uw_parent(op); !uw_same_op(op, shapes->lanes); op = uw_parent(op)) {
    if (uw_kind(op) == UW_OP_SCF_WHILE)
      return true;
    for (size_t i = 0; uw_kind(op) == UW_OP_SCF_FOR && i < 3; i++)
      if (!uw_const_value(uw_operand(op, i), &number))
        return true;
  }
  return false;
}

/* The innermost operation around all loads and stores among the users; null if a lane may come there more than once, or
 * if there are none. */
static MlirOperation place_of_use(const uw_shapes *shapes, const uw_ops *users) {
  MlirOperation around = {NULL};
  for (size_t i = 0; i < users->count; i++) {
    if (uw_kind(users->at[i]) != UW_OP_LLVM_LOAD && uw_kind(users->at[i]) != UW_OP_LLVM_STORE)
      continue;
    if (uw_null(around))
      around = uw_parent(users->at[i]);
    while (!uw_inside(users->at[i], around))
      around = uw_parent(around);
  }
  MlirOperation op = around;
  while (!uw_null(op) && uw_kind(op) != UW_OP_SCF_FORALL)
    op = uw_kind(op) == UW_OP_SCF_IF ? uw_parent(op) : (MlirOperation){NULL};
  return uw_null(op) || !uw_same_op(op, shapes->lanes) ? (MlirOperation){NULL} : around;
}

/* Would the array of each lane that uses it hold the same at any time? */
static bool serves_all_lanes(const uw_shapes *shapes, MlirOperation array) {
  uw_ops users = {0};
  if (!uw_uses_of(shapes->arena, uw_result(array, 0), &users) || !uw_made_by_all(shapes->facts, array))
    return false;
  MlirOperation around = place_of_use(shapes, &users);
  if (uw_null(around))
    return false;
  bool in_loop = false;
  for (size_t i = 0; i < users.count; i++) {
    MlirOperation op = users.at[i];
    bool store = uw_kind(op) == UW_OP_LLVM_STORE;
    if (uw_name_starts(op, "llvm.intr.mem"))
      return false;
    if (!store && uw_kind(op) != UW_OP_LLVM_LOAD)
      continue;
    in_loop = in_loop || in_long_loop(shapes, op);
    if (!uw_plain_access(op) || !uw_uniform_place(shapes->facts, uw_operand(op, store)) ||
        (store && !(uw_uniform(shapes->facts, uw_operand(op, 0)) && uw_made_by_all_in(shapes->facts, op, around))))
      return false;
  }
  return in_loop;
}

/* An array that each lane has for itself lies in one of as many parts of a larger one (vectors.c). Of small ones. */
static uw_shape own_array_shape(MlirOperation array) {
  int64_t count, bytes = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(array, "elem_type")));
  if (uw_kind(uw_parent(array)) != UW_OP_SCF_FORALL || !uw_const_value(uw_operand(array, 0), &count) || count < 1 ||
      bytes < 1 || bytes > UW_LANE_ARRAY_BYTES / count)
    return any;
  return bytes * count % uw_get_int_attr(array, "alignment", 1) ? any : step_of(bytes * count);
}

static uw_shape explained(uw_shapes *shapes, MlirValue value, MlirOperation op) {
  if (uw_region_count(op))
    return result_shape(shapes, op, (size_t)mlirOpResultGetResultNumber(value));
  bool pure = uw_effect_free(op) || (uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op));
  if (pure && all_same(shapes, op))
    return same;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    if (uw_int_width(value) < 32)
      return any;
    return sum(uw_shape_of(shapes, uw_operand(op, 0)), uw_shape_of(shapes, uw_operand(op, 1)),
               uw_kind(op) == UW_OP_ARITH_ADDI ? 1 : -1);
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    return uw_int_width(value) < 32
               ? any
               : scaled(shapes, uw_operand(op, 0), uw_operand(op, 1), uw_kind(op) == UW_OP_ARITH_SHLI);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return resized(shapes, uw_operand(op, 0), uw_int_width(value), true);
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: return resized(shapes, uw_operand(op, 0), uw_int_width(value), false);
  case UW_OP_ARITH_TRUNCI: return uw_int_width(value) < 32 ? any : uw_shape_of(shapes, uw_operand(op, 0));
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_SHRUI:
  case UW_OP_ARITH_SHRSI:
  case UW_OP_ARITH_REMUI:
  case UW_OP_ARITH_DIVUI: return shape_by_bits(shapes, op);
  case UW_OP_LLVM_GEP: return address_shape(shapes, op);
  case UW_OP_LLVM_CALL: return uw_uniform(shapes->facts, value) && in_long_loop(shapes, op) ? same : any;
  case UW_OP_LLVM_ALLOCA: return serves_all_lanes(shapes, op) ? same : own_array_shape(op);
  default: return any;
  }
}

/* A step modulo the width of the value, with its sign. */
static uw_shape in_width(MlirValue value, uw_shape shape) {
  unsigned bits = uw_int_width(value);
  if (shape.kind != UW_SHAPE_STEP || bits == 0 || bits >= 64)
    return shape;
  return step_of((int64_t)((uint64_t)shape.step << (64 - bits)) >> (64 - bits));
}

uw_shape uw_shape_of(uw_shapes *shapes, MlirValue value) {
  if (!uw_defined_inside(value, shapes->lanes))
    return same;
  uw_shape *known = (uw_shape *)uw_table_get(shapes->known, value.ptr);
  if (known)
    return *known;
  MlirOperation op = uw_def(value);
  known = uw_alloc(shapes->arena, sizeof *known);
  *known = uw_null(op) ? argument_shape(shapes, value) : in_width(value, explained(shapes, value, op));
  uw_table_set(shapes->known, value.ptr, (intptr_t)known);
  return *known;
}

/* Does what the loop carries keep its shape? Notes what does not. */
static bool keeps_shapes(uw_shapes *shapes, MlirOperation loop) {
  bool is_for = uw_kind(loop) == UW_OP_SCF_FOR, keeps = true;
  MlirBlock body = uw_block(loop, 0);
  MlirOperation yield = uw_last(uw_block(loop, is_for ? 0 : 1));
  for (size_t i = 0; i < uw_operand_count(yield); i++) {
    MlirValue value = mlirBlockGetArgument(body, (intptr_t)i + is_for);
    uw_shape shape = uw_shape_of(shapes, value);
    if (shape.kind == UW_SHAPE_ANY || alike(shape, uw_shape_of(shapes, uw_operand(yield, i))))
      continue;
    uw_table_set(shapes->unalike, value.ptr, 1);
    keeps = false;
  }
  return keeps;
}

uw_shapes *uw_shapes_of(uw_arena *arena, MlirOperation lanes) {
  uw_shapes *shapes = uw_alloc(arena, sizeof *shapes);
  *shapes = (uw_shapes){.arena = arena, .lanes = lanes, .unalike = uw_table_create(arena)};
  uw_ops ops = uw_collect(arena, lanes);
  for (size_t i = 0; i < ops.count && !shapes->facts; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_CALL || uw_kind(ops.at[i]) == UW_OP_LLVM_ALLOCA)
      shapes->facts = uw_uniformity_of(arena, lanes, NULL);
  for (bool changed = true; changed;) {
    changed = false;
    shapes->known = uw_table_create(arena);
    shapes->count = 0;
    for (size_t i = 0; i < ops.count; i++)
      if (uw_kind(ops.at[i]) == UW_OP_SCF_FOR || uw_kind(ops.at[i]) == UW_OP_SCF_WHILE)
        changed = !keeps_shapes(shapes, ops.at[i]) || changed;
  }
  return shapes;
}
