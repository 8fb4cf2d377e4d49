/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes every construct that holds an exchange uniform: all threads of the loop go through it, and what only some
 * may do stands under their condition.
 *
 *   if %c {                              %r = if %c { A; yield %a } else { yield poison }
 *     A; barrier; B(%a)        ==>       barrier
 *   }                                    if %c { B(%r) }
 *
 *   while (cond(i)) {                    while (some thread is active) {
 *     A; barrier; B            ==>         if active { A }; barrier; if active { B }
 *   }                                    }         active: a flag of each thread, carried by the loop
 *
 * An exchange of values gets the condition as its `active` operand. A `for` with divergent bounds becomes a while,
 * an index_switch nested ifs. An if with barriers in both arms passes them in lock step, as a GPU does.
 *
 * Why it is right: a) pure operations may run in threads that do not take part; b) everything else runs under the
 * condition; c) a value from under the condition is poison in the other threads, and there it is only moved, stored
 * to the thread's own slot or thrown away by a select: never branched on, never an address; d) what counts as
 * uniform here (analysis/uniformity.h) has the same value in threads that do not take part, so it stays uniform.
 *
 * Requires: private memory that lives across an exchange is in slots (private_memory.c).
 * Preserves: program order in each thread. Refuses: an exchange in anything but if, for, while, index_switch. */
#include "../../ir/remarks.h"
#include "reshape.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

typedef struct masker {
  uw_arena *arena;
  MlirContext context;
  MlirOperation loop;
  const char *level;
  uw_uniformity *facts;
  uw_ops doomed; /* erased when the facts are no longer asked: their values' addresses must not be taken by new ones */
} masker;

static MlirValue choose(uw_builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  if (uw_same(yes, no))
    return yes;
  return uw_select(b, condition, yes, no);
}

/* mask and condition, where condition may be poison outside of mask. */
static MlirValue both(uw_builder *b, MlirValue mask, MlirValue condition) {
  int64_t known;
  if (uw_const_value(condition, &known) && known != 0)
    return mask;
  return choose(b, mask, condition, uw_const_int(b, 1, 0));
}

static bool is_pure(MlirOperation op) { return uw_region_count(op) == 0 && uw_speculatable(op); }

/* --- one segment: what stands between two exchanges of a block ---------------------------------------------------- */

static bool used_outside(MlirValue value, MlirBlock block, const uw_table *segment) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!uw_table_get(segment, uw_ancestor_in(block, mlirOpOperandGetOwner(use)).ptr))
      return true;
  return false;
}

enum { IN_SEGMENT = 1, PULLABLE, PULLED };

/* Marks op and what it is computed from in the segment as staying outside of the condition. */
static void pull(uw_table *segment, MlirOperation op) {
  if (uw_table_get(segment, op.ptr) != PULLABLE)
    return;
  uw_table_set(segment, op.ptr, PULLED);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirOperation def = uw_def(uw_operand(op, i));
    if (!uw_null(def))
      pull(segment, def);
  }
}

/* Puts the segment under `if mask`, except for pure operations that are used after it. `end` follows the segment. */
static void mask_segment(masker *m, const uw_ops *ops, MlirOperation end, MlirValue mask) {
  if (ops->count == 0)
    return;
  MlirBlock block = mlirOperationGetBlock(end);
  uw_table *segment = uw_table_create(m->arena);
  bool all_pure = true;
  for (size_t i = 0; i < ops->count; i++) {
    MlirOperation op = ops->at[i];
    bool pullable = is_pure(op);
    for (size_t k = 0; k < uw_operand_count(op) && pullable; k++) {
      MlirOperation def = uw_def(uw_operand(op, k));
      pullable = uw_null(def) || uw_table_get(segment, def.ptr) != IN_SEGMENT;
    }
    all_pure = all_pure && pullable;
    uw_table_set(segment, op.ptr, pullable ? PULLABLE : IN_SEGMENT);
  }
  if (all_pure)
    return;
  for (size_t i = 0; i < ops->count; i++)
    for (size_t k = 0; k < uw_result_count(ops->at[i]); k++)
      if (uw_table_get(segment, ops->at[i].ptr) == PULLABLE && used_outside(uw_result(ops->at[i], k), block, segment))
        pull(segment, ops->at[i]);

  uw_vals live = {0};
  MlirOperation first = {NULL};
  for (size_t i = 0; i < ops->count; i++) {
    if (uw_table_get(segment, ops->at[i].ptr) == PULLED)
      continue;
    first = uw_null(first) ? ops->at[i] : first;
    for (size_t k = 0; k < uw_result_count(ops->at[i]); k++)
      if (used_outside(uw_result(ops->at[i], k), block, segment))
        uw_vals_push(m->arena, &live, uw_result(ops->at[i], k));
  }
  MlirType *types = uw_alloc(m->arena, (live.count + 1) * sizeof *types);
  for (size_t i = 0; i < live.count; i++)
    types[i] = mlirValueGetType(live.at[i]);
  uw_builder b = uw_at(end);
  b.location = mlirOperationGetLocation(first);
  MlirOperation masked = uw_build_if(&b, mask, (uw_type_list){types, live.count});
  MlirBlock then_block = uw_block(masked, 0), else_block = uw_block(masked, 1);
  for (size_t i = 0; i < ops->count; i++)
    if (uw_table_get(segment, ops->at[i].ptr) != PULLED)
      uw_move_to_end(ops->at[i], then_block);
  uw_vals nothing = {0};
  uw_builder otherwise = uw_at_start(else_block, b.location);
  for (size_t i = 0; i < live.count; i++)
    uw_vals_push(m->arena, &nothing, uw_poison(&otherwise, types[i]));
  for (size_t i = 0; i < live.count; i++) {
    for (MlirOpOperand use = mlirValueGetFirstUse(live.at[i]); !mlirOpOperandIsNull(use);) {
      MlirOpOperand next = mlirOpOperandGetNextUse(use);
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!uw_inside(user, masked))
        mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), uw_result(masked, i));
      use = next;
    }
  }
  uw_yield(then_block, b.location, VALS_OF(live));
  uw_yield(else_block, b.location, VALS_OF(nothing));
}

/* --- one block ---------------------------------------------------------------------------------------------------- */

static void mask_block(masker *m, MlirBlock block, MlirValue mask);
static void activate(masker *m, MlirOperation loop, MlirValue mask);

/* The for as a while; the old operation, empty, waits to be erased. */
static MlirOperation as_while(masker *m, MlirOperation loop) {
  MlirOperation copy = uw_for_to_while(m->arena, loop);
  uw_ops_push(m->arena, &m->doomed, loop);
  return copy;
}

static bool uniform_trips(const masker *m, MlirOperation op) {
  if (uw_kind(op) == UW_OP_SCF_FOR)
    return uw_uniform(m->facts, uw_operand(op, 0)) && uw_uniform(m->facts, uw_operand(op, 1)) &&
           uw_uniform(m->facts, uw_operand(op, 2));
  if (uw_kind(op) == UW_OP_SCF_WHILE)
    return uw_uniform(m->facts, uw_operand(uw_last(uw_block(op, 0)), 0));
  return uw_uniform(m->facts, uw_operand(op, 0));
}

/* Does any thread take part? A vote of none may say whatever keeps a loop going. */
static MlirValue some_thread(const masker *m, uw_builder *b, MlirValue mask) {
  MlirType i32 = uw_int_type(b->context, 32);
  MlirValue flag = uw_build1(b, "arith.extui", .in = VALS(mask), .out = TYPES(i32));
  MlirValue any =
      uw_build1(b, "unwarp.reduce", .in = VALS(flag, uw_const_int(b, 1, 1)), .out = TYPES(i32),
                .attrs = ATTRS({"level", uw_str_attr(b->context, m->level)}, {"kind", uw_str_attr(b->context, "or")}));
  return uw_compare(b, UW_NE, any, uw_const_int(b, 32, 0));
}

/* op, an exchange or a construct with one, will be met by all threads; only those in mask take part. */
static void mask_meeting(masker *m, MlirOperation op, MlirValue mask) {
  uw_builder b = uw_at(op);
  switch (uw_kind(op)) {
  case UW_OP_SHUFFLE: mlirOperationSetOperand(op, 2, both(&b, mask, uw_operand(op, 2))); break;
  case UW_OP_COLLECTIVE: mlirOperationSetOperand(op, 0, both(&b, mask, uw_operand(op, 0))); break;
  case UW_OP_REDUCE:
  case UW_OP_MATCH: mlirOperationSetOperand(op, 1, both(&b, mask, uw_operand(op, 1))); break;
  case UW_OP_SCF_IF:
    if (uniform_trips(m, op))
      mask_block(m, uw_block(op, 0), mask);
    else
      mlirOperationSetOperand(op, 0, both(&b, mask, uw_operand(op, 0)));
    if (!mlirBlockIsNull(uw_block(op, 1)))
      mask_block(m, uw_block(op, 1), mask);
    break;
  case UW_OP_SCF_FOR:
    if (uniform_trips(m, op))
      mask_block(m, uw_block(op, 0), mask);
    else
      activate(m, as_while(m, op), mask);
    break;
  case UW_OP_SCF_WHILE:
    if (uniform_trips(m, op)) {
      MlirValue some = some_thread(m, &b, mask);
      mask_block(m, uw_block(op, 0), mask);
      mask_block(m, uw_block(op, 1), mask);
      MlirOperation condition = uw_last(uw_block(op, 0));
      uw_builder test = uw_at(condition);
      mlirOperationSetOperand(condition, 0, both(&test, some, uw_operand(condition, 0)));
    } else {
      activate(m, op, mask);
    }
    break;
  default: break;
  }
}

/* Rewrites block so that all threads may run it and only those in mask have an effect. What it yields is poison in
 * the others, except for pure values. */
static void mask_block(masker *m, MlirBlock block, MlirValue mask) {
  uw_ops ops = uw_block_ops(m->arena, block), segment = {0};
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    bool meeting = uw_has_exchange(op, m->level);
    if (!meeting && i + 1 < ops.count) {
      uw_ops_push(m->arena, &segment, op);
      continue;
    }
    mask_segment(m, &segment, op, mask);
    segment = (uw_ops){0};
    if (meeting)
      mask_meeting(m, op, mask);
  }
}

/* --- divergent constructs ----------------------------------------------------------------------------------------- */

/* Do the exchanges of block consist of barriers at its top level? Counts them. */
static bool only_barriers(const masker *m, MlirBlock block, size_t *count) {
  *count = 0;
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block) {
    if (uw_kind(op) == UW_OP_BARRIER && uw_is_exchange(op, m->level))
      ++*count;
    else if (uw_has_exchange(op, m->level))
      return false;
  }
  return true;
}

/* Moves what stands in block before its next exchange (or all but the terminator) in front of `where`; returns the
 * exchange, or the construct that holds it. */
static MlirOperation move_phase(const masker *m, MlirBlock block, bool to_exchange, MlirOperation where) {
  MlirOperation none = {NULL};
  if (mlirBlockIsNull(block))
    return none;
  MlirOperation last = uw_last(block);
  uw_foreach_op_safe (op, block) {
    if (uw_same_op(op, last))
      break;
    if (to_exchange && uw_has_exchange(op, m->level))
      return op;
    uw_move_before(op, where);
  }
  return none;
}

/* The if goes; its arms, masked, take its place. An arm without an exchange stands before the other's first one: its
 * threads may have returned by then, which counts as having been there, and what they wrote before is to be seen after
 * the barrier. */
static void flatten(masker *m, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue condition = uw_operand(op, 0);
  MlirBlock then_block = uw_block(op, 0), else_block = uw_block(op, 1);
  size_t then_barriers, else_barriers;
  bool then_simple = only_barriers(m, then_block, &then_barriers),
       else_simple = only_barriers(m, else_block, &else_barriers);
  bool in_step = then_simple && else_simple && then_barriers && else_barriers,
       plain_else = else_simple && !else_barriers;
  mask_block(m, then_block, condition);
  if (!mlirBlockIsNull(else_block)) {
    MlirValue opposite = uw_build1(&b, "arith.xori", .in = VALS(condition, uw_const_int(&b, 1, 1)),
                                   .out = TYPES(uw_int_type(b.context, 1)));
    mask_block(m, else_block, opposite);
  }
  while (in_step) {
    MlirOperation then_barrier = move_phase(m, then_block, true, op);
    MlirOperation else_barrier = move_phase(m, else_block, true, op);
    if (!uw_null(then_barrier))
      uw_move_before(then_barrier, op);
    if (!uw_null(else_barrier) && uw_null(then_barrier))
      uw_move_before(else_barrier, op);
    else if (!uw_null(else_barrier))
      uw_erase(else_barrier);
    in_step = !uw_null(then_barrier) || !uw_null(else_barrier);
  }
  if (plain_else) {
    move_phase(m, then_block, true, op);
    move_phase(m, else_block, false, op);
  }
  move_phase(m, then_block, false, op);
  move_phase(m, else_block, false, op);
  for (size_t i = 0; i < uw_result_count(op); i++)
    uw_replace_uses(uw_result(op, i),
                    choose(&b, condition, uw_operand(uw_last(then_block), i), uw_operand(uw_last(else_block), i)));
  uw_ops_push(m->arena, &m->doomed, op);
}

/* What happens to value j that a while hands from its condition to its body and to what follows. */
typedef struct handed {
  bool exits;          /* used after the loop: a thread must keep the value with which it left */
  intptr_t carried_as; /* the index of the loop-carried value that it becomes as it is, -1 if none */
  bool uniform;
  size_t extra; /* index of the carried value that keeps it, if exits and there is no other slot */
} handed;

static bool needs_extra(const handed *h) { return h->exits && (h->carried_as < 0 || h->uniform); }

/* Makes the while run as long as any thread wants; mask (null: all) says who begins. */
static void activate(masker *m, MlirOperation loop, MlirValue mask) {
  uw_arena *arena = m->arena;
  uw_builder b = uw_at(loop);
  MlirType i1 = uw_int_type(b.context, 1);
  MlirBlock old_before = uw_block(loop, 0), old_after = uw_block(loop, 1);
  size_t carried = uw_operand_count(loop), results = uw_result_count(loop), extras = 0;
  MlirOperation old_condition = uw_last(old_before), old_yield = uw_last(old_after);
  handed *hand = uw_alloc(arena, (results + 1) * sizeof *hand);
  for (size_t j = 0; j < results; j++) {
    hand[j] = (handed){.exits = !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(loop, j))),
                       .carried_as = -1,
                       .uniform = uw_uniform(m->facts, uw_operand(old_condition, j + 1))};
    for (size_t i = 0; i < carried && hand[j].carried_as < 0; i++)
      if (uw_same(uw_operand(old_yield, i), mlirBlockGetArgument(old_after, (intptr_t)j)))
        hand[j].carried_as = (intptr_t)i;
    if (needs_extra(&hand[j]))
      hand[j].extra = extras++;
  }

  /* carried: active, the old ones, extras; handed on: active, the old ones, extras */
  uw_vals inits = {0};
  MlirType *types = uw_alloc(arena, (1 + results + extras) * sizeof *types);
  uw_vals_push(arena, &inits, mask.ptr ? mask : uw_const_int(&b, 1, 1));
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &inits, uw_operand(loop, i));
  types[0] = i1;
  for (size_t j = 0; j < results; j++)
    types[1 + j] = mlirValueGetType(uw_result(loop, j));
  for (size_t j = 0; j < results; j++)
    if (needs_extra(&hand[j])) {
      types[1 + results + hand[j].extra] = types[1 + j];
      uw_vals_push(arena, &inits, uw_poison(&b, types[1 + j]));
    }
  MlirOperation copy = uw_build_while(&b, VALS_OF(inits), (uw_type_list){types, 1 + results + extras});
  MlirBlock before = uw_block(copy, 0), after = uw_block(copy, 1);

  for (size_t i = 0; i < carried; i++)
    uw_replace_uses(mlirBlockGetArgument(old_before, (intptr_t)i), mlirBlockGetArgument(before, (intptr_t)i + 1));
  uw_move_all(old_before, before);
  MlirValue active = mlirBlockGetArgument(before, 0);
  mask_block(m, before, active);
  uw_builder test = uw_at(old_condition);
  MlirValue goes_on = both(&test, active, uw_operand(old_condition, 0));
  uw_vals forwarded = {0};
  uw_vals_push(arena, &forwarded, some_thread(m, &test, goes_on));
  uw_vals_push(arena, &forwarded, goes_on);
  for (size_t j = 0; j < results; j++) {
    MlirValue value = uw_operand(old_condition, j + 1);
    if (hand[j].exits && !needs_extra(&hand[j]))
      value = choose(&test, active, value, mlirBlockGetArgument(before, hand[j].carried_as + 1));
    uw_vals_push(arena, &forwarded, value);
  }
  for (size_t j = 0; j < results; j++)
    if (needs_extra(&hand[j]))
      uw_vals_push(arena, &forwarded,
                   choose(&test, active, uw_operand(old_condition, j + 1),
                          mlirBlockGetArgument(before, (intptr_t)(1 + carried + hand[j].extra))));
  uw_build(&test, "scf.condition", .in = VALS_OF(forwarded));
  uw_erase(old_condition);

  for (size_t j = 0; j < results; j++)
    uw_replace_uses(mlirBlockGetArgument(old_after, (intptr_t)j), mlirBlockGetArgument(after, (intptr_t)j + 1));
  uw_move_all(old_after, after);
  mask_block(m, after, mlirBlockGetArgument(after, 0));
  uw_vals next = {0};
  uw_builder end = uw_at(old_yield);
  uw_vals_push(arena, &next, mlirBlockGetArgument(after, 0));
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &next, uw_operand(old_yield, i));
  for (size_t k = 0; k < extras; k++)
    uw_vals_push(arena, &next, mlirBlockGetArgument(after, (intptr_t)(1 + results + k)));
  uw_build(&end, "scf.yield", .in = VALS_OF(next));
  uw_erase(old_yield);
  for (size_t j = 0; j < results; j++)
    uw_replace_uses(uw_result(loop, j), uw_result(copy, needs_extra(&hand[j]) ? 1 + results + hand[j].extra : 1 + j));
  uw_ops_push(arena, &m->doomed, loop);
}

/* --- one loop ----------------------------------------------------------------------------------------------------- */

/* Every exchange of the level stands in constructs that we know. */
static bool check_places(masker *m) {
  uw_ops ops = uw_collect(m->arena, m->loop);
  for (size_t i = 0; i < ops.count; i++) {
    if (!uw_is_exchange(ops.at[i], m->level))
      continue;
    for (MlirOperation op = ops.at[i]; !uw_same_op(op, m->loop); op = uw_parent(op)) {
      MlirOperation parent = uw_parent(op);
      uw_kind_t kind = uw_kind(parent);
      bool known = kind == UW_OP_SCF_IF || kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE ||
                   kind == UW_OP_SCF_INDEX_SWITCH || uw_same_op(parent, m->loop);
      if (known)
        continue;
      uw_error(
          mlirOperationGetLocation(ops.at[i]),
          "a barrier or warp operation stands in control flow that cannot be split; write it with if, for, while or "
          "switch, without goto into a loop");
      return false;
    }
  }
  return true;
}

/* The first divergent construct with an exchange, outer before inner; null when all are uniform. */
static MlirOperation find_divergent(masker *m, MlirBlock block) {
  MlirOperation found = {NULL};
  if (mlirBlockIsNull(block))
    return found;
  uw_foreach_op (op, block) {
    if (uw_region_count(op) == 0 || !uw_has_exchange(op, m->level))
      continue;
    if (!uniform_trips(m, op))
      return op;
    for (intptr_t r = 0; r < uw_region_count(op) && uw_null(found); r++)
      found = find_divergent(m, uw_block(op, (unsigned)r));
    if (!uw_null(found))
      return found;
  }
  return found;
}

static void remark_masks(const masker *m, MlirOperation op) {
  MlirLocation here = mlirOperationGetLocation(op), where = here;
  MlirValue decides = uw_kind(op) == UW_OP_SCF_WHILE ? uw_operand(uw_last(uw_block(op, 0)), 0) : uw_operand(op, 0);
  for (size_t i = 0; uw_kind(op) == UW_OP_SCF_FOR && i < 3; i++)
    if (!uw_uniform(m->facts, uw_operand(op, i)))
      decides = uw_operand(op, i);
  const char *why = uw_root_of_difference(m->facts, decides, &where), *place = "";
  if (!mlirLocationEqual(where, here))
    place = uw_arena_format(m->arena, "%s: ", uw_remark_line(m->arena, here, where));
  uw_remark(here, "lower-barriers", "%s around a %s is not the same for all threads%s: masks",
            uw_kind(op) == UW_OP_SCF_IF ? "branch" : "loop",
            uw_string_is(uw_str(m->level), "block") ? "barrier" : "warp operation",
            why ? uw_arena_format(m->arena, " (%s%s)", place, why) : "");
}

bool uw_mask_loop(uw_arena *arena, MlirOperation loop, const char *level) {
  masker m = {.arena = arena, .context = mlirOperationGetContext(loop), .loop = loop, .level = level};
  if (!check_places(&m))
    return false;
  uw_ops switches = uw_collect_kind(arena, loop, UW_OP_SCF_INDEX_SWITCH);
  for (size_t i = switches.count; i-- > 0;)
    if (uw_has_exchange(switches.at[i], level))
      uw_switch_to_ifs(arena, switches.at[i]);
  for (;;) {
    m.facts = uw_uniformity_again(arena, loop, level, m.facts);
    MlirOperation op = find_divergent(&m, uw_block(loop, 0));
    if (uw_null(op))
      return true;
    if (uw_remarks_form() != UW_REMARKS_NONE)
      remark_masks(&m, op);
    if (uw_kind(op) == UW_OP_SCF_IF)
      flatten(&m, op);
    else
      activate(&m, uw_kind(op) == UW_OP_SCF_FOR ? as_while(&m, op) : op, (MlirValue){NULL});
    for (size_t i = 0; i < m.doomed.count; i++)
      uw_erase(m.doomed.at[i]);
    m.doomed = (uw_ops){0};
  }
}

uw_change uw_pass_mask(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  static const char *const levels[] = {"block", "warp"};
  for (size_t l = 0; l < 2; l++) {
    uw_ops loops = uw_thread_loops(ctx->arena, root, levels[l]);
    for (size_t i = 0; i < loops.count; i++) {
      if (!uw_keep_private_memory(uw_threads_of(ctx->arena, loops.at[i]), loops.at[i]) ||
          !uw_mask_loop(ctx->arena, loops.at[i], levels[l]))
        return UW_FAILED;
      change = UW_CHANGED;
    }
  }
  return change;
}
