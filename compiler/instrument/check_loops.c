/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks once before a loop what the checks of -fcheck would ask in each of its rounds: whether an address lies inside of
 * an object.
 *
 *   for (%k = 0; %k < %n; %k += 1) {             if (first and last address lie inside, and all lie on a line between)
 *     __unwarp_check_read4(%state, %a[%k], …)      for (%k = 0; %k < %n; %k += 1) { … }
 *     … }                                  ==>   else
 *                                                  for (%k = 0; %k < %n; %k += 1) { __unwarp_check_read4(…); … }
 *
 * The same for a while that counts, as threads that step over the whole grid have it: while (%i < %n) { …; %i + %step
 * }. There the counter could wrap around, or not move; that is asked, too.
 *
 * Done for checks that keep nothing in mind where all is well: __unwarp_check_object, __unwarp_check_read and
 * __unwarp_check_filled, whose object is what was written of a shared array, from its start. Where the question is
 * answered by no, each iteration asks as before, so that reports are the same.
 *
 * Holds when a) the loop holds neither loops nor exchanges; b) the address is a sum of products of the counter and of
 * what the loop does not change; c) all else that the check is given is computed outside. What is computed narrower
 * than an address may wrap around on the way: at each operation where it becomes wider the values of the first, the
 * second and the last iteration have to lie on a line, in 64 bits, which no number of 2^31 iterations can bring about
 * by wrapping around; so do the addresses.
 *
 * Requires: for loops made. Preserves: what is reported. Refuses: all else, silently. */
#include <stdlib.h>
#include <string.h>

#include "../analysis/thresholds.h"
#include "../analysis/exchange.h"
#include "../ir/known_calls.h"
#include "../transform/version.h"
#include "../passes/passes.h"
#include "check_loops.h"

#define ASKED "unwarp.check_asked" /* a loop that is one of the two versions; a check that the first one has not */
enum { MOST_STEPS = 64 };

typedef enum shape { FIXED, LINEAR, OTHER } shape; /* of a value, over the iterations */

typedef struct iterations {
  uw_arena *arena;
  MlirOperation loop;
  MlirValue counter, lower, upper, step;
  bool is_signed; /* signed integers are compared */
  uw_ops widened; /* extensions of linear values */
  int steps;
} iterations;

static shape shape_of(iterations *r, MlirValue value);

static shape widest_of_operands(iterations *r, MlirOperation op) {
  shape widest = FIXED;
  for (size_t i = 0; i < uw_operand_count(op) && widest != OTHER; i++) {
    shape one = shape_of(r, uw_operand(op, i));
    widest = one > widest ? one : widest;
  }
  return widest;
}

static unsigned bits_of(MlirType type) { return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64; }

static shape shape_of(iterations *r, MlirValue value) {
  if (uw_same(value, r->counter))
    return LINEAR;
  if (!uw_defined_inside(value, r->loop))
    return FIXED;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || r->steps-- <= 0 || uw_region_count(op) || mlirOperationGetNumResults(op) != 1 ||
      !uw_speculatable(op))
    return OTHER;
  shape widest = widest_of_operands(r, op);
  if (widest != LINEAR)
    return widest;
  MlirStringRef name = uw_name(op);
  if (uw_string_is(name, "arith.addi") || uw_string_is(name, "arith.subi") || uw_string_is(name, "arith.trunci"))
    return LINEAR;
  if (uw_string_is(name, "arith.muli"))
    return shape_of(r, uw_operand(op, 0)) == FIXED || shape_of(r, uw_operand(op, 1)) == FIXED ? LINEAR : OTHER;
  if (uw_string_is(name, "arith.shli"))
    return shape_of(r, uw_operand(op, 1)) == FIXED ? LINEAR : OTHER;
  if (uw_string_is(name, "arith.extsi") || uw_string_is(name, "arith.extui") ||
      uw_string_is(name, "arith.index_cast") || uw_string_is(name, "arith.index_castui")) {
    if (bits_of(mlirValueGetType(value)) > bits_of(mlirValueGetType(uw_operand(op, 0))))
      uw_ops_push(r->arena, &r->widened, op);
    return LINEAR;
  }
  if (uw_kind(op) != UW_OP_LLVM_GEP)
    return OTHER;
  for (size_t i = 1; i < uw_operand_count(op); i++)
    if (bits_of(mlirValueGetType(uw_operand(op, i))) != 64)
      return OTHER;
  return LINEAR;
}

/* --- the question ------------------------------------------------------------------------------------------------- */

enum { FIRST, SECOND, LAST, TIMES };

typedef struct question {
  iterations *r;
  uw_builder b;
  uw_map *at[TIMES];
  MlirValue after;    /* iterations but the first, in 64 bits */
  MlirValue is_empty; /* there are none */
  MlirValue holds;
  uw_map *filled; /* of the start of a shared array: how much of it was written */
} question;

static void also(question *q, MlirValue condition) { q->holds = uw_binary(&q->b, "arith.andi", q->holds, condition); }

/* The value as that iteration has it. It promises nothing: there may be no such iteration. */
static MlirValue compute(question *q, int time, MlirValue value) {
  MlirValue done = uw_map_get(q->at[time], value);
  if (done.ptr || !uw_defined_inside(value, q->r->loop))
    return done.ptr ? done : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    compute(q, time, uw_operand(op, i));
  if (uw_kind(op) == UW_OP_LLVM_GEP)
    return uw_result(uw_clone_address(&q->b, op, q->at[time]), 0);
  MlirOperation copy = uw_clone(&q->b, op, q->at[time]);
  if (!mlirAttributeIsNull(uw_get_attr(copy, "overflowFlags")))
    uw_set_attr(copy, "overflowFlags", uw_attr(q->b.context, "#arith.overflow<none>"));
  return uw_result(copy, 0);
}

static MlirValue widen(question *q, MlirValue value, bool is_signed) {
  MlirType type = mlirValueGetType(value), wide = uw_int_type(q->b.context, 64);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_build1(&q->b, "llvm.ptrtoint", .in = VALS(value), .out = TYPES(wide));
  if (mlirTypeIsAIndex(type))
    return uw_build1(&q->b, "arith.index_cast", .in = VALS(value), .out = TYPES(wide));
  return bits_of(type) == 64
             ? value
             : uw_build1(&q->b, is_signed ? "arith.extsi" : "arith.extui", .in = VALS(value), .out = TYPES(wide));
}

/* first, second and last value are integers of 64 bits. */
static void ask_for_line(question *q, const MlirValue value[TIMES]) {
  const int64_t most = (int64_t)1 << 31;
  MlirValue step = uw_binary(&q->b, "arith.subi", value[SECOND], value[FIRST]);
  also(q, uw_compare(&q->b, UW_EQ, uw_binary(&q->b, "arith.subi", value[LAST], value[FIRST]),
                     uw_binary(&q->b, "arith.muli", step, q->after)));
  also(q, uw_compare(&q->b, UW_ULT, uw_binary(&q->b, "arith.addi", step, uw_const_int(&q->b, 64, most)),
                     uw_const_int(&q->b, 64, 2 * most)));
}

static void compute_all(question *q, MlirValue value, bool is_signed, MlirValue result[TIMES]) {
  for (int time = 0; time < TIMES; time++)
    result[time] = widen(q, compute(q, time, value), is_signed);
}

/* The counter of a while goes up, and comes to its end without wrapping around. */
static void ask_for_moving(question *q, MlirValue lower, MlirValue step, MlirValue upper) {
  unsigned bits = bits_of(mlirValueGetType(q->r->counter));
  int64_t most = bits >= 64        ? (int64_t)1 << 62
                 : q->r->is_signed ? ((int64_t)1 << (bits - 1)) - 1
                                   : ((int64_t)1 << bits) - 1;
  MlirValue room = uw_binary(&q->b, "arith.subi", uw_const_int(&q->b, 64, most),
                             uw_binary(&q->b, "arith.subi", upper, uw_const_int(&q->b, 64, 1)));
  also(q, uw_compare(&q->b, UW_SGT, step, uw_const_int(&q->b, 64, 0)));
  also(q, uw_compare(&q->b, UW_SLE, step, room)); /* the last iteration's counter is below upper */
  also(q, uw_compare(&q->b, UW_SLE, upper, uw_const_int(&q->b, 64, most)));
  also(q, uw_compare(&q->b, UW_SGE, lower, uw_const_int(&q->b, 64, q->r->is_signed ? -most - 1 : 0)));
}

/* The counter of the three iterations. */
static void begin(question *q) {
  const iterations *r = q->r;
  MlirType type = mlirValueGetType(r->counter);
  MlirValue one = uw_const_int(&q->b, 64, 1), lower = widen(q, r->lower, r->is_signed),
            upper = widen(q, r->upper, r->is_signed);
  MlirValue given = widen(q, r->step, r->is_signed),
            step = uw_binary(&q->b, "arith.maxsi", given, one); /* of a loop without iterations it may be 0 */
  q->is_empty = uw_compare(&q->b, r->is_signed ? UW_SGE : UW_UGE, lower, upper);
  MlirValue span = uw_binary(&q->b, "arith.subi", uw_binary(&q->b, "arith.subi", upper, lower), one);
  q->after = uw_binary(&q->b, "arith.divui", span, step);
  q->holds = uw_compare(&q->b, UW_ULT, q->after, uw_const_int(&q->b, 64, (int64_t)1 << 31));
  if (uw_kind(r->loop) == UW_OP_SCF_WHILE)
    ask_for_moving(q, lower, given, upper);
  MlirValue counters[TIMES] = {lower, uw_binary(&q->b, "arith.addi", lower, step),
                               uw_binary(&q->b, "arith.addi", lower, uw_binary(&q->b, "arith.muli", q->after, step))};
  for (int time = 0; time < TIMES; time++) {
    MlirValue counter = counters[time];
    if (mlirTypeIsAIndex(type))
      counter = uw_build1(&q->b, "arith.index_cast", .in = VALS(counter), .out = TYPES(type));
    else if (bits_of(type) < 64)
      counter = uw_build1(&q->b, "arith.trunci", .in = VALS(counter), .out = TYPES(type));
    q->at[time] = uw_map_create(q->r->arena);
    uw_map_set(q->at[time], q->r->counter, counter);
  }
}

typedef struct check {
  MlirOperation call;
  MlirValue address, start, size; /* size: of the object, from start */
  MlirValue filled;               /* not null: the block's state; what was written takes the size's place */
  MlirValue bytes;                /* of the access; null: */
  int64_t width;                  /* those, which it also has to be aligned to */
} check;

/* Nobody writes there while the loop runs. */
static MlirValue filled_bytes(question *q, const check *c) {
  MlirValue start = compute(q, FIRST, c->start), known = uw_map_get(q->filled, start);
  if (!known.ptr) {
    known = uw_result(uw_call(&q->b, UW_CHECK_FILLED, VALS(c->filled, start), uw_int_type(q->b.context, 64)), 0);
    uw_map_set(q->filled, start, known);
  }
  return known;
}

static void ask_for_inside(question *q, const check *c) {
  MlirValue address[TIMES], bytes = c->width ? uw_const_int(&q->b, 64, c->width) : compute(q, FIRST, c->bytes);
  MlirValue start = widen(q, compute(q, FIRST, c->start), false),
            size = c->filled.ptr ? filled_bytes(q, c) : compute(q, FIRST, c->size);
  compute_all(q, c->address, false, address);
  ask_for_line(q, address);
  also(q, uw_compare(&q->b, UW_UGE, size, bytes));
  MlirValue room = uw_binary(&q->b, "arith.subi", size, bytes);
  for (int time = FIRST; time < TIMES; time += LAST - FIRST)
    also(q, uw_compare(&q->b, UW_ULE, uw_binary(&q->b, "arith.subi", address[time], start), room));
  if (c->width > 1) {
    MlirValue both = uw_binary(&q->b, "arith.ori", address[FIRST], address[SECOND]), zero = uw_const_int(&q->b, 64, 0);
    also(q,
         uw_compare(&q->b, UW_EQ, uw_binary(&q->b, "arith.andi", both, uw_const_int(&q->b, 64, c->width - 1)), zero));
  }
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* The number behind that name, which the callee starts with; 0 if it does not. */
static int64_t width_after(uw_arena *arena, MlirStringRef callee, const char *name) {
  size_t length = strlen(name);
  if (callee.length <= length || memcmp(callee.data, name, length) != 0)
    return 0;
  return strtol(uw_arena_format(arena, "%.*s", (int)(callee.length - length), callee.data + length), NULL, 10);
}

/* Is it a check whose question can be asked before? */
static bool reads_check(iterations *r, MlirOperation call, check *c) {
  static const char object[] = "__unwarp_check_object", read[] = "__unwarp_check_read";
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  bool is_object = uw_attr_is_str(call, "callee", object);
  *c = (check){.call = call};
  if (is_object) {
    c->start = uw_operand(call, 3), c->size = uw_operand(call, 4), c->bytes = uw_operand(call, 2);
  } else if ((c->width = width_after(r->arena, callee, read))) {
    c->start = uw_operand(call, 2), c->size = uw_operand(call, 3);
  } else if ((c->width = width_after(r->arena, callee, UW_CHECK_FILLED_READ))) {
    c->start = c->size = uw_operand(call, 2), c->filled = uw_operand(call, 0);
  } else {
    return false;
  }
  c->address = uw_operand(call, 1);
  const MlirValue fixed[] = {c->start, c->size, is_object ? c->bytes : c->size};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    r->steps = MOST_STEPS;
    if (shape_of(r, fixed[i]) != FIXED)
      return false;
  }
  size_t before = r->widened.count;
  r->steps = MOST_STEPS;
  if (shape_of(r, c->address) == OTHER) {
    r->widened.count = before;
    return false;
  }
  return true;
}

static bool is_short(const iterations *r) {
  int64_t lower, upper, step;
  return uw_const_value(r->lower, &lower) && uw_const_value(r->upper, &upper) && uw_const_value(r->step, &step) &&
         step > 0 && (upper - lower) / step < UW_CHECK_LEAST_ITERATIONS;
}

static bool holds_loop_or_exchange(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    bool is_loop = kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_SCF_FORALL;
    if ((is_loop && !uw_same_op(ops.at[i], loop)) || uw_is_exchange(ops.at[i], "block") ||
        uw_is_exchange(ops.at[i], "warp"))
      return true;
  }
  return false;
}

static MlirValue ask(iterations *r, const check *checks, size_t count) {
  question q = {.r = r, .b = uw_at(r->loop), .filled = uw_map_create(r->arena)};
  begin(&q);
  for (size_t i = 0; i < r->widened.count; i++) {
    MlirValue value[TIMES];
    compute_all(&q, uw_result(r->widened.at[i], 0),
                uw_string_is(uw_name(r->widened.at[i]), "arith.extsi") ||
                    uw_string_is(uw_name(r->widened.at[i]), "arith.index_cast"),
                value);
    ask_for_line(&q, value);
  }
  for (size_t i = 0; i < count; i++)
    ask_for_inside(&q, &checks[i]);
  return uw_binary(&q.b, "arith.ori", q.holds, q.is_empty);
}

/* Two versions; the checks are marked, and the first one has them no more. */
static void part(uw_arena *arena, MlirOperation loop, MlirValue holds) {
  uw_builder b = uw_at(loop);
  uw_set_attr(loop, ASKED, mlirUnitAttrGet(b.context));
  uw_versions versions = uw_make_versions(arena, &b, .asked = holds, .first = loop, .own = UW_FAILS);
  for (int version = UW_HOLDS; version <= UW_FAILS; version++) {
    uw_ops calls = uw_collect_kind(arena, versions.first[version], UW_OP_LLVM_CALL);
    for (size_t i = 0; i < calls.count; i++)
      if (!mlirAttributeIsNull(uw_get_attr(calls.at[i], ASKED))) {
        uw_remove_attr(calls.at[i], ASKED);
        if (version == UW_HOLDS)
          uw_erase(calls.at[i]);
      }
  }
}

static intptr_t argument_of(MlirBlock block, MlirValue value) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
    if (uw_same(mlirBlockGetArgument(block, i), value))
      return i;
  return -1;
}

static bool is_outside(const iterations *r, MlirValue value) { return !uw_defined_inside(value, r->loop); }

/* while (%i < %upper), which hands %i on, and %i + %step back. */
static bool counts(iterations *r) {
  MlirBlock before = uw_block(r->loop, 0), after = uw_block(r->loop, 1);
  MlirOperation condition = uw_last(before), test = uw_def(uw_operand(condition, 0)), next;
  if (uw_kind(test) != UW_OP_ARITH_CMPI)
    return false;
  int64_t predicate = uw_get_int_attr(test, "predicate", -1);
  intptr_t at = argument_of(before, uw_operand(test, 0));
  if ((predicate != UW_SLT && predicate != UW_ULT) || at < 0 || !is_outside(r, uw_operand(test, 1)))
    return false;
  r->is_signed = predicate == UW_SLT;
  r->upper = uw_operand(test, 1);
  r->lower = uw_operand(r->loop, (size_t)at);
  for (size_t i = 1; i < uw_operand_count(condition) && !r->counter.ptr; i++)
    if (uw_same(uw_operand(condition, i), uw_operand(test, 0)))
      r->counter = mlirBlockGetArgument(after, (intptr_t)i - 1);
  next = uw_def(uw_operand(uw_last(after), (size_t)at));
  if (!r->counter.ptr || uw_kind(next) != UW_OP_ARITH_ADDI)
    return false;
  bool first = uw_same(uw_operand(next, 0), r->counter);
  r->step = uw_operand(next, first);
  return (first || uw_same(uw_operand(next, 1), r->counter)) && is_outside(r, r->step);
}

static bool reads_counter(iterations *r) {
  if (uw_kind(r->loop) == UW_OP_SCF_WHILE)
    return counts(r);
  r->counter = mlirBlockGetArgument(uw_block(r->loop, 0), 0);
  r->lower = uw_operand(r->loop, 0), r->upper = uw_operand(r->loop, 1), r->step = uw_operand(r->loop, 2);
  r->is_signed = mlirAttributeIsNull(uw_get_attr(r->loop, "unsignedCmp"));
  return true;
}

static bool ask_before(uw_arena *arena, MlirOperation loop) {
  iterations r = {.arena = arena, .loop = loop};
  if (!mlirAttributeIsNull(uw_get_attr(loop, ASKED)) || !reads_counter(&r) || is_short(&r) ||
      holds_loop_or_exchange(arena, loop))
    return false;
  uw_ops calls = uw_collect_kind(arena, loop, UW_OP_LLVM_CALL);
  check *checks = uw_alloc(arena, (calls.count + 1) * sizeof *checks);
  size_t count = 0;
  for (size_t i = 0; i < calls.count; i++)
    count += reads_check(&r, calls.at[i], &checks[count]);
  if (!count)
    return false;
  MlirValue holds = ask(&r, checks, count);
  for (size_t i = 0; i < count; i++)
    uw_set_attr(checks[i].call, ASKED, mlirUnitAttrGet(mlirOperationGetContext(loop)));
  part(arena, loop, holds);
  return true;
}

static bool is_version(MlirBlock block) {
  return !mlirBlockIsNull(block) && uw_is_loop(uw_first(block)) &&
         !mlirAttributeIsNull(uw_get_attr(uw_first(block), ASKED));
}

bool uw_is_asked_loop(MlirOperation branch) {
  return uw_kind(branch) == UW_OP_SCF_IF && is_version(uw_block(branch, 0)) && is_version(uw_block(branch, 1));
}

uw_change uw_pass_check_loops(MlirOperation root, uw_pass_ctx *ctx) {
  bool changed = false;
  uw_ops ops = uw_collect(ctx->arena, root);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_is_loop(ops.at[i]))
      changed |= ask_before(ctx->arena, ops.at[i]);
  return changed ? UW_CHANGED : UW_SAME;
}
