/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loops LLVM's vectorisers do several iterations of at once, in a thread alone, and lanes of threads do not:
 *
 *   for (%j)  b[%i * n + %j] = f(a[%i * n + %j])        %i: the thread
 *
 * From iteration to iteration the accesses lie side by side; from thread to thread they are a row apart, which lanes
 * gather and scatter. Found as the vectorisers find them:
 *
 * a) a for from 1 to 1 without control flow in it, calls, and divisions of integers; b) each access goes to the next
 * element in each iteration, or loads what stays; c) what it carries are sums of integers or the like, whose order does
 * not matter; d) some access is a row of
 * the thread's own. Pairs that may overlap are asked for at run time, by LLVM. */
#include "own_walks.h"

#include "../../analysis/thresholds.h"
#include "../../analysis/uniformity.h"
#include "address_growth.h"

/* In memory: a private array has a part for each lane (vectors.h). */
static bool is_row_of_own(uw_shapes *shapes, MlirValue address, MlirType element) {
  if (uw_kind(uw_address_root(address)) == UW_OP_LLVM_ALLOCA)
    return false;
  uw_shape shape = uw_shape_of(shapes, address);
  return shape.kind != UW_SHAPE_SAME && !(shape.kind == UW_SHAPE_STEP && shape.step == (int64_t)uw_type_bytes(element));
}

/* Sums and the like of integers. */
static bool is_in_any_order(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_MINSI:
  case UW_OP_ARITH_MAXSI:
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MAXUI: return true;
  default: return false;
  }
}

/* Each value that is carried goes into one sum, which is carried on. */
static bool carries_sums(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation yield = uw_last(body);
  for (size_t i = 0; i < uw_operand_count(yield); i++) {
    MlirValue carried = mlirBlockGetArgument(body, (intptr_t)i + 1);
    MlirOperation sum = uw_def(uw_operand(yield, i));
    MlirOpOperand use = mlirValueGetFirstUse(carried);
    if (uw_null(sum) || !is_in_any_order(sum) || mlirOpOperandIsNull(use) ||
        !uw_same_op(mlirOpOperandGetOwner(use), sum) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
      return false;
  }
  return true;
}

static bool is_slow_or_scalar(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_REMSI:
  case UW_OP_ARITH_REMUI: return true;
  default: return uw_region_count(op) != 0 || !uw_effect_free(op) || uw_kind(op) == UW_OP_LLVM_CALL;
  }
}

double uw_iterations_at_once(uw_arena *arena, uw_shapes *shapes, MlirOperation loop, const uw_target *target) {
  uw_iterations iterations;
  if (uw_kind(loop) != UW_OP_SCF_FOR || !uw_counter_of_for(loop, &iterations) || !carries_sums(loop))
    return 1;
  bool has_rows = false;
  int64_t widest = 1, lower, upper, growth;
  uw_ops ops = uw_block_ops(arena, uw_block(loop, 0));
  for (size_t i = 0; i + 1 < ops.count; i++) { /* the last one hands on what is carried */
    bool is_store = uw_kind(ops.at[i]) == UW_OP_LLVM_STORE;
    if (!is_store && uw_kind(ops.at[i]) != UW_OP_LLVM_LOAD) {
      if (is_slow_or_scalar(ops.at[i]))
        return 1;
      continue;
    }
    MlirValue address = uw_operand(ops.at[i], is_store);
    MlirType type = mlirValueGetType(is_store ? uw_operand(ops.at[i], 0) : uw_result(ops.at[i], 0));
    if (!uw_plain_access(ops.at[i]) || !uw_growth_of(&iterations, address, &growth) ||
        !(growth == (int64_t)uw_type_bytes(type) || (growth == 0 && !is_store)))
      return 1;
    has_rows = has_rows || (growth != 0 && is_row_of_own(shapes, address, type));
    widest = (int64_t)uw_type_bytes(type) > widest ? (int64_t)uw_type_bytes(type) : widest;
  }
  int64_t at_once = target->register_bytes / widest;
  if (uw_const_value(uw_operand(loop, 0), &lower) && uw_const_value(uw_operand(loop, 1), &upper) &&
      upper - lower < at_once)
    at_once = upper - lower;
  return has_rows && at_once >= UW_LEAST_AT_ONCE ? (double)at_once : 1;
}
