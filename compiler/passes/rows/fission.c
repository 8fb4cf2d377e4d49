/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives what only a row, a column or a single thread of the block does a loop of its own. The halo of a tile is loaded so, by the
 * threads at its edges: each of them has a branch that nearly all threads skip, and the loop over all of them is no straight line.
 *
 *   parallel (%y, %x) {                            parallel (%y, %x) { A }
 *     A                                   ==>      parallel (%y, %x) { if (%x == %k) { B } }
 *     if (%x == %k) { B }                          parallel (%y, %x) { C }
 *     C }
 *
 * tighten then makes the second one a loop over one column.
 *
 * Done when a) the loop holds no exchange; b) the branch's condition has a comparison for equality of something of the thread's own
 * with a value from outside of the loop; c) what the parts need of each other can be computed again: no part uses the result of a
 * load, a call or an alloca of another one (parts that do stay together), but for loads of slots that the loop does not write; d) there are at most MOST_PARTS parts, of at most
 * MOST_COPIED operations in all.
 *
 * Legal because threads between two barriers do not wait for each other, in any order, and each keeps its own order; only a store to
 * a slot, which nothing between touches, may come earlier: into the part that computes what is stored.
 *
 * Requires: barriers lowered; invariant values outside of the loop (simplify-phases). Preserves: each thread's order of effects.
 * Refuses: all else, in silence. */
#include "../../ir/remarks.h"
#include "guard.h"
#include "../barriers/thread_loop.h"

enum { MOST_PARTS = 8, MOST_COPIED = 2000 };

#define PART "unwarp.part"

typedef struct statement {
  MlirOperation op, narrow; /* narrow: the outermost branch around that few threads take; null if there is none */
  size_t part;
} statement;

typedef struct statements {
  uw_arena *arena;
  MlirOperation loop;
  statement *at;
  size_t count, capacity;
} statements;

/* Does the condition let only those threads through of which a number equals one from outside? */
static bool is_narrow(statements *all, MlirValue condition, bool negated) {
  uw_guard guard = {.count = 0};
  if (!uw_guard_add(&guard, condition, negated))
    return false;
  for (size_t i = 0; i < guard.count; i++) {
    MlirOperation compare = uw_def(guard.at[i].value);
    int64_t predicate = uw_kind(compare) == UW_OP_ARITH_CMPI ? uw_get_int_attr(compare, "predicate", UW_SLT) : UW_SLT;
    if (predicate != (guard.at[i].negated ? UW_NE : UW_EQ))
      continue;
    bool left = uw_computable_outside(all->arena, uw_operand(compare, 0), all->loop, NULL);
    bool right = uw_computable_outside(all->arena, uw_operand(compare, 1), all->loop, NULL);
    if (left != right)
      return true;
  }
  return false;
}

static bool is_plain_if(MlirOperation op) { return uw_kind(op) == UW_OP_SCF_IF && uw_result_count(op) == 0; }

static bool is_terminator(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_YIELD || uw_kind(op) == UW_OP_SCF_REDUCE;
}

/* A load of what the thread keeps in a slot, which the loop does not write: each part can make it anew. */
static bool is_kept_value(const statements *all, MlirOperation op) {
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
static void collect(statements *all, MlirBlock block, MlirOperation narrow) {
  if (mlirBlockIsNull(block))
    return;
  uw_foreach_op(op, block) {
    if (is_terminator(op) || uw_speculatable(op) || is_kept_value(all, op))
      continue;
    if (is_plain_if(op)) {
      for (unsigned r = 0; r < 2; r++) {
        bool here = uw_null(narrow) && is_narrow(all, uw_operand(op, 0), r == 1);
        collect(all, uw_block(op, r), here ? op : narrow);
      }
      continue;
    }
    if (all->count == all->capacity) {
      size_t capacity = all->capacity ? 2 * all->capacity : 32;
      statement *at = uw_alloc(all->arena, capacity * sizeof *at);
      for (size_t i = 0; i < all->count; i++)
        at[i] = all->at[i];
      all->at = at;
      all->capacity = capacity;
    }
    all->at[all->count++] = (statement){.op = op, .narrow = narrow};
  }
}

/* --- parts that need each other stay together --------------------------------------------------------------------- */

typedef struct needs {
  statements *all;
  uw_table *numbers; /* statement -> its number, from 1 */
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
  statements *all = n->all;
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

/* What is kept in a slot is kept at the end of a phase, behind all branches; it joins the part that computes it. Nothing but loads
 * from and stores to a slot can touch it. */
static void keep_early(needs *n, size_t i) {
  statements *all = n->all;
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

/* Merges each part with those before it that it needs, and all between. Gives the number of parts that are left. */
static size_t merge(statements *all) {
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
  return parts;
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

/* `number` is the loop's own. */
static bool split(uw_arena *arena, MlirOperation loop, int64_t number) {
  statements all = {.arena = arena, .loop = loop};
  if (uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp"))
    return false;
  collect(&all, uw_block(loop, 0), (MlirOperation){NULL});
  for (size_t i = 1; i < all.count; i++)
    all.at[i].part = all.at[i - 1].part + !uw_same_op(all.at[i].narrow, all.at[i - 1].narrow);
  if (all.count == 0 || all.at[all.count - 1].part == 0)
    return false;
  size_t parts = merge(&all);
  if (parts < 2 || parts > MOST_PARTS || parts * uw_collect(arena, loop).count > MOST_COPIED)
    return false;
  for (size_t i = 0; i < all.count; i++)
    uw_set_attr(all.at[i].op, PART, uw_int_attr(mlirOperationGetContext(loop), 64, (int64_t)all.at[i].part));
  for (size_t i = 0; i < all.count; i++)
    if (!uw_null(all.at[i].narrow) && (i == 0 || !uw_same_op(all.at[i].narrow, all.at[i - 1].narrow)))
      uw_remark(mlirOperationGetLocation(all.at[i].narrow), "fission", "branch of few threads: in a thread loop of its own");
  for (size_t part = 0; part < parts; part++) {
    uw_builder b = uw_at(loop);
    MlirOperation copy = uw_clone(&b, loop, uw_map_create(arena));
    keep_part(arena, copy, part);
    uw_set_attr(copy, UW_PART_OF, uw_int_attr(b.context, 64, number));
  }
  mlirOperationDestroy(loop);
  return true;
}

uw_change uw_pass_fission(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  int64_t number = 0;
  for (size_t i = 0; i < loops.count; i++) {
    int64_t taken = uw_get_int_attr(loops.at[i], UW_PART_OF, -1);
    number = taken >= number ? taken + 1 : number;
  }
  for (size_t i = 0; i < loops.count; i++)
    if (uw_exchange_level(loops.at[i]) && split(ctx->arena, loops.at[i], number + (int64_t)i))
      change = UW_CHANGED;
  return change;
}
