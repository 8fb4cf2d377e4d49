/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Goes through the rows of threads once for the parts that fission made of a loop: what the threads of a column do, one
 * a row, is done right after the row that it belongs to. A column of its own would touch a line of memory for each of
 * its rows, which the row has touched before, or the other way round.
 *
 *   parallel (%y, %x) { A }                        parallel (%y) {
 *   parallel (%y, %x) = (0, %k) to … { B }   ==>     parallel (%x) { A }
 *                                                    parallel (%x) = (%k) to … { B } }
 *
 * Holds when a) fission made the loops of one, and only pure operations stand between them; b) they have the same
 * bounds, other than along a row.
 *
 * Legal because no thread waits for another one within what was one loop, and each keeps its own order.
 *
 * Requires: guards-to-bounds. Preserves: each thread's order of effects. Refuses: all else, silently. */
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { DIMS = 3, MOST = 8 };

static bool same_bound(MlirValue left, MlirValue right) {
  int64_t a, b;
  return uw_same(left, right) || (uw_const_value(left, &a) && uw_const_value(right, &b) && a == b);
}

static bool same_rows(MlirOperation left, MlirOperation right) {
  for (size_t d = 0; d < DIMS - 1; d++)
    if (!same_bound(uw_lower_of(left, d), uw_lower_of(right, d)) ||
        !same_bound(uw_upper_of(left, d), uw_upper_of(right, d)))
      return false;
  return true;
}

static bool is_part(uw_arena *arena, MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_FORALL && !mlirAttributeIsNull(uw_get_attr(op, UW_PART_OF)) &&
         uw_is_over(op, UW_OVER_THREADS) && uw_dims(op) == DIMS &&
         uw_collect_kind(arena, op, UW_OP_SCF_FORALL).count == 0; /* vectorize_threads.c takes loops apart */
}

/* The loop, and those after it that it can be taken together with. */
static size_t find_parts(uw_arena *arena, MlirOperation first, MlirOperation *parts) {
  size_t count = 1;
  parts[0] = first;
  for (MlirOperation op = uw_next(first); !uw_null(op) && count < MOST; op = uw_next(op)) {
    if (is_part(arena, op) && mlirAttributeEqual(uw_get_attr(op, UW_PART_OF), uw_get_attr(first, UW_PART_OF)) &&
        same_rows(first, op))
      parts[count++] = op;
    else if (!uw_speculatable(op))
      break;
  }
  return count;
}

MlirOperation uw_nest_rows(const MlirOperation *parts, size_t count) {
  for (MlirOperation op = uw_next(parts[0]), next; count > 1 && !uw_same_op(op, parts[count - 1]); op = next) {
    next = uw_next(op);
    if (uw_kind(op) != UW_OP_SCF_FORALL)
      uw_move_before(op, parts[0]); /* bounds of the later parts */
  }
  uw_builder b = uw_at(parts[0]);
  MlirOperation rows = uw_build_parallel(&b, VALS(uw_upper_of(parts[0], 0), uw_upper_of(parts[0], 1)), UW_OVER_THREADS);
  for (intptr_t d = 0; d < DIMS - 1; d++)
    uw_set_loop_bound(rows, UW_LOWER, d, uw_lower_of(parts[0], d));
  for (size_t i = 0; i < count; i++) {
    uw_builder inside = uw_at_end(uw_block(rows, 0), mlirOperationGetLocation(parts[i]));
    MlirOperation row = uw_build_parallel(&inside, VALS(uw_upper_of(parts[i], DIMS - 1)), UW_OVER_THREADS);
    uw_set_loop_bound(row, UW_LOWER, 0, uw_lower_of(parts[i], DIMS - 1));
    MlirBlock body = uw_block(parts[i], 0), to = uw_block(row, 0);
    for (intptr_t d = 0; d < DIMS; d++)
      uw_replace_uses(mlirBlockGetArgument(body, d),
                      mlirBlockGetArgument(d < DIMS - 1 ? uw_block(rows, 0) : to, d % (DIMS - 1)));
    uw_foreach_op_safe (op, body)
      if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
        uw_move_to_end(op, to);
    mlirOperationDestroy(parts[i]);
  }
  return rows;
}

uw_change uw_pass_fuse_loops(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  uw_table *done = uw_table_create(ctx->arena);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation parts[MOST];
    if (uw_table_get(done, loops.at[i].ptr) || !is_part(ctx->arena, loops.at[i]))
      continue;
    size_t count = find_parts(ctx->arena, loops.at[i], parts);
    for (size_t k = 0; k < count; k++)
      uw_table_set(done, parts[k].ptr, 1);
    if (count < 2)
      continue;
    uw_remark(mlirOperationGetLocation(parts[0]), "fuse-loops",
              "what columns of threads do goes row by row, with the rest of the row");
    uw_nest_rows(parts, count);
    change = UW_CHANGED;
  }
  return change;
}
