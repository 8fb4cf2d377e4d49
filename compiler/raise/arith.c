/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * llvm arithmetic in kernels becomes arith and math, which have folders, canonicalisation and range analysis. A table
 * of names: what it does not list stays as it is. Flags keep their meaning; those arith has no room for (exact, nneg)
 * only gave permission and are dropped. An or of bits that do not meet is the sum that it was before LLVM made it one.
 */
#include <string.h>

#include "../ir/shim.h"
#include "raise.h"

typedef enum flags { NONE, OVERFLOW, FAST } flags;

static const struct {
  const char *from, *to;
  flags flags;
} table[] = {
    {"llvm.add", "arith.addi", OVERFLOW},
    {"llvm.sub", "arith.subi", OVERFLOW},
    {"llvm.mul", "arith.muli", OVERFLOW},
    {"llvm.shl", "arith.shli", OVERFLOW},
    {"llvm.lshr", "arith.shrui", NONE},
    {"llvm.ashr", "arith.shrsi", NONE},
    {"llvm.sdiv", "arith.divsi", NONE},
    {"llvm.udiv", "arith.divui", NONE},
    {"llvm.srem", "arith.remsi", NONE},
    {"llvm.urem", "arith.remui", NONE},
    {"llvm.and", "arith.andi", NONE},
    {"llvm.or", "arith.ori", NONE},
    {"llvm.xor", "arith.xori", NONE},
    {"llvm.icmp", "arith.cmpi", NONE},
    {"llvm.fcmp", "arith.cmpf", FAST},
    {"llvm.fadd", "arith.addf", FAST},
    {"llvm.fsub", "arith.subf", FAST},
    {"llvm.fmul", "arith.mulf", FAST},
    {"llvm.fdiv", "arith.divf", FAST},
    {"llvm.frem", "arith.remf", FAST},
    {"llvm.fneg", "arith.negf", FAST},
    {"llvm.select", "arith.select", NONE},
    {"llvm.sext", "arith.extsi", NONE},
    {"llvm.zext", "arith.extui", NONE},
    {"llvm.trunc", "arith.trunci", NONE},
    {"llvm.fpext", "arith.extf", NONE},
    {"llvm.fptrunc", "arith.truncf", NONE},
    {"llvm.sitofp", "arith.sitofp", NONE},
    {"llvm.uitofp", "arith.uitofp", NONE},
    {"llvm.fptosi", "arith.fptosi", NONE},
    {"llvm.fptoui", "arith.fptoui", NONE},
    {"llvm.bitcast", "arith.bitcast", NONE},
    {"llvm.mlir.constant", "arith.constant", NONE},
    {"llvm.mlir.poison", "ub.poison", NONE},
    {"llvm.intr.smax", "arith.maxsi", NONE},
    {"llvm.intr.smin", "arith.minsi", NONE},
    {"llvm.intr.umax", "arith.maxui", NONE},
    {"llvm.intr.umin", "arith.minui", NONE},
    {"llvm.intr.maxnum", "arith.maxnumf", FAST},
    {"llvm.intr.minnum", "arith.minnumf", FAST},
    {"llvm.intr.sqrt", "math.sqrt", FAST},
    {"llvm.intr.fabs", "math.absf", FAST},
    {"llvm.intr.fma", "math.fma", FAST},
    {"llvm.intr.sin", "math.sin", FAST},
    {"llvm.intr.cos", "math.cos", FAST},
    {"llvm.intr.exp", "math.exp", FAST},
    {"llvm.intr.exp2", "math.exp2", FAST},
    {"llvm.intr.log", "math.log", FAST},
    {"llvm.intr.log2", "math.log2", FAST},
    {"llvm.intr.log10", "math.log10", FAST},
    {"llvm.intr.pow", "math.powf", FAST},
    {"llvm.intr.floor", "math.floor", FAST},
    {"llvm.intr.ceil", "math.ceil", FAST},
    {"llvm.intr.trunc", "math.trunc", FAST},
    {"llvm.intr.round", "math.round", FAST},
    {"llvm.intr.roundeven", "math.roundeven", FAST},
    {"llvm.intr.copysign", "math.copysign", FAST},
    {"llvm.intr.ctpop", "math.ctpop", NONE},
};

/* arith works on integers, floats and vectors of them; not on pointers, structs or arrays. */
static bool is_number(MlirType type) {
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type);
}

static bool all_numbers(MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_number(mlirValueGetType(uw_operand(op, i))))
      return false;
  return uw_result_count(op) == 1 && is_number(mlirValueGetType(uw_result(op, 0)));
}

static void append(MlirStringRef part, void *data) { strncat(data, part.data, part.length < 200 ? part.length : 200); }

/* #llvm.fastmath<contract> -> #arith.fastmath<contract> */
static MlirAttribute translate(MlirAttribute attribute, uw_arena *arena) {
  char text[512] = "";
  mlirAttributePrint(attribute, append, text);
  return uw_attr(mlirAttributeGetContext(attribute), uw_arena_format(arena, "#arith%s", text + strlen("#llvm")));
}

static bool is_disjoint_or(MlirOperation op) {
  MlirType type = mlirValueGetType(uw_result(op, 0));
  return uw_string_is(uw_name(op), "llvm.or") && !mlirAttributeIsNull(uw_get_attr(op, "isDisjoint")) &&
         mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1;
}

/* What divides a remainder, made to be something that never traps: passes take remainders for operations that they may
 * make where the program would not, as it asks before (`if (n) x % n`). Divisions they leave where they are. */
static MlirValue safe_divisor(uw_builder *b, MlirValue number, MlirValue divisor, bool is_signed) {
  int64_t known;
  MlirType type = mlirValueGetType(divisor);
  if (!mlirTypeIsAInteger(type) || (uw_const_value(divisor, &known) && known != 0 && known != -1))
    return divisor;
  unsigned bits = mlirIntegerTypeGetWidth(type);
  MlirValue one = uw_const_int(b, bits, 1);
  if (!is_signed)
    return uw_binary(b, "arith.maxui", divisor, one);
  MlirValue least =
      uw_compare(b, UW_EQ, number, uw_const_int(b, bits, bits < 64 ? -(INT64_C(1) << (bits - 1)) : INT64_MIN));
  MlirValue overflows = uw_binary(b, "arith.andi", least, uw_compare(b, UW_EQ, divisor, uw_const_int(b, bits, -1)));
  MlirValue traps = uw_binary(b, "arith.ori", uw_compare(b, UW_EQ, divisor, uw_const_int(b, bits, 0)), overflows);
  return uw_select(b, traps, one, divisor);
}

static void convert(MlirOperation op, const char *to, flags flags, uw_arena *arena) {
  uw_builder b = uw_at(op);
  MlirValue operands[3];
  size_t count = uw_operand_count(op);
  for (size_t i = 0; i < count; i++)
    operands[i] = uw_operand(op, i);
  bool is_signed_rest = strcmp(to, "arith.remsi") == 0;
  if (is_signed_rest || strcmp(to, "arith.remui") == 0)
    operands[1] = safe_divisor(&b, operands[0], operands[1], is_signed_rest);
  uw_named attributes[3];
  size_t attribute_count = 0;
  MlirAttribute fast = flags == FAST ? uw_get_attr(op, "fastmathFlags") : (MlirAttribute){NULL};
  if (!mlirAttributeIsNull(fast))
    attributes[attribute_count++] = (uw_named){"fastmath", translate(fast, arena)};
  static const char *const overflow[] = {NULL, "#arith.overflow<nsw>", "#arith.overflow<nuw>",
                                         "#arith.overflow<nsw, nuw>"};
  bool is_sum = is_disjoint_or(op);
  unsigned wrap = is_sum ? 3 : flags == OVERFLOW ? uw_shim_overflow_flags(op) & 3 : 0;
  if (wrap)
    attributes[attribute_count++] = (uw_named){"overflowFlags", uw_attr(b.context, overflow[wrap])};
  if (!mlirAttributeIsNull(uw_get_attr(op, "predicate")))
    attributes[attribute_count++] = (uw_named){"predicate", uw_get_attr(op, "predicate")};
  if (uw_kind(op) == UW_OP_LLVM_CONSTANT)
    attributes[attribute_count++] = (uw_named){"value", uw_get_attr(op, "value")};
  MlirValue result =
      uw_build1(&b, is_sum ? "arith.addi" : to, .in = {operands, count},
                .out = TYPES(mlirValueGetType(uw_result(op, 0))), .attrs = {attributes, attribute_count});
  uw_replace_uses(uw_result(op, 0), result);
  uw_erase(op);
}

/* An arith.constant's attribute carries the type of its result. */
static bool typed_constant(MlirOperation op) {
  MlirAttribute value = uw_get_attr(op, "value");
  return mlirTypeEqual(mlirAttributeGetType(value), mlirValueGetType(uw_result(op, 0)));
}

/* arith.bitcast keeps the shape; LLVM's may make a vector one scalar. */
static bool keeps_shape(MlirOperation op) {
  MlirType from = mlirValueGetType(uw_operand(op, 0)), to = mlirValueGetType(uw_result(op, 0));
  if (!mlirTypeIsAVector(from) || !mlirTypeIsAVector(to))
    return mlirTypeIsAVector(from) == mlirTypeIsAVector(to);
  return mlirShapedTypeGetDimSize(from, 0) == mlirShapedTypeGetDimSize(to, 0);
}

void uw_raise_arith(MlirModule module, uw_arena *arena) {
  uw_table *rows = uw_table_create(arena);
  MlirContext context = mlirModuleGetContext(module);
  size_t count = sizeof table / sizeof *table;
  for (size_t i = 0; i < count; i++)
    uw_table_set(rows, mlirIdentifierGet(context, uw_str(table[i].from)).ptr, (intptr_t)i + 1);
  uw_foreach_op (func, mlirModuleGetBody(module)) {
    if (uw_kind(func) != UW_OP_FUNC)
      continue;
    uw_ops ops = uw_collect(arena, func);
    for (size_t i = 0; i < ops.count; i++) {
      intptr_t row = uw_table_get(rows, mlirOperationGetName(ops.at[i]).ptr);
      if (!row || !all_numbers(ops.at[i]) || uw_operand_count(ops.at[i]) > 3)
        continue;
      if (uw_kind(ops.at[i]) == UW_OP_LLVM_CONSTANT && !typed_constant(ops.at[i]))
        continue;
      if (uw_string_is(uw_name(ops.at[i]), "llvm.bitcast") && !keeps_shape(ops.at[i]))
        continue;
      convert(ops.at[i], table[row - 1].to, table[row - 1].flags, arena);
    }
  }
}
