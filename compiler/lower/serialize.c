/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * After barrier lowering no thread of a block waits for another one, so a block's threads run one after the other in the
 * worker that has the block:
 *
 *   scf.parallel (%z, %y, %x) {unwarp.level = "block"}   ==>   scf.for %z { scf.for %y { scf.for %x { … } } }
 *
 * The same for the levels "warp" and "lane". Only the grid loop stays parallel.
 */
#include "lower.h"

static void serialize(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  for (size_t d = 0; d < dims; d++) {
    MlirOperation serial = uw_build_for(&b, uw_operand(loop, d), uw_operand(loop, dims + d),
                                        uw_operand(loop, 2 * dims + d), (uw_value_list){0});
    MlirBlock inner = uw_block(serial, 0);
    uw_yield(inner, b.location, (uw_value_list){0});
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)d), mlirBlockGetArgument(inner, 0));
    b = uw_at_end(inner, b.location);
  }
  uw_foreach_op_safe(op, body)
    if (uw_kind(op) != UW_OP_SCF_REDUCE)
      uw_move_to_end(op, b.block);
  uw_erase(loop);
}

void uw_lower_thread_loops(MlirModule module, uw_arena *arena) {
  uw_ops loops = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_SCF_PARALLEL);
  for (size_t i = loops.count; i-- > 0;)
    if (!uw_attr_is_str(loops.at[i], "unwarp.level", "grid"))
      serialize(loops.at[i]);
}
