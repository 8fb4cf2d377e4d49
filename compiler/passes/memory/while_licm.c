/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a load once, before the loop, that a loop's condition makes anew in each iteration, and a division, which may
 * trap and so stays in other loops. Rows of graphs and sparse matrices and shares of threads are written so, and only a
 * bound that is known before the loop lets stride and while-to-for count its iterations.
 *
 *   while (%k < load %ends[%row]) { A }      ==>      %end = load %ends[%row]
 *                                                     while (%k < %end) { A }
 *
 * Done when a) it stands at the top level of the condition's region, what it is made of comes from before the loop, and
 * a load is neither volatile nor atomic; b) nothing in the loop may write there (analysis/effects.h), nor calls what is
 * unknown; c) the loop holds no exchange of threads; d) the loop carries a value or writes: a loop that only looks is
 * one that waits for another thread.
 *
 * Legal because the condition's region runs once at least, and what another thread writes there without an exchange in
 * between would race. Requires: normalize-while, for what is tested at the top. Preserves: the order of effects. Refuses:
 * the rest, silently. */
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "licm.h"

static bool hoist(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  uw_accesses inside = {0};
  uw_effects_inside(effects, loop, &inside);
  bool changed = false, only_looks = uw_operand_count(loop) == 0;
  for (size_t i = 0; i < inside.count; i++) {
    only_looks = only_looks && !inside.at[i].writes;
    if (inside.at[i].anywhere)
      return false;
  }
  if (only_looks || uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp"))
    return false;
  uw_foreach_op_safe (op, uw_block(loop, 0)) {
    if (uw_region_count(op) != 0 || !uw_is_from_outside(arena, op, loop, NULL) || uw_result_count(op) == 0)
      continue;
    uw_accesses own = {0};
    uw_effects_inside(effects, op, &own);
    bool is_load = uw_kind(op) == UW_OP_LLVM_LOAD && own.count == 1 && !uw_is_overwritten(effects, &inside, &own.at[0]);
    if (!is_load && !uw_effect_free(op))
      continue;
    if (is_load)
      uw_remark(mlirOperationGetLocation(op), "licm", "load of the loop's condition moved before the loop: %s",
                uw_why_unwritten(effects, &inside, &own, "in it"));
    uw_move_before(op, loop);
    changed = true;
  }
  return changed;
}

static bool hoist_all(uw_arena *arena, MlirOperation threads) {
  uw_ops whiles = uw_collect_kind(arena, threads, UW_OP_SCF_WHILE);
  uw_effects *effects = whiles.count ? uw_effects_of(arena, threads) : NULL;
  bool changed = false;
  for (size_t i = whiles.count; i-- > 0;) /* inner before outer */
    changed = hoist(arena, effects, whiles.at[i]) || changed;
  return changed;
}

uw_change uw_move_out_of_whiles(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_THREADS), hoist_all);
}
