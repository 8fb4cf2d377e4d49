/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps in a register what a serial loop of a thread adds up in one location of memory (sums_find.c, sums_write.c).
 *
 *   for (%k = %a to %b) {                          if (%a < %b, and %p lies apart from in[%a] … in[%b - 1]) {
 *     %x = load %p                                   %x0 = load %p
 *     %y = load %in[%k]                   ==>        %s = for (%k = %a to %b) iter(%x = %x0) {
 *     store %x + %y, %p }                              %y = load %in[%k]; yield %x + %y }
 *                                                    store %s, %p
 *                                                  } else the loop as it was
 *
 * What is left is a loop without a store in it. Loads from addresses that stay the same, of what the loop does not
 * write, are then made before it. Fields of one struct have one check, against the fields of another.
 *
 * First before barriers are lowered, so that all passes that make rows of threads and lanes of them find a sum as a
 * local variable would hold it. What has to be asked is then asked once for all threads, in front of the loop over
 * blocks, of which there are two versions (apart.h), unless it has versions already or is a team's:
 *
 *                                                        if (%n is positive, and %out lies apart from %in) {
 *   parallel %block { parallel %t {                        parallel %block { parallel %t {
 *     for (%k = 0 to %n) { add to %out[%t] }       ==>       the sum in a register } }
 *   } }                                                  } else the loop over blocks as it was
 *
 * With {scope=lanes} each thread asks for itself, before vectorize-threads, whose lanes would gather and scatter the sum in
 * each iteration. Lanes take the version with registers where the check holds for all of them (UW_VERSIONS).
 *
 * Done for loads and stores of a floating-point value (LLVM takes integers, in vectors and with checks of its own;
 * measured, it does better alone, except where all stores are conditional, or stand beside others that are done) when
 * a) all are plain, stand in the loop's body or in ifs and fors in it, and surely touch the same bytes, at an address
 * that is the same in all iterations; b) the loop holds no exchange of threads, no call, no fence and no atomic; c) no
 * other access of the loop touches these bytes: because of what effects.h knows, or as a check before the loop shows
 * (UW_MOST_SUM_CHECKS of them), where its address is a sum over the counter, so that it lies between those of the first
 * and of the last iteration. In memory of the block or the thread, where loops are short, nothing is asked; d) the
 * thread surely touches the location: in every iteration, or before the loop, or in every iteration bytes on both sides
 * of it, as other fields of its struct. Otherwise there may be nothing to load.
 *
 * A thread that would have stored nothing must not store: another one may. Where all stores are conditional, and the
 * thread has not stored there before the loop, or may have told another one since, it is carried along whether one was
 * made.
 *
 * Legal because other threads see memory at barriers only: one that reads the location meanwhile would race. A loop
 * that runs no iteration touches nothing, so it is asked first whether there is one. Requires: for loops (while-to-for),
 * addresses that do not change outside of loops (simplify). Preserves: memory after the loop. Refuses: all else,
 * silently. Paper: SYCL-MLIR's detection of array reductions. */
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/version.h"
#include "sums.h"

#define ASKED "unwarp.asked" /* on a loop over blocks that has versions */

enum { MOST_LOOPS = 8 };

static MlirOperation write(uw_sums *sums, uw_ops *unused) {
  uw_remark(mlirOperationGetLocation(sums->places[0].access.op), "scalar-replace",
            "kept in a register while the loop runs%s", uw_why_alone(sums));
  return uw_write_sums(sums, unused);
}

static void erase_all(const uw_ops *ops) {
  for (size_t i = 0; i < ops->count; i++)
    uw_erase(ops->at[i]);
}

/* --- asked for all threads ---------------------------------------------------------------------------------------- */

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

static bool replace_asking_once(uw_arena *arena, MlirOperation threads) {
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
  for (size_t i = 0; i < count; i++)
    write(&found[i], &unused);
  erase_all(&unused);
  return count > 0;
}

/* --- asked by each thread ----------------------------------------------------------------------------------------- */

static bool replace_asking_each(uw_arena *arena, MlirOperation threads) {
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR), unused = {0};
  uw_effects *effects = loops.count ? uw_effects_of(arena, threads) : NULL;
  bool changed = false;
  for (size_t i = 0; i < loops.count; i++) { /* outer before inner, those of the new loop too */
    uw_sums sums = {.arena = arena, .effects = effects, .threads = threads, .loop = loops.at[i]};
    if (!uw_find_sums(&sums))
      continue;
    uw_ops inner = uw_collect_kind(arena, write(&sums, &unused), UW_OP_SCF_FOR);
    for (size_t k = 0; k < inner.count; k++)
      uw_ops_push(arena, &loops, inner.at[k]);
    changed = true;
  }
  erase_all(&unused);
  return changed;
}

uw_change uw_pass_scalar_replace(MlirOperation root, uw_pass_ctx *ctx) {
  bool each = uw_option_is(ctx, "scope", "lanes");
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS),
                        each ? replace_asking_each : replace_asking_once);
}
