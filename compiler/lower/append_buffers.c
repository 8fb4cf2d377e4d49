/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Buffers of what threads append to queues (passes/memory/privatize_appends.c): the elements go into the worker's stack, with a
 * head that the runtime knows (uwrt_appends); when it is full, a call takes positions for all and copies them. Runs
 * after serialize.c, so that these accesses stay outside the access groups: threads do meet in them. */
#include "../../runtime/uwrt.h"
#include "../ir/parallel.h"
#include "lower.h"

static const char start_name[] = "uwrt_appends_start", array_name[] = "uwrt_appends_array",
                  flush_name[] = "uwrt_appends_flush", end_name[] = "uwrt_appends_end";

static int64_t number_at(MlirOperation op, const char *name, size_t index) {
  return mlirDenseI64ArrayGetElement(uw_get_attr(op, name), (intptr_t)index);
}

/* Where the source appends, for the message when the copy faults: a text at the launch, as what starts the buffer moves
 * there. */
static MlirValue text_at_launch(MlirModule module, uw_arena *arena, MlirOperation op) {
  MlirOperation grid = op;
  while (!uw_is_over(grid, UW_OVER_BLOCKS))
    grid = uw_parent(grid);
  uw_builder b = uw_at(grid);
  return uw_build_text(&b, module, uw_places(arena, mlirOperationGetLocation(op)));
}

static void lower_queue(MlirModule module, uw_arena *arena, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue own = uw_stack_room(&b, uw_get_int_attr(op, "bytes", 0));
  uw_declare(module, start_name, "!llvm.func<void (ptr, ptr, i64, i32, i32, ptr)>");
  uw_declare(module, array_name, "!llvm.func<void (ptr, ptr, i64, i64)>");
  uw_declare(module, end_name, "!llvm.func<void (ptr)>");
  MlirValue bits = uw_const_int(&b, 32, uw_get_int_attr(op, "bits", 0));
  MlirValue is_signed = uw_const_int(&b, 32, uw_get_int_attr(op, "signed", 0));
  MlirValue places = text_at_launch(module, arena, op);
  uw_call(&b, start_name, VALS(own, uw_operand(op, 0), uw_operand(op, 1), bits, is_signed, places), (MlirType){NULL});
  for (size_t i = 0; i + 2 < uw_operand_count(op); i++) {
    MlirValue stride = uw_const_int(&b, 64, number_at(op, "strides", i)),
              start = uw_const_int(&b, 64, number_at(op, "starts", i));
    uw_call(&b, array_name, VALS(own, uw_operand(op, i + 2), stride, start), (MlirType){NULL});
  }
  uw_builder end = uw_at_end(mlirOperationGetBlock(op), b.location);
  uw_call(&end, end_name, VALS(own), (MlirType){NULL});
  uw_replace_uses(uw_result(op, 0), own);
  uw_erase(op);
}

static MlirValue load_count(uw_builder *b, MlirValue own) {
  return uw_build1(b, "llvm.load", .in = VALS(own), .out = TYPES(uw_int_type(b->context, 64)));
}

static void lower_put(MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirType byte = uw_int_type(b.context, 8);
  MlirValue own = uw_operand(op, 0), stride = uw_const_int(&b, 64, uw_get_int_attr(op, "stride", 0));
  MlirValue after = uw_binary(&b, "arith.muli", load_count(&b, own), stride);
  MlirValue start = uw_add_elements(&b, own, byte, uw_const_int(&b, 64, uw_get_int_attr(op, "place", 0)));
  uw_build(&b, "llvm.store", .in = VALS(uw_operand(op, 1), uw_add_elements(&b, start, byte, after)),
           .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, 1)})); /* of a struct, which may be packed */
  uw_erase(op);
}

/* Counts, and calls when the buffer is full. */
static void lower_append(MlirModule module, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue own = uw_operand(op, 0), count = load_count(&b, own);
  MlirValue more = uw_binary(&b, "arith.addi", count, uw_const_int(&b, 64, 1));
  uw_build(&b, "llvm.store", .in = VALS(more, own));
  MlirValue is_full = uw_compare(&b, UW_EQ, more, uw_const_int(&b, 64, uw_get_int_attr(op, "room", 0)));
  MlirOperation full = uw_build_branch(&b, is_full);
  uw_declare(module, flush_name, "!llvm.func<void (ptr)>");
  uw_builder in = uw_at_end(uw_block(full, 0), b.location);
  uw_call(&in, flush_name, VALS(own), (MlirType){NULL});
  uw_erase(op);
}

void uw_lower_appends(MlirModule module, uw_arena *arena) {
  MlirOperation root = mlirModuleGetOperation(module);
  uw_ops puts = uw_collect_kind(arena, root, UW_OP_PUT), appends = uw_collect_kind(arena, root, UW_OP_APPEND),
         queues = uw_collect_kind(arena, root, UW_OP_QUEUE);
  for (size_t i = 0; i < puts.count; i++)
    lower_put(puts.at[i]);
  for (size_t i = 0; i < appends.count; i++)
    lower_append(module, appends.at[i]);
  for (size_t i = 0; i < queues.count; i++)
    lower_queue(module, arena, queues.at[i]);
}

void uw_hoist_appends(MlirModule module, uw_arena *arena) {
  uw_hoist_from_blocks(module, arena, start_name, array_name, end_name);
}
