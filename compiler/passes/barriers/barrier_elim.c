/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Drops barriers that order nothing, and moves barriers out of loops and branches where one outside is enough.
 *
 *   store %x, %own[%t]                                        store %x, %own[%t]
 *   barrier                                        ==>        %y = load %own[%t]
 *   %y = load %own[%t]
 *
 *   for (k) { A; barrier }                                    for (k) { A }
 *                                                  ==>        barrier
 *   B                                                         B
 *
 * A barrier goes when a) every thread comes by it, the same number of times (so the other barriers still meet their
 * likes), and b) no access of a thread between it and the barriers before it conflicts with one of another thread
 * between it and the barriers after it, on any way through the code (analysis/effects.h). It moves when it could go if
 * another one stood right before or right after the construct around it.
 *
 * Requires: nothing. Preserves: what every thread reads. Refuses: barriers that stride placed (UW_SWAP), barriers that
 * also count or vote, barriers of warps, and positions with too many accesses to compare (MOST_PAIRS).
 * Paper: the sections on barrier semantics, elimination and motion. */
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "barrier_elim.h"
#include "../passes.h"

#define NAME "barrier-elim"

enum { MOST_PAIRS = 1 << 16 /* bound of a search */ };

/* The first two accesses, one of each list, whose order counts; false if there are none. */
static bool find_conflict(const uw_effects *effects, const uw_accesses *before, const uw_accesses *after,
                          const uw_access **first, const uw_access **second) {
  for (size_t i = 0; i < before->count; i++)
    for (size_t k = 0; k < after->count; k++)
      if (uw_conflict(effects, *first = &before->at[i], *second = &after->at[k]))
        return true;
  return false;
}

static bool orders_nothing(uw_effects *effects, MlirOperation barrier) {
  uw_accesses before = {0}, after = {0};
  uw_effects_before(effects, barrier, &before);
  if (before.count == 0)
    return true;
  uw_effects_after(effects, barrier, &after);
  if (before.count * after.count > MOST_PAIRS)
    return false;
  const uw_access *first, *second;
  return !find_conflict(effects, &before, &after, &first, &second);
}

static MlirOperation barrier_at(uw_builder b) {
  return uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}));
}

/* Is the barrier needless if another one stands at the position? Then it goes and the other stays. */
static bool move(uw_effects *effects, MlirOperation barrier, uw_builder place) {
  MlirOperation other = barrier_at(place);
  bool movable = orders_nothing(effects, barrier);
  if (movable)
    uw_remark(mlirOperationGetLocation(barrier), NAME,
              "barrier moved out of the construct around it: one outside is enough");
  uw_erase(movable ? barrier : other);
  return movable;
}

static bool move_out(uw_effects *effects, MlirOperation loop, MlirOperation barrier) {
  MlirOperation around = uw_parent(barrier);
  return !uw_same_op(around, loop) &&
         (move(effects, barrier, uw_at(around)) || move(effects, barrier, uw_after(around)));
}

static uw_ops barriers_of(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  uw_ops all = uw_collect_kind(arena, loop, UW_OP_BARRIER), barriers = {0};
  for (size_t i = 0; i < all.count; i++)
    if (uw_is_exchange(all.at[i], "block") && mlirAttributeIsNull(uw_get_attr(all.at[i], UW_SWAP)) &&
        uw_made_by_all(uw_effects_uniformity(effects), all.at[i]))
      uw_ops_push(arena, &barriers, all.at[i]);
  return barriers;
}

bool uw_drop_barriers(MlirOperation loop) {
  bool changed = false, moved = true;
  while (moved) { /* a moved barrier may move again; each time it stands less deep */
    uw_arena *arena = uw_arena_create();
    uw_effects *effects = uw_effects_of(arena, loop);
    uw_ops barriers = barriers_of(arena, effects, loop), needed = {0};
    moved = false;
    for (size_t i = 0; i < barriers.count; i++)
      if (orders_nothing(effects, barriers.at[i])) {
        uw_remark(mlirOperationGetLocation(barriers.at[i]), NAME, "barrier dropped: it orders nothing");
        uw_erase(barriers.at[i]);
        changed = true;
      } else {
        uw_ops_push(arena, &needed, barriers.at[i]);
      }
    for (size_t i = 0; i < needed.count; i++)
      if (move_out(effects, loop, needed.at[i]))
        changed = moved = true;
    uw_arena_destroy(arena);
  }
  return changed;
}

/* --- what stays --------------------------------------------------------------------------------------------------- */

static const char *describe(uw_arena *arena, MlirOperation barrier, const uw_access *access) {
  const char *what = uw_kind(access->op) == UW_OP_LLVM_LOAD    ? "load"
                     : uw_kind(access->op) == UW_OP_LLVM_STORE ? "store"
                     : uw_kind(access->op) == UW_OP_LLVM_CALL  ? "call"
                     : uw_kind(access->op) == UW_OP_LLVM_ATOMICRMW || uw_kind(access->op) == UW_OP_LLVM_CMPXCHG
                         ? "atomic operation"
                         : "access";
  const char *line = uw_remark_line(arena, mlirOperationGetLocation(barrier), mlirOperationGetLocation(access->op));
  return uw_arena_format(arena, "the %s in %s%s", what, line, access->crossed.ptr ? " of another iteration" : "");
}

/* The first two accesses that it orders. */
static const char *reason(uw_arena *arena, uw_effects *effects, MlirOperation barrier) {
  uw_accesses before = {0}, after = {0};
  uw_effects_before(effects, barrier, &before);
  uw_effects_after(effects, barrier, &after);
  if (before.count * after.count > MOST_PAIRS)
    return "too many accesses around it to compare";
  const uw_access *first, *second;
  if (find_conflict(effects, &before, &after, &first, &second))
    return uw_arena_format(arena, "it orders %s before %s", describe(arena, barrier, first),
                           describe(arena, barrier, second));
  return uw_made_by_all(uw_effects_uniformity(effects), barrier)
             ? "what it orders, a barrier that was placed since orders too"
             : "not all threads come by it, or not equally often";
}

void uw_remark_barriers(MlirOperation loop) {
  if (uw_remarks_form() == UW_REMARKS_NONE || !uw_has_exchange(loop, "block"))
    return;
  uw_arena *arena = uw_arena_create();
  uw_effects *effects = uw_effects_of(arena, loop);
  uw_ops barriers = uw_collect_kind(arena, loop, UW_OP_BARRIER);
  for (size_t i = 0; i < barriers.count; i++)
    if (uw_is_exchange(barriers.at[i], "block") && mlirAttributeIsNull(uw_get_attr(barriers.at[i], UW_SWAP)))
      uw_remark(mlirOperationGetLocation(barriers.at[i]), NAME, "barrier stays: %s",
                reason(arena, effects, barriers.at[i]));
  uw_arena_destroy(arena);
}

uw_change uw_pass_barrier_elim(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_has_exchange(loops.at[i], "block") && uw_drop_barriers(loops.at[i]))
      change = UW_CHANGED;
  return change;
}
