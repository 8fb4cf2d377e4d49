/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a worker is at, for the message when a kernel faults (uwrt_place in runtime/uwrt.h). raise/launch.c begins each
 * block with a call of uwrt_enter_block. Where the loop over blocks became an OpenMP loop, that is more than a block
 * should pay: the worker enters once, and a block costs one store.
 *
 *   omp.parallel {                                     omp.parallel {
 *                                                        %place = uwrt_enter(%launch)
 *     omp.wsloop (%block) {                              omp.wsloop (%block) {
 *       %place = uwrt_enter_block(%launch, %block)  ==>    %place->block = %block
 *       …                                                  …
 *     }                                                  }
 *                                                        %place->launch = null
 *
 * Without optimisation, and in replays (raise/launch.c), the thread is known as well: each thread loop stores its
 * indices. Elsewhere that store would keep threads out of SIMD lanes.
 */
#include "../../runtime/uwrt.h"
#include "../ir/block_numbers.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "lower.h"

static void store_volatile(uw_builder *b, MlirValue value, MlirValue place, size_t offset) {
  MlirValue address = uw_byte_address(b, place, (int64_t)offset);
  uw_build(b, "llvm.store", .in = VALS(value, address), .attrs = ATTRS({"volatile_", mlirUnitAttrGet(b->context)}));
}

static void enter_once(MlirModule module, MlirOperation enter) {
  MlirOperation loop = uw_parent(enter);
  while (!uw_null(loop) && !uw_string_is(uw_name(loop), "omp.wsloop"))
    loop = uw_parent(loop);
  if (uw_null(loop))
    return;
  uw_declare(module, "uwrt_enter", "!llvm.func<ptr (ptr)>");
  uw_builder b = uw_at(loop);
  MlirOperation call = uw_call(&b, "uwrt_enter", VALS(uw_operand(enter, 0)), uw_ptr_type(b.context));
  uw_set_attr(call, "res_attrs", uw_attr(b.context, "[{llvm.noalias}]")); /* nobody but the fault handler reads it */
  MlirValue place = uw_result(call, 0);
  b = uw_after(loop);
  store_volatile(&b, uw_build1(&b, "llvm.mlir.zero", .out = TYPES(uw_ptr_type(b.context))), place,
                 offsetof(uwrt_place, launch));
  b = uw_at(enter);
  store_volatile(&b, uw_operand(enter, 1), place, offsetof(uwrt_place, block));
  uw_replace_uses(uw_result(enter, 0), place);
  uw_erase(enter);
}

void uw_lower_places(MlirModule module, uw_arena *arena) {
  uw_ops ops = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_CALL);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_is_block_mark(ops.at[i]))
      enter_once(module, ops.at[i]);
}

/* The loop over warps or over packets of threads (passes/lanes/vectorize_threads.c) around a loop over lanes. Null: what all warps
 * compute alike was moved out of that (passes/memory/same_warps.c). */
static MlirOperation loop_around(MlirOperation lanes) {
  MlirOperation op = uw_parent(lanes);
  while (!uw_null(op) && !uw_is_over(op, UW_OVER_WARPS) && !uw_is_over(op, UW_OVER_THREADS))
    op = uw_parent(op);
  return op;
}

/* The place that the block's code around the operation enters; null if there is none. */
static MlirValue place_around(MlirOperation op) {
  for (; !uw_null(op) && !mlirBlockIsNull(mlirOperationGetBlock(op)); op = uw_parent(op))
    uw_foreach_op (enter, mlirOperationGetBlock(op))
      if (uw_is_block_mark(enter))
        return uw_result(enter, 0);
  return (MlirValue){NULL};
}

static void store_thread(uw_builder *b, MlirValue place, const MlirValue thread[3]) {
  for (size_t d = 0; d < 3; d++)
    store_volatile(b, thread[d], place, offsetof(uwrt_place, thread) + 4 * d);
}

static MlirValue index_to_i32(uw_builder *b, MlirValue value) {
  return uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(uw_int_type(b->context, 32)));
}

static void read_indices(uw_builder *b, MlirBlock body, MlirValue thread[3]) {
  intptr_t dims = mlirBlockGetNumArguments(body);
  for (intptr_t d = 0; d < dims; d++) /* x is the last */
    thread[dims - 1 - d] = index_to_i32(b, mlirBlockGetArgument(body, d));
}

void uw_note_threads(MlirOperation loop, bool noted) {
  static const char of_packets[] = "unwarp.packets"; /* its index is no thread's */
  MlirValue place = noted ? place_around(loop) : (MlirValue){NULL};
  MlirBlock body = uw_block(loop, 0);
  bool lane = uw_is_over(loop, UW_OVER_LANES);
  if (!place.ptr || (!lane && !uw_is_over(loop, UW_OVER_THREADS)) ||
      !mlirAttributeIsNull(uw_get_attr(loop, of_packets)))
    return;
  MlirOperation around = lane ? loop_around(loop) : (MlirOperation){NULL};
  if (lane && uw_null(around)) /* it is of no one thread */
    return;
  uw_builder b = uw_at_start(body, mlirOperationGetLocation(loop));
  MlirValue none = uw_const_int(&b, 32, (int64_t)UWRT_NO_THREAD), zero = uw_const_int(&b, 32, 0);
  MlirValue thread[3] = {zero, zero, zero};
  if (lane) {
    bool warps = uw_is_over(around, UW_OVER_WARPS);
    MlirValue lane_index = index_to_i32(&b, mlirBlockGetArgument(body, 0));
    MlirValue width = warps ? uw_const_int(&b, 32, 32) : index_to_i32(&b, uw_upper_of(loop, 0));
    read_indices(&b, uw_block(around, 0), thread);
    thread[0] = uw_binary(&b, "arith.addi", uw_binary(&b, "arith.muli", thread[0], width), lane_index);
    if (warps)
      thread[1] = none;
    else
      uw_set_attr(around, of_packets, mlirUnitAttrGet(b.context));
  } else {
    read_indices(&b, body, thread);
  }
  store_thread(&b, place, thread);
  b = uw_after(loop);
  none = uw_const_int(&b, 32, (int64_t)UWRT_NO_THREAD), zero = uw_const_int(&b, 32, 0);
  store_thread(&b, place, (MlirValue[]){none, zero, zero});
}
