/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Distances at which accesses meet: see dependence.h.
 *
 * What the addresses differ by is an equation (equation.h). The variable of an index of equal strides is its distance; of
 * other strides there are two, both steps. */
#include "dependence.h"

#include "equation.h"

#define MOST_STEPS (INT64_C(1) << 40)

static int64_t magnitude(int64_t number) { return number < 0 ? -number : number; }

/* --- the equation ------------------------------------------------------------------------------------------------- */

static bool equal_strides(const uw_dependence_axis *axis) {
  return axis->a.bytes == axis->b.bytes && axis->a.factor == axis->b.factor &&
         (!axis->a.factor || uw_same(axis->a.symbol, axis->b.symbol));
}

static int64_t last_step(const uw_dependence_axis *axis) {
  return axis->count > MOST_STEPS ? MOST_STEPS : axis->count < 1 ? 0 : axis->count - 1;
}

/* Adds the variables of one axis; false if its strides are not known. together: both accesses are made in the same step
 * of it. */
static bool add_axis(uw_equation *e, const uw_dependence_axis *axis, size_t number, bool together) {
  int64_t last = last_step(axis), a = axis->a.bytes, b = axis->b.bytes, both;
  bool equal = equal_strides(axis), one_step = axis->is_fixed || (together && axis->is_common);
  if (last == 0)
    return true;
  if (!axis->a.known || !axis->b.known || __builtin_sub_overflow(a, b, &both) || a == INT64_MIN || b == INT64_MIN ||
      both == INT64_MIN || ((axis->a.factor || axis->b.factor) && !(one_step && equal)))
    return false;
  if (one_step && both)
    uw_equation_add(e, both, 0, last, false, number);
  if (!one_step && axis->is_common && equal && a)
    uw_equation_add(e, -a, -last, last, true, number);
  if (!one_step && !(axis->is_common && equal) && a)
    uw_equation_add(e, a, 0, last, false, number);
  if (!one_step && !(axis->is_common && equal) && b)
    uw_equation_add(e, -b, 0, last, false, number);
  return true;
}

static bool solve(uw_equation *e, const uw_two_accesses *two, bool together) {
  *e = (uw_equation){.gap = two->exact ? two->gap : (int32_t)two->gap,
                     .least = 1 - (int64_t)two->bytes_a,
                     .most = (int64_t)two->bytes_b - 1,
                     .limit = INT64_C(1) << (two->exact ? 62 : 31)};
  for (size_t i = 0; i < two->count; i++)
    if (!add_axis(e, &two->axes[i], i, together))
      return false;
  return uw_equation_solve(e);
}

/* --- rows of unknown length --------------------------------------------------------------------------------------- */

static bool is_value(const uw_linear *sum, MlirValue value) {
  return sum->known && sum->count == 1 && sum->constant == 0 && sum->terms[0].factor == 1 && !sum->terms[0].scale.ptr &&
         uw_same(sum->terms[0].symbol, value);
}

/* How many numbers y * length + x there are at most. */
static bool find_numbers(const uw_dependence_axis *rows, const uw_dependence_axis *row, int64_t *numbers) {
  *numbers = rows->together;
  return (rows->together && rows->together == row->together) ||
         !__builtin_mul_overflow(last_step(rows) + 1, last_step(row) + 1, numbers);
}

/* Is the axis one of rows of the other's threads or iterations: y * length + x, times the same factor? */
static bool is_rows_of(const uw_two_accesses *two, const uw_dependence_axis *rows, const uw_dependence_axis *row) {
  int64_t size = magnitude(rows->a.factor), numbers, reach;
  if (!rows->a.factor || rows->a.bytes || row->a.factor || row->a.bytes != rows->a.factor || !row->extent.ptr ||
      size < (int64_t)two->bytes_a || size < (int64_t)two->bytes_b)
    return false;
  uw_linear extent = uw_linear_of(row->extent);
  return is_value(&extent, rows->a.symbol) &&
         ((two->exact && extent.exact) ||
          (find_numbers(rows, row, &numbers) && !__builtin_mul_overflow(size, numbers, &reach) &&
           reach <= INT64_C(1) << 31));
}

static bool moves(const uw_dependence_axis *axis) {
  bool is_zero = uw_is_stride(axis->a, 0) && uw_is_stride(axis->b, 0);
  return last_step(axis) > 0 && !is_zero && !(axis->is_fixed && axis->a.known && axis->b.known && equal_strides(axis));
}

/* Two indices that are a number together, and others on which nothing depends: different numbers are different
 * addresses. */
static bool are_numbered(const uw_two_accesses *two) {
  const uw_dependence_axis *moving[2] = {NULL, NULL};
  size_t count = 0;
  for (size_t i = 0; i < two->count; i++)
    if (moves(&two->axes[i]) && count < 2)
      moving[count++] = &two->axes[i];
    else if (moves(&two->axes[i]))
      return false;
  for (size_t i = 0; i < count; i++)
    if (!moving[i]->is_common || moving[i]->is_fixed || !moving[i]->a.known || !moving[i]->b.known ||
        !equal_strides(moving[i]))
      return false;
  return count == 2 && two->gap == 0 &&
         (is_rows_of(two, moving[0], moving[1]) || is_rows_of(two, moving[1], moving[0]));
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

/* As far as the index goes. */
static uw_distance any_distance(const uw_dependence_axis *axis) {
  int64_t last = axis->is_fixed ? 0 : last_step(axis);
  return (uw_distance){axis->index, -last, last};
}

static uw_distance without_limit(const uw_dependence_axis *axis, uw_distance distance) {
  if (axis->count > MOST_STEPS && distance.least <= -MOST_STEPS)
    distance.least = UW_NO_LEAST;
  if (axis->count > MOST_STEPS && distance.most >= MOST_STEPS)
    distance.most = UW_NO_MOST;
  return distance;
}

/* Where nothing is known but the indices. */
static uw_dependence unknown(const uw_dependence_axis *axes, size_t count) {
  uw_dependence found = {.same = true, .others = true};
  for (size_t i = 0; i < count; i++)
    if (axes[i].is_common)
      found.at[found.count++] = without_limit(&axes[i], any_distance(&axes[i]));
  return found;
}

/* The index's distance in all solutions; false if the equation has none of it, so that it is any. */
static bool find_distance(const uw_equation *e, size_t number, uw_distance *distance) {
  for (size_t i = 0; i < e->count; i++)
    if (e->at[i].is_distance && e->at[i].number == number) {
      distance->least = e->at[i].first;
      distance->most = e->at[i].last;
      return true;
    }
  return false;
}

/* Of an equation that is solved. */
static uw_dependence read(const uw_equation *e, const uw_two_accesses *two) {
  uw_dependence found = {.known = true, .others = e->others};
  found.exact = two->exact && e->solutions == 1 && e->value == 0 && two->bytes_a == two->bytes_b;
  for (size_t i = 0; i < e->count; i++)
    found.exact = found.exact && e->at[i].is_distance;
  for (size_t i = 0; i < two->count; i++) {
    const uw_dependence_axis *axis = &two->axes[i];
    uw_distance distance = any_distance(axis);
    if (!axis->is_common)
      continue;
    if (!find_distance(e, i, &distance) && distance.most > 0) {
      found.others = found.others || e->solutions > 0;
      found.exact = false;
    }
    found.at[found.count++] = without_limit(axis, distance);
  }
  return found;
}

/* The same number: the same step of the two indices, and any of those that do not count. */
static uw_dependence read_number(const uw_two_accesses *two) {
  uw_dependence found = {.known = true, .exact = two->exact && two->bytes_a == two->bytes_b};
  for (size_t i = 0; i < two->count; i++) {
    const uw_dependence_axis *axis = &two->axes[i];
    uw_distance distance = moves(axis) ? (uw_distance){axis->index, 0, 0} : any_distance(axis);
    found.others = found.others || (axis->is_common && distance.most > 0);
    if (axis->is_common)
      found.at[found.count++] = without_limit(axis, distance);
  }
  found.exact = found.exact && !found.others;
  return found;
}

uw_dependence uw_dependence_of(const uw_two_accesses *two) {
  uw_equation together, any;
  bool same = !solve(&together, two, true) || together.same;
  uw_dependence found = are_numbered(two)         ? read_number(two)
                        : solve(&any, two, false) ? read(&any, two)
                                                  : unknown(two->axes, two->count);
  found.known = true;
  found.same = same;
  return found;
}

/* --- indices that the caller names -------------------------------------------------------------------------------- */

static bool is_of_an_axis(const uw_dependence_axis *axes, size_t count, const uw_term *term) {
  for (size_t i = 0; i < count; i++)
    if (uw_same(term->symbol, axes[i].index) || (term->scale.ptr && uw_same(term->scale, axes[i].index)))
      return true;
  return false;
}

/* The terms of no index. */
static uw_linear common_of(const uw_dependence_axis *axes, size_t count, const uw_linear *sum) {
  uw_linear common = {.known = sum->known, .exact = sum->exact, .constant = sum->constant};
  for (size_t i = 0; i < sum->count; i++)
    if (!is_of_an_axis(axes, count, &sum->terms[i]))
      common.terms[common.count++] = sum->terms[i];
  return common;
}

uw_dependence uw_dependence_over(uw_dependence_axis *axes, size_t count, const uw_access *a, const uw_access *b,
                                 uw_stays *stays, const void *context) {
  const uw_linear *first = &a->address.offset, *second = &b->address.offset;
  if (!uw_same(a->address.base, b->address.base) || !a->bytes || !b->bytes || !first->known || !second->known)
    return unknown(axes, count);
  uw_linear common = common_of(axes, count, first), other = common_of(axes, count, second),
            gap = uw_linear_sum(&common, &other, -1);
  bool same = gap.known && gap.count == 0 && stays(context, a, b, a->address.base);
  for (size_t i = 0; same && i < common.count; i++)
    same = stays(context, a, b, common.terms[i].symbol) &&
           (!common.terms[i].scale.ptr || stays(context, a, b, common.terms[i].scale));
  for (size_t i = 0; same && i < count; i++) {
    axes[i].a = uw_stride_in(first, axes[i].index);
    axes[i].b = uw_stride_in(second, axes[i].index);
    same = (!axes[i].a.factor || stays(context, a, b, axes[i].a.symbol)) &&
           (!axes[i].b.factor || stays(context, a, b, axes[i].b.symbol));
  }
  return same ? uw_dependence_of(
                    &(uw_two_accesses){axes, count, gap.constant, a->bytes, b->bytes, first->exact && second->exact})
              : unknown(axes, count);
}

/* --- one thread --------------------------------------------------------------------------------------------------- */

bool uw_other_iteration(MlirValue value, const uw_access *a, const uw_access *b) {
  return (a->crossed.ptr && uw_defined_inside(value, a->crossed)) ||
         (b->crossed.ptr && uw_defined_inside(value, b->crossed));
}

static bool is_of_iteration(const void *context, const uw_access *a, const uw_access *b, MlirValue value) {
  (void)context;
  return !uw_other_iteration(value, a, b);
}

bool uw_thread_overlap(const uw_access *a, const uw_access *b) {
  return uw_dependence_over(NULL, 0, a, b, is_of_iteration, NULL).same;
}

bool uw_meets_itself(MlirOperation launch, const uw_access *a, const uw_access *b) {
  return a->anywhere || b->anywhere || (!uw_bases_distinct(launch, a, b) && uw_thread_overlap(a, b));
}

bool uw_same_place(const uw_access *a, const uw_access *b) {
  if (a->anywhere || b->anywhere || a->crossed.ptr || b->crossed.ptr || !a->bytes || a->bytes != b->bytes)
    return false;
  if (!uw_same(a->address.base, b->address.base))
    return false;
  size_t pointer_a = uw_kind(a->op) == UW_OP_LLVM_STORE, pointer_b = uw_kind(b->op) == UW_OP_LLVM_STORE;
  return uw_same(uw_operand(a->op, pointer_a), uw_operand(b->op, pointer_b)) ||
         (a->address.offset.exact && b->address.offset.exact &&
          uw_linear_equal(&a->address.offset, &b->address.offset));
}

/* --- accesses in loops ----------------------------------------------------------------------------------------------------- */

static const uw_stride none = {.known = true};

/* Where the loop begins at 0 and goes by 1. */
static MlirValue extent_of(const uw_map_index *at) {
  int64_t least, step;
  bool counts = uw_const_value(uw_map_bound(at, UW_LOWER), &least) && least == 0 &&
                uw_const_value(uw_map_bound(at, UW_STEP), &step) && step == 1;
  return counts ? uw_map_bound(at, UW_UPPER) : (MlirValue){NULL};
}

/* Is one made for each thread, or each block, of the loop? Then both accesses are that one's. */
static bool is_own_of(MlirValue base, MlirOperation loop) {
  return uw_is_made_inside(uw_def(base)) && uw_kind(loop) == UW_OP_SCF_FORALL && uw_defined_inside(base, loop);
}

static uw_dependence_axis axis_of(const uw_map_index *own, const uw_map_index *its, MlirValue base,
                                  MlirOperation outermost) {
  bool outside = !uw_null(outermost) && !uw_inside(own->loop, outermost), fixed = outside || is_own_of(base, own->loop);
  return (uw_dependence_axis){.index = own->index,
                              .is_common = its && !outside,
                              .is_fixed = its && fixed,
                              .a = its && fixed ? own->terms : own->stride,
                              .b = !its    ? none
                                   : fixed ? its->terms
                                           : its->stride,
                              .count = own->most,
                              .extent = extent_of(own)};
}

/* Those of the indices of the one access, and of the other one that the first is not in. */
static size_t axes_of(const uw_access_map *a, const uw_access_map *b, MlirOperation outermost,
                      uw_dependence_axis *axes) {
  size_t count = 0;
  for (size_t i = 0; i < a->count; i++)
    axes[count++] = axis_of(&a->at[i], uw_map_index_of(b, a->at[i].index), a->access.address.base, outermost);
  for (size_t i = 0; i < b->count; i++) {
    uw_dependence_axis own = axis_of(&b->at[i], NULL, b->access.address.base, outermost);
    own.b = own.a;
    own.a = none;
    if (!uw_map_index_of(a, b->at[i].index))
      axes[count++] = own;
  }
  return count;
}

/* Is it the same value in both steps? What a loop that is no index carries is not. */
static bool stays(MlirValue value, MlirOperation outermost, const uw_dependence_axis *axes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!axes[i].is_fixed && uw_changes_with(value, axes[i].index))
      return false;
  MlirOperation at = mlirBlockGetParentOperation(uw_value_block(value));
  for (; !uw_null(at) && (uw_null(outermost) || uw_inside(at, outermost)); at = uw_parent(at))
    if (uw_kind(at) == UW_OP_SCF_WHILE)
      return false;
  return true;
}

static bool sum_stays(const uw_linear *sum, MlirOperation outermost, const uw_dependence_axis *axes, size_t count) {
  for (size_t i = 0; i < sum->count; i++)
    if (!stays(sum->terms[i].symbol, outermost, axes, count) ||
        (sum->terms[i].scale.ptr && !stays(sum->terms[i].scale, outermost, axes, count)))
      return false;
  return true;
}

static bool strides_stay(MlirOperation outermost, const uw_dependence_axis *axes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((axes[i].a.factor && !stays(axes[i].a.symbol, outermost, axes, count)) ||
        (axes[i].b.factor && !stays(axes[i].b.symbol, outermost, axes, count)))
      return false;
  return true;
}

/* The outermost parallel loop around both accesses; the function if there is none. */
static MlirOperation launch_of(const uw_access_map *a, const uw_access_map *b) {
  MlirOperation launch = {NULL};
  for (MlirOperation op = uw_parent(a->access.op); !uw_null(op); op = uw_parent(op)) {
    bool is_loop = uw_kind(op) == UW_OP_SCF_FORALL && uw_inside(b->access.op, op);
    if (is_loop || (uw_null(launch) && (uw_kind(op) == UW_OP_FUNC || uw_kind(op) == UW_OP_LLVM_FUNC)))
      launch = op;
  }
  return launch;
}

uw_dependence uw_dependence_between(MlirOperation outermost, const uw_access_map *a, const uw_access_map *b) {
  uw_dependence_axis axes[2 * UW_MAP_INDICES];
  size_t count = axes_of(a, b, outermost, axes);
  const uw_access *first = &a->access, *second = &b->access;
  if (first->anywhere || second->anywhere)
    return unknown(axes, count);
  if (uw_bases_distinct(launch_of(a, b), first, second))
    return (uw_dependence){.known = true};
  uw_linear gap = uw_linear_sum(&a->common, &b->common, -1);
  /* Of more loops the outermost ones are no indices of the map. */
  if (a->count == UW_MAP_INDICES || b->count == UW_MAP_INDICES || count > UW_MAP_INDICES || !gap.known || gap.count ||
      !uw_same(first->address.base, second->address.base) || !stays(first->address.base, outermost, axes, count) ||
      !sum_stays(&a->common, outermost, axes, count) || !strides_stay(outermost, axes, count))
    return unknown(axes, count);
  return uw_dependence_of(&(uw_two_accesses){.axes = axes,
                                             .count = count,
                                             .gap = gap.constant,
                                             .bytes_a = first->bytes,
                                             .bytes_b = second->bytes,
                                             .exact = a->exact && b->exact});
}
