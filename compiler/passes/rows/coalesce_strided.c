/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the threads of a block through a strided loop together. CUDA's idiom for "each thread takes every n-th element"
 * is laid out so that neighbours touch neighbouring elements in the same iteration; thread after thread, a CPU would
 * stride through memory.
 *
 *   %i = start(%t)                                 for (%b = start(0); %b < %n; %b += %stride) {
 *   while (%i < %n) {                      ==>       if (%t < %n - %b) { body(%b + %t) }
 *     body(%i)                                       barrier
 *     %i += %stride }                              }
 *
 * lower-barriers then swaps the loop over %b with the threads, tighten makes the condition the bound of the thread
 * loop, and what is left is a contiguous loop that LLVM vectorises.
 *
 * Done when a) every thread comes by the loop; b) its condition compares the counter with a bound from outside, and
 * bound and stride are the same for all threads; without sign the stride is a constant or made of what the launch says
 * (one from anywhere may count down); c) the start is the same for all threads but for a sum over the thread index with
 * positive factors; d) nothing after the loop uses the counter, and at most MAX_CARRIED other values are carried; e)
 * the loop holds no exchange; f) the block is not known to be narrower than UW_LEAST_STRIDED.
 *
 * The same for the lanes of a warp (form_warps.c), as in "a warp for each row". Where they carry sums that packets can keep
 * in vector registers, the barrier is left out: the iterations stay inside of the loop over lanes, and are the same for
 * all of them.
 *
 * Legal because a barrier more never changes what a program that does not race computes. The counter must not wrap
 * around from iteration to iteration, nor from the first thread's start to the last one's. Where its flags do not say
 * so (no_wrap_versions.c), that is asked: at the launch where that knows bound and stride, else before the loop, which then stays
 * as it was for other values. The start may wrap around if it has no sign: in `for (unsigned i = threadIdx.x - 1; i <
 * n; ...)` thread 0 starts after all bounds and runs no iteration. Where the start is not said to be small, %b starts
 * below 0 then, and the threads that would come before 0 are left out of all iterations. So %b + %t fits into the
 * counter's type, and the cast to it says that (wide.h).
 *
 * Requires: normalize-while. Preserves: each thread's order of effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/cpu.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../barriers/barrier_elim.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../lanes/vectors.h"
#include "../launch_question.h"
#include "loop_bounds.h"
#include "wide.h"

enum { MAX_CARRIED = 8, MOST_FACTOR = 1 << 20 /* bound: 64 bits hold the product */ };

/* A while, or a for whose counter counts as the first of its carried values. */
typedef struct strided {
  MlirOperation loop, threads;
  bool is_for;
  size_t counter; /* index of the carried value */
  MlirValue start, bound, step;
  bool is_signed, inclusive;
  bool counter_is_said, start_is_said; /* not to wrap around */
} strided;

static MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }

static MlirBlock body_of(const strided *s) { return uw_block(s->loop, s->is_for ? 0 : 1); }
static size_t carried_count(const strided *s) { return uw_result_count(s->loop) + s->is_for; }
static MlirValue initial(const strided *s, size_t i) { return uw_operand(s->loop, s->is_for && i > 0 ? i + 2 : i); }
/* Not of a for's counter: */
static MlirValue result_of(const strided *s, size_t i) { return uw_result(s->loop, i - s->is_for); }
static MlirValue yielded(const strided *s, size_t i) { return uw_operand(uw_last(body_of(s)), i - s->is_for); }

static bool match_condition(strided *s) {
  MlirBlock before = uw_block(s->loop, 0);
  MlirOperation condition = uw_last(before), compare = uw_def(uw_operand(condition, 0));
  uw_foreach_op (op, before)
    if (!uw_same_op(op, condition) && !uw_same_op(op, compare))
      return false;
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || !uw_same_op(uw_parent(compare), s->loop))
    return false;
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  MlirValue left = uw_operand(compare, 0), right = uw_operand(compare, 1);
  if (predicate == UW_SGT || predicate == UW_SGE || predicate == UW_UGT || predicate == UW_UGE) {
    MlirValue swap = left;
    left = right;
    right = swap;
  } else if (predicate == UW_EQ || predicate == UW_NE) {
    return false;
  }
  s->is_signed = predicate == UW_SLT || predicate == UW_SLE || predicate == UW_SGT || predicate == UW_SGE;
  s->inclusive = predicate == UW_SLE || predicate == UW_ULE || predicate == UW_SGE || predicate == UW_UGE;
  s->bound = right;
  for (s->counter = 0; s->counter < uw_operand_count(s->loop); s->counter++)
    if (uw_same(left, argument(before, s->counter)))
      break;
  if (s->counter == uw_operand_count(s->loop) || uw_defined_inside(s->bound, s->loop))
    return false;
  /* What goes on to the body is what came in, each once: results, body and condition then agree on what a value is. */
  if (uw_operand_count(condition) != uw_operand_count(s->loop) + 1)
    return false;
  for (size_t i = 0; i < uw_operand_count(s->loop); i++)
    if (!uw_same(uw_operand(condition, i + 1), argument(before, i)))
      return false;
  MlirType type = mlirValueGetType(left);
  return mlirTypeIsAInteger(type) && (mlirIntegerTypeGetWidth(type) == 32 || mlirIntegerTypeGetWidth(type) == 64);
}

static bool match_step(strided *s) {
  MlirBlock body = uw_block(s->loop, 1);
  MlirOperation add = uw_def(uw_operand(uw_last(body), s->counter));
  if (uw_kind(add) != UW_OP_ARITH_ADDI)
    return false;
  bool first = uw_same(uw_operand(add, 0), argument(body, s->counter));
  s->step = uw_operand(add, first ? 1 : 0);
  s->counter_is_said = uw_no_wrap(add, s->is_signed);
  int64_t number;
  return (first || uw_same(uw_operand(add, 1), argument(body, s->counter))) && !uw_defined_inside(s->step, s->loop) &&
         (!uw_const_value(s->step, &number) || number > 0);
}

/* Is the start what all threads share plus a sum over the thread index, with positive factors? *innermost: the sum is
 * the innermost index itself. */
static bool start_counts_threads(const uw_uniformity *facts, const strided *s, bool *innermost) {
  uw_linear start = uw_linear_of(s->start);
  MlirBlock body = uw_block(s->threads, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body), thread_terms = 0;
  *innermost = true;
  if (!start.known)
    return false;
  for (size_t i = 0; i < start.count; i++) {
    bool is_index = false;
    for (size_t d = 0; d < dims && !is_index; d++) {
      is_index = uw_same(start.terms[i].symbol, argument(body, d));
      if (is_index && (d + 1 != dims || start.terms[i].factor != 1))
        *innermost = false;
    }
    if (is_index) {
      thread_terms++;
      if (start.terms[i].scale.ptr || start.terms[i].factor <= 0 || start.terms[i].factor > MOST_FACTOR)
        return false;
    } else if (!uw_uniform(facts, start.terms[i].symbol) ||
               (start.terms[i].scale.ptr && !uw_uniform(facts, start.terms[i].scale))) {
      return false;
    }
  }
  return thread_terms > 0;
}

static bool too_narrow(MlirOperation threads) {
  size_t dims = uw_dims(threads);
  int64_t width;
  return uw_const_value(uw_upper_of(threads, dims - 1), &width) && width < UW_LEAST_STRIDED;
}

static bool match_while(strided *s) {
  return match_condition(s) && match_step(s) && mlirOpOperandIsNull(mlirValueGetFirstUse(result_of(s, s->counter)));
}

static bool match_for(strided *s) {
  s->bound = uw_operand(s->loop, 1);
  s->step = uw_operand(s->loop, 2);
  s->is_signed = mlirAttributeIsNull(uw_get_attr(s->loop, "unsignedCmp"));
  s->counter_is_said = true; /* or it would be no for */
  return !mlirTypeIsAIndex(mlirValueGetType(s->bound));
}

static bool match(const uw_effects *effects, strided *s, bool *innermost) {
  const uw_uniformity *facts = uw_effects_uniformity(effects);
  int64_t number;
  s->is_for = uw_kind(s->loop) == UW_OP_SCF_FOR;
  if (!mlirAttributeIsNull(uw_get_attr(s->loop, UW_PLAIN)) || uw_has_exchange(s->loop, "block") ||
      uw_has_exchange(s->loop, "warp") || !(s->is_for ? match_for(s) : match_while(s)) ||
      carried_count(s) > MAX_CARRIED + 1 || !uw_uniform(facts, s->bound) || !uw_uniform(facts, s->step))
    return false;
  s->start = initial(s, s->counter);
  if (!s->is_signed && !uw_is_block_offset(s->threads, s->step) && !uw_const_value(s->step, &number))
    return false;
  return !uw_uniform(facts, s->start) && start_counts_threads(facts, s, innermost) &&
         uw_made_by_all(uw_effects_uniformity(effects), s->loop);
}

/* The start of thread 0. What else it is a sum of is the same for all threads, and is there already: it may be the
 * counter of a loop around this one, which nothing else computes. */
static MlirValue common_start(uw_builder *b, uw_arena *arena, const strided *s) {
  uw_map *map = uw_map_create(arena);
  MlirBlock body = uw_block(s->threads, 0);
  for (intptr_t d = 0; d < mlirBlockGetNumArguments(body); d++)
    uw_map_set(map, mlirBlockGetArgument(body, d), uw_const_index(b, 0));
  uw_linear start = uw_linear_of(s->start);
  for (size_t i = 0; i < start.count; i++) {
    MlirValue known[] = {start.terms[i].symbol, start.terms[i].scale};
    for (size_t k = 0; k < 2; k++)
      if (known[k].ptr && !uw_map_get(map, known[k]).ptr)
        uw_map_set(map, known[k], known[k]);
  }
  return uw_compute_outside(b, s->start, s->threads, map);
}

/* What the last thread's start is more than that of thread 0. */
static MlirValue most_apart(uw_builder *b, const strided *s) {
  uw_linear start = uw_linear_of(s->start);
  MlirBlock body = uw_block(s->threads, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  MlirValue most = uw_const_index(b, 0);
  for (size_t i = 0; i < start.count; i++)
    for (size_t d = 0; d < dims; d++)
      if (uw_same(start.terms[i].symbol, argument(body, d))) {
        MlirValue last = uw_binary(b, "arith.subi", uw_upper_of(s->threads, d), uw_const_index(b, 1));
        most = uw_binary(b, "arith.addi", most,
                         uw_binary(b, "arith.muli", last, uw_const_index(b, start.terms[i].factor)));
      }
  return most;
}

/* Are all sums in it that differ from thread to thread said not to wrap around? */
static bool is_said(const strided *s, MlirValue value, int depth) {
  enum { DEEPEST = 12 };
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !uw_defined_inside(value, s->threads))
    return true;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    if (depth == DEEPEST || (!mlirTypeIsAIndex(mlirValueGetType(value)) && !uw_no_wrap(op, s->is_signed)))
      return false;
    return is_said(s, uw_operand(op, 0), depth + 1) && is_said(s, uw_operand(op, 1), depth + 1);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: return is_said(s, uw_operand(op, 0), depth + 1);
  default: return true;
  }
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static bool is_wide(const strided *s) { return mlirIntegerTypeGetWidth(mlirValueGetType(s->start)) == 64; }

/* The first value that the counter cannot be. Those of 64 bits may not come near their ends. */
static int64_t end_of(const strided *s) {
  return is_wide(s) ? INT64_C(1) << 62 : s->is_signed ? INT64_C(1) << 31 : INT64_C(1) << 32;
}

/* Asks at the launch whether the counter stays below its end, one step after the last iteration. False if that does not
 * know. */
static bool ask_launch(uw_arena *arena, const strided *s) {
  uw_question q;
  uw_between bound, step;
  if (is_wide(s) || !uw_question_of(arena, s->loop, &q) || !uw_find_between(&q, s->bound, s->is_signed, &bound) ||
      !uw_find_between(&q, s->step, s->is_signed, &step))
    return false;
  MlirValue last = uw_binary(&q.b, "arith.addi", bound.high, step.high);
  bool holds = uw_add_condition(&q, uw_compare(&q.b, UW_SLE, last, uw_const_index(&q.b, end_of(s) - s->inclusive)));
  if (!step.natural)
    holds = holds && uw_add_condition(&q, uw_compare(&q.b, UW_SGE, step.low, uw_const_index(&q.b, 1)));
  if (holds)
    uw_ask_question(&q);
  return holds;
}

/* Where the counter of thread 0 starts if it has no sign and wraps around to the last thread's: below 0. Of 64 bits it
 * is negative by itself; then it is those that do not wrap around, all after the bound, that need another one. */
static MlirValue start_below_zero(uw_builder *b, const strided *s, MlirValue lower, MlirValue upper) {
  MlirValue last = uw_binary(b, "arith.addi", lower, most_apart(b, s));
  if (mlirIntegerTypeGetWidth(mlirValueGetType(s->start)) == 64)
    return uw_select(b, uw_compare(b, UW_SLT, last, uw_const_index(b, 0)), upper, lower);
  MlirValue range = uw_const_index(b, INT64_C(1) << 32);
  return uw_select(b, uw_compare(b, UW_SGE, last, range), uw_binary(b, "arith.subi", lower, range), lower);
}

/* Extensions of the counter are what it was cut from; where it has a sign and is never below zero, both kinds are. */
static void replace_extensions(uw_arena *arena, const strided *s, MlirValue counter, MlirValue wide, MlirValue lower) {
  uw_ops extensions = {0};
  uw_kind_t own = s->is_signed ? UW_OP_ARITH_EXTSI : UW_OP_ARITH_EXTUI;
  bool both_kinds = s->is_signed && uw_least_of(lower) >= 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(counter); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == own || (both_kinds && uw_kind(user) == UW_OP_ARITH_EXTUI))
      uw_ops_push(arena, &extensions, user);
  }
  for (size_t i = 0; i < extensions.count; i++) {
    MlirValue old = uw_result(extensions.at[i], 0);
    uw_builder b = uw_at(extensions.at[i]);
    uw_replace_uses(old, uw_build1(&b, "arith.index_cast", .in = VALS(wide), .out = TYPES(mlirValueGetType(old))));
    uw_erase(extensions.at[i]);
  }
}

/* Will packets take the lanes through these iterations as they are, with what they carry in vector registers? */
static bool stays_in_registers(uw_arena *arena, const strided *s, MlirOperation iterations) {
  if (uw_result_count(iterations) == 0 || !uw_is_over(s->threads, UW_OVER_LANES))
    return false;
  int64_t bytes = uw_target_of(iterations).register_bytes;
  uw_vector_price price;
  return bytes > 0 &&
         uw_vectors_fit(arena, uw_shapes_of(arena, s->threads), iterations, UW_LEAST_LANES, bytes, &price) &&
         price.gain >= UW_MIN_GAIN;
}

/* What has to hold before the loop for its rounds to be those of integers of any size; null: nothing. */
static MlirValue ask(uw_arena *arena, strided *s) {
  MlirValue asked = {NULL};
  s->start_is_said = is_said(s, s->start, 0);
  bool by_launch = s->counter_is_said || ask_launch(arena, s);
  if (by_launch && s->start_is_said)
    return asked;
  uw_builder b = uw_at(s->loop);
  MlirValue upper = uw_to_index(&b, s->bound, s->is_signed), end = uw_const_index(&b, end_of(s));
  if (s->inclusive)
    upper = uw_binary(&b, "arith.addi", upper, uw_const_index(&b, 1));
  if (!by_launch) {
    MlirValue step = uw_to_index(&b, s->step, s->is_signed);
    asked = uw_compare(&b, UW_SLE, uw_binary(&b, "arith.addi", upper, step), end);
    if (is_wide(s)) /* the sum may wrap around itself */
      asked = uw_and(&b, asked, uw_compare(&b, UW_SLE, upper, end));
    asked = uw_and(&b, asked, uw_compare(&b, UW_SGT, step, uw_const_index(&b, 0)));
  }
  if (s->start_is_said)
    return asked;
  MlirValue lower = uw_to_index(&b, common_start(&b, arena, s), s->is_signed),
            last = uw_binary(&b, "arith.addi", lower, most_apart(&b, s));
  MlirValue fits = uw_compare(&b, UW_SLT, last, end);
  if (!s->is_signed) /* or those that do not wrap around stand behind the bound */
    fits = uw_binary(&b, "arith.ori", fits, uw_compare(&b, is_wide(s) ? UW_UGE : UW_SGE, lower, upper));
  return uw_and(&b, asked, fits);
}

/* The loop becomes one of two versions, in the place of which the other one stays as it is. */
static void keep_plain(uw_arena *arena, const strided *s, MlirValue asked) {
  uw_builder b = uw_at(s->loop);
  uw_versions versions = uw_make_versions(arena, &b, .asked = asked, .first = s->loop);
  if (!uw_null(versions.choice))
    uw_set_attr(versions.first[UW_FAILS], UW_PLAIN, mlirUnitAttrGet(b.context));
}

static void rebuild(uw_arena *arena, const strided *s, bool innermost) {
  uw_builder b = uw_at(s->loop);
  MlirBlock body = body_of(s), thread_body = uw_block(s->threads, 0);
  MlirValue common = common_start(&b, arena, s);
  MlirValue own = innermost
                      ? argument(thread_body, (size_t)mlirBlockGetNumArguments(thread_body) - 1)
                      : uw_build1(&b, "arith.index_castui", .in = VALS(uw_binary(&b, "arith.subi", s->start, common)),
                                  .out = TYPES(uw_index_type(b.context)));
  MlirValue one = uw_const_index(&b, 1), lower = uw_to_index(&b, common, s->is_signed),
            upper = uw_to_index(&b, s->bound, s->is_signed);
  MlirValue step = uw_binary(&b, "arith.maxsi", uw_to_index(&b, s->step, s->is_signed), one);
  if (s->inclusive)
    upper = uw_binary(&b, "arith.addi", upper, one);
  MlirValue first = {NULL}; /* the first thread that takes part; null: all do */
  if (!s->is_signed && !s->start_is_said) {
    lower = start_below_zero(&b, s, lower, upper);
    MlirValue zero = uw_const_index(&b, 0);
    first = uw_binary(&b, "arith.maxsi", uw_binary(&b, "arith.subi", zero, lower), zero);
  }

  size_t count = carried_count(s);
  uw_vals inits = {0};
  for (size_t i = 0; i < count; i++)
    if (i != s->counter)
      uw_vals_push(arena, &inits, initial(s, i));
  MlirOperation iterations = uw_build_for(&b, lower, upper, step, VALS_OF(inits));
  MlirBlock iteration = uw_block(iterations, 0);
  uw_builder in = uw_at_end(iteration, b.location);
  MlirValue base = argument(iteration, 0), left = uw_binary(&in, "arith.subi", upper, base);
  MlirType types[MAX_CARRIED + 1];
  for (size_t i = 0; i < inits.count; i++)
    types[i] = mlirValueGetType(inits.at[i]);
  MlirValue takes_part = uw_compare(&in, UW_SLT, own, left);
  if (first.ptr)
    takes_part = uw_binary(&in, "arith.andi", uw_compare(&in, UW_SGE, own, first), takes_part);
  MlirOperation branch = uw_build_if(&in, takes_part, (uw_type_list){types, inits.count});
  uw_builder then = uw_at_end(uw_block(branch, 0), b.location);
  MlirValue wide = uw_binary(&then, "arith.addi", base, own);
  MlirValue counter = uw_build1(&then, "arith.index_cast", .in = VALS(wide), .out = TYPES(mlirValueGetType(s->start)));
  if (!is_wide(s)) /* it lies between the starts and the bound */
    uw_set_attr(uw_def(counter), UW_EXACT, uw_str_attr(b.context, s->is_signed ? "signed" : "unsigned"));

  replace_extensions(arena, s, argument(body, s->counter), wide, lower);
  uw_replace_uses(argument(body, s->counter), counter);
  MlirOperation yield = uw_last(body);
  uw_vals next = {0}, same = {0}, results = {0};
  for (size_t i = 0, k = 0; i < count; i++) {
    if (i == s->counter)
      continue;
    uw_vals_push(arena, &same, argument(iteration, k + 1));
    uw_vals_push(arena, &results, uw_result(branch, k));
    uw_replace_uses(argument(body, i), argument(iteration, k + 1));
    uw_replace_uses(result_of(s, i), uw_result(iterations, k));
    k++;
  }
  for (size_t i = 0; i < count; i++)
    if (i != s->counter)
      uw_vals_push(arena, &next, yielded(s, i));
  uw_foreach_op_safe (op, body)
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, uw_block(branch, 0));
  uw_yield(uw_block(branch, 0), b.location, VALS_OF(next));
  uw_yield(uw_block(branch, 1), b.location, VALS_OF(same));
  uw_yield(iteration, b.location, VALS_OF(results));
  uw_builder end = uw_at_end(iteration, b.location);
  if (!stays_in_registers(arena, s, iterations))
    uw_build(&end, "unwarp.barrier",
             .attrs = ATTRS({"level", uw_str_attr(b.context, uw_exchange_level(s->threads))},
                            {UW_SWAP, mlirUnitAttrGet(b.context)}));
  uw_erase(s->loop);
}

static bool stride(MlirOperation threads) {
  uw_arena *arena = uw_arena_create();
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_WHILE),
         counted = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  for (size_t i = 0; i < counted.count; i++)
    uw_ops_push(arena, &loops, counted.at[i]);
  bool changed = false;
  if (loops.count && !too_narrow(threads)) {
    uw_effects *effects = uw_effects_of(arena, threads);
    for (size_t i = loops.count; i-- > 0;) {
      strided s = {.loop = loops.at[i], .threads = threads};
      bool innermost;
      if (!match(effects, &s, &innermost))
        continue;
      uw_remark(mlirOperationGetLocation(s.loop), "coalesce-strided",
                "strided loop: all %s go through its iterations together",
                uw_string_is(uw_str(uw_exchange_level(threads)), "block") ? "threads of the block" : "lanes of a warp");
      keep_plain(arena, &s, ask(arena, &s));
      rebuild(arena, &s, innermost);
      changed = true;
    }
  }
  uw_arena_destroy(arena);
  return changed;
}

uw_change uw_pass_coalesce_strided(MlirOperation root, uw_pass_ctx *ctx) {
  uw_over over = uw_option_is(ctx, "scope", "lanes") ? UW_OVER_LANES : UW_OVER_THREADS;
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_is_over(loops.at[i], over) && stride(loops.at[i]))
      change = UW_CHANGED;
  return change;
}
