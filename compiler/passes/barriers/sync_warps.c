/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the lanes of a warp run in step where a kernel counts on that: puts a barrier of the warp between two accesses
 * of different lanes that meet in memory without one (analysis/lane_pairs.h).
 *
 *   %b = load volatile %s[%t + 16]               %b = load volatile %s[%t + 16]
 *   %a = load volatile %s[%t]                    %a = load volatile %s[%t]
 *   %c = addi %a, %b                     ==>     %c = addi %a, %b
 *   store volatile %c, %s[%t]                    barrier {level = "warp"}
 *   %d = load volatile %s[%t + 8]                store volatile %c, %s[%t]
 *                                                barrier {level = "warp"}
 *                                                %d = load volatile %s[%t + 8]
 *
 * So lanes that go the same way do so statement by statement: all load, then all store. A barrier stands as late as it
 * may, and so serves as many pairs as it can, but in front of a loop or a branch that has the second access of a pair
 * with what is before it. Where lanes part, those that take part are in step (mask.c). A copy of a structure is taken
 * apart into loads and stores. Where the rows of a block end within warps, a row has lanes in two of them, and these
 * go nearly together on a GPU: the barrier is one of the block.
 *
 * Requires: nothing. Preserves: each lane's order; programs without such pairs, as they are. Refuses: barriers in loops
 * that wait (raise/waiting_blocks.c) for what they do not write to themselves: what one lane waits for there another one is not
 * held back from. */
#include "../../analysis/dry_run.h"
#include "../../analysis/exchange.h"
#include "../../analysis/lane_pairs.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../passes.h"

#include <string.h>

#define NAME "sync-warps"

/* Accesses, by their numbers: those of a thread since it last met the others of its warp, or some of a pair. */
typedef uint64_t *access_set;
enum { BITS = 64 /* bound: of a word */ };

typedef struct placing {
  uw_arena *arena;
  uw_ops accesses;       /* that are part of a pair */
  uw_table *numbers;     /* of them, from 1 */
  size_t words;          /* of a set of them */
  access_set *firsts_of; /* of each as the second one of pairs: the first ones; null if there are none */
  uw_table *placed;      /* operations that have a barrier in front of them */
  uw_ops places;         /* the same */
  uw_ops because_of;     /* for each of them: the first access; */
  uw_ops before;         /* the second one */
  uw_table *left;        /* loops: what their iterations leave open, as access_set */
  bool again;            /* is there more of that than at the start of this round? */
} placing;

static access_set no_access(placing *p) { return uw_alloc(p->arena, p->words * sizeof(uint64_t)); }

/* True if there is more in the set now. */
static bool join_set(const placing *p, access_set set, const uint64_t *other) {
  bool more = false;
  for (size_t w = 0; w < p->words; w++) {
    more = more || other[w] & ~set[w];
    set[w] |= other[w];
  }
  return more;
}

static void empty_set(const placing *p, access_set set) { memset(set, 0, p->words * sizeof *set); }

static access_set copy_of(placing *p, const uint64_t *set) {
  access_set copy = no_access(p);
  join_set(p, copy, set);
  return copy;
}

static void add_access(access_set set, size_t index) { set[index / BITS] |= UINT64_C(1) << index % BITS; }

static size_t number_access(placing *p, MlirOperation op) {
  size_t number = (size_t)uw_table_get(p->numbers, op.ptr);
  if (!number) {
    uw_ops_push(p->arena, &p->accesses, op);
    uw_table_set(p->numbers, op.ptr, (intptr_t)(number = p->accesses.count));
  }
  return number - 1;
}

static void number_pairs(placing *p, const uw_lane_pairs *pairs) {
  for (size_t i = 0; i < pairs->count; i++) {
    number_access(p, pairs->at[i].first);
    number_access(p, pairs->at[i].second);
  }
  p->words = p->accesses.count / BITS + 1;
  p->firsts_of = uw_alloc(p->arena, p->accesses.count * sizeof *p->firsts_of);
  for (size_t i = 0; i < pairs->count; i++) {
    access_set *firsts = &p->firsts_of[number_access(p, pairs->at[i].second)];
    if (!*firsts)
      *firsts = no_access(p);
    add_access(*firsts, number_access(p, pairs->at[i].first));
  }
}

/* An open access that this one makes a pair with. */
static bool find_first(const placing *p, const uint64_t *open, size_t second, uw_lane_pair *found) {
  const uint64_t *firsts = p->firsts_of[second];
  for (size_t w = 0; firsts && w < p->words; w++)
    if (open[w] & firsts[w]) {
      size_t first = w * BITS + (size_t)__builtin_ctzll(open[w] & firsts[w]);
      *found = (uw_lane_pair){p->accesses.at[first], p->accesses.at[second]};
      return true;
    }
  return false;
}

/* An open access that op, or one inside of it, makes a pair with. */
static bool find_pair(const placing *p, const uint64_t *open, MlirOperation op, uw_lane_pair *found) {
  size_t number = (size_t)uw_table_get(p->numbers, op.ptr);
  if (uw_region_count(op) == 0)
    return number && find_first(p, open, number - 1, found);
  for (size_t i = 0; i < p->accesses.count; i++)
    if (uw_inside(p->accesses.at[i], op) && find_first(p, open, i, found))
      return true;
  return false;
}

static void place(placing *p, MlirOperation op, const uw_lane_pair *pair) {
  if (uw_table_get(p->placed, op.ptr))
    return;
  uw_table_set(p->placed, op.ptr, 1);
  uw_ops_push(p->arena, &p->places, op);
  uw_ops_push(p->arena, &p->because_of, pair->first);
  uw_ops_push(p->arena, &p->before, pair->second);
}

static void go_through(placing *p, MlirBlock block, access_set open, bool held);

/* What the iterations of a loop have left open, in the rounds so far. */
static access_set left_by(placing *p, MlirOperation loop) {
  if (!uw_table_get(p->left, loop.ptr))
    uw_table_set(p->left, loop.ptr, (intptr_t)no_access(p));
  return (access_set)uw_table_get(p->left, loop.ptr);
}

/* What an iteration leaves open is open at the start of the next one. That is seen in the next round over the whole, so
 * that loops in loops are gone through once in each round. */
static void go_round(placing *p, MlirOperation loop, access_set open, bool held) {
  access_set left = left_by(p, loop), now = copy_of(p, open);
  join_set(p, now, left);
  go_through(p, uw_block(loop, 0), now, held);
  if (uw_kind(loop) == UW_OP_SCF_WHILE) { /* left from there */
    empty_set(p, open);
    join_set(p, open, now);
    go_through(p, uw_block(loop, 1), now, held);
  } else { /* or from its start, or after an iteration */
    join_set(p, open, left);
    join_set(p, open, now);
  }
  p->again |= join_set(p, left, now);
}

static void go_through_arms(placing *p, MlirOperation op, access_set open, bool held) {
  access_set before = copy_of(p, open);
  bool falls_through = uw_kind(op) == UW_OP_SCF_IF && mlirBlockIsNull(uw_block(op, 1));
  if (!falls_through)
    empty_set(p, open);
  for (intptr_t r = 0; r < uw_region_count(op); r++) {
    access_set arm = copy_of(p, before);
    go_through(p, uw_block(op, (unsigned)r), arm, held);
    join_set(p, open, arm);
  }
}

/* held: no barrier may stand here. */
static void go_through(placing *p, MlirBlock block, access_set open, bool held) {
  if (mlirBlockIsNull(block))
    return;
  uw_foreach_op (op, block) {
    uw_lane_pair pair;
    if (uw_is_exchange(op, "warp") || uw_is_exchange(op, "block")) {
      empty_set(p, open);
      continue;
    }
    bool placed = uw_table_get(p->placed, op.ptr);
    if (!held && (placed || find_pair(p, open, op, &pair))) {
      if (!placed)
        place(p, op, &pair);
      empty_set(p, open);
    }
    if (uw_table_get(p->numbers, op.ptr))
      add_access(open, (size_t)uw_table_get(p->numbers, op.ptr) - 1);
    switch (uw_kind(op)) {
    case UW_OP_SCF_WHILE: go_round(p, op, open, held || uw_lanes_come_singly(op)); break;
    case UW_OP_SCF_FOR: go_round(p, op, open, held); break;
    default:
      if (uw_region_count(op))
        go_through_arms(p, op, open, held);
    }
  }
}

static const char *what(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_LOAD ? "read" : "written"; }

static void remark(uw_arena *arena, MlirOperation first, MlirOperation second, const char *said) {
  MlirLocation here = mlirOperationGetLocation(second);
  const char *line = uw_remark_line(arena, here, mlirOperationGetLocation(first));
  uw_remark(here, NAME, "%s: what is %s here another lane has %s at %s, with no __syncwarp() in between", said,
            what(second), what(first), line);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static MlirValue piece(uw_builder *b, MlirValue address, int64_t at) {
  return uw_add_bytes(b, address, uw_const_int(b, 64, at));
}

/* A structure's assignment is one operation. In step all lanes load, then all store: it becomes loads and stores. */
static void take_apart(uw_arena *arena, MlirOperation copy) {
  enum { LARGEST = 8 /* bound: bytes of an integer */ };
  uw_builder b = uw_at(copy);
  MlirAttribute is_volatile = uw_get_attr(copy, "isVolatile");
  bool kept =
      !mlirAttributeIsNull(is_volatile) && mlirAttributeIsABool(is_volatile) && mlirBoolAttrGetValue(is_volatile);
  int64_t bytes = 0, each;
  uw_const_value(uw_operand(copy, 2), &bytes);
  uw_vals values = {0};
  for (int64_t at = 0; at < bytes; at += each) {
    for (each = LARGEST; each > bytes - at;)
      each /= 2;
    MlirValue value = uw_build1(&b, "llvm.load", .in = VALS(piece(&b, uw_operand(copy, 1), at)),
                                .out = TYPES(uw_int_type(b.context, (unsigned)(8 * each))),
                                .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, 1)}));
    if (kept)
      uw_set_attr(uw_def(value), "volatile_", mlirUnitAttrGet(b.context));
    uw_vals_push(arena, &values, value);
  }
  int64_t at = 0;
  for (size_t i = 0; i < values.count; i++) {
    MlirOperation store = uw_build(&b, "llvm.store", .in = VALS(values.at[i], piece(&b, uw_operand(copy, 0), at)),
                                   .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, 1)}));
    if (kept)
      uw_set_attr(store, "volatile_", mlirUnitAttrGet(b.context));
    at += (int64_t)uw_type_bytes(mlirValueGetType(values.at[i]));
  }
  uw_erase(copy);
}

/* Copies that are both accesses of a pair. True if there were any: then the pairs have to be found again. */
static bool take_copies_apart(uw_arena *arena, const uw_lane_pairs *pairs) {
  uw_ops copies = {0};
  uw_table *seen = uw_table_create(arena);
  for (size_t i = 0; i < pairs->count; i++) {
    MlirOperation op = pairs->at[i].first;
    bool copy = uw_name_starts(op, "llvm.intr.memcpy") || uw_name_starts(op, "llvm.intr.memmove");
    if (!copy || !uw_same_op(op, pairs->at[i].second) || uw_table_get(seen, op.ptr))
      continue;
    uw_table_set(seen, op.ptr, 1);
    uw_ops_push(arena, &copies, op);
  }
  for (size_t i = 0; i < copies.count; i++)
    take_apart(arena, copies.at[i]);
  return copies.count > 0;
}

/* --- one loop ----------------------------------------------------------------------------------------------------- */

static bool is_launched_in_place(MlirOperation loop) { return !uw_null(uw_parent_of_kind(loop, UW_OP_LLVM_FUNC)); }

/* The shapes in which this kernel is launched: a launch has its own; an entry, which others may come to, those of all
 * launches that are seen. */
static uw_block_shapes find_shapes(const uw_ops *loops, MlirOperation loop) {
  uw_block_shapes found = {.count = 0};
  MlirStringRef kernel = uw_get_str_attr(loop, UW_KERNEL);
  if (uw_known_shape(loop, found.at[0])) {
    found.count = 1;
    return found;
  }
  found.others = is_launched_in_place(loop) || !kernel.data;
  for (size_t i = 0; i < loops->count && !found.others; i++) {
    MlirOperation other = loops->at[i];
    MlirStringRef name = uw_get_str_attr(other, UW_KERNEL);
    if (!name.data || !mlirStringRefEqual(kernel, name) || !is_launched_in_place(other))
      continue;
    if (found.count == UW_MOST_SHAPES || !uw_known_shape(other, found.at[found.count]))
      found.others = true;
    else
      found.count++;
  }
  found.others = found.others || !found.count;
  return found;
}

static bool is_in_replay(MlirOperation op) {
  while (!uw_null(op) && mlirAttributeIsNull(uw_get_attr(op, UW_REPLAY)))
    op = uw_parent(op);
  return !uw_null(op);
}

/* A kernel is there once more to be replayed when a block of it faults. Lanes need not be in step there if they need
 * not in any other form of it. */
static bool is_free(const uw_ops *loops, const bool *any_pairs, size_t number) {
  MlirStringRef kernel = uw_get_str_attr(loops->at[number], UW_KERNEL);
  bool any = false, seen = false;
  for (size_t i = 0; i < number && kernel.data; i++) {
    MlirStringRef other = uw_get_str_attr(loops->at[i], UW_KERNEL);
    bool same = other.data && mlirStringRefEqual(kernel, other);
    seen = seen || same;
    any = any || (same && any_pairs[i]);
  }
  return seen && !any && is_in_replay(loops->at[number]);
}

/* Where lanes are not kept in step. */
static void remark_waits(uw_arena *arena, MlirOperation loop) {
  uw_ops loops = uw_collect_kind(arena, loop, UW_OP_SCF_WHILE);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_lanes_come_singly(loops.at[i]))
      uw_remark(
          mlirOperationGetLocation(loops.at[i]), NAME,
          "lanes of a warp do not run in step in this loop, which waits for others, nor after it until they meet");
}

/* Where some wait for others, a barrier of the block might hold back whom they wait for. */
static bool any_waits(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_attr_is_str(ops.at[i], "callee", "uwrt_yield") || uw_attr_is_str(ops.at[i], "callee", "uwrt_stuck"))
      return true;
  return false;
}

static bool keep_in_step(uw_arena *arena, const uw_ops *loops, MlirOperation loop, bool *any_pairs) {
  uw_block_shapes shapes = find_shapes(loops, loop);
  uw_lane_pairs pairs = {0};
  uw_lane_pairs_of(arena, loop, &shapes, &pairs);
  bool apart = take_copies_apart(arena, &pairs);
  if (apart) {
    pairs = (uw_lane_pairs){0};
    uw_lane_pairs_of(arena, loop, &shapes, &pairs);
  }
  *any_pairs = pairs.count != 0;
  remark_waits(arena, loop);
  if (pairs.count == 0)
    return apart;
  placing p = {.arena = arena,
               .numbers = uw_table_create(arena),
               .placed = uw_table_create(arena),
               .left = uw_table_create(arena)};
  number_pairs(&p, &pairs);
  do {
    p.again = false;
    go_through(&p, uw_block(loop, 0), no_access(&p), false);
  } while (p.again);
  bool by_rows = uw_rows_end_in_warps(loop) && !any_waits(arena, loop);
  for (size_t i = 0; i < p.places.count; i++) {
    uw_builder b = uw_at(p.places.at[i]);
    uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, by_rows ? "block" : "warp")}));
    remark(arena, p.because_of.at[i], p.before.at[i],
           by_rows ? "warps of a block run in step, as rows of threads end within warps"
                   : "lanes of a warp run in step");
  }
  return apart || p.places.count > 0;
}

uw_change uw_pass_sync_warps(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  bool *any_pairs = uw_alloc(ctx->arena, loops.count + 1);
  for (size_t i = 0; i < loops.count; i++) {
    uw_arena *arena = uw_arena_create();
    if (!is_free(&loops, any_pairs, i) && keep_in_step(arena, &loops, loops.at[i], &any_pairs[i]))
      change = UW_CHANGED;
    uw_arena_destroy(arena);
  }
  for (size_t i = 0; i < loops.count; i++)
    if (uw_get_str_attr(loops.at[i], UW_KERNEL).data) {
      uw_remove_attr(loops.at[i], UW_KERNEL);
      change = UW_CHANGED;
    }
  return change;
}
