/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives private memory that lives across an exchange room in a slot: a thread's alloca would end with the loop
 * that the split puts it into.
 *
 *   parallel %i in n {                            %slot = unwarp.slot n * 64
 *     %m = alloca 16 x f32                        parallel %i in n {
 *     fill(%m)                        ==>           %m = gep %slot[%i * 64]
 *     barrier                                       fill(%m)
 *     use(%m) }                                     barrier
 *                                                   use(%m) }
 *
 * Left alone when a) every use is a load, a store to it, a memory intrinsic or address arithmetic for these, and b)
 * no exchange stands between the alloca and its last use.
 * Requires: nothing. Preserves: the memory's contents from one iteration of a serial loop to the next (more than it
 * must).
 * Refuses: an alloca of unknown size that lives across an exchange. */
#include "../../analysis/bases.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"

static bool stays_in_phase(uw_threads *threads, MlirOperation alloca_op) {
  uw_ops users = {0};
  if (!uw_uses_of(threads->arena, uw_result(alloca_op, 0), &users))
    return false;
  MlirBlock block = mlirOperationGetBlock(alloca_op);
  uw_table *using = uw_table_create(threads->arena);
  for (size_t i = 0; i < users.count; i++)
    uw_table_set(using, uw_ancestor_in(block, users.at[i]).ptr, 1);
  bool exchanged = false;
  for (MlirOperation op = uw_next(alloca_op); !uw_null(op); op = uw_next(op)) {
    exchanged = exchanged || uw_has_exchange(op, threads->level);
    if (exchanged && uw_table_get(using, op.ptr))
      return false;
  }
  return true;
}

/* Bytes of one thread's memory, a multiple of the alignment; 0 if unknown. */
static int64_t room_of(MlirOperation alloca_op, int64_t *alignment) {
  MlirAttribute type = uw_get_attr(alloca_op, "elem_type");
  int64_t count;
  if (!uw_const_value(uw_operand(alloca_op, 0), &count) || count < 0 || mlirAttributeIsNull(type))
    return 0;
  MlirType element = mlirTypeAttrGetValue(type);
  *alignment = uw_get_int_attr(alloca_op, "alignment", 0);
  if (*alignment <= 0)
    *alignment = (int64_t)uw_type_align(element);
  int64_t bytes = (int64_t)uw_type_bytes(element) * count;
  return bytes == 0 ? *alignment : (bytes + *alignment - 1) / *alignment * *alignment;
}

bool uw_keep_private_memory(uw_threads *threads, MlirOperation loop) {
  uw_ops allocas = uw_collect_kind(threads->arena, loop, UW_OP_LLVM_ALLOCA);
  for (size_t i = 0; i < allocas.count; i++) {
    MlirOperation op = allocas.at[i];
    if (stays_in_phase(threads, op))
      continue;
    int64_t alignment, bytes = room_of(op, &alignment);
    if (!bytes) {
      uw_error(mlirOperationGetLocation(op),
               "a local array whose size is not a constant lives across a barrier; give it a constant size");
      return false;
    }
    bool has_place = uw_has_place(mlirOperationGetLocation(op));
    uw_remark(mlirOperationGetLocation(has_place ? op : loop), "lower-barriers",
              "array of a thread in memory, as it lives across a barrier: %lld bytes a thread", (long long)bytes);
    uw_builder b = uw_at_start(uw_block(loop, 0), mlirOperationGetLocation(op));
    MlirType stand_in = uw_type(b.context, uw_arena_format(threads->arena, "!llvm.array<%lld x i8>", (long long)bytes));
    uw_slot slot = uw_slot_create(threads, stand_in, false);
    uw_set_attr(uw_def(slot.memory), "alignment", uw_int_attr(b.context, 64, alignment));
    MlirValue memory = uw_slot_address(&b, &slot, uw_linear_thread(&b, loop));
    if (!mlirTypeEqual(mlirValueGetType(memory), mlirValueGetType(uw_result(op, 0))))
      memory =
          uw_build1(&b, "llvm.addrspacecast", .in = VALS(memory), .out = TYPES(mlirValueGetType(uw_result(op, 0))));
    MlirAttribute variable = uw_get_attr(op, UW_VARIABLE);
    if (!mlirAttributeIsNull(variable)) {
      uw_set_attr(uw_def(slot.memory), UW_VARIABLE, variable);
      uw_set_attr(uw_def(slot.memory), UW_VARIABLE_TYPE, mlirTypeAttrGet(stand_in));
    }
    uw_drop_lifetimes(threads->arena, uw_result(op, 0));
    uw_replace_uses(uw_result(op, 0), memory);
    uw_erase(op);
  }
  return true;
}
