/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which windows a loop over threads has, and whether they fit: see window_facts.h, and a) to f) of vectorize_strided.c. */
#include "window_facts.h"

#include "../../analysis/access_map.h"
#include "../../analysis/bounds.h"
#include "../../analysis/effects.h"
#include "../../transform/thread_loop.h"

enum { MOST_STEPS = 500 };

MlirValue uw_windows_index(const uw_windows *w, size_t d) {
  return mlirBlockGetArgument(uw_block(w->loop, 0), (intptr_t)d);
}
static MlirValue innermost(const uw_windows *w) { return uw_windows_index(w, w->dims - 1); }
static int64_t window_bytes(const uw_windows *w) { return w->step * w->bytes; }

static bool fits_element(MlirType type) {
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || width == 32 || width == 64;
}

static bool is_vector_type(MlirType type) {
  return fits_element(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

/* Arithmetic that means the same element by element. */
static bool is_elementwise(MlirOperation op) {
  if (!uw_name_starts(op, "arith.") || uw_kind(op) == UW_OP_ARITH_CONSTANT || !uw_speculatable(op) ||
      uw_region_count(op) != 0 || uw_result_count(op) != 1 || !is_vector_type(mlirValueGetType(uw_result(op, 0))))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_vector_type(mlirValueGetType(uw_operand(op, i))))
      return false;
  return true;
}

/* Is the value computed from what the loop loads and what comes from outside? */
static bool is_computable(const uw_windows *w, uw_table *known, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_table_get(known, value.ptr))
    return true;
  if (!uw_defined_inside(value, w->loop))
    return is_vector_type(mlirValueGetType(value));
  if (uw_null(op))
    return false;
  if (uw_kind(op) == UW_OP_LLVM_LOAD)
    return true;
  if (uw_kind(op) == UW_OP_ARITH_CONSTANT)
    return is_vector_type(mlirValueGetType(value));
  if (!is_elementwise(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_computable(w, known, uw_operand(op, i)))
      return false;
  uw_table_set(known, value.ptr, 1);
  return true;
}

static bool add_access(uw_windows *w, MlirOperation op) {
  bool writes = uw_kind(op) == UW_OP_LLVM_STORE;
  MlirValue address = uw_operand(op, writes);
  MlirType element = mlirValueGetType(writes ? uw_operand(op, 0) : uw_result(op, 0));
  uw_address at = uw_address_of(address);
  if (!uw_plain_access(op) || !fits_element(element) || !at.offset.known || w->access_count == UW_WINDOW_ACCESSES)
    return false;
  int64_t bytes = (int64_t)uw_type_bytes(element),
          apart = uw_constant_stride(uw_stride_along(&at.offset, innermost(w)));
  uw_map *known = uw_map_create(w->arena);
  for (size_t d = 0; d < w->dims; d++)
    uw_map_set(known, uw_windows_index(w, d), uw_windows_index(w, d));
  if (w->access_count == 0) {
    w->bytes = bytes;
    w->step = apart / bytes;
  }
  if (bytes != w->bytes || apart != window_bytes(w) || !uw_computable_outside(w->arena, address, w->loop, known))
    return false;
  uw_window_access *a = &w->accesses[w->access_count++];
  *a = (uw_window_access){op, 0, 0, writes};
  for (; a->window < w->count; a->window++) {
    uw_window *old = &w->at[a->window];
    if (!uw_gap_between(&old->at, &at, &a->offset))
      continue;
    if (!mlirTypeEqual(element, old->element))
      return false;
    break;
  }
  if (a->window == UW_MOST_WINDOWS)
    return false;
  uw_window *own = &w->at[a->window];
  if (a->window == w->count) {
    w->count++;
    *own = (uw_window){.first = op, .at = at, .element = element};
  }
  own->least = a->offset < own->least ? a->offset : own->least;
  own->most = a->offset > own->most ? a->offset : own->most;
  own->loaded = own->loaded || !writes;
  own->loaded_again = own->loaded_again || (!writes && own->stored);
  own->stored = own->stored || writes;
  return true;
}

/* An address as a sum modulo 2^64, in which nothing has wrapped around before: constant + x * index + sum of factor *
 * leaf, where leaves come from outside of the loop, or are its other indices. uw_linear holds modulo 2^32 only, which
 * is enough inside of a shared array. */
typedef struct sum {
  bool known;
  uint64_t constant, x, factors[UW_MAX_TERMS];
  MlirValue leaves[UW_MAX_TERMS];
  size_t count;
  int steps; /* that it took: a part is come by for each way to it */
} sum;

static bool is_64_bits(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) || mlirTypeIsALLVMPointerType(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64);
}

static void add_to_sum(const uw_windows *w, MlirValue value, uint64_t factor, sum *s) {
  MlirOperation op = uw_def(value);
  int64_t number;
  s->known = s->known && is_64_bits(value) && s->steps++ < MOST_STEPS;
  if (!s->known)
    return;
  if (uw_const_value(value, &number)) {
    s->constant += factor * (uint64_t)number;
  } else if (uw_same(value, innermost(w))) {
    s->x += factor;
  } else if (uw_null(op) || !uw_defined_inside(value, w->loop)) {
    size_t i = 0;
    while (i < s->count && !uw_same(s->leaves[i], value))
      i++;
    s->known = s->known && i < UW_MAX_TERMS;
    if (!s->known)
      return;
    s->leaves[i] = value;
    s->factors[i] = (i < s->count ? s->factors[i] : 0) + factor;
    s->count += i == s->count;
  } else if (uw_kind(op) == UW_OP_ARITH_ADDI) {
    add_to_sum(w, uw_operand(op, 0), factor, s);
    add_to_sum(w, uw_operand(op, 1), factor, s);
  } else if (uw_kind(op) == UW_OP_ARITH_MULI && uw_const_value(uw_operand(op, 1), &number)) {
    add_to_sum(w, uw_operand(op, 0), factor * (uint64_t)number, s);
  } else if (uw_string_is(uw_name(op), "arith.shli") && uw_const_value(uw_operand(op, 1), &number) && number >= 0 &&
             number < 64) {
    add_to_sum(w, uw_operand(op, 0), factor << number, s);
  } else if (uw_name_starts(op, "arith.index_cast")) {
    add_to_sum(w, uw_operand(op, 0), factor, s);
  } else if (uw_kind(op) == UW_OP_LLVM_GEP &&
             mlirDenseArrayGetNumElements(uw_get_attr(op, "rawConstantIndices")) == 1) {
    uint64_t bytes = uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(op, "elem_type")));
    add_to_sum(w, uw_operand(op, 0), factor, s);
    if (uw_operand_count(op) == 2)
      add_to_sum(w, uw_operand(op, 1), factor * bytes, s);
    else
      s->constant +=
          factor * bytes * (uint64_t)(int64_t)mlirDenseI32ArrayGetElement(uw_get_attr(op, "rawConstantIndices"), 0);
  } else {
    s->known = false;
  }
}

static sum sum_of(const uw_windows *w, MlirOperation op) {
  sum s = {.known = true};
  add_to_sum(w, uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE), 1, &s);
  return s;
}

/* Does the access lie where its offset says, for each thread? */
static bool is_certain(const uw_windows *w, const uw_window_access *a) {
  sum first = sum_of(w, w->at[a->window].first), own = sum_of(w, a->op);
  if (!first.known || !own.known || own.x != (uint64_t)window_bytes(w) || first.x != own.x ||
      own.count != first.count || own.constant - first.constant != (uint64_t)a->offset)
    return false;
  for (size_t i = 0; i < own.count; i++) {
    bool found = false;
    for (size_t k = 0; k < own.count; k++)
      found = found || (uw_same(own.leaves[i], first.leaves[k]) && own.factors[i] == first.factors[k]);
    if (!found)
      return false;
  }
  return true;
}

/* Does one worker alone have the memory? (That of a team stands before the loop over its workers: distribute_teams.c.) */
static bool belongs_to_worker(MlirOperation memory, MlirOperation loop) {
  MlirOperation grid = uw_parent(loop);
  while (!uw_null(grid) && !uw_is_over(grid, UW_OVER_BLOCKS))
    grid = uw_parent(grid);
  return uw_null(grid) || uw_inside(memory, grid);
}

/* Do the loop's windows stay inside of one shared array, that has no other accesses? */
static bool stays_in_shared(const uw_windows *w, const uw_window *own) {
  MlirOperation memory = uw_def(own->at.base);
  int64_t size, from = own->at.offset.constant + own->start;
  if (uw_kind(memory) != UW_OP_SHARED || !uw_const_value(uw_operand(memory, 0), &size) || own->at.offset.count != 1 ||
      w->threads == UW_NO_MOST || from < 0 || from + w->threads * window_bytes(w) > size ||
      !belongs_to_worker(memory, w->loop) || uw_is_captured(own->at.base))
    return false;
  for (size_t i = 0; i < w->count; i++)
    if (&w->at[i] != own && uw_same_op(uw_address_root(w->at[i].at.base), memory))
      return false;
  return true;
}

static bool place_windows(uw_windows *w) {
  int64_t length = window_bytes(w);
  for (size_t i = 0; i < w->count; i++) {
    uw_window *own = &w->at[i];
    if (own->most - own->least >= length)
      return false;
    own->start = own->least;
    int64_t from = own->at.offset.constant + own->least, early = ((from % length) + length) % length;
    if (own->most - own->least + early < length) /* where windows of this length start, counted from the base */
      own->start -= early;
    own->exact_shared = stays_in_shared(w, own);
    if (!own->exact_shared)
      own->start = own->least;
  }
  for (size_t i = 0; i < w->access_count; i++) {
    const uw_window_access *a = &w->accesses[i];
    uw_window *own = &w->at[a->window];
    if ((a->offset - own->start) % w->bytes != 0 || (!own->exact_shared && !is_certain(w, a)))
      return false;
    uint32_t lane = 1u << ((a->offset - own->start) / w->bytes);
    own->touched |= lane;
    own->written |= a->writes ? lane : 0;
  }
  uint32_t all = (1u << w->step) - 1;
  bool worth_it = false;
  for (size_t i = 0; i < w->count; i++) {
    const uw_window *own = &w->at[i];
    if (!own->exact_shared && own->stored && own->written != all)
      return false;
    worth_it = worth_it || (own->exact_shared && own->stored && (own->written != all || own->loaded_again));
  }
  return worth_it;
}

/* Do two windows, of which one is stored to, meet in one thread? */
static bool lie_apart(const uw_windows *w) {
  uw_effects *effects = uw_effects_of(w->arena, w->loop);
  uw_accesses list = {0};
  uw_effects_inside(effects, w->loop, &list);
  for (size_t i = 0; i < list.count; i++)
    for (size_t k = 0; k < i; k++) {
      size_t windows[2] = {w->count, w->count};
      for (size_t a = 0; a < w->access_count; a++) {
        if (uw_same_op(w->accesses[a].op, list.at[i].op))
          windows[0] = w->accesses[a].window;
        if (uw_same_op(w->accesses[a].op, list.at[k].op))
          windows[1] = w->accesses[a].window;
      }
      if (list.at[i].anywhere || list.at[k].anywhere || windows[0] == w->count || windows[1] == w->count)
        return false;
      if (windows[0] != windows[1] && (list.at[i].writes || list.at[k].writes) &&
          uw_meets_itself(uw_effects_launch(effects), &list.at[i], &list.at[k]))
        return false;
    }
  return true;
}

static bool starts_at_zero(const uw_windows *w) {
  int64_t number;
  for (size_t d = 0; d < w->dims; d++)
    if (!uw_const_value(uw_lower_of(w->loop, d), &number) || number != 0 ||
        !uw_const_value(uw_step_of(w->loop, d), &number) || number != 1)
      return false;
  return true;
}

bool uw_windows_match(uw_windows *w) {
  w->dims = uw_dims(w->loop);
  if (!starts_at_zero(w))
    return false;
  w->threads = uw_most_of(uw_upper_of(w->loop, w->dims - 1));
  uw_foreach_op (op, uw_block(w->loop, 0)) {
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE ? !add_access(w, op)
                                                            : kind != UW_OP_SCF_IN_PARALLEL && !uw_speculatable(op))
      return false;
  }
  if (w->access_count == 0)
    return false;
  w->width = uw_lanes_for(&w->target, w->bytes);
  if (w->width > UW_WINDOW_LANES || w->step < 2 || w->step > w->width / 2 || (w->step & (w->step - 1)) != 0 ||
      w->threads < w->width / w->step)
    return false;
  uw_table *known = uw_table_create(w->arena);
  for (size_t i = 0; i < w->access_count; i++)
    if (w->accesses[i].writes && !is_computable(w, known, uw_operand(w->accesses[i].op, 0)))
      return false;
  return place_windows(w) && lie_apart(w);
}
