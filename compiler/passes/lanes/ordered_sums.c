/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds up a long array of floating-point numbers in the order of the source, bit by bit as the loop would, but by vectors.
 *
 *   %s = for (%i = %a to %b) iter(%s = %z) {      while (%at < %n) {                       (%n = %b - %a if that is worth it, else 0)
 *     %x = load %in[%i]                             for all vectors %x of in[%a + %at] … in[%a + %at + %count - 1] {
 *     yield %s + %x }                                 %r = (%s + %x) - %s; %m = |%x - %r|
 *                                         ==>         %T += %r; %P += max(%r, 0); %M = max(%m, %M) }
 *                                                   if (%s can be taken to %s + %T) %s = %s + %T, %at += %count
 *                                                   else some rounds of the loop as it was }
 *                                                 the loop as it was, from %a + %at on
 *
 * Why that is the same number. Let p be the precision (24 or 53 bits), s the sum before the chunk, 2^e <= |s| < 2^(e+1), u = 2^(e+1-p)
 * the distance of neighbouring numbers in there, rn() rounding to nearest, ties to even. L and H are the ends of that binade: 2^e and
 * 2^(e+1), or their negatives. All of (L, H) are multiples of u, all multiples of u up to 2^p u = 2^(e+1) are numbers, and "inside" means
 * strictly between L and H: the sign and the exponent of s, and other bits than zeros in the fraction. s is inside itself.
 *
 *   Claim: if |m| != u/2 for all elements, s is normal, and both rn(s + P) and rn(s - N) are inside, where N = rn(P - T), then the loop
 *   comes to s + T, which is exact.
 *
 *   1. No s + x rounds to H or beyond: else r >= H - s, which is a number, P >= r as adding numbers >= 0 never makes a sum less, and s + P
 *      is not inside. So every r > 0 is exact and a multiple of u; P is exact up to 2^p u, and not less than that beyond: then s + P is
 *      not inside either. So P is exact, and less than 2^p u.
 *   2. Sums of multiples of u, of which those > 0 add up to no more than P, are exact, or no more than P - 2^p u, in any order and
 *      grouping. (By induction: a sum of two exact ones is a multiple of u, no more than its part p of P, and exact unless it is less than
 *      -2^p u; as that is a number, and no more than p - 2^p u, so is what it is rounded to. Of two of which one is not exact, the sum is
 *      no more than p - 2^p u, which is a number.) If T is not exact then P - T >= 2^p u, and s - N is not inside.
 *   3. No s + x rounds to L or beyond: let r' = L - s, a multiple of u, stand for each such r <= r'. Rounding is monotonic, so T is no more
 *      than the sum T' of these. By 2, T' is exact, and then N >= P - T' >= s - L; or it is not, and N >= 2^p u. In both cases s - N is not
 *      inside. So every r is a multiple of u, T is exact, and so is N or it is not less than 2^p u, as P in 1: it is exact.
 *   4. So P is the sum of all r > 0, -N of all r < 0, and every sum of some r, added to s, is inside. m is exact: x = r + m where r is the
 *      multiple of u next to x, so |m| <= u/2, and m is a multiple of the spacing of x: no more than 2^p times that. As |m| < u/2, r is the
 *      only nearest one. In the loop a partial sum t = s + (some r) meets x: t + x = (t + r) + m, where t + r is inside, its neighbours are
 *      u away (L itself on the side of zero, as t + r >= L + u or <= H - u), and |m| < u/2: it rounds to t + r. So the loop's sum is s + T.
 *
 * An infinity or a NaN makes P or T infinite or NaN, which is not inside; so does a sum that overflows. A NaN must not get lost in
 * max(r, 0); T has it in any case. Zeros: s is none. The processor may flush subnormal numbers: s is as large as u/2 is normal, so that
 * an x that is flushed has r = 0, an m that is flushed is no tie, and flushing is monotonic too. Exceptions and other modes of rounding are
 * nothing that kernels know of. What is made has no fast-math flag, and no multiplication that could be contracted.
 *
 * How much is tried: a chunk that fails is made by vectors for nothing. So chunks begin small, grow while they succeed, and are small
 * after a failure; where small ones fail too, a stretch is left to the loop as it was, which every failure makes longer and every
 * success shorter. Sums that grow fail when they come to a new binade; data that fail all the time cost a few percent.
 *
 * Done for a loop by 1 whose only value carried is such a sum of a plain load, with a body that else only computes, where the
 * address follows the counter element by element (a test before the loop shows that no arithmetic of it wraps around: each wrap takes
 * the last place back, and none brings it forth), at least LEAST rounds.
 *
 * Requires: packets and jam, which take what many threads can do side by side. Preserves: every bit of the sum. Refuses: addends that
 * are computed (a product may be contracted with the sum), several sums in one loop, sums that may be reordered (LLVM does better
 * with these); in silence. Idea: the error-free transformation of Rump, Ogita and Oishi's accurate summation, used to foretell what
 * the naive sum rounds to. */
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"
#include "vectors.h"

/* Elements: of the smallest and the largest chunk, of a loop that is worth it, and of the longest stretch without trying. */
enum { SMALLEST = 128, LARGEST = 2048, LEAST = 4096, LONGEST = 8192 };
#define DONE "unwarp.ordered"

typedef struct ordered_sum {
  uw_arena *arena;
  MlirOperation loop, load;
  MlirType element;
  int64_t bytes, lanes;
  unsigned bits, fraction; /* of an element; in it without the leading one */
  uw_builder b;
} ordered_sum;

static MlirValue counter_of(MlirOperation loop) { return mlirBlockGetArgument(uw_block(loop, 0), 0); }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* How far the value goes in a round if nothing wraps around: false if that is not a constant, or comes in more than one way. */
static bool advance(MlirValue value, MlirOperation loop, int64_t *far) {
  int64_t factor = 1, other = 0;
  MlirOperation op = uw_def(value);
  *far = uw_same(value, counter_of(loop));
  if (*far || !uw_defined_inside(value, loop))
    return true;
  if (uw_null(op) || !uw_speculatable(op) || mlirOperationGetNumRegions(op) != 0)
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
  } else if (kind != UW_OP_ARITH_ADDI && kind != UW_OP_ARITH_EXTSI && kind != UW_OP_ARITH_EXTUI && kind != UW_OP_ARITH_TRUNCI &&
             !uw_name_starts(op, "arith.index_cast")) {
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
  return uw_same(uw_operand(add, second), sum) && !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
         uw_kind(o->load) == UW_OP_LLVM_LOAD && uw_plain_access(o->load) && uw_same_op(uw_parent(o->load), o->loop);
}

/* May the loop make so many rounds? */
static bool may_be_long(const ordered_sum *o) {
  int64_t lower, upper, step;
  if (!uw_const_value(uw_operand(o->loop, 2), &step) || step != 1)
    return false;
  return !uw_const_value(uw_operand(o->loop, 0), &lower) || !uw_const_value(uw_operand(o->loop, 1), &upper) ||
         (lower >= 0 && upper >= lower && upper - lower >= LEAST);
}

static bool match(ordered_sum *o) {
  MlirType counter = mlirValueGetType(counter_of(o->loop));
  if (uw_result_count(o->loop) != 1 || !may_be_long(o) || !mlirAttributeIsNull(uw_get_attr(o->loop, DONE)) ||
      !(mlirTypeIsAIndex(counter) || mlirIntegerTypeGetWidth(counter) == 32 || mlirIntegerTypeGetWidth(counter) == 64))
    return false;
  MlirBlock body = uw_block(o->loop, 0);
  o->element = mlirValueGetType(uw_result(o->loop, 0));
  if ((!mlirTypeIsAF32(o->element) && !mlirTypeIsAF64(o->element)) || !find_load(o, uw_def(uw_operand(uw_last(body), 0))))
    return false;
  uw_foreach_op(op, body)
    if (!uw_same_op(op, o->load) && uw_kind(op) != UW_OP_SCF_YIELD && !uw_speculatable(op))
      return false;
  int64_t far;
  o->bytes = (int64_t)uw_type_bytes(o->element);
  o->bits = (unsigned)o->bytes * 8;
  o->fraction = o->bits == 32 ? 23 : 52;
  return advance(uw_operand(o->load, 0), o->loop, &far) && far == o->bytes;
}

/* --- scalars and vectors ------------------------------------------------------------------------------------------- */

static MlirValue number(ordered_sum *o, int64_t value) { return uw_const_int(&o->b, 64, value); }
static MlirValue binary(ordered_sum *o, const char *name, MlirValue left, MlirValue right) { return uw_binary(&o->b, name, left, right); }
static MlirType wide(const ordered_sum *o, MlirType element) { return mlirVectorTypeGet(1, &o->lanes, element); }

/* A bound of the loop, or what was added to it, as 64 bits. */
static MlirValue widened(ordered_sum *o, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(o->b.context, 64);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(o->loop, "unsignedCmp"));
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(&o->b, mlirTypeIsAIndex(type) ? "arith.index_cast" : is_unsigned ? "arith.extui" : "arith.extsi", .in = VALS(value),
                   .out = TYPES(i64));
}

/* The counter so many rounds behind the first. */
static MlirValue round_at(ordered_sum *o, MlirValue rounds) {
  MlirValue lower = uw_operand(o->loop, 0);
  MlirType type = mlirValueGetType(lower);
  if (!mlirTypeEqual(type, mlirValueGetType(rounds)))
    rounds = uw_build1(&o->b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.trunci", .in = VALS(rounds), .out = TYPES(type));
  return binary(o, "arith.addi", lower, rounds);
}

static MlirValue place_at(ordered_sum *o, MlirValue rounds) {
  uw_map *map = uw_map_create(o->arena);
  uw_map_set(map, counter_of(o->loop), round_at(o, rounds));
  return uw_compute_outside(&o->b, uw_operand(o->load, 0), o->loop, map);
}

static MlirValue zeros(ordered_sum *o) {
  MlirType type = wide(o, o->element);
  return uw_build1(&o->b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirDenseElementsAttrSplatGet(type, mlirFloatAttrDoubleGet(o->b.context, o->element, 0))}));
}

enum { OEQ = 1, OGT = 2, OLT = 4 }; /* of arith.cmpf */

static MlirValue compare_floats(ordered_sum *o, int64_t predicate, MlirValue left, MlirValue right) {
  return uw_build1(&o->b, "arith.cmpf", .in = VALS(left, right), .out = TYPES(wide(o, uw_int_type(o->b.context, 1))),
                   .attrs = ATTRS({"predicate", uw_int_attr(o->b.context, 64, predicate)}));
}

static MlirValue as_bits(ordered_sum *o, MlirValue value, bool to_float) {
  return uw_build1(&o->b, "arith.bitcast", .in = VALS(value), .out = TYPES(to_float ? o->element : uw_int_type(o->b.context, o->bits)));
}

static MlirValue integer(ordered_sum *o, int64_t value) { return uw_const_int(&o->b, o->bits, value); }

static MlirValue add_up(ordered_sum *o, MlirValue vector) {
  MlirValue zero = uw_build1(&o->b, "arith.constant", .out = TYPES(o->element),
                             .attrs = ATTRS({"value", mlirFloatAttrDoubleGet(o->b.context, o->element, 0)}));
  return uw_build1(&o->b, "llvm.intr.vector.reduce.fadd", .in = VALS(zero, vector), .out = TYPES(o->element),
                   .attrs = ATTRS({"fastmathFlags", uw_attr(o->b.context, "#llvm.fastmath<reassoc>")})); /* in any order: see 2 */
}

/* --- a chunk ------------------------------------------------------------------------------------------------------ */

typedef struct chunk { MlirValue total, positive, ties; } chunk; /* T, P; is there an m of u/2? */

/* half: u/2. */
static chunk take_chunk(ordered_sum *o, MlirValue sum, MlirValue half, MlirValue place, MlirValue count) {
  MlirValue s = uw_splat(&o->b, sum, o->lanes), zero = zeros(o);
  MlirOperation loop = uw_build_for(&o->b, number(o, 0), count, number(o, o->lanes), VALS(zero, zero, zero));
  MlirBlock body = uw_block(loop, 0);
  uw_builder outer = o->b;
  o->b = (uw_builder){outer.context, outer.location, body, {NULL}};
  MlirValue total = mlirBlockGetArgument(body, 1), positive = mlirBlockGetArgument(body, 2), most = mlirBlockGetArgument(body, 3);
  MlirValue address = uw_add_elements(&o->b, place, o->element, mlirBlockGetArgument(body, 0));
  MlirType type = wide(o, o->element);
  MlirValue x = uw_build1(&o->b, "llvm.load", .in = VALS(address), .out = TYPES(type),
                          .attrs = ATTRS({"alignment", uw_int_attr(o->b.context, 64, uw_get_int_attr(o->load, "alignment", o->bytes))}));
  MlirValue r = binary(o, "arith.subf", binary(o, "arith.addf", s, x), s);
  MlirValue m = uw_build1(&o->b, "math.absf", .in = VALS(binary(o, "arith.subf", x, r)), .out = TYPES(type));
  total = binary(o, "arith.addf", total, r);
  positive = binary(o, "arith.addf", positive, uw_select(&o->b, compare_floats(o, OLT, r, zero), zero, r));
  most = uw_select(&o->b, compare_floats(o, OGT, m, most), m, most);
  uw_build(&o->b, "scf.yield", .in = VALS(total, positive, most));
  o->b = outer;
  MlirValue ties = compare_floats(o, OEQ, uw_result(loop, 2), uw_splat(&o->b, half, o->lanes));
  return (chunk){add_up(o, uw_result(loop, 0)), add_up(o, uw_result(loop, 1)),
                 uw_build1(&o->b, "llvm.intr.vector.reduce.or", .in = VALS(ties), .out = TYPES(uw_int_type(o->b.context, 1)))};
}

/* Has the value, of these bits, the sign and exponent of the other one, and is not the end of the binade? */
static MlirValue is_inside(ordered_sum *o, MlirValue value, MlirValue bits) {
  MlirValue own = as_bits(o, value, false), fraction = integer(o, (INT64_C(1) << o->fraction) - 1);
  MlirValue same = uw_compare(&o->b, UW_ULE, binary(o, "arith.xori", own, bits), fraction);
  return binary(o, "arith.andi", same, uw_compare(&o->b, UW_NE, binary(o, "arith.andi", own, fraction), integer(o, 0)));
}

/* Tries a chunk; *fits says whether the sum behind it, which is the result, is right. */
static MlirValue try_chunk(ordered_sum *o, MlirValue sum, MlirValue place, MlirValue count, MlirValue *fits) {
  const int64_t precision = (int64_t)o->fraction + 1, exponents = (INT64_C(1) << (o->bits - 1 - o->fraction)) - 1;
  MlirValue bits = as_bits(o, sum, false), shift = integer(o, o->fraction);
  MlirValue exponent = binary(o, "arith.andi", binary(o, "arith.shrui", bits, shift), integer(o, exponents));
  MlirValue below = binary(o, "arith.subi", exponent, integer(o, precision)); /* the exponent of u/2: 1 or more if it is normal */
  MlirValue fit = uw_compare(&o->b, UW_ULT, binary(o, "arith.subi", below, integer(o, 1)), integer(o, exponents - precision - 1));
  MlirValue half = as_bits(o, binary(o, "arith.shli", below, shift), true);
  chunk c = take_chunk(o, sum, half, place, uw_select(&o->b, fit, count, number(o, 0)));
  MlirValue negative = binary(o, "arith.subf", c.positive, c.total);
  fit = binary(o, "arith.andi", fit, is_inside(o, sum, bits));
  fit = uw_select(&o->b, c.ties, uw_const_int(&o->b, 1, 0), fit);
  fit = binary(o, "arith.andi", fit, is_inside(o, binary(o, "arith.addf", sum, c.positive), bits));
  *fits = binary(o, "arith.andi", fit, is_inside(o, binary(o, "arith.subf", sum, negative), bits));
  return binary(o, "arith.addf", sum, c.total);
}

/* So many rounds of the loop as it was, from `from` on. */
static MlirValue take_rounds(ordered_sum *o, MlirValue sum, MlirValue from, MlirValue to) {
  MlirValue lower = round_at(o, from), upper = round_at(o, to);
  MlirOperation copy = uw_clone(&o->b, o->loop, uw_map_create(o->arena));
  mlirOperationSetOperand(copy, 0, lower);
  mlirOperationSetOperand(copy, 1, upper);
  mlirOperationSetOperand(copy, 3, sum);
  uw_set_attr(copy, DONE, mlirUnitAttrGet(o->b.context));
  return uw_result(copy, 0);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Carried: the sum, the rounds behind us, the elements of the next chunk, and how many rounds to leave alone if it fails. */
enum { SUM, AT, SIZE, STRETCH, CARRIED };

/* What follows a chunk that did not fit: a smaller one, or rounds of the loop as it was. */
static void go_on(ordered_sum *o, const MlirValue *now, MlirValue count, MlirValue left) {
  MlirValue small = uw_compare(&o->b, UW_SLE, count, number(o, SMALLEST));
  MlirValue upto = binary(o, "arith.addi", now[AT], binary(o, "arith.minsi", now[STRETCH], left));
  MlirValue to = uw_select(&o->b, small, upto, now[AT]);
  MlirValue sum = take_rounds(o, now[SUM], now[AT], to);
  MlirValue longer = binary(o, "arith.addi", now[STRETCH], binary(o, "arith.shrui", now[STRETCH], number(o, 1)));
  uw_build(&o->b, "scf.yield", .in = VALS(sum, to, number(o, SMALLEST), binary(o, "arith.minsi", longer, number(o, LONGEST))));
}

static void take_step(ordered_sum *o, const MlirValue *now, MlirValue first, MlirValue rounds) {
  MlirType i64 = uw_int_type(o->b.context, 64);
  MlirValue left = binary(o, "arith.subi", rounds, now[AT]);
  MlirValue count = binary(o, "arith.minsi", now[SIZE], binary(o, "arith.andi", left, number(o, -(int64_t)SMALLEST))), fits;
  MlirValue sum = try_chunk(o, now[SUM], uw_add_elements(&o->b, first, o->element, now[AT]), count, &fits);
  MlirOperation choice = uw_build_if(&o->b, fits, TYPES(o->element, i64, i64, i64));
  uw_builder outer = o->b;
  o->b = (uw_builder){outer.context, outer.location, uw_block(choice, 0), {NULL}};
  MlirValue larger = binary(o, "arith.minsi", binary(o, "arith.addi", count, count), number(o, LARGEST));
  MlirValue shorter = binary(o, "arith.maxsi", binary(o, "arith.shrui", now[STRETCH], number(o, 1)), number(o, SMALLEST));
  uw_build(&o->b, "scf.yield", .in = VALS(sum, binary(o, "arith.addi", now[AT], count), larger, shorter));
  o->b = (uw_builder){outer.context, outer.location, uw_block(choice, 1), {NULL}};
  go_on(o, now, count, left);
  o->b = outer;
  uw_build(&o->b, "scf.yield", .in = VALS(uw_result(choice, SUM), uw_result(choice, AT), uw_result(choice, SIZE), uw_result(choice, STRETCH)));
}

/* Steps while there is a whole one left. *at gets the rounds behind us; the result is the sum. */
static MlirValue take_steps(ordered_sum *o, MlirValue rounds, MlirValue *at) {
  MlirType i64 = uw_int_type(o->b.context, 64);
  MlirValue first = place_at(o, number(o, 0)), one = number(o, 1);
  MlirValue last = place_at(o, binary(o, "arith.subi", rounds, one));
  MlirValue ends[] = {first, last};
  for (size_t i = 0; i < 2; i++)
    ends[i] = uw_build1(&o->b, "llvm.ptrtoint", .in = VALS(ends[i]), .out = TYPES(i64));
  MlirValue far = binary(o, "arith.muli", binary(o, "arith.subi", rounds, one), number(o, o->bytes));
  MlirValue straight = uw_compare(&o->b, UW_EQ, binary(o, "arith.subi", ends[1], ends[0]), far);
  MlirValue end = uw_select(&o->b, straight, rounds, number(o, 0));
  MlirOperation steps = uw_build_while(&o->b, VALS(uw_operand(o->loop, 3), number(o, 0), number(o, SMALLEST), number(o, SMALLEST)),
                                       TYPES(o->element, i64, i64, i64));
  uw_builder outer = o->b;
  MlirValue now[CARRIED], carried[CARRIED];
  for (intptr_t i = 0; i < CARRIED; i++) {
    carried[i] = mlirBlockGetArgument(uw_block(steps, 0), i);
    now[i] = mlirBlockGetArgument(uw_block(steps, 1), i);
  }
  o->b = (uw_builder){outer.context, outer.location, uw_block(steps, 0), {NULL}};
  MlirValue goes_on = uw_compare(&o->b, UW_SGE, binary(o, "arith.subi", end, carried[AT]), number(o, SMALLEST));
  uw_build(&o->b, "scf.condition", .in = VALS(goes_on, carried[SUM], carried[AT], carried[SIZE], carried[STRETCH]));
  o->b = (uw_builder){outer.context, outer.location, uw_block(steps, 1), {NULL}};
  take_step(o, now, first, end);
  o->b = outer;
  *at = uw_result(steps, AT);
  return uw_result(steps, SUM);
}

static void emit(ordered_sum *o) {
  MlirType i64 = uw_int_type(o->b.context, 64);
  MlirValue lower = uw_operand(o->loop, 0), upper = uw_operand(o->loop, 1), at;
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(o->loop, "unsignedCmp"));
  MlirValue rounds = binary(o, "arith.subi", widened(o, upper), widened(o, lower));
  MlirValue is_long = binary(o, "arith.andi", uw_compare(&o->b, is_unsigned ? UW_ULT : UW_SLT, lower, upper),
                             uw_compare(&o->b, UW_SGE, rounds, number(o, LEAST)));
  MlirOperation choice = uw_build_if(&o->b, is_long, TYPES(o->element, i64));
  uw_builder outer = o->b;
  o->b = (uw_builder){outer.context, outer.location, uw_block(choice, 0), {NULL}};
  MlirValue sum = take_steps(o, rounds, &at);
  uw_build(&o->b, "scf.yield", .in = VALS(sum, at));
  o->b = (uw_builder){outer.context, outer.location, uw_block(choice, 1), {NULL}};
  uw_build(&o->b, "scf.yield", .in = VALS(uw_operand(o->loop, 3), number(o, 0)));
  o->b = outer;
  mlirOperationSetOperand(o->loop, 0, round_at(o, uw_result(choice, 1)));
  mlirOperationSetOperand(o->loop, 3, uw_result(choice, 0));
  uw_set_attr(o->loop, DONE, mlirUnitAttrGet(o->b.context));
}

uw_change uw_pass_ordered_sums(MlirOperation root, uw_pass_ctx *ctx) {
  enum { REGISTERS = 4, WIDE_ROOM = 2048, LEAST_BYTES = 16 };
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count && uw_register_bytes(root) >= LEAST_BYTES; i++) { /* without optimisation they have none */
    ordered_sum o = {.arena = ctx->arena, .loop = loops.at[i]};
    if (!match(&o))
      continue;
    uw_remark(mlirOperationGetLocation(o.load), "ordered-sums", "added up by vectors, in steps in which the sum keeps its exponent");
    o.lanes = uw_register_bytes(root) / o.bytes * (uw_register_room(root) >= WIDE_ROOM ? REGISTERS : REGISTERS / 2);
    o.b = uw_at(o.loop);
    emit(&o);
    change = UW_CHANGED;
  }
  return change;
}
