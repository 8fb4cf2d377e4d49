/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a loop over lanes vector code, an element for each lane (lane_shapes.h: what is the same for all lanes, or a
 * step apart, stays scalar):
 *
 *   lanes %l to 16 {                                  %z = vector; %c = 0
 *     %r:2 = while (%z, %c) {                         %live = all; %r = poison
 *       condition (norm(%z) < 4) %z, %c       ==>     while (%z, %c, %live, %r) {
 *     } do { yield f(%z), %c + 1 }                      %next = %live and norm(%z) < 4
 *     store %r#1, %p[%l] }                              %r = select %live, %c, %r
 *                                                       condition (any %next) } do { f(%z), %c + 1, %next, %r }
 *                                                     store vector %r, %p
 *
 * Control flow on which the lanes agree stays as it is. A branch on which they do not becomes selects where both sides
 * are pure and short (uw_flat); else each side runs if some lane takes it, under a mask of these lanes, and so does a
 * loop: it goes on while some lane does. What touches memory in a short branch is there twice: without a mask, for when
 * all lanes take it, which processors do several times as fast. Under a mask a) loads and stores of vectors are masked
 * ones, so a lane that does not take part touches no memory; b) a load from one address for all lanes is made once:
 * some lane is at work wherever there are loads; c) an integer division divides by 1 in the other lanes; d) pure
 * operations run for all lanes, and what they make of the others' values is never asked: results come through selects,
 * masks are joined by selects too, so that a lane's poison stays its own.
 *
 * What is a step apart is made from lane 0's value, also where that lane takes no part: such operations lose the flags
 * (inbounds, no overflow) that promise something of it.
 *
 * Legal because threads between two barriers do not wait for each other and do not race. Where values could wrap
 * around among the lanes (uw_extension), a test before them chooses the loop as it was. Requires: uw_vectors_fit of all
 * operations. */
#include "vectors.h"

#include "../../analysis/thresholds.h"
#include "../../analysis/vector_math.h"
#include "../../transform/version.h"
#include "../../transform/ranges.h"
#include "../barriers/thread_loop.h"
#include "in_turn.h"
#include "iteration_ranges.h"

typedef struct vectors {
  uw_arena *arena;
  MlirContext context;
  uw_shapes *shapes;
  int64_t width;
  uw_map *scalars, *wide; /* what stands for a value: lane 0's, or all lanes' */
  uw_table *sure;         /* sums that do not wrap around, read as signed: it was asked */
  MlirValue mask;         /* of the lanes at work; null: all of them */
  bool anywhere;          /* in a branch that perhaps no lane takes */
  uw_builder b;
} vectors;

/* --- types and values --------------------------------------------------------------------------------------------- */

static MlirType element_type(MlirType type) {
  return mlirTypeIsAIndex(type) ? uw_int_type(mlirTypeGetContext(type), 64) : type;
}

static MlirType wide_type(vectors *v, MlirType type) { return mlirVectorTypeGet(1, &v->width, element_type(type)); }

static MlirValue constant(vectors *v, MlirType type, MlirAttribute elements) {
  return uw_build1(&v->b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", elements}));
}

static MlirValue splat(vectors *v, MlirValue scalar) {
  MlirType type = mlirValueGetType(scalar), element = element_type(type), wide = wide_type(v, type);
  MlirOperation def = uw_def(scalar);
  int64_t number;
  if (uw_const_value(scalar, &number) && !mlirTypeIsALLVMPointerType(type))
    return constant(v, wide, mlirDenseElementsAttrSplatGet(wide, mlirIntegerAttrGet(element, number)));
  if (uw_kind(def) == UW_OP_ARITH_CONSTANT && mlirTypeIsAFloat(type))
    return constant(v, wide, mlirDenseElementsAttrSplatGet(wide, uw_get_attr(def, "value")));
  if (mlirTypeIsAIndex(type))
    scalar = uw_build1(&v->b, "arith.index_cast", .in = VALS(scalar), .out = TYPES(element));
  MlirValue none = uw_build1(&v->b, "llvm.mlir.poison", .out = TYPES(wide));
  MlirValue first =
      uw_build1(&v->b, "llvm.insertelement", .in = VALS(none, scalar, uw_const_int(&v->b, 32, 0)), .out = TYPES(wide));
  int32_t *zeros = uw_alloc(v->arena, (size_t)v->width * sizeof *zeros);
  return uw_build1(&v->b, "llvm.shufflevector", .in = VALS(first, none), .out = TYPES(wide),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(v->context, (intptr_t)v->width, zeros)}));
}

/* 0, step, 2 step, … */
static MlirValue steps(vectors *v, MlirType element, int64_t step) {
  MlirAttribute *numbers = uw_alloc(v->arena, (size_t)v->width * sizeof *numbers);
  for (int64_t i = 0; i < v->width; i++)
    numbers[i] = mlirIntegerAttrGet(element, (int64_t)((uint64_t)i * (uint64_t)step));
  MlirType wide = wide_type(v, element);
  return constant(v, wide, mlirDenseElementsAttrGet(wide, (intptr_t)v->width, numbers));
}

static MlirValue scalar_of(vectors *v, MlirValue value) { return uw_map_or_same(v->scalars, value); }

static MlirValue wide_of(vectors *v, MlirValue value) {
  MlirValue done = uw_map_get(v->wide, value);
  if (done.ptr)
    return done;
  MlirValue scalar = scalar_of(v, value);
  MlirType type = mlirValueGetType(scalar);
  uw_shape shape = uw_shape_of(v->shapes, value);
  if (shape.kind != UW_SHAPE_STEP)
    return splat(v, scalar);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_add_bytes(&v->b, scalar, steps(v, uw_int_type(v->context, 64), shape.step));
  return uw_binary(&v->b, "arith.addi", splat(v, scalar), steps(v, element_type(type), shape.step));
}

static MlirValue as(vectors *v, MlirValue value, bool scalar) {
  return scalar ? scalar_of(v, value) : wide_of(v, value);
}
static MlirType type_as(vectors *v, MlirValue value, bool scalar) {
  return scalar ? mlirValueGetType(value) : wide_type(v, mlirValueGetType(value));
}
static void set(vectors *v, MlirValue value, MlirValue to, bool scalar) {
  uw_map_set(scalar ? v->scalars : v->wide, value, to);
}

static bool is_used(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

/* --- masks -------------------------------------------------------------------------------------------------------- */

static MlirType mask_type(vectors *v) { return wide_type(v, uw_int_type(v->context, 1)); }

static MlirValue all_lanes(vectors *v, bool on) {
  MlirType bit = uw_int_type(v->context, 1);
  return constant(v, mask_type(v), mlirDenseElementsAttrSplatGet(mask_type(v), mlirIntegerAttrGet(bit, on)));
}

static MlirValue mask_or_all(vectors *v) { return v->mask.ptr ? v->mask : all_lanes(v, true); }

/* The lanes at work of which this holds. */
static MlirValue those_with(vectors *v, MlirValue condition) {
  return v->mask.ptr ? uw_select(&v->b, v->mask, condition, all_lanes(v, false)) : condition;
}

static MlirValue some_lane(vectors *v, MlirValue mask) {
  return uw_build1(&v->b, "llvm.intr.vector.reduce.or", .in = VALS(mask), .out = TYPES(uw_int_type(v->context, 1)));
}

static MlirValue every_lane(vectors *v, MlirValue mask) {
  return uw_build1(&v->b, "llvm.intr.vector.reduce.and", .in = VALS(mask), .out = TYPES(uw_int_type(v->context, 1)));
}

static MlirValue poison(vectors *v, MlirValue like) { return uw_poison(&v->b, wide_type(v, mlirValueGetType(like))); }

/* --- single operations -------------------------------------------------------------------------------------------- */

static MlirAttribute alignment_of(MlirOperation access, MlirType type, unsigned bits) {
  int64_t alignment = uw_get_int_attr(access, "alignment", (int64_t)uw_type_align(type));
  return uw_int_attr(mlirOperationGetContext(access), bits, alignment);
}

static bool is_side_by_side(vectors *v, MlirValue address, MlirType type) {
  uw_shape shape = uw_shape_of(v->shapes, address);
  return shape.kind == UW_SHAPE_STEP && shape.step == (int64_t)uw_type_bytes(type);
}

static void emit_load(vectors *v, MlirOperation op) {
  MlirValue address = uw_operand(op, 0), result = uw_result(op, 0), loaded;
  MlirType type = mlirValueGetType(result), wide = wide_type(v, type);
  if (!is_side_by_side(v, address, type))
    loaded =
        uw_build1(&v->b, "llvm.intr.masked.gather", .in = VALS(wide_of(v, address), mask_or_all(v), poison(v, result)),
                  .out = TYPES(wide), .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else if (v->mask.ptr)
    loaded = uw_build1(&v->b, "llvm.intr.masked.load", .in = VALS(scalar_of(v, address), v->mask, poison(v, result)),
                       .out = TYPES(wide), .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else
    loaded = uw_build1(&v->b, "llvm.load", .in = VALS(scalar_of(v, address)), .out = TYPES(wide),
                       .attrs = ATTRS({"alignment", alignment_of(op, type, 64)}));
  uw_map_set(v->wide, result, loaded);
}

static void emit_store(vectors *v, MlirOperation op) {
  MlirValue value = uw_operand(op, 0), address = uw_operand(op, 1);
  MlirType type = mlirValueGetType(value);
  if (uw_is_same(v->shapes, address)) /* and the value too: uw_vectors_fit */
    uw_clone(&v->b, op, v->scalars);
  else if (!is_side_by_side(v, address, type))
    uw_build(&v->b, "llvm.intr.masked.scatter", .in = VALS(wide_of(v, value), wide_of(v, address), mask_or_all(v)),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else if (v->mask.ptr)
    uw_build(&v->b, "llvm.intr.masked.store", .in = VALS(wide_of(v, value), scalar_of(v, address), v->mask),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else
    uw_build(&v->b, "llvm.store", .in = VALS(wide_of(v, value), scalar_of(v, address)),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 64)}));
}

/* Integers of another width; an index has 64 bits. */
static void emit_index_cast(vectors *v, MlirOperation op) {
  MlirValue from = wide_of(v, uw_operand(op, 0));
  MlirType wide = wide_type(v, mlirValueGetType(uw_result(op, 0)));
  unsigned bits = mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(mlirValueGetType(from)));
  unsigned to = mlirIntegerTypeGetWidth(mlirShapedTypeGetElementType(wide));
  const char *name = to < bits ? "arith.trunci" : uw_kind(op) == UW_OP_ARITH_INDEX_CAST ? "arith.extsi" : "arith.extui";
  uw_map_set(v->wide, uw_result(op, 0),
             to == bits ? from : uw_build1(&v->b, name, .in = VALS(from), .out = TYPES(wide)));
}

static bool divides(MlirOperation op) {
  static const char *const names[] = {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (uw_string_is(uw_name(op), names[i]))
      return true;
  return false;
}

/* By a number that no dividend makes it trap with: neither 0 nor, for signed ones, -1. */
static bool divides_by_number(MlirOperation op) {
  int64_t divisor;
  return divides(op) && uw_const_value(uw_operand(op, 1), &divisor) && divisor != 0 && divisor != -1;
}

/* May operand i stay scalar where it is the same for all lanes? */
static bool may_stay_scalar(MlirOperation op, size_t i) {
  return uw_kind(op) == UW_OP_LLVM_GEP || (uw_kind(op) == UW_OP_ARITH_SELECT && i == 0);
}

static void emit_elementwise(vectors *v, MlirOperation op) {
  uw_map *operands = uw_map_create(v->arena);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue value = uw_operand(op, i);
    uw_map_set(operands, value, as(v, value, may_stay_scalar(op, i) && uw_is_same(v->shapes, value)));
  }
  if (divides(op) && !divides_by_number(op) && v->mask.ptr) {
    MlirValue divisor = uw_operand(op, 1), own = uw_map_get(operands, divisor);
    MlirType type = mlirValueGetType(own);
    MlirAttribute ones = mlirDenseElementsAttrSplatGet(type, mlirIntegerAttrGet(mlirShapedTypeGetElementType(type), 1));
    MlirOperation copy = uw_clone(&v->b, op, operands);
    uw_builder before = uw_at(copy);
    MlirValue one = uw_build1(&before, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", ones}));
    mlirOperationSetOperand(copy, 1, uw_select(&before, v->mask, own, one));
  } else {
    uw_clone(&v->b, op, operands);
  }
  for (size_t i = 0; i < uw_result_count(op); i++) {
    MlirValue result = uw_map_get(operands, uw_result(op, i));
    mlirValueSetType(result, wide_type(v, mlirValueGetType(result)));
    uw_map_set(v->wide, uw_result(op, i), result);
  }
}

/* The scalar function, of one lane after the other. */
static MlirValue call_each(vectors *v, MlirOperation op, const uw_vals *arguments) {
  MlirValue result = poison(v, uw_result(op, 0));
  MlirType type = mlirValueGetType(uw_result(op, 0)), wide = mlirValueGetType(result);
  for (int64_t lane = 0; lane < v->width; lane++) {
    MlirValue at = uw_const_int(&v->b, 32, lane);
    uw_map *own = uw_map_create(v->arena);
    for (size_t i = 0; i < arguments->count; i++)
      uw_map_set(own, uw_operand(op, i),
                 uw_build1(&v->b, "llvm.extractelement", .in = VALS(arguments->at[i], at), .out = TYPES(type)));
    MlirValue one = uw_result(uw_clone(&v->b, op, own), 0);
    result = uw_build1(&v->b, "llvm.insertelement", .in = VALS(result, one, at), .out = TYPES(wide));
  }
  return result;
}

/* The form for vectors of a function that is called (vector_math.h). */
static void emit_call(vectors *v, MlirOperation op) {
  MlirType wide = wide_type(v, mlirValueGetType(uw_result(op, 0))), types[] = {wide, wide};
  uw_vals arguments = {0};
  for (size_t i = 0; i < uw_operand_count(op); i++)
    uw_vals_push(v->arena, &arguments, wide_of(v, uw_operand(op, i)));
  uw_vector_form form;
  MlirValue result;
  if (!uw_is_math_function(op, &form) || form == UW_EACH_LANE) {
    result = call_each(v, op, &arguments);
  } else {
    const char *name = uw_vector_callee(v->arena, uw_get_str_attr(op, "callee"), v->width);
    uw_declare_pure(mlirModuleFromOperation(uw_parent_of_kind(op, UW_OP_MODULE)), name,
                    mlirLLVMFunctionTypeGet(wide, (intptr_t)arguments.count, types, false));
    result = uw_result(uw_call(&v->b, name, VALS_OF(arguments), wide), 0);
  }
  uw_map_set(v->wide, uw_result(op, 0), result);
}

/* --- control flow ------------------------------------------------------------------------------------------------- */

static void emit(vectors *v, MlirOperation op);

static void emit_body(vectors *v, MlirBlock block) {
  uw_foreach_op (op, block)
    if (!uw_same_op(op, uw_last(block)))
      emit(v, op);
}

static bool is_flat_block(MlirBlock block, size_t *count) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block) {
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    bool nested =
        uw_kind(op) == UW_OP_SCF_IF && is_flat_block(uw_block(op, 0), count) && is_flat_block(uw_block(op, 1), count);
    if (++*count > UW_SHORT_BRANCH || (!nested && (mlirOperationGetNumRegions(op) || !uw_speculatable(op))))
      return false;
  }
  return true;
}

bool uw_flat(MlirOperation branch) {
  size_t count = 0;
  return is_flat_block(uw_block(branch, 0), &count) && is_flat_block(uw_block(branch, 1), &count);
}

/* What a side yields as result i, in the form of that result. The other side's poison may be any value. */
static MlirValue yield_of(vectors *v, MlirOperation op, unsigned arm, size_t i) {
  bool scalar = uw_is_scalar(v->shapes, uw_result(op, i));
  int deciding = uw_deciding_arm(op, i);
  if (deciding >= 0 && (unsigned)deciding != arm)
    return uw_poison(&v->b, type_as(v, uw_result(op, i), scalar));
  return as(v, uw_operand(uw_last(uw_block(op, arm)), i), scalar);
}

/* A branch that all lanes take or none. */
static void emit_common_if(vectors *v, MlirOperation op, MlirValue condition) {
  size_t count = uw_result_count(op);
  MlirType *types = uw_alloc(v->arena, (count + 1) * sizeof *types);
  for (size_t i = 0; i < count; i++)
    types[i] = type_as(v, uw_result(op, i), uw_is_scalar(v->shapes, uw_result(op, i)));
  if (v->anywhere) /* poison may be chosen from, but not branched on */
    condition = uw_build1(&v->b, "llvm.freeze", .in = VALS(condition), .out = TYPES(mlirValueGetType(condition)));
  uw_builder outer = v->b;
  MlirOperation copy = uw_build_if(&v->b, condition, (uw_type_list){types, count});
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirBlock from = uw_block(op, arm);
    uw_vals yields = {0};
    v->b = (uw_builder){v->context, outer.location, uw_block(copy, arm), {NULL}};
    if (!mlirBlockIsNull(from)) {
      emit_body(v, from);
      for (size_t i = 0; i < count; i++)
        uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
    }
    uw_build(&v->b, "scf.yield", .in = VALS_OF(yields));
  }
  v->b = outer;
  for (size_t i = 0; i < count; i++)
    set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
}

/* What a side of a branch does and yields, for the lanes of v->mask. */
static void yield_arm(vectors *v, MlirOperation op, unsigned arm) {
  uw_vals yields = {0};
  emit_body(v, uw_block(op, arm));
  for (size_t i = 0; i < uw_result_count(op); i++)
    uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(yields));
}

/* Does what stands in the block touch memory that is not the same for all lanes? Counts its operations. */
static bool touches_by_lanes(vectors *v, MlirBlock block, size_t *count) {
  bool touches = false;
  uw_foreach_op (op, block) {
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE)
      touches = touches || !uw_is_same(v->shapes, uw_operand(op, kind == UW_OP_LLVM_STORE));
    ++*count;
    for (unsigned i = 0; i < (unsigned)mlirOperationGetNumRegions(op); i++)
      touches = (!mlirBlockIsNull(uw_block(op, i)) && touches_by_lanes(v, uw_block(op, i), count)) || touches;
  }
  return touches;
}

/* One side of a branch, for these lanes; what it yields, for all of them, in the form that the results have. */
static uw_vals emit_arm(vectors *v, MlirOperation op, unsigned arm, MlirValue lanes, bool flat) {
  MlirBlock from = uw_block(op, arm);
  uw_vals yields = {0}, inner = {0};
  size_t count = uw_result_count(op);
  if (mlirBlockIsNull(from))
    return yields;
  if (flat || uw_is_empty(from)) {
    bool anywhere = v->anywhere;
    v->anywhere = true;
    emit_body(v, from);
    v->anywhere = anywhere;
    for (size_t i = 0; i < count; i++)
      uw_vals_push(v->arena, &yields, yield_of(v, op, arm, i));
    return yields;
  }
  MlirType *types = uw_alloc(v->arena, (count + 1) * sizeof *types);
  for (size_t i = 0; i < count; i++)
    types[i] = type_as(v, uw_result(op, i), uw_is_scalar(v->shapes, uw_result(op, i)));
  MlirValue mask = v->mask;
  uw_builder outer = v->b;
  MlirOperation for_all = {NULL};
  size_t size = 0;
  if (touches_by_lanes(v, from, &size) && size <= UW_MOST_TWICE) {
    for_all = uw_build_if(&v->b, every_lane(v, lanes), (uw_type_list){types, count});
    v->b = (uw_builder){v->context, outer.location, uw_block(for_all, 0), {NULL}};
    v->mask = (MlirValue){NULL};
    yield_arm(v, op, arm);
    v->b = (uw_builder){v->context, outer.location, uw_block(for_all, 1), {NULL}};
  }
  MlirOperation for_some = uw_build_if(&v->b, some_lane(v, lanes), (uw_type_list){types, count});
  uw_builder between = v->b;
  v->b = (uw_builder){v->context, outer.location, uw_block(for_some, 0), {NULL}};
  v->mask = lanes;
  yield_arm(v, op, arm);
  v->mask = mask;
  v->b = (uw_builder){v->context, outer.location, uw_block(for_some, 1), {NULL}};
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &inner, uw_poison(&v->b, types[i]));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(inner));
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &yields, uw_result(for_some, i));
  if (!uw_null(for_all)) {
    uw_build(&between, "scf.yield", .in = VALS_OF(yields));
    yields = (uw_vals){0};
    for (size_t i = 0; i < count; i++)
      uw_vals_push(v->arena, &yields, uw_result(for_all, i));
  }
  v->b = outer;
  return yields;
}

/* What all lanes at work want, if the condition is another one for each. */
static MlirValue wanted_by_all(vectors *v, MlirValue condition) {
  MlirValue wide = wide_of(v, condition);
  return every_lane(v, v->mask.ptr ? uw_select(&v->b, v->mask, wide, all_lanes(v, true)) : wide);
}

static void emit_if(vectors *v, MlirOperation op) {
  if (uw_is_same(v->shapes, uw_operand(op, 0))) {
    emit_common_if(v, op, scalar_of(v, uw_operand(op, 0)));
    return;
  }
  if (!mlirAttributeIsNull(uw_get_attr(op, UW_VERSIONS))) {
    emit_common_if(v, op, wanted_by_all(v, uw_operand(op, 0)));
    return;
  }
  MlirValue condition = wide_of(v, uw_operand(op, 0)), others = {NULL}, takers = {NULL};
  bool flat = uw_flat(op);
  if (!flat) {
    takers = those_with(v, condition);
    others = those_with(v, uw_binary(&v->b, "arith.xori", condition, all_lanes(v, true)));
  }
  uw_vals yields[2] = {emit_arm(v, op, 0, takers, flat), emit_arm(v, op, 1, others, flat)};
  for (size_t i = 0; i < uw_result_count(op); i++) {
    int arm = uw_deciding_arm(op, i);
    MlirValue result = arm >= 0 ? yields[arm].at[i] : uw_select(&v->b, condition, yields[0].at[i], yields[1].at[i]);
    set(v, uw_result(op, i), result, uw_is_scalar(v->shapes, uw_result(op, i)));
  }
}

/* A loop of as many iterations for all lanes. */
static void emit_for(vectors *v, MlirOperation op) {
  MlirBlock from = uw_block(op, 0);
  size_t count = uw_result_count(op);
  uw_vals inits = {0}, next = {0};
  for (size_t i = 0; i < count; i++)
    uw_vals_push(v->arena, &inits,
                 as(v, uw_operand(op, i + 3), uw_is_scalar(v->shapes, mlirBlockGetArgument(from, (intptr_t)i + 1))));
  MlirOperation copy = uw_build_for(&v->b, scalar_of(v, uw_operand(op, 0)), scalar_of(v, uw_operand(op, 1)),
                                    scalar_of(v, uw_operand(op, 2)), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(v->context));
  MlirBlock body = uw_block(copy, 0);
  uw_builder outer = v->b;
  v->b = (uw_builder){v->context, outer.location, body, {NULL}};
  uw_map_set(v->scalars, mlirBlockGetArgument(from, 0), mlirBlockGetArgument(body, 0));
  for (size_t i = 0; i < count; i++) {
    MlirValue carried = mlirBlockGetArgument(from, (intptr_t)i + 1);
    set(v, carried, mlirBlockGetArgument(body, (intptr_t)i + 1), uw_is_scalar(v->shapes, carried));
  }
  emit_body(v, from);
  for (size_t i = 0; i < count; i++)
    uw_vals_push(
        v->arena, &next,
        as(v, uw_operand(uw_last(from), i), uw_is_scalar(v->shapes, mlirBlockGetArgument(from, (intptr_t)i + 1))));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));
  v->b = outer;
  for (size_t i = 0; i < count; i++)
    set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
}

/* A while. Where lanes leave it after different iterations it also carries the mask of those that are in it, and what
 * the others took out. */
static void emit_while(vectors *v, MlirOperation op) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  bool common = uw_same_iterations(v->shapes, op);
  size_t carried = uw_operand_count(op), count = uw_result_count(op), taken = 0;
  uw_vals inits = {0}, forwarded = {0}, next = {0};
  MlirType *types = uw_alloc(v->arena, (2 * count + 1) * sizeof *types);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(v->arena, &inits,
                 as(v, uw_operand(op, i), uw_is_scalar(v->shapes, mlirBlockGetArgument(before, (intptr_t)i))));
  for (size_t i = 0; i < count; i++) {
    MlirValue value = mlirBlockGetArgument(after, (intptr_t)i);
    types[i] = type_as(v, value, uw_is_scalar(v->shapes, value));
  }
  size_t type_count = count;
  if (!common) {
    uw_vals_push(v->arena, &inits, mask_or_all(v));
    types[type_count++] = mask_type(v);
    for (size_t i = 0; i < count; i++)
      if (is_used(uw_result(op, i))) {
        uw_vals_push(v->arena, &inits, poison(v, uw_result(op, i)));
        types[type_count++] = wide_type(v, mlirValueGetType(uw_result(op, i)));
      }
  }
  MlirOperation copy = uw_build_while(&v->b, VALS_OF(inits), (uw_type_list){types, type_count});
  MlirBlock test = uw_block(copy, 0), body = uw_block(copy, 1);
  uw_builder outer = v->b;
  MlirValue mask = v->mask;

  v->b = (uw_builder){v->context, outer.location, test, {NULL}};
  for (size_t i = 0; i < carried; i++) {
    MlirValue value = mlirBlockGetArgument(before, (intptr_t)i);
    set(v, value, mlirBlockGetArgument(test, (intptr_t)i), uw_is_scalar(v->shapes, value));
  }
  if (!common)
    v->mask = mlirBlockGetArgument(test, (intptr_t)carried);
  emit_body(v, before);
  MlirValue live = {NULL};
  if (common) {
    uw_vals_push(v->arena, &forwarded, scalar_of(v, uw_operand(condition, 0)));
  } else {
    live = those_with(v, wide_of(v, uw_operand(condition, 0)));
    uw_vals_push(v->arena, &forwarded, some_lane(v, live));
  }
  for (size_t i = 0; i < count; i++)
    uw_vals_push(
        v->arena, &forwarded,
        as(v, uw_operand(condition, i + 1), uw_is_scalar(v->shapes, mlirBlockGetArgument(after, (intptr_t)i))));
  if (!common) {
    uw_vals_push(v->arena, &forwarded, live);
    for (size_t i = 0; i < count; i++)
      if (is_used(uw_result(op, i)))
        uw_vals_push(v->arena, &forwarded,
                     uw_select(&v->b, v->mask, wide_of(v, uw_operand(condition, i + 1)),
                               mlirBlockGetArgument(test, (intptr_t)(carried + 1 + taken++))));
  }
  uw_build(&v->b, "scf.condition", .in = VALS_OF(forwarded));

  v->b = (uw_builder){v->context, outer.location, body, {NULL}};
  for (size_t i = 0; i < count; i++) {
    MlirValue value = mlirBlockGetArgument(after, (intptr_t)i);
    set(v, value, mlirBlockGetArgument(body, (intptr_t)i), uw_is_scalar(v->shapes, value));
  }
  if (!common)
    v->mask = mlirBlockGetArgument(body, (intptr_t)count);
  emit_body(v, after);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(
        v->arena, &next,
        as(v, uw_operand(uw_last(after), i), uw_is_scalar(v->shapes, mlirBlockGetArgument(before, (intptr_t)i))));
  for (size_t i = count; i < type_count; i++)
    uw_vals_push(v->arena, &next, mlirBlockGetArgument(body, (intptr_t)i));
  uw_build(&v->b, "scf.yield", .in = VALS_OF(next));

  v->b = outer;
  v->mask = mask;
  for (size_t i = 0, k = count + 1; i < count; i++)
    if (common)
      set(v, uw_result(op, i), uw_result(copy, i), uw_is_scalar(v->shapes, uw_result(op, i)));
    else if (is_used(uw_result(op, i)))
      uw_map_set(v->wide, uw_result(op, i), uw_result(copy, k++));
}

/* The arrays of all lanes, one after the other; the first one's stands for them. */
static void emit_own_arrays(vectors *v, MlirOperation op) {
  int64_t count = 1;
  uw_const_value(uw_operand(op, 0), &count);
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(op, 0)));
  MlirValue all = uw_const_int(&v->b, bits, count * v->width);
  mlirOperationSetOperand(uw_clone(&v->b, op, v->scalars), 0, all);
}

static void promise(vectors *v, MlirOperation op, MlirOperation copy) {
  if (uw_table_get(v->sure, op.ptr))
    uw_set_attr(copy, "overflowFlags", uw_attr(v->context, "#arith.overflow<nsw>"));
}

static void emit_in_turn(vectors *v, MlirOperation op) {
  uw_used used = uw_used_by(v->arena, v->shapes, op);
  uw_vals own = {0};
  for (size_t i = 0; i < used.values.count; i++)
    uw_vals_push(v->arena, &own, as(v, used.values.at[i], uw_is_same(v->shapes, used.values.at[i])));
  MlirValue result = uw_emit_in_turn(v->arena, &v->b, op, &used, &own, v->mask, v->width);
  if (result.ptr)
    uw_map_set(v->wide, uw_result(op, 0), result);
}

static void emit(vectors *v, MlirOperation op) {
  v->b.location = mlirOperationGetLocation(op);
  uw_kind_t kind = uw_kind(op);
  if (!mlirAttributeIsNull(uw_get_attr(op, UW_IN_TURN))) {
    emit_in_turn(v, op);
  } else if (kind == UW_OP_SCF_IF) {
    emit_if(v, op);
  } else if (kind == UW_OP_SCF_FOR) {
    emit_for(v, op);
  } else if (kind == UW_OP_SCF_WHILE) {
    emit_while(v, op);
  } else if (kind == UW_OP_LLVM_STORE) {
    emit_store(v, op);
  } else if (uw_result_count(op) == 0) { /* where an array that serves all lanes begins or ends */
    uw_clone(&v->b, op, v->scalars);
  } else if (kind == UW_OP_LLVM_ALLOCA && !uw_is_same(v->shapes, uw_result(op, 0))) {
    emit_own_arrays(v, op);
  } else if (uw_shape_of(v->shapes, uw_result(op, 0)).kind != UW_SHAPE_ANY) {
    if (kind == UW_OP_LLVM_GEP) /* of the first lane, which need not take part */
      uw_clone_address(&v->b, op, v->scalars);
    else
      promise(v, op, uw_clone(&v->b, op, v->scalars));
  } else if (kind == UW_OP_LLVM_LOAD) {
    emit_load(v, op);
  } else if (kind == UW_OP_ARITH_INDEX_CAST || kind == UW_OP_ARITH_INDEX_CASTUI) {
    emit_index_cast(v, op);
  } else if (kind == UW_OP_LLVM_CALL) {
    emit_call(v, op);
  } else {
    emit_elementwise(v, op);
  }
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void drop_promises(uw_shapes *shapes, MlirOperation op) {
  if (uw_result_count(op) != 1 || uw_shape_of(shapes, uw_result(op, 0)).kind != UW_SHAPE_STEP)
    return;
  if (!mlirAttributeIsNull(uw_get_attr(op, "overflowFlags")))
    uw_set_attr(op, "overflowFlags", uw_attr(mlirOperationGetContext(op), "#arith.overflow<none>"));
}

/* value + step * (width - 1) does not wrap. */
static MlirValue stays_in_range(vectors *v, MlirValue value, const uw_extension *extension) {
  MlirType type = mlirValueGetType(value);
  unsigned bits = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  int64_t way = extension->step * (v->width - 1);
  int64_t most = extension->is_signed ? INT64_MAX >> (64 - bits) : -1,
          least = extension->is_signed ? INT64_MIN >> (64 - bits) : 0;
  MlirValue bound = uw_build1(&v->b, "arith.constant", .out = TYPES(type),
                              .attrs = ATTRS({"value", mlirIntegerAttrGet(type, (way > 0 ? most : least) - way)}));
  uw_predicate predicate = extension->is_signed ? (way > 0 ? UW_SLE : UW_SGE) : (way > 0 ? UW_ULE : UW_UGE);
  return uw_compare(&v->b, predicate, value, bound);
}

/* The same for a value that differs from iteration to iteration: in none of them. */
static MlirValue stays_in_iterations(vectors *v, uw_iteration_range range, const uw_extension *extension) {
  int64_t way = extension->step * (v->width - 1);
  int64_t least = extension->is_signed ? INT32_MIN : 0, most = extension->is_signed ? INT32_MAX : UINT32_MAX;
  MlirValue low = uw_const_int(&v->b, 64, least - (way < 0 ? way : 0)),
            high = uw_const_int(&v->b, 64, most - (way > 0 ? way : 0));
  MlirValue fits = uw_binary(&v->b, "arith.andi", uw_compare(&v->b, UW_SGE, range.least, low),
                             uw_compare(&v->b, UW_SLE, range.most, high));
  return range.holds.ptr ? uw_binary(&v->b, "arith.andi", fits, range.holds) : fits;
}

/* A for's counter of 32 bits, or a value that is known before the lanes: of these the sum was asked whether it wraps
 * around. */
static bool is_asked_of(vectors *v, MlirValue operand, MlirOperation lanes, const uw_map *first) {
  if (!uw_null(uw_def(operand)))
    return uw_computable_outside(v->arena, operand, lanes, first);
  return uw_kind(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(operand))) == UW_OP_SCF_FOR &&
         mlirBlockArgumentGetArgNumber(operand) == 0;
}

static void note_sure_sum(vectors *v, const uw_extension *extension, MlirOperation lanes, const uw_map *first) {
  MlirOperation op = uw_def(extension->value);
  if (extension->in_iterations && extension->is_signed && uw_kind(op) == UW_OP_ARITH_ADDI &&
      is_asked_of(v, uw_operand(op, 0), lanes, first) && is_asked_of(v, uw_operand(op, 1), lanes, first))
    uw_table_set(v->sure, op.ptr, 1);
}

/* What the lanes rest on, of one value. Frozen: where it comes from a loop that is not run it may be poison, and then
 * nobody asks. */
static MlirValue ask(vectors *v, const uw_extension *extension, MlirOperation lanes, uw_map *first) {
  if (!extension->in_iterations)
    return stays_in_range(v, uw_compute_outside(&v->b, extension->value, lanes, first), extension);
  MlirValue stays =
      stays_in_iterations(v, uw_emit_iteration_range(&v->b, v->arena, extension->value, lanes, first), extension);
  return uw_build1(&v->b, "llvm.freeze", .in = VALS(stays), .out = TYPES(mlirValueGetType(stays)));
}

void uw_make_vectors(uw_arena *arena, MlirOperation lanes, int64_t width) {
  MlirBlock body = uw_block(lanes, 0);
  vectors v = {.arena = arena, .context = mlirOperationGetContext(lanes), .width = width, .b = uw_at(lanes)};
  v.shapes = uw_shapes_of(arena, lanes);
  v.scalars = uw_map_create(arena);
  v.wide = uw_map_create(arena);
  v.sure = uw_table_create(arena);
  uw_ops ops = uw_collect(arena, lanes);
  for (size_t i = 0; i < ops.count; i++)
    drop_promises(v.shapes, ops.at[i]);
  size_t count;
  const uw_extension *extensions = uw_shape_extensions(v.shapes, &count);
  MlirValue lane = mlirBlockGetArgument(body, 0), zero = uw_const_index(&v.b, 0), in_range = {NULL};
  uw_map *first = uw_map_create(arena);
  uw_map_set(first, lane, zero);
  uw_map_set(v.scalars, lane, zero);
  for (size_t i = 0; i < count; i++) {
    MlirValue stays = ask(&v, &extensions[i], lanes, first);
    note_sure_sum(&v, &extensions[i], lanes, first);
    in_range = in_range.ptr ? uw_binary(&v.b, "arith.andi", in_range, stays) : stays;
  }
  uw_versions versions =
      uw_make_versions(arena, &v.b, .asked = in_range, .first = lanes, .own = UW_FAILS, .written = true);
  v.b = versions.in[UW_HOLDS];
  emit_body(&v, body);
  if (uw_null(versions.choice))
    mlirOperationDestroy(lanes);
}
