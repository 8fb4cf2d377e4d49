/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A conversion from floating point to an integer that the value does not fit: C++ leaves it open, a GPU saturates (PTX
 * ISA, "cvt"), an x86 gives something else. NaN becomes 0, or the highest bit alone where either side has 64 bits.
 * Device code gets what a GPU gives:
 *
 *   llvm.fptosi %x : f32 to i32   ==>   y = x > -0x1p31 ? x : -0x1p31;  x != x ? 0 : y >= 0x1p31 ? 0x7fffffff : fptosi y
 *   llvm.fptoui %x : f32 to i32   ==>   y = x > 0 ? x : 0;              y >= 0x1p32 ? 0xffffffff : fptoui y
 *   llvm.fptosi %x : f64 to i32   ==>   y = x > -0x1p31 ? x : -0x1p31;  y >= 0x1p31 ? 0x7fffffff : fptosi y
 *   llvm.fptoui %x : f64 to i32   ==>   y = x > 0 ? x : 0;  x != x ? 0x80000000 : y >= 0x1p32 ? 0xffffffff : fptoui y
 *
 * and for integers under 32 bits the same to 32 bits, then truncated: GPUs have no narrower conversion. (A float that
 * is made a double first is a float here: LLVM has left that step out before.) Where bounds of the value are known, the
 * pass ranges takes these tests away again. The first choice is one instruction of a CPU, a maximum, which a comparison
 * for NaN takes too. LLVM has an intrinsic for this, but MLIR knows no operation for it, and an unknown intrinsic would
 * stop every analysis: those that PTX's conversions are made of (libdevice/ptx/convert.c) become the same.
 */
#include <math.h>
#include <string.h>

#include "raise.h"

enum { OGT = 2, OGE = 3, UNO = 14 }; /* arith.cmpf */

static MlirValue holds(uw_builder *b, int64_t predicate, MlirValue left, MlirValue right) {
  return uw_build1(b, "arith.cmpf", .in = VALS(left, right), .out = TYPES(uw_int_type(b->context, 1)),
                   .attrs = ATTRS({"predicate", uw_int_attr(b->context, 64, predicate)}));
}

static MlirValue number(uw_builder *b, MlirType type, double value) {
  return uw_build1(b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirFloatAttrDoubleGet(b->context, type, value)}));
}

static void saturate(MlirOperation op, bool is_signed) {
  uw_builder b = uw_at(op);
  MlirValue x = uw_operand(op, 0);
  MlirType from = mlirValueGetType(x), to = mlirValueGetType(uw_result(op, 0));
  if (!mlirTypeIsAFloat(from) || !mlirTypeIsAInteger(to) || mlirIntegerTypeGetWidth(to) > 64)
    return;
  if (mlirFloatTypeGetWidth(from) < 32) { /* the bounds below have room in float */
    from = mlirF32TypeGet(b.context);
    x = uw_build1(&b, "arith.extf", .in = VALS(x), .out = TYPES(from));
  }
  unsigned bits = mlirIntegerTypeGetWidth(to) < 32 ? 32 : mlirIntegerTypeGetWidth(to);
  MlirType wide = uw_int_type(b.context, bits);
  bool top_for_nan = mlirFloatTypeGetWidth(from) == 64 || bits == 64;
  double beyond = ldexp(1, (int)(is_signed ? bits - 1 : bits));
  int64_t highest = is_signed ? (int64_t)(UINT64_MAX >> (65 - bits)) : (int64_t)(UINT64_MAX >> (64 - bits));
  MlirValue low = number(&b, from, is_signed ? -beyond : 0), floor = uw_select(&b, holds(&b, OGT, x, low), x, low);
  MlirValue inside = uw_build1(&b, is_signed ? "arith.fptosi" : "arith.fptoui", .in = VALS(floor), .out = TYPES(wide));
  MlirValue result =
      uw_select(&b, holds(&b, OGE, floor, number(&b, from, beyond)), uw_const_int(&b, bits, highest), inside);
  if (is_signed != top_for_nan) /* else NaN is right by the floor, which makes it the least value */
    result =
        uw_select(&b, holds(&b, UNO, x, x), uw_const_int(&b, bits, top_for_nan ? INT64_MIN >> (64 - bits) : 0), result);
  if (!mlirTypeEqual(wide, to))
    result = uw_build1(&b, "arith.trunci", .in = VALS(result), .out = TYPES(to));
  uw_replace_uses(uw_result(op, 0), result);
  uw_erase(op);
}

static bool starts(MlirStringRef text, const char *with) {
  return text.length >= strlen(with) && memcmp(text.data, with, strlen(with)) == 0;
}

void uw_raise_conversions(MlirModule module, uw_arena *arena) {
  uw_foreach_op (function, mlirModuleGetBody(module)) {
    if (uw_kind(function) != UW_OP_LLVM_FUNC || uw_is_host(function))
      continue;
    uw_ops ops = uw_collect(arena, function);
    for (size_t i = 0; i < ops.count; i++) {
      MlirStringRef intrinsic = uw_get_str_attr(ops.at[i], "intrin");
      if (uw_string_is(uw_name(ops.at[i]), "llvm.fptosi") || starts(intrinsic, "llvm.fptosi.sat.i"))
        saturate(ops.at[i], true);
      else if (uw_string_is(uw_name(ops.at[i]), "llvm.fptoui") || starts(intrinsic, "llvm.fptoui.sat.i"))
        saturate(ops.at[i], false);
    }
  }
}
