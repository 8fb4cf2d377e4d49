/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks at the launch whether the integers that index rows of threads fit into their 32 bits, and says so of the
 * operations.
 *
 *   %i = addi %block_x_width, %thread : i32          if (grid * width <= 2^31)              (at the launch: launch_question.h)
 *   if (cmpi slt %i, %n)                       ==>     %i = addi %block_x_width, %thread nsw : i32 …
 *     … extsi %i …                                   else the kernel as it was written
 *
 * blockIdx.x * blockDim.x + threadIdx.x is unsigned arithmetic, which may wrap around: then the next thread does
 * not have the next integer, and a comparison with a limit is none of a range of threads. No program means that, and
 * nearly none does it, so that the passes after this one, which make rows of such integers, look at flags alone; what
 * cannot be asked here they ask before the loop in question, or leave alone.
 *
 * Asked is about sums, differences, products and shifts of 32 bits whose bounds the launch tells (constants that are
 * small, indices, extents, parameters) and that an address or a comparison uses as a signed or an unsigned integer.
 * Of what may be below zero and counts unsigned it is asked whether it fits as one with sign: loop_bounds.h looks
 * further. Differences may be, and parameters where the value is used in both ways: if (x >= 0 && x < n) a[x] asks of
 * x = i - radius, whose first threads are below zero in all launches.
 *
 * Legal because a launch for which the answer is no runs no code with these flags. Requires: loops and branches as
 * structured operations. Preserves: all values. Refuses: all else, silently. */
#include "../../ir/parallel.h"
#include "../launch_question.h"
#include "../passes.h"

enum { DEEPEST = 8, WITHOUT_SIGN = 1, WITH_SIGN = 2 };

static bool is_sum(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_ARITH_ADDI || kind == UW_OP_ARITH_SUBI || kind == UW_OP_ARITH_MULI || kind == UW_OP_ARITH_SHLI;
}

static unsigned wanted_of(uw_table *seen, MlirValue value, int depth);

/* Of what a loop carries that begins with the value: its operand `number`. */
static unsigned wanted_of_carried(uw_table *seen, MlirOperation loop, size_t number, int depth) {
  if (uw_kind(loop) == UW_OP_SCF_FOR && number >= 3)
    return wanted_of(seen, mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)number - 2), depth);
  if (uw_kind(loop) == UW_OP_SCF_FOR)
    return mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")) ? WITH_SIGN : WITHOUT_SIGN;
  MlirOperation condition = uw_last(uw_block(loop, 0));
  MlirValue carried = mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)number);
  unsigned wanted = wanted_of(seen, carried, depth);
  for (size_t i = 1; i < uw_operand_count(condition); i++)
    if (uw_same(uw_operand(condition, i), carried))
      wanted |= wanted_of(seen, mlirBlockGetArgument(uw_block(loop, 1), (intptr_t)i - 1), depth);
  return wanted;
}

/* As what kind of integer is the value used? */
static unsigned wanted_of(uw_table *seen, MlirValue value, int depth) {
  unsigned wanted = 0;
  if (uw_table_get(seen, value.ptr) >= depth) /* it was asked, and as far as now */
    return 0;
  uw_table_set(seen, value.ptr, depth);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && depth > 0;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int64_t predicate;
    switch (uw_kind(user)) {
    case UW_OP_LLVM_GEP:
    case UW_OP_ARITH_EXTSI:
    case UW_OP_ARITH_INDEX_CAST:
    case UW_OP_ARITH_DIVSI:
    case UW_OP_ARITH_REMSI: wanted |= WITH_SIGN; break;
    case UW_OP_ARITH_EXTUI:
    case UW_OP_ARITH_INDEX_CASTUI: wanted |= WITHOUT_SIGN; break;
    case UW_OP_ARITH_CMPI:
      predicate = uw_get_int_attr(user, "predicate", UW_EQ);
      wanted |= predicate == UW_EQ || predicate == UW_NE ? 0 : predicate < UW_ULT ? WITH_SIGN : WITHOUT_SIGN;
      break;
    case UW_OP_ARITH_ADDI:
    case UW_OP_ARITH_SUBI:
    case UW_OP_ARITH_MULI:
    case UW_OP_ARITH_SHLI:
    case UW_OP_ARITH_SELECT: wanted |= wanted_of(seen, uw_result(user, 0), depth - 1); break;
    case UW_OP_SCF_YIELD:
      if (uw_kind(uw_parent(user)) == UW_OP_SCF_WHILE &&
          mlirBlockEqual(mlirOperationGetBlock(user), uw_block(uw_parent(user), 1)))
        wanted |= wanted_of_carried(seen, uw_parent(user), (size_t)mlirOpOperandGetOperandNumber(use), depth - 1);
      break;
    case UW_OP_SCF_FOR:
    case UW_OP_SCF_WHILE:
      wanted |= wanted_of_carried(seen, user, (size_t)mlirOpOperandGetOperandNumber(use), depth - 1);
      break;
    default: break;
    }
  }
  return wanted;
}

static bool ask(uw_question *q, MlirOperation op, bool is_signed, bool surely) {
  uw_between range;
  uw_forget_question(q);
  if (!uw_find_between(q, uw_result(op, 0), is_signed, &range) || (surely && q->takes_for_natural)) {
    uw_forget_question(q);
    return false;
  }
  uw_ask_question(q);
  return true;
}

static bool ask_about(uw_arena *arena, MlirOperation loop) {
  uw_question question;
  if (!uw_question_of(arena, loop, &question))
    return false;
  uw_ops ops = uw_collect(arena, loop);
  bool changed = false;
  for (size_t i = ops.count; i-- > 0;) { /* what is made of others first: then they are asked about with it */
    MlirOperation op = ops.at[i];
    if (!is_sum(op) || !mlirTypeEqual(mlirValueGetType(uw_result(op, 0)), uw_int_type(question.b.context, 32)))
      continue;
    unsigned wanted = wanted_of(uw_table_create(arena), uw_result(op, 0), DEEPEST);
    bool with_sign = wanted & WITH_SIGN;
    if ((wanted & WITHOUT_SIGN) && !uw_no_wrap(op, false) && !uw_no_wrap(op, true)) {
      bool natural = ask(&question, op, false, with_sign);
      changed = natural || changed;
      with_sign = with_sign || !natural;
    }
    if (with_sign && !uw_no_wrap(op, true))
      changed = ask(&question, op, true, false) || changed;
  }
  return changed;
}

uw_change uw_pass_no_wrap_versions(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), ask_about);
}
