/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See block_numbers.h. */
#include "block_numbers.h"

#include "parallel.h"

static const int64_t is_operand = INT64_MIN; /* ShapedType::kDynamic */

MlirValue uw_block_number(uw_builder *b, const MlirValue index[3], const MlirValue extents[3]) {
  const int64_t basis[3] = {is_operand, is_operand, is_operand};
  return uw_build1(b, "affine.linearize_index",
                   .in = VALS(index[2], index[1], index[0], extents[2], extents[1], extents[0]),
                   .out = TYPES(uw_index_type(b->context)),
                   .attrs = ATTRS({"disjoint", mlirUnitAttrGet(b->context)},
                                  {"static_basis", mlirDenseI64ArrayGet(b->context, 3, basis)}),
                   .segments = (const int32_t[]){3, 3}, .segment_count = 2);
}

static bool is_one(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number) && number == 1;
}

/* How often the loop runs along a dimension. */
static MlirValue iterations_of(uw_builder *b, MlirOperation grid, size_t d) {
  MlirValue step = uw_step_of(grid, d), extent = uw_upper_of(grid, d);
  return is_one(step) ? extent : uw_binary(b, "arith.ceildivui", extent, step);
}

MlirValue uw_count_blocks(uw_builder *b, MlirOperation grid) {
  MlirValue count = {NULL};
  for (size_t d = uw_dims(grid); d-- > 0;) {
    MlirValue own = iterations_of(b, grid, d);
    if (is_one(own) && (count.ptr || d > 0))
      continue;
    count = count.ptr ? uw_binary(b, "arith.muli", count, own) : own;
  }
  return count;
}

bool uw_known_blocks(MlirOperation grid, int64_t *count) {
  int64_t extent;
  *count = 1;
  for (size_t d = 0; d < uw_dims(grid); d++)
    if (!is_one(uw_step_of(grid, d)) || !uw_const_value(uw_upper_of(grid, d), &extent) ||
        __builtin_mul_overflow(*count, extent, count))
      return false;
  return true;
}

bool uw_is_block_mark(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", "uwrt_enter_block");
}

/* A linearize_index, a cast, and what says that other blocks come along. */
enum { LONGEST_WAY_TO_MARK = 4 };

static bool only_for_mark(MlirValue value, int way);

static bool is_for_mark(MlirOperation op, int way) {
  return uw_is_block_mark(op) || (way < LONGEST_WAY_TO_MARK && uw_result_count(op) == 1 && uw_region_count(op) == 0 &&
                                  uw_effect_free(op) && only_for_mark(uw_result(op, 0), way + 1));
}

static bool only_for_mark(MlirValue value, int way) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!is_for_mark(mlirOpOperandGetOwner(use), way))
      return false;
  return true;
}

bool uw_is_for_mark(MlirOperation op) { return is_for_mark(op, 0); }
bool uw_is_asked_for(MlirValue index) { return !only_for_mark(index, 0); }

/* --- a number as an operation has it ------------------------------------------------------------------------------ */

typedef struct terms {
  size_t count;
  MlirValue index[UW_MOST_DIMS], extent[UW_MOST_DIMS]; /* outermost first; the first extent is of no use */
} terms;

static size_t index_count(MlirOperation op) {
  return (size_t)mlirDenseI32ArrayGetElement(uw_get_attr(op, "operandSegmentSizes"), 0);
}

/* Without indices that are always 0. */
static terms terms_of(uw_builder *b, MlirOperation op) {
  terms of = {0};
  MlirAttribute basis = uw_get_attr(op, "static_basis");
  size_t indices = index_count(op), extents = (size_t)mlirDenseArrayGetNumElements(basis), operand = indices;
  for (size_t i = 0; i < indices; i++) {
    MlirValue extent = {NULL};
    if (i + extents >= indices) {
      int64_t number = mlirDenseI64ArrayGetElement(basis, (intptr_t)(i + extents - indices));
      extent = number == is_operand ? uw_operand(op, operand++) : uw_const_index(b, number);
    }
    if (extent.ptr && is_one(extent))
      continue;
    of.index[of.count] = uw_operand(op, i);
    of.extent[of.count++] = extent;
  }
  return of;
}

static bool same_extent(MlirValue a, MlirValue b) {
  int64_t left, right;
  return uw_same(a, b) || (uw_const_value(a, &left) && uw_const_value(b, &right) && left == right);
}

static bool begins_with(const terms *of, const terms *outer) {
  for (size_t i = 0; i < outer->count && i < of->count; i++)
    if (!uw_same(of->index[i], outer->index[i]) || (i > 0 && !same_extent(of->extent[i], outer->extent[i])))
      return false;
  return of->count >= outer->count;
}

/* Sums and products, where the outermost terms make `number`. */
static void replace_number(MlirOperation op, const terms *of, size_t outer, MlirValue number) {
  uw_builder b = uw_at(op);
  for (size_t k = outer; k < of->count; k++)
    number = uw_binary(&b, "arith.addi", uw_binary(&b, "arith.muli", number, of->extent[k]), of->index[k]);
  uw_replace_uses(uw_result(op, 0), number);
  uw_erase(op);
}

void uw_expand_block_numbers(uw_arena *arena, MlirOperation root) {
  uw_ops ops = uw_collect_kind(arena, root, UW_OP_AFFINE_LINEARIZE);
  for (size_t i = 0; i < ops.count; i++) {
    uw_builder b = uw_at(ops.at[i]);
    terms of = terms_of(&b, ops.at[i]);
    replace_number(ops.at[i], &of, 1, of.count ? of.index[0] : uw_const_index(&b, 0));
  }
}

/* --- indices as a number has them --------------------------------------------------------------------------------- */

typedef struct indexing {
  uw_arena *arena;
  uw_builder *b;
  MlirOperation root;
} indexing;

static bool is_used(const indexing *at, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_inside(mlirOpOperandGetOwner(use), at->root))
      return true;
  return false;
}

typedef struct dimension {
  MlirValue index, step, iterations;
} dimension;

static void set_index(const indexing *at, const dimension *of, MlirValue iteration) {
  MlirValue index = is_one(of->step) ? iteration : uw_binary(at->b, "arith.muli", iteration, of->step);
  uw_replace_uses_inside(of->index, index, at->root);
}

/* A number that begins with the outer dimensions as the loop has them: number is what these make. */
static void use_number(const indexing *at, const dimension *dims, size_t count, MlirValue number) {
  terms outer = {.count = count};
  for (size_t i = 0; i < count; i++) {
    if (!is_one(dims[i].step))
      return;
    outer.index[i] = dims[i].index;
    outer.extent[i] = dims[i].iterations;
  }
  uw_ops ops = uw_collect_kind(at->arena, at->root, UW_OP_AFFINE_LINEARIZE);
  for (size_t i = 0; i < ops.count; i++) {
    uw_builder b = uw_at(ops.at[i]);
    terms of = terms_of(&b, ops.at[i]);
    if (!begins_with(&of, &outer))
      continue;
    if (uw_same_op(at->b->before, ops.at[i]))
      at->b->before = uw_next(ops.at[i]);
    replace_number(ops.at[i], &of, count, number);
  }
}

static bool are_used(const indexing *at, const dimension *dims, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_used(at, dims[i].index))
      return true;
  return false;
}

/* The number of an iteration is taken apart from the innermost dimension on, as far as somebody asks for more. */
static void take_indices(const indexing *at, const dimension *dims, size_t count, MlirValue number) {
  for (use_number(at, dims, count, number); are_used(at, dims, count); use_number(at, dims, count, number)) {
    const dimension *inner = &dims[--count];
    if (is_used(at, inner->index))
      set_index(at, inner, count ? uw_binary(at->b, "arith.remui", number, inner->iterations) : number);
    if (!are_used(at, dims, count))
      return;
    number = uw_binary(at->b, "arith.divui", number, inner->iterations);
  }
}

void uw_index_by_number(uw_arena *arena, uw_builder *outside, uw_builder *b, MlirOperation grid, MlirOperation root,
                        MlirValue number) {
  const indexing at = {arena, b, root};
  dimension dims[UW_MOST_DIMS]; /* of more than one iteration, without slices */
  size_t count = 0;
  for (size_t d = 0; d < uw_dims(grid); d++) {
    dimension own = {uw_index(grid, d), uw_step_of(grid, d), iterations_of(outside, grid, d)};
    if (is_one(own.iterations)) {
      if (is_used(&at, own.index))
        uw_replace_uses_inside(own.index, uw_const_index(b, 0), root);
    } else if ((int)d == uw_grid_dim_of(grid, UW_GRID_SLICE)) { /* the innermost */
      if (is_used(&at, own.index))
        set_index(&at, &own, uw_binary(b, "arith.remui", number, own.iterations));
      number = uw_binary(b, "arith.divui", number, own.iterations);
    } else {
      dims[count++] = own;
    }
  }
  take_indices(&at, dims, count, number);
}
