/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps in a register what a serial loop adds up in one location of memory, before barriers are lowered, so that all
 * passes that make rows of threads and lanes of them find a sum as a local variable would hold it. What it has to ask it
 * asks once for all threads, in front of the loop over blocks, of which there are two versions then (apart.h):
 *
 *                                                        if (%n is positive, and %out lies apart from %in) {
 *   parallel %block { parallel %t {                        parallel %block { parallel %t {
 *     for (%k = 0 to %n) { add to %out[%t] }       ==>       the sum in a register } }
 *   } }                                                  } else the loop over blocks as it was
 *
 * Done for what scalar_replace_threads.c says fits, and legal for the same reasons, where the question can be asked in front of the
 * loop over blocks, in loops over blocks that have no versions yet and are no team's.
 *
 * Requires: raised loops. Preserves: what each thread computes, and the order of its sums. Refuses: all else, silently.
 */
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/version.h"
#include "sums.h"

#define ASKED "unwarp.asked" /* on a loop over blocks that has versions */

enum { MOST_LOOPS = 8 };

/* With iterations for all threads, or for none. */
static bool asks_for_all(const uw_sums *a, MlirOperation grid) {
  return !uw_defined_inside(uw_operand(a->loop, 0), grid) && !uw_defined_inside(uw_operand(a->loop, 1), grid);
}

static bool lies_in_one(const uw_sums *found, size_t count, MlirOperation loop) {
  for (size_t i = 0; i < count; i++)
    if (uw_inside(loop, found[i].loop))
      return true;
  return false;
}

/* Outer loops before inner ones, which are left alone where the outer is replaced. */
static size_t find_all(uw_arena *arena, MlirOperation threads, uw_question *question, uw_sums *found) {
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  uw_effects *effects = loops.count ? uw_effects_of(arena, threads) : NULL;
  size_t count = 0;
  for (size_t i = 0; i < loops.count && count < MOST_LOOPS; i++) {
    found[count] =
        (uw_sums){.arena = arena, .effects = effects, .threads = threads, .loop = loops.at[i], .question = question};
    count += !lies_in_one(found, count, loops.at[i]) && uw_find_sums(&found[count]);
  }
  return count;
}

static void version_blocks(uw_arena *arena, uw_question *question, MlirOperation grid) {
  uw_set_attr(grid, ASKED, mlirUnitAttrGet(question->b.context));
  uw_make_versions(arena, &question->b, .asked = question->asked, .first = grid, .own = UW_HOLDS);
}

static bool replace_in(uw_arena *arena, MlirOperation threads) {
  MlirOperation grid = uw_parent(threads);
  if (!uw_is_over(grid, UW_OVER_BLOCKS) || !mlirAttributeIsNull(uw_get_attr(grid, ASKED)) ||
      !mlirAttributeIsNull(uw_get_attr(grid, UW_TEAM)))
    return false;
  uw_question question = uw_question_before(arena, grid);
  uw_sums found[MOST_LOOPS];
  uw_ops unused = {0};
  size_t count = find_all(arena, threads, &question, found);
  for (size_t i = 0; i < count; i++)
    if (found[i].check_count && asks_for_all(&found[i], grid)) {
      found[i].asks = true;
      uw_add_condition(&question, uw_loop_runs(&question.b, found[i].loop));
    }
  if (question.asked.ptr)
    version_blocks(arena, &question, grid);
  for (size_t i = 0; i < count; i++) {
    uw_remark(mlirOperationGetLocation(found[i].places[0].access.op), "scalar-replace",
              "kept in a register while the loop runs%s", uw_why_alone(&found[i]));
    uw_write_sums(&found[i], &unused);
  }
  for (size_t i = 0; i < unused.count; i++)
    uw_erase(unused.at[i]);
  return count > 0;
}

uw_change uw_pass_scalar_replace(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), replace_in);
}
