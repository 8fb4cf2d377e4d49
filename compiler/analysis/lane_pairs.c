/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pairs of accesses that count on lanes in step: see lane_pairs.h.
 *
 * Looked at is what may be part of one: accesses to an object that is written, and touched by another operation too;
 * reads only where that is written between the same barriers. Most kernels have no such object, or none that the first
 * dry run finds a pair at. */
#include "lane_pairs.h"
#include "../ir/parallel.h"

#include "bases.h"
#include "calls.h"
#include "exchange.h"
#include "touches.h"

enum { DIMS = 3, MOST_COPIED = 256 };

/* --- what to look at ---------------------------------------------------------------------------------------------- */

typedef struct looked_at {
  uw_ops ops;
  uw_touching *accesses;
  const void **objects; /* of each access; null: it may be any */
  size_t *first_of;     /* of each of ops, and one more */
  size_t count;
} looked_at;

static bool is_pointer(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeEqual(type, uw_ptr_type(mlirTypeGetContext(type)));
}

/* A call may do to each array that it is handed whatever its function does to it, in any order. */
static size_t accesses_of_call(uw_arena *arena, MlirOperation call, uw_touching *list) {
  size_t count = 0;
  for (size_t i = 0; i < uw_operand_count(call); i++) {
    if (!is_pointer(uw_operand(call, i)))
      continue;
    uw_call_memory memory = uw_memory_of_call(arena, call, i);
    unsigned how = (memory.reads ? UW_READS : 0) | (memory.writes ? UW_WRITES : 0);
    if (how)
      list[count++] = (uw_touching){call, i, memory.bytes ? memory.bytes : 1,
                                    how | (memory.is_atomic ? UW_ATOMIC : 0) | (memory.bytes ? 0 : UW_ANYWHERE)};
  }
  return count;
}

/* How many accesses an operation has at most. */
static size_t most_of(MlirOperation op) {
  enum { OF_COPY = 2 };
  return uw_kind(op) == UW_OP_LLVM_CALL ? uw_operand_count(op) : OF_COPY;
}

/* What op does itself. */
static size_t accesses_of(uw_arena *arena, MlirOperation op, uw_touching *list) {
  unsigned also = uw_get_int_attr(op, "ordering", 0) ? UW_ATOMIC : 0;
  int64_t bytes;
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    list[0] = (uw_touching){op, 0, uw_type_bytes(mlirValueGetType(uw_result(op, 0))), UW_READS | also};
    return 1;
  case UW_OP_LLVM_STORE:
    list[0] = (uw_touching){op, 1, uw_type_bytes(mlirValueGetType(uw_operand(op, 0))), UW_WRITES | also};
    return 1;
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
    list[0] =
        (uw_touching){op, 0, uw_type_bytes(mlirValueGetType(uw_operand(op, 1))), UW_READS | UW_WRITES | UW_ATOMIC};
    return 1;
  case UW_OP_LLVM_CALL: return accesses_of_call(arena, op, list);
  default: break;
  }
  bool copies = uw_name_starts(op, "llvm.intr.memcpy") || uw_name_starts(op, "llvm.intr.memmove"),
       fills = uw_name_starts(op, "llvm.intr.memset");
  if ((!copies && !fills) || !uw_const_value(uw_operand(op, 2), &bytes) || bytes <= 0 || bytes > MOST_COPIED)
    return 0;
  if (fills) {
    list[0] = (uw_touching){op, 0, (uint64_t)bytes, UW_WRITES};
    return 1;
  }
  list[0] = (uw_touching){op, 1, (uint64_t)bytes, UW_READS};
  list[1] = (uw_touching){op, 0, (uint64_t)bytes, UW_WRITES};
  return 2;
}

/* The object as far as it is known without running: where the address starts, or null if that may be any. */
static const void *object_of(MlirOperation loop, const uw_touching *access, bool *of_thread) {
  MlirValue base = uw_address_of(uw_operand(access->op, access->pointer)).base;
  MlirOperation maker = uw_def(base);
  *of_thread =
      uw_is_private(maker) ||
      (!uw_null(maker) && uw_attr_is_str(maker, "callee", "uwrt_context")); /* what a call is told of its thread */
  if (uw_kind(maker) == UW_OP_LLVM_ADDRESSOF)
    return uw_get_attr(maker, "global_name").ptr;
  return uw_defined_inside(base, loop) && !*of_thread ? NULL : base.ptr;
}

/* What is known of an object. */
enum { TOUCHED = 1, TWICE = 2, WRITTEN = 4 };

/* The objects of all accesses, or of those between two barriers that all threads come by. */
typedef struct touched_objects {
  uw_table *known;
  bool written_anywhere; /* something is written that may be any object */
} touched_objects;

static void note_access(touched_objects *objects, const void *object, bool writes) {
  objects->written_anywhere = objects->written_anywhere || (writes && !object);
  if (!object)
    return;
  intptr_t before = uw_table_get(objects->known, object);
  uw_table_set(objects->known, object, before | TOUCHED | (before ? TWICE : 0) | (writes ? WRITTEN : 0));
}

static bool may_be_written(const touched_objects *objects, const void *object) {
  return !object || objects->written_anywhere || uw_table_get(objects->known, object) & WRITTEN;
}

/* Of each operation, how many barriers stand before it in the body of the loop itself: all threads come by those. */
static size_t *stretches_of(uw_arena *arena, MlirOperation loop, const uw_ops *ops, size_t *count) {
  size_t *stretch_of = uw_alloc(arena, (ops->count + 1) * sizeof *stretch_of), now = 0;
  for (size_t i = 0; i < ops->count; i++) {
    MlirOperation op = ops->at[i];
    now += uw_same_op(uw_parent(op), loop) && (uw_is_exchange(op, "warp") || uw_is_exchange(op, "block"));
    stretch_of[i] = now;
  }
  *count = now + 1;
  return stretch_of;
}

/* What is read in a stretch that does not write it meets nothing. Writes are looked at all the same: they tell of
 * shapes that stray. */
static looked_at find(uw_arena *arena, MlirOperation loop) {
  looked_at found = {0};
  uw_ops ops = uw_collect(arena, loop);
  size_t stretches;
  const size_t *stretch_of = stretches_of(arena, loop, &ops, &stretches);
  touched_objects objects = {.known = uw_table_create(arena)}, *in = uw_alloc(arena, stretches * sizeof *in);
  for (size_t i = 0; i < stretches; i++)
    in[i] = (touched_objects){.known = uw_table_create(arena)};
  size_t most = 0;
  for (size_t i = 0; i < ops.count; i++)
    most += most_of(ops.at[i]);
  uw_touching *accesses = uw_alloc(arena, (most + 1) * sizeof *accesses);
  const void **objects_of = uw_alloc(arena, (most + 1) * sizeof *objects_of);
  size_t *first_of = uw_alloc(arena, (ops.count + 1) * sizeof *first_of),
         *counts = uw_alloc(arena, (ops.count + 1) * sizeof *counts);
  /* All of them, and what is known of their objects; then those stay that may meet others. */
  bool of_thread;
  size_t all = 0;
  for (size_t i = 0; i < ops.count; all += counts[i++]) {
    counts[i] = accesses_of(arena, ops.at[i], &accesses[all]);
    for (size_t k = all; k < all + counts[i]; k++) {
      const void *object = object_of(loop, &accesses[k], &of_thread);
      note_access(&objects, object, accesses[k].how & UW_WRITES);
      note_access(&in[stretch_of[i]], object, accesses[k].how & UW_WRITES);
    }
  }
  for (size_t i = 0, next = 0; i < ops.count; next += counts[i++]) {
    size_t before = found.count;
    for (size_t k = next; k < next + counts[i]; k++) {
      uw_touching access = accesses[k];
      const void *object = object_of(loop, &access, &of_thread);
      intptr_t known = object ? uw_table_get(objects.known, object) : 0;
      bool may_meet = !object || objects.written_anywhere || (known & TWICE && known & WRITTEN);
      if (!of_thread && may_meet && (access.how & UW_WRITES || may_be_written(&in[stretch_of[i]], object)))
        objects_of[found.count] = object, accesses[found.count++] = access;
    }
    if (found.count == before)
      continue;
    first_of[found.ops.count] = before;
    uw_ops_push(arena, &found.ops, ops.at[i]);
  }
  first_of[found.ops.count] = found.count;
  found.accesses = accesses;
  found.objects = objects_of;
  found.first_of = first_of;
  return found;
}

/* --- shapes of blocks --------------------------------------------------------------------------------------------- */

/* Does anything depend on it but casts of it? What is stored is told to a function that is called. */
static bool is_used(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool casts = uw_kind(user) == UW_OP_ARITH_INDEX_CAST || uw_kind(user) == UW_OP_ARITH_INDEX_CASTUI;
    bool told = uw_kind(user) == UW_OP_LLVM_STORE && mlirOpOperandGetOperandNumber(use) == 0;
    if (!told && (!casts || is_used(uw_result(user, 0))))
      return true;
  }
  return false;
}

bool uw_rows_end_in_warps(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  intptr_t dims = mlirBlockGetNumArguments(body);
  bool one_row = true;
  int64_t length = 0;
  for (intptr_t d = 0; d + 1 < dims; d++)
    one_row = one_row && !is_used(mlirBlockGetArgument(body, d));
  if (one_row)
    return false;
  bool known = uw_const_value(uw_upper_of(loop, (size_t)dims - 1), &length) && length > 0;
  return !known || (length % UW_DRY_WARP && UW_DRY_WARP % length);
}

bool uw_known_shape(MlirOperation loop, int64_t shape[DIMS]) {
  size_t dims = uw_dims(loop);
  int64_t threads = 1;
  shape[0] = shape[1] = shape[2] = 1;
  for (size_t d = 0; d < dims; d++)
    if (!uw_const_value(uw_upper_of(loop, d), &shape[DIMS - dims + d]) || shape[DIMS - dims + d] <= 0 ||
        (threads *= shape[DIMS - dims + d]) > UW_DRY_THREADS)
      return false;
  return true;
}

/* Adds a shape, with what is known of it (0: nothing). */
static void add(uw_block_shapes *all, const int64_t bounds[DIMS], const int64_t usual[DIMS]) {
  int64_t shape[DIMS], threads = 1;
  for (size_t d = 0; d < DIMS; d++)
    threads *= shape[d] = bounds[d] ? bounds[d] : usual[d];
  if (threads <= 0 || threads > UW_DRY_THREADS)
    return;
  for (size_t k = 0; k < all->count; k++)
    if (all->at[k][0] == shape[0] && all->at[k][1] == shape[1] && all->at[k][2] == shape[2])
      return;
  for (size_t d = 0; d < DIMS; d++)
    all->at[all->count][d] = shape[d];
  all->count++;
}

/* Those that the block may have where they are not known: what is usual with as many indices as are used, one of an odd
 * size, which leaves rows that end within warps. small: blocks that are less than a warp, for kernels whose arrays have
 * no room for more. */
static uw_block_shapes shapes_of(MlirOperation loop, bool small) {
  static const int64_t usual[][UW_MOST_SHAPES][DIMS] = {
      {{1, 1, 256}, {1, 1, 32}, {1, 1, 64}, {1, 1, 128}, {1, 1, 512}, {1, 1, 1024}},
      {{1, 8, 32}, {1, 16, 16}, {1, 4, 8}, {1, 4, 5}, {1, 8, 8}, {1, 32, 32}, {1, 4, 32}, {1, 8, 16}, {1, 4, 64}},
      {{2, 4, 32}, {4, 8, 8}, {4, 4, 4}, {8, 8, 8}, {4, 4, 16}}};
  static const int64_t small_ones[][UW_MOST_SHAPES][DIMS] = {
      {{1, 1, 16}, {1, 1, 8}}, {{1, 4, 16}, {1, 4, 4}}, {{2, 4, 4}, {2, 2, 2}}};
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body), used = 1;
  int64_t bounds[DIMS] = {1, 1, 1};
  for (size_t d = 0; d < dims; d++) {
    size_t z_y_x = DIMS - dims + d;
    if (uw_const_value(uw_upper_of(loop, d), &bounds[z_y_x]))
      continue;
    bool asked = is_used(mlirBlockGetArgument(body, (intptr_t)d));
    bounds[z_y_x] = asked || z_y_x == DIMS - 1 ? 0 : 1;
    if (asked && DIMS - z_y_x > used)
      used = DIMS - z_y_x;
  }
  uw_block_shapes all = {.count = 0};
  const int64_t (*from)[DIMS] = small ? small_ones[used - 1] : usual[used - 1];
  for (size_t i = 0; i < UW_MOST_SHAPES && from[i][0]; i++)
    add(&all, bounds, from[i]);
  return all;
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

typedef struct pair_search {
  uw_arena *arena;
  const uw_dry_plan *plan;
  const looked_at *at;
  uw_table *known; /* pairs, by the numbers of their accesses */
  uw_table *come;  /* accesses that threads of some block came to */
  bool is_cut;     /* not all iterations were gone through, of some loop */
  uw_lane_pairs *pairs;
} pair_search;

static void add_pair(pair_search *s, size_t first, size_t second) {
  const void *pair = (const void *)(first * s->at->count + second + 1);
  uw_lane_pairs *pairs = s->pairs;
  if (uw_table_get(s->known, pair))
    return;
  uw_table_set(s->known, pair, 1);
  pairs->at = uw_grow(s->arena, pairs->at, pairs->count, &pairs->capacity, sizeof *pairs->at);
  pairs->at[pairs->count++] = (uw_lane_pair){s->at->accesses[first].op, s->at->accesses[second].op};
}

/* Runs were cut: of accesses that they did not come to nothing is shown. */
static void add_unseen(pair_search *s) {
  const looked_at *at = s->at;
  for (size_t i = 0; i < at->count; i++)
    for (size_t k = 0; k < at->count && !uw_table_get(s->come, at->accesses[i].op.ptr); k++) {
      bool writes = (at->accesses[i].how | at->accesses[k].how) & UW_WRITES,
           atomic = at->accesses[i].how & at->accesses[k].how & UW_ATOMIC;
      if (!at->objects[i] || at->objects[k] != at->objects[i] || !writes || atomic)
        continue;
      add_pair(s, i, k);
      add_pair(s, k, i);
    }
}

/* How a block of a shape is looked at: do threads that stray count, and which ones do? */
typedef enum straying { ANY_STRAY, SURELY_STRAY, MAY_STRAY } straying;

/* Adds the pairs of blocks of this shape. The first block of the grid is asked, which may have more to do, and one near
 * it: most of its threads lie within the data. Where values are made up, small ones are tried, too. False if the shape
 * is not meant: threads write outside of arrays. */
static bool look(pair_search *s, const int64_t shape[DIMS], straying how) {
  static const uw_spread spreads[] = {{UW_LARGE, UW_LARGE}, {UW_LARGE, UW_FEW}, {UW_LARGE, UW_TENS}, {UW_FEW, UW_FEW},
                                      {UW_TENS, UW_TENS},   {UW_FEW, UW_LARGE}, {UW_TENS, UW_LARGE}};
  uint8_t asks = 0;
  bool strays = false, is_cut = false;
  uw_met_accesses *met = NULL;
  size_t count = 0, capacity = 0;
  uw_coverage coverage = uw_no_coverage(s->arena);
  for (size_t k = 0; k < sizeof spreads / sizeof *spreads && (k == 0 || asks) && !strays; k++)
    for (int64_t index = 0; index < 2 && (index == 0 || k || asks & UW_GUESS) && !strays; index++) {
      uw_arena *own = uw_arena_create();
      uw_touches *touches = uw_touches_of(own, s->plan, s->at->accesses, s->at->count, s->at->first_of);
      uw_dry_block block = {{shape[0], shape[1], shape[2]}, index, spreads[k], &coverage};
      uw_dry_end end = uw_dry_run_of(own, s->plan, &block, uw_touches_watcher(touches));
      is_cut = is_cut || end.is_cut;
      asks |= end.asks & (UW_GUESS | UW_DATA);
      strays = k == 0 && how != MAY_STRAY && uw_touches_stray(touches, how == SURELY_STRAY);
      size_t more;
      const uw_met_accesses *seen = uw_touches_met(touches, &more);
      for (size_t i = 0; i < more; i++) {
        met = uw_grow(s->arena, met, count, &capacity, sizeof *met);
        met[count++] = seen[i];
      }
      uw_arena_destroy(own);
    }
  for (size_t i = 0; i < count && !strays; i++)
    add_pair(s, met[i].first, met[i].second);
  for (size_t i = 0; i < s->at->count && !strays; i++)
    if (uw_table_get(coverage.accesses, s->at->accesses[i].op.ptr))
      uw_table_set(s->come, s->at->accesses[i].op.ptr, 1);
  s->is_cut = s->is_cut || (is_cut && !strays);
  return !strays;
}

/* Looks at the first shapes that fit of those that the block may have. Where all of them stray, as a guess is part of
 * where arrays begin, those are left out that stray without one; where these do, none is. */
static void look_at_usual(pair_search *s, MlirOperation loop) {
  enum { ENOUGH = 4 };
  static const struct {
    straying how;
    bool small;
  } attempts[] = {
      {ANY_STRAY, false}, {ANY_STRAY, true}, {SURELY_STRAY, false}, {SURELY_STRAY, true}, {MAY_STRAY, false}};
  size_t fitting = 0;
  for (size_t a = 0; a < sizeof attempts / sizeof *attempts && !fitting; a++) {
    uw_block_shapes shapes = shapes_of(loop, attempts[a].small);
    for (size_t i = 0; i < shapes.count && fitting < ENOUGH; i++)
      fitting += look(s, shapes.at[i], attempts[a].how);
  }
}

/* A kernel that does not ask which thread it is has one. */
static bool has_threads(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  for (intptr_t d = 0; d < mlirBlockGetNumArguments(body); d++)
    if (is_used(mlirBlockGetArgument(body, d)))
      return true;
  return false;
}

void uw_lane_pairs_of(uw_arena *arena, MlirOperation loop, const uw_block_shapes *launched, uw_lane_pairs *pairs) {
  if (launched->others && !has_threads(loop))
    return;
  looked_at at = find(arena, loop);
  if (at.count < 2)
    return;
  pair_search s = {.arena = arena,
                   .plan = uw_plan_dry_run(arena, loop, &at.ops),
                   .at = &at,
                   .known = uw_table_create(arena),
                   .come = uw_table_create(arena),
                   .pairs = pairs};
  for (size_t i = 0; i < launched->count; i++)
    look(&s, launched->at[i], MAY_STRAY);
  if (launched->others)
    look_at_usual(&s, loop);
  if (s.is_cut)
    add_unseen(&s);
}
