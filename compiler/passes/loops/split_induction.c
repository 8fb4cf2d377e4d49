/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes a value that each thread steps through a loop with barriers apart into where the thread starts, which can be
 * computed again, and how far the loop has come, which is the same for all threads. Otherwise every thread keeps a
 * value of its own in memory from barrier to barrier, and nobody sees that neighbours are at neighbouring addresses.
 *
 *   for … iter_args(%at = %start) {            for … iter_args(%far = 0) {
 *     use(%at)                          ==>      use(%start + %far)
 *     barrier                                    barrier
 *     yield %at + %step }                        yield %far + %step }
 *
 * Holds when a) the loop is in a loop over threads and holds a barrier or an exchange; b) the step is the same for all
 * threads and rounds, and the start is not the same for all threads.
 *
 * Legal because addition is associative modulo 2^n. Where the program says that a 32-bit sum with sign does not wrap,
 * the distance is one of 64 bits, so that start + far is known not to wrap either (the distance alone could: from -2^31
 * to 2^31 - 1).
 *
 * Requires: counted loops (while-to-for). Preserves: all values. Refuses: all else, silently. */
#include "../../ir/parallel.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

typedef struct number {
  size_t at; /* which of the loop's values */
  MlirValue step;
  bool wide; /* 32 bits, which do not wrap: the distance has 64 */
} number;

static MlirValue argument(MlirOperation loop, size_t i) {
  return mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)i + 1);
}

static bool is_stepped(uw_arena *arena, MlirOperation threads, MlirOperation loop, number *n) {
  MlirValue own = argument(loop, n->at), next = uw_operand(uw_last(uw_block(loop, 0)), n->at);
  MlirOperation add = uw_def(next);
  MlirType type = mlirValueGetType(own);
  if (uw_kind(add) != UW_OP_ARITH_ADDI || !(mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)))
    return false;
  size_t step = uw_same(uw_operand(add, 0), own) ? 1 : 0;
  n->step = uw_operand(add, step);
  n->wide = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32 && uw_no_wrap(add, true);
  return uw_same(uw_operand(add, 1 - step), own) && !uw_defined_inside(n->step, loop) &&
         uw_computable_outside(arena, n->step, threads, NULL) &&
         !uw_computable_outside(arena, uw_operand(loop, n->at + 3), threads, NULL);
}

static MlirType distance_type(const number *n) {
  MlirType type = mlirValueGetType(n->step);
  return n->wide ? uw_int_type(mlirTypeGetContext(type), 64) : type;
}

static MlirValue widened(uw_builder *b, const number *n, MlirValue value) {
  return n->wide ? uw_build1(b, "arith.extsi", .in = VALS(value), .out = TYPES(distance_type(n))) : value;
}

static MlirValue no_wrap(uw_builder *b, const char *name, uw_value_list in, MlirType type) {
  return uw_build1(b, name, .in = in, .out = TYPES(type),
                   .attrs = ATTRS({"overflowFlags", uw_attr(b->context, "#arith.overflow<nsw>")}));
}

/* start + far, of the value's own type. */
static MlirValue sum(uw_builder *b, const number *n, MlirValue start, MlirValue far) {
  if (!n->wide)
    return uw_binary(b, "arith.addi", start, far);
  MlirValue wide = no_wrap(b, "arith.addi", VALS(widened(b, n, start), far), mlirValueGetType(far));
  return no_wrap(b, "arith.trunci", VALS(wide), mlirValueGetType(start));
}

static void rebuild(uw_arena *arena, MlirOperation loop, const number *numbers, size_t count) {
  size_t carried = uw_result_count(loop);
  uw_builder b = uw_at(loop);
  uw_vals inits = {0}, nexts = {0};
  MlirOperation yield = uw_last(uw_block(loop, 0));
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &inits, uw_operand(loop, i + 3));
  for (size_t k = 0; k < count; k++) {
    MlirType type = distance_type(&numbers[k]);
    inits.at[numbers[k].at] =
        uw_build1(&b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, 0)}));
  }
  MlirOperation copy = uw_build_for(&b, uw_operand(loop, 0), uw_operand(loop, 1), uw_operand(loop, 2), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(b.context));
  MlirBlock body = uw_block(copy, 0);
  uw_builder top = uw_at_end(body, b.location), after = uw_after(copy);
  const number **of = uw_alloc(arena, carried * sizeof *of); /* null: as it was */
  for (size_t k = 0; k < count; k++)
    of[numbers[k].at] = &numbers[k];
  uw_replace_uses(mlirBlockGetArgument(uw_block(loop, 0), 0), mlirBlockGetArgument(body, 0));
  for (size_t i = 0; i < carried; i++) {
    MlirValue start = uw_operand(loop, i + 3), far = argument(copy, i), end = uw_result(copy, i);
    if (of[i]) {
      uw_vals_push(arena, &nexts, uw_binary(&top, "arith.addi", far, widened(&top, of[i], of[i]->step)));
      far = sum(&top, of[i], start, far);
      end = uw_unused(loop) ? end : sum(&after, of[i], start, end);
    } else {
      uw_vals_push(arena, &nexts, uw_operand(yield, i));
    }
    uw_replace_uses(argument(loop, i), far);
    uw_replace_uses(uw_result(loop, i), end);
  }
  for (size_t i = 0; i < carried; i++) /* what is carried on may have been an argument */
    if (!of[i])
      nexts.at[i] = uw_operand(yield, i);
  uw_foreach_op_safe (op, uw_block(loop, 0))
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, body);
  uw_yield(body, b.location, VALS_OF(nexts));
  uw_erase(loop);
}

static bool take_apart(uw_arena *arena, MlirOperation threads, MlirOperation loop) {
  size_t carried = uw_result_count(loop), count = 0;
  number *numbers = uw_alloc(arena, (carried + 1) * sizeof *numbers);
  for (size_t i = 0; i < carried; i++) {
    numbers[count].at = i;
    count += is_stepped(arena, threads, loop, &numbers[count]);
  }
  if (count)
    rebuild(arena, loop, numbers, count);
  return count > 0;
}

uw_change uw_pass_split_induction(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = loops.count; i-- > 0;) {
    MlirOperation threads = uw_parent_of_kind(loops.at[i], UW_OP_SCF_FORALL);
    bool waits = uw_has_exchange(loops.at[i], "block") || uw_has_exchange(loops.at[i], "warp");
    if (waits && !uw_null(threads) && uw_is_over(threads, UW_OVER_THREADS) &&
        take_apart(ctx->arena, threads, loops.at[i]))
      change = UW_CHANGED;
  }
  return change;
}
