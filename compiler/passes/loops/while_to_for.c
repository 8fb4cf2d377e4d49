/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A while that counts becomes a for: its trips are known to be the same for all threads where its bounds are, and
 * later passes see the counter.
 *
 *   %r:2 = while (%i = %a, %x = %x0) {            %r = for %i = %a to %n step %c4 iter(%x = %x0) {
 *     condition(%i < %n) %i, %x             ==>     body; yield %y }
 *   } do { body; yield %i + 4, %y }
 *
 * Holds when a) what computes the condition is pure and compares a carried value, the counter, with what can be
 * computed outside; b) the counter's next value is itself plus a constant, or plus a value from outside where signed
 * overflow is excluded (nsw); c) the counter cannot wrap around before the loop ends, which is known from a step of 1,
 * a constant bound, or nsw and nuw flags (a loop that wraps in spite of its flag has no meaning).
 *
 *   i < n                    for unsigned or signed as it is
 *   i <= n                   to n + 1, where n is a constant below the largest value, or by flag
 *   i != n, step 1 or -1     as i < n or i > n where the start is 0 (or n is 0, downwards), or by flag
 *   i > n, i >= n, step -c   for %k = 0 to trips, i = start - c k; trips computed unsigned, so exact
 *
 * A condition may be a conjunction, made of arith.andi or of selects that ask one part only where another holds:
 *
 *   while (%i < %n & %a + %i < %m & %p)    ==>    if (%p) for %i = … to min(%n, %m - %a)
 *
 * Parts that the loop does not change are asked once before it. Of the comparisons one has to be enough to count the
 * loop (above; upwards, not i != n, and i <= n only where n is constant). Its counter then goes up through values that
 * lie in order, as signed or unsigned integers; another comparison, i < m or i + a < m, that holds up to a value in
 * the same order moves the end there. For that the counter has 32 bits, so that m - a is exact in 64; the sum has the
 * flag that excludes overflow in the order of its comparison (where it overflows nevertheless, the condition has no
 * meaning, or does not hold for another reason, and then the end is there already); and the orders agree: both have a
 * sign, or neither; or the counter stays where they are the same, below a constant bound of at most 2^31 without sign,
 * or from a constant start of at least 0 by a constant step with sign.
 * What is asked first now must have a meaning where it was not asked before: of a part that another one hides, values
 * from outside are refused that overflow could make poison. (A part of an andi that has no meaning leaves none to the
 * whole.) Where the loop holds barriers, parts that it does not change are refused: threads must not part around a
 * barrier.
 *
 * Requires: nothing. Preserves: order of effects. Refuses (leaves as it is): all else. */
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

enum { MAX_PARTS = 8, MAX_DEPTH = 8 };

/* A comparison of the counter, or of a sum of it and a value that can be computed outside, with such a value. */
typedef struct limit {
  size_t counter;          /* index of the carried value */
  int predicate;           /* counter on the left */
  MlirValue offset, bound; /* offset may be null */
  bool nsw, nuw;           /* of the sum */
} limit;

/* What a counting loop looks like. */
typedef struct counting {
  uw_arena *arena;
  MlirOperation loop;
  size_t counter;  /* index of the carried value */
  MlirValue bound; /* can be computed outside */
  int predicate;   /* counter on the left */
  bool by_one;     /* the bound is meant with it */
  MlirValue step;  /* from outside, or null: */
  int64_t constant_step;
  bool nsw, nuw;
  unsigned width;
  limit limits[MAX_PARTS]; /* all comparisons of the condition; the first is the one above */
  size_t limit_count;
  MlirValue asked[MAX_PARTS]; /* parts of the condition that the loop does not change */
  size_t asked_count;
} counting;

static MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }

/* The value that stands for an argument of the body in the condition's region; other values stand for themselves. */
static MlirValue before_body(const counting *c, MlirValue value) {
  MlirBlock after = uw_block(c->loop, 1);
  for (size_t j = 0; j < uw_result_count(c->loop); j++)
    if (uw_same(value, argument(after, j)))
      return uw_operand(uw_last(uw_block(c->loop, 0)), j + 1);
  return value;
}

static bool match_step(counting *c) {
  MlirBlock before = uw_block(c->loop, 0), after = uw_block(c->loop, 1);
  MlirValue counter = argument(before, c->counter);
  MlirValue next = before_body(c, uw_operand(uw_last(after), c->counter));
  MlirOperation add = uw_def(next);
  if (uw_kind(add) != UW_OP_ARITH_ADDI && uw_kind(add) != UW_OP_ARITH_SUBI)
    return false;
  bool subtracts = uw_kind(add) == UW_OP_ARITH_SUBI;
  MlirValue left = before_body(c, uw_operand(add, 0)), right = before_body(c, uw_operand(add, 1)), step;
  if (uw_same(left, counter))
    step = right;
  else if (uw_same(right, counter) && !subtracts)
    step = left;
  else
    return false;
  c->nsw = uw_no_wrap(add, true);
  c->nuw = uw_no_wrap(add, false);
  if (uw_const_value(step, &c->constant_step)) {
    if (c->constant_step == 0 || c->constant_step == INT64_MIN)
      return false;
    if (subtracts)
      c->constant_step = -c->constant_step;
    return true;
  }
  c->step = step;
  return !subtracts && !uw_defined_inside(step, c->loop) && c->predicate == SLT && c->nsw;
}

static bool outside(const counting *c, MlirValue value) {
  return uw_computable_outside(c->arena, value, c->loop, NULL);
}

/* Is value the counter, or a sum of it? */
static bool is_counter(const counting *c, MlirValue value, limit *l) {
  MlirBlock before = uw_block(c->loop, 0);
  for (l->counter = 0; l->counter < uw_operand_count(c->loop); l->counter++)
    if (uw_same(value, argument(before, l->counter)))
      return true;
  MlirOperation sum = uw_def(value);
  if (uw_kind(sum) != UW_OP_ARITH_ADDI || l->offset.ptr)
    return false;
  for (size_t i = 0; i < 2; i++) {
    *l = (limit){.offset = uw_operand(sum, i), .nsw = uw_no_wrap(sum, true), .nuw = uw_no_wrap(sum, false)};
    if (outside(c, l->offset) && is_counter(c, uw_operand(sum, 1 - i), l))
      return true;
  }
  return false;
}

/* Can no overflow have made value poison? What is loaded, or handed in, the program itself has come by. */
static bool has_meaning(MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  int64_t number;
  if (depth == MAX_DEPTH)
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_SHLI:
    if (!uw_const_value(uw_operand(op, 1), &number) || number < 0 || number > 31)
      return false;
    __attribute__((fallthrough));
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
    if (uw_no_wrap(op, true) || uw_no_wrap(op, false))
      return false;
    break;
  case UW_OP_ARITH_CMPI:
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI:
  case UW_OP_ARITH_SELECT:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: break;
  default: return uw_null(op) || uw_kind(op) == UW_OP_LLVM_LOAD || uw_const_value(value, &number);
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!has_meaning(uw_operand(op, i), depth + 1))
      return false;
  return true;
}

static bool read_comparison(const counting *c, MlirOperation compare, limit *l) {
  static const int swapped[] = {EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE};
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  for (size_t i = 0; i < 2; i++) {
    *l = (limit){0};
    if (!outside(c, uw_operand(compare, 1 - i)) || !is_counter(c, uw_operand(compare, i), l))
      continue;
    l->bound = uw_operand(compare, 1 - i);
    l->predicate = (int)uw_get_int_attr(compare, "predicate", EQ);
    if (i == 1)
      l->predicate = swapped[l->predicate];
    return true;
  }
  return false;
}

/* Takes the condition apart. Hidden: value is not always asked for. */
static bool read_condition(counting *c, MlirValue value, bool hidden) {
  MlirOperation op = uw_def(value);
  int64_t no;
  if (outside(c, value)) {
    if (c->asked_count == MAX_PARTS || (hidden && !has_meaning(value, 0)))
      return false;
    c->asked[c->asked_count++] = value;
    return true;
  }
  if (uw_kind(op) == UW_OP_ARITH_ANDI)
    return read_condition(c, uw_operand(op, 0), hidden) && read_condition(c, uw_operand(op, 1), hidden);
  if (uw_kind(op) == UW_OP_ARITH_SELECT && uw_const_value(uw_operand(op, 2), &no) && (no & 1) == 0)
    return read_condition(c, uw_operand(op, 0), hidden) && read_condition(c, uw_operand(op, 1), true);
  limit *l = &c->limits[c->limit_count];
  if (c->limit_count++ == MAX_PARTS - 1 || !read_comparison(c, op, l))
    return false;
  return !hidden || (has_meaning(l->bound, 0) && (!l->offset.ptr || has_meaning(l->offset, 0)));
}

/* Largest and smallest signed integers of the width. */
static int64_t largest(const counting *c) { return c->width == 32 ? INT32_MAX : INT64_MAX; }
static int64_t smallest(const counting *c) { return c->width == 32 ? INT32_MIN : INT64_MIN; }

/* Makes the predicate SLT, ULT, SGT or UGT, the bound moved by one where `by_one`, if the loop can be counted. */
static bool normalize(counting *c) {
  int64_t bound, start, step = c->step.ptr ? 1 : c->constant_step;
  bool known = uw_const_value(c->bound, &bound);
  bool from_zero = uw_const_value(uw_operand(c->loop, c->counter), &start) && start == 0;
  uint64_t unsigned_bound = c->width == 32 ? (uint32_t)bound : (uint64_t)bound;
  uint64_t unsigned_largest = c->width == 32 ? UINT32_MAX : UINT64_MAX;
  c->by_one = false;
  if (c->predicate == NE && step == 1) {
    if (c->nuw || from_zero)
      c->predicate = ULT;
    else if (c->nsw)
      c->predicate = SLT;
    return c->predicate != NE;
  }
  if (c->predicate == NE && step == -1 && known && bound == 0)
    c->predicate = UGT;
  switch (c->predicate) {
  case SLT: return step > 0 && (step == 1 || c->nsw || (known && bound <= largest(c) - step + 1));
  case ULT:
    return step > 0 && (step == 1 || c->nuw || (known && unsigned_bound <= unsigned_largest - (uint64_t)step + 1));
  case SLE:
    c->predicate = SLT;
    c->by_one = true;
    return step > 0 && (c->nsw || (known && bound <= largest(c) - step));
  case ULE:
    c->predicate = ULT;
    c->by_one = true;
    return step > 0 && (c->nuw || (known && unsigned_bound <= unsigned_largest - (uint64_t)step));
  case SGT: return step < 0 && (step == -1 || c->nsw || (known && bound >= smallest(c) - step - 1));
  case UGT: return step < 0 && (step == -1 || (known && unsigned_bound >= -(uint64_t)step - 1));
  case SGE:
    c->predicate = SGT;
    c->by_one = true;
    return step < 0 && (c->nsw || (known && bound >= smallest(c) - step));
  case UGE:
    c->predicate = UGT;
    c->by_one = true;
    return step < 0 && known && unsigned_bound >= -(uint64_t)step;
  default: return false;
  }
}

static bool has_sign(int predicate) { return predicate >= SLT && predicate <= SGE; }

/* Does the comparison hold up to a value in the order in which the counter goes up? */
static bool fits(const counting *c, const limit *l) {
  int64_t bound, start;
  bool is_signed = has_sign(l->predicate);
  if (l->counter != c->counter || (l->offset.ptr && !(is_signed ? l->nsw : l->nuw)) ||
      (l->predicate != SLT && l->predicate != SLE && l->predicate != ULT && l->predicate != ULE))
    return false;
  if (is_signed == (c->predicate == SLT))
    return true;
  if (is_signed)
    return uw_const_value(c->bound, &bound) && (uint64_t)(uint32_t)bound + c->by_one <= (uint64_t)INT32_MAX + 1;
  return !c->step.ptr && uw_const_value(uw_operand(c->loop, c->counter), &start) && (int32_t)start >= 0;
}

/* Counts the loop by the first of its comparisons, the others as further ends. */
static bool count_by_first(counting *c) {
  const limit *first = &c->limits[0];
  int64_t known;
  MlirType type = mlirValueGetType(first->bound);
  c->counter = first->counter;
  c->bound = first->bound;
  c->predicate = first->predicate;
  c->step = (MlirValue){NULL};
  c->width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  if (first->offset.ptr || (c->width != 32 && c->width != 64) || !match_step(c) || !normalize(c))
    return false;
  if (c->limit_count == 1)
    return true;
  if (c->width != 32 || first->predicate == NE || (c->predicate != SLT && c->predicate != ULT) ||
      (c->by_one && !uw_const_value(c->bound, &known)))
    return false;
  for (size_t i = 1; i < c->limit_count; i++)
    if (!fits(c, &c->limits[i]))
      return false;
  return true;
}

static bool match(uw_arena *arena, MlirOperation loop, counting *c) {
  *c = (counting){.arena = arena, .loop = loop};
  MlirBlock before = uw_block(loop, 0);
  MlirOperation condition = uw_last(before);
  uw_foreach_op (op, before)
    if (!uw_same_op(op, condition) && (!uw_clonable(op) || uw_kind(op) == UW_OP_LLVM_LOAD))
      return false;
  if (!read_condition(c, uw_operand(condition, 0), false) ||
      (c->asked_count > 0 && (uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp"))))
    return false;
  for (size_t i = 0; i < c->limit_count; i++) {
    limit other = c->limits[0];
    c->limits[0] = c->limits[i];
    c->limits[i] = other;
    if (count_by_first(c))
      return true;
  }
  return false;
}

static MlirValue constant_of(uw_builder *b, MlirType type, int64_t value) {
  return uw_build1(b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

/* How often a loop that counts down runs: start > bound ? ceil((start - bound) / step) : 0, the difference without
 * sign. */
static MlirValue count_trips(uw_builder *b, const counting *c, MlirValue start, MlirValue bound) {
  MlirType type = mlirValueGetType(start);
  MlirValue runs = uw_build1(b, "arith.cmpi", .in = VALS(start, bound), .out = TYPES(uw_int_type(b->context, 1)),
                             .attrs = ATTRS({"predicate", uw_int_attr(b->context, 64, c->predicate)}));
  MlirValue trips = uw_binary(b, "arith.subi", start, bound);
  if (c->constant_step != -1) { /* (d - 1) / step + 1 does not overflow; d is not 0 where it counts */
    MlirValue one = constant_of(b, type, 1);
    trips =
        uw_binary(b, "arith.divui", uw_binary(b, "arith.subi", trips, one), constant_of(b, type, -c->constant_step));
    trips = uw_binary(b, "arith.addi", trips, one);
  }
  return uw_build1(b, "arith.select", .in = VALS(runs, trips, constant_of(b, type, 0)), .out = TYPES(type));
}

static MlirValue widened(uw_builder *b, MlirValue value, bool is_signed) {
  return uw_build1(b, is_signed ? "arith.extsi" : "arith.extui", .in = VALS(value),
                   .out = TYPES(uw_int_type(b->context, 64)));
}

/* The end of a loop with several: the least of them, computed in 64 bits. Where no number of the counter's type is as
 * small, no iteration is made, so the smallest will do. */
static MlirValue least_end(uw_builder *b, const counting *c, uw_map *map) {
  MlirValue least = {NULL};
  for (size_t i = 0; i < c->limit_count; i++) {
    const limit *l = &c->limits[i];
    bool is_signed = has_sign(l->predicate);
    MlirValue end = widened(b, uw_compute_outside(b, l->bound, c->loop, map), is_signed);
    if (l->offset.ptr)
      end = uw_binary(b, "arith.subi", end, widened(b, uw_compute_outside(b, l->offset, c->loop, map), is_signed));
    if (l->predicate == SLE || l->predicate == ULE)
      end = uw_binary(b, "arith.addi", end, uw_const_int(b, 64, 1));
    least = least.ptr ? uw_binary(b, "arith.minsi", least, end) : end;
  }
  least = uw_binary(b, "arith.maxsi", least, uw_const_int(b, 64, c->predicate == SLT ? INT32_MIN : 0));
  return uw_build1(b, "arith.trunci", .in = VALS(least), .out = TYPES(uw_int_type(b->context, 32)));
}

/* Copies of the pure operations of the condition's region. */
static void clone_before(uw_builder *b, MlirBlock before, uw_map *map) {
  MlirOperation last = uw_last(before);
  uw_foreach_op (op, before)
    if (!uw_same_op(op, last))
      uw_clone(b, op, map);
}

static void rebuild(counting *c) {
  uw_arena *arena = c->arena;
  MlirOperation loop = c->loop;
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before), yield = uw_last(after);
  size_t carried = uw_operand_count(loop), results = uw_result_count(loop);
  bool results_used = false;
  for (size_t j = 0; j < results; j++)
    results_used = results_used || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(loop, j)));
  uw_builder b = uw_at(loop);
  uw_map *outer = uw_map_create(arena);
  MlirOperation choice = {NULL};
  if (c->asked_count > 0) {
    MlirValue all = uw_compute_outside(&b, c->asked[0], loop, outer);
    for (size_t i = 1; i < c->asked_count; i++)
      all = uw_binary(&b, "arith.andi", all, uw_compute_outside(&b, c->asked[i], loop, outer));
    MlirType *types = uw_alloc(arena, (carried + 1) * sizeof *types);
    for (size_t i = 0; i < carried; i++)
      types[i] = mlirValueGetType(uw_operand(loop, i));
    choice = uw_build_if(&b, all, (uw_type_list){types, results_used ? carried : 0});
    b = uw_at_end(uw_block(choice, 0), b.location);
  }
  MlirValue start = uw_operand(loop, c->counter);
  MlirType type = mlirValueGetType(start);
  bool down = c->predicate == SGT || c->predicate == UGT;
  MlirValue bound = c->limit_count > 1 ? least_end(&b, c, outer) : uw_compute_outside(&b, c->bound, loop, outer);
  if (c->by_one && c->limit_count == 1)
    bound = uw_binary(&b, "arith.addi", bound, constant_of(&b, type, down ? -1 : 1));
  MlirValue lower = start, step = c->step;
  if (down) {
    bound = count_trips(&b, c, start, bound);
    lower = constant_of(&b, type, 0);
    step = constant_of(&b, type, 1);
  } else if (!step.ptr) {
    step = constant_of(&b, type, c->constant_step);
  }

  /* The counter is carried too, for the results; where none needs it, it is dropped as unused. */
  uw_vals inits = {0}, next = {0};
  for (size_t i = 0; i < carried; i++)
    if (i != c->counter || results_used)
      uw_vals_push(arena, &inits, uw_operand(loop, i));
  MlirOperation copy = uw_build_for(&b, lower, bound, step, VALS_OF(inits));
  if (down || c->predicate == ULT)
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(b.context));
  MlirBlock body = uw_block(copy, 0);
  uw_builder top = uw_at_end(body, b.location);
  uw_map *map = uw_map_create(arena), *end_map = uw_map_create(arena);
  for (size_t i = 0, k = 0; i < carried; i++) {
    if (i != c->counter || results_used) {
      uw_map_set(map, argument(before, i), argument(body, k + 1));
      uw_map_set(end_map, argument(before, i), uw_result(uw_null(choice) ? copy : choice, k++));
    }
  }
  MlirValue counter = argument(body, 0);
  if (down)
    counter = uw_binary(&top, "arith.addi", start,
                        uw_binary(&top, "arith.muli", counter, constant_of(&top, type, c->constant_step)));
  uw_map_set(map, argument(before, c->counter), counter);
  clone_before(&top, before, map);
  for (size_t j = 0; j < results; j++)
    uw_replace_uses(argument(after, j), uw_map_or_same(map, uw_operand(condition, j + 1)));
  for (size_t i = 0; i < carried; i++)
    if (i != c->counter || results_used)
      uw_vals_push(arena, &next, uw_operand(yield, i));
  uw_foreach_op_safe (op, after)
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, body);
  uw_yield(body, b.location, VALS_OF(next));
  if (!uw_null(choice)) { /* what is carried at the end, or from the start */
    uw_vals ends = {0};
    for (size_t i = 0; results_used && i < carried; i++)
      uw_vals_push(arena, &ends, uw_result(copy, i));
    uw_yield(uw_block(choice, 0), b.location, VALS_OF(ends));
    uw_yield(uw_block(choice, 1), b.location, results_used ? VALS_OF(inits) : VALS_OF(ends));
  }
  if (results_used) {
    uw_builder after = uw_after(uw_null(choice) ? copy : choice);
    clone_before(&after, before, end_map);
    for (size_t j = 0; j < results; j++)
      uw_replace_uses(uw_result(loop, j), uw_map_or_same(end_map, uw_operand(condition, j + 1)));
  }
  uw_erase(loop);
}

uw_change uw_pass_while_to_for(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_WHILE);
  for (size_t i = loops.count; i-- > 0;) {
    counting c;
    if (!match(ctx->arena, loops.at[i], &c))
      continue;
    rebuild(&c);
    change = UW_CHANGED;
  }
  return change;
}
