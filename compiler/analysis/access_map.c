/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Strides of accesses: see access_map.h. */
#include "access_map.h"

#include "thresholds.h"

static const uw_stride unknown = {.known = false};

/* --- one index ---------------------------------------------------------------------------------------------------- */

/* Adds factor * symbol, or factor; false if the stride has another symbol. */
static bool add_to_stride(uw_stride *stride, MlirValue symbol, int64_t factor) {
  if (!symbol.ptr)
    return !__builtin_add_overflow(stride->bytes, factor, &stride->bytes);
  if (stride->factor && !uw_same(stride->symbol, symbol))
    return false;
  stride->symbol = symbol;
  return !__builtin_add_overflow(stride->factor, factor, &stride->factor);
}

uw_stride uw_stride_in(const uw_linear *sum, MlirValue index) {
  uw_stride stride = {.known = sum->known};
  for (size_t i = 0; i < sum->count && stride.known; i++) {
    const uw_term *term = &sum->terms[i];
    bool first = uw_same(term->symbol, index), second = term->scale.ptr && uw_same(term->scale, index);
    if (first || second)
      stride.known = !(first && second) && add_to_stride(&stride, first ? term->scale : term->symbol, term->factor);
  }
  return stride.known ? stride : unknown;
}

/* --- what changes with an index ----------------------------------------------------------------------------------- */

/* Values that are looked at, the innermost first: a loop that hands one on to its next iteration leads back to it. */
typedef struct opened {
  MlirValue value;
  const struct opened *outer;
} opened;

typedef struct question {
  MlirValue index;
  MlirOperation loop;
  const opened *within;
  int left; /* values that may be looked at */
} question;

static bool changes(question *q, MlirValue value);

/* May the operation give another result though its operands are the same? Memory may be written to from iteration to
 * iteration. */
static bool may_differ_alone(const question *q, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    return !uw_plain_access(op) ||
           (uw_kind(q->loop) != UW_OP_SCF_FORALL && mlirAttributeIsNull(uw_get_attr(op, "unwarp.readonly")));
  default: return !uw_speculatable(op);
  }
}

static bool some_change(question *q, MlirOperation op, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (changes(q, uw_operand(op, i)))
      return true;
  return false;
}

static MlirOperation last_of(MlirOperation op, intptr_t region) { return uw_last(uw_block(op, (unsigned)region)); }

/* A result of a branch: what decides, and what each side hands on. */
static bool branch_changes(question *q, MlirOperation branch, size_t k) {
  bool result = changes(q, uw_operand(branch, 0));
  for (intptr_t r = 0; r < uw_region_count(branch) && !result; r++)
    result = changes(q, uw_operand(last_of(branch, r), k));
  return result;
}

/* What a loop carries: how often it runs, what it starts with and what an iteration hands on. */
static bool for_changes(question *q, MlirOperation loop, size_t k) {
  enum { BOUNDS = 3 };
  return some_change(q, loop, 0, BOUNDS) || changes(q, uw_operand(loop, BOUNDS + k)) ||
         changes(q, uw_operand(last_of(loop, 0), k));
}

/* before: an argument of the part that asks; else one of the other part, or a result. */
static bool while_changes(question *q, MlirOperation loop, size_t k, bool before) {
  return changes(q, uw_operand(last_of(loop, 0), 0)) ||
         (before ? changes(q, uw_operand(loop, k)) || changes(q, uw_operand(last_of(loop, 1), k))
                 : changes(q, uw_operand(last_of(loop, 0), k + 1)));
}

static size_t number_of(MlirValue value) {
  return (size_t)(mlirValueIsAOpResult(value) ? mlirOpResultGetResultNumber(value)
                                              : mlirBlockArgumentGetArgNumber(value));
}

/* A result of the operation, or an argument of a block of it. */
static bool made_otherwise(question *q, MlirOperation op, MlirValue value) {
  bool is_argument = !mlirValueIsAOpResult(value);
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH: return branch_changes(q, op, number_of(value));
  case UW_OP_SCF_FOR: return for_changes(q, op, number_of(value) - is_argument);
  case UW_OP_SCF_WHILE:
    return while_changes(q, op, number_of(value),
                         is_argument && mlirBlockEqual(uw_value_block(value), uw_block(op, 0)));
  default: return uw_region_count(op) != 0 || may_differ_alone(q, op) || some_change(q, op, 0, uw_operand_count(op));
  }
}

static bool is_opened(const question *q, MlirValue value) {
  const opened *at = q->within;
  while (at && !uw_same(at->value, value))
    at = at->outer;
  return at != NULL;
}

static bool is_index(MlirOperation loop, MlirValue argument) {
  return uw_kind(loop) == UW_OP_SCF_FORALL ||
         (uw_kind(loop) == UW_OP_SCF_FOR && uw_same(mlirBlockGetArgument(uw_block(loop, 0), 0), argument));
}

static bool changes(question *q, MlirValue value) {
  if (uw_same(value, q->index))
    return true;
  if (!uw_defined_inside(value, q->loop) || is_opened(q, value))
    return false;
  MlirOperation op = mlirValueIsAOpResult(value) ? uw_def(value) : mlirBlockGetParentOperation(uw_value_block(value));
  if (!mlirValueIsAOpResult(value) && (is_index(op, value) || uw_same_op(op, q->loop)))
    return !is_index(op, value); /* what the loop carries from iteration to iteration */
  const opened own = {value, q->within};
  q->within = &own;
  bool result = q->left-- <= 0 || made_otherwise(q, op, value);
  q->within = own.outer;
  return result;
}

bool uw_changes_with(MlirValue value, MlirValue index) {
  enum { MOST_LOOKED_AT = 200 };
  question q = {.index = index,
                .loop = mlirBlockGetParentOperation(uw_value_block(index)),
                .within = NULL,
                .left = MOST_LOOKED_AT};
  return changes(&q, value);
}

uw_stride uw_stride_along(const uw_linear *sum, MlirValue index) {
  uw_stride stride = uw_stride_in(sum, index);
  for (size_t i = 0; stride.known && i < sum->count; i++) {
    const MlirValue both[] = {sum->terms[i].symbol, sum->terms[i].scale};
    for (size_t k = 0; k < 2 && stride.known; k++)
      stride.known = !both[k].ptr || uw_same(both[k], index) || !uw_changes_with(both[k], index);
  }
  return stride.known ? stride : unknown;
}

bool uw_is_stride(uw_stride stride, int64_t bytes) {
  return stride.known && stride.factor == 0 && stride.bytes == bytes;
}

bool uw_is_far_stride(uw_stride stride) {
  return stride.known && (stride.symbol.ptr || stride.bytes >= UW_FAR_APART || stride.bytes <= -UW_FAR_APART);
}

int64_t uw_constant_stride(uw_stride stride) { return stride.known && stride.factor == 0 ? stride.bytes : 0; }

bool uw_goes_along(const uw_address *address, MlirValue index, int64_t bytes) {
  return uw_is_stride(uw_stride_along(&address->offset, index), bytes) && !uw_changes_with(address->base, index);
}

/* --- is the sum exact within the bounds of its values? ------------------------------------------------------------ */

typedef struct interval {
  bool known;
  int64_t least, most;
} interval;

static interval interval_of(MlirValue value) {
  interval range = {.least = uw_least_of(value), .most = uw_most_of(value)};
  range.known = range.least != UW_NO_LEAST && range.most != UW_NO_MOST;
  return range;
}

/* Bounds are below 2^30, so that the product of two is no overflow. */
static interval product_of(interval a, interval b) {
  const int64_t all[] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
  interval product = {a.known && b.known, all[0], all[0]};
  for (size_t i = 1; i < 4; i++) {
    product.least = all[i] < product.least ? all[i] : product.least;
    product.most = all[i] > product.most ? all[i] : product.most;
  }
  return product;
}

static bool add_times(interval *sum, interval term, int64_t factor) {
  int64_t ends[2];
  if (!term.known || __builtin_mul_overflow(term.least, factor, &ends[0]) ||
      __builtin_mul_overflow(term.most, factor, &ends[1]))
    return false;
  return !__builtin_add_overflow(sum->least, ends[factor < 0], &sum->least) &&
         !__builtin_add_overflow(sum->most, ends[factor > 0], &sum->most);
}

static interval interval_of_sum(const uw_linear *sum) {
  interval all = {sum->known, sum->constant, sum->constant};
  for (size_t i = 0; all.known && i < sum->count; i++) {
    interval term = interval_of(sum->terms[i].symbol);
    if (term.known && sum->terms[i].scale.ptr) {
      interval scale = interval_of(sum->terms[i].scale);
      term = scale.known ? product_of(term, scale) : scale;
    }
    all.known = add_times(&all, term, sum->terms[i].factor);
  }
  return all;
}

bool uw_bounds_of_sum(const uw_linear *sum, int64_t *least, int64_t *most) {
  interval all = interval_of_sum(sum);
  *least = all.least;
  *most = all.most;
  return all.known;
}

static bool is_of_bits(MlirValue value, unsigned bits) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ? bits == 64 : mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == bits;
}

/* Is the integer the sum that it looks like? Sums of 64 bits are if their parts are and small; what was extended from
 * 32 bits is the sum modulo 2^32 (linear.h), and the sum itself if that fits. */
static bool is_exact_sum(MlirValue integer, int *steps) {
  uw_linear sum = uw_linear_of(integer);
  interval range = interval_of_sum(&sum);
  MlirOperation op = uw_def(integer);
  if (!sum.known || sum.exact || !is_of_bits(integer, 64) || (*steps)-- <= 0)
    return sum.known && sum.exact;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
    return range.known && is_exact_sum(uw_operand(op, 0), steps) && is_exact_sum(uw_operand(op, 1), steps);
  case UW_OP_ARITH_SHLI: return range.known && is_exact_sum(uw_operand(op, 0), steps);
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST:
    return is_of_bits(uw_operand(op, 0), 32) ? range.known && range.least >= INT32_MIN && range.most <= INT32_MAX
                                             : is_exact_sum(uw_operand(op, 0), steps);
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI:
    return is_of_bits(uw_operand(op, 0), 32) ? range.known && range.least >= 0 && range.most <= UINT32_MAX
                                             : is_exact_sum(uw_operand(op, 0), steps);
  default: return false;
  }
}

static bool is_exact(MlirValue integer) {
  enum { MOST_STEPS = 100 }; /* bound of a search: a part is come by for each way to it */
  int steps = MOST_STEPS;
  return is_exact_sum(integer, &steps);
}

static bool is_exact_address(MlirValue pointer) {
  MlirOperation op = uw_def(pointer);
  while (uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST ||
         uw_kind(op) == UW_OP_LLVM_ADDRSPACECAST) {
    for (size_t i = 1; i < uw_operand_count(op); i++)
      if (!is_of_bits(uw_operand(op, i), 64) || !is_exact(uw_operand(op, i)))
        return false;
    op = uw_def(uw_operand(op, 0));
  }
  return true;
}

/* --- all indices -------------------------------------------------------------------------------------------------- */

MlirValue uw_map_bound(const uw_map_index *at, uw_bound which) {
  size_t dims = uw_dims(at->loop), d = 0;
  while (d + 1 < dims && !uw_same(uw_index(at->loop, d), at->index))
    d++;
  return uw_loop_bound(at->loop, which, d);
}

static int64_t most_iterations(const uw_map_index *i) {
  int64_t least = uw_least_of(uw_map_bound(i, UW_LOWER)), step = uw_least_of(uw_map_bound(i, UW_STEP)),
          last = uw_most_of(i->index), end = last == UW_NO_MOST ? uw_most_of(uw_map_bound(i, UW_UPPER)) : last + 1;
  if (least == UW_NO_LEAST || end == UW_NO_MOST)
    return UW_NO_MOST;
  step = step < 1 ? 1 : step;
  return end <= least ? 0 : (end - least + step - 1) / step;
}

/* The indices of a loop go in front of those further in. */
static void add_loop(uw_access_map *map, MlirOperation loop) {
  for (size_t dims = uw_dims(loop), d = dims; d-- > 0 && map->count < UW_MAP_INDICES;) {
    uw_map_index own = {.loop = loop, .index = uw_index(loop, d)};
    if (uw_kind(loop) == UW_OP_SCF_FORALL)
      own.level = uw_over_name(uw_loop_over(loop));
    own.most = most_iterations(&own);
    for (size_t i = map->count++; i > 0; i--)
      map->at[i] = map->at[i - 1];
    map->at[0] = own;
  }
}

static uw_linear one_term(MlirValue symbol, MlirValue scale) {
  return (uw_linear){.known = true, .exact = true, .count = 1, .terms = {{symbol, scale, 1}}};
}

static bool is_number(MlirValue value, int64_t number) {
  int64_t own;
  return uw_const_value(value, &own) && own == number;
}

/* The step times the iteration's number, for which the index stands from now on. */
static uw_linear steps_of(const uw_map_index *i) {
  uw_linear step = uw_linear_of(uw_map_bound(i, UW_STEP)), none = {.known = true, .exact = true};
  uw_linear steps = one_term(i->index, (MlirValue){NULL});
  if (step.known && step.count == 0)
    return uw_linear_sum(&none, &steps, step.constant);
  if (!step.known || step.count != 1 || step.constant || step.terms[0].scale.ptr)
    return one_term(i->index, uw_map_bound(i, UW_STEP));
  steps.exact = step.exact;
  steps.terms[0].scale = step.terms[0].symbol;
  steps.terms[0].factor = step.terms[0].factor;
  return steps;
}

/* The sum over the iteration's number in the place of the index: where the loop begins is a part of the sum. Of a grid
 * all indices count, also where blocks run together, as each of them does what the first one does. */
static uw_linear in_iterations(const uw_linear *sum, const uw_map_index *i) {
  if (is_number(uw_map_bound(i, UW_LOWER), 0) &&
      (is_number(uw_map_bound(i, UW_STEP), 1) || uw_is_over(i->loop, UW_OVER_BLOCKS)))
    return *sum;
  uw_linear result = *sum, start = uw_linear_of(uw_map_bound(i, UW_LOWER)), steps = steps_of(i);
  start.exact = start.exact || is_exact(uw_map_bound(i, UW_LOWER));
  uw_linear index = uw_linear_sum(&start, &steps, 1);
  for (size_t k = 0; k < sum->count && result.known; k++) {
    uw_term term = sum->terms[k];
    bool first = uw_same(term.symbol, i->index);
    if (!first && !(term.scale.ptr && uw_same(term.scale, i->index)))
      continue;
    MlirValue other = first ? term.scale : term.symbol;
    uw_linear gone = one_term(i->index, other), now = index;
    for (size_t m = 0; other.ptr && m < now.count; m++) {
      now.known = now.known && !now.terms[m].scale.ptr;
      now.terms[m].scale = other;
    }
    if (other.ptr && now.constant) {
      uw_linear scaled = one_term(other, (MlirValue){NULL});
      int64_t constant = now.constant;
      now.constant = 0;
      now = uw_linear_sum(&now, &scaled, constant);
    }
    result = uw_linear_sum(&result, &gone, -term.factor);
    result = uw_linear_sum(&result, &now, term.factor);
  }
  return result;
}

static bool is_of_an_index(const uw_access_map *map, const uw_term *term) {
  for (size_t i = 0; i < map->count; i++)
    if (uw_same(term->symbol, map->at[i].index) || (term->scale.ptr && uw_same(term->scale, map->at[i].index)))
      return true;
  return false;
}

static void take_apart(uw_access_map *map, const uw_linear *sum) {
  for (size_t i = 0; i < map->count; i++) {
    map->at[i].terms = uw_stride_in(sum, map->at[i].index);
    map->at[i].stride = uw_stride_along(sum, map->at[i].index);
    if (map->at[i].stride.known && uw_changes_with(map->access.address.base, map->at[i].index))
      map->at[i].stride = unknown;
  }
  map->common = (uw_linear){.known = sum->known, .exact = sum->exact, .constant = sum->constant};
  for (size_t k = 0; sum->known && k < sum->count; k++)
    if (!is_of_an_index(map, &sum->terms[k]))
      map->common.terms[map->common.count++] = sum->terms[k];
}

const uw_map_index *uw_map_index_of(const uw_access_map *map, MlirValue index) {
  for (size_t i = 0; i < map->count; i++)
    if (uw_same(map->at[i].index, index))
      return &map->at[i];
  return NULL;
}

bool uw_goes_across(const uw_access_map *map, MlirValue thread, MlirValue counter) {
  const uw_map_index *along = uw_map_index_of(map, thread), *on = uw_map_index_of(map, counter);
  return !map->access.anywhere && along && on && along->stride.known && !uw_is_stride(along->stride, 0) &&
         uw_is_stride(on->stride, (int64_t)map->access.bytes);
}

/* The pointer that a load, a store or an atomic operation goes by. */
static MlirValue pointer_of(MlirOperation op) { return uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE); }

uw_access_map uw_access_map_of(const uw_access *access) {
  uw_access_map map = {.access = *access, .common = {.known = false}};
  for (MlirOperation op = uw_parent(access->op); !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_FORALL)
      add_loop(&map, op);
  if (access->anywhere || access->bytes == 0)
    return map;
  uw_linear sum = access->address.offset;
  sum.exact = sum.exact || is_exact_address(pointer_of(access->op));
  for (size_t i = map.count; i-- > 0 && sum.known;)
    sum = in_iterations(&sum, &map.at[i]);
  map.exact = sum.known && sum.exact;
  take_apart(&map, &sum);
  return map;
}

static int64_t magnitude(int64_t number) { return number < 0 ? -number : number; }

int64_t uw_footprint(const uw_access_map *map, size_t from) {
  int64_t bytes = (int64_t)map->access.bytes, part;
  for (size_t i = from; i < map->count; i++) {
    const uw_map_index *at = &map->at[i];
    if (uw_is_stride(at->stride, 0))
      continue;
    if (!at->stride.known || at->stride.factor || at->most == UW_NO_MOST || at->most < 1 ||
        __builtin_mul_overflow(magnitude(at->stride.bytes), at->most - 1, &part) ||
        __builtin_add_overflow(bytes, part, &bytes))
      return 0;
  }
  return map->access.anywhere ? 0 : bytes;
}

uw_pattern uw_pattern_of(const uw_access_map *map, size_t number) {
  uw_stride stride = map->at[number].stride;
  int64_t bytes = (int64_t)map->access.bytes;
  if (!stride.known)
    return UW_UNKNOWN_PATTERN;
  if (stride.factor || stride.bytes > bytes || stride.bytes < -bytes)
    return UW_STRIDED;
  if (stride.bytes == 0)
    return UW_BROADCAST;
  return stride.bytes == bytes ? UW_LINEAR : stride.bytes == -bytes ? UW_REVERSE : UW_OVERLAPPING;
}

/* So many steps of `from` make as many bytes as some of the other one; 0: not known. */
static int64_t steps_to_meet(int64_t from, int64_t other) {
  int64_t a = magnitude(from), b = magnitude(other);
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a ? magnitude(other) / a : 0;
}

bool uw_is_overlapped(const uw_access_map *map, size_t number) {
  int64_t own = uw_constant_stride(map->at[number].stride);
  for (size_t i = number + 1; own && i < map->count; i++) {
    int64_t inner = uw_constant_stride(map->at[i].stride);
    if (inner && steps_to_meet(own, inner) < map->at[number].most && steps_to_meet(inner, own) < map->at[i].most)
      return true;
  }
  return false;
}

/* --- a table of them ---------------------------------------------------------------------------------------------- */

struct uw_access_maps {
  uw_arena *arena;
  uw_table *known;
};

uw_access_maps *uw_access_maps_create(uw_arena *arena) {
  uw_access_maps *maps = uw_alloc(arena, sizeof *maps);
  *maps = (uw_access_maps){arena, uw_table_create(arena)};
  return maps;
}

const uw_access_map *uw_access_map_at(uw_access_maps *maps, MlirOperation op) {
  uw_access_map *map = (uw_access_map *)uw_table_get(maps->known, op.ptr);
  if (map)
    return map;
  uw_accesses list = {0};
  uw_accesses_of(maps->arena, op, &list);
  map = uw_alloc(maps->arena, sizeof *map);
  *map = list.count == 1 ? uw_access_map_of(&list.at[0])
                         : (uw_access_map){.access = {.op = op, .anywhere = true}, .common = {.known = false}};
  uw_table_set(maps->known, op.ptr, (intptr_t)map);
  return map;
}
