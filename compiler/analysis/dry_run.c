/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The control flow of a dry run: see dry_run.h; the values are samples.c's.
 *
 * Only what is looked at, the constructs around it and what their addresses and conditions depend on is gone through:
 * not what stores store, whose arithmetic may be all that a kernel does (touches.c asks of a stored value only whether
 * it is a constant or from outside). A loop whose number of iterations is made up ends after a few; one that is known
 * is gone through to its end, as far as there are steps left. */
#include "dry_run.h"

#include "exchange.h"

enum { MOST_STEPS = 1 << 20, MOST_TOLD = 96, MOST_ITERATIONS = 1 << 12, GUESSED_ITERATIONS = 24, DATA_ITERATIONS = 3 };

/* --- the plan ----------------------------------------------------------------------------------------------------- */

static void number(uw_dry_plan *plan, MlirValue value) {
  if (uw_table_get(plan->value_number, value.ptr))
    return;
  uw_table_set(plan->value_number, value.ptr, (intptr_t)++plan->values);
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_inside(op, plan->loop) || mlirOperationGetNumRegions(op))
    return;
  for (size_t i = 0; i < uw_operand_count(op); i++) /* what it is computed from outside */
    number(plan, uw_operand(op, i));
}

static void number_all(uw_dry_plan *plan, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    number(plan, uw_operand(op, i));
  for (size_t i = 0; i < uw_result_count(op); i++)
    number(plan, uw_result(op, i));
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        number(plan, mlirBlockGetArgument(block, i));
}

/* Values that are needed, and not yet looked through. */
typedef struct search {
  uw_dry_plan *plan;
  uw_vals left;
} search;

static void need(search *s, MlirValue value) {
  if (uw_table_get(s->plan->needed, value.ptr) || !uw_defined_inside(value, s->plan->loop))
    return;
  uw_table_set(s->plan->needed, value.ptr, 1);
  uw_vals_push(s->plan->arena, &s->left, value);
}

/* The construct is gone through: what decides how. */
static void go_through(search *s, MlirOperation op) {
  for (; !uw_null(op) && !uw_same_op(op, s->plan->loop); op = uw_parent(op)) {
    if (mlirOperationGetNumRegions(op) == 0)
      continue;
    if (uw_table_get(s->plan->needed, op.ptr))
      return;
    uw_table_set(s->plan->needed, op.ptr, 1);
    switch (uw_kind(op)) {
    case UW_OP_SCF_WHILE: need(s, uw_operand(uw_last(uw_block(op, 0)), 0)); break;
    case UW_OP_SCF_FOR:
      for (size_t i = 0; i < 3; i++)
        need(s, uw_operand(op, i));
      break;
    default:
      if (uw_operand_count(op))
        need(s, uw_operand(op, 0));
    }
  }
}

static void need_address(search *s, MlirValue pointer) {
  uw_address address = uw_address_in_64(pointer);
  need(s, address.base);
  for (size_t i = 0; address.offset.known && i < address.offset.count; i++) {
    need(s, address.offset.terms[i].symbol);
    if (address.offset.terms[i].scale.ptr)
      need(s, address.offset.terms[i].scale);
  }
}

/* Is its value made up of its operands', whatever it computes? */
static bool is_made_up(const uw_dry_plan *plan, MlirOperation op) {
  return uw_inside(op, plan->loop) && mlirOperationGetNumRegions(op) == 0 && uw_result_count(op) == 1 &&
         uw_operand_count(op) > 0 && mlirTypeIsAFloat(mlirValueGetType(uw_result(op, 0))) &&
         uw_kind(op) != UW_OP_ARITH_SELECT && uw_speculatable(op);
}

/* A value made up of made-up values is as good if it is made up of what these are: of a long chain of arithmetic only
 * the ends are needed. Where they are many, what is reached so far counts as ends, so that each operation is come by a
 * few times only. */
static void need_leaves(search *s, MlirOperation op) {
  uw_dry_plan *plan = s->plan;
  uw_vals *leaves = uw_alloc(plan->arena, sizeof *leaves), left = {0};
  uw_table *seen = uw_table_create(plan->arena);
  size_t looked_through = 0;
  uw_vals_push(plan->arena, &left, uw_result(op, 0));
  for (size_t i = 0; i < left.count; i++) {
    MlirOperation from = uw_def(left.at[i]);
    bool looks = !uw_null(from) && is_made_up(plan, from);
    if (i > 0 && (!looks || left.count + uw_operand_count(from) > UW_MOST_LEAVES)) {
      uw_vals_push(plan->arena, leaves, left.at[i]);
      need(s, left.at[i]);
      continue;
    }
    looked_through++;
    for (size_t k = 0; k < uw_operand_count(from); k++)
      if (!uw_table_get(seen, uw_operand(from, k).ptr)) {
        uw_table_set(seen, uw_operand(from, k).ptr, 1);
        uw_vals_push(plan->arena, &left, uw_operand(from, k));
      }
  }
  if (looked_through > 1)
    uw_table_set(plan->leaves, op.ptr, (intptr_t)leaves);
}

static void look_through(search *s, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op)) { /* an argument of a block */
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation owner = mlirBlockGetParentOperation(block);
    size_t index = (size_t)mlirBlockArgumentGetArgNumber(value);
    go_through(s, owner);
    if (uw_kind(owner) == UW_OP_SCF_WHILE && mlirBlockEqual(block, uw_block(owner, 0))) {
      need(s, uw_operand(owner, index));
      need(s, uw_operand(uw_last(uw_block(owner, 1)), index));
    } else if (uw_kind(owner) == UW_OP_SCF_WHILE) {
      need(s, uw_operand(uw_last(uw_block(owner, 0)), index + 1));
    } else if (uw_kind(owner) == UW_OP_SCF_FOR && index > 0) {
      need(s, uw_operand(owner, index + 2));
      need(s, uw_operand(uw_last(block), index - 1));
    }
    return;
  }
  go_through(s, uw_parent(op));
  if (is_made_up(s->plan, op)) {
    need_leaves(s, op);
    return;
  }
  size_t result = 0;
  while (result < uw_result_count(op) && !uw_same(uw_result(op, result), value))
    result++;
  switch (uw_kind(op)) {
  case UW_OP_SCF_WHILE:
    go_through(s, op);
    need(s, uw_operand(uw_last(uw_block(op, 0)), result + 1));
    return;
  case UW_OP_SCF_FOR:
    go_through(s, op);
    need(s, uw_operand(op, result + 3));
    need(s, uw_operand(uw_last(uw_block(op, 0)), result));
    return;
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    go_through(s, op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      if (!mlirBlockIsNull(uw_block(op, (unsigned)r)))
        need(s, uw_operand(uw_last(uw_block(op, (unsigned)r)), result));
    return;
  case UW_OP_LLVM_GEP:
  case UW_OP_LLVM_BITCAST:
  case UW_OP_LLVM_ADDRSPACECAST: need_address(s, value); return;
  case UW_OP_LLVM_LOAD: need_address(s, uw_operand(op, 0)); return;
  default:
    for (size_t i = 0; i < uw_operand_count(op); i++)
      need(s, uw_operand(op, i));
  }
}

/* --- what numbers are for ----------------------------------------------------------------------------------------- */

/* Before a loop, what its argument starts as; null if it is none. */
static MlirValue start_of(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return (MlirValue){NULL};
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(loop) == UW_OP_SCF_FOR)
    return uw_operand(loop, index == 0 ? 0 : index + 2);
  if (uw_kind(loop) != UW_OP_SCF_WHILE)
    return (MlirValue){NULL};
  return mlirBlockEqual(block, uw_block(loop, 0)) ? uw_operand(loop, index)
                                                  : uw_operand(uw_last(uw_block(loop, 0)), index + 1);
}

/* Marks a value, and what it is a sum or product of. What the kernel loads from where it stores is no length. */
static void mark(uw_table *marked, const uw_table *stored, MlirValue value) {
  MlirOperation op = value.ptr ? uw_def(value) : (MlirOperation){NULL};
  if (!value.ptr || uw_table_get(marked, value.ptr) ||
      (uw_kind(op) == UW_OP_LLVM_LOAD && uw_table_get(stored, uw_address_of(uw_operand(op, 0)).base.ptr)))
    return;
  uw_table_set(marked, value.ptr, 1);
  mark(marked, stored, start_of(value));
  if (!uw_null(op) && uw_speculatable(op) && mlirOperationGetNumRegions(op) == 0)
    for (size_t i = 0; i < uw_operand_count(op); i++)
      mark(marked, stored, uw_operand(op, i));
}

static bool is_constant(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number);
}

/* Bits are masked by it: a power of two, or one less than that. */
static void mark_mask(uw_dry_plan *plan, const uw_table *stored, MlirValue mask) {
  MlirOperation op = uw_def(mask);
  int64_t number;
  bool one_less = (uw_kind(op) == UW_OP_ARITH_ADDI && uw_const_value(uw_operand(op, 1), &number) && number == -1) ||
                  (uw_kind(op) == UW_OP_ARITH_SUBI && uw_const_value(uw_operand(op, 1), &number) && number == 1);
  mark(plan->powers, stored, one_less ? uw_operand(op, 0) : mask);
}

static void find_roles(uw_dry_plan *plan) {
  uw_table *stored = uw_table_create(plan->arena);
  for (size_t i = 0; i < plan->ops.count; i++)
    if (uw_kind(plan->ops.at[i]) == UW_OP_LLVM_STORE)
      uw_table_set(stored, uw_address_of(uw_operand(plan->ops.at[i], 1)).base.ptr, 1);
  for (size_t i = 0; i < plan->ops.count; i++) {
    MlirOperation op = plan->ops.at[i];
    bool of_two = uw_operand_count(op) == 2 && !is_constant(uw_operand(op, 0)) && !is_constant(uw_operand(op, 1));
    switch (uw_kind(op)) {
    case UW_OP_ARITH_MULI:
      if (of_two) {
        mark(plan->lengths, stored, uw_operand(op, 0));
        mark(plan->lengths, stored, uw_operand(op, 1));
      }
      break;
    case UW_OP_ARITH_DIVSI:
    case UW_OP_ARITH_DIVUI:
    case UW_OP_ARITH_REMSI:
    case UW_OP_ARITH_REMUI:
    case UW_OP_ARITH_SHLI: mark(plan->lengths, stored, uw_operand(op, 1)); break;
    case UW_OP_ARITH_ANDI:
      if (of_two) {
        mark_mask(plan, stored, uw_operand(op, 0));
        mark_mask(plan, stored, uw_operand(op, 1));
      }
      break;
    default: break;
    }
  }
}

uw_dry_plan *uw_plan_dry_run(uw_arena *arena, MlirOperation loop, const uw_ops *looked_at) {
  uw_dry_plan *plan = uw_alloc(arena, sizeof *plan);
  *plan = (uw_dry_plan){.arena = arena,
                        .loop = loop,
                        .ops = uw_collect(arena, loop),
                        .op_number = uw_table_create(arena),
                        .value_number = uw_table_create(arena),
                        .needed = uw_table_create(arena),
                        .leaves = uw_table_create(arena),
                        .looked_at = uw_table_create(arena),
                        .lengths = uw_table_create(arena),
                        .powers = uw_table_create(arena)};
  number_all(plan, loop);
  for (size_t i = 0; i < plan->ops.count; i++) {
    uw_table_set(plan->op_number, plan->ops.at[i].ptr, (intptr_t)i + 1);
    number_all(plan, plan->ops.at[i]);
  }
  plan->looked_at_count = looked_at->count;
  plan->addresses = uw_alloc(arena, (plan->values + 1) * sizeof *plan->addresses);
  search s = {.plan = plan};
  for (size_t i = 0; i < looked_at->count; i++) {
    MlirOperation op = looked_at->at[i];
    uw_table_set(plan->looked_at, op.ptr, (intptr_t)i + 1);
    go_through(&s, uw_parent(op));
    for (size_t k = 0; k < uw_operand_count(op); k++)
      if (mlirTypeEqual(mlirValueGetType(uw_operand(op, k)), uw_ptr_type(mlirOperationGetContext(loop))))
        need_address(&s, uw_operand(op, k));
  }
  for (size_t i = 0; i < plan->ops.count; i++)
    if (uw_is_exchange(plan->ops.at[i], "block") || uw_is_exchange(plan->ops.at[i], "warp"))
      go_through(&s, uw_parent(plan->ops.at[i]));
  while (s.left.count)
    look_through(&s, s.left.at[--s.left.count]);
  find_roles(plan);
  return plan;
}

/* --- constructs --------------------------------------------------------------------------------------------------- */

static void run_block(uw_dry_run *run, MlirBlock block, const uw_thread_set *active);

static bool is_needed(const uw_dry_run *run, const void *what) { return uw_table_get(run->plan->needed, what) != 0; }

/* Need the block not be gone through if nobody chooses it? What some thread might choose, as it is compared with a value
 * that is made up, has been chosen with large values; a small one can only bring in threads that are not meant. */
static bool is_covered(const uw_dry_run *run, MlirBlock block, uint8_t from) {
  bool any_run = run->is_small && from & UW_BY_THREAD;
  return uw_table_get(any_run ? run->all_covered : run->covered, block.ptr) != 0;
}

/* What an operand is becomes what a value is, in these threads. `all`: no others have it. */
static void hand_over(uw_dry_run *run, MlirValue from, MlirValue to, const uw_thread_set *active, bool all,
                      uint8_t also_from) {
  if (!is_needed(run, to.ptr))
    return;
  uw_samples *target = uw_own_samples(run, to);
  const uw_samples *source = uw_samples_of(run, from);
  if (target != source)
    uw_copy_samples(run, target, source, active, all);
  target->from |= also_from;
}

/* The threads with that value in value, as a set. */
static uw_thread_set threads_with(const uw_samples *value, int64_t is, bool other, const uw_thread_set *active) {
  uw_thread_set set = {0};
  uw_foreach_thread (t, active)
    if ((uw_sample_in(value, t).number == is) != other)
      set.bits[t / 64] |= UINT64_C(1) << (t % 64);
  return set;
}

/* May the bits be all zero, or not, in the thread, for all that is known? Of what depends on guesses nothing is. */
static bool may_be(uw_dry_run *run, MlirValue bits, bool zero, size_t thread) {
  MlirOperation op = uw_def(bits);
  int64_t number;
  const uw_samples *samples = uw_samples_of(run, bits);
  if (!(samples->from & UW_GUESS))
    return (uw_sample_in(samples, thread).number == 0) == zero;
  if (uw_null(op) || !uw_inside(op, run->plan->loop) || uw_operand_count(op) < 2)
    return true;
  MlirValue left = uw_operand(op, 0), right = uw_operand(op, 1);
  bool otherwise_zero = uw_kind(op) == UW_OP_ARITH_SELECT && uw_const_value(uw_operand(op, 2), &number) &&
                        number == 0; /* left and right */
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ORI: return !zero || (may_be(run, left, true, thread) && may_be(run, right, true, thread));
  case UW_OP_ARITH_CMPI: {
    int64_t predicate = uw_get_int_attr(op, "predicate", UW_EQ);
    if ((predicate != UW_EQ && predicate != UW_NE) || !uw_const_value(right, &number) || number != 0)
      return true;
    return may_be(run, left, zero == (predicate == UW_NE), thread);
  }
  default:
    return zero || !(uw_kind(op) == UW_OP_ARITH_ANDI || otherwise_zero) ||
           (may_be(run, left, false, thread) && may_be(run, right, false, thread));
  }
}

/* Threads that may be meant by a condition on a value that is not known: a lane of each warp, not the first one if
 * that may be. */
static uw_thread_set one_of_each_warp(uw_dry_run *run, MlirValue condition, bool holds, const uw_thread_set *active) {
  enum { LIKED = 13 };
  uw_thread_set some = {0};
  uw_foreach_thread (t, active) {
    uint64_t warp = UINT64_C(0xffffffff) << (t % 64 / UW_DRY_WARP * UW_DRY_WARP), own = UINT64_C(1) << (t % 64);
    uint64_t *word = &some.bits[t / 64];
    if ((*word & warp && t % UW_DRY_WARP != LIKED) || !may_be(run, condition, !holds, t))
      continue;
    *word = (*word & ~warp) | own;
  }
  return some;
}

/* One arm; its values are for the threads that chose it. */
static void run_arm(uw_dry_run *run, MlirOperation op, MlirBlock arm, const uw_thread_set *active,
                    const uw_thread_set *chose, bool all, uint8_t from) {
  if (mlirBlockIsNull(arm))
    return;
  run_block(run, arm, active);
  for (size_t i = 0; i < uw_result_count(op); i++)
    if (!uw_no_threads(chose))
      hand_over(run, uw_operand(uw_last(arm), i), uw_result(op, i), chose, all, from);
}

/* No thread of this shape takes the arm, whichever iteration it is: it is as if they had come by its accesses. */
static void pass_by(uw_dry_run *run, MlirBlock arm) {
  const void *passed = (const char *)arm.ptr + 1; /* a key of its own */
  if (mlirBlockIsNull(arm) || uw_table_get(run->all_covered, passed))
    return;
  uw_table_set(run->all_covered, passed, 1);
  uw_foreach_op (op, arm) {
    if (uw_table_get(run->plan->looked_at, op.ptr))
      uw_table_set(run->all_covered, op.ptr, 1);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      pass_by(run, uw_block(op, (unsigned)r));
  }
}

/* An if or a switch. */
static void run_branch(uw_dry_run *run, MlirOperation op, const uw_thread_set *active) {
  enum { MOST_ARMS = 64 };
  const uw_samples *decides = uw_samples_of(run, uw_operand(op, 0));
  run->asks |= decides->from;
  size_t arms = (size_t)mlirOperationGetNumRegions(op), parted = 0;
  if (arms > MOST_ARMS)
    return;
  uw_thread_set chose[MOST_ARMS], rest = *active;
  MlirAttribute cases = uw_get_attr(op, "cases");
  bool is_switch = uw_kind(op) == UW_OP_SCF_INDEX_SWITCH, is_data = decides->from & UW_DATA, goes[MOST_ARMS];
  for (size_t r = arms; r-- > 0;) { /* the default arm of a switch is the first */
    if (is_switch && r > 0)
      chose[r] = threads_with(decides, mlirDenseI64ArrayGetElement(cases, (intptr_t)r - 1), false, &rest);
    else if (!is_switch)
      chose[r] = threads_with(decides, 0, r == 0, &rest);
    else
      chose[r] = rest;
    for (size_t w = 0; w < UW_DRY_THREADS / 64; w++)
      rest.bits[w] &= ~chose[r].bits[w];
  }
  for (size_t r = 0; r < arms; r++) {
    MlirBlock arm = uw_block(op, (unsigned)r);
    bool new = decides->from & UW_GUESS && uw_no_threads(&chose[r]) && !mlirBlockIsNull(arm) &&
               !is_covered(run, arm, decides->from);
    goes[r] = !mlirBlockIsNull(arm) && (is_data || new || !uw_no_threads(&chose[r]));
    parted += goes[r];
    if (!goes[r] && decides->from & UW_BY_THREAD)
      pass_by(run, arm);
  }
  bool all = true; /* do all threads take one arm? */
  for (size_t r = 0; r < arms; r++)
    for (size_t w = 0; w < UW_DRY_THREADS / 64; w++)
      all = all && (chose[r].bits[w] == 0 || chose[r].bits[w] == active->bits[w]);
  size_t takers = 0;
  for (size_t r = 0; r < arms; r++)
    takers += !uw_no_threads(&chose[r]);
  all = all && takers == 1;
  for (size_t i = 0; i < uw_result_count(op); i++)
    if (is_needed(run, uw_result(op, i).ptr))
      uw_own_samples(run, uw_result(op, i))->from = 0;
  void *state = parted > 1 ? run->watcher->part(run->watcher->data) : NULL;
  bool in_turn = decides->from & UW_IN_TURN;
  uint64_t around = run->if_data;
  run->in_turn += in_turn;
  for (size_t r = 0; r < arms; r++) {
    if (!goes[r])
      continue;
    if (decides->from & (UW_DATA | UW_LOADED))
      run->if_data = (around * 31 + (uint64_t)uw_table_get(run->plan->op_number, op.ptr)) * 31 + r;
    const uw_thread_set *who = is_data || uw_no_threads(&chose[r]) ? active : &chose[r];
    uw_thread_set some;
    if (who == active && !is_data && decides->from & UW_BY_THREAD) {
      some = one_of_each_warp(run, uw_operand(op, 0), !is_switch && r == 0, active);
      who = &some;
    }
    run_arm(run, op, uw_block(op, (unsigned)r), who, &chose[r], all, decides->from);
    if (state)
      run->watcher->next_arm(run->watcher->data, state);
  }
  run->if_data = around;
  run->in_turn -= in_turn && run->in_turn > 0;
  if (state)
    run->watcher->join(run->watcher->data, state);
}

/* May the threads go on to the iteration of this number of a loop whose condition is that? Narrows the set to those
 * that do. scales: the loop ends soon whatever its bound is, as what it carries doubles or halves. */
static bool goes_on(uw_dry_run *run, const uw_samples *condition, size_t iteration, bool covered, bool scales,
                    uw_thread_set *active) {
  run->asks |= condition->from;
  if (run->steps <= 0 || iteration >= MOST_ITERATIONS || (condition->from & UW_DATA && iteration >= DATA_ITERATIONS)) {
    run->is_cut = true;
    return false;
  }
  if (condition->from & UW_DATA)
    return true;
  uw_thread_set on = threads_with(condition, 0, true, active);
  if (condition->from & UW_GUESS) {
    if (uw_no_threads(&on))
      return iteration == 0 && !covered && !(condition->from & UW_BY_THREAD);
    if (iteration >= GUESSED_ITERATIONS >> (scales ? 0 : run->depth < 3 ? 2 * run->depth : 4)) {
      run->is_cut = true;
      return false;
    }
  }
  *active = on;
  return !uw_no_threads(&on);
}

bool uw_lanes_come_singly(MlirOperation loop) {
  for (unsigned r = 0; r < 2; r++)
    uw_foreach_op (op, uw_block(loop, r))
      if ((uw_attr_is_str(op, "callee", "uwrt_yield") && mlirAttributeIsNull(uw_get_attr(op, UW_IN_STEP))) ||
          uw_attr_is_str(op, "callee", "uwrt_stuck"))
        return true;
  return false;
}

/* Is a value that all threads carry at least twice, or at most half, of what it was? */
static bool scales(const uw_samples *before, const uw_samples *after) {
  int64_t from = before->one.number, to = after->one.number;
  bool are_numbers = before->known && before->same && !before->one.object && after->known && after->same;
  return are_numbers && from > 0 && to > 0 && (to / 2 >= from || to <= from / 2);
}

static void run_while(uw_dry_run *run, MlirOperation loop, const uw_thread_set *all) {
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before);
  uw_thread_set active = *all;
  bool lets_in = uw_lanes_come_singly(loop);
  size_t carried = uw_operand_count(loop), results = uw_result_count(loop), most = lets_in ? 1 : MOST_ITERATIONS;
  bool first_out = true, doubles = true;
  uw_samples *next = uw_alloc(run->arena, (carried + 1) * sizeof *next);
  for (size_t j = 0; j < results; j++)
    uw_own_samples(run, uw_result(loop, j))->from = 0;
  for (size_t i = 0; i < carried; i++)
    hand_over(run, uw_operand(loop, i), mlirBlockGetArgument(before, (intptr_t)i), &active, true, 0);
  run->depth++;
  for (size_t iteration = 0;; iteration++) {
    run_block(run, before, &active);
    const uw_samples *decides = uw_samples_of(run, uw_operand(condition, 0));
    lets_in = lets_in || decides->from & UW_IN_TURN;
    uw_thread_set on = active, out = active;
    bool more = !(lets_in && iteration >= most) &&
                goes_on(run, decides, iteration, is_covered(run, after, decides->from), iteration && doubles, &on);
    for (size_t w = 0; w < UW_DRY_THREADS / 64; w++)
      out.bits[w] &= more ? ~on.bits[w] : ~UINT64_C(0);
    if (!uw_no_threads(&out)) {
      for (size_t j = 0; j < results; j++)
        hand_over(run, uw_operand(condition, j + 1), uw_result(loop, j), &out, first_out && !more, decides->from);
      first_out = false;
    }
    if (!more)
      break;
    for (size_t j = 0; j < results; j++)
      hand_over(run, uw_operand(condition, j + 1), mlirBlockGetArgument(after, (intptr_t)j), &on, true, 0);
    active = on;
    run->in_turn += lets_in;
    run_block(run, after, &active);
    run->in_turn -= lets_in && run->in_turn > 0;
    MlirOperation yield = uw_last(after);
    /* All are read before one is written: they may be exchanged. */
    for (size_t i = 0; i < carried; i++)
      if (is_needed(run, mlirBlockGetArgument(before, (intptr_t)i).ptr))
        uw_copy_samples(run, &next[i], uw_samples_of(run, uw_operand(yield, i)), &active, true);
    bool any_doubles = false;
    for (size_t i = 0; i < carried; i++)
      if (is_needed(run, mlirBlockGetArgument(before, (intptr_t)i).ptr))
        any_doubles |= scales(uw_samples_of(run, mlirBlockGetArgument(before, (intptr_t)i)), &next[i]);
    doubles = doubles && any_doubles;
    for (size_t i = 0; i < carried; i++)
      if (is_needed(run, mlirBlockGetArgument(before, (intptr_t)i).ptr))
        uw_copy_samples(run, uw_own_samples(run, mlirBlockGetArgument(before, (intptr_t)i)), &next[i], &active, true);
  }
  run->depth--;
  run->in_turn += lets_in; /* until they meet */
}

static void run_for(uw_dry_run *run, MlirOperation loop, const uw_thread_set *all) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation yield = uw_last(body);
  uw_thread_set active = *all;
  size_t carried = uw_result_count(loop);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  const uw_samples *lower = uw_samples_of(run, uw_operand(loop, 0)), *upper = uw_samples_of(run, uw_operand(loop, 1)),
                   *step = uw_samples_of(run, uw_operand(loop, 2));
  uint8_t from = lower->from | upper->from | step->from;
  uw_samples *next = uw_alloc(run->arena, (carried + 1) * sizeof *next);
  for (size_t i = 0; i < carried; i++) {
    hand_over(run, uw_operand(loop, i + 3), mlirBlockGetArgument(body, (intptr_t)i + 1), &active, true, 0);
    hand_over(run, uw_operand(loop, i + 3), uw_result(loop, i), &active, true, 0);
  }
  run->depth++;
  for (size_t iteration = 0;; iteration++) {
    uw_samples *at = uw_own_samples(run, counter), less = {.known = true, .from = from};
    *at = (uw_samples){.each = at->each, .known = true, .from = from, .same = lower->same && step->same};
    uw_foreach_thread (t, &active) {
      uw_sample now = {uw_sample_in(lower, t).number + (int64_t)iteration * uw_sample_in(step, t).number, NULL};
      if (at->same)
        at->one = now;
      else
        uw_give_sample(run, at, t, now);
      uw_give_sample(run, &less, t, (uw_sample){now.number < uw_sample_in(upper, t).number, NULL});
    }
    if (!goes_on(run, &less, iteration, is_covered(run, body, less.from), false, &active))
      break;
    run_block(run, body, &active);
    for (size_t i = 0; i < carried; i++)
      if (is_needed(run, uw_result(loop, i).ptr) || is_needed(run, mlirBlockGetArgument(body, (intptr_t)i + 1).ptr))
        uw_copy_samples(run, &next[i], uw_samples_of(run, uw_operand(yield, i)), &active, true);
    for (size_t i = 0; i < carried; i++) {
      MlirValue argument = mlirBlockGetArgument(body, (intptr_t)i + 1), result = uw_result(loop, i);
      if (next[i].known && is_needed(run, argument.ptr))
        uw_copy_samples(run, uw_own_samples(run, argument), &next[i], &active, true);
      if (next[i].known && is_needed(run, result.ptr))
        uw_copy_samples(run, uw_own_samples(run, result), &next[i], &active, false);
    }
  }
  run->depth--;
}

static int64_t count_of(const uw_thread_set *set) {
  int64_t count = 0;
  for (size_t w = 0; w < UW_DRY_THREADS / 64; w++)
    count += __builtin_popcountll(set->bits[w]);
  return count;
}

static void run_block(uw_dry_run *run, MlirBlock block, const uw_thread_set *active) {
  if (mlirBlockIsNull(block) || uw_no_threads(active))
    return;
  int64_t cost = count_of(active);
  uw_table_set(run->covered, block.ptr, 1);
  uw_table_set(run->all_covered, block.ptr, 1);
  uw_foreach_op (op, block) {
    if (run->steps <= 0)
      return;
    if (uw_is_exchange(op, "block") || uw_is_exchange(op, "warp")) {
      run->watcher->meets(run->watcher->data, op, active);
      run->in_turn = 0;
    }
    size_t looked_at = (size_t)uw_table_get(run->plan->looked_at, op.ptr);
    if (looked_at)
      uw_table_set(run->all_covered, op.ptr, 1);
    if (looked_at && !run->in_turn && run->told[looked_at] < MOST_TOLD) { /* long loops show what they do before */
      run->told[looked_at]++;
      run->steps -= cost;
      run->watcher->touches(run->watcher->data, run, op, active);
    }
    if (mlirOperationGetNumRegions(op) == 0) {
      if (uw_result_count(op) && is_needed(run, uw_result(op, 0).ptr)) {
        run->steps -= 1;
        uw_sample_op(run, op, active);
        if (!uw_own_samples(run, uw_result(op, 0))->same)
          run->steps -= cost;
      }
    } else if (is_needed(run, op.ptr)) {
      switch (uw_kind(op)) {
      case UW_OP_SCF_IF:
      case UW_OP_SCF_INDEX_SWITCH: run_branch(run, op, active); break;
      case UW_OP_SCF_WHILE: run_while(run, op, active); break;
      case UW_OP_SCF_FOR: run_for(run, op, active); break;
      default: break; /* not gone into: what it makes is made up */
      }
    }
  }
}

uw_dry_end uw_dry_run_of(uw_arena *arena, const uw_dry_plan *plan, const uw_dry_block *block,
                         const uw_dry_watcher *watcher) {
  const int64_t *shape = block->shape;
  uw_dry_run run = {.plan = plan,
                    .arena = arena,
                    .block = block->index,
                    .spread = block->spread,
                    .is_small = block->spread.given || block->spread.loaded,
                    .watcher = watcher,
                    .steps = MOST_STEPS,
                    .covered = uw_table_create(arena),
                    .all_covered = block->covered,
                    .shape = {shape[0], shape[1], shape[2]},
                    .threads = (size_t)(shape[0] * shape[1] * shape[2])};
  uw_assert(plan->loop, run.threads > 0 && run.threads <= UW_DRY_THREADS);
  run.values = uw_alloc(arena, (plan->values + 1) * sizeof *run.values);
  uw_sample_ids(&run);
  uw_thread_set all = {0};
  for (size_t t = 0; t < run.threads; t++)
    all.bits[t / 64] |= UINT64_C(1) << (t % 64);
  run.told = uw_alloc(arena, plan->looked_at_count + 1);
  run_block(&run, uw_block(plan->loop, 0), &all);
  return (uw_dry_end){.asks = run.asks, .is_cut = run.is_cut || run.steps <= 0};
}
