/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes threads that reach for every second, fourth or eighth element of shared memory by whole registers of that
 * memory. The iterations of trees are addressed so: as lanes of a vector, a thread each, they would be gathers and
 * scatters.
 *
 *   parallel (%t) to 128 {                           for (%t = 0 to 128 step 4) {           (16 elements in a register)
 *     %a = load %s[4 %t + 1]                           %v = load vector %s[4 %t]
 *     %b = load %s[4 %t + 3]               ==>         %w = shuffle %v [-, -, -, 1, -, -, -, 5, …]
 *     store %a + %b, %s[4 %t + 3]                      store select([0, 0, 0, 1, …], %v + %w, %v), vector %s[4 %t]
 *   }                                                }
 *
 * All accesses of a thread to one piece of memory lie in a window of its own, as long as the step from thread to
 * thread; a register holds the windows of several threads, and each element stays where it is in memory. A value of a
 * thread stands at the position of what is stored with it, and a shuffle takes loaded ones there: one for all positions
 * that get but one. What lies in between is computed too, and thrown away. Where a loaded element is stored elsewhere
 * as it is, and its own address is stored to as well, the shuffle swaps the two, and is what is stored: an iteration of
 * a scan on its way down is a shuffle and an addition under a mask (target/masks.c).
 *
 * Done when a) threads count from 0 by 1; the loop's body holds plain loads and stores and pure arithmetic, without
 * branches;
 * b) all loaded and stored elements have one size, 4 or 8 bytes, and addresses grow by the same 2 to half a register of
 * them;
 * c) accesses at addresses a constant apart form a window, and fit in one step; d) of what is stored either every
 * element of a window is, or it is shared memory of a known size that windows never leave, that one worker alone has,
 * that nobody else leads a pointer to, and that has only this window in the loop; e) accesses of one thread to
 * different windows do not meet; f) some window is stored to that LLVM would scatter to, or that is loaded after it was
 * stored to. Elements that no thread may touch are not loaded but of such shared memory.
 *
 * Legal because threads between two barriers do not race and may run in any order, also operation by operation: what a
 * thread loads only it stores to. What is written back between its elements is what was there: the worker that has the
 * block is the only one that could touch it.
 *
 * Requires: unroll, tighten (constant steps, bounds instead of conditions). Preserves: each thread's order of accesses
 * to a window. Refuses: the rest, silently. */
#include "../../analysis/access_map.h"
#include "../../analysis/bounds.h"
#include "../../analysis/effects.h"
#include "../../analysis/target.h"
#include "../../ir/remarks.h"
#include "../../transform/ranges.h"
#include "../barriers/thread_loop.h"
#include "windows.h"

enum { MOST_LANES = 16, MOST_WINDOWS = 4, MOST_ACCESSES = 16, MOST_STEPS = 500 };

typedef struct window {
  MlirOperation first; /* an access, whose address the others are compared with */
  uw_address at;
  MlirType element;
  bool exact_shared;                    /* shared memory that whole registers stay inside of */
  bool loaded, stored, loaded_again;    /* again: after a store */
  int64_t least, most, start;           /* bytes from `at`: of accesses; where the window starts */
  uint32_t touched, written;            /* lanes of a thread, a bit each */
  MlirValue address, original, current; /* while it is written: as loaded, and as it is by then */
  uint32_t changed;                     /* lanes of a thread that current and original may differ in */
  int joint[MOST_LANES];                /* for each lane of a thread: the one that the joint shuffle brings there */
  bool swaps;                           /* a loaded element is stored at another lane as it is */
} window;

typedef struct access {
  MlirOperation op;
  size_t window;
  int64_t offset; /* bytes from the window's `at` */
  bool writes;
} access;

typedef struct windows {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  uw_target target;
  int64_t bytes, width, step,
      threads; /* of an element; elements in a register; elements from thread to thread; most in the loop, or UW_NO_MOST */
  window at[MOST_WINDOWS];
  size_t count;
  access accesses[MOST_ACCESSES];
  size_t access_count;
  uw_builder b;
  uw_map *loaded, *joint;    /* a load's vector; what its joint shuffle makes of a vector */
  uw_map *moved[MOST_LANES]; /* a value's vector with the thread's element at this lane of its window */
} windows;

static MlirValue index_of(const windows *w, size_t d) {
  return mlirBlockGetArgument(uw_block(w->loop, 0), (intptr_t)d);
}
static MlirValue innermost(const windows *w) { return index_of(w, w->dims - 1); }
static int64_t window_bytes(const windows *w) { return w->step * w->bytes; }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

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
      mlirOperationGetNumRegions(op) != 0 || uw_result_count(op) != 1 ||
      !is_vector_type(mlirValueGetType(uw_result(op, 0))))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_vector_type(mlirValueGetType(uw_operand(op, i))))
      return false;
  return true;
}

/* Is the value computed from what the loop loads and what comes from outside? */
static bool is_computable(const windows *w, uw_table *known, MlirValue value) {
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

static bool add_access(windows *w, MlirOperation op) {
  bool writes = uw_kind(op) == UW_OP_LLVM_STORE;
  MlirValue address = uw_operand(op, writes);
  MlirType element = mlirValueGetType(writes ? uw_operand(op, 0) : uw_result(op, 0));
  uw_address at = uw_address_of(address);
  if (!uw_plain_access(op) || !fits_element(element) || !at.offset.known || w->access_count == MOST_ACCESSES)
    return false;
  int64_t bytes = (int64_t)uw_type_bytes(element),
          apart = uw_constant_stride(uw_stride_along(&at.offset, innermost(w)));
  uw_map *known = uw_map_create(w->arena);
  for (size_t d = 0; d < w->dims; d++)
    uw_map_set(known, index_of(w, d), index_of(w, d));
  if (w->access_count == 0) {
    w->bytes = bytes;
    w->step = apart / bytes;
  }
  if (bytes != w->bytes || apart != window_bytes(w) || !uw_computable_outside(w->arena, address, w->loop, known))
    return false;
  access *a = &w->accesses[w->access_count++];
  *a = (access){op, 0, 0, writes};
  for (; a->window < w->count; a->window++) {
    window *old = &w->at[a->window];
    if (!uw_gap_between(&old->at, &at, &a->offset))
      continue;
    if (!mlirTypeEqual(element, old->element))
      return false;
    break;
  }
  if (a->window == MOST_WINDOWS)
    return false;
  window *own = &w->at[a->window];
  if (a->window == w->count) {
    w->count++;
    *own = (window){.first = op, .at = at, .element = element};
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

static void add_to_sum(const windows *w, MlirValue value, uint64_t factor, sum *s) {
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

static sum sum_of(const windows *w, MlirOperation op) {
  sum s = {.known = true};
  add_to_sum(w, uw_operand(op, uw_kind(op) == UW_OP_LLVM_STORE), 1, &s);
  return s;
}

/* Does the access lie where its offset says, for each thread? */
static bool is_certain(const windows *w, const access *a) {
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

/* Does one worker alone have the memory? (That of a team stands before the loop over its workers: team.c.) */
static bool belongs_to_worker(MlirOperation memory, MlirOperation loop) {
  MlirOperation grid = uw_parent(loop);
  while (!uw_null(grid) && !uw_attr_is_str(grid, "unwarp.level", "grid"))
    grid = uw_parent(grid);
  return uw_null(grid) || uw_inside(memory, grid);
}

/* Do the loop's windows stay inside of one shared array, that has no other accesses? */
static bool stays_in_shared(const windows *w, const window *own) {
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

static bool place_windows(windows *w) {
  int64_t length = window_bytes(w);
  for (size_t i = 0; i < w->count; i++) {
    window *own = &w->at[i];
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
    const access *a = &w->accesses[i];
    window *own = &w->at[a->window];
    if ((a->offset - own->start) % w->bytes != 0 || (!own->exact_shared && !is_certain(w, a)))
      return false;
    uint32_t lane = 1u << ((a->offset - own->start) / w->bytes);
    own->touched |= lane;
    own->written |= a->writes ? lane : 0;
  }
  uint32_t all = (1u << w->step) - 1;
  bool worth_it = false;
  for (size_t i = 0; i < w->count; i++) {
    const window *own = &w->at[i];
    if (!own->exact_shared && own->stored && own->written != all)
      return false;
    worth_it = worth_it || (own->exact_shared && own->stored && (own->written != all || own->loaded_again));
  }
  return worth_it;
}

/* Do two windows, of which one is stored to, meet in one thread? */
static bool lie_apart(const windows *w) {
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

static bool starts_at_zero(const windows *w) {
  int64_t number;
  for (size_t d = 0; d < w->dims; d++)
    if (!uw_const_value(uw_operand(w->loop, d), &number) || number != 0 ||
        !uw_const_value(uw_operand(w->loop, 2 * w->dims + d), &number) || number != 1)
      return false;
  return true;
}

static bool match(windows *w) {
  w->dims = (size_t)mlirBlockGetNumArguments(uw_block(w->loop, 0));
  if (!starts_at_zero(w))
    return false;
  w->threads = uw_most_of(uw_operand(w->loop, 2 * w->dims - 1));
  uw_foreach_op (op, uw_block(w->loop, 0)) {
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE ? !add_access(w, op)
                                                            : kind != UW_OP_SCF_REDUCE && !uw_speculatable(op))
      return false;
  }
  if (w->access_count == 0)
    return false;
  w->width = uw_lanes_for(&w->target, w->bytes);
  if (w->width > MOST_LANES || w->step < 2 || w->step > w->width / 2 || (w->step & (w->step - 1)) != 0 ||
      w->threads < w->width / w->step)
    return false;
  uw_table *known = uw_table_create(w->arena);
  for (size_t i = 0; i < w->access_count; i++)
    if (w->accesses[i].writes && !is_computable(w, known, uw_operand(w->accesses[i].op, 0)))
      return false;
  return place_windows(w) && lie_apart(w);
}

/* --- vectors ------------------------------------------------------------------------------------------------------ */

static MlirType vector_of(const windows *w, MlirType element) { return mlirVectorTypeGet(1, &w->width, element); }

static MlirValue shuffle(windows *w, MlirValue left, MlirValue right, const int32_t *from) {
  return uw_build1(&w->b, "llvm.shufflevector", .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(w->b.context, (intptr_t)w->width, from)}));
}

static int64_t lane_of(const windows *w, const access *a) { return (a->offset - w->at[a->window].start) / w->bytes; }

static const access *access_of(const windows *w, MlirOperation op) {
  size_t i = 0;
  while (!uw_same_op(w->accesses[i].op, op))
    i++;
  return &w->accesses[i];
}

/* What the value at this lane needs of loaded elements at others comes by one shuffle for all lanes of a window, as far
 * as each gets one. */
static void join_moves(windows *w, MlirValue value, int64_t lane) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, w->loop))
    return;
  if (uw_kind(op) != UW_OP_LLVM_LOAD) {
    for (size_t i = 0; i < uw_operand_count(op); i++)
      join_moves(w, uw_operand(op, i), lane);
    return;
  }
  const access *load = access_of(w, op);
  window *own = &w->at[load->window];
  int64_t from = lane_of(w, load);
  if (own->joint[lane] == lane)
    own->joint[lane] = (int)from;
}

static void plan_moves(windows *w) {
  for (size_t i = 0; i < w->count; i++)
    for (int l = 0; l < w->step; l++)
      w->at[i].joint[l] = l;
  for (size_t i = 0; i < w->access_count; i++) {
    const access *a = &w->accesses[i];
    if (!a->writes)
      continue;
    MlirValue value = uw_operand(a->op, 0);
    bool loaded = uw_defined_inside(value, w->loop) && uw_kind(uw_def(value)) == UW_OP_LLVM_LOAD;
    w->at[a->window].swaps = w->at[a->window].swaps || (loaded && access_of(w, uw_def(value))->window == a->window);
    join_moves(w, value, lane_of(w, a));
  }
}

/* Takes what stands at lane `from` of each thread's window to lane `to`. Other lanes keep their own where the result
 * may be stored. */
static MlirValue move(windows *w, const window *own, MlirValue vector, int64_t from, int64_t to) {
  int32_t lanes[MOST_LANES];
  bool joint = own->joint[to] == from;
  if (from == to)
    return vector;
  MlirValue done = joint ? uw_map_get(w->joint, vector) : (MlirValue){NULL};
  if (done.ptr)
    return done;
  for (int64_t l = 0; l < w->width; l++) {
    int64_t lane = l % w->step, source = joint ? own->joint[lane] : lane == to ? from : lane;
    lanes[l] = source == lane && !own->swaps ? -1 : (int32_t)(l - lane + source);
  }
  MlirValue moved = shuffle(w, vector, vector, lanes);
  if (joint)
    uw_map_set(w->joint, vector, moved);
  return moved;
}

/* The threads' values, each at this lane of its window. */
static MlirValue at_lane(windows *w, MlirValue value, int64_t lane) {
  MlirValue done = uw_map_get(w->moved[lane], value), made = {NULL};
  if (done.ptr)
    return done;
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, w->loop)) {
    made = uw_splat(&w->b, value, w->width);
  } else if (uw_kind(op) == UW_OP_ARITH_CONSTANT) {
    made = uw_splat(&w->b, uw_result(uw_clone(&w->b, op, uw_map_create(w->arena)), 0), w->width);
  } else if (uw_kind(op) == UW_OP_LLVM_LOAD) {
    const access *load = access_of(w, op);
    made = move(w, &w->at[load->window], uw_map_get(w->loaded, value), lane_of(w, load), lane);
  } else {
    uw_map *operands = uw_map_create(w->arena);
    for (size_t i = 0; i < uw_operand_count(op); i++)
      uw_map_set(operands, uw_operand(op, i), at_lane(w, uw_operand(op, i), lane));
    uw_clone(&w->b, op, operands);
    made = uw_map_get(operands, value);
    mlirValueSetType(made, vector_of(w, mlirValueGetType(value)));
  }
  uw_map_set(w->moved[lane], value, made);
  return made;
}

/* These lanes of each thread's window. */
static MlirValue mask_of(windows *w, uint32_t chosen) {
  MlirType bit = uw_int_type(w->b.context, 1), type = vector_of(w, bit);
  MlirAttribute bits[MOST_LANES];
  for (int64_t l = 0; l < w->width; l++)
    bits[l] = mlirIntegerAttrGet(bit, chosen >> (l % w->step) & 1);
  return uw_build1(&w->b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirDenseElementsAttrGet(type, (intptr_t)w->width, bits)}));
}

static bool is_arithmetic(const windows *w, MlirValue value) {
  return uw_defined_inside(value, w->loop) && uw_kind(uw_def(value)) != UW_OP_LLVM_LOAD;
}

/* Is an element the first that is stored, at another lane of its window, as it is, where all else that the shuffle
 * moves is stored to later? Then what the shuffle leaves is the window: until then what others load is the original. */
static bool is_swap(const windows *w, const access *a) {
  const window *own = &w->at[a->window];
  MlirValue value = uw_operand(a->op, 0);
  int64_t lane = lane_of(w, a);
  if (own->changed != 0 || !uw_defined_inside(value, w->loop) || is_arithmetic(w, value))
    return false;
  const access *load = access_of(w, uw_def(value));
  if (load->window != a->window || own->joint[lane] != lane_of(w, load) || own->joint[lane] == lane)
    return false;
  uint32_t left = 0;
  for (int l = 0; l < w->step; l++)
    left |= own->joint[l] != l && l != lane ? 1u << l : 0;
  for (const access *next = a + 1; next < w->accesses + w->access_count; next++)
    if (next->window == a->window && next->writes)
      left &= ~(1u << lane_of(w, next));
  return left == 0;
}

static void emit_access(windows *w, const access *a) {
  window *own = &w->at[a->window];
  int64_t lane = lane_of(w, a);
  if (!a->writes) {
    uw_map_set(w->loaded, uw_result(a->op, 0), own->changed >> lane & 1 ? own->current : own->original);
    return;
  }
  MlirValue value = uw_operand(a->op, 0), fresh = at_lane(w, value, lane);
  int32_t from[MOST_LANES];
  bool swap = is_swap(w, a);
  own->changed |= 1u << lane;
  if (swap) {
    own->current = fresh;
    return;
  }
  if (own->loaded && is_arithmetic(w, value) && w->target.has_masks) {
    own->current = uw_build1(&w->b, "arith.select", .in = VALS(mask_of(w, 1u << lane), fresh, own->current),
                             .out = TYPES(mlirValueGetType(fresh)));
    return;
  }
  for (int64_t l = 0; l < w->width; l++)
    from[l] = (int32_t)(l % w->step == lane ? l + w->width : l);
  own->current = shuffle(w, own->current, fresh, from);
}

static MlirAttribute alignment(const windows *w, unsigned bits) { return uw_int_attr(w->b.context, bits, w->bytes); }

/* All of the register if threads touch all of it, or it is shared memory; else a load with a mask. */
static MlirValue load_window(windows *w, const window *own) {
  MlirType type = vector_of(w, own->element);
  if (!own->loaded && own->written == (1u << w->step) - 1)
    return uw_poison(&w->b, type);
  if (own->exact_shared || own->touched == (1u << w->step) - 1)
    return uw_build1(&w->b, "llvm.load", .in = VALS(own->address), .out = TYPES(type),
                     .attrs = ATTRS({"alignment", alignment(w, 64)}));
  return uw_build1(&w->b, "llvm.intr.masked.load",
                   .in = VALS(own->address, mask_of(w, own->touched), uw_poison(&w->b, type)), .out = TYPES(type),
                   .attrs = ATTRS({"alignment", alignment(w, 32)}));
}

static void emit(windows *w) {
  uw_builder before = uw_at(w->loop);
  MlirValue extent = uw_operand(w->loop, 2 * w->dims - 1), zero = uw_const_index(&before, 0);
  MlirValue per = uw_const_index(&before, w->width / w->step);
  int64_t known;
  bool is_known = uw_const_value(extent, &known);
  MlirValue most = is_known ? extent : uw_binary(&before, "arith.maxsi", extent, zero);
  MlirValue end = is_known ? uw_const_index(&before, known - known % (w->width / w->step))
                           : uw_binary(&before, "arith.subi", most, uw_binary(&before, "arith.remui", most, per));
  uw_map *thread = uw_map_create(w->arena);
  w->b = before;
  for (size_t d = 0; d < w->dims; d++) {
    bool is_last = d + 1 == w->dims;
    int64_t count;
    uw_map_set(thread, index_of(w, d), zero);
    if (!is_last && uw_const_value(uw_operand(w->loop, w->dims + d), &count) && count == 1)
      continue;
    MlirValue upper = is_last ? end : uw_operand(w->loop, w->dims + d),
              step = is_last ? per : uw_operand(w->loop, 2 * w->dims + d);
    MlirOperation loop = uw_build_for(&w->b, zero, upper, step, (uw_value_list){0});
    uw_yield(uw_block(loop, 0), before.location, (uw_value_list){0});
    if (is_last)
      uw_set_attr(loop, UW_WINDOWS, mlirUnitAttrGet(before.context));
    w->b = uw_at_end(uw_block(loop, 0), before.location);
    uw_map_set(thread, index_of(w, d), mlirBlockGetArgument(uw_block(loop, 0), 0));
  }
  w->loaded = uw_map_create(w->arena);
  w->joint = uw_map_create(w->arena);
  plan_moves(w);
  for (int64_t l = 0; l < w->step; l++)
    w->moved[l] = uw_map_create(w->arena);
  for (size_t i = 0; i < w->count; i++) {
    window *own = &w->at[i];
    MlirValue address = uw_operand(own->first, uw_kind(own->first) == UW_OP_LLVM_STORE);
    MlirValue place = uw_compute_outside(&w->b, address, w->loop, thread), far = uw_const_int(&w->b, 64, own->start);
    own->address = uw_add_bytes(&w->b, place, far);
    own->original = own->current = load_window(w, own);
  }
  for (size_t i = 0; i < w->access_count; i++)
    emit_access(w, &w->accesses[i]);
  for (size_t i = 0; i < w->count; i++)
    if (w->at[i].stored)
      uw_build(&w->b, "llvm.store", .in = VALS(w->at[i].current, w->at[i].address),
               .attrs = ATTRS({"alignment", alignment(w, 64)}));
  uw_keep_remainder(w->loop, w->dims - 1, end);
}

uw_change uw_pass_windows(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  enum { LEAST_BYTES = 4 }; /* bound: of an element that masks are for */
  uw_target target = uw_target_of(root);
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count && uw_loads_under_masks(&target, LEAST_BYTES); i++) {
    windows w = {.arena = ctx->arena, .loop = loops.at[i], .target = target};
    if (!uw_attr_is_str(w.loop, "unwarp.level", "block") || !match(&w))
      continue;
    uw_remark(mlirOperationGetLocation(w.accesses[0].op), "windows",
              "threads reach for one element out of %d of shared memory: by whole registers", (int)w.step);
    emit(&w);
    change = UW_CHANGED;
  }
  return change;
}
