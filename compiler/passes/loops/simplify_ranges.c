/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the saturation off conversions to integers whose values surely fit, and decides comparisons of floating-point
 * values that can come out in one way only. raise/saturate.c writes three tests around each conversion, which a GPU
 * makes in the instruction itself; in code for images and tables, where values come from bytes, they are half of the
 * work:
 *
 *   %x = mulf (uitofp %byte), 0.5                        %x = mulf (uitofp %byte), 0.5
 *   %y = select (cmpf ogt %x, -0x1p31), %x, -0x1p31
 *   %i = fptosi %y                                ==>    %i = fptosi %x
 *   %j = select (cmpf oge %y, 0x1p31), 0x7fffffff, %i
 *   %r = select (cmpf uno %x, %x), 0, %j                 in %r's place
 *
 * A conversion a) takes what is limited from below as it was before that where it is not less than the limit, or where
 * the limit is 0 and it is more than -1, which is cut to 0 as well; b) without sign becomes one with sign, which all
 * processors have, where what it takes fits into both.
 * A comparison becomes what it always gives (analysis/value_ranges.h), and choices by it what they then choose.
 *
 * Legal because bounds hold for the exact result of each operation, for the rounded one and for one flushed to zero,
 * and neither NaN nor infinity is left out; what is poison may become anything.
 *
 * Requires: while-to-for helps. Preserves: all else. Refuses: values of which too little is known (loaded floating-point
 * values without limits, half precision, fast-math arithmetic), silently. */
#include <math.h>

#include "../../analysis/value_ranges.h"
#include "../../ir/remarks.h"
#include "../passes.h"

/* What is limited from below by a constant, and that constant: of select (cmpf ogt %x, c), %x, c. */
static MlirValue limited(MlirValue value, double *limit) {
  enum { OGT = 2 };
  MlirOperation choice = uw_def(value),
                compare = uw_kind(choice) == UW_OP_ARITH_SELECT ? uw_def(uw_operand(choice, 0)) : (MlirOperation){NULL};
  if (uw_kind(compare) != UW_OP_ARITH_CMPF || uw_get_int_attr(compare, "predicate", 0) != OGT ||
      !uw_same(uw_operand(compare, 0), uw_operand(choice, 1)) ||
      !uw_same(uw_operand(compare, 1), uw_operand(choice, 2)))
    return (MlirValue){NULL};
  uw_floats bound = uw_float_range(uw_operand(choice, 2));
  *limit = bound.low;
  return bound.low == bound.high && !bound.nan ? uw_operand(choice, 1) : (MlirValue){NULL};
}

static bool drop_limit(MlirOperation conversion) {
  double limit;
  MlirValue value = limited(uw_operand(conversion, 0), &limit);
  if (!value.ptr)
    return false;
  uw_floats is = uw_float_range(value);
  if (is.nan || !(is.low >= limit || (limit == 0 && is.low > -1)))
    return false;
  mlirOperationSetOperand(conversion, 0, value);
  return true;
}

/* fptoui of what is less than `beyond`, as fptosi. */
static bool give_sign(MlirOperation conversion, uw_floats is, double beyond) {
  if (uw_kind(conversion) != UW_OP_ARITH_FPTOUI || is.nan || !(is.low > -1 && is.high < beyond))
    return false;
  MlirType type = mlirValueGetType(uw_result(conversion, 0));
  uw_builder b = uw_at(conversion);
  uw_replace_uses(uw_result(conversion, 0),
                  uw_build1(&b, "arith.fptosi", .in = VALS(uw_operand(conversion, 0)), .out = TYPES(type)));
  return true;
}

static bool convert(MlirOperation conversion) {
  MlirType type = mlirValueGetType(uw_result(conversion, 0));
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 64)
    return false;
  bool is_free = drop_limit(conversion);
  uw_floats is = uw_float_range(uw_operand(conversion, 0));
  double beyond = ldexp(1, (int)mlirIntegerTypeGetWidth(type) - 1);
  bool is_small = !is.nan && is.high < beyond, has_sign = give_sign(conversion, is, beyond);
  if (is_free && is_small)
    uw_remark(mlirOperationGetLocation(conversion), "simplify-ranges",
              "conversion to an integer without saturation: what is converted fits");
  else if (is_free || has_sign)
    uw_remark(mlirOperationGetLocation(conversion), "simplify-ranges",
              "conversion to an integer that saturates at one end only: at the other what is converted fits");
  return is_free || has_sign;
}

static bool decide(MlirOperation compare) {
  MlirValue result = uw_result(compare, 0);
  if (!mlirTypeIsAFloat(mlirValueGetType(uw_operand(compare, 0))) || mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
    return false;
  int decided = uw_decided(compare);
  if (decided < 0)
    return false;
  uw_builder b = uw_at(compare);
  uw_replace_uses(result, uw_const_int(&b, 1, decided));
  return true;
}

static bool choose(MlirOperation choice) {
  int64_t yes;
  if (!uw_const_value(uw_operand(choice, 0), &yes) || uw_unused(choice))
    return false;
  uw_replace_uses(uw_result(choice, 0), uw_operand(choice, yes ? 1 : 2));
  return true;
}

uw_change uw_pass_simplify_ranges(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops ops = uw_collect(ctx->arena, root);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    bool converts = uw_kind(op) == UW_OP_ARITH_FPTOSI || uw_kind(op) == UW_OP_ARITH_FPTOUI;
    bool done = uw_kind(op) == UW_OP_ARITH_CMPF && decide(op);
    if (converts && !uw_unused(op))
      done = convert(op);
    if (done)
      change = UW_CHANGED;
  }
  if (change != UW_CHANGED)
    return UW_SAME;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_ARITH_SELECT)
      choose(ops.at[i]);
  uw_drop_unused(ctx->arena, root);
  return change;
}
