/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Splits a thread loop at each barrier at the top level of its body. Values that are used after the barrier are
 * kept in slots, a smallest set of them; the others are computed again (analysis/mincut.h).
 *
 *   parallel %i in n {                          %slot = unwarp.slot n * 4
 *     %x = load data[%i]                        parallel %i in n { %x = load data[%i]; store %x, %slot[%i] }
 *     %a = mul %x, %x                 ==>       parallel %i in n {
 *     barrier                                     %x = load %slot[%i]
 *     use(%x, %a)                                 %a = mul %x, %x
 *   }                                             use(%x, %a) }
 *
 * A value that is the same for all threads has one element, loaded between the loops.
 * Requires: loops from 0 by 1. Private memory that lives across the barrier is in slots already (private_memory.c).
 * Preserves: the order of memory operations of each thread; barriers elsewhere.
 * Refuses: nothing; barriers below the top level stay (interchange.c).
 * Paper: parallel loop splitting, Figure 6. */
#include <string.h>

#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

/* Must op run where it stands, even if nothing uses its results? */
static bool must_run(MlirOperation op) {
  if (uw_effect_free(op))
    return false;
  bool plain_load = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
  return !plain_load;
}

static bool used_inside(MlirValue value, MlirOperation loop) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_inside(mlirOpOperandGetOwner(use), loop))
      return true;
  return false;
}

/* What is kept, its bytes, and the lines that it comes from: of the first few. */
static void remark_kept(uw_arena *arena, MlirOperation at, const uw_vals *kept, const uw_uniformity *facts) {
  enum { MOST_LINES = 4 /* bound of what a remark names */ };
  if (uw_remarks_form() == UW_REMARKS_NONE)
    return;
  MlirLocation here = mlirOperationGetLocation(at);
  if (!kept->count) {
    uw_remark(here, "lower-barriers", "the loop over threads is split here; nothing is kept across");
    return;
  }
  uint64_t own = 0, common = 0;
  const char *from = "", *last = "";
  size_t lines = 0;
  for (size_t i = 0; i < kept->count; i++) {
    *(uw_uniform(facts, kept->at[i]) ? &common : &own) += uw_type_bytes(mlirValueGetType(kept->at[i]));
    const char *line = uw_remark_line(arena, here, mlirOperationGetLocation(uw_def(kept->at[i])));
    if (strcmp(line, last) != 0 && lines < MOST_LINES)
      from = uw_arena_format(arena, "%s%s%s", from, *from ? ", " : " from ", line);
    else if (strcmp(line, last) != 0 && lines == MOST_LINES)
      from = uw_arena_format(arena, "%s, …", from);
    lines += strcmp(line, last) != 0;
    last = line;
  }
  uw_remark(here, "lower-barriers",
            "the loop over threads is split here; kept across: %zu %s%s, %llu bytes a thread, %llu bytes a block",
            kept->count, kept->count == 1 ? "value" : "values", from, (unsigned long long)own,
            (unsigned long long)common);
}

MlirOperation uw_split_off(uw_threads *threads, MlirOperation loop, MlirOperation at) {
  uw_arena *arena = uw_arena_create(); /* kernels have hundreds of barriers */
  MlirBlock body = uw_block(loop, 0);
  uw_ops before = {0};
  uw_foreach_op (op, body) {
    if (uw_same_op(op, at))
      break;
    uw_ops_push(arena, &before, op);
  }
  bool needed_now = false;
  for (size_t i = 0; i < before.count; i++)
    needed_now = needed_now || must_run(before.at[i]);

  /* Facts first: moving does not change them. */
  uw_uniformity *facts = uw_thread_facts(threads, arena, loop);
  uw_builder b = uw_at(loop);
  MlirOperation first = uw_parallel_like(&b, loop);
  MlirBlock first_body = uw_block(first, 0);
  uw_map *map = uw_map_create(arena); /* from values in first to values in loop */
  for (size_t i = 0; i < before.count; i++)
    uw_move_to_end(before.at[i], first_body);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    MlirValue id = mlirBlockGetArgument(body, i), first_id = mlirBlockGetArgument(first_body, i);
    uw_replace_uses_inside(id, first_id, first);
    uw_map_set(map, first_id, id);
  }

  uw_vals needed = {0};
  for (size_t i = 0; i < before.count; i++)
    for (size_t k = 0; k < uw_result_count(before.at[i]); k++)
      if (used_inside(uw_result(before.at[i], k), loop))
        uw_vals_push(arena, &needed, uw_result(before.at[i], k));
  uw_vals kept = uw_min_cut(arena, first, &needed, facts, threads->smallest);

  if (uw_kind(at) == UW_OP_BARRIER || kept.count)
    remark_kept(arena, at, &kept, facts);
  uw_builder top = uw_at_start(body, mlirOperationGetLocation(at));
  for (size_t i = 0; i < kept.count; i++) {
    MlirValue value = kept.at[i];
    uw_assert(uw_def(value), uw_kind(uw_def(value)) != UW_OP_LLVM_ALLOCA);
    uw_slot slot = uw_slot_create(threads, mlirValueGetType(value), uw_uniform(facts, value));
    uw_builder end = uw_at_end(first_body, mlirOperationGetLocation(uw_def(value)));
    uw_slot_keep(&end, &slot, first, value);
    uw_map_set(map, value, uw_slot_get(&top, &slot, loop));
  }
  for (size_t i = 0; i < needed.count; i++)
    uw_replace_uses_inside(needed.at[i], uw_compute_outside(&top, needed.at[i], first, map), loop);
  uw_tidy_top(threads, loop);
  if (!needed_now && !kept.count) {
    mlirOperationDestroy(first);
    first = (MlirOperation){NULL};
  }
  uw_arena_destroy(arena);
  return first;
}

void uw_split_before(uw_threads *threads, MlirOperation loop, MlirOperation at) {
  MlirOperation first = uw_split_off(threads, loop, at);
  if (!uw_null(first))
    uw_finish_loop(threads, first);
}

void uw_split_at_barrier(uw_threads *threads, MlirOperation loop, MlirOperation barrier) {
  uw_split_before(threads, loop, barrier);
  if (!mlirAttributeIsNull(uw_get_attr(barrier, UW_TEAM))) {
    uw_builder b = uw_at(loop);
    b.location = mlirOperationGetLocation(barrier);
    uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, UW_TEAM)}));
  }
  uw_erase(barrier);
}

uw_change uw_pass_split(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_thread_loops(ctx->arena, root, "block"), lanes = uw_thread_loops(ctx->arena, root, "warp");
  for (size_t i = 0; i < lanes.count; i++)
    uw_ops_push(ctx->arena, &loops, lanes.at[i]);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    uw_threads *threads = NULL;
    uw_ops ops = uw_block_ops(ctx->arena, uw_block(loop, 0));
    for (size_t k = 0; k < ops.count; k++) {
      if (uw_kind(ops.at[k]) != UW_OP_BARRIER || !uw_is_exchange(ops.at[k], uw_exchange_level(loop)))
        continue;
      threads = threads ? threads : uw_threads_of(ctx->arena, loop);
      if (!uw_keep_private_memory(threads, loop))
        return UW_FAILED;
      uw_split_at_barrier(threads, loop, ops.at[k]);
      change = UW_CHANGED;
    }
    if (threads)
      uw_finish_loop(threads, loop);
  }
  return change;
}
