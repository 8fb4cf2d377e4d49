/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What vectors can do, and whether it pays: see vectors.h.
 *
 * Costs (cost.h) are in simple operations: for a lane of its own, and for all lanes at once in as many registers as a
 * value fills. They are rough; what decides is how much computation stands around each gather, scatter and division,
 * which vectors do lane after lane. */
#include "vectors.h"

#include "../../analysis/cost.h"
#include "../../analysis/uniformity.h"
#include "../../analysis/vector_math.h"
#include "../../transform/loop_ranges.h"
#include "address_growth.h"
#include "in_turn.h"
#include "overlap.h"
#include "own_walks.h"
#include "weaves.h"

typedef struct price {
  uw_arena *arena;
  uw_shapes *shapes;
  int64_t width;
  uw_target target;
  const uw_costs *costs;
  MlirOperation turns;   /* lanes that may do in turn what vectors cannot; else null */
  bool masked;           /* in a loop that lanes leave after different iterations */
  int parted;            /* branches around, one in the other, at which lanes part */
  double scalar, vector; /* so far */
  double in_turn;        /* the same of what lanes do in turn, for a lane: no faster and no slower than alone */
  const uw_iterations
      *walk;             /* a loop around, in which all that would be gathered are rows of each lane's own; else null */
  MlirOperation hinders; /* the first operation that does not fit */
  MlirOperation walked;  /* a loop that a thread alone does in lanes of its own; or null */
} price;

static bool is_vector_element(MlirType type) {
  if (mlirTypeIsAInteger(type)) {
    unsigned bits = mlirIntegerTypeGetWidth(type);
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  return mlirTypeIsAIndex(type) || (mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) <= 64) ||
         mlirTypeIsALLVMPointerType(type);
}

static bool have_vector_types(MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_vector_element(mlirValueGetType(uw_operand(op, i))))
      return false;
  for (size_t i = 0; i < uw_result_count(op); i++)
    if (!is_vector_element(mlirValueGetType(uw_result(op, i))))
      return false;
  return true;
}

/* Registers that a value of this type fills. */
static double registers(const price *p, MlirType type) {
  double bytes = (double)((int64_t)uw_type_bytes(type) * p->width);
  double own = (double)p->target.register_bytes;
  return bytes > own ? bytes / own : 1;
}

static void add(price *p, double weight, double scalar, double vector) {
  p->scalar += weight * scalar;
  p->vector += weight * vector;
}

static bool is_in(MlirOperation op, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (uw_string_is(uw_name(op), names[i]))
      return true;
  return false;
}
#define IS_IN(op, names) is_in((op), (names), sizeof(names) / sizeof *(names))

static bool is_math(MlirOperation op) {
  uw_vector_form form;
  return uw_is_math_function(op, &form);
}

static bool is_elementwise(MlirOperation op) {
  static const char *const others[] = {
      "llvm.getelementptr",  "llvm.icmp",           "llvm.freeze",      "llvm.ptrtoint",        "llvm.inttoptr",
      "llvm.intr.fma",       "llvm.intr.fmuladd",   "llvm.intr.fshl",   "llvm.intr.fshr",       "llvm.intr.umin",
      "llvm.intr.umax",      "llvm.intr.smin",      "llvm.intr.smax",   "llvm.intr.ctlz",       "llvm.intr.cttz",
      "llvm.intr.ctpop",     "llvm.intr.bswap",     "llvm.intr.abs",    "llvm.intr.bitreverse", "llvm.intr.fabs",
      "llvm.intr.sqrt",      "llvm.intr.floor",     "llvm.intr.ceil",   "llvm.intr.trunc",      "llvm.intr.rint",
      "llvm.intr.nearbyint", "llvm.intr.roundeven", "llvm.intr.minnum", "llvm.intr.maxnum",     "llvm.intr.copysign",
      "llvm.intr.round",     "llvm.intr.is.fpclass"};
  return is_math(op) || uw_name_starts(op, "arith.") || uw_name_starts(op, "math.") || IS_IN(op, others);
}

static bool fits(price *p, MlirOperation op, double weight);

static bool block_fits(price *p, MlirBlock block, double weight) {
  if (mlirBlockIsNull(block))
    return true;
  uw_foreach_op (op, block)
    if (!uw_same_op(op, uw_last(block)) && !fits(p, op, weight))
      return false;
  return true;
}

/* Does each lane load the next element of a row, as transpose_loads.c finds it? */
static bool walks(const uw_iterations *walk, MlirOperation load) {
  return walk && uw_kind(load) == UW_OP_LLVM_LOAD &&
         uw_walks_along(walk, uw_operand(load, 0), mlirValueGetType(uw_result(load, 0)));
}

/* Of elements that are a step apart, and perhaps of one group with others (vectorize_interleaved.c): loads and shuffles; 0: they
 * are too far apart. */
static double interleaved(const price *p, MlirType type, int64_t step) {
  int64_t bytes = (int64_t)uw_type_bytes(type);
  bool fits = step > 0 && uw_may_weave(&p->target, bytes, step) && uw_gathers(&p->target);
  return fits ? registers(p, type) * (1 + UW_WOVEN_COST * (double)(step / bytes)) : 0;
}

/* An array of the thread's own that serves all lanes, or of which each has its part. */
static bool has_place(price *p, MlirOperation array) {
  return uw_shape_of(p->shapes, uw_result(array, 0)).kind != UW_SHAPE_ANY;
}

/* Of an element that lies where the lane says, for each lane. */
static double apart_cost(const price *p, MlirOperation op, MlirType type) {
  const int64_t bytes = (int64_t)uw_type_bytes(type);
  if (walks(p->walk, op))
    return UW_TURNED_COST;
  bool is_store = uw_kind(op) == UW_OP_LLVM_STORE;
  bool own = uw_kind(uw_address_root(uw_operand(op, is_store))) == UW_OP_LLVM_ALLOCA;
  return is_store ? uw_scatter_cost(p->costs, bytes, own) : uw_gather_cost(p->costs, bytes, own);
}

/* Of elements side by side, for all lanes. */
static double row_cost(const price *p, MlirType type, bool is_store) {
  double fill = registers(p, type);
  double masked = (is_store ? p->costs->masked_store : p->costs->masked_load) * (double)p->width;
  return p->masked && masked > fill ? masked : fill;
}

static bool access_fits(price *p, MlirOperation op, double weight) {
  bool is_store = uw_kind(op) == UW_OP_LLVM_STORE;
  MlirValue address = uw_operand(op, is_store);
  MlirType type = mlirValueGetType(is_store ? uw_operand(op, 0) : uw_result(op, 0));
  MlirOperation root = uw_address_root(address);
  if (!uw_plain_access(op) || (uw_kind(root) == UW_OP_LLVM_ALLOCA && !has_place(p, root)))
    return false;
  uw_shape shape = uw_shape_of(p->shapes, address);
  if (shape.kind == UW_SHAPE_SAME) {
    add(p, weight, 1, 1);
    return !is_store || uw_is_same(p->shapes, uw_operand(op, 0));
  }
  bool is_bit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  if (is_bit || !is_vector_element(type))
    return false;
  bool side_by_side = shape.kind == UW_SHAPE_STEP && shape.step == (int64_t)uw_type_bytes(type);
  /* In a branch within a branch stand too few of a group to join them. */
  double woven = shape.kind == UW_SHAPE_STEP && p->parted < 2 ? interleaved(p, type, shape.step) : 0;
  double lanes = (double)p->width * apart_cost(p, op, type);
  add(p, weight, 1, side_by_side ? row_cost(p, type, is_store) : woven > 0 && woven < lanes ? woven : lanes);
  return true;
}

/* A function of floats, in as many registers as it fills. */
static double function_price(const price *p, MlirOperation op) {
  uw_vector_form form;
  if (uw_is_math_function(op, &form) && form == UW_EACH_LANE)
    return p->costs->function_each_lane * (double)p->width;
  return p->costs->function * registers(p, mlirValueGetType(uw_result(op, 0)));
}

/* A division of integers by a number; of one of two it is a shift, as quick as all else. */
static void add_division_by(price *p, double weight, MlirType type, int64_t divisor) {
  double fill = registers(p, type), alone = p->costs->number_alone;
  bool is_wide = uw_type_bytes(type) > 4; /* no vectors have the upper half of such products */
  if (divisor > 0 && (divisor & (divisor - 1)) == 0)
    add(p, weight, 1, fill);
  else
    add(p, weight, alone, is_wide ? (alone + UW_TURN_COST) * (double)p->width : p->costs->number * fill);
}

static bool computation_fits(price *p, MlirOperation op, double weight) {
  bool is_same = uw_shape_of(p->shapes, uw_result(op, 0)).kind != UW_SHAPE_ANY;
  if (is_same) {
    add(p, weight, 1, 1);
    return uw_effect_free(op);
  }
  if (!is_elementwise(op) || !have_vector_types(op))
    return false;
  static const char *const slow[] = {"arith.divf", "math.sqrt", "math.rsqrt", "llvm.intr.sqrt", "arith.remf"};
  static const char *const quick[] = {"math.absf", "math.fma",   "math.copysign", "math.floor",
                                      "math.ceil", "math.trunc", "math.roundeven"};
  static const char *const divisions[] = {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui"};
  MlirType type = mlirValueGetType(uw_operand(op, uw_operand_count(op) - 1));
  double fill = registers(p, type);
  int64_t divisor;
  if (IS_IN(op, divisions) && uw_const_value(uw_operand(op, 1), &divisor))
    add_division_by(p, weight, type, divisor);
  else if (IS_IN(op, divisions))
    add(p, weight, p->costs->integers_alone, p->costs->integers * (double)p->width);
  else if (IS_IN(op, slow))
    add(p, weight, p->costs->divide_alone, p->costs->divide * fill);
  else if (is_math(op) || (uw_name_starts(op, "math.") && mlirTypeIsAFloat(type) && !IS_IN(op, quick)))
    add(p, weight, p->costs->function_alone, function_price(p, op));
  else
    add(p, weight, 1, fill);
  return uw_effect_free(op);
}

/* Made once for all lanes. */
static bool is_common(price *p, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_CALL: return uw_result_count(op) == 1 && uw_is_same(p->shapes, uw_result(op, 0));
  case UW_OP_LLVM_ALLOCA: return has_place(p, op);
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END: {
    MlirOperation array = uw_def(uw_operand(op, uw_operand_count(op) - 1));
    return uw_kind(array) == UW_OP_LLVM_ALLOCA && has_place(p, array);
  }
  default: return false;
  }
}

/* Once for all lanes, or of a function that vectors have. */
static bool call_fits(price *p, MlirOperation op, double weight) {
  bool common = is_common(p, op), in_lanes = !common && is_math(op);
  double alone = p->costs->function_alone;
  add(p, weight, alone, in_lanes ? function_price(p, op) : alone);
  return common || in_lanes;
}

static bool results_fit(price *p, MlirOperation op) {
  for (size_t i = 0; i < uw_result_count(op); i++)
    if (!uw_is_same(p->shapes, uw_result(op, i)) && !is_vector_element(mlirValueGetType(uw_result(op, i))))
      return false;
  return true;
}

/* Rows of each lane's own length, and no gathers beside them: those under masks take longer than lane after lane (a
 * product with a sparse matrix 3 times as long with rows turned and gathers of the vector). */
static bool only_walks(const price *p, MlirOperation loop, uw_iterations *iterations) {
  if (uw_kind(loop) != UW_OP_SCF_WHILE || !uw_loads_under_masks(&p->target, 1) || !uw_only_reads(loop) ||
      !uw_counter_of_while(loop, uw_def(uw_operand(uw_last(uw_block(loop, 0)), 0)), iterations))
    return false;
  uw_ops loads = uw_collect_kind(p->arena, loop, UW_OP_LLVM_LOAD);
  for (size_t i = 0; i < loads.count; i++)
    if (uw_shape_of(p->shapes, uw_operand(loads.at[i], 0)).kind != UW_SHAPE_SAME && !walks(iterations, loads.at[i]))
      return false;
  return true;
}

static bool branch_fits(price *p, MlirOperation op, double weight) {
  bool parts = !uw_is_same(p->shapes, uw_operand(op, 0)) && !uw_flat(op);
  if (parts)
    add(p, weight, 1, UW_BRANCH_COST);
  p->parted += parts;
  bool fit = block_fits(p, uw_block(op, 0), weight) && block_fits(p, uw_block(op, 1), weight);
  p->parted -= parts;
  return fit;
}

static bool kind_fits(price *p, MlirOperation op, double weight) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE: return access_fits(p, op, weight);
  case UW_OP_SCF_IF:
    if (!mlirAttributeIsNull(uw_get_attr(op, UW_VERSIONS)))
      return results_fit(p, op) && block_fits(p, uw_block(op, 0), weight) &&
             block_fits(p, uw_block(op, 1), weight * UW_SELDOM);
    return results_fit(p, op) && branch_fits(p, op, weight);
  case UW_OP_SCF_FOR:
  case UW_OP_SCF_WHILE: {
    bool same_iterations = uw_same_iterations(p->shapes, op);
    if (uw_kind(op) == UW_OP_SCF_FOR && !same_iterations && !uw_overlaps(op))
      return false; /* vectorize_threads.c makes a while of it */
    double before = p->scalar, before_turns = p->in_turn;
    uw_iterations iterations;
    const uw_iterations *outer = p->walk;
    bool outer_masked = p->masked;
    p->masked = outer_masked || !same_iterations;
    if (!same_iterations)
      p->walk = only_walks(p, op, &iterations) ? &iterations : NULL;
    bool fit = block_fits(p, uw_block(op, 0), weight * UW_LOOP_ITERATIONS) &&
               (uw_kind(op) == UW_OP_SCF_FOR || block_fits(p, uw_block(op, 1), weight * UW_LOOP_ITERATIONS));
    p->walk = outer;
    p->masked = outer_masked;
    if (!same_iterations) {
      p->scalar = before + (p->scalar - before) * UW_TOGETHER;
      p->in_turn = before_turns + (p->in_turn - before_turns) * UW_TOGETHER;
    }
    double at_once = uw_iterations_at_once(p->arena, p->shapes, op, &p->target);
    if (at_once > 1) {
      p->scalar = before + (p->scalar - before) / at_once;
      p->walked = op;
    }
    fit = fit && results_fit(p, op);
    for (size_t i = 0; uw_kind(op) == UW_OP_SCF_WHILE && i < uw_operand_count(op); i++)
      fit = fit && is_vector_element(mlirValueGetType(uw_operand(op, i)));
    return fit;
  }
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END:
  case UW_OP_LLVM_ALLOCA: return is_common(p, op);
  case UW_OP_LLVM_CALL: return call_fits(p, op, weight);
  default: return uw_region_count(op) == 0 && uw_result_count(op) > 0 && computation_fits(p, op, weight);
  }
}

/* Of one lane alone: atomic operations on a block's own memory become plain accesses (lower/atomics.c). */
static double single_cost(const price *p, MlirOperation op) {
  bool is_atomic = uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG;
  if (is_atomic && uw_kind(uw_address_root(uw_operand(op, 0))) != UW_OP_SHARED)
    return UW_ATOMIC_COST;
  return uw_kind(op) == UW_OP_LLVM_CALL ? p->costs->function_alone : is_atomic ? 2 : 1;
}

static bool is_seldom(price *p, MlirOperation branch) {
  uw_ops calls = uw_collect_kind(p->arena, branch, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_is_report(calls.at[i]))
      return true;
  return false;
}

/* What the lanes do one after the other takes as long as without vectors, and its values have to be taken out: that
 * has to pay by what is around. */
static bool goes_in_turn(price *p, MlirOperation op, double weight) {
  if (uw_null(p->turns) || !uw_may_go_in_turn(p->arena, p->shapes, op, p->turns))
    return false;
  uw_ops inner = uw_collect(p->arena, op);
  double alone = single_cost(p, op);
  for (size_t i = 0; i < inner.count; i++)
    alone += single_cost(p, inner.at[i]);
  weight *= is_seldom(p, op) ? UW_SELDOM : 1;
  p->in_turn += weight * alone;
  add(p, weight, 0, UW_TURN_COST * (double)p->width);
  uw_set_attr(op, UW_IN_TURN, mlirUnitAttrGet(mlirOperationGetContext(op)));
  return true;
}

static bool fits(price *p, MlirOperation op, double weight) {
  price before = *p;
  bool fit = kind_fits(p, op, weight);
  if (!fit && !uw_null(p->turns)) {
    price after = *p;
    *p = before;
    fit = goes_in_turn(p, op, weight);
    if (!fit)
      *p = after;
  }
  if (!fit && uw_null(p->hinders))
    p->hinders = op;
  return fit;
}

const char *uw_what_hinders(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_CALL: return "a call";
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return "an atomic operation";
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE:
    if (!uw_plain_access(op))
      return "a volatile access";
    if (uw_kind(uw_address_root(uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE))) == UW_OP_LLVM_ALLOCA)
      return "an array of the thread's own, in memory";
    return uw_kind(op) == UW_OP_LLVM_STORE
               ? "a store that all lanes make to one address, or of a value that is no vector's element"
               : "a load of what is no vector's element";
  default: return uw_name(op).data;
  }
}

/* How many times as fast: all but what goes in turn; as slow where that is nearly all. */
static double gain_of(const price *p) {
  double width = (double)p->width, all = p->vector + p->in_turn * width;
  double gain = p->vector > 0 ? p->scalar * width / p->vector : 0;
  double total = all > 0 ? (p->scalar + p->in_turn) * width / all : 0;
  return p->in_turn > 0 && total < UW_TURN_GAIN ? total : gain;
}

static bool fit_with(price *p, MlirOperation op, uw_vector_price *result) {
  p->costs = uw_costs_of(&p->target);
  bool fit = uw_kind(op) == UW_OP_SCF_FORALL ? block_fits(p, uw_block(op, 0), 1) : fits(p, op, 1);
  *result = (uw_vector_price){.gain = gain_of(p), .hinders = p->hinders, .walked = p->walked};
  return fit;
}

bool uw_vectors_fit(uw_arena *arena, uw_shapes *shapes, MlirOperation op, int64_t width, int64_t register_bytes,
                    uw_vector_price *result) {
  price p = {.arena = arena, .shapes = shapes, .width = width, .target = uw_target_with(register_bytes)};
  return fit_with(&p, op, result);
}

bool uw_vectors_fit_in_turn(uw_arena *arena, uw_shapes *shapes, MlirOperation lanes, int64_t width,
                            int64_t register_bytes, uw_vector_price *result) {
  price p = {.arena = arena, .shapes = shapes, .width = width, .target = uw_target_with(register_bytes)};
  p.turns = lanes;
  return fit_with(&p, lanes, result);
}

int64_t uw_register_room(MlirOperation op) {
  uw_target target = uw_target_of(op);
  return target.register_bytes * target.registers;
}
