/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reaching definitions: see reaching.h.
 *
 * A walk back from the load through what writes, or holds what does, before it in its block, then in the block around:
 * uw_writers has these operations of each block in order, so that a load costs what it meets. Of an if both sides are
 * ways; a loop may have run no iteration, but the condition of a while once; in a loop around the load the iteration
 * before is a way, whose values are not those of this iteration (uw_access.crossed). */
#include "reaching.h"

#include <stdlib.h>

struct uw_writers {
  uw_arena *arena;
  MlirOperation loop;
  uw_accesses writes;
  uw_table *first;    /* op -> 1 + index of its first write */
  uw_table *relevant; /* operations that write or hold what does -> 1 */
  uw_table *blocks;   /* block -> its relevant operations, in order, as uw_ops * */
};

typedef struct walker {
  const uw_writers *among;
  const uw_access *load;
  uw_meeting *meets;
  const void *context;
  MlirOperation maker;   /* of the memory; null if it is an argument */
  MlirOperation crossed; /* of what is walked through now */
  uw_definitions found;
  size_t capacity;
} walker;

/* A walk comes by an operation once for each loop that it crosses: what it was added for before is added last. */
static void add(walker *w, const uw_access *write, bool surely) {
  const uw_access *last = w->found.count ? &w->found.at[w->found.count - 1].write : NULL;
  if (last && uw_same_op(last->op, write->op) && uw_same_op(last->crossed, write->crossed))
    return;
  if (w->found.count == w->capacity) {
    w->capacity = w->capacity ? 2 * w->capacity : 8;
    uw_definition *at = uw_alloc(w->among->arena, w->capacity * sizeof *at);
    for (size_t i = 0; i < w->found.count; i++)
      at[i] = w->found.at[i];
    w->found.at = at;
  }
  w->found.at[w->found.count++] = (uw_definition){*write, surely};
}

/* True if op sets all that the load reads. */
static bool meet(walker *w, MlirOperation op) {
  bool surely = false;
  const uw_accesses *writes = &w->among->writes;
  for (size_t i = (size_t)uw_table_get(w->among->first, op.ptr); i > 0 && i <= writes->count; i++) {
    uw_access write = writes->at[i - 1];
    if (!uw_same_op(write.op, op))
      break;
    write.crossed = w->crossed;
    if (!w->meets(w->context, &write, w->load))
      continue;
    w->found.unknown = w->found.unknown || write.anywhere;
    bool sets = !write.reads && uw_same_place(&write, w->load);
    add(w, &write, sets);
    surely = surely || sets;
  }
  return surely;
}

static bool walk_block(walker *w, MlirBlock block);

/* True if every way through op ends in it. */
static bool walk_into(walker *w, MlirOperation op) {
  bool closed = uw_region_count(op) > 0;
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      closed = walk_block(w, uw_block(op, (unsigned)r)) && closed; /* a missing else is open */
    return closed;
  case UW_OP_SCF_WHILE:
    closed = walk_block(w, uw_block(op, 0));
    if (!closed)
      walk_block(w, uw_block(op, 1));
    return closed;
  default:
    for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
         region = mlirRegionGetNextInOperation(region))
      for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
           block = mlirBlockGetNextInRegion(block))
        walk_block(w, block);
    return false;
  }
}

/* Back through the first `count` of ops; true if the way ends. */
static bool walk_ops(walker *w, const uw_ops *ops, size_t count) {
  for (size_t i = count; i-- > 0;)
    if (walk_into(w, ops->at[i]) || meet(w, ops->at[i]))
      return true;
  return false;
}

/* How many of ops, which are in order, stand before op in their block. */
static size_t count_before(const uw_ops *ops, MlirOperation op) {
  size_t low = 0, high = ops->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (mlirOperationIsBeforeInBlock(ops->at[middle], op))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Back from op, or from the end of block if that is null. Where the memory is made nothing before it counts. */
static bool walk_back(walker *w, MlirBlock block, MlirOperation op) {
  const uw_ops *ops = (const uw_ops *)uw_table_get(w->among->blocks, block.ptr);
  bool made_here = !uw_null(w->maker) && mlirBlockEqual(mlirOperationGetBlock(w->maker), block) &&
                   (uw_null(op) || mlirOperationIsBeforeInBlock(w->maker, op));
  size_t count = !ops ? 0 : uw_null(op) ? ops->count : count_before(ops, op), first = 0;
  if (ops && made_here)
    first = count_before(ops, w->maker);
  uw_ops since = ops ? (uw_ops){ops->at + first, count - first, count - first} : (uw_ops){0};
  return walk_ops(w, &since, since.count) || made_here;
}

static bool walk_block(walker *w, MlirBlock block) {
  return !mlirBlockIsNull(block) && walk_back(w, block, (MlirOperation){NULL});
}

/* Back over the start of block, the body of a loop (or its condition), into the iteration before. True if no way leads
 * further. */
static bool walk_iteration(walker *w, MlirOperation loop, MlirBlock block) {
  bool is_while = uw_kind(loop) == UW_OP_SCF_WHILE;
  if (is_while && mlirBlockEqual(block, uw_block(loop, 1)) &&
      walk_block(w, uw_block(loop, 0))) /* of the same iteration */
    return true;
  w->crossed = loop;
  if (!is_while || !walk_block(w, uw_block(loop, 1)))
    walk_block(w, uw_block(loop, 0));
  w->crossed = (MlirOperation){NULL};
  return false; /* there may have been no iteration before */
}

static int by_order(const void *left, const void *right) {
  MlirOperation a = *(const MlirOperation *)left, b = *(const MlirOperation *)right;
  return uw_same_op(a, b) ? 0 : mlirOperationIsBeforeInBlock(a, b) ? -1 : 1;
}

static void note(uw_writers *writers, uw_ops *lists, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  uw_ops *ops = (uw_ops *)uw_table_get(writers->blocks, block.ptr);
  if (!ops) {
    ops = uw_alloc(writers->arena, sizeof *ops);
    uw_table_set(writers->blocks, block.ptr, (intptr_t)ops);
    uw_ops_push(writers->arena, lists, op);
  }
  uw_ops_push(writers->arena, ops, op);
  uw_table_set(writers->relevant, op.ptr, 1);
}

uw_writers *uw_writers_of(uw_arena *arena, MlirOperation loop, const uw_accesses *writes) {
  uw_writers *writers = uw_alloc(arena, sizeof *writers);
  *writers = (uw_writers){arena,
                          loop,
                          *writes,
                          .first = uw_table_create(arena),
                          .relevant = uw_table_create(arena),
                          .blocks = uw_table_create(arena)};
  uw_ops one_of_each = {0};
  for (size_t i = writes->count; i-- > 0;) {
    MlirOperation op = writes->at[i].op;
    uw_table_set(writers->first, op.ptr, (intptr_t)i + 1);
    for (; !uw_null(op) && !uw_same_op(op, loop) && !uw_table_get(writers->relevant, op.ptr); op = uw_parent(op))
      note(writers, &one_of_each, op);
  }
  for (size_t i = 0; i < one_of_each.count; i++) {
    uw_ops *ops = (uw_ops *)uw_table_get(writers->blocks, mlirOperationGetBlock(one_of_each.at[i]).ptr);
    qsort(ops->at, ops->count, sizeof *ops->at, by_order);
  }
  return writers;
}

uw_definitions uw_reaching(const uw_writers *among, const uw_access *load, uw_meeting *meets, const void *context) {
  walker w = {.among = among, .load = load, .meets = meets, .context = context, .maker = uw_def(load->address.base)};
  for (MlirOperation op = load->op;; op = uw_parent(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    if (walk_back(&w, block, op))
      return w.found;
    MlirOperation around = uw_parent(op);
    if (uw_null(around) || uw_same_op(around, among->loop))
      break;
    if ((uw_kind(around) == UW_OP_SCF_FOR || uw_kind(around) == UW_OP_SCF_WHILE) && walk_iteration(&w, around, block))
      return w.found;
  }
  w.found.before = true;
  return w.found;
}

bool uw_private_writes(uw_arena *arena, MlirOperation loop, MlirValue memory, uw_accesses *writes) {
  uw_ops users = {0};
  if (uw_kind(uw_def(memory)) != UW_OP_LLVM_ALLOCA || !uw_inside(uw_def(memory), loop) ||
      !uw_uses_of(arena, memory, &users))
    return false;
  uw_table *is_user = uw_table_create(arena);
  for (size_t i = 0; i < users.count; i++)
    uw_table_set(is_user, users.at[i].ptr, 1);
  for (size_t i = 0; i < users.count; i++) {
    uw_accesses own = {0};
    if (uw_table_get(is_user, users.at[i].ptr) == 2) /* a copy from and to it */
      continue;
    uw_table_set(is_user, users.at[i].ptr, 2);
    uw_accesses_of(arena, users.at[i], &own);
    for (size_t k = 0; k < own.count; k++) {
      if (own.at[k].anywhere)
        return false;
      if (own.at[k].writes && uw_same(own.at[k].address.base, memory))
        uw_accesses_push(arena, writes, own.at[k]);
    }
  }
  return true;
}
