/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes all threads of a block through each round of a compute loop together, so that what was the innermost loop is the
 * threads' own, and threads become SIMD lanes:
 *
 *   thread loop {                                  for (k) {
 *     for (k) sum += f(x[thread], tile[k])   ==>     thread loop { sum[thread] += f(x[thread], tile[k]) }
 *   }                                              }
 *
 * A barrier at the end of the loop's body is all that this pass adds; lower-barriers does the swap. A barrier may stand
 * wherever all threads come by, and one more never changes what a program that does not race computes.
 *
 * Done when a) the loop is a for whose bounds are the same for all threads, as those of all loops and the conditions of all
 * ifs around it are; b) its body is straight-line code that only loads and computes; c) it computes enough to pay for
 * keeping its carried values in memory from round to round: MIN_FLOPS operations on floating point, at most MAX_CARRIED
 * carried values; d) the block is not known to be narrower than MIN_THREADS threads.
 *
 * Requires: for loops made (raise-for). Refuses: everything else, in silence. */
#include "../analysis/uniformity.h"
#include "../ir/remarks.h"
#include "passes.h"

enum { MIN_FLOPS = 8, MAX_CARRIED = 6, MIN_THREADS = 8 };

static bool is_floating(MlirOperation op) {
  return uw_result_count(op) == 1 && mlirTypeIsAFloat(mlirValueGetType(uw_result(op, 0))) &&
         (uw_name_starts(op, "arith.") || uw_name_starts(op, "math.")) && uw_kind(op) != UW_OP_ARITH_CONSTANT &&
         uw_kind(op) != UW_OP_ARITH_SELECT;
}

static bool is_plain_load(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_LOAD && mlirAttributeIsNull(uw_get_attr(op, "volatile_")) &&
         uw_get_int_attr(op, "ordering", 0) == 0 &&
         uw_kind(uw_address_root(uw_operand(op, 0))) != UW_OP_LLVM_ALLOCA;
}

static bool computes_enough(MlirOperation loop) {
  size_t flops = 0;
  uw_foreach_op(op, uw_block(loop, 0)) {
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    if (mlirOperationGetNumRegions(op) != 0 || (!uw_speculatable(op) && !is_plain_load(op)))
      return false;
    flops += is_floating(op);
  }
  return flops >= MIN_FLOPS && uw_result_count(loop) > 0 && uw_result_count(loop) <= MAX_CARRIED;
}

static bool uniform_bounds(const uw_uniformity *facts, MlirOperation loop) {
  for (size_t i = 0; i < 3; i++)
    if (!uw_uniform(facts, uw_operand(loop, i)))
      return false;
  return true;
}

/* All threads come by this loop, the same number of times. */
static bool reached_by_all(const uw_uniformity *facts, MlirOperation loop, MlirOperation threads) {
  for (MlirOperation op = uw_parent(loop); !uw_same_op(op, threads); op = uw_parent(op)) {
    bool uniform = uw_kind(op) == UW_OP_SCF_FOR  ? uniform_bounds(facts, op)
                   : uw_kind(op) == UW_OP_SCF_IF ? uw_uniform(facts, uw_operand(op, 0))
                                                 : false;
    if (!uniform)
      return false;
  }
  return true;
}

static bool too_narrow(MlirOperation threads) {
  size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(threads, 0));
  int64_t width;
  return uw_const_value(uw_operand(threads, 2 * dims - 1), &width) && width < MIN_THREADS;
}

static bool spread(MlirOperation threads, uw_pass_ctx *ctx) {
  uw_ops loops = uw_collect_kind(ctx->arena, threads, UW_OP_SCF_FOR), chosen = {0};
  if (loops.count == 0 || too_narrow(threads))
    return false;
  const uw_uniformity *facts = uw_uniformity_of(ctx->arena, threads, "block");
  for (size_t i = 0; i < loops.count; i++)
    if (computes_enough(loops.at[i]) && uniform_bounds(facts, loops.at[i]) &&
        reached_by_all(facts, loops.at[i], threads))
      uw_ops_push(ctx->arena, &chosen, loops.at[i]);
  for (size_t i = 0; i < chosen.count; i++) {
    uw_remark(mlirOperationGetLocation(chosen.at[i]), "spread",
              "compute loop: all threads of the block go through its rounds together");
    uw_builder b = uw_at(uw_last(uw_block(chosen.at[i], 0)));
    uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}));
  }
  return chosen.count > 0;
}

uw_change uw_pass_spread(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_attr_is_str(loops.at[i], "unwarp.level", "block") && spread(loops.at[i], ctx))
      change = UW_CHANGED;
  return change;
}
