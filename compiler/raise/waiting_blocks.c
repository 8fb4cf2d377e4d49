/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the kernels whose blocks wait, for each other or for the host: the runtime has to run their blocks side by side
 * (runtime/grid.c, aside.c). Those are the kernels with a barrier of the grid, with __nanosleep, or with a loop that
 * waits:
 *
 *   while (*(volatile int *)flag == 0) { }           ==>           while (…) { uwrt_yield(); } uwrt_waited();
 *
 * analysis/loop_waits.c finds them.
 *
 * Where a loop that waits may also end by itself (it counts its rounds, it looks at the clock), it naps: the runtime
 * takes that for no wait in vain.
 *
 * A loop that waits for its own block's shared memory is left alone: no other block can help it. If it writes nothing
 * and goes on for nothing but what it reads there, it never ends once it goes on: all threads of the block are in it,
 * or wait for this one to leave it. Then the runtime says so and ends:
 *
 *   while (!test_wait(&barrier, state)) { }          ==>           while (…) { uwrt_stuck(); } uwrt_waited();
 *
 * Where a loop that waits changes memory it tells the runtime that it got further (wait_moves.c):
 *
 *   do { missing = 0; for (…) if (!s[v]) if (s[v + 1]) s[v] = 1; else missing = 1; } while (missing);
 *
 * Where it writes to what it polls, lanes of a warp that run in step may help each other along (UW_IN_STEP, for
 * passes/barriers/sync_warps.c). Loops that write and take a lock in each iteration get a yield only in kernels with
 * other waits: else who holds a lock is never away.
 *
 * Other loops of such a kernel that go on by volatile or atomic operations give others their turn once in a while
 * (uwrt_turn): whatever they do, they hold nobody up.
 *
 * A loop that writes nothing and waits for the clock alone gets a barrier of the block, which changes nothing but that
 * all threads of the block wait at once and not one after the other.
 */
#include "../../runtime/uwrt.h"
#include "../analysis/exchange.h"
#include "../analysis/uniformity.h"
#include "../analysis/dry_run.h"
#include "../analysis/loop_locks.h"
#include "../analysis/loop_waits.h"
#include "raise.h"

static bool has_exchange(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    switch (uw_kind(ops.at[i])) {
    case UW_OP_SHUFFLE:
    case UW_OP_REDUCE:
    case UW_OP_COLLECTIVE:
    case UW_OP_MATCH: return true;
    default: break;
    }
  return false;
}

/* All threads of the block wait at once. */
static void wait_together(MlirOperation loop) {
  uw_builder b = uw_at_start(uw_block(loop, 1), mlirOperationGetLocation(loop));
  uw_build(&b, "unwarp.barrier",
           .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}, {UW_SWAP, mlirUnitAttrGet(b.context)}));
}

static void call(MlirModule module, uw_builder b, const char *function) {
  uw_declare(module, function, "!llvm.func<void ()>");
  uw_call(&b, function, (uw_value_list){0}, (MlirType){NULL});
}

/* Calls what may say where in the source it was called. */
static MlirOperation call_with_places(MlirModule module, uw_arena *arena, uw_builder b, const char *function) {
  uw_declare(module, function, "!llvm.func<void (ptr)>");
  return uw_call(&b, function, VALS(uw_build_text(&b, module, uw_places(arena, b.location))), (MlirType){NULL});
}

/* The same in the place of a call without arguments, which stays the operation that it is. */
static void pass_places(MlirModule module, uw_arena *arena, MlirOperation call, const char *function) {
  uw_builder b = uw_at(call);
  MlirValue places = uw_build_text(&b, module, uw_places(arena, b.location));
  uw_declare(module, function, "!llvm.func<void (ptr)>");
  mlirOperationSetOperands(call, 1, &places);
  uw_set_attr(call, "operandSegmentSizes", mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){1, 0}));
  uw_set_attr(call, "callee", uw_symbol_attr(b.context, function));
}

/* In each iteration that is not the last. */
static uw_builder in_iterations(MlirOperation loop) {
  return uw_at_start(uw_block(loop, 1), mlirOperationGetLocation(loop));
}

/* Where the loop has no line, as one that several branches go back to the start of: the first one in it. */
static MlirLocation line_of(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  MlirLocation line = mlirOperationGetLocation(loop);
  for (size_t i = 0; i < ops.count && !*uw_places(arena, line); i++)
    line = mlirOperationGetLocation(ops.at[i]);
  return *uw_places(arena, line) ? line : mlirOperationGetLocation(loop);
}

static void wait_for_others(MlirModule module, uw_arena *arena, MlirOperation loop, bool in_step) {
  uw_builder b = uw_at_start(uw_block(loop, 1), line_of(arena, loop));
  MlirOperation call = call_with_places(module, arena, b, "uwrt_yield");
  if (in_step)
    uw_set_attr(call, UW_IN_STEP, mlirUnitAttrGet(mlirOperationGetContext(loop)));
}

/* The runtime sees whether a wait gets anywhere: a nap in it is no sign of that. */
static void yield_in_iterations(MlirModule module, uw_arena *arena, MlirOperation loop, uw_wait kind, bool in_step) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_naps(ops.at[i]) && kind == UW_FOR_OTHERS)
      pass_places(module, arena, ops.at[i], "uwrt_yield");
  if (kind == UW_FOR_OTHERS)
    wait_for_others(module, arena, loop, in_step);
  else
    call(module, in_iterations(loop), "uwrt_nap");
  call(module, uw_after(loop), "uwrt_waited");
}

/* Whether the loop writes to an object that it polls. */
static bool writes_what_it_polls(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  uw_table *written = uw_table_create(arena);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_STORE)
      uw_table_set(written, uw_object_of(uw_operand(ops.at[i], 1)), 1);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD && !uw_plain_access(ops.at[i]) &&
        uw_table_get(written, uw_object_of(uw_operand(ops.at[i], 0))))
      return true;
  return false;
}

/* The loops that were known before stay as they are. */
static void raise_writing_waits(MlirModule module, uw_arena *arena, uw_ops ops, uw_table *known, uw_table *writing,
                                bool locks, uint32_t *flags) {
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation loop = ops.at[i];
    if (uw_kind(loop) != UW_OP_SCF_WHILE || uw_table_get(known, loop.ptr) || !uw_waits_and_writes(arena, loop, locks))
      continue;
    uw_table_set(known, loop.ptr, 1);
    uw_table_set(writing, loop.ptr, 1);
    bool in_step = !locks && writes_what_it_polls(arena, loop);
    yield_in_iterations(module, arena, loop, UW_FOR_OTHERS, in_step);
    *flags |= UWRT_KERNEL_BLOCKS_WAIT;
  }
}

/* Whether all that the loop writes is a lock. */
static bool writes_only(uw_arena *arena, MlirOperation loop, const uw_table *locks) {
  uw_ops ops = uw_collect(arena, loop);
  bool any = false;
  for (size_t i = 0; i < ops.count; i++) {
    MlirValue address = uw_written_address(ops.at[i]);
    if (address.ptr && !uw_table_get(locks, uw_object_of(address)))
      return false;
    any = any || address.ptr;
  }
  return any;
}

/* To come through a loop that takes a lock is nothing where a loop around it gives that back, and waits. */
static void leave_locks_alone(uw_arena *arena, uw_ops ops, const uw_table *writing, const uw_table *known) {
  for (size_t i = 0; i < ops.count; i++) {
    uw_table *locks = uw_table_get(writing, ops.at[i].ptr) ? uw_loop_locks(arena, ops.at[i]) : NULL;
    if (!locks)
      continue;
    uw_ops inner = uw_collect_kind(arena, ops.at[i], UW_OP_SCF_WHILE);
    for (size_t k = 0; k < inner.count; k++) {
      MlirOperation next = uw_next(inner.at[k]);
      if (uw_table_get(known, inner.at[k].ptr) && uw_attr_is_str(next, "callee", "uwrt_waited") &&
          writes_only(arena, inner.at[k], locks))
        uw_erase(next);
    }
  }
}

/* Who waits in another loop all the same keeps nobody else from running, nor does who goes on for long. */
static void take_turns(MlirModule module, uw_arena *arena, uw_ops ops, const uw_table *known) {
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_SCF_WHILE && !uw_table_get(known, ops.at[i].ptr) &&
        uw_looks_at_others(arena, ops.at[i]))
      call(module, in_iterations(ops.at[i]), "uwrt_turn");
}

/* Whether it looks for the shared memory of other blocks, which so are there at the same time. */
static bool reaches_cluster(MlirOperation op) {
  return uw_attr_is_str(op, "callee", "uwrt_cluster_map") || uw_attr_is_str(op, "callee", "uwrt_cluster_rank");
}

static bool one_waits(uw_arena *arena, MlirOperation func) {
  uw_ops calls = uw_collect_kind(arena, func, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_attr_is_str(calls.at[i], "callee", "uwrt_yield"))
      return true;
  return false;
}

void uw_raise_waits(MlirModule module, uw_program *program) {
  for (size_t k = 0; k < program->kernel_count; k++) {
    MlirOperation func = uw_find_symbol(module, program->kernels[k].name);
    if (uw_null(func))
      continue;
    uw_ops ops = uw_collect(program->arena, func);
    uw_table *known = uw_table_create(program->arena);
    uint32_t *flags = &program->kernels[k].flags;
    for (size_t i = 0; i < ops.count; i++) {
      MlirOperation op = ops.at[i];
      bool loop = uw_kind(op) == UW_OP_SCF_WHILE;
      uw_wait kind = loop ? uw_waits_for(program->arena, op, UW_OTHER_BLOCKS) : UW_NO_WAIT;
      bool clock = loop && kind == UW_NO_WAIT && uw_waits_for(program->arena, op, UW_THE_CLOCK) != UW_NO_WAIT &&
                   !has_exchange(program->arena, op);
      bool own =
          loop && kind == UW_NO_WAIT && !clock && uw_waits_for(program->arena, op, UW_OWN_BLOCK) == UW_FOR_OTHERS;
      if (kind != UW_NO_WAIT)
        yield_in_iterations(module, program->arena, op, kind, /*in_step=*/false);
      else if (clock)
        wait_together(op);
      else if (own) {
        call_with_places(module, program->arena, in_iterations(op), "uwrt_stuck");
        call(module, uw_after(op), "uwrt_waited");
      }
      if (kind != UW_NO_WAIT || clock || own)
        uw_table_set(known, op.ptr, 1);
      if (kind != UW_NO_WAIT || uw_naps(op) || uw_waits_for_blocks(op) || reaches_cluster(op))
        *flags |= UWRT_KERNEL_BLOCKS_WAIT;
      if (uw_waits_for_blocks(op) && uw_attr_is_str(op, "kind", "grid"))
        *flags |= UWRT_KERNEL_MEETS;
    }
    uw_table *writing = uw_table_create(program->arena);
    raise_writing_waits(module, program->arena, ops, known, writing, false, flags);
    if (*flags & UWRT_KERNEL_BLOCKS_WAIT)
      raise_writing_waits(module, program->arena, ops, known, writing, true, flags);
    if (one_waits(program->arena, func))
      take_turns(module, program->arena, ops, known);
    leave_locks_alone(program->arena, ops, writing, known);
    uw_tell_of_moves(module, program->arena, ops, writing, known);
  }
}
