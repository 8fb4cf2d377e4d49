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
 * What scalar_replace.c can ask once for all threads is done already: here each thread checks for itself.
 * It runs before packets (accumulate{before=vectorize-threads}), whose lanes would gather and scatter the sum in each iteration, and again
 * after it. Lanes take the version with registers where the check holds for all of them (UW_VERSIONS).
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
#include "sums.h"

static void erase_all(const uw_ops *ops) {
  for (size_t i = 0; i < ops->count; i++)
    uw_erase(ops->at[i]);
}

/* Pushes the fors of the new loop, that they may be looked at, too. */
static bool accumulate(uw_arena *arena, uw_effects *effects, MlirOperation threads, MlirOperation loop, uw_ops *loops,
                       uw_ops *unused) {
  uw_sums a = {.arena = arena, .effects = effects, .threads = threads, .loop = loop};
  if (!uw_find_sums(&a))
    return false;
  uw_remark(mlirOperationGetLocation(a.places[0].access.op), "scalar-replace-threads",
            "kept in a register while the loop runs%s", uw_why_alone(&a));
  uw_ops inner = uw_collect_kind(arena, uw_write_sums(&a, unused), UW_OP_SCF_FOR);
  for (size_t i = 0; i < inner.count; i++)
    uw_ops_push(arena, loops, inner.at[i]);
  return true;
}

uw_change uw_pass_scalar_replace_threads(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops threads = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  for (size_t i = 0; i < threads.count; i++) {
    uw_ops loops = uw_collect_kind(ctx->arena, threads.at[i], UW_OP_SCF_FOR), unused = {0};
    uw_effects *effects = loops.count ? uw_effects_of(ctx->arena, threads.at[i]) : NULL;
    for (size_t k = 0; k < loops.count; k++) /* outer before inner */
      if (accumulate(ctx->arena, effects, threads.at[i], loops.at[k], &loops, &unused))
        change = UW_CHANGED;
    erase_all(&unused);
  }
  return change;
}
