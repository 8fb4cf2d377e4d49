/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The control flow of a dry run: see dry_run.h; the values are samples.c's.
 *
 * Only what the plan needs is gone through (dry_plan.c). A loop whose number of iterations is made up ends after a few; one that is known
 * is gone through to its end, as far as there are steps left. */
#include "dry_run.h"

#include "exchange.h"

enum { MOST_STEPS = 1 << 20, MOST_TOLD = 96, MOST_ITERATIONS = 1 << 12, GUESSED_ITERATIONS = 24, DATA_ITERATIONS = 3 };

static void run_block(uw_dry_run *run, MlirBlock block, const uw_thread_set *active);

static bool is_needed(const uw_dry_run *run, const void *what) { return uw_table_get(run->plan->needed, what) != 0; }

/* Need the block not be gone through if nobody chooses it? What some thread might choose, as it is compared with a value
 * that is made up, has been chosen with large values; a small one can only bring in threads that are not meant. */
static bool is_covered(const uw_dry_run *run, MlirBlock block, uint8_t from) {
  bool any_run = uw_has_small_values(&run->spread) && from & UW_BY_THREAD;
  return uw_table_get(any_run ? run->coverage->blocks : run->covered, block.ptr) != 0;
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

/* No thread of this shape takes the arm, whichever iteration it is: it is as if they had come to its accesses. */
static void pass_by(uw_dry_run *run, MlirBlock arm) {
  uw_table *passed = run->coverage->passed;
  if (mlirBlockIsNull(arm) || uw_table_get(passed, arm.ptr))
    return;
  uw_table_set(passed, arm.ptr, 1);
  uw_foreach_op (op, arm) {
    if (uw_table_get(run->plan->looked_at, op.ptr))
      uw_table_set(run->coverage->accesses, op.ptr, 1);
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      pass_by(run, uw_block(op, (unsigned)r));
  }
}

/* An if or a switch. */
static void run_branch(uw_dry_run *run, MlirOperation op, const uw_thread_set *active) {
  enum { MOST_ARMS = 64 };
  const uw_samples *decides = uw_samples_of(run, uw_operand(op, 0));
  run->asks |= decides->from;
  size_t arms = (size_t)uw_region_count(op), parted = 0;
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
  uw_table_set(run->coverage->blocks, block.ptr, 1);
  uw_foreach_op (op, block) {
    if (run->steps <= 0)
      return;
    if (uw_is_exchange(op, "block") || uw_is_exchange(op, "warp")) {
      run->watcher->meets(run->watcher->data, op, active);
      run->in_turn = 0;
    }
    size_t looked_at = (size_t)uw_table_get(run->plan->looked_at, op.ptr);
    if (looked_at)
      uw_table_set(run->coverage->accesses, op.ptr, 1);
    if (looked_at && !run->in_turn && run->told[looked_at] < MOST_TOLD) { /* long loops show what they do before */
      run->told[looked_at]++;
      run->steps -= cost;
      run->watcher->touches(run->watcher->data, run, op, active);
    }
    if (uw_region_count(op) == 0) {
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

uw_coverage uw_no_coverage(uw_arena *arena) {
  return (uw_coverage){uw_table_create(arena), uw_table_create(arena), uw_table_create(arena)};
}

uw_dry_end uw_dry_run_of(uw_arena *arena, const uw_dry_plan *plan, const uw_dry_block *block,
                         const uw_dry_watcher *watcher) {
  const int64_t *shape = block->shape;
  uw_dry_run run = {.plan = plan,
                    .arena = arena,
                    .block = block->index,
                    .spread = block->spread,
                    .watcher = watcher,
                    .steps = MOST_STEPS,
                    .loaded = uw_table_create(arena),
                    .covered = uw_table_create(arena),
                    .coverage = block->coverage,
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
