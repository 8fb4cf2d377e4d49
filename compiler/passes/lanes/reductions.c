/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds up a long array of floating-point values in the order of the source, bit by bit as the loop would, but by
 * vectors.
 *
 *   %s = for (%i = %a to %b) iter(%s = %z) {      %s = if (%b - %a is worth it, and no address wraps around) {
 *     %x = load %in[%i]                     ==>     uwrt_ordered_float(&%in[%a], %b - %a, %z)
 *     yield %s + %x }                             } else { the loop as it was }
 *
 * Then the least and the greatest of bytes are looked for in lanes of bytes (narrow_reductions.c).
 *
 * How that adds up in order, and why it is the same value, says runtime/ordered.c: rounding takes the same part of an
 * element away wherever in its binade the sum is. There a crew that waits for its next launch helps, where the sum is
 * at a launch (licm).
 *
 * Done for a loop by 1 whose only value carried is such a sum of a plain load, with a body that else only computes,
 * where the address follows the counter element by element (a test before the loop shows that no arithmetic of it wraps
 * around: each wrap takes the last address back, and none brings it forth), at least UW_LEAST_ORDERED iterations.
 *
 * Requires: vectorize-threads and unroll-and-jam, which take what many threads can do side by side. Preserves: every bit of the sum.
 * Refuses: addends that are computed (a product may be contracted with the sum), several sums in one loop, sums that
 * may be reordered (LLVM does better with these); silently. Idea: the error-free transformation of Rump, Ogita and
 * Oishi's accurate summation, used to foretell what the naive sum rounds to. */
#include "../../analysis/thresholds.h"
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "vectors.h"

/* Elements of a loop that is worth it. */
#define DONE "unwarp.ordered"

typedef struct ordered_sum {
  uw_arena *arena;
  MlirOperation loop, load;
  MlirType element;
  int64_t bytes; /* of an element */
  uw_builder b;
} ordered_sum;

static MlirValue counter_of(MlirOperation loop) { return mlirBlockGetArgument(uw_block(loop, 0), 0); }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* How far the value goes in a round if nothing wraps around: false if that is not a constant, or comes in more than one
 * way. */
static bool advance(MlirValue value, MlirOperation loop, int64_t *far) {
  int64_t factor = 1, other = 0;
  MlirOperation op = uw_def(value);
  *far = uw_same(value, counter_of(loop));
  if (*far || !uw_defined_inside(value, loop))
    return true;
  if (uw_null(op) || !uw_speculatable(op) || uw_region_count(op) != 0)
    return false;
  uw_kind_t kind = uw_kind(op);
  size_t counting = 0;
  if (kind == UW_OP_ARITH_CONSTANT || kind == UW_OP_LLVM_CONSTANT)
    return true;
  if (kind == UW_OP_LLVM_GEP) {
    if (mlirDenseArrayGetNumElements(uw_get_attr(op, "rawConstantIndices")) != 1)
      return false;
    factor = (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(op, "elem_type")));
  } else if (kind == UW_OP_ARITH_MULI || kind == UW_OP_ARITH_SHLI) {
    if (!uw_const_value(uw_operand(op, 1), &factor) || factor < 0 || factor > (kind == UW_OP_ARITH_SHLI ? 8 : 256))
      return false;
    factor = kind == UW_OP_ARITH_SHLI ? INT64_C(1) << factor : factor;
  } else if (kind != UW_OP_ARITH_ADDI && kind != UW_OP_ARITH_EXTSI && kind != UW_OP_ARITH_EXTUI &&
             kind != UW_OP_ARITH_TRUNCI && !uw_name_starts(op, "arith.index_cast")) {
    return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    if (!advance(uw_operand(op, i), loop, &other))
      return false;
    counting += other != 0;
    *far += kind == UW_OP_LLVM_GEP && i == 0 ? other : other * factor;
  }
  return counting <= 1;
}

static bool only_ordered(MlirOperation add) {
  MlirAttribute flags = uw_get_attr(add, "fastmath");
  MlirContext context = mlirOperationGetContext(add);
  return mlirAttributeIsNull(flags) || mlirAttributeEqual(flags, uw_attr(context, "#arith.fastmath<none>")) ||
         mlirAttributeEqual(flags, uw_attr(context, "#arith.fastmath<contract>"));
}

/* Is it sum + load, of the loop's sum and a load in it? */
static bool find_load(ordered_sum *o, MlirOperation add) {
  MlirValue sum = mlirBlockGetArgument(uw_block(o->loop, 0), 1);
  if (uw_null(add) || !uw_string_is(uw_name(add), "arith.addf") || !only_ordered(add))
    return false;
  bool second = uw_same(uw_operand(add, 1), sum);
  o->load = uw_def(uw_operand(add, !second));
  MlirOpOperand use = mlirValueGetFirstUse(sum);
  return uw_same(uw_operand(add, second), sum) && !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) && uw_kind(o->load) == UW_OP_LLVM_LOAD &&
         uw_plain_access(o->load) && uw_same_op(uw_parent(o->load), o->loop);
}

/* May the loop make so many iterations? */
static bool may_be_long(const ordered_sum *o) {
  int64_t lower, upper, step;
  if (!uw_const_value(uw_operand(o->loop, 2), &step) || step != 1)
    return false;
  return !uw_const_value(uw_operand(o->loop, 0), &lower) || !uw_const_value(uw_operand(o->loop, 1), &upper) ||
         (lower >= 0 && upper >= lower && upper - lower >= UW_LEAST_ORDERED);
}

static bool match(ordered_sum *o) {
  MlirType counter = mlirValueGetType(counter_of(o->loop));
  if (uw_result_count(o->loop) != 1 || !may_be_long(o) || !mlirAttributeIsNull(uw_get_attr(o->loop, DONE)) ||
      !(mlirTypeIsAIndex(counter) || mlirIntegerTypeGetWidth(counter) == 32 || mlirIntegerTypeGetWidth(counter) == 64))
    return false;
  MlirBlock body = uw_block(o->loop, 0);
  o->element = mlirValueGetType(uw_result(o->loop, 0));
  if ((!mlirTypeIsAF32(o->element) && !mlirTypeIsAF64(o->element)) ||
      !find_load(o, uw_def(uw_operand(uw_last(body), 0))))
    return false;
  uw_foreach_op (op, body)
    if (!uw_same_op(op, o->load) && uw_kind(op) != UW_OP_SCF_YIELD && !uw_speculatable(op))
      return false;
  int64_t far;
  o->bytes = (int64_t)uw_type_bytes(o->element);
  return advance(uw_operand(o->load, 0), o->loop, &far) && far == o->bytes;
}

/* --- what comes in its place -------------------------------------------------------------------------------------- */

static MlirValue number(ordered_sum *o, int64_t value) { return uw_const_int(&o->b, 64, value); }
static MlirValue binary(ordered_sum *o, const char *name, MlirValue left, MlirValue right) {
  return uw_binary(&o->b, name, left, right);
}

/* A bound of the loop, or what was added to it, as 64 bits. */
static MlirValue widened(ordered_sum *o, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(o->b.context, 64);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(o->loop, "unsignedCmp"));
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(&o->b,
                   mlirTypeIsAIndex(type) ? "arith.index_cast"
                   : is_unsigned          ? "arith.extui"
                                          : "arith.extsi",
                   .in = VALS(value), .out = TYPES(i64));
}

/* The load's address so many iterations after the first. */
static MlirValue place_at(ordered_sum *o, MlirValue iterations) {
  MlirValue lower = uw_operand(o->loop, 0);
  MlirType type = mlirValueGetType(lower);
  if (!mlirTypeEqual(type, mlirValueGetType(iterations)))
    iterations = uw_build1(&o->b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.trunci", .in = VALS(iterations),
                           .out = TYPES(type));
  uw_map *map = uw_map_create(o->arena);
  uw_map_set(map, counter_of(o->loop), binary(o, "arith.addi", lower, iterations));
  return uw_compute_outside(&o->b, uw_operand(o->load, 0), o->loop, map);
}

/* Is the last address as far from the first one as without wraps? */
static MlirValue is_straight(ordered_sum *o, MlirValue iterations) {
  MlirType i64 = uw_int_type(o->b.context, 64);
  MlirValue before_last = binary(o, "arith.subi", iterations, number(o, 1));
  MlirValue ends[] = {place_at(o, number(o, 0)), place_at(o, before_last)};
  for (size_t i = 0; i < 2; i++)
    ends[i] = uw_build1(&o->b, "llvm.ptrtoint", .in = VALS(ends[i]), .out = TYPES(i64));
  return uw_compare(&o->b, UW_EQ, binary(o, "arith.subi", ends[1], ends[0]),
                    binary(o, "arith.muli", before_last, number(o, o->bytes)));
}

static MlirValue may_be_made(ordered_sum *o, MlirValue iterations) {
  MlirValue lower = uw_operand(o->loop, 0), upper = uw_operand(o->loop, 1);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(o->loop, "unsignedCmp"));
  MlirValue is_long = binary(o, "arith.andi", uw_compare(&o->b, is_unsigned ? UW_ULT : UW_SLT, lower, upper),
                             uw_compare(&o->b, UW_SGE, iterations, number(o, UW_LEAST_ORDERED)));
  uw_builder inside, outer = o->b;
  MlirOperation question = uw_begin_question(&outer, is_long, &inside);
  o->b = inside;
  MlirValue answer = uw_end_question(question, &o->b, is_straight(o, iterations));
  o->b = outer;
  return answer;
}

static void emit(ordered_sum *o) {
  MlirValue iterations =
      binary(o, "arith.subi", widened(o, uw_operand(o->loop, 1)), widened(o, uw_operand(o->loop, 0)));
  MlirValue made = may_be_made(o, iterations);
  const char *function = o->bytes == 4 ? "uwrt_ordered_float" : "uwrt_ordered_double";
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(o->loop, UW_OP_MODULE)), function,
             o->bytes == 4 ? "!llvm.func<f32 (ptr, i64, f32)>" : "!llvm.func<f64 (ptr, i64, f64)>");
  uw_versions versions =
      uw_make_versions(o->arena, &o->b, .asked = made, .first = o->loop, .own = UW_FAILS, .written = true);
  o->b = versions.in[UW_HOLDS];
  MlirOperation call =
      uw_call(&o->b, function, VALS(place_at(o, number(o, 0)), iterations, uw_operand(o->loop, 3)), o->element);
  uw_end_version(&versions, UW_HOLDS, VALS(uw_result(call, 0)));
  uw_set_attr(o->loop, DONE, mlirUnitAttrGet(o->b.context));
}

uw_change uw_pass_reductions(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count && uw_target_of(root).register_bytes > 0;
       i++) { /* without optimisation they have none */
    ordered_sum o = {.arena = ctx->arena, .loop = loops.at[i]};
    if (!match(&o))
      continue;
    uw_remark(mlirOperationGetLocation(o.load), "reductions",
              "added up by vectors, in pieces in which the sum keeps its exponent");
    o.b = uw_at(o.loop);
    emit(&o);
    change = UW_CHANGED;
  }
  return uw_narrow_reductions(ctx->arena, root) == UW_CHANGED ? UW_CHANGED : change;
}
