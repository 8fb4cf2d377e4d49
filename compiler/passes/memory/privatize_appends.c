/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first part of privatize-atomics. Lets each worker gather what its threads append to a queue in a buffer of its own.
 * The worker takes positions in the queue for the whole buffer when it is full, and after its last block: one atomic operation and one copy in place of
 * one operation and a store to a line that all workers fight for, for each element.
 *
 *   grid (%b) {                                        grid (%b) {
 *     parallel (%t) to 256 {                             %own = queue %size, %next
 *       %slot = atomicrmw add %size, 1          ==>      parallel (%t) to 256 {
 *       store %value, %next[%slot] } }                     put %own, %value; append %own } }
 *
 * The same with a bound, `if (%slot < %most) store`: all are counted, and those after the bound are left out of the
 * copy.
 *
 * Done when a) the operation is relaxed, adds 1 to an integer of 32 or 64 bits at an address from before the
 * launch, and its result is used only, extended to 64 bits in one way, as index of arrays at addresses from before the
 * launch, and compared with one bound from before the launch, in the same way; b) each element is stored whole, by
 * plain stores in one block of code, that of the operation or an empty-handed branch on that bound beside it, out of
 * which what else it does can be moved; no other atomic operation stands between; c) all sites of the counter fill the
 * same arrays, under the same bound; d) the kernel has no means of telling another block or the host, in order, how far
 * this one is: no fence, no volatile access, no atomic operation that is not relaxed, no call, no barrier of the grid
 * or of a team; e) nothing else in the kernel touches the counter or the arrays, and these are different objects: by
 * bases.h, or else by a question at the launch, whether the pointers lead into allocations of their own (uwrt_object).
 * Then the grid is there twice.
 *
 * Legal because nobody in the launch sees the queue but through the slots, which by a) nobody sees either; and by d) no
 * other kernel or host code may expect anything of it before the launch is over. What remains in memory is the order: a
 * thread's own elements, and those of a block's threads with a barrier between, stay in order, as one worker runs them
 * and its buffer keeps what comes in. Between blocks there is none: relaxed operations on different objects order
 * nothing. The positions are those of one operation after the other: where the counter's value wraps around, so do they
 * (runtime/appends.c). What comes between the operation and the stores may come before it by e); a load moves out of
 * the branch only where the thread has used the same address before.
 *
 * Requires: barriers lowered; runs late, so that other passes need not know of buffers. Preserves: what is in memory
 * after the launch, but for which of the blocks comes first. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/bases.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../raise/raise.h"
#include "append_site.h"
#include "grid_atomics.h"

enum {
  MOST_QUEUES = 8,
  MOST_PAIRS = 64,
};

#define DONE "unwarp.appends" /* a grid that stays as it was, beside one with buffers */

typedef struct queue {
  uw_append_site *sites[64];
  size_t count;
  bool refused;
} queue;

typedef struct pair {
  MlirValue a, b;
} pair;

typedef struct launch {
  uw_arena *arena;
  MlirOperation grid;
  queue queues[MOST_QUEUES];
  size_t count;
  uw_table *owner; /* of an access: the index of its queue, from 1 */
  uw_accesses all;
  pair pairs[MOST_PAIRS]; /* bases that the launch must ask about */
  size_t pair_count;
} launch;

/* --- all of a launch ---------------------------------------------------------------------------------------------- */

static bool same_value(MlirValue a, MlirValue b) { return a.ptr == b.ptr; } /* both null, too */

static bool fills_the_same(const uw_append_site *a, const uw_append_site *b) {
  if (a->array_count != b->array_count || a->index != b->index || !same_value(a->bound, b->bound) ||
      a->with_bound != b->with_bound ||
      !mlirTypeEqual(mlirValueGetType(uw_operand(a->atomic, 1)), mlirValueGetType(uw_operand(b->atomic, 1))))
    return false;
  for (size_t i = 0; i < a->array_count; i++)
    if (!uw_same(a->arrays[i].to, b->arrays[i].to) || a->arrays[i].stride != b->arrays[i].stride)
      return false;
  return true;
}

static void take_along(launch *l, uw_append_site *s) {
  enum { MOST_SITES = sizeof l->queues->sites / sizeof *l->queues->sites }; /* bound */
  size_t number = 0;
  while (number < l->count && !uw_same(uw_operand(l->queues[number].sites[0]->atomic, 0), uw_operand(s->atomic, 0)))
    number++;
  if (number == MOST_QUEUES)
    return;
  queue *q = &l->queues[number];
  l->count += number == l->count;
  if (q->count == MOST_SITES || (q->count > 0 && !fills_the_same(q->sites[0], s))) {
    q->refused = true;
    return;
  }
  q->sites[q->count++] = s;
  uw_table_set(l->owner, s->atomic.ptr, (intptr_t)number + 1);
  for (size_t i = 0; i < s->piece_count; i++)
    uw_table_set(l->owner, s->pieces[i].store.ptr, (intptr_t)number + 1);
}

/* Sorts what the blocks touch; false if something in them may tell others how far they are. */
static bool look_at_accesses(launch *l) {
  uw_accesses inside = {0};
  if (uw_collect_kind(l->arena, l->grid, UW_OP_BARRIER).count) /* of the grid or a team */
    return false;
  uw_accesses_inside(l->arena, l->grid, &inside);
  for (size_t i = 0; i < inside.count; i++) {
    MlirOperation op = inside.at[i].op;
    bool atomic = uw_is_atomic(op);
    if (uw_is_silent(op) || ((atomic || uw_plain_access(op)) && uw_is_of_block(op)))
      continue;
    if (inside.at[i].anywhere || (atomic && !uw_is_relaxed(op)))
      return false;
    uw_accesses_push(l->arena, &l->all, inside.at[i]);
    uw_append_site *s = atomic ? uw_append_site_of(l->arena, l->grid, op) : NULL;
    if (s)
      take_along(l, s);
  }
  return l->count > 0;
}

/* Are the two different objects, or may the launch ask whether they are? */
static bool lie_apart(launch *l, const uw_access *a, const uw_access *b) {
  MlirValue base_a = a->address.base, base_b = b->address.base;
  if (uw_bases_distinct(l->grid, a, b))
    return true;
  if (uw_same(base_a, base_b) || uw_defined_inside(base_a, l->grid) || uw_defined_inside(base_b, l->grid))
    return false;
  for (size_t i = 0; i < l->pair_count; i++)
    if ((uw_same(l->pairs[i].a, base_a) && uw_same(l->pairs[i].b, base_b)) ||
        (uw_same(l->pairs[i].a, base_b) && uw_same(l->pairs[i].b, base_a)))
      return true;
  if (l->pair_count == MOST_PAIRS)
    return false;
  l->pairs[l->pair_count++] = (pair){base_a, base_b};
  return true;
}

static uw_access access_of(MlirOperation op, MlirValue address) {
  return (uw_access){.op = op, .reads = true, .writes = true, .address = uw_address_of(address)};
}

/* The counter, and the arrays after it. */
static uw_access face_of(const queue *q, size_t number) {
  const uw_append_site *s = q->sites[0];
  if (number == 0)
    return access_of(s->atomic, uw_operand(s->atomic, 0));
  return access_of(s->arrays[number - 1].store, s->arrays[number - 1].to);
}

static bool nobody_else_there(launch *l, size_t number) {
  const queue *q = &l->queues[number];
  size_t faces = 1 + q->sites[0]->array_count;
  for (size_t f = 0; f < faces; f++) {
    uw_access own = face_of(q, f);
    for (size_t i = 0; i < l->all.count; i++)
      if (uw_table_get(l->owner, l->all.at[i].op.ptr) != (intptr_t)number + 1 && !lie_apart(l, &own, &l->all.at[i]))
        return false;
    for (size_t k = 0; k < f; k++) {
      uw_access other = face_of(q, k);
      if (!lie_apart(l, &own, &other))
        return false;
    }
  }
  return true;
}

static bool refuse_meetings(launch *l) {
  bool any = false;
  for (size_t i = 0; i < l->count; i++) {
    size_t pairs = l->pair_count;
    l->queues[i].refused = l->queues[i].refused || !nobody_else_there(l, i);
    if (l->queues[i].refused)
      l->pair_count = pairs;
    any = any || !l->queues[i].refused;
  }
  return any;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static int64_t room_of(const uw_append_site *s) {
  int64_t each = 0;
  for (size_t i = 0; i < s->array_count; i++)
    each += s->arrays[i].stride;
  return UW_APPENDS_BUFFER / each < UW_APPENDS_MOST_ROOM ? UW_APPENDS_BUFFER / each : UW_APPENDS_MOST_ROOM;
}

/* Where the piece of each array's first element lies in the buffer. */
static int64_t start_of(const uw_append_site *s, size_t number) {
  int64_t start = UWRT_APPENDS_HEAD;
  for (size_t i = 0; i < number; i++)
    start += (s->arrays[i].stride * room_of(s) + 63) / 64 * 64;
  return start;
}

/* As an integer of 64 bits, extended as the slots are. */
static MlirValue bound_of(uw_builder *b, const uw_append_site *s) {
  if (uw_null(s->branch))
    return uw_const_int(b, 64, s->index == UW_INDEX_SIGNED ? INT64_MAX : -1);
  MlirType i64 = uw_int_type(b->context, 64);
  if (mlirTypeEqual(mlirValueGetType(s->bound), i64))
    return s->bound;
  MlirValue wide = uw_build1(b, s->index == UW_INDEX_SIGNED ? "arith.extsi" : "arith.extui", .in = VALS(s->bound),
                             .out = TYPES(i64));
  return s->with_bound ? uw_binary(b, "arith.addi", wide, uw_const_int(b, 64, 1)) : wide;
}

static MlirValue build_queue(const launch *l, const queue *q) {
  const uw_append_site *s = q->sites[0];
  uw_builder b = uw_at_start(uw_block(l->grid, 0), mlirOperationGetLocation(s->atomic));
  uw_builder before = uw_at(l->grid);
  MlirValue in[2 + UW_APPEND_MOST_ARRAYS] = {uw_operand(s->atomic, 0), bound_of(&before, s)};
  int64_t strides[UW_APPEND_MOST_ARRAYS], starts[UW_APPEND_MOST_ARRAYS];
  for (size_t i = 0; i < s->array_count; i++) {
    in[2 + i] = s->arrays[i].to;
    strides[i] = s->arrays[i].stride;
    starts[i] = start_of(s, i);
  }
  intptr_t count = (intptr_t)s->array_count;
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(s->atomic, 1)));
  MlirOperation op =
      uw_build_op(&b, "unwarp.queue",
                  (uw_op_spec){.in = {in, 2 + s->array_count},
                               .out = TYPES(uw_ptr_type(b.context)),
                               .attrs = ATTRS({"bits", uw_int_attr(b.context, 64, bits)},
                                              {"signed", uw_int_attr(b.context, 64, s->index == UW_INDEX_SIGNED)},
                                              {"room", uw_int_attr(b.context, 64, room_of(s))},
                                              {"bytes", uw_int_attr(b.context, 64, start_of(s, s->array_count))},
                                              {"strides", mlirDenseI64ArrayGet(b.context, count, strides)},
                                              {"starts", mlirDenseI64ArrayGet(b.context, count, starts)})});
  return uw_result(op, 0);
}

static void leave_branch(const uw_append_site *s) {
  MlirBlock block = uw_block(s->branch, s->arm);
  MlirOperation end = uw_last(block);
  uw_foreach_op_safe (op, block)
    if (!uw_same_op(op, end) && !uw_is_of_append(s, op))
      uw_move_before(op, s->branch);
}

static void build_append(const launch *l, MlirValue own, const uw_append_site *s) {
  if (!uw_null(s->branch))
    leave_branch(s);
  uw_builder b = uw_at(uw_append_place(s));
  for (size_t i = 0; i < s->piece_count; i++) {
    const uw_append_piece *p = &s->pieces[i];
    uw_build(&b, "unwarp.put", .in = VALS(own, uw_operand(p->store, 0)),
             .attrs = ATTRS({"place", uw_int_attr(b.context, 64, start_of(s, p->array) + p->at)},
                            {"stride", uw_int_attr(b.context, 64, p->stride)}));
  }
  uw_build(&b, "unwarp.append", .in = VALS(own), .attrs = ATTRS({"room", uw_int_attr(b.context, 64, room_of(s))}));
  uw_remark(mlirOperationGetLocation(s->atomic), "privatize-atomics",
            "append to a queue: each worker gathers %d elements before it takes positions%s", (int)room_of(s),
            l->pair_count ? ", where the queue shares no allocation with what the kernel reads" : "");
  for (size_t i = 0; i < s->piece_count; i++)
    uw_erase(s->pieces[i].store);
  for (size_t i = s->addresses.count; i-- > 0;)
    uw_erase(s->addresses.at[i]);
  if (!uw_null(s->branch)) {
    uw_erase(s->branch);
    uw_erase(s->compare);
  }
  uw_erase(s->atomic);
}

static MlirValue object_of(uw_builder *b, uw_map *objects, MlirValue base) {
  MlirValue known = uw_map_get(objects, base);
  if (known.ptr)
    return known;
  known = uw_result(uw_call(b, "uwrt_object", VALS(base), uw_int_type(b->context, 64)), 0);
  uw_map_set(objects, base, known);
  return known;
}

/* if (each pair in allocations of its own) grid; else the grid as it was */
static void make_versions(const launch *l) {
  uw_builder b = uw_at(l->grid);
  MlirOperation module = l->grid;
  while (!uw_null(uw_parent(module)))
    module = uw_parent(module);
  uw_declare(mlirModuleFromOperation(module), "uwrt_object", "!llvm.func<i64 (ptr)>");
  uw_map *objects = uw_map_create(l->arena);
  MlirValue apart = {NULL};
  for (size_t i = 0; i < l->pair_count; i++) {
    MlirValue left = object_of(&b, objects, l->pairs[i].a), right = object_of(&b, objects, l->pairs[i].b);
    MlirValue differ = uw_compare(&b, UW_NE, left, right);
    apart = apart.ptr ? uw_binary(&b, "arith.andi", apart, differ) : differ;
  }
  uw_set_attr(l->grid, DONE, mlirUnitAttrGet(b.context));
  uw_make_versions(l->arena, &b, .asked = apart, .first = l->grid);
}

uw_change uw_privatize_appends(uw_arena *arena, MlirOperation root) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(arena, root, UW_OVER_BLOCKS);
  for (size_t i = 0; i < loops.count; i++) {
    launch *l = uw_alloc(arena, sizeof *l);
    /* A queue that is there: its addresses have to differ from all others too, and are no accesses any more. */
    *l = (launch){.arena = arena, .grid = loops.at[i], .owner = uw_table_create(arena)};
    if (!mlirAttributeIsNull(uw_get_attr(l->grid, DONE)) || !mlirAttributeIsNull(uw_get_attr(l->grid, UW_TEAM)) ||
        uw_collect_kind(arena, l->grid, UW_OP_QUEUE).count != 0 ||
        uw_collect_kind(arena, l->grid, UW_OP_LLVM_ATOMICRMW).count == 0)
      continue;
    if (!look_at_accesses(l) || !refuse_meetings(l) ||
        (l->pair_count && uw_collect(arena, l->grid).count > UW_APPENDS_MOST_OPS))
      continue;
    if (l->pair_count)
      make_versions(l);
    for (size_t k = 0; k < l->count; k++) {
      if (l->queues[k].refused)
        continue;
      MlirValue own = build_queue(l, &l->queues[k]);
      for (size_t m = 0; m < l->queues[k].count; m++)
        build_append(l, own, l->queues[k].sites[m]);
    }
    change = UW_CHANGED;
  }
  return change;
}
