/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What vectors.c puts together: a value of the loop over lanes as a scalar or as a vector, masks of the lanes at work,
 * and operations without control flow. Loads and stores of neighbours become those of vectors, others gathers and
 * scatters, under the mask; what has no form for vectors is called lane by lane. */
#include "vector_values.h"

#include "../../analysis/vector_math.h"
#include "../../ir/stress.h"
#include "../../transform/thread_loop.h"

/* --- types and values --------------------------------------------------------------------------------------------- */

static MlirType element_type(MlirType type) {
  return mlirTypeIsAIndex(type) ? uw_int_type(mlirTypeGetContext(type), 64) : type;
}

MlirType uw_vec_type(uw_vectors *v, MlirType type) { return mlirVectorTypeGet(1, &v->width, element_type(type)); }

static MlirValue constant(uw_vectors *v, MlirType type, MlirAttribute elements) {
  return uw_build1(&v->b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", elements}));
}

static MlirValue splat(uw_vectors *v, MlirValue scalar) {
  MlirType type = mlirValueGetType(scalar), element = element_type(type), wide = uw_vec_type(v, type);
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
static MlirValue steps(uw_vectors *v, MlirType element, int64_t step) {
  MlirAttribute *numbers = uw_alloc(v->arena, (size_t)v->width * sizeof *numbers);
  for (int64_t i = 0; i < v->width; i++)
    numbers[i] = mlirIntegerAttrGet(element, (int64_t)((uint64_t)i * (uint64_t)step));
  MlirType wide = uw_vec_type(v, element);
  return constant(v, wide, mlirDenseElementsAttrGet(wide, (intptr_t)v->width, numbers));
}

MlirValue uw_vec_scalar_of(uw_vectors *v, MlirValue value) { return uw_map_or_same(v->scalars, value); }

MlirValue uw_vec_wide_of(uw_vectors *v, MlirValue value) {
  MlirValue done = uw_map_get(v->wide, value);
  if (done.ptr)
    return done;
  MlirValue scalar = uw_vec_scalar_of(v, value);
  MlirType type = mlirValueGetType(scalar);
  uw_shape shape = uw_shape_of(v->shapes, value);
  if (shape.kind != UW_SHAPE_STEP)
    return splat(v, scalar);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_add_bytes(&v->b, scalar, steps(v, uw_int_type(v->context, 64), shape.step));
  return uw_binary(&v->b, "arith.addi", splat(v, scalar), steps(v, element_type(type), shape.step));
}

MlirValue uw_vec_as(uw_vectors *v, MlirValue value, bool scalar) {
  return scalar ? uw_vec_scalar_of(v, value) : uw_vec_wide_of(v, value);
}
MlirType uw_vec_type_as(uw_vectors *v, MlirValue value, bool scalar) {
  return scalar ? mlirValueGetType(value) : uw_vec_type(v, mlirValueGetType(value));
}
void uw_vec_set(uw_vectors *v, MlirValue value, MlirValue to, bool scalar) {
  uw_map_set(scalar ? v->scalars : v->wide, value, to);
}

/* --- masks -------------------------------------------------------------------------------------------------------- */

MlirType uw_vec_mask_type(uw_vectors *v) { return uw_vec_type(v, uw_int_type(v->context, 1)); }

MlirValue uw_vec_all_lanes(uw_vectors *v, bool on) {
  MlirType bit = uw_int_type(v->context, 1);
  return constant(v, uw_vec_mask_type(v),
                  mlirDenseElementsAttrSplatGet(uw_vec_mask_type(v), mlirIntegerAttrGet(bit, on)));
}

MlirValue uw_vec_mask_or_all(uw_vectors *v) { return v->mask.ptr ? v->mask : uw_vec_all_lanes(v, true); }

MlirValue uw_vec_first_lanes(uw_vectors *v, MlirValue many) {
  MlirType word = uw_int_type(v->context, 32);
  MlirValue cut = uw_build1(&v->b, "arith.index_cast", .in = VALS(many), .out = TYPES(word));
  return uw_compare(&v->b, UW_ULT, steps(v, word, 1), splat(v, cut));
}

/* The lanes at work of which this holds. */
MlirValue uw_vec_those_with(uw_vectors *v, MlirValue condition) {
  return v->mask.ptr ? uw_select(&v->b, v->mask, condition, uw_vec_all_lanes(v, false)) : condition;
}

MlirValue uw_vec_some_lane(uw_vectors *v, MlirValue mask) {
  return uw_build1(&v->b, "llvm.intr.vector.reduce.or", .in = VALS(mask), .out = TYPES(uw_int_type(v->context, 1)));
}

MlirValue uw_vec_every_lane(uw_vectors *v, MlirValue mask) {
  if (uw_stresses("masks"))
    return uw_const_int(&v->b, 1, 0);
  return uw_build1(&v->b, "llvm.intr.vector.reduce.and", .in = VALS(mask), .out = TYPES(uw_int_type(v->context, 1)));
}

MlirValue uw_vec_poison(uw_vectors *v, MlirValue like) {
  return uw_poison(&v->b, uw_vec_type(v, mlirValueGetType(like)));
}

/* --- single operations -------------------------------------------------------------------------------------------- */

static MlirAttribute alignment_of(MlirOperation access, MlirType type, unsigned bits) {
  int64_t alignment = uw_get_int_attr(access, "alignment", (int64_t)uw_type_align(type));
  return uw_int_attr(mlirOperationGetContext(access), bits, alignment);
}

static bool is_side_by_side(uw_vectors *v, MlirValue address, MlirType type) {
  uw_shape shape = uw_shape_of(v->shapes, address);
  return shape.kind == UW_SHAPE_STEP && shape.step == (int64_t)uw_type_bytes(type);
}

void uw_vec_load(uw_vectors *v, MlirOperation op) {
  MlirValue address = uw_operand(op, 0), result = uw_result(op, 0), loaded;
  MlirType type = mlirValueGetType(result), wide = uw_vec_type(v, type);
  if (!is_side_by_side(v, address, type))
    loaded = uw_build1(&v->b, "llvm.intr.masked.gather",
                       .in = VALS(uw_vec_wide_of(v, address), uw_vec_mask_or_all(v), uw_vec_poison(v, result)),
                       .out = TYPES(wide), .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else if (v->mask.ptr)
    loaded = uw_build1(&v->b, "llvm.intr.masked.load",
                       .in = VALS(uw_vec_scalar_of(v, address), v->mask, uw_vec_poison(v, result)), .out = TYPES(wide),
                       .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else
    loaded = uw_build1(&v->b, "llvm.load", .in = VALS(uw_vec_scalar_of(v, address)), .out = TYPES(wide),
                       .attrs = ATTRS({"alignment", alignment_of(op, type, 64)}));
  uw_map_set(v->wide, result, loaded);
}

void uw_vec_store(uw_vectors *v, MlirOperation op) {
  MlirValue value = uw_operand(op, 0), address = uw_operand(op, 1);
  MlirType type = mlirValueGetType(value);
  if (uw_is_same(v->shapes, address)) /* and the value too: uw_vectors_fit */
    uw_clone(&v->b, op, v->scalars);
  else if (!is_side_by_side(v, address, type))
    uw_build(&v->b, "llvm.intr.masked.scatter",
             .in = VALS(uw_vec_wide_of(v, value), uw_vec_wide_of(v, address), uw_vec_mask_or_all(v)),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else if (v->mask.ptr)
    uw_build(&v->b, "llvm.intr.masked.store",
             .in = VALS(uw_vec_wide_of(v, value), uw_vec_scalar_of(v, address), v->mask),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 32)}));
  else
    uw_build(&v->b, "llvm.store", .in = VALS(uw_vec_wide_of(v, value), uw_vec_scalar_of(v, address)),
             .attrs = ATTRS({"alignment", alignment_of(op, type, 64)}));
}

/* Integers of another width; an index has 64 bits. */
void uw_vec_index_cast(uw_vectors *v, MlirOperation op) {
  MlirValue from = uw_vec_wide_of(v, uw_operand(op, 0));
  MlirType wide = uw_vec_type(v, mlirValueGetType(uw_result(op, 0)));
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

void uw_vec_elementwise(uw_vectors *v, MlirOperation op) {
  uw_map *operands = uw_map_create(v->arena);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue value = uw_operand(op, i);
    uw_map_set(operands, value, uw_vec_as(v, value, may_stay_scalar(op, i) && uw_is_same(v->shapes, value)));
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
    mlirValueSetType(result, uw_vec_type(v, mlirValueGetType(result)));
    uw_map_set(v->wide, uw_result(op, i), result);
  }
}

/* The scalar function, of one lane after the other. */
static MlirValue call_each(uw_vectors *v, MlirOperation op, const uw_vals *arguments) {
  MlirValue result = uw_vec_poison(v, uw_result(op, 0));
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
void uw_vec_call(uw_vectors *v, MlirOperation op) {
  MlirType wide = uw_vec_type(v, mlirValueGetType(uw_result(op, 0))), types[] = {wide, wide};
  uw_vals arguments = {0};
  for (size_t i = 0; i < uw_operand_count(op); i++)
    uw_vals_push(v->arena, &arguments, uw_vec_wide_of(v, uw_operand(op, i)));
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
