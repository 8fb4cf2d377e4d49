/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks before a grid whether all that it does is less work than waking a worker is: then the thread that launches runs
 * all blocks.
 *
 *   parallel %b to %blocks {              %work  = %blocks * (8 + %nx * 11)
 *     …                                   %large = %work > UW_SMALL_LAUNCH
 *     parallel %x to %nx { 11 ops }  ==>  call @unwarp.worth_sharing(%large)
 *   } grid                                parallel %b to %blocks { … } grid
 *
 * openmp.c takes the call away again, and says to libomp what it was asked. Counted are operations, of the longer arm
 * of an if, and of a loop as often as its bounds let it run at most, as far as they are known before the launch. Grids
 * with other loops, or calls, are not small. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "../analysis/linear.h"
#include "lower.h"

/* UW_SMALL_LAUNCH: operations of all threads, a few microseconds where they do not become SIMD code. */
enum { FUNCTION = 16 };

typedef struct work {
  bool known;
  int64_t fixed;
  MlirValue more; /* null: nothing */
} work;

static const work UNKNOWN = {false, 0, {NULL}};

/* Around which loop over blocks it is asked, and what was found: value -> its bound, or NO_BOUND. */
typedef struct search {
  MlirOperation grid;
  uw_table *known;
} search;
enum { NO_BOUND = 1 };

static MlirValue bound_of(uw_builder *b, MlirValue value, const search *known);

static MlirValue both_bounds(uw_builder *b, MlirOperation made, size_t first, const search *known, const char *name,
                             bool one_will_do) {
  MlirValue left = bound_of(b, uw_operand(made, first), known), right = bound_of(b, uw_operand(made, first + 1), known);
  if (left.ptr && right.ptr)
    return uw_binary(b, name, left, right);
  return !one_will_do ? (MlirValue){NULL} : left.ptr ? left : right;
}

/* The loop whose index the value is. */
static MlirValue bound_of_index(uw_builder *b, MlirValue value, const search *known) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(loop) == UW_OP_SCF_FOR && number == 0)
    return bound_of(b, uw_operand(loop, 1), known);
  if (uw_kind(loop) == UW_OP_SCF_PARALLEL)
    return bound_of(b, uw_operand(loop, (size_t)(mlirBlockGetNumArguments(uw_block(loop, 0)) + number)), known);
  return (MlirValue){NULL};
}

static MlirValue bound_of_quotient(uw_builder *b, MlirOperation made, const search *known) {
  MlirValue whole = bound_of(b, uw_operand(made, 0), known);
  int64_t by;
  return whole.ptr && uw_const_value(uw_operand(made, 1), &by) && by > 0
             ? uw_binary(b, "arith.divui", whole, uw_const_index(b, by))
             : whole;
}

static MlirOperation division_by_outsider(MlirValue value, const search *known) {
  MlirOperation made = uw_def(value);
  bool fits =
      !uw_null(made) && uw_kind(made) == UW_OP_ARITH_DIVUI && !uw_defined_inside(uw_operand(made, 1), known->grid);
  return fits ? made : (MlirOperation){NULL};
}

/* (n * slice + n) / slices - n * slice / slices, as passes/rows/slice.h has it, is n / slices, or one more. */
static MlirValue bound_of_difference(uw_builder *b, MlirOperation made, const search *known) {
  MlirOperation end = division_by_outsider(uw_operand(made, 0), known),
                start = division_by_outsider(uw_operand(made, 1), known);
  if (uw_null(end) || uw_null(start) || !uw_same(uw_operand(end, 1), uw_operand(start, 1)))
    return bound_of(b, uw_operand(made, 0), known);
  uw_linear first = uw_linear_of(uw_operand(start, 0)), after = uw_linear_of(uw_operand(end, 0)),
            all = uw_linear_sum(&after, &first, -1);
  if (!all.known || all.count != 1 || all.terms[0].scale.ptr || all.terms[0].factor != 1 || all.constant != 0)
    return bound_of(b, uw_operand(made, 0), known);
  MlirValue whole = bound_of(b, all.terms[0].symbol, known);
  return whole.ptr
             ? uw_binary(b, "arith.addi", uw_binary(b, "arith.divui", whole, uw_operand(end, 1)), uw_const_index(b, 1))
             : whole;
}

static MlirValue find_bound(uw_builder *b, MlirValue value, const search *known) {
  MlirType type = mlirValueGetType(value);
  int64_t number;
  if (uw_const_value(value, &number))
    return uw_const_index(b, number);
  if (!uw_defined_inside(value, known->grid))
    return mlirTypeIsAIndex(type)
               ? value
               : uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(uw_index_type(b->context)));
  MlirOperation made = uw_def(value);
  if (uw_null(made))
    return bound_of_index(b, value, known);
  switch (uw_kind(made)) {
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_SHRUI:
  case UW_OP_ARITH_SHRSI: return bound_of(b, uw_operand(made, 0), known);
  case UW_OP_ARITH_SUBI: return bound_of_difference(b, made, known);
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI: return bound_of_quotient(b, made, known);
  case UW_OP_ARITH_ANDI: /* a negative mask is a large integer here */
  case UW_OP_ARITH_REMUI:
  case UW_OP_ARITH_REMSI:
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MINSI: return both_bounds(b, made, 0, known, "arith.minui", true);
  case UW_OP_ARITH_MAXUI:
  case UW_OP_ARITH_MAXSI: return both_bounds(b, made, 0, known, "arith.maxui", false);
  case UW_OP_ARITH_SELECT: return both_bounds(b, made, 1, known, "arith.maxui", false);
  case UW_OP_ARITH_MULI: return both_bounds(b, made, 0, known, "arith.muli", false);
  case UW_OP_ARITH_ADDI: return both_bounds(b, made, 0, known, "arith.addi", false);
  default: return (MlirValue){NULL};
  }
}

/* A value from outside of the grid that the value, a count, is at most; null if none is known. */
static MlirValue bound_of(uw_builder *b, MlirValue value, const search *known) {
  intptr_t found = uw_table_get(known->known, value.ptr);
  if (found)
    return (MlirValue){found == NO_BOUND ? NULL : (const void *)found};
  MlirValue bound = find_bound(b, value, known);
  uw_table_set(known->known, value.ptr, bound.ptr ? (intptr_t)bound.ptr : NO_BOUND);
  return bound;
}

/* Above UW_SMALL_LAUNCH all values are the same: products stay short. */
static MlirValue at_most(uw_builder *b, MlirValue value) {
  return uw_binary(b, "arith.minui", value, uw_const_index(b, UW_SMALL_LAUNCH + 1));
}

static MlirValue sum_of(uw_builder *b, work done) {
  MlirValue fixed = uw_const_index(b, done.fixed > UW_SMALL_LAUNCH ? UW_SMALL_LAUNCH + 1 : done.fixed);
  return done.more.ptr ? at_most(b, uw_binary(b, "arith.addi", done.more, fixed)) : fixed;
}

/* Does the CPU have an instruction for it? */
static bool is_instruction(MlirOperation op) {
  static const char *const short_ones[] = {
      "fma",  "fmuladd",   "fabs",      "absf",     "absi",   "abs",    "sqrt",    "floor",   "ceil", "trunc",
      "rint", "nearbyint", "roundeven", "copysign", "minnum", "maxnum", "minimum", "maximum", "umin", "umax",
      "smin", "smax",      "fshl",      "fshr",     "bswap",  "ctpop",  "ctlz",    "cttz",    "load", "store"};
  MlirStringRef name = uw_name(op);
  const char *last = (const char *)memrchr(name.data, '.', name.length) + 1;
  for (size_t i = 0; i < sizeof short_ones / sizeof *short_ones; i++)
    if (uw_string_is((MlirStringRef){last, (size_t)(name.data + name.length - last)}, short_ones[i]))
      return true;
  return false;
}

static bool is_mathematical(MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  return callee.length > 5 && strncmp(callee.data, "__nv_", 5) == 0;
}

static work work_of_block(uw_builder *b, MlirBlock block, const search *known);

static void add(uw_builder *b, work *all, work more) {
  all->known = all->known && more.known;
  all->fixed += more.fixed;
  if (all->known && more.more.ptr)
    all->more = all->more.ptr ? at_most(b, uw_binary(b, "arith.addi", all->more, more.more)) : more.more;
}

/* The arm that is more work. */
static void add_arms(uw_builder *b, work *all, MlirOperation op, const search *known) {
  work most = {true, 0, {NULL}};
  for (unsigned i = 0; i < (unsigned)mlirOperationGetNumRegions(op); i++) {
    work arm = work_of_block(b, uw_block(op, i), known);
    most.known = most.known && arm.known;
    most.fixed = arm.fixed > most.fixed ? arm.fixed : most.fixed;
    if (most.known && arm.more.ptr)
      most.more = most.more.ptr ? uw_binary(b, "arith.maxui", most.more, arm.more) : arm.more;
  }
  add(b, all, most);
}

/* bounds: the first of so many operands. */
static work work_of_loop(uw_builder *b, MlirOperation loop, size_t bounds, size_t count, const search *known) {
  work inner = work_of_block(b, uw_block(loop, 0), known);
  if (!inner.known)
    return UNKNOWN;
  MlirValue all = sum_of(b, inner);
  for (size_t i = 0; i < count; i++) {
    MlirValue bound = bound_of(b, uw_operand(loop, bounds + i), known);
    int64_t step;
    if (!bound.ptr)
      return UNKNOWN;
    if (uw_const_value(uw_operand(loop, bounds + count + i), &step) && step > 1)
      bound = uw_binary(b, "arith.ceildivui", bound, uw_const_index(b, step));
    all = at_most(b, uw_binary(b, "arith.muli", all, at_most(b, bound)));
  }
  return (work){true, 1, all};
}

static work work_of(uw_builder *b, MlirOperation op, const search *known) {
  work all = {true, 1, {NULL}};
  switch (uw_kind(op)) {
  case UW_OP_SCF_PARALLEL: {
    size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(op, 0));
    return work_of_loop(b, op, dims, dims, known);
  }
  case UW_OP_SCF_FOR: return work_of_loop(b, op, 1, 1, known);
  case UW_OP_LLVM_CALL:
    if (uw_attr_is_str(op, "callee", "uwrt_enter_block"))
      return all;
    all.fixed = FUNCTION;
    return is_mathematical(op) ? all : UNKNOWN;
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH: add_arms(b, &all, op, known); return all;
  case UW_OP_ARITH_CONSTANT:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_LLVM_GEP:
  case UW_OP_SCF_YIELD:
  case UW_OP_SCF_REDUCE: return (work){true, 0, {NULL}};
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: all.fixed = FUNCTION; return all;
  case UW_OP_BARRIER: /* of workers: they have to be there */
  case UW_OP_FUNC_CALL:
  case UW_OP_LLVM_INLINE_ASM:
  case UW_OP_LLVM_CALL_INTRINSIC: return UNKNOWN;
  default:
    if (uw_name_starts(op, "math.") || uw_name_starts(op, "llvm.intr."))
      all.fixed = is_instruction(op) ? 1 : FUNCTION;
    return mlirOperationGetNumRegions(op) ? UNKNOWN : all;
  }
}

static work work_of_block(uw_builder *b, MlirBlock block, const search *known) {
  work all = {true, 0, {NULL}};
  if (mlirBlockIsNull(block))
    return all;
  for (MlirOperation op = uw_first(block); !uw_null(op) && all.known; op = uw_next(op))
    add(b, &all, work_of(b, op, known));
  return all;
}

void uw_ask_for_small_launches(MlirModule module, uw_arena *arena) {
  uw_ops grids = uw_collect_level(arena, mlirModuleGetOperation(module), "grid");
  for (size_t i = 0; i < grids.count; i++) {
    MlirOperation grid = grids.at[i];
    uw_builder b = uw_at(grid);
    size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(grid, 0));
    search known = {grid, uw_table_create(arena)};
    work all = work_of_loop(&b, grid, dims, dims, &known);
    if (!all.known)
      continue;
    uw_declare(module, UW_WORTH_SHARING, "!llvm.func<void (i1)>");
    MlirValue large = uw_compare(&b, UW_UGT, all.more, uw_const_index(&b, UW_SMALL_LAUNCH));
    uw_call(&b, UW_WORTH_SHARING, VALS(large), (MlirType){NULL});
  }
}
