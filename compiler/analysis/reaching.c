/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reaching definitions: see reaching.h.
 *
 * A walk back from the load, op by op, through what is before it in its block, then in the block around. Of an if both
 * sides are ways; a loop may have run no iteration, but the condition of a while once; in a loop around the load the
 * iteration before is a way, whose values are not those of this iteration (uw_access.crossed). */
#include "reaching.h"

typedef struct walker {
  uw_arena *arena;
  const uw_accesses *writes;
  uw_table *first;    /* op -> 1 + number of its first write */
  uw_table *relevant; /* operations that write or hold what does -> 1 */
  const uw_access *load;
  uw_meeting *meets;
  const void *context;
  MlirOperation maker;   /* of the memory; null if it is an argument */
  MlirOperation crossed; /* of what is walked through now */
  uw_definitions found;
  size_t capacity;
} walker;

static void add(walker *w, const uw_access *write, bool surely) {
  for (size_t i = 0; i < w->found.count; i++)
    if (uw_same_op(w->found.at[i].write.op, write->op) && uw_same_op(w->found.at[i].write.crossed, write->crossed))
      return;
  if (w->found.count == w->capacity) {
    w->capacity = w->capacity ? 2 * w->capacity : 8;
    uw_definition *at = uw_alloc(w->arena, w->capacity * sizeof *at);
    for (size_t i = 0; i < w->found.count; i++)
      at[i] = w->found.at[i];
    w->found.at = at;
  }
  w->found.at[w->found.count++] = (uw_definition){*write, surely};
}

/* True if op sets all that the load reads. */
static bool meet(walker *w, MlirOperation op) {
  bool surely = false;
  for (size_t i = (size_t)uw_table_get(w->first, op.ptr); i > 0 && i <= w->writes->count; i++) {
    uw_access write = w->writes->at[i - 1];
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
  bool closed = mlirOperationGetNumRegions(op) > 0;
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
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
static bool walk_ops(walker *w, uw_ops ops, size_t count) {
  for (size_t i = count; i-- > 0;) {
    if (!uw_null(w->maker) && uw_same_op(ops.at[i], w->maker))
      return true;
    if (uw_table_get(w->relevant, ops.at[i].ptr) && (walk_into(w, ops.at[i]) || meet(w, ops.at[i])))
      return true;
  }
  return false;
}

static bool walk_block(walker *w, MlirBlock block) {
  if (mlirBlockIsNull(block))
    return false;
  uw_ops ops = uw_block_ops(w->arena, block);
  return walk_ops(w, ops, ops.count);
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

uw_definitions uw_reaching(uw_arena *arena, MlirOperation loop, const uw_accesses *writes, const uw_access *load,
                           uw_meeting *meets, const void *context) {
  walker w = {.arena = arena,
              .writes = writes,
              .first = uw_table_create(arena),
              .relevant = uw_table_create(arena),
              .load = load,
              .meets = meets,
              .context = context,
              .maker = uw_def(load->address.base)};
  for (size_t i = writes->count; i-- > 0;) {
    uw_table_set(w.first, writes->at[i].op.ptr, (intptr_t)i + 1);
    for (MlirOperation op = writes->at[i].op; !uw_null(op) && !uw_same_op(op, loop); op = uw_parent(op))
      uw_table_set(w.relevant, op.ptr, 1);
  }
  for (MlirOperation op = load->op;; op = uw_parent(op)) {
    MlirBlock block = mlirOperationGetBlock(op);
    uw_ops ops = uw_block_ops(arena, block);
    size_t count = 0;
    while (count < ops.count && !uw_same_op(ops.at[count], op))
      count++;
    if (walk_ops(&w, ops, count))
      return w.found;
    MlirOperation around = uw_parent(op);
    if (uw_null(around) || uw_same_op(around, loop))
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
