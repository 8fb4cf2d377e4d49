/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Questions at the launch: see launch_question.h. */
#include "launch_question.h"

#include <string.h>

#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../ir/slices.h"
#include "../raise/raise.h"
#include "../transform/version.h"
#include "passes.h"

enum { DEEPEST = 16, MOST_FACTOR = 1 << 16, MOST_AMOUNT = 1 << 20, MOST_SHIFT = 16 }; /* bounds: 64 bits hold it */

/* --- the position ------------------------------------------------------------------------------------------------- */

static bool is_of_launch(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_IF && !mlirAttributeIsNull(uw_get_attr(op, UW_LAUNCH));
}

bool uw_question_of(uw_arena *arena, MlirOperation op, uw_question *question) {
  *question = (uw_question){.arena = arena, .copies = uw_map_create(arena)};
  if (!mlirAttributeIsNull(uw_get_attr(uw_parent_of_kind(op, UW_OP_MODULE), UW_NO_REPLAYS)))
    return false;
  MlirOperation grid = {NULL};
  for (; !uw_null(op) && !is_of_launch(op) && uw_kind(op) != UW_OP_FUNC && uw_kind(op) != UW_OP_LLVM_FUNC;
       op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_FORALL)
      grid = op;
  if (uw_null(op) || uw_null(grid) || uw_kind(op) == UW_OP_LLVM_FUNC)
    return false;
  if (is_of_launch(op)) {
    question->branch = op;
    question->b = uw_at(op);
  } else {
    question->function = op;
    question->b = uw_at(uw_first(uw_block(op, 0)));
  }
  return true;
}

uw_question uw_question_before(uw_arena *arena, MlirOperation grid) {
  return (uw_question){.arena = arena, .branch = grid, .b = uw_at(grid), .copies = uw_map_create(arena), .wide = true};
}

/* The entry's body becomes the one arm of a branch. */
static void make_branch(uw_question *q) {
  MlirBlock body = uw_block(q->function, 0);
  uw_versions versions = uw_make_versions(q->arena, &q->b, .asked = q->asked, .first = q->b.before,
                                          .last = uw_prev(uw_last(body)), .written = true, .of_launch = true);
  uw_set_attr(versions.choice, UW_LAUNCH, mlirUnitAttrGet(q->b.context));
  uw_builder plain = versions.in[UW_FAILS];
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(q->function, UW_OP_MODULE)), UW_LAUNCH_PLAIN,
             UW_LAUNCH_PLAIN_TYPE);
  MlirType ptr = uw_ptr_type(q->b.context);
  MlirValue arguments[2];
  for (intptr_t i = 0; i < 2; i++) {
    bool fits =
        mlirBlockGetNumArguments(body) == 2 && mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(body, i)), ptr);
    arguments[i] = fits ? mlirBlockGetArgument(body, i)
                        : uw_build1(&plain, "llvm.mlir.zero", .out = TYPES(ptr)); /* in tests of passes */
  }
  uw_call(&plain, UW_LAUNCH_PLAIN, (uw_value_list){arguments, 2}, (MlirType){NULL});
  q->branch = versions.choice;
}

static void give_flag(MlirOperation op, bool is_signed) {
  bool both = uw_no_wrap(op, !is_signed);
  uw_set_attr(op, "overflowFlags",
              uw_attr(mlirOperationGetContext(op), both        ? "#arith.overflow<nsw, nuw>"
                                                   : is_signed ? "#arith.overflow<nsw>"
                                                               : "#arith.overflow<nuw>"));
}

void uw_forget_question(uw_question *q) {
  q->asked = (MlirValue){NULL};
  q->flagless[0].count = q->flagless[1].count = 0;
}

void uw_ask_question(uw_question *q) {
  for (size_t sign = 0; sign < 2; sign++)
    for (size_t i = 0; i < q->flagless[sign].count; i++)
      give_flag(q->flagless[sign].at[i], sign);
  if (q->asked.ptr && uw_null(q->branch))
    make_branch(q);
  else if (q->asked.ptr)
    mlirOperationSetOperand(q->branch, 0, uw_binary(&q->b, "arith.andi", uw_operand(q->branch, 0), q->asked));
  uw_forget_question(q);
}

bool uw_add_condition(uw_question *q, MlirValue condition) {
  int64_t known;
  if (uw_const_value(condition, &known))
    return known & 1;
  q->asked = q->asked.ptr ? uw_binary(&q->b, "arith.andi", q->asked, condition) : condition;
  return true;
}

/* --- values of the launch ----------------------------------------------------------------------------------------- */

static bool is_at_hand(const uw_question *q, MlirValue value) {
  if (!uw_null(q->branch))
    return !uw_defined_inside(value, q->branch);
  return uw_null(uw_def(value)) && mlirBlockEqual(uw_value_block(value), uw_block(q->function, 0));
}

/* Of the launch's shape or of its parameters, from where the runtime or the host keeps them: such a load may be made
 * for no thread. */
static bool loads_parameter(const uw_question *q, MlirOperation load) {
  MlirValue address = uw_operand(load, 0);
  if (mlirAttributeIsNull(uw_get_attr(load, "unwarp.readonly")) || !uw_plain_access(load))
    return false;
  for (int depth = 0; depth < 3; depth++) {
    MlirOperation op = uw_def(address);
    if (uw_null(op))
      return is_at_hand(q, address);
    if (uw_kind(op) == UW_OP_LLVM_ALLOCA)
      return is_at_hand(q, address);
    bool constant = uw_kind(op) == UW_OP_LLVM_GEP && uw_operand_count(op) == 1;
    bool list = uw_kind(op) == UW_OP_LLVM_LOAD && depth < 2 && uw_null(uw_parent_of_kind(op, UW_OP_LLVM_FUNC)) &&
                !mlirAttributeIsNull(uw_get_attr(op, "unwarp.readonly"));
    if (!constant && !list)
      return false;
    address = uw_operand(op, 0);
    if (list) { /* of the entry's list of parameters, directly */
      op = uw_def(address);
      address = uw_kind(op) == UW_OP_LLVM_GEP && uw_operand_count(op) == 1 ? uw_operand(op, 0) : address;
      return uw_null(uw_def(address)) && is_at_hand(q, address);
    }
  }
  return false;
}

/* The value at the question's position; null if it is not the launch's, or if it would take more than a little
 * arithmetic. */
static MlirValue at_launch(uw_question *q, MlirValue value, int depth) {
  MlirValue none = {NULL}, copy = uw_map_get(q->copies, value);
  if (copy.ptr || is_at_hand(q, value))
    return copy.ptr ? copy : value;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || depth == DEEPEST || uw_result_count(op) != 1 || uw_region_count(op) != 0)
    return none;
  bool loads = uw_kind(op) == UW_OP_LLVM_LOAD && loads_parameter(q, op);
  if (!loads && !uw_speculatable(op))
    return none;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!at_launch(q, uw_operand(op, i), depth + 1).ptr)
      return none;
  MlirOperation made = uw_clone(&q->b, op, q->copies);
  if (!mlirAttributeIsNull(
          uw_get_attr(made, "overflowFlags"))) /* for a launch that does not come by it, it may wrap around */
    uw_set_attr(made, "overflowFlags", uw_attr(q->b.context, "#arith.overflow<none>"));
  return uw_map_get(q->copies, value);
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

static MlirValue number(uw_question *q, int64_t value) { return uw_const_index(&q->b, value); }

static MlirValue binary(uw_question *q, const char *name, MlirValue left, MlirValue right) {
  int64_t x, y, result;
  bool first = uw_const_value(left, &x), second = uw_const_value(right, &y), scales = strcmp(name, "arith.muli") == 0;
  if (scales && ((first && x == 0) || (second && y == 1)))
    return left;
  if (scales && ((second && y == 0) || (first && x == 1)))
    return right;
  if (strcmp(name, "arith.addi") == 0 && ((first && x == 0) || (second && y == 0)))
    return first && x == 0 ? right : left;
  if (!first || !second)
    return uw_binary(&q->b, name, left, right);
  bool overflows = strcmp(name, "arith.addi") == 0   ? __builtin_add_overflow(x, y, &result)
                   : strcmp(name, "arith.subi") == 0 ? __builtin_sub_overflow(x, y, &result)
                   : strcmp(name, "arith.muli") == 0 ? __builtin_mul_overflow(x, y, &result)
                                                     : true;
  if (strcmp(name, "arith.minsi") == 0 || strcmp(name, "arith.maxsi") == 0)
    return (x < y) == (strcmp(name, "arith.minsi") == 0) ? left : right;
  return overflows ? uw_binary(&q->b, name, left, right) : number(q, result);
}

static MlirValue compared(uw_question *q, uw_predicate predicate, MlirValue left, int64_t right) {
  int64_t known;
  if (uw_const_value(left, &known))
    return uw_const_int(&q->b, 1,
                        predicate == UW_SGE ? known >= right : known <= right && (predicate == UW_SLE || known >= 0));
  return uw_compare(&q->b, predicate, left, number(q, right));
}

bool uw_add_fits(uw_question *q, const uw_between *range, bool is_signed) {
  const int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
  if (!range->natural && !uw_add_condition(q, compared(q, UW_SGE, range->low, least)))
    return false;
  return uw_add_condition(q, compared(q, range->natural ? UW_ULE : UW_SLE, range->high, most));
}

static bool is_index(MlirValue value) { return mlirTypeIsAIndex(mlirValueGetType(value)); }

static bool find(uw_question *q, MlirValue value, bool is_signed, int depth, uw_between *range);

static bool constant(uw_question *q, int64_t value, unsigned width, bool is_signed, uw_between *range) {
  if (width < 64 && !is_signed)
    value &= (INT64_C(1) << width) - 1;
  MlirValue known = number(q, value);
  *range = (uw_between){known, known, value >= 0};
  return true;
}

/* The index of a thread, a block or an iteration. */
static bool find_counter(uw_question *q, MlirValue value, int depth, uw_between *range) {
  MlirOperation loop = mlirBlockGetParentOperation(uw_value_block(value));
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(value),
         dims = (size_t)mlirBlockGetNumArguments(uw_value_block(value));
  uw_between end;
  bool counts = uw_kind(loop) == UW_OP_SCF_FOR && which == 0,
       is_signed = mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  if (!counts && uw_kind(loop) != UW_OP_SCF_FORALL)
    return false;
  dims = counts ? 1 : dims;
  if (!find(q, uw_lower_of(loop, which), is_signed, depth + 1, range) ||
      !find(q, uw_upper_of(loop, which), is_signed, depth + 1, &end))
    return false;
  range->high = binary(q, "arith.subi", end.high, number(q, 1));
  return true;
}

/* The comparison of the value that a while carries, on the left, with a limit that the value stays below (slt, ult)
 * or does not exceed. */
typedef struct below {
  MlirValue limit;
  bool is_signed, reaches;
} below;

static bool find_below(MlirValue condition, MlirValue carried, int depth, below *found) {
  static const uw_predicate swapped[] = {UW_EQ, UW_NE, UW_SGT, UW_SGE, UW_SLT, UW_SLE, UW_UGT, UW_UGE, UW_ULT, UW_ULE};
  MlirOperation op = uw_def(condition);
  if (uw_kind(op) == UW_OP_ARITH_ANDI && depth < DEEPEST)
    return find_below(uw_operand(op, 0), carried, depth + 1, found) ||
           find_below(uw_operand(op, 1), carried, depth + 1, found);
  if (uw_kind(op) != UW_OP_ARITH_CMPI)
    return false;
  bool second = uw_same(uw_operand(op, 1), carried);
  uw_predicate predicate = (uw_predicate)uw_get_int_attr(op, "predicate", UW_EQ);
  predicate = second ? swapped[predicate] : predicate;
  *found = (below){uw_operand(op, second ? 0 : 1), predicate == UW_SLT || predicate == UW_SLE,
                   predicate == UW_SLE || predicate == UW_ULE};
  return (second || uw_same(uw_operand(op, 0), carried)) && (found->is_signed || found->reaches || predicate == UW_ULT);
}

/* What a while carries that counts up to a limit, in its body: what it starts with is the least, and no sum wraps
 * around, which is asked too. */
static bool find_carried(uw_question *q, MlirValue value, bool is_signed, int depth, uw_between *range) {
  MlirOperation loop = mlirBlockGetParentOperation(uw_value_block(value));
  if (uw_kind(loop) != UW_OP_SCF_WHILE || uw_int_width(value) != 32 ||
      !mlirBlockEqual(uw_value_block(value), uw_block(loop, 1)))
    return false;
  MlirOperation condition = uw_last(uw_block(loop, 0));
  MlirValue carried = uw_operand(condition, (size_t)mlirBlockArgumentGetArgNumber(value) + 1);
  if (!uw_null(uw_def(carried)) || !mlirBlockEqual(uw_value_block(carried), uw_block(loop, 0)))
    return false;
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(carried);
  MlirOperation next = uw_def(uw_operand(uw_last(uw_block(loop, 1)), which));
  int64_t step;
  below end;
  uw_between limit;
  if (uw_kind(next) != UW_OP_ARITH_ADDI || !uw_same(uw_operand(next, 0), value) ||
      !uw_const_value(uw_operand(next, 1), &step) || step <= 0 || step > MOST_AMOUNT ||
      !find_below(uw_operand(condition, 0), carried, 0, &end) ||
      !find(q, uw_operand(loop, which), end.is_signed, depth + 1, range) ||
      !find(q, end.limit, end.is_signed, depth + 1, &limit))
    return false;
  MlirValue high = binary(q, "arith.subi", limit.high, number(q, !end.reaches));
  *range = (uw_between){range->low, high, range->natural && limit.natural};
  uw_between after = {binary(q, "arith.addi", range->low, number(q, step)),
                      binary(q, "arith.addi", high, number(q, step)), range->natural};
  if (!uw_no_wrap(next, end.is_signed)) {
    uw_ops_push(q->arena, &q->flagless[end.is_signed], next);
    if (!uw_add_fits(q, &after, end.is_signed))
      return false;
  }
  return is_signed == end.is_signed || uw_add_fits(q, range, is_signed); /* the same value in both ways of counting */
}

static bool bounds(MlirOperation loop, MlirValue extent) {
  for (size_t d = 0; d < uw_dims(loop); d++)
    if (uw_same(uw_upper_of(loop, d), extent))
      return true;
  return false;
}

/* The extent of a block or of the grid: what the runtime lets be less than 2^31. */
static bool is_extent(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation cast = mlirOpOperandGetOwner(use);
    if (uw_kind(cast) != UW_OP_ARITH_INDEX_CASTUI || !is_index(uw_result(cast, 0)))
      continue;
    for (MlirOpOperand end = mlirValueGetFirstUse(uw_result(cast, 0)); !mlirOpOperandIsNull(end);
         end = mlirOpOperandGetNextUse(end)) {
      MlirOperation user = mlirOpOperandGetOwner(end);
      if (uw_kind(user) == UW_OP_SCF_FORALL && bounds(user, uw_result(cast, 0)))
        return true;
      if (uw_kind(user) == UW_OP_ARITH_REMUI && mlirOpOperandGetOperandNumber(end) == 1 &&
          uw_null(uw_def(uw_operand(user, 0)))) /* parts a block's index */
        return true;
    }
  }
  return false;
}

/* One of 64 bits is asked to be an integer of 31: sizes are. */
static bool find_wide_single(uw_question *q, MlirValue here, uw_between *range) {
  if (!q->wide)
    return false;
  if (!is_index(here))
    here = uw_build1(&q->b, "arith.index_cast", .in = VALS(here), .out = TYPES(uw_index_type(q->b.context)));
  *range = (uw_between){here, here, true};
  return uw_add_condition(q, compared(q, UW_ULE, here, INT32_MAX));
}

/* Is it a number of the launch's with the other sign: -radius, width / -2? */
static bool is_negated(MlirOperation op) {
  int64_t known;
  if (uw_kind(op) == UW_OP_ARITH_SUBI)
    return uw_const_value(uw_operand(op, 0), &known) && known == 0;
  return (uw_kind(op) == UW_OP_ARITH_DIVSI || uw_kind(op) == UW_OP_ARITH_MULI) &&
         uw_const_value(uw_operand(op, 1), &known) && known < 0;
}

/* A value of the launch is one value. */
static bool find_single(uw_question *q, MlirValue value, bool is_signed, uw_between *range) {
  MlirValue here = at_launch(q, value, 0);
  int64_t known;
  if (!here.ptr)
    return false;
  if (uw_const_value(here, &known))
    return constant(q, known, uw_int_width(here), is_signed, range);
  MlirOperation op = uw_def(here);
  if (!is_signed && !q->wide && is_negated(op))
    return false;
  bool from_natural = uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI || uw_kind(op) == UW_OP_ARITH_EXTUI,
       extent = is_extent(value);
  if (uw_int_width(here) == 64 && (!is_index(here) || (q->wide && !from_natural)))
    return find_wide_single(q, here, range);
  q->takes_for_natural |= !is_index(value) && !extent && !is_signed;
  if (!is_index(here))
    here = uw_build1(&q->b, is_signed && !extent ? "arith.index_cast" : "arith.index_castui", .in = VALS(here),
                     .out = TYPES(uw_index_type(q->b.context)));
  *range = (uw_between){here, here, is_index(value) ? from_natural : extent || !is_signed};
  return true;
}

static bool find_product(uw_question *q, const uw_between *x, const uw_between *y, uw_between *range) {
  if (x->natural && y->natural) {
    *range = (uw_between){binary(q, "arith.muli", x->low, y->low), binary(q, "arith.muli", x->high, y->high), true};
    return true;
  }
  if (!uw_same(y->low, y->high)) {
    const uw_between *swap = x;
    x = y;
    y = swap;
  }
  if (!uw_same(y->low, y->high))
    return false;
  MlirValue first = binary(q, "arith.muli", x->low, y->low), last = binary(q, "arith.muli", x->high, y->low);
  *range = (uw_between){binary(q, "arith.minsi", first, last), binary(q, "arith.maxsi", first, last), false};
  return true;
}

static bool find_arithmetic(uw_question *q, MlirOperation op, bool is_signed, int depth, uw_between *range) {
  uw_between x, y;
  int64_t known;
  MlirValue result = uw_result(op, 0);
  if (uw_int_width(result) == 64 && !is_index(result) && !q->wide)
    return false;
  /* Large constants mix bits, as hashes and generators do. */
  bool is_const = uw_const_value(uw_operand(op, 1), &known),
       is_sum = uw_kind(op) == UW_OP_ARITH_ADDI || uw_kind(op) == UW_OP_ARITH_SUBI;
  if (is_const && (is_sum ? known < -MOST_AMOUNT || known > MOST_AMOUNT : known < -MOST_FACTOR || known > MOST_FACTOR))
    return false;
  if (is_const && known < 0 && !is_signed) /* a large integer, with which all sums but one wrap around */
    return false;
  /* The first threads are below zero in most launches, though none of them may use it: tile[i - (width - radius)]. */
  if (uw_kind(op) == UW_OP_ARITH_SUBI && !is_signed && !q->wide)
    return false;
  if (!find(q, uw_operand(op, 0), is_signed, depth + 1, &x))
    return false;
  if (uw_kind(op) == UW_OP_ARITH_SHLI) {
    if (!is_const || known < 0 || known > MOST_SHIFT)
      return false;
    constant(q, INT64_C(1) << known, 64, true, &y);
  } else if (!find(q, uw_operand(op, 1), is_signed, depth + 1, &y)) {
    return false;
  }
  if (uw_kind(op) == UW_OP_ARITH_ADDI)
    *range = (uw_between){binary(q, "arith.addi", x.low, y.low), binary(q, "arith.addi", x.high, y.high),
                          x.natural && y.natural};
  else if (uw_kind(op) == UW_OP_ARITH_SUBI)
    *range = (uw_between){binary(q, "arith.subi", x.low, y.high), binary(q, "arith.subi", x.high, y.low), false};
  else if (!find_product(q, &x, &y, range))
    return false;
  if (!q->wide && (is_index(result) || uw_no_wrap(op, is_signed)))
    return true;
  if (!q->wide)
    uw_ops_push(q->arena, &q->flagless[is_signed], op);
  return uw_add_fits(q, range, is_signed);
}

/* All bits the other way is -1 - x, which never wraps around: LLVM writes n - 1 - i so. */
static bool find_not(uw_question *q, MlirOperation op, bool is_signed, int depth, uw_between *range) {
  int64_t known;
  uw_between x;
  if (!is_signed || !uw_const_value(uw_operand(op, 1), &known) || known != -1 ||
      (uw_int_width(uw_result(op, 0)) == 64 && !q->wide) || !find(q, uw_operand(op, 0), true, depth + 1, &x))
    return false;
  *range = (uw_between){binary(q, "arith.subi", number(q, -1), x.high), binary(q, "arith.subi", number(q, -1), x.low),
                        false};
  return true;
}

/* Divisions by constants, and by the extents of the grid, which part a block's index. */
static bool find_part(uw_question *q, MlirOperation op, int depth, uw_between *range) {
  uw_between by;
  bool rest = uw_kind(op) == UW_OP_ARITH_REMUI;
  int64_t known;
  bool is_const = uw_const_value(uw_operand(op, 1), &known) && known > 0;
  if (!is_const && (!is_index(uw_result(op, 0)) || !find_single(q, uw_operand(op, 1), false, &by) || !by.natural))
    return false;
  if (is_const)
    constant(q, known, 64, true, &by);
  if (rest) {
    *range = (uw_between){number(q, 0), binary(q, "arith.subi", by.high, number(q, 1)), true};
    return true;
  }
  if (!find(q, uw_operand(op, 0), false, depth + 1, range) || !range->natural)
    return false;
  MlirValue divisor = is_const ? by.low : uw_binary(&q->b, "arith.maxui", by.low, number(q, 1));
  *range = (uw_between){number(q, 0), uw_binary(&q->b, "arith.divui", range->high, divisor), true};
  return true;
}

static bool is_of_grid_or_block(MlirValue index) {
  return uw_kind(mlirBlockGetParentOperation(uw_value_block(index))) == UW_OP_SCF_FORALL;
}

/* The index of a thread in its block, counted from the first thread of a slice. */
static bool find_in_slice(uw_question *q, MlirValue index, int depth, uw_between *range) {
  if (!uw_is_index_in_slice(index) || !uw_null(uw_def(uw_operand(uw_def(index), 1))))
    return false;
  MlirOperation slice = uw_def(uw_operand(uw_def(index), 0));
  if (!find(q, uw_operand(slice, UW_SLICE_EXTENT), false, depth + 1, range) || !range->natural)
    return false;
  *range = (uw_between){number(q, 0), binary(q, "arith.subi", range->high, number(q, 1)), true};
  return true;
}

/* The low bits of a value, which may well be all of it: __umul24(blockIdx.x, blockDim.x). Nothing is asked for that. */
static bool find_low_bits(uw_question *q, MlirOperation op, int depth, uw_between *range) {
  int64_t mask;
  uw_between all;
  if (!uw_const_value(uw_operand(op, 1), &mask) || mask < 0)
    return false;
  uw_question before = *q;
  *range = (uw_between){number(q, 0), number(q, mask), true};
  if (find(q, uw_operand(op, 0), false, depth + 1, &all) && all.natural && uw_same(q->asked, before.asked) &&
      q->takes_for_natural == before.takes_for_natural) {
    range->high = binary(q, "arith.minsi", all.high, range->high);
    return true;
  }
  before.steps = q->steps;
  *q = before;
  return true;
}

static bool find(uw_question *q, MlirValue value, bool is_signed, int depth, uw_between *range) {
  MlirOperation op = uw_def(value);
  int64_t known;
  if (uw_const_value(value, &known))
    return constant(q, known, uw_int_width(value), is_signed, range);
  if (depth == DEEPEST || uw_int_width(value) == 0 || q->steps-- <= 0)
    return false;
  if (find_single(q, value, is_signed, range))
    return true;
  if (q->wide && find_in_slice(q, value, depth, range))
    return true;
  if (uw_null(op))
    return find_counter(q, value, depth, range) || find_carried(q, value, is_signed, depth, range);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: {
    bool from_index = is_index(uw_operand(op, 0));
    if (!find(q, uw_operand(op, 0), from_index || uw_kind(op) == UW_OP_ARITH_INDEX_CAST, depth + 1, range))
      return false;
    /* An index of a thread or a block is less than 2^31 (uwrt_dims in uwrt.h), other values are asked. */
    MlirOperation part = uw_def(uw_operand(op, 0));
    bool is_part = uw_kind(part) == UW_OP_ARITH_REMUI || (uw_null(part) && is_of_grid_or_block(uw_operand(op, 0)));
    return !from_index || uw_int_width(value) == 64 || is_part || uw_add_fits(q, range, is_signed);
  }
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
    if (uw_int_width(uw_operand(op, 0)) >= 32)
      return find(q, uw_operand(op, 0), uw_kind(op) == UW_OP_ARITH_EXTSI, depth + 1, range);
    if (uw_kind(op) == UW_OP_ARITH_EXTSI)
      return false;
    *range = (uw_between){number(q, 0), number(q, (INT64_C(1) << uw_int_width(uw_operand(op, 0))) - 1), true};
    return true;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI: return find_arithmetic(q, op, is_signed, depth, range);
  case UW_OP_ARITH_ANDI: return find_low_bits(q, op, depth, range);
  case UW_OP_ARITH_XORI: return find_not(q, op, is_signed, depth, range);
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_REMUI: return find_part(q, op, depth, range);
  default: return false;
  }
}

bool uw_find_between(uw_question *q, MlirValue value, bool is_signed, uw_between *range) {
  enum { MOST_STEPS = 200 }; /* a part is come by, and made, for each way to it */
  q->steps = MOST_STEPS;
  q->takes_for_natural = false;
  return find(q, value, is_signed, 0, range);
}
