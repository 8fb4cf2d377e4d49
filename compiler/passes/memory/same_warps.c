/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Moves what all warps of a block compute alike out of the loop over warps, with the slots that lanes keep it in:
 *
 *   parallel %w {                                        %s = slot
 *     %s = slot                                          parallel %l { … load %in[%l + 32 k] …; store %sum, %s[%l] }
 *     parallel %l { …; store %sum, %s[%l] }     ==>      %all = butterfly(load %s)
 *     %all = butterfly(load %s)                          parallel %w {
 *     parallel %l { use %all, 32 %w + %l } }               parallel %l { use %all, 32 %w + %l } }
 *
 * as where each warp adds up the whole of a row, so that none has to wait for the others.
 *
 * An operation at the top level of the loop's body moves when a) what it uses is defined outside of the loop or moves
 * too; b) it writes nothing but slots made in the loop that move, or a slot that all threads keep one value in; c) it
 * exchanges nothing, calls nothing and makes no memory; d) nothing that stands before it, in any warp, may write what
 * it reads. A slot moves when all that write it do, and what reads it and stays stands after them: it then reads what
 * its own warp's writes would have left. What stands after a moved operation does not matter (licm.c). A
 * block has at least one warp.
 *
 * Requires: barriers lowered. Preserves: all else. Refuses: the rest, silently. Called by licm{scope=phase}. */
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "licm.h"

/* An operation at the top level of a loop over warps. */
typedef struct step {
  MlirOperation op;
  uw_accesses accesses; /* without those of private slots */
  uw_ops reads, writes; /* the private slots that it touches, an operation each */
  bool moves;
} step;

typedef struct warps {
  uw_arena *arena;
  MlirOperation loop;
  step *steps;
  size_t count;
} warps;

/* Is nothing done with the address but loads and stores there, and addresses near it? */
static bool is_private(MlirValue address) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool stores = uw_kind(user) == UW_OP_LLVM_STORE && mlirOpOperandGetOperandNumber(use) == 1;
    bool derives = uw_kind(user) == UW_OP_LLVM_GEP && mlirOpOperandGetOperandNumber(use) == 0;
    if (derives ? !is_private(uw_result(user, 0)) : !stores && uw_kind(user) != UW_OP_LLVM_LOAD)
      return false;
  }
  return true;
}

/* The slot that lies in the loop's body and that only loads and stores touch, at the base of an access; or null. */
static MlirOperation slot_of(const warps *w, const uw_access *access) {
  MlirOperation slot = access->anywhere ? (MlirOperation){NULL} : uw_def(access->address.base);
  bool own = !uw_null(slot) && uw_kind(slot) == UW_OP_SLOT && uw_same_op(uw_parent(slot), w->loop) &&
             mlirAttributeIsNull(uw_get_attr(slot, UW_VARIABLE)) && is_private(uw_result(slot, 0));
  return own ? slot : (MlirOperation){NULL};
}

static step read_step(const warps *w, uw_effects *effects, MlirOperation op) {
  step s = {.op = op};
  uw_accesses all = {0};
  uw_effects_inside(effects, op, &all);
  for (size_t i = 0; i < all.count; i++) {
    MlirOperation slot = slot_of(w, &all.at[i]);
    if (uw_null(slot))
      uw_accesses_push(w->arena, &s.accesses, all.at[i]);
    else
      uw_ops_push(w->arena, all.at[i].writes ? &s.writes : &s.reads, slot);
  }
  return s;
}

/* Condition c), and b) for all memory but private slots. */
static bool may_move(const warps *w, const step *s) {
  for (size_t i = 0; i < s->accesses.count; i++)
    if (s->accesses.at[i].anywhere || (s->accesses.at[i].writes && !uw_is_common_write(s->op, w->loop)))
      return false;
  return uw_holds_nothing_that_stays(w->arena, s->op);
}

static bool is_overwritten(uw_effects *effects, const uw_accesses *before, const uw_accesses *reads) {
  for (size_t i = 0; i < reads->count; i++)
    if (reads->at[i].reads && uw_is_overwritten(effects, before, &reads->at[i]))
      return true;
  return false;
}

static void read_steps(warps *w, uw_effects *effects) {
  uw_accesses before = {0};
  uw_ops ops = uw_block_ops(w->arena, uw_block(w->loop, 0));
  w->steps = uw_alloc(w->arena, ops.count * sizeof *w->steps);
  w->count = ops.count - 1; /* without its end */
  for (size_t i = 0; i < w->count; i++) {
    step *s = &w->steps[i];
    *s = read_step(w, effects, ops.at[i]);
    s->moves = may_move(w, s) && !is_overwritten(effects, &before, &s->accesses);
    for (size_t k = 0; k < s->accesses.count; k++)
      uw_accesses_push(w->arena, &before, s->accesses.at[k]);
  }
}

/* Does all that writes the slot move, and what reads it before the last of these? */
static bool slot_moves(const warps *w, MlirOperation slot) {
  bool written = false;
  for (size_t i = w->count; i-- > 0;) {
    written = written || uw_ops_have(&w->steps[i].writes, slot);
    if (!w->steps[i].moves && written &&
        (uw_ops_have(&w->steps[i].writes, slot) || uw_ops_have(&w->steps[i].reads, slot)))
      return false;
  }
  return written && is_private(uw_result(slot, 0));
}

/* Takes back what cannot move since something else stays, until nothing changes. */
static void settle(warps *w) {
  for (bool changed = true; changed;) {
    uw_table *moving = uw_table_create(w->arena);
    changed = false;
    for (size_t i = 0; i < w->count; i++) {
      step *s = &w->steps[i];
      bool moves = s->moves && uw_is_from_outside(w->arena, s->op, w->loop, moving) &&
                   (uw_kind(s->op) != UW_OP_SLOT || slot_moves(w, s->op));
      changed = changed || moves != s->moves;
      s->moves = moves;
      if (moves)
        uw_table_set(moving, s->op.ptr, 1);
    }
  }
}

/* Is it worth the registers? */
static bool moves_work(const warps *w) {
  for (size_t i = 0; i < w->count; i++)
    if (w->steps[i].moves && (uw_region_count(w->steps[i].op) != 0 || w->steps[i].accesses.count))
      return true;
  return false;
}

static bool move_out(uw_arena *arena, MlirOperation loop) {
  warps w = {.arena = arena, .loop = loop};
  read_steps(&w, uw_effects_of(arena, loop));
  settle(&w);
  if (!moves_work(&w))
    return false;
  for (size_t i = 0; i < w.count; i++) {
    if (!w.steps[i].moves)
      continue;
    if (uw_region_count(w.steps[i].op) != 0)
      uw_remark(mlirOperationGetLocation(w.steps[i].op), "licm", "moved out of the loop over warps: the same for all");
    uw_move_before(w.steps[i].op, loop);
  }
  return true;
}

uw_change uw_move_out_of_warps(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_WARPS), move_out);
}
