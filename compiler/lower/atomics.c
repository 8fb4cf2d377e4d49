/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One worker runs all threads of a block, one after the other: an atomic operation on the block's own memory has nobody
 * to race with and becomes a load, the operation and a store. Holds when the address is based on the worker's tally, or
 * on an unwarp.shared of a block that one worker has (passes/rows/distribute_teams.c), by known steps; an address of unknown base
 * keeps its atomic. Runs after serialize.c, so that these accesses stay outside the access groups: threads do meet in
 * them.
 */
#include <string.h>

#include "../ir/remarks.h"
#include "../raise/raise.h"
#include "lower.h"

static bool is_own(MlirOperation memory) {
  return uw_kind(memory) == UW_OP_TALLY ||
         (uw_kind(memory) == UW_OP_SHARED && mlirAttributeIsNull(uw_get_attr(memory, UW_TEAM)));
}

static MlirOperation memory_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  while (uw_kind(op) == UW_OP_LLVM_GEP)
    op = uw_def(uw_operand(op, 0));
  return op;
}

/* Values of LLVM's AtomicBinOp that have an operation of the same meaning. */
static const struct {
  int64_t kind;
  const char *name;
} plain[] = {
    {1, "arith.addi"},   {2, "arith.subi"},  {3, "arith.andi"},  {5, "arith.ori"},
    {6, "arith.xori"},   {7, "arith.maxsi"}, {8, "arith.minsi"}, {9, "arith.maxui"},
    {10, "arith.minui"}, {11, "arith.addf"}, {12, "arith.subf"},
};
enum { XCHG = 0, UINC_WRAP = 15, UDEC_WRAP = 16 };

/* The new value; null for an operation that stays atomic. */
static MlirValue combine(uw_builder *b, int64_t kind, MlirValue old, MlirValue operand) {
  if (kind == XCHG)
    return operand;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (plain[i].kind == kind)
      return uw_binary(b, plain[i].name, old, operand);
  if (kind != UINC_WRAP && kind != UDEC_WRAP)
    return (MlirValue){NULL};
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(old));
  MlirValue one = uw_const_int(b, bits, 1), zero = uw_const_int(b, bits, 0);
  const char *step = kind == UINC_WRAP ? "arith.addi" : "arith.subi";
  MlirValue next = uw_binary(b, step, old, one);
  if (kind == UINC_WRAP) /* old >= limit ? 0 : old + 1 */
    return uw_select(b, uw_compare(b, UW_UGE, old, operand), zero, next);
  /* old == 0 || old > limit ? limit : old - 1 */
  MlirValue high = uw_select(b, uw_compare(b, UW_UGT, old, operand), operand, next);
  return uw_select(b, uw_compare(b, UW_EQ, old, zero), operand, high);
}

static MlirValue load(uw_builder *b, MlirValue address, MlirType type) {
  return uw_build1(b, "llvm.load", .in = VALS(address), .out = TYPES(type));
}

/* What a worker adds up for itself CUDA has no order for. */
static void allow_any_order(MlirOperation sum) {
  if (uw_kind(sum) == UW_OP_ARITH_ADDF || uw_kind(sum) == UW_OP_ARITH_SUBF)
    uw_set_attr(sum, "fastmath", uw_attr(mlirOperationGetContext(sum), "#arith.fastmath<reassoc>"));
}

static void lower_rmw(MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue address = uw_operand(op, 0), operand = uw_operand(op, 1);
  MlirType type = mlirValueGetType(operand);
  if (!mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type))
    return;
  MlirValue old = load(&b, address, type);
  MlirValue fresh = combine(&b, uw_get_int_attr(op, "bin_op", -1), old, operand);
  if (!fresh.ptr) {
    uw_erase(uw_def(old));
    return;
  }
  if (uw_kind(memory_of(address)) == UW_OP_TALLY)
    allow_any_order(uw_def(fresh));
  uw_build(&b, "llvm.store", .in = VALS(fresh, address));
  uw_replace_uses(uw_result(op, 0), old);
  uw_erase(op);
}

/* cmpxchg gives {old, whether it was the expected value}. */
static void lower_cmpxchg(MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue address = uw_operand(op, 0), expected = uw_operand(op, 1), wanted = uw_operand(op, 2);
  if (!mlirTypeIsAInteger(mlirValueGetType(expected)))
    return;
  MlirValue old = load(&b, address, mlirValueGetType(expected)), same = uw_compare(&b, UW_EQ, old, expected);
  uw_build(&b, "llvm.store", .in = VALS(uw_select(&b, same, wanted, old), address));
  MlirType pair_type = mlirValueGetType(uw_result(op, 0));
  MlirValue pair = uw_build1(&b, "llvm.mlir.poison", .out = TYPES(pair_type)), parts[] = {old, same};
  for (int64_t i = 0; i < 2; i++)
    pair = uw_build1(&b, "llvm.insertvalue", .in = VALS(pair, parts[i]), .out = TYPES(pair_type),
                     .attrs = ATTRS({"position", mlirDenseI64ArrayGet(b.context, 1, &i)}));
  uw_replace_uses(uw_result(op, 0), pair);
  uw_erase(op);
}

void uw_lower_atomics(MlirModule module, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    if (kind != UW_OP_LLVM_ATOMICRMW && kind != UW_OP_LLVM_CMPXCHG)
      continue;
    MlirOperation memory = memory_of(uw_operand(ops.at[i], 0));
    if (!is_own(memory))
      continue;
    if (uw_kind(memory) == UW_OP_SHARED)
      uw_remark(mlirOperationGetLocation(ops.at[i]), "atomics",
                "atomic operation on shared memory: a plain one, as one worker has the block");
    if (kind == UW_OP_LLVM_ATOMICRMW)
      lower_rmw(ops.at[i]);
    else
      lower_cmpxchg(ops.at[i]);
  }
}
