/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the host packs two by two: see packed.h. */
#include "packed.h"

static MlirValue low_half(uw_builder *b, MlirValue both) {
  return uw_build1(b, "arith.trunci", .in = VALS(both), .out = TYPES(uw_int_type(b->context, 32)));
}

/* Half of what the host packed into 64 bits, {x, y}, as it was before; null if that is not seen. So a block of n
 * threads is known to have one row. */
static MlirValue packed_half(uw_builder *b, MlirValue pair, bool high) {
  MlirOperation op = uw_def(pair);
  MlirValue none = {NULL}, zero = uw_const_int(b, 32, 0);
  int64_t number;
  if (uw_const_value(pair, &number))
    return uw_const_int(b, 32, (int32_t)(high ? number >> 32 : number));
  if (uw_null(op)) /* comes from a branch */
    return none;
  if (uw_string_is(uw_name(op), "llvm.zext") &&
      mlirTypeEqual(mlirValueGetType(uw_operand(op, 0)), mlirValueGetType(zero)))
    return high ? zero : uw_operand(op, 0);
  if (uw_string_is(uw_name(op), "llvm.shl") && uw_const_value(uw_operand(op, 1), &number) && number == 32)
    return high ? packed_half(b, uw_operand(op, 0), false) : zero;
  if (uw_string_is(uw_name(op), "llvm.and") && uw_const_value(uw_operand(op, 1), &number) && number == UINT32_MAX)
    return high ? zero : low_half(b, uw_operand(op, 0));
  if (!uw_string_is(uw_name(op), "llvm.or"))
    return none;
  MlirValue left = packed_half(b, uw_operand(op, 0), high), right = packed_half(b, uw_operand(op, 1), high);
  if (!left.ptr || !right.ptr)
    return none;
  if (uw_const_value(left, &number) && number == 0)
    return right;
  return uw_const_value(right, &number) && number == 0 ? left : none;
}

/* What the terminator hands to the argument of one of its successors; null if it is no branch. */
static MlirValue handed_over(MlirOperation branch, intptr_t successor, size_t argument) {
  if (uw_string_is(uw_name(branch), "llvm.br"))
    return uw_operand(branch, argument);
  MlirAttribute sizes = uw_get_attr(branch, "operandSegmentSizes");
  if (!uw_string_is(uw_name(branch), "llvm.cond_br") || mlirAttributeIsNull(sizes))
    return (MlirValue){NULL};
  size_t before = 1 + (successor ? (size_t)mlirDenseI32ArrayGetElement(sizes, 1) : 0);
  return uw_operand(branch, before + argument);
}

static bool is_known_half(MlirValue pair, bool high, size_t depth, int64_t *number);

/* Where several ways come together, all of them know the same number. */
static bool is_known_on_all_ways(MlirValue argument, bool high, size_t depth, int64_t *number) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(argument), ways = 0;
  for (intptr_t p = 0; p < mlirBlockGetNumPredecessors(block); p++) {
    MlirOperation branch = mlirBlockGetTerminator(mlirBlockGetPredecessor(block, p));
    for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(branch); s++) {
      if (!mlirBlockEqual(mlirOperationGetSuccessor(branch, s), block))
        continue;
      int64_t own;
      MlirValue value = handed_over(branch, s, which);
      if (!value.ptr || !is_known_half(value, high, depth, &own) || (ways++ && own != *number))
        return false;
      *number = own;
    }
  }
  return ways > 0;
}

/* Half of what the host packed, if that is a constant: on each way that it may come, as of `n ? dim3(n) : dim3(256)`. */
static bool is_known_half(MlirValue pair, bool high, size_t depth, int64_t *number) {
  enum { DEEPEST = 6 /* bound of a search; values may go round in a loop */, HALF = 32 };
  MlirOperation op = uw_def(pair);
  int64_t other;
  if (depth == DEEPEST)
    return false;
  if (uw_const_value(pair, &other)) {
    *number = (int32_t)(high ? other >> HALF : other);
    return true;
  }
  if (uw_null(op))
    return mlirValueIsABlockArgument(pair) && is_known_on_all_ways(pair, high, depth + 1, number);
  if (uw_string_is(uw_name(op), "llvm.zext") &&
      mlirTypeEqual(mlirValueGetType(uw_operand(op, 0)), uw_int_type(mlirOperationGetContext(op), HALF))) {
    *number = 0;
    return high;
  }
  if (uw_string_is(uw_name(op), "llvm.or")) {
    bool known = is_known_half(uw_operand(op, 0), high, depth + 1, number) &&
                 is_known_half(uw_operand(op, 1), high, depth + 1, &other);
    *number |= known ? other : 0;
    return known;
  }
  return uw_string_is(uw_name(op), "llvm.select") && is_known_half(uw_operand(op, 1), high, depth + 1, number) &&
         is_known_half(uw_operand(op, 2), high, depth + 1, &other) && other == *number;
}

MlirValue uw_half_of(uw_builder *b, MlirValue pair, bool high) {
  int64_t number;
  MlirValue half = packed_half(b, pair, high);
  if (half.ptr)
    return half;
  if (is_known_half(pair, high, 0, &number))
    return uw_const_int(b, 32, number);
  return low_half(b, high ? uw_binary(b, "arith.shrui", pair, uw_const_int(b, 64, 32)) : pair);
}
