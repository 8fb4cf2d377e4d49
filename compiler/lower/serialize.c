/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * After barrier lowering no thread of a block waits for another one, so a block's threads run one after the other in
 * the worker that has the block:
 *
 *   scf.forall (%z, %y, %x) {mapping = [#gpu.thread<z>, …]}   ==>   scf.for %z { scf.for %y { scf.for %x { … } } }
 *
 * The same for the levels "warp" and "lane". Only the grid loop stays parallel.
 *
 * That the iterations were parallel is kept for LLVM's vectoriser (lanes.c).
 */
#include "../analysis/budget.h"
#include "../analysis/uniformity.h"
#include "../ir/parallel.h"
#include "../ir/remarks.h"
#include "../raise/raise.h"
#include "lower.h"

/* Does it stand in the source? What a kernel begins with, its parameters, has no column. */
static bool has_place(MlirOperation op) {
  char file[UW_FILE_ROOM];
  int line, column;
  return uw_find_place(mlirOperationGetLocation(op), file, sizeof file, &line, &column) && column > 0;
}

static bool gives_vector(MlirOperation op) {
  return uw_result_count(op) == 1 && mlirTypeIsAVector(mlirValueGetType(uw_result(op, 0)));
}

/* Says what kind of loop this is, at the first operation in its body that the source knows. */
static void remark(MlirOperation loop, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, loop);
  bool straight = true, calls = false, vectors = false;
  MlirOperation first = {NULL};
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    straight = straight && kind != UW_OP_SCF_FOR && kind != UW_OP_SCF_WHILE;
    calls = calls || kind == UW_OP_LLVM_CALL;
    vectors = vectors || gives_vector(ops.at[i]);
    bool tells = kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE || kind == UW_OP_LLVM_CALL;
    if (uw_null(first) && tells && has_place(ops.at[i]))
      first = ops.at[i];
  }
  if (uw_null(first))
    return;
  const char *how = vectors     ? "several at a time, as SIMD lanes"
                    : !straight ? "each has a loop of its own"
                    : calls     ? "each makes a call"
                                : "one loop, for SIMD lanes where it pays";
  uw_remark(mlirOperationGetLocation(first), "lower", "threads of a block run one after the other in their worker: %s",
            how);
}

static void remark_blocks(MlirOperation grid, uw_arena *arena) {
  uw_ops calls = uw_collect_kind(arena, grid, UW_OP_LLVM_CALL);
  bool team = false;
  int64_t blocks = 0;
  for (size_t i = 0; i < calls.count; i++)
    team = team || uw_attr_is_str(calls.at[i], "callee", "uwrt_team_place");
  uw_const_value(uw_upper_of(grid, 0), &blocks);
  uw_remark(mlirOperationGetLocation(grid), "lower", "%s",
            team          ? "where blocks are fewer than workers: one after the other, each by several workers"
            : blocks == 1 ? "one block: it runs on the thread that launches it"
                          : "blocks run in parallel: each worker takes a share of them");
}

/* Threads that were asked about before need not say where they are: they do nothing that faults
 * (instrument/check_rows.c). */
static bool is_answered(MlirOperation loop) {
  for (MlirOperation op = loop, around = uw_parent(op); !uw_null(around); op = around, around = uw_parent(op))
    if (!mlirAttributeIsNull(uw_get_attr(around, UW_ANSWERED)) &&
        mlirBlockEqual(mlirOperationGetBlock(op), uw_block(around, 0)))
      return true;
  return false;
}

/* What a thread takes of the stack by alloca, as much as it has computed, is given back where the thread ends. */
static void give_stack_back(MlirOperation loop, uw_arena *arena) {
  uw_ops rooms = uw_collect_kind(arena, loop, UW_OP_LLVM_ALLOCA);
  bool takes = false;
  for (size_t i = 0; i < rooms.count; i++) {
    int64_t count;
    takes = takes || (!uw_const_value(uw_operand(rooms.at[i], 0), &count) &&
                      uw_same_op(uw_parent_of_kind(rooms.at[i], UW_OP_SCF_FORALL), loop));
  }
  if (!takes)
    return;
  MlirBlock body = uw_block(loop, 0);
  uw_builder b = uw_at_start(body, mlirOperationGetLocation(loop));
  MlirValue before = uw_build1(&b, "llvm.intr.stacksave", .out = TYPES(uw_ptr_type(b.context)));
  b = uw_at(uw_last(body));
  uw_build(&b, "llvm.intr.stackrestore", .in = VALS(before));
}

static void serialize(MlirOperation loop, uw_arena *arena, bool note_threads) {
  MlirOperation function = uw_parent_of_kind(loop, UW_OP_FUNC);
  bool replay = !uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, UW_REPLAY));
  if (!replay && uw_remarks_form() != UW_REMARKS_NONE) {
    remark(loop, arena);
    uw_remark_memory(loop, arena);
  }
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  MlirAttribute annotation = uw_annotate_lanes(loop, arena), counting = uw_annotate_counting(loop, arena);
  bool seldom = !mlirAttributeIsNull(uw_get_attr(loop, UW_RUNS_SELDOM));
  bool unrolled = !mlirAttributeIsNull(uw_get_attr(loop, UW_WRITTEN_OUT));
  MlirContext context = mlirOperationGetContext(loop);
  MlirAttribute scalar = uw_attr(context, "#llvm.loop_annotation<vectorize = <disable = true>>");
  MlirAttribute once =
      uw_attr(context, "#llvm.loop_annotation<unroll = <disable = true>, vectorize = <disable = true>>");
  MlirAttribute in_full = uw_attr(context, "#llvm.loop_annotation<unroll = <full = true>>");
  uw_note_threads(loop, (note_threads && !is_answered(loop)) || replay);
  uw_builder b = uw_at(loop);
  for (size_t d = 0; d < dims; d++) {
    MlirOperation serial =
        uw_build_for(&b, uw_lower_of(loop, d), uw_upper_of(loop, d), uw_step_of(loop, d), (uw_value_list){0});
    bool innermost = d + 1 == dims;
    if (d == 0 && seldom)
      uw_set_attr(serial, UW_RUNS_SELDOM, mlirUnitAttrGet(b.context));
    uw_set_attr(
        serial, "loop_annotation",
        !innermost && unrolled                        ? in_full
        : innermost && !mlirAttributeIsNull(counting) ? counting
        /* LLVM would write a loop around out two times and once more for an odd number, each with all that is in it. */
        : !innermost && mlirAttributeEqual(annotation, scalar) ? once
                                                               : annotation);
    MlirBlock inner = uw_block(serial, 0);
    uw_yield(inner, b.location, (uw_value_list){0});
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)d), mlirBlockGetArgument(inner, 0));
    b = uw_at_end(inner, b.location);
  }
  uw_foreach_op_safe (op, body)
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_move_to_end(op, b.block);
  uw_erase(loop);
}

void uw_lower_thread_loops(MlirModule module, uw_arena *arena, bool note_threads) {
  uw_ops loops = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++)
    give_stack_back(loops.at[i], arena);
  for (size_t i = loops.count; i-- > 0;)
    if (uw_is_over(loops.at[i], UW_OVER_BLOCKS)) {
      if (uw_remarks_form() != UW_REMARKS_NONE)
        remark_blocks(loops.at[i], arena);
    } else if (uw_is_concurrent(loops.at[i])) {
      uw_make_concurrent(module, loops.at[i]);
    } else {
      serialize(loops.at[i], arena, note_threads);
    }
}
