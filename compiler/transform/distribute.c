/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parts of a thread loop: what belongs together, and the loops that are made of it. */
#include "../analysis/thresholds.h"
#include "distribute.h"
#include "../analysis/exchange.h"
#include "../analysis/uniformity.h"

#define PART "unwarp.part"

static bool is_plain_if(MlirOperation op) { return uw_kind(op) == UW_OP_SCF_IF && uw_result_count(op) == 0; }

static bool is_terminator(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_YIELD || uw_kind(op) == UW_OP_SCF_IN_PARALLEL;
}

/* A load of what the thread keeps in a slot, which the loop does not write: each part can make it anew. */
static bool is_kept_value(const uw_parts *all, MlirOperation op) {
  MlirOperation slot = uw_kind(op) == UW_OP_LLVM_LOAD ? uw_address_root(uw_operand(op, 0)) : (MlirOperation){NULL};
  if (uw_kind(slot) != UW_OP_SLOT)
    return false;
  uw_ops stores = uw_collect_kind(all->arena, all->loop, UW_OP_LLVM_STORE);
  for (size_t i = 0; i < stores.count; i++)
    if (uw_same_op(uw_address_root(uw_operand(stores.at[i], 1)), slot))
      return false;
  return true;
}

/* Statements are what is not pure, in order; branches without results are taken apart. */
static void collect(uw_parts *all, MlirBlock block, MlirOperation narrow) {
  if (mlirBlockIsNull(block))
    return;
  uw_foreach_op (op, block) {
    if (is_terminator(op) || uw_speculatable(op) || is_kept_value(all, op))
      continue;
    if (is_plain_if(op)) {
      for (unsigned r = 0; r < 2; r++) {
        bool here =
            uw_null(narrow) && all->is_narrow && all->is_narrow(all->arena, all->loop, uw_operand(op, 0), r == 1);
        collect(all, uw_block(op, r), here ? op : narrow);
      }
      continue;
    }
    if (all->count == all->capacity) {
      size_t capacity = all->capacity ? 2 * all->capacity : 32;
      uw_statement *at = uw_alloc(all->arena, capacity * sizeof *at);
      for (size_t i = 0; i < all->count; i++)
        at[i] = all->at[i];
      all->at = at;
      all->capacity = capacity;
    }
    all->at[all->count++] = (uw_statement){.op = op, .narrow = narrow};
  }
}

/* --- parts that need each other stay together --------------------------------------------------------------------- */

typedef struct needs {
  uw_parts *all;
  uw_table *numbers; /* statement -> its index, from 1 */
  uw_table *seen;
  size_t first, last; /* the first and the last part that something is needed of */
} needs;

static void need(needs *n, MlirValue value);

static void need_operands(needs *n, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    need(n, uw_operand(op, i));
  uw_ops inner = uw_collect(n->all->arena, op);
  for (size_t k = 0; k < inner.count; k++)
    for (size_t i = 0; i < uw_operand_count(inner.at[k]); i++)
      need(n, uw_operand(inner.at[k], i));
}

static void need(needs *n, MlirValue value) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !uw_inside(op, n->all->loop) || uw_table_get(n->seen, op.ptr))
    return;
  uw_table_set(n->seen, op.ptr, 1);
  /* The statement that it is, or is inside of. */
  for (MlirOperation around = op; !uw_same_op(around, n->all->loop); around = uw_parent(around)) {
    intptr_t number = uw_table_get(n->numbers, around.ptr);
    if (!number)
      continue;
    size_t part = n->all->at[number - 1].part;
    n->first = part < n->first ? part : n->first;
    n->last = part > n->last ? part : n->last;
    return;
  }
  need_operands(n, op);
}

/* What parts statement i needs; SIZE_MAX and 0 if none. */
static void find_needs(needs *n, size_t i) {
  uw_parts *all = n->all;
  n->seen = uw_table_create(all->arena);
  n->first = SIZE_MAX;
  n->last = 0;
  uw_table_set(n->seen, all->at[i].op.ptr, 1);
  need_operands(n, all->at[i].op);
  for (MlirOperation around = uw_parent(all->at[i].op); !uw_same_op(around, all->loop); around = uw_parent(around))
    need(n, uw_operand(around, 0)); /* the branch's condition */
}

static MlirOperation slot_of(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  if (kind != UW_OP_LLVM_LOAD && kind != UW_OP_LLVM_STORE)
    return (MlirOperation){NULL};
  MlirOperation root = uw_address_root(uw_operand(op, kind == UW_OP_LLVM_STORE));
  return uw_kind(root) == UW_OP_SLOT ? root : (MlirOperation){NULL};
}

static bool touches(uw_arena *arena, MlirOperation op, MlirOperation slot) {
  if (uw_same_op(slot_of(op), slot))
    return true;
  uw_ops inner = uw_collect(arena, op);
  for (size_t k = 0; k < inner.count; k++)
    if (uw_same_op(slot_of(inner.at[k]), slot))
      return true;
  return false;
}

/* What is kept in a slot is kept at the end of a phase, after all branches; it joins the part that computes it.
 * Nothing but loads from and stores to a slot can touch it. */
static void keep_early(needs *n, size_t i) {
  uw_parts *all = n->all;
  MlirOperation slot = slot_of(all->at[i].op);
  if (uw_null(slot) || uw_kind(all->at[i].op) != UW_OP_LLVM_STORE || !uw_null(all->at[i].narrow))
    return;
  find_needs(n, i);
  if (n->first == SIZE_MAX)
    return;
  for (size_t k = 0; k < i; k++)
    if (all->at[k].part > n->last && touches(all->arena, all->at[k].op, slot))
      return;
  all->at[i].part = n->last;
}

size_t uw_parts_merge(uw_parts *all) {
  needs n = {.all = all, .numbers = uw_table_create(all->arena)};
  for (size_t i = 0; i < all->count; i++)
    uw_table_set(n.numbers, all->at[i].op.ptr, (intptr_t)i + 1);
  for (size_t i = 0; i < all->count; i++)
    keep_early(&n, i);
  for (size_t i = 0; i < all->count; i++) {
    find_needs(&n, i);
    size_t last = all->at[i].part;
    for (size_t k = 0; k < all->count; k++)
      if (all->at[k].part > n.first && all->at[k].part <= last)
        all->at[k].part = n.first;
  }
  size_t parts = 0, *number = uw_alloc(all->arena, all->count * sizeof *number); /* old part -> new one, from 1 */
  for (size_t part = 0; part < all->count; part++)
    for (size_t i = 0; i < all->count && !number[part]; i++)
      if (all->at[i].part == part)
        number[part] = ++parts;
  for (size_t i = 0; i < all->count; i++)
    all->at[i].part = number[all->at[i].part] - 1;
  return parts > UW_MOST_PARTS || parts * uw_collect(all->arena, all->loop).count > UW_MOST_DISTRIBUTED ? 1 : parts;
}

/* --- the copies --------------------------------------------------------------------------------------------------- */

static void keep_part(uw_arena *arena, MlirOperation loop, size_t part) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.at[i];
    int64_t own = uw_get_int_attr(op, PART, -1);
    bool other = own >= 0 && (size_t)own != part;
    bool emptied = is_plain_if(op) && uw_is_empty(uw_block(op, 0)) && uw_is_empty(uw_block(op, 1));
    bool inside_statement = false;
    for (MlirOperation around = uw_parent(op); !uw_same_op(around, loop); around = uw_parent(around))
      inside_statement = inside_statement || !mlirAttributeIsNull(uw_get_attr(around, PART));
    if (inside_statement)
      continue; /* stays or goes with its statement */
    if (other || emptied || (own < 0 && !is_terminator(op) && !is_plain_if(op) && uw_unused(op)))
      uw_erase(op);
    else if (own >= 0)
      uw_remove_attr(op, PART);
  }
}

void uw_parts_split(uw_parts *all, size_t parts, const char *name, int64_t number) {
  for (size_t i = 0; i < all->count; i++)
    uw_set_attr(all->at[i].op, PART, uw_int_attr(mlirOperationGetContext(all->loop), 64, (int64_t)all->at[i].part));
  for (size_t part = 0; part < parts; part++) {
    uw_builder b = uw_at(all->loop);
    MlirOperation copy = uw_clone(&b, all->loop, uw_map_create(all->arena));
    keep_part(all->arena, copy, part);
    if (name)
      uw_set_attr(copy, name, uw_int_attr(b.context, 64, number));
  }
  mlirOperationDestroy(all->loop);
}

bool uw_parts_collect(uw_parts *all) {
  if (uw_has_exchange(all->loop, "block") || uw_has_exchange(all->loop, "warp"))
    return false;
  collect(all, uw_block(all->loop, 0), (MlirOperation){NULL});
  return true;
}
