/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes choices among many arms that all threads of a block make alike out of the loop over them: what type the
 * elements have, which of several functions is wanted.
 *
 *   parallel %t {                                   switch %type {
 *     %v = switch %type {                             case 0: parallel %t { store (load %a[%t]), %slot[%t] }
 *       case 0: load %a[%t]                  ==>      case 1: parallel %t { store (convert (load %b[%t])), %slot[%t] }
 *       case 1: convert (load %b[%t])                 … }
 *       … }                                         parallel %t { %v = load %slot[%t]; store (%v * %x) }
 *     store (%v * %x) }
 *
 * Barriers in the arms do that: lower-barriers' machinery swaps the loop and what holds one. LLVM takes a choice out
 * of a loop by a copy of all of the loop for each arm, which does not pay for many of them, and where two choices
 * follow each other copies would multiply.
 *
 * An arm's loop then knows how large its elements are: where its threads step by a value of the launch, as PyTorch's
 * do, it has a version for that value being the element's size. (raise/strides.c asks that of whole kernels, in which
 * elements are of one size.)
 *
 * Done when a) the thread loop holds no exchange any more; b) a choice at the top of its body, in which other choices
 * may stand, is the same for all threads, has many arms, and some access memory. Choices with a call in an arm go out
 * along with it.
 *
 * Legal because threads between two barriers do not wait for each other, and no barrier that is added changes what a
 * program does that does not race. Refuses: loops that do not count from 0 by 1, and large ones, silently. */
#include "choices.h"

#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/calls.h"
#include "../../analysis/linear.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"

typedef struct chooser {
  uw_arena *arena;
  uw_uniformity *facts;
} chooser;

static bool is_choice(const chooser *c, MlirOperation op) {
  return (uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH) &&
         uw_uniform(c->facts, uw_operand(op, 0));
}

/* Of a choice and those in its arms. */
static size_t count_arms(const chooser *c, MlirOperation op) {
  size_t count = 0;
  for (intptr_t i = 0; i < uw_region_count(op); i++) {
    size_t inside = 0;
    MlirBlock arm = uw_block(op, (unsigned)i);
    if (!mlirBlockIsNull(arm))
      uw_foreach_op (each, arm)
        inside += is_choice(c, each) ? count_arms(c, each) : 0;
    count += inside ? inside : 1;
  }
  return count;
}

static bool holds(uw_arena *arena, MlirOperation op, uw_kind_t kind) { return uw_collect_kind(arena, op, kind).count; }

static bool has_many_arms(const chooser *c, MlirOperation op) {
  return count_arms(c, op) >= UW_MANY_ARMS &&
         (holds(c->arena, op, UW_OP_LLVM_LOAD) || holds(c->arena, op, UW_OP_LLVM_STORE));
}

/* Is the value, which a choice right in this block gives, used just once? */
static bool is_handed_on(MlirValue value, MlirBlock block) {
  MlirOperation op = uw_def(value);
  return !uw_null(op) && mlirBlockEqual(mlirOperationGetBlock(op), block) &&
         (uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(value)));
}

/* The values of the arms of a choice, and of those in them, go to a slot each. */
static void keep_value(const uw_slot *slot, MlirOperation loop, MlirOperation op, size_t result) {
  for (intptr_t i = 0; i < uw_region_count(op); i++) {
    MlirOperation yield = uw_last(uw_block(op, (unsigned)i));
    MlirValue value = uw_operand(yield, result);
    uw_builder b = uw_at(yield);
    if (is_handed_on(value, b.block))
      keep_value(slot, loop, uw_def(value), (size_t)mlirOpResultGetResultNumber(value));
    else
      uw_slot_keep(&b, slot, loop, value);
    mlirOperationSetOperand(yield, (intptr_t)result, uw_poison(&b, slot->type));
  }
}

static void keep_values(const chooser *c, uw_threads *threads, MlirOperation loop, MlirOperation op) {
  for (size_t i = 0; i < uw_result_count(op); i++) {
    MlirValue value = uw_result(op, i);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)) || uw_uniform(c->facts, value))
      continue;
    uw_slot slot = uw_slot_create(threads, mlirValueGetType(value), false);
    keep_value(&slot, loop, op, i);
    uw_builder after = uw_after(op);
    uw_replace_uses(value, uw_slot_get(&after, &slot, loop));
  }
}

/* A barrier at the start of each arm in which no choice stands. */
static void put_barriers(const chooser *c, MlirOperation op) {
  for (intptr_t i = 0; i < uw_region_count(op); i++) {
    MlirBlock arm = uw_block(op, (unsigned)i);
    if (mlirBlockIsNull(arm) || uw_same_op(uw_first(arm), uw_last(arm)))
      continue;
    uw_ops inside = uw_block_ops(c->arena, arm);
    bool is_leaf = true;
    for (size_t k = 0; k < inside.count; k++)
      if (is_choice(c, inside.at[k])) {
        is_leaf = false;
        put_barriers(c, inside.at[k]);
      }
    uw_builder b = uw_at_start(arm, mlirOperationGetLocation(op));
    if (is_leaf)
      uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}));
  }
}

/* --- strides ------------------------------------------------------------------------------------------------------ */

/* A value from outside of the loop that makes threads neighbours where it is `wanted`, in one access. */
static bool find_stride(MlirOperation loop, MlirOperation access, MlirValue *stride, int64_t *wanted) {
  bool stores = uw_kind(access) == UW_OP_LLVM_STORE;
  if ((!stores && uw_kind(access) != UW_OP_LLVM_LOAD) || !uw_plain_access(access))
    return false;
  MlirBlock body = uw_block(loop, 0);
  MlirValue thread = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(stores ? uw_operand(access, 0) : uw_result(access, 0)));
  uw_linear offset = uw_address_of(uw_operand(access, stores)).offset;
  for (size_t k = 0; offset.known && k < offset.count; k++) {
    const uw_term *term = &offset.terms[k];
    bool is_first = uw_same(term->symbol, thread), is_scale = term->scale.ptr && uw_same(term->scale, thread);
    *stride = is_first ? term->scale : term->symbol;
    *wanted = bytes / term->factor;
    if ((is_first || is_scale) && stride->ptr && *wanted > 0 && bytes % term->factor == 0)
      return mlirTypeIsAInteger(mlirValueGetType(*stride)) && !uw_defined_inside(*stride, loop);
  }
  return false;
}

/* if (%stride == wanted) the loop with that in its place, else the loop as it was. */
static void version_stride(uw_arena *arena, MlirOperation loop, MlirValue stride, int64_t wanted) {
  uw_builder b = uw_at(loop);
  MlirValue constant = uw_const_int(&b, mlirIntegerTypeGetWidth(mlirValueGetType(stride)), wanted);
  uw_versions versions = uw_make_versions(arena, &b, .asked = uw_compare(&b, UW_EQ, stride, constant), .first = loop,
                                          .own = UW_FAILS, .fallback = true);
  uw_replace_uses_inside(stride, constant, versions.first[UW_HOLDS]);
}

/* Of a loop whose accesses have one stride. */
static void make_neighbours(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  MlirValue found = {NULL}, stride;
  int64_t wanted = 0, bytes;
  for (size_t i = 0; i < ops.count; i++) {
    if (!find_stride(loop, ops.at[i], &stride, &bytes))
      continue;
    if (found.ptr && (!uw_same(found, stride) || wanted != bytes))
      return;
    found = stride;
    wanted = bytes;
  }
  if (found.ptr)
    version_stride(arena, loop, found, wanted);
}

/* Lowers the barriers in the loop, and looks at the loops that this makes. */
static bool lower_arms(uw_arena *arena, MlirOperation loop) {
  MlirOperation around = uw_parent(loop);
  uw_table *others = uw_table_create(arena);
  uw_ops before = uw_collect_kind(arena, around, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < before.count; i++)
    uw_table_set(others, before.at[i].ptr, !uw_same_op(before.at[i], loop));
  if (!uw_lower_thread_loop(arena, loop))
    return false;
  uw_ops after = uw_collect_kind(arena, around, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < after.count; i++)
    if (!uw_table_get(others, after.at[i].ptr))
      make_neighbours(arena, after.at[i]);
  return true;
}

/* --- the pass ----------------------------------------------------------------------------------------------------- */

static bool is_candidate(uw_arena *arena, MlirOperation loop) {
  size_t dims = uw_dims(loop);
  int64_t value;
  for (size_t d = 0; d < dims; d++)
    if (!uw_const_value(uw_lower_of(loop, d), &value) || value != 0 || !uw_const_value(uw_step_of(loop, d), &value) ||
        value != 1)
      return false;
  return dims && uw_is_over(loop, UW_OVER_THREADS) && !uw_has_exchange(loop, "block") &&
         !uw_has_exchange(loop, "warp") && !holds(arena, loop, UW_OP_SCF_FORALL) && !uw_holds_checks(arena, loop) &&
         uw_collect(arena, loop).count <= UW_MOST_VERSIONED;
}

bool uw_split_choices(uw_arena *arena, MlirOperation loop, bool *failed) {
  if (!is_candidate(arena, loop))
    return false;
  chooser c = {arena, uw_uniformity_of(arena, loop, "block")};
  uw_ops chosen = {0}, body = uw_block_ops(arena, uw_block(loop, 0));
  bool pays = false;
  for (size_t i = 0; i < body.count; i++) {
    if (!is_choice(&c, body.at[i]))
      continue;
    bool many = has_many_arms(&c, body.at[i]);
    pays = pays || many;
    if (many || holds(arena, body.at[i], UW_OP_LLVM_CALL))
      uw_ops_push(arena, &chosen, body.at[i]);
  }
  if (!pays || !uw_may_copy(loop, UW_LARGE_GAIN, "unswitch"))
    return false;
  uw_threads *threads = uw_threads_of(arena, loop);
  for (size_t i = 0; i < chosen.count; i++) {
    uw_remark(mlirOperationGetLocation(chosen.at[i]), "unswitch",
              "choice that all threads make alike: each arm has a loop over threads of its own");
    put_barriers(&c, chosen.at[i]);
  }
  for (size_t i = 0; i < chosen.count; i++) /* when facts are no longer asked about what is new */
    keep_values(&c, threads, loop, chosen.at[i]);
  *failed = !lower_arms(arena, loop);
  return true;
}
