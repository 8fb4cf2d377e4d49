/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes values of branches that only compute. A condition written with && and || comes as a branch with a result; as a
 * value it can be taken apart (guard.c), and be computed again after a barrier instead of being kept there
 * (analysis/mincut.c).
 *
 *   %r = if (%c) { yield %x }                      %y = f(%z)
 *        else { %y = f(%z); yield %y }     ==>     %r = select %c, %x, %y
 *
 * Of a branch that does more, results that are integers become values where what computes them is pure and at most
 * UW_RESULT_MOST_OPS operations: the flag that says that a thread did something is then known without asking what it
 * did, nor kept from one phase to the next.
 *
 * Holds when a) the if has results; b) both branches hold nothing but pure operations that are cheap enough to be done
 * again, at most UW_FLATTEN_MOST_OPS of them.
 *
 * Legal because such operations may run anywhere, and a value that select does not choose has no effect, were it
 * poison.
 *
 * Requires: nothing. Preserves: all effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/mincut.h"
#include "../barriers/thread_loop.h"

static size_t cost(MlirBlock block) {
  size_t count = 0;
  uw_foreach_op (op, block)
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      count += uw_recomputable(op) && uw_speculatable(op) ? 1 : UW_FLATTEN_MOST_OPS + 1;
  return count;
}

/* The bit that the integer is the extension of; null if it is none. */
static MlirValue as_bit(uw_builder *b, MlirValue value) {
  int64_t number;
  MlirOperation op = uw_def(value);
  if (uw_const_value(value, &number) && (number == 0 || number == 1))
    return uw_const_int(b, 1, number);
  MlirValue from = uw_kind(op) == UW_OP_ARITH_EXTUI ? uw_operand(op, 0) : (MlirValue){NULL};
  return from.ptr && uw_type_bytes(mlirValueGetType(from)) == 1 && mlirIntegerTypeGetWidth(mlirValueGetType(from)) == 1
             ? from
             : (MlirValue){NULL};
}

/* condition ? yes : no. Flags travel as bytes: of two that are bits, it is made of conditions again (guard.h). */
static MlirValue choose(uw_builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  MlirType type = mlirValueGetType(yes);
  bool wide = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1;
  MlirValue first = wide ? as_bit(b, yes) : (MlirValue){NULL}, second = wide ? as_bit(b, no) : first;
  int64_t number;
  if (!first.ptr || !second.ptr || (uw_const_value(first, &number) && uw_const_value(second, &number)))
    return uw_select(b, condition, yes, no);
  MlirValue bit, opposite = uw_binary(b, "arith.xori", condition, uw_const_int(b, 1, 1));
  if (uw_const_value(first, &number))
    bit = number & 1 ? uw_binary(b, "arith.ori", condition, second) : uw_binary(b, "arith.andi", opposite, second);
  else if (uw_const_value(second, &number))
    bit = number & 1 ? uw_binary(b, "arith.ori", opposite, first) : uw_binary(b, "arith.andi", condition, first);
  else
    bit = uw_select(b, condition, first, second);
  return uw_build1(b, "arith.extui", .in = VALS(bit), .out = TYPES(type));
}

static bool flatten(MlirOperation branch) {
  if (uw_result_count(branch) == 0 || cost(uw_block(branch, 0)) + cost(uw_block(branch, 1)) > UW_FLATTEN_MOST_OPS)
    return false;
  for (unsigned r = 0; r < 2; r++)
    uw_foreach_op_safe (op, uw_block(branch, r))
      if (uw_kind(op) != UW_OP_SCF_YIELD)
        uw_move_before(op, branch);
  uw_builder b = uw_at(branch);
  for (size_t i = 0; i < uw_result_count(branch); i++)
    uw_replace_uses(uw_result(branch, i), choose(&b, uw_operand(branch, 0), uw_operand(uw_last(uw_block(branch, 0)), i),
                                                 uw_operand(uw_last(uw_block(branch, 1)), i)));
  uw_erase(branch);
  return true;
}

/* How many operations of the branch compute the value; more than UW_RESULT_MOST_OPS if they cannot be done before it.
 * */
static size_t cost_of(MlirValue value, MlirOperation branch) {
  if (!uw_defined_inside(value, branch))
    return 0;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_region_count(op) || !uw_recomputable(op) || !uw_speculatable(op))
    return UW_RESULT_MOST_OPS + 1;
  size_t count = 1;
  for (size_t i = 0; i < uw_operand_count(op) && count <= UW_RESULT_MOST_OPS; i++)
    count += cost_of(uw_operand(op, i), branch);
  return count;
}

static bool take_out_results(uw_arena *arena, MlirOperation branch) {
  bool changed = false;
  for (size_t i = 0; i < uw_result_count(branch); i++) {
    MlirValue result = uw_result(branch, i), values[2];
    size_t cost = 0;
    for (unsigned r = 0; r < 2; r++) {
      values[r] = uw_operand(uw_last(uw_block(branch, r)), i);
      cost += cost_of(values[r], branch);
    }
    if (!mlirTypeIsAInteger(mlirValueGetType(result)) || cost > UW_RESULT_MOST_OPS ||
        mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
      continue;
    uw_builder b = uw_at(branch);
    uw_map *copies = uw_map_create(arena);
    for (unsigned r = 0; r < 2; r++)
      values[r] = uw_compute_outside(&b, values[r], branch, copies);
    uw_replace_uses(result, choose(&b, uw_operand(branch, 0), values[0], values[1]));
    changed = true;
  }
  return changed;
}

uw_change uw_pass_if_convert(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops branches = uw_collect_kind(ctx->arena, root, UW_OP_SCF_IF);
  for (size_t i = branches.count; i-- > 0;) /* inner ones first */
    if (flatten(branches.at[i]) || take_out_results(ctx->arena, branches.at[i]))
      change = UW_CHANGED;
  return change;
}
