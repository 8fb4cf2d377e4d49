/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs one of the threads along a dimension of the block that nothing depends on: the others would do the same, at the
 * same addresses.
 *
 *   parallel (%z, %y, %x) to (1, 8, 32) {                 parallel (%z, %y, %x) to (1, 1, 32) {
 *     store f(%x), %out[%x] }                     ==>       store f(%x), %out[%x] }
 *
 * Programs launch blocks of 32 by 8 threads for kernels that use threadIdx.x alone.
 *
 * Done when a) the index along the dimension has no use, and there is known to be more than one; b) all that the
 * threads do is to compute, and to load and store by plain accesses: no exchange, no atomic operation, no call.
 *
 * Legal because threads between two barriers may not race: what they store to one address is the same, and nobody may
 * read it meanwhile but the thread itself. Requires: raised launches. Preserves: memory. Refuses: all else,
 * silently. */
#include "../../analysis/exchange.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../passes.h"

static bool only_computes(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    switch (uw_kind(ops.at[i])) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_FOR:
    case UW_OP_SCF_WHILE:
    case UW_OP_SCF_INDEX_SWITCH:
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_CONDITION:
    case UW_OP_SCF_IN_PARALLEL: continue;
    default: break;
    }
    if (!uw_plain_access(ops.at[i]) && (uw_region_count(ops.at[i]) || !uw_effect_free(ops.at[i])))
      return false;
  }
  return true;
}

static bool run_one(uw_arena *arena, MlirOperation loop) {
  size_t dims = uw_dims(loop);
  bool changed = false;
  if (!uw_is_over(loop, UW_OVER_THREADS))
    return false;
  for (size_t d = 0; d < dims; d++) {
    MlirValue upper = uw_upper_of(loop, d);
    int64_t known;
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)d))) ||
        !uw_const_value(upper, &known) || known <= 1)
      continue;
    if (!changed && (uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp") || !only_computes(arena, loop)))
      return false;
    changed = true;
    uw_builder b = uw_at(loop);
    uw_set_range(loop, d, (uw_range){.upper = uw_const_index(&b, 1)});
  }
  if (changed)
    uw_remark(mlirOperationGetLocation(loop), "drop-redundant-threads",
              "threads along a dimension that nothing depends on: one of them runs");
  return changed;
}

uw_change uw_pass_drop_redundant_threads(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL), run_one);
}
