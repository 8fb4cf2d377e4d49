/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks before a grid whether all that it does is less work than waking a worker is: then the thread that launches runs
 * all blocks.
 *
 *   parallel %b to %blocks {              %work  = %blocks * (8.0 + %nx * 11.0)
 *     …                                   %large = %work > UW_SMALL_LAUNCH
 *     parallel %x to %nx { 11 ops }  ==>  call @unwarp.worth_sharing(%large)
 *   } grid                                parallel %b to %blocks { … } grid
 *
 * openmp.c takes the call away again, and says to libomp what it was asked. Counted are operations, of the longer arm
 * of an if, and of a loop as often as its bounds let it run at most, as far as they are known before the launch. Grids
 * with other loops, or calls, are not small. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "../ir/block_numbers.h"
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../ir/slices.h"
#include "lower.h"

/* UW_SMALL_LAUNCH: operations of all threads, a few microseconds where they do not become SIMD code. */
enum { FUNCTION = 16, UNORDERED_OR_GREATER = 9 /* of arith.cmpf */ };

/* An amount is a sum of products of values from outside of the grid, as doubles, so that nothing wraps around. What is
 * alike adds up while it compiles: one question is a few operations, whatever the grid has. */
enum { MOST_TERMS = 8, MOST_VALUES = 4 };

typedef struct term {
  double factor;
  size_t count;
  MlirValue of[MOST_VALUES];
} term;

typedef struct amount {
  bool known;
  size_t count; /* the first is a constant */
  term terms[MOST_TERMS];
} amount;

static const amount UNKNOWN = {.known = false};

static amount constant(double value) { return (amount){.known = true, .count = 1, .terms[0].factor = value}; }

static bool is_constant(const amount *a) { return a->known && a->count == 1; }

/* Around which loop over blocks it is asked, and what was found of values: value -> its bound. */
typedef struct search {
  MlirOperation grid;
  uw_table *known;
  uw_arena *arena;
} search;

static MlirValue double_constant(uw_builder *b, double value) {
  MlirType type = mlirF64TypeGet(b->context);
  return uw_build1(b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirFloatAttrDoubleGet(b->context, type, value)}));
}

static amount amount_of(MlirValue value) {
  amount a = constant(0);
  a.terms[a.count++] = (term){1, 1, {value}};
  return a;
}

static MlirValue product_of(uw_builder *b, const term *t) {
  MlirValue all = {NULL};
  for (size_t i = 0; i < t->count; i++)
    all = i ? uw_binary(b, "arith.mulf", all, t->of[i]) : t->of[i];
  if (t->factor == 1 && all.ptr)
    return all;
  MlirValue factor = double_constant(b, t->factor);
  return all.ptr ? uw_binary(b, "arith.mulf", all, factor) : factor;
}

static MlirValue value_of(uw_builder *b, const amount *a) {
  MlirValue all = {NULL};
  for (size_t i = is_constant(a) ? 0 : a->terms[0].factor == 0; i < a->count; i++) {
    MlirValue next = product_of(b, &a->terms[i]);
    all = all.ptr ? uw_binary(b, "arith.addf", all, next) : next;
  }
  return all;
}

static bool alike(const term *a, const term *b) {
  bool used[MOST_VALUES] = {false};
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++) {
    size_t k = 0;
    while (k < b->count && (used[k] || !uw_same(a->of[i], b->of[k])))
      k++;
    if (k == b->count)
      return false;
    used[k] = true;
  }
  return true;
}

/* The term of the sum that is like this one, which is added with 0 where there is none. */
static term *term_like(uw_builder *b, amount *a, const term *like) {
  for (size_t i = 0; i < a->count; i++)
    if (alike(&a->terms[i], like))
      return &a->terms[i];
  if (a->count == MOST_TERMS)
    *a = amount_of(value_of(b, a));
  a->terms[a->count] = *like;
  a->terms[a->count].factor = 0;
  return &a->terms[a->count++];
}

static amount sum(uw_builder *b, amount left, const amount *right) {
  if (!left.known || !right->known)
    return UNKNOWN;
  for (size_t i = 0; i < right->count; i++)
    term_like(b, &left, &right->terms[i])->factor += right->terms[i].factor;
  return left;
}

/* At least either: what both have counts once. */
static amount larger(uw_builder *b, amount left, const amount *right) {
  if (!left.known || !right->known)
    return UNKNOWN;
  for (size_t i = 0; i < right->count; i++) {
    term *t = term_like(b, &left, &right->terms[i]);
    t->factor = t->factor > right->terms[i].factor ? t->factor : right->terms[i].factor;
  }
  return left;
}

static amount scaled(amount a, double by) {
  for (size_t i = 0; i < a.count; i++)
    a.terms[i].factor *= by;
  return a;
}

static term in_one_value(uw_builder *b, term t) {
  double factor = t.factor;
  t.factor = 1;
  return t.count > 1 ? (term){factor, 1, {product_of(b, &t)}} : (term){factor, t.count, {t.of[0]}};
}

static term term_product(uw_builder *b, term left, term right) {
  if (left.count + right.count > MOST_VALUES) {
    left = in_one_value(b, left);
    right = in_one_value(b, right);
  }
  for (size_t i = 0; i < right.count; i++)
    left.of[left.count++] = right.of[i];
  left.factor *= right.factor;
  return left;
}

/* A longer one as one value. */
static amount in_short(uw_builder *b, amount a) {
  enum { FEW = 3 };
  return a.known && a.count > FEW ? amount_of(value_of(b, &a)) : a;
}

static amount product(uw_builder *b, amount left, amount right) {
  if (!left.known || !right.known)
    return UNKNOWN;
  if (is_constant(&left) || is_constant(&right))
    return is_constant(&left) ? scaled(right, left.terms[0].factor) : scaled(left, right.terms[0].factor);
  left = in_short(b, left);
  right = in_short(b, right);
  amount all = constant(0);
  for (size_t i = 0; i < left.count; i++)
    for (size_t k = 0; k < right.count; k++) {
      term both = term_product(b, left.terms[i], right.terms[k]);
      if (both.factor != 0)
        term_like(b, &all, &both)->factor += both.factor;
    }
  return all;
}

static amount bound_of(uw_builder *b, MlirValue value, const search *known);

/* The less of two, where neither is a constant that is little anyway, nor one a longer computation. */
static amount lesser(uw_builder *b, const amount *left, const amount *right) {
  enum { LITTLE = 16 };
  if (!left->known || !right->known)
    return left->known ? *left : *right;
  const amount *fixed = is_constant(left) ? left : is_constant(right) ? right : NULL;
  double value = fixed ? fixed->terms[0].factor : 0;
  if (fixed && value < 0) /* as an integer without a sign it is large */
    return fixed == left ? *right : *left;
  if (fixed && (value <= LITTLE || (is_constant(left) && is_constant(right))))
    return is_constant(left) && is_constant(right) && right->terms[0].factor < left->terms[0].factor ? *right : *fixed;
  if ((left->count > 2) != (right->count > 2))
    return left->count > 2 ? *right : *left;
  MlirValue one = value_of(b, left), other = value_of(b, right);
  return amount_of(uw_binary(b, "arith.minnumf", one, other));
}

/* The loop whose index the value is. */
static amount bound_of_index(uw_builder *b, MlirValue value, const search *known) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(loop) == UW_OP_SCF_FOR && number == 0)
    return bound_of(b, uw_operand(loop, 1), known);
  if (uw_kind(loop) == UW_OP_SCF_FORALL)
    return bound_of(b, uw_upper_of(loop, (size_t)number), known);
  return UNKNOWN;
}

static amount bound_of_quotient(uw_builder *b, MlirOperation made, const search *known) {
  amount whole = bound_of(b, uw_operand(made, 0), known);
  int64_t by;
  return uw_const_value(uw_operand(made, 1), &by) && by > 0 ? scaled(whole, 1.0 / (double)by) : whole;
}

/* What a value from outside is an integer of another width of. */
static MlirValue narrowest(MlirValue value) {
  for (MlirOperation made; !uw_null(made = uw_def(value)); value = uw_operand(made, 0))
    if (uw_kind(made) != UW_OP_ARITH_INDEX_CAST && uw_kind(made) != UW_OP_ARITH_INDEX_CASTUI &&
        uw_kind(made) != UW_OP_ARITH_EXTUI && uw_kind(made) != UW_OP_ARITH_EXTSI)
      break;
  return value;
}

/* A value from outside. Of 64 bits it is no count if it is negative, of 32 it may have no sign. */
static MlirValue as_double(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  bool wide = mlirTypeIsAIndex(type) || mlirIntegerTypeGetWidth(type) >= 64;
  if (mlirTypeIsAIndex(type))
    value = uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(uw_int_type(b->context, 64)));
  return uw_build1(b, wide ? "arith.sitofp" : "arith.uitofp", .in = VALS(value),
                   .out = TYPES(mlirF64TypeGet(b->context)));
}

/* A slice of a block has its share of the groups of threads, or one group more. */
static amount bound_of_slice(uw_builder *b, MlirOperation slice, MlirValue value, const search *known) {
  MlirValue slices = uw_operand(slice, UW_SLICE_ALL);
  amount whole = bound_of(b, uw_operand(slice, UW_SLICE_EXTENT), known);
  amount group = constant((double)uw_get_int_attr(slice, "group", 1));
  if (!whole.known || !uw_same(value, uw_result(slice, 1)) || uw_defined_inside(slices, known->grid))
    return whole;
  amount share = amount_of(uw_binary(b, "arith.divf", value_of(b, &whole), as_double(b, slices)));
  return sum(b, share, &group);
}

static amount bound_of_rest(uw_builder *b, MlirOperation made, const search *known) {
  amount by = bound_of(b, uw_operand(made, 1), known);
  return by.known ? by : bound_of(b, uw_operand(made, 0), known);
}

/* A mask that is no constant may have all upper bits. */
static amount bound_of_masked(uw_builder *b, MlirOperation made, const search *known) {
  amount value = bound_of(b, uw_operand(made, 0), known);
  int64_t mask;
  if (!uw_const_value(uw_operand(made, 1), &mask))
    return value;
  amount most = constant((double)mask);
  return lesser(b, &value, &most);
}

typedef amount joined(uw_builder *b, const amount *left, const amount *right);

static amount sum_of(uw_builder *b, const amount *left, const amount *right) { return sum(b, *left, right); }
static amount product_of_both(uw_builder *b, const amount *left, const amount *right) {
  return product(b, *left, *right);
}
static amount larger_of(uw_builder *b, const amount *left, const amount *right) { return larger(b, *left, right); }

static amount of_both(uw_builder *b, MlirOperation made, size_t first, const search *known, joined *join) {
  amount left = bound_of(b, uw_operand(made, first), known), right = bound_of(b, uw_operand(made, first + 1), known);
  return join(b, &left, &right);
}

static amount find_bound(uw_builder *b, MlirValue value, const search *known) {
  int64_t number;
  if (uw_const_value(value, &number))
    return constant((double)number);
  if (!uw_defined_inside(value, known->grid)) {
    MlirValue source = narrowest(value);
    return uw_same(source, value) ? amount_of(as_double(b, value)) : bound_of(b, source, known);
  }
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
  case UW_OP_SLICE: return bound_of_slice(b, made, value, known);
  case UW_OP_ARITH_SUBI: return bound_of(b, uw_operand(made, 0), known);
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI: return bound_of_quotient(b, made, known);
  case UW_OP_ARITH_REMUI:
  case UW_OP_ARITH_REMSI: return bound_of_rest(b, made, known);
  case UW_OP_ARITH_ANDI: return bound_of_masked(b, made, known);
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MINSI: return of_both(b, made, 0, known, lesser);
  case UW_OP_ARITH_MAXUI:
  case UW_OP_ARITH_MAXSI: return of_both(b, made, 0, known, larger_of);
  case UW_OP_ARITH_SELECT: return of_both(b, made, 1, known, larger_of);
  case UW_OP_ARITH_MULI: return of_both(b, made, 0, known, product_of_both);
  case UW_OP_ARITH_ADDI: return of_both(b, made, 0, known, sum_of);
  default: return UNKNOWN;
  }
}

/* What the value, a count, is at most. */
static amount bound_of(uw_builder *b, MlirValue value, const search *known) {
  const amount *found = (const amount *)uw_table_get(known->known, value.ptr);
  if (found)
    return *found;
  amount *bound = uw_alloc(known->arena, sizeof *bound);
  *bound = in_short(b, find_bound(b, value, known));
  uw_table_set(known->known, value.ptr, (intptr_t)bound);
  return *bound;
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

static amount work_of_block(uw_builder *b, MlirBlock block, const search *known);

/* The arm that is more work. */
static amount work_of_arms(uw_builder *b, MlirOperation op, const search *known) {
  amount most = constant(0), one = constant(1);
  for (unsigned i = 0; i < (unsigned)uw_region_count(op); i++) {
    amount arm = work_of_block(b, uw_block(op, i), known);
    most = larger(b, most, &arm);
  }
  return sum(b, most, &one);
}

static amount iterations_of(uw_builder *b, MlirOperation loop, const search *known) {
  amount all = constant(1);
  for (size_t d = 0; d < uw_dims(loop) && all.known; d++) {
    amount bound = bound_of(b, uw_upper_of(loop, d), known);
    int64_t step;
    if (bound.known && uw_const_value(uw_step_of(loop, d), &step) && step > 1) {
      amount part = constant((double)(step - 1));
      bound = scaled(sum(b, bound, &part), 1 / (double)step);
    }
    all = product(b, all, bound);
  }
  return all;
}

static amount work_of_loop(uw_builder *b, MlirOperation loop, const search *known) {
  amount once = work_of_block(b, uw_block(loop, 0), known);
  return once.known ? product(b, once, iterations_of(b, loop, known)) : once;
}

static amount work_of(uw_builder *b, MlirOperation op, const search *known) {
  switch (uw_kind(op)) {
  case UW_OP_SCF_FORALL:
  case UW_OP_SCF_FOR: return work_of_loop(b, op, known);
  case UW_OP_LLVM_CALL: return uw_is_block_mark(op) ? constant(1) : is_mathematical(op) ? constant(FUNCTION) : UNKNOWN;
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH: return work_of_arms(b, op, known);
  case UW_OP_ARITH_CONSTANT:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_LLVM_GEP:
  case UW_OP_SCF_YIELD:
  case UW_OP_SCF_IN_PARALLEL: return constant(0);
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return constant(FUNCTION);
  case UW_OP_BARRIER: /* of workers: they have to be there */
  case UW_OP_FUNC_CALL:
  case UW_OP_LLVM_INLINE_ASM:
  case UW_OP_LLVM_CALL_INTRINSIC: return UNKNOWN;
  default:
    if (uw_region_count(op))
      return UNKNOWN;
    return constant((uw_name_starts(op, "math.") || uw_name_starts(op, "llvm.intr.")) && !is_instruction(op) ? FUNCTION
                                                                                                             : 1);
  }
}

static amount work_of_block(uw_builder *b, MlirBlock block, const search *known) {
  amount all = constant(0);
  if (mlirBlockIsNull(block))
    return all;
  for (MlirOperation op = uw_first(block); !uw_null(op) && all.known; op = uw_next(op)) {
    amount more = work_of(b, op, known);
    all = sum(b, all, &more);
  }
  return all;
}

void uw_ask_for_small_launches(MlirModule module, uw_arena *arena) {
  uw_ops grids = uw_collect_over(arena, mlirModuleGetOperation(module), UW_OVER_BLOCKS);
  for (size_t i = 0; i < grids.count; i++) {
    MlirOperation grid = grids.at[i];
    uw_builder b = uw_at(grid);
    search known = {grid, uw_table_create(arena), arena};
    amount block = work_of_block(&b, uw_block(grid, 0), &known),
           blocks = block.known ? iterations_of(&b, grid, &known) : block;
    if (!blocks.known)
      continue;
    uw_declare(module, UW_WORTH_SHARING, "!llvm.func<void (i1)>");
    MlirValue all = uw_binary(&b, "arith.mulf", value_of(&b, &block), value_of(&b, &blocks)),
              large = uw_build1(&b, "arith.cmpf", .in = VALS(all, double_constant(&b, UW_SMALL_LAUNCH)),
                                .out = TYPES(uw_int_type(b.context, 1)),
                                .attrs = ATTRS({"predicate", uw_int_attr(b.context, 64, UNORDERED_OR_GREATER)}));
    uw_call(&b, UW_WORTH_SHARING, VALS(large), (MlirType){NULL});
  }
  uw_drop_unused(arena, mlirModuleGetOperation(module)); /* bounds that another was better than */
}
