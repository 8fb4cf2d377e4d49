/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Splits a row of threads where a comparison changes, so that its middle has neither clamped indices nor conditions.
 * Programs on grids treat the rim of their data so; a vectoriser makes gathers and masks of it for all the row.
 *
 *   parallel (%y, %x) = (…, %a) to (…, %b) {            parallel (%y, %x) = (…, %m) to (…, %n) { %w = %x - 1 … }   %m = max(%a, 1)
 *     %w = select (%x > 0), %x - 1, %x           ==>    for (%end) to (2)                                          %n = min(%b, %last)
 *     %e = select (%x < %last), %x + 1, %x …  }           parallel (%y, %x) = (…, %end ? %n : %a) to (…, %end ? %b : %m) { as it was }
 *
 * A row of known length keeps it where it may be all middle: `if (%m == %a && %n == %b) { middle } else { as it was }`.
 * So does a part of a row that split-divisions made, as these may be short, where it has conditions about one end only:
 * with clamps, or at both ends, it is a row of data, and each part has its rim.
 * Where what is compared is used by a branch alone, it is enough that the middle holds all threads that the branch's
 * condition lets through; then only these comparisons go, and the condition stays.
 *
 * Done when a) the loop is no fall-back (transform/loop_ranges.h) and holds no exchange and no other thread loop; b) there
 * are comparisons, minima or maxima of values that are +-1 times the innermost index and something from outside of the
 * loop apart (wide.h, so nothing wraps around), or from the counter of a serial loop in it (counters.h), that decide
 * about an address, or whether or how often memory is touched; c) it has at most UW_MOST_COPIED operations. Memory that
 * is touched under a condition is in the middle, and so are indices that are not clamped; otherwise a comparison with a
 * small constant is taken to be about the row's start, every other one about its end. That decides only which part is
 * fast. In the middle addresses are of 64 bits (widen_indices.h).
 *
 * Legal because threads between two barriers do not wait for each other, and each runs in one of the parts. Requires:
 * guards-to-bounds. Preserves: what each thread does. Refuses: the rest, silently. */
#include <string.h>

#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/exchange.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/fold.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../passes.h"
#include "../../transform/thread_loop.h"
#include "loop_bounds.h"
#include "counters.h"
#include "wide.h"
#include "widen_indices.h"

static const char MARK[] =
    "unwarp.border"; /* on a comparison: what it is in the middle; on a loop: nothing more to split */
enum { IS_FALSE, IS_TRUE, IS_FIRST, IS_SECOND };
enum { MOST_STEPS = 500 }; /* bound of a search: a use is come by for each way to it */

typedef struct row {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  uw_vals lows, highs;  /* the middle starts after all lows and ends before all highs; indices, outside of the loop */
  int64_t length;       /* of a row; -1: not known */
  MlirOperation branch; /* in a short row: only what this arm of it uses is looked at; or null */
  unsigned arm;
  uw_counters *counters;
  uw_map *settled; /* minimum or maximum -> the operand that it is in the middle */
  bool has_clamps; /* do edges come from anything but conditions under which memory is touched? */
} row;

static bool has_memory(MlirBlock block, uw_arena *arena) {
  if (mlirBlockIsNull(block))
    return false;
  uw_foreach_op (op, block) {
    uw_ops inner = uw_collect(arena, op);
    uw_ops_push(arena, &inner, op);
    for (size_t i = 0; i < inner.count; i++)
      if (uw_kind(inner.at[i]) == UW_OP_LLVM_LOAD || uw_kind(inner.at[i]) == UW_OP_LLVM_STORE)
        return true;
  }
  return false;
}

/* Is it a loop that touches memory, of which the use is a bound? */
static bool is_bound(const row *r, MlirOpOperand use) {
  enum { BOUNDS = 2 };
  MlirOperation user = mlirOpOperandGetOwner(use);
  return uw_kind(user) == UW_OP_SCF_FOR && mlirOpOperandGetOperandNumber(use) < BOUNDS &&
         has_memory(uw_block(user, 0), r->arena);
}

/* Does the value decide about an address, or whether or how often memory is touched? */
static bool decides(const row *r, MlirValue value, uw_table *seen) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_table_get(seen, user.ptr))
      continue;
    uw_table_set(seen, user.ptr, 1);
    if (uw_kind(user) == UW_OP_LLVM_GEP || is_bound(r, use))
      return true;
    if (uw_kind(user) == UW_OP_SCF_IF &&
        (has_memory(uw_block(user, 0), r->arena) || has_memory(uw_block(user, 1), r->arena)))
      return true;
    bool integer = uw_result_count(user) == 1 && uw_name_starts(user, "arith.") &&
                   (mlirTypeIsAInteger(mlirValueGetType(uw_result(user, 0))) ||
                    mlirTypeIsAIndex(mlirValueGetType(uw_result(user, 0))));
    if (integer && decides(r, uw_result(user, 0), seen))
      return true;
  }
  return false;
}

/* The sum or difference, a constant where both are. */
static MlirValue folded(uw_builder *b, const char *name, MlirValue left, MlirValue right) {
  int64_t first, second;
  if (!uw_const_value(left, &first) || !uw_const_value(right, &second))
    return uw_binary(b, name, left, right);
  return uw_const_index(b, strcmp(name, "arith.addi") == 0 ? first + second : first - second);
}

enum { EITHER = -1 };

static bool is_const_bit(MlirValue value, int64_t wanted) {
  int64_t number;
  return uw_const_value(value, &number) && (number & 1) == wanted;
}

/* What the bit has to be for memory to be touched under it, or for a value to be chosen that depends on the thread
 * over one that does not: a clamped index. EITHER if it does not say. */
static int wanted(const row *r, MlirValue bit, int depth, int *steps) {
  enum { DEEPEST = 8 };
  int found = EITHER;
  for (MlirOpOperand use = mlirValueGetFirstUse(bit); !mlirOpOperandIsNull(use) && depth < DEEPEST && (*steps)-- > 0;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int here = EITHER;
    if (uw_kind(user) == UW_OP_SCF_IF) {
      bool then = has_memory(uw_block(user, 0), r->arena), other = has_memory(uw_block(user, 1), r->arena);
      here = then == other ? EITHER : then;
    } else if (uw_kind(user) == UW_OP_ARITH_ANDI || uw_kind(user) == UW_OP_ARITH_ORI) {
      here = wanted(r, uw_result(user, 0), depth + 1, steps);
    } else if (uw_kind(user) == UW_OP_ARITH_SELECT &&
               (is_const_bit(uw_operand(user, 1), 1) || is_const_bit(uw_operand(user, 2), 0))) {
      here = wanted(r, uw_result(user, 0), depth + 1, steps);
    } else if (uw_kind(user) == UW_OP_ARITH_XORI && is_const_bit(uw_operand(user, 1), 1)) {
      here = wanted(r, uw_result(user, 0), depth + 1, steps);
      here = here == EITHER ? EITHER : !here;
    } else if (uw_kind(user) == UW_OP_ARITH_SELECT && uw_same(uw_operand(user, 0), bit)) {
      bool first = uw_computable_outside(r->arena, uw_operand(user, 1), r->loop, NULL);
      bool second = uw_computable_outside(r->arena, uw_operand(user, 2), r->loop, NULL);
      here = first == second ? EITHER : second;
    }
    if (here != EITHER && found != EITHER && here != found)
      return EITHER;
    found = here != EITHER ? here : found;
  }
  return found;
}

/* What is compared for equality, before it was cut to the bits that by flag hold it: a remainder in a part of one
 * quotient (split_divisions.c), of which 0 is one thread. Parts for other comparisons of it are short rows, which take
 * longer than masks (foreign-shapes/mask: 1.15 times). */
static MlirValue uncut(MlirOperation compare, size_t i, bool is_signed) {
  MlirValue value = uw_operand(compare, i);
  MlirOperation op = uw_def(value);
  int64_t predicate = uw_kind(compare) == UW_OP_ARITH_CMPI ? uw_get_int_attr(compare, "predicate", -1) : -1;
  bool same = (predicate == UW_EQ || predicate == UW_NE) && uw_kind(op) == UW_OP_ARITH_TRUNCI &&
              uw_no_wrap(op, is_signed) && mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(op, 0))) <= 64;
  return same ? uw_operand(op, 0) : value;
}

/* left - right as factor * x + rest, with rest computed before the loop: the two that it lies between in the iterations
 * of a serial loop, or one. Gives how many; 0 if that cannot be, and nothing is left after then. */
static size_t difference(row *r, MlirOperation op, bool is_signed, int64_t *factor, MlirValue rests[2]) {
  uw_ops old = uw_block_ops(r->arena, mlirOperationGetBlock(op));
  uw_builder b = uw_at(op);
  uw_wides *known = uw_wides_create(r->arena, r->loop, false);
  uw_wides_read_as(known, r->settled);
  uw_wide left = uw_wide_of(known, &b, uncut(op, 0, is_signed), is_signed);
  uw_wide right = uw_wide_of(known, &b, uncut(op, 1, is_signed), is_signed);
  *factor = left.factor - right.factor;
  size_t count = 0;
  if (*factor == 1 || *factor == -1) {
    MlirValue rest = left.rest;
    if (right.rest.ptr)
      rest = folded(&b, "arith.subi", rest.ptr ? rest : uw_const_index(&b, 0), right.rest);
    count = uw_ends_of(r->counters, rest, rests);
  }
  uw_ops now = uw_block_ops(r->arena, mlirOperationGetBlock(op)); /* what was built on the way has served */
  size_t end = 0;
  while (!uw_same_op(now.at[end], op))
    end++;
  for (size_t built = now.count - old.count; built-- > 0;)
    uw_erase(now.at[--end]);
  return count;
}

/* Compared with a small integer? */
static bool near_start(MlirOperation op) {
  int64_t number;
  for (size_t i = 0; i < 2; i++)
    if (uw_const_value(uw_operand(op, i), &number))
      return number >= -UW_NEAR_START && number <= UW_NEAR_START;
  return false;
}

static bool is_short(const row *r) { return r->length >= 0 && r->length <= UW_SHORT_ROW; }

/* Is the value used in the arm of the branch and nowhere else, itself or in pure operations? */
static bool only_in_arm(const row *r, MlirValue value, int depth, int *steps) {
  enum { DEEPEST = 8 };
  MlirBlock arm = uw_block(r->branch, r->arm);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), top = user;
    while (!mlirBlockEqual(mlirOperationGetBlock(top), arm) && !uw_same_op(top, r->loop))
      top = uw_parent(top);
    if (!uw_same_op(top, r->loop))
      continue;
    if (depth == DEEPEST || (*steps)-- <= 0 || uw_result_count(user) != 1 || !uw_speculatable(user) ||
        !only_in_arm(r, uw_result(user, 0), depth + 1, steps))
      return false;
  }
  return true;
}

/* Makes the operation, a comparison `left - right relation 0`, constant in the middle; the value there, or -1. */
static int settle(row *r, MlirOperation op, int64_t predicate, bool is_signed) {
  int64_t factor;
  MlirValue rests[2];
  size_t count =
      decides(r, uw_result(op, 0), uw_table_create(r->arena)) ? difference(r, op, is_signed, &factor, rests) : 0;
  if (!count)
    return -1;
  uw_builder b = uw_at(r->loop);
  enum { LT, LE, GT, GE, EQ, NE } relation;
  switch (predicate) {
  case UW_EQ: relation = EQ; break;
  case UW_NE: relation = NE; break;
  case UW_SLT:
  case UW_ULT: relation = factor == 1 ? LT : GT; break;
  case UW_SLE:
  case UW_ULE: relation = factor == 1 ? LE : GE; break;
  case UW_SGT:
  case UW_UGT: relation = factor == 1 ? GT : LT; break;
  default: relation = factor == 1 ? GE : LE;
  }
  int steps = MOST_STEPS;
  /* Where there is memory to touch is the middle; where both sides have some, a small constant speaks of the start. */
  int truth = uw_kind(op) == UW_OP_ARITH_CMPI ? wanted(r, uw_result(op, 0), 0, &steps) : EITHER;
  bool start = truth == EITHER || relation == EQ || relation == NE ? near_start(op)
                                                                   : truth == (relation == GT || relation == GE);
  r->has_clamps = r->has_clamps || truth == EITHER || relation == EQ || relation == NE;
  MlirValue edges[2];
  for (size_t i = 0; i < count; i++) {
    int64_t number;
    /* factor * x + rest ? 0, with factor 1: x ? -rest; with -1: rest ? x */
    edges[i] = factor == 1 ? folded(&b, "arith.subi", uw_const_index(&b, 0), rests[i]) : rests[i];
    if (relation == LE || relation == GT || ((relation == EQ || relation == NE) && start))
      edges[i] = folded(&b, "arith.addi", edges[i], uw_const_index(&b, 1));
    if (uw_null(r->branch) && is_short(r) && uw_const_value(edges[i], &number)) /* its parts would be too short */
      return -1;
  }
  for (size_t i = 0; i < count; i++)
    uw_vals_push(r->arena, start ? &r->lows : &r->highs, edges[i]);
  if (relation == EQ || relation == NE)
    return relation == NE;
  return start ? relation == GT || relation == GE : relation == LT || relation == LE;
}

static int settle_op(row *r, MlirOperation op) {
  int steps = MOST_STEPS;
  if (!uw_null(r->branch) && !only_in_arm(r, uw_result(op, 0), 0, &steps))
    return -1;
  static const struct {
    const char *name;
    int64_t predicate;
  } extremes[] = {{"arith.minsi", UW_SLE}, {"arith.maxsi", UW_SGE}, {"arith.minui", UW_ULE}, {"arith.maxui", UW_UGE}};
  if (uw_kind(op) == UW_OP_ARITH_CMPI) {
    int64_t predicate = uw_get_int_attr(op, "predicate", UW_EQ);
    int value = settle(r, op, predicate, predicate < UW_ULT);
    return value < 0 ? -1 : value ? IS_TRUE : IS_FALSE;
  }
  for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
    if (uw_string_is(uw_name(op), extremes[i].name)) {
      int first = settle(r, op, extremes[i].predicate, extremes[i].predicate < UW_ULT);
      if (first >= 0)
        uw_map_set(r->settled, uw_result(op, 0), uw_operand(op, !first));
      return first < 0 ? -1 : first ? IS_FIRST : IS_SECOND;
    }
  return -1;
}

static bool is_integer(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32 && mlirIntegerTypeGetWidth(type) <= 64);
}

/* Marks what is settled in the middle; false if splitting does not pay. */
static bool find_edges(row *r) {
  uw_ops ops = uw_collect(r->arena, r->loop);
  bool fits = ops.count <= UW_MOST_COPIED;
  for (size_t i = 0; fits && i < ops.count; i++)
    fits = uw_kind(ops.at[i]) != UW_OP_SCF_FORALL || uw_same_op(ops.at[i], r->loop);
  if (!fits || uw_has_exchange(r->loop, "block") || uw_has_exchange(r->loop, "warp"))
    return false;
  r->counters = uw_counters_create(r->arena, r->loop);
  r->settled = uw_map_create(r->arena);
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_operand_count(ops.at[i]) != 2 || uw_result_count(ops.at[i]) != 1 || !is_integer(uw_operand(ops.at[i], 0)))
      continue;
    int value = settle_op(r, ops.at[i]);
    if (value >= 0)
      uw_set_attr(ops.at[i], MARK, uw_int_attr(mlirOperationGetContext(r->loop), 32, value));
  }
  return r->lows.count + r->highs.count > 0;
}

/* Takes the marks off; with `settled` the operations become what they say. */
static void unmark(uw_arena *arena, MlirOperation loop, bool settled) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.at[i];
    int64_t value = uw_get_int_attr(op, MARK, -1);
    if (value < 0 || uw_same_op(op, loop))
      continue;
    uw_remove_attr(op, MARK);
    if (!settled)
      continue;
    uw_builder b = uw_at(op);
    uw_replace_uses(uw_result(op, 0), value == IS_FIRST || value == IS_SECOND ? uw_operand(op, value == IS_SECOND)
                                                                              : uw_const_int(&b, 1, value == IS_TRUE));
    uw_erase(op);
  }
  if (settled) {
    uw_fold_bits(arena, loop);
    uw_widen_indices(arena, loop); /* clamps were in the way */
  }
}

/* Parts of the row, one of which is the middle. */
static void make_parts(const row *r, const uw_range *parts, size_t count, size_t middle, MlirOperation *made) {
  uw_split_range(r->arena, r->loop, r->dims - 1, parts, count, made);
  for (size_t i = 0; i < count; i++) {
    unmark(r->arena, made[i], i == middle);
    if (i == middle)
      continue;
    uw_set_attr(made[i], MARK, mlirUnitAttrGet(mlirOperationGetContext(made[i])));
    uw_set_fallback(made[i]);
  }
}

static MlirValue furthest(uw_builder *b, const uw_vals *edges, const char *name, MlirValue edge) {
  for (size_t i = 0; i < edges->count; i++)
    edge = uw_binary(b, name, edge, edges->at[i]);
  return edge;
}

static void choose(row *r, uw_builder *b, MlirValue all) {
  uw_versions versions =
      uw_make_versions(r->arena, b, .asked = all, .first = r->loop, .own = UW_FAILS, .fallback = true);
  for (size_t i = 0; i < 2; i++) {
    unmark(r->arena, versions.first[i], i == UW_HOLDS);
    uw_set_attr(versions.first[i], MARK, mlirUnitAttrGet(b->context));
  }
}

/* Makes bounds of what lets a thread come to the arm: the conditions of the branch and of those around it. */
static uw_bounds find_guarded(row *r) {
  uw_bounds bounds = uw_bounds_of(r->arena, r->loop);
  unsigned arm = r->arm;
  for (MlirOperation op = r->branch; !uw_same_op(op, r->loop); op = uw_parent(op)) {
    uw_guard guard = {.count = 0};
    bool known = uw_guard_add(&guard, uw_operand(op, 0), arm == 1);
    for (size_t i = 0; known && i < guard.count; i++)
      if (!uw_computable_outside(r->arena, guard.at[i].value, r->loop, NULL))
        uw_bound_by(&bounds, &guard.at[i], true);
    arm = !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(uw_parent(op), 0));
  }
  return bounds;
}

/* Without comparisons where all threads that come to the branch are in the middle. */
static void split_for_branch(row *r) {
  uw_bounds bounds = find_guarded(r);
  uw_builder b = uw_at(r->loop);
  MlirValue from = uw_lower_of(r->loop, r->dims - 1), to = uw_upper_of(r->loop, r->dims - 1);
  MlirValue start = bounds.lower[r->dims - 1], end = bounds.upper[r->dims - 1];
  start = start.ptr ? start : from;
  end = end.ptr ? end : to;
  MlirValue all = uw_compare(&b, UW_SLE, furthest(&b, &r->lows, "arith.maxsi", from), start);
  all = uw_binary(&b, "arith.andi", all, uw_compare(&b, UW_SGE, furthest(&b, &r->highs, "arith.minsi", to), end));
  choose(r, &b, bounds.asked.ptr ? uw_binary(&b, "arith.andi", all, bounds.asked) : all);
}

/* The left part of a tile's halo may be the first threads' and the right one the last threads', and the rest between
 * them: where less than half of the row would be in the middle, it runs as it was. */
static void ask_for_middle(row *r, uw_builder *b, MlirValue length, MlirValue middle) {
  int64_t number;
  bool starts_known = true;
  for (size_t i = 0; i < r->lows.count; i++)
    starts_known = starts_known && uw_const_value(r->lows.at[i], &number);
  if (starts_known || !uw_may_copy(r->loop, UW_SOME_GAIN, "split-borders"))
    return;
  MlirValue pays = uw_compare(b, UW_SGE, uw_binary(b, "arith.muli", middle, uw_const_index(b, 2)), length);
  uw_versions versions = uw_make_versions(r->arena, b, .asked = pays, .first = r->loop, .own = UW_HOLDS);
  unmark(r->arena, versions.first[UW_FAILS], false);
  uw_set_attr(versions.first[UW_FAILS], MARK, mlirUnitAttrGet(b->context));
}

static void split(row *r) {
  uw_builder b = uw_at(r->loop);
  MlirValue from = uw_lower_of(r->loop, r->dims - 1), to = uw_upper_of(r->loop, r->dims - 1);
  MlirValue low = uw_binary(&b, "arith.minsi", furthest(&b, &r->lows, "arith.maxsi", from), to);
  MlirValue high = uw_binary(&b, "arith.maxsi", furthest(&b, &r->highs, "arith.minsi", to), low);
  int64_t number;
  bool is_part =
      !mlirAttributeIsNull(uw_get_attr(r->loop, UW_SPLIT)) && (!r->lows.count || !r->highs.count) && !r->has_clamps;
  bool keeps = r->length >= 0 || is_part;
  for (size_t i = 0; i < r->lows.count + r->highs.count;
       i++) /* an edge inside of every row leaves none that is all middle */
    keeps = keeps && !uw_const_value(i < r->lows.count ? r->lows.at[i] : r->highs.at[i - r->lows.count], &number);
  if (keeps) {
    MlirValue all = uw_binary(&b, "arith.andi", uw_compare(&b, UW_EQ, low, from), uw_compare(&b, UW_EQ, high, to));
    choose(r, &b, all);
    return;
  }
  const uw_range head = {from, low}, middle = {low, high}, tail = {high, to}, all = {from, to};
  MlirOperation made[2];
  if (!r->highs.count) {
    make_parts(r, (const uw_range[]){head, middle}, 2, 1, made);
  } else if (!r->lows.count) {
    make_parts(r, (const uw_range[]){middle, tail}, 2, 0, made);
  } else {
    ask_for_middle(r, &b, uw_binary(&b, "arith.subi", to, from), uw_binary(&b, "arith.subi", high, low));
    make_parts(r, (const uw_range[]){middle, all}, 2, 0, made);
    b = uw_at(made[1]);
    uw_do_ends(&b, made[1], (MlirValue){NULL}, low, high);
  }
}

/* Does it stand in the loop's body, or in nothing but branches there? */
static bool is_under_branches(const row *r, MlirOperation op) {
  for (op = uw_parent(op); uw_kind(op) == UW_OP_SCF_IF;)
    op = uw_parent(op);
  return uw_same_op(op, r->loop);
}

/* Looks first, in a short row, at what one branch alone uses, inner ones before those around them. False if there is
 * nothing to split. */
static bool find(row *r) {
  uw_ops branches = uw_collect_kind(r->arena, r->loop, UW_OP_SCF_IF);
  for (size_t i = is_short(r) ? branches.count : 0; i-- > 0;) {
    if (!is_under_branches(r, branches.at[i]))
      continue;
    r->branch = branches.at[i];
    r->arm = !has_memory(uw_block(r->branch, 0), r->arena);
    if (find_edges(r))
      return true;
    unmark(r->arena, r->loop, false);
  }
  r->branch = (MlirOperation){NULL};
  if (find_edges(r))
    return true;
  unmark(r->arena, r->loop, false);
  return false;
}

uw_change uw_pass_split_borders(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    row r = {.arena = ctx->arena, .loop = loops.at[i], .dims = uw_dims(loops.at[i])};
    if (!uw_is_over(r.loop, UW_OVER_THREADS) || r.dims == 0 || !mlirAttributeIsNull(uw_get_attr(r.loop, MARK)) ||
        uw_is_fallback(r.loop))
      continue;
    int64_t first, last;
    bool known = uw_const_value(uw_lower_of(r.loop, r.dims - 1), &first) &&
                 uw_const_value(uw_upper_of(r.loop, r.dims - 1), &last);
    r.length = known ? last - first : -1;
    if (!find(&r))
      continue;
    if (!uw_may_copy(r.loop, UW_SOME_GAIN, "split-borders")) {
      unmark(r.arena, r.loop, false);
      continue;
    }
    uw_remark(mlirOperationGetLocation(r.loop), "split-borders",
              "rim and middle of a row of threads run apart: no clamps and conditions in the middle");
    if (uw_null(r.branch))
      split(&r);
    else
      split_for_branch(&r);
    change = UW_CHANGED;
  }
  return change;
}
