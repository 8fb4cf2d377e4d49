/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks once, before the threads run, what a branch in their loops would ask in each iteration, where all threads and
 * all iterations get the same answer and one side calls a function: what is left without the call can become vector
 * code. Fetches from textures are such branches, whose condition is loaded from the texture's record.
 *
 *   parallel %t {                                 %plain = if (0 < %n) { load %format == 260 } else { false }
 *     for (%k = 0; %k < %n; %k += 1)              if (%plain)
 *       if (load %format == 260) A       ==>        parallel %t { for (%k = 0; %k < %n; %k += 1) A; … }
 *       else call @fetch                          else
 *     … }                                           parallel %t { … as it was … }
 *
 * Done when a) the thread loop holds no exchange any more; b) around the branch are, in the thread loop, only fors, at
 * least one, whose bounds can be computed before it; c) the condition is computed, from what is defined outside, by
 * pure operations and plain loads; d) no thread may write what these read before the last of the fors ends; e) just one
 * side holds a call.
 *
 * Legal because threads may be imagined in lock step: all are through with the fors before one of them goes on. By d)
 * the loads then give, in all threads and rounds, what they give before. They are made only where some thread makes
 * them: where there is a thread, and each of the fors has an iteration (its bounds are the same for all). Several
 * branches of a loop are asked together.
 *
 * Choices among many arms, whatever they hold, are taken out in another way: see choices.c.
 *
 * Requires: barriers lowered, for loops made. Preserves: all effects and their order. Refuses: all else, silently. */
#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/effects.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "choices.h"

#include <string.h>

#define UW_UNSWITCHED "unwarp.unswitched" /* a loop that is the other one of two versions */
enum { MOST_BRANCHES = 16 };

/* A branch, and the side that holds no call. */
typedef struct question {
  MlirOperation branch;
  unsigned arm;
} question;

static bool holds_call(uw_arena *arena, MlirBlock block) {
  if (mlirBlockIsNull(block))
    return false;
  uw_foreach_op (op, block) {
    if (uw_kind(op) == UW_OP_LLVM_CALL)
      return true;
    if (uw_region_count(op) && uw_collect_kind(arena, op, UW_OP_LLVM_CALL).count)
      return true;
  }
  return false;
}

/* Only fors with bounds from outside stand between the branch and the thread loop; *outermost is the first of them. */
static bool stands_in_fors(uw_arena *arena, MlirOperation branch, MlirOperation loop, MlirOperation *outermost) {
  *outermost = (MlirOperation){NULL};
  for (MlirOperation op = uw_parent(branch); !uw_same_op(op, loop); op = uw_parent(op)) {
    if (uw_kind(op) != UW_OP_SCF_FOR || !uw_computable_outside(arena, uw_operand(op, 0), loop, NULL) ||
        !uw_computable_outside(arena, uw_operand(op, 1), loop, NULL))
      return false;
    *outermost = op;
  }
  return !uw_null(*outermost);
}

/* The loads that the value is computed from, inside of the loop; false if it is not computed by loads and pure
 * operations alone. */
static bool find_loads(uw_arena *arena, MlirValue value, MlirOperation loop, uw_ops *loads, int *steps) {
  if (!uw_defined_inside(value, loop))
    return true;
  MlirOperation op = uw_def(value);
  bool load = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
  if (uw_null(op) || (*steps)-- <= 0 || uw_region_count(op) || !(load || uw_speculatable(op)))
    return false;
  if (load)
    uw_ops_push(arena, loads, op);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!find_loads(arena, uw_operand(op, i), loop, loads, steps))
      return false;
  return true;
}

typedef struct text {
  char at[512];
  size_t length;
} text;

static void append(MlirStringRef part, void *data) {
  text *to = data;
  for (size_t i = 0; i < part.length && to->length + 1 < sizeof to->at; i++)
    to->at[to->length++] = part.data[i];
}

/* A call of which LLVM knows that it writes nothing. */
static bool only_reads(MlirOperation op) {
  MlirAttribute effects = uw_get_attr(op, "memory_effects");
  text shown = {{0}, 0};
  if (uw_kind(op) != UW_OP_LLVM_CALL || mlirAttributeIsNull(effects))
    return false;
  mlirAttributePrint(effects, append, &shown);
  return shown.length + 1 < sizeof shown.at && !strstr(shown.at, "write");
}

/* Nothing that any thread does up to the end of `last`, which stands at the top of the loop, may write what the loads
 * read. */
static bool read_constants(uw_effects *effects, MlirOperation loop, MlirOperation last, const uw_ops *loads) {
  uw_accesses before = {0}, reads = {0};
  uw_foreach_op (op, uw_block(loop, 0)) {
    uw_effects_inside(effects, op, &before);
    if (uw_same_op(op, last))
      break;
  }
  for (size_t i = 0; i < loads->count; i++)
    uw_effects_inside(effects, loads->at[i], &reads);
  for (size_t i = 0; i < reads.count; i++)
    for (size_t k = 0; k < before.count; k++)
      if (before.at[k].writes && !only_reads(before.at[k].op) && uw_may_overlap(effects, &before.at[k], &reads.at[i]))
        return false;
  return true;
}

static size_t find_questions(uw_arena *arena, MlirOperation loop, question *questions) {
  enum { STEPS = 32 };
  uw_effects *effects = NULL;
  uw_ops branches = uw_collect_kind(arena, loop, UW_OP_SCF_IF);
  size_t count = 0;
  for (size_t i = 0; i < branches.count && count < MOST_BRANCHES; i++) {
    MlirOperation branch = branches.at[i], outermost;
    bool calls[2] = {holds_call(arena, uw_block(branch, 0)), holds_call(arena, uw_block(branch, 1))};
    uw_ops loads = {0};
    int steps = STEPS;
    if (calls[0] == calls[1] || !stands_in_fors(arena, branch, loop, &outermost) ||
        !find_loads(arena, uw_operand(branch, 0), loop, &loads, &steps))
      continue;
    if (!effects)
      effects = uw_effects_of(arena, loop);
    if (read_constants(effects, loop, outermost, &loads))
      questions[count++] = (question){branch, calls[0]};
  }
  return count;
}

/* Copies of what the value is computed from. */
static MlirValue copy_out(uw_builder *b, MlirValue value, MlirOperation loop, uw_map *map) {
  MlirValue done = uw_map_get(map, value);
  if (done.ptr || !uw_defined_inside(value, loop))
    return done.ptr ? done : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    copy_out(b, uw_operand(op, i), loop, map);
  uw_clone(b, op, map);
  return uw_map_get(map, value);
}

/* Is there a thread, and has each for around the branch an iteration? */
static MlirValue some_iteration(uw_arena *arena, uw_builder *b, MlirOperation loop, MlirOperation branch) {
  size_t dims = uw_dims(loop);
  MlirValue all = {NULL};
  for (size_t d = 0; d < dims; d++)
    all = uw_and(b, all, uw_compare(b, UW_SLT, uw_lower_of(loop, d), uw_upper_of(loop, d)));
  for (MlirOperation op = uw_parent(branch); !uw_same_op(op, loop); op = uw_parent(op)) {
    bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp"));
    uw_map *map = uw_map_create(arena);
    MlirValue low = uw_compute_outside(b, uw_operand(op, 0), loop, map),
              high = uw_compute_outside(b, uw_operand(op, 1), loop, map);
    all = uw_and(b, all, uw_compare(b, is_unsigned ? UW_ULT : UW_SLT, low, high));
  }
  return all;
}

/* Does the branch take the side without a call, in all threads and iterations? False where nobody asks. */
static MlirValue ask(uw_arena *arena, uw_builder *b, MlirOperation loop, const question *q) {
  uw_builder in;
  MlirOperation asked = uw_begin_question(b, some_iteration(arena, b, loop, q->branch), &in);
  MlirValue answer = copy_out(&in, uw_operand(q->branch, 0), loop, uw_map_create(arena));
  if (q->arm == 1)
    answer = uw_binary(&in, "arith.xori", answer, uw_const_int(&in, 1, 1));
  return uw_end_question(asked, &in, answer);
}

static bool unswitch(uw_arena *arena, MlirOperation loop) {
  question questions[MOST_BRANCHES];
  size_t count = find_questions(arena, loop, questions);
  if (count == 0 || !uw_may_copy(loop, UW_LARGE_GAIN, "unswitch"))
    return false;
  uw_builder b = uw_at(loop);
  MlirValue all = {NULL};
  for (size_t i = 0; i < count; i++)
    all = uw_and(&b, all, ask(arena, &b, loop, &questions[i]));
  uw_versions versions = uw_make_versions(arena, &b, .asked = all, .first = loop);
  uw_set_attr(versions.first[UW_FAILS], UW_UNSWITCHED, mlirUnitAttrGet(b.context));
  for (size_t i = 0; i < count; i++) {
    uw_remark(mlirOperationGetLocation(questions[i].branch), "unswitch",
              "branch in a loop asked once for all threads and iterations");
    uw_take_arm(questions[i].branch, questions[i].arm);
  }
  return true;
}

static bool is_candidate(uw_arena *arena, MlirOperation loop) {
  bool threads = uw_is_over(loop, UW_OVER_THREADS) || uw_is_over(loop, UW_OVER_LANES);
  return threads && mlirAttributeIsNull(uw_get_attr(loop, UW_UNSWITCHED)) &&
         uw_collect_kind(arena, loop, UW_OP_LLVM_CALL).count && !uw_has_exchange(loop, "block") &&
         !uw_has_exchange(loop, "warp") && !uw_collect_kind(arena, loop, UW_OP_SCF_FORALL).count &&
         uw_collect(arena, loop).count <= UW_MOST_VERSIONED;
}

uw_change uw_pass_unswitch(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  bool failed = false;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count && !failed; i++)
    if ((is_candidate(ctx->arena, loops.at[i]) && unswitch(ctx->arena, loops.at[i])) ||
        uw_split_choices(ctx->arena, loops.at[i], &failed))
      change = UW_CHANGED;
  if (change == UW_CHANGED)
    uw_finish_slots(ctx->arena, root);
  return failed ? UW_FAILED : change;
}
