/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first part of demote-shared{blocks=inner}. Gives each life of a shared array an array of its own. Shared memory is scarce on a GPU, so programs fill one array
 * again and again: with a copy of global memory first, then with what they computed from it. Between the last load of
 * the one and the first store of the other stands a barrier, and while the array is more than a copy nobody can read
 * the original instead (demote_halo.c).
 *
 *   store (load %in[%t]), %a[%t]                       store (load %in[%t]), %first[%t]
 *   barrier                                            barrier
 *   %v = f(load %a[%t - 1], load %a[%t + 1])           %v = f(load %first[%t - 1], load %first[%t + 1])
 *   barrier                                    ==>     store %v, %a[%t]
 *   store %v, %a[%t]                                   barrier
 *   barrier                                            use(load %a[%t - 1])        of threads whose neighbour stored
 *   use(load %a[%t - 1])
 *
 * A new array is made when
 *   a) two versions of a thread loop, in the two arms of one branch (split_inner_blocks.c), use one array and nothing else does: one runs, so that each
 *      may have its own; or
 *   b) all uses of an array are plain accesses in one thread loop, outside of serial loops in it; the arrays that come
 *      of it are UW_MOST_LIVES at most, of UW_MOST_SHARED together; the barriers at the top level of the body part the
 *      accesses into phases; and for the second phase that stores, each load in a later phase reads, in each thread
 *      that makes it, an address that one of these phases from there on surely stores to (copies.h), while each load in
 *      that phase itself stands before its first store.
 *
 * Legal because by b) what the second life reads was stored in it: a store to the same address in a later phase only
 * hides it. A load of that phase, before the store, reads what the first life left, or there would be a race with the
 * store of another thread. The array is the block's, and dead after the loop.
 *
 * Requires: before barriers are lowered; split-inner-blocks, whose versions have conditions that copies.h understands.
 * Preserves: every load's value, in programs that do not race. Refuses: the rest, silently. */
#include "../../analysis/thresholds.h"
#include "../../ir/remarks.h"
#include "../barriers/barrier_elim.h"
#include "../passes.h"
#include "copies.h"
#include "demote_shared.h"

#define RENAMED "unwarp.renamed" /* an array that is done */

enum { MOST_PHASES = 16 };

static MlirValue array_like(uw_arena *arena, MlirOperation shared) {
  uw_builder b = uw_at(shared);
  return uw_result(uw_clone(&b, shared, uw_map_create(arena)), 0);
}

/* --- a) the arms of a branch -------------------------------------------------------------------------------------- */

/* Which arm of the branch an operation stands in; -1: neither. */
static int arm_of(MlirOperation branch, MlirOperation op) {
  while (!uw_null(op) && !uw_same_op(uw_parent(op), branch))
    op = uw_parent(op);
  return uw_null(op) ? -1 : !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(branch, 0));
}

static bool give_arm_its_own(uw_arena *arena, MlirOperation loop, MlirOperation shared) {
  MlirOperation branch = uw_parent(loop);
  bool used[2] = {false, false};
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(shared, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    int arm = arm_of(branch, mlirOpOperandGetOwner(use));
    if (arm < 0)
      return false;
    used[arm] = true;
  }
  if (!used[0] || !used[1])
    return false;
  uw_replace_uses_inside(uw_result(shared, 0), array_like(arena, shared), loop);
  return true;
}

/* --- b) one fill after the other ---------------------------------------------------------------------------------- */

typedef struct life {
  uw_ops loads, stores;
} life;

typedef struct lives {
  uw_arena *arena;
  MlirOperation loop, shared;
  life phases[MOST_PHASES];
  size_t count;
} lives;

static MlirOperation top_of(MlirOperation op) {
  while (uw_kind(uw_parent(op)) == UW_OP_SCF_IF)
    op = uw_parent(op);
  return op;
}

/* Sorts the accesses by phases, in the order of the program. False if one stands in a serial loop, or there are too
 * many phases. */
static bool find_phases(lives *l, const uw_ops *accesses, const uw_uniformity *facts) {
  MlirBlock body = uw_block(l->loop, 0);
  uw_table *tops = uw_table_create(l->arena);
  for (size_t i = 0; i < accesses->count; i++) {
    if (!mlirBlockEqual(mlirOperationGetBlock(top_of(accesses->at[i])), body))
      return false;
    uw_table_set(tops, top_of(accesses->at[i]).ptr, 1);
  }
  l->count = 1;
  uw_foreach_op (op, body) {
    if (uw_kind(op) == UW_OP_BARRIER && uw_is_exchange(op, "block") && uw_made_by_all(facts, op) &&
        ++l->count > MOST_PHASES)
      return false;
    if (!uw_table_get(tops, op.ptr))
      continue;
    life *phase = &l->phases[l->count - 1];
    for (size_t i = 0; i < accesses->count; i++)
      if (uw_same_op(top_of(accesses->at[i]), op))
        uw_ops_push(l->arena, uw_kind(accesses->at[i]) == UW_OP_LLVM_LOAD ? &phase->loads : &phase->stores,
                    accesses->at[i]);
  }
  return true;
}

/* Does the phase store to what the load reads, in all threads that make it? */
static bool fills(const lives *l, const life *phase, MlirOperation load) {
  uw_copies p;
  bool known = phase->stores.count > 0 && uw_copies_of(l->arena, l->loop, l->shared, &p);
  for (size_t i = 0; i < phase->stores.count && known; i++)
    known = uw_copies_add_store(&p, phase->stores.at[i], uw_block(l->loop, 0));
  return known && uw_copies_cover(&p, load);
}

/* Do all loads of the phase stand before its first store? */
static bool loads_first(const life *phase) {
  for (MlirOperation op = top_of(phase->stores.at[0]); !uw_null(op); op = uw_next(op))
    for (size_t i = 0; i < phase->loads.count; i++)
      if (uw_same_op(top_of(phase->loads.at[i]), op))
        return false;
  return true;
}

static bool is_filled_again(const lives *l, size_t second) {
  if (!loads_first(&l->phases[second]))
    return false;
  for (size_t phase = second + 1; phase < l->count; phase++)
    for (size_t i = 0; i < l->phases[phase].loads.count; i++) {
      bool filled = false;
      for (size_t by = phase; by-- > second && !filled;)
        filled = fills(l, &l->phases[by], l->phases[phase].loads.at[i]);
      if (!filled)
        return false;
    }
  return true;
}

static bool stays(const void *of, MlirValue value) {
  const lives *l = of;
  uw_kind_t kind = uw_kind(uw_def(value));
  return !uw_same(value, uw_result(l->shared, 0)) && kind != UW_OP_LLVM_GEP && kind != UW_OP_LLVM_BITCAST &&
         kind != UW_OP_LLVM_ADDRSPACECAST;
}

/* Leads an access to the other array. */
static void lead(const lives *l, MlirOperation access, MlirValue array) {
  size_t pointer = uw_kind(access) == UW_OP_LLVM_STORE;
  uw_builder b = uw_at(access);
  uw_map *map = uw_map_create(l->arena);
  uw_map_set(map, uw_result(l->shared, 0), array);
  mlirOperationSetOperand(access, (intptr_t)pointer,
                          uw_compute_again(&b, &(uw_again){stays, l, false}, uw_operand(access, pointer), map));
}

static bool split_lives(uw_arena *arena, MlirOperation loop, MlirOperation shared) {
  uw_ops arithmetic = {0}, accesses = {0};
  lives l = {.arena = arena, .loop = loop, .shared = shared};
  int64_t second = -1;
  if (!uw_plain_uses(arena, loop, uw_result(shared, 0), &arithmetic, &accesses) ||
      !find_phases(&l, &accesses, uw_effects_uniformity(uw_effects_of(arena, loop))))
    return false;
  for (size_t phase = 0, stored = 0; phase < l.count && second < 0; phase++)
    if (l.phases[phase].stores.count > 0 && ++stored == 2)
      second = (int64_t)phase;
  if (second < 0 || !is_filled_again(&l, (size_t)second))
    return false;
  MlirValue first = array_like(arena, shared);
  uw_remark(mlirOperationGetLocation(l.phases[second].stores.at[0]), "demote-shared",
            "shared array filled again: what it held before has an array of its own");
  for (size_t phase = 0; phase <= (size_t)second; phase++) {
    for (size_t i = 0; i < l.phases[phase].loads.count; i++)
      lead(&l, l.phases[phase].loads.at[i], first);
    for (size_t i = 0; i < l.phases[phase].stores.count && phase < (size_t)second; i++)
      lead(&l, l.phases[phase].stores.at[i], first);
  }
  return true;
}

/* One life after the other gets its own array, as long as there is room. */
static bool split_all_lives(uw_arena *arena, MlirOperation loop, MlirOperation shared) {
  int64_t bytes, arrays = 1;
  if (!mlirAttributeIsNull(uw_get_attr(shared, RENAMED)) || !uw_const_value(uw_operand(shared, 0), &bytes))
    return false;
  while (arrays < UW_MOST_LIVES && (arrays + 1) * bytes <= UW_MOST_SHARED && split_lives(arena, loop, shared))
    arrays++;
  if (arrays > 1)
    uw_set_attr(shared, RENAMED, mlirUnitAttrGet(mlirOperationGetContext(loop)));
  return arrays > 1;
}

/* --- the pass ----------------------------------------------------------------------------------------------------- */

static bool rename_all(uw_arena *arena, MlirOperation loop) {
  if (!uw_is_over(loop, UW_OVER_THREADS) || !uw_has_exchange(loop, "block"))
    return false;
  bool changed = false;
  uw_ops shared = uw_shared_around(arena, loop);
  if (uw_kind(uw_parent(loop)) == UW_OP_SCF_IF)
    for (size_t i = 0; i < shared.count; i++)
      changed = give_arm_its_own(arena, loop, shared.at[i]) || changed;
  shared = uw_shared_around(arena, loop);
  bool split = false;
  for (size_t i = 0; i < shared.count; i++)
    split = split_all_lives(arena, loop, shared.at[i]) || split;
  if (split)
    uw_drop_barriers(loop);
  return changed || split;
}

uw_change uw_pass_rename_shared(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    uw_arena *arena = uw_arena_create();
    if (rename_all(arena, loops.at[i]))
      change = UW_CHANGED;
    uw_arena_destroy(arena);
  }
  return change;
}
