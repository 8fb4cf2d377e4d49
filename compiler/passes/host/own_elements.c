/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Elements that only one thread reaches: see own_elements.h. */
#include "own_elements.h"

#include "../../analysis/linear.h"
#include "../../ir/parallel.h"
#include "between.h"

enum { DIMS = 3, X = 0, Y = 1, NONE = -1 };

typedef struct numbers {
  MlirOperation grid, threads;
} numbers;

static bool is_one(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number) && number == 1;
}

/* --- indices ------------------------------------------------------------------------------------------------------- */

static MlirValue extent(const numbers *n, int dim) { return uw_upper_of(n->threads, (size_t)(DIMS - 1 - dim)); }

static int dim_of_thread(const numbers *n, MlirValue value) {
  for (int dim = 0; dim < DIMS; dim++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(n->threads, 0), DIMS - 1 - dim)))
      return dim;
  return NONE;
}

static int dim_of_block(const numbers *n, MlirValue value) {
  for (int dim = X; dim <= Y; dim++)
    if (uw_same(value, uw_grid_index(n->grid, (uw_grid_dim)dim)))
      return dim;
  return NONE;
}

/* Has the grid one block along all other dimensions? */
static bool is_all_of_grid(const numbers *n, bool has_y) {
  for (uw_grid_dim dim = has_y ? UW_GRID_Z : UW_GRID_Y; dim <= UW_GRID_SLICE; dim++) {
    MlirValue extent = uw_grid_extent(n->grid, dim);
    if (extent.ptr && !is_one(extent))
      return false;
  }
  return true;
}

/* --- the sum ------------------------------------------------------------------------------------------------------- */

typedef struct parts {
  uw_term threads[DIMS], blocks[DIMS]; /* factor 0: none */
} parts;

static bool is_fixed(const numbers *n, MlirValue value) { return !value.ptr || !uw_defined_inside(value, n->grid); }

static bool place_term(const numbers *n, parts *p, uw_term term, MlirValue index, MlirValue scale) {
  int dim = dim_of_thread(n, index);
  uw_term *place = dim != NONE ? &p->threads[dim] : NULL;
  if (!place) {
    dim = dim_of_block(n, index);
    place = dim != NONE ? &p->blocks[dim] : NULL;
  }
  if (!place || place->factor || !is_fixed(n, scale))
    return false;
  *place = (uw_term){index, scale, term.factor};
  return true;
}

static bool take_apart(const numbers *n, const uw_linear *sum, parts *p) {
  for (size_t i = 0; i < sum->count; i++) {
    uw_term term = sum->terms[i];
    if (is_fixed(n, term.symbol) && is_fixed(n, term.scale))
      continue;
    bool by_scale = is_fixed(n, term.symbol);
    if (!place_term(n, p, term, by_scale ? term.scale : term.symbol, by_scale ? term.symbol : term.scale))
      return false;
  }
  return true;
}

static bool is_extent(const numbers *n, int dim, MlirValue value) {
  uw_linear bound = uw_linear_of(extent(n, dim)), other = uw_linear_of(value);
  return uw_linear_equal(&bound, &other);
}

/* Is it a multiple of block * extent + thread, which is a number of its own for each thread along the dimension? */
static bool is_number(const numbers *n, const parts *p, int dim, int64_t *factor, MlirValue *scale) {
  const uw_term *thread = &p->threads[dim], *block = &p->blocks[dim];
  int64_t threads, product;
  bool single = is_one(extent(n, dim));
  *factor = single ? block->factor : thread->factor;
  *scale = single ? block->scale : thread->scale;
  if (*factor == 0 || block->factor == 0)
    return false;
  if (single)
    return true;
  if (uw_const_value(extent(n, dim), &threads))
    return !__builtin_mul_overflow(threads, thread->factor, &product) && product == block->factor &&
           (thread->scale.ptr ? block->scale.ptr && uw_same(thread->scale, block->scale) : !block->scale.ptr);
  return !thread->scale.ptr && block->scale.ptr && block->factor == thread->factor && is_extent(n, dim, block->scale);
}

static bool has_only(const numbers *n, const parts *p, int dims) {
  for (int dim = dims; dim < DIMS; dim++)
    if (!is_one(extent(n, dim)) || p->blocks[dim].factor)
      return false;
  return true;
}

static bool has_y(const numbers *n, const parts *p) { return p->blocks[Y].factor || !is_one(extent(n, Y)); }

typedef enum owner { NOBODY, ONE_THREAD, ONE_WRITER } owner;

static owner owner_of(const numbers *n, MlirValue index) {
  uw_linear sum = uw_linear_of(index);
  parts p = {0};
  int64_t x, y;
  MlirValue by_x, by_y;
  if (!sum.known || !take_apart(n, &sum, &p) || !is_number(n, &p, X, &x, &by_x) || by_x.ptr || (x != 1 && x != -1))
    return NOBODY;
  if (!has_y(n, &p))
    return has_only(n, &p, 1) && is_all_of_grid(n, false) ? ONE_THREAD : NOBODY;
  bool rows = is_number(n, &p, Y, &y, &by_y) && (by_y.ptr || y > 1);
  return rows && has_only(n, &p, 2) && is_all_of_grid(n, true) ? ONE_WRITER : NOBODY;
}

/* --- both ---------------------------------------------------------------------------------------------------------- */

static MlirValue pointer_of(MlirOperation op) { return uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE); }

static uint64_t bytes_of(MlirOperation op) {
  return uw_type_bytes(uw_kind(op) == UW_OP_LLVM_STORE ? mlirValueGetType(uw_operand(op, 0))
                                                       : mlirValueGetType(uw_result(op, 0)));
}

/* base[index], of elements that are no smaller than what is accessed: the index; null if it is something else. */
static MlirValue index_of(MlirOperation op) {
  MlirOperation gep = uw_def(pointer_of(op));
  if (uw_kind(gep) != UW_OP_LLVM_GEP || uw_operand_count(gep) != 2)
    return (MlirValue){NULL};
  MlirType element = mlirTypeAttrGetValue(uw_get_attr(gep, "elem_type"));
  bool single = mlirDenseArrayGetNumElements(uw_get_attr(gep, "rawConstantIndices")) == 1;
  return single && uw_type_bytes(element) >= bytes_of(op) ? uw_operand(gep, 1) : (MlirValue){NULL};
}

static bool same_conditions(MlirOperation first, MlirOperation second, MlirOperation threads) {
  MlirOperation left = uw_parent(first), right = uw_parent(second);
  for (; !uw_same_op(left, threads) && !uw_same_op(right, threads); left = uw_parent(left), right = uw_parent(right)) {
    if (uw_kind(left) != UW_OP_SCF_IF || uw_kind(right) != UW_OP_SCF_IF ||
        !uw_same_value(uw_operand(left, 0), uw_operand(right, 0)))
      return false;
    bool left_then = mlirBlockEqual(mlirOperationGetBlock(first), uw_block(left, 0)),
         right_then = mlirBlockEqual(mlirOperationGetBlock(second), uw_block(right, 0));
    if (left_then != right_then)
      return false;
    first = left;
    second = right;
  }
  return uw_same_op(left, threads) && uw_same_op(right, threads);
}

bool uw_are_own_elements(MlirOperation grid, MlirOperation threads, MlirOperation first, MlirOperation second) {
  numbers n = {.grid = grid, .threads = threads};
  MlirValue index = index_of(first);
  if (uw_dims(threads) != DIMS)
    return false;
  if (!index.ptr || !index_of(second).ptr || !uw_same_value(pointer_of(first), pointer_of(second)))
    return false;
  owner owner = owner_of(&n, index);
  return owner == ONE_THREAD || (owner == ONE_WRITER && same_conditions(first, second, threads));
}
