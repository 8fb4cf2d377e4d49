/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The second part of vectorize-strided. Takes the iterations of a tree that vectorize_strided.c made vectors of together,
 * register by register of shared memory: what an iteration leaves there the next one finds in the register, not in
 * memory, to which a store takes longer than the iteration computes.
 *
 *   for (%t = 0 to 128 step 4) {                    for (%n = 0 to 32) {
 *     %v = load vector %s[4 %t]                       %v = load vector %s[16 %n]
 *     store f(%v), vector %s[4 %t]                    %w = f(%v)
 *   }                                       ==>       store g(%w), vector %s[16 %n]
 *   for (%t = 0 to 64 step 2) {                     }
 *     %w = load vector %s[8 %t]
 *     store g(%w), vector %s[8 %t]
 *   }
 *
 * An iteration after a branch whose first arm ends with an iteration (what blocks inside of the data do: split_interior.c),
 * or before one whose first arm begins with one, goes into both arms of it.
 *
 * Done for two such loops when a) they run equally often, a constant, from 0; b) between them, and in the branch
 * between them, there is nothing but pure operations and prefetches, or loops that never run; c) no access of the first
 * meets one of the second in another iteration, of which one is a store: both are in one shared array, at distances
 * that are constants (dependence.h), or one of them is to shared memory that nobody else leads a pointer to, and the
 * other is not.
 *
 * Legal because with c) the second loop's iteration reads and writes what the first loop's later iterations do not
 * write, or neither read nor write: it may run before them. What a loop stores that the fused one stores again at the
 * same address, without a load in between but those that get the value itself, is left out. So is what is stored to the
 * block's own memory last: no block begins with what another one left there.
 *
 * Requires: vectorize_strided.c. Preserves: the order of accesses to each address. Refuses: the rest, silently. */
#include "../../analysis/dependence.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "vectorize_strided.h"

enum { MOST_ACCESSES = 32 };

typedef struct place {
  MlirOperation op;
  MlirOperation root; /* what makes the memory, null if unknown */
  bool writes, exact; /* exact: a position in a shared array, as follows */
  int64_t from, bytes,
      apart; /* bytes from the array's start in the first iteration; of the access; from iteration to iteration */
} place;

typedef struct iterations {
  MlirOperation loop;
  int64_t count, step;
  place at[MOST_ACCESSES];
  size_t places;
} iterations;

static MlirValue index_of(MlirOperation loop) { return mlirBlockGetArgument(uw_block(loop, 0), 0); }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* Where in a shared array the access lies, whose every iteration stays inside of it. */
static void place_exactly(const iterations *r, MlirValue address, place *p) {
  uw_address at = uw_address_of(address);
  MlirOperation memory = uw_def(at.base);
  int64_t size;
  int64_t stride = uw_constant_stride(uw_stride_in(&at.offset, index_of(r->loop)));
  if (uw_kind(memory) != UW_OP_SHARED || !uw_const_value(uw_operand(memory, 0), &size) || !stride ||
      at.offset.count != 1)
    return;
  p->from = at.offset.constant;
  p->apart = stride * r->step;
  p->exact = p->from >= 0 && p->apart > 0 && p->apart <= size && r->count <= size &&
             p->from + (r->count - 1) * p->apart + p->bytes <= size;
}

static bool add_place(iterations *r, MlirOperation op) {
  if (r->places == MOST_ACCESSES)
    return false;
  place *p = &r->at[r->places++];
  bool masked = uw_string_is(uw_name(op), "llvm.intr.masked.load");
  *p = (place){.op = op, .writes = uw_kind(op) == UW_OP_LLVM_STORE};
  if (!masked && !uw_plain_access(op))
    return false;
  MlirValue address = uw_operand(op, p->writes);
  p->root = uw_address_root(address);
  p->bytes = (int64_t)uw_type_bytes(mlirValueGetType(p->writes ? uw_operand(op, 0) : uw_result(op, 0)));
  if (!masked)
    place_exactly(r, address, p);
  return true;
}

/* A loop of vectorize_strided.c's that runs a constant number of times. */
static bool read_iterations(MlirOperation loop, iterations *r) {
  int64_t lower, upper;
  *r = (iterations){.loop = loop};
  if (uw_kind(loop) != UW_OP_SCF_FOR || mlirAttributeIsNull(uw_get_attr(loop, UW_WINDOWS)) ||
      uw_result_count(loop) != 0 || !uw_const_value(uw_operand(loop, 0), &lower) ||
      !uw_const_value(uw_operand(loop, 1), &upper) || !uw_const_value(uw_operand(loop, 2), &r->step) || lower != 0 ||
      upper <= 0 || r->step <= 0 || upper % r->step != 0)
    return false;
  r->count = upper / r->step;
  uw_foreach_op (op, uw_block(loop, 0))
    if (uw_kind(op) != UW_OP_SCF_YIELD && !uw_speculatable(op) && !add_place(r, op))
      return false;
  return true;
}

static bool is_own_memory(MlirOperation root) {
  return uw_kind(root) == UW_OP_SHARED && !uw_is_captured(uw_result(root, 0));
}

/* Can the two never touch the same byte, of whatever iterations? */
static bool are_distinct(const place *a, const place *b) {
  return !uw_same_op(a->root, b->root) && (is_own_memory(a->root) || is_own_memory(b->root));
}

/* In which iterations of loops that run equally often may the two touch the same byte? */
static uw_dependence dependence_of(const iterations *r, const place *a, const place *b) {
  if (are_distinct(a, b))
    return (uw_dependence){.known = true};
  if (!a->exact || !b->exact || !uw_same_op(a->root, b->root))
    return (uw_dependence){.same = true, .others = true};
  const uw_dependence_axis axis = {.is_common = true,
                                   .a = {.known = true, .bytes = a->apart},
                                   .b = {.known = true, .bytes = b->apart},
                                   .count = r->count};
  return uw_dependence_of(&(uw_two_accesses){.axes = &axis,
                                             .count = 1,
                                             .gap = a->from - b->from,
                                             .bytes_a = (uint64_t)a->bytes,
                                             .bytes_b = (uint64_t)b->bytes,
                                             .exact = true});
}

static bool is_fusable(const iterations *first, const iterations *second) {
  bool shared = false;
  if (first->count != second->count || first->places + second->places > MOST_ACCESSES)
    return false;
  for (size_t i = 0; i < first->places; i++)
    for (size_t k = 0; k < second->places; k++) {
      const place *a = &first->at[i], *b = &second->at[k];
      uw_dependence between = dependence_of(first, a, b);
      if ((a->writes || b->writes) && between.others)
        return false;
      shared = shared || (a->writes && between.known && between.same);
    }
  return shared;
}

/* Runs never: a constant bound that is not above the lower one. */
static bool never_runs(MlirOperation op) {
  size_t dims = uw_kind(op) == UW_OP_SCF_FORALL ? uw_dims(op) : 0;
  for (size_t d = 0; d < dims; d++) {
    int64_t lower, upper;
    if (uw_const_value(uw_lower_of(op, d), &lower) && uw_const_value(uw_upper_of(op, d), &upper) && upper <= lower)
      return true;
  }
  return false;
}

/* Neither reads nor writes memory, nor gives anything but by its results. */
static bool is_harmless(MlirOperation op) {
  if (uw_result_count(op) == 0 && (never_runs(op) || uw_string_is(uw_name(op), "llvm.intr.prefetch")))
    return true;
  if (uw_region_count(op) == 0)
    return uw_speculatable(op);
  if (uw_result_count(op) != 0 || (uw_kind(op) != UW_OP_SCF_IF && uw_kind(op) != UW_OP_SCF_FOR))
    return false;
  for (unsigned r = 0; r < uw_region_count(op); r++) {
    if (!uw_block(op, r).ptr)
      continue;
    uw_foreach_op (inner, uw_block(op, r))
      if (uw_kind(inner) != UW_OP_SCF_YIELD && !is_harmless(inner))
        return false;
  }
  return true;
}

static MlirOperation skip_harmless(MlirOperation op) {
  while (!uw_null(op) && is_harmless(op)) /* a terminator may count as harmless */
    op = uw_next(op);
  return op;
}

/* A branch that only does something, in two arms. */
static bool is_branch(MlirOperation op) {
  return uw_kind(op) == UW_OP_SCF_IF && uw_result_count(op) == 0 && uw_block(op, 0).ptr && uw_block(op, 1).ptr;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

/* Puts what the operations between the two compute before the first. */
static void lift_between(uw_arena *arena, MlirOperation first, MlirOperation second) {
  uw_ops ops = {0};
  for (MlirOperation op = uw_next(first); !uw_same_op(op, second); op = uw_next(op))
    if (uw_region_count(op) == 0 && uw_speculatable(op))
      uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    uw_move_before(ops.at[i], first);
}

/* Makes the loop count its iterations by 1. */
static void count_by_one(iterations *r) {
  if (r->step == 1)
    return;
  uw_builder b = uw_at(r->loop);
  mlirOperationSetOperand(r->loop, 1, uw_const_index(&b, r->count));
  mlirOperationSetOperand(r->loop, 2, uw_const_index(&b, 1));
  MlirValue step = uw_const_index(&b, r->step);
  b = uw_at_start(uw_block(r->loop, 0), b.location);
  MlirValue index = uw_binary(&b, "arith.muli", index_of(r->loop), step);
  uw_replace_uses_inside(index_of(r->loop), index, r->loop);
  mlirOperationSetOperand(uw_def(index), 0, index_of(r->loop));
  r->step = 1;
}

static bool is_same_place(const place *a, const place *b) {
  return a->exact && b->exact && uw_same_op(a->root, b->root) && a->from == b->from && a->bytes == b->bytes &&
         a->apart == b->apart;
}

/* Gives loads what was stored at their address in the same iteration, and drops stores that a later one covers. */
static void forward(MlirOperation loop) {
  iterations r;
  if (!read_iterations(loop, &r))
    return;
  bool gone[MOST_ACCESSES] = {false};
  for (size_t i = 0; i < r.places; i++) {
    if (r.at[i].writes)
      continue;
    size_t k = i;
    while (k > 0 && !(r.at[k - 1].writes && dependence_of(&r, &r.at[k - 1], &r.at[i]).same))
      k--;
    if (k == 0 || !is_same_place(&r.at[k - 1], &r.at[i]))
      continue;
    MlirValue stored = uw_operand(r.at[k - 1].op, 0), loaded = uw_result(r.at[i].op, 0);
    if (!mlirTypeEqual(mlirValueGetType(stored), mlirValueGetType(loaded)))
      continue;
    uw_replace_uses(loaded, stored);
    gone[i] = true;
  }
  for (size_t i = 0; i < r.places; i++)
    for (size_t k = i + 1; r.at[i].writes && k < r.places; k++) {
      if (gone[k] || !dependence_of(&r, &r.at[i], &r.at[k]).same)
        continue;
      gone[i] = r.at[k].writes && is_same_place(&r.at[i], &r.at[k]);
      break;
    }
  for (size_t i = 0; i < r.places; i++)
    if (gone[i])
      uw_erase(r.at[i].op);
}

/* Does an operation inside, or this one, load from the memory, store to it, or hand it on? */
static bool uses(uw_arena *arena, MlirOperation op, MlirOperation memory) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; !uw_speculatable(ops.at[i]) && k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      if (mlirTypeIsALLVMPointerType(mlirValueGetType(value)) && uw_same_op(uw_address_root(value), memory))
        return true;
    }
  return false;
}

/* Is the memory used after the loop, before the block that it belongs to ends? */
static bool is_used_after(uw_arena *arena, MlirOperation loop, MlirOperation memory) {
  for (MlirOperation op = loop;; op = uw_parent(op)) {
    for (MlirOperation next = uw_next(op); !uw_null(next); next = uw_next(next))
      if (!never_runs(next) && uses(arena, next, memory))
        return true;
    if (mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(memory)))
      return false;
    if (uw_kind(uw_parent(op)) != UW_OP_SCF_IF)
      return true;
  }
}

/* Drops stores to a block's own shared memory that nobody loads from any more. */
static bool drop_last_stores(uw_arena *arena, MlirOperation loop) {
  iterations r;
  bool dropped = false;
  if (!read_iterations(loop, &r))
    return false;
  for (size_t i = 0; i < r.places; i++) {
    const place *store = &r.at[i];
    if (!store->writes || !is_own_memory(store->root) || !uw_is_over(uw_parent(store->root), UW_OVER_BLOCKS) ||
        is_used_after(arena, loop, store->root))
      continue;
    bool loaded = false;
    for (size_t k = 0; k < r.places; k++) {
      uw_dependence with = dependence_of(&r, store, &r.at[k]);
      loaded = loaded || (!r.at[k].writes && (with.others || (k > i && with.same)));
    }
    if (loaded)
      continue;
    uw_erase(store->op);
    dropped = true;
  }
  return dropped;
}

/* Takes the second loop, which stands behind the first, into it. */
static void fuse(uw_arena *arena, iterations *first, iterations *second) {
  count_by_one(first);
  count_by_one(second);
  lift_between(arena, first->loop, second->loop);
  uw_remark(mlirOperationGetLocation(second->loop), "vectorize-strided",
            "iterations over the same registers of shared memory are taken together");
  uw_builder b = uw_at_end(uw_block(first->loop, 0), mlirOperationGetLocation(first->loop));
  uw_map *map = uw_map_create(arena);
  uw_map_set(map, index_of(second->loop), index_of(first->loop));
  uw_foreach_op (op, uw_block(second->loop, 0))
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_clone(&b, op, map);
  mlirOperationDestroy(second->loop);
  forward(first->loop);
}

/* The branch that the loop is the last of the first arm of: takes the loop after it into both arms. */
static bool fuse_after(uw_arena *arena, iterations *first) {
  MlirBlock arm = mlirOperationGetBlock(first->loop);
  MlirOperation branch = uw_parent(first->loop), end = uw_last(arm), after = skip_harmless(uw_next(first->loop));
  iterations second;
  if (!is_branch(branch) || (!uw_null(after) && !uw_same_op(after, end)) || !mlirBlockEqual(arm, uw_block(branch, 0)))
    return false;
  MlirOperation next = skip_harmless(uw_next(branch));
  if (uw_null(next) || !read_iterations(next, &second) || !is_fusable(first, &second))
    return false;
  lift_between(arena, branch, next);
  uw_builder b = uw_at_end(uw_block(branch, 1), mlirOperationGetLocation(next));
  uw_clone(&b, next, uw_map_create(arena));
  uw_move_to_end(next, arm);
  fuse(arena, first, &second);
  return true;
}

/* The loop before a branch whose first arm begins with one: goes into both arms. */
static bool fuse_into(uw_arena *arena, iterations *first, MlirOperation branch) {
  iterations second;
  if (!is_branch(branch))
    return false;
  MlirOperation next = skip_harmless(uw_first(uw_block(branch, 0)));
  if (!read_iterations(next, &second) || !is_fusable(first, &second))
    return false;
  uw_builder b = uw_at(uw_first(uw_block(branch, 1)));
  uw_clone(&b, first->loop, uw_map_create(arena));
  uw_move_before(first->loop, next);
  fuse(arena, first, &second);
  return true;
}

static bool fuse_once(uw_arena *arena, MlirOperation loop) {
  iterations first, second;
  if (!read_iterations(loop, &first))
    return false;
  MlirOperation next = skip_harmless(uw_next(loop));
  if (read_iterations(next, &second) && is_fusable(&first, &second)) {
    fuse(arena, &first, &second);
    return true;
  }
  return fuse_into(arena, &first, next) || fuse_after(arena, &first);
}

uw_change uw_fuse_strided(uw_arena *arena, MlirOperation root) {
  uw_change change = UW_SAME;
  for (bool again = true; again;) { /* a loop that was taken into another one is no more */
    again = false;
    uw_ops loops = uw_collect_kind(arena, root, UW_OP_SCF_FOR);
    for (size_t i = 0; i < loops.count && !again; i++)
      again = fuse_once(arena, loops.at[i]);
    change = again ? UW_CHANGED : change;
  }
  uw_ops loops = uw_collect_kind(arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++)
    if (drop_last_stores(arena, loops.at[i]))
      change = UW_CHANGED;
  return change;
}
