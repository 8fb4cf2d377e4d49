/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches memory ahead of its use in three forms: short rows of distant lines (prefetch_rows.c), what comes next in
 * loops over the grid and from block to block (prefetch_next.c), and this one, indices in memory.
 *
 * Asks for what the threads of a block will touch through indices in memory before they run. A GPU hides the time that
 * such accesses take after other warps. A CPU's window ends at an atomic operation, or at a branch that waits for what
 * was loaded: graph traversal takes each miss after the other.
 *
 *   parallel %t {                                           parallel %t { prefetch &%rows[%node[%t]] }
 *     for (%k = %rows[%node[%t]] …) {                       parallel %t { prefetch &%edges[%rows[%node[%t]]] }
 *       %n = %edges[%k]                              ==>    parallel %t { for (%k = %rows[%node[%t]] …)
 *       if (%seen[%n] == 0) { atomic … } } }                                 prefetch &%seen[%edges[%k]] }
 *                                                           parallel %t { as it was }
 *
 * Done when a) the thread loop holds no exchange any more; b) in it, perhaps under conditions, stands a for without a
 * loop inside, which loads a value and touches memory there; c) what was loaded there decides a branch, or the for
 * holds an atomic operation;
 * d) what leads to the addresses is pure, or plain loads of what nothing in the thread loop may write
 * (analysis/effects.h), which every thread makes that comes by. At run time it is done where there are UW_FEWEST_PARTS
 * blocks at least: small grids mean small data.
 *
 * Legal because prefetching has no effect, whatever the address, and the loads that lead there are those that the
 * threads make anyway, of memory that does not change before they make them. Requires: barriers lowered, for loops made
 * (while-to-for). Preserves: all effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "prefetch.h"

enum { MOST_DEPTH = 30, MOST_STEPS = 500 };

typedef struct prefetching {
  uw_arena *arena;
  MlirOperation threads, loop; /* loop: the for */
  uw_effects *effects;
  uw_accesses inside; /* of the thread loop */
  uw_vals targets;    /* addresses in the for that depend on a load in it */
} prefetching;

static MlirValue counter_of(const prefetching *p) { return mlirBlockGetArgument(uw_block(p->loop, 0), 0); }

static bool is_unchanged_load(const prefetching *p, MlirOperation op) {
  if (uw_kind(op) != UW_OP_LLVM_LOAD || !uw_plain_access(op))
    return false;
  uw_accesses own = {0};
  uw_effects_inside(p->effects, op, &own);
  return own.count == 1 && !uw_is_overwritten(p->effects, &p->inside, &own.at[0]);
}

/* What a value is computed from. */
typedef struct sources {
  size_t loads;        /* loads on the way, at most one after the other: how many are waited for */
  bool counter, inner; /* the for's counter; a load in the for's body */
} sources;

static bool search_sources(const prefetching *p, MlirValue value, sources *s, int depth, int *steps) {
  MlirOperation op = uw_def(value);
  *s = (sources){0};
  if (!uw_defined_inside(value, p->threads) ||
      (uw_null(op) && mlirBlockEqual(uw_value_block(value), uw_block(p->threads, 0))))
    return true; /* a thread's index among them */
  if (uw_same(value, counter_of(p)))
    return s->counter = true;
  if (uw_null(op))
    return false;
  bool load = is_unchanged_load(p, op), in_for = uw_inside(op, p->loop);
  if (depth == 0 || (*steps)-- <= 0 || uw_region_count(op) != 0 || (!load && !uw_speculatable(op)) ||
      (in_for && !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(p->loop, 0)) && load))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    sources own;
    if (!search_sources(p, uw_operand(op, i), &own, depth - 1, steps))
      return false;
    s->loads = own.loads > s->loads ? own.loads : s->loads;
    s->counter = s->counter || own.counter;
    s->inner = s->inner || own.inner;
  }
  if (load && in_for && !s->counter) /* not made where there is no iteration */
    return false;
  s->loads += load;
  s->inner = s->inner || (load && in_for && s->counter);
  return true;
}

/* False where it is not known, or would take long to find: what is shared is come by for each way to it. */
static bool find_sources(const prefetching *p, MlirValue value, sources *s) {
  int steps = MOST_STEPS;
  return search_sources(p, value, s, MOST_DEPTH, &steps);
}

static bool is_atomic(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG;
}

/* Does a condition in the for depend on what is loaded from one of the targets? */
static bool depends_on(uw_table *seen, MlirValue value, MlirOperation load) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_table_get(seen, op.ptr))
    return false;
  uw_table_set(seen, op.ptr, 1);
  if (uw_same_op(op, load))
    return true;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (depends_on(seen, uw_operand(op, i), load))
      return true;
  return false;
}

/* Conditions around the for, and its bounds, can be computed beforehand. */
static bool path_is_known(const prefetching *p) {
  sources s;
  for (size_t i = 0; i < 3; i++)
    if (!find_sources(p, uw_operand(p->loop, i), &s))
      return false;
  for (MlirOperation around = uw_parent(p->loop); !uw_same_op(around, p->threads); around = uw_parent(around))
    if (uw_kind(around) != UW_OP_SCF_IF || !find_sources(p, uw_operand(around, 0), &s))
      return false;
  return true;
}

static bool find_targets(prefetching *p) {
  uw_ops ops = uw_collect(p->arena, p->loop);
  bool waits = false;
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    if (kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_LLVM_CALL)
      return false;
    waits = waits || is_atomic(ops.at[i]);
  }
  for (size_t i = 0; i < ops.count; i++) {
    bool load = uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD, store = uw_kind(ops.at[i]) == UW_OP_LLVM_STORE;
    sources s;
    if (!load && !store && !is_atomic(ops.at[i]))
      continue;
    MlirValue address = uw_operand(ops.at[i], store);
    if (!find_sources(p, address, &s) || !s.inner)
      continue;
    if (p->targets.count < UW_PREFETCH_MOST)
      uw_vals_push_new(p->arena, &p->targets, address);
    for (size_t k = 0; load && k < ops.count && !waits; k++)
      waits = uw_kind(ops.at[k]) == UW_OP_SCF_IF &&
              depends_on(uw_table_create(p->arena), uw_operand(ops.at[k], 0), ops.at[i]);
  }
  return p->targets.count > 0 && waits;
}

/* --- the loops that ask ------------------------------------------------------------------------------------------- */

typedef struct asking {
  const prefetching *p;
  uw_builder b;
  uw_map *map; /* from the thread loop to the new one */
} asking;

static MlirValue again(asking *a, MlirValue value) {
  MlirValue known = uw_map_get(a->map, value);
  if (known.ptr || !uw_defined_inside(value, a->p->threads))
    return known.ptr ? known : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    again(a, uw_operand(op, i));
  uw_clone(&a->b, op, a->map);
  return uw_map_get(a->map, value);
}

static void ask_for(asking *a, MlirValue address) {
  MlirValue place = again(a, address);
  uw_build_prefetch(&a->b, place, false);
}

/* Goes into branch, or into the loop around it first. */
static void enter(asking *a, MlirOperation at) {
  MlirOperation around = uw_parent(at);
  if (uw_same_op(around, a->p->threads))
    return;
  enter(a, around);
  MlirOperation branch = uw_build_branch(&a->b, again(a, uw_operand(around, 0)));
  bool in_then = mlirBlockEqual(mlirOperationGetBlock(at), uw_block(around, 0));
  a->b = uw_at_end(uw_block(branch, in_then ? 0 : 1), a->b.location);
}

static asking start_loop(const prefetching *p, uw_builder *at) {
  MlirOperation loop = uw_parallel_like(at, p->threads);
  asking a = {p, uw_at_end(uw_block(loop, 0), at->location), uw_map_create(p->arena)};
  for (intptr_t d = 0; d < mlirBlockGetNumArguments(uw_block(p->threads, 0)); d++)
    uw_map_set(a.map, mlirBlockGetArgument(uw_block(p->threads, 0), d), mlirBlockGetArgument(uw_block(loop, 0), d));
  enter(&a, p->loop);
  return a;
}

/* Pushes the addresses of loads that value waits for and that depend on loads themselves. */
static void waited_for(const prefetching *p, uw_table *seen, MlirValue value, uw_vals *addresses) {
  MlirOperation op = uw_def(value);
  sources s;
  if (uw_null(op) || !uw_defined_inside(value, p->threads) || uw_table_get(seen, op.ptr))
    return;
  uw_table_set(seen, op.ptr, 1);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    waited_for(p, seen, uw_operand(op, i), addresses);
  if (uw_kind(op) == UW_OP_LLVM_LOAD && find_sources(p, uw_operand(op, 0), &s) && s.loads > 0)
    uw_vals_push_new(p->arena, addresses, uw_operand(op, 0));
}

static void build(const prefetching *p) {
  uw_builder b = uw_at(p->threads);
  MlirOperation grid = uw_parent(p->threads);
  b.location = mlirOperationGetLocation(p->loop);
  MlirValue many = uw_compare(&b, UW_UGE, uw_count_blocks(&b, grid), uw_const_index(&b, UW_FEWEST_PARTS));
  MlirOperation branch = uw_build_branch(&b, many);
  uw_builder in = uw_at_end(uw_block(branch, 0), b.location);

  uw_vals bounds = {0}, first = {0};
  uw_table *seen = uw_table_create(p->arena);
  for (size_t i = 0; i < 2; i++)
    waited_for(p, seen, uw_operand(p->loop, i), &bounds);
  if (bounds.count) {
    asking a = start_loop(p, &in);
    for (size_t i = 0; i < bounds.count; i++)
      ask_for(&a, bounds.at[i]);
  }
  for (size_t i = 0; i < p->targets.count;
       i++) { /* the loads in the for that the targets wait for, in its first iteration */
    uw_ops loads = uw_collect_kind(p->arena, p->loop, UW_OP_LLVM_LOAD);
    for (size_t k = 0; k < loads.count; k++) {
      sources s;
      if (find_sources(p, uw_operand(loads.at[k], 0), &s) && s.counter && !s.inner &&
          depends_on(uw_table_create(p->arena), p->targets.at[i], loads.at[k]))
        uw_vals_push_new(p->arena, &first, uw_operand(loads.at[k], 0));
    }
  }
  if (bounds.count) {
    asking a = start_loop(p, &in);
    uw_map_set(a.map, counter_of(p), again(&a, uw_operand(p->loop, 0)));
    for (size_t i = 0; i < first.count; i++)
      ask_for(&a, first.at[i]);
  }
  asking a = start_loop(p, &in);
  MlirValue from = again(&a, uw_operand(p->loop, 0)), to = again(&a, uw_operand(p->loop, 1)),
            step = again(&a, uw_operand(p->loop, 2));
  MlirOperation loop = uw_build_for(&a.b, from, to, step, (uw_value_list){0});
  if (!mlirAttributeIsNull(uw_get_attr(p->loop, "unsignedCmp")))
    uw_set_attr(loop, "unsignedCmp", uw_get_attr(p->loop, "unsignedCmp"));
  uw_yield(uw_block(loop, 0), b.location, (uw_value_list){0});
  uw_map_set(a.map, counter_of(p), mlirBlockGetArgument(uw_block(loop, 0), 0));
  a.b = uw_at_end(uw_block(loop, 0), b.location);
  for (size_t i = 0; i < p->targets.count; i++)
    ask_for(&a, p->targets.at[i]);
}

static bool prefetch(uw_arena *arena, MlirOperation threads) {
  prefetching p = {.arena = arena, .threads = threads};
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  if (!uw_is_over(uw_parent(threads), UW_OVER_BLOCKS) || uw_has_exchange(threads, "block") ||
      uw_has_exchange(threads, "warp") || uw_collect_kind(arena, threads, UW_OP_SCF_FORALL).count ||
      uw_collect_kind(arena, threads, UW_OP_LLVM_ALLOCA).count || loops.count == 0)
    return false;
  p.effects = uw_effects_of(arena, threads);
  uw_effects_inside(p.effects, threads, &p.inside);
  for (size_t i = 0; i < loops.count; i++) {
    p.loop = loops.at[i];
    p.targets = (uw_vals){0};
    if (!find_targets(&p) || !path_is_known(&p))
      continue;
    uw_remark(mlirOperationGetLocation(p.loop), "software-prefetch",
              "accesses through indices in memory: asked for beforehand, for all threads of a block");
    build(&p);
    return true;
  }
  return false;
}

uw_change uw_pass_software_prefetch(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change indices = uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), prefetch),
            rows = uw_prefetch_rows(root, ctx->arena), next = uw_prefetch_next(root, ctx->arena);
  return indices == UW_CHANGED || rows == UW_CHANGED ? UW_CHANGED : next;
}
