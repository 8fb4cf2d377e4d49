/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A while that counts becomes a for: its trips are known to be the same for all threads where its bounds are, and
 * later passes see the counter.
 *
 *   %r:2 = while (%i = %a, %x = %x0) {            %r = for %i = %a to %n step %c4 iter(%x = %x0) {
 *     condition(%i < %n) %i, %x             ==>     body; yield %y }
 *   } do { body; yield %i + 4, %y }
 *
 * Holds when a) what computes the condition is pure and compares a carried value, the counter, with a value from
 * outside; b) the counter's next value is itself plus a constant, or plus a value from outside where signed
 * overflow is excluded (nsw); c) the counter cannot wrap around before the loop ends, which is known from a step of
 * 1, a constant bound, or nsw and nuw flags (a loop that wraps in spite of its flag has no meaning).
 *
 *   i < n                    for unsigned or signed as it is
 *   i <= n                   to n + 1, where n is a constant below the largest value, or by flag
 *   i != n, step 1 or -1     as i < n or i > n where the start is 0 (or n is 0, downwards), or by flag
 *   i > n, i >= n, step -c   for %k = 0 to trips, i = start - c k; trips computed without sign, so exact
 *
 * Requires: nothing. Preserves: order of effects. Refuses (leaves as it is): all else. */
#include "../barriers/thread_loop.h"

enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

/* What a counting loop looks like. */
typedef struct counting {
  MlirOperation loop;
  size_t counter;  /* number of the carried value */
  MlirValue bound; /* from outside */
  int predicate;   /* counter on the left */
  MlirValue step;  /* from outside, or null: */
  int64_t constant_step;
  bool nsw, nuw;
  unsigned width;
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

static bool match(MlirOperation loop, counting *c) {
  static const int swapped[] = {EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE};
  *c = (counting){.loop = loop};
  MlirBlock before = uw_block(loop, 0);
  MlirOperation condition = uw_last(before), compare = uw_def(uw_operand(condition, 0));
  uw_foreach_op(op, before)
    if (!uw_same_op(op, condition) && (!uw_clonable(op) || uw_kind(op) == UW_OP_LLVM_LOAD))
      return false;
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  c->predicate = (int)uw_get_int_attr(compare, "predicate", EQ);
  MlirValue left = uw_operand(compare, 0), right = uw_operand(compare, 1);
  bool found = false;
  for (size_t i = 0; i < uw_operand_count(loop) && !found; i++) {
    c->counter = i;
    if (uw_same(left, argument(before, i)) && !uw_defined_inside(right, loop)) {
      c->bound = right;
      found = true;
    } else if (uw_same(right, argument(before, i)) && !uw_defined_inside(left, loop)) {
      c->bound = left;
      c->predicate = swapped[c->predicate];
      found = true;
    }
  }
  if (!found)
    return false;
  MlirType type = mlirValueGetType(c->bound);
  c->width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  return (c->width == 32 || c->width == 64) && match_step(c);
}

/* Largest and smallest signed numbers of the width. */
static int64_t largest(const counting *c) { return c->width == 32 ? INT32_MAX : INT64_MAX; }
static int64_t smallest(const counting *c) { return c->width == 32 ? INT32_MIN : INT64_MIN; }

/* Makes the predicate SLT, ULT, SGT or UGT, the bound moved by one where `*by_one`, if the loop can be counted. */
static bool normalize(counting *c, bool *by_one) {
  int64_t bound, start, step = c->step.ptr ? 1 : c->constant_step;
  bool known = uw_const_value(c->bound, &bound);
  bool from_zero = uw_const_value(uw_operand(c->loop, c->counter), &start) && start == 0;
  uint64_t unsigned_bound = c->width == 32 ? (uint32_t)bound : (uint64_t)bound;
  uint64_t unsigned_largest = c->width == 32 ? UINT32_MAX : UINT64_MAX;
  *by_one = false;
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
    *by_one = true;
    return step > 0 && (c->nsw || (known && bound <= largest(c) - step));
  case ULE:
    c->predicate = ULT;
    *by_one = true;
    return step > 0 && (c->nuw || (known && unsigned_bound <= unsigned_largest - (uint64_t)step));
  case SGT: return step < 0 && (step == -1 || c->nsw || (known && bound >= smallest(c) - step - 1));
  case UGT: return step < 0 && (step == -1 || (known && unsigned_bound >= -(uint64_t)step - 1));
  case SGE:
    c->predicate = SGT;
    *by_one = true;
    return step < 0 && (c->nsw || (known && bound >= smallest(c) - step));
  case UGE:
    c->predicate = UGT;
    *by_one = true;
    return step < 0 && known && unsigned_bound >= -(uint64_t)step;
  default: return false;
  }
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
    trips = uw_binary(b, "arith.divui", uw_binary(b, "arith.subi", trips, one), constant_of(b, type, -c->constant_step));
    trips = uw_binary(b, "arith.addi", trips, one);
  }
  return uw_build1(b, "arith.select", .in = VALS(runs, trips, constant_of(b, type, 0)), .out = TYPES(type));
}

/* Copies of the pure operations of the condition's region. */
static void clone_before(uw_builder *b, MlirBlock before, uw_map *map) {
  MlirOperation last = uw_last(before);
  uw_foreach_op(op, before)
    if (!uw_same_op(op, last))
      uw_clone(b, op, map);
}

static void rebuild(uw_arena *arena, counting *c, bool by_one) {
  MlirOperation loop = c->loop;
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before), yield = uw_last(after);
  size_t carried = uw_operand_count(loop), results = uw_result_count(loop);
  uw_builder b = uw_at(loop);
  MlirValue start = uw_operand(loop, c->counter), bound = c->bound;
  MlirType type = mlirValueGetType(start);
  bool down = c->predicate == SGT || c->predicate == UGT;
  if (by_one)
    bound = uw_binary(&b, "arith.addi", bound, constant_of(&b, type, down ? -1 : 1));
  MlirValue lower = start, step = c->step;
  if (down) {
    bound = count_trips(&b, c, start, bound);
    lower = constant_of(&b, type, 0);
    step = constant_of(&b, type, 1);
  } else if (!step.ptr) {
    step = constant_of(&b, type, c->constant_step);
  }
  bool results_used = false;
  for (size_t j = 0; j < results; j++)
    results_used = results_used || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(loop, j)));

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
      uw_map_set(end_map, argument(before, i), uw_result(copy, k++));
    }
  }
  MlirValue counter = argument(body, 0);
  if (down)
    counter =
        uw_binary(&top, "arith.addi", start, uw_binary(&top, "arith.muli", counter, constant_of(&top, type, c->constant_step)));
  uw_map_set(map, argument(before, c->counter), counter);
  clone_before(&top, before, map);
  for (size_t j = 0; j < results; j++)
    uw_replace_uses(argument(after, j), uw_map_or_same(map, uw_operand(condition, j + 1)));
  for (size_t i = 0; i < carried; i++)
    if (i != c->counter || results_used)
      uw_vals_push(arena, &next, uw_operand(yield, i));
  uw_foreach_op_safe(op, after)
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, body);
  uw_yield(body, b.location, VALS_OF(next));
  if (results_used) {
    uw_builder behind = uw_after(copy);
    clone_before(&behind, before, end_map);
    for (size_t j = 0; j < results; j++)
      uw_replace_uses(uw_result(loop, j), uw_map_or_same(end_map, uw_operand(condition, j + 1)));
  }
  uw_erase(loop);
}

uw_change uw_pass_raise_for(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_WHILE);
  for (size_t i = loops.count; i-- > 0;) {
    counting c;
    bool by_one;
    if (!match(loops.at[i], &c) || !normalize(&c, &by_one))
      continue;
    rebuild(ctx->arena, &c, by_one);
    change = UW_CHANGED;
  }
  return change;
}
