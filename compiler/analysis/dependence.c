/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Distances at which accesses meet: see dependence.h.
 *
 * gap + the sum of factor * variable has to lie between -bytes_a and bytes_b. The variable of an index of equal strides
 * is its distance; of other strides there are two, both steps. The variables with the largest factors come first. */
#include "dependence.h"

enum { MOST_VARIABLES = 2 * UW_MAP_INDICES, MOST_TRIED = 1 << 12 };

#define MOST_STEPS (INT64_C(1) << 40)

static int64_t magnitude(int64_t number) { return number < 0 ? -number : number; }

/* --- the equation ------------------------------------------------------------------------------------------------- */

typedef struct variable {
  int64_t factor, least, most;
  size_t axis;
  bool is_distance;
} variable;

typedef struct equation {
  const uw_two_accesses *two;
  int64_t gap;
  variable at[MOST_VARIABLES];
  size_t count;
  int64_t rest_least[MOST_VARIABLES + 1], rest_most[MOST_VARIABLES + 1]; /* of all variables from number i on */
  int64_t divisor[MOST_VARIABLES + 1];                                   /* of their factors; 0: there are none */
  int64_t chosen[MOST_VARIABLES], tried;
  bool same, others, failed; /* of the solutions: distances that are all 0, and others */
  uw_distance hull[UW_MAP_INDICES];
  int64_t solutions, last_gap;
} equation;

static int64_t greatest_divisor(int64_t a, int64_t b) {
  for (int64_t rest; b; a = b, b = rest)
    rest = a % b;
  return magnitude(a);
}

static int64_t floor_of(int64_t number, int64_t divisor) { /* divisor > 0 */
  return number / divisor - (number % divisor < 0);
}

static void add_variable(equation *e, variable new) {
  size_t i = e->count++;
  for (; i > 0 && magnitude(e->at[i - 1].factor) < magnitude(new.factor); i--)
    e->at[i] = e->at[i - 1];
  e->at[i] = new;
}

/* What the variables from each on reach. False if that is more than what the sums hold for. */
static bool find_reach(equation *e) {
  int64_t limit = e->two->exact ? INT64_C(1) << 62 : INT64_C(1) << 31, reach;
  if (e->two->bytes_a >= (uint64_t)limit / 2 || e->two->bytes_b >= (uint64_t)limit / 2 || e->gap <= -limit ||
      e->gap >= limit)
    return false;
  reach = magnitude(e->gap);
  e->rest_least[e->count] = e->rest_most[e->count] = e->divisor[e->count] = 0;
  for (size_t i = e->count; i-- > 0;) {
    const variable *own = &e->at[i];
    int64_t ends[2];
    if (__builtin_mul_overflow(own->factor, own->least, &ends[0]) ||
        __builtin_mul_overflow(own->factor, own->most, &ends[1]) || ends[0] <= -limit || ends[0] >= limit ||
        ends[1] <= -limit || ends[1] >= limit)
      return false;
    e->rest_least[i] = e->rest_least[i + 1] + ends[own->factor < 0];
    e->rest_most[i] = e->rest_most[i + 1] + ends[own->factor > 0];
    e->divisor[i] = greatest_divisor(e->divisor[i + 1], own->factor);
    reach += magnitude(ends[0]) > magnitude(ends[1]) ? magnitude(ends[0]) : magnitude(ends[1]);
    if (reach >= limit)
      return false;
  }
  return true;
}

/* Which values of variable i leave something that those after it can make good? */
static bool find_range(const equation *e, size_t i, int64_t value, int64_t *least, int64_t *most) {
  int64_t factor = e->at[i].factor, low = 1 - (int64_t)e->two->bytes_a - value - e->rest_most[i + 1],
          high = (int64_t)e->two->bytes_b - 1 - value - e->rest_least[i + 1], size = magnitude(factor);
  *least = factor > 0 ? -floor_of(-low, size) : -floor_of(high, size);
  *most = factor > 0 ? floor_of(high, size) : floor_of(-low, size);
  *least = *least < e->at[i].least ? e->at[i].least : *least;
  *most = *most > e->at[i].most ? e->at[i].most : *most;
  return *least <= *most;
}

/* May multiples of what divides the factors from i on lead to where the two meet? */
static bool divides(const equation *e, size_t i, int64_t value) {
  int64_t first = 1 - (int64_t)e->two->bytes_a, last = (int64_t)e->two->bytes_b - 1, divisor = e->divisor[i];
  if (divisor == 0)
    return value >= first && value <= last;
  return first + (value - first - floor_of(value - first, divisor) * divisor) <= last;
}

static void widen(uw_distance *hull, int64_t least, int64_t most) {
  hull->least = least < hull->least ? least : hull->least;
  hull->most = most > hull->most ? most : hull->most;
}

/* All variables are chosen; the last one may be least to most. */
static void add_solutions(equation *e, int64_t value, int64_t least, int64_t most) {
  bool all_zero = true;
  for (size_t i = 0; i < e->count; i++) {
    bool is_last = i + 1 == e->count;
    int64_t from = is_last ? least : e->chosen[i], to = is_last ? most : e->chosen[i];
    if (!e->at[i].is_distance)
      continue;
    e->others = e->others || from != 0 || to != 0;
    all_zero = all_zero && from <= 0 && to >= 0;
    widen(&e->hull[e->at[i].axis], from, to);
  }
  e->same = e->same || all_zero;
  e->solutions += most - least + 1;
  e->last_gap = value + (e->count ? e->at[e->count - 1].factor * least : 0);
}

static void search(equation *e, size_t i, int64_t value) {
  int64_t least = 0, most = 0;
  if (!divides(e, i, value) || (i < e->count && !find_range(e, i, value, &least, &most)))
    return;
  if (i + 1 >= e->count) {
    add_solutions(e, value, least, most);
    return;
  }
  for (e->chosen[i] = least; e->chosen[i] <= most && !e->failed; e->chosen[i]++) {
    e->failed = ++e->tried > MOST_TRIED;
    search(e, i + 1, value + e->at[i].factor * e->chosen[i]);
  }
}

static void solve(equation *e) {
  e->failed = e->failed || !find_reach(e);
  if (!e->failed)
    search(e, 0, e->gap);
}

/* --- its variables ------------------------------------------------------------------------------------------------ */

static bool equal_strides(const uw_dependence_axis *axis) {
  return axis->a.bytes == axis->b.bytes && axis->a.factor == axis->b.factor &&
         (!axis->a.factor || uw_same(axis->a.symbol, axis->b.symbol));
}

static int64_t last_step(const uw_dependence_axis *axis) {
  return axis->count > MOST_STEPS ? MOST_STEPS : axis->count < 1 ? 0 : axis->count - 1;
}

/* Of one axis. together: both accesses are made in the same step of it. */
static void add_axis(equation *e, size_t number, bool together) {
  const uw_dependence_axis *axis = &e->two->axes[number];
  int64_t last = last_step(axis), a = axis->a.bytes, b = axis->b.bytes, both;
  bool equal = equal_strides(axis), one_step = axis->is_fixed || (together && axis->is_common);
  if (last == 0)
    return;
  e->failed = e->failed || !axis->a.known || !axis->b.known || __builtin_sub_overflow(a, b, &both) || a == INT64_MIN ||
              b == INT64_MIN || both == INT64_MIN || ((axis->a.factor || axis->b.factor) && !(one_step && equal));
  if (e->failed)
    return;
  if (one_step) {
    if (both)
      add_variable(e, (variable){both, 0, last, number, false});
  } else if (axis->is_common && equal) {
    if (a)
      add_variable(e, (variable){-a, -last, last, number, true});
  } else {
    if (a)
      add_variable(e, (variable){a, 0, last, number, false});
    if (b)
      add_variable(e, (variable){-b, 0, last, number, false});
  }
}

static void start(equation *e, const uw_two_accesses *two, bool together) {
  *e = (equation){.two = two, .gap = two->exact ? two->gap : (int32_t)two->gap};
  for (size_t i = 0; i < two->count; i++)
    e->hull[i] = (uw_distance){two->axes[i].index, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < two->count; i++)
    add_axis(e, i, together);
}

/* --- rows of unknown length --------------------------------------------------------------------------------------- */

static bool is_value(const uw_linear *sum, MlirValue value) {
  return sum->known && sum->count == 1 && sum->constant == 0 && sum->terms[0].factor == 1 && !sum->terms[0].scale.ptr &&
         uw_same(sum->terms[0].symbol, value);
}

/* Is the axis one of rows of the other's threads or iterations: y * length + x, times the same factor? */
static bool is_rows_of(const uw_two_accesses *two, const uw_dependence_axis *rows, const uw_dependence_axis *row) {
  int64_t size = magnitude(rows->a.factor), reach;
  if (!rows->a.factor || rows->a.bytes || row->a.factor || row->a.bytes != rows->a.factor || !row->extent.ptr ||
      size < (int64_t)two->bytes_a || size < (int64_t)two->bytes_b)
    return false;
  uw_linear extent = uw_linear_of(row->extent);
  return is_value(&extent, rows->a.symbol) &&
         ((two->exact && extent.exact) ||
          (!__builtin_mul_overflow(size, last_step(rows) + 1, &reach) &&
           !__builtin_mul_overflow(reach, last_step(row) + 1, &reach) && reach <= INT64_C(1) << 31));
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

/* As far as an index goes, with what the solutions say of it. */
static uw_distance distance_of(const uw_dependence_axis *axis, const uw_distance *hull) {
  int64_t last = axis->is_fixed ? 0 : last_step(axis);
  uw_distance all = {axis->index, -last, last};
  if (hull && hull->least <= hull->most)
    all = *hull;
  if (!axis->is_fixed && axis->count > MOST_STEPS && all.most >= MOST_STEPS)
    all.most = UW_NO_MOST;
  if (!axis->is_fixed && axis->count > MOST_STEPS && all.least <= -MOST_STEPS)
    all.least = UW_NO_LEAST;
  return all;
}

static uw_dependence answer(const equation *e, bool same) {
  uw_dependence found = {.same = same, .others = e->failed || e->others, .exact = !e->failed && e->two->exact};
  for (size_t i = 0; i < e->two->count; i++) {
    const uw_dependence_axis *axis = &e->two->axes[i];
    bool is_counted = e->hull[i].least <= e->hull[i].most; /* a distance of the search; all others are free */
    if (!axis->is_common)
      continue;
    found.at[found.count++] = distance_of(axis, e->failed ? NULL : &e->hull[i]);
    if (!is_counted && !axis->is_fixed && last_step(axis) > 0) {
      found.others = found.others || e->solutions > 0;
      found.exact = false;
    }
  }
  for (size_t i = 0; i < e->count; i++)
    found.exact = found.exact && e->at[i].is_distance;
  found.exact = found.exact && e->solutions == 1 && e->last_gap == 0 && e->two->bytes_a == e->two->bytes_b;
  return found;
}

static void take_same_number(equation *e) {
  e->failed = false;
  e->count = 0;
  e->solutions = 1;
  for (size_t i = 0; i < e->two->count; i++)
    if (moves(&e->two->axes[i]))
      e->hull[i] = (uw_distance){e->two->axes[i].index, 0, 0};
}

uw_dependence uw_dependence_of(const uw_two_accesses *two) {
  equation together, any;
  start(&together, two, true);
  solve(&together);
  start(&any, two, false);
  if (are_numbered(two))
    take_same_number(&any);
  else
    solve(&any);
  return answer(&any, together.failed || together.same);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static const uw_stride none = {.known = true};

/* Where nothing is known but the indices. */
static uw_dependence unknown(const uw_dependence_axis *axes, size_t count) {
  uw_dependence found = {.same = true, .others = true};
  for (size_t i = 0; i < count; i++)
    if (axes[i].is_common)
      found.at[found.count++] = distance_of(&axes[i], NULL);
  return found;
}

static const uw_map_index *find_index(const uw_access_map *map, MlirValue index) {
  for (size_t i = 0; i < map->count; i++)
    if (uw_same(map->at[i].index, index))
      return &map->at[i];
  return NULL;
}

/* Where the loop begins at 0 and goes by 1. */
static MlirValue extent_of(const uw_map_index *at) {
  int64_t least, step;
  bool counts = uw_const_value(uw_map_bound(at, 0), &least) && least == 0 &&
                uw_const_value(uw_map_bound(at, 2), &step) && step == 1;
  return counts ? uw_map_bound(at, 1) : (MlirValue){NULL};
}

/* Is one made for each thread, or each block, of the loop? Then both accesses are that one's. */
static bool is_own_of(MlirValue base, MlirOperation loop) {
  return uw_is_made_inside(uw_def(base)) && uw_kind(loop) == UW_OP_SCF_PARALLEL && uw_defined_inside(base, loop);
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
    axes[count++] = axis_of(&a->at[i], find_index(b, a->at[i].index), a->access.address.base, outermost);
  for (size_t i = 0; i < b->count; i++) {
    uw_dependence_axis own = axis_of(&b->at[i], NULL, b->access.address.base, outermost);
    own.b = own.a;
    own.a = none;
    if (!find_index(a, b->at[i].index))
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
    bool is_loop = uw_kind(op) == UW_OP_SCF_PARALLEL && uw_inside(b->access.op, op);
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
    return (uw_dependence){.count = 0};
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
