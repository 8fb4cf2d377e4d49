/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tallies (passes/memory/privatize_atomics.c): first each block has one, which it starts and adds to the addresses at its end; when
 * the loop over blocks is the worker's, that moves out of it, and the worker's blocks share one. A grid of one block,
 * which has no such loop, keeps it as it is. */
#include "lower.h"

static const char start_name[] = "uwrt_tally_start", end_name[] = "uwrt_tally_end";

/* The runtime keeps no address of a tally: then no other memory is the same as it, and what a loop adds up in it may
 * stay in a register. */
static void declare(MlirModule module, const char *name, const char *type, const char *arguments) {
  uw_declare(module, name, type);
  uw_set_attr(uw_find_symbol(module, name), "arg_attrs", uw_attr(mlirModuleGetContext(module), arguments));
}

void uw_lower_tallies(MlirModule module, uw_arena *arena) {
  uw_ops tallies = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_TALLY);
  for (size_t i = 0; i < tallies.count; i++) {
    MlirOperation op = tallies.at[i];
    uw_builder b = uw_at(op);
    int64_t bytes = uw_get_int_attr(op, "bytes", 0);
    MlirValue size = uw_const_int(&b, 64, bytes), bits = uw_const_int(&b, 32, uw_get_int_attr(op, "bits", 0)),
              kind = uw_const_int(&b, 32, uw_get_int_attr(op, "kind", 0)), place = uw_operand(op, 0);
    MlirValue own = uw_stack_room(&b, bytes);
    declare(module, start_name, "!llvm.func<void (ptr, i64, i32, i32)>", "[{llvm.nocapture}, {}, {}, {}]");
    declare(module, end_name, "!llvm.func<void (ptr, ptr, i64, i32, i32)>",
            "[{llvm.nocapture}, {llvm.nocapture}, {}, {}, {}]");
    uw_call(&b, start_name, VALS(own, size, bits, kind), (MlirType){NULL});
    uw_builder end = uw_at_end(mlirOperationGetBlock(op), b.location);
    uw_call(&end, end_name, VALS(place, own, size, bits, kind), (MlirType){NULL});
    uw_replace_uses(uw_result(op, 0), own);
    uw_erase(op);
  }
}

void uw_hoist_tallies(MlirModule module, uw_arena *arena) {
  uw_hoist_from_blocks(module, arena, start_name, NULL, end_name);
}
