/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes values of branches that only compute. A condition written with && and || comes as a branch with a result; as a value it can
 * be taken apart (guard.c), and be computed again behind a barrier instead of being kept there (analysis/mincut.c).
 *
 *   %r = if (%c) { yield %x }                      %y = f(%z)
 *        else { %y = f(%z); yield %y }     ==>     %r = select %c, %x, %y
 *
 * Holds when a) the if has results; b) both branches hold nothing but pure operations that are cheap enough to be done again, at
 * most MOST of them.
 *
 * Legal because such operations may run anywhere, and a value that select does not choose has no effect, were it poison.
 *
 * Requires: nothing. Preserves: all effects. Refuses: all else, in silence. */
#include "../analysis/mincut.h"
#include "passes.h"

enum { MOST = 8 };

static size_t cost(MlirBlock block) {
  size_t count = 0;
  uw_foreach_op(op, block)
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      count += uw_recomputable(op) && uw_speculatable(op) ? 1 : MOST + 1;
  return count;
}

static bool flatten(MlirOperation branch) {
  if (uw_result_count(branch) == 0 || cost(uw_block(branch, 0)) + cost(uw_block(branch, 1)) > MOST)
    return false;
  for (unsigned r = 0; r < 2; r++)
    uw_foreach_op_safe(op, uw_block(branch, r))
      if (uw_kind(op) != UW_OP_SCF_YIELD)
        uw_move_before(op, branch);
  uw_builder b = uw_at(branch);
  for (size_t i = 0; i < uw_result_count(branch); i++)
    uw_replace_uses(uw_result(branch, i), uw_select(&b, uw_operand(branch, 0), uw_operand(uw_last(uw_block(branch, 0)), i),
                                                    uw_operand(uw_last(uw_block(branch, 1)), i)));
  uw_erase(branch);
  return true;
}

uw_change uw_pass_flatten(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops branches = uw_collect_kind(ctx->arena, root, UW_OP_SCF_IF);
  for (size_t i = branches.count; i-- > 0;) /* inner ones first */
    if (flatten(branches.at[i]))
      change = UW_CHANGED;
  return change;
}
