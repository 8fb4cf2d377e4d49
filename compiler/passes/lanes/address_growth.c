/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much an address is more than in the iteration before: sums and multiples of a loop's counter. */
#include "address_growth.h"

MlirType uw_element_of(MlirType type) { return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type; }

bool uw_splat_value(MlirValue value, int64_t *number) {
  MlirAttribute constant =
      uw_kind(uw_def(value)) == UW_OP_ARITH_CONSTANT ? uw_get_attr(uw_def(value), "value") : (MlirAttribute){NULL};
  if (uw_const_value(value, number))
    return true;
  if (mlirAttributeIsNull(constant) || !mlirAttributeIsADenseElements(constant) ||
      !mlirDenseElementsAttrIsSplat(constant) || !mlirTypeIsAInteger(uw_element_of(mlirValueGetType(value))))
    return false;
  MlirAttribute element = mlirDenseElementsAttrGetSplatValue(constant);
  *number = mlirAttributeIsAInteger(element) ? mlirIntegerAttrGetValueInt(element) : 0;
  return mlirAttributeIsAInteger(element);
}

static bool grows_as_sum(const uw_iterations *iterations, MlirValue left, MlirValue right, int64_t factor,
                         int64_t *growth) {
  int64_t l, r, scaled;
  return uw_growth_of(iterations, left, &l) && uw_growth_of(iterations, right, &r) &&
         !__builtin_mul_overflow(r, factor, &scaled) && !__builtin_add_overflow(l, scaled, growth);
}

/* An extension of what grows: exact for the counter, and for sums and multiples of it that do not wrap. */
static bool grows_extended(const uw_iterations *iterations, MlirValue value, bool is_signed, int64_t *growth) {
  MlirOperation op = uw_def(value);
  if (!uw_growth_of(iterations, value, growth))
    return false;
  if (*growth == 0)
    return true;
  if (uw_null(op))
    return uw_same(value, iterations->counter) &&
           (is_signed ? iterations->is_exact_signed : iterations->is_exact_unsigned);
  int64_t ignored;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    return uw_no_wrap(op, is_signed) && grows_extended(iterations, uw_operand(op, 0), is_signed, &ignored) &&
           grows_extended(iterations, uw_operand(op, 1), is_signed, &ignored);
  case UW_OP_LLVM_SHUFFLEVECTOR: return grows_extended(iterations, uw_operand(op, 0), is_signed, &ignored);
  case UW_OP_LLVM_INSERTELEMENT: return grows_extended(iterations, uw_operand(op, 1), is_signed, &ignored);
  default: return false;
  }
}

static unsigned bits_of(MlirValue value) {
  MlirType type = uw_element_of(mlirValueGetType(value));
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64; /* index */
}

/* Between index and 64 bits nothing is extended. */
static bool grows_cast(const uw_iterations *iterations, MlirOperation cast, bool is_signed, int64_t *growth) {
  MlirValue from = uw_operand(cast, 0);
  return bits_of(from) == bits_of(uw_result(cast, 0)) ? uw_growth_of(iterations, from, growth)
                                                      : grows_extended(iterations, from, is_signed, growth);
}

/* Is it a scalar in all lanes? */
static bool is_splat(MlirOperation op) {
  MlirAttribute mask = uw_get_attr(op, "mask");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(mask); i++)
    if (mlirDenseI32ArrayGetElement(mask, i) != 0)
      return false;
  return uw_kind(uw_def(uw_operand(op, 0))) == UW_OP_LLVM_INSERTELEMENT;
}

static bool address_growth(const uw_iterations *iterations, MlirOperation gep, int64_t *growth) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element) ||
      !uw_growth_of(iterations, uw_operand(gep, 0), growth))
    return false;
  int64_t ignored;
  for (size_t i = 2; i < uw_operand_count(gep); i++)
    if (!uw_growth_of(iterations, uw_operand(gep, i), &ignored) || ignored != 0)
      return false;
  if (uw_operand_count(gep) == 1 || mlirDenseI32ArrayGetElement(constants, 0) != INT32_MIN)
    return uw_operand_count(gep) == 1;
  MlirValue index = uw_operand(gep, 1);
  int64_t own, bytes = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(element));
  MlirType type = uw_element_of(mlirValueGetType(index));
  bool wide = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
  return (wide ? uw_growth_of(iterations, index, &own) : grows_extended(iterations, index, true, &own)) &&
         !__builtin_mul_overflow(own, bytes, &own) && !__builtin_add_overflow(*growth, own, growth);
}

/* By how much the value, or each element of it, is more than in the iteration before; false if that is not known, or
 * not the same in all iterations. */
bool uw_growth_of(const uw_iterations *iterations, MlirValue value, int64_t *growth) {
  *growth = 0;
  if (!uw_defined_inside(value, iterations->loop))
    return true;
  MlirOperation op = uw_def(value);
  int64_t factor;
  if (uw_null(op)) {
    *growth = 1;
    return uw_same(value, iterations->counter);
  }
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
    return grows_as_sum(iterations, uw_operand(op, 0), uw_operand(op, 1), uw_kind(op) == UW_OP_ARITH_ADDI ? 1 : -1,
                        growth);
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    if (!uw_splat_value(uw_operand(op, 1), &factor) || (uw_kind(op) == UW_OP_ARITH_SHLI && (factor < 0 || factor > 30)))
      break;
    return uw_growth_of(iterations, uw_operand(op, 0), growth) &&
           !__builtin_mul_overflow(*growth, uw_kind(op) == UW_OP_ARITH_SHLI ? (int64_t)1 << factor : factor, growth);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: return grows_cast(iterations, op, true, growth);
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: return grows_cast(iterations, op, false, growth);
  case UW_OP_LLVM_SHUFFLEVECTOR: return is_splat(op) && uw_growth_of(iterations, uw_operand(op, 0), growth);
  case UW_OP_LLVM_INSERTELEMENT: return uw_growth_of(iterations, uw_operand(op, 1), growth);
  case UW_OP_LLVM_GEP: return address_growth(iterations, op, growth);
  default: break;
  }
  if (!uw_speculatable(op) || uw_region_count(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!uw_growth_of(iterations, uw_operand(op, i), &factor) || factor != 0)
      return false;
  return true;
}

bool uw_walks_along(const uw_iterations *iterations, MlirValue address, MlirType element) {
  int64_t growth;
  return uw_growth_of(iterations, address, &growth) && growth == (int64_t)uw_type_bytes(element);
}

bool uw_counter_of_for(MlirOperation loop, uw_iterations *iterations) {
  int64_t step, lower, upper;
  if (!uw_const_value(uw_operand(loop, 2), &step) || step != 1)
    return false;
  bool is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  bool is_small = uw_const_value(uw_operand(loop, 0), &lower) && lower >= 0 &&
                  uw_const_value(uw_operand(loop, 1), &upper) && upper >= 0;
  *iterations =
      (uw_iterations){.loop = loop,
                      .counter = mlirBlockGetArgument(uw_block(loop, 0), 0),
                      .is_exact_signed = is_signed || is_small,
                      .is_exact_unsigned = !is_signed || (uw_const_value(uw_operand(loop, 0), &lower) && lower >= 0)};
  return true;
}

/* The position among the block's arguments; as many as it has: none of these. */
static size_t place_of(MlirBlock block, MlirValue value) {
  size_t count = (size_t)mlirBlockGetNumArguments(block), place = 0;
  while (place < count && !uw_same(mlirBlockGetArgument(block, (intptr_t)place), value))
    place++;
  return place;
}

bool uw_counter_of_while(MlirOperation loop, MlirOperation compare, uw_iterations *iterations) {
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || uw_defined_inside(uw_operand(compare, 1), loop))
    return false;
  MlirValue counter = uw_operand(compare, 0);
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ), step;
  size_t place = place_of(before, counter), handed = 0, count = uw_operand_count(condition) - 1;
  while (handed < count && !uw_same(uw_operand(condition, handed + 1), counter))
    handed++;
  if ((predicate != UW_SLT && predicate != UW_ULT) || place == (size_t)mlirBlockGetNumArguments(before) ||
      handed == count)
    return false;
  *iterations = (uw_iterations){.loop = loop,
                                .counter = mlirBlockGetArgument(after, (intptr_t)handed),
                                .is_exact_signed = predicate == UW_SLT,
                                .is_exact_unsigned = predicate == UW_ULT};
  MlirOperation next = uw_def(uw_operand(uw_last(after), place));
  return uw_kind(next) == UW_OP_ARITH_ADDI && uw_same(uw_operand(next, 0), iterations->counter) &&
         uw_splat_value(uw_operand(next, 1), &step) && step == 1;
}
