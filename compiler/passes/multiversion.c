/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels for several levels of x86-64 go through the passes as one module, until a pass asks what registers the CPU
 * has (analysis/cpu.h): before it the compile becomes one process for each level.
 *
 *   all levels ─▶ [passes] ─▶ multiversion ─┬▶ x86-64-v4: vectorize-threads, …
 *                                           ├▶ x86-64-v3: vectorize-threads, …
 *                                           └▶ x86-64:    vectorize-threads, …
 *
 * The row multiversion{scope=lanes} is for modules with loops in loops over lanes, of which coalesce-strided{scope=lanes}
 * asks; the row multiversion is before vectorize-threads, for all others. Who asks before that has a bug: uw_target_of says so. */
#include "../ir/parallel.h"
#include "passes.h"

bool uw_part_levels(uw_code *code) {
  void (*part)(uw_code *) = code->part;
  code->part = NULL;
  if (part)
    part(code);
  return true;
}

bool uw_part_levels_of_lanes(uw_code *code) {
  uw_arena *arena = uw_arena_create();
  uw_ops threads = uw_collect_kind(arena, mlirModuleGetOperation(code->module), UW_OP_SCF_FORALL);
  bool asks = false;
  for (size_t i = 0; i < threads.count && code->part && !asks; i++) {
    uw_ops ops = {0};
    if (uw_is_over(threads.at[i], UW_OVER_LANES))
      ops = uw_collect(arena, threads.at[i]);
    for (size_t k = 0; k < ops.count; k++)
      asks = asks || uw_is_loop(ops.at[k]);
  }
  uw_arena_destroy(arena);
  return !asks || uw_part_levels(code);
}
