/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets a thread load again after a barrier what it loaded before it, in the place of keeping the value. On a GPU such
 * a value waits in a register; where a thread loop is split it would take a slot for each thread, a store and a load,
 * and room in the cache that the original has there already.
 *
 *   parallel (%y, %x) {                               parallel (%y, %x) { … }
 *     %p = load %power[%y * %n + %x]                  parallel (%y, %x) {
 *     …                                       ==>       %p = load %power[%y * %n + %x]
 *     barrier                                           use(%p) }
 *     use(%p) }
 *
 * This pass only marks such loads; analysis/mincut.h then takes them for what can be computed again (split.c,
 * interchange.c).
 *
 * Done for a plain load when a) nothing in the kernel writes to the object it reads, in any thread (uw_reads_constant:
 * other objects, __restrict__, allocations of their own); b) its address is a sum whose terms are the same for all
 * threads of the block, but for those over the thread's index, and neighbours in a row of threads read neighbours in
 * memory, or the same address; c) the block's threads meet at barriers alone: between the operations of a warp values
 * stay in registers.
 *
 * Legal because the same thread reads the same address again while nobody writes to it; it made the load before, so it
 * does not fault.
 *
 * Requires: before barriers are lowered, which drops the marks. Preserves: all. Refuses: the rest, silently. */
#include "../../analysis/access_map.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../analysis/mincut.h"
#include "../passes.h"

/* b) */
static bool is_along_rows(uw_effects *effects, MlirOperation loop, MlirOperation load) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue along = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  uw_address address = uw_address_of(uw_operand(load, 0));
  uw_stride stride = uw_stride_in(&address.offset, along);
  bool good = stride.known && !stride.factor && !uw_defined_inside(address.base, loop);
  for (size_t i = 0; i < address.offset.count && good; i++) {
    const MlirValue both[] = {address.offset.terms[i].symbol, address.offset.terms[i].scale};
    for (size_t k = 0; k < 2 && both[k].ptr && good; k++)
      good = (uw_null(uw_def(both[k])) && mlirBlockEqual(uw_value_block(both[k]), body)) ||
             uw_uniform(uw_effects_uniformity(effects), both[k]);
  }
  return good && (stride.bytes == 0 || stride.bytes == (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0))));
}

static bool mark(uw_arena *arena, MlirOperation loop) {
  if (!uw_is_over(loop, UW_OVER_THREADS) || !uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp"))
    return false;
  uw_effects *effects = uw_effects_of(arena, loop);
  uw_ops loads = uw_collect_kind(arena, loop, UW_OP_LLVM_LOAD);
  bool any = false;
  for (size_t i = 0; i < loads.count; i++) {
    if (!uw_plain_access(loads.at[i]) || !mlirAttributeIsNull(uw_get_attr(loads.at[i], UW_RELOAD)) ||
        !is_along_rows(effects, loop, loads.at[i]) || !uw_reads_constant(effects, loop, loads.at[i]))
      continue;
    uw_set_attr(loads.at[i], UW_RELOAD, uw_str_attr(mlirOperationGetContext(loop), "original"));
    any = true;
  }
  return any;
}

uw_change uw_pass_rematerialize(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL), mark);
}
