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
 * apart into loads and stores.
 *
 * Requires: nothing. Preserves: each lane's order; programs without such pairs, as they are. Refuses: barriers in loops
 * that wait (raise/waits.c) for what they do not write to themselves: what one lane waits for there another one is not
 * held back from. */
#include "../../analysis/dry_run.h"
#include "../../analysis/exchange.h"
#include "../../analysis/lane_pairs.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../passes.h"

#define NAME "lockstep"

typedef struct placing {
  uw_arena *arena;
  uw_lane_pairs pairs;
  uw_table *paired;  /* operations that are part of a pair */
  uw_table *placed;  /* operations that have a barrier in front of them */
  uw_ops places;     /* the same */
  uw_ops because_of; /* for each of them: the first access; */
  uw_ops before;     /* the second one */
} placing;

/* The accesses of a thread since it last met the others of its warp. */
typedef struct open_set {
  uw_ops ops;
} open_set;

static void open_push(placing *p, open_set *open, MlirOperation op) {
  if (!uw_ops_have(&open->ops, op))
    uw_ops_push(p->arena, &open->ops, op);
}

static void open_join(placing *p, open_set *open, const open_set *other) {
  for (size_t i = 0; i < other->ops.count; i++)
    open_push(p, open, other->ops.at[i]);
}

static open_set copy_of(placing *p, const open_set *open) {
  open_set copy = {0};
  open_join(p, &copy, open);
  return copy;
}

/* An open access that op, or one inside of it, makes a pair with. */
static bool find_pair(const placing *p, const open_set *open, MlirOperation op, uw_lane_pair *found) {
  for (size_t i = 0; i < p->pairs.count; i++) {
    uw_lane_pair pair = p->pairs.at[i];
    if (!uw_inside(pair.second, op))
      continue;
    for (size_t k = 0; k < open->ops.count; k++)
      if (uw_same_op(open->ops.at[k], pair.first)) {
        *found = pair;
        return true;
      }
  }
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

static void go_through(placing *p, MlirBlock block, open_set *open, bool held);

/* Iteration after iteration: what an iteration leaves open is open at the start of the next one. */
static void go_round(placing *p, MlirOperation loop, open_set *open, bool held) {
  bool is_while = uw_kind(loop) == UW_OP_SCF_WHILE;
  open_set around = copy_of(p, open), at_exit = {0};
  for (size_t iteration = 0; iteration < 2; iteration++) {
    open_set now = copy_of(p, &around);
    go_through(p, uw_block(loop, 0), &now, held);
    if (is_while) {
      at_exit = copy_of(p, &now);
      go_through(p, uw_block(loop, 1), &now, held);
    }
    open_join(p, &around, &now);
    if (!is_while)
      at_exit = copy_of(p, &around);
  }
  *open = at_exit;
}

/* held: no barrier may stand here. */
static void go_through(placing *p, MlirBlock block, open_set *open, bool held) {
  if (mlirBlockIsNull(block))
    return;
  uw_foreach_op (op, block) {
    uw_lane_pair pair;
    if (uw_is_exchange(op, "warp") || uw_is_exchange(op, "block")) {
      *open = (open_set){0};
      continue;
    }
    bool placed = uw_table_get(p->placed, op.ptr);
    if (!held && (placed || find_pair(p, open, op, &pair))) {
      if (!placed)
        place(p, op, &pair);
      *open = (open_set){0};
    }
    if (uw_table_get(p->paired, op.ptr))
      open_push(p, open, op);
    switch (uw_kind(op)) {
    case UW_OP_SCF_WHILE: go_round(p, op, open, held || uw_lanes_come_singly(op)); break;
    case UW_OP_SCF_FOR: go_round(p, op, open, held); break;
    default: {
      if (mlirOperationGetNumRegions(op) == 0)
        break;
      open_set before = copy_of(p, open), after = {0};
      bool falls_through = uw_kind(op) == UW_OP_SCF_IF && mlirBlockIsNull(uw_block(op, 1));
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        open_set arm = copy_of(p, &before);
        go_through(p, uw_block(op, (unsigned)r), &arm, held);
        open_join(p, &after, &arm);
      }
      if (falls_through)
        open_join(p, &after, &before);
      *open = after;
    }
    }
  }
}

static const char *what(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_LOAD ? "read" : "written"; }

static void remark(placing *p, size_t place) {
  MlirOperation first = p->because_of.at[place], second = p->before.at[place];
  MlirLocation here = mlirOperationGetLocation(second);
  const char *line = uw_remark_line(p->arena, here, mlirOperationGetLocation(first));
  uw_remark(here, NAME,
            "lanes of a warp run in step: what is %s here another lane has %s at %s, with no __syncwarp() in between",
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

/* The shapes in which this kernel is launched here, if there are any and all are known. The own one of a launch comes
 * alone. */
static bool find_shapes(const uw_ops *loops, MlirOperation loop, uw_block_shapes *found) {
  *found = (uw_block_shapes){.count = 0};
  if (uw_known_shape(loop, found->at[0])) {
    found->count = 1;
    return true;
  }
  MlirStringRef kernel = uw_get_str_attr(loop, UW_KERNEL);
  for (size_t i = 0; i < loops->count && kernel.data; i++) {
    MlirStringRef other = uw_get_str_attr(loops->at[i], UW_KERNEL);
    int64_t shape[3];
    /* Entries are what is asked about: their shapes are not known. */
    if (!other.data || !mlirStringRefEqual(kernel, other) || !uw_known_shape(loops->at[i], shape) ||
        found->count == UW_MOST_SHAPES)
      continue;
    for (size_t d = 0; d < 3; d++)
      found->at[found->count][d] = shape[d];
    found->count++;
  }
  return found->count > 0;
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

static bool keep_in_step(uw_arena *arena, const uw_ops *loops, MlirOperation loop, bool *any_pairs) {
  uw_block_shapes shapes;
  bool launched = find_shapes(loops, loop, &shapes);
  placing p = {.arena = arena, .paired = uw_table_create(arena), .placed = uw_table_create(arena)};
  uw_lane_pairs_of(arena, loop, launched ? &shapes : NULL, &p.pairs);
  if (take_copies_apart(arena, &p.pairs)) {
    p.pairs = (uw_lane_pairs){0};
    uw_lane_pairs_of(arena, loop, launched ? &shapes : NULL, &p.pairs);
  }
  *any_pairs = p.pairs.count != 0;
  if (p.pairs.count == 0)
    return false;
  for (size_t i = 0; i < p.pairs.count; i++) {
    uw_table_set(p.paired, p.pairs.at[i].first.ptr, 1);
    uw_table_set(p.paired, p.pairs.at[i].second.ptr, 1);
  }
  go_through(&p, uw_block(loop, 0), &(open_set){0}, false);
  for (size_t i = 0; i < p.places.count; i++) {
    uw_builder b = uw_at(p.places.at[i]);
    uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "warp")}));
    remark(&p, i);
  }
  return p.places.count > 0;
}

uw_change uw_pass_lockstep(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_level(ctx->arena, root, "block");
  bool *any_pairs = uw_alloc(ctx->arena, loops.count + 1);
  for (size_t i = 0; i < loops.count; i++) {
    uw_arena *arena = uw_arena_create();
    if (!is_free(&loops, any_pairs, i) && keep_in_step(arena, &loops, loops.at[i], &any_pairs[i]))
      change = UW_CHANGED;
    uw_arena_destroy(arena);
  }
  for (size_t i = 0; i < loops.count; i++)
    if (uw_get_str_attr(loops.at[i], UW_KERNEL).data)
      uw_remove_attr(loops.at[i], UW_KERNEL);
  return change;
}
