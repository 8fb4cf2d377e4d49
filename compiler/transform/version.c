/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Versions of code: see version.h. */
#include "version.h"

#include "../analysis/budget.h"
#include "../ir/stress.h"
#include "loop_ranges.h"

/* The operations that get versions. */
typedef struct sequence {
  uw_arena *arena;
  uw_ops ops;
  uw_table *own; /* 1: one of them */
  MlirBlock block;
  uw_vals results;
} sequence;

static sequence sequence_of(uw_arena *arena, const uw_version_spec *spec) {
  sequence s = {.arena = arena, .own = uw_table_create(arena), .block = mlirOperationGetBlock(spec->first)};
  MlirOperation last = uw_null(spec->last) ? spec->first : spec->last;
  for (MlirOperation op = spec->first;; op = uw_next(op)) {
    uw_ops_push(arena, &s.ops, op);
    uw_table_set(s.own, op.ptr, 1);
    for (size_t i = 0; i < uw_result_count(op); i++)
      uw_vals_push(arena, &s.results, uw_result(op, i));
    if (uw_same_op(op, last))
      return s;
  }
}

/* Is the operation one of them, or in one? */
static bool is_in(const sequence *s, MlirOperation op) {
  while (!uw_null(op) && !mlirBlockEqual(mlirOperationGetBlock(op), s->block))
    op = uw_parent(op);
  return !uw_null(op) && uw_table_get(s->own, op.ptr) != 0;
}

static bool is_used_after(const sequence *s, MlirValue result) {
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!is_in(s, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

static void replace_uses_after(const sequence *s, MlirValue result, MlirValue by) {
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    if (!is_in(s, mlirOpOperandGetOwner(use)))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use), by);
  }
}

static void build_choice(uw_versions *v, uw_builder *b, const sequence *s, MlirValue asked) {
  MlirType *types = uw_alloc(s->arena, (s->results.count + 1) * sizeof *types);
  size_t count = 0;
  v->results = s->results.count;
  v->used = uw_alloc(s->arena, s->results.count + 1);
  for (size_t i = 0; i < s->results.count; i++) {
    v->used[i] = is_used_after(s, s->results.at[i]);
    if (v->used[i])
      types[count++] = mlirValueGetType(s->results.at[i]);
  }
  v->choice = uw_build_if(b, asked, (uw_type_list){types, count});
  for (size_t i = 0, k = 0; i < s->results.count; i++)
    if (v->used[i])
      replace_uses_after(s, s->results.at[i], uw_result(v->choice, k++));
}

void uw_end_version(const uw_versions *versions, uw_version version, uw_value_list results) {
  uw_arena *arena = uw_arena_create();
  uw_vals used = {0};
  uw_assert(versions->choice, results.count == versions->results);
  for (size_t i = 0; i < results.count; i++)
    if (versions->used[i])
      uw_vals_push(arena, &used, results.at[i]);
  MlirBlock block = uw_block(versions->choice, version);
  if (uw_null(mlirBlockGetTerminator(block)))
    uw_yield(block, mlirOperationGetLocation(versions->choice), VALS_OF(used));
  uw_arena_destroy(arena);
}

static void copy_into(uw_versions *v, const sequence *s, uw_version version) {
  uw_builder in = uw_at_end(uw_block(v->choice, version), mlirOperationGetLocation(v->choice));
  uw_map *map = uw_map_create(s->arena);
  uw_vals results = {0};
  for (size_t i = 0; i < s->ops.count; i++) {
    MlirOperation copy = uw_clone(&in, s->ops.at[i], map);
    if (i == 0)
      v->first[version] = copy;
  }
  for (size_t i = 0; i < s->results.count; i++)
    uw_vals_push(s->arena, &results, uw_map_get(map, s->results.at[i]));
  uw_end_version(v, version, VALS_OF(results));
}

static void move_into(uw_versions *v, const sequence *s, uw_version version) {
  v->first[version] = s->ops.at[0];
  for (size_t i = 0; i < s->ops.count; i++)
    uw_move_to_end(s->ops.at[i], uw_block(v->choice, version));
  uw_end_version(v, version, VALS_OF(s->results));
}

static void move_other(uw_versions *v, MlirOperation other, uw_version version) {
  v->first[version] = other;
  uw_move_to_end(other, uw_block(v->choice, version));
  uw_yield(uw_block(v->choice, version), mlirOperationGetLocation(v->choice), (uw_value_list){0});
}

static void mark(const uw_versions *v, bool seldom) {
  uw_foreach_op (op, uw_block(v->choice, UW_FAILS))
    if (uw_kind(op) == UW_OP_SCF_FORALL) {
      uw_set_fallback(op);
      if (seldom)
        uw_set_attr(op, UW_RUNS_SELDOM, mlirUnitAttrGet(mlirOperationGetContext(op)));
    }
}

uw_versions uw_build_versions(uw_arena *arena, uw_builder *b, uw_version_spec spec) {
  uw_versions v = {.in = {*b, {.block = {NULL}}}};
  uw_version second = spec.own == UW_HOLDS ? UW_FAILS : UW_HOLDS;
  if (!spec.asked.ptr) {
    v.first[spec.written ? spec.own : UW_HOLDS] = spec.first;
    return v;
  }
  sequence s = sequence_of(arena, &spec);
  bool fails = uw_stresses("masks") && !spec.of_launch;
  build_choice(&v, b, &s, fails ? uw_const_int(b, 1, 0) : spec.asked);
  if (!uw_null(spec.other))
    move_other(&v, spec.other, second);
  else if (!spec.written)
    copy_into(&v, &s, second);
  else if (mlirOperationGetNumResults(v.choice) == 0)
    uw_yield(uw_block(v.choice, second), b->location, (uw_value_list){0});
  move_into(&v, &s, spec.own);
  if (spec.fallback || spec.seldom)
    mark(&v, spec.seldom);
  for (size_t i = 0; i < s.ops.count && !spec.written; i++)
    uw_note_copied(v.choice, uw_count_operations(s.ops.at[i]));
  for (intptr_t i = 0; i < 2; i++)
    v.in[i] = uw_at_end(uw_block(v.choice, (unsigned)i), b->location);
  *b = (uw_builder){b->context, b->location, mlirOperationGetBlock(v.choice), v.choice};
  return v;
}

uw_ops uw_counterparts(uw_arena *arena, MlirOperation original, MlirOperation copy, const uw_ops *wanted) {
  uw_ops old = uw_collect(arena, original), new = uw_collect(arena, copy), found = {0};
  for (size_t i = 0; i < old.count && found.count < wanted->count; i++)
    if (uw_same_op(old.at[i], wanted->at[found.count]))
      uw_ops_push(arena, &found, new.at[i]);
  return found;
}

MlirOperation uw_begin_question(uw_builder *b, MlirValue where, uw_builder *in) {
  MlirOperation question = uw_build_if(b, where, TYPES(uw_int_type(b->context, 1)));
  *in = uw_at_end(uw_block(question, 0), b->location);
  return question;
}

MlirValue uw_end_question(MlirOperation question, uw_builder *in, MlirValue answer) {
  uw_yield(in->block, in->location, VALS(answer));
  uw_builder none = uw_at_end(uw_block(question, 1), in->location);
  MlirValue no = uw_const_int(&none, 1, 0);
  uw_yield(none.block, none.location, VALS(no));
  return uw_result(question, 0);
}
